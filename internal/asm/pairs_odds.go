package asm

import "math"

// pairOddsGeneric defines PairBlockKernels.Odds.
func pairOddsGeneric(part, value, slope, e, o []float64) {
	clear(value)
	clear(slope)
	p := len(o)
	for j, v := range e {
		row := part[j*p:][:p]
		for i, w := range o {
			q := 1 / math.FMA(v, w, 1)
			spread := float64(q * (1 - q))
			row[i] = spread
			value[i] += q
			slope[i] += spread
		}
	}
}
