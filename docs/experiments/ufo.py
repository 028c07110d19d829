#!/usr/bin/env python3
"""Writes ufo.md and its figures: chapters 4 and 5 of the thesis on UFO and VINTA, made anew with the engines here.

    docs/experiments/ufo.py [--limit 60] [--most N] [--minutes N] [--suite FOLDER] [--craig PROGRAM] [--report]

Limits are of processor time. What was measured is kept, so that the same command goes on where it was stopped.
"""
import os

from figures import cactus, PageRuns, write_figure
from runs import arguments, claimed, expected, in_passes, short, summarise, table, verdict, write

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDERS = ["c/ntdrivers-simplified", "c/ssh-simplified", "c/systemc"]


def widening(every):
    return ["--plain", "--no-thresholds", "--widen-after", str(every), "--widen-every", str(every)]


WIDENING = widening(3)

# Name in the thesis, arguments here.
CONFIGS = {
    "iUfo": ["--engine", "ufo", "--plain"],
    "cpUfo": ["--engine", "ufo", "--plain", "--post", "cartesian"],
    "bpUfo": ["--engine", "ufo", "--plain", "--post", "boolean"],
    "Cp": ["--engine", "ufo", "--plain", "--post", "cartesian", "--eager"],
    "Bp": ["--engine", "ufo", "--plain", "--post", "boolean", "--eager"],
    "Wolverine (`impact-paths`)": ["--engine", "impact-paths", "--plain"],
    "`impact`": ["--engine", "impact", "--plain"],
    "vBox": ["--engine", "vinta", *WIDENING],
    "uBox": ["--engine", "vinta", *WIDENING, "--refine", "dag"],
    "vBoxes": ["--engine", "vinta-boxes", *WIDENING],
    "uBoxes": ["--engine", "vinta-boxes", *WIDENING, "--refine", "dag"],
}
# Beyond the thesis: unsatisfiable cores before interpolation, labels that are kept as lemmas, and what strengthening, later
# widening and thresholds give.
EXTRA = {
    "iUfo, cores": [*CONFIGS["iUfo"], "--cores"],
    "cpUfo, restricted": [*CONFIGS["cpUfo"], "--refine", "restricted"],
    "vBoxes, no strengthening": [*CONFIGS["vBoxes"], "--no-strengthening"],
    "vBoxes, thresholds": ["--engine", "vinta-boxes", "--plain"],
    "vBoxes, 7": ["--engine", "vinta-boxes", *widening(7)],
}
WOLVERINE, IMPACT = "Wolverine (`impact-paths`)", "`impact`"
TABLE_4_1 = ["iUfo", "cpUfo", "bpUfo", "Cp", "Bp", WOLVERINE, IMPACT]
TABLE_4_2 = ["iUfo", "cpUfo", "bpUfo", "Bp"]
TABLE_5_1 = ["vBox", "uBox", "vBoxes", "uBoxes", "iUfo", "cpUfo", "bpUfo"]
TABLE_5_2 = ["vBoxes", "uBoxes", "vBox", "uBox"]

# Solved, safe, unsafe, total time (Table 4.1: 105 programs, 300 s; Table 5.1: 93 programs, 500 s).
THESIS_4_1 = {"iUfo": (78, 22, 56), "cpUfo": (79, 22, 57), "bpUfo": (69, 17, 52), "Cp": (49, 10, 39), "Bp": (71, 19, 52),
              WOLVERINE: (38, 18, 20), IMPACT: ("–",)}
THESIS_5_1 = {"vBox": (71, 20, 51), "uBox": (68, 19, 49), "vBoxes": (67, 25, 42), "uBoxes": (60, 18, 42),
              "iUfo": (70, 20, 50), "cpUfo": (69, 19, 50), "bpUfo": (64, 15, 49)}
