//! Where the clauses of a proof come from that are called inputs: from the formulas, or from what their parts mean.
//!
//! A literal stands for a formula, so that a clause is a formula, too. It is admitted if it is one of the clauses of a
//! conjunct of the formulas; if a gate in it (`and`, `or`, `ite`, `=`) cannot have the value that makes its literal
//! false while its arguments have theirs; or if it says what a conditional term, quotient, remainder or floor is. None of this
//! uses the code that made the clauses (`native::cnf`).

use super::check::Inequality;
use crate::arith::ArithVar;
use crate::native::{Lit, NativeSolver, Relation};
use craig_base::{Map, Set};
use craig_num::Rat;
use craig_term::{LinearSum, Op, TermId, Terms};

/// Why a clause is one of the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// It is this part of a conjunction of the formulas.
    Conjunct(TermId),
    /// It says what the gate is.
    Gate(TermId),
    /// It says that a conditional number is one of its branches, the first or the second, by this literal.
    Branch(TermId, usize, Lit),
    /// It says what some other term is.
    Definition,
}

pub(super) struct Inputs<'a> {
    solver: &'a NativeSolver,
    /// Clauses of the formulas and of conditional terms that are no numbers, each in order, with the conjunct.
    clauses: Map<Vec<Lit>, Option<TermId>>,
    /// Which conjunction a conjunct is part of; none for the formulas.
    pub parents: Map<TermId, TermId>,
    /// The literals of the arguments of conjunctions and disjunctions; none where one has no literal.
    arguments: Map<TermId, Option<Set<Lit>>>,
}

impl<'a> Inputs<'a> {
    pub fn new(terms: &mut Terms, solver: &'a NativeSolver, formulas: &[TermId]) -> Self {
        let mut inputs =
            Inputs { solver, clauses: Map::default(), parents: Map::default(), arguments: Map::default() };
        inputs.add_conjuncts(terms, formulas);
        let roots: Vec<TermId> = solver
            .variables()
            .filter_map(|var| solver.own_formula(var))
            .chain(formulas.iter().copied())
            .collect();
        for t in terms.postorder(&roots) {
            if terms.op(t) == Op::Ite && !terms.is_bool(t) && !terms.is_arith(t) {
                inputs.add_conditional(terms, t);
            }
        }
        inputs
    }

    fn add_conjuncts(&mut self, terms: &mut Terms, formulas: &[TermId]) {
        let mut conjuncts = formulas.to_vec();
        let mut seen: Set<TermId> = Set::default();
        while let Some(t) = conjuncts.pop() {
            if !seen.insert(t) {
                continue;
            }
            let (inner, negated) = terms.strip_not(t);
            match (terms.op(inner), negated) {
                (Op::And, false) | (Op::Or, true) => {
                    for arg in terms.args(inner).to_vec() {
                        let conjunct = if negated { terms.not(arg) } else { arg };
                        if !seen.contains(&conjunct) && !formulas.contains(&conjunct) {
                            self.parents.entry(conjunct).or_insert(t);
                            conjuncts.push(conjunct);
                        }
                    }
                }
                _ => {
                    let clause = self.disjuncts(terms, t);
                    self.clauses.extend(clause.map(|clause| (clause, Some(t))));
                }
            }
        }
    }

    /// The literals of a disjunction, if all of it has some.
    fn disjuncts(&self, terms: &mut Terms, formula: TermId) -> Option<Vec<Lit>> {
        let mut clause = Vec::new();
        let mut disjuncts = vec![formula];
        let mut seen: Set<TermId> = Set::default();
        while let Some(t) = disjuncts.pop() {
            if !seen.insert(t) {
                continue;
            }
            let (inner, negated) = terms.strip_not(t);
            match (terms.op(inner), negated) {
                (Op::False, false) | (Op::True, true) => {}
                (Op::Or, false) => disjuncts.extend_from_slice(terms.args(inner)),
                (Op::And, true) => {
                    let args = terms.args(inner).to_vec();
                    disjuncts.extend(args.into_iter().map(|arg| terms.not(arg)));
                }
                _ => clause.push(self.literal(terms, t)?),
            }
        }
        clause.sort_unstable();
        clause.dedup();
        Some(clause)
    }

    fn add_conditional(&mut self, terms: &mut Terms, t: TermId) {
        let args = terms.args(t).to_vec();
        let Some(condition) = self.literal(terms, args[0]) else { return };
        for (guard, branch) in [(!condition, args[1]), (condition, args[2])] {
            let equality = terms.eq(t, branch);
            if let Some(equal) = self.literal(terms, equality) {
                let mut clause = vec![guard, equal];
                clause.sort_unstable();
                clause.dedup();
                self.clauses.entry(clause).or_insert(None);
            }
        }
    }

