//! Clauses of comparisons that hold in all of many rows of values, and of which no part does.

use super::objects::{COMPARED_LINKS, Kind, Objects, Operand, Source};
use craig_base::{Map, OrderedSet, Set};

/// Clauses of one kind at one cutpoint.
const MAX_CLAUSES: usize = 3_000;
const MAX_ROWS: usize = 4_000;
/// Literals with the same data, in clauses of three.
const MAX_ALIKE: usize = 2;

/// How much is guessed of objects.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Breadth {
    /// Clauses of at most two literals.
    Two,
    /// And facts with two exceptions.
    Exceptions,
    /// Clauses of at most three literals, and these.
    Three,
    /// Clauses of at most two literals, also about where the first objects are: for programs that count them.
    Counted,
}

/// The values of the operands, row by row; `None` for one that can be anything.
pub(super) struct Columns {
    of: Vec<Vec<Option<i128>>>,
    rows: usize,
}

impl Columns {
    /// Not more rows than are looked at, from everywhere: `row` is asked for these, by their numbers.
    pub fn thin(rows: usize, operands: usize, mut row: impl FnMut(usize) -> Vec<Option<i128>>) -> Columns {
        let step = rows.div_ceil(MAX_ROWS).max(1);
        let count = rows.div_ceil(step);
        let mut of: Vec<Vec<Option<i128>>> = (0..operands).map(|_| Vec::with_capacity(count)).collect();
        for number in (0..rows).step_by(step) {
            for (column, value) in of.iter_mut().zip(row(number)) {
                column.push(value);
            }
        }
        Columns { of, rows: count }
    }

    pub fn is_empty(&self) -> bool {
        self.rows == 0
    }

    /// In which rows something is so, beyond the last one too.
    fn bits(&self, is_so: impl Fn(usize) -> bool) -> Vec<u64> {
        let mut bits = vec![u64::MAX; self.rows.div_ceil(64)];
        for row in (0..self.rows).filter(|&row| !is_so(row)) {
            bits[row / 64] &= !(1 << (row % 64));
        }
        bits
    }
}

/// A comparison of operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Literal {
    Less(usize, usize),
    AtMost(usize, usize),
    Equal(usize, usize),
    Different(usize, usize),
    Aligned(usize),
    Flag(usize, bool),
}

impl Literal {
    pub fn any(&self, mut of: impl FnMut(usize) -> bool) -> bool {
        match *self {
            Literal::Less(a, b) | Literal::AtMost(a, b) | Literal::Equal(a, b) | Literal::Different(a, b) => {
                of(a) || of(b)
            }
            Literal::Aligned(a) | Literal::Flag(a, _) => of(a),
        }
    }

    /// Literals from which it follows.
    pub fn stronger(&self) -> Vec<Literal> {
        let ordered = |a: usize, b: usize| Literal::Equal(a.min(b), a.max(b));
        match *self {
            Literal::AtMost(a, b) => vec![Literal::Less(a, b), ordered(a, b)],
            Literal::Different(a, b) => vec![Literal::Less(a, b), Literal::Less(b, a)],
            _ => Vec::new(),
        }
    }

    /// In which rows it holds. A literal about something that can be anything holds in no state.
    fn bits(&self, columns: &Columns, objects: &Objects) -> Vec<u64> {
        let both = |a: usize, b: usize, holds: fn(&i128, &i128) -> bool| {
            let (a, b) = (&columns.of[a], &columns.of[b]);
            columns.bits(|row| matches!((&a[row], &b[row]), (Some(a), Some(b)) if holds(a, b)))
        };
        let one = |a: usize, holds: &dyn Fn(i128) -> bool| {
            columns.bits(|row| columns.of[a][row].is_some_and(holds))
        };
        match *self {
            Literal::Less(a, b) => both(a, b, |a, b| a < b),
            Literal::AtMost(a, b) => both(a, b, |a, b| a <= b),
            Literal::Equal(a, b) => both(a, b, |a, b| a == b),
            Literal::Different(a, b) => both(a, b, |a, b| a != b),
            Literal::Aligned(a) => one(a, &|value| objects.is_address(value)),
            Literal::Flag(a, set) => one(a, &|value| (value != 0) == set),
        }
    }
}

