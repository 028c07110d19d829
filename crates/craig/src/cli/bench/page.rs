//! The benchmark as one HTML file that needs nothing else: figures, plots, and every run.

use super::plot::{cactus, colour, escape, scatter};
use super::results::{Assessment, Row, Table};
use super::summary::Summary;
use crate::cli::bench::answer::Answer;
use std::fmt::Write;

const STYLE: &str = "
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 76rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; }
thead th { position: sticky; top: 0; background: Canvas; cursor: pointer; }
.correct { background: #2a92; } .wrong { background: #d33; color: white; } .unchecked { background: #38f2; }
.unknown, .missing { color: #8a8a8a; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; } figure { margin: 0; flex: 1 1 26rem; max-width: 36rem; }
svg text { font: 12px system-ui, sans-serif; fill: CanvasText; } svg .frame { fill: none; stroke: #888; }
svg .grid { stroke: #8884; } svg .both { fill: #0072b2; fill-opacity: .6; } svg .one { fill: #d55e00; fill-opacity: .7; }
pre { background: var(--soft); padding: .8rem; overflow-x: auto; } input { font: inherit; padding: .2rem .5rem; width: 20rem; }
";

/// Sorts by the column whose heading is clicked, and hides the rows that do not contain the filter.
const SCRIPT: &str = "
const body = document.querySelector('#runs tbody');
document.querySelectorAll('#runs thead th').forEach((head, column) => head.addEventListener('click', () => {
  const down = head.dataset.down = head.dataset.down === '1' ? '0' : '1';
  const key = row => row.cells[column].dataset.key || row.cells[column].textContent;
  [...body.rows].sort((a, b) => (down === '1' ? 1 : -1) * key(a).localeCompare(key(b), undefined, {numeric: true}))
    .forEach(row => body.append(row));
}));
document.querySelector('#filter').addEventListener('input', event => {
  for (const row of body.rows) row.hidden = !row.textContent.includes(event.target.value);
});
";

/// The whole page.
pub fn page(title: &str, table: &Table, summary: &Summary) -> String {
    let mut html = String::new();
    // Writing into a string cannot fail.
    let _ = write_page(&mut html, title, table, summary);
    html
}

fn write_page(html: &mut String, title: &str, table: &Table, summary: &Summary) -> std::fmt::Result {
    let title = escape(title);
    write!(
        html,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <title>{title}</title><style>{STYLE}</style></head><body>\n<h1>{title}</h1>\n"
    )?;
    let solved: Vec<String> = table
        .participants
        .iter()
        .zip(&summary.scores)
        .map(|(name, score)| format!("{} {} of {}", escape(name), score.solved(), score.runs))
        .collect();
    writeln!(
        html,
        "<p>{} tasks, {} s each. Solved: {}.</p>",
        table.tasks.len(),
        table.timeout,
        solved.join("; ")
    )?;
    html.push_str("<div class=\"plots\">");
    write!(
        html,
        "<figure>{}<figcaption>Tasks that each participant solves within a time.</figcaption></figure>",
        cactus(table)
    )?;
    for comparison in &summary.comparisons {
        write!(
            html,
            "<figure>{}<figcaption>One point for each task; orange: only one of them solves it.</figcaption></figure>",
            scatter(table, comparison.first, comparison.second)
        )?;
    }
    writeln!(html, "</div>\n<h2>Summary</h2>\n<pre>{}</pre>", escape(&summary.text(table)))?;
    write_runs(html, table)?;
    writeln!(html, "<script>{SCRIPT}</script></body></html>")
}

fn write_runs(html: &mut String, table: &Table) -> std::fmt::Result {
    html.push_str("<h2>Runs</h2>\n<p><input id=\"filter\" placeholder=\"show only rows with\" aria-label=\"filter\"></p>\n");
    html.push_str("<table id=\"runs\"><thead><tr><th>task</th><th>expected</th>");
    for (position, name) in table.participants.iter().enumerate() {
        let (name, colour) = (escape(name), colour(position));
        write!(
            html,
            "<th style=\"border-bottom: 3px solid {colour}\">{name}</th><th>seconds</th><th>MB</th>"
        )?;
    }
    html.push_str("</tr></thead><tbody>\n");
    for (task, rows) in table.tasks.iter().zip(&table.rows) {
        let expected = task.expected.map_or("-", |verdict| verdict.name());
        write!(html, "<tr><td>{}</td><td>{expected}</td>", escape(&task.name))?;
        for row in rows {
            match row {
                Some(row) => write_run(html, row)?,
                None => html.push_str("<td class=\"missing\">not run</td><td></td><td></td>"),
            }
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table>\n");
    Ok(())
}

fn write_run(html: &mut String, row: &Row) -> std::fmt::Result {
    let class = row.assessment().name();
    let (shown, hint) = match &row.answer {
        Answer::Verdict(verdict) if row.assessment() == Assessment::Wrong => {
            (format!("{verdict}: wrong"), "")
        }
        Answer::Verdict(verdict) => (verdict.to_string(), ""),
        Answer::Unknown(reason) => (reason.chars().take(40).collect(), reason.as_str()),
    };
    write!(
        html,
        "<td class=\"{class}\" title=\"{}\">{}</td><td data-key=\"{:012.3}\">{:.2}</td><td>{:.0}</td>",
        escape(hint),
        escape(&shown),
        row.seconds,
        row.seconds,
        row.memory_mb
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::bench::summary::tests::sample;

    #[test]
    fn the_page_is_self_contained_and_marks_what_is_wrong() {
        let table = sample();
        let html = page("a <test>", &table, &Summary::new(&table));
        assert!(html.contains("<title>a &lt;test&gt;</title>"));
        assert!(html.contains("sat: wrong"));
        assert!(!html.contains("src=") && !html.contains("href=") && !html.contains("url("));
        assert_eq!(html.matches("<svg").count(), 2);
        assert_eq!(html.matches("<tr>").count(), 7);
    }
}
