package loss

import (
	"fmt"
	"math"
	"math/big"
	"sync/atomic"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// huber is r^2/2 for |r| <= delta and delta (|r| - delta/2) beyond, with r = z-y.
type huber struct{ delta float64 }

// lastHuber is the last loss of huberOf. A run asks for its loss at each step, which then allocates
// nothing.
var lastHuber atomic.Pointer[huber]

// huberOf returns the loss with a threshold. Goroutines may call it.
func huberOf(delta float64) (Loss, error) {
	if !(delta > 0) || math.IsInf(delta, 0) {
		return nil, fmt.Errorf("want a positive number for Huber's delta, not %v", delta)
	}
	if l := lastHuber.Load(); l != nil && l.delta == delta {
		return l, nil
	}
	l := &huber{delta}
	lastHuber.Store(l)
	return l, nil
}

func (huber) Kernel() kernels.Loss { return kernels.Huber }

func (huber) Labels() bool { return false }

func (huber) Odds() bool { return false }

func (l huber) Parameter() float64 { return l.delta }

func (huber) Quadratic() bool { return false }

func (huber) Attained() bool { return true }

// Start is the best intercept of the squared loss.
func (huber) Start(mean float64, _ int) float64 { return mean }

func (l huber) Slope(z, y float64) float64 {
	_, slope := kernels.LossAt(kernels.Huber, z, y, l.delta)
	return slope
}

func (huber) Peak() float64 { return 1 }

func (huber) Centre(y float64) float64 { return y }

func (l huber) Value(r, dr, _ float64) (value, err float64) {
	size := math.Abs(r)
	value, err = quadratic(size, min(size+dr, l.delta), dr)
	if size > l.delta {
		value = float64(l.delta * (size - float64(0.5*l.delta)))
		err = float64(l.delta*dr) + float64(4*direct.Unit*value)
	}
	return value, err
}

// SlopeError is 0 where the slope is surely the threshold, and computed so.
func (l huber) SlopeError(z, dz, y, size, c, _ float64) float64 {
	if math.Abs(z-y)-doubt(z, dz, y, l.delta) > l.delta && math.FMA(size, l.delta, -math.Abs(c)) == 0 {
		return 0
	}
	return slopeError(size, dz, size, c)
}

func (l huber) Reach(z, dz, y, size, _ float64) (reach, least float64) {
	return inside(l.delta-math.Abs(z-y), doubt(z, dz, y, l.delta), size)
}

// Bend adds weights by the distance of margins from the next kink, delta - |c_i|/s_i.
func (l huber) Bend(t Bends, _, c, s []float64) Bends {
	return bend(t, l.delta, l.delta, -1, c, s)
}

func (l huber) Shift(t Bends, rows Rows, slope float64) float64 {
	return shift(t, l.delta, rows, slope)
}

func (l huber) Most(_ Bends, rows Rows, _ float64) float64 { return mostPeak(l, rows) }

func (huber) ExactWork() int { return residualWork }

func (l huber) ExactValue(z, y *big.Float) *big.Float {
	r := bigmath.Of(z.Prec(), 0)
	if r.Sub(z, y); !l.far(r) {
		return halfSquare(r)
	}
	r.Abs(r)
	return r.Mul(r.Sub(r, bigmath.Of(r.Prec(), l.delta/2)), bigmath.Of(r.Prec(), l.delta))
}

func (l huber) ExactSlope(first, second, z, y *big.Float) {
	second.SetInt64(1)
	if first.Sub(z, y); l.far(first) {
		second.SetInt64(0)
		first.SetFloat64(math.Copysign(l.delta, float64(first.Sign())))
	}
}

// far tells whether a residual is on the linear part.
func (l huber) far(r *big.Float) bool {
	return new(big.Float).Abs(r).Cmp(bigmath.Of(r.Prec(), l.delta)) > 0
}

// ExactReach: |r| <= phi/min(delta, 1) + 2 delta + 1.
func (l huber) ExactReach(v *big.Float) {
	v.Quo(v, bigmath.Of(v.Prec(), min(l.delta, 1)))
	v.Add(v, bigmath.Of(v.Prec(), 2*l.delta))
}

func (l huber) Part(alpha, z, y, s, _ float64) float64 {
	beta, r := alpha/s, z-y
	switch {
	case math.Abs(beta) > l.delta:
		return math.Inf(1)
	case math.Abs(r) <= l.delta:
		return float64(float64(0.5*s)*(beta+r)) * (beta + r)
	}
	b := -math.Copysign(1, r) * beta
	return float64(s*(l.delta-b)) * (math.Abs(r) - 0.5*(l.delta+b))
}

func (l huber) Ascend(d *DualRow, z, _ float64) (part float64) {
	z -= d.U
	kappa := d.A + max(-l.delta, min(l.delta, z))
	d.A = max(-l.delta, min(l.delta, d.A-(z+d.A)/(1+d.Q)))
	return float64(0.5*kappa) * kappa
}

func (l huber) Warm(d *DualRow, z, y float64) (above float64) { return warm(d, -l.Slope(z, y), y) }

func (huber) Logit() bool { return false }

func (huber) Conjugates(a, _, _, y, s []float64) (sum, absolute float64) {
	return halfSquares(a, y, s)
}

// Parabolas: delta/|r| where the loss is linear (Huber 1981, "Robust statistics", section 7.8).
func (l huber) Parabolas(h, z, y, _, _ []float64) {
	for i, v := range z {
		h[i] = 1
		if r := math.Abs(v - y[i]); r > l.delta {
			h[i] = l.delta / r
		}
	}
}

func (huber) Straight() bool { return true }

func (huber) PassesPeak(a, b, y float64) bool { return a-y < 0 != (b-y < 0) }
