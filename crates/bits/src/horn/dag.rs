//! Terms that are written for another reader: equal ones are one, and constants are folded.

use craig_base::Map;
use craig_num::Int;
use std::fmt::Write;

pub(super) type Id = usize;

/// A text that is longer than this gets a name.
const LONG: usize = 120;

#[derive(Default)]
pub(super) struct Dag {
    nodes: Vec<(String, Vec<Id>)>,
    known: Map<(String, Vec<Id>), Id>,
    numbers: Map<Id, Int>,
}

impl Dag {
    pub fn node(&mut self, operator: impl Into<String>, args: &[Id]) -> Id {
        let key = (operator.into(), args.to_vec());
        if let Some(&id) = self.known.get(&key) {
            return id;
        }
        self.nodes.push(key.clone());
        self.known.insert(key, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    pub fn number(&mut self, value: &Int) -> Id {
        let text = if value.is_negative() { format!("(- {})", value.abs()) } else { value.to_string() };
        let id = self.node(text, &[]);
        self.numbers.insert(id, value.clone());
        id
    }

    pub fn as_number(&self, id: Id) -> Option<&Int> {
        self.numbers.get(&id)
    }

    fn fold(&mut self, operator: &str, a: Id, b: Id, meaning: impl Fn(&Int, &Int) -> Int) -> Id {
        match (self.numbers.get(&a), self.numbers.get(&b)) {
            (Some(x), Some(y)) => {
                let value = meaning(x, y);
                self.number(&value)
            }
            _ => self.node(operator, &[a, b]),
        }
    }

    pub fn add(&mut self, a: Id, b: Id) -> Id {
        self.fold("+", a, b, |x, y| x + y)
    }

    pub fn sub(&mut self, a: Id, b: Id) -> Id {
        self.fold("-", a, b, |x, y| x - y)
    }

    pub fn mul(&mut self, a: Id, b: Id) -> Id {
        if self.as_number(a).is_some_and(Int::is_one) {
            return b;
        }
        self.fold("*", a, b, |x, y| x * y)
    }

    /// By a constant.
    pub fn div(&mut self, a: Id, b: Id) -> Id {
        if self.as_number(b).is_some_and(Int::is_one) {
            return a;
        }
        self.fold("div", a, b, |x, y| if y.is_zero() { y.clone() } else { x.div_euclid(y) })
    }

    pub fn rem(&mut self, a: Id, b: Id) -> Id {
        self.fold("mod", a, b, |x, y| if y.is_zero() { x.clone() } else { x.rem_euclid(y) })
    }

    pub fn less(&mut self, a: Id, b: Id) -> Id {
        match (self.numbers.get(&a), self.numbers.get(&b)) {
            (Some(x), Some(y)) => {
                let truth = if x < y { "true" } else { "false" };
                self.node(truth, &[])
            }
            _ => self.node("<", &[a, b]),
        }
    }

    pub fn equal(&mut self, a: Id, b: Id) -> Id {
        match (self.numbers.get(&a), self.numbers.get(&b)) {
            (Some(x), Some(y)) => {
                let truth = if x == y { "true" } else { "false" };
                self.node(truth, &[])
            }
            _ => self.node("=", &[a, b]),
        }
    }

    pub fn ite(&mut self, condition: Id, a: Id, b: Id) -> Id {
        match self.nodes[condition].0.as_str() {
            "true" => a,
            "false" => b,
            _ if a == b => a,
            _ => self.node("ite", &[condition, a, b]),
        }
    }

    /// The term as text, with names for what is used more than once.
    pub fn write(&self, root: Id) -> String {
        let mut uses: Vec<usize> = vec![0; root + 1];
        uses[root] = 1;
        // Arguments come before what they are arguments of.
        for id in (0..=root).rev() {
            if uses[id] > 0 {
                self.nodes[id].1.iter().for_each(|&arg| uses[arg] += 1);
            }
        }
        let mut texts: Vec<String> = vec![String::new(); root + 1];
        let (mut out, mut open) = (String::new(), 0);
        for id in (0..=root).filter(|&id| uses[id] > 0) {
            let (operator, args) = &self.nodes[id];
            let mut text = operator.clone();
            if !args.is_empty() {
                text.insert(0, '(');
                args.iter().for_each(|&arg| text.extend([" ", &texts[arg]]));
                text.push(')');
                if id != root && (uses[id] > 1 || text.len() > LONG) {
                    let _ = writeln!(out, "(let ((.{id} {text}))");
                    open += 1;
                    text = format!(".{id}");
                }
            }
            texts[id] = text;
        }
        out.push_str(&texts[root]);
        out.extend(std::iter::repeat_n(')', open));
        out
    }
}
