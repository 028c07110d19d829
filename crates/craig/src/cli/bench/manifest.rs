//! Which tasks there are, what their answers should be, and which of them to run.

use crate::cli::bench::answer::Verdict;
use craig_base::{Map, Set};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One line of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// As the manifest writes it; the name of the task in every report.
    pub name: String,
    /// Where the manifest is.
    pub folder: Arc<Path>,
    pub kind: Kind,
    /// `None` where it is not known, or where it is disputed: such a task is never answered wrongly.
    pub expected: Option<Verdict>,
    /// Of this tool, for this task: what its manifest says, and `--check error` for a program whose property is
    /// not said otherwise.
    pub options: Arc<[String]>,
}

impl Task {
    pub fn file(&self) -> PathBuf {
        self.folder.join(&self.name)
    }
}

/// What a file asks, which decides about the default command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    C,
    Horn,
    Smt,
}

#[derive(Debug)]
pub enum ManifestError {
    Unreadable(PathBuf, io::Error),
    /// Line, counted from 1, and what is wrong with it.
    Malformed(PathBuf, usize, String),
}

/// Reads a manifest, or `manifest.tsv` of a folder: lines `task<TAB>expected<TAB>source`, or with a fourth column
/// of options, with task paths relative to the manifest. Without that column programs are ILP32. Empty lines, lines that begin with `#` and the heading
/// `task<TAB>expected...` are skipped.
pub fn read(path: &Path) -> Result<Vec<Task>, ManifestError> {
    let path = if path.is_dir() { path.join("manifest.tsv") } else { path.to_path_buf() };
    let text =
        std::fs::read_to_string(&path).map_err(|error| ManifestError::Unreadable(path.clone(), error))?;
    let folder: Arc<Path> = path.parent().unwrap_or(Path::new("")).into();
    let mut tasks = Vec::new();
    // Most tasks have the same options.
    let mut known: Map<Vec<String>, Arc<[String]>> = Map::default();
    let has_options =
        text.lines().any(|line| line.starts_with("task\texpected") && line.split('\t').count() > 3);
    for (number, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.starts_with('#') || line.starts_with("task\texpected") {
            continue;
        }
        let mut fields = line.split('\t').map(str::trim);
        let (Some(name), Some(expected)) = (fields.next(), fields.next()) else {
            let message = "expected task<TAB>answer<TAB>source".to_string();
            return Err(ManifestError::Malformed(path, number + 1, message));
        };
        let expected = match expected {
            "-" | "unknown" | "disputed" => None,
            // Longer lists of answers than can be compared.
            list if list.split(',').count() > 64 => None,
            word => Some(Verdict::from_name(word).ok_or_else(|| {
                let message = format!("unknown answer '{word}'; use safe, unsafe, sat, unsat, disputed or -");
                ManifestError::Malformed(path.clone(), number + 1, message)
            })?),
        };
        let file = folder.join(name);
        let kind = kind_of(&file).map_err(|error| ManifestError::Unreadable(file.clone(), error))?;
        let own = fields.nth(1).filter(|_| has_options);
        let options = if kind == Kind::C { options_of(&file, own) } else { Vec::new() };
        let options = known.entry(options).or_insert_with_key(|options| options.clone().into()).clone();
        tasks.push(Task { name: name.to_string(), folder: folder.clone(), kind, expected, options });
    }
    Ok(tasks)
}

fn options_of(file: &Path, own: Option<&str>) -> Vec<String> {
    let mut options: Vec<String> = own.unwrap_or_default().split_whitespace().map(str::to_string).collect();
    if own.is_none() {
        options.extend(["--data-model", "ilp32"].map(str::to_string));
    }
    // A task definition decides for itself.
    let is_task = file.extension().is_some_and(|extension| extension == "yml" || extension == "yaml");
    if !is_task && !options.iter().any(|option| option == "--check") {
        options.extend(["--check", "error"].map(str::to_string));
    }
    options
}

/// SMT-LIB says in its first commands whether it means Horn clauses; anything else is C.
fn kind_of(file: &Path) -> io::Result<Kind> {
    let mut opening = Vec::new();
    File::open(file)?.take(16 << 10).read_to_end(&mut opening)?;
    if file.extension().is_none_or(|extension| extension != "smt2") {
        return Ok(Kind::C);
    }
    let opening = String::from_utf8_lossy(&opening);
    let words: Vec<&str> = opening.split_whitespace().collect();
    let horn = words.windows(2).any(|pair| pair[0].ends_with("set-logic") && pair[1].starts_with("HORN"));
    Ok(if horn { Kind::Horn } else { Kind::Smt })
}

/// Which tasks of a manifest to run.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// A task must contain one of these, if there are any; `*` and `?` are wild.
    pub filters: Vec<String>,
    /// A task must contain none of these.
    pub exclude: Vec<String>,
    /// A pseudo-random choice of so many.
    pub sample: Option<usize>,
    /// The first so many.
    pub limit: Option<usize>,
    pub seed: u64,
}

