//! A program without calls as one without loops: each loop is cut at its head, and what it changes is forgotten there.
//!
//! After M. Barnett, K. R. M. Leino, *Weakest-precondition of unstructured programs*, PASTE 2005. Where a loop is
//! entered, and where control comes back to its head, are locations of their own; from each of them an edge leads to the
//! error, so that one formula for the way there says both what fails and what may be false at the head of a loop. All
//! other locations and all edges keep their ids.

use crate::effects::reads;
use crate::ir::{Edge, EdgeId, LocId, Location, Place, Proc, Program, Stmt};
use crate::liveness::Liveness;
use crate::state::StateVar;
use crate::wto::Wto;
use craig_base::{OrderedMap, OrderedSet, Set};

/// The program without its loops.
pub struct FramedProgram {
    pub program: Program,
    /// What mattered where there were loops.
    pub liveness: Liveness,
    pub loops: Vec<FramedLoop>,
    /// What is forgotten at the heads.
    pub forgotten: OrderedMap<LocId, Forgotten>,
}

/// A loop that was cut.
#[derive(Clone, Debug)]
pub struct FramedLoop {
    pub head: LocId,
    /// Where it is entered, and where it goes around, each with its edge to the error.
    pub arrivals: [(LocId, EdgeId); 2],
}

/// What the edges of a loop assign.
#[derive(Clone, Debug, Default)]
pub struct Forgotten {
    /// As a whole.
    pub changed: OrderedSet<StateVar>,
    /// At an address that stays the same.
    pub places: Vec<Place>,
}

impl FramedProgram {
    /// `None` if a loop is entered elsewhere than at its head, or there are loops through the entry.
    pub fn new(program: &Program) -> Option<Self> {
        let proc = &program.procs[program.entry];
        let wto = Wto::new(&proc.graph(), proc.entry);
        let mut framed = FramedProgram {
            program: program.clone(),
            liveness: Liveness::towards_error(program, proc),
            loops: Vec::new(),
            forgotten: OrderedMap::default(),
        };
        for component in &wto.components {
            let inside: Set<LocId> = wto.order[component.start..component.end].iter().copied().collect();
            let enters = |edge: &Edge| inside.contains(&edge.to) && !inside.contains(&edge.from);
            let elsewhere = proc.edges.iter().any(|edge| enters(edge) && edge.to != component.head);
            if elsewhere || component.head == proc.entry {
                return None;
            }
            framed.forgotten.insert(component.head, Forgotten::of(program, proc, &inside));
            framed.cut(component.head, &inside);
        }
        Some(framed)
    }

    fn cut(&mut self, head: LocId, inside: &Set<LocId>) {
        let liveness = &mut self.liveness;
        let entry = self.program.entry;
        let proc = &mut self.program.procs[entry];
        let incoming = std::mem::take(&mut proc.locations[head].incoming);
        let (around, into): (Vec<EdgeId>, Vec<EdgeId>) =
            incoming.into_iter().partition(|&edge| inside.contains(&proc.edges[edge].from));
        let span = proc.locations[head].span;
        let mut arrive = |edges: Vec<EdgeId>| {
            edges.iter().for_each(|&edge| proc.edges[edge].to = LocId(proc.locations.len() as u32));
            let at = proc.locations.push(Location { span, incoming: edges, outgoing: Vec::new() });
            liveness.push_like(head);
            let error = proc.error;
            (at, add_edge(proc, at, error))
        };
        let arrivals = [arrive(into), arrive(around)];
        let (entered, _) = arrivals[0];
        add_edge(proc, entered, head);
        self.loops.push(FramedLoop { head, arrivals });
    }
}

fn add_edge(proc: &mut Proc, from: LocId, to: LocId) -> EdgeId {
    let span = proc.locations[from].span;
    let edge = proc.edges.push(Edge { from, to, stmt: Stmt::Skip, span });
    proc.locations[from].outgoing.push(edge);
    proc.locations[to].incoming.push(edge);
    edge
}

impl Forgotten {
    fn of(program: &Program, proc: &Proc, inside: &Set<LocId>) -> Self {
        let mut changed: OrderedSet<StateVar> = OrderedSet::default();
        let mut places: OrderedSet<Place> = OrderedSet::default();
        for edge in proc.edges.iter().filter(|edge| inside.contains(&edge.from)) {
            match edge.stmt {
                Stmt::Assign(Place::Var(var), _) | Stmt::Input(Place::Var(var), _) => {
                    changed.insert(StateVar::Var(var));
                }
                Stmt::Assign(place, _) | Stmt::Input(place, _) => {
                    places.insert(place);
                }
                Stmt::Alloc { var, .. } => {
                    changed.insert(StateVar::Var(var));
                    changed.extend(program.next_address.map(StateVar::Var));
                }
                Stmt::Skip | Stmt::Assume(_) | Stmt::Free(_) | Stmt::Call { .. } => {}
            }
        }
        let region = |place: &Place| match *place {
            Place::Memory { region, .. } => Some(StateVar::Region(region)),
            Place::Var(_) => None,
        };
        let written: OrderedSet<StateVar> =
            changed.iter().copied().chain(places.iter().filter_map(region)).collect();
        let stays = |place: &Place| match *place {
            Place::Memory { addr, .. } => reads(program, &[addr]).iter().all(|part| !written.contains(part)),
            Place::Var(_) => false,
        };
        let (places, moving): (Vec<Place>, Vec<Place>) = places.into_iter().partition(stays);
        changed.extend(moving.iter().filter_map(region));
        Forgotten { changed, places }
    }

    /// Whether something of the component is forgotten.
    pub fn touches(&self, component: StateVar) -> bool {
        let at = |place: &Place| matches!(*place, Place::Memory { region, .. } if StateVar::Region(region) == component);
        self.changed.contains(&component) || self.places.iter().any(at)
    }
}
