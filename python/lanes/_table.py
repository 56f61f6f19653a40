"""Training and prediction on tables: files, and frames of pandas."""

import os
import warnings

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin, TransformerMixin
from sklearn.utils.class_weight import compute_class_weight
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted

from . import _library
from ._base import DataWarning, Estimator, in_python
from ._classify import calibration_of, folds_of, has_probabilities, penalty_of

# Kinds of columns that are no features.
_ASIDE = ("target", "weight", "offset", "exposure", "group")
_NO_FEATURES = _ASIDE + ("cross",)  # columns of a recipe that rows of new tables need not have

_FRAME = {"format": "csv", "encoding": "utf-8", "separator": ",", "header": True, "quotes": True}


def _text(frame):
    return frame.to_csv(index=False).encode()


def _is_frame(X):
    return hasattr(X, "to_csv") and hasattr(X, "columns")


def _named(frame):
    """A shallow copy of a frame, whose columns have texts as names, each once."""
    frame = frame.copy(deep=False)
    frame.columns = [str(name) for name in frame.columns]
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice):
        raise ValueError(f"several columns of the table have the name {twice[0]!r}: rename them")
    return frame


def _source(X):
    """A table as the library takes it, with the options of reading it."""
    if isinstance(X, (str, os.PathLike)):
        return os.fspath(X), {}
    if not _is_frame(X):
        raise TypeError(f"X is a {type(X).__name__}; a table is the path of a file or a pandas.DataFrame")
    return _text(_named(X)), _FRAME


class TableWarning(DataWarning):
    """Some of a table is not used as it stands, or can be read in two ways."""


