#!/usr/bin/env python3
"""Compares the objectives of lanes' losses with those of statsmodels and scikit-learn.

    losses.py LANES

Each loss is a line of LOSSES: how its targets are drawn, the loss itself, and the peers that fit it.
Rows with weights and offsets are fitted without a penalty, rows without them with a ridge. The
objective of every fit is computed here, from its weights or its predictions. A row of the table is one
fit: how far the objective of lanes is above the peer's, as a share of it, and how far apart the
predictions are. Exit status 1: an objective is above a peer's by more than 1e-6 of it.
"""

import json
import os
import subprocess
import sys
import tempfile
import warnings

import numpy as np

ROWS, COLUMNS, RIDGE = 3000, 6, 1e-2


def log_of(y):
    return np.log(np.where(y > 0, y, 1))


def poisson(y, z):
    return np.exp(z) - y - y * (z - log_of(y))


def gamma(y, z):
    return y * np.exp(-z) - 1 + z - np.log(y)


def tweedie(p):
    def phi(y, z):
        return np.exp((2 - p) * z) / (2 - p) + y * np.exp((1 - p) * z) / (p - 1) - np.where(y > 0, y, 0) ** (2 - p) / ((2 - p) * (p - 1))

    return phi


def negative_binomial(t):
    def phi(y, z):
        return (y + 1 / t) * (np.log1p(t * np.exp(z)) - np.log1p(t * y)) - y * (z - log_of(y))

    return phi


def compound(r, mean):
    """A Poisson number of gamma amounts: many are 0."""
    return np.array([r.gamma(2, m / 2, size=k).sum() for m, k in zip(mean, r.poisson(1.0, len(mean)))])


def glm(family, **more):
    """statsmodels.GLM of a family of sm.families, with a logarithmic link unless more has another one."""

    def fit(x, y, s, o):
        import statsmodels.api as sm

        link = more.get("link", "log")
        made = getattr(sm.families, family)(link=getattr(sm.families.links, link)(), **{k: v for k, v in more.items() if k != "link"})
        return sm.GLM(y, np.column_stack([x, np.ones(len(y))]), family=made, var_weights=s, offset=o).fit(tol=1e-13, maxiter=500).params

    return fit


def scikit(name, **more):
    """An estimator of sklearn.linear_model with a ridge."""

    def fit(x, y):
        import sklearn.linear_model

        model = getattr(sklearn.linear_model, name)(alpha=RIDGE, tol=1e-9, max_iter=100000, **more).fit(x, y)
        return np.append(model.coef_, model.intercept_)

    return fit


def expectile(t):
    return lambda y, z: np.where(z < y, t, 1 - t) * (z - y) ** 2


def insensitive(e):
    return lambda y, z: np.maximum(0, np.abs(z - y) - e) ** 2 / 2


def reweighted(t):
    """Least squares whose weights follow the sides of the residuals, until they stay."""

    def fit(x, y, s, o):
        import statsmodels.api as sm

        a, v, last = np.column_stack([x, np.ones(len(y))]), s, None
        while last is None or not np.array_equal(v, last):
            w, last = sm.WLS(y - o, a, weights=v).fit().params, v
            v = s * np.where(a @ w + o < y, t, 1 - t)
        return w

    return fit


def liblinear(e):
    """LIBLINEAR's -s 11 by scikit-learn, whose intercept is penalised."""

    def fit(x, y):
        import sklearn.svm

        model = sklearn.svm.LinearSVR(epsilon=e, C=1 / (2 * RIDGE * len(y)), loss="squared_epsilon_insensitive", dual=False, tol=1e-12, max_iter=100000).fit(x, y)
        return np.append(model.coef_, model.intercept_)

    fit.bias = True
    return fit


# A loss: its name for lanes, its targets from means, its definition, a peer without a penalty that takes
# weights and offsets, and one with a ridge; None for none.
LOSSES = [
    ("poisson", lambda r, m: r.poisson(m), poisson, ("statsmodels Poisson", glm("Poisson")), ("PoissonRegressor", scikit("PoissonRegressor"))),
    ("negative-binomial:0.7", lambda r, m: r.poisson(m * r.gamma(1 / 0.7, 0.7, len(m))), negative_binomial(0.7), ("statsmodels NegativeBinomial", glm("NegativeBinomial", alpha=0.7)), None),
    ("gamma", lambda r, m: r.gamma(2, m / 2), gamma, ("statsmodels Gamma", glm("Gamma")), ("GammaRegressor", scikit("GammaRegressor"))),
    ("tweedie:1.5", compound, tweedie(1.5), ("statsmodels Tweedie", glm("Tweedie", var_power=1.5)), ("TweedieRegressor", scikit("TweedieRegressor", power=1.5))),
    ("tweedie:1.1", compound, tweedie(1.1), ("statsmodels Tweedie", glm("Tweedie", var_power=1.1)), ("TweedieRegressor", scikit("TweedieRegressor", power=1.1))),
    ("tweedie:1.9", compound, tweedie(1.9), ("statsmodels Tweedie", glm("Tweedie", var_power=1.9)), ("TweedieRegressor", scikit("TweedieRegressor", power=1.9))),
    ("expectile:0.8", lambda r, m: np.log(m) + r.normal(size=len(m)), expectile(0.8), ("statsmodels WLS, reweighted", reweighted(0.8)), None),
    ("squared-epsilon-insensitive:0.3", lambda r, m: np.log(m) + r.normal(size=len(m)), insensitive(0.3), None, ("LIBLINEAR -s 11", liblinear(0.3))),
]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("%s: exit status %d: %s" % (" ".join(command), done.returncode, done.stderr))
    return done.stdout


