from fractions import Fraction

import pytest

import craig
from craig import And, ArrayValue, Distinct, Element, Exists, ForAll, If, Implies, Not, Or, Solver


def implied(solver_of, *formulas):
    """The formulas have no model together, as a fresh look at their texts says."""
    other = Solver()
    for formula in formulas:
        for constant in formula.constants():
            other.constant(constant.name, constant.sort)
    other.read("".join(f"(assert {formula})" for formula in formulas))
    return other.check() == "unsat"


def test_models_have_values_of_python():
    s = Solver()
    x, y = s.ints("x y")
    (r,) = s.reals("r")
    (p,) = s.bools("p")
    s.add(x > 3, y == 2 * x - 1, x < 5, 3 * r == 1, Implies(p, x < 0))
    assert s.check() == "sat"
    m = s.model()
    assert (m[x], m[y], m[r], m[p]) == (4, 7, Fraction(1, 3), False)
    assert m["x"] == 4 and m[x * 10 + y] == 47 and m[x > y] is False
    assert type(m[x]) is int and type(m[r]) is Fraction
    assert [c.name for c in m.constants()] == ["x", "y", "r", "p"]
    with pytest.raises(KeyError):
        m["nothing"]
    # What need not be said is said all the same: a value that is left out is not any value.
    s = Solver()
    p, q, r = s.bools("p q r")
    s.add(p == q)
    assert s.check(~q) == "sat"
    assert repr(s.model()) == "[p = False, q = False]"


def test_scopes_forget():
    s = Solver()
    (x,) = s.ints("x")
    s.add(x > 3)
    s.push()
    s.add(x < 2)
    assert s.check() == "unsat"
    with pytest.raises(craig.Error):
        s.model()
    s.pop()
    assert s.check() == "sat"
    assert len(s.assertions) == 1
    with pytest.raises(ValueError):
        s.pop()


def test_cores_name_assertions_and_assumptions():
    s = Solver()
    x, y = s.ints("x y")
    s.add(y > 7)
    low, high = s.add(x > 3), s.add(x < 2)
    assert s.check() == "unsat"
    assert set(s.core()) == {low, high}
    s = Solver()
    x, y = s.ints("x y")
    s.add(x > 3)
    assert s.check(y > 0, x < 2) == "unsat"
    assert [str(term) for term in s.unsat_assumptions()] == ["(<= x 1)"]
    assert s.check(y > 0) == "sat"
    with pytest.raises(craig.Error):
        s.core()


@pytest.mark.parametrize("scoped", [False, True])
def test_sequences_of_interpolants_fit_together(scoped):
    s = Solver()
    x, y, z = s.ints("x y z")
    if scoped:
        s.push()
    parts = [s.add(x >= 5), s.add(y == x + 1), s.add(z == 2 * y), s.add(z < 12)]
    assert s.check() == "unsat"
    found = s.interpolants(parts)
    assert [{c.name for c in formula.constants()} for formula in found] == [{"x"}, {"y"}, {"z"}]
    before = s.term(True)
    for part, after in zip(parts, found + [s.term(False)]):
        assert implied(s, before, part.formula, ~after)
        before = after
    grouped = s.interpolants([parts[:2], parts[2:]])
    assert len(grouped) == 1 and implied(s, parts[0].formula, parts[1].formula, ~grouped[0])
    assert s.interpolants(parts[:2]) is None
    assert str(s.interpolant(parts[:3], parts[3])) == str(s.interpolants([parts[:3], parts[3]])[0])


def test_trees_of_interpolants_fit_together():
    s = Solver()
    x, y, z = s.ints("x y z")
    parts = [s.add(x > 2), s.add(y > 5), s.add(z >= x + y), s.add(z < 9)]
    assert s.check() == "unsat"
    left, right, middle = s.tree_interpolants(parts, [2, 2, 3])
    assert implied(s, parts[0].formula, ~left) and implied(s, parts[1].formula, ~right)
    assert implied(s, left, right, parts[2].formula, ~middle) and implied(s, middle, parts[3].formula)
    with pytest.raises(ValueError):
        s.tree_interpolants(parts, [0, 0, 0])