# Seconds for vBoxes, uBoxes, vBox, uBox (Table 5.2); all programs are safe.
THESIS_5_2 = {
    "s3_clnt_1": (0.30, 0.30, 8.61, 13.67), "s3_clnt_2": (0.3, 0.30, 8.79, 13.45),
    "s3_clnt_3": (0.30, 0.29, 9.01, 6.80), "s3_clnt_4": (0.30, 0.30, 9.55, 8.52),
    "s3_srvr_1a": (0.15, None, 1.08, None), "s3_srvr_1b": (0.02, 0.02, None, None),
    "s3_srvr_1": (0.00, 0.00, 0.00, 0.00), "s3_srvr_2": (0.64, 115.48, None, 115.13),
    "s3_srvr_3": (0.75, 123.57, 69.70, 123.61), "s3_srvr_4": (0.59, 168.44, 85.81, 168.08),
    "s3_srvr_6": (473.15, 319.00, 74.87, 359.39), "s3_srvr_7": (13.82, None, None, 274.12),
    "s3_srvr_8": (0.69, 78.53, 245.52, 76.12), "token_ring.01": (0.94, None, 4.05, None),
    "token_ring.02": (2.53, None, 18.29, None), "token_ring.03": (6.06, None, None, None),
    "token_ring.04": (18.22, None, None, None), "token_ring.05": (76.29, None, None, None),
    "token_ring.06": (None,) * 4, "token_ring.07": (None,) * 4, "token_ring.08": (None,) * 4,
}
# Seconds and iterations for iUfo, cpUfo, bpUfo, Bp (Table 4.2); the first fifteen programs have errors.
THESIS_4_2 = {
    ("kundu1", "unsafe"): (None, (24.22, 4), (122.88, 4), (33.39, 3)),
    ("kundu2", "unsafe"): ((1.24, 2), (2.74, 2), (8.15, 2), (8.6, 2)),
    ("s3_srvr_11", "unsafe"): ((1.91, 4), (2.78, 4), (118.41, 4), (4.25, 3)),
    ("s3_srvr_12", "unsafe"): ((4.17, 4), (5.07, 3), (5.36, 3), (8.19, 3)),
    ("token_ring.08", "unsafe"): ((12.34, 4), (13.5, 4), (19.64, 3), (14.15, 3)),
    ("token_ring.09", "unsafe"): ((12.54, 4), (22.66, 4), None, (167.49, 3)),
    ("token_ring.10", "unsafe"): ((15.6, 4), (14.02, 3), None, None),
    ("token_ring.11", "unsafe"): ((29.69, 4), (22.47, 4), (156.76, 3), (66.59, 3)),
    ("token_ring.12", "unsafe"): ((26.94, 4), (13.98, 3), None, None),
    ("token_ring.13", "unsafe"): ((36.56, 4), (34.17, 4), None, None),
    ("token_ring.14", "unsafe"): ((10.3, 3), (33.49, 4), None, None),
    ("token_ring.15", "unsafe"): ((51.79, 4), (34.19, 4), None, None),
    ("toy1", "unsafe"): ((96.49, 10), (62, 6), (13.54, 3), None),
    ("toy2", "unsafe"): ((12.83, 5), (60.73, 8), None, None),
    ("ddd3", "unsafe"): ((0.66, 4), (0.19, 2), (0.18, 2), (0.27, 2)),
    ("pc_sfifo_1", "safe"): (None, None, (3.51, 3), None),
    ("s3_clnt_1", "safe"): ((11.03, 10), (15.68, 10), None, (14.52, 5)),
    ("s3_clnt_2", "safe"): ((16, 10), (20.02, 10), None, None),
    ("s3_clnt_3org", "safe"): ((28.87, 11), (37.08, 11), None, None),
    ("s3_clnt_3", "safe"): ((13.02, 10), (17.42, 10), None, None),
    ("s3_clnt_4", "safe"): ((13.4, 10), (17.45, 10), None, None),
    ("s3_srvr_1a", "safe"): ((5.2, 10), (5.16, 8), (0.76, 4), (0.43, 3)),
    ("s3_srvr_1b", "safe"): ((1.37, 7), (2.9, 7), (0.89, 5), None),
    ("s3_srvr_2", "safe"): ((171.15, 17), (184.01, 17), None, None),
    ("s3_srvr_3", "safe"): ((133.07, 17), (147.55, 17), None, (33.71, 5)),
    ("s3_srvr_4", "safe"): (None, None, None, (7, 4)),
    ("s3_srvr_8", "safe"): ((101.4, 14), (115.08, 14), None, None),
    ("token_ring.01", "safe"): ((98.18, 18), (23.64, 10), (0.69, 4), (0.69, 4)),
    ("token_ring.02", "safe"): (None, None, (2.15, 4), (2.63, 4)),
    ("token_ring.03", "safe"): (None, None, (76.18, 4), None),
    ("token_ring.04", "safe"): (None, None, None, (152.62, 4)),
    ("token_ring.05", "safe"): (None, None, None, (149.35, 4)),
}
# What section 5.5 looks at more closely, each with at least so many seconds.
PATIENCE = 20
RECOVERY = ["vBoxes", "uBoxes", "vBoxes, 7", "vBoxes, thresholds", "vBoxes, no strengthening"]
RECOVERED = [f"s3_srvr_{n}" for n in (2, 3, 4, 6, 7, 8)]


