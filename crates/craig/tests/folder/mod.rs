//! A folder of its own for each test, removed at the end.

use std::fs;
use std::path::PathBuf;

pub struct Folder(pub PathBuf);

impl Folder {
    /// Different for the tests of all files.
    pub fn new(name: &str) -> Self {
        let name = format!("{}-{name}-{}", env!("CARGO_CRATE_NAME"), std::process::id());
        let path = std::env::temp_dir().join(format!("craig-{name}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// Writes a file, and says where it is.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, content).expect("a file");
        path.to_string_lossy().into_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
