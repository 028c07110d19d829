//! Annotations of a translation unit: contracts are collected and taken out of the text, assertions and loop
//! invariants become checks in it.

use super::clause::{Part, Quantifier, Refusal, have_values, parts};
use super::output::{Origin, Piece, edited};
use super::scan::{Kind, Token, closing, find, parenthesized, scan};
use super::translate::Translator;
use super::{Claim, Clause, Contract};

mod esbmc;
mod loops;

use loops::Said;

/// What a unit becomes.
#[derive(Default)]
pub struct Annotated {
    pub text: String,
    /// By the function that they are of.
    pub contracts: Vec<(String, Contract)>,
    /// What is ignored, and what cannot be understood, by place.
    pub warnings: Vec<Refusal>,
}

/// Functions that made text calls, declared once at the top.
pub const PRELUDE: &str = "extern void __VERIFIER_craig_assert(_Bool, const char *); \
    extern void __VERIFIER_craig_assume(_Bool); extern _Bool __VERIFIER_nondet_craig_bool(void); \
    extern __typeof__(sizeof 0) __VERIFIER_nondet_craig_size(void); extern void __VERIFIER_craig_everything(); \
    extern void __VERIFIER_nondet_memory(void *, __typeof__(sizeof 0));\n";

/// Whether the text has anything to do with contracts.
pub fn concerns(text: &str) -> bool {
    ["/*@", "//@"].iter().any(|opening| text.contains(opening))
        || WORDS.iter().any(|word| text.contains(word))
}

const WORDS: &[&str] = &[
    "__CPROVER_requires",
    "__CPROVER_ensures",
    "__CPROVER_assigns",
    "__CPROVER_frees",
    "__CPROVER_loop_invariant",
    "__CPROVER_decreases",
    "__CPROVER_forall",
    "__CPROVER_exists",
    "__CPROVER_r_ok",
    "__CPROVER_w_ok",
    "__CPROVER_rw_ok",
    "__CPROVER_array_set",
    "__ESBMC_requires",
    "__ESBMC_ensures",
    "__ESBMC_assigns",
    "__ESBMC_contract",
    "__ESBMC_loop_invariant",
    "__ESBMC_forall",
    "__ESBMC_exists",
    "__ESBMC_r_ok",
    "__ESBMC_w_ok",
    "==>",
];

/// Reads unit number `unit`.
pub fn annotated(unit: usize, file: &str, text: &str) -> Annotated {
    let tokens = scan(text, 0, text.len());
    let (edits, out) = (Vec::new(), Annotated::default());
    let mut reader = Reader { unit, body_start: 0, text, tokens: &tokens, edits, out };
    reader.read();
    let Reader { mut edits, mut out, .. } = reader;
    let origin = Origin { text, file };
    out.text = if edits.is_empty() {
        text.to_string()
    } else {
        edits.sort_by_key(|(at, ..)| *at);
        let (file, line, _) = origin.locate(0);
        format!("{PRELUDE}# {line} \"{file}\"\n{}", edited(&origin, &edits))
    };
    out
}

struct Reader<'a, 't> {
    unit: usize,
    /// Where the body that is read begins, after its brace.
    body_start: usize,
    text: &'t str,
    tokens: &'a [Token<'t>],
    edits: Vec<(usize, usize, Vec<Piece>)>,
    out: Annotated,
}