def find(programs, name, verdict):
    if name == "s3_clnt_3org":
        return next((path for path in programs if os.path.basename(path).startswith("s3_clnt_3.cil_true")), None)
    same = [path for path in programs if os.path.basename(path).startswith(name + "_") and expected(path) == verdict]
    return same[0] if same else None


def shown(answer, counted):
    if answer is None:
        return "not asked"
    return f"{answer.cpu:.2f}, {answer.count(counted)}" if answer.solved else "–"


class Page:
    def __init__(self, runs, programs):
        self.runs, self.programs, self.sample = runs, programs, runs.sample(programs)
        self.answers = {name: {} for name in [*CONFIGS, *EXTRA]}
        # The answers about the six programs, with their own limit.
        self.patient = {}

    def ask(self, name, path):
        answer = self.runs.measured(path, {**CONFIGS, **EXTRA}[name])
        if answer is not None:
            self.answers[name][path] = answer

    def recover(self, limit):
        for config in RECOVERY:
            for name in RECOVERED:
                path = find(self.programs, name, "safe")
                answer = self.runs.measured(path, {**CONFIGS, **EXTRA}[config], limit)
                if answer is not None:
                    self.patient[config, name] = answer

    def common(self, names):
        """The programs that all configurations were asked about."""
        return [path for path in self.sample if all(path in self.answers[name] for name in names)]

    def right(self, name, path):
        answer = self.answers[name].get(path)
        return answer is not None and answer.solved and answer.is_right(path)

    def counts(self, name, paths):
        solved = [path for path in paths if self.right(name, path)]
        safe = sum(expected(path) == "safe" for path in solved)
        return len(solved), safe, len(solved) - safe

    def wrong(self):
        patient = sum(answer.verdict == "unsafe" for answer in self.patient.values())
        return patient + sum(answer.solved and not answer.is_right(path)
                             for answers in self.answers.values() for path, answer in answers.items())

    def summary(self, names, thesis):
        paths = self.common(names)
        rows = []
        for name in names:
            solved = [path for path in paths if self.right(name, path)]
            answers = [self.answers[name][path] for path in solved]
            at_once = sum(answer.count("refinements") == 0 for answer in answers)
            seconds = sum(answer.cpu for answer in answers)
            part = lambda what: f"{sum(answer.stats.get(what, 0) for answer in answers):.1f}"
            rows.append([name, *self.counts(name, paths), at_once, f"{seconds:.0f}", part("time in interpolation"),
                         part("time in post"), "/".join(str(number) for number in thesis[name])])
        head = ["", "solved", "safe", "unsafe", "without refinement", "seconds", "in interpolation (clock)", "in post (clock)",
                "thesis: solved/safe/unsafe"]
        return table(head, rows)

    def cell(self, name, path, iterations):
        return shown(self.answers[name].get(path), "iterations" if iterations else "refinements")

    def recovered(self):
        rows = [[name, *(shown(self.patient.get((config, name)), "refinements") for config in RECOVERY)] for name in RECOVERED]
        return table(["program", *RECOVERY], rows)

    def details(self, names, thesis, iterations):
        rows = []
        for (name, verdict), values in thesis.items():
            path = find(self.programs, name, verdict)
            if path is not None and not any(path in self.answers[config] for config in names):
                continue
            published = [("–" if value is None else f"{value[0]}, {value[1]}" if iterations else str(value)) for value in values]
            cells = [f"{self.cell(config, path, iterations) if path else 'not public'} ({value})"
                     for config, value in zip(names, published)]
            rows.append([name, verdict, *cells])
        return table(["program", "", *names], rows)


