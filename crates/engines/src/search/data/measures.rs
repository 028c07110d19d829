//! What is kept of data: sizes, constructors, sums.

use super::new_fold;
use craig_base::{Map, OrderedMap};
use craig_chc::{Case, Fact, Fold, Folds};
use craig_term::{FunId, SortId, TermId, Terms};

/// How many values of one kind are counted apart.
const MOST_COUNTS: usize = 3;

/// How much of data is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Sizes, and constructors where sizes do not tell them.
    Sizes,
    /// What is summed up over all parts, too.
    Sums,
}

/// The folds of all data types.
pub struct Measures<'a> {
    terms: &'a mut Terms,
    /// For each sort, all that its elements can have parts of.
    parts: OrderedMap<SortId, Vec<SortId>>,
    precision: Precision,
    pub folds: OrderedMap<SortId, Vec<FunId>>,
    pub definitions: Folds,
    /// Folds with few values, and how many.
    pub tags: Map<FunId, usize>,
}

impl<'a> Measures<'a> {
    pub fn of(terms: &'a mut Terms, precision: Precision) -> Self {
        let sorts: Vec<SortId> = terms.data_sorts().collect();
        let parts = sorts.iter().map(|&sort| (sort, parts(terms, sort))).collect();
        let (folds, definitions, tags) = Default::default();
        let mut measures = Measures { terms, parts, precision, folds, definitions, tags };
        // A sort comes after those of its parts that have no part of it.
        let mut order = sorts;
        order.sort_by_key(|sort| measures.parts[sort].len());
        for &sort in &order {
            measures.folds.entry(sort).or_default();
            measures.measure(sort);
        }
        measures
    }

    /// Whether elements of these sorts can be parts of each other.
    fn together(&self, one: SortId, other: SortId) -> bool {
        self.parts[&one].contains(&other) && self.parts[&other].contains(&one)
    }

    fn measure(&mut self, sort: SortId) {
        let made: Vec<FunId> = self.terms.constructors(sort).iter().map(|made| made.symbol).collect();
        let recursive = self.parts[&sort].contains(&sort);
        let zero = self.terms.int(0);
        let one = self.terms.int(1);
        if recursive {
            // Its own symbol is needed by its cases, and so are those of sorts that it is a part of.
            let size = self.own(sort, "size");
            let mut cases = Vec::new();
            let mut counted = Vec::new();
            for &constructor in &made {
                let parameters = self.parameters(constructor);
                let mut summands = Vec::new();
                for &x in &parameters {
                    let of = self.terms.sort(x);
                    if self.parts.contains_key(&of) && self.together(sort, of) {
                        let of = self.own(of, "size");
                        summands.push(self.terms.app(of, &[x]));
                    }
                }
                counted.push(!summands.is_empty());
                summands.push(if summands.is_empty() { zero } else { one });
                cases.push(Case { body: self.terms.add(&summands), parameters });
            }
            self.define(sort, size, cases);
            self.bound(sort, size, 0, None);
            let told = |kind: bool| counted.iter().filter(|&&counts| counts == kind).count() <= 1;
            if !(told(true) && told(false)) {
                let tag = self.tag(sort, &made);
                self.relate(sort, size, tag, &counted);
            }
            if self.precision == Precision::Sums {
                self.counts(sort, &made, &counted);
                self.sums(sort, &made);
            }
            return;
        }
        if made.len() > 1 {
            self.tag(sort, &made);
        }
        // What is not recursive has finitely many parts, which are kept one by one.
        for (which, &constructor) in made.iter().enumerate() {
            for place in 0..self.terms.signature(constructor).0.len() {
                let of = self.terms.signature(constructor).0[place];
                let kept: Vec<Option<FunId>> = match self.folds.get(&of) {
                    Some(folds) => folds.iter().copied().map(Some).collect(),
                    None if of == Terms::INT => vec![None],
                    None => Vec::new(),
                };
                for fold in kept {
                    let symbol = new_fold(self.terms, &format!("part{which}-{place}"), sort);
                    let mut cases = Vec::new();
                    for (other, &symbol) in made.iter().enumerate() {
                        let parameters = self.parameters(symbol);
                        let body = match fold {
                            _ if other != which => zero,
                            Some(fold) => self.terms.app(fold, &[parameters[place]]),
                            None => parameters[place],
                        };
                        cases.push(Case { parameters, body });
                    }
                    self.define(sort, symbol, cases);
                    if let Some(&count) = fold.and_then(|fold| self.tags.get(&fold)) {
                        self.tags.insert(symbol, count);
                        self.bound(sort, symbol, 0, Some(count as i64 - 1));
                    }
                }
            }
        }
    }

    fn parameters(&mut self, constructor: FunId) -> Vec<TermId> {
        let sorts = self.terms.signature(constructor).0.to_vec();
        sorts.into_iter().map(|sort| self.terms.fresh_const("a", sort)).collect()
    }

    /// The fold of this kind, known by its name, as recursion may go through other sorts.
    fn own(&mut self, sort: SortId, what: &str) -> FunId {
        let known = self.folds.get(&sort).into_iter().flatten().copied();
        let known = known.into_iter().find(|&symbol| self.terms.symbol_name(symbol).starts_with(what));
        known.unwrap_or_else(|| {
            let symbol = new_fold(self.terms, what, sort);
            self.folds.entry(sort).or_default().push(symbol);
            symbol
        })
    }

