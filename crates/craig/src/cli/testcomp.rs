//! Test suites as Test-Comp exchanges them: a folder with `metadata.xml` and one `testcase-N.xml` for
//! each test.

use crate::report::xml::escape;
use std::fmt::Write;

/// What `metadata.xml` says about the suite.
#[derive(Clone, Debug)]
pub struct Metadata {
    /// The property, such as `COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )`.
    pub specification: String,
    pub program_file: String,
    /// SHA-256 of the program file.
    pub program_hash: String,
    pub entry_function: String,
    /// 32 or 64.
    pub pointer_bits: u8,
    /// ISO 8601.
    pub creation_time: String,
}

/// The inputs of one run, in the order in which the program asks for them.
#[derive(Clone, Debug, Default)]
pub struct TestCase {
    pub inputs: Vec<Input>,
    /// The run reaches the error.
    pub covers_error: bool,
}

#[derive(Clone, Debug)]
pub struct Input {
    /// As a C constant.
    pub value: String,
    /// The C type, if known.
    pub c_type: Option<String>,
    /// The variable that receives it, if known.
    pub variable: Option<String>,
}

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

pub fn metadata(metadata: &Metadata) -> String {
    let architecture = format!("{}bit", metadata.pointer_bits);
    let producer = concat!("Craig ", env!("CARGO_PKG_VERSION"));
    let elements = [
        ("sourcecodelang", "C"),
        ("producer", producer),
        ("specification", &metadata.specification),
        ("programfile", &metadata.program_file),
        ("programhash", &metadata.program_hash),
        ("entryfunction", &metadata.entry_function),
        ("architecture", &architecture),
        ("creationtime", &metadata.creation_time),
    ];
    let mut xml = format!("{XML}{}<test-metadata>\n", doctype("test-metadata"));
    for (name, value) in elements {
        let _ = writeln!(xml, "  <{name}>{}</{name}>", escape(value));
    }
    xml.push_str("</test-metadata>\n");
    xml
}

pub fn test_case(test: &TestCase) -> String {
    let attribute = if test.covers_error { " coversError=\"true\"" } else { "" };
    let mut xml = format!("{XML}{}<testcase{attribute}>\n", doctype("testcase"));
    for Input { value, c_type, variable } in &test.inputs {
        xml.push_str("  <input");
        for (name, content) in [("type", c_type), ("variable", variable)] {
            if let Some(content) = content {
                let _ = write!(xml, " {name}=\"{}\"", escape(content));
            }
        }
        let _ = writeln!(xml, ">{}</input>", escape(value));
    }
    xml.push_str("</testcase>\n");
    xml
}

fn doctype(root: &str) -> String {
    format!(
        "<!DOCTYPE {root} PUBLIC \"+//IDN sosy-lab.org//DTD test-format {root} 1.1//EN\" \
         \"https://sosy-lab.org/test-format/{root}-1.1.dtd\">\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_keep_their_order_and_are_escaped() {
        let input = |value: &str, c_type: Option<&str>| Input {
            value: value.to_string(),
            c_type: c_type.map(str::to_string),
            variable: None,
        };
        let test =
            TestCase { inputs: vec![input("-5", Some("int")), input("'<'", None)], covers_error: true };
        let xml = test_case(&test);
        assert!(xml.ends_with(
            "<testcase coversError=\"true\">\n  <input type=\"int\">-5</input>\n  <input>'&lt;'</input>\n</testcase>\n"
        ));
        assert!(xml.contains("DTD test-format testcase 1.1//EN"));
    }

    #[test]
    fn metadata_comes_in_the_order_of_the_format() {
        let xml = metadata(&Metadata {
            specification: "COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )".to_string(),
            program_file: "a&b.c".to_string(),
            program_hash: "00".to_string(),
            entry_function: "main".to_string(),
            pointer_bits: 32,
            creation_time: "2024-01-01T00:00:00Z".to_string(),
        });
        let order: Vec<usize> = [
            "<sourcecodelang>",
            "<producer>",
            "<specification>",
            "<programfile>a&amp;b.c<",
            "<programhash>",
            "<entryfunction>",
            "<architecture>32bit<",
            "<creationtime>",
        ]
        .iter()
        .map(|element| xml.find(element).expect(element))
        .collect();
        assert!(order.is_sorted());
    }
}
