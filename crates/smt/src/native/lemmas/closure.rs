//! Congruence closure of the equations that an assignment makes true.
//!
//! What a model makes equal by chance may differ in the next one; what follows from equations does not. So these instances
//! of congruence come first, all along a tower of applications at once. After Nelson and Oppen (*Fast decision procedures
//! based on congruence closure*, JACM 1980), but by one pass over the applications in order of age: arguments are older
//! than what they are arguments of, and what is missed is found in the next assignment.

use super::snapshot::{Key, Partition, Snapshot};
use crate::native::lit::Lit;
use crate::proof::Axiom;
use craig_base::{Index, Map};
use craig_term::{FunId, Op, TermId, Terms};

/// What a term is equal to by equations and congruence.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Root {
    Number(u32),
    Class(u32),
    Truth(bool),
    /// Nothing but itself.
    Term(TermId),
}

pub(super) struct Closure {
    numbers: Partition,
    classes: Partition,
}

impl Closure {
    /// The closure, and the instances of congruence in it that the assignment breaks.
    pub fn new(terms: &Terms, snapshot: &Snapshot) -> (Self, Vec<Axiom>) {
        let solver = snapshot.solver;
        let variables = solver.arith.atoms.variables().map(|(_, var)| var.index() + 1).max();
        let numbers = Partition::new(variables.unwrap_or(0));
        let mut closure = Closure { numbers, classes: Partition::new(snapshot.nodes.len()) };
        for (equality, a, b) in solver.arith.differences.edges() {
            if snapshot.is_relevant(Lit::new(equality, false)) {
                closure.numbers.join(a.index() as u32, b.index() as u32);
            }
        }
        let is_application = |t: &TermId| matches!(terms.op(*t), Op::App(_)) && !terms.is_bool(*t);
        let mut applications: Vec<TermId> =
            solver.lemmas.log.iter().copied().filter(is_application).collect();
        applications.sort_unstable();
        let mut first: Map<(FunId, Vec<Root>), TermId> = Map::default();
        let mut broken = Vec::new();
        for t in applications {
            let Op::App(function) = terms.op(t) else { continue };
            let roots = terms.args(t).iter().map(|&arg| closure.root(terms, snapshot, arg)).collect();
            let known = *first.entry((function, roots)).or_insert(t);
            if closure.join(terms, snapshot, known, t) && !snapshot.agree(terms, known, t) {
                broken.push(Axiom::Congruence { left: known, right: t });
            }
        }
        (closure, broken)
    }

    pub fn root(&mut self, terms: &Terms, snapshot: &Snapshot, t: TermId) -> Root {
        if terms.is_arith(t) {
            let variable = snapshot.solver.arith.atoms.variable(t);
            return variable.map_or(Root::Term(t), |var| Root::Number(self.numbers.find(var.index() as u32)));
        }
        match snapshot.key(terms, t) {
            Some(Key::Class(class)) => Root::Class(self.classes.find(class)),
            Some(Key::Truth(truth)) => Root::Truth(truth),
            _ => Root::Term(t),
        }
    }

    /// Makes two terms equal; whether they were not.
    fn join(&mut self, terms: &Terms, snapshot: &Snapshot, a: TermId, b: TermId) -> bool {
        match (self.root(terms, snapshot, a), self.root(terms, snapshot, b)) {
            (Root::Number(a), Root::Number(b)) if a != b => self.numbers.join(a, b),
            (Root::Class(a), Root::Class(b)) if a != b => self.classes.join(a, b),
            _ => return false,
        }
        true
    }
}
