package pauc

import (
	"math"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
)

// margin maximises the whole AUC by its min-max margin loss (Yuan, Yan, Sonka and Yang
// 2021, "Large-scale robust deep AUC maximization"), as the paper's baseline AUC-M: its
// range is of no account but for the evaluation. With p the sigmoids of the scores, E+
// and E- means over the positives and the negatives, and M the margin,
//
//	min over w, a, b of max over alpha >= 0 of
//	E+ (p-a)^2 + E- (p-b)^2 + 2 alpha (M + E- p - E+ p) - alpha^2
//
// which is the paper's loss divided by the product of the shares of the classes:
// batches hold a number of rows of each class. The inner problems have closed forms,
// a = E+ p, b = E- p and alpha = max(0, M + b - a); a run begins with these.
//
// The optimiser is that paper's PESG: steps down in w, a, b and up in alpha, with a
// proximal term ||w - w_0||^2/(2 gamma) to the mean w_0 of the stage before, and a
// step size a tenth of the one before in each stage.
type margin struct {
	*common
	a, b, alpha float64
}

func newMargin(c *common) *margin {
	return &margin{common: c}
}

func (b *margin) rate(stage, _ int) float64 {
	rate := b.method.Inner
	for range stage {
		rate /= 10
	}
	return rate
}

func (b *margin) pull() float64 { return 1 / b.method.Mu }

// prepare sets a, b and alpha to what they are at the starting point.
func (b *margin) prepare() error {
	if err := b.model.All(b.pool, b.all, b.w); err != nil {
		return err
	}
	if err := kernels.Sigmoid(b.all, b.all); err != nil {
		return err
	}
	mean := func(rows []uint32) float64 {
		sum := 0.0
		for _, row := range rows {
			sum += b.all[row]
		}
		return sum / float64(len(rows))
	}
	b.a, b.b = mean(b.positives), mean(b.negatives)
	b.alpha = max(0, b.method.Margin+b.b-b.a)
	return nil
}

func (b *margin) coefficients(c, s []float64, np int, rate float64) error {
	if err := kernels.Sigmoid(c, s); err != nil {
		return err
	}
	high, low := c[:np], c[np:]
	meanHigh, meanLow := kernels.Sum(high)/float64(np), kernels.Sum(low)/float64(len(low))
	violation := b.method.Margin + meanLow - meanHigh
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

func (b *margin) state(c *engine.Coder) {
	for _, v := range []*float64{&b.a, &b.b, &b.alpha} {
		c.Float64(v)
	}
}
