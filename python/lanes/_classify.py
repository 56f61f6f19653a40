"""Classifiers."""

import numbers

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from ._base import Estimator


# The metrics of cross-validations in the library, by scikit-learn's names.
_MEASURED = {"neg_log_loss": "logloss", "roc_auc": "roc_auc", "average_precision": "average_precision", "accuracy": "accuracy"}


def _labels(y):
    """The classes of labels, and the place of each label among them."""
    if y.dtype.kind in "biuf":
        low, high = y.min(), y.max()
        above = y == high
        if low != high and low == int(low) and high == int(high) and np.count_nonzero(y == low) + np.count_nonzero(above) == len(y):
            return np.array([low, high]), above
    classes = np.unique(y)
    check_classification_targets(classes)
    return classes, np.searchsorted(classes, y)


class _Classifier(ClassifierMixin, Estimator):
    def _encode(self, X, y, sample_weight):
        X, y = self._check_fit(X, y)
        sample_weight = self._weights(sample_weight, X)
        weight, self._per_class = getattr(self, "class_weight", None), None
        if weight is not None:
            classes, labels = _labels(y)
            per_class = compute_class_weight(weight, classes=classes, y=y)
            if self.calibrate is not None and per_class.all():
                self._per_class = per_class
            else:
                sample_weight = per_class[labels.astype(int)] * (1.0 if sample_weight is None else sample_weight)
        X, y, sample_weight = self._counted(X, y, sample_weight)
        self.classes_, labels = _labels(y)  # of rows that count: a model has no score for another class
        if len(self.classes_) < 2:
            raise ValueError(f"This solver needs samples of at least 2 classes in the data, but the data contains only one class: {self.classes_[0]!r}")
        return X, labels.astype(np.float64), sample_weight

    def decision_function(self, X):
        """Scores of rows: above 0 for the second of two classes, or one for each class.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        scores = self._of_rows(X, "scores")
        if scores.shape[1] > 1:
            return scores
        about = self.model_.about
        middle = 0 if self.report_.get("calibration") else _MIDDLE.get(about.get("loss"), 0)
        return scores[:, 0] - middle if middle else scores[:, 0]

    def predict(self, X):
        """Class of each row.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        classes : ndarray of shape (n_samples,)
        """
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    def _keep(self, model, report):
        super()._keep(model, report)
        if model.about["linear"]:
            self.coef_, self.intercept_ = model.coefficients()


def has_probabilities(estimator):
    """Tells whether scores are log odds or have a link. Before fit they may become so, of a loss without probabilities by `calibrate`."""
    if hasattr(estimator, "model_"):
        return estimator.model_.about["logistic"]
    return getattr(estimator, "_likely", True) or estimator.calibrate is not None


# The scores at which both classes have the probability 1/2, by the loss; 0 for others.
_MIDDLE = {"cloglog": np.log(np.log(2))}


def calibration_of(calibrate, per_class):
    """The options of a calibration, beside weights of the classes in training: rows are calibrated without these. None for no weights."""
    if calibrate is None:
        return {}
    if calibrate not in ("sigmoid", "isotonic", "temperature"):
        raise ValueError(f"calibrate is {calibrate!r}; it may be 'sigmoid', 'isotonic', 'temperature' or None")
    if per_class is None:
        return {"calibrate": calibrate}
    if len(per_class) != 2:
        raise ValueError("calibrate beside class_weight is for two classes: leave one of them out, or take scikit-learn's CalibratedClassifierCV")
    return {"calibrate": calibrate, "class_weight": {"negative": float(per_class[0]), "positive": float(per_class[1])}}


class _Probabilities:
    @available_if(has_probabilities)
    def predict_proba(self, X):
        """Probability of each class for each row.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        p = self._of_rows(X, "probabilities")
        return np.column_stack([1 - p, p]) if p.shape[1] == 1 else p

    @available_if(has_probabilities)
    def predict_log_proba(self, X):
        """Logarithm of `predict_proba`."""
        return np.log(self.predict_proba(X))


