//! A model server that fills in what a script says, for tests that are not written in Rust.
//!
//! ```text
//! cargo build -p foretell-testkit --example model_server
//! target/debug/examples/model_server script.json
//! ```
//!
//! The script is a JSON list such as `[{"after": "let x", "insert": " = 1;", "delayMs": 50}]`. The first
//! line of the standard output is the address, for a lane of kind `llama-cpp`; each request for a text is
//! a line after it: its method, its path, and the end of the text before the cursor as JSON. The server ends
//! when the standard input is closed, and so with whoever has started it.

use std::error::Error;
use std::io::{Write, copy, sink, stdin, stdout};

use foretell_testkit::model_server::ModelServer;
use foretell_testkit::model_server::fill_in::{FillIn, told};

fn main() -> Result<(), Box<dyn Error>> {
    let script = std::env::args().nth(1);
    let script = script.ok_or("name the file of a script")?;
    let script = std::fs::read_to_string(&script).map_err(|why| format!("{script}: {why}"))?;
    let script = FillIn::from_json(&script)?;
    let server = ModelServer::start_with(move |_, request| {
        // What the server itself is asked about is no request for a text.
        if !["/props", "/tokenize"].contains(&request.path.as_str()) {
            // Whoever does not read on is not interested.
            let _ = writeln!(stdout(), "{}", told(request));
        }
        script.answer(request)
    });
    writeln!(stdout(), "{}", server.url())?;
    copy(&mut stdin(), &mut sink())?;
    Ok(())
}
