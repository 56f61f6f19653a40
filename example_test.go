package lanes_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/model"
)

// Reads rows, trains, measures, saves, loads and predicts.
func Example() {
	dir, err := os.MkdirTemp("", "lanes")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "rows")
	rows := "+1 1:2 2:1\n+1 1:1.5 3:1\n-1 1:-1 2:1\n-1 1:-2 3:1\n+1 1:1 2:-1\n-1 1:-1.5 3:-1\n"
	if err := os.WriteFile(file, []byte(rows), 0o666); err != nil {
		log.Fatal(err)
	}

	data, err := lanes.Read(file)
	if err != nil {
		log.Fatal(err)
	}
	trained, result, err := lanes.Train(context.Background(), data, lanes.Options{Bias: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Status, result.Gap <= 1e-6)
	if err := model.WriteFile(filepath.Join(dir, "model"), trained); err != nil {
		log.Fatal(err)
	}
	loaded, err := model.ReadFile(filepath.Join(dir, "model"))
	if err != nil {
		log.Fatal(err)
	}
	report, err := lanes.Evaluate(context.Background(), loaded, data, lanes.EvaluateOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("accuracy %.2f, AUROC %.2f\n", report.Accuracy, report.AUROC)
	scores, err := loaded.Scores(nil, nil, data.X)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(loaded.Label(scores[0]), loaded.Label(scores[2]))
	// Output:
	// converged true
	// accuracy 1.00, AUROC 1.00
	// 1 -1
}
