//! IMPACT: lazy abstraction with interpolants on a tree of paths.
//!
//! K. L. McMillan, *Lazy Abstraction with Interpolants*, CAV 2006; the baseline of chapters 3 and 4 of
//! the thesis on UFO.
//!
//! | paper | here |
//! |---|---|
//! | UNWIND | [`Search::unwind`] |
//! | DFS | [`Search::visit`] |
//! | EXPAND, REFINE, COVER, CLOSE | the functions of that name |
//! | FORCECOVER (section 4.2 there) | [`Search::force_cover`] |
//! | M_v, ψ(v), ▷ | [`Vertex`]: `cutpoint`, `label`, `covered_by` |
//!
//! The tree unwinds the cutpoint graph as UFO's graph does: the same blocks, the same state constants, one
//! path at a time instead of all at once. (`impact-paths` cuts the graph where paths branch or join as well, as WOLVERINE,
//! the baseline of the thesis, did.) A vertex is covered if itself or an ancestor is covered by an
//! earlier vertex of the same cutpoint that is not covered.
//!
//! Invariants: the label of a child follows from its parent's label and the block between them, because labels
//! are conjunctions of interpolants of whole paths; the label of a covered vertex implies that of the one
//! that covers it.

use crate::path::ProgramPath;
use crate::verdict::{Finding, Reason};
use crate::view::blocks::{BlockCopy, Blocks, InlinedView};
use craig_base::{Budget, IndexVec, OrderedMap, Stats, Stopwatch, index_type};
use craig_certificate::Invariant;
use craig_program::{CutEdgeId, CutId, CutpointGraph, LocId, Wto};
use craig_smt::interpolate::{self, Interpolation};
use craig_term::{Model, Substitution, TermId, Terms};

index_type!(VertexId, "v");

/// How many earlier vertices of its cutpoint a vertex is tried to be covered by with force.
const FORCED_CANDIDATES: usize = 3;

struct Vertex {
    cutpoint: CutId,
    /// Over the state constants of the cutpoint.
    label: TermId,
    parent: Option<(CutEdgeId, VertexId)>,
    children: Vec<VertexId>,
    depth: usize,
    covered_by: Option<VertexId>,
    expanded: bool,
}

struct Search<'a> {
    tm: &'a mut Terms,
    blocks: Blocks<'a>,
    loops: Wto<LocId>,
    tree: IndexVec<VertexId, Vertex>,
    /// The vertices of each cutpoint, in the order of their birth.
    at: OrderedMap<CutId, Vec<VertexId>>,
    /// Leaves to be looked at, the next one last.
    leaves: Vec<VertexId>,
    interpolation: interpolate::Options,
    budget: &'a Budget,
    stats: &'a mut Stats,
}

/// Searches a program whose entry procedure has no calls.
pub fn check(tm: &mut Terms, view: &InlinedView<'_>, budget: &Budget, stats: &mut Stats) -> Finding {
    let entry = &view.program.procs[view.program.entry];
    let mut search = Search {
        blocks: Blocks::new(tm, view),
        loops: Wto::new(&entry.graph(), entry.entry),
        tm,
        tree: IndexVec::new(),
        at: OrderedMap::default(),
        leaves: Vec::new(),
        interpolation: interpolate::Options::default(),
        budget,
        stats,
    };
    search.unwind().unwrap_or_else(Finding::from)
}

