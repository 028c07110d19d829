use super::*;
use craig_num::Rat;

fn contradictory(terms: &mut Terms, facts: &[TermId]) -> bool {
    let mut solver = NativeSolver::default();
    for &fact in facts {
        solver.assert(terms, fact);
    }
    solver.check(terms, &[], &Budget::unlimited()) == Answer::Unsat
}

fn constants(terms: &mut Terms, prefix: &str, n: usize) -> Vec<TermId> {
    (0..n).map(|i| terms.declare_const(&format!("{prefix}{i}"), Terms::INT).expect("no clash")).collect()
}

/// All methods, all four conditions of Definition 3.1; the labels of the linearised method.
fn check(terms: &mut Terms, graph: &Dag) -> DagLabels {
    let [linearised, ..] = [Method::Linearised, Method::Quantified, Method::NodeByNode].map(|method| {
        let DagInterpolation::Labels(result) =
            dag(terms, graph, method, &Options::default(), &Budget::unlimited())
        else {
            panic!("no labels by {method:?}")
        };
        let labels = &result.labels;
        assert_eq!(labels.first(), Some(&Terms::TRUE));
        assert_eq!(labels.last(), Some(&Terms::FALSE));
        for (from, out) in graph.edges.iter().enumerate() {
            for edge in out {
                let violated = terms.not(labels[edge.to]);
                assert!(
                    contradictory(terms, &[labels[from], edge.formula, violated]),
                    "{from} to {} by {method:?}",
                    edge.to
                );
            }
        }
        let places = Graph::new(terms, graph);
        for (node, &label) in labels.iter().enumerate() {
            for constant in terms.free_consts(label) {
                assert!(
                    places.is_mentioned_before(constant, node) && places.is_mentioned_behind(constant, node)
                );
            }
        }
        result
    });
    linearised
}

fn edge(to: usize, formula: TermId) -> DagEdge {
    DagEdge { to, formula }
}

/// Example 3.1 of the thesis: a loop body with two branches, and its exit taken early or late.
#[test]
fn example_of_the_thesis() {
    let mut tm = Terms::new();
    let n = tm.declare_const("n", Terms::INT).expect("no clash");
    let (i, x) = (constants(&mut tm, "i", 2), constants(&mut tm, "x", 5));
    let (zero, one, two) = (tm.int(0), tm.int(1), tm.int(2));
    let (i_zero, x_zero) = (tm.eq(i[0], zero), tm.eq(x[0], zero));
    let start = tm.and2(i_zero, x_zero);
    let more = tm.lt(i[0], n);
    let same = tm.eq(x[4], x[0]);
    let done = tm.not(more);
    let leave = tm.and2(done, same);
    let small = tm.le(i[0], two);
    let large = tm.not(small);
    let (is_zero, join1) = (tm.eq(x[1], zero), tm.eq(x[3], x[1]));
    let reset = tm.and2(is_zero, join1);
    let (is_i, join2) = (tm.eq(x[2], i[0]), tm.eq(x[3], x[2]));
    let copy = tm.and2(is_i, join2);
    let next = tm.add2(i[0], one);
    let step = tm.eq(i[1], next);
    let (finished, join3) = (tm.ge(i[1], n), tm.eq(x[4], x[3]));
    let leave_late = tm.and2(finished, join3);
    let bad = tm.lt(x[4], zero);
    let graph = Dag {
        edges: vec![
            vec![edge(1, start)],
            vec![edge(2, more), edge(7, leave)],
            vec![edge(3, small), edge(4, large)],
            vec![edge(5, reset)],
            vec![edge(5, copy)],
            vec![edge(6, step)],
            vec![edge(7, leave_late)],
            vec![edge(8, bad)],
            vec![],
        ],
    };
    check(&mut tm, &graph);
}

