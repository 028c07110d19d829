#!/usr/bin/env python3
"""Programs of other people's compiler test suites: does `craig run` end as the program that gcc makes?

    docs/experiments/suites.py [--craig PATH] [--show] FOLDER...

Every `.c` file of a folder that gcc compiles and links by itself is run by both, without input. With `--show`, programs that do
not end alike are printed, and what Craig says of them.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import tempfile

RUN = ["run", "--timeout", "10s", "--malloc-never-fails", "--output-never-fails"]
ABORT = ["--error-function", "abort", "--error-function", "__builtin_abort"]


def natively(file, folder):
    """The exit status of gcc's program; None if there is none within five seconds."""
    program = pathlib.Path(folder) / "program"
    compiled = subprocess.run(["gcc", "-w", "-O0", "-o", program, file, "-lm"], capture_output=True)
    if compiled.returncode != 0:
        return None
    try:
        run = subprocess.run([program], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=5)
    except subprocess.TimeoutExpired:
        return None
    return run.returncode if run.returncode >= 0 else None


def how(craig, file, status):
    """How Craig's run compares, and what it says."""
    try:
        run = subprocess.run([craig, *RUN, *ABORT, file], capture_output=True, text=True, errors="replace", timeout=30)
    except subprocess.TimeoutExpired:
        return "too long", "no answer"
    said = (run.stdout + run.stderr).strip().split("\n")[0]
    returned = re.match(r"returned (-?\d+)", said)
    if returned:
        return ("alike" if int(returned[1]) & 255 == status else "otherwise"), said
    if run.returncode == 65:
        named = (line for line in run.stderr.split("\n") if "not supported" in line or "error:" in line)
        return "refused", next(named, said)
    for words, kind in [("ended", "alike"), ("undefined", "undefined"), ("time limit", "too long")]:
        if said.startswith(words) or words in said.split(":")[0]:
            return kind, said
    return "otherwise", said


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=pathlib.Path, nargs="+")
    parser.add_argument("--craig", default="craig")
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    print("| suite | programs | alike | undefined | otherwise | too long | refused |")
    print("|---|--:|--:|--:|--:|--:|--:|", flush=True)
    for folder in arguments.folders:
        counts = collections.Counter()
        for file in sorted(folder.rglob("*.c")):
            with tempfile.TemporaryDirectory() as scratch:
                status = natively(file.resolve(), scratch)
            if status is None:
                continue
            kind, said = how(arguments.craig, file, status)
            counts["programs"] += 1
            counts[kind] += 1
            if arguments.show and kind != "alike":
                print(f"  {kind}: {file}: {said}", flush=True)
        kinds = ["programs", "alike", "undefined", "otherwise", "too long", "refused"]
        print(f"| {folder.name} | " + " | ".join(str(counts[kind]) for kind in kinds) + " |", flush=True)


main()
