//! The lines with a secret: a form, a name, and a value that can stand there.

use super::forms::{SecretForm, ValueQuoting};
use super::kinds::{ITS_OWN, KindSource};
use super::random::SeededRandom;
use super::scene::{self, SecretSnippet};
use super::secret_shape::{self, BEGIN, END};
use super::tables::SecretTables;
use super::{reserve, stand_ins};

/// The lines with the secret, and what their form is called.
pub(super) fn snippet(
    source: KindSource,
    tables: &SecretTables,
    random: &mut SeededRandom,
) -> (SecretSnippet, String) {
    match source {
        KindSource::ByForm(name, shape) => {
            let value = secret_shape::value(shape, random);
            let is_word = !value.contains([' ', ';', '&', '$', '|']);
            let says_secret = ["KEY", "TOKEN", "SECRET", "PASSWORD", "PAT"]
                .iter()
                .any(|word| name.contains(word));
            let table = if random.in_hundred(75) {
                tables.assignments
            } else {
                tables.neutral
            };
            let form = pick(table, random, |form| {
                (is_word || matches!(form.quoting, ValueQuoting::Backslash))
                    && (says_secret || !form.template.contains("$head"))
            });
            written(form, &words(name), &value)
        }
        KindSource::ByName(name, shape) => {
            let value = secret_shape::value(shape, random);
            let is_word = value
                .chars()
                .all(|c| c.is_alphanumeric() || "-_+/=:.".contains(c) || [BEGIN, END].contains(&c));
            let form = pick(tables.assignments, random, |form| {
                is_word || matches!(form.quoting, ValueQuoting::Backslash)
            });
            written(form, &words(name), &value)
        }
        KindSource::Chosen(name) => {
            // Shells, and what is handed to them, have no other letters in a name, and PWD is a directory.
            let is_plain = name.is_ascii() && name != "pwd";
            let form = pick(tables.assignments, random, |form| {
                is_plain
                    || !form.template.contains("$SCREAM")
                        && form.language != "shell"
                        && reserve::takes_any_letter(form.language)
            });
            let value = chosen(form, tables, random);
            written(form, name, &value)
        }
        KindSource::Made(name) => {
            let form = pick(tables.assignments, random, |_| true);
            let value = made_by_machine(random);
            written(form, name, &value)
        }
        KindSource::Carrier(form) => {
            let is_for_machines = [
                "bearer",
                "token",
                "header",
                "cookie",
                "jwt",
                "wireguard",
                "hmac",
                "query",
            ]
            .iter()
            .any(|word| form.label.contains(word));
            let value = match (is_for_machines, form.label) {
                (_, "wireguard") => secret_shape::value("[b]{43}=", random),
                (true, _) => made_by_machine(random),
                (false, _) => chosen(form, tables, random),
            };
            written(form, "", &value)
        }
        KindSource::Unnamed(shape) => {
            let form = pick(tables.neutral, random, |form| {
                !shape.contains("!@#") || matches!(form.quoting, ValueQuoting::Backslash)
            });
            written(form, "", &secret_shape::value(shape, random))
        }
        KindSource::Whole(language, make) => {
            let text = make(random);
            (SecretSnippet::fixed(language, text), ITS_OWN.to_owned())
        }
        KindSource::StandIn(language, text) => {
            let text = stand_ins::filled(text, random);
            (SecretSnippet::fixed(language, text), ITS_OWN.to_owned())
        }
    }
}

/// One of a table's forms that a value can stand in.
fn pick<'f>(
    table: &'f [SecretForm],
    random: &mut SeededRandom,
    fits: impl Fn(&SecretForm) -> bool,
) -> &'f SecretForm {
    loop {
        let form = random.one_of(table);
        if fits(form) {
            return form;
        }
    }
}

/// A form with its name and value filled in.
fn written(form: &SecretForm, name: &str, value: &str) -> (SecretSnippet, String) {
    let escaped = scene::escaped(value, form.quoting, form.quote());
    let (head, tail) = scene::halves(&escaped);
    let text = scene::named(form.template, name)
        .replace("$value", &escaped)
        .replace("$head", &head)
        .replace("$tail", &tail)
        + "\n";
    let snippet = SecretSnippet {
        language: form.language,
        text,
        quoting: Some(form.quoting),
    };
    (snippet, format!("{}: {}", form.language, form.label))
}

/// A password that a person chose, as far as it can stand there.
fn chosen(form: &SecretForm, tables: &SecretTables, random: &mut SeededRandom) -> String {
    let quoting = form.quoting;
    let has_blanks = matches!(
        quoting,
        ValueQuoting::Backslash | ValueQuoting::Doubled | ValueQuoting::Line | ValueQuoting::Markup
    );
    let text = match (quoting, random.below(100)) {
        (ValueQuoting::Sentence, _) | (_, 0..25) => {
            let count = random.between(12, 24);
            let body = random.letters(
                "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789",
                count,
            );
            // A digit in it, so that a person would take it for no word.
            format!("{body}7x")
        }
        (_, 25..32) if has_blanks => (*random.one_of(tables.phrases)).to_owned(),
        (_, 32..37) if form.can_have_quotes() => {
            let word = random.one_of(tables.chosen);
            format!("{word}'{}\"{word}", random.below(90))
        }
        _ => loop {
            let word = random.one_of(tables.chosen);
            if matches!(quoting, ValueQuoting::Word) && word.contains(['&', '@', '!']) {
                continue;
            }
            break (*word).to_owned();
        },
    };
    format!("{BEGIN}{text}{END}")
}

/// A password that a machine made.
fn made_by_machine(random: &mut SeededRandom) -> String {
    let shape = random.one_of(&[
        "[w]{24}",
        "[w]{32}",
        "[w]{40}",
        "[s]{43}",
        "[x]{32}",
        "[x]{40}",
        "[x]{64}",
        "<uuid>",
        "[L]{30}",
        "[w]{20}",
        "acme_[w]{32}",
        "[U]{28}",
    ]);
    secret_shape::value(shape, random)
}

/// The words of a variable.
fn words(variable: &str) -> String {
    variable.to_lowercase().replace('_', " ")
}
