//! Witnesses of other verifiers, put into the program that they are about.
//!
//! A correctness witness claims conditions at places: they become assertions there. A violation witness describes runs,
//! segment by segment: a run passes the waypoints with which segments end, one after another, and none of those that it
//! has to avoid on the way. A variable counts segments, and where a waypoint lies, runs that are not meant end. Both
//! make ordinary C, which is then checked like any program; what is put in stands in a file of its own ([`FILE`]),
//! whose lines are the numbers of the conditions, so that checks tell where they come from.

use crate::Text;
use crate::contract::scan::{Kind as Word, scan};
use crate::outline::{Kind, Part, outline};
use crate::source::{Sources, Span};
use std::ops::Range;

/// The file that everything is in that comes from a witness.
pub const FILE: &str = "<witness>";

/// Where something is claimed. Without a column: at the leftmost place in the line that makes sense.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: String,
    pub line: u32,
    pub column: Option<u32>,
}

/// A condition that holds whenever a place is reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invariant {
    pub place: Place,
    /// The place is a loop: it holds before the condition is evaluated, and of `do` before the body.
    pub of_loop: bool,
    pub value: String,
}

/// A place that a run passes, or avoids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waypoint {
    pub place: Place,
    pub event: Event,
    /// From 0.
    pub segment: usize,
    /// Otherwise it is avoided.
    pub follow: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The condition holds before the statement.
    Assumption(String),
    /// This way is taken: `true`, `false` or the value of a `switch`.
    Branch(String),
    /// The function is called.
    Enter,
    /// It returns, with a result for which the condition holds.
    Return(String),
    /// The violation.
    Target,
}

/// Which condition cannot be put into the program, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unplaced {
    pub number: usize,
    pub why: &'static str,
}

type Placed<T> = Result<T, &'static str>;

const ASSERT: &str = "__VERIFIER_craig_assert";
const ASSUME: &str = "__VERIFIER_craig_assume";
const SEGMENT: &str = "__craig_segment";
const RESULT: &str = "__craig_result";
const TAKEN: &str = "__craig_taken";
const PRELUDE: &str = "extern void __VERIFIER_craig_assert(_Bool, const char *); \
    extern void __VERIFIER_craig_assume(_Bool);";

/// The program with the invariants asserted.
pub fn with_invariants(units: &[Text], invariants: &[Invariant]) -> Result<Vec<Text>, Unplaced> {
    let mut editors: Vec<Editor> = units.iter().map(Editor::new).collect();
    for (number, invariant) in invariants.iter().enumerate() {
        place_invariant(&mut editors, number, invariant).map_err(|why| Unplaced { number, why })?;
    }
    Ok(editors.into_iter().map(|editor| editor.finish(PRELUDE)).collect())
}

fn place_invariant(editors: &mut [Editor], number: usize, invariant: &Invariant) -> Placed<()> {
    let value = condition(&invariant.value)?;
    let words: String = value.replace('\\', "\\\\").replace('"', "'");
    let check = format!("{ASSERT}(({value}) != 0, \"`{words}` does not hold\");");
    let (editor, part) = match invariant.of_loop {
        true => find(editors, &invariant.place, Kind::is_loop).ok_or("no loop begins there")?,
        false => find(editors, &invariant.place, stands_alone).ok_or("no statement begins there")?,
    };
    match (part.condition, part.body) {
        _ if !invariant.of_loop => editor.before(part.kind, part.range, number, &check),
        (Some(condition), _) if part.kind != Kind::DoWhile => {
            let otherwise = if condition.is_empty() { "1" } else { "" };
            editor.around(condition, number, &format!("({{ {check} }}), ({otherwise}"), ")");
        }
        (_, Some(body)) => editor.before(Kind::Statement, body, number, &check),
        _ => return Err("no loop begins there"),
    }
    Ok(())
}

/// The program whose runs pass the waypoints, in the order of their segments, until the target of the last one.
pub fn with_waypoints(units: &[Text], waypoints: &[Waypoint]) -> Result<Vec<Text>, Unplaced> {
    let mut editors: Vec<Editor> = units.iter().map(Editor::new).collect();
    // At one place, later segments come first: who passes the end of one segment there is not yet in the next. Of one
    // segment, what is avoided comes before what ends it.
    let mut order: Vec<(usize, &Waypoint)> = waypoints.iter().enumerate().collect();
    order.sort_by_key(|(_, waypoint)| {
        (waypoint.event == Event::Target, std::cmp::Reverse(waypoint.segment), waypoint.follow)
    });
    for (number, waypoint) in order {
        place_waypoint(&mut editors, number, waypoint).map_err(|why| Unplaced { number, why })?;
    }
    let own = |unit: usize| if unit == 0 { "" } else { "extern " };
    let finish =
        |(unit, editor): (usize, Editor)| editor.finish(&format!("{PRELUDE} {}int {SEGMENT};", own(unit)));
    Ok(editors.into_iter().enumerate().map(finish).collect())
}

