package fitting

import (
	"context"
	"fmt"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/solvers/softmax"
	"github.com/lanes-go/lanes/sparse"
)

// jointly has all classes fitted at every point of a path: the labels of the problem are the
// numbers of the classes from then on.
func (f *ProblemFlags) jointly(p *Prepared, m registry.Ready, by related.Run) (related.Run, error) {
	p.Y = make([]float64, len(p.Several.of))
	for i, k := range p.Several.of {
		p.Y[i] = float64(k)
	}
	var err error
	if f.ClassWeight == "balanced" || p.Several.whole {
		if p.SampleWeight, err = f.classWeights(p); err != nil {
			return by, err
		}
	}
	by.Classes = len(p.Several.labels)
	if p.Several.whole {
		method := softmax.Newton{}
		by.Name = fmt.Sprintf("%s %+v", method.Name(), method)
		by.Solve = func(ctx context.Context, q *erm.Problem, s solvers.Settings) (*solvers.Result, error) {
			whole := &softmax.Problem{X: q.X, Class: make([]uint32, len(q.Y)), Count: by.Classes, Lambda: q.Lambda, SampleWeight: q.SampleWeight}
			for i, k := range q.Y {
				whole.Class[i] = uint32(k)
			}
			return softmax.Solve(ctx, whole, method, s)
		}
		return by, nil
	}
	each, solver := f.eachClass(p, m)
	by.Name = fmt.Sprintf("%s, each against the rest by %s, class weights %q", m.Text, solver, f.ClassWeight)
	by.Solve, by.Begin = each.Rest(by.Solve), p.seriesBy(m, each)
	return by, nil
}

// classWeights are the weights of rows of several classes, nil for 1.
func (f *ProblemFlags) classWeights(p *Prepared) ([]float64, error) {
	switch f.ClassWeight {
	case "":
		return nil, nil
	case "balanced":
		weights := make([]float64, len(p.Several.of))
		for i, k := range p.Several.of {
			weights[i] = float64(len(weights)) / float64(len(p.Several.counts)*p.Several.counts[k])
		}
		return weights, nil
	}
	return nil, console.BadFlag("class-weight", f.ClassWeight, "of several classes there is balanced alone")
}

// signs are those of a class against the rest.
func (c *classSet) signs(class int) []float64 {
	y := make([]float64, len(c.of))
	for i, k := range c.of {
		y[i] = -1
		if int(k) == class {
			y[i] = 1
		}
	}
	return y
}

// share is that of the rows whose class was predicted.
func (c *classSet) share(predicted []uint32) float64 {
	right := 0
	for i, k := range predicted {
		if k == c.of[i] {
			right++
		}
	}
	return float64(right) / float64(len(predicted))
}

// classMetric is a metric of several classes: of their scores for every row, and of the
// numbers of the classes.
func (f *ProblemFlags) classMetric(p *Prepared, name string) (metrics.Metric, error) {
	count, odds := len(p.Several.labels), f.Kind == kernels.Logistic
	m := metrics.Metric{Name: name, Direction: metrics.HigherIsBetter}
	of := func(measure func(metrics.ClassTable) float64) {
		m.Compute = func(scores, class, weight []float64) (float64, error) {
			actual, predicted := make([]uint32, len(class)), make([]uint32, len(class))
			for i, k := range class {
				actual[i] = uint32(k)
				for c, s := range scores[i*count : (i+1)*count] {
					if s > scores[i*count+int(predicted[i])] {
						predicted[i] = uint32(c)
					}
				}
			}
			table, err := metrics.Classify(actual, predicted, weight, count)
			return measure(table), err
		}
	}
	if name == "" {
		if m.Name = "accuracy"; odds {
			m.Name = "logloss"
		}
	}
	switch m.Name {
	case "accuracy":
		of(metrics.ClassTable.Accuracy)
	case "balanced_accuracy":
		of(metrics.ClassTable.BalancedAccuracy)
	case "macro_f1":
		of(metrics.ClassTable.MacroF1)
	case "logloss":
		if !odds {
			return m, console.BadFlag("metric", name, "the scores of the %s loss give no probabilities", f.Loss)
		}
		m.Direction = metrics.LowerIsBetter
		likely := &model.Linear{Card: model.Card{Classes: p.Several.labels, Meta: &model.Meta{Softmax: p.Several.whole}}}
		m.Compute = func(scores, class, weight []float64) (float64, error) {
			shares, actual := append([]float64(nil), scores...), make([]uint32, len(class))
			for i, k := range class {
				actual[i] = uint32(k)
			}
			if err := likely.Probabilities(shares); err != nil {
				return 0, err
			}
			return metrics.ClassLogLoss(shares, actual, weight, count)
		}
	default:
		return m, console.BadFlag("metric", name, "of several classes there are logloss, accuracy, balanced_accuracy and macro_f1")
	}
	return m, nil
}

// classValidation measures weights of several classes on rows of their own.
type classValidation struct {
	metrics.Metric
	x     *sparse.Matrix
	class []float64
	pool  *sparse.Pool
}

// validateClasses is the metric on data that were read for --valid, x their rows.
func (p *Prepared) validateClasses(a *console.App, metric metrics.Metric, data *input.Dataset, x *sparse.Matrix) (solvers.Metric, error) {
	if err := data.Relabel(p.Several.labels, p.words(), false); err != nil {
		return nil, err
	}
	class, err := input.ClassesOf(data, p.Several.labels)
	if err != nil {
		return nil, err
	}
	v := &classValidation{metric, x, make([]float64, len(class)), sparse.NewPool(a.Workers)}
	for i, k := range class {
		v.class[i] = float64(k)
	}
	return v, nil
}

func (v *classValidation) Name() string { return v.Metric.Name }

func (v *classValidation) HigherIsBetter() bool { return v.Direction == metrics.HigherIsBetter }

func (v *classValidation) Measure(w []float64) (float64, error) {
	scores, err := scoresOfClasses(v.pool, v.x, w)
	if err != nil {
		return 0, err
	}
	return v.Compute(scores, v.class, nil)
}

// scoresOfClasses are the scores of all classes for every row.
func scoresOfClasses(pool *sparse.Pool, x *sparse.Matrix, w []float64) ([]float64, error) {
	d := x.Cols()
	count := len(w) / d
	scores, one := make([]float64, x.Rows()*count), make([]float64, x.Rows())
	for k := range count {
		if err := x.MulVec(pool, one, w[k*d:(k+1)*d]); err != nil {
			return nil, err
		}
		for i, s := range one {
			scores[i*count+k] = s
		}
	}
	return scores, nil
}
