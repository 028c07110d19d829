#!/usr/bin/env python3
"""Runs the experiments of chapters 4 and 5 of the thesis on UFO and VINTA, and writes ufo.md beside this file.

    docs/experiments/ufo.py [--suite ../shared/bench] [--seconds 10] [--sample N] [--craig PATH] [--output FOLDER]

`craig bench` does the work; a run that was stopped goes on where it was. The release build is used.
"""

import argparse
import csv
import json
import pathlib
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FOLDERS = ["c/ntdrivers-simplified", "c/ssh-simplified", "c/systemc"]

# Name in the thesis, arguments here.
CONFIGS = {
    "iUfo": "--engine ufo",
    "cpUfo": "--engine ufo --post cartesian",
    "bpUfo": "--engine ufo --post boolean",
    "Cp": "--engine ufo --post cartesian --eager",
    "Bp": "--engine ufo --post boolean --eager",
    "vBox": "--engine vinta --domain box",
    "uBox": "--engine vinta --domain box --refine dag",
    "vBoxes": "--engine vinta --domain boxes",
    "uBoxes": "--engine vinta --domain boxes --refine dag",
}
TABLE_4_1 = ["iUfo", "cpUfo", "bpUfo", "Cp", "Bp"]
TABLE_4_2 = ["iUfo", "cpUfo", "bpUfo", "Bp"]
TABLE_5_1 = ["vBox", "uBox", "vBoxes", "uBoxes", "iUfo", "cpUfo", "bpUfo"]
TABLE_5_2 = ["vBoxes", "uBoxes", "vBox", "uBox"]

# Solved, safe, unsafe, total time in the thesis (Table 4.1: 105 programs, 300 s, the time of unsolved ones
# counts; Table 5.1: 93 programs, 500 s, it does not).
THESIS_4_1 = {"iUfo": (78, 22, 56, 8289), "cpUfo": (79, 22, 57, 7838), "bpUfo": (69, 17, 52, 11260),
              "Cp": (49, 10, 39, 15363), "Bp": (71, 19, 52, 10018)}
THESIS_5_1 = {"vBox": (71, 20, 51, 580), "uBox": (68, 19, 49, 1240), "vBoxes": (67, 25, 42, 1782),
              "uBoxes": (60, 18, 42, 2731), "iUfo": (70, 20, 50, 1535), "cpUfo": (69, 19, 50, 1687),
              "bpUfo": (64, 15, 49, 1062)}
