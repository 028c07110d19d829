//! Proofs by induction: what is written can be read and is accepted, nothing that was changed is, and of a program that
//! fails no invariants and no depth make a proof, nor do invariants with frames.

use craig_base::{Budget, Stats};
use craig_certificate::{
    Induction, Invariant, Obligation, Rejection, check_induction, check_invariant, read_induction,
    write_induction,
};
use craig_engines::{Engine, Proof, Verdict, verify};
use craig_program::encode::StateNames;
use craig_program::{FloatType, Inlined, Program, Scope, StateVar, Type, VarId, Wto, inline};
use craig_term::{TermId, Terms};
use std::sync::Arc;
use std::time::Duration;

fn load(body: &str) -> Program {
    let text = format!(
        "extern int nondet(void); extern void reach_error(void);
         void *malloc(unsigned long); void free(void *);\n{body}"
    );
    let options = craig_cfront::lower::Options::default();
    let texts = vec![("test.c".to_string(), text.into_bytes())];
    let loaded = craig_cfront::load_texts(texts, craig_cfront::types::DataModel::Lp64, &options);
    loaded.program.unwrap_or_else(|| panic!("{}", loaded.diagnostics.render(&loaded.sources)))
}

fn proof(body: &str) -> (Terms, Arc<Inlined>, Induction) {
    let program = load(body);
    let verdict = verify(&program, Engine::Induction, &Budget::unlimited(), &mut Stats::default());
    match verdict {
        Verdict::Safe(proof) => match *proof {
            Proof::Induction { terms, inlined, induction } => (terms, inlined, induction),
            _ => panic!("another kind of proof: {body}"),
        },
        Verdict::Unsafe(_) => panic!("unsafe: {body}"),
        Verdict::Unknown(reason) => panic!("{reason}: {body}"),
    }
}

/// Whether the checker's clauses have a refutation.
fn is_refutable(terms: &mut Terms, program: &Program, induction: &Induction) -> Option<bool> {
    let budget = Budget::unlimited();
    let obligation = Obligation::of_induction(terms, program, induction, &budget).ok()?;
    let refuted = craig_sat::refute(obligation.variables, &obligation.clauses, 1 << 26, &budget);
    Some(refuted.expect("there is time").is_some())
}

const CRC: &str = "int main(void) { unsigned crc = 0xff; while (nondet()) { crc ^= nondet() & 0xff;
    for (int i = 0; i < 8; i++) crc = crc & 0x80 ? (crc << 1 ^ 0x07) & 0xff : crc << 1; }
    if (crc > 0xff) reach_error(); return 0; }";

/// Needs two iterations in a row.
const MULTIPLE: &str =
    "int main(void) { unsigned x = 0, y = 0; while (nondet()) { unsigned m = nondet() & 0xff;
    x += m; y += m * 5; if (y != x * 5) reach_error(); } return 0; }";

/// Needs bounds of a float.
const FILTER: &str = "extern float input(void); int main(void) { float y = 0; while (nondet()) { float x = input();
    if (!(x >= -1 && x <= 1)) continue; y = 0.5f * y + 0.5f * x; if (!(y <= 2 && y >= -2)) reach_error(); } return 0; }";

#[test]
fn proofs_are_read_as_they_were_written() {
    for (body, depth) in [(CRC, 1), (MULTIPLE, 2), (FILTER, 1)] {
        let (terms, inlined, induction) = proof(body);
        assert_eq!(induction.depth, depth, "{body}");
        let text = write_induction(&terms, &inlined.program, &induction);
        let mut own = Terms::new();
        let read = read_induction(&mut own, &inlined.program, &text).expect("what was written");
        let budget = Budget::unlimited();
        assert_eq!(check_induction(&mut own, &inlined.program, &read, &budget), Ok(()));
        assert_eq!(write_induction(&own, &inlined.program, &read), text);
    }
}

