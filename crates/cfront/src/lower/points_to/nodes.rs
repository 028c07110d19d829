//! Nodes and their cells: a forest of merged nodes (union-find with offsets), in which cells that come to overlap become one.

use craig_program as ir;
use ir::Type;

use super::{Cell, NodeId, Pointer, PointsTo};
use crate::lower::layout::scalar_bytes;

impl PointsTo<'_> {
    /// The representative of a node, and the offset in it.
    pub(super) fn find(&mut self, pointer: Pointer) -> (NodeId, i64) {
        let mut path = Vec::new();
        let mut node = pointer.node;
        while let Some((parent, _)) = self.nodes[node].parent {
            path.push(node);
            node = parent;
        }
        // Compress: from the root downwards, the way to the root is one step.
        let mut total = 0i64;
        for &inner in path.iter().rev() {
            if let Some((parent, by)) = &mut self.nodes[inner].parent {
                total = total.wrapping_add(*by);
                (*parent, *by) = (node, total);
            }
        }
        let offset = pointer.offset.wrapping_add(total);
        let stride = self.nodes[node].stride;
        (node, if stride > 0 { offset.rem_euclid(stride) } else { offset })
    }

    pub(super) fn unify(&mut self, a: Pointer, b: Pointer) {
        self.pending.push((a, b));
        while let Some((a, b)) = self.pending.pop() {
            let ((x, at_x), (y, at_y)) = (self.find(a), self.find(b));
            let distance = at_x.wrapping_sub(at_y);
            if x == y {
                if distance != 0 {
                    self.restride(x, distance);
                }
                continue;
            }
            let stride = gcd(self.nodes[x].stride, self.nodes[y].stride);
            let (root, other, by) = if self.nodes[x].cells.len() >= self.nodes[y].cells.len() {
                (x, y, distance)
            } else {
                (y, x, distance.wrapping_neg())
            };
            self.restride(root, stride);
            let merged = std::mem::take(&mut self.nodes[other]);
            self.nodes[other].parent = Some((root, by));
            for (start, cell) in merged.cells {
                self.add_cell(root, start.wrapping_add(by), cell);
            }
            self.nodes[root].objects.extend(merged.objects);
            self.nodes[root].allocations.extend(merged.allocations);
            self.nodes[root].foreign |= merged.foreign;
            self.nodes[root].used |= merged.used;
            self.nodes[root].compared |= merged.compared;
        }
    }

    /// Offsets of the pointer's node are equal modulo `step` from now on.
    pub(super) fn blur(&mut self, pointer: Pointer, step: i64) {
        let (node, _) = self.find(pointer);
        self.restride(node, step);
        self.settle();
    }

    /// Unifies what became equal.
    pub(super) fn settle(&mut self) {
        if let Some((a, b)) = self.pending.pop() {
            self.unify(a, b);
        }
    }

    fn restride(&mut self, node: NodeId, step: i64) {
        // Half of the address space is no `i64`; a divisor of it does as well.
        let step = step.checked_abs().unwrap_or(1 << 62);
        let stride = gcd(self.nodes[node].stride, step);
        if stride == self.nodes[node].stride {
            return;
        }
        self.nodes[node].stride = stride;
        for (start, cell) in std::mem::take(&mut self.nodes[node].cells) {
            self.add_cell(node, start, cell);
        }
    }

    /// Adds a cell, merging it with those it overlaps. Leaves contents to be unified in `pending`.
    fn add_cell(&mut self, node: NodeId, start: i64, mut cell: Cell) {
        let stride = self.nodes[node].stride;
        let mut start = if stride > 0 { start.rem_euclid(stride) } else { start };
        let mut end = start.saturating_add(cell.size);
        if stride > 0 && end > stride {
            (start, end) = (0, stride);
            cell.uniform = false;
        }
        let cells = &mut self.nodes[node].cells;
        // Cells are disjoint: only the last one that starts before can reach in.
        let mut overlapping: Vec<i64> = cells.range(start..end).map(|(&key, _)| key).collect();
        if let Some((&key, before)) = cells.range(..start).next_back()
            && key + before.size > start
        {
            overlapping.push(key);
        }
        for key in overlapping {
            let Some(other) = cells.remove(&key) else { continue };
            let other_end = key + other.size;
            cell.uniform &= other.uniform && key == start && other_end == end;
            (start, end) = (start.min(key), end.max(other_end));
            cell.accessed |= other.accessed;
            cell.used |= other.used;
            for (ty, count) in other.types {
                *cell.types.entry(ty).or_insert(0) += count;
            }
            match (cell.content, other.content) {
                (Some(a), Some(b)) => self.pending.push((a, b)),
                (a, b) => cell.content = a.or(b),
            }
        }
        cell.size = end - start;
        cells.insert(start, cell);
    }

    pub(super) fn touch(&mut self, at: Pointer, ty: Type, accessed: bool) {
        let (node, offset) = self.find(at);
        let used = accessed && !self.outside;
        self.nodes[node].used |= used;
        let size = scalar_bytes(ty, self.pointer_bytes as u64) as i64;
        if let Some(cell) = self.nodes[node].cells.get_mut(&offset)
            && cell.size == size
        {
            cell.accessed |= accessed;
            cell.used |= used;
            *cell.types.entry(ty).or_insert(0) += 1;
            return;
        }
        let types = std::iter::once((ty, 1)).collect();
        let cell = Cell { size, content: None, types, uniform: true, accessed, used };
        self.add_cell(node, offset, cell);
        self.settle();
    }

    /// What a pointer stored there points to. The place was touched before.
    pub(super) fn content(&mut self, at: Pointer) -> Pointer {
        let (node, offset) = self.find(at);
        let known = self.nodes[node].cells.range(..=offset).next_back();
        if let Some(content) = known.and_then(|(_, cell)| cell.content) {
            return content;
        }
        let fresh = self.fresh();
        if let Some((_, cell)) = self.nodes[node].cells.range_mut(..=offset).next_back() {
            cell.content = Some(fresh);
        }
        fresh
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
