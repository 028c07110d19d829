//! The search for the largest inductive set of candidates, and for what of it a proof needs.

use super::relations::Relations;
use super::{Candidates, Conjuncts, is_equality};
use crate::search::inductive::{self, Induction};
use crate::verdict::{Finding, Reason};
use crate::view::blocks::{Blocks, InlinedView};
use craig_base::{Budget, IndexVec, Map, OrderedMap, OrderedSet, Set, Stats};
use craig_certificate::Invariant;
use craig_program::encode::BlockEncoding;
use craig_program::{CutEdgeId, CutId};
use craig_smt::native::Options;
use craig_smt::{Answer, Solver, UnknownReason, products};
use craig_term::{Model, Op, Substitution, TermId, Terms, Value};

/// How often a refutation is looked for with fewer candidates.
const ROUNDS: usize = 3;
/// How many instances one model adds.
const MAX_ACTIVATED: usize = 40;
/// Disjuncts of a candidate that is a single comparison: with those that say what is an object.
const SIMPLE: usize = 4;
/// How many candidates are evaluated at once.
const MAX_EVALUATED: usize = 200;
/// What a question may cost that data suggested: if it is hard, a guess is dropped.
const MAX_SPLITS: u64 = 500;
const MAX_CONFLICTS: u64 = 5_000;
/// How often a model is corrected that gives wrong values to products.
const MAX_CORRECTIONS: usize = 6;

/// What guesses hold for all of, if they speak of it.
pub(super) struct Quantified {
    /// After a block a guess may fail for these.
    constants: Vec<TermId>,
    /// For which ones guesses are of use along each block.
    places: IndexVec<CutEdgeId, Vec<TermId>>,
    /// Where each block accesses memory, if nothing else is to be said of the places: more than that is not sought by
    /// who checks the proof.
    accessed: Option<IndexVec<CutEdgeId, Set<TermId>>>,
}

impl Quantified {
    pub fn nothing(view: &InlinedView<'_>) -> Quantified {
        Quantified {
            constants: Vec::new(),
            places: IndexVec::from_elem(Vec::new(), view.encoding.blocks.len()),
            accessed: None,
        }
    }

    pub fn new(
        tm: &mut Terms,
        view: &InlinedView<'_>,
        constants: Vec<TermId>,
        places: impl Fn(&mut Terms, &BlockEncoding) -> Vec<TermId>,
    ) -> Quantified {
        let mut all = IndexVec::new();
        for block in view.encoding.blocks.iter() {
            let mut places = places(tm, block);
            // What holds of the one matters for the other.
            places.extend(if constants.len() > 1 { &constants[..] } else { &[] });
            all.push(places);
        }
        Quantified { constants, places: all, accessed: None }
    }

    /// Only guesses about what a block accesses are of use along it.
    pub fn of_accesses(
        mut self,
        tm: &mut Terms,
        view: &InlinedView<'_>,
        accessed: impl Fn(&mut Terms, &BlockEncoding) -> Set<TermId>,
    ) -> Quantified {
        self.accessed = Some(view.encoding.blocks.iter().map(|block| accessed(tm, block)).collect());
        self
    }
}

/// Looks for a proof among the candidates.
pub(super) fn prove(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    candidates: IndexVec<CutId, Candidates>,
    quantified: Quantified,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    let mut search = Search::new(tm, view, candidates, quantified, budget, stats);
    search.prove().unwrap_or_else(Finding::from)
}

/// Looks for a proof among candidates that data suggest. Besides the finding, the candidates that are inductive, if
/// there was the time to find them.
pub(super) fn search(
    tm: &mut Terms,
    view: &InlinedView<'_>,
    candidates: IndexVec<CutId, Candidates>,
    relations: IndexVec<CutId, Relations>,
    budget: &Budget,
    stats: &mut Stats,
) -> (Finding, Conjuncts) {
    let mut search = Search::new(tm, view, candidates, Quantified::nothing(view), budget, stats);
    search.blocks.options =
        Options { splits: MAX_SPLITS, conflicts: MAX_CONFLICTS, products: false, ..Options::default() };
    search.has_products = relations.iter().any(|relations| relations.degree > 1);
    search.relations = relations;
    if let Err(reason) = inductive::reduce(&mut search) {
        let none = IndexVec::from_elem(Vec::new(), search.candidates.len());
        return (reason.into(), none);
    }
    let finding = search.conclude().unwrap_or_else(Finding::from);
    (finding, search.candidates)
}

