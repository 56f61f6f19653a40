#!/usr/bin/env python3
"""Races lanes from Python against scikit-learn's LogisticRegression to the same objective.

Usage: race.py [--rounds 5] [--C 1] [--splices 1000,5000,20000] [--small-only] FILE[@CLASS] ...

FILE is LIBSVM text, plain or .xz; with @CLASS this label is the positive class. Prints tables in
Markdown. Each program trains in a process of its own, on one thread, in turn, on the same arrays.
A run of lanes ends by its own proof; a run of scikit-learn counts if its objective is as near to
the minimum, whatever tolerance it took.
"""

import argparse
import json
import lzma
import os
import pathlib
import select
import statistics
import subprocess
import sys
import tempfile

TARGETS = (1e-3, 1e-6)
SOLVERS = ("lbfgs", "liblinear", "newton-cg", "newton-cholesky", "saga")
TOLERANCES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-8)


def work(file, solver):
    """Answers requests on standard input by times, objectives and weights."""
    import time
    import warnings

    import numpy as np
    import scipy.sparse as sp

    if solver == "lanes":
        from lanes import LogisticRegression
    else:
        from sklearn.linear_model import LogisticRegression

    warnings.filterwarnings("ignore")
    arrays = np.load(file)
    x = sp.csr_matrix((arrays["data"], arrays["indices"], arrays["indptr"]), arrays["shape"])
    y = arrays["y"]
    sign, (n, d) = 2 * y - 1, x.shape
    x.has_canonical_format  # both programs get arrays that were looked at
    print("ready", flush=True)
    for line in sys.stdin:
        r = json.loads(line)
        if r["solver"] == "lanes":
            model = LogisticRegression(C=r["C"], fit_intercept=r["intercept"], tol=r["tol"], n_jobs=1)
        else:
            model = LogisticRegression(C=r["C"], fit_intercept=r["intercept"], tol=r["tol"], solver=r["solver"], max_iter=5000, random_state=0)
        times = []
        while not times or (len(times) < 20 and sum(times) < r.get("fill", 0)):
            begun = time.process_time()
            model.fit(x, y)
            times.append(time.process_time() - begun)
        w, b = model.coef_[0], float(np.ravel(model.intercept_)[0])
        objective = np.logaddexp(0, -sign * (x @ w + b)).mean() + w @ w / (2 * r["C"] * n)
        if r.get("weights"):
            np.append(w, b).tofile(r["weights"])
        status = pathlib.Path("/proc/self/status").read_text()  # ru_maxrss would count the process that started this one
        peak = int(status.split("VmHWM:")[1].split()[0]) * 1024 / 1e6
        print(json.dumps({"seconds": statistics.mean(times), "objective": objective, "peak": peak}), flush=True)


