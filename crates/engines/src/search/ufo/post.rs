//! POST: the label of a node from the labels of its parents (sections 4.2.2 and 5.4).
//!
//! The post of an abstract domain and that of the predicates are computed independently and
//! conjoined (section 7.4). Predicate abstraction asks one incremental solver per segment, which
//! knows the segment and is asked under assumptions.

use super::abstraction::Setting;
use super::arg::NodeId;
use super::expand::Expansion;
use super::{Post, Reason, Search};
use craig_domains::predicates;
use craig_program::CutEdgeId;
use craig_term::{TermId, Terms};

impl Search<'_> {
    /// The disjunction of the posts along the given edges.
    pub(super) fn post(
        &mut self,
        node: NodeId,
        incoming: &[(CutEdgeId, NodeId)],
        expansion: &Expansion,
    ) -> Result<TermId, Reason> {
        let watch = craig_base::Stopwatch::start();
        for &(edge, parent) in incoming {
            self.false_edges.remove(&(parent, edge));
        }
        let domain = self.domain_post(node, incoming, expansion)?;
        let predicates = self.predicate_post(incoming)?;
        let label = self.tm.and2(domain, predicates);
        if let Some(widening) = &mut self.widening
            && label != domain
        {
            widening.domain.strengthened(label, domain);
        }
        self.stats.add_time("time in post", watch.elapsed());
        Ok(label)
    }

    /// COMPUTEPOST and WIDENWITH of the abstract domain.
    fn domain_post(
        &mut self,
        node: NodeId,
        incoming: &[(CutEdgeId, NodeId)],
        expansion: &Expansion,
    ) -> Result<TermId, Reason> {
        let Some(widening) = &mut self.widening else { return Ok(Terms::TRUE) };
        if self.arg.nodes.len() > widening.graph_limit && widening.domain.coarsen() {
            self.stats.add("drops to a coarser domain", 1);
        }
        let cutpoint = self.arg.nodes[node].cutpoint;
        let labelled: Vec<(CutEdgeId, TermId)> =
            incoming.iter().map(|&(edge, parent)| (edge, self.arg.nodes[parent].label)).collect();
        let mut setting =
            Setting { tm: self.tm, blocks: &mut self.blocks, budget: self.budget, stats: self.stats };
        let posted = widening.domain.post(&mut setting, cutpoint, &labelled)?;
        for (&(edge, parent), feasible) in incoming.iter().zip(posted.feasible) {
            if !feasible {
                self.false_edges.insert((parent, edge));
            }
        }
        if !self.blocks.encoding.cuts.wto.is_head(cutpoint) {
            return Ok(posted.label);
        }
        let seen: Vec<TermId> = expansion
            .at
            .get(&cutpoint)
            .map(|nodes| nodes.iter().map(|&node| self.arg.nodes[node].label).collect())
            .unwrap_or_default();
        Ok(widening.domain.widen_with(self.tm, widening.delay, &seen, posted.label))
    }

    /// The disjunction of CPost or BPost along the edges.
    fn predicate_post(&mut self, incoming: &[(CutEdgeId, NodeId)]) -> Result<TermId, Reason> {
        if self.config.post == Post::None {
            return Ok(Terms::TRUE);
        }
        let mut posts = Vec::new();
        for &(edge, parent) in incoming {
            if self.false_edges.contains(&(parent, edge)) {
                continue;
            }
            let label = self.label(parent);
            let post = self.post_along(edge, label)?;
            if self.tm.is_false(post) {
                self.false_edges.insert((parent, edge));
            }
            posts.push(post);
        }
        Ok(self.tm.or(&posts))
    }

    fn post_along(&mut self, edge: CutEdgeId, label: TermId) -> Result<TermId, Reason> {
        if self.tm.is_false(label) {
            return Ok(label);
        }
        let target = self.cuts().edges[edge].to;
        let current: Vec<TermId> =
            self.predicates.get(&target).map(|set| set.iter().copied().collect()).unwrap_or_default();
        let next: Vec<TermId> =
            current.iter().map(|&predicate| self.blocks.at_target(self.tm, edge, predicate)).collect();
        let mut queries = 0;
        let solver = self.blocks.solver(self.tm, edge);
        if self.config.post == Post::Boolean {
            let post =
                predicates::boolean(self.tm, solver, &[label], &next, &current, &mut queries, self.budget);
            self.stats.add("post queries", queries);
            self.stats.max("predicates in a Boolean post", current.len() as u64);
            return post.map_err(Reason::from);
        }
        let values = predicates::cartesian(self.tm, solver, &[label], &next, &mut queries, self.budget);
        self.stats.add("post queries", queries);
        Ok(match values.map_err(Reason::from)? {
            None => Terms::FALSE,
            Some(values) => predicates::cube(self.tm, &current, values.into_iter()),
        })
    }
}
