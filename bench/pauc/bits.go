package main

import (
	"context"
	"fmt"
	"os"

	"github.com/lanes-go/lanes/bench/figure"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/pauc"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// bits trains the same model on every CPU path of this machine with one and two
// workers. Every solver must end with the same weights to the last bit.
func (o *options) bits() error {
	fmt.Printf("\n# SHA-256 of the weights on every CPU path, with 1 and 2 workers\n\nUntouched defaults on [%v, %v] and ranks 0.05 to 0.5, seed 7, imbalanced:n=8000 generated; first 12 digits.\n\n", middle[0], middle[1])
	g, err := sparse.Shape{Name: "imbalanced", N: 8000, D: 300, Seed: 1}.Generate(nil)
	if err != nil {
		return err
	}
	var paths []string
	for _, p := range dispatch.Paths() {
		if p.Available {
			paths = append(paths, p.Name)
		}
	}
	rows := [][]string{{"solver"}}
	for _, path := range paths {
		rows[0] = append(rows[0], path+", 1", path+", 2")
	}
	rows[0] = append(rows[0], "equal")
	differ := 0
	add := func(label string, solve func(solvers.Settings) (*solvers.Result, error)) error {
		row, equal := []string{label}, "yes"
		first := ""
		for _, path := range paths {
			for workers := 1; workers <= 2; workers++ {
				hash, err := hashOn(path, workers, solve)
				if err != nil {
					return fmt.Errorf("%s on %s: %w", label, path, err)
				}
				if first == "" {
					first = hash
				}
				if hash != first && equal == "yes" {
					equal = "NO"
					differ++
				}
				row = append(row, hash[:12])
			}
		}
		rows = append(rows, append(row, equal))
		return nil
	}
	p := &pauc.Problem{X: g.X, Y: g.Y, Low: middle[0], High: middle[1], Lambda: 1 / float64(len(g.Y))}
	q := &pauc.RangeProblem{X: g.X, Y: g.Y, Lambda: p.Lambda}
	q.M, q.N = pauc.Ranks(middle[0], middle[1], len(g.Y))
	for _, solver := range pauc.Solvers() {
		m, err := pauc.ByName(solver.Name, nil)
		if err != nil {
			return err
		}
		solve := func(s solvers.Settings) (*solvers.Result, error) {
			if solver.Accepts.Ranks {
				return pauc.SolveRange(context.Background(), q, m, s)
			}
			return pauc.Solve(context.Background(), p, m, s)
		}
		if err := add(solver.Name, solve); err != nil {
			return err
		}
	}
	net, err := score.NewPerceptron(g.X, score.Network{Features: g.X.Cols(), Hidden: []int{8}})
	if err != nil {
		return err
	}
	own := *p
	own.Model = net
	if err := add("agd-sbcd, perceptron of 8 units", func(s solvers.Settings) (*solvers.Result, error) {
		return pauc.Solve(context.Background(), &own, pauc.AGDSBCD{}, s)
	}); err != nil {
		return err
	}
	figure.Table(os.Stdout, rows)
	if differ > 0 {
		return fmt.Errorf("the weights of %d solvers differ", differ)
	}
	return nil
}

func hashOn(path string, workers int, solve func(solvers.Settings) (*solvers.Result, error)) (string, error) {
	restore, err := dispatch.Force(path)
	if err != nil {
		return "", err
	}
	defer restore()
	r, err := solve(solvers.Settings{Seed: 7, Workers: workers})
	if err != nil {
		return "", err
	}
	return solvers.HashWeights(r.Weights), nil
}
