#!/usr/bin/env python3
"""Makes docs/experiments/lazy-annotation.md and its plots anew: the experiments of 000.

usage, from the root of the repository:
    python3 docs/experiments/lazy-annotation.py [--suite ../shared/bench] [--timeout 20] [--runs 100000]
        [--craig PROGRAM] [--work FOLDER] [--report]

--runs says how many random executions each program gets against its goals that were proved dead.
Results are kept in the work folder; the same command given again goes on where it was stopped, and
--report only writes the page. Needs Python, gcc with gcov, and a release build of craig.
"""
import argparse, glob, gzip, json, os, shutil, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
COLOURS = {"lazy-annotation": "#0072b2", "dart": "#d55e00"}
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 560, 360, 56, 16, 30, 46
DEFAULT_FACTOR = 3
DIAMONDS = [5, 10, 15, 20, 40, 60, 80, 100]


def run(arguments, name, command, timeout):
    """The JSON object that a command prints, kept in the work folder; nothing if there is none."""
    kept = os.path.join(arguments.work, name.replace("/", "_") + ".json.gz")
    if os.path.exists(kept):
        with gzip.open(kept, "rt") as file:
            return json.load(file)
    if arguments.report:
        return None
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=timeout)
        answer = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return None
    if command[1] == "test" and "list" not in answer:
        return None
    with gzip.open(kept, "wt") as file:
        json.dump(answer, file)
    return answer


def stat(answer, name):
    for key, value in (answer or {}).get("stats", {}).items():
        if key.endswith(": " + name):
            return value
    return None


def diamonds(arguments):
    """Section 1: an irrelevant predicate decided again and again."""
    rows = []
    for n in DIAMONDS:
        text = "extern int input(void); extern void reach_error(void);\n"
        text += "int main(void) { int p = input(), x = 0, a; if (!p) return 0;\n"
        text += "if (input()) a = 1; else a = 0; if (a) x = x + 1; else x = x - 1;\n" * n
        text += "if (!p) reach_error(); return 0; }\n"
        file = os.path.join(arguments.work, f"diamonds{n}.c")
        with open(file, "w") as out:
            out.write(text)
        row = [n]
        for engine in ["lazy-annotation", "dart", "lazy-annotation-procedures"]:
            command = [arguments.craig, "check", "--json", "--engine", engine, "--timeout", f"{arguments.timeout}s", file]
            answer = run(arguments, f"diamonds-{n}-{engine}", command, arguments.timeout + 10)
            finished = answer and (answer["verdict"] == "safe" or "all paths" in (answer["reason"] or ""))
            count = stat(answer, "backtracks")
            row.append("" if count is None else f"{count:,.0f}" if finished else f"> {count:,.0f}")
            row.append(f"{answer['seconds']:.2f}" if finished else "")
        rows.append(row)
    return rows


def tasks(arguments, folder):
    return sorted(glob.glob(os.path.join(arguments.suite, folder, "*.c")))


def short(task):
    name = os.path.basename(task).replace("_true-termination", "").replace(".cil.c", "").replace(".c", "")
    return name.replace("_true-unreach-call", " (safe)").replace("_false-unreach-call", " (unsafe)")


def cover(arguments, task, engine):
    """The goals of a program. The engine `all` is what `craig test` does by itself, which divides its time between
    several searches and so gets more of it; random runs come first only there."""
    timeout = DEFAULT_FACTOR * arguments.timeout if engine == "all" else arguments.timeout
    command = [arguments.craig, "test", "--json", "--data-model", "ilp32", "--engine", engine]
    command += ["--random", "100" if engine == "all" else "0"]
    command += ["--timeout", f"{timeout}s", task]
    return run(arguments, f"cover-{engine}-{short(task)}", command, timeout + 20)


def saturation(answer):
    """After how many backtracks the last goal was reached."""
    points = answer["progress"]
    reached = max((point["reached"] for point in points), default=0)
    return min((point["backtracks"] for point in points if point["reached"] == reached), default=0)


def completion(answer):
    """After how many backtracks a search was at its end, if it was not the time that ended it."""
    if answer is None:
        return ""
    stopped = any("time limit" in str(goal["detail"]) for goal in answer["list"] if goal["status"] == "open")
    return f"{'> ' if stopped else ''}{answer['backtracks']:,.0f}"


def figure6(arguments, folder):
    rows, curves = [], []
    for task in tasks(arguments, folder):
        answers = {engine: cover(arguments, task, engine) for engine in COLOURS}
        learn, dart, default = answers["lazy-annotation"], answers["dart"], cover(arguments, task, "all")
        if learn is None or default is None:
            continue
        rows.append([
            short(task), learn["goals"], learn["reached"], learn["unreachable"], learn["open"], f"{learn['seconds']:.1f}",
            f"{saturation(learn):,}", completion(learn),
            "" if dart is None else f"{saturation(dart):,}", completion(dart),
            default["reached"], default["unreachable"], default["open"], f"{default['seconds']:.1f}",
        ])
        if dart is not None:
            curves.append((short(task), answers))
    return rows, curves


