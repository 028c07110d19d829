//! The benchmark as one HTML file that needs nothing else: figures, plots, and every run.

use super::plot::{cactus, colour, escape, scatter};
use super::results::Assessment;
use super::summary::Summary;
use super::table::{Outcome, Table};
use crate::report::page::{THEME_BUTTON, head, tail};
use std::io::{self, Write};

/// So many tasks are listed; a browser can hardly do with more.
const LISTED: usize = 10_000;

const STYLE: &str = "
main { max-width: 80rem; margin: 0 auto; padding: 4px 18px 60px; }
h2 { font-size: 15px; margin-top: 2rem; } figcaption { color: var(--soft); font-size: 13px; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; background: var(--card); border-radius: 8px; }
th, td { padding: .2rem .6rem; border-bottom: 1px solid var(--line); text-align: right; }
th:first-child, td:first-child { text-align: left; font: 12.5px/1.6 var(--mono); overflow-wrap: anywhere; }
thead th { position: sticky; top: 0; background: var(--card); cursor: pointer; } thead th:hover, tbody tr:hover { background: var(--hover); }
.correct { background: var(--safe-bg); } .wrong { background: var(--unsafe); color: var(--card); font-weight: 700; }
.unchecked { background: var(--dead-bg); } td.unknown, .missing { color: var(--soft); }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; margin-top: 1rem; }
figure { margin: 0; padding: .8rem; flex: 1 1 26rem; max-width: 38rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
svg text { font: 12px system-ui, sans-serif; fill: var(--ink); } svg .frame { fill: none; stroke: var(--soft); }
svg .grid { stroke: var(--line); } svg .both { fill: #0072b2; fill-opacity: .6; } svg .one { fill: #d55e00; fill-opacity: .7; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: .8rem; overflow-x: auto; font: 12.5px/1.5 var(--mono); }
input { padding: .3rem .7rem; width: min(22rem, 100%); border: 1px solid var(--line); border-radius: 6px; background: var(--card); }
#runs { display: block; overflow-x: auto; }
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

/// Writes the whole page.
pub fn page(html: &mut impl Write, title: &str, table: &Table, summary: &Summary) -> io::Result<()> {
    let title = escape(title);
    html.write_all(head(&title, STYLE).as_bytes())?;
    let wrong: usize = summary.scores.iter().map(|score| score.wrong).sum();
    let (class, word) =
        if wrong > 0 { ("unsafe", format!("{wrong} wrong")) } else { ("safe", "none wrong".to_string()) };
    let solved: Vec<String> = table
        .participants
        .iter()
        .zip(&summary.scores)
        .map(|(name, score)| format!("{} {} of {}", escape(name), score.solved(), score.runs))
        .collect();
    writeln!(
        html,
        "<header><span class=\"verdict {class}\">{word}</span><h1>{}</h1><span class=\"meta\">{} tasks, {} s each. \
         Solved: {}.</span><span class=\"spacer\"></span>{THEME_BUTTON}</header>\n<main>",
        title,
        table.tasks.len(),
        table.timeout,
        solved.join("; ")
    )?;
    write!(html, "<div class=\"plots\">")?;
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
    writeln!(html, "</main>")?;
    html.write_all(tail(SCRIPT).as_bytes())
}

fn write_runs(html: &mut impl Write, table: &Table) -> io::Result<()> {
    writeln!(html, "<h2>Runs</h2>")?;
    let tasks = listed(table);
    if tasks.len() < table.tasks.len() {
        let (listed, all) = (tasks.len(), table.tasks.len());
        writeln!(
            html,
            "<p>{listed} of {all} tasks, those with wrong answers first; all are in results.csv.</p>"
        )?;
    }
    writeln!(html, "<p><input id=\"filter\" placeholder=\"show only rows with\" aria-label=\"filter\"></p>")?;
    write!(html, "<table id=\"runs\"><thead><tr><th>task</th><th>expected</th>")?;
    for (position, name) in table.participants.iter().enumerate() {
        let (name, colour) = (escape(name), colour(position));
        write!(
            html,
            "<th style=\"border-bottom: 3px solid {colour}\">{name}</th><th>seconds</th><th>MB</th>"
        )?;
    }
    writeln!(html, "</tr></thead><tbody>")?;
    for number in tasks {
        let task = &table.tasks[number];
        let expected = task.expected.map_or("-", |verdict| verdict.name());
        write!(html, "<tr><td>{}</td><td>{expected}</td>", escape(&task.name))?;
        for run in table.row(number) {
            match run {
                Some(run) => write_run(html, &run)?,
                None => write!(html, "<td class=\"missing\">not run</td><td></td><td></td>")?,
            }
        }
        writeln!(html, "</tr>")?;
    }
    writeln!(html, "</tbody></table>")
}

/// The tasks that are listed, in the order of the manifest if that is all of them.
fn listed(table: &Table) -> Vec<usize> {
    let mut tasks: Vec<usize> = (0..table.tasks.len()).collect();
    if tasks.len() > LISTED {
        let is_wrong = |run: Outcome| run.assessment() == Assessment::Wrong;
        tasks.sort_by_cached_key(|&task| !table.row(task).flatten().any(is_wrong));
        tasks.truncate(LISTED);
    }
    tasks
}

fn write_run(html: &mut impl Write, run: &Outcome) -> io::Result<()> {
    let class = run.assessment().name();
    let (shown, hint) = match run.answer {
        Some(verdict) if run.assessment() == Assessment::Wrong => (format!("{verdict}: wrong"), ""),
        Some(verdict) => (verdict.to_string(), ""),
        None => (run.reason.chars().take(40).collect(), run.reason),
    };
    write!(
        html,
        "<td class=\"{class}\" title=\"{}\">{}</td><td data-key=\"{:012.3}\">{:.2}</td><td>{:.0}</td>",
        escape(hint),
        escape(&shown),
        run.seconds,
        run.seconds,
        run.memory_mb
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::bench::summary::tests::sample;

    #[test]
    fn the_page_is_self_contained_and_marks_what_is_wrong() {
        let table = sample();
        let mut html = Vec::new();
        page(&mut html, "a <test>", &table, &Summary::new(&table)).expect("memory takes everything");
        let html = String::from_utf8_lossy(&html);
        assert!(html.contains("<title>a &lt;test&gt;</title>"));
        assert!(html.contains("sat: wrong"));
        assert!(!html.contains("src=") && !html.contains("href=\"http") && !html.contains("url("));
        assert_eq!(html.matches("<svg").count(), 2);
        assert_eq!(html.matches("<tr>").count(), 7);
    }
}
