package elasticnet

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// scipyScript minimises each problem over the positive and negative parts of the weights by
// L-BFGS-B. It solves for a gradient of 0 with the signs that it found. It prints the weights,
// and by how much they miss the conditions of the optimum.
const scipyScript = `
import json, sys
import numpy as np
from scipy.optimize import minimize, root
out = []
for p in json.load(sys.stdin):
    x, y, s, l1, l2, delta = np.array(p["X"]), np.array(p["Y"]), np.array(p["S"]), p["L1"], p["L2"], p["Delta"]
    n, d = x.shape
    def smooth(w):
        z = x @ w[:d] + w[d]
        if p["Loss"] == "logistic":
            phi, slope = np.logaddexp(0, -y * z), -y / (1 + np.exp(y * z))
        elif p["Loss"] == "squared":
            phi, slope = (z - y)**2 / 2, z - y
        elif p["Loss"] == "squared-hinge":
            below = np.maximum(0, 1 - y * z)
            phi, slope = below**2 / 2, -y * below
        else:
            r = np.abs(z - y)
            phi, slope = np.where(r <= delta, r**2 / 2, delta * r - delta**2 / 2), np.clip(z - y, -delta, delta)
        g = np.append(x.T @ (s * slope) / n + l2 * w[:d], (s * slope).sum() / n * p["Intercept"])
        return (s * phi).sum() / n + l2 * (w[:d]**2).sum() / 2, g
    def parted(v):
        value, g = smooth(np.append(v[:d] - v[d:2*d], v[2*d]))
        return value + l1 * v[:2*d].sum(), np.concatenate([g[:d] + l1, l1 - g[:d], g[d:]])
    free = [(None, None)] if p["Intercept"] else [(0, 0)]
    v = minimize(parted, np.zeros(2*d + 1), jac=True, method="L-BFGS-B", bounds=[(0, None)] * (2*d) + free,
                 options={"maxiter": 100000, "maxfun": 1000000, "ftol": 1e-16, "gtol": 1e-10, "maxcor": 50}).x
    w = np.append(v[:d] - v[d:2*d], v[2*d])
    w[:d][np.abs(w[:d]) < 1e-6] = 0
    at = np.flatnonzero(np.append(w[:d] != 0, p["Intercept"]))
    sign = np.append(np.sign(w[:d]), 0)[at]
    def residual(part):
        full = np.zeros(d + 1)
        full[at] = part
        return smooth(full)[1][at] + l1 * sign
    w[at] = root(residual, w[at], tol=1e-15).x
    g = smooth(w)[1]
    miss = max([abs(residual(w[at])).max(initial=0), (abs(g[:d][w[:d] == 0]) - l1).max(initial=0), (-np.sign(w[at]) * sign).max(initial=0)])
    out.append({"Weights": w.tolist(), "Miss": miss})
json.dump(out, sys.stdout)
`

// TestAgainstScipy compares the weights and their zeros with scipy's L-BFGS-B. It takes every
// loss, with and without an intercept, a squared norm and weights of the rows.
func TestAgainstScipy(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Python")
	}
	type given struct {
		X             [][]float64
		Y, S          []float64
		Loss          string
		L1, L2, Delta float64
		Intercept     bool
	}
	var all []given
	var problems []*Problem
	var names []string
	variants(t, func(t *testing.T, p *Problem) {
		g := given{Y: p.Y, Loss: p.Loss.String(), L1: penalty.WeightOf(p.Penalty), L2: p.Ridge(), Delta: p.Loss.Parameter(), Intercept: p.Intercept}
		for i := range p.Y {
			row := make([]float64, penalised(p))
			for j, v := range features(p).Row(i) {
				row[j] = v
			}
			g.X, g.S = append(g.X, row), append(g.S, direct.Weight(p.SampleWeight, i))
		}
		all, problems, names = append(all, g), append(problems, p), append(names, t.Name())
	})
	input, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("/usr/bin/python3", "-c", scipyScript)
	command.Stdin = bytes.NewReader(input)
	var wrong bytes.Buffer
	command.Stderr = &wrong
	output, err := command.Output()
	if err != nil {
		if strings.Contains(wrong.String(), "ModuleNotFoundError") || wrong.Len() == 0 {
			t.Skip("no python3 with scipy")
		}
		t.Fatalf("%v\n%s", err, &wrong)
	}
	var theirs []struct {
		Weights []float64
		Miss    float64
	}
	if err := json.Unmarshal(output, &theirs); err != nil || len(theirs) != len(problems) {
		t.Fatal(len(theirs), err)
	}
	for k, p := range problems {
		if theirs[k].Miss > 1e-11 {
			t.Errorf("%s: scipy misses the optimum by %v", names[k], theirs[k].Miss)
		}
		same(t, names[k]+", scipy", p, theirs[k].Weights, 1e-8)
	}
}

