//! What the program does not determine, and how a model of the circuit answers when the program is run.

use crate::{Bit, Circuit, words};
use craig_base::Map;
use craig_exec::{InputSite, Site, Source};
use craig_program::{IntType, ProcId, Program, Type};
use std::collections::VecDeque;

/// Everything that is asked for in a run, in the order of the run.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    asked: Vec<Asked>,
    /// The bytes that were never written, by address.
    bytes: Map<u64, Vec<Bit>>,
}

#[derive(Debug)]
struct Asked {
    /// It is asked for in runs in which this holds.
    guard: Bit,
    question: Question,
    answer: Answer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Question {
    Statement(Site),
    Argument,
    Local(ProcId),
    Choice,
}

#[derive(Debug)]
enum Answer {
    Value(Type, Vec<Bit>),
    /// The conditions of the edges, and which of them is taken.
    Edge(Vec<(Bit, Bit)>),
}

impl Inputs {
    pub fn byte(&mut self, circuit: &mut Circuit, address: u64) -> Vec<Bit> {
        self.bytes.entry(address).or_insert_with(|| words::inputs(circuit, 8)).clone()
    }

    pub fn statement(&mut self, guard: Bit, site: Site, ty: Type, bits: Vec<Bit>) {
        self.ask(guard, Question::Statement(site), Answer::Value(ty, bits));
    }

    pub fn argument(&mut self, ty: Type, bits: Vec<Bit>) {
        self.ask(Bit::TRUE, Question::Argument, Answer::Value(ty, bits));
    }

    /// A local variable at the entry of its procedure.
    pub fn local(&mut self, guard: Bit, proc: ProcId, ty: Type, bits: Vec<Bit>) {
        self.ask(guard, Question::Local(proc), Answer::Value(ty, bits));
    }

    pub fn choice(&mut self, guard: Bit, edges: Vec<(Bit, Bit)>) {
        self.ask(guard, Question::Choice, Answer::Edge(edges));
    }

    fn ask(&mut self, guard: Bit, question: Question, answer: Answer) {
        self.asked.push(Asked { guard, question, answer });
    }

    /// The answers in one model.
    pub fn answers<'p>(&self, program: &'p Program, model: &dyn Fn(Bit) -> bool) -> Answers<'p> {
        let mut queues: Map<Question, VecDeque<i128>> = Map::default();
        for asked in self.asked.iter().filter(|asked| model(asked.guard)) {
            let value = match &asked.answer {
                Answer::Value(ty, bits) => value(program, *ty, bits, model),
                Answer::Edge(edges) => {
                    let enabled: Vec<_> = edges.iter().filter(|(holds, _)| model(*holds)).collect();
                    if enabled.len() < 2 {
                        continue;
                    }
                    enabled.iter().position(|(_, taken)| model(*taken)).unwrap_or(0) as i128
                }
            };
            queues.entry(asked.question).or_default().push_back(value);
        }
        let byte = |bits: &Vec<Bit>| value(program, Type::Int(IntType::U8), bits, model) as u8;
        let bytes = self.bytes.iter().map(|(&address, bits)| (address, byte(bits))).collect();
        Answers { program, queues, bytes }
    }
}

fn value(program: &Program, ty: Type, bits: &[Bit], model: &dyn Fn(Bit) -> bool) -> i128 {
    let pattern = bits.iter().rev().fold(0u128, |sum, &bit| sum << 1 | u128::from(model(bit))) as i128;
    match super::arithmetic::int_type(program, ty) {
        Some(int) => int.wrap(pattern),
        None => pattern,
    }
}

/// Answers the questions of one run.
pub(super) struct Answers<'p> {
    program: &'p Program,
    queues: Map<Question, VecDeque<i128>>,
    bytes: Map<u64, u8>,
}

impl craig_exec::InputOracle for Answers<'_> {
    /// What the model does not say does not matter.
    fn next(&mut self, at: &InputSite) -> Option<i128> {
        let question = match at.source {
            Source::Statement => Question::Statement(at.site),
            Source::Argument => Question::Argument,
            Source::Choice { .. } => Question::Choice,
            Source::Local => Question::Local(at.site.proc),
            Source::Memory { address, .. } => {
                let bytes = (0..u64::from(self.program.size_of(at.ty))).rev();
                let byte = |i: u64| self.bytes.get(&(address + i)).copied().unwrap_or(0);
                return Some(bytes.fold(0, |value, i| value << 8 | i128::from(byte(i))));
            }
        };
        Some(self.queues.get_mut(&question).and_then(VecDeque::pop_front).unwrap_or(0))
    }
}
