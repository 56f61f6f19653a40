package pauc

import (
	"cmp"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// MiniBatch descends on the batch's own partial AUC (Kar et al. 2014), the paper's
// baseline MB.
type MiniBatch struct {
	// Paper selects a setting comparable to the paper's: the logistic loss, no warm start of
	// a linear model, 100 negatives, and the last point as the result. (The paper trains
	// deep networks by MB, with 32 rows.)
	Paper bool
	// Scale is k of the loss sigmoid(k (h_j-h_i)), near to 0 and 1 for a right and a wrong
	// pair; 0 means 5. Logistic selects the logistic loss.
	Scale    float64
	Logistic bool
	// Step is the first step size; iteration t = 1, 2, ... has the step Step/sqrt(t). 0 means
	// 10, for nonlinear models 3.
	Step float64
	// Stages is the number of stages, each of Length iterations; a stage begins at the mean
	// of the iterates of the stage before. 0 means 2 and 500.
	Stages, Length int
	// Positives and Negatives are the rows of each class in a batch; 0 means 100 and 500. A
	// class with fewer rows puts all its rows into each batch.
	Positives, Negatives int
}

// Name returns mb-pauc.
func (MiniBatch) Name() string { return "mb-pauc" }

func (m MiniBatch) plan(t *task) plan {
	p := t.stages(m.Paper, m.Step, 10, m.Stages, m.Length)
	if !m.Paper {
		p.tails = 500
	}
	if !m.Paper && !m.Logistic {
		p.loss.scale = cmp.Or(m.Scale, 5)
	}
	p.heads, p.tails = cmp.Or(m.Positives, p.heads), cmp.Or(m.Negatives, p.tails)
	return p
}

func (MiniBatch) loop(c *common) (loop, error) {
	b, err := newMinibatch(c)
	return newStaged(c, b), err
}

// minibatch is the naive method of Kar, Narasimhan and Jain (2014, "Online and
// stochastic gradient methods for non-decomposable loss functions"): a step goes down
// the gradient of the mean loss of the pairs of the batch in the batch's own range of
// ranks. The range of a batch holds other negatives than the range of all rows, so the
// gradient is biased: the more, the fewer negatives a batch has. Steps decrease as
// 1/sqrt(t).
//
// A rank that a bound of the range cuts counts in part, as in metrics.PartialAUC. hardRows
// chooses the positives that count.
type minibatch struct {
	step     float64
	loss     pairLoss
	hard     *hardRows
	from, to float64 // ranks of the batch, as points of a line

	// places, scores and slopes are of the negatives of the batch in the range: their places,
	// scores and sums of derivatives. all holds thresholds that every pair exceeds.
	places               []uint32
	scores, slopes, work []float64
	all                  []float64
	of                   []float64 // coefficients of the positives that count
	pair                 *kernels.PairBlock
}

func newMinibatch(c *common) (*minibatch, error) {
	n := c.others.Largest()
	positives := len(c.rows) - n
	b := &minibatch{
		step: c.Inner, loss: c.loss, hard: &c.hard,
		from: float64(c.low * float64(n)), to: float64(c.high * float64(n)),
		places: make([]uint32, 0, n), scores: make([]float64, 0, n), work: make([]float64, n),
		all: make([]float64, positives), of: make([]float64, positives),
	}
	for i := range b.all {
		b.all[i] = negativeInfinity
	}
	first, end := b.ranks()
	b.slopes = make([]float64, end-first)
	var err error
	b.pair, err = kernels.NewPairBlock(positives, 0)
	return b, err
}

// ranks returns first and end such that the ranks first+1 to end have a part in the
// range.
func (b *minibatch) ranks() (first, end int) { return int(b.from), int(math.Ceil(b.to)) }

func (b *minibatch) rate(_, t int) float64 { return b.step / math.Sqrt(float64(t+1)) }

func (b *minibatch) pull() float64 { return 0 }

func (b *minibatch) coefficients(c, s []float64, np int, _ float64) error {
	clear(c)
	clear(b.slopes)
	first, end := b.ranks()
	var err error
	b.places, b.scores, err = between(b.places[:0], b.scores[:0], s[np:], b.work, first, end)
	if err != nil {
		return err
	}
	n := end - first
	if len(b.places) != n {
		return errNotFinite
	}
	hard, heads, err := b.hard.of(s[:np])
	if err != nil {
		return err
	}
	of := b.of[:len(hard)]
	clear(of)
	// The shares of the first and of the last rank that lie in the range.
	highest, lowest := 1-(b.from-float64(first)), 1-(float64(end)-b.to)
	if n == 1 {
		highest, lowest = highest+lowest-1, 1
	}
	at, until := 0, n
	if highest != 1 || lowest != 1 {
		b.extremesOutside()
	}
	if highest != 1 {
		at++
		b.add(of, heads, 0, at, highest)
	}
	if lowest != 1 {
		until--
		b.add(of, heads, until, n, lowest)
	}
	b.add(of, heads, at, until, 1)
	scale := b.loss.unit() / float64(float64(len(hard))*(b.to-b.from))
	for k, place := range hard {
		c[place] = float64(of[k] * scale)
	}
	for k, place := range b.places {
		c[np+int(place)] = float64(b.slopes[k] * scale)
	}
	return nil
}

// extremesOutside moves the highest score to the front and the lowest score to the end.
func (b *minibatch) extremesOutside() {
	swap := func(i, j int) {
		b.places[i], b.places[j] = b.places[j], b.places[i]
		b.scores[i], b.scores[j] = b.scores[j], b.scores[i]
	}
	high := 0
	for k, v := range b.scores {
		if v > b.scores[high] {
			high = k
		}
	}
	swap(0, high)
	low := len(b.scores) - 1
	for k, v := range b.scores[1:] {
		if v < b.scores[low] {
			low = 1 + k
		}
	}
	swap(low, len(b.scores)-1)
}

// add takes the pairs of the negatives at to until-1 into the slopes and into of, the
// coefficients of the positives.
func (b *minibatch) add(of, heads []float64, at, until int, weight float64) {
	slopes := b.slopes[at:until]
	_, sum := b.loss.above(b.pair, slopes, heads, b.all[:len(heads)], b.scores[at:until], b.work)
	for i, v := range sum {
		of[i] -= float64(weight * v)
	}
	direct.Scale(slopes, weight, slopes)
}

func (b *minibatch) begin() error { return nil }

func (b *minibatch) state(*checkpoint.Coder) {}
