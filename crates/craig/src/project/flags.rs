//! Options of compilers: which of them matter to a checker of C, and how.

use craig_program::DataModel;

/// What an option of a compiler means here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flag {
    /// It is for the preprocessor, as these words; the last one ends with a path if `path` says how many bytes are
    /// before that.
    Preprocessor {
        /// As the compiler takes them.
        words: Vec<String>,
        /// Where the path begins in the last word.
        path: Option<usize>,
    },
    /// The sizes of types.
    DataModel(DataModel),
    /// Signed integers wrap around.
    Wrap,
    /// It changes nothing that is checked.
    Ignored,
    /// It changes what the program means in a way that is not modelled.
    Unknown(String),
}

/// Options with a word of their own, or the rest of theirs, as a path.
const PATHS: [&str; 8] =
    ["-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isysroot", "--sysroot=", "-I"];
/// And those with a word that is no path.
const WORDS: [&str; 2] = ["-D", "-U"];
/// Those whose value says nothing about the program.
const SKIPPED: [&str; 13] =
    ["-o", "-MF", "-MT", "-MQ", "-x", "-arch", "-Xlinker", "-L", "-l", "-T", "-z", "-u", "--param"];
/// Those that change the sizes or signs of types.
const MEANINGFUL: [&str; 7] = [
    "-funsigned-char",
    "-fshort-enums",
    "-fshort-wchar",
    "-fpack-struct",
    "-funsigned-bitfields",
    "-mx32",
    "-m16",
];

/// Instructions of x86 that are there, as macros say.
const INSTRUCTIONS: [&str; 9] =
    ["-msse", "-mssse", "-mavx", "-mfma", "-mbmi", "-maes", "-mpclmul", "-mpopcnt", "-mlzcnt"];

/// The option at the start of the arguments and how many words it takes; nothing if there is none.
pub fn flag(arguments: &[String]) -> Option<(Flag, usize)> {
    let word = arguments.first().filter(|word| word.starts_with('-') && word.len() > 1)?;
    let joined = |prefix: &str| word.len() > prefix.len() || prefix.ends_with('=');
    if let Some(prefix) = PATHS.iter().find(|prefix| word.starts_with(**prefix)) {
        return Some(match joined(prefix) {
            true => (Flag::Preprocessor { words: vec![word.clone()], path: Some(prefix.len()) }, 1),
            false => {
                let words: Vec<String> = arguments.iter().take(2).cloned().collect();
                let count = words.len();
                (Flag::Preprocessor { words, path: (count == 2).then_some(0) }, count)
            }
        });
    }
    if let Some(prefix) = WORDS.iter().find(|prefix| word.starts_with(**prefix)) {
        let count = if joined(prefix) { 1 } else { arguments.len().min(2) };
        return Some((Flag::Preprocessor { words: arguments[..count].to_vec(), path: None }, count));
    }
    if MEANINGFUL.iter().any(|known| word.starts_with(known)) {
        return Some((Flag::Unknown(word.clone()), 1));
    }
    let kept = word.starts_with("-std=")
        || INSTRUCTIONS.iter().any(|known| word.starts_with(known))
        || ["-ansi", "-pthread", "-fopenmp", "-undef", "-nostdinc"].contains(&word.as_str());
    let meaning = match word.as_str() {
        "-m32" => Flag::DataModel(DataModel::Ilp32),
        "-m64" => Flag::DataModel(DataModel::Lp64),
        "-fwrapv" | "-fno-strict-overflow" => Flag::Wrap,
        _ if kept => Flag::Preprocessor { words: vec![word.clone()], path: None },
        _ => Flag::Ignored,
    };
    let takes_value = SKIPPED.contains(&word.as_str());
    Some((meaning, if takes_value { arguments.len().min(2) } else { 1 }))
}

/// The words of a command as a shell would see them; there are no variables or patterns in such commands.
pub fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None | Some('"'), '\\') => {
                word.get_or_insert_default().extend(characters.next());
            }
            (Some(_), _) => word.get_or_insert_default().push(character),
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            (None, _) => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_shells_do() {
        let split = words(r#"cc  -DA="x y" '-DB="z"' -DC=\"s\" "" a\ b.c"#);
        assert_eq!(split, ["cc", "-DA=x y", "-DB=\"z\"", "-DC=\"s\"", "", "a b.c"]);
    }

    #[test]
    fn options_are_known_with_their_values() {
        let given = words(
            "-Iinc -I inc -DX=1 -D Y -include c.h -std=c99 -m32 -fwrapv -Wall -O2 -o x.o -c -fshort-enums a.c",
        );
        let mut at = 0;
        let mut shown = Vec::new();
        while let Some((flag, count)) = flag(&given[at..]) {
            shown.push(match flag {
                Flag::Preprocessor { words, path } => format!("{} {path:?}", words.join(" ")),
                other => format!("{other:?} {count}"),
            });
            at += count;
        }
        assert_eq!(
            shown,
            [
                "-Iinc Some(2)",
                "-I inc Some(0)",
                "-DX=1 None",
                "-D Y None",
                "-include c.h Some(0)",
                "-std=c99 None",
                "DataModel(Ilp32) 1",
                "Wrap 1",
                "Ignored 1",
                "Ignored 1",
                "Ignored 2",
                "Ignored 1",
                "Unknown(\"-fshort-enums\") 1",
            ]
        );
        assert_eq!(given[at], "a.c");
    }
}
