"""Tests of the package against scikit-learn, against the command, and of how it stops and travels."""

import contextlib
import importlib.metadata
import io
import json
import multiprocessing
import os
import pathlib
import pickle
import signal
import socket
import subprocess
import tempfile
import threading
import time
import unittest
import warnings

import lanes
import numpy as np
import scipy.sparse as sp
from sklearn import linear_model, svm
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import average_precision_score, mean_pinball_loss, roc_auc_score
from sklearn.model_selection import GridSearchCV, ShuffleSplit, StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

warnings.simplefilter("error", lanes.NotConverged)
COMMAND = os.environ.get("LANES_COMMAND") or str(pathlib.Path(__file__).parents[2] / "bin" / "lanes")


def rows(n=400, d=12, seed=0, classes=2, share=0.4):
    rng = np.random.default_rng(seed)
    X = sp.random(n, d, density=share, format="csr", random_state=seed, data_rvs=rng.standard_normal)
    z = X @ rng.standard_normal((d, classes)) + 0.5 * rng.standard_normal((n, classes))
    return X, z.argmax(axis=1), z[:, 0]


class TestAgainstScikitLearn(unittest.TestCase):
    def test_logistic(self):
        X, y, _ = rows()
        w = np.random.default_rng(1).uniform(0, 3, len(y))
        for penalty, ratio, C in [("l2", None, 1), ("l2", None, 100), ("l1", None, 0.5), ("elasticnet", 0.3, 0.5), (None, None, 1)]:
            for intercept in (True, False):
                for weights in (None, w):
                    with self.subTest(penalty=penalty, C=C, intercept=intercept, weighted=weights is not None):
                        theirs = linear_model.LogisticRegression(penalty=penalty, C=C, l1_ratio=ratio, fit_intercept=intercept, solver="saga" if ratio or penalty == "l1" else "newton-cholesky",
                                                                 tol=1e-10, max_iter=20000).fit(X.toarray(), y, weights)
                        ours = lanes.LogisticRegression(penalty, C=C, l1_ratio=ratio, fit_intercept=intercept, tol={None: 1e-10, "l2": 3e-14}.get(penalty, 3e-12 if intercept else 6e-13)).fit(X, y, weights)
                        bound = 1e-6
                        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=bound)
                        np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=bound)
                        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X.toarray()), atol=bound)

    def test_class_weights(self):
        X, y, _ = rows()
        for weight in ("balanced", {0: 1, 1: 3}):
            theirs = linear_model.LogisticRegression(class_weight=weight, solver="newton-cholesky", tol=1e-9).fit(X.toarray(), y)
            ours = lanes.LogisticRegression(class_weight=weight, tol=1e-11).fit(X, y)
            np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)

    def test_several_classes(self):
        X, y, _ = rows(classes=4)
        theirs = linear_model.LogisticRegression(multi_class="ovr", solver="newton-cholesky", tol=1e-9).fit(X.toarray(), y)
        ours = lanes.LogisticRegression(tol=1e-11).fit(X, y)
        np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X.toarray()), atol=1e-4)
        for intercept, C in [(False, 1), (True, 1), (True, 0.01)]:
            theirs = linear_model.LogisticRegression(C=C, multi_class="multinomial", fit_intercept=intercept, solver="newton-cg", tol=1e-12, max_iter=10000).fit(X, y)
            ours = lanes.LogisticRegression(C=C, multi_class="multinomial", fit_intercept=intercept, tol=1e-14).fit(X, y)
            self.assertEqual(ours.status_, "converged")
            np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
            np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)

        for penalty, ratio in [("l1", None), ("elasticnet", 0.5)]:
            theirs = linear_model.LogisticRegression(penalty, C=0.3, l1_ratio=ratio, multi_class="multinomial", solver="saga", tol=1e-8, max_iter=20000).fit(X, y)
            ours = lanes.LogisticRegression(penalty, C=0.3, l1_ratio=ratio, multi_class="multinomial", tol=1e-10).fit(X, y)
            self.assertEqual(ours.status_, "converged")
            np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-4)
            if ratio:  # an L1 norm alone may have many minima, which equal changes of all classes lead to
                np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-4)
            np.testing.assert_allclose(np.abs(ours.coef_).sum(), np.abs(theirs.coef_).sum(), rtol=1e-4)
            self.assertTrue((ours.coef_ == 0).any())

    def test_rare_classes(self):
        """Columns that tell nothing leave the classes their shares, whatever the penalty."""
        rng = np.random.default_rng(0)
        X, y = rng.normal(size=(400, 2)), np.r_[np.zeros(380), np.ones(10), np.full(10, 2)]
        for C in (1, 0.01):
            model = lanes.LogisticRegression(C=C, multi_class="multinomial", tol=1e-9).fit(X, y)
            np.testing.assert_allclose(model.predict_proba(X).mean(0), [0.95, 0.025, 0.025], atol=1e-4)
            self.assertLess(abs(model.intercept_.sum()), 1e-12)

    def test_regressions(self):
        X, _, y = rows()
        w = np.random.default_rng(1).uniform(0, 3, len(y))
        for ours, theirs in [(lanes.Ridge(3), linear_model.Ridge(3, solver="sparse_cg", tol=1e-12)), (lanes.Lasso(0.05), linear_model.Lasso(0.05, tol=1e-12)),
                             (lanes.ElasticNet(0.05), linear_model.ElasticNet(0.05, tol=1e-12))]:
            for weights in (None, w):
                dense = X.toarray()
                ours.fit(X, y, weights)
                theirs.fit(dense, y, weights)
                np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
                np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
                np.testing.assert_allclose(ours.predict(X), theirs.predict(dense), atol=1e-5)

    def test_huber_of_scikit_learn(self):
        """Its scale sigma and its epsilon give delta = epsilon sigma, and alpha = its alpha times sigma.

        Its solver ends once the objective falls by less than 2e-9: too early for 1e-6. Its gradient
        decides: its Hessian is 2 X'X / sigma of rows inside, so a gradient of 1e-4 is about 1e-6 in the coefficients.
        """
        from sklearn.linear_model._huber import _huber_loss_and_gradient

        X, _, y = rows()
        y[:20] += 50
        w = np.random.default_rng(1).uniform(0.1, 3, len(y))
        self.assertGreater(np.linalg.eigvalsh((X.T @ X).toarray()).min(), 50)
        for epsilon, alpha, intercept, weights in [(1.35, 1e-4, True, None), (1.1, 3.0, True, None), (2.0, 0.5, False, None), (1.5, 2.0, True, w)]:
            theirs = linear_model.HuberRegressor(epsilon=epsilon, alpha=alpha, fit_intercept=intercept, max_iter=10000).fit(X.toarray(), y, weights)
            ours = lanes.HuberRegressor(delta=epsilon * theirs.scale_, alpha=alpha * theirs.scale_, fit_intercept=intercept, tol=1e-13).fit(X, y, weights)
            np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=0.02)
            point = [*ours.coef_, *([ours.intercept_] if intercept else []), theirs.scale_]
            _, gradient = _huber_loss_and_gradient(np.array(point), X, y, epsilon, alpha, np.ones(len(y)) if weights is None else weights)
            np.testing.assert_allclose(gradient[:-1], 0, atol=1e-4)

    def test_kinks_of_scikit_learn(self):
        """Weights of losses with kinks are near those of scikit-learn's estimators; those of quantiles may not be unique."""
        X, labels, y = rows()
        dense = X.toarray()
        for C in (0.01, 0.1):
            for loss in ("hinge", "squared_hinge"):
                ours = lanes.LinearSVC(C=C, loss=loss, fit_intercept=False, tol=1e-9).fit(X, labels)
                theirs = svm.LinearSVC(C=C, loss=loss, fit_intercept=False, dual=True, tol=1e-6, max_iter=10**5).fit(dense, labels)
                np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-3)
            for loss in ("epsilon_insensitive", "squared_epsilon_insensitive"):
                ours = lanes.LinearSVR(epsilon=0.2, C=C, loss=loss, fit_intercept=False, tol=1e-12).fit(X, y)
                theirs = svm.LinearSVR(epsilon=0.2, C=C, loss=loss, fit_intercept=False, tol=1e-6, max_iter=10**5).fit(dense, y)
                np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-3)
        w = np.random.default_rng(2).uniform(0.1, 3, len(y))
        for quantile in (0.2, 0.5, 0.9):
            for weights in (None, w):
                ours = lanes.QuantileRegressor(quantile=quantile, alpha=1e-9, tol=1e-9).fit(X, y, weights)
                theirs = linear_model.QuantileRegressor(quantile=quantile, alpha=0, solver="highs").fit(dense, y, weights)
                at = [mean_pinball_loss(y, m.predict(dense), sample_weight=weights, alpha=quantile) for m in (ours, theirs)]
                np.testing.assert_allclose(at[0], at[1], rtol=1e-6)
        for wrong in (lanes.LinearSVC(loss="log"), lanes.LinearSVR(loss="huber"), lanes.LinearSVR(epsilon=0), lanes.QuantileRegressor(quantile=1), lanes.QuantileRegressor(alpha=0)):
            with self.assertRaises(ValueError):
                wrong.fit(X, labels)

    def test_means_of_scikit_learn(self):
        """Estimators of means are scikit-learn's, with weights; an offset is the logarithm of an exposure."""
        from sklearn.metrics import d2_tweedie_score

        r = np.random.default_rng(5)
        X = r.normal(size=(400, 5))
        mean, s = np.exp(X @ [0.3, -0.2, 0.1, 0, 0.5] + 0.4), r.uniform(0.1, 3, 400)
        s[7] = 0
        counts, sizes = r.poisson(mean).astype(float), r.gamma(2, mean / 2)
        sums = np.array([r.gamma(2, m / 2, size=k).sum() for m, k in zip(mean, r.poisson(1, 400))])
        for name, y, more in [("PoissonRegressor", counts, {}), ("GammaRegressor", sizes, {}), ("TweedieRegressor", sums, {"power": 1.5}), ("TweedieRegressor", sums, {"power": 1.1}),
                              ("TweedieRegressor", sums, {}), ("TweedieRegressor", counts, {"power": 1}), ("TweedieRegressor", sizes, {"power": 2}), ("TweedieRegressor", np.random.default_rng(4).wald(mean, 2 * mean), {"power": 3})]:
            for alpha, weights in [(1.0, None), (0.01, s), (0, None)]:
                bent = more.get("power") == 3
                ours = getattr(lanes, name)(alpha=alpha, tol=1e-10 if bent else 1e-13, **more).fit(X, y, weights)
                theirs = getattr(linear_model, name)(alpha=alpha, tol=1e-10, max_iter=10000, **more).fit(X, y, weights)
                np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-5)
                np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-4)
                if weights is None:  # scikit-learn 1.2 leaves weights out of a part of its score
                    self.assertAlmostEqual(ours.score(X, y), theirs.score(X, y), places=6)
                else:
                    of = d2_tweedie_score(y, theirs.predict(X), sample_weight=weights, power=more.get("power", {"P": 1, "G": 2, "T": 0}[name[0]]))
                    self.assertAlmostEqual(ours.score(X, y, weights), of, places=6)
                self.assertEqual(ours.status_, "stationary point" if bent else "converged")
        o = r.normal(size=400)
        ours = lanes.PoissonRegressor(alpha=0, tol=1e-13).fit(X, counts, offset=o)
        z = np.exp(X @ ours.coef_ + ours.intercept_ + o)
        np.testing.assert_allclose(X.T @ (z - counts), 0, atol=1e-4)
        with self.assertRaisesRegex(ValueError, "weight 0 beside offsets"):
            lanes.PoissonRegressor().fit(X, counts, s, offset=o)
        for power in (0.5, 4, "1", np.nan):
            with self.assertRaisesRegex(ValueError, "power is"):
                lanes.TweedieRegressor(power=power).fit(X, counts)
        with self.assertRaisesRegex(ValueError, "the gamma loss needs targets above 0"):
            lanes.GammaRegressor().fit(X, counts)

    def test_huber(self):
        X, _, y = rows()
        y[:20] += 50
        m = lanes.HuberRegressor(delta=0.7, alpha=2).fit(X, y)
        residual = np.clip(y - X @ m.coef_ - m.intercept_, -0.7, 0.7)
        np.testing.assert_allclose(X.T @ residual - 2 * m.coef_, 0, atol=1e-2)
        self.assertLess(abs(residual.sum()), 1e-2)

    def test_rankings(self):
        X, y, _ = rows(n=1000)
        y = (y * np.random.default_rng(3).integers(0, 2, len(y))).astype(int)
        for model in (lanes.AveragePrecisionClassifier(), lanes.AveragePrecisionClassifier(solver="search"), lanes.PartialAUCClassifier(fpr=(0, 0.3)), lanes.PartialAUCClassifier(fpr=(0, 0.5), tpr=0.5),
                      lanes.AveragePrecisionClassifier(hidden=[4])):
            s = model.fit(X, y).decision_function(X)
            self.assertGreater(average_precision_score(y, s), y.mean() + 0.15)
            self.assertGreater(roc_auc_score(y, s), 0.7)

    def test_portfolio(self):
        R = np.random.default_rng(0).normal(0.001, 0.02, (500, 6))
        p = lanes.Portfolio(risk=5, long_only=True).fit(R)
        self.assertAlmostEqual(p.weights_.sum(), 1)
        g = 10 * np.cov(R.T, bias=True) @ p.weights_ - R.mean(axis=0)
        held = p.weights_ > 1e-9
        np.testing.assert_allclose(g[held], g[held].mean(), atol=1e-6)
        self.assertGreater(g[~held].min(initial=np.inf), g[held].mean() - 1e-6)
        np.testing.assert_allclose(p.predict(R).mean(), p.mean_)

    def test_cross_validation(self):
        X, y, _ = rows()
        m = lanes.LogisticRegressionCV(Cs=[0.01, 1, 100], scoring="roc_auc").fit(X, y)
        self.assertEqual(len(m.scores_mean_), 3)
        self.assertIn(round(float(m.C_[0]), 9), [0.01, 1, 100])
        self.assertAlmostEqual(m.Cs_[np.argmax(m.scores_mean_)], m.C_[0])


    def test_folds_of_the_caller(self):
        """Scores are those of scikit-learn's fits, scorer and folds."""
        X, y, _ = rows()
        Cs, folds = [0.05, 1, 20], StratifiedKFold(4, shuffle=True, random_state=1)
        for cv, scoring in [(folds, "roc_auc"), (list(folds.split(X, y)), "accuracy"), (ShuffleSplit(3, random_state=2), None), (3, "f1")]:
            ours = lanes.LogisticRegressionCV(Cs=Cs, cv=cv, scoring=scoring, tol=1e-10).fit(X, y)
            grid = GridSearchCV(linear_model.LogisticRegression(solver="newton-cholesky", tol=1e-10), {"C": Cs}, cv=cv, scoring=scoring or "neg_log_loss").fit(X.toarray(), y)
            np.testing.assert_allclose(ours.scores_mean_, grid.cv_results_["mean_test_score"], atol=1e-5)
            self.assertEqual(ours.scores_.shape, (grid.n_splits_, 3))
            self.assertEqual(ours.C_[0], grid.best_params_["C"])
            np.testing.assert_allclose(ours.coef_[0], lanes.LogisticRegression(C=ours.C_[0], tol=1e-10).fit(X, y).coef_[0])
        ours = lanes.LogisticRegressionCV(Cs=Cs, scoring="neg_log_loss").fit(X, y)
        self.assertLess(ours.scores_mean_.max(), 0)
        self.assertEqual(ours.scores_.shape, (5, 3))
        np.testing.assert_allclose(ours.scores_.mean(axis=0), ours.scores_mean_)
        self.assertEqual(ours.C_[0], ours.Cs_[np.argmax(ours.scores_mean_)])
        simple = lanes.LogisticRegressionCV(Cs=Cs, cv=folds, one_standard_error=True).fit(X, y)
        best = np.argmax(simple.scores_mean_)
        self.assertLessEqual(simple.C_[0], Cs[best])
        self.assertGreaterEqual(simple.scores_mean_[list(Cs).index(simple.C_[0])], simple.scores_mean_[best] - simple.scores_error_[best])

    def test_paths_of_regressions(self):
        """A path has the fits of Lasso, and folds choose among these; alphas are in the unit of the estimators."""
        X, _, z = rows()
        dense = X.toarray() + np.random.default_rng(2).normal(size=X.shape)
        s = np.random.default_rng(3).integers(0, 3, len(z)).astype(float)
        for x in (X, dense):
            for weights in (None, s):
                alphas, coefs, gaps, intercepts = lanes.lasso_path(x, z, alphas=[0.001, 0.1, 0.01], sample_weight=weights, tol=1e-10, return_intercepts=True)
                np.testing.assert_array_equal(alphas, [0.1, 0.01, 0.001])
                self.assertEqual((coefs.shape, gaps.shape), ((x.shape[1], 3), (3,)))
                for k, alpha in enumerate(alphas):
                    alone = lanes.Lasso(alpha).fit(x, z, weights)
                    np.testing.assert_allclose(coefs[:, k], alone.coef_, atol=1e-4)
                    self.assertAlmostEqual(intercepts[k], alone.intercept_, 4)
                usual, coefs, _ = lanes.lasso_path(x, z, sample_weight=weights)
                self.assertEqual(coefs.shape, (x.shape[1], 100))
                self.assertFalse(coefs[:, 0].round(9).any())
                self.assertTrue(lanes.Lasso(0.95 * usual[0]).fit(x, z, weights).coef_.any())
                self.assertFalse(lanes.Lasso(1.001 * usual[0]).fit(x, z, weights).coef_.any())
        for kind, single, alphas in [(lanes.LassoCV, lanes.Lasso, [0.3, 0.01, 0.001]), (lanes.RidgeCV, lanes.Ridge, [1e-3, 1, 1e3])]:
            model = kind(alphas=alphas, cv=3, tol=1e-9).fit(dense, z)
            np.testing.assert_allclose(model.alphas_, sorted(alphas)[::-1])
            self.assertEqual(model.mse_path_.shape, (3, 3))
            np.testing.assert_allclose(model.mse_path_.mean(axis=1), model.mse_mean_)
            np.testing.assert_allclose(model.alpha_, model.alphas_[np.argmin(model.mse_mean_)])
            np.testing.assert_allclose(model.coef_, single(model.alpha_).fit(dense, z).coef_, atol=1e-4)
            residual = z - model.predict(dense)
            self.assertGreater(model.mse_mean_.min(), 0.9 * np.mean(residual ** 2))
            self.assertLess(model.mse_mean_.min(), 1.5 * np.mean(residual ** 2))
            self.assertGreaterEqual(kind(alphas=alphas, cv=3, one_standard_error=True).fit(dense, z).alpha_, model.alpha_)
            self.assertGreater(len(kind(cv=2).fit(dense, z).alphas_), 3)
            for bad in ([], [0], [-1, 1], [np.nan]):
                with self.assertRaisesRegex(ValueError, "alpha"):
                    kind(alphas=bad).fit(dense, z)

    def test_one_row(self):
        """A row alone has the bits that it has among others."""
        X, y, _ = rows(classes=3)
        for dense in (X.toarray(), X.toarray().astype(np.float32)):
            model = lanes.LogisticRegression().fit(dense, y)
            scores = model.decision_function(dense)
            for k in range(5):
                for row in (dense[k:k + 1], sp.csr_matrix(dense[k:k + 1])):
                    np.testing.assert_array_equal(model.decision_function(row), scores[k:k + 1])
        for bad in (np.full((1, 12), np.nan), np.full((1, 11), 1.0), np.full((1, 12), np.inf)):
            with self.assertRaises(ValueError):
                model.predict(bad)
        self.assertEqual(model.predict(np.full((1, 12), 1e307)).shape, (1,))

    def test_svc_weights(self):
        X, y, _ = rows()
        w = np.random.default_rng(1).uniform(0, 3, len(y))
        for weight in (None, "balanced"):
            theirs = LinearSVC(C=0.5, fit_intercept=False, class_weight=weight, tol=1e-10, max_iter=100000, dual=False).fit(X, y, w)
            ours = lanes.LinearSVC(C=0.5, fit_intercept=False, class_weight=weight, tol=1e-12).fit(X, y, w)
            np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)

    def test_svc_intercept(self):
        """The penalty of scikit-learn's intercept falls with the square of intercept_scaling."""
        X, y, _ = rows(classes=3)
        w = np.random.default_rng(1).uniform(0, 3, len(y))
        for labels, C, weights in [((y > 0).astype(int), 0.5, None), ((y > 0).astype(int), 3, w), (y, 0.5, w)]:
            theirs = LinearSVC(C=C, intercept_scaling=3000, tol=1e-12, max_iter=1000000, dual=False).fit(X, labels, weights)
            ours = lanes.LinearSVC(C=C, tol=1e-13).fit(X, labels, weights)
            np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=1e-6)
            np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=1e-6)
            for c, sign in enumerate([2 * labels - 1] if labels is not y else [2 * (y == c) - 1 for c in range(3)]):
                s = np.ones(len(y)) if weights is None else weights
                slope = -2 * s * sign * np.maximum(0, 1 - sign * (X @ ours.coef_[c] + ours.intercept_[c]))
                np.testing.assert_allclose(C * X.T @ slope + ours.coef_[c], 0, atol=1e-4)
                self.assertLess(abs(slope.sum()), 1e-4)


