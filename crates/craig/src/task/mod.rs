//! From what a user names to a program: which C, what its parts mean, and what must not happen.
//!
//! [`Source`] is the question as it is asked, with task definitions and properties still to be read. [`Task`] is
//! the same with nothing left to look up: every artefact is made from it, so that a witness hashes the C files
//! that were checked and states the property that was. [`Loaded`] is the task with its program.

pub(crate) mod definition;

use crate::error::Error;
use crate::project::pattern;
use crate::report::sha256::sha256;
use crate::report::{Assumption, Location};
use craig_base::Set;
use craig_certificate::check_regions;
use craig_cfront::contract::Specification;
use craig_cfront::harness::{Inputs, Unsupported};
use craig_cfront::{lower, preprocess, types};
use craig_exec::{Detail, Executable, Limits as ExecLimits, ListOracle, Observer, Site, StateView, Test};
use craig_program::{Arithmetic, CheckKind, CheckSet, DataModel, Note, NoteKind, Program, Span, instrument};
use definition::{Never, Property, TaskDefinition};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Which C program, what its parts mean, and what is asked about it.
#[derive(Clone, Debug, Default)]
pub struct Source {
    /// The parts of the program.
    pub inputs: Vec<Input>,
    /// The sizes of C's types; by default those of the task definition, or else LP64.
    pub data_model: Option<DataModel>,
    /// The function to start at, with arbitrary arguments; by default that of the property, or else `main`.
    pub entry: Option<String>,
    /// What holds when that function is called: C conditions, with `valid(p, n)`, `fresh(p, n)` and `string(s)`.
    pub requires: Vec<String>,
    /// The same from files.
    pub requires_files: Vec<PathBuf>,
    /// Functions whose contract, as their source has it, stands for their body.
    pub replaced: Vec<String>,
    /// Functions whose body is left out, as if it had not been written: `NAME` or `FILE:NAME`.
    pub without_body: Vec<String>,
    /// Functions whose call is an error, besides `reach_error` and `__VERIFIER_error`.
    pub error_functions: Vec<String>,
    /// What is checked; by default [`DEFAULT_CHECKS`] where a verdict is asked for, and errors elsewhere.
    pub checks: Vec<CheckKind>,
    /// Allocations succeed whenever the size is possible; so they do in task definitions and with properties.
    pub malloc_never_fails: bool,
    /// `printf`, `puts` and `putchar` succeed.
    pub output_never_fails: bool,
    /// All memory is one region of bytes, and no analysis says what cannot alias.
    pub one_region: bool,
    /// SLIC rules that the program must keep; all files whose names match, if there is a `*` in one.
    pub rules: Vec<PathBuf>,
    /// C files with models of functions that the program does not define, before those that Craig has.
    pub models: Vec<PathBuf>,
    /// What signed overflow means.
    pub arithmetic: Arithmetic,
    /// Folders to look for included files, for the preprocessor.
    pub include: Vec<PathBuf>,
    /// Macro definitions `NAME` or `NAME=VALUE`, for the preprocessor.
    pub define: Vec<String>,
    /// Everything else that the preprocessor is told, as compilers take it.
    pub flags: Vec<String>,
}

/// A part of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// `.c` goes through the system's preprocessor, `.i` is taken as it is; a task definition (`.yml`) names C
    /// files, a property (`.prp`) what must not happen.
    File(PathBuf),
    /// Preprocessed C, under a name for messages.
    Text(String, String),
}

/// What people expect of a verdict.
pub const DEFAULT_CHECKS: [CheckKind; 5] =
    [CheckKind::Error, CheckKind::Memory, CheckKind::Overflow, CheckKind::Division, CheckKind::Shift];

impl Source {
    /// The program in these files.
    pub fn files<P: Into<PathBuf>>(files: impl IntoIterator<Item = P>) -> Source {
        let inputs = files.into_iter().map(|file| Input::File(file.into())).collect();
        Source { inputs, ..Source::default() }
    }

    /// The program in a text, which is not preprocessed.
    pub fn text(text: impl Into<String>) -> Source {
        Source { inputs: vec![Input::Text("program.i".to_string(), text.into())], ..Source::default() }
    }

