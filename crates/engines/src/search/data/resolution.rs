//! Derivations over data types: resolution from the queries backwards, with unification.
//!
//! Of the open goals, the one that the fewest clauses can derive is resolved first, so that programs on known inputs
//! run as they would, and wrong guesses end early. A step costs as many bits as it takes to say which clause was
//! chosen; what costs more than the bound waits for the next round. Constraints over other sorts are collected and
//! given to a solver when they change.

use super::cells::{Cell, Cells, Mark, Ref};
use super::not_flat;
use crate::horn::{HornVerdict, NewSolver};
use crate::verdict::Reason;
use craig_base::{Budget, IndexVec, Map, Set, Stats};
use craig_chc::{Application, Derivation, Flat, PredicateId, Step, StepId, System, flatten};
use craig_smt::Answer;
use craig_term::{FunId, Model, Op, SortId, Substitution, TermId, Terms};

/// The cost of the first round's derivations, and what each round adds.
const BITS: u32 = 2;
/// Steps without a choice are free; so many are allowed for each bit.
const STEPS_PER_BIT: usize = 40;
/// Elements of each sort that are tried where any are good enough.
const SAMPLES: usize = 12;
/// Steps between two looks at the budget.
const PATIENCE: u64 = 256;

/// Looks for a derivation of `false`.
pub fn solve(
    terms: &mut Terms,
    system: &System,
    new_solver: NewSolver<'_>,
    budget: &Budget,
    stats: &mut Stats,
) -> HornVerdict {
    let cases = match flatten(terms, system) {
        Ok(cases) => cases,
        Err(why) => return not_flat(why),
    };
    let rules: Vec<Rule> =
        cases.iter().filter(|case| !case.unspecified).map(|case| Rule::new(terms, case)).collect();
    let mut by_head: Map<Option<PredicateId>, Vec<usize>> = Map::default();
    for (i, rule) in rules.iter().enumerate() {
        by_head.entry(rule.case.clause.head.as_ref().map(|head| head.predicate)).or_default().push(i);
    }
    let pools = vec![Vec::new(); rules.len()];
    let mut search = Search {
        terms,
        rules,
        by_head,
        pools,
        new_solver,
        budget,
        cells: Cells::default(),
        state: State::default(),
        steps: Vec::new(),
        resolved: 0,
    };
    let mut bound = BITS;
    let verdict = loop {
        match search.round(bound) {
            Ok(Round::Found(model)) => break search.derivation(system, &model),
            Ok(Round::Cut) => bound += BITS,
            Ok(Round::Exhausted) => {
                break HornVerdict::Unknown(Reason::Data("every search for a derivation fails"));
            }
            Err(reason) => break HornVerdict::Unknown(reason),
        }
    };
    stats.add("resolution steps", search.resolved);
    stats.add("bits", u64::from(bound));
    verdict
}

enum Round {
    Found(Model),
    /// Something was too costly.
    Cut,
    Exhausted,
}

/// A case of a clause, ready to be copied into cells.
struct Rule<'a> {
    case: &'a Flat,
    pattern: Vec<Pattern>,
    body: Vec<(PredicateId, Vec<usize>)>,
    head: Vec<usize>,
    distinct: Vec<(usize, usize)>,
    /// Variables of data types, by their place in the pattern.
    variables: Vec<(TermId, usize)>,
    foreign: Vec<TermId>,
}

enum Pattern {
    Variable,
    Made(FunId, Vec<usize>),
    Foreign(TermId),
}

