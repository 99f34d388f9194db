//! How compilers name a remedy: a table.
//!
//! Each row is a wording of somebody's messages with the name that is wrong and the name that would
//! be right, as [`pattern`](super::pattern) reads it. A row that does not name what is wrong is used
//! where the diagnostic points at one name; a row may also know it without its being said, such as
//! the `.` that should be `->`.
//!
//! They are grouped by who says so, but a wording counts whoever uses it. Rows are as long
//! as they must be to tell which of several quoted names is the wrong one, and no longer. New
//! wordings go in with a message as it is really written, in the test beside the table.

use super::pattern::{NamedRemedy, find_all};

/// A way to name a remedy.
struct RemedyWording {
    /// How it is said.
    pattern: &'static str,
    /// The wrong name, where that goes without saying.
    wrong: Option<&'static str>,
}

const fn says(pattern: &'static str) -> RemedyWording {
    RemedyWording {
        pattern,
        wrong: None,
    }
}

const fn knows(pattern: &'static str, wrong: &'static str) -> RemedyWording {
    RemedyWording {
        pattern,
        wrong: Some(wrong),
    }
}

const TABLE: &[RemedyWording] = &[
    // rustc, and what rust-analyzer makes of it: the help by itself, at the name.
    says("cannot find … 'wrong' in …with a similar name exists: 'right'"),
    says("with a similar name exists: 'right'"),
    says("a similar name exists: 'right'"),
    says("no 'wrong' in …a similar name exists in the module: 'right'"),
    says("a similar name exists in the module: 'right'"),
    says("no method named 'wrong' found for …with a similar name: 'right'"),
    says("with a similar name: 'right'"),
    says("there is a method 'right' with a similar name"),
    says("there is an associated function 'right' with a similar name"),
    says("you might have meant to use 'right'"),
    says("unknown lint: 'wrong'…did you mean: 'right'"),
    says("did you mean: 'right'"),
    says("add 'right' here"),
    // TypeScript.
    says("not find name 'wrong'. Did you mean 'right'?"),
    says("not find name 'wrong'. Did you mean the instance member 'right'?"),
    says("not find name 'wrong'. Did you mean the static member 'right'?"),
    says("cannot find namespace 'wrong'. Did you mean 'right'?"),
    says("property 'wrong' does not exist on type …. Did you mean 'right'?"),
    says(
        "property 'wrong' does not exist on type …. Did you mean to access the static member \
         'right' instead?",
    ),
    says("has no exported member named 'wrong'. Did you mean 'right'?"),
    says("but 'wrong' does not exist in type …. Did you mean to write 'right'?"),
    says("type 'wrong' is not assignable to type …. Did you mean 'right'?"),
    says("unknown keyword or identifier. Did you mean 'right'?"),
    says("option 'wrong'. Did you mean 'right'?"),
    knows("did you mean to use a 'right'? An '=' can only follow", "="),
    // ESLint.
    says("expected 'right' and instead saw 'wrong'"),
    // Python.
    says("name 'wrong' is not defined. Did you mean: 'right'?"),
    says("has no attribute 'wrong'. Did you mean: 'right'?"),
    says("cannot import name 'wrong' from …. Did you mean: 'right'?"),
    says("unexpected keyword argument 'wrong'. Did you mean 'right'?"),
    says("invalid syntax. Did you mean 'right'?"),
    says("maybe you meant 'right' instead of 'wrong'?"),
    // mypy and pylint.
    says("has no attribute 'wrong'; maybe 'right'?"),
    says("unexpected keyword argument 'wrong' for '?'; did you mean 'right'?"),
    says("has no 'wrong' member; maybe 'right'?"),
    // Go.
    says("has no field or method {wrong}, but does have {right})"),
    says("has no field or method {wrong}, but does have field {right})"),
    says("has no field or method {wrong}, but does have method {right})"),
    says("unknown field {wrong} in struct literal of type …, but does have {right}"),
    says("unknown field 'wrong' in struct literal of type … (but does have {right})"),
    says("undefined: …{wrong} (but have {right})"),
    says("undefined: …{wrong} (did you mean {right}?)"),
    says("undefined: …{wrong}; did you mean {right}?"),
    // misspell.
    says("'wrong' is a misspelling of 'right'"),
    // clang.
    says("undeclared identifier 'wrong'; did you mean 'right'?"),
    says("unknown type name 'wrong'; did you mean 'right'?"),
    says("no member named 'wrong' in …; did you mean 'right'?"),
    says("no type named 'wrong' in …; did you mean 'right'?"),
    says("no template named 'wrong' in …; did you mean 'right'?"),
    says("no template named 'wrong'; did you mean 'right'?"),
    says("undeclared function 'wrong'…did you mean 'right'?"),
    says("implicit declaration of function 'wrong'…did you mean 'right'?"),
    says("unknown class name 'wrong'; did you mean 'right'?"),
    says("expected class name; did you mean 'right'?"),
    says("field designator 'wrong' does not refer to any …; did you mean 'right'?"),
    says("'wrong' file not found, did you mean 'right'?"),
    says("unknown attribute 'wrong' ignored; did you mean 'right'?"),
    knows("is a pointer; did you mean to use 'right'?", "."),
    knows("is not a pointer; did you mean to use 'right'?", "->"),
    // gcc.
    says("'wrong' was not declared in this scope; did you mean 'right'?"),
    says("'wrong' undeclared (first use in this function); did you mean 'right'?"),
    says("has no member named 'wrong'; did you mean 'right'?"),
    says("'wrong' does not name a type; did you mean 'right'?"),
    // Anybody.
    says("did you mean 'right'?"),
];

