package main

import (
	"bytes"
	"encoding/json"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/command"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// lambda is the weight of the ridge.
const lambda = 0.02

func problem(t *testing.T) *erm.Problem {
	t.Helper()
	data, err := synthetic.Shape{Name: "dense", N: 300, D: 6, Seed: 1}.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &erm.Problem{X: data.X, Y: data.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: lambda}}
}

func solve(t *testing.T, p *erm.Problem, set map[string]float64, s solvers.Settings) *solvers.Result {
	t.Helper()
	own, err := program(set)
	if err != nil {
		t.Fatal(err)
	}
	method, err := erm.Own(own)
	if err != nil {
		t.Fatal(err)
	}
	r, err := erm.Solve(t.Context(), p, method, s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// gradient is of the objective, or of one row of it, in plain Go.
func gradient(p *erm.Problem, w []float64, rows ...int) []float64 {
	g := make([]float64, len(w))
	for _, i := range rows {
		z := 0.0
		for j, v := range p.X.Row(i) {
			z += v * w[j]
		}
		for j, v := range p.X.Row(i) {
			g[j] -= p.Y[i] / (1 + math.Exp(p.Y[i]*z)) * v / float64(len(rows))
		}
	}
	for j := range g {
		g[j] += lambda * w[j]
	}
	return g
}

// scripted is L-SVRG with the rows of a run, line by line.
type scripted struct{ t *testing.T }

func (s scripted) String() string { return "scripted" }
func (s scripted) Begin(p *erm.Problem, x []float64) (erm.Steps, error) {
	return &lines{p: p, x: x, w: slices.Clone(x)}, nil
}

type lines struct {
	p    *erm.Problem
	x, w []float64
}

func (l *lines) State() [][]float64 { return nil }
func (l *lines) Next(r *erm.Run) {
	rows := make([]uint32, 3)
	r.Rows(rows)
	list, all := []int{int(rows[0]), int(rows[1]), int(rows[2])}, make([]int, l.p.X.Rows())
	for i := range all {
		all[i] = i
	}
	now, before, full := gradient(l.p, l.x, list...), gradient(l.p, l.w, list...), gradient(l.p, l.w, all...)
	next := slices.Clone(l.x)
	for j := range next {
		next[j] -= 0.3 * (now[j] - before[j] + full[j])
	}
	if r.Random() < 0.2 {
		copy(l.w, l.x)
	}
	copy(l.x, next)
}

// TestListing compares the points with the paper's listing in plain Go, on the same draws.
func TestListing(t *testing.T) {
	p := problem(t)
	method, err := erm.Own(scripted{t})
	if err != nil {
		t.Fatal(err)
	}
	s := solvers.Settings{Seed: 5, MaxIterations: 60}
	want, err := erm.Solve(t.Context(), p, method, s)
	if err != nil {
		t.Fatal(err)
	}
	got := solve(t, p, map[string]float64{"step": 0.3, "prob": 0.2, "batch": 3}, s)
	value := func(w []float64) float64 {
		sum := 0.0
		for i := range p.X.Rows() {
			z := 0.0
			for j, v := range p.X.Row(i) {
				z += v * w[j]
			}
			sum += math.Log1p(math.Exp(-p.Y[i] * z))
		}
		return sum
	}
	if a, b := value(got.Weights), value(want.Weights); math.Abs(a-b) > 1e-9*b || got.Total.Iterations != 60 {
		t.Errorf("the run ends at %v, the listing at %v", got.Weights, want.Weights)
	}
	for j := range got.Weights {
		if math.Abs(got.Weights[j]-want.Weights[j]) > 1e-10 {
			t.Errorf("weight %d is %v, the listing has %v", j, got.Weights[j], want.Weights[j])
		}
	}
}

// TestConverges: the gap certifies the default parameters, and a resumed run has the bits of a whole one.
func TestConverges(t *testing.T) {
	p := problem(t)
	r := solve(t, p, nil, solvers.Settings{GapTolerance: 1e-9, MaxEpochs: 2000})
	if r.Status != solvers.Converged {
		t.Errorf("%v, gap %v", r.Status, r.Gap)
	}
	file := filepath.Join(t.TempDir(), "run")
	whole := solve(t, p, nil, solvers.Settings{MaxIterations: 200})
	solve(t, p, nil, solvers.Settings{MaxIterations: 77, Checkpoint: file})
	again := solve(t, p, nil, solvers.Settings{MaxIterations: 200, Resume: file})
	if !slices.Equal(whole.Weights, again.Weights) {
		t.Error("a resumed run ends elsewhere")
	}
}

// TestCompare runs the solver by the command, beside solvers of lanes.
func TestCompare(t *testing.T) {
	s, err := solver()
	if err != nil {
		t.Fatal(err)
	}
	if err := registry.Add(s); err != nil {
		t.Fatal(err)
	}
	if err := registry.Add(s); err == nil {
		t.Error("two solvers have one name")
	}
	run := func(line string) (int, string, string) {
		var out, told bytes.Buffer
		status := command.Run(strings.Fields(line), strings.NewReader(""), &out, &told)
		return status, out.String(), told.String()
	}
	status, out, told := run("compare --generate onehot:n=1000 --quiet --json --epochs 20 --seeds 2 --solvers l-svrg,svrg,newton --set l-svrg.step=1/8,0.5 --set batch=8")
	var v struct {
		Runs []struct {
			Solver string
			Above  float64 `json:"above_best"`
		}
		Grid []struct{ Solver string }
	}
	if err := json.Unmarshal([]byte(out), &v); err != nil || status != 0 {
		t.Fatalf("exit status %d, %v: %s", status, err, told)
	}
	if len(v.Runs) != 3 || len(v.Grid) != 2 || v.Runs[0].Solver != "l-svrg" || !(v.Runs[0].Above < 0.01) {
		t.Errorf("%+v", v)
	}
	for line, says := range map[string]string{
		"train --list l-svrg": "probability of a new reference point", "train --list": "loopless SVRG",
		"train --generate onehot:n=1000 --solver l-svrg --set step=-1": "it must be positive", "train --generate onehot:n=1000 --solver l-svrg --set batch=x": "batch=x",
		"train --generate onehot:n=1000 --solver l-svrg --set nosuch=1": "nosuch", "train --generate onehot:n=1000 --solver l-svrg --gap 0.01": "l-svrg",
		"train --generate onehot:n=1000 --solver l-svrg --batch 3": "--batch would have no effect",
	} {
		if _, out, told := run(line); !strings.Contains(out+told, says) {
			t.Errorf("lanes %s: %s%s", line, out, told)
		}
	}
}
