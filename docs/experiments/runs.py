"""What the pages about the papers share: runs of craig with a limit of processor time, kept so that a page that was
stopped goes on where it was, tables, and claims.

A result is kept under the program itself (its digest) and the command. So all of a page comes from one version: with
another build everything is measured again. What came to its end within some seconds does so within any longer time, and
what did not does not within a shorter one; so only what did not end is asked again with a longer limit. A page is asked
in passes, with longer and longer limits: it is written whenever it is whole at one, and says which (--minutes ends it
early). Each begins with a table of claims, which it also puts into papers.md.
"""
import argparse, contextlib, hashlib, json, os, resource, signal, subprocess, tempfile, time

SOLVED = ("safe", "unsafe")
# Seconds that a run is to have, and those after which a page is whole before.
FULL = 60
PASSES = (4, 15, FULL)
# Processor time is what counts; on a busy machine a run may take long by the clock, which no search is to notice.
CLOCK = "18000s"


class OutOfTime(Exception):
    """A run of a later pass was not made: the page remains as the pass before left it."""


class Runs:
    def __init__(self, options, limit, end):
        self.craig, self.suite, self.limit, self.report = options.craig, options.suite, limit, options.report
        self.is_first, self.end = limit == passes(options.limit)[0], end
        self.most = options.most
        craig, work = options.craig, options.work
        with open(craig, "rb") as file:
            self.version = hashlib.sha256(file.read()).hexdigest()[:12]
        self.work = os.path.join(work, self.version)
        os.makedirs(self.work, exist_ok=True)
        # Commands with their results, and those that there was no time for.
        self.made, self.missing = set(), set()

    def programs(self, folder, only=""):
        """The programs of a folder of the suite."""
        path = os.path.join(self.suite, folder)
        names = sorted(os.listdir(path)) if os.path.isdir(path) else []
        return [os.path.join(path, name) for name in names if name.endswith((".c", ".i")) and only in name]

    def sample(self, paths, most=None):
        """As many of a list as the page is to be about."""
        return shuffled(paths)[:most or self.most]

    def file(self, name, text):
        """A generated program."""
        path = os.path.join(self.work, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def place(self, command):
        """Where the result of a command is kept."""
        return os.path.join(self.work, hashlib.sha256("\0".join(command).encode()).hexdigest()[:24] + ".json")

    def known(self, command, limit):
        """What is known of a command with this limit: its answer, or that there is none."""
        try:
            with open(self.place(command)) as file:
                kept = json.load(file)
        except FileNotFoundError:
            return None
        ended = kept.get("ended", bool(kept["answer"]))
        if ended and kept["cpu"] <= limit:
            return {**kept["answer"], "cpu": kept["cpu"]}
        if kept["limit"] == limit:
            # How far it had come.
            return {**kept["answer"], "cut": True, "cpu": min(kept["cpu"], limit)}
        return {"cut": True, "cpu": min(kept["cpu"], limit)} if ended or kept["limit"] > limit else None

    def run(self, command, limit=None):
        """What a command prints as JSON, with the seconds of processor time; "cut" if it came to no end."""
        limit = limit or self.limit
        key = (*command, limit)
        answer = self.known(command, limit)
        if answer is None and (self.report or self.end is not None and time.time() > self.end):
            if not self.is_first:
                raise OutOfTime
            self.missing.add(key)
            return {"missing": True}
        self.made.add(key)
        if answer is None:
            self.ask(command, limit)
            answer = self.known(command, limit)
        return answer

    def ask(self, command, limit):
        """Runs a command and keeps what comes of it."""
        clock = [] if "--timeout" in command else ["--timeout", CLOCK]
        full = [self.craig, command[0], "--json", "-q", *clock, *command[1:]]
        before = cpu()
        text, cut = within(full, limit)
        try:
            answer = json.loads(text.splitlines()[0])
        except (IndexError, json.JSONDecodeError):
            answer, cut = {}, True
        kept = self.place(command)
        with open(kept + ".new", "w") as file:
            ended = not cut or answer.get("verdict") in SOLVED
            json.dump({"answer": answer, "ended": ended, "cpu": cpu() - before, "limit": limit}, file)
        os.replace(kept + ".new", kept)

    def knows(self, path, options):
        """Whether such a check was made."""
        return self.known(about_errors(path, options, "ilp32"), self.limit) is not None

    def check(self, path, options, limit=None, model="ilp32"):
        """The answer to `craig check` about calls of error functions, with the statistics of the engine."""
        answer = self.run(about_errors(path, options, model), limit)
        stats = {name.split(": ", 1)[-1]: value for name, value in answer.get("stats", {}).items()}
        found = Answer(answer.get("verdict", "unknown"), stats, answer.get("cpu", 0.0), answer.get("reason"))
        found.missing = answer.get("missing", False)
        return found

    def ask_all(self, paths, options):
        """The answers for those of the programs that there was time for."""
        answers = [(path, self.check(path, options)) for path in paths]
        return [(path, answer) for path, answer in answers if not answer.missing]

    def is_whole(self):
        return not self.missing

    def heading(self, page, sampled):
        """How a page was made, how much of it, and of what there are only samples."""
        most = f" --most {self.most}" if self.most else ""
        few = (f" Samples are of at most {self.most} programs ({sampled}), taken in an order that has nothing to do with their names."
               if self.most else "")
        return (f"Written by `docs/experiments/{page}.py --limit {self.limit}{most}`, all of it from one version (`{self.version}`); do not edit by "
                f"hand. A run has {self.limit} s of processor time{self.short_of()}; seconds are processor time.{few} " +
                (f"All of its {len(self.made)} runs were made." if self.is_whole() else
                 f"**Not everything was measured: {self.share()}; the same command goes on from here. What was not asked counts nowhere.**"))

    def share(self):
        return f"{len(self.made)} of {len(self.made) + len(self.missing)} runs were made"

    def extent(self):
        """The same for a summary."""
        few = f", samples of at most {self.most} programs" if self.most else ""
        whole = "all runs were made" if self.is_whole() else self.share()
        return f"{self.limit} s of processor time for a run{self.short_of()}{few}; {whole}; version `{self.version}`"

    def short_of(self):
        """What a page says whose limit is shorter than it is to be."""
        return f" instead of {FULL} s, so that what needs longer is not counted as solved" if self.limit < FULL else ""


def within(command, limit):
    """The output of a program, and whether it was interrupted after so much processor time; it may tell how far it came."""
    # Whatever it does then, it does not have much more.
    bound = lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 5, int(limit) + 10))
    cut = False
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL, preexec_fn=bound)
        while child.poll() is None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.wait(0.1)
            if not cut and child.poll() is None and used(child.pid) >= limit:
                cut = True
                child.send_signal(signal.SIGINT)
        out.seek(0)
        return out.read(), cut


