"""Fits scikit-learn's logistic regression on LIBSVM text with labels -1 and +1.

Usage: sklearn.py FILE LIMIT SOLVERS C:OPTIMUM...
times fits by several solvers and tolerances for every C, without the reading, until
one is within 1e-6 of the optimum or takes LIMIT seconds. Prints one line a fit: number
of the C, solver, tolerance, seconds, objective mean loss + ||w||^2/(2 C n).

Usage: sklearn.py FILE SOLVER C TOLERANCE MODEL
fits once and writes the weights as raw float64, to be timed as a process.
"""
import sys
import time
import warnings

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression

warnings.filterwarnings("ignore")
x, y = load_svmlight_file(sys.argv[1])


def train(solver, c, tolerance):
    model = LogisticRegression(C=c, solver=solver, tol=tolerance, max_iter=2000, fit_intercept=False)
    return model.fit(x, y).coef_[0]


if ":" not in sys.argv[-1]:
    train(sys.argv[2], float(sys.argv[3]), float(sys.argv[4])).tofile(sys.argv[5])
    sys.exit()

limit = float(sys.argv[2])
for number, pair in enumerate(sys.argv[4:]):
    c, optimum = map(float, pair.split(":"))
    for solver in sys.argv[3].split(","):
        for tolerance in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6):
            start = time.perf_counter()
            w = train(solver, c, tolerance)
            seconds = time.perf_counter() - start
            objective = np.logaddexp(0, -y * (x @ w)).mean() + w @ w / (2 * c * x.shape[0])
            print(number, solver, tolerance, seconds, repr(float(objective)), flush=True)
            if seconds > limit or objective - optimum <= 1e-6 * optimum:
                break
