//! The page of `--report` in a real browser. Without one (Debian's package `chromium`) it is only looked at as text.

mod folder;

use folder::Folder;
use std::path::{Path, PathBuf};
use std::process::Command;

const BUG: &str = "
extern int nondet(void);
void reach_error(void);
struct pair { int a, b; };
static int larger(struct pair *p) { return p->a < p->b ? p->b : p->a; }
int main(void) {
  struct pair p;
  p.a = nondet();
  p.b = nondet();
  int m = larger(&p);
  if (m < 3 || m > 5) return 0;
  /* </script> must not end the page */
  if (p.a == 4) reach_error();
  return m + 1;
}
";

fn page(folder: &Folder, program: &str, command: &[&str]) -> PathBuf {
    let file = folder.file("program.c", program);
    let report = folder.0.join("report");
    let output = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(command)
        .arg(&file)
        .arg("--report")
        .arg(&report)
        .output()
        .expect("the program starts");
    let page = report.join("index.html");
    assert!(page.is_file(), "{}", String::from_utf8_lossy(&output.stderr));
    page
}

/// What the browser makes of a page, and what it complains about; nothing without a browser.
fn rendered(page: &Path, link: &str) -> Option<(String, String)> {
    browsed(page, link, &["--virtual-time-budget=2000"])
}

/// The same after someone did something there, as a script says it: `press('j')`, `click('#theme')`.
fn after(page: &Path, actions: &str) -> Option<(String, String)> {
    let text = std::fs::read_to_string(page).expect("the page");
    let someone = "<script>const press = key => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
        const click = what => document.querySelector(what).dispatchEvent(new MouseEvent('click', { bubbles: true }));
        const type = (where, text) => { const field = document.querySelector(where); field.value = text; field.dispatchEvent(new Event('input', { bubbles: true })); };";
    let used = page.with_file_name("used.html");
    std::fs::write(&used, text.replace("</body>", &format!("{someone}{actions}</script></body>")))
        .expect("a page");
    rendered(&used, "")
}

fn browsed(page: &Path, link: &str, options: &[&str]) -> Option<(String, String)> {
    let browser = ["chromium", "chromium-browser", "google-chrome"].into_iter().find(|name| {
        Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success())
    });
    let Some(browser) = browser else {
        eprintln!("skipped: there is no chromium");
        return None;
    };
    let profile = page.with_file_name("profile");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"])
        .arg("--window-size=1400,900")
        .args(options)
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}{link}", page.display()))
        .output()
        .expect("the browser starts");
    let complaints = String::from_utf8_lossy(&output.stderr);
    let complaints = complaints.lines().filter(|line| line.contains("CONSOLE")).collect();
    let shown = String::from_utf8_lossy(&output.stdout);
    // The data and the script are in the page, too.
    let shown = shown.split("<script").next().unwrap_or_default();
    let (root, body) = shown.split_once("<head>").unwrap_or_default();
    let body = body.split_once("</head>").unwrap_or_default().1;
    Some((format!("{root}{body}"), complaints))
}

#[test]
fn a_failing_run_is_stepped_and_checks_are_filtered() {
    let folder = Folder::new("page");
    let page = page(&folder, BUG, &["check", "--check", "error", "--check", "memory", "--timeout", "20s"]);
    let text = std::fs::read_to_string(&page).expect("the page");
    assert_eq!(text.matches("</script>").count(), 2, "a source must not end the script");
    assert!(!text.contains("src=") && !text.contains("http"), "the page needs no network");
    let Some((end, complaints)) = rendered(&page, "") else { return };
    assert_eq!(complaints, "");
    assert!(end.contains("class=\"verdict unsafe\""), "{end}");
    // The run stands at the failure, and its values beside the code.
    let current = |shown: &str, line: u32| {
        let row = shown.split("<div class=\"").find(|row| row.contains(&format!("id=\"L{line}\"")));
        row.is_some_and(|row| row.split('"').next().is_some_and(|classes| classes.contains("now")))
    };
    assert!(current(&end, 13), "{end}");
    assert!(end.contains("p.a = 4"), "{end}");
    let (second, complaints) = rendered(&page, "#run=0&step=2").expect("a browser");
    assert_eq!(complaints, "");
    assert!(second.contains(">step 2 of "), "{second}");
    let (filtered, _) = rendered(&page, "#filter=no-such-check").expect("a browser");
    assert!(!filtered.contains("class=\"item\""), "{filtered}");
}

#[test]
fn keys_and_buttons_do_what_they_say() {
    let folder = Folder::new("keys");
    let page = page(&folder, BUG, &["check", "--check", "error", "--check", "memory", "--timeout", "20s"]);
    let Some((stepped, complaints)) =
        after(&page, "press('Home'); press('j'); press('ArrowRight'); press('k');")
    else {
        return;
    };
    assert_eq!(complaints, "");
    assert!(stepped.contains(">step 2 of "), "{stepped}");
    let (filtered, complaints) =
        after(&page, "type('#query', 'reach_error'); press('t');").expect("a browser");
    assert_eq!(complaints, "");
    assert_eq!(filtered.matches("class=\"item\"").count(), 1, "{filtered}");
    assert!(filtered.contains("data-theme=\"dark\""), "{filtered}");
    let (chosen, _) = after(&page, "click('[data-chip=safe]');").expect("a browser");
    assert_eq!(chosen.matches("class=\"item\"").count(), 1, "only what fails is left: {chosen}");
}

