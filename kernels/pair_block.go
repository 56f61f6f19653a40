package kernels

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/asm"
)

// A PairBlock compares the scores of several positive rows with the scores of a sample in one call,
// and holds the scratch space for it. No method allocates. Sums over the sample run in increasing
// order of j; sums over the positives add positive i to lane i mod 8. A PairBlock serves one
// goroutine.
type PairBlock struct {
	positives, samples int

	loss      PairLoss
	parameter float64
	p, s      int // of the last Losses, p being 0 before it

	// Of the positives, filled up to a multiple of 8.
	center, least, value, slope, a []float64
	count                          []int
	odds                           []float64 // of the sample
	part                           []float64 // rows of the sample, columns of the positives
}

// maxScratch bounds the scratch space of a block, in elements of 8 bytes.
const maxScratch = 1 << 27

// NewPairBlock returns a block for up to positives positives and, if Losses is used, up to
// samples elements of a sample; samples may be 0 otherwise. It holds 8 bytes a pair and 48 a
// positive. The positives count as the next multiple of 8.
//
// Error: positives is not positive, samples is negative, or the block would take more
// than 1 GiB.
func NewPairBlock(positives, samples int) (*PairBlock, error) {
	if positives < 1 || samples < 0 {
		return nil, fmt.Errorf("kernels.NewPairBlock: %d positives and %d samples; there must be a positive", positives, samples)
	}
	if positives > maxScratch || samples > maxScratch || (uint64(positives)+7)*(uint64(samples)+6)+uint64(samples) > maxScratch {
		return nil, fmt.Errorf("kernels.NewPairBlock: %d positives and %d samples would take more than 1 GiB; compare fewer at a time", positives, samples)
	}
	p := (positives + 7) &^ 7
	all := make([]float64, 5*p+samples+p*samples)
	return &PairBlock{
		positives: positives, samples: samples,
		center: all[:p], least: all[p : 2*p], value: all[2*p : 3*p], slope: all[3*p : 4*p], a: all[4*p : 5*p], odds: all[5*p : 5*p+samples], part: all[5*p+samples:],
		count: make([]int, p),
	}, nil
}

// Losses returns for every positive i the sum over j of the loss l(j, i) between its score and
// s[j], as PairLoss defines it. It keeps what Gradients needs. parameter is the margin or the
// scale. The result has the length of positive, and holds until the next call of a method.
//
// Error: there are no positives; there are more positives or sample rows than the block was made
// for; the parameter is not finite; the loss is unknown. Cost for the squared hinge: five
// operations a pair. Cost for the logistic loss: seven operations a pair, one of them a division,
// and Exp once a score (with an error of some 4 ulp). If the scores span more than 1400/scale, it
// is seven and a Sigmoid a pair. It writes 8 bytes a pair. The positives count as the next
// multiple of 8.
func (b *PairBlock) Losses(loss PairLoss, positive, s []float64, parameter float64) ([]float64, error) {
	b.p = 0
	if err := b.check("Losses", positive); err != nil {
		return nil, err
	}
	if len(s) > b.samples {
		return nil, fmt.Errorf("kernels.PairBlock.Losses: the sample has %d elements; the block was made for %d", len(s), b.samples)
	}
	if math.IsNaN(parameter) || math.IsInf(parameter, 0) {
		return nil, fmt.Errorf("kernels.PairBlock.Losses: the parameter %v must be finite", parameter)
	}
	n := len(positive)
	p := (n + 7) &^ 7
	center, value, slope, part := b.center[:p], b.value[:p], b.slope[:p], b.part[:p*len(s)]
	copy(center, positive)
	// The padding of the last group of eight has a score of the caller and a coefficient of 0. It
	// is finite if that score is.
	for i := n; i < p; i++ {
		center[i] = positive[0]
	}
	k := &asm.Active().Element.PairBlock
	switch loss {
	case PairSquaredHinge:
		for i, v := range center {
			center[i] = parameter - v
		}
		k.Hinge(part, value, slope, s, center)
	case PairLogistic:
		odds := b.odds[:len(s)]
		if toOdds(odds, center, s, center, parameter, oddsRange) {
			k.Odds(part, value, slope, odds, center)
		} else {
			k.Logistic(part, value, slope, s, center, parameter)
		}
	default:
		return nil, fmt.Errorf("kernels.PairBlock.Losses: there is no %v", loss)
	}
	b.loss, b.parameter, b.p, b.s = loss, parameter, n, len(s)
	return value[:n], nil
}

// oddsRange keeps exp(x), |x| at most that, a normal number.
const oddsRange = 700

// toOdds writes e and o such that e[j] o[i] = exp(-scale (s[j] - center[i])): one
// exponential a score in place of one a pair. o may be center. It does nothing and
// returns false where the exponent of one would exceed most.
func toOdds(e, o, s, center []float64, scale, most float64) bool {
	low, high := center[0], center[0]
	for _, x := range [2][]float64{center, s} {
		for _, v := range x {
			switch { // seldom anything else than the first
			case v >= low && v <= high:
			case v < low:
				low = v
			case v > high:
				high = v
			default:
				return false // NaN
			}
		}
	}
	middle := low + float64(0.5*(high-low))
	if !(math.Abs(scale)*max(high-middle, middle-low) <= most) {
		return false
	}
	k := &asm.Active().Element.PairBlock
	k.Exponents(e, s, middle, -scale)
	k.Exponents(o, center, middle, scale)
	return true
}

