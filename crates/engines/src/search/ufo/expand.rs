//! EXPANDARG (Algorithms 2 and 4): unwinds the cutpoint graph along its weak topological order until every
//! loop head is covered, labelling nodes by the last refinement or by the abstract post.
//!
//! Departures: a covered head gets no children (the algorithm as printed expands it and then takes
//! the children out of FN again), and a location that no node waits for is skipped, so that loops
//! without exit and unreachable code need no special case.

use super::arg::NodeId;
use super::{Cover, Reason, Refine, Search};
use craig_base::{Map, OrderedSet};
use craig_program::{CutEdgeId, CutId};
use craig_term::{TermId, Terms};

/// What one expansion visited.
pub struct Expansion {
    /// In the order of the visits: parents before children.
    pub visited: OrderedSet<NodeId>,
    pub covered: OrderedSet<NodeId>,
    /// The visited nodes of each cutpoint that are not covered: the paper's vis.
    pub at: Map<CutId, Vec<NodeId>>,
    /// The error node, if anything leads to it.
    pub error: Option<NodeId>,
}

impl Search<'_> {
    pub(super) fn expand_arg(&mut self) -> Result<Expansion, Reason> {
        let wto = self.cuts().wto.clone();
        let before = std::mem::take(&mut self.expanded);
        let mut expansion = Expansion {
            visited: OrderedSet::default(),
            covered: OrderedSet::default(),
            at: Map::default(),
            error: None,
        };
        // FN and AH of the paper.
        let mut future: Map<CutId, NodeId> = Map::default();
        let mut active_heads: Map<CutId, Vec<NodeId>> = Map::default();
        let entry = self.arg.entry;
        future.insert(self.arg.nodes[entry].cutpoint, entry);

        let mut next = wto.order.first().copied();
        while let Some(cutpoint) = next {
            self.budget.check()?;
            let Some(node) = future.remove(&cutpoint) else {
                // Nothing arrives: a head's component is done, anything else is skipped.
                next = if wto.is_head(cutpoint) {
                    active_heads.remove(&cutpoint);
                    wto.exit(cutpoint)
                } else {
                    wto.next(cutpoint)
                };
                continue;
            };
            expansion.visited.insert(node);
            self.update_label(node, &expansion)?;
            if cutpoint == self.cuts().error {
                expansion.error = Some(node);
                break;
            }
            if wto.is_head(cutpoint) {
                let heads = match self.config.cover {
                    Cover::ActiveHeads => active_heads.get(&cutpoint),
                    Cover::Visited => expansion.at.get(&cutpoint),
                };
                if self.is_covered(node, heads.map_or(&[], Vec::as_slice))? {
                    active_heads.remove(&cutpoint);
                    expansion.covered.insert(node);
                    next = wto.exit(cutpoint);
                    continue;
                }
                active_heads.entry(cutpoint).or_default().push(node);
            }
            expansion.at.entry(cutpoint).or_default().push(node);
            if self.keeps_lemmas() && !before.contains(&node) {
                self.mark_children(node, |_| true);
            }
            self.expanded.insert(node);
            self.expand_node(node, &mut future);
            next = wto.next(cutpoint);
        }
        Ok(expansion)
    }

    /// Lines 41 to 50: the label comes from the refinement, or from the post of all parents. Where
    /// states arrive that the refinement did not see, along a new edge or from a label that changed
    /// since, both are needed. (The algorithm as printed then forgets the refined label, and may go in
    /// circles.)
    fn update_label(&mut self, node: NodeId, expansion: &Expansion) -> Result<(), Reason> {
        let marked = std::mem::replace(&mut self.arg.nodes[node].marked, false);
        if node == self.arg.entry {
            if marked {
                self.mark_children(node, |_| true);
            }
            return Ok(());
        }
        let mut incoming = self.arg.nodes[node].parents.clone();
        incoming
            .retain(|(_, parent)| expansion.visited.contains(parent) && !expansion.covered.contains(parent));
        if let Some(&refined) = self.labels.get(&node) {
            incoming.retain(|&(edge, parent)| !self.is_refined(parent, edge, node));
            if incoming.is_empty() {
                self.arg.nodes[node].label = self.frontier(node, refined, expansion);
                // What children outside of the refinement say holds after stronger labels, too; only a post may say more.
                if !self.keeps_lemmas() {
                    let labelled: OrderedSet<NodeId> = self.labels.keys().copied().collect();
                    self.mark_children(node, |child| !labelled.contains(&child));
                }
            } else {
                let post = self.post(node, &incoming, expansion)?;
                self.arg.nodes[node].label = self.tm.or2(refined, post);
                self.mark_children(node, |_| true);
            }
        } else if marked {
            self.arg.nodes[node].label = self.post(node, &incoming, expansion)?;
            self.mark_children(node, |_| true);
        }
        Ok(())
    }

    /// A refined label. Restricted ones, where labels are frontiers, are so again: only the union of the labels of a
    /// cutpoint counts, and what the rest leads to, the labels that have it lead to as well.
    fn frontier(&mut self, node: NodeId, refined: TermId, expansion: &Expansion) -> TermId {
        if self.config.refine != Refine::Restricted {
            return refined;
        }
        let Some(widening) = self.widening.as_mut().filter(|widening| widening.domain.is_frontier()) else {
            return refined;
        };
        let at = expansion.at.get(&self.arg.nodes[node].cutpoint);
        let seen: Vec<TermId> = at.into_iter().flatten().map(|&node| self.arg.nodes[node].label).collect();
        let frontier = widening.domain.frontier(self.tm, refined, &seen);
        self.labels.insert(node, frontier);
        frontier
    }

    /// Whether the refined label of the child follows from that of the parent.
    fn is_refined(&self, parent: NodeId, edge: CutEdgeId, child: NodeId) -> bool {
        let unchanged = self.labels.get(&parent) == Some(&self.arg.nodes[parent].label);
        unchanged && self.refined_edges.contains(&(parent, edge, child))
    }

    fn mark_children(&mut self, node: NodeId, which: impl Fn(NodeId) -> bool) {
        for (_, child) in self.arg.nodes[node].children.clone() {
            if which(child) {
                self.arg.nodes[child].marked = true;
            }
        }
    }

    /// EXPANDNODE: every successor of the location becomes, or already is, a child. Only one node
    /// waits per location: where another one does already, the edge is led to it.
    fn expand_node(&mut self, node: NodeId, future: &mut Map<CutId, NodeId>) {
        let old: Map<CutId, NodeId> = self.arg.nodes[node]
            .children
            .iter()
            .map(|&(_, child)| (self.arg.nodes[child].cutpoint, child))
            .collect();
        let cutpoint = self.arg.nodes[node].cutpoint;
        for edge in self.cuts().cutpoints[cutpoint].outgoing.clone() {
            let to = self.cuts().edges[edge].to;
            let child = *future.entry(to).or_insert_with(|| match old.get(&to) {
                Some(&child) => child,
                None => self.arg.add_node(to, Terms::TRUE),
            });
            if old.get(&to) != Some(&child) {
                self.arg.set_edge(node, edge, child);
                self.arg.nodes[child].marked = true;
            }
        }
    }
}
