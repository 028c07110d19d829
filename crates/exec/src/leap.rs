//! Many rounds of a loop at once, where it only counts.
//!
//! A run that is long enough to be looked at by the clock is likely to be in a loop. A [`Scout`] goes ahead on a copy
//! of the state, first to see which instructions come again. From one of them it follows the code for two rounds. The first
//! says by how much every slot changes; the second proves that it goes on like this: if slots change by constants from
//! one round to the next, so do sums, differences, and products with what does not change, as long as no result leaves the
//! range of its type; and a branch goes the same way as long as a difference stays on its side of zero. At the end of the
//! round the slots that it began with must have changed as was said. Then all rounds before the first
//! exception are the same but for these changes, by induction, and the state after them is known. Calls and inner loops
//! are part of a round, if they are always the same.
//!
//! Words of all types are compared and added as signed numbers, which is what they are but for unsigned types of the
//! width of a word: those count only as long as they are less than half of their range.

use crate::code::{Code, Instr, Slot};
use crate::machine::Frame;
use crate::numbers::as_integer;
use crate::values::Values;
use craig_base::{Index, OrderedMap, OrderedSet};
use craig_program::{BinaryOp, IntType, Type};

/// The type as which a word is what it is in itself.
const WORD: Type = Type::Int(IntType::signed(128));
/// How far a scout goes to see what comes again, and in one round.
const MOST_INSTRUCTIONS: usize = 1000;
/// So many loops around the place of the machine are tried.
const MOST_LOOPS: usize = 3;
/// Fewer rounds are not worth a leap.
const FEWEST_ROUNDS: u64 = 16;

/// What may be skipped.
#[derive(Clone, Copy)]
pub(crate) struct Most {
    pub steps: u64,
    pub edges: u64,
    /// Calls active at once.
    pub depth: usize,
}

/// Where a machine is: before an instruction.
#[derive(Clone)]
pub(crate) struct State<W> {
    pub pc: usize,
    /// With what the last call returned, if there was one, as one more.
    pub slots: Vec<W>,
    pub stack: Vec<Frame>,
}

/// The state in which many rounds end, and what they would have counted.
pub(crate) struct Leap<W> {
    pub state: State<W>,
    pub steps: u64,
    pub edges: u64,
}

/// The state after as many rounds as are alike. The steps of the instruction at which the machine is are counted already.
pub(crate) fn leap<V: Values>(
    code: &Code,
    values: &mut V,
    from: &State<V::Value>,
    pointer: IntType,
    most: Most,
) -> Option<Leap<V::Value>> {
    let places = recurring(Scout::new(code, values, from.clone(), pointer, most.depth));
    places.into_iter().find_map(|place| {
        let mut scout = Scout::new(code, values, from.clone(), pointer, most.depth);
        scout.steps -= i64::from(code.instrs[from.pc].count());
        if scout.place() != place {
            scout.follow(|scout| scout.place() == place)?;
        }
        scout.leap(most)
    })
}

/// An instruction, and how many calls are active there.
type Place = (usize, usize);

/// Instructions that come again, of different loops, from outer ones to inner ones: those that come more often.
fn recurring<V: Values>(mut scout: Scout<'_, V>) -> Vec<Place> {
    let mut visits: OrderedMap<Place, usize> = OrderedMap::default();
    for _ in 0..2 * MOST_INSTRUCTIONS {
        // Not between a call and what is done with its result.
        if scout.code.instrs[scout.state.pc].count() > 0 {
            *visits.entry(scout.place()).or_default() += 1;
        }
        if scout.execute().is_none() {
            break;
        }
    }
    let mut places: Vec<(usize, usize, usize)> = visits
        .into_iter()
        .filter(|&(_, visits)| visits > 1)
        .map(|((pc, depth), visits)| (visits, depth, pc))
        .collect();
    places.sort_unstable();
    places.dedup_by_key(|&mut (visits, ..)| visits / 2);
    places.into_iter().take(MOST_LOOPS).map(|(_, depth, pc)| (pc, depth)).collect()
}

