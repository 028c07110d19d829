//! Reads and checks each file given, alone, and prints how long it took and what was wrong.
//!
//! `cargo run --release -p craig-cfront --example measure -- [--lp64] [-v] FILES...`

use std::time::Instant;

use craig_cfront::preprocess::{Options, preprocess};
use craig_cfront::types::DataModel;
use craig_cfront::{read_texts, with_deep_stack};

fn main() {
    let mut options = Options::new(DataModel::Ilp32);
    let mut verbose = false;
    let mut files = Vec::new();
    for arg in std::env::args().skip(1) {
        match arg.as_str() {
            "--lp64" => options.model = DataModel::Lp64,
            "-v" => verbose = true,
            _ => files.push(arg),
        }
    }
    let (mut failed, mut slowest, mut total) = (0, (0.0, String::new()), 0.0);
    for file in &files {
        let text = match preprocess(file.as_ref(), &options) {
            Ok(text) => text,
            Err(error) => {
                println!("{file}: {error}");
                failed += 1;
                continue;
            }
        };
        let bytes = text.len();
        let start = Instant::now();
        let read = with_deep_stack(|| read_texts(vec![(file.clone(), text)], options.model));
        let milliseconds = start.elapsed().as_secs_f64() * 1000.0;
        total += milliseconds;
        if milliseconds > slowest.0 {
            slowest = (milliseconds, file.clone());
        }
        if let Some(program) = &read.program {
            if let Err(reason) = program.validate() {
                failed += 1;
                println!("{file}: {reason}");
            }
            if verbose {
                let sizes = (program.functions.len(), program.globals.len(), program.exprs.len());
                println!("{file}: {bytes} bytes, {milliseconds:.1} ms, {sizes:?}");
            }
        } else {
            failed += 1;
            println!("{file}: rejected");
            for error in read.diagnostics.errors().take(if verbose { 20 } else { 1 }) {
                println!("{}", error.render(&read.sources));
            }
        }
        if verbose {
            for warning in read.diagnostics.warnings() {
                println!("{}", warning.render(&read.sources));
            }
        }
    }
    println!(
        "{} files, {failed} rejected, {total:.0} ms in all, slowest {:.1} ms: {}",
        files.len(),
        slowest.0,
        slowest.1
    );
}
