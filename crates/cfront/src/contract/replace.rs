//! Functions whose contract stands for their body: a call checks what is required, gives what may be assigned any
//! value, and promises what is ensured.

use std::fmt::Write;
use std::path::Path;

use super::annotate::{self, check_parts};
use super::assigns::{Target, targets};
use super::clause::{Meaning, Part, parts, refuse};
use super::output::{Origin, join};
use super::scan::{Token, closing, find, parenthesized, scan, split};
use super::translate::Translator;
use super::{Contract, Refused, behaviour, predicate};
use crate::Text;
use crate::check::IS_ARRAY;
use crate::dialect::EVERYTHING;

/// In front of the name of the body that is not used.
const ORIGINAL: &str = "craig_original_";

/// Replaces the definition or declaration of a function in the units.
pub fn replaced(
    units: &mut [Text],
    function: &str,
    contract: &Contract,
    texts: &[(String, String)],
) -> Result<(), Refused> {
    if contract.is_empty() {
        return Err(Refused::Function(format!("'{function}' has no contract that could replace it")));
    }
    // A definition is what counts; without one, a declaration.
    for defined in [true, false] {
        for (_, text) in units.iter_mut() {
            let Ok(shown) = std::str::from_utf8(text) else { continue };
            let Some(head) = head(shown, function, defined) else { continue };
            let body = body(function, &head, contract, texts)?;
            let mut replaced = String::new();
            replaced.push_str(&shown[..head.name.0]);
            if defined {
                // The rest of the file keeps its places: only the name changes.
                let _ = write!(replaced, "{ORIGINAL}{}", &shown[head.name.0..head.end]);
                let _ = write!(replaced, ";\n{} {function}({}) {body}\n", head.before, head.parameters);
                let (file, line, column) = Origin { text: shown, file: "" }.locate(head.name.0);
                let _ = write!(
                    replaced,
                    "# {line} \"{file}\"\n{:width$}",
                    "",
                    width = column - 1 - head.before.len().min(column - 1)
                );
                let _ = write!(replaced, "{} {ORIGINAL}{}", head.before, &shown[head.name.0..]);
            } else {
                let _ = write!(replaced, "{function}({}) {body}", head.parameters);
                replaced.push_str(&shown[head.end..]);
            }
            *text = replaced.into_bytes();
            return Ok(());
        }
    }
    Err(Refused::Function(format!("there is no function '{function}' to replace")))
}

/// Takes the bodies of a function (`NAME` or `FILE:NAME`) out of the units; false if there are none.
pub fn remove(units: &mut [Text], function: &str) -> bool {
    let (file, name) = function.rsplit_once(':').map_or((None, function), |(file, name)| (Some(file), name));
    let mut found = false;
    for (path, text) in units.iter_mut() {
        let Ok(shown) = std::str::from_utf8(text) else { continue };
        let Some(head) = head(shown, name, true) else { continue };
        let (place, ..) = Origin { text: shown, file: path }.locate(head.name.0);
        if file.is_some_and(|file| !Path::new(&place).ends_with(file)) {
            continue;
        }
        let rest = scan(shown, head.end, shown.len());
        let body =
            rest.iter().position(|token| token.is("{")).and_then(|open| Some((open, closing(&rest, open)?)));
        let Some((open, close)) = body else { continue };
        // The rest of the file keeps its places.
        let (from, to) = (rest[open].start, rest[close].end());
        let lines = "\n".repeat(shown[from..to].matches('\n').count());
        *text = format!("{};{lines}{}", &shown[..from], &shown[to..]).into_bytes();
        found = true;
    }
    found
}

/// The names of the parameters and the body of a function that the text defines.
pub fn definition<'t>(text: &'t str, function: &str) -> Option<(Vec<String>, &'t str)> {
    let head = head(text, function, true)?;
    let rest = scan(text, head.end, text.len());
    let close = closing(&rest, 0).filter(|_| rest[0].is("{"))?;
    Some((head.names, &text[rest[0].start..rest[close].end()]))
}

/// The type and the parameters of a function that the text declares.
pub fn declaration(text: &str, function: &str) -> Option<(String, String)> {
    let head = head(text, function, false)?;
    let words = head.before.split_whitespace().filter(|word| *word != "extern");
    Some((words.collect::<Vec<_>>().join(" "), head.parameters))
}

/// Where a function is declared.
struct Head {
    /// Specifiers and pointers before the name.
    before: String,
    name: (usize, usize),
    parameters: String,
    names: Vec<String>,
    /// After the parameters; for a declaration, after its semicolon.
    end: usize,
}

