"""Craig as a tool of BenchExec, and BenchExec's task sets from the manifests of ``craig bench``.

A benchmark definition names this module: ``<benchmark tool="craig.benchexec" ...>``. The first option is a command of
Craig (``check``, ``solve`` or ``smt``), or it is what suits the task.

``python -m craig.benchexec SUITE FOLDER`` writes into a folder what `benchexec` needs for the tasks of a manifest: their
definitions, the sets, the properties and the benchmark definition ``craig.xml``.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, Dict, List

import benchexec.result as result
import benchexec.tools.template

COMMANDS = ("check", "solve", "smt")

#: The kinds of failed checks, and what verification competitions call them.
VIOLATIONS = {
    "error": result.RESULT_FALSE_REACH,
    "overflow": result.RESULT_FALSE_OVERFLOW,
    "leak": result.RESULT_FALSE_MEMTRACK,
    "cleanup": result.RESULT_FALSE_MEMCLEANUP,
}


class Tool(benchexec.tools.template.BaseTool2):
    """Tool info for Craig, a software model checker for C programs and constrained Horn clauses."""

    def name(self) -> str:
        return "Craig"

    def executable(self, tool_locator: Any) -> Any:
        return tool_locator.find_executable("craig")

    def version(self, executable: str) -> Any:
        return self._version_from_tool(executable, line_prefix="craig")

    def cmdline(self, executable: str, options: List[str], task: Any, rlimits: Any) -> List[str]:
        files = list(task.input_files)
        if options and options[0] in COMMANDS:
            command, options = options[0], list(options[1:])
        else:
            command = _command(Path(files[0])) if files else "check"
        # BenchExec kills a tool that uses up its limit; a little before that, Craig can still say so.
        if rlimits.walltime and "--timeout" not in options:
            options += ["--timeout", f"{max(1, rlimits.walltime - 1)}s"]
        elif rlimits.cputime and "--timeout" not in options:
            options += ["--timeout", f"{rlimits.cputime}s"]
        if rlimits.memory and "--memory" not in options:
            options += ["--memory", f"{rlimits.memory // 1_000_000 * 9 // 10}M"]
        if command == "check":
            data_model = (task.options or {}).get("data_model")
            if data_model and "--data-model" not in options:
                options += ["--data-model", data_model.lower()]
            if task.property_file:
                files.append(task.property_file)
        return [executable, command, *options, *files]

    def determine_result(self, run: Any) -> str:
        if run.was_timeout:
            return str(result.RESULT_TIMEOUT)
        answer = run.output[0].strip() if len(run.output) else ""
        word, _, reason = answer.partition(":")
        if word in ("safe", "sat"):
            return str(result.RESULT_TRUE_PROP)
        if word == "unsat":
            return str(result.RESULT_FALSE_PROP)
        if word == "unsafe":
            return _violation(run.output)
        if word == "unknown":
            limits = {" the time limit was reached": "TIMEOUT", " the memory limit was reached": "OUT OF MEMORY"}
            return limits.get(reason, str(result.RESULT_UNKNOWN))
        complaints = {64: "usage", 65: "input", 66: "missing input", 70: "internal error"}
        complaint = complaints.get(run.exit_code.value, "no answer")
        return f"{result.RESULT_ERROR} ({complaint})"


def _violation(output: Any) -> str:
    """What the failing check violates."""
    for line in output:
        found = re.search(r"unsafe: (.*) \[([a-z]+)\]", line)
        if found and found[2] == "memory":
            return str(result.RESULT_FALSE_FREE if "free" in found[1] else result.RESULT_FALSE_DEREF)
        if found:
            return str(VIOLATIONS.get(found[2], result.RESULT_FALSE_PROP))
    return str(result.RESULT_FALSE_PROP)


def _command(file: Path) -> str:
    if file.suffix != ".smt2":
        return "check"
    with open(file, encoding="utf-8", errors="replace") as text:
        return "solve" if "HORN" in text.read() else "smt"


def write_definitions(suite: Path, folder: Path, timeout: int = 60, memory: str = "4 GB") -> int:
    """Writes the tasks of a manifest as BenchExec wants them; how many there are."""
    manifest = suite / "manifest.tsv" if suite.is_dir() else suite
    sets: Dict[str, List[str]] = {command: [] for command in COMMANDS}
    for line in manifest.read_text(encoding="utf-8").splitlines():
        name, expected = (line.split("\t") + ["", ""])[:2]
        source = manifest.parent / name
        if line.startswith("#") or not source.is_file():
            continue
        command = _command(source)
        definition = folder / "tasks" / (name + ".yml")
        definition.parent.mkdir(parents=True, exist_ok=True)
        definition.write_text(_definition(definition, source, command, expected, folder), encoding="utf-8")
        sets[command].append(str(definition.relative_to(folder)))
    folder.mkdir(parents=True, exist_ok=True)
    for command, property_ in PROPERTIES.items():
        (folder / f"{command}.prp").write_text(property_ + "\n", encoding="utf-8")
        (folder / f"{command}.set").write_text("".join(f"{task}\n" for task in sets[command]), encoding="utf-8")
    tasks = "\n".join(_tasks(command) for command in COMMANDS if sets[command])
    (folder / "craig.xml").write_text(BENCHMARK.format(timeout=timeout, memory=memory, tasks=tasks), encoding="utf-8")
    return sum(len(tasks) for tasks in sets.values())


PROPERTIES = {
    "check": "CHECK( init(main()), LTL(G ! call(reach_error())) )",
    "solve": "satisfiable",
    "smt": "satisfiable",
}

BENCHMARK = """<?xml version="1.0"?>
<!DOCTYPE benchmark PUBLIC "+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN"
  "https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd">
<benchmark tool="craig.benchexec" timelimit="{timeout} s" memlimit="{memory}" cpuCores="1">
  <rundefinition name="default"/>
{tasks}
  <columns><column title="answer">.*</column></columns>
</benchmark>
"""


def _tasks(command: str) -> str:
    return f"""  <tasks name="{command}">
    <includesfile>{command}.set</includesfile>
    <propertyfile>{command}.prp</propertyfile>
    <option name="{command}"/>
  </tasks>"""


def _definition(file: Path, source: Path, command: str, expected: str, folder: Path) -> str:
    def seen_from_here(path: Path) -> str:
        return os.path.relpath(path.resolve(), file.parent.resolve())

    verdict = {"safe": "true", "sat": "true", "unsafe": "false", "unsat": "false"}.get(expected)
    lines = [
        "format_version: '2.0'",
        f"input_files: '{seen_from_here(source)}'",
        "properties:",
        f"  - property_file: '{seen_from_here(folder / (command + '.prp'))}'",
    ]
    if verdict:
        lines.append(f"    expected_verdict: {verdict}")
    if command == "check":
        lines += ["options:", "  language: C", "  data_model: ILP32"]
    return "\n".join(lines) + "\n"


def main(arguments: List[str]) -> int:
    if len(arguments) != 2:
        print("usage: python -m craig.benchexec SUITE FOLDER", file=sys.stderr)
        return 64
    suite, folder = (Path(argument) for argument in arguments)
    print(f"{write_definitions(suite, folder)} tasks; run them with: benchexec {folder / 'craig.xml'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
