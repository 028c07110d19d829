//! The page of `--report` in a real browser. Without one (Debian's package `chromium`) it is only looked at as text.

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

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("craig-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn page(folder: &Folder, program: &str, command: &[&str]) -> PathBuf {
    let file = folder.0.join("program.c");
    std::fs::write(&file, program).expect("a file");
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
        .args(["--virtual-time-budget=2000", "--window-size=1400,900"])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}{link}", page.display()))
        .output()
        .expect("the browser starts");
    let complaints = String::from_utf8_lossy(&output.stderr);
    let complaints = complaints.lines().filter(|line| line.contains("CONSOLE")).collect();
    let shown = String::from_utf8_lossy(&output.stdout);
    // The data and the script are in the page, too.
    let shown = shown.split("<script").next().unwrap_or_default().to_string();
    Some((shown, complaints))
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
    assert!(
        end.contains("class=\"line failed now visited target\" id=\"L13\"") || end.contains("L13"),
        "{end}"
    );
    assert!(end.contains("p.a = 4"), "{end}");
    let (second, complaints) = rendered(&page, "#run=0&step=2").expect("a browser");
    assert_eq!(complaints, "");
    assert!(second.contains(">step 2 of "), "{second}");
    let (filtered, _) = rendered(&page, "#filter=no-such-check").expect("a browser");
    assert!(!filtered.contains("class=\"item\""), "{filtered}");
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
    let Some((shown, complaints)) = rendered(&page, "") else { return };
    assert_eq!(complaints, "");
    let ready = shown.split_once("data-ready=\"").and_then(|(_, rest)| rest.split_once('"'));
    let milliseconds: u32 = ready.expect("the page is ready").0.parse().expect("a number");
    assert!(milliseconds < 3000, "{milliseconds} ms for {} lines", program.lines().count());
    eprintln!("{milliseconds} ms for {} lines", program.lines().count());
}
