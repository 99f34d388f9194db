//! Finding secrets: one scan for the literals of all rules, and a closer look where one stands.
//!
//! It is the only code that runs rules. It keeps three promises: what it gives is sorted, does not
//! overlap and falls between characters; its time grows with the length of the text, whatever the
//! text is (no rule looks further than a bounded way past what it takes); and it looks at a text
//! alone, so that the same text always has the same secrets.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use regex::Regex;

use super::literal_memory::{LiteralMatch, ShareScans, scan_again};
use super::named_rules::NAMED;
use super::seam::{interruptions, is_cut};
use super::secret_name::SecretName;
use super::secret_rule::{AnchorBoundary, SecretRule, SecretShape, TokenAlphabet, ValueStrictness};
use super::secret_value::ValuePlace;
use super::service_rules::SERVICES;
use super::token_rules::EXACT;
use super::{assignment, entropy, key_block, secret_manifest, secret_value, stand_in};

/// How many characters of a token must be there where a text is cut off.
const LEAST_OF_CUT: usize = 4;
/// How far behind a literal a pattern may look that begins before it.
const FARTHEST: usize = 400;
/// How long a secret must be to be looked for where nothing calls it one.
const LEAST_REPEATED: usize = 8;
/// How many secrets of a text are looked for where nothing calls them one.
const MOST_REPEATED: usize = 32;
/// How much of the lines on both sides of a fence is put together.
const FARTHEST_ACROSS: usize = 2_000;

/// The end of a text that is cut off, in a pattern: the end, a fence or dots.
const CUT: &str = r"(?:\z|\s*\z|[ \t]*(?:\r?\n)+[ \t]*(?:```|~~~)|[ \t]*\.\.\.)";

/// A stretch of a text that is secret, and what kind of secret it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SecretMatch {
    pub(super) kind: &'static str,
    pub(super) range: Range<usize>,
}

/// All rules, ready to run.
pub(super) struct SecretFinder {
    /// One scan for the literals of all rules, in capitals or not.
    literals: AhoCorasick,
    /// Of every literal, its rule.
    anchors: Vec<RuleAnchor>,
    table: Vec<&'static SecretRule>,
    /// Of every rule, its pattern once it is needed: there are hundreds, and a text needs few.
    patterns: Vec<OnceLock<CompiledPattern>>,
}

/// The rule that a literal belongs to.
struct RuleAnchor {
    rule: usize,
    /// The literal itself, where capitals matter.
    exact: Option<&'static str>,
}

/// A pattern that is ready to run.
enum CompiledPattern {
    Text(Regex),
    /// Of bytes: what others write of tokens has classes that a text knows nothing of.
    Bytes(regex::bytes::Regex),
    None,
}

impl SecretFinder {
    pub(super) fn new() -> Self {
        let exact = EXACT
            .iter()
            .chain(SERVICES)
            .map(|rule| (rule, AnchorCase::Matters));
        let named = NAMED.iter().map(|rule| (rule, AnchorCase::Ignored));
        let mut table = Vec::new();
        let mut literals: Vec<Cow<'static, str>> = Vec::new();
        let mut anchors = Vec::new();
        for (index, (rule, capitals)) in exact.chain(named).enumerate() {
            table.push(rule);
            for literal in rule.anchors {
                let exact = (capitals == AnchorCase::Matters).then_some(*literal);
                literals.push((*literal).into());
                anchors.push(RuleAnchor { rule: index, exact });
                // Capital letters of other languages are other letters to a scan for bytes.
                if exact.is_none() && !literal.is_ascii() {
                    literals.push(literal.to_uppercase().into());
                    anchors.push(RuleAnchor { rule: index, exact });
                    // As a line begins.
                    let mut chars = literal.chars();
                    let first = chars.next().into_iter().flat_map(char::to_uppercase);
                    literals.push(first.chain(chars).collect::<String>().into());
                    anchors.push(RuleAnchor { rule: index, exact });
                }
            }
        }
        let literals = AhoCorasick::builder()
            .match_kind(MatchKind::Standard)
            .ascii_case_insensitive(true)
            .kind(Some(AhoCorasickKind::DFA))
            .build(literals.iter().map(|literal| literal.as_bytes()))
            .expect("the table is small");
        SecretFinder {
            literals,
            anchors,
            patterns: table.iter().map(|_| OnceLock::new()).collect(),
            table,
        }
    }

