#!/usr/bin/env python3
"""Programs about arrays and lists: what is answered, and the page `arrays.md`.

    arrays.py CRAIG BENCH [--timeout 10s] [--page docs/experiments/arrays.md]

BENCH is a folder with the suites, each with a manifest.tsv. The programs of `crates/engines/tests/programs` that are named
below are asked as well. One process at a time; the page is written when all have been asked.
"""
import argparse
import collections
import os
import subprocess
import time

FOLDERS = [
    ("", "c/array-examples"),
    ("", "c/list-properties"),
    ("", "c/heap-manipulation"),
    ("peers", "svcomp-new/array-"),
    ("peers", "svcomp-new/reducercommutativity"),
    ("peers", "svcomp-new/list-"),
    ("peers", "svcomp-new/heap-"),
    ("peers", "svcomp-new/forester-heap"),
]
OWN = [
    ("copied_bytes", "`memcpy`, byte by byte with two pointers"),
    ("first_zero", "`strlen`, and nothing before the end is zero"),
    ("other_numbers", "`a[j] == b[9 * j + 1]`"),
    ("every_second_element", "a condition of two elements, of every second one"),
    ("rows_of_elements", "an array of rows of variable length"),
    ("sum_of_ones", "a sum over elements that are all one"),
    ("sorted_by_exchange", "bubble sort is sorted"),
    ("sorted_by_selection", "selection sort is sorted"),
    ("sorted_by_insertion", "insertion sort is sorted"),
    ("found_by_halves", "binary search in a sorted array"),
    ("list_grown_at_its_end", "a list that is turned around keeps what holds of its nodes"),
]


def ask(craig, file, options, timeout):
    start = time.time()
    command = [craig, "check", *options, "--timeout", timeout, file]
    run = subprocess.run(command, capture_output=True, text=True)
    words = run.stdout.split()
    return (words[0].strip(":") if words else f"exit {run.returncode}"), time.time() - start


def rows(bench, suite, prefix):
    folder = os.path.join(bench, suite)
    for line in open(os.path.join(folder, "manifest.tsv")).read().splitlines()[1:]:
        name, expected, _, *options = line.split("\t")
        if name.startswith(prefix) and name.endswith((".c", ".i")) and expected in ("safe", "unsafe"):
            own = options[0].split() if options and suite else ["--data-model", "ilp32"]
            yield os.path.join(folder, name), expected, own + ["--check", "error"]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("craig")
    parser.add_argument("bench")
    parser.add_argument("--timeout", default="10s")
    parser.add_argument("--page", default="docs/experiments/arrays.md")
    asked = parser.parse_args()
    counts = collections.OrderedDict()
    differing, still_open = [], []
    for suite, prefix in FOLDERS:
        for file, expected, options in rows(asked.bench, suite, prefix):
            answer, seconds = ask(asked.craig, file, options, asked.timeout)
            short = os.path.relpath(file, asked.bench)
            count = counts.setdefault(os.path.dirname(short), [0, 0, 0, 0.0])
            count[3] += seconds
            if answer == expected:
                count[0] += 1
            elif answer in ("safe", "unsafe"):
                count[1] += 1
                differing.append(f"{short}: {answer}, and {expected} is expected")
            else:
                count[2] += 1
                still_open.append(short)
            print(short, answer, f"{seconds:.1f}", flush=True)
    own = []
    programs = os.path.join(os.path.dirname(__file__), "../../crates/engines/tests/programs")
    for name, what in OWN:
        answer, seconds = ask(asked.craig, os.path.join(programs, name + ".c"), ["--check", "error"], asked.timeout)
        own.append(f"| {what} | `{name}.c` | {answer} | {seconds:.1f} |")
        print(name, answer, f"{seconds:.1f}", flush=True)
    with open(asked.page, "w") as page:
        print("# Arrays and lists\n", file=page)
        print(f"Written by `docs/experiments/arrays.py CRAIG BENCH --timeout {asked.timeout}`: default members, one program at a", file=page)
        print("time, checks of reachability only. Proofs were checked and failing runs replayed.\n", file=page)
        print("| folder | right | differs | open | seconds |", file=page)
        print("|---|--:|--:|--:|--:|", file=page)
        for folder, (right, differs, left, seconds) in counts.items():
            print(f"| {folder} | {right} | {differs} | {left} | {seconds:.0f} |", file=page)
        right, differs, left, seconds = (sum(count[i] for count in counts.values()) for i in range(4))
        print(f"| all | {right} | {differs} | {left} | {seconds:.0f} |\n", file=page)
        for line in differing:
            print(f"Differs: {line}.", file=page)
        print("\nOf our own, for arrays and lists of any length:\n", file=page)
        print("| what | program | answer | seconds |", file=page)
        print("|---|---|---|--:|", file=page)
        print("\n".join(own), file=page)
        print("\nOpen: " + ", ".join(f"`{name}`" for name in still_open) + ".", file=page)


if __name__ == "__main__":
    main()
