//! `craig validate`: saved certificates are accepted; those that were tampered with, or that belong to
//! another program, are rejected; what is no certificate at all is an error with its place.

mod folder;

use folder::Folder;
use std::fs;
use std::process::{Command, Output};

const SAFE: &str = "void reach_error(void); int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 0, y = 0;
  while (__VERIFIER_nondet_int()) {
    x = x + 1;
    y = y + 2;
    if (x == 1000) { x = 0; y = 0; }
  }
  if (y < 0 || y != 2 * x) reach_error();
}
";

const RECURSIVE: &str = "void reach_error(void); int __VERIFIER_nondet_int(void);
int count(int n) { if (n <= 0) return 0; return 1 + count(n - 1); }
int main(void) { int n = __VERIFIER_nondet_int(); if (count(n) < 0) reach_error(); }
";

const UNSAFE: &str = "void reach_error(void); int __VERIFIER_nondet_int(void);
int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x > 10 && x * 3 == 51) reach_error();
}
";

fn craig(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_craig")).args(arguments).output().expect("the program starts")
}

/// The first word of the judgement, and the exit code.
fn validate(program: &str, certificate: &str, more: &[&str]) -> (String, Option<i32>, String) {
    let output = craig(&[&["validate", "--check", "error", program, certificate], more].concat());
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let word = text.split(':').next().unwrap_or_default().to_string();
    (word, output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn a_proof_is_accepted_as_long_as_it_is_one() {
    let folder = Folder::new("proof");
    let program = folder.file("program.i", SAFE);
    let proof = folder.file("proof", "");
    let checked = craig(&["check", "--check", "error", "--proof", &proof, &program]);
    assert_eq!(checked.status.code(), Some(0), "{}", String::from_utf8_lossy(&checked.stdout));
    assert_eq!(validate(&program, &proof, &[]).0, "valid");
    let text = fs::read_to_string(&proof).expect("the proof");

    // Every formula replaced by what is too weak, too strong, or nothing.
    let lines: Vec<&str> = text.lines().collect();
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| line.starts_with("(assert")) {
        let name = line.split(":named ").nth(1).expect("a name");
        for formula in ["true", "false"] {
            let mut tampered: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
            tampered[number] = format!("(assert (! {formula} :named {name}");
            let tampered = folder.file("tampered", tampered.join("\n"));
            let (word, code, said) = validate(&program, &tampered, &[]);
            // A formula that nothing depends on may be weakened.
            let harmless = formula == "true" && word == "valid";
            assert!(harmless || (word == "invalid" && code == Some(1)), "{formula} at {name}: {word} {said}");
        }
    }
    let dropped: Vec<&str> = lines.iter().copied().filter(|line| !line.starts_with("(assert")).collect();
    let dropped = folder.file("dropped", dropped.join("\n"));
    assert_ne!(validate(&program, &dropped, &[]).0, "valid");

    // The proof of another program, and of another reading of the same one.
    let other = folder.file("other.i", SAFE.replace("y = y + 2", "y = y + 3"));
    assert_ne!(validate(&other, &proof, &[]).0, "valid");
    let (_, code, said) = validate(&program, &proof, &["--data-model", "ilp32"]);
    assert_eq!(code, Some(65), "{said}");
    assert!(said.contains("proof:2:1: error: the proof is for data-model lp64"), "{said}");
}

#[test]
fn contracts_are_accepted_as_long_as_they_hold() {
    let folder = Folder::new("contracts");
    let program = folder.file("program.i", RECURSIVE);
    let proof = folder.file("proof", "");
    let checked =
        craig(&["check", "--check", "error", "--engine", "pdr-summaries", "--proof", &proof, &program]);
    assert_eq!(checked.status.code(), Some(0), "{}", String::from_utf8_lossy(&checked.stdout));
    assert_eq!(validate(&program, &proof, &[]).0, "valid");
    let text = fs::read_to_string(&proof).expect("the proof");
    assert!(text.contains("(set-info :craig-proof contracts)"), "{text}");
    let ensures = text.lines().find(|line| line.contains(".ensures))") && line.ends_with("; count"));
    let ensures = ensures.expect("a contract of count");
    let name = ensures.split(":named ").nth(1).expect("a name");
    for formula in ["true", "false"] {
        let tampered = text.replace(ensures, &format!("(assert (! {formula} :named {name}"));
        let tampered = folder.file("tampered", &tampered);
        assert_eq!(validate(&program, &tampered, &[]).0, "invalid", "{formula}");
    }
}

#[test]
fn a_malformed_proof_is_an_error_with_its_place() {
    let folder = Folder::new("malformed");
    let program = folder.file("program.i", SAFE);
    let header = "(set-info :craig-proof invariant)\n(set-info :data-model lp64)\n(set-info :arithmetic assume-no-overflow)\n";
    for (text, place) in [
        ("(set-info :craig-proof invariant)\n".to_string(), "malformed:1:1"),
        (format!("{header}(assert (! (<= 0 unheard) :named l1))\n"), "malformed:4:18"),
        (format!("{header}(assert (! true :named l99999))\n"), "malformed:4:1"),
        (format!("{header}(assert (! true :named l1)\n"), "malformed:4:1"),
        (format!("{header}(assert (! true :named l1))\n(assert (! true :named l1))\n"), "malformed:5:9"),
        (format!("{header}\n(check-sat)\n"), "malformed:5:1"),
        ("nonsense\n".to_string(), "malformed:1:1"),
    ] {
        let malformed = folder.file("malformed", &text);
        let (_, code, said) = validate(&program, &malformed, &[]);
        assert_eq!(code, Some(65), "{text}{said}");
        assert!(said.contains(place), "{text}{said}");
    }
}

#[test]
fn a_test_is_accepted_if_it_reaches_the_error() {
    let folder = Folder::new("test");
    let program = folder.file("program.i", UNSAFE);
    let test = folder.file("test", "");
    assert_eq!(craig(&["check", "--check", "error", "--test", &test, &program]).status.code(), Some(1));
    assert_eq!(validate(&program, &test, &[]).0, "valid");
    let text = fs::read_to_string(&test).expect("the test");
    let tampered = folder.file("tampered", text.replace("i32 17", "i32 18"));
    let (word, code, _) = validate(&program, &tampered, &[]);
    assert_eq!((word.as_str(), code), ("invalid", Some(1)));
    let shortened = folder.file("shortened", "craig test 1\n");
    assert_eq!(validate(&program, &shortened, &[]).0, "invalid");
    let malformed = folder.file("malformed", text.replace("i32 17", "i32 seventeen"));
    let (_, code, said) = validate(&program, &malformed, &[]);
    assert_eq!(code, Some(65));
    assert!(said.contains("malformed:2:1: error: expected a value of type i32"), "{said}");
}
