//! `craig reduce`: what the command still succeeds on, and nothing left behind.

use std::fs;
use std::process::Command;

#[test]
fn a_file_becomes_what_the_command_is_about() {
    let folder = std::env::temp_dir().join(format!("craig-test-reduce-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let (file, output) = (folder.join("p.c"), folder.join("small.c"));
    let text = "int a; /* one */\nint f(int x) {\n  if (x > 3) { a = x + 1; needle(x); }\n  return 2;\n}\n";
    fs::write(&file, text).expect("a file");
    let run = |predicate: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_craig"));
        command.arg("reduce").arg(&file).arg("-o").arg(&output);
        // The system's temporary folder is elsewhere: nothing may be left in it.
        let command = command.env("TMPDIR", &folder).args(["--", "sh", "-c", predicate]);
        command.output().expect("the program starts").status.code()
    };
    assert_eq!(run("case {} in */p.c) grep -q needle {} ;; esac"), Some(0));
    assert_eq!(fs::read_to_string(&output).expect("a result").trim(), "needle");
    assert_eq!(fs::read_to_string(&file).expect("the file"), text);
    assert_eq!(run("false"), Some(64));
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 2);
    let _ = fs::remove_dir_all(folder);
}
