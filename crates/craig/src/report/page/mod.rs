//! One page to look at, which needs nothing but a browser: the sources with every check at its line, failing runs
//! step by step, invariants, contracts, coverage.
//!
//! Everything that is known goes into the page as one JSON object; `page.js` shows it. Long files are put on the
//! screen as they come into sight.

mod graph;

use super::json::Json;
use super::{Assumption, Step, answer, run};
use crate::check::Report;
use crate::task::{Loaded, Warning};
use crate::test::TestReport;
use craig_base::OrderedSet;
use craig_exec::{Limits, Test};

/// What all pages wear.
const CLOTHES: &str = include_str!("clothes.css");
/// Light or dark, and what every script needs.
const THEME: &str = include_str!("theme.js");
const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = concat!(include_str!("graph.js"), include_str!("page.js"));
const BODY: &str = include_str!("body.html");

/// The button that [`document`] expects somewhere in the head of a page.
pub(crate) const THEME_BUTTON: &str =
    "<button id=\"theme\" title=\"light or dark (t)\" aria-label=\"light or dark\"></button>";

/// A page that needs nothing else. The title is escaped already.
pub(crate) fn document(title: &str, style: &str, body: &str, script: &str) -> String {
    head(title, style) + body + &tail(script)
}

/// What comes before the body of a page.
pub(crate) fn head(title: &str, style: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <link rel=\"icon\" href=\"data:,\"><title>{title}</title><style>\n{CLOTHES}{style}</style></head>\n<body>\n"
    )
}

/// And what comes after it.
pub(crate) fn tail(script: &str) -> String {
    format!("<script>\n{THEME}{script}</script></body></html>\n")
}

/// So many failing runs or tests are put into the page.
const MAX_RUNS: usize = 20;
/// And so many steps of each.
const MAX_STEPS: usize = 4000;

struct Runs {
    runs: Vec<Json>,
    of_check: Vec<f64>,
}

struct About<'a> {
    assumptions: &'a [Assumption],
    warnings: &'a [Warning],
    advice: Vec<String>,
}

impl Loaded {
    /// A report on the checks of the program as one HTML page.
    pub fn page(&self, report: &Report) -> String {
        let mut runs = Vec::new();
        // The number of the run of each check that fails.
        let mut run_of_check = Vec::new();
        for check in &report.checks {
            let test = check.test.as_ref().filter(|_| runs.len() < MAX_RUNS);
            run_of_check.push(test.map_or(-1.0, |_| runs.len() as f64));
            runs.extend(test.map(|test| self.run_json(&check.words, test)));
        }
        let object = Report { trace: Vec::new(), ..report.clone() }.json();
        let places = report.checks.iter().filter_map(|check| check.location.as_ref());
        let places = places.chain(report.invariants.iter().map(|invariant| &invariant.location));
        let places = places.chain(report.contracts.iter().map(|contract| &contract.location));
        let names = places.map(|at| at.file.clone()).collect();
        let about = About {
            assumptions: &report.assumptions,
            warnings: &report.warnings,
            advice: report.next_steps(),
        };
        self.html(object, names, Runs { runs, of_check: run_of_check }, about)
    }

    /// A report on tests as one HTML page.
    pub fn test_page(&self, report: &TestReport, summary: Json) -> String {
        let runs = report.tests.iter().take(MAX_RUNS).enumerate();
        let runs = runs.map(|(number, test)| self.run_json(&format!("test {number}"), test)).collect();
        let names = report.goals.iter().map(|goal| goal.location.file.clone()).collect();
        let warnings = self.warnings();
        let about = About { assumptions: &report.assumptions, warnings: &warnings, advice: Vec::new() };
        self.html(summary, names, Runs { runs, of_check: Vec::new() }, about)
    }

    fn run_json(&self, title: &str, test: &Test) -> Json {
        let mut steps = run::steps(&self.program, test, &Limits::default());
        let omitted = steps.len().saturating_sub(MAX_STEPS);
        // How a run ends explains it.
        let first: Vec<Step> = steps.drain(..omitted).collect();
        let inputs = first.iter().filter(|step| run::view::is_input(step));
        let steps = inputs.chain(&steps).map(answer::step_json);
        Json::object([("title", Json::from(title)), ("steps", Json::array(steps))])
    }

    fn html(&self, report: Json, named: OrderedSet<String>, runs: Runs, about: About<'_>) -> String {
        let task: Vec<&str> = self.task.files.iter().map(|file| file.name.as_str()).collect();
        let mut names: OrderedSet<String> = task.iter().map(|&name| name.to_string()).collect();
        names.extend(named);
        let files = names.iter().filter_map(|name| {
            let text = self.task.text_of(name)?;
            Some(Json::object([("name", Json::from(name.as_str())), ("text", text.into())]))
        });
        let assumptions = about.assumptions.iter().map(|assumed| {
            let remedy = assumed.remedy.as_deref().map_or(Json::Null, Json::from);
            Json::object([("text", Json::from(assumed.text.as_str())), ("remedy", remedy)])
        });
        let warnings = about.warnings.iter().map(|warning| {
            let at = warning.location.as_ref();
            let file = at.map_or(Json::Null, |at| Json::from(at.file.as_str()));
            let line = at.map_or(Json::Null, |at| Json::from(at.line));
            Json::object([("file", file), ("line", line), ("text", warning.text.as_str().into())])
        });
        let data = Json::object([
            ("version", Json::from(env!("CARGO_PKG_VERSION"))),
            ("task", Json::array(task)),
            ("report", report),
            ("files", Json::array(files)),
            ("graphs", graph::graphs(&self.program)),
            ("runs", Json::array(runs.runs)),
            ("run_of_check", Json::array(runs.of_check)),
            ("assumptions", Json::array(assumptions)),
            ("warnings", Json::array(warnings)),
            ("advice", Json::array(about.advice)),
        ]);
        // Within a script element `<` could end it.
        let data = data.to_string().replace('<', "\\u003c");
        let data = format!("<script type=\"application/json\" id=\"data\">{data}</script>\n");
        document("Craig", STYLE, &format!("{BODY}{data}"), SCRIPT)
    }
}

/// A page of a project, with the way back to the overview.
#[cfg(feature = "cli")]
pub(crate) fn below_overview(page: &str) -> String {
    page.replacen("<a id=\"overview\" hidden", "<a id=\"overview\"", 1)
}
