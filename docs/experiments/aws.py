#!/usr/bin/env python3
"""CBMC proofs of a project, run by Craig without loop bounds.

    docs/experiments/aws.py CHECKOUT [--craig PATH] [--timeout 10s] [--jobs N] [--only PATTERN] [--tsv FILE] [OPTION...]

CHECKOUT is a project that keeps its proofs as the template of awslabs does, such as aws-c-common or coreJSON: folders with a
Makefile below verification/cbmc/proofs or test/cbmc/proofs. What a proof consists of is read from its
Makefile by make. What stands in for `memset`, `memcpy` or `memmove` there is left out: Craig has its own. Other options
are passed on to `craig check`. Prints a line for each proof, with seconds of wall time and of processor time, and the sums.
"""

import argparse
import concurrent.futures
import fnmatch
import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import time

VARIABLES = ["HARNESS_ENTRY", "PROOF_SOURCES", "PROJECT_SOURCES", "INCLUDES", "DEFINES", "REMOVE_FUNCTION_BODY",
             "CHECK_FUNCTION_CONTRACTS", "USE_FUNCTION_CONTRACTS", "CORE_JSON_SED_EXPR", "SRCDIR"]
FILE_LOCAL = "__CPROVER_file_local_"


def variables(folder):
    """What the Makefile of a proof says."""
    lines = "; ".join("printf '%%s\\n' '%s $(subst ',,$(%s))'" % (name, name) for name in VARIABLES)
    run = subprocess.run(["make", "-s", "--no-print-directory", "--eval=craig-variables: ; @" + lines, "craig-variables"],
                         cwd=folder, capture_output=True, text=True)
    found = {}
    for line in run.stdout.splitlines():
        name, _, value = line.partition(" ")
        if name in VARIABLES:
            found[name] = value.split()
    return found


def removed(function, sources):
    """The bodies that CBMC takes out of the project, before it adds the proof."""
    for source in map(pathlib.Path, sources):
        mangled = FILE_LOCAL + source.name.replace(".", "_") + "_"
        name = function[len(mangled):] if function.startswith(mangled) else function
        if name.startswith(FILE_LOCAL) or not source.exists():
            continue
        text = source.read_text(errors="replace")
        heads = [line for line in text.splitlines() if name + "(" in line and line[:1] not in (" ", "\t", "/", "#")]
        if any(not line.rstrip().endswith(";") for line in heads):
            yield f"--without-body={source.name}:{name}"


def patched(source, values):
    """coreJSON's proofs are of its source without `static`."""
    path, expression = pathlib.Path(source), " ".join(values["CORE_JSON_SED_EXPR"])
    if path.exists() or not expression:
        return source
    original = pathlib.Path(values["SRCDIR"][0]) / "source" / path.name
    copy = pathlib.Path(tempfile.gettempdir()) / "craig-proofs" / path.parent.name / path.name
    copy.parent.mkdir(parents=True, exist_ok=True)
    copy.write_text(subprocess.run(["sed", "-E", expression, original], capture_output=True, text=True).stdout)
    return str(copy)


def stands_in(source, folder):
    """Whether a source defines a function of the C library for CBMC's sake, and the proof is not about that."""
    stub = re.fullmatch(r"(mem(?:set|cpy|move))_override(?:_havoc|_no_op)?", pathlib.Path(source).stem)
    return stub is not None and not folder.name.startswith(stub[1])


def command(folder, arguments):
    values = variables(folder)
    if not values.get("HARNESS_ENTRY"):
        return None
    project = [patched(source, values) for source in values["PROJECT_SOURCES"]]
    sources = [source for source in dict.fromkeys(values["PROOF_SOURCES"] + project) if not stands_in(source, folder)]
    options = ["--entry", values["HARNESS_ENTRY"][0]]
    for word in values["INCLUDES"] + values["DEFINES"]:
        options.append(word)
    for function in values["REMOVE_FUNCTION_BODY"]:
        options += removed(function, project)
    checked = values["CHECK_FUNCTION_CONTRACTS"]
    if checked:
        # The harness only calls the function: its contract says all that there is to say.
        options[1] = checked[0].split("/")[0]
    for function in values["USE_FUNCTION_CONTRACTS"]:
        options += ["--replace", function.split("/")[0]]
    return [arguments.craig, "check", "--json", "--jobs=1", "--timeout", arguments.timeout, *options, *arguments.options, *sources]


