package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/figure"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/pauc"
)

const rangeEpochs = 50

var tableEpochs = []float64{2, 5, 10, 20, rangeEpochs}

// family is an algorithm as a figure names it, with the grid that it is tuned on.
type family struct {
	label string
	grid  []tuned
}

// thresholdSteps are the steps of the thresholds as a share of that of v: the paper's
// 1, which throws them about, and a calmer one.
var thresholdSteps = []float64{1, 0.1}

// tuned is a solver with some of its parameters.
type tuned struct {
	name string
	set  map[string]string
}

// endless is a solver with numbers for parameters in the paper's setting, with such
// thresholds, for runs that end with their epochs.
func endless(name string, threshold float64, parameters map[string]float64) tuned {
	t := tuned{name, map[string]string{"paper": "true", "outer": "10000", "threshold": fmt.Sprint(threshold)}}
	for k, v := range parameters {
		t.set[k] = fmt.Sprint(v)
	}
	return t
}

// method is the solver; change has other parameters, "" for the default.
func (t tuned) method(change map[string]string) pauc.Method {
	set := maps.Clone(t.set)
	maps.Copy(set, change)
	maps.DeleteFunc(set, func(_, value string) bool { return value == "" })
	m, err := pauc.ByName(t.name, set)
	if err != nil {
		panic(err)
	}
	return m
}

// String is a solver's parameters as the tables print them.
func (t tuned) String() string {
	inner := "C"
	if t.set["constant"] != "" {
		inner = "T"
	}
	var parts []string
	for _, v := range [][2]string{{"c", "inner"}, {inner, "length"}, {"theta/eta", "threshold"}, {"mu", "mu"}, {"gamma/mu", "step"}} {
		if text := t.set[v[1]]; text != "" {
			parts = append(parts, v[0]+"="+text)
		}
	}
	return strings.Join(parts, " ")
}

// rangeGrids is the paper's grids for the sum of ranked range. mu and gamma are those of
// E.1 times N: 200 and 1000, and gamma/mu.
func (o *options) rangeGrids(threshold float64) []family {
	steps, lengths, short := []float64{2, 5, 10}, []int{30, 100}, []int{50}
	envelopes := [][2]float64{{1000, 4}, {200, 100}}
	constants, counts, proximal := []float64{0.1, 1}, []int{2000}, []float64{200, 1000}
	if o.full {
		steps, lengths = []float64{0.1, 1, 2, 5, 10}, []int{30, 50, 100}
		short, envelopes = lengths, nil
		for _, mu := range []float64{200, 1000} {
			for _, gamma := range []float64{200, 500, 800, 4000, 20000} {
				envelopes = append(envelopes, [2]float64{mu, gamma / mu})
			}
		}
		constants, counts = []float64{0.01, 0.1, 0.5, 1}, []int{2000, 3000}
		// L of {1e-5, ..., 1} divided by N does nothing; these are what can matter.
		proximal = []float64{10, 100, 200, 1000, 1e5}
	}
	list := []family{{label: "AGD-SBCD"}, {label: "DCA.Constant.lr"}, {label: "DCA.Changing.lr"}, {label: "proximal DCA"}}
	add := func(k int, name string, parameters map[string]float64) tuned {
		m := endless(name, threshold, parameters)
		list[k].grid = append(list[k].grid, m)
		return m
	}
	for _, c := range steps {
		for _, length := range short {
			for _, e := range envelopes {
				add(0, "sorr-agd", map[string]float64{"inner": c, "length": float64(length), "mu": e[0], "step": e[1]})
			}
		}
		for _, length := range lengths {
			add(2, "sorr-dca", map[string]float64{"inner": c, "length": float64(length)})
			for _, mu := range proximal {
				add(3, "sorr-prox-dca", map[string]float64{"inner": c, "length": float64(length), "mu": mu})
			}
		}
	}
	for _, c := range constants {
		for _, count := range counts {
			add(1, "sorr-dca", map[string]float64{"inner": c, "length": float64(count)}).set["constant"] = "true"
		}
	}
	return list
}

