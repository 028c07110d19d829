//! The arena: nodes, sorts, symbols, and the table that makes equal nodes one node.

use crate::data::DataTypes;
use craig_base::{IndexVec, Map, index_type};
use craig_num::Rat;
use std::fmt;
use std::hash::{Hash, Hasher};

index_type!(
    /// A term of one [`Terms`].
    pub TermId,
    "t"
);
index_type!(
    /// A sort of one [`Terms`].
    pub SortId,
    "s"
);
index_type!(
    /// A declared symbol: a constant or a function.
    pub FunId,
    "f"
);
index_type!(
    /// A number that occurs in a term.
    pub(crate) NumberId,
    "n"
);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    Bool,
    Int,
    Real,
    Array {
        index: SortId,
        element: SortId,
    },
    /// By `declare-sort`; a sort with parameters has as many arguments.
    Uninterpreted {
        name: String,
        arguments: Box<[SortId]>,
    },
}

impl Sort {
    /// The sorts that this one is made of.
    pub fn parts(&self) -> Vec<SortId> {
        match self {
            Sort::Bool | Sort::Int | Sort::Real => Vec::new(),
            Sort::Array { index, element } => vec![*index, *element],
            Sort::Uninterpreted { arguments, .. } => arguments.to_vec(),
        }
    }
}

/// What a node is; its arguments are in [`Terms::args`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    True,
    False,
    /// A declared constant.
    Const(FunId),
    /// An application of a declared function.
    App(FunId),
    /// A numeral; [`Terms::number`] gives its value and the sort says integer or real.
    Number(#[allow(private_interfaces)] NumberId),
    Not,
    And,
    Or,
    /// Equality at any sort, also of Booleans. Over numbers: a sum and a numeral.
    Eq,
    /// Also of Booleans.
    Ite,
    /// `sum <= numeral`.
    Le,
    /// `sum < numeral`; reals only.
    Lt,
    /// Two or more summands: a numeral (if not zero) comes first, then [`Op::Scale`] or others.
    Add,
    /// A numeral other than 0 and 1 times something that is no sum, numeral or `Scale`.
    Scale,
    /// A nonlinear product of two or more factors.
    Mul,
    /// Euclidean division of integers.
    Div,
    /// Euclidean remainder.
    Mod,
    /// Division of reals by something that is no numeral.
    RealDiv,
    ToReal,
    ToInt,
    Select,
    Store,
    /// The array whose elements all are the argument; the sort of the node is the array sort.
    ConstArray,
    /// Bound constants, then the body.
    Forall,
    Exists,
}

impl Op {
    /// What SMT-LIB calls it; `constant`, `application`, `number` and `const-array` for those that have no name of their
    /// own there.
    pub fn name(self) -> &'static str {
        match self {
            Op::True => "true",
            Op::False => "false",
            Op::Const(_) => "constant",
            Op::App(_) => "application",
            Op::Number(_) => "number",
            Op::Not => "not",
            Op::And => "and",
            Op::Or => "or",
            Op::Eq => "=",
            Op::Ite => "ite",
            Op::Le => "<=",
            Op::Lt => "<",
            Op::Add => "+",
            Op::Scale | Op::Mul => "*",
            Op::Div => "div",
            Op::Mod => "mod",
            Op::RealDiv => "/",
            Op::ToReal => "to_real",
            Op::ToInt => "to_int",
            Op::Select => "select",
            Op::Store => "store",
            Op::ConstArray => "const-array",
            Op::Forall => "forall",
            Op::Exists => "exists",
        }
    }
}

/// A symbol was declared before with another sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclareError {
    pub name: String,
}

impl fmt::Display for DeclareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "symbol `{}` is already declared with another sort", self.name)
    }
}

impl std::error::Error for DeclareError {}

#[derive(Clone, Copy, Debug)]
struct Node {
    op: Op,
    sort: SortId,
    args_start: u32,
    args_len: u32,
}

#[derive(Clone, Debug)]
struct Symbol {
    name: Box<str>,
    args: Box<[SortId]>,
    result: SortId,
}

/// The store of all terms. See the crate's documentation for what its constructors guarantee.
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: IndexVec<TermId, Node>,
    args: Vec<TermId>,
    /// Open addressing over nodes. Its length is a power of two.
    table: Vec<Slot>,
    sorts: IndexVec<SortId, Sort>,
    sort_sizes: IndexVec<SortId, u32>,
    sort_ids: Map<Sort, SortId>,
    symbols: IndexVec<FunId, Symbol>,
    symbol_ids: Map<Box<str>, FunId>,
    numbers: IndexVec<NumberId, Rat>,
    number_ids: Map<Rat, NumberId>,
    pub(crate) data: DataTypes,
    fresh: u64,
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

/// A node and its hash, so that other nodes are told apart, and the table grows, without looking at nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Slot {
    hash: u32,
    id: TermId,
}

const EMPTY: Slot = Slot { hash: 0, id: TermId(u32::MAX) };

impl Terms {
    pub const BOOL: SortId = SortId(0);
    pub const INT: SortId = SortId(1);
    pub const REAL: SortId = SortId(2);
    pub const TRUE: TermId = TermId(0);
    pub const FALSE: TermId = TermId(1);

