package erm_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// Train logistic regression on LIBSVM text and look at the certificate.
func ExampleSolve() {
	text := "+1 1:1 3:0.5\n-1 2:1 3:0.25\n+1 1:0.5 4:1\n-1 2:0.5 3:1\n"
	data, err := sparse.Read(context.Background(), strings.NewReader(text), "example", sparse.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	labels, _, err := sparse.BinaryLabels(data.Y, nil)
	if err != nil {
		log.Fatal(err)
	}
	problem := &erm.Problem{X: data.X.WithBias(1), Y: labels, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 0.25}}
	result, err := erm.Solve(context.Background(), problem, erm.AISARAH{}, solvers.Settings{GapTolerance: 1e-9})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v, objective %.4f, gap below 1e-9: %v\n", result.Status, result.Objective, result.Gap < 1e-9)
	// Output: converged, objective 0.5560, gap below 1e-9: true
}
