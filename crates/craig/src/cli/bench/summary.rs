//! What a benchmark comes to, in figures.

use super::answer::Verdict;
use super::results::Assessment;
use super::table::{Outcome, Table};
use crate::report::json::Json;
use craig_base::OrderedMap;
use std::fmt::Write;

/// The figures of one participant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Score {
    pub runs: usize,
    pub correct: usize,
    pub wrong: usize,
    pub unchecked: usize,
    /// How often each class of reason was given, most frequent first.
    pub unknown: Vec<(String, usize)>,
    /// Of all runs.
    pub seconds: f64,
    /// Penalised time: what is not solved counts twice the time limit.
    pub par2: f64,
    /// The largest of all runs.
    pub memory_mb: f64,
}

impl Score {
    pub fn new<'a>(runs: impl Iterator<Item = Outcome<'a>>, timeout: f64) -> Score {
        let mut score = Score::default();
        let mut reasons: OrderedMap<&str, usize> = OrderedMap::default();
        for run in runs {
            score.runs += 1;
            match run.assessment() {
                Assessment::Correct => score.correct += 1,
                Assessment::Wrong => score.wrong += 1,
                Assessment::Unchecked => score.unchecked += 1,
                Assessment::Unknown => *reasons.entry(class_of(run.reason)).or_default() += 1,
            }
            score.seconds += run.seconds;
            score.par2 += if run.solved() { run.seconds } else { 2.0 * timeout };
            score.memory_mb = score.memory_mb.max(run.memory_mb);
        }
        score.unknown = reasons.into_iter().map(|(reason, count)| (reason.to_string(), count)).collect();
        score.unknown.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        score
    }

    pub fn solved(&self) -> usize {
        self.correct + self.unchecked
    }

    pub fn unknowns(&self) -> usize {
        self.unknown.iter().map(|(_, count)| count).sum()
    }
}

/// A reason up to its first colon, which is where the particulars begin.
pub fn class_of(reason: &str) -> &str {
    reason.split(':').next().unwrap_or(reason)
}

/// Two participants on the tasks that both have run.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub first: usize,
    pub second: usize,
    pub both: usize,
    pub only_first: usize,
    pub only_second: usize,
    /// Geometric mean of first's time over second's, on the tasks that both solved; below one, the
    /// first is faster. `None` without such tasks.
    pub time_ratio: Option<f64>,
}

/// Below this, a ratio of times compares the starting of processes.
const SHORTEST: f64 = 0.01;

pub fn compare(table: &Table, first: usize, second: usize) -> Comparison {
    let mut comparison =
        Comparison { first, second, both: 0, only_first: 0, only_second: 0, time_ratio: None };
    let mut logarithms = 0.0;
    for task in 0..table.tasks.len() {
        let (Some(a), Some(b)) = (table.get(task, first), table.get(task, second)) else { continue };
        match (a.solved(), b.solved()) {
            (true, true) => {
                comparison.both += 1;
                logarithms += (a.seconds.max(SHORTEST) / b.seconds.max(SHORTEST)).ln();
            }
            (true, false) => comparison.only_first += 1,
            (false, true) => comparison.only_second += 1,
            (false, false) => {}
        }
    }
    if comparison.both > 0 {
        comparison.time_ratio = Some((logarithms / comparison.both as f64).exp());
    }
    comparison
}

/// Everything that the text, the JSON object and the page say.
pub struct Summary {
    pub scores: Vec<Score>,
    /// Solved and all runs of every participant, folder by folder.
    pub folders: Vec<(String, Vec<Score>)>,
    pub comparisons: Vec<Comparison>,
    /// Answers that are known to be wrong.
    pub wrong: Vec<Wrong>,
    /// Tasks without a known answer that somebody answered: all disagreements, and [`LISTED`] others.
    pub unchecked: Vec<Unchecked>,
    /// How many others there are besides.
    pub more_unchecked: usize,
    /// Runs that were not made because the benchmark was stopped.
    pub missing: usize,
}

/// Answers that cannot be checked are only listed so far.
const LISTED: usize = 1000;

/// The answers to a task whose right answer is not known.
pub struct Unchecked {
    pub task: String,
    /// For each participant, its answer.
    pub answers: Vec<&'static str>,
    /// Two participants contradict each other: one of them is wrong.
    pub disagreement: bool,
}

