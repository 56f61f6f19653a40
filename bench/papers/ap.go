package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/sparse"
)

var apStudy = study{
	name:    "auprc",
	title:   "Momentum Accelerates the Convergence of Stochastic AUPRC Maximization",
	authors: "Wang, Yang, Zhang, Yang",
	claim:   "ADAP converges faster than the other methods, and has the best average precision on every data set but ijcnn1, where it is similar to SOAP (Adam). MOAP converges faster than SOAP on mushrooms, phishing and w8a, and performs like it on the other three.",
	setting: "Section 4.1: linear scores through a sigmoid, features in [0, 1], lambda ||w||^2 with lambda = 1e-4, mini-batches of 20, T = 500 iterations, the squared hinge, steps {20, 10, 1, 0.1, 0.01} and beta {0.9, 0.5, 0.1} " +
		"tuned on the training rows (here by their average precision, mean over the seeds), the final model, where the theorems bound the mean over all iterates. Steps and beta of MOAP and ADAP decrease as 1/sqrt(t); the other methods' are fixed. " +
		"Batches are parts of shuffled passes over each class, where the algorithms draw every batch from all rows. One batch gives the values of g and their gradients, which the paper takes from independent samples. " +
		"The section leaves open how many rows of a batch are positive (here 10) and the margin of the hinge. So there are three readings. First, margin 1, the default of the authors' code: two scores in (0, 1) differ by less, so the hinge is never zero. " +
		"Second, a margin of 0.3, 0.1, 0.05 or 0.02, tuned with the other parameters. Third, the same without the upper bound M of the set onto which the paper projects its estimates. " +
		"mushrooms loses positives as in the paper; they are the class that the file calls 1, with which the counts come near to its table 2. w6a is drawn from the rows of w8a, which contain it. phishing is not at hand. SOAP (AMSGrad), of the paper's table 1, has no numbers in the paper.",
	parts: apParts,
	answer: func(parts map[string]shown) string {
		highest, fastest := parts["Table 3"].found, parts["Figure 2"].head()
		return fmt.Sprintf("%s: with margin 1 the paper's best method is the best on the test rows of %s; with a tuned margin, of %s. ADAP converges fastest in %s.",
			sentence(highest[0].word()), highest[0].counts(), highest[1].counts(), fastest.counts())
	},
}

// apSets names the data sets that statements are counted on.
var apSets = setsAtHand(4, 6, "w6a, drawn from w8a")

const apCases = " A case is a set in one of the three readings."

// printedAP is tables 3 and 5, means and deviations.
var printedAP = map[string]map[string][2]float64{
	"moap-v1":   {"w6a": {0.608, 4e-4}},
	"moap-v2":   {"mushrooms": {0.999, 2e-6}, "w6a": {0.596, 2e-3}, "a9a": {0.715, 3e-5}, "w8a": {0.584, 4e-4}, "ijcnn1": {0.471, 6e-4}},
	"adap":      {"mushrooms": {1, 0}, "w6a": {0.675, 1e-4}, "a9a": {0.730, 1e-6}, "w8a": {0.659, 5e-4}, "ijcnn1": {0.536, 1e-3}},
	"soap":      {"mushrooms": {0.997, 1e-5}, "w6a": {0.612, 4e-5}, "a9a": {0.714, 3e-5}, "w8a": {0.561, 1e-3}, "ijcnn1": {0.476, 2e-4}},
	"soap-adam": {"mushrooms": {1, 0}, "w6a": {0.592, 3e-4}, "a9a": {0.721, 1e-5}, "w8a": {0.475, 2e-3}, "ijcnn1": {0.547, 1e-3}},
	"smoothap":  {"mushrooms": {0.962, 1e-3}, "w6a": {0.473, 1e-4}, "a9a": {0.713, 3e-5}, "w8a": {0.459, 3e-4}, "ijcnn1": {0.374, 3e-4}},
}

var (
	apNames    = []string{"adap", "moap-v2", "soap", "soap-adam", "soap-amsgrad", "smoothap", "moap-v1"}
	apLabels   = map[string]string{"adap": "ADAP", "moap-v2": "MOAP (V2)", "soap": "SOAP (SGD)", "soap-adam": "SOAP (Adam)", "soap-amsgrad": "SOAP (AMSGrad)", "smoothap": "SmoothAP", "moap-v1": "MOAP-V1"}
	apReadings = []apReading{
		{"margin 1", []float64{1}, 0},
		{"margin tuned", []float64{0.3, 0.1, 0.05, 0.02}, 0},
		{"margin tuned, no bound M", []float64{0.3, 0.1, 0.05, 0.02}, 1e9},
	}
)

