//! From the typed C program to the program model of `craig-program`.
//!
//! The steps, each a module:
//! 1. [`reach`]: what the entry can reach, and which objects need memory. An object whose address is not
//!    taken becomes one variable per scalar part ([`layout`]).
//! 2. Every reachable function becomes a graph ([`body`], [`stmt`], [`expr`], [`place`], [`init`], [`call`],
//!    [`library`]). Memory accesses carry an address, no region yet; calls through pointers are left open.
//! 3. [`points_to`] finds on these graphs which accesses may alias and which functions a pointer may
//!    hold.
//! 4. [`finish`] closes the open calls, gives locals with one instance a fixed address, gives each access
//!    its region, and removes locations that only skip.
//!
//! Order of evaluation is that of [`crate::hir`], unless another one makes a difference ([`order`]). An IR expression is evaluated when its statement runs, so a
//! value that was built before a later operand's side effects is copied to a temporary first
//! ([`body::Body::freeze`]).
//!
//! Recursion here follows the trees of the typed program, whose depth [`crate::hir::MAX_DEPTH`] bounds.

mod alloca;
mod allocate;
mod arguments;
mod assign;
mod assigned;
mod body;
mod branch;
mod builtin;
mod call;
mod callbacks;
mod compared;
mod constant_math;
mod copy;
mod dialect;
mod expr;
mod extents;
mod finish;
mod fold;
mod footprint;
mod foreign;
mod format;
mod format_list;
mod given;
mod globals;
mod indirect;
mod init;
mod kept;
mod layout;
mod library;
mod notes;
mod order;
mod outside;
mod overlap;
mod padding;
mod passing;
mod place;
mod points_to;
mod pure;
pub(crate) mod reach;
mod rebuild;
mod rounding;
mod scan;
mod scope;
mod source_types;
mod stated;
mod stmt;
mod streams;
pub(crate) mod visit;
mod volatile;
mod words;
mod written;

use std::sync::Arc;

use craig_base::{IndexVec, Map, OrderedMap, Set};
use craig_program as ir;

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::dialect::{Dialect, dialect};
use crate::hir::{FunctionId, GlobalId, Program};
use crate::library::{is_library, public_name};
use crate::source::{Sources, Span};
use crate::types::{DataModel, TypeId};
pub(crate) use layout::Layouts;
pub(crate) use library::is_error;

use library::Actual;
use reach::Reach;

/// Whether it is a local of the function at hand, and its number.
type NamedObject = (bool, usize);

#[derive(Clone, Debug)]
pub struct Options {
    /// The function to start at.
    pub entry: String,
    pub arithmetic: ir::Arithmetic,
    /// Functions whose call is the error, in addition to `reach_error`, `__VERIFIER_error` and failed
    /// assertions.
    pub error_functions: Vec<String>,
    /// `malloc` and its kind always succeed for sizes that an object can have.
    pub malloc_never_fails: bool,
    /// What is written to the standard output arrives.
    pub output_never_fails: bool,
    /// Memory is one region of bytes.
    pub one_region: bool,
    /// What is going to be checked: some of it must be stated by the front end.
    pub checks: ir::CheckSet,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            entry: "main".to_string(),
            arithmetic: ir::Arithmetic::default(),
            error_functions: Vec::new(),
            malloc_never_fails: false,
            output_never_fails: false,
            one_region: false,
            checks: ir::CheckSet::default(),
        }
    }
}

