//! The solver, what was asserted to it, and functions.

use crate::call::interruptible;
use crate::errors::{Error, InputError, InternalError, UnknownError};
use crate::term::Term;
use crate::value::{self, Model};
use craig_smt::interpolate::{Dag, DagEdge, DagInterpolation, Failure, Interpolation};
use craig_smt::term::smtlib;
use craig_smt::term::{FunId, SortId, TermId, Terms};
use craig_smt::{Answer, Budget, CancelToken, Context};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::PyTuple;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

/// A context and all handles into it.
pub struct Store(Mutex<Context>);

impl Store {
    /// While another thread has it, Python goes on.
    pub fn lock(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Context>> {
        self.0.lock_py_attached(py).map_err(|_| broken())
    }

    pub fn handle(self: &Arc<Self>, id: TermId) -> Term {
        Term { store: self.clone(), id }
    }

    /// What an object of Python stands for.
    pub fn term(&self, context: &mut Context, object: &Bound<'_, PyAny>) -> PyResult<TermId> {
        if let Ok(term) = object.cast::<Term>() {
            let term = term.get();
            if !std::ptr::eq(Arc::as_ptr(&term.store), self) {
                return Err(PyTypeError::new_err("a term of another solver"));
            }
            return Ok(term.id);
        }
        value::constant(context.terms_mut(), object)?.ok_or_else(|| {
            let ty = object.get_type();
            let name = ty.name().map_or_else(|_| "this".to_string(), |name| name.to_string());
            PyTypeError::new_err(format!("{name} is no term, int, bool or Fraction"))
        })
    }

    pub fn apply_to(self: &Arc<Self>, operator: &str, args: &Bound<'_, PyTuple>) -> PyResult<Term> {
        let mut context = self.lock(args.py())?;
        let ids = args.iter().map(|arg| self.term(&mut context, &arg)).collect::<PyResult<Vec<_>>>()?;
        let id = context.apply(operator, &ids).map_err(PyTypeError::new_err)?;
        Ok(self.handle(id))
    }

    pub fn boolean(&self, context: &mut Context, object: &Bound<'_, PyAny>) -> PyResult<TermId> {
        let id = self.term(context, object)?;
        if context.terms().is_bool(id) {
            Ok(id)
        } else {
            Err(PyTypeError::new_err(format!("not a formula: {}", context.show(id))))
        }
    }
}

fn broken() -> PyErr {
    InternalError::new_err("this solver broke in an earlier call")
}

fn wrong_text(error: smtlib::Error) -> PyErr {
    InputError::new_err(error.to_string())
}

/// A formula that was asserted. It stands for its formula even after it was popped.
#[pyclass(frozen, eq, hash, module = "craig")]
pub struct Assertion {
    store: Arc<Store>,
    assertion: craig_smt::Assertion,
}

impl PartialEq for Assertion {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.store, &other.store) && self.assertion == other.assertion
    }
}

impl std::hash::Hash for Assertion {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.assertion.hash(state);
    }
}

#[pymethods]
impl Assertion {
    /// What was asserted.
    #[getter]
    fn formula(&self, py: Python<'_>) -> PyResult<Term> {
        let id = self.store.lock(py)?.formula(self.assertion);
        Ok(self.store.handle(id))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let context = self.store.lock(py)?;
        Ok(format!("(assert {})", context.show(context.formula(self.assertion))))
    }
}

/// An uninterpreted function: call it with terms.
#[pyclass(frozen, module = "craig")]
pub struct Function {
    store: Arc<Store>,
    symbol: FunId,
}

#[pymethods]
impl Function {
    #[pyo3(signature = (*args))]
    fn __call__(&self, args: &Bound<'_, PyTuple>) -> PyResult<Term> {
        let mut context = self.store.lock(args.py())?;
        let ids = args.iter().map(|arg| self.store.term(&mut context, &arg)).collect::<PyResult<Vec<_>>>()?;
        let id = context.call(self.symbol, &ids).map_err(PyTypeError::new_err)?;
        Ok(self.store.handle(id))
    }

    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.store.lock(py)?.terms().symbol_name(self.symbol).to_string())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.name(py)
    }
}

/// An incremental solver with models, cores and interpolants, over Booleans, linear integer and real arithmetic,
/// uninterpreted functions and arrays.
///
/// `timeout` (seconds) and `memory` (bytes of the whole process) limit each call.
#[pyclass(frozen, subclass, module = "craig")]
pub struct Solver {
    store: Arc<Store>,
    timeout: Mutex<Option<Duration>>,
    memory: Option<u64>,
    last: Mutex<LastCheck>,
}

#[derive(Default)]
struct LastCheck {
    /// Why it has no answer.
    unknown: Option<String>,
    assumptions: Vec<TermId>,
}

