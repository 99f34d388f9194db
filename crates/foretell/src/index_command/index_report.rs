//! The report on an index: its contents, and what an update did.

use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use foretell_engine::FileWorkspaces;
use foretell_index::{BuildReport, Index, IndexStatus, KeptIndex};
use indicatif::{HumanBytes, HumanCount};
use serde_json::{Value, json};

use crate::failure::{CommandFailure, visible};
use crate::workspace_index;

/// How many files that were skipped are named.
const MOST_SKIPPED: usize = 10;

/// The contents of an index.
pub(super) struct IndexContents {
    pub(super) status: IndexStatus,
    workspace: PathBuf,
    directory: PathBuf,
    /// Why what was kept before had to be thrown away, if it had to.
    made_anew: Option<String>,
}

/// The result of an update, and the contents of the index now.
pub(super) struct IndexUpdate {
    pub(super) about: IndexContents,
    pub(super) report: BuildReport,
}

impl IndexContents {
    /// That of an index after an update.
    pub(super) fn of(
        workspaces: &FileWorkspaces,
        index: &Index,
        report: &BuildReport,
    ) -> Result<Self, CommandFailure> {
        Ok(IndexContents {
            status: index.status()?,
            workspace: workspaces.root.clone(),
            directory: index.directory().to_owned(),
            made_anew: workspace_index::made_anew(index, report),
        })
    }

    /// That of an index which stays as it is.
    pub(super) fn of_kept(
        workspaces: &FileWorkspaces,
        kept: &KeptIndex,
    ) -> Result<Self, CommandFailure> {
        Ok(IndexContents {
            status: kept.status()?,
            workspace: workspaces.root.clone(),
            directory: kept.directory.clone(),
            made_anew: None,
        })
    }

    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let IndexStatus {
            files,
            chunks,
            lines,
            not_text,
            bytes_on_disk,
            ..
        } = &self.status;
        writeln!(out, "workspace  {}", visible(self.workspace.display()))?;
        writeln!(out, "index      {}", visible(self.directory.display()))?;
        if let Some(why) = &self.made_anew {
            writeln!(out, "           made anew: {}", visible(why))?;
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
            .map(|(language, files)| format!("{} {files}", visible(language)));
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
        ago(now.duration_since(built).unwrap_or_default())
    }

    fn json(&self) -> Value {
        let IndexStatus {
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
            "madeAnew": self.made_anew,
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

impl IndexUpdate {
    pub(super) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        self.about.write(out)?;
        let BuildReport {
            added,
            changed,
            removed,
            unchanged,
            excluded,
            lines,
            took,
            ..
        } = &self.report;
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
            writeln!(out, "           {}", visible(file))?;
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

/// How long ago something was, for people.
pub(crate) fn ago(age: Duration) -> String {
    let age = age.as_secs();
    match age {
        0..60 => "just now".to_owned(),
        60..3_600 => count(age / 60, "minute"),
        3_600..86_400 => count(age / 3_600, "hour"),
        _ => count(age / 86_400, "day"),
    }
}

fn count(number: u64, unit: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {unit}{s} ago")
}
