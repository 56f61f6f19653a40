#!/usr/bin/env python3
"""Compares the objectives of lanes' losses with those of statsmodels, scikit-learn, LIBLINEAR, glmnet and R.

    losses.py LANES

Each loss is a line of LOSSES: how its targets are drawn, the loss itself, and the peers that fit it.
Rows with weights and offsets are fitted without a penalty and with an L1 norm, rows without them with
a ridge and an elastic net, once with factors of columns and once with bounds of weights. The objective of every fit is computed here, from its weights or its predictions. A row of the table is one
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

ROWS, COLUMNS, RIDGE, L1 = 3000, 6, 1e-2, 2e-2
FACTORS = [0.0, 2.0, 1.0, 0.5, 1.0, 3.0]  # of columns in the penalty, of one row
BOUNDS = [(-0.1, 0.1), (0.0, np.inf), (-np.inf, 0.0), (-0.05, 0.3), (0.0, 0.2), (-np.inf, np.inf)]  # of weights, of another


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


def probit(y, z):
    from scipy.special import log_ndtr

    return -log_ndtr(y * z)


def cloglog(y, z):
    return np.where(y > 0, -np.log(-np.expm1(-np.exp(z))), np.exp(z))


def hinge(y, z):
    return np.maximum(0, 1 - y * z)


def straight(e):
    return lambda y, z: np.maximum(0, np.abs(z - y) - e)


def pinball(q):
    return lambda y, z: np.maximum(q * (y - z), (1 - q) * (z - y))


def signs(r, m):
    """Labels of logistic chances, of means exp(z)."""
    return np.where(r.uniform(size=len(m)) < m / (1 + m), 1.0, -1.0)


def normal(r, m):
    return np.log(m) + r.normal(size=len(m))


def liblinear(name, factor=1, **more):
    """LIBLINEAR by an estimator of sklearn.svm, whose intercept is penalised; factor is of its loss beside that of lanes."""

    def fit(x, y):
        import sklearn.svm

        model = getattr(sklearn.svm, name)(C=1 / (factor * RIDGE * len(y)), tol=1e-12, max_iter=10**7, **more).fit(x, y)
        return np.append(model.coef_, model.intercept_)

    fit.bias = True
    return fit


def binomial(link):
    """glm of R of two classes by a link."""
    fit = rglm('binomial("%s")' % link)
    return lambda x, y, s, o: fit(x, (y + 1) / 2, s, o)


def rglm(family):
    """glm of R of a family, as R writes it."""

    def fit(x, y, s, o):
        with tempfile.TemporaryDirectory() as folder:
            np.savetxt(os.path.join(folder, "rows"), np.column_stack([y, s, o, x]), fmt="%.17g")
            run("Rscript", "-e", """setwd("%s"); a <- as.matrix(read.table("rows")); options(warn = -1)
f <- glm.fit(cbind(a[, -(1:3)], 1), a[, 1], weights = a[, 2], offset = a[, 3], family = %s, control = list(epsilon = 1e-14, maxit = 200))
write(formatC(f$coefficients, digits = 17, format = "g"), "w")""" % (folder, family))
            return np.loadtxt(os.path.join(folder, "w"))

    return fit


def ridged(link):
    """glmnet of two classes by a link, with a ridge."""

    def fit(x, y):
        ones, none = [1.0] * x.shape[1], [(-np.inf, np.inf)] * x.shape[1]
        return normed(link)[1](x, y, np.ones(len(y)), np.zeros(len(y)), 0, RIDGE, ones, none)

    return fit


def normed(link):
    """glmnet of two classes by a link."""
    name, fit = glmnet('binomial("%s")' % link)
    return name, lambda x, y, *rest: fit(x, (y + 1) / 2, *rest)


def program(q):
    """The linear program of a quantile by scikit-learn and HiGHS, without a penalty."""

    def fit(x, y):
        import sklearn.linear_model

        model = sklearn.linear_model.QuantileRegressor(quantile=q, alpha=0, solver="highs").fit(x, y)
        return np.append(model.coef_, model.intercept_)

    fit.ridge = 1e-9  # the least of lanes, whose quantiles need one
    return fit


def simplex(q):
    """rq of R's quantreg by the simplex of Barrodale and Roberts. A row times its weight has the weighted loss."""

    def fit(x, y, s=1.0, o=0.0):
        with tempfile.TemporaryDirectory() as folder:
            a = np.column_stack([y - o, x, np.ones(len(y))]) * np.reshape(s, (-1, 1))
            np.savetxt(os.path.join(folder, "rows"), a, fmt="%.17g")
            run("Rscript", "-e", """suppressMessages(library(quantreg)); setwd("%s"); a <- as.matrix(read.table("rows"))
f <- rq.fit.br(a[, -1], a[, 1], tau = %r)
write(formatC(f$coefficients, digits = 17, format = "g"), "w")""" % (folder, q))
            return np.loadtxt(os.path.join(folder, "w"))

    fit.ridge = 1e-9  # the least of lanes, whose quantiles need one
    return fit