fn place_waypoint(editors: &mut [Editor], number: usize, waypoint: &Waypoint) -> Placed<()> {
    let is_branch =
        |kind: Kind| kind.is_loop() || matches!(kind, Kind::If | Kind::Switch | Kind::Conditional);
    match &waypoint.event {
        Event::Assumption(value) => {
            let advance = advance(waypoint, &condition(value)?);
            let (editor, part) =
                find(editors, &waypoint.place, stands_alone).ok_or("no statement begins there")?;
            editor.before(part.kind, part.range, number, &advance);
        }
        Event::Target => {
            let there = format!("{ASSUME}({SEGMENT} == {});", waypoint.segment);
            let around = |editor: &mut Editor<'_>| editor.around_place(&waypoint.place);
            let mut editors = editors.iter_mut();
            let found = editors.find_map(|editor| around(editor).map(|part| (editor, part)));
            let (editor, part) = found.ok_or("there is no statement")?;
            editor.before(part.kind, part.range, number, &there);
        }
        Event::Branch(value) => {
            let (editor, part) = find(editors, &waypoint.place, is_branch).ok_or("nothing branches there")?;
            let (ty, convert, passed) = match (part.kind, value.as_str()) {
                (Kind::Switch, "default") => ("__auto_type", "", editor.no_case(&part)),
                (Kind::Switch, value) => {
                    let number: i128 = value.parse().map_err(|_| "the way of a `switch` is no number")?;
                    ("__auto_type", "", format!("{TAKEN} == {number}"))
                }
                (_, "true") => ("int", "!!", TAKEN.to_string()),
                (_, "false") => ("int", "!!", format!("!{TAKEN}")),
                _ => return Err("the way is neither `true` nor `false`"),
            };
            let condition = part.condition.ok_or("nothing branches there")?;
            let otherwise = if condition.is_empty() { "1" } else { "" };
            let open = format!("({{ {ty} {TAKEN} = {convert}({otherwise}");
            editor.after(
                condition,
                number,
                &open,
                &format!("); {} {TAKEN}; }})", advance(waypoint, &passed)),
            );
        }
        Event::Enter => {
            let (editor, part) = call(editors, &waypoint.place)?;
            let open = format!("(({{ {} 0; }}), ", advance(waypoint, "1"));
            editor.around(part.range, number, &open, ")");
        }
        Event::Return(value) => {
            let value = condition(value)?;
            let (editor, part) = call(editors, &waypoint.place)?;
            if !value.contains("\\result") && editor.is_statement(&part) {
                let close = format!("; {} }})", advance(waypoint, &value));
                editor.after(part.range, number, "({ ", &close);
            } else {
                let advance = advance(waypoint, &value.replace("\\result", RESULT));
                let open = format!("({{ __auto_type {RESULT} = ");
                editor.after(part.range, number, &open, &format!("; {advance} {RESULT}; }})"));
            }
        }
    }
    Ok(())
}

fn call<'a, 'e>(editors: &'a mut [Editor<'e>], place: &Place) -> Placed<(&'a mut Editor<'e>, Part)> {
    find(editors, place, |kind| kind == Kind::Call).ok_or("no call ends there")
}

/// Ends the run if the waypoint is not passed as it should be, and goes on to the next segment if it is.
fn advance(waypoint: &Waypoint, passed: &str) -> String {
    let segment = waypoint.segment;
    match waypoint.follow {
        true => format!(
            "if ({SEGMENT} == {segment}) {{ {ASSUME}(({passed}) != 0); {SEGMENT} = {}; }}",
            segment + 1
        ),
        false => format!("if ({SEGMENT} == {segment}) {ASSUME}(!({passed}));"),
    }
}

