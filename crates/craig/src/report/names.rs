//! What the constants of formulas are called in the source, as a reader at some place knows them.
//!
//! Formulas speak of all variables of a program, readers of those that a place can see: what belongs to another function
//! is `main::n` there, and a global that a local of the function hides is `::n`. No two variables of a formula have one name:
//! where a function declares several that are called alike, the line tells them apart.

use super::Location;
use super::c_expr::CExpr;
use super::safety::report_location;
use craig_base::{Map, OrderedMap, OrderedSet};
use craig_program::{
    Arithmetic, CTypeId, Cell, ContextId, Inlined, LocId, ProcId, Program, Scope, StateVar, Type, VarId,
};
use craig_term::{TermId, Terms};
use std::sync::Arc;

/// What a constant of formulas is in the source, and the values that its type has.
#[derive(Clone, Debug)]
pub(crate) struct Name {
    /// A variable, or something that C has no name for.
    pub expr: CExpr,
    pub range: Option<(i128, i128)>,
    /// As the source declares it.
    pub c_type: Option<CTypeId>,
    /// Of a region: what its cells hold; of a variable: a float.
    pub cell: Option<Cell>,
    /// Kept by the model of memory; no reader knows it.
    pub is_bookkeeping: bool,
    pub is_pointer: bool,
    /// Where it is declared, if its function declares others of this name.
    pub declared: Option<Location>,
}

pub(crate) type Names = Map<String, Name>;

impl Name {
    /// Of which nothing else is known.
    pub fn of(expr: CExpr) -> Self {
        let (range, c_type, cell, declared) = (None, None, None, None);
        Name { expr, range, c_type, cell, is_bookkeeping: false, is_pointer: false, declared }
    }
}

/// Whose variables are meant by their names alone: a function, and in an inlined program one of its copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Home {
    proc: ProcId,
    context: Option<ContextId>,
}

/// The state of a program, by the constants that formulas have for it.
pub(super) struct Vocabulary<'a> {
    /// Whose state it is.
    program: &'a Program,
    /// With its functions.
    original: &'a Program,
    inlined: Option<&'a Inlined>,
    components: Map<String, StateVar>,
    /// How often a function uses a name for a local.
    locals: Map<(ProcId, Arc<str>), usize>,
}

impl<'a> Vocabulary<'a> {
    /// Of a program with its functions.
    pub fn of_functions(program: &'a Program) -> Self {
        Vocabulary::new(program, program, None)
    }

    /// Of an inlined program, whose functions are those of the original.
    pub fn of_copies(original: &'a Program, inlined: &'a Inlined) -> Self {
        Vocabulary::new(&inlined.program, original, Some(inlined))
    }

    fn new(program: &'a Program, original: &'a Program, inlined: Option<&'a Inlined>) -> Self {
        let vars = program.vars.indices().map(StateVar::Var);
        let regions = program.regions.indices().map(StateVar::Region);
        let components =
            vars.chain(regions).map(|component| (program.state_name(component), component)).collect();
        let mut locals: Map<(ProcId, Arc<str>), usize> = Map::default();
        for var in original.vars.iter() {
            if let Scope::Local(proc) = var.scope {
                *locals.entry((proc, var.name.clone())).or_default() += 1;
            }
        }
        Vocabulary { program, original, inlined, components, locals }
    }

    /// Whose variables a function means by their names.
    pub fn in_function(&self, proc: ProcId) -> Home {
        Home { proc, context: None }
    }

    /// Whose variables are meant at a location of the inlined program.
    pub fn at(&self, inlined: &Inlined, location: LocId) -> Home {
        let context = inlined.locations[location].0;
        Home { proc: inlined.contexts[context].proc, context: Some(context) }
    }

    /// The names of the constants of a formula, and as `entry` writes them of those that stand for the state at the entry of
    /// a function or loop. It is told whether it is about a local variable.
    pub fn names(
        &self,
        terms: &Terms,
        formula: TermId,
        here: Home,
        entry: impl Fn(&str, bool) -> String,
    ) -> Names {
        let order = terms.postorder(&[formula]);
        let constants: OrderedSet<&str> = order.iter().filter_map(|&t| terms.const_name(t)).collect();
        let known = |constant: &str| self.components.get(constant.trim_end_matches('@')).copied();
        let mentioned: OrderedSet<StateVar> =
            constants.iter().filter_map(|constant| known(constant)).collect();
        let texts = self.texts(mentioned, here);
        let mut names = Names::default();
        for constant in constants {
            let Some(component) = known(constant) else { continue };
            let text = &texts[&component];
            let name = self.name(component, text, here);
            let name = match constant.ends_with('@') {
                true => {
                    let text = entry(text, self.is_local(component));
                    Name { expr: CExpr::Other(text), ..name }
                }
                false => name,
            };
            names.insert(constant.to_string(), name);
        }
        names
    }

    /// A text for each component, no two alike.
    fn texts(&self, mentioned: OrderedSet<StateVar>, here: Home) -> OrderedMap<StateVar, String> {
        let mut alike: OrderedMap<String, Vec<StateVar>> = OrderedMap::default();
        for component in mentioned {
            alike.entry(self.qualified(component, here)).or_default().push(component);
        }
        let mut texts = OrderedMap::default();
        for (text, components) in alike {
            if let [component] = components[..] {
                texts.insert(component, text);
                continue;
            }
            let mut used: Vec<String> = Vec::new();
            for component in components {
                let line = match component {
                    StateVar::Var(var) => self.program.vars[var].span.line,
                    StateVar::Region(_) => 0,
                };
                let by_line = format!("{text}@{line}");
                let mut numbered = (2..).map(|number| format!("{by_line}#{number}"));
                let text = match used.contains(&by_line) {
                    true => numbered.find(|text| !used.contains(text)).unwrap_or_default(),
                    false => by_line,
                };
                used.push(text.clone());
                texts.insert(component, text);
            }
        }
        texts
    }

