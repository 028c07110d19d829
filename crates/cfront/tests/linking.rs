//! Several files become one program.

use craig_cfront::hir::{self, GlobalOrigin, Linkage, Program};
use craig_cfront::types::DataModel;
use craig_cfront::{Read, read_texts, with_deep_stack};

fn read(texts: &[&str]) -> Read {
    let texts: Vec<_> =
        texts.iter().enumerate().map(|(i, text)| (format!("{i}.c"), text.as_bytes().to_vec())).collect();
    with_deep_stack(|| read_texts(texts, DataModel::Lp64))
}

fn link(texts: &[&str]) -> Program {
    let read = read(texts);
    let shown = read.diagnostics.render(&read.sources);
    assert!(shown.is_empty(), "{shown}");
    let program = read.program.expect("no errors, so a program");
    program.validate().expect("the program's invariants");
    program
}

fn globals<'p>(program: &'p Program, name: &str) -> Vec<&'p craig_cfront::hir::Global> {
    program.globals.iter().filter(|global| global.name == name).collect()
}

#[test]
fn external_names_are_shared_and_static_ones_kept_apart() {
    let program = link(&[
        "extern int shared; static int own = 1; int f(void) { return shared + own; } static int g(void) { return 1; } int h(void) { return g(); }",
        "int shared = 3; static int own = 2; int f(void); static int g(void) { return 2; } int main(void) { return f() + own + g(); }",
    ]);
    assert_eq!(globals(&program, "shared").len(), 1);
    assert_eq!(globals(&program, "own").len(), 2);
    assert_eq!(program.functions.iter().filter(|f| f.name == "f").count(), 1);
    assert_eq!(program.functions.iter().filter(|f| f.name == "g").count(), 2);
    assert!(program.functions.iter().all(|f| f.body.is_some()));
}

#[test]
fn records_that_are_defined_alike_are_one_type() {
    let header =
        "struct node { struct node *next; int v; }; typedef struct { int a; struct { char c; } in; } plain;";
    let first = format!("{header} extern struct node *list; plain p; int f(plain *x) {{ return x->a; }}");
    let second = format!(
        "{header} struct node n, *list = &n; extern plain p; int f(plain *); int g(void) {{ return f(&p) + list->v; }}"
    );
    link(&[&first, &second]);
}

#[test]
fn enumerations_that_are_defined_alike_are_one_type() {
    let header =
        "enum kind { A, B = 5 }; typedef enum { C } untagged; struct s { enum kind kind; untagged u; };";
    let first = format!("{header} struct s f(void) {{ struct s s = {{ A, C }}; return s; }}");
    let second = format!("{header} struct s f(void); struct s x; int g(void) {{ x = f(); return x.kind; }}");
    link(&[&first, &second]);
}

#[test]
fn objects_of_different_types_are_an_error() {
    for (first, second) in [
        ("int x;", "extern long x;"),
        ("extern unsigned char x[4];", "int x;"),
        ("struct s { int a; } x;", "struct s { char c; }; extern struct s x;"),
        ("int x[3];", "extern int x[4];"),
    ] {
        let read = read(&[first, second]);
        let messages: Vec<&str> = read.diagnostics.errors().map(|e| e.message.as_str()).collect();
        assert_eq!(messages, ["`x` is declared here with another type"], "{first} {second}");
    }
}

#[test]
fn records_that_are_defined_differently_are_kept_apart() {
    let program = link(&[
        "struct s { int a; }; static struct s x; int f(struct s *p) { return p->a + x.a; }",
        "struct s { char *b; double c; }; static struct s x; int g(struct s *p) { return p->c + x.c; }",
    ]);
    let sizes: Vec<_> = globals(&program, "x").iter().map(|g| program.types.size_of(g.ty.ty)).collect();
    assert_eq!(sizes, [Some(4), Some(16)]);
}

#[test]
fn tentative_definitions_and_lengths_are_merged() {
    let program = link(&[
        "extern int a[]; int *f(void) { return a; } int b; int b;",
        "int a[7]; extern int b; int b = 4;",
    ]);
    let a = globals(&program, "a");
    assert_eq!(program.types.size_of(a[0].ty.ty), Some(28));
    assert_eq!(globals(&program, "b").len(), 1);
}

#[test]
fn calls_before_the_definition_are_made_to_fit_it() {
    let read = read(&[
        "int main(void) { char c = 1; f(c, 2.5f); return g(3); }",
        "void f(char a, float b) { } char g(x) short x; { return x; }",
    ]);
    let program = read.program.expect("only warnings");
    program.validate().expect("arguments have the types of parameters");
}

#[test]
fn calls_that_cannot_work_are_known() {
    let definition = "long f(long x) { return x; }";
    for (caller, works) in [
        ("int f(int); int g(int x) { return f(x); }", false),
        ("unsigned long f(unsigned long); int g(int x) { return f(x); }", true),
        ("void f(char *); int g(int x) { f(&x); return 0; }", true),
        ("double f(long); int g(int x) { return f(x); }", false),
        ("long f(long, ...); int g(int x) { return f(x); }", false),
        ("int g(int x) { return f(-1); }", false),
        ("void f(); int g(int x) { f(1); return 0; }", true),
        ("int f(int); int (*p)(int) = f; int g(int x) { return p(x); }", true),
    ] {
        for texts in [[definition, caller], [caller, definition]] {
            let program = read(&texts).program.expect("only warnings");
            program.validate().expect("arguments have the types of parameters");
            assert_eq!(program.misfits.is_empty(), works, "{texts:?}");
        }
    }
}