class _Table(TransformerMixin, Estimator):
    def __init__(self, penalty="l2", *, C=1.0, l1_ratio=None, kinds=None, encoding=None, recipe=None, cv=None, scoring=None,
                 tol=1e-9, max_iter=None, solver="auto", n_jobs=None, random_state=None, verbose=False):
        self.penalty = penalty
        self.C = C
        self.l1_ratio = l1_ratio
        self.kinds = kinds
        self.encoding = encoding
        self.recipe = recipe
        self.cv = cv
        self.scoring = scoring
        self.tol = tol
        self.max_iter = max_iter
        self.solver = solver
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def _more_tags(self):
        return {"X_types": ["string"], "allow_nan": True}

    def __sklearn_tags__(self):  # scikit-learn from 1.6 on
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse, tags.input_tags.string, tags.input_tags.allow_nan = False, True, True
        return tags

    def _learning(self, frame, target):
        """Options of lanes_encoder_fit."""
        if self.recipe is not None:
            if self.kinds or self.encoding:
                raise ValueError("recipe says what becomes of the columns: leave kinds and encoding out")
            return {"recipe": self.recipe}
        options = dict(self.encoding or {}, target=target)
        kinds = {str(name): kind for name, kind in dict(self.kinds or {}).items()}
        if frame is not None:  # a frame knows its categories and its numbers
            for name in frame.columns.drop([options[kind] for kind in _ASIDE if options.get(kind)], errors="ignore"):
                if frame[name].dtype.name in ("category", "bool"):
                    kinds.setdefault(name, "category")
        for name, kind in kinds.items():
            kind, _, form = kind.partition("=")
            if kind not in ("number", "category", "text", "time", "ignore", "id") or form and kind != "time":
                raise ValueError(f"kinds[{name!r}] is {kinds[name]!r}; it may be 'number', 'category', 'text', 'time', 'time=FORMAT', 'ignore' or 'id'")
            options[kind] = [*options.get(kind, ()), f"{name}={form}" if form else name]
        return options

    def _choose(self, labels):
        """Options by which folds choose open numbers of bins; labels are None for a file."""
        wanted = self.encoding or {}
        if wanted.get("bins") != "auto" and not any(str(name).endswith("=auto") for name in wanted.get("spline", ())):
            return {}
        options = dict(self._choosing(labels), settings=self._settings())
        if self.cv is not None:
            options["search"] = {"folds": folds_of(self.cv)}
            if self.scoring is not None:
                options["metric"] = self.scoring
        return {"choose": options}

    def _fit(self, X, y, sample_weight):
        vars(self).pop("notes_", None)
        vars(self).pop("model_", None)  # it does not go with the encoder of this fit, which may fail
        frame, labels = None, None
        if _is_frame(X):
            frame = _named(X)
            if np.ndim(y) == 0 and str(y) in frame.columns:
                target = str(y)
                labels = frame[target]
            else:
                if np.ndim(y) == 0:
                    raise ValueError(f"y is {y!r}; it is the target of each row, or the name of a column of the table")
                labels = y
                target = str(getattr(y, "name", None) or "target")
                if target in frame.columns:
                    target = "target"
                while target in frame.columns:
                    target = f"the {target}"
            labels = np.asarray(labels)
            frame[target] = labels.astype(int) if labels.dtype == bool else labels
        elif not isinstance(X, (str, os.PathLike)):
            _source(X)  # which says what a table is
        elif not isinstance(y, str):
            raise ValueError(f"y is {type(y).__name__}; for a file it is the name of the column that is learned")
        else:
            target = y
        table, reading = (_text(frame), _FRAME) if frame is not None else _source(X)
        reading = {**reading, "workers": self._workers()}
        self.encoder_ = _library.Encoder.fit(table, {**self._learning(frame, target), **reading, **self._choose(labels)})
        self.recipe_ = self.encoder_.recipe()
        self.feature_names_in_ = np.array([c["name"] for c in self.recipe_["columns"] if c["kind"] not in _NO_FEATURES], dtype=object)
        self.n_features_in_ = len(self.feature_names_in_)
        if sample_weight is not None and any(c["kind"] == "weight" for c in self.recipe_["columns"]):
            raise ValueError("the table has a column of weights: leave sample_weight out")
        matrix, report = self.encoder_.encode(table, {**reading, "leaks": True})
        self._tell(report.get("notes"), TableWarning, stacklevel=3)
        del table, frame
        with matrix:
            if matrix.shape[0] < 2:
                raise ValueError("the table has 1 sample: training needs more rows")
            self._fit_rows(matrix, labels, report, sample_weight)
        return self

    def _train_rows(self, matrix, options, sample_weight):
        n = matrix.shape[0]
        if self.cv is not None:
            search = {"folds": folds_of(self.cv)}
            if self.penalty == "l1":
                search["over_l1"] = True
            options = dict(options, search=search)
            if self.scoring is not None:
                options["metric"] = self.scoring
        else:
            options = dict(options, penalty=penalty_of(self.penalty, self.C, self.l1_ratio, n))
        if self.solver != "auto":
            options["solver"] = self.solver
        self._train(matrix, None, options, sample_weight)
        if self.cv is not None:
            self.C_ = 1 / (n * self.report_["folds"]["chosen"])

    def _keep(self, model, report):
        super()._keep(model, report)
        self.coef_, self.intercept_ = model.coefficients()

    def get_feature_names_out(self, input_features=None):
        """Names of the encoded columns, in the order of ``coef_``.

        Parameters
        ----------
        input_features : ignored

        Returns
        -------
        names : ndarray of str
        """
        check_is_fitted(self, "model_")
        return np.array(self.encoder_.names(), dtype=object)

    def _encode(self, X):
        """The rows of a table without a target, and the counts of values in it."""
        check_is_fitted(self, "model_")
        table, reading = _source(X)
        return self.encoder_.encode(table, {**reading, "no_target": True, "workers": self._workers()})

    def _of_table(self, X, compute):
        """What compute makes of the encoded rows of a table."""
        matrix, report = self._encode(X)
        with matrix:
            for note in report.get("notes", ()):
                if note["class"] != "information":
                    warnings.warn(in_python(note["text"]), TableWarning, stacklevel=3)
            return compute(matrix)

    def _scores(self, X):
        return self._of_table(X, lambda matrix: self.model_.scores(matrix, self._workers()))

    def _inference(self, X, y, sample_weight, offset, options):
        if offset is not None:
            raise ValueError("a table has a column of offsets: name it by encoding={'offset': NAME}")
        table, reading = _source(X)
        if _is_frame(X):
            frame, target = _named(X), next(c["name"] for c in self.recipe_["columns"] if c["kind"] == "target")
            if np.ndim(y) > 0:
                labels = np.asarray(y)
                frame[target] = labels.astype(int) if labels.dtype == bool else labels
            table = _text(frame)
        matrix, _ = self.encoder_.encode(table, {**reading, "workers": self._workers()})
        with matrix:
            weights = None if sample_weight is None else self._weights(sample_weight, np.empty((matrix.shape[0], 0)))
            return _library.inference(self.model_, matrix, None, options, weights)

    def transform(self, X):
        """Encode the rows of a table: the rows that the model scores.

        Parameters
        ----------
        X : str, path or pandas.DataFrame
            A table with the columns of the training; the target may be absent.

        Returns
        -------
        rows : scipy.sparse.csr_matrix of shape (n_samples, n_encoded)
            `get_feature_names_out` has the names of its columns.
        """
        return self._of_table(X, _library.Matrix.csr)

    def describe(self, X):
        """Count the values of a table that are missing, or were not seen in training.

        Parameters
        ----------
        X : str, path or pandas.DataFrame

        Returns
        -------
        counts : dict
            rows, the number of rows; missing and unseen, a dict each: a number for each column
            that has such values.
        """
        matrix, report = self._encode(X)
        with matrix:
            return {"rows": matrix.shape[0], "missing": report["missing"], "unseen": report["unseen"]}

    def __getstate__(self):
        state = super().__getstate__()
        return {name: value for name, value in state.items() if name != "encoder_"}

    def __setstate__(self, state):
        super().__setstate__(state)
        if "model_" in self.__dict__:
            self.encoder_ = _library.Encoder.of(self.model_)


