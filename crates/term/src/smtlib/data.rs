//! Declarations of data types, in the syntax of SMT-LIB 2.6 and in the one that Z3 had before, and `match`.

use super::command::{Reader, symbol};
use super::scope::Meaning;
use super::sort::read_sort;
use super::{Command, Result, Sexpr};
use crate::{Constructor, FunId, Role, SortId, TermId, Terms};

const PARAMETERS: &str = "data types with parameters are not supported";

/// A type and the list of its constructors.
type Declared<'t> = (Sexpr<'t>, Vec<Sexpr<'t>>);

impl Reader {
    /// `(declare-datatype S (constructors))`.
    pub(super) fn declare_data(
        &mut self,
        terms: &mut Terms,
        sort: Sexpr<'_>,
        body: Sexpr<'_>,
    ) -> Result<Command> {
        self.declare_types(terms, vec![(sort, constructors(body)?)])
    }

    /// `(declare-datatypes ((S 0) ...) ((constructors) ...))`, or `(declare-datatypes () ((S constructors ...) ...))`.
    pub(super) fn declare_data_list(
        &mut self,
        terms: &mut Terms,
        sorts: Sexpr<'_>,
        bodies: Sexpr<'_>,
    ) -> Result<Command> {
        let mut types = Vec::new();
        if sorts.children().next().is_none() {
            for body in bodies.children() {
                let mut parts = body.children();
                let name = parts.next().ok_or_else(|| body.error("expected `(sort constructor ...)`"))?;
                types.push((name, parts.collect()));
            }
        } else {
            let (sorts, bodies): (Vec<_>, Vec<_>) = (sorts.children().collect(), bodies.children().collect());
            if sorts.len() != bodies.len() {
                let message = format!("{} sorts have {} lists of constructors", sorts.len(), bodies.len());
                return Err(self::error(&bodies, &sorts, message));
            }
            for (sort, body) in sorts.into_iter().zip(bodies) {
                let parts: Vec<Sexpr<'_>> = sort.children().collect();
                let [name, arity] = parts[..] else {
                    // Parameters of all types together: the syntax before 2.6.
                    return Err(sort.error(if sort.is_list() {
                        "expected `(sort arity)`"
                    } else {
                        PARAMETERS
                    }));
                };
                if arity.text() != "0" {
                    return Err(sort.error(PARAMETERS));
                }
                types.push((name, constructors(body)?));
            }
        }
        if types.is_empty() {
            return Err(bodies.error("expected data types"));
        }
        self.declare_types(terms, types)
    }

    fn declare_types(&mut self, terms: &mut Terms, types: Vec<Declared<'_>>) -> Result<Command> {
        let before = self.clone();
        self.try_declare(terms, types).inspect_err(|_| *self = before)
    }

    fn try_declare(&mut self, terms: &mut Terms, types: Vec<Declared<'_>>) -> Result<Command> {
        let mut sorts = Vec::new();
        for (sort, _) in &types {
            let name = symbol(*sort)?;
            let id = terms.uninterpreted_sort(name);
            if self.has_sort(name) || terms.is_data(id) {
                return Err(sort.error(format!("the sort `{name}` is already declared")));
            }
            self.bind_sort(name, id);
            sorts.push(id);
        }
        let mut defined = Vec::new();
        for (&sort, (_, constructors)) in sorts.iter().zip(&types) {
            let mut made = Vec::new();
            for &constructor in constructors {
                made.push(self.constructor(terms, sort, constructor)?);
            }
            defined.push((sort, made));
        }
        match terms.define_data(defined) {
            Ok(()) => Ok(Command::DeclareSort),
            Err(empty) => {
                let (name, _) = types[sorts.iter().position(|&sort| sort == empty).unwrap_or(0)];
                Err(name.error(format!("`{}` has no finite elements", name.text())))
            }
        }
    }