/// A copy of the machine that goes ahead.
struct Scout<'m, V: Values> {
    code: &'m Code,
    values: &'m mut V,
    state: State<V::Value>,
    pointer: IntType,
    depth: usize,
    /// By how much the words at the beginning of the round change from one round to the next; nothing if not mentioned.
    expected: OrderedMap<Slot, i128>,
    /// The same for what the round has written.
    written: OrderedMap<Slot, i128>,
    /// What it read as it was at the beginning.
    found: OrderedSet<Slot>,
    /// So many rounds are alike.
    rounds: u64,
    steps: i64,
    edges: u64,
}

impl<'m, V: Values> Scout<'m, V> {
    fn new(
        code: &'m Code,
        values: &'m mut V,
        state: State<V::Value>,
        pointer: IntType,
        depth: usize,
    ) -> Self {
        Scout {
            code,
            values,
            state,
            pointer,
            depth,
            expected: OrderedMap::default(),
            written: OrderedMap::default(),
            found: OrderedSet::default(),
            rounds: u64::MAX,
            steps: 0,
            edges: 0,
        }
    }

    /// From here, where rounds begin: they end at the same instruction, with the same calls active, as those
    /// decide where the run goes on when they return.
    fn leap(mut self, most: Most) -> Option<Leap<V::Value>> {
        let State { pc, stack, .. } = self.state.clone();
        let is_again =
            |scout: &Self| scout.state.pc == pc && scout.state.stack.iter().rev().eq(stack.iter().rev());
        let before = self.begin_round(OrderedMap::default());
        self.follow(is_again)?;
        let mut expected = OrderedMap::default();
        for &slot in self.written.keys() {
            if let (Some(before), Some(after)) =
                (self.word(&before, slot), self.word(&self.state.slots, slot))
            {
                expected.insert(slot, after.checked_sub(before)?);
            }
        }
        let (steps, edges) = (self.steps, self.edges);
        let before = self.begin_round(expected);
        self.follow(is_again)?;
        for &slot in &self.found {
            let change = self.expected.get(&slot).copied().unwrap_or(0);
            let (before, after) = (self.word(&before, slot)?, self.word(&self.state.slots, slot)?);
            if self.written.get(&slot).copied().unwrap_or(0) != change || before.checked_add(change)? != after
            {
                return None;
            }
        }
        let (steps_before, steps) = (u64::try_from(steps).ok()?, u64::try_from(self.steps - steps).ok()?);
        let (edges_before, edges) = (edges, self.edges - edges);
        let at_most = |most: u64, before: u64, each: u64| match each {
            0 => u64::MAX,
            _ => most.saturating_sub(before) / each,
        };
        let rounds = self.rounds.min(at_most(most.steps, steps_before, steps)).min(at_most(
            most.edges,
            edges_before,
            edges,
        ));
        if rounds < FEWEST_ROUNDS {
            return None;
        }
        for (slot, change) in std::mem::take(&mut self.written).into_iter().filter(|&(_, change)| change != 0)
        {
            let word = self.word(&self.state.slots, slot)?;
            let last = word.checked_add(change.checked_mul(i128::from(rounds - 1))?)?;
            self.state.slots[slot.index()] = self.values.constant(WORD, last);
        }
        let (steps, edges) = (steps_before + rounds * steps, edges_before + rounds * edges);
        Some(Leap { state: self.state, steps, edges })
    }

    /// The slots at the beginning.
    fn begin_round(&mut self, expected: OrderedMap<Slot, i128>) -> Vec<V::Value> {
        self.expected = expected;
        self.written.clear();
        self.found.clear();
        self.rounds = u64::MAX;
        self.state.slots.clone()
    }

    fn place(&self) -> Place {
        (self.state.pc, self.state.stack.len())
    }

    /// Where the result of the last call is.
    fn result_slot(&self) -> Slot {
        Slot(self.code.slots as u32)
    }

    fn word(&self, slots: &[V::Value], slot: Slot) -> Option<i128> {
        self.values.known(WORD, slots.get(slot.index())?)
    }

    /// A word, and its change from round to round.
    fn read(&mut self, slot: Slot) -> Option<(i128, i128)> {
        let word = self.word(&self.state.slots, slot)?;
        if let Some(&change) = self.written.get(&slot) {
            return Some((word, change));
        }
        self.found.insert(slot);
        Some((word, self.expected.get(&slot).copied().unwrap_or(0)))
    }

