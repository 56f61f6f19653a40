package main

import (
	"context"
	"fmt"
	"os"

	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/datasets"
	"github.com/lanes-go/lanes/bench/figure"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/pauc"
)

// speed compares the iterations per second of AGD-SBCD with other ways to run the
// same algorithm on one core: plain Go (plain.go), and lanes' portable kernels, which
// give the same bits. Rounds alternate; the figures are medians.
func (o *options) speed() error {
	fmt.Printf("\n# Iterations per second of AGD-SBCD in [%v, %v], one worker\n\n", middle[0], middle[1])
	fmt.Printf("Plain Go is the algorithm as it is written, with math.Exp and loops over slices; \"scores first\" is a version that\ntakes the exponential of pairs above their threshold only. Both end at the same weights but for rounding (plain_test.go).\nA step of theirs costs the columns, one of lanes the non-zeros of the batch. Medians of %d rounds in turn.\n\n", o.seeds)
	sets, err := o.choose("w8a", "wide")
	if err != nil {
		return err
	}
	rows := [][]string{{"data", "batch", "loss", "iterations/s", "plain Go", "ratio", "scores first", "ratio", "portable kernels", "ratio"}}
	best := dispatch.Current()
	for _, s := range sets {
		for _, size := range []int{10, 100} {
			for _, scale := range []float64{0, 3} {
				loss := "logistic"
				if scale > 0 {
					loss = "sigmoid"
				}
				ways := []func(n int) error{
					func(n int) error { return inner(s, size, scale, best, n) },
					func(n int) error { return innerPlain(s, size, scale, true, n) },
					func(n int) error { return innerPlain(s, size, scale, false, n) },
					func(n int) error { return inner(s, size, scale, "generic", n) },
				}
				var times, ratios [4][]float64
				for range o.seeds {
					for k, way := range ways {
						if k == 2 && s.Name == "wide" {
							continue // the columns take the time, not the pairs
						}
						t, err := contest.PerIteration(way)
						if err != nil {
							return err
						}
						t /= 2 // an outer iteration does n for each of the two proximal points
						times[k] = append(times[k], t)
						ratios[k] = append(ratios[k], t/times[0][len(times[0])-1])
					}
				}
				row := []string{s.Name, fmt.Sprintf("%d + %d", size, size), loss, fmt.Sprintf("%.0f", 1/contest.Median(times[0]))}
				for k := 1; k < 4; k++ {
					if times[k] == nil {
						row = append(row, "-", "-")
						continue
					}
					row = append(row, fmt.Sprintf("%.0f", 1/contest.Median(times[k])), fmt.Sprintf("%.1f", contest.Median(ratios[k])))
				}
				rows = append(rows, row)
			}
		}
	}
	figure.Table(os.Stdout, rows)
	return nil
}

// inner does an outer iteration with n inner ones for each proximal point, as plainAGD
// does.
func inner(s *datasets.Split, size int, scale float64, path string, n int) error {
	restore, err := dispatch.Force(path)
	if err != nil {
		return err
	}
	defer restore()
	m := pauc.AGDSBCD{Loops: pauc.Loops{Inner: 5, Threshold: 1, Outer: 1, Length: n}, Logistic: scale == 0, Scale: scale, Mu: 1000, Step: 1, Positives: size, Negatives: size}
	_, err = pauc.Solve(context.Background(), &pauc.Problem{X: s.X, Y: s.Y, Low: middle[0], High: middle[1]}, m,
		solvers.Settings{Initial: make([]float64, s.X.Cols()), Workers: 1})
	return err
}

func innerPlain(s *datasets.Split, size int, scale float64, direct bool, n int) error {
	a := newPlainAGD(s.X, s.Y, middle[0], middle[1], size, size, scale, direct)
	a.outer, a.length = 1, n
	a.run()
	return nil
}
