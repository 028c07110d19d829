//! No input makes the front end panic or hang: mutated programs, nesting without end, growth.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use craig_cfront::types::DataModel;
use craig_cfront::{Read, read_texts, with_deep_stack};

fn read(text: Vec<u8>) -> Read {
    read_texts(vec![("input.c".to_string(), text)], DataModel::Ilp32)
}

/// Numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
            found.push(path);
        }
    }
}

/// Words as a lexer sees them, roughly.
fn words(text: &[u8]) -> Vec<&[u8]> {
    let mut words = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let length = text[at..].iter().take_while(|b| is_word(b)).count().max(1);
        words.push(&text[at..at + length]);
        at += length;
    }
    words
}

/// Deletes, doubles, swaps and replaces some words.
fn mutate(text: &[u8], random: &mut Random) -> Vec<u8> {
    const SPICE: [&[u8]; 24] = [
        b"(",
        b")",
        b"{",
        b"}",
        b"[",
        b"]",
        b"*",
        b"&",
        b";",
        b",",
        b"=",
        b"...",
        b"int ",
        b"struct ",
        b"typedef ",
        b"sizeof ",
        b"0",
        b"-1",
        b"99999999999999999999",
        b"\"",
        b"'",
        b"#",
        b"\\",
        b"({",
    ];
    let mut words = words(text);
    for _ in 0..=random.below(6) {
        let (i, j) = (random.below(words.len()), random.below(words.len()));
        match random.below(5) {
            0 => {
                words.remove(i);
            }
            1 => words.insert(i, words[j]),
            2 => words.swap(i, j),
            3 => words[i] = SPICE[random.below(SPICE.len())],
            _ => words.insert(i, SPICE[random.below(SPICE.len())]),
        }
        if words.is_empty() {
            break;
        }
    }
    words.concat()
}

/// `CRAIG_FUZZ=n` sets the number of mutants, `CRAIG_FUZZ_FOLDER` adds programs to mutate.
#[test]
fn mutated_programs_never_panic() {
    let mut files = Vec::new();
    collect(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests"), &mut files);
    if let Ok(folder) = std::env::var("CRAIG_FUZZ_FOLDER") {
        collect(Path::new(&folder), &mut files);
    }
    files.sort();
    let count: usize = std::env::var("CRAIG_FUZZ").ok().and_then(|n| n.parse().ok()).unwrap_or(1500);
    with_deep_stack(|| {
        let mut random = Random(1);
        for round in 0..count {
            let file = &files[random.below(files.len())];
            let mut text = fs::read(file).expect("a program");
            // The head of a large file is enough of it.
            text.truncate(40_000);
            let mutant = mutate(&text, &mut random);
            let start = Instant::now();
            let read = read(mutant.clone());
            assert!(start.elapsed() < Duration::from_secs(20), "round {round}: too slow");
            if let Some(program) = &read.program
                && let Err(reason) = program.validate()
            {
                panic!("round {round}: {reason}\n{}", String::from_utf8_lossy(&mutant));
            }
            read.diagnostics.render(&read.sources);
        }
    });
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    let deep = [
        ("int x = ", "(", "1", ")", ";"),
        ("int x = ", "-", "1", "", ";"),
        ("int x = ", "1 + (", "1", ")", ";"),
        ("int y; int x = sizeof(", "y = ", "1", "", ");"),
        ("int y; int f(void) { return ", "y + ", "1", "", "; }"),
        ("int y; int f(void) { return ", "y ? y : ", "1", "", "; }"),
        ("int y; int f(void) { ", "if (y) ", ";", " else ;", "}"),
        ("int y; int f(void) { ", "{", ";", "}", "}"),
        ("int y; int f(void) { ", "while (y) ", ";", "", "}"),
        ("int y; int f(void) { return ", "({ ", "1;", " });", "}"),
        ("int x[] = ", "{", "1", "}", ";"),
        ("int ", "*", "p", "", ";"),
        ("int ", "(", "p", ")", ";"),
        ("int ", "(*", "p", ")(void)", ";"),
        ("int p", "[1]", "", "", ";"),
        ("", "struct { int a; ", "", "} b;", ""),
        ("int *p; int f(void) { return p", "[p", "[0]", "]", "; }"),
        ("struct s { struct s *n; } *p; void *q = ", "", "&p", "->n", ";"),
        ("int f(int x) { return ", "f(", "1", ")", "; }"),
        ("", "typeof(", "int", ")", " x;"),
        ("void f(", "void (*p)(", "int", ")", ");"),
        ("int x = ", "(int)", "1", "", ";"),
        ("int x = ", "!", "1", "", ";"),
        ("char *s = ", "\"a\" ", "\"b\"", "", ";"),
        ("int f(int x) { switch (x) { ", "case 1: ", ";", "", "} }"),
        ("int f(int x) { ", "switch (x) case 1: ", ";", "", " }"),
        ("int f(int x) { ", "l: ", ";", "", " }"),
        (
            "struct p { int a, b; }; struct s { struct p p; int c; } x = ",
            "(struct s){ (typeof(",
            "x",
            ")){ 1 } }",
            ";",
        ),
        ("int f(void) { int a0[", "({ int a[", "1", "]; 1; })", "]; return 1; }"),
        ("int f(void) { int n = 2; int a0[", "({ int a[", "n", "]; n; })", "]; return 1; }"),
        ("struct s { int a; struct s *n; } x = ", "{ 1, &(struct s)", "{ 1 }", "}", ";"),
        ("__attribute__((", "a(", "1", ")", ")) int x;"),
    ];
    with_deep_stack(|| {
        for (start, open, middle, close, end) in deep {
            for depth in [100, 1_000, 1_400, 100_000] {
                let text = format!("{start}{}{middle}{}{end}", open.repeat(depth), close.repeat(depth));
                let read = read(text.into_bytes());
                if let Some(program) = &read.program {
                    program.validate().expect("the program's invariants");
                }
                read.diagnostics.render(&read.sources);
            }
        }
    });
}

#[test]
fn shallow_but_long_programs_are_accepted() {
    let long = [
        format!("int y; int f(void) {{ return {}1; }}", "y + ".repeat(1000)),
        format!("int x[] = {{ {} }};", "1, ".repeat(100_000)),
        format!("int f(int x) {{ switch (x) {{ {} }} return 0; }}", numbered("case %: ", 20_000)),
        format!("int f(int x) {{ {} return x; }}", "x++; ".repeat(100_000)),
        format!("enum {{ {} }};", numbered("e%, ", 50_000)),
        format!("char s[] = {};", "\"text\" ".repeat(50_000)),
        format!("int {};", numbered("v%, ", 50_000) + "last"),
    ];
    with_deep_stack(|| {
        for text in long {
            let start = Instant::now();
            let shown = text[..text.len().min(60)].to_string();
            let read = read(text.into_bytes());
            assert!(read.program.is_some(), "{shown}: {}", read.diagnostics.render(&read.sources));
            assert!(start.elapsed() < Duration::from_secs(20), "{shown}: too slow");
        }
    });
}

fn numbered(pattern: &str, count: usize) -> String {
    (0..count).map(|i| pattern.replace('%', &i.to_string())).collect()
}
