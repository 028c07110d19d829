#!/usr/bin/env python3
"""Makes docs/experiments/synergy.md anew: the experiments of 003 (SYNERGY).

usage, from the root of the repository: python3 docs/experiments/synergy.py [--limit SECONDS] [--most N] [--report]

Needs Python, a release build, and for the last table the benchmarks (--suite). The same command given again goes on
where it was stopped.
"""
import os
from runs import Runs, arguments, beyond, claimed, in_passes, short, summarise, table, verdict, write

HERE = os.path.dirname(os.path.abspath(__file__))
SYNERGY = ["--engine", "synergy", "--plain"]
FIGURE_2 = [*SYNERGY, "--without", "generalisation"]
SLAM = ["--engine", "ufo-boolean-eager", "--plain"]
LEE = ["--engine", "lee-yannakakis", "--plain"]
DART = ["--engine", "dart", "--plain"]
ENGINES = [("synergy", SYNERGY), ("synergy, Figure 2", FIGURE_2), ("SLAM's stand-in", SLAM), ("lee-yannakakis", LEE)]
FIGURES = ["fig1", "fig3", "fig4", "fig6", "fig7", "fig8", "fig9"]
SIZES = {"locks": 13, "ntdrivers-simplified": 10, "ssh-simplified": 26}
FOLDERS = [("locks", 10), ("ntdrivers-simplified", 10), ("ssh-simplified", 14)]


def steps(answer):
    """Iterations of the papers' loops: refinements of predicate abstraction, iterations of the others."""
    return answer.count("iterations") or answer.count("refinements")


def compare(runs, paths):
    """One row for each program: iterations and seconds by each engine. Also who solves how many, and in 0 iterations."""
    rows, solved, at_once, asked = [], *([0] * len(ENGINES) for _ in range(3))
    answers = {}
    for path in paths:
        cells, verdicts = [], set()
        for i, (_, options) in enumerate(ENGINES):
            answer = runs.check(path, options)
            answers[short(path), i] = answer
            verdicts |= {answer.verdict} if answer.solved else set()
            solved[i] += answer.solved
            at_once[i] += answer.solved and steps(answer) == 0
            asked[i] += not answer.missing
            cells += [answer.word(f"{steps(answer):,}"), f"{answer.cpu:.2f}" if answer.solved else ""]
        rows.append([short(path), " and ".join(sorted(verdicts)), *cells])
    cells = []
    for i in range(len(ENGINES)):
        cells += [f"{solved[i]} of {asked[i]}, {at_once[i]} with 0", ""]
    rows.append(["solved", "", *cells])
    head = ["program", "answer"]
    for name, _ in ENGINES:
        head += [name, "s"]
    return table(head, rows), solved, at_once, answers, asked


def diamonds(n):
    branch = "    if (__VERIFIER_nondet_int())\n        x = x + 1;\n    else\n        x = x - 1;\n"
    return ("extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"
            "int main(void) {\n    int one = __VERIFIER_nondet_int() ? 1 : 2, state = one, x = 0;\n"
            + branch * n + "    if (state != one)\n        reach_error();\n    return 0;\n}\n")


def figure_8(runs):
    rows, linear, paths = [], [], []
    for n in [5, 10, 15, 20, 50, 100, 200]:
        path = runs.file(f"diamonds{n}.c", diamonds(n))
        answer = runs.check(path, SYNERGY)
        row = [n, answer.verdict, answer.count("iterations"), answer.count("tests"), answer.count("refinements"), f"{answer.cpu:.2f}"]
        if answer.missing:
            continue
        linear.append((n, answer.count("iterations"), answer.solved))
        if n <= 20:
            dart = runs.check(path, DART)
            ended = dart.solved or "all paths" in (dart.reason or "")
            row += [f"{dart.count('complete paths'):,}" if ended else f"> {dart.count('complete paths'):,}" if dart.stats else "*"]
            paths.append((n, dart.count("complete paths"), ended))
        else:
            row.append("")
        rows.append(row)
    return table(["n", "answer", "iterations", "tests", "refinements", "s", "paths of `dart`"], rows), linear, paths


def folders(runs):
    rows, totals = [], {}
    for folder, wanted in FOLDERS:
        paths = runs.programs("c/" + folder)
        for name, options in ENGINES[:3]:
            tried = paths if name == "synergy" else runs.sample(paths)
            answers = runs.ask_all(tried, options)
            if not answers:
                totals[folder, name] = (0, 0, wanted)
                continue
            right = sum(answer.is_right(path) for path, answer in answers)
            wrong = sum(answer.solved and not answer.is_right(path) for path, answer in answers)
            safe = sum(answer.verdict == "safe" for _, answer in answers)
            at_once = sum(answer.solved and steps(answer) == 0 for _, answer in answers)
            count = sum(steps(answer) for _, answer in answers if answer.solved)
            time = sum(answer.cpu for _, answer in answers)
            rows.append([folder, name, f"{right} of {len(answers)}", safe, wrong, at_once, f"{count:,}", f"{time:.0f}"])
            totals[folder, name] = (right, len(answers), wanted)
    head = ["folder", "engine", "right", "of these safe", "wrong", "with 0 iterations", "iterations", "s"]
    return table(head, rows), totals


