//! The engines by name: what `--engine` accepts, what `craig engines` lists, what the default portfolios
//! ([`super::schedule`]) are made of, and the names under which engines are reported.
//!
//! A variant of an engine is an entry of its own: a name stands for an algorithm with all its settings.

use crate::horn::solve::HornEngine;
use crate::search::lazy_annotation::Learning;
use crate::search::{
    bmc, dash, duality, exploration, lazy_annotation, pdr, random, synergy, ufo, vinta, whale,
};
use crate::verify::Engine;
use craig_program::Granularity;
use craig_program::horn::Contexts;

/// An engine as it is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Entry<E> {
    pub name: &'static str,
    /// Where the algorithm is described.
    pub origin: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The algorithm and its settings.
    pub engine: fn() -> E,
}

/// The engines for programs, in the order in which a newcomer should read of them.
pub const PROGRAM_ENGINES: &[Entry<Engine>] = &[
    Entry {
        name: "random",
        origin: "a test that fails is a proof",
        summary: "Concrete runs with random inputs",
        engine: || Engine::Random(random::Config::default()),
    },
    Entry {
        name: "exploration",
        origin: "Zalewski 2014; Ecoffet et al. 2019",
        summary: "Random runs that go on from states that were new",
        engine: || Engine::Exploration(exploration::Config::default()),
    },
    Entry {
        name: "bits",
        origin: "Clarke, Kroening and Lerda 2004",
        summary: "The unwound program as a circuit, exact to the bit, for programs whose loops end",
        engine: || Engine::Bits,
    },
    Entry {
        name: "bits-deeper",
        origin: "Clarke, Kroening and Lerda 2004",
        summary: "`bits` once more in a portfolio, with more time",
        engine: || Engine::Bits,
    },
    Entry {
        name: "bits-induction",
        origin: "Sheeran, Singh and Stålmarck 2000",
        summary: "Induction over the iterations of loops as a circuit, with guesses about words and bits",
        engine: || Engine::Induction,
    },
    Entry {
        name: "ufo",
        origin: "001 ch. 3 and 4",
        summary: "Abstract reachability graphs labelled by DAG interpolants and predicate abstraction",
        engine: || Engine::Ufo(ufo::Config::default()),
    },
    Entry {
        name: "ufo-cartesian",
        origin: "001 ch. 4",
        summary: "`ufo` with Cartesian predicate abstraction",
        engine: || ufo(ufo::Post::Cartesian, false),
    },
    Entry {
        name: "ufo-boolean",
        origin: "001 ch. 4",
        summary: "`ufo` with Boolean predicate abstraction",
        engine: || ufo(ufo::Post::Boolean, false),
    },
    Entry {
        name: "ufo-boolean-eager",
        origin: "001 ch. 4",
        summary: "The same, where interpolants only give predicates and each refinement starts a new graph",
        engine: || ufo(ufo::Post::Boolean, true),
    },
    Entry {
        name: "ufo-restricted",
        origin: "001 section 5.5",
        summary: "`ufo-cartesian`, restricted by what another member of a portfolio has found",
        engine: || {
            let refine = ufo::Refine::Restricted;
            Engine::Ufo(ufo::Config { post: ufo::Post::Cartesian, refine, ..ufo::Config::default() })
        },
    },
    Entry {
        name: "vinta",
        origin: "001 ch. 5",
        summary: "The graph of `ufo` explored with boxes, refined by restricted interpolants",
        engine: || Engine::Vinta(vinta::Config::default()),
    },
    Entry {
        name: "vinta-boxes",
        origin: "001 ch. 5",
        summary: "`vinta` with unions of boxes",
        engine: || vinta(vinta::Domain::Boxes),
    },
    Entry {
        name: "vinta-octagons",
        origin: "001 ch. 5",
        summary: "`vinta` with bounds of sums and differences of two variables",
        engine: || vinta(vinta::Domain::Octagons),
    },
    Entry {
        name: "dash",
        origin: "004",
        summary: "Proofs from tests: one solver call in each step, aliasing only as tests meet it",
        engine: || Engine::Dash(dash::Config::default()),
    },
    Entry {
        name: "dash-frontiers",
        origin: "004",
        summary: "`dash` with up to four frontiers in one question",
        engine: || Engine::Dash(dash::Config { frontiers: 4, ..dash::Config::default() }),
    },
    Entry {
        name: "dash-disjunctive",
        origin: "004 section 4.2.2",
        summary: "`dash` with both cases in the alias condition for elements of one array",
        engine: || Engine::Dash(dash::Config { disjunctive: true, ..dash::Config::default() }),
    },
    Entry {
        name: "dash-procedures",
        origin: "004 section 4.4",
        summary: "`dash` with summaries of procedures also where there is no recursion",
        engine: || Engine::Dash(dash::Config { procedures: true, ..dash::Config::default() }),
    },
    Entry {
        name: "synergy",
        origin: "003",
        summary: "Tests that guide the partition of the states, and a partition that guides tests",
        engine: || Engine::Synergy(synergy::Config::default()),
    },
    Entry {
        name: "lee-yannakakis",
        origin: "003, Figure 5",
        summary: "The reachable bisimulation quotient, the baseline of synergy",
        engine: || Engine::LeeYannakakis(synergy::Config::default()),
    },
    Entry {
        name: "impact",
        origin: "McMillan 2006",
        summary: "Lazy abstraction with interpolants: a tree of paths, covering by force",
        engine: || Engine::Impact(Granularity::Loops),
    },
    Entry {
        name: "impact-paths",
        origin: "McMillan 2006; WOLVERINE in 001",
        summary: "`impact` on the graph as it is: a block ends where paths branch or join, not only at loops",
        engine: || Engine::Impact(Granularity::Paths),
    },
    Entry {
        name: "partitioning",
        origin: "Bourdoncle 1992",
        summary: "Boxes between the numbers that the program compares with, one at a time",
        engine: || Engine::Partitioning,
    },
    Entry {
        name: "pdr",
        origin: "Hoder and Bjørner 2012; Komuravelli, Gurfinkel and Chaki 2014",
        summary: "Property-directed reachability on the clauses of the inlined program",
        engine: || Engine::Pdr,
    },
    Entry {
        name: "pdr-variables",
        origin: "Kurshan 1994",
        summary: "`pdr` on what can be told without memory: whatever is read from there is arbitrary",
        engine: || Engine::Variables,
    },
    Entry {
        name: "acceleration",
        origin: "Boigelot 1998; Kroening, Lewis and Weissenbacher 2013",
        summary: "`pdr` with many rounds of a loop as one step, where they have a closed form",
        engine: || Engine::Acceleration,
    },
    Entry {
        name: "cells",
        origin: "Monniaux and Gonnord 2016",
        summary: "Invariants about every element of an array, from clauses about single cells",
        engine: || Engine::Cells,
    },
    Entry {
        name: "pdr-summaries",
        origin: "Komuravelli, Gurfinkel and Chaki 2014",
        summary: "The same on the clauses of the procedures: one summary for all callers, recursion too",
        engine: || Engine::PdrSummaries(Contexts::Any),
    },
    Entry {
        name: "pdr-contexts",
        origin: "Komuravelli, Gurfinkel and Chaki 2014",
        summary: "The same, where a summary holds for the entry states that can be reached",
        engine: || Engine::PdrSummaries(Contexts::Reachable),
    },
    Entry {
        name: "whale",
        origin: "001 ch. 6",
        summary: "Procedure summaries from state/transition interpolants; recursion, loops as tail recursion",
        engine: || Engine::Whale(whale::Config::default()),
    },
    Entry {
        name: "whale-tree",
        origin: "001 ch. 6",
        summary: "`whale` with one reachability graph for each call, and covering between them",
        engine: || Engine::Whale(whale::Config { merge: false, ..whale::Config::default() }),
    },
    Entry {
        name: "whale-instances",
        origin: "001 section 6.5.1",
        summary: "`whale-tree` with calls under-approximated by copies of their graphs, as in the thesis; neither runs nor boxes",
        engine: || {
            let callees = whale::Callees::Graphs;
            let config = whale::Config { merge: false, callees, ..whale::Config::default() };
            Engine::Whale(whale::Config { domain: false, tests: false, ..config })
        },
    },
    Entry {
        name: "whale-labels",
        origin: "001 sections 6.5, 6.7",
        summary: "`whale-instances`, where a refutation of a graph labels all graphs below it, until some of them grow",
        engine: || {
            let callees = whale::Callees::Labels;
            let config = whale::Config { merge: false, callees, ..whale::Config::default() };
            Engine::Whale(whale::Config { domain: false, tests: false, ..config })
        },
    },
    Entry {
        name: "whale-tree-interpolants",
        origin: "001 ch. 6",
        summary: "`whale` with summaries from tree interpolants, and without guards",
        engine: || {
            let interpolants = whale::Interpolants::Tree;
            Engine::Whale(whale::Config { interpolants, ..whale::Config::default() })
        },
    },
    Entry {
        name: "whale-unrestricted",
        origin: "001 ch. 6",
        summary: "`whale` without boxes that restrict interpolants",
        engine: || Engine::Whale(whale::Config { domain: false, ..whale::Config::default() }),
    },
    Entry {
        name: "whale-paths",
        origin: "001 ch. 6",
        summary: "`whale` with graphs that grow path by path",
        engine: || {
            Engine::Whale(whale::Config { expansion: whale::Expansion::Paths, ..whale::Config::default() })
        },
    },
    Entry {
        name: "lazy-annotation",
        origin: "000",
        summary: "Symbolic execution that learns from every failure why no goal can be reached",
        engine: || annotation(Learning::Interpolants, false),
    },
    Entry {
        name: "lazy-annotation-procedures",
        origin: "000 section 2.3",
        summary: "The same with negative summaries of procedures; chosen by itself where there is recursion",
        engine: || annotation(Learning::Interpolants, true),
    },
    Entry {
        name: "lazy-annotation-wp",
        origin: "000 section 1",
        summary: "`lazy-annotation` with weakest preconditions instead of interpolants",
        engine: || annotation(Learning::WeakestPreconditions, false),
    },
    Entry {
        name: "dart",
        origin: "000 section 3, its baseline",
        summary: "The same without learning: all paths, one after another",
        engine: || annotation(Learning::Nothing, false),
    },
    Entry {
        name: "houdini",
        origin: "Flanagan and Leino 2001",
        summary: "Of guessed bounds, relations and facts about every object, those that are inductive",
        engine: || Engine::Houdini,
    },
    Entry {
        name: "frames",
        origin: "Barnett and Leino 2005",
        summary: "One formula for all of the program, with guesses about what loops change",
        engine: || Engine::Frames,
    },
    Entry {
        name: "duality",
        origin: "002",
        summary: "Lazy annotation on the clauses of the procedures",
        engine: || Engine::Duality,
    },
    Entry {
        name: "bmc",
        origin: "Lal, Qadeer and Lahiri 2012",
        summary: "Stratified inlining on the clauses of the procedures",
        engine: || Engine::Bmc,
    },
];

