//! An internal error leaves a folder behind from which it can be repeated.

use std::backtrace::Backtrace;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// The panics of all threads so far, the first ones: message, place and backtrace. Those that follow
/// are usually consequences.
static PANICS: Mutex<Vec<String>> = Mutex::new(Vec::new());
const KEPT: usize = 8;

/// From now on a panic is remembered for [`panics`] instead of printed.
pub fn record_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let text = format!("{panic}\n{}", Backtrace::force_capture());
        if let Ok(mut panics) = PANICS.lock()
            && panics.len() < KEPT
        {
            panics.push(text);
        }
    }));
}

/// Everything that was recorded, if anything was.
pub fn panics() -> Option<String> {
    let panics = PANICS.lock().ok()?;
    (!panics.is_empty()).then(|| panics.join("\n"))
}

/// Copies the files that the command line names, and the command line itself, into a new folder
/// below the system's temporary one.
pub fn save_reproducer(arguments: &[OsString], message: &str) -> io::Result<PathBuf> {
    let folder = new_folder(&std::env::temp_dir())?;
    let command: Vec<String> = arguments.iter().map(|argument| format!("{argument:?}")).collect();
    let report = format!(
        "craig {}\ncommand: {}\nin: {}\n\n{message}\n",
        env!("CARGO_PKG_VERSION"),
        command.join(" "),
        std::env::current_dir().unwrap_or_default().display(),
    );
    fs::write(folder.join("report.txt"), report)?;
    let inputs = arguments.iter().skip(1).map(Path::new).filter(|path| path.is_file());
    for (position, input) in inputs.enumerate() {
        let name = input.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        fs::copy(input, folder.join(format!("{position}-{name}")))?;
    }
    Ok(folder)
}

fn new_folder(parent: &Path) -> io::Result<PathBuf> {
    let process = std::process::id();
    for attempt in 0.. {
        let folder = parent.join(format!("craig-crash-{process}-{attempt}"));
        match fs::create_dir(&folder) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            result => return result.map(|()| folder),
        }
    }
    Err(io::Error::other("every name is taken"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reproducer_holds_the_message_and_the_input() {
        let input = std::env::temp_dir().join(format!("craig-crash-test-{}.c", std::process::id()));
        fs::write(&input, "int main(void) { return 0; }").expect("a temporary file");
        let arguments = ["craig".into(), "check".into(), input.clone().into_os_string()];
        let folder = save_reproducer(&arguments, "index out of bounds").expect("a folder");
        let report = fs::read_to_string(folder.join("report.txt")).expect("a report");
        assert!(report.contains("index out of bounds") && report.contains("check"), "{report}");
        let copies = fs::read_dir(&folder).expect("a folder").count();
        assert_eq!(copies, 2);
        fs::remove_dir_all(folder).expect("the folder is ours");
        fs::remove_file(input).expect("the file is ours");
    }
}