    pub fn new() -> Self {
        let mut terms = Terms {
            nodes: IndexVec::new(),
            args: Vec::new(),
            table: vec![EMPTY; 1024],
            sorts: IndexVec::new(),
            sort_sizes: IndexVec::new(),
            sort_ids: Map::default(),
            symbols: IndexVec::new(),
            symbol_ids: Map::default(),
            numbers: IndexVec::new(),
            number_ids: Map::default(),
            data: DataTypes::default(),
            fresh: 0,
        };
        for sort in [Sort::Bool, Sort::Int, Sort::Real] {
            terms.intern_sort(sort);
        }
        terms.intern(Op::True, Self::BOOL, &[]);
        terms.intern(Op::False, Self::BOOL, &[]);
        terms
    }

    // Sorts

    fn intern_sort(&mut self, sort: Sort) -> SortId {
        if let Some(&id) = self.sort_ids.get(&sort) {
            return id;
        }
        let size = sort.parts().iter().fold(1, |sum: u32, &part| sum.saturating_add(self.sort_sizes[part]));
        self.sort_sizes.push(size);
        let id = self.sorts.push(sort.clone());
        self.sort_ids.insert(sort, id);
        id
    }

    pub fn array_sort(&mut self, index: SortId, element: SortId) -> SortId {
        self.intern_sort(Sort::Array { index, element })
    }

    pub fn uninterpreted_sort(&mut self, name: &str) -> SortId {
        self.applied_sort(name, &[])
    }

    /// A sort with parameters, for which these sorts are taken.
    pub fn applied_sort(&mut self, name: &str, arguments: &[SortId]) -> SortId {
        self.intern_sort(Sort::Uninterpreted { name: name.to_string(), arguments: arguments.into() })
    }

    /// The same kind of sort, made of other parts.
    pub(crate) fn with_parts(&mut self, sort: SortId, parts: &[SortId]) -> SortId {
        match (&self.sorts[sort], parts) {
            (Sort::Array { .. }, &[index, element]) => self.array_sort(index, element),
            (Sort::Uninterpreted { name, .. }, _) => {
                self.intern_sort(Sort::Uninterpreted { name: name.clone(), arguments: parts.into() })
            }
            _ => sort,
        }
    }

    /// How many symbols the text of a sort has, or `u32::MAX`.
    pub fn sort_size(&self, sort: SortId) -> u32 {
        self.sort_sizes[sort]
    }

    /// What a sort is made of.
    pub fn sort_of(&self, sort: SortId) -> &Sort {
        &self.sorts[sort]
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, t: TermId) -> SortId {
        self.nodes[t].sort
    }

    #[inline]
    pub fn is_bool(&self, t: TermId) -> bool {
        self.sort(t) == Self::BOOL
    }

    #[inline]
    pub fn is_int(&self, t: TermId) -> bool {
        self.sort(t) == Self::INT
    }

    /// Integer or real.
    #[inline]
    pub fn is_arith(&self, t: TermId) -> bool {
        matches!(self.sort(t), Self::INT | Self::REAL)
    }

    // Symbols

    /// The constant of this name, declared now or before.
    pub fn declare_const(&mut self, name: &str, sort: SortId) -> Result<TermId, DeclareError> {
        let symbol = self.declare_symbol(name, &[], sort)?;
        Ok(self.intern(Op::Const(symbol), sort, &[]))
    }

    /// A constant that no other declaration gave so far, named after `prefix`. The names of programs and
    /// clauses, which may be declared later, have no `!@` in them.
    pub fn fresh_const(&mut self, prefix: &str, sort: SortId) -> TermId {
        loop {
            let name = format!("{prefix}!@{}", self.fresh);
            self.fresh += 1;
            if !self.symbol_ids.contains_key(&*name) {
                let symbol = self.new_symbol(&name, &[], sort);
                return self.intern(Op::Const(symbol), sort, &[]);
            }
        }
    }

    /// The function of this name, declared now or before. Without arguments it is a constant.
    pub fn declare_fun(
        &mut self,
        name: &str,
        args: &[SortId],
        result: SortId,
    ) -> Result<FunId, DeclareError> {
        self.declare_symbol(name, args, result)
    }

    /// The symbol of this name, if there is one.
    pub fn symbol(&self, name: &str) -> Option<FunId> {
        self.symbol_ids.get(name).copied()
    }

    pub fn symbol_name(&self, symbol: FunId) -> &str {
        &self.symbols[symbol].name
    }

    /// The argument sorts and the result sort.
    pub fn signature(&self, symbol: FunId) -> (&[SortId], SortId) {
        let symbol = &self.symbols[symbol];
        (&symbol.args, symbol.result)
    }

    /// The name of a declared constant.
    pub fn const_name(&self, t: TermId) -> Option<&str> {
        match self.op(t) {
            Op::Const(symbol) => Some(self.symbol_name(symbol)),
            _ => None,
        }
    }

