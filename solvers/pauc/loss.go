package pauc

import (
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// pairLoss is the loss of a pair as a function of z = h_j - h_i: log(1+exp(z)) for
// scale 0, else sigmoid(scale z).
type pairLoss struct{ scale float64 }

// values writes the losses over z.
func (p pairLoss) values(z []float64) {
	if p.scale == 0 {
		direct.Softplus(z, z)
		return
	}
	direct.Scale(z, p.scale, z)
	direct.Sigmoid(z, z)
}

// slopes writes the derivatives over z; work is scratch of the length of z.
func (p pairLoss) slopes(z, work []float64) {
	if p.scale == 0 {
		direct.Sigmoid(z, z)
		return
	}
	p.values(z)
	// scale v (1-v)
	work = work[:len(z)]
	direct.Mul(work, z, z)
	direct.ScaleAdd(z, p.scale, z, -p.scale, work)
}

// above adds to coef, for each of others, the derivatives of the pairs whose score
// differences exceed least. It returns the number and the sum of these derivatives for
// each head. All are in units of unit(). work is scratch of the length of others.
func (p pairLoss) above(block *kernels.PairBlock, coef, heads, least, others, work []float64) (number []int, sum []float64) {
	var err error
	if p.scale == 0 {
		number, sum, err = block.SigmoidAbove(coef, heads, least, others)
	} else {
		number, sum, err = block.SigmoidSlopeAbove(coef, heads, least, others, work, p.scale)
	}
	direct.Must(err)
	return number, sum
}

// unit is the derivative's factor: scale v (1-v) for the sigmoid v.
func (p pairLoss) unit() float64 {
	if p.scale == 0 {
		return 1
	}
	return p.scale
}

// least overwrites thresholds with the differences of scores above which losses
// exceed them.
func (p pairLoss) least(lambda, work []float64) {
	work = work[:len(lambda)]
	if p.scale == 0 {
		// lambda + log(1-exp(-lambda)); -Inf where lambda is 0, NaN below
		direct.Scale(work, -1, lambda)
		direct.Exp(work, work)
		direct.Scale(work, -1, work)
		direct.Log1p(work, work)
		for i, v := range lambda {
			if v > 0 {
				lambda[i] = v + work[i]
			} else {
				lambda[i] = negativeInfinity
			}
		}
		return
	}
	for i, v := range lambda {
		work[i] = v / (1 - v)
	}
	direct.Log(work, work)
	for i, v := range lambda {
		switch {
		case v <= 0:
			lambda[i] = negativeInfinity
		case v >= 1:
			lambda[i] = -negativeInfinity
		default:
			lambda[i] = work[i] / p.scale
		}
	}
}

// total adds up the losses of all pairs of heads and others. z is scratch of the length of
// others.
func (p pairLoss) total(heads, others, z []float64) float64 {
	sum := 0.0
	for _, s := range heads {
		direct.AddScalar(z, -s, others)
		p.values(z)
		sum += kernels.Sum(z)
	}
	return sum
}

// derivatives adds the derivatives of total by others to coef, and writes the derivatives
// by heads to of. z and work are scratch of the length of others.
func (p pairLoss) derivatives(heads, others, of, coef, z, work []float64) {
	for i, s := range heads {
		direct.AddScalar(z, -s, others)
		p.slopes(z, work)
		direct.Axpy(1, z, coef)
		of[i] = -kernels.Sum(z)
	}
}
