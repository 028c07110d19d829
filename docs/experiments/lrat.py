#!/usr/bin/env python3
"""Checks refutations in LRAT, without any code of Craig: python3 docs/experiments/lrat.py [CLAUSES.cnf PROOF.lrat]

Without files it reads what `craig smt` printed from standard input, and checks every `(lrat "CLAUSES" "STEPS")` in it.
Prints `refuted`, or what is wrong, for each; the exit code is 1 if anything is. A step must follow from the clauses it
names by unit propagation in their order (RUP); steps that need more (RAT) are rejected.
"""

import re
import sys

PRINTED = re.compile(r'\(lrat "((?:[^"]|"")*)" "([^"]*)"\)')


class Wrong(Exception):
    pass


def read_clauses(text):
    """Clauses by number, and the number of variables."""
    numbers, variables, count = [], None, None
    for line in text.splitlines():
        words = line.split()
        if not words or words[0] == "c":
            continue
        if words[0] == "p":
            if words[1:2] != ["cnf"] or variables is not None:
                raise Wrong("no header `p cnf VARIABLES CLAUSES`")
            variables, count = int(words[2]), int(words[3])
        else:
            numbers += [int(word) for word in words]
    if variables is None:
        raise Wrong("the clauses have no header")
    clauses, clause = {}, []
    for number in numbers:
        if number == 0:
            clauses[len(clauses) + 1] = frozenset(clause)
            clause = []
        elif abs(number) > variables:
            raise Wrong(f"variable {abs(number)} is not declared")
        else:
            clause.append(number)
    if clause or len(clauses) != count:
        raise Wrong(f"{len(clauses)} clauses instead of {count}")
    return clauses


def check_step(clauses, clause, hints):
    """Whether the clause follows: with all its literals false, the hints propagate to a conflict."""
    true = {-literal for literal in clause}
    for hint in hints:
        if hint not in clauses:
            raise Wrong(f"there is no clause {hint}")
        rest = [literal for literal in clauses[hint] if -literal not in true]
        if not rest:
            return
        if len(rest) > 1:
            raise Wrong(f"clause {hint} is no unit")
        true.add(rest[0])
    raise Wrong("no conflict")


def refute(dimacs, lrat):
    """Raises `Wrong` unless the steps end in the empty clause."""
    clauses = read_clauses(dimacs)
    if frozenset() in clauses.values():
        return
    for position, line in enumerate(lrat.splitlines(), 1):
        words = line.split()
        if not words or words[0] == "c":
            continue
        try:
            if words[1] == "d":
                for word in words[2:-1]:
                    del clauses[int(word)]
                continue
            number, *rest = (int(word) for word in words)
            end = rest.index(0)
            clause, hints = frozenset(rest[:end]), rest[end + 1 : -1]
            if number in clauses or rest[-1] != 0 or end == len(rest) - 1:
                raise Wrong("malformed")
            check_step(clauses, clause, hints)
        except (Wrong, ValueError, IndexError, KeyError) as wrong:
            raise Wrong(f"step {position}: {wrong}") from wrong
        if not clause:
            return
        clauses[number] = clause
    raise Wrong("the empty clause is missing")


def main():
    if len(sys.argv) == 3:
        pairs = [tuple(open(name, encoding="ascii").read() for name in sys.argv[1:])]
    else:
        pairs = PRINTED.findall(sys.stdin.read())
    status = 0 if pairs else 2
    for dimacs, lrat in pairs:
        try:
            refute(dimacs, lrat)
            print("refuted")
        except Wrong as wrong:
            print(f"wrong: {wrong}")
            status = 1
    if not pairs:
        print("no proof")
    return status


if __name__ == "__main__":
    sys.exit(main())