def used(process):
    """Seconds of processor time of a process."""
    try:
        with open(f"/proc/{process}/stat") as file:
            user, system = file.read().rsplit(")", 1)[1].split()[11:13]
    except FileNotFoundError:
        return 0
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def about_errors(path, options, model):
    return ["check", "--check", "error", "--stop-at-first", "--data-model", model, *options, path]


class Answer:
    def __init__(self, verdict, stats, cpu, reason):
        self.verdict, self.stats, self.cpu, self.reason = verdict, stats, cpu, reason
        self.solved = verdict in SOLVED
        self.missing = False

    def word(self, text):
        """A cell: the text if there is an answer."""
        return "–" if self.missing else text if self.solved else "*"

    def count(self, name):
        return int(self.stats.get(name, 0))

    def is_right(self, path):
        return self.verdict == expected(path)

    def at_once(self, *units):
        """Whether there is an answer without a single step of the search, in any of the units that engines count in."""
        return self.solved and not any(self.count(unit) for unit in units)


def shuffled(paths):
    """In an order that has nothing to do with names, and is always the same: each beginning is a fair sample."""
    return sorted(paths, key=lambda path: hashlib.sha256(os.path.basename(path).encode()).hexdigest())


def expected(path):
    return "safe" if "_true-unreach-call" in path else "unsafe"


