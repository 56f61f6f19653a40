package registry_test

import (
	"context"
	"fmt"
	"log"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// A solver and its parameters as a user may name them.
func ExampleFind() {
	solver, err := registry.Find("svrg")
	if err != nil {
		log.Fatal(err)
	}
	ready, err := solver.New(map[string]string{"step": "1/2"})
	if err != nil {
		log.Fatal(err)
	}
	data, err := synthetic.Shape{Name: "onehot", N: 300, D: 60, Seed: 1}.Generate(nil)
	if err != nil {
		log.Fatal(err)
	}
	task := &solvers.Task{Problem: solvers.Problem{X: data.X, Y: data.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 0.01}}}
	result, err := ready.Solve(context.Background(), task, solvers.Settings{GapTolerance: 1e-3})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(solver.Family, solver.Objective, result.Status)

	_, err = solver.New(map[string]string{"steps": "1/8"})
	fmt.Println(err)
	// Output:
	// erm mean loss converged
	// erm: svrg: no parameter "steps"; step, inner can be set
}
