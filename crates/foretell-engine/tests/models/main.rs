//! The engine with lanes by its settings and real sockets: everything that model servers do to it,
//! and that nothing of it is left over or gets out.
//!
//! | module | what it is about |
//! | --- | --- |
//! | `before_asking` | what a server is sent ahead of time, and to which servers |
//! | `desk` | an engine, a document and somebody who asks |
//! | `faults` | each fault: the other lanes still answer, and the reason is known |
//! | `hosted` | what is paid for on a server that is not on this machine |
//! | `memory` | how much of it there is |
//! | `odd_servers` | servers that load, hang or talk nonsense, and a document of 5 MB |
//! | `resting` | a lane that failed is left alone, and for how long |
//! | `second_look` | a model that has nothing at the cursor is asked about another place, once |
//! | `secrecy` | a key is in nothing that is printed, recorded or shown |
//! | `superseded` | a thousand requests that nobody waits for any more leave nothing behind |
//! | `soak` | many requests a second to a server that fails at random |
//!
//! Time is real here, since sockets are. Where only the clock matters, a lane is played on a paused one.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a test that is wrong about its own input should stop at once and say where; figures are \
              for people to read"
)]

mod before_asking;
mod desk;
mod faults;
mod hosted;
mod memory;
mod odd_servers;
mod resting;
mod second_look;
mod secrecy;
mod soak;
mod superseded;
