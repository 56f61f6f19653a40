"""All that scikit-learn asks of estimators."""

import unittest

import lanes
from sklearn.utils.estimator_checks import check_estimator

ESTIMATORS = [lanes.LogisticRegression(), lanes.LogisticRegression("l1"), lanes.LogisticRegression(multi_class="multinomial"),
              lanes.LogisticRegressionCV(cv=2), lanes.LinearSVC(), lanes.Ridge(), lanes.Lasso(0.01), lanes.ElasticNet(0.01),
              lanes.HuberRegressor(), lanes.AveragePrecisionClassifier(), lanes.PartialAUCClassifier(), lanes.Portfolio()]


class TestEstimators(unittest.TestCase):
    def test_check_estimator(self):
        for estimator in ESTIMATORS:
            for checked, check in check_estimator(estimator, generate_only=True):
                with self.subTest(estimator=repr(estimator), check=getattr(check, "func", check).__name__):
                    check(checked)


if __name__ == "__main__":
    unittest.main()
