//! `craig engines`: what there is.

use crate::arguments::Common;
use crate::report::json::Json;
use crate::session::Session;
use crate::{ExitStatus, Failure};
use std::io::Write;

/// List the engines of this build, with what each of them takes and where it comes from.
#[derive(Debug, clap::Args)]
pub struct Arguments {}

/// One engine as `--engine` knows it.
#[derive(Clone, Copy, Debug)]
pub struct Engine {
    /// The name that `--engine` takes.
    pub name: &'static str,
    /// The command that runs it: `check` or `solve`.
    pub command: &'static str,
    /// Where the algorithm is described.
    pub origin: &'static str,
    /// One sentence.
    pub summary: &'static str,
}

/// Every engine that `--engine` accepts, in the order in which a newcomer should read of them.
pub const ENGINES: &[Engine] = &[
    Engine {
        name: "random",
        command: "check",
        origin: "a test that fails is a proof",
        summary: "Concrete runs with random inputs",
    },
    Engine {
        name: "bits",
        command: "check",
        origin: "Clarke, Kroening and Lerda 2004",
        summary: "The unwound program as a circuit, exact to the bit, for programs whose loops end",
    },
    Engine {
        name: "ufo",
        command: "check",
        origin: "001 ch. 3 and 4",
        summary: "Abstract reachability graphs labelled by DAG interpolants and predicate abstraction",
    },
    Engine {
        name: "vinta",
        command: "check",
        origin: "001 ch. 5",
        summary: "The graph of `ufo` explored by abstract interpretation, refined by restricted interpolants",
    },
    Engine {
        name: "dash",
        command: "check",
        origin: "004",
        summary: "Proofs from tests: one solver call in each step, aliasing only as tests meet it",
    },
    Engine {
        name: "dash-directed",
        command: "check",
        origin: "004 section 5",
        summary: "`dash` without random tests at the start, as in the paper's experiments",
    },
    Engine {
        name: "dash-frontiers",
        command: "check",
        origin: "004",
        summary: "`dash` with up to four frontiers in one question",
    },
    Engine {
        name: "dash-disjunctive",
        command: "check",
        origin: "004 section 4.2.2",
        summary: "`dash` with both cases in the alias condition for elements of one array",
    },
    Engine {
        name: "dash-procedures",
        command: "check",
        origin: "004 section 4.4",
        summary: "`dash` with summaries of procedures also where there is no recursion",
    },
    Engine {
        name: "synergy",
        command: "check",
        origin: "003",
        summary: "Tests that guide the partition of the states, and a partition that guides tests",
    },
    Engine {
        name: "lee-yannakakis",
        command: "check",
        origin: "003, Figure 5",
        summary: "The reachable bisimulation quotient, the baseline of synergy",
    },
    Engine {
        name: "impact",
        command: "check",
        origin: "McMillan 2006",
        summary: "Lazy abstraction with interpolants: a tree of paths, covering by force",
    },
    Engine {
        name: "pdr",
        command: "check",
        origin: "Hoder and Bjørner 2012; Komuravelli, Gurfinkel and Chaki 2014",
        summary: "Property-directed reachability on the clauses of the inlined program",
    },
    Engine {
        name: "pdr-summaries",
        command: "check",
        origin: "Komuravelli, Gurfinkel and Chaki 2014",
        summary: "The same on the clauses of the procedures: one summary for all callers, recursion too",
    },
    Engine {
        name: "pdr-contexts",
        command: "check",
        origin: "Komuravelli, Gurfinkel and Chaki 2014",
        summary: "The same, where a summary holds for the entry states that can be reached",
    },
    Engine {
        name: "whale",
        command: "check",
        origin: "001 ch. 6",
        summary: "Procedure summaries from state/transition interpolants; recursion, loops as tail recursion",
    },
    Engine {
        name: "whale-tree",
        command: "check",
        origin: "001 ch. 6",
        summary: "The same with one reachability graph for each call, and covering between them",
    },
    Engine {
        name: "whale-tree-interpolants",
        command: "check",
        origin: "001 ch. 6",
        summary: "The same as whale with summaries from tree interpolants, and without guards",
    },
    Engine {
        name: "whale-plain",
        command: "check",
        origin: "001 ch. 6",
        summary: "The same as whale, without boxes that restrict interpolants and without runs",
    },
    Engine {
        name: "whale-paths",
        command: "check",
        origin: "001 ch. 6",
        summary: "The same as whale, where graphs grow path by path",
    },
    Engine {
        name: "lazy-annotation",
        command: "check",
        origin: "000",
        summary: "Symbolic execution that learns from every failure why no goal can be reached",
    },
    Engine {
        name: "lazy-annotation-procedures",
        command: "check",
        origin: "000 section 2.3",
        summary: "The same with negative summaries of procedures; chosen by itself where there is recursion",
    },
    Engine {
        name: "lazy-annotation-wp",
        command: "check",
        origin: "000 section 1",
        summary: "The same as lazy-annotation, with weakest preconditions instead of interpolants",
    },
    Engine {
        name: "dart",
        command: "check",
        origin: "000 section 3, its baseline",
        summary: "The same without learning: all paths, one after another",
    },
    Engine {
        name: "duality",
        command: "check",
        origin: "002",
        summary: "Lazy annotation on the clauses of the procedures",
    },
    Engine {
        name: "bmc",
        command: "check",
        origin: "Lal, Qadeer and Lahiri 2012",
        summary: "Stratified inlining on the clauses of the procedures",
    },
    Engine { name: "duality", command: "solve", origin: "002", summary: "Lazy annotation for Horn clauses" },
    Engine {
        name: "bmc",
        command: "solve",
        origin: "Lal, Qadeer and Lahiri 2012",
        summary: "Unfolding of Horn clauses by stratified inlining",
    },
    Engine {
        name: "pdr",
        command: "solve",
        origin: "Hoder and Bjørner 2012; Komuravelli, Gurfinkel and Chaki 2014",
        summary: "Property-directed reachability for Horn clauses",
    },
];

pub fn run(_: &Arguments, common: &Common, session: &mut Session) -> Result<ExitStatus, Failure> {
    if common.json {
        writeln!(session.out, "{}", as_json(ENGINES))?;
    } else {
        write!(session.out, "{}", as_text(ENGINES))?;
    }
    Ok(ExitStatus::Success)
}

fn as_text(engines: &[Engine]) -> String {
    if engines.is_empty() {
        return "This build contains no engine.\n".to_string();
    }
    let width = engines.iter().map(|engine| engine.name.len()).max().unwrap_or(0);
    engines
        .iter()
        .map(|Engine { name, command, origin, summary }| {
            format!("{name:width$}  {command:5}  {summary} [{origin}]\n")
        })
        .collect()
}

fn as_json(engines: &[Engine]) -> Json {
    Json::Array(
        engines
            .iter()
            .map(|engine| {
                Json::object([
                    ("name", engine.name.into()),
                    ("command", engine.command.into()),
                    ("origin", engine.origin.into()),
                    ("summary", Json::from(engine.summary)),
                ])
            })
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_aligned_and_names_its_sources() {
        let engines = [
            Engine { name: "ufo", command: "check", origin: "001 ch. 3", summary: "DAG interpolants" },
            Engine { name: "duality", command: "solve", origin: "002", summary: "Lazy annotation" },
        ];
        assert_eq!(
            as_text(&engines),
            "ufo      check  DAG interpolants [001 ch. 3]\nduality  solve  Lazy annotation [002]\n"
        );
        assert_eq!(as_json(&[]).to_string(), "[]");
    }
}
