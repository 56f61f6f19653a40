package draw

import (
	"math"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/element"
)

// plantWeights draws the planted model before its margins are scaled.
func plantWeights(d int, seed uint64) []float64 {
	rng := stream(seed, streamWeights, 0)
	w := make([]float64, d)
	for j := range w {
		w[j] = bell(rng)
	}
	return w
}

// plant scales the planted model to the wanted spread of margins, and finds the intercept for the
// wanted share of positives. It draws the labels and sums their loss. margins hold x_i'Weights
// and are overwritten.
func (g *Generated) plant(margins []float64, spread, positive float64, seed uint64) {
	n := float64(len(margins))
	mean := asm.Active().Dense.Sum(margins) / n
	square := 0.0
	for _, z := range margins {
		square = math.FMA(z-mean, z-mean, square)
	}
	factor := 1.0
	if square > 0 {
		factor = spread / math.Sqrt(square/n)
	}
	for j := range g.Weights {
		g.Weights[j] *= factor
	}
	for i := range margins {
		margins[i] = float64(margins[i] * factor)
	}
	chance := make([]float64, len(margins))
	if positive > 0 {
		g.Intercept = findIntercept(margins, chance, positive)
	}
	for i := range margins {
		margins[i] += g.Intercept
	}
	curves := &asm.Active().Element
	curves.Sigmoid(chance, margins)
	for first := 0; first < len(margins); first += generateBlock {
		rng := stream(seed, streamLabels, first/generateBlock)
		for i := first; i < min(first+generateBlock, len(margins)); i++ {
			g.Y[i] = -1
			if rng.Float64() < chance[i] {
				g.Y[i] = 1
			}
		}
	}
	g.Loss = curves.Sum[element.Logistic](margins, g.Y, nil, 0) / n
}

// findIntercept bisects for the intercept that makes the mean probability of the
// margins the given share. work has the length of margins.
func findIntercept(margins, work []float64, share float64) float64 {
	low, high := -100.0, 100.0
	for range 40 {
		middle := float64((low + high) / 2)
		for i, z := range margins {
			work[i] = z + middle
		}
		asm.Active().Element.Sigmoid(work, work)
		if asm.Active().Dense.Sum(work)/float64(len(work)) < share {
			low = middle
		} else {
			high = middle
		}
	}
	return (low + high) / 2
}