def plot(name, title, answers):
    longest = max(a["backtracks"] for a in answers.values()) or 1
    highest = max(a["goals"] for a in answers.values()) or 1
    import math
    def x(value):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log10(1 + value) / math.log10(1 + longest)
    def y(value):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / highest
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/><text x="{LEFT}" y="18">{title}</text>',
             f'<path d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}" fill="none" stroke="black"/>']
    power = 0
    while 10 ** power <= longest:
        at = x(10 ** power)
        parts.append(f'<text x="{at:.0f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{10 ** power:,}</text>')
        power += 1
    for part in range(0, 5):
        value = highest * part // 4
        parts.append(f'<text x="{LEFT - 6}" y="{y(value) + 4:.0f}" text-anchor="end">{value}</text>')
    for row, (engine, answer) in enumerate(answers.items()):
        path, last = [], 0
        for point in [{"backtracks": 0, "reached": 0}, *answer["progress"], {"backtracks": answer["backtracks"], "reached": None}]:
            reached = last if point["reached"] is None else point["reached"]
            path.append(f"{x(point['backtracks']):.1f} {y(last):.1f} {x(point['backtracks']):.1f} {y(reached):.1f}")
            last = reached
        parts.append(f'<path d="M{"L".join(path)}" fill="none" stroke="{COLOURS[engine]}" stroke-width="1.5"/>')
        parts.append(f'<text x="{WIDTH - 160}" y="{HEIGHT - BOTTOM - 40 + 16 * row}" fill="{COLOURS[engine]}">{engine}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle">backtracks (logarithmic)</text></svg>')
    with open(os.path.join(HERE, name), "w") as file:
        file.write("\n".join(parts) + "\n")


def lines_of(answer, status):
    """(file, line) of the goals with a status."""
    found = set()
    for goal in answer["list"]:
        if goal["status"] == status:
            place = goal["place"].rsplit(" (", 1)[0]
            file, line, _ = place.rsplit(":", 2)
            found.add((os.path.basename(file), int(line)))
    return found