    /// `name` or `(name (selector sort) ...)`.
    fn constructor(&mut self, terms: &mut Terms, sort: SortId, sexpr: Sexpr<'_>) -> Result<Constructor> {
        let mut parts = sexpr.children();
        let head = if sexpr.is_list() { parts.next() } else { Some(sexpr) };
        let head = head.ok_or_else(|| sexpr.error("expected a constructor"))?;
        let (mut names, mut parameters) = (Vec::new(), Vec::new());
        for field in parts {
            let field_parts: Vec<Sexpr<'_>> = field.children().collect();
            let [selector, result] = field_parts[..] else {
                return Err(field.error("expected `(selector sort)`"));
            };
            names.push(selector);
            parameters.push(read_sort(terms, self.scope(), result)?);
        }
        let made = self.new_function(terms, head, symbol(head)?, &parameters, sort)?;
        let mut selectors = Vec::new();
        for (&name, &result) in names.iter().zip(&parameters) {
            selectors.push(self.new_function(terms, name, symbol(name)?, &[sort], result)?);
        }
        // Not in scope: SMT-LIB writes `(_ is c)`, and others may declare an `is-c` of their own.
        let tester = self.owned_symbol(terms, &format!("is-{}", symbol(head)?), &[sort], Terms::BOOL);
        let tester = tester.map_err(|error| head.error(error.to_string()))?;
        Ok(Constructor { symbol: made, selectors, tester })
    }
}

fn error(bodies: &[Sexpr<'_>], sorts: &[Sexpr<'_>], message: String) -> super::Error {
    // Z3's old syntax names parameters where the new one has sorts.
    let parameters = sorts.iter().all(|sort| !sort.is_list());
    let place = bodies.first().or(sorts.first()).expect("there are sorts");
    place.error(if parameters { PARAMETERS.to_string() } else { message })
}

fn constructors(body: Sexpr<'_>) -> Result<Vec<Sexpr<'_>>> {
    let all: Vec<Sexpr<'_>> = body.children().collect();
    match all.first() {
        None => Err(body.error("a data type needs constructors")),
        Some(head) if head.symbol() == Some("par") => Err(body.error(PARAMETERS)),
        Some(_) => Ok(all),
    }
}

/// The tester of a constructor, applied.
pub(super) fn test(terms: &mut Terms, constructor: FunId, arg: TermId) -> Option<TermId> {
    let sort = terms.sort(arg);
    let tester = terms.constructors(sort).iter().find(|made| made.symbol == constructor)?.tester;
    Some(terms.app(tester, &[arg]))
}

/// A case of a `match`: when it applies, and what its variables stand for. `find` gives meaning to the symbol of a
/// constructor.
pub(super) fn pattern<'t>(
    terms: &mut Terms,
    scrutinee: TermId,
    pattern: Sexpr<'t>,
    find: impl Fn(&str) -> Option<Meaning>,
) -> Result<(TermId, Vec<(&'t str, TermId)>)> {
    let parts: Vec<Sexpr<'t>> = if pattern.is_list() { pattern.children().collect() } else { vec![pattern] };
    let (&head, variables) = parts.split_first().ok_or_else(|| pattern.error("expected a pattern"))?;
    let name = symbol(head)?;
    let constructor = match find(name) {
        Some(Meaning::Declared(symbol)) if terms.role(symbol) == Some(Role::Constructor) => Some(symbol),
        _ => None,
    };
    let Some(constructor) = constructor else {
        // A variable is a pattern for everything.
        return match variables {
            [] if !pattern.is_list() => Ok((Terms::TRUE, vec![(name, scrutinee)])),
            _ => Err(head.error(format!("`{name}` is no constructor"))),
        };
    };
    let sort = terms.sort(scrutinee);
    let Some(made) = terms.constructors(sort).iter().find(|made| made.symbol == constructor).cloned() else {
        return Err(head.error(format!("`{name}` makes no {}", terms.sort_name(sort))));
    };
    if made.selectors.len() != variables.len() {
        let message = format!("`{name}` takes {} arguments, not {}", made.selectors.len(), variables.len());
        return Err(pattern.error(message));
    }
    let applies = terms.app(made.tester, &[scrutinee]);
    let mut bound = Vec::new();
    for (&variable, &selector) in variables.iter().zip(&made.selectors) {
        bound.push((symbol(variable)?, terms.app(selector, &[scrutinee])));
    }
    Ok((applies, bound))
}
