//! Loops that end and leave nothing behind that matters.
//!
//! A loop that fills a buffer which is never read, or counts what is never used, does not decide whether
//! the error is reached; but an engine would unroll it, or look for an invariant that it does not need.
//! [`Simplified::without_idle_loops`] leads around such loops: the way into the body is closed, and the way
//! out is open without a condition. Undefined functions that are given a buffer make loops of this kind.
//!
//! A loop is *idle* if control leaves it from its head to one place only, nothing that it writes is live
//! there, and it ends: its head demands `i < k` to stay, every way around adds one to `i`, and nothing
//! else writes `i` or what `k` reads (or the same downwards). It must not constrain its inputs, so each
//! location in it has a way on. Loops inside must end in the same way.
//!
//! A loop that an input right at its head can end at once need not end otherwise: the way into the body is closed, and the way
//! out stays as it is. Nothing is lost, as no later state tells how often the loop has gone around.
//!
//! **The way back.** The head stays a cutpoint, as the order of a graph counts closed edges. What an
//! invariant says there is about live state, which the loop does not write: so it holds at the heads of
//! the loops inside as well ([`Simplified::invariants`]). A path of the result becomes one of the
//! original by going around the loop until it ends, with any inputs ([`Simplified::is_skipped`]).

use crate::effects::reads;
use crate::expr::{BinaryOp, Expr, ExprId, UnaryOp};
use crate::graph::Digraph;
use crate::ir::{EdgeId, LocId, Place, Proc, Program, Stmt, VarId};
use crate::liveness::Liveness;
use crate::simplify::Simplified;
use crate::state::StateVar;
use crate::wto::Wto;
use craig_base::{OrderedSet, Set};

/// A loop around which the simplified program leads.
#[derive(Clone, Debug)]
pub struct IdleLoop {
    pub head: LocId,
    /// The heads of the loops inside.
    pub inner: Vec<LocId>,
    /// What a path of the original takes besides; none where it is a path of the result.
    pub edges: Vec<EdgeId>,
}

/// How control gets past an idle loop.
struct Way {
    /// The ways into the body.
    closed: Vec<EdgeId>,
    /// The exit, where it is open whatever its condition says.
    opened: Option<EdgeId>,
}

impl Simplified {
    /// The program that leads around idle loops, if there are any.
    pub fn without_idle_loops(&self) -> Option<Self> {
        self.leading_around(true)
    }

    /// The same for all loops that leave nothing behind, whether they end or not: there is no way back for paths.
    pub fn without_loops_that_leave_nothing(&self) -> Option<Self> {
        self.leading_around(false)
    }

    fn leading_around(&self, must_end: bool) -> Option<Self> {
        let program = &self.program;
        if program.plain {
            return None;
        }
        let proc = &program.procs[program.entry];
        let wto = Wto::new(&proc.graph(), proc.entry);
        let live = Liveness::towards_error(program, proc);
        let mut found: Vec<(IdleLoop, Way)> = Vec::new();
        let mut behind = 0;
        for component in &wto.components {
            // Inside of the last one that was found.
            if component.start < behind {
                continue;
            }
            let cycle = Cycle::new(program, proc, &wto.order[component.start..component.end]);
            let inside =
                wto.components.iter().filter(|c| c.start > component.start && c.end <= component.end);
            let inner: Vec<LocId> = inside.clone().map(|c| c.head).collect();
            let leaves_nothing =
                |exit: EdgeId| cycle.written.iter().all(|&var| !live.is_live(proc.edges[exit].to, var));
            if let Some((exit, stay)) = cycle.asks()
                && leaves_nothing(exit)
            {
                behind = component.end;
                let idle = IdleLoop { head: component.head, inner, edges: Vec::new() };
                found.push((idle, Way { closed: vec![stay], opened: None }));
                continue;
            }
            let Some(exit) =
                cycle.only_exit().filter(|&exit| leaves_nothing(exit) && (!must_end || cycle.has_ways_on()))
            else {
                continue;
            };
            let mut loops = inside.map(|c| Cycle::new(program, proc, &wto.order[c.start..c.end]));
            if !must_end || (cycle.ends() && loops.all(|inner| inner.ends())) {
                behind = component.end;
                // A condition on what stays the same is known to hold after the loop.
                let opened = Some(exit).filter(|&exit| must_end || !cycle.waits(exit));
                let into = cycle.edges.iter().copied().filter(|&id| proc.edges[id].from == component.head);
                let way = Way { closed: into.collect(), opened };
                found.push((IdleLoop { head: component.head, inner, edges: cycle.edges }, way));
            }
        }
        if found.is_empty() {
            return None;
        }
        let mut without = self.clone();
        for (idle, way) in found {
            let closed = Stmt::Assume(without.program.exprs.bool(false));
            let proc = &mut without.program.procs[self.program.entry];
            for edge in way.closed {
                proc.edges[edge].stmt = closed.clone();
            }
            if let Some(exit) = way.opened {
                proc.edges[exit].stmt = Stmt::Skip;
            }
            without.skipped.push(idle);
        }
        Some(without)
    }

