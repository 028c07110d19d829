//! C programs from the command line: which files, how they are read, and what they become.

use crate::Failure;
use crate::arguments::DataModel;
use crate::session::Session;
use crate::task::{self, Never, Property, TaskDefinition};
use craig_cfront::harness::{Inputs, Unsupported};
use craig_cfront::{lower, preprocess, types};
use craig_program::{Arithmetic, NoteKind, OtherErrors, Program, check_overflow};
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
    /// What counts as an error; by default the calls of error functions and failed assertions.
    #[arg(long, value_enum, value_name = "WHAT", conflicts_with_all = ["wrap", "ideal_integers"])]
    pub check: Vec<Check>,
    /// A SLIC rule that the program must keep; all files whose names match, if there is a `*` in it.
    #[arg(long = "rule", value_name = "FILE")]
    pub rules: Vec<PathBuf>,
    /// A C file with functions `__craig_NAME` that stand for functions which the program calls and does not
    /// define; see `craig show --models`.
    #[arg(long = "model", value_name = "FILE")]
    pub models: Vec<PathBuf>,
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
    /// Calls of error functions and failed assertions.
    Error,
    /// Signed integer overflow.
    Overflow,
}

impl CInput {
    /// Reads, checks and lowers the program. Warnings are said, errors returned.
    pub fn load(&self, session: &Session) -> Result<Program, Failure> {
        self.resolved()?.load_files(session, &[])
    }

    /// The same for a question that is not about error calls.
    pub fn load_without_errors(&self, session: &Session) -> Result<Program, Failure> {
        self.resolved()?.load_files(session, &[lower::NO_ERROR_CALL])
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
            let property = Property::parse(&read(file)?).ok_or_else(|| unsupported(file))?;
            input.adopt(property);
        }
        // A task may have properties that Craig does not check; one that it does check is enough.
        if properties.is_empty() && !of_task.is_empty() && self.check.is_empty() {
            let readable = of_task.iter().filter_map(|file| std::fs::read_to_string(file).ok());
            let known: Vec<Property> = readable.filter_map(|text| Property::parse(&text)).collect();
            let calls = |property: &&Property| matches!(property.never, Never::Call(_));
            match known.iter().find(calls).or(known.first()) {
                Some(property) => input.adopt(property.clone()),
                None => return Err(unsupported(&of_task[0])),
            }
        }
        Ok(input)
    }

    /// Checks a property, beside what was asked for already.
    fn adopt(&mut self, property: Property) {
        self.entry.get_or_insert(property.entry);
        match property.never {
            Never::Call(function) => {
                self.check.push(Check::Error);
                self.error_functions.push(function);
            }
            Never::Overflow => self.check.push(Check::Overflow),
        }
    }

    fn load_files(&self, session: &Session, irrelevant: &[&str]) -> Result<Program, Failure> {
        for file in self.files.iter().chain(&self.models) {
            if let Err(error) = std::fs::File::open(file) {
                return Err(Failure::MissingInput(file.clone(), error));
            }
        }
        let rules = self.rules()?;
        let loaded = craig_cfront::load_with_rules(&self.files, &rules, &self.reading(), &self.lowering());
        let rendered = loaded.diagnostics.render(&loaded.sources);
        let Some(mut program) = loaded.program else { return Err(Failure::BadInput(rendered)) };
        if self.check.contains(&Check::Overflow) {
            let errors = self.check.contains(&Check::Error);
            check_overflow(&mut program, if errors { OtherErrors::Kept } else { OtherErrors::Ended });
            program.notes.retain(|note| ![lower::NO_OVERFLOW, lower::NO_ERROR_CALL].contains(&&*note.text));
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
        if input.check.contains(&Check::Overflow) {
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
        options.models.clone_from(&self.models);
        options
    }

    fn lowering(&self) -> lower::Options {
        lower::Options {
            entry: self.entry.clone().unwrap_or_else(|| "main".to_string()),
            arithmetic: self.arithmetic(),
            error_functions: self.error_functions.clone(),
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
