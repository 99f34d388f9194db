//! Makes the table of token forms of known services from rules that others keep.
//!
//! `.ci/secret-rules` runs it, on the catalogue of Betterleaks (MIT), the successor of Gitleaks by its own
//! author, as the crate `kingfisher-rules` carries it. That crate itself is no dependency: it brings a
//! native regex engine, a template language and validators that call out.
//!
//! Of every rule, only the secret itself is taken over, without the name of its service in front of it:
//! values that are given to a name are found by the grammar of assignment, for every service there is.
//! So a rule is taken over if its secret has a literal in it that stands for the service (`ghp_`,
//! `.atlasv1.`), and left out otherwise. What is left out is printed.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::unwrap_used,
    clippy::string_slice,
    reason = "a program that a maintainer runs: it ends where its input is not as it knows it"
)]

use std::collections::{BTreeMap, BTreeSet};

use regex_syntax::ParserBuilder;
use regex_syntax::hir::literal::{ExtractKind, Extractor};
use regex_syntax::hir::{Capture, Hir, HirKind, Look};

/// A shorter literal stands in too many ordinary words.
const LEAST_LITERAL: usize = 3;
/// A shorter secret is told from ordinary words by its surroundings alone.
const LEAST_SECRET: usize = 14;
/// How far before its literal a secret may begin.
const FARTHEST_BEFORE: usize = 64;

/// Rules of the catalogue that are not taken over, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    ("private-key", "read in blocks of lines"),
    ("slack-webhook-url", "an address, of which a part is secret"),
    ("temporal-cloud-api-key.1", "a signed token"),
    ("scalr-api-access-token.1", "a signed token"),
    (
        "dropbox-long-lived-api-token",
        "stands in data that has zeros in it",
    ),
    ("freemius-secret-key", "has signs that code has"),
    ("posthog-project-api-key", "public by design"),
    ("devcycle-client-sdk-key", "public by design"),
    ("devcycle-mobile-sdk-key", "public by design"),
];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (catalogue, source) = (arguments.next().unwrap(), arguments.next().unwrap());
    let catalogue: toml::Table = std::fs::read_to_string(catalogue).unwrap().parse().unwrap();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let mut left: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for rule in catalogue["rules"].as_array().unwrap() {
        let id = rule["id"].as_str().unwrap().to_owned();
        let made = if let Some((_, why)) = LEFT_OUT.iter().find(|(name, _)| *name == id) {
            Err(*why)
        } else {
            row(rule)
        };
        match made {
            Ok(row) => drop(rows.insert(id, row)),
            Err(why) => drop(left.entry(why).or_default().insert(id)),
        }
    }
    let names = names(&catalogue);
    for (why, ids) in &left {
        let ids: Vec<_> = ids.iter().map(String::as_str).collect();
        eprintln!("{} left out, {why}: {}", ids.len(), ids.join(", "));
    }
    eprintln!("{} taken over", rows.len());
    print!("{}", written(&rows, &names, &source));
}

/// What services are called by, in the names of all rules.
fn names(catalogue: &toml::Table) -> BTreeSet<String> {
    /// Words that are no service.
    const WORDS: &[&str] = &[
        "generic",
        "private",
        "curl",
        "kubernetes",
        "linear",
        "render",
        "beamer",
        "box",
        "proof",
        "square",
        "spring",
        "segment",
    ];
    const LEAST: usize = 4;
    let rules = catalogue["rules"].as_array().unwrap().iter();
    let names = rules.filter_map(|rule| rule["id"].as_str()?.split('-').next());
    let names = names.filter(|name| name.len() >= LEAST && !WORDS.contains(name));
    names.map(str::to_owned).collect()
}

/// A rule as the table has it.
struct Row {
    anchors: Vec<String>,
    before: usize,
    least: usize,
    pattern: String,
}

fn row(rule: &toml::Value) -> Result<Row, &'static str> {
    let Some(pattern) = rule.get("regex").and_then(toml::Value::as_str) else {
        return Err("a rule about files");
    };
    if rule.get("skipReport").is_some() {
        return Err("no secret");
    }
    let group = rule.get("valueGroup").and_then(toml::Value::as_integer);
    let group = u32::try_from(group.unwrap_or(1)).unwrap();
    let exact = pattern.replace("(?i)", "").replace("(?i:", "(?:");
    let (Some(whole), Some(exact)) = (parsed(pattern), parsed(&exact)) else {
        return Err("not understood");
    };
    let secret = bare(captured(&whole, group).unwrap_or(&whole));
    let exact = bare(captured(&exact, group).unwrap_or(&exact));
    let least = secret.properties().minimum_len().unwrap_or(0);
    if least < LEAST_SECRET {
        return Err("too short by itself");
    }
    let (anchors, before) = prefixes(&exact)
        .map(|anchors| (anchors, 0))
        .or_else(|| inside(&exact))
        .ok_or("told by its surroundings alone")?;
    Ok(Row {
        anchors,
        before,
        least,
        pattern: readable(&secret.to_string()),
    })
}

