package table_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/table"
)

// A table becomes a model, which scores a row that the program has as strings or as a map.
func Example() {
	folder, err := os.MkdirTemp("", "lanes")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "houses.csv")
	text := "rooms,town,sold\n" + strings.Repeat("2,Ulm,no\n3,Ulm,no\n5,Bonn,yes\n6,Ulm,yes\n4,Bonn,yes\n3,Bonn,no\n", 20)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		log.Fatal(err)
	}

	ctx := context.Background()
	source, err := table.Open(path, table.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer source.Close()
	recipe, err := table.Infer(ctx, source, table.Wanted{Target: "sold"})
	if err != nil {
		log.Fatal(err)
	}
	encoder, err := table.Fit(ctx, source, recipe)
	if err != nil {
		log.Fatal(err)
	}
	data, err := encoder.Encode(ctx, source)
	if err != nil {
		log.Fatal(err)
	}
	for column := range encoder.Width() {
		fmt.Println(encoder.Name(column))
	}

	fitted, err := lanes.Train(ctx, data, lanes.Options{Penalty: lanes.L2(1e-2)})
	if err != nil {
		log.Fatal(err)
	}
	scorer := encoder.Scorer(fitted)
	p, err := scorer.Probability([]string{"6", "Bonn"}) // in the order of scorer.Columns
	if err != nil {
		log.Fatal(err)
	}
	same, err := scorer.ProbabilityMap(map[string]any{"town": "Bonn", "rooms": 6})
	if err != nil {
		log.Fatal(err)
	}
	label, err := scorer.PredictMap(map[string]any{"town": "Ulm", "rooms": 2})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("sold: %.3f\n", p)
	fmt.Println(p == same, fitted.About().Word(label))

	// Output:
	// rooms
	// town=Bonn
	// town=Ulm
	// sold: 0.999
	// true no
}
