//! Houdini: of many guessed conjuncts, the largest set that is inductive.
//!
//! C. Flanagan, K. R. M. Leino, *Houdini, an Annotation Assistant for ESC/Java*, FME 2001, on the cutpoint graph. Bounds
//! of objects whose size is an input need invariants that relate three or four variables (`start + 4 * n <= end`) under
//! a condition (the tracked object is this one). Interpolants find them by luck; as guesses they are few.
//!
//! | paper | here |
//! |---|---|
//! | candidate annotations | [`candidates`] |
//! | refute until nothing changes | [`Search::refute`] |
//! | the annotations that remain | [`Search::needed`]: those that the proof needs |
//!
//! Departure: a model refutes all candidates that are false in it at once, and of those that remain only
//! what excludes the error, and what makes that inductive, becomes the proof.

use crate::blocks::{Blocks, InlinedView};
use crate::verdict::{Finding, Reason};
use craig_base::{Budget, IndexVec, OrderedSet, Set, Stats};
use craig_certificate::Invariant;
use craig_num::{Int, Rat};
use craig_program::encode::CutpointEncoding;
use craig_program::{Cell, CutEdgeId, CutId, Interval, Scope, StateVar, Type};
use craig_smt::{Answer, Solver};
use craig_term::{Op, SortId, Substitution, TermId, Terms};

/// Programs with more loops need more than guesses.
const MAX_CUTPOINTS: usize = 30;
/// Comparisons of the program that are guesses at one cutpoint.
const MAX_ATOMS: usize = 300;
/// Terms that guesses relate at one cutpoint.
const MAX_TERMS: usize = 24;
/// Of so many numbers, sums of two are guessed as well.
const MAX_SUMMED: usize = 10;
/// Addresses and factors that occur in them.
const MAX_ADDRESSES: usize = 6;
const MAX_FACTORS: usize = 4;
const MAX_CONSTANTS: usize = 1000;
/// Bytes that an object may have at least.
const SIZES: [i64; 14] = [1, 2, 4, 8, 12, 16, 24, 32, 40, 48, 64, 80, 96, 128];

/// Searches a program whose entry procedure has no calls.
pub fn check(tm: &mut Terms, view: &InlinedView<'_>, budget: &Budget, stats: &mut Stats) -> Finding {
    if view.encoding.cuts.cutpoints.len() > MAX_CUTPOINTS {
        return Finding::Unknown(Reason::NoCandidate);
    }
    let candidates = candidates(tm, view);
    stats.add("candidates", candidates.iter().map(|all| all.len() as u64).sum());
    let mut blocks = Blocks::new(tm, view);
    let mut after = IndexVec::from_elem(Vec::new(), candidates.len());
    for (edge, ends) in view.encoding.cuts.edges.enumerated() {
        if after[ends.to].is_empty() {
            after[ends.to] = candidates[ends.to].iter().map(|&c| blocks.at_target(tm, edge, c)).collect();
        }
    }
    let mut search = Search { blocks, tm, candidates, after, budget, stats };
    search.run().unwrap_or_else(Finding::from)
}

struct Search<'a> {
    tm: &'a mut Terms,
    blocks: Blocks<'a>,
    /// What is not refuted yet, over the current constants of each cutpoint.
    candidates: IndexVec<CutId, Vec<TermId>>,
    /// The same over its next constants.
    after: IndexVec<CutId, Vec<TermId>>,
    budget: &'a Budget,
    stats: &'a mut Stats,
}

