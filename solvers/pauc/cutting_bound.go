package pauc

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
)

// mass bounds the sum of the absolute coefficients of a plane: the positives have
// part(k_i)/(P (to-from)) each, the negatives the same in sum.
func (l *cutting) mass() float64 { return 2 * l.hardest.to / (l.hardest.to - l.hardest.from) }

// above bounds the rounding of J at a point, from its largest score, its norm and J. A score's
// error is at most a share of ||x_i|| ||w||. Coefficients of two rankings differ by at most mass
// in all. Rankings are compared by sums over the negatives, so the ranking found may be below the
// most violated one by the rounding of these sums.
func (l *cutting) above(score, norm, value float64) float64 {
	n, d := float64(len(l.y)), float64(l.x.Cols())
	dz := float64(float64(float64((float64(d/8)+16)*direct.Unit)*l.longest) * norm)
	ranking := float64(float64(8*(n+16)*direct.Unit) * (score + 1))
	return float64(1.01*float64(l.mass()*(dz+ranking))) + float64(float64((d+16)*direct.Unit)*math.Abs(value))
}

// prove raises proven to the value of the dual at the weights a of the planes,
//
//	D(a) = b'a - ||V||^2/(2 lambda),  V = sum_t a_t X'c_t,
//
// computed from the planes themselves, less what rounding can have added, as derived in
// docs/certificates.md. It bounds J from below whatever a >= 0 with sum 1 is, as no plane is
// above R.
func (l *cutting) prove() {
	used := l.dual.used
	if len(used) == 0 {
		return
	}
	l.combine(l.next, 1, used, l.dual.a, l.planes)
	v := l.next.weights
	if l.byRows {
		clear(l.sum)
		l.matrix.AddTrans(l.sum, v)
		v = l.sum
	}
	n, d, planes := float64(len(l.y)), float64(l.x.Cols()), float64(len(used))
	norm := direct.Norm(v)
	lost := float64(float64((2*n+planes+100)*direct.Unit)*float64(l.mass()*l.longest)) + float64(float64((d+8)*direct.Unit)*norm)
	mean, total := 0.0, 0.0
	for _, t := range used {
		mean = math.FMA(l.dual.a[t], l.dual.b[t], mean)
		total += l.dual.a[t]
	}
	norm += float64(1.01 * lost)
	square := float64(norm*norm) / float64(2*l.weight)
	share := math.Abs(1-total) + float64((n+2*planes+16)*direct.Unit)
	coefficients := float64(float64(float64(16*direct.Unit*l.mass())*l.longest) * math.Sqrt(2/l.weight))
	value := (mean - square) - float64(1.01*(float64(share*(math.Abs(mean)+float64(2*square)))+coefficients))
	if value > l.proven {
		l.proven = value
	}
}
