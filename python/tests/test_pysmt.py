import doctest
from fractions import Fraction

import pytest

pysmt = pytest.importorskip("pysmt")

from pysmt.environment import reset_env  # noqa: E402
from pysmt.exceptions import SolverReturnedUnknownResultError  # noqa: E402
from pysmt.logics import QF_LIA, QF_UFLIRA  # noqa: E402
from pysmt.shortcuts import *  # noqa: E402, F403
from pysmt.typing import ArrayType, FunctionType, Type  # noqa: E402

import craig.pysmt  # noqa: E402


@pytest.fixture(autouse=True)
def environment():
    reset_env()
    craig.pysmt.register()
    craig.pysmt.register()


def test_the_example():
    assert doctest.testmod(craig.pysmt).failed == 0


def test_models_come_back():
    a = Symbol("a", ArrayType(INT, INT))
    f = Symbol("f", FunctionType(REAL, [INT]))
    u, v = (Symbol(name, Type("U")) for name in "uv")
    x, odd = Symbol("x", INT), Symbol("a|b", INT)
    with Solver(name="craig") as solver:
        solver.add_assertion(Equals(Select(Store(a, x, Int(3)), odd), Int(3)))
        solver.add_assertion(Equals(Function(f, [x]), Real(Fraction(1, 3))))
        solver.add_assertion(And(Not(Equals(u, v)), Equals(x, Plus(odd, Int(1)))))
        assert solver.solve()
        assert solver.get_py_value(Function(f, [x])) == Fraction(1, 3)
        assert solver.get_value(Select(a, odd)) == Int(3)
        assert solver.get_value(u) != solver.get_value(v)
        model = solver.get_model()
        assert model[x] == simplify(Plus(model[odd], Int(1))) and x in model
        assert not solver.solve([Equals(x, odd)])
        assert solver.solve([GT(x, Int(7))])


def test_cores_and_options():
    x = Symbol("x", INT)
    core = get_unsat_core([GT(x, Int(3)), LT(x, Int(2)), LT(x, Int(9))], solver_name="craig")
    assert core == {GT(x, Int(3)), LT(x, Int(2))}
    with UnsatCoreSolver(name="craig", logic=QF_LIA, unsat_cores_mode="named") as solver:
        solver.add_assertion(GT(x, Int(3)), named="low")
        assert not solver.solve([LT(x, Int(2))])
        assert solver.get_named_unsat_core()["low"] == GT(x, Int(3))
    with pytest.raises(ValueError):
        Solver(name="craig", solver_options={"nothing": 1})
    pigeons = [[Symbol(f"p{i}_{j}") for j in range(11)] for i in range(12)]
    with Solver(name="craig", solver_options={"timeout": 0.2}) as solver:
        for i, row in enumerate(pigeons):
            solver.add_assertion(Or(row))
            for other in pigeons[:i]:
                solver.add_assertions([Or(Not(p), Not(q)) for p, q in zip(row, other)])
        with pytest.raises(SolverReturnedUnknownResultError):
            solver.solve()


def test_a_counter_is_proved_by_interpolants():
    """McMillan's procedure: an inductive invariant from interpolants, for a counter of PySMT's kind."""
    x, y = Symbol("x", INT), Symbol("y", INT)
    x1, y1 = Symbol("x.1", INT), Symbol("y.1", INT)
    step = And(Equals(x1, Plus(x, Int(1))), Equals(y1, Plus(y, Int(2))))
    primed = {x: x1, y: y1}
    unprimed = {x1: x, y1: y}
    reached = And(Equals(x, Int(0)), Equals(y, Int(0)))
    bad = And(GE(x, Int(0)), LT(y, x)).substitute(primed)
    for _ in range(10):
        itp = binary_interpolant(And(reached, step), bad, solver_name="craig", logic=QF_LIA)
        assert itp is not None
        image = itp.substitute(unprimed)
        assert set(image.get_free_variables()) <= {x, y}
        if is_valid(Implies(image, reached), solver_name="craig"):
            break
        reached = Or(reached, image)
    assert is_valid(Implies(And(reached, step), reached.substitute(primed)), solver_name="craig")
    assert is_unsat(And(reached.substitute(primed), bad), solver_name="craig")


def test_sequences():
    xs = [Symbol(f"x{i}", REAL) for i in range(4)]
    parts = [Equals(xs[0], Real(0))] + [GT(b, a) for a, b in zip(xs, xs[1:])] + [LT(xs[3], Real(0))]
    found = sequence_interpolant(parts, solver_name="craig", logic=QF_UFLIRA)
    before = TRUE()
    for part, after in zip(parts, found + [FALSE()]):
        assert is_valid(Implies(And(before, part), after), solver_name="craig")
        before = after
    assert sequence_interpolant(parts[:-1], solver_name="craig") is None