    /// Checks a property, beside what was asked for already.
    pub(crate) fn adopt(&mut self, property: Property) {
        self.entry.get_or_insert(property.entry);
        self.malloc_never_fails = true;
        self.checks.push(match property.never {
            Never::Call(function) => {
                self.error_functions.push(function);
                CheckKind::Error
            }
            Never::Overflow => CheckKind::Overflow,
            Never::InvalidMemory => CheckKind::Memory,
            Never::Leak => CheckKind::Leak,
            Never::UnfreedMemory => CheckKind::Cleanup,
        });
    }

    /// The same with task definitions and properties replaced by what they say.
    fn without_definitions(&self) -> Result<Source, Error> {
        let mut source = Source { inputs: Vec::new(), ..self.clone() };
        let mut properties = Vec::new();
        let mut of_task = Vec::new();
        for input in &self.inputs {
            let file = match input {
                Input::File(file) => file,
                Input::Text(..) => {
                    source.inputs.push(input.clone());
                    continue;
                }
            };
            match file.extension().and_then(|extension| extension.to_str()) {
                Some("prp") => properties.push(file.clone()),
                Some("yml" | "yaml") => {
                    let task = TaskDefinition::parse(&read(file)?).map_err(|(line, message)| {
                        Error::BadInput(format!("{}:{line}:1: {message}", file.display()))
                    })?;
                    let files = task.input_files.iter().map(|name| definition::beside(file, name));
                    source.inputs.extend(files.map(Input::File));
                    of_task.extend(task.property_files.iter().map(|name| definition::beside(file, name)));
                    source.data_model = source.data_model.or(task.data_model);
                }
                _ => source.inputs.push(input.clone()),
            }
        }
        if source.inputs.is_empty() {
            return Err(Error::Usage("there is no program: name a C file".to_string()));
        }
        for file in &properties {
            let all = Property::parse_all(&read(file)?).ok_or_else(|| unsupported(file))?;
            all.into_iter().for_each(|property| source.adopt(property));
        }
        // A task may have properties that Craig does not check; one that it does check is enough.
        if properties.is_empty() && !of_task.is_empty() && self.checks.is_empty() {
            let readable = of_task.iter().filter_map(|file| std::fs::read_to_string(file).ok());
            let known: Vec<Vec<Property>> = readable.filter_map(|text| Property::parse_all(&text)).collect();
            let calls = |all: &&Vec<Property>| all.iter().any(|p| matches!(p.never, Never::Call(_)));
            match known.iter().find(calls).or(known.first()) {
                Some(all) => all.iter().for_each(|property| source.adopt(property.clone())),
                None => return Err(unsupported(&of_task[0])),
            }
        }
        Ok(source)
    }
}

/// A question about a C program with nothing left to look up.
#[derive(Clone, Debug)]
pub struct Task {
    /// The parts of the program, as they were given.
    pub files: Vec<TaskFile>,
    /// The sizes of C's types.
    pub data_model: DataModel,
    /// The function to start at.
    pub entry: String,
    /// Functions whose call is an error, besides `reach_error` and `__VERIFIER_error`.
    pub error_functions: Vec<String>,
    /// What is checked.
    pub checks: Vec<CheckKind>,
    /// What signed overflow means.
    pub arithmetic: Arithmetic,
    /// Whether allocations succeed whenever the size is possible.
    pub malloc_never_fails: bool,
    /// Whether `printf`, `puts` and `putchar` succeed.
    pub output_never_fails: bool,
    /// Whether memory is one region of bytes.
    pub one_region: bool,
    specification: Specification,
    texts: Vec<craig_cfront::Text>,
    rules: Vec<craig_cfront::Text>,
    models: Vec<craig_cfront::Text>,
}

/// A part of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskFile {
    /// Its path, or the name of a text.
    pub name: String,
    /// The hash of its contents before any preprocessing.
    pub sha256: String,
}

