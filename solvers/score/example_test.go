package score_test

import (
	"context"
	"fmt"
	"log"

	"github.com/lanes-go/lanes/internal/testing/scoretest"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/solvers/score"
)

// A ranking that no linear model can learn.
func ExamplePerceptron() {
	data, err := scoretest.Interactions(2000, 1)
	if err != nil {
		log.Fatal(err)
	}
	model, err := score.NewPerceptron(data.X, score.Network{Features: data.X.Cols(), Hidden: []int{16}})
	if err != nil {
		log.Fatal(err)
	}
	problem := &ap.Problem{X: data.X, Y: data.Y, Lambda: 1e-3}
	for _, problem.Model = range []score.Model{score.Linear{X: data.X}, model} {
		r, err := ap.Solve(context.Background(), problem, ap.ADAP{}, solvers.Settings{Seed: 1})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%v: average precision %.1f\n", problem.Model, 1-r.Objective)
	}
	// Output:
	// linear: average precision 0.5
	// perceptron 4-16-1 tanh: average precision 0.9
}
