#!/usr/bin/env python3
"""Programs and clauses about arrays and lists: what is answered, and the page `arrays.md`.

    arrays.py CRAIG BENCH [--timeout 10s] [--page docs/experiments/arrays.md] [--clauses]

BENCH is a folder with the suites, each with a manifest.tsv. The programs of `crates/engines/tests/programs` that are named
below are asked as well. One process at a time; the page is written when all have been asked. With `--clauses` only the
clauses are asked, by Craig and by the `z3` in the search path (Spacer), and only their part of the page is written.
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
CLAUSES = [
    ("", "chc/chccomp19-lia-lin-arrays"),
    ("", "chc/dillig-arrays"),
    ("peers", "chc/chccomp25/LIA-Arrays"),
    ("peers", "chc/chccomp25/LIA-Lin-Arrays"),
]
CLAUSES_TITLE = "\n## Clauses\n"
OWN = [
    ("copied_bytes", "`memcpy`, byte by byte with two pointers"),
    ("first_zero", "`strlen`, and nothing before the end is zero"),
    ("copied_string", "`strcpy`: equal up to the first zero, which is copied too"),
    ("sum_taken_back", "what was added up is taken away again"),
    ("sum_in_any_order", "the sum of elements that were moved around"),
    ("greatest_in_any_order", "the greatest of elements that changed places"),
    ("squares_of_elements", "elements that are squares of others"),
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


def word(command):
    """The answer of a solver of clauses, and the processor time that it took."""
    before = os.times()
    run = subprocess.run(command, capture_output=True, text=True)
    after = os.times()
    words = run.stdout.split() or ["nothing"]
    return words[0].strip(":"), after.children_user - before.children_user


def clauses(craig, bench, timeout):
    """The part of the page about clauses."""
    table, notes = [], []
    for suite, folder in CLAUSES:
        where = os.path.join(bench, suite, folder)
        counts, seconds = [0, 0, 0], [0.0, 0.0]
        still_open = []
        for name in sorted(os.listdir(where)):
            file = os.path.join(where, name)
            ours, own_time = word([craig, "solve", "--timeout", timeout, file])
            theirs, their_time = word(["z3", f"-T:{timeout.rstrip('s')}", file])
            answered = [answer in ("sat", "unsat") for answer in (ours, theirs)]
            counts[0] += answered[0]
            counts[1] += answered[1]
            counts[2] += all(answered) and ours != theirs
            seconds[0] += own_time
            seconds[1] += their_time
            if not answered[0]:
                still_open.append(name)
            print(name, ours, f"{own_time:.1f}", theirs, f"{their_time:.1f}", flush=True)
        tasks = len(os.listdir(where))
        table.append(
            f"| {folder} | {tasks} | {counts[0]} | {counts[1]} | {counts[2]} | {seconds[0]:.0f} | {seconds[1]:.0f} |"
        )
        if still_open:
            notes.append(f"Open in {folder}: " + ", ".join(f"`{name}`" for name in still_open) + ".")
    return f"""{CLAUSES_TITLE}
Written by `docs/experiments/arrays.py CRAIG BENCH --clauses --timeout {timeout}`: default members; models and
derivations were checked. Seconds are of the processor.

| folder | tasks | Craig | Spacer | both, and differ | seconds | Spacer's |
|---|--:|--:|--:|--:|--:|--:|
""" + "\n".join(table) + "\n\n" + "\n\n".join(notes) + "\n"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("craig")
    parser.add_argument("bench")
    parser.add_argument("--timeout", default="10s")
    parser.add_argument("--page", default="docs/experiments/arrays.md")
    parser.add_argument("--clauses", action="store_true")
    asked = parser.parse_args()
    before = open(asked.page).read() if os.path.exists(asked.page) else ""
    programs_part, _, clauses_part = before.partition(CLAUSES_TITLE)
    if asked.clauses:
        part = clauses(asked.craig, asked.bench, asked.timeout)
        with open(asked.page, "w") as page:
            page.write(programs_part.rstrip("\n") + "\n" + part)
        return
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
        if clauses_part:
            page.write(CLAUSES_TITLE + clauses_part)


if __name__ == "__main__":
    main()
