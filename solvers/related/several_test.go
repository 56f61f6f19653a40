package related

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
)

// right is the share of rows whose own class has the largest score.
var right = metrics.Metric{Name: "right", Direction: metrics.HigherIsBetter, Compute: func(scores, class, _ []float64) (float64, error) {
	count, sum := len(scores)/len(class), 0.0
	for i, c := range class {
		row := scores[i*count : (i+1)*count]
		if slices.Index(row, slices.Max(row)) == int(c) {
			sum++
		}
	}
	return sum / float64(len(class)), nil
}}

// byNumber are the rows of c with the number of their class as label.
func byNumber(c *Classes) *erm.Problem {
	p := &erm.Problem{X: c.X, Loss: c.Loss}
	for _, k := range c.Class {
		p.Y = append(p.Y, float64(k))
	}
	return p
}

// A point of a path of classes is OneVsRest there, from the point before; its result has
// the classes one after the other, and the sums of their objectives.
func TestPathOfClasses(t *testing.T) {
	for _, spec := range []string{"text:n=120,d=40", "wide:n=640,d=262144"} { // one whose columns are numbered by frequency
		if testing.Short() && spec[0] == 'w' {
			continue
		}
		c := rows(t, spec, 3)
		c.Weight = erm.BalancedWeights
		if spec[0] == 'w' && !matrix.RenumberingPays(c.X) {
			t.Fatal("the matrix is too small for the test")
		}
		run := Run{Settings: solvers.Settings{GapTolerance: 1e-7, MaxEpochs: 500, Workers: 2}}
		lambdas := []float64{1, 0.005, 0.004999999}
		joint := run
		joint.Classes, joint.Solve = 3, c.Rest(auto.Solve)
		var points [3]solvers.Trace
		joint.Watch = func(k int) solvers.Recorder { return &points[k] }
		fits, err := Path(context.Background(), byNumber(c), lambdas, joint)
		if err != nil {
			t.Fatal(err)
		}
		if fits[2].Total.Epochs > fits[1].Total.Epochs/2 {
			t.Errorf("%s: %v passes for a point beside one that took %v", spec, fits[2].Total.Epochs, fits[1].Total.Epochs)
		}
		d := c.X.Cols()
		for k, lambda := range lambdas {
			one := *c
			one.Penalty = penalty.Ridge{Lambda: lambda}
			alone := run
			alone.Solve = auto.Solve
			want, err := OneVsRest(context.Background(), &one, alone)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for class, r := range want {
				sum += r.Objective
				p, err := one.of(class)
				if err != nil {
					t.Fatal(err)
				}
				if got := objectiveOf(t, p, fits[k].Weights[class*d:(class+1)*d]); !(math.Abs(got-r.Objective) <= 1e-5) {
					t.Errorf("%s, lambda %v: class %d has the objective %v, not %v", spec, lambda, class, got, r.Objective)
				}
			}
			if !(math.Abs(sum-fits[k].Objective) <= 3e-5) || fits[k].Gap > 3e-5 || fits[k].Status != solvers.Converged {
				t.Errorf("%s, lambda %v: the objective is %v, not %v; %v, gap %v", spec, lambda, fits[k].Objective, sum, fits[k].Status, fits[k].Gap)
			}
			if len(points[k]) != 1 || points[k][0].Objective != fits[k].Objective {
				t.Errorf("%s, lambda %v: the recorder has %v", spec, lambda, points[k])
			}
		}
	}
}

