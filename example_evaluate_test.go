package lanes_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
)

// Measures the scores of another program.
func ExampleEvaluateScores() {
	labels := []float64{1, 1, 0, 1, 0, 0}
	scores := []float64{2.5, 0.4, -0.3, -0.8, 0.1, -2}
	report, err := lanes.EvaluateScores(labels, scores, lanes.EvaluateOptions{Rates: [2]float64{0, 0.5}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("AUROC %.3f, F1 %.3f\n", report.AUROC, report.Confusion.F1())
	fmt.Printf("partial AUC %.3f\n", report.NormalisedPartialAUC)
	// Output:
	// AUROC 0.778, F1 0.667
	// partial AUC 0.667
}

// Measures a model of three classes on rows that are read and scored block after block.
func ExampleEvaluateBlocks() {
	m := &model.Linear{
		Card:       model.Card{Features: 3, Classes: []float64{1, 2, 3}},
		SolverType: "L2R_L2LOSS_SVC", Weights: []float64{1, 0, 0, 0, 1, 0, 0, 0, 1},
	}
	text := strings.NewReader("1 1:2 2:1\n2 2:3\n3 1:1 3:0.5\n3 3:4 7:1\n")
	rows := sparse.Blocks(context.Background(), text, "rows", m.About().ReadOptions(), 0)
	scored := model.ScoreBlocks(context.Background(), m, nil, rows)
	report, err := lanes.EvaluateBlocks(m, scored, lanes.EvaluateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(report)
	// Output:
	// rows               4, 3 classes
	// accuracy           0.75
	// balanced accuracy  0.83333333
	// macro f1           0.77777778
	// micro f1           0.75
	//
	//   class  rows  precision  recall      F1
	//       1     1     0.5000  1.0000  0.6667
	//       2     1     1.0000  1.0000  1.0000
	//       3     2     1.0000  0.5000  0.6667
	//
	//   actual \ predicted  1  2  3
	//                    1  1  0  0
	//                    2  0  1  0
	//                    3  1  0  1
}
