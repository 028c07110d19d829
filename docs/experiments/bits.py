#!/usr/bin/env python3
"""Makes docs/experiments/bits.md: python3 docs/experiments/bits.py [FILE.smt2 or FOLDER...] > docs/experiments/bits.md

Scripts over bit-vectors, floating point and arrays of them, beside Z3 and Bitwuzla where these are installed (`pip install
z3-solver bitwuzla`): the families below, or files that are given, or those in folders that name a logic of words or floating-point
numbers and ask one question. `--sample N` takes N of each logic, evenly; `--limit SECONDS` and a larger sample make a longer run.
`--only CRAIG...` compares several builds of Craig instead.
Needs `cargo build --release -p craig`.
"""

import argparse
import math
import os
import re
import shutil
import sys
import tempfile

from solver import CRAIG, answer, mean, run

BITWUZLA = """
import sys, bitwuzla as b
options = b.Options()
parser = b.Parser(b.TermManager(), options)
parser.parse(sys.argv[1], False, True)
"""


def declared(sort, names):
    return "".join(f"(declare-const {name} {sort})\n" for name in names.split())


def claim(logic, declarations, *formulas):
    """A script that is unsatisfiable if the last formula follows from the others."""
    *given, last = formulas
    asserted = "".join(f"(assert {formula})\n" for formula in given) + f"(assert (not {last}))\n"
    return f"(set-logic {logic})\n{declarations}{asserted}(check-sat)\n"


def number(value, width):
    return f"(_ bv{value % (1 << width)} {width})"