/// A pattern without what says that its letters are those of ASCII, as all of them are.
fn readable(pattern: &str) -> String {
    let mut readable = pattern.to_owned();
    while let Some(start) = readable.find("(?-u:[") {
        let class = start + "(?-u:".len();
        let end = class + readable[class..].find("])").unwrap() + 1;
        readable = [
            &readable[..start],
            &readable[class..end],
            &readable[end + 1..],
        ]
        .concat();
    }
    readable
}

fn parsed(pattern: &str) -> Option<Hir> {
    let mut parser = ParserBuilder::new().unicode(false).utf8(false).build();
    parser.parse(pattern).ok()
}

/// What a group of a pattern matches.
fn captured(hir: &Hir, group: u32) -> Option<&Hir> {
    match hir.kind() {
        HirKind::Capture(Capture { index, sub, .. }) => {
            if *index == group {
                Some(sub)
            } else {
                captured(sub, group)
            }
        }
        HirKind::Repetition(repetition) => captured(&repetition.sub, group),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => {
            parts.iter().find_map(|part| captured(part, group))
        }
        _ => None,
    }
}

/// A pattern without groups, and without what it asks of its surroundings.
fn bare(hir: &Hir) -> Hir {
    match hir.kind() {
        HirKind::Capture(capture) => bare(&capture.sub),
        HirKind::Look(Look::Start | Look::End | Look::StartLF | Look::EndLF) => Hir::empty(),
        HirKind::Look(Look::WordAscii | Look::WordAsciiNegate) => Hir::empty(),
        HirKind::Concat(parts) => {
            let mut parts: Vec<_> = parts.iter().collect();
            // What ends a token, as this catalogue writes it.
            if parts.last().is_some_and(|last| is_delimiter(last)) {
                parts.pop();
            }
            Hir::concat(parts.into_iter().map(bare).collect())
        }
        HirKind::Alternation(parts) => Hir::alternation(parts.iter().map(bare).collect()),
        HirKind::Repetition(repetition) => Hir::repetition(repetition.with(bare(&repetition.sub))),
        _ => hir.clone(),
    }
}

/// Whether it is `(?:['"]|\s|$)` and the like.
fn is_delimiter(hir: &Hir) -> bool {
    let properties = hir.properties();
    matches!(hir.kind(), HirKind::Alternation(_)) && properties.minimum_len() == Some(0)
}

/// The literals that every secret begins with.
fn prefixes(secret: &Hir) -> Option<Vec<String>> {
    const MOST: usize = 48;
    let mut extractor = Extractor::new();
    extractor
        .kind(ExtractKind::Prefix)
        .limit_class(3)
        .limit_total(MOST);
    let found = extractor.extract(secret);
    let literals = found.literals()?.iter().map(|one| one.as_bytes().to_vec());
    let literals: Option<BTreeSet<String>> =
        literals.map(|it| String::from_utf8(it).ok()).collect();
    let literals = literals?;
    let are_enough = literals.iter().all(|one| one.len() >= LEAST_LITERAL);
    (!literals.is_empty() && are_enough).then(|| literals.into_iter().collect())
}

/// A literal in the middle, and how far before it a secret may begin.
fn inside(secret: &Hir) -> Option<(Vec<String>, usize)> {
    let HirKind::Concat(parts) = secret.kind() else {
        return None;
    };
    let mut before = 0;
    for part in parts {
        if let HirKind::Literal(literal) = part.kind()
            && literal.0.len() >= LEAST_LITERAL
        {
            let literal = String::from_utf8(literal.0.to_vec()).ok()?;
            return (before <= FARTHEST_BEFORE).then(|| (vec![literal], before));
        }
        before += part.properties().maximum_len()?;
    }
    None
}

fn written(rows: &BTreeMap<String, Row>, names: &BTreeSet<String>, source: &str) -> String {
    let mut text = format!(
        "//! The tokens of known services, as the catalogue of Betterleaks has them.
//!
//! Made by `.ci/secret-rules` from {source}; do not edit. The catalogue is Copyright (c) 2026
//! Zachary Rice, and is used under the MIT licence, whose text is in LICENSE-MIT. What it does not have
//! stands in `token_rules`, and so do some of its tokens, which are found there when they are cut off. Of each
//! token: what it is called, the literals that stand in it, how far before its literal it may begin, how long
//! it is at the least, and what it looks like.

use super::secret_rule::{{SecretRule, service}};

/// By the names that the catalogue gives them.
#[rustfmt::skip]
pub(super) const SERVICES: &[SecretRule] = &[
"
    );
    for (id, row) in rows {
        let kind = id.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        let kind = kind.replace('-', " ");
        let Row {
            anchors,
            before,
            least,
            pattern,
        } = row;
        text += &format!(
            "    service({kind:?}, &{anchors:?}, {before}, {least}, r##\"{pattern}\"##),\n"
        );
    }
    text += "];\n\n/// The names of services, sorted.\n#[rustfmt::skip]\n";
    text += "pub(super) const SERVICE_NAMES: &[&str] = &[\n";
    for name in names {
        text += &format!("    {name:?},\n");
    }
    text + "];\n"
}
