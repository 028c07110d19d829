//! The typed program: what the checker makes of all translation units together, and what lowering reads.
//!
//! Everything implicit in C is explicit here:
//! - every conversion is a [`ExprKind::Cast`]; the operands of an operator have the type it computes in;
//! - reading an object is a [`ExprKind::Load`] of a [`Place`]; arrays and functions become pointers by
//!   [`ExprKind::Decay`] and [`ExprKind::FunctionAddress`];
//! - `a[i]` is `*(a + i)`: a [`PlaceKind::Deref`] of a [`ExprKind::PtrAdd`], which carries its scale;
//! - `p->f` is a [`PlaceKind::Field`] of a [`PlaceKind::Deref`], one step per anonymous member;
//! - `x ?: y`, which evaluates `x` once, goes through a temporary local;
//! - `sizeof`, `offsetof`, `_Alignof`, enumeration constants and the like are integer constants;
//! - string literals, compound literals at file scope and static locals are globals;
//! - a local array of variable length is a local pointer to memory from [`Builtin::VariableArray`].
//!
//! The trees live in arenas of the [`Program`], so that dropping them needs no recursion; the checker
//! bounds their depth by [`MAX_DEPTH`], and each node has one parent, except that an initialiser range
//! (`[0 ... 9] = e`) repeats its expression.
//!
//! Order of evaluation, where C leaves it open: operands left to right, the place of an assignment before
//! its value, arguments left to right.

use craig_base::{IndexVec, Set, index_type};
use craig_num::Extended;

use crate::diagnostics::Diagnostic;
use crate::source::{Location, Span};
use crate::types::{BitField, QualType, TypeId, Types};

mod validate;

/// No tree in a [`Program`] is deeper than this, statements, expressions and places counted together: what walks
/// it may recurse on a stack as [`crate::with_deep_stack`] gives.
pub const MAX_DEPTH: usize = 10 * crate::parse::MAX_NESTING;

index_type!(/// An object with static storage duration.
    pub GlobalId, "g");
index_type!(/// A function, defined or not.
    pub FunctionId, "f");
index_type!(/// An object with automatic storage duration, numbered within its function.
    pub LocalId, "v");
index_type!(/// A target of jumps, numbered within its function.
    pub LabelId, "label");
index_type!(pub ExprId, "e");
index_type!(pub PlaceId, "p");
index_type!(pub StmtId, "s");

