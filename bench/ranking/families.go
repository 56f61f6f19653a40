package main

import (
	"context"
	"fmt"

	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/solvers/pauc"
)

// A goal is what models are made and measured for.
type goal struct {
	name  string
	value func(scores, y []float64) (float64, error)
	solve func(s *datasets.Split, method string, parameters map[string]string, seed uint64) (*solvers.Result, error)
}

// A family are the solvers of some goals.
type family struct {
	methods []string
	goals   []goal
	tuner   string // the method in whose time logistic regression is tuned, "" for none
	raced   string // the method of races
	wide    string // the shape of rows with many columns that it is raced on
	races   []race
}

// A race is a method with a number of positives and negatives a batch and one loss, again
// and again in plain Go. Ways do so many iterations; lanes is on a CPU path.
type race struct {
	batch int
	loss  string
	lanes func(s *datasets.Split, iterations int) error
	plain []plainWay
}

type plainWay struct {
	name   string
	narrow bool // on wide rows the columns take its time, not what it is there for
	run    func(s *datasets.Split, iterations int)
}

var families = map[string]*family{"ap": precisions(), "pauc": areas()}

func precisions() *family {
	f := &family{tuner: "adap", raced: "adap", wide: "wide:n=4000"}
	for _, d := range ap.Names() {
		f.methods = append(f.methods, d.Name)
	}
	f.goals = []goal{{"average precision",
		func(scores, y []float64) (float64, error) { return metrics.AveragePrecision(scores, y, nil) },
		func(s *datasets.Split, method string, parameters map[string]string, seed uint64) (*solvers.Result, error) {
			m, err := ap.ByName(method, parameters)
			if err != nil {
				return nil, err
			}
			return ap.Solve(context.Background(), &ap.Problem{X: s.X, Y: s.Y, Lambda: 1 / float64(len(s.Y))}, m, solvers.Settings{Seed: seed})
		},
	}}
	for _, size := range []int{10, 100} {
		for _, hinge := range []bool{false, true} {
			m := ap.ADAP{Common: ap.Common{Hinge: hinge, Positives: size, Negatives: size}}
			loss, margin := "logistic", 0.0
			if hinge {
				loss, margin = "squared hinge", 1
			}
			f.races = append(f.races, race{size, loss, func(s *datasets.Split, iterations int) error {
				m.Iterations = iterations
				_, err := ap.Solve(context.Background(), &ap.Problem{X: s.X, Y: s.Y, Lambda: 1 / float64(len(s.Y))}, m,
					solvers.Settings{Initial: make([]float64, s.X.Cols()), Workers: 1})
				return err
			}, []plainWay{{"plain Go", false, func(s *datasets.Split, iterations int) {
				newPlainADAP(s.X, s.Y, size, size, margin).run(iterations)
			}}}})
		}
	}
	return f
}

// middle is the range of false-positive rates of the paper's experiments.
var middle = [2]float64{0.05, 0.5}

func areas() *family {
	f := &family{raced: "agd-sbcd", wide: "wide:n=6000"}
	for _, s := range pauc.Solvers() {
		if s.Accepts.Rates {
			f.methods = append(f.methods, s.Name)
		}
	}
	for _, r := range [][2]float64{{0, 0.05}, middle} {
		f.goals = append(f.goals, goal{fmt.Sprintf("area in [%v, %v]", r[0], r[1]),
			func(scores, y []float64) (float64, error) {
				_, normalised, err := metrics.PartialAUC(scores, y, nil, r[0], r[1])
				return normalised, err
			},
			func(s *datasets.Split, method string, parameters map[string]string, seed uint64) (*solvers.Result, error) {
				m, err := pauc.ByName(method, parameters)
				if err != nil {
					return nil, err
				}
				return pauc.Solve(context.Background(), &pauc.Problem{X: s.X, Y: s.Y, Low: r[0], High: r[1], Lambda: 1 / float64(len(s.Y))}, m, solvers.Settings{Seed: seed})
			},
		})
	}
	for _, size := range []int{10, 100} {
		for _, scale := range []float64{0, 3} {
			loss := "logistic"
			if scale > 0 {
				loss = "sigmoid"
			}
			m := pauc.AGDSBCD{Loops: pauc.Loops{Inner: 5, Threshold: 1, Outer: 1}, Logistic: scale == 0, Scale: scale, Mu: 1000, Step: 1, Positives: size, Negatives: size}
			plain := func(direct bool) func(s *datasets.Split, iterations int) {
				return func(s *datasets.Split, iterations int) {
					a := newPlainAGD(s.X, s.Y, middle[0], middle[1], size, size, scale, direct)
					a.outer, a.length = 1, iterations/2
					a.run()
				}
			}
			// An outer iteration does as many for each of two proximal points.
			f.races = append(f.races, race{size, loss, func(s *datasets.Split, iterations int) error {
				m.Length = iterations / 2
				_, err := pauc.Solve(context.Background(), &pauc.Problem{X: s.X, Y: s.Y, Low: middle[0], High: middle[1]}, m,
					solvers.Settings{Initial: make([]float64, s.X.Cols()), Workers: 1})
				return err
			}, []plainWay{{"plain Go", false, plain(true)}, {"plain Go, math.Exp above thresholds only", true, plain(false)}}})
		}
	}
	return f
}

// on runs lanes on a CPU path.
func (r *race) on(path string, s *datasets.Split, iterations int) error {
	restore, err := dispatch.Force(path)
	if err != nil {
		return err
	}
	defer restore()
	return r.lanes(s, iterations)
}
