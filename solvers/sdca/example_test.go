package sdca_test

import (
	"context"
	"fmt"
	"log"
	"math"
	"math/rand/v2"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sdca"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// Dual steps suit rows of many columns, and their gap bounds what is left to gain.
func ExampleSolve() {
	data, err := synthetic.Shape{Name: "text", N: 200, D: 2000, Seed: 1}.Generate(nil)
	if err != nil {
		log.Fatal(err)
	}
	problem := &erm.Problem{X: data.X, Y: data.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 0.005}}
	result, err := sdca.Solve(context.Background(), problem, sdca.Prox{}, solvers.Settings{GapTolerance: 1e-6, Seed: 1})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, objective %.4f, gap below 1e-6: %v\n", result.Status, result.Objective, result.Gap <= 1e-6)
	// Output: converged, objective 0.5325, gap below 1e-6: true
}

// This example finds the first principal component of points a_1 ... a_m by shifted inverse
// iteration. With C = (1/m) sum a_k a_k' and a shift mu just above the largest eigenvalue of C, a
// round solves (mu I - C) w = b. That is, it minimises
//
//	(mu/2) w'w - (1/2) w'C w - b'w
//
// The points enter with negative curvature: as squared losses of negative weight.
// Rows c e_j (a coordinate each) of positive weight and with targets make the
// average of all losses convex, and carry b.
func Example_principalComponent() {
	const m, d, n = 60, 6, 66
	r := rand.New(rand.NewPCG(1, 2))
	points := make([][]float64, m)
	for k := range points {
		points[k] = make([]float64, d)
		main := r.NormFloat64()
		for j := range d {
			points[k][j] = 0.5*r.NormFloat64() + main*float64(j+1)/10
		}
	}

	// All rows: the points with weight -n/m, the coordinates with weight n top.
	const top, mu = 1.1, 2.0 // the largest eigenvalue of C is 0.995
	ptr, columns, values := []int64{0}, []uint32{}, []float64{}
	weight, target := make([]float64, n), make([]float64, n)
	for k, a := range points {
		for j, v := range a {
			columns, values = append(columns, uint32(j)), append(values, v)
		}
		ptr = append(ptr, int64(len(columns)))
		weight[k] = -float64(n) / m
	}
	for j := range d {
		columns, values = append(columns, uint32(j)), append(values, 1)
		ptr = append(ptr, int64(len(columns)))
		weight[m+j] = n * top
	}
	x, err := sparse.NewCSR(d, ptr, columns, values)
	if err != nil {
		fmt.Println(err)
		return
	}
	p := &erm.Problem{X: x, Y: target, Loss: loss.Squared{}, Penalty: penalty.Ridge{Lambda: mu - top}, SampleWeight: weight}

	b := make([]float64, d)
	for j := range b {
		b[j] = 1 / math.Sqrt(d)
	}
	for range 30 {
		for j := range b {
			target[m+j] = b[j] / top // so that the loss is (top/2) w_j^2 - b_j w_j + constant
		}
		result, err := sdca.Solve(context.Background(), p, sdca.Adaptive{AverageConvex: true},
			solvers.Settings{GradientTolerance: 1e-8, MaxEpochs: 5000})
		if err != nil || result.Status != solvers.Converged {
			fmt.Println(result.Status, err)
			return
		}
		length := math.Sqrt(kernels.SquaredNorm(result.Weights))
		for j, w := range result.Weights {
			b[j] = w / length
		}
	}

	// C b = eigenvalue b
	product := make([]float64, d)
	for _, a := range points {
		z, _ := kernels.Dot(a, b)
		for j, v := range a {
			product[j] += v * z / m
		}
	}
	eigenvalue, _ := kernels.Dot(product, b)
	residual := 0.0
	for j := range b {
		residual = max(residual, math.Abs(product[j]-eigenvalue*b[j]))
	}
	fmt.Printf("eigenvalue %.3f, C b = eigenvalue b to 1e-5: %t\n", eigenvalue, residual < 1e-5)
	// Output:
	// eigenvalue 0.995, C b = eigenvalue b to 1e-5: true
}
