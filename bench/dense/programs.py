#!/usr/bin/env python3
"""The programs of dense.py: lanes and its peers, each a function that fits to a tolerance.

Usage: programs.py FOLDER. Loads the rows of the folder, and answers lines of JSON on standard
input, {"program": NAME, "tol": 0.1, "fill": 0.05, "out": FILE}, by processor seconds of a fit:
the mean of as many fits as take "fill" seconds. Its weights go to the file. Libraries are
imported, and rows are turned to the layout that the program documents, before the clock starts.
"""

import importlib.util
import json
import os
import re
import resource
import subprocess
import sys
import time
import warnings

import numpy as np

MOST = 1000000  # iterations: a tolerance ends a run


def row_of(model):
    """Coefficients and intercept of an estimator, as models x (columns + 1)."""
    w = np.atleast_2d(model.coef_)
    return np.column_stack([w, np.broadcast_to(np.ravel(model.intercept_), len(w))])


def lanes_fit(p, x, y):
    """lanes on one thread, by its estimators of Python and their own choice of a solver."""
    import lanes

    n, free = p["n"], {"fit_intercept": p["intercept"], "n_jobs": 1}
    if p["kind"] in ("logistic", "softmax"):
        penalty = {"penalty": "l1", "C": 1 / (p["l1"] * n)} if p["l1"] else {"C": 1 / (p["l2"] * n)}
        several = {"multi_class": "multinomial"} if p["kind"] == "softmax" else {}
        return lambda tol: row_of(lanes.LogisticRegression(tol=tol, **penalty, **several, **free).fit(x, y))
    if p["kind"] == "path":

        def path(tol):
            _, w, _, b = lanes.lasso_path(x, y, alphas=p["l1s"], tol=tol, return_intercepts=True, **free)
            return np.column_stack([w.T, b])

        return path
    if p["kind"] == "predict":
        model = lanes.Ridge(alpha=p["l2"] * n, **free).fit(x, y)
        return lambda _: model.predict(x)
    if p["l1"] == 0:
        return lambda tol: row_of(lanes.Ridge(alpha=p["l2"] * n, tol=tol, **free).fit(x, y))
    if p["l2"] == 0:
        return lambda tol: row_of(lanes.Lasso(alpha=p["l1"], tol=tol, **free).fit(x, y))
    alpha = p["l1"] + p["l2"]
    return lambda tol: row_of(lanes.ElasticNet(alpha=alpha, l1_ratio=p["l1"] / alpha, tol=tol, **free).fit(x, y))


def lanes_info(_, table, __):
    """The command on a table: a whole process, by its own report of the processor's time."""

    def run(_):
        subprocess.run([os.environ["LANES_COMMAND"], "info", "--quiet", "--workers", "1", table], check=True, stdout=subprocess.DEVNULL)

    return run


def pandas_describe(_, table, __):
    import pandas

    def run(_):
        pandas.read_csv(table).describe()

    return run


def sklearn_squared(solver):
    """scikit-learn's coordinate descent, or a solver of its Ridge. Sparse rows are in columns before the clock starts."""

    def make(p, x, y):
        from sklearn.linear_model import ElasticNet, Lasso, Ridge

        n, free = p["n"], {"fit_intercept": p["intercept"], "max_iter": MOST}
        if p["l1"] == 0:
            return lambda tol: row_of(Ridge(alpha=p["l2"] * n, solver=solver, tol=tol, random_state=0, **free).fit(x, y))
        if p.get("sparse"):
            x = x.tocsc()
        free["precompute"] = solver == "gram"
        if p["l2"] == 0:
            return lambda tol: row_of(Lasso(alpha=p["l1"], tol=tol, **free).fit(x, y))
        alpha = p["l1"] + p["l2"]
        return lambda tol: row_of(ElasticNet(alpha=alpha, l1_ratio=p["l1"] / alpha, tol=tol, **free).fit(x, y))

    return make


def sklearn_logistic(solver):
    def make(p, x, y):
        from sklearn.linear_model import LogisticRegression

        penalty = "l1" if p["l1"] else "l2"
        model = {"penalty": penalty, "C": 1 / (p[penalty] * p["n"]), "solver": solver, "fit_intercept": p["intercept"], "max_iter": MOST,
                 "multi_class": "multinomial" if p["kind"] == "softmax" else "auto", "random_state": 0}
        return lambda tol: row_of(LogisticRegression(tol=tol, **model).fit(x, y))

    return make


def sklearn_path(precompute):
    def make(p, x, y):
        from sklearn.linear_model import lasso_path

        def run(tol):
            mean, level = x.mean(axis=0), y.mean()  # lasso_path has no intercept
            _, w, _ = lasso_path(np.asfortranarray(x - mean), y - level, alphas=p["l1s"], tol=tol, precompute=precompute, max_iter=MOST)
            return np.column_stack([w.T, level - mean @ w])

        return run

    return make


def sklearn_predict(p, x, y):
    from sklearn.linear_model import Ridge

    model = Ridge(alpha=p["l2"] * p["n"], fit_intercept=p["intercept"]).fit(x, y)
    return lambda _: model.predict(x)


def scipy_ridge(name):
    """lsqr or lsmr of scipy, on rows that are centred as they are used."""

    def make(p, x, y):
        from scipy.sparse import linalg

        solve, n = getattr(linalg, name), p["n"]

        def run(tol):
            mean, level = (x.mean(axis=0), y.mean()) if p["intercept"] else (np.zeros(p["d"]), 0.0)
            centred = linalg.LinearOperator(x.shape, lambda v: x @ np.ravel(v) - mean @ np.ravel(v), rmatvec=lambda u: u @ x - mean * u.sum(), dtype=float)
            w = solve(centred, y - level, damp=np.sqrt(p["l2"] * n), atol=tol, btol=tol, conlim=0)[0]
            return np.append(w, level - mean @ w)[None]

        return run

    return make


