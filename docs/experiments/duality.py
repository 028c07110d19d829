#!/usr/bin/env python3
"""Makes docs/experiments/duality.md and its plots anew: the experiments of 002, with `craig bench`.

usage, from the root of the repository:
    python3 docs/experiments/duality.py [--suite ../shared/bench] [--timeout 3] [--scale 1.0] [--craig PROGRAM] [--work FOLDER]

Results are kept in the work folder; the same command given again goes on where it was stopped.
Needs nothing but Python and a release build of craig; z3 takes part if it is installed.
"""
import argparse, csv, json, math, os, shutil, subprocess, sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
CRAIG = os.path.join(ROOT, "target", "release", "craig")
COLOURS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"]
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 400, 60, 16, 16, 46

SWITCHES = [
    ("duality", ""),
    ("no-decisions", "--decisions none"),
    ("decisions-by-blocks", "--decisions blocks"),
    ("no-back-jumping", "--no-back-jumping"),
    ("no-relevance", "--no-relevance"),
    ("no-generalisation", "--no-generalisation"),
    ("no-eager-propagation", "--no-eager-propagation"),
    ("inductive-generalisation", "--inductive-generalisation"),
    ("convergence-by-covering", "--convergence covering"),
    ("convergence-by-predicates", "--convergence predicates"),
]


PDR_SWITCHES = [
    ("pdr", ""),
    ("no-farkas", "--no-farkas"),
    ("preserved-goals", "--preserve-goals"),
]

# Folders of Horn clauses with the size of a sample.
FOLDERS = [
    ("svcomp13", 16), ("ufo-tacas2012", 12), ("sdv", 10), ("eldarica", 12), ("chccomp19-lia-lin/", 12),
    ("chccomp19-lia-nonlin", 10), ("chccomp19-lra-ts", 10), ("chccomp19-lia-lin-arrays", 8), ("dillig-arrays", 8),
]


def engine(name, switches=""):
    return f"solve --json --engine {name} {switches} --timeout {{timeout}}s {{file}}"


def bench(arguments, name, filters, sample, configs, peers=()):
    """Rows of one benchmark: {task: {participant: row}}."""
    folder = os.path.join(arguments.work, name)
    command = [arguments.craig, "bench", arguments.suite, *filters, "--timeout", f"{arguments.timeout}s", "-o", folder]
    if sample:
        command += ["--sample", str(max(1, int(sample * arguments.scale)))]
    for config, line in configs:
        command += ["--config", f"{config}={line}"]
    for peer, line in peers:
        command += ["--peer", f"{peer}={line}"]
    if not arguments.report:
        # The exit code is 1 if an answer was wrong, which the tables say as well.
        subprocess.run(command, stdout=subprocess.DEVNULL)
    rows = {}
    if not os.path.exists(os.path.join(folder, "results.csv")):
        return rows
    with open(os.path.join(folder, "results.csv"), newline="") as file:
        for row in csv.DictReader(file):
            row["solved"] = row["assessment"] in ("correct", "unchecked")
            row["clock"] = float(row["seconds"])
            # Of the processor, so that other work on the computer matters less.
            row["seconds"] = float(row["cpu_seconds"])
            row["stats"] = json.loads(row["stats"]) if row["stats"] else {}
            rows.setdefault(row["task"], {})[row["participant"]] = row
    wanted = {name for name, _ in [*configs, *peers]}
    return {task: by for task, by in rows.items() if wanted <= by.keys()}


def svg(title, body):
    style = "text{font:12px sans-serif;fill:#333}.grid{stroke:#ddd}.frame{fill:none;stroke:#888}"
    return (f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" xmlns="http://www.w3.org/2000/svg"><title>{title}</title>'
            f'<style>{style}</style><rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>{body}</svg>\n')


def across(fraction):
    return LEFT + fraction * (WIDTH - LEFT - RIGHT)


def up(fraction):
    return HEIGHT - BOTTOM - fraction * (HEIGHT - TOP - BOTTOM)


def logarithmic(low, high):
    return lambda value: min(1.0, max(0.0, math.log(max(value, low) / low) / math.log(high / low)))


