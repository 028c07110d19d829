//! What mutants are made of.

use super::mutate::MAX_BYTES;
use super::target::{Target, options, source};
use super::{Input, SEPARATOR};
use crate::generate::{self, Features};
use crate::measure::files_with;
use craig::{Loaded, Options, Source};
use craig_program::CheckKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The repository, where this was built.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Inputs that did harm once.
pub fn kept(target: &Target) -> PathBuf {
    repository().join("crates/difftest/corpus").join(target.name)
}

/// Inputs of the repository and of the user's folders.
pub fn of(target: &Target, folders: &[PathBuf]) -> Vec<Input> {
    let mut paths: Vec<PathBuf> = target.folders.iter().map(|folder| repository().join(folder)).collect();
    paths.extend(folders.iter().cloned());
    let texts: Vec<(PathBuf, Vec<u8>)> = files_with(&paths, target.extensions)
        .into_iter()
        .filter_map(|path| std::fs::read(&path).ok().map(|text| (path, text)))
        .filter(|(_, text)| !text.windows(SEPARATOR.len()).any(|window| window == SEPARATOR))
        .collect();
    let mut inputs: Vec<Input> = match target.name {
        "proof" => certificates(&texts, |_, certificate, _| certificate.to_string()),
        "witness" => certificates(&texts, |loaded, _, report| loaded.witness(report).unwrap_or_default()),
        "slic" => texts.iter().filter_map(|(path, text)| with_program(path, text)).collect(),
        _ => texts.into_iter().map(|(_, text)| Input { context: Vec::new(), text }).collect(),
    };
    if target.name == "c" {
        inputs.extend((0..20).map(|seed| {
            let text = generate::program(seed, Features { floats: true });
            let text = text.replace("__SIZE_TYPE__", "unsigned long").into_bytes();
            Input { context: Vec::new(), text }
        }));
    }
    let kept = std::fs::read_dir(kept(target)).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut kept: Vec<PathBuf> = kept.collect();
    kept.sort();
    inputs.extend(
        kept.iter().filter_map(|path| std::fs::read(path).ok()).map(|bytes| Input::from_bytes(&bytes)),
    );
    inputs.iter_mut().for_each(|input| input.text.truncate(MAX_BYTES));
    inputs
}

/// A rule with the program that shows it.
fn with_program(rule: &Path, text: &[u8]) -> Option<Input> {
    let name = rule.file_stem()?.to_str()?;
    let program = std::fs::read(rule.parent()?.join("examples").join(format!("{name}.c"))).ok()?;
    Some(Input { context: program, text: text.to_vec() })
}

/// Each engine proves in its own way; the last finds tests.
const ENGINES: &[&str] = &["pdr", "duality", "bits", "vinta", "bmc"];
/// So many programs are enough, and no other counts as small.
const PROGRAMS: usize = 20;
const SMALL: usize = 700;

/// What there is to say for the answers to small programs of the manifest; each program says in its first line which is
/// right.
fn certificates(
    texts: &[(PathBuf, Vec<u8>)],
    say: impl Fn(&Loaded, &str, &craig::Report) -> String,
) -> Vec<Input> {
    let manifest = std::fs::read_to_string(repository().join("examples/manifest.tsv")).unwrap_or_default();
    let truth: Vec<(String, String)> = manifest
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .map(|(task, rest)| (task.to_string(), rest.split('\t').next().unwrap_or_default().to_string()))
        .collect();
    let mut inputs = Vec::new();
    let small = texts.iter().filter(|(_, text)| text.len() < SMALL).take(PROGRAMS);
    for (number, (path, text)) in small.enumerate() {
        let Some(truth) = truth.iter().find(|(task, _)| path.ends_with(task)).map(|(_, truth)| truth) else {
            continue;
        };
        let fails = truth == "unsafe";
        let program = format!("// {truth}\n{}", String::from_utf8_lossy(text));
        let source = Source { checks: vec![CheckKind::Error], ..source(&program) };
        let name = if fails { "bmc" } else { ENGINES[number % ENGINES.len()] };
        let (Ok(loaded), Ok(engine)) = (Loaded::new(&source), craig::engine(name)) else { continue };
        let limits = craig::Limits::timeout(Duration::from_millis(500));
        let options = Options { engine: Some(engine), limits, ..options() };
        let Ok(report) = loaded.check(&options) else { continue };
        if let Some(certificate) = &report.certificate {
            let text = say(&loaded, &certificate.text, &report).into_bytes();
            inputs.push(Input { context: program.into_bytes(), text });
        }
    }
    // What proves one program is nothing for its neighbours.
    let contexts: Vec<Vec<u8>> = inputs.iter().map(|input| input.context.clone()).collect();
    let others = inputs.iter().zip(contexts.iter().skip(1));
    let crossed: Vec<Input> =
        others.map(|(input, context)| Input { context: context.clone(), text: input.text.clone() }).collect();
    inputs.extend(crossed);
    inputs
}