# What fewer tasks show decides nothing.
ENOUGH = 20


def restricted(page):
    """The claims of section 5.5 on six programs."""
    proved = {config: {name: page.patient[config, name].count("refinements") for name in RECOVERED
                       if (config, name) in page.patient and page.patient[config, name].solved} for config in RECOVERY}
    at_once = sum(count == 0 for count in proved["vBoxes, 7"].values())
    asked = lambda *names: all((config, name) in page.patient for config in ("vBoxes", "uBoxes") for name in names)
    told = lambda config: f"{config}: {len(proved[config])} of 6" + "".join(f", {name} {count}" for name, count in proved[config].items())
    one, plain = proved["vBoxes"].get("s3_srvr_2"), proved["uBoxes"].get("s3_srvr_2")
    return [
        ["where widening comes too soon, one refinement with restricted interpolants, 38 with plain ones (s3_srvr_2, section 5.5)",
         f"vBoxes: {'no answer' if one is None else one}; uBoxes: {'no answer' if plain is None else plain}",
         verdict(one == 1 and (plain is None or plain >= 10), asked("s3_srvr_2")),
         "one is enough, as in the thesis; but plain interpolants of this solver need hardly more" if one == 1 and plain is not None else ""],
        ["restricted interpolants recover what widening lost on s3_srvr_2, 3, 4, 7, 8 in 0.6 to 14 s, on 6 in 473 s (Table 5.2)",
         "with their refinements, " + "; ".join(told(config) for config in ("vBoxes", "uBoxes")),
         verdict(len(proved["vBoxes"]) == 6, asked(*RECOVERED)),
         ("" if len(proved["vBoxes"]) == 6 else "not all of them in this time. ") +
         "Only the frontiers of refined labels are explored further, as in the thesis, and without thresholds unions of boxes lose nothing up to 20,000 nodes. "
         "Plain interpolants of this solver need about as many refinements as restricted ones. "
         f"With widening at every 7th unrolling {at_once} of 6 need no refinement; in the thesis most of them need none at every 4th (its programs "
         "had been through LLVM's optimiser, which may take steps out of a machine)"],
    ]


def claims(page):
    four, five = page.common(TABLE_4_1), page.common(TABLE_5_1)
    of = lambda name, paths: page.counts(name, paths)[0]
    rows = []
    best = max(of(name, four) for name in TABLE_4_1) if four else 0
    rows.append(["`cpUfo` solves the most, `iUfo` is a close second (Table 4.1)",
                 ", ".join(f"{name} {of(name, four)}" for name in TABLE_4_1) + f" of {len(four)}",
                 verdict(four and of("cpUfo", four) == best, len(four) >= ENOUGH), why_bp(page)])
    rows.append(["every configuration of UFO beats WOLVERINE, a tree of paths",
                 f"`impact-paths` {of(WOLVERINE, four)}, the least of UFO {min([of(n, four) for n in TABLE_4_1[:5]] or [0])}",
                 verdict(four and all(of(n, four) > of(WOLVERINE, four) for n in TABLE_4_1[:5]), len(four) >= ENOUGH),
                 "WOLVERINE unwound the graph as it is, as `impact-paths` does; on the graph of loop heads that `ufo` has, and covering by "
                 f"force, `impact` solves {of(IMPACT, four)}. WOLVERINE itself had 300 s"])
    lazy = sum(page.counts(n, four)[0] for n in ("cpUfo", "bpUfo"))
    eager = sum(page.counts(n, four)[0] for n in ("Cp", "Bp"))
    rows.append(["labels from interpolants and abstraction together beat abstraction alone (`cpUfo` and `bpUfo` over `Cp` and `Bp`)",
                 f"{lazy} over {eager}", verdict(lazy > eager, len(four) >= ENOUGH), why_bp(page)])
    rows += restricted(page)
    rows.append(["`vBoxes` proves the most safe programs, `vBox` finds the most errors (Table 5.1)",
                 ", ".join(f"{name} {page.counts(name, five)[1]} safe, {page.counts(name, five)[2]} unsafe" for name in TABLE_5_1[:4]),
                 verdict(five and page.counts("vBoxes", five)[1] == max(page.counts(n, five)[1] for n in TABLE_5_1)
                         and page.counts("vBox", five)[2] == max(page.counts(n, five)[2] for n in TABLE_5_1[:4]), len(five) >= ENOUGH),
                 "of the two halves, the table shows which holds" if page.counts("vBoxes", five)[1] < max(page.counts(n, five)[1] for n in TABLE_5_1) or
                 page.counts("vBox", five)[2] < max(page.counts(n, five)[2] for n in TABLE_5_1[:4]) else
                 "others here have as many"])
    rows.append(["restricted interpolants beat plain ones (`vBox` over `uBox`, `vBoxes` over `uBoxes`)",
                 ", ".join(f"{name} {of(name, five)}" for name in TABLE_5_1[:4]),
                 verdict(of("vBox", five) >= of("uBox", five) and of("vBoxes", five) >= of("uBoxes", five)
                         and of("vBox", five) + of("vBoxes", five) > of("uBox", five) + of("uBoxes", five), len(five) >= ENOUGH),
                 "" if of("vBox", five) + of("vBoxes", five) > of("uBox", five) + of("uBoxes", five) else
                 "no more of this sample; plain interpolants of this solver say as much as restricted ones"])
    return rows


