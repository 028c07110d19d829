//! The values of variables and expressions in a state of the checker's unwinding.

use super::Failure;
use super::gates::{FALSE, Lit, TRUE, Word, as_number, number};
use super::machine::{Machine, State};
use super::meaning::{binary, bits, cast, unary};
use craig_base::Map;
use craig_program::{BinaryOp, Expr, ExprId, Scope, Type, VarId};
use std::rc::Rc;

/// The value of an expression.
#[derive(Clone)]
pub(super) struct Value {
    pub word: Rc<Word>,
    pub defined: Lit,
    pub astray: Lit,
}

impl Machine<'_> {
    pub fn read(&mut self, state: &State, var: VarId) -> Rc<Word> {
        let values = match self.program.vars[var].scope {
            Scope::Global { .. } => &state.globals,
            Scope::Local(_) => &state.locals,
        };
        match values.get(self.slots[var]) {
            Some(Some(word)) => {
                let under = self.under.at(&self.gates, state.decisions);
                self.gates.narrowed(under, word)
            }
            // Never assigned, so it may be anything.
            _ => Rc::new(self.gates.free_word(bits(self.program, self.program.vars[var].ty))),
        }
    }

    pub fn write(&mut self, state: &mut State, var: VarId, word: Rc<Word>) {
        let values = match self.program.vars[var].scope {
            Scope::Global { .. } => &mut state.globals,
            Scope::Local(_) => &mut state.locals,
        };
        if let Some(slot) = Rc::make_mut(values).get_mut(self.slots[var]) {
            *slot = Some(word);
        }
    }

    /// The constant address that an address is calculated from, if it is written so.
    pub fn origin(&mut self, state: &State, mut address: ExprId) -> Option<u64> {
        let exprs = &self.program.exprs;
        while let Expr::Binary(BinaryOp::Add | BinaryOp::Sub, base, _) = exprs.get(address)
            && exprs.ty(base) == Type::Pointer
        {
            address = base;
        }
        match exprs.get(address) {
            Expr::Const(_, value) => u64::try_from(value).ok(),
            Expr::Var(var) => u64::try_from(as_number(&self.read(state, var))?).ok(),
            _ => None,
        }
    }

    pub fn value(&mut self, state: &State, root: ExprId) -> Result<Value, Failure> {
        let mut values: Map<ExprId, Value> = Map::default();
        for id in self.program.exprs.postorder(&[root]) {
            let value = self.node(state, id, &values)?;
            values.insert(id, value);
        }
        Ok(values[&root].clone())
    }

    fn node(&mut self, state: &State, id: ExprId, values: &Map<ExprId, Value>) -> Result<Value, Failure> {
        let program = self.program;
        let exprs = &program.exprs;
        let ty = exprs.ty(id);
        // Undefined or astray where an operand is.
        let mut defined = TRUE;
        let mut astray = FALSE;
        if let Expr::Ite(c, a, b) = exprs.get(id) {
            let (c, a, b) = (&values[&c], &values[&a], &values[&b]);
            let g = &mut self.gates;
            let chosen = g.choose(c.word[0], a.defined, b.defined);
            let chosen_astray = g.choose(c.word[0], a.astray, b.astray);
            return Ok(Value {
                word: Rc::new(g.select(c.word[0], &a.word, &b.word)),
                defined: g.and(c.defined, chosen),
                astray: g.or(c.astray, chosen_astray),
            });
        }
        for operand in exprs.operands(id) {
            defined = self.gates.and(defined, values[&operand].defined);
            astray = self.gates.or(astray, values[&operand].astray);
        }
        let g = &mut self.gates;
        let (word, fine) = match exprs.get(id) {
            Expr::Const(_, value) => (Rc::new(number(bits(program, ty), value as u128)), TRUE),
            Expr::Float(_, pattern) => (Rc::new(number(bits(program, ty), pattern)), TRUE),
            Expr::Var(var) => (self.read(state, var), TRUE),
            Expr::Load { addr, ty, .. } => {
                let size = u64::from(program.size_of(ty));
                let origin = self.origin(state, addr);
                let address = &values[&addr].word;
                let under = self.under.at(&self.gates, state.decisions);
                let access =
                    state.memory.access(&mut self.gates, &self.first, under, address, size, origin)?;
                let mut word = state.memory.load(&mut self.gates, &mut self.first, &access, size);
                word.truncate(bits(program, ty));
                let word = self.gates.narrowed(under, &Rc::new(word));
                astray = self.gates.or(astray, access.astray);
                let fine = self.gates.or(access.valid, access.astray);
                (word, fine)
            }
            Expr::Unary(op, a) => {
                let (word, fine) = unary(program, g, op, ty, &values[&a].word)?;
                (Rc::new(word), fine)
            }
            Expr::Binary(op, a, b) => {
                let left = (exprs.ty(a), values[&a].word.as_slice());
                let right = (exprs.ty(b), values[&b].word.as_slice());
                let (word, fine) = binary(program, g, op, left, right)?;
                (Rc::new(word), fine)
            }
            Expr::Cast(to, a) => {
                let (word, fine) = cast(program, g, exprs.ty(a), to, &values[&a].word)?;
                (Rc::new(word), fine)
            }
            Expr::Ite(..) => return Err(Failure::Unsupported("a choice")),
        };
        defined = self.gates.and(defined, fine);
        Ok(Value { word, defined, astray })
    }
}
