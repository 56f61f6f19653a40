"""Fits L1-regularised logistic regression by scikit-learn.

Usage: learn.py FILE LIMIT SOLVERS CELL...
where a cell is NUMBER:INTERCEPT:C:OPTIMUM and all but LIBLINEAR's solver 6 without an
intercept are left out: squared hinges, and intercepts, which scikit-learn's liblinear
regularises. Prints cell, solver, seconds and objective of every fit, with ever finer
tolerances until one is within 1e-6 of the optimum or takes LIMIT seconds.
"""
import sys
import time
import warnings

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression

warnings.filterwarnings("ignore")
x, y = load_svmlight_file(sys.argv[1])
limit = float(sys.argv[2])
for number, cell in enumerate(sys.argv[4:]):
    kind, intercept, c, optimum = cell.split(":")
    c, optimum = float(c), float(optimum)
    if kind != "6" or intercept == "true":
        continue
    for k, solver in enumerate(sys.argv[3].split(",")):
        for tolerance in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7):
            model = LogisticRegression(penalty="l1", C=c, solver=solver, tol=tolerance, max_iter=2000, fit_intercept=False, random_state=0)
            start = time.process_time()
            w = model.fit(x, y).coef_[0]
            seconds = time.process_time() - start
            objective = np.logaddexp(0, -y * (x @ w)).mean() + np.abs(w).sum() / (c * x.shape[0])
            print(number, k, seconds, repr(float(objective)), flush=True)
            if seconds > limit or objective - optimum <= 1e-6 * optimum:
                break
