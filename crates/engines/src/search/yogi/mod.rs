//! What the engines of the tool Yogi share: `synergy` and `lee-yannakakis` (003), `dash` (004).
//!
//! | papers | here |
//! |---|---|
//! | program, states, →, σ^I | [`graph`]: program points, and blocks of statements between them; made by [`build`] |
//! | F, `parent` | [`forest::Forest`] of states that tests visited |
//! | running a test, `AddTestToForest` | [`run::Tester`], on `exec` |
//! | Σ≃, regions, →≃ | [`partition::Partition`], one for each [`query::Query`] about a procedure |
//! | `GetAbstractTrace`, `GetOrderedAbstractTrace`, `Frontier` | [`partition::Partition::frontier`] |
//! | `ExecuteSymbolic`, the constraint of a suitable test | [`symbolic`] |
//! | `Pre`, WP | [`preimage`] |
//! | `RefineWithGeneralization` | [`generalise`] |
//! | the state of the search, `TestFromWitness`, the final proof | [`search::Yogi`] |
//!
//! **Granularity.** The papers give each statement a location. Here a block is assumptions followed by statements without
//! assumptions, up to the next location that joins, or that branches after something was done. So every state in which a
//! condition can stop a test still has regions of its own, which is what finding the right place for refinement rests on.
//! Conditions in a row about the same variables are one decision with many outcomes ([`craig_program::Decisions`]): the
//! `n`-th case of a `switch` is one step away, not `n`. Where each condition has a point, a predicate about the state of a
//! machine is carried back across all cases one by one, at each of them with a guess of its own which of the conditions
//! matter; of the 14 safe programs of `c/ssh-simplified`, `dash` without random tests then proves 3, and else 11.
//!
//! **Tests** run the program before simplification, with the same edges: what a test shows is true
//! whatever the analyses did. A cell of memory that a run never asked for is zero in its states.
//!
//! **Suitable tests.** The query for a test asks for the same blocks up to the frontier and for the
//! region after it; the regions before the frontier are not repeated. So a test may visit other
//! regions on its way, which can only help: it still reaches a region that no test had reached.
//! Constraints of the path that share no input with the question, directly or through others, are
//! left out: the values that the test at hand has for them are kept.
//!
//! Invariants: every edge of the forest is an edge of the abstraction; the regions of a point cover
//! its states; the nodes of a region satisfy its formula, oldest first.

pub mod build;
pub mod forest;
pub mod generalise;
pub mod graph;
pub mod partition;
pub mod preimage;
pub mod query;
pub mod run;
pub mod search;
pub mod symbolic;
