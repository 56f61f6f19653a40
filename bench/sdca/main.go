// Command sdca repeats the experiments of "Dual Free Adaptive Minibatch SDCA for
// Empirical Risk Minimization": adfSDCA, adfSDCA+ with several divisors, uniform
// and importance-sampled dual-free SDCA and Prox-SDCA (figures 2 and 3), the
// residues after the first epochs (figure 4), and batches of 1 to 32 (figures 5
// and 6), for the logistic and the squared loss with lambda = 1/n.
//
//	cd bench && go run ./sdca -data ../../shared/data -out ../out
//
// It prints epochs and seconds to duality gaps of 1e-3, 1e-6 and 1e-9, and draws
// the gap. adfSDCA costs O(n) an iteration, so the data sets are thinned to -rows
// rows. Data sets that are absent are generated in their shape.
package main

import (
	"context"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"gonum.org/v1/plot/plotter"

	"github.com/lanes-go/lanes/bench/figure"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sdca"
	"github.com/lanes-go/lanes/sparse"
)

// sets are the data sets, with what is generated in place of absent ones and the
// label against the rest where there are several classes.
var sets = []struct {
	name     string
	shape    sparse.Shape
	positive float64
}{
	{"w8a", sparse.Shape{Name: "imbalanced", N: 49749, D: 300, Seed: 1}, 1},
	{"mushrooms", sparse.Shape{Name: "onehot", N: 8124, D: 112, Seed: 1}, 1},
	{"ijcnn1", sparse.Shape{Name: "dense", N: 49990, D: 22, Seed: 1}, 1},
	{"sector.scale", sparse.Shape{Name: "text", N: 6412, D: 55197, Seed: 1}, 1},
	{"news20.multi", sparse.Shape{Name: "text", N: 15935, D: 62061, Seed: 2}, 1},
	{"rcv1_vw_small.train", sparse.Shape{Name: "text", N: 10000, D: 47236, Seed: 3}, 1},
}

var gaps = []float64{1e-3, 1e-6, 1e-9}

type options struct {
	data, out string
	rows      int
	limit     time.Duration
	passes    float64
	raw       bool
}

func main() {
	var o options
	only := flag.String("sets", "", "data sets, separated by commas (default all)")
	flag.StringVar(&o.data, "data", "../../shared/data", "folder of the data sets")
	flag.StringVar(&o.out, "out", "../out", "folder for the plots")
	flag.IntVar(&o.rows, "rows", 4000, "rows that are kept, evenly spread; 0 for all")
	flag.DurationVar(&o.limit, "limit", 20*time.Second, "most time of a run")
	flag.Float64Var(&o.passes, "passes", 100, "most passes of a run")
	flag.BoolVar(&o.raw, "raw", false, "leave the rows at their lengths instead of unit length")
	flag.Parse()
	if err := run(o, *only); err != nil {
		fmt.Fprintln(os.Stderr, "sdca:", err)
		os.Exit(1)
	}
}