/// A wrong answer.
pub struct Wrong {
    pub task: String,
    pub participant: String,
    pub answer: &'static str,
    pub expected: &'static str,
}

impl Summary {
    pub fn new(table: &Table) -> Summary {
        let count = table.participants.len();
        let pairs = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
        let (unchecked, more_unchecked) = unchecked(table);
        Summary {
            scores: (0..count).map(|participant| Score::new(table.of(participant), table.timeout)).collect(),
            folders: folders(table),
            comparisons: pairs.map(|(first, second)| compare(table, first, second)).collect(),
            wrong: wrong(table),
            unchecked,
            more_unchecked,
            missing: (0..table.tasks.len()).flat_map(|task| table.row(task)).filter(Option::is_none).count(),
        }
    }

    pub fn text(&self, table: &Table) -> String {
        let mut text = String::new();
        // Writing into a string cannot fail.
        let _ = self.write_text(table, &mut text);
        text
    }

    fn write_text(&self, table: &Table, out: &mut String) -> std::fmt::Result {
        let names = &table.participants;
        let mut lines = vec![Vec::from(
            [
                "participant",
                "tasks",
                "solved",
                "correct",
                "wrong",
                "unchecked",
                "unknown",
                "time",
                "PAR-2",
                "memory",
            ]
            .map(String::from),
        )];
        for (name, score) in names.iter().zip(&self.scores) {
            lines.push(vec![
                name.clone(),
                score.runs.to_string(),
                score.solved().to_string(),
                score.correct.to_string(),
                score.wrong.to_string(),
                score.unchecked.to_string(),
                score.unknowns().to_string(),
                format!("{:.1}s", score.seconds),
                format!("{:.1}s", score.par2),
                format!("{:.0}M", score.memory_mb),
            ]);
        }
        out.write_str(&align(&lines))?;
        for (name, score) in names.iter().zip(&self.scores).filter(|(_, score)| !score.unknown.is_empty()) {
            let reasons: Vec<String> =
                score.unknown.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
            writeln!(out, "\n{name} does not know: {}", reasons.join(", "))?;
        }
        if self.folders.len() > 1 {
            let mut lines =
                vec![std::iter::once("solved in".to_string()).chain(names.iter().cloned()).collect()];
            for (folder, scores) in &self.folders {
                let solved = scores.iter().map(|score| format!("{}/{}", score.solved(), score.runs));
                lines.push(std::iter::once(folder.clone()).chain(solved).collect());
            }
            write!(out, "\n{}", align(&lines))?;
        }
        for Comparison { first, second, both, only_first, only_second, time_ratio } in &self.comparisons {
            let (first, second) = (&names[*first], &names[*second]);
            write!(
                out,
                "\n{first} and {second}: both solve {both}, only {first} {only_first}, only {second} {only_second}"
            )?;
            match time_ratio {
                Some(ratio) => {
                    writeln!(out, "; time {first}/{second} {ratio:.3} (geometric mean over both)")?
                }
                None => writeln!(out)?,
            }
        }
        if self.missing > 0 {
            writeln!(out, "\n{} runs are missing: the benchmark was stopped", self.missing)?;
        }
        self.write_answers(table, out)
    }

    fn write_answers(&self, table: &Table, out: &mut String) -> std::fmt::Result {
        for unchecked in &self.unchecked {
            let answers: Vec<String> = table
                .participants
                .iter()
                .zip(&unchecked.answers)
                .map(|(name, answer)| format!("{name} {answer}"))
                .collect();
            let warning = if unchecked.disagreement { "DISAGREEMENT" } else { "unchecked" };
            writeln!(out, "{warning}: {}: {}", unchecked.task, answers.join(", "))?;
        }
        if self.more_unchecked > 0 {
            writeln!(out, "unchecked: {} more, in results.csv", self.more_unchecked)?;
        }
        for Wrong { task, participant, answer, expected } in &self.wrong {
            writeln!(out, "WRONG: {task}: {participant} says {answer}, expected {expected}")?;
        }
        Ok(())
    }

