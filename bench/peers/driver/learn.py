"""Trains logistic regression by scikit-learn, Cyanure, celer or skglm without the reading.

Usage: learn.py sklearn|cyanure|celer|skglm FILE [FOLDER]
with LIBSVM text of labels -1 and +1, and but for scikit-learn the folder of the module. Answers
"ready"; then lines "SOLVER C TOLERANCE INTERCEPT WEIGHTS" on standard input, each of which
is answered by the seconds of training, of the processor and of the clock; the weights go
to the file WEIGHTS. INTERCEPT is 0. Cyanure's SOLVER is its name and, behind a slash, after
how many iterations each it looks at the duality gap; scikit-learn's has "l1/" before its
name for an L1 norm in place of the squared one, and "softmax/" for one model of all classes,
whose weights come class by class. celer and skglm take L1 norms; SOLVER is "columns" for rows that
are stored by columns before the clock starts, or "rows" for a copy by columns within the time.
"""
import os
import sys
import time
import warnings

import numpy as np
from sklearn.datasets import load_svmlight_file

warnings.filterwarnings("ignore")
kind, file = sys.argv[1:3]
x, y = load_svmlight_file(file)
answers = os.fdopen(os.dup(1), "w")
if kind == "sklearn":
    from sklearn.linear_model import LogisticRegression

    def train(solver, c, tolerance):
        if solver == "newton-cholesky" and x.shape[1] > 2000:
            raise ValueError("it makes a dense matrix of the columns")
        what, _, name = solver.rpartition("/")
        model = LogisticRegression(penalty="l1" if what == "l1" else "l2", C=c, solver=name, tol=tolerance, max_iter=2000,
                                   fit_intercept=False, random_state=0, multi_class="multinomial" if what == "softmax" else "auto")
        w = model.fit(x, y).coef_
        if what != "softmax":
            return w[0]
        return w if len(w) > 1 else np.vstack([-w, w])
elif kind in ("celer", "skglm"):
    sys.path.insert(0, sys.argv[3])
    if kind == "celer":
        from celer import LogisticRegression

        def model(c, tolerance):
            return LogisticRegression(C=c, tol=tolerance, max_iter=1000, fit_intercept=False)
    else:
        from skglm import SparseLogisticRegression

        def model(c, tolerance):
            return SparseLogisticRegression(alpha=1 / (c * x.shape[0]), tol=tolerance, max_iter=1000, fit_intercept=False)

    def by_columns(rows):
        turned = rows.tocsc()
        turned.indices, turned.indptr = turned.indices.astype(np.int32, copy=False), turned.indptr.astype(np.int32, copy=False)
        return turned

    columns = by_columns(x)
    # numba compiles at the first fit: with the types of the data, on few rows of both labels.
    few = np.concatenate([np.flatnonzero(y == label)[:20] for label in (-1, 1)])
    model(100, 0.1).fit(by_columns(x[few]), y[few])

    def train(solver, c, tolerance):
        return np.ravel(model(c, tolerance).fit(columns if solver == "columns" else by_columns(x), y).coef_)
else:
    sys.path.insert(0, sys.argv[3])
    from cyanure_wrap import erm_

    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)  # it prints there, and warns below whatever verbose says
    os.dup2(nothing, 2)
    turned = x.T

    def train(solver, c, tolerance):
        name, interval = solver.split("/")
        before, w = np.zeros(x.shape[1]), np.zeros(x.shape[1])
        erm_(turned, y, before, w, dual_variable=None, loss="logistic", penalty="l2", solver=name,
             lambda_1=1 / (c * x.shape[0]), lambda_2=0.0, lambda_3=0.0, intercept=False, tol=tolerance,
             duality_gap_interval=int(interval), max_iter=500, limited_memory_qning=50, fista_restart=50,
             verbose=False, univariate=True, n_threads=1, seed=0)
        return w

print("ready", file=answers, flush=True)
for line in sys.stdin:
    solver, c, tolerance, _, weights = line.split()
    clock, processor = time.perf_counter(), time.process_time()
    try:
        w = train(solver, float(c), float(tolerance))
    except ValueError as error:
        print(error, file=answers, flush=True)
        continue
    processor, clock = time.process_time() - processor, time.perf_counter() - clock
    w.tofile(weights)
    print(processor, clock, file=answers, flush=True)
