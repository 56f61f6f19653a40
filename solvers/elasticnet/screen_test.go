package elasticnet

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// TestScreen compares the far columns with those by the means and variances of all rows: columns
// around the limit, columns that are near 0 in some rows first and far later, weights of all sizes.
func TestScreen(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	ratios := []float64{0, 1, 10, 25, 31, 33, 40, 1e3, 1e9}
	for round := range 60 {
		n, d := 1+r.IntN(700), 40
		p := &Problem{Loss: loss.Squared{}, Intercept: true, Penalty: penalty.L1{Lambda: 1}, Y: make([]float64, n)}
		if round%2 == 1 {
			p.SampleWeight = make([]float64, n)
			for i := range p.SampleWeight {
				p.SampleWeight[i] = float64(r.IntN(3)) * math.Exp(3*r.NormFloat64())
			}
		}
		begins, columns, values := []int64{0}, []uint32(nil), []float64(nil)
		change := make([]int, d) // the row from which a column is far
		for j := range change {
			change[j] = r.IntN(4) * r.IntN(n) / 3
		}
		x := make([][]float64, d)
		for i := range n {
			for j := range d {
				v := r.NormFloat64()
				if i >= change[j] {
					v += ratios[j%len(ratios)]
				} else {
					v *= 0.01
				}
				x[j] = append(x[j], v)
				columns, values = append(columns, uint32(j)), append(values, v)
			}
			begins = append(begins, int64(len(columns)))
		}
		m, err := sparse.NewCSR(d, begins, columns, values)
		if err != nil {
			t.Fatal(err)
		}
		p.X = m.WithBias(1)
		var want []uint32
		clear := true // no column is so near the limit that rounding decides
		for j, column := range x {
			total, mean, variance := 0.0, 0.0, 0.0
			weight := func(i int) float64 {
				if p.SampleWeight == nil {
					return 1
				}
				return p.SampleWeight[i]
			}
			for i, v := range column {
				total += weight(i)
				mean += weight(i) * v
			}
			mean /= total
			for i, v := range column {
				variance += weight(i) * (v - mean) * (v - mean) / total
			}
			size, limit := math.Abs(mean), farColumn*math.Sqrt(variance)
			clear = clear && math.Abs(size-limit) > 1e-6*size
			if size > limit {
				want = append(want, uint32(j))
			}
		}
		var got []uint32
		if o := offsetsOf([]*Problem{p}); o != nil {
			got = o.columns
		}
		if clear && !slices.Equal(got, want) {
			t.Errorf("round %d, %d rows: far columns %v, not %v", round, n, got, want)
		}
	}
}
