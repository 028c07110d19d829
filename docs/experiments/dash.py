#!/usr/bin/env python3
"""Makes docs/experiments/dash.md: python3 docs/experiments/dash.py [CRAIG [SECTION...]] > docs/experiments/dash.md

Runs `craig check` (default: target/release/craig) on the programs of the papers on SYNERGY and DASH, and, where
the folder exists, on samples of the benchmarks in ../shared/bench.
"""

import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

CRAIG = sys.argv[1] if len(sys.argv) > 1 else "target/release/craig"
LIMIT = 3
BENCH = os.environ.get("CRAIG_BENCH", "../shared/bench") + "/c"


def check(files, options, limit=LIMIT):
    """The answer, the statistics of the engine, and the seconds."""
    start = time.time()
    command = [CRAIG, "check", "--json", "-q", "--check", "error", "--stop-at-first", "--timeout", f"{limit}s", *options, *files]
    output = subprocess.run(command, capture_output=True, text=True).stdout
    seconds = time.time() - start
    try:
        result = json.loads(output.splitlines()[0])
    except (IndexError, json.JSONDecodeError):
        return "failed", {}, seconds
    stats = {}
    for name, value in result.get("stats", {}).items():
        stats[name.split(": ", 1)[-1]] = value
    return result["verdict"], stats, seconds


