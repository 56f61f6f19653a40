"""Trains logistic regression by an installed module, without the reading.

Usage: learn.py sklearn|cyanure|glum|celer|skglm FILE
with LIBSVM text of labels -1 and +1. Answers "ready"; then lines "SOLVER C TOLERANCE INTERCEPT
WEIGHTS" on standard input, each of which is answered by the seconds of training, of the processor
and of the clock; the weights go to the file WEIGHTS. INTERCEPT is 0. Cyanure's SOLVER is its name
and, behind a slash, after how many iterations each it looks at the duality gap; scikit-learn's has
"l1/" before its name for an L1 norm in place of the squared one, and "softmax/" for one model of
all classes, whose weights come class by class. celer and skglm take L1 norms; SOLVER is "columns"
for rows that are stored by columns before the clock starts, or "rows" for a copy by columns within
the time.
"""
import os
import sys
import time
import warnings

import numpy as np
from sklearn.datasets import load_svmlight_file

warnings.filterwarnings("ignore")
module, file = sys.argv[1:]
x, y = load_svmlight_file(file)
answers = os.fdopen(os.dup(1), "w")


def dense(most=2000):
    if x.shape[1] > most:
        raise ValueError("it makes a dense matrix of the columns")


if module == "sklearn":
    from sklearn.linear_model import LogisticRegression

    def train(solver, c, tolerance):
        what, _, name = solver.rpartition("/")
        if name == "newton-cholesky":
            dense()
        model = LogisticRegression(penalty="l1" if what == "l1" else "l2", C=c, solver=name, tol=tolerance, max_iter=2000,
                                   fit_intercept=False, random_state=0, multi_class="multinomial" if what == "softmax" else "auto")
        w = model.fit(x, y).coef_
        if what != "softmax":
            return w[0]
        return w if len(w) > 1 else np.vstack([-w, w])
elif module == "cyanure":
    from cyanure.estimators import Classifier

    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, 1)  # it prints there, and warns below whatever verbose says
    os.dup2(nothing, 2)

    def train(solver, c, tolerance):
        name, interval = solver.split("/")
        model = Classifier(loss="logistic", penalty="l2", solver=name, lambda_1=1 / (c * x.shape[0]), tol=tolerance,
                           duality_gap_interval=int(interval), max_iter=500, fit_intercept=False, verbose=False, n_threads=1)
        return np.ravel(model.fit(x, y).coef_)
elif module == "glum":
    from glum import GeneralizedLinearRegressor

    columns, positive = x.tocsc(), (y > 0).astype(float)

    def train(solver, c, tolerance):
        if solver == "irls-ls":
            dense()
        model = GeneralizedLinearRegressor(family="binomial", alpha=1 / (c * x.shape[0]), l1_ratio=0, solver=solver,
                                           gradient_tol=tolerance, max_iter=2000, fit_intercept=False)
        return np.ravel(model.fit(columns, positive).coef_)
else:
    if module == "celer":
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