impl Task {
    /// Reads everything that the source names. `checks` are what is checked if it does not say so.
    pub fn resolve(source: &Source, checks: &[CheckKind]) -> Result<Task, Error> {
        let source = source.without_definitions()?;
        let data_model = source.data_model.unwrap_or_default();
        let mut reading = preprocess::Options::new(front_end_model(data_model));
        reading.include_dirs.clone_from(&source.include);
        reading.defines.clone_from(&source.define);
        reading.flags.clone_from(&source.flags);
        let mut files = Vec::new();
        let mut texts = Vec::new();
        for input in &source.inputs {
            match input {
                Input::File(path) => {
                    let name = path.display().to_string();
                    files.push(TaskFile { name, sha256: sha256(&read_bytes(path)?) });
                    texts.extend(preprocessed(path, &reading)?);
                }
                Input::Text(name, text) => {
                    files.push(TaskFile { name: name.clone(), sha256: sha256(text.as_bytes()) });
                    texts.push((name.clone(), text.clone().into_bytes()));
                }
            }
        }
        let mut rules = Vec::new();
        for rule in rule_files(&source.rules)? {
            rules.extend(preprocessed(&rule, &reading)?);
        }
        let mut models = Vec::new();
        for file in &source.models {
            read_bytes(file)?;
            models.extend(preprocessed(file, &reading)?);
        }
        let mut requires = Vec::new();
        for (number, text) in source.requires.iter().enumerate() {
            let name =
                if number == 0 { "--requires".to_string() } else { format!("--requires ({})", number + 1) };
            requires.push((name, text.clone().into_bytes()));
        }
        for file in &source.requires_files {
            requires.push((file.display().to_string(), read_bytes(file)?));
        }
        let specification =
            Specification { requires, replaced: source.replaced, removed: source.without_body, probe: false };
        let mut checks = if source.checks.is_empty() { checks.to_vec() } else { source.checks };
        // Who gives a rule wants it kept.
        if !rules.is_empty() && !checks.contains(&CheckKind::Rule) {
            checks.push(CheckKind::Rule);
        }
        Ok(Task {
            files,
            data_model,
            specification,
            entry: source.entry.unwrap_or_else(|| "main".to_string()),
            error_functions: source.error_functions,
            checks,
            arithmetic: source.arithmetic,
            malloc_never_fails: source.malloc_never_fails,
            output_never_fails: source.output_never_fails,
            one_region: source.one_region,
            texts,
            rules,
            models,
        })
    }

    /// The preprocessed texts.
    pub(crate) fn units(&self) -> &[craig_cfront::Text] {
        &self.texts
    }

    /// The same question about other texts.
    pub(crate) fn with_units(&self, texts: Vec<craig_cfront::Text>) -> Task {
        Task { texts, ..self.clone() }
    }

    /// Types, checks and lowers the program.
    pub fn load(mut self) -> Result<Loaded, Error> {
        let start = Instant::now();
        let model = front_end_model(self.data_model);
        let mut rejected = None;
        let (diagnostics, mut program) = loop {
            let loaded = craig_cfront::load_texts(self.texts(), model, &self.lowering());
            let diagnostics = loaded.diagnostics.render(&loaded.sources);
            let Some(program) = loaded.program else { return Err(Error::BadInput(diagnostics)) };
            match check_regions(&program) {
                Ok(()) => break (diagnostics, program),
                // What cannot be proved apart is kept together.
                Err(rejection) if !self.one_region => {
                    self.one_region = true;
                    rejected = Some(rejection);
                }
                Err(rejection) => return Err(Error::Internal(rejection.to_string())),
            }
        };
        if let Some(rejection) = rejected {
            let text = format!("memory is kept in one piece: {rejection}");
            program.notes.push(Note { kind: NoteKind::Warning, span: Span::default(), text });
        }
        let wanted: CheckSet = self.checks.iter().copied().collect();
        let checked = instrument(&mut program, wanted);
        let fails = !program.checks.is_empty();
        program.notes.retain(|note| match note.kind {
            NoteKind::Unchecked(kind) => !checked.contains(kind),
            NoteKind::NoErrorCall => !fails,
            _ => true,
        });
        for note in &mut program.notes {
            if matches!(note.kind, NoteKind::Unchecked(kind) if wanted.contains(kind)) {
                note.kind = NoteKind::OfProofs;
                note.text += " where a pragma turns the check off";
            }
        }
        Ok(Loaded { task: self, program, diagnostics, time: start.elapsed() })
    }

    /// What must not happen, as verification competitions write it, one line for each property; nothing for
    /// checks that they do not know.
    pub fn specification(&self, checks: &[CheckKind]) -> String {
        let function = self.error_functions.first().map_or("reach_error", String::as_str);
        let mut lines = Vec::new();
        for check in checks {
            let formulas = match check {
                CheckKind::Error => vec![format!("! call({function}())")],
                CheckKind::Overflow => vec!["! overflow".to_string()],
                CheckKind::Memory => vec!["valid-free".to_string(), "valid-deref".to_string()],
                CheckKind::Leak => vec!["valid-memtrack".to_string()],
                CheckKind::Cleanup => vec!["valid-memcleanup".to_string()],
                _ => Vec::new(),
            };
            let line = |formula| format!("CHECK( init({}()), LTL(G {formula}) )", self.entry);
            lines.extend(formulas.into_iter().map(line));
        }
        lines.join("\n")
    }

