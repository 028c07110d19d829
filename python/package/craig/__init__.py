"""Craig: an interpolating SMT solver, a solver for Horn clauses, and a model checker for C.

>>> s = Solver()
>>> x, y, z = s.ints("x y z")
>>> parts = [s.add(x >= 5), s.add(y == x + 1), s.add(z == 2 * y, z < 12)]
>>> s.check()
'unsat'
>>> s.interpolants(parts)
[(> x 4), (> y 5)]
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from fractions import Fraction as Fraction
from typing import Any, Dict, List, Literal, Mapping, Optional, Sequence, Tuple, Union

from . import _craig
from ._craig import Assertion, Error, Function, InputError, InternalError, Model, Term, UnknownError

__all__ = [
    "And", "ArrayValue", "Assertion", "Check", "Distinct", "Element", "Error", "Exists", "ForAll", "Function", "If",
    "Implies", "InputError", "InternalError", "Judgement", "Model", "Not", "Or", "Report", "SolveReport", "Solver",
    "Term", "ToInt", "ToReal", "UnknownError", "check", "solve", "validate",
]  # fmt: skip

#: What can stand where a term is wanted.
TermLike = Union[Term, int, bool, Fraction]


@dataclass(frozen=True)
class ArrayValue:
    """The value of an array: finitely many exceptions to a default."""

    default: Any
    entries: Mapping[Any, Any]

    def __getitem__(self, index: Any) -> Any:
        return self.entries.get(index, self.default)

    def __hash__(self) -> int:
        return hash((self.default, frozenset(self.entries.items())))


@dataclass(frozen=True)
class Element:
    """An element of an uninterpreted sort. Different numbers are different elements."""

    sort: str
    number: int


class Solver(_craig.Solver):
    """An incremental solver with models, cores and interpolants.

    Decided are Boolean combinations of linear integer and real arithmetic, uninterpreted functions and sorts, and arrays.
    ``timeout`` (seconds) and ``memory`` (bytes of the whole process) limit each call. Long calls let other threads
    run, and Ctrl-C stops them.
    """

    def ints(self, names: str) -> Tuple[Term, ...]:
        """Integer constants: ``x, y = solver.ints("x y")``."""
        return tuple(self.constant(name, "Int") for name in names.split())

    def reals(self, names: str) -> Tuple[Term, ...]:
        """Real constants."""
        return tuple(self.constant(name, "Real") for name in names.split())

    def bools(self, names: str) -> Tuple[Term, ...]:
        """Boolean constants."""
        return tuple(self.constant(name, "Bool") for name in names.split())

    def interpolant(self, a: _Part, b: _Part) -> Optional[Term]:
        """A formula that follows from ``a``, contradicts ``b``, and has symbols of both only.

        None if ``a`` and ``b`` have a common model.
        """
        found = self.interpolants([a, b])
        return None if found is None else found[0]


_Part = Union[Assertion, Sequence[Assertion]]


def _apply(operator: str, *args: TermLike) -> Term:
    for arg in args:
        if isinstance(arg, Term):
            return arg.apply(operator, *args)
    raise TypeError(f"`{operator}` of Python values alone; solver.apply() takes them")


def _several(args: Tuple[Any, ...]) -> Sequence[TermLike]:
    return args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args


def And(*args: Union[TermLike, Sequence[TermLike]]) -> Term:
    """The conjunction of terms, or of a list of terms."""
    return _apply("and", *_several(args))


def Or(*args: Union[TermLike, Sequence[TermLike]]) -> Term:
    """The disjunction of terms, or of a list of terms."""
    return _apply("or", *_several(args))


def Not(a: Term) -> Term:
    """The negation."""
    return _apply("not", a)


def Implies(a: TermLike, b: TermLike) -> Term:
    """``a`` implies ``b``."""
    return _apply("=>", a, b)


def If(condition: TermLike, then: TermLike, otherwise: TermLike) -> Term:
    """``then`` or ``otherwise``."""
    return _apply("ite", condition, then, otherwise)


def Distinct(*args: Union[TermLike, Sequence[TermLike]]) -> Term:
    """No two of the terms are equal."""
    return _apply("distinct", *_several(args))


def ToReal(a: Term) -> Term:
    """An integer as a real number."""
    return _apply("to_real", a)


def ToInt(a: Term) -> Term:
    """The greatest integer that is not greater."""
    return _apply("to_int", a)


def ForAll(constants: Sequence[Term], body: Term) -> Term:
    """The body holds for all values of the constants."""
    return body.quantify("forall", constants)


def Exists(constants: Sequence[Term], body: Term) -> Term:
    """The body holds for some values of the constants."""
    return body.quantify("exists", constants)


@dataclass(frozen=True)
class Check:
    """A place of a program at which something could go wrong."""

    kind: str
    words: str
    verdict: Literal["safe", "unsafe", "unknown"]
    reason: Optional[str]
    file: Optional[str]
    line: Optional[int]
    function: Optional[str]
    fingerprint: str


@dataclass(frozen=True)
class Report:
    """The answer to a question about a C program."""

    verdict: Literal["safe", "unsafe", "unknown"]
    #: Why nothing is known.
    reason: Optional[str]
    #: Who answered.
    engine: str
    seconds: float
    #: What :func:`validate` and ``craig validate`` check; for every answer but ``unknown``.
    certificate: Optional[str] = field(repr=False)
    checks: List[Check] = field(repr=False)
    #: What the answer takes for granted.
    assumptions: List[str]
    #: All of it, as ``craig check --json`` prints it.
    data: Dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class SolveReport:
    """The answer to a question about Horn clauses."""

    verdict: Literal["sat", "unsat", "unknown"]
    reason: Optional[str]
    engine: str
    seconds: float
    #: The model as SMT-LIB definitions, or the derivation of false.
    certificate: Optional[str] = field(repr=False)
    #: All of it, as ``craig solve --json`` prints it.
    data: Dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Judgement:
    """What the checkers say of a certificate."""

    verdict: Literal["safe", "unsafe", "invalid", "unknown"]
    reason: Optional[str]


_Path = Union[str, "os.PathLike[str]"]
_Checks = Sequence[
    Literal[
        "error", "rule", "memory", "leak", "cleanup", "overflow", "division", "shift", "uninitialised",
        "conversion", "alignment", "pointer",
    ]
]  # fmt: skip


def _program(
    text: Optional[str],
    files: Sequence[_Path],
    checks: _Checks,
    entry: Optional[str],
    requires: Sequence[str],
    error_functions: Sequence[str],
    data_model: Optional[str],
    arithmetic: Optional[str],
    include: Sequence[_Path],
    define: Sequence[str],
    malloc_never_fails: bool,
) -> Dict[str, Any]:
    if isinstance(files, (str, os.PathLike)):
        raise TypeError("files is a list of files")
    return {
        "text": text,
        "files": list(files),
        "checks": list(checks),
        "entry": entry,
        "requires": list(requires),
        "error_functions": list(error_functions),
        "data_model": data_model or "",
        "arithmetic": arithmetic or "",
        "include": list(include),
        "define": list(define),
        "malloc_never_fails": malloc_never_fails,
    }


def _costs(timeout: Optional[float], memory: Optional[int], workers: Optional[int] = None) -> Dict[str, Any]:
    return {"timeout": timeout, "memory": memory, "workers": workers}


def check(
    text: Optional[str] = None,
    *,
    files: Sequence[_Path] = (),
    checks: _Checks = (),
    entry: Optional[str] = None,
    requires: Sequence[str] = (),
    error_functions: Sequence[str] = (),
    data_model: Optional[Literal["lp64", "ilp32"]] = None,
    arithmetic: Optional[Literal["wrap", "ideal"]] = None,
    include: Sequence[_Path] = (),
    define: Sequence[str] = (),
    malloc_never_fails: bool = False,
    engine: Optional[str] = None,
    seed: int = 0,
    stop_at_first: bool = False,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    workers: Optional[int] = None,
) -> Report:
    """Can something go wrong in a C program?

    The program is a text, which is not preprocessed, or files. Options mean what those of ``craig check`` mean;
    ``timeout`` is in seconds, ``memory`` in bytes.
    """
    program = _program(
        text, files, checks, entry, requires, error_functions, data_model, arithmetic, include, define,
        malloc_never_fails,
    )  # fmt: skip
    answer, certificate = _craig.check(program, _costs(timeout, memory, workers), engine, seed, stop_at_first)
    data = json.loads(answer)
    found = [
        Check(
            kind=one["kind"],
            words=one["words"],
            verdict=one["verdict"],
            reason=one["reason"],
            file=one.get("file"),
            line=one.get("line"),
            function=one.get("function"),
            fingerprint=one["fingerprint"],
        )
        for one in data["checks"]
    ]
    return Report(
        data["verdict"], data["reason"], data["engine"], data["seconds"], certificate, found,
        data.get("assumptions", []), data,
    )  # fmt: skip


def validate(
    certificate: str,
    text: Optional[str] = None,
    *,
    files: Sequence[_Path] = (),
    checks: _Checks = (),
    entry: Optional[str] = None,
    requires: Sequence[str] = (),
    error_functions: Sequence[str] = (),
    data_model: Optional[Literal["lp64", "ilp32"]] = None,
    arithmetic: Optional[Literal["wrap", "ideal"]] = None,
    include: Sequence[_Path] = (),
    define: Sequence[str] = (),
    malloc_never_fails: bool = False,
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
) -> Judgement:
    """Is this certificate of a report right? No engine takes part."""
    program = _program(
        text, files, checks, entry, requires, error_functions, data_model, arithmetic, include, define,
        malloc_never_fails,
    )  # fmt: skip
    verdict, reason = _craig.validate(program, certificate, _costs(timeout, memory))
    return Judgement(verdict, reason)


def solve(
    clauses: str,
    *,
    engines: Sequence[str] = (),
    timeout: Optional[float] = None,
    memory: Optional[int] = None,
    workers: Optional[int] = None,
) -> SolveReport:
    """Have constrained Horn clauses, a script of SMT-LIB's logic HORN, a model?"""
    answer, certificate = _craig.solve(clauses, _costs(timeout, memory, workers), list(engines))
    data = json.loads(answer)
    return SolveReport(
        data["verdict"], data["reason"], data["engine"], data["seconds"], certificate, data,
    )  # fmt: skip
