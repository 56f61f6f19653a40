"""Errors of weights against statsmodels."""

import unittest

import numpy as np
import pandas as pd

import lanes

try:
    import statsmodels.api as sm
except ImportError:
    sm = None


class TestSummary(unittest.TestCase):
    def setUp(self):
        rng = np.random.default_rng(8)
        self.X = pd.DataFrame({"a": rng.normal(size=300), "b": rng.integers(0, 4, 300)})
        self.groups = rng.integers(0, 20, 300)
        self.buys = np.where(rng.uniform(size=300) < 1 / (1 + np.exp(-self.X.a)), "yes", "no")
        self.model = lanes.LogisticRegression(penalty=None).fit(self.X, self.buys)

    @unittest.skipIf(sm is None, "no statsmodels (Debian: python3-statsmodels)")
    def test_statsmodels(self):
        signs = (self.buys == "yes").astype(int)
        for how, ours in ({"cov_type": "nonrobust"}, {}), ({"cov_type": "HC0"}, {"covariance": "hc0"}), ({"cov_type": "cluster", "cov_kwds": {"groups": self.groups}}, {"groups": self.groups}):
            want = sm.Logit(signs, sm.add_constant(self.X)).fit(disp=0, tol=1e-14, **how)
            got = self.model.summary(self.X, self.buys, **ours)
            for name, values in ("estimate", want.params), ("std_error", want.bse), ("p", want.pvalues), ("low", want.conf_int()[0]), ("high", want.conf_int()[1]):
                np.testing.assert_allclose([c[name] for c in got["coefficients"]], values, rtol=1e-8, err_msg=f"{ours} {name}")
            np.testing.assert_allclose([got["log_likelihood"], got["aic"], got["bic"]], [want.llf, want.aic, want.bic], rtol=1e-10)
        self.assertEqual([c["name"] for c in got["coefficients"]], ["(intercept)", "a", "b"])

    def test_table(self):
        frame = self.X.assign(town=np.where(np.arange(300) % 3, "ayr", "bath"), y=2 * self.X.a - self.X.b + np.sin(np.arange(300)))
        model = lanes.TableRegressor(penalty=None).fit(frame, "y")
        by_name = model.summary(frame, "y", covariance="hc3")
        by_values = model.summary(frame.drop(columns="y"), frame.y, covariance="hc3")
        self.assertEqual(by_name, by_values)
        text = str(by_name)
        for part in ("(intercept)", "town=ayr", "reference", "std. error", "hc3"):
            self.assertIn(part, text)
        self.assertAlmostEqual(by_name["coefficients"][1]["estimate"], 2, delta=0.2)

    def test_refusals(self):
        with self.assertRaisesRegex(ValueError, "without a penalty"):
            lanes.LogisticRegression().fit(self.X, self.buys).summary(self.X, self.buys)
        with self.assertRaisesRegex(ValueError, "no minimum"):
            self.model.summary(self.X, self.buys[::-1])
        with self.assertRaisesRegex(ValueError, "does not know"):
            self.model.summary(self.X, np.where(self.X.a > 0, "yes", "perhaps"))
        with self.assertRaisesRegex(ValueError, "groups of 3 rows"):
            self.model.summary(self.X, self.buys, groups=[1, 2, 3])


if __name__ == "__main__":
    unittest.main()
