//! Formulas of executed blocks, on random programs of the own generator. Needs no compiler.

use craig_base::Budget;
use craig_cfront::{load_texts, lower, types};
use craig_difftest::encoding;
use craig_difftest::generate::{self, Features};
use craig_exec::{InputSite, Limits};
use craig_program::{Arithmetic, Program};
use std::time::Duration;

#[test]
fn the_blocks_that_random_programs_execute_hold() {
    let mut blocks = 0;
    for seed in 0..24 {
        let wrap = seed % 2 == 0;
        let text = generate::program(seed, Features { signed_left_shift: wrap, floats: seed % 3 == 0 });
        let model = if seed % 4 < 2 { types::DataModel::Lp64 } else { types::DataModel::Ilp32 };
        // What the preprocessor would do.
        let size_type = if model == types::DataModel::Lp64 { "unsigned long" } else { "unsigned int" };
        let text = text.replace("__SIZE_TYPE__", size_type);
        let arithmetic = if wrap { Arithmetic::Wrap } else { Arithmetic::AssumeNoOverflow };
        let options = lower::Options { arithmetic, ..lower::Options::default() };
        let loaded = load_texts(vec![("random.c".to_string(), text.into_bytes())], model, &options);
        let program =
            loaded.program.unwrap_or_else(|| panic!("{}", loaded.diagnostics.render(&loaded.sources)));
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(10));
        let limits = Limits { steps: 50_000, budget, ..Limits::default() };
        let mut next = 0x9e37_79b9_7f4a_7c15_u64;
        let mut oracle = |_: &Program, _: &InputSite| {
            next = next.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            Some(i128::from(next >> 8))
        };
        match encoding::check(&program, &mut oracle, &limits) {
            Ok(checked) => blocks += checked,
            Err(mismatch) => panic!("program {seed}: {mismatch}"),
        }
    }
    assert!(blocks > 100, "only {blocks} blocks were looked at");
}

/// The last state of a run may be the last one for which there is room.
#[test]
fn runs_of_about_as_many_states_as_are_recorded() {
    for iterations in 190..210 {
        let text = format!("int main(void) {{ int i = 0; while (i < {iterations}) i++; return i; }}");
        let options = lower::Options::default();
        let loaded =
            load_texts(vec![("loop.c".to_string(), text.into_bytes())], types::DataModel::Lp64, &options);
        let program = loaded.program.expect("a program without errors");
        let checked = encoding::check(&program, &mut |_, _| None, &Limits::default());
        assert!(checked.is_ok_and(|blocks| blocks > 180), "{iterations} iterations");
    }
}
