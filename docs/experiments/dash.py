#!/usr/bin/env python3
"""Makes docs/experiments/dash.md: python3 docs/experiments/dash.py [CRAIG [SECTION...]] > docs/experiments/dash.md

Runs `craig check` (default: target/release/craig) on the programs of the papers on SYNERGY and DASH, and, where
the folder exists, on samples of the benchmarks in ../shared/bench.
"""

import json
import os
import re
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
    command = [CRAIG, "check", "--json", "-q", "--timeout", f"{limit}s", *options, *files]
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


def benchmarks():
    if not os.path.isdir(BENCH):
        print("The benchmarks are not here.\n")
        return
    print(f"## Benchmarks, {LIMIT} s for each program\n")
    print("| folder | solved | of | wrong | iterations | tests | solver calls | s |\n|---|---|---|---|---|---|---|---|")
    for folder in ["locks", "ntdrivers-simplified", "ssh-simplified", "recursive-simple", "ldv-regression", "list-properties"]:
        solved = wrong = count = 0
        totals = {"iterations": 0, "tests": 0, "solver calls": 0}
        total_seconds = 0.0
        for name in sorted(os.listdir(os.path.join(BENCH, folder))):
            if not name.endswith((".c", ".i")):
                continue
            count += 1
            expected = "safe" if "_true-unreach-call" in name else "unsafe"
            path = os.path.join(BENCH, folder, name)
            verdict, stats, seconds = check([path], ["--engine", "dash", "--data-model", "ilp32"])
            solved += verdict == expected
            wrong += verdict in ("safe", "unsafe") and verdict != expected
            total_seconds += seconds
            for key in totals:
                totals[key] += int(stats.get(key, 0))
        cells = " | ".join(str(value) for value in totals.values())
        print(f"| {folder} | {solved} | {count} | {wrong} | {cells} | {total_seconds:.0f} |", flush=True)
    print()


def cached_tests():
    """The unsafe programs twice with the same folder of tests."""
    if not os.path.isdir(BENCH):
        return
    print("## The test cache\n")
    print("The programs with an error twice with the same `--test-cache`. What remains of the second run is to read the")
    print("program and to run the test.\n")
    print("| folder | programs | found | first run, s | second run, s |\n|---|---|---|---|---|")
    for folder in ["locks", "ntdrivers-simplified", "ssh-simplified", "recursive-simple", "ldv-regression"]:
        paths = sorted(os.listdir(os.path.join(BENCH, folder)))
        paths = [os.path.join(BENCH, folder, name) for name in paths if "_false-unreach-call" in name and name.endswith((".c", ".i"))]
        with tempfile.TemporaryDirectory() as cache:
            options = ["--engine", "dash", "--data-model", "ilp32", "--test-cache", cache]
            runs = [[check([path], options) for path in paths] for _ in range(2)]
        found = sum(verdict == "unsafe" for verdict, _, _ in runs[1])
        first, second = (sum(seconds for _, _, seconds in run) for run in runs)
        print(f"| {folder} | {len(paths)} | {found} | {first:.2f} | {second:.2f} |", flush=True)
    print()


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
    "cache": cached_tests,
}

# All sections, or those that are named behind the program.
for section in sys.argv[2:] or SECTIONS:
    SECTIONS[section]()