impl<'t> Reader<'_, 't> {
    fn read(&mut self) {
        let tokens = self.tokens;
        let mut depth = 0usize;
        // The function whose declarator was seen last, and the annotation before the next one.
        let mut function = "";
        let mut waiting = Contract::default();
        // The loop whose head ends right before this token: its keyword and its parentheses.
        let mut head: Option<(usize, usize, usize)> = None;
        let mut index = 0;
        while index < tokens.len() {
            let token = tokens[index];
            let arguments = parenthesized(tokens, index + 1);
            if depth > 0
                && let Some(end) = self.esbmc(index, function)
            {
                index = end;
                continue;
            }
            match (token.kind, token.text, arguments) {
                (Kind::Annotation, ..) if depth == 0 => self.contract(&token, &mut waiting),
                (Kind::Annotation, ..) => self.annotation(index),
                (Kind::Punct, "{", _) => {
                    if depth == 0 {
                        self.body_start = token.end();
                    }
                    depth += 1;
                }
                (Kind::Punct, "}", _) => depth = depth.saturating_sub(1),
                (
                    Kind::Name,
                    "__CPROVER_requires" | "__CPROVER_ensures" | "__CPROVER_assigns" | "__CPROVER_frees",
                    Some((inner, end)),
                ) if depth == 0 => {
                    let clause = self.clause(inner, &tokens[end - 1], &token);
                    self.remove(index, end);
                    let mut contract = Contract::default();
                    contract.add(token.text.trim_start_matches("__CPROVER_"), clause);
                    self.out.contracts.push((function.to_string(), contract));
                    index = end;
                    continue;
                }
                (
                    Kind::Name,
                    "__CPROVER_loop_invariant" | "__CPROVER_assigns" | "__CPROVER_decreases",
                    Some((inner, end)),
                ) => {
                    let at_head = head.filter(|&(_, _, close)| close + 1 == index);
                    if token.is("__CPROVER_loop_invariant") {
                        match at_head {
                            Some((keyword, open, close)) => {
                                let said = Said { invariants: &[inner], variant: None, chains: false };
                                self.invariant(keyword, open, close, &said);
                            }
                            None => self.warn(&token, "this loop invariant is ignored"),
                        }
                    }
                    self.remove(index, end);
                    // Another clause may follow.
                    head = at_head.map(|(keyword, open, _)| (keyword, open, end - 1));
                    index = end;
                    continue;
                }
                (Kind::Name, "__ESBMC_contract", _) if depth == 0 => self.remove(index, index + 1),
                (Kind::Name, "while" | "for", Some((_, end))) => head = Some((index, index + 1, end - 1)),
                (
                    Kind::Name,
                    "__CPROVER_assert"
                    | "__CPROVER_assume"
                    | "__CPROVER_precondition"
                    | "assert"
                    | "__ESBMC_assert"
                    | "__ESBMC_assume",
                    Some((inner, end)),
                ) if self.condition(index, inner, end) => {
                    index = end;
                    continue;
                }
                (Kind::Name, "__CPROVER_array_set", Some((inner, end))) if depth > 0 => {
                    self.array_set(&token, inner, tokens[end - 1].end());
                    index = end;
                    continue;
                }
                (Kind::Name, word, _) if depth > 0 && super::clause::is_quantifier(word) => {
                    if let Some(close) = closing(tokens, index + 1) {
                        self.quantified(index, close);
                        index = close + 1;
                        continue;
                    }
                }
                (Kind::Name, "__attribute__" | "__asm__" | "asm" | "__declspec", Some((_, end)))
                    if depth == 0 =>
                {
                    index = end;
                    continue;
                }
                (Kind::Name, name, Some((_, end))) if depth == 0 => {
                    function = name;
                    if !waiting.is_empty() {
                        self.out.contracts.push((name.to_string(), std::mem::take(&mut waiting)));
                    }
                    index = end;
                    continue;
                }
                _ => {}
            }
            index += 1;
        }
    }

    fn warn(&mut self, token: &Token<'_>, message: &str) {
        self.out.warnings.push(Refusal { at: (token.start, token.end()), message: message.to_string() });
    }

    fn remove(&mut self, from: usize, end: usize) {
        let (start, stop) = (self.tokens[from].start, self.tokens[end - 1].end());
        self.edits.push((start, stop - start, Vec::new()));
    }

    fn clause(&self, inner: &[Token<'t>], closing: &Token<'_>, word: &Token<'_>) -> Clause {
        let start = inner.first().map_or(closing.start, |token| token.start);
        Clause {
            unit: self.unit,
            start,
            end: closing.start,
            chains: !word.text.starts_with("__"),
            behaviour: None,
        }
    }

    /// The clauses of an annotation, each with its first word.
    fn clauses(&self, annotation: &Token<'t>) -> Vec<(Token<'t>, Vec<Token<'t>>)> {
        let tokens = scan(self.text, annotation.start, annotation.end());
        let mut clauses = Vec::new();
        let mut rest = &tokens[..];
        while let Some((word, after)) = rest.split_first() {
            // The semicolon of a quantifier ends no clause.
            let mut end = 0;
            let mut quantifiers = 0;
            while end < after.len() {
                match after[end].text {
                    "\\forall" | "\\exists" => quantifiers += 1,
                    ";" if quantifiers == 0 => break,
                    ";" => quantifiers -= 1,
                    _ => {}
                }
                end += 1;
            }
            clauses.push((*word, after[..end].to_vec()));
            rest = after.get(end + 1..).unwrap_or(&[]);
        }
        clauses
    }

    /// An annotation in front of a function.
    fn contract(&mut self, annotation: &Token<'t>, waiting: &mut Contract) {
        let mut behaviour = None;
        let mut clauses = std::collections::VecDeque::from(self.clauses(annotation));
        while let Some((word, tokens)) = clauses.pop_front() {
            let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { continue };
            let at =
                |start: usize, end: usize| Clause { unit: self.unit, start, end, chains: true, behaviour };
            match (word.text, &tokens[..]) {
                ("requires" | "ensures" | "assumes", [name, colon, rest @ ..])
                    if is_label(name, colon, rest) =>
                {
                    waiting.add(word.text, at(rest[0].start, last.end()));
                }
                ("assumes", _) if behaviour.is_none() => {
                    let what = "`assumes` belongs to a `behavior`".to_string();
                    waiting.unread.push((at(word.start, word.end()), what));
                }
                ("requires" | "ensures" | "assigns" | "frees" | "allocates" | "assumes", _) => {
                    waiting.add(word.text, at(first.start, last.end()));
                }
                ("behavior", [name, colon, rest @ ..]) if colon.is(":") => {
                    behaviour = Some(waiting.behaviour(name.text));
                    if let Some((word, rest)) = rest.split_first() {
                        clauses.push_front((*word, rest.to_vec()));
                    }
                }
                ("complete" | "disjoint", [behaviours, names @ ..]) if behaviours.is("behaviors") => {
                    let names = names.iter().filter(|name| name.kind == Kind::Name);
                    waiting.claims.push(Claim {
                        at: at(word.start, last.end()),
                        complete: word.is("complete"),
                        names: names.map(|name| name.text.to_string()).collect(),
                    });
                }
                // That calls end is not asked.
                ("decreases" | "terminates", _) => {}
                (
                    "behavior" | "complete" | "disjoint" | "exits" | "check" | "admit" | "breaks"
                    | "continues" | "returns",
                    _,
                ) => {
                    let what = format!("`{}` is not read here", word.text);
                    waiting.unread.push((at(word.start, word.end()), what));
                }
                (
                    "axiomatic" | "logic" | "predicate" | "lemma" | "inductive" | "global" | "type" | "ghost"
                    | "axiom" | "import" | "model" | "module" | "strategy",
                    _,
                ) => {
                    self.warn(&word, &format!("`{}` is not read, so this annotation is ignored", word.text));
                    return;
                }
                // Other tools have comments of this form, too.
                _ => return,
            }
        }
    }

    /// An annotation in a body: before a loop or a statement.
    fn annotation(&mut self, index: usize) {
        let annotation = self.tokens[index];
        let (mut invariants, mut variant) = (Vec::new(), None);
        for (word, tokens) in self.clauses(&annotation) {
            match (word.text, tokens.first().map(|t| t.text)) {
                ("assert" | "check", Some(_)) => self.assertion(index, &word, unlabelled(&tokens)),
                ("loop", Some("invariant")) => invariants.push(unlabelled(&tokens[1..]).to_vec()),
                ("loop", Some("variant")) => variant = Some(tokens[1..].to_vec()),
                ("loop", Some("assigns")) => {}
                (
                    "loop" | "requires" | "ensures" | "assigns" | "admit" | "ghost" | "for" | "behavior"
                    | "breaks" | "continues" | "returns",
                    first,
                ) => {
                    let what = match (word.text, first) {
                        ("loop", Some(first)) => format!("loop {first}"),
                        (word, _) => word.to_string(),
                    };
                    self.warn(&word, &format!("`{what}` is not read here, so this annotation is ignored"));
                }
                _ => return,
            }
        }
        if invariants.is_empty() && variant.is_none() {
            return;
        }
        let keyword = index + 1;
        let head = parenthesized(self.tokens, keyword + 1);
        match (self.tokens.get(keyword), head) {
            (Some(word), Some((_, end))) if word.is("while") || word.is("for") => {
                let invariants: Vec<&[Token<'t>]> = invariants.iter().map(Vec::as_slice).collect();
                let said = Said { invariants: &invariants, variant: variant.as_deref(), chains: true };
                self.invariant(keyword, keyword + 1, end - 1, &said);
            }
            _ => self.warn(
                &annotation,
                "what is said of this loop is ignored: it is read before `while` and `for`",
            ),
        }
    }

    fn assertion(&mut self, index: usize, word: &Token<'t>, tokens: &[Token<'t>]) {
        let follows = index.checked_sub(1).map(|before| self.tokens[before]);
        let stands_alone =
            follows.is_none_or(|t| t.kind == Kind::Annotation || matches!(t.text, ";" | "{" | "}" | ":"));
        if !stands_alone {
            return self.warn(word, "this annotation is ignored: put braces around what follows it");
        }
        let text = words(self.text, tokens);
        let said = format!("`{text}` does not hold");
        match self.checks_within(tokens, true, &said, None) {
            Ok(pieces) => {
                let annotation = self.tokens[index];
                // The comment may be one that reaches to the end of its line.
                let mut block = vec!["\n{ ".into()];
                block.extend(pieces);
                block.push(" }".into());
                self.edits.push((end_of_comment(self.text, annotation.end()), 0, block));
            }
            Err(refusal) => self.out.warnings.push(ignored(refusal)),
        }
    }

    /// A quantifier as a value.
    fn quantified(&mut self, index: usize, close: usize) {
        let tokens = self.tokens;
        let mut translator = Translator { objects: true, ..Translator::default() };
        let pieces = translator.expression(&tokens[index..=close]);
        let start = tokens[index].start;
        let pieces = pieces.unwrap_or_else(|refusal| not_understood(&refusal));
        self.edits.push((start, tokens[close].end() - start, pieces));
    }

    /// Every element from a pointer on to the end of its object gets a value; of `void *`, every byte.
    fn array_set(&mut self, word: &Token<'t>, arguments: &[Token<'t>], end: usize) {
        let Some(comma) = find(arguments, &[","]).filter(|&at| at > 0 && at + 1 < arguments.len()) else {
            return self.warn(word, "`__CPROVER_array_set` needs a pointer and a value");
        };
        let text = |tokens: &[Token<'_>]| Piece::From(tokens[0].start, tokens[tokens.len() - 1].end());
        let (array, value) = (text(&arguments[..comma]), text(&arguments[comma + 1..]));
        let mut pieces: Vec<Piece> =
            vec!["({ __typeof__(__builtin_choose_expr(__builtin_types_compatible_p(__typeof__((".into()];
        pieces.extend([array.clone(), ") + 0), void *), (char *)0, (".into(), array.clone()]);
        pieces.extend([
            ") + 0)) craig_to = (void *)(".into(),
            array,
            "); __typeof__(*craig_to) craig_value = (".into(),
            value,
        ]);
        pieces.push(
            "); __typeof__(sizeof 0) craig_n = (__CPROVER_OBJECT_SIZE(craig_to) - \
             __CPROVER_POINTER_OFFSET(craig_to)) / sizeof *craig_to, craig_i; \
             for (craig_i = 0; craig_i < craig_n; craig_i++) craig_to[craig_i] = craig_value; })"
                .into(),
        );
        self.edits.push((word.start, end - word.start, pieces));
    }

    /// `__CPROVER_assert(...)` and the like with quantifiers or conditions about objects in it; false for others.
    fn condition(&mut self, index: usize, inner: &[Token<'t>], end: usize) -> bool {
        let argument = match find(inner, &[","]) {
            Some(comma) => &inner[..comma],
            None => inner,
        };
        let special = |token: &Token<'_>| {
            super::clause::is_quantifier(token.text)
                || token.is("==>")
                || super::clause::is_access(token.text)
        };
        if !argument.iter().any(special) || !self.tokens.get(end).is_some_and(|t| t.is(";")) {
            return false;
        }
        let word = self.tokens[index];
        let pieces = if word.text.ends_with("_assume") {
            let mut translator = Translator { objects: true, ..Translator::default() };
            translator.expression(argument).map(|expression| {
                let mut pieces: Vec<Piece> = vec!["__VERIFIER_craig_assume(".into()];
                pieces.extend(expression);
                pieces.push(")".into());
                pieces
            })
        } else {
            let text = words(self.text, &argument[..argument.len().min(40)]);
            checks(argument, false, &format!("`{text}` does not hold")).map(|checks| {
                let mut pieces = vec!["({ ".into()];
                pieces.extend(checks);
                pieces.push(" })".into());
                pieces
            })
        };
        let stop = self.tokens[end - 1].end();
        let pieces = pieces.unwrap_or_else(|refusal| not_understood(&refusal));
        self.edits.push((word.start, stop - word.start, pieces));
        true
    }
}

