"""What it costs to collect the results of a campaign: rows are made up, and nothing is left to run.

    python collector.py CRAIG TASKS PARTICIPANTS

The rows are first lines that jobs of a cluster have written, and then in `results.csv`; `craig bench` collects the former
(`squeue` is replaced by a program that says that no job is left), and reads the latter when the command is given again.
"""

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

JOBS = 1000


def make_up(folder: Path, tasks: int, participants: int) -> list[str]:
    """A suite, the lines of its jobs, and the options of `craig bench` for it."""
    names = [f"p{number}" for number in range(participants)]
    (folder / "task.smt2").write_text("(set-logic QF_LIA)\n(check-sat)\n")
    with open(folder / "manifest.tsv", "w") as manifest:
        for task in range(tasks):
            os.symlink("task.smt2", folder / f"t{task:07}.smt2")
            manifest.write(f"t{task:07}.smt2\t{'sat' if task % 2 else 'unsat'}\n")
    jobs = folder / "results" / "jobs"
    jobs.mkdir(parents=True)
    rng = random.Random(0)
    for job in range(JOBS):
        with open(jobs / f"{job}-1-0.results", "w") as lines:
            for task in range(job, tasks, JOBS):
                for name in names:
                    key = json.dumps([f"t{task:07}.smt2", name, f"tool {name} {{file}}", "60s 4G"])
                    seconds = rng.expovariate(0.1)
                    answer = "unknown" if seconds > 60 else "sat" if task % 2 else "unsat"
                    result = {"end": "exit", "number": 0, "wall": seconds, "cpu": seconds, "memory": 1 << 24,
                              "stdout": f"{answer}\n", "stderr": ""}
                    lines.write(json.dumps({"name": key, "result": result}) + "\n")
    squeue = folder / "bin" / "squeue"
    squeue.parent.mkdir()
    squeue.write_text("#!/bin/sh\n")
    squeue.chmod(0o755)
    options = ["bench", str(folder), "--peers-only", "-o", str(folder / "results"), "--quiet"]
    for name in names:
        options += ["--peer", f"{name}=tool {name} {{file}}"]
    return options


def measured(what: str, command: list[str], environment: dict[str, str]) -> None:
    start = time.time()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, status
    print(f"{what}: {time.time() - start:.1f} s, {usage.ru_utime + usage.ru_stime:.1f} s of computing, "
          f"{usage.ru_maxrss / 1024:.0f} MB")


def main() -> None:
    craig, tasks, participants = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    with tempfile.TemporaryDirectory() as folder_name:
        folder = Path(folder_name)
        options = make_up(folder, tasks, participants)
        environment = dict(os.environ, PATH=f"{folder / 'bin'}:{os.environ['PATH']}")
        print(f"{tasks} tasks, {participants} participants, {tasks * participants} rows")
        if "--read-only" not in sys.argv:
            measured("collected from the jobs", [craig, *options, "--slurm"], environment)
        measured("read again", [craig, *options], environment)
        with open(folder / "results" / "results.csv") as rows:
            assert sum(1 for _ in rows) == tasks * participants + 1
        sizes = {name: (folder / "results" / name).stat().st_size for name in ("results.csv", "index.html")}
        print(", ".join(f"{name}: {size / 1e6:.1f} MB" for name, size in sizes.items()))


main()