# Seconds for vBoxes, uBoxes, vBox, uBox (Table 5.2).
THESIS_5_2 = {
    "s3_clnt_1": (0.30, 0.30, 8.61, 13.67), "s3_clnt_2": (0.3, 0.30, 8.79, 13.45),
    "s3_clnt_3": (0.30, 0.29, 9.01, 6.80), "s3_clnt_4": (0.30, 0.30, 9.55, 8.52),
    "s3_srvr_1a": (0.15, None, 1.08, None), "s3_srvr_1b": (0.02, 0.02, None, None),
    "s3_srvr_1": (0.00, 0.00, 0.00, 0.00), "s3_srvr_2": (0.64, 115.48, None, 115.13),
    "s3_srvr_3": (0.75, 123.57, 69.70, 123.61), "s3_srvr_4": (0.59, 168.44, 85.81, 168.08),
    "s3_srvr_6": (473.15, 319.00, 74.87, 359.39), "s3_srvr_7": (13.82, None, None, 274.12),
    "s3_srvr_8": (0.69, 78.53, 245.52, 76.12), "token_ring.01": (0.94, None, 4.05, None),
    "token_ring.02": (2.53, None, 18.29, None), "token_ring.03": (6.06, None, None, None),
    "token_ring.04": (18.22, None, None, None), "token_ring.05": (76.29, None, None, None),
    "token_ring.06": (None,) * 4, "token_ring.07": (None,) * 4, "token_ring.08": (None,) * 4,
}
# Seconds, iterations (Table 4.2) for iUfo, cpUfo, bpUfo, Bp.
THESIS_4_2 = {
    ("kundu2", "unsafe"): ((1.24, 2), (2.74, 2), (8.15, 2), (8.6, 2)),
    ("token_ring.08", "unsafe"): ((12.34, 4), (13.5, 4), (19.64, 3), (14.15, 3)),
    ("token_ring.10", "unsafe"): ((15.6, 4), (14.02, 3), None, None),
    ("token_ring.12", "unsafe"): ((26.94, 4), (13.98, 3), None, None),
    ("toy1", "unsafe"): ((96.49, 10), (62, 6), (13.54, 3), None),
    ("toy2", "unsafe"): ((12.83, 5), (60.73, 8), None, None),
    ("s3_clnt_1", "safe"): ((11.03, 10), (15.68, 10), None, (14.52, 5)),
    ("s3_clnt_2", "safe"): ((16, 10), (20.02, 10), None, None),
    ("s3_clnt_3", "safe"): ((28.87, 11), (37.08, 11), None, None),
    ("s3_srvr_1a", "safe"): ((5.2, 10), (5.16, 8), (0.76, 4), (0.43, 3)),
    ("s3_srvr_2", "safe"): ((171.15, 17), (184.01, 17), None, None),
    ("s3_srvr_3", "safe"): ((133.07, 17), (147.55, 17), None, (33.71, 5)),
    ("s3_srvr_8", "safe"): ((101.4, 14), (115.08, 14), None, None),
    ("token_ring.01", "safe"): ((98.18, 18), (23.64, 10), (0.69, 4), (0.69, 4)),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suite", default=str(ROOT / "../shared/bench"))
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--craig", default=str(ROOT / "target/release/craig"))
    parser.add_argument("--output", default=str(ROOT / "target/experiments/ufo"))
    options = parser.parse_args()
    command = [options.craig, "bench", options.suite, *FOLDERS, "--output", options.output,
               "--timeout", f"{options.seconds}s", "--memory", "4G", "--quiet"]
    if options.sample:
        command += ["--sample", str(options.sample)]
    for name, arguments in CONFIGS.items():
        command += ["--config", f"{name}=check --json --check error --stop-at-first --data-model ilp32 --timeout {{timeout}}s {arguments} {{file}}"]
    code = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
    if code not in (0, 1):
        raise SystemExit(f"craig bench ended with {code}")
    with open(pathlib.Path(options.output) / "results.csv", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["limits"].startswith(f"{options.seconds}s ")]
    (HERE / "ufo.md").write_text(page(rows, options))


def page(rows, options):
    tasks = sorted({row["task"] for row in rows})
    wrong = [row for row in rows if row["assessment"] == "wrong"]
    sample = f", a sample of {options.sample}" if options.sample else ""
    parts = [
        "# UFO and VINTA: the experiments of the thesis",
        "",
        "Written by `docs/experiments/ufo.py`; do not edit by hand. " + (HERE / "ufo.notes.md").read_text().strip(),
        "",
        f"Here: {len(tasks)} programs of `{'`, `'.join(FOLDERS)}`{sample}, {options.seconds} s and 4 GB each, "
        f"native solver, every answer certified. Wrong answers: {len(wrong)}."
        + ("" if any(row["stats"] for row in rows) else " These runs kept no statistics: iterations and the times in "
           "interpolation and post were not measured."),
        "",
        summary("Table 4.1", TABLE_4_1, THESIS_4_1, rows, options.seconds, "105 programs, 300 s", True),
        summary("Table 5.1", TABLE_5_1, THESIS_5_1, rows, options.seconds, "93 programs, 500 s", False),
        details("Table 4.2 (seconds and iterations; thesis in brackets)", TABLE_4_2, THESIS_4_2, rows, True),
        details("Table 5.2 (seconds; thesis in brackets)", TABLE_5_2,
                {(name, "safe"): times for name, times in THESIS_5_2.items()}, rows, False),
    ]
    return "\n".join(parts)


def summary(title, names, thesis, rows, limit, setting, count_unsolved):
    lines = [f"## {title}", "", f"Thesis: {setting}.", "",
             "| | solved | safe | unsafe | seconds | in interpolation | in post | thesis: solved | safe | unsafe | seconds |",
             "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"]
    for name in names:
        own = [row for row in rows if row["participant"] == name]
        solved = [row for row in own if row["assessment"] in ("correct", "unchecked")]
        safe = sum(row["answer"] == "safe" for row in solved)
        seconds = sum(float(row["seconds"]) for row in solved)
        if count_unsolved:
            seconds += limit * (len(own) - len(solved))
        interpolation, post = total(solved, "time in interpolation"), total(solved, "time in post")
        lines.append(f"| {name} | {len(solved)} | {safe} | {len(solved) - safe} | {seconds:.0f} | "
                     f"{interpolation} | {post} | " + " | ".join(str(n) for n in thesis[name]) + " |")
    return "\n".join(lines) + "\n"


def total(rows, name):
    """The sum of a statistic; where no run has it, it was not measured."""
    values = [value for value in (statistic(row, name) for row in rows) if value is not None]
    return f"{sum(values):.1f}" if values else "not measured"


def details(title, names, thesis, rows, iterations):
    lines = [f"## {title}", "", "| program | | " + " | ".join(names) + " |", "|---|---|" + "--:|" * len(names)]
    for (program, expected), values in thesis.items():
        cells = []
        for name, value in zip(names, values):
            row = find(rows, name, program, expected)
            cells.append(f"{measured(row, iterations)} ({published(value, iterations)})")
        lines.append(f"| {program} | {expected} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def measured(row, iterations):
    if row is None:
        return "not run"
    if row["assessment"] not in ("correct", "unchecked"):
        return "-"
    count = statistic(row, "iterations")
    return f"{float(row['seconds']):.2f}" + (f", {count:.0f}" if iterations and count is not None else "")


def published(value, iterations):
    if value is None:
        return "-"
    return f"{value[0]}, {value[1]}" if iterations else str(value)


def find(rows, name, program, expected):
    def matches(row):
        file = row["task"].rsplit("/", 1)[-1]
        return row["participant"] == name and row["expected"] == expected and file.startswith(program + "_")
    return next((row for row in rows if matches(row)), None)


def statistic(row, name):
    try:
        stats = json.loads(row["stats"])
    except ValueError:
        return None
    return next((value for key, value in stats.items() if key.endswith(name)), None)


main()
