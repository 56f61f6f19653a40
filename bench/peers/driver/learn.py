"""Trains logistic regression by scikit-learn or Cyanure without the reading.

Usage: learn.py sklearn|cyanure FILE [FOLDER]
with LIBSVM text of labels -1 and +1, and for Cyanure the folder of its module. Answers
"ready"; then lines "SOLVER C TOLERANCE INTERCEPT WEIGHTS" on standard input, each of which
is answered by the seconds of training, of the processor and of the clock; the weights go
to the file WEIGHTS. INTERCEPT is 0. Cyanure's SOLVER is its name and, behind a slash, after
how many iterations each it looks at the duality gap; scikit-learn's has "l1/" before its
name for an L1 norm in place of the squared one, and "softmax/" for one model of all classes,
whose weights come class by class.
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
