package penalty_test

import (
	"context"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/sparse"
)

// atLeastZero is a w for weights of 0 or more, and infinite for others: a lasso of positive weights.
type atLeastZero struct{ a float64 }

func (f atLeastZero) String() string { return fmt.Sprintf("positive lasso %v", f.a) }

func (f atLeastZero) Value(w float64) float64 { return f.a * w }

// Slopes: at the end of the weights at which the function is finite, any smaller slope will do.
func (f atLeastZero) Slopes(w float64) (least, most float64) {
	if w > 0 {
		return f.a, f.a
	}
	return math.Inf(-1), f.a
}

func (f atLeastZero) Prox(w, step float64) float64 { return max(w-float64(step*f.a), 0) }

// A program brings a penalty that lanes does not have. The fit with it and a ridge is certified: the
// gap bounds how far its objective is above the minimum.
func ExampleOwn() {
	b := sparse.NewBuilder(sparse.BuilderOptions{})
	var y []float64
	for i := range 200 {
		row := []float64{float64(i%20) / 10, float64(i%7) / 5, float64(i%3) / 2}
		if err := b.AddRow([]int{0, 1, 2}, row); err != nil {
			panic(err)
		}
		y = append(y, 2*row[0]-row[1]+0.5*row[2])
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	problem := &solvers.Problem{X: x, Y: y, Loss: loss.Squared{}, Penalty: penalty.Own(atLeastZero{0.01}, 1e-4)}
	r, err := elasticnet.Solve(context.Background(), problem, nil, solvers.Settings{GapTolerance: 1e-9})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%v: %.2f, gap below 1e-9: %t\n", r.Status, r.Weights, r.Gap <= 1e-9)
	// Output: converged: [1.67 0.00 0.14], gap below 1e-9: true
}
