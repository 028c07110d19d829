"""The time of an interpolation query: Craig beside cvc5 (and Z3, where it has the command), in one process each.

usage: python interpolation.py [STEPS...]

The queries cut unrolled paths in half: `x` and `y` start at 0 and grow by 1 and 2, or by 2 and 3 if an input says so, and in
the end `y` is less than `x`. cvc5 synthesises one interpolant of two parts; Craig takes one from its proof, and all of the
sequence from the same proof. Every interpolant is checked by Craig's solver for all three things that it must be.
"""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time

import craig

LIMIT = 20.0


def path(steps):
    """The names, and the formulas of each step."""
    names = [f"{v}{i}" for i in range(steps + 1) for v in "xy"] + [f"c{i}" for i in range(steps)]
    formulas = ["(and (= x0 0) (= y0 0))"]
    for i in range(steps):
        formulas.append(
            f"(and (= x{i + 1} (+ x{i} (ite (> c{i} 0) 1 2))) (= y{i + 1} (+ y{i} (ite (> c{i} 0) 2 3))))"
        )
    formulas.append(f"(< y{steps} x{steps})")
    return names, formulas


def halves(formulas):
    middle = len(formulas) // 2
    return [f"(and {' '.join(part)})" for part in (formulas[:middle], formulas[middle:])]


def declared(names):
    return "".join(f"(declare-const {name} Int)" for name in names)


def by_craig(names, parts):
    start = time.perf_counter()
    s = craig.Solver(timeout=LIMIT)
    s.read(declared(names))
    asserted = [s.add(s.term(part)) for part in parts]
    if s.check() != "unsat":
        return None, None
    found = [str(formula) for formula in s.interpolants(asserted)]
    return time.perf_counter() - start, found


def by_cvc5(names, parts):
    import cvc5

    start = time.perf_counter()
    solver = cvc5.Solver()
    for option, value in (("produce-interpolants", "true"), ("tlimit-per", str(int(LIMIT * 1000)))):
        solver.setOption(option, value)
    solver.setLogic("LIA")
    parser = cvc5.InputParser(solver)
    script = declared(names) + f"(assert {parts[0]}) (get-interpolant I (not {parts[1]}))"
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "query")
    symbols = parser.getSymbolManager()
    answer = ""
    while True:
        command = parser.nextCommand()
        if command.isNull():
            break
        answer = command.invoke(solver, symbols)
    if not answer.startswith("(define-fun"):
        return None, None
    body = answer.strip()[len("(define-fun I () Bool ") : -1]
    return time.perf_counter() - start, [body]


def by_z3(names, parts):
    z3 = shutil.which("z3")
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
        file.write(declared(names) + f"(get-interpolant {parts[0]} {parts[1]})")
        file.flush()
        start = time.perf_counter()
        try:
            run = subprocess.run([z3, file.name], capture_output=True, text=True, timeout=LIMIT)
        except subprocess.TimeoutExpired:
            return None, None
    if "error" in run.stdout or not run.stdout.strip():
        return None, None
    return time.perf_counter() - start, [run.stdout.strip()]


def is_right(names, parts, found):
    """Whether the formulas between parts follow from the parts before and contradict those after."""
    s = craig.Solver(timeout=LIMIT)
    s.read(declared(names))
    before = "true"
    for part, after in zip(parts, found + ["false"]):
        if s.check(s.term(before), s.term(part), s.term(f"(not {after})")) != "unsat":
            return False
        before = after
    return True


def main():
    tools = {"craig": by_craig, "cvc5": by_cvc5, **({"z3": by_z3} if shutil.which("z3") else {})}
    print(f"{'steps':>5}  {'tool':8}{'query':22}{'milliseconds':>13}  interpolants")
    for steps in [int(argument) for argument in sys.argv[1:]] or [1, 2, 4, 8]:
        names, formulas = path(steps)
        for tool, query in tools.items():
            problems = {"one cut": halves(formulas)}
            if tool == "craig":
                problems["the whole sequence"] = formulas
            for name, parts in problems.items():
                times, found = [], None
                for _ in range(3):
                    seconds, found = query(names, parts)
                    if found is None:
                        break
                    times.append(seconds)
                if not times:
                    print(f"{steps:5}  {tool:8}{name:22}{'-':>13}  none within {LIMIT:.0f} s")
                    continue
                verdict = "right" if is_right(names, parts, found) else "WRONG"
                print(f"{steps:5}  {tool:8}{name:22}{statistics.median(times) * 1000:13.1f}  {len(found)}, {verdict}")


if __name__ == "__main__":
    main()