class TestSettings(unittest.TestCase):
    """Every setting has its effect."""

    def test_seed_and_solver(self):
        X, y, _ = rows()
        fit = {seed: lanes.LogisticRegression(solver="svrg", fit_intercept=False, random_state=seed, max_iter=3, tol=0, n_jobs=1).fit(X, y) for seed in (None, 1, 2)}
        self.assertEqual(fit[None].weights_sha256_, fit[1].weights_sha256_)
        self.assertNotEqual(fit[2].weights_sha256_, fit[1].weights_sha256_)
        self.assertEqual((fit[1].report_["solver"], fit[1].report_["seed"], fit[2].report_["seed"], fit[1].report_["workers"]), ("svrg", 1, 2, 1))
        self.assertLessEqual(fit[1].report_["passes"], 4)
        random = lanes.LogisticRegression(random_state=np.random.RandomState(0)).fit(X, y)
        self.assertEqual(random.report_["seed"], np.random.RandomState(0).randint(1 << 31))

    def test_rates(self):
        X, y, _ = rows()
        hashes = {lanes.PartialAUCClassifier(**how).fit(X, y).weights_sha256_ for how in ({}, {"fpr": (0, 0.5)}, {"fpr": (0.1, 0.5)}, {"fpr": (0, 0.5), "tpr": 0.6})}
        self.assertEqual(len(hashes), 4)

    def test_metrics_of_folds(self):
        X, y, _ = rows()
        right = lanes.LogisticRegressionCV(Cs=[0.1, 1], scoring="accuracy").fit(X, y).scores_ * len(y) / 5
        np.testing.assert_allclose(right, right.round(), atol=1e-9)
        for scoring in ("roc_auc", "average_precision"):
            self.assertGreater(lanes.LogisticRegressionCV(Cs=[0.1, 1], scoring=scoring).fit(X, y).scores_.min(), 0.7)

    def test_portfolio_limits(self):
        R = np.random.default_rng(0).normal(0.001, 0.02, (500, 6))
        free = lanes.Portfolio(risk=5, limit=9).fit(R)
        for limit, l1 in ((0.2, 0.0), (9, 3e-4), (0.3, 2e-4)):
            w = lanes.Portfolio(risk=5, limit=limit, l1=l1).fit(R).weights_
            g = 10 * np.cov(R.T, bias=True) @ w - R.mean(axis=0)
            inside = (abs(w) > 1e-9) & (abs(w) < limit)
            np.testing.assert_allclose(g[inside], -l1 * np.sign(w[inside]), atol=1e-6)
            self.assertTrue((abs(g[abs(w) <= 1e-9]) <= l1 + 1e-6).all())
            self.assertLessEqual(abs(w).max(), limit)
            self.assertGreater(abs(w - free.weights_).max(), 1e-3)

    def test_verbose(self):
        X, y, _ = rows()
        with contextlib.redirect_stderr(io.StringIO()) as shown:
            lanes.LogisticRegression().fit(X, y)
            self.assertEqual(shown.getvalue(), "")
            model = lanes.LogisticRegression(verbose=True).fit(X, y)
        self.assertIn(f"objective {model.report_['objective']:.8g}", shown.getvalue())


