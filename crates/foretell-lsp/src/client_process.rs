//! The process that started the server, which must not be outlived.
//!
//! A client that ends closes its end of the pipe, and that is how nearly every session ends. Where
//! another process has inherited the pipe it stays open, so that it is looked once a second whether the
//! client is still there, which is one call to the system.

use std::future::pending;
use std::time::Duration;

use tokio::time::sleep;

/// How often it is looked.
const EVERY: Duration = Duration::from_secs(1);

/// Waits until a process has ended. One that is not there to begin with is another machine's, or a
/// container's, and is waited for in vain.
pub(crate) async fn ended(process: i32) {
    if !is_alive(process) {
        return pending().await;
    }
    while is_alive(process) {
        sleep(EVERY).await;
    }
}

#[cfg(unix)]
fn is_alive(process: i32) -> bool {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};

    // A number that no process can have is not waited for.
    let process = Some(process).filter(|it| *it > 0).and_then(Pid::from_raw);
    // One that belongs to somebody else is there.
    process.is_none_or(|it| test_kill_process(it) != Err(Errno::SRCH))
}

#[cfg(not(unix))]
fn is_alive(_: i32) -> bool {
    true
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_alive_until_it_has_ended() {
        let own = i32::try_from(std::process::id()).unwrap();
        assert!(is_alive(own));
        let mut other = std::process::Command::new("true").spawn().unwrap();
        let number = i32::try_from(other.id()).unwrap();
        other.wait().unwrap();
        assert!(!is_alive(number));
        assert!(is_alive(0) && is_alive(-1), "no process at all");
    }
}
