"""The workloads of dense.py: shapes, generators with their seeds, and objectives.

A problem is a dict of numbers and texts. Its kind is "squared", "logistic", "softmax", "path",
"predict" or "csv". Rows lie in a folder as NumPy files. All objectives are means over rows,

    loss(X w + b, y) / n + l1 ||w||_1 + l2 / 2 ||w||_2^2

with half the squared residual as the squared loss. The intercept b is not penalised.
"""

import json
import os

import numpy as np
import scipy.sparse as sp

SEED = 1


def correlated(rng, n, d, rho):
    """Normal columns of variance 1; neighbours have the correlation rho."""
    x = rng.standard_normal((d, n))
    if rho:
        for j in range(1, d):
            x[j] *= np.sqrt(1 - rho * rho)
            x[j] += rho * x[j - 1]
    return np.ascontiguousarray(x.T)


def planted(rng, x, density):
    """Scores of rows by random weights, a share of which is not 0."""
    d = x.shape[1]
    w = np.zeros(d)
    chosen = rng.choice(d, max(1, int(density * d)), replace=False)
    w[chosen] = rng.standard_normal(len(chosen))
    return x @ w


def regression(rng, n, d, rho=0.0, density=0.2, **_):
    """Targets with three times as much signal as noise."""
    x = correlated(rng, n, d, rho)
    y = planted(rng, x, density)
    noise = rng.standard_normal(n)
    return x, y + noise * (np.linalg.norm(y) / (3 * np.linalg.norm(noise)))


def two_classes(rng, n, d, rho=0.0, density=0.2, **_):
    """Labels 0 and 1 by a logistic model whose scores have the deviation 2."""
    x = correlated(rng, n, d, rho)
    score = planted(rng, x, density)
    return x, (rng.random(n) < 1 / (1 + np.exp(-2 * score / score.std()))).astype(float)


def several_classes(rng, n, d, classes=10, **_):
    """Labels by a softmax model of normal columns."""
    x = correlated(rng, n, d, 0.5)
    score = x @ rng.standard_normal((d, classes)) * (2 / np.sqrt(d)) + rng.gumbel(size=(n, classes))
    return x, score.argmax(axis=1).astype(float)


def images(rng, n, d, classes=10, **_):
    """Pixels from 0 to 1, half of them 0, of few hidden causes; each class has a mean of its own."""
    label = rng.integers(classes, size=n)
    causes = rng.standard_normal((n, 40)) + rng.standard_normal((classes, 40))[label]
    x = causes @ rng.standard_normal((40, d)) / 20
    x += rng.standard_normal((n, d)) * 0.1
    return np.clip(x, 0, 1, out=x), label.astype(float)


def text(rng, n, d, words=60, **_):
    """Sparse rows of length 1: words by Zipf's law, and targets by weights of the words."""
    share = 1 / np.arange(1, d + 1)
    columns = rng.choice(d, (n, words), p=share / share.sum())
    rows = np.repeat(np.arange(n), words)
    x = sp.csr_matrix((np.ones(n * words), (rows, columns.ravel())), (n, d))
    x.data = (1 + np.log(x.data)) * np.log(n / (1 + np.bincount(x.indices, minlength=d)))[x.indices]
    x = sp.diags(1 / np.maximum(1e-12, np.sqrt(np.asarray(x.multiply(x).sum(axis=1)).ravel()))) @ x
    x = x.tocsr()
    x.sort_indices()
    y = planted(rng, x, 0.1)
    noise = rng.standard_normal(n)
    return x, y + noise * (np.linalg.norm(y) / (3 * np.linalg.norm(noise)))


# Each row: title, kind, generator, n, d, and what the problem and the generator take. reg is a share of the least
# L1 weight for which all weights are 0, alpha is scikit-learn's of a ridge, C that of a logistic regression.
ROWS = [
    ("lasso 10,000 x 100 (glum)", "squared", regression, 10000, 100, {"rho": 0.5, "reg": 0.01, "intercept": True}),
    ("lasso 10,000 x 1,000 (glum)", "squared", regression, 10000, 1000, {"rho": 0.5, "reg": 0.01, "intercept": True}),
    ("lasso 10,000 x 5,000 (glum)", "squared", regression, 10000, 5000, {"rho": 0.5, "reg": 0.01, "intercept": True}),
    ("ridge 10,000 x 100 (glum)", "squared", regression, 10000, 100, {"rho": 0.5, "alpha": 1, "intercept": True}),
    ("ridge 10,000 x 1,000 (glum)", "squared", regression, 10000, 1000, {"rho": 0.5, "alpha": 1, "intercept": True}),
    ("ridge 10,000 x 5,000 (glum)", "squared", regression, 10000, 5000, {"rho": 0.5, "alpha": 1, "intercept": True}),
    ("lasso 1,000 x 2,000", "squared", regression, 1000, 2000, {"rho": 0.5, "reg": 0.1, "density": 0.02, "intercept": True}),
    ("ridge 1,000 x 2,000", "squared", regression, 1000, 2000, {"rho": 0.5, "alpha": 10, "intercept": True}),
    ("lasso 100 x 10,000 (benchopt)", "squared", regression, 100, 10000, {"reg": 0.1, "density": 0.001, "intercept": False}),
    ("lasso 500 x 600, correlated (benchopt)", "squared", regression, 500, 600, {"rho": 0.6, "reg": 0.01, "intercept": False}),
    ("L1 logistic 100 x 10,000", "logistic", two_classes, 100, 10000, {"reg": 0.1, "density": 0.001, "intercept": False}),
    ("L1 logistic 500 x 5,000", "logistic", two_classes, 500, 5000, {"rho": 0.5, "reg": 0.02, "density": 0.01, "intercept": False}),
    ("L2 logistic 100,000 x 400", "logistic", two_classes, 100000, 400, {"rho": 0.5, "C": 1, "intercept": True}),
    ("ridge 1,000 x 500", "squared", regression, 1000, 500, {"rho": 0.5, "alpha": 1, "intercept": True}),
    ("ridge 5,000 x 200", "squared", regression, 5000, 200, {"rho": 0.5, "alpha": 1, "intercept": True}),
    ("elastic net 85,000 x 36,000, sparse", "squared", text, 85000, 36000, {"reg": 0.01, "l1_ratio": 0.5, "intercept": False}),
    ("softmax 60,000 x 784, 10 classes", "softmax", images, 60000, 784, {"C": 1, "intercept": True}),
    ("softmax 20,000 x 50, 10 classes", "softmax", several_classes, 20000, 50, {"C": 1, "intercept": True}),
    ("lasso path of 100 points, 10,000 x 100", "path", regression, 10000, 100,
     {"rho": 0.5, "points": 100, "reg": 0.001, "intercept": True}),
    ("predict 100,000 x 20", "predict", regression, 100000, 20, {"alpha": 1, "intercept": True}),
    ("Ridge 100,000 x 20", "squared", regression, 100000, 20, {"rho": 0.5, "alpha": 1, "intercept": True}),
    ("Lasso 100,000 x 20", "squared", regression, 100000, 20, {"rho": 0.5, "reg": 0.01, "intercept": True}),
    ("CSV 10,000 x 21, read and described", "csv", regression, 10000, 20, {}),
]


