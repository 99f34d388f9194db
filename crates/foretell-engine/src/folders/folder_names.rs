//! The folders that an editor has open, and what files are called in them.
//!
//! A file has one name, the shortest that tells it apart:
//!
//! - in the only folder, its path from there: `src/lib.rs`;
//! - in one of several, that behind the folder's name as editors show it: `app/src/lib.rs`. A second
//!   folder of the same name is called `app-2`. Of folders within each other the innermost counts;
//! - anywhere else its whole path.
//!
//! Names are taken apart here and nowhere else. A folder is also known by where it really is, since
//! editors and file systems do not agree on which of two paths they tell.
//!
//! Absent on purpose: the disk, once the folders are known.

use std::path::{Path, PathBuf};

use foretell_text::FilePath;

use crate::workspace::name_in;

/// The name of a folder without a name: the root of a file system.
const NAMELESS: &str = "root";

/// The folders that an editor has open, in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OpenFolders {
    all: Vec<OpenFolder>,
}

/// A folder that an editor has open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenFolder {
    /// Its whole path, as the editor has it.
    pub path: PathBuf,
    /// Where it really is.
    pub real: PathBuf,
    /// Its name among the others; no other folder has it.
    pub name: String,
}

impl OpenFolder {
    /// The path of a file from here, if it is in this folder.
    pub fn rest_of<'p>(&self, path: &'p Path) -> Option<&'p Path> {
        let rest = path.strip_prefix(&self.path);
        rest.or_else(|_| path.strip_prefix(&self.real)).ok()
    }
}

impl OpenFolders {
    /// Folders with whole paths, in the editor's order; one that is named twice is one.
    pub(super) fn new(paths: &[PathBuf]) -> Self {
        let mut folders = OpenFolders::default();
        for path in paths {
            let real = path.canonicalize().unwrap_or_else(|_| path.clone());
            if folders.all.iter().all(|it| it.real != real) {
                folders.all.push(OpenFolder {
                    name: folders.name_for(path),
                    path: path.clone(),
                    real,
                });
            }
        }
        folders
    }

    /// A name that none of them has.
    fn name_for(&self, path: &Path) -> String {
        let name = path.file_name().map(|it| it.to_string_lossy().into_owned());
        let name = name.unwrap_or_else(|| NAMELESS.to_owned());
        let is_free = |name: &String| self.all.iter().all(|it| it.name != *name);
        let others = (2..).map(|number| format!("{name}-{number}"));
        let mut names = std::iter::once(name.clone()).chain(others);
        names.find(is_free).unwrap_or(name)
    }

    /// All of them.
    pub fn all(&self) -> &[OpenFolder] {
        &self.all
    }

    /// Returns the name of a file with a whole path.
    pub fn name_of(&self, path: &Path) -> FilePath {
        let Some((folder, rest)) = self.folder_of(path) else {
            return name_in(Path::new(""), path);
        };
        let within = name_in(Path::new(""), rest);
        match self.all.len() {
            1 => within,
            _ => FilePath::new(format!("{}/{within}", folder.name)),
        }
    }

    /// The innermost folder that a file is in, and its path from there.
    pub fn folder_of<'p>(&self, path: &'p Path) -> Option<(&OpenFolder, &'p Path)> {
        let found = self.all.iter();
        let found = found.filter_map(|it| Some((it, it.rest_of(path)?)));
        found.min_by_key(|(_, rest)| rest.components().count())
    }

    /// Where a file of this name really is, as far as its folder goes. Nothing, if the name is that of no
    /// folder and no whole path: a document that is no file, for example.
    pub fn path_of(&self, file: &FilePath) -> Option<PathBuf> {
        let path = Path::new(file.as_str());
        if path.is_absolute() {
            return Some(match self.folder_of(path) {
                Some((folder, rest)) => folder.real.join(rest),
                None => path.to_owned(),
            });
        }
        match self.all.as_slice() {
            [only] => Some(only.real.join(path)),
            all => {
                let (name, rest) = file.as_str().split_once('/')?;
                let folder = all.iter().find(|it| it.name == name)?;
                Some(folder.real.join(rest))
            }
        }
    }
}

// Elsewhere a whole path has a drive.
#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn folders(paths: &[&str]) -> OpenFolders {
        let paths: Vec<_> = paths.iter().map(PathBuf::from).collect();
        OpenFolders::new(&paths)
    }

    fn name(folders: &OpenFolders, path: &str) -> String {
        let name = folders.name_of(Path::new(path));
        // The way back leads to the same file.
        assert_eq!(folders.path_of(&name), Some(PathBuf::from(path)));
        name.to_string()
    }

    #[test]
    fn a_name_is_as_short_as_it_can_be() {
        let none = folders(&[]);
        assert_eq!(name(&none, "/no/such/a.rs"), "/no/such/a.rs");
        let one = folders(&["/no/app"]);
        assert_eq!(name(&one, "/no/app/src/a.rs"), "src/a.rs");
        assert_eq!(name(&one, "/no/application/a.rs"), "/no/application/a.rs");
        let two = folders(&["/no/app", "/no/lib"]);
        assert_eq!(name(&two, "/no/lib/a.rs"), "lib/a.rs");
        assert_eq!(name(&two, "/no/a.rs"), "/no/a.rs");
    }

    #[test]
    fn folders_of_one_name_are_told_apart() {
        let three = folders(&["/no/a/app", "/no/app-2", "/no/b/app", "/no/a/app"]);
        assert_eq!(three.all().len(), 3);
        assert_eq!(name(&three, "/no/a/app/x"), "app/x");
        assert_eq!(name(&three, "/no/app-2/x"), "app-2/x");
        assert_eq!(name(&three, "/no/b/app/x"), "app-3/x");
    }

    #[test]
    fn the_innermost_folder_counts() {
        let nested = folders(&["/no/app", "/no/app/module", "/"]);
        assert_eq!(name(&nested, "/no/app/module/x"), "module/x");
        assert_eq!(name(&nested, "/no/app/x"), "app/x");
        assert_eq!(name(&nested, "/etc/x"), "root/etc/x");
    }

    #[test]
    fn what_is_no_file_has_no_path() {
        let two = folders(&["/no/app", "/no/lib"]);
        assert_eq!(two.path_of(&FilePath::new("Untitled-1")), None);
        assert_eq!(two.path_of(&FilePath::new("other/x")), None);
        assert_eq!(folders(&[]).path_of(&FilePath::new("Untitled-1")), None);
    }
}
