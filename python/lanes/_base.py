"""What all estimators share: checks of rows, the call of the library, attributes of a fit."""

import json
import numbers
import re
import sys
import warnings

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted

try:
    from sklearn.utils.validation import validate_data
except ImportError:  # scikit-learn before 1.6
    def validate_data(estimator, *data, **how):
        return estimator._validate_data(*data, **how)

from . import _library

_ROWS = {"accept_sparse": "csr", "dtype": [np.float64, np.float32], "accept_large_sparse": True}


def _plain(X):
    """Whether X is an array of rows whose numbers the library checks by itself."""
    return type(X) in (np.ndarray, scipy.sparse.csr_matrix) and X.ndim == 2 and X.dtype in (np.float64, np.float32) and min(X.shape) > 0


class NotConverged(ConvergenceWarning):
    """A run ended without its certificate: ``gap_`` is above the tolerance."""


class DataWarning(UserWarning):
    """Some of the data is not used as it stands, or can be read in two ways: see ``notes_``."""


_KINDS = re.compile(r'"(number|category|text|time|ignore|id)": \["((?:[^"\\]|\\.)*)"\]')
_OPTION = re.compile(r'"(\w+)": ("(?:[^"\\]|\\.)*")')


def in_python(text):
    """The text of a note, with the options of estimators of tables."""
    text = _KINDS.sub(lambda found: f"kinds={{{json.loads(chr(34) + found[2] + chr(34))!r}: {found[1]!r}}}", text)
    return _OPTION.sub(lambda found: f"encoding={{{found[1]!r}: {json.loads(found[2])!r}}}", text)