    /// The secrets of a text, and wherever else in it they stand.
    pub(super) fn find(&self, text: &str) -> Vec<SecretMatch> {
        let mut found = Vec::new();
        self.run(text, &mut found);
        self.find_with(text, found)
    }

    /// The same, of a text that is like one of the last.
    pub(super) fn find_again(&self, text: &str, memory: &dyn ShareScans) -> Vec<SecretMatch> {
        let Some(scanned) = scan_again(text, memory, &self.literals) else {
            return self.find(text);
        };
        let mut found = Vec::new();
        self.run_rules(text, scanned.literals.iter().copied(), &mut found);
        self.find_with(text, found)
    }

    /// The secrets of a text, with those that its rules have found.
    fn find_with(&self, text: &str, found: Vec<SecretMatch>) -> Vec<SecretMatch> {
        let mut found = self.with_random(text, found);
        if let Some(text) = without_signs(text) {
            found.extend(self.scan(&text));
        }
        found.extend(interruptions(text).flat_map(|gap| self.across(text, gap)));
        let mut found = merged(found);
        let repeated = repeated(text, &found);
        if !repeated.is_empty() {
            found.extend(repeated);
            found = merged(found);
        }
        found
    }

    fn scan(&self, text: &str) -> Vec<SecretMatch> {
        let mut found = Vec::new();
        self.run(text, &mut found);
        self.with_random(text, found)
    }

    /// What the rules have found, and what nothing but its look calls a secret.
    fn with_random(&self, text: &str, mut found: Vec<SecretMatch>) -> Vec<SecretMatch> {
        let mut random = Vec::new();
        for range in entropy::runs(text) {
            if entropy::is_secret(text, &range) {
                random.push(SecretMatch {
                    kind: "random string",
                    range,
                });
            } else if entropy::decoded(text, &range).is_some_and(|inside| self.has_secret(&inside))
            {
                found.push(SecretMatch {
                    kind: "encoded",
                    range,
                });
            }
        }
        if random.len() <= entropy::MOST_OF_TEXT {
            found.append(&mut random);
        }
        found
    }

    /// Whether what something stands for has a secret in it.
    fn has_secret(&self, text: &str) -> bool {
        let mut found = Vec::new();
        self.run(text, &mut found);
        !found.is_empty()
    }

    /// Secrets with a fence in the middle: what is found when the line before it and the line behind
    /// it are put together. They are taken with the fence.
    fn across(&self, text: &str, gap: Range<usize>) -> Vec<SecretMatch> {
        let start = floor(text, gap.start.saturating_sub(FARTHEST_ACROSS));
        let end = floor(text, gap.end.saturating_add(FARTHEST_ACROSS));
        let before = text.get(start..gap.start).unwrap_or_default();
        let before = before.rsplit('\n').next().unwrap_or_default();
        let behind = text.get(gap.end..end).unwrap_or_default();
        let behind = behind.split('\n').next().unwrap_or_default();
        let joined = [before, behind].concat();
        let seam = before.len();
        // A whole secret at the end of a block is followed by words of the next one.
        let goes_on = |one: &SecretMatch| {
            let more = joined.get(seam..one.range.end).unwrap_or_default();
            let has_digit = more.bytes().any(|byte| byte.is_ascii_digit());
            has_digit || !secret_value::is_name(more) || more.contains(' ')
        };
        let found = self.scan(&joined).into_iter();
        let found = found.filter(|one| one.range.start < seam && seam < one.range.end);
        let found = found.filter(goes_on).map(|one| SecretMatch {
            kind: one.kind,
            range: gap.start - seam + one.range.start..gap.end - seam + one.range.end,
        });
        found.collect()
    }

