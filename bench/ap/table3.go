package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"sync"
	"text/tabwriter"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/sparse"
)

// published is table 3 where the data sets are at hand; MOAP-V1 is not in it.
var published = map[string]map[string]float64{
	"moap-v2":   {"mushrooms": 0.999, "a9a": 0.715, "w8a": 0.584, "ijcnn1": 0.471},
	"adap":      {"mushrooms": 1, "a9a": 0.730, "w8a": 0.659, "ijcnn1": 0.536},
	"soap":      {"mushrooms": 0.997, "a9a": 0.714, "w8a": 0.561, "ijcnn1": 0.476},
	"soap-adam": {"mushrooms": 1, "a9a": 0.721, "w8a": 0.475, "ijcnn1": 0.547},
	"smoothap":  {"mushrooms": 0.962, "a9a": 0.713, "w8a": 0.459, "ijcnn1": 0.374},
}

// The grids of section 4.1.
var (
	steps = []float64{20, 10, 1, 0.1, 0.01}
	betas = []float64{0.9, 0.5, 0.1}
	// The paper names no margin: it is among its "other involved parameters".
	margins = []float64{1, 0.3, 0.1}
)

// final keeps the point that a run ended at: the protocol measures that, not the
// best one.
type final struct{ w []float64 }

func (*final) Name() string         { return "none" }
func (*final) HigherIsBetter() bool { return true }
func (f *final) Measure(w []float64) (float64, error) {
	f.w = append(f.w[:0], w...)
	return 0, nil
}

func paperRun(s *split, m ap.Method, seed int) []float64 {
	last := new(final)
	_, err := ap.Solve(context.Background(), &ap.Problem{X: s.x, Y: s.y, Lambda: 1e-4}, m,
		solvers.Settings{Seed: uint64(seed), Workers: 1, Validation: last, Patience: math.MaxInt32})
	if err != nil {
		panic(err)
	}
	return last.w
}

// table3 repeats section 4.1: features in [0, 1], 500 iterations with 20 rows each,
// lambda 1e-4, squared hinge of sigmoid scores; step, beta and margin are those of
// the grid with the best average precision on the training rows.
func table3(sets []*split, seeds int, parameters map[string]string) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintln(w, "data\tmethod\ttest AP\tdeviation\tpaper\tdifference\tstep\tbeta\tmargin")
	for _, s := range sets {
		if s.name == "dorothea" {
			continue
		}
		s, err := scaled(s)
		if err != nil {
			panic(err)
		}
		for _, a := range algorithmsOf(parameters, ap.MOAPV1, ap.MOAPV2, ap.ADAP, ap.SOAP, ap.SOAPAdam, ap.SmoothAP) {
			best, tests := tune(s, gridOf(a, parameters), seeds)
			mean, square := 0.0, 0.0
			for _, v := range tests {
				mean += v / float64(seeds)
			}
			for _, v := range tests {
				square += (v - mean) * (v - mean) / float64(seeds)
			}
			line := "\t"
			if v, found := published[best.Name()][s.name]; found && !s.placeholder {
				line = fmt.Sprintf("%.3f\t%+.3f", v, mean-v)
			}
			fmt.Fprintf(w, "%s\t%s\t%.4f\t%.4f\t%s\t%v\t%v\t%v\n", s.name, best.Name(), mean, math.Sqrt(square), line, best.Step, best.Beta, best.Margin)
		}
		w.Flush()
	}
}

// tuningSeeds is the number of runs that a point of the grid is judged by.
const tuningSeeds = 3

// gridOf is the grid of an algorithm; parameters that are set are not varied.
func gridOf(a ap.Algorithm, parameters map[string]string) []ap.Method {
	var grid []ap.Method
	seen := make(map[ap.Method]bool)
	for _, step := range steps {
		for _, beta := range betas {
			for _, margin := range margins {
				m, err := ap.ByName(ap.Method{Algorithm: a}.Name(), parameters)
				if err != nil {
					panic(err)
				}
				m.Paper = true
				if a == ap.SmoothAP {
					beta, margin = 0, 0 // it has neither
				}
				for _, v := range []struct {
					to    *float64
					value float64
				}{{&m.Step, step}, {&m.Beta, beta}, {&m.Margin, margin}} {
					if *v.to == 0 {
						*v.to = v.value
					}
				}
				if !seen[m] {
					seen[m] = true
					grid = append(grid, m)
				}
			}
		}
	}
	return grid
}

// tune returns the method of a grid with the highest training precision over a
// few seeds, and its test precisions seed by seed.
func tune(s *split, grid []ap.Method, seeds int) (ap.Method, []float64) {
	train := make([]float64, len(grid))
	each(len(grid), func(k int) {
		for seed := range min(seeds, tuningSeeds) {
			train[k] += precision(s.x, s.y, paperRun(s, grid[k], seed+1))
		}
	})
	best := 0
	for k := range grid {
		if train[k] > train[best] {
			best = k
		}
	}
	tests := make([]float64, seeds)
	each(seeds, func(k int) { tests[k] = precision(s.testX, s.testY, paperRun(s, grid[best], k+1)) })
	return grid[best], tests
}

// each runs f for 0 to n-1, two at a time.
func each(n int, f func(k int)) {
	var group sync.WaitGroup
	limit := make(chan struct{}, 2)
	for k := range n {
		group.Add(1)
		go func() {
			defer group.Done()
			limit <- struct{}{}
			f(k)
			<-limit
		}()
	}
	group.Wait()
}

// scaled brings the features to [0, 1] by the ranges of the training rows.
func scaled(s *split) (*split, error) {
	out := *s
	scaler, err := sparse.FitMinMax(s.x)
	if err != nil {
		return nil, err
	}
	if out.x, err = scaler.Apply(s.x); err != nil {
		return nil, err
	}
	out.testX, err = scaler.Apply(s.testX)
	return &out, err
}

// algorithmsOf returns the algorithms that have all the parameters.
func algorithmsOf(parameters map[string]string, all ...ap.Algorithm) []ap.Algorithm {
	var list []ap.Algorithm
	for _, a := range all {
		if _, err := ap.ByName(ap.Method{Algorithm: a}.Name(), parameters); err == nil {
			list = append(list, a)
		}
	}
	return list
}
