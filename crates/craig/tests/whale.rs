//! `whale`: contracts of McCarthy's function, termination on Boolean programs, call chains.

use craig::summary_cache;
use craig_base::{Budget, Stats};
use craig_cfront::lower;
use craig_cfront::types::DataModel;
use craig_engines::search::whale::{Config, Expansion, Interpolants};
use craig_engines::{Engine, Proof, Verdict, verify};
use craig_program::{Program, StateVar};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::Terms;
use std::fmt::Write;
use std::time::Duration;

fn configs() -> [Config; 6] {
    [
        Config::default(),
        Config { merge: false, ..Config::default() },
        Config { domain: false, ..Config::default() },
        Config { domain: false, tests: false, ..Config::default() },
        Config { expansion: Expansion::Paths, ..Config::default() },
        Config { interpolants: Interpolants::Tree, ..Config::default() },
    ]
}

fn program(text: &str) -> Program {
    let text = format!("void reach_error(void); int nondet(void); _Bool choose(void);\n{text}");
    let loaded = craig_cfront::load_texts(
        vec![("test.i".to_string(), text.into_bytes())],
        DataModel::Lp64,
        &lower::Options::default(),
    );
    loaded.program.expect("the program is C")
}

fn run(program: &Program, config: Config, stats: &mut Stats) -> Verdict {
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
    verify(program, Engine::Whale(config), &budget, stats)
}

fn name(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe(_) => "safe".to_string(),
        Verdict::Unsafe(_) => "unsafe".to_string(),
        Verdict::Unknown(reason) => format!("unknown: {reason}"),
    }
}

const MC91: &str = "int mc91(int p) { return p > 100 ? p - 10 : mc91(mc91(p + 11)); }";

/// Figure 6.1: the guard is `true`, the summary `r >= 91`. A domain knows an upper bound as well.
#[test]
fn mccarthy_91_has_the_contract_of_the_figure() {
    let program =
        program(&format!("{MC91} int main(void) {{ if (mc91(nondet()) < 91) reach_error(); return 0; }}"));
    for config in configs() {
        let verdict = run(&program, config, &mut Stats::default());
        let Verdict::Safe(proof) = verdict else { panic!("{config:?}: {}", name(&verdict)) };
        let Proof::Summaries { mut terms, summaries } = *proof else { panic!("contracts were asked for") };
        let (id, proc) = program.procs.enumerated().find(|(_, proc)| &*proc.name == "mc91").expect("mc91");
        let contract = &summaries.contracts[&id];
        let result = StateVar::Var(proc.result.expect("mc91 returns something"));
        let result = craig_certificate::state::initial(&mut terms, &program, result);
        let bound = terms.int(91);
        let expected = terms.ge(result, bound);
        assert_eq!(contract.requires, Terms::TRUE, "{config:?}");
        let as_wanted = if config.domain {
            terms.implies(contract.ensures, expected)
        } else {
            terms.eq(contract.ensures, expected)
        };
        let different = terms.not(as_wanted);
        let mut solver = NativeSolver::default();
        solver.assert(&mut terms, different);
        assert_eq!(solver.check(&mut terms, &[], &Budget::unlimited()), Answer::Unsat, "{config:?}");
    }
}

#[test]
fn loops_are_tail_recursion() {
    let safe = "int main(void) { int x = 0, y = 0, n = nondet(); while (x < n) { x++; y++; }
        if (n > 0 && y != n) reach_error(); return 0; }";
    let nested = "int g; void work(int n) { while (n > 0) { int m = n; while (m > 0) { m--; g = 1; } n--; } }
        int main(void) { work(nondet()); if (g > 1) reach_error(); return 0; }";
    for config in configs() {
        for (text, expected) in [
            (safe, "safe"),
            (&safe.replace("y != n", "y == 3")[..], "unsafe"),
            (nested, "safe"),
            (&nested.replace("g = 1", "g = g + 1")[..], "unsafe"),
        ] {
            let verdict = run(&program(text), config, &mut Stats::default());
            assert_eq!(name(&verdict), expected, "{config:?}: {text}");
        }
    }
}

/// Each function calls the next one twice: inlining doubles at each level.
#[test]
fn a_call_chain_needs_linearly_many_refinements() {
    for depth in [5, 10, 20, 30] {
        let mut text = format!("int f{depth}(int x) {{ return x + 1; }}\n");
        for i in (1..depth).rev() {
            let next = i + 1;
            let _ = writeln!(text, "int f{i}(int x) {{ return f{next}(f{next}(x)) - 1; }}");
        }
        text.push_str("int main(void) { int x = nondet(); if (f1(x) != x + 1) reach_error(); return 0; }");
        for config in configs() {
            let mut stats = Stats::default();
            let verdict = run(&program(&text), config, &mut stats);
            assert_eq!(name(&verdict), "safe", "{config:?}, depth {depth}");
            let refinements = stats.count("refinements");
            assert!(refinements <= 6 * depth, "{config:?}, depth {depth}: {refinements}");
        }
    }
}

