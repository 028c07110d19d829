//! `craig validate --witness`: witnesses of any verifier, and those that Craig writes itself.

mod folder;

use folder::Folder;
use std::process::Command;

/// Fails if the numbers are 5 and 3, in this order, or if the sum is 100.
const UNSAFE: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int sum(int a, int b) { return a + b; }
int main(void) {
  int s = 0;
  for (int i = 0; i < 2; i++)
    s = 10 * s + __VERIFIER_nondet_int();
  if (s == 53)
    reach_error();
  switch (sum(s, 0)) { case 7: s = 100; break; default: ; }
  int t = s > 99 ? 1 : 0;
  while (t) reach_error();
}
";

const SAFE: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
  unsigned x = 0, y = 0;
  while (__VERIFIER_nondet_int() && x < 1000) {
    x = x + 1;
    y = y + 2;
  }
  if (y != 2 * x) reach_error();
}
";

impl Folder {
    fn name(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

fn craig(arguments: &[&str]) -> (String, Option<i32>) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_craig")).args(arguments).output().expect("the program starts");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

fn head(kind: &str) -> String {
    format!(
        "- entry_type: {kind}
  metadata:
    format_version: '2.0'
    uuid: 01234567-89ab-8def-a123-456789abcdef
    creation_time: 2024-01-01T00:00:00Z
    producer: {{name: nobody, version: \"1\"}}
    task:
      input_files: [p.i]
      input_file_hashes: {{p.i: '00'}}
      specification: G ! call(reach_error())
      data_model: LP64
      language: C
  content:\n"
    )
}

fn invariant(kind: &str, line: u32, value: &str) -> String {
    format!(
        "  - invariant:
      type: {kind}
      location: {{file_name: p.i, line: {line}, function: main}}
      value: {value:?}
      format: c_expression\n"
    )
}

/// Segments of one waypoint each: action, type, constraint, line and column.
fn violation(waypoints: &[(&str, &str, &str, u32, u32)]) -> String {
    let mut text = head("violation_sequence");
    let mut begins = true;
    for (action, kind, constraint, line, column) in waypoints {
        text.push_str(if begins { "  - segment:\n" } else { "" });
        text.push_str(&format!("    - waypoint:\n        type: {kind}\n        action: {action}\n"));
        if !constraint.is_empty() {
            text.push_str(&format!("        constraint:\n          value: {constraint:?}\n"));
        }
        text.push_str(&format!("        location:\n          file_name: p.i\n          line: {line}\n"));
        text.push_str(&format!("          column: {column}\n"));
        begins = *action == "follow";
    }
    text
}

#[test]
fn invariants_are_confirmed_refuted_or_left_open() {
    let folder = Folder::new("invariants");
    let program = folder.file("p.i", SAFE);
    let cases = [
        (vec![("loop_invariant", 5, "y == 2 * x && x <= 1000")], "confirmed: safe"),
        (vec![], "confirmed: safe"),
        (vec![("location_invariant", 6, "x < 1000"), ("loop_invariant", 5, "y == x + x")], "confirmed: safe"),
        (vec![("loop_invariant", 5, "y == 2 * x && x < 1000")], "refuted: p.i:5: "),
        (vec![("location_invariant", 9, "x > 0")], "refuted: p.i:9: "),
        // Conditions that are undefined, no conditions, and places that are none.
        (vec![("loop_invariant", 5, "1 / (x - 5) < 7")], "refuted: p.i:5: "),
        (vec![("loop_invariant", 5, "1) != 0, \"\"); __builtin_unreachable(")], "unknown: p.i:5: "),
        (vec![("loop_invariant", 5, "x = 0")], "unknown: p.i:5: "),
        (vec![("loop_invariant", 6, "x < 1000")], "unknown: p.i:6: "),
        (vec![("loop_invariant", 5, "z < 1000")], "unknown: "),
    ];
    for (invariants, expected) in cases {
        let claimed: String =
            invariants.iter().map(|(kind, line, value)| invariant(kind, *line, value)).collect();
        let claimed = if claimed.is_empty() { "    []\n".to_string() } else { claimed };
        let witness = folder.file("w.yml", &(head("invariant_set") + &claimed));
        let (said, code) = craig(&["validate", "--witness", &witness, &program]);
        assert!(said.starts_with(expected), "{invariants:?}: {said}");
        let word = expected.split(':').next();
        assert_eq!(
            code,
            Some(if word == Some("confirmed") {
                0
            } else if word == Some("refuted") {
                1
            } else {
                2
            })
        );
    }
}

#[test]
fn runs_are_found_that_pass_the_waypoints() {
    let folder = Folder::new("waypoints");
    let program = folder.file("p.i", UNSAFE);
    let first = ("follow", "target", "", 9, 5);
    let last = ("follow", "target", "", 12, 13);
    let cases = [
        (vec![first], "confirmed: unsafe"),
        (vec![last], "confirmed: unsafe"),
        (vec![("follow", "function_return", "\\result == 5", 7, 40), first], "confirmed: unsafe"),
        (
            vec![("follow", "assumption", "s == 0", 7, 5), ("follow", "assumption", "s == 5", 7, 5), first],
            "confirmed: unsafe",
        ),
        (
            vec![("follow", "assumption", "s == 0", 7, 5), ("follow", "assumption", "s == 0", 7, 5), first],
            "confirmed: unsafe",
        ),
        (vec![("follow", "assumption", "s == 5", 7, 5), first], "refuted"),
        (vec![("follow", "branching", "false", 6, 3), first], "refuted"),
        (vec![("avoid", "branching", "true", 8, 3), first], "refuted"),
        (vec![("avoid", "branching", "true", 8, 3), last], "confirmed: unsafe"),
        (vec![("follow", "branching", "7", 10, 3), last], "confirmed: unsafe"),
        (vec![("follow", "branching", "default", 10, 3), last], "confirmed: unsafe"),
        (vec![("follow", "branching", "false", 11, 18), last], "refuted"),
        (vec![("follow", "function_enter", "", 10, 19), last], "confirmed: unsafe"),
        (vec![("follow", "function_enter", "", 10, 19), first], "refuted"),
        (vec![("follow", "function_return", "\\result == 7", 10, 19), last], "confirmed: unsafe"),
        (vec![("follow", "function_return", "\\result == 8", 10, 19), last], "refuted"),
    ];
    for (waypoints, expected) in cases {
        let witness = folder.file("w.yml", violation(&waypoints));
        let (said, _) = craig(&["validate", "--witness", &witness, &program]);
        assert!(said.starts_with(expected), "{waypoints:?}: {said}");
    }
}

#[test]
fn what_craig_writes_it_confirms() {
    let folder = Folder::new("own");
    for (text, expected) in [(SAFE, "confirmed: safe\n"), (UNSAFE, "confirmed: unsafe\n")] {
        let (program, witness) = (folder.file("p.i", text), folder.name("w.yml"));
        craig(&["check", "--check", "error", "--witness", &witness, &program]);
        let (said, code) = craig(&["validate", "--witness", &witness, &program]);
        assert_eq!((said.as_str(), code), (expected, Some(0)));
    }
}

#[test]
fn what_is_no_witness_is_an_error_with_its_place() {
    let folder = Folder::new("malformed");
    let program = folder.file("p.i", SAFE);
    let two_targets = violation(&[("follow", "target", "", 9, 5), ("follow", "target", "", 9, 5)]);
    for text in ["", "a: b\n", "- entry_type: invariant_set\n", "- \"x\n", &two_targets] {
        let witness = folder.file("w.yml", text);
        assert_eq!(craig(&["validate", "--witness", &witness, &program]).1, Some(65), "{text}");
    }
}