def frame(low, high, both):
    place, out, tick = logarithmic(low, high), [], low
    out.append(f'<rect x="{across(0)}" y="{up(1)}" width="{across(1) - across(0)}" height="{up(0) - up(1)}" class="frame"/>')
    while tick <= high * 1.0001:
        y = up(place(tick))
        out.append(f'<line x1="{across(0)}" y1="{y:.1f}" x2="{across(1)}" y2="{y:.1f}" class="grid"/>')
        out.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{tick:g}</text>')
        if both:
            x = across(place(tick))
            out.append(f'<line x1="{x:.1f}" y1="{up(0)}" x2="{x:.1f}" y2="{up(1)}" class="grid"/>')
            out.append(f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{tick:g}</text>')
        tick *= 10
    return "".join(out)


def cactus(rows, participants, limit):
    place = logarithmic(0.01, limit)
    out = [frame(0.01, limit, False)]
    most = max([1] + [sum(by[p]["solved"] for by in rows.values()) for p in participants])
    for index, name in enumerate(participants):
        times = sorted(by[name]["seconds"] for by in rows.values() if by[name]["solved"])
        points = " ".join(f"{across((i + 1) / most):.1f},{up(place(t)):.1f}" for i, t in enumerate(times))
        out.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[index]}" stroke-width="2"/>')
        y = TOP + 16 + 16 * index
        out.append(f'<rect x="{LEFT + 10}" y="{y - 6}" width="12" height="4" fill="{COLOURS[index]}"/>')
        out.append(f'<text x="{LEFT + 28}" y="{y}">{name}: {len(times)}</text>')
    out.append(f'<text x="{across(.5)}" y="{HEIGHT - 8}" text-anchor="middle">tasks solved (of {len(rows)}), seconds for each</text>')
    return svg("Cactus plot", "".join(out))


def scatter(rows, first, second, value, low, high, label):
    """`value(row)` of each task; what was not solved is on the border."""
    place = logarithmic(low, high)
    out = [frame(low, high, True), f'<line x1="{across(0)}" y1="{up(0)}" x2="{across(1)}" y2="{up(1)}" class="grid"/>']
    for task, by in rows.items():
        if by[first]["solved"] or by[second]["solved"]:
            x, y = [place(value(by[p])) if by[p]["solved"] else 1.0 for p in (first, second)]
            out.append(f'<circle cx="{across(x):.1f}" cy="{up(y):.1f}" r="3.5" fill="{COLOURS[0]}" fill-opacity="0.6"><title>{task}</title></circle>')
    out.append(f'<text x="{across(.5)}" y="{HEIGHT - 8}" text-anchor="middle">{first} ({label})</text>')
    out.append(f'<text x="{LEFT + 6}" y="{TOP + 14}">{second} ({label})</text>')
    return svg(f"{first} against {second}: {label}", "".join(out))


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(math.log(max(v, 1e-3)) for v in values) / len(values)) if values else float("nan")


def table(header, lines):
    out = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return "\n".join(out + ["| " + " | ".join(str(cell) for cell in line) + " |" for line in lines])


def solved_table(rows, participants):
    if not rows:
        return "Not measured."
    groups = sorted({"/".join(task.split("/")[1:-1]) for task in rows})
    def count(p, group):
        return sum(by[p]["solved"] for task, by in rows.items() if group is None or "/".join(task.split("/")[1:-1]) == group)
    def wrong(p):
        return sum(by[p]["assessment"] == "wrong" for by in rows.values())
    lines = [[g, sum("/".join(t.split("/")[1:-1]) == g for t in rows)] + [count(p, g) for p in participants] for g in groups]
    lines.append(["**all**", len(rows)] + [f"**{count(p, None)}**" for p in participants])
    lines.append(["wrong answers", ""] + [wrong(p) for p in participants])
    return table(["folder", "tasks", *participants], lines)