#[test]
fn restricted_labels_complete_the_given_ones() {
    let mut tm = Terms::new();
    let x = constants(&mut tm, "x", 3);
    let (zero, one, ten) = (tm.int(0), tm.int(1), tm.int(10));
    let start = tm.eq(x[0], zero);
    let step = tm.add2(x[0], one);
    let step = tm.eq(x[1], step);
    let bad = tm.gt(x[1], ten);
    let graph = Dag { edges: vec![vec![edge(1, start)], vec![edge(2, step)], vec![edge(3, bad)], vec![]] };
    let known = tm.le(x[0], one);
    for restrictions in [vec![Terms::TRUE; 4], vec![Terms::TRUE, known, Terms::TRUE, Terms::TRUE]] {
        for method in [Method::Linearised, Method::Quantified, Method::NodeByNode] {
            let DagInterpolation::Labels(result) = restricted_dag(
                &mut tm,
                &graph,
                &restrictions,
                method,
                &Options::default(),
                &Budget::unlimited(),
            ) else {
                panic!("no labels")
            };
            for (from, out) in graph.edges.iter().enumerate() {
                for edge in out {
                    let violated = tm.not(result.labels[edge.to]);
                    let facts = [result.labels[from], restrictions[from], edge.formula, violated];
                    assert!(contradictory(&mut tm, &facts));
                }
            }
        }
    }
}

#[test]
fn a_path_is_given_where_there_is_one() {
    let mut tm = Terms::new();
    let x = constants(&mut tm, "x", 1);
    let (zero, one) = (tm.int(0), tm.int(1));
    let is_zero = tm.eq(x[0], zero);
    let is_one = tm.eq(x[0], one);
    let graph = Dag {
        edges: vec![
            vec![edge(1, is_zero), edge(2, is_one)],
            vec![edge(3, is_one)],
            vec![edge(3, is_one)],
            vec![],
        ],
    };
    for method in [Method::Linearised, Method::Quantified, Method::NodeByNode] {
        let DagInterpolation::Path { edges, .. } =
            dag(&mut tm, &graph, method, &Options::default(), &Budget::unlimited())
        else {
            panic!("there is a path")
        };
        assert_eq!(edges, [(0, 1), (2, 0)]);
    }
}

#[test]
fn nodes_beside_the_paths() {
    let mut tm = Terms::new();
    let x = constants(&mut tm, "x", 1);
    let (zero, one) = (tm.int(0), tm.int(1));
    let is_zero = tm.eq(x[0], zero);
    let is_one = tm.eq(x[0], one);
    // Node 1 leads nowhere, node 2 is never reached.
    let graph = Dag {
        edges: vec![
            vec![edge(1, is_one), edge(3, is_zero)],
            vec![],
            vec![edge(4, is_one)],
            vec![edge(4, is_one)],
            vec![],
        ],
    };
    let result = check(&mut tm, &graph);
    assert_eq!(result.labels[1..3], [Terms::TRUE, Terms::FALSE]);
}

/// A symbol of the edge into a node that only another branch uses again.
#[test]
fn a_symbol_before_the_node_but_not_behind_it() {
    let mut tm = Terms::new();
    let (x, y) = (constants(&mut tm, "x", 1)[0], constants(&mut tm, "y", 1)[0]);
    let zero = tm.int(0);
    let double = tm.scale(&Rat::from(2), x);
    let even = tm.eq(y, double);
    let (positive, negative) = (tm.gt(x, zero), tm.lt(x, zero));
    let odd = tm.int(2);
    let rest = tm.modulo(y, odd);
    let is_even = tm.eq(rest, zero);
    let odd = tm.not(is_even);
    let both = tm.and2(even, positive);
    let graph = Dag {
        edges: vec![
            vec![edge(1, both)],
            vec![edge(2, Terms::TRUE), edge(3, Terms::TRUE)],
            vec![edge(4, odd)],
            vec![edge(4, negative)],
            vec![],
        ],
    };
    check(&mut tm, &graph);
}