/// The remedies of a message, by each wording that is found in it.
pub(super) fn remedies(message: &str) -> Vec<NamedRemedy<'_>> {
    let found = TABLE.iter().flat_map(|wording| {
        let found = find_all(wording.pattern, message).into_iter();
        found.map(|remedy| NamedRemedy {
            wrong: remedy.wrong.or(wording.wrong),
            ..remedy
        })
    });
    found.map(unquoted).filter(is_plain).collect()
}

/// Types of literals are quoted within the quotation, and perhaps otherwise than in the code: what
/// matters is inside.
fn unquoted(remedy: NamedRemedy<'_>) -> NamedRemedy<'_> {
    let inside = |name: &'_ str| -> Option<(usize, usize)> {
        let is_literal = name.len() > 2 && name.starts_with('"') && name.ends_with('"');
        is_literal.then(|| (1, name.len() - 1))
    };
    let (Some(wrong), right) = (remedy.wrong, remedy.right) else {
        return remedy;
    };
    match (inside(wrong), inside(right)) {
        (Some((start, end)), Some((first, last))) => NamedRemedy {
            wrong: wrong.get(start..end),
            right: right.get(first..last).unwrap_or(right),
        },
        _ => remedy,
    }
}

/// Whether a remedy is something to write, and not something about it.
fn is_plain(remedy: &NamedRemedy<'_>) -> bool {
    let NamedRemedy { wrong, right } = remedy;
    let is_elided = right.contains("...") || right.contains('…');
    let is_spaced = right.contains(char::is_whitespace);
    !is_elided && !is_spaced && *wrong != Some(*right)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a message says: `wrong -> right`, `-> right` if it does not name the wrong one, and
    /// everything it says if that is not one thing.
    fn read(message: &str) -> String {
        let mut said: Vec<String> = Vec::new();
        for NamedRemedy { wrong, right } in remedies(message) {
            let line = format!("{} -> {right}", wrong.unwrap_or_default());
            if !said.contains(&line) {
                said.push(line);
            }
        }
        let is_vague = |line: &String| line.starts_with(' ');
        if said.iter().any(|line| !is_vague(line)) {
            said.retain(|line| !is_vague(line));
        }
        said.join(", ").trim_start().to_owned()
    }

    #[test]
    fn rustc_and_rust_analyzer_are_understood() {
        for (message, said) in [
            (
                "cannot find value `sun` in this scope\nhelp: a local variable with a similar \
                 name exists: `sum`",
                "sun -> sum",
            ),
            (
                "a macro with a similar name exists: `println`",
                "-> println",
            ),
            ("help: a similar name exists: `count`", "-> count"),
            ("a field with a similar name exists: `width`", "-> width"),
            (
                "there is a method with a similar name: `is_empty`",
                "-> is_empty",
            ),
            (
                "there is a method `is_empty` with a similar name: `is_empty`",
                "-> is_empty",
            ),
            (
                "no method named `inser` found for struct `BTreeSet` in the current scope\nhelp: \
                 there is a method with a similar name: `insert`",
                "inser -> insert",
            ),
            (
                "there is an associated function with a similar name: `with_capacity`",
                "-> with_capacity",
            ),
            (
                "there is an associated function `new` with a similar name",
                "-> new",
            ),
            (
                "there is a variant with a similar name: `Warning`",
                "-> Warning",
            ),
            ("you might have meant to use `insert`", "-> insert"),
            (
                "unresolved import `std::collections::HashMpa`\nno `HashMpa` in \
                 `collections`\nhelp: a similar name exists in the module: `HashMap`",
                "HashMpa -> HashMap",
            ),
            (
                "unknown lint: `unused_variable`\nhelp: did you mean: `unused_variables`",
                "unused_variable -> unused_variables",
            ),
            ("add `;` here: `;`", "-> ;"),
            (
                "expected one of `!`, `.`, `::`, `;`, `?`, or an operator, found `x`",
                "",
            ),
        ] {
            assert_eq!(read(message), said, "{message}");
        }
    }

    #[test]
    fn typescript_is_understood() {
        for (message, said) in [
            (
                "Cannot find name 'cuont'. Did you mean 'count'?",
                "cuont -> count",
            ),
            (
                "Could not find name 'cuont'. Did you mean 'count'?",
                "cuont -> count",
            ),
            (
                "Cannot find name 'size'. Did you mean the instance member 'this.size'?",
                "size -> this.size",
            ),
            (
                "Cannot find name 'of'. Did you mean the static member 'Point.of'?",
                "of -> Point.of",
            ),
            (
                "Cannot find namespace 'NodeJs'. Did you mean 'NodeJS'?",
                "NodeJs -> NodeJS",
            ),
            (
                "Property 'lenght' does not exist on type 'string[]'. Did you mean 'length'?",
                "lenght -> length",
            ),
            (
                "Property 'x' does not exist on type '{ kind: \"a\"; 'b': 1 }'. Did you mean \
                 'y'?",
                "x -> y",
            ),
            (
                "Property 'of' does not exist on type 'Point'. Did you mean to access the static \
                 member 'Point.of' instead?",
                "of -> Point.of",
            ),
            (
                "'\"./shapes\"' has no exported member named 'Cirle'. Did you mean 'Circle'?",
                "Cirle -> Circle",
            ),
            (
                "Object literal may only specify known properties, but 'colour' does not exist in \
                 type 'Style'. Did you mean to write 'color'?",
                "colour -> color",
            ),
            (
                "Type '\"lef\"' is not assignable to type '\"left\" | \"right\"'. Did you mean \
                 '\"left\"'?",
                "lef -> left",
            ),
            (
                "Unknown keyword or identifier. Did you mean 'const'?",
                "-> const",
            ),
            (
                "Unknown compiler option 'stict'. Did you mean 'strict'?",
                "stict -> strict",
            ),
            (
                "Did you mean to use a ':'? An '=' can only follow a property name when the \
                 containing object literal is part of a destructuring pattern.",
                "= -> :",
            ),
            ("Expected '===' and instead saw '=='.", "== -> ==="),
            ("Did you mean to mark this function as 'async'?", ""),
            ("Cannot find name 'x'.", ""),
        ] {
            assert_eq!(read(message), said, "{message}");
        }
    }

    #[test]
    fn python_and_its_checkers_are_understood() {
        for (message, said) in [
            (
                "NameError: name 'nq' is not defined. Did you mean: 'n1'?",
                "nq -> n1",
            ),
            (
                "NameError: name 'size' is not defined. Did you mean: 'self.size'?",
                "size -> self.size",
            ),
            (
                "AttributeError: 'Wallet' object has no attribute 'amount'. Did you mean: \
                 '_amount'?",
                "amount -> _amount",
            ),
            (
                "ImportError: cannot import name 'OrderdDict' from 'collections' \
                 (/usr/lib/python3/collections/__init__.py). Did you mean: 'OrderedDict'?",
                "OrderdDict -> OrderedDict",
            ),
            (
                "TypeError: f() got an unexpected keyword argument 'colour'. Did you mean 'color'?",
                "colour -> color",
            ),
            (
                "SyntaxError: invalid syntax. Did you mean 'while'?",
                "-> while",
            ),
            (
                "SyntaxError: cannot assign to attribute here. Maybe you meant '==' instead of \
                 '='?",
                "= -> ==",
            ),
            (
                "SyntaxError: invalid syntax. Maybe you meant '==' or ':=' instead of '='?",
                "",
            ),
            (
                "SyntaxError: Missing parentheses in call to 'print'. Did you mean print(...)?",
                "",
            ),
            (
                "Module has no attribute \"pth\"; maybe \"path\"?",
                "pth -> path",
            ),
            (
                "\"Point\" has no attribute \"X\"; maybe \"x\" or \"y\"?",
                "",
            ),
            (
                "Unexpected keyword argument \"colour\" for \"draw\"; did you mean \"color\"?",
                "colour -> color",
            ),
            ("Did you mean \"name\"?", "-> name"),
            (
                "Instance of 'Point' has no 'lenght' member; maybe 'length'?",
                "lenght -> length",
            ),
            (
                "Module 'os' has no 'pth' member; maybe one of 'path', 'pathsep'?",
                "",
            ),
        ] {
            assert_eq!(read(message), said, "{message}");
        }
    }

    #[test]
    fn go_is_understood() {
        for (message, said) in [
            (
                "s.len undefined (type Stack has no field or method len, but does have method Len)",
                "len -> Len",
            ),
            (
                "p.X undefined (type Point has no field or method X, but does have field x)",
                "X -> x",
            ),
            (
                "p.X undefined (type Point has no field or method X, but does have x)",
                "X -> x",
            ),
            (
                "unknown field tlsConfig in struct literal of type http.Server, but does have \
                 TLSConfig",
                "tlsConfig -> TLSConfig",
            ),
            (
                "unknown field 'bAr' in struct literal of type foo (but does have bar)",
                "bAr -> bar",
            ),
            ("undefined: math.Pii (but have Pi)", "Pii -> Pi"),
            ("undefined: conut (did you mean count?)", "conut -> count"),
            (
                "`recieve` is a misspelling of `receive`",
                "recieve -> receive",
            ),
            ("undefined: count", ""),
            (
                "x.y undefined (type T has no field or method y, but does have unexported field Y)",
                "",
            ),
        ] {
            assert_eq!(read(message), said, "{message}");
        }
    }

    #[test]
    fn clang_and_gcc_are_understood() {
        for (message, said) in [
            (
                "use of undeclared identifier 'foo'; did you mean 'bar'?",
                "foo -> bar",
            ),
            (
                "Use of undeclared identifier 'cout'; did you mean 'std::cout'?",
                "cout -> std::cout",
            ),
            (
                "unknown type name 'strng'; did you mean 'string'?",
                "strng -> string",
            ),
            (
                "no member named 'psh_back' in 'std::vector<int>'; did you mean 'push_back'?",
                "psh_back -> push_back",
            ),
            (
                "no type named 'strng' in namespace 'std'; did you mean 'string'?",
                "strng -> string",
            ),
            (
                "no template named 'vectr'; did you mean 'vector'?",
                "vectr -> vector",
            ),
            (
                "no template named 'vectr' in namespace 'std'; did you mean 'vector'?",
                "vectr -> vector",
            ),
            (
                "Call to undeclared function 'prinft'; ISO C99 and later do not support implicit \
                 function declarations\n\nnote: did you mean 'printf'?",
                "prinft -> printf",
            ),
            (
                "field designator 'widht' does not refer to any field in type 'struct Box'; did \
                 you mean 'width'?",
                "widht -> width",
            ),
            (
                "'sdtio.h' file not found, did you mean 'stdio.h'?",
                "sdtio.h -> stdio.h",
            ),
            (
                "unknown attribute 'unusd' ignored; did you mean 'unused'?",
                "unusd -> unused",
            ),
            (
                "member reference type 'Box *' is a pointer; did you mean to use '->'?",
                ". -> ->",
            ),
            (
                "member reference type 'Box' is not a pointer; did you mean to use '.'?",
                "-> -> .",
            ),
            (
                "‘foo’ was not declared in this scope; did you mean ‘bar’?",
                "foo -> bar",
            ),
            (
                "‘foo’ undeclared (first use in this function); did you mean ‘bar’?",
                "foo -> bar",
            ),
            (
                "‘struct Box’ has no member named ‘widht’; did you mean ‘width’?",
                "widht -> width",
            ),
            (
                "‘strng’ does not name a type; did you mean ‘string’?",
                "strng -> string",
            ),
            (
                "reference to overloaded function could not be resolved; did you mean to call it \
                 with no arguments?",
                "",
            ),
        ] {
            assert_eq!(read(message), said, "{message}");
        }
    }

    #[test]
    fn two_remedies_are_both_seen() {
        let message = "Cannot find name 'a'. Did you mean 'b'?\nDid you mean 'c'?";
        assert_eq!(read(message), "a -> b");
        let rights: Vec<&str> = remedies(message)
            .iter()
            .map(|remedy| remedy.right)
            .collect();
        assert!(rights.contains(&"b") && rights.contains(&"c"), "{rights:?}");
    }

    #[test]
    fn a_long_message_costs_little() {
        let quotes = "'".repeat(100_000);
        assert_eq!(read(&quotes), "");
        let names = "cannot find 'x' in ".repeat(5_000);
        assert_eq!(read(&names), "");
    }
}
