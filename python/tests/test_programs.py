"""C programs and Horn clauses, and the program in the wheel."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import craig

LOOP = """
extern int nondet(void);
extern void reach_error(void);
int main(void) {
    int buffer[8], n = 0;
    while (n < 8 && nondet()) { buffer[n] = 1; n = n + 1; }
    if (n > 8) reach_error();
    return 0;
}"""


def test_a_safe_program_has_a_proof():
    report = craig.check(LOOP, timeout=60)
    assert report.verdict == "safe" and report.reason is None
    assert all(check.verdict == "safe" for check in report.checks)
    assert {"memory", "error"} <= {check.kind for check in report.checks}
    judgement = craig.validate(report.certificate, LOOP)
    assert judgement.verdict == "safe"
    wrong = craig.validate(report.certificate, LOOP.replace("n < 8 &&", "n <= 8 &&"))
    assert wrong.verdict in ("invalid", "unknown") and wrong.reason


def test_an_unsafe_program_has_a_test(tmp_path):
    file = tmp_path / "bug.c"
    file.write_text(LOOP.replace("n < 8 &&", "n <= 8 &&"))
    report = craig.check(files=[file], timeout=60)
    assert report.verdict == "unsafe"
    (failing,) = [check for check in report.checks if check.verdict == "unsafe" and check.kind == "memory"]
    assert failing.line == 6 and failing.file == str(file) and failing.function == "main"
    assert report.data["trace"]
    assert craig.validate(report.certificate, files=[file]).verdict == "unsafe"


def test_what_is_asked_can_be_chosen():
    text = "int main(int argc, char **argv) { return 10 / argc; }"
    assert craig.check(text, checks=["division"], timeout=60).verdict == "unsafe"
    function = "int half(int n) { return 100 / n; } int main(void) { return 0; }"
    assert craig.check(function, entry="half", requires=["n > 0"], timeout=60).verdict == "safe"


def test_wrong_questions_raise(tmp_path):
    with pytest.raises(craig.InputError, match="program.i:1"):
        craig.check("int main(void) { return x; }")
    with pytest.raises(ValueError):
        craig.check(LOOP, checks=["nothing"])
    with pytest.raises(ValueError):
        craig.check(LOOP, engine="nothing")
    with pytest.raises(OSError):
        craig.check(files=[tmp_path / "nothing.c"])
    with pytest.raises(TypeError):
        craig.check(files="a.c")
    with pytest.raises(craig.InputError, match="clauses:1"):
        craig.solve("(assert (")


def test_clauses_have_models_or_derivations():
    clauses = """(set-logic HORN) (declare-fun Even (Int) Bool)
        (assert (Even 0))
        (assert (forall ((x Int)) (=> (Even x) (Even (+ x 2)))))
        (assert (forall ((x Int)) (=> (and (Even x) (= x {})) false)))"""
    report = craig.solve(clauses.format(7), timeout=60)
    assert report.verdict == "sat" and "define-fun Even" in report.certificate
    report = craig.solve(clauses.format(8), timeout=60, engines=["duality"])
    assert report.verdict == "unsat" and report.engine == "duality"


def test_the_program_comes_with_the_module():
    program = Path(sys.executable).parent / "craig"
    if not program.exists():
        pytest.skip("only wheels have the program")
    assert shutil.which("craig", path=str(program.parent))
    script = "(declare-const x Int) (assert (> x 3)) (check-sat)"
    run = subprocess.run([program, "smt"], input=script, text=True, capture_output=True, check=True)
    assert run.stdout == "sat\n"


def test_examples_in_the_documentation():
    import doctest

    assert doctest.testmod(craig).failed == 0
    readme = Path(__file__).parent.parent / "README.md"
    assert doctest.testfile(str(readme), module_relative=False).failed == 0
