"""Trains scikit-learn's usual pipeline on a table, from file to model, and measures it.

usage: pipeline.py RECIPE TRAIN MODEL [TEST]

RECIPE is JSON: target, positive, categories, numbers, text, header, missing. With TEST it prints
one JSON object with log loss, AUC, AP and the number of features.
"""

import json
import pickle
import sys

import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler


def read(path, r):
    columns = r["categories"] + r["numbers"] + ([r["text"]] if r["text"] else []) + [r["target"]]
    kinds = {c: str for c in columns if c not in r["numbers"]}
    header = {"header": 0, "usecols": columns} if r["header"] else {"header": None, "names": columns[::-1]}
    table = pd.read_csv(path, dtype=kinds, keep_default_na=False, na_values={c: ["", "NA", "NaN", "null", "?"] for c in r["numbers"]},
                        sep="," if r["header"] else "\t", quoting=0 if r["header"] else 3, **header)
    return table[columns[:-1]], (table[r["target"]] == r["positive"]).astype(int)


def encoder(r, x):
    parts = []
    if r["categories"]:
        parts.append(("category", OneHotEncoder(handle_unknown="ignore"), r["categories"]))
    if r["numbers"]:
        # A missing number is the mean, with an indicator.
        missing = x[r["numbers"]].isna().any()
        steps = [StandardScaler()]
        if missing.any():
            from sklearn.impute import SimpleImputer
            steps.insert(0, SimpleImputer(add_indicator=False))
            parts.append(("missing", Indicator(), [c for c in r["numbers"] if missing[c]]))
        parts.append(("number", make_pipeline(*steps), r["numbers"]))
    if r["text"]:
        parts.append(("text", TfidfVectorizer(), r["text"]))
    return ColumnTransformer(parts)


class Indicator:
    """Marks the numbers that are missing."""

    def fit(self, x, y=None):
        return self

    def fit_transform(self, x, y=None):
        return self.transform(x)

    def transform(self, x):
        return x.isna().to_numpy(dtype=float)

    def get_params(self, deep=True):
        return {}


def main():
    with open(sys.argv[1]) as f:
        r = json.load(f)
    x, y = read(sys.argv[2], r)
    encode = encoder(r, x)
    features = encode.fit_transform(x)
    model = LogisticRegression(C=1, tol=r.get("tol", 1e-4), max_iter=10000, solver=r.get("solver", "lbfgs"))
    model.fit(features, y)
    with open(sys.argv[3], "wb") as f:
        pickle.dump((encode, model), f)
    if len(sys.argv) > 4:
        from sklearn.metrics import average_precision_score, log_loss, roc_auc_score
        x, y = read(sys.argv[4], r)
        p = model.predict_proba(encode.transform(x))[:, 1]
        json.dump({"log_loss": log_loss(y, p), "auc": roc_auc_score(y, p), "ap": average_precision_score(y, p),
                   "features": features.shape[1], "iterations": int(model.n_iter_[0])}, sys.stdout)


main()
