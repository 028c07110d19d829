//! A message about a place in a text, with the line itself and a mark below it: the same look as the
//! messages of the C front end.

/// Longer lines are cut around the place.
const WIDEST: usize = 120;

/// `path:line:column: error: message`, the line and a marker. Lines and columns count from 1.
pub fn render(path: &str, text: &str, line: u32, column: u32, message: &str) -> String {
    let heading = format!("{path}:{line}:{column}: error: {message}");
    let Some(source) = text.lines().nth((line as usize).saturating_sub(1)) else { return heading };
    let before = (column as usize).saturating_sub(1).min(source.chars().count());
    let from = if before >= WIDEST * 3 / 4 { before - WIDEST / 2 } else { 0 };
    let shown: String = source.chars().skip(from).take(WIDEST).collect();
    // A tab below a tab is as wide as it.
    let lead: String =
        shown.chars().take(before - from).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let gutter = " ".repeat(line.to_string().len());
    format!("{heading}\n {line} | {shown}\n {gutter} | {lead}^")
}

#[cfg(test)]
mod tests {
    use super::render;

    #[test]
    fn the_mark_stands_below_the_place() {
        let text = "(set-logic HORN)\n\t(assert (foo x))\n";
        assert_eq!(
            render("a.smt2", text, 2, 11, "unknown function foo"),
            "a.smt2:2:11: error: unknown function foo\n 2 | \t(assert (foo x))\n   | \t         ^"
        );
        assert_eq!(render("a", text, 9, 1, "m"), "a:9:1: error: m");
        assert_eq!(render("a", "", 0, 0, "m"), "a:0:0: error: m");
    }

    #[test]
    fn long_lines_are_cut() {
        let text = "é".repeat(1000);
        let shown = render("a", &text, 1, 500, "m");
        assert!(shown.lines().all(|line| line.chars().count() < 130), "{shown}");
        assert!(shown.ends_with('^'));
    }
}
