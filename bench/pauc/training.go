package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/bench/figure"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/pauc"
)

// middle is the range of false-positive rates of the paper's experiments.
var middle = [2]float64{0.05, 0.5}

const (
	pairEpochs = 60
	early      = 0.05 // seconds
)

// pairGrids is the paper's grids of appendix E.2 for the partial AUC, mu and gamma
// times P N.
func (o *options) pairGrids() []family {
	steps, lengths := []float64{5, 30}, []int{100}
	envelopes, proximal := [][2]float64{{100, 20}, {1000, 5}}, []float64{1000}
	if o.full {
		steps, lengths = []float64{0.1, 1, 5, 10, 20, 30}, []int{100, 200, 500}
		envelopes = [][2]float64{{100, 20}, {100, 50}, {1000, 2}, {1000, 5}}
		// L of {1e-5, ..., 1} divided by P N does nothing; these are what can matter.
		proximal = []float64{100, 1000, 1e5}
	}
	list := []family{{label: "AGD-SBCD"}, {label: "DCA"}, {label: "proximal DCA"}}
	add := func(k int, name string, parameters map[string]float64) {
		for _, t := range thresholdSteps {
			list[k].grid = append(list[k].grid, endless(name, t, parameters))
		}
	}
	for _, c := range steps {
		for _, e := range envelopes {
			add(0, "agd-sbcd", map[string]float64{"inner": c, "length": 50, "mu": e[0], "step": e[1]})
		}
		for _, length := range lengths {
			add(1, "dca", map[string]float64{"inner": c, "length": float64(length)})
			for _, mu := range proximal {
				add(2, "prox-dca", map[string]float64{"inner": c, "length": float64(length), "mu": mu})
			}
		}
	}
	return list
}

// rivals are the ways in which SVMpAUC-tight is tuned: on the paper's C, which is
// 1/lambda, and on less of a regulariser.
func (o *options) rivals() []rival {
	list := []rival{{label: "SVM, the paper's C", lambdas: []float64{1, 1000}}, {label: "SVM, small lambda", lambdas: []float64{1e-3, 1e-5}}}
	if o.full {
		list[0].lambdas = []float64{1, 10, 100, 1000}
		list[1].lambdas = []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}
	}
	return list
}

// rival is SVMpAUC-tight with the lambda, out of some, that has the highest area.
type rival struct {
	label   string
	lambdas []float64

	lambda, area, loss, seconds float64
}

// curve is a run with the two measures of figure 1 at its points.
type curve struct {
	label      string
	points     []point
	loss, area []float64
}

// measure computes F and the area of each point of a run.
func measure(label string, p *pauc.Problem, points []point) curve {
	c := curve{label, points, make([]float64, len(points)), make([]float64, len(points))}
	contest.Each(len(points), func(k int) {
		c.loss[k], c.area[k] = lossAt(p, points[k].w), area(p.X, p.Y, points[k].w, [2]float64{p.Low, p.High})
	})
	return c
}

// lossAt is the mean logistic loss of the pairs in the range, NaN where it overflows.
func lossAt(p *pauc.Problem, w []float64) float64 {
	v, err := p.Loss(nil, w)
	if err != nil {
		return math.NaN()
	}
	return v / (p.High - p.Low)
}

func (c curve) final() int { return len(c.points) - 1 }

// against says after how many seconds and epochs the run has the rival's area, how many
// times sooner than the rival that is, and by how much it ends above.
func (c curve) against(r rival) string {
	end := fmt.Sprintf("ends %+.1f %%", 100*(c.area[c.final()]/r.area-1))
	for k, v := range c.area {
		if v >= r.area {
			p := c.points[k]
			return fmt.Sprintf("%.3f s, %.2f epochs, %.1fx, %s", p.seconds, p.passes, r.seconds/p.seconds, end)
		}
	}
	return "never, " + end
}

