//! `compile_commands.json`: which files a project compiles, and with which options.

use super::flags::{self, Flag};
use crate::error::Error;
use crate::report::json::Json;
use craig_program::DataModel;
use std::path::{Component, Path, PathBuf};

/// A file and how it is compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compiled {
    /// As seen from the current folder.
    pub file: PathBuf,
    /// For the preprocessor.
    pub flags: Vec<String>,
    /// By `-m32` and `-m64`.
    pub data_model: Option<DataModel>,
    /// By `-fwrapv`.
    pub wraps: bool,
    /// Options that change the meaning of the program, and are not modelled.
    pub unknown: Vec<String>,
}

/// The C files of a database, each as it is compiled first.
pub fn read(path: &Path) -> Result<Vec<Compiled>, Error> {
    let text =
        std::fs::read_to_string(path).map_err(|error| Error::MissingInput(path.to_path_buf(), error))?;
    let bad = |what: &str| Error::BadInput(format!("{}:1:1: error: {what}", path.display()));
    let json =
        Json::parse(&text).map_err(|error| bad(&format!("this is no compilation database: {error}")))?;
    let Json::Array(entries) = json else { return Err(bad("a compilation database is a list of commands")) };
    let here = std::env::current_dir().unwrap_or_default();
    let beside = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let mut found: Vec<Compiled> = Vec::new();
    for entry in &entries {
        let text = |name: &str| entry.get(name).and_then(Json::as_str);
        let file = text("file").ok_or_else(|| bad("a command has no `file`"))?;
        let arguments = match (entry.get("arguments"), text("command")) {
            (Some(Json::Array(words)), _) => {
                words.iter().filter_map(Json::as_str).map(str::to_string).collect()
            }
            (_, Some(command)) => flags::words(command),
            _ => return Err(bad(&format!("there is no command for `{file}`"))),
        };
        let folder = text("directory").map_or_else(|| beside.clone(), |folder| beside.join(folder));
        let compiled = compiled(&folder, file, &arguments, &here);
        let is_c = compiled.file.extension().is_some_and(|extension| extension == "c" || extension == "i");
        if is_c && found.iter().all(|other| other.file != compiled.file) {
            found.push(compiled);
        }
    }
    Ok(found)
}

fn compiled(folder: &Path, file: &str, arguments: &[String], here: &Path) -> Compiled {
    let seen = |path: &str| seen_from(here, &folder.join(path));
    let mut compiled = Compiled { file: seen(file), ..Compiled::default() };
    // The first word is the compiler.
    let mut rest = arguments.get(1..).unwrap_or_default();
    while !rest.is_empty() {
        let (flag, count) = flags::flag(rest).unwrap_or((Flag::Ignored, 1));
        match flag {
            Flag::Preprocessor { mut words, path } => {
                if let (Some(last), Some(at)) = (words.last_mut(), path) {
                    *last = format!("{}{}", &last[..at], seen(&last[at..]).display());
                }
                compiled.flags.extend(words);
            }
            Flag::DataModel(model) => compiled.data_model = Some(model),
            Flag::Wrap => compiled.wraps = true,
            Flag::Unknown(word) => compiled.unknown.push(word),
            Flag::Ignored => {}
        }
        rest = &rest[count..];
    }
    compiled
}

/// A path without detours, and relative where it is below the current folder.
fn seen_from(here: &Path, path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => {
                plain.pop();
            }
            _ => plain.push(component),
        }
    }
    match plain.strip_prefix(here) {
        Ok(relative) if relative.as_os_str().is_empty() => PathBuf::from("."),
        Ok(relative) => relative.to_path_buf(),
        Err(_) if plain.as_os_str().is_empty() => PathBuf::from("."),
        Err(_) => plain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_command() {
        let arguments = flags::words("cc -I../include -include config.h -DX -m32 -fwrapv -c ../src/a.c");
        let found = compiled(Path::new("/p/build"), "../src/a.c", &arguments, Path::new("/p"));
        assert_eq!(found.file, Path::new("src/a.c"));
        assert_eq!(found.flags, ["-Iinclude", "-include", "build/config.h", "-DX"]);
        assert_eq!((found.data_model, found.wraps), (Some(DataModel::Ilp32), true));
        assert_eq!(seen_from(Path::new("/q"), Path::new("/p/./a/../b.c")), Path::new("/p/b.c"));
        assert_eq!(seen_from(Path::new("/q"), Path::new("build/../b.c")), Path::new("b.c"));
    }
}