impl Selection {
    /// The chosen tasks, in the order of the manifest.
    pub fn apply(&self, tasks: Vec<Task>) -> Vec<Task> {
        let mut chosen: Vec<Task> = tasks
            .into_iter()
            .filter(|task| self.filters.is_empty() || self.filters.iter().any(|p| contains(&task.name, p)))
            .filter(|task| !self.exclude.iter().any(|p| contains(&task.name, p)))
            .collect();
        if let Some(size) = self.sample {
            // A task is in by the rank of its own hash: a larger sample with the same seed contains
            // the smaller one, and another task in the manifest changes little.
            let mut ranked: Vec<usize> = (0..chosen.len()).collect();
            ranked.sort_by_key(|&i| (mix(&chosen[i].name, self.seed), i));
            let taken: Set<usize> = ranked.into_iter().take(size).collect();
            let mut positions = 0..;
            chosen.retain(|_| positions.next().is_some_and(|position| taken.contains(&position)));
        }
        chosen.truncate(self.limit.unwrap_or(usize::MAX));
        chosen
    }
}

/// FNV-1a with a finaliser: stable between versions and machines.
fn mix(name: &str, seed: u64) -> u64 {
    let mut hash = seed ^ 0xcbf2_9ce4_8422_2325;
    for byte in name.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 33)
}

/// Whether `pattern` occurs in `path`; `*` stands for any text, `?` for any character. A pattern with
/// a slash names folders: it begins where a name begins, so that `c/` is not found in `chc/`.
fn contains(path: &str, pattern: &str) -> bool {
    let text: Vec<char> = format!("/{path}").chars().collect();
    let start = if pattern.contains('/') { "*/" } else { "*" };
    let pattern: Vec<char> = format!("{start}{pattern}*").chars().collect();
    // The positions in the pattern at which a match may continue, after each character of the text.
    let mut live = vec![false; pattern.len() + 1];
    live[0] = true;
    let close = |live: &mut Vec<bool>| {
        for i in 0..pattern.len() {
            if live[i] && pattern[i] == '*' {
                live[i + 1] = true;
            }
        }
    };
    close(&mut live);
    for c in text {
        let mut next = vec![false; pattern.len() + 1];
        for i in 0..pattern.len() {
            match pattern[i] {
                '*' => next[i] |= live[i],
                '?' => next[i + 1] |= live[i],
                p => next[i + 1] |= live[i] && p == c,
            }
        }
        live = next;
        close(&mut live);
    }
    live[pattern.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(name: &str) -> Task {
        Task {
            name: name.to_string(),
            folder: Path::new("").into(),
            kind: Kind::C,
            expected: None,
            options: [].into(),
        }
    }

    #[test]
    fn filters_are_substrings_with_wildcards() {
        assert!(contains("c/loops/sum_true.c", "loops"));
        assert!(contains("c/loops/sum_true.c", "c/*sum"));
        assert!(contains("c/loops/sum_true.c", "s?m_t*.c"));
        assert!(contains("c/loops/sum_true.c", ""));
        assert!(!contains("c/loops/sum_true.c", "sum?true?c?"));
        assert!(!contains("c/loops/sum_true.c", "loop-"));
        assert!(contains("c/loops/sum_true.c", "c/") && contains("c/loops/sum_true.c", "loops/s"));
        assert!(!contains("chc/loops/sum.smt2", "c/") && !contains("c/loops/sum_true.c", "oops/"));
    }

    #[test]
    fn a_sample_is_stable_and_nested() {
        let tasks: Vec<Task> = (0..100).map(|i| task(&format!("t{i}"))).collect();
        let sample = |n, seed| {
            let selection = Selection { sample: Some(n), seed, ..Selection::default() };
            selection.apply(tasks.clone()).into_iter().map(|task| task.name).collect::<Vec<_>>()
        };
        let (small, large) = (sample(10, 1), sample(20, 1));
        assert_eq!((small.len(), large.len()), (10, 20));
        assert!(small.iter().all(|name| large.contains(name)));
        assert_ne!(small, sample(10, 2));
    }

    #[test]
    fn exclusion_and_limit() {
        let selection = Selection { exclude: vec!["b".into()], limit: Some(1), ..Selection::default() };
        assert_eq!(selection.apply(vec![task("b"), task("a"), task("c")]), vec![task("a")]);
    }

    #[test]
    fn manifests_are_checked() {
        let folder = std::env::temp_dir().join(format!("craig-manifest-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
        write("a.c", "int main(void) {}");
        write("b.smt2", "; note\n(set-logic HORN)");
        write("c.smt2", "(set-logic QF_LIA)");
        write("manifest.tsv", "task\texpected\tsource\n# note\na.c\tsafe\tme\nb.smt2\t-\t-\nc.smt2\tunsat\n");
        let tasks = read(&folder).expect("a manifest");
        let summary: Vec<_> = tasks.iter().map(|t| (t.name.as_str(), t.kind, t.expected)).collect();
        assert_eq!(
            summary,
            [
                ("a.c", Kind::C, Some(Verdict::Safe)),
                ("b.smt2", Kind::Horn, None),
                ("c.smt2", Kind::Smt, Some(Verdict::Unsat)),
            ]
        );
        write("manifest.tsv", "a.c\tmaybe\tme\n");
        assert!(matches!(read(&folder), Err(ManifestError::Malformed(_, 1, _))));
        write("manifest.tsv", "gone.c\tsafe\tme\n");
        assert!(matches!(read(&folder), Err(ManifestError::Unreadable(..))));
        std::fs::remove_dir_all(folder).expect("the folder is ours");
    }
}