def cpu():
    """Seconds of processor time that finished child processes have used."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def iterations(verdict, stats):
    return str(int(stats.get("iterations", 0))) if verdict in ("safe", "unsafe") else "*"


def table_1():
    print("## Table 1 of 003, re-made\n")
    print("Twenty programs in the spirit of the paper's (`examples/synergy`), iterations and seconds; `*` is no answer")
    print(f"within {LIMIT} s. `ufo --post boolean --eager` stands where the paper has SLAM.\n")
    print("| program | answer | synergy | s | ufo, Boolean, eager | s | lee-yannakakis | s | dash | s |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    engines = [
        ["--engine", "synergy"],
        ["--engine", "ufo", "--post", "boolean", "--eager"],
        ["--engine", "lee-yannakakis"],
        ["--engine", "dash"],
    ]
    for i in range(1, 21):
        answers, cells = set(), []
        for engine in engines:
            verdict, stats, seconds = check([f"examples/synergy/test{i}.c"], engine)
            answers |= {verdict} & {"safe", "unsafe"}
            cells += [iterations(verdict, stats), f"{seconds:.2f}"]
        print(f"| test{i}.c | {' and '.join(sorted(answers))} | {' | '.join(cells)} |")
    print()


def diamonds(n):
    branch = "    if (__VERIFIER_nondet_int())\n        x = x + 1;\n    else\n        x = x - 1;\n"
    return (
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n"
        "int main(void) {\n    int one = __VERIFIER_nondet_int() ? 1 : 2, state = one, x = 0;\n"
        + branch * n
        + "    if (state != one)\n        reach_error();\n    return 0;\n}\n"
    )


def pointers(n):
    lines = ["extern int __VERIFIER_nondet_int(void);", "extern void reach_error(void);", "extern void exit(int);", "int cells[100];"]
    lines += ["int *choose(void) {", "    unsigned i = __VERIFIER_nondet_int();", "    if (i >= 100) exit(0);", "    return &cells[i];", "}"]
    lines += ["int main(void) {", "    int *p = choose();"]
    lines += [f"    int *p{i} = choose();" for i in range(1, n + 1)]
    lines += [f"    if (p == p{i}) return 0;" for i in range(1, n + 1)]
    lines += [f"    *p{i} = 0;" for i in range(1, n + 1)]
    lines += ["    *p = 1;", "    if (" + " | ".join(f"(*p{i} == 1)" for i in range(1, n + 1)) + ") reach_error();"]
    return "\n".join(lines + ["    return 0;", "}"]) + "\n"


def growth(title, text, sizes, engine):
    print(f"## {title}\n")
    print("| n | answer | iterations | tests | refinements | solver calls | s |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for n in sizes:
            path = os.path.join(folder, "program.c")
            with open(path, "w") as file:
                file.write(text(n))
            verdict, stats, seconds = check([path], ["--engine", engine], 10)
            names = ["iterations", "tests", "refinements", "solver calls"]
            cells = [str(int(stats.get(name, 0))) for name in names]
            print(f"| {n} | {verdict} | {' | '.join(cells)} | {seconds:.2f} |", flush=True)
    print()


FOLDERS = ["locks", "ntdrivers-simplified", "ssh-simplified", "recursive-simple", "ldv-regression", "list-properties"]


def programs(folder, only=""):
    names = sorted(os.listdir(os.path.join(BENCH, folder)))
    return [os.path.join(BENCH, folder, name) for name in names if only in name and name.endswith((".c", ".i"))]


def benchmark(folder, engine):
    solved = wrong = 0
    totals = {"iterations": 0, "tests": 0, "refinements": 0, "solver calls": 0}
    start, most = time.time(), 0
    paths = programs(folder)
    for path in paths:
        expected = "safe" if "_true-unreach-call" in path else "unsafe"
        verdict, stats, _ = check([path], ["--engine", engine, "--data-model", "ilp32"])
        solved += verdict == expected
        wrong += verdict in ("safe", "unsafe") and verdict != expected
        most = max(most, int(stats.get("most solver calls in an iteration", 0)))
        for key in totals:
            totals[key] += int(stats.get(key, 0))
    cells = " | ".join(str(value) for value in totals.values())
    print(f"| {folder} | {engine} | {solved} | {len(paths)} | {wrong} | {cells} | {most or ''} | {time.time() - start:.0f} |", flush=True)


HEAD = "| folder | engine | solved | of | wrong | iterations | tests | refinements | solver calls | most in one iteration | s |"


def benchmarks():
    if not os.path.isdir(BENCH):
        print("The benchmarks are not here.\n")
        return
    print(f"## Benchmarks, {LIMIT} s for each program\n")
    print("Programs with recursion are checked procedure by procedure (Figure 14), all others inlined. The last number of")
    print("solver calls is the statistic that Lemma 2 says is one; between procedures, each attempt is an iteration.\n")
    print(HEAD + "\n" + "|---" * 11 + "|")
    for folder in FOLDERS:
        benchmark(folder, "dash")
    print()


def variants():
    if not os.path.isdir(BENCH):
        return
    print(f"## Variants, {LIMIT} s for each program\n")
    print("`dash-frontiers` asks about up to four frontiers at once, `dash-disjunctive` leaves open in α whether two elements of")
    print("one array are the same, `dash-procedures` uses Figure 14 also where there is no recursion.\n")
    print(HEAD + "\n" + "|---" * 11 + "|")
    for folder in ["locks", "ntdrivers-simplified", "ldv-regression"]:
        for engine in ["dash", "dash-frontiers", "dash-disjunctive", "dash-procedures"]:
            benchmark(folder, engine)
    print()


def cached_tests():
    """The unsafe programs twice with the same folder of tests."""
    if not os.path.isdir(BENCH):
        return
    print("## The test cache\n")
    print("The programs with an error, each twice with the same `--test-cache`, in seconds of processor time. The third number")
    print("is what it takes to start and to read the programs (`--timeout 0s`), which both runs do: a second run reads the")
    print("program, runs the failing test and describes it; it makes no iteration and calls no solver. The first runs take so")
    print("little, most because a random test fails, that reading is half of the second run: ten times less in total is not")
    print("to be had. What is left in `recursive-simple` are two tests of a million statements each. `dash --no-runs` is without")
    print("random tests, as the paper's experiments are; a program that it does not solve is left out of its sums.\n")
    print("| folder | engine | programs | found | first run | second run | ratio | reading | ratio without reading | iterations, then |")
    print("|---" * 10 + "|")
    for engine in ["dash", "dash --no-runs"]:
        whole = [0.0] * 3
        for folder in FOLDERS:
            sums, found, count, again = [0.0] * 3, 0, 0, [0, 0]
            with tempfile.TemporaryDirectory() as cache:
                paths = programs(folder, "_false-unreach-call")
                for path in paths:
                    options = ["--data-model", "ilp32"]
                    cached = [*options, "--engine", *engine.split(), "--test-cache", os.path.join(cache, os.path.basename(path))]
                    marks, verdicts = [cpu()], []
                    for run in range(2):
                        verdict, stats, _ = check([path], cached)
                        again[run] += int(stats.get("iterations", 0)) if verdicts[:1] != ["unknown"] else 0
                        verdicts.append(verdict)
                        marks.append(cpu())
                    check([path], [*options, "--engine", "random"], 0)
                    marks.append(cpu())
                    if verdicts[0] == "unsafe":
                        found += verdicts[1] == "unsafe"
                        sums = [total + after - before for total, before, after in zip(sums, marks, marks[1:])]
            whole = [total + part for total, part in zip(whole, sums)]
            line(folder, engine, str(len(paths)), str(found), sums, f"{again[0]}, {again[1]}")
        line("all", engine, "", "", whole, "")
    print()


def line(folder, engine, count, found, sums, again):
    first, second, reading = sums
    ratio = f"{first / max(second, 0.001):.1f}"
    beyond = f"{(first - reading) / max(second - reading, 0.001):.1f}"
    cells = [folder, engine, count, found, f"{first:.2f}", f"{second:.2f}", ratio, f"{reading:.2f}", beyond, again]
    print("| " + " | ".join(cells) + " |", flush=True)


def watched(rule):
    """The functions that a rule is about."""
    with open(f"rules/{rule}.slic") as file:
        text = file.read()
    events = re.findall(r"(\w+|\[[^\]]*\])\.(?:entry|exit|return|call)", text)
    return set(re.findall(r"\w+", " ".join(events))) - {"main"}


def rules():
    print("## Rules and programs\n")
    names = sorted(name[:-5] for name in os.listdir("rules") if name.endswith(".slic"))
    print("Each rule with each example program, by the portfolio: `+` kept, `-` broken, `?` unknown, empty: not concerned.\n")
    print("| program | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    for program in sorted(os.listdir("rules/examples")):
        path = os.path.join("rules/examples", program)
        with open(path) as file:
            text = file.read()
        cells = []
        for name in names:
            if not any(re.search(rf"\b{function}\b", text) for function in watched(name)):
                cells.append("")
                continue
            verdict, _, _ = check([path], ["--rule", f"rules/{name}.slic"])
            cells.append({"safe": "+", "unsafe": "-"}.get(verdict, "?"))
        print(f"| {program} | {' | '.join(cells)} |", flush=True)
    print()


def header():
    print("# Experiments: synergy, lee-yannakakis, dash\n")
    print("Made by `python3 docs/experiments/dash.py`. Times are wall times of a loaded machine with two cores: compare")
    print("them with each other only.\n")


SECTIONS = {
    "header": header,
    "table1": table_1,
    "figure8": lambda: growth(
        "Figure 8 of 003: n branches in a row, `synergy`", diamonds, [5, 10, 20, 50, 100, 200], "synergy"
    ),
    "figure5": lambda: growth("Figure 5 of 004: n pointers, `dash`", pointers, [2, 5, 10, 20, 30, 40, 50], "dash"),
    "rules": rules,
    "benchmarks": benchmarks,
    "variants": variants,
    "cache": cached_tests,
}

# All sections, or those that are named behind the program.
for section in sys.argv[2:] or SECTIONS:
    SECTIONS[section]()
