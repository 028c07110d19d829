//! What has to hold for interpolants of all shapes.

use super::check::Checker;
use super::show::symbols;
use craig_base::OrderedSet;
use craig_smt::interpolate::{
    Dag, DagEdge, DagInterpolation, Effort, Failure, Interpolation, Method, Options, StateTransition,
    Strength, dag, generalize, restricted_dag, sequence, state_transition, tree,
};
use craig_smt::{Answer, NativeSolver, Solver};
use craig_term::{FunId, TermId, Terms};

/// Sequence, tree and state/transition interpolants; a binary one is a sequence of two parts.
pub fn parts(
    checker: &mut Checker<'_>,
    terms: &mut Terms,
    parts: &[TermId],
    parents: &[usize],
) -> Result<(), String> {
    let options = options(checker);
    let expected = match &mut checker.reference {
        Some(reference) if checker.asks => reference.satisfiable(terms, parts)?,
        _ => None,
    };
    let budget = checker.budget();
    let list = match sequence(terms, parts, &options, &budget) {
        Interpolation::Sat(model) => {
            checker.count(&Answer::Sat, expected)?;
            let holds = parts.iter().all(|&part| terms.eval_bool(part, &model) == Ok(true));
            return if holds { Ok(()) } else { Err("the model violates a part".to_string()) };
        }
        Interpolation::Unknown(failure) => return failed(checker, failure),
        Interpolation::Interpolants(list) => list,
    };
    checker.count(&Answer::Unsat, expected)?;
    checker.tally.sequences += 1;
    for (k, &part) in parts.iter().enumerate() {
        let before = if k == 0 { Terms::TRUE } else { list[k - 1] };
        let after = list.get(k).copied().unwrap_or(Terms::FALSE);
        let not_after = terms.not(after);
        checker.contradictory(terms, &[before, part, not_after], &format!("step {k} of a sequence"))?;
    }
    for (k, &t) in list.iter().enumerate() {
        common(terms, t, &parts[..=k], &parts[k + 1..])?;
    }
    generalized(checker, terms, parts, &list)?;
    let budget = checker.budget();
    if let Interpolation::Interpolants(found) = tree(terms, parts, parents, &options, &budget) {
        checker.tally.trees += 1;
        check_tree(checker, terms, parts, parents, &found)?;
    }
    let budget = checker.budget();
    if let Interpolation::Interpolants(found) = state_transition(terms, parts, &options, &budget) {
        checker.tally.state_transitions += 1;
        check_state_transition(checker, terms, parts, &found)?;
    }
    Ok(())
}

/// A generalised interpolant of one cut is one as well, and not larger.
fn generalized(
    checker: &mut Checker<'_>,
    terms: &mut Terms,
    parts: &[TermId],
    list: &[TermId],
) -> Result<(), String> {
    let k = checker.random.below(list.len());
    let effort = if checker.random.one_in(2) { Effort::Drop } else { Effort::Separate };
    let (a, b) = (terms.and(&parts[..=k]), terms.and(&parts[k + 1..]));
    let budget = checker.budget();
    let result = generalize(terms, a, b, list[k], effort, &budget);
    checker.tally.sizes.0 += terms.dag_size(list[k]) as u64;
    checker.tally.sizes.1 += terms.dag_size(result) as u64;
    let negation = terms.not(result);
    checker.contradictory(terms, &[a, negation], "a generalised interpolant does not follow")?;
    checker.contradictory(terms, &[result, b], "a generalised interpolant does not contradict")?;
    common(terms, result, &parts[..=k], &parts[k + 1..])
}

fn options(checker: &mut Checker<'_>) -> Options {
    let strength = checker.random.pick(&[Strength::McMillan, Strength::Pudlak, Strength::Dual]);
    Options { strength, minimize: checker.random.one_in(2) }
}

