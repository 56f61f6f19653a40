package pauc

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/metrics"
)

// evaluation is scratch: a gradient, a ranking and a sample of rows.
type evaluation struct {
	g       []float64
	ranking metrics.Ranking
	sample  pairSample
}

// evaluate computes the objective at w and the norm of a gradient. The objective is 1
// minus the normalised partial AUC of the training rows, or the mean loss of the
// ranked range. The scores stay in c.all.
func (c *common) evaluate(w []float64) run.Evaluation {
	if c.score(c.pool, w) != nil {
		return run.Evaluation{Objective: math.NaN(), Gap: math.NaN()}
	}
	return c.evaluateScores(w)
}

// evaluateScores is evaluate for scores at w that are in c.all.
func (c *common) evaluateScores(w []float64) run.Evaluation {
	e := run.Evaluation{Objective: math.NaN(), Gap: math.NaN()}
	norm, value, err := c.gradientNorm(w)
	if err != nil {
		return e
	}
	e.GradientNorm, e.Objective = norm, value
	if len(c.positives) > 0 {
		e.Objective = math.NaN()
		if c.ranking.Reset(c.all, c.y, nil) != nil {
			return e
		}
		if _, area, err := c.ranking.PartialAUC(c.low, c.high, c.minTPR); err == nil {
			e.Objective = 1 - area
		}
	}
	return e
}

// sampled is the number of positives and of ranked negatives that gradientNorm takes.
const sampled = 128

// pairSample is scratch: rows with their scores and coefficients.
type pairSample struct {
	rows                                []uint32
	heads, others, of, coef, z, another []float64
}

func (s *pairSample) resize(heads, positives, others int) {
	if len(s.rows) == positives+others {
		return
	}
	s.rows, s.coef = make([]uint32, positives+others), make([]float64, positives+others)
	s.heads, s.of = make([]float64, heads), make([]float64, heads)
	s.others, s.z, s.another = make([]float64, others), make([]float64, others), make([]float64, others)
}

// gradientNorm returns the mean loss of the pairs in the range and, with the regulariser, the
// norm of its gradient at w. Both take an even sample of the positives that count and of the
// negatives in the range; a task of one list takes all. The scores are in c.all.
func (c *common) gradientNorm(w []float64) (norm, value float64, err error) {
	if err := c.between(c.m, c.n); err != nil {
		return 0, 0, err
	}
	rows, scores, err := c.heads()
	if err != nil {
		return 0, 0, err
	}
	np, nn := 0, len(c.inside)
	if len(rows) > 0 {
		np, nn = min(sampled, len(rows)), min(sampled, nn)
	}
	s := &c.sample
	s.resize(max(1, np), np, nn)
	for k := range np {
		at := k * len(rows) / np
		s.heads[k], s.rows[k] = scores[at], rows[at]
	}
	for k := range nn {
		at := k * len(c.inside) / nn
		s.others[k], s.rows[np+k] = c.insideScores[at], c.inside[at]
	}
	clear(s.coef)
	value = c.loss.total(s.heads, s.others, s.z)
	c.loss.derivatives(s.heads, s.others, s.of, s.coef[np:], s.z, s.another)
	copy(s.coef[:np], s.of)
	scale := 1 / (float64(len(s.heads)) * float64(nn))
	direct.Scale(s.coef, scale, s.coef)
	c.signed(s.coef[np:], s.rows[np:])
	direct.Scale(c.g, c.regulariser/c.share(), w)
	if err := c.addGradient(c.g, s.rows, s.coef, w); err != nil {
		return 0, 0, err
	}
	return direct.Norm(c.g), float64(value * scale), nil
}
