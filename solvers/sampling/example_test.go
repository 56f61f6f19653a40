package sampling_test

import (
	"fmt"
	"log"

	"github.com/lanes-go/lanes/solvers/sampling"
)

// A number three times as likely as another is drawn three times as often.
func ExampleAlias() {
	alias, err := sampling.NewAlias([]float64{1, 0, 3})
	if err != nil {
		log.Fatal(err)
	}
	random := sampling.NewRandom(1)
	var drawn [3]int
	for range 4000 {
		drawn[alias.Draw(random)]++
	}
	fmt.Println(drawn[1], drawn[2] > 2*drawn[0], drawn[2] < 4*drawn[0])
	// Output: 0 true true
}

// Weights change between the draws: here every number comes once.
func ExampleTree() {
	tree := sampling.NewTree(4)
	for i := range uint32(4) {
		tree.Set(i, float64(i+1))
	}
	random := sampling.NewRandom(1)
	seen := make([]bool, 4)
	for tree.Total() > 0 {
		i := tree.Draw(random)
		tree.Set(i, 0)
		seen[i] = true
	}
	fmt.Println(seen)
	// Output: [true true true true]
}

// Sets of two numbers, of which the first is in every one.
func ExampleBatch() {
	batch, err := sampling.NewBatch(4, 2)
	if err != nil {
		log.Fatal(err)
	}
	if err := batch.Set([]float64{1, 0.5, 0.25, 0.25}); err != nil {
		log.Fatal(err)
	}
	random := sampling.NewRandom(1)
	var drawn [4]int
	for range 4000 {
		for _, i := range batch.Draw(random) {
			drawn[i]++
		}
	}
	fmt.Println(drawn[0], drawn[1] > drawn[2]+500, drawn[1]+drawn[2]+drawn[3])
	// Output: 4000 true 4000
}