    fn write(&mut self, slot: Slot, value: V::Value, change: i128) {
        let slots = &mut self.state.slots;
        match slots.get_mut(slot.index()) {
            Some(place) => *place = value,
            None => slots.push(value),
        }
        self.written.insert(slot, change);
    }

    /// Only as many rounds are alike as this number stays between these bounds.
    fn within(&mut self, number: i128, change: i128, lowest: i128, highest: i128) {
        let room = match change {
            0 => return,
            1.. => highest.saturating_sub(number) / change,
            _ => number.saturating_sub(lowest) / change.saturating_neg(),
        };
        let inside = (lowest..=highest).contains(&number);
        let rounds = if inside { room.saturating_add(1) } else { 0 };
        self.rounds = self.rounds.min(u64::try_from(rounds).unwrap_or(u64::MAX));
    }

    /// The range in which words of a type are its values.
    fn range(&self, ty: Type) -> Option<(i128, i128)> {
        match as_integer(ty, self.pointer)? {
            IntType { bits: 65.., .. } => None,
            IntType { bits: 64, signed: false } => Some((0, i128::from(i64::MAX))),
            int => Some((int.min(), i128::try_from(int.max()).ok()?)),
        }
    }

    /// Writes the result of an operation whose words are those of `change` times the round, up to the range of its type.
    fn result(&mut self, to: Slot, ty: Type, value: V::Value, change: i128) -> Option<()> {
        if change != 0 {
            let (lowest, highest) = self.range(ty)?;
            let word = self.values.known(WORD, &value)?;
            self.within(word, change, lowest, highest);
        }
        self.write(to, value, change);
        Some(())
    }