impl<'a> Rule<'a> {
    fn new(terms: &Terms, case: &'a Flat) -> Self {
        let is_data = |t: TermId| terms.is_data(terms.sort(t));
        let (data, foreign): (Vec<TermId>, Vec<TermId>) =
            case.variables(terms).into_iter().partition(|&x| is_data(x));
        let applications = case.clause.body.iter().chain(&case.clause.head);
        let mut roots: Vec<TermId> = applications.flat_map(|application| application.args.clone()).collect();
        roots.extend(case.distinct.iter().flat_map(|&(a, b)| [a, b]));
        roots.extend(&data);
        let order = terms.postorder(&roots);
        let mut needed: Set<TermId> = roots.iter().copied().collect();
        needed.extend(order.iter().filter(|&&t| is_data(t)).flat_map(|&t| terms.args(t)));
        let mut places: Map<TermId, usize> = Map::default();
        let mut pattern = Vec::new();
        for t in order.into_iter().filter(|t| needed.contains(t)) {
            places.insert(t, pattern.len());
            pattern.push(match terms.op(t) {
                Op::Const(_) if is_data(t) => Pattern::Variable,
                Op::App(symbol) if is_data(t) => {
                    Pattern::Made(symbol, terms.args(t).iter().map(|arg| places[arg]).collect())
                }
                _ => Pattern::Foreign(t),
            });
        }
        let place = |args: &[TermId]| args.iter().map(|arg| places[arg]).collect::<Vec<usize>>();
        let atom = |application: &Application| (application.predicate, place(&application.args));
        Rule {
            case,
            body: case.clause.body.iter().map(atom).collect(),
            head: case.clause.head.iter().flat_map(|head| place(&head.args)).collect(),
            distinct: case.distinct.iter().map(|(a, b)| (places[a], places[b])).collect(),
            variables: data.into_iter().map(|x| (x, places[&x])).collect(),
            foreign,
            pattern,
        }
    }
}

/// A premise of a step, still to be derived.
#[derive(Clone, Copy)]
struct Goal {
    /// `None` is `false`.
    predicate: Option<PredicateId>,
    /// The step that needs it, as which premise, and of which rule.
    step: usize,
    slot: usize,
    rule: usize,
    /// Where the cells of the step begin.
    base: Ref,
}

/// A clause as it was used.
struct Used {
    rule: usize,
    base: Ref,
    renaming: usize,
    goal: Goal,
}

/// What a choice changes, beside cells and steps.
#[derive(Clone, Default)]
struct State {
    goals: Vec<Goal>,
    distinct: Vec<(Ref, Ref)>,
    constraint: Vec<TermId>,
    cost: u32,
}

/// Where another clause could have been taken.
struct Choice {
    goal: Goal,
    others: Vec<usize>,
    mark: Mark,
    steps: usize,
    state: State,
}

struct Search<'a> {
    terms: &'a mut Terms,
    rules: Vec<Rule<'a>>,
    by_head: Map<Option<PredicateId>, Vec<usize>>,
    /// For each rule and each use at the same time, names for its variables of other sorts.
    pools: Vec<Vec<Substitution>>,
    new_solver: NewSolver<'a>,
    budget: &'a Budget,
    cells: Cells,
    state: State,
    steps: Vec<Used>,
    resolved: u64,
}

