package main

import (
	"context"
	"fmt"
	"os"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/figure"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/sparse"
)

// speed compares the seconds of an iteration with two other ways to run the same
// algorithm on one core: plain Go as one writes it without this library (plain.go),
// and lanes' own portable kernels, which give the same bits. Rounds alternate; the
// figures are medians.
func speed(folder string, rounds int) {
	fmt.Printf("Iterations per second of adap on one core, medians of %d rounds in turn.\n\n", rounds)
	table := [][]string{{"data", "batch", "surrogate", "iterations/s", "plain Go", "ratio", "portable kernels", "ratio"}}
	w8a, err := load(folder, "w8a")
	if err != nil {
		panic(err)
	}
	shape, err := sparse.ParseShape("wide:n=4000", 1)
	if err != nil {
		panic(err)
	}
	g, err := shape.Generate(nil)
	if err != nil {
		panic(err)
	}
	best := dispatch.Current()
	for _, s := range []*split{w8a, {name: "wide", x: g.X, y: g.Y}} {
		for _, size := range []int{10, 100} {
			for _, hinge := range []bool{false, true} {
				m := ap.ADAP{Common: ap.Common{Hinge: hinge, Positives: size, Negatives: size}}
				name, margin := "logistic", 0.0
				if hinge {
					name, margin = "squared hinge", 1
				}
				ways := []func(n int) error{
					func(n int) error { return solveOn(s, m, best, n) },
					func(n int) error { newPlainADAP(s.x, s.y, size, size, margin).run(n); return nil },
					func(n int) error { return solveOn(s, m, "generic", n) },
				}
				var seconds, ratios [3][]float64
				for range rounds {
					for k, way := range ways {
						t, err := contest.PerIteration(way)
						if err != nil {
							panic(err)
						}
						seconds[k] = append(seconds[k], t)
						ratios[k] = append(ratios[k], seconds[k][len(seconds[k])-1]/seconds[0][len(seconds[0])-1])
					}
				}
				row := []string{s.name, fmt.Sprintf("%d + %d", size, size), name, fmt.Sprintf("%.0f", 1/contest.Median(seconds[0]))}
				for k := 1; k < len(ways); k++ {
					row = append(row, fmt.Sprintf("%.0f", 1/contest.Median(seconds[k])), fmt.Sprintf("%.1f", contest.Median(ratios[k])))
				}
				table = append(table, row)
			}
		}
	}
	figure.Table(os.Stdout, table)
}

func solveOn(s *split, m ap.ADAP, path string, iterations int) error {
	restore, err := dispatch.Force(path)
	if err != nil {
		return err
	}
	defer restore()
	m.Iterations = iterations
	_, err = ap.Solve(context.Background(), &ap.Problem{X: s.x, Y: s.y, Lambda: 1 / float64(len(s.y))}, m,
		solvers.Settings{Initial: make([]float64, s.x.Cols()), Workers: 1})
	return err
}
