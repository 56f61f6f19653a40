"""Tests of links, and of calibrated scores against scikit-learn's CalibratedClassifierCV and the command."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import lanes
import numpy as np
from scipy.optimize import minimize
from scipy.special import log_ndtr, ndtr
from sklearn.calibration import CalibratedClassifierCV
from sklearn.metrics import log_loss

COMMAND = os.environ.get("LANES_COMMAND") or str(pathlib.Path(__file__).parents[2] / "bin" / "lanes")


def drawn(n, seed, weights=(1.0, -0.5, 0.0, 0.3)):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, len(weights)))
    return X, (rng.uniform(size=n) < 1 / (1 + np.exp(1.5 - X @ weights))).astype(int)


class TestLinks(unittest.TestCase):
    def test_minimum(self):
        """The weights are the minimum of the definition, and probabilities, decisions and classes are by the link."""
        X, y = drawn(400, 1)
        signs, C = 2 * y - 1, 0.5
        chance = {"probit": ndtr, "cloglog": lambda z: -np.expm1(-np.exp(z))}
        phi = {"probit": lambda z: -log_ndtr(signs * z), "cloglog": lambda z: np.where(y, -np.log(-np.expm1(-np.exp(z))), np.exp(z))}
        for link in chance:
            for penalty in ("l2", None):
                for weight in (None, "balanced"):
                    s = np.where(y, len(y) / (2 * y.sum()), len(y) / (2 * (1 - y).sum())) if weight else np.ones(len(y))
                    ridge = 1 / C if penalty else 0
                    theirs = minimize(lambda w: np.sum(s * phi[link](X @ w[:-1] + w[-1])) + ridge / 2 * w[:-1] @ w[:-1], np.zeros(X.shape[1] + 1), tol=1e-12).x
                    ours = lanes.LogisticRegression(penalty, C=C, link=link, class_weight=weight, tol=1e-12).fit(X, y)
                    with self.subTest(link=link, penalty=penalty, weight=weight):
                        np.testing.assert_allclose(np.append(ours.coef_[0], ours.intercept_), theirs, atol=1e-4)
                        p = ours.predict_proba(X)[:, 1]
                        np.testing.assert_allclose(p, chance[link](X @ ours.coef_[0] + ours.intercept_), rtol=1e-12)
                        np.testing.assert_array_equal(ours.predict(X), (p > 0.5).astype(int))
                        np.testing.assert_array_equal(ours.decision_function(X) > 0, p > 0.5)
                        self.assertEqual(ours.status_, "converged")

    def test_l1(self):
        """Beside an L1 norm the gap bounds the distance from the minimum of the definition, found by weights of each sign."""
        X, y = drawn(400, 1)
        signs = 2 * y - 1
        for link, phi in (("probit", lambda z: -log_ndtr(signs * z)), ("cloglog", lambda z: np.where(y, -np.log(-np.expm1(-np.exp(z))), np.exp(z)))):
            sum_of = lambda v: np.sum(phi(X @ (v[:4] - v[4:8]) + v[8])) + np.sum(v[:8]) / 0.05
            theirs = minimize(sum_of, np.full(9, 0.1), bounds=[(0, None)] * 8 + [(None, None)], tol=1e-12)
            ours = lanes.LogisticRegression("l1", C=0.05, link=link, tol=1e-10).fit(X, y)
            w = ours.coef_[0]
            value = sum_of(np.concatenate([np.maximum(w, 0), np.maximum(-w, 0), ours.intercept_]))
            with self.subTest(link=link):
                self.assertEqual(ours.status_, "converged")
                self.assertLess(abs(value - theirs.fun), 1e-6 * theirs.fun)
                self.assertGreater(np.count_nonzero(w == 0), 0)

    def test_refused(self):
        X, y = drawn(100, 2)
        for parameters, words in [({"link": "log"}, "link is 'log'"), ({"link": "probit", "multi_class": "multinomial"}, "take 'ovr'")]:
            with self.assertRaisesRegex(ValueError, words):
                lanes.LogisticRegression(**parameters).fit(X, np.arange(100) % 3)
        several = lanes.LogisticRegression(link="probit").fit(X, np.arange(100) % 3)
        self.assertFalse(hasattr(several, "predict_proba"))
        self.assertEqual(several.decision_function(X).shape, (100, 3))


class TestCalibrations(unittest.TestCase):
    def test_as_good_as_scikit_learn(self):
        """On new rows, calibrated scores have about the log loss of scikit-learn's folds, and far less than weights of classes leave."""
        X, y = drawn(2000, 3)
        new, came = drawn(20000, 4)
        for method in ("sigmoid", "isotonic"):
            for ours in (lanes.LinearSVC(), lanes.LinearSVC(class_weight="balanced", loss="hinge"), lanes.LogisticRegression(class_weight="balanced"),
                         lanes.LogisticRegression(class_weight={0: 1, 1: 20}, link="cloglog")):
                theirs = CalibratedClassifierCV(ours, method=method, ensemble=False).fit(X, y)
                ours.set_params(calibrate=method).fit(X, y)
                with self.subTest(estimator=repr(ours)):
                    p = ours.predict_proba(new)
                    loss = log_loss(came, p)
                    self.assertLess(loss, log_loss(came, theirs.predict_proba(new)) + 0.002)
                    self.assertLess(abs(p[:, 1].mean() - came.mean()), 0.02)
                    np.testing.assert_array_equal(ours.predict(new), (p[:, 1] > 0.5).astype(int))
                    self.assertEqual(ours.report_["calibration"]["folds"], 5)
                    if ours.class_weight and hasattr(ours, "link"):
                        self.assertLess(loss + 0.02, log_loss(came, ours.set_params(calibrate=None).fit(X, y).predict_proba(new)))

    def test_several_classes(self):
        rng = np.random.default_rng(5)
        X = rng.normal(size=(1500, 3))
        y = (X + rng.normal(size=X.shape)).argmax(axis=1)
        for model in (lanes.LinearSVC(calibrate="sigmoid"), lanes.LogisticRegression(multi_class="multinomial", calibrate="temperature")):
            p = model.fit(X, y).predict_proba(X)
            np.testing.assert_allclose(p.sum(axis=1), 1)
            self.assertLess(log_loss(y, p), 0.85)

    def test_under_scikit_learn(self):
        """scikit-learn calibrates every estimator; a calibrated one is a part of it as any other."""
        X, y = drawn(500, 6)
        for model in (lanes.LinearSVC(), lanes.LogisticRegression(link="cloglog"), lanes.AveragePrecisionClassifier(), lanes.LinearSVC(calibrate="sigmoid")):
            p = CalibratedClassifierCV(model, cv=3).fit(X, y).predict_proba(X)
            self.assertLess(log_loss(y, p), 0.6)

    def test_bits_of_the_command(self):
        X, y = drawn(300, 7)
        model = lanes.LinearSVC(C=1 / 300, class_weight={0: 1, 1: 3}, calibrate="sigmoid", fit_intercept=False).fit(X, y)
        with tempfile.TemporaryDirectory() as folder:
            rows = os.path.join(folder, "rows")
            with open(rows, "w") as file:
                for label, row in zip(y, X):
                    file.write(str(label) + "".join(f" {j + 1}:{float(v)!r}" for j, v in enumerate(row)) + "\n")
            run = subprocess.run([COMMAND, "train", rows, "--loss", "squared-hinge", "--lambda", "0.5", "--class-weight", "3:1", "--calibrate", "sigmoid", "--json", "--quiet"],
                                 check=True, capture_output=True, text=True)
        self.assertEqual(json.loads(run.stdout)["weights_sha256"], model.weights_sha256_)

    def test_when_there_are_probabilities(self):
        X, y = drawn(200, 8)
        for kind in (lanes.LinearSVC, lanes.AveragePrecisionClassifier, lanes.PartialAUCClassifier):
            self.assertFalse(hasattr(kind(), "predict_proba"))
            self.assertTrue(hasattr(kind(calibrate="sigmoid"), "predict_proba"))
            self.assertFalse(hasattr(kind().fit(X, y), "predict_proba"))
            self.assertEqual(kind(calibrate="isotonic").fit(X, y).predict_proba(X).shape, (200, 2))

    def test_refused(self):
        X, y = drawn(200, 9)
        for model, labels, words in [
            (lanes.LinearSVC(calibrate="platt"), y, "calibrate is 'platt'"),
            (lanes.LinearSVC(calibrate="temperature"), y, "temperature is for"),
            (lanes.LinearSVC(calibrate="isotonic"), np.arange(200) % 3, "it is for two classes"),
            (lanes.LogisticRegression(calibrate="sigmoid", class_weight="balanced"), np.arange(200) % 3, "leave one of them out"),
            (lanes.LinearSVC(calibrate="sigmoid"), np.arange(200) < 3, "fewer than the 5 folds"),
        ]:
            with self.assertRaisesRegex(ValueError, words):
                model.fit(X, labels)


if __name__ == "__main__":
    unittest.main()
