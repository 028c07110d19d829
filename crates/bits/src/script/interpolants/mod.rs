//! Interpolants over words: `get-interpolants` and its dialects.
//!
//! Each is found between two sides: what has been read so far, and the rest. A refutation gives one over bits
//! (`interpolate.rs`). Then a small formula over words is looked for, which is guessed from cases and judged by two questions
//! (`guess.rs`, `judge.rs`); if there is none, the one over bits is made smaller (`shrink.rs`) and printed with `extract`. Of
//! sequences and trees, an interpolant takes the place of the parts that it stands for, so that the next one follows from it.
//!
//! What is printed has been read again as any term of the script and been judged: it follows from the one side, contradicts the
//! other, and mentions only what both do.

mod affine;
mod atoms;
mod guess;
mod judge;
mod show;
mod shrink;
mod space;

use super::sorts::{Value, Word};
use super::{Assertion, Last, Part, Script, symbol};
use crate::{Bit, interpolate};
use affine::Equation;
use atoms::{Case, Term};
use craig_base::{Budget, OrderedMap, OrderedSet};
use craig_term::quote_symbol;
use craig_term::smtlib::{Partition, Position, Response, Result, Sexpr, Tree};
use judge::{Judge, Judgement};
use space::{Side, Space};

const SATISFIABLE: &str = "these parts alone are satisfiable";
/// Guesses for one interpolant.
const MOST_GUESSES: usize = 300;
/// Constants of both sides that guesses are about, and of these the ones whose sums are.
const MOST_CONSTANTS: usize = 12;
const MOST_SUMMED: usize = 4;
/// All terms that guesses are about.
const MOST_TERMS: usize = 64;
/// The widest words that guesses are about.
const MOST_BITS: usize = 128;

/// Interpolants; none if the parts have a model.
type Found = std::result::Result<Option<Vec<String>>, String>;

impl Script {
    pub(super) fn interpolants(&mut self, partition: &Partition, budget: &Budget) -> Response {
        if self.last != Last::Unsat || !self.assumed.is_empty() {
            return Response::Error("the last command was not a `check-sat` with answer `unsat`".to_string());
        }
        match self.of_partition(partition, budget) {
            Ok(Some(found)) => Response::Text(format!("({})", found.join("\n "))),
            Ok(None) => Response::Error(format!("no interpolants: {SATISFIABLE}")),
            Err(reason) => Response::Error(format!("no interpolants: {reason}")),
        }
    }

    fn asserted(&self) -> Vec<Assertion> {
        self.levels.iter().flat_map(|level| level.asserted.iter().cloned()).collect()
    }

    fn of_partition(&mut self, partition: &Partition, budget: &Budget) -> Found {
        let mut unlisted: OrderedMap<usize, Assertion> = self.asserted().into_iter().enumerate().collect();
        let named = unlisted.iter().filter_map(|(&at, asserted)| Some((asserted.name.clone()?, at)));
        let named: OrderedMap<String, usize> = named.collect();
        let mut groups: Vec<Vec<Part>> = Vec::new();
        for names in &partition.parts {
            let mut group = Vec::new();
            for name in names {
                let shown = quote_symbol(name);
                let at = named.get(name).ok_or_else(|| format!("there is no assertion named {shown}"))?;
                let asserted = unlisted.shift_remove(at);
                group.push(asserted.ok_or_else(|| format!("{shown} belongs to two parts"))?.part);
            }
            groups.push(group);
        }
        let parent = |node: usize| partition.parent(node);
        let found = self.of_tree(&groups, parent, budget)?;
        if found.is_some() || unlisted.is_empty() {
            return Ok(found);
        }
        for group in &mut groups {
            group.extend(unlisted.values().map(|asserted| asserted.part.clone()));
        }
        self.of_tree(&groups, parent, budget)
    }