def why_bp(page):
    """Why `Bp` does better here than in the thesis: what an iteration of each costs."""
    both = [path for path in page.common(["Bp", "cpUfo"]) if page.right("Bp", path) and page.right("cpUfo", path)]

    def cost(name):
        answers = [page.answers[name][path] for path in both]
        iterations = sum(answer.count("iterations") for answer in answers)
        return f"`{name}` takes {iterations} iterations of {1000 * sum(answer.cpu for answer in answers) / max(iterations, 1):.0f} ms each"

    more = [short(path) for path in page.common(["Bp", "cpUfo"]) if page.right("Bp", path) and not page.right("cpUfo", path)]
    return (f"on the {len(both)} that both solve, {cost('Bp')} and {cost('cpUfo')}; `Bp` solves {len(more)} more" + (f" ({', '.join(more)})" if more else "") +
            ". In Table 4.2, too, `Bp` needs fewer iterations and is faster on all four safe programs that both solve (token_ring.01: 4 in 0.7 s, and 10 in 24 s); "
            "there `cpUfo` is ahead by errors, 57 to 52, and by programs for which Boolean posts took too long. Here such a post is a decision diagram, and both "
            "find as many errors of this sample")


def make_page(runs):
    programs = [path for folder in FOLDERS for path in runs.programs(folder)]
    page = Page(runs, programs)
    page.recover(max(runs.limit, PATIENCE))
    for path in page.sample:
        for config in CONFIGS:
            page.ask(config, path)
    for path in page.sample:
        page.ask("iUfo, cores", path)
        page.ask("cpUfo, restricted", path)
    write_page(page)


