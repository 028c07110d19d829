//! The type checker: from syntax trees to one typed, linked program (C11 6.2 to 6.9).
//!
//! Files are checked one after the other into the same [`Program`], so that linking is looking up a name.
//! Two departures from checking each file alone:
//! - A tag at file scope means the same record in every file, as long as the files define it alike. When
//!   they do not, everything is checked once more with that tag kept apart per file
//!   ([`State::private_tags`]).
//! - Old-style calls are checked against the definition at the end ([`link`]), because they may stand before
//!   it or in another file.
//!
//! Constants are folded where they arise ([`fold`]): what is constant in C is a constant node here, and
//! deciding that something is an integer constant expression is looking at one node.

use craig_base::{Map, Set};

use crate::ast::External;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::hir::{self, ExprId, FunctionId, GlobalId, LocalId, PlaceId, Program, StmtId};
use crate::lex::{Names, Symbol, tokenize};
use crate::parse::Parser;
use crate::slic::{self, Rule};
use crate::source::{Sources, Span, TextId};
use crate::types::{DataModel, QualType, RecordId, TypeId, Types};

mod atomic;
mod builtin;
mod call;
mod compatible;
mod complex;
mod computed_goto;
mod convert;
mod declare;
mod equal;
mod expression;
mod fold;
mod frame;
mod function;
mod half;
mod init;
mod library;
mod link;
mod models;
mod names;
mod nested;
mod operator;
mod record;
mod rule;
mod scope;
mod statement;
mod type_name;
mod update;
mod variable_array;
mod vector;
mod wide;

pub(crate) use builtin::IS_ARRAY;
use models::Models;
pub(crate) use rule::PREFIX as RULE_PREFIX;
use scope::Scopes;

/// An error aborts the statement or declaration that it is in.
type Checked<T> = Result<T, Box<Diagnostic>>;

/// An expression before it is known how it is used.
#[derive(Clone, Copy, Debug)]
enum Operand {
    Value(ExprId),
    Place(PlaceId),
    /// A function, as a pointer to it.
    Function(ExprId),
}

/// Checks all units, weaves the rules into them and links them, together with those of the `models` and of the library that
/// have a function which the program calls and does not define; `None` if there were errors.
pub fn check_program(
    sources: &mut Sources,
    units: &[TextId],
    rules: &[TextId],
    models: &[TextId],
    with_library: bool,
    model: DataModel,
    diagnostics: &mut Diagnostics,
) -> Option<Program> {
    let mut names = Names::default();
    let mut read = |sources: &Sources, units: &[TextId]| {
        let mut tokens = Vec::new();
        for &unit in units {
            match tokenize(sources.text(unit), sources.base(unit), &mut names) {
                Ok(unit_tokens) => tokens.push((unit, unit_tokens)),
                Err(error) => diagnostics.add(error),
            }
        }
        tokens
    };
    let tokens = read(sources, units);
    let models = read(sources, models);
    let rules = read_rules(sources, rules, &mut names, diagnostics);
    if diagnostics.has_errors() {
        return None;
    }
    let known = names::Known::new(&mut names);
    let mut unread: Vec<usize> = Vec::new();
    let mut models = Models::new(models, with_library, &mut names);
    let given = tokens.iter().chain(&models.of_user);
    unread.extend(given.flat_map(|(_, unit)| models.likely(unit, &names)));
    let mut private_tags = Set::default();
    loop {
        if let Err(error) = models.read(std::mem::take(&mut unread), sources, &mut names) {
            diagnostics.add(*error);
            return None;
        }
        let mut found = Diagnostics::new();
        let mut checker = Checker::new(&names, &known, model, private_tags, &mut found);
        for (unit, unit_tokens) in &tokens {
            let mut parser = Parser::new(sources.text(*unit), sources.base(*unit), unit_tokens, &names);
            checker.unit(&mut parser);
        }
        checker.rules(sources, &rules);
        checker.models(sources, &models);
        unread = std::mem::take(&mut checker.state.unread);
        if !unread.is_empty() {
            private_tags = checker.state.private_tags;
            continue;
        }
        checker.link(sources);
        let conflict = checker.state.conflicting_tag.take();
        let (program, tags) = (checker.program, checker.state.private_tags);
        private_tags = tags;
        if let Some(tag) = conflict {
            private_tags.insert(tag);
            continue;
        }
        if found.has_errors() {
            let bodies = program.functions.iter().filter_map(|function| function.body.as_ref());
            bodies.flat_map(|body| &body.refused).for_each(|refused| found.add(refused.clone()));
        }
        *diagnostics = found;
        return (!diagnostics.has_errors()).then_some(program);
    }
}

