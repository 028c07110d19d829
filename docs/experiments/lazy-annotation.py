#!/usr/bin/env python3
"""Makes docs/experiments/lazy-annotation.md and its plots anew: the experiments of 000.

usage, from the root of the repository:
    python3 docs/experiments/lazy-annotation.py [--limit SECONDS] [--most N] [--report]

Needs Python, gcc with gcov, a release build, and the benchmarks (--suite). The same command given again goes on where it
was stopped.
"""
import glob, json, math, os, shutil, subprocess, tempfile
from runs import Runs, arguments, beyond, claimed, in_passes, short, summarise, table, verdict, write

HERE = os.path.dirname(os.path.abspath(__file__))
COLOURS = {"lazy-annotation": "#0072b2", "dart": "#d55e00"}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 360, 56, 16, 30, 46
DIAMONDS = [5, 7, 10, 15, 20, 40, 60, 100]
FIGURE_1 = ["simple", "simple_bug", "diamond", "loop1", "loop1_bug", "call1", "rec1"]
PARTS = ["substitution", "predicates", "backward", "bounded-loops", "decisions", "merging"]
VARIANTS = [("all", ["--engine", "lazy-annotation"])]
VARIANTS += [("without " + part, ["--engine", "lazy-annotation", "--without", part]) for part in PARTS]
VARIANTS += [("weakest preconditions", ["--engine", "lazy-annotation-wp"]), ("INTERLA", ["--engine", "lazy-annotation-procedures"])]
RANDOM = 100000
# Seconds for enumerating the paths of the drivers, and for the learner on the same graph.
PATIENCE = 20
# What fewer programs of each kind show decides nothing.
ENOUGH = 4


def figure_1(runs):
    rows, right = [], None
    for name in FIGURE_1:
        path = f"examples/papers/lazy_annotation_{name}.c"
        row = [name]
        for engine in ["lazy-annotation", "lazy-annotation-wp"]:
            answer = runs.check(path, ["--engine", engine, "--plain"])
            row += [answer.word(answer.verdict), answer.count("unwindings"), answer.count("complete paths"), f"{answer.cpu:.2f}"]
            if engine == "lazy-annotation" and not answer.missing:
                right = right is not False and answer.verdict == ("unsafe" if name.endswith("bug") else "safe")
        rows.append(row)
    columns = ["unwindings", "complete paths", "s"]
    return table(["fragment", "interpolants", *columns, "weakest preconditions", *columns], rows), right


def chain(n):
    text = "extern int input(void); extern void reach_error(void);\n"
    text += "int main(void) { int p = input(), x = 0, a; if (!p) return 0;\n"
    text += "if (input()) a = 1; else a = 0; if (a) x = x + 1; else x = x - 1;\n" * n
    return text + "if (!p) reach_error(); return 0; }\n"


def options(n):
    """The same, but what the diamonds ask about is read before the first of them."""
    text = "extern int input(void); extern void reach_error(void);\n"
    text += "int main(void) { int p = input(), x = 0; if (!p) return 0;\n"
    text += "".join(f"int a{i} = input();\n" for i in range(n))
    text += "".join(f"if (a{i}) x = x + 1; else x = x - 1;\n" for i in range(n))
    return text + "if (!p) reach_error(); return 0; }\n"


def diamonds(runs, program):
    """Section 1: a fact, n diamonds about irrelevant variables, and the use of the fact."""
    engines = [
        ("lazy annotation, merged", ["--engine", "lazy-annotation"], "complete paths"),
        ("same graph", ["--engine", "lazy-annotation", "--without", "merging"], "complete paths"),
        ("dart", ["--engine", "dart"], "complete paths"),
        ("synergy", ["--engine", "synergy", "--without", "generalisation"], "iterations"),
        ("synergy, generalised", ["--engine", "synergy"], "iterations"),
        ("dash", ["--engine", "dash", "--no-runs", "--without", "generalisation,joining,weakening,restarts"], "iterations"),
        ("dash, as here", ["--engine", "dash", "--no-runs"], "iterations"),
    ]
    rows, counts = [], {}
    for before, n in zip([None, *DIAMONDS], DIAMONDS):
        path = runs.file(f"{program.__name__}{n}.c", program(n))
        row = [n]
        for name, arguments, counted in engines:
            if before and counts.get((name, before), 0) is None:
                # No end for fewer diamonds.
                counts[name, n] = None
                row += ["", ""]
                continue
            answer = runs.check(path, [*arguments, "--plain"])
            if answer.missing:
                row += ["–", ""]
                continue
            ended = answer.solved or "all paths" in (answer.reason or "")
            counts[name, n] = answer.count(counted) if ended else None
            row += [f"{answer.count(counted):,}" if ended else "*", f"{answer.cpu:.2f}" if ended else ""]
        rows.append(row)
    head = ["n"]
    for name, _, counted in engines:
        head += [f"{name}: {counted}", "s"]
    return table(head, rows), counts


