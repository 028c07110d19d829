//! `craig engines`: what there is.

use crate::cli::arguments::Common;
use crate::cli::session::Session;
use crate::cli::status::ExitStatus;
use crate::error::Error;
use crate::report::json::Json;
use craig_engines::portfolio::table::{CLAUSE_ENGINES, Entry, PROGRAM_ENGINES};
use std::io::Write;

/// List the engines of this build, with what each of them takes and where it comes from.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// One line of the list: the command, and what it runs.
struct Line {
    command: &'static str,
    name: &'static str,
    origin: &'static str,
    summary: &'static str,
}

pub fn run(_: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Error> {
    let lines: Vec<Line> = lines("check", PROGRAM_ENGINES).chain(lines("solve", CLAUSE_ENGINES)).collect();
    if common.json {
        writeln!(session.out, "{}", as_json(&lines))?;
    } else {
        write!(session.out, "{}", as_text(&lines))?;
    }
    Ok(ExitStatus::Success)
}

fn lines<E>(command: &'static str, table: &'static [Entry<E>]) -> impl Iterator<Item = Line> {
    table.iter().map(move |&Entry { name, origin, summary, .. }| Line { command, name, origin, summary })
}

fn as_text(lines: &[Line]) -> String {
    let width = lines.iter().map(|line| line.name.len()).max().unwrap_or(0);
    lines
        .iter()
        .map(|Line { command, name, origin, summary }| {
            format!("{name:width$}  {command:5}  {summary} [{origin}]\n")
        })
        .collect()
}

fn as_json(lines: &[Line]) -> Json {
    Json::array(lines.iter().map(|line| {
        Json::object([
            ("name", line.name.into()),
            ("command", line.command.into()),
            ("origin", line.origin.into()),
            ("summary", Json::from(line.summary)),
        ])
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_aligned_and_names_its_sources() {
        let lines = [
            Line { name: "ufo", command: "check", origin: "001 ch. 3", summary: "DAG interpolants" },
            Line { name: "duality", command: "solve", origin: "002", summary: "Lazy annotation" },
        ];
        assert_eq!(
            as_text(&lines),
            "ufo      check  DAG interpolants [001 ch. 3]\nduality  solve  Lazy annotation [002]\n"
        );
        assert_eq!(as_json(&[]).to_string(), "[]");
    }
}