    /// The dialects in which formulas or groups are given instead of the names of assertions.
    pub(super) fn interpolant(&mut self, args: &[Sexpr<'_>], budget: &Budget) -> Result<Response> {
        let symbols = |list: Sexpr<'_>| -> Option<Vec<String>> {
            list.children().map(|child| child.symbol().map(str::to_string)).collect()
        };
        let asserted = self.asserted();
        if let [list] = args
            && list.is_list()
            && let Some(groups) = symbols(*list)
        {
            let is_there =
                |group: &String| asserted.iter().any(|asserted| asserted.group.as_ref() == Some(group));
            if let Some(unknown) = groups.iter().find(|group| !is_there(group)) {
                return Ok(Response::Error(format!("there is no group {}", quote_symbol(unknown))));
            }
            let is_first =
                |asserted: &Assertion| asserted.group.as_ref().is_some_and(|group| groups.contains(group));
            let (first, second): (Vec<Assertion>, Vec<Assertion>) = asserted.into_iter().partition(is_first);
            let parts = [first, second].map(|side| side.into_iter().map(|asserted| asserted.part).collect());
            return Ok(answered(self.of_sequence(&parts, budget)));
        }
        let is_new = |name: &Sexpr<'_>| name.symbol().is_some_and(|name| !self.names.contains_key(name));
        if let [name, formula, ..] = args
            && is_new(name)
            && !matches!(name.symbol(), Some("true" | "false"))
        {
            let name = symbol(*name)?;
            let mut negated = self.part(*formula, "only truth values have interpolants")?;
            negated.bit = !negated.bit;
            let all = asserted.into_iter().map(|asserted| asserted.part).collect();
            return Ok(match self.of_sequence(&[all, vec![negated]], budget) {
                Ok(Some(found)) => Response::Text(format!(
                    "(define-fun {} () Bool {})",
                    quote_symbol(&name),
                    found.join(" ")
                )),
                Ok(None) => Response::Text("fail".to_string()),
                failed => answered(failed),
            });
        }
        let parts = self.parts(args)?;
        Ok(answered(self.of_sequence(&parts, budget)))
    }

