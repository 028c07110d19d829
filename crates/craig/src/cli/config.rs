//! `craig.toml`: options of a project, so that they need not be typed.
//!
//! A key is a long option of the command: `timeout = "30s"` is `--timeout 30s`, a list gives the option several times,
//! `true` gives it without a value. `files` is what is checked if the command line names nothing. Keys before the first
//! table are for all commands that have such an option; those in `[check]` or `[test]` for that command. What the
//! command line says comes last, and wins.
//!
//! Of TOML there are comments, tables, strings, numbers, truth values and lists of strings.

use crate::error::Error;
use std::ffi::OsString;
use std::path::Path;

pub const FILE: &str = "craig.toml";

/// The commands that a configuration is for.
const COMMANDS: [&str; 4] = ["check", "test", "run", "explain"];

#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// The table, empty at the start.
    table: String,
    key: String,
    values: Vec<String>,
    line: usize,
}

/// The arguments with those of the configuration file of the current folder, if there is one.
pub fn with_config(arguments: Vec<OsString>, grammar: &clap::Command) -> Result<Vec<OsString>, Error> {
    if arguments.iter().any(|argument| argument == "--no-config") {
        return Ok(arguments);
    }
    let Ok(text) = std::fs::read_to_string(Path::new(FILE)) else { return Ok(arguments) };
    let position = arguments.iter().skip(1).position(|argument| COMMANDS.iter().any(|name| argument == name));
    let Some(at) = position.map(|at| at + 1) else { return Ok(arguments) };
    let command = arguments[at].to_string_lossy().into_owned();
    let Some(command) = grammar.find_subcommand(&command) else { return Ok(arguments) };
    let entries =
        parse(&text).map_err(|(line, what)| Error::BadInput(format!("{FILE}:{line}:1: error: {what}")))?;
    let mut added = Vec::new();
    let mut files = Vec::new();
    for entry in entries.iter().filter(|entry| entry.table.is_empty() || entry.table == command.get_name()) {
        if entry.key == "files" {
            files.extend(entry.values.iter().map(OsString::from));
            continue;
        }
        let option = command.get_arguments().find(|argument| {
            let short = argument.get_short().map(|short| short.to_string());
            argument.get_long() == Some(&entry.key) || short.as_deref() == Some(&entry.key)
        });
        let Some(option) = option else {
            let known = COMMANDS.iter().filter_map(|name| grammar.find_subcommand(name));
            let mut known = known.flat_map(|command| command.get_arguments());
            if entry.table.is_empty() && known.any(|argument| argument.get_long() == Some(&entry.key)) {
                continue;
            }
            let what = format!("`{}` is no option of `craig {}`", entry.key, command.get_name());
            return Err(Error::BadInput(format!("{FILE}:{}:1: error: {what}", entry.line)));
        };
        let dashes = if option.get_long().is_some() { "--" } else { "-" };
        let takes_value = option.get_action().takes_values();
        for value in &entry.values {
            match (takes_value, value.as_str()) {
                (true, value) => added.extend([format!("{dashes}{}", entry.key).into(), value.into()]),
                (false, "true") => added.push(format!("{dashes}{}", entry.key).into()),
                (false, _) => {}
            }
        }
    }
    let given = &arguments[at + 1..];
    let asks_for_help = given.iter().any(|argument| argument == "--help" || argument == "-h");
    if asks_for_help {
        return Ok(arguments);
    }
    let names_files = names_files(given, command);
    let mut all = arguments[..=at].to_vec();
    all.extend(added);
    all.extend(given.iter().cloned());
    if !names_files {
        all.extend(files);
    }
    Ok(all)
}

/// Whether there is an argument that is no option, and not the value of one.
fn names_files(given: &[OsString], command: &clap::Command) -> bool {
    let mut is_value = false;
    for argument in given {
        let text = argument.to_string_lossy();
        if std::mem::take(&mut is_value) {
            continue;
        }
        let Some(name) = text.strip_prefix('-') else { return true };
        let name = name.strip_prefix('-').unwrap_or(name);
        let option = command.get_arguments().find(|option| {
            let short = option.get_short().map(|short| short.to_string());
            option.get_long() == Some(name) || short.as_deref() == Some(name)
        });
        is_value = option.is_some_and(|option| option.get_action().takes_values());
    }
    false
}

fn parse(text: &str) -> Result<Vec<Entry>, (usize, String)> {
    let mut entries = Vec::new();
    let mut table = String::new();
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let at = number + 1;
        let mut line = without_comment(line).trim().to_string();
        if line.is_empty() {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            table = name.trim().to_string();
            if !COMMANDS.contains(&table.as_str()) {
                return Err((at, format!("there is no command `{table}` to configure")));
            }
            continue;
        }
        let Some((key, _)) = line.split_once('=') else {
            return Err((at, "this is no `key = value`".to_string()));
        };
        let key = key.trim().to_string();
        // A list may go on in the next lines.
        while line.contains('[') && !line.ends_with(']') {
            let Some((_, more)) = lines.next() else { return Err((at, "a list has no end".to_string())) };
            line.push_str(without_comment(more).trim());
        }
        let value = line.split_once('=').map_or("", |(_, value)| value.trim());
        let values = match value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(list) => list
                .split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .map(scalar)
                .collect::<Option<Vec<String>>>(),
            None => scalar(value).map(|value| vec![value]),
        };
        let Some(values) = values else { return Err((at, format!("`{value}` is no value"))) };
        entries.push(Entry { table: table.clone(), key, values, line: at });
    }
    Ok(entries)
}

fn scalar(text: &str) -> Option<String> {
    if let Some(inner) = text.strip_prefix('"') {
        return inner.strip_suffix('"').filter(|inner| !inner.contains('"')).map(str::to_string);
    }
    let is_plain = text == "true" || text == "false" || text.parse::<f64>().is_ok();
    is_plain.then(|| text.to_string())
}

fn without_comment(line: &str) -> &str {
    let mut quoted = false;
    for (at, c) in line.char_indices() {
        match c {
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_tables_and_lists_are_read() {
        let text = "# a project\nfiles = [\"a.c\",\n  \"b#1.c\"] # two\ntimeout = \"30s\"\n\n[check]\nstop-at-first = true\njobs = 2\n";
        let entries = parse(text).expect("a configuration");
        let shown: Vec<String> = entries
            .iter()
            .map(|entry| format!("{}/{}={}", entry.table, entry.key, entry.values.join("+")))
            .collect();
        assert_eq!(shown, ["/files=a.c+b#1.c", "/timeout=30s", "check/stop-at-first=true", "check/jobs=2"]);
        for (bad, line) in [("x", 1), ("\nx = y", 2), ("[nonsense]", 1), ("x = [\"a\"", 1), ("x = \"a", 1)] {
            assert_eq!(parse(bad).map_err(|(line, _)| line), Err(line), "{bad}");
        }
    }
}