def glmnet(family):
    """glmnet of a family, as R writes it, with an L1 norm and a ridge; weights of a mean of 1 there."""

    def fit(x, y, s, o, l1, ridge, factors, bounds):
        with tempfile.TemporaryDirectory() as folder:
            size = (l1 + ridge) / np.mean(s) * np.mean(factors)  # glmnet divides factors by their mean
            np.savetxt(os.path.join(folder, "rows"), np.column_stack([y, s / np.mean(s), o, x]), fmt="%.17g")
            run("Rscript", "-e", """suppressMessages({library(glmnet); library(MASS)}); setwd("%s"); a <- as.matrix(read.table("rows"))
f <- glmnet(a[, -(1:3)], a[, 1], weights = a[, 2], offset = a[, 3], family = %s, lambda = c(%r, %r), alpha = %r, penalty.factor = c(%s), lower.limits = c(%s), upper.limits = c(%s), standardize = FALSE, thresh = 1e-14, maxit = 1e7)
write(formatC(c(as.vector(f$beta[, 2]), f$a0[2]), digits = 17, format = "g"), "w")""" % (folder, family, 2 * size, size, l1 / (l1 + ridge), ", ".join(map(repr, factors)),
                  *(", ".join(str(b[k]).replace("inf", "Inf") for b in bounds) for k in (0, 1))))
            return np.loadtxt(os.path.join(folder, "w"))

    return "glmnet", fit


