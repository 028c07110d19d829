#!/usr/bin/env python3
"""Writes whale.md: chapter 6 of the thesis, procedure summaries from interpolants, made anew with the engines here.

    docs/experiments/whale.py [--limit 60] [--most N] [--minutes N] [--suite FOLDER] [--craig PROGRAM] [--report]

Limits are of processor time. What was measured is kept, so that the same command goes on where it was stopped.
"""
import glob, os, shutil

from figures import PageRuns
from runs import arguments, claimed, in_passes, short, summarise, table, verdict, write

HERE = os.path.dirname(os.path.abspath(__file__))
CONFIGS = {
    "whale": ["--engine", "whale", "--plain"],
    "no runs": ["--engine", "whale", "--plain", "--no-runs"],
    "no runs, no boxes": ["--engine", "whale-unrestricted", "--plain", "--no-runs"],
    "as in the thesis": ["--engine", "whale-instances", "--plain"],
    "refuted once": ["--engine", "whale-labels", "--plain"],
    "one ARG per call": ["--engine", "whale-tree", "--plain", "--no-runs"],
    "path by path": ["--engine", "whale-paths", "--plain", "--no-runs"],
    "tree interpolants": ["--engine", "whale-tree-interpolants", "--plain", "--no-runs"],
    "impact": ["--engine", "impact", "--plain"],
    "impact-paths": ["--engine", "impact-paths", "--plain"],
    "ufo": ["--engine", "ufo", "--plain"],
}
OWN = list(CONFIGS)[:8]
THESIS_ITSELF = "as in the thesis"
ONCE = "refuted once"
# A tree of the statements between branches and joins, as WOLVERINE had it.
WOLVERINE = "impact-paths"
# ARGs, refinements, seconds of WHALE and of WOLVERINE (Table 6.1).
THESIS = [("ddd1.c", 5, 3, 0.43, 4.01), ("ddd2.c", 5, 3, 0.59, 5.71), ("ddd3.c", 6, 5, 20.19, 30.56),
          ("ddd1err.c", 5, 1, 0.16, 3.82), ("ddd2err.c", 5, 1, 0.28, 5.72), ("ddd3err.c", 5, 11, 126.4, 17.25),
          ("ddd4err.c", 6, 1, 5.73, 1.76)]
FOLDERS = ["c/recursive-simple", "c/recursive", "c/locks", "c/ntdrivers-simplified"]
DEPTHS = [5, 10, 15, 20, 25, 30]


def chain(depth):
    """Function `i` calls function `i + 1` twice."""
    lines = [f"void reach_error(void); int nondet(void); int f{depth}(int x) {{ return x + 1; }}"]
    lines += [f"int f{i}(int x) {{ return f{i + 1}(f{i + 1}(x)) - 1; }}" for i in range(depth - 1, 0, -1)]
    lines.append("int main(void) { int x = nondet(); if (f1(x) != x + 1) reach_error(); return 0; }")
    return "\n".join(lines) + "\n"


def family(step):
    """Twenty functions with a loop each; the seventh counts in steps of `step`."""
    lines = ["void reach_error(void); int nondet(void);"]
    for i in range(1, 21):
        by = step if i == 7 else 1
        lines.append(f"""int w{i}(int n) {{
    int left = n, done = 0, marked = 0, phase = 0, credit = 0;
    if (n < 0) return 0;
    while (left > 0) {{
        if (phase == 0) {{ credit = credit + {by}; phase = 1; }}
        else if (phase == 1) {{ if (nondet()) marked = done; phase = 2; }}
        else {{ if (credit <= 0) reach_error(); credit = credit - {by}; phase = 0; left--; done++; }}
    }}
    if (done != n || marked > n || marked < 0) reach_error();
    return done; }}""")
    calls = "".join(f"s = w{i}(nondet()); if (s < 0) reach_error();\n" for i in range(1, 21))
    return "\n".join(lines) + "\nint main(void) { int s = 0;\n" + calls + "return 0; }\n"


def shown(answer):
    if answer is None:
        return "not measured"
    if not answer.solved:
        return "–"
    by_labels = answer.count("refinements by labels")
    return f"{answer.cpu:.2f}, {answer.count('refinements')}" + (f" + {by_labels}" if by_labels else "")