def gcov(arguments, task):
    """Claimed lines against those that gcov counts when all harnesses run."""
    kept = os.path.join(arguments.work, f"gcov-{short(task)}.json")
    if os.path.exists(kept):
        with open(kept) as file:
            return json.load(file)
    if arguments.report:
        return None
    folder = tempfile.mkdtemp()
    try:
        out = os.path.join(folder, "suite")
        command = [arguments.craig, "test", "--json", "--data-model", "ilp32", "--cover", "lines", "--out", out]
        command += ["--timeout", "60s", task]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        answer = json.loads(done.stdout)
        if "list" not in answer:
            return None
        counted, executable = set(), set()
        harnesses = sorted(glob.glob(os.path.join(out, "harness-*.c")))
        for harness in harnesses:
            name = os.path.splitext(os.path.basename(harness))[0]
            flags = ["-m32", "-w", "-fwrapv", "-fgnu89-inline", "--coverage", "-Wl,-u,__gcov_dump"]
            subprocess.run(["gcc", *flags, "-o", name, harness], cwd=folder, check=True)
            subprocess.run([f"./{name}"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=20)
            counts = os.path.basename(glob.glob(os.path.join(folder, f"*{name}.gcda"))[0])
            data = subprocess.run(["gcov", "-j", "-t", counts], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            for file in json.loads(data.stdout)["files"]:
                for line in file["lines"]:
                    place = (os.path.basename(file["file"]), line["line_number"])
                    executable.add(place)
                    if line["count"] > 0:
                        counted.add(place)
        reached, dead = lines_of(answer, "reached"), lines_of(answer, "unreachable")
        # One line may hold live and dead code.
        result = {"harnesses": len(harnesses), "tests": answer["tests"], "claimed": len(reached & executable),
                  "confirmed": len(reached & counted), "dead": len((dead - reached) & executable),
                  "dead but run": sorted((dead - reached) & counted), "not run": sorted((reached & executable) - counted)}
    finally:
        shutil.rmtree(folder)
    with open(kept, "w") as file:
        json.dump(result, file)
    return result


def random_runs(arguments, task):
    """How many random executions there were, how many goals are proved dead, and how many of these were reached."""
    proved = cover(arguments, task, "all")
    command = [arguments.craig, "test", "--json", "--data-model", "ilp32", "--random", str(arguments.runs), "--engine", "random"]
    tried = run(arguments, f"random-{arguments.runs}-{short(task)}", [*command, "--timeout", "600s", task], 660)
    if proved is None or tried is None:
        return None
    dead = [i for i, goal in enumerate(proved["list"]) if goal["status"] == "unreachable"]
    reached = [i for i in dead if tried["list"][i]["status"] == "reached"]
    return int(tried["random"]), len(dead), len(reached)


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default=os.path.join(os.path.dirname(ROOT), "shared", "bench"))
    parser.add_argument("--timeout", type=int, default=20)
    parser.add_argument("--runs", type=int, default=100000)
    parser.add_argument("--craig", default=os.path.join(ROOT, "target", "release", "craig"))
    parser.add_argument("--work", default="lazy-annotation-results")
    parser.add_argument("--report", action="store_true")
    arguments = parser.parse_args()
    os.makedirs(arguments.work, exist_ok=True)

    page = ["# Lazy annotation: the experiments of 000\n",
            f"Made by `docs/experiments/lazy-annotation.py --timeout {arguments.timeout} --runs {arguments.runs}`. "
            f"A search had {arguments.timeout} s of wall time; `>` says that it did not come to its end.\n",
            "## Diamonds\n",
            "A fact, n diamonds about an irrelevant variable, and the use of the fact (section 1 of the paper). Backtracks and seconds.\n",
            table(["n", "lazy-annotation", "s", "dart", "s", "with procedures kept", "s"], diamonds(arguments))]
    for folder, title in [("c/ntdrivers-simplified", "drivers"), ("c/ssh-simplified", "ssh")]:
        rows, curves = figure6(arguments, folder)
        page.append(f"## Figure 6 on the {title}\n")
        page.append("All basic blocks are goals. The first columns are the paper's experiment: lazy annotation alone (`--engine "
                    "lazy-annotation`), and the same search without learning (`--engine dart`), both without random runs. Saturation is after how many "
                    "backtracks the last goal was reached, completion after how many the search came to its end. The last four "
                    "columns are `craig test` by itself: random runs and lazy annotation, and the portfolio of `craig check` for the goals that are open "
                    f"when lazy annotation reaches nothing new, {DEFAULT_FACTOR * arguments.timeout} s for all of that. Every reached goal has a replayed test, every dead one a checked proof.\n")
        page.append(table(["program", "goals", "reached", "dead", "open", "s", "saturation", "completion", "saturation without learning",
                           "completion without learning", "default: reached", "dead", "open", "s"], rows))
        alone, default = (sum(1 for row in rows if row[column] == 0) for column in [4, 12])
        page.append(f"\nAll blocks are decided on {alone} of {len(rows)} by lazy annotation alone, on {default} by default.\n")
        both = [(int(row[9].replace(",", "")), row) for row in rows if row[4] == 0 and row[9] and not row[9].startswith(">")]
        if both:
            without, row = max(both, key=lambda pair: pair[0])
            learnt = int(row[7].replace(",", ""))
            page.append(f"\nThe largest that the search finishes without learning is {row[0]}: {without:,} backtracks instead of "
                        f"{learnt:,}, {without / learnt:.0f} times as many.\n")
        for number, (name, answers) in enumerate(sorted(curves, key=lambda curve: -curve[1]["lazy-annotation"]["goals"])[:3]):
            file = f"lazy-annotation-{title}-{number + 1}.svg"
            plot(file, name, answers)
            page.append(f"\n![{name}]({file})\n")
    page.append("## Coverage is real\n")
    page.append("All lines as goals; every harness compiled with `gcc --coverage` and run; the lines that Craig calls reached against those that "
                "gcov counts, among the lines that gcov knows.\n")
    rows = []
    for task in [*tasks(arguments, "c/ntdrivers-simplified"), *tasks(arguments, "c/locks"), *tasks(arguments, "c/ssh-simplified")]:
        result = gcov(arguments, task)
        if result is not None:
            rows.append([short(task), result["tests"], result["harnesses"], result["claimed"], result["confirmed"], result["dead"], len(result["dead but run"])])
    page.append(table(["program", "tests", "harnesses", "lines reached", "confirmed by gcov", "dead lines", "of them run"], rows))
    page.append("## Dead goals against random executions\n")
    rows, total = [], 0
    for task in [*tasks(arguments, "c/ntdrivers-simplified"), *tasks(arguments, "c/ssh-simplified")]:
        result = random_runs(arguments, task)
        if result is not None and result[1] > 0:
            total += result[0]
            rows.append([short(task), f"{result[0]:,}", *result[1:]])
    page.append(table(["program", "random executions", "dead goals", "of them reached"], rows))
    page.append(f"\n{total:,} executions in all.\n")
    with open(os.path.join(HERE, "lazy-annotation.md"), "w") as file:
        file.write("\n".join(page))


if __name__ == "__main__":
    sys.exit(main())
