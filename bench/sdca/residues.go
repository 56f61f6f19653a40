package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot/plotter"

	"github.com/lanes-go/lanes/bench/figure"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/sdca"
)

// epochs are those after which figure 4 shows the residues.
const epochs = 5

// residues is figure 4: the density of |kappa| after each of the first epochs.
func (e *experiment) residues() error {
	rows := [][]string{{"residues of", "epoch", "median", "90 %", "99 %", "largest"}}
	for _, c := range []struct {
		label, file string
		method      sdca.Method
	}{{"dfSDCA", "uniform", sdca.DualFree{}}, {"adfSDCA", "adaptive", sdca.Adaptive{}}} {
		var sizes [][]float64
		_, err := sdca.SolveObserved(context.Background(), e.p, c.method, solvers.Settings{MaxPasses: epochs, RecordEvery: 1, Seed: 1, Workers: 1}, func(kappa []float64) {
			size := make([]float64, len(kappa))
			for i, k := range kappa {
				size[i] = math.Abs(k)
			}
			slices.Sort(size)
			sizes = append(sizes, size)
		})
		if err != nil {
			return err
		}
		sizes = sizes[1:] // the first is the start
		var curves []figure.Curve
		for k, size := range sizes[:min(epochs, len(sizes))] {
			at := func(share float64) string { return fmt.Sprintf("%.2e", size[int(share*float64(len(size)-1))]) }
			rows = append(rows, []string{c.label, fmt.Sprint(k + 1), at(0.5), at(0.9), at(0.99), at(1)})
			curves = append(curves, figure.Curve{Label: fmt.Sprintf("epoch %d", k+1), Points: density(size)})
		}
		path := filepath.Join(e.out, fmt.Sprintf("%s-residues-%s.png", e.file, c.file))
		if err := figure.Lines(path, e.title()+", "+c.label, "|kappa|", "density", false, true, curves); err != nil {
			return err
		}
	}
	fmt.Println()
	figure.Table(os.Stdout, rows)
	return nil
}

// density is a histogram of values between 0 and the largest shown, in bins of
// one width for all plots; empty bins are left out.
func density(sorted []float64) plotter.XYs {
	const width, bins = 0.01, 60
	var xy plotter.XYs
	at := 0
	for b := range bins {
		first := at
		for at < len(sorted) && sorted[at] < float64(b+1)*width {
			at++
		}
		if at > first {
			xy = append(xy, plotter.XY{X: (float64(b) + 0.5) * width, Y: float64(at-first) / float64(len(sorted)) / width})
		}
	}
	return xy
}
