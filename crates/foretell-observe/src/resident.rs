//! How much memory the process takes, where the system says so in a file.
//!
//! Linux does. Elsewhere the answer is nothing, since asking would take calls that this house does not
//! make, and a wrong figure is worse than none.

/// The bytes of memory that the process takes, if that can be known.
pub fn bytes() -> Option<u64> {
    if cfg!(target_os = "linux") {
        parsed(&std::fs::read_to_string("/proc/self/status").ok()?)
    } else {
        None
    }
}

/// The resident set of a status file, which is in kibibytes.
fn parsed(status: &str) -> Option<u64> {
    let mut lines = status.lines();
    let said = lines.find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kibibytes: u64 = said.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_resident_set_is_read() {
        let status = "Name:\tforetell\nVmHWM:\t  9999 kB\nVmRSS:\t   12345 kB\nThreads:\t3\n";
        assert_eq!(parsed(status), Some(12_345 * 1024));
        for odd in ["", "VmRSS:", "VmRSS: x kB", "VmRSS: 1 MB", "VmRSS: -1 kB"] {
            assert_eq!(parsed(odd), None, "{odd}");
        }
        assert_eq!(bytes().is_some(), cfg!(target_os = "linux"));
    }
}
