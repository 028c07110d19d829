//! The answers about a project as a page, with links to those of the functions.

use super::result::{Outcome, Row, Table};
use crate::report::page::{THEME_BUTTON, document};
use crate::report::suite::{State, findings};
use crate::report::xml::escape;
use std::fmt::Write;

const STYLE: &str = include_str!("overview.css");
const SCRIPT: &str = include_str!("overview.js");

/// The words for outcomes, the worst first, and the style of each.
const OUTCOMES: [(&str, &str); 5] = [
    ("refuted", "unsafe"),
    ("broken", "unsafe"),
    ("open", "unknown"),
    ("refused", "unknown"),
    ("proved", "safe"),
];

impl Table {
    /// As a page. `name` says what was checked.
    pub fn page(&self, name: &str) -> String {
        let worst = OUTCOMES.into_iter().find(|(word, _)| self.count(word) > 0);
        let (verdict, class) = worst.unwrap_or(("nothing to check", "unknown"));
        let mut body = format!(
            "<header><span class=\"verdict {class}\">{verdict}</span><h1>{}</h1><span class=\"meta\">{}</span>\
             <span class=\"spacer\"></span>{THEME_BUTTON}</header>\n<main>\n",
            escape(if name.is_empty() { "Craig" } else { name }),
            escape(&self.sums())
        );
        for (file, why) in &self.unread {
            let (file, why) = (escape(file), escape(why));
            let _ =
                writeln!(body, "<p class=\"unread\"><code>{file}</code> was not read:</p><pre>{why}</pre>");
        }
        body.push_str("<div class=\"bar\"><div class=\"chips\">");
        for (word, class) in OUTCOMES {
            let count = self.count(word);
            if count > 0 {
                let _ = write!(
                    body,
                    "<button class=\"chip {class}\" data-chip=\"{word}\" aria-pressed=\"true\">{count} {word}</button>"
                );
            }
        }
        body.push_str(
            "</div><input id=\"query\" type=\"search\" placeholder=\"filter  ( / )\" aria-label=\"filter\"></div>\n\
             <table id=\"functions\"><thead><tr><th>function</th><th>where</th><th>answer</th><th>checks</th>\
             <th>proved</th><th>refuted</th><th>open</th><th>time</th></tr></thead><tbody>\n",
        );
        self.rows.iter().for_each(|row| write_row(&mut body, row));
        body.push_str("</tbody></table>\n");
        self.write_findings(&mut body);
        body.push_str("</main>\n");
        document(&format!("{verdict}: {}", escape(name)), STYLE, &body, SCRIPT)
    }

    /// What fails and what is open, each once, with the function in which it was found.
    fn write_findings(&self, body: &mut String) {
        let suites: Vec<_> = self.rows.iter().map(|row| row.suite.clone()).collect();
        let mut found = findings(&suites);
        found.sort_by_key(|check| std::cmp::Reverse(check.state == State::Fails));
        if found.is_empty() {
            return;
        }
        body.push_str("<h2>Findings</h2>\n<ul id=\"findings\">\n");
        for check in found {
            let row = self.rows.iter().find(|row| row.suite.checks.contains(check));
            let at = &check.location;
            let place = format!("{}:{}", at.file, at.line);
            let link = row.and_then(|row| row.page.as_ref()).map_or_else(
                || escape(&place),
                |page| {
                    let link = format!("{page}#file={}&line={}", at.file, at.line);
                    format!("<a href=\"{}\">{}</a>", escape(&link), escape(&place))
                },
            );
            let (class, word) = match check.state {
                State::Fails => ("unsafe", "fails"),
                _ => ("unknown", "open"),
            };
            let function = row.map_or("", |row| row.question.function.as_str());
            let outcome = row.map_or("", |row| row.outcome.word());
            let _ = writeln!(
                body,
                "<li data-word=\"{outcome}\"><span class=\"{class}\"><span class=\"dot\"></span>{word}</span> {link} {} \
                 <span class=\"meta\">[{}] in <code>{}</code></span></li>",
                quoted(&check.words),
                check.kind_name(),
                escape(function)
            );
        }
        body.push_str("</ul>\n");
    }
}

fn write_row(body: &mut String, row: &Row) {
    let name = escape(&row.question.function);
    let name = match &row.page {
        Some(page) => format!("<a href=\"{}\">{name}</a>", escape(page)),
        None => name,
    };
    let word = row.outcome.word();
    let class = OUTCOMES.into_iter().find(|(known, _)| *known == word).map_or("", |(_, class)| class);
    let (proved, refuted, open) = (row.proved(), row.refuted(), row.open());
    let why = match &row.outcome {
        Outcome::Proved | Outcome::Refuted => String::new(),
        Outcome::Open(why) | Outcome::Refused(why) | Outcome::Broken(why) => {
            format!("<div class=\"meta\">{}</div>", escape(why))
        }
    };
    let mut share = String::new();
    for (count, class) in [(proved, "safe"), (refuted, "unsafe"), (open, "unknown")] {
        let _ = write!(share, "<span class=\"{class}\" style=\"flex:{count}\"></span>");
    }
    let seconds = row.suite.time.as_secs_f64();
    let time = if row.recalled { "kept".to_string() } else { format!("{seconds:.1} s") };
    let _ = writeln!(
        body,
        "<tr data-word=\"{word}\"><td>{name}</td><td><code>{}</code></td><td class=\"{class}\">{word}{why}</td>\
         <td><div class=\"share\" title=\"{proved} proved, {refuted} refuted, {open} open\">{share}</div></td>\
         <td>{proved}</td><td>{refuted}</td><td>{open}</td><td data-key=\"{seconds:010.3}\">{time}</td></tr>",
        escape(&row.place()),
    );
}

/// With what stands between backquotes as code.
fn quoted(words: &str) -> String {
    let parts = words.split('`').enumerate();
    let part = |(number, part): (usize, &str)| match number % 2 {
        0 => escape(part),
        _ => format!("<code>{}</code>", escape(part)),
    };
    parts.map(part).collect()
}
