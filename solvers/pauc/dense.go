package pauc

import (
	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers/score"
)

// dense is the iterate of a model whose scores are not linear in v: a step costs
// the model's own gradient and O(parameters).
type dense struct {
	model    score.Model
	w, drift []float64 // owned by the caller of begin
	over     average

	steps     int
	v, sum, g []float64 // sum is of v - w
}

func newDense(m score.Model) *dense {
	d := m.Parameters()
	return &dense{model: m, v: make([]float64, d), sum: make([]float64, d), g: make([]float64, d)}
}

func (l *dense) begin(w, base, drift []float64, over average) {
	l.steps = 0
	copy(l.v, w)
	clear(l.sum)
	l.attach(w, base, drift, over)
}

func (l *dense) attach(w, _, drift []float64, over average) {
	l.w, l.drift, l.over = w, drift, over
}

func (l *dense) scores(dst []float64, rows []uint32) error { return l.model.Scores(dst, rows, l.v) }

func (l *dense) step(rows []uint32, c []float64, q, eta float64) error {
	clear(l.g)
	if err := l.model.AddGradient(l.g, rows, c, l.v); err != nil {
		return err
	}
	if l.drift != nil {
		direct.Axpy(-1, l.drift, l.g)
	}
	if s := kernels.Sum(l.g); s-s != 0 {
		return errNotFinite
	}
	for j, w := range l.w {
		before := l.v[j] - w
		after := float64(q * (before - float64(eta*l.g[j])))
		l.v[j] = w + after
		switch l.over {
		case overBefore:
			l.sum[j] += before
		case overAfter:
			l.sum[j] += after
		}
	}
	l.steps++
	return nil
}

func (l *dense) mean(dst []float64) { direct.Scale(dst, 1/float64(max(1, l.steps)), l.sum) }

func (l *dense) last(dst []float64) { direct.ScaleAdd(dst, 1, l.v, -1, l.w) }

func (l *dense) state(c *checkpoint.Coder) {
	c.Count(&l.steps, checkpoint.MostCount)
	c.Floats(l.v)
	c.Floats(l.sum)
}
