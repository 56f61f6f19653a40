"""Regressions of targets that are not negative, whose means are exponentials of scores."""

import numbers

import numpy as np

from ._regress import _Regressor, _alpha, _mean_weight

_DOCUMENT = r"""{title}, with a certificate.

    Minimises :math:`\frac{{1}}{{2 \sum_i s_i}} \sum_i s_i d(y_i, \mu_i) + \frac{{\alpha}}{{2}} \|w\|_2^2`, as scikit-learn's
    {name}, with the unit deviance :math:`d` and {mean}.

    Parameters
    ----------
    {power}alpha : float, default=1.0
        Weight of the penalty, 0 or more.
    fit_intercept : bool, default=True
        Fit a constant, which is not penalised.
    penalty_factors : array-like of shape (n_features,) or None, default=None
        A factor of 0 or more for the penalty of each feature; 0 leaves it unpenalised. None means ones.
    bounds : tuple of two, default=None
        The lower and the upper bound of the coefficients, each a number or an array-like of shape
        (n_features,); infinite ones are none. Equal ones fix a coefficient.
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
    McCullagh, Nelder (1989), "Generalized linear models", 2nd edition.

    Examples
    --------
    >>> from lanes import {name}
    >>> model = {name}({example}alpha=0).fit([[0.0], [1.0], [0.0], [1.0]], [1.0, 2.0, 3.0, 6.0])
    >>> model.predict([[0.0], [1.0]]).round(3)
    array([2., 4.])
    """

_EXPONENTIAL = r":math:`\mu_i = \exp(x_i^T w + b)`"


class _Means(_Regressor):
    """A regression with the losses of a power: 0 squared, 1 Poisson, between 1 and 2 Tweedie, 2 gamma, 3 inverse Gaussian."""

    def _loss(self):
        """The name of the loss with its parameter, for the library."""
        power = self._power()
        if not isinstance(power, numbers.Real) or not (power in (0, 3) or 1 <= power <= 2):
            raise ValueError(f"power is {power!r}; it must be 0, from 1 to 2, or 3")
        return {0: "squared", 1: "poisson", 2: "gamma", 3: "inverse-gaussian"}.get(power, f"tweedie:{float(power)!r}")

    def fit(self, X, y, sample_weight=None, offset=None):
        """Fit the model.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None
        offset : array-like of shape (n_samples,), default=None
            A number that is added to the score of each row in training, as the logarithm of an exposure.
            Predictions are those for an offset of 0.

        Returns
        -------
        self
        """
        alpha = _alpha(self.alpha)
        return self._regress(X, y, sample_weight, self._loss(), lambda X, s: {"l2": alpha * _mean_weight(X, s)}, offset=offset)

    def predict(self, X):
        """Expected target for each row.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        score = super().predict(X)
        return score if self._power() == 0 else np.exp(score)

    def score(self, X, y, sample_weight=None):
        """The share of the deviance that the predictions explain: D^2.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        score : float
        """
        from sklearn.metrics import d2_tweedie_score

        return d2_tweedie_score(y, self.predict(X), sample_weight=sample_weight, power=self._power())

    def _more_tags(self):
        return {"requires_positive_y": self._power() != 0}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.positive_only = self._power() != 0
        return tags


class PoissonRegressor(_Means):
    __doc__ = _DOCUMENT.format(title="Regression of counts by the deviance of Poisson variables", name="PoissonRegressor", mean=_EXPONENTIAL, power="", example="")

    def __init__(self, *, alpha=1.0, fit_intercept=True, penalty_factors=None, bounds=None, tol=1e-9, max_iter=None, n_jobs=None, random_state=None, verbose=False):
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.penalty_factors = penalty_factors
        self.bounds = bounds
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _power(self):
        return 1


class GammaRegressor(_Means):
    __doc__ = _DOCUMENT.format(title="Regression of targets above 0 by the deviance of gamma variables", name="GammaRegressor", mean=_EXPONENTIAL, power="", example="")

    def __init__(self, *, alpha=1.0, fit_intercept=True, penalty_factors=None, bounds=None, tol=1e-9, max_iter=None, n_jobs=None, random_state=None, verbose=False):
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.penalty_factors = penalty_factors
        self.bounds = bounds
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _power(self):
        return 2


class TweedieRegressor(_Means):
    __doc__ = _DOCUMENT.format(
        title="Regression by the deviance of Tweedie variables", name="TweedieRegressor", mean=_EXPONENTIAL + r", for a power of 0 :math:`\mu_i = x_i^T w + b`", example="power=1.5, ",
        power="power : float, default=0.0\n        The power of the mean that the variance is: 0 for squares, 1 for Poisson variables, 2 for gamma\n        variables, between 1 and 2 for sums of gamma variables, many of which are 0, and 3 for inverse\n        Gaussian variables, whose deviance is not convex: ``status_`` is then 'stationary point'.\n    ")

    def __init__(self, *, power=0.0, alpha=1.0, fit_intercept=True, penalty_factors=None, bounds=None, tol=1e-9, max_iter=None, n_jobs=None, random_state=None, verbose=False):
        self.power = power
        self.alpha = alpha
        self.fit_intercept = fit_intercept
        self.penalty_factors = penalty_factors
        self.bounds = bounds
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _power(self):
        return self.power
