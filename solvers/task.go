package solvers

import (
	"context"

	"github.com/lanes-go/lanes/sparse"
)

// Task is a problem for a solver that is found by its name. All solvers read X and Y (labels
// of -1 or +1, or targets); Description.Accepts says what else a solver reads. Runs may share a
// Task, except for its Model.
type Task struct {
	Problem
	// Rows are rows that stay in a file, in place of X, Y and SampleWeight.
	Rows *Rows
	// Low and High bound false-positive rates, MinTPR true-positive rates from below.
	Low, High, MinTPR float64
	// M and N are ranks: the N-M losses behind the M largest ones count.
	M, N int
	// Model is what is trained, nil for linear scores.
	Model Model
}

// Rows are rows that stay in a file. erm.Streamed documents the fields. Runs may share them;
// Progress is called from several goroutines.
type Rows struct {
	Stream       *sparse.Stream
	Labels       *sparse.LabelMap
	ClassWeights *[2]float64
	Memory       int64
	Beside       int64
	Progress     func(rows, bytes int64)
}

// Model is a score s(x) of the rows x of a matrix, with parameters w. Its bits do
// not depend on the CPU path, nor on the workers of a pool. A Model may keep scratch
// memory: it serves one goroutine at a time.
//
// A model that also is a fmt.Stringer tells by its text whether a checkpoint is one
// of its own; a score.Starter can begin without an initial point; a score.Constant has a
// parameter that changes no ranking.
type Model interface {
	// Parameters is the length of w.
	Parameters() int
	// Scores computes dst[k] = s(x_rows[k]).
	Scores(dst []float64, rows []uint32, w []float64) error
	// AddGradient computes g += sum over k of c[k] grad s(x_rows[k]). It takes
	// the rows and the w of the call of Scores before.
	AddGradient(g []float64, rows []uint32, c, w []float64) error
	// All computes the scores of all rows, shared by the workers of a pool.
	All(pool *sparse.Pool, dst, w []float64) error
}

// Solver is a solver that can be made from text. It is safe for concurrent use.
type Solver struct {
	Description
	// New returns the solver with the parameters given as text; the others keep their
	// defaults. Numbers may be written as fractions, as in 1/32.
	New func(parameters map[string]string) (Ready, error)
}

// Ready is a solver with its parameters, ready to solve a Task. It is safe for concurrent use.
type Ready struct {
	Description
	// Text tells the solver and its parameters apart from others.
	Text string
	// Method is the solver with its parameters, of the type Method of its package.
	Method any
	// Solve is the function Solve of the solver's package.
	Solve func(ctx context.Context, t *Task, settings Settings) (*Result, error)
}
