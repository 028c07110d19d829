//! Terms with the operators of Python.

use crate::solver::Store;
use crate::value::{free_constants, is_int, python_number};
use craig_smt::term::{Op, Substitution, TermId};
use pyo3::class::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// A term of one solver.
///
/// Operators and comparisons build terms; numbers, truth values and fractions of Python can stand beside them.
#[pyclass(frozen, module = "craig")]
pub struct Term {
    pub store: Arc<Store>,
    pub id: TermId,
}

impl Term {
    fn unary(&self, py: Python<'_>, operator: &str) -> PyResult<Term> {
        let built = self.store.lock(py)?.apply(operator, &[self.id]).map_err(PyTypeError::new_err)?;
        Ok(self.store.handle(built))
    }

    fn binary(&self, operator: &str, other: &Bound<'_, PyAny>, swapped: bool) -> PyResult<Term> {
        let mut context = self.store.lock(other.py())?;
        let other_id = self.store.term(&mut context, other)?;
        let args = if swapped { [other_id, self.id] } else { [self.id, other_id] };
        let built = context.apply(operator, &args).map_err(PyTypeError::new_err)?;
        Ok(self.store.handle(built))
    }

    /// Python rounds down and SMT-LIB does not where a divisor is negative, so only what means the same is written by
    /// Python's operators.
    fn division(&self, operator: &str, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        if !other.extract::<i128>().is_ok_and(|divisor| divisor > 0) {
            let message = "`//` and `%` need a positive divisor that is a number; \
                           solver.apply(\"div\", x, y) and \"mod\" are those of SMT-LIB";
            return Err(PyTypeError::new_err(message));
        }
        self.binary(operator, other, false)
    }
}

#[pymethods]
impl Term {
    fn __add__(&self, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.binary("+", other, false)
    }

    fn __radd__(&self, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.binary("+", other, true)
    }

