//! Verification witnesses, format 2.x, as other tools write them.

use crate::task::definition::{Property, data_model};
use crate::yaml::{Error, Value, Yaml};
use craig_cfront::witness::{Event, Invariant, Place, Waypoint};
use craig_program::DataModel;

/// What a witness says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// The hashes of the files that it is about.
    pub hashes: Vec<String>,
    /// None if Craig does not know it.
    pub properties: Option<Vec<Property>>,
    pub data_model: Option<DataModel>,
    pub content: Content,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The program is correct, because of these.
    Invariants(Vec<Invariant>),
    /// A run fails that passes these; the last one is the target.
    Waypoints(Vec<Waypoint>),
    /// Something that is not known here, in words.
    Unsupported(String),
}

impl Witness {
    /// `Err` with line and message, for what is no witness.
    pub fn parse(text: &str) -> Result<Witness, Error> {
        let yaml = Yaml::parse(text)?;
        let Value::List(entries) = &yaml.value else {
            return Err((yaml.line, "a witness is a list of entries".to_string()));
        };
        let first = entries.first().ok_or((yaml.line, "a witness has an entry".to_string()))?;
        let metadata = need(first, "metadata")?;
        let version = need(metadata, "format_version")?;
        if !version.scalar().is_some_and(|version| version.starts_with("2.")) {
            let version = version.scalar().unwrap_or_default();
            return Err((metadata.line, format!("format version {version} is not known; 2.0 is")));
        }
        let task = need(metadata, "task")?;
        let hashes = task.get("input_file_hashes").map(Yaml::members).unwrap_or_default();
        let hashes = hashes.iter().filter_map(|(_, hash)| hash.scalar()).map(str::to_lowercase).collect();
        let specification = need(task, "specification")?.scalar().unwrap_or_default();
        Ok(Witness {
            hashes,
            properties: Property::parse_all(specification),
            data_model: task.get("data_model").map(data_model).transpose()?,
            content: content(entries)?,
        })
    }
}

fn content(entries: &[Yaml]) -> Result<Content, Error> {
    let mut invariants = Vec::new();
    for entry in entries {
        match text(entry, "entry_type")? {
            "invariant_set" => {
                for item in need(entry, "content")?.items() {
                    let item = need(item, "invariant")?;
                    match text(item, "type")? {
                        "loop_invariant" | "location_invariant"
                            if text(item, "format")? == "c_expression" =>
                        {
                            invariants.push(invariant(item)?);
                        }
                        kind => {
                            let format = text(item, "format")?;
                            return Ok(Content::Unsupported(format!("a {kind} as {format}")));
                        }
                    }
                }
            }
            "violation_sequence" if entries.len() == 1 => return waypoints(need(entry, "content")?),
            "violation_sequence" => return Ok(Content::Unsupported("several sequences".to_string())),
            kind => return Ok(Content::Unsupported(format!("an entry of type {kind}"))),
        }
    }
    Ok(Content::Invariants(invariants))
}

fn invariant(item: &Yaml) -> Result<Invariant, Error> {
    Ok(Invariant {
        place: place(need(item, "location")?)?,
        of_loop: text(item, "type")? == "loop_invariant",
        value: text(item, "value")?.to_string(),
    })
}

fn waypoints(content: &Yaml) -> Result<Content, Error> {
    let mut waypoints: Vec<Waypoint> = Vec::new();
    for (segment, part) in content.items().iter().enumerate() {
        let part = need(part, "segment")?;
        for (index, waypoint) in part.items().iter().enumerate() {
            let waypoint = need(waypoint, "waypoint")?;
            let follow = text(waypoint, "action")? == "follow";
            let is_last = index + 1 == part.items().len();
            if follow != is_last {
                return Err((waypoint.line, "a segment ends with what it follows".to_string()));
            }
            let constraint = waypoint.get("constraint").and_then(|constraint| constraint.get("value"));
            let value = constraint.and_then(Yaml::scalar).map(str::to_string);
            let missing = || (waypoint.line, "the waypoint has a `constraint`".to_string());
            let event = match text(waypoint, "type")? {
                "assumption" => Event::Assumption(value.ok_or_else(missing)?),
                "branching" => Event::Branch(value.ok_or_else(missing)?),
                "function_enter" => Event::Enter,
                "function_return" => Event::Return(value.unwrap_or_else(|| "1".to_string())),
                "target" => Event::Target,
                kind => return Ok(Content::Unsupported(format!("a waypoint of type {kind}"))),
            };
            let place = place(need(waypoint, "location")?)?;
            waypoints.push(Waypoint { place, event, segment, follow });
        }
    }
    let targets = waypoints.iter().filter(|waypoint| waypoint.event == Event::Target).count();
    if targets != 1 || waypoints.last().is_none_or(|last| last.event != Event::Target) {
        return Err((content.line, "the last waypoint, and no other, is the target".to_string()));
    }
    Ok(Content::Waypoints(waypoints))
}

fn place(location: &Yaml) -> Result<Place, Error> {
    let number = |name: &str| -> Result<Option<u32>, Error> {
        let Some(value) = location.get(name) else { return Ok(None) };
        let number = value.scalar().and_then(|text| text.parse().ok());
        number.map(Some).ok_or_else(|| (value.line, format!("`{name}` is no number")))
    };
    let line = number("line")?.ok_or_else(|| (location.line, "a location has a `line`".to_string()))?;
    Ok(Place { file: text(location, "file_name")?.to_string(), line, column: number("column")? })
}

fn need<'y>(yaml: &'y Yaml, key: &str) -> Result<&'y Yaml, Error> {
    yaml.get(key).ok_or_else(|| (yaml.line, format!("`{key}` is missing")))
}

fn text<'y>(yaml: &'y Yaml, key: &str) -> Result<&'y str, Error> {
    let value = need(yaml, key)?;
    value.scalar().ok_or_else(|| (value.line, format!("`{key}` is a text")))
}
