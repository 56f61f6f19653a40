package pauc

import (
	"errors"
	"math"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
)

// minibatch is the naive method of Kar, Narasimhan and Jain (2014, "Online and
// stochastic gradient methods for non-decomposable loss functions"): a step goes down
// the gradient of the mean loss of the pairs of the batch in the batch's own range of
// ranks. What falls into the range of a batch differs from what falls into that of all
// rows, so it is biased, the more the fewer negatives a batch has. Steps decrease as
// 1/sqrt(t).
//
// A rank that a bound of the range cuts counts in part, as in metrics.PartialAUC.
type minibatch struct {
	method   Method
	loss     pairLoss
	from, to float64 // ranks of the batch, as points of a line
	sorted   sortedScores
}

func newMinibatch(c *common) *minibatch {
	n := c.others.Largest()
	return &minibatch{
		method: c.method, loss: c.loss, sorted: newSortedScores(0, n),
		from: float64(c.low * float64(n)), to: float64(c.high * float64(n)),
	}
}

func (b *minibatch) rate(_, t int) float64 { return b.method.Inner / math.Sqrt(float64(t+1)) }

func (b *minibatch) pull() float64 { return 0 }

func (b *minibatch) coefficients(c, s []float64, np int, _ float64) error {
	clear(c)
	b.sorted.set(s[np:])
	first, end := int(b.from), int(math.Ceil(b.to))
	// What a cut rank counts for less than 1.
	ends := [2]struct {
		at   int
		less float64
	}{{0, b.from - float64(first)}, {end - first - 1, float64(end) - b.to}}
	z, slopes := b.sorted.z[:end-first], b.sorted.slope[first:end]
	scale := 1 / float64(float64(np)*(b.to-b.from))
	for i, head := range s[:np] {
		if err := errors.Join(kernels.AddScalar(z, -head, b.sorted.score[first:end]), b.loss.slopes(z, b.sorted.work)); err != nil {
			return err
		}
		whole := [2]float64{z[0], z[len(z)-1]}
		for k, e := range ends {
			z[e.at] -= float64(whole[k] * e.less)
		}
		if err := kernels.Axpy(scale, z, slopes); err != nil {
			return err
		}
		c[i] = -float64(scale * kernels.Sum(z))
	}
	b.sorted.scatter(c[np:])
	return nil
}

func (b *minibatch) prepare() error { return nil }

func (b *minibatch) state(*solvers.Coder) {}
