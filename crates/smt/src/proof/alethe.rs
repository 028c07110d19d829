//! Refutations in the Alethe format, for checkers of others such as Carcara.
//!
//! Formulas are assumed as they are, each clause of the input is resolved from them and from the rules of Alethe for
//! connectives, and theory leaves become `la_generic`, `la_disequality`, `eq_transitive` and `eq_congruent`. What has no rule
//! there (divisibility, quotients, arrays) is a `hole`, and counted. A checker has to expand `let`.
//!
//! H.-J. Schurr, M. Fleury, H. Barbosa, P. Fontaine, *Alethe: Towards a Generic SMT Proof Format*, PxTP 2021.

use super::axiom::Axiom;
use super::certificate::{Certificate, FarkasTerm};
use super::check::check_against;
use super::inputs::{Inputs, Origin};
use super::log::Leaf;
use super::refutation::{Refutation, Step, StepKind};
use crate::arith::ArithVar;
use crate::native::{Lit, NativeSolver, Options, Relation};
use crate::{Answer, Solver};
use craig_base::{Budget, Map, Set};
use craig_num::Rat;
use craig_term::{Op, TermId, Terms};
use std::fmt::Write;

/// A proof as text.
#[derive(Clone, Debug)]
pub struct Alethe {
    /// The commands.
    pub text: String,
    /// How many steps have no rule.
    pub holes: usize,
}

/// Refutes the formulas, and writes the refutation; nothing if they are not refuted within the budget.
pub fn refute(terms: &mut Terms, formulas: &[TermId], budget: &Budget) -> Option<Alethe> {
    let options = Options { proofs: true, preprocess: false, products: false, ..Options::default() };
    let mut solver = NativeSolver::new(options);
    formulas.iter().for_each(|&formula| solver.assert(terms, formula));
    if solver.check(terms, &[], budget) != Answer::Unsat {
        return None;
    }
    let refutation = Refutation::extract(solver.proof(), solver.refutation()?).ok()?;
    check_against(terms, &solver, formulas, &refutation).ok()?;
    // The formulas do not have the constants that these bring in.
    let is_skolem = |step: &Step| {
        let StepKind::Leaf(Leaf::Theory(Certificate::Axiom(axiom))) = &step.kind else { return false };
        matches!(axiom, Axiom::Extensionality { .. } | Axiom::FreshIndex { .. })
    };
    if refutation.steps.iter().any(is_skolem) {
        return None;
    }
    Some(alethe(terms, &solver, formulas, &refutation))
}

/// Writes a refutation of the formulas; see [`check_against`] for what the solver must have been given.
fn alethe(terms: &mut Terms, solver: &NativeSolver, formulas: &[TermId], refutation: &Refutation) -> Alethe {
    let inputs = Inputs::new(terms, solver, formulas);
    let mut writer = Writer {
        terms,
        solver,
        inputs,
        text: String::new(),
        steps: 0,
        holes: 0,
        known: Map::default(),
        units: Map::default(),
    };
    for (number, &formula) in formulas.iter().enumerate() {
        let shown = writer.show(formula);
        let _ = writeln!(writer.text, "(assume h{number} {shown})");
        writer.units.insert(formula, format!("h{number}"));
    }
    // A second premise for steps that weaken one: resolution wants two.
    writer.step(&["true".to_string()], "true", &[], &[]);
    let mut names: Vec<String> = Vec::with_capacity(refutation.steps.len());
    for step in &refutation.steps {
        let clause: Vec<String> = step.clause.iter().map(|&lit| writer.literal(lit)).collect();
        let premises = match &step.kind {
            StepKind::Leaf(Leaf::Input { .. }) => writer.input(&step.clause),
            StepKind::Leaf(Leaf::Theory(certificate)) => writer.theory(&step.clause, certificate),
            StepKind::Chain { first, rest } => Some(
                [first]
                    .into_iter()
                    .chain(rest.iter().map(|(step, _)| step))
                    .map(|&at| names[at].clone())
                    .collect(),
            ),
        };
        let name = match premises {
            Some(premises) => writer.resolution(&clause, premises),
            None => writer.hole(&clause),
        };
        names.push(name);
    }
    Alethe { text: writer.text, holes: writer.holes }
}

