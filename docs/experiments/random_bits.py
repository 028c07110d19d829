#!/usr/bin/env python3
"""Random formulas over words and floating point against another solver: python3 docs/experiments/random_bits.py KIND COUNT [SEED]

KIND is `words` of one width, `mixed` ones of several with every operation there is, `functions` of these, `arrays` of words,
`float16` or `large` (Float32, Float64), compared with Bitwuzla (`pip install bitwuzla`), or `small` (formats of 2 to 4 bits
of exponent), compared with `z3`. KIND `values` has formats of 8 to 128 bits, operations on numbers near the edges of these, and no
unknowns but for the results, so that nothing has to be searched. Models are evaluated by the other solver, and proofs
checked by `lrat.py`. What depends on cases that the standard leaves open is not compared where Craig says `sat`. KIND
`interpolants` asks for those of two to four parts over words, of `array-interpolants` over arrays, and Bitwuzla judges them; COUNT
is the number of formulas, of which some have models. Needs `cargo build --release -p craig`.
"""

import collections
import random
import re
import subprocess
import sys
import tempfile

import lrat
from solver import CRAIG

ROUNDINGS = ["RNE", "RNA", "RTP", "RTN", "RTZ"]
MARK = "(echo \"--\")\n(reset)\n"


class Formula:
    """Declarations and assertions; `open` if they use what the standard leaves open."""

    def __init__(self, kind, choose):
        self.choose, self.open, self.kind = choose, False, kind
        self.has_parts = kind.endswith("interpolants")
        self.has_arrays = kind.startswith("array")
        self.is_mixed = kind in ("mixed", "functions")
        self.is_float = not self.has_parts and not self.is_mixed and kind not in ("words", "arrays")
        self.width = choose.randint(1, 4 if self.has_arrays else 7)
        self.widths = [self.width, choose.randint(1, 9), choose.choice([1, 3, 8, 12, 16, 32])]
        self.formats = [self.format() for _ in range(choose.choice([1, 1, 2]) if self.is_float else 1)]
        self.names = {name: f"(_ BitVec {self.width})" for name in ("xyzuv" if self.has_parts else "xyz")}
        self.words = list(self.names)
        if self.is_mixed:
            self.names |= {f"{name}{i}": f"(_ BitVec {width})" for i, width in enumerate(self.widths) for name in "pq"}
        if self.is_float:
            self.names["r"] = "RoundingMode"
            for i, (e, s) in enumerate(self.formats):
                self.names |= {f"{name}{i}": f"(_ FloatingPoint {e} {s})" for name in "ab"}
        depth = 4 if not self.is_float else 1 if kind == "large" else 2
        self.asserted = []
        if kind == "values":
            self.width = choose.choice([1, 3, 8, 13, 31, 32, 33, 64, 65])
            self.names = {"x": f"(_ BitVec {self.width})"} | {"a0": self.names["a0"], "b0": self.names["b0"]}
            self.asserted = [f"(= {name} {self.number(choose.randint(1, 3), 0)[0]})" for name in ("a0", "b0")]
            operator, least, most = choose.choice([
                ("fp.to_ubv", 0, (1 << self.width) - 1), ("fp.to_sbv", -(1 << self.width - 1), (1 << self.width - 1) - 1),
            ])
            least, most = (self.real(0, bound) for bound in (least, most))
            self.asserted.append(
                f"(= x (ite (and (fp.leq {least} a0) (fp.leq a0 {most})) ((_ {operator} {self.width}) {self.rounding()} a0) {self.word(0)}))"
            )
            return
        for _ in range(choose.randint(2, 4) if self.has_parts else choose.randint(1, 3)):
            if not self.has_parts:
                self.asserted.append(self.truth(choose.randint(1, depth)))
                continue
            self.words = choose.sample(list(self.names), 3)
            facts = [f"(= {choose.choice(self.words)} {self.word(2)})" for _ in range(choose.randint(1, 2))]
            self.asserted.append(f"(and {' '.join(facts)} {self.truth(1)})")

    def text(self):
        declared = "".join(f"(declare-const {name} {sort})\n" for name, sort in self.names.items())
        if self.has_arrays:
            declared += "".join(f"(declare-const {name} (Array {self.names['x']} {self.names['x']}))\n" for name in "mn")
        if self.kind == "functions":
            first, second, third = (f"(_ BitVec {width})" for width in self.widths)
            declared += f"(declare-fun f ({first}) {first})\n(declare-fun g ({second} {first}) {third})\n(declare-fun h ({third}) Bool)\n"
        logic = "QF_BVFP" if self.is_float else "QF_UFBV" if self.kind == "functions" else "QF_ABV"
        return f"(set-logic {logic})\n" + declared + "".join(self.assertion(*asserted) for asserted in enumerate(self.asserted))

    def assertion(self, number, term):
        return f"(assert (! {term} :named p{number}))\n" if self.has_parts else f"(assert {term})\n"

    def format(self):
        sizes = {"float16": [(5, 11)], "large": [(8, 24), (11, 53)]}
        small = [(e, s) for e in range(2, 5) for s in range(2, 6)]
        sizes["values"] = [*[*sizes["large"], (5, 11), (15, 113)] * 40, (8, 8), (11, 20), (3, 30), (15, 64)]
        return self.choose.choice(sizes.get(self.kind, small))

    def real(self, at, value):
        e, s = self.formats[at]
        text = f"((_ to_fp {e} {s}) RTZ {abs(value)}.0)"
        return text if value >= 0 else f"(fp.neg {text})"

    def pattern(self, e, s):
        """A number near an edge of the format, or near one."""
        bits = lambda count: "".join(self.choose.choice("01") for _ in range(count))
        runs = lambda count: (self.choose.choice(["0", "1"]) * self.choose.randint(0, count)).ljust(count, self.choose.choice("01"))
        bias = (1 << e - 1) - 1
        near = bias + self.choose.randint(-min(bias, s + 2), min(bias, s + 2))
        exponent = self.choose.choice(["0" * e, "0" * (e - 1) + "1", "1" * e, "1" * (e - 1) + "0", bits(e), *[f"{near:0{e}b}"] * 4])
        fraction = self.choose.choice([runs, runs, bits])(s - 1)
        last = "".join(self.choose.choice("01") for _ in range(min(2, s - 1)))
        return f"(fp #b{bits(1)} #b{exponent} #b{(fraction[:-2] + last)[:s - 1]})"

    def rounding(self):
        return self.choose.choice(ROUNDINGS + (["r", "r"] if self.kind != "values" else []))

    def word(self, depth):
        pick = self.choose.random()
        if self.kind == "values":
            return f"(_ bv{self.choose.choice([0, 1, (1 << self.width) - 1, 1 << self.width - 1, self.choose.randrange(1 << self.width)])} {self.width})"
        if depth <= 0 or pick < 0.2:
            return self.choose.choice([*self.words, f"(_ bv{self.choose.randrange(1 << self.width)} {self.width})"])
        if pick < 0.4 and self.has_arrays:
            return f"(select {self.array(depth - 1)} {self.word(depth - 1)})"
        if pick < 0.4 and self.is_float:
            self.open = True
            operator = self.choose.choice(["fp.to_ubv", "fp.to_sbv"])
            return f"((_ {operator} {self.width}) {self.rounding()} {self.number(depth - 1)[0]})"
        if pick < 0.5:
            return f"(ite {self.truth(depth - 1)} {self.word(depth - 1)} {self.word(depth - 1)})"
        if pick < 0.55:
            return f"(bvneg {self.word(depth - 1)})"
        operator = self.choose.choice("bvadd bvsub bvmul bvmul bvudiv bvurem bvsdiv bvsmod bvand bvshl bvlshr".split())
        return f"({operator} {self.word(depth - 1)} {self.word(depth - 1)})"

    def of_width(self, depth, width):
        """A term of this width, made in any of the ways that there are."""
        same = lambda: self.of_width(depth - 1, width)
        if depth <= 0:
            known = [name for name, sort in self.names.items() if sort == f"(_ BitVec {width})"]
            if not known or self.choose.random() < 0.15:
                return f"(_ bv{self.choose.choice([0, 1, (1 << width) - 1, 1 << (width - 1), self.choose.randrange(1 << width)])} {width})"
            return self.choose.choice(known)
        pick = self.choose.randint(0, 12 if self.kind == "functions" else 10)
        if pick >= 11:
            called = {self.widths[0]: lambda: f"(f {same()})", self.widths[2]: lambda: f"(g {self.of_width(depth - 1, self.widths[1])} {self.of_width(depth - 1, self.widths[0])})"}
            if width in called:
                return called[width]()
        if pick == 0 and width > 1:
            at = self.choose.randint(1, width - 1)
            return f"(concat {self.of_width(depth - 1, at)} {self.of_width(depth - 1, width - at)})"
        if pick == 1:
            wide = self.choose.choice([other for other in [*self.widths, width] if other >= width])
            low = self.choose.randint(0, wide - width)
            return f"((_ extract {low + width - 1} {low}) {self.of_width(depth - 1, wide)})"
        if pick == 2:
            narrow = self.choose.choice([other for other in [*self.widths, width] if other <= width])
            return f"((_ {self.choose.choice(['zero_extend', 'sign_extend'])} {width - narrow}) {self.of_width(depth - 1, narrow)})"
        if pick == 3:
            return f"((_ {self.choose.choice(['rotate_left', 'rotate_right'])} {self.choose.randint(0, width + 1)}) {same()})"
        if pick == 4:
            times = self.choose.choice([times for times in (1, 2, 3, 4) if width % times == 0])
            return f"((_ repeat {times}) {self.of_width(depth - 1, width // times)})"
        if pick == 5 and width == 1:
            other = self.choose.choice(self.widths)
            return f"(bvcomp {self.of_width(depth - 1, other)} {self.of_width(depth - 1, other)})"
        if pick == 5:
            return f"(ite {self.truth(depth - 1)} {same()} {same()})"
        if pick == 6:
            return f"({self.choose.choice(['bvneg', 'bvnot'])} {same()})"
        linear = "bvadd bvsub bvand bvor bvxor bvxnor bvnand bvnor bvshl bvlshr bvashr"
        # Products and quotients of long words take long.
        hard = " bvmul bvmul bvudiv bvurem bvsdiv bvsrem bvsmod" if width <= 9 else ""
        return f"({self.choose.choice((linear + hard).split())} {same()} {same()})"

    def relation(self, depth):
        """A comparison of words of any width."""
        width = self.choose.choice(self.widths)
        first, second = (self.of_width(depth, width) for _ in range(2))
        if self.kind == "functions" and self.choose.random() < 0.1:
            return f"(h {self.of_width(depth, self.widths[2])})"
        if self.choose.random() < 0.05:
            return f"(bvnego {first})"
        linear = "= = distinct bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge bvuaddo bvsaddo bvusubo bvssubo"
        hard = " bvumulo bvsmulo bvsdivo" if width <= 9 else ""
        return f"({self.choose.choice((linear + hard).split())} {first} {second})"

    def array(self, depth):
        if depth <= 0 or self.choose.random() < 0.3:
            return self.choose.choice("mn")
        if self.choose.random() < 0.2:
            return f"(ite {self.truth(depth - 1)} {self.array(depth - 1)} {self.array(depth - 1)})"
        return f"(store {self.array(depth - 1)} {self.word(depth - 1)} {self.word(depth - 1)})"

    def number(self, depth, at=None):
        """A term and the place of its format."""
        at = self.choose.randrange(len(self.formats)) if at is None else at
        e, s = self.formats[at]
        term = lambda: self.number(depth - 1, at)[0]
        pick = self.choose.randint(0, 14) if depth > 0 else self.choose.randint(0, 3)
        if pick <= 3 and self.kind == "values":
            text = self.pattern(e, s)
        elif pick <= 2:
            text = self.choose.choice([f"a{at}", f"b{at}"])
        elif pick == 3:
            bits = lambda count: "".join(self.choose.choice("01") for _ in range(count))
            special = self.choose.choice(["+oo", "-oo", "+zero", "-zero", "NaN"])
            text = self.choose.choice([
                f"(_ {special} {e} {s})", f"((_ to_fp {e} {s}) {self.rounding()} {self.choose.choice(['0.1', '1.5', '3.0'])})",
                f"(fp #b{bits(1)} #b{bits(e)} #b{bits(s - 1)})",
            ])
        elif pick <= 7:
            operator = self.choose.choice(["fp.add", "fp.sub", "fp.mul", "fp.div"])
            text = f"({operator} {self.rounding()} {term()} {term()})"
        elif pick == 8:
            text = f"(fp.fma {self.rounding()} {term()} {term()} {term()})"
        elif pick == 9:
            text = f"({self.choose.choice(['fp.sqrt', 'fp.roundToIntegral'])} {self.rounding()} {term()})"
        elif pick == 10 and (e <= 5 or self.kind == "values" and e <= 8):
            text = f"(fp.rem {term()} {term()})"
        elif pick == 11:
            self.open = True
            text = f"({self.choose.choice(['fp.min', 'fp.max'])} {term()} {term()})"
        elif pick == 12:
            text = f"((_ {self.choose.choice(['to_fp', 'to_fp_unsigned'])} {e} {s}) {self.rounding()} {self.word(depth - 1)})"
        elif pick == 13:
            text = f"((_ to_fp {e} {s}) {self.rounding()} {self.number(depth - 1)[0]})"
        else:
            text = f"({self.choose.choice(['fp.abs', 'fp.neg'])} {term()})"
        return text, at

    def truth(self, depth):
        if depth > 0 and self.choose.random() < 0.15:
            return f"({self.choose.choice(['and', 'or', 'xor'])} {self.truth(depth - 1)} {self.truth(depth - 1)})"
        if self.has_arrays and self.choose.random() < 0.3:
            return f"({self.choose.choice(['=', 'distinct'])} {self.array(depth)} {self.array(depth)})"
        if self.is_mixed:
            return self.relation(depth)
        if not self.is_float or self.choose.random() < 0.15:
            operator = self.choose.choice(["=", "=", "distinct", "bvult", "bvsle", "bvumulo", "bvsaddo"])
            return f"({operator} {self.word(depth)} {self.word(depth)})"
        first, at = self.number(depth - 1)
        if self.choose.random() < 0.2:
            classes = ["NaN", "Infinite", "Zero", "Normal", "Subnormal", "Negative", "Positive"]
            return f"(fp.is{self.choose.choice(classes)} {first})"
        operator = self.choose.choice(["fp.leq", "fp.lt", "fp.geq", "fp.gt", "fp.eq", "="])
        return f"({operator} {first} {self.number(depth - 1, at)[0]})"