// Every value of a cross-validation of classes equals the value of a path on the other folds.
func TestFoldsOfClasses(t *testing.T) {
	c := rows(t, "text:n=120,d=40", 3)
	p := byNumber(c)
	run := Run{Classes: 3, Solve: c.Rest(auto.Solve), Settings: solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 500}}
	lambdas := []float64{1, 0.05}
	found, err := CrossValidate(context.Background(), p, lambdas, Validation{Folds: 3, Seed: 4, Metric: right}, run)
	if err != nil {
		t.Fatal(err)
	}
	fold, err := Folds(120, c.Class, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	for f := range uint32(3) {
		var train, test []uint32
		for i, at := range fold {
			if at == f {
				test = append(test, uint32(i))
			} else {
				train = append(train, uint32(i))
			}
		}
		own := *p
		if own.X, err = p.X.PickRows(nil, train); err != nil {
			t.Fatal(err)
		}
		own.Y = direct.Listed(p.Y, train)
		fits, err := Path(context.Background(), &own, lambdas, run)
		if err != nil {
			t.Fatal(err)
		}
		x, err := p.X.PickRows(nil, test)
		if err != nil {
			t.Fatal(err)
		}
		for k, r := range fits {
			hits := 0
			for i, row := range test {
				best, largest := 0, math.Inf(-1)
				for class := range 3 {
					sum := 0.0
					for j, v := range x.Row(i) {
						sum += v * r.Weights[class*x.Cols()+j]
					}
					if sum > largest {
						best, largest = class, sum
					}
				}
				if best == int(p.Y[row]) {
					hits++
				}
			}
			if want := float64(hits) / float64(len(test)); found.Values[k][f] != want {
				t.Errorf("fold %d, lambda %v: %v, not %v", f, lambdas[k], found.Values[k][f], want)
			}
		}
	}
}

func TestClassesOnAPathRefuse(t *testing.T) {
	c := rows(t, "text:n=60,d=20", 3)
	good := byNumber(c)
	run := Run{Classes: 3, Solve: c.Rest(auto.Solve), Settings: solvers.Settings{GapTolerance: 1e-3}}
	for what, change := range map[string]func(p *erm.Problem, r *Run){
		"row 7 is of class 3":       func(p *erm.Problem, _ *Run) { p.Y[7] = 3 },
		"row 7 is of class -1":      func(p *erm.Problem, _ *Run) { p.Y[7] = -1 },
		"row 7 is of class 0.5":     func(p *erm.Problem, _ *Run) { p.Y[7] = 0.5 },
		"row 7 is of class NaN":     func(p *erm.Problem, _ *Run) { p.Y[7] = math.NaN() },
		"of 3 rows are of class":    func(p *erm.Problem, r *Run) { r.Classes = 4 },
		"the class of every row":    func(p *erm.Problem, _ *Run) { p.Y = p.Y[1:] },
		"3 sample weights":          func(p *erm.Problem, _ *Run) { p.SampleWeight = make([]float64, 3) },
		"row 2 has the sample":      func(p *erm.Problem, _ *Run) { p.SampleWeight = make([]float64, 60); p.SampleWeight[2] = -1 },
		"the initial point has 5":   func(_ *erm.Problem, r *Run) { r.Settings.Initial = make([]float64, 5) },
		"1 classes":                 func(p *erm.Problem, r *Run) { r.Classes = 1; clear(p.Y) },
		"no function to solve with": func(_ *erm.Problem, r *Run) { r.Solve = nil },
	} {
		p, own := *good, run
		p.Y = slices.Clone(p.Y)
		change(&p, &own)
		if what == "of 3 rows are of class" {
			what = "of 60 rows are of class 3"
		}
		if _, err := Path(context.Background(), &p, []float64{1, 0.1}, own); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("a path: %v, not %s", err, what)
		}
		if _, err := CrossValidate(context.Background(), &p, []float64{1, 0.1}, Validation{Folds: 3, Metric: right}, own); err == nil || !strings.Contains(err.Error(), what) {
			t.Errorf("folds: %v, not %s", err, what)
		}
	}
	if _, _, err := UsualClassLambdas(nil); err == nil {
		t.Error("lambdas of no classes")
	}
	list, least, err := UsualClassLambdas(c)
	one, _ := c.of(0)
	single, _, _ := UsualLambdas(one)
	if err != nil || least < usualPoints || !(math.Abs(list[0]/single[0]-2) <= 1e-12) || list[least-1] > 1./60 {
		t.Errorf("%d lambdas from %v, %v", least, list[0], err)
	}
	c.Loss = loss.Squared{}
	if list, _, err = UsualClassLambdas(c); err != nil || list[0] != 4*single[0] {
		t.Errorf("squared losses: %v, %v; logistic ones of two classes %v", list[0], err, single[0])
	}
}