    /// The literal that stands for a formula.
    fn literal(&self, terms: &Terms, t: TermId) -> Option<Lit> {
        let (inner, negated) = terms.strip_not(t);
        let var = self.solver.literal_of(inner)?;
        if let Some(atom) = self.solver.atoms().get(var) {
            let relation = match terms.op(inner) {
                Op::Le => Relation::Le,
                Op::Lt => Relation::Lt,
                Op::Eq => Relation::Eq,
                _ => return None,
            };
            let form = self.form(atom.form);
            let said = self.inequality(terms, &terms.linear(terms.arg(inner, 0)))?;
            let bound = terms.number(terms.arg(inner, 1)).cloned().unwrap_or_default();
            // What is said has its constant on the other side.
            if atom.relation != relation || form.sum != said.sum || atom.bound != bound + said.constant {
                return None;
            }
        } else if self.solver.own_formula(var) != Some(inner) {
            return None;
        }
        Some(Lit::new(var, negated))
    }

    /// Why the clause may be an input, if it may.
    pub fn origin(&mut self, terms: &mut Terms, clause: &[Lit]) -> Option<Origin> {
        let mut sorted = clause.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        if let Some(conjunct) = self.clauses.get(&sorted) {
            return Some(conjunct.map_or(Origin::Definition, Origin::Conjunct));
        }
        if let Some(&lit) = sorted.iter().find(|&&lit| self.is_gate(terms, &sorted, lit)) {
            return self.solver.own_formula(lit.var()).map(Origin::Gate);
        }
        sorted.iter().find_map(|&lit| self.definition(terms, &sorted, lit))
    }

    /// The value of a formula if all literals of the clause are false.
    fn value(&self, terms: &Terms, clause: &[Lit], t: TermId) -> Option<bool> {
        let (inner, negated) = terms.strip_not(t);
        let value = match terms.op(inner) {
            Op::True => true,
            Op::False => false,
            _ => {
                let positive = self.literal(terms, inner)?;
                let has = |lit: Lit| clause.binary_search(&lit).is_ok();
                match (has(positive), has(!positive)) {
                    (true, _) => false,
                    (false, true) => true,
                    (false, false) => return None,
                }
            }
        };
        Some(value != negated)
    }

    /// Whether the literal is that of a gate which cannot be false while the others are.
    fn is_gate(&mut self, terms: &Terms, clause: &[Lit], lit: Lit) -> bool {
        let Some(gate) = self.solver.own_formula(lit.var()) else { return false };
        if let op @ (Op::And | Op::Or) = terms.op(gate) {
            return self.is_junction(terms, clause, lit, gate, op == Op::And);
        }
        let value = |t: TermId| self.value(terms, clause, t);
        let args = terms.args(gate);
        let result = match terms.op(gate) {
            Op::True => Some(true),
            Op::False => Some(false),
            Op::Eq if terms.is_bool(args[0]) => value(args[0]).zip(value(args[1])).map(|(a, b)| a == b),
            Op::Ite => match value(args[0]) {
                Some(condition) => value(args[if condition { 1 } else { 2 }]),
                None => value(args[1]).filter(|first| value(args[2]) == Some(*first)),
            },
            _ => None,
        };
        result == Some(!lit.is_negated())
    }

    /// The same for a conjunction, or a disjunction: there can be very many clauses about one.
    fn is_junction(&mut self, terms: &Terms, clause: &[Lit], lit: Lit, gate: TermId, is_and: bool) -> bool {
        if !self.arguments.contains_key(&gate) {
            let literals = terms.args(gate).iter().map(|&arg| self.literal(terms, arg)).collect();
            self.arguments.insert(gate, literals);
        }
        let Some(Some(arguments)) = self.arguments.get(&gate) else { return false };
        match lit.is_negated() == is_and {
            // A conjunction implies each argument; each argument implies a disjunction.
            true => clause.iter().any(|&other| arguments.contains(&if is_and { other } else { !other })),
            false => {
                let has = |lit: Lit| clause.binary_search(&lit).is_ok();
                arguments.iter().all(|&argument| has(if is_and { !argument } else { argument }))
            }
        }
    }