#[test]
fn the_control_flow_is_drawn_on_demand() {
    let folder = Folder::new("flow");
    let page = page(&folder, BUG, &["check", "--check", "error", "--timeout", "20s"]);
    let Some((before, complaints)) = rendered(&page, "") else { return };
    assert_eq!(complaints, "");
    assert!(!before.contains("<svg"), "{before}");
    // The failure is in `main`; another function can be chosen.
    let (drawn, complaints) = after(&page, "press('g');").expect("a browser");
    assert_eq!(complaints, "");
    assert!(drawn.contains("<svg") && drawn.contains("class=\"block unsafe now visited\""), "{drawn}");
    assert!(drawn.contains("p.a == 4</text>"), "{drawn}");
    let (other, complaints) = rendered(&page, "#graph=larger").expect("a browser");
    assert_eq!(complaints, "");
    assert!(other.contains(">static int larger(struct pair *p)"), "{other}");
    let (back, _) = after(&page, "press('g'); press('g');").expect("a browser");
    assert!(back.contains("aria-label=\"control flow\" hidden"), "{back}");
}

#[test]
fn coverage_is_shown() {
    let folder = Folder::new("coverage-page");
    let page = page(&folder, BUG, &["test", "--cover", "branches", "--timeout", "20s"]);
    let Some((shown, complaints)) = rendered(&page, "") else { return };
    assert_eq!(complaints, "");
    assert!(shown.contains("cover covered"), "{shown}");
    assert!(shown.contains("reached by test 0"), "{shown}");
}

#[test]
fn a_long_program_opens_at_once() {
    let folder = Folder::new("long-page");
    let mut program = String::from("extern int nondet(void);\nvoid reach_error(void);\n");
    for i in 0..2500 {
        program.push_str(&format!(
            "static int f{i}(int x) {{\n  if (x > {i}) return x; /* {i} */\n  return {i};\n}}\n"
        ));
    }
    program.push_str(
        "int main(void) {\n  int x = nondet();\n  if (f7(x) == 9) reach_error();\n  return 0;\n}\n",
    );
    let page = page(&folder, &program, &["check", "--check", "error", "--timeout", "20s"]);
    // In real time: the browser's own clock, from the start of the navigation to the end of the script.
    let Some((shown, complaints)) = browsed(&page, "", &[]) else { return };
    assert_eq!(complaints, "");
    let ready = shown.split_once("data-ready=\"").and_then(|(_, rest)| rest.split_once('"'));
    let milliseconds: u32 = ready.expect("the page is ready").0.parse().expect("a number");
    eprintln!("{milliseconds} ms for {} lines", program.lines().count());
    // Where others use the machine as well, a second may be longer.
    let limit = if std::env::var_os("CRAIG_SLOW_MACHINE").is_some() { 5000 } else { 1000 };
    assert!(milliseconds < limit, "{milliseconds} ms for {} lines", program.lines().count());
}

#[test]
fn findings_of_tests_are_shown() {
    let program = "extern int nondet(void);
int main(void) {
  int x = nondet();
  if (x == 17) return 1 / (x - 17);
  return 0;
}
";
    let folder = Folder::new("finding-page");
    let page = page(&folder, program, &["test", "--cover", "branches", "--timeout", "20s"]);
    let Some((shown, complaints)) = rendered(&page, "") else { return };
    assert_eq!(complaints, "");
    assert!(shown.contains("division by zero") && shown.contains("fails in test "), "{shown}");
}

#[test]
fn a_project_has_an_overview() {
    let folder = Folder::new("overview-page");
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/project");
    let report = folder.0.join("report");
    let output = Command::new(env!("CARGO_BIN_EXE_craig"))
        .args(["check", "--project", "compile_commands.json", "--no-cache", "--timeout", "60s", "--report"])
        .arg(&report)
        .current_dir(project)
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let Some((shown, complaints)) = rendered(&report.join("index.html"), "") else { return };
    assert_eq!(complaints, "");
    assert!(shown.contains("class=\"verdict unsafe\">refuted"), "{shown}");
    assert!(shown.contains("checksum/index.html#file=src/checksum.c&amp;line=9"), "{shown}");
    let visible =
        |shown: &str| shown.matches("<tr data-word=").count() - shown.matches("\" hidden=\"\"><td>").count();
    assert_eq!(visible(&shown), 4, "{shown}");
    let (filtered, complaints) =
        after(&report.join("index.html"), "type('#query', 'ring_p');").expect("a browser");
    assert_eq!(complaints, "");
    assert_eq!(visible(&filtered), 2, "{filtered}");
    let (function, complaints) = rendered(&report.join("checksum/index.html"), "").expect("a browser");
    assert_eq!(complaints, "");
    assert!(function.contains("<a id=\"overview\" href=\"../index.html\">"), "{function}");
}

#[test]
fn the_page_of_a_benchmark_is_drawn_and_filtered() {
    let folder = Folder::new("bench-page");
    std::fs::write(folder.0.join("a.c"), "int main(void) { return 0; }\n").expect("a file");
    std::fs::write(folder.0.join("manifest.tsv"), "a.c\tsafe\there\n").expect("a file");
    let results = folder.0.join("results");
    let output = Command::new(env!("CARGO_BIN_EXE_craig"))
        .arg("bench")
        .arg(&folder.0)
        .args(["--timeout", "5s", "--output"])
        .arg(&results)
        .output()
        .expect("the program starts");
    let page = results.join("index.html");
    assert!(page.is_file(), "{output:?}");
    let Some((shown, complaints)) = rendered(&page, "") else { return };
    assert_eq!(complaints, "");
    assert!(shown.contains("<svg") && shown.contains("class=\"verdict safe\">none wrong"), "{shown}");
    let (filtered, complaints) =
        after(&page, "type('#filter', 'elsewhere'); click('#theme');").expect("a browser");
    assert_eq!(complaints, "");
    assert!(filtered.contains("<tr hidden=\"\">"), "{filtered}");
}
