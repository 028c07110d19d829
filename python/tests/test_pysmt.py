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


def prove(variables, init, trans, prop):
    """McMillan's procedure: an inductive invariant that implies the property, or the number of steps after which it fails."""

    def at(formula, step):
        now = {v: Symbol(f"{v.symbol_name()}@{step}", v.symbol_type()) for v in variables}
        later = {primed(v): Symbol(f"{v.symbol_name()}@{step + 1}", v.symbol_type()) for v in variables}
        return formula.substitute({**now, **later})

    back = {Symbol(f"{v.symbol_name()}@1", v.symbol_type()): v for v in variables}
    if is_sat(And(init, Not(prop)), solver_name="craig"):
        return 0
    for bound in range(1, 40):
        rest = And([at(trans, step) for step in range(1, bound)])
        bad = Or([at(Not(prop), step) for step in range(1, bound + 1)])
        reached = init
        while True:
            itp = binary_interpolant(And(at(reached, 0), at(trans, 0)), And(rest, bad), solver_name="craig", logic=QF_LIA)
            if itp is None:
                break
            image = itp.substitute(back)
            assert set(image.get_free_variables()) <= set(variables)
            if is_valid(Implies(image, reached), solver_name="craig"):
                return reached
            reached = Or(reached, image)
        if reached is init:
            return bound
    raise AssertionError("no bound was enough")


def primed(variable):
    return Symbol(f"next({variable.symbol_name()})", variable.symbol_type())


def is_invariant(invariant, variables, init, trans, prop):
    later = invariant.substitute({v: primed(v) for v in variables})
    return all(
        is_valid(claim, solver_name="craig")
        for claim in (Implies(init, invariant), Implies(And(invariant, trans), later), Implies(invariant, prop))
    )


def test_the_counter_of_pysmts_example_is_checked_with_interpolants():
    """The transition system and both properties of `examples/model_checking.py`, bit by bit."""
    bits = [Symbol(f"b{i}") for i in range(4)]
    reset, zero = Symbol("r"), And([Not(bit) for bit in bits])
    variables = [*bits, reset]
    carries = [And(bits[:i]) for i in range(len(bits))]
    trans = And(
        *[Iff(primed(bit), Not(Iff(bit, carry))) for bit, carry in zip(bits, carries)],
        Iff(And([Not(primed(bit)) for bit in bits]), primed(reset)),
    )
    system = (variables, And(zero, Not(reset)), trans)
    holds, fails = Implies(reset, zero), Not(And(bits))
    assert is_invariant(prove(*system, holds), *system, holds)
    assert prove(*system, fails) == 15


def test_a_counter_is_proved_by_interpolants():
    """One of PySMT's kind over the integers, whose states no enumeration ends."""
    x, y = Symbol("x", INT), Symbol("y", INT)
    trans = And(Equals(primed(x), Plus(x, Int(1))), Equals(primed(y), Plus(y, Int(2))))
    system = ([x, y], And(Equals(x, Int(0)), Equals(y, Int(0))), trans)
    prop = Implies(GE(x, Int(0)), GE(y, x))
    assert is_invariant(prove(*system, prop), *system, prop)
    assert prove(*system, LE(y, Int(5))) == 3


def test_sequences():
    xs = [Symbol(f"x{i}", REAL) for i in range(4)]
    parts = [Equals(xs[0], Real(0))] + [GT(b, a) for a, b in zip(xs, xs[1:])] + [LT(xs[3], Real(0))]
    found = sequence_interpolant(parts, solver_name="craig", logic=QF_UFLIRA)
    before = TRUE()
    for part, after in zip(parts, found + [FALSE()]):
        assert is_valid(Implies(And(before, part), after), solver_name="craig")
        before = after
    assert sequence_interpolant(parts[:-1], solver_name="craig") is None
