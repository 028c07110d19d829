//! `ARCHITECTURE.md` lists the crates in the order in which they may use each other. They do.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

#[test]
fn crates_use_only_what_comes_before_them() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = fs::read_to_string(root.join("ARCHITECTURE.md")).expect("the page exists");
    let after = page.split_once("in the order in which they may use each other").expect("the list exists").1;
    let names =
        after.lines().skip_while(|line| !line.starts_with("| `")).take_while(|line| line.starts_with("| `"));
    let order: HashMap<String, usize> = names
        .enumerate()
        .map(|(place, line)| (line.split('`').nth(1).unwrap_or_default().to_string(), place))
        .collect();
    let mut seen = 0;
    for entry in fs::read_dir(root.join("crates")).expect("there are crates") {
        let folder = entry.expect("readable").path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().to_string();
        let place = order.get(&name).unwrap_or_else(|| panic!("{name} is not on the page"));
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).expect("a manifest");
        // What only tests use is no part of the design.
        let used = manifest.split("\n[").filter(|section| section.starts_with("dependencies]"));
        for line in used.flat_map(str::lines) {
            let Some(other) = line.strip_prefix("craig-").and_then(|line| line.split(['.', ' ', '=']).next())
            else {
                continue;
            };
            assert!(order.get(other).is_some_and(|other| other < place), "{name} uses {other}");
        }
        seen += 1;
    }
    assert_eq!(seen, order.len(), "every crate on the page exists");
}
