//! The C function that calls the function under test: it makes the arguments, assumes what the contract requires,
//! and checks what it ensures.
//!
//! Its parameters are those of the function, so that C itself says what type they have; scalars arrive arbitrary,
//! and pointers are made here. A pointer about which nothing is said is null or points to one object of its type; so
//! do pointers in there, to a depth of [`MAX_DEPTH`]. `valid(p, n)` makes an object of exactly `n` elements:
//! whoever stays within that stays within any larger one. `string(s)` makes one of any length that ends with a null
//! character, with the length in a variable of its own, so that proofs can speak of it without quantifiers.
//!
//! Two arguments may point into one object, which then is larger by any amount, unless one is `fresh`, their types
//! differ (characters go with all), or nothing is written through either. An argument may also point to a global of
//! its type. All of this is said by ordinary C: choices are inputs, and objects come from `malloc`.

mod objects;

use std::cell::Cell;
use std::fmt::Write;

use super::assigns::{FREES, FRESH, Kept, Target, targets};
use super::clause::{Extent, Meaning, Part, Predicate, Translated, parts, refuse};
use super::output::{Origin, Piece, join};
use super::scan::{Kind, Token, scan, unwrapped};
use super::translate::Translator;
use super::{Clause, Contract, annotate, behaviour};
use crate::hir::{FunctionId, GlobalOrigin, Program};
use crate::lower::{Layouts, reach};
use crate::types::{DataModel, QualType, TypeId};

/// Pointers further away from an argument are null.
const MAX_DEPTH: usize = 2;

const SIZE: &str = "__typeof__(sizeof 0)";
/// No object has more bytes.
const LARGEST: &str = "(sizeof(void *) == 8 ? (__typeof__(sizeof 0))1 << 56 : 2147483647)";
const ANY_SIZE: &str = "__VERIFIER_nondet_craig_size()";
const ANY_BOOL: &str = "__VERIFIER_nondet_craig_bool()";

/// A clause that cannot be understood, and why.
pub type Refused = (Clause, super::clause::Refusal);

/// What is made.
pub struct Start {
    pub text: String,
    /// What answers rest on.
    pub assumptions: Vec<String>,
}

/// What the clauses say about a pointer.
#[derive(Clone, Default)]
struct Plan<'a, 't> {
    extent: Option<Extent<'a, 't>>,
    string: bool,
    apart: bool,
    /// It is said under a condition, which may be that the pointer is not null.
    guarded: bool,
    /// Its object was made.
    done: bool,
}

impl Plan<'_, '_> {
    /// Whether the pointer has an object of a size of its own.
    fn is_sized(&self) -> bool {
        self.string || !matches!(self.extent, None | Some(Extent::One))
    }
}

/// Makes the function that calls `function`, whose parameters have the text `parameters`; `probe` leaves out the call
/// and fails instead, where one could be made. `unit` is what its own unit says, if there are others.
pub fn start(
    (program, unit): (&Program, Option<&Program>),
    function: FunctionId,
    parameters: &str,
    contract: &Contract,
    texts: &[(String, String)],
    probe: bool,
) -> Result<Start, Refused> {
    let scanned: Vec<Vec<Token<'_>>> =
        contract.requires.iter().map(|c| scan(&texts[c.unit].1, c.start, c.end)).collect();
    let body = program.functions[function].body.as_ref();
    let params = body.map_or_else(Vec::new, |body| {
        body.params
            .iter()
            .map(|&p| Param::new(program, body.locals[p].name.clone(), body.locals[p].ty))
            .collect()
    });
    let out = String::new();
    let mut writer = Writer {
        program,
        unit,
        function,
        texts,
        params,
        out,
        plans: Vec::new(),
        assumptions: Vec::new(),
        after: String::new(),
        line: Cell::new(1),
    };
    let mut clauses = Vec::new();
    for (clause, tokens) in contract.requires.iter().zip(&scanned) {
        let parts = parts(tokens).map_err(|refusal| (*clause, refusal))?;
        writer.plan(&parts, clause.behaviour.is_some());
        clauses.push((clause, parts));
    }
    let name = &program.functions[function].name;
    let assigned = if probe { None } else { writer.assigned(contract) };
    let mut declarations = assigned.as_ref().map_or(String::new(), |kept| kept.declarations.clone());
    if writer.called() == CALLED {
        declarations += &format!("extern __typeof__({name}) {CALLED} __attribute__((alias(\"{name}\")));\n");
    }
    let _ = write!(
        writer.out,
        "\n# 1 \"arguments of {name}\"\n{}extern void *malloc({SIZE});\n{declarations}void {PREFIX}{name}({parameters}) {{\n",
        annotate::PRELUDE
    );
    writer.choices();
    writer.globals(&scanned);
    for i in 0..writer.params.len() {
        writer.unsized_argument(i);
    }
    for of_behaviours in [false, true] {
        for (clause, parts) in
            clauses.iter().filter(|(clause, _)| clause.behaviour.is_some() == of_behaviours)
        {
            // What is made in general is used later.
            let (open, close) = if of_behaviours { ("{\n", "}\n") } else { ("", "") };
            writer.out += &(behaviour::guard(clause) + open);
            writer.assume(clause, parts).map_err(|refusal| (**clause, refusal))?;
            writer.out.push_str(close);
        }
        if !of_behaviours {
            let declared =
                behaviour::declared(contract, texts, |clause, pieces| writer.c_text(clause, pieces))?;
            writer.out.push_str(&declared);
        }
    }
    if probe {
        writer.out.push_str("__VERIFIER_craig_assert(0, \"the function can be called\");\n");
    } else {
        writer.call(contract, assigned.as_ref())?;
    }
    writer.out.push_str("}\n");
    Ok(Start { text: writer.out, assumptions: writer.assumptions })
}

