package research

import (
	"context"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// softplus is log2(1 + exp(z)): 1 for two rows of equal scores, and about linear for a wrong order.
type softplus struct{}

func (softplus) String() string { return "softplus" }
func (softplus) At(z float64) (value, slope float64) {
	return math.Max(z, 0)/math.Ln2 + math.Log1p(math.Exp(-math.Abs(z)))/math.Ln2, 1 / (1 + math.Exp(-z)) / math.Ln2
}

// A program trains the average precision by a surrogate that lanes does not have.
func Example_surrogate() {
	data, err := synthetic.Shape{Name: "imbalanced", N: 3000, D: 30, Seed: 1}.Generate(nil)
	if err != nil {
		panic(err)
	}
	p := &ap.Problem{X: data.X, Y: data.Y, Lambda: 1e-4}
	method := ap.ADAP{Common: ap.Common{Surrogate: softplus{}}}
	r, err := ap.Solve(context.Background(), p, method, solvers.Settings{})
	if err != nil {
		panic(err)
	}
	start, err := ap.Solve(context.Background(), p, method, solvers.Settings{MaxIterations: 1})
	if err != nil {
		panic(err)
	}
	fmt.Println("the average precision rises:", r.Objective < start.Objective)
	// Output: the average precision rises: true
}