/// A part of an interpolation problem.
#[derive(FromPyObject)]
enum Part {
    One(Py<Assertion>),
    Several(Vec<Py<Assertion>>),
}

impl Solver {
    /// Does something long with the context.
    fn with_budget<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Context) -> T + Send,
    ) -> PyResult<T> {
        let timeout = *self.timeout.lock_py_attached(py).map_err(|_| broken())?;
        interruptible(py, |token: CancelToken| {
            let mut context = self.store.0.lock().map_err(|_| broken())?;
            let mut budget = Budget::unlimited().with_cancel(token);
            if let Some(timeout) = timeout {
                budget = budget.with_timeout(timeout);
            }
            if let Some(memory) = self.memory {
                budget = budget.with_memory_limit(memory);
            }
            context.set_budget(budget);
            Ok(work(&mut context))
        })?
    }

    fn groups(&self, py: Python<'_>, parts: &[Part]) -> PyResult<Vec<Vec<craig_smt::Assertion>>> {
        let own = |assertion: &Py<Assertion>| {
            let assertion = assertion.bind(py).get();
            if Arc::ptr_eq(&assertion.store, &self.store) {
                Ok(assertion.assertion)
            } else {
                Err(PyTypeError::new_err("an assertion of another solver"))
            }
        };
        parts
            .iter()
            .map(|part| match part {
                Part::One(assertion) => Ok(vec![own(assertion)?]),
                Part::Several(list) => list.iter().map(own).collect(),
            })
            .collect()
    }

    fn found(&self, interpolation: Interpolation) -> PyResult<Option<Vec<Term>>> {
        match interpolation {
            Interpolation::Sat(_) => Ok(None),
            Interpolation::Interpolants(list) => {
                Ok(Some(list.into_iter().map(|id| self.store.handle(id)).collect()))
            }
            Interpolation::Unknown(failure) => Err(failed(&failure)),
        }
    }

    fn name_and_sort(&self, context: &mut Context, name: &str, sort: &str) -> PyResult<SortId> {
        if name.contains(['|', '\\']) {
            return Err(PyValueError::new_err("SMT-LIB has no symbols with | or \\"));
        }
        context.read_sort(sort).map_err(wrong_text)
    }

    fn assertion(&self, assertion: craig_smt::Assertion) -> Assertion {
        Assertion { store: self.store.clone(), assertion }
    }
}

fn failed(failure: &Failure) -> PyErr {
    match failure {
        Failure::BrokenProof => InternalError::new_err(failure.to_string()),
        _ => UnknownError::new_err(failure.to_string()),
    }
}

#[pymethods]
impl Solver {
    #[new]
    #[pyo3(signature = (*, timeout = None, memory = None))]
    fn new(timeout: Option<f64>, memory: Option<u64>) -> PyResult<Self> {
        let store = Arc::new(Store(Mutex::new(Context::new())));
        Ok(Solver { store, timeout: Mutex::new(seconds(timeout)?), memory, last: Mutex::default() })
    }

    /// Seconds for each call, or None.
    #[getter]
    fn timeout(&self, py: Python<'_>) -> PyResult<Option<f64>> {
        Ok(self.timeout.lock_py_attached(py).map_err(|_| broken())?.map(|timeout| timeout.as_secs_f64()))
    }

    #[setter]
    fn set_timeout(&self, py: Python<'_>, timeout: Option<f64>) -> PyResult<()> {
        *self.timeout.lock_py_attached(py).map_err(|_| broken())? = seconds(timeout)?;
        Ok(())
    }

    /// A constant; the same one if it was declared before.
    fn constant(&self, py: Python<'_>, name: &str, sort: &str) -> PyResult<Term> {
        let mut context = self.store.lock(py)?;
        let sort = self.name_and_sort(&mut context, name, sort)?;
        let id = context.constant(name, sort).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(self.store.handle(id))
    }