/// The name of the step that says that `true` holds.
const TRUE: &str = "t1";

struct Writer<'a> {
    terms: &'a mut Terms,
    solver: &'a NativeSolver,
    inputs: Inputs<'a>,
    text: String,
    steps: usize,
    holes: usize,
    /// Steps without premises by what they say.
    known: Map<String, String>,
    /// Steps that say that a conjunct holds.
    units: Map<TermId, String>,
}

fn not(text: &str) -> String {
    format!("(not {text})")
}

fn equality(left: &str, right: &str) -> String {
    format!("(= {left} {right})")
}

impl Writer<'_> {
    fn show(&self, t: TermId) -> String {
        format!("{:#}", self.terms.display(t))
    }

    fn step(&mut self, clause: &[String], rule: &str, premises: &[String], args: &[String]) -> String {
        let mut said = format!("(cl {}) :rule {rule}", clause.join(" "));
        if !premises.is_empty() {
            let _ = write!(said, " :premises ({})", premises.join(" "));
        }
        if !args.is_empty() {
            let _ = write!(said, " :args ({})", args.join(" "));
        }
        if let Some(name) = self.known.get(&said) {
            return name.clone();
        }
        self.steps += 1;
        let name = format!("t{}", self.steps);
        let _ = writeln!(self.text, "(step {name} {said})");
        self.known.insert(said, name.clone());
        name
    }

    /// What follows from the premises by propagation.
    fn resolution(&mut self, clause: &[String], mut premises: Vec<String>) -> String {
        premises.dedup();
        if premises.len() < 2 {
            premises.push(TRUE.to_string());
        }
        self.step(clause, "resolution", &premises, &[])
    }

    fn hole(&mut self, clause: &[String]) -> String {
        self.holes += 1;
        self.step(clause, "hole", &[], &[])
    }

    fn literal(&mut self, lit: Lit) -> String {
        let atom = match self.solver.own_formula(lit.var()) {
            Some(t) => self.show(t),
            None => match self.sides(lit) {
                Some((form, relation, bound)) => format!("({relation} {form} {bound})"),
                None => "true".to_string(),
            },
        };
        if lit.is_negated() { not(&atom) } else { atom }
    }

    /// The atom of a literal of arithmetic: a sum, how it compares, and a number.
    fn sides(&mut self, lit: Lit) -> Option<(String, &'static str, String)> {
        let atom = self.solver.atoms().get(lit.var())?.clone();
        let relation = match atom.relation {
            Relation::Le => "<=",
            Relation::Lt => "<",
            Relation::Eq => "=",
        };
        if let Some(t) = self.solver.own_formula(lit.var()) {
            let (left, right) = (self.terms.arg(t, 0), self.terms.arg(t, 1));
            return Some((self.show(left), relation, self.show(right)));
        }
        let summands = self.solver.simplex().terms_of(atom.form);
        let is_int = summands.iter().all(|&(var, _)| self.solver.simplex().is_int(var));
        let shown: Vec<String> = summands.iter().map(|(var, c)| self.summand(*var, c, is_int)).collect();
        let form = if shown.len() == 1 { shown.concat() } else { format!("(+ {})", shown.join(" ")) };
        Some((form, relation, number(&atom.bound, is_int)))
    }

    fn summand(&mut self, var: ArithVar, coefficient: &Rat, is_int: bool) -> String {
        let Some(t) = self.solver.atoms().term(var) else { return "true".to_string() };
        let t = if is_int { t } else { self.terms.to_real(t) };
        let shown = self.show(t);
        if coefficient.is_one() { shown } else { format!("(* {} {shown})", number(coefficient, is_int)) }
    }

    // Clauses of the input

    fn input(&mut self, clause: &[Lit]) -> Option<Vec<String>> {
        // Where an atom was made for something else, it is written in another way than the formula.
        let is_plain = |lit: &Lit| self.solver.own_formula(lit.var()).is_some();
        match self.inputs.origin(self.terms, clause)? {
            Origin::Conjunct(conjunct) if clause.iter().all(is_plain) => {
                let mut premises = vec![self.conjunct(conjunct)];
                if conjunct == Terms::FALSE {
                    premises.push(self.step(&[not("false")], "false", &[], &[]));
                }
                self.open(conjunct, clause, &mut premises);
                Some(premises)
            }
            Origin::Gate(gate) if clause.iter().all(is_plain) => {
                let mut premises = Vec::new();
                self.rules_of(gate, clause, &mut premises)?;
                Some(premises)
            }
            Origin::Branch(t, branch, lit) => self.conditional(t, branch, lit),
            _ => None,
        }
    }

    /// That a conjunct of the formulas holds.
    fn conjunct(&mut self, conjunct: TermId) -> String {
        let mut path = vec![conjunct];
        while let Some(&parent) =
            path.last().filter(|t| !self.units.contains_key(t)).and_then(|t| self.inputs.parents.get(t))
        {
            path.push(parent);
        }
        let mut unit = path.pop().and_then(|t| self.units.get(&t).cloned()).unwrap_or_default();
        while let Some(t) = path.pop() {
            let Some(&parent) = self.inputs.parents.get(&t) else { continue };
            let (inner, negated) = self.terms.strip_not(parent);
            let args = self.terms.args(inner).to_vec();
            let whole = self.show(inner);
            for (at, arg) in args.into_iter().enumerate() {
                if (if negated { self.terms.not(arg) } else { arg }) != t {
                    continue;
                }
                let text = self.show(arg);
                let (clause, rule) = match negated {
                    false => (vec![not(&whole), text], "and_pos"),
                    true => (vec![whole.clone(), not(&text)], "or_neg"),
                };
                let known = self.step(&clause, rule, &[], &[at.to_string()]);
                let text = self.show(t);
                unit = self.resolution(&[text], vec![unit, known]);
                break;
            }
            self.units.insert(t, unit.clone());
        }
        unit
    }

    /// All that connectives say between a disjunction and the literals of its clause.
    fn open(&mut self, root: TermId, clause: &[Lit], premises: &mut Vec<String>) {
        let wanted: Set<TermId> =
            clause.iter().filter_map(|lit| self.solver.own_formula(lit.var())).collect();
        let mut stack = vec![root];
        let mut seen: Set<TermId> = Set::default();
        while let Some(t) = stack.pop() {
            let (inner, _) = self.terms.strip_not(t);
            if !matches!(self.terms.op(inner), Op::And | Op::Or)
                || wanted.contains(&inner)
                || !seen.insert(inner)
            {
                continue;
            }
            premises.push(self.all_arguments(inner));
            stack.extend_from_slice(self.terms.args(inner));
        }
    }

    /// A conjunction holds if all its arguments do; one of the arguments of a disjunction that holds does.
    fn all_arguments(&mut self, gate: TermId) -> String {
        let whole = self.show(gate);
        let args: Vec<String> = self.terms.args(gate).iter().map(|&arg| self.show(arg)).collect();
        let (clause, rule): (Vec<String>, _) = match self.terms.op(gate) {
            Op::And => (std::iter::once(whole).chain(args.iter().map(|arg| not(arg))).collect(), "and_neg"),
            _ => (std::iter::once(not(&whole)).chain(args).collect(), "or_pos"),
        };
        self.step(&clause, rule, &[], &[])
    }

    /// The rules for one gate, with what leads from its arguments to their literals.
    fn rules_of(&mut self, gate: TermId, clause: &[Lit], premises: &mut Vec<String>) -> Option<()> {
        let args = self.terms.args(gate).to_vec();
        let shown: Vec<String> = args.iter().map(|&arg| self.show(arg)).collect();
        let whole = self.show(gate);
        match self.terms.op(gate) {
            Op::And | Op::Or => self.open_one(gate, clause, premises),
            Op::Eq => {
                let (a, b) = (&shown[0], &shown[1]);
                let rules = [
                    (vec![not(&whole), a.clone(), not(b)], "equiv_pos1"),
                    (vec![not(&whole), not(a), b.clone()], "equiv_pos2"),
                    (vec![whole.clone(), not(a), not(b)], "equiv_neg1"),
                    (vec![whole.clone(), a.clone(), b.clone()], "equiv_neg2"),
                ];
                for (clause, rule) in rules {
                    premises.push(self.step(&clause, rule, &[], &[]));
                }
            }
            Op::Ite => self.choices(&whole, &shown, premises),
            Op::True => {}
            Op::False => premises.push(self.step(&[not("false")], "false", &[], &[])),
            _ => return None,
        }
        Some(())
    }

    fn open_one(&mut self, gate: TermId, clause: &[Lit], premises: &mut Vec<String>) {
        let op = self.terms.op(gate);
        let args = self.terms.args(gate).to_vec();
        let shown: Vec<String> = args.iter().map(|&arg| self.show(arg)).collect();
        let whole = self.show(gate);
        if clause.len() > 2 || args.len() == 1 {
            premises.push(self.all_arguments(gate));
        }
        let wanted: Vec<TermId> =
            clause.iter().filter_map(|lit| self.solver.own_formula(lit.var())).collect();
        for (at, (&arg, text)) in args.iter().zip(&shown).enumerate() {
            if !wanted.contains(&self.terms.strip_not(arg).0) {
                continue;
            }
            let (clause, rule) = match op {
                Op::And => (vec![not(&whole), text.clone()], "and_pos"),
                _ => (vec![whole.clone(), not(text)], "or_neg"),
            };
            premises.push(self.step(&clause, rule, &[], &[at.to_string()]));
        }
    }

    fn choices(&mut self, whole: &str, args: &[String], premises: &mut Vec<String>) {
        let (c, a, b) = (&args[0], &args[1], &args[2]);
        let rules = [
            (vec![not(whole), c.clone(), b.clone()], "ite_pos1"),
            (vec![not(whole), not(c), a.clone()], "ite_pos2"),
            (vec![whole.to_string(), c.clone(), not(b)], "ite_neg1"),
            (vec![whole.to_string(), not(c), not(a)], "ite_neg2"),
        ];
        for (clause, rule) in rules {
            premises.push(self.step(&clause, rule, &[], &[]));
        }
    }

    /// A conditional number is one of its branches.
    fn conditional(&mut self, t: TermId, branch: usize, lit: Lit) -> Option<Vec<String>> {
        let whole = self.show(t);
        let args: Vec<String> = self.terms.args(t).to_vec().into_iter().map(|arg| self.show(arg)).collect();
        let same = equality(&whole, &whole);
        let branches = [equality(&whole, &args[1]), equality(&whole, &args[2])];
        let choice = format!("(ite {} {} {})", args[0], branches[0], branches[1]);
        let both = format!("(and {same} {choice})");
        let introduced = equality(&same, &both);
        let mut premises = vec![
            self.step(std::slice::from_ref(&same), "refl", &[], &[]),
            self.step(std::slice::from_ref(&introduced), "ite_intro", &[], &[]),
            self.step(&[not(&introduced), not(&same), both.clone()], "equiv_pos2", &[], &[]),
            self.step(&[not(&both), choice.clone()], "and_pos", &[], &["1".to_string()]),
        ];
        self.choices(&choice, &[args[0].clone(), branches[0].clone(), branches[1].clone()], &mut premises);
        let atom = self.solver.atoms().get(lit.var())?;
        let own = self.solver.atoms().variable(t)?;
        let factor = self.solver.simplex().terms_of(atom.form).into_iter().find(|(var, _)| *var == own)?.1;
        let (form, _, bound) = self.sides(lit)?;
        premises.extend(self.same_equality((&whole, &args[branch]), (&form, &bound), &factor));
        Some(premises)
    }

    // Theories

    fn theory(&mut self, clause: &[Lit], certificate: &Certificate) -> Option<Vec<String>> {
        match certificate {
            Certificate::Farkas(list) => self.farkas(list),
            Certificate::Trichotomy => self.trichotomy(clause),
            Certificate::Axiom(Axiom::Transitivity { path }) => self.transitivity(path),
            Certificate::Axiom(Axiom::Congruence { left, right }) => self.congruence(clause, *left, *right),
            Certificate::Divisibility(_) | Certificate::Axiom(_) => None,
        }
    }

    fn farkas(&mut self, list: &[FarkasTerm]) -> Option<Vec<String>> {
        // Integers among reals are other terms there.
        let atoms = list.iter().filter_map(|term| self.solver.atoms().get(term.lit.var()));
        let vars: Vec<ArithVar> =
            atoms.flat_map(|atom| self.solver.simplex().terms_of(atom.form)).map(|(var, _)| var).collect();
        if vars.iter().any(|&var| self.solver.simplex().is_int(var) != self.solver.simplex().is_int(vars[0]))
        {
            return None;
        }
        let clause: Vec<String> = list.iter().map(|term| self.literal(!term.lit)).collect();
        // An equation is added as it is written, an inequality as what it says is at least something.
        let args: Vec<String> = list
            .iter()
            .map(|term| {
                let atom = self.solver.atoms().get(term.lit.var());
                let is_equation = atom.is_some_and(|atom| atom.relation == Relation::Eq);
                let coefficient =
                    if is_equation && term.upper { -&term.coefficient } else { term.coefficient.clone() };
                number(&coefficient, coefficient.is_integer())
            })
            .collect();
        Some(vec![self.step(&clause, "la_generic", &[], &args)])
    }

    fn trichotomy(&mut self, clause: &[Lit]) -> Option<Vec<String>> {
        let is_equation = |lit: &&Lit| {
            !lit.is_negated()
                && self.solver.atoms().get(lit.var()).is_some_and(|atom| atom.relation == Relation::Eq)
        };
        let equation = *clause.iter().find(is_equation)?;
        let (form, _, bound) = self.sides(equation)?;
        let mut premises = self.antisymmetry(&form, &bound);
        for &lit in clause.iter().filter(|lit| **lit != equation) {
            // What is not below is at least, what is not above is at most.
            let side = match self.solver.literal_bound(lit, true).is_some() {
                true => format!("(<= {bound} {form})"),
                false => format!("(<= {form} {bound})"),
            };
            let (literal, unit) = (self.literal(lit), "1".to_string());
            premises.push(self.step(&[side, literal], "la_generic", &[], &[unit.clone(), unit]));
        }
        Some(premises)
    }

    fn transitivity(&mut self, path: &[TermId]) -> Option<Vec<String>> {
        let (first, last) = (*path.first()?, *path.last()?);
        if self.terms.is_bool(first) || self.terms.is_arith(first) {
            return None;
        }
        let mut clause = Vec::new();
        for pair in path.windows(2).filter(|pair| pair[0] != pair[1]) {
            let equal = self.terms.eq(pair[0], pair[1]);
            clause.push(not(&self.show(equal)));
        }
        let equal = self.terms.eq(first, last);
        clause.push(self.show(equal));
        (clause.len() > 2).then(|| vec![self.step(&clause, "eq_transitive", &[], &[])])
    }

    fn congruence(&mut self, lits: &[Lit], left: TermId, right: TermId) -> Option<Vec<String>> {
        let (args, others) = (self.terms.args(left).to_vec(), self.terms.args(right).to_vec());
        if args.iter().any(|&arg| self.terms.is_bool(arg)) {
            return None;
        }
        let (mut clause, mut premises) = (Vec::new(), Vec::new());
        for (&arg, &other) in args.iter().zip(&others) {
            let (a, b) = (self.show(arg), self.show(other));
            let equal = equality(&a, &b);
            if arg == other {
                premises.push(self.step(std::slice::from_ref(&equal), "refl", &[], &[]));
            } else if self.terms.is_arith(arg) {
                let (form, bound, factor) = self.equation(lits, false, arg, other)?;
                premises.extend(self.same_equality((&form, &bound), (&a, &b), &factor));
            } else {
                premises.extend(self.same_pair(arg, other));
            }
            clause.push(not(&equal));
        }
        let (a, b) = (self.show(left), self.show(right));
        if self.terms.is_bool(left) {
            for ends in [[not(&a), b.clone()], [a.clone(), not(&b)]] {
                let clause = [&clause[..], &ends].concat();
                premises.push(self.step(&clause, "eq_congruent_pred", &[], &[]));
            }
            return Some(premises);
        }
        clause.push(equality(&a, &b));
        premises.push(self.step(&clause, "eq_congruent", &[], &[]));
        if self.terms.is_arith(left) {
            let (form, bound, factor) = self.equation(lits, true, left, right)?;
            premises.extend(self.same_equality((&a, &b), (&form, &bound), &factor.recip()));
        } else {
            premises.extend(self.same_pair(left, right));
        }
        Some(premises)
    }

    /// That an equality is the same in the order in which it is kept.
    fn same_pair(&mut self, left: TermId, right: TermId) -> Vec<String> {
        let kept = self.terms.eq(left, right);
        let (kept, plain) = (self.show(kept), equality(&self.show(left), &self.show(right)));
        if kept == plain {
            return Vec::new();
        }
        let symmetric = equality(&plain, &kept);
        vec![
            self.step(std::slice::from_ref(&symmetric), "eq_symmetric", &[], &[]),
            self.step(&[not(&symmetric), plain.clone(), not(&kept)], "equiv_pos1", &[], &[]),
            self.step(&[not(&symmetric), not(&plain), kept], "equiv_pos2", &[], &[]),
        ]
    }

    /// The literal of the clause that says whether two numbers are equal: its sides, and by what the difference of these has
    /// to be multiplied to be that of the numbers.
    fn equation(
        &mut self,
        clause: &[Lit],
        holds: bool,
        a: TermId,
        b: TermId,
    ) -> Option<(String, String, Rat)> {
        let difference = self.terms.sub(a, b);
        let sum = self.terms.linear(difference);
        let coefficient = |t: TermId| sum.terms.iter().find(|(own, _)| *own == t).map(|(_, c)| c.clone());
        for &lit in clause.iter().filter(|lit| lit.is_negated() != holds) {
            let Some(atom) = self.solver.atoms().get(lit.var()).filter(|atom| atom.relation == Relation::Eq)
            else {
                continue;
            };
            let summands = self.solver.simplex().terms_of(atom.form);
            let factors: Option<Vec<Rat>> = summands
                .iter()
                .map(|(var, c)| coefficient(self.solver.atoms().term(*var)?).map(|own| own / c.clone()))
                .collect();
            let Some(factors) = factors else { continue };
            let factor = factors.first()?.clone();
            let is_it = summands.len() == sum.terms.len()
                && factors.iter().all(|other| *other == factor)
                && sum.constant == -(&atom.bound * &factor);
            if is_it {
                let (form, _, bound) = self.sides(lit)?;
                return Some((form, bound, factor));
            }
        }
        None
    }

    /// `left <= right` and `right <= left` make both equal.
    fn antisymmetry(&mut self, left: &str, right: &str) -> Vec<String> {
        let parts = [
            equality(left, right),
            not(&format!("(<= {left} {right})")),
            not(&format!("(<= {right} {left})")),
        ];
        let whole = format!("(or {})", parts.join(" "));
        let known = self.step(std::slice::from_ref(&whole), "la_disequality", &[], &[]);
        let opened: Vec<String> = std::iter::once(not(&whole)).chain(parts).collect();
        vec![known, self.step(&opened, "or_pos", &[], &[])]
    }

    /// That one equation implies another one, which is it times a factor.
    fn same_equality(&mut self, from: (&str, &str), to: (&str, &str), factor: &Rat) -> Vec<String> {
        let given = equality(from.0, from.1);
        if given == equality(to.0, to.1) {
            return Vec::new();
        }
        let mut premises = self.antisymmetry(to.0, to.1);
        let sides = [
            (format!("(<= {} {})", to.0, to.1), -factor),
            (format!("(<= {} {})", to.1, to.0), factor.clone()),
        ];
        for (side, factor) in sides {
            let args = [number(&factor, factor.is_integer()), "1".to_string()];
            premises.push(self.step(&[not(&given), side], "la_generic", &[], &args));
        }
        premises
    }
}

/// A number as SMT-LIB writes it.
fn number(value: &Rat, is_int: bool) -> String {
    let (numerator, denominator) = (value.numer(), value.denom());
    let point = if is_int { "" } else { ".0" };
    let magnitude = match denominator.is_one() {
        true => format!("{}{point}", numerator.abs()),
        false => format!("(/ {}{point} {denominator}{point})", numerator.abs()),
    };
    if value.is_negative() { format!("(- {magnitude})") } else { magnitude }
}
