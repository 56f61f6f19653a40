package lanes_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// TestRidgePath: one matrix gives the points of a path of ridges, and certifies them: they are those
// of a fit each, for columns of very different scales, that depend on one another, or far from 0.
func TestRidgePath(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 9))
	const n, d = 200, 12
	for k := range 8 {
		x, y, weights := make([]float64, n*d), make([]float64, n), make([]float64, n)
		for i := range n {
			row := x[i*d:][:d]
			for j := range row {
				row[j] = random.NormFloat64()
				if k&1 != 0 {
					row[j] *= math.Pow(10, float64(j%5)-2)
				}
				y[i] += row[j]
			}
			if row[1] = row[0]; k&2 != 0 {
				row[2] = 1e3 + random.Float64()
				row[3] = row[4] + 1e-6*row[5]
			}
			y[i] += random.NormFloat64() + 3
			weights[i] = float64(i % 4)
		}
		m, err := sparse.NewDense(nil, &sparse.Dense{Rows: n, Columns: d, RowStride: d, ColumnStride: 1, Float64: x})
		if err != nil {
			t.Fatal(err)
		}
		data := &sparse.Data{X: m, Y: y}
		if k&4 != 0 {
			data.Weight = weights
		}
		o := lanes.Options{Kind: lanes.Regression, Loss: loss.Squared{}, Intercept: lanes.FreeIntercept, Tolerance: 1e-8}
		list := []float64{10, 1, 1e-2, 1e-4, 1e-6}
		path, err := lanes.Path(context.Background(), data, lanes.Search{Options: o, Weights: list})
		if err != nil {
			t.Fatal(err)
		}
		o.Tolerance = 1e-11
		for i, fit := range path.Fits {
			o.Penalty = lanes.L2(list[i])
			alone, err := lanes.Train(context.Background(), data, o)
			if err != nil {
				t.Fatal(err)
			}
			r := fit.Result
			if apart := r.Objective - alone.Result.Objective; r.Status != solvers.Converged || !(apart <= r.Gap+1e-15) || !(apart >= -alone.Result.Gap-1e-15) {
				t.Errorf("%d, lambda %v: %v at %v with a gap of %v, alone %v", k, list[i], r.Status, r.Objective, r.Gap, alone.Result.Objective)
			}
			if k&2 == 0 && r.Total.Epochs != 0 {
				t.Errorf("%d, lambda %v: %v passes", k, list[i], r.Total.Epochs)
			}
			point, err := path.PointModel(i)
			if err != nil {
				t.Fatal(err)
			}
			scores, err := point.Scores(nil, nil, data.X)
			if err != nil {
				t.Fatal(err)
			}
			sum, mass := 0.0, 0.0
			for i, s := range scores {
				w := 1.0
				if data.Weight != nil {
					w = weights[i]
				}
				sum, mass = sum+w*(s-y[i]), mass+w
			}
			if math.Abs(sum/mass) > 1e-4 {
				t.Errorf("%d, lambda %v: residuals with a mean of %v", k, list[i], sum/mass)
			}
		}
		for _, bad := range []int{-1, 5} {
			if _, err := path.PointModel(bad); err == nil {
				t.Errorf("there is a point %d", bad)
			}
		}
	}
}
