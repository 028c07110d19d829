//! Commands, with the declarations they make.

use super::interpolation::{self, InterpolantRequest, Partition, group, partition};
use super::scope::{Meaning, Scope};
use super::sort::{SortMeaning, define_sort, read_sort};
use super::term::{Reading, read_sorted_vars, read_term};
use super::{CommandInput, Error, Kind, Position, Result, Sexpr, Tree};
use crate::{DeclareError, FunId, SortId, TermId, Terms};
use craig_base::{Map, Set};

/// A command after its terms were built. Declarations and definitions are done by the [`Reader`];
/// they are told for those who print or count them.
#[derive(Clone, Debug)]
pub enum Command {
    SetLogic(String),
    SetOption {
        keyword: String,
        value: String,
    },
    SetInfo {
        keyword: String,
        value: String,
    },
    Declare(FunId),
    DeclareSort,
    Define {
        name: String,
    },
    /// `declare-var`: free in rules and queries, which are closed over it.
    DeclareVar(TermId),
    Assert {
        term: TermId,
        name: Option<String>,
        /// Its `:interpolation-group`.
        group: Option<String>,
    },
    Rule(TermId),
    Query(TermId),
    Push(usize),
    Pop(usize),
    CheckSat,
    CheckSatAssuming(Vec<TermId>),
    GetModel,
    /// The formulas that have names, with them.
    GetAssignment(Vec<(String, TermId)>),
    /// The text of each term, and the term.
    GetValue(Vec<(String, TermId)>),
    GetUnsatCore,
    GetUnsatAssumptions,
    GetAssertions,
    GetProof,
    GetInterpolants(Partition),
    GetInterpolant(InterpolantRequest),
    /// Sequence interpolants of formulas, and before them whether there is a model.
    ComputeInterpolant(Vec<TermId>),
    GetInfo(String),
    GetOption(String),
    Echo(String),
    Reset,
    ResetAssertions,
    Exit,
}

/// What a command comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Response {
    /// Done, with nothing to say (`success`, where that is asked for).
    Success,
    Text(String),
    /// The answer to a check, and why it is `unknown`.
    Unknown(String),
    Unsupported,
    /// The command made no sense here.
    Error(String),
    Exit,
}

/// Reads commands, and remembers what they declare.
#[derive(Clone, Debug, Default)]
pub struct Reader {
    scope: Scope,
    /// The symbols made for declarations, in scope or not, that have the declared name, and those that have another one.
    owned: Set<FunId>,
    renamed: Map<String, Vec<FunId>>,
}

impl Reader {
    pub fn new() -> Self {
        Self::default()
    }

