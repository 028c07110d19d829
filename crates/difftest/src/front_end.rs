//! From a C file to a program.

use craig_cfront::preprocess::Options;
use craig_cfront::types;
use craig_cfront::{load_texts, lower};
use craig_program::{Arithmetic, DataModel, Program};
use std::path::Path;

/// `Err` with the rendered diagnostics.
pub fn load(path: &Path, model: DataModel, arithmetic: Arithmetic) -> Result<Program, String> {
    let mut options = Options::new(of_types(model));
    options.include_dirs.push("/usr/include/csmith".into());
    let lowering = lower::Options { arithmetic, ..lower::Options::default() };
    let loaded = craig_cfront::load(&[path], &options, &lowering);
    loaded.program.ok_or_else(|| loaded.diagnostics.render(&loaded.sources))
}

/// The same of text that needs no preprocessor.
pub fn load_text(text: &str, model: DataModel, arithmetic: Arithmetic) -> Result<Program, String> {
    // What the preprocessor would do.
    let size_type = if model == DataModel::Lp64 { "unsigned long" } else { "unsigned int" };
    let text = text.replace("__SIZE_TYPE__", size_type).into_bytes();
    let lowering = lower::Options { arithmetic, ..lower::Options::default() };
    let loaded = load_texts(vec![("program.c".to_string(), text)], of_types(model), &lowering);
    loaded.program.ok_or_else(|| loaded.diagnostics.render(&loaded.sources))
}

/// The front end's word for a data model.
pub fn of_types(model: DataModel) -> types::DataModel {
    match model {
        DataModel::Lp64 => types::DataModel::Lp64,
        DataModel::Ilp32 => types::DataModel::Ilp32,
    }
}