def by_table(lanes, folder, name, x, y, s, o):
    """The margins of lanes without a penalty, of a table with weights and offsets, and its report."""
    table, model = os.path.join(folder, "t.csv"), os.path.join(folder, "m")
    with open(table, "w") as out:
        out.write(",".join(["x%d" % j for j in range(x.shape[1])] + ["s", "o", "y"]) + "\n")
        for i in range(len(y)):
            out.write(",".join(repr(float(v)) for v in [*x[i], s[i], o[i], y[i]]) + "\n")
    said = json.loads(run(lanes, "train", table, "--target", "y", "--weight", "s", "--offset", "o", "--loss", name, "--lambda", "0", "--intercept", "--tol", "1e-13", "--model", model, "--json"))
    lines = run(lanes, "predict", model, table, "--quiet").strip().split("\n")
    return np.array([float(line.split(",")[-1]) for line in lines[1:]]), said


def by_rows(lanes, folder, name, x, y, constant):
    """The weights of lanes with a ridge, the intercept last, and its report."""
    rows, model = os.path.join(folder, "rows"), os.path.join(folder, "m")
    with open(rows, "w") as out:
        for row, target in zip(x, y):
            out.write(repr(float(target)) + "".join(" %d:%r" % (j + 1, float(v)) for j, v in enumerate(row)) + "\n")
    said = json.loads(run(lanes, "train", rows, "--loss", name, "--lambda", repr(RIDGE), constant, "--tol", "1e-13", "--model", model, "--json"))
    lines = open(model).read().split("\n")
    w = []
    for line in lines[lines.index("w") + 1:]:
        if not line or line.startswith("lanes"):
            break
        w.append(float(line))
    return np.array(w), said


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    lanes, failed = os.path.abspath(sys.argv[1]), False
    warnings.simplefilter("ignore")
    print("%d rows of %d columns; with weights and offsets without a penalty, else with lambda = %g and a free intercept (of LIBLINEAR a penalised one).\n" % (ROWS, COLUMNS, RIDGE))
    print("| loss | peer | rows | objective of lanes | above the peer's, of it | largest difference of margins | status |\n|---|---|---|--:|--:|--:|---|")
    with tempfile.TemporaryDirectory() as folder:
        for k, (name, draw, phi, plain, ridge) in enumerate(LOSSES):
            r = np.random.default_rng(100 + k)
            x = r.normal(size=(ROWS, COLUMNS))
            s, o = r.uniform(0.5, 3, ROWS), np.log(r.uniform(0.2, 4, ROWS))
            w = r.normal(size=COLUMNS) * 0.4
            for weighted, peer in ((True, plain), (False, ridge)):
                if peer is None:
                    continue
                z = x @ w + 0.3 + (o if weighted else 0)
                y = np.asarray(draw(r, np.exp(z)), dtype=float)
                if weighted:
                    mean, said = by_table(lanes, folder, name, x, y, s, o)
                    ours, theirs = LINKS.get(name, np.log)(mean), np.column_stack([x, np.ones(ROWS)]) @ peer[1](x, y, s, o) + o
                    value = lambda z: np.mean(s * phi(y, z))
                    values = value(ours), value(theirs)
                else:
                    bias = hasattr(peer[1], "bias")
                    v, said = by_rows(lanes, folder, name, x, y, "--bias" if bias else "--intercept")
                    p = peer[1](x, y)
                    ours, theirs = x @ v[:-1] + v[-1], x @ p[:-1] + p[-1]
                    values = tuple(np.mean(phi(y, z)) + RIDGE / 2 * np.sum(c[:len(c) - (not bias)] ** 2) for z, c in ((ours, v), (theirs, p)))
                above = (values[0] - values[1]) / values[1]
                failed = failed or not above <= 1e-6 or said["status"] != "converged" or not abs(said["objective"] - values[0]) <= 1e-9 * values[0]
                print("| `%s` | %s | %s | %.10g | %.1e | %.1e | %s |" % (name, peer[0], "weights, offsets" if weighted else "ridge", values[0], above, np.max(np.abs(ours - theirs)), said["status"]), flush=True)
    sys.exit(failed)


# The link of a loss, from predictions to margins, where it is not the logarithm.
LINKS = {"expectile:0.8": lambda mean: mean}

if __name__ == "__main__":
    main()