/// A condition as text that cannot be anything else: one expression, without effects.
fn condition(value: &str) -> Placed<String> {
    const EFFECTS: &[&str] = &[
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--", ";", "{", "}", "#",
        ",",
    ];
    const WITHOUT_EFFECT: &[&str] = &["sizeof", "_Alignof", "__alignof__"];
    let tokens = scan(value, 0, value.len());
    let mut open = Vec::new();
    let mut before = None;
    for token in &tokens {
        match token.text {
            text if EFFECTS.contains(&text) => return Err("the condition is no expression without effects"),
            "(" if before.is_some_and(|name| !WITHOUT_EFFECT.contains(&name)) => {
                return Err("the condition calls a function");
            }
            "(" => open.push(")"),
            "[" => open.push("]"),
            ")" | "]" if open.pop() != Some(token.text) => return Err("the condition is no expression"),
            _ => {}
        }
        before = (token.kind == Word::Name).then_some(token.text);
    }
    if tokens.is_empty() || !open.is_empty() || tokens.iter().any(|token| token.kind == Word::Annotation) {
        return Err("the condition is no expression");
    }
    let words: Vec<&str> = tokens.iter().map(|token| token.text).collect();
    Ok(words.join(" "))
}

fn stands_alone(kind: Kind) -> bool {
    kind.is_statement() || kind == Kind::Declaration
}

/// The part of the kind at the place, and who edits its unit.
fn find<'a, 'e>(
    editors: &'a mut [Editor<'e>],
    place: &Place,
    suits: impl Fn(Kind) -> bool,
) -> Option<(&'a mut Editor<'e>, Part)> {
    let mut best: Option<(u32, usize, Part)> = None;
    for (unit, editor) in editors.iter().enumerate() {
        for part in editor.parts.iter().filter(|part| suits(part.kind)) {
            let found = editor.locate(part.at);
            let is_there = found.line == place.line
                && base_name(&found.file) == base_name(&place.file)
                && place.column.is_none_or(|column| column == found.column);
            if is_there && best.as_ref().is_none_or(|(column, ..)| found.column < *column) {
                best = Some((found.column, unit, part.clone()));
            }
        }
    }
    best.map(|(_, unit, part)| (&mut editors[unit], part))
}

/// The same file may be known by another path.
fn base_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// What stands where in a program, for those who write witnesses or look for their places.
pub struct Map<'t> {
    editors: Vec<Editor<'t>>,
}

impl<'t> Map<'t> {
    /// Call it on a deep stack ([`crate::with_deep_stack`]).
    pub fn new(units: &'t [Text]) -> Self {
        Map { editors: units.iter().map(Editor::new).collect() }
    }

    /// Where the call that begins at a place ends: at its closing parenthesis.
    pub fn end_of_call(&self, place: &Place) -> Option<Place> {
        self.parts(|kind| kind == Kind::Call)
            .find(|(editor, part)| editor.place(part.range.start) == *place)
            .map(|(editor, part)| editor.place(part.at))
    }

    /// Whether a loop, or another statement, begins at a place.
    pub fn begins_loop(&self, place: &Place) -> Option<bool> {
        let mut there =
            self.parts(stands_alone).filter(|(editor, part)| editor.place(part.at) == *place).peekable();
        there.peek()?;
        Some(there.any(|(_, part)| part.kind.is_loop()))
    }

    /// Where the loop that begins at a place does, and where its body begins.
    pub fn head_of_loop(&self, place: &Place) -> Option<(Place, Place)> {
        let (editor, part) =
            self.parts(Kind::is_loop).find(|(editor, part)| editor.place(part.at) == *place)?;
        Some((editor.place(part.range.start), editor.place(part.body.as_ref()?.start)))
    }

    /// The first and the last place of the smallest statement around a place; of one that branches, of its head.
    pub fn statement_around(&self, place: &Place) -> Option<(Place, Place)> {
        let editors = self.editors.iter();
        let around = editors.filter_map(|editor| Some((editor, editor.around_place(place)?)));
        let (editor, part) = around.min_by_key(|(_, part)| part.range.len())?;
        let end = match (part.kind, &part.condition) {
            (Kind::If | Kind::While | Kind::For | Kind::Switch, Some(condition)) => condition.end,
            _ => part.range.end,
        };
        Some((editor.place(part.range.start), editor.place(end)))
    }

    fn parts(&self, suits: impl Fn(Kind) -> bool + Copy) -> impl Iterator<Item = (&Editor<'t>, &Part)> {
        let all = self.editors.iter().flat_map(|editor| editor.parts.iter().map(move |part| (editor, part)));
        all.filter(move |(_, part)| suits(part.kind))
    }
}