class Estimator(BaseEstimator):
    """An estimator that the library fits."""

    def _check_fit(self, X, y, numeric=False):
        vars(self).pop("notes_", None)
        # The library checks the numbers of plain arrays: a second pass by scikit-learn would find nothing more.
        if _plain(X) and type(y) is np.ndarray and y.shape == X.shape[:1] and y.dtype.kind in "biuf" and np.isfinite(y.sum()):
            self.n_features_in_ = X.shape[1]
            vars(self).pop("feature_names_in_", None)
            return X, y
        return validate_data(self, X, y, y_numeric=numeric, **_ROWS)

    def _of_rows(self, X, what):
        """What the model says of rows: scores or probabilities."""
        check_is_fitted(self, "model_")
        if not (_plain(X) and X.shape[1] == self.n_features_in_ and not hasattr(self, "feature_names_in_")):
            X = validate_data(self, X, reset=False, **_ROWS)
        try:
            return getattr(self.model_, what)(X, self._workers())
        except ValueError:
            check_array(X, **_ROWS)  # which says it in the words of scikit-learn
            raise

    def _weights(self, sample_weight, X):
        if sample_weight is None:
            return None
        if isinstance(sample_weight, numbers.Number):
            sample_weight = np.full(X.shape[0], sample_weight)
        sample_weight = check_array(sample_weight, accept_sparse=False, ensure_2d=False, dtype=np.float64, input_name="sample_weight")
        if sample_weight.ndim != 1:
            raise ValueError("Sample weights must be 1D array or scalar")
        if sample_weight.shape != (X.shape[0],):
            raise ValueError(f"sample_weight.shape == {sample_weight.shape}, expected {(X.shape[0],)}!")
        if (sample_weight < 0).any():
            raise ValueError("Negative values in data passed to `sample_weight`")
        return sample_weight

    def summary(self, X, y, sample_weight=None, offset=None, *, covariance=None, groups=None, level=0.95):
        """Standard errors, tests and intervals of the weights of a model without a penalty.

        Parameters
        ----------
        X, y, sample_weight, offset
            The rows that the model was fitted to: other rows are refused, as their minimum is elsewhere.
        covariance : {'fisher', 'hc0', 'hc1', 'hc2', 'hc3', 'cluster'}, default=None
            None means 'cluster' with groups, else 'fisher'. 'fisher' trusts the variances of the loss, as R's glm. 'hc0' to 'hc3' hold for any variances,
            'cluster' for rows that depend on one another within groups.
        groups : array-like of shape (n_samples,), default=None
            The group of each row, for 'cluster'; of any values.
        level : float, default=0.95
            The share of samples whose intervals hold the true weight.

        Returns
        -------
        summary : Summary
            A dict: coefficients (name, column, estimate, std_error, statistic, p, low, high; reference
            for columns that depend on others), tests, dispersion, deviance, null_deviance,
            log_likelihood, aic, bic and more. ``print`` shows it as a table.

        References
        ----------
        White (1980), Econometrica 48; MacKinnon, White (1985), J. Econometrics 29; Liang, Zeger (1986),
        Biometrika 73.
        """
        check_is_fitted(self, "model_")
        options = {"covariance": covariance or "", "level": level, "workers": self._workers()}
        if groups is not None:
            options["clusters"] = np.unique(np.asarray(groups), return_inverse=True)[1].tolist()
        return Summary(self._inference(X, y, sample_weight, offset, options))

    def _inference(self, X, y, sample_weight, offset, options):
        X, y = validate_data(self, X, y, reset=False, **_ROWS)
        names = getattr(self, "feature_names_in_", None)
        if hasattr(self, "classes_"):
            known = np.isin(y, self.classes_)
            if not known.all():
                raise ValueError(f"y has {y[~known][0]!r}, which the model does not know")
            y = np.searchsorted(self.classes_, y).astype(np.float64)
        table = _library.inference(self.model_, X, y, options, self._weights(sample_weight, X), offset)
        if names is not None:
            for c in table["coefficients"]:
                if c["column"] < len(names):
                    c["name"] = names[c["column"]]
        return table

    def __sklearn_tags__(self):  # scikit-learn from 1.6 on
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    @staticmethod
    def _counted(X, y, sample_weight):
        """The rows whose weight is not 0: the others have no part in the objective."""
        if sample_weight is None or sample_weight.all():
            return X, y, sample_weight
        keep = np.flatnonzero(sample_weight)
        if len(keep) == 0:
            raise ValueError("every row has the weight 0: training needs rows with a weight above 0")
        return X[keep], y[keep], sample_weight[keep]

    def _settings(self):
        for name in ("tol", "max_iter"):
            value = getattr(self, name)
            if value is not None and not (isinstance(value, numbers.Real) and 0 <= value < np.inf):
                raise ValueError(f"{name} is {value!r}; it must be a finite number, 0 or more")
        settings = {"seed": self._seed(), "workers": self._workers()}
        if self.max_iter is not None:
            settings["max_passes"] = self.max_iter
        return settings

    def _seed(self):
        seed = getattr(self, "random_state", None)
        if seed is None:
            return 1  # as the command
        if isinstance(seed, np.random.RandomState):
            return int(seed.randint(1 << 31))
        if not isinstance(seed, numbers.Integral) or seed < 0:
            raise ValueError(f"random_state is {seed!r}; it may be a whole number of 0 or more, a RandomState or None")
        return int(seed)

    def _workers(self):
        jobs = getattr(self, "n_jobs", None)
        return 0 if jobs is None or jobs < 0 else int(jobs)

    def _factors(self, columns):
        """The factors of columns in the penalty that are not 1, by their numbers."""
        factors = getattr(self, "penalty_factors", None)
        if factors is None:
            return {}
        factors = np.asarray(factors, dtype=np.float64)
        if factors.shape != (columns,):
            raise ValueError(f"penalty_factors has the shape {factors.shape}; want one factor for each of {columns} features")
        if not (np.isfinite(factors).all() and (factors >= 0).all()):
            raise ValueError("penalty_factors has numbers that are not finite or below 0")
        return {str(j + 1): float(c) for j, c in enumerate(factors) if c != 1}

    def _bounds(self, columns):
        """The bounds of weights, by the numbers of their columns; None for no bound."""
        given, positive = getattr(self, "bounds", None), getattr(self, "positive", False)
        if given is None and not positive:
            return {}
        lower, upper = (-np.inf, np.inf) if given is None else given
        ends = []
        for name, end in (("lower", lower), ("upper", upper)):
            end = np.asarray(end, dtype=np.float64)
            if end.shape not in ((), (columns,)):
                raise ValueError(f"the {name} bounds have the shape {end.shape}; want one number, or one for each of {columns} features")
            ends.append(np.broadcast_to(end, (columns,)))
        lower, upper = ends
        if positive:
            lower = np.maximum(lower, 0)  # NaN stays
        if not (lower <= upper).all() or (lower == np.inf).any() or (upper == -np.inf).any():
            raise ValueError("bounds has lower bounds that are not numbers, or above the upper ones")
        texts = [[None if np.isinf(v) else float(v) for v in pair] for pair in zip(lower, upper)]
        if texts and all(pair == texts[0] for pair in texts):
            return {"*": texts[0]} if texts[0] != [None, None] else {}
        return {str(j + 1): pair for j, pair in enumerate(texts) if pair != [None, None]}

    def _train(self, X, y, options, sample_weight=None, offset=None, initial=None):
        if factors := self._factors(X.shape[1]):
            options = dict(options, penalty_factors=factors)
        if bounds := self._bounds(X.shape[1]):
            options = dict(options, bounds=bounds)
        settings = dict(self._settings(), **options.get("settings", {}))
        options = dict(options, settings=settings, trace=True)
        if self.tol:
            options["tolerance"] = self.tol
        show, report = _Show() if self.verbose else None, None
        try:
            model, report, _ = _library.train(X, y, options, weights=self._weights(sample_weight, X), offsets=offset, initial=initial, progress=show)
        except ValueError:
            if _plain(X):
                check_array(X, **_ROWS)  # which says it in the words of scikit-learn
            raise
        except KeyboardInterrupt as interrupted:
            report = getattr(interrupted, "report", None)
            if report is not None:
                self._keep(interrupted.model, report)
            raise
        finally:
            if show:
                show.end(report)
        self._keep(model, report)
        if self.tol and report["status"] not in ("converged", "stationary point", "stopped early") and report["unsolved"] + (report["made"] == 1):
            if report["status"] == "no minimum":
                warnings.warn("no minimum: the loss falls forever along some weights, and nothing penalises them; add a penalty", NotConverged, stacklevel=3)
                return self
            warnings.warn(f"{report['status']} after {report['passes']:.4g} passes with a duality gap of {report['duality_gap']} and a gradient norm of "
                          f"{report['gradient_norm']}; tol is {self.tol}: raise max_iter or tol", NotConverged, stacklevel=3)
        return self

    def _tell(self, notes, category=DataWarning, stacklevel=3):
        """Keep notes in ``notes_``, and warn of new ones about what was lost or is ambiguous."""
        known = {(note["kind"], note.get("column")): note for note in getattr(self, "notes_", [])}
        for note in notes or []:
            key = note["kind"], note.get("column")
            note = dict(note, text=in_python(note["text"]))
            if key not in known and note["class"] != "information":
                warnings.warn(note["text"], category, stacklevel=stacklevel + 1)
            known[key] = note
        self.notes_ = list(known.values())

    def _keep(self, model, report):
        self.model_ = model
        self._tell(report.get("notes"), stacklevel=5)
        self.gap_ = report.get("duality_gap")
        self.status_ = report.get("status")
        self.weights_sha256_ = report.get("weights_sha256")
        self.trace_ = report.get("trace") or []
        self.report_ = {name: value for name, value in report.items() if name != "trace"}
        self.n_iter_ = max(1, int(report.get("iterations") or 0))