def test_labels_of_graphs_fit_together():
    s = Solver()
    a, b, c = s.ints("a b c")
    edges = [(0, 1, a == 1), (1, 2, b == a + 1), (1, 2, b == a + 2), (2, 3, b > 3)]
    labels = s.dag_interpolants(edges)
    assert bool(labels[0]) and not bool(labels[3])
    for start, end, formula in edges:
        assert implied(s, labels[start], formula, ~labels[end])
    assert s.dag_interpolants([(0, 1, a == 1), (1, 2, a < 2)]) is None
    with pytest.raises(ValueError):
        s.dag_interpolants([(1, 0, a == 1)])


def test_terms_are_written_in_both_languages():
    s = Solver()
    x, y = s.ints("x y")
    assert bool(s.term("(+ x 1)") == x + 1)
    assert str(x + 2 * y - 3) == "(+ (- 3) x (* 2 y))"
    s.read("(define-fun twice ((n Int)) Int (* 2 n))")
    assert bool(s.term("(twice x)") == x * 2)
    assert (x % 3).sort == "Int" and (x / 2).sort == "Real" and (x < y).sort == "Bool"
    assert bool(s.term(3, "Real") == Fraction(3)) and bool(s.term("3", "Real") == 3)
    assert s.term("(- 5)").value == -5 and s.term("2.5").value == Fraction(5, 2)
    assert (x + y).op == "+" and [t.name for t in (x + y).args] == ["x", "y"]
    assert bool((x + y).substitute([(x, y + 1)]) == 2 * y + 1)
    assert len({x, s.constant("x", "Int"), y}) == 2
    big = 3**200
    assert s.term(big).value == big and s.term(-big).value == -big


def test_what_makes_no_sense_is_refused():
    s = Solver()
    (x,) = s.ints("x")
    (p,) = s.bools("p")
    for wrong in (
        lambda: x + p,
        lambda: x & 1,
        lambda: x + 0.5,
        lambda: x == "x",
        lambda: x // x,
        lambda: x % -2,
        lambda: x[1],
        lambda: bool(x > 1),
        lambda: list(x),
        lambda: x + Solver().ints("x")[0],
        lambda: s.add(x),
        lambda: s.apply("nothing", x),
        lambda: And(True, False),
    ):
        with pytest.raises(TypeError):
            wrong()
    for wrong in (
        lambda: s.term("(+ x"),
        lambda: s.term("x x"),
        lambda: s.constant("x", "Bool"),
        lambda: s.constant("y", "Nothing"),
        lambda: s.constant("a|b", "Int"),
        lambda: s.read("(check-sat)"),
        lambda: Solver(timeout=-1),
    ):
        with pytest.raises(ValueError):
            wrong()


def test_functions_arrays_and_sorts():
    s = Solver()
    x, y = s.ints("x y")
    f = s.function("f", ["Int"], "Int")
    a = s.constant("a", "(Array Int Int)")
    u = s.sort("U")
    one, two = s.constant("one", u), s.constant("two", u)
    s.add(x == y, f(x) == a[3], a.store(3, 4)[3] == 4, Distinct(one, two), a[3] > 6)
    assert s.check(f(y) < 5) == "unsat"
    assert s.check() == "sat"
    m = s.model()
    assert m[f(x)] == m[a[3]] > 6 and m[one] != m[two]
    assert isinstance(m[one], Element) and isinstance(m[a], ArrayValue) and m[a][3] == m[a[3]]
    zeros = s.constant_array("(Array Int Int)", 0)
    assert s.check(zeros[x] != 0) == "unsat"


def test_operators_have_names_that_people_know():
    s = Solver()
    (x,) = s.ints("x")
    p, q = s.bools("p q")
    assert bool(And(p, q) == (p & q)) and bool(Or([p, q]) == (p | q)) and bool(Not(p) == ~p)
    assert bool(Implies(p, q) == (~p | q))
    assert str(If(p, x, 0)) == "(ite p x 0)"
    assert str(ForAll([x], x > 3)).startswith("(forall ((x!@")
    assert Exists([x], x > 3).constants() == []
    assert s.check(ForAll([x], x > 3), ~ForAll([x], x > 3)) in ("unsat", "unknown")


def test_a_symbol_may_have_the_name_of_an_operator():
    s = Solver()
    p, q = s.bools("and p")
    assert str(p & q) in ("(and and p)", "(and p and)")
    s.add(p & q)
    assert s.check(~p) == "unsat"
