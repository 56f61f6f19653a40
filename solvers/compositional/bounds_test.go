package compositional

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	ct "github.com/lanes-go/lanes/internal/testing/certificatetest"

	"github.com/lanes-go/lanes/penalty"
)

// known is a regulariser with r(x), the maximum over X of -v'y - r(y), and the largest distance
// from x, in many bits.
type known struct {
	name string
	r    interface {
		penalty.Compact
	}
	value, support, reach ct.Real
}

// knowns are a box with an L1 norm, a ball and a simplex.
func knowns(x, v []float64, lambda, low, high float64) []known {
	value, support, reach, least := ct.R(0), ct.R(0), ct.R(0), ct.R(v[0])
	smallest, total := ct.R(x[0]), ct.R(high)
	for j, a := range ct.Rs(x) {
		value = value.Plus(a.Abs().Scale(lambda))
		at := func(y float64) ct.Real {
			return ct.R(0).Minus(ct.R(v[j]).Scale(y)).Minus(ct.R(math.Abs(y)).Scale(lambda))
		}
		best := at(low).Max(at(high))
		if low <= 0 {
			best = best.Max(ct.R(0))
		}
		support = support.Plus(best)
		reach = reach.Plus(ct.R(high).Minus(a).Abs().Max(a.Minus(ct.R(low)).Abs()).Square())
		least, smallest = least.Min(ct.R(v[j])), smallest.Min(a)
	}
	size := ct.Norm(ct.Rs(x))
	corner := size.Square().Plus(total.Square()).Minus(total.Times(smallest).Scale(2)).Max(ct.R(0)).Root()
	return []known{
		{"box", penalty.L1Box{Lambda: lambda, Low: low, High: high}, value, support, reach.Root()},
		{"ball", penalty.Ball{Radius: high}, ct.R(0), ct.Norm(ct.Rs(v)).Times(total), total.Plus(size)},
		{"simplex", &penalty.Simplex{Total: high}, ct.R(0), ct.R(0).Minus(least.Times(total)), corner},
	}
}

// TestGapTerms compares what is added to a gap for rounding with its formula, and the gap with
// its exact value: for numbers of all scales, in one dimension and in many.
func TestGapTerms(t *testing.T) {
	t.Parallel()
	var pins ct.Pins
	for k := range 60 {
		r := rand.New(rand.NewPCG(uint64(k), 1))
		any := func() float64 { return math.Pow(10, 12*r.Float64()-6) }
		d, lambda, high, low := []int{1, 7, 100}[k%3], any()*float64(k%2), any(), -any()
		if k%4 == 0 {
			low = high / 2
		}
		x, v := make([]float64, d), make([]float64, d)
		size, rate := any(), any()
		for j := range x {
			x[j], v[j] = size*r.NormFloat64(), rate*r.NormFloat64()
		}
		o := newObjective(&Problem{F: newCurved(1, 1, 1, d)})
		for _, c := range knowns(x, v, lambda, low, high) {
			o.r = c.r
			of := fmt.Sprintf("%s, %d columns, round %d", c.name, d, k)
			value, support := c.r.Value(x), c.r.Descent(v)
			rounding := o.rounding(c.r, x, v, value, support)
			pins.Check(t, of, rounding, func(on ct.On) ct.Real {
				length, norm := ct.Norm(ct.Rs(x)).Scale(2), ct.Norm(ct.Rs(v)).Scale(3)
				return ct.Unit.Scale(float64(d + 16)).Times(on("value", c.value).Plus(on("support", c.support.Abs()),
					on("weights", norm.Times(length)), on("reach", norm.Times(c.reach))))
			})
			exact := ct.Dot(ct.Rs(v), ct.Rs(x)).Plus(c.value, c.support)
			e := o.report(x, o.g, v)
			if exact.Cmp(ct.R(e.Gap)) > 0 || exact.Max(ct.R(0)).Plus(ct.R(2.1*rounding)).Cmp(ct.R(e.Gap)) < 0 {
				t.Errorf("%s: a gap of %v +- %v, exactly %v", of, e.Gap, rounding, exact.Float())
			}
		}
	}
	pins.Done(t)
}