    /// What it is called here.
    fn qualified(&self, component: StateVar, here: Home) -> String {
        let StateVar::Var(var) = component else { return self.plain(component).to_string() };
        let name = self.plain(component);
        match self.home(var) {
            _ if name.starts_with('.') => name.to_string(),
            None if self.locals.contains_key(&(here.proc, name.clone())) => format!("::{name}"),
            None => name.to_string(),
            Some(home) if home == here => name.to_string(),
            Some(home) => format!("{}::{name}", self.original.procs[home.proc].name),
        }
    }

    fn plain(&self, component: StateVar) -> &Arc<str> {
        match component {
            StateVar::Var(var) => &self.program.vars[var].name,
            StateVar::Region(region) => &self.program.regions[region].name,
        }
    }

    /// The function that a local belongs to.
    fn home(&self, var: VarId) -> Option<Home> {
        let original = self.program.vars[var].origin.unwrap_or(var);
        let Scope::Local(proc) = self.original.vars.get(original)?.scope else { return None };
        Some(Home { proc, context: self.inlined.and_then(|inlined| inlined.locals.get(&var).copied()) })
    }

    /// A local that is no parameter has no value before its function is entered but the arbitrary one it starts with.
    fn is_local(&self, component: StateVar) -> bool {
        let StateVar::Var(var) = component else { return false };
        match self.program.vars[var].scope {
            Scope::Local(proc) => !self.program.procs[proc].params.contains(&var),
            Scope::Global { .. } => false,
        }
    }

    fn name(&self, component: StateVar, text: &str, here: Home) -> Name {
        let plain = self.plain(component);
        let var = match component {
            StateVar::Var(var) => var,
            StateVar::Region(region) => {
                let cell = Some(self.program.regions[region].cell);
                return Name { cell, ..Name::of(CExpr::Other(text.to_string())) };
            }
        };
        let ty = self.program.vars[var].ty;
        // Temporaries of the translation have a dot in front; other functions' variables have no name in C.
        let is_c = !plain.starts_with('.') && **plain == *text;
        let others = self.locals.get(&(here.proc, plain.clone())).is_some_and(|&count| count > 1);
        Name {
            expr: if is_c { CExpr::Variable(text.to_string()) } else { CExpr::Other(text.to_string()) },
            range: type_range(self.program, ty),
            c_type: self.program.c_type(var),
            cell: ty.is_float().then_some(Cell::Scalar(ty)),
            is_pointer: ty == Type::Pointer,
            is_bookkeeping: self.program.next_address == Some(var) || is_bookkeeping(plain),
            declared: others.then(|| report_location(self.program, self.program.vars[var].span)),
        }
    }
}

fn is_bookkeeping(name: &str) -> bool {
    // A temporary that has only a number: nothing in the source is called like it.
    let is_numbered =
        name.strip_prefix('.').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    is_numbered || [".tracked", ".live", "outside.", "kept."].iter().any(|prefix| name.starts_with(prefix))
}

/// The values of a type, as formulas have them.
pub(super) fn type_range(program: &Program, ty: Type) -> Option<(i128, i128)> {
    match ty {
        Type::Int(ty) if program.arithmetic != Arithmetic::Ideal => {
            i128::try_from(ty.max()).ok().map(|max| (ty.min(), max))
        }
        Type::Pointer => Some((0, (1 << program.data_model.pointer_bits()) - 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;
    use crate::task::Loaded;
    use craig_program::inline;

    #[test]
    fn variables_of_other_functions_are_called_so() {
        let text = "int k; void reach_error(void); int nondet(void);
            static int up(int n) { int k = 0; while (k < n) k++; return k; }
            int main(void) { int n = nondet(); { int n = k; k = n; } if (up(n) < n) reach_error(); return n; }";
        let program = Loaded::new(&Source::text(text)).expect("a program").program;
        let inlined = inline(&program, 1000).expect("no recursion");
        let vocabulary = Vocabulary::of_copies(&program, &inlined);
        let mut terms = Terms::new();
        let wanted = |name: &str| ["n", "k"].contains(&name);
        let state = inlined.program.vars.indices().filter(|var| {
            let var = &inlined.program.vars[*var];
            wanted(&var.name) && (var.origin.is_some() || matches!(var.scope, Scope::Global { .. }))
        });
        let constants: Vec<TermId> = state
            .map(|var| inlined.program.state_name(StateVar::Var(var)))
            .map(|name| terms.declare_const(&name, Terms::INT).expect("a new name"))
            .collect();
        let zero = terms.int(0);
        let parts: Vec<TermId> = constants.into_iter().map(|constant| terms.le(zero, constant)).collect();
        let formula = terms.and(&parts);
        let seen_from = |function: &str| {
            let is_there =
                |context: ContextId| *program.procs[inlined.contexts[context].proc].name == *function;
            let (location, _) =
                inlined.locations.enumerated().find(|(_, (context, _))| is_there(*context)).expect("a place");
            let names =
                vocabulary.names(&terms, formula, vocabulary.at(&inlined, location), |name, _| name.into());
            let mut texts: Vec<String> = names.values().map(|name| name.expr.to_string()).collect();
            texts.sort();
            texts.join(" ")
        };
        assert_eq!(seen_from("up"), "::k k main::n@3 main::n@3#2 n");
        assert_eq!(seen_from("main"), "k n@3 n@3#2 up::k up::n");
    }
}