fn read_rules(
    sources: &Sources,
    rules: &[TextId],
    names: &mut Names,
    diagnostics: &mut Diagnostics,
) -> Vec<(TextId, Rule)> {
    if !rules.is_empty() {
        rule::intern(names);
    }
    let mut read = Vec::new();
    for &text in rules {
        let tokens = tokenize(sources.text(text), sources.base(text), names);
        match tokens.and_then(|tokens| slic::parse(sources.text(text), sources.base(text), &tokens, names)) {
            Ok(rule) => read.push((text, rule)),
            Err(error) => diagnostics.add(error),
        }
    }
    read
}

struct Checker<'a> {
    program: Program,
    names: &'a Names,
    known: &'a names::Known,
    diagnostics: &'a mut Diagnostics,
    scopes: Scopes,
    state: State,
    /// The function whose body is being checked.
    function: Option<function::FunctionState>,
    /// What is around it, where it is nested.
    nested: nested::Nested,
    /// Within the initialiser of an object with static storage duration.
    static_init: bool,
    /// Values that later ones in the same initialiser have replaced.
    replaced: Vec<hir::ExprId>,
    /// The body being checked hands on arguments that only gcc's inlining knows: there is no such function.
    only_for_inlining: bool,
}

/// What is known across files.
#[derive(Default)]
struct State {
    /// Names with external linkage.
    external: Map<Symbol, scope::Binding>,
    /// Records by tag at file scope, of all files so far.
    shared_tags: Map<(Symbol, bool), (RecordId, TypeId)>,
    /// Tags that files define differently.
    private_tags: Set<Symbol>,
    conflicting_tag: Option<Symbol>,
    /// Untagged records of all files by what they contain, and how many of them this file has used.
    untagged: record::Untagged,
    /// Enumerations of all files by what they contain.
    enums: record::Enums,
    /// Records that the current file has defined.
    defined_here: Set<RecordId>,
    /// Functions that the current file declares otherwise than they are defined.
    declared_as: Map<FunctionId, TypeId>,
    /// Calls of functions that are declared there with additional arguments (`int f(int, ...)`).
    variadic_calls: Set<ExprId>,
    /// `alias("target")` of functions.
    aliases: Vec<(FunctionId, Symbol, Option<FunctionId>, Span)>,
    /// Objects that are others.
    object_aliases: Vec<(GlobalId, GlobalId)>,
    /// Functions of which only an inline or weak definition was seen, which another may replace.
    replaceable: Set<FunctionId>,
    /// Functions with an inline definition, and where those are that have another one as well.
    inline: Set<FunctionId>,
    inline_twins: Vec<(FunctionId, Span, Span)>,
    /// Functions that are defined without a prototype.
    old_style: Set<FunctionId>,
    /// Of values that were computed in the width of a bit-field: that width.
    widths: Map<ExprId, u32>,
    /// Objects with a weak initialiser.
    weak_objects: Set<GlobalId>,
    /// Where weak objects are declared that may have no definition.
    weak_declared: Vec<(GlobalId, Span)>,
    /// Functions that the current file declares as weak.
    weak_here: Set<FunctionId>,
    /// `asm("name")`: what the linker calls a function.
    linker_names: Vec<(FunctionId, String)>,
    complex: Vec<(TypeId, TypeId)>,
    /// Functions in which the address of a nested one is taken, and where.
    framed: Vec<(FunctionId, Span)>,
    /// What vectors consist of, and how many of it, with their types.
    vectors: Vec<(TypeId, u64, TypeId)>,
    /// Functions with a `constructor` or `destructor` attribute and their priorities.
    constructors: Vec<(i128, FunctionId)>,
    destructors: Vec<(i128, FunctionId)>,
    /// Objects with an initialiser.
    initialized: Set<GlobalId>,
    /// What is checked now are models: the first definition of a function counts.
    in_models: bool,
    /// Where the texts of the library begin.
    library_start: u32,
    /// Files of the library, by their numbers, that have to be read.
    unread: Vec<usize>,
}

