//! The program as a user meets it: exit codes, standard output, interruption.

mod folder;

use folder::Folder;
use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn craig(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_craig")).args(arguments).output().expect("the program starts")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("an exit code")
}

impl Folder {
    fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

/// A suite of `count` tasks that expect `sat`.
fn suite(folder: &Folder, count: usize) -> String {
    let mut manifest = "task\texpected\tsource\n".to_string();
    for task in 0..count {
        folder.file(&format!("{task}.smt2"), "(set-logic QF_LIA)\n(check-sat)\n");
        manifest.push_str(&format!("{task}.smt2\tsat\ttest\n"));
    }
    folder.file("manifest.tsv", &manifest)
}

#[test]
fn help_and_version_are_results() {
    for arguments in [&["--help"][..], &["--version"], &["bench", "--help"], &["help", "engines"]] {
        let output = craig(arguments);
        assert_eq!(code(&output), 0, "{arguments:?}");
        assert!(!output.stdout.is_empty() && output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn bad_usage_is_64_and_missing_input_66() {
    for arguments in
        [&[][..], &["nonsense"], &["bench"], &["engines", "--verbosity"], &["engines", "-q", "-v"]]
    {
        let output = craig(arguments);
        assert_eq!(code(&output), 64, "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
    assert_eq!(code(&craig(&["bench", "/nowhere/at/all"])), 66);
}

#[test]
fn a_bad_manifest_is_65_with_its_line() {
    let folder = Folder::new("bad-manifest");
    let manifest = folder.file("manifest.tsv", "task\texpected\tsource\nx.c\tperhaps\tme\n");
    let output = craig(&["bench", &manifest]);
    assert_eq!(code(&output), 65);
    assert!(String::from_utf8_lossy(&output.stderr).contains("manifest.tsv:2:1: "));
}

#[test]
fn a_closed_pipe_is_no_crash() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(["engines", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut complaint = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut complaint).expect("text");
    child.wait().expect("an end");
    assert_eq!(complaint, "");
}

#[test]
fn a_benchmark_with_a_wrong_answer_is_1() {
    let folder = Folder::new("wrong");
    let manifest = suite(&folder, 2);
    let run = |peer: &str, results: &str| {
        craig(&["bench", &manifest, "--peers-only", "--peer", peer, "-o", &folder.path(results), "--json"])
    };
    let right = run("right=echo sat {file}", "right");
    assert_eq!(code(&right), 0);
    assert!(String::from_utf8_lossy(&right.stdout).contains("\"correct\": 2"));
    let wrong = run("wrong=echo unsat {file}", "wrong");
    assert_eq!(code(&wrong), 1);
    assert!(String::from_utf8_lossy(&wrong.stdout).contains("\"wrong\": 2"));
    for file in ["results.csv", "summary.txt", "index.html"] {
        assert!(Path::new(&folder.path("right")).join(file).is_file(), "{file}");
    }
    let missing = run("gone=/no/such/program {file}", "gone");
    assert_eq!(code(&missing), 64);
}

#[test]
fn an_interrupted_benchmark_goes_on_where_it_was() {
    let folder = Folder::new("interrupted");
    let manifest = suite(&folder, 3);
    let results = folder.path("results");
    // The first task is quick; the others wait for a file that appears after the interruption.
    let gate = folder.path("gate");
    let script = folder.file(
        "slow.sh",
        format!("case $1 in */0.smt2) ;; *) while [ ! -e {gate} ]; do sleep 0.05; done ;; esac; echo sat\n"),
    );
    let peer = format!("slow=sh {script} {{file}}");
    let arguments = ["bench", &manifest, "--peers-only", "--peer", &peer, "-o", &results];
    let child = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let lines = || fs::read_to_string(format!("{results}/results.csv")).unwrap_or_default().lines().count();
    let start = Instant::now();
    while lines() < 2 && start.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(20));
    }
    nix::sys::signal::kill(nix::unistd::Pid::from_raw(child.id() as i32), nix::sys::signal::Signal::SIGINT)
        .expect("a signal");
    let output = child.wait_with_output().expect("an end");
    assert_eq!((code(&output), lines()), (130, 2));
    fs::write(&gate, "").expect("the gate");
    let output = craig(&arguments);
    assert_eq!((code(&output), lines()), (0, 4));
    assert!(String::from_utf8_lossy(&output.stderr).contains("1 runs are already done, 2 are left"));
}

#[test]
fn task_definitions_and_properties_say_what_to_check() {
    let folder = Folder::new("tasks");
    folder.file(
        "a.i",
        "int nondet(void); void reach_error(void);
         int main(void) {
           long x = nondet();
           if (x > 5 && x < 4) reach_error();
           return sizeof(long) == 4 ? x + 1 : x % 7 + 1;
         }",
    );
    folder.file("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let overflow = folder.file("no-overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    let ends = folder.file("termination.prp", "CHECK( init(main()), LTL(F end) )\n");
    let task = folder.file(
        "a.yml",
        "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  - property_file: unreach-call.prp\n    expected_verdict: true\noptions:\n  language: C\n  data_model: ILP32\n",
    );
    assert_eq!(code(&craig(&["check", &task])), 0);
    assert_eq!(code(&craig(&["check", &task, &overflow])), 1);
    assert_eq!(code(&craig(&["check", &task, "--check", "overflow", "--data-model", "lp64"])), 0);
    let refused = craig(&["check", &task, &ends]);
    assert_eq!(code(&refused), 65);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("termination.prp:1:1: this is no property"));
    assert_eq!(code(&craig(&["check", &overflow])), 64);
}

#[test]
fn a_syntax_tree_can_be_shown() {
    let folder = Folder::new("ast");
    let file = folder.file("a.i", "int *a[3];\nint f(int x) {\n  if (x > 1) x += 2;\n  return x;\n}\n");
    let output = craig(&["show", &file, "--stage", "ast"]);
    assert_eq!(code(&output), 0);
    let tree = String::from_utf8_lossy(&output.stdout).replace(&file, "a.i");
    let expected = "file a.i\n1:1 declaration int\n  1:6 a: array of 3 pointer to\n2:5 function f: function(x: int) returning int\n  3:3 if (> x 1)\n    3:14 (+= x 2)\n  4:3 return x\n";
    assert_eq!(tree, expected);
}

#[test]
fn a_run_into_what_is_undefined_does_not_come_to_its_end() {
    let folder = Folder::new("undefined");
    let head = "void *memcpy(void *, const void *, unsigned long); void free(void *); void abort(void);";
    for (body, expected) in [
        ("int (*f)(void) = 0; return f();", 2),
        ("char a[9] = \"abcdef\"; memcpy(a + 1, a, 3); return 0;", 2),
        ("char *p = __builtin_alloca(3); free(p); return 0;", 2),
        ("int x = 0; if (x) __builtin_unreachable(); return x;", 0),
        ("abort();", 0),
    ] {
        let text = format!("{head} int main(void) {{ {body} }}");
        let output = craig(&["run", &folder.file("run.c", &text)]);
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(code(&output), expected, "{body} {said}");
        assert_eq!(said.contains("undefined behaviour: "), expected == 2, "{body} {said}");
    }
}

#[test]
fn products_of_inputs_are_decided() {
    let folder = Folder::new("products");
    let same = "int same(int n, int a) { if (n <= 0) return a; return same(n - 1, a); }";
    for (number, x, expected) in [(391, "x", 1), (37, "x", 0), (391, "same(2, x)", 1), (37, "same(2, x)", 0)]
    {
        let text = format!(
            "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); {same}
             int main(void) {{
               int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
               if (!(2 <= x && x < 20) || !(2 <= y && y <= 1000)) return 0;
               if ({x} * y == {number}) reach_error();
               return 0;
             }}"
        );
        let output = craig(&["check", "--timeout", "30s", &folder.file("product.c", &text)]);
        assert_eq!(code(&output), expected, "{x} * y == {number}");
    }
}

#[test]
fn a_witness_is_about_the_c_file_and_the_property_of_the_task() {
    let folder = Folder::new("witness");
    let text = "int nondet(void); int main(void) { int x = nondet(); return x + 1; }";
    let file = folder.file("a.i", text);
    folder.file("no-overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n");
    let task = folder.file(
        "a.yml",
        "format_version: '2.0'\ninput_files: 'a.i'\nproperties:\n  - property_file: no-overflow.prp\noptions:\n  language: C\n  data_model: ILP32\n",
    );
    let witness = folder.path("witness.yml");
    assert_eq!(code(&craig(&["check", &task, "--witness", &witness])), 1);
    let witness = fs::read_to_string(witness).expect("a witness");
    let task = craig::Task::resolve(&craig::Source::files([&file]), &[]).expect("a task");
    let hash = &task.files[0].sha256;
    assert!(witness.contains(&format!("{file:?}: {hash:?}")), "{witness}");
    assert!(witness.contains("specification: \"CHECK( init(main()), LTL(G ! overflow) )\""), "{witness}");
    assert!(witness.contains("data_model: ILP32") && !witness.contains("a.yml"), "{witness}");
}

#[test]
fn an_engine_is_reported_under_the_name_by_which_it_was_asked_for() {
    let folder = Folder::new("names");
    let file = folder.file(
        "a.i",
        "void reach_error(void); int nondet(void); int f(int x) { return x + 1; }
         int main(void) { int x = nondet(); if (x > 0 && x < 9 && f(x) < 2) reach_error(); return 0; }",
    );
    for engine in craig::engines::portfolio::table::PROGRAM_ENGINES {
        let output = craig(&["check", "--json", "--timeout", "20s", "--engine", engine.name, &file]);
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(answer.contains(&format!("\"engine\": \"{}\"", engine.name)), "{}: {answer}", engine.name);
        assert!(answer.contains("\"verdict\": \"safe\"") || code(&output) == 2, "{}: {answer}", engine.name);
    }
    let clauses = folder.file("a.smt2", "(set-logic HORN)\n(declare-fun P (Int) Bool)\n(assert (P 0))\n");
    for engine in craig::engines::portfolio::table::CLAUSE_ENGINES {
        let output = craig(&["solve", "--json", "--engine", engine.name, &clauses]);
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(answer.contains(&format!("\"engine\": \"{}\"", engine.name)), "{}: {answer}", engine.name);
    }
    assert_eq!(code(&craig(&["check", "--engine", "nonsense", &file])), 64);
    assert_eq!(code(&craig(&["check", "--engine", "pdr", "--eager", &file])), 64);
}
