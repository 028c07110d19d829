"""Plots for the pages about the papers, as SVG, and runs that end after some minutes."""
import argparse, hashlib, math, os, sys, time

import runs
from runs import Answer, Runs

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 400, 60, 16, 16, 46
STYLE = "text{font:12px sans-serif;fill:#333}.grid{stroke:#ddd}.axis{stroke:#333}"


class TimedRuns(Runs):
    """After some minutes only what was measured already is there; the same command goes on from there."""

    def __init__(self, *arguments, minutes=None, **named):
        super().__init__(*arguments, **named)
        self.end = time.time() + 60 * minutes if minutes else math.inf

    def run(self, command, limit=None):
        if time.time() > self.end:
            self.report = True
        return super().run(command, limit)

    def measured(self, path, options):
        """The answer to a check, or nothing if it was not made and is not to be made any more."""
        missing = self.missing
        answer = self.check(path, options)
        return answer if self.missing == missing else None

    def solved(self, path, options):
        """The same for Horn clauses."""
        missing = self.missing
        answer = self.run(["solve", *options, path])
        if self.missing != missing:
            return None
        stats = {name.split(": ", 1)[-1]: value for name, value in answer.get("stats", {}).items()}
        found = {"sat": "safe", "unsat": "unsafe"}.get(answer.get("answer") or answer.get("verdict"), "unknown")
        return Answer(found, stats, answer.get("cpu", 0.0), answer.get("reason"))


def arguments(description, here, limit):
    """The command line of a page, with the minutes after which it is written from what is there."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--minutes", type=float)
    timed, sys.argv[1:] = parser.parse_known_args()
    options = runs.arguments(description + "\n--minutes N: measure no longer than that.", here, limit)
    options.minutes = timed.minutes
    return options


def timed_runs(options):
    return TimedRuns(options.craig, options.suite, options.work, options.limit, options.report, minutes=options.minutes)


def manifest(suite):
    """The expected answer of each task of a suite."""
    with open(os.path.join(suite, "manifest.tsv")) as file:
        lines = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    return {line[0]: line[1] for line in lines}


def shuffled(paths):
    """In an order that has nothing to do with names, and is always the same: each beginning is a fair sample."""
    return sorted(paths, key=lambda path: hashlib.sha256(os.path.basename(path).encode()).hexdigest())


def across(x):
    return LEFT + x * (WIDTH - LEFT - RIGHT)


def up(y):
    return HEIGHT - BOTTOM - y * (HEIGHT - TOP - BOTTOM)


def svg(title, body):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{title}</title>'
            f'<style>{STYLE}</style><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{body}</svg>\n')


def frame():
    return (f'<line x1="{across(0)}" y1="{up(0)}" x2="{across(1)}" y2="{up(0)}" class="axis"/>'
            f'<line x1="{across(0)}" y1="{up(0)}" x2="{across(0)}" y2="{up(1)}" class="axis"/>')


def logarithmic(low, high):
    return lambda value: (math.log(min(max(value, low), high)) - math.log(low)) / (math.log(high) - math.log(low))


def ticks(low, high):
    value = 10 ** math.floor(math.log10(low))
    while value <= high:
        if value >= low:
            yield value
        value *= 10


def cactus(title, series, limit):
    """For each name the times of what was solved, ascending: how many in which time."""
    most = max([len(times) for times in series.values()] + [1])
    place = logarithmic(0.01, max(limit, 0.1))
    out = [frame()]
    for value in ticks(0.01, limit):
        out.append(f'<line x1="{across(0)}" y1="{up(place(value))}" x2="{across(1)}" y2="{up(place(value))}" class="grid"/>'
                   f'<text x="{LEFT - 6}" y="{up(place(value)) + 4}" text-anchor="end">{value:g} s</text>')
    for number, (name, times) in enumerate(series.items()):
        points = " ".join(f"{across((i + 1) / most):.1f},{up(place(t)):.1f}" for i, t in enumerate(sorted(times)))
        colour = COLOURS[number % len(COLOURS)]
        out.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>'
                   f'<text x="{LEFT + 10}" y="{TOP + 14 + 15 * number}" style="fill:{colour}">{name} ({len(times)})</text>')
    out.append(f'<text x="{across(.5)}" y="{HEIGHT - 8}" text-anchor="middle">solved (of {most} at most)</text>')
    return svg(title, "".join(out))


def scatter(title, points, names, low, high):
    """Pairs of numbers; nothing stands for not solved, and lies on the border."""
    place = logarithmic(low, high)
    out = [frame(), f'<line x1="{across(0)}" y1="{up(0)}" x2="{across(1)}" y2="{up(1)}" class="grid"/>']
    for value in ticks(low, high):
        out.append(f'<text x="{LEFT - 6}" y="{up(place(value)) + 4}" text-anchor="end">{value:g}</text>'
                   f'<text x="{across(place(value))}" y="{up(0) + 16}" text-anchor="middle">{value:g}</text>')
    for x, y in points:
        at = [1.0 if value is None else place(value) for value in (x, y)]
        out.append(f'<circle cx="{across(at[0]):.1f}" cy="{up(at[1]):.1f}" r="3.5" fill="{COLOURS[0]}" fill-opacity="0.6"/>')
    out.append(f'<text x="{across(.5)}" y="{HEIGHT - 8}" text-anchor="middle">{names[0]}</text>'
               f'<text x="{LEFT + 6}" y="{TOP + 14}">{names[1]}</text>')
    return svg(title, "".join(out))


def summarise(here, section, page, rows):
    """Puts the claims of a page into a section of papers.md, in the place of what the page had there before."""
    path = os.path.join(here, "papers.md")
    with open(path) as file:
        before, _, rest = file.read().partition(f"## {section}\n")
    own, separator, after = rest.partition("\n## ")
    link = f"[{page}]({page}.md)"
    others = [line for line in own.splitlines() if line.startswith("| ") and not line.endswith(f"| {link} |")]
    kept = [line for line in others if not line.startswith("| claim |")]
    lines = kept + ["| " + " | ".join([*row, link]) + " |" for row in rows]
    head = ["| claim | measured | | why | page |", "|---|---|---|---|---|"]
    with open(path, "w") as file:
        file.write(before + f"## {section}\n\n" + "\n".join(head + lines) + "\n" + separator + after)


def write_figure(here, name, text):
    with open(os.path.join(here, name), "w") as file:
        file.write(text)


def geometric_mean(values):
    values = [max(value, 1e-3) for value in values]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan
