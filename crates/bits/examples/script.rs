//! Executes an SMT-LIB script over bit-vectors: `cargo run --release -p craig-bits --example script -- FILE`.

use craig_base::Budget;
use craig_bits::script::Script;
use craig_term::smtlib::{CommandInput, Response};
use std::io::BufReader;
use std::time::Duration;

fn main() -> std::io::Result<()> {
    let mut script = Script::default();
    let path = std::env::args().nth(1).unwrap_or_default();
    let mut input = CommandInput::new(BufReader::new(std::fs::File::open(path)?));
    while let Some(tree) = input.next_command()? {
        let budget = Budget::unlimited().with_timeout(Duration::from_secs(20));
        match tree.and_then(|tree| script.execute(&tree, &budget)) {
            Ok(Response::Success) => {}
            Ok(Response::Text(text)) => println!("{text}"),
            Ok(Response::Exit) => break,
            Ok(other) => println!("{other:?}"),
            Err(error) => println!("(error \"{}\")", error.message),
        }
    }
    Ok(())
}