    pub(super) fn compute_interpolant(&mut self, args: &[Sexpr<'_>], budget: &Budget) -> Result<Response> {
        let parts = self.parts(args)?;
        Ok(match self.of_sequence(&parts, budget) {
            Ok(Some(found)) => Response::Text(format!("unsat\n{}", found.join("\n"))),
            Ok(None) => Response::Text("sat".to_string()),
            Err(reason) => Response::Unknown(reason),
        })
    }

    /// Keywords after the formulas are options of other solvers.
    fn parts(&mut self, args: &[Sexpr<'_>]) -> Result<Vec<Vec<Part>>> {
        let formulas = args.iter().take_while(|arg| arg.keyword().is_none());
        formulas
            .map(|&formula| Ok(vec![self.part(formula, "only truth values have interpolants")?]))
            .collect()
    }

    fn of_sequence(&mut self, parts: &[Vec<Part>], budget: &Budget) -> Found {
        let last = parts.len().saturating_sub(1);
        self.of_tree(parts, |node| (node < last).then_some(node + 1), budget)
    }

    /// An interpolant for each node but the last, which is the root; children come before their parents.
    fn of_tree(
        &mut self,
        groups: &[Vec<Part>],
        parent: impl Fn(usize) -> Option<usize>,
        budget: &Budget,
    ) -> Found {
        if self.arrays.declares_sorts() {
            return Err("elements of declared sorts have no bits".to_string());
        }
        if !self.arrays.has_room() {
            return Err("an array has fewer indices than are used, or more than can be compared".to_string());
        }
        let mut space = Space::new(self);
        let mut sides: Vec<Option<Side>> = groups.iter().map(|group| Some(space.side(self, group))).collect();
        let mut found = Vec::new();
        for node in 0..groups.len().saturating_sub(1) {
            let (mut first, mut second) = (Side::default(), Side::default());
            // An interpolant has the place of its subtree.
            for (other, side) in sides.iter().enumerate() {
                let is_inside = other == node || other < node && parent(other) == Some(node);
                if let Some(side) = side {
                    if is_inside { &mut first } else { &mut second }.add(side);
                }
            }
            let Some((text, side)) = self.between(&mut space, &first, &second, budget)? else {
                return match space.has_others {
                    true => Err("what arrays or functions say of several parts is not split".to_string()),
                    false => Ok(None),
                };
            };
            found.push(text);
            for (other, side) in sides[..node].iter_mut().enumerate() {
                if parent(other) == Some(node) {
                    *side = None;
                }
            }
            sides[node] = Some(side);
        }
        Ok(Some(found))
    }

    /// An interpolant as it is printed, and what it says.
    fn between(
        &mut self,
        space: &mut Space,
        first: &Side,
        second: &Side,
        budget: &Budget,
    ) -> std::result::Result<Option<(String, Side)>, String> {
        let Some(mut bit) = interpolate::interpolant(&mut space.circuit, &first.bits, &second.bits, budget)?
        else {
            return Ok(None);
        };
        let shared: OrderedSet<usize> = first.mentioned.intersection(&second.mentioned).copied().collect();
        let mut judge = Judge::new(&space.circuit, [&first.bits, &second.bits]);
        // For each way to a better one, half of the time that is left.
        let half = |budget: &Budget| match budget.remaining() {
            Some(left) => budget.clone().with_timeout(left / 2),
            None => budget.clone(),
        };
        let mut text = match bit.as_constant() {
            Some(value) => Some(value.to_string()),
            None => {
                let terms = self.terms_of(space, &shared, bit, [first, second]);
                self.guessed(space, terms, &mut judge, &half(budget))
            }
        };
        if text.is_none() {
            text = self.linear(space, &shared, &mut judge, &half(budget));
        }
        if text.is_none() {
            bit = shrink::shrink(&mut space.circuit, &mut judge, bit, &half(budget));
            text = self.over_bits(space, bit);
        }
        let text = text.ok_or("it depends on bits of floating-point numbers, which have no names")?;
        let side = self.read_side(space, &text)?;
        if !side.mentioned.is_subset(&shared) {
            return Err("it mentions what only one part does".to_string());
        }
        match Judge::finally(&space.circuit, [&first.bits, &second.bits], side.bits[0], budget) {
            Judgement::Separates => Ok(Some((text, side))),
            Judgement::Against(..) => Err("what was found is none".to_string()),
            Judgement::GivenUp => Err(budget
                .check()
                .err()
                .map_or("a limit was reached".to_string(), |reason| reason.to_string())),
        }
    }

    /// A formula as any reader would understand it.
    fn read_side(&mut self, space: &mut Space, text: &str) -> std::result::Result<Side, String> {
        let origin = Position { line: 1, column: 1 };
        let read =
            Tree::parse(text.to_string(), origin).and_then(|tree| self.part(tree.root(), "no truth value"));
        let part = read.map_err(|error| error.message)?;
        Ok(space.side(self, &[part]))
    }

    /// What guesses are about: constants of both sides, sums of these, and terms that one of the sides has.
    fn terms_of(
        &mut self,
        space: &mut Space,
        shared: &OrderedSet<usize>,
        bit: Bit,
        sides: [&Side; 2],
    ) -> Vec<(Term, Vec<Bit>)> {
        // Those first on which the interpolant over bits depends.
        let names = space.names(self);
        let inside = space.circuit.cone([bit]);
        let used: OrderedSet<usize> = names
            .iter()
            .filter(|(input, _)| inside.get(input.gate()) == Some(&true))
            .map(|(_, at)| at.0)
            .collect();
        let mut order: Vec<usize> = shared.iter().copied().collect();
        order.sort_by_key(|number| (!used.contains(number), *number));
        let words: Vec<(String, usize)> = (order.iter())
            .filter_map(|&number| match &self.constants[number] {
                (name, Value::Word(word)) => Some((quote_symbol(name), word.len())),
                _ => None,
            })
            .take(MOST_SUMMED)
            .collect();
        let constants =
            order.into_iter().map(|number| quote_symbol(&self.constants[number].0)).take(MOST_CONSTANTS);
        let mut texts: OrderedMap<String, bool> = constants.map(|name| (name, true)).collect();
        for terms in sides.map(|side| &side.terms) {
            texts.extend(terms.iter().map(|text| (text.clone(), true)));
        }
        for (at, (a, width)) in words.iter().enumerate() {
            for (b, _) in words[at + 1..].iter().filter(|(_, other)| other == width) {
                for operator in ["bvadd", "bvsub", "bvxor", "bvand"] {
                    texts.entry(format!("({operator} {a} {b})")).or_insert(false);
                }
            }
        }
        let mut terms: Vec<(Term, Vec<Bit>)> = Vec::new();
        for (text, is_plain) in texts {
            let Ok(tree) = Tree::parse(text.clone(), Position { line: 1, column: 1 }) else { continue };
            let (word, width) = match self.whole_term(tree.root()) {
                Ok(Value::Bool(bit)) => ([bit].into(), None),
                Ok(Value::Word(word)) if word.len() <= MOST_BITS => (word.clone(), Some(word.len())),
                _ => continue,
            };
            if !self.mentioned.is_subset(shared) || word.iter().all(|bit| bit.as_constant().is_some()) {
                continue;
            }
            let bits = space.import(&self.circuit, &word, shared);
            if terms.iter().all(|(_, others)| *others != bits) {
                terms.push((Term { text, width, is_plain }, bits));
            }
            if terms.len() == MOST_TERMS {
                break;
            }
        }
        terms
    }

    /// A small formula over these terms that separates the sides.
    fn guessed(
        &mut self,
        space: &mut Space,
        terms: Vec<(Term, Vec<Bit>)>,
        judge: &mut Judge,
        budget: &Budget,
    ) -> Option<String> {
        let (terms, words): (Vec<Term>, Vec<Vec<Bit>>) = terms.into_iter().unzip();
        let mut cases: [Vec<Case>; 2] = Default::default();
        // One case of each side to begin with.
        let mut text = "true".to_string();
        for _ in 0..MOST_GUESSES {
            let bit = self.read_side(space, &text).ok()?.bits[0];
            match judge.judge(&space.circuit, bit, budget) {
                Judgement::Separates => return Some(text),
                Judgement::GivenUp => return None,
                Judgement::Against(side, values) => {
                    let value = |bit: &Bit| u128::from(values[bit.gate()] != bit.is_negated());
                    let number =
                        |word: &Vec<Bit>| word.iter().rev().fold(0, |number, bit| number << 1 | value(bit));
                    cases[side].push(words.iter().map(number).collect());
                }
            }
            text = match [cases[0].is_empty(), cases[1].is_empty()] {
                [_, true] => "true".to_string(),
                [true, false] => "false".to_string(),
                [false, false] => guess::guess(&terms, [&cases[0], &cases[1]])?,
            };
        }
        None
    }

    /// Linear equations between bits that separate the sides, or such whose negation does.
    fn linear(
        &mut self,
        space: &mut Space,
        shared: &OrderedSet<usize>,
        judge: &mut Judge,
        budget: &Budget,
    ) -> Option<String> {
        let constants = shared.iter().filter_map(|&number| match &self.constants[number] {
            (name, Value::Word(word)) => Some(((quote_symbol(name), word.len()), word.clone())),
            _ => None,
        });
        let (names, words): (Vec<(String, usize)>, Vec<Word>) = constants.unzip();
        if names.iter().map(|(_, width)| width).sum::<usize>() > MOST_BITS {
            return None;
        }
        let bits = space.import(&self.circuit, &words.concat(), shared);
        for own in [0, 1] {
            let mut cases: Vec<Vec<bool>> = Vec::new();
            // One more would be no case at all.
            for _ in 0..=bits.len() + 1 {
                let mut equations = affine::equations(&cases);
                let written = |equations: &[Equation]| match (cases.is_empty(), own) {
                    (true, 0) => "false".to_string(),
                    (true, _) => "true".to_string(),
                    (false, 0) => affine::formula(equations, &names),
                    (false, _) => format!("(not {})", affine::formula(equations, &names)),
                };
                let text = written(&equations);
                let bit = self.read_side(space, &text).ok()?.bits[0];
                match judge.judge(&space.circuit, bit, budget) {
                    Judgement::GivenUp => return None,
                    Judgement::Against(side, values) if side == own => {
                        let value = |bit: &Bit| values[bit.gate()] != bit.is_negated();
                        cases.push(bits.iter().map(value).collect());
                    }
                    // A case of the other side that they allow.
                    Judgement::Against(..) => break,
                    Judgement::Separates => {
                        for at in (0..equations.len()).rev() {
                            let mut fewer = equations.clone();
                            fewer.remove(at);
                            let bit = self.read_side(space, &written(&fewer)).ok()?.bits[0];
                            if let Judgement::Separates = judge.judge(&space.circuit, bit, budget) {
                                equations = fewer;
                            }
                        }
                        return Some(written(&equations));
                    }
                }
            }
        }
        None
    }

    /// A bit by the bits of constants.
    fn over_bits(&self, space: &Space, bit: Bit) -> Option<String> {
        let names = space.names(self);
        show::formula(&space.circuit, bit, |input| {
            let (number, place) = *names.get(&input)?;
            let (name, value) = &self.constants[number];
            let name = quote_symbol(name);
            match value {
                Value::Bool(_) => Some((name.clone(), format!("(not {name})"))),
                Value::Word(word) if word.len() == 1 => {
                    Some((format!("(= {name} #b1)"), format!("(= {name} #b0)")))
                }
                Value::Word(_) => {
                    let is = |digit| format!("(= ((_ extract {place} {place}) {name}) #b{digit})");
                    Some((is(1), is(0)))
                }
                _ => None,
            }
        })
    }
}

fn answered(found: Found) -> Response {
    match found {
        Ok(Some(found)) => Response::Text(found.join("\n")),
        Ok(None) => Response::Error(SATISFIABLE.to_string()),
        Err(reason) => Response::Error(format!("no interpolants: {reason}")),
    }
}
