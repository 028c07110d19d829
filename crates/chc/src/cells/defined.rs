//! Predicates that are names for a formula over another predicate.
//!
//! Each clause is instantiated by itself, so a step that is cut into several clauses has atoms at places of which only
//! one of the clauses knows why. What one clause alone derives can be put in place of the predicate first, if all
//! variables of this clause can be read off the arguments: then the predicate has a definition without quantifiers of its
//! own, and a model goes back by it, whatever formulas it consists of. (Other predicates are eliminated when there are no
//! arrays any more.)

use crate::simplify::simplify_clause;
use crate::system::{Application, Clause, ClauseId, Interpretation, PredicateId, System};
use craig_base::{IndexVec, OrderedMap, Set};
use craig_term::{Op, Rat, Substitution, TermId, Terms};

/// A larger definition is not copied.
const LARGEST_COPY: usize = 300;

/// What a predicate stands for, over its parameters.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub predicate: PredicateId,
    body: Vec<Application>,
    constraint: TermId,
    /// Variables of the body that do not matter, with values to show.
    idle: Vec<(TermId, TermId)>,
}

/// The system without the predicates that have a definition. `relevant` are the arguments that matter.
pub(super) fn unfold(
    terms: &mut Terms,
    mut system: System,
    relevant: &IndexVec<PredicateId, Vec<bool>>,
) -> (System, Vec<Definition>) {
    let mut definitions: Vec<Definition> = Vec::new();
    // What stands in a definition with anything for some of its arguments must not get a formula that depends on them.
    let mut kept: Set<PredicateId> = Set::default();
    while let Some(definition) = next(terms, &system, relevant, &kept) {
        if !definition.idle.is_empty() {
            kept.extend(definition.body.iter().map(|atom| atom.predicate));
        }
        let predicate = definition.predicate;
        let mut clauses: IndexVec<ClauseId, Clause> = IndexVec::new();
        for clause in &system.clauses {
            if clause.head.as_ref().is_some_and(|head| head.predicate == predicate) {
                continue;
            }
            let uses = clause.body.iter().any(|atom| atom.predicate == predicate);
            let unfolded =
                if uses { definition.put_in(terms, &system, clause) } else { Some(clause.clone()) };
            if let Some(clause) = unfolded {
                clauses.push(clause);
            }
        }
        system.clauses = clauses;
        definitions.push(definition);
    }
    (system, definitions)
}

/// A definition over what has none.
fn next(
    terms: &mut Terms,
    system: &System,
    relevant: &IndexVec<PredicateId, Vec<bool>>,
    kept: &Set<PredicateId>,
) -> Option<Definition> {
    let mut found: Vec<Definition> = Vec::new();
    for predicate in system.predicates.indices() {
        if !kept.contains(&predicate) {
            found.extend(definition(terms, system, relevant, predicate));
        }
    }
    let defined: Set<PredicateId> = found.iter().map(|definition| definition.predicate).collect();
    let is_first =
        |definition: &Definition| definition.body.iter().all(|atom| !defined.contains(&atom.predicate));
    found.into_iter().find(is_first)
}