func run(o options, only string) error {
	if err := os.MkdirAll(o.out, 0o755); err != nil {
		return err
	}
	for _, set := range sets {
		if only != "" && !slices.Contains(strings.Split(only, ","), set.name) {
			continue
		}
		x, y, name, err := o.load(set.name, set.shape, set.positive)
		if err != nil {
			return fmt.Errorf("%s: %w", set.name, err)
		}
		for _, loss := range []kernels.Loss{kernels.Logistic, kernels.Squared} {
			p, err := sdca.Paper(x, y, loss)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			e := &experiment{options: o, set: name, file: fmt.Sprintf("sdca-%s-%v", set.name, loss), p: p}
			fmt.Printf("\n## %s, %d rows, %d columns, %.1f entries a row, %v loss, lambda = 1/n\n", name, x.Rows(), x.Cols(), float64(x.NNZ())/float64(x.Rows()), loss)
			for _, figure := range []func() error{e.methods, e.residues, e.batches} {
				if err := figure(); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
		}
	}
	fmt.Printf("\nplots: %s\n", filepath.Join(o.out, "sdca-*.png"))
	return nil
}

// load reads a data set, or generates one in its shape, and prepares it.
func (o options) load(name string, shape sparse.Shape, positive float64) (*sparse.Matrix, []float64, string, error) {
	var x *sparse.Matrix
	var labels []float64
	data, err := sparse.ReadFile(filepath.Join(o.data, name+".xz"), sparse.ReadOptions{})
	switch {
	case err == nil:
		x, labels = data.X, data.Y
	case os.IsNotExist(err) || err == fs.ErrNotExist:
		g, err := shape.Generate(nil)
		if err != nil {
			return nil, nil, "", err
		}
		x, labels, name = g.X, g.Y, fmt.Sprintf("%s (generated, for %s)", shape.Name, name)
	default:
		return nil, nil, "", err
	}
	classes := sparse.CountClasses(labels)
	if len(classes) == 2 {
		positive = max(classes[0].Label, classes[1].Label)
	}
	if x, labels, err = thin(x, labels, o.rows); err != nil {
		return nil, nil, "", err
	}
	y, _, err := sparse.BinaryLabels(labels, &positive)
	if err != nil {
		return nil, nil, "", err
	}
	if !o.raw {
		x = x.NormalizeUnit()
	}
	return x, y, name, nil
}

// thin keeps so many rows, evenly spread.
func thin(x *sparse.Matrix, y []float64, keep int) (*sparse.Matrix, []float64, error) {
	n := x.Rows()
	if keep <= 0 || keep >= n {
		return x, y, nil
	}
	ptr, columns, values, labels := []int64{0}, []uint32{}, []float64{}, []float64{}
	for k := range keep {
		i := int(int64(k) * int64(n) / int64(keep))
		for j, v := range x.Row(i) {
			columns, values = append(columns, uint32(j)), append(values, v)
		}
		ptr, labels = append(ptr, int64(len(columns))), append(labels, y[i])
	}
	thinned, err := sparse.NewCSR(x.Cols(), ptr, columns, values)
	return thinned, labels, err
}

type experiment struct {
	options
	set, file string
	p         *erm.Problem
}

// solve runs a method until the smallest gap or a limit is reached.
func (e *experiment) solve(m sdca.Method, batch int, look func([]float64)) (solvers.Trace, error) {
	var trace solvers.Trace
	_, err := sdca.SolveObserved(context.Background(), e.p, m, solvers.Settings{
		MaxPasses: e.passes, MaxTime: e.limit, GapTolerance: gaps[len(gaps)-1], BatchSize: batch, Seed: 1, Workers: 1,
		Recorder: &trace, RecordEvery: 0.5,
	}, look)
	return trace, err
}

// reached returns the first point of at most that gap.
func reached(trace solvers.Trace, gap float64) (solvers.Point, bool) {
	for _, p := range trace {
		if p.Gap <= gap {
			return p, true
		}
	}
	return solvers.Point{}, false
}

func cell(format string, value float64, found bool) string {
	if !found {
		return "-"
	}
	return fmt.Sprintf(format, value)
}

// methods is figures 2 and 3.
func (e *experiment) methods() error {
	rows := [][]string{{"solver", "epochs to 1e-3", "1e-6", "1e-9", "seconds to 1e-3", "1e-6", "1e-9"}}
	var curves []figure.Curve
	for _, c := range []struct {
		label  string
		method sdca.Method
	}{
		{"adfSDCA", sdca.Adaptive{}},
		{"adfSDCA+ s=1", sdca.AdaptivePlus{Shrink: 1}},
		{"adfSDCA+ s=10", sdca.AdaptivePlus{}},
		{"adfSDCA+ s=20", sdca.AdaptivePlus{Shrink: 20}},
		{"dfSDCA", sdca.DualFree{}},
		{"importance", sdca.ImportanceSampled{}},
		{"Prox-SDCA", sdca.Prox{NoShrinking: true}},
		{"Prox-SDCA, shrinking", sdca.Prox{}},
	} {
		trace, err := e.solve(c.method, 0, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", c.label, err)
		}
		row := []string{c.label}
		for _, gap := range gaps {
			p, found := reached(trace, gap)
			row = append(row, cell("%.1f", p.Passes, found))
		}
		for _, gap := range gaps {
			p, found := reached(trace, gap)
			row = append(row, cell("%.4f", p.Seconds, found))
		}
		rows = append(rows, row)
		curves = append(curves, figure.Curve{Label: c.label, Points: points(trace, func(p solvers.Point) float64 { return p.Passes })})
	}
	fmt.Println()
	figure.Table(os.Stdout, rows)
	return figure.Lines(filepath.Join(e.out, e.file+"-gap.png"), e.title(), "epochs", "duality gap", false, true, curves)
}

func (e *experiment) title() string { return fmt.Sprintf("%s, %v loss", e.set, e.p.Loss) }

// points are the gaps of a trace that a plot can show.
func points(trace solvers.Trace, x func(solvers.Point) float64) plotter.XYs {
	var xy plotter.XYs
	for _, p := range trace {
		if p.Gap > 0 && !math.IsInf(p.Gap, 0) {
			xy = append(xy, plotter.XY{X: x(p), Y: p.Gap})
		}
	}
	return xy
}

// batches is figures 5 and 6.
func (e *experiment) batches() error {
	rows := [][]string{{"batch", "passes to 1e-3", "1e-6", "1e-9", "iterations to 1e-3", "1e-6", "1e-9"}}
	var curves []figure.Curve
	for b := 1; b <= 32; b *= 2 {
		trace, err := e.solve(sdca.Minibatch{}, b, nil)
		if err != nil {
			return err
		}
		row := []string{fmt.Sprint(b)}
		for _, gap := range gaps {
			p, found := reached(trace, gap)
			row = append(row, cell("%.1f", p.Passes, found))
		}
		for _, gap := range gaps {
			p, found := reached(trace, gap)
			row = append(row, cell("%.0f", float64(p.Iterations), found))
		}
		rows = append(rows, row)
		curves = append(curves, figure.Curve{Label: fmt.Sprintf("b = %d", b), Points: points(trace, func(p solvers.Point) float64 { return float64(max(p.Iterations, 1)) })})
	}
	fmt.Println()
	figure.Table(os.Stdout, rows)
	return figure.Lines(filepath.Join(e.out, e.file+"-batches.png"), e.title()+", mini-batch adfSDCA", "iterations", "duality gap", true, true, curves)
}