impl Search<'_> {
    /// All derivations up to a cost.
    fn round(&mut self, bound: u32) -> Result<Round, Reason> {
        let start = Goal { predicate: None, step: 0, slot: 0, rule: 0, base: 0 };
        self.state = State { goals: vec![start], ..State::default() };
        self.steps.clear();
        self.cells = Cells::default();
        let mut choices: Vec<Choice> = Vec::new();
        let mut cut = false;
        let most_steps = bound as usize * STEPS_PER_BIT;
        loop {
            let mut alive = false;
            if self.state.goals.is_empty() {
                if let Some(model) = self.complete()? {
                    return Ok(Round::Found(model));
                }
            } else {
                let (goal, candidates) = self.select();
                let cost = self.state.cost + bits(candidates.len());
                if cost > bound || self.steps.len() > most_steps {
                    cut = true;
                } else if let Some((&first, others)) = candidates.split_first() {
                    let goal = self.state.goals.remove(goal);
                    self.state.cost = cost;
                    if !others.is_empty() {
                        choices.push(Choice {
                            goal,
                            others: others.to_vec(),
                            mark: self.cells.mark(),
                            steps: self.steps.len(),
                            state: self.state.clone(),
                        });
                    }
                    alive = self.resolve(goal, first)?;
                }
            }
            while !alive {
                let Some(choice) = choices.last_mut() else {
                    return Ok(if cut { Round::Cut } else { Round::Exhausted });
                };
                self.cells.back_to(choice.mark);
                self.steps.truncate(choice.steps);
                let next = choice.others.remove(0);
                let goal = choice.goal;
                if choice.others.is_empty() {
                    let choice = choices.pop().expect("it is the last one");
                    self.state = choice.state;
                } else {
                    self.state = choice.state.clone();
                }
                alive = self.resolve(goal, next)?;
            }
        }
    }

    /// The goal with the fewest clauses that may derive it, and these.
    fn select(&self) -> (usize, Vec<usize>) {
        let mut best: Option<(usize, Vec<usize>)> = None;
        let mut scratch = Vec::new();
        for (i, goal) in self.state.goals.iter().enumerate() {
            let rules = self.by_head.get(&goal.predicate).map_or(&[][..], Vec::as_slice);
            let fewest = best.as_ref().map_or(usize::MAX, |(_, rules)| rules.len());
            let mut fitting = Vec::new();
            for &rule in rules {
                if self.may_derive(rule, goal, &mut scratch) {
                    fitting.push(rule);
                    if fitting.len() >= fewest {
                        break;
                    }
                }
            }
            if fitting.len() < fewest {
                let decided = fitting.len() <= 1;
                best = Some((i, fitting));
                if decided {
                    break;
                }
            }
        }
        best.expect("there are goals")
    }

    /// The arguments of a goal.
    fn args(&self, goal: &Goal) -> impl Iterator<Item = Ref> + '_ {
        let args = match goal.predicate {
            Some(_) => self.rules[goal.rule].body[goal.slot].1.as_slice(),
            None => &[],
        };
        let base = goal.base;
        args.iter().map(move |&arg| base + arg as Ref)
    }

    /// Whether no constructor of the head is another one than the goal's.
    fn may_derive(&self, rule: usize, goal: &Goal, open: &mut Vec<(usize, Ref)>) -> bool {
        let rule = &self.rules[rule];
        open.clear();
        open.extend(rule.head.iter().copied().zip(self.args(goal)));
        while let Some((pattern, at)) = open.pop() {
            if let Pattern::Made(constructor, parts) = &rule.pattern[pattern]
                && let (_, Cell::Made(other, start, end)) = self.cells.resolve(at)
            {
                if *constructor != other {
                    return false;
                }
                open.extend(parts.iter().copied().zip(self.cells.args(start, end).iter().copied()));
            }
        }
        true
    }

    /// Derives a goal by a clause; its premises are goals then. Whether that is possible.
    fn resolve(&mut self, goal: Goal, rule: usize) -> Result<bool, Reason> {
        self.resolved += 1;
        if self.resolved.is_multiple_of(PATIENCE) {
            self.budget.check()?;
        }
        let renaming = self.steps.iter().filter(|used| used.rule == rule).count();
        self.rename(rule, renaming);
        let base = self.cells.len();
        let of = &self.rules[rule];
        for pattern in &of.pattern {
            match pattern {
                Pattern::Variable => drop(self.cells.push(Cell::Free)),
                Pattern::Made(constructor, parts) => {
                    let parts = parts.iter().map(|&part| base + part as Ref);
                    self.cells.push_made(*constructor, parts);
                }
                Pattern::Foreign(t) => {
                    let t = self.pools[rule][renaming].apply(self.terms, *t);
                    self.cells.push(Cell::Foreign(t));
                }
            }
        }
        let mut equal = Vec::new();
        for (i, &pattern) in of.head.iter().enumerate() {
            let at = goal.base + self.rules[goal.rule].body[goal.slot].1[i] as Ref;
            if !self.cells.unify(at, base + pattern as Ref, &mut equal) {
                return Ok(false);
            }
        }
        let step = self.steps.len();
        self.steps.push(Used { rule, base, renaming, goal });
        let premises = of.body.iter().enumerate().map(|(slot, (predicate, _))| Goal {
            predicate: Some(*predicate),
            step,
            slot,
            rule,
            base,
        });
        self.state.goals.splice(0..0, premises);
        self.state.distinct.extend(of.distinct.iter().map(|&(a, b)| (base + a as Ref, base + b as Ref)));
        let mut conditions = vec![self.pools[rule][renaming].apply(self.terms, of.case.clause.constraint)];
        conditions.extend(equal.into_iter().map(|(a, b)| self.terms.eq(a, b)));
        conditions.retain(|&condition| condition != Terms::TRUE);
        if !self.differ() {
            return Ok(false);
        }
        if conditions.is_empty() {
            return Ok(true);
        }
        self.state.constraint.extend(conditions);
        Ok(self.check(&[])?.is_some())
    }

    /// Makes sure that there are names for this use of a rule.
    fn rename(&mut self, rule: usize, renaming: usize) {
        while self.pools[rule].len() <= renaming {
            let foreign = self.rules[rule].foreign.clone();
            let pairs: Vec<(TermId, TermId)> =
                foreign.into_iter().map(|x| (x, self.terms.fresh_const("r", self.terms.sort(x)))).collect();
            self.pools[rule].push(Substitution::from_pairs(pairs));
        }
    }

    /// Whether what must be different can be; forgets what is.
    fn differ(&mut self) -> bool {
        let mut possible = true;
        let cells = &self.cells;
        let terms = &mut *self.terms;
        self.state.distinct.retain(|&(a, b)| {
            let equal = cells.equal(terms, a, b);
            possible &= equal != Some(true);
            equal != Some(false)
        });
        possible
    }

    /// A model of the constraints and these, if there is one.
    fn check(&mut self, more: &[TermId]) -> Result<Option<Model>, Reason> {
        let mut formulas = self.state.constraint.clone();
        formulas.extend(more);
        let all = self.terms.and(&formulas);
        if all == Terms::TRUE || all == Terms::FALSE {
            return Ok((all == Terms::TRUE).then(Model::new));
        }
        let mut solver = (self.new_solver)();
        solver.assert(self.terms, all);
        match solver.check(self.terms, &[], self.budget) {
            Answer::Sat => Ok(Some(solver.model().cloned().unwrap_or_default())),
            Answer::Unsat => Ok(None),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// Chooses data for the variables that are left, so that what must be different is, and values for the rest.
    fn complete(&mut self) -> Result<Option<Model>, Reason> {
        let mut open: Vec<(Ref, SortId)> = Vec::new();
        for &(a, b) in &self.state.distinct {
            for at in [a, b].into_iter().flat_map(|at| self.cells.free(at)) {
                if !open.iter().any(|&(known, _)| known == at) {
                    open.push((at, self.sort_at(at)));
                }
            }
        }
        let samples: Map<SortId, Vec<TermId>> =
            open.iter().map(|&(_, sort)| (sort, samples(self.terms, sort))).collect();
        let mark = self.cells.mark();
        let pairs = self.state.distinct.clone();
        for shift in 0..SAMPLES {
            for (i, (at, sort)) in open.iter().enumerate() {
                let choices = &samples[sort];
                let chosen = choices[(i + shift) % choices.len()];
                let value = self.import(chosen);
                self.cells.bind(*at, value);
            }
            let mut conditions = Vec::new();
            for &(a, b) in &pairs {
                let [a, b] = [a, b].map(|at| self.ground(at));
                let equal = self.terms.eq(a, b);
                conditions.push(self.terms.not(equal));
            }
            if let Some(model) = self.check(&conditions)? {
                return Ok(Some(model));
            }
            self.cells.back_to(mark);
        }
        Ok(None)
    }

    /// The sort of a free variable: it belongs to the last step that began at or before it.
    fn sort_at(&self, at: Ref) -> SortId {
        let step = self.steps.partition_point(|used| used.base <= at) - 1;
        let used = &self.steps[step];
        let place = (at - used.base) as usize;
        let variables = &self.rules[used.rule].variables;
        let (x, _) = variables.iter().find(|&&(_, own)| own == place).expect("a variable is free");
        self.terms.sort(*x)
    }

    /// A ground term as cells.
    fn import(&mut self, t: TermId) -> Ref {
        let mut places: Map<TermId, Ref> = Map::default();
        for t in self.terms.postorder(&[t]) {
            let place = match self.terms.constructor_of(t) {
                Some(constructor) => {
                    let args: Vec<Ref> = self.terms.args(t).iter().map(|arg| places[arg]).collect();
                    self.cells.push_made(constructor, args.into_iter())
                }
                None => self.cells.push(Cell::Foreign(t)),
            };
            places.insert(t, place);
        }
        places[&t]
    }

    fn ground(&mut self, at: Ref) -> TermId {
        let sorts: Map<Ref, SortId> =
            self.cells.free(at).into_iter().map(|free| (free, self.sort_at(free))).collect();
        let mut smallest = |terms: &mut Terms, free: Ref| samples(terms, sorts[&free])[0];
        self.cells.term(self.terms, at, &mut smallest)
    }

    /// The derivation that was found, with values for all variables.
    fn derivation(&mut self, system: &System, model: &Model) -> HornVerdict {
        // A step is needed by an earlier one, so conclusions come first: backwards it is a derivation.
        let count = self.steps.len();
        let number = |step: usize| StepId((count - 1 - step) as u32);
        let mut premises: Vec<Vec<StepId>> =
            self.steps.iter().map(|used| vec![StepId(0); self.rules[used.rule].body.len()]).collect();
        for (step, used) in self.steps.iter().enumerate() {
            if used.goal.predicate.is_some() {
                premises[used.goal.step][used.goal.slot] = number(step);
            }
        }
        let mut steps = IndexVec::new();
        for step in (0..count).rev() {
            let Used { rule, base, renaming, .. } = self.steps[step];
            let mut pairs = Vec::new();
            for i in 0..self.rules[rule].variables.len() {
                let (x, place) = self.rules[rule].variables[i];
                pairs.push((x, self.ground(base + place as Ref)));
            }
            for i in 0..self.rules[rule].foreign.len() {
                let x = self.rules[rule].foreign[i];
                pairs.push((x, self.pools[rule][renaming].apply(self.terms, x)));
            }
            let mut values = Substitution::from_pairs(pairs);
            match self.step(system, rule, &mut values, model, std::mem::take(&mut premises[step])) {
                Some(step) => drop(steps.push(step)),
                None => return HornVerdict::Unknown(Reason::Data("a derivation that cannot be evaluated")),
            }
        }
        HornVerdict::Unsat(Derivation { steps })
    }

    fn step(
        &mut self,
        system: &System,
        rule: usize,
        values: &mut Substitution,
        model: &Model,
        premises: Vec<StepId>,
    ) -> Option<Step> {
        let case = self.rules[rule].case;
        let mut ground = Vec::new();
        for &(x, value) in &case.values {
            let value = values.apply(self.terms, value);
            ground.push((x, self.numbered(value, model)?));
        }
        let clause = &system.clauses[case.origin];
        let mut instance = Substitution::from_pairs(ground.iter().copied());
        // Evaluation finds only what exists.
        for root in clause.roots() {
            instance.apply(self.terms, root);
        }
        let mut head = Vec::new();
        for &arg in clause.head.iter().flat_map(|head| &head.args) {
            let arg = instance.apply(self.terms, arg);
            head.push(self.terms.eval(arg, model).ok()?);
        }
        let mut witness = Vec::new();
        let mut values = Model::new();
        for (x, value) in ground {
            let value = self.terms.eval(value, model).ok()?;
            values.set(x, value.clone());
            witness.push((x, value));
        }
        // Evaluation looks at both branches of an `ite`, and one may ask for what SMT-LIB leaves open.
        self.terms.eval_bool(clause.constraint, &values).ok()?;
        for &arg in clause.body.iter().chain(&clause.head).flat_map(|atom| &atom.args) {
            self.terms.eval(arg, &values).ok()?;
        }
        Some(Step { clause: case.origin, premises, values: head, witness })
    }

    /// A term with the model's values for its variables.
    fn numbered(&mut self, t: TermId, model: &Model) -> Option<TermId> {
        let mut pairs = Vec::new();
        for x in self.terms.free_consts(t) {
            let value = self.terms.eval(x, model).ok()?;
            pairs.push((x, self.terms.value_term(&value, self.terms.sort(x))?));
        }
        Some(Substitution::from_pairs(pairs).apply(self.terms, t))
    }
}

/// What it costs to say which of so many was chosen.
fn bits(choices: usize) -> u32 {
    choices.max(1).next_power_of_two().trailing_zeros()
}

/// Some elements of a data type, small ones first.
fn samples(terms: &mut Terms, sort: SortId) -> Vec<TermId> {
    let default = terms.default_value(sort);
    let mut found: Vec<TermId> = terms.value_term(&default, sort).into_iter().collect();
    let mut next = 0;
    while found.len() < SAMPLES {
        let before = found.len();
        for made in terms.constructors(sort).to_vec() {
            let sorts = terms.signature(made.symbol).0.to_vec();
            let mut args: Vec<TermId> = Vec::new();
            for &of in &sorts {
                let value = terms.default_value(of);
                args.extend(terms.value_term(&value, of));
            }
            if args.len() != sorts.len() {
                continue;
            }
            let own: Vec<usize> = (0..sorts.len()).filter(|&i| sorts[i] == sort).collect();
            let mut made_terms = vec![terms.app(made.symbol, &args)];
            for &i in &own {
                let mut args = args.clone();
                args[i] = found[next.min(found.len() - 1)];
                made_terms.push(terms.app(made.symbol, &args));
            }
            for t in made_terms {
                if !found.contains(&t) {
                    found.push(t);
                }
            }
        }
        next += 1;
        if found.len() == before && next >= found.len() {
            break;
        }
    }
    found
}