    /// A comparison, as long as it has the same result.
    fn compare(&mut self, op: BinaryOp, ty: Type, a: Slot, b: Slot) -> Option<V::Value> {
        let ((x, dx), (y, dy)) = (self.read(a)?, self.read(b)?);
        let value =
            self.values.binary(op, ty, &self.state.slots[a.index()], &self.state.slots[b.index()]).ok()?;
        if (dx, dy) == (0, 0) {
            return Some(value);
        }
        let (lowest, highest) = self.range(ty)?;
        self.within(x, dx, lowest, highest);
        self.within(y, dy, lowest, highest);
        if (dx == 0 && x < lowest) || (dy == 0 && y < lowest) {
            return None;
        }
        let holds = self.values.known(WORD, &value)? != 0;
        let (difference, change) = (y.checked_sub(x)?, dy.checked_sub(dx)?);
        let (least, most) = (i128::MIN, i128::MAX);
        let (lowest, highest) = match (op, holds) {
            (BinaryOp::Lt, true) => (1, most),
            (BinaryOp::Lt, false) => (least, 0),
            (BinaryOp::Le, true) => (0, most),
            (BinaryOp::Le, false) => (least, -1),
            (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => (0, 0),
            _ if difference > 0 => (1, most),
            _ => (least, -1),
        };
        self.within(difference, change, lowest, highest);
        Some(value)
    }

    fn binary(&mut self, op: BinaryOp, ty: Type, to: Slot, a: Slot, b: Slot) -> Option<()> {
        if op.is_comparison() {
            let value = self.compare(op, ty, a, b)?;
            self.write(to, value, 0);
            return Some(());
        }
        let ((x, dx), (y, dy)) = (self.read(a)?, self.read(b)?);
        let value =
            self.values.binary(op, ty, &self.state.slots[a.index()], &self.state.slots[b.index()]).ok()?;
        let change = match op {
            _ if (dx, dy) == (0, 0) => 0,
            BinaryOp::Add => dx.checked_add(dy)?,
            BinaryOp::Sub => dx.checked_sub(dy)?,
            BinaryOp::Mul if dy == 0 => dx.checked_mul(y)?,
            BinaryOp::Mul if dx == 0 => dy.checked_mul(x)?,
            _ => return None,
        };
        // Differences that cancel out say nothing about floating numbers, which are patterns here.
        if (dx, dy) != (0, 0) && ty.is_float() {
            return None;
        }
        self.result(to, ty, value, change)
    }

    /// To where this holds, as the machine would run. None where the code does more than compute, decide and call.
    fn follow(&mut self, is_there: impl Fn(&Self) -> bool) -> Option<()> {
        for _ in 0..MOST_INSTRUCTIONS {
            self.execute()?;
            if is_there(self) {
                return Some(());
            }
        }
        None
    }

    /// One instruction.
    fn execute(&mut self) -> Option<()> {
        let instr = self.code.instrs[self.state.pc];
        let next = self.state.pc + 1;
        self.steps += i64::from(instr.count());
        self.state.pc = self.after(instr, next)?;
        Some(())
    }

    fn copy(&mut self, to: Slot, a: Slot) -> Option<()> {
        let (_, change) = self.read(a)?;
        self.write(to, self.state.slots[a.index()].clone(), change);
        Some(())
    }

    /// The place of the instruction after this one.
    fn after(&mut self, instr: Instr, next: usize) -> Option<usize> {
        if let Some((op, ty, to, a, b)) = instr.as_operation() {
            self.binary(op, ty, to, a, b)?;
            return Some(next);
        }
        if let Some((op, ty, a, b, target)) = instr.as_comparison() {
            let value = self.compare(op, ty, a, b)?;
            let holds = self.values.known(WORD, &value)? != 0;
            return Some(if holds { next } else { target as usize });
        }
        match instr {
            Instr::Move { to, a } => self.copy(to, a)?,
            Instr::Unary { op, ty, to, a } => {
                let (_, change) = self.read(a)?;
                let value = self.values.unary(op, ty, &self.state.slots[a.index()]).ok()?;
                if change != 0 && !matches!(ty, Type::Int(_)) {
                    return None;
                }
                self.result(to, ty, value, change.checked_neg()?)?;
            }
            Instr::Cast { from, ty, to, a } => {
                let (_, change) = self.read(a)?;
                let value = self.values.cast(from, ty, &self.state.slots[a.index()]).ok()?;
                let truth = matches!(ty, Type::Bool | Type::Int(IntType::BOOL));
                if change != 0 && (truth || from.is_float()) {
                    return None;
                }
                self.result(to, ty, value, change)?;
            }
            Instr::Jump { target, .. } => return Some(target as usize),
            Instr::Count { .. } => {}
            Instr::Branch { condition, target, .. } => {
                let (word, change) = self.read(condition)?;
                if change != 0 {
                    return None;
                }
                return Some(if word != 0 { next } else { target as usize });
            }
            Instr::Select { first, count, table } => {
                let mut enabled = None;
                for i in 0..count {
                    let (word, change) = self.read(Slot(first.0 + i))?;
                    if change != 0 || (word != 0 && enabled.is_some()) {
                        return None;
                    }
                    enabled = enabled.or((word != 0).then_some(i));
                }
                return Some(self.code.targets[(table + enabled?) as usize] as usize);
            }
            Instr::Call { callee, args } => {
                let recursive = self.state.stack.iter().any(|frame| frame.proc == callee);
                if recursive || self.state.stack.len() >= self.depth {
                    return None;
                }
                let target = &self.code.procs[callee];
                let args = &self.code.lists[args as usize..];
                for (&(param, _), &arg) in target.params.iter().zip(args) {
                    self.copy(param, arg)?;
                }
                self.state.stack.push(Frame { proc: callee, return_to: next, saved: false });
                return Some(target.start as usize);
            }
            Instr::Return => {
                let frame = self.state.stack.pop().filter(|frame| !frame.saved && frame.return_to != 0)?;
                match self.code.procs[frame.proc].result {
                    Some((slot, _)) => self.copy(self.result_slot(), slot)?,
                    None => {
                        self.state.slots.truncate(self.code.slots);
                        self.written.swap_remove(&self.result_slot());
                    }
                }
                return Some(frame.return_to);
            }
            Instr::Result { to } => self.copy(to, self.result_slot())?,
            Instr::Edge => self.edges += 1,
            Instr::Returned => {}
            _ => return None,
        }
        Some(next)
    }
}
