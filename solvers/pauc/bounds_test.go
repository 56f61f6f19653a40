package pauc

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"
)

// bounded is a problem of rows of all lengths, wide or long.
func bounded(t *testing.T, seed uint64, rows, columns int, lambda float64) (*cutting, []float64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 9))
	dense, y := make([]float64, rows*columns), make([]float64, rows)
	for i := range rows {
		scale := math.Pow(10, 4*r.Float64()-2)
		for j := range columns {
			dense[i*columns+j] = scale * r.NormFloat64()
		}
		if y[i] = -1; i%3 == 0 {
			y[i] = 1
		}
	}
	return newTestCutting(t, &Problem{X: denseMatrix(t, dense, columns), Y: y, Low: 0.1, High: 0.7, Lambda: lambda}), dense
}

// longest is the largest norm of a row.
func longest(dense []float64, columns int) ct.Real {
	most := ct.R(0)
	for at := 0; at < len(dense); at += columns {
		most = most.Max(ct.Norm(ct.Rs(dense[at:][:columns])))
	}
	return most
}

// TestAboveTerms compares the bound of the objective's rounding with its formula.
func TestAboveTerms(t *testing.T) {
	t.Parallel()
	var pins ct.Pins
	r := rand.New(rand.NewPCG(2, 2))
	any := func() float64 { return math.Pow(10, 10*r.Float64()-5) * float64(min(r.IntN(3), 1)) }
	for k, shape := range [][2]int{{6, 3}, {60, 40}, {12, 300}} {
		l, dense := bounded(t, uint64(k), shape[0], shape[1], 0.01)
		n, d := float64(shape[0]), float64(shape[1])
		negatives := float64(shape[0] - (shape[0]+2)/3)
		mass := ct.R(2).Times(ct.R(0.7 * negatives)).Over(ct.R(0.7 * negatives).Minus(ct.R(0.1 * negatives)))
		for range 12 {
			score, norm, value := any(), any(), any()
			pins.Check(t, fmt.Sprintf("%v, score %g, norm %g, value %g", shape, score, norm, value), l.above(score, norm, value), func(on ct.On) ct.Real {
				dz := on("scores", ct.Unit.Scale((d/8+16)*norm).Times(longest(dense, shape[1])))
				ranking := on("ranking", ct.Unit.Scale(8*(n+16)).Times(ct.R(score).Plus(ct.R(1))))
				return mass.Times(dz.Plus(ranking)).Plus(on("value", ct.Unit.Scale((d+16)*value)))
			})
		}
	}
	pins.Done(t)
}

// TestProvenTerms compares what rounding takes from the proven value of the dual with its
// formula: planes kept as weights and as coefficients, few of them and many.
func TestProvenTerms(t *testing.T) {
	t.Parallel()
	pins := ct.Pins{Slack: 0.15, Floor: 0.15} // the rounding that came about is in it, too
	for k, c := range []struct {
		rows, columns int
		lambda        float64
		over          float64 // what the shares add up to beyond 1
	}{{30, 4, 0.01, 0}, {12, 40, 1e-6, 0}, {60, 90, 100, 0}, {9, 20, 1e12, 0}, {30, 4, 0.01, 1e-9}} {
		l, dense := bounded(t, uint64(k), c.rows, c.columns, c.lambda)
		for range 8 {
			l.iterate(t)
			l.dual.solve(0)
		}
		for _, u := range l.dual.used {
			l.dual.a[u] *= 1 + c.over
		}
		n, d, planes := float64(c.rows), float64(c.columns), float64(len(l.dual.used))
		negatives := float64(c.rows - (c.rows+2)/3)
		mass := ct.R(2).Times(ct.R(0.7 * negatives)).Over(ct.R(0.7 * negatives).Minus(ct.R(0.1 * negatives)))
		mean, total := ct.R(0), ct.R(0)
		v := ct.Rs(make([]float64, c.columns))
		for _, u := range l.dual.used {
			a := ct.R(l.dual.a[u])
			mean, total = mean.Plus(a.Scale(l.dual.b[u])), total.Plus(a)
			if !l.byRows {
				for j, x := range l.planes[u].weights {
					v[j] = v[j].Plus(a.Scale(x))
				}
				continue
			}
			for i, coefficient := range l.planes[u].weights {
				for j := range v {
					v[j] = v[j].Plus(a.Scale(coefficient).Scale(dense[i*c.columns+j]))
				}
			}
		}
		norm, length := ct.Norm(v), longest(dense, c.columns)
		value := func(on ct.On) ct.Real {
			size := norm.Plus(on("sums", ct.Unit.Scale(2*n+planes+100).Times(mass, length)), on("norm", ct.Unit.Scale(d+8).Times(norm)))
			square := size.Square().Over(ct.R(2 * c.lambda))
			share := total.Minus(ct.R(1)).Abs().Plus(ct.Unit.Scale(n + 2*planes + 16))
			return mean.Minus(square).Minus(on("shares", share.Times(mean.Abs().Plus(square.Scale(2))))).
				Minus(on("coefficients", ct.Unit.Scale(16).Times(mass, length, ct.R(2/c.lambda).Root())))
		}
		none := value(func(string, ct.Real) ct.Real { return ct.R(0) })
		l.proven = negativeInfinity
		l.prove()
		pins.Check(t, fmt.Sprintf("%+v, by rows %t", c, l.byRows), none.Minus(ct.R(l.proven)).Float(), func(on ct.On) ct.Real { return none.Minus(value(on)) })
	}
	for _, term := range []string{"sums", "shares", "coefficients"} {
		if !pins.Counted(term) {
			t.Errorf("the term %q never counted", term)
		}
	}
}