    /// A command; where it is wrong, the reader's state is as before.
    pub fn command(&mut self, terms: &mut Terms, tree: &Tree) -> Result<Command> {
        let sexpr = tree.root();
        let parts: Vec<Sexpr<'_>> = sexpr.children().collect();
        let Some(name) = parts.first().and_then(|head| head.symbol()) else {
            return Err(sexpr.error("expected a command"));
        };
        let args = &parts[1..];
        let expected = |usage: &str| sexpr.error(format!("expected `({name} {usage})`").replace(" )", ")"));
        let none = |command: Command| if args.is_empty() { Ok(command) } else { Err(expected("")) };
        match (name, args) {
            ("set-logic", [logic]) => Ok(Command::SetLogic(symbol(*logic)?.to_string())),
            ("set-option" | "set-info", [keyword, value @ ..]) => {
                let keyword_text =
                    keyword.keyword().ok_or_else(|| keyword.error("expected a keyword"))?.to_string();
                let value = value.first().map_or(String::new(), |value| value.string().into_owned());
                if name == "set-option" && keyword_text == ":global-declarations" {
                    self.scope.set_global(value == "true");
                }
                Ok(match name {
                    "set-option" => Command::SetOption { keyword: keyword_text, value },
                    _ => Command::SetInfo { keyword: keyword_text, value },
                })
            }
            ("declare-fun", [function, parameters, result]) => {
                let result = read_sort(terms, &self.scope, *result)?;
                self.declare(terms, *function, Some(*parameters), result)
            }
            ("declare-const", [constant, sort]) => {
                let sort = read_sort(terms, &self.scope, *sort)?;
                self.declare(terms, *constant, None, sort)
            }
            ("declare-rel", [relation, parameters]) => {
                self.declare(terms, *relation, Some(*parameters), Terms::BOOL)
            }
            ("declare-var", [variable, sort]) => {
                let name = self.new_symbol(*variable)?;
                let sort = read_sort(terms, &self.scope, *sort)?;
                let constant = terms.fresh_const(name, sort);
                self.scope.bind_symbol(name, Meaning::Defined { parameters: [].into(), body: constant });
                Ok(Command::DeclareVar(constant))
            }
            ("declare-sort", [sort, rest @ ..]) => {
                let parameters = rest.first().map_or(Some(0), |arity| arity.text().parse().ok());
                let parameters = parameters.ok_or_else(|| expected("symbol numeral"))?;
                self.scope.bind_sort(symbol(*sort)?, SortMeaning::Declared { parameters });
                Ok(Command::DeclareSort)
            }
            ("define-sort", [sort, parameters, body]) => {
                let meaning = define_sort(terms, &self.scope, *parameters, *body)?;
                self.scope.bind_sort(symbol(*sort)?, meaning);
                Ok(Command::DeclareSort)
            }
            ("define-fun", [function, parameters, result, body]) => {
                self.define(terms, *function, Some(*parameters), *result, *body)
            }
            ("define-const", [constant, sort, body]) => self.define(terms, *constant, None, *sort, *body),
            ("assert", [term]) => self.assert(terms, *term),
            ("rule", [term, ..]) => Ok(Command::Rule(self.boolean(terms, *term)?)),
            ("query", [term, ..]) => Ok(Command::Query(self.boolean(terms, *term)?)),
            ("push", levels) => {
                let levels = level_count(levels)?;
                if levels > MAX_LEVELS - self.scope.depth() {
                    return Err(sexpr.error(format!("more than {MAX_LEVELS} levels")));
                }
                self.scope.push(levels);
                Ok(Command::Push(levels))
            }
            ("pop", levels) => {
                let count = level_count(levels)?;
                if count > self.scope.depth() {
                    return Err(sexpr.error(format!("cannot pop {count} of {} levels", self.scope.depth())));
                }
                self.scope.pop(count);
                Ok(Command::Pop(count))
            }
            ("check-sat", []) => Ok(Command::CheckSat),
            // As Z3 had it before the standard did.
            ("check-sat", literals) => self.assuming(terms, literals.iter().copied()),
            ("check-sat-assuming", [list]) if list.is_list() => self.assuming(terms, list.children()),
            ("get-model", _) => none(Command::GetModel),
            ("get-assignment", _) => {
                let named = self.scope.named_terms().filter(|&(_, term)| terms.is_bool(term));
                none(Command::GetAssignment(named.map(|(name, term)| (name.to_string(), term)).collect()))
            }
            ("get-value", [list]) if list.is_list() => {
                let mut values = Vec::new();
                for term in list.children() {
                    let text =
                        if term.kind() == Kind::Symbol { written(term) } else { term.text().to_string() };
                    values.push((text, read_term(terms, &self.scope, term, &[], None)?.term));
                }
                Ok(Command::GetValue(values))
            }
            ("get-unsat-core", _) => none(Command::GetUnsatCore),
            ("get-unsat-assumptions", _) => none(Command::GetUnsatAssumptions),
            ("get-assertions", _) => none(Command::GetAssertions),
            ("get-proof", _) => none(Command::GetProof),
            ("get-interpolants", parts) if !parts.is_empty() => {
                partition(sexpr, parts).map(Command::GetInterpolants)
            }
            ("get-interpolant", args) if !args.is_empty() => {
                interpolation::request(self, terms, args).map(Command::GetInterpolant)
            }
            ("compute-interpolant", [_, _, ..]) => {
                interpolation::formulas(self, terms, args).map(Command::ComputeInterpolant)
            }
            ("get-info", [keyword]) => Ok(Command::GetInfo(keyword.text().to_string())),
            ("get-option", [keyword]) => Ok(Command::GetOption(keyword.text().to_string())),
            ("echo", [text]) if text.kind() == Kind::String => Ok(Command::Echo(text.string().into_owned())),
            ("reset", _) => {
                let command = none(Command::Reset)?;
                self.scope = Scope::default();
                Ok(command)
            }
            ("reset-assertions", _) => {
                let command = none(Command::ResetAssertions)?;
                self.scope.pop(self.scope.depth());
                Ok(command)
            }
            ("exit", _) => none(Command::Exit),
            ("declare-datatype", [sort, body]) => self.declare_data(terms, *sort, *body),
            ("declare-datatypes", [sorts, bodies]) => self.declare_data_list(terms, *sorts, *bodies),
            ("define-fun-rec", &[name, parameters, result, body]) => {
                self.define_recursively(terms, [name, parameters, result, body])
            }
            ("define-funs-rec", [heads, bodies]) => self.define_together(terms, *heads, *bodies),
            _ => Err(match usage(name) {
                Some(usage) => expected(usage),
                None => sexpr.error(format!("unsupported command `{name}`")),
            }),
        }
    }

