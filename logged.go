package lanes

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/table"
)

// logged tells whether the labels are logarithms of the target of a table.
func (p *Problem) logged() (bool, error) {
	if !bytes.Contains(p.data.Encoding, []byte(`"scale":"`+table.ScaleLog+`"`)) {
		return false, nil
	}
	e, err := p.encoder()
	if err != nil {
		return false, err
	}
	for _, c := range e.Recipe().Columns {
		if c.Kind == table.Target && c.Scale == table.ScaleLog {
			return true, nil
		}
	}
	return false, nil
}

// checkLogged refuses what a logarithm of the target does not go with.
func (p *Problem) checkLogged() error {
	o := &p.o
	switch _, linked := o.Loss.(loss.Linked); {
	case o.Kind == OneVsRest || o.Kind == Softmax:
		return badOption("Kind", o.Kind, "the target is learned as its logarithm, which classes have not: name the column alone")
	case o.Positive != "":
		return badOption("Positive", o.Positive, "the target is learned as its logarithm, which classes have not: name the column alone")
	case linked:
		return badOption("Loss", o.Loss, "it has a logarithmic link of its own, and takes the target as it stands: name the column alone; or take squared, whose errors are then of the logarithm")
	case o.Loss != nil && o.Loss.Labels():
		return badOption("Loss", o.Loss, "the target is learned as its logarithm, and this loss is for classes: take squared or another loss of numbers, or leave the loss out")
	case p.stream != nil:
		return badData(errors.New("the target is learned as its logarithm, which needs all rows in memory: read them whole, or write the logarithm into a column and take that for the target"))
	}
	return nil
}

// smear returns by what predictions exp(score) of a logarithm are multiplied: the mean of exp(residual) over
// the rows, so that they are expected targets, whatever the distribution of the residuals (Duan 1983,
// "Smearing estimate: a nonparametric retransformation method", JASA 78). It is 1 for losses with kinks, as
// exp of a quantile of logarithms is that quantile of the targets, and 0 where labels are no logarithms.
func (p *Problem) smear(weights []float64) (float64, error) {
	logged, err := p.logged()
	switch {
	case err != nil || !logged:
		return 0, err
	case loss.KinkedOf(p.Loss) != nil:
		return 1, nil
	}
	z := make([]float64, len(p.Y))
	if err := p.X.MulVec(nil, z, weights); err != nil {
		return 0, err
	}
	sum, mass := 0.0, 0.0
	for i, y := range p.Y {
		weight := direct.Weight(p.SampleWeight, i)
		if weight == 0 {
			continue
		}
		mass += weight
		sum += float64(weight * kernels.ExpOf(y-z[i]-direct.Offset(p.Offset, i)))
	}
	mean := sum / mass
	if !(mean > 0) || mean-mean != 0 {
		return 0, badData(fmt.Errorf("the mean of exp(residual) is %v: the model is too far from the logarithms of the target to predict it", mean))
	}
	return mean, nil
}

// modelOf makes the model of a result.
func (p *Problem) modelOf(r *solvers.Result) (model.Model, error) {
	t := p.training()
	if r != nil {
		var err error
		if t.Smear, err = p.smear(r.Weights); err != nil {
			return nil, err
		}
	}
	return model.New(r, t)
}
