"""The examples of docstrings, of the README and of the folder examples run; docstrings say what numpydoc asks."""

import doctest
import inspect
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import lanes
from sklearn.base import BaseEstimator

PYTHON = pathlib.Path(__file__).parents[1]
ESTIMATORS = [c for c in vars(lanes).values() if inspect.isclass(c) and issubclass(c, BaseEstimator)]


class TestDocuments(unittest.TestCase):
    def test_docstrings(self):
        self.assertGreater(len(ESTIMATORS), 10)
        for c in ESTIMATORS:
            text = inspect.getdoc(c)
            with self.subTest(estimator=c.__name__):
                for section in ("Parameters", "Attributes", "References", "Examples"):
                    self.assertIn(f"\n{section}\n{'-' * len(section)}\n", text)
                for name in inspect.signature(c).parameters:
                    self.assertRegex(text, rf"(?m)^(\w+, )*{name}(, \w+)*( : .*)?$", name)
                for name in ("fit", "predict"):
                    self.assertTrue(inspect.getdoc(getattr(c, name)), name)

    def test_examples_of_docstrings(self):
        finder, runner = doctest.DocTestFinder(), doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        for c in ESTIMATORS:
            for example in finder.find(c, c.__name__, globs={}):
                runner.run(example)
        self.assertEqual(runner.summarize(verbose=False).failed, 0)
        self.assertGreaterEqual(runner.tries, 2 * len(ESTIMATORS))

    def test_readme(self):
        for code in re.findall(r"(?ms)^```python\n(.*?)^```", (PYTHON / "README.md").read_text()):
            self.run_python("-c", code)

    def test_examples(self):
        for path in sorted((PYTHON / "examples").glob("*.py")):
            self.run_python(str(path))

    def test_wheel(self):
        """The wheel installs in a fresh environment, and works there without Go and gcc."""
        wheels = sorted((PYTHON.parent / "bin").glob("lanes-*.whl"))
        if not wheels:
            self.skipTest("no wheel: make build-python")
        with tempfile.TemporaryDirectory() as folder:
            environment = {"PATH": f"{folder}/bin", "HOME": folder}
            try:
                subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", folder], check=True, capture_output=True)
            except subprocess.CalledProcessError as failed:
                self.skipTest(f"no venv (Debian: python3-venv): {failed.stdout!r}")
            python = f"{folder}/bin/python"
            subprocess.run([python, "-m", "pip", "install", "-q", "--no-index", "--no-deps", str(wheels[-1])], check=True, capture_output=True, env=environment)
            code = "import lanes; print(lanes.__file__, lanes.LogisticRegression().fit([[0.0], [1.0]], [0, 1]).status_)"
            out = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True, env=environment, cwd=folder).stdout
            self.assertTrue(out.startswith(folder), out)
            self.assertIn("converged", out)

    def run_python(self, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            run = subprocess.run([sys.executable, "-W", "ignore", *arguments], capture_output=True, text=True, cwd=folder, env=dict(os.environ))
            self.assertEqual(run.returncode, 0, run.stderr[-2000:])


if __name__ == "__main__":
    unittest.main()
