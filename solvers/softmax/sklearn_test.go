package softmax_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os/exec"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/softmax"
	"github.com/lanes-go/lanes/sparse"
)

// learnScript fits each case by scikit-learn, and gives its probabilities and its accuracy.
const learnScript = `
import json, sys
import numpy as np
from sklearn.linear_model import LogisticRegression
out = []
for given, case in [(given, case) for given in json.load(sys.stdin) for case in given["Cases"]]:
    x, y = np.array(given["X"]), np.array(given["Y"])
    rows = x if case["Column"] == 0 else np.hstack([x, np.full((len(x), 1), case["Column"])])
    fit = LogisticRegression(C=1 / (case["Lambda"] * len(y)), multi_class="multinomial", solver="newton-cg", tol=1e-13, max_iter=1000,
                             fit_intercept=case["Free"], class_weight="balanced" if case["Balanced"] else None)
    fit.fit(rows, y, sample_weight=np.array(given["S"]) if case["Weighted"] else None)
    out.append({"Probabilities": fit.predict_proba(rows).tolist(), "Accuracy": fit.score(rows, y)})
json.dump(out, sys.stdout)
`

// learnRows are rows with what is to be done with them.
type learnRows struct {
	X     [][]float64
	Y     []int
	S     []float64
	Cases []learnCase
}

type learnCase struct {
	Lambda float64
	// Column is the value of a constant column, which is regularised; Free is an intercept for
	// each class, which is not.
	Column             float64
	Free               bool
	Balanced, Weighted bool
}

// TestAgainstScikitLearn: probabilities and accuracy are scikit-learn's, for two classes and
// more, without and with an intercept, class weights and weights of the rows.
func TestAgainstScikitLearn(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Python")
	}
	cases := []learnCase{
		{Lambda: 0.02},
		{Lambda: 1e-3, Balanced: true},
		{Lambda: 1e-2, Column: 1},
		{Lambda: 1e-2, Column: 2, Balanced: true, Weighted: true},
		{Lambda: 1e-2, Free: true},
		{Lambda: 1e-2, Free: true, Balanced: true},
	}
	var given []learnRows
	var problems []*softmax.Problem
	for _, shape := range []struct{ n, d, k int }{{150, 6, 3}, {120, 5, 2}, {40, 70, 4}} {
		rows, x := classRows(t, shape.n, shape.d, shape.k)
		rows.Cases = cases
		given = append(given, rows)
		for _, one := range cases {
			problems = append(problems, rows.problem(x, shape.k, one))
		}
	}
	input, err := json.Marshal(given)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("/usr/bin/python3", "-W", "ignore", "-c", learnScript)
	command.Stdin = bytes.NewReader(input)
	output, err := command.Output()
	if err != nil {
		t.Skipf("python3 with scikit-learn is not here: %v", err)
	}
	var theirs []struct {
		Probabilities [][]float64
		Accuracy      float64
	}
	if err := json.Unmarshal(output, &theirs); err != nil || len(theirs) != len(problems) {
		t.Fatal(len(theirs), err)
	}
	for c, p := range problems {
		probabilities, accuracy := fitted(t, p)
		worst := 0.0
		for i, row := range theirs[c].Probabilities {
			for k, v := range row {
				worst = max(worst, math.Abs(v-probabilities[i*p.Count+k]))
			}
		}
		if worst > 1e-6 || accuracy != theirs[c].Accuracy {
			t.Errorf("%d classes, %+v: probabilities %v apart, accuracy %v, not %v", p.Count, cases[c%len(cases)], worst, accuracy, theirs[c].Accuracy)
		}
	}
}

// classRows returns rows of classes with 1/2, 1/4 and so on of them, each about a point of
// its own.
func classRows(t *testing.T, n, d, k int) (learnRows, *sparse.Matrix) {
	t.Helper()
	r, rows := rand.New(rand.NewPCG(uint64(k), 4)), learnRows{}
	ptr, columns, values := []int64{0}, []uint32(nil), []float64(nil)
	for range n {
		class, row := 0, make([]float64, d)
		for class < k-1 && r.Float64() < 0.5 {
			class++
		}
		for j := range row {
			row[j] = 2*r.Float64() - 1
			if j%k == class {
				row[j] += 0.5
			}
			columns, values = append(columns, uint32(j)), append(values, row[j])
		}
		ptr = append(ptr, int64(len(columns)))
		rows.X, rows.Y, rows.S = append(rows.X, row), append(rows.Y, class), append(rows.S, 0.5+r.Float64())
	}
	x, err := sparse.NewCSR(d, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	return rows, x
}

// problem poses a case.
func (r *learnRows) problem(x *sparse.Matrix, k int, one learnCase) *softmax.Problem {
	p, counts := &softmax.Problem{X: x, Count: k, Lambda: one.Lambda}, make([]float64, k)
	switch {
	case one.Free:
		p.X, p.Intercept = x.WithBias(1), true
	case one.Column != 0:
		p.X = x.WithBias(one.Column)
	}
	for _, c := range r.Y {
		counts[c]++
	}
	for i, c := range r.Y {
		s := 1.0
		if one.Weighted {
			s = r.S[i]
		}
		if one.Balanced {
			s *= float64(len(r.Y)) / (float64(k) * counts[c])
		}
		p.Class, p.SampleWeight = append(p.Class, uint32(c)), append(p.SampleWeight, s)
	}
	return p
}

// fitted returns the probabilities of the rows, and how many of them have the largest for
// their own class.
func fitted(t *testing.T, p *softmax.Problem) (probabilities []float64, accuracy float64) {
	t.Helper()
	r, err := softmax.Solve(context.Background(), p, softmax.Newton{}, solvers.Settings{GapTolerance: 1e-15, MaxEpochs: 5000})
	if err != nil || r.Gap > 1e-11 {
		t.Fatal(r, err)
	}
	scores := make([]float64, len(p.Class)*p.Count)
	if p.Count == 2 { // of which models keep one score
		for k := range 2 {
			one := make([]float64, len(p.Class))
			if err := p.X.MulVec(nil, one, r.Weights[k*p.X.Cols():(k+1)*p.X.Cols()]); err != nil {
				t.Fatal(err)
			}
			for i, v := range one {
				scores[2*i+k] = v
			}
		}
		for i := range p.Class {
			if err := kernels.Softmax(scores[2*i:2*i+2], scores[2*i:2*i+2]); err != nil {
				t.Fatal(err)
			}
		}
	} else {
		labels := make([]float64, p.Count)
		for k := range labels {
			labels[k] = float64(k)
		}
		made, err := model.New(r, model.Training{X: p.X, Classes: labels, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: p.Lambda}, Softmax: true})
		if err != nil {
			t.Fatal(err)
		}
		m := made.(*model.Linear)
		if scores, err = m.Scores(nil, nil, p.X.WithBias(0)); err != nil {
			t.Fatal(err)
		}
		if err := m.Probabilities(scores); err != nil {
			t.Fatal(err)
		}
	}
	right := 0
	for i, c := range p.Class {
		row := scores[i*p.Count : (i+1)*p.Count]
		if slices.Index(row, slices.Max(row)) == int(c) {
			right++
		}
	}
	return scores, float64(right) / float64(len(p.Class))
}