    /// What the literal says of a term in it, if the others are false.
    fn definition(&self, terms: &mut Terms, clause: &[Lit], lit: Lit) -> Option<Origin> {
        let atom = self.solver.atoms().get(lit.var())?;
        let mentioned: Vec<TermId> = self
            .solver
            .simplex()
            .terms_of(atom.form)
            .into_iter()
            .filter_map(|(var, _)| self.solver.atoms().term(var))
            .collect();
        mentioned.into_iter().find_map(|t| {
            let args = terms.args(t).to_vec();
            let own = terms.linear(t);
            let is_one = match terms.op(t) {
                Op::Ite => {
                    let branch = if self.value(terms, clause, args[0])? { 1 } else { 2 };
                    let chosen = terms.linear(args[branch]);
                    return self
                        .says_equal(terms, lit, &own, &chosen)
                        .then_some(Origin::Branch(t, branch, lit));
                }
                Op::Div | Op::Mod => {
                    let divisor = terms.number(args[1]).cloned().filter(|divisor| !divisor.is_zero())?;
                    let quotient = terms.div(args[0], args[1]);
                    // What remains of the dividend without the multiple of the divisor.
                    let mut rest = terms.linear(args[0]);
                    rest.terms.push((quotient, -&divisor));
                    let most = divisor.abs() - Rat::from(1);
                    let is_remainder = terms.op(t) == Op::Mod && self.says_equal(terms, lit, &own, &rest);
                    let bounded = if terms.op(t) == Op::Mod { own } else { rest };
                    is_remainder
                        || self.says_at_most(terms, lit, &negated(&bounded), &Rat::from(0), false)
                        || self.says_at_most(terms, lit, &bounded, &most, false)
                }
                Op::ToInt => {
                    let real = terms.linear(args[0]);
                    self.says_at_most(terms, lit, &difference(&own, &real), &Rat::from(0), false)
                        || self.says_at_most(terms, lit, &difference(&real, &own), &Rat::from(1), true)
                }
                _ => false,
            };
            is_one.then_some(Origin::Definition)
        })
    }

    fn says_equal(&self, terms: &Terms, lit: Lit, left: &LinearSum, right: &LinearSum) -> bool {
        let Some(atom) = self.solver.atoms().get(lit.var()) else { return false };
        let Some(wanted) = self.inequality(terms, &difference(left, right)) else { return false };
        let said = Inequality { constant: atom.bound.clone(), ..self.form(atom.form) };
        !lit.is_negated() && atom.relation == Relation::Eq && said.is_multiple_of(&wanted)
    }

    /// Whether the literal follows from `sum <= most`, or `sum < most` if that is strict.
    fn says_at_most(&self, terms: &Terms, lit: Lit, sum: &LinearSum, most: &Rat, strict: bool) -> bool {
        let Some(known) = self.inequality(terms, sum) else { return false };
        let most = most + known.constant;
        [true, false].into_iter().any(|upper| {
            let Some((form, bound, said_strict)) = self.solver.literal_bound(lit, upper) else {
                return false;
            };
            let sign = Rat::from(if upper { 1 } else { -1 });
            let said = self.form(form);
            let Some((var, coefficient)) = said.sum.iter().next() else { return false };
            let Some(factor) = known.sum.get(var).map(|own| coefficient * &sign / own) else { return false };
            let is_same = said.sum.len() == known.sum.len()
                && said
                    .sum
                    .iter()
                    .all(|(var, c)| known.sum.get(var).is_some_and(|own| c * &sign == own * &factor));
            if !factor.is_positive() || !is_same {
                return false;
            }
            let (said_most, known_most) = (bound * sign, &most * factor);
            // An integer that is less than a number is at most the next integer below.
            let is_int = self.solver.simplex().is_int(form);
            let known_most = match (is_int, strict) {
                (true, true) => Rat::from(known_most.ceil()) - Rat::from(1),
                (true, false) => Rat::from(known_most.floor()),
                (false, _) => known_most,
            };
            said_most > known_most || said_most == known_most && (!said_strict || strict && !is_int)
        })
    }

    fn form(&self, form: ArithVar) -> Inequality {
        let mut inequality = Inequality::default();
        inequality.add_form(self.solver, form, &Rat::from(1));
        inequality
    }

    /// A sum that is at most zero, with its constant on the other side.
    fn inequality(&self, terms: &Terms, sum: &LinearSum) -> Option<Inequality> {
        let mut inequality = Inequality { constant: -&sum.constant, ..Inequality::default() };
        for (t, coefficient) in &sum.terms {
            let opaque = if terms.op(*t) == Op::ToReal { terms.arg(*t, 0) } else { *t };
            let var = self.solver.atoms().variable(opaque)?;
            inequality.add_form(self.solver, var, coefficient);
        }
        Some(inequality)
    }
}

fn negated(sum: &LinearSum) -> LinearSum {
    LinearSum { terms: sum.terms.iter().map(|(t, c)| (*t, -c)).collect(), constant: -&sum.constant }
}

fn difference(left: &LinearSum, right: &LinearSum) -> LinearSum {
    let mut sum = negated(right);
    sum.terms.extend(left.terms.iter().cloned());
    sum.constant += &left.constant;
    sum
}
