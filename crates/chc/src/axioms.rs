//! Uninterpreted functions in clauses, and axioms about them.
//!
//! A clause without predicates that mentions a function is an axiom. The functions belong to the
//! background: a model must satisfy the clauses for all functions that the axioms allow, and may
//! mention them. Engines see no axioms. Each clause gets instances of them instead, for the arguments
//! with which its own terms call the functions; that is complete where variables of axioms are direct
//! arguments of functions only (the essentially uninterpreted fragment), and right for `sat` always.
//!
//! SMT-LIB asks for *some* functions. So `sat` needs axioms that some functions satisfy, which
//! [`consistent`] shows with simple ones, and a derivation that relies on a function is no `unsat`.

use crate::system::Clause;
use craig_base::{Budget, Map, OrderedMap, OrderedSet};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{FunId, Op, Substitution, TermId, Terms};

/// Instances may mention new terms, which have instances again.
const ROUNDS: usize = 2;
/// How many instances of one axiom a clause gets in a round.
const MOST_INSTANCES: usize = 200;
/// How many choices of simple functions are tried.
const MOST_CHOICES: usize = 256;

/// A formula that holds for all values of its variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axiom {
    pub variables: Vec<TermId>,
    pub formula: TermId,
}

pub(crate) fn has_functions(terms: &Terms, clause: &Clause) -> bool {
    let is_function = |t: TermId| matches!(terms.op(t), Op::App(symbol) if terms.role(symbol).is_none());
    terms.postorder(&clause.roots()).into_iter().any(is_function)
}

/// The arguments of every function, by position.
fn arguments(terms: &Terms, roots: &[TermId]) -> OrderedMap<(FunId, usize), OrderedSet<TermId>> {
    let mut arguments: OrderedMap<(FunId, usize), OrderedSet<TermId>> = OrderedMap::default();
    for t in terms.postorder(roots) {
        if let Op::App(function) = terms.op(t) {
            for (position, &arg) in terms.args(t).iter().enumerate() {
                arguments.entry((function, position)).or_default().insert(arg);
            }
        }
    }
    arguments
}

/// Adds to a clause the instances of axioms that its terms ask for.
pub(crate) fn instantiate(terms: &mut Terms, axioms: &[Axiom], clause: &mut Clause) {
    for _ in 0..ROUNDS {
        let known = arguments(terms, &clause.roots());
        let mut parts = vec![clause.constraint];
        for axiom in axioms {
            let places = arguments(terms, &[axiom.formula]);
            let mut choices: Vec<OrderedSet<TermId>> = Vec::new();
            for variable in &axiom.variables {
                let mut values = OrderedSet::default();
                for (place, args) in &places {
                    if args.contains(variable) {
                        values.extend(known.get(place).into_iter().flatten().copied());
                    }
                }
                choices.push(values);
            }
            for values in product(&choices, MOST_INSTANCES) {
                let pairs = axiom.variables.iter().copied().zip(values);
                parts.push(Substitution::from_pairs(pairs).apply(terms, axiom.formula));
            }
        }
        let stronger = terms.and(&parts);
        if stronger == clause.constraint {
            return;
        }
        clause.constraint = stronger;
    }
}

/// All ways to choose one of each, up to a limit.
fn product(choices: &[OrderedSet<TermId>], limit: usize) -> Vec<Vec<TermId>> {
    let mut chosen: Vec<Vec<TermId>> = vec![Vec::new()];
    for values in choices {
        let mut longer = Vec::new();
        for before in &chosen {
            for &value in values {
                if longer.len() < limit {
                    let mut one = before.clone();
                    one.push(value);
                    longer.push(one);
                }
            }
        }
        chosen = longer;
    }
    chosen
}

/// Whether simple functions (a number, or one of the arguments) satisfy all axioms.
pub fn consistent(terms: &mut Terms, axioms: &[Axiom], budget: &Budget) -> bool {
    let formulas: Vec<TermId> = axioms.iter().map(|axiom| axiom.formula).collect();
    let all = terms.and(&formulas);
    let mut functions: OrderedMap<FunId, OrderedSet<TermId>> = OrderedMap::default();
    let mut parameters: Map<FunId, Vec<TermId>> = Map::default();
    for t in terms.postorder(&formulas) {
        let Op::App(function) = terms.op(t) else { continue };
        if functions.contains_key(&function) {
            continue;
        }
        let (sorts, result) = terms.signature(function);
        let sorts = sorts.to_vec();
        let own: Vec<TermId> = sorts.iter().map(|&sort| terms.fresh_const("arg", sort)).collect();
        let mut bodies: OrderedSet<TermId> =
            own.iter().copied().filter(|&parameter| terms.sort(parameter) == result).collect();
        match result {
            Terms::INT => bodies.extend([terms.int(0), terms.int(1)]),
            Terms::REAL => bodies.extend([terms.real(0), terms.real(1)]),
            _ => {}
        }
        functions.insert(function, bodies);
        parameters.insert(function, own);
    }
    let choices: Vec<OrderedSet<TermId>> = functions.values().cloned().collect();
    for bodies in product(&choices, MOST_CHOICES) {
        let chosen: Map<FunId, TermId> = functions.keys().copied().zip(bodies).collect();
        let mut substitution = Substitution::default();
        // Arguments come before what they are arguments of, so nested calls are replaced, too.
        for t in terms.postorder(&[all]) {
            if let Op::App(function) = terms.op(t) {
                let args = terms.args(t).to_vec();
                let args = args.into_iter().map(|arg| substitution.apply(terms, arg));
                let pairs: Vec<(TermId, TermId)> = parameters[&function].iter().copied().zip(args).collect();
                let value = Substitution::from_pairs(pairs).apply(terms, chosen[&function]);
                substitution.insert(t, value);
            }
        }
        let holds = substitution.apply(terms, all);
        let violated = terms.not(holds);
        let mut solver = NativeSolver::default();
        solver.assert(terms, violated);
        if solver.check(terms, &[], budget) == Answer::Unsat {
            return true;
        }
    }
    false
}