class TestMemory(unittest.TestCase):
    def test_growth(self):
        """Rows and models are freed: fits and predictions do not grow the process."""
        X = sp.random(20000, 4000, 0.003, format="csr", random_state=0)
        y = (np.asarray(X.sum(axis=1))[:, 0] > 6).astype(int)
        wide = sp.csr_matrix((np.ones(20), (np.arange(20), np.arange(20) * 20000)), (20, 400000))

        def resident():
            return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6

        model, few = lanes.LogisticRegression(tol=1e-2, max_iter=50, n_jobs=1), X[:2]
        for part in (lambda: model.fit(X, y), lambda: [model.model_.scores(few, 3) for _ in range(200)], lambda: model.predict(X), lambda: lanes.LogisticRegression(max_iter=20).fit(wide, np.arange(20) % 2)):
            for _ in range(15):
                part()
            before = resident()
            for _ in range(45):
                part()
            self.assertLess(resident() - before, 30)

    def test_locks(self):
        """Other threads of Python run while a fit runs."""
        X, y, _ = rows(n=3000, d=200)
        ended, counts = threading.Event(), []

        def count():
            while not ended.is_set():
                counts.append(time.monotonic())
                time.sleep(0.001)

        thread = threading.Thread(target=count)
        thread.start()
        begin = time.monotonic()
        other = threading.Thread(target=lambda: lanes.LogisticRegression(solver="adam", tol=0, max_iter=1000, n_jobs=1).fit(X, y))
        other.start()
        other.join()
        end = time.monotonic()
        ended.set()
        thread.join()
        middle = [t for t in counts if begin + 0.1 * (end - begin) < t < end - 0.1 * (end - begin)]
        self.assertGreater(len(middle), 5)


