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
	"github.com/lanes-go/lanes/sparse"
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

// table3 repeats section 4.1: features in [0, 1], sigmoid scores, squared hinge, 500
// iterations, lambda 1e-4, step and beta of the paper's grids, chosen by the average
// precision of the final model on the training rows, and the mean test precision of
// the final models over the seeds. What the section leaves open is fixed here before
// any result, and not tuned:
//
//   - The mini-batch of 20 is all the rows that an iteration looks at, 10 of each
//     class: SmoothAP, which has the same batch, has no other reading, since it needs
//     both classes in its one batch, and the code of the paper's authors has one batch
//     with a fixed share of positives for SOAP as well.
//   - The margin is 1, the default of that code. (Section 4.2 tunes it; 4.1 names
//     neither a value nor a grid.)
//   - SmoothAP's temperature is the 0.01 of its own paper, Omega has no upper bound,
//     w, U and the moments begin at 0, and Adam's second moment has a share of 0.001.
//
// A difference is marked (*) where it is larger than our deviation, the paper's and
// the rounding of its figures together, and * where it is so too if the paper's
// deviations are variances. We think they are: 500 iterations of 20 random rows do not
// repeat to 1e-6 of average precision on a9a, and the squares of our deviations are of
// the order of the paper's figures on every set (3e-4 to 8e-4 on w8a and ijcnn1).
//
// Why the results differ. With margin 1 no pair of sigmoid scores, which lie in
// (0, 1), is ever outside the hinge: the surrogate has nothing to say about the top of
// the ranking in particular. That is where we lose to the paper on w6a, w8a and ijcnn1,
// and MOAP-V2 most: its estimates of a positive's rank are m/B times too large where
// it was sampled once, as most are in 500 iterations, and its gradients as much too
// small, for which the largest step of the grid does not make up. The second table,
// made after seeing this, has a margin of 0.1 and nothing else changed: MOAP-V2,
// ADAP and both SOAPs on ijcnn1, ADAP on w8a, MOAP-V2 and both SOAPs on w6a come to
// within the deviations of where the paper has them, the others on w8a above, so that the paper's "other involved parameters" seem to
// include the margin. Twice as many rows, 20 of each class as the other reading of the
// batch, raise most results by a few hundredths and change none of that. SmoothAP is
// better here than there because half of its batch is positive: with as many as the
// data have (-only smoothap -set "positives=2 negatives=18") it falls to 0.42 on ijcnn1
// and 0.61 on w8a, towards the paper's 0.374 and 0.459. ADAP on mushrooms and
// w6a depends on Adam's constants, which the section leaves open too: with -set
// second=0.1 it comes to 0.9994 and, at margin 0.1, to 0.623, with delta=0.001 to 0.9999
// and 0.642; what remains on w6a (0.675 in the paper) may be our split of it.
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
		s, err := scaled(s)
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
func tune(s *split, name string, grid []map[string]string, seeds int) (map[string]string, []float64) {
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

// having returns the solvers that have all the parameters.
func having(parameters map[string]string, all ...string) []string {
	return slices.DeleteFunc(all, func(name string) bool {
		_, err := ap.ByName(name, parameters)
		return err != nil
	})
}
