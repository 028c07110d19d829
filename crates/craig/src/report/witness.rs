//! Verification witnesses, format 2.0: a YAML list with one entry.
//!
//! Strings are written as JSON strings, which YAML reads alike. The identifier of an entry is made of
//! the hash of its content, so that the same result is the same file.

use super::Location;
use super::json::Json;
use super::sha256::sha256;
use std::fmt::Write;

/// What the witness is about.
#[derive(Clone, Debug)]
pub struct Task {
    /// Path and SHA-256 of each input file.
    pub files: Vec<(String, String)>,
    /// Such as `CHECK( init(main()), LTL(G ! call(reach_error())) )`.
    pub specification: String,
    /// 32 or 64.
    pub pointer_bits: u8,
    /// ISO 8601.
    pub creation_time: String,
    pub command_line: Option<String>,
}

/// An invariant, in a correctness witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    pub location: Location,
    /// Of a loop that begins there, or before another statement.
    pub of_loop: bool,
    /// A C expression.
    pub value: String,
}

/// A step of a violation witness; the run follows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoint {
    pub kind: WaypointKind,
    pub location: Location,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaypointKind {
    /// What the call returns, as an expression over `\result`.
    FunctionReturn(String),
    /// The violation; the last waypoint, and the only one of its kind.
    Target,
}

pub fn correctness(task: &Task, invariants: &[Invariant]) -> String {
    let mut content = String::new();
    for invariant in invariants {
        let kind = if invariant.of_loop { "loop_invariant" } else { "location_invariant" };
        let _ = write!(content, "  - invariant:\n      type: {kind}\n{}", location(&invariant.location, 6));
        let _ = writeln!(content, "      value: {}\n      format: c_expression", quoted(&invariant.value));
    }
    entry(task, "invariant_set", content)
}

pub fn violation(task: &Task, waypoints: &[Waypoint]) -> String {
    let mut content = String::new();
    for waypoint in waypoints {
        let kind = match &waypoint.kind {
            WaypointKind::FunctionReturn(_) => "function_return",
            WaypointKind::Target => "target",
        };
        let _ =
            writeln!(content, "  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow");
        if let WaypointKind::FunctionReturn(value) = &waypoint.kind {
            let value = quoted(value);
            let _ = writeln!(
                content,
                "        constraint:\n          value: {value}\n          format: acsl_expression"
            );
        }
        content.push_str(&location(&waypoint.location, 8));
    }
    entry(task, "violation_sequence", content)
}

fn entry(task: &Task, kind: &str, content: String) -> String {
    let uuid = uuid(&format!("{kind}\n{:?}\n{content}", task.files));
    let mut yaml = format!(
        "- entry_type: {kind}\n  metadata:\n    format_version: \"2.0\"\n    uuid: {}\n    creation_time: {}\n",
        quoted(&uuid),
        quoted(&task.creation_time),
    );
    let _ = writeln!(
        yaml,
        "    producer:\n      name: \"Craig\"\n      version: {}",
        quoted(env!("CARGO_PKG_VERSION"))
    );
    if let Some(command_line) = &task.command_line {
        let _ = writeln!(yaml, "      command_line: {}", quoted(command_line));
    }
    yaml.push_str("    task:\n      input_files:\n");
    for (file, _) in &task.files {
        let _ = writeln!(yaml, "      - {}", quoted(file));
    }
    yaml.push_str("      input_file_hashes:\n");
    for (file, hash) in &task.files {
        let _ = writeln!(yaml, "        {}: {}", quoted(file), quoted(hash));
    }
    let data_model = if task.pointer_bits == 32 { "ILP32" } else { "LP64" };
    let _ = writeln!(
        yaml,
        "      specification: {}\n      data_model: {data_model}\n      language: C",
        quoted(&task.specification)
    );
    // A list without items must say so.
    yaml.push_str(if content.is_empty() { "  content: []\n" } else { "  content:\n" });
    yaml + &content
}

fn location(location: &Location, indent: usize) -> String {
    let indent = " ".repeat(indent);
    let mut yaml = format!(
        "{indent}location:\n{indent}  file_name: {}\n{indent}  line: {}\n",
        quoted(&location.file),
        location.line
    );
    if let Some(column) = location.column {
        let _ = writeln!(yaml, "{indent}  column: {column}");
    }
    if let Some(function) = &location.function {
        let _ = writeln!(yaml, "{indent}  function: {}", quoted(function));
    }
    yaml
}

fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}

/// A version 8 identifier of RFC 9562: one made by a rule of our own.
fn uuid(content: &str) -> String {
    let hash = sha256(content.as_bytes());
    format!("{}-{}-8{}-a{}-{}", &hash[..8], &hash[8..12], &hash[13..16], &hash[17..20], &hash[20..32])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task() -> Task {
        Task {
            files: vec![("a \"b\".c".to_string(), "00".to_string())],
            specification: "G ! call(reach_error())".to_string(),
            pointer_bits: 32,
            creation_time: "2024-01-01T00:00:00Z".to_string(),
            command_line: None,
        }
    }

    fn place(line: u32) -> Location {
        Location { file: "a.c".to_string(), line, column: None, function: Some("main".to_string()) }
    }

    #[test]
    fn an_invariant() {
        let invariant =
            Invariant { location: place(5), of_loop: true, value: "x <= 10 && c != '\"'".to_string() };
        let yaml = correctness(&task(), &[invariant]);
        assert!(yaml.starts_with("- entry_type: invariant_set\n  metadata:\n    format_version: \"2.0\"\n"));
        assert!(yaml.contains("      data_model: ILP32\n"));
        assert!(yaml.ends_with(
            "  content:\n  - invariant:\n      type: loop_invariant\n      location:\n        file_name: \"a.c\"\n        \
             line: 5\n        function: \"main\"\n      value: \"x <= 10 && c != '\\\"'\"\n      format: c_expression\n"
        ));
        assert!(correctness(&task(), &[]).ends_with("  content: []\n"));
    }

    #[test]
    fn a_violation_ends_in_its_target() {
        let waypoints = [
            Waypoint { kind: WaypointKind::FunctionReturn("\\result == 5".to_string()), location: place(3) },
            Waypoint { kind: WaypointKind::Target, location: place(4) },
        ];
        let yaml = violation(&task(), &waypoints);
        assert!(yaml.contains("          value: \"\\\\result == 5\"\n          format: acsl_expression\n"));
        let target = yaml.find("type: target").expect("a target");
        assert!(target > yaml.find("function_return").expect("a return"));
        assert_eq!(yaml, violation(&task(), &waypoints));
    }

    #[test]
    fn identifiers_have_the_form_of_rfc_9562() {
        let id = uuid("x");
        let lengths: Vec<usize> = id.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_ne!(id, uuid("y"));
    }
}
