"""Tests of training on tables: files and frames give the bits of the command."""

import json
import os
import pathlib
import pickle
import subprocess
import tempfile
import unittest
import warnings

import lanes
import numpy as np
import parquet
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score

try:
    import pandas as pd
except ImportError:
    pd = None
COMMAND = os.environ.get("LANES_COMMAND") or str(pathlib.Path(__file__).parents[2] / "bin" / "lanes")


def frame(n=400, seed=0):
    rng = np.random.default_rng(seed)
    job = rng.choice(["cook", "smith", "clerk"], n)
    age = rng.integers(18, 80, n).astype(float)
    age[rng.random(n) < 0.1] = np.nan
    text = [" ".join(rng.choice(["red", "green", "blue", "some very long word", "yellow"], 6)) for _ in range(n)]
    day = pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 20000, n), unit="h")
    z = (job == "cook") * 2.0 + np.nan_to_num(age) / 20 - 2 + rng.standard_normal(n)
    return pd.DataFrame({"age": age, "job": job, "note": text, "when": day, "wage": (100 * z).round(2), "pays": np.where(z > 0.5, "yes", "no")})


@unittest.skipIf(pd is None, "no pandas (Debian: python3-pandas)")
class TestTables(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.frame = frame()
        self.path = os.path.join(self.folder.name, "table.csv")
        self.frame.to_csv(self.path, index=False)

    def command(self, *arguments):
        if not os.path.exists(COMMAND):
            self.skipTest(f"no {COMMAND}: make build")
        return subprocess.run([COMMAND, *arguments], check=True, capture_output=True, text=True).stdout

    def test_hash(self):
        """The SHA-256 is the command's, from a file, a frame, and labels beside a frame."""
        X, y = self.frame.drop(columns="pays"), self.frame["pays"]
        for C in (1, 0.1):
            want = json.loads(self.command("train", self.path, "--target", "pays", "--C", str(C), "--json"))["weights_sha256"]
            for model in (lanes.TableClassifier(C=C).fit(self.path, "pays"), lanes.TableClassifier(C=C).fit(self.frame, "pays"),
                          lanes.TableClassifier(C=C).fit(X, y), lanes.TableClassifier(C=C).fit(X, np.asarray(y))):
                self.assertEqual(model.weights_sha256_, want)
                self.assertEqual(model.classes_.tolist(), ["no", "yes"])
        flags = ["--bins", "4", "--category", "wage", "--ignore", "note,when", "--hash", "6", "--cross", "age*job"]
        want = json.loads(self.command("train", self.path, "--target", "pays", "--json", *flags))["weights_sha256"]
        model = lanes.TableClassifier(kinds={"wage": "category", "note": "ignore", "when": "ignore"}, encoding={"bins": 4, "hash": 6, "cross": [["age", "job"]]})
        self.assertEqual(model.fit(self.frame, "pays").weights_sha256_, want)
        flags = ["--category", "wage", "--cross", "wage*job", "--cross", "when.weekday*job"]
        want = json.loads(self.command("train", self.path, "--target", "pays", "--json", *flags))["weights_sha256"]
        for X in (self.path, self.frame):
            model = lanes.TableClassifier(kinds={"wage": "category"}, encoding={"cross": [["wage", "job"], ["when.weekday", "job"]]}).fit(X, "pays")
            self.assertEqual(model.weights_sha256_, want)
            self.assertTrue(any(name.startswith("wage=") and "*job=" in name for name in model.get_feature_names_out()))
        want = json.loads(self.command("train", self.path, "--target", "wage", "--loss", "squared", "--json"))["weights_sha256"]
        self.assertEqual(lanes.TableRegressor().fit(self.frame, "wage").weights_sha256_, want)

    def test_chosen_bins(self):
        """Folds choose the bins and the pieces that the command's choose."""
        flags = ["--bins", "auto", "--spline", "wage=auto"]
        want = json.loads(self.command("train", self.path, "--target", "pays", "--json", *flags))["weights_sha256"]
        encoding = {"bins": "auto", "spline": ["wage=auto"]}
        for X in (self.path, self.frame):
            self.assertEqual(lanes.TableClassifier(encoding=encoding).fit(X, "pays").weights_sha256_, want)
        want = json.loads(self.command("train", self.path, "--target", "wage", "--loss", "squared", "--bins", "auto", "--json"))["weights_sha256"]
        model = lanes.TableRegressor(encoding={"bins": "auto"}).fit(self.frame, "wage")
        self.assertEqual(model.weights_sha256_, want)
        self.assertIn("by folds", " ".join(c.get("why", "") for c in model.recipe_["columns"]))
        for bins in ("many", -1, 2.5):
            with self.assertRaisesRegex(ValueError, 'give a number of bins, or "auto"'):
                lanes.TableClassifier(encoding={"bins": bins}).fit(self.frame, "pays")

    def test_predictions(self):
        model = lanes.TableClassifier().fit(self.frame, "pays")
        scores = model.decision_function(self.frame)
        np.testing.assert_array_equal(scores, model.decision_function(self.path))
        np.testing.assert_array_equal(scores[7:8], model.decision_function(self.frame.drop(columns="pays").iloc[7:8]))
        np.testing.assert_array_equal(scores, pickle.loads(pickle.dumps(model)).decision_function(self.frame))
        np.testing.assert_allclose(model.predict_proba(self.frame)[:, 1], 1 / (1 + np.exp(-scores)))
        self.assertEqual(set(model.predict(self.frame)), {"no", "yes"})
        self.assertGreater(model.score(self.frame, self.frame["pays"]), 0.8)
        saved = os.path.join(self.folder.name, "table.model")
        model.model_.write(saved)
        printed = self.command("predict", saved, self.path, "--labels").split()
        self.assertEqual(printed, model.predict(self.path).tolist())
        with self.assertRaisesRegex(ValueError, "age"):
            model.predict(self.frame.drop(columns="age"))

    def test_recipe(self):
        model = lanes.TableClassifier().fit(self.frame, "pays")
        kinds = {c["name"]: c["kind"] for c in model.recipe_["columns"]}
        self.assertEqual(kinds, {"age": "number", "job": "category", "note": "text", "when": "time", "wage": "number", "pays": "target"})
        names = model.get_feature_names_out()
        self.assertEqual(len(names), model.coef_.shape[1])
        for name in ("age", "age=", "job=cook", "note~red", "wage"):
            self.assertIn(name, names)
        plain = json.loads(json.dumps(model.recipe_))
        for c in plain["columns"]:
            c.pop("learned", None)
        again = lanes.TableClassifier(recipe=plain).fit(self.frame, "pays")
        self.assertEqual(again.weights_sha256_, model.weights_sha256_)
        codes = self.frame.assign(job=self.frame["job"].map({"cook": 1, "smith": 2, "clerk": 3}).astype("category"))
        self.assertIn("job=2", lanes.TableClassifier().fit(codes, "pays").get_feature_names_out())

    def test_transform(self):
        """Rows are what the model scores, and are encoded as the recipe says."""
        X, y = self.frame.drop(columns="pays"), self.frame["pays"]
        model = lanes.TableClassifier(kinds={"note": "ignore", "when": "ignore"}).fit(X, y)
        rows, names = model.transform(X), model.get_feature_names_out().tolist()
        self.assertEqual((rows.format, rows.shape), ("csr", (len(X), len(names))))
        np.testing.assert_allclose(rows @ model.coef_[0] + model.intercept_[0], model.decision_function(X), rtol=1e-12)
        wage = X["wage"]
        np.testing.assert_allclose(rows[:, names.index("wage")].toarray()[:, 0], (wage - wage.mean()) / wage.std(ddof=0), atol=1e-9)
        for job in ("cook", "smith", "clerk"):
            np.testing.assert_array_equal(rows[:, names.index(f"job={job}")].toarray()[:, 0], X["job"] == job)
        np.testing.assert_array_equal(rows[:, names.index("age=")].toarray()[:, 0], X["age"].isna())
        np.testing.assert_array_equal(model.transform(self.path).toarray(), rows.toarray())
        np.testing.assert_array_equal(clone(model).fit_transform(X, y).toarray(), rows.toarray())
        self.assertEqual(model.feature_names_in_.tolist(), X.columns.tolist())

    def test_class_weight(self):
        """Weights of classes give the model of LogisticRegression on the encoded rows."""
        fields = self.frame.assign(w=np.random.default_rng(4).integers(1, 5, len(self.frame)), code=self.frame["pays"].map({"no": 3, "yes": 8}))
        kinds = {name: "ignore" for name in ("note", "when", "wage")}
        own = np.random.default_rng(1).uniform(0.1, 3, len(fields))
        for target, weight in [("pays", "balanced"), ("pays", {"no": 1, "yes": 5}), ("code", {3: 4, 8: 0.5}), ("job", "balanced"), ("job", {"cook": 9, "smith": 2})]:
            X, y = fields.drop(columns=["w", *{"pays", "code", target}]), fields[target]
            for weights in (None, own):
                model = lanes.TableClassifier(C=0.3, class_weight=weight, kinds=kinds, tol=1e-12).fit(X, y, weights)
                plain = lanes.LogisticRegression(C=0.3, class_weight=weight, tol=1e-12).fit(model.transform(X), y, weights)
                np.testing.assert_allclose(model.coef_, plain.coef_, atol=1e-6, err_msg=f"{target} {weight}")
                np.testing.assert_allclose(model.intercept_, plain.intercept_, atol=1e-6)
                self.assertEqual(model.classes_.tolist(), plain.classes_.tolist())
        path = os.path.join(self.folder.name, "weighted.csv")
        fields.drop(columns="code").to_csv(path, index=False)
        model = lanes.TableClassifier(class_weight={"no": 1, "yes": 5}, kinds=kinds, encoding={"weight": "w"}, tol=1e-12).fit(path, "pays")
        plain = lanes.LogisticRegression(class_weight={"no": 1, "yes": 5}, tol=1e-12).fit(model.transform(path), fields["pays"], fields["w"])
        np.testing.assert_allclose(model.coef_, plain.coef_, atol=1e-6)
        X, y, weight = fields.drop(columns=["w", "pays", "code"]), fields["pays"], {"no": 1, "yes": 5}
        calibrated = lanes.TableClassifier(C=0.3, class_weight=weight, calibrate="sigmoid", kinds=kinds, tol=1e-12).fit(X, y)
        plain = lanes.LogisticRegression(C=0.3, class_weight=weight, calibrate="sigmoid", tol=1e-12).fit(calibrated.transform(X), y)
        np.testing.assert_allclose(calibrated.predict_proba(X), plain.predict_proba(calibrated.transform(X)), atol=1e-6)
        with self.assertRaisesRegex(ValueError, "column of weights"):
            model.fit(path, "pays", own)
        with self.assertRaisesRegex(ValueError, "class"):
            lanes.TableClassifier(class_weight={"maybe": 1}).fit(self.frame, "pays")

    def test_regression_weights(self):
        """Weights give the model of ElasticNet on the encoded rows."""
        X, y = self.frame.drop(columns=["wage", "note", "when"]), self.frame["wage"] / 100
        w = np.random.default_rng(1).uniform(0, 3, len(y))
        model = lanes.TableRegressor("elasticnet", C=0.01, l1_ratio=0.4, tol=1e-11).fit(X, y, w)
        plain = lanes.ElasticNet(1 / (0.01 * w.sum()), l1_ratio=0.4, tol=1e-11).fit(model.transform(X), y, w)
        np.testing.assert_allclose(model.coef_[0], plain.coef_, atol=1e-6)
        np.testing.assert_allclose(model.intercept_[0], plain.intercept_, atol=1e-6)
        for weights, text in ((-w, "Negative"), (w[:-1], "shape"), (np.where(w > 1, np.nan, w), "NaN")):
            with self.assertRaisesRegex(ValueError, text):
                model.fit(X, y, weights)

    def test_leaks(self):
        with self.assertWarnsRegex(lanes.TableWarning, r"column wage: it tells the target by itself.* kinds=\{'wage': 'ignore'\}"):
            model = lanes.TableClassifier().fit(self.frame, "pays")
        self.assertEqual([leak["column"] for leak in model.leaks_], ["wage"])
        self.assertGreater(model.leaks_[0]["auc"], 0.999)
        with warnings.catch_warnings():
            warnings.simplefilter("error", lanes.TableWarning)
            model.set_params(kinds={"wage": "ignore"}).fit(self.frame, "pays")
            self.assertEqual(model.leaks_, [])
            model.predict(self.frame)

    def test_unseen(self):
        """Predictions warn of unseen values; the counts are the command's."""
        model = lanes.TableClassifier(kinds={"wage": "ignore"}).fit(self.frame, "pays")
        new = self.frame.head(50).copy()
        new.loc[:6, "job"], new.loc[3:4, "age"], new.loc[10:12, "job"] = "pilot", np.nan, None
        for call in (model.predict, model.predict_proba, model.decision_function, model.transform):
            with self.assertWarnsRegex(lanes.TableWarning, "column job: 7 values were not seen"):
                call(new)
        counts = model.describe(new)
        self.assertEqual(counts, {"rows": 50, "missing": {"age": int(new["age"].isna().sum()), "job": 3}, "unseen": {"job": 7}})
        saved, path = (os.path.join(self.folder.name, name) for name in ("m", "new.csv"))
        model.model_.write(saved)
        new.to_csv(path, index=False)
        theirs = json.loads(self.command("predict", saved, path, "--json", "--out", os.path.join(self.folder.name, "out.csv")))
        self.assertEqual({name: theirs[name] for name in ("missing", "unseen")}, {name: counts[name] for name in ("missing", "unseen")})
        self.assertEqual(model.describe(path), counts)

    def test_parquet(self):
        """Parquet gives the model of the same cells as CSV, and its predictions."""
        cells = self.frame[["wage", "job", "pays"]]
        file, text = (os.path.join(self.folder.name, name) for name in ("table.parquet", "cells.csv"))
        parquet.write(file, cells)
        cells.to_csv(text, index=False)
        model, plain = (lanes.TableClassifier().fit(path, "pays") for path in (file, text))
        self.assertEqual(model.weights_sha256_, plain.weights_sha256_)
        self.assertEqual(model.weights_sha256_, json.loads(self.command("train", file, "--target", "pays", "--json"))["weights_sha256"])
        np.testing.assert_array_equal(model.decision_function(file), plain.decision_function(cells))
        self.assertEqual(lanes.TableRegressor().fit(file, "wage").weights_sha256_, lanes.TableRegressor().fit(cells, "wage").weights_sha256_)
        with open(file, "r+b") as cut:
            cut.truncate(os.path.getsize(file) - 20)
        with self.assertRaisesRegex((ValueError, OSError), "table.parquet"):
            model.predict(file)

    def test_labels(self):
        X = self.frame.drop(columns="pays")
        for y in (self.frame["pays"] == "yes", (self.frame["pays"] == "yes").astype(int), self.frame["job"], np.where(self.frame["pays"] == "yes", 10, 9).astype(str)):
            model = lanes.TableClassifier(kinds={"note": "ignore"}).fit(X.drop(columns="job"), y)
            y = np.asarray(y)
            self.assertEqual(sorted(model.classes_.tolist()), np.unique(y).tolist())
            self.assertEqual(list(model.predict(X.head(1))), list(model.classes_[[int(model.decision_function(X.head(1)).ravel()[0] > 0)]] if len(model.classes_) == 2 else model.predict(X.head(1))))
            self.assertEqual(model.predict(X).dtype.kind, np.array(y.tolist()).dtype.kind)
            self.assertGreater(model.score(X, y), max(np.mean(y == c) for c in np.unique(y)))

    def test_same_labels(self):
        """Labels that a table cannot tell apart are refused, and codes stay apart."""
        X, three = self.frame[["age", "job"]], np.arange(len(self.frame)) % 3
        with self.assertRaisesRegex(ValueError, "the same in a table"):
            lanes.TableClassifier().fit(X, np.array(["1", "1.0", "2"], object)[three])
        for labels in (np.array(["1", "01", "2"], object), np.array([2**53, 2**53 + 1, 0])):
            self.assertEqual(sorted(lanes.TableClassifier().fit(X, labels[three]).classes_.tolist()), sorted(labels.tolist()))
        with self.assertRaisesRegex(ValueError, "continuous"):
            lanes.TableClassifier().fit(X, (three + 0.1).astype(np.float32))
        model = lanes.TableClassifier().fit(X, pd.Series(three, dtype="Int64"))
        self.assertEqual(model.classes_.tolist(), [0, 1, 2])

    def test_names(self):
        """Columns may have names of any type that differ as texts."""
        X, y = self.frame[["age", "job"]], self.frame["pays"]
        want = lanes.TableClassifier().fit(X, y).coef_
        numbered = X.set_axis([0, 1], axis=1)
        for table, target in [(numbered, y.rename(0)), (self.frame[["age", "job", "pays"]].set_axis(range(3), axis=1), 2),
                              (X.set_axis(pd.MultiIndex.from_tuples([("a", 0), ("b", 1)]), axis=1), y)]:
            model = lanes.TableClassifier().fit(table, target)
            np.testing.assert_array_equal(model.coef_, want)
            self.assertEqual(len(model.feature_names_in_), 2)
        kinds = lanes.TableClassifier(kinds={1: "ignore"}).fit(numbered.astype({1: "category"}), y).recipe_["columns"]
        self.assertEqual([column["kind"] for column in kinds], ["number", "ignore", "target"])
        for twice in (X.set_axis(["a", "a"], axis=1), X.set_axis([1, "1"], axis=1)):
            with self.assertRaisesRegex(ValueError, "several columns of the table have the name"):
                lanes.TableClassifier().fit(twice, y)
        with self.assertRaisesRegex(ValueError, "several columns of the table have the name"):
            lanes.TableClassifier().fit(X, y).predict(X[["age", "age", "job"]])

        taken = X.set_axis(["target", "the target"], axis=1)
        self.assertEqual(lanes.TableClassifier().fit(taken, y.rename("target")).recipe_["columns"][2]["name"], "the the target")

    def test_arguments_stay(self):
        encoding = {"number": ["wage"]}
        lanes.TableClassifier(encoding=encoding, kinds={"age": "number"}).fit(self.frame, "pays")
        self.assertEqual(encoding, {"number": ["wage"]})

    def test_failed_fit(self):
        """A model never meets the encoder of a fit that failed."""
        model = lanes.TableClassifier().fit(self.frame, "pays")
        with self.assertRaisesRegex(ValueError, "class_weight"):
            model.set_params(class_weight={"maybe": 1}).fit(self.frame.assign(age=100 * self.frame["age"]), "pays")
        with self.assertRaises(NotFittedError):
            model.predict(self.frame)

    def test_infinity(self):
        X = self.frame[["age", "job"]].assign(age=self.frame["age"].replace(self.frame["age"][0], -np.inf))
        with self.assertWarnsRegex(lanes.TableWarning, r'column age: \d+ of \d+ cells are infinite'):
            model = lanes.TableClassifier().fit(X, self.frame["pays"])
        same = lanes.TableClassifier().fit(X.replace(-np.inf, np.nan), self.frame["pays"])
        np.testing.assert_array_equal(model.coef_, same.coef_)
        with self.assertRaisesRegex(OSError, '"age": the weight "-?inf"'):
            lanes.TableClassifier(encoding={"weight": "age"}).fit(X.fillna(1), self.frame["pays"])
        self.assertIn("age=-inf", lanes.TableClassifier(kinds={"age": "category"}).fit(X, self.frame["pays"]).get_feature_names_out())

    def test_weights_and_choice(self):
        X, y = self.frame.drop(columns="pays"), self.frame["pays"]
        twice = lanes.TableClassifier(tol=1e-10, encoding={"scale": "none"}, kinds={"note": "ignore", "when": "ignore"})
        weights = np.where(np.arange(len(y)) < 100, 2.0, 1.0)
        a = clone(twice).set_params(C=2.0).fit(X, y, sample_weight=weights)
        more = pd.concat([self.frame, self.frame.iloc[:100]])
        b = clone(twice).set_params(C=2.0).fit(more, "pays")
        np.testing.assert_allclose(a.coef_[0, :1], b.coef_[0, :1], rtol=1e-3)
        before = self.frame.copy()
        model = lanes.TableClassifier(cv=3, scoring="auc", kinds={"note": "ignore"}).fit(self.frame, "pays")
        clone(model).set_params(cv=None).fit(self.frame, y.rename("color"))
        pd.testing.assert_frame_equal(self.frame, before)
        self.assertEqual(model.report_["folds"]["metric"], "auc")
        self.assertGreater(model.C_, 0)
        self.assertGreater(cross_val_score(lanes.TableClassifier(), X, y, cv=3).mean(), 0.75)
        self.assertGreater(GridSearchCV(lanes.TableClassifier(), {"C": [0.1, 1]}, cv=2).fit(X, y).best_score_, 0.75)

    def test_errors(self):
        for arguments, error, text in [((self.path, "color"), ValueError, "color"), (("/nowhere.csv", "pays"), OSError, "nowhere"), ((self.frame, "color"), ValueError, "color"),
                                       (([[1]], "x"), TypeError, "DataFrame"), ((self.frame["age"], self.frame["pays"]), TypeError, "Series"), ((self.frame, 7), ValueError, "y is 7"),
                                       ((self.frame, None), ValueError, "target"),
                                       ((self.frame, "wage"), ValueError, "continuous"), ((self.frame.head(1), "pays"), ValueError, "1 sample")]:
            with self.assertRaisesRegex(error, text):
                lanes.TableClassifier().fit(*arguments)
        with self.assertRaisesRegex(ValueError, "kinds"):
            lanes.TableClassifier(kinds={"age": "color"}).fit(self.frame, "pays")
        with self.assertRaisesRegex(ValueError, "cv is 0"):
            lanes.TableClassifier(cv=0).fit(self.frame, "pays")
        with self.assertRaisesRegex(ValueError, "unknown field"):
            lanes.TableClassifier(encoding={"bin": 3}).fit(self.frame, "pays")


if __name__ == "__main__":
    unittest.main()
