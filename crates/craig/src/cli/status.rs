//! Exit codes.

use crate::error::Error;
use std::io;
use std::process::ExitCode;

/// The exit code of a run. 64 to 70 are those of `sysexits.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitStatus {
    /// `safe`, or the command did what it was asked to.
    Success = 0,
    /// `unsafe`; for `bench`, a wrong answer.
    Unsafe = 1,
    Unknown = 2,
    Usage = 64,
    BadInput = 65,
    MissingInput = 66,
    Internal = 70,
    /// A result could not be written.
    Output = 74,
    /// Stopped by Ctrl-C or a request to terminate.
    Interrupted = 130,
    /// The reader of standard output went away; the code that a shell shows for it.
    BrokenPipe = 141,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> ExitCode {
        ExitCode::from(status as u8)
    }
}

impl From<&Error> for ExitStatus {
    fn from(error: &Error) -> ExitStatus {
        match error {
            Error::Usage(_) => ExitStatus::Usage,
            Error::BadInput(_) => ExitStatus::BadInput,
            Error::MissingInput(..) => ExitStatus::MissingInput,
            Error::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitStatus::BrokenPipe,
            Error::Output(_) => ExitStatus::Output,
            Error::Internal(_) => ExitStatus::Internal,
        }
    }
}

/// What a user is told; nothing where there is no reader left to tell.
pub fn message(error: &Error) -> Option<String> {
    Some(match error {
        Error::Usage(message) => format!("error: {message}\n\nFor more information, try '--help'."),
        Error::BadInput(_) => error.to_string(),
        Error::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => return None,
        Error::MissingInput(..) | Error::Output(_) => format!("error: {error}"),
        Error::Internal(_) => format!("{error}\nThis is a bug in Craig."),
    })
}