def penalty_of(penalty, C, l1_ratio, n):
    """The penalty of scikit-learn's words, as options of lanes for n rows."""
    if penalty in (None, "none"):
        return {"none": True}
    if not np.isfinite(C) or C <= 0:
        raise ValueError(f"C is {C!r}; it must be a finite number above 0")
    ratio = {"l2": 0.0, "l1": 1.0, "elasticnet": l1_ratio}.get(penalty, -1)
    if ratio is None or not 0 <= ratio <= 1:
        raise ValueError(f"penalty is {penalty!r} with l1_ratio {l1_ratio!r}; penalty is 'l2', 'l1', 'elasticnet' or None, l1_ratio 0 to 1")
    return {name: v for name, v in {"l1": ratio / (C * n), "l2": (1 - ratio) / (C * n)}.items() if v}


def folds_of(cv):
    """The number of folds of a cross-validation in the library."""
    if not isinstance(cv, numbers.Integral) or cv < 2:
        raise ValueError(f"cv is {cv!r}; it must be a whole number of folds, 2 or more")
    return int(cv)


class LogisticRegression(_Probabilities, _Classifier):
    r"""Logistic regression with a certificate.

    Minimises, for two classes with labels :math:`y_i = \pm 1` and weights :math:`s_i`,

    .. math:: \frac{1}{n} \sum_i s_i \log(1 + e^{-y_i (x_i^T w + b)}) + \frac{1}{C n} \left(\frac{1 - \rho}{2} \|w\|_2^2 + \rho \|w\|_1\right)

    which has the minimum of scikit-learn's objective. The intercept b is not penalised.

    Parameters
    ----------
    penalty : {'l2', 'l1', 'elasticnet', None}, default='l2'
        The penalty: the squared norm, the L1 norm, both, or nothing.
    C : float, default=1.0
        Inverse of the weight of the penalty.
    l1_ratio : float, default=None
        The share :math:`\rho` of the L1 norm for 'elasticnet'.
    fit_intercept : bool, default=True
        Fit a constant, which is not penalised.
    penalty_factors : array-like of shape (n_features,) or None, default=None
        A factor of 0 or more for the penalty of each feature; 0 leaves it unpenalised. None means ones.
    bounds : tuple of two, default=None
        The lower and the upper bound of the coefficients, each a number or an array-like of shape
        (n_features,); infinite ones are none. Equal ones fix a coefficient.
    class_weight : dict, 'balanced' or None, default=None
        Weights of the rows of each class; 'balanced' gives all classes the same total.
    multi_class : {'auto', 'ovr', 'multinomial'}, default='auto'
        'auto' trains each of three or more classes against the rest. 'multinomial' is one model by
        the softmax, with every penalty but none. Its intercepts are not penalised either, and
        their sum is 0.
    link : {'logit', 'probit', 'cloglog'}, default='logit'
        What a probability is of a score: 1/(1 + exp(-score)), the normal distribution, or
        1 - exp(-exp(score)). The others than 'logit' take the penalties 'l2' and None, and give no
        probabilities of three or more classes. `decision_function` of 'cloglog' is the score less
        log(log 2), so that it is 0 where both classes have the probability 1/2.
    calibrate : {'sigmoid', 'isotonic', 'temperature', None}, default=None
        Makes scores log odds, by the scores of five folds that their fits did not see: by a straight
        line of the scores ('sigmoid', which the weights then have), by any rising function
        ('isotonic', for two classes), or by a factor ('temperature', for 'multinomial'). It is for
        class weights that are not those of new rows.
    tol : float, default=1e-6
        The duality gap at which the run ends, in units of the mean loss divided by the mean
        weight of the rows; without a penalty the norm of the gradient.
    max_iter : float, default=None
        Most passes over the rows; None means 1,000.
    solver : str, default='auto'
        A solver of lanes by its name, as 'newton', 'svrg' or 'ai-sarah'; 'auto' chooses.
    warm_start : bool, default=False
        Begin at the model of the fit before.
    n_jobs : int, default=None
        Threads; None and -1 mean one a core. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seed of stochastic solvers; None means 1, as in the command.
    verbose : bool, default=False
        Show one line of progress on standard error.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,)
    classes_ : ndarray of shape (n_classes,)
        The classes of rows with a weight above 0.
    n_iter_ : int
    gap_ : float
        A bound on the distance of the objective from its minimum.
    status_ : str
        'converged' if gap_ is at most tol, in its unit.
    weights_sha256_ : str
        The hash of the weights, as the command prints it.
    n_features_in_ : int
    trace_ : list of dict
        The points of the run.
    report_ : dict
        What the library reports of the run.
    model_ : lanes.Model
        ``model_.write(path)`` writes the file that the command reads.

    References
    ----------
    Lin, Weng, Keerthi (2008), "Trust region Newton method for logistic regression".

    Examples
    --------
    >>> from lanes import LogisticRegression
    >>> model = LogisticRegression().fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    >>> model.predict([[2.5]])
    array([1])
    """

    def __init__(self, penalty="l2", *, C=1.0, l1_ratio=None, fit_intercept=True, penalty_factors=None, bounds=None, class_weight=None, multi_class="auto", link="logit",
                 calibrate=None, tol=1e-6, max_iter=None, solver="auto", warm_start=False, n_jobs=None, random_state=None, verbose=False):
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.fit_intercept = fit_intercept
        self.penalty_factors = penalty_factors
        self.bounds = bounds
        self.class_weight = class_weight
        self.multi_class = multi_class
        self.link = link
        self.calibrate = calibrate
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.warm_start = warm_start
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _options(self):
        if self.multi_class not in ("auto", "ovr", "multinomial"):
            raise ValueError(f"multi_class is {self.multi_class!r}; it may be 'auto', 'ovr' or 'multinomial'")
        softmax = self.multi_class == "multinomial" and len(self.classes_) > 2
        kind = "two classes" if len(self.classes_) == 2 else "softmax" if softmax else "one-vs-rest"
        intercept = "free" if self.fit_intercept else "none"
        if self.link not in ("logit", "probit", "cloglog"):
            raise ValueError(f"link is {self.link!r}; it may be 'logit', 'probit' or 'cloglog'")
        options = dict({"kind": kind, "intercept": intercept}, **calibration_of(self.calibrate, self._per_class))
        if self.link != "logit":
            if softmax:
                raise ValueError(f"link is {self.link!r}, which is not of multi_class 'multinomial': take 'ovr'")
            options["loss"] = self.link
        if self.solver != "auto":
            options["solver"] = self.solver
        return options

    def fit(self, X, y, sample_weight=None, offset=None):
        """Fit the model.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None
        offset : array-like of shape (n_samples,), default=None
            A number that is added to the score of each row in training; for two classes.

        Returns
        -------
        self
        """
        initial = self.model_ if self.warm_start and hasattr(self, "model_") else None
        n = np.shape(X)[0] if offset is not None else 0
        X, y, sample_weight = self._encode(X, y, sample_weight)
        if n != 0 and X.shape[0] != n:
            raise ValueError("there are rows of weight 0 beside offsets: leave these rows out")
        options = dict(self._options(), penalty=penalty_of(self.penalty, self.C, self.l1_ratio, X.shape[0]))
        return self._train(X, y, options, sample_weight, offset, initial)


