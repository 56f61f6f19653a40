"""Fits scikit-learn's multinomial logistic regression without an intercept.

Usage: learn.py FILE C LIMIT OPTIMUM SOLVERS
Prints solver, tolerance, processor seconds, objective and training accuracy of every fit,
with ever finer tolerances until one is within 1e-6 of the optimum, takes LIMIT seconds or
ends for its number of iterations.
"""
import sys
import time
import warnings

import numpy as np
from sklearn.datasets import load_svmlight_file
from sklearn.linear_model import LogisticRegression

warnings.filterwarnings("ignore")
x, y = load_svmlight_file(sys.argv[1])
c, limit, optimum = map(float, sys.argv[2:5])
n = x.shape[0]
number = np.searchsorted(np.unique(y), y)
for solver in sys.argv[5].split(","):
    for tolerance in (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6):
        model = LogisticRegression(C=c, solver=solver, tol=tolerance, max_iter=1000, fit_intercept=False, multi_class="multinomial")
        start = time.process_time()
        model.fit(x, y)
        seconds = time.process_time() - start
        w = model.coef_ if len(model.coef_) > 1 else np.vstack([-model.coef_, model.coef_])
        z = x @ w.T
        most = z.max(1)
        loss = (np.log(np.exp(z - most[:, None]).sum(1)) + most - z[np.arange(n), number]).mean()
        objective = loss + (w**2).sum() / (2 * c * n)
        print(solver, tolerance, seconds, repr(float(objective)), (z.argmax(1) == number).mean(), flush=True)
        if seconds > limit or objective - optimum <= 1e-6 * optimum or model.n_iter_.max() >= model.max_iter:
            break