impl Search<'_> {
    fn unwind(&mut self) -> Result<Finding, Reason> {
        let entry = self.cuts().entry;
        self.add_vertex(entry, None);
        while let Some(leaf) = self.leaves.pop() {
            self.budget.check()?;
            if let Some(path) = self.visit(leaf)? {
                return Ok(Finding::Unsafe(path));
            }
        }
        Ok(Finding::Safe(self.invariant()))
    }

    /// Covers the leaf, or shows that the error cannot be reached through it, or expands it.
    fn visit(&mut self, leaf: VertexId) -> Result<Option<ProgramPath>, Reason> {
        if self.tree[leaf].expanded || self.is_covered(leaf) {
            return Ok(None);
        }
        if self.tree[leaf].cutpoint == self.cuts().error {
            if self.tm.is_false(self.tree[leaf].label) {
                return Ok(None);
            }
            let path = self.refine(leaf)?;
            if path.is_none() {
                for vertex in self.ancestors(leaf) {
                    self.close(vertex)?;
                }
            }
            return Ok(path);
        }
        self.close(leaf)?;
        if !self.is_covered(leaf) && !self.force_cover(leaf)? {
            self.expand(leaf);
        }
        Ok(None)
    }

    /// EXPAND: one child for each edge; that which leads to the error is looked at first.
    fn expand(&mut self, vertex: VertexId) {
        self.tree[vertex].expanded = true;
        let cutpoint = self.tree[vertex].cutpoint;
        let mut edges = self.cuts().cutpoints[cutpoint].outgoing.clone();
        edges.sort_by_key(|&edge| self.cuts().edges[edge].to == self.cuts().error);
        for edge in edges {
            let to = self.cuts().edges[edge].to;
            self.add_vertex(to, Some((edge, vertex)));
        }
    }

    fn add_vertex(&mut self, cutpoint: CutId, parent: Option<(CutEdgeId, VertexId)>) {
        let depth = parent.map_or(0, |(_, parent)| self.tree[parent].depth + 1);
        let vertex = self.tree.push(Vertex {
            cutpoint,
            label: Terms::TRUE,
            parent,
            children: Vec::new(),
            depth,
            covered_by: None,
            expanded: false,
        });
        if let Some((_, parent)) = parent {
            self.tree[parent].children.push(vertex);
        }
        self.at.entry(cutpoint).or_default().push(vertex);
        self.leaves.push(vertex);
        self.stats.add("vertices", 1);
        self.stats.max("depth", depth as u64);
    }

    /// REFINE: an execution to the error, or labels along the path that exclude it.
    fn refine(&mut self, error: VertexId) -> Result<Option<ProgramPath>, Reason> {
        self.stats.add("refinements", 1);
        let path = self.ancestors(error);
        let Encoding { states, parts, mut copies } = self.encode(&path);
        match self.interpolants(&parts)? {
            Err(model) => {
                let found = self.blocks.program_path(self.tm, &mut copies, &states[0], &model);
                found.map(Some).ok_or_else(|| Reason::internal("a model without a path"))
            }
            Ok(interpolants) => {
                for (position, interpolant) in interpolants.into_iter().enumerate() {
                    let label = self.rename(path[position + 1], &states[position + 1], interpolant);
                    self.strengthen(path[position + 1], label);
                }
                self.strengthen(error, Terms::FALSE);
                Ok(None)
            }
        }
    }

    /// COVER: whether the vertex is covered by an earlier one now.
    fn cover(&mut self, vertex: VertexId, by: VertexId) -> Result<bool, Reason> {
        let (label, other) = (self.tree[vertex].label, self.tree[by].label);
        let cutpoint = self.tree[vertex].cutpoint;
        let follows = label == other || self.tm.is_true(other) || self.tm.is_false(label) || {
            self.stats.add("cover checks", 1);
            self.blocks.implies(self.tm, cutpoint, label, &[other], self.budget).map_err(Reason::from)?
        };
        if follows {
            self.set_covered(vertex, by);
        }
        Ok(follows)
    }

    /// Whatever was covered by the vertex or one below it is uncovered: those are covered themselves.
    fn set_covered(&mut self, vertex: VertexId, by: VertexId) {
        self.tree[vertex].covered_by = Some(by);
        self.stats.add("covers", 1);
        let mut below = vec![vertex];
        while let Some(next) = below.pop() {
            self.uncover_by(next);
            below.extend(self.tree[next].children.iter().copied());
        }
    }

    /// The vertex covers nothing any more; what it covered is looked at again.
    fn uncover_by(&mut self, by: VertexId) {
        let covered: Vec<VertexId> = self.at[&self.tree[by].cutpoint]
            .iter()
            .copied()
            .filter(|&vertex| self.tree[vertex].covered_by == Some(by))
            .collect();
        for vertex in covered {
            self.tree[vertex].covered_by = None;
            self.stats.add("uncovered", 1);
            let mut below = vec![vertex];
            while let Some(next) = below.pop() {
                if !self.tree[next].expanded {
                    self.leaves.push(next);
                }
                below.extend(self.tree[next].children.iter().copied());
            }
        }
    }

    /// CLOSE: covers the vertex by an earlier one if any implies it.
    fn close(&mut self, vertex: VertexId) -> Result<(), Reason> {
        if self.is_covered(vertex) || self.tree[vertex].cutpoint == self.cuts().error {
            return Ok(());
        }
        for by in self.candidates(vertex) {
            if self.cover(vertex, by)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Earlier vertices of the same cutpoint that are not covered, and not below the vertex.
    fn candidates(&self, vertex: VertexId) -> Vec<VertexId> {
        let same = self.at[&self.tree[vertex].cutpoint].iter().copied();
        same.take_while(|&earlier| earlier < vertex).filter(|&earlier| !self.is_covered(earlier)).collect()
    }

    /// FORCECOVER: covers the vertex by strengthening its label, and those on the way from the nearest
    /// common ancestor, where paths from there already imply the label of an earlier vertex.
    fn force_cover(&mut self, vertex: VertexId) -> Result<bool, Reason> {
        for by in self.candidates(vertex).into_iter().rev().take(FORCED_CANDIDATES) {
            self.stats.add("forced cover checks", 1);
            let way = self.way_from_common_ancestor(vertex, by);
            let Encoding { states, mut parts, .. } = self.encode(&way);
            let start = self.instance(way[0], &states[0], self.tree[way[0]].label);
            let goal = self.instance(vertex, &states[way.len() - 1], self.tree[by].label);
            let missed = self.tm.not(goal);
            // The way has at least one block: a vertex is no ancestor of an earlier one.
            parts[0] = self.tm.and2(start, parts[0]);
            parts.push(missed);
            let Ok(interpolants) = self.interpolants(&parts)? else { continue };
            for (position, interpolant) in interpolants.into_iter().enumerate() {
                let label = self.rename(way[position + 1], &states[position + 1], interpolant);
                self.strengthen(way[position + 1], label);
            }
            // The strengthened labels may have taken the cover away; and the last one implies the goal.
            if !self.is_covered(by) && self.cover(vertex, by)? {
                self.stats.add("forced covers", 1);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Conjoins to a label; a vertex that becomes stronger no longer covers what it did.
    fn strengthen(&mut self, vertex: VertexId, with: TermId) {
        let old = self.tree[vertex].label;
        let new = self.tm.and2(old, with);
        if new != old {
            self.uncover_by(vertex);
            self.tree[vertex].label = new;
        }
    }

    fn is_covered(&self, vertex: VertexId) -> bool {
        let mut next = Some(vertex);
        while let Some(vertex) = next {
            if self.tree[vertex].covered_by.is_some() {
                return true;
            }
            next = self.tree[vertex].parent.map(|(_, parent)| parent);
        }
        false
    }

    /// From the root to the vertex.
    fn ancestors(&self, vertex: VertexId) -> Vec<VertexId> {
        let mut path = vec![vertex];
        while let Some((_, parent)) = self.tree[path[path.len() - 1]].parent {
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// From the nearest common ancestor of both to the first.
    fn way_from_common_ancestor(&self, vertex: VertexId, other: VertexId) -> Vec<VertexId> {
        let (path, others) = (self.ancestors(vertex), self.ancestors(other));
        let common = path.iter().zip(&others).take_while(|(a, b)| a == b).count();
        path[common - 1..].to_vec()
    }

    /// The blocks along a path between fresh copies of the states.
    fn encode(&mut self, path: &[VertexId]) -> Encoding {
        let states: Vec<Vec<TermId>> =
            path.iter().map(|&vertex| self.blocks.fresh_state(self.tm, self.tree[vertex].cutpoint)).collect();
        let (mut parts, mut copies) = (Vec::new(), Vec::new());
        for (position, &vertex) in path.iter().enumerate().skip(1) {
            if let Some((edge, _)) = self.tree[vertex].parent {
                let (formula, copy) =
                    self.blocks.copy(self.tm, edge, &states[position - 1], &states[position]);
                parts.push(formula);
                copies.push(copy);
            }
        }
        Encoding { states, parts, copies }
    }

    /// Interpolants after all parts but the last, or a model.
    fn interpolants(&mut self, parts: &[TermId]) -> Result<Result<Vec<TermId>, Model>, Reason> {
        let watch = Stopwatch::start();
        let answer = interpolate::sequence(self.tm, parts, &self.interpolation, self.budget);
        self.stats.add_time("time in interpolation", watch.elapsed());
        match answer {
            Interpolation::Sat(model) => Ok(Err(model)),
            Interpolation::Interpolants(list) => Ok(Ok(list)),
            Interpolation::Unknown(failure) => Err(Reason::from(failure)),
        }
    }

    /// A formula over a copy of the state, over the constants of the cutpoint.
    fn rename(&mut self, vertex: VertexId, copy: &[TermId], formula: TermId) -> TermId {
        let symbols = self.blocks.state(self.tree[vertex].cutpoint);
        Substitution::from_pairs(copy.iter().copied().zip(symbols)).apply(self.tm, formula)
    }

    /// The other way round.
    fn instance(&mut self, vertex: VertexId, copy: &[TermId], formula: TermId) -> TermId {
        let symbols = self.blocks.state(self.tree[vertex].cutpoint);
        Substitution::from_pairs(symbols.into_iter().zip(copy.iter().copied())).apply(self.tm, formula)
    }

    /// The disjunction of the labels of the uncovered vertices of each loop head. Of other cutpoints less may be
    /// granted than the heads of loops need.
    fn invariant(&mut self) -> Invariant {
        let mut invariant = Invariant::default();
        for cutpoint in self.cuts().cutpoints.indices().collect::<Vec<_>>() {
            let is_head = self.loops.is_head(self.cuts().location(cutpoint));
            if cutpoint == self.cuts().entry || cutpoint == self.cuts().error || !is_head {
                continue;
            }
            let vertices = self.at.get(&cutpoint).cloned().unwrap_or_default();
            let labels: Vec<TermId> = vertices
                .into_iter()
                .filter(|&vertex| !self.is_covered(vertex))
                .map(|vertex| self.tree[vertex].label)
                .collect();
            let label = self.tm.or(&labels);
            // The blocks rely on the ranges: the labels are inductive together with them.
            let formula = self.tm.and2(label, self.blocks.facts(cutpoint));
            invariant.formulas.insert(self.cuts().location(cutpoint), formula);
        }
        invariant
    }

    fn cuts(&self) -> &CutpointGraph {
        &self.blocks.encoding.cuts
    }
}

/// A path as formulas.
struct Encoding {
    /// The constants of the state at each vertex.
    states: Vec<Vec<TermId>>,
    /// The block into each vertex but the first.
    parts: Vec<TermId>,
    copies: Vec<BlockCopy>,
}
