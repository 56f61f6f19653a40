"""Regressions along the weights of their penalty: paths and cross-validations."""

import numpy as np

from ._classify import folds_of
from ._regress import _alpha, _mean_weight, _Regressor


def _falling(alphas):
    """Weights from the largest to the least, each once."""
    falling = np.unique([_alpha(a) for a in np.ravel(alphas)])[::-1]
    if len(falling) == 0 or falling[-1] == 0:
        raise ValueError(f"alphas is {alphas!r}; it must be one or more finite numbers above 0")
    return falling


def _l1_search(alphas, **how):
    """What a search over weights of the L1 norm asks of the library."""

    def search(X, s):
        weights = {} if alphas is None else {"weights": list(alphas * _mean_weight(X, s))}
        return {"over_l1": True, **weights, **how}

    return search


class _Path(_Regressor):
    """The fits of `lasso_path`."""

    def __init__(self, fit_intercept, tol, max_iter, n_jobs):
        self.fit_intercept, self.tol, self.max_iter, self.n_jobs = fit_intercept, tol, max_iter, n_jobs

    random_state, verbose = None, False


def lasso_path(X, y, *, alphas=None, fit_intercept=True, sample_weight=None, tol=1e-6, max_iter=None, n_jobs=None, return_intercepts=False):
    """Fit a `Lasso` for each of several weights of the penalty, each from the fit before.

    Parameters
    ----------
    X : {array-like, sparse matrix} of shape (n_samples, n_features)
    y : array-like of shape (n_samples,)
    alphas : array-like, default=None
        Weights of the L1 norm above 0. None means 100 weights from the least one for which all
        coefficients are 0 to 1e-4 times as much, or 1e-2 times where features outnumber samples.
    fit_intercept : bool, default=True
        Fit a constant, which is not penalised. scikit-learn's lasso_path fits none.
    sample_weight : array-like of shape (n_samples,), default=None
    tol : float, default=1e-6
        The duality gap at which a fit ends, as a share of the loss of a constant prediction.
    max_iter : float, default=None
        Most passes over the rows of a fit; None means 1,000.
    n_jobs : int, default=None
        Threads; None and -1 mean one a core. The result does not depend on it.
    return_intercepts : bool, default=False
        Return the intercepts too.

    Returns
    -------
    alphas : ndarray of shape (n_alphas,)
        The weights, from the largest on.
    coefs : ndarray of shape (n_features, n_alphas)
    dual_gaps : ndarray of shape (n_alphas,)
        Bounds on the distance of each objective from its minimum.
    intercepts : ndarray of shape (n_alphas,)
        With return_intercepts alone.

    References
    ----------
    Friedman, Hastie, Tibshirani (2010), "Regularization paths for generalized linear models via
    coordinate descent", Journal of Statistical Software 33.

    Examples
    --------
    >>> from lanes import lasso_path
    >>> alphas, coefs, gaps = lasso_path([[0.0, 1], [1, 0], [2, 1], [3, 0]], [0, 1, 2, 3], alphas=[0.1, 1])
    >>> coefs.round(2)
    array([[0.2 , 0.92],
           [0.  , 0.  ]])
    """
    falling = None if alphas is None else _falling(alphas)
    path = _Path(fit_intercept, tol, max_iter, n_jobs)
    path._regress(X, y, sample_weight, "squared", lambda X, s: {}, search=_l1_search(falling, path=True))
    fits = path.report_["fits"]
    coefs, intercepts = path.model_.path_coefficients(len(fits))
    if falling is None:
        scale = 1.0 if sample_weight is None else float(np.mean([s for s in np.ravel(sample_weight) if s]))
        falling = np.array([fit["weight"] for fit in fits]) / scale
    found = falling[:len(fits)], np.ascontiguousarray(coefs[:, 0].T), np.array([fit["duality_gap"] for fit in fits], dtype=float)
    return (*found, intercepts[:, 0]) if return_intercepts else found


class _Searched(_Regressor):
    """A regression whose weight of the penalty folds choose."""

    def __init__(self, alphas, fit_intercept, cv, one_standard_error, tol, max_iter, n_jobs, random_state, verbose):
        self.alphas = alphas
        self.fit_intercept = fit_intercept
        self.cv = cv
        self.one_standard_error = one_standard_error
        self.tol = tol
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _search(self, X, y, sample_weight, search, unit):
        """Fits by a search; unit(X, s) is the library's weight for an alpha of 1."""
        units = []

        def counted(X, s):
            if X.shape[0] < folds_of(self.cv):
                raise ValueError(f"n_samples={X.shape[0]} is less than the number of folds, cv={self.cv}")
            units.append(unit(X, s))
            return {"folds": folds_of(self.cv), "one_standard_error": self.one_standard_error, **search(X, s)}

        self._regress(X, y, sample_weight, "squared", lambda X, s: {}, search=counted)
        folds, scale = self.report_["folds"], units[0]
        self.alphas_ = np.array(folds["weights"]) / scale
        self.alpha_ = folds["chosen"] / scale
        self.mse_path_ = np.array(folds["values"], dtype=float)
        self.mse_mean_ = np.array(folds["mean"], dtype=float)
        self.mse_error_ = np.array(folds["standard_error"], dtype=float)
        return self


