#!/usr/bin/env python3
"""Craig, killed at random moments.

    kills.py CRAIG EXAMPLES [--times 100] [--seed 1]

`bench`, `check --project`, `check` with its three caches and `test --out` are started again and again, and killed (SIGKILL)
after a random time. EXAMPLES is the folder `examples` of the repository. After each kill, files that were finished before must
be there and unchanged, and none may be cut off; between kills, bits of the caches are flipped; in the end, an
undisturbed run must give the answers of one without all this. `check`, `test` and `solve` are interrupted (SIGINT), too: they
must end soon, say something, and what they say must be right. Prints what does not hold, and counts.
"""
import argparse
import csv
import glob
import io
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time

PROGRAMS = ["papers/whale_mc91.c", "papers/dash_inc_bug.c", "programs/flags.c", "programs/sum_bug.c"]


class Test:
    def __init__(self, options, folder):
        self.craig, self.examples = os.path.abspath(options.craig), os.path.abspath(options.examples)
        self.random, self.folder = random.Random(options.seed), folder
        self.kills = self.defects = self.flips = self.interrupted = 0

    def complain(self, what):
        self.defects += 1
        print(what)

    def path(self, name):
        return os.path.join(self.folder, name)

    def run(self, arguments, within=None):
        """The output, or nothing if it was killed."""
        process = subprocess.Popen([self.craig, *arguments], cwd=self.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, errors = process.communicate(timeout=within)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            self.kills += 1
            return None
        if process.returncode not in (0, 1, 2):
            self.complain(f"{' '.join(arguments)}: {process.returncode} {errors.decode()[:300]}")
        return out.decode()

    def disturbed(self, arguments, times, after):
        """Kills so many runs; `after` looks at what each leaves."""
        start = time.time()
        self.run(arguments)
        whole = time.time() - start
        for _ in range(times):
            self.run(arguments, self.random.uniform(0, whole))
            after()

    def flip(self, pattern):
        files = glob.glob(self.path(pattern))
        if not files:
            return
        file = self.random.choice(files)
        content = bytearray(open(file, "rb").read())
        if content:
            at = self.random.randrange(len(content))
            content[at] ^= 1 << self.random.randrange(8)
            open(file, "wb").write(content)
            self.flips += 1

    def bench(self, times):
        suite = self.path("suite")
        os.makedirs(suite)
        for program in PROGRAMS:
            shutil.copy(os.path.join(self.examples, program), suite)
        with open(os.path.join(suite, "manifest.tsv"), "w") as manifest:
            manifest.write("task\texpected\n")
            for program in PROGRAMS:
                verdict = "unsafe" if "_bug" in program else "safe"
                manifest.write(f"{os.path.basename(program)}\t{verdict}\n")
        arguments = ["bench", "suite", "--timeout", "10s", "--jobs", "1", "--output", "results"]
        before = []
        rounds = 0

        def after():
            nonlocal before, rounds
            file = self.path("results/results.csv")
            lines = open(file).read().split("\n")[:-1] if os.path.exists(file) else []
            if lines[:len(before)] != before:
                self.complain("bench: finished rows are lost")
            before = lines
            names = [row[0] for row in csv.reader(io.StringIO("\n".join(lines[1:])))]
            if len(names) != len(set(names)):
                self.complain("bench: rows are there twice")
            if len(names) == len(PROGRAMS):
                shutil.rmtree(self.path("results"))
                before, rounds = [], rounds + 1

        self.disturbed(arguments, times, after)
        self.run(arguments)
        if len(open(self.path("results/results.csv")).read().splitlines()) != len(PROGRAMS) + 1:
            self.complain("bench: the last run is not complete")

    def caches(self, times):
        for program in PROGRAMS:
            file = os.path.join(self.examples, program)
            expected = "unsafe" if "_bug" in program else "safe"
            for option, pattern in [("--cache", "*.answer"), ("--summary-cache", "*"), ("--test-cache", "*.test")]:
                folder = f"{option[2:]}-{os.path.basename(program)}"
                arguments = ["check", "--check", "error", "--timeout", "20s", option, folder, file]

                def after():
                    if self.random.random() < 0.5:
                        self.flip(os.path.join(folder, pattern))

                self.disturbed(arguments, times // 12, after)
                for _ in range(2):
                    answer = (self.run(arguments) or "").split("\n")[0].split(":")[0].strip()
                    if answer != expected:
                        self.complain(f"{option} {program}: {answer}, not {expected}")

    def project(self, times):
        project = self.path("project")
        os.makedirs(project)
        functions = [f"int f{i}(int x) {{ int a[4]; if (x >= 0 && x < {3 + i % 3}) a[x] = 1; return x / {1 + i}; }}"
                     for i in range(6)]
        open(os.path.join(project, "a.c"), "w").write("\n".join(functions))
        open(os.path.join(project, "compile_commands.json"), "w").write(json.dumps(
            [{"directory": project, "file": "a.c", "command": "cc -c a.c"}]))
        arguments = ["check", "--project", "project/compile_commands.json", "--all-functions", "--cache", "answers", "--json",
                     "--timeout", "10s", "--jobs", "1"]

        def verdicts(text):
            functions = json.loads(text)
            rows = next(value for value in functions.values() if isinstance(value, list) and value)
            return sorted((row["function"], row["answer"]) for row in rows)

        clean = verdicts(self.run([word if word != "answers" else "clean" for word in arguments]))

        def after():
            if self.random.random() < 0.3:
                self.flip("answers/*.answer")
            if self.random.random() < 0.2:
                shutil.rmtree(self.path("answers"), ignore_errors=True)

        self.disturbed(arguments, times, after)
        if verdicts(self.run(arguments)) != clean:
            self.complain("project: other answers than without kills")

    def suites(self, times):
        program = os.path.join(self.examples, "programs/traffic_light.c")
        arguments = ["test", program, "--timeout", "5s", "--out", "tests"]

        def after():
            for file in glob.glob(self.path("tests/*")):
                text = open(file).read()
                whole = {".txt": text.endswith("\n"), ".xml": text.rstrip().endswith(">"), ".c": text.endswith("}\n")}
                if not whole.get(os.path.splitext(file)[1], True):
                    self.complain(f"test: {os.path.basename(file)} is cut off")
            if self.random.random() < 0.3:
                shutil.rmtree(self.path("tests"), ignore_errors=True)

        self.disturbed(arguments, times, after)

    def interrupts(self, times):
        """The best answer so far is better than none."""
        tasks = [(["check", "--check", "error"], program, ["unsafe" if "_bug" in program else "safe"])
                 for program in PROGRAMS]
        tasks.append((["test"], "programs/traffic_light.c", []))
        tasks += [(["solve"], os.path.join("chc", name), ["sat", "unsat"])
                  for name in sorted(os.listdir(os.path.join(self.examples, "chc"))) if name.endswith(".smt2")]
        for number in range(times):
            words, file, right = tasks[number % len(tasks)]
            process = subprocess.Popen([self.craig, *words, os.path.join(self.examples, file)], cwd=self.folder,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            # Before there is a handler the process just ends, as any does.
            time.sleep(0.02 + self.random.expovariate(10))
            process.send_signal(signal.SIGINT)
            start = time.time()
            try:
                out, _ = process.communicate(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                out, _ = process.communicate()
            took, code = time.time() - start, process.returncode
            answer = out.split("\n")[0].split(":")[0].strip()
            self.interrupted += 1
            if took > 1.5 or (code >= 0 and not answer):
                self.complain(f"{words[0]} {file}: interrupted, it ends with {code} after {took:.1f} s and says `{answer}`")
            elif right and answer in ("safe", "unsafe", "sat", "unsat") and answer not in right:
                self.complain(f"{words[0]} {file}: interrupted, it says {answer}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("craig")
    parser.add_argument("examples")
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        test = Test(options, folder)
        for part in (test.bench, test.caches, test.project, test.suites, test.interrupts):
            part(options.times)
        print(f"{test.kills} kills, {test.flips} flipped bits, {test.interrupted} interrupts, {test.defects} defects")
        raise SystemExit(test.defects > 0)


main()
