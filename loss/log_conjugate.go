package loss

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// Conjugates of losses with a mean m = exp(z). They are made of h(q) = (1+q) log(1+q) - q, which is 0 or
// more, and of u log y. Means that rounding takes out of their range count as its end.

// conjugatesByRow is Conjugates where of returns phi*(u) for a target or label, and the sizes of its terms.
func conjugatesByRow(a, y, s []float64, of func(u, y float64) (value, absolute float64)) (sum, absolute float64) {
	for i, v := range a {
		if v == 0 {
			continue // phi has the minimum or the infimum 0
		}
		value, size := of(-v, y[i])
		weight := direct.Weight(s, i)
		sum += float64(weight * value)
		absolute += float64(weight * size)
	}
	return sum, absolute
}

// divergence returns size h(u/size), where mean = size + u, share = mean/size and q = u/size are known with
// small relative errors, share where it is below 1/2.
func divergence(u, mean, share, q float64) (value, absolute float64) {
	term := 0.0
	switch {
	case !(mean > 0):
	case share < 0.5:
		term = float64(mean * kernels.LogOf(share))
	default:
		term = float64(mean * kernels.Log1pOf(q))
	}
	return term - u, math.Abs(term) + math.Abs(u)
}

// ofMeans returns m log m - m for the slope m of exp(z), that function's conjugate.
func ofMeans(m float64) (value, absolute float64) {
	if !(m > 0) {
		return 0, 0
	}
	term := float64(m * kernels.LogOf(m))
	return term - m, math.Abs(term) + m
}

// aboveLog adds u log y to a value.
func aboveLog(value, absolute, u, y float64) (sum, size float64) {
	term := float64(u * kernels.LogOf(y))
	return value + term, absolute + math.Abs(term)
}

// Conjugates: y h(u/y) + u log y on u >= -y, and u log u - u where y is 0.
func (l Poisson) Conjugates(a, _, _, y, s []float64) (sum, absolute float64) {
	return conjugatesByRow(a, y, s, countConjugate)
}

// countConjugate is the conjugate of Poisson's loss.
func countConjugate(u, y float64) (value, absolute float64) {
	if y == 0 {
		return ofMeans(u)
	}
	mean := y + u // exact up to half of y
	value, absolute = divergence(u, mean, mean/y, u/y)
	return aboveLog(value, absolute, u, y)
}

// Conjugates: h(-u) + u log y on u <= 1.
func (l Gamma) Conjugates(a, _, _, y, s []float64) (sum, absolute float64) {
	return conjugatesByRow(a, y, s, func(u, y float64) (value, absolute float64) {
		value, absolute = divergence(-u, 1-u, 1-u, -u)
		return aboveLog(value, absolute, u, y)
	})
}

// Conjugates: that of Poisson's loss and h(-Theta u)/Theta, on u <= 1/Theta.
func (l NegativeBinomial) Conjugates(a, _, _, y, s []float64) (sum, absolute float64) {
	theta := l.Parameter()
	return conjugatesByRow(a, y, s, func(u, y float64) (value, absolute float64) {
		value, absolute = countConjugate(u, y)
		rest := math.FMA(-theta, u, 1)
		more, size := divergence(-u, rest/theta, rest, -float64(theta*u))
		return value + more, absolute + size
	})
}

// Conjugates: u z - phi(z) at a z whose slope is next to u, and what that may be too low; (u log u - u)/r
// where y is 0.
func (l Tweedie) Conjugates(a, _, _, y, s []float64) (sum, absolute float64) {
	return conjugatesByRow(a, y, s, l.conjugate)
}

// conjugate returns y^r (d t - R(r t)/r - R(-q t)/q) + u log y with R(x) = exp(x) - 1 - x, d = u/y^r and t
// = z - log y, and what that may be too low: the logarithm of phi” is Lipschitz with 1.
func (l Tweedie) conjugate(u, y float64) (value, absolute float64) {
	q, r := l.shares()
	if y == 0 {
		value, absolute = ofMeans(u)
		return value / r, absolute / r
	}
	log := kernels.LogOf(y)
	power := kernels.ExpOf(float64(r * log))
	t := 0.0
	if d := u / power; d > 0 {
		t = apart(d, q, r)
	} else {
		t = -apart(-d, r, q)
	}
	least := float64(power * kernels.ExpOf(-float64(q*t)))
	most := float64(power * kernels.ExpOf(float64(r*t)))
	far := 8 + math.Abs(t)
	off := math.Abs((most-least)-u) + float64(float64(far*direct.Unit)*(most+least))
	low := tooLow(off, float64(q*least)+float64(r*most), 1)
	if math.IsInf(low, 1) {
		return low, low
	}
	phi := float64(power * (exponentialRest(float64(r*t))/r + exponentialRest(-float64(q*t))/q))
	term := float64(u * t)
	value, absolute = (term-phi)+low, math.Abs(term)+float64((far+math.Abs(log))*phi)
	return aboveLog(value, absolute, u, y)
}