#[test]
fn changed_proofs_are_rejected() {
    let budget = Budget::unlimited();
    let (mut terms, inlined, induction) = proof(CRC);
    let program = &inlined.program;
    let mut check = |changed: &Induction| check_induction(&mut terms, program, changed, &budget);
    assert_eq!(check(&induction), Ok(()));
    let changed = |change: &dyn Fn(&mut Induction)| {
        let mut changed = induction.clone();
        change(&mut changed);
        changed
    };
    for weaker in [
        // Without its invariant, with one that does not hold, without the bound of the inner loop, or its end.
        changed(&|proof| proof.invariant.formulas.values_mut().for_each(|formula| *formula = Terms::TRUE)),
        changed(&|proof| proof.invariant.formulas.values_mut().for_each(|formula| *formula = Terms::FALSE)),
        changed(&|proof| proof.invariant.formulas.clear()),
        changed(&|proof| proof.bounds.loops.clear()),
        changed(&|proof| proof.depth = 0),
        changed(&|proof| proof.refutation.clear()),
        changed(&|proof| {
            let end = proof.refutation.trim_end().rfind('\n').unwrap_or(0);
            proof.refutation.truncate(end);
        }),
    ] {
        assert!(check(&weaker).is_err());
    }
    // No other member's refutation helps either.
    let mut no_bound = changed(&|proof| proof.bounds.loops.values_mut().for_each(|times| *times = 7));
    assert_eq!(is_refutable(&mut terms, program, &no_bound), Some(false));
    no_bound.invariant.formulas.clear();
    assert_eq!(is_refutable(&mut terms, program, &no_bound), Some(false));
    let (mut terms, inlined, induction) = proof(MULTIPLE);
    let shallow = Induction { depth: 1, ..induction };
    assert_eq!(is_refutable(&mut terms, &inlined.program, &shallow), Some(false));
}

#[test]
fn bounds_of_floats_are_for_floats_of_their_order() {
    let (mut terms, inlined, mut induction) = proof(FILTER);
    let program = &inlined.program;
    let is_y = |&&var: &&VarId| &*program.vars[var].name == "y";
    let y = *inlined.proc().locals.iter().find(is_y).expect("a variable");
    let y = StateNames::default().current(program, &mut terms, StateVar::Var(y));
    let mut is_proof = |least: f32, most: f32| {
        let rank = |value: f32| FloatType::F32.rank(value.to_bits().into());
        let (least, most) = (terms.int(rank(least)), terms.int(rank(most)));
        let parts = [terms.le(least, y), terms.le(y, most)];
        let within = terms.and(&parts);
        induction.invariant.formulas.values_mut().for_each(|formula| *formula = within);
        is_refutable(&mut terms, program, &induction)
    };
    assert_eq!(is_proof(-1.0, 1.0), Some(true));
    assert_eq!(is_proof(-1.5, 1.25), Some(true));
    // Not kept; nor strong enough.
    assert_eq!(is_proof(-1.0, 0.5), Some(false));
    assert_eq!(is_proof(0.0, 1.0), Some(false));
    assert_eq!(is_proof(-4.0, 4.0), Some(false));
    // No proof of another kind may speak of floats.
    let judgement = check_invariant(&mut terms, program, &induction.invariant, &Budget::unlimited());
    assert!(matches!(judgement, Err(Rejection::ForeignSymbol { .. })));
}

