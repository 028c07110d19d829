#!/usr/bin/env python3
"""Every proof, checked by others.

    proofs.py CRAIG SUITE [--only TEXT] [--every N] [--timeout 5s] [--limit 20] [--solver "z3"] [--kept FILE]

For each task of the suite (a folder with a manifest.tsv) that has a proof and that Craig answers `safe` or `sat`, what the proof rests on is
written with --proof-smt. Each script must be answered `unsat` by the solver (a command that is given the file) within
--limit seconds; a refutation in LRAT must be accepted by the checker below. What is not accepted is printed. This shows
that the questions are answered rightly, not that they are the right questions: the program's encoding is Craig's. FILE keeps
what came of each task, so that tasks that it has are not asked again.
"""
import argparse
import collections
import glob
import os
import subprocess
import tempfile


def tasks(suite, only):
    lines = open(os.path.join(suite, "manifest.tsv")).read().splitlines()[1:]
    for line in lines:
        name, expected, _, *options = line.split("\t")
        if only not in name or expected in ("unsafe", "unsat"):
            continue
        if name.endswith(".smt2") and "chc/" in name:
            yield name, ["solve"]
        elif name.endswith((".c", ".i", ".yml")):
            own = options[0].split() if options else ["--data-model", "ilp32"]
            if "--check" not in own and not name.endswith(".yml"):
                own += ["--check", "error"]
            yield name, ["check", *own]


def refuted(cnf, lrat):
    """Whether the refutation derives the empty clause, each step by unit propagation of the clauses that it names."""
    clauses = [set(map(int, line.split()[:-1])) for line in open(cnf).read().splitlines()[1:]]
    clauses = dict(enumerate(clauses, 1))
    if any(not clause for clause in clauses.values()):
        return True
    for line in open(lrat):
        numbers = list(map(int, line.split()))
        end = numbers.index(0)
        clause, hints = set(numbers[1:end]), numbers[end + 1:-1]
        true = {-lit for lit in clause}
        for hint in hints:
            left = [lit for lit in clauses[hint] if -lit not in true]
            if not left:
                break
            if len(left) > 1:
                return False
            true.add(left[0])
        else:
            return False
        if not clause:
            return True
        clauses[numbers[0]] = clause
    return False


def accepted(folder, solver, limit):
    """Nothing, or what was not accepted; and the number of questions."""
    if os.path.exists(os.path.join(folder, "unwinding.cnf")):
        good = refuted(os.path.join(folder, "unwinding.cnf"), os.path.join(folder, "unwinding.lrat"))
        return (None if good else "LRAT: wrong"), 1
    scripts = sorted(glob.glob(os.path.join(folder, "*.smt2")))
    for script in scripts:
        try:
            done = subprocess.run([*solver, script], capture_output=True, text=True, timeout=limit)
            answer = (done.stdout.splitlines() or ["nothing"])[0]
        except subprocess.TimeoutExpired:
            answer = "timeout"
        if answer != "unsat":
            return f"{os.path.basename(script)}: {answer}", len(scripts)
    return None, len(scripts)


def outcome(given, name, options):
    """What came of a task in a word or two, what is to be said of it, and the number of questions."""
    with tempfile.TemporaryDirectory() as outside:
        folder = os.path.join(outside, "proof")
        command = [given.craig, *options, "--timeout", given.timeout, "--proof-smt", folder,
                   os.path.join(given.suite, name)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return "no answer", "", 0
        if not done.stdout.startswith(("safe", "sat")):
            return "not safe", "", 0
        if not os.path.exists(os.path.join(folder, "run.sh")):
            reason = [line for line in done.stderr.splitlines() if "scripts:" in line]
            return "not exported", " ".join(reason), 0
        wrong, asked = accepted(folder, given.solver.split(), given.limit)
        if wrong:
            return "timeout" if wrong.endswith("timeout") else "rejected", wrong, asked
        return "accepted" if asked else "nothing to ask", "", asked


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("craig")
    parser.add_argument("suite")
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--timeout", default="5s")
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--solver", default="z3")
    parser.add_argument("--kept")
    given = parser.parse_args()
    kept = {}
    if given.kept and os.path.exists(given.kept):
        lines = open(given.kept).read().splitlines()
        kept = {name: (kind, words, int(asked)) for name, kind, words, asked in (line.split("\t") for line in lines)}
    counts, questions = collections.Counter(), 0
    for name, options in list(tasks(given.suite, given.only))[::given.every]:
        if name not in kept:
            kept[name] = kind, words, asked = outcome(given, name, options)
            if words:
                print(name, words, flush=True)
            if given.kept:
                with open(given.kept, "a") as file:
                    print(name, kind, words.replace("\t", " "), asked, sep="\t", file=file)
        kind, _, asked = kept[name]
        counts[kind] += 1
        questions += asked
    print(", ".join(f"{count} {kind}" for kind, count in counts.most_common()), f"({questions} questions)")


if __name__ == "__main__":
    main()
