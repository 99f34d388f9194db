//! The pipes that client and server talk through, out of reach of other code.
//!
//! Standard input and output are known to the whole process, and by path: code that opens
//! `/dev/stdin` reads the client's messages, and code that prints writes into the server's. So both
//! get other numbers, which no child inherits, and nothing is left where they were.
//!
//! Absent on purpose: systems without such numbers. There the pipes stay where they are, and have no
//! path.

use std::io::{self, BufRead, Write};

/// The input from the client, and the output to it.
type Pipes = (Box<dyn BufRead + Send>, Box<dyn Write + Send>);

#[cfg(unix)]
pub(super) fn take() -> io::Result<Pipes> {
    use std::fs::{File, OpenOptions};
    use std::io::{BufReader, BufWriter};

    use rustix::io::fcntl_dupfd_cloexec;
    use rustix::stdio::{dup2_stdin, dup2_stdout};

    // Not among the three that everybody knows.
    let first = 3;
    let input = File::from(fcntl_dupfd_cloexec(io::stdin(), first)?);
    let output = File::from(fcntl_dupfd_cloexec(io::stdout(), first)?);
    let nothing = OpenOptions::new()
        .read(true)
        .write(true)
        .open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    Ok((
        Box::new(BufReader::new(input)),
        Box::new(BufWriter::new(output)),
    ))
}

#[cfg(not(unix))]
pub(super) fn take() -> io::Result<Pipes> {
    Ok((
        Box::new(io::BufReader::new(io::stdin())),
        Box::new(io::stdout()),
    ))
}