def cover(runs, path, engine, *more, limit=None):
    return runs.run(["test", "--data-model", "ilp32", "--engine", engine, "--random", "0", *more, path], limit)


def is_complete(answer):
    """Whether the search came to its end: all goals decided, or all paths tried."""
    if "list" not in answer or answer.get("cut"):
        return False
    return not any("time limit" in str(goal["detail"]) for goal in answer["list"] if goal["status"] == "open")


def saturation(answer):
    """After how many complete paths the last goal was reached."""
    points = answer.get("progress", [])
    reached = max((point["reached"] for point in points), default=0)
    return min((point["paths"] for point in points if point["reached"] == reached), default=0)


def counted(answer):
    if answer.get("missing"):
        return ["–", "–"]
    if "list" not in answer:
        return ["*", "*"]
    return [f"{saturation(answer):,.0f}", ("" if is_complete(answer) else "> ") + f"{answer['paths']:,.0f}"]


def figure_6(runs, folder, most=None, limit=None):
    """All basic blocks are goals; complete paths until saturation and completion, for the factor with a limit of its own."""
    rows, curves, decided, factors = [], [], {"merged": 0, "learn": 0, "inter": 0}, []
    paths, asked = runs.programs(folder), {"merged": 0, "inter": 0}
    with_dart = paths if most is None else runs.sample(paths, most)
    for path in paths:
        merged = cover(runs, path, "lazy-annotation")
        inter = cover(runs, path, "lazy-annotation-procedures")
        asked["merged"] += not merged.get("missing", False)
        asked["inter"] += not inter.get("missing", False)
        row = [short(path)]
        row += [merged.get(name, "–" if merged.get("missing") else "*") for name in ["goals", "reached", "unreachable", "open"]]
        row += [*counted(merged), f"{merged.get('cpu', 0):.1f}", inter.get("open", "–" if inter.get("missing") else "*"), *counted(inter), f"{inter.get('cpu', 0):.1f}"]
        decided["merged"] += merged.get("open", 1) == 0
        decided["inter"] += inter.get("open", 1) == 0
        if path in with_dart:
            learn = cover(runs, path, "lazy-annotation", "--without", "merging", limit=limit)
            dart = cover(runs, path, "dart", limit=limit)
            decided["learn"] += learn.get("open", 1) == 0
            row += [*counted(learn), *counted(dart)]
            if is_complete(learn) and dart.get("paths"):
                least = "" if is_complete(dart) else "> "
                factors.append((dart["paths"] / max(learn["paths"], 1), short(path), least, dart["paths"], learn["paths"]))
                row.append(f"{least}{factors[-1][0]:.1f}")
            else:
                row.append("")
            if "list" in learn and "list" in dart:
                curves.append((short(path), {"lazy-annotation": learn, "dart": dart}))
        else:
            row += [""] * 5
        rows.append(row)
    head = ["program", "goals", "reached", "dead", "open", "saturation", "completion", "s", "INTERLA: open", "saturation", "completion", "s",
            "same graph as `dart`: saturation", "completion", "`dart`: saturation", "completion", "factor"]
    return table(head, rows), curves, decided, factors, asked