fn head(text: &str, function: &str, defined: bool) -> Option<Head> {
    let tokens = scan(text, 0, text.len());
    let mut start = 0;
    let mut index = 0;
    while index < tokens.len() {
        let token = &tokens[index];
        if token.is("{") {
            index = closing(&tokens, index)? + 1;
            start = index;
            continue;
        }
        if token.is(";") {
            start = index + 1;
        }
        if token.is(function)
            && let Some((inner, end)) = parenthesized(&tokens, index + 1)
            && let Some(follows) = find_end(&tokens, end)
            && tokens[follows].is("{") == defined
        {
            let before: Vec<&str> = tokens[start..index]
                .iter()
                .filter(|t| t.kind != super::scan::Kind::Annotation)
                .map(|t| t.text)
                .collect();
            let names = split(inner, ",").into_iter().filter_map(|p| name_of(p)).collect();
            return Some(Head {
                before: before.join(" "),
                name: (token.start, token.end()),
                parameters: text[tokens[index + 1].end()..tokens[end - 1].start].to_string(),
                names,
                end: if defined { tokens[end - 1].end() } else { tokens[follows].end() },
            });
        }
        index += 1;
    }
    None
}

fn find_end(tokens: &[Token<'_>], from: usize) -> Option<usize> {
    tokens[from..].iter().position(|t| t.is("{") || t.is(";")).map(|n| n + from)
}

/// The name that a parameter declares: the last one outside of brackets.
fn name_of(param: &[Token<'_>]) -> Option<String> {
    let end = find(param, &["["]).unwrap_or(param.len());
    let name = param[..end].iter().rev().find(|t| t.kind == super::scan::Kind::Name)?;
    (!name.is("void")).then(|| name.text.to_string())
}

fn body(
    function: &str,
    head: &Head,
    contract: &Contract,
    texts: &[(String, String)],
) -> Result<String, Refused> {
    let mut out = format!("{{ {}", annotate::PRELUDE);
    let shown = |unit: usize, pieces: &[super::output::Piece]| {
        let (file, text) = &texts[unit];
        join(&Origin { text, file }, pieces) + "\n"
    };
    let declared = behaviour::declared(contract, texts, |clause, pieces| shown(clause.unit, pieces));
    out.push_str(&declared.map_err(|(clause, refusal)| Refused::Clause(clause, refusal))?);
    for clause in &contract.requires {
        let text = &texts[clause.unit].1;
        let tokens = scan(text, clause.start, clause.end);
        let mut translator = Translator { chains: clause.chains, objects: true, ..Translator::default() };
        let said = format!("'{function}' is called without `{}`", annotate::words(text, &tokens));
        let pieces = annotate::checked_parts(&tokens)
            .and_then(|mut parts| {
                parts.iter_mut().for_each(only_valid);
                check_parts(&mut translator, &parts, &said)
            })
            .map_err(|refusal| Refused::Clause(*clause, refusal))?;
        let _ = writeln!(out, "{}{{ {}}}", behaviour::guard(clause), shown(clause.unit, &pieces));
    }
    // Old values first, then what is assigned.
    let result_type: String = head
        .before
        .split_whitespace()
        .filter(|word| !matches!(*word, "static" | "extern" | "inline" | "__inline" | "__inline__"))
        .collect::<Vec<_>>()
        .join(" ");
    let is_void = result_type == "void";
    let mut translator = Translator {
        result: (!is_void).then(|| "craig_result".to_string()),
        old: Some(Vec::new()),
        ..Translator::default()
    };
    let mut promises = String::new();
    let mut old = String::new();
    for clause in &contract.ensures {
        let tokens = scan(&texts[clause.unit].1, clause.start, clause.end);
        translator.chains = clause.chains;
        let known = translator.old.as_ref().map_or(0, Vec::len);
        for part in parts(&tokens).map_err(|refusal| Refused::Clause(*clause, refusal))? {
            let Part::Plain(tokens) = part else {
                let refusal = refuse::<()>(
                    &tokens[0],
                    "this promise is not understood where a contract stands for a body",
                );
                return Err(Refused::Clause(*clause, refusal.err().unwrap_or_else(|| unreachable!())));
            };
            let refused = |refusal| Refused::Clause(*clause, refusal);
            if let Some(name) = predicate::hidden(tokens, texts) {
                let message = format!("`{}` asks something of objects where none are made", name.text);
                return refuse(&name, message).map_err(refused);
            }
            let pieces = translator.expression(tokens).map_err(refused)?;
            let promise = behaviour::guarded(clause, &shown(clause.unit, &pieces));
            let _ = writeln!(promises, "__VERIFIER_craig_assume({promise});");
        }
        for (value, name) in translator.old.iter().flatten().skip(known) {
            let value = shown(clause.unit, value);
            old.push_str(&behaviour::kept(clause, &value, name));
        }
    }
    out.push_str(&old);
    let mut number = 0;
    // Where they are is said in terms of the values before any is assigned.
    let mut assignments = String::new();
    let everything = format!("{EVERYTHING}({});\n", head.names.join(", "));
    let assigned_by = contract.assigned().0;
    if assigned_by.is_empty() {
        assignments.push_str(&everything);
    }
    for clause in &assigned_by {
        let tokens = scan(&texts[clause.unit].1, clause.start, clause.end);
        let targets = targets(&tokens).map_err(|refusal| Refused::Clause(*clause, refusal))?;
        for (condition, target) in targets {
            number += 1;
            let mut translator = Translator { chains: clause.chains, ..Translator::default() };
            let mut guard = behaviour::guard(clause);
            if let Some(condition) = condition {
                let condition = translator.expression(condition);
                let condition = condition.map_err(|refusal| Refused::Clause(*clause, refusal))?;
                let _ = write!(guard, "if (craig_if_{number}) ");
                let condition = shown(clause.unit, &condition);
                let _ = writeln!(out, "_Bool craig_if_{number} = ({condition});");
            }
            if matches!(target, Target::Everything) {
                assignments.push_str(&everything);
                continue;
            }
            let (place, code) =
                assigned(&mut translator, &target, &tokens, number, |pieces| shown(clause.unit, pieces))
                    .map_err(|refusal| Refused::Clause(*clause, refusal))?;
            out.push_str(&place);
            assignments += &guard;
            assignments += &code;
        }
    }
    out.push_str(&assignments);
    if !is_void {
        let _ = writeln!(
            out,
            "extern {result_type} __VERIFIER_nondet_craig_{function}(void); {result_type} craig_result = __VERIFIER_nondet_craig_{function}();"
        );
    }
    out.push_str(&promises);
    out.push_str(if is_void { "}" } else { "return craig_result; }" });
    Ok(out)
}

/// That an object is there can be checked; that nothing else points to it is for whoever makes the call.
fn only_valid(part: &mut Part<'_, '_>) {
    match part {
        Part::Object(predicate) if predicate.meaning == Meaning::Fresh => predicate.meaning = Meaning::Valid,
        Part::Guarded { parts, .. } => parts.iter_mut().for_each(only_valid),
        _ => {}
    }
}

/// What says where the target is, and what gives it any value.
fn assigned<'t>(
    translator: &mut Translator<'t>,
    target: &Target<'_, 't>,
    clause: &[Token<'t>],
    number: usize,
    shown: impl Fn(&[super::output::Piece]) -> String,
) -> super::clause::Translated<(String, String)> {
    let any = format!("__VERIFIER_nondet_craig_assigned_{number}");
    // So many bytes from a pointer on.
    let bytes = |pointer: &str, count: &str| {
        let (at, n) = (format!("craig_at_{number}"), format!("craig_n_{number}"));
        let place =
            format!("__typeof__(&({pointer})[0]) {at} = {pointer}; __typeof__(sizeof 0) {n} = {count};\n");
        (place, format!("__VERIFIER_nondet_memory((void *){at}, {n});\n"))
    };
    match target {
        Target::Bytes { pointer, bytes: count } => {
            let pointer = shown(&translator.expression(pointer)?);
            let count = shown(&translator.expression(count)?);
            Ok(bytes(&pointer, &count))
        }
        Target::Elements { array, first, last } => {
            let array = shown(&translator.expression(array)?);
            let first = shown(&translator.expression(first)?);
            let last = shown(&translator.expression(last)?);
            let elements = format!("(({last}) - ({first}) + 1)");
            Ok(bytes(
                &format!("&({array})[{first}]"),
                &format!("({elements} > 0 ? {elements} : 0) * sizeof ({array})[0]"),
            ))
        }
        Target::Object { pointer, whole } => {
            let pointer = shown(&translator.expression(pointer)?);
            let (size, offset) =
                (format!("__CPROVER_OBJECT_SIZE({pointer})"), format!("__CPROVER_POINTER_OFFSET({pointer})"));
            Ok(match whole {
                true => {
                    let start = format!("(__typeof__(&({pointer})[0]))((char *)({pointer}) - {offset})");
                    bytes(&start, &size)
                }
                false => bytes(&pointer, &format!("{size} - {offset}")),
            })
        }
        Target::Everything => refuse(&clause[0], "everything is no place"),
        Target::Place(place) => {
            let text = shown(&translator.expression(place)?);
            // What has a name stays where it is.
            let (before, text) = match place {
                [_] => (String::new(), text),
                _ => {
                    let at = format!("craig_at_{number}");
                    (format!("__typeof__({text}) *{at} = &({text});\n"), format!("(*{at})"))
                }
            };
            let is_array = format!("{IS_ARRAY}({text})");
            let code = format!(
                "{{ extern __typeof__(__builtin_choose_expr({is_array}, 0, {text})) {any}(void); \
                 __builtin_choose_expr({is_array}, __VERIFIER_nondet_memory((void *)&{text}, sizeof {text}), {text} = {any}()); }}\n"
            );
            Ok((before, code))
        }
    }
}
