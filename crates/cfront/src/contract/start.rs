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

use std::cell::Cell;
use std::fmt::Write;

use super::clause::{Extent, Meaning, Part, Predicate, Translated, Translator, parts, refuse};
use super::output::{Origin, Piece, join};
use super::scan::{Token, scan};
use super::{Clause, Contract, annotate};
use crate::hir::{FunctionId, GlobalOrigin, Linkage, Program};
use crate::lower::{Layouts, reach};
use crate::types::{QualType, RecordKind, TypeId};

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
/// and fails instead, where one could be made.
pub fn start(
    program: &Program,
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
        writer.plan(&parts, false);
        clauses.push((clause, parts));
    }
    let name = &program.functions[function].name;
    let _ = write!(
        writer.out,
        "\n# 1 \"arguments of {name}\"\n{}extern void *malloc({SIZE});\nvoid {PREFIX}{name}({parameters}) {{\n",
        annotate::PRELUDE
    );
    writer.choices();
    writer.globals(&scanned);
    for i in 0..writer.params.len() {
        writer.unsized_argument(i);
    }
    for (clause, parts) in &clauses {
        writer.assume(clause, parts).map_err(|refusal| (**clause, refusal))?;
    }
    if probe {
        writer.out.push_str("__VERIFIER_craig_assert(0, \"the function can be called\");\n");
    } else {
        writer.call(contract)?;
    }
    writer.out.push_str("}\n");
    Ok(Start { text: writer.out, assumptions: writer.assumptions })
}

