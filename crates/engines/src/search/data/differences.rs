//! Disequality as a predicate.
//!
//! What searches for models that cannot tell all data apart must not read `x != y` as it stands. So it becomes an atom
//! of a new predicate, which holds at least where data is different: two constructors differ, and so do terms of one
//! constructor whose arguments differ somewhere (Kostyukov, Mordvinov and Fedyukovich 2021, section 4.4).

use craig_base::{IndexVec, OrderedMap};
use craig_chc::{Application, Clause, Flat, Predicate, PredicateId, System};
use craig_term::{Op, SortId, TermId, Terms};

/// Clauses without disequalities of data.
pub struct Positive {
    /// Those of the system come first.
    pub predicates: IndexVec<PredicateId, Predicate>,
    pub clauses: Vec<Clause>,
    /// The predicates that say which elements of a sort are different.
    pub differ: OrderedMap<SortId, PredicateId>,
}

impl Positive {
    pub fn new(terms: &mut Terms, system: &System, cases: Vec<Flat>) -> Self {
        let mut positive = Positive {
            predicates: system.predicates.clone(),
            clauses: Vec::new(),
            differ: OrderedMap::default(),
        };
        for case in cases {
            let mut clause = case.clause;
            for (a, b) in case.distinct {
                clause.body.push(positive.differ(terms, a, b));
            }
            positive.clauses.push(clause);
        }
        let mut defined = 0;
        while let Some((&sort, _)) = positive.differ.get_index(defined) {
            positive.define(terms, sort);
            defined += 1;
        }
        positive
    }

    fn differ(&mut self, terms: &mut Terms, a: TermId, b: TermId) -> Application {
        let sort = terms.sort(a);
        let predicate = match self.differ.get(&sort) {
            Some(&known) => known,
            None => {
                let mut predicate = Predicate::new(terms, "differ", &[sort, sort]);
                predicate.auxiliary = true;
                let predicate = self.predicates.push(predicate);
                self.differ.insert(sort, predicate);
                predicate
            }
        };
        Application { predicate, args: vec![a, b] }
    }

    fn define(&mut self, terms: &mut Terms, sort: SortId) {
        let made: Vec<_> = terms.constructors(sort).iter().map(|made| made.symbol).collect();
        for &one in &made {
            for &other in &made {
                if one != other {
                    let [(a, _), (b, _)] = [one, other].map(|symbol| fresh(terms, symbol));
                    self.add(terms, Vec::new(), Terms::TRUE, (a, b));
                    continue;
                }
                for place in 0..terms.signature(one).0.len() {
                    let [(a, left), (b, right)] = [one, one].map(|symbol| fresh(terms, symbol));
                    let (x, y) = (left[place], right[place]);
                    if terms.is_data(terms.sort(x)) {
                        let premise = self.differ(terms, x, y);
                        self.add(terms, vec![premise], Terms::TRUE, (a, b));
                    } else {
                        let equal = terms.eq(x, y);
                        let different = terms.not(equal);
                        self.add(terms, Vec::new(), different, (a, b));
                    }
                }
            }
        }
    }

    fn add(
        &mut self,
        terms: &mut Terms,
        body: Vec<Application>,
        constraint: TermId,
        (a, b): (TermId, TermId),
    ) {
        let head = Some(self.differ(terms, a, b));
        self.clauses.push(Clause { body, constraint, head });
    }
}

/// A term of a constructor and new variables.
fn fresh(terms: &mut Terms, constructor: craig_term::FunId) -> (TermId, Vec<TermId>) {
    let sorts = terms.signature(constructor).0.to_vec();
    let args: Vec<TermId> = sorts.into_iter().map(|sort| terms.fresh_const("d", sort)).collect();
    (terms.app(constructor, &args), args)
}

/// The variables of data types in a clause.
pub fn data_variables(terms: &Terms, clause: &Clause) -> Vec<TermId> {
    let is_data = |t: &TermId| matches!(terms.op(*t), Op::Const(_)) && terms.is_data(terms.sort(*t));
    clause.variables(terms).into_iter().filter(is_data).collect()
}
