//! From formulas to clauses.
//!
//! After Plaisted and Greenbaum: a subformula gets a literal once, and clauses only for the
//! polarities in which it occurs. Every clause belongs to the part of the assertion that first
//! needed it; a literal that several parts use is then a symbol they share, and stands for its
//! formula, which all of them contain.
//!
//! Arithmetic terms that are not linear (`ite`, `div` by a numeral, ...) are variables of their own
//! with clauses that define them. Functions, arrays and uninterpreted sorts are registered with
//! [`lemmas`](super::lemmas), which interprets them. What has no definition at all (products,
//! quantifiers) is left open, which is sound for `Unsat`; `Sat` is then verified by evaluation.

use super::NativeSolver;
use super::atoms::{ArithAtom, Relation};
use super::lit::{Lit, Var};
use crate::arith::ArithVar;
use crate::proof::Leaf;
use crate::solver::Unsupported;
use craig_base::{Index, Map, Set};
use craig_num::Rat;
use craig_term::{LinearSum, Op, TermId, Terms};

const POSITIVE: u8 = 1;
const NEGATIVE: u8 = 2;

/// Which literals formulas have.
#[derive(Clone, Default)]
pub(crate) struct Encoding {
    literals: Map<TermId, Lit>,
    /// Per variable: its formula (`None` for auxiliary variables) and the polarities that have clauses.
    pub formulas: Vec<Option<TermId>>,
    defined: Vec<u8>,
    /// Formulas whose clauses are still to be made: term, literal, polarity.
    pending: Vec<(TermId, Lit, u8)>,
    /// Opaque arithmetic terms that are still to be defined.
    pending_definitions: Vec<TermId>,
    /// Terms in the order in which they got literals, for scopes.
    pub log: Vec<TermId>,
}

impl Encoding {
    pub fn literal(&self, t: TermId) -> Option<Lit> {
        self.literals.get(&t).copied()
    }

    pub fn new_var(&mut self, formula: Option<TermId>) {
        self.formulas.push(formula);
        self.defined.push(0);
    }

    pub fn truncate(&mut self, log: usize, vars: usize) {
        for t in self.log.split_off(log) {
            self.literals.remove(&t);
        }
        self.formulas.truncate(vars);
        self.defined.truncate(vars);
    }
}

impl NativeSolver {
    /// Asserts a formula; `guard` is a literal under which it holds only.
    pub(super) fn encode_assertion(
        &mut self,
        terms: &mut Terms,
        formula: TermId,
        part: u32,
        guard: Option<Lit>,
    ) {
        // Conjunctions are asserted one by one, and disjunctions are clauses.
        let mut conjuncts = vec![formula];
        let mut seen = Set::default();
        while let Some(t) = conjuncts.pop() {
            if !seen.insert(t) {
                continue;
            }
            let (inner, negated) = terms.strip_not(t);
            match (terms.op(inner), negated) {
                (Op::True, false) | (Op::False, true) => {}
                (Op::And, false) => conjuncts.extend(terms.args(inner).iter().rev()),
                (Op::Or, true) => {
                    let args = terms.args(inner).to_vec();
                    conjuncts.extend(args.into_iter().rev().map(|arg| terms.not(arg)));
                }
                _ => self.encode_clause(terms, t, part, guard),
            }
        }
    }

    fn encode_clause(&mut self, terms: &mut Terms, formula: TermId, part: u32, guard: Option<Lit>) {
        let mut lits: Vec<Lit> = guard.map(|guard| !guard).into_iter().collect();
        let mut disjuncts = vec![formula];
        // Shared subformulas are met once, or a small graph would be walked as a huge tree.
        let mut seen = Set::default();
        while let Some(t) = disjuncts.pop() {
            if !seen.insert(t) {
                continue;
            }
            let (inner, negated) = terms.strip_not(t);
            match (terms.op(inner), negated) {
                (Op::True, false) | (Op::False, true) => return,
                (Op::True, true) | (Op::False, false) => {}
                (Op::Or, false) => disjuncts.extend(terms.args(inner).iter().rev()),
                (Op::And, true) => {
                    let args = terms.args(inner).to_vec();
                    disjuncts.extend(args.into_iter().rev().map(|arg| terms.not(arg)));
                }
                _ => lits.push(self.request(terms, t, POSITIVE, part)),
            }
        }
        self.add_input(&lits, part);
        self.encode_pending(terms, part);
    }

