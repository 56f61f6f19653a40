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

const pairEpochs = 60

// pairGrids is the paper's grids of appendix E.2 for the partial AUC, mu and gamma
// times P N.
func (o *options) pairGrids() []family {
	steps, lengths := []float64{5, 30}, []int{100}
	envelopes, proximal := [][2]float64{{100, 20}, {1000, 2}}, []float64{1000}
	if o.full {
		steps, lengths = []float64{0.1, 1, 5, 10, 20, 30}, []int{100, 200, 500}
		envelopes = [][2]float64{{100, 20}, {100, 50}, {1000, 2}, {1000, 5}}
		// L of {1e-5, ..., 1} divided by P N does nothing; these are what can matter.
		proximal = []float64{100, 1000, 1e5}
	}
	list := []family{{label: "AGD-SBCD"}, {label: "DCA"}, {label: "proximal DCA"}}
	add := func(k int, m pauc.Method) { list[k].grid = append(list[k].grid, withThresholds(m)...) }
	for _, c := range steps {
		for _, e := range envelopes {
			add(0, pauc.Method{Algorithm: pauc.AGDSBCD, Inner: c, Length: 50, Mu: e[0], Step: e[1]})
		}
		for _, length := range lengths {
			add(1, pauc.Method{Algorithm: pauc.DCA, Inner: c, Length: length})
			for _, mu := range proximal {
				add(2, pauc.Method{Algorithm: pauc.ProxDCA, Inner: c, Length: length, Mu: mu})
			}
		}
	}
	return list
}