# A loss: its name for lanes, its targets from means, its definition, a peer without a penalty that takes
# weights and offsets, one with a ridge, and one with an L1 norm; None for none.
LOSSES = [
    ("poisson", lambda r, m: r.poisson(m), poisson, ("statsmodels Poisson", glm("Poisson")), ("PoissonRegressor", scikit("PoissonRegressor")), glmnet('"poisson"')),
    ("negative-binomial:0.7", lambda r, m: r.poisson(m * r.gamma(1 / 0.7, 0.7, len(m))), negative_binomial(0.7), ("statsmodels NegativeBinomial", glm("NegativeBinomial", alpha=0.7)), None, glmnet('negative.binomial(1 / 0.7)')),
    ("gamma", lambda r, m: r.gamma(2, m / 2), gamma, ("statsmodels Gamma", glm("Gamma")), ("GammaRegressor", scikit("GammaRegressor")), glmnet('Gamma(link = "log")')),
    ("inverse-gaussian", lambda r, m: r.wald(m, 2 * m), lambda y, z: (y * np.exp(-z) - 1) ** 2 / (2 * y), ("glm of R", rglm('inverse.gaussian("log")')), ("TweedieRegressor", scikit("TweedieRegressor", power=3, link="log")), None),
    ("tweedie:1.5", compound, tweedie(1.5), ("statsmodels Tweedie", glm("Tweedie", var_power=1.5)), ("TweedieRegressor", scikit("TweedieRegressor", power=1.5)), glmnet('statmod::tweedie(1.5, 0)')),
    ("tweedie:1.1", compound, tweedie(1.1), ("statsmodels Tweedie", glm("Tweedie", var_power=1.1)), ("TweedieRegressor", scikit("TweedieRegressor", power=1.1)), glmnet('statmod::tweedie(1.1, 0)')),
    ("tweedie:1.9", compound, tweedie(1.9), ("statsmodels Tweedie", glm("Tweedie", var_power=1.9)), ("TweedieRegressor", scikit("TweedieRegressor", power=1.9)), glmnet('statmod::tweedie(1.9, 0)')),
    ("expectile:0.8", lambda r, m: np.log(m) + r.normal(size=len(m)), expectile(0.8), ("statsmodels WLS, reweighted", reweighted(0.8)), None, None),
    ("squared-epsilon-insensitive:0.3", lambda r, m: np.log(m) + r.normal(size=len(m)), insensitive(0.3), None, ("LIBLINEAR -s 11", liblinear("LinearSVR", 2, epsilon=0.3, loss="squared_epsilon_insensitive", dual=False)), None),
    ("epsilon-insensitive:0.3", normal, straight(0.3), None, ("LIBLINEAR -s 13", liblinear("LinearSVR", epsilon=0.3, loss="epsilon_insensitive", dual=True)), None),
    ("quantile:0.5", normal, pinball(0.5), None, ("LIBLINEAR -s 13", liblinear("LinearSVR", 2, epsilon=0, loss="epsilon_insensitive", dual=True)), None),
    ("quantile:0.9", normal, pinball(0.9), None, ("QuantileRegressor", program(0.9)), None),
    ("hinge", signs, hinge, None, ("LIBLINEAR -s 3", liblinear("LinearSVC", loss="hinge", dual=True)), None),
    ("squared-hinge", signs, lambda y, z: hinge(y, z) ** 2 / 2, None, ("LIBLINEAR -s 2", liblinear("LinearSVC", 2, loss="squared_hinge", dual=False)), None),
    ("probit", signs, probit, ("glm of R", binomial("probit")), ("glmnet", ridged("probit")), normed("probit")),
    ("cloglog", signs, cloglog, ("glm of R", binomial("cloglog")), ("glmnet", ridged("cloglog")), normed("cloglog")),
    ("quantile:0.5", normal, pinball(0.5), ("rq of quantreg", simplex(0.5)), ("rq of quantreg", simplex(0.5)), None),
    ("quantile:0.9", normal, pinball(0.9), ("rq of quantreg", simplex(0.9)), ("rq of quantreg", simplex(0.9)), None),
]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit("%s: exit status %d: %s" % (" ".join(command), done.returncode, done.stderr))
    return done.stdout


def weights(model):
    """The weights of a model file, the intercept last."""
    lines = open(model).read().split("\n")
    w = []
    for line in lines[lines.index("w") + 1:]:
        if not line or line.startswith("lanes"):
            break
        w.append(float(line))
    return np.array(w)


def by_table(lanes, folder, name, x, y, s, o, *penalty):
    """The margins of lanes, of a table with weights and offsets, its report and its weights."""
    table, model = os.path.join(folder, "t.csv"), os.path.join(folder, "m")
    with open(table, "w") as out:
        out.write(",".join(["x%d" % j for j in range(x.shape[1])] + ["s", "o", "y"]) + "\n")
        for i in range(len(y)):
            out.write(",".join(repr(float(v)) for v in [*x[i], s[i], o[i], y[i]]) + "\n")
    said = json.loads(run(lanes, "train", table, "--target", "y", "--weight", "s", "--offset", "o", "--loss", name, *penalty, "--intercept", "--model", model, "--json"))
    lines = run(lanes, "predict", model, table, "--quiet").strip().split("\n")
    head = lines[0].split(",")
    k = head.index("score") if "score" in head else -1  # a regression has predictions, classes have margins
    return np.array([float(line.split(",")[k]) for line in lines[1:]]), said, weights(model)


