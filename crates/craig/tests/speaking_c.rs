//! Runs and proofs speak of the program in its own words.

use craig::report::Detail;
use craig::{CheckKind, Options, Report, Source, check, engine};

fn report(name: &str, text: &str) -> Report {
    let options = Options { engine: Some(engine(name).expect("an engine")), ..Options::default() };
    let source = Source { checks: vec![CheckKind::Error], ..Source::text(text) };
    check(&source, &options).expect("a report")
}

fn messages(report: &Report) -> Vec<String> {
    report.trace.iter().map(|step| step.event.to_string()).collect()
}

const HEAP: &str = "
void *malloc(unsigned long); void abort(void); void reach_error(void); int nondet(void);
enum colour { RED, GREEN };
struct node { struct node *left, *right; int value; enum colour colour; };
struct parser { int pos, toknext; char name[4]; };
static struct node *make(int v) {
  struct node *n = malloc(sizeof *n);
  if (!n) abort();
  n->left = n->right = 0; n->value = v; n->colour = GREEN;
  return n;
}
int main(void) {
  struct parser p = {0, 0, \"ab\"};
  int buf[10];
  int unused;
  int n = nondet();
  struct node *root = make(7);
  root->left = make(42);
  root->left->value = 43;
  if (n < 5 || n > 5) return 0;
  for (int i = 0; i < n; i++) { buf[i] = i; p.toknext++; }
  int *q = &buf[3];
  *q = 17;
  if (p.toknext == 5 && root->left->colour == GREEN) reach_error();
  return 0;
}";

#[test]
fn a_run_names_members_elements_and_objects() {
    let report = report("dart", HEAP);
    let messages = messages(&report);
    for expected in [
        "p.name[0] = 'a'",
        "n = 5, from nondet()",
        "call of make(v = 7)",
        "a new object `heap1` of 24 bytes",
        "n != NULL holds",
        "n->left = NULL",
        "n->colour = GREEN",
        "make returns &heap1",
        "root->left = &heap2",
        "root->left->value = 43",
        "buf[4] = 4",
        "q = &buf[3]",
        "*q = 17, that is buf[3]",
        "p.toknext == 5 holds",
        "root->left->colour == GREEN holds",
    ] {
        assert!(messages.iter().any(|message| message == expected), "{expected} is not in {messages:#?}");
    }
    assert!(!messages.iter().any(|message| message.contains("0x")), "{messages:#?}");
    assert!(!messages.iter().any(|message| message.contains("unused")), "{messages:#?}");
    // The last step is the check that failed.
    assert_eq!(
        messages.last(),
        report.checks.iter().find(|check| check.test.is_some()).map(|check| &check.words)
    );
    // What the failure depends on is marked.
    let marked: Vec<&String> = report
        .trace
        .iter()
        .zip(&messages)
        .filter(|(step, _)| step.matters)
        .map(|(_, message)| message)
        .collect();
    assert!(marked.contains(&&"p.toknext = 5".to_string()), "{marked:?}");
    assert!(!marked.contains(&&"buf[4] = 4".to_string()), "{marked:?}");
}

#[test]
fn the_short_text_has_inputs_and_the_end() {
    let report = report("dart", HEAP);
    let (short, full) = (report.text(Detail::Short), report.text(Detail::Full));
    assert!(short.contains("inputs:\nprogram.i:16:"), "{short}");
    assert!(short.lines().count() < 30 && full.lines().count() > short.lines().count(), "{short}");
    assert!(full.contains(" more rounds ..."), "{full}");
}

#[test]
fn an_invariant_names_members() {
    let report = report(
        "pdr",
        "void *malloc(unsigned long); void reach_error(void); int nondet(void);
         struct buf { int len, cap; };
         int main(void) {
           int n = nondet();
           if (n < 1 || n > 100) return 0;
           struct buf *b = malloc(sizeof *b);
           if (!b) return 0;
           b->len = 0; b->cap = n;
           for (int i = 0; i < n; i++) b->len++;
           if (b->len != n) reach_error();
           return 0;
         }",
    );
    assert_eq!(report.verdict.word(), "safe");
    let invariants: Vec<String> =
        report.invariants.iter().map(|invariant| invariant.expression.readable().to_string()).collect();
    assert!(invariants.iter().any(|invariant| invariant.contains("b->len")), "{invariants:?}");
    for unwanted in ["heap.", "tracked", "next_address", "nodes"] {
        assert!(!invariants.iter().any(|invariant| invariant.contains(unwanted)), "{invariants:?}");
    }
}

#[test]
fn an_assumption_says_how_to_lift_it() {
    let report = report(
        "dart",
        "void reach_error(void); int f(void); int main(void) { if (f()) reach_error(); return 0; }",
    );
    let remedy = report.assumptions.iter().find_map(|assumed| assumed.remedy.as_deref());
    assert!(remedy.is_some_and(|remedy| remedy.contains("--model ")), "{:?}", report.assumptions);
}

#[test]
fn a_function_under_test_is_told_by_its_arguments() {
    let text = "struct pair { int a, b; };
        int sum(struct pair *p) { return p->a / p->b; }";
    let with = |requires: &[&str]| {
        let requires = requires.iter().map(|text| text.to_string()).collect();
        let checks = vec![CheckKind::Memory, CheckKind::Division];
        let source = Source { entry: Some("sum".to_string()), requires, checks, ..Source::text(text) };
        check(&source, &Options::default()).expect("a report")
    };
    let report = with(&[]);
    // Which of the two failures is shown may differ.
    if messages(&report).contains(&"call of sum(p = NULL)".to_string()) {
        assert!(report.next_steps()[0].contains("`--requires 'valid(p)'`"), "{:?}", report.next_steps());
    }
    let report = with(&["valid(p)"]);
    let messages = messages(&report);
    assert!(messages.contains(&"heap1.b = 0, an argument".to_string()), "{messages:#?}");
    assert_eq!(messages.last().map(String::as_str), Some("division by zero in `p->a / p->b`"));
    assert!(!messages.iter().any(|message| message.contains("craig_")), "{messages:#?}");
}

#[test]
fn what_a_function_returns_and_where_it_goes_is_one_step() {
    let report = report(
        "dart",
        "void reach_error(void); int nondet(void);
         int main(void) { int a[2]; a[1] = nondet(); if (a[1] > 5) reach_error(); return 0; }",
    );
    let messages = messages(&report);
    let told = |message: &String| message.starts_with("a[1] = ") && message.ends_with(", from nondet()");
    assert!(messages.iter().any(told), "{messages:#?}");
    assert!(!messages.iter().any(|message| message.contains("returns")), "{messages:#?}");
}

#[test]
fn what_only_craig_has_a_name_for_is_not_shown() {
    let text = "
int scanf(const char *, ...); void *malloc(unsigned long);
struct entry { int key, value; };
static void add(struct entry *to, struct entry e) { static int next; to[next++] = e; }
int main(void) {
  struct entry e = {1, 2}, table[1];
  int n, *a = malloc(4 * sizeof *a);
  if (!a || scanf(\"%d\", &n) != 1) return 0;
  for (int i = 0; i < n; i++) scanf(\"%d\", &a[i]);
  for (int i = 0; i < n; i++) add(table, e);
  char word[4];
  scanf(\"%s\", word);
  return n * 1e9;
}";
    let report = check(&Source::text(text), &Options::default()).expect("a report");
    let failed: Vec<&str> =
        report.checks.iter().filter(|check| check.test.is_some()).map(|check| &*check.words).collect();
    for expected in [
        "invalid write of `a[i]`: `a + i` must point to an object",
        "invalid write of `to[next++]`: `to + next++` must point to an object",
        "invalid write in `scanf`",
        "conversion out of range in `n * 1e9`",
    ] {
        assert!(failed.contains(&expected), "{expected} is not in {failed:#?}");
    }
    let messages = messages(&report);
    for hidden in ["scan_", "stored", "(."] {
        assert!(!messages.iter().any(|message| message.contains(hidden)), "{messages:#?}");
    }
}
