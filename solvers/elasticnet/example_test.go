package elasticnet_test

import (
	"context"
	"fmt"
	"log"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// The lasso of three columns. All weights are 0 from the weight of the norm on that MaxL1 returns.
func ExampleSolve() {
	x, err := sparse.NewCSR(3, []int64{0, 2, 4, 6, 8}, []uint32{0, 1, 0, 2, 1, 2, 0, 1}, []float64{1, 0.5, 2, 1, 1, -1, 3, -1})
	if err != nil {
		log.Fatal(err)
	}
	problem := &erm.Problem{X: x, Y: []float64{1.5, 1.5, -0.5, 2.5}, Loss: loss.Squared{}}
	largest, _, err := elasticnet.MaxL1(nil, problem)
	if err != nil {
		log.Fatal(err)
	}
	for _, share := range []float64{1, 0.5, 0.001} {
		problem.Penalty = penalty.ElasticNet{L1: share * largest, L2: problem.Ridge()}
		result, err := elasticnet.Solve(context.Background(), problem, elasticnet.ProximalNewton{}, solvers.Settings{GapTolerance: 1e-9})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v of %v: %v, %.3f\n", share, largest, result.Status, result.Weights)
	}
	// Output:
	// 1 of 3: converged, [0.000 0.000 0.000]
	// 0.5 of 3: converged, [0.429 0.000 0.000]
	// 0.001 of 3: converged, [0.833 0.000 0.161]
}
