#!/usr/bin/env python3
"""Races the ridges of counts and amounts against scikit-learn's, on one thread, by processor time.

    race.py [--rounds N] [--rows N]

A shape is drawn from a fixed seed: 600,000 policies of 8 categories (322 columns of ones) with
exposures as weights of rates, as in glum's benchmark, and dense rows of 10,000 x 100. Each program
fits with the loosest tolerance of a grid of 10^(-k/2) that comes within 1e-3 or 1e-6 of the least
objective that any of them reached, as a share of it. Objectives are computed here. Then lanes and
the fastest solver of scikit-learn take turns; a cell is the median of the ratios.
"""

import argparse
import os
import time
import warnings

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402
import scipy.sparse as sp  # noqa: E402

LEVELS, ALPHA = (2, 11, 22, 7, 160, 14, 96, 10), 1e-3


def policies(r, n):
    """Rows of ones, the scores of the truth, and exposures."""
    score, columns, base = np.full(n, -2.0), [], 0
    for levels in LEVELS:
        value = r.choice(levels, size=n, p=r.dirichlet(np.ones(levels)))
        score += r.normal(0, 0.3, levels)[value]
        columns.append(value + base)
        base += levels
    index = np.stack(columns, 1).astype(np.int32)
    x = sp.csr_matrix((np.ones(index.size), index.ravel(), np.arange(0, index.size + 1, len(LEVELS))), shape=(n, base))
    return x, score, r.uniform(0.1, 1, n)


def dense(r, n):
    x = r.normal(size=(n, 100))
    return x, x @ r.normal(0, 0.05, 100) - 0.5, r.uniform(0.5, 1, n)


def poisson(r, mean, s):
    return r.poisson(mean * s) / s


def gamma(r, mean, _):
    return r.gamma(2, mean / 2)


def tweedie(r, mean, _):
    return np.array([r.gamma(2, m / 2, size=k).sum() for m, k in zip(mean, r.poisson(1.0, len(mean)))])


LOSSES = {
    "poisson": (poisson, lambda y, z: np.exp(z) - y * z, "PoissonRegressor", {}),
    "gamma": (gamma, lambda y, z: y * np.exp(-z) + z, "GammaRegressor", {}),
    "tweedie 1.5": (tweedie, lambda y, z: 2 * np.exp(z / 2) + 2 * y * np.exp(-z / 2), "TweedieRegressor", {"power": 1.5, "link": "log"}),
}


def programs(name, more):
    import lanes
    import sklearn.linear_model

    own = {key: v for key, v in more.items() if key != "link"}
    made = {"lanes": lambda tol: getattr(lanes, name)(alpha=ALPHA, tol=tol, n_jobs=1, **own)}
    for solver in ("newton-cholesky", "lbfgs"):
        made["scikit-learn " + solver] = lambda tol, solver=solver: getattr(sklearn.linear_model, name)(
            alpha=ALPHA, tol=tol, solver=solver, max_iter=10000, **more)
    return made


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--rows", type=int, default=600000)
    options = arguments.parse_args()
    warnings.filterwarnings("ignore")
    print("Time of scikit-learn's fastest solver over that of lanes, to 1e-3 / 1e-6; milliseconds of lanes : scikit-learn.\n")
    print("| rows | loss | ratio | ms | fastest |\n|---|---|---|---|---|")
    for shape, draw, n in (("policies x 322", policies, options.rows), ("dense x 100", dense, 10000)):
        r = np.random.default_rng(1)
        x, score, s = draw(r, n)
        for loss, (target, phi, name, more) in LOSSES.items():
            y = target(r, np.exp(score), s)

            def fit(make, tol):
                begun = time.process_time()
                m = make(tol).fit(x, y, sample_weight=s)
                spent = time.process_time() - begun
                return spent, np.average(phi(y, x @ m.coef_ + m.intercept_), weights=s) + ALPHA / 2 * m.coef_ @ m.coef_

            made = programs(name, more)
            grid = [10 ** (-k / 2) for k in range(2, 21)]
            runs = {which: [(tol,) + fit(make, tol) for tol in grid[::3]] for which, make in made.items()}
            least = min(objective for list_ in runs.values() for _, _, objective in list_)
            cells = []
            for accuracy in (1e-3, 1e-6):
                loosest = {}
                for which, make in made.items():
                    for tol in grid:
                        spent, objective = fit(make, tol)
                        if objective - least <= accuracy * abs(least):
                            loosest[which] = (spent, tol)
                            break
                peer = min((which for which in loosest if which != "lanes"), key=lambda which: loosest[which][0])
                turns = [(fit(made["lanes"], loosest["lanes"][1])[0], fit(made[peer], loosest[peer][1])[0]) for _ in range(options.rounds)]
                cells.append((np.median([b / a for a, b in turns]), *np.median(turns, axis=0) * 1e3, peer))
            print(f"| {n:,} {shape} | {loss} | {cells[0][0]:.2f} / {cells[1][0]:.2f} | {cells[0][1]:.3g} : {cells[0][2]:.3g} / "
                  f"{cells[1][1]:.3g} : {cells[1][2]:.3g} | {cells[0][3]} / {cells[1][3]} |", flush=True)


if __name__ == "__main__":
    main()
