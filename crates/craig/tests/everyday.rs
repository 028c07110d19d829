//! What a project uses every day: a configuration file, baselines, formats for continuous integration, explanations,
//! completions and manual pages.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder of its own for each test, removed at the end.
struct Project(PathBuf);

impl Project {
    fn new(name: &str, files: &[(&str, &str)]) -> Self {
        let path = std::env::temp_dir().join(format!("craig-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        let project = Project(path);
        files.iter().for_each(|(name, text)| project.write(name, text));
        project
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.0.join(name), text).expect("a file");
    }

    fn craig(&self, arguments: &[&str]) -> Output {
        let program = env!("CARGO_BIN_EXE_craig");
        Command::new(program).args(arguments).current_dir(&self.0).output().expect("the program starts")
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

const BUG: &str = "extern int nondet(void);
void reach_error(void);
int main(void) {
  int x = nondet();
  if (x == 7) reach_error();
  return 0;
}
";

#[test]
fn a_configuration_file_gives_files_and_options() {
    let project = Project::new("config", &[("a.c", BUG)]);
    project.write(
        "craig.toml",
        "files = [\"a.c\"]\ntimeout = \"20s\"\ncover = \"branches\"\n[check]\ncheck = [\"error\"]\n",
    );
    let output = project.craig(&["check"]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(!text(&output).contains("overflow"), "{output:?}");
    assert_eq!(project.craig(&["test", "--timeout", "10s"]).status.code(), Some(0));
    // What is given on the command line wins.
    project.write("b.c", "int main(void) { return 0; }\n");
    assert_eq!(
        project.craig(&["check", "b.c", "--check", "error"]).status.code(),
        Some(2),
        "nothing is checked there"
    );
    project.write("craig.toml", "\nnonsense = 1\n");
    let output = project.craig(&["check", "a.c"]);
    assert_eq!(output.status.code(), Some(65));
    assert!(String::from_utf8_lossy(&output.stderr).contains("craig.toml:2:1: error: "), "{output:?}");
}

#[test]
fn only_new_findings_fail_with_a_baseline() {
    let project = Project::new("baseline", &[("a.c", BUG)]);
    let check = |file: &str| {
        project.craig(&["check", file, "--check", "error", "--baseline", "known.json"]).status.code()
    };
    assert_eq!(check("a.c"), Some(0), "the first run writes the baseline");
    assert_eq!(check("a.c"), Some(0));
    // Lines may move.
    project.write("a.c", &BUG.replace("int main", "/* more */\n\nint main"));
    assert_eq!(check("a.c"), Some(0));
    project.write("a.c", &BUG.replace("return 0;", "if (x == 8) reach_error();\n  return 0;"));
    assert_eq!(check("a.c"), Some(1), "this one is new");
}

#[test]
fn continuous_integration_gets_its_formats() {
    let project = Project::new("formats", &[("a.c", BUG)]);
    let output = project.craig(&[
        "check", "a.c", "--check", "error", "--format", "github", "--junit", "j.xml", "--sarif", "s.sarif",
    ]);
    assert!(text(&output).contains("\n::error title=error,file=a.c,line=5,"), "{output:?}");
    let read = |name: &str| std::fs::read_to_string(project.0.join(name)).expect("a file");
    assert!(read("j.xml").contains("<failure message="), "{}", read("j.xml"));
    assert!(read("s.sarif").contains("\"partialFingerprints\""), "{}", read("s.sarif"));
}

#[test]
fn a_line_is_explained() {
    let project = Project::new("explain", &[("a.c", BUG)]);
    let output = text(&project.craig(&["explain", "a.c", "--line", "5", "--check", "error"]));
    assert!(output.starts_with("a.c:5: if (x == 7) reach_error();\ncan happen: "), "{output}");
    let output = text(&project.craig(&["explain", "a.c", "--line", "4", "--check", "error"]));
    assert!(output.contains("  x = 7, from nondet()"), "{output}");
}

#[test]
fn shells_and_man_know_the_commands() {
    let project = Project::new("man", &[]);
    for shell in ["bash", "zsh", "fish"] {
        assert!(text(&project.craig(&["completions", shell])).contains("explain"), "{shell}");
    }
    assert_eq!(project.craig(&["man", "pages"]).status.code(), Some(0));
    assert!(project.0.join("pages/craig-check.1").is_file());
}

#[test]
fn an_unknown_answer_says_what_to_try() {
    let hard = "extern unsigned nondet(void); void reach_error(void);
        int main(void) { unsigned a = nondet(), b = nondet(), s = 0;
          for (unsigned i = 0; i < a; i++) for (unsigned j = 0; j < b; j++) s += i * j % 7;
          if (a > 100 && b > 100 && s * s % 1000003 == 17) reach_error(); return 0; }";
    let project = Project::new("advice", &[("a.c", hard)]);
    let output = project.craig(&["check", "a.c", "--timeout", "1s"]);
    if text(&output).starts_with("unknown") {
        // A process that is ended from outside its search has no time for more than the reason.
        let is_report = text(&output).lines().count() > 1;
        assert!(!is_report || text(&output).contains("\nnext: "), "{output:?}");
    }
}

#[test]
fn tests_are_kept_in_one_driver() {
    let program = "extern int sensor(void);
        void reach_error(void);
        int main(void) {
          int x = sensor(), y = sensor();
          if (x > 1000 && y == x + 1) reach_error();
          if (x > 5 && x < 3) return 1;
          return 0;
        }";
    let project = Project::new("driver", &[("a.c", program)]);
    let output = project.craig(&["test", "a.c", "--cover", "branches", "--out", "tests", "--timeout", "20s"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    // A way that cannot be taken is named.
    assert!(text(&output).contains("unreachable"), "{output:?}");
    let made = Command::new("make").args(["-C", "tests", "check"]).current_dir(&project.0).output();
    let Ok(made) = made else {
        eprintln!("skipped: there is no make");
        return;
    };
    let said = String::from_utf8_lossy(&made.stdout);
    assert!(made.status.success(), "{made:?}");
    assert!(said.contains("\nok 1 - test-0") && said.contains("(ends in an error)"), "{said}");
}
