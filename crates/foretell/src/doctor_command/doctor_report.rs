//! The findings, for people and for machines.
//!
//! For people it fits into 80 columns: a word on how it is, what it is about, and the rest beside
//! that, broken between words. Nothing that was read from elsewhere reaches the terminal as an order.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use serde_json::{Map, Value, json};

use crate::failure::visible;

/// How many columns there are.
const COLUMNS: usize = 80;
/// How many of them say how it is.
const VERDICT: usize = 5;
/// How many of them say what it is about.
const ABOUT: usize = 9;

/// All that was found.
pub(super) struct DoctorReport {
    pub(super) settings: Vec<DoctorFinding>,
    pub(super) lanes: Vec<DoctorFinding>,
    pub(super) index: Vec<DoctorFinding>,
    pub(super) usage: Vec<DoctorFinding>,
    pub(super) places: Vec<DoctorFinding>,
}

/// One thing that was looked at.
pub(super) struct DoctorFinding {
    pub(super) verdict: FindingVerdict,
    pub(super) about: String,
    pub(super) says: String,
    /// A hint, unless the words of the finding have one.
    pub(super) next: Option<String>,
    /// Details for machines.
    pub(super) data: Map<String, Value>,
}

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FindingVerdict {
    /// As it should be.
    Well,
    /// Not there or not used, as the person has it.
    Off,
    /// Neither good nor bad: where something is.
    Plain,
    /// Worth knowing.
    Note,
    /// Not as it should be.
    Wrong,
}

impl FindingVerdict {
    fn word(self) -> &'static str {
        match self {
            FindingVerdict::Well => "ok",
            FindingVerdict::Off => "-",
            FindingVerdict::Plain => "",
            FindingVerdict::Note => "note",
            FindingVerdict::Wrong => "wrong",
        }
    }

    fn style(self) -> Style {
        let bold = |color: AnsiColor| Style::new().bold().fg_color(Some(color.into()));
        match self {
            FindingVerdict::Well => bold(AnsiColor::Green),
            FindingVerdict::Off | FindingVerdict::Plain => Style::new().dimmed(),
            FindingVerdict::Note => bold(AnsiColor::Yellow),
            FindingVerdict::Wrong => bold(AnsiColor::Red),
        }
    }
}

impl DoctorFinding {
    pub(super) fn new(
        verdict: FindingVerdict,
        about: impl Into<String>,
        says: impl Into<String>,
    ) -> Self {
        DoctorFinding {
            verdict,
            about: about.into(),
            says: says.into(),
            next: None,
            data: Map::new(),
        }
    }

    /// With what to do about it.
    pub(super) fn next(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }

    /// With something for machines.
    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.data.insert(name.to_owned(), value.into());
        self
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (style, word) = (self.verdict.style(), self.verdict.word());
        let about = visible(&self.about);
        write!(out, "  {style}{word:<VERDICT$}{style:#}  {about:<ABOUT$}  ")?;
        let beside = 2 + VERDICT + 2 + ABOUT + 2;
        let used = beside.max(2 + VERDICT + 2 + about.chars().count() + 2);
        let indent = " ".repeat(beside);
        let says = broken(&visible(&self.says), used - beside);
        writeln!(out, "{}", says.join(&format!("\n{indent}")))?;
        if let Some(next) = &self.next {
            for line in broken(&visible(next), 0) {
                writeln!(out, "{indent}{line}")?;
            }
        }
        Ok(())
    }

    fn json(&self) -> Value {
        let mut json = self.data.clone();
        json.insert("about".to_owned(), self.about.as_str().into());
        if self.verdict != FindingVerdict::Plain {
            json.insert("verdict".to_owned(), self.verdict.word().into());
        }
        json.insert("says".to_owned(), self.says.as_str().into());
        if let Some(next) = &self.next {
            json.insert("next".to_owned(), next.as_str().into());
        }
        Value::Object(json)
    }
}

/// A text in lines that fit beside the columns before them, of which the first has some less room.
/// Words that do not fit stay whole: they are paths and addresses, which people copy.
fn broken(text: &str, less: usize) -> Vec<String> {
    let room = COLUMNS - (2 + VERDICT + 2 + ABOUT + 2);
    let mut lines = Vec::new();
    let (mut line, mut taken) = (String::new(), less);
    for word in text.split(' ') {
        let length = word.chars().count();
        if !line.is_empty() && taken + 1 + length > room {
            lines.push(std::mem::take(&mut line));
            taken = 0;
        }
        if !line.is_empty() {
            line.push(' ');
            taken += 1;
        }
        line.push_str(word);
        taken += length;
    }
    lines.push(line);
    lines
}

impl DoctorReport {
    /// Whether nothing is wrong.
    pub(super) fn is_well(&self) -> bool {
        let all = self.sections().into_iter().flat_map(|(_, it)| it);
        !all.into_iter()
            .any(|it| it.verdict == FindingVerdict::Wrong)
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let bold = Style::new().bold();
        for (title, findings) in self.sections() {
            if !findings.is_empty() {
                writeln!(out, "{bold}{title}{bold:#}")?;
                findings.iter().try_for_each(|it| it.write(out))?;
            }
        }
        let all = self.sections().into_iter().flat_map(|(_, it)| it);
        match all.filter(|it| it.verdict == FindingVerdict::Wrong).count() {
            0 => writeln!(out, "All is well"),
            1 => writeln!(out, "1 thing is wrong"),
            many => writeln!(out, "{many} things are wrong"),
        }
    }

    pub(super) fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        let mut json = json!({
            "version": env!("CARGO_PKG_VERSION"),
            "system": format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            "isWell": self.is_well(),
        });
        for (title, findings) in self.sections() {
            json[title] = findings.iter().map(DoctorFinding::json).collect();
        }
        serde_json::to_writer_pretty(&mut *out, &json)?;
        writeln!(out)
    }

    fn sections(&self) -> [(&'static str, &[DoctorFinding]); 5] {
        [
            ("settings", &self.settings),
            ("lanes", &self.lanes),
            ("index", &self.index),
            ("usage", &self.usage),
            ("places", &self.places),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(finding: &DoctorFinding) -> String {
        let mut out = Vec::new();
        finding.write(&mut out).expect("memory takes all");
        let text = String::from_utf8(out).expect("text");
        anstream::adapter::strip_str(&text).to_string()
    }

    #[test]
    fn what_is_long_is_broken_between_words_within_80_columns() {
        let long = "word ".repeat(40);
        for about in ["fim", "next-edit (typescriptreact)"] {
            let finding = DoctorFinding::new(FindingVerdict::Wrong, about, long.trim());
            let text = written(&finding.next("what to do next ".repeat(9)));
            assert!(text.lines().count() > 4, "{text}");
            assert!(
                text.lines().all(|it| it.chars().count() <= COLUMNS),
                "{text}"
            );
        }
    }

    #[test]
    fn a_path_stays_whole() {
        let path = format!("/{}", "directory/".repeat(20));
        let text = written(&DoctorFinding::new(
            FindingVerdict::Well,
            "index",
            path.as_str(),
        ));
        assert_eq!(text, format!("  ok     index      {path}\n"));
    }

    #[test]
    fn nothing_reaches_the_terminal_as_an_order() {
        let finding = DoctorFinding::new(FindingVerdict::Note, "\u{1b}[31m", "a\u{9b}b\nc");
        let text = written(&finding.next("\u{202e}"));
        assert!(!text.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{text:?}");
        assert_eq!(text.lines().count(), 2);
    }
}
