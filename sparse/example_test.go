package sparse_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
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

// Compressed rows, as scipy.sparse.csr_matrix has them, in and out.
func ExampleNewCSR() {
	x, err := sparse.NewCSR(4, []int64{0, 2, 3}, []uint32{0, 2, 3}, []float64{1, 0.5, 2})
	if err != nil {
		log.Fatal(err)
	}
	ptr, columns, values := x.NormalizeUnit().CSR()
	fmt.Println(ptr, columns, values[2])
	// Output: [0 2 3] [0 2 3] 1
}

// Rows that stay in their file. The text is converted to a cache once; then groups of some 30,000
// entries are read where they are needed.
func ExampleOpenStream() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ctx, path := context.Background(), filepath.Join(dir, "rows.lanes")
	text := strings.NewReader("+1 1:1 3:0.5\n-1 2:1 4:0.25\n+1 4:4\n")
	if _, err := sparse.ConvertCacheFile(ctx, path, text, "example", sparse.ReadOptions{}); err != nil {
		log.Fatal(err)
	}
	stream, err := sparse.OpenStream(ctx, path)
	if err != nil {
		log.Fatal(err)
	}
	defer stream.Close()
	var group sparse.StreamGroup
	for k := range stream.Groups() {
		if err := stream.Load(&group, k); err != nil {
			log.Fatal(err)
		}
		for i := range group.Rows().Rows() {
			fmt.Print("row ", group.First+i, ", label ", group.Y[i], ":")
			for j, v := range group.Rows().Row(i) {
				fmt.Print(" ", j, ":", v)
			}
			fmt.Println()
		}
	}
	// Output:
	// row 0, label 1: 0:1 2:0.5
	// row 1, label -1: 1:1 3:0.25
	// row 2, label 1: 3:4
}
