package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
)

// warm times a path of regularisation weights with warm starts and without.
func warm(source string, points int) error {
	x, y, err := datasets.Open(source)
	if err != nil {
		return err
	}
	n := float64(len(y))
	p := &erm.Problem{X: x, Y: y, Loss: kernels.Logistic}
	lambdas, err := related.Lambdas(100/n, 0.1/n, points)
	if err != nil {
		return err
	}
	fmt.Printf("\nA path of %d points, C from 0.01 to 10, of %s, one worker, by the clock; medians of 5 runs in turn.\n\n", points, filepath.Base(source))
	rows := [][]string{{"gap", "warm, s", "passes", "cold, s", "passes", "cold / warm"}}
	for _, gap := range []float64{1e-4, 1e-6} {
		settings := solvers.Settings{GapTolerance: gap, MaxPasses: 10000, Workers: 1}
		var warms, colds, ratios []float64
		var passes [2]float64
		for range 5 {
			begun := time.Now()
			fits, err := related.Path(context.Background(), p, lambdas, related.Run{Solve: auto.Solve, Settings: settings})
			if err != nil {
				return err
			}
			warms = append(warms, time.Since(begun).Seconds())
			passes = [2]float64{related.Total(fits).Total.Passes}
			begun = time.Now()
			for _, lambda := range lambdas {
				one := *p
				one.Lambda = lambda
				r, err := auto.Solve(context.Background(), &one, settings)
				if err != nil {
					return err
				}
				passes[1] += r.Total.Passes
			}
			colds = append(colds, time.Since(begun).Seconds())
			ratios = append(ratios, colds[len(colds)-1]/warms[len(warms)-1])
		}
		rows = append(rows, []string{
			fmt.Sprint(gap), fmt.Sprintf("%.3f", contest.Median(warms)), fmt.Sprintf("%.0f", passes[0]),
			fmt.Sprintf("%.3f", contest.Median(colds)), fmt.Sprintf("%.0f", passes[1]), fmt.Sprintf("**%.2f**", contest.Median(ratios)),
		})
	}
	contest.Table(os.Stdout, rows)
	return nil
}
