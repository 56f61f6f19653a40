"""Variants of frames: each is read as its clean rendering, or a TableWarning names the column."""

import unittest
import warnings

import lanes
import numpy as np

try:
    import pandas as pd
except ImportError:
    pd = None


def clean(seed, n=200):
    """A frame of numbers x and z, words c, whole numbers k and the target y."""
    rng = np.random.default_rng(seed)
    x, z = np.round(rng.normal(0, 50, n), 2), np.round(rng.uniform(-9, 9, n), 1)
    c, k = rng.choice(["Oslo", "Rome", "Lima"], n), rng.integers(1, 5, n)
    score = x / 50 + z / 9 + (c == "Rome") + k / 4 - 1 + rng.normal(0, 1, n)
    return pd.DataFrame({"x": x, "z": z, "c": c, "k": k, "y": np.where(score > 0.5, "yes", "no")})


def some(seed, n=200, k=7):
    return np.sort(np.random.default_rng(seed + 1000).choice(n, k, replace=False))


def with_cells(frame, column, rows, value, dtype=object):
    """The frame with a value in some rows of one column."""
    frame = frame.copy()
    cells = frame[column].astype(dtype)
    cells.iloc[rows] = value
    frame[column] = cells
    return frame


@unittest.skipIf(pd is None, "no pandas (Debian: python3-pandas)")
class TestFrames(unittest.TestCase):
    def fitted(self, frame, scored=None, kinds=None):
        """Scores of a fit on a frame, and the texts of all warnings."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            model = lanes.TableClassifier(C=1, kinds=kinds).fit(frame, "y")
            scores = model.decision_function(frame if scored is None else scored)
        return scores, [str(w.message) for w in caught if issubclass(w.category, lanes.TableWarning)]

    def check(self, truth, frame, column, *, said, scored=None, kinds=None):
        """The frame is read as truth, with a warning that names the column only if something is said."""
        want, noise = self.fitted(truth, kinds=kinds)
        self.assertEqual(noise, [])
        got, texts = self.fitted(frame, scored, kinds)
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9)
        named = [text for text in texts if column in text]
        self.assertEqual(len(named) > 0, said, texts)
        self.assertEqual(named, texts)

    def test_missing(self):
        """None, NaN, NaT and pandas.NA are missing; the text NA of words is a word, of numbers missing."""
        truth, rows = clean(1), some(1)
        for value in (None, np.nan, pd.NA):
            self.check(with_cells(truth, "c", rows, np.nan), with_cells(truth, "c", rows, value), "c", said=False)
        self.check(with_cells(truth, "x", rows, np.nan, float), with_cells(truth, "x", rows, pd.NA, "Float64"), "x", said=False)
        self.check(with_cells(truth, "x", rows, np.nan, float), with_cells(truth, "x", rows, "NA"), "x", said=False)
        self.check(with_cells(truth, "c", rows, "NB"), with_cells(truth, "c", rows, "NA"), "c", said=False)

    def test_infinities(self):
        """Infinite numbers are missing, and a warning says so."""
        truth, rows = clean(2), some(2)
        for value in (np.inf, -np.inf):
            self.check(with_cells(truth, "x", rows, np.nan, float), with_cells(truth, "x", rows, value, float), "x", said=True)

    def test_types(self):
        """Types of columns do not change what they hold."""
        truth = clean(3)
        for name, frame in {
            "category": truth.assign(c=truth["c"].astype("category")),
            "string": truth.assign(c=truth["c"].astype("string")),
            "categories that no row has": truth.assign(c=pd.Categorical(truth["c"], ["Bern", "Lima", "Oslo", "Rome"])),
            "Int64": truth.assign(k=truth["k"].astype("Int64")),
            "float32 of whole numbers": truth.assign(k=truth["k"].astype("float32")),
            "int8": truth.assign(k=truth["k"].astype("int8")),
            "objects of numbers": truth.assign(x=truth["x"].astype(object)),
            "texts of numbers": truth.assign(x=truth["x"].astype(str)),
        }.items():
            with self.subTest(name):
                self.check(truth, frame, "c", said=False)
        rows = some(3)
        with self.subTest("Int64 with missing values"):
            self.check(with_cells(truth, "k", rows, np.nan, float), with_cells(truth, "k", rows, pd.NA, "Int64"), "k", said=False)

    def test_booleans(self):
        """Booleans are categories, with and without missing values."""
        truth, rows = clean(4), some(4)
        flag = truth["z"] > 0
        words = truth.assign(z=np.where(flag, "True", "False"))
        self.check(words, truth.assign(z=flag), "z", said=False)
        self.check(with_cells(words, "z", rows, None), with_cells(truth.assign(z=flag), "z", rows, None), "z", said=False)
        self.check(with_cells(words, "z", rows, None), with_cells(truth.assign(z=flag), "z", rows, pd.NA, "boolean"), "z", said=False)

    def test_times(self):
        """Datetimes are times, as their ISO texts are; NaT is missing."""
        truth, rows = clean(5), some(5)
        day = pd.Timestamp("2020-02-03 04:05") + pd.to_timedelta(np.arange(200) * 17, unit="h")
        iso = truth.assign(d=day.strftime("%Y-%m-%dT%H:%M:%S"))
        self.check(iso, truth.assign(d=day), "d", said=False)
        self.check(with_cells(iso, "d", rows, None), with_cells(truth.assign(d=day), "d", rows, pd.NaT, "datetime64[ns]"), "d", said=False)
        self.check(iso, truth.assign(d=day.tz_localize("UTC")), "d", said=False)

    def test_mixed(self):
        """A word among numbers is missing, and a warning names the column."""
        truth, rows = clean(6), some(6)
        self.check(with_cells(truth, "x", rows, np.nan, float), with_cells(truth, "x", rows, "error"), "x", said=True)

    def test_codes(self):
        """A category of whole numbers is equal to it as floats, which a missing value makes of it."""
        truth, rows = clean(7), some(7)
        scored = with_cells(truth, "k", rows, np.nan, float)
        want, _ = self.fitted(truth, with_cells(truth.astype({"k": str}), "k", rows, None), {"k": "category"})
        got, _ = self.fitted(truth, scored, {"k": "category"})
        np.testing.assert_allclose(got, want, rtol=1e-9, atol=1e-9)
        apart = np.delete(np.arange(200), rows)
        plain, _ = self.fitted(truth, truth, {"k": "category"})
        np.testing.assert_allclose(got[apart], plain[apart], rtol=1e-9, atol=1e-9)

    def test_names_after_a_refit(self):
        """The names of a frame do not stay after a fit on an array."""
        frame = clean(9)
        numbers, target = frame[["x", "z"]], frame["y"] == "yes"
        model = lanes.LogisticRegression().fit(numbers, target)
        self.assertEqual(model.feature_names_in_.tolist(), ["x", "z"])
        model.fit(numbers.to_numpy(), target.to_numpy())
        self.assertFalse(hasattr(model, "feature_names_in_"))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model.predict(numbers.to_numpy())

    def test_index(self):
        """A frame's index is no column, and its saved index, Unnamed: 0, is left out with a warning."""
        truth = clean(8)
        self.check(truth, truth.set_index(np.arange(5, 205)), "Unnamed", said=False)
        self.check(truth, truth.reset_index().rename(columns={"index": "Unnamed: 0"}), "Unnamed: 0", said=True)