/// What the only clause that derives the predicate says of its arguments.
fn definition(
    terms: &mut Terms,
    system: &System,
    relevant: &IndexVec<PredicateId, Vec<bool>>,
    predicate: PredicateId,
) -> Option<Definition> {
    let of = |atom: &Application| atom.predicate == predicate;
    let mut deriving = system.clauses.iter().filter(|clause| clause.head.as_ref().is_some_and(of));
    let (clause, None) = (deriving.next()?, deriving.next()) else { return None };
    let uses = system.clauses.iter().flat_map(|clause| &clause.body).filter(|atom| of(atom)).count();
    let large = clause.body.len() > 1 || terms.postorder(&clause.roots()).len() > LARGEST_COPY;
    if clause.body.is_empty() || clause.body.iter().any(of) || (uses > 1 && large) {
        return None;
    }
    let head = clause.head.as_ref()?;
    let parameters = &system.predicates[predicate].parameters;
    let values = read_off(terms, &head.args, parameters);
    let mut needed = vec![clause.constraint];
    for atom in &clause.body {
        let matters = atom.args.iter().zip(&relevant[atom.predicate]).filter(|(_, matters)| **matters);
        needed.extend(matters.map(|(&arg, _)| arg));
    }
    let mut equal = vec![clause.constraint];
    for ((&arg, &parameter), &matters) in head.args.iter().zip(parameters).zip(&relevant[predicate]) {
        if matters {
            needed.push(arg);
            equal.push(terms.eq(parameter, arg));
        }
    }
    if terms.free_consts_of(&needed).iter().any(|x| !values.contains_key(x)) {
        return None;
    }
    let mut idle = Vec::new();
    for x in clause.variables(terms) {
        if !values.contains_key(&x) {
            let sort = terms.sort(x);
            let default = terms.default_value(sort);
            let any = terms.value_term(&default, sort);
            let any = any.or_else(|| parameters.iter().copied().find(|&other| terms.sort(other) == sort))?;
            idle.push((x, any));
        }
    }
    let constraint = terms.and(&equal);
    let clause = Clause { body: clause.body.clone(), constraint, head: None };
    let Clause { body, constraint, .. } = clause.substitute(terms, &mut Substitution::from_pairs(values));
    Some(Definition { predicate, body, constraint, idle })
}

/// The variables of a head in terms of the parameters: those that are arguments, or arguments but for a constant.
fn read_off(terms: &mut Terms, args: &[TermId], parameters: &[TermId]) -> OrderedMap<TermId, TermId> {
    let mut values = OrderedMap::default();
    for (&arg, &parameter) in args.iter().zip(parameters) {
        if matches!(terms.op(arg), Op::Const(_)) {
            values.entry(arg).or_insert(parameter);
        }
    }
    for (&arg, &parameter) in args.iter().zip(parameters) {
        if terms.sort(arg) != Terms::INT || terms.number(arg).is_some() {
            continue;
        }
        let sum = terms.linear(arg);
        if let [(x, factor)] = &sum.terms[..]
            && *factor == Rat::from(1)
            && matches!(terms.op(*x), Op::Const(_))
            && !values.contains_key(x)
        {
            let rest = terms.sub(arg, *x);
            let value = terms.sub(parameter, rest);
            values.insert(*x, value);
        }
    }
    values
}

impl Definition {
    /// The clause with the definition in place of the predicate, or `None` if it always holds then.
    fn put_in(&self, terms: &mut Terms, system: &System, clause: &Clause) -> Option<Clause> {
        let parameters = &system.predicates[self.predicate].parameters;
        let mut body = Vec::new();
        let mut constraint = vec![clause.constraint];
        for atom in &clause.body {
            if atom.predicate != self.predicate {
                body.push(atom.clone());
                continue;
            }
            let mut pairs: Vec<(TermId, TermId)> =
                parameters.iter().copied().zip(atom.args.iter().copied()).collect();
            pairs.extend(self.idle.iter().map(|&(x, _)| (x, terms.fresh_const("y", terms.sort(x)))));
            let mut substitution = Substitution::from_pairs(pairs);
            constraint.push(substitution.apply(terms, self.constraint));
            body.extend(self.body.iter().map(|atom| Application {
                predicate: atom.predicate,
                args: atom.args.iter().map(|&arg| substitution.apply(terms, arg)).collect(),
            }));
        }
        let constraint = terms.and(&constraint);
        simplify_clause(terms, Clause { body, constraint, head: clause.head.clone() })
    }

    /// What the predicate stands for in a model.
    pub(super) fn formula(&self, terms: &mut Terms, original: &System, model: &Interpretation) -> TermId {
        let mut parts = vec![self.constraint];
        for atom in &self.body {
            parts.push(model.apply(terms, original, atom));
        }
        let formula = terms.and(&parts);
        Substitution::from_pairs(self.idle.iter().copied()).apply(terms, formula)
    }
}
