//! Proofs that say nothing come with a warning, and others do not.

use craig::{CheckKind, Options, Source, Verdict};

const HEAD: &str =
    "void reach_error(void); int any(void); void __VERIFIER_assume(int); void exit(int); typedef __typeof__(sizeof(0)) size_t;
    void *memset(void *, int, size_t);\n";

/// Whether the program, which is safe, is said to have no run.
fn is_vacuous(body: &str) -> bool {
    let mut source = Source::text(format!("{HEAD}{body}"));
    source.checks = vec![CheckKind::Error];
    let report = craig::check(&source, &Options::default()).expect("an answer");
    assert_eq!(report.verdict, Verdict::Safe, "{body}");
    let warned = report.warnings.iter().any(|warning| warning.text.starts_with("what is assumed ends"));
    assert_eq!(report.vacuous, warned, "{body}");
    warned
}

#[test]
fn assumptions_that_end_every_run_are_said() {
    for body in [
        "int main(void) { int x = any(); __VERIFIER_assume(x > 5); __VERIFIER_assume(x < 3); if (x == 4) reach_error(); }",
        "int main(void) { char *s = \"a\"; s[0] = 'b'; if (s[0] == 'b') reach_error(); return 0; }",
        "int main(void) { int x = any(), a[4]; memset(a, 0, sizeof a); __VERIFIER_assume(x * 2 == 7); reach_error(); }",
        "static int f(int x) { __VERIFIER_assume(x != x); return x; } int main(void) { if (f(any())) reach_error(); exit(0); }",
    ] {
        assert!(is_vacuous(body), "{body}");
    }
}

#[test]
fn programs_with_a_run_are_not_accused() {
    for body in [
        "int main(void) { int x = any(); __VERIFIER_assume(x == 123456789); if (x == 4) reach_error(); return 0; }",
        "int main(void) { int x = any(); __VERIFIER_assume(x == 123456789); if (x == 4) reach_error(); exit(0); }",
        "int main(void) { int x = any(); __VERIFIER_assume(x == 123456789); while (1) if (x == 4) reach_error(); }",
        "int main(void) { while (1) { int x = any(); __VERIFIER_assume(x == 123456789); if (x == 4) reach_error(); } }",
        "static int f(int x) { return f(x); } int main(void) { int x = any(); __VERIFIER_assume(x == 123456789); f(x); reach_error(); }",
        "int main(void) { int x = any(); if (x == 3) { __VERIFIER_assume(x > 3); reach_error(); } return 0; }",
    ] {
        assert!(!is_vacuous(body), "{body}");
    }
}