/// Makes the program model of everything that the entry can reach. Call it within
/// [`crate::with_deep_stack`].
pub fn lower(
    program: &Program,
    sources: &Sources,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<ir::Program> {
    let Some(entry) = entry(program, options) else {
        let message = format!("there is no function '{}' to start at", options.entry);
        diagnostics.add(
            Diagnostic::error(Span::NONE, message)
                .with_help("name another one with --entry, or check each function with --all-functions"),
        );
        return None;
    };
    let mut lowering = Lowering::new(program, sources, options, entry);
    for refused in lowering.reach.refused(program) {
        lowering.diagnostics.add(refused);
    }
    lowering.place_globals();
    lowering.find_assigned();
    lowering.lower_functions(entry);
    if lowering.diagnostics.has_errors() {
        lowering.diagnostics.iter().for_each(|diagnostic| diagnostics.add(diagnostic.clone()));
        return None;
    }
    for assumption in &program.assumptions {
        lowering.note(ir::NoteKind::Assumption, ir::Span::default(), assumption.clone());
    }
    for (location, text) in &program.warnings {
        let next = lowering.files.len() as u32;
        let file = *lowering.files.entry(location.file.clone()).or_insert(next);
        let span = ir::Span { file, line: location.line, column: location.column };
        lowering.note(ir::NoteKind::Warning, span, text.clone());
    }
    let lowered = lowering.finish();
    debug_assert_eq!(ir::validate(&lowered), Vec::<String>::new());
    Some(lowered)
}

/// Where the program starts: at the function that makes the arguments of the one that was asked for, if there is one.
pub(crate) fn entry(program: &Program, options: &Options) -> Option<FunctionId> {
    let start = program.function_named(&format!("{}{}", crate::contract::PREFIX, options.entry));
    let entry = start.or_else(|| program.function_named(&options.entry));
    entry.filter(|&f| program.functions[f].body.is_some())
}

/// Where an object lives.
#[derive(Clone, Debug)]
enum Storage {
    /// One variable per leaf of its type.
    Vars(Vec<ir::VarId>),
    /// In memory, at a fixed address or at the address that a variable holds.
    Memory(ir::ExprId),
}

/// How a record or scalar crosses a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Void,
    Scalar(ir::Type),
    /// One value per leaf.
    Leaves(usize),
    /// By the address of a copy.
    Memory,
}

/// An automatic object in memory: an allocation that [`finish`] may turn into a static object.
#[derive(Clone)]
struct StackObject {
    proc: ir::ProcId,
    var: ir::VarId,
    size: u64,
    name: Arc<str>,
    ty: Option<TypeId>,
    /// Every use is preceded by writes to all of it in the same scope, so that instances need not be distinct
    /// for its contents to be arbitrary.
    written_first: bool,
}

/// A call through a pointer; its edge skips until the targets are known.
#[derive(Clone)]
struct IndirectCall {
    proc: ir::ProcId,
    edge: ir::EdgeId,
    pointer: ir::ExprId,
    args: Vec<(body::Value, TypeId)>,
    /// The additional arguments of a variadic call.
    extra: Option<ir::ExprId>,
    result_type: TypeId,
    /// Where the result goes, one variable per leaf, or the address of the result.
    result: body::Value,
    /// The type of the pointer says that there may be more arguments than it names.
    variadic: bool,
    span: ir::Span,
}

