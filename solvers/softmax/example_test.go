package softmax_test

import (
	"context"
	"fmt"
	"log"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/softmax"
	"github.com/lanes-go/lanes/sparse"
)

// Three classes of four rows. The weights of class k begin at k times the number of columns.
func ExampleSolve() {
	x, err := sparse.NewCSR(2, []int64{0, 1, 2, 4, 5}, []uint32{0, 1, 0, 1, 0}, []float64{1, 1, -1, -1, 2})
	if err != nil {
		log.Fatal(err)
	}
	problem := &softmax.Problem{X: x, Class: []uint32{0, 1, 2, 0}, Count: 3, Lambda: 0.1}
	result, err := softmax.Solve(context.Background(), problem, softmax.Newton{}, solvers.Settings{GapTolerance: 1e-9})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Status, result.Gap <= 1e-9)
	for k := range problem.Count {
		fmt.Printf("class %d: %.3f\n", k, result.Weights[2*k:2*k+2])
	}
	// Output:
	// converged true
	// class 0: [1.161 -0.283]
	// class 1: [-0.374 1.014]
	// class 2: [-0.787 -0.730]
}
