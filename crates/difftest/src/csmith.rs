//! Programs from Csmith.

use std::path::Path;
use std::process::Command;

pub fn is_available() -> bool {
    Command::new("csmith").arg("--version").output().is_ok_and(|output| output.status.success())
        && Path::new("/usr/include/csmith/csmith.h").exists()
}

/// The program with this seed, whose `main` returns its checksum. Csmith leaves a file of its own in `folder`.
pub fn program(seed: u64, folder: &Path) -> Result<String, String> {
    let mut csmith = Command::new("csmith");
    // What is volatile may have any value, which the compiled program cannot know.
    csmith
        .args([
            "--no-argc",
            "--no-volatiles",
            "--no-volatile-pointers",
            "--concise",
            "--seed",
            &(seed + 1).to_string(),
        ])
        .current_dir(folder);
    // Smaller programs find the same bugs and are easier to look at.
    csmith.args(["--max-funcs", "5", "--max-block-depth", "3", "--max-array-len-per-dim", "6"]);
    if seed.is_multiple_of(3) {
        csmith.args(["--float"]);
    }
    let output = csmith.output().map_err(|error| error.to_string())?;
    let text = String::from_utf8(output.stdout).map_err(|error| error.to_string())?;
    let end = text.rfind("return 0;").ok_or("Csmith wrote no program")?;
    Ok(format!("{}return (int)(crc32_context ^ 0xFFFFFFFFUL);{}", &text[..end], &text[end + 9..]))
}

/// The checksum that the compiled program printed.
pub fn checksum(output: &str) -> Option<i128> {
    let hex = output.trim().strip_prefix("checksum = ")?;
    u32::from_str_radix(hex, 16).ok().map(|value| i128::from(value as i32))
}