// Gradients takes the pairs and the loss of the last Losses. It adds sum_i a[i] dl(j, i)/ds_j to
// every c[j], and sum_j a[i] dl(j, i)/ds_i to every d[i]. It may be called several times.
//
// Error: there was no Losses; c, or d or a, is not as long as the sample, or the
// positives, of that call; two of them overlap. Cost: two operations a pair, and 8
// bytes read.
func (b *PairBlock) Gradients(c, d, a []float64) error {
	if b.p == 0 {
		return fmt.Errorf("kernels.PairBlock.Gradients: Losses comes first")
	}
	if len(c) != b.s {
		return lengths("PairBlock.Gradients", "c", len(c), "the sample", b.s)
	}
	if len(d) != b.p || len(a) != b.p {
		return fmt.Errorf("kernels.PairBlock.Gradients: d has %d elements and a %d; they need %d, one a positive", len(d), len(a), b.p)
	}
	if overlap(c, d) || overlap(c, a) || overlap(d, a) {
		return fmt.Errorf("kernels.PairBlock.Gradients: c, d and a may not overlap")
	}
	factor := 2.0
	if b.loss == PairLogistic {
		factor = b.parameter
	}
	p := (b.p + 7) &^ 7
	clear(b.a[b.p:p])
	for i, v := range a {
		v = float64(v * factor)
		b.a[i] = v
		d[i] = math.FMA(-v, b.slope[i], d[i])
	}
	asm.Active().Element.PairBlock.Add(c, b.part[:b.s*p], b.a[:p])
	return nil
}

// SigmoidAbove sums over the pairs whose difference of scores s[j] - positive[i] is above
// least[i]. number[i] is the number of these pairs, and sum[i] their sum of sigmoid(s[j] -
// positive[i]). It adds the same sum over i to c[j]. The pairwise loss is log(1 + exp(s[j] -
// positive[i])), and the sums are its derivatives. With least[i] = lambda_i + log(1 -
// exp(-lambda_i)), these are the pairs whose loss is above lambda_i. With least[i] = -Inf they
// are all pairs. NaN is above nothing. number and sum have the length of positive, and hold until
// the next call of a method.
//
// Error: there are no positives, or more than the block was made for; least is not as long as
// positive, or c as s; c overlaps s. Cost: three operations a pair, and eight Sigmoids for eight
// pairs (j, 8g to 8g+7) with any above; the positives count as the next multiple of 8, but for a
// single one, whose sum runs in eight lanes over j.
func (b *PairBlock) SigmoidAbove(c, positive, least, s []float64) (number []int, sum []float64, err error) {
	const name = "SigmoidAbove"
	p, err := b.fill(name, positive, least)
	if err != nil {
		return nil, nil, err
	}
	if len(c) != len(s) || overlap(c, s) {
		return nil, nil, apart("PairBlock."+name, []string{"s", "c"}, s, c)
	}
	if k := &asm.Active().Element.PairBlock; len(positive) == 1 {
		b.value[0], b.count[0] = k.SigmoidOne(c, s, positive[0], least[0])
	} else {
		k.SigmoidAbove(b.count[:p], b.value[:p], c, s, b.center[:p], b.least[:p])
	}
	return b.count[:len(positive)], b.value[:len(positive)], nil
}

// SoftplusAbove is SigmoidAbove with log(1 + exp(s[j] - positive[i])), the loss
// itself, and without c.
//
// Error: there are no positives, or more than the block was made for; least is not as
// long as positive. Cost: as SigmoidAbove, with Softplus.
func (b *PairBlock) SoftplusAbove(positive, least, s []float64) (number []int, sum []float64, err error) {
	p, err := b.fill("SoftplusAbove", positive, least)
	if err != nil {
		return nil, nil, err
	}
	if k := &asm.Active().Element.PairBlock; len(positive) == 1 {
		b.value[0], b.count[0] = k.SoftplusOne(s, positive[0], least[0])
	} else {
		k.SoftplusAbove(b.count[:p], b.value[:p], s, b.center[:p], b.least[:p])
	}
	return b.count[:len(positive)], b.value[:len(positive)], nil
}

func (b *PairBlock) check(name string, positive []float64) error {
	if len(positive) < 1 || len(positive) > b.positives {
		return fmt.Errorf("kernels.PairBlock.%s: %d positives; the block was made for 1 to %d", name, len(positive), b.positives)
	}
	return nil
}

// fill copies the positives and their thresholds and pads them to a multiple of eight with
// elements that no score is above. It returns the padded number.
func (b *PairBlock) fill(name string, positive, least []float64) (int, error) {
	b.p = 0
	if err := b.check(name, positive); err != nil {
		return 0, err
	}
	n := len(positive)
	if len(least) != n {
		return 0, lengths("PairBlock."+name, "least", len(least), "positive", n)
	}
	p := (n + 7) &^ 7
	copy(b.center, positive)
	copy(b.least, least)
	for i := n; i < p; i++ {
		b.center[i], b.least[i] = positive[0], math.Inf(1)
	}
	return p, nil
}
