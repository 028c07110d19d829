//! Mutated programs for the front end: reading one may fail, but not panic, hang or blow up, and what is
//! lowered keeps its invariants.
//!
//! A mutant is a program of the corpus (own random programs if there is none) with some of its words
//! deleted, doubled, swapped, replaced by others or by what is special to C, or crossed with a second
//! program. All of the front end runs on it: lexer, parser, type checker, linker, lowering.

use crate::generate::{self, Features};
use crate::measure::c_files;
use crate::rng::Rng;
use craig_cfront::types::DataModel;
use craig_cfront::{load_texts, lower};
use craig_program::validate;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The head of a large file is enough of it.
const MAX_BYTES: usize = 60_000;
/// Longer is a hang.
pub const MAX_TIME: Duration = Duration::from_secs(20);

pub struct Fuzzer {
    corpus: Vec<Vec<u8>>,
    rng: Rng,
}

/// What came of one mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    Accepted,
    Refused,
    /// The mutant, and what it did.
    Defect(Vec<u8>, String),
}

impl Fuzzer {
    /// `folders` are searched for C files.
    pub fn new(seed: u64, folders: &[PathBuf]) -> Fuzzer {
        let files = c_files(folders);
        let mut corpus: Vec<Vec<u8>> = files.iter().filter_map(|file| std::fs::read(file).ok()).collect();
        corpus.iter_mut().for_each(|text| text.truncate(MAX_BYTES));
        corpus.extend((0..20).map(|seed| {
            generate::program(seed, Features { floats: true })
                .replace("__SIZE_TYPE__", "unsigned long")
                .into_bytes()
        }));
        Fuzzer { corpus, rng: Rng::new(seed) }
    }

    /// Makes a mutant and gives it to the front end.
    pub fn step(&mut self) -> Fate {
        let mutant = self.mutant();
        let model = if self.rng.chance(50) { DataModel::Lp64 } else { DataModel::Ilp32 };
        let start = Instant::now();
        let attempt = catch_unwind(AssertUnwindSafe(|| {
            let texts = vec![("mutant.i".to_string(), mutant.clone())];
            let loaded = load_texts(texts, model, &lower::Options::default());
            loaded.diagnostics.render(&loaded.sources);
            loaded.program.map(|program| validate(&program))
        }));
        if start.elapsed() > MAX_TIME {
            return Fate::Defect(mutant, format!("takes {:.0} s", start.elapsed().as_secs_f64()));
        }
        match attempt {
            Ok(None) => Fate::Refused,
            Ok(Some(errors)) if errors.is_empty() => Fate::Accepted,
            Ok(Some(errors)) => Fate::Defect(mutant, errors.join("; ")),
            Err(panic) => {
                let message = panic.downcast_ref::<String>().map(String::as_str);
                let message = message.or_else(|| panic.downcast_ref::<&str>().copied());
                Fate::Defect(mutant, format!("panic: {}", message.unwrap_or("without a message")))
            }
        }
    }

    fn mutant(&mut self) -> Vec<u8> {
        let corpus = std::mem::take(&mut self.corpus);
        let (text, other) = (self.rng.below(corpus.len()), self.rng.below(corpus.len()));
        let mutant = mutate(&corpus[text], &corpus[other], &mut self.rng);
        self.corpus = corpus;
        mutant
    }
}

/// Words as a lexer sees them, roughly.
fn words(text: &[u8]) -> Vec<&[u8]> {
    let mut words = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = text[at..].iter().take_while(|byte| is_word(byte)).count().max(1);
        words.push(&text[at..at + length]);
        at += length;
    }
    words
}

const SPICE: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "*",
    "&",
    ";",
    ",",
    "=",
    "...",
    "int ",
    "struct ",
    "typedef ",
    "sizeof ",
    "0",
    "-1",
    "99999999999999999999",
    "\"",
    "'",
    "#",
    "\\",
    "({",
    "})",
    "?",
    ":",
    "->",
    ".",
    "<<",
    "/",
    "%",
    "!",
    "~",
    "unsigned ",
    "long ",
    "char ",
    "void ",
    "float ",
    "double ",
    "_Bool ",
    "union ",
    "enum ",
    "static ",
    "extern ",
    "const ",
    "volatile ",
    "goto ",
    "switch ",
    "case ",
    "default:",
    "while ",
    "for ",
    "do ",
    "if ",
    "else ",
    "return ",
    "break;",
    "continue;",
    "__extension__ ",
    "__attribute__((packed)) ",
    "typeof",
    "asm ",
    "__builtin_va_arg",
    "[0 ... 3]",
    "0x7fffffff",
    "1e400",
    "L'x'",
    "\"a\" \"b\"",
    "malloc",
    "free",
    "memcpy",
    "realloc",
    "__VERIFIER_nondet_int()",
    "reach_error()",
    "main",
    "\0",
    "\u{ff}",
];

/// Deletes, doubles, swaps and replaces some words; takes some from another program.
fn mutate(text: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let (mut words, others) = (words(text), words(other));
    for _ in 0..=rng.below(8) {
        if words.is_empty() {
            break;
        }
        let (i, j) = (rng.below(words.len()), rng.below(words.len()));
        match rng.below(8) {
            0 => {
                words.remove(i);
            }
            1 => words.insert(i, words[j]),
            2 => words.swap(i, j),
            3 => words[i] = rng.pick(SPICE).as_bytes(),
            4 => words.insert(i, rng.pick(SPICE).as_bytes()),
            5 => {
                let end = (i + rng.below(30)).min(words.len());
                words.drain(i..end);
            }
            6 => {
                let end = (i + rng.below(30)).min(words.len());
                let copy = words[i..end].to_vec();
                words.splice(j..j, copy);
            }
            _ if !others.is_empty() => {
                let start = rng.below(others.len());
                let end = (start + rng.below(30)).min(others.len());
                words.splice(i..i, others[start..end].iter().copied());
            }
            _ => {}
        }
    }
    words.concat()
}
