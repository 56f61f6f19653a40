package loss_test

import (
	"context"
	"fmt"
	"math"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/sparse"
)

// logCosh is log(cosh(r)), r = z-y: the square of a small residual, and the size of a large one.
type logCosh struct{}

func (logCosh) String() string { return "log-cosh" }

func (logCosh) Labels() bool { return false }

func (logCosh) At(z, y float64) (value, slope, curvature float64) {
	r := math.Abs(z - y)
	t := math.Tanh(r)
	// cosh(r) = 1 + 2 sinh(r/2)^2 is exact where r is small.
	if half := math.Sinh(math.Min(r, 2) / 2); r < 2 {
		value = math.Log1p(float64(2 * half * half))
	} else {
		value = r + math.Log1p(math.Exp(-2*r)) - math.Ln2
	}
	c := 1 / math.Cosh(r)
	return value, math.Copysign(t, z-y), float64(c * c)
}

// Between: the second derivative falls with |r|.
func (logCosh) Between(z, dz, y float64) (least, most float64) {
	r := math.Abs(z - y)
	square := func(r float64) float64 { c := 1 / math.Cosh(r); return float64(c * c) }
	return square(r+dz) * (1 - 1e-14), min(1, square(math.Max(r-dz, 0))*(1+1e-14))
}

// A program brings a loss that lanes does not have. The ridge regression with it is certified: the
// gap bounds how far its objective is above the minimum.
func ExampleOwn() {
	phi, err := loss.Own(logCosh{})
	if err != nil {
		panic(err)
	}
	b := sparse.NewBuilder(sparse.BuilderOptions{})
	var y []float64
	for i := range 200 {
		x := float64(i%20) / 10
		if err := b.AddRow([]int{0, 1}, []float64{1, x}); err != nil {
			panic(err)
		}
		y = append(y, 1+2*x)
		if i%25 == 0 {
			y[i] += 100 // a stray target
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	f, err := lanes.Train(context.Background(), &sparse.Data{X: x, Y: y}, lanes.Options{
		Loss: phi, Kind: lanes.Regression, Penalty: lanes.L2(1e-4), Intercept: lanes.NoIntercept,
	})
	if err != nil {
		panic(err)
	}
	fmt.Printf("%v: %.2f, gap below 1e-6: %t\n", f.Result.Status, f.Result.Weights, f.Result.Gap <= 1e-6)
	// Output: converged: [1.07 1.97], gap below 1e-6: true
}
