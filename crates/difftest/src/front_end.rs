//! From a C file to a program.

use craig_cfront::lower;
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
    let lowering = lower::Options { arithmetic, ..lower::Options::default() };
    let loaded = craig_cfront::load(&[path], &options, &lowering);
    loaded.program.ok_or_else(|| loaded.diagnostics.render(&loaded.sources))
}
