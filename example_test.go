package lanes_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/lanes-go/lanes"
)

// Reads rows, trains, measures a file with other columns, saves, and scores one row.
func Example() {
	dir, err := os.MkdirTemp("", "lanes")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	write := func(name, rows string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(rows), 0o666); err != nil {
			log.Fatal(err)
		}
		return path
	}
	train := write("train", "+1 1:2 2:1\n+1 1:1.5 3:1\n-1 1:-1 2:1\n-1 1:-2 3:1\n+1 1:1 2:-1\n-1 1:-1.5 3:-1\n")
	test := write("test", "+1 1:1\n-1 1:-1 2:3\n")

	ctx := context.Background()
	data, err := lanes.Read(ctx, train)
	if err != nil {
		log.Fatal(err)
	}
	fitted, err := lanes.Train(ctx, data, lanes.Options{Intercept: lanes.FreeIntercept})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fitted.Result.Status, fitted.Result.Gap <= 1e-6)
	rows, err := fitted.Read(ctx, test)
	if err != nil {
		log.Fatal(err)
	}
	report, err := fitted.Evaluate(ctx, rows)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("accuracy %.2f\n", report.Accuracy)
	if err := fitted.WriteFile(filepath.Join(dir, "model")); err != nil {
		log.Fatal(err)
	}
	// Output:
	// converged true
	// accuracy 1.00
}
