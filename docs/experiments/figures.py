"""What the pages about the thesis and about lazy annotation on clauses share: answers, and plots as SVG."""
import math, os

from runs import Answer, Runs

COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#999999"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 400, 60, 16, 16, 46
STYLE = "text{font:12px sans-serif;fill:#333}.grid{stroke:#ddd}.axis{stroke:#333}"


class PageRuns(Runs):
    def measured(self, path, options, limit=None):
        """The answer to a check, or nothing if it was not made and is not to be made any more."""
        answer = self.check(path, options, limit)
        return None if answer.missing else answer

    def solved(self, path, options):
        """The same for Horn clauses."""
        answer = self.run(["solve", *options, path])
        if answer.get("missing"):
            return None
        stats = {name.split(": ", 1)[-1]: value for name, value in answer.get("stats", {}).items()}
        found = {"sat": "safe", "unsat": "unsafe"}.get(answer.get("verdict"), "unknown")
        return Answer(found, stats, answer.get("cpu", 0.0), answer.get("reason"))


def manifest(suite):
    """The expected answer of each task of a suite."""
    with open(os.path.join(suite, "manifest.tsv")) as file:
        lines = [line.rstrip("\n").split("\t") for line in file if line.strip() and not line.startswith("#")]
    return {line[0]: line[1] for line in lines}


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


def write_figure(here, name, text):
    with open(os.path.join(here, name), "w") as file:
        file.write(text)


def geometric_mean(values):
    values = [max(value, 1e-3) for value in values]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan
