package ap_test

import (
	"context"
	"fmt"
	"log"

	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// Few positives among many rows. The defaults need no tuning.
func ExampleSolve() {
	data, err := synthetic.Shape{Name: "imbalanced", N: 1000, D: 40, Seed: 1}.Generate(nil)
	if err != nil {
		log.Fatal(err)
	}
	problem := &ap.Problem{X: data.X, Y: data.Y, Lambda: 1e-4}
	result, err := ap.Solve(context.Background(), problem, ap.ADAP{}, solvers.Settings{Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	scores := make([]float64, data.X.Rows())
	if err := data.X.MulVec(nil, scores, result.Weights); err != nil {
		log.Fatal(err)
	}
	precision, err := metrics.AveragePrecision(scores, data.Y, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("average precision %.3f, objective %.3f\n", precision, result.Objective)
	// Output: average precision 0.854, objective 0.146
}
