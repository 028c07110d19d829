//! Interpolants of every structure: between two sides, along a tree, and on the nodes of a graph.

use craig_smt::interpolate::{Dag, DagEdge, DagInterpolation, Interpolation};
use craig_smt::term::TermId;
use craig_smt::term::smtlib::Error;
use craig_smt::{Answer, Context};

fn main() -> Result<(), Error> {
    let mut context = Context::new();
    context.read(
        "(declare-const x Int) (declare-const y Int) (declare-const z Int) (declare-const i Int)
         (declare-fun f (Int) Int)",
    )?;

    // Binary: what the first side says about the symbols that both have.
    context.push();
    let [a, b] = ["(and (= x (* 2 i)) (> x y))", "(and (= (f x) 1) (= y (+ x 1)))"]
        .map(|text| context.read(&format!("(assert {text})")).map(|assertions| assertions[0]));
    let (a, b) = (a?, b?);
    assert_eq!(context.check(), Answer::Unsat);
    let between = interpolants(context.sequence_interpolants(&[&[a], &[b]]));
    println!("between two sides: {}", context.show(between[0]));
    let (left, right) = (context.formula(a), context.formula(b));
    assert!(implies(&mut context, &[left], between[0]));
    assert!(contradict(&mut context, &[between[0], right]));
    context.pop();

    // A tree: two calls and the statement after them. A call is summarised on its own.
    context.push();
    let mut nodes = Vec::new();
    for text in ["(and (> x 3) (= x (f 1)))", "(and (< y 2) (= y (f 2)))", "(< x y)"] {
        nodes.extend(context.read(&format!("(assert {text})"))?);
    }
    let groups: Vec<_> = nodes.chunks(1).collect();
    let summaries = interpolants(context.tree_interpolants(&groups, &[2, 2, 2]));
    println!("of the two calls: {}; {}", context.show(summaries[0]), context.show(summaries[1]));
    for (node, &summary) in nodes.iter().zip(&summaries) {
        let formula = context.formula(*node);
        assert!(implies(&mut context, &[formula], summary));
    }
    let root = context.formula(nodes[2]);
    assert!(contradict(&mut context, &[summaries[0], summaries[1], root]));
    context.pop();

    // A graph: `x` grows on one branch and stays on the other; the error needs a negative one.
    let mut edge =
        |to: usize, text: &str| context.read_term(text, None).map(|formula| DagEdge { to, formula });
    let dag = Dag {
        edges: vec![
            vec![edge(1, "(= x 0)")?],
            vec![edge(2, "(= y (+ x 1))")?, edge(2, "(= y x)")?],
            vec![edge(3, "(< y 0)")?],
            vec![],
        ],
    };
    let DagInterpolation::Labels(found) = context.dag_interpolants(&dag) else {
        panic!("no path of the graph can be taken");
    };
    for (node, &label) in found.labels.iter().enumerate() {
        println!("at node {node}: {}", context.show(label));
        for edge in &dag.edges[node] {
            assert!(implies(&mut context, &[label, edge.formula], found.labels[edge.to]));
        }
    }
    Ok(())
}

fn interpolants(found: Interpolation) -> Vec<TermId> {
    match found {
        Interpolation::Interpolants(found) => found,
        other => panic!("{other:?}"),
    }
}

fn contradict(context: &mut Context, formulas: &[TermId]) -> bool {
    let mut checker = Context::new();
    std::mem::swap(context.terms_mut(), checker.terms_mut());
    for &formula in formulas {
        checker.assert(formula);
    }
    let answer = checker.check();
    std::mem::swap(context.terms_mut(), checker.terms_mut());
    answer == Answer::Unsat
}

fn implies(context: &mut Context, premises: &[TermId], conclusion: TermId) -> bool {
    let negated = context.terms_mut().not(conclusion);
    contradict(context, &[premises, &[negated]].concat())
}
