package related_test

import (
	"context"
	"fmt"
	"log"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// Three classes by three fits, each of one class against the others.
func ExampleOneVsRest() {
	b := sparse.NewBuilder(sparse.BuilderOptions{Columns: 3})
	var class []uint32
	for i := range 30 {
		if err := b.AddRow([]int{i % 3}, nil); err != nil { // the column tells the class
			log.Fatal(err)
		}
		class = append(class, uint32(i%3))
	}
	x, err := b.Build()
	if err != nil {
		log.Fatal(err)
	}
	problem := &related.Classes{
		Problem: erm.Problem{X: x, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 0.01}}, Class: class, Count: 3,
	}
	fits, err := related.OneVsRest(context.Background(), problem, related.Run{
		Solve: auto.Solve, Settings: solvers.Settings{GapTolerance: 1e-9},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, fit := range fits {
		fmt.Printf("%s %.2f\n", fit.Status, fit.Weights)
	}
	// Output:
	// converged [2.51 -2.51 -2.51]
	// converged [-2.51 2.51 -2.51]
	// converged [-2.51 -2.51 2.51]
}

// The weight of the regulariser by the log loss of rows that a fit has not seen.
func ExampleCrossValidate() {
	data, err := synthetic.Shape{Name: "onehot", N: 300, D: 60, Seed: 1}.Generate(nil)
	if err != nil {
		log.Fatal(err)
	}
	problem := &erm.Problem{X: data.X.WithBias(1), Y: data.Y, Loss: loss.Logistic{}}
	logloss, err := metrics.Find("logloss")
	if err != nil {
		log.Fatal(err)
	}
	lambdas, err := related.Lambdas(1, 1e-4, 5)
	if err != nil {
		log.Fatal(err)
	}
	validated, err := related.CrossValidate(context.Background(), problem, lambdas,
		related.Validation{Folds: 3, Seed: 1, Metric: logloss},
		related.Run{Solve: auto.Solve, Settings: solvers.Settings{GapTolerance: 1e-6}})
	if err != nil {
		log.Fatal(err)
	}
	best := related.Best(validated.Mean, logloss.Direction)
	fmt.Printf("lambda %.3g, log loss %.3f\n", lambdas[best], validated.Mean[best])
	// Output: lambda 0.01, log loss 0.413
}