    /// The literal of a formula that may be assumed.
    pub(super) fn encode_literal(&mut self, terms: &mut Terms, formula: TermId, part: u32) -> Lit {
        let lit = self.request(terms, formula, POSITIVE, part);
        self.encode_pending(terms, part);
        self.needs(lit);
        lit
    }

    /// Adds clauses of another solver at once; they are not among the assertions. A gate that only one
    /// part of the other solver knows becomes a new variable without a definition.
    pub(crate) fn adopt<'a>(
        &mut self,
        terms: &mut Terms,
        other: &NativeSolver,
        clauses: impl Iterator<Item = &'a [Lit]>,
    ) {
        let mut own: Map<Var, Lit> = Map::default();
        let mut lits = Vec::new();
        for clause in clauses {
            lits.clear();
            for lit in clause {
                let var = lit.var();
                let known = own.get(&var).copied();
                let positive = known.unwrap_or_else(|| {
                    let formula = other.formula(terms, var);
                    if is_gate(terms, formula) && other.occurrences(var).len() < 2 {
                        Lit::new(self.new_var(None), false)
                    } else {
                        self.request(terms, formula, POSITIVE | NEGATIVE, 0)
                    }
                });
                own.insert(var, positive);
                lits.push(if lit.is_negated() { !positive } else { positive });
            }
            self.add_input(&lits, 0);
        }
        self.encode_pending(terms, 0);
    }

    fn encode_pending(&mut self, terms: &mut Terms, part: u32) {
        loop {
            if let Some((t, lit, polarity)) = self.encoding.pending.pop() {
                self.encode_gate(terms, t, lit, polarity, part);
            } else if let Some(t) = self.encoding.pending_definitions.pop() {
                self.define_opaque(terms, t, part);
            } else {
                return;
            }
        }
    }

    pub(super) fn add_input(&mut self, lits: &[Lit], part: u32) {
        for &lit in lits {
            self.needs(lit);
            self.occurs(lit.var(), part);
        }
        self.sat.add_clause(lits, || Leaf::Input { part });
    }

    /// The literal of a formula; its clauses for the polarity are made by `encode_pending`.
    fn request(&mut self, terms: &mut Terms, formula: TermId, polarity: u8, part: u32) -> Lit {
        let (t, negated) = terms.strip_not(formula);
        let polarity = if negated { flip(polarity) } else { polarity };
        let lit = match self.encoding.literal(t) {
            Some(lit) => lit,
            None => {
                let lit = self.new_formula_literal(terms, t, part);
                self.encoding.literals.insert(t, lit);
                self.encoding.log.push(t);
                lit
            }
        };
        let defined = &mut self.encoding.defined[lit.var().index()];
        let missing = polarity & !*defined;
        if missing != 0 {
            *defined |= missing;
            if is_gate(terms, t) {
                self.encoding.pending.push((t, lit, missing));
            }
        }
        if negated { !lit } else { lit }
    }

    fn new_formula_literal(&mut self, terms: &mut Terms, t: TermId, part: u32) -> Lit {
        match terms.op(t) {
            Op::Le | Op::Lt => return self.arith_literal(terms, t),
            Op::Eq if terms.is_arith(terms.arg(t, 0)) => return self.arith_literal(terms, t),
            _ => {}
        }
        let var = self.new_var(Some(t));
        let lit = Lit::new(var, false);
        match terms.op(t) {
            Op::True | Op::False => {
                let unit = if t == Terms::TRUE { lit } else { !lit };
                self.add_input(&[unit], part);
            }
            Op::Forall | Op::Exists => self.note_unsupported(Unsupported::Quantifier),
            Op::App(_) | Op::Select => self.encoding.pending_definitions.push(t),
            Op::Eq if !terms.is_bool(terms.arg(t, 0)) => self.encoding.pending_definitions.push(t),
            _ => {}
        }
        lit
    }

    fn encode_gate(&mut self, terms: &mut Terms, t: TermId, gate: Lit, polarity: u8, part: u32) {
        let args = terms.args(t).to_vec();
        let op = terms.op(t);
        match op {
            Op::And | Op::Or => {
                let lits: Vec<Lit> =
                    args.iter().map(|&arg| self.request(terms, arg, polarity, part)).collect();
                // As a conjunction: the gate implies each literal, and all of them imply it. A
                // disjunction is the same with all signs changed.
                let sign = |lit: Lit| if op == Op::And { lit } else { !lit };
                let (each, all) = if op == Op::And { (POSITIVE, NEGATIVE) } else { (NEGATIVE, POSITIVE) };
                if polarity & each != 0 {
                    for &lit in &lits {
                        self.add_input(&[!sign(gate), sign(lit)], part);
                    }
                }
                if polarity & all != 0 {
                    let mut clause = vec![sign(gate)];
                    clause.extend(lits.iter().map(|&lit| !sign(lit)));
                    self.add_input(&clause, part);
                }
            }
            Op::Eq => {
                let a = self.request(terms, args[0], POSITIVE | NEGATIVE, part);
                let b = self.request(terms, args[1], POSITIVE | NEGATIVE, part);
                if polarity & POSITIVE != 0 {
                    self.add_input(&[!gate, !a, b], part);
                    self.add_input(&[!gate, a, !b], part);
                }
                if polarity & NEGATIVE != 0 {
                    self.add_input(&[gate, a, b], part);
                    self.add_input(&[gate, !a, !b], part);
                }
            }
            Op::Ite => {
                let c = self.request(terms, args[0], POSITIVE | NEGATIVE, part);
                let a = self.request(terms, args[1], polarity, part);
                let b = self.request(terms, args[2], polarity, part);
                if polarity & POSITIVE != 0 {
                    self.add_input(&[!gate, !c, a], part);
                    self.add_input(&[!gate, c, b], part);
                    self.add_input(&[!gate, a, b], part);
                }
                if polarity & NEGATIVE != 0 {
                    self.add_input(&[gate, !c, !a], part);
                    self.add_input(&[gate, c, !b], part);
                    self.add_input(&[gate, !a, !b], part);
                }
            }
            _ => {}
        }
    }

    // Arithmetic

    fn arith_literal(&mut self, terms: &mut Terms, t: TermId) -> Lit {
        let relation = match terms.op(t) {
            Op::Le => Relation::Le,
            Op::Lt => Relation::Lt,
            _ => Relation::Eq,
        };
        let sum = terms.linear(terms.arg(t, 0));
        let bound = terms.number(terms.arg(t, 1)).cloned().unwrap_or_default();
        let form = self.form(terms, &sum);
        self.atom_literal(ArithAtom { form, relation, bound }, Some(t))
    }

    fn form(&mut self, terms: &mut Terms, sum: &LinearSum) -> ArithVar {
        let summands: Vec<(ArithVar, Rat)> =
            sum.terms.iter().map(|(t, c)| (self.variable(terms, *t), c.clone())).collect();
        self.arith.simplex.form(&summands).expect("an atom mentions a variable")
    }

    /// The positive literal of an atom, known or new.
    pub(super) fn atom_literal(&mut self, atom: ArithAtom, formula: Option<TermId>) -> Lit {
        if let Some(var) = self.arith.atoms.literal(&atom) {
            return Lit::new(var, false);
        }
        let var = self.new_var(formula);
        self.sat.is_theory_atom[var.index()] = true;
        self.arith.register(var, atom);
        Lit::new(var, false)
    }

    /// The arithmetic variable of a term that is no sum.
    fn variable(&mut self, terms: &mut Terms, t: TermId) -> ArithVar {
        let t = if terms.op(t) == Op::ToReal { terms.arg(t, 0) } else { t };
        if let Some(var) = self.arith.atoms.variable(t) {
            return var;
        }
        let var = self.arith.simplex.new_var(terms.is_int(t));
        self.arith.atoms.insert_variable(t, var);
        if !matches!(terms.op(t), Op::Const(_)) {
            self.encoding.pending_definitions.push(t);
        }
        var
    }

    /// The literal of `sum relation 0` as it stands, without the rewriting of term constructors.
    fn defining_literal(&mut self, terms: &mut Terms, mut sum: LinearSum, relation: Relation) -> Lit {
        sum.terms.retain(|(_, c)| !c.is_zero());
        if sum.terms.is_empty() {
            let zero = Rat::from(0);
            let holds = match relation {
                Relation::Le => sum.constant <= zero,
                Relation::Lt => sum.constant < zero,
                Relation::Eq => sum.constant == zero,
            };
            let constant = terms.bool(holds);
            return self.request(terms, constant, POSITIVE | NEGATIVE, 0);
        }
        let bound = -std::mem::take(&mut sum.constant);
        let (sum, bound, flipped) = coprime(sum, bound);
        let form = self.form(terms, &sum);
        // Also a sum of real sort, if all that it mentions is integral.
        let is_int = self.arith.simplex.is_int(form);
        debug_assert!(relation != Relation::Eq || !is_int || bound.is_integer());
        let one = Rat::from(1);
        let (relation, bound, negated) = match (relation, flipped, is_int) {
            (Relation::Eq, ..) => (Relation::Eq, bound, false),
            (Relation::Le, false, true) => (Relation::Le, Rat::from(bound.floor()), false),
            (Relation::Le, true, true) => (Relation::Le, Rat::from(bound.ceil()) - one, true),
            (Relation::Lt, false, true) => (Relation::Le, Rat::from(bound.ceil()) - one, false),
            (Relation::Lt, true, true) => (Relation::Le, Rat::from(bound.floor()), true),
            (relation, false, false) => (relation, bound, false),
            (Relation::Le, true, false) => (Relation::Lt, bound, true),
            (Relation::Lt, true, false) => (Relation::Le, bound, true),
        };
        let lit = self.atom_literal(ArithAtom { form, relation, bound }, None);
        if negated { !lit } else { lit }
    }

    /// Adds the clauses that define an opaque arithmetic term.
    fn define_opaque(&mut self, terms: &mut Terms, t: TermId, part: u32) {
        let args = terms.args(t).to_vec();
        match terms.op(t) {
            _ if !terms.is_arith(t) => self.register(terms, t, part),
            Op::Ite => {
                let condition = self.request(terms, args[0], POSITIVE | NEGATIVE, part);
                for (guard, branch) in [(!condition, args[1]), (condition, args[2])] {
                    let sum = difference(terms, t, branch);
                    let equal = self.defining_literal(terms, sum, Relation::Eq);
                    self.add_input(&[guard, equal], part);
                }
            }
            Op::Div if is_nonzero_numeral(terms, args[1]) => {
                // 0 <= s - k q <= k - 1
                let mut remainder = terms.linear(args[0]);
                let k = terms.number(args[1]).cloned().unwrap_or_default();
                remainder.terms.push((t, -&k));
                self.assert_remainder(terms, remainder, &k, part);
            }
            Op::Mod if is_nonzero_numeral(terms, args[1]) => {
                // s - k q - t = 0 and 0 <= t <= k - 1
                let k = terms.number(args[1]).cloned().unwrap_or_default();
                let quotient = terms.div(args[0], args[1]);
                let mut sum = difference(terms, args[0], t);
                sum.terms.push((quotient, -&k));
                let equal = self.defining_literal(terms, sum, Relation::Eq);
                self.add_input(&[equal], part);
                let remainder = terms.linear(t);
                self.assert_remainder(terms, remainder, &k, part);
            }
            Op::ToInt => {
                // t <= r and r < t + 1
                let real = terms.linear(args[0]);
                let mut below = negate(&real);
                below.terms.push((t, Rat::from(1)));
                let lower = self.defining_literal(terms, below, Relation::Le);
                let mut above = real;
                above.terms.push((t, Rat::from(-1)));
                above.constant -= Rat::from(1);
                let upper = self.defining_literal(terms, above, Relation::Lt);
                self.add_input(&[lower], part);
                self.add_input(&[upper], part);
            }
            Op::App(_) | Op::Select => self.register(terms, t, part),
            _ => self.note_unsupported(Unsupported::Nonlinear),
        }
    }

    /// Gives a term to the theories of [`lemmas`](super::lemmas); its arguments get literals,
    /// variables, or are registered, too.
    fn register(&mut self, terms: &mut Terms, t: TermId, part: u32) {
        if !self.lemmas.register(t) {
            return;
        }
        let args = terms.args(t).to_vec();
        for &arg in &args {
            if terms.is_bool(arg) {
                let lit = self.request(terms, arg, POSITIVE | NEGATIVE, part);
                self.needs(lit);
                self.needs(!lit);
                self.occurs(lit.var(), part);
            } else if terms.is_arith(arg) {
                for (summand, _) in terms.linear(arg).terms {
                    self.variable(terms, summand);
                }
            } else if !self.lemmas.knows(arg) {
                self.encoding.pending_definitions.push(arg);
            }
        }
        if terms.op(t) == Op::Ite {
            let condition = self.request(terms, args[0], POSITIVE | NEGATIVE, part);
            for (guard, branch) in [(!condition, args[1]), (condition, args[2])] {
                let equality = terms.eq(t, branch);
                let equal = self.request(terms, equality, POSITIVE, part);
                self.add_input(&[guard, equal], part);
            }
        }
    }

    /// The literal of a formula that a lemma mentions. The lemma's terms bring no clauses with them:
    /// what has a definition has been met before.
    pub(super) fn opaque_literal(&mut self, terms: &mut Terms, formula: TermId) -> Lit {
        let lit = self.request(terms, formula, POSITIVE | NEGATIVE, 0);
        self.encode_pending(terms, 0);
        lit
    }

    /// The literal of an equality of numbers, or whether it always holds.
    pub(super) fn number_equality(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> Result<Lit, bool> {
        let difference = terms.sub(a, b);
        let mut sum = terms.linear(difference);
        if sum.terms.is_empty() {
            return Err(sum.constant.is_zero());
        }
        let bound = -std::mem::take(&mut sum.constant);
        let (sum, bound, _) = coprime(sum, bound);
        let form = self.form(terms, &sum);
        self.encode_pending(terms, 0);
        if self.arith.simplex.is_int(form) && !bound.is_integer() {
            return Err(false);
        }
        Ok(self.atom_literal(ArithAtom { form, relation: Relation::Eq, bound }, None))
    }

    /// `0 <= remainder <= k - 1`.
    fn assert_remainder(&mut self, terms: &mut Terms, remainder: LinearSum, k: &Rat, part: u32) {
        let low = negate(&remainder);
        let mut high = remainder;
        high.constant -= k.abs() - Rat::from(1);
        for sum in [low, high] {
            let lit = self.defining_literal(terms, sum, Relation::Le);
            self.add_input(&[lit], part);
        }
    }

    /// The clause of the three cases of an equality that is false; see [`Certificate::Trichotomy`].
    ///
    /// [`Certificate::Trichotomy`]: crate::proof::Certificate::Trichotomy
    pub(super) fn trichotomy(&mut self, equality: Var) -> [Lit; 3] {
        let atom = self.arith.atoms.get(equality).cloned().expect("an arithmetic equality");
        let is_int = self.arith.simplex.is_int(atom.form);
        let (relation, low) = if is_int {
            (Relation::Le, &atom.bound - Rat::from(1))
        } else {
            (Relation::Lt, atom.bound.clone())
        };
        let below = self.atom_literal(ArithAtom { form: atom.form, relation, bound: low }, None);
        let above =
            self.atom_literal(ArithAtom { form: atom.form, relation: Relation::Le, bound: atom.bound }, None);
        [Lit::new(equality, false), below, !above]
    }
}

