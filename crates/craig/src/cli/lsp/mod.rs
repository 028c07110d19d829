//! A language server: what Craig knows of a file, where it is written.
//!
//! One thread reads messages, one works for each file that is asked about; everything comes together in [`serve`],
//! which alone knows the state and writes. A question about a newer version of a file cancels the older one.
//!
//! | file | what |
//! |---|---|
//! | `protocol` | messages and their frames |
//! | `answers` | diagnostics, hovers and lenses from reports |

mod answers;
mod protocol;

use crate::check::{Options, Report, Verdict};
use crate::error::Error;
use crate::limits::Limits;
use crate::report::Location;
use crate::report::json::Json;
use crate::report::run::{Step, steps};
use crate::task::{Loaded, Source, Task};
use crate::test::{Criterion, TestOptions, TestReport};
use answers::Lines;
use craig_base::CancelToken;
use protocol::{not_found, notification, response};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{Sender, channel};
use std::time::Duration;

/// How files are read, and how long a question may take.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Which include folders and definitions; without files.
    pub source: Source,
    pub timeout: Duration,
}

enum Event {
    Message(Json),
    /// The editor is gone.
    Closed,
    /// The answer to the question of that number.
    Done(u64, Box<Outcome>),
}

/// What became of a question about a file.
struct Outcome {
    uri: String,
    functions: Vec<Location>,
    found: Found,
    /// For the user, where someone asked for it.
    message: Option<String>,
}

