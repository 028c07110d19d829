//! Slicing, inlining and merging.

use super::{Eliminated, Origin, OriginId, Tracked, clause};
use crate::system::{Application, Clause, PredicateId, System};
use craig_base::{IndexVec, OrderedMap, Set};
use craig_term::{Op, Substitution, TermId, Terms};

/// A constraint of more nodes is not copied.
const LARGEST_COPY: usize = 300;
/// No clause grows beyond this number of nodes.
const LARGEST_CLAUSE: usize = 20_000;

pub(super) struct Work {
    pub clauses: Vec<Tracked>,
    pub origins: IndexVec<OriginId, Origin>,
    pub eliminated: Vec<Eliminated>,
    pub gone: Set<PredicateId>,
}

impl Work {
    /// Removes predicates that cannot be derived, and those without which `false` is derived as well.
    pub fn slice(&mut self, system: &System) {
        let mut derivable: Set<PredicateId> = Set::default();
        loop {
            let before = derivable.len();
            for Tracked { clause, .. } in &self.clauses {
                if let Some(head) = &clause.head
                    && clause.body.iter().all(|atom| derivable.contains(&atom.predicate))
                {
                    derivable.insert(head.predicate);
                }
            }
            if derivable.len() == before {
                break;
            }
        }
        self.clauses
            .retain(|tracked| tracked.clause.body.iter().all(|atom| derivable.contains(&atom.predicate)));
        let mut relevant: Set<PredicateId> = Set::default();
        loop {
            let before = relevant.len();
            for Tracked { clause, .. } in &self.clauses {
                if clause.head.as_ref().is_none_or(|head| relevant.contains(&head.predicate)) {
                    relevant.extend(clause.body.iter().map(|atom| atom.predicate));
                }
            }
            if relevant.len() == before {
                break;
            }
        }
        self.clauses.retain(|tracked| {
            tracked.clause.head.as_ref().is_none_or(|head| relevant.contains(&head.predicate))
        });
        for predicate in system.predicates.indices() {
            if self.gone.contains(&predicate) {
                continue;
            }
            if !derivable.contains(&predicate) {
                self.gone.insert(predicate);
                self.eliminated.push(Eliminated::Empty(predicate));
            } else if !relevant.contains(&predicate) {
                self.gone.insert(predicate);
                self.eliminated.push(Eliminated::Unused(predicate));
            }
        }
    }

    /// Inlines the predicate for which that makes the fewest clauses, if there is one.
    pub fn inline_one(&mut self, terms: &mut Terms, system: &System) -> bool {
        let mut defining: IndexVec<PredicateId, Vec<usize>> =
            IndexVec::from_elem(Vec::new(), system.predicates.len());
        let mut using = defining.clone();
        for (index, Tracked { clause, .. }) in self.clauses.iter().enumerate() {
            if let Some(head) = &clause.head {
                defining[head.predicate].push(index);
            }
            for atom in &clause.body {
                using[atom.predicate].push(index);
            }
        }
        let mut best: Option<(usize, PredicateId)> = None;
        for predicate in system.predicates.indices() {
            let (defs, uses) = (&defining[predicate], &using[predicate]);
            let recursive = defs.iter().any(|index| uses.contains(index));
            if self.gone.contains(&predicate) || recursive || defs.is_empty() || uses.is_empty() {
                continue;
            }
            // A clause that uses it twice would need all pairs of definitions.
            let twice = uses.windows(2).any(|pair| pair[0] == pair[1]);
            let made = defs.len() * uses.len();
            if twice || made > defs.len() + uses.len() || best.is_some_and(|(least, _)| least <= made) {
                continue;
            }
            if self.is_affordable(terms, defs, uses) {
                best = Some((made, predicate));
            }
        }
        let Some((_, predicate)) = best else { return false };
        self.inline(terms, system, predicate, &defining[predicate], &using[predicate]);
        true
    }

