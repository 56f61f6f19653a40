"""Portfolios."""

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from . import _library
from ._base import validate_data


class Portfolio(BaseEstimator):
    r"""A sparse mean-variance portfolio, with a certificate.

    Minimises :math:`\kappa \frac{1}{T} \sum_t (r_t^T x - \bar r^T x)^2 - \bar r^T x + \lambda \|x\|_1` over
    :math:`|x_j| \le` limit, or over :math:`x \ge 0` with the sum 1.

    Parameters
    ----------
    risk : float, default=1.0
        The weight :math:`\kappa` of the variance.
    l1 : float, default=0.0
        The weight :math:`\lambda` of the L1 norm.
    long_only : bool, default=False
        Weights are 0 or more, and their sum is 1.
    limit : float, default=1.0
        The largest weight in magnitude, if not long_only.
    solver : str, default='agd'
        'agd', 'scvrg' or another solver of compositions of lanes.
    tol : float, default=None
        The duality gap at which the run ends; None means 1e-9 of the largest mean return.
    max_iter : float, default=10000
        Most passes.
    random_state : int, default=0
        Seed of stochastic solvers.

    Attributes
    ----------
    weights_ : ndarray of shape (n_assets,)
    mean_, variance_ : float
        Of the portfolio's returns.
    gap_ : float
        A bound on the distance of the objective from its minimum.
    status_ : str
    weights_sha256_ : str

    References
    ----------
    Lin, Fan, Wang, Jordan (2018), "Improved sample complexity for stochastic compositional variance reduced gradient".

    Examples
    --------
    >>> import numpy as np
    >>> from lanes import Portfolio
    >>> returns = np.random.default_rng(0).normal([0.001, 0.002, 0.0], 0.01, (500, 3))
    >>> model = Portfolio(risk=5, long_only=True).fit(returns)
    >>> round(float(model.weights_.sum()), 6)
    1.0
    """

    def __init__(self, *, risk=1.0, l1=0.0, long_only=False, limit=1.0, solver="agd", tol=None, max_iter=10000, random_state=0):
        self.risk = risk
        self.l1 = l1
        self.long_only = long_only
        self.limit = limit
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.random_state = random_state

    def fit(self, X, y=None):
        """Find the weights.

        Parameters
        ----------
        X : array-like of shape (n_periods, n_assets)
            Returns of assets: price over price before, minus 1.
        y : ignored

        Returns
        -------
        self
        """
        X = validate_data(self, X, dtype=np.float64)
        options = {"risk": self.risk, "l1": self.l1, "long_only": self.long_only, "limit": self.limit, "solver": self.solver,
                   "max_passes": self.max_iter, "seed": int(self.random_state or 0)}
        if self.tol is not None:
            options["gap_tolerance"] = self.tol
        self.weights_, report = _library.portfolio(X, options)
        self.mean_, self.variance_ = report["mean"], report["variance"]
        self.gap_, self.status_, self.weights_sha256_ = report["duality_gap"], report["status"], report["weights_sha256"]
        return self

    def predict(self, X):
        """Returns of the portfolio in each period.

        Parameters
        ----------
        X : array-like of shape (n_periods, n_assets)

        Returns
        -------
        returns : ndarray of shape (n_periods,)
        """
        check_is_fitted(self, "weights_")
        X = validate_data(self, X, reset=False, dtype=np.float64)
        return X @ self.weights_