    pub fn json(&self, table: &Table) -> Json {
        let participants = table.participants.iter().zip(&self.scores).map(|(name, score)| {
            Json::object([
                ("name", name.as_str().into()),
                ("tasks", score.runs.into()),
                ("solved", score.solved().into()),
                ("correct", score.correct.into()),
                ("wrong", score.wrong.into()),
                ("unchecked", score.unchecked.into()),
                (
                    "unknown",
                    Json::object(score.unknown.iter().map(|(reason, count)| (reason, Json::from(*count)))),
                ),
                ("seconds", score.seconds.into()),
                ("par2", score.par2.into()),
                ("memory_mb", Json::from(score.memory_mb)),
            ])
        });
        let comparisons = self.comparisons.iter().map(|comparison| {
            Json::object([
                ("first", table.participants[comparison.first].as_str().into()),
                ("second", table.participants[comparison.second].as_str().into()),
                ("both", comparison.both.into()),
                ("only_first", comparison.only_first.into()),
                ("only_second", comparison.only_second.into()),
                ("time_ratio", Json::from(comparison.time_ratio)),
            ])
        });
        let wrong = self.wrong.iter().map(|wrong| {
            Json::object([
                ("task", Json::from(wrong.task.as_str())),
                ("participant", wrong.participant.as_str().into()),
                ("answer", wrong.answer.into()),
            ])
        });
        let disagreements = self.unchecked.iter().filter(|unchecked| unchecked.disagreement);
        Json::object([
            ("tasks", Json::from(table.tasks.len())),
            ("missing", self.missing.into()),
            ("participants", Json::array(participants)),
            ("comparisons", Json::array(comparisons)),
            ("wrong", Json::array(wrong)),
            ("disagreements", Json::array(disagreements.map(|unchecked| unchecked.task.as_str()))),
        ])
    }
}

fn folders(table: &Table) -> Vec<(String, Vec<Score>)> {
    let mut by_folder: OrderedMap<&str, Vec<usize>> = OrderedMap::default();
    for (position, task) in table.tasks.iter().enumerate() {
        let folder = task.name.rsplit_once('/').map_or(".", |(folder, _)| folder);
        by_folder.entry(folder).or_default().push(position);
    }
    let score = |tasks: &[usize], participant: usize| {
        Score::new(tasks.iter().filter_map(|&task| table.get(task, participant)), table.timeout)
    };
    by_folder
        .into_iter()
        .map(|(folder, tasks)| {
            (folder.to_string(), (0..table.participants.len()).map(|p| score(&tasks, p)).collect())
        })
        .collect()
}

fn wrong(table: &Table) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    for (number, task) in table.tasks.iter().enumerate() {
        for (run, participant) in table.row(number).zip(&table.participants) {
            if let Some(run) = run.filter(|run| run.assessment() == Assessment::Wrong) {
                wrong.push(Wrong {
                    task: task.name.clone(),
                    participant: participant.clone(),
                    answer: run.answer.map_or("-", Verdict::name),
                    expected: run.expected.map_or("-", Verdict::name),
                });
            }
        }
    }
    wrong
}

/// Those that are listed, and the number of the others.
fn unchecked(table: &Table) -> (Vec<Unchecked>, usize) {
    let (mut listed, mut more) = (Vec::new(), 0);
    for (number, task) in table.tasks.iter().enumerate().filter(|(_, task)| task.expected.is_none()) {
        let verdicts: Vec<Option<Verdict>> =
            table.row(number).map(|run| run.and_then(|run| run.answer)).collect();
        let mut given = verdicts.iter().flatten();
        let Some(first) = given.next() else { continue };
        let disagreement = given.any(|other| other != first);
        if !disagreement && listed.len() >= LISTED {
            more += 1;
            continue;
        }
        let answers = verdicts.iter().map(|verdict| verdict.map_or("unknown", Verdict::name)).collect();
        listed.push(Unchecked { task: task.name.clone(), answers, disagreement });
    }
    (listed, more)
}

