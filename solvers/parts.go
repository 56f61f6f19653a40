package solvers

import (
	"math"
	"math/bits"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
)

// Parts is a set of parts of a Task and of Settings that not every solver takes. Every part that a
// solver takes has an effect on it. It refuses every other part by a LacksError. It is safe for concurrent use.
type Parts uint32

// The parts, in the order in which a solver names the first one that it lacks.
const (
	Shards          Parts = 1 << iota // Settings.Shards, or Task.Rows: rows that are not all in memory
	Processes                         // Settings.Ranks: several processes share the rows
	Intercept                         // an unpenalised intercept
	Offsets                           // of rows, added to their margins
	Losses                            // a loss other than the logistic one
	NonconvexLosses                   // a loss that is not convex: a loss.Nonconvex
	SteepLosses                       // a loss whose second derivative has no bound
	PlainLosses                       // a loss that is no loss.Conjugate
	PrimalLosses                      // a loss that is no loss.Dual
	KinkedLosses                      // a loss without a second derivative: a loss.Kinked
	L1                                // a penalty other than a ridge, as an L1 norm
	PlainPenalties                    // a penalty that is neither penalty.Columns nor penalty.Grouped
	NoRegulariser                     // no squared norm in the penalty: lambda = 0
	Weights                           // of samples, and so of classes
	Rates                             // a range of false-positive rates
	MinTPR                            // a least true-positive rate
	RankRange                         // a range of ranks
	Hidden                            // Task.Model: perceptrons in place of linear scores
	Gap                               // Settings.GapTolerance
	Batch                             // Settings.BatchSize
	endOfParts
)

// AllParts is the set of all parts.
const AllParts = endOfParts - 1

// says is what a solver says of a part that it lacks, part after part.
var says = [...]string{
	"needs all rows in memory, and takes no shards", "works in one process", "has no unpenalised intercept", "takes no offsets of rows",
	"has a loss of its own", "does not take the loss", "does not take the loss",
	"does not take the loss", "does not take the loss", "does not take the loss",
	"takes no penalty but a ridge", "does not take the penalty", "needs a penalty with lambda above 0",
	"takes no weights of rows or classes", "has no range of false-positive rates", "has no least true-positive rate",
	"has no range of ranks", "trains linear scores alone", "has no duality gap", "has no batches",
}

// Has tells whether all parts of a set are in p.
func (p Parts) Has(all Parts) bool { return p&all == all }

// First returns the first part of a set, 0 for none.
func (p Parts) First() Parts { return p & -p }

// LacksError is the error of a solver that does not take a part of a task or of the settings. It is
// safe for concurrent reading.
type LacksError struct {
	Family, Solver string
	Part           Parts // a single one
	// With says in words which solvers take the part and what else is asked, by name if the program
	// imports package registry; "" if none does. Without is a part that they lack, 0 for none.
	With    string
	Without Parts
	// Err is the *loss.LacksError or the *penalty.LacksError of a loss or penalty, nil for others.
	Err error
}

// Reason says what the solver lacks, and what to do.
func (e *LacksError) Reason() string {
	text := e.Solver + " does not take this"
	if k := bits.TrailingZeros32(uint32(e.Part)); k < len(says) {
		text = e.Solver + " " + says[k]
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if with := e.Takers(); with != "" {
		text += "; take " + with
	}
	return text
}

// Takers is With, and says of these solvers what they lack.
func (e *LacksError) Takers() string {
	if k := bits.TrailingZeros32(uint32(e.Without)); e.With != "" && k < len(says) {
		return e.With + ", which " + says[k]
	}
	return e.With
}

func (e *LacksError) Error() string { return e.Family + ": " + e.Reason() }

// Unwrap returns Err.
func (e *LacksError) Unwrap() error { return e.Err }

// add adds a part if the task or the settings ask for it.
func (p *Parts) add(part Parts, asked bool) {
	if asked {
		*p |= part
	}
}

// Asks returns the parts that a problem asks of a solver.
func (p *Problem) Asks() (asked Parts) {
	asked.add(Intercept, p.Intercept)
	asked.add(Offsets, p.Offset != nil)
	asked.add(Weights, p.SampleWeight != nil)
	if p.Loss != nil {
		_, conjugate := p.Loss.(loss.Conjugate)
		_, dual := p.Loss.(loss.Dual)
		asked.add(Losses, !p.Loss.Odds())
		kinked := loss.KinkedOf(p.Loss) != nil
		asked.add(NonconvexLosses, !loss.IsConvex(p.Loss))
		asked.add(PlainLosses, !conjugate)
		asked.add(PrimalLosses, !dual)
		asked.add(KinkedLosses, kinked)
		asked.add(SteepLosses, math.IsInf(p.Loss.Peak(), 1) && !kinked)
	}
	_, alone := penalty.Alone(p.Penalty)
	if !alone {
		_, err := penalty.RulesOf(p.Penalty)
		asked |= L1
		asked.add(PlainPenalties, err != nil)
	}
	asked.add(NoRegulariser, !(p.Ridge() > 0))
	return asked
}

// Asks returns the parts that settings ask of a solver.
func (s *Settings) Asks() (asked Parts) {
	asked.add(Shards, s.Shards > 0 || s.Ranks != nil)
	asked.add(Processes, s.Ranks != nil)
	asked.add(Gap, s.GapTolerance > 0)
	asked.add(Batch, s.BatchSize > 0)
	return asked
}

// Asks returns the parts that a task with its problem asks of a solver.
func (t *Task) Asks() Parts {
	asked := t.Problem.Asks()
	asked.add(Shards, t.Rows != nil)
	asked.add(Rates, t.Low != 0 || t.High != 0)
	asked.add(MinTPR, t.MinTPR != 0)
	asked.add(RankRange, t.M != 0 || t.N != 0)
	asked.add(Hidden, t.Model != nil)
	return asked
}