    /// Adds what the rules find. Gives how many bytes of values it looked at, which may
    /// lie in each other.
    fn run(&self, text: &str, found: &mut Vec<SecretMatch>) -> usize {
        let literals = self.literals.find_overlapping_iter(text);
        let literals = literals.map(|literal| LiteralMatch::at(&literal, 0));
        self.run_rules(text, literals, found)
    }

    /// The same, given where literals stand.
    fn run_rules(
        &self,
        text: &str,
        literals: impl Iterator<Item = LiteralMatch>,
        found: &mut Vec<SecretMatch>,
    ) -> usize {
        // A rule that has taken or refused a stretch is not asked again inside of it.
        let mut taken = vec![0; self.table.len()];
        let mut looked_at = 0;
        for LiteralMatch { number, start, end } in literals {
            let anchor = &self.anchors[number];
            let index = anchor.rule;
            let rule = self.table[index];
            let span = start..end;
            let is_exact = |exact: &str| text.get(span.clone()) == Some(exact);
            if span.start < taken[index]
                || !anchor.exact.is_none_or(is_exact)
                || !fits_before(rule.before, text, span.start)
            {
                continue;
            }
            let mut take = |range: Range<usize>| {
                if !range.is_empty() {
                    taken[index] = range.end;
                    let kind = rule.kind;
                    found.push(SecretMatch { kind, range });
                }
            };
            if let SecretShape::Assignment(strictness) = rule.shape {
                let reading = assignment::read(text, &span, strictness);
                reading.secrets.into_iter().for_each(take);
                taken[index] = taken[index].max(reading.refused_up_to);
                looked_at += reading.looked_at;
            } else if matches!(rule.shape, SecretShape::Manifest) {
                let (values, end) = secret_manifest::values(text, &span);
                values.into_iter().for_each(take);
                // A document is read once, however often it says what it is.
                taken[index] = end;
            } else {
                closer(rule, &self.patterns[index], text, span, &mut take);
            }
        }
        looked_at
    }
}

/// A diff of the same length, with blanks for the signs that its lines begin with.
fn without_signs(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let starts = || std::iter::once(0).chain(memchr::memchr_iter(b'\n', bytes).map(|at| at + 1));
    let is_sign = |at: &usize| matches!(bytes.get(*at), Some(b'+' | b'-'));
    let first = starts().find(is_sign)?;
    // Most lines of a diff begin with a sign or a blank; those before the first sign do not count.
    let (mut lines, mut fitting) = (0, 0);
    for at in starts().skip_while(|at| *at < first) {
        let is_blank = matches!(bytes.get(at), None | Some(b'\n' | b'\r'));
        lines += usize::from(!is_blank);
        fitting += usize::from(matches!(
            bytes.get(at),
            Some(b'+' | b'-' | b' ' | b'@' | b'`')
        ));
    }
    if fitting * 10 < lines * 8 {
        return None;
    }
    let mut masked = bytes.to_vec();
    starts().filter(is_sign).for_each(|at| masked[at] = b' ');
    String::from_utf8(masked).ok()
}