    /// Whether the edge is in a loop that was skipped.
    pub fn is_skipped(&self, edge: EdgeId) -> bool {
        self.skipped.iter().any(|idle| idle.edges.contains(&edge))
    }
}

/// The part of a procedure that a component of its order is.
struct Cycle<'p> {
    program: &'p Program,
    proc: &'p Proc,
    head: LocId,
    locations: Set<LocId>,
    /// Those that are open, both ends inside.
    edges: Vec<EdgeId>,
    exits: Vec<EdgeId>,
    /// Whether control comes in through the head only.
    has_one_entry: bool,
    /// What the edges write.
    written: OrderedSet<StateVar>,
    /// No edge calls, allocates or frees.
    only_writes: bool,
}

impl<'p> Cycle<'p> {
    fn new(program: &'p Program, proc: &'p Proc, order: &[LocId]) -> Self {
        let mut cycle = Cycle {
            program,
            proc,
            head: order[0],
            locations: order.iter().copied().collect(),
            edges: Vec::new(),
            exits: Vec::new(),
            has_one_entry: true,
            written: OrderedSet::default(),
            only_writes: true,
        };
        for &location in order {
            for &id in &proc.locations[location].outgoing {
                let edge = &proc.edges[id];
                if program.is_closed(&edge.stmt) {
                    continue;
                }
                if !cycle.locations.contains(&edge.to) {
                    cycle.exits.push(id);
                    continue;
                }
                cycle.edges.push(id);
                match edge.stmt {
                    Stmt::Skip | Stmt::Assume(_) => {}
                    Stmt::Assign(Place::Var(var), _) | Stmt::Input(Place::Var(var), _) => {
                        cycle.written.insert(StateVar::Var(var));
                    }
                    Stmt::Assign(Place::Memory { region, .. }, _)
                    | Stmt::Input(Place::Memory { region, .. }, _) => {
                        cycle.written.insert(StateVar::Region(region));
                    }
                    Stmt::Call { .. } | Stmt::Alloc { .. } | Stmt::Free(_) => cycle.only_writes = false,
                }
            }
            let incoming = proc.locations[location].incoming.iter().map(|&id| proc.edges[id].from);
            let from_outside = incoming.filter(|from| !cycle.locations.contains(from)).count();
            cycle.has_one_entry &= location == cycle.head || from_outside == 0;
        }
        cycle
    }

    /// The edge out of the loop, if there is only one, and it leaves from the head.
    fn only_exit(&self) -> Option<EdgeId> {
        match self.exits[..] {
            [exit] if self.proc.edges[exit].from == self.head && self.has_one_entry && self.only_writes => {
                Some(exit)
            }
            _ => None,
        }
    }

