//! What a clause consists of.

use super::{Sort, sort};
use craig_term::smtlib::{Position, Result, Sexpr, Tree};

/// The body implies the head, for all values of the variables.
pub(super) struct Parts {
    pub position: Position,
    pub variables: Vec<(String, Sort)>,
    /// Bindings of `let`s, from the outermost on.
    lets: Vec<String>,
    /// Each part with how many `let`s are around it, and whether it is negated.
    body: Vec<(String, usize, bool)>,
    /// The predicate and its arguments.
    head: Option<(String, String, Vec<String>)>,
}

impl Parts {
    fn within_lets(&self, text: &str, lets: usize) -> String {
        let open: String = self.lets[..lets].iter().map(|bindings| format!("(let {bindings} ")).collect();
        format!("{open}{text}{}", ")".repeat(lets))
    }

    /// The parts of the body, and whether each is negated.
    pub fn body(&self) -> impl Iterator<Item = (String, bool)> + '_ {
        self.body.iter().map(|(text, lets, negated)| (self.within_lets(text, *lets), *negated))
    }

    pub fn head(&self) -> Option<String> {
        self.head.as_ref().map(|(_, text, _)| self.within_lets(text, self.lets.len()))
    }

    /// The predicate of the head, and what says that its arguments have certain values.
    pub fn head_with_values(&self) -> Option<(String, impl Fn(&[String]) -> String + '_)> {
        let (name, _, args) = self.head.as_ref()?;
        let equal = |values: &[String]| {
            let same = args.iter().zip(values).map(|(arg, value)| format!("(= {arg} {value})"));
            let all = format!("(and true {})", same.collect::<Vec<_>>().join(" "));
            self.within_lets(&all, self.lets.len())
        };
        Some((name.clone(), equal))
    }
}

/// Takes `(assert ...)` apart: quantifiers and `let`s around implications, disjunctions and negations.
pub(super) fn parts(tree: &Tree, predicates: &[(String, Vec<Sort>)]) -> Result<Parts> {
    let root = tree.root();
    let Some(mut term) = root.children().nth(1) else { return Err(root.error("expected a clause")) };
    let position = root.error(String::new()).position;
    let mut parts = Parts { position, variables: Vec::new(), lets: Vec::new(), body: Vec::new(), head: None };
    let is_atom = |term: Sexpr<'_>| {
        let name = if term.is_list() { term.children().next() } else { Some(term) };
        let name = name.and_then(|name| name.symbol())?;
        predicates.iter().find(|(other, _)| other == name).map(|(name, _)| name.clone())
    };
    // Below a negation: what is left is a part of the body.
    let mut negated = false;
    loop {
        let children: Vec<Sexpr<'_>> = term.children().collect();
        let operator = children.first().and_then(|operator| operator.symbol());
        match (operator, &children[1.min(children.len())..]) {
            (Some("forall"), [variables, inner]) if !negated => {
                bind(&mut parts, *variables)?;
                term = *inner;
            }
            (Some("exists"), [variables, inner]) if negated => {
                bind(&mut parts, *variables)?;
                term = *inner;
            }
            (Some("let"), [bindings, inner]) => {
                parts.lets.push(bindings.text().to_string());
                term = *inner;
            }
            (Some("!"), [inner, ..]) => term = *inner,
            (Some("not"), [inner]) => {
                negated = !negated;
                term = *inner;
            }
            (Some("=>"), [premises @ .., conclusion]) if !negated => {
                let lets = parts.lets.len();
                parts.body.extend(premises.iter().map(|part| (part.text().to_string(), lets, false)));
                term = *conclusion;
            }
            (Some("or"), all) if !negated => {
                let lets = parts.lets.len();
                let at = all.iter().position(|&part| is_atom(part).is_some());
                let others = all.iter().enumerate().filter(|(i, _)| Some(*i) != at);
                parts.body.extend(others.map(|(_, part)| (part.text().to_string(), lets, true)));
                match at {
                    Some(at) => term = all[at],
                    None => return Ok(parts),
                }
            }
            _ => {
                let lets = parts.lets.len();
                match is_atom(term) {
                    Some(name) if !negated => {
                        let args = children.iter().skip(1).map(|arg| arg.text().to_string()).collect();
                        parts.head = Some((name, term.text().to_string(), args));
                    }
                    _ => parts.body.push((term.text().to_string(), lets, !negated)),
                }
                return Ok(parts);
            }
        }
    }
}

fn bind(parts: &mut Parts, variables: Sexpr<'_>) -> Result<()> {
    for variable in variables.children() {
        let [name, own] = variable.children().collect::<Vec<_>>()[..] else {
            return Err(variable.error("expected a name and a sort"));
        };
        let Some(name) = name.symbol() else { return Err(name.error("expected a name")) };
        // What is bound outside would be taken for this one.
        if !parts.lets.is_empty() || parts.variables.iter().any(|(other, _)| other == name) {
            return Err(variable.error("a variable that hides another is not known here"));
        }
        parts.variables.push((name.to_string(), sort(own)?));
    }
    Ok(())
}