class Summary(dict):
    """Errors of weights, as `summary` of an estimator returns them; printed as a table."""

    def __str__(self):
        number = "{:.6g}".format
        statistic = "t" if self["dispersion_estimated"] else "z"
        rows = [("", "estimate", "std. error", statistic, "p", "from", "to")]
        for c in self["coefficients"]:
            if c.get("reference"):
                rows.append((c["name"], "0", "reference", "", "", "", ""))
            else:
                rows.append((c["name"], *(number(c[name]) if c[name] is not None else "-" for name in ("estimate", "std_error", "statistic", "p", "low", "high"))))
        widths = [max(len(row[k]) for row in rows) for k in range(7)]
        lines = ["  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]).rstrip() for row in rows]
        for name in ("rows", "covariance", "dispersion", "pearson", "deviance", "null_deviance", "log_likelihood", "aic", "bic"):
            value = self[name]
            if value is not None:
                lines.append(f"{name:{widths[0]}}  {value if isinstance(value, (str, int)) else number(value)}")
        return "\n".join(lines)


class _Show:
    """One line of progress on standard error."""

    def __call__(self, point):
        self._write(point.passes, point.seconds, point.objective, point.gap)
        return False

    @staticmethod
    def _write(*numbers):
        numbers = [float("nan") if v is None else v for v in numbers]
        sys.stderr.write("\r{:8.1f} passes  {:6.1f} s  objective {:.8g}  gap {:.2e}  ".format(*numbers))
        sys.stderr.flush()

    def end(self, report):
        if report is not None:
            self._write(*(report[name] for name in ("passes", "seconds", "objective", "duality_gap")))
        sys.stderr.write("\n")
