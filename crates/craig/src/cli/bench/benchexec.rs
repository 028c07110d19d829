//! Results of BenchExec, as another column of the table.
//!
//! The file is what `benchexec` writes for a set of runs (`*.results.*.xml`): a `<result>` with a `<run name=...>` for
//! each task, whose `<column title=... value=...>` are the status, the times and the memory. Only these are looked at;
//! an XML reader for anything else this is not.

use super::answer::{Answer, Verdict};
use super::manifest::{Kind, Task};
use super::results::{Key, Row};
use craig_base::Map;
use std::path::{Component, PathBuf};

/// What BenchExec has measured with one configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    /// The tool, and the name of the set of runs if it has one.
    pub name: String,
    limits: String,
    runs: Vec<Run>,
    /// The runs whose path ends with this name.
    by_name: Map<String, Vec<usize>>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Run {
    /// The components of the path, the last one without its extensions.
    path: Vec<String>,
    status: String,
    seconds: f64,
    cpu_seconds: f64,
    memory_mb: f64,
}

impl Recorded {
    /// Reads the text of a file; an error is a message.
    pub fn parse(text: &str) -> Result<Recorded, String> {
        if text.starts_with("BZh") {
            return Err(
                "the file is compressed; use `bunzip2`, or `benchexec --no-compress-results`".to_string()
            );
        }
        let mut recorded: Option<Recorded> = None;
        for tag in text.split('<').skip(1) {
            let name_end = tag.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(tag.len());
            let attribute = |name: &str| attribute(&tag[name_end..], name);
            match (&tag[..name_end], &mut recorded) {
                ("result", None) => {
                    let tool = attribute("tool").ok_or("the `result` names no tool")?;
                    let set = attribute("name").filter(|name| !name.is_empty());
                    let name = set.map_or(tool.clone(), |set| format!("{tool}.{set}"));
                    let limit = |name: &str| attribute(name).unwrap_or_else(|| "-".to_string());
                    let limits = format!("{} {}", limit("timelimit"), limit("memlimit"));
                    recorded = Some(Recorded {
                        name: name.replace(char::is_whitespace, "-"),
                        limits,
                        runs: Vec::new(),
                        by_name: Map::default(),
                    });
                }
                ("run", Some(recorded)) => {
                    let path = attribute("name").ok_or("a `run` without a name")?;
                    let path = components(&path);
                    let name = path.last().cloned().unwrap_or_default();
                    recorded.by_name.entry(name).or_default().push(recorded.runs.len());
                    recorded.runs.push(Run { path, ..Run::default() });
                }
                ("column", Some(Recorded { runs, .. })) => {
                    // Columns outside of runs are about the machine.
                    let (Some(run), Some(title), Some(value)) =
                        (runs.last_mut(), attribute("title"), attribute("value"))
                    else {
                        continue;
                    };
                    match title.as_str() {
                        "status" => run.status = value,
                        "walltime" => run.seconds = number(&value),
                        "cputime" => run.cpu_seconds = number(&value),
                        "memory" => run.memory_mb = number(&value) / f64::from(1 << 20),
                        _ => {}
                    }
                }
                _ => {}
            }
        }
        recorded.ok_or_else(|| "there is no `result` of BenchExec in it".to_string())
    }

    /// The run of this task: one of the two paths ends with the other, but for extensions.
    pub fn row(&self, task: &Task) -> Row {
        let wanted = components(&task.name);
        let named = wanted.last().and_then(|name| self.by_name.get(name));
        let mut runs = named.into_iter().flatten().map(|&number| &self.runs[number]);
        let run = runs.find(|run| run.path.ends_with(&wanted) || wanted.ends_with(&run.path));
        let run = run.cloned().unwrap_or_else(|| Run { status: "not run".to_string(), ..Run::default() });
        let key = Key {
            task: task.name.clone(),
            participant: self.name.clone(),
            command: "benchexec".to_string(),
            limits: self.limits.clone(),
        };
        Row {
            key,
            expected: task.expected,
            answer: answer(&run.status, task.kind),
            seconds: run.seconds,
            cpu_seconds: run.cpu_seconds,
            memory_mb: run.memory_mb,
            stats: String::new(),
        }
    }
}