    fn is_affordable(&self, terms: &Terms, defs: &[usize], uses: &[usize]) -> bool {
        let size = |index: &usize| terms.postorder(&self.clauses[*index].clause.roots()).len();
        let largest_def = defs.iter().map(size).max().unwrap_or(0);
        let largest_use = uses.iter().map(size).max().unwrap_or(0);
        (uses.len() == 1 || largest_def <= LARGEST_COPY)
            && (defs.len() == 1 || largest_use <= LARGEST_COPY)
            && largest_def + largest_use <= LARGEST_CLAUSE
            // Several calls of a procedure with calls of its own multiply.
            && (uses.len() == 1 || defs.iter().all(|&index| self.clauses[index].clause.body.len() <= 1))
    }

    fn inline(
        &mut self,
        terms: &mut Terms,
        system: &System,
        predicate: PredicateId,
        defs: &[usize],
        uses: &[usize],
    ) {
        let defining: Vec<Tracked> = defs.iter().map(|&index| self.clauses[index].clone()).collect();
        let users: Vec<Tracked> = uses.iter().map(|&index| self.clauses[index].clone()).collect();
        let mut made = Vec::new();
        for user in &users {
            let position = user.clause.body.iter().position(|atom| atom.predicate == predicate);
            let position = position.expect("a clause that uses the predicate");
            for definition in &defining {
                let clause = resolve(terms, &user.clause, position, &definition.clause);
                let origin = self.origins.push(Origin::Resolve {
                    using: user.origin,
                    position,
                    defining: definition.origin,
                    premises: definition.clause.body.len(),
                    predicate,
                });
                if let Some(clause) = clause::simplify(terms, clause) {
                    made.push(Tracked { clause, origin });
                }
            }
        }
        let mut index = 0;
        self.clauses.retain(|_| {
            index += 1;
            !defs.contains(&(index - 1)) && !uses.contains(&(index - 1))
        });
        self.clauses.extend(made);
        self.merge_all(terms, system);
        self.gone.insert(predicate);
        self.eliminated.push(Eliminated::Inlined {
            predicate,
            defining: defining.into_iter().map(|tracked| tracked.clause).collect(),
            using: users.into_iter().map(|tracked| tracked.clause).collect(),
        });
    }

    /// Merges clauses that have the same predicates at the same places.
    pub fn merge_all(&mut self, terms: &mut Terms, system: &System) {
        let mut groups: OrderedMap<(Option<PredicateId>, Vec<PredicateId>), Vec<Tracked>> =
            OrderedMap::default();
        for tracked in std::mem::take(&mut self.clauses) {
            let head = tracked.clause.head.as_ref().map(|head| head.predicate);
            let body = tracked.clause.body.iter().map(|atom| atom.predicate).collect();
            groups.entry((head, body)).or_default().push(tracked);
        }
        for ((head, body), group) in groups {
            if group.len() == 1 {
                self.clauses.extend(group);
                continue;
            }
            let mut body: Vec<Application> =
                body.into_iter().map(|predicate| fresh_application(terms, system, predicate)).collect();
            for (at, atom) in body.iter_mut().enumerate() {
                keep_values(terms, &group, |clause| Some(&clause.body[at]), atom);
            }
            let head = head.map(|predicate| {
                let mut head = fresh_application(terms, system, predicate);
                keep_values(terms, &group, |clause| clause.head.as_ref(), &mut head);
                pass_on(terms, &group, &body, &mut head);
                head
            });
            let mut cases = Vec::new();
            let mut origins = Vec::new();
            for Tracked { clause, origin } in group {
                cases.push(as_case(terms, &clause, head.as_ref(), &body));
                origins.push(origin);
            }
            let constraint = terms.or(&cases);
            let origin = self.origins.push(Origin::Choice(origins));
            if let Some(clause) = clause::simplify(terms, Clause { body, constraint, head }) {
                self.clauses.push(Tracked { clause, origin });
            }
        }
    }
}

