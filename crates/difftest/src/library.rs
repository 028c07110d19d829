//! The models of the C library against the system's: random calls, compiled and executed by Craig.
//!
//! Where C fixes what a function does, the checksums of many calls must be the same. Where it leaves something
//! open, the oracle proposes what the system's function returned, and the model must allow it.

use crate::compiler::{Reference, Semantics, compile_and_run};
use crate::front_end;
use crate::rng::Rng;
use craig_exec::{Detail, Executable, InputOracle, InputSite, Limits, Outcome, RandomOracle};
use craig_program::{Arithmetic, DataModel, FloatType, Type};
use std::fmt::Write as _;
use std::path::Path;

/// Name and a statement that calls the function, with `$` and a letter for a random argument ([`argument`]). It may
/// use a buffer `b`, pointers `p` and `e`, and must have no undefined behaviour.
const FIXED: &[(&str, &str)] = &[
    ("strlen", "mix(strlen($s));"),
    ("strnlen", "mix(strnlen($s, $n));"),
    ("strcpy", "strcpy(b, $s); text(b);"),
    ("stpcpy", "mix(stpcpy(b, $s) - b); text(b);"),
    ("strncpy", "strncpy(b, $s, $n); bytes(b);"),
    ("stpncpy", "mix(stpncpy(b, $s, $n) - b); bytes(b);"),
    ("strcat", "strcpy(b, $s); strcat(b, $s); text(b);"),
    ("strncat", "strcpy(b, $s); strncat(b, $s, $n); text(b);"),
    ("strcmp", "mix(sign(strcmp($s, $s)));"),
    ("strncmp", "mix(sign(strncmp($s, $s, $n)));"),
    ("strcoll", "mix(sign(strcoll($s, $s)));"),
    ("strcasecmp", "mix(sign(strcasecmp($s, $s)));"),
    ("strncasecmp", "mix(sign(strncasecmp($s, $s, $n)));"),
    ("memcmp", "strcpy(b, $s); strcpy(b + 20, $s); mix(sign(memcmp(b, b + 20, $n)));"),
    ("strchr", "p = $s; e = strchr(p, $k); mix(e ? e - p : 99);"),
    ("strchrnul", "p = $s; mix(strchrnul(p, $k) - p);"),
    ("strrchr", "p = $s; e = strrchr(p, $k); mix(e ? e - p : 99);"),
    ("memchr", "strcpy(b, $s); e = memchr(b, $k, $n); mix(e ? e - b : 99);"),
    ("memrchr", "strcpy(b, $s); e = memrchr(b, $k, $n); mix(e ? e - b : 99);"),
    ("memmem", "p = $s; e = memmem(p, strlen(p), \"ab\", 2); mix(e ? e - p : 99);"),
    ("memccpy", "strcpy(b + 20, $s); e = memccpy(b, b + 20, $k, $n); mix(e ? e - b : 99); bytes(b);"),
    ("strspn", "mix(strspn($s, \"ab ,\"));"),
    ("strcspn", "mix(strcspn($s, \",;1\"));"),
    ("strpbrk", "p = $s; e = strpbrk(p, \",;1\"); mix(e ? e - p : 99);"),
    ("strstr", "p = $s; e = strstr(p, \"ab\"); mix(e ? e - p : 99);"),
    ("strcasestr", "p = $s; e = strcasestr(p, \"Ab\"); mix(e ? e - p : 99);"),
    (
        "strtok",
        "strcpy(b, $s); for (e = strtok(b, \",; \"); e; e = strtok(0, \",; \")) { mix(e - b); text(e); }",
    ),
    (
        "strtok_r",
        "strcpy(b, $s); for (e = strtok_r(b, \",; \", &p); e; e = strtok_r(0, \",; \", &p)) text(e);",
    ),
    ("strsep", "strcpy(b, $s); for (p = b; (e = strsep(&p, \",; \"));) text(e);"),
    ("strdup", "e = strdup($s); if (e) text(e);"),
    ("strndup", "e = strndup($s, $n); if (e) text(e);"),
    ("strxfrm", "mix(strxfrm(b, $s, 30)); text(b);"),
    ("wcscmp", "mix(sign(wcscmp(L\"a1b\", L$s)));"),
    ("wcslen", "mix(wcslen(L$s));"),
    ("isalpha", "mix(!isalpha($c) + !(isalpha)($c));"),
    ("isdigit", "mix(!isdigit($c) + !(isdigit)($c));"),
    ("isalnum", "mix(!isalnum($c) + !(isalnum)($c));"),
    ("isspace", "mix(!isspace($c) + !(isspace)($c));"),
    ("isblank", "mix(!isblank($c) + !(isblank)($c));"),
    ("isupper", "mix(!isupper($c) + !(isupper)($c));"),
    ("islower", "mix(!islower($c) + !(islower)($c));"),
    ("isxdigit", "mix(!isxdigit($c) + !(isxdigit)($c));"),
    ("iscntrl", "mix(!iscntrl($c) + !(iscntrl)($c));"),
    ("isprint", "mix(!isprint($c) + !(isprint)($c));"),
    ("isgraph", "mix(!isgraph($c) + !(isgraph)($c));"),
    ("ispunct", "mix(!ispunct($c) + !(ispunct)($c));"),
    ("toupper", "mix(toupper($c)); mix((toupper)($c));"),
    ("tolower", "mix(tolower($c)); mix((tolower)($c));"),
    ("abs", "mix(abs($i));"),
    ("labs", "mix(labs($i));"),
    ("div", "{ div_t d = div($i, $m); mix(d.quot); mix(d.rem); }"),
    ("ldiv", "{ ldiv_t d = ldiv($i, $m); mix(d.quot); mix(d.rem); }"),
    ("strtol", "p = $x; errno = 0; mix(strtol(p, &e, $b)); mix(e - p); mix(errno);"),
    ("strtoul", "p = $x; errno = 0; mix(strtoul(p, &e, $b)); mix(e - p); mix(errno);"),
    ("strtoll", "p = $x; errno = 0; mix(strtoll(p, &e, $b)); mix(e - p); mix(errno);"),
    ("strtoull", "p = $x; errno = 0; mix(strtoull(p, &e, $b)); mix(e - p); mix(errno);"),
    ("atoi", "sprintf(b, \" %d\", $i); mix(atoi(b));"),
    ("atol", "sprintf(b, \"%ld.\", (long)$i); mix(atol(b));"),
    ("snprintf", "mix(snprintf(b, $n, $f)); bytes(b);"),
    ("sprintf", "mix(sprintf(b, $f)); text(b);"),
    ("fabs", "real(fabs($d));"),
    ("fmax", "real(fmax($d, $d));"),
    ("fmin", "real(fmin($d, $d));"),
    ("fdim", "real(fdim($d, $d));"),
    ("trunc", "real(trunc($d));"),
    ("floor", "real(floor($d));"),
    ("ceil", "real(ceil($d));"),
    ("round", "real(round($d));"),
    ("copysign", "real(copysign($d, $d));"),
    ("fpclassify", "mix(fpclassify($d));"),
    ("floorf", "real(floorf((float)$d));"),
    ("roundf", "real(roundf((float)$d));"),
    ("sqrt", "real(sqrt($d));"),
    ("sqrtf", "real(sqrtf((float)$d));"),
    ("fma", "real(fma(same($d), same($d), same($d)));"),
    ("fmaf", "real(fmaf((float)same($d), (float)same($d), (float)same($d)));"),
    ("nextafter", "real(nextafter($d, $d));"),
    ("nextafterf", "real(nextafterf((float)$d, (float)$d));"),
    ("rint", "real(rint($d)); fesetround($r); real(rint(same($d))); fesetround(0);"),
    ("signbit", "{ double d = $d; mix(d != d ? 9 : !signbit(d) + !signbit((float)d)); }"),
    ("isnormal", "mix(!isnormal($d) + !isnormal((float)$d));"),
    ("fesetround +", "fesetround($r); real(same($d) + same($d)); real(same($d) - same($d)); fesetround(0);"),
    ("fesetround *", "fesetround($r); real(same($d) * same($d)); fesetround(0);"),
    ("fesetround /", "fesetround($r); real(same($d) / same($d)); fesetround(0);"),
    (
        "fesetround float",
        "fesetround($r); real((float)same($d)); real((float)same($d) * (float)same($d)); fesetround(0);",
    ),
    (
        "fesetround tiny",
        "fesetround($r); real(same($d) * 1e-300 * same($d) * 1e-13); real((float)(same($d) * 1e-42)); fesetround(0);",
    ),
    ("fesetround int", "fesetround($r); real((float)whole($i)); real(whole($i) * 1.5f); fesetround(0);"),
    ("fesetround sqrt", "fesetround($r); real(sqrt(same($d))); fesetround(0);"),
    ("realloc", "e = malloc(8); if (e) { e = realloc(e, $n); mix(e != 0); free(e); }"),
];