    fn define(&mut self, sort: SortId, symbol: FunId, cases: Vec<Case>) {
        let folds = self.folds.entry(sort).or_default();
        if !folds.contains(&symbol) {
            folds.push(symbol);
        }
        self.definitions.functions.push(Fold { symbol, cases });
    }

    /// Which constructor it was.
    fn tag(&mut self, sort: SortId, made: &[FunId]) -> FunId {
        let symbol = new_fold(self.terms, "made", sort);
        let mut cases = Vec::new();
        for (number, &constructor) in made.iter().enumerate() {
            let parameters = self.parameters(constructor);
            cases.push(Case { parameters, body: self.terms.int(number as i64) });
        }
        self.define(sort, symbol, cases);
        self.tags.insert(symbol, made.len());
        self.bound(sort, symbol, 0, Some(made.len() as i64 - 1));
        symbol
    }

    /// How often each constructor occurs among those of the sort that are counted alike.
    fn counts(&mut self, sort: SortId, made: &[FunId], counted: &[bool]) {
        for kind in [true, false] {
            let alike: Vec<usize> = (0..made.len()).filter(|&i| counted[i] == kind).collect();
            // What all of them sum up to is known.
            for &which in alike.iter().skip(1).take(MOST_COUNTS) {
                let symbol = self.sum(sort, made, &format!("count{which}"), which, |_, _| None);
                self.bound(sort, symbol, 0, None);
            }
        }
    }

    /// Adds up what other sorts and numbers contribute.
    fn sums(&mut self, sort: SortId, made: &[FunId]) {
        let mut added: Vec<SortId> = Vec::new();
        for &constructor in made {
            for &of in self.terms.signature(constructor).0 {
                let other = self.folds.contains_key(&of) && !self.together(sort, of);
                if (other || of == Terms::INT) && !added.contains(&of) {
                    added.push(of);
                }
            }
        }
        for added in added {
            if added == Terms::INT {
                self.sum(sort, made, "sum", made.len(), |terms, x| (terms.sort(x) == added).then_some(x));
                continue;
            }
            let Some(&first) = self.folds[&added].first() else { continue };
            let values = self.tags.get(&first).copied();
            for value in 1..values.unwrap_or(2).min(MOST_COUNTS + 1) {
                let symbol = self.sum(sort, made, "sum", made.len(), |terms, x| {
                    (terms.sort(x) == added).then(|| {
                        let part = terms.app(first, &[x]);
                        // Of what has few values, it is counted how often it has each.
                        if values.is_none() {
                            return part;
                        }
                        let [value, zero, one] = [value as i64, 0, 1].map(|number| terms.int(number));
                        let same = terms.eq(part, value);
                        terms.ite(same, one, zero)
                    })
                });
                self.bound(sort, symbol, 0, None);
            }
        }
    }

    /// A sum over an element's parts of its own sort: one for each use of a constructor, and what arguments add.
    fn sum(
        &mut self,
        sort: SortId,
        made: &[FunId],
        name: &str,
        counted: usize,
        adds: impl Fn(&mut Terms, TermId) -> Option<TermId>,
    ) -> FunId {
        let symbol = new_fold(self.terms, name, sort);
        let mut cases = Vec::new();
        for (which, &constructor) in made.iter().enumerate() {
            let parameters = self.parameters(constructor);
            let mut summands = vec![self.terms.int(i64::from(which == counted))];
            for &x in &parameters {
                if self.terms.sort(x) == sort {
                    summands.push(self.terms.app(symbol, &[x]));
                } else {
                    summands.extend(adds(self.terms, x));
                }
            }
            cases.push(Case { body: self.terms.add(&summands), parameters });
        }
        self.define(sort, symbol, cases);
        symbol
    }

    fn bound(&mut self, sort: SortId, symbol: FunId, least: i64, most: Option<i64>) {
        let x = self.terms.fresh_const("x", sort);
        let value = self.terms.app(symbol, &[x]);
        let least = self.terms.int(least);
        let mut bounds = vec![self.terms.le(least, value)];
        if let Some(most) = most {
            let most = self.terms.int(most);
            bounds.push(self.terms.le(value, most));
        }
        let formula = self.terms.and(&bounds);
        self.definitions.facts.push(Fact { parameters: vec![x], formula });
    }

    /// The size is zero for the constructors that are not counted.
    fn relate(&mut self, sort: SortId, size: FunId, tag: FunId, counted: &[bool]) {
        let x = self.terms.fresh_const("x", sort);
        let [size, tag] = [size, tag].map(|symbol| self.terms.app(symbol, &[x]));
        let zero = self.terms.int(0);
        let small = self.terms.le(size, zero);
        let mut leaves = Vec::new();
        for (number, _) in counted.iter().enumerate().filter(|&(_, &counts)| !counts) {
            let number = self.terms.int(number as i64);
            leaves.push(self.terms.eq(tag, number));
        }
        let leaf = self.terms.or(&leaves);
        let formula = self.terms.iff(small, leaf);
        self.definitions.facts.push(Fact { parameters: vec![x], formula });
    }
}

/// The data types of which elements of a sort can have parts.
fn parts(terms: &Terms, sort: SortId) -> Vec<SortId> {
    let mut found: Vec<SortId> = Vec::new();
    let mut open = vec![sort];
    while let Some(sort) = open.pop() {
        for &of in terms.constructors(sort).iter().flat_map(|made| terms.signature(made.symbol).0) {
            if terms.is_data(of) && !found.contains(&of) {
                found.push(of);
                open.push(of);
            }
        }
    }
    found
}
