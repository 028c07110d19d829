//! Tests that other tools made are where `craig test` begins.

mod folder;

use folder::Folder;
use std::process::{Command, Output};

impl Folder {
    fn with(name: &str, files: &[(&str, &[u8])]) -> Self {
        let folder = Folder::new(name);
        std::fs::create_dir_all(folder.0.join("given")).expect("a folder");
        for (name, content) in files {
            folder.file(name, content);
        }
        folder
    }

    fn craig(&self, arguments: &[&str]) -> Output {
        let program = env!("CARGO_BIN_EXE_craig");
        Command::new(program).args(arguments).current_dir(&self.0).output().expect("the program starts")
    }

    /// What is left open with the given tests alone.
    fn covered(&self, more: &[&str]) -> String {
        let alone =
            ["test", "a.c", "--engine", "random", "--random", "0", "--tests", "given", "--cover", "branches"];
        let output = self.craig(&[&alone[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

/// A file as KLEE writes it: a magic word, and then numbers of four bytes, the high one first, before each text.
fn ktest(objects: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = b"KTEST".to_vec();
    let mut write = |content: &[u8]| bytes.extend_from_slice(content);
    let number = |number: usize| (number as u32).to_be_bytes();
    write(&number(3));
    write(&number(1));
    write(&number(4));
    write(b"a.bc");
    write(&[0; 8]);
    write(&number(objects.len()));
    for (name, content) in objects {
        write(&number(name.len()));
        write(name.as_bytes());
        write(&number(content.len()));
        write(content);
    }
    bytes
}

#[test]
fn objects_of_klee_lie_as_c_lays_them_out() {
    let program = b"
        void *malloc(unsigned long);
        void klee_make_symbolic(void *, unsigned long, const char *);
        int klee_int(const char *);
        struct inner { int a; char b; };
        struct outer { struct inner inner; char c; short d; };
        int main(void) {
          struct outer o;
          klee_make_symbolic(&o, sizeof o, \"o\");
          char *text = malloc(4);
          if (!text) return 0;
          klee_make_symbolic(text, 4, \"text\");
          int y = klee_int(\"y\");
          if (o.inner.a == 77 && o.inner.b == 'b' && o.c == 'c' && o.d == -9 && text[2] == 'q' && y == 1000) return 1;
          return 0;
        }";
    // Padding follows `b`, and so does the end of the inner structure.
    let o = [77, 0, 0, 0, b'b', 1, 2, 3, b'c', 4, 0xf7, 0xff];
    let test = ktest(&[("o", &o), ("text", b"abqd"), ("y", &1000i32.to_le_bytes())]);
    let files: [(&str, &[u8]); 3] =
        [("a.c", program), ("given/1.ktest", &test), ("given/info", b"not a test")];
    let folder = Folder::with("klee", &files);
    let output = folder.craig(&["run", "a.c", "--inputs", "given/1.ktest"]);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("returned 1\n"), "{output:?}");
    assert!(
        folder.covered(&[]).contains(" reached by 1 tests"),
        "the other file is none: {}",
        folder.covered(&[])
    );
}

#[test]
fn values_of_test_comp_are_taken_in_order() {
    let program = b"
        extern int __VERIFIER_nondet_int(void); extern char __VERIFIER_nondet_char(void);
        extern unsigned __VERIFIER_nondet_uint(void); extern double __VERIFIER_nondet_double(void);
        int main(void) {
          int uninitialised[2];
          int x = __VERIFIER_nondet_int();
          char c = __VERIFIER_nondet_char();
          unsigned u = __VERIFIER_nondet_uint();
          double d = __VERIFIER_nondet_double();
          if (x == -12345 && c == 'x' && u == 4000000000u && d == 2.5) return uninitialised[0] == 0;
          return 0;
        }";
    let test = b"<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>
        <!DOCTYPE testcase PUBLIC \"+//IDN sosy-lab.org//DTD test-format testcase 1.1//EN\" \"\">
        <testcase>
          <input type=\"int\">-12345</input><input>'x'</input>
          <input variable=\"u\">0xEE6B2800</input><input>2.5</input>
        </testcase>";
    let files: [(&str, &[u8]); 3] = [
        ("a.c", program),
        ("given/testcase-1.xml", test),
        ("given/metadata.xml", b"<?xml?><test-metadata/>"),
    ];
    let folder = Folder::with("testcomp", &files);
    let output = folder.craig(&["run", "a.c", "--inputs", "given/testcase-1.xml"]);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("returned 1\n"), "{output:?}");
    // What a suite of Craig holds is known again.
    folder.craig(&["test", "a.c", "--tests", "given", "--out", "given", "--timeout", "10s"]);
    let again = folder.covered(&[]);
    assert!(!again.starts_with("0 goals") && !again.contains(" reached by 0 tests"), "{again}");
}

#[test]
fn every_file_of_a_corpus_is_a_buffer() {
    let program = b"
        typedef unsigned char uint8_t; typedef unsigned long size_t;
        int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
          if (size > 3 && data[0] == 'F' && data[1] == 'U' && data[2] == 'Z' && data[3] == 'Z') {
            int table[2] = {1, 2};
            return table[data[size - 1] - 'a'];
          }
          return 0;
        }";
    let files: [(&str, &[u8]); 3] = [("a.c", program), ("given/0a", b"FUZZb"), ("given/0b", b"FUZZz")];
    let folder = Folder::with("libfuzzer", &files);
    let entry = ["--entry", "LLVMFuzzerTestOneInput", "--requires", "valid(data, size)"];
    let run = |file: &str| {
        let output = folder.craig(&[&["run", "a.c", "--inputs", file], &entry[..]].concat());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    assert!(run("given/0a").starts_with("returned"), "{}", run("given/0a"));
    assert!(run("given/0b").starts_with("undefined behaviour: invalid read"), "{}", run("given/0b"));
    assert!(folder.covered(&entry).contains(" reached by 1 tests"), "{}", folder.covered(&entry));
}

#[test]
fn what_goes_wrong_in_a_test_is_a_finding_here_and_for_sanitizers() {
    let program = b"
        extern int sensor(void);
        static int table[4];
        int main(void) {
          int x = sensor();
          if (x > 40) table[x - 41] = 1;
          return 0;
        }";
    let test = b"craig test 1\ni32 45\n";
    let folder = Folder::with("finding", &[("a.c", program), ("given/1.txt", test)]);
    let found = folder.covered(&["--out", "suite"]);
    assert!(found.contains("a.c:6:23: finding: invalid write, in test-0"), "{found}");
    let made = Command::new("make").args(["-C", "suite", "sanitize"]).current_dir(&folder.0).output();
    let Ok(made) = made else {
        eprintln!("skipped: there is no make");
        return;
    };
    let said = String::from_utf8_lossy(&made.stdout);
    if said.contains("1..1") {
        assert!(said.contains("# finding: ../a.c:6:") && said.contains("not ok 1 - test-0"), "{said}");
        let kept = std::fs::read_to_string(folder.0.join("suite/findings.txt")).expect("findings");
        assert!(kept.contains("../a.c:6:") && kept.contains("[test-0]"), "{kept}");
        assert_eq!(kept.lines().count(), 1, "{kept}");
    } else {
        eprintln!("skipped: there are no sanitizers: {made:?}");
    }
}