class TestRows(unittest.TestCase):
    def test_same_bits(self):
        X, y, _ = rows()
        dense = X.toarray()
        short = sp.csr_matrix((X.data, X.indices.astype(np.int32), X.indptr.astype(np.int32)), X.shape)
        long = sp.csr_matrix((X.data, X.indices, X.indptr), X.shape)
        long.indices, long.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
        doubled = sp.csr_matrix((np.repeat(X.data / 2, 2), np.repeat(X.indices, 2), X.indptr * 2), X.shape)
        hashes = {lanes.LogisticRegression(n_jobs=jobs).fit(rows, y).weights_sha256_
                  for rows in (X, dense, np.asfortranarray(dense), X.tocsc(), X.tocoo(), short, long, doubled, dense[::-1][::-1]) for jobs in (1, 3)}
        self.assertEqual(len(hashes), 1)

    def test_same_scores(self):
        """Every array has the scores of its rows as a CSR matrix, whatever its order, type and strides, with zeros and without."""
        X, y, _ = rows(classes=3)
        random = np.random.default_rng(5)
        full = random.standard_normal(X.shape).astype(np.float32).astype(np.float64)
        holes = np.where(random.random(X.shape) < 0.01, -0.0, full)
        for jobs, model in ((jobs, lanes.LogisticRegression(n_jobs=jobs, multi_class=kind).fit(X, y)) for kind in ("ovr", "multinomial") for jobs in (1, 2)):
            for dense in (X.toarray().astype(np.float32).astype(np.float64), full, holes, np.zeros_like(full), np.repeat(full, 100, axis=0)):
                want = model.decision_function(sp.csr_matrix(dense))
                wide = np.full((2 * dense.shape[0], 3 * dense.shape[1] + 2), np.nan)
                wide[::2, 1:-1:3] = dense
                for array in (dense, np.asfortranarray(dense), dense.astype(np.float32), np.asfortranarray(dense.astype(np.float32)),
                              dense[::-1][::-1], wide[::2, 1:-1:3], dense.astype(">f8"), memoryview(np.ascontiguousarray(dense))):
                    np.testing.assert_array_equal(model.decision_function(array), want)
                odds = model.predict_proba(sp.csr_matrix(dense))
                np.testing.assert_array_equal(model.predict_proba(np.asfortranarray(dense)), odds)
                np.testing.assert_array_equal(model.predict(dense), model.predict(sp.csr_matrix(dense)))
                np.testing.assert_array_equal(model.decision_function(dense[::-1]), want[::-1])
                np.testing.assert_array_equal(model.decision_function(np.broadcast_to(dense[1], (5, dense.shape[1]))), want[[1] * 5])
            for bad in (np.nan, np.inf, -np.inf):
                wrong = full.copy()
                wrong[7, 2] = bad
                for array in (wrong, np.asfortranarray(wrong), wrong.astype(np.float32)):
                    for call in (model.predict, model.decision_function, model.predict_proba):
                        with self.assertRaisesRegex(ValueError, "NaN|infinity"):
                            call(array)
            with self.assertRaisesRegex(ValueError, "features"):
                model.predict(full[:, :-1])
            with self.assertRaises(ValueError):
                model.predict(full[:0])
            with self.assertRaisesRegex(ValueError, "row 8: column 2 holds"):
                model.model_.scores(wrong)

    def test_command(self):
        """The command gives the same SHA-256 for the same rows and settings."""
        if not os.path.exists(COMMAND):
            self.skipTest(f"no {COMMAND}: make build")
        X, y, _ = rows()
        with tempfile.TemporaryDirectory() as folder:
            path, saved = os.path.join(folder, "rows.txt"), os.path.join(folder, "python.model")
            with open(path, "w") as file:
                for i in range(X.shape[0]):
                    a, b = X.indptr[i:i + 2]
                    file.write(str(2 * y[i] - 1) + "".join(f" {j + 1}:{v!r}" for j, v in zip(X.indices[a:b], X.data[a:b])) + "\n")
            for penalty, flags in [("l2", []), ("l1", ["--l1", repr(1 / (2.0 * X.shape[0])), "--lambda", "0"])]:
                ours = lanes.LogisticRegression(penalty, C=2.0, tol=1e-8).fit(X, y)
                out = subprocess.run([COMMAND, "train", path, "--intercept", "--gap", "1e-8", "--json", *(flags or ["--lambda", repr(1 / (2.0 * X.shape[0]))])],
                                     check=True, capture_output=True, text=True).stdout
                self.assertEqual(json.loads(out)["weights_sha256"], ours.weights_sha256_, penalty)
            ours.model_.write(saved)
            scores = subprocess.run([COMMAND, "predict", saved, path], check=True, capture_output=True, text=True).stdout
            np.testing.assert_array_equal(np.array(scores.split(), float), ours.decision_function(X))
            np.testing.assert_array_equal(lanes.Model.read(saved).scores(X)[:, 0], ours.decision_function(X))

    def test_errors(self):
        X, y, _ = rows()
        for model, text in [(lanes.LogisticRegression(C=-1), "C is -1"), (lanes.LogisticRegression(solver="magic"), "magic"),
                            (lanes.LogisticRegression(tol=-1), "tol is -1"), (lanes.Lasso(tol=np.nan), "tol is nan"),
                            (lanes.LinearSVC(max_iter=np.inf), "max_iter is inf"), (lanes.LogisticRegression(random_state=-1), "random_state is -1"),
                            (lanes.LogisticRegressionCV(Cs=[0, 1]), r"Cs is \[0, 1\]"), (lanes.LogisticRegressionCV(Cs=[]), "Cs is"), (lanes.LogisticRegressionCV(cv=0), "cv is 0"), (lanes.LogisticRegression("l3"), "l3"), (lanes.Ridge(np.nan), "alpha")]:
            with self.assertRaisesRegex(ValueError, text):
                model.fit(X, y)
        with self.assertWarnsRegex(lanes.NotConverged, "tol"):
            warnings.simplefilter("always", lanes.NotConverged)
            lanes.LogisticRegression(max_iter=2, tol=1e-12).fit(X, y)
            warnings.simplefilter("error", lanes.NotConverged)

    def test_large_targets(self):
        X, _, z = rows()
        with self.assertRaisesRegex(ValueError, "squares of y.*scale"):
            lanes.Ridge().fit(X, 1e200 * z)

    def test_weights_of_zero(self):
        """A class whose rows all have the weight 0 is no class of the model."""
        X, y, z = rows(classes=3)
        keep = y != 0
        rest = lanes.LogisticRegression().fit(X[keep], y[keep])
        for model, weights in [(lanes.LogisticRegression(), keep.astype(float)), (lanes.LogisticRegression(multi_class="multinomial"), keep.astype(float)),
                               (lanes.LogisticRegression(class_weight={0: 0, 1: 1, 2: 1}), None)]:
            model.fit(X, y, weights)
            self.assertEqual(model.classes_.tolist(), [1, 2])
            np.testing.assert_array_equal(model.predict(X), rest.predict(X))
        with self.assertRaisesRegex(ValueError, "only one class: 1"):
            lanes.LogisticRegression().fit(X, y, y == 1)
        for model, target in [(lanes.LinearSVC(), y), (lanes.Ridge(), z)]:
            with self.assertRaisesRegex(ValueError, "every row has the weight 0"):
                model.fit(X, target, np.zeros(len(y)))

    def test_arrays_of_sparse_matrices(self):
        """The arrays of a sparse matrix may have strides, a type of the other byte order, and more elements than the matrix has."""
        X, y, _ = rows()
        model = lanes.LogisticRegression().fit(X, y)
        one, scores = X[:1], model.decision_function(X)
        for matrix in (X, one):
            for name, change in [("indptr", lambda a: np.repeat(a, 2)[::2]), ("indices", lambda a: a[::-1].copy()[::-1]), ("data", lambda a: np.repeat(a, 2)[::2]),
                                 ("indices", lambda a: a.astype(">i4")), ("data", lambda a: a.astype(">f8")), ("data", lambda a: np.append(a, 5)),
                                 ("indices", lambda a: np.append(a, 3))]:
                with self.subTest(name=name, rows=matrix.shape[0]):
                    other = matrix.copy()
                    setattr(other, name, change(getattr(other, name)))
                    np.testing.assert_allclose(model.decision_function(other), scores[:matrix.shape[0]], rtol=1e-12)
            other = matrix.copy()
            other.indices, other.data = np.append(other.indices, 11), np.append(other.data, 5)
            np.testing.assert_allclose(model.decision_function(other), scores[:matrix.shape[0]], rtol=1e-12)
            for name in ("indptr", "indices", "data"):
                other = matrix.copy()
                setattr(other, name, getattr(other, name)[:-1])
                with self.assertRaisesRegex(ValueError, "indptr, indices and data have"):
                    model.decision_function(other)

    def test_arrays_stay(self):
        """A caller's arrays stay as they are, also where the columns of rows are in no order."""
        X, y, z = rows(classes=3)
        for k in range(X.shape[0]):
            begin, end = X.indptr[k], X.indptr[k + 1]
            X.indices[begin:end], X.data[begin:end] = X.indices[begin:end][::-1].copy(), X.data[begin:end][::-1].copy()
        X.has_sorted_indices = False
        w = np.random.default_rng(4).uniform(0, 2, len(y))
        for matrix in (X, X.tocsc(), X.toarray(), np.asfortranarray(X.toarray()), X.astype(np.float32)):
            parts = [matrix] if isinstance(matrix, np.ndarray) else [matrix.indptr, matrix.indices, matrix.data]
            parts += [y, z, w]
            before = [part.copy() for part in parts]
            for model, target in [(lanes.LogisticRegression(), y), (lanes.LogisticRegression(multi_class="multinomial"), y), (lanes.Ridge(), z), (lanes.Lasso(), z), (lanes.LinearSVC(), y)]:
                model.fit(matrix, target, **({} if isinstance(model, lanes.Lasso) else {"sample_weight": w}))
                getattr(model, "decision_function", model.predict)(matrix)
                for part, was in zip(parts, before):
                    self.assertEqual(part.tobytes(), was.tobytes(), f"{model}, {type(matrix)}")

    def test_offset_and_start(self):
        X, y, _ = rows()
        plain = lanes.LogisticRegression(fit_intercept=True).fit(X, y)
        moved = lanes.LogisticRegression(fit_intercept=True).fit(X, y, offset=np.full(len(y), 2.0))
        np.testing.assert_allclose(moved.intercept_, plain.intercept_ - 2, atol=1e-3)
        again = lanes.LogisticRegression(warm_start=True, tol=1e-9).fit(X, y)
        first = len(again.trace_)
        self.assertLess(len(again.fit(X, y).trace_), first)


