#!/usr/bin/env python3
"""A checker for refutations in the Alethe format that shares no code with Craig.

    alethe.py PROOF.alethe SCRIPT.smt2 [...]

Every assumption must be an assertion of the script, every step must follow by its rule, and one must be the empty clause.
A clause of `resolution` has to follow from its premises by propagation, whatever their order. Prints `valid`, or `holey` with
the number of steps that have no rule; the exit code is 1 if anything else is the case.

Known are the rules that Craig writes: connectives, congruence, linear arithmetic. The rules are those of H.-J. Schurr,
M. Fleury, H. Barbosa, P. Fontaine, *Alethe: Towards a Generic SMT Proof Format*, PxTP 2021.
"""
import sys

# Python has a `numbers` of its own.
sys.path.pop(0)

import math
import threading
from fractions import Fraction


class Wrong(Exception):
    pass


def expressions(text):
    """The S-expressions of a text: nested lists of words."""
    stack, at = [[]], 0
    while at < len(text):
        char = text[at]
        if char.isspace():
            at += 1
        elif char == ";":
            at = text.find("\n", at)
            at = len(text) if at < 0 else at
        elif char == "(":
            stack.append([])
            at += 1
        elif char == ")":
            done = stack.pop()
            stack[-1].append(done)
            at += 1
        else:
            end = at + 1
            if char in "|\"":
                end = text.index(char, end) + 1
            else:
                while end < len(text) and not text[end].isspace() and text[end] not in "();":
                    end += 1
            stack[-1].append(text[at:end])
            at = end
    return stack[0]


class Table:
    """Terms: equal ones are one number. What it stands for is a word, or the numbers of a list."""

    def __init__(self):
        self.numbers, self.terms, self.sorts = {}, [], {}
        self.known_sorts, self.known_sums = {}, {}

    def term(self, content):
        if content not in self.numbers:
            self.numbers[content] = len(self.terms)
            self.terms.append(content)
        return self.numbers[content]

    def read(self, expression, bound):
        """`bound` has what names of `let` stand for."""
        if isinstance(expression, str):
            return bound[expression] if expression in bound else self.term(expression)
        if expression and expression[0] == "let":
            values = {name: self.read(value, bound) for name, value in expression[1]}
            return self.read(expression[2], {**bound, **values})
        if expression and expression[0] == "!":
            return self.read(expression[1], bound)
        return self.term(tuple(self.read(part, bound) for part in expression))

    def application(self, t):
        """The function's name and the arguments; of a word, the word alone."""
        content = self.terms[t]
        if isinstance(content, str):
            return content, ()
        head = self.terms[content[0]]
        return head if isinstance(head, str) else None, content[1:]

    def make(self, name, *args):
        return self.term((self.term(name), *args))

    def strip(self, t):
        """What is negated, and whether that is so: two negations are none."""
        negated = False
        while True:
            name, args = self.application(t)
            if name != "not" or len(args) != 1:
                return t, negated
            t, negated = args[0], not negated

    def sort(self, t):
        """`Int`, another sort as it was declared, or nothing."""
        if t not in self.known_sorts:
            self.known_sorts[t] = self.new_sort(t)
        return self.known_sorts[t]

    def new_sort(self, t):
        name, args = self.application(t)
        if name in self.sorts:
            return self.sorts[name]
        if name in ("div", "mod", "abs", "to_int"):
            return "Int"
        if name == "ite":
            return self.sort(args[1])
        if name == "store":
            return self.sort(args[0])
        if name == "select":
            array = self.sort(args[0])
            return array[2] if isinstance(array, list) and array[:1] == ["Array"] else None
        return None

    def sum(self, t):
        """A linear sum: coefficients of the terms in it, and of nothing for the number."""
        if t not in self.known_sums:
            self.known_sums[t] = self.new_sum(t)
        return self.known_sums[t]

    def new_sum(self, t):
        name, args = self.application(t)
        number = self.number(t)
        if number is not None:
            return {None: number}
        if name == "+":
            return combined([(1, self.sum(arg)) for arg in args])
        if name == "-":
            first = -1 if len(args) == 1 else 1
            return combined([(first, self.sum(args[0]))] + [(-1, self.sum(arg)) for arg in args[1:]])
        if name == "*":
            numbers = [value for arg in args if (value := constant(self.sum(arg))) is not None]
            others = [arg for arg in args if constant(self.sum(arg)) is None]
            if len(others) <= 1:
                rest = self.sum(others[0]) if others else {None: Fraction(1)}
                return combined([(math.prod(numbers, start=Fraction(1)), rest)])
        if name == "to_real":
            return self.sum(args[0])
        return {t: Fraction(1)}

    def number(self, t):
        name, args = self.application(t)
        if name == "/" and len(args) == 2:
            parts = [constant(self.sum(arg)) for arg in args]
            if None not in parts and parts[1] != 0:
                return parts[0] / parts[1]
        if not args and isinstance(name, str) and name[:1].isdigit():
            return Fraction(name)
        return None