def measure(rows, p, name, tasks):
    return geometric_mean(rows[t][p]["stats"].get(name, 0) for t in tasks)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--suite", default="../shared/bench")
    parser.add_argument("--timeout", type=int, default=3)
    parser.add_argument("--scale", type=float, default=1.0, help="of the samples")
    parser.add_argument("--craig", default=CRAIG, help="the program to measure")
    parser.add_argument("--report", action="store_true", help="measure nothing, write what is there")
    parser.add_argument("--work", default=os.path.join(ROOT, "target", "experiments", "duality"))
    arguments = parser.parse_args()
    if not os.path.exists(arguments.craig):
        sys.exit("first: cargo build --release")
    limit = float(arguments.timeout)
    spacer = [("spacer", "z3 -T:{timeout} {file}")] if shutil.which("z3") else []
    engines = [("duality", engine("duality")), ("pdr", engine("pdr")), ("bmc", engine("bmc"))]
    names = [name for name, _ in engines + spacer]

    first = bench(arguments, "svcomp13", ["chc/svcomp13"], 36, engines, spacer)
    ssh = bench(arguments, "ssh", ["chc/svcomp13/ssh"], 20, engines[:2])
    sdv = bench(arguments, "sdv", ["chc/sdv"], 24, [engines[0], engines[2]])
    mixed = ["chc/svcomp13/ssh", "chc/eldarica/RECUR", "chc/svcomp13/locks"]
    switches = bench(arguments, "switches", mixed, 16, [(name, engine("duality", switch)) for name, switch in SWITCHES])
    pdr_switches = bench(arguments, "pdr-switches", mixed, 16, [(name, engine("pdr", switch)) for name, switch in PDR_SWITCHES])
    on_c = "check --json --check error --stop-at-first --data-model ilp32 --timeout {timeout}s --engine "
    ufo = bench(arguments, "ufo", ["c/ssh-simplified", "c/ntdrivers-simplified", "c/locks"], 14,
                [(name, on_c + name + " {file}") for name in ("duality", "pdr", "ufo")])
    every = {}
    for folder, sample in FOLDERS:
        every.update(bench(arguments, "all-" + folder.strip("/"), ["chc/" + folder], sample,
                           [("craig", "solve --json --timeout {timeout}s {file}")], spacer))

    def write(name, text):
        with open(os.path.join(HERE, name), "w") as file:
            file.write(text)

    write("duality-figure2.svg", cactus(first, names, limit))
    write("duality-figure3-depth.svg", scatter(ssh, "pdr", "duality", lambda r: r["stats"].get("depth", 1), 1, 100, "depth"))
    write("duality-figure3-steps.svg",
          scatter(ssh, "pdr", "duality", lambda r: r["stats"].get("resolution steps", 1), 1, 10000, "resolution steps"))
    write("duality-figure4.svg", scatter(sdv, "bmc", "duality", lambda r: r["seconds"], 0.01, limit, "seconds"))

    both = [t for t, by in ssh.items() if by["pdr"]["solved"] and by["duality"]["solved"]]
    fig3 = [[p, sum(by[p]["solved"] for by in ssh.values())] +
            [f"{measure(ssh, p, s, both):.1f}" for s in ("depth", "resolution steps", "lemmas", "solver calls")]
            for p in ("duality", "pdr")]
    def effects_of(names, rows):
        default, lines = names[0][0], []
        for name, _ in names:
            common = [t for t, by in rows.items() if by[name]["solved"] and by[default]["solved"]]
            ratio = lambda value: geometric_mean(max(value(rows[t][name]), 1e-2) / max(value(rows[t][default]), 1e-2) for t in common)
            lines.append([name, sum(by[name]["solved"] for by in rows.values()), f"{ratio(lambda r: r['seconds']):.2f}",
                          f"{ratio(lambda r: r['stats'].get('resolution steps', 1)):.2f}",
                          f"{ratio(lambda r: r['stats'].get('depth', 1)):.2f}"])
        return table(["configuration", "solved", "time", "resolution steps", "depth"], lines) if rows else "Not measured."

    spent = [by["duality"]["stats"] for by in first.values() if by["duality"]["solved"]]
    clock = sum(by["duality"]["clock"] for by in first.values() if by["duality"]["solved"])
    share = lambda name: 100 * sum(s.get(name, 0) for s in spent) / max(clock, 1e-9)

    write("duality.md", f"""# Lazy annotation against its relatives

The experiments of 002 (*Lazy Annotation Revisited*), made anew with the engines here. Written by
`python3 docs/experiments/duality.py --timeout {arguments.timeout} --scale {arguments.scale}`; do not edit. Limits: {arguments.timeout} s and 4 GB
for each task; pseudo-random samples of the folders, smaller where a run was cut short: tables count what was measured. The paper had 180 s; what needs longer than {arguments.timeout} s
counts as not solved here. Limits are on the clock, and other work on the computer makes them tighter; the
times shown are of the processor.

## Figure 2: SV-COMP 2013 as clauses

{solved_table(first, names)}

![cactus plot](duality-figure2.svg)

Of duality's time on solved tasks, {share("interpolation"):.0f} % went into interpolation and {share("convergence"):.0f} % into convergence.

## Figure 3: what is learned on the ssh problems

Means (geometric) over the {len(both)} tasks of {len(ssh)} that both solve:

{table(["engine", "solved", "depth", "resolution steps", "lemmas", "solver calls"], fig3)}

![depth at convergence](duality-figure3-depth.svg)
![resolution steps](duality-figure3-steps.svg)

Both engines unwind by the height of derivations and share the annotation, so the difference is that of
search and learning alone. The ratio of resolution steps is the paper's measure of how effective the learning is.

## Figure 4: against stratified inlining, on drivers

{solved_table(sdv, ["duality", "bmc"])}

![duality against bmc](duality-figure4.svg)

`bmc` inlines lazily and gives up generality: where clauses are not recursive after simplification it is
an unbounded decision procedure too.

## The effect of each switch

{len(switches)} tasks, each with every configuration. All switches are on by default, except for inductive generalisation;
convergence is by Houdini. Ratios (geometric means) are relative to the first line, over the tasks that both solve:
above 1 means that the change costs.

{effects_of(SWITCHES, switches)}

The same for `pdr`:

{effects_of(PDR_SWITCHES, pdr_switches)}

## On C programs, against `ufo`

The same procedures and loops, as clauses for `duality` and `pdr` and as a graph for `ufo`:

{solved_table(ufo, ["duality", "pdr", "ufo"])}

## The default of `craig solve`

The portfolio of `pdr`, `duality` and `bmc`, over samples of all folders:

{solved_table(every, ["craig"] + [name for name, _ in spacer])}
""")


if __name__ == "__main__":
    main()