def make_page(runs):
    programs = sorted(glob.glob("examples/programs/pacemaker_*.c"))
    # What the claims are about comes first.
    first = [ONCE, THESIS_ITSELF, WOLVERINE, "impact"]
    paced = {(path, name): runs.measured(path, CONFIGS[name]) for name in first for path in programs}
    is_bug = lambda path: path.endswith("_bug.c")
    right = lambda path, name: (answer := paced[path, name]) is not None and answer.verdict == ("unsafe" if is_bug(path) else "safe")
    chained = {}
    for name in ("no runs, no boxes", THESIS_ITSELF, ONCE, "ufo"):
        for depth in DEPTHS:
            answer = runs.measured(runs.file(f"chain{depth}.c", chain(depth)), CONFIGS[name])
            chained[depth, name] = answer
            if answer is not None and not answer.solved:
                # Nor is there one for those that are longer.
                chained.update({(longer, name): answer for longer in DEPTHS if longer > depth})
                break
    for name in [name for name in CONFIGS if name not in first]:
        paced.update({(path, name): runs.measured(path, CONFIGS[name]) for path in programs})
    cache = os.path.join(runs.work, "cache")
    cached = []
    with_cache = ["--engine", "whale", "--summary-cache", cache]
    for number, step in enumerate((1, 2, 2)):
        path = runs.file(f"family{number}.c", family(step))
        if number == 0 and not runs.report and not runs.knows(path, with_cache):
            shutil.rmtree(cache, ignore_errors=True)
        cached.append((step, runs.measured(path, with_cache)))
        if not (cached[-1][1] and cached[-1][1].solved):
            break
    folders = {}
    for path in [path for folder in FOLDERS for path in runs.sample(runs.programs(folder))]:
        for name in ("whale", THESIS_ITSELF, ONCE):
            answer = runs.measured(path, CONFIGS[name])
            if answer is not None:
                folders.setdefault(os.path.relpath(os.path.dirname(path), runs.suite), {}).setdefault(path, {})[name] = answer
    clauses = sorted(glob.glob(os.path.join(runs.suite, "chc", "ufo-tacas2012", "DDD*.smt2")))
    ddd = [(path, {name: runs.solved(path, ["--engine", name]) for name in ("duality", "pdr")}) for path in clauses]

    bugs, safe = [p for p in programs if is_bug(p)], [p for p in programs if not is_bug(p)]
    found = {name: [paced[p, name].count("refinements") for p in bugs if right(p, name)] for name in OWN[1:]}
    total = lambda name: sum(paced[p, name].cpu for p in safe if paced[p, name])
    proved = {name: sum(right(p, name) for p in safe) for name in CONFIGS}
    refined = {name: [paced[p, name].count("refinements") for p in safe if right(p, name)] for name in (ONCE, THESIS_ITSELF)}
    asked = lambda paths, *names: all(paced[p, name] for p in paths for name in names)
    linear = [chained[depth, "no runs, no boxes"] for depth in DEPTHS]
    steps = [answer.count("refinements") for answer in linear if answer and answer.solved]
    claims = [
        ["WHALE proves the three safe pacemaker programs, faster than WOLVERINE",
         "; ".join(f"{name}: {proved[name]} of {len(safe)} in {total(name):.2f} s" for name in (*refined, WOLVERINE, "impact")),
         verdict((proved[ONCE], -total(ONCE)) > (proved[WOLVERINE], -total(WOLVERINE)), asked(safe, *first)),
         f"WOLVERINE unwound the graph as it is, as `{WOLVERINE}` does. `impact` has one formula for all that is between two loop heads of the inlined program, "
         "and is faster than WHALE, which has an ARG for every call: what made the difference in the thesis is the size of blocks"],
        ["it needs 3 to 5 refinements for them", "; ".join(f"{name}: {refined[name]}" for name in refined),
         verdict(all(max(counts or [99]) <= 5 for counts in refined.values()), asked(safe, ONCE, THESIS_ITSELF)),
         "REFINEARG of the thesis labels the callees of one ARG and goes down from there, so that it is called about once for each function: 3 to 5 times for "
         f"5 or 6 ARGs there, for about 30 functions here (\"{THESIS_ITSELF}\"). Where one refutation labels everything below, as many are needed as the loop has turns until its ARGs "
         "are covered, or a few more where a guess was wrong"],
        ["it finds the errors in 1 to 11 refinements, without runs",
         "; ".join(f"{name}: {len(found[name])} of {len(bugs)}" + (f", refinements {found[name]}" if found[name] else "")
                   for name in found if asked(bugs, name)),
         verdict(len(found[THESIS_ITSELF]) == len(bugs) and max(found[THESIS_ITSELF] or [99]) <= 11, asked(bugs, THESIS_ITSELF)),
         "as in the thesis, six turns of a loop and all calls in them are looked into before anything is guessed; where executions of functions are facts, one "
         "refinement is needed for each function and each turn of a loop"],
        ["summaries make proofs modular: cost grows with the program, not with its unrolled calls",
         f"refinements for chains of depth {DEPTHS}: {steps}; `ufo` (inlined) answers up to depth "
         f"{max([d for d in DEPTHS if (a := chained[d, 'ufo']) and a.solved] or [0])}",
         verdict(len(steps) == len(DEPTHS) and steps[-1] < 10 * steps[0], all(linear)), ""],
        ["instantiating the ARGs of callees risks an exponential explosion (section 6.7)",
         THESIS_ITSELF + ", depths answered: " + str([d for d in DEPTHS if (a := chained[d, "as in the thesis"]) and a.solved]),
         verdict(any((a := chained[d, "as in the thesis"]) and not a.solved for d in DEPTHS), chained[DEPTHS[0], "as in the thesis"] is not None),
         "facts about callees, which `whale` has instead, do not grow so"],
    ]
    write(HERE, "whale.md", [
        "# WHALE: procedure summaries from interpolants", "",
        runs.heading("whale", "of each folder") + " Front end and the check of all contracts are part of it. All engines start from the program as it is "
        "(`--plain`). Cells: seconds, refinements; – stands for no answer.", "",
        claimed(claims),
        "## Table 6.1: pacemaker programs", "",
        "The programs of the chapter are not public as C; these are Craig's own, of the same kind and size. `whale` restricts interpolants by "
        "boxes and takes first facts from runs; \"as in the thesis\" (`whale-instances`) does neither, has one ARG for each call, covers, and "
        "under-approximates calls by copies of the ARGs that justify them; \"refuted once\" (`whale-labels`) does the same, but one refutation labels "
        "all ARGs below by tree interpolants, and calls stand for these labels as long as nothing below them grows (refinements by labels, which look into one "
        "function, are counted after the +; two turns of a loop are looked into at once, not six). `impact` and `ufo` work on the inlined program, and so does `impact-paths`, whose blocks end where paths branch or join. An error that a "
        "run of `whale` meets needs no refinement.", "",
        table(["program", *CONFIGS], [[short(path), *(shown(paced[path, name]) for name in CONFIGS)] for path in programs]),
        "The table of the thesis:", "",
        table(["program", "ARGs", "refinements", "WHALE, s", "WOLVERINE, s"], THESIS),
        "## The clauses of the original pacemaker programs", "",
        table(["clauses", "duality", "pdr"], [[os.path.basename(path), *(
            "not measured" if a is None else f"{ {'safe': 'sat', 'unsafe': 'unsat'}.get(a.verdict, '–')}, {a.cpu:.2f}" for a in by.values())]
            for path, by in ddd]),
        "## Call chains", "",
        "Function `i` calls function `i + 1` twice, so inlining doubles with each level.", "",
        table(["depth", "no runs, no boxes", THESIS_ITSELF, ONCE, "ufo (inlined)"],
              [[depth, *(shown(chained[depth, name]) for name in ("no runs, no boxes", THESIS_ITSELF, ONCE, "ufo"))] for depth in DEPTHS]),
        "## Summary cache", "",
        "Twenty functions with a loop each. Between the first and the second run one of them is edited; the third run is the second once more.", "",
        table(["run", "seconds, refinements"], [[f"{number}, step {step}", shown(answer)] for number, (step, answer) in enumerate(cached, 1)]),
        "## Folders, with procedures kept", "",
        table(["folder", "measured", "whale", THESIS_ITSELF, ONCE, "wrong"], [
            [folder, len(by), *(sum(name in a and a[name].is_right(path) for path, a in by.items()) for name in ("whale", THESIS_ITSELF, ONCE)),
             sum(x.solved and not x.is_right(path) for path, a in by.items() for x in a.values())]
            for folder, by in sorted(folders.items())]),
    ])
    summarise(HERE, "001, WHALE", "whale", runs, claims)


if __name__ == "__main__":
    in_passes(arguments(__doc__, HERE), PageRuns, make_page)