class TestPipelines(unittest.TestCase):
    def test_text(self):
        rng = np.random.default_rng(0)
        words = {0: "cheap offer win money now free".split(), 1: "meeting report lunch tomorrow project budget".split()}
        y = rng.integers(0, 2, 200)
        texts = [" ".join(rng.choice(words[k] if rng.random() < 0.9 else words[1 - k], 6)) for k in y]
        pipeline = make_pipeline(TfidfVectorizer(), lanes.LogisticRegression())
        self.assertGreater(cross_val_score(pipeline, texts, y, cv=3).mean(), 0.85)
        grid = GridSearchCV(pipeline, {"logisticregression__C": [0.01, 1, 100]}, cv=3, n_jobs=2).fit(texts, y)
        self.assertGreater(grid.best_score_, 0.85)
        sharp = CalibratedClassifierCV(make_pipeline(TfidfVectorizer(), lanes.LinearSVC()), cv=3).fit(texts, y)
        self.assertGreater(sharp.score(texts, y), 0.85)


def _child(queue):
    try:
        X, y, _ = rows()
        queue.put(lanes.LogisticRegression().fit(X, y).weights_sha256_)
    except RuntimeError as error:
        queue.put(str(error))


class TestWheel(unittest.TestCase):
    def test_licences(self):
        """The wheel has the licence of lanes, and of the modules that its library links."""
        files = {file.name: file for file in importlib.metadata.files("lanes")}
        for name, part in {"LICENSE": "The lanes authors", "NOTICES": "github.com/parquet-go/parquet-go"}.items():
            self.assertIn(part, files[name].read_text(encoding="utf-8"))