class TableClassifier(ClassifierMixin, _Table):
    r"""Logistic regression on a table: a file, or a frame of pandas.

    What becomes of each column is found out as the command ``lanes train TABLE`` does: numbers are
    standardised, categories become a column for each value, texts become words by tf-idf, times
    become hour, month, weekday and a number. The model has the bits of the command's model. It
    minimises what `LogisticRegression` does, of the encoded rows.

    Parameters
    ----------
    penalty : {'l2', 'l1', 'elasticnet', None}, default='l2'
    C : float, default=1.0
        Inverse of the weight of the penalty.
    l1_ratio : float, default=None
        The share of the L1 norm for 'elasticnet'.
    class_weight : dict, 'balanced' or None, default=None
        Weights of the rows of each class; 'balanced' gives all classes the same total. They multiply
        sample_weight, or the column of weights.
    calibrate : {'sigmoid', 'isotonic', None}, default=None
        As in `LinearSVC`; for class weights that are not those of new rows.
    kinds : dict, default=None
        Kinds of columns by name: 'number', 'category', 'text', 'time', 'id' or 'ignore'. 'time=dmy'
        or 'time=%d.%m.%Y %H:%M' says how times are written. The values of other columns decide.
        Columns of a frame with the dtype category or bool are categories.
    encoding : dict, default=None
        How columns are encoded: hash, scale, bins (a number, or 'auto' for folds to choose it), spline
        ('age=6', 'age=auto', ...), monotone ('age=up', ...), min_count, min_df, ngrams, counts, missing,
        cross (pairs of names, hashed beside hash), weight, offset, exposure, group; for a file also format, encoding,
        separator, header, quotes, max_columns, bad_rows (a number, or '1%'). They are named after
        the flags of ``lanes train``.
    recipe : dict, default=None
        A recipe in place of kinds and encoding, as ``recipe_`` of another estimator without what
        was learned, or ``lanes info TABLE --recipe`` has it.
    cv : int, default=None
        Number of folds that choose C; None takes C as given.
    scoring : str, default=None
        The metric of the folds: 'logloss', 'auc', 'ap' or 'accuracy'; None means the log loss.
    tol : float, default=1e-6
        The duality gap at which the run ends, in units of the mean loss divided by the mean
        weight of the rows.
    max_iter : float, default=None
        Most passes over the rows; None means 1,000.
    solver : str, default='auto'
        A solver of lanes by its name; 'auto' chooses.
    n_jobs : int, default=None
        Threads; None and -1 mean one a core. The result does not depend on it.
    random_state : int, RandomState or None, default=None
        Seed of folds and of stochastic solvers; None means 1, as in the command.
    verbose : bool, default=False
        Show one line of progress on standard error.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
    coef_ : ndarray of shape (1, n_encoded) or (n_classes, n_encoded)
    intercept_ : ndarray of shape (1,) or (n_classes,)
    recipe_ : dict
        The kind of each column, with what was learned of it.
    leaks_ : list of dict
        The columns that tell the target by themselves: column, by (what of the column tells it), and
        auc, or r2 for targets that are numbers.
    notes_ : list of dict
        What of the table is not used as it stands, and what to know of the fit: kind, class (lost,
        ambiguous or information), column, count, of, example, place and text. `fit` warns of what is
        lost or ambiguous by a `TableWarning`.
    feature_names_in_ : ndarray of str
        The columns of the table without target, weight, offset, exposure and group.
    n_features_in_ : int
    C_ : float
        The inverse weight that cv chose.
    n_iter_, gap_, status_, weights_sha256_, trace_, report_, model_
        As in `LogisticRegression`. ``model_.write(path)`` writes the model with its recipe: the
        command predicts tables by it.

    References
    ----------
    Lin, Weng, Keerthi (2008), "Trust region Newton method for logistic regression", JMLR 9.

    Examples
    --------
    >>> import pandas as pd
    >>> from lanes import TableClassifier
    >>> frame = pd.DataFrame({"age": [31, 45, 22, 50], "job": ["cook", "smith", "cook", "smith"], "pays": ["no", "yes", "no", "yes"]})
    >>> model = TableClassifier().fit(frame, "pays")
    >>> model.get_feature_names_out().tolist()
    ['age', 'job=cook', 'job=smith']
    >>> model.predict(pd.DataFrame({"age": [48], "job": ["smith"]})).tolist()
    ['yes']
    """

    def __init__(self, penalty="l2", *, C=1.0, l1_ratio=None, class_weight=None, calibrate=None, kinds=None, encoding=None, recipe=None, cv=None, scoring=None,
                 tol=1e-6, max_iter=None, solver="auto", n_jobs=None, random_state=None, verbose=False):
        super().__init__(penalty, C=C, l1_ratio=l1_ratio, kinds=kinds, encoding=encoding, recipe=recipe, cv=cv, scoring=scoring,
                         tol=tol, max_iter=max_iter, solver=solver, n_jobs=n_jobs, random_state=random_state, verbose=verbose)
        self.class_weight = class_weight
        self.calibrate = calibrate

    def fit(self, X, y, sample_weight=None):
        """Fit the model.

        Parameters
        ----------
        X : str, path or pandas.DataFrame
            The table: CSV, TSV, Parquet, JSON lines, plain or compressed; or a frame.
        y : str or array-like of shape (n_samples,)
            The column that is learned; for a frame also the labels of the rows.
        sample_weight : array-like of shape (n_samples,), default=None

        Returns
        -------
        self
        """
        return self._fit(X, y, sample_weight)

    def _choosing(self, labels):
        if labels is None:
            return {}
        return {"kind": "two classes" if len(set(labels.tolist())) == 2 else "one-vs-rest"}

    def _fit_rows(self, matrix, labels, report, sample_weight):
        self.leaks_ = report.get("leaks", [])
        known, place = np.unique(matrix.labels(), return_inverse=True)
        words = matrix.words()
        if words:
            known = [words[int(k)] for k in known]
        if labels is not None:
            each = np.unique(labels)
            check_classification_targets(np.array(list(each)))  # an array of objects may hold numbers
            original = {}
            for label in each:
                if (other := original.setdefault((str if words else float)(label), label)) is not label:
                    raise ValueError(f"y has the labels {other!r} and {label!r}, which are the same in a table: rename one of them")
            known = [original[label] for label in known]
        self.classes_ = np.array(known)
        check_classification_targets(self.classes_)
        per_class = None
        if self.class_weight is not None:
            per_class = compute_class_weight(self.class_weight, classes=self.classes_, y=self.classes_[place])
        calibration = calibration_of(self.calibrate, per_class)
        if per_class is not None and not calibration:
            rows = self._weights(sample_weight, matrix)
            sample_weight = per_class[place] * (matrix.weights() if rows is None else rows)
        self._train_rows(matrix, dict({"kind": "two classes" if len(known) == 2 else "one-vs-rest"}, **calibration), sample_weight)

    def decision_function(self, X):
        """Scores of rows: above 0 for the second of two classes, or one for each class.

        Parameters
        ----------
        X : str, path or pandas.DataFrame

        Returns
        -------
        scores : ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        scores = self._scores(X)
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X):
        """Class of each row.

        Parameters
        ----------
        X : str, path or pandas.DataFrame

        Returns
        -------
        classes : ndarray of shape (n_samples,)
        """
        scores = self.decision_function(X)
        return self.classes_[(scores > 0).astype(int) if scores.ndim == 1 else scores.argmax(axis=1)]

    @available_if(has_probabilities)
    def predict_proba(self, X):
        """Probability of each class for each row.

        Parameters
        ----------
        X : str, path or pandas.DataFrame

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
        """
        p = self._of_table(X, lambda matrix: self.model_.probabilities(matrix, self._workers()))
        return np.column_stack([1 - p, p]) if p.shape[1] == 1 else p


class TableRegressor(RegressorMixin, _Table):
    r"""Least squares on a table: a file, or a frame of pandas.

    Minimises :math:`\frac{1}{2 n} \sum_i s_i (y_i - x_i^T w - b)^2 + \frac{1}{C n} (\frac{1 - \rho}{2} \|w\|_2^2 + \rho \|w\|_1)`,
    where :math:`x_i` is an encoded row. The model has the bits of the command's model.

    Parameters
    ----------
    penalty, C, l1_ratio, kinds, encoding, recipe, cv, max_iter, solver, n_jobs, random_state, verbose
        As in `TableClassifier`.
    scoring : str, default=None
        The metric of the folds; None means the squared error.
    tol : float, default=1e-9
        The duality gap at which the run ends, as a share of the loss of a constant prediction.

    Attributes
    ----------
    coef_ : ndarray of shape (1, n_encoded)
    intercept_ : ndarray of shape (1,)
    recipe_, feature_names_in_, n_features_in_, C_, gap_, status_, n_iter_, weights_sha256_, trace_, report_, model_
        As in `TableClassifier`.

    References
    ----------
    Hoerl, Kennard (1970), "Ridge regression: biased estimation for nonorthogonal problems".

    Examples
    --------
    >>> import pandas as pd
    >>> from lanes import TableRegressor
    >>> frame = pd.DataFrame({"size": [10.0, 20, 30, 40], "price": [1.0, 2, 3, 4]})
    >>> model = TableRegressor(C=1e6).fit(frame, "price")
    >>> model.predict(pd.DataFrame({"size": [25.0]})).round(3).tolist()
    [2.5]
    """

    def fit(self, X, y, sample_weight=None):
        """Fit the model; see `TableClassifier.fit`."""
        return self._fit(X, y, sample_weight)

    def _choosing(self, labels):
        return {"kind": "regression", "loss": "squared"}

    def _fit_rows(self, matrix, labels, report, sample_weight):
        self._train_rows(matrix, self._choosing(labels), sample_weight)

    def predict(self, X):
        """Prediction for each row.

        Parameters
        ----------
        X : str, path or pandas.DataFrame

        Returns
        -------
        y : ndarray of shape (n_samples,)
        """
        return self._scores(X)[:, 0]