/// Another name of the function under test.
const CALLED: &str = "craig_called";

/// In front of the name of the function under test.
pub const PREFIX: &str = "craig_start_";

/// In front of the numbers of two arguments, in the name of what says whether they share an object.
pub const SHARED: &str = "craig_shared_";

struct Param {
    name: String,
    ty: QualType,
    pointee: Option<QualType>,
    is_function: bool,
}

impl Param {
    fn new(program: &Program, name: String, ty: QualType) -> Param {
        let pointee = program.types.pointee(ty.ty);
        let is_function = pointee.is_some_and(|to| program.types.as_function(to.ty).is_some());
        Param { name, ty, pointee, is_function }
    }
}

struct Writer<'p, 'a, 't> {
    program: &'p Program,
    unit: Option<&'p Program>,
    function: FunctionId,
    texts: &'t [(String, String)],
    params: Vec<Param>,
    out: String,
    /// By the words of the pointer.
    plans: Vec<(String, Plan<'a, 't>)>,
    assumptions: Vec<String>,
    /// What comes after the call.
    after: String,
    /// The line that what is made is said to be on.
    line: Cell<usize>,
}

fn words(tokens: &[Token<'_>]) -> String {
    tokens.iter().map(|token| token.text).collect::<Vec<_>>().join(" ")
}

impl<'a, 't> Writer<'_, 'a, 't> {
    /// Gathers what all clauses say about each pointer.
    fn plan(&mut self, parts: &[Part<'a, 't>], guarded: bool) {
        for part in parts {
            match part {
                Part::Object(predicate) => {
                    let pointer = words(predicate.pointer);
                    let known = self.plans.iter().position(|(p, _)| *p == pointer);
                    let index = known.unwrap_or_else(|| {
                        self.plans.push((pointer, Plan::default()));
                        self.plans.len() - 1
                    });
                    let plan = &mut self.plans[index].1;
                    plan.guarded |= guarded;
                    match predicate.meaning {
                        Meaning::String => plan.string = true,
                        Meaning::Apart => plan.apart = true,
                        meaning => {
                            plan.extent.get_or_insert(predicate.extent);
                            plan.apart |= meaning == Meaning::Fresh;
                        }
                    }
                }
                Part::Guarded { parts, .. } => self.plan(parts, true),
                Part::Quantified(_) | Part::Plain(_) => {}
            }
        }
    }

    fn plan_of(&self, pointer: &str) -> Plan<'a, 't> {
        self.plans.iter().find(|(p, _)| p == pointer).map_or_else(Plan::default, |(_, plan)| plan.clone())
    }

    /// Arguments are made in this order: single objects first, because sizes may depend on them.
    fn rank(&self, i: usize) -> (bool, usize, usize) {
        let plan = self.plan_of(&self.params[i].name);
        let place = self.plans.iter().position(|(p, _)| *p == self.params[i].name).unwrap_or(0);
        if plan.is_sized() || plan.guarded { (true, place, i) } else { (false, i, i) }
    }

    /// The arguments made before this one whose objects it may point into.
    fn partners(&self, i: usize) -> Vec<usize> {
        let is_character =
            |ty: QualType| self.program.types.is_void(ty.ty) || self.program.types.size_of(ty.ty) == Some(1);
        let apart = |i: usize| self.plan_of(&self.params[i].name).apart || self.params[i].is_function;
        let may_share = |j: usize| {
            let (Some(a), Some(b)) = (self.params[i].pointee, self.params[j].pointee) else { return false };
            let is_read_only = a.quals.is_const() && b.quals.is_const();
            !apart(i) && !apart(j) && !is_read_only && (a.ty == b.ty || is_character(a) || is_character(b))
        };
        (0..self.params.len()).filter(|&j| self.rank(j) < self.rank(i) && may_share(j)).collect()
    }

    /// Whether two arguments point to one object of the same type each, so that they share all or nothing.
    fn are_single(&self, i: usize, j: usize) -> bool {
        let is_sized = |i: usize| self.plan_of(&self.params[i].name).is_sized();
        let pointee = |i: usize| self.params[i].pointee.map(|to| to.ty);
        !is_sized(i) && !is_sized(j) && pointee(i) == pointee(j)
    }

    /// Whether others may point into the object of an argument.
    fn shares(&self, i: usize) -> bool {
        (0..self.params.len()).any(|k| self.partners(k).contains(&i))
    }

    /// Globals that the clauses speak of have any value.
    fn globals(&mut self, scanned: &[Vec<Token<'t>>]) {
        let mut seen: Vec<&str> = Vec::new();
        for token in scanned.iter().flatten() {
            let is_param = self.params.iter().any(|param| param.name == token.text);
            if is_param || seen.contains(&token.text) {
                continue;
            }
            seen.push(token.text);
            let is_meant = |global: &&crate::hir::Global| {
                global.origin == GlobalOrigin::FileScope && global.name == token.text
            };
            let Some(global) = self.program.globals.iter().find(is_meant) else { continue };
            let name = token.text;
            let (element, is_array) = match self.program.types.array(global.ty.ty) {
                Some((element, _)) => (element, true),
                None => (global.ty, false),
            };
            if element.quals.is_const() {
                continue;
            }
            if self.program.types.pointee(global.ty.ty).is_some() {
                let pointee = self.program.types.pointee(global.ty.ty);
                if self.plan_of(name).extent.is_none() {
                    self.null_or_object(name, pointee.unwrap_or(TypeId::VOID.into()), 0);
                }
            } else if !is_array && !self.program.types.is_array(element.ty) {
                let any = format!("__VERIFIER_nondet_craig_{name}");
                let _ = writeln!(self.out, "{{ extern __typeof__({name}) {any}(void); {name} = {any}(); }}");
            } else if !self.program.types.is_array(element.ty) {
                let any = format!("__VERIFIER_nondet_craig_{name}");
                let _ = writeln!(
                    self.out,
                    "{{ extern __typeof__({name}[0]) {any}(void); {SIZE} i; for (i = 0; i < sizeof {name} / sizeof \
                     {name}[0]; i++) {name}[i] = {any}(); }}"
                );
            }
        }
        let reach = reach::reach(self.program, &mut Layouts::default(), &[self.function]);
        let others = reach.globals.iter().any(|&id| {
            let global = &self.program.globals[id];
            let is_data = matches!(global.origin, GlobalOrigin::FileScope | GlobalOrigin::StaticLocal(_));
            is_data && !global.ty.quals.is_const() && !seen.contains(&global.name.as_str())
        });
        if others {
            let name = &self.program.functions[self.function].name;
            let text = format!("'{name}' is called with the globals as they are at the start of the program");
            self.assumptions.push(text);
        }
    }

    /// The pieces as text. What is made after them is on lines of its own.
    fn c_text(&self, clause: &Clause, pieces: &[Piece]) -> String {
        let (file, text) = &self.texts[clause.unit];
        let line = self.line.get() + LINES_APART;
        self.line.set(line);
        let name = &self.program.functions[self.function].name;
        join(&Origin { text, file }, pieces) + &format!("\n# {line} \"arguments of {name}\"\n")
    }

    fn translated(&self, clause: &Clause, tokens: &[Token<'t>]) -> Translated<String> {
        Ok(self.c_text(clause, &behaviour::condition(clause, tokens, self.texts)?))
    }

    /// Makes the objects that the parts speak of, and assumes the rest, in the order in which it is written.
    fn assume(&mut self, clause: &Clause, parts: &[Part<'a, 't>]) -> Translated<()> {
        for part in parts {
            match part {
                Part::Plain(tokens) => {
                    let condition = self.translated(clause, tokens)?;
                    let _ = writeln!(self.out, "{ASSUME}({condition});");
                }
                Part::Guarded { guard, holds, parts } => {
                    let condition = self.translated(clause, guard)?;
                    let not = if *holds { "" } else { "!" };
                    let _ = writeln!(self.out, "if ({not}({condition})) {{");
                    self.assume(clause, parts)?;
                    self.out.push_str("}\n");
                }
                Part::Quantified(quantifier) => {
                    let condition = self.translated(clause, quantifier.tokens)?;
                    let _ = writeln!(self.out, "{ASSUME}({condition});");
                }
                Part::Object(predicate) => self.object(clause, predicate)?,
            }
        }
        Ok(())
    }

    /// What keeps the places that the function may write; nothing if it may write all, or if that is not understood, which
    /// is said.
    fn assigned(&mut self, contract: &Contract) -> Option<Kept> {
        let name = &self.program.functions[self.function].name;
        let mut kept = Kept::default();
        let (clauses, others) = contract.assigned();
        if others {
            let text =
                format!("'{name}' assigns no more than each of its behaviors says: that is not checked");
            self.assumptions.push(text);
        }
        for clause in &clauses {
            let tokens = scan(&self.texts[clause.unit].1, clause.start, clause.end);
            let added = targets(&tokens).and_then(|targets| {
                let mut translator = Translator { chains: clause.chains, ..Translator::default() };
                targets.iter().try_fold(true, |limited, target| {
                    if let (_, Target::Place([.., last])) = target
                        && self.is_bit_field(last.text)
                    {
                        return refuse(last, format!("`{}` is a bit-field", last.text));
                    }
                    let guard = behaviour::guard(clause);
                    let shown = |pieces: &[Piece]| self.c_text(clause, pieces);
                    let added = kept.add(&mut translator, &guard, target, shown)?;
                    Ok(limited && added)
                })
            });
            let is_small = self.program.types.model() == DataModel::Ilp32;
            let why = match added {
                Ok(true) if kept.has_objects() && is_small => "with 32-bit addresses".to_string(),
                Ok(true) => continue,
                Ok(false) => return None,
                Err(refusal) => refusal.message,
            };
            let text =
                format!("'{name}' changes nothing but what its contract says: that is not checked ({why})");
            self.assumptions.push(text);
            return None;
        }
        if clauses.is_empty() {
            return None;
        }
        if !contract.frees.is_empty() {
            let text = format!("'{name}' frees nothing but what its contract says: that is not checked");
            self.assumptions.push(text);
            kept.declarations += &format!("char {FREES};\n");
            kept.statements += &format!("{FREES} = 0;\n");
        }
        kept.declarations += &format!("void *{FRESH};\nextern void *__VERIFIER_craig_new(void);\n");
        Some(kept)
    }

    /// Whether a structure has a bit-field of this name.
    fn is_bit_field(&self, name: &str) -> bool {
        let types = &self.program.types;
        let mut fields = types.records().indices().flat_map(|record| types.fields(record));
        fields.any(|field| field.bits.is_some() && field.name.as_deref() == Some(name))
    }

    /// What the function under test is called by: a parameter may have its name.
    fn called(&self) -> &str {
        let name = &self.program.functions[self.function].name;
        if self.params.iter().any(|param| param.name == *name) { CALLED } else { name }
    }

    /// Calls the function and checks what it ensures.
    fn call(&mut self, contract: &Contract, assigned: Option<&Kept>) -> Result<(), Refused> {
        let function = &self.program.functions[self.function];
        let names: Vec<&str> = self.params.iter().map(|param| param.name.as_str()).collect();
        let call = format!("{}({})", self.called(), names.join(", "));
        let result = self.program.types.as_function(function.ty).map_or(TypeId::VOID, |f| f.result);
        let is_void = self.program.types.is_void(result);
        let mut translator = Translator {
            result: (!is_void).then(|| "craig_result".to_string()),
            old: Some(Vec::new()),
            objects: true,
            ..Translator::default()
        };
        let mut after = std::mem::take(&mut self.after);
        for clause in &contract.ensures {
            let text = &self.texts[clause.unit].1;
            let tokens = scan(text, clause.start, clause.end);
            translator.chains = clause.chains;
            let known = translator.old.as_ref().map_or(0, Vec::len);
            let said = format!("`{}` does not hold at the end", annotate::words(text, &tokens));
            let pieces = annotate::checked_parts(&tokens)
                .and_then(|parts| annotate::check_parts(&mut translator, &parts, &said))
                .map_err(|refusal| (*clause, refusal))?;
            for (value, name) in translator.old.iter().flatten().skip(known) {
                let value = self.c_text(clause, value);
                self.out.push_str(&behaviour::kept(clause, &value, name));
            }
            after += &format!("{}{{ {}}}\n", behaviour::guard(clause), self.c_text(clause, &pieces));
        }
        let claims = behaviour::claims(contract, |clause, pieces| self.c_text(clause, pieces))?;
        self.out.push_str(&claims);
        if let Some(kept) = assigned {
            let _ = writeln!(self.out, "{}{FRESH} = __VERIFIER_craig_new();", kept.statements);
        }
        if is_void || contract.ensures.is_empty() {
            let _ = writeln!(self.out, "{call};");
        } else {
            let _ = writeln!(self.out, "__typeof__({call}) craig_result = {call};");
        }
        if assigned.is_some() {
            let _ = writeln!(self.out, "{FRESH} = 0;");
        }
        self.out.push_str(&after);
        Ok(())
    }
}

/// More lines than are ever made in one go.
const LINES_APART: usize = 1000;

const ASSUME: &str = "__VERIFIER_craig_assume";

/// Whether a size is written as `sizeof(*pointer)`.
fn is_size_of_pointee(size: &[Token<'_>], pointer: &[Token<'_>]) -> bool {
    match unwrapped(size) {
        [word, operand @ ..] if word.is("sizeof") => match unwrapped(operand) {
            [star, named @ ..] if star.is("*") => {
                let is_operand = unwrapped(named).len() < named.len()
                    || named.iter().all(|t| t.kind == Kind::Name || t.is(".") || t.is("->"));
                is_operand && words(unwrapped(named)) == words(unwrapped(pointer))
            }
            _ => false,
        },
        _ => false,
    }
}

/// A statement that reads what is said to be readable, at an arbitrary place: a check of memory.
pub fn readable<'t>(
    translator: &mut Translator<'t>,
    predicate: &Predicate<'_, 't>,
) -> Translated<Vec<Piece>> {
    if !matches!(predicate.meaning, Meaning::Valid) {
        return refuse(&predicate.name, format!("`{}` cannot be checked", predicate.name.text));
    }
    let pointer = translator.expression(predicate.pointer)?;
    let mut pieces: Vec<Piece> = Vec::new();
    if predicate.name.text.starts_with("__CPROVER_") {
        // No bytes are there either.
        pieces.push("__VERIFIER_craig_assert((".into());
        pieces.extend(pointer.clone());
        pieces.push(Piece::Made(format!(") != 0, \"the pointer of `{}` is null\");", predicate.name.text)));
    }
    if matches!(predicate.extent, Extent::Bytes(n) if is_size_of_pointee(n, predicate.pointer)) {
        // In the type that the pointer has, so that the object is not taken for one of bytes; arrays are read as members.
        pieces.push("{ struct craig_read { __typeof__(*(".into());
        pieces.extend(pointer.clone());
        pieces.push(")) value; } craig_read = *(const struct craig_read *)(".into());
        pieces.extend(pointer);
        pieces.push("); }".into());
        return Ok(pieces);
    }
    let (size, bytes) = match predicate.extent {
        Extent::One => (vec!["1".into()], false),
        Extent::Elements(n) => (translator.expression(n)?, false),
        Extent::UpTo(n) => {
            let mut size = translator.expression(n)?;
            size.push(" + 1".into());
            (size, false)
        }
        Extent::Bytes(n) => (translator.expression(n)?, true),
    };
    let view = if bytes { "(const unsigned char *)" } else { "" };
    pieces.push(Piece::Made(format!("{{ {SIZE} craig_at = {ANY_SIZE}; if (craig_at < ({SIZE})(")));
    pieces.extend(size);
    pieces.push(Piece::Made(format!(")) {{ __typeof__(*({view}(")));
    pieces.extend(pointer.clone());
    pieces.push(Piece::Made(format!("))) craig_read = ({view}(")));
    pieces.extend(pointer);
    pieces.push("))[craig_at]; } }".into());
    Ok(pieces)
}
