package softmax

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	_ "github.com/lanes-go/lanes/solvers/erm" // which plans the memory of rows in a file
	"github.com/lanes-go/lanes/solvers/internal/handover"
)

// accepts are the parts that Newton takes.
const accepts = solvers.Gap | solvers.Shards

// Streamed is a Problem whose rows stay in a file: for data that do not fit in memory. Several runs may share
// it, if Progress of Rows may be called by all.
type Streamed struct {
	// Rows are the rows, with a bias of 1 beside an Intercept, and the memory that a run may take. Their Labels and
	// ClassWeights are nil.
	Rows *solvers.Rows
	// Labels has the label of each class, as the file has it: a number, or the place of a word. There are two
	// at least, and no two are equal.
	Labels []float64
	// Weights holds a factor of the rows of each class, 0 or more, beside the weights in the file; nil means 1.
	Weights []float64
	// Lambda and Intercept are as in Problem.
	Lambda    float64
	Intercept bool
}

func (p *Streamed) check() error {
	switch {
	case p == nil || p.Rows == nil || p.Rows.Stream == nil || p.Rows.Stream.Rows() == 0 || p.Rows.Stream.Cols() == 0:
		return errors.New("softmax: the problem has no rows with columns")
	case p.Rows.Labels != nil || p.Rows.ClassWeights != nil:
		return errors.New("softmax: the rows have labels of two classes: leave Labels and ClassWeights out")
	case p.Rows.Stream.HasOffsets():
		return errors.New("softmax: the rows have offsets, which several classes do not take")
	case len(p.Labels) < 2 || len(p.Labels) > p.Rows.Stream.Rows():
		return fmt.Errorf("softmax: %d classes of %d rows; there must be two at least, each with a row", len(p.Labels), p.Rows.Stream.Rows())
	case p.Weights != nil && len(p.Weights) != len(p.Labels):
		return fmt.Errorf("softmax: %d weights of %d classes", len(p.Weights), len(p.Labels))
	case !(p.Lambda > 0) || math.IsInf(p.Lambda, 0):
		return fmt.Errorf("softmax: lambda is %v; it must be above 0", p.Lambda)
	}
	for k, s := range p.Weights {
		if !(s >= 0) || math.IsInf(s, 0) {
			return fmt.Errorf("softmax: the weight of class %d is %v; it must be 0 or more, and finite", k, s)
		}
	}
	return nil
}

// Vectors of a number a column and class that a run by shards takes beside its rows and sums: of the loop, of the
// run's control and of the result.
const sweptVectors = 16

// plannedRooms is the number of workers whose pieces of rows are planned: what a run needs at least is the same for
// any number of workers.
const plannedRooms = 4

// SolveStreamed is Solve for rows that stay in their file: it reads them in every sweep. The result has the bits of
// Solve with as many shards on the same rows in memory, whatever the memory and the number of workers. A limit that
// is too small is an *erm.MemoryError, as of erm.SolveStreamed. Rows that can no longer be read end the run with
// a *sparse.FormatError and no result.
//
// Memory beside blocks of rows and sums: 128 bytes a column and class, 12 d^2 for the factor of up to 512 columns d,
// and 3 kB a class and worker, of which four are planned.
func SolveStreamed(ctx context.Context, p *Streamed, m Newton, settings solvers.Settings) (*solvers.Result, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	if err := m.check(); err != nil {
		return nil, fmt.Errorf("softmax: %s: %w", m.Name(), err)
	}
	d, k := int64(p.Rows.Stream.Cols()), int64(len(p.Labels))
	sums := int64(sweptSums(int(d), int(k), p.Intercept))
	elements := sweptVectors*d*k + sums + plannedRooms*(3*k+5)*shards.Piece
	if d <= shards.MostDense {
		elements += 2 * d * d
		sums = max(sums, d*(d+1)/2)
	}
	// What the rows are to be told from is found in their sums: to the reader their labels are targets.
	task := &solvers.Task{Problem: solvers.Problem{Loss: loss.Squared{}, Penalty: penalty.Ridge{Lambda: p.Lambda}, Intercept: p.Intercept}, Rows: p.Rows}
	rows, o, err := handover.Open(task, &settings, elements, sums, false, false)
	if err != nil {
		return nil, err
	}
	number := make(map[float64]uint32, k)
	for c, label := range p.Labels {
		number[label] = uint32(c)
	}
	if len(number) < len(p.Labels) {
		return nil, errors.New("softmax: two classes have the same label")
	}
	q := &Problem{Count: int(k), Lambda: p.Lambda, Intercept: p.Intercept}
	return solveSwept(ctx, q, rows, number, p.Weights, m.withDefaults(), settings, o)
}

// solveMemory is Solve by shards over rows in memory.
func solveMemory(ctx context.Context, p *Problem, m Newton, settings solvers.Settings) (*solvers.Result, error) {
	y := make([]float64, len(p.Class))
	for i, c := range p.Class {
		y[i] = float64(c)
	}
	rows := &shards.Memory{X: p.X, Y: y, Weight: p.SampleWeight, Shards: settings.Shards}
	return solveSwept(ctx, p, rows, nil, nil, m, settings, shards.Options{})
}

// solveSwept minimises p over rows from wherever they come. Of p it looks at everything but the rows.
func solveSwept(ctx context.Context, p *Problem, rows shards.Rows, number map[float64]uint32, weights []float64, m Newton, settings solvers.Settings, o shards.Options) (*solvers.Result, error) {
	return run.Solve(ctx, settings, run.Plan{
		Family: "softmax", Solver: m.Name(), Columns: rows.Cols() * p.Count, Accepts: accepts,
		Begin: func(s *run.Session) (run.Run, error) {
			q, err := newSwept(p, rows, number, weights, s, o)
			if err != nil {
				return run.Run{}, err
			}
			return run.Run{
				Samples: q.n, Loop: newLoop(m, q, s.Settings, s.Random), Smooth: true, Reports: true,
				Evaluate: func(w []float64) (e run.Evaluation) {
					columns, g := make([]float64, len(w)), make([]float64, len(w))
					q.byColumn(columns, w)
					e.Err = q.swept.patiently(false, func() (err error) {
						e, err = q.swept.visit(g, columns)
						return err
					})
					return e
				},
				AtZero: q.atZero, Parameters: m,
				Data: func(*matrix.Pool) (id checkpoint.Identity, err error) {
					err = q.swept.patiently(s.Settings.Checkpoint != "", func() (err error) {
						id, err = q.swept.identity()
						return err
					})
					return id, err
				},
			}, nil
		},
	})
}
