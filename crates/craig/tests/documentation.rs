//! What the first pages show is what comes out: the commands of `README.md` and `docs/first-steps.md` are run.
//!
//! A block of the page begins with `$ craig ...`; what follows is compared up to the failing run, which may be another one
//! the next time, and without invariants, of which the same holds. `...` stands for any lines.

mod folder;

use folder::Folder;
use std::path::{Path, PathBuf};
use std::process::Command;

impl Folder {
    fn with_examples(name: &str) -> Self {
        let folder = Folder::new(name);
        for entry in std::fs::read_dir(root().join("docs/examples")).expect("examples") {
            let file = entry.expect("a file").path();
            let name = file.file_name().expect("a name").to_string_lossy();
            folder.file(&format!("docs/examples/{name}"), std::fs::read(&file).expect("a file"));
        }
        folder
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A block of code with the word after its fence.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((language.to_string(), text.join("\n") + "\n"));
        }
    }
    blocks
}

/// The words of a command line; quotes hold some together.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().expect("a word").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Runs what a page shows; a block of C whose first line is `/* NAME */` is that file from then on.
fn follow(name: &str, page: &str) {
    let folder = Folder::with_examples(name);
    let mut followed = 0;
    for (language, block) in blocks(page) {
        if language == "c" {
            let (first, _) = block.split_once('\n').expect("a line");
            let file = first.trim_start_matches("/* ").trim_end_matches(" */");
            std::fs::write(folder.0.join(file), &block).expect("a file");
            continue;
        }
        let mut lines = block.lines();
        let Some(command) = lines.next().and_then(|line| line.strip_prefix("$ craig ")) else { continue };
        let output = Command::new(env!("CARGO_BIN_EXE_craig"))
            .args(words(command))
            .current_dir(&folder.0)
            .output()
            .expect("the program starts");
        let said =
            [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        let ends = ["the run", "inputs:", "$ "];
        let shown = lines.take_while(|line| !ends.iter().any(|end| line.starts_with(end)));
        for line in shown.filter(|line| !line.starts_with("...") && !line.contains("loop invariant")) {
            assert!(
                said.lines().any(|other| other == line),
                "{name}: `craig {command}` says no `{line}` but\n{said}"
            );
        }
        followed += 1;
    }
    assert!(followed > 2, "{name}");
}

#[test]
fn the_front_page_shows_what_comes_out() {
    follow("README", &std::fs::read_to_string(root().join("README.md")).expect("a page"));
}

#[test]
fn the_first_steps_show_what_comes_out() {
    follow("first-steps", &std::fs::read_to_string(root().join("docs/first-steps.md")).expect("a page"));
}
