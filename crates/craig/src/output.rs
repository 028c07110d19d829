//! Files that are written: whole or not at all, and nowhere else than asked.
//!
//! A file is written beside its place and then moved there, so that whoever reads it, and whoever ends Craig at any
//! moment, sees the old file or the new one. A symbolic link in its place is refused: who can put one there must not choose
//! what is overwritten. Devices and pipes, also by links to them such as `/dev/stdout`, are written to as they are.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file, in the place of any that is there.
pub fn write(path: &Path, contents: impl AsRef<[u8]>) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        return fs::write(path, contents);
    }
    refuse_link(path)?;
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "no name of a file"));
    };
    let mut unfinished = OsString::from(".");
    unfinished.push(name);
    unfinished.push(format!(".{}", std::process::id()));
    let unfinished = path.with_file_name(unfinished);
    // One that is there was left behind by a process that had this number before, or is somebody's trap.
    let _ = fs::remove_file(&unfinished);
    let written = File::create_new(&unfinished).and_then(|mut file| file.write_all(contents.as_ref()));
    let moved = written.and_then(|()| fs::rename(&unfinished, path));
    if moved.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    moved
}

/// An error where the path is a symbolic link.
pub fn refuse_link(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path).is_ok_and(|there| there.is_symlink()) {
        true => Err(io::Error::other(format!("{} is a symbolic link", path.display()))),
        false => Ok(()),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn files_are_replaced_whole_and_links_refused() {
        let folder = std::env::temp_dir().join(format!("craig-output-{}", std::process::id()));
        fs::create_dir(&folder).expect("a new folder");
        let (file, link) = (folder.join("file"), folder.join("link"));
        write(&file, "one").expect("a file");
        write(&file, "two").expect("the file again");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        assert!(write(&link, "three").is_err());
        std::os::unix::fs::symlink(folder.join("nothing"), folder.join("dangling")).expect("a link");
        assert!(write(&folder.join("dangling"), "three").is_err());
        assert_eq!(fs::read_to_string(&file).expect("the file"), "two");
        write(Path::new("/dev/null"), "gone").expect("a device");
        assert!(write(&folder, "a folder is no file").is_err());
        assert_eq!(fs::read_dir(&folder).expect("the folder").count(), 3);
        fs::remove_dir_all(folder).expect("the folder is ours");
    }
}
