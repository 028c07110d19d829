//! Task definitions and properties, as verification competitions write them.
//!
//! A task definition (`.yml`, format 2.0) names C files, a data model and properties with their files; a
//! property (`.prp`) says where to start and what must not happen:
//!
//! ```text
//! CHECK( init(main()), LTL(G ! call(reach_error())) )
//! CHECK( init(main()), LTL(G ! overflow) )
//! ```
//!
//! Witnesses may name a property by its formula alone.

use crate::yaml::Yaml;
use craig_program::DataModel;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TaskDefinition {
    /// As written, relative to the folder of the definition.
    pub input_files: Vec<String>,
    pub property_files: Vec<String>,
    pub data_model: Option<DataModel>,
}

/// What must not happen, from which function on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub entry: String,
    pub never: Never,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Never {
    Call(String),
    Overflow,
    /// One of `valid-deref`, `valid-free` and `valid-memtrack`.
    InvalidMemory,
    Leak,
    /// `valid-memcleanup`.
    UnfreedMemory,
}

impl TaskDefinition {
    /// `Err` with line and message.
    pub fn parse(text: &str) -> Result<TaskDefinition, (usize, String)> {
        let yaml = Yaml::parse(text)?;
        if let Some(version) = yaml.get("format_version")
            && !version.scalar().is_some_and(|version| version.starts_with("2."))
        {
            let version = version.scalar().unwrap_or_default();
            return Err((yaml.line, format!("format version {version} is not known; 2.0 is")));
        }
        let files = yaml.get("input_files").map(Yaml::texts).unwrap_or_default();
        let properties = yaml.get("properties").map(Yaml::items).unwrap_or_default();
        let properties = properties.iter().filter_map(|property| property.get("property_file")?.scalar());
        let option = |name: &str| yaml.get("options").and_then(|options| options.get(name));
        if let Some(language) = option("language")
            && language.scalar() != Some("C")
        {
            let name = language.scalar().unwrap_or_default();
            return Err((language.line, format!("programs in {name} are not understood; C is")));
        }
        let task = TaskDefinition {
            input_files: files.into_iter().map(str::to_string).collect(),
            property_files: properties.map(str::to_string).collect(),
            data_model: option("data_model").map(data_model).transpose()?,
        };
        match task.input_files.is_empty() {
            true => Err((1, "a task definition names input_files".to_string())),
            false => Ok(task),
        }
    }
}

/// As task definitions and witnesses name it.
pub fn data_model(name: &Yaml) -> Result<DataModel, (usize, String)> {
    match name.scalar().unwrap_or_default() {
        "ILP32" => Ok(DataModel::Ilp32),
        "LP64" => Ok(DataModel::Lp64),
        other => Err((name.line, format!("'{other}' is no data model; ILP32 and LP64 are"))),
    }
}

impl Property {
    /// What a property file says, one property a line; `None` if one of them cannot be checked.
    pub fn parse_all(text: &str) -> Option<Vec<Property>> {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        let properties: Option<Vec<Property>> = lines.map(Property::parse).collect();
        properties.filter(|properties| !properties.is_empty())
    }

    fn parse(text: &str) -> Option<Property> {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let (entry, formula) = match compact.strip_prefix("CHECK(init(") {
            Some(rest) => {
                let (entry, formula) = rest.split_once("()),LTL(G")?;
                (entry, formula.strip_suffix("))")?)
            }
            None => ("main", compact.strip_prefix('G')?),
        };
        let never = match formula.strip_prefix("!call(").and_then(|rest| rest.strip_suffix("())")) {
            Some(function) => Never::Call(function.to_string()),
            None => match formula {
                "!overflow" => Never::Overflow,
                "valid-deref" | "valid-free" => Never::InvalidMemory,
                "valid-memtrack" => Never::Leak,
                "valid-memcleanup" => Never::UnfreedMemory,
                _ => return None,
            },
        };
        let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let named = is_name(entry) && !matches!(&never, Never::Call(function) if !is_name(function));
        named.then(|| Property { entry: entry.to_string(), never })
    }
}

/// A path in a task definition, seen from where Craig runs.
pub fn beside(definition: &Path, file: &str) -> PathBuf {
    definition.parent().map_or_else(|| PathBuf::from(file), |folder| folder.join(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_read() {
        let text = "format_version: '2.0'\n\n# old file name: x\ninput_files: 'a.i'\n\nproperties:\n  - property_file: ../properties/unreach-call.prp\n    expected_verdict: false\n  - property_file: ../properties/no-overflow.prp\n\noptions:\n  language: C\n  data_model: ILP32\n";
        let task = TaskDefinition::parse(text).expect("a definition");
        assert_eq!(task.input_files, ["a.i"]);
        assert_eq!(task.property_files, ["../properties/unreach-call.prp", "../properties/no-overflow.prp"]);
        assert_eq!(task.data_model, Some(DataModel::Ilp32));
        let several = TaskDefinition::parse("input_files:\n  - a.c\n  - \"b.c\"\n").expect("a definition");
        assert_eq!(several.input_files, ["a.c", "b.c"]);
        assert_eq!(TaskDefinition::parse("options:\n  data_model: LLP64\n").unwrap_err().0, 2);
        assert!(TaskDefinition::parse("format_version: '2.0'\n").is_err());
    }

    #[test]
    fn properties_are_read() {
        let call =
            Property::parse("CHECK( init(main()), LTL(G ! call(reach_error())) )\n").expect("a property");
        assert_eq!(
            call,
            Property { entry: "main".to_string(), never: Never::Call("reach_error".to_string()) }
        );
        let overflow = Property::parse("CHECK( init(main()), LTL(G ! overflow) )").expect("a property");
        assert_eq!(overflow.never, Never::Overflow);
        let free = Property::parse("CHECK( init(main()), LTL(G valid-free) )").expect("a property");
        assert_eq!(free.never, Never::InvalidMemory);
        assert_eq!(Property::parse("G ! overflow"), Some(overflow));
        assert_eq!(Property::parse("CHECK( init(main()), LTL(F end) )"), None);
        assert_eq!(Property::parse("COVER( init(main()), FQL(COVER EDGES(@CALL(f))) )"), None);
    }
}
