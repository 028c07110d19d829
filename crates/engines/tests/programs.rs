//! Programs and what must come out, as data: every `programs/*.c` begins with lines such as
//!
//! ```c
//! // engine: lazy-annotation  verdict: safe  largest bound = 0  backtracks <= 40
//! ```
//!
//! each of which is one run. A line such as `// check: memory leak` asks for these kinds of checks. Parts are separated by two spaces. What stands after the verdict is compared with the
//! statistics of the run. A proof has been checked and a test replayed when there is a verdict.

use craig_base::{Budget, Stats};
use craig_engines::portfolio::table;
use craig_engines::{Verdict, verify};
use craig_program::{CheckKind, Program, instrument};
use std::path::Path;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn engines_answer_as_the_programs_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut files: Vec<_> =
        folder.read_dir().expect("a folder").map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a text");
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let program = load(&text);
        let runs = text.lines().filter_map(|line| line.strip_prefix("// engine: "));
        let before = wrong.len();
        let mut count = 0;
        for run in runs {
            count += 1;
            wrong.extend(check(&program, run).into_iter().map(|what| format!("{name}: {run}\n    {what}")));
        }
        assert!(count > 0, "{name} says nothing about engines");
        eprintln!("{name}: {count} runs, {} wrong", wrong.len() - before);
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

fn load(text: &str) -> Program {
    let options = craig_cfront::lower::Options::default();
    let texts = vec![("test.c".to_string(), text.as_bytes().to_vec())];
    let loaded = craig_cfront::load_texts(texts, craig_cfront::types::DataModel::Lp64, &options);
    let mut program = loaded.program.expect("a program");
    if let Some(kinds) = text.lines().find_map(|line| line.strip_prefix("// check: ")) {
        let kind = |name: &str| CheckKind::ALL.into_iter().find(|kind| kind.name() == name);
        let kinds = kinds.split_whitespace().map(|name| kind(name).expect("a kind of checks"));
        instrument(&mut program, kinds.collect());
    }
    program
}

/// What is not as the line says.
fn check(program: &Program, line: &str) -> Vec<String> {
    let mut parts = line.split("  ").map(str::trim).filter(|part| !part.is_empty());
    let name = parts.next().unwrap_or_default();
    let entry = table::find(table::PROGRAM_ENGINES, name);
    let engine = entry.unwrap_or_else(|| panic!("there is no engine `{name}`")).engine;
    let mut stats = Stats::default();
    let budget = Budget::unlimited().with_timeout(PATIENCE);
    let answer = match verify(program, engine(), &budget, &mut stats) {
        Verdict::Safe(_) => "safe".to_string(),
        Verdict::Unsafe(_) => "unsafe".to_string(),
        Verdict::Unknown(reason) => format!("unknown ({reason})"),
    };
    parts.filter_map(|part| violated(part, &answer, &stats)).collect()
}

fn violated(part: &str, answer: &str, stats: &Stats) -> Option<String> {
    if let Some(verdict) = part.strip_prefix("verdict: ") {
        let right = answer == verdict || (verdict == "unknown" && answer.starts_with("unknown"));
        return (!right).then(|| format!("the answer is {answer}"));
    }
    for sign in [" <= ", " >= ", " = "] {
        if let Some((name, bound)) = part.split_once(sign) {
            let count = stats.count(name);
            let bound: u64 = bound.parse().unwrap_or_else(|_| panic!("no number in `{part}`"));
            let holds = match sign {
                " <= " => count <= bound,
                " >= " => count >= bound,
                _ => count == bound,
            };
            return (!holds).then(|| format!("{name} is {count}"));
        }
    }
    panic!("what does `{part}` mean?")
}
