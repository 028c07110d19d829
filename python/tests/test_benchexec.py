"""The tool info for BenchExec, and a run of it where control groups allow that."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("benchexec")

from benchexec.tools.template import BaseTool2  # noqa: E402
from benchexec.util import ProcessExitCode  # noqa: E402

from craig.benchexec import Tool, write_definitions  # noqa: E402

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
LIMITS = BaseTool2.ResourceLimits(cputime=60, walltime=90, memory=4_000_000_000, cpu_cores=1)


def answer(*lines, code=0, timeout=False):
    run = BaseTool2.Run(
        cmdline=[],
        exit_code=ProcessExitCode.create(value=code),
        output=BaseTool2.RunOutput([line + "\n" for line in lines]),
        termination_reason="walltime" if timeout else None,
    )
    return Tool().determine_result(run)


def test_answers_are_understood():
    assert answer("safe", "a.c:3:1: loop invariant x > 0") == "true"
    assert answer("sat") == "true" and answer("unsat") == "false"
    assert answer("unsafe", "a.c:3:2: unsafe: `reach_error` is called [error]", code=1) == "false(unreach-call)"
    assert answer("unsafe", "a.c:3:2: unsafe: `x + 1` overflows [overflow]", code=1) == "false(no-overflow)"
    assert answer("unsafe", "a.c:3:2: unsafe: `p[8]` is invalid [memory]", code=1) == "false(valid-deref)"
    assert answer("unsafe", "a.c:3:2: unsafe: `free(p)` is invalid [memory]", code=1) == "false(valid-free)"
    assert answer("unknown: the time limit was reached", code=2) == "TIMEOUT"
    assert answer("unknown: the memory limit was reached", code=2) == "OUT OF MEMORY"
    assert answer("unknown: something else", code=2) == "unknown"
    assert answer(code=65) == "ERROR (input)" and answer(code=70) == "ERROR (internal error)"
    assert answer("safe", timeout=True) == "TIMEOUT"


def test_commands_suit_tasks(tmp_path):
    program, clauses, script = (tmp_path / name for name in ("a.c", "b.smt2", "c.smt2"))
    program.write_text("int main(void) { return 0; }")
    clauses.write_text("(set-logic HORN)")
    script.write_text("(set-logic QF_LIA)")
    task = BaseTool2.Task.with_files([str(program)], property_file="p.prp", options={"data_model": "ILP32"})
    command = Tool().cmdline("craig", [], task, LIMITS)
    assert command == [
        "craig", "check", "--timeout", "89s", "--memory", "3600M", "--data-model", "ilp32", str(program), "p.prp",
    ]  # fmt: skip
    for file, name in ((clauses, "solve"), (script, "smt")):
        task = BaseTool2.Task.with_files([str(file)], property_file="p.prp")
        assert Tool().cmdline("craig", ["--timeout", "5s"], task, LIMITS)[1:4] == [name, "--timeout", "5s"]
        assert Tool().cmdline("craig", ["smt"], task, LIMITS)[-1] == str(file)


def test_manifests_become_task_sets(tmp_path):
    count = write_definitions(EXAMPLES, tmp_path)
    listed = [line for name in ("check", "solve", "smt") for line in (tmp_path / f"{name}.set").read_text().split()]
    assert count == len(listed) > 100
    assert all((tmp_path / task).is_file() for task in listed)
    definition = tmp_path / "tasks/chc/even_odd.smt2.yml"
    assert "expected_verdict: true" in definition.read_text()


def test_a_run(tmp_path):
    """All of it: benchexec starts Craig on a few tasks, and `craig bench` reads its results."""
    program = shutil.which("craig", path=str(Path(sys.executable).parent)) or shutil.which("craig")
    if program is None:
        pytest.skip("there is no `craig`")
    cgroups = subprocess.run([sys.executable, "-m", "benchexec.check_cgroups"], capture_output=True, text=True)
    if cgroups.returncode != 0:
        pytest.skip("BenchExec cannot use control groups here: " + cgroups.stderr.strip().splitlines()[-1])
    suite = tmp_path / "suite"
    (suite / "chc").mkdir(parents=True)
    for name in ("lock.smt2", "mc91_bug.smt2"):
        shutil.copy(EXAMPLES / "chc" / name, suite / "chc" / name)
    (suite / "bug.c").write_text("void reach_error(void); int main(void) { reach_error(); return 0; }")
    lines = ["task\texpected", "chc/lock.smt2\tsat", "chc/mc91_bug.smt2\tunsat", "bug.c\tunsafe"]
    (suite / "manifest.tsv").write_text("\n".join(lines) + "\n")
    write_definitions(suite, tmp_path / "definitions", timeout=20, memory="1 GB")
    run = subprocess.run(
        [
            sys.executable, "-m", "benchexec.benchexec", str(tmp_path / "definitions/craig.xml"),
            "--tool-directory", str(Path(program).parent), "--no-container", "--no-compress-results",
            "-o", str(tmp_path / "results") + "/",
        ],
        capture_output=True, text=True,
    )  # fmt: skip
    results = list((tmp_path / "results").glob("*.results.default.xml"))
    assert results, run.stdout + run.stderr
    command = [program, "bench", str(suite), "--output", str(tmp_path / "bench"), "--timeout", "20s", "-q"]
    table = subprocess.run([*command, "--benchexec", str(results[0])], capture_output=True, text=True)
    assert table.returncode == 0, table.stdout + table.stderr
    (recorded,) = [line.split() for line in table.stdout.splitlines() if line.startswith("Craig.default ")]
    tasks, solved, correct, wrong = recorded[1:5]
    assert (tasks, correct, wrong) == ("3", solved, "0") and int(solved) >= 2, table.stdout
