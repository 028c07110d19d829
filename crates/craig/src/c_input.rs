//! C programs from the command line: which files, how they are read, and what they become.

use crate::Failure;
use crate::arguments::DataModel;
use crate::session::Session;
use crate::task::{self, Never, Property, TaskDefinition};
use craig_cfront::harness::{Inputs, Unsupported};
use craig_cfront::{lower, preprocess, types};
use craig_program::{Arithmetic, CheckKind, CheckSet, NoteKind, Program, instrument};
use std::path::{Path, PathBuf};

/// Which C program, and what its parts mean.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "The program")]
pub struct CInput {
    /// C files; `.c` goes through the system's preprocessor, `.i` is taken as it is. Or a task definition
    /// (`.yml`) that names them, and a property (`.prp`).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The sizes of C's types; by default those of the task definition, or else lp64.
    #[arg(long, value_enum, value_name = "MODEL")]
    pub data_model: Option<DataModel>,
    /// The function to start at, with arbitrary arguments; by default that of the property, or else main.
    #[arg(long, value_name = "FUNCTION")]
    pub entry: Option<String>,
    /// A function whose call is an error, besides `reach_error` and `__VERIFIER_error`.
    #[arg(long = "error-function", value_name = "FUNCTION")]
    pub error_functions: Vec<String>,
    /// What is checked, separated by commas; by default `error,memory,overflow,division,shift` where a verdict is
    /// asked for, and `error` elsewhere.
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub check: Vec<Check>,
    /// Allocations succeed whenever the size is possible; so they do in task definitions and with properties.
    #[arg(long)]
    pub malloc_never_fails: bool,
    /// A SLIC rule that the program must keep; all files whose names match, if there is a `*` in it.
    #[arg(long = "rule", value_name = "FILE")]
    pub rules: Vec<PathBuf>,
    /// Signed integers wrap around (two's complement) instead of overflow being assumed away.
    #[arg(long, conflicts_with = "ideal_integers")]
    pub wrap: bool,
    /// All integers are unbounded, as in the papers.
    #[arg(long)]
    pub ideal_integers: bool,
    /// A folder to look for included files, for the preprocessor.
    #[arg(short = 'I', value_name = "FOLDER")]
    pub include: Vec<PathBuf>,
    /// A macro definition, for the preprocessor.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Check {
    /// Calls of error functions, failed assertions, broken rules.
    Error,
    /// Invalid accesses, frees and calls.
    Memory,
    /// Signed integer overflow.
    Overflow,
    /// Division by zero.
    Division,
    /// Shifts by less than zero or at least the width.
    Shift,
    /// Allocated memory to which nothing points at the end.
    Leak,
    /// Memory that is still allocated at the end.
    Cleanup,
    /// All of these.
    All,
}

impl Check {
    fn kinds(self) -> Vec<CheckKind> {
        match self {
            Check::Error => vec![CheckKind::Error],
            Check::Memory => vec![CheckKind::Memory],
            Check::Overflow => vec![CheckKind::Overflow],
            Check::Division => vec![CheckKind::Division],
            Check::Shift => vec![CheckKind::Shift],
            Check::Leak => vec![CheckKind::Leak],
            Check::Cleanup => vec![CheckKind::Cleanup],
            Check::All => {
                let mut kinds = DEFAULT_CHECKS.to_vec();
                kinds.extend([CheckKind::Leak]);
                kinds
            }
        }
    }
}

/// What people expect of a verdict.
const DEFAULT_CHECKS: [CheckKind; 5] = [
    CheckKind::Error,
    CheckKind::Memory,
    CheckKind::Overflow,
    CheckKind::Division,
    CheckKind::Shift,
];

impl CInput {
    /// Reads, checks and lowers the program. Warnings are said, errors returned.
    pub fn load(&self, session: &Session) -> Result<Program, Failure> {
        self.resolved()?.load_files(session, &[CheckKind::Error], &[])
    }

