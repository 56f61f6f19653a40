package auto_test

import (
	"context"
	"fmt"
	"log"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// Rows with more columns than rows, as in text, want another solver than a tall table.
func ExampleSolve() {
	for _, spec := range []string{"onehot:n=400,d=60", "wide:n=60,d=700"} {
		shape, err := synthetic.ParseShape(spec, 1)
		if err != nil {
			log.Fatal(err)
		}
		data, err := shape.Generate(nil)
		if err != nil {
			log.Fatal(err)
		}
		problem := &erm.Problem{X: data.X, Y: data.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / float64(data.X.Rows())}}
		result, err := auto.Solve(context.Background(), problem, solvers.Settings{GapTolerance: 1e-6})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(result.Solver, result.Status, result.Gap <= 1e-6)
	}
	// Output:
	// newton converged true
	// sdca-newton converged true
}
