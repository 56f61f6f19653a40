package gonum_test

import (
	"fmt"
	"log"

	"gonum.org/v1/gonum/mat"

	"github.com/lanes-go/lanes/sparse/gonum"
)

// A sparse matrix is made of a matrix of gonum, is seen as one, and multiplies gonum's vectors
// without a copy.
func ExampleFromMatrix() {
	x, err := gonum.FromMatrix(mat.NewDense(2, 3, []float64{
		1, 0, 2,
		0, 3, 0,
	}))
	if err != nil {
		log.Fatal(err)
	}
	w := mat.NewVecDense(3, []float64{1, 10, 100})
	product := mat.NewVecDense(2, nil)
	if err := x.MulVec(nil, product.RawVector().Data, w.RawVector().Data); err != nil {
		log.Fatal(err)
	}
	fmt.Println(mat.Formatted(gonum.View(x).T()))
	fmt.Println(product.RawVector().Data, mat.Dot(product, product))
	// Output:
	// ⎡1  0⎤
	// ⎢0  3⎥
	// ⎣2  0⎦
	// [201 30] 41301
}
