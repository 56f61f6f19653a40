package erm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// peerCases are problems with an intercept, logistic and squared, with and without weights and
// offsets: few rows of one class, a column of ones and zeros, and one whose mean is far from 0.
func peerCases(t *testing.T, offsets bool) (names []string, problems []*Problem, rows [][]float64) {
	t.Helper()
	const n, d = 240, 6
	r := rand.New(rand.NewPCG(5, 15))
	begins, columns, values := []int64{0}, []uint32(nil), []float64(nil)
	targets, weight, offset := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		row := make([]float64, d)
		score := -2.0
		for j := range row {
			switch row[j] = r.NormFloat64(); j {
			case 0:
				row[j] += 40
			case 1:
				row[j] = float64(r.IntN(2))
			}
			score += (row[j] - 40*float64(max(1-j, 0))) * float64(j%3-1)
			if row[j] != 0 {
				columns, values = append(columns, uint32(j)), append(values, row[j])
			}
		}
		begins = append(begins, int64(len(columns)))
		rows = append(rows, row)
		targets[i], weight[i], offset[i] = score+1.5*r.NormFloat64(), 0.25+2*r.Float64(), r.NormFloat64()
	}
	x, err := sparse.NewCSR(d, begins, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	signs := slices.Clone(targets)
	for i, v := range signs {
		signs[i] = math.Copysign(1, v)
	}
	for k := range 8 {
		p := &Problem{X: x.WithBias(1), Y: targets, Loss: loss.Squared{}, Intercept: true}
		if k&1 > 0 {
			p.Y, p.Loss = signs, loss.Logistic{}
		}
		if k&2 > 0 {
			p.SampleWeight = weight
		}
		if k&4 > 0 {
			if !offsets {
				break
			}
			p.Offset = offset
		}
		names = append(names, fmt.Sprintf("%v, weights %t, offsets %t", p.Loss, k&2 > 0, k&4 > 0))
		problems = append(problems, p)
	}
	return names, problems, rows
}

// samePeer compares the weights and then the intercept of solutions, by shards too, with another
// program's to within 1e-6.
func samePeer(t *testing.T, name string, p *Problem, want []float64) {
	t.Helper()
	for _, count := range []int{0, 4} {
		settings := solvers.Settings{Shards: count, Workers: 1, MaxEpochs: 1000, GradientTolerance: 1e-11}
		if p.Ridge() > 0 {
			settings.GapTolerance, settings.GradientTolerance = 1e-15, 0
		}
		r := mustSolve(t, p, Newton{}, settings)
		if len(want) != len(r.Weights) {
			t.Fatalf("%s: %d weights, not %d", name, len(want), len(r.Weights))
		}
		for j, w := range want {
			if !(math.Abs(r.Weights[j]-w) <= 1e-6*max(1, math.Abs(w))) {
				t.Errorf("%s, %d shards, weight %d: %.12g, not %.12g (%v)", name, count, j, r.Weights[j], w, r.Status)
			}
		}
	}
}

// glmScript fits the columns of a table by R's glm, for each line of cases.
const glmScript = `
x <- as.matrix(read.table("x"))
rows <- read.table("rows", header=TRUE)
for (k in seq_len(nrow(cases <- read.table("cases", header=TRUE)))) {
  c <- cases[k,]
  y <- if (c$logistic) (rows$y > 0) + 0 else rows$y
  s <- if (c$weighted) rows$s else rep(1, nrow(rows))
  o <- if (c$offset) rows$o else rep(0, nrow(rows))
  fit <- glm(y ~ x, family=if (c$logistic) quasibinomial() else gaussian(), weights=s, offset=o, control=glm.control(epsilon=1e-15, maxit=100))
  cat(sprintf("%.17g", coef(fit)), "\n")
}
`

// TestAgainstGlm: without a regulariser the weights and the intercept equal the result of R's glm.
func TestAgainstGlm(t *testing.T) {
	t.Parallel()
	run := solvetest.Glmnet(t)
	names, problems, rows := peerCases(t, true)
	var x, y, cases strings.Builder
	full := problems[len(problems)-1]
	y.WriteString("y s o\n")
	for i, row := range rows {
		fmt.Fprintln(&x, strings.Trim(fmt.Sprintf("%.17g", row), "[]"))
		fmt.Fprintf(&y, "%.17g %.17g %.17g\n", problems[0].Y[i], full.SampleWeight[i], full.Offset[i])
	}
	cases.WriteString("logistic weighted offset\n")
	for k := range problems {
		fmt.Fprintln(&cases, k&1, k>>1&1, k>>2&1)
	}
	lines := run(t, glmScript, map[string]string{"x": x.String(), "rows": y.String(), "cases": cases.String()})
	if len(lines) != len(problems) {
		t.Fatalf("R printed %v", lines)
	}
	for k, p := range problems {
		samePeer(t, names[k], p, append(lines[k][1:], lines[k][0])) // R's intercept is the first one
	}
}

const ridgeScript = `
import json, sys
import numpy as np
from sklearn.linear_model import LogisticRegression, Ridge
out = []
given = json.load(sys.stdin)
x = np.array(given["X"])
for case in given["Cases"]:
    y, n = np.array(case["Y"]), len(x)
    if case["Logistic"]:
        fit = LogisticRegression(C=1 / (case["Lambda"] * n), solver="newton-cholesky", tol=1e-14, max_iter=1000)
    else:
        fit = Ridge(alpha=case["Lambda"] * n, solver="cholesky", tol=1e-14)
    fit.fit(x, y, sample_weight=case["S"])
    out.append(np.append(fit.coef_, fit.intercept_).tolist())
json.dump(out, sys.stdout)
`

// TestAgainstScikitLearn: the weights and the intercept equal the results of scikit-learn's
// LogisticRegression and Ridge, which do not penalise the intercept.
func TestAgainstScikitLearn(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts Python")
	}
	type one struct {
		Y, S     []float64
		Lambda   float64
		Logistic bool
	}
	var given struct {
		X     [][]float64
		Cases []one
	}
	var names []string
	var problems []*Problem
	list, posed, rows := peerCases(t, false)
	given.X = rows
	for k, p := range posed {
		for _, lambda := range []float64{1e-4, 0.03} {
			q := *p
			q.Penalty = penalty.Ridge{Lambda: lambda}
			names, problems = append(names, fmt.Sprintf("%s, lambda %v", list[k], lambda)), append(problems, &q)
			given.Cases = append(given.Cases, one{q.Y, q.SampleWeight, lambda, q.Loss == (loss.Logistic{})})
		}
	}
	input, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("/usr/bin/python3", "-W", "ignore", "-c", ridgeScript)
	command.Stdin = bytes.NewReader(input)
	var wrong bytes.Buffer
	command.Stderr = &wrong
	output, err := command.Output()
	if err != nil {
		if strings.Contains(wrong.String(), "ModuleNotFoundError") || wrong.Len() == 0 {
			t.Skip("no python3 with scikit-learn")
		}
		t.Fatalf("%v\n%s", err, &wrong)
	}
	var theirs [][]float64
	if err := json.Unmarshal(output, &theirs); err != nil || len(theirs) != len(problems) {
		t.Fatal(len(theirs), err)
	}
	for k, p := range problems {
		samePeer(t, names[k], p, theirs[k])
	}
}