def plot(name, title, answers):
    longest = max(a["paths"] for a in answers.values()) or 1
    highest = max(a["goals"] for a in answers.values()) or 1
    def x(value):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log10(1 + value) / math.log10(1 + longest)
    def y(value):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / highest
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/><text x="{LEFT}" y="18">{title}</text>',
             f'<path d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}" fill="none" stroke="black"/>']
    power = 0
    while 10 ** power <= longest:
        parts.append(f'<text x="{x(10 ** power):.0f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{10 ** power:,}</text>')
        power += 1
    for part in range(0, 5):
        value = highest * part // 4
        parts.append(f'<text x="{LEFT - 6}" y="{y(value) + 4:.0f}" text-anchor="end">{value}</text>')
    for row, (engine, answer) in enumerate(answers.items()):
        line, last = [], 0
        for point in [{"paths": 0, "reached": 0}, *answer["progress"], {"paths": answer["paths"], "reached": None}]:
            reached = last if point["reached"] is None else point["reached"]
            line.append(f"{x(point['paths']):.1f} {y(last):.1f} {x(point['paths']):.1f} {y(reached):.1f}")
            last = reached
        parts.append(f'<path d="M{"L".join(line)}" fill="none" stroke="{COLOURS[engine]}" stroke-width="1.5"/>')
        parts.append(f'<text x="{WIDTH - 160}" y="{HEIGHT - BOTTOM - 40 + 16 * row}" fill="{COLOURS[engine]}">{engine}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">complete paths (logarithmic)</text></svg>')
    with open(os.path.join(HERE, name), "w") as file:
        file.write("\n".join(parts) + "\n")


def variants(runs):
    rows, right_of = [], {name: {} for name, _ in VARIANTS}
    for folder in ["locks", "ntdrivers-simplified", "ssh-simplified", "loops"]:
        tried = runs.sample(runs.programs("c/" + folder))
        for name, options in VARIANTS:
            answers = runs.ask_all(tried, [*options, "--plain"])
            right_of[name].update((path, answer.is_right(path)) for path, answer in answers)
            if not answers:
                continue
            right = sum(answer.is_right(path) for path, answer in answers)
            wrong = sum(answer.solved and not answer.is_right(path) for path, answer in answers)
            count = sum(answer.count("complete paths") for _, answer in answers if answer.solved)
            at_once = sum(answer.at_once("complete paths", "backtracks") for _, answer in answers)
            rows.append([folder, name, f"{right} of {len(answers)}", wrong, at_once, f"{count:,}", f"{sum(a.cpu for _, a in answers):.1f}"])
    return table(["folder", "variant", "right", "wrong", "with 0 backtracks", "complete paths of the solved", "s"], rows), right_of


def lines_of(answer, status):
    """(file, line) of the goals with a status."""
    found = set()
    for goal in answer["list"]:
        if goal["status"] == status:
            file, line, _ = goal["place"].rsplit(" (", 1)[0].rsplit(":", 2)
            found.add((os.path.basename(file), int(line)))
    return found


