//! The state at a point of the unwinding: one value of everything for all paths that lead there.

use super::memory::{Context, Memory};
use super::under::Known;
use super::word::Word;
use crate::Bit;
use std::rc::Rc;

/// The values of the variables of one procedure, or of the globals; none where nothing was assigned yet.
pub(super) type Variables = Rc<Vec<Option<Rc<Word>>>>;

#[derive(Clone, Debug)]
pub(super) struct State {
    /// The decisions that lead here.
    pub guard: Bit,
    /// Those among them that are the same on all paths.
    pub known: Known,
    pub globals: Variables,
    /// The locals of the active calls, outermost first.
    pub frames: Vec<Variables>,
    pub memory: Memory,
}

impl State {
    /// One state for both. At most one of the guards holds.
    pub fn merge(cx: &mut Context<'_>, a: &State, b: &State) -> State {
        let condition = cx.circuit.decider(a.guard, b.guard);
        let guard = cx.circuit.or(a.guard, b.guard);
        let globals = merge_variables(cx, condition, &a.globals, &b.globals);
        let frames =
            a.frames.iter().zip(&b.frames).map(|(a, b)| merge_variables(cx, condition, a, b)).collect();
        let memory = Memory::merge(cx, condition, &a.memory, &b.memory);
        State { guard, known: cx.under.common(a.known, b.known), globals, frames, memory }
    }
}

fn merge_variables(cx: &mut Context<'_>, condition: Bit, a: &Variables, b: &Variables) -> Variables {
    if Rc::ptr_eq(a, b) {
        return a.clone();
    }
    let merge = |(a, b): (&Option<Rc<Word>>, &Option<Rc<Word>>)| match (a, b) {
        (Some(x), Some(y)) if Rc::ptr_eq(x, y) => Some(x.clone()),
        (Some(x), Some(y)) => Some(Rc::new(Word::mux(cx.circuit, condition, x, y, cx.objects))),
        // What is not assigned on all paths is not read later, or may be anything.
        _ => None,
    };
    Rc::new(a.iter().zip(b.iter()).map(merge).collect())
}