// sorr is figure 2: the loss of the ranked range against epochs, each method with the
// parameters of its grid that do best on the training rows.
func (o *options) sorr() error {
	fmt.Print("\n# Sum of ranked range: mean logistic loss at the ranks 1000 to 20000 (figure 2)\n\n")
	fmt.Printf("From w = 0, 100 rows an iteration, %d epochs; medians over seeds 2 to %d of runs with the parameters whose\nloss with seed 1, averaged over the epochs of the table, is lowest. c, mu and gamma are the paper's times N; steps are c/(k+1),\nloops C (k+1)^2 long. The steps of the thresholds are those of v, as in the paper, or %v of them (\"calm\").\n", rangeEpochs, o.seeds+1, thresholdSteps[1])
	names := []string{"a9a", "w8a", "ijcnn1"}
	if _, err := os.Stat(filepath.Join(o.data, "covtype.xz")); err == nil {
		names = append(names, "covtype")
	} else {
		fmt.Println("covtype is not there and is left out.")
	}
	sets, err := o.choose(names...)
	if err != nil {
		return err
	}
	for _, s := range sets {
		p, err := pauc.PaperRange(s.X, s.Y)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
		rows := [][]string{{"method", "tuned"}}
		for _, e := range tableEpochs {
			rows[0] = append(rows[0], fmt.Sprintf("%v epochs", e))
		}
		rows[0] = append(rows[0], "seconds")
		var curves []figure.Curve
		for _, threshold := range thresholdSteps {
			more, lines, err := o.rangeRows(p, threshold)
			if err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
			rows, curves = append(rows, more...), append(curves, lines...)
		}
		fmt.Printf("\n## %s, ranks %d to %d\n\n", describe(s), p.M, p.N)
		figure.Table(os.Stdout, rows)
		if err := figure.Lines(filepath.Join(o.out, "pauc-sorr-"+s.Name+".png"), "sum of ranked range, "+s.Name, "epochs", "mean loss", false, false, curves); err != nil {
			return err
		}
	}
	fmt.Printf("\nplots: %s\n", filepath.Join(o.out, "pauc-sorr-*.png"))
	return nil
}

// rangeRows is the table of all methods with thresholds of one kind, and their curves.
func (o *options) rangeRows(p *pauc.RangeProblem, threshold float64) ([][]string, []figure.Curve, error) {
	var rows [][]string
	var curves []figure.Curve
	winners := []string{"lowest", ""}
	lowest := make([]float64, len(tableEpochs))
	for range tableEpochs {
		winners = append(winners, "")
	}
	for _, f := range o.rangeGrids(threshold) {
		label := f.label
		if threshold != thresholdSteps[0] {
			label += ", calm"
		}
		best, runs, err := tuneRange(p, f.grid, o.seeds)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", label, err)
		}
		row := []string{label, best.String()}
		for k, e := range tableEpochs {
			v := contest.Median(each(runs, func(r []point) float64 { return at(r, e).value }))
			if len(rows) == 0 || v < lowest[k] {
				lowest[k], winners[k+2] = v, label
			}
			row = append(row, fmt.Sprintf("%.6f", v))
		}
		rows = append(rows, append(row, fmt.Sprintf("%.3f", contest.Median(each(runs, func(r []point) float64 { return r[len(r)-1].seconds })))))
		curves = append(curves, line(label, runs[0], passes, value))
	}
	return append(rows, append(winners, "")), curves, nil
}

// tuneRange returns the method of a grid that is lowest on average over the epochs of
// the table with seed 1, and its runs with the seeds that follow.
func tuneRange(p *pauc.RangeProblem, grid []tuned, seeds int) (tuned, [][]point, error) {
	settings := solvers.Settings{MaxPasses: rangeEpochs, Initial: make([]float64, p.X.Cols())}
	errs := make([]error, len(grid)+seeds)
	best := lowest(len(grid), func(k int) float64 {
		s := settings
		s.Seed = 1
		points, err := runRange(p, grid[k].method(nil), s)
		if errs[k] = err; err != nil {
			return 0
		}
		sum := 0.0
		for _, e := range tableEpochs {
			sum += at(points, e).value
		}
		return sum
	})
	runs := make([][]point, seeds)
	for seed := range seeds { // one at a time: their seconds are shown
		s := settings
		s.Seed = uint64(seed + 2)
		runs[seed], errs[len(grid)+seed] = runRange(p, grid[best].method(nil), s)
	}
	for _, err := range errs {
		if err != nil {
			return tuned{}, nil, err
		}
	}
	return grid[best], runs, nil
}

// each maps runs to numbers.
func each(runs [][]point, of func([]point) float64) []float64 {
	out := make([]float64, len(runs))
	for k, r := range runs {
		out[k] = of(r)
	}
	return out
}