impl Search<'_> {
    fn run(&mut self) -> Result<Finding, Reason> {
        self.refute()?;
        let left: usize = self.candidates.iter().map(Vec::len).sum();
        self.stats.add("candidates that hold", left as u64);
        let needed = self.needed()?.ok_or(Reason::NoCandidate)?;
        Ok(Finding::Safe(self.invariant(&needed)))
    }

    /// Removes candidates until the rest is inductive.
    fn refute(&mut self) -> Result<(), Reason> {
        let edges: Vec<CutEdgeId> = self.blocks.encoding.cuts.edges.indices().collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &edge in &edges {
                while self.refute_along(edge)? {
                    changed = true;
                }
            }
        }
        Ok(())
    }

    /// Removes the candidates that one more model of a block contradicts.
    fn refute_along(&mut self, edge: CutEdgeId) -> Result<bool, Reason> {
        self.budget.check()?;
        let cuts = &self.blocks.encoding.cuts;
        let (from, to) = (cuts.edges[edge].from, cuts.edges[edge].to);
        if to == cuts.error || self.candidates[to].is_empty() {
            return Ok(false);
        }
        let all = self.tm.and(&self.after[to]);
        let some_fails = self.tm.not(all);
        let mut assumptions = self.known(from);
        assumptions.push(some_fails);
        self.stats.add("solver calls", 1);
        let solver = self.blocks.solver(self.tm, edge);
        match solver.check(self.tm, &assumptions, self.budget) {
            Answer::Unsat => return Ok(false),
            Answer::Unknown(reason) => return Err(reason.into()),
            Answer::Sat => {}
        }
        let Some(model) = solver.model().cloned() else { return Err(Reason::internal("no model")) };
        let tm = &*self.tm;
        let holds: Vec<bool> =
            self.after[to].iter().map(|&after| tm.eval_bool(after, &model).unwrap_or(false)).collect();
        // A model that does not say which one fails refutes all.
        let all_hold = holds.iter().all(|&holds| holds);
        for terms in [&mut self.candidates[to], &mut self.after[to]] {
            let mut holds = holds.iter();
            terms.retain(|_| holds.next().is_some_and(|&holds| holds && !all_hold));
        }
        Ok(true)
    }

    fn known(&mut self, cut: CutId) -> Vec<TermId> {
        let mut known = self.candidates[cut].clone();
        known.push(self.blocks.facts(cut));
        known
    }

    /// The candidates from which it follows that no block leads to the error, and those from which these follow.
    fn needed(&mut self) -> Result<Option<IndexVec<CutId, Vec<TermId>>>, Reason> {
        let cuts = &self.blocks.encoding.cuts;
        let mut needed: IndexVec<CutId, OrderedSet<TermId>> =
            IndexVec::from_elem(OrderedSet::default(), cuts.cutpoints.len());
        let edges: Vec<(CutEdgeId, CutId, CutId)> =
            cuts.edges.enumerated().map(|(id, edge)| (id, edge.from, edge.to)).collect();
        let error = cuts.error;
        let mut pending: Vec<(CutId, TermId)> = Vec::new();
        for &(edge, from, _) in edges.iter().filter(|(_, _, to)| *to == error) {
            let Some(core) = self.core(edge, from, None)? else { return Ok(None) };
            pending.extend(core.into_iter().map(|term| (from, term)));
        }
        while let Some((cut, term)) = pending.pop() {
            if !needed[cut].insert(term) {
                continue;
            }
            for &(edge, from, _) in edges.iter().filter(|(_, _, to)| *to == cut) {
                let after = self.blocks.at_target(self.tm, edge, term);
                let outside = self.tm.not(after);
                let Some(core) = self.core(edge, from, Some(outside))? else { return Ok(None) };
                pending.extend(core.into_iter().map(|term| (from, term)));
            }
        }
        Ok(Some(needed.iter().map(|terms| terms.iter().copied().collect()).collect()))
    }

    /// The candidates that a refutation of the block uses; `None` if there is a model.
    fn core(
        &mut self,
        edge: CutEdgeId,
        from: CutId,
        also: Option<TermId>,
    ) -> Result<Option<Vec<TermId>>, Reason> {
        self.budget.check()?;
        let mut assumptions = self.known(from);
        assumptions.extend(also);
        let candidates: Set<TermId> = self.candidates[from].iter().copied().collect();
        let solver = self.blocks.solver(self.tm, edge);
        match solver.check(self.tm, &assumptions, self.budget) {
            Answer::Unsat => {
                Ok(Some(solver.core().iter().copied().filter(|term| candidates.contains(term)).collect()))
            }
            Answer::Sat => Ok(None),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    fn invariant(&mut self, conjuncts: &IndexVec<CutId, Vec<TermId>>) -> Invariant {
        let cuts = &self.blocks.encoding.cuts;
        let (entry, error) = (cuts.entry, cuts.error);
        let mut invariant = Invariant::default();
        for cut in conjuncts.indices().filter(|&cut| cut != entry && cut != error) {
            let mut all = conjuncts[cut].clone();
            // The blocks rely on the ranges: the candidates are inductive together with them.
            all.push(self.blocks.facts(cut));
            let formula = self.tm.and(&all);
            invariant.formulas.insert(self.blocks.encoding.cuts.location(cut), formula);
        }
        invariant
    }
}

/// The guesses for each cutpoint; none for the entry and the error.
fn candidates(tm: &mut Terms, view: &InlinedView<'_>) -> IndexVec<CutId, Vec<TermId>> {
    let encoding = &view.encoding;
    let words = Words::of(tm, encoding);
    let mut all = IndexVec::new();
    for cut in encoding.cuts.cutpoints.indices() {
        let guesses = if cut == encoding.cuts.entry || cut == encoding.cuts.error {
            OrderedSet::default()
        } else {
            guesses(tm, view, cut, &words)
        };
        all.push(guesses.into_iter().filter(|&g| !tm.is_true(g) && !tm.is_false(g)).collect());
    }
    all
}

/// What the blocks speak of, over current constants.
struct Words {
    atoms: OrderedSet<TermId>,
    selects: OrderedSet<TermId>,
    /// The sorts of arrays and where they are written.
    written: OrderedSet<(SortId, TermId)>,
    factors: OrderedSet<Int>,
    /// The sizes of numbers.
    constants: OrderedSet<Int>,
}

impl Words {
    fn of(tm: &mut Terms, encoding: &CutpointEncoding) -> Words {
        let constants = encoding.states.iter().flatten();
        let mut renaming =
            Substitution::from_pairs(constants.map(|constant| (constant.next, constant.current)));
        let mut words = Words {
            atoms: OrderedSet::default(),
            selects: OrderedSet::default(),
            written: OrderedSet::default(),
            factors: [Int::ONE].into_iter().collect(),
            constants: OrderedSet::default(),
        };
        for block in &encoding.blocks {
            for t in tm.postorder(&[block.formula]) {
                if tm.op(t) == Op::Select && tm.is_int(t) {
                    let select = renaming.apply(tm, t);
                    words.selects.insert(select);
                }
                if tm.op(t) == Op::Store && tm.is_int(tm.arg(t, 2)) {
                    let index = renaming.apply(tm, tm.arg(t, 1));
                    words.written.insert((tm.sort(t), index));
                }
                if matches!(tm.op(t), Op::Le | Op::Eq) && tm.is_int(tm.arg(t, 0)) {
                    let atom = renaming.apply(tm, t);
                    words.atoms.insert(atom);
                }
                if tm.is_int(t) {
                    words.numbers(tm, t);
                }
            }
        }
        words
    }

    fn numbers(&mut self, tm: &Terms, t: TermId) {
        let sum = tm.linear(t);
        if let Some(constant) = sum.constant.to_int()
            && sum.terms.len() <= 1
            && self.constants.len() < MAX_CONSTANTS
        {
            let size = if constant < Int::ZERO { -&constant } else { constant };
            self.constants.insert(size);
        }
        for (_, factor) in &sum.terms {
            if let Some(factor) = factor.to_int()
                && factor > Int::ONE
                && factor < Int::from(4096)
                && self.factors.len() < MAX_FACTORS
            {
                self.factors.insert(factor);
            }
        }
    }
}

/// The constants at which allocated objects begin.
fn addresses(tm: &mut Terms, view: &InlinedView<'_>, words: &Words) -> Vec<TermId> {
    let Some(next) = view.program.next_address else { return Vec::new() };
    let Scope::Global { init } = view.program.vars[next].scope else { return Vec::new() };
    let (first, unit) = (Int::from(init), Int::from(view.program.data_model.guard_bytes()));
    let mut found: OrderedSet<Int> = OrderedSet::default();
    for constant in &words.constants {
        // Comparisons may be one off.
        for near in [constant - &Int::ONE, constant.clone(), constant + &Int::ONE] {
            let distance = &near - &first;
            if distance >= Int::ZERO && distance.div_floor(&unit) * unit.clone() == distance {
                found.insert(near);
            }
        }
    }
    found.into_iter().take(MAX_ADDRESSES).map(|address| tm.int(address)).collect()
}

fn guesses(tm: &mut Terms, view: &InlinedView<'_>, cut: CutId, words: &Words) -> OrderedSet<TermId> {
    let state = &view.encoding.states[cut];
    let known: Set<TermId> = state.iter().map(|constant| constant.current).collect();
    let is_here = |tm: &Terms, t: TermId| tm.free_consts(t).iter().all(|c| known.contains(c));
    let named = |tm: &Terms, wanted: &str| {
        let mut all = state.iter().map(|constant| constant.current);
        all.find(|&c| tm.const_name(c).is_some_and(|name| name.starts_with(wanted)))
    };
    let tracked = ["start", "end", "limit", "live"].map(|part| named(tm, &format!(".tracked.{part}")));
    let next_address = named(tm, "next_address");
    let is_bookkeeping = |t: TermId| tracked.contains(&Some(t)) || next_address == Some(t);
    // Pointers are compared with pointers, numbers with numbers.
    let is_pointer = |var: StateVar| match var {
        StateVar::Var(var) => view.program.vars[var].ty == Type::Pointer,
        StateVar::Region(region) => view.program.regions[region].cell == Cell::Scalar(Type::Pointer),
    };
    let (mut pointers, mut numbers) = (Vec::new(), Vec::new());
    let mut add = |t: TermId, var: StateVar| {
        let terms = if is_pointer(var) { &mut pointers } else { &mut numbers };
        if terms.len() < MAX_TERMS && !terms.contains(&t) {
            terms.push(t);
        }
    };
    for constant in state {
        if tm.is_int(constant.current) && !is_bookkeeping(constant.current) {
            add(constant.current, constant.var);
        }
    }
    for constant in state {
        let array = constant.current;
        let read = words.selects.iter().copied();
        for select in
            read.filter(|&select| tm.arg(select, 0) == array && is_here(tm, select)).collect::<Vec<_>>()
        {
            add(select, constant.var);
        }
        let written =
            words.written.iter().filter(|(sort, index)| *sort == tm.sort(array) && is_here(tm, *index));
        for (_, index) in written.copied().collect::<Vec<_>>() {
            let select = tm.select(array, index);
            add(select, constant.var);
        }
    }
    let zero = tm.int(0);
    numbers.push(zero);
    let addresses = addresses(tm, view, words);
    let objects: Vec<TermId> = pointers.iter().chain(&addresses).copied().collect();
    let mut found = OrderedSet::default();
    // Order between any two, and what blocks ask, in both directions and with one more or less.
    for terms in [&objects, &numbers] {
        for &a in terms {
            for &b in terms.iter().filter(|&&b| b != a) {
                found.extend([tm.le(a, b), tm.lt(a, b)]);
            }
        }
    }
    if numbers.len() <= MAX_SUMMED {
        for (i, &a) in numbers.iter().enumerate() {
            for &b in &numbers[i..] {
                let sum = tm.add2(a, b);
                found.extend(numbers.iter().filter(|&&c| c != a && c != b).map(|&c| tm.le(sum, c)));
            }
        }
    }
    // What holds once a flag is set.
    let location = view.encoding.cuts.location(cut);
    let is_flag = |var: StateVar| match var {
        StateVar::Var(var) => {
            view.encoding.ranges.at(location, var).is_some_and(|range| range.is_within(&Interval::new(0, 1)))
        }
        StateVar::Region(_) => false,
    };
    for flag in state.iter().filter(|constant| is_flag(constant.var) && numbers.contains(&constant.current)) {
        let is_clear = tm.le(flag.current, zero);
        for &a in &numbers {
            for &b in numbers.iter().filter(|&&b| b != a) {
                for distance in 0..3 {
                    let distance = tm.int(distance);
                    let further = tm.add2(a, distance);
                    let order = tm.le(further, b);
                    found.insert(tm.or2(is_clear, order));
                }
            }
        }
    }
    let is_relation = |tm: &Terms, t: TermId| matches!(tm.op(t), Op::Le | Op::Eq) && tm.is_int(tm.arg(t, 0));
    let atoms: Vec<TermId> =
        words.atoms.iter().copied().filter(|&atom| is_relation(tm, atom) && is_here(tm, atom)).collect();
    for atom in atoms.into_iter().take(MAX_ATOMS) {
        let (a, b) = (tm.arg(atom, 0), tm.arg(atom, 1));
        found.extend([tm.le(a, b), tm.le(b, a), tm.lt(a, b), tm.lt(b, a)]);
    }
    // Strings end where their length says.
    for constant in state.iter().filter(|constant| matches!(constant.var, StateVar::Region(_))) {
        for (&p, &n) in pointers.iter().flat_map(|p| numbers.iter().map(move |n| (p, n))) {
            let index = tm.add2(p, n);
            let element = tm.select(constant.current, index);
            if tm.is_int(element) && !is_pointer(constant.var) {
                found.insert(tm.eq(element, zero));
            }
        }
    }
    let [Some(start), Some(end), limit, live] = tracked else { return found };
    // Some object is tracked, or none.
    let mut which = vec![tm.eq(start, zero)];
    which.extend(objects.iter().map(|&object| tm.eq(start, object)));
    found.insert(tm.or(&which));
    let summed: Vec<TermId> = if numbers.len() <= MAX_SUMMED {
        let pairs = numbers.iter().enumerate().flat_map(|(i, &a)| numbers[i..].iter().map(move |&b| (a, b)));
        pairs.map(|(a, b)| tm.add2(a, b)).collect()
    } else {
        numbers.clone()
    };
    for &object in &objects {
        for size in SIZES {
            let (is_this, size) = (tm.eq(start, object), tm.int(size));
            let (is_other, last) = (tm.not(is_this), tm.add2(object, size));
            let within = tm.le(last, end);
            found.insert(tm.or2(is_other, within));
        }
        let is_this = tm.eq(start, object);
        let is_other = tm.not(is_this);
        found.extend(live.map(|live| tm.or2(is_other, live)));
        for &n in &summed {
            for factor in &words.factors {
                let bytes = tm.scale(&Rat::from(factor.clone()), n);
                let last = tm.add2(object, bytes);
                let within = tm.le(last, end);
                found.insert(tm.or2(is_other, within));
                if let Some(limit) = limit {
                    let (before, after) = (tm.le(limit, object), tm.le(last, start));
                    found.insert(tm.or(&[is_this, before, after]));
                }
                found.extend(next_address.map(|next| tm.le(last, next)));
            }
        }
    }
    found
}
