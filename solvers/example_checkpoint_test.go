package solvers_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// A run that ends before its tolerance leaves a checkpoint. The run that resumes from it may have
// other budgets, and saves to the same file.
func ExampleSettings_checkpoint() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "run.checkpoint")
	data, err := synthetic.Shape{Name: "onehot", N: 500, D: 60, Seed: 1}.Generate(nil)
	if err != nil {
		log.Fatal(err)
	}
	problem := &erm.Problem{X: data.X, Y: data.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 0.01}}
	settings := solvers.Settings{GapTolerance: 1e-6, MaxEpochs: 2, Checkpoint: file}
	for range 2 {
		result, err := erm.Solve(context.Background(), problem, erm.AISARAH{}, settings)
		if err != nil {
			log.Fatal(err)
		}
		_, err = os.Stat(file)
		fmt.Println(result.Status, "with a checkpoint:", err == nil)
		settings.MaxEpochs, settings.Resume = 100, file
	}
	// A file that is there is not replaced, unless Overwrite says so.
	settings.Resume, settings.MaxEpochs = "", 2
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		log.Fatal(err)
	}
	_, err = erm.Solve(context.Background(), problem, erm.AISARAH{}, settings)
	fmt.Println(errors.Is(err, solvers.ErrCheckpointExists))
	// Output:
	// budget reached with a checkpoint: true
	// converged with a checkpoint: true
	// true
}
