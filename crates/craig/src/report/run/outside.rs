//! What the source does not say, as the front end writes it, and what of that is worth telling.
//!
//! A function without a body asks again and again whether it is done with memory, and if not, for the number of an
//! element and its contents. The arguments of a function under test are made by a function of their own.

use super::{Event, Origin};
use craig_cfront::contract::PREFIX;
use craig_exec::Site;
use craig_program::{
    Edge, EdgeId, InputSource, LocId, Place, Proc, Program, Stmt, Type, VarId, stmt_operands,
};

/// Whether a statement only asks how much a function writes, and where.
pub fn is_bookkeeping(program: &Program, site: Site) -> bool {
    let proc = &program.procs[site.proc];
    let edge = &proc.edges[site.edge];
    match &edge.stmt {
        Stmt::Input(Place::Var(var), InputSource::Call(_)) => {
            program.vars[*var].ty == Type::Bool || number_of_element(program, proc, edge).is_some()
        }
        Stmt::Assume(_) => {
            let is_question = |edge: &EdgeId| asks_whether_done(program, &proc.edges[*edge]);
            // The answer, or a guard of the whole question.
            let before = &proc.locations[edge.from];
            before.incoming.iter().any(is_question)
                || before.outgoing.iter().any(|&way| leads_to(proc, proc.edges[way].to, is_question))
                || is_bound(program, proc, edge)
        }
        _ => false,
    }
}

fn asks_whether_done(program: &Program, edge: &Edge) -> bool {
    matches!(&edge.stmt, Stmt::Input(Place::Var(var), InputSource::Call(_)) if program.vars[*var].ty == Type::Bool)
}

fn leads_to(proc: &Proc, location: LocId, is_meant: impl Fn(&EdgeId) -> bool) -> bool {
    matches!(proc.locations[location].outgoing.as_slice(), [edge] if is_meant(edge))
}

/// The variable for the number of an element, if this edge asks for one: bounds follow, without an alternative.
fn number_of_element(program: &Program, proc: &Proc, edge: &Edge) -> Option<VarId> {
    let Stmt::Input(Place::Var(var), InputSource::Call(_)) = &edge.stmt else { return None };
    let is_bound = |next: &EdgeId| mentions(program, &proc.edges[*next], *var);
    leads_to(proc, edge.to, is_bound).then_some(*var)
}

fn is_bound(program: &Program, proc: &Proc, edge: &Edge) -> bool {
    let before = |edge: &Edge| match proc.locations[edge.from].incoming.as_slice() {
        &[before] if proc.locations[edge.from].outgoing.len() == 1 => Some(&proc.edges[before]),
        _ => None,
    };
    // The lower bound stands after the input, the upper one after that.
    let of_input = |input: &Edge| {
        number_of_element(program, proc, input).is_some_and(|var| mentions(program, edge, var))
    };
    let Some(first) = before(edge) else { return false };
    of_input(first) || before(first).is_some_and(of_input)
}

fn mentions(program: &Program, edge: &Edge, var: VarId) -> bool {
    let operands = stmt_operands(&edge.stmt);
    matches!(edge.stmt, Stmt::Assume(_))
        && program
            .exprs
            .postorder(&operands)
            .iter()
            .any(|&id| program.exprs.get(id) == craig_program::Expr::Var(var))
}

/// What the function that makes arguments does, in words about the arguments: what objects hold that the function is
/// given. The call tells of the rest.
pub fn of_arguments(event: Event) -> Option<Event> {
    match event {
        Event::Input { target: Some(target), value, .. } | Event::Set { target, value } => {
            let is_part = target.text.contains(['.', '>', '[', '*']) && !target.text.contains("craig_");
            is_part.then_some(Event::Input { target: Some(target), value, origin: Origin::Argument })
        }
        Event::Call { function, .. } if function.starts_with(PREFIX) => None,
        Event::Branch(_) | Event::Return { .. } | Event::Input { target: None, .. } => None,
        event => Some(event),
    }
}
