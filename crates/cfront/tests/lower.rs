//! Every program in `tests/lower` is lowered for both data models and run. Its first lines say what must
//! come out: `// returns N`, `// reaches error`, `// ends` (by `exit`), `// no memory` if no region may be
//! left, `// closed` if inputs decide nothing, and `// assumes TEXT` for what an answer rests on.

use craig_cfront::types::DataModel;
use craig_cfront::{load, lower, preprocess};
use craig_exec::{Detail, Executable, Limits, Outcome, RandomOracle, only_outcome};
use craig_program::{Program, validate};

fn lowered(path: &std::path::Path, model: DataModel) -> Program {
    let options = lower::Options { malloc_never_fails: true, ..lower::Options::default() };
    let loaded = load(&[path], &preprocess::Options::new(model), &options);
    loaded.program.unwrap_or_else(|| panic!("{}", loaded.diagnostics.render(&loaded.sources)))
}

fn programs() -> Vec<std::path::PathBuf> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lower");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the folder exists").map(|e| e.expect("readable").path()).collect();
    paths.sort();
    paths
}

#[test]
fn programs_mean_what_they_say() {
    for path in programs() {
        let text = std::fs::read_to_string(&path).expect("readable");
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let what = format!("{} {model:?}", path.display());
            let program = lowered(&path, model);
            assert_eq!(validate(&program), Vec::<String>::new(), "{what}");
            if text.contains("\n// no memory") {
                assert_eq!(program.regions.len(), 0, "{what}");
            }
            for assumed in text.lines().filter_map(|line| line.strip_prefix("// assumes ")) {
                assert!(program.notes.iter().any(|note| note.text == assumed), "{what}: {:?}", program.notes);
            }
            let only = only_outcome(&program, &Limits { steps: 10_000_000, ..Limits::default() });
            assert!(!text.contains("\n// closed") || only.is_end(), "{what}: {}", only.describe(&program));
            let executable = Executable::new(&program, Detail::Outcome).checking_regions();
            for seed in 0..8 {
                let mut oracle = RandomOracle::new(&program, seed);
                let run = executable.run(&mut oracle, &Limits { steps: 10_000_000, ..Limits::default() });
                let outcome = run.outcome.describe(&program);
                assert!(
                    !only.is_end() || only == run.outcome,
                    "{what}: {outcome}, but another one is possible"
                );
                assert!(run.region_violations.is_empty(), "{what}: {:?}", run.region_violations);
                let expected = text.lines().next().unwrap_or_default();
                let as_expected = match (expected, run.outcome) {
                    ("// reaches error", Outcome::ReachedError(_)) | ("// ends", Outcome::Ended(_)) => true,
                    (_, Outcome::Returned(Some(value))) => {
                        expected.trim_end_matches(" or ends") == format!("// returns {value}")
                    }
                    (_, Outcome::Ended(_)) => expected.ends_with(" or ends"),
                    _ => false,
                };
                assert!(as_expected, "{what}: {expected}, but {outcome}");
            }
        }
    }
}

#[test]
fn lowering_is_deterministic() {
    for path in programs() {
        let [first, second] = [(); 2].map(|()| lowered(&path, DataModel::Lp64).to_string());
        assert_eq!(first, second, "{}", path.display());
    }
}
