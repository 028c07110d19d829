#!/usr/bin/env python3
"""Craig's solver beside others, on the same scripts in one run: docs/experiments/solvers.py CRAIG [TOOL=COMMAND ...]

The scripts are those of ../shared/bench/smt and ../shared/bench/peers/smt without `get-interpolants`. A command gets the
name of a script as its last argument: `yices='yices-smt2 --timeout=20'`. Wrappers that start an interpreter first
are measured with it, so name the programs themselves. Prints, for each tool, how many were answered and the geometric mean
of Craig's processor time to the tool's on what both answered; times below 1 ms count as 1 ms.
"""

import argparse
import collections
import glob
import math
import os
import re
import resource
import shlex
import subprocess
import tempfile

BENCH = os.environ.get("CRAIG_BENCH", "../shared/bench")
LIMIT = 20


def run(command, times):
    """The first answer and the least processor time of several runs."""
    best, output = math.inf, ""
    for _ in range(times):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        try:
            output = subprocess.run(command, capture_output=True, text=True, timeout=LIMIT + 1).stdout
        except subprocess.TimeoutExpired:
            output = ""
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best = min(best, used)
        if best > 1:
            break
    found = re.search(r"^(sat|unsat)$", output, re.M)
    return (found.group(1) if found else None), max(best, 1e-3)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("craig")
    parser.add_argument("tools", nargs="*", help="NAME=COMMAND")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="", help="scripts whose path contains this")
    parser.add_argument("--every", type=int, default=1, help="one script of so many")
    args = parser.parse_args()
    tools = {"craig": [args.craig, "smt", "--timeout", f"{LIMIT}s"]}
    tools.update((name, shlex.split(command)) for name, command in (tool.split("=", 1) for tool in args.tools))
    paths = sorted(glob.glob(f"{BENCH}/smt/*/*.smt2") + glob.glob(f"{BENCH}/peers/smt/*/*.smt2"))
    rows = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        script = os.path.join(folder, "script.smt2")
        for path in [path for path in paths if args.only in path][:: args.every]:
            with open(path) as file, open(script, "w") as out:
                out.write(re.sub(r"\(get-interpolants[^)]*\)", "", file.read()))
            suite = "peers/smt" if "/peers/" in path else "smt"
            rows[suite].append((path, {name: run([*command, script], args.runs) for name, command in tools.items()}))
    print("| suite | scripts | tool | answered | with Craig | another answer | Craig's time to the tool's "
          "| Craig's s | the tool's s |")
    print("|---|--:|---|--:|--:|--:|--:|--:|--:|")
    for suite, results in rows.items():
        for name in tools:
            answered = sum(found[name][0] is not None for _, found in results)
            both = [(found["craig"], found[name]) for _, found in results if found["craig"][0] and found[name][0]]
            contrary = sum(ours[0] != theirs[0] for ours, theirs in both)
            logs = [math.log(ours[1] / theirs[1]) for ours, theirs in both]
            ratio = math.exp(sum(logs) / len(logs)) if logs else math.nan
            print(f"| `{suite}` | {len(results)} | {name} | {answered} | {len(both)} | {contrary} | {ratio:.2f} "
                  f"| {sum(ours[1] for ours, _ in both):.1f} | {sum(theirs[1] for _, theirs in both):.1f} |")


if __name__ == "__main__":
    main()