// training is figure 1 and table 1.
func (o *options) training() error {
	fmt.Printf("\n# Partial AUC in [%v, %v] on the training rows (figure 1, table 1)\n\n", middle[0], middle[1])
	fmt.Printf("Logistic loss of pairs, batches of 100 + 100, %d epochs, one worker; parameters that end with the lowest loss\nfrom w = 0 with seed 1; seed 2 is shown, from w = 0 and from the warm start, a class-weighted logistic fit.\nThe steps of the thresholds are %v (the paper has 1 only) of those of v, for every method.\nSVMpAUC-tight starts at 0, runs to a duality gap of 1e-4, and has the lambda with the highest area, of\nthe paper's C = 1/lambda or of smaller ones. A method passes it at the first outer iterate with its area.\nThe paper's table 1, on CheXpert: passed 9 to 33 times sooner, ending 12 to 31 %% above.\n", pairEpochs, thresholdSteps)
	sets, err := o.choose("ijcnn1", "w8a", "generated")
	if err != nil {
		return err
	}
	withSVM := exists("svm-pauc-tight")
	for _, s := range sets {
		fmt.Printf("\n## %s\n\n", describe(s))
		if err := o.trainingOn(s, withSVM); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	fmt.Printf("\nplots: %s\n", filepath.Join(o.out, "pauc-train-*.png"))
	return nil
}

func (o *options) trainingOn(s *datasets.Split, withSVM bool) error {
	p, err := pauc.Paper(s.X, s.Y)
	if err != nil {
		return err
	}
	rows := [][]string{{"method", "tuned", "start", "loss at 5 epochs", "20", fmt.Sprint(pairEpochs), fmt.Sprintf("after %v s", early), "area at 5 epochs", "20", fmt.Sprint(pairEpochs), fmt.Sprintf("after %v s", early), "seconds"}}
	var rivals []rival
	if withSVM {
		rivals = o.rivals()
		for k := range rivals {
			if err := rivals[k].train(p); err != nil {
				return err
			}
			rows[0] = append(rows[0], "passes "+rivals[k].label)
		}
	}
	var curves []curve
	show := func(label, tuned, start string, m pauc.Method, settings solvers.Settings) error {
		points, err := runPairs(p, m, settings)
		if err != nil {
			return fmt.Errorf("%s: %w", label, err)
		}
		c := measure(label+", "+start, p, points)
		curves = append(curves, c)
		row := []string{label, tuned, start}
		for _, v := range [][]float64{c.loss, c.area} {
			for _, e := range []float64{5, 20, pairEpochs} {
				row = append(row, fmt.Sprintf("%.4f", v[c.index(e, passes)]))
			}
			row = append(row, fmt.Sprintf("%.4f", v[c.index(early, seconds)]))
		}
		row = append(row, fmt.Sprintf("%.2f", points[c.final()].seconds))
		for _, r := range rivals {
			row = append(row, c.against(r))
		}
		rows = append(rows, row)
		return nil
	}
	zero := make([]float64, s.X.Cols())
	for _, f := range o.pairGrids() {
		best, err := tunePairs(p, f.grid)
		if err != nil {
			return fmt.Errorf("%s: %w", f.label, err)
		}
		if err := show(f.label, best.String(), "w = 0", best.method(nil), solvers.Settings{MaxPasses: pairEpochs, Seed: 2, Initial: zero}); err != nil {
			return err
		}
		warm := map[string]string{"paper": ""}
		if best.name == "agd-sbcd" {
			warm["logistic"] = "true"
		}
		if err := show(f.label, best.String(), "warm", best.method(warm), solvers.Settings{MaxPasses: pairEpochs, Seed: 2}); err != nil {
			return err
		}
	}
	if err := show("AGD-SBCD, defaults", "sigmoid loss", "w = 0", pauc.AGDSBCD{}, solvers.Settings{Seed: 2, Initial: zero}); err != nil {
		return err
	}
	if err := show("AGD-SBCD, defaults", "sigmoid loss", "warm", pauc.AGDSBCD{}, solvers.Settings{Seed: 2}); err != nil {
		return err
	}
	for _, r := range rivals {
		row := []string{r.label, fmt.Sprintf("lambda=%v", r.lambda), "w = 0", "", "", fmt.Sprintf("%.4f", r.loss), "", "", "", fmt.Sprintf("%.4f", r.area), "", fmt.Sprintf("%.2f", r.seconds)}
		for range rivals {
			row = append(row, "")
		}
		rows = append(rows, row)
	}
	figure.Table(os.Stdout, rows)
	return o.drawTraining(s.Name, curves, rivals)
}

// index is the last point within a number of passes or seconds.
func (c curve) index(end float64, of func(point) float64) int {
	last := 0
	for k, p := range c.points {
		if of(p) <= end {
			last = k
		}
	}
	return last
}

// tunePairs returns the method of a grid whose loss ends lowest with seed 1 from w = 0.
func tunePairs(p *pauc.Problem, grid []tuned) (tuned, error) {
	errs := make([]error, len(grid))
	best := lowest(len(grid), func(k int) float64 {
		points, err := runPairs(p, grid[k].method(nil), solvers.Settings{MaxPasses: pairEpochs, Seed: 1, Initial: make([]float64, p.X.Cols())})
		if errs[k] = err; err != nil {
			return 0
		}
		return lossAt(p, points[len(points)-1].w)
	})
	for _, err := range errs {
		if err != nil {
			return tuned{}, err
		}
	}
	return grid[best], nil
}

// train runs SVMpAUC-tight with each lambda.
func (r *rival) train(p *pauc.Problem) error {
	m, err := pauc.ByName("svm-pauc-tight", nil)
	if err != nil {
		return err
	}
	r.area = -1
	for _, lambda := range r.lambdas {
		own := *p
		own.Lambda = lambda
		points, err := runPairs(&own, m, solvers.Settings{Seed: 1, Initial: make([]float64, p.X.Cols())})
		if err != nil {
			return fmt.Errorf("SVMpAUC-tight, lambda %v: %w", lambda, err)
		}
		last := points[len(points)-1]
		if a := area(p.X, p.Y, last.w, middle); a > r.area {
			r.area, r.seconds, r.lambda, r.loss = a, last.seconds, lambda, lossAt(p, last.w)
		}
	}
	return nil
}

// drawTraining draws the loss and what the area lacks against epochs and seconds.
// SVMpAUC-tight is a level: its passes are not epochs of batches.
func (o *options) drawTraining(name string, curves []curve, rivals []rival) error {
	for _, plot := range []struct {
		file, x, y string
		of         func(point) float64
		loss       bool
	}{
		{"loss-epochs", "epochs", "mean loss of the pairs in the range", passes, true},
		{"loss-seconds", "seconds", "mean loss of the pairs in the range", seconds, true},
		{"area-epochs", "epochs", "1 - normalised partial AUC", passes, false},
		{"area-seconds", "seconds", "1 - normalised partial AUC", seconds, false},
	} {
		var lines []figure.Curve
		end := 0.0
		for _, c := range curves {
			at := 0
			lines = append(lines, line(c.label, c.points, plot.of, func(point) float64 {
				at++
				if plot.loss {
					return c.loss[at-1]
				}
				return lacking(c.area[at-1])
			}))
			end = max(end, plot.of(c.points[c.final()]))
		}
		for _, r := range rivals {
			if !plot.loss {
				lines = append(lines, line(r.label, []point{{}, {passes: end, seconds: end}}, plot.of, func(point) float64 { return lacking(r.area) }))
			}
		}
		path := filepath.Join(o.out, "pauc-train-"+name+"-"+plot.file+".png")
		if err := figure.Lines(path, fmt.Sprintf("partial AUC in [%v, %v], %s", middle[0], middle[1], name), plot.x, plot.y, false, !plot.loss, lines); err != nil {
			return err
		}
	}
	return nil
}

// lacking is 1 - area for an axis of powers of ten, NaN where that has no place.
func lacking(area float64) float64 {
	if area < 1 {
		return 1 - area
	}
	return math.NaN()
}
