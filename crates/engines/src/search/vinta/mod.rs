//! VINTA: UFO's graph explored by an abstract domain, refined by restricted DAG interpolants.
//!
//! A. Albarghouthi, *Software Verification with Program-Graph Interpolation and Abstraction*, PhD
//! thesis, Toronto 2015, chapter 5 (Algorithms 3, 4 and 6). The graph, EXPANDARG and REFINE are those
//! of [`crate::search::ufo`]; this module is their parameter.
//!
//! | thesis | here |
//! |---|---|
//! | VINTAMAIN | [`check`] |
//! | α, γ, WIDENWITH | [`labels`], `craig_domains` |
//! | APost, COMPUTEPOST | [`post`] |
//! | vBOX, vBOXES; uBOX, uBOXES | [`Config`] with `refine` restricted; dag |
//! | Box + Boolean Abs. (Table 7.1) | [`Config`] with `predicates` |
//!
//! Departures: widening starts when some labels of the domain are there at a loop head and is then applied at
//! each visit, or at every n-th ([`Delay`]); unless it is told not to, it stops at constants of the program first; labels from refinement are
//! not widened with. WIDENWITH∨ labels a node with a frontier only, which alone is no well-labelling:
//! refinement is restricted by the invariant that the graph stands for instead, the union of all labels of a location (see
//! [`crate::search::ufo`]'s `refine`), and of the refined labels only the frontiers are explored further, as they are in the
//! thesis, where a refined label implies the frontier that was there. Where that goes in circles, BOX begins again. With thresholds, large unions of boxes become their
//! hull. A graph that grows too large is continued with BOX instead of BOXES
//! (proposed at the end of section 5.5).

mod forms;
mod labels;
mod post;

#[cfg(test)]
mod tests;

use crate::portfolio::sharing::Shared;
use crate::search::ufo::abstraction::{Abstraction, Posted, Setting};
use crate::search::ufo::{self, Cover, Delay, Refine, Widening};
use crate::verdict::{Finding, Reason};
use crate::view::blocks::InlinedView;
use craig_base::{Budget, IndexVec, Stats};
use craig_domains::BoxDomain;
use craig_domains::boxes::{BoxesDomain, Limits};
use craig_domains::templates::TemplateDomain;
use craig_domains::transfer::Segments;
use craig_num::Int;
use craig_program::{CutEdgeId, CutId};
use craig_term::{TermId, Terms};
use labels::Labels;

/// The abstract domain of the exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Domain {
    /// One interval per variable.
    #[default]
    Box,
    /// Finite unions of boxes.
    Boxes,
    /// Bounds of the linear forms that the program compares.
    Templates,
    /// Bounds of sums and differences of two variables.
    Octagons,
}

#[derive(Clone, Copy, Debug)]
pub struct Config {
    pub domain: Domain,
    /// Predicate abstraction beside the domain.
    pub predicates: ufo::Post,
    pub widen: Delay,
    /// Widening stops at constants of the program first.
    pub stop_at_constants: bool,
    pub refine: Refine,
    /// As in [`ufo::Config`].
    pub cores: bool,
    /// As in [`ufo::Config`].
    pub strengthen: bool,
    /// As in [`ufo::Config`].
    pub lemmas: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            domain: Domain::default(),
            predicates: ufo::Post::None,
            widen: Delay { after: 3, every: 1 },
            stop_at_constants: true,
            refine: Refine::Restricted,
            cores: false,
            strengthen: true,
            lemmas: true,
        }
    }
}

/// Without thresholds unions of boxes are to lose nothing but by widening, as in the thesis, which knows no such limits.
const NEARLY_EXACT: Limits = Limits { cubes: 1000, nodes: 20_000 };

/// Nodes of a graph beyond which boxes become a box.
const GRAPH_LIMIT: usize = 400;

/// VINTAMAIN for a program whose entry procedure has no calls.
pub fn check<'a>(
    tm: &mut Terms,
    view: &'a InlinedView<'a>,
    config: Config,
    shared: &Shared,
    budget: &Budget,
    stats: &mut Stats,
) -> Finding {
    let domain = Vinta::new(tm, view, config, budget);
    let widening = Widening { domain: Box::new(domain), delay: config.widen, graph_limit: GRAPH_LIMIT };
    let exploration = ufo::Config {
        post: config.predicates,
        eager: false,
        cover: Cover::Visited,
        refine: config.refine,
        cores: config.cores,
        strengthen: config.strengthen,
        lemmas: config.lemmas,
    };
    ufo::check_with(tm, view, exploration, Some(widening), shared, budget, stats)
}