struct Lowering<'a> {
    hir: &'a Program,
    sources: &'a Sources,
    options: &'a Options,
    layouts: Layouts,
    reach: Reach,
    out: ir::Program,
    diagnostics: Diagnostics,
    globals: IndexVec<GlobalId, Option<Storage>>,
    procs: IndexVec<FunctionId, Option<ir::ProcId>>,
    /// Whether each weak function without a definition is there, as far as the program asks.
    weak_functions: OrderedMap<FunctionId, ir::VarId>,
    /// Functions whose address is taken.
    function_addresses: IndexVec<FunctionId, Option<u64>>,
    /// Results of record type travel in these globals, one per leaf.
    result_globals: IndexVec<FunctionId, Vec<ir::VarId>>,
    next_static: u64,
    /// Objects of the program's that nothing writes to lie below, all others above.
    constants_end: u64,
    stack_objects: Vec<StackObject>,
    /// For addresses of automatic objects that are declared `const`: whether they are written no more.
    sealed: Map<ir::VarId, ir::VarId>,
    /// Variables that are written once before each use; among them the addresses of locals.
    temporaries: Set<ir::VarId>,
    /// Those that hold the value of a block that has ended.
    left_blocks: Set<ir::VarId>,
    /// For each type of pointers that come from outside as arbitrary values, a global with one of them.
    objects_from_outside: OrderedMap<TypeId, ir::VarId>,
    /// Of two objects of a function: whether it is known which one comes first in memory, and whether it is the first.
    object_orders: OrderedMap<(Option<FunctionId>, NamedObject, NamedObject), [ir::VarId; 2]>,
    indirect_calls: Vec<IndirectCall>,
    kept: kept::Kept,
    foreign: foreign::Foreign,
    /// Where calls through pointers became comparisons, and the pointer that is compared.
    compared: Vec<(ir::ProcId, ir::ExprId)>,
    /// Procedures of the own library: copied for each call.
    library_procs: Set<ir::ProcId>,
    /// The procedures of the library's functions for what they are known to be given.
    instances: Map<(FunctionId, Vec<Actual>), ir::ProcId>,
    /// What is known of the arguments of the procedure that is lowered next.
    actuals: Vec<Actual>,
    files: OrderedMap<String, u32>,
    /// The C types of variables and objects, for reports.
    source_types: source_types::Collector,
    noted: Set<String>,
    has_allocation: bool,
    /// `realloc` must know how much there is to copy.
    tracks_sizes: bool,
    /// Objects are told from one another by their addresses: none is larger than the unit of the layout.
    asks_for_objects: bool,
    /// How large objects are, and whether they exist, where the program asks for that of any pointer.
    extents: Option<extents::Extents>,
    /// Addresses become numbers.
    uses_addresses: bool,
    /// The source compares addresses.
    compares_addresses: bool,
    /// Addresses are compared by order, or their distance is asked for.
    orders_addresses: bool,
    /// Comparisons of addresses that are constants, which are decided at once, and whether they are by order.
    decided: Vec<(i128, i128, bool)>,
    orders: order::Orders,
    keeps_lists: bool,
    signs: arguments::Signs,
    /// Globals that the program may write, once that is needed.
    volatile_written: Option<Set<GlobalId>>,
    /// Records that may lie anywhere, as pointers become pointers to them.
    reinterpreted: Set<TypeId>,
    /// Whether padding matters, once that is needed.
    sees_padding: Option<bool>,
    /// The program sets the direction of rounding.
    sets_rounding: bool,
    /// The program may open streams in memory.
    has_memory_streams: bool,
    /// The program hands lists of arguments to functions that write to what these point to.
    scans_lists: bool,
    /// The state of streams makes a difference.
    follows_streams: bool,
    /// The byte whose writing is watched, if reads of what was never written are checked.
    watched: Option<written::Watched>,
    /// Whether the last call left a value, if that is checked.
    returned: Option<ir::VarId>,
    /// What the function under test may write, if its contract says so.
    assigned: Option<assigned::Assigned>,
}

/// The size of an object that is declared without one.
const UNKNOWN_SIZE: u64 = 1024;
/// All accesses name this region until [`points_to`] has split it.
const ANY_REGION: ir::RegionId = ir::RegionId(0);

