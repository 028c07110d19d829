#!/usr/bin/env python3
"""Loops that count far, products and state machines: what is answered, and the page `numbers.md`.

    numbers.py CRAIG BENCH [--before CRAIG0] [--timeout 60s] [--sample N] [--page docs/experiments/numbers.md]

BENCH is a folder with the suites, each with a manifest.tsv. With --before, another build is asked the same, one after the
other, task by task. One process at a time; the page is written when all have been asked. Processor seconds are those of the
process and what it starts.
"""
import argparse
import collections
import json
import os
import random
import resource
import statistics
import subprocess

GROUPS = [
    ("loops, `c/`", "", ["c/loops/", "c/loop-"]),
    ("`c/systemc`", "", ["c/systemc/"]),
    ("`c/ntdrivers`", "", ["c/ntdrivers/"]),
    ("`c/seq-pthread`", "", ["c/seq-pthread/"]),
    ("`c/ssh-simplified`", "", ["c/ssh-simplified/"]),
    ("loops, `svcomp-new`", "peers", ["svcomp-new/loop"]),
    ("products, `svcomp-new`", "peers", ["svcomp-new/nla-", "svcomp-new/combinations"]),
    ("`eca-rers2012`, `psyco`", "peers", ["svcomp-new/eca", "svcomp-new/psyco"]),
    ("`seq-mthreaded*`", "peers", ["svcomp-new/seq-mthreaded"]),
    ("`loopy`", "peers", ["loopy/"]),
]
OWN = [
    ("far_sum", "as many rounds as an input says, a million needed"),
    ("far_turns", "an input in each round, both ways more than 65,536 times"),
    ("far_around", "a counter that wraps around, and an input"),
    ("far_every_second", "something in every second of a million rounds"),
    ("inputs_in_order", "nine inputs in the right order"),
]


def ask(craig, file, options, timeout):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [craig, "check", "--json", "--stop-at-first", *options, "--timeout", timeout, file]
    run = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    try:
        report = json.loads(run.stdout)
    except ValueError:
        return f"exit {run.returncode}", seconds
    return report.get("verdict", "unknown"), seconds


def tasks(bench, suite, prefixes):
    folder = os.path.join(bench, suite)
    for line in open(os.path.join(folder, "manifest.tsv")).read().splitlines()[1:]:
        name, expected, _, *options = line.split("\t")
        if name.startswith(tuple(prefixes)) and name.endswith((".c", ".i")) and expected in ("safe", "unsafe"):
            own = options[0].split() if options and options[0] and suite else ["--data-model", "ilp32"]
            yield os.path.join(folder, name), expected, own + ["--check", "error"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("craig")
    parser.add_argument("bench")
    parser.add_argument("--before")
    parser.add_argument("--timeout", default="60s")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--groups", default="")
    parser.add_argument("--page", default="docs/experiments/numbers.md")
    asked = parser.parse_args()
    builds = [("now", asked.craig)] + ([("before", asked.before)] if asked.before else [])
    table, wrong, still_open = [], [], []
    for title, suite, prefixes in GROUPS:
        if asked.groups and not any(part in title for part in asked.groups.split(",")):
            continue
        chosen = list(tasks(asked.bench, suite, prefixes))
        if asked.sample and len(chosen) > asked.sample:
            chosen = random.Random(0).sample(chosen, asked.sample)
        right, used, both = collections.Counter(), collections.Counter(), []
        for number, (file, expected, options) in enumerate(chosen):
            short = os.path.relpath(file, asked.bench)
            times = {}
            # Who begins changes from task to task.
            for build, craig in builds if number % 2 else builds[::-1]:
                answer, seconds = ask(craig, file, options, asked.timeout)
                used[build] += seconds
                if answer == expected:
                    right[build] += 1
                    times[build] = max(seconds, 0.01)
                elif answer in ("safe", "unsafe"):
                    wrong.append(f"{build}: {short}: {answer}, and {expected} is expected")
                elif build == "now":
                    still_open.append(short)
                print(build, short, answer, f"{seconds:.1f}", flush=True)
            if len(times) == 2:
                both.append(times["now"] / times["before"])
        ratio = f"{statistics.geometric_mean(both):.2f}" if both else ""
        cells = [f"{right[build]} | {used[build]:.0f}" for build, _ in builds]
        table.append(f"| {title} | {len(chosen)} | {' | '.join(cells)} | {ratio} |")
    own = []
    programs = os.path.join(os.path.dirname(__file__), "../../crates/engines/tests/programs")
    for name, what in OWN:
        file = os.path.join(programs, name + ".c")
        answers = [ask(craig, file, ["--check", "error"], asked.timeout) for _, craig in builds]
        cells = [f"{answer} | {seconds:.1f}" for answer, seconds in answers]
        own.append(f"| {what} | `{name}.c` | {' | '.join(cells)} |")
        print(own[-1], flush=True)
    heads = [f"{build}: right | s" for build, _ in builds]
    limit = f" --sample {asked.sample}" if asked.sample else ""
    with open(asked.page, "w") as page:
        print("# Loops that count far, products, state machines\n", file=page)
        print(f"Written by `docs/experiments/numbers.py CRAIG BENCH --timeout {asked.timeout}{limit}"
              f"{' --before CRAIG0' if asked.before else ''}`: default members, one program", file=page)
        print("at a time, checks of reachability only, seconds of processor time. Proofs were checked and failing runs replayed.", file=page)
        print("The ratio is the geometric mean over what both builds answer, times below 10 ms counted as 10 ms.\n", file=page)
        print(f"| | tasks | {' | '.join(heads)} | ratio |", file=page)
        print("|---|--:|" + "--:|--:|" * len(builds) + "--:|", file=page)
        print("\n".join(table) + "\n", file=page)
        print("\n".join(f"Wrong: {line}." for line in wrong) or "No answer was wrong.", file=page)
        print("\nOf our own:\n", file=page)
        heads = [f"{build} | s" for build, _ in builds]
        print(f"| what | program | {' | '.join(heads)} |", file=page)
        print("|---|---|" + "---|--:|" * len(builds), file=page)
        print("\n".join(own), file=page)
        print("\nOpen: " + (", ".join(f"`{name}`" for name in still_open) or "nothing") + ".", file=page)


if __name__ == "__main__":
    main()
