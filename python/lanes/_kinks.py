"""Regressions by losses with kinks: absolute residuals and quantiles."""

import numpy as np

from ._regress import _Regressor, _alpha, _mean_weight

_DOCUMENT = r"""{title}, with a certificate.

    Minimises {objective}.

    Parameters
    ----------
    {parameters}fit_intercept : bool, default=True
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
    {source}

    Examples
    --------
    {example}
    """


class LinearSVR(_Regressor):
    __doc__ = _DOCUMENT.format(
        title="Linear support vector regression",
        objective=r""":math:`\frac{1}{n} \sum_i s_i \max(0, |y_i - x_i^T w - b| - \epsilon) + \frac{1}{2 C n} \|w\|_2^2`, or the squares of these
    residuals. The intercept is not penalised, unlike in scikit-learn's LinearSVR""",
        parameters="""epsilon : float, default=0.1
        Residuals up to it cost nothing; above 0. scikit-learn's default is 0.
    C : float, default=1.0
        Inverse of the weight of the penalty.
    loss : {'epsilon_insensitive', 'squared_epsilon_insensitive'}, default='epsilon_insensitive'
        Whether residuals count by their sizes or by their squares.
    """,
        source='Ho, Lin (2012), "Large-scale linear support vector regression", JMLR 13.',
        example=""">>> from lanes import LinearSVR
    >>> model = LinearSVR(epsilon=0.5, C=1e6).fit([[0.0], [1], [2], [3], [4]], [0, 1, 2, 3, 100])
    >>> bool(model.predict([[2.0]])[0] < 10)
    True""")

    def __init__(self, *, epsilon=0.1, C=1.0, loss="epsilon_insensitive", fit_intercept=True, tol=1e-9, max_iter=None, n_jobs=None, random_state=None,
                 verbose=False):
        self.epsilon = epsilon
        self.C = C
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        """Fit the model; see `LogisticRegression.fit`."""
        for name in ("epsilon", "C"):
            value = getattr(self, name)
            if not np.isfinite(value) or value <= 0:
                raise ValueError(f"{name} is {value!r}; it must be a finite number above 0")
        # The library's loss of squares has a factor 1/2.
        factors = {"epsilon_insensitive": 1, "squared_epsilon_insensitive": 2}
        if self.loss not in factors:
            raise ValueError(f"loss is {self.loss!r}; it must be one of {', '.join(factors)}")
        return self._regress(X, y, sample_weight, self.loss.replace("_", "-"), lambda X, s: {"l2": 1 / (factors[self.loss] * self.C * X.shape[0])}, float(self.epsilon))


class QuantileRegressor(_Regressor):
    __doc__ = _DOCUMENT.format(
        title="Regression of a quantile of the targets",
        objective=r""":math:`\frac{1}{\sum_i s_i} \sum_i s_i \max(q (y_i - x_i^T w - b), (1 - q) (x_i^T w + b - y_i)) + \frac{\alpha}{2} \|w\|_2^2`. scikit-learn's
    QuantileRegressor has an L1 norm in place of the square""",
        parameters="""quantile : float, default=0.5
        The share of the targets that predictions are to be above, between 0 and 1.
    alpha : float, default=1e-4
        Weight of the penalty, above 0.
    """,
        source='Koenker, Bassett (1978), "Regression quantiles", Econometrica 46.',
        example=""">>> from lanes import QuantileRegressor
    >>> model = QuantileRegressor(quantile=0.9).fit([[0.0]] * 9 + [[1.0]] * 9, [*range(9), *range(9)])
    >>> model.predict([[0.0]]).round(3)
    array([8.])""")

    def __init__(self, *, quantile=0.5, alpha=1e-4, fit_intercept=True, tol=1e-9, max_iter=None, n_jobs=None, random_state=None, verbose=False):
        self.quantile = quantile
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        """Fit the model; see `LogisticRegression.fit`."""
        if not _alpha(self.alpha) > 0:
            raise ValueError("alpha is 0; it must be above 0")
        if not 0 < self.quantile < 1:
            raise ValueError(f"quantile is {self.quantile!r}; it must lie between 0 and 1")
        return self._regress(X, y, sample_weight, "quantile", lambda X, s: {"l2": self.alpha * _mean_weight(X, s)}, float(self.quantile))
