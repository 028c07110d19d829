//! What the memory at the end of a run tells of allocated objects: which one was misused, and which are lost.
//!
//! The program says only that the tracked object still exists; whether a global or another object that
//! a global leads to points to it is seen in the memory of the run.

use crate::machine::Machine;
use crate::memory::{Memory, Object};
use crate::outcome::{Outcome, Site, Undefined};
use crate::values::Values;
use craig_base::Set;
use craig_program::{CheckKind, Program, Scope, VarId};

/// Whether this is the end of a program at which something may be lost.
pub(crate) fn is_leak(program: &Program, site: Site) -> bool {
    let check = program.check_at(site.proc, site.edge);
    check.is_some_and(|check| program.checks[check].kind == CheckKind::Leak)
}

/// Whether no global and no object that is reached from one holds an address in the tracked object.
pub(crate) fn is_lost<V: Values>(program: &Program, machine: &Machine<'_, V>) -> bool {
    let Some(memory) = machine.values.memory() else { return true };
    let Some(tracked) = program.tracked.and_then(|var| value_of(program, machine, var)) else { return true };
    !reached(program, machine, memory).contains(&(tracked as u64))
}

/// The number of the allocation whose object the run ended with a wrong use of, or that remains although it must not.
pub(crate) fn misused<V: Values>(
    program: &Program,
    machine: &Machine<'_, V>,
    outcome: Outcome,
) -> Option<usize> {
    program.tracked?;
    let memory = machine.values.memory()?;
    let mut allocated = memory.objects().iter().filter(|object| object.is_allocated());
    match outcome {
        Outcome::Undefined(
            Undefined::InvalidRead { address }
            | Undefined::InvalidWrite { address }
            | Undefined::InvalidFree { address },
            _,
        ) => allocated.take_while(|object| object.address <= address).count().checked_sub(1),
        Outcome::Returned(_) => {
            let asks = |kind| program.checks.iter().any(|check| check.kind == kind);
            if asks(CheckKind::Cleanup) {
                allocated.position(|object| object.live)
            } else if asks(CheckKind::Leak) {
                let reached = reached(program, machine, memory);
                allocated.position(|object| object.live && !reached.contains(&object.address))
            } else {
                None
            }
        }
        _ => None,
    }
}

fn value_of<V: Values>(program: &Program, machine: &Machine<'_, V>, var: VarId) -> Option<i128> {
    machine.values.known(program.vars[var].ty, machine.slot_of(var))
}

/// The addresses of the objects that globals lead to.
fn reached<V: Values>(program: &Program, machine: &Machine<'_, V>, memory: &Memory) -> Set<u64> {
    let bytes = u64::from(program.data_model.pointer_bytes());
    let globals = program.vars.enumerated().filter(|(id, var)| {
        matches!(var.scope, Scope::Global { .. })
            && !var.name.starts_with(".tracked.")
            && Some(*id) != program.next_address
    });
    let values = globals.filter_map(|(id, _)| value_of(program, machine, id));
    let mut words: Vec<u64> = values.map(|word| word as u64).collect();
    let statics = program
        .objects
        .iter()
        .filter(|object| !object.automatic)
        .filter_map(|object| memory.object_at(object.address));
    statics.for_each(|object| words.extend(addresses(object, bytes)));
    let mut seen: Set<u64> = Set::default();
    while let Some(word) = words.pop() {
        let Some(object) = object_of(memory, word) else { continue };
        if seen.insert(object.address) && object.live {
            words.extend(addresses(object, bytes));
        }
    }
    seen
}

/// The object that an address points into, or right after.
fn object_of(memory: &Memory, address: u64) -> Option<&Object> {
    memory.object_at(address).or_else(|| memory.object_at(address.checked_sub(1)?))
}

/// The words of an object that have a value, at every byte: records may be packed.
fn addresses(object: &Object, bytes: u64) -> Vec<u64> {
    const MOST: u64 = 1 << 20;
    let end = object.size.min(MOST).saturating_sub(bytes - 1);
    let word = |at: u64| {
        (0..bytes).rev().try_fold(0u64, |word, i| Some(word << 8 | u64::from(object.byte(at + i)?)))
    };
    (0..end).filter_map(word).filter(|&word| word != 0).collect()
}