/// A closer look at a place where a literal of a rule stands.
fn closer(
    rule: &SecretRule,
    pattern: &OnceLock<CompiledPattern>,
    text: &str,
    span: Range<usize>,
    mut take: impl FnMut(Range<usize>),
) {
    let compiled = || pattern.get_or_init(|| compiled(rule));
    match rule.shape {
        SecretShape::Service { before, least, .. } => {
            let start = span.start.saturating_sub(before);
            let bytes = text.as_bytes().get(start..).unwrap_or_default();
            if joined(bytes, least) < least {
                cut_token(text, span).map(take);
            } else if let CompiledPattern::Bytes(pattern) = compiled() {
                service_token(pattern, text, start, span).map(take);
            }
        }
        SecretShape::Token(body, least) => {
            let is_word = |range: &Range<usize>| {
                rule.before == AnchorBoundary::WordStart && is_words(text, &span, range.end)
            };
            token(text, span.clone(), body, least)
                .filter(|range| !is_word(range))
                .map(take);
        }
        SecretShape::WebToken => {
            web_token(text, span).map(take);
        }
        SecretShape::BlockStart => {
            key_block::from_start(text, span).map(take);
        }
        SecretShape::BlockEnd => {
            key_block::up_to_end(text, span).map(take);
        }
        SecretShape::Address => {
            address(text, span.end).map(take);
        }
        // Read where the rules are run.
        SecretShape::Assignment(_) | SecretShape::Manifest => {}
        SecretShape::Pattern(_) => {
            let rest = text.get(span.start..).unwrap_or_default();
            let CompiledPattern::Text(pattern) = compiled() else {
                return;
            };
            // Most literals are no secret, and asking only whether one is costs much less.
            let pattern = Some(pattern).filter(|pattern| pattern.is_match(rest));
            let Some(groups) = pattern.and_then(|pattern| pattern.captures(rest)) else {
                return;
            };
            let whole = groups.get(0).filter(|_| groups.len() == 1);
            for part in groups.iter().skip(1).flatten().chain(whole) {
                let secret = without_cut(rule, part.as_str());
                if is_believed(rule, secret, rest) {
                    let start = span.start + part.start();
                    take(start..start + secret.len());
                }
            }
        }
        SecretShape::Around(_, behind) => {
            let start = floor(text, span.start.saturating_sub(behind));
            let end = floor(text, span.end.saturating_add(FARTHEST).min(text.len()));
            let around = text.get(start..end).unwrap_or_default();
            let CompiledPattern::Text(pattern) = compiled() else {
                return;
            };
            let part = pattern.find(around);
            let part = part.map(|part| {
                let start = start + part.start();
                start..start + without_cut(rule, part.as_str()).len()
            });
            part.filter(|part| part.contains(&span.start)).map(take);
        }
    };
}

/// Where else the secrets of a text stand in it, with nothing around that tells.
fn repeated(text: &str, found: &[SecretMatch]) -> Vec<SecretMatch> {
    let mut secrets: Vec<_> = found
        .iter()
        .filter_map(|one| Some((one.kind, text.get(one.range.clone())?)))
        .filter(|(_, secret)| is_worth_repeating(secret))
        .collect();
    secrets.sort_unstable_by_key(|(_, secret)| *secret);
    secrets.dedup_by_key(|(_, secret)| *secret);
    secrets.truncate(MOST_REPEATED);
    secrets.retain(|(_, secret)| !is_used_as_name(text, secret));
    let places = |(kind, secret): (&'static str, &str)| {
        let place = move |(start, secret): (usize, &str)| SecretMatch {
            kind,
            range: start..start + secret.len(),
        };
        text.match_indices(secret).map(place).collect::<Vec<_>>()
    };
    match secrets.len() {
        0 => Vec::new(),
        _ => secrets.into_iter().flat_map(places).collect(),
    }
}

/// Whether a secret is odd enough to be the same secret wherever it stands.
pub(super) fn is_worth_repeating(secret: &str) -> bool {
    secret.len() >= LEAST_REPEATED && secret.bytes().any(|byte| byte.is_ascii_digit())
}

/// Whether a text has it as a name as well: without quotes, and with signs of code around it.
pub(super) fn is_used_as_name(text: &str, secret: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if !secret.chars().all(|c| is_word(c) || c == '.')
        || secret.starts_with(|c: char| c.is_ascii_digit())
    {
        return false;
    }
    let is_quote = |c: char| matches!(c, '"' | '\'' | '`' | '\\');
    let mut places = text.match_indices(secret).take(MOST_REPEATED);
    places.any(|(start, _)| {
        let before = text.get(..start).and_then(|it| it.chars().next_back());
        let behind = text
            .get(start + secret.len()..)
            .and_then(|it| it.chars().next());
        let is_whole = !before.is_some_and(is_word) && !behind.is_some_and(is_word);
        let is_bare = !before.is_some_and(is_quote) && !behind.is_some_and(is_quote);
        let is_code = before.is_some_and(|c| "(.[!&*{, ".contains(c))
            && behind.is_some_and(|c| "()[].,:;=! {}+".contains(c));
        is_whole && is_bare && is_code
    })
}

