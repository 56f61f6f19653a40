package fitting

import (
	"cmp"
	"context"
	"fmt"

	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/solvers/softmax"
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
	return nil, console.BadFlag("class-weight", f.ClassWeight, "want balanced for several classes")
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

// classMetric is a metric of several classes.
func (f *ProblemFlags) classMetric(p *Prepared, name string) (metrics.Metric, error) {
	usual := "accuracy"
	if f.Kind == kernels.Logistic {
		usual = "logloss"
	}
	if name = metrics.Name(name); name == "logloss" && usual != name {
		return metrics.Metric{}, console.BadFlag("metric", name, "the scores of the %s loss give no probabilities", f.Loss)
	}
	m, err := model.ClassMetric(cmp.Or(name, usual), p.Several.labels, p.Several.whole)
	if err != nil {
		err = console.BadFlag("metric", name, "%v", console.Plain(err))
	}
	return m, err
}
