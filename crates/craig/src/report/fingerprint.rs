//! What a finding is known by when lines move: its kind, its file, its function, its words and the text of its line,
//! and a number where all of these are the same.

use super::Location;
use super::sha256::sha256;
use craig_base::Map;

/// Gives findings their fingerprints, in their order.
pub(crate) struct Fingerprints<F> {
    text_of: F,
    lines: Map<String, Vec<String>>,
    seen: Map<String, usize>,
}

impl<F: Fn(&str) -> Option<String>> Fingerprints<F> {
    /// `text_of` gives the text of a source file.
    pub fn new(text_of: F) -> Self {
        Fingerprints { text_of, lines: Map::default(), seen: Map::default() }
    }

    pub fn next(&mut self, kind: &str, location: Option<&Location>, words: &str) -> String {
        let mut content = format!("{kind}\n{words}\n");
        if let Some(at) = location {
            let lines = self.lines.entry(at.file.clone()).or_insert_with(|| {
                let text = (self.text_of)(&at.file).unwrap_or_default();
                text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect()
            });
            let line = lines.get((at.line as usize).saturating_sub(1)).map_or("", String::as_str);
            let file = at.file.rsplit('/').next().unwrap_or_default();
            content.push_str(&format!("{file}\n{}\n{line}\n", at.function.as_deref().unwrap_or_default()));
        }
        let number = self.seen.entry(content.clone()).or_default();
        *number += 1;
        sha256(format!("{content}{number}").as_bytes())[..16].to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_is_known_again_after_lines_have_moved() {
        let prints = |text: &'static str, lines: [u32; 2]| {
            let mut prints = Fingerprints::new(move |_: &str| Some(text.to_string()));
            lines.map(|line| {
                let function = Some("f".to_string());
                let at = Location { file: "src/a.c".to_string(), line, column: Some(3), function };
                prints.next("memory", Some(&at), "invalid read")
            })
        };
        let before = prints("int x;\n  x = p[i];\nx = p[i];\n", [2, 3]);
        let after = prints("int x;\n\n/* new */\n\tx = p[i];\n\nx =  p[i];\n", [4, 6]);
        assert_eq!(before, after);
        assert_ne!(before[0], before[1]);
    }
}
