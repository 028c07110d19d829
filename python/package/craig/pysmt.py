"""Craig as a solver and an interpolator of PySMT.

>>> import craig.pysmt
>>> craig.pysmt.register()
>>> from pysmt.shortcuts import *
>>> x, y = Symbol("x", INT), Symbol("y", INT)
>>> get_model(And(GT(x, Int(3)), LT(x, Int(5))), solver_name="craig")[x]
4
>>> binary_interpolant(GT(x, Int(4)), And(Equals(y, x), LT(y, Int(2))), solver_name="craig")
(4 < x)

`register` is all that is needed: from then on every environment knows the solver and the interpolator ``craig``. They come
last in the lists of preferences, so that a name, or ``env.factory.set_solver_preference_list``, chooses them.

Supported are the logics without quantifiers, bit-vectors, strings and products of variables. Interpolants over the integers
may need remainders, for which PySMT has no operator; then there is a `ConvertExpressionError`.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

import pysmt.operators as op
from pysmt import factory, typing
from pysmt.decorators import catch_conversion_error, clear_pending_pop
from pysmt.environment import get_env
from pysmt.exceptions import (
    ConvertExpressionError,
    InternalSolverError,
    PysmtTypeError,
    PysmtValueError,
    SolverReturnedUnknownResultError,
)
from pysmt.logics import PYSMT_QF_LOGICS
from pysmt.oracles import get_logic
from pysmt.solvers.interpolation import Interpolator
from pysmt.solvers.smtlib import SmtLibBasicSolver, SmtLibIgnoreMixin
from pysmt.solvers.solver import Converter, IncrementalTrackingSolver, Model, SolverOptions, UnsatCoreSolver
from pysmt.walkers import DagWalker, handles

import craig

__all__ = ["CraigConverter", "CraigInterpolator", "CraigModel", "CraigOptions", "CraigSolver", "register"]

NAME = "craig"

LOGICS = frozenset(
    logic
    for logic in PYSMT_QF_LOGICS
    if logic.theory.linear and not logic.theory.bit_vectors and not logic.theory.strings
)


def register() -> None:
    """Makes the solver and the interpolator ``craig`` known to this environment and to all that come."""
    for found, class_of in (("solvers", CraigSolver), ("interpolators", CraigInterpolator)):
        _extend(f"_get_available_{found}", f"_all_{found}", class_of)
    for preferences in (factory.DEFAULT_SOLVER_PREFERENCE_LIST, factory.DEFAULT_INTERPOLATION_PREFERENCE_LIST):
        if NAME not in preferences:
            preferences.append(NAME)
    current = get_env().factory
    current._get_available_solvers()
    current._get_available_interpolators()


def _extend(method: str, attribute: str, class_of: type) -> None:
    """Lets a factory find one more class; PySMT has a fixed list."""
    original = getattr(factory.Factory, method)
    if hasattr(original, "extended_by_craig"):
        return

    def extended(self: Any) -> None:
        original(self)
        allowed = factory.ENV_SOLVER_LIST
        if allowed is None or NAME in allowed:
            getattr(self, attribute)[NAME] = class_of
            if getattr(class_of, "UNSAT_CORE_SUPPORT", False):
                self._all_unsat_core_solvers[NAME] = class_of

    extended.extended_by_craig = True  # type: ignore[attr-defined]
    setattr(factory.Factory, method, extended)


class CraigOptions(SolverOptions):
    """``solver_options`` may have a ``timeout`` in seconds and a limit of ``memory`` in bytes.

    A seed is accepted and changes nothing: the same questions get the same answers.
    """

    def __init__(self, **options: Any) -> None:
        SolverOptions.__init__(self, **options)
        for option in self.solver_options:
            if option not in ("timeout", "memory"):
                raise PysmtValueError(f"Craig has no option '{option}'")

    def __call__(self, solver: Any) -> None:
        pass


class CraigSolver(IncrementalTrackingSolver, UnsatCoreSolver, SmtLibBasicSolver, SmtLibIgnoreMixin):
    """Craig as an incremental solver with models and cores."""

    LOGICS = LOGICS
    OptionsClass = CraigOptions

    def __init__(self, environment: Any, logic: Any, **options: Any) -> None:
        IncrementalTrackingSolver.__init__(self, environment=environment, logic=logic, **options)
        self.options(self)
        self.mgr = environment.formula_manager
        self._start()

    def _start(self) -> None:
        self.solver = craig.Solver(**self.options.solver_options)
        self.converter = CraigConverter(self.environment, self.solver)
        # The formulas and names of the assertions.
        self.asserted: Dict[craig.Assertion, Any] = {}
        self.model: Optional[craig.Model] = None

    @clear_pending_pop
    def _reset_assertions(self) -> None:
        self._start()
        self._backtrack_points: List[int] = []

    @clear_pending_pop
    def declare_variable(self, var: Any) -> None:
        self.converter.convert(var)

    @clear_pending_pop
    def _add_assertion(self, formula: Any, named: Optional[str] = None) -> Any:
        self._assert_is_boolean(formula)
        assertion = self.solver.add(self.converter.convert(formula))
        if self.options.unsat_cores_mode is not None:
            self.asserted[assertion] = (named, formula)
        return formula

    @clear_pending_pop
    def _solve(self, assumptions: Any = None) -> bool:
        assumed = list(assumptions or ())
        if assumed and self.options.unsat_cores_mode is not None:
            # A core has assertions only.
            self.push()
            self.add_assertion(self.mgr.And(assumed))
            assumed = []
            answer = self.solver.check()
            self.pending_pop = True
        else:
            answer = self.solver.check(*[self.converter.convert(formula) for formula in assumed])
        if answer == "unknown":
            self.model = None
            raise SolverReturnedUnknownResultError(self.solver.reason_unknown)
        self.model = self.solver.model() if answer == "sat" else None
        return answer == "sat"

    def get_unsat_core(self) -> Any:
        """The assertions that the refutation needs."""
        return set(self.get_named_unsat_core().values())

    def get_named_unsat_core(self) -> Dict[str, Any]:
        """The same with their names."""
        self._check_unsat_core_config()
        core = {}
        for number, assertion in enumerate(self.solver.core()):
            name, formula = self.asserted[assertion]
            core[f"_a_{number}" if name is None else name] = formula
        return core

    @clear_pending_pop
    def _push(self, levels: int = 1) -> None:
        for _ in range(levels):
            self.solver.push()

    @clear_pending_pop
    def _pop(self, levels: int = 1) -> None:
        for _ in range(levels):
            self.solver.pop()

    def print_model(self, name_filter: Optional[str] = None) -> None:
        for symbol, value in self.get_model():
            if name_filter is None or not symbol.symbol_name().startswith(name_filter):
                print(f"{symbol.symbol_name()} = {value}")

    def get_value(self, formula: Any) -> Any:
        self._assert_no_function_type(formula)
        return self.get_model().get_value(formula)

    def get_model(self) -> CraigModel:
        if self.model is None:
            raise InternalSolverError("there is no model")
        return CraigModel(self.environment, self.converter, self.model)

    def _exit(self) -> None:
        del self.solver, self.converter, self.asserted, self.model


class CraigModel(Model):
    """A model, which outlives its solver."""

    def __init__(self, environment: Any, converter: CraigConverter, model: craig.Model) -> None:
        Model.__init__(self, environment)
        self.converter = converter
        self.model = model

    def get_value(self, formula: Any, model_completion: bool = True) -> Any:
        ty = self.environment.stc.get_type(formula)
        return self.converter.value(self.model[self.converter.convert(formula)], ty)

    def _symbols(self) -> Any:
        for term in self.model.constants():
            symbol = self.converter.symbol_of.get(term)
            if symbol is not None:
                yield symbol

    def iterator_over(self, language: Any) -> Any:
        for symbol in language:
            yield symbol, self.get_value(symbol)

    def __iter__(self) -> Any:
        return self.iterator_over(self._symbols())

    def __contains__(self, symbol: Any) -> bool:
        return any(symbol is known for known in self._symbols())


#: The operators that are those of SMT-LIB.
OPERATORS = {
    op.AND: "and",
    op.OR: "or",
    op.NOT: "not",
    op.IMPLIES: "=>",
    op.IFF: "=",
    op.PLUS: "+",
    op.MINUS: "-",
    op.TIMES: "*",
    op.EQUALS: "=",
    op.LE: "<=",
    op.LT: "<",
    op.ITE: "ite",
    op.TOREAL: "to_real",
    op.ARRAY_SELECT: "select",
    op.ARRAY_STORE: "store",
}


class CraigConverter(Converter, DagWalker):
    """PySMT's formulas as terms of a solver, and back."""

    def __init__(self, environment: Any, solver: craig.Solver) -> None:
        DagWalker.__init__(self, environment)
        self.mgr = environment.formula_manager
        self.get_type = environment.stc.get_type
        self.solver = solver
        self.declared: Dict[Any, craig.Function] = {}
        # The way back.
        self.symbol_of: Dict[craig.Term, Any] = {}
        self.function_of: Dict[str, Any] = {}
        self.type_of: Dict[str, Any] = {"Bool": typing.BOOL, "Int": typing.INT, "Real": typing.REAL}
        self.back_memory: Dict[craig.Term, Any] = {}

    @catch_conversion_error
    def convert(self, formula: Any) -> craig.Term:
        term: craig.Term = self.walk(formula)
        return term

    def sort(self, ty: Any) -> str:
        """The sort of a type, as SMT-LIB."""
        if ty.is_array_type():
            name = f"(Array {self.sort(ty.index_type)} {self.sort(ty.elem_type)})"
        elif ty.is_bool_type() or ty.is_int_type() or ty.is_real_type():
            name = str(ty)
        elif ty.is_custom_type():
            # One with parameters is a sort of its own for each choice of them.
            name = self.solver.sort(str(ty))
        else:
            raise ConvertExpressionError(message=f"Craig has no type {ty}")
        self.type_of[name] = ty
        return name

    def name(self, symbol: Any) -> str:
        name: str = symbol.symbol_name()
        # SMT-LIB can write all others.
        return name if "|" not in name and "\\" not in name else f"symbol!{symbol.node_id()}"

    @handles(OPERATORS)
    def walk_operator(self, formula: Any, args: Any, **_: Any) -> craig.Term:
        return self.solver.apply(OPERATORS[formula.node_type()], *args)

    def walk_symbol(self, formula: Any, args: Any, **_: Any) -> craig.Term:
        ty = formula.symbol_type()
        if ty.is_function_type():
            raise ConvertExpressionError(message=f"{formula} is a function", expression=formula)
        term = self.solver.constant(self.name(formula), self.sort(ty))
        self.symbol_of[term] = formula
        return term

    def walk_function(self, formula: Any, args: Any, **_: Any) -> craig.Term:
        symbol = formula.function_name()
        function = self.declared.get(symbol)
        if function is None:
            ty = symbol.symbol_type()
            parameters = [self.sort(parameter) for parameter in ty.param_types]
            function = self.solver.function(self.name(symbol), parameters, self.sort(ty.return_type))
            self.declared[symbol] = function
            self.function_of[function.name] = symbol
        return function(*args)

    @handles(op.BOOL_CONSTANT, op.INT_CONSTANT)
    def walk_constant(self, formula: Any, args: Any, **_: Any) -> craig.Term:
        return self.solver.term(formula.constant_value())

    def walk_real_constant(self, formula: Any, args: Any, **_: Any) -> craig.Term:
        value = formula.constant_value()
        return self.solver.term(craig.Fraction(int(value.numerator), int(value.denominator)))

    def walk_array_value(self, formula: Any, args: Any, **_: Any) -> craig.Term:
        array = self.solver.constant_array(self.sort(self.get_type(formula)), args[0])
        for index, element in zip(args[1::2], args[2::2]):
            array = array.store(index, element)
        return array

    @handles(op.FORALL, op.EXISTS)
    def walk_quantifier(self, formula: Any, args: Any, **_: Any) -> craig.Term:
        bound = [self.walk_symbol(symbol, ()) for symbol in formula.quantifier_vars()]
        body: craig.Term = args[0]
        return body.quantify("forall" if formula.is_forall() else "exists", bound)

    def walk_div(self, formula: Any, args: Any, **_: Any) -> craig.Term:
        if any(self.get_type(arg).is_int_type() for arg in formula.args()):
            raise ConvertExpressionError(message="PySMT does not say how integers are divided", expression=formula)
        return self.solver.apply("/", *args)

    def walk_pow(self, formula: Any, args: Any, **_: Any) -> craig.Term:
        exponent = formula.args()[1].constant_value()
        if exponent != int(exponent) or exponent < 1:
            raise ConvertExpressionError(message="not a product", expression=formula)
        return self.solver.apply("*", *[args[0]] * int(exponent))

    def back(self, term: craig.Term) -> Any:
        """PySMT's formula for a term."""
        work = [term]
        while work:
            top = work[-1]
            missing = [arg for arg in top.args if arg not in self.back_memory]
            if top in self.back_memory or missing:
                work.extend(missing)
                if not missing:
                    work.pop()
                continue
            self.back_memory[top] = self._back(top, [self.back_memory[arg] for arg in top.args])
            work.pop()
        return self.back_memory[term]

    def _back(self, term: craig.Term, args: List[Any]) -> Any:
        mgr = self.mgr
        operator = term.op
        if operator == "constant" and term in self.symbol_of:
            return self.symbol_of[term]
        if operator == "application" and term.name in self.function_of:
            return mgr.Function(self.function_of[term.name], args)
        if operator == "number":
            return mgr.Int(term.value) if term.sort == "Int" else mgr.Real(term.value)
        if operator == "=" and self.get_type(args[0]).is_bool_type():
            return mgr.Iff(*args)
        if operator == "not" and term.args[0].op in ("<=", "<"):
            left, right = args[0].args()
            return mgr.LT(right, left) if term.args[0].op == "<=" else mgr.LE(right, left)
        if operator == "const-array":
            return mgr.Array(self.type_of[term.sort].index_type, args[0])
        builders = {
            "true": mgr.TRUE,
            "false": mgr.FALSE,
            "and": mgr.And,
            "or": mgr.Or,
            "not": mgr.Not,
            "=": mgr.Equals,
            "<=": mgr.LE,
            "<": mgr.LT,
            "+": mgr.Plus,
            "*": mgr.Times,
            "/": mgr.Div,
            "ite": mgr.Ite,
            "to_real": mgr.ToReal,
            "select": mgr.Select,
            "store": mgr.Store,
        }
        if operator not in builders:
            raise ConvertExpressionError(message=f"PySMT cannot say {term}")
        return builders[operator](*args)

    def value(self, value: Any, ty: Any) -> Any:
        """PySMT's constant for a value of a model."""
        mgr = self.mgr
        if ty.is_bool_type():
            return mgr.Bool(value)
        if ty.is_int_type():
            return mgr.Int(value)
        if ty.is_real_type():
            return mgr.Real(value)
        if isinstance(value, craig.ArrayValue):
            index, element = ty.index_type, ty.elem_type
            entries = {self.value(i, index): self.value(e, element) for i, e in value.entries.items()}
            return mgr.Array(index, self.value(value.default, element), entries)
        if isinstance(value, craig.Element):
            return mgr.Symbol(f"{value.sort}!val!{value.number}", ty)
        raise PysmtTypeError(f"no value of type {ty}")


class CraigInterpolator(Interpolator):
    """Craig as an interpolator."""

    LOGICS = LOGICS

    def __init__(self, environment: Any, logic: Any = None) -> None:
        Interpolator.__init__(self)
        self.environment = environment
        self.logic = logic

    def _exit(self) -> None:
        pass

    def binary_interpolant(self, a: Any, b: Any) -> Any:
        found = self.sequence_interpolant([a, b])
        return None if found is None else found[0]

    def sequence_interpolant(self, formulas: Any) -> Any:
        if len(formulas) < 2:
            raise PysmtValueError("interpolation needs at least 2 formulae")
        for formula in formulas:
            logic = get_logic(formula, self.environment)
            if not any(logic <= known for known in self.LOGICS):
                raise PysmtValueError(f"Craig does not interpolate formulas of {logic}")
        solver = craig.Solver()
        converter = CraigConverter(self.environment, solver)
        parts = [solver.add(converter.convert(formula)) for formula in formulas]
        try:
            solver.check()
            found = solver.interpolants(parts)
        except craig.UnknownError as error:
            raise SolverReturnedUnknownResultError(str(error)) from error
        return None if found is None else [converter.back(formula) for formula in found]