/// Programs that fail, after some iterations.
const FAILING: [&str; 12] = [
    "int main(void) { int x = 0; while (nondet()) { x++; if (x == 5) reach_error(); } return 0; }",
    "int main(void) { int x = 0; while (x < 4) x++; if (x == 4) reach_error(); return 0; }",
    "int main(void) { int x = 0, i = 0; while (nondet()) { for (i = 0; i < 3; i++) x++; if (x == 6) reach_error(); } return 0; }",
    "int main(void) { int x = 0, y = 0; while (nondet()) x ^= 1; while (nondet()) { y = x; x = 0; } if (y) reach_error(); return 0; }",
    "int a[4]; int main(void) { int x = 0; while (x < 4) { a[x] = x; x++; } if (a[3] == 3) reach_error(); return 0; }",
    "struct s { int x, y; } g; static void f(struct s *p) { p->x++; } int main(void) { while (nondet()) { f(&g); if (g.x == 3 && g.y == 0) reach_error(); } return 0; }",
    "int main(void) { int x = 0; if (nondet()) goto inside; while (x < 9) { x = 3; inside: x++; if (x == 4) reach_error(); } return 0; }",
    "int main(void) { int *p = malloc(8), x = 0; if (!p) return 0; *p = 0; while (nondet()) { x = (*p)++; if (x == 2) reach_error(); } return 0; }",
    "int main(void) { float y = 0; while (nondet()) { y = y * 0.5f + 1; if (y > 1.5f) reach_error(); } return 0; }",
    "int main(void) { float t = 0; while (t < 1) t += 0.25f; if (t == 1) reach_error(); return 0; }",
    "extern float input(void); int main(void) { float y = 0; while (nondet()) y = input(); if (y != y) reach_error(); return 0; }",
    "int main(void) { int x = 1; do { if (x == 8) break; x <<= 1; } while (1); if (x == 8) reach_error(); return 0; }",
];

#[test]
fn no_invariants_prove_what_fails() {
    for body in FAILING {
        let program = load(body);
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(1));
        let verdict = verify(&program, Engine::Induction, &budget, &mut Stats::default());
        assert!(!matches!(verdict, Verdict::Safe(_)), "{body}");
        let inlined = inline(&program, 1000).expect("a small program");
        let (program, proc) = (&inlined.program, inlined.proc());
        let heads = Wto::new(&proc.graph(), proc.entry).components;
        let mut terms = Terms::new();
        let mut names = StateNames::default();
        let mut numbers: Vec<(TermId, Type)> = Vec::new();
        for (var, declared) in program.vars.enumerated() {
            let is_here = matches!(declared.scope, Scope::Local(owner) if owner == program.entry);
            if is_here && matches!(declared.ty, Type::Int(_) | Type::Float(_)) {
                numbers.push((names.current(program, &mut terms, StateVar::Var(var)), declared.ty));
            }
        }
        let mut formulas = vec![Terms::TRUE, Terms::FALSE];
        for (number, ty) in numbers {
            for value in [0, 1, 3, 4, 8] {
                let value = match ty {
                    Type::Float(ty) => ty.rank(ty.nearest(f64::from(value).into())),
                    _ => i128::from(value),
                };
                let value = terms.int(value);
                formulas.extend([terms.le(number, value), terms.le(value, number), terms.eq(number, value)]);
                let eight = terms.int(8);
                let rest = terms.modulo(number, eight);
                formulas.push(terms.le(rest, value));
            }
        }
        for depth in 1..=3 {
            for cut in 1..1u32 << heads.len() {
                for &formula in &formulas {
                    let chosen = heads.iter().enumerate().filter(|(i, _)| cut >> i & 1 != 0);
                    let formulas = chosen.map(|(_, component)| (component.head, formula)).collect();
                    let mut invariant = Invariant { formulas, frames: true };
                    let judgement = check_invariant(&mut terms, program, &invariant, &Budget::unlimited());
                    assert!(judgement.is_err(), "{body}: {} with frames", terms.to_smtlib(formula));
                    invariant.frames = false;
                    let mut induction = Induction { depth, invariant, ..Induction::default() };
                    let bounded = heads.iter().map(|component| ((program.entry, component.head), 9));
                    induction.bounds.loops = bounded.collect();
                    let refutable = is_refutable(&mut terms, program, &induction);
                    assert_ne!(refutable, Some(true), "{body}: {}", terms.to_smtlib(formula));
                }
            }
        }
    }
}