fn flip(polarity: u8) -> u8 {
    (polarity & POSITIVE) << 1 | (polarity & NEGATIVE) >> 1
}

fn is_gate(terms: &Terms, t: TermId) -> bool {
    match terms.op(t) {
        Op::And | Op::Or | Op::Ite => true,
        Op::Eq => terms.is_bool(terms.arg(t, 0)),
        _ => false,
    }
}

fn is_nonzero_numeral(terms: &Terms, t: TermId) -> bool {
    terms.number(t).is_some_and(|value| !value.is_zero())
}

/// `a - b`, where `a` may be opaque and is not looked into if it is.
fn difference(terms: &Terms, a: TermId, b: TermId) -> LinearSum {
    let mut sum = terms.linear(a);
    let minus = negate(&terms.linear(b));
    sum.constant += &minus.constant;
    sum.terms.extend(minus.terms);
    sum
}

fn negate(sum: &LinearSum) -> LinearSum {
    LinearSum { terms: sum.terms.iter().map(|(t, c)| (*t, -c)).collect(), constant: -&sum.constant }
}

/// Coprime integer coefficients with a positive first one; whether the sign changed.
fn coprime(mut sum: LinearSum, bound: Rat) -> (LinearSum, Rat, bool) {
    sum.terms.sort_by_key(|&(t, _)| t);
    sum.terms.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 += &later.1;
        }
        same
    });
    sum.terms.retain(|(_, c)| !c.is_zero());
    let mut denominators = craig_num::Int::from(1);
    for (_, c) in &sum.terms {
        denominators = denominators.lcm(&c.denom());
    }
    let scale = Rat::from(denominators.clone());
    let mut numerators = craig_num::Int::from(0);
    for (_, c) in &sum.terms {
        numerators = numerators.gcd(&(c * &scale).numer());
    }
    let flipped = sum.terms.first().is_some_and(|(_, c)| c.is_negative());
    let mut factor = Rat::new(denominators, numerators);
    if flipped {
        factor = -factor;
    }
    for (_, c) in &mut sum.terms {
        *c *= &factor;
    }
    (sum, bound * &factor, flipped)
}