/// In front of the name of the function under test.
pub const PREFIX: &str = "craig_start_";

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

    /// Declares what is known of the arguments' objects, and chooses who shares one with whom.
    fn choices(&mut self) {
        let mut pointers = 0;
        for i in 0..self.params.len() {
            if self.params[i].pointee.is_none() || self.params[i].is_function {
                continue;
            }
            pointers += 1;
            if self.shares(i) {
                let _ = writeln!(self.out, "{SIZE} craig_size_{i} = 0; void *craig_base_{i} = 0;");
            }
            for j in self.partners(i) {
                let _ = writeln!(self.out, "_Bool craig_shared_{i}_{j} = {ANY_BOOL};");
            }
        }
        if pointers > 1 {
            let text = "arguments share objects only where their types are the same or one points to characters, and \
                not if both point to constants";
            self.assumptions.push(text.to_string());
        }
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

    /// An argument that no clause gives a size: null unless a clause says that it is valid.
    fn unsized_argument(&mut self, i: usize) {
        let Param { name, pointee, is_function, .. } = &self.params[i];
        let (name, is_function) = (name.clone(), *is_function);
        let Some(pointee) = *pointee else { return };
        let plan = self.plan_of(&name);
        if is_function {
            return self.callback(&name);
        }
        if plan.guarded {
            let target = self.target(i);
            let _ = writeln!(self.out, "{target} = {ANY_BOOL} ? 0 : malloc(1);");
            return;
        }
        if plan.is_sized() {
            return;
        }
        if plan.extent.is_none() {
            let _ = writeln!(self.out, "if ({ANY_BOOL}) {} = 0; else {{", self.target(i));
        }
        let bytes = if self.is_complete(pointee) { format!("sizeof *{name}") } else { "1".to_string() };
        self.place(i, &bytes);
        self.inner_pointers(&name, pointee, 0);
        if plan.extent.is_none() {
            self.out.push_str("}\n");
        }
    }

    fn is_complete(&self, ty: QualType) -> bool {
        self.program.types.is_void(ty.ty) || self.program.types.size_of(ty.ty).is_some()
    }

    /// How the argument is assigned to, even if it is constant.
    fn target(&self, i: usize) -> String {
        let Param { name, ty, .. } = &self.params[i];
        if ty.quals.is_const() { format!("*(void **)&{name}") } else { name.clone() }
    }

    /// Lets an argument point to an object of `bytes` bytes: a new one, or a part of one that is there.
    fn place(&mut self, i: usize, bytes: &str) {
        let (name, target) = (self.params[i].name.clone(), self.target(i));
        let step = match self.params[i].pointee {
            Some(pointee) if self.is_complete(pointee) => format!("sizeof *{name}"),
            _ => "1".to_string(),
        };
        let shares = self.shares(i);
        let known = |base: &str, size: &str| match shares {
            true => format!("craig_base_{i} = (void *)({base}); craig_size_{i} = {size};"),
            false => String::new(),
        };
        let inside = |base: &str, size: &str| {
            format!(
                "{{ {SIZE} at = {ANY_SIZE}; {ASSUME}({bytes} <= {size} && at <= {size} / ({step}) && at * ({step}) <= \
                 {size} - ({bytes})); {target} = (void *)((__typeof__({name})){base} + at); {} }} else ",
                known(base, size)
            )
        };
        for j in self.partners(i) {
            let _ = write!(self.out, "if (craig_shared_{i}_{j}) ");
            let code = if self.are_single(i, j) {
                let (base, size) = (format!("craig_base_{j}"), format!("craig_size_{j}"));
                format!("{{ {ASSUME}({base} != 0); {target} = {base}; {} }} else ", known(&base, &size))
            } else {
                inside(&format!("craig_base_{j}"), &format!("craig_size_{j}"))
            };
            self.out.push_str(&code);
        }
        for global in self.globals_of_type(i) {
            let _ = write!(self.out, "if ({ANY_BOOL}) ");
            self.out.push_str(&inside(&format!("(void *)&{global}"), &format!("sizeof {global}")));
        }
        // Others that share this object may begin before it or reach beyond it.
        let sharing: Vec<usize> = (0..self.params.len())
            .filter(|&k| self.partners(k).contains(&i) && !self.are_single(i, k))
            .collect();
        if sharing.is_empty() {
            let _ = writeln!(
                self.out,
                "{{ {target} = malloc({bytes}); {ASSUME}({target} != 0); {} }}",
                known(&name, bytes)
            );
            return;
        }
        let shared: Vec<String> = sharing.iter().map(|k| format!("craig_shared_{k}_{i}")).collect();
        let _ = writeln!(
            self.out,
            "{{ {SIZE} more = 0, at = 0; if ({}) {{ more = {ANY_SIZE}; at = {ANY_SIZE}; {ASSUME}(more <= {LARGEST} / \
             ({step}) && at <= more && more * ({step}) <= {LARGEST} - ({bytes})); }} {target} = malloc({bytes} + more * \
             ({step})); {ASSUME}({target} != 0); {} {target} = (void *)({name} + at); }}",
            shared.join(" || "),
            known(&name, &format!("{bytes} + more * ({step})"))
        );
    }

    /// Globals of the type of what the argument points to, which the function can reach.
    fn globals_of_type(&self, i: usize) -> Vec<String> {
        let plan = self.plan_of(&self.params[i].name);
        let Some(pointee) = self.params[i].pointee.filter(|_| !plan.apart && !plan.string) else {
            return Vec::new();
        };
        let reach = reach::reach(self.program, &mut Layouts::default(), &[self.function]);
        let mut names = Vec::new();
        for &id in &reach.globals {
            let global = &self.program.globals[id];
            let element = self.program.types.array(global.ty.ty).map_or(global.ty, |(element, _)| element);
            let fits = element.ty == pointee.ty && (!element.quals.is_const() || pointee.quals.is_const());
            let visible = global.origin == GlobalOrigin::FileScope && global.linkage == Linkage::External;
            let hidden = self.params.iter().any(|param| param.name == global.name);
            if fits && visible && !hidden && self.program.types.size_of(global.ty.ty).is_some() {
                names.push(global.name.clone());
            }
        }
        names
    }

    /// A pointer that is not an argument itself: null, or to an object of its type.
    fn null_or_object(&mut self, pointer: &str, pointee: QualType, depth: usize) {
        let types = &self.program.types;
        if types.as_function(pointee.ty).is_some() {
            return self.callback(pointer);
        }
        if self
            .plans
            .iter()
            .any(|(p, _)| p.split_whitespace().collect::<String>() == pointer.replace(['(', ')'], ""))
        {
            return;
        }
        if depth >= MAX_DEPTH {
            let text =
                format!("pointers that are more than {MAX_DEPTH} steps away from an argument are null");
            if !self.assumptions.contains(&text) {
                self.assumptions.push(text);
            }
            let _ = writeln!(self.out, "*(void **)&{pointer} = 0;");
            return;
        }
        let bytes = if self.is_complete(pointee) { format!("sizeof *{pointer}") } else { "1".to_string() };
        let _ = writeln!(
            self.out,
            "if ({ANY_BOOL}) *(void **)&{pointer} = 0; else {{ *(void **)&{pointer} = malloc({bytes}); {ASSUME}(*(void \
             **)&{pointer} != 0);"
        );
        self.inner_pointers(pointer, pointee, depth + 1);
        self.out.push_str("}\n");
    }

    /// The pointers in the object that a pointer points to.
    fn inner_pointers(&mut self, pointer: &str, pointee: QualType, depth: usize) {
        let types = &self.program.types;
        if let Some(inner) = types.pointee(pointee.ty) {
            return self.null_or_object(&format!("(*{pointer})"), inner, depth);
        }
        // Records within records: the way to each from the pointer.
        let mut pending = vec![(format!("{pointer}->"), pointee.ty)];
        let mut found = Vec::new();
        while let Some((path, ty)) = pending.pop() {
            let Some(record) = types.as_record(ty) else { continue };
            if types.record(record).kind == RecordKind::Union {
                continue;
            }
            for field in types.fields(record).iter().rev() {
                let way = match &field.name {
                    Some(name) => format!("{path}{name}"),
                    None => path.trim_end_matches(['.', '>', '-']).to_string(),
                };
                match types.pointee(field.ty.ty) {
                    Some(inner) => found.push((way, inner)),
                    None if field.name.is_some() => pending.push((format!("{way}."), field.ty.ty)),
                    None => pending.push((path.clone(), field.ty.ty)),
                }
            }
        }
        for (way, inner) in found.into_iter().rev() {
            self.null_or_object(&way, inner, depth);
        }
    }

    /// A pointer to a function: null, or to one that may do what a function without a body may.
    fn callback(&mut self, pointer: &str) {
        let name = format!("craig_callback_{}", suffix(pointer));
        let _ = writeln!(
            self.out,
            "{{ extern __typeof__(*{pointer}) {name}; if ({ANY_BOOL}) *(void **)&{pointer} = 0; else \
             *(void **)&{pointer} = (void *){name}; }}"
        );
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
        let mut translator = Translator { chains: clause.chains, ..Translator::default() };
        Ok(self.c_text(clause, &translator.expression(tokens)?))
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

    /// Makes the object of a predicate, once for each pointer.
    fn object(&mut self, clause: &Clause, predicate: &Predicate<'a, 't>) -> Translated<()> {
        let pointer = words(predicate.pointer);
        let Some(at) = self.plans.iter().position(|(p, _)| *p == pointer) else { return Ok(()) };
        let plan = self.plans[at].1.clone();
        let param = self.params.iter().position(|param| param.name == pointer);
        if param.is_some_and(|i| self.params[i].pointee.is_none() || self.params[i].is_function) {
            return refuse(&predicate.pointer[0], format!("`{pointer}` does not point to an object"));
        }
        let is_done = predicate.meaning == Meaning::Apart
            || (param.is_some() && !plan.is_sized() && !plan.guarded)
            || predicate.pointer[0].is("&");
        // A second predicate about the same pointer was taken into account by the first.
        if is_done || plan.done {
            return Ok(());
        }
        self.plans[at].1.done = true;
        let k = suffix(&pointer);
        let shown = self.translated(clause, predicate.pointer)?;
        let element = format!("sizeof *({shown})");
        let number = |writer: &Self, tokens: &[Token<'t>]| writer.translated(clause, tokens);
        let bytes = match plan.extent {
            Some(Extent::One) => element.clone(),
            Some(Extent::Elements(n)) => {
                let n = number(self, n)?;
                let _ = writeln!(
                    self.out,
                    "{SIZE} craig_count_{k} = {n};\n{ASSUME}(craig_count_{k} <= {LARGEST} / ({element}));"
                );
                format!("craig_count_{k} * ({element})")
            }
            Some(Extent::UpTo(last)) => {
                let n = match last {
                    [n @ .., minus, one] if minus.is("-") && one.is("1") => number(self, n)?,
                    _ => format!("{} + 1", number(self, last)?),
                };
                let _ = writeln!(
                    self.out,
                    "{SIZE} craig_count_{k} = {n};\n{ASSUME}(craig_count_{k} <= {LARGEST} / ({element}));"
                );
                format!("craig_count_{k} * ({element})")
            }
            Some(Extent::Bytes(n)) => {
                let n = number(self, n)?;
                let _ = writeln!(
                    self.out,
                    "{SIZE} craig_count_{k} = {n};\n{ASSUME}(craig_count_{k} <= {LARGEST});"
                );
                format!("craig_count_{k}")
            }
            None => {
                let _ = writeln!(self.out, "{SIZE} craig_count_{k} = {ANY_SIZE};");
                format!("craig_count_{k}")
            }
        };
        match param {
            Some(i) => self.place(i, &bytes),
            None => {
                let _ = writeln!(self.out, "{shown} = malloc({bytes}); {ASSUME}({shown} != 0);");
            }
        }
        if plan.string {
            let _ = writeln!(
                self.out,
                "{SIZE} craig_length_{k} = {ANY_SIZE};\n{ASSUME}(craig_length_{k} < {bytes});\n((char *)({shown}))[craig_length_{k}] = 0;"
            );
            // Proofs speak of the length as long as it is used: it is, once more, after the call.
            if !plan.guarded {
                let _ = writeln!(
                    self.after,
                    "__VERIFIER_craig_assert(craig_length_{k} < {bytes}, \"the length of a string\");"
                );
            }
        }
        Ok(())
    }

    /// Calls the function and checks what it ensures.
    fn call(&mut self, contract: &Contract) -> Result<(), Refused> {
        let function = &self.program.functions[self.function];
        let names: Vec<&str> = self.params.iter().map(|param| param.name.as_str()).collect();
        let call = format!("{}({})", function.name, names.join(", "));
        let result = self.program.types.as_function(function.ty).map_or(TypeId::VOID, |f| f.result);
        let is_void = self.program.types.is_void(result);
        let mut translator = Translator {
            result: (!is_void).then(|| "craig_result".to_string()),
            old: Some(Vec::new()),
            ..Translator::default()
        };
        let mut after = std::mem::take(&mut self.after);
        for clause in &contract.ensures {
            let text = &self.texts[clause.unit].1;
            let tokens = scan(text, clause.start, clause.end);
            translator.chains = clause.chains;
            let known = translator.old.as_ref().map_or(0, Vec::len);
            let said = format!("`{}` does not hold at the end", annotate::words(text, &tokens));
            let pieces = parts(&tokens)
                .and_then(|parts| annotate::check_parts(&mut translator, &parts, &said))
                .map_err(|refusal| (*clause, refusal))?;
            for (value, name) in translator.old.iter().flatten().skip(known) {
                let value = self.c_text(clause, value);
                let _ = writeln!(self.out, "__typeof__({value}) {name} = {value};");
            }
            after.push_str(&self.c_text(clause, &pieces));
        }
        if is_void || contract.ensures.is_empty() {
            let _ = writeln!(self.out, "{call};");
        } else {
            let _ = writeln!(self.out, "__typeof__({call}) craig_result = {call};");
        }
        self.out.push_str(&after);
        Ok(())
    }
}

/// The words of a pointer as the end of a name.
fn suffix(pointer: &str) -> String {
    let parts =
        pointer.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join("_")
}

/// More lines than are ever made in one go.
const LINES_APART: usize = 1000;

const ASSUME: &str = "__VERIFIER_craig_assume";

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