class LassoCV(_Searched):
    r"""Least squares with an L1 norm whose weight folds choose, and a certificate.

    Minimises what `Lasso` does on all
    rows, for the alpha whose mean squared error on left-out folds is least.

    Parameters
    ----------
    alphas : array-like, default=None
        Weights of the L1 norm above 0. None means 100 weights from the least one for which all
        coefficients are 0 to 1e-4 times as much, or 1e-2 times where features outnumber samples.
    fit_intercept : bool, default=True
        Fit a constant, which is not penalised.
    cv : int, default=5
        Number of folds, which the library deals by random_state.
    one_standard_error : bool, default=False
        Choose the largest weight within one standard error of the best.
    tol : float, default=1e-6
        The duality gap at which a fit ends, as a share of the loss of a constant prediction.
    max_iter : float, default=None
        Most passes over the rows of a fit; None means 1,000.
    n_jobs : int, default=None
        Threads; None and -1 mean one a core. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seed of the folds; None means 1, as in the command.
    verbose : bool, default=False
        Show one line of progress on standard error.

    Attributes
    ----------
    alpha_ : float
        The weight that was chosen.
    alphas_ : ndarray of shape (n_alphas,)
        The weights that were tried, from the largest on.
    mse_path_ : ndarray of shape (n_alphas, n_folds)
        Mean squared errors on folds.
    mse_mean_, mse_error_ : ndarray of shape (n_alphas,)
        The mean over the folds, and its standard error.
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
    Stone (1974), "Cross-validatory choice and assessment of statistical predictions", JRSS B 36.

    Examples
    --------
    >>> import numpy as np
    >>> from lanes import LassoCV
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> model = LassoCV(alphas=[0.01, 0.1, 1]).fit(X, X[:, 0] + 1)
    >>> model.alpha_, model.mse_path_.shape
    (0.01, (3, 5))
    """

    def __init__(self, *, alphas=None, fit_intercept=True, cv=5, one_standard_error=False, tol=1e-6, max_iter=None, n_jobs=None, random_state=None, verbose=False):
        super().__init__(alphas, fit_intercept, cv, one_standard_error, tol, max_iter, n_jobs, random_state, verbose)

    def fit(self, X, y, sample_weight=None):
        """Choose alpha, and fit the model on all rows by it; see `LogisticRegression.fit`."""
        alphas = None if self.alphas is None else _falling(self.alphas)
        return self._search(X, y, sample_weight, _l1_search(alphas), _mean_weight)


class RidgeCV(_Searched):
    r"""Ridge regression whose penalty folds choose, and a certificate.

    Minimises what `Ridge` does on all
    rows, for the alpha whose mean squared error on left-out folds is least.

    Parameters
    ----------
    alphas : array-like, default=None
        Weights of the penalty above 0, in the unit of `Ridge` on all rows: a fit of fewer rows takes
        the same share of it. None means a range that begins where the penalty decides everything.
    fit_intercept : bool, default=True
        Fit a constant, which is not penalised.
    cv : int, default=5
        Number of folds, which the library deals by random_state.
    one_standard_error : bool, default=False
        Choose the largest weight within one standard error of the best.
    tol : float, default=1e-6
        The duality gap at which a fit ends, as a share of the loss of a constant prediction.
    max_iter : float, default=None
        Most passes over the rows of a fit; None means 1,000.
    n_jobs : int, default=None
        Threads; None and -1 mean one a core. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seed of the folds; None means 1, as in the command.
    verbose : bool, default=False
        Show one line of progress on standard error.

    Attributes
    ----------
    alpha_ : float
        The weight that was chosen.
    alphas_ : ndarray of shape (n_alphas,)
        The weights that were tried, from the largest on.
    mse_path_ : ndarray of shape (n_alphas, n_folds)
        Mean squared errors on folds.
    mse_mean_, mse_error_ : ndarray of shape (n_alphas,)
        The mean over the folds, and its standard error.
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
    Stone (1974), "Cross-validatory choice and assessment of statistical predictions", JRSS B 36.

    Examples
    --------
    >>> import numpy as np
    >>> from lanes import RidgeCV
    >>> X = np.random.default_rng(0).normal(size=(60, 5))
    >>> model = RidgeCV(alphas=[0.01, 1, 100]).fit(X, X[:, 0] + 1)
    >>> model.alpha_, model.mse_path_.shape
    (0.01, (3, 5))
    """

    def __init__(self, *, alphas=None, fit_intercept=True, cv=5, one_standard_error=False, tol=1e-6, max_iter=None, n_jobs=None, random_state=None, verbose=False):
        super().__init__(alphas, fit_intercept, cv, one_standard_error, tol, max_iter, n_jobs, random_state, verbose)

    def fit(self, X, y, sample_weight=None):
        """Choose alpha, and fit the model on all rows by it; see `LogisticRegression.fit`."""
        alphas = None if self.alphas is None else _falling(self.alphas)
        search = lambda X, s: {} if alphas is None else {"weights": list(alphas / X.shape[0])}  # noqa: E731
        return self._search(X, y, sample_weight, search, lambda X, s: 1 / X.shape[0])
