package erm

import (
	"context"
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/internal/base/memory"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/internal/handover"
	"github.com/lanes-go/lanes/sparse"
)

// Streamed is a Problem whose rows stay in a file: for data that do not fit in memory. Several
// runs may share it, if Progress may be called by all.
type Streamed struct {
	// Problem has the loss, the penalty and the intercept, for which the bias of Rows must be 1. Its
	// rows are nil: Rows has them.
	Problem
	// Rows are the rows with their labels, weights and offsets, a view of a cache: normalised, with
	// a bias, as it is to be.
	Rows *sparse.Stream
	// Memory is the number of bytes that the run may take, for rows, vectors and all; 0 means
	// enough for the whole data set. A run needs some 25 vectors of a number a column and two
	// blocks of rows. The rest holds blocks that are then not read again. Garbage is the garbage
	// collector's affair: see debug.SetMemoryLimit.
	Memory int64
	// Beside is how many of these bytes something else takes, as the rows of a validation do.
	Beside int64
	// Labels tells which labels stand for +1 and -1; nil takes them as targets. Labels that are
	// words are places in Rows.LabelNames.
	Labels *sparse.LabelMap
	// ClassWeights multiplies the losses of negative and of positive rows; nil means 1.
	ClassWeights *[2]float64
	// Progress, where set, is called now and then with the number of rows used and of bytes of
	// the file read, in all sweeps together. Several goroutines call it.
	Progress func(rows, bytes int64)
}

// Shards returns the number of shards of a run where Settings.Shards does not say it. It is the
// largest power of two V <= 256 with V <= n and V d <= nnz/4, but at least 1.
func (p *Streamed) Shards() int {
	if p == nil || p.Rows == nil {
		return 1
	}
	return shards.Count(p.Rows.Rows(), p.Rows.Cols(), p.Rows.NNZ())
}

func (p *Streamed) check() error {
	switch {
	case p == nil || p.Rows == nil:
		return errors.New("erm: the problem has no rows")
	case p.Rows.Cols() == 0:
		return errors.New("erm: the rows have no columns")
	case p.Intercept && p.Rows.Bias() != 1:
		return fmt.Errorf("erm: an intercept is the weight of a bias column of ones, and the bias of the rows is %v; Stream.WithBias(1) adds the column", p.Rows.Bias())
	case p.Memory < 0 || p.Beside < 0:
		return fmt.Errorf("erm: Memory is %d and Beside %d; they must be 0 or more", p.Memory, p.Beside)
	}
	if p.X != nil || p.Y != nil || p.SampleWeight != nil || p.Offset != nil {
		return errors.New("erm: the rows are in a file: leave X, Y, SampleWeight and Offset out")
	}
	if err := risk.CheckNumbers(&p.Problem, p.Rows.Cols()); err != nil {
		return err
	}
	switch {
	case p.Labels == nil && p.Loss.Labels():
		return fmt.Errorf("erm: the %v loss needs labels of two classes: set Labels", p.Loss)
	case p.Labels == nil && p.ClassWeights != nil:
		return errors.New("erm: class weights need labels of two classes: set Labels")
	}
	if p.ClassWeights != nil {
		if _, err := ClassWeight(nil, nil, p.ClassWeights[0], p.ClassWeights[1]); err != nil {
			return err
		}
	}
	return nil
}

// MemoryError says that a run needs more memory than it may take. It is safe for concurrent
// reading.
type MemoryError struct {
	// Limit is what it may take, Need the least for which it runs, in bytes.
	Limit, Need int64
	// Columns is how many columns of a sparse model the run gathers in memory, 0 before it knows. A stronger
	// penalty needs fewer.
	Columns int
}

func (e *MemoryError) Error() string {
	what := "run needs"
	if e.Columns > 0 {
		what = fmt.Sprintf("run and the %d columns that the penalty leaves need", e.Columns)
	}
	return fmt.Sprintf("erm: the %s %s of memory at least, and may take %s", what, memory.Text(e.Need), memory.Text(e.Limit))
}