pub(super) struct Search<'a> {
    pub tm: &'a mut Terms,
    pub blocks: Blocks<'a>,
    /// What is not refuted yet, over the current constants of each cutpoint.
    pub candidates: IndexVec<CutId, Vec<TermId>>,
    weaker: IndexVec<CutId, Map<TermId, Vec<TermId>>>,
    /// Where equalities come from, if there are any.
    relations: IndexVec<CutId, Relations>,
    quantified: Quantified,
    /// What candidates say at the places of each block, as far as models asked for it.
    pub active: IndexVec<CutEdgeId, Vec<(TermId, TermId)>>,
    instances: Map<(CutEdgeId, TermId), Vec<TermId>>,
    /// The blocks that were asked about.
    begun: Set<CutEdgeId>,
    /// Whether candidates speak of products: then it is worth while to think about them.
    has_products: bool,
    /// What the solvers of blocks were told about products.
    product_facts: Set<(CutEdgeId, TermId)>,
    pub budget: &'a Budget,
    stats: &'a mut Stats,
}

impl Induction for Search<'_> {
    type Step = CutEdgeId;
    type Stop = Reason;

    fn steps(&self) -> Vec<CutEdgeId> {
        self.blocks.encoding.cuts.edges.indices().collect()
    }

    fn relying_on(&self, step: CutEdgeId) -> Vec<CutEdgeId> {
        let cuts = &self.blocks.encoding.cuts;
        cuts.cutpoints[cuts.edges[step].to].outgoing.clone()
    }

    fn refute(&mut self, step: CutEdgeId) -> Result<bool, Reason> {
        self.refute_along(step)
    }
}

