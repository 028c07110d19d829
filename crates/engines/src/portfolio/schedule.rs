//! Who is asked, in which order, and for how long: the default portfolios, made of the engines of [`super::table`] by what a
//! program looks like.

use super::each::Effort;
use super::race::Member;
use super::shape::{
    ends_soon, has_arrays, has_bits, has_floats, has_inputs, has_links, has_loops, is_control,
    is_mostly_straight,
};
use super::table::{CLAUSE_ENGINES, Entry, PROGRAM_ENGINES, find};
use crate::horn::solve::HornEngine;
use crate::verify::Engine;
use craig_program::{Program, is_recursive};

/// A member of a portfolio: the name of an engine, and the part of the remaining time that it may use, in
/// per cent.
type Share = (&'static str, u32);

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
/// Its share where floating numbers decide.
const SOON_OF_FLOATS: u32 = 75;

/// Among the first, where loops compute with floating numbers: most others know next to nothing of these.
const OF_FLOATS: Share = ("bits-induction", 25);
/// Before it come random runs and a first look at bounds.
const BEFORE_OF_FLOATS: usize = 2;

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
    // What lists and trees need is an invariant about every object: only guesses are of this kind. Where control decides, that
    // is known of questions about objects.
    if (shares == SHORT || shares == INLINED || shares == CONTROL && program.tracked.is_some())
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
    if effort == Effort::Full && !is_recursive(program) && has_floats(program) {
        let place = BEFORE_OF_FLOATS.min(members.len());
        members.splice(place..place, seeded(&[OF_FLOATS], seed));
        let soon = members.first_mut().filter(|first| matches!(first.engine, Engine::Bits));
        soon.into_iter().for_each(|soon| soon.share = SOON_OF_FLOATS);
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

fn members<E>(table: &'static [Entry<E>], shares: &[Share]) -> Vec<Member<E>> {
    let named = shares.iter().filter_map(|&(name, share)| Some((find(table, name)?, share)));
    named.map(|(entry, share)| Member { name: entry.name, engine: (entry.engine)(), share }).collect()
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

    #[test]
    fn unwindings_come_first_where_loops_that_ask_are_counted() {
        let copies = "    x = y; if (x) y = 0; else y = x;\n".repeat(60);
        let list = format!(
            "void *malloc(unsigned long);
             int __VERIFIER_nondet_int(void);
             void __VERIFIER_error(void);
             struct node {{ struct node *next; int data; }};
             int main(void) {{
                 int x = 0, y = __VERIFIER_nondet_int(), nodes = 0;
                 struct node *list = 0;
                 while (nodes < 5 && __VERIFIER_nondet_int()) {{
                     struct node *node = malloc(sizeof *node);
                     if (!node) return 0;
                     node->next = list; node->data = 1; list = node; nodes++;
                 }}
                 {copies}
                 for (; list; list = list->next)
                     if (list->data != 1) __VERIFIER_error();
                 return x;
             }}"
        );
        let any_length = list.replace("nodes < 5 &&", "");
        for (text, is_counted) in [(&list, true), (&any_length, false)] {
            let program = load(text);
            assert!(is_control(&program));
            assert_eq!(ends_soon(&program), is_counted);
        }
    }
}