def combined(parts):
    result = {}
    for factor, sums in parts:
        for key, value in sums.items():
            result[key] = result.get(key, 0) + factor * value
    return {key: value for key, value in result.items() if value != 0}


def constant(sums):
    return sums.get(None, Fraction(0)) if all(key is None for key in sums) else None


class Checker:
    def __init__(self, table, assertions):
        self.table, self.assertions = table, assertions
        self.steps, self.holes, self.ended = {}, 0, False

    def literal(self, t):
        """An atom, and the opposite of it as the number below zero."""
        atom, negated = self.table.strip(t)
        return -atom - 1 if negated else atom

    def command(self, expression):
        if expression[0] == "assume":
            _, name, formula = expression
            t = self.table.read(formula, {})
            if t not in self.assertions:
                raise Wrong(f"{name} is no assertion")
            self.steps[name] = [t]
            return
        _, name, clause, *rest = expression
        options = dict(zip(rest[::2], rest[1::2]))
        clause = [self.table.read(part, {}) for part in clause[1:]]
        premises = [self.steps[premise] for premise in options.get(":premises", [])]
        rule = options[":rule"]
        if rule == "hole":
            self.holes += 1
        elif rule == "resolution":
            if not self.follows(clause, premises):
                raise Wrong(f"{name} does not follow by resolution")
        elif rule not in RULES:
            raise Wrong(f"{name}: there is no rule {rule} here")
        elif not RULES[rule](self.table, clause, options.get(":args", [])):
            raise Wrong(f"{name} does not follow by {rule}")
        self.steps[name] = clause
        self.ended |= not clause

    def follows(self, clause, premises):
        """Whether the opposite of the clause and the premises contradict each other by propagation."""
        true = {-1 - self.literal(t) for t in clause}
        if any(-1 - lit in true for lit in true):
            return True
        left = [{self.literal(t) for t in premise} for premise in premises]
        changed = True
        while changed:
            changed = False
            for lits in left[:]:
                if lits & true:
                    continue
                open_lits = {lit for lit in lits if -1 - lit not in true}
                if not open_lits:
                    return True
                if len(open_lits) == 1:
                    true |= open_lits
                    left.remove(lits)
                    changed = True
        return False


# Rules: whether a clause is one of them.

def opposite(table, t):
    return table.make("not", t)


def gate(table, clause, at, name, negated):
    """The application of `name` that the clause has there, as it is or negated."""
    t = clause[at]
    if negated:
        outer, args = table.application(t)
        if outer != "not":
            raise Wrong("a negation is missing")
        t = args[0]
    found, args = table.application(t)
    if found != name:
        raise Wrong(f"no `{name}`")
    return t, list(args)


def and_pos(table, clause, args):
    _, parts = gate(table, clause, 0, "and", True)
    return clause[1:] == [parts[int(args[0])]]