#[test]
fn records_that_are_passed_are_laid_out_alike() {
    let definition = "struct s { int a; int b; }; int f(struct s s) { return s.b; }";
    for (record, works) in [("unsigned a; int b;", true), ("int a;", false), ("int a; float b;", false)] {
        let caller =
            format!("struct s {{ {record} }}; int f(struct s); int g(struct s *p) {{ return f(*p); }}");
        let program = read(&[definition, &caller]).program.expect("only warnings");
        assert_eq!(program.misfits.is_empty(), works, "{record}");
    }
}

#[test]
fn static_locals_are_globals_of_their_function() {
    let program =
        link(&["int f(void) { static int n = 5; return n++; } int g(void) { static int n; return n; }"]);
    let statics = globals(&program, "n");
    assert_eq!(statics.len(), 2);
    assert!(statics.iter().all(|g| g.linkage == Linkage::Internal));
    assert!(statics.iter().all(|g| matches!(g.origin, GlobalOrigin::StaticLocal(_))));
}

#[test]
fn what_is_defined_in_two_files_is_an_error() {
    let read = read(&["int f(void) { return 1; } int x = 1;", "int f(void) { return 2; } int x = 2;"]);
    let messages: Vec<&str> = read.diagnostics.errors().map(|e| e.message.as_str()).collect();
    assert_eq!(messages, ["`f` is defined twice", "`x` is defined twice"]);
}

#[test]
fn weak_definitions_give_way_to_others() {
    let weak = "int x __attribute__((weak)) = 1; __attribute__((weak)) int f(void) { return x; } \
                int g(void) __attribute__((weak, alias(\"f\"))); int h(void) { return f() + g(); }";
    let strong = "extern int x; int x = 2; int f(void) { return 2; } int g(void) { return 3; }";
    for texts in [[weak, strong], [strong, weak]] {
        let program = link(&texts);
        let hir::InitValue::Expr(value) =
            globals(&program, "x")[0].init.as_ref().expect("defined").items[0].value
        else {
            panic!("a constant")
        };
        assert!(matches!(program.exprs[value].kind, hir::ExprKind::Int(2)));
        let called: Vec<&str> = program
            .exprs
            .iter()
            .filter_map(|e| match &e.kind {
                hir::ExprKind::Call { callee: hir::Callee::Function(f), .. } => {
                    Some(program.functions[*f].name.as_str())
                }
                _ => None,
            })
            .collect();
        assert_eq!(called, ["f", "g"]);
    }
}

#[test]
fn assembler_names_link() {
    let program = link(&[
        "int f(void) __asm__(\"other\"); int g(void) { return f(); }",
        "int other(void) { return 1; }",
    ]);
    let call = program.exprs.iter().find_map(|e| match &e.kind {
        hir::ExprKind::Call { callee: hir::Callee::Function(f), .. } => Some(&program.functions[*f].name),
        _ => None,
    });
    assert_eq!(call.map(String::as_str), Some("other"));
}

#[test]
fn line_markers_say_where_things_are() {
    let read =
        read(&["# 1 \"main.c\"\nint x;\n# 40 \"header.h\" 1\n\nint y = z;\n# 3 \"main.c\" 2\nint w = q;\n"]);
    let places: Vec<String> =
        read.diagnostics.errors().map(|e| read.sources.locate(e.span).to_string()).collect();
    assert_eq!(places, ["header.h:41:9", "main.c:3:9"]);
}

#[test]
fn calls_that_do_not_fit_a_definition_in_another_file() {
    for (first, second, misfits) in [
        ("int f(float); int main(void) { return f(2); }", "int f(x) float x; { return x; }", 1),
        ("int f(); int main(void) { return f(2.0); }", "int f(x) float x; { return x; }", 0),
        ("int f(void); int main(void) { return f(); }", "void f(void) { }", 1),
        ("int f(void); int main(void) { f(); (void)f(); return 0; }", "void f(void) { }", 0),
    ] {
        let program = read(&[first, second]).program.expect("warnings at most");
        assert_eq!(program.misfits.len(), misfits, "{first} {second}");
    }
}

#[test]
fn which_of_two_definitions_is_called_is_said() {
    let main = "int main(void) { return f(); }";
    let twins =
        [format!("inline int f(void) {{ return 1; }} {main}"), "int f(void) { return 2; }".to_string()];
    assert_eq!(link(&[&twins[0], &twins[1]]).assumptions.len(), 1);
    let weak = format!("__attribute__((weak)) int f(void) {{ return 1; }} {main}");
    assert!(link(&[&weak, &twins[1]]).assumptions.is_empty());
}
