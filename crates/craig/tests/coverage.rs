//! `craig test`: every goal is decided, and what the tests are said to reach, a compiled harness
//! reaches as well.

use std::path::Path;
use std::process::Command;

const PROGRAM: &str = "extern int input(void);
int classify(int a, int b) {
  if (a > 10) {
    if (b == 12345) return 1;
    if (a < 5) return 2;
  }
  switch (b & 3) { case 0: return 3; case 1: return 4; case 7: return 5; default: return 6; }
}
int main(void) {
  int s = 0;
  for (int i = 0; i < 3; i++) s += classify(input(), input());
  if (s > 100) return 9;
  return 0;
}
";

fn craig(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_craig")).args(arguments).output().expect("craig runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn file(folder: &Path) -> String {
    std::fs::create_dir_all(folder).expect("a folder");
    let file = folder.join("classify.c");
    std::fs::write(&file, PROGRAM).expect("a file");
    file.display().to_string()
}

#[test]
fn every_block_is_reached_or_proved_dead() {
    let folder = std::env::temp_dir().join(format!("craig-cover-{}", std::process::id()));
    let file = file(&folder);
    for (goals, dead) in [("blocks", 3), ("branches", 3), ("lines", 0)] {
        let suite = folder.join(goals);
        let text = craig(&["test", &file, "--cover", goals, "--out", &suite.display().to_string()]);
        assert!(text.contains(" 0 open"), "{goals}: {text}");
        assert!(text.matches("unreachable\n").count() >= dead, "{goals}: {text}");
        let found = craig(&["test", &file, "--cover", goals, "--random", "0"]);
        assert!(found.contains(" 0 open"), "{goals} without random runs: {found}");
        let alone = craig(&["test", &file, "--cover", goals, "--random", "0", "--engine", "lazy-annotation"]);
        assert!(alone.contains(" 0 open"), "{goals} by lazy annotation alone: {alone}");
    }
    let harness = folder.join("blocks/harness-0.c");
    let binary = folder.join("harness");
    let compiled = Command::new("cc").arg("-o").arg(&binary).arg(&harness).output();
    match compiled {
        Ok(output) if output.status.success() => {
            assert!(Command::new(&binary).status().expect("a program").code().is_some());
        }
        Ok(output) => panic!("{}", String::from_utf8_lossy(&output.stderr)),
        Err(_) => eprintln!("skipped: there is no C compiler"),
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn goals_of_recursive_programs_are_decided() {
    let folder = std::env::temp_dir().join(format!("craig-cover-recursive-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("depth.c");
    let program = "extern int input(void);
int depth(int n, int k) { if (n == 0) return k; if (n == 7) return depth(n - 2, k + 3); return depth(n - 1, k); }
int main(void) {
  int n = input();
  if (n < 0 || n > 20) return 1;
  int d = depth(n, 0);
  if (d == 3) { if (n == 12345) return 4; return 2; }
  return 0;
}
";
    std::fs::write(&file, program).expect("a file");
    let text = craig(&["test", &file.display().to_string(), "--random", "0"]);
    assert!(text.contains(", 1 proved unreachable, 0 open"), "{text}");
    let _ = std::fs::remove_dir_all(&folder);
}
