//! Clauses over data types, in `data`: each file says which engine gives which answer. Answers are checked on the way.

use craig_base::Budget;
use craig_chc::{read_system, simplify};
use craig_engines::horn::solve::{HornAnswer, run};
use craig_engines::portfolio::race::Member;
use craig_engines::portfolio::table::{CLAUSE_ENGINES, find};
use craig_smt::{NativeSolver, Solver};
use craig_term::Terms;
use std::path::Path;
use std::time::Duration;

fn answer(engine: &str, text: &str) -> String {
    let entry = find(CLAUSE_ENGINES, engine).expect("an engine");
    let member = Member { name: entry.name, engine: (entry.engine)(), share: 100 };
    let mut terms = Terms::new();
    let system = read_system(&mut terms, text.as_bytes()).expect("clauses");
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(2));
    let simplified = simplify(&mut terms, &system, &budget);
    let new_solver = || -> Box<dyn Solver> { Box::new(NativeSolver::default()) };
    let report = run(&terms, &system, &simplified, &[member], 1, &new_solver, &budget).expect("one engine");
    match report.answer {
        HornAnswer::Sat(..) => "sat".to_string(),
        HornAnswer::Unsat(..) => "unsat".to_string(),
        HornAnswer::Unknown(reason) if reason.is_defect() => reason.to_string(),
        HornAnswer::Unknown(_) => "unknown".to_string(),
    }
}

#[test]
fn engines_answer_as_the_files_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a text");
        for line in text.lines().map_while(|line| line.strip_prefix("; ")) {
            let Some((engine, expected)) = line.split_once(": ") else { continue };
            if find(CLAUSE_ENGINES, engine).is_some() {
                let found = answer(engine, &text);
                if found != expected {
                    wrong.push(format!("{}: {engine} says {found}, not {expected}", file.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
