package lanes

import (
	"errors"
	"fmt"

	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/solvers"
)

// partOptions has the options that ask a solver for a part. value returns what the option is, nil if
// it does not ask. hint says what to do, beside the choice of another solver.
var partOptions = []struct {
	part   solvers.Parts
	option string
	value  func(p *Problem) any
	hint   string
}{
	{solvers.Shards, "Settings.Shards", func(p *Problem) any { return given(p.o.Settings.Shards) }, ""},
	{solvers.Shards, "Solver", func(p *Problem) any { return given(p.inFile, any(p.method.Name)) }, ""},
	{solvers.Processes, "Settings.Ranks", func(p *Problem) any { return given(p.o.Settings.Ranks != nil, any("several processes")) }, ""},
	{solvers.Intercept, "Intercept", func(p *Problem) any { return given(p.o.Intercept == FreeIntercept, any(p.o.Intercept)) }, "or give a penalised {Intercept}"},
	{solvers.Offsets, "RowOffsets", func(p *Problem) any { return numbers(max(len(p.o.RowOffsets), len(p.Offset))) }, ""},
	{solvers.Losses, "Loss", func(p *Problem) any { return p.o.Loss }, "the surrogate of a ranking is among its {Parameters}"},
	{solvers.NonconvexLosses, "Loss", func(p *Problem) any { return p.o.Loss }, ""},
	{solvers.SteepLosses, "Loss", func(p *Problem) any { return p.o.Loss }, ""},
	{solvers.PlainLosses, "Loss", func(p *Problem) any { return p.o.Loss }, ""},
	{solvers.PrimalLosses, "Loss", func(p *Problem) any { return p.o.Loss }, ""},
	{solvers.KinkedLosses, "Loss", func(p *Problem) any { return p.o.Loss }, ""},
	{solvers.L1, "PenaltyFactors", func(p *Problem) any { return given(p.o.factorText()) }, ""},
	{solvers.L1, "Bounds", func(p *Problem) any { return given(p.o.boundText()) }, ""},
	{solvers.L1, "Monotone", func(p *Problem) any { return given(p.monotone) }, "or leave {Monotone} out"},
	{solvers.L1, "Penalty.L1", func(p *Problem) any { return given(p.o.Penalty.L1) }, ""},
	{solvers.L1, "Search.OverL1", func(p *Problem) any { return given(p.path) }, ""},
	{solvers.NoRegulariser, "Penalty", func(p *Problem) any { return p.Ridge() }, ""},
	{solvers.Weights, "ClassWeight", func(p *Problem) any { return given(p.o.ClassWeight) }, ""},
	{solvers.Weights, "RowWeights", func(p *Problem) any { return numbers(len(p.o.RowWeights)) }, ""},
	{solvers.Rates, "Rates", func(p *Problem) any { return given(p.o.Rates) }, ""},
	{solvers.MinTPR, "MinTPR", func(p *Problem) any { return given(p.o.MinTPR) }, ""},
	{solvers.RankRange, "RankedRange", func(p *Problem) any { return given(p.o.RankedRange) }, ""},
	{solvers.Hidden, "Hidden", func(p *Problem) any { return given(len(p.o.Hidden) > 0, any(p.o.Hidden)) }, ""},
	{solvers.Gap, "Settings.GapTolerance", func(p *Problem) any { return given(p.o.Settings.GapTolerance) }, otherEnds},
	{solvers.Gap, "Tolerance", func(p *Problem) any { return given(p.o.Tolerance) }, otherEnds},
	{solvers.Batch, "Settings.BatchSize", func(p *Problem) any { return given(p.o.Settings.BatchSize) }, "the sizes of other samples are among the {Parameters}"},
}

// otherEnds are what ends a run without a gap.
const otherEnds = "or use {Settings.GradientTolerance}, {Settings.MaxTime} or {Validation}"

// given returns a value that is not the zero value of its type, or what stands for it; else nil.
func given[T comparable](v T, instead ...any) any {
	var none T
	switch {
	case v == none:
		return nil
	case len(instead) > 0:
		return instead[0]
	}
	return v
}

// numbers stands for a slice of numbers, nil for an empty one.
func numbers(count int) any { return given(count > 0, any(fmt.Sprintf("%d numbers", count))) }

// askSolver refuses options that ask the solver for a part that it lacks.
func (p *Problem) askSolver() error {
	p.Loss = p.o.loss()
	const ofRows, ofLoss = solvers.NoRegulariser, solvers.NonconvexLosses | solvers.SteepLosses | solvers.PlainLosses | solvers.PrimalLosses | solvers.KinkedLosses
	asked := p.Asks() &^ ofRows
	for _, a := range partOptions {
		if !(ofRows | ofLoss).Has(a.part) && a.value(p) != nil {
			asked |= a.part
		}
	}
	return p.lacking(p.lacks(asked))
}

// lacks returns the *solvers.LacksError of the solver for parts that it is asked for, or nil.
func (p *Problem) lacks(asked solvers.Parts) error {
	m := &p.method
	return risk.Refuse(m.Family, m.Name, m.Accepts, asked, &p.Problem)
}

// lacking turns a *solvers.LacksError into the error of the option that asks for the part. It returns
// other errors as they are, and parts that the rows ask for.
func (p *Problem) lacking(err error) error {
	var lacks *solvers.LacksError
	if !errors.As(err, &lacks) {
		return err
	}
	for _, a := range partOptions {
		if a.part != lacks.Part {
			continue
		}
		if v := a.value(p); v != nil {
			reason := lacks.Reason()
			if a.hint != "" {
				reason += ", " + a.hint
			}
			return &OptionError{a.option, v, reason, lacks}
		}
	}
	return err
}