    /// A term of the given sort, as in the answers of other solvers.
    pub fn value(&self, terms: &mut Terms, sexpr: Sexpr<'_>, sort: SortId) -> Result<TermId> {
        Ok(read_term(terms, &self.scope, sexpr, &[], Some(sort))?.term)
    }

    /// The term in a text that has nothing else; of the given sort, if there is one.
    pub fn term(&self, terms: &mut Terms, text: &str, sort: Option<SortId>) -> Result<TermId> {
        let tree = only(text)?;
        Ok(read_term(terms, &self.scope, tree.root(), &[], sort)?.term)
    }

    /// The sort in a text that has nothing else.
    pub fn sort(&self, terms: &mut Terms, text: &str) -> Result<SortId> {
        read_sort(terms, &self.scope, only(text)?.root())
    }

    /// A symbol as by `declare-fun`; the one that is in scope, if it has this signature.
    pub fn symbol(
        &mut self,
        terms: &mut Terms,
        name: &str,
        parameters: &[SortId],
        result: SortId,
    ) -> std::result::Result<FunId, DeclareError> {
        match self.scope.symbol(name) {
            Some(Meaning::Declared(symbol)) if terms.signature(*symbol) == (parameters, result) => {
                return Ok(*symbol);
            }
            Some(_) => return Err(DeclareError { name: name.to_string() }),
            None => {}
        }
        let symbol = self.owned_symbol(terms, name, parameters, result)?;
        self.scope.bind_symbol(name, Meaning::Declared(symbol));
        Ok(symbol)
    }

    /// A sort without parameters, as by `declare-sort`; the one of this name, if there is one.
    pub fn uninterpreted_sort(&mut self, terms: &mut Terms, name: &str) -> SortId {
        match self.scope.sort(name) {
            Some(SortMeaning::Defined { body, .. }) => return *body,
            Some(SortMeaning::Declared { .. }) => {}
            None => self.bind_sort(name),
        }
        terms.uninterpreted_sort(name)
    }

