package certificatetest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// Shape is what decides how the rounding of a problem is bounded.
type Shape struct {
	Loss       loss.Loss // nil means the logistic one
	Rows, Cols int
	// Weights of rows: "" for ones; "above" for some up to 1e3; "below" for some down to 1e-6;
	// "some" for above with every third row at 0; "negative" for a few below 0.
	Weights string
	// Values: "" for normal numbers; "columns" for columns whose scales span a factor of 1e12;
	// "rows" for rows whose scales do; "constant" for one value in each row; "ones" for ones.
	Values string
	Scale  float64 // of all values; 0 means 1
	// Times multiplies the weights; 0 means 1.
	Times      float64
	Bias       float64
	Sequential bool
	Lambda     float64 // 0 means 1/Rows
}

func (s Shape) String() string {
	return fmt.Sprintf("%v, %d rows, %d columns, weights %q, values %q of %g, bias %g, sequential %t, lambda %g",
		s.Loss, s.Rows, s.Cols, s.Weights, s.Values, s.Scale, s.Bias, s.Sequential, s.Lambda)
}

// Shapes are problems that vary everything that bounds depend on. Some have more rows than a block
// of a sum.
func Shapes() []Shape {
	losses := []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: 0.7}}
	weights := []string{"above", "", "some", "below"}
	values := []string{"columns", "", "rows", "constant", "ones"}
	var all []Shape
	for k := range 20 {
		s := Shape{
			Loss: losses[k%4], Rows: []int{1, 600, 37}[k%3], Cols: []int{1, 40, 5, 130}[k/2%4],
			Weights: weights[(k+k/4)%4], Values: values[k%5], Bias: []float64{0, 1}[k%2], Sequential: k%3 == 2, Lambda: []float64{0, 1e-3, 1e6}[k%3],
		}
		all = append(all, s)
	}
	return append(all,
		Shape{Loss: loss.Logistic{}, Rows: 1<<14 + 3, Cols: 2, Weights: "some"},
		Shape{Loss: loss.Logistic{}, Rows: 1<<14 + 3, Cols: 2, Values: "rows"},
		Shape{Loss: loss.Squared{}, Rows: 20, Cols: 3, Scale: 1e-160, Lambda: 1e-300},
		Shape{Loss: loss.Squared{}, Rows: 2, Cols: 3, Scale: 1e-170, Lambda: 1e300, Weights: "above"},
		Shape{Loss: loss.Squared{}, Rows: 20, Cols: 3, Scale: 1e-147, Weights: "above", Times: 1e303},
	)
}

// Problem draws a problem of the shape.
func (s Shape) Problem(seed uint64) (certificate.Problem, error) {
	if s.Loss == nil {
		s.Loss = loss.Logistic{}
	}
	r := rand.New(rand.NewPCG(seed, 77))
	power := func(span float64) float64 { return math.Pow(10, span*(float64(2*float64(r.Float64()))-1)) }
	b := sparse.NewBuilder(sparse.BuilderOptions{})
	p := certificate.Problem{Problem: risk.Problem{Loss: s.Loss, Penalty: penalty.Ridge{Lambda: s.Lambda}}, Sequential: s.Sequential}
	if s.Lambda == 0 {
		p.Penalty = penalty.Ridge{Lambda: 1 / float64(s.Rows)}
	}
	scale := make([]float64, s.Cols)
	for j := range scale {
		if scale[j] = s.Scale; s.Scale == 0 {
			scale[j] = 1
		}
		if s.Values == "columns" {
			scale[j] *= power(6)
		}
	}
	for i := range s.Rows {
		var columns []int
		var values []float64
		row := power(6)
		for j := range s.Cols {
			if s.Cols > 1 && r.IntN(3) == 0 && j != i%s.Cols {
				continue
			}
			v := r.NormFloat64() * scale[j]
			switch s.Values {
			case "rows":
				v *= row
			case "constant":
				v = row
			case "ones":
				v = 1
			}
			columns, values = append(columns, j), append(values, v)
		}
		if err := b.AddRow(columns, values); err != nil {
			return p, err
		}
		y := r.NormFloat64()
		p.Y = append(p.Y, Valid(s.Loss, y))
		weight := 1.0
		switch s.Weights {
		case "":
			continue
		case "below":
			weight = math.Pow(10, -6*r.Float64())
		case "negative":
			if weight = 1 + float64(9*r.Float64()); i%3 == 2 {
				weight *= -1
			}
		default:
			if weight = math.Pow(10, 3*r.Float64()); s.Weights == "some" && i%3 == 1 {
				weight = 0
			}
		}
		if s.Times != 0 {
			weight *= s.Times
		}
		p.SampleWeight = append(p.SampleWeight, weight)
	}
	x, err := b.Build()
	if err != nil {
		return p, err
	}
	p.X = x.WithBias(s.Bias)
	return p, nil
}
