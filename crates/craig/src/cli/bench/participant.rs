//! Who takes part: this tool in some configuration, or another command.

use super::manifest::{Kind, Task};
use crate::cli::arguments::Limits;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Clone, Debug)]
pub struct Participant {
    pub name: String,
    program: Program,
}

#[derive(Clone, Debug)]
enum Program {
    /// This tool with the arguments that suit the task.
    Default,
    /// This tool with these arguments.
    Own(Vec<String>),
    /// Another command, its program first.
    Peer(Vec<String>),
}

impl Participant {
    /// This tool as a user would call it.
    pub fn by_default() -> Self {
        Participant { name: "craig".to_string(), program: Program::Default }
    }

    /// From `NAME=ARGUMENTS`, the arguments of this tool.
    pub fn own(definition: &str) -> Result<Self, String> {
        let (name, words) = parse(definition)?;
        Ok(Participant { name, program: Program::Own(words) })
    }

    /// From `NAME=COMMAND`.
    pub fn peer(definition: &str) -> Result<Self, String> {
        let (name, words) = parse(definition)?;
        Ok(Participant { name, program: Program::Peer(words) })
    }

    pub fn is_this_tool(&self) -> bool {
        !matches!(self.program, Program::Peer(_))
    }

    /// The command with its placeholders still in it: what identifies the configuration.
    pub fn template(&self, kind: Kind) -> String {
        match &self.program {
            Program::Default => format!("craig {}", default_arguments(kind)),
            Program::Own(words) => format!("craig {}", words.join(" ")),
            Program::Peer(words) => words.join(" "),
        }
    }

    /// Program and arguments for `task`.
    pub fn command(&self, this_tool: &PathBuf, task: &Task, limits: &Limits, seed: u64) -> Vec<OsString> {
        let fill = |word: &str| {
            // A tool that takes whole seconds or megabytes must not be given less than the limit.
            let seconds = limits.timeout.as_secs() + u64::from(limits.timeout.subsec_nanos() > 0);
            let megabytes = limits.memory.div_ceil(1 << 20);
            let filled = word
                .replace("{timeout}", &seconds.to_string())
                .replace("{memory}", &megabytes.to_string())
                .replace("{seed}", &seed.to_string());
            OsString::from(filled.replace("{file}", &task.file().to_string_lossy()))
        };
        match &self.program {
            Program::Default => {
                let arguments = default_arguments(task.kind).split(' ').flat_map(|word| match word {
                    "{options}" => task.options.iter().map(OsString::from).collect(),
                    _ => vec![fill(word)],
                });
                std::iter::once(this_tool.into()).chain(arguments).collect()
            }
            Program::Own(words) => {
                std::iter::once(this_tool.into()).chain(words.iter().map(|word| fill(word))).collect()
            }
            Program::Peer(words) => words.iter().map(|word| fill(word)).collect(),
        }
    }
}

fn default_arguments(kind: Kind) -> &'static str {
    match kind {
        Kind::C => "check --json --stop-at-first --timeout {timeout}s --memory {memory}M {options} {file}",
        Kind::Horn => "solve --json --timeout {timeout}s --memory {memory}M {file}",
        Kind::Smt => "smt --timeout {timeout}s --memory {memory}M {file}",
    }
}

fn parse(definition: &str) -> Result<(String, Vec<String>), String> {
    let (name, command) = definition.split_once('=').ok_or("write NAME=COMMAND")?;
    if name.is_empty() || !name.chars().all(|c| c.is_alphanumeric() || "-_.+".contains(c)) {
        return Err(format!("'{name}' is not a name; use letters, digits and any of -_.+"));
    }
    let words = split_words(command)?;
    if !words.iter().any(|word| word.contains("{file}")) {
        return Err("the command does not mention {file}".to_string());
    }
    Ok((name.to_string(), words))
}

/// Splits like a shell: at spaces, except within quotes; a backslash quotes one character.
fn split_words(command: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(c) = characters.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (_, '\\') => {
                let quoted = characters.next().ok_or("the command ends in a backslash")?;
                word.get_or_insert_default().push(quoted);
            }
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err("a quote is not closed".to_string());
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn words_split_like_in_a_shell() {
        let words = split_words(r#"z3  -T:5 'a b' "c\"d" e\ f '' g"h"i"#).expect("words");
        assert_eq!(words, ["z3", "-T:5", "a b", "c\"d", "e f", "", "ghi"]);
        assert!(split_words("'open").is_err() && split_words("end\\").is_err());
    }

    #[test]
    fn placeholders_are_filled() {
        let peer = Participant::peer("z3=z3 -T:{timeout} -memory:{memory} '{file}'").expect("a peer");
        let limits = Limits { timeout: Duration::from_millis(1500), memory: 4 << 30 };
        let task = Task {
            name: "x y.smt2".into(),
            folder: std::path::Path::new("s").into(),
            kind: Kind::Smt,
            expected: None,
            options: [].into(),
        };
        let command = peer.command(&"/bin/craig".into(), &task, &limits, 0);
        assert_eq!(command, ["z3", "-T:2", "-memory:4096", "s/x y.smt2"]);
        let own = Participant::by_default();
        let command = own.command(&"/bin/craig".into(), &task, &limits, 0);
        assert_eq!(command.first(), Some(&OsString::from("/bin/craig")));
        assert_eq!(command.last(), Some(&OsString::from("s/x y.smt2")));
    }

    #[test]
    fn definitions_are_checked() {
        for bad in ["z3", "=z3 {file}", "a b=z3 {file}", "z3=z3", "z3='{file}"] {
            assert!(Participant::peer(bad).is_err(), "{bad}");
        }
    }
}