/// No interpolants: there may be none, or the time may be over.
fn failed(checker: &mut Checker<'_>, failure: Failure) -> Result<(), String> {
    match failure {
        Failure::Solver(reason) => checker.count(&Answer::Unknown(reason), None),
        Failure::MixedReasoning if !checker.theory.always_interpolates() => {
            checker.tally.no_interpolant += 1;
            Ok(())
        }
        failure => Err(format!("no interpolants: {failure}")),
    }
}

/// Whether a formula mentions only symbols of both sides.
fn common(terms: &Terms, t: TermId, a: &[TermId], b: &[TermId]) -> Result<(), String> {
    let (in_a, in_b): (OrderedSet<FunId>, OrderedSet<FunId>) = (symbols(terms, a), symbols(terms, b));
    match symbols(terms, &[t]).iter().find(|symbol| !in_a.contains(*symbol) || !in_b.contains(*symbol)) {
        None => Ok(()),
        Some(&symbol) => Err(format!("{} is a local symbol", terms.symbol_name(symbol))),
    }
}

fn check_tree(
    checker: &mut Checker<'_>,
    terms: &mut Terms,
    parts: &[TermId],
    parents: &[usize],
    found: &[TermId],
) -> Result<(), String> {
    for (node, &part) in parts.iter().enumerate() {
        let children = (0..node).filter(|&child| parents[child] == node).map(|child| found[child]);
        let mut facts: Vec<TermId> = children.collect();
        let own = found.get(node).copied().unwrap_or(Terms::FALSE);
        facts.extend([part, terms.not(own)]);
        checker.contradictory(terms, &facts, &format!("node {node} of a tree {parents:?}"))?;
        let mut inside = vec![false; parts.len()];
        inside[node] = true;
        for child in (0..node).rev() {
            inside[child] = inside[parents[child]];
        }
        let side = |wanted: bool| -> Vec<TermId> {
            parts.iter().zip(&inside).filter(|(_, is)| **is == wanted).map(|(&part, _)| part).collect()
        };
        common(terms, own, &side(true), &side(false))?;
    }
    Ok(())
}

fn check_state_transition(
    checker: &mut Checker<'_>,
    terms: &mut Terms,
    parts: &[TermId],
    found: &StateTransition,
) -> Result<(), String> {
    let StateTransition { states, transitions } = found;
    let last = parts.len() - 1;
    let implied = |checker: &mut Checker<'_>, terms: &mut Terms, facts: &[TermId], conclusion: TermId| {
        let mut facts = facts.to_vec();
        facts.push(terms.not(conclusion));
        checker.contradictory(terms, &facts, "a state/transition sequence")
    };
    implied(checker, terms, &[parts[0]], states[0])?;
    for (k, &transition) in transitions.iter().enumerate() {
        implied(checker, terms, &[parts[k + 1]], transition)?;
        implied(checker, terms, &[states[k], transition], states[k + 1])?;
        let others: Vec<TermId> =
            parts.iter().enumerate().filter(|(place, _)| *place != k + 1).map(|(_, &part)| part).collect();
        common(terms, transition, &[parts[k + 1]], &others)?;
    }
    implied(checker, terms, &[states[last - 1], parts[last]], Terms::FALSE)
}

