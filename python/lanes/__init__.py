"""lanes: linear models on sparse data, fast, certified, the same bits on every machine.

Estimators in the words of scikit-learn. Every fit ends with a bound on how far its objective is
from the minimum: the attribute ``gap_``.
"""

from ._base import DataWarning, NotConverged, Summary
from ._library import LanesError, Model, version
from ._classify import AveragePrecisionClassifier, LinearSVC, LogisticRegression, LogisticRegressionCV, PartialAUCClassifier
from ._portfolio import Portfolio
from ._table import TableClassifier, TableRegressor, TableWarning
from ._kinks import LinearSVR, QuantileRegressor
from ._means import GammaRegressor, PoissonRegressor, TweedieRegressor
from ._regress import ElasticNet, HuberRegressor, Lasso, Ridge
from ._search import LassoCV, RidgeCV, lasso_path

__all__ = [
    "AveragePrecisionClassifier", "DataWarning", "ElasticNet", "GammaRegressor", "HuberRegressor", "LanesError", "Lasso", "LassoCV", "LinearSVC", "LinearSVR", "LogisticRegression",
    "LogisticRegressionCV", "Model", "NotConverged", "PartialAUCClassifier", "PoissonRegressor", "Portfolio", "QuantileRegressor", "Ridge", "RidgeCV", "Summary", "TableClassifier", "TableRegressor", "TableWarning", "TweedieRegressor", "lasso_path", "version",
]
