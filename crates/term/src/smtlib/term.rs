//! Terms from s-expressions, with a work list in place of recursion.

use super::data;
use super::operators::{self, coerce};
use super::scope::{Meaning, Scope};
use super::sort::read_sort;
use super::{Kind, Result, Sexpr};
use crate::{Int, Rat, SortId, Substitution, TermId, Terms};
use craig_base::Map;

/// A term and the names that `(! ... :named)` gave to parts of it.
pub(super) struct Reading {
    pub term: TermId,
    pub named: Vec<(String, TermId)>,
}

/// The names and sorts of `((x S) ...)`.
pub(super) fn read_sorted_vars<'t>(
    terms: &mut Terms,
    scope: &Scope,
    list: Sexpr<'t>,
) -> Result<Vec<(&'t str, SortId)>> {
    if !list.is_list() {
        return Err(list.error("expected a list of variables with their sorts"));
    }
    let mut variables = Vec::new();
    for entry in list.children() {
        let parts: Vec<Sexpr<'t>> = entry.children().collect();
        let [name, sort] = parts[..] else { return Err(entry.error("expected `(variable sort)`")) };
        let name = name.symbol().ok_or_else(|| name.error("expected the name of a variable"))?;
        variables.push((name, read_sort(terms, scope, sort)?));
    }
    Ok(variables)
}

