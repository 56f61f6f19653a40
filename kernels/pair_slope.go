package kernels

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/asm"
)

// slopeRange keeps the product of two odds a normal number.
const slopeRange = 350

// SigmoidSlopeAbove is SigmoidAbove with q (1-q) of q = sigmoid(scale (s[j] - positive[i])). With
// the pairwise loss q itself, the derivatives are scale times the sums. For a positive scale and
// least[i] = log(lambda_i/(1-lambda_i))/scale, the pairs are those with a loss above lambda_i.
// Neither tail cancels: the relative error of a term is at most some 2e-13, the rounding of
// exponents. Scratch needs len(s) elements apart from all others.
//
// Error: as SigmoidAbove; scratch is too short or overlaps another slice; the scale is
// not finite.
// Cost: three operations a pair, and for eight pairs (j, 8g to 8g+7) with any above
// seven more a pair, one of them a division; Exp once a score, or, where the scores
// span more than 700/scale, once a pair of these eight. The positives count as the
// next multiple of 8.
func (b *PairBlock) SigmoidSlopeAbove(c, positive, least, s, scratch []float64, scale float64) (number []int, sum []float64, err error) {
	const name = "SigmoidSlopeAbove"
	p, err := b.fill(name, positive, least)
	if err != nil {
		return nil, nil, err
	}
	if len(c) != len(s) || overlap(c, s) {
		return nil, nil, apart("PairBlock."+name, []string{"s", "c"}, s, c)
	}
	if len(scratch) < len(s) {
		return nil, nil, fmt.Errorf("kernels.PairBlock.%s: scratch has %d elements; it needs %d, as many as s", name, len(scratch), len(s))
	}
	e := scratch[:len(s)]
	if overlap(e, c) || overlap(e, positive) || overlap(e, least) || overlap(e, s) {
		return nil, nil, fmt.Errorf("kernels.PairBlock.%s: scratch and another slice overlap", name)
	}
	if math.IsNaN(scale) || math.IsInf(scale, 0) {
		return nil, nil, fmt.Errorf("kernels.PairBlock.%s: the scale %v must be finite", name, scale)
	}
	k, count, value, center, o := &asm.Active().Element.PairBlock, b.count[:p], b.value[:p], b.center[:p], b.a[:p]
	if toOdds(e, o, s, center, scale, slopeRange) {
		k.SlopeOdds(count, value, c, s, center, b.least[:p], e, o)
	} else {
		k.SlopeAbove(count, value, c, s, center, b.least[:p], scale)
	}
	return count[:len(positive)], value[:len(positive)], nil
}
