//! Random formulas, scripts, lists of parts and graphs.

use craig_num::{Int, Rat};
use craig_smt::interpolate::{Dag, DagEdge};
use craig_term::{FunId, SortId, TermId, Terms};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Theory {
    Bool,
    Lia,
    Lra,
    Lira,
    Uf,
    UfLia,
    Arrays,
    AufLia,
}

impl Theory {
    fn has_ints(self) -> bool {
        matches!(self, Theory::Lia | Theory::Lira | Theory::UfLia | Theory::Arrays | Theory::AufLia)
    }

    fn has_reals(self) -> bool {
        matches!(self, Theory::Lra | Theory::Lira)
    }

    pub fn has_arrays(self) -> bool {
        matches!(self, Theory::Arrays | Theory::AufLia)
    }

    /// Whether contradictory parts always have interpolants that a proof can give. Integers may need
    /// splits that mix parts.
    pub fn always_interpolates(self) -> bool {
        matches!(self, Theory::Bool | Theory::Lra)
    }
}

/// SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

#[derive(Clone, Debug)]
pub enum Event {
    Push,
    Pop,
    Assert(TermId),
    Check(Vec<TermId>),
}

#[derive(Clone, Debug)]
pub enum Problem {
    Script(Vec<Event>),
    /// Parts of an interpolation problem, and a tree over them: the parent of each but the last.
    Parts {
        parts: Vec<TermId>,
        parents: Vec<usize>,
    },
    /// A graph, and for each node a formula that may restrict it.
    Graph {
        dag: Dag,
        restrictions: Vec<TermId>,
    },
}

#[derive(Clone, Debug)]
pub struct Case {
    pub problem: Problem,
    /// Decides what the checks vary.
    pub seed: u64,
}

/// The symbols that a formula may use.
#[derive(Clone, Default)]
struct Vocabulary {
    bools: Vec<TermId>,
    ints: Vec<TermId>,
    reals: Vec<TermId>,
    elements: Vec<TermId>,
    arrays: Vec<TermId>,
    functions: Vec<FunId>,
}

pub struct Generator {
    theory: Theory,
    terms: Terms,
    random: Random,
    all: Vocabulary,
    /// What is in use now.
    vocabulary: Vocabulary,
    element_sort: SortId,
}

/// How many constants of a sort there are.
const CONSTANTS: usize = 5;

impl Generator {
    pub fn new(theory: Theory, number: u64) -> Self {
        let mut terms = Terms::new();
        let element_sort = terms.uninterpreted_sort("U");
        let array_sort = terms.array_sort(Terms::INT, Terms::INT);
        let mut constants = |prefix: &str, wanted: bool, sort: SortId| -> Vec<TermId> {
            let count = if wanted { CONSTANTS } else { 0 };
            let name = |i: usize| format!("{prefix}{i}");
            (0..count).map(|i| terms.declare_const(&name(i), sort).expect("no clash")).collect()
        };
        let mut all = Vocabulary {
            bools: constants("p", true, Terms::BOOL),
            ints: constants("i", theory.has_ints(), Terms::INT),
            reals: constants("r", theory.has_reals(), Terms::REAL),
            elements: constants("u", theory == Theory::Uf, element_sort),
            arrays: constants("a", theory.has_arrays(), array_sort),
            functions: Vec::new(),
        };
        let signatures: &[(&str, usize, SortId, SortId)] = match theory {
            Theory::Uf => &[
                ("f", 1, element_sort, element_sort),
                ("g", 2, element_sort, element_sort),
                ("q", 1, element_sort, Terms::BOOL),
            ],
            Theory::UfLia | Theory::AufLia => &[
                ("f", 1, Terms::INT, Terms::INT),
                ("g", 2, Terms::INT, Terms::INT),
                ("q", 1, Terms::INT, Terms::BOOL),
            ],
            _ => &[],
        };
        for &(name, arity, from, to) in signatures {
            all.functions.push(terms.declare_fun(name, &vec![from; arity], to).expect("no clash"));
        }
        let seed = (theory as u64) << 48 ^ number.wrapping_mul(0x2545_f491_4f6c_dd1d);
        Generator { theory, terms, random: Random::new(seed), vocabulary: all.clone(), all, element_sort }
    }

    pub fn case(mut self) -> (Terms, Case) {
        let problem = match self.random.below(5) {
            0 | 1 => Problem::Script(self.script()),
            2 | 3 => self.parts(),
            _ => self.graph(),
        };
        let seed = self.random.next();
        (self.terms, Case { problem, seed })
    }

    /// A case without interpolants, which cost most of the time.
    pub fn script_case(mut self) -> (Terms, Case) {
        let problem = Problem::Script(self.script());
        let seed = self.random.next();
        (self.terms, Case { problem, seed })
    }

