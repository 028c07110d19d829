//! What an answer takes for granted is listed exactly when it does: for each assumption a program that depends on it, and
//! one much like it that does not.

use craig::{Arithmetic, CheckKind, DataModel, Options, Source, TestOptions, Verdict};

const HEAD: &str = "extern void reach_error(void); extern int any(void); typedef __typeof__(sizeof(0)) size_t;
    void *malloc(size_t); void *realloc(void *, size_t); void free(void *); int sprintf(char *, const char *, ...);
    int snprintf(char *, size_t, const char *, ...); double strtod(const char *, char **); double sin(double); double sqrt(double);
    int sscanf(const char *, const char *, ...); void outside(int *); void call(void (*)(void)); int *pointer(void);\n";

/// Words of the assumption; the body of `main` that depends on it, and one that does not; what else is asked for.
type Row = (&'static str, &'static str, &'static str, fn(&mut Source));

fn as_it_is(_: &mut Source) {}

fn errors_only(source: &mut Source) {
    source.checks = vec![CheckKind::Error];
}

fn wrapping(source: &mut Source) {
    errors_only(source);
    source.arithmetic = Arithmetic::Wrap;
}

fn without_failing_malloc(source: &mut Source) {
    errors_only(source);
    source.malloc_never_fails = true;
}

fn small_pointers(source: &mut Source) {
    errors_only(source);
    source.data_model = Some(DataModel::Ilp32);
}

/// Each of these programs is safe.
const PROOFS: &[Row] = &[
    (
        "new objects from outside hold any bytes",
        "struct n { struct n *next; } *get(void), *p = get(); if (p && p->next && p->next->next == 0) reach_error();",
        "struct n { unsigned char v; } *get(void), *p = get(); if (p && p->v * 2 == 3) reach_error();",
        errors_only,
    ),
    (
        "no signed integer overflows",
        "int x = any(); if (x + 1 < x) reach_error();",
        "int x = any() & 7; if ((unsigned)x > 7) reach_error();",
        errors_only,
    ),
    (
        "no signed integer overflows",
        "int x = any(); if (x > 5 && x - 7 > x) reach_error();",
        "unsigned x = any(); if (x / 2 > x) reach_error();",
        errors_only,
    ),
    (
        "the least number of a type is not divided by -1",
        "int x = any(), y = any(); if (y == 0) return 0; int z = x / y; if (x == -2147483647 - 1 && y == -1) reach_error(); return z;",
        "int x = any(); if (x / 3 > 800000000) reach_error();",
        wrapping,
    ),
    (
        "no signed integer overflows where a pragma turns the check off",
        "int x = any(), y;\n#pragma CPROVER check push\n#pragma CPROVER check disable \"signed-overflow\"\ny = x + 1;\n#pragma CPROVER check pop\nif (y < x) reach_error();",
        "int x = any() & 7, y;\n#pragma CPROVER check push\n#pragma CPROVER check disable \"signed-overflow\"\ny = x / 2;\n#pragma CPROVER check pop\nif (y + x > 11) reach_error();",
        as_it_is,
    ),
    (
        "live objects is read, written or freed where a pragma turns the check off",
        "int a[2] = { 0, 0 }, b[2] = { 0, 0 }, i = any();\n#pragma CPROVER check disable \"pointer\"\na[i] = 1;\n#pragma CPROVER check enable \"pointer\"\nif (b[1]) reach_error();",
        "int a[2] = { 0, 0 }, i = any() & 1;\n#pragma CPROVER check disable \"pointer\"\ni ^= 1;\n#pragma CPROVER check enable \"pointer\"\na[i] = 1; if (a[1] > 1) reach_error();",
        as_it_is,
    ),
    (
        "divided by zero",
        "int x = any(); int y = 5 / x; if (x == 0) reach_error(); return y;",
        "int x = any(); int y = x / 5; if (y > x && x > 0) reach_error();",
        wrapping,
    ),
    (
        "no shift is by",
        "int x = any(); int y = 1 << x; if (x == 40) reach_error(); return y;",
        "unsigned x = any(); if (x >> 4 > x) reach_error();",
        errors_only,
    ),
    (
        "no floating number is converted",
        "double d = any(); int x = d * 4.0; if (d > 1e10) reach_error(); return x;",
        "int x = any(); double d = x; if (d > 3e10) reach_error();",
        errors_only,
    ),
    (
        "no memory outside of live objects",
        "int a[3] = {0}; int i = any(); a[i] = 1; if (i > 2) reach_error();",
        "int a[3] = {0}; a[1] = 1; if (a[2]) reach_error();",
        errors_only,
    ),
    (
        "no memory outside of live objects",
        "int *p = malloc(4); if (p) { free(p); } if (!p && any() == 3 && any() == 4 && p) reach_error();",
        "static int x; x = 3; if (x != 3) reach_error();",
        errors_only,
    ),
    (
        "no run needs more addresses than there are",
        "for (int i = 0; i < 10; i++) { char *p = malloc(0x30000000); if (!p) return 0; free(p); } reach_error();",
        "char *p = malloc(30); if (p && p == 0) reach_error();",
        small_pointers,
    ),
    (
        "never fails",
        "char *p = malloc(3); if (!p) reach_error();",
        "char c = 0, *p = &c; if (!p) reach_error();",
        without_failing_malloc,
    ),
    (
        "objects lie where Craig puts them",
        "int a, b; if ((unsigned long)&a == 1234567) reach_error(); b = a;",
        "static int a; a = 3; if (a != 3) reach_error();",
        errors_only,
    ),
    (
        "objects lie where Craig puts them",
        "static int a[4], b[4]; int *p = any() ? a : b; if (p < b + 4 && p - a == 77) reach_error();",
        "static int a[4], b[4]; b[1] = 1; for (int *p = a; p < a + 4; p++) if (p - a > 3 || *p) reach_error();",
        errors_only,
    ),
    (
        "objects lie where Craig puts them",
        "char *a[2]; for (int i = 0; i < 2; i++) a[i] = malloc(4); if (a[0] && a[1] && a[0] - a[1] == 77) reach_error();",
        "char *a = malloc(4), *e = a + 4; if (!a) return 0; for (char *p = a; p < e; p++) if (p - a > 3) reach_error();",
        errors_only,
    ),
    (
        "objects lie where Craig puts them",
        "char *p = malloc(3); if (!p) return 0; char *q = realloc(p, 9); if (q && q == p && any() == 3 && !q) reach_error();",
        "char *p = malloc(3); if (!p) return 0; p[1] = 1; char *q = realloc(p, 9); if (q && q[1] != 1) reach_error();",
        errors_only,
    ),
    (
        "objects lie where Craig puts them",
        "static int a[2], b[2]; if (a + 2 == b) reach_error(); a[0] = b[0];",
        "static int a[2], b[2]; if (a + 1 == b || a == b || a + 2 - a != 2) reach_error(); a[0] = b[0];",
        errors_only,
    ),
    (
        "objects lie where Craig puts them",
        "static int a; if (&a == (int *)1234567) reach_error(); a = 1;",
        "static int a; if (&a == (int *)-1) reach_error(); a = 1;",
        errors_only,
    ),
    (
        "objects lie where Craig puts them",
        "const char *p = any() ? \"abc\" : \"xc\"; if (p + 1 == \"bc\") reach_error();",
        "const char *p = any() ? \"abc\" : \"xc\"; if (p == \"cd\") reach_error();",
        errors_only,
    ),
    (
        "objects lie where Craig puts them",
        "static int a; static unsigned long at = (unsigned long)&a; if (at == 1234567) reach_error(); a = 1;",
        "static void *to[] = { &&one, &&two }; int r; goto *to[any() & 1]; one: r = 1; two: r = 2; if (r != 2) reach_error();",
        errors_only,
    ),
    (
        "operands do not change what others use",
        "static int a[4]; int i = any() & 3, j = any() & 3; if (a[i] + a[j]++) reach_error();",
        "static int a[4]; if (a[0] + a[1]++) reach_error();",
        errors_only,
    ),
    (
        "'outside' has no body",
        "int x = 5, y = 6; outside(&x); if (y != 6) reach_error();",
        "int x = 5, y = 6; x = y; if (y != 6) reach_error();",
        as_it_is,
    ),
    (
        "does not call the functions",
        "extern void g(void); static int n; call(g); if (n) reach_error();",
        "static int n; outside(0); if (n) reach_error();",
        as_it_is,
    ),
    (
        "a pointer from 'pointer'",
        "int *p = pointer(); if (p && p == (int *)0) reach_error();",
        "int x = any(); if (x && !x) reach_error();",
        errors_only,
    ),
    (
        "frees it and returns null",
        "char *p = malloc(3); if (!p) return 0; p = realloc(p, 0); if (p) reach_error();",
        "char *p = malloc(3); if (!p) return 0; p = realloc(p, 9); if (any() == 3 && !p && p) reach_error();",
        errors_only,
    ),
    (
        "volatile objects",
        "int x = 3; volatile int *p = &x; if (*p != 3) reach_error();",
        "static int v = 3; if (v != 3) reach_error();",
        errors_only,
    ),
    (
        "assembler code changes nothing",
        "int x = 3; asm volatile(\"nop\" : : \"r\"(x) : \"memory\"); if (x != 3) reach_error();",
        "int x = 3; if (x != 3) reach_error();",
        errors_only,
    ),
    (
        "has no '%n'",
        "char b[9]; const char *f = any() ? \"%d\" : \"%x\"; int x = 2; snprintf(b, 9, f, x); if (x != 2) reach_error();",
        "char b[9]; int x = 2; snprintf(b, 9, \"%d\", x); if (x != 2) reach_error();",
        errors_only,
    ),
    (
        "every `_Bool` that is read",
        "_Bool b; *(unsigned char *)&b = any(); if (b != 0 && b != 1) reach_error();",
        "_Bool b = any(), *p = &b; if (*p != 0 && *p != 1) reach_error();",
        errors_only,
    ),
    // What is approximated has all that there is: a proof does not depend on it.
    (
        "no signed integer overflows",
        "int x = any(); if (x + 1 < x) reach_error();",
        "double d = sin(any()); if (d > 1.5) reach_error();",
        errors_only,
    ),
];

/// Each of these programs fails.
const RUNS: &[Row] = &[
    (
        "'sin' returns any value",
        "double d = sin(3.5 * any()); if (d == 0.123) reach_error();",
        "double d = sqrt(any()); if (d == 3) reach_error();",
        errors_only,
    ),
    (
        "'sin' returns any value",
        "double d = sin(3.5 * any()); if (d == 0.123) reach_error();",
        "if (any() == 3) reach_error(); double d = sin(any()); return d > 2;",
        errors_only,
    ),
    (
        "'strtod' returns any value",
        "if (strtod(\"1.5\", 0) == 0) reach_error();",
        "if (any() == 3) reach_error(); double d = strtod(\"1.5\", 0); return d > 2;",
        errors_only,
    ),
    (
        "'getopt' is only approximated",
        "int getopt(int, char *const *, const char *); char *v[] = { \"p\", 0 }; if (getopt(1, v, \"a\") == 'b') reach_error();",
        "int getopt(int, char *const *, const char *); char *v[] = { \"p\", 0 }; if (any() == 3) reach_error(); return getopt(1, v, \"a\");",
        errors_only,
    ),
    (
        "any text stands for what '%f' writes",
        "char b[9999]; sprintf(b, \"%f\", 1.5); if (b[0] == 'x') reach_error();",
        "char b[99]; sprintf(b, \"%d\", 15); if (b[0] == '1') reach_error();",
        errors_only,
    ),
    (
        "any text stands for what 'vsnprintf' writes",
        "int (*f)(char *, size_t, const char *, ...) = snprintf; char b[9]; if (f(b, 9, \"%d\", 15) != 2) reach_error();",
        "int strcmp(const char *, const char *); int (*f)(const char *, const char *) = strcmp; if (f(\"a\", \"b\") < 0) reach_error();",
        errors_only,
    ),
    (
        "has no '%n'",
        "int (*f)(char *, size_t, const char *, ...) = snprintf; char b[9]; if (f(b, 9, \"%d\", 15) != 2) reach_error();",
        "char b[9]; if (snprintf(b, 9, \"%d\", 15) == 2) reach_error();",
        errors_only,
    ),
    (
        "any values stand for what 'sscanf' finds",
        "double d = 2; sscanf(\"1.5\", \"%lf\", &d); if (d == 4) reach_error();",
        "int d = 2; sscanf(\"15\", \"%d\", &d); if (d == 15) reach_error();",
        errors_only,
    ),
    ("no signed integer overflows", "", "int x = any(); if (x + 1 == 5) reach_error();", errors_only),
    ("no memory outside", "", "int *p = malloc(4); if (p) reach_error();", errors_only),
    (
        "no run needs more addresses",
        "",
        "while (any()) { char *p = malloc(9); free(p); } reach_error();",
        errors_only,
    ),
    (
        "'outside' has no body",
        "int x = 5; outside(&x); if (x == 7) reach_error();",
        "int x = any(); if (x == 7) reach_error();",
        errors_only,
    ),
];

fn source(body: &str, change: fn(&mut Source)) -> Source {
    let mut source = Source::text(format!("{HEAD}int main(void) {{ {body}\n return 0; }}"));
    change(&mut source);
    source
}

fn listed(body: &str, change: fn(&mut Source), expected: &Verdict) -> Vec<String> {
    let report = craig::check(&source(body, change), &Options::default()).expect("a program");
    assert_eq!(report.verdict, *expected, "{body}");
    report.assumptions.into_iter().map(|assumed| assumed.text).collect()
}

fn examine(rows: &[Row], expected: &Verdict) {
    for &(words, with, without, change) in rows {
        if !with.is_empty() {
            let found = listed(with, change, expected);
            assert!(
                found.iter().any(|text| text.contains(words)),
                "`{words}` is not listed, but {found:?}: {with}"
            );
        }
        let found = listed(without, change, expected);
        assert!(!found.iter().any(|text| text.contains(words)), "`{words}` is listed: {without}");
    }
}

#[test]
fn of_proofs() {
    examine(PROOFS, &Verdict::Safe);
}

#[test]
fn of_failing_runs() {
    examine(RUNS, &Verdict::Unsafe);
}

#[test]
fn of_test_suites() {
    for (body, expected) in [
        ("int x = any(); if (x + 1 < x) return 1;", true),
        ("int x = any(); if (x + 1 == 7) return 1;", false),
        ("unsigned x = any(); if (x / 2 > x) return 1;", false),
    ] {
        let report = craig::test(&source(body, as_it_is), &TestOptions::default()).expect("a program");
        let found =
            report.assumptions.iter().any(|assumed| assumed.text.contains("no signed integer overflows"));
        assert_eq!(found, expected, "{body}: {:?}", report.assumptions);
    }
}
