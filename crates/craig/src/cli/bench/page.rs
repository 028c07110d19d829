//! The benchmark as one HTML file that needs nothing else: figures, plots, and every run.

use super::plot::{cactus, colour, escape, scatter};
use super::results::{Assessment, Row, Table};
use super::summary::Summary;
use crate::cli::bench::answer::Answer;
use std::fmt::Write;

/// The colours and type of the page of `--report`.
const STYLE: &str = "
:root { color-scheme: light dark; --paper: light-dark(#fbfaf7, #15161c); --card: light-dark(#fff, #1c1e26);
  --ink: light-dark(#1d1c24, #e7e5ee); --quiet: light-dark(#6c6a78, #9a98a8); --line: light-dark(#e4e1da, #2d2f3a);
  --soft: light-dark(#f1eee7, #252733); --accent: light-dark(#4338ca, #a5a0ff); --right: light-dark(#e2f4e8, #16301f);
  --wrong: light-dark(#c4243b, #ff7b8a); --unchecked: light-dark(#e3e6fb, #23264a); }
body { font: 14px/1.5 system-ui, -apple-system, sans-serif; max-width: 80rem; margin: 0 auto; padding: 1.5rem 1rem 4rem;
  background: var(--paper); color: var(--ink); }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin-top: 2rem; } figcaption { color: var(--quiet); font-size: 13px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; background: var(--card); border-radius: 8px; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; font: 12.5px/1.6 ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
thead th { position: sticky; top: 0; background: var(--card); cursor: pointer; } thead th:hover { background: var(--soft); }
tbody tr:hover { background: var(--soft); }
.correct { background: var(--right); } .wrong { background: var(--wrong); color: var(--card); font-weight: 700; }
.unchecked { background: var(--unchecked); } .unknown, .missing { color: var(--quiet); }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; }
figure { margin: 0; padding: .8rem; flex: 1 1 26rem; max-width: 38rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); } svg .frame { fill: none; stroke: var(--quiet); }
svg .grid { stroke: var(--line); } svg .both { fill: #0072b2; fill-opacity: .6; } svg .one { fill: #d55e00; fill-opacity: .7; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .8rem; overflow-x: auto; font: 12.5px/1.5 ui-monospace, Menlo, Consolas, monospace; }
input { font: inherit; padding: .3rem .7rem; width: min(22rem, 100%); border: 1px solid var(--line); border-radius: 6px; background: var(--card); color: inherit; }
:focus-visible { outline: 2px solid var(--accent); } #runs { display: block; overflow-x: auto; }
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
