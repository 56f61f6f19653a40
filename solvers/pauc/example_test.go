package pauc_test

import (
	"context"
	"fmt"
	"log"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/pauc"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// A ranking for those who look at the first tenth of the negatives only.
func ExampleSolve() {
	data, err := synthetic.Shape{Name: "imbalanced", N: 1000, D: 40, Seed: 1}.Generate(nil)
	if err != nil {
		log.Fatal(err)
	}
	problem := &pauc.Problem{X: data.X, Y: data.Y, Low: 0, High: 0.1, Lambda: 1e-4}
	result, err := pauc.Solve(context.Background(), problem, pauc.AGDSBCD{}, solvers.Settings{Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: partial AUC %.3f\n", result.Solver, 1-result.Objective)
	// Output: agd-sbcd: partial AUC 0.874
}

// A fit that the worst tenth of the rows has no part in: the mean of the others' losses.
func ExampleSolveRange() {
	data, err := synthetic.Shape{Name: "dense", N: 300, D: 8, Seed: 1}.Generate(nil)
	if err != nil {
		log.Fatal(err)
	}
	n := data.X.Rows()
	problem := &pauc.RangeProblem{X: data.X, Y: data.Y, M: n / 10, N: n, Lambda: 1e-3}
	result, err := pauc.SolveRange(context.Background(), problem, pauc.SoRRDCA{}, solvers.Settings{Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: mean loss %.3f\n", result.Solver, result.Objective)
	// Output: sorr-dca: mean loss 0.222
}
