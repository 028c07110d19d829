//! Smaller cases that still fail.

use super::check::Checker;
use super::generate::{Case, Event, Problem};
use craig_base::Map;
use craig_term::{TermId, Terms};

/// How many candidates are tried.
const ATTEMPTS: usize = 4000;

/// Takes one smaller candidate after the other as long as it fails, with whatever message.
pub fn shrink(checker: &mut Checker<'_>, terms: &mut Terms, case: Case, message: String) -> (Case, String) {
    let (mut case, mut message) = (case, message);
    let mut attempts = 0;
    'smaller: loop {
        for candidate in candidates(terms, &case) {
            attempts += 1;
            if attempts > ATTEMPTS {
                return (case, message);
            }
            if let Err(new) = checker.check(terms, &candidate) {
                (case, message) = (candidate, new);
                continue 'smaller;
            }
        }
        return (case, message);
    }
}

fn candidates(terms: &mut Terms, case: &Case) -> Vec<Case> {
    let problems: Vec<Problem> = match &case.problem {
        Problem::Script(events) => script(terms, events).into_iter().map(Problem::Script).collect(),
        Problem::Parts { parts, parents } => smaller_parts(terms, parts, parents),
        Problem::Graph { dag, restrictions } => {
            let mut all = Vec::new();
            for (from, out) in dag.edges.iter().enumerate() {
                for (place, edge) in out.iter().enumerate() {
                    let mut fewer = dag.clone();
                    fewer.edges[from].remove(place);
                    all.push(Problem::Graph { dag: fewer, restrictions: restrictions.clone() });
                    for formula in simpler(terms, edge.formula) {
                        let mut smaller = dag.clone();
                        smaller.edges[from][place].formula = formula;
                        all.push(Problem::Graph { dag: smaller, restrictions: restrictions.clone() });
                    }
                }
            }
            for node in 0..restrictions.len() {
                for formula in simpler(terms, restrictions[node]) {
                    let mut smaller = restrictions.clone();
                    smaller[node] = formula;
                    all.push(Problem::Graph { dag: dag.clone(), restrictions: smaller });
                }
            }
            all
        }
    };
    problems.into_iter().map(|problem| Case { problem, seed: case.seed }).collect()
}

fn script(terms: &mut Terms, events: &[Event]) -> Vec<Vec<Event>> {
    let mut all = Vec::new();
    for place in 0..events.len() {
        let mut fewer = events.to_vec();
        fewer.remove(place);
        all.push(fewer);
    }
    for (place, event) in events.iter().enumerate() {
        let mut replace = |event: Event| {
            let mut changed = events.to_vec();
            changed[place] = event;
            all.push(changed);
        };
        match event {
            Event::Assert(t) => {
                for formula in simpler(terms, *t) {
                    replace(Event::Assert(formula));
                }
            }
            Event::Check(list) => {
                for assumption in 0..list.len() {
                    let mut fewer = list.clone();
                    fewer.remove(assumption);
                    replace(Event::Check(fewer));
                    for formula in simpler(terms, list[assumption]) {
                        let mut changed = list.clone();
                        changed[assumption] = formula;
                        replace(Event::Check(changed));
                    }
                }
            }
            Event::Push | Event::Pop => {}
        }
    }
    all
}

fn smaller_parts(terms: &mut Terms, parts: &[TermId], parents: &[usize]) -> Vec<Problem> {
    let mut all = Vec::new();
    for place in 0..parts.len() {
        if parts.len() > 2 {
            let mut fewer = parts.to_vec();
            fewer.remove(place);
            let above = parents.get(place).copied().unwrap_or(place);
            let parents = (0..parents.len())
                .filter(|&part| part != place)
                .map(|part| if parents[part] == place { above } else { parents[part] })
                .map(|parent| if parent > place { parent - 1 } else { parent })
                .enumerate()
                .map(|(part, parent)| parent.clamp(part + 1, fewer.len() - 1))
                .take(fewer.len() - 1)
                .collect();
            all.push(Problem::Parts { parts: fewer, parents });
        }
        for formula in simpler(terms, parts[place]) {
            let mut smaller = parts.to_vec();
            smaller[place] = formula;
            all.push(Problem::Parts { parts: smaller, parents: parents.to_vec() });
        }
    }
    all
}

/// Smaller formulas: a subterm becomes one of its own subterms of the same sort, or a constant.
fn simpler(terms: &mut Terms, formula: TermId) -> Vec<TermId> {
    let size = terms.dag_size(formula);
    let mut found = Vec::new();
    let mut order = terms.postorder(&[formula]);
    order.reverse();
    for part in order.into_iter().take(40) {
        let sort = terms.sort(part);
        let mut replacements: Vec<TermId> = if sort == Terms::BOOL {
            vec![Terms::TRUE, Terms::FALSE]
        } else if sort == Terms::INT {
            vec![terms.int(0)]
        } else if sort == Terms::REAL {
            vec![terms.real(0)]
        } else {
            Vec::new()
        };
        let below = terms.postorder(&[part]);
        replacements.extend(below.into_iter().filter(|&t| t != part && terms.sort(t) == sort).take(8));
        for replacement in replacements {
            let map: Map<TermId, TermId> = [(part, replacement)].into_iter().collect();
            let smaller = terms.substitute(formula, &map);
            if terms.dag_size(smaller) < size && !found.contains(&smaller) {
                found.push(smaller);
            }
        }
    }
    found.sort_by_key(|&t| terms.dag_size(t));
    found
}
