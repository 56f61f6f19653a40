"""Classifies generated messages: a pipeline, a search for C, and the certificate of the best model."""

import numpy as np
from lanes import LogisticRegression
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

rng = np.random.default_rng(0)
words = np.array([f"word{k}" for k in range(2000)])
meaning = rng.standard_normal(len(words))
drawn = rng.zipf(1.3, (3000, 20)) % len(words)
labels = (meaning[drawn].sum(axis=1) + rng.standard_normal(3000) > 0).astype(int)
texts = [" ".join(row) for row in words[drawn]]

search = GridSearchCV(make_pipeline(TfidfVectorizer(), LogisticRegression()), {"logisticregression__C": [0.1, 1, 10]}, cv=3)
search.fit(texts[:2000], labels[:2000])
best = search.best_estimator_[-1]
print(f"best C {best.C}, accuracy {search.score(texts[2000:], labels[2000:]):.3f}, gap {best.gap_:.1e}, {best.status_}")
