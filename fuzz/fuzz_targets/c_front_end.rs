//! Any bytes as a C program: reading it may fail, but not panic, hang or break the invariants of what comes out.
//!
//! `cargo +nightly fuzz run c_front_end -- -max_total_time=3600`, with `crates/cfront/tests` as a first corpus.

#![no_main]

use craig_cfront::types::DataModel;
use craig_cfront::{read_texts, with_deep_stack};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &[u8]| {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let texts = vec![("input.i".to_string(), text.to_vec())];
        let read = with_deep_stack(|| read_texts(texts, model));
        read.diagnostics.render(&read.sources);
        if let Some(program) = read.program {
            program.validate().expect("the invariants of the typed program");
        }
    }
});