// apReading is a way to read what the section leaves open: the margin, and whether Omega
// has its upper face M.
type apReading struct {
	label   string
	margins []float64
	bound   float64 // 0 for the upper face that the paper has
}

// apSet is a data set as the section has it.
type apSet struct {
	name, label string
	problem     *ap.Problem
	testX       *sparse.Matrix
	testY       []float64
	grids       map[string][]map[string]string // by method and reading
	seeds       int
}

func apParts(l *laboratory) ([]part, error) {
	steps, betas := []float64{20, 10, 1, 0.1, 0.01}, []float64{0.9, 0.5, 0.1}
	if l.quick {
		steps, betas = []float64{20, 1, 0.1}, []float64{0.9, 0.1}
	}
	var sets []*apSet
	for _, name := range []string{"mushrooms", "w6a", "a9a", "w8a", "ijcnn1"} {
		split, err := datasets.Load(l.data, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s := &apSet{name: name, label: split.Name, testY: split.TestY, grids: make(map[string][]map[string]string), seeds: l.runs(5)}
		if split.Placeholder {
			s.label += " (generated)"
		}
		var scaler *sparse.Scaler
		if s.problem, scaler, err = ap.Paper(split.X, split.Y); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if s.testX, err = scaler.Apply(split.TestX); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, method := range apNames {
			for _, reading := range apReadings {
				s.grids[apKey(method, reading)] = apGrid(method, reading, steps, betas)
			}
		}
		sets = append(sets, s)
	}
	var all []run
	for _, s := range sets {
		for _, method := range apNames {
			for _, reading := range apReadings {
				for _, parameters := range s.grids[apKey(method, reading)] {
					for seed := range s.seeds {
						all = append(all, s.ending(method, parameters, seed+1))
					}
				}
			}
		}
	}
	curves := func(r results) []run {
		var list []run
		for _, s := range sets {
			for _, method := range apNames {
				for _, reading := range apReadings {
					for seed := range s.seeds {
						list = append(list, s.curves(method, s.best(r, method, reading), seed+1))
					}
				}
			}
		}
		return list
	}
	return []part{
		apTable2(sets),
		{name: "Table 3", caption: "average precision of the final models on the test rows", runs: all, show: func(r results) shown { return apTable3(sets, r) }},
		{name: "Figure 1", caption: "precision-recall curves of the final models on the test rows", runs: all, later: curves, show: func(r results) shown { return apPrecisionRecall(sets, r) }},
		{name: "Figure 2", caption: "average precision on the training rows against iterations", runs: all, later: curves, show: func(r results) shown { return apConvergence(sets, r) }},
		{name: "Table 5", caption: "MOAP-V1 against MOAP-V2 on w6a", runs: all, show: func(r results) shown { return apTable5(sets, r) }},
		{name: "Figures 3 and 4", caption: "the curves of figures 1 and 2 with MOAP-V1", show: func(results) shown {
			return shown{order: "MOAP-V1 is one of the curves in figures 1 and 2 above. The paper has these figures for phishing and w6a."}
		}},
		apTheorems(sets[2], l.runs(3), l.quick),
		{name: "Table 4", missing: "it is of deep networks on images (CIFAR)"},
	}, nil
}

func apKey(method string, reading apReading) string { return method + ", " + reading.label }

// apGrid is the grid of a method. SmoothAP has neither beta nor margin nor an Omega, SOAP
// does not project in the paper's setting.
func apGrid(method string, reading apReading, steps, betas []float64) []map[string]string {
	var grid []map[string]string
	add := func(set map[string]string) {
		if !slices.ContainsFunc(grid, func(other map[string]string) bool { return maps.Equal(other, set) }) {
			grid = append(grid, set)
		}
	}
	for _, step := range steps {
		for _, beta := range betas {
			for _, margin := range reading.margins {
				set := map[string]string{"paper": "true", "step": fmt.Sprint(step)}
				if method != "smoothap" {
					set["beta"], set["margin"] = fmt.Sprint(beta), fmt.Sprint(margin)
				}
				if reading.bound > 0 && (strings.HasPrefix(method, "moap") || method == "adap") {
					set["bound"] = fmt.Sprint(reading.bound)
				}
				add(set)
			}
		}
	}
	return grid
}

// parametersText is a map in the order of its keys.
func parametersText(parameters map[string]string) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		if name != "paper" {
			list = append(list, name+"="+parameters[name])
		}
	}
	return strings.Join(list, " ")
}