def timed(words, folder):
    """What a command says, and its seconds of wall time and of processor time, which says more on a busy machine."""
    start = time.time()
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(words, stdout=out, stderr=err, cwd=folder)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        said = [stream.seek(0) or stream.read() for stream in (out, err)]
    run = subprocess.CompletedProcess(words, process.returncode, *said)
    return run, time.time() - start, usage.ru_utime + usage.ru_stime


def check(folder, arguments):
    """Answer, seconds of wall time and of processor time, and what is said about it."""
    words = command(folder, arguments)
    if words is None:
        return None
    run, wall, processor = timed(words, folder)
    # As for CBMC's linker, the first definition counts; a body that the preprocessor left out needs no removal.
    while run.returncode == 65:
        twice = re.search(r"^(\S+?):\d+:\d+: error: `(\w+)` is defined twice", run.stderr, re.M)
        absent = re.search(r"there is no function '(\S+)' with a body", run.stderr)
        if twice and f"--without-body={pathlib.Path(twice[1]).name}:{twice[2]}" not in words:
            words.append(f"--without-body={pathlib.Path(twice[1]).name}:{twice[2]}")
        elif absent and f"--without-body={absent[1]}" in words:
            words.remove(f"--without-body={absent[1]}")
        else:
            break
        run, wall, processor = timed(words, folder)
    try:
        report = json.loads(run.stdout)
    except ValueError:
        report = {}
    said = [line for line in run.stderr.splitlines() if "error" in line] or run.stderr.splitlines() or [""]
    verdict = {"safe": "proved", "unsafe": "refuted", "unknown": "open"}.get(report.get("verdict"))
    if verdict is None:
        verdict = "refused" if run.returncode == 65 else "broken"
    why = report.get("reason") or ""
    if verdict == "refuted":
        failing = [c for c in report["checks"] if c["verdict"] == "unsafe"]
        why = "; ".join("%s:%s %s" % (pathlib.Path(c.get("file") or "").name, c.get("line"), c["words"]) for c in failing)
    elif verdict in ("refused", "broken"):
        why = said[0]
    return folder.name, verdict, wall, processor, why, words


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--craig", default="craig")
    parser.add_argument("--timeout", default="10s")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="*")
    parser.add_argument("--every", type=int, default=1, help="take every N-th proof")
    parser.add_argument("--tsv", type=pathlib.Path, help="write the table there, with the commands")
    arguments, arguments.options = parser.parse_known_args()
    # Each proof is asked in a folder of its own.
    if os.sep in arguments.craig:
        arguments.craig = os.path.abspath(arguments.craig)
    roots = [arguments.checkout / part for part in ("verification/cbmc/proofs", "test/cbmc/proofs", ".")]
    root = next(root for root in roots if root.is_dir()).resolve()
    folders = sorted(path.parent for path in root.glob("*/Makefile"))
    folders = [folder for folder in folders if fnmatch.fnmatch(folder.name, arguments.only)][::arguments.every]
    rows = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for row in pool.map(lambda folder: check(folder, arguments), folders):
            if row is not None:
                rows.append(row)
                print("%-50s %-8s %6.1f s %6.1f s  %s" % (*row[:4], row[4][:200]), flush=True)
    counts = {}
    for row in rows:
        counts[row[1]] = counts.get(row[1], 0) + 1
    print(len(rows), "proofs:", ", ".join(f"{count} {word}" for word, count in sorted(counts.items())))
    if arguments.tsv:
        lines = ["\t".join([name, verdict, f"{wall:.2f}", f"{processor:.2f}", why, shlex.join(words)])
                 for name, verdict, wall, processor, why, words in rows]
        arguments.tsv.write_text("\n".join(lines) + "\n")


main()
