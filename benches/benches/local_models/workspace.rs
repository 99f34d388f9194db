//! A workspace on the disk, with an index: the session's documents among the sources of this project.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::client::foretell::ForetellSetup;
use crate::session::{Session, StepKind};

/// What of this project is code.
const SOURCES: [&str; 2] = ["crates", "editors"];
const ENDINGS: [&str; 2] = ["rs", "ts"];

/// Writes a workspace for a session.
pub(crate) fn write(folder: &Path, session: &Session) -> io::Result<()> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for sources in SOURCES {
        copy(&project.join(sources), &folder.join(sources))?;
    }
    for step in &session.steps {
        if let StepKind::Open(opened) = &step.what {
            let path = folder.join(&opened.path);
            fs::create_dir_all(path.parent().unwrap_or(folder))?;
            fs::write(path, &opened.text)?;
        }
    }
    fs::write(folder.join(".foretell.toml"), "")
}

/// Has it indexed before anybody types.
pub(crate) async fn index(setup: &ForetellSetup, folder: &Path) -> io::Result<()> {
    let mut command = setup.command();
    command
        .arg("index")
        .arg(folder)
        .stdout(std::process::Stdio::null());
    let status = command.status().await?;
    match status.success() {
        true => Ok(()),
        false => Err(io::Error::other(format!("foretell index: {status}"))),
    }
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, name): (PathBuf, _) = (entry.path(), entry.file_name());
        let is_code = path
            .extension()
            .is_some_and(|it| ENDINGS.iter().any(|ending| it == *ending));
        if path.is_dir() && name != "node_modules" && name != "target" {
            copy(&path, &to.join(name))?;
        } else if is_code {
            fs::create_dir_all(to)?;
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}