def celer_fit(p, x, y):
    import celer

    x = np.asfortranarray(x) if isinstance(x, np.ndarray) else x.tocsc()
    if p["kind"] == "logistic":
        return lambda tol: row_of(celer.LogisticRegression(C=1 / (p["l1"] * p["n"]), fit_intercept=False, tol=tol, max_iter=1000).fit(x, 2 * y - 1))
    return lambda tol: row_of(celer.Lasso(alpha=p["l1"], fit_intercept=p["intercept"], tol=tol, max_iter=1000).fit(x, y))


def skglm_fit(p, x, y):
    import skglm

    x = np.asfortranarray(x) if isinstance(x, np.ndarray) else x.tocsc()
    if p["kind"] == "logistic":
        model = skglm.SparseLogisticRegression(alpha=p["l1"], fit_intercept=p["intercept"], max_iter=1000)
    elif p["l2"]:
        model = skglm.ElasticNet(alpha=p["l1"] + p["l2"], l1_ratio=p["l1"] / (p["l1"] + p["l2"]), fit_intercept=p["intercept"], max_iter=1000)
    else:
        model = skglm.Lasso(alpha=p["l1"], fit_intercept=p["intercept"], max_iter=1000)
    model.set_params(tol=1.0).fit(x, y)  # numba compiles
    return lambda tol: row_of(model.set_params(tol=tol).fit(x, y))


MAKERS = {
    "lanes": lanes_fit, "lanes info": lanes_info, "pandas": pandas_describe, "celer": celer_fit, "skglm": skglm_fit,
    "scikit-learn predict": sklearn_predict, "scikit-learn path": sklearn_path(False), "scikit-learn path, gram": sklearn_path(True),
    "scipy lsqr": scipy_ridge("lsqr"), "scipy lsmr": scipy_ridge("lsmr"),
    "scikit-learn descent": sklearn_squared("descent"), "scikit-learn gram": sklearn_squared("gram"),
    **{f"scikit-learn {s}": sklearn_squared(s) for s in ("cholesky", "lsqr", "sparse_cg")},
    **{f"scikit-learn {s}": sklearn_logistic(s) for s in ("lbfgs", "newton-cg", "newton-cholesky", "liblinear")},
}


def has(module):
    """Whether Python has a module."""
    return importlib.util.find_spec(module) is not None


def peers_of(p):
    """The names of the installed peers that solve a problem, those of R as "glmnet MODE"."""
    return [name for name in _solvers_of(p) if has({"scikit-learn": "sklearn"}.get(name.split()[0], name.split()[0])) or name.startswith("glmnet")]


def _solvers_of(p):
    kind, n, d = p["kind"], p["n"], p["d"]
    if kind == "csv":
        return ["pandas"]
    if kind == "predict":
        return ["scikit-learn predict"]
    if kind == "path":
        return ["scikit-learn path", "scikit-learn path, gram", "glmnet points"]
    if kind == "softmax":
        return ["scikit-learn lbfgs", "scikit-learn newton-cg"]
    if kind == "logistic" and p["l1"]:
        plain = [] if p["intercept"] else ["scikit-learn liblinear", "celer"]  # liblinear penalises an intercept
        return plain + ["skglm", "glmnet alone", "glmnet path"]
    if kind == "logistic":
        small = ["scikit-learn newton-cholesky"] if d <= 2000 else []
        plain = [] if p["intercept"] else ["scikit-learn liblinear"]
        return ["scikit-learn lbfgs", "scikit-learn newton-cg"] + small + plain
    if p["l1"] == 0:
        return ["scikit-learn lsqr", "scikit-learn sparse_cg", "scipy lsqr", "scipy lsmr", "scikit-learn cholesky", "glmnet alone"]
    gram = ["scikit-learn gram"] if d <= 2 * n and d <= 5000 else []  # the matrix is d x d
    return ["scikit-learn descent"] + gram + ([] if p["l2"] else ["celer"]) + ["skglm", "glmnet alone", "glmnet path"]


def processor():
    """Seconds of this process and of those that it waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + spent.ru_utime + spent.ru_stime


def blas():
    """The files of BLAS that this process has loaded."""
    with open("/proc/self/maps", encoding="utf-8") as file:
        return sorted({os.path.realpath(line.split()[-1]) for line in file if re.match("lib(open)?blas", line.rpartition("/")[2])})


def main():
    from workloads import load

    warnings.filterwarnings("ignore")
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a peer prints is no answer
    p, x, y = load(sys.argv[1])
    made = {}
    print(json.dumps({"blas": blas()}), file=answers, flush=True)
    for line in sys.stdin:
        r = json.loads(line)
        try:
            fit = made.get(r["program"])
            if fit is None:
                fit = made[r["program"]] = MAKERS[r["program"]](p, x, y)
            count, begun, clock = 0, processor(), time.perf_counter()
            while True:
                w = fit(r["tol"])
                count += 1
                spent = processor() - begun
                if spent >= r["fill"] or count == 1000:
                    break
            answer = {"seconds": spent / count, "clock": (time.perf_counter() - clock) / count}
            if w is not None:
                np.save(r["out"], w)
        except Exception as error:  # pylint: disable=broad-except
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
