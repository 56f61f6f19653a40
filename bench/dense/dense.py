#!/usr/bin/env python3
"""Races lanes from Python against scikit-learn, scipy, glmnet and pandas on dense rows.

Usage: dense.py [--quick] [--only PATTERN] [--rounds 5] [--limit 120] [--budget 60]
       [--json] [--list]

Prints a table in Markdown: for each workload the processor's time of the fastest peer over that
of lanes, to an objective within 1e-3 and within 1e-6 of the least known one, as a share of it.
A ratio above 1 is a lead of lanes. The time is that of a fit alone, from arrays in memory, lanes
on one thread. "Warm" are fits after the first of a process, "fresh" is the first one.

Each program gets the loosest tolerance of a grid of 10^(-k/2) whose objective is good enough. The
objective is computed here, from the weights. The least known one is the least of all runs, those
of tight tolerances among them. Then lanes and the fastest peer take turns, in processes of their
own, and the median of the ratios counts. A peer's BLAS runs with its own number of threads and on
one thread; what takes less of the processor counts. Peers that are not installed are named.

A round that begins after --budget seconds of the clock is left out: slow fits get fewer rounds.
--quick makes rows of about 8 MB, for a look at the program, not at lanes. --only takes a
regular expression of titles. --limit ends a fit after as many seconds of the clock. --json prints one object.
"""

import argparse
import json
import os
import re
import select
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import programs
import workloads

HERE = os.path.dirname(os.path.abspath(__file__))
TARGETS = (1e-3, 1e-6)
GRID = [10 ** (-k / 2) for k in range(33)]  # 1 to 1e-16
STEP = 4  # of the grid in a first search
TIGHT = 20  # the place of the tolerance that finds the least objective, 1e-10
FILL = 0.05  # seconds of fits that a warm time is the mean of
TUNING = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE", "OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


class TooLong(Exception):
    pass


