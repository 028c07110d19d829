//! What an answer about the program rests on.

use craig_base::{IndexVec, OrderedSet};
use craig_program as ir;
use ir::{BinaryOp, CheckKind, NoteKind, Stmt, Type};

/// The places of objects that are there from the start to the end, to find accesses that are valid for sure: how many
/// bytes each has, and whether they may be written.
struct StaticObjects(std::collections::BTreeMap<u64, (u64, bool)>);

/// What every answer rests on.
pub(super) fn add_notes(
    program: &mut ir::Program,
    truths: &OrderedSet<ir::RegionId>,
    allocates: bool,
    addresses: bool,
) {
    let objects = StaticObjects::of(program);
    let (mut signed, mut division, mut shift, mut rounding) = (false, false, false, false);
    let mut quotient = false;
    let mut memory = false;
    let mut roots = Vec::new();
    let mut errors = false;
    for proc in &program.procs {
        errors |= !proc.locations[proc.error].incoming.is_empty();
        memory |= proc.obligations.iter().any(|stated| stated.kind == CheckKind::Memory);
        for edge in &proc.edges {
            memory |= match edge.stmt {
                Stmt::Free(_) => true,
                Stmt::Assign(ir::Place::Memory { addr, ty, .. }, _)
                | Stmt::Input(ir::Place::Memory { addr, ty, .. }, _) => !objects.take(program, addr, ty),
                _ => false,
            };
            roots.extend(ir::stmt_operands(&edge.stmt));
        }
    }
    for id in program.exprs.postorder(&roots) {
        let is_signed = matches!(program.exprs.ty(id), Type::Int(int) if int.signed);
        match program.exprs.get(id) {
            ir::Expr::Binary(BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul, ..)
            | ir::Expr::Unary(ir::UnaryOp::Neg, _) => signed |= is_signed,
            ir::Expr::Binary(BinaryOp::Div | BinaryOp::Rem, _, by)
                if program.exprs.ty(id).as_int().is_some() =>
            {
                let by = program.exprs.as_const(by);
                quotient |= is_signed && by.is_none_or(|by| by == -1);
                division |= by.is_none_or(|by| by == 0);
            }
            ir::Expr::Binary(BinaryOp::Shl | BinaryOp::Shr, value, by) => {
                let bits = program.exprs.ty(value).as_int().map_or(0, |int| i128::from(int.bits));
                shift |= !program.exprs.as_const(by).is_some_and(|by| (0..bits).contains(&by));
            }
            ir::Expr::Cast(Type::Int(_), value) => rounding |= program.exprs.ty(value).is_float(),
            ir::Expr::Load { addr, ty, .. } => memory |= !objects.contain(program, addr, ty),
            _ => {}
        }
    }
    let runs_out = may_run_out_of_addresses(program);
    let truths = are_written_otherwise(program, truths);
    let mut add = |kind, text: &str| {
        program.notes.push(ir::Note { kind, span: ir::Span::default(), text: text.to_string() });
    };
    if (signed || quotient) && program.arithmetic == ir::Arithmetic::AssumeNoOverflow {
        add(NoteKind::Unchecked(CheckKind::Overflow), "no signed integer overflows");
    }
    if quotient && program.arithmetic == ir::Arithmetic::Wrap {
        let text = "the least number of a type is not divided by -1";
        add(NoteKind::Unchecked(CheckKind::Overflow), text);
    }
    if rounding {
        let text = "no floating number is converted to an integer type that cannot hold it";
        add(NoteKind::Unchecked(CheckKind::Overflow), text);
    }
    if division {
        add(NoteKind::Unchecked(CheckKind::Division), "no number is divided by zero");
    }
    if shift {
        add(NoteKind::Unchecked(CheckKind::Shift), "no shift is by less than zero or at least the width");
    }
    if memory || allocates {
        add(
            NoteKind::Unchecked(CheckKind::Memory),
            "no memory outside of live objects is read, written or freed",
        );
    }
    if runs_out {
        add(
            NoteKind::OfProofs,
            "no run needs more addresses than there are: none is used for a second object",
        );
    }
    if truths {
        add(NoteKind::Assumption, "every `_Bool` that is read from memory was 0 or 1 there");
    }
    if addresses {
        add(NoteKind::Assumption, "objects lie where Craig puts them: nothing depends on their addresses");
    }
    if !errors {
        add(NoteKind::NoErrorCall, "the program contains no reachable error call: 'safe' says nothing");
    }
}

