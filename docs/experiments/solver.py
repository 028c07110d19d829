#!/usr/bin/env python3
"""Makes docs/experiments/solver.md: python3 docs/experiments/solver.py [--checker CHECKER] > docs/experiments/solver.md

Solves and interpolates the unwindings in ../shared/bench/smt, beside Z3 where that is installed. With
--checker, a script that is called as `CHECKER FORMULA OUTPUT` and says `valid`, every sequence of interpolants
goes through it. Needs `cargo build --release -p craig -p craig-smt --examples`.
"""

import argparse
import glob
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

BENCH = os.environ.get("CRAIG_BENCH", "../shared/bench") + "/smt"
SOLVE = "target/release/examples/solve"
CRAIG = "target/release/craig"
LIMIT = 20
MEMORY = 9 << 30


def run(command, times=1, limit=LIMIT):
    """The output and the least processor time of several runs."""
    best, output = math.inf, ""
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        # A process is killed with its output so far.
        done = subprocess.run(["timeout", str(limit), *command], capture_output=True, text=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best, output = min(best, used), done.stdout + done.stderr
        if best > 1:
            break
    return output, max(best, 1e-3)


def answer(output):
    found = re.search(r"^(sat|unsat|unknown)$", output, re.M)
    return found.group(1) if found else "-"


def mean(ratios):
    return math.exp(sum(math.log(r) for r in ratios) / len(ratios)) if ratios else math.nan


def accepted(checker, path):
    with tempfile.NamedTemporaryFile("w", suffix=".out") as out:
        out.write(subprocess.run([CRAIG, "smt", path], capture_output=True, text=True).stdout)
        out.flush()

        def less_memory():
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

        try:
            done = subprocess.run(
                [sys.executable, checker, path, out.name],
                capture_output=True, text=True, timeout=170, preexec_fn=less_memory,
            )
        except subprocess.TimeoutExpired:
            return "the checker takes too long"
        text = (done.stdout + done.stderr).strip().splitlines()
        return "" if done.returncode == 0 else (text[-1] if text else "no answer of the checker")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--checker")
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    z3 = shutil.which("z3")
    families, sizes, refused = {}, [], []
    for path in sorted(glob.glob(BENCH + "/*/*.smt2")):
        family = families.setdefault(os.path.basename(os.path.dirname(path)), {
            "files": 0, "answered": 0, "wrong": 0, "z3": [], "overhead": [], "sizes": [], "accepted": 0, "unsat": 0,
        })
        with open(path) as file:
            status = re.search(r":status (\w+)", file.read(5000)).group(1)
        output, plain = run([SOLVE, path], args.runs)
        family["files"] += 1
        family["answered"] += answer(output) == status
        family["wrong"] += answer(output) not in (status, "unknown", "-")
        if z3:
            output, other = run([z3, f"-T:{LIMIT}", "-smt2", path], args.runs, LIMIT + 5)
            family["z3"].append(plain / other)
        if status != "unsat":
            continue
        output, whole = run([SOLVE, path, "--interpolate", "--stats", "--timeout", "60"], args.runs, 70)
        found = re.search(r"^sizes \[(.*)\]$", output, re.M)
        family["unsat"] += 1
        if found:
            family["overhead"].append(whole / plain)
            family["sizes"] += [int(size) for size in found.group(1).split(",")]
        if args.checker:
            problem = accepted(args.checker, path)
            family["accepted"] += not problem
            if problem:
                refused.append((os.path.basename(path), problem))
    print("# The solver on unwindings of Horn clauses\n")
    print("Made by `python3 docs/experiments/solver.py --checker CHECKER`. Processor time, the least of "
          f"{args.runs} runs; {LIMIT} s for an answer.")
    print("Ratios are geometric means: of Craig's time to Z3's (`check-sat`), and of solving with interpolants to "
          "solving alone.")
    print("Sizes are nodes of the interpolants, shared ones counted once.\n")
    print("| family | files | answered | wrong | ratio to Z3 | with interpolants | median size | nine tenths | largest "
          "| sequences accepted |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    total = {"files": 0, "answered": 0, "wrong": 0, "z3": [], "overhead": [], "sizes": [], "accepted": 0, "unsat": 0}
    for name, family in families.items():
        for key in total:
            total[key] = total[key] + family[key]
        row(name, family, args.checker)
    row("all", total, args.checker)
    if refused:
        print("\nNot accepted:\n")
        for name, problem in refused:
            print(f"- {name}: {problem}")


def row(name, family, checker):
    sizes = sorted(family["sizes"])
    at = lambda share: sizes[min(len(sizes) - 1, int(share * len(sizes)))] if sizes else "-"
    accepted = f"{family['accepted']} of {family['unsat']}" if checker else "-"
    print(f"| {name} | {family['files']} | {family['answered']} | {family['wrong']} | {mean(family['z3']):.2f} "
          f"| {mean(family['overhead']):.2f} | {at(0.5)} | {at(0.9)} | {sizes[-1] if sizes else '-'} | {accepted} |")


if __name__ == "__main__":
    main()