def and_neg(table, clause, args):
    _, parts = gate(table, clause, 0, "and", False)
    return clause[1:] == [opposite(table, part) for part in parts]


def or_pos(table, clause, args):
    _, parts = gate(table, clause, 0, "or", True)
    return clause[1:] == parts


def or_neg(table, clause, args):
    _, parts = gate(table, clause, 0, "or", False)
    return clause[1:] == [opposite(table, parts[int(args[0])])]


def equivalence(negated, left, right):
    """The rules for equations of truth values: which sides are negated."""
    def rule(table, clause, args):
        _, (a, b) = gate(table, clause, 0, "=", negated)
        sides = [opposite(table, a) if left else a, opposite(table, b) if right else b]
        return clause[1:] == sides
    return rule


def choice(negated, first, branch, branch_negated):
    def rule(table, clause, args):
        _, parts = gate(table, clause, 0, "ite", negated)
        condition = opposite(table, parts[0]) if first else parts[0]
        chosen = parts[branch]
        return clause[1:] == [condition, opposite(table, chosen) if branch_negated else chosen]
    return rule


def ite_intro(table, clause, args):
    """`F = (F and C)`, where `C` says of conditional terms of `F` which branch they are."""
    if len(clause) != 1:
        return False
    _, (formula, both) = gate(table, clause, 0, "=", False)
    name, parts = table.application(both)
    if name != "and" or not parts or parts[0] != formula:
        return False
    for part in parts[1:]:
        name, (condition, first, second) = table.application(part)
        whole = table.application(first)[1][0]
        inner, branches = table.application(whole)
        if name != "ite" or inner != "ite" or branches[0] != condition:
            return False
        if first != table.make("=", whole, branches[1]) or second != table.make("=", whole, branches[2]):
            return False
    return True


def refl(table, clause, args):
    _, (a, b) = gate(table, clause, 0, "=", False)
    return len(clause) == 1 and a == b


def symmetric(table, clause, args):
    _, (a, b) = gate(table, clause, 0, "=", False)
    return len(clause) == 1 and a == table.make("=", *reversed(table.application(b)[1]))


def transitive(table, clause, args):
    """The last is an equation of the ends of a path of the others."""
    _, (first, last) = gate(table, clause, len(clause) - 1, "=", False)
    left = [set(gate(table, clause, at, "=", True)[1]) for at in range(len(clause) - 1)]
    reached = {first}
    while last not in reached:
        more = set().union(*(pair for pair in left if pair & reached)) - reached
        if not more:
            return False
        reached |= more
    return True


def arguments_equal(table, clause, count, left, right):
    one, mine = table.application(left)
    other, yours = table.application(right)
    if one is None or one != other or len(mine) != len(yours) or len(mine) != count:
        return False
    pairs = [set(gate(table, clause, at, "=", True)[1]) for at in range(count)]
    return all(pair == {a, b} for pair, a, b in zip(pairs, mine, yours))


def congruent(table, clause, args):
    _, (left, right) = gate(table, clause, len(clause) - 1, "=", False)
    return arguments_equal(table, clause, len(clause) - 1, left, right)


def congruent_predicate(table, clause, args):
    (left, first), (right, second) = table.strip(clause[-2]), table.strip(clause[-1])
    return first != second and arguments_equal(table, clause, len(clause) - 2, left, right)


def disequality(table, clause, args):
    """Two numbers are equal, or one is not at most the other."""
    if len(clause) != 1:
        return False
    _, parts = gate(table, clause, 0, "or", False)
    _, (a, b) = gate(table, parts, 0, "=", False)
    less = [opposite(table, table.make("<=", *sides)) for sides in ((a, b), (b, a))]
    return parts[1:] == less


# What a comparison says when it holds, of the first side less the second: its sign, whether zero is left out, or an equation.
SIDES = {"<=": (-1, False), "<": (-1, True), ">=": (1, False), ">": (1, True), "=": (0, False)}


