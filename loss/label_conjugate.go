package loss

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// Conjugates of losses whose slope has no inverse in a formula: u z - phi(z) at a margin z whose slope is next
// to u, and what that may be too low.

// tooLow bounds how far u z - phi(z) is below phi*(u), where the slope at z differs from u by at most off,
// and phi” is bend. turn bounds what a distance multiplies to the change of its logarithm, up to a distance of
// 2 off/bend. It is +Inf where the best margin may be farther.
func tooLow(off, bend, turn float64) float64 {
	share := off / bend
	if !(float64(share*turn) <= 0.5) {
		return math.Inf(1)
	}
	return float64(2 * share * off)
}

func (l Probit) Conjugates(a, _, _, y, s []float64) (sum, absolute float64) {
	return conjugatesByRow(a, y, s, func(u, _ float64) (value, absolute float64) { return probitConjugate(math.Abs(u)) })
}

// probitConjugate returns phi* where |u| = r: -r m - phi(m) at a margin m. It is r^2/2 at most, because phi is
// at least m^2/2 below m = 0 and 0 beyond. Up to a distance of 1/2 the logarithm of phi” changes by 3/2 +
// max(m, 0) times the distance at most.
func probitConjugate(r float64) (value, absolute float64) {
	m := probitMargin(r)
	n := normalAt(m)
	off := math.Abs(n.ratio-r) + float64(8*direct.Unit*(n.ratio+r))
	term, most := float64(r*m), float64(float64(0.5*r)*r)
	value = (-term - n.minusLog) + tooLow(off, float64(n.ratio*n.rest), 2*(1+max(m, 0)))
	if value < most {
		return value, math.Abs(term) + n.minusLog
	}
	return most, most
}

func (l Cloglog) Conjugates(a, _, _, y, s []float64) (sum, absolute float64) {
	return conjugatesByRow(a, y, s, func(u, y float64) (value, absolute float64) {
		if y < 0 {
			return ofMeans(u)
		}
		return cloglogConjugate(-u)
	})
}

// cloglogConjugate returns phi* of the label +1 where u = -g: -g z - phi(z) at a margin z = log v. It is from
// 0 to 1 where g is, and 0 at most. Up to a distance of 1/2 the logarithm of phi” changes by 1 + 1.7 v times the
// distance at most.
func cloglogConjugate(g float64) (value, absolute float64) {
	v := cloglogRate(g)
	z := kernels.LogOf(v)
	off, bend, term, rest := 0.0, 0.0, 0.0, 0.0
	if v <= math.Ln2 { // where 1 - g is exact, and phi + z = v - log first next to 0; first is 1 + more
		first, second := exponentials(v)
		more := float64(v * (first - second))
		left, want := more/first, 1-g
		off = math.Abs(left-want) + float64(8*direct.Unit*(left+want))
		bend = float64(v*second) / first / first
		term, rest = float64(want*z), v-kernels.Log1pOf(more)
	} else {
		at, slope, h, _ := Cloglog{}.at(z, 1)
		off = math.Abs(slope+g) + float64((8+v)*direct.Unit*(g-slope))
		bend = h
		term, rest = -float64(g*z), at
	}
	value = (term - rest) + tooLow(off, bend, 2*(1+v))
	if value < 0 {
		return value, math.Abs(term) + rest
	}
	return 0, 0
}
