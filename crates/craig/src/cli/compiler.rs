//! Options of compilers on Craig's command line: whoever has `$CFLAGS` can give them.

use crate::project::flags::{Flag, flag};
use craig_program::DataModel;
use std::ffi::OsString;

/// The commands that read C.
const COMMANDS: [&str; 5] = ["check", "test", "run", "explain", "show"];
/// Options with one dash that are declared like all others.
const OWN: [&str; 7] = ["-I", "-D", "-U", "-q", "-v", "-h", "-V"];
/// Beginnings of options that say nothing about the meaning of a program.
const IGNORED: [&str; 5] = ["-W", "-O", "-g", "-f", "-pipe"];

/// The arguments with options of compilers as options of Craig.
pub fn translated(arguments: Vec<OsString>) -> Vec<OsString> {
    let command = arguments.iter().position(|word| COMMANDS.iter().any(|name| word == name));
    let Some(command) = command else { return arguments };
    let (mut out, rest) = (arguments[..=command].to_vec(), &arguments[command + 1..]);
    let mut at = 0;
    while at < rest.len() {
        let words: Vec<String> =
            rest[at..].iter().take(2).map(|word| word.to_string_lossy().into_owned()).collect();
        let word = &words[0];
        let is_own =
            !word.starts_with('-') || word.starts_with("--") || OWN.iter().any(|own| word.starts_with(own));
        let found = if is_own { None } else { flag(&words) };
        match found {
            Some((Flag::Preprocessor { words, .. }, count)) => {
                out.extend(words.iter().map(|word| format!("--compiler-flag={word}").into()));
                at += count;
            }
            Some((Flag::DataModel(model), count)) => {
                let model = if model == DataModel::Ilp32 { "ilp32" } else { "lp64" };
                out.push(format!("--data-model={model}").into());
                at += count;
            }
            Some((Flag::Wrap, count)) => {
                out.push("--wrap".into());
                at += count;
            }
            Some((Flag::Ignored, count)) if IGNORED.iter().any(|beginning| word.starts_with(beginning)) => {
                at += count
            }
            _ => {
                out.push(rest[at].clone());
                at += 1;
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::translated;

    #[test]
    fn flags_of_compilers_become_options() {
        let given = "craig -q check -Wall -O2 -std=c99 -include a.h -m32 -mavx2 -fwrapv -DX -fshort-enums --entry f a.c";
        let words = given.split(' ').map(Into::into).collect();
        let shown: Vec<String> =
            translated(words).iter().map(|word| word.to_string_lossy().into_owned()).collect();
        assert_eq!(
            shown.join(" "),
            "craig -q check --compiler-flag=-std=c99 --compiler-flag=-include --compiler-flag=a.h \
             --data-model=ilp32 --compiler-flag=-mavx2 --wrap -DX -fshort-enums --entry f a.c"
        );
    }
}
