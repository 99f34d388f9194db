//! What a fix is worth by its words: whether it mends a fault, or only makes a tool be quiet.
//!
//! Nobody wants what they have just written to be removed because it is not used *yet*, and a fix that
//! switches a rule off clears the remark and leaves the fault. Linters remark on style, and mend all of it
//! at once when a file is saved. Such fixes are known by words, since tools have no other way to say so: by
//! those of the remark, by those of the fix, or by the name of the tool.
//!
//! It is asked where diagnostics come in. What it says is kept with the fix and recorded with it, so
//! that a recording without words replays to the same.
//!
//! Absent on purpose: whether a fix is offered ([`wanted_fixes`](crate::wanted_fixes)).

use foretell_text::FixStanding;

/// Names of tools that remark on style, in small letters.
const STYLE_TOOLS: [&str; 16] = [
    "biome",
    "clippy",
    "eslint",
    "flake8",
    "golangci-lint",
    "markdownlint",
    "oxc",
    "prettier",
    "pycodestyle",
    "pylint",
    "rubocop",
    "ruff",
    "standard",
    "staticcheck",
    "stylelint",
    "tslint",
];

/// What remarks say of code that is not needed, or not to be used any more, in small letters.
const UNNEEDED: [&str; 12] = [
    "deprecated",
    "is assigned to but never",
    "is assigned a value but never",
    "is not accessed",
    "never constructed",
    "never read",
    "never used",
    "not used",
    "unreachable",
    "unused",
    "redundant",
    "unnecessary",
];

/// How titles begin of fixes that silence a tool, in small letters.
const SILENCING: [&str; 10] = [
    "add // @ts-",
    "add '// @ts-",
    "add # type: ignore",
    "add \"# type: ignore",
    "add # noqa",
    "add #[allow",
    "disable ",
    "ignore ",
    "suppress ",
    "add `#[allow",
];

/// What a fix is among those of its diagnostic, given the words of both, and whether the tool prefers it.
pub fn fix_standing(
    source: Option<&str>,
    message: &str,
    title: &str,
    is_preferred: bool,
) -> FixStanding {
    let tool = source.map(str::to_lowercase).unwrap_or_default();
    let is_of_style = STYLE_TOOLS.contains(&tool.trim());
    let message = without_names(message).to_lowercase();
    let is_unneeded = UNNEEDED.iter().any(|words| message.contains(words));
    let title = title.trim_start().to_lowercase();
    let is_silencing = SILENCING.iter().any(|start| title.starts_with(start));
    if is_of_style || is_unneeded || is_silencing {
        FixStanding::Cosmetic
    } else if is_preferred {
        FixStanding::Preferred
    } else {
        FixStanding::Possible
    }
}

/// A remark without the names that it quotes: one of them may be called `unusedItems`.
fn without_names(message: &str) -> String {
    let is_quote = |c: char| matches!(c, '\'' | '"' | '`' | '‘' | '’' | '“' | '”');
    let parts = message.split(is_quote).enumerate();
    // What has a blank in it stands behind an apostrophe.
    let said = parts.filter(|(at, part)| at % 2 == 0 || part.contains(' '));
    said.map(|(_, part)| part).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_a_remark_is_no_remark() {
        let standing = |message| fix_standing(Some("ts"), message, "Change spelling", true);
        let missing = "Cannot find name 'unusedItms'. Did you mean 'unusedItems'?";
        assert_eq!(standing(missing), FixStanding::Preferred);
        let unused = "This isn't used, and 'x' isn't either: unused";
        assert_eq!(standing(unused), FixStanding::Cosmetic);
    }

    #[test]
    fn what_is_not_used_yet_is_no_fault_whatever_the_tool_calls_it() {
        let unused = "'value' is declared but its value is never read.";
        let title = "Prefix 'value' with an underscore";
        let standing = fix_standing(Some("ts"), unused, title, true);
        assert_eq!(standing, FixStanding::Cosmetic);
        let standing = fix_standing(
            Some("compiler"),
            "declared and not used: n",
            "Remove n",
            true,
        );
        assert_eq!(standing, FixStanding::Cosmetic);
    }

    #[test]
    fn a_rule_that_is_switched_off_mends_nothing() {
        let missing = "Cannot find name 'x'.";
        for title in [
            "Disable no-undef for this line",
            " Ignore this error message",
            "Add // @ts-expect-error",
        ] {
            let standing = fix_standing(None, missing, title, true);
            assert_eq!(standing, FixStanding::Cosmetic, "{title}");
        }
        let standing = fix_standing(None, missing, "Disabled is a name, too", false);
        assert_eq!(standing, FixStanding::Possible);
    }

    #[test]
    fn a_linter_speaks_of_style() {
        let standing = fix_standing(Some("ESLint"), "Missing semicolon.", "Fix this", true);
        assert_eq!(standing, FixStanding::Cosmetic);
    }

    #[test]
    fn the_tool_says_which_of_several_is_the_one() {
        let missing = "Cannot find name 'prise'. Did you mean 'price'?";
        let title = "Change spelling to 'price'";
        let standing = |is_preferred| fix_standing(Some("ts"), missing, title, is_preferred);
        assert_eq!(standing(true), FixStanding::Preferred);
        assert_eq!(standing(false), FixStanding::Possible);
    }
}
