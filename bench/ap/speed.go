package main

import (
	"context"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/lanes-go/lanes/bench/contest"
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
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintln(w, "data\tbatch\tsurrogate\titerations/s\tplain Go\tratio\tportable kernels\tratio")
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
				fmt.Fprintf(w, "%s\t%d+%d\t%s\t%.0f\t%.0f\t%.1f\t%.0f\t%.1f\n", s.name, size, size, name,
					1/contest.Median(seconds[0]), 1/contest.Median(seconds[1]), contest.Median(ratios[1]), 1/contest.Median(seconds[2]), contest.Median(ratios[2]))
				w.Flush()
			}
		}
	}
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