// svmLambdas are the regularisers that SVMpAUC-tight is tuned on.
func (o *options) svmLambdas() []float64 {
	if o.full {
		return []float64{1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6}
	}
	return []float64{1e-3, 1e-5}
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

// passing returns the first point of at least that area.
func (c curve) passing(area float64) (point, bool) {
	for k, v := range c.area {
		if v >= area {
			return c.points[k], true
		}
	}
	return point{}, false
}

// training is figure 1 and table 1.
func (o *options) training() error {
	fmt.Printf("\n# Partial AUC in [%v, %v] on the training rows (figure 1, table 1)\n\n", middle[0], middle[1])
	fmt.Printf("Logistic loss of pairs, batches of 100 + 100, %d epochs, one worker; parameters that end with the lowest loss\nfrom w = 0 with seed 1; seed 2 is shown, from w = 0 and from the warm start, a class-weighted logistic fit.\nThe steps of the thresholds are %v (the paper has 1 only) of those of v, for every method.\nSVMpAUC-tight starts at 0, runs to its duality gap, and has the lambda of %v with the highest area.\n", pairEpochs, thresholdSteps, o.svmLambdas())
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
	p := &pauc.Problem{X: s.X, Y: s.Y, Low: middle[0], High: middle[1]}
	var svm curve
	svmSeconds := math.NaN()
	if withSVM {
		var lambda float64
		var err error
		if svm, svmSeconds, lambda, err = o.tight(p); err != nil {
			return err
		}
		fmt.Printf("SVMpAUC-tight, lambda %v: area %.4f, loss %.4f, %.2f s\n\n", lambda, svm.area[svm.final()], svm.loss[svm.final()], svmSeconds)
	}
	rows := [][]string{{"method", "tuned", "start", "loss at 5 epochs", "20", fmt.Sprint(pairEpochs), "area at 5 epochs", "20", fmt.Sprint(pairEpochs), "seconds", "passes SVM's area after", "times sooner", "area, of SVM's"}}
	var curves []curve
	for _, f := range o.pairGrids() {
		best, err := tunePairs(p, f.grid)
		if err != nil {
			return fmt.Errorf("%s: %w", f.label, err)
		}
		for _, warm := range []bool{false, true} {
			settings, m, start := solvers.Settings{MaxPasses: pairEpochs, Seed: 2, Initial: make([]float64, s.X.Cols())}, best, "w = 0"
			if warm {
				m.Paper, m.Logistic, settings.Initial, start = false, m.Algorithm == pauc.AGDSBCD, nil, "warm"
			}
			points, err := runPairs(p, m, settings)
			if err != nil {
				return fmt.Errorf("%s: %w", f.label, err)
			}
			c := measure(f.label+", "+start, p, points)
			curves = append(curves, c)
			row := []string{f.label, text(m), start}
			for _, v := range [][]float64{c.loss, c.area} {
				for _, e := range []float64{5, 20, pairEpochs} {
					row = append(row, fmt.Sprintf("%.4f", v[c.index(e)]))
				}
			}
			row = append(row, fmt.Sprintf("%.2f", points[c.final()].seconds), "-", "-", "-")
			if withSVM {
				reached := svm.area[svm.final()]
				if at, found := c.passing(reached); found {
					row[len(row)-3], row[len(row)-2] = fmt.Sprintf("%.3f s, %.2f epochs", at.seconds, at.passes), fmt.Sprintf("%.1f", svmSeconds/at.seconds)
				}
				row[len(row)-1] = fmt.Sprintf("%+.1f %%", 100*(c.area[c.final()]/reached-1))
			}
			rows = append(rows, row)
		}
	}
	figure.Table(os.Stdout, rows)
	return o.drawTraining(s.Name, append(curves, svm))
}

// index is the last point within a number of passes.
func (c curve) index(passes float64) int {
	last := 0
	for k, p := range c.points {
		if p.passes <= passes {
			last = k
		}
	}
	return last
}

// tunePairs returns the method of a grid whose loss ends lowest with seed 1 from w = 0.
func tunePairs(p *pauc.Problem, grid []pauc.Method) (pauc.Method, error) {
	errs := make([]error, len(grid))
	best := lowest(len(grid), func(k int) float64 {
		points, err := runPairs(p, grid[k], solvers.Settings{MaxPasses: pairEpochs, Seed: 1, Initial: make([]float64, p.X.Cols())})
		if errs[k] = err; err != nil {
			return 0
		}
		return lossAt(p, points[len(points)-1].w)
	})
	for _, err := range errs {
		if err != nil {
			return pauc.Method{}, err
		}
	}
	return grid[best], nil
}

// tight runs SVMpAUC-tight with each lambda.
func (o *options) tight(p *pauc.Problem) (best curve, seconds, lambda float64, err error) {
	m, err := pauc.ByName("svm-pauc-tight", nil)
	if err != nil {
		return best, 0, 0, err
	}
	highest := -1.0
	for _, l := range o.svmLambdas() {
		own := *p
		own.Lambda = l
		points, err := runPairs(&own, m, solvers.Settings{Seed: 1, Initial: make([]float64, p.X.Cols())})
		if err != nil {
			return best, 0, 0, fmt.Errorf("SVMpAUC-tight, lambda %v: %w", l, err)
		}
		last := points[len(points)-1]
		if a := area(p.X, p.Y, last.w, middle); a > highest {
			highest, seconds, lambda = a, last.seconds, l
			best = measure("SVMpAUC-tight", p, points[len(points)-1:])
		}
	}
	return best, seconds, lambda, nil
}

// drawTraining draws loss and area against epochs and seconds. SVMpAUC-tight is a
// level: its passes are not epochs of batches.
func (o *options) drawTraining(name string, curves []curve) error {
	for _, plot := range []struct {
		file, x, y string
		of         func(point) float64
		loss       bool
	}{
		{"loss-epochs", "epochs", "mean loss of the pairs in the range", passes, true},
		{"loss-seconds", "seconds", "mean loss of the pairs in the range", seconds, true},
		{"area-epochs", "epochs", "normalised partial AUC", passes, false},
		{"area-seconds", "seconds", "normalised partial AUC", seconds, false},
	} {
		var lines []figure.Curve
		end := 0.0
		for _, c := range curves {
			at, values := 0, c.area
			if plot.loss {
				values = c.loss
			}
			if len(c.points) < 2 {
				if len(c.points) == 1 && !plot.loss {
					level := line(c.label, []point{{}, {passes: end, seconds: end}}, plot.of, func(point) float64 { return values[0] })
					lines = append(lines, level)
				}
				continue
			}
			lines = append(lines, line(c.label, c.points, plot.of, func(point) float64 { at++; return values[at-1] }))
			end = max(end, plot.of(c.points[c.final()]))
		}
		path := filepath.Join(o.out, "pauc-train-"+name+"-"+plot.file+".png")
		if err := figure.Lines(path, fmt.Sprintf("partial AUC in [%v, %v], %s", middle[0], middle[1], name), plot.x, plot.y, false, false, lines); err != nil {
			return err
		}
	}
	return nil
}