/// Whether something else than a `_Bool` is written to one of these regions, from which one is read. What is neither 0
/// nor 1 is no value of the type, and to read it is undefined (C11 6.2.6.1 p5).
fn are_written_otherwise(program: &ir::Program, truths: &OrderedSet<ir::RegionId>) -> bool {
    let is_truth = |ty| matches!(ty, Type::Bool | Type::Int(ir::IntType::BOOL));
    let is_value_of_truth = |value| match program.exprs.get(value) {
        ir::Expr::Const(_, value) => (0..2).contains(&value),
        ir::Expr::Cast(_, from) => is_truth(program.exprs.ty(from)),
        _ => is_truth(program.exprs.ty(value)),
    };
    program.procs.iter().flat_map(|proc| &proc.edges).any(|edge| match edge.stmt {
        Stmt::Assign(ir::Place::Memory { region, .. }, value) => {
            truths.contains(&region) && !is_value_of_truth(value)
        }
        Stmt::Input(ir::Place::Memory { region, ty, .. }, _) => truths.contains(&region) && !is_truth(ty),
        _ => false,
    })
}

/// Whether the objects of a run could fill the address space, where a path ends: some are made in loops or by recursion, or
/// they are too large.
fn may_run_out_of_addresses(program: &ir::Program) -> bool {
    let (model, calls) = (program.data_model, ir::CallGraph::new(program));
    // How many bytes a call of the procedure takes at most.
    let mut taken = IndexVec::from_elem(0u64, program.procs.len());
    for component in &calls.components {
        for &id in component {
            taken[id] = bytes_of_a_call(program, id, &taken);
        }
        if component.iter().any(|&id| taken[id] > 0 && calls.is_recursive(id)) {
            component.iter().for_each(|&id| taken[id] = u64::MAX);
        }
    }
    let objects = program.objects.iter();
    let ends = objects.map(|object| model.next_allocation(object.address, object.size).unwrap_or(u64::MAX));
    let first = ends.max().unwrap_or_else(|| model.first_address());
    let all = first.saturating_add(taken[program.entry]);
    all >> (model.pointer_bits() - 1) > 1 || all == u64::MAX
}

/// How many bytes of addresses a call takes at most, where the callees are known.
fn bytes_of_a_call(program: &ir::Program, id: ir::ProcId, taken: &IndexVec<ir::ProcId, u64>) -> u64 {
    let (model, proc) = (program.data_model, &program.procs[id]);
    let allocates = |stmt: &Stmt| matches!(stmt, Stmt::Alloc { .. } | Stmt::Call { .. });
    if !proc.edges.iter().any(|edge| allocates(&edge.stmt)) {
        return 0;
    }
    let wto = ir::Wto::new(&proc.graph(), proc.entry);
    let mut bytes = 0u64;
    for edge in &proc.edges {
        let once = match edge.stmt {
            Stmt::Call { callee, .. } => taken[callee],
            Stmt::Alloc { size, .. } => {
                let size = program.exprs.as_const(size).and_then(|size| u64::try_from(size).ok());
                let size = size.unwrap_or_else(|| model.largest_object());
                model.next_allocation(0, size).unwrap_or(u64::MAX)
            }
            _ => 0,
        };
        let often = once > 0 && wto.innermost(edge.from).is_some();
        bytes = if often { u64::MAX } else { bytes.saturating_add(once) };
    }
    bytes
}

impl StaticObjects {
    fn of(program: &ir::Program) -> Self {
        let lasting = program.objects.iter().filter(|object| object.live.is_none());
        let is_writeable = |object: &ir::MemoryObject| !object.constant && object.sealed.is_none();
        let known = lasting.map(|object| (object.address, (object.size, is_writeable(object))));
        StaticObjects(known.collect())
    }

    /// Whether all that is read is in one object.
    fn contain(&self, program: &ir::Program, addr: ir::ExprId, ty: Type) -> bool {
        self.find(program, addr, ty).is_some()
    }

    /// Whether all that is written is in one object, which may be written.
    fn take(&self, program: &ir::Program, addr: ir::ExprId, ty: Type) -> bool {
        self.find(program, addr, ty).is_some_and(|is_writeable| is_writeable)
    }

    fn find(&self, program: &ir::Program, addr: ir::ExprId, ty: Type) -> Option<bool> {
        let address = u64::try_from(program.exprs.as_const(addr)?).ok()?;
        let (start, (size, is_writeable)) = self.0.range(..=address).next_back()?;
        let bytes = u64::from(program.size_of(ty));
        (address - start + bytes <= *size).then_some(*is_writeable)
    }
}
