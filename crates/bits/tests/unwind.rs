//! Small programs with their answers: `safe` with a certificate that the checker accepts, and with none that is
//! mutilated; `unsafe` with a test.

use craig_base::{Budget, Stats};
use craig_bits::unwind::{Answer, check};
use craig_certificate::{Bounds, Obligation, Unwinding, check_unwinding, read_unwinding, write_unwinding};
use craig_program::Program;

fn load(name: &str, text: &str) -> Program {
    let options = craig_cfront::lower::Options::default();
    let texts = vec![(name.to_string(), text.as_bytes().to_vec())];
    let loaded = craig_cfront::load_texts(texts, craig_cfront::types::DataModel::Lp64, &options);
    loaded.program.unwrap_or_else(|| panic!("{}", loaded.diagnostics.render(&loaded.sources)))
}

fn answer(program: &Program) -> Answer {
    check(program, &Budget::unlimited(), &mut Stats::default())
}

/// The proof that the checker accepts.
fn proof(name: &str, program: &Program) -> Unwinding {
    let Answer::Safe(reached) = answer(program) else { panic!("{name} is safe") };
    let bounds = Bounds {
        loops: reached.iterations,
        calls: reached.depths,
        object: reached.largest,
        never: reached.never,
    };
    let budget = Budget::unlimited();
    let obligation = Obligation::new(program, &bounds, &budget).unwrap_or_else(|why| panic!("{name}: {why}"));
    let refutation = craig_sat::refute(obligation.variables, &obligation.clauses, 1 << 26, &budget);
    let refutation =
        refutation.expect("there is time").unwrap_or_else(|| panic!("{name}: not refuted")).lrat();
    let unwinding = Unwinding { bounds, refutation };
    let text = write_unwinding(program, &unwinding);
    let read = read_unwinding(program, &text).expect("what was written can be read");
    assert_eq!(check_unwinding(program, &read, &budget), Ok(()), "{name}");
    unwinding
}

#[test]
fn programs_of_firmware() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs");
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("programs").map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().to_string();
        let program = load(&name, &std::fs::read_to_string(&path).expect("a text"));
        if name.ends_with("bad") {
            assert!(matches!(answer(&program), Answer::Unsafe(_)), "{name} is unsafe");
        } else {
            proof(&name, &program);
        }
    }
}

const NONDET: &str = "extern int __VERIFIER_nondet_int(void); extern float __VERIFIER_nondet_float(void);
extern void reach_error(void); void *malloc(unsigned long); void free(void *);\n";

#[test]
fn errors_are_found_with_their_inputs() {
    for body in [
        "int x = __VERIFIER_nondet_int(); if (x * 7 == 21 && x != 3) reach_error(); if ((x ^ 0x5a) == 0x33) reach_error();",
        "int a[4]; int i = __VERIFIER_nondet_int(); if (i >= 0 && i < 4 && a[i] == 77) reach_error();",
        "int n = __VERIFIER_nondet_int(), s = 0; for (int i = 0; i < n; i++) s += i; if (s == 21) reach_error();",
        "float x = __VERIFIER_nondet_float(); if (x != x) reach_error();",
        "float x = __VERIFIER_nondet_float(); if (x > 0.0f && x + 1.0f == 1.0f) reach_error();",
        "int *p = malloc(8); p[1] = __VERIFIER_nondet_int(); if (p[0] == 5 && p[1] == 6) reach_error();",
        "int n = __VERIFIER_nondet_int(); if (n < 1 || n > 99) return 0; char *p = malloc(n); p[0] = 7; p[n - 1] = 1; if (n > 20 && p[0] == 7 && p[n - 2] == 5) reach_error();",
        "union { unsigned u; unsigned char b[4]; } u; u.u = __VERIFIER_nondet_int(); if (u.b[2] == 0xab) reach_error();",
    ] {
        let program = load("unsafe", &format!("{NONDET} int main(void) {{ {body} return 0; }}"));
        match answer(&program) {
            Answer::Unsafe(_) => {}
            Answer::Safe(_) => panic!("safe: {body}"),
            Answer::NotReplayed(why) => panic!("not replayed: {body}: {why}"),
            Answer::Unknown(why) => panic!("{why}: {body}"),
        }
    }
}

