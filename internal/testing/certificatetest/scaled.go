package certificatetest

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/testing/definition"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// target draws a label, a count or a target whose margin is about that.
func target(phi loss.Loss, margin float64, random func() float64) float64 {
	if _, refused := phi.Check([]float64{-1}); refused != nil {
		margin = math.Floor(2 * random() * math.Exp(margin))
	}
	return Valid(phi, margin)
}

// Valid returns a label or target that a loss takes, for a number: its sign, itself, its size, or its
// size and 1/8.
func Valid(phi loss.Loss, y float64) float64 {
	if phi.Labels() {
		return math.Copysign(1, y)
	}
	for _, v := range []float64{y, math.Abs(y)} {
		if _, err := phi.Check([]float64{v}); err == nil {
			return v
		}
	}
	return math.Abs(y) + 0.125
}

// Defined returns the losses of package loss that package definition defines, with the usual parameters,
// and that have second derivatives and a certificate.
func Defined() []loss.Loss {
	return slices.DeleteFunc(defined(), func(l loss.Loss) bool { return loss.KinkedOf(l) != nil || !loss.IsConvex(l) })
}

// InBits returns the losses of Defined that are a loss.Exact.
func InBits() []loss.Loss {
	return slices.DeleteFunc(Defined(), func(l loss.Loss) bool { _, is := l.(loss.Exact); return !is })
}

// Kinked returns the losses that have none.
func Kinked() []loss.Loss {
	return slices.DeleteFunc(defined(), func(l loss.Loss) bool { return loss.KinkedOf(l) == nil })
}

func defined() (all []loss.Loss) {
	for _, name := range loss.Names() {
		l, err := loss.Parse(name, 0)
		if err != nil {
			panic(err)
		}
		if definition.Of(name, l.Parameter()) != nil {
			all = append(all, l)
		}
	}
	return all
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
			margin += float64(v * float64(j%3-1))
			if j == 1 {
				v *= column
			}
			columns, values = append(columns, j), append(values, v*rows)
		}
		margin += float64(0.7 * r.NormFloat64())
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