/// Puts text into a unit.
struct Editor<'t> {
    path: &'t str,
    text: &'t [u8],
    sources: Sources,
    parts: Vec<Part>,
    /// Where, and in which order where several begin or end.
    insertions: Vec<((usize, bool, isize, isize), String)>,
}

impl<'t> Editor<'t> {
    fn new((path, text): &'t Text) -> Self {
        let mut sources = Sources::new();
        let known = sources.add(path, text.clone()).is_some();
        let parts = if known { outline(text).parts } else { Vec::new() };
        Editor { path, text, sources, parts, insertions: Vec::new() }
    }

    fn locate(&self, at: usize) -> crate::source::Location {
        let at = at as u32 + 1;
        self.sources.locate(Span::new(at, at))
    }

    fn place(&self, at: usize) -> Place {
        let found = self.locate(at);
        Place { file: found.file, line: found.line, column: Some(found.column) }
    }

    /// The smallest statement around a place; without a column, the first that begins on the line.
    fn around_place(&self, place: &Place) -> Option<Part> {
        let own = |part: &&Part| {
            let (start, end) = (self.locate(part.range.start), self.locate(part.range.end));
            let (start, end) = ((start.line, start.column), (end.line, end.column));
            let is_there = match place.column {
                Some(column) => start <= (place.line, column) && (place.line, column) < end,
                None => start.0 == place.line,
            };
            is_there && stands_alone(part.kind)
        };
        let first = self.parts.iter().filter(own);
        let is_here = |part: &Part| base_name(&self.locate(part.range.start).file) == base_name(&place.file);
        let mut first = first.filter(|part| is_here(part));
        match place.column {
            Some(_) => first.min_by_key(|part| part.range.len()).cloned(),
            None => first.next().cloned(),
        }
    }

    /// Whether a call is a statement by itself.
    fn is_statement(&self, call: &Part) -> bool {
        self.parts.iter().any(|part| {
            part.kind == Kind::Statement && part.range.start == call.range.start && {
                let rest = &self.text[call.range.end..part.range.end];
                rest.trim_ascii() == b";"
            }
        })
    }

    /// That what is taken is none of the constants of a `switch`.
    fn no_case(&self, switch: &Part) -> String {
        let text = |range: &Range<usize>| String::from_utf8_lossy(&self.text[range.clone()]).into_owned();
        let cases = switch.cases.iter().map(|(low, high)| match low == high {
            true => format!("{TAKEN} == ({})", text(low)),
            false => format!("(({}) <= {TAKEN} && {TAKEN} <= ({}))", text(low), text(high)),
        });
        let any: Vec<String> = cases.chain(["0".to_string()]).collect();
        format!("!({})", any.join(" || "))
    }

    /// Puts statements before a statement or declaration.
    fn before(&mut self, kind: Kind, range: Range<usize>, number: usize, code: &str) {
        match kind {
            Kind::Declaration => self.around(range, number, code, ""),
            _ => self.around(range, number, &format!("{{ {code}"), "}"),
        }
    }

    /// Puts code around a part; what was put around it before stays outside.
    fn around(&mut self, range: Range<usize>, number: usize, open: &str, close: &str) {
        let order = self.insertions.len() as isize;
        self.around_in_order(range, number, open, close, order);
    }

    /// As `around`; what was put around it before stays inside.
    fn after(&mut self, range: Range<usize>, number: usize, open: &str, close: &str) {
        let order = -(self.insertions.len() as isize);
        self.around_in_order(range, number, open, close, order);
    }

    fn around_in_order(&mut self, range: Range<usize>, number: usize, open: &str, close: &str, order: isize) {
        let length = range.len() as isize;
        // At one place, what ends comes before what begins; outer parts begin first and end last.
        let from_witness = |at: usize, code: &str| {
            let there = self.locate(at);
            let file = there.file.replace(['"', '\\', '\n'], "_");
            let blanks = " ".repeat(there.column as usize - 1);
            format!("\n# {} \"{FILE}\"\n{code}\n# {} \"{file}\"\n{blanks}", number + 1, there.line)
        };
        if range.is_empty() {
            let is_first =
                !self.insertions.iter().any(|((at, _, length, _), _)| (*at, *length) == (range.start, 0));
            let separator = if is_first { "" } else { ", " };
            let code = from_witness(range.start, &format!("{separator}{open}{close}"));
            return self.insertions.push(((range.start, true, 0, self.insertions.len() as isize), code));
        }
        let (open, close) = (from_witness(range.start, open), from_witness(range.end, close));
        self.insertions.push(((range.start, true, -length, order), open));
        self.insertions.push(((range.end, false, length, -order), close));
    }

