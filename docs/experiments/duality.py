#!/usr/bin/env python3
"""Writes duality.md and its plots: the experiments of 002 (*Lazy Annotation Revisited*), made anew.

    docs/experiments/duality.py [--limit 60] [--most N] [--minutes N] [--suite FOLDER] [--craig PROGRAM] [--report]

Limits are of processor time. What was measured is kept, so that the same command goes on where it was stopped.
"""
import os

from figures import cactus, geometric_mean, manifest, PageRuns, scatter, write_figure
from runs import arguments, beyond, claimed, expected, in_passes, short, shuffled, summarise, table, verdict, write

HERE = os.path.dirname(os.path.abspath(__file__))
ENGINES = ["duality", "pdr", "bmc"]
SWITCHES = {
    "duality": [],
    "no decisions": ["--decisions", "none"],
    "decisions by blocks": ["--decisions", "blocks"],
    "no back-jumping": ["--no-back-jumping"],
    "no relevance": ["--no-relevance"],
    "no generalisation": ["--no-generalisation"],
    "no decisions, no generalisation": ["--decisions", "none", "--no-generalisation"],
    "prime implicants sampled": ["--sample-implicants"],
    "inductive generalisation": ["--inductive-generalisation"],
    "no eager propagation": ["--no-eager-propagation"],
    "no chain": ["--no-chain"],
    "no chain, covering only": ["--no-chain", "--convergence", "covering"],
    "LAWI": ["--convergence", "lawi"],
    "no facts": ["--no-facts"],
    "covering only": ["--convergence", "covering"],
    "predicate abstraction": ["--convergence", "predicates"],
}
# The C sources beside the clauses: CPRED and BOXES are what 002 calls two of UFO's configurations.
ON_C = {
    "duality": ["--engine", "duality", "--plain"],
    "pdr": ["--engine", "pdr-summaries", "--plain"],
    "CPRED": ["--engine", "ufo", "--plain", "--post", "cartesian"],
    "BOXES": ["--engine", "vinta-boxes", "--plain"],
}
C_FOLDERS = ["c/locks", "c/ntdrivers-simplified", "c/ssh-simplified", "c/systemc", "c/product-lines"]
RECURSIVE, WANTED = "c/recursive-simple", 44
KINDS = ("safe", "unsafe")


class Clauses:
    def __init__(self, runs, suite):
        self.runs, self.suite, self.answers = runs, suite, {}
        names = {"sat": "safe", "unsat": "unsafe"}
        self.expected = {task: names.get(answer) for task, answer in manifest(suite).items() if task.startswith("chc/")}

    def tasks(self, folder):
        return shuffled([task for task in self.expected if task.startswith(folder)])

    def ask(self, task, name, options):
        key = (task, name)
        if key not in self.answers:
            answer = self.runs.solved(os.path.join(self.suite, task), options)
            if answer is not None:
                self.answers[key] = answer
        return self.answers.get(key)

    def right(self, task, name):
        answer = self.answers.get((task, name))
        return answer is not None and answer.solved and self.expected[task] in (None, answer.verdict)

    def common(self, tasks, names):
        return [task for task in tasks if all((task, name) in self.answers for name in names)]

    def wrong(self):
        return sum(answer.solved and self.expected[task] not in (None, answer.verdict)
                   for (task, _), answer in self.answers.items())

    def kind(self, task):
        """What is expected, or else what was answered."""
        known = [answer.verdict for (other, _), answer in self.answers.items() if other == task and answer.solved]
        return self.expected[task] or (known[0] if known else None)


# What the engines of this page count: those on clauses, and UFO's.
STEPS = ("resolution steps", "refinements")


def at_once(answers):
    """How many were answered without a step."""
    return sum(answer is not None and answer.at_once(*STEPS) for answer in answers)


def solved_table(clauses, tasks, names):
    tasks = clauses.common(tasks, names)
    rows = []
    for group in sorted({os.path.dirname(task) for task in tasks}):
        own = [task for task in tasks if os.path.dirname(task) == group]
        rows.append([group, len(own), *(sum(clauses.right(task, name) for task in own) for name in names)])
    for kind in KINDS:
        own = [task for task in tasks if clauses.kind(task) == kind]
        rows.append([f"**{kind}**", len(own), *(f"**{sum(clauses.right(task, name) for task in own)}**" for name in names)])
    rows.append(["with 0 steps", "", *(at_once(clauses.answers[task, name] for task in tasks) for name in names)])
    return table(["folder", "tasks", *names], rows) if tasks else "Not measured.\n"