/// `name: condition`.
fn is_label(name: &Token<'_>, colon: &Token<'_>, rest: &[Token<'_>]) -> bool {
    name.kind == Kind::Name && !name.text.starts_with('\\') && colon.is(":") && !rest.is_empty()
}

/// The condition without its name.
fn unlabelled<'a, 't>(tokens: &'a [Token<'t>]) -> &'a [Token<'t>] {
    match tokens {
        [name, colon, rest @ ..] if is_label(name, colon, rest) => rest,
        _ => tokens,
    }
}

/// Only where it is reached does it matter.
fn not_understood(refusal: &Refusal) -> Vec<Piece> {
    vec![Piece::From(refusal.at.0, refusal.at.0), "__VERIFIER_craig_not_understood(0)".into()]
}

fn ignored(refusal: Refusal) -> Refusal {
    Refusal { message: format!("{}, so this annotation is ignored", refusal.message), ..refusal }
}

/// After the end of the comment whose contents end here.
fn end_of_comment(text: &str, at: usize) -> usize {
    if text[at..].starts_with("*/") { at + 2 } else { at }
}

/// The words of a clause on one line, fit for a string literal.
pub fn words(text: &str, tokens: &[Token<'_>]) -> String {
    let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else { return String::new() };
    let words: Vec<&str> =
        text[first.start..last.end()].split_whitespace().filter(|word| *word != "@").collect();
    words.join(" ").replace('\\', "\\\\").replace('"', "'")
}

/// Statements that check a condition.
pub fn checks(tokens: &[Token<'_>], chains: bool, words: &str) -> Result<Vec<Piece>, Refusal> {
    let mut translator = Translator { chains, objects: true, ..Translator::default() };
    check_parts(&mut translator, &checked_parts(tokens)?, words)
}

/// The parts of what is checked: what is said of objects may stand anywhere in it, as a value.
pub fn checked_parts<'a, 't>(tokens: &'a [Token<'t>]) -> Result<Vec<Part<'a, 't>>, Refusal> {
    parts(tokens).or_else(|refusal| match have_values(tokens) {
        true => Ok(vec![Part::Plain(tokens)]),
        false => Err(refusal),
    })
}

/// Statements that check the parts of a condition, for all values of what is quantified.
pub fn check_parts<'t>(
    translator: &mut Translator<'t>,
    parts: &[Part<'_, 't>],
    words: &str,
) -> Result<Vec<Piece>, Refusal> {
    let mut pieces: Vec<Piece> = Vec::new();
    for part in parts {
        match part {
            Part::Plain(tokens) => {
                // It fails where it is written.
                pieces.extend(tokens.first().map(|first| Piece::From(first.start, first.start)));
                pieces.push("__VERIFIER_craig_assert(".into());
                pieces.extend(translator.expression(tokens)?);
                pieces.push(Piece::Made(format!(", \"{words}\");")));
            }
            Part::Guarded { guard, holds, parts } => {
                pieces.push(if *holds { "if (" } else { "if (!(" }.into());
                pieces.extend(translator.expression(guard)?);
                pieces.push(if *holds { ") { " } else { ")) { " }.into());
                pieces.extend(check_parts(translator, parts, words)?);
                pieces.push(" }".into());
            }
            Part::Quantified(quantifier) if quantifier.all => {
                pieces.extend(check_all(translator, quantifier, words)?);
            }
            Part::Quantified(quantifier) => {
                pieces.extend(check_parts(translator, &[Part::Plain(quantifier.tokens)], words)?);
            }
            Part::Object(predicate) => pieces.extend(super::start::readable(translator, predicate)?),
        }
    }
    Ok(pieces)
}

