#!/usr/bin/env python3
"""Every failing run, compiled and run under sanitizers.

    replay.py CRAIG SUITE [--only TEXT] [--every N] [--timeout 2s] [--options "..."]

For each task of the suite (a folder with a manifest.tsv) that Craig answers `unsafe`, the harness is written, compiled
with gcc and its sanitizers, and run. It must reach the error, or be stopped by a sanitizer at the line of the check that
fails, and nothing may be reported before.
"""
import argparse
import collections
import os
import re
import subprocess
import tempfile

REPORTS = {
    "memory": r"AddressSanitizer|null pointer|out of bounds|misaligned|insufficient space|Segmentation|negative-size",
    "overflow": r"signed integer overflow|cannot be represented|overflow in conversion",
    "division": r"division by zero",
    "shift": r"shift exponent",
    "leak": r"LeakSanitizer",
    "cleanup": r"LeakSanitizer",
    "alignment": r"misaligned",
}


def tasks(suite, only):
    lines = open(os.path.join(suite, "manifest.tsv")).read().splitlines()[1:]
    for line in lines:
        name, _, _, *options = line.split("\t")
        if only in name and (name.endswith((".c", ".i", ".yml"))):
            own = options[0].split() if options else ["--data-model", "ilp32"]
            if "--check" not in own and not name.endswith(".yml"):
                own += ["--check", "error"]
            yield name, own


def replay(craig, file, options, timeout, folder):
    harness = os.path.join(folder, "harness.c")
    if os.path.exists(harness):
        os.remove(harness)
    command = [craig, "check", *options, "--stop-at-first", "--timeout", timeout, "--harness", harness, file]
    try:
        answer = subprocess.run(command, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        return None, ""
    if not answer.stdout.startswith("unsafe"):
        return None, ""
    failed = re.search(r":(\d+):\d+: unsafe: .* \[(\w+)\]", answer.stdout)
    if not os.path.exists(harness):
        return "no harness", answer.stderr.strip().splitlines()[-1] if answer.stderr.strip() else ""
    line, kind = failed.groups() if failed else ("0", "error")
    width = re.search(r"gcc (-m\d+)", open(harness).read()).group(1)
    wraps = ["-fwrapv"] if "--wrap" in options else []
    binary = os.path.join(folder, "harness")
    build = ["gcc", width, "-w", "-g", "-fgnu89-inline", "-fsanitize=address,undefined"]
    # A shift to the left loses bits, as gcc documents.
    build += ["-fno-sanitize-recover=all", "-fno-sanitize=shift-base", *wraps, "-o", binary, harness, "-lm"]
    if kind == "overflow":
        # What gcc calculates while it compiles, it reports then.
        build[build.index("-w")] = "-Woverflow"
    made = subprocess.run(build, capture_output=True, text=True)
    if made.returncode:
        return "does not compile", next((l for l in made.stderr.splitlines() if "error" in l), made.stderr[:100])
    leaks = "1" if kind in ("leak", "cleanup") else "0"
    asan = f"detect_leaks={leaks}:allocator_may_return_null=1:detect_stack_use_after_return=1"
    environment = {**os.environ, "ASAN_OPTIONS": asan}
    try:
        run = subprocess.run([binary], capture_output=True, text=True, errors="replace", timeout=20,
                             env=environment, stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "does not end", ""
    said = [l for l in run.stderr.splitlines() if "runtime error" in l or "Sanitizer" in l]
    if kind == "error":
        if run.returncode == 99 and not said:
            return "right", ""
        return "elsewhere", (said or [f"exit code {run.returncode}"])[0]
    if kind not in REPORTS:
        return "not noticed by gcc", kind
    if kind == "overflow" and re.search(rf":{line}:.*integer overflow in expression", made.stderr):
        return "right", ""
    if not said and run.returncode != -11:
        return "nothing reported", f"{kind} at line {line}"
    first = said[0] if said else "Segmentation"
    if not re.search(REPORTS[kind], first):
        return "elsewhere", first
    place = re.search(rf":{line}(?::\d+)?\b", run.stderr)
    return ("right" if place or leaks == "1" else "another line"), "" if place else f"{line}: {first}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("craig")
    parser.add_argument("suite")
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--timeout", default="2s")
    parser.add_argument("--options", default="")
    arguments = parser.parse_args()
    counts = collections.Counter()
    with tempfile.TemporaryDirectory() as folder:
        for name, options in list(tasks(arguments.suite, arguments.only))[::arguments.every]:
            file = os.path.join(arguments.suite, name)
            options += arguments.options.split()
            outcome, detail = replay(arguments.craig, file, options, arguments.timeout, folder)
            if outcome:
                counts[outcome] += 1
            if outcome not in (None, "right"):
                print(f"{name}: {outcome}: {detail}", flush=True)
    print(", ".join(f"{outcome}: {n}" for outcome, n in counts.most_common()))


main()