def craig(formulas):
    """The answer to each, and the values of its constants, or a proof."""
    with tempfile.NamedTemporaryFile("w", suffix=".smt2") as file:
        for formula in formulas:
            if formula.has_parts:
                asked = f"(get-interpolants {' '.join(f'p{i}' for i in range(len(formula.asserted)))})"
            else:
                asked = f"(get-value ({' '.join(formula.names)}))\n(get-proof)"
            file.write(f"{formula.text()}(check-sat)\n{asked}\n{MARK}")
        file.flush()
        done = subprocess.run([CRAIG, "smt", "--timeout", "10s", file.name], capture_output=True, text=True)
    return [part.strip().strip('"').split("\n") for part in re.split(r'"?--"?\n', done.stdout)][: len(formulas)]


def bitwuzla(text):
    import bitwuzla as b

    parser = b.Parser(b.TermManager(), b.Options())
    parser.parse(text, True, False)
    return str(parser.bitwuzla().check_sat())


def z3(text):
    text = text.replace("QF_BVFP", "ALL") + "(check-sat)"
    return subprocess.run(["z3", "-in", "-t:3000"], input=text, capture_output=True, text=True).stdout.split("\n")[0]


def judge(formula, listed, found):
    """Each interpolant follows from the one before and its part, and mentions what both sides do."""
    between = ["true", *elements(listed), "false"]
    declared = formula.text().split("(assert", 1)[0]
    if len(between) != len(formula.asserted) + 1:
        found["no interpolants", listed[:60]] += 1
        return
    symbols = lambda *terms: set(re.findall(r"(?<![\w.#])[xyzuvwmn](?!\w)", " ".join(terms)))
    for at, part in enumerate(formula.asserted):
        step = f"(assert {between[at]})(assert {part})(assert (not {between[at + 1]}))"
        if bitwuzla(declared + step) != "unsat":
            print("no interpolant:", between[at + 1], formula.text(), sep="\n")
        if not symbols(between[at]) <= symbols(*formula.asserted[:at]) & symbols(*formula.asserted[at:]):
            print("mentions others:", between[at], formula.text(), sep="\n")
    for text in between[1:-1]:
        kind = "constant" if text in ("true", "false") else "bits" if "let" in text or len(text) > 100 else "small"
        found["interpolant", kind] += 1