def short(path):
    name = os.path.basename(path)
    for tail in ["_true-termination", "_false-termination", "_true-valid-memsafety", ".cil", ".i", ".c"]:
        name = name.replace(tail, "")
    return name.replace("_true-unreach-call", " (safe)").replace("_false-unreach-call", " (unsafe)")


def cpu():
    """Seconds of processor time of the children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]) + "\n"


def verdict(holds, possible=True):
    """What was measured says of a claim; nothing if too little was."""
    return "not decided" if not possible or holds is None else "**confirmed**" if holds else "**contradicted**"


def beyond(right, asked, wanted, size):
    """The same for what is not in a paper: whether a number was reached."""
    return "**exceeded**" if right >= wanted else "not decided" if asked < size else "open"


def settled(rows):
    """Claims, what was measured, what that says, and the reason."""
    return [[*row[:2], "open", "too little was measured"] if row[2] == "not decided" else row for row in rows]


def claimed(rows):
    return table(["claim", "measured", "", "why"], settled(rows))


SECTIONS = ["000, Lazy Annotation for Program Testing and Verification", "001, UFO", "001, VINTA", "001, WHALE", "002, Duality",
            "003, SYNERGY", "004, DASH"]
SUMMARY = """# The papers' claims

One row for each headline claim of the five papers that Craig implements: what was measured here, and whether that confirms
or contradicts the claim, or leaves it open, with the reason. The rows are written by the scripts of the pages that are named, from
the same runs: do not edit by hand.
"""


def summarise(here, section, page, runs, rows):
    """Puts the claims of a page into a section of papers.md, in the place of what the page had there before."""
    path = os.path.join(here, "papers.md")
    with open(path) as file:
        parts = {name.split("\n", 1)[0]: name.splitlines() for name in file.read().split("\n## ")}
    link = f"[{page}]({page}.md)"
    lines = parts.get(section, [])
    heads = [line for line in lines if line.startswith("[") and not line.startswith(link)] + [f"{link}: {runs.extent()}."]
    own = ["| " + " | ".join([*map(str, row), link]) + " |" for row in settled(rows)]
    others = [line for line in lines if line.endswith(") |") and not line.endswith(f"| {link} |")]
    parts[section] = [section, "", "\n\n".join(sorted(heads)), "", "| claim | measured | | why | page |", "|---|---|---|---|---|", *others, *own]
    with open(path, "w") as file:
        known = ["\n".join(parts[name]).rstrip() + "\n" for name in SECTIONS if name in parts]
        file.write("\n## ".join([SUMMARY, *known]))


def arguments(description, here):
    """The command line of a page."""
    root = os.path.dirname(os.path.dirname(here))
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default=os.path.join(os.path.dirname(root), "shared", "bench"))
    parser.add_argument("--limit", type=int, default=FULL, help="seconds of processor time for a run, in the end")
    parser.add_argument("--most", type=int, help="how many programs of a list are asked at most, in an order that has nothing to do with their names")
    parser.add_argument("--craig", default=os.path.join(root, "target", "release", "craig"))
    parser.add_argument("--work", default=os.path.join(root, "target", "pages"))
    parser.add_argument("--minutes", type=float, help="when to stop asking; the page says how much was asked")
    parser.add_argument("--report", action="store_true", help="write the page from what was measured, run nothing")
    return parser.parse_args()


def passes(limit):
    return [*(shorter for shorter in PASSES if shorter < limit), limit]


def in_passes(options, kind, make_page):
    """Makes a page in passes; a function of the runs measures and writes it."""
    end = time.time() + 60 * options.minutes if options.minutes else None
    for limit in passes(options.limit):
        runs = kind(options, limit, end)
        try:
            make_page(runs)
        except OutOfTime:
            return
        if not runs.is_whole():
            return


def write(here, name, parts):
    with open(os.path.join(here, name), "w") as file:
        file.write("\n".join(parts).rstrip() + "\n")