    /// If an input right at the head decides whether to leave the loop: the only exit, and the way to go on.
    fn asks(&self) -> Option<(EdgeId, EdgeId)> {
        let (exprs, proc) = (&self.program.exprs, self.proc);
        let [exit] = self.exits[..] else { return None };
        let [input] = self.open_ways(self.head)[..] else { return None };
        let Stmt::Input(Place::Var(asked), _) = proc.edges[input].stmt else { return None };
        let [one, other] = self.open_ways(proc.edges[input].to)[..] else { return None };
        let stay = if exit == one { other } else { one };
        let Stmt::Assume(condition) = proc.edges[exit].stmt else { return None };
        let is_asked = |e: ExprId| matches!(exprs.get(e), Expr::Var(var) if var == asked);
        let can_hold = match exprs.get(condition) {
            Expr::Unary(UnaryOp::Not, inner) => is_asked(inner),
            Expr::Binary(BinaryOp::Eq, number, zero) => is_asked(number) && exprs.as_const(zero) == Some(0),
            _ => is_asked(condition),
        };
        let asks = self.has_one_entry && self.only_writes && can_hold && [one, other].contains(&exit);
        asks.then_some((exit, stay))
    }

    fn open_ways(&self, from: LocId) -> Vec<EdgeId> {
        let outgoing = self.proc.locations[from].outgoing.iter().copied();
        outgoing.filter(|&id| !self.program.is_closed(&self.proc.edges[id].stmt)).collect()
    }

    /// Whether what the exit asks for is nothing that the loop changes.
    fn waits(&self, exit: EdgeId) -> bool {
        let Stmt::Assume(condition) = self.proc.edges[exit].stmt else { return false };
        reads(self.program, &[condition]).iter().all(|var| !self.written.contains(var))
    }

    /// Whether no location has a condition alone on its way out.
    fn has_ways_on(&self) -> bool {
        self.locations.iter().all(|&location| match self.open_ways(location)[..] {
            [only] => !matches!(self.proc.edges[only].stmt, Stmt::Assume(_)),
            [] => false,
            _ => true,
        })
    }

    /// Whether a counter bounds the loop.
    fn ends(&self) -> bool {
        let mut into = self.edges.iter().filter(|&&id| self.proc.edges[id].from == self.head);
        let (Some(&stay), None) = (into.next(), into.next()) else { return false };
        let Stmt::Assume(condition) = self.proc.edges[stay].stmt else { return false };
        let Expr::Binary(BinaryOp::Lt, low, high) = self.program.exprs.get(condition) else { return false };
        let upwards = self.counter(low).is_some_and(|i| self.counts(i, high, BinaryOp::Add));
        let downwards = self.counter(high).is_some_and(|i| self.counts(i, low, BinaryOp::Sub));
        upwards || downwards
    }

    fn counter(&self, expr: ExprId) -> Option<VarId> {
        match self.program.exprs.get(expr) {
            Expr::Var(var) => Some(var),
            _ => None,
        }
    }

    /// Whether every way around brings the variable by one nearer to a bound that does not change.
    fn counts(&self, counter: VarId, bound: ExprId, op: BinaryOp) -> bool {
        if reads(self.program, &[bound]).iter().any(|var| self.written.contains(var)) {
            return false;
        }
        let writes = |id: EdgeId| match self.proc.edges[id].stmt {
            Stmt::Assign(Place::Var(var), _) | Stmt::Input(Place::Var(var), _) => var == counter,
            _ => false,
        };
        let steps = |id: EdgeId| match self.proc.edges[id].stmt {
            Stmt::Assign(_, value) => self.is_step(counter, value, op),
            _ => false,
        };
        if self.edges.iter().any(|&id| writes(id) && !steps(id)) {
            return false;
        }
        // Without the steps there is no way around. A step in an inner loop may be taken often.
        let mut rest = Digraph::new(self.proc.locations.len());
        for &id in self.edges.iter().filter(|&&id| !writes(id)) {
            rest.add_edge(self.proc.edges[id].from, self.proc.edges[id].to);
        }
        let behind = rest.successors(self.head).to_vec();
        !rest.reachable(behind)[self.head]
    }

