//! The syntax of a translation unit (C11 annex A.2 with GNU extensions), as written: nothing is resolved
//! but which names are typedefs, because C cannot be parsed without knowing that.
//!
//! Every expression knows its height; together with the parser's own nesting it is bounded by
//! [`crate::parse::MAX_NESTING`], so that what walks the tree may recurse.

pub mod print;

use crate::hir::{BinaryOp, LogicalOp};
use crate::lex::Symbol;
use crate::lex::literal::{Encoding, FloatLiteral, IntLiteral};
use crate::source::Span;
use crate::types::{FloatKind, IntKind, Qualifiers, RecordKind};

/// What stands at file scope.
#[derive(Clone, Debug)]
pub enum External {
    Declaration(Declaration),
    Function(Box<FunctionDefinition>),
    StaticAssert(StaticAssert),
    Asm(Span),
}

#[derive(Clone, Debug)]
pub struct FunctionDefinition {
    pub specifiers: Specifiers,
    pub declarator: Declarator,
    /// Declarations of the parameters of an old-style definition.
    pub old_style: Vec<Declaration>,
    pub body: Vec<Stmt>,
    /// The closing brace.
    pub end: Span,
}

#[derive(Clone, Debug)]
pub struct Declaration {
    pub specifiers: Specifiers,
    pub declarators: Vec<InitDeclarator>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    pub init: Option<Init>,
    /// Attributes after the declarator.
    pub attributes: Vec<Attribute>,
    /// `asm("name")`: the name that the linker sees.
    pub asm_name: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Clone, Debug)]
