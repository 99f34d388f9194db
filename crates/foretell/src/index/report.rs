//! What is said of an index: what is in it, and what an update did.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::SystemTime;

use foretell_index::{Index, Origin, Outcome, Report, Status};
use indicatif::{HumanBytes, HumanCount};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::workspace::Workspaces;

/// How many files that were skipped are named.
const MOST_SKIPPED: usize = 10;

/// What is in an index.
pub(super) struct About {
    pub(super) status: Status,
    workspace: PathBuf,
    directory: PathBuf,
    origin: Origin,
}

/// What an update did, and what is in the index now.
pub(super) struct Built {
    pub(super) about: About,
    pub(super) report: Report,
}

impl About {
    pub(super) fn of(workspaces: &Workspaces, index: &Index) -> Result<Self, Failure> {
        Ok(About {
            status: index.status()?,
            workspace: workspaces.root.clone(),
            directory: index.directory().to_owned(),
            origin: index.origin().clone(),
        })
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let Status {
            files,
            chunks,
            lines,
            not_text,
            bytes_on_disk,
            ..
        } = &self.status;
        writeln!(out, "workspace  {}", self.workspace.display())?;
        writeln!(out, "index      {}", self.directory.display())?;
        if let Origin::Rebuilt { why } = &self.origin {
            writeln!(out, "           made anew: {why}")?;
        }
        write!(out, "files      {}", HumanCount(*files as u64))?;
        match not_text {
            0 => writeln!(out)?,
            more => writeln!(out, ", and {} that are not text", HumanCount(*more as u64))?,
        }
        writeln!(out, "chunks     {}", HumanCount(*chunks))?;
        writeln!(out, "lines      {}", HumanCount(*lines))?;
        writeln!(out, "languages  {}", self.languages())?;
        writeln!(out, "size       {}", HumanBytes(*bytes_on_disk))?;
        writeln!(out, "age        {}", self.age(SystemTime::now()))
    }

    /// The languages, those with most files first.
    fn languages(&self) -> String {
        let mut languages: Vec<_> = self.status.languages.iter().collect();
        languages.sort_by_key(|(language, files)| (std::cmp::Reverse(**files), *language));
        let languages = languages
            .iter()
            .map(|(language, files)| format!("{language} {files}"));
        match languages.collect::<Vec<_>>().join(", ") {
            none if none.is_empty() => "none".to_owned(),
            languages => languages,
        }
    }

    /// How long ago it was brought up to date.
    fn age(&self, now: SystemTime) -> String {
        let Some(built) = self.status.built else {
            return "never finished; run foretell index".to_owned();
        };
        let age = now.duration_since(built).unwrap_or_default().as_secs();
        match age {
            0..60 => "just now".to_owned(),
            60..3_600 => count(age / 60, "minute"),
            3_600..86_400 => count(age / 3_600, "hour"),
            _ => count(age / 86_400, "day"),
        }
    }

    fn json(&self) -> Value {
        let Status {
            files,
            chunks,
            lines,
            not_text,
            languages,
            bytes_on_disk,
            built,
        } = &self.status;
        let built = built.and_then(|it| it.duration_since(SystemTime::UNIX_EPOCH).ok());
        json!({
            "workspace": self.workspace,
            "directory": self.directory,
            "files": files,
            "notText": not_text,
            "chunks": chunks,
            "lines": lines,
            "languages": languages,
            "bytes": bytes_on_disk,
            "builtAt": built.map(|it| it.as_secs()),
        })
    }

    pub(super) fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        serde_json::to_writer_pretty(&mut *out, &self.json())?;
        writeln!(out)
    }
}

impl Built {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.about.write(out)?;
        let Report {
            outcome,
            added,
            changed,
            removed,
            unchanged,
            excluded,
            lines,
            took,
            ..
        } = &self.report;
        if *outcome == Outcome::WrittenByAnother {
            return writeln!(
                out,
                "update     another Foretell is at it; what it writes is found here"
            );
        }
        write!(
            out,
            "update     {added} new, {changed} changed, {unchanged} unchanged, {removed} removed"
        )?;
        writeln!(
            out,
            "; {} lines read in {:.1} s",
            HumanCount(*lines),
            took.as_secs_f64()
        )?;
        if *excluded > 0 {
            writeln!(out, "excluded   {excluded}")?;
        }
        if self.report.reached_limit {
            writeln!(
                out,
                "left out   there are more files than index.maxFiles allows"
            )?;
        }
        self.write_skipped(out)
    }

    fn write_skipped(&self, out: &mut impl Write) -> io::Result<()> {
        let skipped = &self.report.skipped;
        let all = skipped.len() + self.report.skipped_more;
        if all > 0 {
            writeln!(out, "skipped    {all}")?;
        }
        for file in skipped.iter().take(MOST_SKIPPED) {
            writeln!(out, "           {}", visible(&file.to_string()))?;
        }
        match all.saturating_sub(MOST_SKIPPED) {
            0 => Ok(()),
            more => writeln!(out, "           and {more} more; --json names them"),
        }
    }

    pub(super) fn write_json(&self, out: &mut impl Write) -> io::Result<()> {
        let mut json = self.about.json();
        let report = &self.report;
        let skipped = report.skipped.iter();
        let skipped =
            skipped.map(|it| json!({"file": it.file.as_str(), "why": it.why.to_string()}));
        json["update"] = json!({
            "byAnother": report.outcome == Outcome::WrittenByAnother,
            "added": report.added,
            "changed": report.changed,
            "removed": report.removed,
            "unchanged": report.unchanged,
            "excluded": report.excluded,
            "reachedLimit": report.reached_limit,
            "lines": report.lines,
            "bytes": report.bytes,
            "tookMs": u64::try_from(report.took.as_millis()).unwrap_or(u64::MAX),
            "skipped": skipped.collect::<Vec<_>>(),
            "skippedMore": report.skipped_more,
        });
        serde_json::to_writer_pretty(&mut *out, &json)?;
        writeln!(out)
    }
}

/// A name that cannot do anything to a terminal.
fn visible(name: &str) -> String {
    let plain = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    name.chars().map(plain).collect()
}

fn count(number: u64, unit: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {unit}{s} ago")
}