/// A function with a loop for each number; the fourth counts in steps of `step`.
fn family(step: i32) -> Program {
    let mut text = String::new();
    for i in 0..8 {
        let step = if i == 4 { step } else { 1 };
        let _ = writeln!(
            text,
            "int w{i}(int n) {{ int a = 0, b = 0; while (a < n) {{ a++; b += {step}; }}
            if (b < 0) reach_error(); return b; }}"
        );
    }
    text.push_str("int main(void) { int s;");
    for i in 0..8 {
        let _ = writeln!(text, "s = w{i}(nondet()); if (s < 0) reach_error();");
    }
    text.push_str("return 0; }");
    program(&text)
}

#[test]
fn what_did_not_change_is_not_searched_again() {
    let folder = std::env::temp_dir().join(format!("craig-cache-{}", std::process::id()));
    let budget = Budget::unlimited().with_timeout(Duration::from_secs(60));
    let (first, edited) = (family(1), family(2));
    assert!(summary_cache::recall(&folder, &first, &budget, &mut Stats::default()).is_none());
    let mut stats = Stats::default();
    let Verdict::Safe(proof) = run(&first, Config::default(), &mut stats) else {
        panic!("the family is safe")
    };
    let Proof::Summaries { terms, summaries } = *proof else { panic!("contracts were asked for") };
    summary_cache::store(&folder, &first, &terms, &summaries).expect("a folder for the cache");
    let mut again = Stats::default();
    let verdict = summary_cache::recall(&folder, &edited, &budget, &mut again).expect("an answer");
    assert_eq!(name(&verdict), "safe");
    assert_eq!(again.count("known procedures"), 8);
    assert!(again.count("refinements") * 3 < stats.count("refinements"), "{again:?} {stats:?}");
    // A mistake is no longer covered by what is known, and rubbish in the folder is ignored.
    let broken = family(-1);
    assert!(summary_cache::recall(&folder, &broken, &budget, &mut Stats::default()).is_none());
    for entry in std::fs::read_dir(&folder).expect("the folder").flatten() {
        std::fs::write(entry.path(), "; craig contract 1\n(assert (! false :named ensures))")
            .expect("a file");
    }
    assert!(summary_cache::recall(&folder, &edited, &budget, &mut Stats::default()).is_none());
    std::fs::remove_dir_all(folder).expect("the folder is ours");
}

/// Theorem 6.1: it ends on Boolean programs. Both answers come with a checked certificate.
#[test]
fn boolean_programs_are_decided() {
    let (mut safe, mut unsafe_) = (0, 0);
    for seed in 0..60 {
        let text = Generator { state: seed }.program();
        let program = program(&text);
        for config in &configs()[..4] {
            let verdict = run(&program, *config, &mut Stats::default());
            match verdict {
                Verdict::Safe(_) => safe += 1,
                Verdict::Unsafe(_) => unsafe_ += 1,
                Verdict::Unknown(reason) => panic!("seed {seed}, {config:?}: {reason}\n{text}"),
            }
        }
    }
    assert!(safe > 10 && unsafe_ > 10, "{safe} safe, {unsafe_} unsafe");
}

/// Random recursive programs over Boolean variables.
struct Generator {
    state: u64,
}

impl Generator {
    fn below(&mut self, bound: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % bound
    }

    fn var(&mut self) -> &'static str {
        ["g", "h", "p", "q", "x"][self.below(5) as usize]
    }

    fn condition(&mut self) -> String {
        let (a, b) = (self.var(), self.var());
        match self.below(5) {
            0 => format!("!{a}"),
            1 => format!("({a} && {b})"),
            2 => format!("({a} || !{b})"),
            3 => format!("({a} != {b})"),
            _ => a.to_string(),
        }
    }

    fn statement(&mut self, depth: u32) -> String {
        let target = self.var();
        match self.below(if depth == 0 { 4 } else { 7 }) {
            0 => format!("{target} = choose();"),
            1 | 2 => format!("{target} = {};", self.condition()),
            3 => {
                let function = self.below(3);
                format!("{target} = f{function}({}, {});", self.condition(), self.condition())
            }
            4 => format!("while ({}) {{ {} }}", self.condition(), self.block(depth - 1)),
            5 if self.below(3) == 0 => {
                format!("if ({} && {}) reach_error();", self.condition(), self.condition())
            }
            _ => format!(
                "if ({}) {{ {} }} else {{ {} }}",
                self.condition(),
                self.block(depth - 1),
                self.block(depth - 1)
            ),
        }
    }

    fn block(&mut self, depth: u32) -> String {
        let count = 1 + self.below(3);
        (0..count).map(|_| self.statement(depth)).collect::<Vec<_>>().join(" ")
    }

    fn program(mut self) -> String {
        let mut text = String::from("_Bool g, h;\n");
        for function in 0..3 {
            let _ = writeln!(text, "_Bool f{function}(_Bool p, _Bool q);");
        }
        for function in 0..3 {
            let (body, result) = (self.block(2), self.condition());
            let _ = writeln!(
                text,
                "_Bool f{function}(_Bool p, _Bool q) {{ _Bool x = 0; {body} return {result}; }}"
            );
        }
        let (body, last) = (self.block(2), self.condition());
        let _ = writeln!(
            text,
            "int main(void) {{ _Bool p = 0, q = 1, x = 0; {body} if ({last} && g) reach_error(); return 0; }}"
        );
        text
    }
}