def effects(clauses, tasks):
    """What each switch costs, relative to the first line."""
    tasks = clauses.common(tasks, SWITCHES)
    rows = []
    for name in SWITCHES:
        both = [task for task in tasks if clauses.right(task, name) and clauses.right(task, "duality")]
        ratio = lambda value: geometric_mean(max(value(clauses.answers[task, name]), 1e-2)
                                             / max(value(clauses.answers[task, "duality"]), 1e-2) for task in both)
        shown = [f"{ratio(value):.2f}" if both else "–" for value in
                 (lambda a: a.cpu, lambda a: a.stats.get("resolution steps", 1), lambda a: a.stats.get("depth", 1))]
        acts = sum(clauses.answers[task, name].stats != clauses.answers[task, "duality"].stats
                   and clauses.answers[task, name].count("resolution steps") != clauses.answers[task, "duality"].count("resolution steps")
                   for task in both)
        rows.append([name, sum(clauses.right(task, name) for task in tasks), at_once(clauses.answers[task, name] for task in tasks), *shown,
                     f"{acts} of {len(both)}"])
    head = ["configuration", f"solved of {len(tasks)}", "with 0 steps", "time", "resolution steps", "depth", "other search on"]
    return table(head, rows) if tasks else "Not measured.\n"


# Means of the times of the same search differ by less than this.
NOISE = 0.15
# What fewer tasks show decides nothing.
ENOUGH = 20


