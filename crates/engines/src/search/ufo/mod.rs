//! UFO: abstraction and DAG interpolants over one graph.
//!
//! A. Albarghouthi, *Software Verification with Program-Graph Interpolation and Abstraction*, PhD
//! thesis, Toronto 2015, chapters 3 and 4 (Algorithms 1 and 2).
//!
//! | thesis | here |
//! |---|---|
//! | UFOMAIN | [`check`] |
//! | EXPANDARG, EXPANDNODE | [`expand`] |
//! | REFINE, DAGCOND, CLEAN | [`refine`] |
//! | POST: true, CPost, BPost | [`post`] |
//! | unsatisfiable cores before interpolation (section 7.3) | [`cores`] |
//! | ν, τ, ψ, E | [`arg::Node`] |
//! | IUFO, CPUFO, BPUFO | [`Config`] with `post` none, Cartesian, Boolean |
//! | CP, BP | the same with `eager` |
//!
//! The graph unwinds the cutpoint graph, so an edge is a loop-free segment of any size. A label is a
//! formula over the state constants of its cutpoint, of which only the live ones exist.
//!
//! Departures: see [`expand`] (covered heads), [`refine`] (CLEAN without quantifiers) and [`strengthen`]. And as printed,
//! refinement may go in circles: new labels take the place of the old ones, and so a head that is covered under the one
//! kind of labels is not under the other, where two loops in a row share a variable. When a refinement gives labels that
//! it has given before, labels become lemmas for those that follow, as in Algorithm 6; frontiers of unions of boxes, which
//! cannot be lemmas, make way for boxes ([`Config::lemmas`]).

pub(crate) mod abstraction;
mod arg;
mod cores;
mod expand;
mod post;
mod refine;
mod strengthen;

use crate::portfolio::sharing::Shared;
use crate::verdict::{Finding, Reason};
use crate::view::blocks::{Blocks, InlinedView};
use abstraction::Abstraction;
use arg::{Arg, Node, NodeId};
use craig_base::{Budget, Map, OrderedMap, OrderedSet, Set, Stats};
use craig_certificate::Invariant;
use craig_program::{CutEdgeId, CutId, CutpointGraph};
use craig_smt::interpolate;
use craig_term::{Op, TermId, Terms};
use expand::Expansion;
use refine::Refinement;

/// How labels of new nodes are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Post {
    /// True: only interpolants label the graph.
    #[default]
    None,
    /// Cartesian predicate abstraction.
    Cartesian,
    /// Boolean predicate abstraction.
    Boolean,
}

/// Which labels may cover a loop head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Cover {
    /// Those of the current unwinding of the loop (Algorithm 2).
    #[default]
    ActiveHeads,
    /// Those of all nodes visited so far (Algorithm 4).
    Visited,
}

/// How new labels are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Refine {
    /// DAG interpolants (Algorithm 5).
    #[default]
    Dag,
    /// DAG interpolants restricted by the labels that are there (Algorithm 6), and by an invariant that
    /// another member of a portfolio has left.
    Restricted,
}

#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub post: Post,
    /// Interpolants only give predicates, and the graph is rebuilt after each refinement.
    pub eager: bool,
    pub cover: Cover,
    pub refine: Refine,
    /// What an unsatisfiable core does not need is left out before interpolation (section 7.3).
    pub cores: bool,
    /// Disjuncts of refined labels are dropped while the edges into a node imply the rest.
    pub strengthen: bool,
    /// Labels become lemmas for those that follow when refinement goes in circles.
    pub lemmas: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            post: Post::default(),
            eager: false,
            cover: Cover::default(),
            refine: Refine::default(),
            cores: false,
            strengthen: false,
            lemmas: true,
        }
    }
}

/// When labels at a loop head are widened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delay {
    /// Labels of the domain that are there before it starts.
    pub after: usize,
    /// From then on, at each visit of so many.
    pub every: usize,
}

impl Delay {
    pub(crate) fn widens(self, labels: usize) -> bool {
        labels >= self.after.max(1) && (labels - self.after.max(1)).is_multiple_of(self.every.max(1))
    }
}

/// A domain with what the exploration needs to know of it.
pub(crate) struct Widening<'a> {
    pub domain: Box<dyn Abstraction + 'a>,
    pub delay: Delay,
    /// Nodes beyond which a coarser domain takes over.
    pub graph_limit: usize,
}