/// Whatever holds for an arbitrary value holds for all.
fn check_all<'t>(
    translator: &mut Translator<'t>,
    quantifier: &Quantifier<'_, 't>,
    words: &str,
) -> Result<Vec<Piece>, Refusal> {
    let mut pieces: Vec<Piece> = vec!["{ ".into()];
    for (ty, name) in &quantifier.variables {
        let ty = super::clause::quantified_type(ty, name);
        let any = format!("__VERIFIER_nondet_craig_{}", name.text);
        pieces.push(Piece::Made(format!("extern {ty} {any}(void); {ty} {} = {any}(); ", name.text)));
    }
    let bound = translator.bound.len();
    translator.bound.extend(quantifier.variables.iter().map(|(_, name)| name.text.to_string()));
    if let Some(range) = quantifier.range {
        pieces.push("if (".into());
        pieces.extend(translator.expression(range)?);
        pieces.push(") ".into());
    }
    pieces.push("{ ".into());
    pieces.extend(check_parts(translator, &checked_parts(quantifier.body)?, words)?);
    translator.bound.truncate(bound);
    pieces.push(" } }".into());
    Ok(pieces)
}

/// The text between the parentheses after the name of a function that the unit defines.
pub fn parameters<'t>(text: &'t str, function: &str) -> Option<&'t str> {
    let tokens = scan(text, 0, text.len());
    let mut index = 0;
    while index < tokens.len() {
        if tokens[index].is("{") {
            index = closing(&tokens, index)? + 1;
            continue;
        }
        if tokens[index].is(function)
            && let Some((_, end)) = parenthesized(&tokens, index + 1)
        {
            let follows = find(&tokens[end..], &[";", "="]).unwrap_or(usize::MAX);
            let body = tokens[end..].iter().position(|t| t.is("{") || t.is(";"));
            if body.is_some_and(|body| tokens[end + body].is("{") && body <= follows) {
                return Some(&text[tokens[index + 1].end()..tokens[end - 1].start]);
            }
        }
        index += 1;
    }
    None
}
