//! Data types: sorts whose elements are the finite terms over their constructors.
//!
//! A constructor is an application even without arguments, so that what is an [`Op::Const`] stays a variable. Normal
//! form knows that constructors are injective and differ, and what testers and selectors say about them. A selector
//! that is applied to another constructor's term has some value, by SMT-LIB, and nothing is assumed about it.

use crate::eval::Value;
use crate::store::{FunId, Op, SortId, TermId, Terms};
use craig_base::{Map, OrderedMap};
use craig_num::Rat;

/// One way to make an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constructor {
    pub symbol: FunId,
    /// One for each argument.
    pub selectors: Vec<FunId>,
    pub tester: FunId,
}

/// What a symbol has to do with a data type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Constructor,
    /// The argument at this place of what this constructor makes.
    Selector(FunId, usize),
    /// Whether this constructor made it.
    Tester(FunId),
}

/// All data types of one [`Terms`].
#[derive(Clone, Debug, Default)]
pub(crate) struct DataTypes {
    constructors: OrderedMap<SortId, Vec<Constructor>>,
    roles: Map<FunId, Role>,
    /// An element of each sort that has one.
    smallest: Map<SortId, TermId>,
}

impl Terms {
    /// Makes data types of sorts that are uninterpreted so far. Gives one that would have no element, if there is one;
    /// nothing is done then.
    pub fn define_data(&mut self, types: Vec<(SortId, Vec<Constructor>)>) -> Result<(), SortId> {
        let mut inhabited: Map<SortId, usize> = Map::default();
        while let Some((sort, chosen)) = types.iter().find_map(|(sort, constructors)| {
            let has_element =
                |of: &SortId| inhabited.contains_key(of) || types.iter().all(|(declared, _)| declared != of);
            let possible = |c: &Constructor| self.signature(c.symbol).0.iter().all(has_element);
            let chosen = constructors.iter().position(possible)?;
            (!inhabited.contains_key(sort)).then_some((*sort, chosen))
        }) {
            inhabited.insert(sort, chosen);
            let symbol = types.iter().find(|(of, _)| *of == sort).map(|(_, all)| all[chosen].symbol);
            let symbol = symbol.expect("one of the types");
            let parameters = self.signature(symbol).0.to_vec();
            let args: Option<Vec<TermId>> = parameters
                .into_iter()
                .map(|of| match self.data.smallest.get(&of) {
                    Some(&element) => Some(element),
                    None => self.value_term(&self.default_value(of), of),
                })
                .collect();
            // Elements that no term denotes are those of uninterpreted sorts.
            if let Some(args) = args {
                let element = self.intern(Op::App(symbol), sort, &args);
                self.data.smallest.insert(sort, element);
            }
        }
        if let Some((sort, _)) = types.iter().find(|(sort, _)| !inhabited.contains_key(sort)) {
            return Err(*sort);
        }
        for (sort, constructors) in types {
            for constructor in &constructors {
                self.data.roles.insert(constructor.symbol, Role::Constructor);
                self.data.roles.insert(constructor.tester, Role::Tester(constructor.symbol));
                for (i, &selector) in constructor.selectors.iter().enumerate() {
                    self.data.roles.insert(selector, Role::Selector(constructor.symbol, i));
                }
            }
            self.data.constructors.insert(sort, constructors);
        }
        Ok(())
    }

    /// The constructors of a data type; none for other sorts.
    pub fn constructors(&self, sort: SortId) -> &[Constructor] {
        self.data.constructors.get(&sort).map_or(&[], Vec::as_slice)
    }

    pub fn is_data(&self, sort: SortId) -> bool {
        self.data.constructors.contains_key(&sort)
    }

    pub fn has_data(&self) -> bool {
        !self.data.constructors.is_empty()
    }