/// All comparisons of operands of one kind.
pub(super) fn literals(operands: &[Operand]) -> Vec<Literal> {
    let mut literals = Vec::new();
    for a in 0..operands.len() {
        match operands[a].kind {
            Kind::Flag => literals.extend([Literal::Flag(a, true), Literal::Flag(a, false)]),
            Kind::Pointer
                if matches!(operands[a].source, Source::Var(_) | Source::Tracked(_) | Source::Field(_)) =>
            {
                literals.push(Literal::Aligned(a));
            }
            _ => {}
        }
        for b in a + 1..operands.len() {
            let same = operands[a].kind == operands[b].kind && operands[a].kind != Kind::Flag;
            let compared = compared(operands[a].source, operands[b].source);
            if !same || compared == Compared::Not {
                continue;
            }
            literals.push(Literal::Equal(a, b));
            if compared == Compared::AsEqual {
                continue;
            }
            literals.push(Literal::Different(a, b));
            if compared == Compared::ByOrder {
                literals.extend([Literal::Less(a, b), Literal::Less(b, a)]);
                literals.extend([Literal::AtMost(a, b), Literal::AtMost(b, a)]);
            }
        }
    }
    literals
}

#[derive(PartialEq)]
enum Compared {
    Not,
    /// That they are.
    AsEqual,
    /// Whether they are.
    IfEqual,
    ByOrder,
}

/// In which way operands are compared. Those of static objects and of neighbours are many, and matter to few.
fn compared(a: Source, b: Source) -> Compared {
    use Source::{
        Address, Cell, Constant, Field, Neighbour, Newest, Object, OfLinked, OfNeighbour, Tracked, Var,
    };
    match (a, b) {
        (Var(_), Newest) => Compared::AsEqual,
        (Newest, _) | (_, Newest) => Compared::Not,
        (Constant(_), Constant(_) | Address(_)) => Compared::Not,
        (OfNeighbour(a), Field(b)) | (Field(b), OfNeighbour(a)) if a == b => Compared::ByOrder,
        (OfLinked(link, a), Field(b)) | (Field(b), OfLinked(link, a)) if a == b && link < COMPARED_LINKS => {
            Compared::ByOrder
        }
        (OfNeighbour(_) | OfLinked(..), Constant(_) | Object) => Compared::IfEqual,
        (Constant(_) | Object, OfNeighbour(_) | OfLinked(..)) => Compared::IfEqual,
        (Neighbour(_), Field(_)) | (Field(_), Neighbour(_)) => Compared::IfEqual,
        (Neighbour(by), Var(_)) | (Var(_), Neighbour(by)) if by > 0 => Compared::ByOrder,
        (OfNeighbour(_) | OfLinked(..) | Neighbour(_), _) => Compared::Not,
        (_, OfNeighbour(_) | OfLinked(..) | Neighbour(_)) => Compared::Not,
        (Address(_) | Cell(_), Constant(_) | Var(_) | Field(_)) => Compared::IfEqual,
        (Cell(_), Object) | (Address(_), Cell(_)) => Compared::IfEqual,
        (Constant(_) | Var(_) | Field(_), Address(_) | Cell(_)) => Compared::IfEqual,
        (Address(_) | Cell(_), _) | (_, Address(_) | Cell(_)) => Compared::Not,
        (Constant(_) | Var(_) | Tracked(_) | Field(_) | Object, _) => Compared::ByOrder,
    }
}

/// In which rows each literal holds.
pub(super) struct Table<'a> {
    literals: &'a [Literal],
    bits: Vec<Vec<u64>>,
}

impl<'a> Table<'a> {
    pub fn new(objects: &Objects, literals: &'a [Literal], columns: &Columns) -> Table<'a> {
        Table { literals, bits: literals.iter().map(|literal| literal.bits(columns, objects)).collect() }
    }

    fn cover(&self, of: &[usize]) -> bool {
        let words = self.bits.first().map_or(0, Vec::len);
        (0..words).all(|word| of.iter().fold(0, |bits, &at| bits | self.bits[at][word]) == u64::MAX)
    }

    /// The clauses that hold in all rows and of which no part does; of three literals only those that are wanted.
    pub fn clauses(&self, breadth: Breadth, wanted: impl Fn(&[Literal]) -> bool) -> Vec<Vec<Literal>> {
        let mut found: Vec<Vec<usize>> = Vec::new();
        let count = self.literals.len();
        let (holding, open): (Vec<usize>, Vec<usize>) = (0..count).partition(|&at| self.cover(&[at]));
        let open: Vec<usize> = open.into_iter().filter(|&at| self.holds_somewhere(at)).collect();
        found.extend(holding.iter().map(|&at| vec![at]));
        let mut pairs: Set<(usize, usize)> = Set::default();
        for (number, &a) in open.iter().enumerate() {
            for &b in &open[number + 1..] {
                if self.cover(&[a, b]) && !self.is_trivial(a, b) {
                    pairs.insert((a, b));
                    found.push(vec![a, b]);
                }
            }
        }
        let few = if breadth == Breadth::Three { self.different(&open) } else { Vec::new() };
        'triples: for (number, &a) in few.iter().enumerate() {
            for (further, &b) in few.iter().enumerate().skip(number + 1) {
                if pairs.contains(&(a, b)) || self.is_trivial(a, b) {
                    continue;
                }
                for &c in &few[further + 1..] {
                    if self.cover(&[a, b, c])
                        && !pairs.contains(&(a, c))
                        && !pairs.contains(&(b, c))
                        && !self.is_trivial(a, c)
                        && !self.is_trivial(b, c)
                        && wanted(&[self.literals[a], self.literals[b], self.literals[c]])
                    {
                        found.push(vec![a, b, c]);
                        if found.len() >= MAX_CLAUSES {
                            break 'triples;
                        }
                    }
                }
            }
        }
        found.truncate(MAX_CLAUSES);
        found.into_iter().map(|clause| self.clause(&clause)).collect()
    }

