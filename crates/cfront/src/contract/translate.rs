//! The words of contracts as C.

use super::clause::{
    Extent, MAX_DEPTH, MAX_EXPANDED, Meaning, Quantifier, Translated, is_quantifier, is_value, meaning,
    predicates, quantifier, refuse,
};
use super::output::Piece;
use super::scan::{Kind, Token, find, parenthesized, split, unwrapped};

/// How the words of a clause are translated.
#[derive(Default)]
pub struct Translator<'t> {
    /// In ACSL `a <= b < c` is a chain.
    pub chains: bool,
    /// What the result is called, if there is one.
    pub result: Option<String>,
    /// Expressions whose values at the start are needed, and their names; `None` where there is no start.
    pub old: Option<Vec<(Vec<Piece>, String)>>,
    /// The same for the entry of a loop.
    pub entry: Option<Vec<(Vec<Piece>, String)>>,
    /// How the names of such values begin, if not as usual.
    pub prefix: String,
    /// It is part of a body, where `\\old` has no meaning.
    pub in_body: bool,
    /// What is said of objects is a value here, and makes none.
    pub objects: bool,
    /// Quantified variables that stand for a number now.
    pub(super) values: Vec<(&'t str, i128)>,
    /// Quantified variables that are variables of the program now.
    pub(super) bound: Vec<String>,
    pub(super) depth: usize,
}