    /// Whether a symbol is declared, defined or the name of a term.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.scope.symbol(name).is_some() || matches!(name, "true" | "false")
    }

    /// A term of sort `Bool`.
    pub(super) fn boolean(&mut self, terms: &mut Terms, sexpr: Sexpr<'_>) -> Result<TermId> {
        let reading = read_term(terms, &self.scope, sexpr, &[], Some(Terms::BOOL))?;
        Ok(self.remember_names(sexpr, reading)?.0)
    }

    fn assuming<'t>(
        &mut self,
        terms: &mut Terms,
        literals: impl Iterator<Item = Sexpr<'t>>,
    ) -> Result<Command> {
        let literals = literals.map(|literal| self.boolean(terms, literal)).collect::<Result<_>>()?;
        Ok(Command::CheckSatAssuming(literals))
    }

    fn assert(&mut self, terms: &mut Terms, sexpr: Sexpr<'_>) -> Result<Command> {
        let reading = read_term(terms, &self.scope, sexpr, &[], Some(Terms::BOOL))?;
        let top = sexpr.children().next().is_some_and(|head| head.symbol() == Some("!"));
        let (term, last) = self.remember_names(sexpr, reading)?;
        Ok(Command::Assert { term, name: if top { last } else { None }, group: group(sexpr) })
    }

    /// Makes the names given by `:named` known; the outermost one was read last.
    pub(super) fn remember_names(
        &mut self,
        sexpr: Sexpr<'_>,
        reading: Reading,
    ) -> Result<(TermId, Option<String>)> {
        let mut last = None;
        for (name, body) in reading.named {
            if !self.scope.is_free(&name) {
                return Err(sexpr.error(format!("`{name}` is already declared")));
            }
            self.scope.name_term(&name, body);
            last = (body == reading.term).then_some(name);
        }
        Ok((reading.term, last))
    }

    pub(super) fn scope(&self) -> &Scope {
        &self.scope
    }

    pub(super) fn has_sort(&self, name: &str) -> bool {
        self.scope.sort(name).is_some() || matches!(name, "Bool" | "Int" | "Real" | "Array")
    }

    /// As by `declare-sort`, without parameters.
    pub(super) fn bind_sort(&mut self, name: &str) {
        self.scope.bind_sort(name, SortMeaning::Declared { parameters: 0 });
    }

    /// A new function of that name; `place` is for complaints.
    pub(super) fn new_function(
        &mut self,
        terms: &mut Terms,
        place: Sexpr<'_>,
        name: &str,
        parameters: &[SortId],
        result: SortId,
    ) -> Result<FunId> {
        if self.scope.symbol(name).is_some() {
            return Err(place.error(format!("`{name}` is already declared")));
        }
        self.symbol(terms, name, parameters, result).map_err(|error| place.error(error.to_string()))
    }

    fn new_symbol<'t>(&self, sexpr: Sexpr<'t>) -> Result<&'t str> {
        let name = symbol(sexpr)?;
        if self.scope.symbol(name).is_some() {
            return Err(sexpr.error(format!("`{name}` is already declared")));
        }
        Ok(name)
    }

    fn declare(
        &mut self,
        terms: &mut Terms,
        function: Sexpr<'_>,
        parameters: Option<Sexpr<'_>>,
        result: SortId,
    ) -> Result<Command> {
        let name = self.new_symbol(function)?;
        let mut sorts = Vec::new();
        if let Some(list) = parameters {
            if !list.is_list() {
                return Err(list.error("expected a list of sorts"));
            }
            for sort in list.children() {
                sorts.push(read_sort(terms, &self.scope, sort)?);
            }
        }
        let symbol =
            self.symbol(terms, name, &sorts, result).map_err(|error| function.error(error.to_string()))?;
        Ok(Command::Declare(symbol))
    }

    /// The symbol for a declaration: one that this reader declared before and popped, or a new one.
    /// A symbol that others made, say for a bound variable, is never taken, whatever its name.
    pub(super) fn owned_symbol(
        &mut self,
        terms: &mut Terms,
        name: &str,
        parameters: &[SortId],
        result: SortId,
    ) -> std::result::Result<FunId, DeclareError> {
        let Some(taken) = terms.symbol(name) else {
            let symbol = terms.declare_fun(name, parameters, result)?;
            self.owned.insert(symbol);
            return Ok(symbol);
        };
        let renamed = self.renamed.get(name).into_iter().flatten().copied();
        let mut owned = Some(taken).filter(|taken| self.owned.contains(taken)).into_iter().chain(renamed);
        if let Some(symbol) = owned.find(|&symbol| terms.signature(symbol) == (parameters, result)) {
            return Ok(symbol);
        }
        let mut suffix = 0;
        while terms.symbol(&format!("{name}!{suffix}")).is_some() {
            suffix += 1;
        }
        let symbol = terms.declare_fun(&format!("{name}!{suffix}"), parameters, result)?;
        self.renamed.entry(name.to_string()).or_default().push(symbol);
        Ok(symbol)
    }

    fn define(
        &mut self,
        terms: &mut Terms,
        function: Sexpr<'_>,
        parameters: Option<Sexpr<'_>>,
        result: Sexpr<'_>,
        body: Sexpr<'_>,
    ) -> Result<Command> {
        let name = self.new_symbol(function)?;
        let sorted = match parameters {
            Some(list) => read_sorted_vars(terms, &self.scope, list)?,
            None => Vec::new(),
        };
        let sort = read_sort(terms, &self.scope, result)?;
        let locals: Vec<(&str, TermId)> =
            sorted.into_iter().map(|(name, sort)| (name, terms.fresh_const(name, sort))).collect();
        let reading = read_term(terms, &self.scope, body, &locals, Some(sort))?;
        let parameters = locals.iter().map(|&(_, constant)| constant).collect();
        let (body, _) = self.remember_names(body, reading)?;
        self.scope.bind_symbol(name, Meaning::Defined { parameters, body });
        Ok(Command::Define { name: name.to_string() })
    }
}

