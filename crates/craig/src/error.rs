//! Why there is no answer to give, not even `unknown`.

use std::path::PathBuf;
use std::{fmt, io};

/// Why there is no answer to give, not even `unknown`.
#[derive(Debug)]
pub enum Error {
    /// What was asked for makes no sense.
    Usage(String),
    /// The input is wrong; the message already names file, line and column.
    BadInput(String),
    /// A file cannot be read.
    MissingInput(PathBuf, io::Error),
    /// A result could not be written.
    Output(io::Error),
    /// A bug of Craig.
    Internal(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(message) => f.write_str(message),
            Error::BadInput(message) => f.write_str(message.trim_end()),
            Error::MissingInput(path, error) => write!(f, "{}: {error}", path.display()),
            Error::Output(error) => write!(f, "cannot write the results: {error}"),
            Error::Internal(message) => write!(f, "internal error: {message}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Error::Output(error)
    }
}
