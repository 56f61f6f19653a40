package ap

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers/score"
)

// The sample that gradient norms are taken of.
const samplePositives, sampleNegatives = 128, 512

// objective evaluates points: the objective is 1 minus the average precision on
// the training rows, which is exact. The gradient is the surrogate's at its last
// sharpness, without estimates of earlier batches, on a fixed sample of rows.
type objective struct {
	p         *Problem
	model     score.Model
	pool      *matrix.Pool
	scores, g []float64
	ranking   metrics.Ranking
	batch     *batch
	parameter float64
}

func newObjective(p *Problem, model score.Model, pool *matrix.Pool, plan *plan, positives, negatives []uint32) (*objective, error) {
	ps, ns := min(samplePositives, len(positives)), min(sampleNegatives, len(negatives))
	batch, err := newBatch(model, plan, ps, ns, len(positives), len(p.Y))
	if err != nil {
		return nil, err
	}
	o := &objective{
		p: p, model: model, pool: pool, scores: make([]float64, len(p.Y)), g: make([]float64, model.Parameters()),
		batch: batch, parameter: plan.parameter(plan.Iterations),
	}
	for k := range ps { // spread evenly
		o.batch.rows[k] = positives[k*len(positives)/ps]
	}
	for k := range ns {
		o.batch.rows[ps+k] = negatives[k*len(negatives)/ns]
	}
	return o, nil
}

func (o *objective) evaluate(w []float64) run.Evaluation {
	bad := run.Evaluation{Objective: math.NaN(), Gap: math.NaN()}
	if o.model.All(o.pool, o.scores, w) != nil {
		return bad
	}
	if o.ranking.Reset(o.scores, o.p.Y, nil) != nil {
		return bad
	}
	precision, err := o.ranking.AveragePrecision()
	if err != nil {
		return bad
	}
	clear(o.g)
	value := o.batch.gradient(o.g, w, o.parameter, ofBatch)
	if value-value != 0 {
		return bad
	}
	direct.Axpy(o.p.Lambda, w, o.g)
	return run.Evaluation{Objective: 1 - precision, GradientNorm: direct.Norm(o.g), Gap: math.NaN()}
}

// perfect tells whether w scores every positive training row above every negative.
func (o *objective) perfect(w []float64) bool {
	if o.model.All(o.pool, o.scores, w) != nil {
		return false
	}
	least, most := math.Inf(1), math.Inf(-1)
	for i, s := range o.scores {
		if o.p.Y[i] > 0 {
			least = min(least, s)
		} else {
			most = max(most, s)
		}
	}
	return least > most
}
