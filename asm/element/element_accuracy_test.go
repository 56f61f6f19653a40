package element

import (
	"flag"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/bigmath"
)

var sweep = flag.Int("element.sweep", 0, "random points for each accuracy test of the elementary functions (0: some thousands)")

const bigPrec = 320

func newBig(x float64) *big.Float { return bigmath.Of(bigPrec, x) }

// within cuts x off where the functions of it no longer change in float64.
func within(x float64) *big.Float { return newBig(min(max(x, -1000), 1000)) }

func bigSoftplus(x float64) *big.Float {
	if x > 1000 {
		return newBig(x)
	}
	return bigmath.Softplus(within(x))
}

// bigTanh divides exp(2|x|)-1 by exp(2|x|)+1. For small |x| it returns x.
func bigTanh(x float64) *big.Float {
	if math.Abs(x) < 0x1p-100 {
		return newBig(x)
	}
	e := bigmath.Exp(newBig(min(2*math.Abs(x), 300)))
	n := new(big.Float).SetPrec(bigPrec).Sub(e, newBig(1))
	n.Quo(n, e.Add(e, newBig(1)))
	if x < 0 {
		n.Neg(n)
	}
	return n
}

// ulpError is |got - want| in units of the spacing of float64 at want. Infinity
// counts as 2^1024, and so does all that lies beyond.
func ulpError(got float64, want *big.Float) float64 {
	var g *big.Float
	limit := new(big.Float).SetPrec(bigPrec).SetMantExp(newBig(1), 1024)
	if want.Cmp(limit) > 0 {
		want = limit
	}
	switch {
	case math.IsInf(got, 1):
		g = limit
	case math.IsInf(got, -1):
		g = new(big.Float).Neg(limit)
	default:
		g = newBig(got)
	}
	spacing := -1074
	if want.Sign() != 0 {
		spacing = min(max(want.MantExp(nil)-53, -1074), 971)
	}
	g.Sub(g, want)
	e, _ := g.SetMantExp(g, -spacing).Float64()
	return math.Abs(e)
}

// elementary are the functions under test, each with its reference and the
// range where random points are dense.
var elementary = []struct {
	name      string
	kernel    func(*Kernels) func(dst, x []float64)
	twin      func(float64) float64
	reference func(float64) *big.Float
	low, high float64
	bound     float64 // in ulp
}{
	{"exp", func(k *Kernels) func(dst, x []float64) { return k.Exp }, exp,
		func(x float64) *big.Float { return bigmath.Exp(within(x)) }, -746, 710, 0.80},
	{"log", func(k *Kernels) func(dst, x []float64) { return k.Log }, log,
		func(x float64) *big.Float { return bigmath.Log(newBig(x)) }, 0, 10, 0.80},
	{"log1p", func(k *Kernels) func(dst, x []float64) { return k.Log1p }, log1p,
		func(x float64) *big.Float { return bigmath.Log1p(newBig(x)) }, -1, 10, 0.80},
	{"sigmoid", func(k *Kernels) func(dst, x []float64) { return k.Sigmoid }, sigmoid,
		func(x float64) *big.Float { return bigmath.Sigmoid(within(x)) }, -746, 40, 0.80},
	{"softplus", func(k *Kernels) func(dst, x []float64) { return k.Softplus }, softplus, bigSoftplus, -746, 70, 0.80},
	{"tanh", func(k *Kernels) func(dst, x []float64) { return k.Tanh }, tanh, bigTanh, -20, 20, 0.80},
}

// structured are the points where the operations of the functions change: the
// ends, the powers of two, the multiples of ln(2)/2, and their neighbours.
func structured() []float64 {
	points := []float64{0, math.SmallestNonzeroFloat64, logTiny, 0x1p-54, 0x1p-53, 1, 2, 20, 36.7, 40, 64,
		math.MaxFloat64, 704, 709.782712893384, 710, 745.1332191019411, 745.1332191019412, 746, 708.3964185322641, 744.4400719213812}
	for k := -1074; k < 1024; k++ {
		points = append(points, math.Ldexp(1, k), math.Ldexp(math.Sqrt2, k))
	}
	for k := 1; k < 2200; k++ {
		points = append(points, float64(k)*(math.Ln2/2))
	}
	for i := len(points) - 1; i >= 0; i-- {
		for _, step := range []float64{math.Inf(-1), math.Inf(1)} {
			p := math.Nextafter(points[i], step)
			points = append(points, p, math.Nextafter(p, step))
		}
	}
	for i := len(points) - 1; i >= 0; i-- {
		points = append(points, -points[i])
	}
	for k := range 2000 {
		points = append(points, -1+math.Ldexp(1, -k/40)*(1+float64(k%40)/40))
	}
	return points
}

func TestElementaryAccuracy(t *testing.T) {
	count := *sweep
	switch {
	case count == 0 && testing.Short():
		count = 1000
	case count == 0:
		count = 3000
	}
	for _, f := range elementary {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(1, 2))
			worst, at := 0.0, 0.0
			check := func(x float64) {
				got := f.twin(x)
				if math.IsNaN(x) || math.IsInf(x, 0) || math.IsNaN(got) || f.name == "log" && x == 0 || f.name == "log1p" && x == -1 {
					return // TestElementarySpecials
				}
				if e := ulpError(got, f.reference(x)); e > worst {
					worst, at = e, x
				}
			}
			points := structured()
			if *sweep == 0 {
				for i := range points {
					j := random.IntN(i + 1)
					points[i], points[j] = points[j], points[i]
				}
				points = points[:count]
			}
			for _, x := range points {
				check(x)
			}
			for range count {
				check(f.low + (f.high-f.low)*random.Float64())
				check(2*random.Float64() - 1)
				check(math.Float64frombits(random.Uint64()))
			}
			t.Logf("%s: %.3f ulp at %v", f.name, worst, at)
			if worst > f.bound {
				t.Errorf("%s is %.3f ulp off at %v (%s), bound %v", f.name, worst, at, fmt.Sprintf("%x", at), f.bound)
			}
		})
	}
}
