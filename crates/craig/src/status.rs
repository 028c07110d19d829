//! How a run ends: exit codes, and the failures that are not answers.

use std::fmt;
use std::io;
use std::path::PathBuf;
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

/// Why a command has no answer to give, not even `unknown`.
#[derive(Debug)]
pub enum Failure {
    /// The arguments make no sense together.
    Usage(String),
    /// The input is wrong; the message already names file, line and column.
    BadInput(String),
    MissingInput(PathBuf, io::Error),
    /// A result could not be written. A closed pipe is not worth a message.
    Output(io::Error),
    /// A bug of Craig. Its input is saved for whoever repairs it.
    Internal(String),
}

impl Failure {
    pub fn exit_status(&self) -> ExitStatus {
        match self {
            Failure::Usage(_) => ExitStatus::Usage,
            Failure::BadInput(_) => ExitStatus::BadInput,
            Failure::MissingInput(..) => ExitStatus::MissingInput,
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitStatus::BrokenPipe,
            Failure::Output(_) => ExitStatus::Output,
            Failure::Internal(_) => ExitStatus::Internal,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(message) => write!(f, "error: {message}\n\nFor more information, try '--help'."),
            Failure::BadInput(message) => f.write_str(message.trim_end()),
            Failure::MissingInput(path, error) => write!(f, "error: {}: {error}", path.display()),
            Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            Failure::Output(error) => write!(f, "error: cannot write the results: {error}"),
            Failure::Internal(message) => write!(f, "internal error: {message}\nThis is a bug in Craig."),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}
