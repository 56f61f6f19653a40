package ap

import "github.com/lanes-go/lanes/kernels"

// Surrogate is a pair loss of a program, in place of the logistic one: l(z) of the difference z = s_j -
// s_i of the scores of a row j and of a positive row i. l is not negative, does not fall and has a
// continuous derivative. Numbers that are not finite end a run. Its methods may be called by several
// goroutines.
type Surrogate interface {
	// String returns its name with its parameters, by which checkpoints tell surrogates apart.
	String() string
	// At returns l(z) and l'(z). For the same bits on all machines, wrap products that are added in
	// float64().
	At(z float64) (value, slope float64)
}

// pairs are the losses of pairs of rows of a batch: what kernels.PairBlock does.
type pairs interface {
	Losses(loss kernels.PairLoss, positive, s []float64, parameter float64) ([]float64, error)
	Gradients(c, d, a []float64) error
}

// ownPairs are the pairs of a program's surrogate.
type ownPairs struct {
	surrogate Surrogate
	sums      []float64 // of the positives
	slopes    []float64 // of the pairs, positive after positive
}

// Losses sums the losses of every positive.
func (o *ownPairs) Losses(_ kernels.PairLoss, positive, s []float64, _ float64) ([]float64, error) {
	o.sums, o.slopes = o.sums[:0], o.slopes[:0]
	for _, from := range positive {
		sum := 0.0
		for _, score := range s {
			value, slope := o.surrogate.At(score - from)
			sum += float64(value)
			o.slopes = append(o.slopes, slope)
		}
		o.sums = append(o.sums, sum)
	}
	return o.sums, nil
}

// Gradients adds what the pairs of the last Losses, times a of their positives, add to the gradient.
func (o *ownPairs) Gradients(c, d, a []float64) error {
	for i, factor := range a {
		sum := 0.0
		for j, slope := range o.slopes[i*len(c):][:len(c)] {
			add := float64(factor * slope)
			c[j] += add
			sum += add
		}
		d[i] -= sum
	}
	return nil
}
