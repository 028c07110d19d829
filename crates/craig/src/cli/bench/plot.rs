//! Plots as SVG: how many tasks in how much time, and one participant against another.

use super::table::{Outcome, Table};
use std::fmt::Write;

const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 56.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 16.0;
const BOTTOM: f64 = 46.0;
/// Shorter times are drawn as this.
const SHORTEST: f64 = 0.01;

/// More points than these cannot be told apart.
const POINTS: usize = 2000;

/// A colour for each participant, distinguishable also without red and green.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#7f7f7f"];

pub fn colour(participant: usize) -> &'static str {
    COLOURS[participant % COLOURS.len()]
}

/// A time on a logarithmic axis from [`SHORTEST`] to the limit, as a fraction.
fn log_fraction(seconds: f64, limit: f64) -> f64 {
    let limit = limit.max(SHORTEST * 10.0);
    ((seconds.max(SHORTEST) / SHORTEST).ln() / (limit / SHORTEST).ln()).clamp(0.0, 1.0)
}

fn x(fraction: f64) -> f64 {
    LEFT + fraction * (WIDTH - LEFT - RIGHT)
}

fn y(fraction: f64) -> f64 {
    HEIGHT - BOTTOM - fraction * (HEIGHT - TOP - BOTTOM)
}

/// Solved tasks (across) that each participant solves within a time each (up).
pub fn cactus(table: &Table) -> String {
    let times: Vec<Vec<f64>> = (0..table.participants.len())
        .map(|participant| {
            let mut times: Vec<f64> =
                table.of(participant).filter(Outcome::solved).map(|run| run.seconds).collect();
            times.sort_by(f64::total_cmp);
            times
        })
        .collect();
    let most = times.iter().map(Vec::len).max().unwrap_or(0).max(1);
    let mut svg = open("Cactus plot: solved tasks against the time for each");
    grid(&mut svg, table.timeout, false);
    let step = most.div_ceil(8).max(1);
    for tasks in (0..=most).step_by(step) {
        let x = x(tasks as f64 / most as f64);
        text(&mut svg, x, HEIGHT - BOTTOM + 16.0, "middle", &tasks.to_string());
    }
    text(&mut svg, x(0.5), HEIGHT - 8.0, "middle", "tasks solved");
    for (participant, times) in times.iter().enumerate() {
        let point = |(position, seconds): (usize, &f64)| {
            format!(
                "{:.1},{:.1}",
                x((position + 1) as f64 / most as f64),
                y(log_fraction(*seconds, table.timeout))
            )
        };
        let is_drawn = |position: usize| {
            position.is_multiple_of(times.len().div_ceil(POINTS)) || position + 1 == times.len()
        };
        let drawn = times.iter().enumerate().filter(|(position, _)| is_drawn(*position));
        let points: Vec<String> = drawn.map(point).collect();
        let colour = colour(participant);
        let name = escape(&table.participants[participant]);
        let _ = write!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"><title>{name}</title></polyline>",
            points.join(" ")
        );
        let line = TOP + 14.0 + 16.0 * participant as f64;
        let _ = write!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"12\" height=\"4\" fill=\"{colour}\"/>",
            LEFT + 10.0,
            line - 6.0
        );
        text(&mut svg, LEFT + 28.0, line, "start", &format!("{name}: {}", times.len()));
    }
    svg.push_str("</svg>");
    svg
}

/// One point for each task: the time of `first` across, that of `second` up. A task that one of
/// them does not solve is on that one's border. Of very many tasks, every so many is drawn.
pub fn scatter(table: &Table, first: usize, second: usize) -> String {
    let (first_name, second_name) = (escape(&table.participants[first]), escape(&table.participants[second]));
    let mut svg = open(&format!("Scatter plot: time of {first_name} against {second_name}"));
    grid(&mut svg, table.timeout, true);
    text(&mut svg, x(0.5), HEIGHT - 8.0, "middle", &format!("{first_name} (seconds)"));
    text(&mut svg, LEFT + 6.0, TOP + 14.0, "start", &format!("{second_name} (seconds)"));
    let _ = write!(
        svg,
        "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" class=\"grid\"/>",
        x(0.0),
        y(0.0),
        x(1.0),
        y(1.0)
    );
    let step = table.tasks.len().div_ceil(POINTS).max(1);
    for (number, task) in table.tasks.iter().enumerate().step_by(step) {
        let (Some(a), Some(b)) = (table.get(number, first), table.get(number, second)) else { continue };
        if !a.solved() && !b.solved() {
            continue;
        }
        let place = |run: &Outcome| if run.solved() { log_fraction(run.seconds, table.timeout) } else { 1.0 };
        let class = if a.solved() && b.solved() { "both" } else { "one" };
        let _ = write!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" class=\"{class}\"><title>{}: {:.2} s, {:.2} s</title></circle>",
            x(place(&a)),
            y(place(&b)),
            escape(&task.name),
            a.seconds,
            b.seconds
        );
    }
    svg.push_str("</svg>");
    svg
}

fn open(title: &str) -> String {
    format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\"><title>{title}</title>"
    )
}

/// The frame, and the powers of ten of the time axis upwards, and across if `both`.
fn grid(svg: &mut String, limit: f64, both: bool) {
    let _ = write!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"frame\"/>",
        x(0.0),
        y(1.0),
        x(1.0) - x(0.0),
        y(0.0) - y(1.0)
    );
    let mut tick = SHORTEST;
    while tick <= limit * 1.0001 {
        let fraction = log_fraction(tick, limit);
        let label = format!("{tick}");
        let _ = write!(
            svg,
            "<line x1=\"{}\" y1=\"{1}\" x2=\"{2}\" y2=\"{1}\" class=\"grid\"/>",
            x(0.0),
            y(fraction),
            x(1.0)
        );
        text(svg, LEFT - 6.0, y(fraction) + 4.0, "end", &label);
        if both {
            let _ = write!(
                svg,
                "<line x1=\"{0}\" y1=\"{1}\" x2=\"{0}\" y2=\"{2}\" class=\"grid\"/>",
                x(fraction),
                y(0.0),
                y(1.0)
            );
            text(svg, x(fraction), HEIGHT - BOTTOM + 16.0, "middle", &label);
        }
        tick = (tick * 10.0 * 100.0).round() / 100.0;
    }
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, content: &str) {
    let _ = write!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{content}</text>");
}

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::bench::summary::tests::sample;

    #[test]
    fn a_point_for_each_task_that_one_of_them_solves() {
        let table = sample();
        assert_eq!(scatter(&table, 0, 1).matches("<circle").count(), 5);
        assert_eq!(cactus(&table).matches("<polyline").count(), 2);
        assert!(cactus(&table).contains("a: 4"));
    }

    #[test]
    fn times_outside_the_axis_stay_on_the_plot() {
        assert_eq!((log_fraction(0.0, 60.0), log_fraction(1e9, 60.0)), (0.0, 1.0));
        assert!(log_fraction(0.5, 0.001).is_finite());
    }
}
