//! The control flow of each function, for the page to draw: blocks of lines, and the conditions between them.

use super::super::expression::Expressions;
use super::super::json::Json;
use craig_base::{OrderedMap, Set};
use craig_program::{CheckKind, EdgeId, LIBRARY, LocId, Proc, ProcId, Program, Stmt};

/// Beyond this a picture tells nothing.
const MAX_BLOCKS: usize = 300;

/// The graphs of the functions of the source files.
pub fn graphs(program: &Program) -> Json {
    let expressions = Expressions::new(program);
    // What fails a check is not drawn, unless the source says that it is an error.
    let is_said = |kind| matches!(kind, CheckKind::Error | CheckKind::Rule);
    let failing = program.checks.iter().filter(|check| !is_said(check.kind));
    let hidden: Set<(ProcId, EdgeId)> = failing.map(|check| (check.proc, check.edge)).collect();
    let graph = |id| graph(&Flow { id, proc: &program.procs[id], hidden: &hidden }, program, &expressions);
    Json::array(program.procs.indices().filter_map(graph))
}

/// A function as an object: `blocks` are lists of lines, `edges` are `[from, to, condition]`, and the first block is where
/// it begins.
fn graph(flow: &Flow<'_>, program: &Program, expressions: &Expressions<'_>) -> Option<Json> {
    let proc = flow.proc;
    let file = program.files.get(proc.span.file as usize)?;
    if proc.span.line == 0 || file.starts_with('<') || file.starts_with(LIBRARY) {
        return None;
    }
    let mut number: OrderedMap<LocId, usize> = OrderedMap::default();
    let mut blocks: Vec<Json> = Vec::new();
    let mut edges: Vec<Json> = Vec::new();
    let mut heads = vec![proc.entry];
    number.insert(proc.entry, 0);
    let mut next = 0;
    while let Some(&head) = heads.get(next) {
        let from = next;
        next += 1;
        if heads.len() > MAX_BLOCKS {
            return None;
        }
        let (mut lines, ways) = flow.block(head);
        for &edge in &ways {
            let line = proc.edges[edge].span.line;
            if proc.edges[edge].span.file == proc.span.file && line > 0 && lines.last() != Some(&line) {
                lines.push(line);
            }
        }
        lines.dedup();
        blocks.push(Json::array(lines));
        for edge in ways {
            let to = proc.edges[edge].to;
            let position = *number.entry(to).or_insert_with(|| {
                heads.push(to);
                heads.len() - 1
            });
            let condition = match proc.edges[edge].stmt {
                Stmt::Assume(condition) => expressions.way(flow.id, edge, condition),
                _ => None,
            };
            let condition = condition.map_or(Json::Null, |condition| condition.readable().to_string().into());
            edges.push(Json::array([Json::from(from), Json::from(position), condition]));
        }
    }
    let at = |location: LocId| number.get(&location).map_or(Json::Null, |&number| Json::from(number));
    Some(Json::object([
        ("function", Json::from(&*proc.name)),
        ("file", Json::from(&**file)),
        ("line", proc.span.line.into()),
        ("exit", at(proc.exit)),
        ("error", at(proc.error)),
        ("blocks", Json::array(blocks)),
        ("edges", Json::array(edges)),
    ]))
}

struct Flow<'a> {
    id: ProcId,
    proc: &'a Proc,
    hidden: &'a Set<(ProcId, EdgeId)>,
}

impl Flow<'_> {
    /// The lines of the block that begins here, and the ways out of it.
    fn block(&self, head: LocId) -> (Vec<u32>, Vec<EdgeId>) {
        let mut lines = Vec::new();
        let mut at = head;
        loop {
            let outgoing = self.proc.locations[at].outgoing.iter().copied();
            let ways: Vec<EdgeId> =
                outgoing.filter(|&edge| !self.hidden.contains(&(self.id, edge))).collect();
            let [edge] = ways[..] else { return (lines, ways) };
            let edge_at = &self.proc.edges[edge];
            let is_joined = self.proc.locations[edge_at.to].incoming.len() > 1;
            if is_joined || [self.proc.entry, self.proc.exit, self.proc.error].contains(&edge_at.to) {
                return (lines, ways);
            }
            let span = edge_at.span;
            if span.file == self.proc.span.file && span.line > 0 && lines.last() != Some(&span.line) {
                lines.push(span.line);
            }
            at = edge_at.to;
        }
    }
}