func (s *apSet) key(method string, parameters map[string]string, seed int) string {
	return fmt.Sprintf("%s; %s %s; seed %d", s.label, method, parametersText(parameters), seed)
}

func (s *apSet) solve(ctx context.Context, method string, parameters map[string]string, settings solvers.Settings) (*solvers.Result, error) {
	m, err := ap.ByName(method, parameters)
	if err != nil {
		return nil, err
	}
	return ap.Solve(ctx, s.problem, m, settings)
}

func (s *apSet) ending(method string, parameters map[string]string, seed int) run {
	return run{s.key(method, parameters, seed), 1e6 + float64(s.problem.X.Rows()+s.testX.Rows()), func(ctx context.Context) (record, error) {
		got, err := s.solve(ctx, method, parameters, solvers.Settings{Seed: uint64(seed), Workers: 1})
		if err != nil {
			return nil, err
		}
		train, err := precision(s.problem.X, s.problem.Y, got.Weights)
		if err != nil {
			return nil, err
		}
		test, err := precision(s.testX, s.testY, got.Weights)
		return record{"train": {train}, "test": {test}}, err
	}}
}

// best are the parameters whose average precision on the training rows is the highest.
func (s *apSet) best(r results, method string, reading apReading) map[string]string {
	var best map[string]string
	highest := math.Inf(-1)
	for _, parameters := range s.grids[apKey(method, reading)] {
		sum := 0.0
		for seed := range s.seeds {
			sum += r.number(s.key(method, parameters, seed+1), "train")
		}
		if sum > highest {
			best, highest = parameters, sum
		}
	}
	return best
}

const (
	apIterations = 500
	apPlaces     = 40
)

// curves is a run with the precision on the training rows along it, and its
// precision-recall curve on the test rows at the end.
func (s *apSet) curves(method string, parameters map[string]string, seed int) run {
	return run{"curves: " + s.key(method, parameters, seed), 40 * float64(s.problem.X.Rows()), func(ctx context.Context) (record, error) {
		w := &watch{metric: func(w []float64) (float64, error) { return precision(s.problem.X, s.problem.Y, w) }}
		every := float64(apIterations) / apPlaces * 20 / float64(s.problem.X.Rows())
		_, err := s.solve(ctx, method, parameters, solvers.Settings{
			Seed: uint64(seed), Workers: 1, Recorder: w, RecordEvery: every, Validation: w, Patience: math.MaxInt})
		if err != nil {
			return nil, err
		}
		r := make(record)
		for _, p := range w.trace {
			r["iterations"], r["train"] = append(r["iterations"], float64(p.Iterations)), append(r["train"], p.Metric)
		}
		if seed != 1 {
			return r, nil
		}
		final, err := s.solve(ctx, method, parameters, solvers.Settings{Seed: uint64(seed), Workers: 1})
		if err != nil {
			return nil, err
		}
		r["recall"], r["precision"], err = precisionRecall(s.testX, s.testY, final.Weights)
		return r, err
	}}
}

func precision(x *sparse.Matrix, y, w []float64) (float64, error) {
	scores, err := scored(x, w)
	if err != nil {
		return 0, err
	}
	return metrics.AveragePrecision(scores, y, nil)
}

// precisionRecall returns the precision-recall curve, thinned to a number of recalls that a plot
// can show.
func precisionRecall(x *sparse.Matrix, y, w []float64) (recall, precision []float64, err error) {
	ranking, err := ranked(x, y, w)
	if err != nil {
		return nil, nil, err
	}
	points, err := ranking.PRCurve()
	if err != nil {
		return nil, nil, err
	}
	next := 0.0
	for _, p := range points {
		if p.Recall >= next {
			recall, precision = append(recall, p.Recall), append(precision, p.Precision)
			next = p.Recall + 1./mostPoints
		}
	}
	return recall, precision, nil
}
