package model_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// Read data, train, save, load and predict.
func Example() {
	folder, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	rows, saved := filepath.Join(folder, "rows"), filepath.Join(folder, "model")
	generated, err := synthetic.Shape{Name: "onehot", N: 2000, D: 100, Seed: 1}.Generate(nil)
	if err != nil {
		log.Fatal(err)
	}
	if err := sparse.WriteLIBSVMFile(rows, &sparse.Data{X: generated.X, Y: generated.Y}); err != nil {
		log.Fatal(err)
	}

	data, err := sparse.ReadFile(context.Background(), rows, sparse.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	signs, labels, err := sparse.BinaryLabels(data.Y, nil)
	if err != nil {
		log.Fatal(err)
	}
	problem := &erm.Problem{X: data.X.WithBias(1), Y: signs, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 1 / float64(len(signs))}}
	result, err := auto.Solve(context.Background(), problem, solvers.Settings{GapTolerance: 1e-6})
	if err != nil {
		log.Fatal(err)
	}
	trained, err := model.New(result, model.Training{X: problem.X, Labels: labels, Loss: problem.Loss, Penalty: problem.Penalty})
	if err != nil {
		log.Fatal(err)
	}
	if err := model.WriteFile(saved, trained); err != nil {
		log.Fatal(err)
	}

	m, err := model.ReadFile(saved)
	if err != nil {
		log.Fatal(err)
	}
	scores, err := m.Scores(nil, nil, data.X)
	if err != nil {
		log.Fatal(err)
	}
	right := 0
	for i, s := range scores {
		if m.Label(s) == data.Y[i] {
			right++
		}
	}
	if err := m.Probabilities(scores); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, %s: %d%% of the labels are right\n", m.About().Meta.Solver, m.About().Meta.Status, right*100/len(scores))
	fmt.Printf("row 1 is %v with probability %.2f\n", labels.Positive, scores[0])
	// Output:
	// newton, converged: 84% of the labels are right
	// row 1 is 1 with probability 0.03
}

// Scores rows as they come, as a service does: from any number of goroutines, without
// allocation.
func ExampleModel() {
	text := "solver_type L2R_LR\nnr_class 2\nlabel 1 -1\nnr_feature 4\nbias 1\nw\n1\n-2\n0.5\n3\n0.25\n"
	m, err := model.Read(strings.NewReader(text), "the model")
	if err != nil {
		log.Fatal(err)
	}
	columns, values := []int{0, 3}, []float64{2, -1}
	score, err := m.Score(columns, values)
	if err != nil {
		log.Fatal(err)
	}
	label, err := m.Predict(columns, values)
	if err != nil {
		log.Fatal(err)
	}
	p, err := m.Probability([]int{1, 7}, nil) // both values are 1, and column 7 is unknown
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("score %v, label %v; probability %.3f\n", score, label, p)

	m.About().RefuseUnknown = true // before others use the model
	_, err = m.Score([]int{1, 7}, nil)
	fmt.Println(err)
	// Output:
	// score -0.75, label -1; probability 0.148
	// model: column 7 is unknown to the model, whose columns are 0 to 3
}
