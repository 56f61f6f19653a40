package sparse_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/lanes-go/lanes/sparse"
)

// Rows of LIBSVM text, and their products with weights.
func ExampleRead() {
	text := "+1 1:1 3:0.5\n-1 2:1 4:0.25\n"
	data, err := sparse.Read(context.Background(), strings.NewReader(text), "example", sparse.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	x := data.X.WithBias(1) // a constant last column
	margins := make([]float64, x.Rows())
	if err := x.MulVec(nil, margins, []float64{1, 2, 3, 4, 10}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(x.Rows(), x.Cols(), x.Layout(), data.Y, margins)
	// Output: 2 5 i16+f32 [1 -1] [12.5 13]
}

// Rows one by one. The matrix has the smallest layout that holds its values exactly.
func ExampleBuilder() {
	b := sparse.NewBuilder(sparse.BuilderOptions{Columns: 4})
	for _, words := range [][]int{{0, 2}, {3}, {1, 0}} {
		if err := b.AddRow(words, nil); err != nil { // nil: all ones
			log.Fatal(err)
		}
	}
	x, err := b.Build()
	if err != nil {
		log.Fatal(err)
	}
	for j, v := range x.Row(2) {
		fmt.Println(j, v)
	}
	fmt.Println(x.NNZ(), "entries,", x.Layout())
	// Output:
	// 0 1
	// 1 1
	// 5 entries, i16+none
}
