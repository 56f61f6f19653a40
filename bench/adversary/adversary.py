#!/usr/bin/env python3
"""Poses hostile random problems to the lanes command and checks what it claims.

    adversary.py LANES REFERENCE FIRST COUNT

LANES is the command, REFERENCE the program built from reference.cc, which knows the
objective and the least objective in 113-bit numbers. Each seed from FIRST on is one
problem: columns far from 0, duplicate columns and contradictory rows, denormal numbers,
targets of 1e15, class weights of 1e-6 to 1e6, one positive row, columns and rows of very
different scales; thirteen losses and softmax, with L1 and L2 penalties, groups of columns,
bounds of weights, intercepts, shards and several solvers.

A line is printed for each problem that goes wrong:
  FALSE    the weights are further from the least objective than the gap says
  OBJ      the objective stated is not the objective of the weights, beyond its stated error
  SHORT    the run ended above its tolerance
  SILENT   it did so with exit status 0
  REFUSED  the command wrote no model
The last line counts them. The exit status is 1 where a claim was FALSE or OBJ or SILENT.
"""

import json
import math
import os
import random
import subprocess
import sys
import tempfile
from decimal import Decimal

KINDS = {"logistic": 0, "squared": 1, "squared-hinge": 2, "huber": 3, "softmax": 4, "poisson": 5, "gamma": 6, "tweedie": 7, "negative-binomial": 8,
         "expectile": 9, "squared-epsilon-insensitive": 10, "hinge": 11, "epsilon-insensitive": 12, "quantile": 13}
KINKED = ("hinge", "epsilon-insensitive", "quantile")
STEEP = ("poisson", "gamma", "tweedie", "negative-binomial")  # of means exp(z)
SHAPES = ["offset", "dup", "neardup", "contra", "denorm", "scales", "bigtargets", "onepos",
          "cw", "rowscale", "const", "sparse", "sep", "zero", "stamps"]


def power(r, span):
    return 10 ** (span * (2 * r.random() - 1))