// SolveStreamed minimises p by Newton's method and reads the rows from their file in every sweep.
// The result has the bits of Solve with as many shards on the same rows in memory, whatever the
// memory and the number of workers. Errors are as Solve's. A limit that is too small is a
// *MemoryError. Rows that can no longer be read end the run with a *sparse.FormatError and no
// result.
func SolveStreamed(ctx context.Context, p *Streamed, m Newton, settings solvers.Settings) (*solvers.Result, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if err := family.Check(m); err != nil {
		return nil, err
	}
	if settings.Shards == 0 {
		settings.Shards = p.Shards()
	}
	_, err := run.Check(settings, p.Rows.Cols())
	var rows *shards.File
	var o shards.Options
	if err == nil {
		rows, o, err = p.open(settings)
	}
	if err := shards.Agree(settings.Ranks, err); err != nil {
		return nil, err
	}
	return solveRows(ctx, rows, &p.Problem, m, settings, o)
}

// The memory of a run beside its rows and the nodes of its sums, in vectors of one number a column:
// vectors of the loop, of the run's control, of the preconditioner, and the sums of a pass.
const (
	streamVectors = 13
	// handedCopies of rows that are written out, and 8 numbers more a row, are more than a run
	// takes that goes on without shards: collected and as a matrix, for its orthogonal steps,
	// its margins and what certifies them.
	handedCopies = 5
)

// streamedOf returns the problem of a task whose rows are in a file.
func streamedOf(t *solvers.Task) *Streamed {
	r := t.Rows
	return &Streamed{Problem: t.Problem, Rows: r.Stream, Memory: r.Memory, Beside: r.Beside, Labels: r.Labels, ClassWeights: r.ClassWeights, Progress: r.Progress}
}

func init() { handover.Open = openTask }

// openTask is handover.Open.
func openTask(t *solvers.Task, settings *solvers.Settings, elements, size int64, newton, mixes bool) (*shards.File, shards.Options, error) {
	p := streamedOf(t)
	if err := p.check(); err != nil {
		return nil, shards.Options{}, err
	}
	if settings.Shards == 0 {
		settings.Shards = p.Shards()
	}
	if _, err := run.Check(*settings, p.Rows.Cols()); err != nil {
		return nil, shards.Options{}, err
	}
	fixed := 8 * elements
	if newton {
		more, sum := p.newtonMemory()
		fixed, size = fixed+more, max(size, sum)
	}
	return p.plan(*settings, fixed, size, mixes)
}

// open plans the memory of Newton's method.
func (p *Streamed) open(settings solvers.Settings) (*shards.File, shards.Options, error) {
	fixed, size := p.newtonMemory()
	return p.plan(settings, fixed, size, false)
}

// newtonMemory returns the bytes that Newton's method takes beside rows, and the elements of a sum over rows.
func (p *Streamed) newtonMemory() (fixed, size int64) {
	d := int64(p.Rows.Cols())
	size, fixed = d+2, 8*streamVectors*d
	if p.Intercept {
		size = max(d+int64(gradientSums), 2*d)
		fixed += 8 * 3 * d // means and both sums of the preconditioner
	}
	if d <= shards.MostDense {
		size = max(size, d*(d+1)/2)
		fixed += 8 * (d*d + size)
	}
	if n := int64(p.Rows.Rows()); fitsOrthogonal(p.Rows.Rows(), p.Rows.Cols()) {
		fixed += 8 * handedCopies * (n + d) * (d + 8)
	}
	return fixed, size
}

// plan plans the memory of a run with fixed bytes beside its rows, and the given elements in a sum over rows.
// mixes is shards.FileOptions.Mixes.
func (p *Streamed) plan(settings solvers.Settings, fixed, size int64, mixes bool) (*shards.File, shards.Options, error) {
	rows, o, err := shards.Open(p.rows(), settings, fixed, size, mixes)
	if short := (*shards.MemoryError)(nil); errors.As(err, &short) {
		err = &MemoryError{Limit: short.Available, Need: short.Need}
	}
	return rows, o, err
}

// rows returns the rows of p as a task has its rows.
func (p *Streamed) rows() *solvers.Rows {
	return &solvers.Rows{Stream: p.Rows, Labels: p.Labels, ClassWeights: p.ClassWeights, Memory: p.Memory, Beside: p.Beside, Progress: p.Progress}
}
