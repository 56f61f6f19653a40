package run

import (
	"errors"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/solvers"
)

func withDefaults(s solvers.Settings) solvers.Settings {
	if s.MaxEpochs == 0 {
		s.MaxEpochs = 100
	}
	if s.BatchSize == 0 {
		s.BatchSize = solvers.UsualBatchSize
	}
	if s.CheckpointEvery == 0 {
		s.CheckpointEvery = solvers.UsualCheckpointEvery
	}
	if s.Patience == 0 {
		s.Patience = 5
	}
	return s
}

// Check returns the settings with defaults filled in, or says what is wrong
// with them. columns is the number of weights.
func Check(s solvers.Settings, columns int) (solvers.Settings, error) {
	for _, v := range []struct {
		name  string
		value float64
	}{
		{"MaxEpochs", s.MaxEpochs}, {"MaxTime", float64(s.MaxTime)}, {"MaxIterations", float64(s.MaxIterations)},
		{"GapTolerance", s.GapTolerance}, {"GradientTolerance", s.GradientTolerance},
		{"BatchSize", float64(s.BatchSize)}, {"Workers", float64(s.Workers)}, {"RecordEvery", s.RecordEvery},
		{"CheckpointEvery", float64(s.CheckpointEvery)}, {"Patience", float64(s.Patience)},
	} {
		if math.IsNaN(v.value) || v.value < 0 {
			return s, fmt.Errorf("solvers: %s is %v; it may not be negative", v.name, v.value)
		}
	}
	if s.Shards < 0 || s.Shards&(s.Shards-1) != 0 || s.Shards > solvers.MostShards {
		return s, fmt.Errorf("solvers: Shards is %d; it must be a power of two, at most %d", s.Shards, solvers.MostShards)
	}
	if s.Shards == 0 && s.Ranks != nil {
		return s, errors.New("solvers: Ranks share a run by shards: set Shards")
	}
	if s.Initial != nil && len(s.Initial) != columns {
		return s, fmt.Errorf("solvers: the initial point has %d weights, the data have %d columns", len(s.Initial), columns)
	}
	for j, v := range s.Initial {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return s, fmt.Errorf("solvers: weight %d of the initial point is %v", j, v)
		}
	}
	if s.Ranks != nil && s.Ranks.Rank() > 0 {
		return withDefaults(s), nil // rank 0 alone looks at the checkpoint
	}
	return withDefaults(s), checkpoint.Check(&s)
}

// zeroError is how far from zero rounding may have left a gradient that was computed to
// be zero and ends a run without a target.
const zeroError = 1e-9

// Reaches tells whether an evaluation meets one of the targets, whatever its rounding
// errors.
func Reaches(s *solvers.Settings, e Evaluation) bool {
	if s.GapTolerance == 0 && s.GradientTolerance == 0 && e.GradientNorm == 0 {
		return e.GradientError <= zeroError
	}
	return e.GradientNorm+e.GradientError <= s.GradientTolerance ||
		s.GapTolerance > 0 && e.Gap <= s.GapTolerance
}

// GapAlone tells whether a gap alone is the target, and no metric is measured: the norm of the
// gradient need not be known at every point.
func GapAlone(s *solvers.Settings) bool {
	return s.GapTolerance > 0 && s.GradientTolerance == 0 && s.Validation == nil
}

// Seems tells whether an evaluation would meet one of the targets if its gradient norm
// were exact; gap is the bound that would follow from that, NaN for none.
func Seems(s *solvers.Settings, e Evaluation, gap float64) bool {
	e.GradientError, e.Gap = 0, gap
	return Reaches(s, e)
}
