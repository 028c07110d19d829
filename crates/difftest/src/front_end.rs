//! From a C file to a program.

use craig_cfront::lower::{self, lower};
use craig_cfront::preprocess::Options;
use craig_cfront::types;
use craig_program::{Arithmetic, DataModel, Program};
use std::path::Path;

/// `Err` with the rendered diagnostics.
pub fn load(path: &Path, model: DataModel, arithmetic: Arithmetic) -> Result<Program, String> {
    let model = match model {
        DataModel::Lp64 => types::DataModel::Lp64,
        DataModel::Ilp32 => types::DataModel::Ilp32,
    };
    let mut options = Options::new(model);
    options.include_dirs.push("/usr/include/csmith".into());
    craig_cfront::with_deep_stack(|| {
        let read = craig_cfront::read_files(&[path], &options);
        let Some(program) = read.program else { return Err(read.diagnostics.render(&read.sources)) };
        let options = lower::Options { arithmetic, ..lower::Options::default() };
        lower(&program, &read.sources, &options).map_err(|diagnostics| diagnostics.render(&read.sources))
    })
}
