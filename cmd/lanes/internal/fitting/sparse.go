package fitting

import (
	"github.com/lanes-go/lanes/cmd/lanes/internal/console"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
	"github.com/lanes-go/lanes/solvers/related"
)

// Profiles tells whether weights are drawn by their names: along a path of L1 norms.
func (f *ProblemFlags) Profiles(run *RunFlags) bool { return f.sparse && run.Plot != "" }

// Regularised tells whether a problem has a gap: a weight of either norm.
func (p *Prepared) Regularised() bool { return p.Lambda > 0 || p.L1 > 0 || p.path }

// posed is the problem of a fit for a weight that a path or folds may have chosen.
func (p *Prepared) posed(fit *erm.Problem) *Prepared {
	posed := &Prepared{Problem: *fit, L1: p.L1}
	if p.path {
		posed.L1, posed.Lambda = fit.Lambda, p.ridge
	}
	return posed
}

// seriesBy is related.Run.Begin where points of a path share what the solver finds out, nil
// elsewhere. each is the problem of several classes, or nil.
func (p *Prepared) seriesBy(m registry.Ready, each *related.Classes) func(*erm.Problem) (related.Series, error) {
	method, ok := m.Method.(elasticnet.Method)
	if !ok {
		return nil
	}
	l1, ridge, path := p.L1, p.ridge, p.path
	by := related.SparsePath{Method: method, Weights: func(point float64) (float64, float64) {
		if path {
			return point, ridge
		}
		return l1, point
	}}
	if each != nil {
		return each.RestSparse(by)
	}
	return by.Begin
}

// choose takes over the weight that a path or folds have chosen.
func (p *Prepared) choose(weight float64) {
	p.Lambda = weight
	if p.path {
		p.L1, p.Lambda = weight, p.ridge
	}
}

const (
	// A path of L1 norms has pathPoints points, down to a share of the largest that depends
	// on whether there are more columns than rows, as glmnet's has.
	pathPoints           = 100
	pathShare, wideShare = 1e-4, 1e-2
)

// sparseList lists the weights of the L1 norm of a path whose ends are not given.
func (f *ProblemFlags) sparseList(p *Prepared) ([]float64, error) {
	high, err := f.largestL1(p)
	if err == nil && !(high > 0) {
		return nil, console.BadFlag("path", true, "all weights are 0 whatever the weight of the L1 norm")
	}
	if err != nil {
		return nil, console.BadData(console.Plain(err))
	}
	share := pathShare
	if p.Columns > p.X.Rows() {
		share = wideShare
	}
	return related.Lambdas(high, share*high, pathPoints)
}

// largestL1 is the weight of the L1 norm from which on all weights are 0, of every class.
func (f *ProblemFlags) largestL1(p *Prepared) (float64, error) {
	if p.Several == nil {
		high, _, err := elasticnet.MaxL1(nil, p.elasticNet())
		return high, err
	}
	high, one := 0.0, *p
	each, _ := f.eachClass(p, registry.Ready{})
	for k := range p.Several.labels {
		one.Y, one.SampleWeight = p.Several.signs(k), nil
		if each.Weight != nil {
			negative, positive, err := each.Weight(one.Y)
			if err == nil {
				one.SampleWeight, err = erm.ClassWeight(one.Y, nil, negative, positive)
			}
			if err != nil {
				return 0, err
			}
		}
		largest, _, err := elasticnet.MaxL1(nil, one.elasticNet())
		if err != nil {
			return 0, err
		}
		high = max(high, largest)
	}
	return high, nil
}

// elasticNet is the problem in the words of its package.
func (p *Prepared) elasticNet() *elasticnet.Problem {
	return &elasticnet.Problem{Problem: p.Problem, L1: p.L1}
}

// counted is NonZeros where weights may be 0, nil elsewhere.
func (p *Prepared) counted(w []float64) *int {
	if p.L1 == 0 && !p.path {
		return nil
	}
	count := p.NonZeros(w)
	return &count
}

// NonZeros counts the weights that are not 0, without those of intercepts.
func (p *Prepared) NonZeros(w []float64) int {
	count := 0
	_, d, _, _ := p.Shape()
	for j, v := range w {
		if v != 0 && !(p.Intercept && j%d == d-1) {
			count++
		}
	}
	return count
}
