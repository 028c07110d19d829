#!/usr/bin/env python3
"""Writes portfolio.md: the portfolio of Table 7.1 of the thesis on UFO, member by member, beside what `craig check` does by itself.

    docs/experiments/portfolio.py [--limit 60] [--most N] [--minutes N] [--suite FOLDER] [--craig PROGRAM] [--report]

Limits are of processor time. What was measured is kept, so that the same command goes on where it was stopped.
"""
import collections, os

from figures import PageRuns
from runs import about_errors, arguments, claimed, expected, in_passes, summarise, table, verdict, write

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = ["c/locks", "c/ntdrivers-simplified", "c/ssh-simplified", "c/systemc", "c/product-lines"]


def widen(every):
    return ["--plain", "--no-thresholds", "--widen-after", str(every), "--widen-every", str(every)]


# Name and limit as in the table, arguments here. All refine with restricted interpolants.
MEMBERS = {
    "Boxes, 3": (20, ["--engine", "vinta-boxes", *widen(3)]),
    "Boxes, 17": (10, ["--engine", "vinta-boxes", *widen(17)]),
    "Cartesian Abs.": (None, ["--engine", "ufo", "--plain", "--post", "cartesian", "--refine", "restricted"]),
    "Box, 3": (None, ["--engine", "vinta", *widen(3)]),
    "Boolean Abs.": (20, ["--engine", "ufo", "--plain", "--post", "boolean", "--refine", "restricted"]),
    "Box + Boolean Abs., 3": (60, ["--engine", "vinta", *widen(3), "--post", "boolean"]),
}

# What members of `craig check` count.
ITERATIONS = ("refinements", "resolution steps", "backtracks")
# How many times the limit the clock may say for `craig check`, since others use the machine, too.
PATIENCE = 4


def make_page(runs):
    programs = [path for folder in FOLDERS for path in runs.sample(runs.programs(folder))]
    members, own, winners, at_once = {}, {}, {}, set()
    # It shares a time among its members, by the clock.
    shared = ["--jobs", "1", "--timeout", f"{PATIENCE * runs.limit}s"]
    for path in programs:
        for name, (bound, arguments_) in MEMBERS.items():
            answer = runs.measured(path, arguments_, min(bound or runs.limit, runs.limit))
            if answer is not None:
                members[path, name] = answer
        answer = runs.measured(path, shared)
        if answer is not None:
            own[path] = answer
            found = runs.run(about_errors(path, shared, "ilp32"))
            winners[path] = found.get("engine")
            if not any(found.get("stats", {}).get(f"{winners[path]}: {unit}") for unit in ITERATIONS):
                at_once.add(path)
    done = [path for path in programs if path in own and all((path, name) in members for name in MEMBERS)]
    right = lambda path, name: members[path, name].solved and members[path, name].is_right(path)
    solvers = {path: [name for name in MEMBERS if right(path, name)] for path in done}
    wins = collections.Counter(min(names, key=lambda name: members[path, name].cpu) for path, names in solvers.items() if names)
    alone = collections.Counter(names[0] for names in solvers.values() if len(names) == 1)
    ours = [path for path in done if own[path].solved and own[path].is_right(path)]
    theirs = [path for path in done if solvers[path]]
    wrong = sum(a.solved and not a.is_right(p) for p, a in own.items()) + sum(a.solved and not a.is_right(p) for (p, _), a in members.items())
    by_us = collections.Counter(winners[path] for path in ours)
    by_member = {name: sum(right(path, name) for path in done) for name in MEMBERS}
    unrefined = {name: sum(members[path, name].at_once("refinements") for path in done) for name in MEMBERS}
    best = max(by_member.values(), default=0)
    enough = len(done) >= 20
    rows = []
    for folder in FOLDERS:
        inside = [path for path in done if f"/{folder}/" in path]
        for kind in ("safe", "unsafe"):
            these = [path for path in inside if expected(path) == kind]
            rows.append([folder, kind, len(these), sum(path in theirs for path in these), sum(path in ours for path in these)])
    rows.append(["**all**", "", len(done), f"**{len(theirs)}**", f"**{len(ours)}**"])
    claims = [
        ["no instantiation is a clear winner; several together solve more (section 7.4)",
         f"best member {best}, all together {len(theirs)} of {len(done)}", verdict(len(theirs) > best, enough), "" if len(theirs) > best else "what one of them solves within this limit, its best member does as well"],
        ["precise domains answer soon or not at all, so that short limits cost them little (Table 7.1)",
         f"`Boxes, 3` wins {wins['Boxes, 3']} and `Boxes, 17` {wins['Boxes, 17']} of {len(theirs)}",
         verdict(wins["Boxes, 3"] + wins["Boxes, 17"] > 0, enough), ""],
        ["UFO solves all of ControlFlowInteger (locks, drivers, ssh)",
         "; ".join(f"{who} {sum(path in answered for path in control)} of {len(control)}" for who, answered in (("Table 7.1", theirs), ("craig check", ours))
                   for control in [[path for path in done if any(f"/{folder}/" in path for folder in FOLDERS[:3])]]),
         verdict(all(path in theirs or path in ours for path in done if any(f"/{folder}/" in path for folder in FOLDERS[:3])), enough),
         "the thesis had 900 s of processor time"],
    ]
    write(HERE, "portfolio.md", [
        "# The portfolio of the thesis, and the one here", "",
        runs.heading("portfolio", "of each folder") + " A member has what Table 7.1 gives it, if that is less. The portfolio of Table 7.1 is made of its members, "
        f"each run alone: it answers what one of them answers. Wrong answers: {wrong}.", "",
        claimed(claims),
        "## Folders", "", table(["folder", "", "programs", "Table 7.1", "craig check"], rows),
        "## Members of Table 7.1", "",
        table(["member", "limit in the thesis", "solved", "with 0 refinements", "first", "only one"],
              [[name, f"{bound} s" if bound else "none", by_member[name], unrefined[name], wins[name], alone[name]]
               for name, (bound, _) in MEMBERS.items()]),
        "## Members of `craig check` that answered first", "",
        table(["member", "answers", "with 0 iterations"],
              [[name, count, sum(path in at_once for path in ours if winners[path] == name)] for name, count in by_us.most_common()])
        if by_us else "Not measured.",
    ])
    summarise(HERE, "001, UFO", "portfolio", runs, claims)


if __name__ == "__main__":
    in_passes(arguments(__doc__, HERE), PageRuns, make_page)
