"""Calls that take long: limits, Ctrl-C, threads."""

import signal
import subprocess
import sys
import threading
import time

import pytest

import craig
from craig import Distinct, Or, Solver


def hard(timeout=None, pigeons=12):
    """More pigeons than holes."""
    s = Solver(timeout=timeout)
    inside = [[s.constant(f"p{i}_{j}", "Bool") for j in range(pigeons - 1)] for i in range(pigeons)]
    for row in inside:
        s.add(Or(row))
    for hole in range(pigeons - 1):
        for i in range(pigeons):
            for j in range(i):
                s.add(~inside[i][hole] | ~inside[j][hole])
    return s


def test_a_limit_of_time_is_an_answer():
    s = hard(timeout=0.2)
    start = time.monotonic()
    assert s.check() == "unknown"
    assert time.monotonic() - start < 5
    assert "time" in s.reason_unknown
    with pytest.raises(craig.UnknownError):
        s.interpolants(s.assertions)
    s.timeout = None
    assert s.timeout is None


def test_other_threads_run():
    s = hard(timeout=1.0)
    ticks = []

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.01)

    done = threading.Event()
    clock = threading.Thread(target=tick)
    clock.start()
    assert s.check() == "unknown"
    done.set()
    clock.join()
    assert len(ticks) > 10


def test_a_second_thread_waits_for_the_solver():
    s = hard(timeout=0.5)
    results = []
    asker = threading.Thread(target=lambda: results.append(s.check()))
    asker.start()
    time.sleep(0.1)
    assert s.term("true").sort == "Bool"
    asker.join()
    assert results == ["unknown"]


SCRIPTS = {
    "solver": "from test_calls import hard; s = hard(); ready(); s.check()",
    "check": """
import craig
program = '''
extern unsigned long nondet(void); extern void reach_error(void);
int main(void) { unsigned long a = nondet(), b = nondet();
  if (a > 1 && b > 1 && a < 4294967296UL && b < 4294967296UL && a * b == 1000000016000000063UL) reach_error();
  return 0; }'''
ready(); craig.check(program)""",
    "solve": """
import craig
# A generator of random numbers with full period: the last state is nearly 2^64 steps away, and no invariant is simple.
clauses = '''(set-logic HORN) (declare-fun P (Int) Bool)
(assert (P 0))
(assert (forall ((x Int)) (=> (P x) (P (mod (+ (* 6364136223846793005 x) 1442695040888963407) 18446744073709551616)))))
(assert (forall ((x Int)) (=> (and (P x) (= x 987654321)) false)))'''
ready(); craig.solve(clauses)""",
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_ctrl_c_stops_a_call(name, request):
    script = f"""
import signal, sys
# What runs tests in the background may have told all its children to ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.path.insert(0, {str(request.path.parent)!r})
def ready(): print("ready", flush=True)
try:
    {chr(10).join("    " + line for line in SCRIPTS[name].splitlines()).strip()}
except KeyboardInterrupt:
    print("stopped")
else:
    print("ended")
"""
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    start = time.monotonic()
    out, _ = child.communicate(timeout=20)
    assert out == "stopped\n"
    assert time.monotonic() - start < 10


def test_different_solvers_in_different_threads():
    answers = []

    def ask(n):
        s = Solver()
        xs = s.ints(" ".join(f"x{i}" for i in range(n)))
        s.add(Distinct(xs), *[x >= 0 for x in xs], *[x < n for x in xs])
        answers.append(s.check())

    threads = [threading.Thread(target=ask, args=(n,)) for n in (3, 4, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == ["sat"] * 3