    /// The clauses of a fact and two exceptions that hold in all rows and of which no part does. Of all clauses of three
    /// literals these are what loops make that change one object after the other: what holds of those that were passed, but
    /// for the first or the last one. A fact may have an exception that goes without saying.
    pub fn with_exceptions(
        &self,
        is_fact: impl Fn(&Literal) -> bool,
        is_exception: impl Fn(&Literal) -> bool,
        always: impl Fn(&Literal) -> Option<usize>,
    ) -> Vec<Vec<Literal>> {
        let open = (0..self.literals.len()).filter(|&at| self.holds_somewhere(at) && !self.cover(&[at]));
        let open: Vec<usize> = open.collect();
        let chosen = |is_wanted: &dyn Fn(&Literal) -> bool| {
            let wanted: Vec<usize> =
                open.iter().copied().filter(|&at| is_wanted(&self.literals[at])).collect();
            self.different(&wanted)
        };
        let (facts, exceptions) = (chosen(&is_fact), chosen(&is_exception));
        let mut found: OrderedSet<Vec<Literal>> = OrderedSet::default();
        for &fact in &facts {
            let base: Vec<usize> = [fact].into_iter().chain(always(&self.literals[fact])).collect();
            let covers = |more: &[usize]| self.cover(&[&base, more].concat());
            if base.len() > 1 && covers(&[]) {
                continue;
            }
            let is_new = |&at: &usize| {
                !base.contains(&at) && !self.is_trivial(fact, at) && (base.len() > 1 || !covers(&[at]))
            };
            let exceptions: Vec<usize> = exceptions.iter().copied().filter(is_new).collect();
            for (number, &a) in exceptions.iter().enumerate() {
                let is_enough = covers(&[a]);
                if is_enough {
                    found.insert(self.clause(&[&base[..], &[a]].concat()));
                }
                for &b in &exceptions[number + 1..] {
                    let is_less_enough = is_enough || base.len() > 1 && covers(&[b]);
                    if covers(&[a, b]) && !is_less_enough && !self.cover(&[a, b]) && !self.is_trivial(a, b) {
                        found.insert(self.clause(&[&base[..], &[a, b]].concat()));
                    }
                }
                if found.len() >= MAX_CLAUSES {
                    return found.into_iter().collect();
                }
            }
        }
        found.into_iter().collect()
    }

    fn clause(&self, literals: &[usize]) -> Vec<Literal> {
        let mut clause: Vec<Literal> = literals.iter().map(|&at| self.literals[at]).collect();
        clause.sort();
        clause
    }

    /// A literal that never holds helps no clause.
    fn holds_somewhere(&self, literal: usize) -> bool {
        self.bits[literal].iter().any(|&word| word != 0)
    }

    /// Few of the literals that hold in the same rows.
    fn different(&self, literals: &[usize]) -> Vec<usize> {
        let mut alike: Map<&[u64], usize> = Map::default();
        let is_one_of_few = |&at: &usize| {
            let met = alike.entry(&self.bits[at]).or_default();
            *met += 1;
            *met <= MAX_ALIKE
        };
        literals.iter().copied().filter(is_one_of_few).collect()
    }

    /// Whether two literals about the same operands are one literal, or always true.
    fn is_trivial(&self, a: usize, b: usize) -> bool {
        let operands = |literal: Literal| match literal {
            Literal::Less(a, b) | Literal::AtMost(a, b) | Literal::Equal(a, b) | Literal::Different(a, b) => {
                (a.min(b), a.max(b))
            }
            Literal::Aligned(a) | Literal::Flag(a, _) => (a, a),
        };
        operands(self.literals[a]) == operands(self.literals[b])
    }
}