def arithmetic(table, clause, args):
    """The opposites of the literals, times the arguments, add up to a contradiction."""
    total, is_strict = {}, False
    if len(args) != len(clause):
        return False
    for t, arg in zip(clause, args):
        atom, negated = table.strip(t)
        name, sides = table.application(atom)
        if name not in SIDES or len(sides) != 2:
            return False
        factor = constant(table.sum(table.read(arg, {})))
        sign, strict = SIDES[name]
        # The literal is false.
        if not negated:
            if sign == 0:
                return False
            sign, strict = -sign, not strict
        difference = combined([(sign or 1, table.sum(sides[0])), (-(sign or 1), table.sum(sides[1]))])
        if sign != 0:
            # `difference` is at least zero, or more.
            difference, strict = tightened(table, difference, strict)
            factor = abs(factor)
            is_strict |= strict and factor != 0
        total = combined([(1, total), (factor, difference)])
    value = constant(total)
    return value is not None and (value < 0 or value == 0 and is_strict)


def tightened(table, sums, strict):
    """A sum of integers that is at least zero, or more, divided so that its bound is a whole number."""
    keys = [key for key in sums if key is not None]
    if not keys or any(table.sort(key) != "Int" for key in keys):
        return sums, strict
    denominator = math.lcm(*(sums[key].denominator for key in keys))
    divisor = math.gcd(*(int(sums[key] * denominator) for key in keys))
    scale = Fraction(denominator, divisor)
    number = sums.get(None, Fraction(0)) * scale
    least = math.ceil(number) - 1 if strict else math.floor(number)
    # In the size that it had: the arguments are for that.
    return combined([(1, {key: sums[key] for key in keys}), (1, {None: least / scale})]), False


RULES = {
    "true": lambda table, clause, args: clause == [table.term("true")],
    "false": lambda table, clause, args: clause == [opposite(table, table.term("false"))],
    "and_pos": and_pos, "and_neg": and_neg, "or_pos": or_pos, "or_neg": or_neg,
    "equiv_pos1": equivalence(True, False, True), "equiv_pos2": equivalence(True, True, False),
    "equiv_neg1": equivalence(False, True, True), "equiv_neg2": equivalence(False, False, False),
    "ite_pos1": choice(True, False, 2, False), "ite_pos2": choice(True, True, 1, False),
    "ite_neg1": choice(False, False, 2, True), "ite_neg2": choice(False, True, 1, True),
    "ite_intro": ite_intro, "refl": refl, "eq_symmetric": symmetric, "eq_transitive": transitive,
    "eq_congruent": congruent, "eq_congruent_pred": congruent_predicate,
    "la_disequality": disequality, "la_generic": arithmetic,
}


def check(proof, script):
    """How many steps of a proof have no rule."""
    table, assertions = Table(), set()
    for command in expressions(script):
        if command[0] in ("declare-fun", "declare-const"):
            table.sorts[command[1]] = command[-1]
        elif command[0] == "assert":
            assertions.add(table.read(command[1], {}))
    checker = Checker(table, assertions)
    for command in expressions(proof):
        try:
            checker.command(command)
        except (ValueError, IndexError, KeyError, TypeError) as error:
            raise Wrong(f"{command[1]}: {error!r}") from error
    if not checker.ended:
        raise Wrong("no step is the empty clause")
    return checker.holes


def all_valid(files):
    valid = bool(files) and len(files) % 2 == 0
    for proof, script in zip(files[::2], files[1::2]):
        try:
            holes = check(open(proof).read(), open(script).read())
            print(f"{proof}: " + (f"holey, {holes} steps" if holes else "valid"))
        except Wrong as what:
            valid = False
            print(f"{proof}: {what}")
    return valid


if __name__ == "__main__":
    # Terms may be as deep as they like.
    sys.setrecursionlimit(1_000_000)
    threading.stack_size(512 << 20)
    answers = []
    thread = threading.Thread(target=lambda: answers.append(all_valid(sys.argv[1:])))
    thread.start()
    thread.join()
    sys.exit(answers != [True])
