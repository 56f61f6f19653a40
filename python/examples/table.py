"""Trains on a generated table: what became of its columns, and the largest weights by their names."""

import numpy as np
import pandas as pd
from lanes import TableClassifier

rng = np.random.default_rng(0)
n = 2000
frame = pd.DataFrame({"age": rng.integers(18, 80, n), "job": rng.choice(["cook", "smith", "clerk"], n), "since": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 1500, n), unit="D")})
frame["pays"] = np.where(frame["age"] / 20 + 2 * (frame["job"] == "cook") + rng.standard_normal(n) > 3.5, "yes", "no")

model = TableClassifier(cv=5).fit(frame.head(1500), "pays")
print(f"C {model.C_:.3g}, accuracy {model.score(frame.tail(500), frame['pays'].tail(500)):.3f}, {model.status_}")
for column in model.recipe_["columns"]:
    print(f"{column['name']:8} {column['kind']:10} {column.get('why', '')}")
names, weights = model.get_feature_names_out(), model.coef_[0]
for k in np.argsort(-abs(weights))[:5]:
    print(f"{weights[k]:8.3f} {names[k]}")