    /// The same for a verdict: all that people expect is checked, if they do not say what.
    pub fn load_for_verdict(&self, session: &Session) -> Result<Program, Failure> {
        self.resolved()?.load_files(session, &DEFAULT_CHECKS, &[])
    }

    /// The same for a question that is not about error calls.
    pub fn load_without_errors(&self, session: &Session) -> Result<Program, Failure> {
        self.resolved()?.load_files(session, &[CheckKind::Error], &[lower::NO_ERROR_CALL])
    }

    /// The same with task definitions and properties replaced by what they say.
    fn resolved(&self) -> Result<CInput, Failure> {
        let mut input = CInput { files: Vec::new(), ..self.clone() };
        let mut properties = Vec::new();
        let mut of_task = Vec::new();
        for file in &self.files {
            match file.extension().and_then(|extension| extension.to_str()) {
                Some("prp") => properties.push(file.clone()),
                Some("yml" | "yaml") => {
                    let text = read(file)?;
                    let task = TaskDefinition::parse(&text).map_err(|(line, message)| {
                        Failure::BadInput(format!("{}:{line}:1: {message}", file.display()))
                    })?;
                    input.files.extend(task.input_files.iter().map(|name| task::beside(file, name)));
                    of_task.extend(task.property_files.iter().map(|name| task::beside(file, name)));
                    input.data_model = input.data_model.or(task.data_model);
                }
                _ => input.files.push(file.clone()),
            }
        }
        if input.files.is_empty() {
            return Err(Failure::Usage("a property is given, but no program".to_string()));
        }
        for file in &properties {
            let all = Property::parse_all(&read(file)?).ok_or_else(|| unsupported(file))?;
            all.into_iter().for_each(|property| input.adopt(property));
        }
        // A task may have properties that Craig does not check; one that it does check is enough.
        if properties.is_empty() && !of_task.is_empty() && self.check.is_empty() {
            let readable = of_task.iter().filter_map(|file| std::fs::read_to_string(file).ok());
            let known: Vec<Vec<Property>> = readable.filter_map(|text| Property::parse_all(&text)).collect();
            let calls = |all: &&Vec<Property>| all.iter().any(|p| matches!(p.never, Never::Call(_)));
            match known.iter().find(calls).or(known.first()) {
                Some(all) => all.iter().for_each(|property| input.adopt(property.clone())),
                None => return Err(unsupported(&of_task[0])),
            }
        }
        Ok(input)
    }

    /// Checks a property, beside what was asked for already.
    fn adopt(&mut self, property: Property) {
        self.entry.get_or_insert(property.entry);
        self.malloc_never_fails = true;
        match property.never {
            Never::Call(function) => {
                self.check.push(Check::Error);
                self.error_functions.push(function);
            }
            Never::Overflow => self.check.push(Check::Overflow),
            Never::InvalidMemory => self.check.push(Check::Memory),
            Never::Leak => self.check.push(Check::Leak),
            Never::UnfreedMemory => self.check.push(Check::Cleanup),
        }
    }

    fn load_files(
        &self,
        session: &Session,
        default: &[CheckKind],
        irrelevant: &[&str],
    ) -> Result<Program, Failure> {
        for file in &self.files {
            if let Err(error) = std::fs::File::open(file) {
                return Err(Failure::MissingInput(file.clone(), error));
            }
        }
        let rules = self.rules()?;
        let loaded = craig_cfront::load_with_rules(&self.files, &rules, &self.reading(), &self.lowering());
        let rendered = loaded.diagnostics.render(&loaded.sources);
        let Some(mut program) = loaded.program else { return Err(Failure::BadInput(rendered)) };
        let mut wanted: CheckSet = self.check.iter().flat_map(|check| check.kinds()).collect();
        if self.check.is_empty() {
            wanted = default.iter().copied().collect();
        }
        instrument(&mut program, wanted);
        if wanted.contains(CheckKind::Overflow) {
            program.notes.retain(|note| note.text != lower::NO_OVERFLOW);
        }
        if wanted.contains(CheckKind::Memory) {
            program.notes.retain(|note| note.text != lower::VALID_MEMORY);
        }
        if !program.checks.is_empty() {
            program.notes.retain(|note| note.text != lower::NO_ERROR_CALL);
        }
        program.notes.retain(|note| !irrelevant.contains(&&*note.text));
        if !rendered.is_empty() {
            session.detail(rendered.trim_end());
        }
        for note in program.notes.iter().filter(|note| note.kind == NoteKind::Warning) {
            session.note(format!("warning: {}{}", place(&program, note.span), note.text));
        }
        Ok(program)
    }

