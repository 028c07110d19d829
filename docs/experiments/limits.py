#!/usr/bin/env python3
"""How well limits are held.

    limits.py CRAIG SUITE [--tasks 100] [--memory 60M] [--timeout 500ms] [--seed 1]

Runs a sample of the tasks of a suite (a folder with a manifest.tsv) under the limits, and prints the largest memory as
a share of its limit, and by how much the time is exceeded: maximum, 99th percentile, and who.
"""
import argparse
import os
import random
import subprocess
import time

UNITS = {"M": 1 << 20, "G": 1 << 30, "ms": 0.001, "s": 1}


def number(text):
    digits = text.rstrip("msMG")
    return float(digits) * UNITS[text[len(digits):]]


def command(task):
    if not task.endswith(".smt2"):
        return "check"
    return "solve" if "chc/" in task else "smt"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("craig")
    parser.add_argument("suite")
    parser.add_argument("--tasks", type=int, default=100)
    parser.add_argument("--memory", default="60M")
    parser.add_argument("--timeout", default="500ms")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    lines = open(os.path.join(options.suite, "manifest.tsv")).read().splitlines()[1:]
    tasks = [line.split("\t")[0] for line in lines]
    tasks = [task for task in tasks if task.endswith((".c", ".i", ".smt2"))]
    random.Random(options.seed).shuffle(tasks)
    memory, late = [], []
    for task in tasks[:options.tasks]:
        words = [options.craig, command(task), "--timeout", options.timeout, "--memory", options.memory]
        start = time.time()
        process = subprocess.Popen([*words, os.path.join(options.suite, task)], stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        usage = os.wait4(process.pid, 0)[2]
        memory.append((usage.ru_maxrss * 1024 / number(options.memory), task))
        late.append((time.time() - start - number(options.timeout), task))
    for name, values in [("memory, as a share of the limit", memory), ("seconds after the limit", late)]:
        values.sort(reverse=True)
        print(f"{name}: at most {values[0][0]:.2f} ({values[0][1]}), 99 % at most {values[len(values) // 100][0]:.2f}")


main()