    /// Applies a declared function; without arguments this is the constant itself.
    pub fn app(&mut self, symbol: FunId, args: &[TermId]) -> TermId {
        let result = self.symbols[symbol].result;
        debug_assert!(
            self.symbols[symbol].args.len() == args.len()
                && self.symbols[symbol].args.iter().zip(args).all(|(&s, &a)| s == self.sort(a)),
            "wrong arguments for `{}`",
            self.symbols[symbol].name
        );
        match self.role(symbol) {
            Some(role) => match self.reduced(role, args) {
                Some(simpler) => simpler,
                None => self.intern(Op::App(symbol), result, args),
            },
            None if args.is_empty() => self.intern(Op::Const(symbol), result, &[]),
            None => self.intern(Op::App(symbol), result, args),
        }
    }

    fn declare_symbol(&mut self, name: &str, args: &[SortId], result: SortId) -> Result<FunId, DeclareError> {
        if let Some(&id) = self.symbol_ids.get(name) {
            let known = &self.symbols[id];
            if *known.args == *args && known.result == result {
                return Ok(id);
            }
            return Err(DeclareError { name: name.to_string() });
        }
        Ok(self.new_symbol(name, args, result))
    }

    fn new_symbol(&mut self, name: &str, args: &[SortId], result: SortId) -> FunId {
        let id = self.symbols.push(Symbol { name: name.into(), args: args.into(), result });
        self.symbol_ids.insert(name.into(), id);
        id
    }

    // Nodes

    #[inline]
    pub fn op(&self, t: TermId) -> Op {
        self.nodes[t].op
    }

    #[inline]
    pub fn args(&self, t: TermId) -> &[TermId] {
        let node = &self.nodes[t];
        &self.args[node.args_start as usize..(node.args_start + node.args_len) as usize]
    }

    /// The argument at `i`; it must exist.
    #[inline]
    pub fn arg(&self, t: TermId, i: usize) -> TermId {
        self.args(t)[i]
    }

    /// The number of nodes made so far; ids are below it, and arguments have smaller ids.
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        false
    }

    /// The value of a numeral.
    #[inline]
    pub fn number(&self, t: TermId) -> Option<&Rat> {
        match self.op(t) {
            Op::Number(id) => Some(self.numeral_of(id)),
            _ => None,
        }
    }

    pub(crate) fn numeral_of(&self, id: NumberId) -> &Rat {
        &self.numbers[id]
    }

    pub(crate) fn numeral(&mut self, value: Rat, sort: SortId) -> TermId {
        debug_assert!(sort == Self::REAL || value.is_integer());
        let id = match self.number_ids.get(&value) {
            Some(&id) => id,
            None => {
                let id = self.numbers.push(value.clone());
                self.number_ids.insert(value, id);
                id
            }
        };
        self.intern(Op::Number(id), sort, &[])
    }

    /// The numeral of this value, if it occurs.
    pub(crate) fn known_number(&self, value: &Rat, sort: SortId) -> Option<TermId> {
        self.find(Op::Number(*self.number_ids.get(value)?), sort, &[])
    }

    /// The node with exactly these parts, if it exists.
    pub(crate) fn find(&self, op: Op, sort: SortId, args: &[TermId]) -> Option<TermId> {
        self.slot(hash_node(op, sort, args), op, sort, args).ok()
    }

    /// Where a node is, or the empty slot where it would be.
    fn slot(&self, hash: u32, op: Op, sort: SortId, args: &[TermId]) -> Result<TermId, usize> {
        let mask = self.table.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.table[slot];
            if entry == EMPTY {
                return Err(slot);
            }
            if entry.hash == hash {
                let node = &self.nodes[entry.id];
                if node.op == op && node.sort == sort && self.args(entry.id) == args {
                    return Ok(entry.id);
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The node with exactly these parts. Every constructor ends here.
    pub(crate) fn intern(&mut self, op: Op, sort: SortId, args: &[TermId]) -> TermId {
        let hash = hash_node(op, sort, args);
        let slot = match self.slot(hash, op, sort, args) {
            Ok(known) => return known,
            Err(slot) => slot,
        };
        let args_start = u32::try_from(self.args.len()).expect("fewer than 2^32 arguments");
        self.args.extend_from_slice(args);
        let id = self.nodes.push(Node { op, sort, args_start, args_len: args.len() as u32 });
        self.table[slot] = Slot { hash, id };
        if self.nodes.len() * 2 > self.table.len() {
            self.grow();
        }
        id
    }

    fn grow(&mut self) {
        let size = self.table.len() * 2;
        let mask = size - 1;
        let mut table = vec![EMPTY; size];
        for &entry in self.table.iter().filter(|&&entry| entry != EMPTY) {
            let mut slot = entry.hash as usize & mask;
            while table[slot] != EMPTY {
                slot = (slot + 1) & mask;
            }
            table[slot] = entry;
        }
        self.table = table;
    }
}

fn hash_node(op: Op, sort: SortId, args: &[TermId]) -> u32 {
    let mut hasher = rustc_hash::FxHasher::default();
    op.hash(&mut hasher);
    hasher.write_u32(sort.0);
    for arg in args {
        hasher.write_u32(arg.0);
    }
    let hash = hasher.finish();
    (hash ^ (hash >> 32)) as u32
}
