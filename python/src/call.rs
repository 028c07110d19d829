//! Long calls: the interpreter's lock is free meanwhile, and Ctrl-C stops them.

use crate::errors::InternalError;
use craig_smt::CancelToken;
use pyo3::prelude::*;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often Python is asked whether a signal has arrived.
const POLL: Duration = Duration::from_millis(50);

/// That of a main thread; the default for other threads is less.
const STACK: usize = 8 << 20;

/// Does `work`, which has to stop soon after its token is cancelled. Python runs handlers of signals in the thread that
/// calls, so the work is done in another one.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(CancelToken) -> T + Send) -> PyResult<T> {
    let token = CancelToken::default();
    py.detach(|| {
        thread::scope(|scope| {
            let (alive, ended) = mpsc::channel::<()>();
            let of_worker = token.clone();
            let worker = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || {
                let result = work(of_worker);
                drop(alive);
                result
            })?;
            let mut raised = Ok(());
            while ended.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                if raised.is_ok() {
                    raised = Python::attach(|py| py.check_signals());
                    if raised.is_err() {
                        token.cancel();
                    }
                }
            }
            let result = worker.join().map_err(|_| InternalError::new_err("a thread broke"));
            raised?;
            result
        })
    })
}
