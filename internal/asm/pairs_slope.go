package asm

import "math"

// pairSlopeAbove and pairSlopeOdds define the kernels of that name. A slope is
// sigmoid(x) (1-sigmoid(x)) = u/(1+u)^2 for u = exp(x) as for u = exp(-x): neither
// tail cancels.

func pairSlopeAbove(count []int, sum, c, s, center, least []float64, scale float64) {
	clear(count)
	clear(sum)
	for j, v := range s {
		var l [8]float64
		for i, t := range least {
			if d := v - center[i]; d > t {
				u, _ := expNegative(math.Abs(float64(scale * d)))
				g := slopeOf(u)
				count[i]++
				sum[i] += g
				l[i&7] += g
			}
		}
		c[j] += sum8(&l)
	}
}

func pairSlopeOdds(count []int, sum, c, s, center, least, e, o []float64) {
	clear(count)
	clear(sum)
	for j, v := range s {
		var l [8]float64
		odds := e[j]
		for i, t := range least {
			if d := v - center[i]; d > t {
				g := slopeOf(float64(odds * o[i]))
				count[i]++
				sum[i] += g
				l[i&7] += g
			}
		}
		c[j] += sum8(&l)
	}
}

func slopeOf(u float64) float64 {
	t := 1 / (1 + u)
	return float64(float64(u*t) * t)
}
