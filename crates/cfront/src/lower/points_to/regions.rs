//! The split of memory that points-to yields, and the claim about it that the checker proves.

use craig_base::{IndexVec, Map};
use craig_program as ir;
use ir::{ExprId, Type, VarId};

use super::{Cell, Node, NodeId, Pointer, PointsTo};

impl PointsTo<'_> {
    /// Gives up telling objects apart.
    pub fn merge_all(&mut self) {
        let wild = self.wild;
        for node in self.nodes.indices() {
            self.unify(wild, Pointer { node, offset: 0 });
        }
        self.blur(wild, 1);
    }

    pub fn regions(&mut self) -> Regions {
        let mut out = Regions { regions: IndexVec::new(), of_cell: Map::default() };
        for id in self.nodes.indices() {
            let node = &self.nodes[id];
            if node.parent.is_some() {
                continue;
            }
            let accessed = node.cells.values().filter(|cell| cell.accessed).count();
            let name = self.node_name(node);
            let zeroed = node.allocations.is_empty()
                && !node.objects.is_empty()
                && node.objects.iter().all(|&object| self.program.objects[object].zeroed);
            for (&start, cell) in node.cells.iter().filter(|(_, cell)| cell.accessed) {
                let name = if accessed > 1 { format!("{name}+{start}") } else { name.clone() };
                let mut objects: Vec<ir::ObjectId> =
                    (node.objects.iter().copied()).filter(|&id| !self.program.objects[id].function).collect();
                objects.sort_unstable();
                let allocated = !node.allocations.is_empty();
                let (name, cell) = (name.into(), cell_type(cell));
                let region = out.regions.push(ir::Region { name, cell, zeroed, objects, allocated });
                out.of_cell.insert((id, start), region);
            }
        }
        out
    }

    fn node_name(&self, node: &Node) -> String {
        let first = node.objects.iter().min().map(|&object| self.program.objects[object].name.clone());
        match first.or_else(|| node.allocations.first().cloned()) {
            Some(name) => name.trim_start_matches('&').to_string(),
            None => "unknown".to_string(),
        }
    }

    /// The region of an access; `None` if no statement accesses that cell.
    pub fn region_at(&mut self, regions: &Regions, addr: ExprId) -> Option<ir::RegionId> {
        let at = self.eval(addr).unwrap_or(self.wild);
        self.region_of(regions, at)
    }

    /// The region of a part of a static object.
    pub fn region_in(
        &mut self,
        regions: &Regions,
        object: ir::ObjectId,
        offset: u64,
    ) -> Option<ir::RegionId> {
        let node = self.node_of(object);
        self.region_of(regions, Pointer { node, offset: offset as i64 })
    }

    /// Why the regions are apart, for the variables that are kept under other names.
    pub fn provenance(
        &mut self,
        regions: &Regions,
        vars: impl Iterator<Item = VarId>,
        calls: Vec<(ir::ProcId, ExprId)>,
    ) -> ir::Provenance {
        let mut classes: IndexVec<ir::ClassId, ir::Class> = IndexVec::new();
        let roots: Vec<NodeId> = self.nodes.indices().filter(|&id| self.nodes[id].parent.is_none()).collect();
        let of_root: Map<NodeId, ir::ClassId> =
            roots.iter().map(|&root| (root, classes.push(ir::Class::default()))).collect();
        let target = |points_to: &mut Self, pointer: Pointer| {
            let (root, offset) = points_to.find(pointer);
            ir::Target { class: of_root[&root], offset }
        };
        for &root in &roots {
            let node = self.nodes[root].clone();
            let mut parts = Vec::new();
            for (start, cell) in node.cells {
                let Some(&region) = regions.of_cell.get(&(root, start)) else { continue };
                let content = cell.content.map(|content| target(self, content));
                parts.push(ir::Part { start, size: cell.size, region, content });
            }
            classes[of_root[&root]] = ir::Class { stride: node.stride, parts };
        }
        let vars = vars.map(|var| self.vars[var].map(|pointer| target(self, pointer))).collect();
        let objects = self.program.objects.indices().map(|object| {
            let node = self.node_of(object);
            target(self, Pointer { node, offset: 0 })
        });
        ir::Provenance { objects: objects.collect(), classes, vars, calls, fields: Vec::new() }
    }

    fn region_of(&mut self, regions: &Regions, at: Pointer) -> Option<ir::RegionId> {
        let (node, offset) = self.find(at);
        let (&start, _) = self.nodes[node].cells.range(..=offset).next_back()?;
        regions.of_cell.get(&(node, start)).copied()
    }
}

/// A region and how its cells look.
pub struct Regions {
    pub regions: IndexVec<ir::RegionId, ir::Region>,
    of_cell: Map<(NodeId, i64), ir::RegionId>,
}

/// Types of one size that differ at most in their sign, or in being pointers, are one type with casts.
fn cell_type(cell: &Cell) -> ir::Cell {
    let mut types: Vec<(Type, u32)> = cell.types.iter().map(|(&ty, &count)| (ty, count)).collect();
    let integral = types.iter().all(|(ty, _)| matches!(ty, Type::Int(_) | Type::Pointer));
    if !cell.uniform || !(integral || types.len() == 1) {
        return ir::Cell::Bytes;
    }
    // `_Bool` holds two values only; next to another type it gives way.
    if types.len() > 1 {
        types.retain(|(ty, _)| *ty != Type::Int(ir::IntType::BOOL));
    }
    if types.iter().any(|(ty, _)| *ty == Type::Pointer) {
        return ir::Cell::Scalar(Type::Pointer);
    }
    // The first of the most frequent.
    let most = types.iter().map(|(_, count)| *count).max().unwrap_or(0);
    match types.iter().find(|(_, count)| *count == most) {
        Some((ty, _)) => ir::Cell::Scalar(*ty),
        None => ir::Cell::Bytes,
    }
}