    /// The program with the inputs of a run fixed, as C.
    pub fn fixed(&self, inputs: &Inputs) -> Result<String, Unsupported> {
        if !self.rules.is_empty() {
            return Err(Unsupported("rules are no part of a C program".to_string()));
        }
        let input = self.resolved().map_err(|_| Unsupported("the task cannot be read again".to_string()))?;
        if input.check.contains(&Check::Overflow) && !input.check.contains(&Check::Error) {
            return Err(Unsupported("a compiled program does not notice that it overflows".to_string()));
        }
        craig_cfront::fixed(&input.files, &input.reading(), &input.lowering(), inputs)
    }

    /// The syntax trees of the files.
    pub fn syntax(&self) -> Result<String, Failure> {
        let input = self.resolved()?;
        craig_cfront::syntax(&input.files, &input.reading()).map_err(Failure::BadInput)
    }

    fn reading(&self) -> preprocess::Options {
        let model = match self.data_model.unwrap_or_default() {
            DataModel::Lp64 => types::DataModel::Lp64,
            DataModel::Ilp32 => types::DataModel::Ilp32,
        };
        let mut options = preprocess::Options::new(model);
        options.include_dirs.clone_from(&self.include);
        options.defines.clone_from(&self.define);
        options
    }

    fn lowering(&self) -> lower::Options {
        lower::Options {
            entry: self.entry.clone().unwrap_or_else(|| "main".to_string()),
            arithmetic: self.arithmetic(),
            error_functions: self.error_functions.clone(),
            malloc_never_fails: self.malloc_never_fails,
        }
    }

    /// The rule files, with patterns replaced by what they match.
    fn rules(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut rules = Vec::new();
        for rule in &self.rules {
            let name = rule.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            let Some((start, end)) = name.split_once('*') else {
                if let Err(error) = std::fs::File::open(rule) {
                    return Err(Failure::MissingInput(rule.clone(), error));
                }
                rules.push(rule.clone());
                continue;
            };
            let folder = rule.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new("."));
            let entries = std::fs::read_dir(folder);
            let entries = entries.map_err(|error| Failure::MissingInput(rule.clone(), error))?;
            let matches = |path: &PathBuf| {
                let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
                name.is_some_and(|name| {
                    name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
                })
            };
            let mut found: Vec<PathBuf> =
                entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).filter(matches).collect();
            found.sort();
            rules.extend(found);
        }
        Ok(rules)
    }

    fn arithmetic(&self) -> Arithmetic {
        match (self.wrap, self.ideal_integers) {
            (true, _) => Arithmetic::Wrap,
            (_, true) => Arithmetic::Ideal,
            _ => Arithmetic::AssumeNoOverflow,
        }
    }
}

fn read(file: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(file).map_err(|error| Failure::MissingInput(file.to_path_buf(), error))
}

fn unsupported(file: &Path) -> Failure {
    let known = "`CHECK( init(main()), LTL(G ! call(reach_error())) )` and `... LTL(G ! overflow) )` are";
    Failure::BadInput(format!("{}:1:1: this is no property that Craig checks; {known}", file.display()))
}

/// `file:line:column: `, or nothing where there is no source.
pub fn place(program: &Program, span: craig_program::Span) -> String {
    match program.files.get(span.file as usize) {
        Some(file) if span.line > 0 => format!("{file}:{}:{}: ", span.line, span.column),
        _ => String::new(),
    }
}
