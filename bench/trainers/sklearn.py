"""Fits scikit-learn's logistic regression by several solvers and tolerances.

Usage: sklearn.py FILE C, where FILE is LIBSVM text with labels -1 and +1. Prints
one line a fit: solver, tolerance, seconds, objective mean loss + ||w||^2/(2 C n).
"""
import sys
import time
import warnings

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression

warnings.filterwarnings("ignore")
x, y = load_svmlight_file(sys.argv[1])
c = float(sys.argv[2])
n = x.shape[0]
limit = float(sys.argv[3])


def objective(w):
    return np.logaddexp(0, -y * (x @ w)).mean() + w @ w / (2 * c * n)


for solver in ("liblinear", "lbfgs", "newton-cg", "saga"):
    for tolerance in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6):
        model = LogisticRegression(C=c, solver=solver, tol=tolerance, max_iter=2000, fit_intercept=False)
        start = time.perf_counter()
        model.fit(x, y)
        seconds = time.perf_counter() - start
        print(solver, tolerance, seconds, repr(objective(model.coef_[0])), flush=True)
        if seconds > limit:
            break