class TestProcesses(unittest.TestCase):
    def test_pickle(self):
        X, y, _ = rows(classes=3)
        for model in (lanes.LogisticRegression(), lanes.LinearSVC(), lanes.AveragePrecisionClassifier(hidden=[3])):
            y2 = y if not model._more_tags().get("binary_only") else (y > 0).astype(int)
            model.fit(X, y2)
            again = pickle.loads(pickle.dumps(model))
            np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))

    def test_threads(self):
        X, y, _ = rows()
        hashes = []
        threads = [threading.Thread(target=lambda: hashes.append(lanes.LogisticRegression(tol=1e-10).fit(X, y).weights_sha256_)) for _ in range(6)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(len(hashes), 6)
        self.assertEqual(len(set(hashes)), 1)

    def test_fork(self):
        X, y, _ = rows()
        mine = lanes.LogisticRegression().fit(X, y).weights_sha256_
        for method, want in (("fork", "fork"), ("spawn", mine)):
            context = multiprocessing.get_context(method)
            queue = context.Queue()
            child = context.Process(target=_child, args=(queue,))
            child.start()
            self.assertIn(want, queue.get(timeout=60))
            child.join(60)

    def test_interrupt(self):
        """Ctrl-C ends runs of the main thread, of few and many rows, with the best model so far."""
        before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it
        self.addCleanup(signal.signal, signal.SIGINT, before)
        for n, d, passes in ((400, 12, 1e7), (30000, 3000, 20000)):
            X, y, _ = rows(n=n, d=d, share=0.4 if n == 400 else 0.03)
            for verbose in False, True:
                model = lanes.LogisticRegression(solver="adam", fit_intercept=False, tol=1e-300, max_iter=passes, verbose=verbose)
                timer = threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT))
                timer.start()
                begin = time.monotonic()
                with self.assertRaises(KeyboardInterrupt):
                    model.fit(X, y)
                timer.join()
                self.assertLess(time.monotonic() - begin, 30)
                self.assertEqual(model.status_, "cancelled")
                self.assertGreater(model.score(X, y), 0.7)
        self.assertIsNotNone(lanes.LogisticRegression().fit(X[:100], y[:100]).gap_)

    def test_signals(self):
        """A handler that raises nothing ends a run early; other signals do not; the socket before gets all."""
        X, y, _ = rows(n=400, d=12)
        heard, (read, write) = [], socket.socketpair()
        for end in read, write:
            end.setblocking(False)
        before = {number: signal.signal(number, lambda number, _: heard.append(number)) for number in (signal.SIGINT, signal.SIGUSR1)}
        wakeup = signal.set_wakeup_fd(write.fileno())
        try:
            for number in signal.SIGUSR1, signal.SIGINT:
                model = lanes.LogisticRegression(solver="adam", tol=1e-300, max_iter=1e7 if number == signal.SIGINT else 10000)
                timer = threading.Timer(0.2, os.kill, (os.getpid(), number))
                timer.start()
                with self.assertWarns(lanes.NotConverged):
                    model.fit(X, y)
                timer.join()
                self.assertEqual(model.status_ == "cancelled", number == signal.SIGINT, model.status_)
            self.assertEqual(signal.set_wakeup_fd(write.fileno()), write.fileno())
            self.assertEqual(heard, [signal.SIGUSR1, signal.SIGINT])
            self.assertEqual(list(read.recv(10)), heard)
        finally:
            signal.set_wakeup_fd(wakeup)
            for number, handler in before.items():
                signal.signal(number, handler)
            read.close(), write.close()