    /// All data types, in the order of their declaration.
    pub fn data_sorts(&self) -> impl Iterator<Item = SortId> + '_ {
        self.data.constructors.keys().copied()
    }

    pub fn role(&self, symbol: FunId) -> Option<Role> {
        self.data.roles.get(&symbol).copied()
    }

    /// The constructor that a term begins with.
    pub fn constructor_of(&self, t: TermId) -> Option<FunId> {
        match self.op(t) {
            Op::App(symbol) if self.role(symbol) == Some(Role::Constructor) => Some(symbol),
            _ => None,
        }
    }

    /// What a symbol of a data type comes to for these arguments, if that is simpler.
    pub(crate) fn reduced(&self, role: Role, args: &[TermId]) -> Option<TermId> {
        let constructor = self.constructor_of(*args.first()?);
        match role {
            Role::Constructor => None,
            Role::Tester(of) => match constructor {
                Some(other) => Some(self.bool(other == of)),
                None => (self.constructors(self.sort(args[0])).len() == 1).then_some(Self::TRUE),
            },
            Role::Selector(of, place) => (constructor? == of).then(|| self.arg(args[0], place)),
        }
    }

    /// Equality at a data type: what the arguments of equal constructors have to satisfy.
    pub(crate) fn data_eq(&mut self, a: TermId, b: TermId) -> TermId {
        let mut parts = Vec::new();
        let mut open = vec![(a, b)];
        while let Some((a, b)) = open.pop() {
            if a == b {
                continue;
            }
            match (self.constructor_of(a), self.constructor_of(b)) {
                (Some(one), Some(other)) if one == other => {
                    open.extend(self.args(a).iter().copied().zip(self.args(b).iter().copied()));
                }
                (Some(_), Some(_)) => return Self::FALSE,
                _ if self.is_data(self.sort(a)) => {
                    let (a, b) = (a.min(b), a.max(b));
                    parts.push(self.intern(Op::Eq, Self::BOOL, &[a, b]));
                }
                _ => {
                    let part = self.eq(a, b);
                    if part == Self::FALSE {
                        return part;
                    }
                    parts.push(part);
                }
            }
        }
        self.and(&parts)
    }

    /// An element of a data type.
    pub(crate) fn smallest(&self, sort: SortId) -> Option<TermId> {
        self.data.smallest.get(&sort).copied()
    }

    /// The value of an application of a constructor, tester or selector, where it has one. It must denote a term that
    /// exists.
    pub(crate) fn eval_data(&self, symbol: FunId, role: Role, args: &[&Value]) -> Option<Value> {
        match role {
            Role::Constructor => {
                let (parameters, sort) = self.signature(symbol);
                let args: Option<Vec<TermId>> =
                    args.iter().zip(parameters).map(|(value, &sort)| self.known_term(value, sort)).collect();
                self.find(Op::App(symbol), sort, &args?).map(Value::Data)
            }
            Role::Tester(of) => {
                let Value::Data(t) = args[0] else { return None };
                Some(Value::Bool(self.constructor_of(*t) == Some(of)))
            }
            Role::Selector(of, place) => {
                let Value::Data(t) = args[0] else { return None };
                (self.constructor_of(*t) == Some(of))
                    .then(|| self.arg(*t, place))
                    .and_then(|t| self.known_value(t))
            }
        }
    }

    /// The value that a numeral, truth constant or constructor term denotes.
    pub fn known_value(&self, t: TermId) -> Option<Value> {
        match self.op(t) {
            Op::True => Some(Value::Bool(true)),
            Op::False => Some(Value::Bool(false)),
            Op::Number(_) if self.is_int(t) => self.int_value(t).map(Value::Int),
            Op::Number(_) => self.number(t).cloned().map(Value::Real),
            _ => self.constructor_of(t).map(|_| Value::Data(t)),
        }
    }

    /// Whether a term of a data type has constructors, numerals and truth constants only: it is an element.
    pub fn is_element(&self, t: TermId) -> bool {
        self.postorder(&[t]).into_iter().all(|part| self.known_value(part).is_some())
    }

    fn known_term(&self, value: &Value, sort: SortId) -> Option<TermId> {
        match value {
            Value::Bool(value) => Some(self.bool(*value)),
            Value::Int(value) => self.known_number(&Rat::from(value.clone()), sort),
            Value::Real(value) => self.known_number(value, sort),
            Value::Data(t) => Some(*t),
            Value::Array(_) | Value::Uninterpreted(..) => None,
        }
    }

    /// All data types as one declaration of a script, since they may mention each other.
    pub fn write_data(&self, out: &mut String) {
        use std::fmt::Write;
        let sorts: Vec<String> =
            self.data_sorts().map(|sort| format!("({} 0)", self.sort_name(sort))).collect();
        if sorts.is_empty() {
            return;
        }
        let _ = write!(out, "(declare-datatypes ({}) (", sorts.join(" "));
        for sort in self.data_sorts() {
            out.push_str("\n  (");
            for (i, constructor) in self.constructors(sort).iter().enumerate() {
                let space = if i == 0 { "" } else { " " };
                let _ = write!(out, "{space}({}", crate::quote_symbol(self.symbol_name(constructor.symbol)));
                for &selector in &constructor.selectors {
                    let result = self.sort_name(self.signature(selector).1);
                    let _ = write!(out, " ({} {result})", crate::quote_symbol(self.symbol_name(selector)));
                }
                out.push(')');
            }
            out.push(')');
        }
        out.push_str("))\n");
    }
}
