//! What files of tests hold.
//!
//! | format | known by | what it records |
//! |---|---|---|
//! | Craig's own | the line `craig test 1` | every input in order, with its type |
//! | KLEE, `.ktest` | `KTEST` | objects in the order of `klee_make_symbolic`, as bytes; numbers are big-endian |
//! | Test-Comp, `testcase-N.xml` | the element `testcase` | values in order, as C constants |
//! | a corpus of libFuzzer | anything else | the bytes of one buffer |

use craig_exec::Test;

/// What a test recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recorded {
    /// The bytes of one buffer.
    Bytes(Vec<u8>),
    /// Something about a suite, and no test.
    Nothing,
    /// Every input.
    Inputs(Test),
    /// Values, as C writes them.
    Values(Vec<String>),
    /// Objects, as they lie in memory.
    Objects(Vec<Vec<u8>>),
}

impl Recorded {
    /// Reads a test; what is wrong with it begins with the line.
    pub fn parse(bytes: Vec<u8>) -> Result<Recorded, String> {
        if bytes.starts_with(b"KTEST") {
            let mut reader = Reader { left: &bytes[5..] };
            return reader
                .ktest()
                .map(Recorded::Objects)
                .ok_or_else(|| "1: this KTEST file is cut off".to_string());
        }
        match std::str::from_utf8(&bytes) {
            Ok(text) if text.starts_with("craig test") => {
                Test::parse(text).map(Recorded::Inputs).map_err(|error| error.to_string())
            }
            Ok(text) if text.trim_start().starts_with('<') && text.contains("<testcase") => {
                values(text).map(Recorded::Values)
            }
            Ok(text) if text.contains("<test-metadata") => Ok(Recorded::Nothing),
            _ => Ok(Recorded::Bytes(bytes)),
        }
    }

    /// The more, the less likely it is that such a file is no test.
    pub(super) fn telling(&self) -> u8 {
        match self {
            Recorded::Bytes(_) => 0,
            Recorded::Nothing | Recorded::Values(_) => 1,
            Recorded::Inputs(_) => 2,
            Recorded::Objects(_) => 3,
        }
    }
}

struct Reader<'a> {
    left: &'a [u8],
}

impl<'a> Reader<'a> {
    /// The objects, without their names: a replay only counts.
    fn ktest(&mut self) -> Option<Vec<Vec<u8>>> {
        let version = self.number()?;
        for _ in 0..self.number()? {
            self.block()?;
        }
        if version >= 2 {
            // How `argv` was symbolic.
            self.number()?;
            self.number()?;
        }
        let count = self.number()?;
        let mut objects = Vec::new();
        for _ in 0..count {
            self.block()?;
            objects.push(self.block()?.to_vec());
        }
        Some(objects)
    }

    fn number(&mut self) -> Option<u32> {
        let (number, left) = self.left.split_first_chunk::<4>()?;
        self.left = left;
        Some(u32::from_be_bytes(*number))
    }

    fn block(&mut self) -> Option<&'a [u8]> {
        let length = self.number()? as usize;
        let (block, left) = self.left.split_at_checked(length)?;
        self.left = left;
        Some(block)
    }
}

/// The texts of the elements `input`.
fn values(text: &str) -> Result<Vec<String>, String> {
    let mut values = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("<input") {
        let line = || text[..text.len() - rest.len() + at].matches('\n').count() + 1;
        let element = &rest[at..];
        let Some(start) = element.find('>') else {
            return Err(format!("{}: this element does not end", line()));
        };
        if element[..start].ends_with('/') {
            return Err(format!("{}: an input without a value", line()));
        }
        let Some(end) = element.find("</input>").filter(|end| *end > start) else {
            return Err(format!("{}: this input does not end", line()));
        };
        let value = element[start + 1..end].trim();
        values.push(
            value.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&"),
        );
        rest = &element[end..];
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub fn ktest(objects: &[(&str, &[u8])]) -> Vec<u8> {
        let mut bytes = b"KTEST".to_vec();
        let block = |bytes: &mut Vec<u8>, content: &[u8]| {
            bytes.extend((content.len() as u32).to_be_bytes());
            bytes.extend(content);
        };
        for number in [3u32, 1] {
            bytes.extend(number.to_be_bytes());
        }
        block(&mut bytes, b"a.bc");
        for number in [0u32, 0, objects.len() as u32] {
            bytes.extend(number.to_be_bytes());
        }
        for (name, content) in objects {
            block(&mut bytes, name.as_bytes());
            block(&mut bytes, content);
        }
        bytes
    }

    #[test]
    fn files_are_known_by_their_contents() {
        let file = ktest(&[("x", &[7, 0, 0, 0]), ("buf", b"abc")]);
        let objects = vec![vec![7, 0, 0, 0], b"abc".to_vec()];
        assert_eq!(Recorded::parse(file.clone()), Ok(Recorded::Objects(objects)));
        assert!(Recorded::parse(file[..file.len() - 1].to_vec()).is_err());
        let xml = "<?xml version=\"1.0\"?>\n<testcase>\n<input type=\"int\">-5</input>\n<input>'&lt;'</input></testcase>";
        let values = vec!["-5".to_string(), "'<'".to_string()];
        assert_eq!(Recorded::parse(xml.into()), Ok(Recorded::Values(values)));
        assert_eq!(
            Recorded::parse("<?xml?><testcase>\n<input>5".into()),
            Err("2: this input does not end".to_string())
        );
        assert_eq!(Recorded::parse("<?xml?><test-metadata/>".into()), Ok(Recorded::Nothing));
        assert_eq!(Recorded::parse(vec![0xff, 1]), Ok(Recorded::Bytes(vec![0xff, 1])));
        assert!(matches!(Recorded::parse("craig test 1\ni32 4\n".into()), Ok(Recorded::Inputs(_))));
        assert!(Recorded::parse("craig test 1\nx\n".into()).is_err());
    }
}
