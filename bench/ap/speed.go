package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/sparse"
)

// speed compares iterations per second with those of the portable Go kernels,
// which are the same algorithm to the last bit; rounds alternate.
func speed(folder string) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	defer w.Flush()
	fmt.Fprintln(w, "data\tbatch\tsurrogate\titerations/s\tplain Go\tratio")
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
		iterations, rounds := 400, 5
		if s.name == "wide" {
			iterations, rounds = 24, 3 // its steps are dense: a million columns each
		}
		for _, size := range []int{10, 100} {
			for _, hinge := range []bool{false, true} {
				m := ap.Method{Algorithm: ap.ADAP, Hinge: hinge, Positives: size, Negatives: size}
				iterations := iterations
				if size == 10 && s.name == "w8a" {
					iterations *= 40 // long against the evaluations, whose noise stays in the difference
				}
				var fast, slow, ratios []float64
				for range rounds {
					f, g := iterationSeconds(s, m, best, iterations), iterationSeconds(s, m, "generic", iterations)
					fast, slow, ratios = append(fast, 1/f), append(slow, 1/g), append(ratios, g/f)
				}
				for _, v := range [][]float64{fast, slow, ratios} {
					slices.Sort(v)
				}
				name := "logistic"
				if hinge {
					name = "squared hinge"
				}
				fmt.Fprintf(w, "%s\t%d+%d\t%s\t%.0f\t%.0f\t%.1f\n", s.name, size, size, name, fast[rounds/2], slow[rounds/2], ratios[rounds/2])
				w.Flush()
			}
		}
	}
}

// iterationSeconds is the difference of two runs of different length, which leaves
// out their preparations and evaluations.
func iterationSeconds(s *split, m ap.Method, path string, iterations int) float64 {
	restore, err := dispatch.Force(path)
	if err != nil {
		panic(err)
	}
	defer restore()
	run := func(n int) float64 {
		m.Iterations = n
		begun := time.Now()
		_, err := ap.Solve(context.Background(), &ap.Problem{X: s.x, Y: s.y, Lambda: 1e-4}, m,
			solvers.Settings{Initial: make([]float64, s.x.Cols()), Workers: 1})
		if err != nil {
			panic(err)
		}
		return time.Since(begun).Seconds()
	}
	short := run(iterations / 2)
	return max(run(3*iterations)-short, 1e-9) / (2.5 * float64(iterations))
}
