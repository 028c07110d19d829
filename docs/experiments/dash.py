#!/usr/bin/env python3
"""Makes docs/experiments/dash.md anew: the experiments of 004 (DASH).

usage, from the root of the repository: python3 docs/experiments/dash.py [--limit SECONDS] [--most N] [--report]

Needs Python, a release build, and the benchmarks (--suite). The same command given again goes on where it was stopped.
"""
import os, re, shutil
from runs import Runs, arguments, beyond, claimed, in_passes, short, summarise, table, verdict, write

HERE = os.path.dirname(os.path.abspath(__file__))
DASH = ["--engine", "dash", "--no-runs", "--plain"]
SLAM = ["--engine", "ufo-boolean-eager", "--plain"]
ENGINES = [
    ("dash", DASH),
    ("dash, one region", [*DASH, "--one-region"]),
    ("SLAM's stand-in", SLAM),
]
VARIANTS = [
    ("dash", []),
    ("without generalisation", ["--without", "generalisation"]),
    ("without joined targets", ["--without", "joining"]),
    ("without weaker predicates (5b)", ["--without", "weakening"]),
    ("without restarts", ["--without", "restarts"]),
    ("without joined decisions", ["--without", "decisions"]),
    ("with random tests", None),
]
NAMED = ["dash-frontiers", "dash-disjunctive", "dash-procedures"]
FOLDERS = ["locks", "ntdrivers-simplified", "ssh-simplified", "recursive-simple", "ldv-regression", "list-properties"]
FIGURES = ["lock_unlock", "lock_unlock_bug", "alias", "alias_bug", "alias_many", "inc", "inc_bug"]
SIZES = {"locks": 13, "ssh-simplified": 26}
WANTED = {"locks": 11, "ssh-simplified": 20}
# What fewer programs show decides nothing.
ENOUGH = 10
# Seconds of a program that is as large as the paper's were, about.
LARGE = 0.1
MOST = "most solver calls in an iteration"
CASES = "most cases of aliasing in a predicate"


def steps(answer):
    return answer.count("iterations") or answer.count("refinements")


def figures(runs):
    rows, proved = [], True
    for name in FIGURES:
        path = f"examples/papers/dash_{name}.c"
        row = [name]
        for _, options in [("dash", DASH), ("procedures", ["--engine", "dash-procedures", *DASH[2:]]), ("SLAM", SLAM)]:
            answer = runs.check(path, options)
            row += [answer.word(answer.verdict), answer.word(f"{steps(answer):,}"), f"{answer.cpu:.2f}"]
            if not answer.missing and options[1] != "ufo-boolean-eager":
                proved &= answer.verdict == ("unsafe" if name.endswith("bug") else "safe")
        rows.append(row)
    head = ["figure"]
    for name in ["dash", "dash-procedures", "SLAM's stand-in"]:
        head += [name, "iterations", "s"]
    return table(head, rows), proved


def pointers(n, error):
    """Figure 5, with a branch between the stores, so that they are in different blocks."""
    lines = ["extern int __VERIFIER_nondet_int(void);", "extern void reach_error(void);", "extern void exit(int);", "int cells[100];"]
    lines += ["int *choose(void) {", "    unsigned i = __VERIFIER_nondet_int();", "    if (i >= 100) exit(0);", "    return &cells[i];", "}"]
    lines += ["int main(void) {", "    int *p = choose();"]
    lines += [f"    int *p{i} = choose();" for i in range(1, n + 1)]
    lines += [f"    if (p == p{i}) return 0;" for i in range(1, n + 1)]
    lines += [f"    *p{i} = 0;" for i in range(1, n + 1)]
    lines += ["    if (__VERIFIER_nondet_int()) return 0;", "    *p = 1;", f"    if ({error}) reach_error();"]
    return "\n".join(lines + ["    return 0;", "}"]) + "\n"


def figure_5(runs):
    """n pointers, with WPα and with WP: the disjunction of the figure, and a sum as in section 4.2.1."""
    rows, few, many = [], [], []
    for n in [2, 4, 6, 8, 10, 20]:
        names = [f"*p{i}" for i in range(1, n + 1)]
        row = [n]
        for kind, error in [("disjunction", " | ".join(f"({name} == 1)" for name in names)), ("sum", " + ".join(names) + " != 0")]:
            path = runs.file(f"{kind}{n}.c", pointers(n, error))
            answer = runs.check(path, DASH)
            row += [answer.word(answer.count("iterations")), answer.word(f"{answer.cpu:.2f}")]
            if kind == "sum" and not answer.missing:
                few.append((n, answer))
            full = runs.check(path, [*DASH, "--without", "aliasing"]) if n <= 10 else None
            row += ["", ""] if full is None else [full.word(f"{full.count(CASES):,}"), full.word(f"{full.cpu:.2f}")]
            if full is not None and kind == "sum" and not full.missing:
                many.append((n, full))
        rows.append(row)
    head = ["n"]
    for kind in ["disjunction", "sum"]:
        head += [f"{kind}, WPα: iterations", "s", "WP: most cases in a part of a predicate", "s"]
    return table(head, rows), few, many