class BoundsTest(unittest.TestCase):
    def test_bounds(self):
        """Bounds of coefficients are scikit-learn's and scipy's, and a coefficient at a bound is there exactly."""
        from scipy.optimize import lsq_linear, minimize, nnls
        from sklearn.linear_model import ElasticNet, Lasso, LinearRegression

        r = np.random.default_rng(1)
        X = r.normal(size=(200, 6))
        y = X @ [1.0, 0.5, -0.3, 0.1, -1.0, 0.0] + 0.2 * r.normal(size=200)
        free = lanes.Ridge(0, positive=True, tol=1e-10).fit(X, y)
        want = LinearRegression(positive=True).fit(X, y)
        self.assertEqual(free.status_, "converged")
        np.testing.assert_allclose(free.coef_, want.coef_, atol=1e-5)
        through = lanes.Ridge(0, positive=True, fit_intercept=False, tol=1e-10).fit(X, y)
        np.testing.assert_allclose(through.coef_, nnls(X, y)[0], atol=1e-5)
        for ours, theirs in ((lanes.Lasso(0.05, positive=True), Lasso(0.05, positive=True, tol=1e-10)),
                             (lanes.ElasticNet(0.1, positive=True), ElasticNet(0.1, positive=True, tol=1e-10))):
            got, want = ours.fit(X, y), theirs.fit(X, y)
            self.assertEqual(got.status_, "converged")
            np.testing.assert_allclose(got.coef_, want.coef_, atol=1e-5)
        lower, upper = np.array([0, -0.1, -np.inf, 0.2, -0.5, 0.1]), np.array([0.7, 0.1, -0.4, np.inf, 0.5, 0.1])
        box = lanes.Ridge(0, bounds=(lower, upper), fit_intercept=False, tol=1e-10).fit(X, y)
        want = lsq_linear(X, y, bounds=(lower - [0, 0, 0, 0, 0, 1e-12], upper + [0, 0, 0, 0, 0, 1e-12]), tol=1e-13).x
        np.testing.assert_allclose(box.coef_, want, atol=1e-5)
        self.assertTrue(box.coef_[0] == 0.7 and box.coef_[4] == -0.5 and box.coef_[5] == 0.1)
        counts = r.poisson(np.exp(y / 2))
        means = lanes.PoissonRegressor(alpha=0.1, bounds=(0, 0.2)).fit(X, counts)

        def value(w):
            z = X @ w[:-1] + w[-1]
            return np.mean(np.exp(z) - counts * z) + 0.05 * w[:-1] @ w[:-1]

        want = minimize(value, np.full(7, 0.1), bounds=[(0, 0.2)] * 6 + [(None, None)], method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-9}).x
        np.testing.assert_allclose(np.append(means.coef_, means.intercept_), want, atol=1e-4)
        labels = lanes.LogisticRegression(bounds=(0, np.inf)).fit(X, y > 0)
        self.assertTrue(labels.status_ == "converged" and (labels.coef_ >= 0).all() and (labels.coef_ == 0).any())
        for wrong in ((1, 0), (np.nan, 1), ([0, 0], 1), (np.inf, np.inf)):
            with self.assertRaisesRegex(ValueError, "bounds"):
                lanes.Ridge(1.0, bounds=wrong).fit(X, y)


