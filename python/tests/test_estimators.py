"""All that scikit-learn asks of estimators."""

import unittest

import lanes
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.validation import check_is_fitted

try:
    import pandas as pd
except ImportError:
    pd = None

ESTIMATORS = [lanes.LogisticRegression(), lanes.LogisticRegression("l1"), lanes.LogisticRegression(multi_class="multinomial"),
              lanes.LogisticRegression(link="probit"), lanes.LogisticRegression(link="cloglog"),
              lanes.LogisticRegressionCV(cv=2), lanes.LinearSVC(), lanes.Ridge(), lanes.Lasso(0.01), lanes.ElasticNet(0.01),
              lanes.PoissonRegressor(), lanes.GammaRegressor(), lanes.TweedieRegressor(), lanes.TweedieRegressor(power=1.5), lanes.HuberRegressor(), lanes.LinearSVR(), lanes.QuantileRegressor(), lanes.LassoCV(cv=2), lanes.RidgeCV(cv=2), lanes.AveragePrecisionClassifier(), lanes.PartialAUCClassifier(), lanes.Portfolio()]


class OfArrays:
    """Gives the arrays of scikit-learn's checks to an estimator of tables, as frames."""

    def fit(self, X, y, sample_weight=None):
        X, y = self._validate_data(X, y, y_numeric=isinstance(self, lanes.TableRegressor))
        names = getattr(self, "feature_names_in_", None)
        super().fit(pd.DataFrame(X), y, sample_weight)
        del self.feature_names_in_
        if names is not None:
            self.feature_names_in_ = names
        return self

    def _encode(self, X):
        check_is_fitted(self, "model_")
        return super()._encode(pd.DataFrame(self._validate_data(X, reset=False)))

    def _more_tags(self):
        return {"X_types": ["2darray"], "allow_nan": False}


class ClassifierOfArrays(OfArrays, lanes.TableClassifier):
    pass


class RegressorOfArrays(OfArrays, lanes.TableRegressor):
    pass


class TestEstimators(unittest.TestCase):
    def check(self, estimator, skipped=()):
        done = 0
        for checked, check in check_estimator(estimator, generate_only=True):
            name = getattr(check, "func", check).__name__
            if (name, getattr(check, "keywords", {}).get("kind")) in skipped:
                continue
            done += 1
            with self.subTest(estimator=repr(estimator), check=name):
                check(checked)
        self.assertGreater(done, 20)

    def test_check_estimator(self):
        for estimator in ESTIMATORS:
            self.check(estimator)

    @unittest.skipIf(pd is None, "no pandas (Debian: python3-pandas)")
    def test_tables(self):
        """The checks take arrays; the skipped one asks that rows of weight 0 have no part in means and deviations."""
        for estimator in (ClassifierOfArrays(), RegressorOfArrays()):
            self.check(estimator, [("check_sample_weights_invariance", "zeros")])


if __name__ == "__main__":
    unittest.main()