struct Search<'a> {
    tm: &'a mut Terms,
    blocks: Blocks<'a>,
    config: Config,
    /// The abstract domain of chapter 5, if there is one.
    widening: Option<Widening<'a>>,
    arg: Arg,
    /// What the last refinement found.
    labels: OrderedMap<NodeId, TermId>,
    /// The edges that it knew.
    refined_edges: Set<(NodeId, CutEdgeId, NodeId)>,
    /// Edges whose post is false: they need not be encoded (section 7.3).
    false_edges: Set<(NodeId, CutEdgeId)>,
    /// The nodes that the last expansion expanded.
    expanded: OrderedSet<NodeId>,
    /// What refinements gave, until the graph was begun again.
    seen: Set<Vec<(NodeId, TermId)>>,
    /// The predicates at each cutpoint.
    predicates: OrderedMap<CutId, OrderedSet<TermId>>,
    /// An inductive invariant that someone else has found: labels are meant together with it.
    known: Map<CutId, TermId>,
    shared: &'a Shared,
    interpolation: interpolate::Options,
    budget: &'a Budget,
    stats: &'a mut Stats,
}

/// UFOMAIN for a program whose entry procedure has no calls.
pub fn check<'a>(
    tm: &mut Terms,
    view: &'a InlinedView<'a>,
    config: Config,
    shared: &Shared,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    check_with(tm, view, config, None, shared, budget, stats)
}

/// UFOMAIN, or VINTAMAIN if there is a domain.
pub(crate) fn check_with<'a>(
    tm: &mut Terms,
    view: &'a InlinedView<'a>,
    config: Config,
    widening: Option<Widening<'a>>,
    shared: &Shared,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    let known = match config.refine {
        Refine::Restricted if widening.is_none() => known_labels(tm, view, shared),
        _ => Map::default(),
    };
    stats.add("labels of another member", known.len() as u64);
    let mut search = Search {
        blocks: Blocks::new(tm, view),
        tm,
        config,
        widening,
        arg: Arg::new(view.encoding.cuts.entry, Terms::TRUE),
        labels: OrderedMap::default(),
        refined_edges: Set::default(),
        false_edges: Set::default(),
        expanded: OrderedSet::default(),
        seen: Set::default(),
        predicates: OrderedMap::default(),
        known,
        shared,
        interpolation: interpolate::Options::default(),
        budget,
        stats,
    };
    search.run().unwrap_or_else(Finding::from)
}

/// What another member has left, at the cutpoints.
fn known_labels(tm: &mut Terms, view: &InlinedView<'_>, shared: &Shared) -> Map<CutId, TermId> {
    let Some(invariant) = shared.take(tm) else { return Map::default() };
    let cuts = &view.encoding.cuts;
    let labelled = cuts.cutpoints.indices().filter(|&cut| cut != cuts.entry && cut != cuts.error);
    labelled.filter_map(|cut| Some((cut, *invariant.formulas.get(&cuts.location(cut))?))).collect()
}

