//! `craig check --project` on the example project.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A copy of the example project, removed at the end.
struct Project(PathBuf);

impl Project {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("craig-project-test-{name}-{}", std::process::id()));
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/project");
        for file in [
            "compile_commands.json",
            "include/ring.h",
            "src/ring.c",
            "src/checksum.c",
            "tests/ring_harness.c",
        ] {
            let target = folder.join(file);
            fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
            fs::copy(source.join(file), target).expect("a copy");
        }
        Project(folder)
    }

    fn check(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_craig"))
            .args(["check", "--timeout", "60s"])
            .args(arguments)
            .current_dir(&self.0)
            .output()
            .expect("the program starts")
    }

    /// The names, answers and times of the rows.
    fn table(&self, arguments: &[&str]) -> Vec<String> {
        let output = self.check(arguments);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let rows = text.lines().skip_while(|line| !line.starts_with("function ")).skip(1);
        rows.take_while(|line| !line.contains(" functions: "))
            .map(|line| {
                let words: Vec<&str> = line.split_whitespace().collect();
                let kept = if line.ends_with("kept") { " kept" } else { "" };
                format!("{} {}{kept}", words[0], words[2])
            })
            .collect()
    }

    fn edit(&self, file: &str, from: &str, to: &str) {
        let path = self.0.join(file);
        let text = fs::read_to_string(&path).expect("a file");
        assert!(text.contains(from), "{file}");
        fs::write(&path, text.replace(from, to)).expect("a file");
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const PROJECT: [&str; 2] = ["--project", "compile_commands.json"];

#[test]
fn what_was_not_found_is_said() {
    let project = Project::new("newcomer");
    let errors = |arguments: &[&str]| {
        let output = project.check(arguments);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    // A folder stands for its database.
    assert_eq!(project.check(&["--project", ".", "ring_pop"]).status.code(), Some(0));
    let (code, said) = errors(&["--project", ".", "nothing_*"]);
    assert!(code == Some(2) && said.contains("--all-functions"), "{said}");
    let (code, said) = errors(&["--project", ".", "--all-functions", "nothing_*"]);
    assert!(code == Some(2) && said.contains("no function fits"), "{said}");
    let (code, said) = errors(&["--project", "src/ring.c"]);
    assert!(code == Some(65) && said.contains("no compilation database"), "{said}");
}

#[test]
fn what_did_not_change_is_not_checked_again() {
    let project = Project::new("cache");
    let first = ["ring_push proved", "ring_pop proved", "checksum refuted", "push_pop_harness proved"];
    assert_eq!(project.table(&PROJECT), first);
    assert_eq!(project.table(&PROJECT), first.map(|row| format!("{row} kept")));
    // Other lines, another comment: the same functions. Another body: its callers, too.
    project.edit("src/ring.c", "int ring_pop", "\n\n/* moved */ int ring_pop");
    project.edit("src/ring.c", "    r->used++;", "    r->used = r->used + 2;");
    let after =
        ["ring_push refuted", "ring_pop proved kept", "checksum refuted kept", "push_pop_harness refuted"];
    assert_eq!(project.table(&PROJECT), after);
    // What is damaged is not believed.
    for entry in fs::read_dir(project.0.join("craig-cache")).expect("a cache") {
        let path = entry.expect("a file").path();
        let text = fs::read_to_string(&path).expect("a file").replace("unsafe", "safe");
        fs::write(path, text + " ").expect("a file");
    }
    assert_eq!(project.table(&PROJECT), after.map(|row| row.replace(" kept", "")));
}

#[test]
fn functions_are_chosen_and_the_exit_code_is_that_of_the_worst() {
    let project = Project::new("choice");
    let with = |more: &[&'static str]| [&PROJECT[..], &["--no-cache"], more].concat();
    let exit_code = |more: &[&'static str]| project.check(&with(more)).status.code();
    assert_eq!(project.table(&with(&["ring_*"])), ["ring_push proved", "ring_pop proved"]);
    assert_eq!(project.table(&with(&["--entry", "*_harness"])), ["push_pop_harness proved"]);
    let all = ["after proved", "ring_push proved", "ring_pop proved"];
    assert_eq!(project.table(&with(&["--all-functions", "ring.c"])), all);
    assert_eq!(exit_code(&["ring_*"]), Some(0));
    assert_eq!(exit_code(&[]), Some(1));
    assert_eq!(exit_code(&["nowhere"]), Some(2));
    assert_eq!(exit_code(&["--proof", "x"]), Some(64));
    assert!(!project.0.join("craig-cache").exists());
    fs::write(project.0.join("compile_commands.json"), "[{").expect("a file");
    assert_eq!(exit_code(&[]), Some(65));
}

#[test]
fn json_names_what_was_linked_and_pages_are_written() {
    let project = Project::new("json");
    let output =
        project.check(&[&PROJECT[..], &["--json", "--report", "pages", "push_pop_harness"]].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("\"linked\": [\"tests/ring_harness.c\", \"src/ring.c\"]"), "{text}");
    assert!(text.contains("\"answer\": \"proved\"") && text.contains("\"refuted\": 0"), "{text}");
    let page = fs::read_to_string(project.0.join("pages/index.html")).expect("a page");
    assert!(page.contains("push_pop_harness/index.html"), "{page}");
    assert!(project.0.join("pages/push_pop_harness/index.html").exists());
}

#[test]
fn a_configuration_may_name_the_project() {
    let project = Project::new("config");
    fs::write(
        project.0.join("craig.toml"),
        "[check]\nproject = \"compile_commands.json\"\nno-cache = true\n",
    )
    .expect("a file");
    assert_eq!(project.table(&["ring_push"]), ["ring_push proved"]);
}

#[test]
fn flags_of_compilers_are_understood_without_a_project() {
    let project = Project::new("flags");
    let flags =
        ["-std=c99", "-isystem", "include", "-Wall", "-O2", "-m32", "-UROOM", "-DROOM=4", "--all-functions"];
    let table = project.table(&[&flags[..], &["src/ring.c"]].concat());
    assert_eq!(table, ["after proved", "ring_push proved", "ring_pop proved"]);
}

#[test]
fn what_only_other_files_say_is_left_out_and_listed() {
    let project = Project::new("units");
    let head = "struct inner; struct box { struct inner *in; }; int get(const struct inner *in);\n";
    let one = "int sum(struct box *b, const int *t) { return b && t ? (get(b->in) > 0) + (t[0] > 0) : 0; }\n";
    let other = "struct inner { int x; }; const int sizes[3] = {1, 2, 3};
        int get(const struct inner *in) { return in ? in->x : sizes[2]; }\n";
    for (name, text) in [("one.c", one), ("other.c", other)] {
        fs::write(project.0.join(name), format!("{head}{text}")).expect("a file");
    }
    let output = project.check(&["--entry", "sum", "one.c", "other.c"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.starts_with("safe"), "{text}");
    assert!(text.contains("pointers to `struct inner` are null: the file of 'sum' does not say"), "{text}");
    assert!(text.contains("a global that the file of 'sum' does not declare"), "{text}");
}

#[test]
fn continuous_integration_is_told_of_all_functions() {
    let project = Project::new("formats");
    let formats = ["--no-cache", "--format", "github", "--sarif", "s.sarif", "--junit", "j.xml"];
    let output = project.check(&[&PROJECT[..], &formats[..]].concat());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("\n::error title=memory,file=src/checksum.c,line=9,col=9::invalid read"), "{text}");
    let read = |name: &str| fs::read_to_string(project.0.join(name)).expect("a file");
    let junit = read("j.xml");
    assert_eq!(junit.matches("<testsuite name=").count(), 4, "{junit}");
    assert_eq!(junit.matches("<failure message=").count(), 1, "{junit}");
    let sarif = read("s.sarif");
    assert_eq!(sarif.matches("\"partialFingerprints\"").count(), 1, "{sarif}");
    assert!(sarif.contains("\"codeFlows\""), "the failing run: {sarif}");
}

#[test]
fn only_new_findings_of_a_project_fail_with_a_baseline() {
    let project = Project::new("baseline");
    let check = || project.check(&[&PROJECT[..], &["--baseline", "known.json"]].concat()).status.code();
    assert_eq!(check(), Some(0), "the first run writes the baseline");
    project.edit("src/checksum.c", "#include", "/* moved */\n\n#include");
    assert_eq!(check(), Some(0), "lines may move");
    project.edit("src/ring.c", "    r->used++;", "    r->used = r->used + 2;");
    assert_eq!(check(), Some(1), "this is new");
}