def by_rows(lanes, folder, name, x, y, ridge, constant, *penalty):
    """The weights of lanes, the intercept last, and its report."""
    rows, model = os.path.join(folder, "rows"), os.path.join(folder, "m")
    with open(rows, "w") as out:
        for row, target in zip(x, y):
            out.write(repr(float(target)) + "".join(" %d:%r" % (j + 1, float(v)) for j, v in enumerate(row)) + "\n")
    said = json.loads(run(lanes, "train", rows, "--loss", name, "--lambda", repr(ridge), *penalty, constant, "--model", model, "--json"))
    return weights(model), said


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    lanes, failed = os.path.abspath(sys.argv[1]), False
    warnings.simplefilter("ignore")
    print("%d rows of %d columns; without a penalty, or with lambda = %g, an L1 norm of %g, or both, and a free intercept (of LIBLINEAR a penalised one).\n" % (ROWS, COLUMNS, RIDGE, L1))
    print("| loss | peer | rows | objective of lanes | above the peer's, of it | largest difference of margins | status |\n|---|---|---|--:|--:|--:|---|")
    with tempfile.TemporaryDirectory() as folder:
        for k, (name, draw, phi, plain, ridge, lasso) in enumerate(LOSSES):
            r = np.random.default_rng(100 + k)
            x = r.normal(size=(ROWS, COLUMNS))
            s, o = r.uniform(0.5, 3, ROWS), np.log(r.uniform(0.2, 4, ROWS))
            w = r.normal(size=COLUMNS) * 0.4
            ones, none = [1.0] * COLUMNS, [(-np.inf, np.inf)] * COLUMNS
            for weighted, peer, lam, l1, c, bounds in ((True, plain, 0, 0, ones, none), (False, ridge, RIDGE, 0, ones, none), (True, lasso, 0, L1, ones, none), (False, lasso, RIDGE, L1, ones, none), (False, lasso, RIDGE, L1, FACTORS, none), (False, lasso, RIDGE, L1, ones, BOUNDS)):
                if peer is None:
                    continue
                z = x @ w + 0.3 + (o if weighted else 0)
                y = np.asarray(draw(r, np.exp(z)), dtype=float)
                lam = getattr(peer[1], "ridge", lam)
                norm = ("--l1", repr(l1), *["--scale", "none"] * weighted, "--tol", "1e-10") if l1 else (*["--scale", "none"] * (weighted and lam > 0), "--tol", "1e-10" if name in KINKED else "1e-13")
                if c != ones:
                    norm += ("--penalty", ",".join("%d=%r" % (j + 1, v) for j, v in enumerate(c)))
                if bounds != none:
                    with open(os.path.join(folder, "bounds"), "w") as out:
                        out.writelines("%d,%r,%r\n" % (j + 1, *map(float, b)) for j, b in enumerate(bounds))
                    norm += ("--bounds", os.path.join(folder, "bounds"))
                held = np.append(c, 1)
                bias = hasattr(peer[1], "bias")
                value = lambda z, v: np.mean((s if weighted else 1) * phi(y, z)) + lam / 2 * np.sum((held * v ** 2)[:len(v) - (not bias)]) + l1 * np.sum((held * np.abs(v))[:-1])
                arguments = (x, y, s, o) if weighted else (x, y, np.ones(ROWS), np.zeros(ROWS)) if l1 else (x, y)
                p = peer[1](*arguments, *((l1, lam, c, bounds) if l1 else ()))
                theirs = x @ p[:-1] + p[-1] + (o if weighted else 0)
                if weighted:
                    mean, said, v = by_table(lanes, folder, name, x, y, s, o, "--lambda", repr(lam), *norm)
                    ours = LINKS.get(name, np.log)(mean)
                else:
                    v, said = by_rows(lanes, folder, name, x, y, lam, "--bias" if bias else "--intercept", *norm)
                    ours = x @ v[:-1] + v[-1]
                values = value(ours, v), value(theirs, p)
                above = (values[0] - values[1]) / values[1]
                failed = failed or not above <= 1e-6 or said["status"] != ("stationary point" if name == "inverse-gaussian" else "converged") or not abs(said["objective"] - values[0]) <= 1e-9 * values[0]
                rows = ", ".join(["weights, offsets"] * weighted + ["ridge"] * (lam > 0) + ["L1"] * (l1 > 0) + ["factors"] * (c != ones) + ["bounds"] * (bounds != none))
                print("| `%s` | %s | %s | %.10g | %.1e | %.1e | %s |" % (name, peer[0], rows, values[0], above, np.max(np.abs(ours - theirs)), said["status"]), flush=True)
    sys.exit(failed)


# The link of a loss, from predictions to margins, where it is not the logarithm.
LINKS = {name: lambda mean: mean for name in ("expectile:0.8", "quantile:0.5", "quantile:0.9", "probit", "cloglog")}

# Losses whose runs end at a gap of 1e-10: their kinks leave no smaller one in reach.
KINKED = ("epsilon-insensitive:0.3", "quantile:0.5", "quantile:0.9", "hinge")

if __name__ == "__main__":
    main()