/// The engines for Horn clauses.
pub const CLAUSE_ENGINES: &[Entry<HornEngine>] = &[
    Entry {
        name: "duality",
        origin: "002",
        summary: "Lazy annotation for Horn clauses",
        engine: || HornEngine::Duality(duality::Options::default()),
    },
    Entry {
        name: "bmc",
        origin: "Lal, Qadeer and Lahiri 2012",
        summary: "Unfolding of Horn clauses by stratified inlining",
        engine: || HornEngine::Bmc(bmc::Options::default()),
    },
    Entry {
        name: "pdr",
        origin: "Hoder and Bjørner 2012; Komuravelli, Gurfinkel and Chaki 2014",
        summary: "Property-directed reachability for Horn clauses",
        engine: || HornEngine::Pdr(pdr::Options::default()),
    },
    Entry {
        name: "cells",
        origin: "Monniaux and Gonnord 2016",
        summary: "Invariants about every element of an array, from clauses about single cells",
        engine: || HornEngine::Cells,
    },
    Entry {
        name: "houdini",
        origin: "Flanagan and Leino 2001",
        summary: "Of guessed bounds and comparisons of arguments, those that are inductive, and `pdr` with them",
        engine: || HornEngine::Houdini,
    },
    Entry {
        name: "tpa",
        origin: "Blicha, Fedyukovich, Hyvärinen and Sharygina 2022",
        summary: "Transition power abstraction: what many steps do, from what half as many do",
        engine: || HornEngine::Tpa,
    },
    Entry {
        name: "resolution",
        origin: "Robinson 1965; Kowalski 1974",
        summary: "Derivations over data types, by unification",
        engine: || HornEngine::Resolution,
    },
    Entry {
        name: "regular",
        origin: "Kostyukov, Mordvinov and Fedyukovich 2021",
        summary: "Models over data types that are finite automata",
        engine: || HornEngine::Regular,
    },
    Entry {
        name: "sizes",
        origin: "Hojjat and Rümmer 2017",
        summary: "Models over data types in terms of their constructors and sizes",
        engine: || HornEngine::Sizes,
    },
];

/// The entry of that name.
pub fn find<E>(table: &'static [Entry<E>], name: &str) -> Option<&'static Entry<E>> {
    table.iter().find(|entry| entry.name == name)
}

fn ufo(post: ufo::Post, eager: bool) -> Engine {
    Engine::Ufo(ufo::Config { post, eager, ..ufo::Config::default() })
}

fn vinta(domain: vinta::Domain) -> Engine {
    Engine::Vinta(vinta::Config { domain, ..vinta::Config::default() })
}

fn annotation(learn: Learning, procedures: bool) -> Engine {
    Engine::LazyAnnotation(lazy_annotation::Config::new(learn, procedures))
}