class Process:
    """A process that has the rows of a folder in memory, and fits them by one program after another."""

    def __init__(self, folder, glmnet=False, one_thread=True):
        self.folder, self.glmnet, self.blas = folder, glmnet, []
        environment = {name: value for name, value in os.environ.items() if name not in TUNING}
        if one_thread:
            environment.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
        command = ["Rscript", os.path.join(HERE, "glmnet.R")] if glmnet else [sys.executable, os.path.join(HERE, "programs.py")]
        self.process = subprocess.Popen(command + [folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{' '.join(command)} does not start")
        if not glmnet:
            self.blas = json.loads(line)["blas"]

    def fit(self, program, tol, fill, limit):
        """Seconds of a fit and its result: weights, predictions or None."""
        out = os.path.join(self.folder, "out.npy")
        if os.path.exists(out):
            os.remove(out)
        if self.glmnet:
            request = f"{program.split()[1]} {tol:.17g} {fill} {out}"
        else:
            request = json.dumps({"program": program, "tol": tol, "fill": fill, "out": out})
        print(request, file=self.process.stdin, flush=True)
        if not select.select([self.process.stdout], [], [], limit)[0]:
            raise TooLong(f"{program} takes longer than {limit:.0f} s")
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{program} died")
        if self.glmnet:
            if line.startswith("error"):
                raise RuntimeError(line.strip())
            return float(line.split()[0]), np.fromfile(out)
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer["seconds"], np.load(out) if os.path.exists(out) else None

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


def rscript():
    """Whether R has glmnet."""
    try:
        return subprocess.run(["Rscript", "-e", "library(glmnet)"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def say(text):
    print(text, file=sys.stderr, flush=True)


def for_glmnet(folder, p, x, y):
    """Writes what glmnet.R reads."""

    def keep(name, array, kind=np.float64):
        np.asarray(array, kind).tofile(os.path.join(folder, "r." + name))

    entries = x.tocoo() if p.get("sparse") else None
    keep("problem", [p["n"], p["d"], 0 if entries is None else entries.nnz, p["kind"] == "logistic", p["intercept"], p["l1"], p["l2"]])
    if entries is None:
        keep("x", x.T)
    else:
        keep("rows", entries.row, np.int32)
        keep("columns", entries.col, np.int32)
        keep("x", entries.data)
    keep("y", y)
    if "l1s" in p:
        keep("points", p["l1s"])


class Race:
    """A workload, its data in a folder, and what was found out about the programs."""

    def __init__(self, row, options, folder):
        self.options, self.folder = options, folder
        self.problem, self.x, self.y = workloads.make(row, options.quick, folder)
        self.ours = "lanes info" if self.problem["kind"] == "csv" else "lanes"
        self.targets = (None,) if self.problem["kind"] in ("csv", "predict") else TARGETS
        self.processes, self.runs, self.best = {}, {}, None
        self.peers = [name for name in programs.peers_of(self.problem) if not name.startswith("glmnet") or options.glmnet]
        if any(name.startswith("glmnet") for name in self.peers):
            for_glmnet(folder, self.problem, self.x, self.y)

    def _key(self, program, one_thread):
        return program.split()[0] in ("lanes", "glmnet") and program.split()[0], one_thread

    def fit(self, program, tol, fill=0.0, one_thread=True, limit=None):
        """Seconds and objectives of a warm fit."""
        key = self._key(program, one_thread)
        if key not in self.processes:
            self.processes[key] = Process(self.folder, key[0] == "glmnet", one_thread)
        try:
            seconds, result = self.processes[key].fit(program, tol, fill, limit or self.options.limit)
        except (TooLong, RuntimeError, BrokenPipeError):
            self.processes.pop(key).end()
            raise
        return seconds, self.objectives(result)

    def objectives(self, result):
        if self.targets == (None,):
            return result
        return workloads.objective(self.problem, self.x, self.y, result.reshape(-1, self.problem["d"] + 1))

    def try_fit(self, program, k, limit=None):
        """What a warm fit with the tolerance of a number took, and its objectives. It is remembered."""
        if (program, k) not in self.runs:
            self.runs[program, k] = self.fit(program, GRID[k], limit=limit)
        return self.runs[program, k]

    def end(self):
        for process in self.processes.values():
            process.end()

    def tight(self):
        """The least objectives that any program finds; programs that fail are left out."""
        ends = {}
        for program in [self.ours] + self.peers:
            try:
                ends[program] = self.try_fit(program, TIGHT)[1]
                self.best = ends[program] if self.best is None else np.minimum(self.best, ends[program])
            except TooLong as error:
                say(f"  {error} at the tolerance {GRID[TIGHT]:.0e}")
            except (RuntimeError, BrokenPipeError) as error:
                say(f"  {program} is left out: {error}")
                self.peers = [name for name in self.peers if name != program]
        for program, found in ends.items():  # who ends elsewhere solves another problem, or does not solve it
            excess = ((found - self.best) / np.abs(self.best)).max()
            if excess > TARGETS[-1]:
                say(f"  {program} ends {excess:.1e} above the least objective")

    def within(self, objectives, target):
        return target is None or self.best is not None and bool((objectives <= self.best + target * np.abs(self.best)).all())

    def loosest(self, program, target, most):
        """The number of the loosest tolerance that reaches a target, and the seconds of a fit; None if it takes most or more."""
        reached = lambda k: self.within(self.try_fit(program, k)[1], target)
        low, k = -1, 0  # low is too loose
        try:
            while not reached(k):
                if k + STEP >= len(GRID) or self.runs[program, k][0] > most:
                    return None
                low, k = k, k + STEP
            while k - low > 1:
                middle = (low + k) // 2
                low, k = (low, middle) if reached(middle) else (middle, k)
        except (TooLong, RuntimeError, BrokenPipeError) as error:
            say(f"  {error}")
            return None
        seconds = self.runs[program, k][0]
        return k, seconds if seconds > FILL else min(seconds, self.fit(program, GRID[k], FILL)[0])

    def fastest(self, target):
        """The peer that reaches a target first: seconds, name, number of the tolerance."""
        best = None
        for program in self.peers:
            found = self.loosest(program, target, 3 * best[0] if best else np.inf)
            if found and (best is None or found[1] < best[0]):
                best = found[1], program, found[0]
        return best

    def rounds(self, ours, theirs, fresh):
        """Seconds of lanes and of the peer in turn, each a program and a number of a tolerance."""
        threads = (True, False) if self.options.openblas else (True,)
        contenders = [(*ours, True)] + [(*theirs, one) for one in threads]
        table, begun = [], time.perf_counter()
        while len(table) < self.options.rounds:
            line = []
            for program, k, one in contenders:
                if fresh:
                    process = Process(self.folder, program.startswith("glmnet"), one)
                    line.append(process.fit(program, GRID[k], 0.0, self.options.limit * 2)[0])
                    process.end()
                else:
                    line.append(self.fit(program, GRID[k], FILL, one, self.options.limit * 2)[0])
            table.append(line)
            spent = time.perf_counter() - begun
            if spent + spent / len(table) > self.options.budget:
                break
        columns = np.median(np.array(table), axis=0)
        chosen = 1 + int(np.argmin(columns[1:]))
        return {"lanes": columns[0], "peer": columns[chosen], "ratio": statistics.median(line[chosen] / line[0] for line in table),
                "threads": "1" if threads[chosen - 1] else "default", "rounds": len(table)}

    def run(self):
        """Results of each target. A program that fails is left out; if it is lanes, there are no ratios."""
        if self.targets != (None,):
            self.tight()
        results = []
        for target in self.targets:
            ours = self.loosest(self.ours, target, np.inf)
            theirs = self.fastest(target)
            result = {"target": target, "peer": theirs and theirs[1], "reached": ours is not None}
            if ours and theirs:
                pair = (self.ours, ours[0]), theirs[1:]
                result.update(tolerances=[GRID[ours[0]], GRID[theirs[2]]], warm=self.rounds(*pair, False), fresh=self.rounds(*pair, True))
            results.append(result)
        return results


def short(ratio):
    return f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.1g}"


def milliseconds(seconds):
    return f"{1e3 * seconds:.{0 if seconds >= 0.1 else 1 if seconds >= 0.01 else 2}f}"


def cells(row, results):
    """A line of the table."""
    title = row[0]
    ratios, times, peers = {}, {}, []
    for how in ("warm", "fresh"):
        ratios[how] = [f"**{short(r[how]['ratio'])}**" if how in r else "none" for r in results]
        times[how] = [f"{milliseconds(r[how]['lanes'])} : {milliseconds(r[how]['peer'])}" if how in r else "none" for r in results]
    for r in results:
        text = r["peer"] or "no peer reaches it"
        if not r["reached"]:
            text += "; lanes does not reach it"
        elif r["peer"] and r["warm"]["threads"] != "1":
            text += " (threads)"
        if text not in peers:
            peers.append(text)
    both = lambda table: " | ".join(" / ".join(table[how]) for how in ("warm", "fresh"))
    return f"| {title} | {both(ratios)} | {both(times)} | {' / '.join(peers)} |"


def summary(table):
    """Lines about all ratios."""
    for how in ("warm", "fresh"):
        ratios = [r[how]["ratio"] for row in table for r in row["results"] if how in r]
        if ratios:
            yield f"{how}: median {short(statistics.median(ratios))}, least {short(min(ratios))}, {sum(r < 1 for r in ratios)} of {len(ratios)} below 1"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=0, help="default: 5, with --quick 1")
    parser.add_argument("--limit", type=float, default=120)
    parser.add_argument("--budget", type=float, default=60)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--list", action="store_true")
    o = parser.parse_args()
    o.rounds = o.rounds or (1 if o.quick else 5)
    rows = [row for row in workloads.ROWS if re.search(o.only, row[0])]
    if not rows:
        sys.exit(f"no workload has a title like {o.only!r}: see --list")
    if o.list:
        return print("\n".join(row[0] for row in rows))
    o.glmnet = rscript()
    import scipy.linalg  # loads BLAS

    libraries = programs.blas()
    o.openblas = any("openblas" in name for name in libraries)
    missing = [name for name in ("celer", "skglm", "pandas") if not programs.has(name)] + ([] if o.glmnet else ["glmnet (r-cran-glmnet)"])
    if not o.openblas:
        say("NumPy's BLAS is not OpenBLAS: peers are slower than they could be (Debian: libopenblas0-pthread)")
    load = os.getloadavg()[0]
    about = [f"BLAS of the peers: {', '.join(map(os.path.basename, libraries)) or 'unknown'}. Not installed: {', '.join(missing) or 'nothing'}."]
    if not o.json:
        print("Times of the fastest peer over those of lanes by the processor, to objectives within 1e-3 / 1e-6; then milliseconds of lanes : the peer. "
              f"{'Small rows, for a try. ' if o.quick else ''}{' '.join(about)}\n\n"
              "| workload | warm | fresh process | warm, ms | fresh, ms | fastest peer |\n|---|---|---|---|---|---|", flush=True)
    table = []
    for row in rows:
        say(f"{row[0]} (load {os.getloadavg()[0]:.1f})")
        with tempfile.TemporaryDirectory() as folder:
            race = Race(row, o, folder)
            try:
                results = race.run()
            finally:
                race.end()
        table.append({"workload": row[0], "rows": race.problem["n"], "columns": race.problem["d"], "results": results})
        if not o.json:
            print(cells(row, results), flush=True)
    about += [f"Load average {load:.1f} before and {os.getloadavg()[0]:.1f} after.", *(line + "." for line in summary(table))]
    if o.json:
        print(json.dumps({"about": about, "quick": o.quick, "workloads": table}))
    else:
        print("\n" + "\n".join(about))
    return None


if __name__ == "__main__":
    main()
