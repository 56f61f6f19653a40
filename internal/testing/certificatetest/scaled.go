package certificatetest

import (
	"math"
	"math/rand/v2"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// target draws a label, a count or a target whose margin is about that.
func target(phi loss.Loss, margin float64, random func() float64) float64 {
	if phi.Labels() {
		return math.Copysign(1, margin)
	}
	if _, counts := phi.Check([]float64{-1}); counts != nil {
		return math.Floor(2 * random() * math.Exp(margin))
	}
	return margin
}

// Scaled is a random problem of n rows and d columns with lambda = 1/n. Its column 1, rows and sample
// weights are multiplied by column, rows and weights. If weights is 1, it has no sample weights.
func Scaled(phi loss.Loss, seed uint64, n, d int, column, rows, weights float64) (certificate.Problem, error) {
	r := rand.New(rand.NewPCG(seed, 5))
	b := sparse.NewBuilder(sparse.BuilderOptions{})
	p := certificate.Problem{Problem: risk.Problem{Loss: phi, Penalty: penalty.Ridge{Lambda: 1 / float64(n)}}}
	for range n {
		var columns []int
		var values []float64
		margin := 0.0
		for j := range d {
			if j > 0 && r.IntN(5) == 0 {
				continue
			}
			v := r.NormFloat64()
			margin += v * float64(j%3-1)
			if j == 1 {
				v *= column
			}
			columns, values = append(columns, j), append(values, v*rows)
		}
		margin += 0.7 * r.NormFloat64()
		if err := b.AddRow(columns, values); err != nil {
			return p, err
		}
		p.Y = append(p.Y, target(phi, margin, r.Float64))
		if weights != 1 {
			p.SampleWeight = append(p.SampleWeight, weights*math.Exp(2*r.NormFloat64()))
		}
	}
	var err error
	p.X, err = b.Build()
	return p, err
}