class LogisticRegressionCV(LogisticRegression):
    """Logistic regression whose penalty is chosen by cross-validation.

    For each C of Cs, and for each fold, it minimises what `LogisticRegression` does on the rows of the
    other folds, and measures the model on the fold. All rows are fitted by the best C.

    Parameters
    ----------
    Cs : int, list of floats or None, default=None
        Inverse weights of the penalty. None means a range that begins where the penalty decides
        everything and ends where the metric has turned; a number means so many from 1e-4 to 1e4.
    cv : int, splitter or iterable of (train, test), default=5
        Number of folds, which the library deals by random_state with equal shares of the classes; or
        folds of your own.
    scoring : str or callable, default=None
        A scorer of scikit-learn; None means 'neg_log_loss'. The library measures 'neg_log_loss',
        'roc_auc', 'average_precision' and 'accuracy' on folds that it deals itself. All else is
        fitted fold by fold, for rising Cs, each from the model before.
    one_standard_error : bool, default=False
        Choose the largest weight within one standard error of the best.

    penalty : {'l2', 'l1'}, default='l2'
        The penalty that Cs are the inverse weights of.
    l1_ratio : None
        Not used.
    fit_intercept : bool, default=True
        Fit a constant, which is not penalised.
    class_weight : dict, 'balanced' or None, default=None
        Weights of the rows of each class; 'balanced' gives all classes the same total.
    multi_class, link, calibrate
        As in `LogisticRegression`. Folds are measured before scores are calibrated.
    tol : float, default=1e-6
        The duality gap at which a fit ends, in units of the mean loss divided by the mean weight
        of the rows.
    max_iter : float, default=None
        Most passes over the rows; None means 1,000.
    solver : str, default='auto'
        A solver of lanes by its name, as 'newton', 'svrg' or 'ai-sarah'; 'auto' chooses.
    n_jobs : int, default=None
        Threads; None and -1 mean one a core. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seed of stochastic solvers; None means 1, as in the command.
    verbose : bool, default=False
        Show one line of progress on standard error.

    Attributes
    ----------
    C_ : ndarray of shape (1,)
        The inverse weight that was chosen.
    Cs_ : ndarray of shape (n_Cs,)
    scores_ : ndarray of shape (n_folds, n_Cs)
        What was measured: larger is better.
    scores_mean_, scores_error_ : ndarray
        The mean of scores_ over the folds, and its standard error, for each of Cs_.
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,)
    classes_ : ndarray of shape (n_classes,)
        The classes of rows with a weight above 0.
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
    >>> from lanes import LogisticRegressionCV
    >>> from sklearn.model_selection import KFold
    >>> X, y = [[k] for k in range(12)], [0, 0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 1]
    >>> model = LogisticRegressionCV(Cs=[0.01, 1], cv=KFold(3, shuffle=True, random_state=0), scoring="accuracy").fit(X, y)
    >>> model.scores_.shape
    (3, 2)
    """

    def __init__(self, *, Cs=None, cv=5, scoring=None, one_standard_error=False, penalty="l2", l1_ratio=None, fit_intercept=True,
                 class_weight=None, multi_class="auto", link="logit", calibrate=None, tol=1e-6, max_iter=None, solver="auto", n_jobs=None,
                 random_state=None, verbose=False):
        super().__init__(penalty, l1_ratio=l1_ratio, fit_intercept=fit_intercept, class_weight=class_weight, multi_class=multi_class,
                         link=link, calibrate=calibrate, tol=tol, max_iter=max_iter, solver=solver, n_jobs=n_jobs, random_state=random_state, verbose=verbose)
        self.Cs = Cs
        self.cv = cv
        self.scoring = scoring
        self.one_standard_error = one_standard_error

    def fit(self, X, y, sample_weight=None):
        """Choose C, and fit the model on all rows by it.

        Parameters
        ----------
        X : {array-like, sparse matrix} of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        if self.penalty not in ("l1", "l2"):
            raise ValueError(f"penalty is {self.penalty!r}; a cross-validation is over 'l1' or 'l2'")
        Cs = self.Cs
        if Cs is not None:
            Cs = np.logspace(-4, 4, Cs) if np.ndim(Cs) == 0 else np.unique(np.asarray(Cs, dtype=float))
            if len(Cs) == 0 or not (np.isfinite(Cs) & (Cs > 0)).all():
                raise ValueError(f"Cs is {self.Cs!r}; it must be one or more finite numbers above 0, or their number")
        if isinstance(self.cv, numbers.Integral) and (self.scoring is None or self.scoring in _MEASURED):
            return self._fit_search(X, y, sample_weight, Cs)
        return self._fit_folds(X, y, sample_weight, np.logspace(-4, 4, 10) if Cs is None else Cs)

    def _fit_search(self, X, y, sample_weight, Cs):
        """Lets the library deal the folds."""
        X, y, sample_weight = self._encode(X, y, sample_weight)
        n = X.shape[0]
        search = {"folds": folds_of(self.cv), "over_l1": self.penalty == "l1", "one_standard_error": self.one_standard_error}
        if Cs is not None:
            search["weights"] = list(1 / (Cs * n))
        scoring = self.scoring or "neg_log_loss"
        self._train(X, y, dict(self._options(), search=search, metric=_MEASURED[scoring]), sample_weight)
        folds = self.report_["folds"]
        sign = -1 if scoring == "neg_log_loss" else 1
        self.Cs_ = 1 / (n * np.array(folds["weights"]))
        self.C_ = np.array([1 / (n * folds["chosen"])])
        self.scores_ = sign * np.array(folds["values"], dtype=float).T
        self.scores_mean_ = sign * np.array(folds["mean"], dtype=float)
        self.scores_error_ = np.array(folds["standard_error"], dtype=float)
        return self

    def _fit_folds(self, X, y, sample_weight, Cs):
        """Fits on folds of the caller, and measures by a scorer of scikit-learn."""
        from sklearn.metrics import check_scoring  # imported here: other estimators do not need them
        from sklearn.model_selection import check_cv

        checked, target = self._check_fit(X, y)
        check_classification_targets(target)
        weights = self._weights(sample_weight, checked)
        measure = check_scoring(self, self.scoring or "neg_log_loss")
        shared = {name: value for name, value in self.get_params().items() if name in LogisticRegression().get_params()}
        scores = []
        for train, test in check_cv(self.cv, target, classifier=True).split(checked, target):
            model = LogisticRegression(**dict(shared, warm_start=True, calibrate=None))
            of_fold = []
            for C in Cs:
                model.set_params(C=C).fit(checked[train], target[train], None if weights is None else weights[train])
                of_fold.append(measure(model, checked[test], target[test]))
            scores.append(of_fold)
        self.Cs_, self.scores_ = np.asarray(Cs), np.array(scores)
        self.scores_mean_ = self.scores_.mean(axis=0)
        if len(scores) > 1:
            self.scores_error_ = self.scores_.std(axis=0, ddof=1) / np.sqrt(len(scores))
        else:
            self.scores_error_ = np.zeros(len(Cs))
        best = int(np.argmax(self.scores_mean_))
        if self.one_standard_error:
            best = int(np.argmax(self.scores_mean_ >= self.scores_mean_[best] - self.scores_error_[best]))
        self.C_ = self.Cs_[[best]]
        checked, labels, weights = self._encode(X, y, sample_weight)
        return self._train(checked, labels, dict(self._options(), penalty=penalty_of(self.penalty, self.C_[0], self.l1_ratio, checked.shape[0])), weights)


class LinearSVC(_Probabilities, _Classifier):
    r"""Linear support vector machine with the squared hinge loss, or the hinge, and a certificate.

    Minimises :math:`\frac{1}{n} \sum_i s_i \max(0, 1 - y_i (x_i^T w + b))^2 + \frac{1}{2 C n} \|w\|_2^2`, or the same without
    the square. The intercept is not penalised,
    unlike in scikit-learn's LinearSVC.

    Parameters
    ----------
    C : float, default=1.0
        Inverse of the weight of the penalty.
    loss : {'squared_hinge', 'hinge'}, default='squared_hinge'
        Whether margins below 1 count by their squares.
    fit_intercept : bool, default=True
        Fit a constant, which is not penalised.
    class_weight : dict, 'balanced' or None, default=None
        Weights of the rows of each class; 'balanced' gives all classes the same total.
    calibrate : {'sigmoid', 'isotonic', None}, default=None
        Makes scores log odds, by the scores of five folds that their fits did not see, so that there
        is `predict_proba`: by a straight line of the scores ('sigmoid', which the weights then
        have), or by any rising function ('isotonic', for two classes).
    tol : float, default=1e-6
        The duality gap at which the run ends, in units of the mean loss, or half of it for squares,
        divided by the mean weight of the rows.
    max_iter : float, default=None
        Most passes over the rows; None means 1,000.
    solver : str, default='auto'
        A solver of lanes by its name, as 'newton', 'svrg' or 'ai-sarah'; 'auto' chooses.
    n_jobs : int, default=None
        Threads; None and -1 mean one a core. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seed of stochastic solvers; None means 1, as in the command.
    verbose : bool, default=False
        Show one line of progress on standard error.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features) or (n_classes, n_features)
    intercept_ : ndarray of shape (1,) or (n_classes,)
    classes_ : ndarray of shape (n_classes,)
        The classes of rows with a weight above 0.
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
    Chang, Hsieh, Lin (2008), "Coordinate descent method for large-scale L2-loss linear support vector machines", JMLR 9.

    Examples
    --------
    >>> from lanes import LinearSVC
    >>> model = LinearSVC().fit([[0.0], [1.0], [2.0], [3.0]], ["no", "no", "yes", "yes"])
    >>> model.predict([[2.5]]).tolist()
    ['yes']
    """

    _likely = False

    def __init__(self, *, C=1.0, loss="squared_hinge", fit_intercept=True, class_weight=None, calibrate=None, tol=1e-6, max_iter=None, solver="auto",
                 n_jobs=None, random_state=None, verbose=False):
        self.C = C
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.calibrate = calibrate
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X, y, sample_weight=None):
        """Fit the model; see `LogisticRegression.fit`."""
        factors = {"squared_hinge": 2, "hinge": 1}  # the squares of the library have a factor 1/2
        if self.loss not in factors:
            raise ValueError(f"loss is {self.loss!r}; it must be one of {', '.join(factors)}")
        X, y, sample_weight = self._encode(X, y, sample_weight)
        options = dict({"kind": "two classes" if len(self.classes_) == 2 else "one-vs-rest", "loss": self.loss.replace("_", "-"),
                        "intercept": "free" if self.fit_intercept else "none", "penalty": penalty_of("l2", factors[self.loss] * self.C, None, X.shape[0])},
                       **calibration_of(self.calibrate, self._per_class))
        if self.solver != "auto":
            options["solver"] = self.solver
        return self._train(X, y, options, sample_weight)


class _Ranker(_Probabilities, _Classifier):
    _likely = False

    def __init__(self, *, solver, hidden, parameters, calibrate, max_iter, n_jobs, random_state, verbose):
        self.solver = solver
        self.hidden = hidden
        self.parameters = parameters
        self.calibrate = calibrate
        self.max_iter = max_iter
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    tol = 0

    def _more_tags(self):
        return {"binary_only": True}

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags

    def _fit(self, X, y, metric, more):
        X, y, _ = self._encode(X, y, None)
        if len(self.classes_) > 2:
            raise ValueError("Only binary classification is supported. The type of the target is multiclass.")
        if self.solver == "search":
            if self.hidden or self.parameters:
                raise ValueError("solver='search' decides hidden and parameters by itself: leave them out")
            return self._train(X, y, dict({"for": {"metric": metric}}, **calibration_of(self.calibrate, self._per_class)))
        options = dict(more, **calibration_of(self.calibrate, self._per_class), kind="two classes", solver=self.solver)
        if self.hidden:
            options["hidden"] = list(self.hidden)
        if self.parameters:
            options["parameters"] = {name: str(v) for name, v in self.parameters.items()}
        return self._train(X, y, options)


class AveragePrecisionClassifier(_Ranker):
    r"""A classifier of two classes that maximises average precision, the area under the PR curve.

    Maximises a smooth lower bound of :math:`\frac{1}{n_+} \sum_{y_i = 1} \frac{\#\{j : y_j = 1, f(x_j) \ge f(x_i)\}}{\#\{j : f(x_j) \ge f(x_i)\}}`.

    Parameters
    ----------
    solver : str, default='adap'
        'adap', 'moap' and their relatives of lanes; or 'search', which tries logistic fits and
        solvers that rank by cross-validation and takes the simplest within one standard
        error of the best.
    hidden : sequence of int, default=None
        Units of each hidden layer of a perceptron, one layer or two; None for a linear model.
    parameters : dict, default=None
        Parameters of the solver by name.
    calibrate : {'sigmoid', 'isotonic', None}, default=None
        As in `LinearSVC`.
    max_iter : float, default=None
        Passes over the rows; None means the length of the solver's schedule.
    n_jobs : int, default=None
        Threads; None and -1 mean one a core. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seed; None means 1, as in the command.
    verbose : bool, default=False
        Show one line of progress on standard error.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features)
        Of a linear model.
    intercept_ : ndarray of shape (1,)
        Of a linear model.
    classes_ : ndarray of shape (2,)
    n_iter_ : int
    n_features_in_ : int
    status_ : str
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
    Wang, Yang, Ji, Yang (2022), "Momentum accelerates the convergence of stochastic AUPRC maximization".

    Examples
    --------
    >>> import numpy as np
    >>> from lanes import AveragePrecisionClassifier
    >>> X = np.random.default_rng(0).standard_normal((300, 5))
    >>> y = (X[:, 0] + 0.1 * X[:, 1] > 1).astype(int)
    >>> scores = AveragePrecisionClassifier().fit(X, y).decision_function(X)
    >>> bool(scores[y == 1].mean() > scores[y == 0].mean())
    True
    """

    def __init__(self, *, solver="adap", hidden=None, parameters=None, calibrate=None, max_iter=None, n_jobs=None, random_state=None, verbose=False):
        super().__init__(solver=solver, hidden=hidden, parameters=parameters, calibrate=calibrate, max_iter=max_iter, n_jobs=n_jobs,
                         random_state=random_state, verbose=verbose)

    def fit(self, X, y):
        """Fit the model; see `LogisticRegression.fit`."""
        return self._fit(X, y, "ap", {})


class PartialAUCClassifier(_Ranker):
    r"""A classifier of two classes that maximises the area under the ROC curve in a range of false-positive rates.

    Minimises a convex bound of the share of pairs, of a positive and of a negative whose rank among the
    negatives is in the range, that the scores order wrongly.

    Parameters
    ----------
    fpr : tuple of two floats, default=(0, 0.05)
        The range of false-positive rates.
    tpr : float, default=0
        The least true-positive rate of a two-way partial AUC, below 1; 0 trains a partial AUC.
    solver : str, default='agd-sbcd'
        A solver of partial AUC of lanes, or 'search' as in `AveragePrecisionClassifier`.
    hidden : sequence of int, default=None
        Units of each hidden layer of a perceptron, one layer or two; None for a linear model.
    parameters : dict, default=None
        Parameters of the solver by name.
    calibrate : {'sigmoid', 'isotonic', None}, default=None
        As in `LinearSVC`.
    max_iter : float, default=None
        Passes over the rows; None means the length of the solver's schedule.
    n_jobs : int, default=None
        Threads; None and -1 mean one a core. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seed; None means 1, as in the command.
    verbose : bool, default=False
        Show one line of progress on standard error.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_features)
        Of a linear model.
    intercept_ : ndarray of shape (1,)
        Of a linear model.
    classes_ : ndarray of shape (2,)
    n_iter_ : int
    n_features_in_ : int
    status_ : str
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
    Yao, Lin, Yang (2022), "Large-scale optimization of partial AUC in a range of false positive rates".

    Examples
    --------
    >>> import numpy as np
    >>> from lanes import PartialAUCClassifier
    >>> X = np.random.default_rng(0).standard_normal((300, 5))
    >>> y = (X[:, 0] + 0.1 * X[:, 1] > 1).astype(int)
    >>> scores = PartialAUCClassifier().fit(X, y).decision_function(X)
    >>> bool(scores[y == 1].mean() > scores[y == 0].mean())
    True
    """

    def __init__(self, *, fpr=(0, 0.05), tpr=0.0, solver="agd-sbcd", hidden=None, parameters=None, calibrate=None, max_iter=None, n_jobs=None,
                 random_state=None, verbose=False):
        super().__init__(solver=solver, hidden=hidden, parameters=parameters, calibrate=calibrate, max_iter=max_iter, n_jobs=n_jobs,
                         random_state=random_state, verbose=verbose)
        self.fpr = fpr
        self.tpr = tpr

    def fit(self, X, y):
        """Fit the model; see `LogisticRegression.fit`."""
        low, high = self.fpr
        return self._fit(X, y, f"pauc:{low:g},{high:g},{self.tpr:g}", {"rates": [float(low), float(high)], "min_tpr": float(self.tpr)})