impl<'a> Search<'a> {
    fn new(
        tm: &'a mut Terms,
        view: &'a InlinedView<'a>,
        mut candidates: IndexVec<CutId, Candidates>,
        quantified: Quantified,
        budget: &'a Budget,
        stats: &'a mut Stats,
    ) -> Search<'a> {
        stats.add("candidates", candidates.iter().map(|all| all.strongest.len() as u64).sum());
        let (mut strongest, mut weaker) = (IndexVec::new(), IndexVec::new());
        for all in candidates.iter_mut().map(std::mem::take) {
            strongest.push(all.strongest);
            weaker.push(all.weaker);
        }
        let all: Vec<TermId> = strongest.iter().flatten().copied().collect();
        let has_products = tm.postorder(&all).into_iter().any(|t| tm.op(t) == Op::Mul);
        Search {
            blocks: Blocks::new(tm, view),
            has_products,
            tm,
            candidates: strongest,
            weaker,
            relations: IndexVec::new(),
            active: IndexVec::from_elem(Vec::new(), quantified.places.len()),
            quantified,
            instances: Map::default(),
            begun: Set::default(),
            product_facts: Set::default(),
            budget,
            stats,
        }
    }

    /// A proof from candidates that are inductive.
    pub(super) fn conclude(&mut self) -> Result<Finding, Reason> {
        let left: usize = self.candidates.iter().map(Vec::len).sum();
        self.stats.add("candidates that hold", left as u64);
        let needed = self.needed()?.ok_or(Reason::NoCandidate)?;
        self.stats.add("conjuncts", needed.iter().map(|conjuncts| conjuncts.len() as u64).sum());
        Ok(Finding::Safe(self.invariant(&needed)))
    }

    /// Removes the candidates that one more model of a block contradicts.
    fn refute_along(&mut self, edge: CutEdgeId) -> Result<bool, Reason> {
        self.budget.check()?;
        let cuts = &self.blocks.encoding.cuts;
        let (from, to) = (cuts.edges[edge].from, cuts.edges[edge].to);
        if to == cuts.error || self.candidates[to].is_empty() {
            return Ok(false);
        }
        let candidates = std::mem::take(&mut self.candidates[to]);
        let all = self.tm.and(&candidates);
        self.candidates[to] = candidates;
        let after = self.blocks.at_target(self.tm, edge, all);
        let some_fails = self.tm.not(after);
        let candidates = self.candidates[from].clone();
        let model = match self.model(edge, from, &candidates, &[some_fails]) {
            Ok(Some(model)) => model,
            Ok(None) => return Ok(false),
            Err(UnknownReason::Stopped(reason)) => return Err(reason.into()),
            Err(_) => return self.retain_proved(edge, from, to),
        };
        let count = self.candidates[to].len();
        let mut holding = self.holding_after(edge, to, &model);
        // A model that does not say which one fails refutes all.
        if holding.len() == count && holding == self.candidates[to] {
            holding.clear();
        }
        if let Some(relations) = self.relations.get_mut(to) {
            let blocks = &mut self.blocks;
            let left = relations.refine(self.tm, &model, |tm, column| blocks.at_target(tm, edge, column));
            let known: Set<TermId> = holding.iter().copied().collect();
            holding.extend(left.into_iter().filter(|equality| !known.contains(equality)));
        }
        self.candidates[to] = holding;
        Ok(true)
    }

    /// The candidates that hold after a block in a model of it; where one fails, weaker ones take its place.
    pub(super) fn holding_after(&mut self, edge: CutEdgeId, to: CutId, model: &Model) -> Vec<TermId> {
        let mut holding = Vec::new();
        let mut pending: Vec<TermId> = self.candidates[to].iter().rev().copied().collect();
        let after = |search: &mut Self, candidate| search.blocks.at_target(search.tm, edge, candidate);
        let all: Vec<TermId> = pending.iter().map(|&candidate| after(self, candidate)).collect();
        let values = self.tm.eval_all(&all, model).unwrap_or_default();
        while let Some(candidate) = pending.pop() {
            let after = after(self, candidate);
            let holds = match values.get(&after) {
                Some(value) => *value == Value::Bool(true),
                None => self.tm.eval_bool(after, model).unwrap_or(false),
            };
            if holds {
                holding.push(candidate);
            } else if let Some(weaker) = self.weaker[to].remove(&candidate) {
                pending.extend(weaker);
            }
        }
        holding
    }

    /// Where the solver cannot decide whether all candidates hold after a block: keeps those of which it can be
    /// shown; for the others, weaker ones are tried.
    fn retain_proved(&mut self, edge: CutEdgeId, from: CutId, to: CutId) -> Result<bool, Reason> {
        let before = self.candidates[from].clone();
        // Equalities mostly follow from equalities: all else is in the way of who looks for that.
        let equal: Vec<TermId> = before.iter().copied().filter(|&t| is_equality(self.tm, t)).collect();
        let mut pending: Vec<TermId> = self.candidates[to].iter().rev().copied().collect();
        let (mut proved, mut changed) = (Vec::new(), false);
        while let Some(candidate) = pending.pop() {
            let after = self.blocks.at_target(self.tm, edge, candidate);
            let fails = self.tm.not(after);
            if is_equality(self.tm, candidate) && self.model(edge, from, &equal, &[fails]) == Ok(None) {
                proved.push(candidate);
                continue;
            }
            match self.model(edge, from, &before, &[fails]) {
                Ok(None) => proved.push(candidate),
                Err(UnknownReason::Stopped(reason)) => return Err(reason.into()),
                Ok(Some(_)) | Err(_) => {
                    changed = true;
                    pending.extend(self.weaker[to].remove(&candidate).into_iter().flatten());
                }
            }
        }
        self.candidates[to] = proved;
        Ok(changed)
    }

    /// A model of a block before which the candidates hold, at all of its places.
    pub(super) fn model(
        &mut self,
        edge: CutEdgeId,
        from: CutId,
        candidates: &[TermId],
        also: &[TermId],
    ) -> Result<Option<Model>, UnknownReason> {
        let still: Set<TermId> = candidates.iter().copied().collect();
        self.begin(edge, candidates);
        let mut corrections = 0;
        loop {
            let mut assumptions = also.to_vec();
            assumptions.push(self.blocks.facts(from));
            assumptions.extend(candidates);
            let active = self.active[edge].iter().filter(|(_, by)| still.contains(by));
            assumptions.extend(active.map(|(instance, _)| instance));
            self.stats.add("solver calls", 1);
            let solver = self.blocks.solver(self.tm, edge);
            match solver.check(self.tm, &assumptions, self.budget) {
                Answer::Unsat => return Ok(None),
                Answer::Unknown(reason) => {
                    corrections += 1;
                    if !self.has_products
                        || corrections > MAX_CORRECTIONS
                        || !self.correct_products(edge, &mut assumptions)
                    {
                        return Err(reason);
                    }
                    // With the values of this model for factors, products are linear.
                    let solver = self.blocks.solver(self.tm, edge);
                    if solver.check(self.tm, &assumptions, self.budget) != Answer::Sat {
                        continue;
                    }
                }
                Answer::Sat => {}
            }
            let solver = self.blocks.solver(self.tm, edge);
            let Some(model) = solver.model().cloned() else {
                return Err(UnknownReason::Backend("no model".to_string()));
            };
            if !self.activate(edge, candidates, &model) {
                return Ok(Some(model));
            }
        }
    }

    /// Tells the solver of a block more about products, if its last model gives them wrong values. To the
    /// assumptions are added the values of factors in that model.
    fn correct_products(&mut self, edge: CutEdgeId, assumptions: &mut Vec<TermId>) -> bool {
        let Some(candidate) = self.blocks.solver(self.tm, edge).candidate().cloned() else { return false };
        let mut formulas = assumptions.to_vec();
        formulas.push(self.blocks.encoding.blocks[edge].formula);
        let known = |fact: TermId| self.product_facts.contains(&(edge, fact));
        let facts = products::facts(self.tm, &formulas, &candidate, known);
        self.product_facts.extend(facts.iter().map(|&fact| (edge, fact)));
        let solver = self.blocks.solver(self.tm, edge);
        facts.iter().for_each(|&fact| solver.assert(self.tm, fact));
        for case in products::cases(self.tm, &formulas, &candidate) {
            assumptions.push(case.condition(self.tm));
        }
        !facts.is_empty()
    }

    /// When a block is asked about for the first time: adds what single comparisons say at its places, before models ask for
    /// it one by one.
    fn begin(&mut self, edge: CutEdgeId, candidates: &[TermId]) {
        if self.quantified.accessed.is_none() || !self.begun.insert(edge) {
            return;
        }
        for &candidate in candidates {
            if self.tm.op(candidate) == Op::Or && self.tm.args(candidate).len() <= SIMPLE {
                let instances = self.instances_along(edge, candidate);
                self.active[edge].extend(instances.into_iter().map(|instance| (instance, candidate)));
            }
        }
    }

    /// Adds what candidates say at places and the model contradicts.
    fn activate(&mut self, edge: CutEdgeId, candidates: &[TermId], model: &Model) -> bool {
        let mut found = Vec::new();
        for some in candidates.chunks(MAX_EVALUATED) {
            let mut all = Vec::new();
            for &candidate in some {
                let instances = self.instances_along(edge, candidate);
                all.extend(instances.into_iter().map(|instance| (instance, candidate)));
            }
            // Instances have most of their parts in common.
            let instances: Vec<TermId> = all.iter().map(|(instance, _)| *instance).collect();
            let Ok(values) = self.tm.eval_all(&instances, model) else { continue };
            found.extend(all.into_iter().filter(|(instance, _)| values[instance] == Value::Bool(false)));
            if found.len() >= MAX_ACTIVATED {
                found.truncate(MAX_ACTIVATED);
                break;
            }
        }
        let before = self.active[edge].len();
        for instance in found {
            if !self.active[edge].contains(&instance) {
                self.active[edge].push(instance);
            }
        }
        self.active[edge].len() > before
    }

    /// What a candidate says at the places of a block.
    fn instances_along(&mut self, edge: CutEdgeId, candidate: TermId) -> Vec<TermId> {
        if let Some(instances) = self.instances.get(&(edge, candidate)) {
            return instances.clone();
        }
        let bound = self.bound_in(candidate);
        let mut instances = if bound.is_empty() { Vec::new() } else { vec![candidate] };
        for any in bound {
            let before = instances.clone();
            for &place in &self.quantified.places[edge] {
                let mut substitution = Substitution::from_pairs([(any, place)]);
                instances.extend(before.iter().map(|&instance| substitution.apply(self.tm, instance)));
            }
        }
        instances.retain(|&instance| instance != candidate);
        if let Some(accessed) = &self.quantified.accessed {
            let is_met =
                |t: TermId| self.tm.op(t) == Op::Select && accessed[edge].contains(&self.tm.arg(t, 1));
            instances.retain(|&instance| self.tm.postorder(&[instance]).into_iter().any(is_met));
        }
        self.instances.insert((edge, candidate), instances.clone());
        instances
    }

    /// The candidates from which it follows that no block leads to the error, and those from which these follow.
    fn needed(&mut self) -> Result<Option<IndexVec<CutId, Vec<TermId>>>, Reason> {
        let cuts = &self.blocks.encoding.cuts;
        let mut needed: IndexVec<CutId, OrderedSet<TermId>> =
            IndexVec::from_elem(OrderedSet::default(), cuts.cutpoints.len());
        let edges: Vec<(CutEdgeId, CutId, CutId)> =
            cuts.edges.enumerated().map(|(id, edge)| (id, edge.from, edge.to)).collect();
        let error = cuts.error;
        // What is needed at a cutpoint, and not yet asked about.
        let mut pending: IndexVec<CutId, Vec<TermId>> = IndexVec::from_elem(Vec::new(), cuts.cutpoints.len());
        for &(edge, from, _) in edges.iter().filter(|(_, _, to)| *to == error) {
            let Some(core) = self.core(edge, from, &needed[from], None)? else { return Ok(None) };
            needed[from].extend(core.iter().copied());
            pending[from].extend(core);
        }
        // Later cutpoints first, so that those before them are asked once about all that they need.
        while let Some(cut) = pending.indices().rfind(|&cut| !pending[cut].is_empty()) {
            let terms = std::mem::take(&mut pending[cut]);
            // One question for all of them finds what they have in common. Of products each is hard enough.
            let at_once = if self.has_products { 1 } else { terms.len() };
            for &(edge, from, _) in edges.iter().filter(|(_, _, to)| *to == cut) {
                for some in terms.chunks(at_once) {
                    let all = self.tm.and(some);
                    let after = self.blocks.at_target(self.tm, edge, all);
                    let outside = self.tm.not(after);
                    let core = self.core(edge, from, &needed[from], Some(outside))?;
                    let Some(core) = core else { return Ok(None) };
                    needed[from].extend(core.iter().copied());
                    pending[from].extend(core);
                }
            }
        }
        Ok(Some(needed.iter().map(|terms| terms.iter().copied().collect()).collect()))
    }

    /// The candidates that a refutation of the block uses besides those that are known to be needed; `None` if there is a
    /// model.
    fn core(
        &mut self,
        edge: CutEdgeId,
        from: CutId,
        known: &OrderedSet<TermId>,
        also: Option<TermId>,
    ) -> Result<Option<Vec<TermId>>, Reason> {
        self.budget.check()?;
        let also: Vec<TermId> = also.into_iter().collect();
        let needed: Vec<TermId> = known.iter().copied().collect();
        if !needed.is_empty() && self.model(edge, from, &needed, &also) == Ok(None) {
            return Ok(Some(Vec::new()));
        }
        let mut core = self.candidates[from].clone();
        if self.has_products {
            let equal: Vec<TermId> = core.iter().copied().filter(|&t| is_equality(self.tm, t)).collect();
            if self.model(edge, from, &equal, &also) == Ok(None) {
                core = equal;
            }
        }
        // Each of them has to be proved as well: fewer are better.
        for _ in 0..ROUNDS {
            let before = core.len();
            core.reverse();
            if self.model(edge, from, &core, &also)?.is_some() {
                return Ok(None);
            }
            self.retain_used(edge, &mut core);
            if core.len() == before {
                break;
            }
        }
        core.retain(|candidate| !known.contains(candidate));
        if !self.quantified.constants.is_empty() {
            self.minimise(edge, from, &needed, &also, &mut core)?;
        }
        Ok(Some(core))
    }

    /// Keeps the candidates that the last refutation of a block used, itself or at some place.
    pub(super) fn retain_used(&mut self, edge: CutEdgeId, candidates: &mut Vec<TermId>) {
        let assumed: Set<TermId> = candidates.iter().copied().collect();
        // Several candidates may say the same at a place.
        let active = self.active[edge].iter().copied().filter(|(_, by)| assumed.contains(by));
        let said_by: Map<TermId, TermId> = active.collect();
        let used = self.blocks.solver(self.tm, edge).core();
        let used: Set<TermId> = used
            .iter()
            .map(
                |term| {
                    if assumed.contains(term) { *term } else { said_by.get(term).copied().unwrap_or(*term) }
                },
            )
            .collect();
        candidates.retain(|candidate| used.contains(candidate));
    }

    /// Leaves out what a refutation does not need besides what is needed anyway, quantified candidates first: they cost
    /// most in a proof.
    fn minimise(
        &mut self,
        edge: CutEdgeId,
        from: CutId,
        needed: &[TermId],
        also: &[TermId],
        core: &mut Vec<TermId>,
    ) -> Result<(), Reason> {
        core.sort_by_key(|&candidate| {
            (self.bound_in(candidate).len(), self.tm.postorder(&[candidate]).len())
        });
        // Those behind were tried already.
        let mut untried = core.len();
        while let Some(at) = untried.checked_sub(1) {
            untried = at;
            let mut fewer = core.clone();
            fewer.remove(at);
            let all: Vec<TermId> = needed.iter().chain(&fewer).copied().collect();
            match self.model(edge, from, &all, also) {
                Ok(None) => {
                    let first: Vec<TermId> = core[..at].to_vec();
                    self.retain_used(edge, &mut fewer);
                    untried = fewer.iter().filter(|candidate| first.contains(candidate)).count();
                    *core = fewer;
                }
                Err(UnknownReason::Stopped(reason)) => return Err(reason.into()),
                Ok(Some(_)) | Err(_) => {}
            }
        }
        Ok(())
    }

    /// The constants of a candidate that stand for anything.
    fn bound_in(&self, candidate: TermId) -> Vec<TermId> {
        let used = self.tm.free_consts(candidate);
        self.quantified.constants.iter().copied().filter(|any| used.contains(any)).collect()
    }

    fn invariant(&mut self, conjuncts: &IndexVec<CutId, Vec<TermId>>) -> Invariant {
        let cuts = &self.blocks.encoding.cuts;
        let (entry, error) = (cuts.entry, cuts.error);
        let mut invariant = Invariant::default();
        for cut in conjuncts.indices().filter(|&cut| cut != entry && cut != error) {
            let mut all = self.for_all(&conjuncts[cut]);
            // The blocks rely on the ranges: the candidates are inductive together with them.
            all.push(self.blocks.facts(cut));
            let formula = self.tm.and(&all);
            invariant.formulas.insert(self.blocks.encoding.cuts.location(cut), formula);
        }
        invariant
    }

    /// One quantifier for all conjuncts that need it.
    fn for_all(&mut self, conjuncts: &[TermId]) -> Vec<TermId> {
        let mut groups: OrderedMap<Vec<TermId>, Vec<TermId>> = OrderedMap::default();
        for &conjunct in conjuncts {
            groups.entry(self.bound_in(conjunct)).or_default().push(conjunct);
        }
        let mut all = Vec::new();
        for (bound, group) in groups {
            if bound.is_empty() {
                all.extend(group);
            } else {
                let body = self.tm.and(&group);
                all.push(self.tm.forall(&bound, body));
            }
        }
        all
    }
}
