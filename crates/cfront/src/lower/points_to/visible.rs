//! What the program looks at itself, apart from what functions without a body do.

use craig_base::{Map, Set};
use craig_program as ir;
use ir::{ExprId, VarId};

use super::{NodeId, Pointer, PointsTo};

/// Objects that make a difference to the program.
pub struct Visible(Set<NodeId>);

impl PointsTo<'_> {
    /// The program compares the two.
    pub(super) fn note_compared(&mut self, x: Option<Pointer>, y: Option<Pointer>) {
        if let (Some(x), Some(y), false) = (x, y, self.outside) {
            for pointer in [x, y] {
                let (node, _) = self.find(pointer);
                self.nodes[node].compared = true;
            }
        }
    }

    /// Whether the program accesses what the variable points to.
    pub fn is_used(&mut self, var: VarId) -> bool {
        let Some(pointer) = self.vars[var] else { return false };
        let (node, _) = self.find(pointer);
        self.nodes[node].used
    }

    /// Whether nothing is at the address, and the program accesses nothing there.
    pub fn leads_nowhere(&mut self, address: ExprId) -> bool {
        let Some(pointer) = self.eval(address) else { return false };
        let (id, _) = self.find(pointer);
        let node = &self.nodes[id];
        !node.used && node.objects.is_empty() && node.allocations.is_empty()
    }

    /// What makes a difference to the program: what it accesses or compares, and what leads there.
    pub fn visible(&mut self) -> Visible {
        let mut from: Map<NodeId, Vec<NodeId>> = Map::default();
        let mut pending = Vec::new();
        for id in self.nodes.indices().filter(|&id| self.nodes[id].parent.is_none()).collect::<Vec<_>>() {
            if self.nodes[id].used || self.nodes[id].compared {
                pending.push(id);
            }
            let contents: Vec<Pointer> =
                self.nodes[id].cells.values().filter_map(|cell| cell.content).collect();
            for content in contents {
                let (to, _) = self.find(content);
                from.entry(to).or_default().push(id);
            }
        }
        let mut visible: Set<NodeId> = Set::default();
        while let Some(id) = pending.pop() {
            if visible.insert(id) {
                pending.extend(from.get(&id).into_iter().flatten());
            }
        }
        Visible(visible)
    }

    /// Whether something is at the address that the program accesses, or that leads to what it does.
    pub fn is_visible(&mut self, address: ExprId, visible: &Visible) -> bool {
        let Some(pointer) = self.eval(address) else { return true };
        let (node, offset) = self.find(pointer);
        let before = self.nodes[node].cells.range(..=offset).next_back();
        let Some((used, content)) = before.map(|(_, cell)| (cell.used, cell.content)) else { return true };
        let leads_on = content.is_some_and(|content| visible.0.contains(&self.find(content).0));
        (used || leads_on) && !self.leads_nowhere(address)
    }
}