def claims(solved, at_once, asked, figures, linear, paths, totals):
    def word(name, i):
        answer = figures[f"synergy_{name}", i]
        return answer.word(f"{answer.verdict} after {steps(answer):,}").replace("*", "no answer").replace("–", "not asked")
    rows = []
    def claim(text, measured, holds, why=""):
        rows.append([text, measured, verdict(holds), why])
    one = figures["synergy_fig1", 0]
    claim("Figure 1: a test runs through the deterministic loop; predicate abstraction needs one predicate for each of its 1,000 rounds",
          f"`synergy`: {word('fig1', 0)}; stand-in: {word('fig1', 2)}", one.solved and steps(one) <= 10,
          "" if not figures["synergy_fig1", 2].solved else
          "The stand-in is not SLAM: its interpolants generalise the loop's counter, which SLAM's predicates did not.")
    claim("Figure 3: both prove it", f"`synergy`: {word('fig3', 0)}; stand-in: {word('fig3', 2)}",
          figures["synergy_fig3", 0].solved and figures["synergy_fig3", 2].solved,
          "Without generalisation `synergy` needs: " + word("fig3", 1))
    claim("Figure 6, Theorem 2: SYNERGY ends at once where there is no finite bisimulation quotient",
          f"`synergy`: {word('fig6', 0)}; `lee-yannakakis`: {word('fig6', 3)}",
          figures["synergy_fig6", 0].solved and not figures["synergy_fig6", 3].solved)
    growth = linear[-1][1] / max(linear[0][1], 1) / (linear[-1][0] / linear[0][0]) if linear else 0
    if linear:
        claim("Figure 8: O(n) iterations for n branches, DART needs 2^n tests",
              f"{linear[-1][1]} iterations for {linear[-1][0]} branches; `dart`: " +
              ", ".join(f"{count:,} paths for {n}" if ended else f"no end for {n}" for n, count, ended in paths),
              all(ended for _, _, ended in linear) and growth < 1.5)
    claim("Figure 9: Figure 2 does not end, it does with RefineWithGeneralization",
          f"without: {word('fig9', 1)}; with: {word('fig9', 0)}",
          figures["synergy_fig9", 0].solved and not figures["synergy_fig9", 1].solved)
    claim("Table 1: SYNERGY solves all 20, SLAM 14, LEE-YANNAKAKIS 8",
          f"{solved[0]} of {asked[0]} ({at_once[0]} with 0 iterations), {solved[2]} of {asked[2]}, {solved[3]} of {asked[3]}; "
          f"Figure 2 alone {solved[1]} of {asked[1]}",
          None if asked[0] < 20 else solved[0] == asked[0] and solved[3] < solved[0],
          "The programs are like the paper's, which are not published. The stand-in proves more than SLAM did, by interpolants.")
    for folder, wanted in FOLDERS:
        right, count, _ = totals[folder, "synergy"]
        if not count:
            continue
        rows.append([f"(beyond the paper) `c/{folder}`, at least {wanted} expected", f"{right} of {count}",
                     beyond(right, count, wanted, SIZES[folder]), ""])
    return rows


def make_page(runs):
    figures, _, _, of_figures, _ = compare(runs, [f"examples/papers/synergy_{name}.c" for name in FIGURES])
    benchmarks, totals = folders(runs)
    growth, linear, paths = figure_8(runs)
    table_1, solved, at_once, _, asked = compare(runs, [f"examples/synergy/test{i}.c" for i in range(1, 21)])
    sampled = f" The other two engines were asked about {runs.most} of each folder." if runs.most else ""
    of_paper = claims(solved, at_once, asked, of_figures, linear, paths, totals)
    summarise(HERE, "003, SYNERGY", "synergy", runs, of_paper)
    write(HERE, "synergy.md", [
        "# SYNERGY: the experiments of 003\n",
        runs.heading("synergy", "of each folder, for the engines to compare with") +
        " All engines run with `--plain`: nothing is known of a program in advance. `*` is no answer within the limit, `–` was not asked.\n",
        "SLAM's stand-in is `ufo-boolean-eager`: predicate abstraction with Boolean post images, where interpolants only give "
        "predicates and every refinement starts anew. `synergy, Figure 2` is `--without generalisation`: the algorithm as "
        "printed, with line 35 commented out.\n",
        "## What the paper claims\n", claimed(of_paper),
        "## The figures\n", "`examples/papers`. Iterations (of the stand-in: refinements) and seconds.\n", figures,
        "## Table 1\n",
        "Twenty programs in the spirit of the paper's (`examples/synergy`). Answers with 0 iterations are counted apart: the error is "
        "not in the graph, or the first test meets it.\n", table_1,
        "## Figure 8: n branches in a row\n", growth,
        "## Benchmarks\n", "Inlined programs." + sampled + "\n", benchmarks])


if __name__ == "__main__":
    in_passes(arguments(__doc__, HERE), Runs, make_page)