impl<'t> Translator<'t> {
    /// A condition as a C expression.
    pub fn expression(&mut self, tokens: &[Token<'t>]) -> Translated<Vec<Piece>> {
        if self.depth > MAX_DEPTH {
            return refuse(&tokens[0], "this is nested too deeply");
        }
        self.depth += 1;
        let result = self.nested(tokens);
        self.depth -= 1;
        result
    }

    fn nested(&mut self, tokens: &[Token<'t>]) -> Translated<Vec<Piece>> {
        if let Some(at) = find(tokens, &["\\forall", "\\exists"]) {
            // It reaches to the end.
            let quantified = self.expanded(&quantifier(&tokens[at..])?)?;
            let Some((operator, before)) = tokens[..at].split_last() else { return Ok(quantified) };
            let mut pieces = self.joined(before, operator, quantified)?;
            pieces.push(")".into());
            return Ok(pieces);
        }
        for (operator, is_implication) in [("<==>", false), ("==>", true)] {
            if let Some(at) = find(tokens, &[operator]) {
                let right = self.expression(&tokens[at + 1..])?;
                if is_implication {
                    let mut pieces = self.joined(&tokens[..at], &tokens[at], right)?;
                    pieces.push(")".into());
                    return Ok(pieces);
                }
                let left = self.expression(&tokens[..at])?;
                return Ok(between("(!(", left, ") == !(", right, "))"));
            }
        }
        let mut pieces = Vec::new();
        let mut rest = tokens;
        while let Some(at) = find(rest, &["&&", "||", "?", ":", ","]) {
            pieces.extend(self.chain(&rest[..at])?);
            pieces.push(Piece::Made(format!(" {} ", rest[at].text)));
            rest = &rest[at + 1..];
        }
        pieces.extend(self.chain(rest)?);
        Ok(pieces)
    }

    /// `(before operator right`, without the last parenthesis.
    fn joined(
        &mut self,
        before: &[Token<'t>],
        operator: &Token<'t>,
        right: Vec<Piece>,
    ) -> Translated<Vec<Piece>> {
        let left = self.expression(before)?;
        Ok(match operator.text {
            "==>" => between("(!(", left, ") || (", right, ")"),
            "&&" | "||" => between("((", left, &format!(") {} (", operator.text), right, ")"),
            _ => return refuse(operator, "a quantifier cannot stand here"),
        })
    }

    fn chain(&mut self, tokens: &[Token<'t>]) -> Translated<Vec<Piece>> {
        const COMPARISONS: &[&str] = &["<", "<=", ">", ">=", "==", "!="];
        let mut operands = Vec::new();
        let mut operators = Vec::new();
        let mut rest = tokens;
        while let Some(at) = find(rest, COMPARISONS) {
            operands.push(&rest[..at]);
            operators.push(rest[at].text);
            rest = &rest[at + 1..];
        }
        let ordered = operators.iter().filter(|operator| !matches!(**operator, "==" | "!=")).count();
        if !self.chains && ordered > 1 {
            return refuse(
                &tokens[0],
                "in C the result of a comparison is compared here: join the two with `&&`",
            );
        }
        if operators.len() < 2 || !self.chains {
            return self.inline(tokens);
        }
        operands.push(rest);
        let mut pieces: Vec<Piece> = vec!["(".into()];
        for (index, operator) in operators.iter().enumerate() {
            if index > 0 {
                pieces.push(" && ".into());
            }
            pieces.extend(self.inline(operands[index])?);
            pieces.push(Piece::Made(format!(" {operator} ")));
            pieces.extend(self.inline(operands[index + 1])?);
        }
        pieces.push(")".into());
        Ok(pieces)
    }

    fn inline(&mut self, tokens: &[Token<'t>]) -> Translated<Vec<Piece>> {
        let mut pieces = Vec::new();
        let mut index = 0;
        while index < tokens.len() {
            let token = tokens[index];
            if token.kind == Kind::Punct && matches!(token.text, "(" | "[") {
                let Some(close) = super::scan::closing(tokens, index) else {
                    return refuse(&token, "this bracket is not closed");
                };
                push(&mut pieces, &token);
                if close > index + 1 {
                    pieces.extend(self.expression(&tokens[index + 1..close])?);
                }
                push(&mut pieces, &tokens[close]);
                index = close + 1;
                continue;
            }
            if is_quantifier(token.text) {
                let Some(close) = super::scan::closing(tokens, index + 1) else {
                    return refuse(&token, "this quantifier is not closed");
                };
                pieces.extend(self.expanded(&quantifier(&tokens[index..=close])?)?);
                index = close + 1;
                continue;
            }
            match token.text {
                "\\result" | "__CPROVER_return_value" | "__ESBMC_return_value" => match &self.result {
                    Some(name) => pieces.push(Piece::Made(format!(" {name} "))),
                    None => return refuse(&token, "there is no result here"),
                },
                "\\true" => pieces.push(" 1 ".into()),
                "\\false" => pieces.push(" 0 ".into()),
                "\\null" => pieces.push(" ((void *)0) ".into()),
                "\\old" | "__CPROVER_old" | "__ESBMC_old" | "\\at" | "__CPROVER_loop_entry" => {
                    index = self.old(tokens, index, &mut pieces)?;
                    continue;
                }
                word if is_value(word) && tokens.get(index + 1).is_some_and(|open| open.is("(")) => {
                    index = self.about_objects(tokens, index, &mut pieces)?;
                    continue;
                }
                word if word.starts_with('\\') => {
                    return refuse(&token, format!("`{word}` is not understood"));
                }
                _ if token.kind == Kind::Annotation => {}
                name => match self.values.iter().rev().find(|(variable, _)| *variable == name) {
                    Some((_, value)) => pieces.push(Piece::Made(format!(" ({value}) "))),
                    None => push(&mut pieces, &token),
                },
            }
            index += 1;
        }
        Ok(pieces)
    }

    /// `\valid(p + (0..n-1))` and the like as a value: the number of the token after it.
    fn about_objects(
        &mut self,
        tokens: &[Token<'t>],
        index: usize,
        pieces: &mut Vec<Piece>,
    ) -> Translated<usize> {
        let word = &tokens[index];
        let (Some((arguments, end)), Some(meaning)) =
            (parenthesized(tokens, index + 1), meaning(word.text).filter(|_| self.objects))
        else {
            return refuse(word, format!("`{}` must be a condition of its own here", word.text));
        };
        let mut given = Vec::new();
        for predicate in predicates(*word, meaning, arguments)? {
            let pointer = self.expression(predicate.pointer)?;
            let element = between("sizeof *(", pointer.clone(), ")", Vec::new(), "");
            let bytes = match predicate.extent {
                Extent::One => element,
                Extent::Bytes(n) => self.expression(n)?,
                Extent::Elements(n) => between("(", self.expression(n)?, ") * ", element, ""),
                Extent::UpTo(last) => between("((", self.expression(last)?, ") + 1) * ", element, ""),
            };
            given.push(between("(", pointer, "), (", bytes, ")"));
        }
        let (name, pairs) = match meaning {
            Meaning::Apart => {
                let number = given.len();
                let pairs = (0..number).flat_map(|i| (i + 1..number).map(move |j| (i, j)));
                ("__VERIFIER_craig_separated(", pairs.collect())
            }
            _ => ("__CPROVER_r_ok(", (0..given.len()).map(|i| (i, i)).collect::<Vec<_>>()),
        };
        pieces.push("(1".into());
        for (first, second) in pairs {
            pieces.extend([" && ".into(), name.into()]);
            pieces.extend(given[first].clone());
            if first != second {
                pieces.push(", ".into());
                pieces.extend(given[second].clone());
            }
            pieces.push(")".into());
        }
        pieces.push(")".into());
        Ok(end)
    }

    /// `\old(e)` or `\at(e, Pre)`: the number of the token after it.
    fn old(&mut self, tokens: &[Token<'t>], index: usize, pieces: &mut Vec<Piece>) -> Translated<usize> {
        let word = &tokens[index];
        let Some((mut inner, end)) = parenthesized(tokens, index + 1) else {
            return refuse(word, format!("`{}` needs an expression", word.text));
        };
        let mut at_entry = word.is("__CPROVER_loop_entry");
        if word.is("\\at") {
            let [e @ .., comma, label] = inner else { return refuse(word, "`\\at` needs a label") };
            match label.text {
                _ if !comma.is(",") => return refuse(word, "`\\at` needs a label"),
                "Here" | "Post" if label.is("Here") || !self.in_body => {
                    let value = self.expression(e)?;
                    pieces.extend(between("(", value, ")", Vec::new(), ""));
                    return Ok(end);
                }
                "Pre" | "Old" if label.is("Pre") || !self.in_body => {}
                "LoopEntry" => at_entry = true,
                name => return refuse(label, format!("the label `{name}` of `\\at` is not understood here")),
            }
            inner = e;
        } else if self.in_body && !at_entry {
            return refuse(word, format!("`{}` cannot stand here", word.text));
        }
        let start = inner.first().map_or(0, |token| token.start);
        if let Some(name) = inner.iter().find(|token| self.bound.iter().any(|bound| token.is(bound))) {
            let message = format!("`{}` is quantified, so that this has no one value from before", name.text);
            return refuse(name, message);
        }
        if (if at_entry { &self.entry } else { &self.old }).is_none() {
            return refuse(word, format!("`{}` cannot stand here", word.text));
        }
        let value = self.expression(inner)?;
        let prefix = if self.prefix.is_empty() { "craig_old_" } else { &self.prefix };
        let kept = if at_entry { &mut self.entry } else { &mut self.old };
        if let Some(kept) = kept {
            let name = match at_entry {
                true => format!("craig_entry_{start}_{}", kept.len()),
                false => format!("{prefix}{}", kept.len()),
            };
            pieces.push(Piece::Made(format!(" {name} ")));
            kept.push((value, name));
        }
        Ok(end)
    }

    /// All cases of a quantifier over constants.
    fn expanded(&mut self, quantifier: &Quantifier<'_, 't>) -> Translated<Vec<Piece>> {
        let [(_, variable)] = quantifier.variables[..] else {
            return refuse(&quantifier.word, "a quantifier of several variables cannot stand here");
        };
        let bounds = quantifier.range.unwrap_or(quantifier.body);
        if let Some(object) = zeroed(quantifier) {
            let object = self.expression(object)?;
            let mut pieces: Vec<Piece> = vec!["__VERIFIER_craig_zeroed(&(".into()];
            pieces.extend(object);
            pieces.push("))".into());
            return Ok(pieces);
        }
        let constants = constant_range(bounds, variable.text).filter(|(low, high)| high - low < MAX_EXPANDED);
        let Some((low, high)) = constants else { return self.looped(quantifier, bounds) };
        let (joint, empty) = if quantifier.all { (" && ", "1") } else { (" || ", "0") };
        let mut pieces: Vec<Piece> = vec!["(".into(), empty.into()];
        for value in low..=high {
            self.values.push((variable.text, value));
            pieces.extend([joint.into(), "(".into()]);
            pieces.extend(self.case(quantifier)?);
            pieces.push(")".into());
            self.values.pop();
        }
        if !quantifier.all {
            // The body alone says which numbers are meant; without any, nothing is.
            pieces[1] = "0".into();
        }
        pieces.push(")".into());
        Ok(pieces)
    }

    /// What must hold for one value of the variable.
    fn case(&mut self, quantifier: &Quantifier<'_, 't>) -> Translated<Vec<Piece>> {
        let body = self.expression(quantifier.body)?;
        Ok(match quantifier.range {
            Some(range) => between("(!(", self.expression(range)?, ") || (", body, "))"),
            None => body,
        })
    }

    /// A quantifier over a range between any two values, as a loop.
    fn looped(&mut self, quantifier: &Quantifier<'_, 't>, range: &[Token<'t>]) -> Translated<Vec<Piece>> {
        let [(ty, variable)] = quantifier.variables[..] else {
            return refuse(&quantifier.word, "a quantifier of several variables cannot stand here");
        };
        let bounds = bounds(range, variable.text);
        let Some((low, (is_strict, high))) = bounds else {
            let message =
                format!("`{}` is understood here for a range between two values", quantifier.word.text);
            return refuse(&quantifier.word, message);
        };
        let (low, after) = (self.expression(low.1)?, if low.0 { " + 1" } else { "" });
        let high = self.expression(high)?;
        self.bound.push(variable.text.to_string());
        let condition = self.case(quantifier);
        self.bound.pop();
        let condition = condition?;
        let ty = super::clause::quantified_type(ty, &variable);
        let (all, name) = (quantifier.all, variable.text);
        let comparison = if is_strict { "<" } else { "<=" };
        let mut pieces =
            vec![Piece::Made(format!("({{ _Bool craig_found = {}; for ({ty} {name} = (", u8::from(all)))];
        pieces.extend(low);
        pieces.push(Piece::Made(format!("){after}; {name} {comparison} (")));
        pieces.extend(high.clone());
        // The last number may be the largest that there is.
        pieces.push(Piece::Made(format!(
            "); {name} = ({ty})({name} + 1ull)) {{ if ({}(",
            if all { "!" } else { "" }
        )));
        pieces.extend(condition);
        pieces
            .push(Piece::Made(format!(")) {{ craig_found = {}; break; }} if ({name} == (", u8::from(!all))));
        pieces.extend(high);
        pieces.push(")) break; } craig_found; })".into());
        Ok(pieces)
    }
}

fn between(a: &str, x: Vec<Piece>, b: &str, y: Vec<Piece>, c: &str) -> Vec<Piece> {
    let mut pieces = vec![Piece::from(a)];
    pieces.extend(x);
    pieces.push(b.into());
    pieces.extend(y);
    pieces.push(c.into());
    pieces
}

/// One more token as it is; neighbours become one piece.
fn push(pieces: &mut Vec<Piece>, token: &Token<'_>) {
    match pieces.last_mut() {
        Some(Piece::From(_, end)) if *end <= token.start && token.start - *end < 80 => *end = token.end(),
        _ => pieces.push(Piece::From(token.start, token.end())),
    }
}

/// The object whose bytes are all said to be zero: `0 <= i && i < sizeof(object) ==> ((unsigned char *)&object)[i] == 0`.
/// One comparison for each scalar in it says the same.
fn zeroed<'a, 't>(quantifier: &Quantifier<'a, 't>) -> Option<&'a [Token<'t>]> {
    let [(_, variable)] = quantifier.variables[..] else { return None };
    let range = quantifier.range.filter(|range| split(unwrapped(range), "&&").len() == 2)?;
    let ((false, [low]), (true, [size, high @ ..])) = bounds(range, variable.text)? else { return None };
    let [start @ .., open, index, close, equals, zero] = unwrapped(quantifier.body) else { return None };
    let is_element =
        open.is("[") && index.is(variable.text) && close.is("]") && equals.is("==") && zero.is("0");
    let inner = unwrapped(start);
    let and = inner.iter().position(|token| token.is("&"))?;
    let (cast, object) = (&inner[..and], unwrapped(&inner[and + 1..]));
    const BYTES: &[&str] = &["const", "unsigned", "signed", "char", "uint8_t", "int8_t"];
    let is_cast = match cast {
        [open, ty @ .., star, close] => {
            open.is("(") && star.is("*") && close.is(")") && ty.iter().all(|word| BYTES.contains(&word.text))
        }
        _ => false,
    };
    let same = |a: &[Token<'_>], b: &[Token<'_>]| a.iter().map(|t| t.text).eq(b.iter().map(|t| t.text));
    let fits = low.is("0") && size.is("sizeof") && same(unwrapped(high), object);
    (quantifier.all && is_element && is_cast && fits).then_some(object)
}

/// A bound, and whether it is none of the range.
type Bound<'a, 't> = (bool, &'a [Token<'t>]);

/// The lower and the upper bound of a variable in a conjunction.
fn bounds<'a, 't>(range: &'a [Token<'t>], variable: &str) -> Option<(Bound<'a, 't>, Bound<'a, 't>)> {
    let (mut low, mut high) = (None, None);
    let mut pending = vec![unwrapped(range)];
    while let Some(range) = pending.pop() {
        let conjuncts = split(range, "&&");
        if conjuncts.len() > 1 {
            pending.extend(conjuncts.into_iter().rev().map(unwrapped));
            continue;
        }
        let mut rest = range;
        let mut operands = Vec::new();
        let mut operators = Vec::new();
        while let Some(at) = find(rest, &["<", "<=", ">", ">="]) {
            operands.push(&rest[..at]);
            operators.push(rest[at].text);
            rest = &rest[at + 1..];
        }
        operands.push(rest);
        for (pair, operator) in operands.windows(2).zip(operators) {
            let is_variable = |tokens: &[Token<'_>]| matches!(unwrapped(tokens), [one] if one.is(variable));
            let is_strict = operator.len() == 1;
            let (bound, is_lower) = match (is_variable(pair[0]), is_variable(pair[1])) {
                (true, false) => (pair[1], operator.starts_with('>')),
                (false, true) => (pair[0], operator.starts_with('<')),
                _ => continue,
            };
            let side = if is_lower { &mut low } else { &mut high };
            side.get_or_insert((is_strict, bound));
        }
    }
    Some((low?, high?))
}

/// The first and last number that a condition allows for a variable, where both are constants.
fn constant_range(tokens: &[Token<'_>], variable: &str) -> Option<(i128, i128)> {
    let ((below_low, low), (above_high, high)) = bounds(tokens, variable)?;
    let number = |tokens: &[Token<'_>]| match unwrapped(tokens) {
        [one] => one.text.parse::<i128>().ok(),
        [minus, one] if minus.is("-") => one.text.parse::<i128>().ok().map(|n| -n),
        _ => None,
    };
    Some((number(low)? + i128::from(below_low), number(high)? - i128::from(above_high)))
}

#[cfg(test)]
mod tests {
    use super::super::output::{Origin, join};
    use super::super::scan::scan;
    use super::*;

    fn translated(text: &str) -> String {
        let tokens = scan(text, 0, text.len());
        let mut translator = Translator { chains: true, old: Some(Vec::new()), ..Translator::default() };
        match translator.expression(&tokens) {
            Ok(pieces) => {
                let text = join(&Origin { text, file: "t" }, &pieces);
                let kept: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
                kept.concat().split_whitespace().collect()
            }
            Err(refusal) => format!("{}: {}", refusal.at.0, refusal.message),
        }
    }

    #[test]
    fn acsl_becomes_c() {
        assert_eq!(translated("0 <= i < n"), "(0<=i&&i<n)");
        assert_eq!(translated("a ==> b && c"), "(!(a)||(b&&c))");
        assert_eq!(translated("\\old(*p) + 1 == *p"), "craig_old_0+1==*p");
        assert_eq!(
            translated("\\forall integer i; 0 <= i < 2 ==> a[i] == 0"),
            "(1&&((!((0<=(0)&&(0)<2))||(a[(0)]==0)))&&((!((0<=(1)&&(1)<2))||(a[(1)]==0))))"
        );
        assert_eq!(
            translated("\\forall integer i; 0 <= i <= n ==> a[i]"),
            "({_Boolcraig_found=1;for(longlongi=(0);i<=(n);i=(longlong)(i+1ull)){if(!((!((0<=i&&i<=n))||(a[i]))))\
             {craig_found=0;break;}if(i==(n))break;}craig_found;})"
        );
        assert!(translated("\\exists int i; a[i]").starts_with("0: `\\exists`"));
        assert_eq!(translated("\\result > 0"), "0: there is no result here");
        assert_eq!(translated("x + \\sum(a)"), "4: `\\sum` is not understood");
    }
}
