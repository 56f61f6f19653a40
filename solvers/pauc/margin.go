package pauc

import (
	"cmp"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// AUCMargin maximises the whole AUC by its min-max margin loss (Yuan et al. 2021), the
// paper's baseline AUC-M.
type AUCMargin struct {
	// Paper begins a linear model at w = 0, without a warm start, and has the last point for
	// a result. (The paper trains deep networks by AUC-M, with 32 rows.)
	Paper bool
	// Margin is the margin of the loss; 0 means 1.
	Margin float64
	// Mu is gamma, one over the weight of the proximal term (that paper: 100 to 1000); 0
	// means 1000.
	Mu float64
	// Step is the step size of the first stage; each later stage has a tenth of the step
	// before. 0 means 3, for nonlinear models 0.9.
	Step float64
	// Stages is the number of stages, each of Length iterations; a stage begins at the mean
	// of the iterates of the stage before. 0 means 2 and 500.
	Stages, Length int
	// Positives and Negatives are the rows of each class in a batch; 0 means 100 each. A
	// class with fewer rows puts all its rows into each batch.
	Positives, Negatives int
}

// Name returns auc-m.
func (AUCMargin) Name() string { return "auc-m" }

func (m AUCMargin) plan(t *task) plan {
	p := t.stages(m.Paper, m.Step, 3, m.Stages, m.Length)
	p.margin, p.mu = cmp.Or(m.Margin, 1), cmp.Or(m.Mu, 1000)
	p.heads, p.tails = cmp.Or(m.Positives, p.heads), cmp.Or(m.Negatives, p.tails)
	return p
}

func (AUCMargin) loop(c *common) (loop, error) { return newStaged(c, &margin{common: c}), nil }

// margin maximises the whole AUC by its min-max margin loss, as the paper's baseline AUC-M.
// Source: Yuan, Yan, Sonka and Yang 2021, "Large-scale robust deep AUC maximization". The range
// of the task counts for the evaluation only. Let p be the sigmoids of the scores, E+ and E-
// means over the positives and the negatives, and M the margin:
//
//	min over w, a, b of max over alpha >= 0 of
//	E+ (p-a)^2 + E- (p-b)^2 + 2 alpha (M + E- p - E+ p) - alpha^2
//
// which is the paper's loss divided by the product of the shares of the classes:
// batches hold a number of rows of each class. The inner problems have closed forms,
// a = E+ p, b = E- p and alpha = max(0, M + b - a); a run begins with these.
//
// The optimiser is that paper's PESG: steps down in w, a, b and up in alpha, with a
// proximal term ||w - w_0||^2/(2 gamma) to the mean w_0 of the stage before. Each stage
// has a tenth of the step size of the stage before.
type margin struct {
	*common
	a, b, alpha float64
}

func (b *margin) rate(stage, _ int) float64 {
	rate := b.Inner
	for range stage {
		rate /= 10
	}
	return rate
}

func (b *margin) pull() float64 { return 1 / b.mu }

// begin sets a, b and alpha to their closed forms at the starting point.
func (b *margin) begin() error {
	direct.Sigmoid(b.all, b.all)
	mean := func(rows []uint32) float64 {
		sum := 0.0
		for _, row := range rows {
			sum += b.all[row]
		}
		return sum / float64(len(rows))
	}
	b.a, b.b = mean(b.positives), mean(b.negatives)
	b.alpha = max(0, b.margin+b.b-b.a)
	return nil
}

func (b *margin) coefficients(c, s []float64, np int, rate float64) error {
	direct.Sigmoid(c, s)
	high, low := c[:np], c[np:]
	meanHigh, meanLow := kernels.Sum(high)/float64(np), kernels.Sum(low)/float64(len(low))
	violation := b.margin + meanLow - meanHigh
	centre, share := [2]float64{b.a + b.alpha, b.b - b.alpha}, [2]float64{2 / float64(np), 2 / float64(len(low))}
	for k, part := range [2][]float64{high, low} {
		for i, p := range part {
			part[i] = float64(float64(share[k]*(p-centre[k])) * float64(p*(1-p)))
		}
	}
	// A step of 1/2 or more would pass the closed forms.
	step := min(1, float64(2*rate))
	b.a += float64(step * (meanHigh - b.a))
	b.b += float64(step * (meanLow - b.b))
	b.alpha = max(0, b.alpha+float64(step*(violation-b.alpha)))
	if math.IsNaN(b.alpha) {
		return errNotFinite
	}
	return nil
}

func (b *margin) state(c *checkpoint.Coder) {
	for _, v := range []*float64{&b.a, &b.b, &b.alpha} {
		c.Float64(v)
	}
}
