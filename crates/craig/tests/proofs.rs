//! `--proof-smt`: what proofs rest on, as scripts for other solvers. Z3 is asked where there is one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const HEAD: &str = "void reach_error(void); int nondet(void);";
const LOOP: &str = "int main(void) { int i = 0, s = 0, n = nondet(); if (n > 1000) return 0;
    while (i < n) { i++; s += 2; } if (s != 2 * i) reach_error(); }";
const ARRAY: &str = "int a[9]; int main(void) { for (int i = 0; i < 9; i++) a[i] = 7;
    int k = nondet(); if (k >= 0 && k < 9 && a[k] != 7) reach_error(); }";
const RECURSIVE: &str = "int count(int n) { if (n <= 0) return 0; return 1 + count(n - 1); }
    int main(void) { if (count(nondet()) < 0) reach_error(); }";
const CLAUSES: &str = "(set-logic HORN) (declare-fun p (Int) Bool) (assert (p 0))
    (assert (forall ((x Int)) (=> (p x) (p (+ x 2)))))
    (assert (forall ((x Int)) (=> (and (p x) (< x 0)) false)))";

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("craig-proofs-{name}-{}", std::process::id()));
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn craig(arguments: &[&str]) -> (String, Option<i32>) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_craig")).args(arguments).output().expect("the program starts");
    (String::from_utf8_lossy(&output.stdout).into_owned(), output.status.code())
}

/// The contents of the files in a folder whose names end so, in order.
fn files(folder: &Path, end: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.to_string_lossy().ends_with(end)).collect();
    paths.sort();
    paths.iter().map(|path| fs::read_to_string(path).expect("a text")).collect()
}

/// Every script is refuted by Z3.
fn ask_z3(proof: &Path, scripts: usize) {
    if Command::new("z3").arg("--version").output().is_err() {
        println!("skipped: there is no z3");
        return;
    }
    let output = Command::new("sh").arg(proof.join("run.sh")).output().expect("a shell");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains(&format!("{scripts} of {scripts} scripts are unsat\n")), "{said}");
}

#[test]
fn every_kind_of_proof_is_written() {
    let folder = folder("kinds");
    let program = folder.join("p.i");
    for (engine, body) in [("pdr", LOOP), ("cells", ARRAY), ("whale", RECURSIVE), ("duality", RECURSIVE)] {
        fs::write(&program, format!("{HEAD}\n{body}\n")).expect("a file");
        let proof = folder.join(engine);
        let [program, proof_name] = [&program, &proof].map(|path| path.to_str().expect("a name"));
        let (said, code) =
            craig(&["check", "--check", "error", "--engine", engine, "--proof-smt", proof_name, program]);
        assert_eq!(code, Some(0), "{engine}: {said}");
        let scripts = files(&proof, ".smt2");
        // Names that begin so belong to solvers.
        let reserved =
            ["(declare-fun .", "(declare-const .", "(declare-fun |.", "(declare-fun @", "(declare-fun |@"];
        let is_reserved = |script: &String| reserved.iter().any(|start| script.contains(start));
        assert!(!scripts.iter().any(is_reserved), "{engine}: a reserved name is declared");
        assert!(scripts.len() >= 2, "{engine}");
        assert!(scripts.iter().all(|script| script.starts_with("; If this is satisfiable, ")), "{engine}");
        assert_eq!(engine == "cells", scripts.iter().any(|script| script.contains("(forall")), "{engine}");
        ask_z3(&proof, scripts.len());
    }
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn an_unwinding_is_clauses_and_their_refutation() {
    let folder = folder("unwinding");
    let (program, proof) = (folder.join("p.i"), folder.join("proof"));
    fs::write(&program, format!("{HEAD}\n{ARRAY}\n")).expect("a file");
    let [program, proof_name] = [&program, &proof].map(|path| path.to_str().expect("a name"));
    let (said, _) =
        craig(&["check", "--check", "error", "--engine", "bits", "--proof-smt", proof_name, program]);
    assert!(said.starts_with("safe"), "{said}");
    let [clauses, refutation] = [".cnf", ".lrat"].map(|end| files(&proof, end).concat());
    let header: Vec<&str> = clauses.lines().next().expect("a header").split(' ').collect();
    let [variables, count] = [header[2], header[3]].map(|number| number.parse::<usize>().expect("a number"));
    let read = |line: &str| -> Vec<i32> {
        line.split(' ').map(|word| word.parse().expect("a literal")).take_while(|&lit| lit != 0).collect()
    };
    let clauses: Vec<Vec<i32>> = clauses.lines().skip(1).map(read).collect();
    assert_eq!(clauses.len(), count);
    assert_eq!(craig_certificate::check_lrat(variables, &clauses, &refutation), Ok(()));
    let _ = fs::remove_dir_all(folder);
}

#[test]
fn a_model_of_clauses_is_written_and_nothing_is_overwritten() {
    let folder = folder("clauses");
    let (clauses, proof) = (folder.join("p.smt2"), folder.join("proof"));
    fs::write(&clauses, CLAUSES).expect("a file");
    let [clauses, proof_name] = [&clauses, &proof].map(|path| path.to_str().expect("a name"));
    let (said, _) = craig(&["solve", "--proof-smt", proof_name, clauses]);
    assert!(said.starts_with("sat"), "{said}");
    ask_z3(&proof, files(&proof, ".smt2").len());
    assert_eq!(craig(&["solve", "--proof-smt", proof_name, clauses]).1, Some(64));
    let _ = fs::remove_dir_all(folder);
}
