#!/usr/bin/env python3
"""The table of libraries.md: libraries.py [--craig PATH] [--timeout 60s]

Every program below examples/libraries says in its first lines how it is checked and what must come out."""

import argparse
import pathlib
import shlex
import subprocess
import time

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--craig", default="target/release/craig")
parser.add_argument("--timeout", default="60s")
arguments = parser.parse_args()
craig = pathlib.Path(arguments.craig).resolve()
folder = pathlib.Path(__file__).resolve().parents[2] / "examples" / "libraries"

print("| library | options | expected | answer | seconds |\n|---|---|---|---|---|")
proved, found = {}, [0, 0]
for path in sorted(folder.glob("*.c")):
    for line in path.read_text().splitlines():
        expected, colon, options = line.removeprefix("// ").partition(": ")
        if not line.startswith("// ") or not colon or expected not in ("safe", "unsafe"):
            continue
        start = time.time()
        command = [craig, "check", "--timeout", arguments.timeout, *shlex.split(options), path.name]
        output = subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout
        answer = output.split("\n")[0].split(":")[0] or "error"
        print(f"| {path.stem} | `{options}` | {expected} | {answer} | {time.time() - start:.1f} |", flush=True)
        if expected == "safe":
            proved.setdefault(path.stem, []).append(answer == "safe")
        else:
            found[0] += answer == "unsafe"
            found[1] += 1
whole = sum(all(answers) for answers in proved.values())
functions = sum(map(sum, proved.values()))
print(f"\nMistakes found: {found[0]} of {found[1]}. Libraries proved: {whole} of {len(proved)};", end=" ")
print(f"functions: {functions} of {sum(map(len, proved.values()))}.")
