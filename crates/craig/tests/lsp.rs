//! The language server, driven by a client library.

use lsp_server::{Message, Notification, Request, RequestId};
use lsp_types::{CodeLens, DiagnosticSeverity, Hover, InitializeResult, PublishDiagnosticsParams};
use serde_json::{Value, json};
use std::io::BufReader;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const PROGRAM: &str = "extern int nondet(void);
static int half(int x) { return 100 / x; }
int main(void) {
  int x = nondet();
  return half(x);
}
";

struct Editor {
    server: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: i32,
    folder: std::path::PathBuf,
}

impl Editor {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("craig-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let mut server = Command::new(env!("CARGO_BIN_EXE_craig"))
            .args(["lsp", "--timeout", "20s"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let input = server.stdin.take().expect("a pipe");
        let output = BufReader::new(server.stdout.take().expect("a pipe"));
        Editor { server, input, output, requests: 0, folder }
    }

    fn save(&self, name: &str, text: &str) -> String {
        let path = self.folder.join(name);
        std::fs::write(&path, text).expect("a file");
        format!("file://{}", path.display())
    }

    fn notify(&mut self, method: &str, params: Value) {
        let message = Message::Notification(Notification::new(method.to_string(), params));
        message.write(&mut self.input).expect("sent");
    }

    fn receive(&mut self) -> Message {
        Message::read(&mut self.output).expect("a message").expect("no end yet")
    }

    /// Sends a request and waits for its answer; what comes between is lost.
    fn request(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        let id = RequestId::from(self.requests);
        let request = Request::new(id.clone(), method.to_string(), params);
        Message::Request(request).write(&mut self.input).expect("sent");
        loop {
            if let Message::Response(response) = self.receive()
                && response.id == id
            {
                return serde_json::to_value(&response).expect("a value")["result"].take();
            }
        }
    }

    fn diagnostics(&mut self) -> PublishDiagnosticsParams {
        loop {
            match self.receive() {
                Message::Notification(told) if told.method == "textDocument/publishDiagnostics" => {
                    return serde_json::from_value(told.params).expect("diagnostics");
                }
                _ => {}
            }
        }
    }

    fn open(&mut self, uri: &str) {
        let document = json!({ "uri": uri, "languageId": "c", "version": 1, "text": "" });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

#[test]
fn an_editor_is_shown_findings_hovers_and_lenses() {
    let mut editor = Editor::new("lsp");
    let started =
        editor.request("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} }));
    let started: InitializeResult = serde_json::from_value(started).expect("capabilities");
    assert!(
        started.capabilities.hover_provider.is_some() && started.capabilities.code_lens_provider.is_some()
    );
    editor.notify("initialized", json!({}));

    let uri = editor.save("a.c", PROGRAM);
    editor.open(&uri);
    let found = editor.diagnostics();
    let failure = found.diagnostics.iter().find(|found| found.severity == Some(DiagnosticSeverity::ERROR));
    let failure = failure.unwrap_or_else(|| panic!("{found:?}"));
    assert_eq!((failure.range.start.line, failure.source.as_deref()), (1, Some("craig")));
    assert!(failure.message.contains("division by zero"), "{failure:?}");
    let run = failure.related_information.as_ref().expect("the run");
    assert!(run.iter().any(|step| step.message == "x = 0, from nondet()"), "{run:?}");

    let position = json!({ "line": 1, "character": 5 });
    let hover =
        editor.request("textDocument/hover", json!({ "textDocument": { "uri": uri }, "position": position }));
    let hover: Hover = serde_json::from_value(hover).expect("a hover");
    assert!(format!("{hover:?}").contains("✘ fails: division by zero"), "{hover:?}");

    let lenses = editor.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let lenses: Vec<CodeLens> = serde_json::from_value(lenses).expect("lenses");
    let commands: Vec<_> = lenses.iter().filter_map(|lens| lens.command.as_ref()).collect();
    let half = commands.iter().find(|command| command.arguments == Some(vec![json!(uri), json!("half")]));
    assert_eq!(commands.len(), 4, "two functions, two lenses each");
    editor.request(
        "workspace/executeCommand",
        json!({ "command": half.expect("a lens").command, "arguments": [uri, "half"] }),
    );
    assert!(editor.diagnostics().diagnostics.iter().any(|found| found.message.contains("division by zero")));

    // What is mended and saved is no longer found.
    editor.save("a.c", &PROGRAM.replace("100 / x", "x == 0 ? 0 : 100 / x"));
    editor.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(editor.diagnostics().diagnostics, []);

    assert_eq!(editor.request("shutdown", Value::Null), Value::Null);
    editor.notify("exit", Value::Null);
    assert!(editor.server.wait().expect("an end").success());
}

#[test]
fn what_cannot_be_read_is_an_error_at_its_place() {
    let mut editor = Editor::new("lsp-bad");
    let uri = editor.save("bad.i", "int main(void) {\n  return x;\n}\n");
    editor.open(&uri);
    let found = editor.diagnostics();
    assert_eq!(found.diagnostics.len(), 1, "{found:?}");
    assert_eq!(found.diagnostics[0].range.start.line, 1, "{found:?}");
    // A file without `main` has lenses, and no findings.
    let uri = editor.save("part.i", "int twice(int x) { return x + x; }\n");
    editor.open(&uri);
    assert_eq!(editor.diagnostics().diagnostics, []);
    let lenses = editor.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(lenses.as_array().map(Vec::len), Some(2));
    let refused = editor.request("textDocument/definition", json!({ "textDocument": { "uri": uri } }));
    assert_eq!(refused, Value::Null);
}
