package risk

import (
	"slices"
	"strings"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// Registered lists all solvers. Package registry sets it; it is nil in programs without that package.
var Registered func() []solvers.Solver

// Refuse returns a *solvers.LacksError for the first part that is asked of a solver and that it does
// not accept, or nil. p has the loss and the penalty that may be the reason; nil
// if they are not known yet.
func Refuse(family, solver string, accepts, asked solvers.Parts, p *Problem) error {
	part := (asked &^ accepts).First()
	if part == 0 {
		return nil
	}
	var err error
	switch {
	case p == nil:
	case part == solvers.NonconvexLosses:
		err = loss.ConvexOf(p.Loss)
	case part == solvers.SteepLosses, part == solvers.KinkedLosses:
		_, err = loss.PeakOf(p.Loss)
	case part == solvers.PlainLosses:
		_, err = loss.ConjugateOf(p.Loss)
	case part == solvers.PrimalLosses:
		_, err = loss.DualOf(p.Loss)
	case part == solvers.L1:
		_, err = penalty.RidgeOf(p.Penalty)
	case part == solvers.PlainPenalties:
		_, err = penalty.RulesOf(p.Penalty)
	}
	if Registered != nil && family != "" && !slices.ContainsFunc(Registered(), func(s solvers.Solver) bool { return s.Family == family }) {
		// No registered solver takes a problem of this family.
		return &solvers.LacksError{Family: family, Solver: solver, Part: part, Err: err}
	}
	taken, without := beside(part, asked)
	return &solvers.LacksError{Family: family, Solver: solver, Part: part, With: with(taken, solver), Without: without, Err: err}
}

// beside returns the parts that solvers are to be named for: all that are asked, or all but the one that
// it returns, too. Where no solver takes so many, it returns the part alone. What a run asks for beside its
// problem does not count.
func beside(part, asked solvers.Parts) (taken, without solvers.Parts) {
	if Registered == nil {
		return part, 0
	}
	takes := func(all solvers.Parts) bool {
		return slices.ContainsFunc(Registered(), func(s solvers.Solver) bool { return s.Accepts.Has(all) && s.Objective != solvers.Composition })
	}
	asked &^= solvers.Gap | solvers.Batch
	if asked |= part; takes(asked) {
		return asked, 0
	}
	for rest := asked &^ part; rest != 0; rest &^= rest.First() {
		if without := rest.First(); takes(asked &^ without) {
			return asked &^ without, without
		}
	}
	return part, 0
}

// mostNamed is the largest number of solvers that a message names one by one.
const mostNamed = 8

// with says which solvers take parts of which a solver lacks one: their names, or of many what they make
// small. If solvers of mean losses take the parts, it leaves out solvers with other objectives. It
// keeps them if the lacking solver has another objective itself.
func with(part solvers.Parts, lacking string) string {
	if Registered == nil {
		return "a solver of package registry that accepts this part"
	}
	var takers []solvers.Solver
	special, means := false, false
	for _, s := range Registered() {
		mean := s.Objective == solvers.MeanLoss || s.Objective == solvers.SparseLoss
		special = special || s.Name == lacking && !mean
		if s.Accepts.Has(part) && s.Objective != solvers.Composition {
			takers, means = append(takers, s), means || mean
		}
	}
	var names, kinds []string
	for _, s := range takers {
		if means && !special && s.Objective != solvers.MeanLoss && s.Objective != solvers.SparseLoss {
			continue
		}
		names = append(names, s.Name)
		if kind := s.Objective.String(); !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case len(names) > mostNamed:
		return "a solver whose objective is " + strings.Join(kinds, ", or ")
	}
	if last := len(names) - 1; last > 0 {
		return "the solver " + strings.Join(names[:last], ", ") + " or " + names[last]
	}
	return "the solver " + names[0]
}
