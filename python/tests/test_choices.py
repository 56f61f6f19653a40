"""Choices of penalties, and objects of callers."""

import unittest

import numpy as np
from scipy import sparse
from sklearn.datasets import make_classification

import lanes


class Choices(unittest.TestCase):
    def test_one_standard_error(self):
        """The strongest penalty whose mean is worse than the best by its standard error at most."""
        X, y = make_classification(400, 12, n_informative=4, flip_y=0.2, random_state=3)
        Cs = np.logspace(-4, 2, 13)
        checked = 0
        for scoring, sign in (("neg_log_loss", -1), ("roc_auc", 1), ("accuracy", 1)):
            best = lanes.LogisticRegressionCV(Cs=Cs, cv=5, scoring=scoring).fit(X, y)
            simple = lanes.LogisticRegressionCV(Cs=Cs, cv=5, scoring=scoring, one_standard_error=True).fit(X, y)
            values = np.asarray(best.scores_)
            if values.shape[0] != len(best.Cs_):
                values = values.T
            mean, wrong = values.mean(axis=1), values.std(axis=1, ddof=1) / np.sqrt(values.shape[1])
            top = mean.argmax()
            within = [C for C, m in zip(best.Cs_, mean) if mean[top] - m <= wrong[top]]
            self.assertEqual(best.C_, best.Cs_[top])
            self.assertEqual(simple.C_, min(within))
            checked += simple.C_ < best.C_
        self.assertGreater(checked, 0)

    def test_callers_rows(self):
        """A matrix of rows with columns in any order is as it was, and gives the same model."""
        rng = np.random.default_rng(5)
        X = sparse.random(80, 20, 0.3, format="csr", random_state=5)
        for i in range(80):  # columns in any order
            part = slice(X.indptr[i], X.indptr[i + 1])
            order = rng.permutation(part.stop - part.start)
            X.indices[part], X.data[part] = X.indices[part][order], X.data[part][order]
        X.has_sorted_indices = False
        y, weight = (rng.random(80) > 0.5).astype(int), rng.random(80) + 0.5
        before = [a.copy() for a in (X.indptr, X.indices, X.data, y, weight)]
        self.assertTrue(any(np.any(np.diff(X.indices[a:b]) < 0) for a, b in zip(X.indptr, X.indptr[1:])))
        model = lanes.LogisticRegression().fit(X, y, sample_weight=weight)
        scores = model.decision_function(X)
        model.predict_proba(X)
        for old, new in zip(before, (X.indptr, X.indices, X.data, y, weight)):
            np.testing.assert_array_equal(old, new)
        np.testing.assert_allclose(scores, lanes.LogisticRegression().fit(X.toarray(), y, sample_weight=weight).decision_function(X.toarray()), atol=1e-5)

    def test_names_after_a_refit(self):
        """A refit without names forgets the names of the frame before."""
        import pandas as pd
        X, y = make_classification(60, 4, random_state=1)
        model = lanes.LogisticRegression().fit(pd.DataFrame(X, columns=list("abcd")), y)
        self.assertEqual(list(model.feature_names_in_), list("abcd"))
        self.assertEqual(model.fit(pd.DataFrame(X, columns=list("efgh")), y).feature_names_in_.tolist(), list("efgh"))
        model.fit(X, y)
        self.assertFalse(hasattr(model, "feature_names_in_"))

    def test_probabilities_of_rankers(self):
        X, y = make_classification(80, 4, random_state=1)
        self.assertFalse(hasattr(lanes.AveragePrecisionClassifier().fit(X, y), "predict_proba"))
        self.assertTrue(hasattr(lanes.LogisticRegression().fit(X, y), "predict_proba"))
        self.assertFalse(hasattr(lanes.PartialAUCClassifier().fit(X, y), "predict_proba"))


if __name__ == "__main__":
    unittest.main()