    fn __sub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.binary("-", other, false)
    }

    fn __rsub__(&self, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.binary("-", other, true)
    }

    fn __mul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.binary("*", other, false)
    }

    fn __rmul__(&self, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.binary("*", other, true)
    }

    fn __truediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.binary("/", other, false)
    }

    fn __rtruediv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.binary("/", other, true)
    }

    fn __floordiv__(&self, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.division("div", other)
    }

    fn __mod__(&self, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.division("mod", other)
    }

    fn __neg__(&self, py: Python<'_>) -> PyResult<Term> {
        self.unary(py, "-")
    }

    fn __pos__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __abs__(&self, py: Python<'_>) -> PyResult<Term> {
        self.unary(py, "abs")
    }

    fn __and__(&self, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.binary("and", other, false)
    }

    fn __rand__(&self, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.binary("and", other, true)
    }

    fn __or__(&self, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.binary("or", other, false)
    }

    fn __ror__(&self, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.binary("or", other, true)
    }

    fn __xor__(&self, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.binary("xor", other, false)
    }

    fn __rxor__(&self, other: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.binary("xor", other, true)
    }

    fn __invert__(&self, py: Python<'_>) -> PyResult<Term> {
        self.unary(py, "not")
    }

    fn __richcmp__(&self, other: &Bound<'_, PyAny>, operator: CompareOp) -> PyResult<Term> {
        let operator = match operator {
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Eq => "=",
            CompareOp::Ne => "distinct",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        };
        self.binary(operator, other, false)
    }

    /// Equal terms of one solver are one term.
    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (Arc::as_ptr(&self.store) as usize, self.id).hash(&mut hasher);
        hasher.finish()
    }

    /// Only the terms `true` and `false` have one: whether others hold is a question for a solver.
    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        match self.store.lock(py)?.terms().op(self.id) {
            Op::True => Ok(true),
            Op::False => Ok(false),
            _ => Err(PyTypeError::new_err(
                "a term has no truth value; ask a solver, or use & | ~ instead of and, or, not",
            )),
        }
    }

    /// The element of an array.
    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<Term> {
        self.binary("select", index, false)
    }

    /// This array with another element at an index.
    fn store(&self, index: &Bound<'_, PyAny>, element: &Bound<'_, PyAny>) -> PyResult<Term> {
        let mut context = self.store.lock(index.py())?;
        let args = [self.id, self.store.term(&mut context, index)?, self.store.term(&mut context, element)?];
        let built = context.apply("store", &args).map_err(PyTypeError::new_err)?;
        Ok(self.store.handle(built))
    }

    /// The operator of SMT-LIB of this name, applied to terms of the same solver.
    #[pyo3(signature = (operator, *args))]
    fn apply(&self, operator: &str, args: &Bound<'_, PyTuple>) -> PyResult<Term> {
        self.store.apply_to(operator, args)
    }

    /// This formula under `forall` or `exists`.
    fn quantify(&self, py: Python<'_>, quantifier: &str, constants: Vec<Py<Term>>) -> PyResult<Term> {
        let mut context = self.store.lock(py)?;
        if !context.terms().is_bool(self.id) {
            return Err(PyTypeError::new_err("only a formula can be quantified"));
        }
        let mut pairs = Vec::new();
        for constant in &constants {
            let id = self.store.term(&mut context, constant.bind(py))?;
            let terms = context.terms_mut();
            let Some(name) = terms.const_name(id).map(str::to_string) else {
                return Err(PyTypeError::new_err("only constants can be bound"));
            };
            // A bound constant occurs under its quantifier only.
            pairs.push((id, terms.fresh_const(&name, terms.sort(id))));
        }
        let bound: Vec<TermId> = pairs.iter().map(|&(_, fresh)| fresh).collect();
        let terms = context.terms_mut();
        let body = Substitution::from_pairs(pairs).apply(terms, self.id);
        let id = match quantifier {
            "forall" => terms.forall(&bound, body),
            "exists" => terms.exists(&bound, body),
            _ => return Err(PyValueError::new_err("the quantifiers are `forall` and `exists`")),
        };
        Ok(self.store.handle(id))
    }

    /// As SMT-LIB.
    pub fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.store.lock(py)?.show(self.id))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.__str__(py)
    }

    /// Its sort, as SMT-LIB.
    #[getter]
    fn sort(&self, py: Python<'_>) -> PyResult<String> {
        let context = self.store.lock(py)?;
        Ok(context.terms().sort_name(context.terms().sort(self.id)))
    }

    /// What it is: an operator of SMT-LIB, `constant`, `application`, `number`, or `const-array`.
    #[getter]
    fn op(&self, py: Python<'_>) -> PyResult<&'static str> {
        Ok(self.store.lock(py)?.terms().op(self.id).name())
    }

    /// The name of a constant, or of the function that is applied.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let context = self.store.lock(py)?;
        Ok(match context.terms().op(self.id) {
            Op::Const(symbol) | Op::App(symbol) => Some(context.terms().symbol_name(symbol).to_string()),
            _ => None,
        })
    }

    /// The value of a number: an `int`, or a `Fraction` if it is real.
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let context = self.store.lock(py)?;
        let terms = context.terms();
        match (terms.number(self.id), is_int(terms, self.id)) {
            (Some(number), Some(is_int)) => python_number(py, number, is_int).map(Some),
            _ => Ok(None),
        }
    }

    /// The terms that it is made of; of a quantifier, the bound constants and the body.
    #[getter]
    fn args<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let args = self.store.lock(py)?.terms().args(self.id).to_vec();
        PyTuple::new(py, args.into_iter().map(|id| self.store.handle(id)))
    }

    /// All constants that occur in it and are not bound.
    fn constants(&self, py: Python<'_>) -> PyResult<Vec<Term>> {
        let constants = free_constants(self.store.lock(py)?.terms(), &[self.id]);
        Ok(constants.into_iter().map(|id| self.store.handle(id)).collect())
    }

    /// The same term with others in place of some constants.
    fn substitute(&self, py: Python<'_>, map: Vec<(Py<Term>, Bound<'_, PyAny>)>) -> PyResult<Term> {
        let mut context = self.store.lock(py)?;
        let mut pairs = Vec::with_capacity(map.len());
        for (from, to) in &map {
            let from = self.store.term(&mut context, from.bind(py))?;
            let to = self.store.term(&mut context, to)?;
            if context.terms().sort(from) != context.terms().sort(to) {
                return Err(PyTypeError::new_err("a term can stand only for one of its own sort"));
            }
            pairs.push((from, to));
        }
        let terms = context.terms_mut();
        let id = Substitution::from_pairs(pairs).apply(terms, self.id);
        Ok(self.store.handle(id))
    }

    /// Python would try indices until one fails.
    fn __iter__(&self) -> PyResult<Py<PyAny>> {
        Err(PyTypeError::new_err("a term cannot be iterated over"))
    }
}