#[test]
fn complete_unwindings_are_proofs() {
    for body in [
        "int x = __VERIFIER_nondet_int(); if ((x & 0xf0) > 0xf0) reach_error();",
        "unsigned x = __VERIFIER_nondet_int(); unsigned n = x % 7 + 1; unsigned i = x / 3; if (i % n >= n) reach_error();",
        "int a[4]; int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; a[i] = 1; if (a[i] != 1) reach_error();",
        "int n = __VERIFIER_nondet_int(); if (n < 0 || n > 9) return 0; int s = 0; for (int i = 0; i < n; i++) s += 2; if (s != 2 * n) reach_error();",
        "float x = __VERIFIER_nondet_float(); if (x >= 1.0f && x <= 2.0f && x * 2.0f < 2.0f) reach_error();",
        "int x = __VERIFIER_nondet_int(); if (x > -1000 && x < 1000 && (int)(float)x != x) reach_error();",
        "int *p = malloc(4); *p = 3; int *q = malloc(4); *q = 4; if (__VERIFIER_nondet_int()) p = q; if (*p != 3 && *p != 4) reach_error(); while (1) ;",
        "int n = __VERIFIER_nondet_int(); if (n < 1 || n > 6) return 0; char *p = malloc(n), *q = malloc(2 * n); p[n - 1] = 1; q[2 * n - 1] = 2; if (p[n - 1] != 1) reach_error();",
        "short s = __VERIFIER_nondet_int(); int x = s; x = x < 0 ? -x : x; if (x > 32768) reach_error();",
    ] {
        let program = load("safe", &format!("{NONDET} int main(void) {{ {body} return 0; }}"));
        proof(body, &program);
    }
}

#[test]
fn mutilated_certificates_are_rejected() {
    let text = "int n = __VERIFIER_nondet_int(); if (n < 0 || n > 5) return 0; int s = 0; while (n > 0) { s += n; n--; } if (s > 15) reach_error();";
    let program = load("loop", &format!("{NONDET} int main(void) {{ {text} return 0; }}"));
    let unwinding = proof("loop", &program);
    let budget = Budget::unlimited();
    // Fewer iterations than there are: no refutation is one.
    let mut short = unwinding.clone();
    short.bounds.loops.values_mut().for_each(|times| *times = 4);
    assert!(check_unwinding(&program, &short, &budget).is_err());
    let obligation = Obligation::new(&program, &short.bounds, &budget).expect("an unwinding");
    let refuted = craig_sat::refute(obligation.variables, &obligation.clauses, 1 << 26, &budget);
    assert!(matches!(refuted, Ok(None)), "a run leaves the bounds");
    // An object that gets larger than the bound says.
    let text = "int n = __VERIFIER_nondet_int(); if (n < 1 || n > 6) return 0; char *p = malloc(n); p[n - 1] = 1; if (p[n - 1] != 1) reach_error();";
    let variable = load("object", &format!("{NONDET} int main(void) {{ {text} return 0; }}"));
    let mut bounds = proof("object", &variable).bounds;
    bounds.object = 5;
    let obligation = Obligation::new(&variable, &bounds, &budget).expect("an unwinding");
    let refuted = craig_sat::refute(obligation.variables, &obligation.clauses, 1 << 26, &budget);
    assert!(matches!(refuted, Ok(None)), "an object is larger");
    // A refutation without its end, and one of another program.
    let mut cut = unwinding.clone();
    let end = cut.refutation.trim_end().rfind('\n').unwrap_or(0);
    cut.refutation.truncate(end);
    assert!(check_unwinding(&program, &cut, &budget).is_err());
    let other =
        load("loop", &format!("{NONDET} int main(void) {{ {} return 0; }}", text.replace("15", "14")));
    assert!(check_unwinding(&other, &unwinding, &budget).is_err());
}

/// An access through a pointer into a list means the nodes that it can point to, and not every byte of every object.
#[test]
fn pointers_have_few_values() {
    let text = format!(
        "{NONDET} struct node {{ int value; struct node *next; }};
        int main(void) {{
            struct node *list = 0, *reversed = 0;
            int last = 0, count = __VERIFIER_nondet_int();
            for (int i = 0; i < count && i < 4; i++) {{
                struct node *node = malloc(sizeof *node);
                if (!node) return 0;
                node->value = last = __VERIFIER_nondet_int();
                node->next = list;
                list = node;
            }}
            while (list) {{
                struct node *next = list->next;
                list->next = reversed;
                reversed = list;
                list = next;
            }}
            while (reversed && reversed->next) reversed = reversed->next;
            if (reversed && reversed->value != last) reach_error();
            return 0;
        }}"
    );
    let program = load("list", &text);
    let Unwinding { bounds, .. } = proof("list", &program);
    let obligation = Obligation::new(&program, &bounds, &Budget::unlimited()).expect("an unwinding");
    assert!(obligation.variables < 10_000, "{} variables", obligation.variables);
}