def words():
    for width in (6, 7, 8, 9):
        x = declared(f"(_ BitVec {width})", "x y z")
        yield f"distributive {width}", claim("QF_BV", x, "(= (bvmul x (bvadd y z)) (bvadd (bvmul x y) (bvmul x z)))")
        yield f"associative {width}", claim("QF_BV", x, "(= (bvmul x (bvmul y z)) (bvmul (bvmul x y) z))")
    for width in (8, 12, 16):
        x = declared(f"(_ BitVec {width})", "x y")
        zero = number(0, width)
        yield f"division {width}", claim(
            "QF_BV", x, f"(distinct y {zero})", "(= x (bvadd (bvmul (bvudiv x y) y) (bvurem x y)))")
        yield f"square difference {width}", claim(
            "QF_BV", x, "(= (bvmul (bvadd x y) (bvsub x y)) (bvsub (bvmul x x) (bvmul y y)))")
    for width in (32, 64):
        x = declared(f"(_ BitVec {width})", "x y")
        one = number(1, width)
        half = f"(bvadd (bvand x y) (bvlshr (bvxor x y) {one}))"
        wide = "((_ zero_extend 1) x) ((_ zero_extend 1) y)"
        exact = f"((_ extract {width - 1} 0) (bvlshr (bvadd {wide}) {number(1, width + 1)}))"
        yield f"average {width}", claim("QF_BV", x, f"(= {half} {exact})")
        yield f"sum by parts {width}", claim("QF_BV", x, f"(= (bvadd x y) (bvadd (bvxor x y) (bvshl (bvand x y) {one})))")
        sign = f"(bvashr x {number(width - 1, width)})"
        absolute = f"(ite (bvslt x {number(0, width)}) (bvneg x) x)"
        yield f"absolute {width}", claim("QF_BV", x, f"(= (bvsub (bvxor x {sign}) {sign}) {absolute})")
        count = number(0, width)
        for i in range(width):
            count = f"(bvadd {count} (bvand (bvlshr x {number(i, width)}) {one}))"
        masks = [sum(1 << i for i in range(width) if not i >> k & 1) for k in range(width.bit_length() - 1)]
        steps = "x"
        for k, mask in enumerate(masks):
            mask = number(mask, width)
            steps = f"(let ((v {steps})) (bvadd (bvand v {mask}) (bvand (bvlshr v {number(1 << k, width)}) {mask})))"
        yield f"population {width}", claim("QF_BV", x, f"(= {count} {steps})")
        yield f"power of two {width}", claim(
            "QF_BV", x, f"(= (bvand x (bvsub x {one})) {number(0, width)})", f"(distinct x {number(3 << 7, width)})")
    for product in (1022117, 67239947, 4294049777):
        width = product.bit_length()
        x = declared(f"(_ BitVec {width})", "x y")
        low, limit = number(2, width), number(1 << (width // 2 + 1), width)
        bounds = f"(bvult x {limit}) (bvult y {limit}) (bvuge x {low}) (bvuge y {low}) (bvule x y)"
        yield f"factors of {product}", claim(
            "QF_BV", x, f"(and {bounds})", f"(distinct (bvmul x y) {number(product, width)})")
    for rounds in (4, 8, 16):
        value = "x"
        for i in range(rounds):
            value = (f"(let ((v {value})) (bvadd (bvxor v (bvshl v {number(5, 32)})) "
                     f"(bvxor (bvlshr v {number(7, 32)}) {number(0x9E3779B9 * (i + 1), 32)})))")
        yield f"preimage {rounds}", claim(
            "QF_BV", declared("(_ BitVec 32)", "x"), f"(distinct {value} {number(0xC0FFEE42, 32)})")
    for width in (8, 16):
        crc = "x"
        for _ in range(width):
            top = f"((_ extract {width - 1} {width - 1}) v)"
            shifted = f"(bvshl v {number(1, width)})"
            crc = f"(let ((v {crc})) (ite (= {top} #b1) (bvxor {shifted} {number(0x1021, width)}) {shifted}))"
        other = crc.replace("x)", "y)").replace("((v x))", "((v y))")
        yield f"checksum {width}", claim(
            "QF_BV", declared(f"(_ BitVec {width})", "x y"), f"(= {crc} {other})", "(= x y)")


def floats():
    for bits, (e, s) in {16: (5, 11), 32: (8, 24), 64: (11, 53)}.items():
        x = declared(f"(_ FloatingPoint {e} {s})", "x y z") + declared("RoundingMode", "r")
        real = lambda value: f"((_ to_fp {e} {s}) RNE {value})"
        logic = "QF_FP"
        between = lambda v, low, high: f"(and (fp.leq {real(low)} {v}) (fp.leq {v} {real(high)}))"
        yield f"commutative {bits}", claim(logic, x, "(= (fp.add r x y) (fp.add r y x))")
        yield f"associative {bits}", claim(
            logic, x, between("x", "1.0", "2.0"), between("y", "1.0", "2.0"), between("z", "1.0", "2.0"),
            "(= (fp.add RNE x (fp.add RNE y z)) (fp.add RNE (fp.add RNE x y) z))")
        yield f"monotonic sum {bits}", claim(
            logic, x, "(fp.leq x y)", "(not (fp.isNaN (fp.add r x z)))", "(not (fp.isNaN (fp.add r y z)))",
            "(fp.leq (fp.add r x z) (fp.add r y z))")
        yield f"halving {bits}", claim(logic, x, f"(= (fp.mul r x {real('0.5')}) (fp.div r x {real('2.0')}))")
        yield f"Sterbenz {bits}", claim(
            logic, x, f"(fp.leq (fp.div RNE y {real('2.0')}) x)", f"(fp.leq x (fp.mul RNE y {real('2.0')}))",
            "(fp.isPositive y)", "(not (fp.isInfinite y))", "(not (fp.isInfinite x))",
            "(= (fp.sub RNE x y) (fp.sub RTZ x y))")
        yield f"root {bits}", claim(
            logic, x, between("x", "1.0", "4.0"), between("(fp.sqrt r x)", "1.0", "2.0"))
        yield f"square {bits}", claim(logic, x, between("x", "0.0", "1.0"), "(fp.leq (fp.mul RNE x x) x)")
        yield f"midpoint {bits}", claim(
            logic, x, "(fp.leq x y)", between("x", "0.0", "100.0"), between("y", "0.0", "100.0"),
            f"(let ((m (fp.div RNE (fp.add RNE x y) {real('2.0')}))) (and (fp.leq x m) (fp.leq m y)))")
        yield f"fused {bits}", claim(
            logic, x, between("x", "1.0", "2.0"), between("y", "1.0", "2.0"), between("z", "0.0", "1.0"),
            "(= (fp.fma RNE x y z) (fp.add RNE (fp.mul RNE x y) z))")
        yield f"polynomial {bits}", claim(
            logic, x, between("x", "0.0", "1.0"),
            f"(fp.leq (fp.add RNE (fp.mul RNE (fp.sub RNE (fp.mul RNE x x) x) x) {real('1.0')}) {real('1.0')})")
        yield f"integral {bits}", claim(
            logic, x, "(fp.eq (fp.roundToIntegral r x) (fp.roundToIntegral r (fp.roundToIntegral r x)))",
            "(or (fp.isNaN x) (fp.leq (fp.roundToIntegral RTN x) (fp.roundToIntegral r x)))")
        x = declared("(_ BitVec 16)", "i j") + declared("RoundingMode", "r")
        convert = lambda v: f"((_ to_fp {e} {s}) RNE {v})"
        yield f"there and back {bits}", claim(
            "QF_BVFP", x, f"(= ((_ fp.to_sbv 16) RTZ {convert('i')}) i)")
        yield f"order of integers {bits}", claim(
            "QF_BVFP", x, "(bvsle i j)", f"(fp.leq {convert('i')} {convert('j')})")


def arrays():
    sort = "(Array (_ BitVec 32) (_ BitVec 8))"
    at = lambda base, i: f"(bvadd {base} {number(i, 32)})"
    for size in (4, 8, 16):
        declarations = declared(sort, "m") + declared("(_ BitVec 32)", "p q i")
        copied = "m"
        for k in range(size):
            copied = f"(store {copied} {at('q', k)} (select m {at('p', k)}))"
        inside = f"(bvult i {number(size, 32)})"
        apart = f"(bvult {number(size, 32)} (bvsub p q)) (bvult {number(size, 32)} (bvsub q p))"
        index = "(bvadd q i)", "(bvadd p i)"
        yield f"copy {size}", claim(
            "QF_ABV", declarations, inside, f"(= (select {copied} {index[0]}) (select m {index[1]}))")
        stepwise = "m"
        for k in range(size):
            stepwise = f"(let ((w {stepwise})) (store w {at('q', k)} (select w {at('p', k)})))"
        yield f"copy in steps {size}", claim("QF_ABV", declarations, inside, apart.join(["(and ", ")"]),
                                             f"(= (select {stepwise} {index[0]}) (select m {index[1]}))")
        yield f"overlapping {size}", claim("QF_ABV", declarations, inside, f"(= {stepwise} {copied})")
    for size in (2, 4, 8):
        declarations = declared(sort, "m") + declared("(_ BitVec 32)", "p") + declared(f"(_ BitVec {8 * size})", "x")
        put, got = "m", []
        for k in range(size):
            put = f"(store {put} {at('p', k)} ((_ extract {8 * (size - k) - 1} {8 * (size - k - 1)}) x))"
        for k in range(size):
            got.append(f"(select w {at('p', k)})")
        yield f"big endian {size}", claim("QF_ABV", declarations, f"(= (let ((w {put})) (concat {' '.join(got)})) x)")
    for size in (3, 4, 5):
        declarations = declared("(Array (_ BitVec 4) (_ BitVec 8))", "m")
        state, element = "m", lambda k: f"(select s {number(k, 4)})"
        for i in range(size):
            for k in range(size - 1 - i):
                a, b = element(k), element(k + 1)
                swapped = f"(store (store s {number(k, 4)} {b}) {number(k + 1, 4)} {a})"
                state = f"(let ((s {state})) (ite (bvult {b} {a}) {swapped} s))"
        ordered = " ".join(f"(bvule {element(k)} {element(k + 1)})" for k in range(size - 1))
        yield f"sorted {size}", claim("QF_ABV", declarations, f"(let ((s {state})) (and {ordered}))")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*")
    parser.add_argument("--limit", type=int, default=20)
    parser.add_argument("--sample", type=int, metavar="N")
    parser.add_argument("--only", nargs="+", metavar="CRAIG")
    parser.add_argument("--family", choices=["QF_BV", "QF_FP", "QF_ABV"])
    parser.add_argument("-v", "--verbose", action="store_true")
    args = parser.parse_args()
    tools = {"Craig": [CRAIG, "smt"]}
    if args.only:
        tools = {path: [path, "smt"] for path in args.only}
    else:
        if shutil.which("z3"):
            tools["Z3"] = ["z3"]
        try:
            import bitwuzla  # noqa: F401
            tools["Bitwuzla"] = [sys.executable, "-c", BITWUZLA]
        except ImportError:
            pass
    families = {"QF_BV": words, "QF_FP": floats, "QF_ABV": arrays}
    tasks = []
    if not args.files:
        tasks = [(family, name, text) for family, scripts in families.items() for name, text in scripts()]
    tasks += [(family, name, text) for family, named in sampled(files(args.files), args.sample).items() for name, text in named]
    tasks = [task for task in tasks if args.family in (None, task[0]) or args.files]
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "script.smt2")
        for family, name, text in tasks:
            with open(path, "w") as file:
                file.write(text)
            found = {tool: run([*command, path], limit=args.limit) for tool, command in tools.items()}
            row = {tool: (answer(output), seconds) for tool, (output, seconds) in found.items()}
            status = re.search(r":status (sat|unsat)\b", text)
            results.setdefault(family, []).append((name, row, status and status.group(1)))
            if args.verbose:
                print(family, name, *(f"{a} {s:.2f}" for a, s in row.values()), file=sys.stderr, flush=True)
    report(results, list(tools), args.limit)


def files(paths):
    """The scripts by logic; of folders, those that are about words or floating-point numbers and ask one question."""
    found = {}
    for path in paths:
        names = [path]
        if os.path.isdir(path):
            names = sorted(os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names)
        for name in names:
            if os.path.isdir(path) and not name.endswith(".smt2"):
                continue
            with open(name, errors="replace") as file:
                text = file.read()
            logic = re.search(r"\(set-logic (\w+)\)", text)
            logic = logic.group(1) if logic else ""
            is_asked = re.fullmatch(r"QF_A?(UF)?(BV|FP|BVFP)", logic) and text.count("(check-sat") == 1
            if not os.path.isdir(path) or is_asked:
                found.setdefault(f"files of {logic}".rstrip(" of"), []).append((os.path.basename(name), text))
    return found


def sampled(found, size):
    """At most so many of each, evenly."""
    step = lambda named: max(1, -(-len(named) // size)) if size else 1
    return {family: named[:: step(named)] for family, named in found.items()}


def decided(row, tool):
    return row[tool][0] in ("sat", "unsat")


def report(results, tools, limit):
    print("# Bits and floats\n")
    print(f"Written by `docs/experiments/bits.py`: one script at a time, {limit} s each. A disagreement is a script that two")
    print("solvers decide differently, or one decides against what the script says of itself. The last columns compare the")
    print("times of Craig with those of another solver, as the geometric mean over the scripts that both decide; of")
    print("Bitwuzla's, 0.04 s are for the start of Python. Before them: how many of the scripts that the other decides Craig decides.\n")
    first, others = tools[0], tools[1:]
    shares = [f"of {t}'s" for t in others]
    times = [f"time / {t}" for t in others]
    print("| | " + " | ".join(["scripts", *tools, "disagree", *shares, *times]) + " |")
    print("|---|" + "---:|" * (2 + len(tools) + 2 * len(others)))
    for family, rows in results.items():
        counts = [sum(decided(row, tool) for _, row, _ in rows) for tool in tools]
        disagree = 0
        for _, row, status in rows:
            answers = {row[tool][0] for tool in tools if decided(row, tool)} | ({status} if status else set())
            disagree += len(answers) > 1
        ratios, shares = [], []
        for tool in others:
            both = [row for _, row, _ in rows if decided(row, first) and decided(row, tool)]
            ratio = mean([row[first][1] / row[tool][1] for row in both])
            ratios.append("-" if math.isnan(ratio) else f"{ratio:.2f}")
            theirs = sum(decided(row, tool) for _, row, _ in rows)
            shares.append(f"{100 * len(both) / theirs:.0f} %" if theirs else "-")
        print(f"| {family} | {len(rows)} | " + " | ".join(map(str, [*counts, disagree, *shares, *ratios])) + " |")
    print("\nNot decided by Craig:\n")
    for family, rows in results.items():
        for name, row, _ in rows:
            if not decided(row, first):
                rest = ", ".join(f"{tool} {row[tool][0]} in {row[tool][1]:.1f} s" for tool in others)
                print(f"- {family}, {name}" + (f" ({rest})" if rest else ""))


if __name__ == "__main__":
    main()
