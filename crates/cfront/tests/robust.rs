//! No input makes the front end panic or hang: nesting without end, growth. Mutated programs are for the
//! fuzzer of `craig-difftest`.

use std::time::{Duration, Instant};

use craig_cfront::types::DataModel;
use craig_cfront::{Read, read_texts, with_deep_stack};

fn read(text: Vec<u8>) -> Read {
    read_texts(vec![("input.c".to_string(), text)], DataModel::Ilp32)
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