    /// An uninterpreted function.
    fn function(
        &self,
        py: Python<'_>,
        name: &str,
        parameters: Vec<String>,
        result: &str,
    ) -> PyResult<Function> {
        let mut context = self.store.lock(py)?;
        let result = self.name_and_sort(&mut context, name, result)?;
        let parameters = parameters.iter().map(|sort| context.read_sort(sort).map_err(wrong_text));
        let parameters = parameters.collect::<PyResult<Vec<_>>>()?;
        let symbol = context.function(name, &parameters, result);
        let symbol = symbol.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Function { store: self.store.clone(), symbol })
    }

    /// Declares an uninterpreted sort, and returns its name.
    fn sort(&self, py: Python<'_>, name: String) -> PyResult<String> {
        let mut context = self.store.lock(py)?;
        self.name_and_sort(&mut context, &name, "Bool")?;
        let sort = context.uninterpreted_sort(&name);
        Ok(context.terms().sort_name(sort))
    }

    /// The term that an SMT-LIB text, a number, a truth value or a fraction is; of this sort, if one is given.
    #[pyo3(signature = (value, sort = None))]
    fn term(&self, value: &Bound<'_, PyAny>, sort: Option<&str>) -> PyResult<Term> {
        let mut context = self.store.lock(value.py())?;
        let wanted = sort.map(|sort| context.read_sort(sort).map_err(wrong_text)).transpose()?;
        let id = match value.extract::<String>() {
            Ok(text) => context.read_term(&text, wanted).map_err(wrong_text)?,
            Err(_) => {
                let id = self.store.term(&mut context, value)?;
                match wanted {
                    Some(wanted) if context.terms().sort(id) == wanted => id,
                    Some(Terms::REAL) if context.terms().is_int(id) => context.terms_mut().to_real(id),
                    Some(_) => {
                        return Err(PyTypeError::new_err(format!("{} has another sort", context.show(id))));
                    }
                    None => id,
                }
            }
        };
        Ok(self.store.handle(id))
    }

    /// The operator of SMT-LIB of this name, applied to terms.
    #[pyo3(signature = (operator, *args))]
    fn apply(&self, operator: &str, args: &Bound<'_, PyTuple>) -> PyResult<Term> {
        self.store.apply_to(operator, args)
    }

    /// The array of this sort all of whose elements are the same.
    fn constant_array(&self, sort: &str, element: &Bound<'_, PyAny>) -> PyResult<Term> {
        let mut context = self.store.lock(element.py())?;
        let sort = context.read_sort(sort).map_err(wrong_text)?;
        let id = self.store.term(&mut context, element)?;
        let craig_smt::term::Sort::Array { element: wanted, .. } = *context.terms().sort_of(sort) else {
            return Err(PyTypeError::new_err("not an array sort"));
        };
        if context.terms().sort(id) != wanted {
            return Err(PyTypeError::new_err("the element has another sort"));
        }
        let id = context.terms_mut().const_array(sort, id);
        Ok(self.store.handle(id))
    }

    /// Asserts the conjunction of formulas, until the current scope is closed.
    #[pyo3(signature = (*formulas))]
    fn add(&self, formulas: &Bound<'_, PyTuple>) -> PyResult<Assertion> {
        let mut context = self.store.lock(formulas.py())?;
        let ids = formulas.iter().map(|formula| self.store.boolean(&mut context, &formula));
        let ids = ids.collect::<PyResult<Vec<_>>>()?;
        let formula = context.terms_mut().and(&ids);
        Ok(self.assertion(context.assert(formula)))
    }

    /// Declarations, definitions and assertions in SMT-LIB; one result for each `assert`.
    fn read(&self, py: Python<'_>, script: &str) -> PyResult<Vec<Assertion>> {
        let asserted = self.store.lock(py)?.read(script).map_err(wrong_text)?;
        Ok(asserted.into_iter().map(|assertion| self.assertion(assertion)).collect())
    }

    /// What is asserted.
    #[getter]
    fn assertions(&self, py: Python<'_>) -> PyResult<Vec<Assertion>> {
        let in_force = self.store.lock(py)?.in_force().to_vec();
        Ok(in_force.into_iter().map(|assertion| self.assertion(assertion)).collect())
    }

    /// Opens a scope.
    fn push(&self, py: Python<'_>) -> PyResult<()> {
        self.store.lock(py)?.push();
        Ok(())
    }

    /// Closes the last scope, and forgets what was asserted in it.
    fn pop(&self, py: Python<'_>) -> PyResult<()> {
        let mut context = self.store.lock(py)?;
        if context.depth() == 0 {
            return Err(PyValueError::new_err("no scope is open"));
        }
        context.pop();
        Ok(())
    }

    /// `"sat"`, `"unsat"` or `"unknown"`: has all that is asserted a model in which the assumptions hold too?
    #[pyo3(signature = (*assumptions))]
    fn check(&self, assumptions: &Bound<'_, PyTuple>) -> PyResult<&'static str> {
        let py = assumptions.py();
        let ids = {
            let mut context = self.store.lock(py)?;
            let ids = assumptions.iter().map(|formula| self.store.boolean(&mut context, &formula));
            ids.collect::<PyResult<Vec<_>>>()?
        };
        let answer = self.with_budget(py, |context| context.check_assuming(&ids))?;
        let (word, reason) = match answer {
            Answer::Sat => ("sat", None),
            Answer::Unsat => ("unsat", None),
            Answer::Unknown(reason) => ("unknown", Some(reason.to_string())),
        };
        *self.last.lock_py_attached(py).map_err(|_| broken())? =
            LastCheck { unknown: reason, assumptions: ids };
        Ok(word)
    }

    /// Why the last check has no answer.
    #[getter]
    fn reason_unknown(&self, py: Python<'_>) -> PyResult<Option<String>> {
        Ok(self.last.lock_py_attached(py).map_err(|_| broken())?.unknown.clone())
    }

    /// The model of the last check, which was `"sat"`.
    fn model(&self, py: Python<'_>) -> PyResult<Model> {
        let context = self.store.lock(py)?;
        let model = context.model().cloned();
        let values =
            model.ok_or_else(|| Error::new_err("there is no model: the last check was not `sat`"))?;
        let mut formulas = self.last.lock_py_attached(py).map_err(|_| broken())?.assumptions.clone();
        formulas.extend(context.in_force().iter().map(|&assertion| context.formula(assertion)));
        Ok(Model { store: self.store.clone(), values, formulas })
    }

    /// Assertions that have no common model, as the proof needs them: not the fewest, and without the assumptions.
    fn core(&self, py: Python<'_>) -> PyResult<Vec<Assertion>> {
        match self.with_budget(py, |context| context.needed())? {
            Interpolation::Interpolants(core) => {
                Ok(core.into_iter().map(|assertion| self.assertion(assertion)).collect())
            }
            Interpolation::Sat(_) => Err(Error::new_err("there is no core: the assertions have a model")),
            Interpolation::Unknown(failure) => Err(failed(&failure)),
        }
    }

    /// The assumptions that the last check, which was `"unsat"`, needed.
    fn unsat_assumptions(&self, py: Python<'_>) -> PyResult<Vec<Term>> {
        let core = self.store.lock(py)?.core().to_vec();
        Ok(core.into_iter().map(|id| self.store.handle(id)).collect())
    }

    /// Sequence interpolants of parts, which are assertions or lists of them: for `n` parts `n - 1` formulas, each of
    /// which says what the parts before it say to those after it. None if the parts have a common model.
    fn interpolants(&self, py: Python<'_>, parts: Vec<Part>) -> PyResult<Option<Vec<Term>>> {
        let groups = self.groups(py, &parts)?;
        let found = self.with_budget(py, |context| {
            let groups: Vec<&[craig_smt::Assertion]> = groups.iter().map(Vec::as_slice).collect();
            context.sequence_interpolants(&groups)
        })?;
        self.found(found)
    }

    /// Tree interpolants: `parents[i]`, greater than `i`, is the parent of part `i`, and the last part is the root. One
    /// formula for each part but the root. None if the parts have a common model.
    fn tree_interpolants(
        &self,
        py: Python<'_>,
        parts: Vec<Part>,
        parents: Vec<usize>,
    ) -> PyResult<Option<Vec<Term>>> {
        let groups = self.groups(py, &parts)?;
        let fits = |(part, &parent): (usize, &usize)| part < parent && parent < groups.len();
        if parents.len() + 1 != groups.len() || !parents.iter().enumerate().all(fits) {
            return Err(PyValueError::new_err("each part but the last needs a parent after it"));
        }
        let found = self.with_budget(py, |context| {
            let groups: Vec<&[craig_smt::Assertion]> = groups.iter().map(Vec::as_slice).collect();
            context.tree_interpolants(&groups, &parents)
        })?;
        self.found(found)
    }

    /// DAG interpolants of a graph with edges `(from, to, formula)`, `from` less than `to`, node 0 the entry and the
    /// greatest node the exit: a label for each node. None if a path to the exit has a model. Assertions take no part.
    fn dag_interpolants(
        &self,
        py: Python<'_>,
        edges: Vec<(usize, usize, Bound<'_, PyAny>)>,
    ) -> PyResult<Option<Vec<Term>>> {
        let last = edges.iter().map(|&(_, to, _)| to).max().unwrap_or(0);
        if edges.iter().any(|(from, to, _)| from >= to) {
            return Err(PyValueError::new_err("an edge has to lead to a greater node"));
        }
        if last > edges.len() {
            return Err(PyValueError::new_err("a node that no edge leads to"));
        }
        let mut dag = Dag { edges: vec![Vec::new(); last + 1] };
        {
            let mut context = self.store.lock(py)?;
            for (from, to, formula) in &edges {
                let formula = self.store.boolean(&mut context, formula)?;
                dag.edges[*from].push(DagEdge { to: *to, formula });
            }
        }
        match self.with_budget(py, |context| context.dag_interpolants(&dag))? {
            DagInterpolation::Path { .. } => Ok(None),
            DagInterpolation::Labels(found) => {
                Ok(Some(found.labels.into_iter().map(|id| self.store.handle(id)).collect()))
            }
            DagInterpolation::Unknown(failure) => Err(failed(&failure)),
        }
    }
}

/// A limit in seconds.
pub fn seconds(timeout: Option<f64>) -> PyResult<Option<Duration>> {
    let convert = |seconds| Duration::try_from_secs_f64(seconds);
    timeout.map(convert).transpose().map_err(|error| PyValueError::new_err(error.to_string()))
}