/// Reads `sexpr`, in which `parameters` are bound. A wanted sort is checked, after conversion.
pub(super) fn read_term<'t>(
    terms: &mut Terms,
    scope: &Scope,
    sexpr: Sexpr<'t>,
    parameters: &[(&'t str, TermId)],
    wanted: Option<SortId>,
) -> Result<Reading> {
    let mut locals: Map<&'t str, Vec<TermId>> = Map::default();
    for &(name, term) in parameters {
        locals.entry(name).or_default().push(term);
    }
    let mut reader = TermReader {
        terms,
        scope,
        locals,
        work: vec![Work::Visit(sexpr)],
        values: Vec::new(),
        args: Vec::new(),
        named: Vec::new(),
    };
    reader.run()?;
    let TermReader { values, named, .. } = reader;
    let term = values[0];
    let Some(sort) = wanted else { return Ok(Reading { term, named }) };
    match coerce(terms, term, sort) {
        Some(term) => Ok(Reading { term, named }),
        None => Err(sexpr.error(format!(
            "expected a term of sort {}, not of sort {}",
            terms.sort_name(sort),
            terms.sort_name(terms.sort(term))
        ))),
    }
}

enum Work<'t> {
    Visit(Sexpr<'t>),
    /// The arguments of `head` are the last `count` values.
    Apply {
        head: Sexpr<'t>,
        count: usize,
    },
    /// The values for the variables of a `let` are the last ones.
    Bind {
        bindings: Sexpr<'t>,
        body: Sexpr<'t>,
    },
    Unbind(Sexpr<'t>),
    Quantify {
        variables: Sexpr<'t>,
        bound: Vec<TermId>,
        universal: bool,
    },
    Annotate(Sexpr<'t>),
    /// The value to look at is the last one.
    Match(Sexpr<'t>),
    Enter(Vec<(&'t str, TermId)>),
    Leave(Vec<(&'t str, TermId)>),
    /// The values for each case of a `match` are the last ones; a case counts if no earlier one applies.
    Cases {
        list: Sexpr<'t>,
        conditions: Vec<TermId>,
    },
}

struct TermReader<'a, 't> {
    terms: &'a mut Terms,
    scope: &'a Scope,
    locals: Map<&'t str, Vec<TermId>>,
    work: Vec<Work<'t>>,
    values: Vec<TermId>,
    /// Scratch for the arguments of an application.
    args: Vec<TermId>,
    named: Vec<(String, TermId)>,
}

impl<'t> TermReader<'_, 't> {
    fn run(&mut self) -> Result<()> {
        while let Some(work) = self.work.pop() {
            match work {
                Work::Visit(sexpr) => self.visit(sexpr)?,
                Work::Apply { head, count } => {
                    let mut args = std::mem::take(&mut self.args);
                    args.clear();
                    args.extend(self.values.drain(self.values.len() - count..));
                    let value = self.apply(head, &args)?;
                    self.values.push(value);
                    self.args = args;
                }
                Work::Bind { bindings, body } => {
                    let count = bindings.children().count();
                    let values = self.values.split_off(self.values.len() - count);
                    for (binding, value) in bindings.children().zip(values) {
                        self.locals.entry(binder_name(binding)?).or_default().push(value);
                    }
                    self.work.extend([Work::Unbind(bindings), Work::Visit(body)]);
                }
                Work::Unbind(bindings) => self.unbind(bindings)?,
                Work::Quantify { variables, bound, universal } => {
                    self.unbind(variables)?;
                    let body = self.values.pop().expect("the body was read");
                    if !self.terms.is_bool(body) {
                        return Err(variables.error("the body of a quantifier is not Boolean"));
                    }
                    let quantified = if universal {
                        self.terms.forall(&bound, body)
                    } else {
                        self.terms.exists(&bound, body)
                    };
                    self.values.push(quantified);
                }
                Work::Annotate(list) => self.annotate(list)?,
                Work::Match(cases) => self.begin_match(cases)?,
                Work::Enter(bound) => {
                    for (name, value) in bound {
                        self.locals.entry(name).or_default().push(value);
                    }
                }
                Work::Leave(bound) => {
                    for (name, _) in bound {
                        self.locals.get_mut(name).and_then(Vec::pop);
                    }
                }
                Work::Cases { list, conditions } => {
                    let values = self.values.split_off(self.values.len() - conditions.len());
                    let mut cases = conditions.into_iter().zip(values).rev();
                    // The last case has to apply where all others do not.
                    let (_, mut value) = cases.next().ok_or_else(|| list.error("`match` needs cases"))?;
                    for (condition, result) in cases {
                        value = operators::operator(self.terms, "ite", &[condition, result, value])
                            .map_err(|message| list.error(message))?;
                    }
                    self.values.push(value);
                }
            }
        }
        Ok(())
    }

    fn unbind(&mut self, bindings: Sexpr<'t>) -> Result<()> {
        for binding in bindings.children() {
            if let Some(stack) = self.locals.get_mut(binder_name(binding)?) {
                stack.pop();
            }
        }
        Ok(())
    }

    fn visit(&mut self, sexpr: Sexpr<'t>) -> Result<()> {
        match sexpr.kind() {
            Kind::List => return self.visit_list(sexpr),
            Kind::Symbol => {
                let value = self.apply(sexpr, &[])?;
                self.values.push(value);
            }
            Kind::Numeral | Kind::Decimal => {
                let number = self.number(sexpr.text()).ok_or_else(|| sexpr.error("not a number"))?;
                self.values.push(number);
            }
            Kind::Keyword | Kind::Binary | Kind::String => {
                return Err(sexpr.error(format!("expected a term, not `{}`", sexpr.text())));
            }
        }
        Ok(())
    }

    fn visit_list(&mut self, list: Sexpr<'t>) -> Result<()> {
        let mut children = list.children();
        let Some(head) = children.next() else { return Err(list.error("expected a term, not `()`")) };
        match head.symbol() {
            Some("let") => {
                let (Some(bindings), Some(body), None) = (children.next(), children.next(), children.next())
                else {
                    return Err(list.error("expected `(let (bindings) body)`"));
                };
                self.work.push(Work::Bind { bindings, body });
                let start = self.work.len();
                for binding in bindings.children() {
                    let Some(value) = binding.children().nth(1) else {
                        return Err(binding.error("expected `(variable term)`"));
                    };
                    self.work.push(Work::Visit(value));
                }
                self.work[start..].reverse();
            }
            Some(quantifier @ ("forall" | "exists")) => {
                let (Some(variables), Some(body), None) = (children.next(), children.next(), children.next())
                else {
                    return Err(list.error(format!("expected `({quantifier} (variables) body)`")));
                };
                let sorted = read_sorted_vars(self.terms, self.scope, variables)?;
                let mut bound = Vec::with_capacity(sorted.len());
                for (name, sort) in sorted {
                    let variable = self.terms.fresh_const(name, sort);
                    self.locals.entry(name).or_default().push(variable);
                    bound.push(variable);
                }
                self.work.push(Work::Quantify { variables, bound, universal: quantifier == "forall" });
                self.work.push(Work::Visit(body));
            }
            Some("!") => {
                let Some(term) = children.next() else {
                    return Err(list.error("expected `(! term attributes)`"));
                };
                self.work.extend([Work::Annotate(list), Work::Visit(term)]);
            }
            Some("_" | "as") => {
                let value = self.apply(list, &[])?;
                self.values.push(value);
            }
            Some("match") => {
                let (Some(value), Some(cases), None) = (children.next(), children.next(), children.next())
                else {
                    return Err(list.error("expected `(match term (cases))`"));
                };
                self.work.extend([Work::Match(cases), Work::Visit(value)]);
            }
            _ => {
                let start = self.work.len();
                self.work.extend(children.map(Work::Visit));
                let count = self.work.len() - start;
                if count == 0 {
                    return Err(list.error("an application needs arguments"));
                }
                self.work.push(Work::Apply { head, count });
                self.work[start..].reverse();
            }
        }
        Ok(())
    }

    fn begin_match(&mut self, cases: Sexpr<'t>) -> Result<()> {
        let value = self.values.pop().expect("the value was read");
        let sort = self.terms.sort(value);
        if !self.terms.is_data(sort) {
            return Err(cases.error(format!("`match` on a term of sort {}", self.terms.sort_name(sort))));
        }
        let mut conditions = Vec::new();
        let mut bodies = Vec::new();
        for case in cases.children() {
            let parts: Vec<Sexpr<'t>> = case.children().collect();
            let [pattern, body] = parts[..] else { return Err(case.error("expected `(pattern term)`")) };
            let find = |name: &str| self.scope.symbol(name).cloned();
            let (applies, bound) = data::pattern(self.terms, value, pattern, find)?;
            conditions.push(applies);
            bodies.push((bound, body));
        }
        let any = self.terms.or(&conditions);
        let all_made = self.terms.constructors(sort).iter().map(|made| made.tester).collect::<Vec<_>>();
        let tests: Vec<TermId> =
            all_made.into_iter().map(|tester| self.terms.app(tester, &[value])).collect();
        if any != Terms::TRUE && !tests.iter().all(|test| conditions.contains(test)) {
            return Err(cases.error("`match` leaves a constructor out"));
        }
        self.work.push(Work::Cases { list: cases, conditions });
        for (bound, body) in bodies.into_iter().rev() {
            self.work.extend([Work::Leave(bound.clone()), Work::Visit(body), Work::Enter(bound)]);
        }
        Ok(())
    }

    fn annotate(&mut self, list: Sexpr<'t>) -> Result<()> {
        let term = *self.values.last().expect("the annotated term was read");
        let mut attributes = list.children().skip(2);
        while let Some(attribute) = attributes.next() {
            if attribute.keyword() == Some(":named") {
                let name = attributes.next().and_then(Sexpr::symbol);
                let name = name.ok_or_else(|| attribute.error("`:named` needs a symbol"))?;
                self.named.push((name.to_string(), term));
            }
        }
        Ok(())
    }

    fn apply(&mut self, head: Sexpr<'t>, args: &[TermId]) -> Result<TermId> {
        let Some(name) = head.symbol() else { return self.apply_indexed(head, args) };
        if args.is_empty()
            && let Some(&value) = self.locals.get(name).and_then(|stack| stack.last())
        {
            return Ok(value);
        }
        match self.scope.symbol(name) {
            Some(Meaning::Declared(symbol)) => {
                operators::call(self.terms, *symbol, args).map_err(|message| head.error(message))
            }
            Some(Meaning::Defined { parameters, body }) => {
                let sorts: Vec<SortId> = parameters.iter().map(|&p| self.terms.sort(p)).collect();
                let args = operators::arguments(self.terms, name, args, &sorts)
                    .map_err(|message| head.error(message))?;
                if args.is_empty() {
                    return Ok(*body);
                }
                let mut substitution = Substitution::from_pairs(parameters.iter().copied().zip(args));
                Ok(substitution.apply(self.terms, *body))
            }
            None => match (name, args.len()) {
                ("true", 0) => Ok(Terms::TRUE),
                ("false", 0) => Ok(Terms::FALSE),
                // Not standard, but accepted by Z3 and cvc5 and found in the wild.
                (_, 0) if name.starts_with('-') && name[1..].starts_with(|c: char| c.is_ascii_digit()) => {
                    self.number(name).ok_or_else(|| head.error("not a number"))
                }
                _ => match operators::apply(self.terms, name, args) {
                    Some(outcome) => outcome.map_err(|message| head.error(message)),
                    // As Z3 wrote it before `(_ is c)`.
                    None => name
                        .strip_prefix("is-")
                        .and_then(|constructor| self.test(constructor, args))
                        .ok_or_else(|| head.error(format!("unknown symbol `{name}`"))),
                },
            },
        }
    }

    /// An integer, or a real number with a point or a stroke.
    fn number(&mut self, text: &str) -> Option<TermId> {
        let value: Rat = text.parse().ok()?;
        let is_real = text.contains(['.', '/']);
        Some(if is_real { self.terms.real(value) } else { self.terms.int(value.numer()) })
    }

    /// Whether the only argument was made by this constructor.
    fn test(&mut self, constructor: &str, args: &[TermId]) -> Option<TermId> {
        let (Some(Meaning::Declared(symbol)), &[arg]) = (self.scope.symbol(constructor), args) else {
            return None;
        };
        data::test(self.terms, *symbol, arg)
    }

    /// `(_ is c)`, `(_ divisible n)`, `(as const S)`, `(as x S)`.
    fn apply_indexed(&mut self, head: Sexpr<'t>, args: &[TermId]) -> Result<TermId> {
        let parts: Vec<Sexpr<'t>> = head.children().collect();
        let symbols: Vec<Option<&str>> = parts.iter().map(|part| part.symbol()).collect();
        match (&symbols[..], &parts[..]) {
            ([Some("_"), Some("divisible"), _], [_, _, number]) => {
                let divisor: Int =
                    number.text().parse().map_err(|_| number.error("`divisible` needs a positive number"))?;
                operators::divisible(self.terms, &divisor, args).map_err(|message| head.error(message))
            }
            ([Some("_"), Some("is"), Some(constructor)], _) => {
                self.test(constructor, args).ok_or_else(|| {
                    head.error(format!("`{constructor}` is no constructor of what it is asked about"))
                })
            }
            ([Some("as"), Some("const"), _], [_, _, sort]) => {
                let sort_id = read_sort(self.terms, self.scope, *sort)?;
                let crate::Sort::Array { element, .. } = *self.terms.sort_of(sort_id) else {
                    return Err(sort.error("`const` needs an array sort"));
                };
                let args = operators::arguments(self.terms, "const", args, &[element])
                    .map_err(|message| head.error(message))?;
                Ok(self.terms.const_array(sort_id, args[0]))
            }
            ([Some("as"), Some(_), _], [_, name, sort]) => {
                let sort_id = read_sort(self.terms, self.scope, *sort)?;
                let value = self.apply(*name, args)?;
                coerce(self.terms, value, sort_id).ok_or_else(|| {
                    let given = self.terms.sort_name(self.terms.sort(value));
                    sort.error(format!("the term has sort {given}"))
                })
            }
            _ => Err(head.error(format!("unsupported operator `{}`", head.text()))),
        }
    }
}

/// The name in `(x S)` or `(x t)`.
fn binder_name<'t>(binding: Sexpr<'t>) -> Result<&'t str> {
    binding
        .children()
        .next()
        .and_then(Sexpr::symbol)
        .ok_or_else(|| binding.error("expected the name of a variable"))
}
