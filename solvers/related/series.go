package related

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
)

// Series solves problems that differ in the penalty alone, one after the other, each with what it
// has found out before. It serves one goroutine.
type Series interface {
	// Solve minimises the problem with a penalty, from Settings.Initial.
	Solve(ctx context.Context, p penalty.Penalty, settings solvers.Settings) (*solvers.Result, error)
	// Save returns what the bits of later results depend on beside the arguments of Solve,
	// and Restore takes that over.
	Save() []byte
	Restore(saved []byte) error
}

// Expecting is a Series that gains by the penalties of all points, in their order, before the first
// one is solved. It serves one goroutine at a time, as a Series does.
type Expecting interface {
	Series
	Expect(list []penalty.Penalty)
}

// SparsePath is an elasticnet.Path along the points of a path: its Begin is for Run.Begin. Runs
// may share it.
type SparsePath struct {
	// Method is a solver of package elasticnet, nil for its usual one.
	Method elasticnet.Method
}

// Begin is Run.Begin.
func (s SparsePath) Begin(p *erm.Problem) (Series, error) {
	one, err := s.several([]*erm.Problem{p})
	if err != nil {
		return nil, err
	}
	return one[0], nil
}

// several begins a series for each of some problems on the same rows.
func (s SparsePath) several(list []*erm.Problem) ([]Series, error) {
	for _, p := range list {
		if err := risk.Check(p); err != nil {
			return nil, err
		}
	}
	paths, err := elasticnet.NewPaths(list, s.Method)
	if err != nil {
		return nil, err
	}
	var all []Series
	for _, path := range paths {
		all = append(all, path)
	}
	return all, nil
}

// begin returns the Solve for the points of a path over the rows of p, and its Series, or nil
// without a series. saved is the state that the series resumes from.
func (r *Run) begin(p *erm.Problem, saved []byte, weights []float64) (Solve, Series, error) {
	if r.Begin == nil {
		return r.Solve, nil, nil
	}
	series, err := r.Begin(p)
	if err == nil && series == nil {
		err = errors.New("related: Begin returned no series")
	}
	if err == nil && len(saved) > 0 {
		err = series.Restore(saved)
	}
	if expecting, is := series.(Expecting); is {
		expecting.Expect(r.penalties(weights))
	}
	return func(ctx context.Context, point *erm.Problem, settings solvers.Settings) (*solvers.Result, error) {
		return series.Solve(ctx, point.Penalty, settings)
	}, series, err
}

// save is Series.Save, or nil without a series.
func save(series Series) []byte {
	if series == nil {
		return nil
	}
	return series.Save()
}

// visitSaved visits the saved state of a series.
func visitSaved(c *checkpoint.Coder, saved *[]byte) {
	text := string(*saved)
	c.Text(&text)
	*saved = []byte(text)
}

// at returns the penalty at a point of a path.
func (r *Run) at(weight float64) penalty.Penalty {
	if r.Penalty == nil {
		return penalty.Ridge{Lambda: weight}
	}
	return r.Penalty(weight)
}

// penalties returns the penalties of all points, nil for ridges.
func (r *Run) penalties(weights []float64) (list []penalty.Penalty) {
	for k := 0; k < len(weights) && r.Penalty != nil; k++ {
		list = append(list, r.Penalty(weights[k]))
	}
	return list
}

// checkPenalty refuses a problem whose penalty a path would replace by a ridge.
func (r *Run) checkPenalty(p *erm.Problem) error {
	if _, alone := penalty.Alone(p.Penalty); r.Penalty == nil && !alone {
		return fmt.Errorf("related: %w; set Run.Penalty", &penalty.LacksError{Penalty: p.Penalty, Part: "weight that a path may choose"})
	}
	return nil
}

// ofPoints names the points of a path, and tells fits by a series from others.
func (r *Run) ofPoints(what checkpoint.Identity, lambdas []float64) checkpoint.Identity {
	what = what.With("lambdas", lambdas)
	if list := r.penalties(lambdas); list != nil {
		hash := fnv.New64a()
		for _, p := range list {
			fmt.Fprintln(hash, p)
		}
		what = what.With("penalties", fmt.Sprintf("%v and on, %016x", list[0], hash.Sum64()))
	}
	if r.Begin == nil {
		return what
	}
	return what.With("series", true)
}
