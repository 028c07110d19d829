//! What is shown of a run: its inputs, its last steps, and loops as one round and the number of the others.

use super::{Event, Origin, Step};

/// How much of a run is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// The inputs and the last steps.
    #[default]
    Short,
    /// Every step.
    Full,
}

/// A line of what is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    Step(&'a Step),
    /// The last so many steps happened so many times more.
    Rounds {
        count: usize,
        steps: usize,
    },
}

/// Steps at the end that are always shown.
pub const LAST: usize = 10;
/// More inputs are only counted.
pub const INPUTS: usize = 20;
/// Loops with more steps in a round are not folded.
const LONGEST_ROUND: usize = 60;
/// As many rounds are shown as they are.
const FEW_ROUNDS: usize = 3;

pub fn is_input(step: &Step) -> bool {
    matches!(step.event, Event::Input { .. } | Event::NoMemory(_))
}

/// The steps with the rounds of loops folded: the first one is shown, the last one too, and those between are
/// counted.
pub fn folded(steps: &[Step]) -> Vec<Line<'_>> {
    // All arguments stand at the function that gets them.
    let is_argument = |step: &Step| matches!(step.event, Event::Input { origin: Origin::Argument, .. });
    let same = |a: &Step, b: &Step| {
        a.location == b.location
            && std::mem::discriminant(&a.event) == std::mem::discriminant(&b.event)
            && !is_argument(a)
    };
    let mut lines = Vec::new();
    let mut at = 0;
    while at < steps.len() {
        let rest = &steps[at..];
        // The shortest round that repeats most.
        let rounds = |length: usize| {
            let (round, rest) = rest.split_at(length);
            let others = rest.chunks_exact(length);
            1 + others.take_while(|other| round.iter().zip(*other).all(|(a, b)| same(a, b))).count()
        };
        let longest = LONGEST_ROUND.min(rest.len() / (FEW_ROUNDS + 1));
        let found =
            (1..=longest).map(|length| (length, rounds(length))).find(|(_, count)| *count > FEW_ROUNDS);
        match found {
            Some((length, count)) => {
                lines.extend(rest[..length].iter().map(Line::Step));
                lines.push(Line::Rounds { count: count - 2, steps: length });
                lines.extend(rest[(count - 1) * length..count * length].iter().map(Line::Step));
                at += count * length;
            }
            None => {
                lines.push(Line::Step(&rest[0]));
                at += 1;
            }
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Location, Target};

    #[test]
    fn rounds_are_counted() {
        let step = |line: u32, value: usize| Step {
            location: Location { file: "a.c".to_string(), line, column: None, function: None },
            depth: 1,
            event: Event::Set {
                target: Target { text: "i".to_string(), object: None, is_named: false },
                value: value.to_string(),
            },
            matters: false,
        };
        let mut steps = vec![step(1, 0)];
        steps.extend((0..10).flat_map(|i| [step(2, i), step(3, i)]));
        steps.push(step(4, 0));
        let lines = folded(&steps);
        assert_eq!(lines.len(), 1 + 2 + 1 + 2 + 1);
        assert_eq!(lines[3], Line::Rounds { count: 8, steps: 2 });
        assert_eq!(lines[4], Line::Step(&step(2, 9)));
    }
}
