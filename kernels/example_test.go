package kernels_test

import (
	"fmt"
	"log"

	"github.com/lanes-go/lanes/kernels"
)

func ExampleDot() {
	dot, err := kernels.Dot([]float64{1, 2, 3}, []float64{4, 5, 6})
	fmt.Println(dot, err)
	_, err = kernels.Dot([]float64{1, 2, 3}, []float64{4})
	fmt.Println(err)
	// Output:
	// 32 <nil>
	// kernels.Dot: x has 3 elements and y has 1; lengths must be equal
}

// A sparse vector is its columns, of 16 or 32 bits, and its values, of 32 or 64 bits.
func ExampleSparseDot() {
	columns, values := []uint16{0, 2}, []float32{1, 0.5}
	w := []float64{10, 20, 30}
	margin, err := kernels.SparseDot(columns, values, w)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(margin)
	// Output: 25
}

// The loss of a batch and its derivatives by the margins, in one sweep.
func ExampleLossGradient() {
	margins, labels := []float64{0, 3, -1}, []float64{1, 1, -1}
	slopes := make([]float64, 3)
	sum, err := kernels.LossGradient(kernels.Logistic, slopes, margins, labels, nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%.4f %.4f\n", sum, slopes)
	// Output: 1.0550 [-0.5000 -0.0474 0.2689]
}

// The threshold that k scores reach.
func ExampleKthLargest() {
	scores := []float64{0.5, -1, 2, 0.25, 1}
	second, err := kernels.KthLargest(scores, 2, make([]float64, len(scores)))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(second)
	// Output: 1
}