/// Columns as wide as their widest entry: the first to the left, numbers to the right.
fn align(lines: &[Vec<String>]) -> String {
    let columns = lines.first().map_or(0, Vec::len);
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for line in lines {
        for (column, (entry, width)) in line.iter().zip(&widths).enumerate() {
            text.push_str(&if column == 0 {
                format!("{entry:width$}")
            } else {
                format!("  {entry:>width$}")
            });
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::cli::bench::answer::Answer;
    use crate::cli::bench::manifest::{Kind, Task};
    use crate::cli::bench::results::{Key, Row};
    use crate::cli::bench::table::Cells;
    use std::path::Path;

    /// An answer or a reason, and the seconds it took.
    type Run<'a> = (Result<Verdict, &'a str>, f64);

    /// A table from, for each task, what is expected and what two participants answered.
    fn table(tasks: &[(&str, Option<Verdict>, [Run; 2])]) -> Table {
        let mut cells = Cells::new(tasks.len(), 2);
        for (number, (_, expected, runs)) in tasks.iter().enumerate() {
            for (participant, (answer, seconds)) in runs.iter().enumerate() {
                let nothing = String::new;
                let row = Row {
                    key: Key {
                        task: nothing(),
                        participant: nothing(),
                        command: nothing(),
                        limits: nothing(),
                    },
                    expected: *expected,
                    answer: answer.map_or_else(|reason| Answer::Unknown(reason.to_string()), Answer::Verdict),
                    seconds: *seconds,
                    cpu_seconds: *seconds,
                    memory_mb: 1.0,
                    stats: nothing(),
                };
                cells.set(number, participant, &row);
            }
        }
        Table {
            tasks: tasks
                .iter()
                .map(|(name, expected, _)| Task {
                    name: name.to_string(),
                    folder: Path::new("").into(),
                    kind: Kind::Smt,
                    expected: *expected,
                    options: [].into(),
                })
                .collect(),
            participants: vec!["a".to_string(), "b".to_string()],
            cells,
            timeout: 10.0,
        }
    }

    pub fn sample() -> Table {
        use Verdict::{Sat, Unsat};
        table(&[
            ("x/1", Some(Sat), [(Ok(Sat), 1.0), (Ok(Sat), 2.0)]),
            ("x/2", Some(Sat), [(Ok(Sat), 2.0), (Ok(Sat), 1.0)]),
            ("x/3", Some(Unsat), [(Ok(Unsat), 8.0), (Ok(Unsat), 1.0)]),
            ("y/4", Some(Unsat), [(Err("timeout"), 10.0), (Ok(Unsat), 3.0)]),
            ("y/5", Some(Unsat), [(Err("error: p"), 0.5), (Ok(Sat), 3.0)]),
            ("y/6", None, [(Ok(Sat), 1.0), (Ok(Unsat), 1.0)]),
        ])
    }

    #[test]
    fn scores_and_ratios() {
        let table = sample();
        let summary = Summary::new(&table);
        let [a, b] = &summary.scores[..] else { panic!("two participants") };
        assert_eq!((a.solved(), a.correct, a.wrong, a.unchecked, a.unknowns()), (4, 3, 0, 1, 2));
        assert_eq!(a.unknown, [("error".to_string(), 1), ("timeout".to_string(), 1)]);
        assert_eq!((a.seconds, a.par2), (22.5, 52.0));
        assert_eq!((b.solved(), b.wrong, b.par2), (5, 1, 28.0));
        let comparison = &summary.comparisons[0];
        assert_eq!((comparison.both, comparison.only_first, comparison.only_second), (4, 0, 1));
        // The fourth root of (1/2)(2/1)(8/1)(1/1).
        assert!(comparison.time_ratio.is_some_and(|ratio| (ratio - 8f64.powf(0.25)).abs() < 1e-9));
        assert_eq!((summary.wrong.len(), summary.unchecked.len(), summary.missing), (1, 1, 0));
        assert!(summary.unchecked[0].disagreement);
    }

    #[test]
    fn the_text_names_what_is_wrong() {
        let table = sample();
        let text = Summary::new(&table).text(&table);
        assert!(text.contains("WRONG: y/5: b says sat, expected unsat"), "{text}");
        assert!(text.contains("DISAGREEMENT: y/6: a sat, b unsat"), "{text}");
        assert!(text.contains("x          3/3  3/3\n"), "{text}");
        assert!(Json::parse(&Summary::new(&table).json(&table).to_string()).is_ok());
    }
}