def folders(runs):
    rows, totals, most, points, of_dash = [], {}, 0, [], {}
    for folder in FOLDERS:
        paths = runs.programs("c/" + folder)
        for name, options in ENGINES:
            tried = paths if name == "dash" else runs.sample(paths)
            answers = runs.ask_all(tried, options)
            if not answers:
                totals[folder, name] = (0, 0)
                continue
            right = sum(answer.is_right(path) for path, answer in answers)
            wrong = sum(answer.solved and not answer.is_right(path) for path, answer in answers)
            at_once = sum(answer.solved and steps(answer) == 0 for _, answer in answers)
            count = sum(steps(answer) for _, answer in answers if answer.solved)
            time = sum(answer.cpu for _, answer in answers)
            rows.append([folder, name, f"{right} of {len(answers)}", wrong, at_once, f"{count:,}", f"{time:.1f}"])
            totals[folder, name] = (right, len(answers))
            if name == "dash":
                most = max([most] + [answer.count(MOST) for _, answer in answers if folder != "recursive-simple"])
                of_dash.update(answers)
            if name == "SLAM's stand-in":
                for path, answer in answers:
                    if path in of_dash:
                        points.append((folder, path, of_dash[path], answer))
    head = ["folder", "engine", "right", "wrong", "with 0 iterations", "iterations of the solved", "s"]
    return table(head, rows), totals, most, points


def figure_17(points):
    """Who is faster, on the programs that both were asked about."""
    both = [(a, b) for _, _, a, b in points if a.solved and b.solved]
    faster = sum(a.cpu <= b.cpu for a, b in both)
    agree = sum(a.verdict == b.verdict for a, b in both)
    rows = [
        ["asked", len(points)], ["solved by `dash`", sum(a.solved for _, _, a, _ in points)],
        ["solved by the stand-in", sum(b.solved for _, _, _, b in points)], ["solved by both", len(both)],
        ["with the same answer", agree], ["`dash` at least as fast", faster],
        ["seconds of `dash` on these", f"{sum(a.cpu for a, _ in both):.1f}"],
        ["seconds of the stand-in on these", f"{sum(b.cpu for _, b in both):.1f}"],
        ["iterations of `dash` on these", f"{sum(steps(a) for a, _ in both):,}"],
        ["refinements of the stand-in on these", f"{sum(steps(b) for _, b in both):,}"],
    ]
    return table(["", ""], rows), both, agree


def variants(runs):
    rows = []
    for folder in ["locks", "ntdrivers-simplified", "ssh-simplified"]:
        tried = runs.sample(runs.programs("c/" + folder))
        settings = [(name, ["--engine", "dash", "--plain"] if more is None else [*DASH, *more]) for name, more in VARIANTS]
        settings += [(name, ["--engine", name, *DASH[2:]]) for name in NAMED]
        for name, options in settings:
            answers = runs.ask_all(tried, options)
            if not answers:
                continue
            right = sum(answer.is_right(path) for path, answer in answers)
            wrong = sum(answer.solved and not answer.is_right(path) for path, answer in answers)
            at_once = sum(answer.solved and steps(answer) == 0 for _, answer in answers)
            count = sum(answer.count("refinements") for _, answer in answers if answer.solved)
            rows.append([folder, name, f"{right} of {len(answers)}", wrong, at_once, f"{count:,}", f"{sum(a.cpu for _, a in answers):.1f}"])
    return table(["folder", "variant", "right", "wrong", "with 0 iterations", "refinements of the solved", "s"], rows)


