//! How much memory this process has, and a process with no other test in it: what others hold meanwhile is
//! no leak.

use std::process::Command;

/// The resident memory in KB, where the system says so.
pub(crate) fn resident_kb() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Whether this process runs one test alone. If not, the test is run again in a process that does, and has
/// to pass there.
pub(crate) fn is_alone(test: &str) -> bool {
    const ALONE: &str = "TEST_FORETELL_ALONE";
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let mut alone = Command::new(std::env::current_exe().unwrap());
    let ended = alone
        .args(["--exact", test, "--nocapture"])
        .env(ALONE, "1")
        .output();
    let ended = ended.unwrap();
    let [said, complained] = [&ended.stdout, &ended.stderr].map(|it| String::from_utf8_lossy(it));
    println!("{said}");
    assert!(ended.status.success(), "{complained}");
    assert!(said.contains("1 passed"), "there is no test {test}");
    false
}