impl<'a> Checker<'a> {
    fn new(
        names: &'a Names,
        known: &'a names::Known,
        model: DataModel,
        private_tags: Set<Symbol>,
        diagnostics: &'a mut Diagnostics,
    ) -> Checker<'a> {
        let program = Program {
            types: Types::new(model),
            globals: Default::default(),
            functions: Default::default(),
            exprs: Default::default(),
            places: Default::default(),
            stmts: Default::default(),
            constructors: Vec::new(),
            destructors: Vec::new(),
            file_asm: Vec::new(),
            properties: Vec::new(),
            assumptions: Vec::new(),
            warnings: Vec::new(),
            misfits: Set::default(),
        };
        Checker {
            program,
            names,
            known,
            diagnostics,
            scopes: Scopes::new(names.len()),
            state: State { private_tags, ..State::default() },
            function: None,
            nested: nested::Nested::default(),
            static_init: false,
            replaced: Vec::new(),
            only_for_inlining: false,
        }
    }

    fn unit(&mut self, parser: &mut Parser) {
        self.scopes = Scopes::new(self.names.len());
        self.state.defined_here.clear();
        self.state.declared_as.clear();
        self.state.weak_here.clear();
        self.state.untagged.begin_unit();
        while let Some(parsed) = parser.next_external() {
            for warning in parser.take_warnings() {
                self.diagnostics.add(warning);
            }
            let result = parsed.and_then(|external| self.external(external));
            if let Err(error) = result {
                self.diagnostics.add(*error);
                self.scopes.leave_to_file_scope();
                self.function = None;
                self.nested = nested::Nested::default();
                self.static_init = false;
            }
            if self.diagnostics.is_full() || self.state.conflicting_tag.is_some() {
                return;
            }
        }
        self.finish_unit();
    }

    fn external(&mut self, external: External) -> Checked<()> {
        match external {
            External::Declaration(declaration) => self.file_declaration(&declaration),
            External::Function(definition) => self.function_definition(&definition),
            External::StaticAssert(assertion) => self.static_assert(&assertion),
            External::Asm(span) => {
                self.program.file_asm.push(span);
                self.warn(span, "assembly at file scope is ignored");
                Ok(())
            }
        }
    }

    fn types(&mut self) -> &mut Types {
        &mut self.program.types
    }

    fn text(&self, symbol: Symbol) -> &'a str {
        self.names.get(symbol)
    }

    fn show(&self, ty: impl Into<QualType>) -> String {
        self.program.types.show(ty)
    }

    fn warn(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.add(Diagnostic::warning(span, message));
    }

    fn expr(&mut self, kind: hir::ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.program.exprs.push(hir::Expr { kind, ty, span })
    }

    fn place(&mut self, kind: hir::PlaceKind, ty: impl Into<QualType>, span: Span) -> PlaceId {
        self.program.places.push(hir::Place { kind, ty: ty.into(), span })
    }

    fn stmt(&mut self, kind: hir::StmtKind, span: Span) -> StmtId {
        self.program.stmts.push(hir::Stmt { kind, span })
    }

    fn type_of(&self, expr: ExprId) -> TypeId {
        self.program.exprs[expr].ty
    }

    fn span_of(&self, expr: ExprId) -> Span {
        self.program.exprs[expr].span
    }

    fn local_place(&mut self, local: LocalId, ty: QualType, span: Span) -> PlaceId {
        self.place(hir::PlaceKind::Local(local), ty, span)
    }

    fn global_place(&mut self, global: GlobalId, span: Span) -> PlaceId {
        let ty = self.program.globals[global].ty;
        self.place(hir::PlaceKind::Global(global), ty, span)
    }
}

fn error<T>(span: Span, message: impl Into<String>) -> Checked<T> {
    Err(Box::new(Diagnostic::error(span, message)))
}

fn unsupported<T>(span: Span, message: impl Into<String>) -> Checked<T> {
    Err(Box::new(Diagnostic::unsupported(span, message)))
}
