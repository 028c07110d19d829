//! The engines by name: what `--engine` accepts, what `craig engines` lists, what the default portfolios are made
//! of, and the names under which engines are reported.
//!
//! A variant of an engine is an entry of its own: a name stands for an algorithm with all its settings.

use crate::horn::solve::HornEngine;
use crate::portfolio::each::Effort;
use crate::portfolio::race::Member;
use crate::portfolio::shape::{
    ends_soon, has_arrays, has_bits, has_inputs, has_links, has_loops, is_control, is_mostly_straight,
};
use crate::search::lazy_annotation::Learning;
use crate::search::{
    bmc, dash, duality, exploration, lazy_annotation, pdr, random, synergy, ufo, vinta, whale,
};
use crate::verify::Engine;
use craig_program::horn::Contexts;
use craig_program::{Program, is_recursive};

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

/// A member of a portfolio: the name of an engine, and the part of the remaining time that it may use, in
/// per cent.
type Share = (&'static str, u32);

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
        engine: || Engine::Impact,
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

/// For programs, in the order in which workers take the members. Those that often know soon are asked for a short time first, so
/// that nobody waits for the others to give up. The last but one fixes factors of products to
/// values, where the others give up at once; the last has the time that is left where all others do, as with floating
/// point.
const INLINED: &[Share] = &[
    ("random", 8),
    ("vinta-boxes", 4),
    ("frames", 4),
    ("partitioning", 8),
    ("acceleration", 3),
    ("houdini", 4),
    ("vinta-boxes", 20),
    ("frames", 15),
    ("bits", 12),
    ("bits-induction", 8),
    ("acceleration", 5),
    ("cells", 50),
    ("houdini", 40),
    ("exploration", 8),
    ("acceleration", 25),
    ("vinta", 25),
    ("pdr", 60),
    ("bits-deeper", 30),
    ("bits-induction", 40),
    ("vinta-octagons", 50),
    ("ufo", 50),
    ("whale", 40),
    ("pdr-summaries", 40),
    ("ufo-cartesian", 60),
    ("ufo-restricted", 60),
    ("ufo-boolean-eager", 100),
    ("ufo-boolean", 100),
    ("lazy-annotation", 100),
    ("bits-deeper", 100),
];

/// The same for programs whose statements decide and copy rather than compute: state machines, schedulers, drivers. What
/// interpolation and guesses do for loops that count is of little use there, and `pdr` comes early.
const CONTROL: &[Share] = &[
    ("random", 2),
    ("partitioning", 10),
    ("vinta-boxes", 3),
    ("exploration", 3),
    ("vinta-boxes", 15),
    ("bits-induction", 5),
    ("pdr-variables", 15),
    ("pdr", 60),
    ("bits", 20),
    ("frames", 15),
    ("partitioning", 40),
    ("exploration", 12),
    ("dash", 10),
    ("lazy-annotation", 20),
    ("acceleration", 10),
    ("houdini", 20),
    ("vinta", 25),
    ("cells", 40),
    ("ufo", 40),
    ("bits-deeper", 30),
    ("bits-induction", 40),
    ("whale", 40),
    ("pdr-summaries", 40),
    ("vinta-octagons", 50),
    ("ufo-cartesian", 60),
    ("ufo-restricted", 60),
    ("ufo-boolean-eager", 100),
    ("ufo-boolean", 100),
    ("lazy-annotation", 100),
    ("bits-deeper", 100),
];

/// For short questions about some of many checks: members that soon know whether they can tell.
const SHORT: &[Share] = &[
    ("random", 5),
    ("frames", 50),
    ("vinta-boxes", 20),
    ("bits", 30),
    ("ufo", 30),
    ("houdini", 40),
    ("cells", 40),
    ("vinta-octagons", 50),
    ("bits-induction", 30),
    ("pdr", 100),
];

/// The share of `random` where there are no inputs: its only run answers, however long it is. Most are short; while others have
/// a chance, it has little time.
const ONLY_RUN: u32 = 40;
const ONLY_RUN_FIRST: u32 = 3;
/// After so many members, `random` has its share.
const BEFORE_ONLY_RUN: usize = 6;

/// The share of `houdini` where objects are linked; it is asked third then.
const OF_LINKS: u32 = 60;
/// The same among members for control, where it is asked once those that soon know are done, and others may know more.
const OF_LINKS_IN_CONTROL: Share = ("houdini", 50);

/// The share of `bits` where nothing is repeated: the first unwinding is all of the program.
const ONLY_UNWINDING: u32 = 60;

/// Before all others, where loops are a small part of a large program: its unwinding is soon complete, or soon too large.
const STRAIGHT: Share = ("bits", 10);

/// Before all others, where all runs seem to end soon: an unwinding that is complete is there in no time, and the rest is
/// search in what is finite.
const SOON: Share = ("bits", 60);

/// The members whose proofs are contracts.
const CONTRACTS: &[Share] = &[
    ("random", 5),
    ("whale", 100),
    ("bits", 5),
    ("pdr-summaries", 100),
    ("lazy-annotation-procedures", 100),
];

/// Guesses and powers of the transition relation answer soon where they answer at all, often what `pdr` counts through one by
/// one; they have more time later. Unfolding finds what is near, and is soon lost in what is not. The last three are for data
/// types; automata are small, or not found at all.
const CLAUSES: &[Share] = &[
    ("pdr", 100),
    ("houdini", 5),
    ("tpa", 8),
    ("cells", 50),
    ("bmc", 10),
    ("tpa", 40),
    ("houdini", 30),
    ("duality", 100),
    ("regular", 20),
    ("resolution", 100),
    ("sizes", 100),
];

/// The default members for a program. Where recursion cannot be inlined, contracts are the only proofs.
pub fn portfolio(program: &Program, effort: Effort, seed: u64) -> Vec<Member<Engine>> {
    let shares = match effort {
        _ if is_recursive(program) => CONTRACTS,
        Effort::Short => SHORT,
        Effort::Full if is_control(program) => CONTROL,
        Effort::Full => INLINED,
    };
    let mut members = seeded(shares, seed);
    if ends_soon(program) {
        members.retain(|member| member.name != SOON.0);
        members.splice(0..0, seeded(&[SOON], seed));
    } else if shares == CONTROL && is_mostly_straight(program) {
        members.splice(0..0, seeded(&[STRAIGHT], seed));
    }
    // What lists and trees need is an invariant about every object: only guesses are of this kind.
    if (shares == SHORT || shares == INLINED)
        && has_links(program)
        && let Some(guesses) = members.iter().position(|member| matches!(member.engine, Engine::Houdini))
        && let Some(earlier) = members.get_mut(2..=guesses)
    {
        earlier.rotate_right(1);
        members[2].share = OF_LINKS;
    } else if shares == CONTROL
        && has_links(program)
        && let Some(place) = members.iter().position(|member| matches!(member.engine, Engine::Pdr))
    {
        members.splice(place..place, seeded(&[OF_LINKS_IN_CONTROL], seed));
    }
    if !has_arrays(program) {
        members.retain(|member| !matches!(member.engine, Engine::Cells | Engine::Variables));
    }
    if !has_bits(program) || !has_loops(program) {
        members.retain(|member| !matches!(member.engine, Engine::Induction));
    }
    if !has_inputs(program) {
        let run = members.iter_mut().find(|member| matches!(member.engine, Engine::Random(_)));
        let again = run.map(|member| {
            member.share = ONLY_RUN_FIRST;
            Member { share: ONLY_RUN, ..*member }
        });
        let place = BEFORE_ONLY_RUN.min(members.len());
        members.splice(place..place, again);
    }
    if effort == Effort::Full && !has_loops(program) {
        let bits = members.iter_mut().filter(|member| matches!(member.engine, Engine::Bits));
        bits.for_each(|member| member.share = member.share.max(ONLY_UNWINDING));
    }
    members
}

/// The members whose proofs are contracts, for any program.
pub fn contract_portfolio(seed: u64) -> Vec<Member<Engine>> {
    seeded(CONTRACTS, seed)
}

fn seeded(shares: &[Share], seed: u64) -> Vec<Member<Engine>> {
    let mut members = members(PROGRAM_ENGINES, shares);
    members.iter_mut().for_each(|member| member.engine = member.engine.with_seed(seed));
    members
}

/// The default members for Horn clauses.
pub fn clause_portfolio() -> Vec<Member<HornEngine>> {
    members(CLAUSE_ENGINES, CLAUSES)
}

/// The entry of that name.
pub fn find<E>(table: &'static [Entry<E>], name: &str) -> Option<&'static Entry<E>> {
    table.iter().find(|entry| entry.name == name)
}

fn members<E>(table: &'static [Entry<E>], shares: &[Share]) -> Vec<Member<E>> {
    let named = shares.iter().filter_map(|&(name, share)| Some((find(table, name)?, share)));
    named.map(|(entry, share)| Member { name: entry.name, engine: (entry.engine)(), share }).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_the_portfolios_use_them() {
        let program: Vec<&str> = PROGRAM_ENGINES.iter().map(|entry| entry.name).collect();
        let clauses: Vec<&str> = CLAUSE_ENGINES.iter().map(|entry| entry.name).collect();
        for names in [&program, &clauses] {
            assert!(names.iter().enumerate().all(|(i, name)| !names[..i].contains(name)), "{names:?}");
        }
        for (name, share) in INLINED.iter().chain(CONTROL).chain(CONTRACTS).chain(SHORT) {
            assert!(program.contains(name) && (1..=100).contains(share), "{name}");
        }
        for (name, share) in CLAUSES {
            assert!(clauses.contains(name) && (1..=100).contains(share), "{name}");
        }
    }

    fn load(text: &str) -> Program {
        let options = craig_cfront::lower::Options::default();
        let texts = vec![("test.c".to_string(), text.as_bytes().to_vec())];
        let loaded = craig_cfront::load_texts(texts, craig_cfront::types::DataModel::Lp64, &options);
        loaded.program.expect("a program")
    }

    #[test]
    fn inductions_over_bits_are_asked_about_floats() {
        let filter = "
            float __VERIFIER_nondet_float(void);
            void __VERIFIER_error(void);
            int main(void) {
                float x = 0;
                while (__VERIFIER_nondet_float() > 0) x = x * 0.5f + 1.0f;
                if (!(x <= 2.0f)) __VERIFIER_error();
                return 0;
            }";
        let of_integers =
            filter.replace("float", "int").replace("0.5f", "3").replace("1.0f", "1").replace("2.0f", "2");
        for (text, asked) in [(filter, true), (of_integers.as_str(), false)] {
            let members = portfolio(&load(text), Effort::Full, 0);
            assert_eq!(members.iter().any(|member| member.name == "bits-induction"), asked);
        }
    }

    /// Where each engine of these names stands first.
    fn places<const N: usize>(text: &str, names: [&str; N]) -> [usize; N] {
        let program = load(text);
        assert!(is_control(&program));
        let members = portfolio(&program, Effort::Full, 0);
        names.map(|name| members.iter().position(|member| member.name == name).expect("a member"))
    }

    #[test]
    fn guesses_about_objects_come_early_where_control_follows_links() {
        let copies = "    x = y; if (x) y = 0; else y = x;\n".repeat(60);
        let list = format!(
            "void *malloc(unsigned long);
             int __VERIFIER_nondet_int(void);
             void __VERIFIER_error(void);
             struct node {{ struct node *next; int data; }};
             int main(void) {{
                 int x = 0, y = __VERIFIER_nondet_int();
                 struct node *list = 0;
                 while (__VERIFIER_nondet_int()) {{
                     struct node *node = malloc(sizeof *node);
                     if (!node) return 0;
                     node->next = list; node->data = 1; list = node;
                 }}
                 while (y) {{ {copies} y = __VERIFIER_nondet_int(); }}
                 for (; list; list = list->next)
                     if (list->data != 1) __VERIFIER_error();
                 return x;
             }}"
        );
        let [guesses, pdr] = places(&list, ["houdini", "pdr"]);
        assert!(guesses < pdr);
        let no_list = list.replace("list = list->next", "list = 0");
        let [guesses, pdr] = places(&no_list, ["houdini", "pdr"]);
        assert!(pdr < guesses);
    }
}