enum Found {
    Checked(Box<Report>, Vec<(usize, Vec<Step>)>),
    Covered(TestReport),
    /// There is no `main`: nothing to do until someone asks for a function.
    Nothing,
    /// It could not be read.
    Bad(String),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Question {
    Check,
    Cover,
}

#[derive(Default)]
struct Document {
    running: Option<(u64, CancelToken)>,
    known: Option<Outcome>,
}

struct Server<W> {
    settings: Settings,
    output: W,
    events: Sender<Event>,
    documents: BTreeMap<String, Document>,
    asked: u64,
}

/// Talks to an editor until it says goodbye. False if it left without.
pub fn serve(
    settings: Settings,
    mut input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<bool> {
    let (events, inbox) = channel();
    let sender = events.clone();
    std::thread::spawn(move || {
        while let Ok(Some(message)) = protocol::read(&mut input) {
            if sender.send(Event::Message(message)).is_err() {
                return;
            }
        }
        let _ = sender.send(Event::Closed);
    });
    let mut server = Server { settings, output, events, documents: BTreeMap::new(), asked: 0 };
    let mut was_shut_down = false;
    for event in inbox {
        match event {
            Event::Closed => return Ok(false),
            Event::Done(number, outcome) => server.show(number, *outcome)?,
            Event::Message(message) => match message.get("method").and_then(Json::as_str) {
                Some("exit") => return Ok(was_shut_down),
                Some(method) => {
                    was_shut_down |= method == "shutdown";
                    server.handle(method, &message)?;
                }
                None => {}
            },
        }
    }
    Ok(false)
}

impl<W: Write> Server<W> {
    fn handle(&mut self, method: &str, message: &Json) -> io::Result<()> {
        let nothing = Json::Null;
        let params = message.get("params").unwrap_or(&nothing);
        let document =
            params.get("textDocument").and_then(|document| document.get("uri")).and_then(Json::as_str);
        if let Some(id) = message.get("id") {
            let result = match (method, document) {
                ("initialize", _) => capabilities(),
                ("shutdown", _) => Json::Null,
                ("textDocument/hover", Some(uri)) => self.hover(uri, params).unwrap_or(Json::Null),
                ("textDocument/codeLens", Some(uri)) => self.lenses(uri),
                ("workspace/executeCommand", _) => {
                    self.execute(params);
                    Json::Null
                }
                _ => return protocol::write(&mut self.output, &not_found(id, method)),
            };
            return protocol::write(&mut self.output, &response(id, result));
        }
        match (method, document) {
            ("textDocument/didOpen" | "textDocument/didSave", Some(uri)) => {
                self.ask(uri.to_string(), Question::Check, None);
            }
            ("textDocument/didClose", Some(uri)) => {
                if let Some(Document { running: Some((_, cancel)), .. }) = self.documents.remove(uri) {
                    cancel.cancel();
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn execute(&mut self, params: &Json) {
        let question = match params.get("command").and_then(Json::as_str) {
            Some("craig.check") => Question::Check,
            Some("craig.cover") => Question::Cover,
            _ => return,
        };
        let Some(Json::Array(arguments)) = params.get("arguments") else { return };
        if let [Json::String(uri), Json::String(function)] = arguments.as_slice() {
            self.ask(uri.clone(), question, Some(function.clone()));
        }
    }

    /// Begins to look for an answer; an older question about the file is given up.
    fn ask(&mut self, uri: String, question: Question, entry: Option<String>) {
        let Some(path) = protocol::path_of(&uri) else { return };
        self.asked += 1;
        let (number, cancel) = (self.asked, CancelToken::default());
        let document = self.documents.entry(uri.clone()).or_default();
        if let Some((_, older)) = document.running.replace((number, cancel.clone())) {
            older.cancel();
        }
        let source = Source { entry, inputs: Source::files([path]).inputs, ..self.settings.source.clone() };
        let limits = Limits { timeout: Some(self.settings.timeout), cancel, ..Limits::default() };
        let events = self.events.clone();
        std::thread::spawn(move || {
            let _ = events.send(Event::Done(number, Box::new(answer(uri, question, &source, limits))));
        });
    }

    /// Tells the editor what was found, unless a newer question is open.
    fn show(&mut self, number: u64, outcome: Outcome) -> io::Result<()> {
        let Some(document) = self.documents.get_mut(&outcome.uri) else { return Ok(()) };
        if document.running.as_ref().is_none_or(|(running, _)| *running != number) {
            return Ok(());
        }
        document.running = None;
        let (path, lines) = file(&outcome.uri);
        let found = match &outcome.found {
            Found::Checked(report, runs) => answers::findings(report, runs, &path, &outcome.uri, &lines),
            Found::Covered(report) => answers::coverage(report, &path, &lines),
            Found::Bad(text) => answers::errors(text, &path, &lines),
            Found::Nothing => Json::Array(Vec::new()),
        };
        let params = Json::object([("uri", Json::from(outcome.uri.as_str())), ("diagnostics", found)]);
        protocol::write(&mut self.output, &notification("textDocument/publishDiagnostics", params))?;
        if let Some(message) = &outcome.message {
            let params = Json::object([("type", Json::Integer(3)), ("message", message.as_str().into())]);
            protocol::write(&mut self.output, &notification("window/showMessage", params))?;
        }
        document.known = Some(outcome);
        Ok(())
    }

    fn hover(&self, uri: &str, params: &Json) -> Option<Json> {
        let Found::Checked(report, runs) = &self.documents.get(uri)?.known.as_ref()?.found else {
            return None;
        };
        let Some(Json::Integer(line)) = params.get("position")?.get("line") else { return None };
        answers::hover(report, runs, &protocol::path_of(uri)?, u32::try_from(*line).ok()? + 1)
    }

    fn lenses(&self, uri: &str) -> Json {
        let (path, lines) = file(uri);
        let known = self.documents.get(uri).and_then(|document| document.known.as_ref());
        let functions = match known {
            Some(known) if !known.functions.is_empty() => known.functions.clone(),
            _ => functions(&Source { inputs: Source::files([&path]).inputs, ..self.settings.source.clone() }),
        };
        answers::lenses(&functions, &path, uri, &lines)
    }
}

fn capabilities() -> Json {
    let sync =
        Json::object([("openClose", Json::from(true)), ("change", Json::Integer(1)), ("save", true.into())]);
    let commands = Json::array([Json::from("craig.check"), Json::from("craig.cover")]);
    let capabilities = Json::object([
        ("textDocumentSync", sync),
        ("hoverProvider", true.into()),
        ("codeLensProvider", Json::object([("resolveProvider", Json::from(false))])),
        ("executeCommandProvider", Json::object([("commands", commands)])),
    ]);
    let server = Json::object([("name", Json::from("Craig")), ("version", env!("CARGO_PKG_VERSION").into())]);
    Json::object([("capabilities", capabilities), ("serverInfo", server)])
}

/// The path of a document and its lines.
fn file(uri: &str) -> (String, Lines) {
    let path = protocol::path_of(uri).unwrap_or_default();
    let text = std::fs::read(&path).unwrap_or_default();
    (path, Lines::new(&String::from_utf8_lossy(&text)))
}

fn functions(source: &Source) -> Vec<Location> {
    Task::resolve(source, &[]).map(|task| task.functions()).unwrap_or_default()
}

/// Looks for an answer, on a thread of its own.
fn answer(uri: String, question: Question, source: &Source, limits: Limits) -> Outcome {
    let functions = functions(source);
    let has_main = functions.iter().any(|at| at.function.as_deref() == Some("main"));
    if source.entry.is_none() && !has_main && !functions.is_empty() {
        return Outcome { uri, functions, found: Found::Nothing, message: None };
    }
    let found = match question {
        Question::Check => check(source, limits),
        Question::Cover => cover(source, limits),
    };
    let found = found.unwrap_or_else(|error| Found::Bad(error.to_string()));
    let message = source.entry.as_ref().map(|function| format!("{function}: {}", in_words(&found)));
    Outcome { uri, functions, found, message }
}

fn check(source: &Source, limits: Limits) -> Result<Found, Error> {
    let loaded = Loaded::new(source)?;
    let report = loaded.check(&Options { limits, ..Options::default() })?;
    let failing = report.checks.iter().enumerate();
    let runs = failing.filter_map(|(number, check)| {
        let run = steps(&loaded.program, check.test.as_ref()?, &craig_exec::Limits::default());
        Some((number, run))
    });
    let runs = runs.collect();
    Ok(Found::Checked(Box::new(report), runs))
}

fn cover(source: &Source, limits: Limits) -> Result<Found, Error> {
    let options = TestOptions { cover: Criterion::Branches, limits, ..TestOptions::default() };
    Ok(Found::Covered(Loaded::for_runs(source)?.ignoring_errors().test(&options, &|_, _, _| {})))
}

fn in_words(found: &Found) -> String {
    match found {
        Found::Checked(report, _) => {
            let count =
                |word: &str| report.checks.iter().filter(|check| check.verdict.word() == word).count();
            let reason = match &report.verdict {
                Verdict::Unknown(reason) => format!(" ({reason})"),
                _ => String::new(),
            };
            let word = report.verdict.word();
            format!(
                "{word}{reason}: {} checks, {} fail, {} open",
                report.checks.len(),
                count("unsafe"),
                count("unknown")
            )
        }
        Found::Covered(report) => {
            let settled =
                report.goals.iter().filter(|goal| !matches!(goal.status, crate::test::Status::Open(_)));
            let (settled, goals, tests) = (settled.count(), report.goals.len(), report.tests.len());
            format!("{settled} of {goals} goals are reached or proved unreachable, with {tests} tests")
        }
        Found::Nothing => "nothing to check".to_string(),
        Found::Bad(text) => text.lines().next().unwrap_or_default().to_string(),
    }
}