class Problem:
    def __init__(self, seed):
        r = self.random = random.Random(seed * 7919 + 13)
        self.loss = r.choice(["logistic", "logistic", "squared-hinge", "squared", "huber"])
        small = r.randint(4, 60)
        if self.loss == "squared" and random.Random(seed).random() < 0.5:
            self.loss = "poisson"  # counts
        other = random.Random(seed * 17 + 3)
        if self.loss == "poisson" and other.random() < 0.6:
            self.loss = other.choice(STEEP[1:])
        if self.loss == "huber" and other.random() < 0.6:
            self.loss = other.choice(["expectile", "squared-epsilon-insensitive"])
        elif self.loss == "huber" and other.random() < 0.7:
            self.loss = other.choice(KINKED[1:])
        elif self.loss == "squared-hinge" and other.random() < 0.5:
            self.loss = "hinge"
        self.n = n = r.choice([r.randint(3, 15), r.randint(10, 60), r.randint(600, 900)]) if r.random() < 0.3 else small
        self.d = d = r.randint(1, 8) if r.random() < 0.8 else r.randint(5, 14)
        self.shapes = set(r.sample(SHAPES, r.randint(0, 4)))
        self.x = [[r.gauss(0, 1) for _ in range(d)] for _ in range(n)]
        if "sparse" in self.shapes:
            share = r.choice([0.1, 0.3, 0.6])
            self.x = [[v if r.random() < share else 0.0 for v in row] for row in self.x]
        true = [r.gauss(0, 1) for _ in range(d)]
        noise = 0 if "sep" in self.shapes else r.choice([0.3, 1, 3])
        self.score = [sum(a * b for a, b in zip(row, true)) + noise * r.gauss(0, 1) for row in self.x]
        self.delta, self.positive, self.negative, self.classes = 1.0, 1.0, 1.0, 1
        self.name = self.loss
        if self.loss in ("tweedie", "negative-binomial", "expectile", "squared-epsilon-insensitive") + KINKED[1:]:
            self.delta = {"tweedie": 1 + other.choice([0.01, 0.2, 0.5, 0.9, 0.999]), "negative-binomial": power(other, other.choice([1, 5])),
                          "expectile": other.choice([0.001, 0.2, 0.5, 0.95]), "squared-epsilon-insensitive": power(other, 3), "epsilon-insensitive": power(other, 3),
                          "quantile": other.choice([0.5, 0.9, 0.05, 0.999])}[self.loss]
            self.name = "%s:%r" % (self.loss, self.delta)
        self.lam, self.l1, self.free, self.bias, self.groups, self.bounds = 1.0 / n, 0.0, False, False, [], []
        self.seed = seed
        self.columns()
        self.labels()
        self.flags = []
        self.pose()

    def columns(self):
        r, x, n, d = self.random, self.x, self.n, self.d
        every = range(d)
        if "scales" in self.shapes:
            span = r.choice([2, 5, 8, 12])
            scale = [power(r, span) for _ in every]
            for row in x:
                row[:] = [v * c for v, c in zip(row, scale)]
        if "offset" in self.shapes:
            for j in r.sample(every, r.randint(1, d)):
                offset = 10 ** r.uniform(1, 8)
                for row in x:
                    row[j] += offset
        if "stamps" in self.shapes:  # Unix times
            j = r.choice(every)
            for row in x:
                row[j] = 1.7e9 + 3e7 * r.random()
        if "const" in self.shapes:
            j, c = r.choice(every), power(r, 3)
            for row in x:
                row[j] = c
        if "dup" in self.shapes and d > 1:
            a, b = r.sample(every, 2)
            for row in x:
                row[b] = row[a]
        if "neardup" in self.shapes and d > 1:
            a, b = r.sample(every, 2)
            e = 10 ** r.uniform(-14, -3)
            for row in x:
                row[b] = row[a] * (1 + e * r.gauss(0, 1))
        if "denorm" in self.shapes:
            j, k = r.choice(every), 10 ** r.uniform(-310, -150)
            for row in x:
                row[j] *= k
        if "rowscale" in self.shapes:
            span = r.choice([1, 3, 6])
            for row in x:
                k = power(r, span)
                row[:] = [v * k for v in row]
        if "zero" in self.shapes:
            for i in r.sample(range(n), n // 4):
                x[i] = [0.0] * d

    def binary(self):
        return self.loss in ("logistic", "squared-hinge", "hinge")

    def labels(self):
        r, n = self.random, self.n
        if self.binary():
            middle = sorted(self.score)[n // 2]
            y = [1 if v > middle else -1 for v in self.score]
            if "onepos" in self.shapes:
                y = [-1] * n
                y[r.randrange(n)] = 1
            if len(set(y)) < 2:
                y[0] = -y[0]
        else:
            k = 10 ** r.uniform(3, 15) if "bigtargets" in self.shapes else 1
            y = [v * k for v in self.score]
            if self.loss in STEEP:
                y = [float(math.floor(min(abs(k), 1e6) * math.exp(min(max(v, -20), 9)) * 2 * r.random())) for v in self.score]
            if self.loss == "gamma":
                y = [v + 0.01 for v in y]
            if self.loss in ("gamma", "tweedie") and r.random() < 0.5:
                unit = power(r, 6)
                y = [v * unit for v in y]
            y[0] += 0.5
            while len(set(y)) < 3:
                y = [v + r.random() for v in y]
        if "contra" in self.shapes:
            for i in range(0, n - 1, 2):
                self.x[i + 1] = list(self.x[i])
                if self.binary():
                    y[i], y[i + 1] = 1, -1
        self.y = y

    def several(self):
        r, n = self.random, self.n
        classes = min(r.choice([3, 3, 4]), n)
        rank = sorted(range(n), key=lambda i: self.score[i])
        y = [0] * n
        for place, i in enumerate(rank):
            y[i] = place * classes // n
        if "onepos" in self.shapes:
            y = [0 if v == classes - 1 else v for v in y]
            y[r.randrange(n)] = classes - 1
        if "contra" in self.shapes:
            y = [r.randrange(classes) for _ in y]
        for k in range(classes):
            if k not in y:
                y[k] = k
        found = sorted(set(y))
        self.y, self.classes = [found.index(v) for v in y], len(found)

    def pose(self):
        r, flags = self.random, self.flags
        if self.loss == "logistic" and "cw" not in self.shapes and r.random() < 0.2:
            self.d = min(self.d, 5)
            self.x = [row[:self.d] for row in self.x]
            self.several()
            if self.classes > 2:
                self.loss = "softmax"
                self.lam = 10 ** r.uniform(-12, 2) if r.random() < 0.8 else 10 ** r.uniform(-25, 5)
                flags += ["--multiclass", "softmax", "--lambda", repr(self.lam)]
                u = r.random()
                self.bias, self.free = u < 0.4, u >= 0.6
                if self.bias or self.free:
                    flags += ["--bias" if self.bias else "--intercept"]
                return
            self.y, self.classes = [2 * v - 1 for v in self.y], 1
        flags += ["--loss", self.name]
        if self.loss == "huber" and r.random() < 0.5:
            self.delta = power(r, 3)
            flags += ["--huber", repr(self.delta)]
        if "cw" in self.shapes and self.binary():
            self.positive, self.negative = power(r, r.choice([1, 6])), power(r, r.choice([1, 6]))
            flags += ["--class-weight", "%r:%r" % (self.positive, self.negative)]
        if r.random() < 0.45 and self.loss not in KINKED:
            self.l1, self.lam = 10 ** r.uniform(-7, 0), 0.0
            flags += ["--l1", repr(self.l1)]
            if r.random() < 0.3:
                self.lam = 10 ** r.uniform(-12, 1)
                flags += ["--lambda", repr(self.lam)]
            self.free = r.random() < 0.6
            self.group()
        else:
            if r.random() < 0.8:
                self.lam = 10 ** r.uniform(-12, 2) if r.random() < 0.8 else 10 ** r.uniform(-25, 5)
                flags += ["--lambda", repr(self.lam)]
            u = r.random()
            self.free, self.bias = u < 0.25, 0.25 <= u < 0.6
            if self.bias:
                flags += ["--bias"]
            u = r.random()
            if self.loss in KINKED:
                if u < 0.3:
                    flags += ["--solver", "prox-sdca" if u < 0.1 else "sdca-newton"]
            elif u < 0.2:
                flags += ["--shards", str(min(r.choice([1, 2, 4, 16]), 1 << (self.n - 1).bit_length()))]  # at most so many
            elif u < 0.5:
                flags += ["--solver", r.choice(["newton", "proximal-newton"]) if self.loss in STEEP else r.choice(["newton", "proximal-newton"] if self.free else ["sdca-newton", "newton", "proximal-newton"])]
        if self.free:
            flags += ["--intercept"]
        self.confine()
        self.cut()

    def cut(self):
        """Shards, of some problems that proximal-newton alone solves: it copies their columns."""
        r = random.Random(self.seed * 41 + 5)
        if r.random() < 0.4 and (self.l1 > 0 or self.bounds) and not {"--shards", "--solver"} & set(self.flags):
            self.flags += ["--shards", str(min(r.choice([1, 2, 4, 16]), 1 << (self.n - 1).bit_length()))]

    def confine(self):
        """Bounds of weights, of some problems without groups that proximal-newton may solve."""
        r = random.Random(self.seed * 37 + 11)
        used = max((j + 1 for row in self.x for j, v in enumerate(row) if v != 0), default=0)
        other = "--shards" in self.flags or "--solver" in self.flags and "proximal-newton" not in self.flags
        if r.random() < 0.7 or used == 0 or self.groups or other or self.loss in KINKED:
            return
        alone = self.l1 == 0 and r.random() < 0.3  # bounds without a penalty
        if alone:
            self.lam = 0.0
            if "--lambda" in self.flags:
                self.flags[self.flags.index("--lambda") + 1] = "0"
            else:
                self.flags += ["--lambda", "0"]
        for j in range(used):
            size = 10 ** r.uniform(-3, 1) / (max(abs(row[j]) for row in self.x) or 1)
            kinds = [(-size, size), (0.0, size), (size, 3 * size)]
            if not alone:
                kinds += [(0.0, math.inf), (-math.inf, 0.0), (-math.inf, -size), (-2 * size, math.inf), (-math.inf, math.inf)]
            self.bounds.append(r.choice(kinds))
        self.flags += ["--bounds", "FILE"]

    def group(self):
        r = random.Random(self.seed * 31 + 7)
        used = max((j + 1 for row in self.x for j, v in enumerate(row) if v != 0), default=0)
        if used < 2 or r.random() < 0.4:
            return
        columns = r.sample(range(used), used)  # lanes has no columns behind the last entry
        while len(columns) > 1 and r.random() < 0.9:
            size = r.randint(2, min(5, len(columns)))
            self.groups.append([columns.pop() for _ in range(size)])
        if self.groups:
            self.flags += ["--l1-groups", ",".join("+".join(str(j + 1) for j in group) for group in self.groups)]

    def write(self, file):
        with open(file, "w") as out:
            for row, label in zip(self.x, self.y):
                out.write(repr(label) + "".join(" %d:%r" % (j + 1, v) for j, v in enumerate(row) if v != 0) + "\n")
        if self.bounds:
            with open(file + ".bounds", "w") as out:
                out.writelines("%d,%r,%r\n" % (j + 1, *b) for j, b in enumerate(self.bounds))
            self.flags[self.flags.index("FILE")] = file + ".bounds"

    def weight(self, label):
        if self.binary():
            return self.positive if label > 0 else self.negative
        return 1.0

    def zero(self):
        """The objective at w = 0."""
        total = 0.0
        for label in self.y:
            if self.loss == "softmax":
                value = math.log(self.classes)
            elif self.loss == "logistic":
                value = math.log(2)
            elif self.loss == "squared-hinge":
                value = 0.5
            elif self.loss == "poisson":
                value = 1 - label + (label * math.log(label) if label > 0 else 0)
            elif self.loss == "gamma":
                value = label - 1 - math.log(label)
            elif self.loss == "tweedie":
                q, s = self.delta - 1, 2 - self.delta
                value = 1 / s + label / q - label ** s / (q * s)
            elif self.loss == "negative-binomial":
                t = self.delta
                value = (label + 1 / t) * (math.log1p(t) - math.log1p(t * label)) + (label * math.log(label) if label > 0 else 0)
            elif self.loss == "expectile":
                value = (self.delta if label > 0 else 1 - self.delta) * label ** 2
            elif self.loss == "squared-epsilon-insensitive":
                value = max(abs(label) - self.delta, 0) ** 2 / 2
            elif self.loss == "hinge":
                value = 1
            elif self.loss == "epsilon-insensitive":
                value = max(abs(label) - self.delta, 0)
            elif self.loss == "quantile":
                value = max(self.delta * label, (self.delta - 1) * label)
            elif self.loss == "squared" or abs(label) <= self.delta:
                value = label * label / 2
            else:
                value = self.delta * (abs(label) - self.delta / 2)
            total += self.weight(label) * value
        return total / self.n

    def weights(self, model):
        """The weights of a model file, column by column, the constant last."""
        lines = open(model).read().split("\n")
        first = lines.index("w") + 1
        w = []
        for line in lines[first:]:
            if not line or line.startswith("lanes"):
                break
            w.append([float(v) for v in line.split()])
        while len(w) < self.width():  # columns without an entry at the end
            w.insert(len(w) - (self.free or self.bias), [0.0] * self.classes)
        if self.classes > 1:
            order = next(l for l in lines if l.startswith("label")).split()[1:]
            place = [order.index(str(k)) for k in range(self.classes)]
            w = [[row[k] for k in place] for row in w]
        return [v for row in w for v in row]

    def width(self):
        return self.d + (self.free or self.bias)

    def ask(self, reference, w):
        constant = [1.0] if self.free or self.bias else []
        text = ["%d %d %d %d %r %r %r %d %d" % (KINDS[self.loss], self.n, self.width(), self.classes,
                                                self.delta, self.lam, self.l1, self.free, len(self.groups))]
        text += ["%d %s" % (len(group), " ".join(map(str, group))) for group in self.groups]
        for row, label in zip(self.x, self.y):
            text.append(" ".join(repr(float(v)) for v in [label, self.weight(label)] + row + constant))
        text.append(" ".join(map(repr, w)))
        free = [(-math.inf, math.inf)] * (self.width() - len(self.bounds))
        text.append("%d" % bool(self.bounds))
        text += ["%r %r" % b for b in self.bounds + free if self.bounds]
        done = subprocess.run([reference], input="\n".join(text), capture_output=True, text=True, check=True)
        return [Decimal(v) for v in done.stdout.split()]


def judge(p, lanes, reference, folder):
    """What is wrong with a run, as a list of words with their figures."""
    file, model = os.path.join(folder, "rows"), os.path.join(folder, "model")
    p.write(file)
    if os.path.exists(model):
        os.remove(model)
    zero = p.zero()
    tolerance = 1e-6 * zero if p.random.random() < 0.7 or zero > 1e3 else 1e-6
    tolerance = tolerance or 1e-6  # residuals within epsilon cost nothing
    if tolerance != 1e-6:
        p.flags += ["--gap", repr(tolerance)]
    run = subprocess.run([lanes, "train", file, "--json", "--model", model, "--workers", "1", "--time", "60s"] + p.flags,
                         capture_output=True, text=True)
    if not os.path.exists(model):
        if run.returncode == 3 and "no features" in run.stderr:
            return []  # all rows are 0
        return ["REFUSED with exit status %d: %s" % (run.returncode, run.stderr.strip().split("\n")[-1])]
    said = json.loads(run.stdout)
    at, least, _ = p.ask(reference, p.weights(model))
    gap = Decimal(said["duality_gap"]) if said.get("duality_gap") is not None else Decimal("Infinity")
    stated, error = Decimal(said["objective"]), Decimal(said.get("objective_error") or 0)
    wrong = []
    if at - least > gap + abs(at) * Decimal(4e-16):
        wrong.append("FALSE gap %.3g, true distance %.3g" % (gap, at - least))
    if abs(stated - at) > max(error, Decimal(1e-7) * abs(at)) + Decimal(5e-324):
        wrong.append("OBJ stated %s, true %.17g, error %.3g" % (said["objective"], at, error))
    if said["status"] != "converged":
        wrong.append("SHORT by gap %.3g of %.3g, true distance %.3g: %s" % (gap, tolerance, at - least, said["status"]))
        if run.returncode == 0 and not said["status"].startswith("time"):
            wrong.append("SILENT")
    return wrong


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    lanes, reference, first, count = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    counts = dict.fromkeys(["FALSE", "OBJ", "SHORT", "SILENT", "REFUSED"], 0)
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            p = Problem(seed)
            wrong = judge(p, lanes, reference, folder)
            for line in wrong:
                counts[line.split()[0]] += 1
            if wrong:
                print(seed, "; ".join(wrong), " ".join(p.flags), sorted(p.shapes), "%d x %d" % (p.n, p.d), flush=True)
    print("%d problems:" % count, ", ".join("%d %s" % (v, k) for k, v in counts.items()))
    sys.exit(1 if counts["FALSE"] + counts["OBJ"] + counts["SILENT"] + counts["REFUSED"] else 0)


if __name__ == "__main__":
    main()