#[derive(Clone, Copy, PartialEq)]
enum AnchorCase {
    Matters,
    Ignored,
}

/// The pattern of a rule, which a test has seen to compile.
fn compiled(rule: &SecretRule) -> CompiledPattern {
    match rule.shape {
        SecretShape::Pattern(pattern) | SecretShape::Around(pattern, _) => {
            CompiledPattern::Text(ascii(&pattern.replace("<cut>", CUT)))
        }
        SecretShape::Service {
            before, pattern, ..
        } => {
            let anchor = if before == 0 { "^" } else { "" };
            let pattern = regex::bytes::RegexBuilder::new(&format!("{anchor}(?:{pattern})"))
                .unicode(false)
                .build();
            CompiledPattern::Bytes(pattern.expect("the patterns of the table compile"))
        }
        _ => CompiledPattern::None,
    }
}

/// How many bytes of a token stand here in a row, as far as that matters.
fn joined(bytes: &[u8], least: usize) -> usize {
    let bytes = bytes.iter().take(least);
    bytes
        .take_while(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`'))
        .count()
}

/// A token of a known service, with its literal at `span`, and all that is joined to it.
fn service_token(
    pattern: &regex::bytes::Regex,
    text: &str,
    start: usize,
    span: Range<usize>,
) -> Option<Range<usize>> {
    /// How far a token is looked for where it may begin before its literal.
    const LONGEST: usize = 1_000;
    let bytes = text.as_bytes();
    let end = span.end.saturating_add(LONGEST).min(bytes.len());
    let found = pattern.find(&bytes[start..end])?;
    let range = start + found.start()..start + found.end();
    let goes_on = run(text, range.end, TokenAlphabet::Dashed).len();
    let padding = run(text, range.end + goes_on, TokenAlphabet::Padded);
    let padding = padding.iter().take_while(|byte| **byte == b'=').count();
    let range = range.start..floor(text, range.end + goes_on + padding);
    let is_token = range.start <= span.start && span.end <= range.end;
    (is_token && !is_words(text, &span, range.end)).then_some(range)
}

/// Whether what follows a literal is words of a name that begins with it. A long literal is believed more.
fn is_words(text: &str, span: &Range<usize>, end: usize) -> bool {
    const TELLING: usize = 5;
    let body = text.get(span.end..end).unwrap_or_default();
    let has_digit = body.bytes().any(|byte| byte.is_ascii_digit());
    let has_small = body.bytes().any(|byte| byte.is_ascii_lowercase());
    has_small && secret_value::is_name(body) && (span.len() < TELLING || !has_digit)
}

/// A pattern in which letters, digits and spaces are those of ASCII.
pub(super) fn ascii(pattern: &str) -> Regex {
    // Classes that say what is not in them must stay those of characters, or a match could end
    // inside of one.
    let pattern = pattern
        .replace(r"\s", r"[\x20\t\r\n]")
        .replace(r"\d", "[0-9]")
        .replace("(?i)", "(?i-u)");
    Regex::new(&pattern).expect("the patterns of the table compile")
}

fn fits_before(before: AnchorBoundary, text: &str, start: usize) -> bool {
    let bytes = text.as_bytes();
    let Some(last) = start.checked_sub(1) else {
        return true;
    };
    let byte = bytes[last];
    // In `"\nAKIA…"` the `n` belongs to a line end.
    let is_escape = matches!(byte, b'n' | b'r' | b't') && last > 0 && bytes[last - 1] == b'\\';
    match before {
        AnchorBoundary::Anything => true,
        AnchorBoundary::WordStart => is_escape || !(byte.is_ascii_alphanumeric() || byte == b'_'),
        AnchorBoundary::TokenStart => is_escape || !TokenAlphabet::Dotted.has(byte),
    }
}

/// The match of a pattern, without the end that is cut off.
fn without_cut<'t>(rule: &SecretRule, part: &'t str) -> &'t str {
    let (SecretShape::Pattern(pattern) | SecretShape::Around(pattern, _)) = rule.shape else {
        return part;
    };
    if !pattern.contains("<cut>") {
        return part;
    }
    let line = part.split(['\r', '\n']).next().unwrap_or_default();
    let line = line.strip_suffix("...").unwrap_or(line);
    line.trim_end_matches([' ', '\t'])
}

/// Patterns that match words as well are asked again.
fn is_believed(rule: &SecretRule, part: &str, rest: &str) -> bool {
    match rule.kind {
        "authorization" => secret_value::is_authorization(part, rest),
        "command line" | "login pair" => secret_value::is_given(
            part,
            &SecretName::PASSWORD,
            ValueStrictness::Password,
            ValuePlace::Given,
        ),
        // Roles and names stand in maps of users as well.
        "password of a map" => {
            let has_digit = part.bytes().any(|byte| byte.is_ascii_digit());
            let is_odd = part.contains(['!', '$', '^', '~', '#', '%', '+', '=', '?', '*']);
            (has_digit || is_odd)
                && !part.contains(['@', '/', ' '])
                && secret_value::is_given(
                    part,
                    &SecretName::PASSWORD,
                    ValueStrictness::Password,
                    ValuePlace::Beside,
                )
        }
        "password alone" => {
            let is_plain = part.chars().all(char::is_alphabetic) || part.contains(['/', ':']);
            !is_plain
                && secret_value::is_given(
                    part,
                    &SecretName::PASSWORD,
                    ValueStrictness::Password,
                    ValuePlace::Given,
                )
        }
        "login" => !stand_in::is_placeholder(part) && part.bytes().any(|b| !b.is_ascii_digit()),
        "SQL password" => {
            !stand_in::is_placeholder(part) && rest.starts_with(|c: char| c.is_ascii_uppercase())
        }
        "login of a driver" => {
            let is_host = part.contains(['@', ':', '/', '=']) || part.matches('.').count() > 1;
            !is_host
                && secret_value::is_given(
                    part,
                    &SecretName::PASSWORD,
                    ValueStrictness::Password,
                    ValuePlace::Given,
                )
        }
        "address of a hook" => {
            let last = part.rsplit('/').next().unwrap_or_default();
            !secret_value::is_name(last) && last.bytes().any(|byte| byte.is_ascii_digit())
        }
        "Mollie key" | "Flagsmith key" | "old Vault token" => !secret_value::is_name(part),
        "cookie" => secret_value::is_secret(part, ValueStrictness::Random, ValuePlace::Literal),
        "signing key" => secret_value::is_given(
            part,
            &SecretName::PASSWORD,
            ValueStrictness::Password,
            ValuePlace::Given,
        ),
        "registry login" => secret_value::is_name_and_password(part),
        _ => true,
    }
}

/// The beginning of a token of a known service, where the text is cut off.
fn cut_token(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    let body = run(text, span.end, TokenAlphabet::Dashed);
    let end = span.end + body.len();
    // Nothing but a sign says that a short literal is one of a service.
    let is_telling = text.get(span.clone())?.len() > 3;
    let looks_random = !text.get(span.end..end).is_none_or(secret_value::is_name);
    let is_piece = is_telling && looks_random && body.len() >= LEAST_OF_CUT;
    (is_piece && is_cut(text, end)).then_some(span.start..end)
}

/// A literal and the characters that follow it.
fn token(
    text: &str,
    span: Range<usize>,
    body: TokenAlphabet,
    least: usize,
) -> Option<Range<usize>> {
    let rest = run(text, span.end, body);
    let end = span.end + rest.len();
    let is_cut_off = || {
        let looks_random = rest.iter().any(|byte| !byte.is_ascii_lowercase());
        rest.len() >= LEAST_OF_CUT && looks_random && is_cut(text, end)
    };
    (rest.len() >= least || is_cut_off()).then_some(span.start..end)
}

/// The characters of an alphabet from here on.
fn run(text: &str, start: usize, alphabet: TokenAlphabet) -> &[u8] {
    let rest = text.as_bytes().get(start..).unwrap_or_default();
    let end = rest.iter().position(|byte| !alphabet.has(*byte));
    &rest[..end.unwrap_or(rest.len())]
}

/// A token of parts between dots, the first of which is an object in base64.
fn web_token(text: &str, span: Range<usize>) -> Option<Range<usize>> {
    const LEAST_OF_PART: usize = 8;
    let end = span.end + run(text, span.end, TokenAlphabet::Dotted).len();
    let body = text.get(span.start..end)?.trim_end_matches('.');
    let parts = body.split('.');
    let is_whole = parts
        .take(2)
        .filter(|part| part.len() >= LEAST_OF_PART)
        .count()
        == 2;
    let is_cut_off = body.len() >= LEAST_OF_PART && is_cut(text, end);
    (is_whole || is_cut_off).then(|| span.start..span.start + body.len())
}

/// The password of an address, behind its `://`.
fn address(text: &str, start: usize) -> Option<Range<usize>> {
    let is_outside = |c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '`' | '<' | '>');
    let ends = |c: char| is_outside(c) || matches!(c, '/' | '?' | '#' | '\\');
    let rest = text.get(start..)?;
    let colon = rest.find(|c: char| ends(c) || matches!(c, ':' | '@'))?;
    let behind = rest.get(colon..)?.strip_prefix(':')?;
    let password_start = start + colon + 1;
    let authority_end = behind.find(ends).unwrap_or(behind.len());
    let authority = behind.get(..authority_end)?;
    let at = authority.rfind('@');
    if let Some(at) = odd_password(behind, authority).or(at) {
        let password = behind.get(..at)?;
        let range = password_start..password_start + at;
        return (!password.is_empty() && !stand_in::is_placeholder(password)).then_some(range);
    }
    // Cut off; but a number is a port.
    let is_port = authority.bytes().all(|byte| byte.is_ascii_digit());
    let is_host = colon == 0 && secret_value::is_name(authority);
    if is_port || is_host || stand_in::is_placeholder(authority) {
        return None;
    }
    let end = password_start + authority_end;
    (authority.len() >= LEAST_OF_CUT && is_cut(text, end)).then_some(password_start..end)
}

/// How long a password is that has signs in it which should end it, as in `p@ss#w0rd@host`. `behind` is
/// what follows the colon, and `authority` how far that would go.
fn odd_password(behind: &str, authority: &str) -> Option<usize> {
    const LONGEST: usize = 100;
    let is_port = authority.bytes().all(|byte| byte.is_ascii_digit());
    let rest = behind.get(..floor(behind, LONGEST))?;
    let ends = |c: char| c.is_whitespace() || "\"'`<>/\\".contains(c);
    let all = rest.get(..rest.find(ends).unwrap_or(rest.len()))?;
    let at = all.rfind('@')?;
    let is_host = |host: &str| {
        let is_inside = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':');
        !host.is_empty() && host.chars().all(is_inside)
    };
    let goes_on = at > authority.len() && !is_port;
    (goes_on && is_host(all.get(at + 1..)?)).then_some(at)
}