impl<'a> Lowering<'a> {
    fn new(hir: &'a Program, sources: &'a Sources, options: &'a Options, entry: FunctionId) -> Self {
        let mut layouts = Layouts::default();
        let mut roots = vec![entry];
        let follows_streams = streams::are_followed(hir);
        roots.extend(library::roots(hir, follows_streams));
        roots.extend(hir.constructors.iter().chain(&hir.destructors));
        let reach = reach::reach(hir, &mut layouts, &roots);
        let tracks_sizes = reach.called.iter().chain(&reach.address_taken).any(|&f| {
            let function = &hir.functions[f];
            function.name == "realloc" && function.body.is_none()
        });
        let has_memory_streams = reach.functions.iter().any(|&f| {
            let name: &str = &hir.functions[f].name;
            crate::library::is_library(name) && crate::library::public_name(name) == "fmemopen"
        });
        let scans_lists = reach.called.iter().any(|&f| {
            let function = &hir.functions[f];
            function.body.is_none() && kept::scans_list(&function.name)
        });
        let is_asked = |function: &crate::hir::Function| {
            function.body.is_none() && matches!(dialect(&function.name), Some(Dialect::Object(_)))
        };
        let large = hir.types.model() == DataModel::Lp64;
        let has_objects = |global: &crate::hir::Global| {
            [crate::contract::assigns::OBJECT, crate::contract::assigns::REST]
                .iter()
                .any(|prefix| global.name.starts_with(prefix))
        };
        let asks_for_objects = large
            && (hir.globals.iter().any(has_objects)
                || reach.called.iter().any(|&f| is_asked(&hir.functions[f])));
        let mut regions = IndexVec::new();
        regions.push(ir::Region {
            name: "memory".into(),
            cell: ir::Cell::Bytes,
            zeroed: false,
            objects: Vec::new(),
            allocated: true,
        });
        let out = ir::Program {
            data_model: hir.types.model().into(),
            arithmetic: options.arithmetic,
            plain: false,
            exprs: ir::Exprs::default(),
            vars: IndexVec::new(),
            regions,
            objects: IndexVec::new(),
            procs: IndexVec::new(),
            entry: ir::ProcId(0),
            next_address: None,
            automatic: Vec::new(),
            tracked: None,
            checks: Vec::new(),
            provenance: Default::default(),
            files: Vec::new(),
            unchecked: Vec::new(),
            source_types: Arc::default(),
            notes: Vec::new(),
            words: ir::Words::default(),
        };
        Lowering {
            hir,
            sources,
            options,
            layouts,
            reach,
            next_static: out.data_model.first_address(),
            constants_end: out.data_model.first_address(),
            out,
            diagnostics: Diagnostics::new(),
            globals: IndexVec::from_elem(None, hir.globals.len()),
            procs: IndexVec::from_elem(None, hir.functions.len()),
            weak_functions: OrderedMap::default(),
            function_addresses: IndexVec::from_elem(None, hir.functions.len()),
            result_globals: IndexVec::from_elem(Vec::new(), hir.functions.len()),
            stack_objects: Vec::new(),
            sealed: Map::default(),
            temporaries: Set::default(),
            left_blocks: Set::default(),
            objects_from_outside: OrderedMap::default(),
            object_orders: OrderedMap::default(),
            indirect_calls: Vec::new(),
            kept: kept::Kept::default(),
            foreign: foreign::Foreign::default(),
            compared: Vec::new(),
            library_procs: Set::default(),
            instances: Map::default(),
            actuals: Vec::new(),
            files: OrderedMap::default(),
            source_types: source_types::Collector::default(),
            noted: Set::default(),
            has_allocation: false,
            tracks_sizes,
            asks_for_objects,
            extents: None,
            uses_addresses: false,
            compares_addresses: false,
            orders_addresses: false,
            decided: Vec::new(),
            orders: order::Orders::default(),
            keeps_lists: call::keeps_lists(hir),
            signs: arguments::Signs::default(),
            volatile_written: None,
            reinterpreted: overlap::reinterpreted(hir),
            sees_padding: None,
            sets_rounding: rounding::is_set(hir),
            has_memory_streams,
            scans_lists,
            follows_streams,
            watched: None,
            returned: None,
            assigned: None,
        }
    }

    fn span(&mut self, span: Span) -> ir::Span {
        if span == Span::NONE {
            return ir::Span::default();
        }
        let location = self.sources.locate(span);
        let next = self.files.len() as u32;
        let file = *self.files.entry(location.file).or_insert(next);
        ir::Span { file, line: location.line, column: location.column }
    }

    /// Says something once.
    fn note(&mut self, kind: ir::NoteKind, span: ir::Span, text: String) {
        if self.noted.insert(text.clone()) {
            self.out.notes.push(ir::Note { kind, span, text });
        }
    }

    fn unsupported(&mut self, span: Span, what: impl Into<String>) {
        self.diagnostics.add(Diagnostic::unsupported(span, what));
    }