def write_page(page):
    four, five = page.common(TABLE_4_1), page.common(TABLE_5_1)
    for kind in ("safe", "unsafe"):
        names = ["vBoxes", "vBox", "uBoxes", "uBox"]
        times = {name: [page.answers[name][path].cpu for path in five if page.right(name, path) and expected(path) == kind]
                 for name in names}
        write_figure(HERE, f"ufo-figure5.4-{kind}.svg", cactus(f"Figure 5.4, {kind}", times, page.runs.limit))
    cored = page.common(["iUfo", "iUfo, cores"])
    both = [path for path in cored if page.right("iUfo", path) and page.right("iUfo, cores", path)]
    kept = page.common(["cpUfo", "cpUfo, restricted"])
    kept_both = [path for path in kept if page.right("cpUfo", path) and page.right("cpUfo, restricted", path)]
    total = lambda name, paths: sum(page.answers[name][path].cpu for path in paths)
    refinements = lambda name: sum(page.answers[name][path].count("refinements") for path in kept_both)
    parts = [
        "# UFO and VINTA: the experiments of the thesis", "",
        page.runs.heading("ufo", "of all folders together") + " The thesis had 300 and 500 s of a clock. All engines start from the program as it is (`--plain`): "
        f"nothing is known of it in advance by intervals. Wrong answers: {page.wrong()}.", "",
        claimed(claims(page)),
        "The programs are those of today's folders " + ", ".join(f"`{folder}`" for folder in FOLDERS) +
        f", {len(page.programs)} of them, of which {len(page.sample)} were asked; the pacemaker programs of chapter 4 are not public as C. The thesis encodes "
        "integers as rationals, here they are 32 bits wide. Every answer is certified. Of the thesis's tables of single programs those "
        "are left out that were not asked.", "",
        f"## Table 4.1, {len(four)} programs", "",
        page.summary(TABLE_4_1, THESIS_4_1) if four else "Not measured.\n",
        "## Table 4.2: seconds and iterations, the thesis in brackets", "",
        page.details(TABLE_4_2, THESIS_4_2, True),
        "In the summaries, what interpolation and post took is told by the clock, which on a busy machine runs faster than processor time.", "",
        "BPost is exact: the diagram of all cubes that the predicates allow, however many they are. Where that takes longer than "
        "the limit, the cell is –.", "",
        f"Unsatisfiable cores before interpolation (section 7.3, `--cores`): `iUfo` solves {page.counts('iUfo', cored)[0]} of "
        f"{len(cored)} programs without them and {page.counts('iUfo, cores', cored)[0]} with them; on the {len(both)} that both solve it takes "
        f"{total('iUfo', both):.1f} s and {total('iUfo, cores', both):.1f} s.", "",
        "Each refinement interpolates the whole graph again. Where it is restricted by the labels that are there, which are lemmas for it then (`--refine "
        f"restricted`), `cpUfo` solves {page.counts('cpUfo, restricted', kept)[0]} of {len(kept)} programs instead of {page.counts('cpUfo', kept)[0]}; on the "
        f"{len(kept_both)} that both solve, {refinements('cpUfo, restricted')} refinements take {total('cpUfo, restricted', kept_both):.1f} s, instead of "
        f"{refinements('cpUfo')} in {total('cpUfo', kept_both):.1f} s.", "",
        f"## Table 5.1, {len(five)} programs", "",
        page.summary(TABLE_5_1, THESIS_5_1) if five else "Not measured.\n",
        "## Table 5.2: seconds and refinements, the seconds of the thesis in brackets", "",
        page.details(TABLE_5_2, {(name, "safe"): values for name, values in THESIS_5_2.items()}, False),
        "Widening is that of the thesis: at every third unrolling, to infinity.", "",
        f"## What restricted interpolants recover (section 5.5), {max(page.runs.limit, PATIENCE)} s for a run", "",
        "`vBoxes, 7` widens at every 7th unrolling (`--widen-after`, `--widen-every`); the thesis says that at every 4th no refinement is needed for "
        "most of these programs.", "",
        page.recovered(),
        "Interpolants are restricted by the invariant that the graph stands for, which the thesis proposes (section 5.4.3): labels of `Boxes` are "
        "frontiers, and no well-labelling by themselves. Refined labels become frontiers again: what earlier labels of the same loop head have is left out, since it was "
        "explored from there. Strengthening is not in the thesis: of refined labels, disjuncts are dropped that the edges into a node do not need, then clauses and "
        "restrictions that the labels behind it do not need (`search/ufo/strengthen.rs`); `--no-strengthening` turns it off. With "
        "thresholds, widening stops at constants of the program first, from the fourth label on.", "",
        "## Figure 5.4: solved in which time", "",
        "![safe](ufo-figure5.4-safe.svg) ![unsafe](ufo-figure5.4-unsafe.svg)", "",
        "Figure 5.3, where plain interpolants forget `x <= 10`, is the test `figure_5_3_is_unrolled_no_further_with_restricted_interpolants` "
        "of the engine.",
    ]
    write(HERE, "ufo.md", parts)
    rows = claims(page)
    summarise(HERE, "001, UFO", "ufo", page.runs, rows[:3])
    summarise(HERE, "001, VINTA", "ufo", page.runs, rows[3:])


if __name__ == "__main__":
    in_passes(arguments(__doc__, HERE), PageRuns, make_page)
