//! The ways to DAG interpolants on unrolled programs: time, size of labels, queries, quantifiers.
//!
//! usage: `dag BRANCHINGS...`
//!
//! A program with two variables branches so many times, each time adding to both in one of two ways,
//! and may leave after each branching; the second never exceeds twice the first. Every node has its own
//! copy of the state.

use craig_base::Budget;
use craig_num::Rat;
use craig_smt::interpolate::{Dag, DagEdge, DagInterpolation, Method, Options, dag};
use craig_term::{SortId, TermId, Terms};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let sizes: Vec<usize> = std::env::args().skip(1).map(|size| size.parse()).collect::<Result<_, _>>()?;
    println!("sort branchings method milliseconds size queries quantified");
    for (name, sort) in [("Int", Terms::INT), ("Real", Terms::REAL)] {
        for &size in &sizes {
            for method in [Method::Linearised, Method::Quantified, Method::NodeByNode] {
                let mut terms = Terms::new();
                let graph = unrolled(&mut terms, sort, size);
                let start = Instant::now();
                match dag(&mut terms, &graph, method, &Options::default(), &Budget::unlimited()) {
                    DagInterpolation::Labels(found) => {
                        let total: usize = found.labels.iter().map(|&label| terms.dag_size(label)).sum();
                        let time = start.elapsed().as_millis();
                        println!(
                            "{name} {size} {method:?} {time} {total} {} {}",
                            found.by_query, found.quantified
                        );
                    }
                    other => return Err(format!("{other:?}").into()),
                }
            }
        }
    }
    Ok(())
}

/// Nodes: the entry, for each branching its start and its two branches, the exit of the loop, the error.
fn unrolled(terms: &mut Terms, sort: SortId, branchings: usize) -> Dag {
    let nodes = 3 * branchings + 4;
    let states: Vec<[TermId; 2]> =
        (0..nodes).map(|_| ["x", "y"].map(|name| terms.fresh_const(name, sort))).collect();
    let number = |terms: &mut Terms, value: i64| {
        if sort == Terms::INT { terms.int(value) } else { terms.real(Rat::from(value)) }
    };
    let mut graph = Dag { edges: vec![Vec::new(); nodes] };
    let leave = nodes - 2;
    let zero = number(terms, 0);
    let start: Vec<TermId> = states[1].iter().map(|&t| terms.eq(t, zero)).collect();
    graph.edges[0].push(DagEdge { to: 1, formula: terms.and(&start) });
    let mut step = |terms: &mut Terms, from: usize, to: usize, add: [i64; 2]| {
        let mut facts = Vec::new();
        for place in 0..2 {
            let change = number(terms, add[place]);
            let sum = terms.add2(states[from][place], change);
            facts.push(terms.eq(states[to][place], sum));
        }
        let formula = terms.and(&facts);
        graph.edges[from].push(DagEdge { to, formula });
    };
    for k in 0..=branchings {
        let head = 3 * k + 1;
        if k < branchings {
            step(terms, head, head + 1, [1, 2]);
            step(terms, head, head + 2, [2, 1]);
            step(terms, head + 1, head + 3, [0, 0]);
            step(terms, head + 2, head + 3, [0, 0]);
        }
        step(terms, head, leave, [0, 0]);
    }
    let [x, y] = states[leave];
    let double = terms.scale(&Rat::from(2), x);
    let bad = terms.lt(double, y);
    graph.edges[leave].push(DagEdge { to: nodes - 1, formula: bad });
    graph
}
