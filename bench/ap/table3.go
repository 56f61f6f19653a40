package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
)

// spread is a mean with its deviation.
type spread struct{ mean, deviation float64 }

// published is tables 3 and 5 where the data sets are at hand; MOAP-V1 is in table 5
// only, whose sets are phishing and w6a. The paper does not say what its deviation of
// mushrooms at 1 is.
var published = map[string]map[string]spread{
	"moap-v1":   {"w6a": {0.608, 4e-4}},
	"moap-v2":   {"mushrooms": {0.999, 2e-6}, "w6a": {0.596, 2e-3}, "a9a": {0.715, 3e-5}, "w8a": {0.584, 4e-4}, "ijcnn1": {0.471, 6e-4}},
	"adap":      {"mushrooms": {1, 0}, "w6a": {0.675, 1e-4}, "a9a": {0.730, 1e-6}, "w8a": {0.659, 5e-4}, "ijcnn1": {0.536, 1e-3}},
	"soap":      {"mushrooms": {0.997, 1e-5}, "w6a": {0.612, 4e-5}, "a9a": {0.714, 3e-5}, "w8a": {0.561, 1e-3}, "ijcnn1": {0.476, 2e-4}},
	"soap-adam": {"mushrooms": {1, 0}, "w6a": {0.592, 3e-4}, "a9a": {0.721, 1e-5}, "w8a": {0.475, 2e-3}, "ijcnn1": {0.547, 1e-3}},
	"smoothap":  {"mushrooms": {0.962, 1e-3}, "w6a": {0.473, 1e-4}, "a9a": {0.713, 3e-5}, "w8a": {0.459, 3e-4}, "ijcnn1": {0.374, 3e-4}},
}

// The grids of section 4.1.
var (
	steps = []float64{20, 10, 1, 0.1, 0.01}
	betas = []float64{0.9, 0.5, 0.1}
)

// posed is a data set as the section has it.
type posed struct {
	*split
	problem *ap.Problem
}

// pose scales the features of a data set, those of the test rows by the ranges of the
// training rows.
func pose(s *split) (*posed, error) {
	out := *s
	p, scaler, err := ap.Paper(s.x, s.y)
	if err != nil {
		return nil, err
	}
	out.x = p.X
	out.testX, err = scaler.Apply(s.testX)
	return &posed{&out, p}, err
}

func paperRun(s *posed, m ap.Method, seed int) []float64 {
	r, err := ap.Solve(context.Background(), s.problem, m, solvers.Settings{Seed: uint64(seed), Workers: 1})
	if err != nil {
		panic(err)
	}
	return r.Weights
}

// table3 repeats section 4.1, in the setting that ap.Paper describes with what the section
// leaves open: step and beta are of the paper's grids, chosen by the average precision of
// the final model on the training rows, and the table has the mean test precision of the
// final models over the seeds.
//
// A difference is marked (*) where it is larger than our deviation, the paper's and
// the rounding of its figures together, and * where it is so too if the paper's
// deviations are variances. We think they are: 500 iterations of 20 random rows do not
// repeat to 1e-6 of average precision on a9a, and the squares of our deviations are of
// the order of the paper's figures on every set (3e-4 to 8e-4 on w8a and ijcnn1).
//
// Why the results differ is not known. What was tried, each tuned anew:
//
//   - A margin of 0.1, the second table. With margin 1 no pair of sigmoid scores, which lie
//     in (0, 1), is ever outside the hinge, so that the surrogate has nothing to say about
//     the top of the ranking. With 0.1 MOAP-V2 and SOAP come to the paper's figures or above
//     on all sets, ADAP does not on w6a (0.58), w8a (0.61) and ijcnn1 (0.46). The section
//     names no margin; section 4.2 tunes it.
//   - No upper face of Omega (-set bound=1e9): MOAP-V2 0.31 in place of 0.26 on ijcnn1 at
//     margin 1, ADAP 0.67 and 0.50 on w8a and ijcnn1 at margin 0.1, which are the paper's
//     figures within the deviations or nearly. Its own projection costs it more than any
//     other choice here.
//   - 20 rows of each class, the other reading of the batch: a few hundredths more, ADAP
//     0.62 on w6a and 0.52 on ijcnn1 at margin 0.1.
//   - As many positives as the data have, for SmoothAP, which is better here than there
//     (-only smoothap -set "positives=2 negatives=18"): 0.61 and 0.43 on w8a and ijcnn1,
//     nearer to the paper's 0.459 and 0.374.
//   - Adam's constants, for ADAP at margin 0.1: second=0.1 gives 0.9990 on mushrooms and
//     0.62 on w6a, delta=0.001 0.9904 and 0.61. What remains on w6a (0.675 in the paper) may
//     be our split of it.
func table3(sets []*split, seeds int, only string, parameters map[string]string) {
	for _, margin := range []float64{1, 0.1} {
		fmt.Printf("\nTable 3, margin %v\n", margin)
		tableWith(sets, seeds, margin, only, parameters)
	}
}