/// DAG interpolants by both methods, and restricted ones.
pub fn graph(
    checker: &mut Checker<'_>,
    terms: &mut Terms,
    graph: &Dag,
    restrictions: &[TermId],
) -> Result<(), String> {
    let options = options(checker);
    let methods = [Method::Linearised, Method::Quantified, Method::NodeByNode];
    let first = checker.random.pick(&methods);
    let budget = checker.budget();
    let is_path = match dag(terms, graph, first, &options, &budget) {
        DagInterpolation::Unknown(failure) => return failed(checker, failure),
        DagInterpolation::Path { model, edges } => {
            checker.tally.paths += 1;
            let mut node = 0;
            for (from, taken) in edges {
                let DagEdge { to, formula } = graph.edges[from][taken];
                if from != node || terms.eval_bool(formula, &model) != Ok(true) {
                    return Err(format!("{from} to {to} is not on a path"));
                }
                node = to;
            }
            if node + 1 != graph.edges.len() {
                return Err("the path does not reach the exit".to_string());
            }
            true
        }
        DagInterpolation::Labels(found) => {
            checker.tally.dags += 1;
            let free = vec![Terms::TRUE; graph.edges.len()];
            check_labels(checker, terms, graph, &free, &found.labels)?;
            false
        }
    };
    let restrictions = well_labelled(checker, terms, graph, restrictions);
    let second = checker.random.pick(&methods);
    let budget = checker.budget();
    match restricted_dag(terms, graph, &restrictions, second, &options, &budget) {
        DagInterpolation::Unknown(failure) => failed(checker, failure),
        DagInterpolation::Path { .. } if is_path => Ok(()),
        DagInterpolation::Labels(found) => {
            checker.tally.restricted_dags += 1;
            if is_path {
                return Err("there is a path, but it is not found under a well-labelling".to_string());
            }
            check_labels(checker, terms, graph, &restrictions, &found.labels)
        }
        DagInterpolation::Path { .. } => Err("there is no path without restrictions".to_string()),
    }
}

/// Keeps the restrictions that follow from those before them.
fn well_labelled(
    checker: &Checker<'_>,
    terms: &mut Terms,
    graph: &Dag,
    restrictions: &[TermId],
) -> Vec<TermId> {
    let mut kept = vec![Terms::TRUE; restrictions.len()];
    // At the exit the label is false, whatever the restriction.
    for node in 1..restrictions.len() - 1 {
        let follows = graph.edges.iter().enumerate().all(|(from, out)| {
            out.iter().filter(|edge| edge.to == node).all(|edge| {
                let mut solver = NativeSolver::default();
                let violated = terms.not(restrictions[node]);
                for fact in [kept[from], edge.formula, violated] {
                    solver.assert(terms, fact);
                }
                solver.check(terms, &[], &checker.budget()) == Answer::Unsat
            })
        });
        if follows {
            kept[node] = restrictions[node];
        }
    }
    kept
}

fn check_labels(
    checker: &mut Checker<'_>,
    terms: &mut Terms,
    graph: &Dag,
    restrictions: &[TermId],
    labels: &[TermId],
) -> Result<(), String> {
    if labels.first() != Some(&Terms::TRUE) || labels.last() != Some(&Terms::FALSE) {
        return Err("the entry is not true or the exit is not false".to_string());
    }
    for (from, out) in graph.edges.iter().enumerate() {
        for edge in out {
            let violated = terms.not(labels[edge.to]);
            let facts = [labels[from], restrictions[from], edge.formula, violated];
            checker.contradictory(terms, &facts, &format!("edge {from} to {} of a graph", edge.to))?;
        }
    }
    for (node, &label) in labels.iter().enumerate() {
        let (before, behind) = around(graph, restrictions, node);
        common(terms, label, &before, &behind)?;
    }
    Ok(())
}

/// The formulas from which a node can be reached, and those that can be reached from it.
fn around(graph: &Dag, restrictions: &[TermId], node: usize) -> (Vec<TermId>, Vec<TermId>) {
    let mut leads = vec![false; graph.edges.len()];
    let mut follows = vec![false; graph.edges.len()];
    leads[node] = true;
    follows[node] = true;
    let (mut before, mut behind) = (Vec::new(), Vec::new());
    for (from, out) in graph.edges.iter().enumerate().rev() {
        for edge in out {
            if leads[edge.to] && edge.to <= node {
                leads[from] = true;
                before.extend([edge.formula, restrictions[from]]);
            }
        }
    }
    for (from, out) in graph.edges.iter().enumerate() {
        if follows[from] {
            for edge in out {
                follows[edge.to] = true;
                behind.extend([edge.formula, restrictions[from]]);
            }
        }
    }
    (before, behind)
}
