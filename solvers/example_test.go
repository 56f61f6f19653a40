package solvers_test

import (
	"context"
	"fmt"
	"log"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// A run is given a target and budgets, says why it ended, and tells a recorder how it
// went there.
func Example() {
	data, err := synthetic.Shape{Name: "onehot", N: 500, D: 60, Seed: 1}.Generate(nil)
	if err != nil {
		log.Fatal(err)
	}
	problem := &erm.Problem{X: data.X.WithBias(1), Y: data.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 0.01}}
	var trace solvers.Trace
	settings := solvers.Settings{GapTolerance: 1e-3, MaxEpochs: 50, Seed: 1, Recorder: &trace}
	result, err := erm.Solve(context.Background(), problem, erm.AISARAH{}, settings)
	if err != nil {
		log.Fatal(err)
	}
	first, last := trace[0], trace[len(trace)-1]
	fmt.Println(result.Status, "by", result.Solver, "within its passes:", result.Epochs <= settings.MaxEpochs)
	fmt.Println(last.Objective < first.Objective, last.Gap <= settings.GapTolerance)

	// The same seed gives the same bits, with any number of workers, on every CPU.
	settings.Recorder, settings.Workers = nil, 3
	again, err := erm.Solve(context.Background(), problem, erm.AISARAH{}, settings)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(solvers.HashWeights(again.Weights) == solvers.HashWeights(result.Weights))
	// Output:
	// converged by ai-sarah within its passes: true
	// true true
	// true
}