def gcov(runs, path):
    """Claimed lines against those that gcov counts when all harnesses run."""
    kept = os.path.join(runs.work, f"gcov-{short(path)}.json")
    if os.path.exists(kept):
        with open(kept) as file:
            return json.load(file)
    if runs.report:
        return None
    folder = tempfile.mkdtemp()
    try:
        out = os.path.join(folder, "suite")
        answer = runs.run(["test", "--data-model", "ilp32", "--cover", "lines", "--engine", "lazy-annotation", "--random", "0", "--out", out, path])
        if "list" not in answer:
            return None
        counted, executable = set(), set()
        harnesses = sorted(glob.glob(os.path.join(out, "harness-*.c")))
        for harness in harnesses:
            name = os.path.splitext(os.path.basename(harness))[0]
            flags = ["-m32", "-w", "-fwrapv", "-fgnu89-inline", "--coverage", "-Wl,-u,__gcov_dump"]
            subprocess.run(["gcc", *flags, "-o", name, harness], cwd=folder, check=True)
            subprocess.run([f"./{name}"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
            counts = os.path.basename(glob.glob(os.path.join(folder, f"*{name}.gcda"))[0])
            data = subprocess.run(["gcov", "-j", "-t", counts], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            for file in json.loads(data.stdout)["files"]:
                for line in file["lines"]:
                    place = (os.path.basename(file["file"]), line["line_number"])
                    executable.add(place)
                    if line["count"] > 0:
                        counted.add(place)
        reached, dead = lines_of(answer, "reached"), lines_of(answer, "unreachable")
        # One line may hold live and dead code.
        result = {"harnesses": len(harnesses), "tests": answer["tests"], "claimed": len(reached & executable),
                  "confirmed": len(reached & counted), "dead": len((dead - reached) & executable),
                  "dead but run": len((dead - reached) & counted)}
    finally:
        shutil.rmtree(folder)
    with open(kept, "w") as file:
        json.dump(result, file)
    return result


def evidence(runs):
    """For the drivers: lines that gcov confirms, and dead goals against random executions."""
    rows, fine = [], True
    for path in runs.programs("c/ntdrivers-simplified"):
        result, proved = gcov(runs, path), cover(runs, path, "lazy-annotation")
        tried = runs.run(["test", "--data-model", "ilp32", "--engine", "random", "--random", str(RANDOM), path])
        if result is None or "list" not in proved or "list" not in tried:
            continue
        dead = [i for i, goal in enumerate(proved["list"]) if goal["status"] == "unreachable"]
        reached = sum(tried["list"][i]["status"] == "reached" for i in dead)
        fine &= result["confirmed"] == result["claimed"] and result["dead but run"] == 0 and reached == 0
        rows.append([short(path), result["tests"], result["claimed"], result["confirmed"], result["dead"], result["dead but run"],
                     f"{int(tried['random']):,}", len(dead), reached])
    head = ["program", "tests", "lines reached", "confirmed by gcov", "dead lines", "of them run", "random executions", "dead goals", "of them reached"]
    return table(head, rows), fine and bool(rows)


def decided_of(decided, asked):
    return f"{decided['merged']} of {asked['merged']} inlined, {decided['inter']} of {asked['inter']} by INTERLA"


def doubles(counts, name):
    """Whether the number doubles with each diamond, or there is none in the end."""
    few, more = counts.get((name, 5)), counts.get((name, 7))
    return bool(few and more and more >= 3 * few) and counts.get((name, 20)) is None


def claims(right, counts, read_before, drivers, ssh, right_of, fine):
    rows = []
    def claim(text, measured, holds, why=""):
        rows.append([text, measured, verdict(holds), why])
    claim("Figure 1: every fragment is decided as the text says", {True: "all", False: "not all", None: "not asked"}[right], right)
    last = max(n for name, n in counts if name == "same graph" and counts[name, n] is not None) if counts.get(("same graph", 5)) else 0
    def at(name, n, counts=counts):
        if (name, n) not in counts:
            return f"not asked for n = {n}"
        return f"{counts[name, n]:,} for n = {n}" if counts[name, n] is not None else f"no end for n = {n}"
    claim("Diamonds: polynomial with learning, all paths without (DART)",
          f"paths: {at('same graph', 10)}, {at('same graph', last or 20)}; `dart`: {at('dart', 5)}, {at('dart', 10)}, {at('dart', 15)}, {at('dart', 20)}",
          None if ("dart", 20) not in counts else last >= 20 and counts.get(("dart", 20)) is None or (counts.get(("dart", 20)) or 0) > 100 * (counts.get(("same graph", 20)) or 1))
    claim("Diamonds: partition refinement explodes (SYNERGY and its descendants)",
          "where all conditions are read before the first diamond, " +
          "; ".join(f"`{name}`: " + ", ".join(at(name, n, read_before) for n in (5, 7, 10, 20)) for name in ("synergy", "dash", "same graph")),
          None if ("same graph", 20) not in read_before else doubles(read_before, "synergy") and doubles(read_before, "dash") and not doubles(read_before, "same graph"),
          "iterations, and paths of the learner; both as in their papers' figures; the table shows what Craig adds to them, too. Where each condition is "
          "read just before its diamond, as in the paper's figure, an input ends what a predicate says of it, and their iterations are as many as there are diamonds")
    _, _, decided, factors, asked = drivers
    best = max(factors, default=(0, "", "", 0, 0))
    claim("Figure 6: learning reduces the paths to completion, by a factor 84 on the largest driver",
          (f"{best[2]}{best[0]:.1f} times, on {best[1]} ({best[2]}{best[3]:,.0f} and {best[4]:,.0f} paths); on the others " +
           ", ".join(f"{least}{factor:.1f}" for factor, name, least, _, _ in sorted(factors) if name != best[1])) if factors else "no driver completed",
          None if not factors else best[0] >= 84,
          "counted as in the paper, on one graph; > where `dart` came to no end" if best[0] >= 84 else
          "in size: counted as in the paper, on one graph; > where `dart` came to no end. The drivers are simplified versions of the paper's, with fewer paths")
    claim("All blocks of the drivers are decided by the search alone", decided_of(decided, asked),
          None if asked["inter"] < 10 else max(decided["merged"], decided["inter"]) == 10)
    both = [path for path in right_of["all"] if path in right_of["weakest preconditions"]]
    right_by = {name: sum(right_of[name][path] for path in both) for name in ("all", "weakest preconditions")}
    claim("Interpolants converge on loops where weakest preconditions do not",
          f"decided of {len(both)} programs: {right_by['all']} with interpolants, {right_by['weakest preconditions']} with weakest preconditions",
          None if len(both) < 2 * ENOUGH else right_by["all"] > right_by["weakest preconditions"])
    claim("Every reached goal is a test, every other one is proved unreachable", "confirmed by gcov and random runs" if fine else "see below", fine or None)
    _, _, decided, _, asked = ssh
    either = max(decided["merged"], decided["inter"])
    rows.append(["(beyond the paper) all blocks of the ssh programs, at least 20 of 26 expected",
                 decided_of(decided, asked), beyond(either, asked["inter"], 20, 26), ""])
    return rows


def make_page(runs):
    fragments, right = figure_1(runs)
    drivers = figure_6(runs, "c/ntdrivers-simplified", limit=max(runs.limit, PATIENCE))
    chains, counts = diamonds(runs, chain)
    chains_before, read_before = diamonds(runs, options)
    # What the claims are about comes first.
    for path in runs.programs("c/ssh-simplified"):
        cover(runs, path, "lazy-annotation-procedures")
    of_evidence, fine = evidence(runs)
    of_variants, right_of = variants(runs)
    ssh = figure_6(runs, "c/ssh-simplified", runs.most)
    of_paper = claims(right, counts, read_before, drivers, ssh, right_of, fine)
    summarise(HERE, "000, Lazy Annotation for Program Testing and Verification", "lazy-annotation", runs, of_paper)
    page = [
        "# Lazy annotation: the experiments of 000\n",
        runs.heading("lazy-annotation", "of each folder, for `dart` on ssh and for the variants") + " `*` says that a search did not come to its end, `–` that it was not asked.\n",
        "Complete paths are what the paper counts: how often the symbolic interpreter came to the end of a path and turned back to "
        "another branch. The learner merges the two ways of a branch that join again; `--without merging` it runs on the graph "
        "that `dart` has.\n",
        "## What the paper claims\n", claimed(of_paper),
        "## Figure 1\n", fragments,
        "## Diamonds\n",
        "A fact, n diamonds about an irrelevant variable, and the use of the fact (section 1). `synergy` and `dash` as their papers "
        "print them, and as they are here; `same graph` is the learner on the graph that `dart` has.\n", chains,
        "The same where all conditions are read before the first diamond, as options of a program are.\n", chains_before]
    for name, (rows, curves, _, _, _) in [("drivers", drivers), ("ssh", ssh)]:
        page += [f"## Figure 6 on the {name}\n",
                 "All basic blocks are goals, no random runs. Saturation: complete paths until the last goal was reached; completion: until the "
                 "search came to its end. Every reached goal has a replayed test, every dead one a checked proof." +
                 (f" Its last five columns with {max(runs.limit, PATIENCE)} s for a run." if name == "drivers" else "") +
                 (f" The last columns for {runs.most} of the programs." if name == "ssh" and runs.most else "") + "\n", rows]
        for number, (title, answers) in enumerate(sorted(curves, key=lambda curve: -curve[1]["lazy-annotation"]["goals"])[:3]):
            file = f"lazy-annotation-{name}-{number + 1}.svg"
            plot(file, title, answers)
            page.append(f"![{title}]({file})\n")
    page += ["## Each strengthening switched off alone\n",
             "`craig check`, with `--plain`" + (f", at most {runs.most} programs of each folder" if runs.most else "") + ".\n", of_variants,
             "## Tests and proofs are real\n",
             "All lines of the drivers as goals, every harness compiled with `gcc --coverage` and run; and dead blocks against random "
             "executions.\n", of_evidence]
    write(HERE, "lazy-annotation.md", page)


if __name__ == "__main__":
    in_passes(arguments(__doc__, HERE), Runs, make_page)
