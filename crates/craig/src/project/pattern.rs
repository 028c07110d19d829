//! Patterns for names: `*` stands for any text, `?` for one character.

/// Whether the whole text fits the pattern.
pub fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    // The last star, and where the text after what it stands for begins.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&c) if c == '?' || c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => {
                let Some((at, from)) = star else { return false };
                star = Some((at, from + 1));
                p = at + 1;
                t = from + 1;
            }
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_and_question_marks() {
        let fitting = [
            ("test_*", "test_a"),
            ("*_harness", "a_harness"),
            ("*a*b*", "xaybz"),
            ("", ""),
            ("*", ""),
            ("a?c", "abc"),
        ];
        for (pattern, text) in fitting {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("test_*", "a_test_"), ("a", "ab"), ("ab", "a"), ("*ab", "abc"), ("?", "")] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }
}