def cached_tests(runs):
    """The unsafe programs twice with the same folder of tests."""
    rows, twice = [], []
    seconds = lambda pairs: [sum(pair[run].cpu for pair in pairs) for run in (0, 1)]
    def row(name, count, pairs):
        first, second = seconds(pairs)
        rows.append([name, count, len(pairs), f"{first:.2f}", f"{second:.2f}", f"{first / max(second, 0.01):.1f}"])
    for folder in FOLDERS:
        found, paths = [], runs.programs("c/" + folder, "_false-unreach-call")
        for path in paths:
            cache = os.path.join(runs.work, "tests-" + short(path).replace(" ", "_"))
            options = [*DASH, "--test-cache", cache]
            if not runs.knows(path, options):
                shutil.rmtree(cache, ignore_errors=True)
            first = runs.check(path, options)
            if first.verdict != "unsafe":
                continue
            # Another seed, so that it counts as another run; the tests that are kept come first.
            second = runs.check(path, [*options, "--seed", "1"])
            if second.verdict == "unsafe":
                found.append((first, second))
        twice += found
        row(folder, len(paths), found)
    large = [pair for pair in twice if pair[0].cpu >= LARGE]
    row("all", "", twice)
    row(f"of these with {LARGE:g} s in the first run", "", large)
    return table(["folder", "programs", "found twice", "first run, s", "second run, s", "ratio"], rows), (twice, seconds(twice)), (large, seconds(large))


def watched(rule):
    """The functions that a rule is about."""
    with open(f"rules/{rule}.slic") as file:
        text = file.read()
    events = re.findall(r"(\w+|\[[^\]]*\])\.(?:entry|exit|return|call)", text)
    return set(re.findall(r"\w+", " ".join(events))) - {"main"}


def concerned(rule, path):
    with open(path, errors="replace") as file:
        text = file.read()
    return any(re.search(rf"\b{function}\b", text) for function in watched(rule))


def rules(runs):
    """Each rule with each driver that it concerns, and with each example."""
    names = sorted(name[:-5] for name in os.listdir("rules") if name.endswith(".slic"))
    rows = []
    for path in runs.programs("c/ntdrivers"):
        for rule in names:
            if concerned(rule, path):
                row = [short(path), rule]
                for options in [DASH, SLAM]:
                    answer = runs.check(path, [*options, "--rule", f"rules/{rule}.slic"])
                    row += [answer.word(answer.verdict), f"{steps(answer):,}" if answer.solved else "", f"{answer.cpu:.1f}"]
                rows.append(row)
    drivers = table(["driver", "rule", "dash", "iterations", "s", "SLAM's stand-in", "iterations", "s"], rows)
    decided = [sum(row[2] in ("safe", "unsafe") for row in rows), sum(row[5] in ("safe", "unsafe") for row in rows)]
    decided.append(sum(row[2] != "–" for row in rows))
    rows = []
    for program in sorted(os.listdir("rules/examples")):
        path = os.path.join("rules/examples", program)
        for rule in names:
            if concerned(rule, path):
                answer = runs.check(path, [*DASH, "--rule", f"rules/{rule}.slic"], model="lp64")
                rows.append([program, rule, answer.word(answer.verdict), f"{steps(answer):,}" if answer.solved else "", f"{answer.cpu:.2f}"])
    return drivers, decided, table(["program", "rule", "dash", "iterations", "s"], rows)