def make_page(runs):
    clauses = Clauses(runs, runs.suite)
    lists = [clauses.tasks("chc/svcomp13/") + clauses.tasks("chc/ufo-tacas2012/"), clauses.tasks("chc/svcomp13/ssh"), clauses.tasks("chc/sdv/")]
    first, ssh, sdv = map(runs.sample, lists)
    engine = lambda name: ["--engine", name]
    programs = runs.sample([path for folder in C_FOLDERS for path in runs.programs(folder)])
    on_c = {}
    # What is enough for each claim first, then more of everything: each beginning is a sample of all experiments.
    jobs = [[lambda t=t, n=n: clauses.ask(t, n, engine(n)) for t in order for n in names]
            for order, names in ((ssh, ["duality", "pdr"]), (sdv, ["duality", "bmc"]), (first, ENGINES))]
    # Switches act where clauses have several atoms in their bodies.
    jobs.append([lambda t=t, n=n: clauses.ask(t, n, engine("duality") + SWITCHES[n]) for t in sdv[:12] + ssh[:12] for n in SWITCHES])
    of_ssh, of_drivers, of_all, of_switches = jobs
    for ask in of_drivers[:2 * ENOUGH] + of_switches[:ENOUGH // 2 * len(SWITCHES)] + of_all[:3 * ENOUGH] + of_ssh[:ENOUGH + 4]:
        ask()
    jobs.append([lambda p=p, n=n: on_c.__setitem__((p, n), runs.measured(p, ON_C[n])) for p in programs for n in ON_C])
    for round_ in range(max(map(len, jobs))):
        for job in jobs:
            if round_ < len(job):
                job[round_]()
    on_c = {key: answer for key, answer in on_c.items() if answer is not None}
    recursive = runs.ask_all(runs.programs(RECURSIVE), ON_C["duality"])
    write_page(runs, clauses, (first, ssh, sdv), list(map(len, lists)), programs, on_c, recursive)


def write_page(runs, clauses, lists, sizes, programs, on_c, recursive):
    first, ssh, sdv = lists
    done = clauses.common(first, ENGINES)
    figure2 = {name: [clauses.answers[task, name].cpu for task in done if clauses.right(task, name)] for name in ENGINES}
    write_figure(HERE, "duality-figure2.svg", cactus("Figure 2", figure2, runs.limit))
    pairs = clauses.common(ssh, ["duality", "pdr"])
    value = lambda task, name, what: clauses.answers[task, name].stats.get(what, 1) if clauses.right(task, name) else None
    for what, file, high in (("depth", "depth", 100), ("resolution steps", "steps", 10000)):
        points = [(value(task, "pdr", what), value(task, "duality", what)) for task in pairs]
        write_figure(HERE, f"duality-figure3-{file}.svg", scatter(f"Figure 3: {what}", [p for p in points if p != (None, None)],
                                                                 (f"pdr ({what})", f"duality ({what})"), 1, high))
    drivers = clauses.common(sdv, ["duality", "bmc"])
    seconds = lambda task, name: clauses.answers[task, name].cpu if clauses.right(task, name) else None
    points = [(seconds(task, "bmc"), seconds(task, "duality")) for task in drivers]
    write_figure(HERE, "duality-figure4.svg", scatter("Figure 4", [p for p in points if p != (None, None)],
                                                      ("bmc (seconds)", "duality (seconds)"), 0.01, runs.limit))
    both = [task for task in pairs if clauses.right(task, "pdr") and clauses.right(task, "duality")]
    mean = lambda name, what: geometric_mean(clauses.answers[task, name].stats.get(what, 0) for task in both)
    figure3 = table(["engine", f"solved of {len(pairs)}", "with 0 steps", "depth", "resolution steps", "lemmas", "solver calls"],
                    [[name, sum(clauses.right(task, name) for task in pairs), at_once(clauses.answers[task, name] for task in pairs),
                      *(f"{mean(name, what):.1f}" for what in ("depth", "resolution steps", "lemmas", "solver calls"))]
                     for name in ("duality", "pdr")])
    count = lambda tasks, name: sum(clauses.right(task, name) for task in tasks)
    faster = [task for task in drivers if clauses.right(task, "duality") and clauses.right(task, "bmc")]
    ratios = sorted(seconds(task, "bmc") / max(seconds(task, "duality"), 1e-2) for task in faster)
    switched = clauses.common(sdv + ssh, SWITCHES)
    ratio = lambda name: geometric_mean(clauses.answers[t, name].cpu / max(clauses.answers[t, "duality"].cpu, 1e-2) for t in switched
                                        if clauses.right(t, name) and clauses.right(t, "duality"))
    solved = lambda name: count(switched, name)
    steps_of = lambda t, name: max(clauses.answers[t, name].stats.get("resolution steps", 1), 1e-2)
    stepping = lambda name: geometric_mean(steps_of(t, name) / steps_of(t, "duality") for t in switched
                                           if clauses.right(t, name) and clauses.right(t, "duality"))
    compared = lambda name: (f"solves {solved(name)}, `duality` {solved('duality')} of {len(switched)}; time {ratio(name):.2f}, resolution "
                             f"steps {stepping(name):.2f}") if switched else "–"
    costs = lambda name: solved(name) < solved("duality") or (solved(name) == solved("duality") and ratio(name) > 1 + NOISE)
    helps = lambda name: ("not decided" if len(switched) < ENOUGH // 2 else "**confirmed**" if costs(name) else
                          "**contradicted**" if solved(name) > solved("duality") or ratio(name) < 1 - NOISE else "open")
    easy = f"these tasks are easy: times differ by no more than those of the same search do ({NOISE:.0%})"
    effect = lambda name: [compared(name), helps(name), easy if helps(name) == "open" else ""]
    spares = lambda name, why: [compared(name), verdict(not costs(name), len(switched) >= ENOUGH // 2), why if costs(name) else ""]
    steps = (mean("duality", "resolution steps"), mean("pdr", "resolution steps"), mean("duality", "depth"), mean("pdr", "depth")) if both else (0,) * 4
    recursed = sum(answer.is_right(path) for path, answer in recursive)
    claims = [
        ["lazy annotation solves more of the SV-COMP 2013 problems than PDR (Figure 2)",
         ", ".join(f"{name} {count(done, name)}" for name in ENGINES) + f" of {len(done)}",
         verdict(count(done, "duality") > count(done, "pdr"), len(done) >= ENOUGH),
         "" if count(done, "duality") > count(done, "pdr") else
         "`pdr` here learns sums of literals (Farkas) and shares its frames, its convergence and its solver with `duality`; the paper "
         "compared with Z3's of 2014"],
        ["its depth at convergence and its resolution steps are substantially lower on ssh (Figure 3)",
         f"depth {steps[2]:.1f} against {steps[3]:.1f}, steps {steps[0]:.1f} against {steps[1]:.1f} on {len(both)} tasks",
         verdict(steps[0] < 0.8 * steps[1] and steps[2] <= steps[3], len(both) >= ENOUGH // 2),
         "means (geometric) over what both solve; both share frames and convergence here, so that neither has a depth of its own"],
        ["against stratified inlining it is at worst about twice as slow, and at best faster by orders of magnitude (Figure 4)",
         (f"`duality` solves {count(drivers, 'duality')}, `bmc` {count(drivers, 'bmc')} of {len(drivers)}; bmc's time over duality's from "
          f"{ratios[0]:.2f} to {ratios[-1]:.1f}, median {ratios[len(ratios) // 2]:.2f}") if ratios else "–",
         verdict(ratios and ratios[0] >= 0.4 and ratios[-1] > 10, len(drivers) >= ENOUGH),
         "most of the clauses that are public simplify to few resolution steps here, and both need less than a second for them"],
        ["minterm decisions with generalisation help significantly", *effect("no decisions")],
        ["generalisation is needed where convergence depth matters", *effect("no generalisation")],
        ["the choice of the subgoal matters little", compared("no relevance"), verdict(abs(ratio("no relevance") - 1) < NOISE, len(switched) >= ENOUGH // 2),
         f"times differ by less than {NOISE:.0%}"],
        ["back-jumping gives a modest speed-up", *effect("no back-jumping")],
        ["node-wise unwinding with covering (LAWI) is how the annotation converges",
         *spares("LAWI", "every bounded problem is solved anew here, while depths of a chain keep what was learned")],
        ["depths need not be a chain", *spares("no chain", "what is learned at a depth is learned again at smaller ones")],
        [f"(beyond the paper) recursion: `{RECURSIVE}` by `duality` alone, at least {WANTED} expected",
         f"{recursed} of {len(recursive)}", beyond(recursed, len(recursive), WANTED, 46),
         "open: " + ", ".join(short(path) for path, answer in recursive if not answer.solved) if recursed < len(recursive) else ""],
    ]
    measured = [path for path in programs if all((path, name) in on_c for name in ON_C)]
    rows = []
    for folder in C_FOLDERS:
        own = [path for path in measured if f"/{folder}/" in path]
        rows.append([folder, len(own), *(sum(on_c[path, name].is_right(path) for path in own) for name in ON_C)])
    for kind in KINDS:
        own = [path for path in measured if expected(path) == kind]
        rows.append([f"**{kind}**", len(own), *(f"**{sum(on_c[path, name].is_right(path) for path in own)}**" for name in ON_C)])
    rows.append(["with 0 steps", "", *(at_once(on_c[path, name] for path in measured) for name in ON_C)])
    wrong = clauses.wrong() + sum(answer.solved and not answer.is_right(path) for path, answer in
                             [*((path, answer) for (path, _), answer in on_c.items()), *recursive])
    write(HERE, "duality.md", [
        "# Lazy annotation against its relatives", "",
        f"The experiments of 002 (*Lazy Annotation Revisited*). {runs.heading('duality', 'or clauses, for each experiment')} The paper had 180 s of a clock. Wrong answers: {wrong}. "
        "Answers with 0 steps (resolution steps of the engines on clauses, refinements of UFO's) are counted apart: simplification of the clauses had "
        "decided them, or the first labels.", "",
        claimed(claims),
        f"## Figure 2: SV-COMP 2013 and the clauses of UFO's tables, {len(done)} of {sizes[0]} files", "",
        solved_table(clauses, first, ENGINES),
        "![cactus plot](duality-figure2.svg)", "",
        f"## Figure 3: what is learned on ssh, {len(pairs)} of {sizes[1]} problems", "", figure3,
        f"Means (geometric) over the {len(both)} that both solve.", "",
        "![depth at convergence](duality-figure3-depth.svg) ![resolution steps](duality-figure3-steps.svg)", "",
        f"## Figure 4: against stratified inlining, on drivers, {len(drivers)} of {sizes[2]} files", "",
        solved_table(clauses, sdv, ["duality", "bmc"]),
        "![duality against bmc](duality-figure4.svg)", "",
        "## The effect of each switch", "",
        "On drivers and ssh problems. Ratios (geometric means) are relative to the first line, over what both solve: above 1 means that the "
        "change costs. The last column says on how many of these the search was another one at all. Facts (derived subgoals that are not "
        "derived again) and the chain of depths are not in the paper; `--no-facts` and `--no-chain` leave them out, and LAWI "
        "(`--convergence lawi`) is the convergence of its experiments.", "",
        effects(clauses, sdv + ssh),
        "## On C programs", "",
        "The sources of the same families, for `duality`, `pdr-summaries` and the two configurations of UFO that the paper compared with "
        "(CPRED: `ufo --post cartesian`; BOXES: `vinta-boxes`), all from the program as it is (`--plain`).", "",
        table(["folder", "tasks", *ON_C], rows) if measured else "Not measured.\n",
    ])
    summarise(HERE, "002, Duality", "duality", runs, claims)


if __name__ == "__main__":
    in_passes(arguments(__doc__, HERE), PageRuns, make_page)