impl Search<'_> {
    fn run(&mut self) -> Result<Finding, Reason> {
        let mut first = true;
        loop {
            self.stats.add("iterations", 1);
            let expansion = self.expand_arg()?;
            self.stats.max("nodes", self.arg.nodes.len() as u64);
            let error = match expansion.error {
                Some(error) if !self.tm.is_false(self.arg.nodes[error].label) => error,
                _ => return Ok(Finding::Safe(self.invariant(&expansion))),
            };
            if first && self.widening.is_some() {
                let invariant = self.invariant(&expansion);
                self.shared.leave(self.tm, &invariant);
            }
            first = false;
            self.stats.add("refinements", 1);
            match self.refine(&expansion, error)? {
                Refinement::Counterexample(path) => return Ok(Finding::Unsafe(path)),
                Refinement::Labels(labels) => self.learn(labels),
            }
        }
    }

    /// The new labels are used as they are, or, eagerly, only for their predicates. Where all atoms are
    /// known already, conjunctions of them were too weak: then whole labels become predicates, and if
    /// even those are known the labels themselves are used, so that every refinement makes progress.
    fn learn(&mut self, labels: OrderedMap<NodeId, TermId>) {
        let mut is_new = false;
        if self.config.post != Post::None {
            for (&node, &label) in &labels {
                let atoms = atoms(self.tm, label);
                is_new |= self.add_predicates(node, atoms);
            }
            if !is_new {
                for (&node, &label) in &labels {
                    let whole = (!self.tm.is_true(label) && !self.tm.is_false(label)).then_some(label);
                    is_new |= self.add_predicates(node, whole);
                }
            }
        }
        let restarts = !is_new && self.goes_in_circles(&labels) && self.leave_circle(&labels);
        if restarts || self.config.eager && is_new {
            self.arg = Arg::new(self.cuts().entry, Terms::TRUE);
            self.labels.clear();
            self.false_edges.clear();
            self.expanded.clear();
            self.seen.clear();
        } else {
            // An edge that could not be taken from a label may be one that a weaker label takes.
            if !self.keeps_labels() {
                self.false_edges.retain(|(node, _)| !labels.contains_key(node));
            }
            // A frontier leaves out what other labels had then: where these are stronger now, it has to be found again.
            if self.labels_are_frontiers() {
                for node in self.arg.nodes.indices() {
                    self.arg.nodes[node].marked |= !labels.contains_key(&node);
                }
            }
            self.labels = labels;
        }
    }

    /// Whether these labels were there before, as they would be for ever.
    fn goes_in_circles(&mut self, labels: &OrderedMap<NodeId, TermId>) -> bool {
        let watches = self.config.lemmas && !self.keeps_labels();
        watches && !self.seen.insert(labels.iter().map(|(&node, &label)| (node, label)).collect())
    }

    /// Labels are lemmas from now on (Algorithm 6). Frontiers cannot be; there a domain that has none starts again. Whether
    /// it does.
    fn leave_circle(&mut self, labels: &OrderedMap<NodeId, TermId>) -> bool {
        self.stats.add("circles", 1);
        if let Some(widening) = self.widening.as_mut().filter(|widening| widening.domain.is_frontier()) {
            widening.domain.without_frontiers();
            return true;
        }
        self.config.refine = Refine::Restricted;
        // These follow from labels that may have been stronger.
        for node in self.arg.nodes.indices() {
            self.arg.nodes[node].marked |= !labels.contains_key(&node);
        }
        false
    }

    /// Whether refined labels imply those that were there.
    fn keeps_labels(&self) -> bool {
        self.config.refine == Refine::Restricted && !self.labels_are_frontiers()
    }

    /// Whether what a node says outside of a refinement holds after it, and no post would say more.
    fn keeps_lemmas(&self) -> bool {
        self.keeps_labels() && self.config.post == Post::None && self.widening.is_none()
    }

    fn labels_are_frontiers(&self) -> bool {
        self.widening.as_ref().is_some_and(|widening| widening.domain.is_frontier())
    }

    /// Whether any of them is new at the cutpoint of the node.
    fn add_predicates(&mut self, node: NodeId, predicates: impl IntoIterator<Item = TermId>) -> bool {
        let known = self.predicates.entry(self.arg.nodes[node].cutpoint).or_default();
        let before = known.len();
        known.extend(predicates);
        known.len() > before
    }

    /// The disjunction of the labels of the uncovered nodes of each cutpoint (Theorem 2.1).
    fn invariant(&mut self, expansion: &Expansion) -> Invariant {
        let mut invariant = Invariant::default();
        for &node in &expansion.visited {
            let cutpoint = self.arg.nodes[node].cutpoint;
            if expansion.covered.contains(&node)
                || cutpoint == self.cuts().entry
                || cutpoint == self.cuts().error
            {
                continue;
            }
            let location = self.cuts().location(cutpoint);
            // The blocks rely on the ranges: the labels are inductive together with them.
            let label = self.label(node);
            let label = self.tm.and2(label, self.blocks.facts(cutpoint));
            let formula = invariant.formulas.entry(location).or_insert(Terms::FALSE);
            *formula = self.tm.or2(*formula, label);
        }
        // Cutpoints that were never reached have no states.
        let cuts = self.cuts();
        for cutpoint in cuts.cutpoints.indices().filter(|&c| c != cuts.entry && c != cuts.error) {
            invariant.formulas.entry(cuts.location(cutpoint)).or_insert(Terms::FALSE);
        }
        invariant
    }

    /// The label of a node, together with what is known there anyway.
    fn label(&mut self, node: NodeId) -> TermId {
        let Node { cutpoint, label, .. } = self.arg.nodes[node];
        match self.known.get(&cutpoint) {
            Some(&known) => self.tm.and2(label, known),
            None => label,
        }
    }

    fn cuts(&self) -> &CutpointGraph {
        &self.blocks.encoding.cuts
    }

    /// Whether the label follows from those of the heads: first by syntax, then by the solver.
    fn is_covered(&mut self, node: NodeId, heads: &[NodeId]) -> Result<bool, Reason> {
        let label = self.label(node);
        let others: Vec<TermId> = heads.iter().map(|&head| self.arg.nodes[head].label).collect();
        if self.tm.is_false(label) || others.iter().any(|&other| other == label || self.tm.is_true(other)) {
            return Ok(true);
        }
        let cutpoint = self.arg.nodes[node].cutpoint;
        self.stats.add("cover checks", 1);
        self.blocks.implies(self.tm, cutpoint, label, &others, self.budget).map_err(Reason::from)
    }
}

/// The atoms of a formula.
fn atoms(tm: &Terms, formula: TermId) -> Vec<TermId> {
    let is_atom = |t: TermId| {
        tm.is_bool(t)
            && !matches!(tm.op(t), Op::True | Op::False | Op::Not | Op::And | Op::Or)
            && !(matches!(tm.op(t), Op::Eq | Op::Ite) && tm.is_bool(tm.args(t)[tm.args(t).len() - 1]))
    };
    // Atoms inside of terms (conditions of `ite`) are predicates as well.
    tm.postorder(&[formula]).into_iter().filter(|&t| is_atom(t)).collect()
}