    fn script(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        let mut depth = 0;
        for _ in 0..4 + self.random.below(8) {
            match self.random.below(8) {
                0 => {
                    depth += 1;
                    events.push(Event::Push);
                }
                1 if depth > 0 => {
                    depth -= 1;
                    events.push(Event::Pop);
                }
                2 | 3 => {
                    let count = self.random.below(3);
                    events.push(Event::Check((0..count).map(|_| self.formula(1)).collect()));
                }
                _ => events.push(Event::Assert(self.formula(2))),
            }
        }
        events.push(Event::Check(Vec::new()));
        events
    }

    /// Parts that see a window of the constants each, so that some are local.
    fn parts(&mut self) -> Problem {
        let count = 2 + self.random.below(4);
        let parts: Vec<TermId> = (0..count)
            .map(|place| {
                self.look(&[place % CONSTANTS, (place + 1) % CONSTANTS]);
                let conjuncts: Vec<TermId> = (0..3 + self.random.below(2)).map(|_| self.formula(1)).collect();
                self.terms.and(&conjuncts)
            })
            .collect();
        let parents = (0..count - 1).map(|place| place + 1 + self.random.below(count - place - 1)).collect();
        Problem::Parts { parts, parents }
    }

    /// A graph whose nodes have constants of their own; few symbols are everywhere.
    fn graph(&mut self) -> Problem {
        let nodes = 3 + self.random.below(3);
        let mut dag = Dag { edges: vec![Vec::new(); nodes] };
        for from in 0..nodes - 1 {
            let mut targets = vec![from + 1];
            if self.random.one_in(2) {
                targets.push(from + 1 + self.random.below(nodes - from - 1));
            }
            for to in targets {
                self.look(&[from % CONSTANTS, to % CONSTANTS]);
                let conjuncts: Vec<TermId> = (0..2 + self.random.below(4)).map(|_| self.formula(1)).collect();
                let formula = self.terms.and(&conjuncts);
                dag.edges[from].push(DagEdge { to, formula });
            }
        }
        let restrictions = (0..nodes)
            .map(|node| {
                self.look(&[node % CONSTANTS]);
                if node == 0 { Terms::TRUE } else { self.formula(1) }
            })
            .collect();
        Problem::Graph { dag, restrictions }
    }

    /// Uses the constants at these places only, sometimes one more.
    fn look(&mut self, places: &[usize]) {
        let more = self.random.below(3 * CONSTANTS);
        let choose = |list: &[TermId]| -> Vec<TermId> {
            let chosen = (0..list.len()).filter(|place| places.contains(place) || *place == more);
            chosen.map(|place| list[place]).collect()
        };
        let all = &self.all;
        self.vocabulary = Vocabulary {
            bools: choose(&all.bools),
            ints: choose(&all.ints),
            reals: choose(&all.reals),
            elements: choose(&all.elements),
            arrays: choose(&all.arrays),
            functions: all.functions.clone(),
        };
        // A function may be local, too.
        if self.random.one_in(3) && !self.vocabulary.functions.is_empty() {
            let place = self.random.below(self.vocabulary.functions.len());
            self.vocabulary.functions.remove(place);
        }
    }

    fn formula(&mut self, depth: usize) -> TermId {
        if depth == 0 || self.random.one_in(5) {
            return self.atom();
        }
        let args: Vec<TermId> = (0..3).map(|_| self.formula(depth - 1)).collect();
        match self.random.below(7) {
            0 | 1 => self.terms.or(&args[..2]),
            2 => self.terms.or(&args),
            3 => self.terms.and(&args[..2]),
            4 => self.terms.iff(args[0], args[1]),
            5 => self.terms.ite(args[0], args[1], args[2]),
            _ => self.terms.not(args[0]),
        }
    }

    fn atom(&mut self) -> TermId {
        let boolean = self.theory == Theory::Bool || self.random.one_in(6);
        if boolean {
            if let Some(predicate) = self.function(Terms::BOOL)
                && self.random.one_in(2)
            {
                return self.apply(predicate, 1);
            }
            let constant = self.random.pick(&self.vocabulary.bools);
            return if self.random.one_in(2) { self.terms.not(constant) } else { constant };
        }
        if self.theory == Theory::Uf {
            let (a, b) = (self.element(2), self.element(1));
            let equal = self.terms.eq(a, b);
            return if self.random.one_in(3) { self.terms.not(equal) } else { equal };
        }
        if self.theory.has_arrays() && self.random.one_in(3) {
            let (a, b) = (self.array(2), self.array(1));
            let equal = self.terms.eq(a, b);
            return if self.random.one_in(4) { self.terms.not(equal) } else { equal };
        }
        let real = self.theory == Theory::Lra || self.theory == Theory::Lira && self.random.one_in(2);
        let sort = if real { Terms::REAL } else { Terms::INT };
        let (a, b) = (self.number(sort, 2), self.number(sort, 1));
        // Pure arrays compare indices and elements only.
        let relations = if self.theory == Theory::Arrays { 2 } else { 4 };
        match self.random.below(relations) {
            0 => self.terms.eq(a, b),
            1 => {
                let equal = self.terms.eq(a, b);
                self.terms.not(equal)
            }
            2 => self.terms.le(a, b),
            _ => self.terms.lt(a, b),
        }
    }

