package related

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// ErrNoRange is why UsualLambdasInFile refuses a loss.
var ErrNoRange = errors.New("no usual range of lambdas where rows stay in their file")

// UsualLambdasInFile is UsualLambdas for rows in a file, with the same bits. It reads the file once, and holds
// a group of rows. A loss whose second derivative has no bound, or none, is refused by ErrNoRange.
func UsualLambdasInFile(ctx context.Context, p *erm.Problem, rows *solvers.Rows) (lambdas []float64, least int, err error) {
	if err := (&Run{File: rows}).checkFile(p); err != nil {
		return nil, 0, err
	}
	peak, x := p.Loss.Peak(), rows.Stream
	if loss.KinkedOf(p.Loss) != nil || math.IsInf(peak, 1) {
		return nil, 0, fmt.Errorf("related: the %v loss has %w", p.Loss, ErrNoRange)
	}
	sum, group := 0.0, new(sparse.StreamGroup)
	for k := range x.Groups() {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if err := x.Load(group, k); err != nil {
			return nil, 0, err
		}
		for i, v := range matrix.SquaredNorms(group.Rows().WithBias(x.Bias())) {
			weight := direct.Weight(group.Weight, i)
			if classes := rows.ClassWeights; classes != nil {
				sign, err := rows.Labels.Sign(group.Y[i])
				if err != nil {
					return nil, 0, err
				}
				weight *= classes[max(int(sign), 0)]
			}
			sum = math.FMA(weight, v, sum)
		}
	}
	high, err := largest(sum, x.Rows(), peak)
	if err != nil {
		return nil, 0, err
	}
	return usualBelow(high, x.Rows())
}

// begins tells whether a fit is to be begun: neither is ctx done nor the time over. Several processes go by the
// first.
func (r *Run) begins(ctx context.Context, limit *budget, s *solvers.Settings) (bool, error) {
	begins := limit.left(s) && ctx.Err() == nil
	if s.Ranks == nil {
		return begins, nil
	}
	said := []byte{0}
	if begins {
		said[0] = 1
	}
	if s.MaxTime < 0 { // the first process has time left
		s.MaxTime = 1
	}
	err := s.Ranks.Broadcast(said)
	return said[0] == 1, err
}

// together is the number of fits that are made at the same time, as Settings.Workers is given.
func (r *Run) together() int {
	if r.File != nil {
		return 1
	}
	return r.Settings.Workers
}

// ofFit is the number of workers of a fit that was promised some: all where one fit is made at a time.
func (r *Run) ofFit(promised int) int {
	if r.File != nil {
		return workersOf(r.Settings.Workers)
	}
	return promised
}

// checkFile checks a path whose rows stay in a file. Their content is checked by Solve, which reads it.
func (r *Run) checkFile(p *erm.Problem) error {
	switch {
	case r.File == nil || r.File.Stream == nil || r.File.Stream.Rows() == 0:
		return errors.New("related: File has no rows")
	case p == nil || p.X != nil || p.Y != nil || p.SampleWeight != nil || p.Offset != nil:
		return errors.New("related: the rows are in File: leave X, Y, SampleWeight and Offset out")
	case r.Classes > 0 || r.Begin != nil:
		return errors.New("related: rows in a file go with two classes or targets, and without Begin")
	}
	return risk.CheckNumbers(p, r.File.Stream.Cols())
}

// fileIdentity is risk.Identity for rows in a file. It reads no rows: the checksums in the file stand for them.
func (r *Run) fileIdentity(p *erm.Problem) checkpoint.Identity {
	rows := r.File
	id := checkpoint.Identity{}.With("loss", p.Loss).With("the loss's parameter", p.Loss.Parameter()).With("penalty", p.Penalty).
		With("rows", rows.Stream.Rows()).With("columns", rows.Stream.Cols()).With("non-zeros", rows.Stream.NNZ()).
		With("the file's checksum", rows.Stream.Identity()).With("the view", rows.Stream.View())
	if p.Intercept {
		id = id.With("the intercept", true)
	}
	if rows.Labels != nil {
		id = id.With("labels", *rows.Labels)
	}
	if rows.ClassWeights != nil {
		id = id.With("class weights", *rows.ClassWeights)
	}
	return id
}
