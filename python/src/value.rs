//! Values of Python as terms, and values of models as objects of Python.

use crate::errors::InternalError;
use crate::solver::Store;
use crate::term::Term;
use craig_smt::term::{Int, Model as Values, Op, Rat, Sort, TermId, Terms, Value, quote_symbol};
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};
use std::collections::HashSet;
use std::sync::Arc;

/// A number or truth value of Python as a term; none if it is something else.
pub fn constant(terms: &mut Terms, value: &Bound<'_, PyAny>) -> PyResult<Option<TermId>> {
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(Some(terms.bool(truth.is_true())));
    }
    if value.is_instance_of::<PyInt>() {
        return integer(value).map(|value| Some(terms.int(value)));
    }
    if value.is_instance(&fraction(value.py())?)? {
        let part = |name| integer(&value.getattr(name)?);
        let ratio = Rat::new(part("numerator")?, part("denominator")?);
        return Ok(Some(terms.real(ratio)));
    }
    Ok(None)
}

fn fraction(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    py.import("fractions")?.getattr("Fraction")
}

fn integer(value: &Bound<'_, PyAny>) -> PyResult<Int> {
    if let Ok(small) = value.extract::<i128>() {
        return Ok(Int::from(small));
    }
    let text = value.str()?.to_string();
    text.parse().map_err(|_| InternalError::new_err("an integer that is none"))
}

fn python_integer<'py>(py: Python<'py>, value: &Int) -> PyResult<Bound<'py, PyAny>> {
    match value.to_i128() {
        Some(small) => Ok(small.into_pyobject(py)?.into_any()),
        None => py.get_type::<PyInt>().call1((value.to_string(),)),
    }
}

/// A rational number, always as a fraction.
pub fn python_fraction<'py>(py: Python<'py>, value: &Rat) -> PyResult<Bound<'py, PyAny>> {
    fraction(py)?.call1((python_integer(py, &value.numer())?, python_integer(py, &value.denom())?))
}

/// A number of this sort.
pub fn python_number<'py>(py: Python<'py>, value: &Rat, is_int: bool) -> PyResult<Bound<'py, PyAny>> {
    if is_int { python_integer(py, &value.numer()) } else { python_fraction(py, value) }
}

/// `bool`, `int`, `Fraction`; for arrays `craig.ArrayValue`, for elements of uninterpreted sorts `craig.Element`.
pub fn to_python<'py>(py: Python<'py>, terms: &Terms, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Bool(value) => Ok(PyBool::new(py, *value).to_owned().into_any()),
        Value::Int(value) => python_integer(py, value),
        Value::Real(value) => python_fraction(py, value),
        Value::Uninterpreted(sort, number) => {
            py.import("craig")?.getattr("Element")?.call1((terms.sort_name(*sort), number))
        }
        Value::Data(term) => Ok(terms.to_smtlib(*term).into_pyobject(py)?.into_any()),
        Value::Array(array) => {
            let entries = PyDict::new(py);
            for (index, element) in array.entries() {
                entries.set_item(to_python(py, terms, index)?, to_python(py, terms, element)?)?;
            }
            let default = to_python(py, terms, array.default_element())?;
            py.import("craig")?.getattr("ArrayValue")?.call1((default, entries))
        }
    }
}

/// The constants that occur in terms and are not bound there.
pub fn free_constants(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut bound: HashSet<TermId> = HashSet::new();
    for id in terms.postorder(roots) {
        if let (Op::Forall | Op::Exists, [constants @ .., _]) = (terms.op(id), terms.args(id)) {
            bound.extend(constants);
        }
    }
    let mut free = terms.free_consts_of(roots);
    free.retain(|id| !bound.contains(id));
    free
}

/// What a satisfiable solver has found: `model[term]` is the value of any term.
#[pyclass(frozen, module = "craig")]
pub struct Model {
    pub store: Arc<Store>,
    pub values: Values,
    /// What it is a model of.
    pub formulas: Vec<TermId>,
}

#[pymethods]
impl Model {
    fn __getitem__<'py>(&self, py: Python<'py>, term: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let mut context = self.store.lock(py)?;
        let id = match term.cast::<PyString>() {
            Ok(name) => {
                let name = name.to_string();
                context.read_term(&quote_symbol(&name), None).map_err(|_| PyKeyError::new_err(name))?
            }
            Err(_) => self.store.term(&mut context, term)?,
        };
        let value = context.terms().eval(id, &self.values);
        let value = value.map_err(|error| PyTypeError::new_err(error.to_string()))?;
        to_python(py, context.terms(), &value)
    }

    /// The constants of the formulas that it is a model of.
    fn constants(&self, py: Python<'_>) -> PyResult<Vec<Term>> {
        let constants = free_constants(self.store.lock(py)?.terms(), &self.formulas);
        Ok(constants.into_iter().map(|id| self.store.handle(id)).collect())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let mut shown = Vec::new();
        for term in self.constants(py)? {
            let name = term.__str__(py)?;
            let value = self.__getitem__(py, term.into_pyobject(py)?.as_any())?;
            shown.push(format!("{name} = {}", value.str()?));
        }
        Ok(format!("[{}]", shown.join(", ")))
    }
}

/// Whether a sort is that of integers; none if it is not numeric.
pub fn is_int(terms: &Terms, id: TermId) -> Option<bool> {
    match terms.sort_of(terms.sort(id)) {
        Sort::Int => Some(true),
        Sort::Real => Some(false),
        _ => None,
    }
}