/// One linked program.
#[derive(Clone, Debug)]
pub struct Program {
    pub types: Types,
    pub globals: IndexVec<GlobalId, Global>,
    pub functions: IndexVec<FunctionId, Function>,
    pub exprs: IndexVec<ExprId, Expr>,
    pub places: IndexVec<PlaceId, Place>,
    pub stmts: IndexVec<StmtId, Stmt>,
    /// Functions that run before `main` and after it, in order.
    pub constructors: Vec<FunctionId>,
    pub destructors: Vec<FunctionId>,
    /// `asm("...")` at file scope.
    pub file_asm: Vec<Span>,
    /// What it means to reach the error at a place: the messages of rules.
    pub properties: Vec<(Span, String)>,
    /// What answers rest on because of how the program is started, and what was ignored of its specification.
    pub assumptions: Vec<String>,
    pub warnings: Vec<(Location, String)>,
    /// Calls of functions that were declared so differently where they are called that nothing good comes of it.
    pub misfits: Set<ExprId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Linkage {
    /// One object or function of that name in the program.
    External,
    /// `static`: names of different translation units are kept apart.
    Internal,
}

#[derive(Clone, Debug)]
pub struct Global {
    /// As in the source; for anonymous objects a made-up name with a dot in it. Not unique.
    pub name: String,
    pub ty: QualType,
    pub linkage: Linkage,
    pub origin: GlobalOrigin,
    /// `None`: declared `extern` only, so of unknown value (and of unknown length, if the type is such an
    /// array). An empty initialiser is all zero.
    pub init: Option<Initializer>,
    pub thread_local: bool,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalOrigin {
    FileScope,
    StaticLocal(FunctionId),
    StringLiteral,
    CompoundLiteral,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// A [`crate::types::TypeKind::Function`]. For an old-style definition it is not `prototyped`; the
    /// parameters' types are those of `body.params`.
    pub ty: TypeId,
    pub linkage: Linkage,
    /// From `_Noreturn` or `__attribute__((noreturn))`.
    pub no_return: bool,
    /// Without a definition, its address is null.
    pub weak: bool,
    pub span: Span,
    pub body: Option<Body>,
}

#[derive(Clone, Debug)]
pub struct Body {
    /// In order; always the first locals. Arguments arrive with exactly these types.
    pub params: Vec<LocalId>,
    pub locals: IndexVec<LocalId, Local>,
    pub labels: IndexVec<LabelId, Label>,
    /// A [`StmtKind::Block`].
    pub block: StmtId,
    /// The closing brace, for the implicit return. `main` returns 0 there.
    pub end: Span,
    /// What is not modelled in it. Then it has no statements, and no program is made in which it can be reached.
    pub refused: Vec<Diagnostic>,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: String,
    pub ty: QualType,
    pub origin: LocalOrigin,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalOrigin {
    Param,
    Declared,
    /// Made by the checker; written exactly once before it is read.
    Temporary,
    /// A temporary with the length of an array; the first one in its declarator, or a further one.
    Length {
        first: bool,
    },
    CompoundLiteral,
}

#[derive(Clone, Debug)]
pub struct Label {
    /// `None` for `case` and `default`.
    pub name: Option<String>,
    pub span: Span,
}

/// The value of an object from its parts; bytes not mentioned are zero. Offsets increase; parts do not
/// overlap, except that bit-fields share bytes, and that parts of a record in a local object may follow it,
/// to replace what it gives.
#[derive(Clone, Debug, Default)]
pub struct Initializer {
    pub items: Vec<InitItem>,
    /// Values that were given and then replaced: C leaves open whether they are evaluated (6.7.9 p19).
    pub replaced: Vec<ExprId>,
}

#[derive(Clone, Debug)]
pub struct InitItem {
    /// In bytes from the start of the object.
    pub offset: u64,
    /// The type of the part: a scalar, or a record that is copied whole, or an array set from text.
    pub ty: TypeId,
    /// The bits of the unit at `offset`, if the part is a bit-field.
    pub bits: Option<BitField>,
    pub value: InitValue,
}

impl InitItem {
    /// The value, if it is an expression.
    pub fn expr(&self) -> Option<ExprId> {
        match self.value {
            InitValue::Expr(value) => Some(value),
            _ => None,
        }
    }
}

#[derive(Clone, Debug)]
pub enum InitValue {
    /// Of type `ty`. For globals: an address constant or an arithmetic constant, possibly with casts.
    Expr(ExprId),
    /// The elements of a character array, possibly fewer than it has (the rest is zero). The terminating
    /// zero is left out.
    Text(Text),
}

/// A string as numbers in the range of its element type (`char`: 0 to 255 as bytes).
#[derive(Clone, Debug)]
pub enum Text {
    Bytes(Box<[u8]>),
    /// `L"..."`, `u"..."`, `U"..."`.
    Wide(Box<[u32]>),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    /// The type of the value: unqualified, never an array or a function.
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A value of the integer type `ty`, in its range (`unsigned __int128`: modulo 2^128).
    Int(i128),
    /// A value of the floating type `ty`; `_Float128` constants are rounded to `long double`.
    Float(Extended),
    Load(PlaceId),
    AddressOf(PlaceId),
    /// The address of the first element of an array.
    Decay(PlaceId),
    FunctionAddress(FunctionId),
    Unary(UnaryOp, ExprId),
    /// Both operands have the type of the result, except for shifts, where the right one has its own, and for
    /// comparisons, where both have one arithmetic or pointer type and the result is `int`.
    Binary(BinaryOp, ExprId, ExprId),
    /// `pointer ± scale * index` bytes. `index` has any integer type; its value counts, whatever its width.
    PtrAdd {
        pointer: ExprId,
        index: ExprId,
        negative: bool,
        scale: u64,
    },
    /// The difference in bytes divided by `scale`; of type `ptrdiff_t`.
    PtrDiff {
        left: ExprId,
        right: ExprId,
        scale: u64,
    },
    /// `&&` and `||` on scalars, each true when not zero; the result is `int` 0 or 1.
    Logical(LogicalOp, ExprId, ExprId),
    /// The condition is a scalar; the branches have the type of the result, which may be `void` or a record.
    Conditional {
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    /// The value has the type of the place. The result is what the place then holds (for a bit-field: after
    /// reduction to its width).
    Assign {
        place: PlaceId,
        value: ExprId,
    },
    /// Reads the place once, computes, writes it once.
    Update {
        place: PlaceId,
        update: Update,
        result: UpdateResult,
    },
    Cast(CastKind, ExprId),
    Call {
        callee: Callee,
        args: Vec<ExprId>,
    },
    /// Evaluates the first for its effects only, then the second.
    Comma(ExprId, ExprId),
    /// `({ ... })`: the statements are a scope in which `value` is evaluated last; without it, `void`.
    Statement {
        stmts: Vec<StmtId>,
        value: Option<ExprId>,
    },
    /// `va_arg(list, T)`; the type is this expression's. The list is an lvalue of type `va_list`, or a pointer
    /// to one dereferenced.
    VaArg(PlaceId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// On the promoted type; also for floating types.
    Neg,
    BitNot,
    /// On any scalar; the result is `int`.
    LogicalNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl BinaryOp {
    pub fn is_comparison(self) -> bool {
        use BinaryOp::*;
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }

    pub fn is_shift(self) -> bool {
        matches!(self, BinaryOp::Shl | BinaryOp::Shr)
    }

    /// As it is written in C.
    pub fn symbol(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            Shl => "<<",
            Shr => ">>",
            BitAnd => "&",
            BitOr => "|",
            BitXor => "^",
            Eq => "==",
            Ne => "!=",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LogicalOp {
    And,
    Or,
}

/// How `op=`, `++` and `--` compute the new value.
#[derive(Clone, Copy, Debug)]
pub enum Update {
    /// The old value is converted to type `computation`, combined with `right` (which has that type, or for
    /// shifts its own promoted type), and the result converted back to the type of the place.
    Arithmetic { op: BinaryOp, right: ExprId, computation: TypeId },
    /// As [`ExprKind::PtrAdd`].
    Pointer { index: ExprId, negative: bool, scale: u64 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateResult {
    /// The value that the place has afterwards: `op=`, `++x`.
    New,
    /// The value that it had before: `x++`.
    Old,
}

/// From the operand's type to the expression's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CastKind {
    /// Also from `_Bool` and from and to enumerations. To a smaller type: modulo 2^n.
    IntToInt,
    /// From any scalar to `_Bool`: whether it is not zero.
    ToBool,
    IntToFloat,
    /// Truncates towards zero; out of range it is undefined.
    FloatToInt,
    FloatToFloat,
    /// Of the constant 0: the null pointer.
    IntToPointer,
    PointerToInt,
    PointerToPointer,
    /// The value is not used.
    ToVoid,
}

#[derive(Clone, Debug)]
pub enum Callee {
    /// Arguments have the types of the function's parameters; those beyond them (variadic, or no prototype) are
    /// promoted. There may be too few or too many if the function has no prototype, and the result may be
    /// taken of a function that has none: then it is any value.
    Function(FunctionId),
    /// A pointer to a function; the targets may have any other type.
    Pointer(ExprId),
    Builtin(Builtin),
}

/// Built-in functions without a library function of the same meaning; `__builtin_memcpy` and the like are
/// calls of `memcpy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    /// Execution never comes here.
    Unreachable,
    Trap,
    /// `va_start(list)`, `va_end(list)`, `va_copy(to, from)`; the arguments are pointers to the lists.
    VaStart,
    VaEnd,
    VaCopy,
    Bswap16,
    Bswap32,
    Bswap64,
    /// Undefined at zero. The argument has 32 or 64 bits.
    CountLeadingZeros,
    CountTrailingZeros,
    CountOnes,
    Parity,
    /// One plus the index of the lowest bit set, or zero.
    FindFirstSet,
    /// The number of leading bits that equal the sign bit, not counting it.
    CountLeadingSignBits,
    /// `(a, b, pointer to result)`: whether the exact result does not fit `*pointer`, which gets it wrapped.
    AddOverflow,
    SubOverflow,
    MulOverflow,
    /// Memory fence, `__sync_synchronize`.
    Fence,
    /// `__sync_fetch_and_OP(pointer, value)`: the old value; `__sync_OP_and_fetch`: the new one.
    FetchAnd(AtomicOp),
    AndFetch(AtomicOp),
    /// `(pointer, expected, new)`: whether it was swapped; the old value.
    CompareAndSwapBool,
    CompareAndSwapValue,
    /// Takes the address of the expected value, which gets the one that is found.
    CompareExchange,
    /// Address of the own frame or caller: an unknown pointer.
    FrameAddress,
    ReturnAddress,
    /// Floating point classification and constants: `(x)` to `int`.
    IsNan,
    IsInf,
    IsFinite,
    /// Unordered comparisons that raise no exception: `(x, y)` to `int`.
    IsUnordered,
    IsLess,
    IsLessEqual,
    IsGreater,
    IsGreaterEqual,
    IsLessGreater,
    /// Memory that lives until the function returns.
    Alloca,
    /// Memory that lives to the end of its block.
    VariableArray,
    /// No effect (`__builtin_prefetch`, `__builtin___clear_cache`).
    Nop,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AtomicOp {
    Exchange,
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
}

/// An lvalue. The type of a [`PlaceKind::Global`] is the one that was visible there: that of the [`Global`] may be
/// more complete (an array that got its length later).
#[derive(Clone, Debug)]
pub struct Place {
    pub kind: PlaceKind,
    pub ty: QualType,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum PlaceKind {
    Global(GlobalId),
    Local(LocalId),
    Deref(ExprId),
    /// Member number `field` of the record that the place `record` holds. A bit-field is only loaded,
    /// assigned and updated; its width is in [`crate::types::Field::bits`].
    Field {
        record: PlaceId,
        field: usize,
    },
    /// A compound literal in a function: sets the local each time it is evaluated.
    Initialized {
        local: LocalId,
        init: Initializer,
    },
    /// A value of record type that is not in memory (`f().x`): read only.
    Temporary(ExprId),
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Evaluated for its effects; the value may have any type.
    Expr(ExprId),
    /// The local begins to exist here, a new one each time: of any value without an initialiser. A jump past the
    /// declaration into its scope leaves it uninitialised.
    Declare {
        local: LocalId,
        init: Option<Initializer>,
        /// A call that is made whenever the scope of the local is left.
        cleanup: Option<ExprId>,
    },
    Block(Vec<StmtId>),
    If {
        condition: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
    },
    While {
        condition: ExprId,
        body: StmtId,
    },
    DoWhile {
        body: StmtId,
        condition: ExprId,
    },
    /// `init` holds declarations or one expression.
    For {
        init: Vec<StmtId>,
        condition: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    },
    /// Jumps to the label of the case that contains the value (of promoted type; the cases are in its range
    /// and do not overlap), else to the default, else after the body. The labels stand in the body, as deep
    /// as they like.
    Switch {
        value: ExprId,
        cases: Vec<Case>,
        default: Option<LabelId>,
        body: StmtId,
    },
    /// The place that jumps to the label arrive at; the labelled statement follows.
    Label(LabelId),
    Goto(LabelId),
    /// Out of the innermost loop or switch.
    Break,
    /// To the condition (`for`: the step) of the innermost loop.
    Continue,
    /// The value has the function's result type.
    Return(Option<ExprId>),
    Asm(Asm),
}

#[derive(Clone, Debug)]
pub struct Case {
    pub low: i128,
    pub high: i128,
    pub label: LabelId,
}

/// Inline assembly: what it may change.
#[derive(Clone, Debug)]
pub struct Asm {
    pub template: String,
    /// Written with unknown values; also read when the constraint has a `+`.
    pub outputs: Vec<(String, PlaceId)>,
    pub inputs: Vec<(String, AsmInput)>,
    pub clobbers: Vec<String>,
    /// Of `asm goto`.
    pub labels: Vec<LabelId>,
    pub volatile: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum AsmInput {
    Value(ExprId),
    /// Under an `m` constraint.
    Memory(PlaceId),
}

impl Asm {
    /// Whether memory that is no operand may change.
    pub fn clobbers_memory(&self) -> bool {
        self.clobbers.iter().any(|c| c == "memory")
    }
}

impl Program {
    pub fn function_named(&self, name: &str) -> Option<FunctionId> {
        let candidates = || self.functions.enumerated().filter(|(_, f)| f.name == name);
        candidates()
            .find(|(_, f)| f.linkage == Linkage::External)
            .or_else(|| candidates().next())
            .map(|(id, _)| id)
    }
}
