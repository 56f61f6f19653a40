package pauc

import (
	"errors"

	"github.com/lanes-go/lanes/kernels"
)

// pairLoss is the loss of a pair as a function of z = h_j - h_i: log(1+exp(z)) for
// scale 0, else sigmoid(scale z).
type pairLoss struct{ scale float64 }

// values writes the losses over z.
func (p pairLoss) values(z []float64) error {
	if p.scale == 0 {
		return kernels.Softplus(z, z)
	}
	return errors.Join(kernels.Scale(z, p.scale, z), kernels.Sigmoid(z, z))
}

// slopes writes the derivatives over z; work is scratch as long as z.
func (p pairLoss) slopes(z, work []float64) error {
	if p.scale == 0 {
		return kernels.Sigmoid(z, z)
	}
	if err := p.values(z); err != nil {
		return err
	}
	// scale v (1-v)
	work = work[:len(z)]
	return errors.Join(kernels.Mul(work, z, z), kernels.ScaleAdd(z, p.scale, z, -p.scale, work))
}

// above sums the derivatives over the pairs whose differences of scores exceed those in
// least, and adds them to coef: in units of unit().
// work is scratch as long as others.
func (p pairLoss) above(block *kernels.PairBlock, coef, heads, least, others, work []float64) (number []int, sum []float64, err error) {
	if p.scale == 0 {
		return block.SigmoidAbove(coef, heads, least, others)
	}
	return block.SigmoidSlopeAbove(coef, heads, least, others, work, p.scale)
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
func (p pairLoss) least(lambda, work []float64) error {
	work = work[:len(lambda)]
	if p.scale == 0 {
		// lambda + log(1-exp(-lambda)); -Inf where lambda is 0, NaN below
		err := errors.Join(kernels.Scale(work, -1, lambda), kernels.Exp(work, work), kernels.Scale(work, -1, work), kernels.Log1p(work, work))
		if err != nil {
			return err
		}
		for i, v := range lambda {
			if v > 0 {
				lambda[i] = v + work[i]
			} else {
				lambda[i] = negativeInfinity
			}
		}
		return nil
	}
	for i, v := range lambda {
		work[i] = v / (1 - v)
	}
	if err := kernels.Log(work, work); err != nil {
		return err
	}
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
	return nil
}

// total adds up the losses of all pairs of heads and others. z is scratch as long as
// others.
func (p pairLoss) total(heads, others, z []float64) (float64, error) {
	sum := 0.0
	for _, s := range heads {
		if err := errors.Join(kernels.AddScalar(z, -s, others), p.values(z)); err != nil {
			return 0, err
		}
		sum += kernels.Sum(z)
	}
	return sum, nil
}

// derivatives adds those of total by others to coef and writes those by heads to of.
// z and work are scratch as long as others.
func (p pairLoss) derivatives(heads, others, of, coef, z, work []float64) error {
	for i, s := range heads {
		if err := errors.Join(kernels.AddScalar(z, -s, others), p.slopes(z, work), kernels.Axpy(1, z, coef)); err != nil {
			return err
		}
		of[i] = -kernels.Sum(z)
	}
	return nil
}
