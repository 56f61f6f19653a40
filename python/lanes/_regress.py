"""Regressions."""

import numpy as np
from sklearn.base import RegressorMixin

from ._base import Estimator


class _Regressor(RegressorMixin, Estimator):
    def _regress(self, X, y, sample_weight, loss, penalty, delta=None):
        X, y = self._check_fit(X, y, numeric=True)
        y = np.asarray(y, dtype=np.float64)
        if y.ndim != 1:
            raise ValueError(f"y has the shape {y.shape}: one target a row is fitted")
        X, y, sample_weight = self._counted(X, y, self._weights(sample_weight, X))
        options = {"kind": "regression", "loss": loss, "penalty": {k: v for k, v in penalty(X, sample_weight).items() if v} or {"none": True},
                   "intercept": "free" if self.fit_intercept else "none"}
        if delta is not None:
            options["delta"] = delta
        # The tolerance is a share of the loss at a constant prediction, in units of the targets.
        center = np.average(y, weights=sample_weight) if self.fit_intercept else 0.0
        scale = max(0.5 * np.average((y - center) ** 2, weights=sample_weight), np.finfo(float).tiny)
        options["settings"] = {"gap_tolerance": max(self.tol * scale, 1e-300)}
        return self._train(X, y, options, sample_weight)

    def predict(self, X):
        """Prediction for each row.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        X = self._check_rows(X)
        return self.model_.scores(X, self._workers())[:, 0]

    def _keep(self, model, report):
        super()._keep(model, report)
        coefficients, intercepts = model.coefficients()
        self.coef_, self.intercept_ = coefficients[0], float(intercepts[0])


def _alpha(alpha):
    if not np.isfinite(alpha) or alpha < 0:
        raise ValueError(f"alpha is {alpha!r}; it must be a finite number, 0 or more")
    return float(alpha)


def _mean_weight(X, sample_weight):
    return 1.0 if sample_weight is None else float(np.mean(sample_weight))


class Ridge(_Regressor):
    r"""Least squares with a squared penalty, and a certificate.

    Minimises :math:`\sum_i s_i (y_i - x_i^T w - b)^2 + \alpha \|w\|_2^2`, as scikit-learn's Ridge.

    Parameters
    ----------
    alpha : float, default=1.0
    fit_intercept : bool, default=True
    tol : float, default=1e-12
        The duality gap at which the run ends, as a share of the loss of a constant prediction.
    max_iter, solver, n_jobs, random_state, verbose
        As in `LogisticRegression`.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    n_iter_, gap_, status_, weights_sha256_, trace_, model_
        As in `LogisticRegression`.
    """

    def __init__(self, alpha=1.0, *, fit_intercept=True, tol=1e-12, max_iter=None, n_jobs=None, random_state=None, verbose=False):
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        """Fit the model; see `LogisticRegression.fit`."""
        alpha = _alpha(self.alpha)
        return self._regress(X, y, sample_weight, "squared", lambda X, s: {"l2": alpha / X.shape[0]})


class ElasticNet(_Regressor):
    r"""Least squares with an L1 norm and a squared penalty, and a certificate.

    Minimises :math:`\frac{1}{2 \sum_i s_i} \sum_i s_i (y_i - x_i^T w - b)^2 + \alpha \rho \|w\|_1 + \frac{\alpha (1 - \rho)}{2} \|w\|_2^2`,
    as scikit-learn's ElasticNet.

    Parameters
    ----------
    alpha : float, default=1.0
    l1_ratio : float, default=0.5
        The share :math:`\rho` of the L1 norm.
    fit_intercept : bool, default=True
    tol : float, default=1e-10
        As in `Ridge`.
    max_iter, n_jobs, random_state, verbose
        As in `LogisticRegression`.

    Attributes
    ----------
    As in `Ridge`.
    """

    def __init__(self, alpha=1.0, *, l1_ratio=0.5, fit_intercept=True, tol=1e-10, max_iter=None, n_jobs=None, random_state=None, verbose=False):
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        """Fit the model; see `LogisticRegression.fit`."""
        alpha, ratio = _alpha(self.alpha), self.l1_ratio
        if not 0 <= ratio <= 1:
            raise ValueError(f"l1_ratio is {ratio!r}; it must be from 0 to 1")

        def penalty(X, s):
            scale = alpha * _mean_weight(X, s)
            return {"l1": scale * ratio, "l2": scale * (1 - ratio)}

        return self._regress(X, y, sample_weight, "squared", penalty)


class Lasso(ElasticNet):
    """Least squares with an L1 norm: `ElasticNet` with l1_ratio 1.

    Parameters
    ----------
    alpha, fit_intercept, tol, max_iter, n_jobs, random_state, verbose
        As in `ElasticNet`.
    """

    def __init__(self, alpha=1.0, *, fit_intercept=True, tol=1e-10, max_iter=None, n_jobs=None, random_state=None, verbose=False):
        super().__init__(alpha, fit_intercept=fit_intercept, tol=tol, max_iter=max_iter, n_jobs=n_jobs, random_state=random_state, verbose=verbose)
        del self.l1_ratio

    l1_ratio = 1.0

    def __setattr__(self, name, value):
        if name != "l1_ratio":
            super().__setattr__(name, value)

    def __delattr__(self, name):
        if name != "l1_ratio":
            super().__delattr__(name)


class HuberRegressor(_Regressor):
    r"""Regression by the Huber loss, which large residuals do not dominate, with a certificate.

    Minimises :math:`\frac{1}{n} \sum_i s_i h_\delta(y_i - x_i^T w - b) + \frac{\alpha}{2 n} \|w\|_2^2`, where :math:`h_\delta(r)` is
    :math:`r^2 / 2` up to :math:`|r| = \delta` and linear beyond. scikit-learn's HuberRegressor fits a scale of
    the residuals too; here delta is in units of the targets.

    Parameters
    ----------
    delta : float, default=1.35
    alpha : float, default=0.0001
    fit_intercept, tol, max_iter, n_jobs, random_state, verbose
        As in `Ridge`.

    Attributes
    ----------
    As in `Ridge`.
    """

    def __init__(self, *, delta=1.35, alpha=1e-4, fit_intercept=True, tol=1e-9, max_iter=None, n_jobs=None, random_state=None, verbose=False):
        self.delta = delta
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        """Fit the model; see `LogisticRegression.fit`."""
        alpha = _alpha(self.alpha)
        if not np.isfinite(self.delta) or self.delta <= 0:
            raise ValueError(f"delta is {self.delta!r}; it must be a finite number above 0")
        return self._regress(X, y, sample_weight, "huber", lambda X, s: {"l2": alpha / X.shape[0]}, float(self.delta))