def claims(proved, few, many, totals, most, points, both, agree, cache, decided):
    rows = []
    def claim(text, measured, holds, why=""):
        rows.append([text, measured, verdict(holds), why])
    claim("Lemma 2: one call of the theorem prover in each iteration", f"at most {most} in any iteration of an inlined program", most <= 1 if most else None,
          "Calls for generalisation, which the paper does not have, are counted apart.")
    claim("Figures 1 and 3 are proved with the aliasing of the tests alone", "all of them" if proved else "not all", proved)
    blow = [(n, answer.count(CASES)) for n, answer in many if answer.solved]
    claim("Figure 5: WPα considers n comparisons where WP has 2^n cases",
          "a sum over n pointers, WPα: one case, " + ", ".join(f"{answer.count('iterations')} iterations for n = {n}" for n, answer in few[-2:]) +
          "; WP: " + ", ".join(f"{count:,} cases for n = {n}" for n, count in blow) +
          "".join(f", no answer for n = {n}" for n, answer in many if not answer.solved),
          None if not few else few[-1][1].solved and len(blow) > 1 and blow[-1][1] >= 2 ** blow[-1][0])
    time = [sum(a.cpu for a, _ in both), sum(b.cpu for _, b in both)]
    count = [sum(steps(a) for a, _ in both), sum(steps(b) for _, b in both)]
    claim("Table 1: many more iterations than SLAM, each much cheaper",
          f"on {len(both)} programs that both solve: {count[0]:,} iterations, {1000 * time[0] / max(count[0], 1):.1f} ms each; stand-in {count[1]:,}, "
          f"{1000 * time[1] / max(count[1], 1):.0f} ms each", None if len(both) < ENOUGH else count[0] > count[1] and time[0] / max(count[0], 1) < time[1] / max(count[1], 1))
    claim("Table 1: half of SLAM's time, and answers where SLAM has none",
          f"{time[0]:.0f} s and {time[1]:.0f} s; only `dash`: {sum(a.solved and not b.solved for _, _, a, b in points)}, "
          f"only the stand-in: {sum(b.solved and not a.solved for _, _, a, b in points)}",
          None if len(both) < ENOUGH else time[0] < time[1], "" if time[0] < time[1] else
          "The stand-in is a modern graph with large blocks and interpolants; SLAM made a Boolean program of every statement.")
    claim("Figure 17: identical answers on all programs", f"{agree} of {len(both)} that both solve", None if len(both) < ENOUGH else agree == len(both))
    (twice, (first, second)), (large, (slow, fast)) = cache
    claim("Tests of earlier runs make it 4 times as fast (17 s for 50 programs, then 4 s)",
          f"{slow:.1f} s, then {fast:.1f} s, on the {len(large)} programs that take at least {LARGE:g} s at first; {first:.1f} s, then {second:.1f} s, on all {len(twice)} with an error",
          None if len(large) < ENOUGH // 2 else slow >= 4 * fast,
          f"the paper's took 340 ms each. Most of these are smaller ({1000 * first / max(len(twice), 1):.0f} ms each); reading such a program and replaying its test is what is left")
    region = [(folder, totals[folder, "dash, one region"]) for folder in FOLDERS if totals[folder, "dash, one region"][1]]
    claim("No alias analysis is needed", "one region for all memory: " + ", ".join(f"{folder} {a} of {b}" for folder, (a, b) in region),
          None if len(region) < len(FOLDERS) else all(a > 0 for _, (a, b) in region))
    if decided[2]:
        claim("Rules of drivers are decided", f"`dash` {decided[0]} of {decided[2]} pairs of `c/ntdrivers`, stand-in {decided[1]}",
              None if decided[2] < 10 else decided[0] == decided[2], "the others are larger than what this limit allows")
    for folder, wanted in WANTED.items():
        right, asked = totals[folder, "dash"]
        if not asked:
            continue
        rows.append([f"(beyond the paper) `c/{folder}` without random tests, at least {wanted} expected", f"{right} of {asked}",
                     beyond(right, asked, wanted, SIZES[folder]), ""])
    return rows


def make_page(runs):
    growth, few, many = figure_5(runs)
    of_figures, proved = figures(runs)
    benchmarks, totals, most, points = folders(runs)
    scatter, both, agree = figure_17(points)
    caches, *cache = cached_tests(runs)
    drivers, decided, examples = rules(runs)
    of_variants = variants(runs)
    of_paper = claims(proved, few, many, totals, most, points, both, agree, cache, decided)
    summarise(HERE, "004, DASH", "dash", runs, of_paper)
    write(HERE, "dash.md", [
        "# DASH: the experiments of 004\n",
        runs.heading("dash", "of each folder, for the engines to compare with and the variants") +
        " `dash` is `--engine dash --no-runs --plain`: no random tests, as in the paper's experiments, and nothing known of a program in "
        "advance. `*` is no answer within the limit, `–` was not asked.\n",
        "SLAM's stand-in is `ufo-boolean-eager --plain`: predicate abstraction with Boolean post images, where interpolants only give "
        "predicates and every refinement starts anew.\n",
        "## What the paper claims\n", claimed(of_paper),
        "## The figures\n", "`examples/papers`.\n", of_figures,
        "## Figure 5: n pointers\n",
        "With the aliasing that the test met (WPα: one case), and with all cases (`--without aliasing`: WP). A branch between the stores "
        "keeps them in different blocks: within one block, terms decide most comparisons by themselves. In the figure's disjunction "
        "a case ends with the first pointer that is the same, so that n + 1 of 2^n are left; in a sum, as in section 4.2.1, none does.\n",
        growth,
        "## Table 1: benchmarks\n",
        "Programs with recursion are checked procedure by procedure (Figure 14), all others inlined." +
        (f" `dash` was asked about all programs, the others about at most {runs.most} of each folder." if runs.most else "") + "\n", benchmarks,
        "## Figure 17: against the stand-in\n", "All programs of the folders above that both were asked about.\n", scatter,
        "## Rules and drivers\n", "Each rule of `rules` with each program of `c/ntdrivers` that calls its functions.\n", drivers,
        "\nEach rule with each example that it concerns, by `dash`.\n", examples,
        "## The test cache\n", "The programs with an error, each twice with the same `--test-cache`.\n", caches,
        "## Variants\n",
        "What is beyond the paper, switched off alone, and variants by name" +
        (f"; at most {runs.most} programs of each folder" if runs.most else "") + ".\n", of_variants])


if __name__ == "__main__":
    in_passes(arguments(__doc__, HERE), Runs, make_page)
