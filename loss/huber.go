package loss

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// Huber is r^2/2 for |r| <= Delta and Delta (|r| - Delta/2) beyond, with r = z-y. Delta is in units
// of the targets; 0 means 1.
type Huber struct{ Delta float64 }

func (Huber) String() string { return "huber" }

// TakesDelta tells whether a name, as Parse reads it, is that of Huber's loss. It is safe for concurrent use.
func TakesDelta(name string) bool {
	name, _, _ = strings.Cut(name, ":")
	return name == Huber{}.String()
}

// Parameter returns Delta, 1 for 0.
func (l Huber) Parameter() float64 {
	if l.Delta == 0 {
		return 1
	}
	return l.Delta
}

// Valid refuses a Delta that is negative or not finite.
func (l Huber) Valid() error {
	if !(l.Delta >= 0) || math.IsInf(l.Delta, 0) {
		return fmt.Errorf("want a positive number for Huber's delta, not %v", l.Delta)
	}
	return nil
}

func (Huber) with(delta float64) Loss { return Huber{delta} }

func (l Huber) Gradient(c, z, y, s []float64) float64 {
	return direct.Value(kernels.LossGradient(kernels.Huber, c, z, y, s, l.Parameter()))
}

func (l Huber) Sum(z, y, s []float64) float64 {
	return direct.Value(kernels.LossSum(kernels.Huber, z, y, s, l.Parameter()))
}

func (l Huber) Curvature(h, third, z, y, s []float64) {
	direct.Must(kernels.LossCurvature(kernels.Huber, h, third, z, y, s, l.Parameter()))
}

func (Huber) Labels() bool { return false }

func (l Huber) Check(y []float64) (bad int, err error) { return checkTargets(l, y, math.Inf(-1), "") }

func (Huber) Finite(_, _ bool) bool { return true }

func (Huber) Odds() bool { return false }

func (Huber) Quadratic() bool { return false }

func (Huber) Attained() bool { return true }

// Start is the best intercept of the squared loss.
func (Huber) Start(mean, offset float64, _ int) float64 { return mean - offset }

func (l Huber) Slope(z, y float64) float64 {
	_, slope := kernels.LossAt(kernels.Huber, z, y, l.Parameter())
	return slope
}

func (Huber) Peak() float64 { return 1 }

func (Huber) Centre(y float64) float64 { return y }

func (l Huber) Value(r, dr, _ float64) (value, err float64) {
	size := math.Abs(r)
	value, err = quadratic(size, min(size+dr, l.Parameter()), dr)
	if size > l.Parameter() {
		value = float64(l.Parameter() * (size - float64(0.5*l.Parameter())))
		err = float64(l.Parameter()*dr) + float64(4*direct.Unit*value)
	}
	return value, err
}

// SlopeError is 0 where the slope is surely the threshold, and computed so.
func (l Huber) SlopeError(z, dz, y, size, c, _ float64) float64 {
	if math.Abs(z-y)-doubt(z, dz, y, l.Parameter()) > l.Parameter() && math.FMA(size, l.Parameter(), -math.Abs(c)) == 0 {
		return 0
	}
	return slopeError(size, dz, size, c)
}

func (l Huber) Reach(z, dz, y, size, _ float64) (reach, least float64) {
	return inside(l.Parameter()-math.Abs(z-y), doubt(z, dz, y, l.Parameter()), size)
}

// Bend adds weights by the distance of margins from the next kink, delta - |c_i|/s_i.
func (l Huber) Bend(t Bends, _, c, s []float64) Bends {
	return bend(t, l.Parameter(), l.Parameter(), -1, c, s)
}

func (l Huber) Shift(t Bends, rows Rows, slope float64) float64 {
	return shift(t, l.Parameter(), rows, slope)
}

func (l Huber) Most(_ Bends, rows Rows, _ float64) float64 { return mostPeak(l, rows) }

func (Huber) ExactWork() int { return residualWork }

func (l Huber) ExactValue(z, y *big.Float) *big.Float {
	r := bigmath.Of(z.Prec(), 0)
	if r.Sub(z, y); !l.far(r) {
		return halfSquare(r)
	}
	r.Abs(r)
	return r.Mul(r.Sub(r, bigmath.Of(r.Prec(), l.Parameter()/2)), bigmath.Of(r.Prec(), l.Parameter()))
}

func (l Huber) ExactSlope(first, second, z, y *big.Float) {
	second.SetInt64(1)
	if first.Sub(z, y); l.far(first) {
		second.SetInt64(0)
		first.SetFloat64(math.Copysign(l.Parameter(), float64(first.Sign())))
	}
}

// far tells whether a residual is on the linear part.
func (l Huber) far(r *big.Float) bool {
	return new(big.Float).Abs(r).Cmp(bigmath.Of(r.Prec(), l.Parameter())) > 0
}

func (Huber) ExactSlopeError(second, size, _ *big.Float) { second.Set(size) }

// ExactReach: |r| <= phi/min(delta, 1) + 2 delta + 1.
func (l Huber) ExactReach(v, _ *big.Float) {
	v.Quo(v, bigmath.Of(v.Prec(), min(l.Parameter(), 1)))
	v.Add(v, bigmath.Of(v.Prec(), 2*l.Parameter()))
}

func (l Huber) Part(alpha, z, y, s, _ float64) float64 {
	beta, r := alpha/s, z-y
	switch {
	case math.Abs(beta) > l.Parameter():
		return math.Inf(1)
	case math.Abs(r) <= l.Parameter():
		return float64(float64(0.5*s)*(beta+r)) * (beta + r)
	}
	b := float64(-math.Copysign(1, r) * beta)
	return float64(s*(l.Parameter()-b)) * (math.Abs(r) - float64(0.5*(l.Parameter()+b)))
}

func (l Huber) Ascend(d *DualRow, z, _ float64) (part float64) {
	z -= d.U
	kappa := d.A + max(-l.Parameter(), min(l.Parameter(), z))
	d.A = max(-l.Parameter(), min(l.Parameter(), d.A-(z+d.A)/(1+d.Q)))
	return float64(0.5*kappa) * kappa
}

func (l Huber) Warm(d *DualRow, z, y float64) (above float64) { return warm(d, -l.Slope(z, y), y) }

func (Huber) Logit() bool { return false }

func (Huber) Conjugates(a, _, _, y, s []float64) (sum, absolute float64) {
	return halfSquares(a, y, s)
}

// Parabolas: delta/|r| where the loss is linear (Huber 1981, "Robust statistics", section 7.8).
func (l Huber) Parabolas(h, z, y, _, _ []float64) {
	for i, v := range z {
		h[i] = 1
		if r := math.Abs(v - y[i]); r > l.Parameter() {
			h[i] = l.Parameter() / r
		}
	}
}

func (Huber) Straight() bool { return true }

func (Huber) PassesPeak(a, b, y float64) bool { return a-y < 0 != (b-y < 0) }
