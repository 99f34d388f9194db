//! How much of a glob anybody compiles.
//!
//! Globs come with a workspace (`.gitignore`, `.foretellignore`, `.foretell.toml`), so that strangers
//! write them. A compiler of globs goes one level down its stack for each brace, and takes some twenty
//! kilobytes for each wildcard pattern; so every glob is measured here before any compiler sees it.
//! Separate because the crates that compile globs do not know each other, and must agree.
//!
//! Absent on purpose: what a glob means, and whether it is one.

/// The longest glob, in bytes: longer than any path in it.
pub const LONGEST_GLOB: usize = 1_024;

/// How many braces may be open in a glob at once.
pub const DEEPEST_GLOB: usize = 8;

/// How many wildcards a glob may have.
pub const MOST_WILDCARDS: usize = 64;

/// So many bytes of a glob cost as much as another glob does.
const BYTES_OF_A_GLOB: usize = 64;

/// How many globs may be excluded at one place by settings.
pub const MOST_GLOBS_IN_SETTINGS: usize = 1_000;

/// How many globs an ignore file may have that is followed to the letter, and how long it may be, in
/// bytes. They are compiled to be matched in any case, which costs as much for a name as for a wildcard.
pub const MOST_GLOBS_TO_THE_LETTER: usize = 2_000;
/// See [`MOST_GLOBS_TO_THE_LETTER`].
pub const LONGEST_TO_THE_LETTER: u64 = 64 << 10;

/// How many globs with a wildcard in them an ignore file may have.
pub const MOST_WILD_GLOBS_IN_A_FILE: usize = 1_000;

/// How many globs of any kind an ignore file may have.
pub const MOST_GLOBS_IN_A_FILE: usize = 20_000;

/// Why a glob is not compiled, whatever it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GlobExcess {
    /// It is too long.
    #[error("it is longer than {LONGEST_GLOB} bytes")]
    TooLong,
    /// It has too many wildcards.
    #[error("it has more than {MOST_WILDCARDS} wildcards")]
    TooWild,
    /// There are too many braces within each other.
    #[error("it has more than {DEEPEST_GLOB} braces within each other")]
    TooDeep,
}

/// Measures a glob.
pub fn measure_glob(glob: &str) -> Result<(), GlobExcess> {
    if glob.len() > LONGEST_GLOB {
        return Err(GlobExcess::TooLong);
    }
    if glob.bytes().filter(|byte| b"*?[{".contains(byte)).count() > MOST_WILDCARDS {
        return Err(GlobExcess::TooWild);
    }
    // Escaped ones count as well, which refuses nothing that anybody writes.
    let mut depth = 0_usize;
    for byte in glob.bytes() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST_GLOB {
            return Err(GlobExcess::TooDeep);
        }
    }
    Ok(())
}

/// The cost of a glob, in globs as people write them. One that is too long is not compiled at all.
pub fn cost_of_glob(glob: &str) -> usize {
    1 + glob.len().min(LONGEST_GLOB) / BYTES_OF_A_GLOB
}

/// Whether a glob has a wildcard in it, which costs far more than a name does.
pub fn is_wild_glob(glob: &str) -> bool {
    let rest = glob.strip_prefix("**/").unwrap_or(glob);
    // `*.o` is looked up like a name, and `*.o/a` is not.
    let ending = rest.strip_prefix("*.").filter(|it| !it.contains('/'));
    ending.unwrap_or(rest).contains(['*', '?', '[', '{'])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_write_is_compiled() {
        let usual = [
            "",
            "target",
            "*.{png,jpg,{tar.,}gz}",
            "/src/**/[a-z]?*.rs",
            "!keep{}}}}me",
        ];
        for glob in usual {
            assert_eq!(measure_glob(glob), Ok(()), "{glob}");
        }
        assert_eq!(measure_glob(&"a".repeat(LONGEST_GLOB)), Ok(()));
    }

    #[test]
    fn what_nobody_writes_is_not() {
        assert_eq!(measure_glob(&"{a,".repeat(9)), Err(GlobExcess::TooDeep));
        assert_eq!(
            measure_glob(&"{a,".repeat(16_000)),
            Err(GlobExcess::TooLong)
        );
        assert_eq!(measure_glob(&"a".repeat(1_025)), Err(GlobExcess::TooLong));
        assert_eq!(measure_glob(&"*a".repeat(65)), Err(GlobExcess::TooWild));
        // Closing more than was opened gives no credit.
        let glob = format!("{}{}", "}".repeat(100), "{".repeat(9));
        assert_eq!(measure_glob(&glob), Err(GlobExcess::TooDeep));
    }

    #[test]
    fn names_and_endings_are_cheap() {
        for glob in ["target/", "*.o", "**/*.log", "/a/b", "**/build"] {
            assert!(!is_wild_glob(glob), "{glob}");
        }
        for glob in ["a*.o", "a/*", "*.[ch]", "**/a?", "{a,b}", "*.o/a"] {
            assert!(is_wild_glob(glob), "{glob}");
        }
    }
}