    fn finish(mut self, prelude: &str) -> Text {
        if self.insertions.is_empty() {
            return (self.path.to_string(), self.text.to_vec());
        }
        self.insertions.sort_by_key(|(key, _)| *key);
        let first = self.locate(0);
        let mut text =
            format!("# 1 \"{FILE}\"\n{prelude}\n# {} \"{}\"\n", first.line, first.file).into_bytes();
        let mut position = 0;
        for ((at, ..), inserted) in &self.insertions {
            text.extend_from_slice(&self.text[position..*at]);
            text.extend_from_slice(inserted.as_bytes());
            position = *at;
        }
        text.extend_from_slice(&self.text[position..]);
        (self.path.to_string(), text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(line: u32, column: Option<u32>) -> Place {
        Place { file: "elsewhere/a.c".to_string(), line, column }
    }

    /// The text without line markers and superfluous blanks.
    fn plain(units: &[Text]) -> String {
        let text = String::from_utf8_lossy(&units[0].1).into_owned();
        let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
        lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
    }

    fn unit(text: &str) -> Vec<Text> {
        vec![("a.c".to_string(), text.as_bytes().to_vec())]
    }

    #[test]
    fn invariants_are_asserted_where_they_hold() {
        let text = unit("int f(int x) {\n  while (x) x--;\n  do x++; while (x < 3);\n  return x; }");
        let at =
            |line, column, of_loop| Invariant { place: place(line, column), of_loop, value: "x>=0".into() };
        let check = "__VERIFIER_craig_assert((x >= 0) != 0, \"`x >= 0` does not hold\");";
        let changed = |invariant| with_invariants(&text, &[invariant]).map(|units| plain(&units));
        let expected = format!("int f(int x) {{ while ( ({{ {check} }}), ( x ) ) x--;");
        assert!(changed(at(2, Some(3), true)).is_ok_and(|text| text.starts_with(&expected)));
        let expected = format!("do {{ {check} x++; }} while (x < 3); return x; }}");
        assert!(changed(at(3, None, true)).is_ok_and(|text| text.ends_with(&expected)));
        let expected = format!("{{ {check} return x; }} }}");
        assert!(changed(at(4, None, false)).is_ok_and(|text| text.ends_with(&expected)));
        assert!(changed(at(4, None, true)).is_err());
        assert!(changed(at(2, Some(4), true)).is_err());
    }

    #[test]
    fn a_condition_is_nothing_but_a_condition() {
        for value in ["x == 1", "(long)a[i] + 1 <= sizeof(int) && *p", "s->x != 'a'"] {
            assert!(condition(value).is_ok(), "{value}");
        }
        for value in ["", "1); abort(", "x = 1", "f(x)", "x++", "(x", "x]", "1; abort()", "({ 1 })", "1, 2"] {
            assert!(condition(value).is_err(), "{value}");
        }
    }

    #[test]
    fn waypoints_end_runs_that_are_not_meant() {
        let text = unit("int g(void);\nint main(void) {\n  if (g() > 1)\n    g();\n}");
        let waypoint =
            |line, event, segment| Waypoint { place: place(line, None), event, segment, follow: true };
        let waypoints = [
            waypoint(3, Event::Return("\\result == 5".into()), 0),
            waypoint(3, Event::Branch("true".into()), 1),
            waypoint(4, Event::Target, 2),
        ];
        let changed = plain(&with_waypoints(&text, &waypoints).expect("places"));
        let expected = "if ( ({ int __craig_taken = !!( ({ __auto_type __craig_result = g() ; \
            if (__craig_segment == 0) { __VERIFIER_craig_assume((__craig_result == 5) != 0); __craig_segment = 1; } \
            __craig_result; }) > 1 ); if (__craig_segment == 1) { \
            __VERIFIER_craig_assume((__craig_taken) != 0); __craig_segment = 2; } __craig_taken; }) ) \
            { __VERIFIER_craig_assume(__craig_segment == 2); g(); } }";
        assert!(changed.ends_with(expected), "{changed}");
    }
}