/// `true`, `false(unreach-call)`, or why there is no answer. `true` of clauses means that they have a model.
fn answer(status: &str, kind: Kind) -> Answer {
    let holds = match status.split('(').next() {
        Some("true" | "sat") => true,
        Some("false" | "unsat") => false,
        _ => return Answer::Unknown(status.to_string()),
    };
    Answer::Verdict(match (kind, holds) {
        (Kind::C, true) => Verdict::Safe,
        (Kind::C, false) => Verdict::Unsafe,
        (Kind::Horn | Kind::Smt, true) => Verdict::Sat,
        (Kind::Horn | Kind::Smt, false) => Verdict::Unsat,
    })
}

fn components(path: &str) -> Vec<String> {
    let normal = |component: Component<'_>| match component {
        Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
        _ => None,
    };
    let mut path = PathBuf::from(path);
    while path.extension().is_some_and(|extension| EXTENSIONS.iter().any(|known| extension == *known)) {
        path.set_extension("");
    }
    path.components().filter_map(normal).collect()
}

/// Of tasks and of their definitions: a task may be known by either.
const EXTENSIONS: [&str; 5] = ["c", "i", "smt2", "yaml", "yml"];

/// A number with its unit (`0.45s`, `123456B`).
fn number(value: &str) -> f64 {
    value.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(0.0)
}

/// The value of an attribute in the rest of a tag.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let mut rest = tag;
    loop {
        let equals = rest.find('=')?;
        let key = rest[..equals].trim();
        let quote = rest[equals + 1..].chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, after) = rest[equals + 2..].split_once(quote)?;
        if key == name {
            let plain = value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
            return Some(plain.replace("&apos;", "'").replace("&amp;", "&"));
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESULTS: &str = r#"<?xml version="1.0"?>
<!DOCTYPE result PUBLIC "+//IDN sosy-lab.org//DTD BenchExec result 3.18//EN" "https://www.sosy-lab.org/benchexec/result-3.18.dtd">
<result benchmarkname="craig" name="default &amp; more" tool="Craig" timelimit="5s" memlimit="2000000000B">
  <columns><column title="status"/></columns>
  <systeminfo hostname="host"><cpu model="a > b" cores="2"/></systeminfo>
  <run name="../bench/c/loops/sum.yml" files="[../bench/c/loops/sum.c]">
    <column title="category" value="correct"/>
    <column title="cputime" value="0.25s"/>
    <column title="memory" value="10485760B"/>
    <column title="status" value="false(unreach-call)"/>
    <column title="walltime" value="0.5s"/>
  </run>
  <run name="tasks/chc/even.smt2.yml"><column title="status" value="true"/></run>
  <run name="chc/odd.smt2"><column title="status" value="TIMEOUT (true)"/></run>
  <run name="chc/broken.1.smt2"><column title="status" value="ERROR (65)"/></run>
</result>"#;

    fn task(name: &str, kind: Kind) -> Task {
        let folder = std::path::Path::new("").into();
        Task { name: name.to_string(), folder, kind, expected: None, options: [].into() }
    }

    #[test]
    fn runs_become_rows() {
        let recorded = Recorded::parse(RESULTS).expect("results");
        assert_eq!(recorded.name, "Craig.default-&-more");
        let row = recorded.row(&task("loops/sum.c", Kind::C));
        assert_eq!(row.answer, Answer::Verdict(Verdict::Unsafe));
        assert_eq!((row.seconds, row.cpu_seconds, row.memory_mb), (0.5, 0.25, 10.0));
        let answer = |name| recorded.row(&task(name, Kind::Horn)).answer;
        let unknown = |reason: &str| Answer::Unknown(reason.to_string());
        assert_eq!(answer("chc/even.smt2"), Answer::Verdict(Verdict::Sat));
        assert_eq!(answer("chc/odd.smt2"), unknown("TIMEOUT (true)"));
        assert_eq!(answer("chc/broken.1.smt2"), unknown("ERROR (65)"));
        assert_eq!(answer("other/even.smt2"), unknown("not run"));
        assert_eq!(answer("chc/broken.2.smt2"), unknown("not run"));
    }

    #[test]
    fn other_files_are_refused() {
        for (text, part) in
            [("BZh91AY", "bunzip2"), ("<html></html>", "no `result`"), ("<result>", "no tool")]
        {
            assert!(Recorded::parse(text).is_err_and(|message| message.contains(part)), "{text}");
        }
    }
}
