//! What to try when there is no answer.

use crate::check::{Report, Verdict};
use crate::report::Event;
use craig_base::StopReason;
use craig_engines::Reason;
use craig_program::CheckKind;
use std::time::Duration;

/// What a search gets where it is not said how much.
const USUAL: Duration = Duration::from_secs(50);

/// More advice than this is no advice.
const MOST: usize = 2;

impl Report {
    /// The most useful next steps where something is not decided; nothing where all is.
    pub fn next_steps(&self) -> Vec<String> {
        let open: Vec<_> =
            self.checks.iter().filter(|check| matches!(check.verdict, Verdict::Unknown(_))).collect();
        let reason = match &self.verdict {
            // Who has stopped the search knows why.
            Verdict::Unknown(Reason::Stopped(StopReason::Cancelled)) => return Vec::new(),
            Verdict::Unknown(reason) => reason,
            _ => match open.first().map(|check| &check.verdict) {
                Some(Verdict::Unknown(reason)) => reason,
                _ => return self.precondition().into_iter().collect(),
            },
        };
        let mut steps: Vec<String> = self.precondition().into_iter().collect();
        match reason {
            Reason::AnotherFailed => {
                steps.push("mend what fails: what is open then gets the time that is left".to_string());
                if let Some(check) = open.first() {
                    let kind = check.kind.name();
                    steps.push(format!("ask about the open checks alone, such as with `--check {kind}`"));
                }
            }
            Reason::Stopped(StopReason::Timeout) => {
                steps.extend(self.apart());
                // Many checks together are harder than one kind alone.
                let kinds: std::collections::BTreeSet<_> = open.iter().map(|check| check.kind).collect();
                if let (true, Some(check)) = (kinds.len() > 1, open.first()) {
                    let kind = check.kind.name();
                    steps.push(format!("ask for one kind of checks at a time, such as `--check {kind}`"));
                }
                let more = format!(
                    "give more time: `--timeout {}s` (it stopped after {:.0} s)",
                    (self.time.as_secs().max(1) * 5).next_multiple_of(10),
                    self.time.as_secs_f64()
                );
                // Who gave the usual time wants to know something else first.
                let is_short = self.time < USUAL;
                steps.extend(is_short.then(|| more.clone()));
                steps.extend(self.invariant());
                steps.extend((!is_short).then_some(more));
                steps.push(
                    "start nearer to the question with `--entry FUNCTION`, which takes arbitrary arguments"
                        .to_string(),
                );
            }
            Reason::Stopped(StopReason::Memory) => {
                steps.push("give more memory: `--memory 8G`".to_string());
                steps.push("start nearer to the question with `--entry FUNCTION`".to_string());
            }
            // Runs know what is reached through memory, formulas do not.
            Reason::NotReplayed(_)
                if open.iter().all(|check| check.kind == CheckKind::Leak) && !open.is_empty() =>
            {
                steps.push(
                    "ask whether all memory is freed, by `--check cleanup`: what only other memory points to is not told \
                     from what is lost"
                        .to_string(),
                );
            }
            Reason::NotReplayed(what) => {
                steps.push(format!("say what it does in a model, with `--model FILE`: {what}"));
            }
            Reason::NotInlined(_) => {
                steps.push(
                    "bound the recursion, or state what the function does in a model, with `--model FILE`"
                        .to_string(),
                );
                steps.push(
                    "let engines that keep calls try alone: `--engine whale` or `--engine dash`".to_string(),
                );
            }
            Reason::Undefined(_) => {
                steps.push("ask about that first: leave out `--check`, or give it `memory` too".to_string());
            }
            Reason::Rejected(_) | Reason::Internal(_) => {
                steps.push("this is a defect of Craig: please report it with the program".to_string());
            }
            _ => {
                steps.extend(self.apart());
                steps.extend(self.invariant());
                steps.push(
                    "let another engine try: `craig engines` lists them, `--engine NAME` chooses".to_string(),
                );
                steps.push("give more time: `--timeout 300s`".to_string());
            }
        }
        steps.truncate(MOST);
        steps
    }

    /// Where a write through one argument may change what another one points to.
    fn apart(&self) -> Option<String> {
        self.arguments_share.then(|| {
            "if no other argument points into an object, say `fresh(p, n)` of it instead of `valid(p, n)`: most callers keep to \
             that, and proofs are much easier"
                .to_string()
        })
    }

    /// For a check in a loop: how to say what holds there.
    fn invariant(&self) -> Option<String> {
        let at = self.open_loop.as_ref()?;
        let place = format!("{}:{}", at.file, at.line);
        Some(format!(
            "say what holds in the loop at {place}, by `//@ loop invariant i <= n;` before it, with your own condition: it is \
             checked, and helps from then on"
        ))
    }

    /// For a function that fails with arguments which no caller may ever give it: how to say so.
    fn precondition(&self) -> Option<String> {
        let first = self.trace.iter().find_map(|step| match &step.event {
            Event::Call { function, arguments } => Some((step, function, arguments)),
            _ => None,
        });
        // The call of a function under test stands at the function itself.
        let (_, function, arguments) =
            first.filter(|(step, function, _)| step.location.function.as_ref() == Some(*function))?;
        let (name, value) = arguments.iter().find(|(_, value)| value == "NULL").or(arguments.first())?;
        let failed = self.trace.last().map(|step| step.event.to_string()).unwrap_or_default();
        let example = match value.as_str() {
            "NULL" if failed.contains("`str") => format!("string({name})"),
            "NULL" => format!("valid({name})"),
            // What is given there is what was asked for.
            value if value.starts_with('&') => return None,
            _ => format!("{name} > 0"),
        };
        Some(format!(
            "if callers of `{function}` see to more, say so with `--requires`, such as `--requires '{example}'`"
        ))
    }
}