struct Vinta<'a> {
    segments: Segments<'a>,
    /// The constants of the program, ascending.
    thresholds: Vec<Int>,
    kind: Kind,
    /// Some labels in the graph may be frontiers only.
    frontier: bool,
}

enum Kind {
    Box(Labels<BoxDomain>),
    Boxes(Labels<BoxesDomain>),
    Templates { labels: Labels<TemplateDomain>, forms: IndexVec<CutId, Vec<TermId>> },
}

/// The same expression for whichever domain there is.
macro_rules! with_labels {
    ($kind:expr, $labels:ident => $body:expr) => {
        match $kind {
            Kind::Box($labels) => $body,
            Kind::Boxes($labels) => $body,
            Kind::Templates { labels: $labels, .. } => $body,
        }
    };
}

impl<'a> Vinta<'a> {
    fn new(tm: &mut Terms, view: &'a InlinedView<'a>, config: Config, budget: &Budget) -> Self {
        let domain = config.domain;
        let thresholds = if config.stop_at_constants {
            forms::thresholds(view.program, view.encoding)
        } else {
            Vec::new()
        };
        let kind = match domain {
            Domain::Box => Kind::Box(Labels::new(BoxDomain::new(thresholds.clone()))),
            Domain::Boxes => {
                let limits = if config.stop_at_constants { Limits::default() } else { NEARLY_EXACT };
                let domain = BoxesDomain::new(thresholds.clone(), budget).with_limits(limits);
                Kind::Boxes(Labels::new(domain))
            }
            Domain::Templates | Domain::Octagons => Kind::Templates {
                labels: Labels::new(TemplateDomain::new(Vec::new(), thresholds.clone())),
                forms: forms::forms(tm, view.encoding, domain == Domain::Octagons),
            },
        };
        let segments = Segments::new(tm, view.program, view.encoding);
        Vinta { segments, thresholds, kind, frontier: domain == Domain::Boxes }
    }
}

impl Abstraction for Vinta<'_> {
    fn post(
        &mut self,
        at: &mut Setting<'_, '_>,
        target: CutId,
        incoming: &[(CutEdgeId, TermId)],
    ) -> Result<Posted, Reason> {
        match &mut self.kind {
            Kind::Box(labels) => post::by_statements(labels, &self.segments, at, target, incoming),
            Kind::Boxes(labels) => post::by_statements(labels, &self.segments, at, target, incoming),
            Kind::Templates { labels, forms } => {
                post::by_optimisation(labels, &forms[target], at, target, incoming)
            }
        }
    }

    fn widen_with(&mut self, tm: &mut Terms, delay: Delay, seen: &[TermId], label: TermId) -> TermId {
        with_labels!(&mut self.kind, labels => labels.widen_with(tm, delay, seen, label))
    }

    fn strengthened(&mut self, label: TermId, known: TermId) {
        with_labels!(&mut self.kind, labels => labels.strengthened(label, known));
    }

    fn union(&mut self, tm: &mut Terms, labels: &[TermId]) -> TermId {
        match &mut self.kind {
            // Only here joins are exact.
            Kind::Boxes(known) => known.union(tm, labels),
            _ => tm.or(labels),
        }
    }

    fn frontier(&mut self, tm: &mut Terms, label: TermId, seen: &[TermId]) -> TermId {
        match &mut self.kind {
            Kind::Boxes(known) => known.frontier(tm, label, seen),
            _ => label,
        }
    }

    fn is_frontier(&self) -> bool {
        self.frontier
    }

    fn coarsen(&mut self) -> bool {
        if !matches!(self.kind, Kind::Boxes(_)) {
            return false;
        }
        self.kind = Kind::Box(Labels::new(BoxDomain::new(self.thresholds.clone())));
        true
    }

    fn without_frontiers(&mut self) {
        self.coarsen();
        self.frontier = false;
    }
}
