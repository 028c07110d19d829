//! Clauses in the form in which engines search: every clause has a head, which is its predicate on
//! its own parameters, and the arguments of body atoms are distinct constants.
//!
//! A clause without a head concludes the *goal*, a predicate without arguments that is added to
//! those of the system. So `p(x) and x > 0 imply p(x + 1)` becomes a rule for `p` with parameter `y`:
//! body `p(x)`, transition `x > 0 and y = x + 1`.

use craig_base::{IndexVec, Set, index_type};
use craig_chc::{ClauseId, Predicate, PredicateId, System};
use craig_term::{Op, Substitution, TermId, Terms};

index_type!(
    /// A rule of one [`Rules`]; it has the number of its clause.
    pub RuleId,
    "r"
);

#[derive(Clone, Debug)]
pub struct BodyAtom {
    pub predicate: PredicateId,
    /// Distinct constants.
    pub args: Vec<TermId>,
}

impl BodyAtom {
    /// A formula over the predicate's parameters, said about this atom.
    pub fn instantiate(&self, terms: &mut Terms, rules: &Rules, formula: TermId) -> TermId {
        rules.predicates[self.predicate].instantiate(terms, formula, &self.args)
    }

    /// A formula over the atom's arguments, said about the predicate's parameters.
    pub fn generalise(&self, terms: &mut Terms, rules: &Rules, formula: TermId) -> TermId {
        let parameters = rules.predicates[self.predicate].parameters.iter().copied();
        Substitution::from_pairs(self.args.iter().copied().zip(parameters)).apply(terms, formula)
    }
}

#[derive(Clone, Debug)]
pub struct Rule {
    pub head: PredicateId,
    pub body: Vec<BodyAtom>,
    /// Over the parameters of the head, the arguments of the body and local constants.
    pub transition: TermId,
}

/// The rules of a system.
#[derive(Clone, Debug)]
pub struct Rules {
    /// Those of the system, and the goal at the end.
    pub predicates: IndexVec<PredicateId, Predicate>,
    pub rules: IndexVec<RuleId, Rule>,
    pub goal: PredicateId,
    /// The rules that conclude a predicate.
    pub by_head: IndexVec<PredicateId, Vec<RuleId>>,
    /// The rules that have a predicate in their body.
    pub by_body: IndexVec<PredicateId, Vec<RuleId>>,
}

impl Rules {
    pub fn new(terms: &mut Terms, system: &System) -> Self {
        let mut predicates = system.predicates.clone();
        let goal = predicates.push(Predicate::new(terms, "false", &[]));
        let mut by_head = IndexVec::from_elem(Vec::new(), predicates.len());
        let mut by_body = by_head.clone();
        let mut rules = IndexVec::new();
        for clause in system.clauses.indices() {
            let rule = rule(terms, &predicates, system, clause, goal);
            let id = rules.next_index();
            by_head[rule.head].push(id);
            for atom in &rule.body {
                if !by_body[atom.predicate].contains(&id) {
                    by_body[atom.predicate].push(id);
                }
            }
            rules.push(rule);
        }
        Rules { predicates, rules, goal, by_head, by_body }
    }

    /// The clause of a rule.
    pub fn clause(&self, rule: RuleId) -> ClauseId {
        ClauseId(rule.0)
    }
}

fn rule(
    terms: &mut Terms,
    predicates: &IndexVec<PredicateId, Predicate>,
    system: &System,
    clause: ClauseId,
    goal: PredicateId,
) -> Rule {
    let mut clause = system.clauses[clause].clone();
    let mut transition = Vec::new();
    let mut head = goal;
    if let Some(application) = clause.head.take() {
        head = application.predicate;
        let parameters = &predicates[head].parameters;
        // A variable at the head is renamed to the parameter; anything else is equated with it.
        let mut renamed: Vec<(TermId, TermId)> = Vec::new();
        let mut equated = Vec::new();
        for (&arg, &parameter) in application.args.iter().zip(parameters) {
            if matches!(terms.op(arg), Op::Const(_)) && renamed.iter().all(|&(x, _)| x != arg) {
                renamed.push((arg, parameter));
            } else {
                equated.push((arg, parameter));
            }
        }
        let mut substitution = Substitution::from_pairs(renamed);
        clause = clause.substitute(terms, &mut substitution);
        for (arg, parameter) in equated {
            let arg = substitution.apply(terms, arg);
            transition.push(terms.eq(parameter, arg));
        }
    }
    transition.push(clause.constraint);
    let mut body = Vec::new();
    for application in clause.body {
        let mut used: Set<TermId> = Set::default();
        let mut args = Vec::with_capacity(application.args.len());
        for arg in application.args {
            if matches!(terms.op(arg), Op::Const(_)) && used.insert(arg) {
                args.push(arg);
            } else {
                let fresh = terms.fresh_const("a", terms.sort(arg));
                transition.push(terms.eq(fresh, arg));
                args.push(fresh);
            }
        }
        body.push(BodyAtom { predicate: application.predicate, args });
    }
    Rule { head, body, transition: terms.and(&transition) }
}