class Program:
    """A process that trains on the rows of a file."""

    def __init__(self, file):
        self.file, self.process = file, None

    def train(self, limit=600, **request):
        """What a run took, or None if it took longer than the limit."""
        if self.process is None:
            environment = {k: v for k, v in os.environ.items() if request["solver"] == "lanes" or k not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
            environment.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
            self.process = subprocess.Popen([sys.executable, __file__, "--work", self.file, request["solver"]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True, env=environment)
            self.process.stdout.readline()
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        if not select.select([self.process.stdout], [], [], limit)[0]:
            self.end()
            return None
        line = self.process.stdout.readline()
        if not line:
            self.end()
            return None
        return json.loads(line)

    def end(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


def read(name):
    """The rows of a file and labels 0 and 1."""
    from sklearn.datasets import load_svmlight_file

    path, _, positive = name.partition("@")
    text = lzma.open(path) if path.endswith(".xz") else open(path, "rb")
    with text:
        x, y = load_svmlight_file(text)
    return x, (y == float(positive) if positive else y == y.max()).astype(float)


def cell(x, y, C, intercept, rounds, folder):
    """A row of the table for each target."""
    import numpy as np

    file = os.path.join(folder, "rows.npz")
    np.savez(file, data=x.data, indices=x.indices, indptr=x.indptr, shape=x.shape, y=y)
    ours, theirs = Program(file), Program(file)
    how = {"C": C, "intercept": intercept}
    try:
        best = ours.train(solver="lanes", tol=1e-13, **how)["objective"]
        solvers = [s for s in SOLVERS if not (s == "liblinear" and intercept) and not (s == "newton-cholesky" and x.shape[1] > 2000)]
        for target in TARGETS:
            tol = target * best
            first = min((ours.train(solver="lanes", tol=tol, **how) for _ in range(2)), key=lambda r: r["seconds"])
            proved = first["objective"] <= best * (1 + target)
            limit = 40 * first["seconds"] + 1
            fastest = None
            for solver in solvers:
                for tolerance in TOLERANCES:
                    run = theirs.train(limit, solver=solver, tol=tolerance, **how)
                    if run is None or (fastest and run["seconds"] > 3 * fastest[0]):
                        break
                    if run["objective"] <= best * (1 + target):
                        if not fastest or run["seconds"] < fastest[0]:
                            fastest = run["seconds"], solver, tolerance
                        break
            if fastest is None:
                yield target, proved, first["seconds"], None, None, None, None, None
                continue
            theirs.end()  # a peak is one of the fastest solver alone
            ours.end()
            pairs, peaks = [], (0, 0)
            for _ in range(rounds):
                a = ours.train(solver="lanes", tol=tol, fill=0.05, **how)
                b = theirs.train(solver=fastest[1], tol=fastest[2], fill=0.05, **how)
                pairs.append((a["seconds"], b["seconds"]))
                peaks = a["peak"], b["peak"]
            yield (target, proved, statistics.median(a for a, _ in pairs), statistics.median(b for _, b in pairs),
                   statistics.median(b / a for a, b in pairs), f"{fastest[1]}, {fastest[2]:g}", *peaks)
    finally:
        ours.end()
        theirs.end()


def same(x, y, C, intercept, folder):
    """The largest difference of coefficients at tight tolerances."""
    import numpy as np

    file, out = os.path.join(folder, "rows.npz"), os.path.join(folder, "weights")
    np.savez(file, data=x.data, indices=x.indices, indptr=x.indptr, shape=x.shape, y=y)
    weights = []
    for solver, tol in ("lanes", 1e-16), ("newton-cholesky" if x.shape[1] < 500 else "newton-cg", 1e-11):
        program = Program(file)
        if program.train(60, solver=solver, tol=tol, C=C, intercept=intercept, weights=out) is None:
            return None, solver
        weights.append(np.fromfile(out))
        program.end()
    return np.abs(weights[0] - weights[1]).max(), solver


def small(rounds):
    """What calls cost on few numbers, by the clock: medians."""
    import time
    import warnings

    import lanes
    import numpy as np
    import scipy.sparse as sp
    from sklearn.linear_model import LogisticRegression

    warnings.filterwarnings("ignore")
    rng = np.random.default_rng(0)
    x = rng.standard_normal((100, 10))
    y = (x @ rng.standard_normal(10) + rng.standard_normal(100) > 0).astype(int)
    ours = lanes.LogisticRegression(n_jobs=1).fit(x, y)
    theirs = [LogisticRegression(solver=s).fit(x, y) for s in SOLVERS]

    def times(calls, number):
        table = [[] for _ in calls]
        for _ in range(number * rounds):
            for k, call in enumerate(calls):
                begun = time.perf_counter()
                call()
                table[k].append(1e6 * (time.perf_counter() - begun))
        return [statistics.median(t) for t in table]

    print("Calls on few numbers, microseconds by the clock, medians of calls in turn; scikit-learn's fastest solver.\n\n"
          "| call | lanes | scikit-learn | lanes - scikit-learn |\n|---|---|---|---|")
    fits = times([lambda m=m: m.fit(x, y) for m in [ours, *theirs]], 20)
    rows = [("fit of 100 rows x 10 columns", fits[0], min(fits[1:]))]
    one, sparse = x[:1].copy(), sp.csr_matrix(x[:1])
    for name, call in (("predict, one dense row", lambda m: m.predict(one)), ("predict_proba, one dense row", lambda m: m.predict_proba(one)),
                       ("predict, one sparse row", lambda m: m.predict(sparse))):
        rows.append((name, *times([lambda m=m: call(m) for m in (ours, theirs[0])], 100)))
    for name, a, b in rows:
        print(f"| {name} | {a:.0f} | {b:.0f} | {a - b:+.0f} |")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--work")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--C", default="1")
    parser.add_argument("--splices", default="1000,5000,20000")
    parser.add_argument("--small-only", action="store_true")
    parser.add_argument("files", nargs="*")
    o = parser.parse_args()
    if o.work:
        return work(o.work, o.files[0])
    os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    small(o.rounds)
    if o.small_only:
        return None
    print("Training to an objective within a share of the minimum, one thread, milliseconds by the processor's time, medians in turn. Peak memory is of the "
          "whole process, Python, rows and all. liblinear penalises the intercept, and newton-cholesky makes a dense matrix of the columns: the first is left "
          "out with an intercept, the second above 2,000 columns.\n\n"
          "| rows | n | columns | C | intercept | share | lanes, ms | scikit-learn, ms | solver, tol | times faster | lanes, peak MB | scikit-learn, peak MB |\n"
          "|---|---|---|---|---|---|---|---|---|---|---|---|", flush=True)
    ratios, memory, unproved, equal = [], [], 0, []
    with tempfile.TemporaryDirectory() as folder:
        for name in o.files:
            x, y = read(name)
            n = x.shape[0]
            title = pathlib.Path(name.partition("@")[0]).name.removesuffix(".xz")
            for rows in [s for s in map(int, o.splices.split(",")) if s < n] + [n]:
                part, labels = x[:rows], y[:rows]
                if len(set(labels)) < 2:
                    print(f"{name}: one class in the first {rows} rows", file=sys.stderr)
                    continue
                for C in map(float, o.C.split(",")):
                    for intercept in (False, True):
                        for target, proved, a, b, ratio, solver, mine, other in cell(part, labels, C, intercept, o.rounds, folder):
                            unproved += not proved
                            start = f"| {title} | {rows} | {x.shape[1]} | {C:g} | {'yes' if intercept else 'no'} | {target:g} | {1e3 * a:.2f} |"
                            if b is None:
                                print(f"{start} above {1e3 * (40 * a + 1):.0f} | none | | | |", flush=True)
                                continue
                            ratios.append(ratio)
                            memory.append(mine / other)
                            print(f"{start} {1e3 * b:.2f} | {solver} | **{ratio:.1f}** | {mine:.0f} | {other:.0f} |", flush=True)
            equal.append((title, min(n, 5000), *same(x[:5000], y[:5000], 1.0, True, folder)))
    if not ratios:
        return None
    print(f"\n**Median {statistics.median(ratios):.1f}, least {min(ratios):.2f}; {sum(r < 2 for r in ratios)} of {len(ratios)} cells below 2.** "
          f"Memory: in the median {statistics.median(memory):.2f} of scikit-learn's, at most {max(memory):.2f}. "
          f"{unproved} runs of lanes ended above the objective that they claim.\n")
    print("Largest difference of coefficients and intercept, C = 1, first 5,000 rows, tight tolerances.\n\n| rows | n | scikit-learn's solver | difference |\n|---|---|---|---|")
    for title, n, difference, solver in equal:
        print(f"| {title} | {n} | {solver} | {'above 60 s' if difference is None else f'{difference:.1e}'} |")
    print()
    return None


if __name__ == "__main__":
    sys.exit(main())
