//! The register code that the machine runs: each procedure flattened into instructions over slots.
//!
//! Every variable has one slot for the whole program, constants and temporaries too, so an operand is
//! an index and nothing else. A recursive call saves the slots of its procedure and restores them when
//! it returns; temporaries never live across a statement. A branch takes its target if the condition is
//! *false* and falls through otherwise. Instructions that end a straight run of code carry the number
//! of statements in it, which is how steps are counted without an instruction for each.

use crate::memory::Lifetime;
use crate::outcome::Site;
use craig_base::{IndexVec, index_type};
use craig_program::{BinaryOp, IntType, ProcId, RegionId, Type, UnaryOp, VarId};

pub(crate) const U32: Type = Type::Int(IntType::unsigned(32));
pub(crate) const U64: Type = Type::Int(IntType::unsigned(64));

index_type!(pub Slot, "s");

/// An instruction, 16 bytes. The variants with a type in their name are the general ones for the
/// types that hot loops use: they save the machine from looking at the type.
#[derive(Clone, Copy, Debug)]
pub enum Instr {
    Move {
        to: Slot,
        a: Slot,
    },
    Unary {
        op: UnaryOp,
        ty: Type,
        to: Slot,
        a: Slot,
    },
    Binary {
        op: BinaryOp,
        ty: Type,
        to: Slot,
        a: Slot,
        b: Slot,
    },
    AddI32 {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    SubI32 {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    MulI32 {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    AddU32 {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    SubU32 {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    MulU32 {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    AddU64 {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    AddPointer {
        to: Slot,
        a: Slot,
        b: Slot,
    },
    Cast {
        from: Type,
        ty: Type,
        to: Slot,
        a: Slot,
    },
    Load {
        region: RegionId,
        ty: Type,
        to: Slot,
        addr: Slot,
    },
    Store {
        region: RegionId,
        ty: Type,
        addr: Slot,
        value: Slot,
    },
    Input {
        ty: Type,
        to: Slot,
    },
    /// An input for a local variable that may be read before it is assigned.
    InputLocal {
        ty: Type,
        to: Slot,
    },
    Allocate {
        to: Slot,
        size: Slot,
        lifetime: Lifetime,
    },
    Free {
        addr: Slot,
        lifetime: Lifetime,
    },

    Jump {
        target: u32,
        count: u32,
    },
    /// Accounts for statements before a join.
    Count {
        count: u32,
    },
    Branch {
        count: u8,
        condition: Slot,
        target: u32,
    },
    BranchEq {
        ty: Type,
        count: u8,
        a: Slot,
        b: Slot,
        target: u32,
    },
    BranchNe {
        ty: Type,
        count: u8,
        a: Slot,
        b: Slot,
        target: u32,
    },
    BranchLt {
        ty: Type,
        count: u8,
        a: Slot,
        b: Slot,
        target: u32,
    },
    BranchLe {
        ty: Type,
        count: u8,
        a: Slot,
        b: Slot,
        target: u32,
    },
    BranchEqI32 {
        count: u8,
        a: Slot,
        b: Slot,
        target: u32,
    },
    BranchNeI32 {
        count: u8,
        a: Slot,
        b: Slot,
        target: u32,
    },
    BranchLtI32 {
        count: u8,
        a: Slot,
        b: Slot,
        target: u32,
    },
    BranchLeI32 {
        count: u8,
        a: Slot,
        b: Slot,
        target: u32,
    },
    BranchLtU32 {
        count: u8,
        a: Slot,
        b: Slot,
        target: u32,
    },
    BranchLeU32 {
        count: u8,
        a: Slot,
        b: Slot,
        target: u32,
    },
    /// Goes to `targets[table + i]` for the selected one of the conditions in `first..first + count`.
    Select {
        first: Slot,
        count: u32,
        table: u32,
    },

    /// Arguments are `lists[args..]`, as many as the callee has parameters.
    Call {
        callee: ProcId,
        args: u32,
    },
    /// The result of the call that has just returned.
    Result {
        to: Slot,
    },
    Return,

    /// The edge of this instruction is taken now. Only in code for observed runs.
    Edge,
    /// The call on the edge of this instruction has returned. Only in code for observed runs.
    Returned,

    Error,
    End,
    AssumptionFailed,
}

impl Instr {
    /// Every slot that is read or written; of a [`Instr::Select`], the first.
    pub(crate) fn slots_mut(&mut self) -> [Option<&mut Slot>; 3] {
        match self {
            Instr::Binary { to, a, b, .. }
            | Instr::AddI32 { to, a, b }
            | Instr::SubI32 { to, a, b }
            | Instr::MulI32 { to, a, b }
            | Instr::AddU32 { to, a, b }
            | Instr::SubU32 { to, a, b }
            | Instr::MulU32 { to, a, b }
            | Instr::AddU64 { to, a, b }
            | Instr::AddPointer { to, a, b } => [Some(to), Some(a), Some(b)],
            Instr::Move { to: a, a: b }
            | Instr::Unary { to: a, a: b, .. }
            | Instr::Cast { to: a, a: b, .. }
            | Instr::Load { to: a, addr: b, .. }
            | Instr::Store { addr: a, value: b, .. }
            | Instr::Allocate { to: a, size: b, .. }
            | Instr::BranchEq { a, b, .. }
            | Instr::BranchNe { a, b, .. }
            | Instr::BranchLt { a, b, .. }
            | Instr::BranchLe { a, b, .. }
            | Instr::BranchEqI32 { a, b, .. }
            | Instr::BranchNeI32 { a, b, .. }
            | Instr::BranchLtI32 { a, b, .. }
            | Instr::BranchLeI32 { a, b, .. }
            | Instr::BranchLtU32 { a, b, .. }
            | Instr::BranchLeU32 { a, b, .. } => [Some(a), Some(b), None],
            Instr::Input { to: a, .. }
            | Instr::InputLocal { to: a, .. }
            | Instr::Free { addr: a, .. }
            | Instr::Branch { condition: a, .. }
            | Instr::Select { first: a, .. }
            | Instr::Result { to: a } => [Some(a), None, None],
            Instr::Jump { .. }
            | Instr::Count { .. }
            | Instr::Call { .. }
            | Instr::Return
            | Instr::Edge
            | Instr::Returned
            | Instr::Error
            | Instr::End
            | Instr::AssumptionFailed => [None, None, None],
        }
    }

    /// The statements that it accounts for.
    pub(crate) fn count(self) -> u32 {
        match self {
            Instr::Jump { count, .. } | Instr::Count { count } => count,
            Instr::Branch { count, .. }
            | Instr::BranchEq { count, .. }
            | Instr::BranchNe { count, .. }
            | Instr::BranchLt { count, .. }
            | Instr::BranchLe { count, .. }
            | Instr::BranchEqI32 { count, .. }
            | Instr::BranchNeI32 { count, .. }
            | Instr::BranchLtI32 { count, .. }
            | Instr::BranchLeI32 { count, .. }
            | Instr::BranchLtU32 { count, .. }
            | Instr::BranchLeU32 { count, .. } => u32::from(count),
            _ => 0,
        }
    }

    /// The operation on two operands that this is, if it is one: with its type, its result and them.
    pub(crate) fn as_operation(self) -> Option<(BinaryOp, Type, Slot, Slot, Slot)> {
        Some(match self {
            Instr::Binary { op, ty, to, a, b } => (op, ty, to, a, b),
            Instr::AddI32 { to, a, b } => (BinaryOp::Add, Type::I32, to, a, b),
            Instr::SubI32 { to, a, b } => (BinaryOp::Sub, Type::I32, to, a, b),
            Instr::MulI32 { to, a, b } => (BinaryOp::Mul, Type::I32, to, a, b),
            Instr::AddU32 { to, a, b } => (BinaryOp::Add, U32, to, a, b),
            Instr::SubU32 { to, a, b } => (BinaryOp::Sub, U32, to, a, b),
            Instr::MulU32 { to, a, b } => (BinaryOp::Mul, U32, to, a, b),
            Instr::AddU64 { to, a, b } => (BinaryOp::Add, U64, to, a, b),
            Instr::AddPointer { to, a, b } => (BinaryOp::Add, Type::Pointer, to, a, b),
            _ => return None,
        })
    }

    /// The comparison that decides this branch, if one does: with the type of its operands, them, and where it goes if
    /// it does not hold.
    pub(crate) fn as_comparison(self) -> Option<(BinaryOp, Type, Slot, Slot, u32)> {
        Some(match self {
            Instr::BranchEq { ty, a, b, target, .. } => (BinaryOp::Eq, ty, a, b, target),
            Instr::BranchNe { ty, a, b, target, .. } => (BinaryOp::Ne, ty, a, b, target),
            Instr::BranchLt { ty, a, b, target, .. } => (BinaryOp::Lt, ty, a, b, target),
            Instr::BranchLe { ty, a, b, target, .. } => (BinaryOp::Le, ty, a, b, target),
            Instr::BranchEqI32 { a, b, target, .. } => (BinaryOp::Eq, Type::I32, a, b, target),
            Instr::BranchNeI32 { a, b, target, .. } => (BinaryOp::Ne, Type::I32, a, b, target),
            Instr::BranchLtI32 { a, b, target, .. } => (BinaryOp::Lt, Type::I32, a, b, target),
            Instr::BranchLeI32 { a, b, target, .. } => (BinaryOp::Le, Type::I32, a, b, target),
            Instr::BranchLtU32 { a, b, target, .. } => (BinaryOp::Lt, U32, a, b, target),
            Instr::BranchLeU32 { a, b, target, .. } => (BinaryOp::Le, U32, a, b, target),
            _ => return None,
        })
    }

    /// The target of a jump or branch.
    pub(crate) fn target_mut(&mut self) -> Option<&mut u32> {
        match self {
            Instr::Jump { target, .. }
            | Instr::Branch { target, .. }
            | Instr::BranchEq { target, .. }
            | Instr::BranchNe { target, .. }
            | Instr::BranchLt { target, .. }
            | Instr::BranchLe { target, .. }
            | Instr::BranchEqI32 { target, .. }
            | Instr::BranchNeI32 { target, .. }
            | Instr::BranchLtI32 { target, .. }
            | Instr::BranchLeI32 { target, .. }
            | Instr::BranchLtU32 { target, .. }
            | Instr::BranchLeU32 { target, .. } => Some(target),
            _ => None,
        }
    }
}

/// What the machine reports to an observer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Nothing: the fastest code.
    Outcome,
    /// Every edge that is taken.
    Edges,
}

/// A compiled program.
#[derive(Debug)]
pub struct Code {
    pub instrs: Vec<Instr>,
    /// For each instruction its statement, and how many statements of its straight run were complete.
    pub sites: Vec<(Site, u32)>,
    pub procs: IndexVec<ProcId, ProcCode>,
    pub entry: ProcId,
    pub slots: usize,
    pub constants: Vec<(Slot, Type, i128)>,
    /// Globals with their initial values.
    pub globals: Vec<(Slot, Type, i128)>,
    pub var_slots: IndexVec<VarId, Slot>,
    pub next_address: Option<Slot>,
    pub lists: Vec<Slot>,
    pub targets: Vec<u32>,
}

#[derive(Clone, Debug)]
pub struct ProcCode {
    pub start: u32,
    /// The slots of the local variables.
    pub frame: std::ops::Range<usize>,
    pub params: Vec<(Slot, Type)>,
    pub result: Option<(Slot, Type)>,
    /// The statement that is named for what happens before the first one.
    pub entry_site: Site,
}

/// The instruction that is being executed, for those who need its statement.
#[derive(Clone, Copy)]
pub struct At<'a> {
    pub code: &'a Code,
    pub pc: u32,
}

impl At<'_> {
    pub fn site(self) -> Site {
        self.code.sites[self.pc as usize].0
    }
}
