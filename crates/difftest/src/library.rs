//! The models of the C library against the system's: random calls, compiled and executed by Craig.
//!
//! Where C fixes what a function does, the checksums of many calls must be the same. Where it leaves something
//! open, the oracle proposes what the system's function returned, and the model must allow it. The arguments are made
//! by the program, so that one program makes any number of calls; only formats are constants in it.

mod calls;

use crate::compiler::{Reference, Semantics, compile_and_run};
use crate::front_end;
use crate::rng::Rng;
use calls::{FIXED, OPEN};
use craig_exec::{Detail, Executable, InputOracle, InputSite, Limits, Outcome, RandomOracle};
use craig_program::{Arithmetic, DataModel, FloatType, IntType, Type};
use std::fmt::Write as _;
use std::path::Path;

/// The input that is what the system's function returned.
const EXPECTED: &str = "__VERIFIER_nondet_ulonglong";

/// How many formats there are in a program: each is a statement of its own.
const FORMATS: usize = 100;

const PRELUDE: &str = "#define _GNU_SOURCE
#include <arpa/inet.h>
#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <wchar.h>
#include <wctype.h>
static unsigned sum;
static void mix(unsigned long long x) { sum = sum * 31u + (unsigned)x + (unsigned)(x >> 32); }
static void text(const char *s) { while (*s) mix((unsigned char)*s++); }
static void wides(const wchar_t *s) { while (*s) mix(*s++); }
static void bytes(const char *s) { for (int i = 0; i < 16; i++) mix((unsigned char)s[i]); }
static int sign(int x) { return (x > 0) - (x < 0); }
static double same(double x) { return x; }
static int whole(int x) { return x; }
static void real(double x) { unsigned long long u; if (x != x) x = 7; memcpy(&u, &x, 8); mix(u); }
static void fill(int *v, int n, int seed) { for (int i = 0; i < n; i++) v[i] = (seed >> i) % 9; }
static void sorted(int *v, int n) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && v[j - 1] > v[j]; j--) { int t = v[j]; v[j] = v[j - 1]; v[j - 1] = t; }
}
static int by_int(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void day(struct tm *m) {
    mix(m->tm_year); mix(m->tm_mon); mix(m->tm_mday); mix(m->tm_hour); mix(m->tm_min); mix(m->tm_sec);
    mix(m->tm_wday); mix(m->tm_yday);
}
static unsigned long long state;
static unsigned next(void) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (unsigned)(state >> 33);
}
static unsigned below(unsigned n) { return next() % n; }
static char texts[8][48];
static int turn;
static char *any_text(void) {
    char *t = texts[turn++ & 7];
    unsigned n = below(12);
    for (unsigned i = 0; i < n; i++) t[i] = \"abAB,; 1\"[below(8)];
    t[n] = 0;
    return t;
}
static wchar_t wide_texts[4][16];
static wchar_t *any_wide(void) {
    wchar_t *t = wide_texts[turn++ & 3];
    char *s = any_text();
    int n = 0;
    for (; s[n]; n++) t[n] = s[n];
    t[n] = 0;
    return t;
}
static char *any_digits(unsigned most) {
    static const char *const spaces[3] = {\"\", \" \", \"\\t \"}, *const signs[3] = {\"\", \"-\", \"+\"};
    static const char *const prefixes[5] = {\"\", \"\", \"0x\", \"0\", \"0X\"}, *const rests[4] = {\"\", \"g\", \" 1\", \"-\"};
    char *t = texts[turn++ & 7];
    unsigned n, i, end = 0;
    const char *part[3], *rest;
    part[0] = spaces[below(3)];
    part[1] = signs[below(3)];
    part[2] = prefixes[below(5)];
    rest = rests[below(4)];
    for (i = 0; i < 3; i++) for (; *part[i]; part[i]++) t[end++] = *part[i];
    n = below(most);
    for (i = 0; i < n; i++) t[end++] = \"01279aFz\"[below(8)];
    for (; *rest; rest++) t[end++] = *rest;
    t[end] = 0;
    return t;
}
static int any_int(void) {
    static const int special[5] = {2147483647, -2147483647, 0, 255, 4096};
    unsigned kind = below(4), more = next();
    return kind == 0 ? (int)(more % 20) - 10 : kind == 1 ? special[more % 5] : (int)(more ^ 0x40000000u) / 3;
}
static long long any_long(void) { long long high = any_int(); return high * 4294967296ll + next(); }
static int any_of(const int *list, unsigned n) { return list[below(n)]; }
static const int divisors[6] = {1, 2, -3, 7, 1000, -65536}, bases[6] = {0, 2, 8, 10, 16, 36};
static const int rounding[4] = {0, 0x400, 0x800, 0xc00};
static double any_small(void) { return ((int)below(2000000) - 1000000) / 1024.0; }
static double any_double(void) {
    static const double special[10] = {0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1e300, INFINITY, -INFINITY, NAN};
    unsigned kind = below(5), more = next();
    if (kind == 0) return special[more % 10];
    if (kind == 1) return ((int)(more % 40) - 20) + 0.5;
    if (kind == 2) return (double)any_long() * 1e-3;
    if (kind == 3) return (double)any_int() * 1e-12;
    return any_small();
}
";

/// How many functions are compared.
pub fn functions() -> usize {
    FIXED.len() + OPEN.len()
}

/// Compares `calls` random calls of each function whose name contains `only`; what differs.
pub fn compare(folder: &Path, calls: usize, seed: u64, only: &str) -> Vec<String> {
    let mut wrong = Vec::new();
    for &(name, call) in FIXED.iter().filter(|(name, _)| name.contains(only)) {
        let mut rng = Rng::new(seed ^ name.len() as u64);
        let statements = if call.contains("$f") { FORMATS.min(calls) } else { 1 };
        let rounds = calls.div_ceil(statements.max(1));
        let mut body = String::new();
        for _ in 0..statements {
            let (made, call) = with_arguments(call, &mut rng);
            let _ = writeln!(body, "        {{ {made}memset(b, '#', sizeof b); {call} }}");
        }
        let text = format!(
            "{PRELUDE}int main(void) {{\n    char b[64], *p, *e;\n    state = {seed};\n    for (int call = 0; call < {rounds}; call++) {{\n{body}    }}\n    int r = sum & 0x3fffffff;\n    printf(\"%d\\n\", r);\n    return r;\n}}\n"
        );
        if let Err(what) = compare_sums(folder, &text) {
            wrong.push(format!("{name}: {what}"));
        }
    }
    for &name in OPEN.iter().filter(|name| name.contains(only)) {
        if let Err(what) = compare_open(folder, name, calls.min(50), &mut Rng::new(seed)) {
            wrong.push(format!("{name} of constants: {what}"));
        }
        if let Err(what) = compare_many(folder, name, calls, seed) {
            wrong.push(format!("{name}: {what}"));
        }
    }
    wrong
}

fn native(folder: &Path, text: &str) -> Result<String, String> {
    let source = folder.join("library.c");
    std::fs::write(&source, text).map_err(|error| error.to_string())?;
    match compile_and_run(&source, folder, DataModel::Lp64, Semantics::Plain, 0)? {
        Reference::Output(output) => Ok(output),
        other => Err(format!("{other:?}")),
    }
}

fn compare_sums(folder: &Path, text: &str) -> Result<(), String> {
    let expected = native(folder, text)?;
    let source = folder.join("library.c");
    let program = front_end::load(&source, DataModel::Lp64, Arithmetic::Wrap)?;
    let executable = Executable::new(&program, Detail::Outcome);
    let limits = Limits { steps: 1 << 40, ..Limits::default() };
    let mut random = RandomOracle::new(&program, 1);
    // Memory does not run out, and what can fail does not.
    let succeeds = [Type::Bool, Type::Int(IntType::BOOL)];
    let mut oracle = |at: &InputSite| if succeeds.contains(&at.ty) { Some(1) } else { random.next(at) };
    let run = executable.run(&mut oracle, &limits);
    match run.outcome {
        Outcome::Returned(Some(value)) if format!("{value}\n") == expected => Ok(()),
        outcome => Err(format!("{}, but gcc has {}\n{text}", outcome.describe(&program), expected.trim())),
    }
}

/// Proposes the system's result wherever the model asks for a number.
fn compare_open(folder: &Path, name: &str, calls: usize, rng: &mut Rng) -> Result<(), String> {
    let arguments: Vec<String> = (0..calls).map(|_| constant(rng)).collect();
    let mut body = String::new();
    for argument in &arguments {
        let _ = writeln!(body, "    show({name}({argument}));");
    }
    let show =
        "static void show(double x) { unsigned long long u; memcpy(&u, &x, 8); printf(\"%llu\\n\", u); }";
    let output = native(folder, &format!("{PRELUDE}{show}\nint main(void) {{\n{body}    return 0;\n}}\n"))?;
    for (argument, line) in arguments.iter().zip(output.lines()) {
        let bits: u64 = line.parse().map_err(|_| line.to_string())?;
        let text = format!(
            "#include <math.h>\n#include <string.h>\nint main(void) {{ double x = {name}({argument}); unsigned long long u;\n    memcpy(&u, &x, 8); return u == {bits}ull || (x != x && {}); }}\n",
            i32::from(f64::from_bits(bits).is_nan())
        );
        let source = folder.join("open.c");
        std::fs::write(&source, &text).map_err(|error| error.to_string())?;
        let program = front_end::load(&source, DataModel::Lp64, Arithmetic::Wrap)?;
        let executable = Executable::new(&program, Detail::Outcome);
        // A whole number is how many units the result of constants is off.
        let allowed = [0, 1, -1, 2, -2].iter().any(|&off| {
            let mut oracle = |at: &InputSite| match at.ty {
                Type::Float(FloatType::F64) => Some(i128::from(bits)),
                _ => Some(off),
            };
            executable.run(&mut oracle, &Limits::default()).outcome == Outcome::Returned(Some(1))
        });
        if !allowed {
            return Err(format!("{name}({argument}) is {}, which is not allowed", f64::from_bits(bits)));
        }
    }
    Ok(())
}

/// Arguments that are no constants: the program takes the system's result as an input, and so does the model.
fn compare_many(folder: &Path, name: &str, calls: usize, seed: u64) -> Result<(), String> {
    let program = |head: &str, each: &str| {
        format!(
            "{PRELUDE}{head}int main(void) {{\n    state = {seed};\n    for (int call = 0; call < {calls}; call++) {{\n        double d = any_double(), x;\n        unsigned long long u, v;\n        x = {name}(d); memcpy(&u, &x, 8);\n        {each}\n    }}\n    return -1;\n}}\n"
        )
    };
    let output = native(folder, &program("", "(void)v; printf(\"%llu\\n\", u);"))?;
    let expected: Vec<u64> = output.lines().filter_map(|line| line.parse().ok()).collect();
    let text = program(
        &format!("unsigned long long {EXPECTED}(void);\n"),
        &format!("v = {EXPECTED}(); if (u != v && x == x) return call;"),
    );
    let source = folder.join("many.c");
    std::fs::write(&source, &text).map_err(|error| error.to_string())?;
    let program = front_end::load(&source, DataModel::Lp64, Arithmetic::Wrap)?;
    let executable = Executable::new(&program, Detail::Outcome);
    let mut done = 0;
    let mut oracle = |at: &InputSite| {
        let bits = i128::from(expected.get(done).copied()?);
        match at.ty {
            Type::Int(_) if at.describe(&program).starts_with(EXPECTED) => done += 1,
            Type::Int(_) | Type::Bool => return Some(0),
            Type::Float(_) | Type::Pointer => {}
        }
        Some(bits)
    };
    let limits = Limits { steps: 1 << 40, ..Limits::default() };
    match executable.run(&mut oracle, &limits).outcome {
        Outcome::Returned(Some(-1)) => Ok(()),
        outcome => {
            let last = expected.get(done.saturating_sub(1)).copied().map_or(f64::NAN, f64::from_bits);
            Err(format!("{} at call {done} of {calls}, where gcc has {last:e}", outcome.describe(&program)))
        }
    }
}

/// The declarations of the arguments, one after the other, and the call with their names.
fn with_arguments(call: &str, rng: &mut Rng) -> (String, String) {
    let (mut made, mut text) = (String::new(), String::new());
    let mut letters = call.chars();
    let mut count = 0;
    while let Some(letter) = letters.next() {
        if letter != '$' {
            text.push(letter);
            continue;
        }
        match letters.next() {
            Some('f') => {
                let (format, kind) = format(rng);
                let _ = write!(made, "{} ", argument(kind, count));
                let _ = write!(text, "{format}, a{count}");
            }
            kind => {
                let _ = write!(made, "{} ", argument(kind.unwrap_or('i'), count));
                let _ = write!(text, "a{count}");
            }
        }
        count += 1;
    }
    (made, text)
}

/// The declaration of a random argument of a kind.
fn argument(kind: char, number: usize) -> String {
    let (ty, value) = match kind {
        // A text, of few letters so that things are found.
        's' => ("char *", "any_text()"),
        'w' => ("wchar_t *", "any_wide()"),
        'k' => ("int ", "\"ab,1\"[below(4)]"),
        'n' => ("size_t ", "below(16)"),
        'c' => ("int ", "(int)below(257) - 1"),
        'l' => ("long long ", "any_long()"),
        'm' => ("int ", "any_of(divisors, 6)"),
        'b' => ("int ", "any_of(bases, 6)"),
        // A direction of rounding.
        'r' => ("int ", "any_of(rounding, 4)"),
        // The text of a number, more or less; one that fits.
        'x' => ("char *", "any_digits(24)"),
        'y' => ("char *", "any_digits(7)"),
        'd' => ("double ", "any_double()"),
        // A number that is not large.
        'g' => ("double ", "any_small()"),
        _ => ("int ", "any_int()"),
    };
    format!("{ty}a{number} = {value};")
}

/// A constant number.
fn constant(rng: &mut Rng) -> String {
    match rng.below(5) {
        0 => rng
            .pick(&["0.0", "-0.0", "1.0", "-1.0", "0.5", "-0.5", "1e300", "INFINITY", "-INFINITY", "NAN"])
            .to_string(),
        1 => format!("{}.5", rng.below(40) as i64 - 20),
        2 => format!("{:e}", (rng.next_u64() as i64) as f64 * 1e-3),
        3 => format!("{:e}", (rng.next_u64() as i32) as f64 * 1e-12),
        _ => format!("{:e}", (rng.below(2_000_000) as f64 - 1e6) / 1024.0),
    }
}

/// A format, and the kind of its argument.
fn format(rng: &mut Rng) -> (String, char) {
    let flags: String = ['-', '+', ' ', '#', '0'].iter().filter(|_| rng.chance(20)).collect();
    let width = if rng.chance(50) { rng.below(12).to_string() } else { String::new() };
    let precision = if rng.chance(30) { format!(".{}", rng.below(6)) } else { String::new() };
    let &(conversion, kind) = rng.pick(&[
        ("d", 'i'),
        ("u", 'i'),
        ("x", 'i'),
        ("X", 'i'),
        ("o", 'i'),
        ("lld", 'l'),
        ("hhd", 'i'),
        ("c", 'k'),
        ("s", 's'),
    ]);
    // Flags that mean nothing for a conversion are undefined.
    let allowed = |flag: &char| match conversion {
        "c" | "s" => *flag == '-',
        "d" | "lld" | "hhd" => *flag != '#',
        "u" => *flag == '-' || *flag == '0',
        _ => *flag != '+' && *flag != ' ',
    };
    let flags: String = flags.chars().filter(allowed).collect();
    let precision = if conversion == "c" { String::new() } else { precision };
    (format!("\"{}%{flags}{width}{precision}{conversion}|%%\"", rng.pick(&["", "ab", "x="])), kind)
}