    /// The question whether the function under test can be called at all, if that is one.
    pub(crate) fn probe(&self) -> Option<Task> {
        let states = |(_, text): &craig_cfront::Text| text.windows(8).any(|word| word == b"requires");
        let is_required = !self.specification.requires.is_empty()
            || (self.entry != "main" && self.texts.iter().any(states));
        if self.specification.probe || !is_required {
            return None;
        }
        let specification = Specification { probe: true, ..self.specification.clone() };
        Some(Task { specification, checks: vec![CheckKind::Error], ..self.clone() })
    }

    /// The program with the inputs of a run fixed, as C.
    pub(crate) fn fixed(&self, inputs: &Inputs) -> Result<String, Unsupported> {
        if !self.rules.is_empty() {
            return Err(Unsupported("rules are no part of a C program".to_string()));
        }
        let model = front_end_model(self.data_model);
        craig_cfront::fixed(self.texts(), model, &self.lowering(), inputs)
    }

    /// The syntax trees of the files, as text.
    pub fn syntax(&self) -> Result<String, Error> {
        craig_cfront::syntax(self.texts.clone()).map_err(Error::BadInput)
    }

    /// The functions that the program defines, with their places; none if it cannot be read.
    #[cfg(feature = "cli")]
    pub(crate) fn functions(&self) -> Vec<Location> {
        let (texts, model) = (self.texts(), front_end_model(self.data_model));
        let read = craig_cfront::with_deep_stack(move || craig_cfront::read_texts(texts, model));
        let Some(program) = &read.program else { return Vec::new() };
        let defined = program.functions.iter().filter(|function| function.body.is_some());
        defined
            .map(|function| {
                let at = read.sources.locate(function.span);
                let name = Some(function.name.clone());
                Location { file: at.file, line: at.line, column: Some(at.column), function: name }
            })
            .collect()
    }

    /// The text of a source file, as far as it can be had.
    pub(crate) fn text_of(&self, name: &str) -> Option<String> {
        let read = std::fs::read(name).ok();
        let given = || self.texts.iter().find(|(known, _)| known == name).map(|(_, text)| text.clone());
        read.or_else(given).map(|text| String::from_utf8_lossy(&text).into_owned())
    }

    /// The first part, after which files are named.
    pub(crate) fn path(&self) -> &Path {
        Path::new(self.files.first().map_or("", |file| file.name.as_str()))
    }

    fn texts(&self) -> craig_cfront::Texts {
        let (units, rules, models) = (self.texts.clone(), self.rules.clone(), self.models.clone());
        craig_cfront::Texts { units, rules, models, specification: self.specification.clone() }
    }

    fn lowering(&self) -> lower::Options {
        lower::Options {
            entry: self.entry.clone(),
            arithmetic: self.arithmetic,
            error_functions: self.error_functions.clone(),
            malloc_never_fails: self.malloc_never_fails,
            output_never_fails: self.output_never_fails,
            one_region: self.one_region,
            checks: self.checks.iter().copied().collect(),
        }
    }
}

/// A task with its program.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What is asked.
    pub task: Task,
    /// What it is asked about.
    pub program: Program,
    /// What the front end remarked, with lines of source; empty if it had nothing to say.
    pub diagnostics: String,
    /// How long it took to read the program.
    pub time: Duration,
}

/// Something about the program that its author should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Where, if it is about a place.
    pub location: Option<Location>,
    /// What.
    pub text: String,
}

impl Loaded {
    /// Reads a program for a verdict: what people expect is checked, unless the source says what.
    pub fn new(source: &Source) -> Result<Loaded, Error> {
        Loaded::checking(source, &DEFAULT_CHECKS)
    }

    /// Reads a program to run it: only errors are checked, unless the source says what.
    pub fn for_runs(source: &Source) -> Result<Loaded, Error> {
        Loaded::checking(source, &[CheckKind::Error])
    }

    fn checking(source: &Source, checks: &[CheckKind]) -> Result<Loaded, Error> {
        let start = Instant::now();
        let loaded = Task::resolve(source, checks)?.load()?;
        Ok(Loaded { time: start.elapsed(), ..loaded })
    }