def elements(listed):
    """The formulas in a list."""
    found, depth = [], 0
    for token in re.findall(r"[()]|[^\s()]+", listed):
        depth -= token == ")"
        if depth == 1 and token != ")":
            found.append(token)
        elif depth > 0:
            found[-1] += f" {token}"
        depth += token == "("
    return found


def main():
    kind, count = sys.argv[1], int(sys.argv[2])
    choose = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    formulas = [Formula(kind, choose) for _ in range(count)]
    found = collections.Counter()
    for formula, (answer, *model) in zip(formulas, craig(formulas), strict=True):
        # Bitwuzla has the formats of 16, 32, 64 and 128 bits.
        is_standard = {sum(f) for f in formula.formats} <= {16, 32, 64, 128} and (8, 8) not in formula.formats
        other = bitwuzla if is_standard or not formula.is_float else z3
        reference = other(formula.text())
        found[answer, reference] += 1
        decided = {answer, reference} <= {"sat", "unsat"}
        if decided and answer != reference and not (formula.open and answer == "sat"):
            print("disagreement:", answer, reference, formula.text(), sep="\n")
        if formula.has_parts:
            if answer == "unsat":
                judge(formula, "\n".join(model), found)
        elif answer == "unsat":
            try:
                (proof,) = lrat.PRINTED.findall("\n".join(model))
                lrat.refute(*proof)
                found["proof", "refuted"] += 1
            except (lrat.Wrong, ValueError) as wrong:
                print("no proof:", wrong, formula.text(), sep="\n")
        elif answer == "sat" and not formula.open:
            pairs = re.findall(r"\((\w+) ((?:#b|RN|RT)\w+|\((?:fp|_) [^()]*\))\)", model[0])
            assert len(pairs) == len(formula.names), model
            values = "".join(f"(assert (= {name} {value}))\n" for name, value in pairs)
            evaluated = other(formula.text() + values)
            found["model", evaluated] += 1
            if evaluated == "unsat":
                print("no model:", formula.text(), values, sep="\n")
    print(dict(found))


if __name__ == "__main__":
    main()
