#!/usr/bin/env python3
"""Random formulas with quantifiers: Craig's answers against those of Z3 and cvc5.

    quantifiers.py CRAIG COUNT [FIRST SEED]

Needs the Python packages z3-solver and cvc5 (one of them will do). A formula whose answers contradict each other is
written to disagreement-SEED.smt2, and the exit code is 1.
"""

import random
import subprocess
import sys
import tempfile

DECLARATIONS = """(set-logic ALL)
(declare-sort U 0)
(declare-const a Int) (declare-const b Int) (declare-const x Real)
(declare-const u U) (declare-const v U)
(declare-fun f (Int) Int) (declare-fun g (Int Int) Int) (declare-fun p (Int) Bool)
(declare-fun h (U) U) (declare-fun q (U) Bool) (declare-fun r (U U) Bool)
(declare-const m (Array Int Int)) (declare-const n (Array Int Int))
"""


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.bound = 0
        # Few theories in one formula, so that answers are found.
        self.theories = self.random.sample(["int", "real", "u", "array", "function"], 2)

    def term(self, sort, scope, depth):
        pick = self.random.choice
        variables = [name for name, of in scope if of == sort]
        if variables and self.random.random() < 0.6:
            return pick(variables)
        if sort == "U":
            return pick(["u", "v"]) if depth == 0 or self.random.random() < 0.5 else f"(h {self.term('U', scope, depth - 1)})"
        if sort == "Real":
            if depth == 0 or self.random.random() < 0.5:
                return pick(["x", "0.0", "1.0", "(/ 1 2)"])
            return f"({pick('+-')} {self.term('Real', scope, depth - 1)} {self.term('Real', scope, depth - 1)})"
        if depth == 0 or self.random.random() < 0.3:
            return pick(["a", "b", "0", "1", "2", "(- 1)"])
        kinds = ["sum", "scale"]
        kinds += ["f", "g"] if "function" in self.theories else []
        kinds += ["read"] if "array" in self.theories else []
        kind = pick(kinds)
        one = self.term("Int", scope, depth - 1)
        if kind == "sum":
            return f"({pick('+-')} {one} {self.term('Int', scope, depth - 1)})"
        if kind == "scale":
            return f"(* {pick('23')} {one})"
        if kind == "f":
            return f"(f {one})"
        if kind == "g":
            return f"(g {one} {self.term('Int', scope, depth - 1)})"
        array = pick(["m", "n"])
        if self.random.random() < 0.3:
            array = f"(store {array} {self.term('Int', scope, 0)} {self.term('Int', scope, 0)})"
        return f"(select {array} {one})"

    def atom(self, scope):
        pick = self.random.choice
        sorts = ["Int"] + (["U"] if "u" in self.theories else []) + (["Real"] if "real" in self.theories else [])
        sort = pick(sorts)
        left, right = self.term(sort, scope, 2), self.term(sort, scope, 1)
        if sort == "U":
            return pick([f"(= {left} {right})", f"(q {left})", f"(r {left} {right})"])
        if sort == "Int" and "function" in self.theories and self.random.random() < 0.2:
            return f"(p {left})"
        return f"({pick(['<', '<=', '=', '>'])} {left} {right})"

    def formula(self, scope, depth, quantifiers):
        pick = self.random.choice
        if quantifiers and self.random.random() < 0.5:
            sorts = ["Int"] + (["U"] if "u" in self.theories else []) + (["Real"] if "real" in self.theories else [])
            own = []
            for _ in range(pick([1, 1, 2])):
                own.append((f"k{self.bound}", pick(sorts)))
                self.bound += 1
            body = self.formula(scope + own, depth, quantifiers - 1)
            binders = " ".join(f"({name} {sort})" for name, sort in own)
            return f"({pick(['forall', 'forall', 'exists'])} ({binders}) {body})"
        if depth == 0:
            return self.atom(scope)
        kind = pick(["and", "or", "=>", "not", "atom"])
        if kind == "atom":
            return self.atom(scope)
        if kind == "not":
            return f"(not {self.formula(scope, depth - 1, quantifiers)})"
        return f"({kind} {self.formula(scope, depth - 1, quantifiers)} {self.formula(scope, depth - 1, quantifiers)})"

    def script(self):
        lines = [f"(assert {self.formula([], 2, 2)})" for _ in range(self.random.choice([1, 2, 3, 4]))]
        return DECLARATIONS + "\n".join(lines) + "\n(check-sat)\n"


def ask_z3(script):
    import z3

    solver = z3.Solver()
    solver.set("timeout", 2000)
    solver.from_string(script.replace("(check-sat)", ""))
    return str(solver.check())


def ask_cvc5(script):
    import cvc5

    solver = cvc5.Solver()
    solver.setOption("tlimit-per", "2000")
    solver.setOption("mbqi", "true")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "random")
    symbols = parser.getSymbolManager()
    answer = "unknown"
    while not (command := parser.nextCommand()).isNull():
        text = command.invoke(solver, symbols).strip()
        answer = text or answer
    return answer


def ask_craig(craig, script):
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
        file.write(script)
        file.flush()
        done = subprocess.run([craig, "smt", "--timeout", "5s", file.name], capture_output=True, text=True)
    lines = [line for line in done.stdout.split("\n") if line in ("sat", "unsat", "unknown")]
    if done.returncode > 2 or not lines:
        return f"error {done.returncode}: {done.stdout} {done.stderr}"
    return lines[0]


def main():
    craig, count = sys.argv[1], int(sys.argv[2])
    first = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    peers = []
    for ask, module in ((ask_z3, "z3"), (ask_cvc5, "cvc5")):
        try:
            __import__(module)
            peers.append((module, ask))
        except ImportError:
            print(f"{module} is not installed", file=sys.stderr)
    counts, wrong = {}, 0
    for seed in range(first, first + count):
        script = Generator(seed).script()
        answers = {"craig": ask_craig(craig, script)}
        for name, ask in peers:
            try:
                answers[name] = ask(script)
            except Exception as error:
                answers[name] = f"error: {error}"
        for name, answer in answers.items():
            key = (name, answer.split(":")[0].split(" ")[0])
            counts[key] = counts.get(key, 0) + 1
        said = {answer for answer in answers.values() if answer in ("sat", "unsat")}
        if len(said) > 1 or answers["craig"].startswith("error"):
            wrong += 1
            print(f"seed {seed}: {answers}")
            with open(f"disagreement-{seed}.smt2", "w") as file:
                file.write(script)
    for (name, answer), number in sorted(counts.items()):
        print(f"{name:6} {answer:8} {number}")
    return 1 if wrong else 0


sys.exit(main())
