package related

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/registry"
)

// Logistic is the Candidate.Solver of a logistic fit by package auto.
const Logistic = "logistic"

// Candidate is a way to train: a logistic fit, or a solver that ranks and starts from one. It
// is safe for concurrent reading.
type Candidate struct {
	// Solver is Logistic, or the name of a solver of solvers/registry.
	Solver string
	// Lambda is the weight of the regulariser of all fits. Balanced says that the logistic
	// fit has balanced class weights.
	Lambda   float64
	Balanced bool
	// Parameters are the parameters of the ranking solver that differ from its defaults.
	Parameters map[string]string
	// Low and High are the false-positive rates of solvers that take them, MinTPR the least
	// true-positive rate.
	Low, High, MinTPR float64
}

// String says what is done, without lambda.
func (c *Candidate) String() string {
	fit := Logistic
	if c.Balanced {
		fit += ", class weights"
	}
	if c.Solver == Logistic {
		return fit
	}
	text := c.Solver
	if c.High > 0 {
		text += fmt.Sprintf(" %.3g to %.3g", c.Low, c.High)
	}
	if c.MinTPR > 0 {
		text += fmt.Sprintf(" above %.3g", c.MinTPR)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Parameters)) {
		text += fmt.Sprintf(", %s %s", name, c.Parameters[name])
	}
	if c.Balanced {
		text += ", from class weights"
	}
	return text
}

// kind is 0 for a plain logistic fit, 1 for one with class weights and 2 for a solver that ranks: the
// smaller, the simpler.
func (c *Candidate) kind() int {
	switch {
	case c.Solver != Logistic:
		return 2
	case c.Balanced:
		return 1
	}
	return 0
}

// Solve trains a linear model by the candidate's solver: p.Loss and p.Lambda are not
// used. Settings are as for auto.Solve; a solver that ranks ends with its own schedule.
// Result.Total has the costs of the logistic fit too.
func (c *Candidate) Solve(ctx context.Context, p *erm.Problem, settings solvers.Settings) (*solvers.Result, error) {
	if p == nil {
		return nil, errors.New("related: there is no problem")
	}
	fit := *p
	fit.Loss, fit.Penalty = loss.Logistic{}, penalty.Ridge{Lambda: c.Lambda}
	if err := risk.Check(&fit); err != nil {
		return nil, err
	}
	if c.Balanced {
		negative, positive, err := erm.BalancedWeights(p.Y)
		if err != nil {
			return nil, err
		}
		if fit.SampleWeight, err = erm.ClassWeight(p.Y, p.SampleWeight, negative, positive); err != nil {
			return nil, err
		}
	}
	if c.Solver == Logistic {
		return auto.Solve(ctx, &fit, settings)
	}
	found, err := registry.Find(c.Solver)
	if err != nil {
		return nil, err
	}
	ready, err := found.New(c.Parameters)
	if err != nil {
		return nil, err
	}
	begun := time.Now()
	own := settings
	own.Recorder = nil
	start, err := auto.Solve(ctx, &fit, own)
	if err != nil || unfinished(start) {
		return start, err
	}
	own = settings
	own.Initial, own.MaxEpochs, own.GapTolerance, own.GradientTolerance = start.Weights, math.Inf(1), 0, 0
	if own.MaxTime > 0 {
		own.MaxTime = max(own.MaxTime-time.Since(begun), 1)
	}
	task := &solvers.Task{Problem: solvers.Problem{Loss: loss.Logistic{}, X: p.X, Y: p.Y, Penalty: penalty.Ridge{Lambda: c.Lambda}}, Low: c.Low, High: c.High, MinTPR: c.MinTPR}
	r, err := ready.Solve(ctx, task, own)
	addCost(r, start)
	return r, err
}

// rankers are the solvers that are tried first for a metric, from the best logistic fit. They
// train rows of equal weight without offsets.
func (s *search) rankers() []Candidate {
	weights, offset := s.p.SampleWeight, func(o float64) bool { return o != 0 }
	low, high, minTPR, notPartial := metrics.ParsePartial(metrics.Name(s.w.For))
	switch {
	case slices.ContainsFunc(weights, func(w float64) bool { return w != weights[0] }), slices.ContainsFunc(s.p.Offset, offset):
	case notPartial == nil:
		return []Candidate{
			{Solver: "mb-pauc", Low: low, High: high, MinTPR: minTPR},
			{Solver: "agd-sbcd", Low: low, High: high, MinTPR: minTPR},
			{Solver: "adap"},
		}
	case s.Metric.Name == "auc":
		return []Candidate{{Solver: "auc-m", High: 1}, {Solver: "mb-pauc", High: 1}, {Solver: "mb-pauc", High: 0.3}}
	case s.Metric.Name == "ap":
		// Down to the rank at which precision and recall meet, and half of it.
		share := positiveRatio(s.p.Y)
		return []Candidate{{Solver: "adap"}, {Solver: "mb-pauc", High: min(share, 1)}, {Solver: "mb-pauc", High: min(share, 1) / 2}}
	}
	return nil
}

// positiveRatio is the number of positives divided by the number of negatives.
func positiveRatio(y []float64) float64 {
	positives := 0
	for _, v := range y {
		if v > 0 {
			positives++
		}
	}
	return float64(positives) / float64(len(y)-positives)
}

// knob is a setting that is turned by factors for as long as that helps, or once.
type knob struct {
	name    string // of a parameter, or rates for the upper end of their range
	factors []float64
	once    bool
}

// knobs lists the parameters that the search varies, by solver, the cheapest first.
var knobs = map[string][]knob{
	"adap":    {{"step", steps, false}, {"iterations", longer, true}},
	"mb-pauc": {{"rates", []float64{2, 0.5}, false}, {"step", steps, false}, {"length", longer, true}},
	"auc-m":   {{"step", steps, false}, {"length", longer, true}},
}

var steps, longer = []float64{3, 0.25}, []float64{4}

// turned is a candidate with a setting multiplied by a factor, and whether there is such a
// one.
func turned(c Candidate, name string, factor float64) (Candidate, bool) {
	if name == "rates" {
		c.High *= factor
		return c, c.High > c.Low && c.High <= 1
	}
	value, err := strconv.ParseFloat(c.Parameters[name], 64)
	if err != nil {
		value = usual(c.Solver, name)
	}
	c.Parameters = maps.Clone(c.Parameters)
	if c.Parameters == nil {
		c.Parameters = map[string]string{}
	}
	c.Parameters[name] = strconv.FormatFloat(value*factor, 'g', 6, 64)
	return c, value > 0
}

// usual is the default of a solver's parameter, 0 where that is no number.
func usual(solver, name string) float64 {
	found, err := registry.Find(solver)
	if err != nil {
		return 0
	}
	for _, p := range found.Parameters {
		if p.Name == name {
			v, _ := strconv.ParseFloat(p.Default, 64)
			return v
		}
	}
	return 0
}