/// The s-expression in a text that has nothing else.
fn only(text: &str) -> Result<Tree> {
    let mut input = CommandInput::new(text.as_bytes());
    let start = Position { line: 1, column: 1 };
    let failed = |message: String| Error { position: start, message };
    let mut next = || input.next_command().map_err(|error| failed(error.to_string()));
    let tree = next()?.unwrap_or_else(|| Err(failed("expected a term".to_string())))?;
    match next()? {
        None => Ok(tree),
        Some(rest) => Err(rest?.root().error("there is more than one term")),
    }
}

pub(super) fn symbol<'t>(sexpr: Sexpr<'t>) -> Result<&'t str> {
    sexpr.symbol().ok_or_else(|| sexpr.error("expected a symbol"))
}

/// A symbol with its bars, if it needs them.
fn written(sexpr: Sexpr<'_>) -> String {
    crate::quote_symbol(sexpr.text()).to_string()
}

/// Each level takes memory, whether anything is in it or not.
pub const MAX_LEVELS: usize = 100_000;

fn level_count(args: &[Sexpr<'_>]) -> Result<usize> {
    match args {
        [] => Ok(1),
        [count, ..] => count.text().parse().map_err(|_| count.error("expected a number of levels")),
    }
}

/// The arguments of a known command, for messages.
fn usage(name: &str) -> Option<&'static str> {
    Some(match name {
        "set-logic" => "LOGIC",
        "set-option" | "set-info" => ":keyword value",
        "declare-fun" => "symbol (sort ...) sort",
        "declare-const" | "declare-var" => "symbol sort",
        "declare-rel" => "symbol (sort ...)",
        "declare-sort" => "symbol numeral",
        "declare-datatype" => "symbol (constructor ...)",
        "declare-datatypes" => "((symbol 0) ...) ((constructor ...) ...)",
        "define-sort" => "symbol () sort",
        "define-fun" | "define-fun-rec" => "symbol ((variable sort) ...) sort term",
        "define-funs-rec" => "((symbol ((variable sort) ...) sort) ...) (term ...)",
        "define-const" => "symbol sort term",
        "assert" | "rule" | "query" => "term",
        "check-sat-assuming" => "(literal ...)",
        "get-value" => "(term ...)",
        "get-interpolants" => "part part ...",
        "get-interpolant" => "(group ...)` or `(get-interpolant formula formula ...",
        "compute-interpolant" => "formula formula ...",
        "get-info" | "get-option" => ":keyword",
        "echo" => "\"text\"",
        _ => return None,
    })
}