// same compares the solution of a problem and its zeros with another's, to within a bound. It
// compares gaps on the way with how far the objective is above the other's.
func same(t *testing.T, name string, p *Problem, want []float64, within float64) {
	t.Helper()
	least := value(p, want)
	for _, gap := range []float64{1e-3, 1e-6, 1e-9} {
		r := solve(t, p, solvers.Settings{GapTolerance: gap, Workers: 1})
		if above := value(p, r.Weights) - least; !(r.Gap <= gap && above <= r.Gap && above >= -1e-13) {
			t.Errorf("%s: a gap of %v where the objective is %v above the minimum", name, r.Gap, above)
		}
	}
	r := solve(t, p, solvers.Settings{GapTolerance: 1e-17, MaxEpochs: 1e5, Workers: 1})
	for j, v := range r.Weights {
		if !(math.Abs(v-want[j]) <= within) || j < penalised(p) && (v == 0) != (want[j] == 0) {
			t.Errorf("%s, weight %d: %.12g, not %.12g", name, j, v, want[j])
		}
	}
}

// TestAgainstLiblinear: so they are for the two losses and the plain norm that LIBLINEAR has,
// to what its search leaves.
func TestAgainstLiblinear(t *testing.T) {
	train, err := exec.LookPath("liblinear-train")
	if err != nil {
		t.Skip("no liblinear-train: install liblinear-tools")
	}
	if testing.Short() {
		t.Skip("starts LIBLINEAR")
	}
	variants(t, func(t *testing.T, p *Problem) {
		// Its squared hinge is without the half.
		solver, c := "6", 1/(float64(len(p.Y))*penalty.WeightOf(p.Penalty))
		if p.Loss == (loss.SquaredHinge{}) {
			solver, c = "5", c/2
		}
		if p.Loss != (loss.Logistic{}) && p.Loss != (loss.SquaredHinge{}) || p.Intercept || p.Ridge() != 0 || p.SampleWeight != nil {
			return
		}
		var rows strings.Builder
		for i, y := range p.Y {
			fmt.Fprintf(&rows, "%g", y)
			for j, v := range p.X.Row(i) {
				fmt.Fprintf(&rows, " %d:%.17g", j+1, v)
			}
			rows.WriteByte('\n')
		}
		data, fit := filepath.Join(t.TempDir(), "rows"), filepath.Join(t.TempDir(), "fit")
		if err := os.WriteFile(data, []byte(rows.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(train, "-q", "-s", solver, "-c", fmt.Sprintf("%.17g", c), "-e", "1e-12", data, fit).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		text, err := os.ReadFile(fit)
		if err != nil {
			t.Fatal(err)
		}
		head, list, _ := strings.Cut(string(text), "\nw\n")
		var want []float64
		for _, field := range strings.Fields(list) {
			v, err := strconv.ParseFloat(field, 64)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Contains(head, "label -1 1") {
				v = -v
			}
			want = append(want, v)
		}
		if len(want) != p.X.Cols() {
			t.Fatalf("LIBLINEAR wrote %s", text)
		}
		same(t, "LIBLINEAR -s "+solver, p, want, 1e-7)
	})
}