/// The nearest character boundary at or before an offset.
pub(super) fn floor(text: &str, at: usize) -> usize {
    let mut boundaries = (0..=at.min(text.len())).rev();
    boundaries
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or_default()
}

/// Sorted, and what overlaps made one.
pub(super) fn merged(mut found: Vec<SecretMatch>) -> Vec<SecretMatch> {
    found.sort_by_key(|one| (one.range.start, one.range.end));
    let mut merged: Vec<SecretMatch> = Vec::with_capacity(found.len());
    for one in found {
        match merged.last_mut() {
            Some(last) if one.range.start < last.range.end => {
                last.range.end = last.range.end.max(one.range.end);
            }
            _ => merged.push(one),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use foretell_testkit::hostile_pieces::HOSTILE_PIECES;

    use super::*;

    /// How many bytes of values may be looked at for each byte of a text.
    const MOST: f64 = 12.0;

    /// How many bytes of values are looked at for each byte of a text that is made of one piece.
    fn looked_at(finder: &SecretFinder, piece: &str, length: usize) -> f64 {
        let text = piece.repeat(length / piece.len());
        let count = finder.run(&text, &mut Vec::new());
        count as f64 / text.len() as f64
    }

    /// `password=` 2,000 times once took 1.6 seconds: every value was followed to its end, through all
    /// the others.
    #[test]
    fn values_that_lie_in_each_other_are_looked_at_a_few_times() {
        let finder = SecretFinder::new();
        for piece in [
            "password=",
            "password=a1,",
            "pwd=",
            "token:",
            "token:a1/",
            "token=your",
            "secret=>",
            "secret=",
            "api_key=",
            "password=\"",
            "pass=\"a ",
            "password: ",
            "passwd:\n",
            "pwd=pwd=pwd=pwd=pwd=pwd=pwd=pwd=pwd=pwd=pwd=pwd=,",
            "password=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
            "password=\naB3aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3aB3\n",
        ] {
            let short = looked_at(&finder, piece, 2_000);
            let long = looked_at(&finder, piece, 64_000);
            assert!(short < MOST && long < MOST, "{piece:?}: {short}, {long}");
        }
    }

    /// All the work is counted in instructions by the benchmark of that name.
    #[test]
    fn a_long_text_takes_no_longer_than_its_length() {
        let finder = SecretFinder::new();
        for piece in HOSTILE_PIECES {
            let long = looked_at(&finder, piece, 64_000);
            assert!(long < MOST, "{piece:?}: {long}");
        }
    }

    #[test]
    fn every_pattern_of_the_tables_compiles() {
        for rule in EXACT.iter().chain(NAMED).chain(SERVICES) {
            let is_pattern = !matches!(compiled(rule), CompiledPattern::None);
            let is_service = matches!(rule.shape, SecretShape::Service { .. });
            assert!(is_pattern || !is_service, "{}", rule.kind);
            // Letters of all scripts are known only where somebody else asks for them in the same build.
            if let SecretShape::Pattern(pattern) | SecretShape::Around(pattern, _) = rule.shape {
                let bare = pattern.replace("(?-u:\\b)", "").replace("(?i-u:", "");
                let is_plain =
                    !bare.contains("\\b") && !bare.contains("\\w") && !bare.contains("(?i:");
                // So are letters of all scripts in capitals or not.
                let is_plain = is_plain && !(bare.contains("(?i)") && bare.contains("(?u:"));
                assert!(is_plain, "{}: {pattern}", rule.kind);
            }
        }
        assert!(SERVICES.len() > 200, "{}", SERVICES.len());
    }

    #[test]
    fn a_long_value_is_taken_whole() {
        let finder = SecretFinder::new();
        let value = "a1B2c3D4e5".repeat(200);
        for text in [
            format!("ACCESS_TOKEN={value}"),
            format!("refused: access_token={value};"),
        ] {
            let found = finder.find(&text);
            let start = text.find(&value).unwrap();
            let expected = SecretMatch {
                kind: "token",
                range: start..start + value.len(),
            };
            assert_eq!(found, [expected], "{text}");
        }
    }

    #[test]
    fn a_password_in_an_address_may_have_signs_in_it() {
        let finder = SecretFinder::new();
        let password = |text: &str| {
            let found = finder.find(text).into_iter().next();
            found.map(|one| text.get(one.range).unwrap_or_default().to_owned())
        };
        let odd = password("postgres://app:p@ss#w0rd@db:5432/x");
        assert_eq!(odd.as_deref(), Some("p@ss#w0rd"));
        let plain = password("see https://me:pa55word@host#part and me@host");
        assert_eq!(plain.as_deref(), Some("pa55word"));
        assert_eq!(password("https://localhost:8080#a@b"), None);
        assert_eq!(password("https://host:8080?mail=me@host"), None);
    }
}