    fn pointer_bytes(&self) -> u64 {
        u64::from(self.out.data_model.pointer_bytes())
    }

    /// `size_t`.
    fn size_type(&self) -> ir::IntType {
        ir::IntType::unsigned(self.out.data_model.pointer_bits())
    }

    /// `ptrdiff_t`.
    fn difference_type(&self) -> ir::IntType {
        ir::IntType::signed(self.out.data_model.pointer_bits())
    }

    fn scalar_type(&self, ty: TypeId) -> Option<ir::Type> {
        layout::scalar_type(&self.hir.types, ty)
    }

    fn shape(&mut self, ty: TypeId) -> Shape {
        if self.hir.types.is_void(ty) {
            return Shape::Void;
        }
        match self.scalar_type(ty) {
            Some(scalar) => Shape::Scalar(scalar),
            None => {
                self.layouts.leaves(&self.hir.types, ty).map_or(Shape::Memory, |l| Shape::Leaves(l.len()))
            }
        }
    }

    fn new_global(&mut self, name: String, ty: ir::Type, init: i128, span: ir::Span) -> ir::VarId {
        let scope = ir::Scope::Global { init };
        self.out.vars.push(ir::Var { name: name.into(), ty, scope, span, origin: None })
    }

    fn order_of(
        &mut self,
        function: Option<FunctionId>,
        first: NamedObject,
        second: NamedObject,
    ) -> [ir::VarId; 2] {
        if let Some(&vars) = self.object_orders.get(&(function, first, second)) {
            return vars;
        }
        let vars = ["known", "first"].map(|what| {
            let name = format!(".order.{}.{what}", self.object_orders.len());
            self.new_global(name, ir::Type::Bool, 0, ir::Span::default())
        });
        self.object_orders.insert((function, first, second), vars);
        vars
    }

    /// The global that keeps an earlier pointer of this type from outside; null at first.
    fn object_from_outside(&mut self, pointer: TypeId) -> ir::VarId {
        if let Some(&var) = self.objects_from_outside.get(&pointer) {
            return var;
        }
        let name = format!("outside.{}", self.objects_from_outside.len());
        let var = self.new_global(name, ir::Type::Pointer, 0, ir::Span::default());
        self.objects_from_outside.insert(pointer, var);
        var
    }

    fn lower_functions(&mut self, entry: FunctionId) {
        let functions = self.reach.functions.clone();
        for &id in &functions {
            if self.hir.functions[id].body.is_some() {
                let name = self.hir.functions[id].name.as_str();
                let name = name.strip_prefix(crate::check::RULE_PREFIX).unwrap_or(public_name(name));
                let proc = self.declare_proc(name, self.hir.functions[id].span);
                self.procs[id] = Some(proc);
                if is_library(&self.hir.functions[id].name) {
                    self.library_procs.insert(proc);
                }
            }
        }
        for &id in &functions {
            if let Some(proc) = self.procs[id] {
                body::lower_function(self, id, proc);
            }
        }
        for id in self.reach.address_taken.clone() {
            if self.procs[id].is_none() {
                outside::lower_stub(self, id);
            }
        }
        self.out.entry = call::lower_entry(self, entry);
    }

    /// A procedure with its three locations and nothing else yet.
    fn declare_proc(&mut self, name: &str, span: Span) -> ir::ProcId {
        let span = self.span(span);
        self.out.procs.push(empty_proc(name.into(), span))
    }
}

fn empty_proc(name: Arc<str>, span: ir::Span) -> ir::Proc {
    let mut proc = ir::Proc {
        name,
        span,
        params: Vec::new(),
        result: None,
        locals: Vec::new(),
        locations: IndexVec::new(),
        edges: IndexVec::new(),
        entry: ir::LocId(0),
        exit: ir::LocId(1),
        error: ir::LocId(2),
        obligations: Vec::new(),
        assumed: Vec::new(),
    };
    for _ in 0..3 {
        proc.add_location(span);
    }
    proc
}
