//! Terms whose variables are bound by unification, and freed by going back.

use craig_term::{FunId, TermId, Terms};

/// A place in [`Cells`].
pub type Ref = u32;

#[derive(Clone, Copy, Debug)]
pub enum Cell {
    Free,
    Bound(Ref),
    /// A constructor and where its arguments begin.
    Made(FunId, u32, u32),
    /// A term of another sort.
    Foreign(TermId),
}

#[derive(Default)]
pub struct Cells {
    cells: Vec<Cell>,
    args: Vec<Ref>,
    trail: Vec<Ref>,
}

/// A state to go back to.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    cells: usize,
    args: usize,
    trail: usize,
}

impl Cells {
    pub fn mark(&self) -> Mark {
        Mark { cells: self.cells.len(), args: self.args.len(), trail: self.trail.len() }
    }

    pub fn back_to(&mut self, mark: Mark) {
        for bound in self.trail.drain(mark.trail..) {
            self.cells[bound as usize] = Cell::Free;
        }
        self.cells.truncate(mark.cells);
        self.args.truncate(mark.args);
    }

    pub fn len(&self) -> Ref {
        self.cells.len() as Ref
    }

    pub fn push(&mut self, cell: Cell) -> Ref {
        self.cells.push(cell);
        self.len() - 1
    }

    pub fn push_made(&mut self, constructor: FunId, args: impl Iterator<Item = Ref>) -> Ref {
        let start = self.args.len() as u32;
        self.args.extend(args);
        self.push(Cell::Made(constructor, start, self.args.len() as u32))
    }

    pub fn args(&self, start: u32, end: u32) -> &[Ref] {
        &self.args[start as usize..end as usize]
    }

    /// The end of a chain of bindings, and what is there.
    pub fn resolve(&self, mut at: Ref) -> (Ref, Cell) {
        loop {
            match self.cells[at as usize] {
                Cell::Bound(next) => at = next,
                cell => return (at, cell),
            }
        }
    }

    pub fn bind(&mut self, free: Ref, to: Ref) {
        self.cells[free as usize] = Cell::Bound(to);
        self.trail.push(free);
    }

    /// Makes two terms one. Other sorts' terms that have to be equal are added to `equal`.
    pub fn unify(&mut self, a: Ref, b: Ref, equal: &mut Vec<(TermId, TermId)>) -> bool {
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            let ((a, left), (b, right)) = (self.resolve(a), self.resolve(b));
            if a == b {
                continue;
            }
            match (left, right) {
                (Cell::Free, _) => {
                    if self.occurs(a, b) {
                        return false;
                    }
                    self.bind(a, b);
                }
                (_, Cell::Free) => {
                    if self.occurs(b, a) {
                        return false;
                    }
                    self.bind(b, a);
                }
                (Cell::Made(c, i, j), Cell::Made(d, k, l)) => {
                    if c != d {
                        return false;
                    }
                    open.extend(
                        (i..j).zip(k..l).map(|(x, y)| (self.args[x as usize], self.args[y as usize])),
                    );
                }
                (Cell::Foreign(s), Cell::Foreign(t)) => equal.push((s, t)),
                _ => return false,
            }
        }
        true
    }

    fn occurs(&self, variable: Ref, term: Ref) -> bool {
        let mut open = vec![term];
        while let Some(at) = open.pop() {
            match self.resolve(at) {
                (found, Cell::Free) if found == variable => return true,
                (_, Cell::Made(_, start, end)) => open.extend(self.args(start, end)),
                _ => {}
            }
        }
        false
    }

    /// Whether two terms are the same (`Some(true)`) or can never be (`Some(false)`).
    pub fn equal(&self, terms: &mut Terms, a: Ref, b: Ref) -> Option<bool> {
        let mut open = vec![(a, b)];
        let mut same = Some(true);
        while let Some((a, b)) = open.pop() {
            let ((a, left), (b, right)) = (self.resolve(a), self.resolve(b));
            match (left, right) {
                _ if a == b => {}
                (Cell::Made(c, ..), Cell::Made(d, ..)) if c != d => return Some(false),
                (Cell::Made(_, i, j), Cell::Made(_, k, l)) => {
                    open.extend(
                        (i..j).zip(k..l).map(|(x, y)| (self.args[x as usize], self.args[y as usize])),
                    );
                }
                (Cell::Foreign(s), Cell::Foreign(t)) => match terms.eq(s, t) {
                    Terms::TRUE => {}
                    Terms::FALSE => return Some(false),
                    _ => same = None,
                },
                _ => same = None,
            }
        }
        same
    }

    /// The term at a place, with `free` for its variables.
    pub fn term(
        &self,
        terms: &mut Terms,
        at: Ref,
        free: &mut impl FnMut(&mut Terms, Ref) -> TermId,
    ) -> TermId {
        enum Work {
            Visit(Ref),
            Make(FunId, usize),
        }
        let mut work = vec![Work::Visit(at)];
        let mut done: Vec<TermId> = Vec::new();
        while let Some(next) = work.pop() {
            match next {
                Work::Make(constructor, count) => {
                    let args = done.split_off(done.len() - count);
                    done.push(terms.app(constructor, &args));
                }
                Work::Visit(at) => match self.resolve(at) {
                    (_, Cell::Foreign(t)) => done.push(t),
                    (_, Cell::Made(constructor, start, end)) => {
                        let args = self.args(start, end);
                        work.push(Work::Make(constructor, args.len()));
                        work.extend(args.iter().rev().map(|&arg| Work::Visit(arg)));
                    }
                    (at, _) => done.push(free(terms, at)),
                },
            }
        }
        done[0]
    }

    /// The variables in a term.
    pub fn free(&self, at: Ref) -> Vec<Ref> {
        let mut open = vec![at];
        let mut found = Vec::new();
        while let Some(at) = open.pop() {
            match self.resolve(at) {
                (at, Cell::Free) if !found.contains(&at) => found.push(at),
                (_, Cell::Made(_, start, end)) => open.extend(self.args(start, end).iter().rev()),
                _ => {}
            }
        }
        found
    }
}