def make(row, quick, folder):
    """Writes the data of a row into a folder, and returns the problem with its rows and targets."""
    title, kind, generate, n, d, how = row
    if quick:  # rows of about 8 MB
        shrink = max(1.0, n * min(d, 100) / 1e6) if generate is text else max(1.0, n * d / 1e6)
        n, d = max(min(n, 100), int(n / np.sqrt(shrink))), max(min(d, 20), int(d / np.sqrt(shrink)))
    x, y = generate(np.random.default_rng(SEED), n, d, **how)
    problem = {"title": title, "kind": kind, "n": n, "d": d, "intercept": how.get("intercept", False), "l1": 0.0, "l2": 0.0}
    if "alpha" in how:
        problem["l2"] = how["alpha"] / n
    if "C" in how:
        problem["l2"] = 1 / (how["C"] * n)
    if "reg" in how:
        centred = y - (y.mean() if problem["intercept"] else 0.5 if kind == "logistic" else 0)
        least = np.abs(x.T @ centred).max() / n
        if kind == "path":
            problem["l1s"] = list(least * np.geomspace(1, how["reg"], how["points"]))
        ratio = how.get("l1_ratio", 1.0)
        problem["l1"], problem["l2"] = how["reg"] * least, how["reg"] * least * (1 - ratio) / ratio
    if kind == "csv":
        names = [f"number{j}" for j in range(d)] + ["target"]
        np.savetxt(os.path.join(folder, "table.csv"), np.column_stack([x, y]), "%.6g", ",", header=",".join(names), comments="")
    elif sp.issparse(x):
        problem["sparse"] = True
        np.savez(os.path.join(folder, "x.npz"), data=x.data, indices=x.indices, indptr=x.indptr, shape=x.shape)
    else:
        np.save(os.path.join(folder, "x.npy"), x)
    np.save(os.path.join(folder, "y.npy"), y)
    with open(os.path.join(folder, "problem.json"), "w", encoding="utf-8") as file:
        json.dump(problem, file)
    return problem, x, y


def load(folder):
    """The problem of a folder with its rows and targets."""
    with open(os.path.join(folder, "problem.json"), encoding="utf-8") as file:
        problem = json.load(file)
    y = np.load(os.path.join(folder, "y.npy"))
    if problem["kind"] == "csv":
        return problem, os.path.join(folder, "table.csv"), y
    if problem.get("sparse"):
        parts = np.load(os.path.join(folder, "x.npz"))
        x = sp.csr_matrix((parts["data"], parts["indices"], parts["indptr"]), parts["shape"])
        x.has_canonical_format  # all programs get rows that were looked at
        return problem, x, y
    return problem, np.load(os.path.join(folder, "x.npy")), y


def objective(problem, x, y, weights):
    """The objectives of weights, an array of models x (columns + intercept): one of the problem, or one a point of a path."""
    w, b = weights[:, :-1], weights[:, -1]
    score = np.asarray(x @ w.T) + b
    n, kind = len(y), problem["kind"]
    if kind == "logistic":
        loss = np.logaddexp(0, -(2 * y - 1) * score[:, 0]).mean()
    elif kind == "softmax":
        top = score.max(axis=1)
        loss = (top + np.log(np.exp(score - top[:, None]).sum(axis=1)) - score[np.arange(n), y.astype(int)]).mean()
    elif kind == "path":
        return ((y[:, None] - score) ** 2).sum(axis=0) / (2 * n) + np.array(problem["l1s"]) * np.abs(w).sum(axis=1)
    else:
        loss = ((y - score[:, 0]) ** 2).sum() / (2 * n)
    return np.array([loss + problem["l1"] * np.abs(w).sum() + problem["l2"] / 2 * (w * w).sum()])