    /// What the program's author should know.
    pub fn warnings(&self) -> Vec<Warning> {
        let warnings = self.program.notes.iter().filter(|note| note.kind.is_warning());
        warnings
            .map(|note| Warning { location: location(&self.program, note.span), text: note.text.clone() })
            .collect()
    }

    /// For a question that is not about errors: there is nothing to be said of their absence.
    pub fn ignoring_errors(mut self) -> Loaded {
        self.program.notes.retain(|note| note.kind != NoteKind::NoErrorCall);
        self
    }

    /// What the runs of tests take for granted: nothing that was checked on the way, but what the model of the program's
    /// surroundings assumes, and that what is only approximated where they pass is as they have it.
    pub fn assumptions_of_runs<'t>(&self, tests: impl IntoIterator<Item = &'t Test>) -> Vec<Assumption> {
        let notes = &self.program.notes;
        let mut passed = Passed::default();
        passed.open.extend(
            notes.iter().filter(|note| note.kind == NoteKind::OverApproximation).map(|note| note.span),
        );
        for test in tests {
            if passed.open.is_empty() {
                break;
            }
            let executable = Executable::new(&self.program, Detail::Edges);
            passed.program = Some(&self.program);
            executable.observe(&mut ListOracle::new(&test.values()), &ExecLimits::default(), &mut passed);
        }
        let assumed = notes.iter().filter(|note| match note.kind {
            NoteKind::Assumption => true,
            NoteKind::OverApproximation => !passed.open.contains(&note.span),
            _ => false,
        });
        assumed.map(Assumption::new).collect()
    }

    /// What a proof takes for granted.
    pub fn assumptions(&self) -> Vec<Assumption> {
        let assumed = self.program.notes.iter().filter(|note| note.kind.is_assumption());
        assumed.map(Assumption::new).collect()
    }
}

/// Looks for runs through certain places.
#[derive(Default)]
struct Passed<'p> {
    program: Option<&'p Program>,
    /// Where none has passed yet.
    open: Set<Span>,
}

impl Observer for Passed<'_> {
    fn edge(&mut self, site: Site, _state: &dyn StateView) {
        if let Some(program) = self.program {
            self.open.remove(&site.span(program));
        }
    }
}

/// A place in the source, if there is one.
pub(crate) fn location(program: &Program, span: Span) -> Option<Location> {
    let file = program.files.get(span.file as usize).filter(|_| span.line > 0)?;
    Some(Location { file: file.to_string(), line: span.line, column: Some(span.column), function: None })
}

pub(crate) fn front_end_model(model: DataModel) -> types::DataModel {
    match model {
        DataModel::Lp64 => types::DataModel::Lp64,
        DataModel::Ilp32 => types::DataModel::Ilp32,
    }
}

pub(crate) fn preprocessed(
    path: &Path,
    reading: &preprocess::Options,
) -> Result<Vec<craig_cfront::Text>, Error> {
    craig_cfront::preprocess_files(&[path], reading)
        .map_err(|diagnostics| Error::BadInput(diagnostics.render(&craig_cfront::source::Sources::new())))
}

/// The rule files, with patterns replaced by what they match.
fn rule_files(patterns: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut rules = Vec::new();
    for rule in patterns {
        let name = rule.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if !name.contains('*') {
            read_bytes(rule)?;
            rules.push(rule.clone());
            continue;
        }
        let folder = rule.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let entries = std::fs::read_dir(folder);
        let entries = entries.map_err(|error| Error::MissingInput(rule.clone(), error))?;
        let matches = |path: &PathBuf| {
            let found = path.file_name().map(|name| name.to_string_lossy().into_owned());
            found.is_some_and(|found| pattern::matches(&name, &found))
        };
        let mut found: Vec<PathBuf> =
            entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).filter(matches).collect();
        found.sort();
        rules.extend(found);
    }
    Ok(rules)
}

fn read(file: &Path) -> Result<String, Error> {
    std::fs::read_to_string(file).map_err(|error| Error::MissingInput(file.to_path_buf(), error))
}

fn read_bytes(file: &Path) -> Result<Vec<u8>, Error> {
    std::fs::read(file).map_err(|error| Error::MissingInput(file.to_path_buf(), error))
}

fn unsupported(file: &Path) -> Error {
    let known = "`CHECK( init(main()), LTL(G ! call(reach_error())) )` and `... LTL(G ! overflow) )` are";
    Error::BadInput(format!("{}:1:1: this is no property that Craig checks; {known}", file.display()))
}
