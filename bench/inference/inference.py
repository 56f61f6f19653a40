"""Errors of weights beside R's glm and sandwich, on data sets of R, of rows in memory and in a file (--memory): one
line for each with the largest relative difference. It ends with status 1 if one is above 1e-6.

Needs Rscript with MASS, sandwich and statmod (Debian: r-base-core r-cran-mass r-cran-sandwich r-cran-statmod).
"""

import csv
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

LANES = os.environ.get("LANES_COMMAND", "lanes")
SETS = {
    "mtcars": ["mpg", "squared"],
    "warpbreaks": ["breaks", "poisson"],
    "infert": ["case", "logistic"],
    "probit": ["case", "probit"],
    "cloglog": ["case", "cloglog"],
    "quine": ["Days", "poisson"],
    "insurance": ["Claims", "poisson", "--exposure", "Holders"],
    "gamma": ["mpg", "gamma"],
    "negative-binomial": ["Days", "negative-binomial:0.5"],
    "tweedie": ["Days", "tweedie:1.5"],
    "inverse-gaussian": ["mpg", "inverse-gaussian"],
}
PLACES = {"memory": [], "file": ["--memory", "20MB"]}
HOW = "fisher", "hc0", "hc1", "hc2", "hc3", "cluster"
MOST = 1e-6


def trained(folder, name, how, where):
    target, loss, *more = SETS[name]
    line = [LANES, "train", folder / f"{name}.csv", "--target", target, "--loss", loss, "--lambda", "0", "--inference", "--covariance", how, "--json", "--quiet",
            "--group" if how == "cluster" else "--ignore", "group", *more, *where]
    run = subprocess.run(line, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(map(str, line))}: {run.stderr}")
    return json.loads(run.stdout)["inference"]


def named(name):
    """R's name of a coefficient."""
    return "(Intercept)" if name == "(intercept)" else name.replace("=", "", 1)


def difference(got, want):
    return abs(got - want) / max(abs(want), 1e-300)


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    subprocess.run(["Rscript", pathlib.Path(__file__).with_name("reference.R"), folder], check=True)
    reference = list(csv.reader((folder / "reference.csv").open()))[1:]
    worst = 0.0
    print(f"{'data set':20}{'covariance':12}{'rows':10}{'weights':>8}{'largest relative difference':>30}")
    for name, how, (place, where) in itertools.product(SETS, HOW, PLACES.items()):
        table = trained(folder, name, how, where)
        ours = {named(c["name"]): c for c in table["coefficients"] if not c.get("reference")}
        found = []
        for of, kind, coefficient, value in reference:
            value = float(value)
            if of != name or kind not in (how, *(("estimate", "p", "fit") if how == "fisher" else ())):
                continue
            if kind == "fit":
                found.append(difference(table[coefficient], value))
            else:
                found.append(difference(ours[coefficient][{"estimate": "estimate", "p": "p"}.get(kind, "std_error")], value))
        assert len(found) >= len(ours), (name, how, found)
        worst = max(worst, *found)
        print(f"{name:20}{how:12}{place:10}{len(ours):8}{max(found):30.1e}")
print(f"largest: {worst:.1e}; wanted: at most {MOST:.0e}")
sys.exit(worst > MOST)
