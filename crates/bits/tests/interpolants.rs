//! The scripts in `interpolants/`: what they say against the lines that begin with `;=`, and each sequence of interpolants by
//! questions of its own: an interpolant follows from the one before and its part, and mentions only what both sides do.

use craig_base::{Budget, OrderedMap, OrderedSet};
use craig_bits::script::Script;
use craig_term::smtlib::{CommandInput, Kind, Position, Response, Sexpr, Tree};
use std::path::Path;

#[test]
fn all_scripts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/interpolants");
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
    files.sort();
    assert!(files.len() > 3);
    for file in files {
        let text = std::fs::read_to_string(&file).expect("readable");
        let expected: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix(";= ")).collect();
        assert_eq!(run(&text), expected, "{}", file.display());
    }
}

fn parse(text: &str) -> Tree {
    Tree::parse(text.to_string(), Position { line: 1, column: 1 }).expect("an expression")
}

/// The lines that a script says.
fn run(text: &str) -> Vec<String> {
    let mut script = Script::default();
    let mut input = CommandInput::new(text.as_bytes());
    let mut said = Vec::new();
    let mut declared = String::new();
    let mut parts: OrderedMap<String, String> = OrderedMap::default();
    while let Some(tree) = input.next_command().expect("bytes") {
        let tree = tree.expect("a command");
        let root = tree.root();
        let words: Vec<Sexpr<'_>> = root.children().collect();
        let response = script.execute(&tree, &Budget::unlimited());
        match words[0].text() {
            "declare-const" | "declare-fun" | "define-fun" => declared.push_str(root.text()),
            "assert" => {
                let annotated: Vec<&str> = words[1].children().map(Sexpr::text).collect();
                let (name, formula) = match annotated[..] {
                    ["!", formula, ":named", name] => (name.to_string(), formula),
                    _ => (parts.len().to_string(), words[1].text()),
                };
                parts.insert(name, formula.to_string());
            }
            "pop" | "reset-assertions" => parts.clear(),
            _ => {}
        }
        match response {
            Ok(Response::Success) => {}
            Ok(Response::Text(text)) => {
                let listed: Vec<&str> = words[1..].iter().map(|word| word.text()).collect();
                if words[0].text() == "get-interpolants" && words[1..].iter().all(|word| !word.is_list()) {
                    // What is not listed may be needed, and is of all parts then.
                    let others = parts.iter().filter(|(name, _)| !listed.contains(&name.as_str()));
                    let others: String = others.map(|(_, formula)| format!(" {formula}")).collect();
                    let with_others = |name: &&str| format!("(and true {}{others})", parts[*name]);
                    let parts: Vec<String> = listed.iter().map(with_others).collect();
                    judge(&declared, &parts, &text);
                }
                said.extend(text.lines().map(str::to_string));
            }
            Ok(other) => said.push(format!("{other:?}")),
            Err(error) => said.push(format!("error: {}", error.message)),
        }
    }
    said
}

fn symbols(text: &str) -> OrderedSet<String> {
    let tree = parse(text);
    let mut found = OrderedSet::default();
    let mut open = vec![tree.root()];
    while let Some(next) = open.pop() {
        open.extend(next.children());
        if next.kind() == Kind::Symbol {
            found.insert(next.text().to_string());
        }
    }
    found
}

fn judge(declared: &str, parts: &[String], listed: &str) {
    let list = parse(listed);
    let found: Vec<&str> = list.root().children().map(Sexpr::text).collect();
    assert_eq!(found.len() + 1, parts.len(), "{listed}");
    for (at, part) in parts.iter().enumerate() {
        let before = if at == 0 { "true" } else { found[at - 1] };
        let after = found.get(at).copied().unwrap_or("false");
        let step = format!("{declared} (assert {before}) (assert {part}) (assert (not {after})) (check-sat)");
        assert_eq!(run(&step), ["unsat"], "{listed}");
        let declares = |name: &String| declared.contains(&format!("-const {name} "));
        let of = |parts: &[String]| -> OrderedSet<String> {
            parts.iter().flat_map(|part| symbols(part)).collect()
        };
        let (left, right) = (of(&parts[..at]), of(&parts[at..]));
        for name in symbols(before).iter().filter(|name| declares(name)) {
            assert!(left.contains(name) && right.contains(name), "{name} in {before}");
        }
    }
}