    fn function(&mut self, result: SortId) -> Option<FunId> {
        let functions = self.vocabulary.functions.iter().copied();
        let fitting: Vec<FunId> = functions.filter(|&f| self.terms.signature(f).1 == result).collect();
        if fitting.is_empty() { None } else { Some(self.random.pick(&fitting)) }
    }

    fn apply(&mut self, function: FunId, depth: usize) -> TermId {
        let sorts = self.terms.signature(function).0.to_vec();
        let args: Vec<TermId> = sorts
            .into_iter()
            .map(
                |sort| if sort == self.element_sort { self.element(depth) } else { self.number(sort, depth) },
            )
            .collect();
        self.terms.app(function, &args)
    }

    fn element(&mut self, depth: usize) -> TermId {
        if depth > 0
            && self.random.one_in(2)
            && let Some(function) = self.function(self.element_sort)
        {
            return self.apply(function, depth - 1);
        }
        if depth > 0 && self.random.one_in(8) {
            let condition = self.formula(0);
            let (a, b) = (self.element(depth - 1), self.element(depth - 1));
            return self.terms.ite(condition, a, b);
        }
        self.random.pick(&self.vocabulary.elements)
    }

    fn array(&mut self, depth: usize) -> TermId {
        if depth == 0 || self.random.one_in(2) {
            return self.random.pick(&self.vocabulary.arrays);
        }
        let inner = self.array(depth - 1);
        if self.random.one_in(6) {
            let condition = self.formula(0);
            let other = self.array(depth - 1);
            return self.terms.ite(condition, inner, other);
        }
        let (index, element) = (self.number(Terms::INT, depth - 1), self.number(Terms::INT, depth - 1));
        self.terms.store(inner, index, element)
    }

    fn number(&mut self, sort: SortId, depth: usize) -> TermId {
        if self.theory.has_arrays() && depth > 0 && self.random.one_in(2) {
            let (array, index) = (self.array(depth - 1), self.number(Terms::INT, depth - 1));
            return self.terms.select(array, index);
        }
        if depth > 0
            && self.random.one_in(3)
            && let Some(function) = self.function(sort)
        {
            return self.apply(function, depth - 1);
        }
        let plain = self.theory == Theory::Arrays;
        if depth == 0 || plain || self.random.one_in(3) {
            return self.simple_number(sort);
        }
        let (a, b) = (self.number(sort, depth - 1), self.number(sort, depth - 1));
        match self.random.below(9) {
            0 | 1 => self.terms.add2(a, b),
            2 => self.terms.sub(a, b),
            3 | 4 => {
                let factor = Rat::from(self.random.below(9) as i64 - 4);
                self.terms.scale(&factor, a)
            }
            5 => {
                let condition = self.formula(0);
                self.terms.ite(condition, a, b)
            }
            6 if sort == Terms::INT => {
                let divisor = self.random.pick(&[2, 3, -2, 5]);
                let divisor = self.terms.int(divisor);
                if self.random.one_in(2) { self.terms.div(a, divisor) } else { self.terms.modulo(a, divisor) }
            }
            7 if sort == Terms::INT && self.theory == Theory::Lira => {
                let real = self.number(Terms::REAL, 0);
                self.terms.to_int(real)
            }
            8 => self.terms.abs(a),
            _ => self.terms.add2(a, b),
        }
    }

    fn simple_number(&mut self, sort: SortId) -> TermId {
        if self.random.one_in(5) {
            let value = self.random.below(11) as i64 - 5;
            if sort == Terms::INT {
                return self.terms.int(value);
            }
            let divisor = Int::from(1 + self.random.below(3) as i64);
            return self.terms.real(Rat::new(Int::from(value), divisor));
        }
        if sort == Terms::REAL && self.theory == Theory::Lira && self.random.one_in(4) {
            let x = self.random.pick(&self.vocabulary.ints);
            return self.terms.to_real(x);
        }
        let known = if sort == Terms::INT { &self.vocabulary.ints } else { &self.vocabulary.reals };
        self.random.pick(known)
    }
}