    fn is_step(&self, counter: VarId, value: ExprId, op: BinaryOp) -> bool {
        let exprs = &self.program.exprs;
        let is_counter = |e: ExprId| matches!(exprs.get(e), Expr::Var(var) if var == counter);
        match exprs.get(value) {
            Expr::Binary(BinaryOp::Add, a, b) if is_counter(a) => {
                exprs.as_const(b) == Some(if op == BinaryOp::Add { 1 } else { -1 })
            }
            Expr::Binary(BinaryOp::Sub, a, b) if is_counter(a) => {
                op == BinaryOp::Sub && exprs.as_const(b) == Some(1)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::expr::BinaryOp;
    use crate::ir::{Proc, Stmt};
    use crate::simplify::simplify;
    use crate::testing::*;
    use crate::{CutpointGraph, Program};
    use craig_base::Budget;

    /// `for (i = 0; i < 10; i++) s = s + 1; if (x) error;` where `x` is `s` or something else.
    fn counting(of_interest: bool) -> (Program, usize) {
        let mut b = Builder::new();
        let (i, s, other) = (b.int("i"), b.int("s"), b.int("other"));
        let (head, body, step) = (b.loc(), b.loc(), b.loc());
        let (zero, one, ten) = (b.lit(0), b.lit(1), b.lit(10));
        let (get_i, get_s, get_other) = (b.get(i), b.get(s), b.get(other));
        b.assign(ENTRY, head, i, zero);
        let cond = b.lt(get_i, ten);
        let behind = b.loc();
        b.branch(head, body, behind, cond);
        let more = b.add(get_s, one);
        b.assign(body, step, s, more);
        let next = b.add(get_i, one);
        b.assign(step, head, i, next);
        let bad = b.lt(if of_interest { get_s } else { get_other }, zero);
        b.branch(behind, ERROR, EXIT, bad);
        let simplified = simplify(&b.program, &Budget::unlimited()).expect("no limits");
        let simplified = simplified.without_idle_loops().unwrap_or(simplified);
        let skipped = simplified.skipped.len();
        (simplified.program, skipped)
    }

    /// `while (go) s = input; if (x < 0) error;`, where `go` is an input each time, or the first time only.
    fn asking(each_time: bool, of_interest: bool) -> usize {
        let mut b = Builder::new();
        let (go, s, other) = (b.int("go"), b.int("s"), b.int("other"));
        let (head, decision, body, after) = (b.loc(), b.loc(), b.loc(), b.loc());
        let (zero, get_go, get_s, get_other) = (b.lit(0), b.get(go), b.get(s), b.get(other));
        if each_time {
            b.edge(ENTRY, head, Stmt::Skip);
            b.input(head, decision, go);
        } else {
            b.input(ENTRY, head, go);
            b.edge(head, decision, Stmt::Skip);
        }
        let leaves = b.op(BinaryOp::Eq, get_go, zero);
        b.branch(decision, after, body, leaves);
        b.input(body, head, s);
        let bad = b.lt(if of_interest { get_s } else { get_other }, zero);
        b.branch(after, ERROR, EXIT, bad);
        let simplified = simplify(&b.program, &Budget::unlimited()).expect("no limits");
        simplified.without_idle_loops().map_or(0, |without| without.skipped.len())
    }

    #[test]
    fn a_loop_that_an_input_ends_is_skipped_if_nobody_asks_for_what_it_does() {
        assert_eq!(asking(true, false), 1);
        assert_eq!(asking(true, true), 0);
        assert_eq!(asking(false, false), 0);
    }

    #[test]
    fn a_loop_is_skipped_if_nobody_asks_for_what_it_does() {
        assert_eq!(counting(true).1, 0);
        let (program, skipped) = counting(false);
        assert_eq!(skipped, 1);
        let proc: &Proc = &program.procs[program.entry];
        let cuts = CutpointGraph::towards_error(&program, proc);
        // The head is a cutpoint still, for the sake of invariants, but there is no way around.
        assert_eq!(cuts.cutpoints.len(), 3);
        assert!(cuts.edges.iter().all(|edge| edge.from != edge.to));
    }
}