func tableWith(sets []*split, seeds int, margin float64, only string, parameters map[string]string) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintln(w, "data\tmethod\ttest AP\tdeviation\tpaper\tdeviation\tdifference\t\tstep\tbeta")
	var lines []string
	for _, s := range sets {
		if s.name == "dorothea" {
			continue
		}
		s, err := pose(s)
		if err != nil {
			panic(err)
		}
		results := make(map[string]spread)
		for _, name := range having(parameters, "moap-v1", "moap-v2", "adap", "soap", "soap-adam", "smoothap") {
			if only != "" && only != name || name == "smoothap" && margin != 1 {
				continue // SmoothAP has no margin
			}
			best, tests := tune(s, name, gridOf(name, margin, parameters), seeds)
			r := spreadOf(tests)
			results[name] = r
			line := "\t\t\t"
			if v, found := published[name][s.name]; found && !s.placeholder {
				line = fmt.Sprintf("%.3f\t%.0e\t%+.3f\t%s", v.mean, v.deviation, r.mean-v.mean, mark(r, v))
			}
			fmt.Fprintf(w, "%s\t%s\t%.4f\t%.4f\t%s\t%v\t%v\n", s.name, name, r.mean, r.deviation, line, best["step"], best["beta"])
		}
		w.Flush()
		lines = append(lines, fmt.Sprintf("%s\t%.4f\t%.4f\t%+.4f\t%.4f", s.name,
			results["moap-v1"].mean, results["moap-v2"].mean, results["moap-v1"].mean-results["moap-v2"].mean, results["adap"].mean))
	}
	if only != "" {
		return
	}
	fmt.Fprintln(w, "\nTable 5\tMOAP-V1\tMOAP-V2\tdifference\tADAP")
	for _, line := range append(lines, "paper, phishing\t0.972\t0.978\t-0.006\t0.981", "paper, w6a\t0.608\t0.596\t+0.012\t0.675") {
		fmt.Fprintln(w, line)
	}
}

// mark tells how a result of ours differs from one of the paper's, as table3 says.
func mark(ours, paper spread) string {
	const rounding = 0.0005
	distance := math.Abs(ours.mean-paper.mean) - ours.deviation - rounding
	switch {
	case distance > math.Sqrt(paper.deviation):
		return "*"
	case distance > paper.deviation:
		return "(*)"
	}
	return ""
}

func spreadOf(values []float64) spread {
	var s spread
	for _, v := range values {
		s.mean += v / float64(len(values))
	}
	for _, v := range values {
		s.deviation += (v - s.mean) * (v - s.mean) / float64(len(values))
	}
	s.deviation = math.Sqrt(s.deviation)
	return s
}

// gridOf is the grid of a solver, as parameters; those that are set are not varied.
func gridOf(name string, margin float64, parameters map[string]string) []map[string]string {
	var grid []map[string]string
	for _, step := range steps {
		for _, beta := range betas {
			set := map[string]string{"paper": "true", "step": fmt.Sprint(step)}
			if name != "smoothap" { // it has neither
				set["beta"], set["margin"] = fmt.Sprint(beta), fmt.Sprint(margin)
			}
			maps.Copy(set, parameters)
			if !slices.ContainsFunc(grid, func(other map[string]string) bool { return maps.Equal(other, set) }) {
				grid = append(grid, set)
			}
		}
	}
	return grid
}

// tune returns the parameters of a grid with the highest training precision over the
// seeds, and the test precisions seed by seed.
func tune(s *posed, name string, grid []map[string]string, seeds int) (map[string]string, []float64) {
	methods := make([]ap.Method, len(grid))
	for k, set := range grid {
		var err error
		if methods[k], err = ap.ByName(name, set); err != nil {
			panic(err)
		}
	}
	train := make([]float64, len(grid))
	contest.Each(len(grid), func(k int) {
		for seed := range seeds {
			train[k] += precision(s.x, s.y, paperRun(s, methods[k], seed+1))
		}
	})
	best := 0
	for k := range grid {
		if train[k] > train[best] {
			best = k
		}
	}
	tests := make([]float64, seeds)
	contest.Each(seeds, func(k int) { tests[k] = precision(s.testX, s.testY, paperRun(s, methods[best], k+1)) })
	return grid[best], tests
}

// having returns the solvers that have all the parameters.
func having(parameters map[string]string, all ...string) []string {
	return slices.DeleteFunc(all, func(name string) bool {
		_, err := ap.ByName(name, parameters)
		return err != nil
	})
}