class FactorsTest(unittest.TestCase):
    def test_factors(self):
        """Factors of the penalty are those of scaled columns, and a factor of 0 leaves a column unpenalised."""
        r = np.random.default_rng(0)
        X = r.normal(size=(200, 4))
        y = X @ [1.0, 0.5, -0.3, 0.1] + 0.2 * r.normal(size=200)
        c = np.array([2.0, 0.5, 1.0, 4.0])
        got = lanes.Lasso(0.05, penalty_factors=c).fit(X, y)
        want = lanes.Lasso(0.05).fit(X / c, y)
        self.assertEqual(got.status_, "converged")
        np.testing.assert_allclose(got.coef_, want.coef_ / c, atol=1e-5)
        free = lanes.Ridge(1e6, tol=1e-10, penalty_factors=[0, 1, 1, 1]).fit(X, y)
        self.assertTrue(abs(free.coef_[0]) > 0.5 and np.abs(free.coef_[1:]).max() < 0.01)
        counts = lanes.PoissonRegressor(alpha=1e3, penalty_factors=[0, 1, 1, 1]).fit(X, r.poisson(np.exp(y)))
        self.assertTrue(abs(counts.coef_[0]) > 0.5 and np.abs(counts.coef_[1:]).max() < 0.01)
        labels = lanes.LogisticRegression(C=1e-6, penalty_factors=[0, 1, 1, 1]).fit(X, y > 0)
        self.assertTrue(abs(labels.coef_[0, 0]) > 0.5 and np.abs(labels.coef_[0, 1:]).max() < 0.01)
        for wrong in ([1, 1], [1, 1, 1, -1], [1, 1, 1, np.inf]):
            with self.assertRaisesRegex(ValueError, "penalty_factors"):
                lanes.Ridge(1.0, penalty_factors=wrong).fit(X, y)


if __name__ == "__main__":
    unittest.main()
