package solvers

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
)

// Point is an evaluated point of a run. It is safe for concurrent reading.
type Point struct {
	// Epochs counts selections of samples, in units of the number of rows: a full
	// gradient is one pass, an iteration over b rows is b/n.
	Epochs float64
	// GradientEvaluations counts evaluations of one sample's loss gradient,
	// Iterations the inner iterations (updates of the weights).
	GradientEvaluations, Iterations int64
	// Seconds is the time spent solving, without evaluations made only for the
	// record, validation and checkpoints.
	Seconds float64
	// Objective is P(w), GradientNorm the Euclidean norm of its gradient.
	Objective, GradientNorm float64
	// ObjectiveError bounds by how much rounding moved Objective away from P(w); 0 where no
	// bound is known. Where RoundingShows, the objective of a result is a compensated sum.
	ObjectiveError float64
	// Gap bounds the distance of Objective from the minimum, rounding errors included;
	// NaN where the problem has no such bound.
	Gap float64
	// Metric is the validation metric, NaN where none was set.
	Metric float64
	// NonZeros is the number of weights that are not 0, without a free intercept, where an
	// L1 norm makes them few (Objective SparseLoss); 0 elsewhere.
	NonZeros int
}

// RoundingShows tells whether ObjectiveError exceeds the gap and its tolerance (0 for none), or
// changes one of the first seven digits of Objective.
func (p *Point) RoundingShows(gapTolerance float64) bool {
	most := float64(1e-7 * math.Abs(p.Objective))
	if gap := max(p.Gap, gapTolerance); gap > 0 {
		most = min(most, gap)
	}
	return !(p.ObjectiveError <= most)
}

// Recorder receives the points of a run in order. An error ends the run. A run calls it from
// one goroutine at a time.
type Recorder interface {
	Record(Point) error
}

// Step is one inner iteration of a solver that chooses its own step sizes. It is safe for
// concurrent reading.
type Step struct {
	// Epochs is where the run stands after it, as in Point.
	Epochs float64
	// Size is the step size that was taken, Bound the largest that was allowed.
	Size, Bound float64
	// SquaredNorm is the squared length of the direction for the next step, an estimate of
	// the gradient's.
	SquaredNorm float64
}

// StepRecorder is what a Recorder may be as well: it is given every step of the solvers
// that choose their step sizes, which today is AI-SARAH. It may not take long. A run calls it
// from one goroutine at a time.
type StepRecorder interface {
	RecordStep(Step)
}

// Trace is a Recorder that keeps every point. It serves one run at a time; read it when the run
// has ended.
type Trace []Point

// Record appends p.
func (t *Trace) Record(p Point) error {
	*t = append(*t, p)
	return nil
}

// Status says why a run ended. It is safe for concurrent use.
type Status int

const (
	// Running is the status of a run that has not ended.
	Running Status = iota
	// Converged: the gap or the gradient norm reached its target, all rounding errors
	// included; or there was no target and the gradient became zero.
	Converged
	// StoppedEarly: the validation metric stopped improving.
	StoppedEarly
	// BudgetReached: the passes or iterations allowed are spent.
	BudgetReached
	// TimeReached: the time allowed is spent.
	TimeReached
	// Cancelled: the context was cancelled.
	Cancelled
	// Diverged: NaN or Inf appeared; the result is the best finite point before.
	Diverged
	// Stalled: numerical precision reached. Neither the objective nor its gradient nor the
	// gap improves any more in float64, and no tolerance is shown to be met.
	Stalled
	// Failed: the recorder, the validation metric or the saving of a checkpoint failed; the
	// error that is returned with the result says which.
	Failed
	// NoMinimum: the objective has no minimum. Rows of two classes are separable, or rows of count 0
	// alone change along some weights, and nothing
	// penalises weights; the result is the point where the run ended.
	NoMinimum
	// Stationary: as Converged, where the loss is not convex. Nothing tells whether the point is the minimum.
	Stationary
)

var statusNames = [...]string{"running", "converged", "stopped early", "budget reached", "time reached", "cancelled", "diverged", "numerical precision reached", "failed", "no minimum", "stationary point"}

// String returns the status in lower-case words.
func (s Status) String() string {
	if s < 0 || int(s) >= len(statusNames) {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return statusNames[s]
}

// Finished tells whether a run ended as a user would wish: with a target
// reached, the metric at its best, or the budget of passes spent.
func (s Status) Finished() bool {
	return s.Solved() || s == StoppedEarly || s == BudgetReached
}

// Solved tells whether a target was reached, of the gap or the gradient.
func (s Status) Solved() bool { return s == Converged || s == Stationary }

// Result is the outcome of a run. It is safe for concurrent reading.
type Result struct {
	// Weights is the converged point, or else the best one evaluated: by the
	// validation metric if Settings.Validation is set, by the objective otherwise.
	Weights []float64
	// Point is the evaluation of Weights, taken when the run was there.
	Point
	// Total is the state of the counters when the run ended.
	Total struct {
		Epochs                          float64
		GradientEvaluations, Iterations int64
		Seconds                         float64
	}
	Status Status
	Solver string
	// Minimised is what the solver made small: Objective is of it.
	Minimised Objective
	Seed      uint64
	Workers   int
	// CPUPath is the kernel path in use: generic, avx2, avx512 or neon.
	CPUPath string
}

// Missed tells whether a run with a tolerance ended without meeting it. The cause is that numerical
// precision or its budget was reached, or that there is no minimum.
func (r *Result) Missed(s *Settings) bool {
	if r == nil || s == nil {
		return false
	}
	if r.Status == NoMinimum {
		return true
	}
	within := s.GapTolerance > 0 && r.Gap <= s.GapTolerance || s.GradientTolerance > 0 && r.GradientNorm <= s.GradientTolerance
	return (s.GapTolerance > 0 || s.GradientTolerance > 0) &&
		(r.Status == Stalled || r.Status == BudgetReached || r.Status == TimeReached && !within)
}

// HashWeights returns the SHA-256 of the weights as little-endian float64, in
// hexadecimal digits.
func HashWeights(w []float64) string {
	sum := sha256.New()
	var buffer [1 << 12]byte
	for len(w) > 0 {
		part := w[:min(len(w), len(buffer)/8)]
		for i, v := range part {
			binary.LittleEndian.PutUint64(buffer[8*i:], math.Float64bits(v))
		}
		sum.Write(buffer[:8*len(part)])
		w = w[len(part):]
	}
	return hex.EncodeToString(sum.Sum(nil))
}
