"""Regressions."""

import numpy as np
from sklearn.base import RegressorMixin

from ._base import Estimator


class _Regressor(RegressorMixin, Estimator):
    def _regress(self, X, y, sample_weight, loss, penalty, delta=None, search=None, offset=None):
        X, y = self._check_fit(X, y, numeric=True)
        y = np.asarray(y, dtype=np.float64)
        if y.ndim != 1:
            raise ValueError(f"y has the shape {y.shape}: one target a row is fitted")
        n = X.shape[0]
        X, y, sample_weight = self._counted(X, y, self._weights(sample_weight, X))
        if offset is not None and X.shape[0] != n:
            raise ValueError("there are rows of weight 0 beside offsets: leave these rows out")
        options = {"kind": "regression", "loss": loss, "penalty": {k: v for k, v in penalty(X, sample_weight).items() if v} or {"none": True},
                   "intercept": "free" if self.fit_intercept else "none"}
        if delta is not None:
            options["delta"] = delta
        if search is not None:
            options["search"] = search(X, sample_weight)
        with np.errstate(over="ignore", invalid="ignore"):
            if not np.isfinite(np.average(y * y, weights=sample_weight)):
                raise ValueError("the squares of y, or their sum with sample_weight, are too large for a float64: scale them first")
        return self._train(X, y, options, sample_weight, offset)

    def predict(self, X):
        """Prediction for each row.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        return self._of_rows(X, "scores")[:, 0]

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
        Weight of the penalty, 0 or more.
    fit_intercept : bool, default=True
        Fit a constant, which is not penalised.
    penalty_factors : array-like of shape (n_features,) or None, default=None
        A factor of 0 or more for the penalty of each feature; 0 leaves it unpenalised. None means ones.
    positive : bool, default=False
        Keep the coefficients at 0 or more.
    bounds : tuple of two, default=None
        The lower and the upper bound of the coefficients, each a number or an array-like of shape
        (n_features,); infinite ones are none. Equal ones fix a coefficient.
    tol : float, default=1e-12
        The duality gap at which the run ends, as a share of the loss of a constant prediction.
    max_iter : float, default=None
        Most passes over the rows; None means 1,000.
    n_jobs : int, default=None
        Threads; None and -1 mean one a core. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seed of stochastic solvers; None means 1, as in the command.
    verbose : bool, default=False
        Show one line of progress on standard error.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    n_iter_ : int
    n_features_in_ : int
    gap_ : float
        A bound on the distance of the objective from its minimum.
    status_ : str
        'converged' if gap_ is at most the tolerance, in its unit.
    weights_sha256_ : str
        The hash of the weights, as the command prints it.
    trace_ : list of dict
        The points of the run.
    report_ : dict
        What the library reports of the run.
    model_ : lanes.Model
        ``model_.write(path)`` writes the file that the command reads.

    References
    ----------
    Hoerl, Kennard (1970), "Ridge regression: biased estimation for nonorthogonal problems", Technometrics 12.

    Examples
    --------
    >>> from lanes import Ridge
    >>> model = Ridge(alpha=1e-6).fit([[0.0], [1.0], [2.0]], [1, 3, 5])
    >>> model.coef_.round(3), round(model.intercept_, 3)
    (array([2.]), 1.0)
    """

    def __init__(self, alpha=1.0, *, fit_intercept=True, penalty_factors=None, positive=False, bounds=None, tol=1e-12, max_iter=None, n_jobs=None, random_state=None, verbose=False):
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.penalty_factors = penalty_factors
        self.positive = positive
        self.bounds = bounds
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
        Weight of the penalty, 0 or more.
    l1_ratio : float, default=0.5
        The share :math:`\rho` of the L1 norm.
    fit_intercept : bool, default=True
        Fit a constant, which is not penalised.
    penalty_factors : array-like of shape (n_features,) or None, default=None
        A factor of 0 or more for the penalty of each feature; 0 leaves it unpenalised. None means ones.
    positive : bool, default=False
        Keep the coefficients at 0 or more.
    bounds : tuple of two, default=None
        The lower and the upper bound of the coefficients, each a number or an array-like of shape
        (n_features,); infinite ones are none. Equal ones fix a coefficient.
    tol : float, default=1e-10
        The duality gap at which the run ends, as a share of the loss of a constant prediction.
    max_iter : float, default=None
        Most passes over the rows; None means 1,000.
    n_jobs : int, default=None
        Threads; None and -1 mean one a core. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seed of stochastic solvers; None means 1, as in the command.
    verbose : bool, default=False
        Show one line of progress on standard error.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    n_iter_ : int
    n_features_in_ : int
    gap_ : float
        A bound on the distance of the objective from its minimum.
    status_ : str
        'converged' if gap_ is at most the tolerance, in its unit.
    weights_sha256_ : str
        The hash of the weights, as the command prints it.
    trace_ : list of dict
        The points of the run.
    report_ : dict
        What the library reports of the run.
    model_ : lanes.Model
        ``model_.write(path)`` writes the file that the command reads.

    References
    ----------
    Zou, Hastie (2005), "Regularization and variable selection via the elastic net", JRSS B 67.

    Examples
    --------
    >>> from lanes import ElasticNet
    >>> model = ElasticNet(alpha=0.1).fit([[0.0, 1], [1, 0], [2, 1], [3, 0]], [0, 1, 2, 3])
    >>> model.coef_.round(3)
    array([0.923, 0.   ])
    """

    def __init__(self, alpha=1.0, *, l1_ratio=0.5, fit_intercept=True, penalty_factors=None, positive=False, bounds=None, tol=1e-10, max_iter=None, n_jobs=None, random_state=None, verbose=False):
        self.alpha = alpha
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.penalty_factors = penalty_factors
        self.positive = positive
        self.bounds = bounds
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
    r"""Least squares with an L1 norm, and a certificate.

    Minimises :math:`\frac{1}{2 \sum_i s_i} \sum_i s_i (y_i - x_i^T w - b)^2 + \alpha \|w\|_1`, as scikit-learn's Lasso:
    `ElasticNet` with l1_ratio 1.

    Parameters
    ----------
    alpha : float, default=1.0
        Weight of the L1 norm, 0 or more.
    fit_intercept : bool, default=True
        Fit a constant, which is not penalised.
    penalty_factors : array-like of shape (n_features,) or None, default=None
        A factor of 0 or more for the penalty of each feature; 0 leaves it unpenalised. None means ones.
    positive : bool, default=False
        Keep the coefficients at 0 or more.
    bounds : tuple of two, default=None
        The lower and the upper bound of the coefficients, each a number or an array-like of shape
        (n_features,); infinite ones are none. Equal ones fix a coefficient.
    tol : float, default=1e-10
        The duality gap at which the run ends, as a share of the loss of a constant prediction.
    max_iter : float, default=None
        Most passes over the rows; None means 1,000.
    n_jobs : int, default=None
        Threads; None and -1 mean one a core. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seed of stochastic solvers; None means 1, as in the command.
    verbose : bool, default=False
        Show one line of progress on standard error.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    n_iter_ : int
    n_features_in_ : int
    gap_ : float
        A bound on the distance of the objective from its minimum.
    status_ : str
        'converged' if gap_ is at most the tolerance, in its unit.
    weights_sha256_ : str
        The hash of the weights, as the command prints it.
    trace_ : list of dict
        The points of the run.
    report_ : dict
        What the library reports of the run.
    model_ : lanes.Model
        ``model_.write(path)`` writes the file that the command reads.

    References
    ----------
    Tibshirani (1996), "Regression shrinkage and selection via the lasso", JRSS B 58.

    Examples
    --------
    >>> from lanes import Lasso
    >>> model = Lasso(alpha=0.1).fit([[0.0, 1], [1, 0], [2, 1], [3, 0]], [0, 1, 2, 3])
    >>> model.coef_.round(3)
    array([0.92, 0.  ])
    """

    def __init__(self, alpha=1.0, *, fit_intercept=True, penalty_factors=None, positive=False, bounds=None, tol=1e-10, max_iter=None, n_jobs=None, random_state=None, verbose=False):
        super().__init__(alpha, fit_intercept=fit_intercept, penalty_factors=penalty_factors, positive=positive, bounds=bounds, tol=tol, max_iter=max_iter, n_jobs=n_jobs, random_state=random_state, verbose=verbose)
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
        The residual :math:`\delta` at which the loss turns linear, in units of the targets.
    alpha : float, default=0.0001
        Weight of the penalty, 0 or more.
    fit_intercept : bool, default=True
        Fit a constant, which is not penalised.
    tol : float, default=1e-9
        The duality gap at which the run ends, as a share of the loss of a constant prediction.
    max_iter : float, default=None
        Most passes over the rows; None means 1,000.
    n_jobs : int, default=None
        Threads; None and -1 mean one a core. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seed of stochastic solvers; None means 1, as in the command.
    verbose : bool, default=False
        Show one line of progress on standard error.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
    intercept_ : float
    n_iter_ : int
    n_features_in_ : int
    gap_ : float
        A bound on the distance of the objective from its minimum.
    status_ : str
        'converged' if gap_ is at most the tolerance, in its unit.
    weights_sha256_ : str
        The hash of the weights, as the command prints it.
    trace_ : list of dict
        The points of the run.
    report_ : dict
        What the library reports of the run.
    model_ : lanes.Model
        ``model_.write(path)`` writes the file that the command reads.

    References
    ----------
    Huber (1964), "Robust estimation of a location parameter", Annals of Mathematical Statistics 35.

    Examples
    --------
    >>> from lanes import HuberRegressor
    >>> model = HuberRegressor(delta=0.5).fit([[0.0], [1], [2], [3], [4]], [0, 1, 2, 3, 100])
    >>> bool(model.predict([[2.0]])[0] < 10)
    True
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
