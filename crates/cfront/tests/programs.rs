//! The programs in `tests/accept` pass, for both data models, without warnings unless they say `warns`; those in
//! `tests/reject` get exactly the errors that their lines announce (`// error: part of the message`). All are
//! preprocessed already.

use std::fs;
use std::path::{Path, PathBuf};

use craig_cfront::types::DataModel;
use craig_cfront::{read_texts, with_deep_stack};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

#[test]
fn accepted() {
    for file in files("accept") {
        let text = fs::read(&file).expect("a program");
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let warns = String::from_utf8_lossy(&text).contains("// warns");
            let texts = vec![(file.display().to_string(), text.clone())];
            let read = with_deep_stack(|| read_texts(texts, model));
            let shown = read.diagnostics.render(&read.sources);
            let Some(program) = read.program else { panic!("{model:?}: {shown}") };
            assert!(warns || shown.is_empty(), "{model:?}: {shown}");
            if let Err(reason) = program.validate() {
                panic!("{} {model:?}: {reason}", file.display());
            }
        }
    }
}

#[test]
fn rejected() {
    for file in files("reject") {
        let text = fs::read_to_string(&file).expect("a program");
        let texts = vec![(file.display().to_string(), text.clone().into_bytes())];
        let read = with_deep_stack(|| read_texts(texts, DataModel::Lp64));
        let mut announced: Vec<(u32, &str)> = Vec::new();
        for (number, line) in text.lines().enumerate() {
            if let Some((_, message)) = line.split_once("// error: ") {
                announced.push((number as u32 + 1, message.trim()));
            }
        }
        let shown = read.diagnostics.render(&read.sources);
        let mut errors: Vec<(u32, &str)> = read
            .diagnostics
            .errors()
            .map(|e| (read.sources.locate(e.span).line, e.message.as_str()))
            .collect();
        // Some errors are only seen at the end of the file.
        errors.sort_by_key(|error| error.0);
        let fits = errors.len() == announced.len()
            && errors
                .iter()
                .zip(&announced)
                .all(|(found, wanted)| found.0 == wanted.0 && found.1.contains(wanted.1));
        assert!(fits, "{}: expected {announced:?}, found\n{shown}", file.display());
    }
}