pub struct Specifiers {
    pub storage: Option<Storage>,
    pub thread_local: bool,
    pub inline: bool,
    pub quals: Qualifiers,
    pub ty: TypeSpecifier,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum TypeSpecifier {
    Void,
    Bool,
    Int(IntKind),
    Float(FloatKind),
    /// `_Complex`, with the type of the parts.
    Complex(FloatKind),
    VaList,
    /// The type of `sizeof`.
    Size,
    Name(Symbol),
    Record(Box<RecordSpecifier>),
    Enum(Box<EnumSpecifier>),
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    /// `__auto_type`: the type of the initialiser.
    Auto,
    /// No type at all: `int`, with a warning.
    Implicit,
}

#[derive(Clone, Debug)]
pub struct RecordSpecifier {
    pub kind: RecordKind,
    pub tag: Option<Symbol>,
    pub members: Option<Vec<Member>>,
    pub attributes: Vec<Attribute>,
    /// The largest alignment of members, by `#pragma pack`.
    pub pack: Option<u64>,
    pub span: Span,
}

/// One declaration within a struct or union.
#[derive(Clone, Debug)]
pub enum Member {
    Declaration { specifiers: Specifiers, declarators: Vec<MemberDeclarator>, span: Span },
    StaticAssert(StaticAssert),
}

#[derive(Clone, Debug)]
pub struct MemberDeclarator {
    pub declarator: Declarator,
    pub width: Option<Expr>,
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, Debug)]
pub struct EnumSpecifier {
    pub tag: Option<Symbol>,
    /// The type of its numbers, where it is named (C23).
    pub underlying: Option<TypeName>,
    pub constants: Option<Vec<Enumerator>>,
    pub attributes: Vec<Attribute>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Enumerator {
    pub name: Symbol,
    pub value: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct StaticAssert {
    pub condition: Expr,
    pub message: String,
    pub span: Span,
}

/// A declarator turned inside out: the name, then what it is, nearest first. `*a[3]` is an array of pointers:
/// `[Array(3), Pointer]`.
#[derive(Clone, Debug)]
pub struct Declarator {
    pub name: Option<(Symbol, Span)>,
    pub derived: Vec<Derived>,
    pub span: Span,
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, Debug)]
pub enum Derived {
    Pointer(Qualifiers),
    Array {
        /// In a parameter: of the pointer that it becomes.
        quals: Qualifiers,
        length: Option<Box<Expr>>,
        /// `[*]`
        star: bool,
        span: Span,
    },
    Function(Box<FunctionDeclarator>),
}

#[derive(Clone, Debug)]
pub struct FunctionDeclarator {
    pub params: Vec<Param>,
    pub variadic: bool,
    /// The names of an old-style definition; then there are no `params`.
    pub names: Vec<(Symbol, Span)>,
    /// False for `()` and for a list of names.
    pub prototyped: bool,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub specifiers: Specifiers,
    pub declarator: Declarator,
}

#[derive(Clone, Debug)]
pub struct TypeName {
    pub specifiers: Specifiers,
    pub declarator: Declarator,
}

/// The attributes that change what a program means; others are read and forgotten.
#[derive(Clone, Debug)]
pub enum Attribute {
    Packed,
    /// Without argument: the largest useful alignment.
    Aligned(Option<Box<Expr>>),
    /// `_Alignas(T)`
    AlignedAs(Box<TypeName>),
    NoReturn,
    /// `mode(DI)`: an integer of that width.
    Mode(Symbol, Span),
    TransparentUnion,
    /// Of that many bytes.
    VectorSize(Box<Expr>),
    Cleanup(Symbol, Span),
    Alias(String, Span),
    Weak,
    /// Runs before `main`, with this priority.
    Constructor(Option<Box<Expr>>),
    /// Runs after `main`.
    Destructor(Option<Box<Expr>>),
    ScalarStorageOrder(Span),
}

#[derive(Clone, Debug)]
pub enum Init {
    Expr(Expr),
    List(InitList),
}

#[derive(Clone, Debug)]
pub struct InitList {
    pub items: Vec<InitListItem>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct InitListItem {
    pub designators: Vec<Designator>,
    pub init: Init,
}

#[derive(Clone, Debug)]
pub enum Designator {
    Field(Symbol, Span),
    Index(Expr),
    /// `[a ... b]`
    Range(Expr, Expr),
}

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    /// One more than the highest operand.
    pub height: u32,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Name(Symbol),
    Int(IntLiteral),
    Float(FloatLiteral),
    Char(Encoding, i64),
    String(StringLiteral),
    Unary(UnaryOp, Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    Logical(LogicalOp, Box<Expr>, Box<Expr>),
    /// With an operator for compound assignment.
    Assign(Option<BinaryOp>, Box<Expr>, Box<Expr>),
    /// Without a middle operand: GNU `a ?: b`.
    Conditional(Box<Expr>, Option<Box<Expr>>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    Cast(Box<TypeName>, Box<Expr>),
    CompoundLiteral(Box<TypeName>, InitList),
    Call(Box<Expr>, Vec<Expr>),
    Index(Box<Expr>, Box<Expr>),
    Member {
        object: Box<Expr>,
        name: Symbol,
        arrow: bool,
        name_span: Span,
    },
    SizeofExpr(Box<Expr>),
    SizeofType(Box<TypeName>),
    AlignofExpr(Alignment, Box<Expr>),
    AlignofType(Alignment, Box<TypeName>),
    Statement(Vec<Stmt>),
    /// `&&label`
    LabelAddress(Symbol),
    Generic(Box<Expr>, Vec<(Option<TypeName>, Expr)>),
    VaArg(Box<Expr>, Box<TypeName>),
    ConvertVector(Box<Expr>, Box<TypeName>),
    Offsetof(Box<TypeName>, Vec<Designator>),
    TypesCompatible(Box<(TypeName, TypeName)>),
    ChooseExpr(Box<(Expr, Expr, Expr)>),
}

/// Which alignment is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alignment {
    /// `_Alignof`
    Least,
    /// `__alignof__`
    Preferred,
}

#[derive(Clone, Debug)]
pub struct StringLiteral {
    pub encoding: Encoding,
    /// Without the terminating zero; bytes if narrow.
    pub units: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Plus,
    Neg,
    BitNot,
    Not,
    Deref,
    AddressOf,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
    Real,
    Imag,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

/// Labels are statements of their own in front of what they label, so that a thousand `case`s in a row are
/// no deep tree.
#[derive(Clone, Debug)]
pub enum StmtKind {
    Empty,
    Expr(Expr),
    Declaration(Declaration),
    /// A function within a function (GNU C).
    Function(Box<FunctionDefinition>),
    StaticAssert(StaticAssert),
    Block(Vec<Stmt>),
    If {
        condition: Expr,
        then: Box<Stmt>,
        otherwise: Option<Box<Stmt>>,
    },
    While {
        condition: Expr,
        body: Box<Stmt>,
    },
    DoWhile {
        body: Box<Stmt>,
        condition: Expr,
    },
    For {
        init: Box<Stmt>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Switch {
        value: Expr,
        body: Box<Stmt>,
    },
    Case {
        low: Expr,
        high: Option<Expr>,
    },
    Default,
    Label(Symbol),
    /// `__label__ a, b;`
    LocalLabels(Vec<(Symbol, Span)>),
    Goto(Symbol, Span),
    ComputedGoto(Expr),
    Break,
    Continue,
    Return(Option<Expr>),
    Asm(Box<Asm>),
}

#[derive(Clone, Debug)]
pub struct Asm {
    pub template: String,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    pub clobbers: Vec<String>,
    pub labels: Vec<(Symbol, Span)>,
    pub volatile: bool,
}

#[derive(Clone, Debug)]
pub struct AsmOperand {
    pub constraint: String,
    pub value: Expr,
}
