package related

import (
	"context"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
)

// Series solves problems that differ in the weight of the regulariser alone, one after the
// other, each with what it has found out before. It serves one goroutine.
type Series interface {
	// Solve minimises the problem for a weight, from Settings.Initial.
	Solve(ctx context.Context, lambda float64, settings solvers.Settings) (*solvers.Result, error)
	// Save returns what the bits of later results depend on beside the arguments of Solve,
	// and Restore takes that over.
	Save() []byte
	Restore(saved []byte) error
}

// SparsePath is an elasticnet.Path along the points of a path: its Begin is for Run.Begin. Runs
// may share it.
type SparsePath struct {
	// Method is a solver of package elasticnet, nil for its usual one.
	Method elasticnet.Method
	// Penalty returns the penalty at a point of the path. nil means penalty.L1 with that weight.
	Penalty func(point float64) penalty.Penalty
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
		all = append(all, sparseSeries{path, s.Penalty})
	}
	return all, nil
}

// sparseSeries are the points of a SparsePath.
type sparseSeries struct {
	*elasticnet.Path
	penalty func(point float64) penalty.Penalty
}

func (s sparseSeries) Solve(ctx context.Context, point float64, settings solvers.Settings) (*solvers.Result, error) {
	if s.penalty == nil {
		return s.Path.Solve(ctx, penalty.L1{Lambda: point}, settings)
	}
	return s.Path.Solve(ctx, s.penalty(point), settings)
}

// begin returns the Solve for the points of a path over the rows of p, and its Series, or nil
// without a series. saved is the state that the series resumes from.
func (r *Run) begin(p *erm.Problem, saved []byte) (Solve, Series, error) {
	if r.Begin == nil {
		return r.Solve, nil, nil
	}
	series, err := r.Begin(p)
	if err == nil && len(saved) > 0 {
		err = series.Restore(saved)
	}
	return func(ctx context.Context, point *erm.Problem, settings solvers.Settings) (*solvers.Result, error) {
		return series.Solve(ctx, point.Ridge(), settings)
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

// ofSeries tells fits by a series from others.
func (r *Run) ofSeries(what checkpoint.Identity) checkpoint.Identity {
	if r.Begin == nil {
		return what
	}
	return what.With("series", true)
}