/// Functions of one number whose results C leaves open.
const OPEN: &[&str] = &[
    "cbrt", "sin", "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "exp", "exp2", "log",
    "log2", "log10", "log1p", "expm1",
];

const PRELUDE: &str = "#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
static unsigned sum;
static void mix(unsigned long long x) { sum = sum * 31u + (unsigned)x + (unsigned)(x >> 32); }
static void text(const char *s) { while (*s) mix((unsigned char)*s++); }
static void bytes(const char *s) { for (int i = 0; i < 16; i++) mix((unsigned char)s[i]); }
static int sign(int x) { return (x > 0) - (x < 0); }
static double same(double x) { return x; }
static int whole(int x) { return x; }
static void real(double x) { unsigned long long u; if (x != x) x = 7; memcpy(&u, &x, 8); mix(u); }
";

/// How many functions are compared.
pub fn functions() -> usize {
    FIXED.len() + OPEN.len()
}

/// Compares `calls` random calls of each function; what differs.
pub fn compare(folder: &Path, calls: usize, seed: u64) -> Vec<String> {
    let mut wrong = Vec::new();
    for &(name, call) in FIXED {
        let mut rng = Rng::new(seed ^ name.len() as u64);
        // A function of more calls is slow to compile.
        let mut left = calls;
        while left > 0 {
            let some = left.min(200);
            left -= some;
            let mut body = String::new();
            for _ in 0..some {
                let call = with_arguments(call, &mut rng);
                let _ = writeln!(body, "    memset(b, '#', sizeof b); {call}");
            }
            let text = format!(
                "{PRELUDE}int main(void) {{\n    char b[64], *p, *e;\n{body}    int r = sum & 0x3fffffff;\n    printf(\"%d\\n\", r);\n    return r;\n}}\n"
            );
            if let Err(what) = compare_sums(folder, &text) {
                wrong.push(format!("{name}: {what}"));
                break;
            }
        }
    }
    for &name in OPEN {
        if let Err(what) = compare_open(folder, name, calls.min(50), &mut Rng::new(seed)) {
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
    let limits = Limits { steps: 200_000_000, ..Limits::default() };
    let mut random = RandomOracle::new(&program, 1);
    // Memory does not run out.
    let mut oracle = |at: &InputSite| if at.ty == Type::Bool { Some(1) } else { random.next(at) };
    let run = executable.run(&mut oracle, &limits);
    match run.outcome {
        Outcome::Returned(Some(value)) if format!("{value}\n") == expected => Ok(()),
        outcome => Err(format!("{}, but gcc has {}\n{text}", outcome.describe(&program), expected.trim())),
    }
}

/// Proposes the system's result wherever the model asks for a number.
fn compare_open(folder: &Path, name: &str, calls: usize, rng: &mut Rng) -> Result<(), String> {
    let arguments: Vec<String> = (0..calls).map(|_| argument('d', rng)).collect();
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

fn with_arguments(call: &str, rng: &mut Rng) -> String {
    let mut text = String::new();
    let mut letters = call.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '$' => text.push_str(&argument(letters.next().unwrap_or('i'), rng)),
            _ => text.push(letter),
        }
    }
    text
}

/// A random argument of a kind.
fn argument(kind: char, rng: &mut Rng) -> String {
    let number = |rng: &mut Rng| match rng.below(4) {
        0 => rng.below(20) as i64 - 10,
        1 => *rng.pick(&[i64::from(i32::MAX), -i64::from(i32::MAX), 0, 255, 4096]),
        _ => i64::from(rng.next_u64() as i32 / 3),
    };
    match kind {
        // A text, of few letters so that things are found.
        's' => {
            let length = rng.below(12);
            let letters: String =
                (0..length).map(|_| *rng.pick(&['a', 'b', 'A', 'B', ',', ';', ' ', '1'])).collect();
            format!("\"{letters}\"")
        }
        'k' => format!("'{}'", rng.pick(&['a', 'b', ',', '1'])),
        'n' => rng.below(16).to_string(),
        'c' => (rng.below(257) as i64 - 1).to_string(),
        'i' => format!("({})", number(rng)),
        'm' => format!("({})", *rng.pick(&[1, 2, -3, 7, 1000, -65536])),
        'b' => rng.pick(&[0, 2, 8, 10, 16, 36]).to_string(),
        // A direction of rounding.
        'r' => rng.pick(&["0", "0x400", "0x800", "0xc00"]).to_string(),
        // The text of a number, more or less.
        'x' => {
            let space = *rng.pick(&["", " ", "\\t "]);
            let sign = *rng.pick(&["", "-", "+"]);
            let prefix = *rng.pick(&["", "", "0x", "0", "0X"]);
            let length = rng.below(24);
            let digits: String =
                (0..length).map(|_| *rng.pick(&['0', '1', '2', '7', '9', 'a', 'F', 'z'])).collect();
            let rest = *rng.pick(&["", "g", " 1", "-"]);
            format!("\"{space}{sign}{prefix}{digits}{rest}\"")
        }
        'd' => match rng.below(5) {
            0 => rng
                .pick(&["0.0", "-0.0", "1.0", "-1.0", "0.5", "-0.5", "1e300", "INFINITY", "-INFINITY", "NAN"])
                .to_string(),
            1 => format!("{}.5", rng.below(40) as i64 - 20),
            2 => format!("{:e}", (rng.next_u64() as i64) as f64 * 1e-3),
            3 => format!("{:e}", (rng.next_u64() as i32) as f64 * 1e-12),
            _ => format!("{:e}", (rng.below(2_000_000) as f64 - 1e6) / 1024.0),
        },
        // A format with its arguments.
        'f' => {
            let flags: String = ['-', '+', ' ', '#', '0'].iter().filter(|_| rng.chance(20)).collect();
            let width = if rng.chance(50) { rng.below(12).to_string() } else { String::new() };
            let precision = if rng.chance(30) { format!(".{}", rng.below(6)) } else { String::new() };
            let (conversion, value) = match rng.below(9) {
                0 => ("d", argument('i', rng)),
                1 => ("u", argument('i', rng)),
                2 => ("x", argument('i', rng)),
                3 => ("X", argument('i', rng)),
                4 => ("o", argument('i', rng)),
                5 => ("ld", format!("{}L", rng.next_u64() as i64 / 2)),
                6 => ("hhd", argument('i', rng)),
                7 => ("c", argument('k', rng)),
                _ => ("s", argument('s', rng)),
            };
            // Flags that mean nothing for a conversion are undefined.
            let allowed = |flag: &char| match conversion {
                "c" | "s" => *flag == '-',
                "d" | "ld" | "hhd" => *flag != '#',
                "u" => *flag == '-' || *flag == '0',
                _ => *flag != '+' && *flag != ' ',
            };
            let flags: String = flags.chars().filter(allowed).collect();
            let precision = if conversion == "c" { String::new() } else { precision };
            format!("\"{}%{flags}{width}{precision}{conversion}|%%\", {value}", rng.pick(&["", "ab", "x="]))
        }
        _ => "0".to_string(),
    }
}
