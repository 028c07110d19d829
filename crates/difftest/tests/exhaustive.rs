//! Answers of the engines on small random programs, all of whose runs are known.

use craig_difftest::exhaustive::{SmallTask, Truth};
use std::time::Duration;

/// Of the processor, for each engine: most that decide such a program at all take less.
const TIME: Duration = Duration::from_millis(200);

#[test]
fn no_engine_contradicts_all_runs() {
    let (mut safe, mut correct, mut wrong) = (0, 0, Vec::new());
    for seed in 0..40 {
        match SmallTask::numbered(seed).compare(TIME) {
            Ok(Some(answers)) => {
                safe += usize::from(answers.truth == Truth::Safe);
                correct += answers.correct;
            }
            Ok(None) => {}
            Err(what) => wrong.push(format!("small program {seed}: {what}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(correct > 20 && safe > 5, "{correct} correct answers, {safe} safe programs");
}