/// `user` with the body of `definition` in place of the atom at `position`.
fn resolve(terms: &mut Terms, user: &Clause, position: usize, definition: &Clause) -> Clause {
    let user = user.renamed(terms);
    let mut definition = definition.renamed(terms);
    let atom = &user.body[position];
    let mut parts = Vec::new();
    if let Some(head) = definition.head.take() {
        let mut pairs: Vec<(TermId, TermId)> = Vec::new();
        let mut equal = Vec::new();
        for (&parameter, &arg) in head.args.iter().zip(&atom.args) {
            if matches!(terms.op(parameter), Op::Const(_)) && pairs.iter().all(|&(x, _)| x != parameter) {
                pairs.push((parameter, arg));
            } else {
                equal.push((parameter, arg));
            }
        }
        let mut substitution = Substitution::from_pairs(pairs);
        definition = definition.substitute(terms, &mut substitution);
        for (parameter, arg) in equal {
            let parameter = substitution.apply(terms, parameter);
            parts.push(terms.eq(parameter, arg));
        }
    }
    parts.extend([user.constraint, definition.constraint]);
    let mut body = user.body[..position].to_vec();
    body.extend(definition.body);
    body.extend_from_slice(&user.body[position + 1..]);
    Clause { body, constraint: terms.and(&parts), head: user.head }
}

fn fresh_application(terms: &mut Terms, system: &System, predicate: PredicateId) -> Application {
    let parameters = &system.predicates[predicate].parameters;
    let args = parameters.iter().map(|&parameter| terms.fresh_const("m", terms.sort(parameter))).collect();
    Application { predicate, args }
}

/// A value that all clauses have at the same place stays there.
fn keep_values<'c>(
    terms: &Terms,
    group: &'c [Tracked],
    atom: impl Fn(&'c Clause) -> Option<&'c Application>,
    merged: &mut Application,
) {
    for (position, arg) in merged.args.iter_mut().enumerate() {
        let mut values = group.iter().map(|tracked| atom(&tracked.clause).map(|atom| atom.args[position]));
        if let Some(Some(first)) = values.next()
            && terms.known_value(first).is_some()
            && values.all(|value| value == Some(first))
        {
            *arg = first;
        }
    }
}

/// What all clauses pass on from their bodies to their heads is passed on by what they become, too. Equations between
/// arguments within a disjunction would hide it.
fn pass_on(terms: &Terms, group: &[Tracked], body: &[Application], head: &mut Application) {
    let Some((first, others)) = group.split_first() else { return };
    let Some(concluded) = &first.clause.head else { return };
    for (position, &arg) in concluded.args.iter().enumerate() {
        let is_same = |atom: usize, at: usize| {
            others.iter().all(|Tracked { clause, .. }| {
                let passed = clause.body[atom].args[at];
                matches!(terms.op(passed), Op::Const(_))
                    && clause.head.as_ref().is_some_and(|head| head.args[position] == passed)
            })
        };
        let places = first.clause.body.iter().enumerate().flat_map(|(atom, application)| {
            let args = application.args.iter().enumerate();
            args.filter(|&(_, &passed)| passed == arg).map(move |(at, _)| (atom, at))
        });
        if matches!(terms.op(arg), Op::Const(_))
            && let Some((atom, at)) = places.into_iter().find(|&(atom, at)| is_same(atom, at))
        {
            head.args[position] = body[atom].args[at];
        }
    }
}

/// The constraint of a clause, said about other arguments.
fn as_case(terms: &mut Terms, clause: &Clause, head: Option<&Application>, body: &[Application]) -> TermId {
    let mut pairs: Vec<(TermId, TermId)> = Vec::new();
    let mut equal = Vec::new();
    let mine = clause.body.iter().chain(&clause.head);
    let theirs = body.iter().chain(head);
    for (mine, theirs) in mine.zip(theirs) {
        for (&arg, &parameter) in mine.args.iter().zip(&theirs.args) {
            if matches!(terms.op(arg), Op::Const(_)) && pairs.iter().all(|&(x, _)| x != arg) {
                pairs.push((arg, parameter));
            } else {
                equal.push((arg, parameter));
            }
        }
    }
    let mut substitution = Substitution::from_pairs(pairs);
    let mut parts = vec![substitution.apply(terms, clause.constraint)];
    for (arg, parameter) in equal {
        let arg = substitution.apply(terms, arg);
        parts.push(terms.eq(parameter, arg));
    }
    terms.and(&parts)
}
