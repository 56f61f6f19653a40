package catalog

import (
	"context"
	"fmt"

	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// Task is what a solver that is found by its name is given. Solvers look at the parts
// that their Accepts name, at X, Y, Lambda and, those of losses, at Loss and Delta.
type Task struct {
	X *sparse.Matrix
	// Y holds a label of -1 or +1, or a target, a row.
	Y            []float64
	SampleWeight []float64
	// Rows, in the place of X, Y and SampleWeight, are rows that stay in a file, for
	// solvers whose Accepts names Shards.
	Rows   *Rows
	Loss   kernels.Loss
	Delta  float64 // Huber's threshold, 0 for 1
	Lambda float64
	// L1 is the weight of the L1 norm.
	L1 float64
	// Intercept and Offset are as in erm.Problem.
	Intercept bool
	Offset    []float64
	// Low and High are false-positive rates.
	Low, High float64
	// M and N are ranks: the N-M losses behind the M largest ones count.
	M, N int
	// Model is what is trained, nil for linear scores.
	Model Model
}

// Rows are rows in a file. What the fields mean erm.Streamed says.
type Rows struct {
	Stream       *sparse.Stream
	Labels       *sparse.LabelMap
	ClassWeights *[2]float64
	Memory       int64
	Progress     func(rows, bytes int64)
}

// Model is what score.Model documents.
type Model interface {
	Parameters() int
	Scores(dst []float64, rows []uint32, w []float64) error
	AddGradient(g []float64, rows []uint32, c, w []float64) error
	All(pool *sparse.Pool, dst, w []float64) error
}

// Solver is a solver that can be run by its name.
type Solver struct {
	solvers.Description
	// New returns the solver with the parameters given as text; the others keep their
	// defaults. Numbers may be written as fractions, as in 1/32.
	New func(parameters map[string]string) (Ready, error)
}

// Ready is a solver with its parameters.
type Ready struct {
	solvers.Description
	// Text tells the solver and its parameters apart from others.
	Text string
	// Method is the solver with its parameters, of the type Method of its package.
	Method any
	// Solve is as that of the solver's package.
	Solve func(ctx context.Context, t *Task, settings solvers.Settings) (*solvers.Result, error)
}

// Solvers lists a family's solvers. describe tells what one makes small and accepts,
// solve runs one on a task.
func (f Family[M]) Solvers(
	describe func(M) (solvers.Objective, solvers.Accepts),
	solve func(ctx context.Context, t *Task, m M, settings solvers.Settings) (*solvers.Result, error),
) []Solver {
	list := make([]Solver, len(f.Entries))
	for i, d := range f.Descriptions() {
		e := f.Entries[i]
		d.Objective, d.Accepts = describe(e.Zero)
		list[i] = Solver{d, func(parameters map[string]string) (Ready, error) {
			m, err := f.build(e, parameters)
			if err != nil {
				return Ready{}, err
			}
			solve := func(ctx context.Context, t *Task, settings solvers.Settings) (*solvers.Result, error) {
				if t == nil {
					return nil, fmt.Errorf("%s: no task", f.Name)
				}
				if t.Rows != nil && !d.Accepts.Shards {
					return nil, fmt.Errorf("%s: %s needs its rows in memory; Newton's method (newton) reads them from their file in every sweep", f.Name, d.Name)
				}
				p := risk.Problem{Intercept: t.Intercept, Offset: t.Offset}
				if err := p.Refuse(f.Name+": "+d.Name, d.Accepts); err != nil {
					return nil, err
				}
				return solve(ctx, t, m, settings)
			}
			return Ready{Description: d, Text: fmt.Sprintf("%s %+v", d.Name, m), Method: m, Solve: solve}, nil
		}}
	}
	return list
}
