package lanes

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/pauc"
	"github.com/lanes-go/lanes/solvers/score"
)

// Check says which option cannot be as it is, before any rows are looked at. The error is an
// *OptionError.
func (o *Options) Check() error {
	_, err := o.ready(&Search{})
	return err
}

// ready resolves all that does not depend on the rows.
func (o *Options) ready(s *Search) (p *Problem, err error) {
	p = &Problem{o: *o, settings: o.Settings}
	if o = &p.o; o.Solver == Auto {
		o.Solver = ""
	}
	if err := o.Penalty.check(); err != nil {
		return nil, err
	}
	if err := o.loss().Valid(); err != nil {
		return nil, badOption("Loss", o.Loss, "%v", err)
	}
	if !(o.Holdout >= 0 && o.Holdout < 1) {
		return nil, badOption("Holdout", o.Holdout, "give a share above 0 and below 1, as 0.2")
	}
	if w := o.ClassWeight; !(w.Positive >= 0 && w.Negative >= 0) || math.IsInf(w.Positive+w.Negative, 0) || w.Balanced && w.Positive+w.Negative > 0 {
		return nil, badOption("ClassWeight", w, "give Balanced, or two finite numbers that are not negative")
	}
	p.inFile, p.monotone = s.inFile, s.monotone
	p.path = s.OverL1 || s.One && o.Penalty.L1 > 0
	if o.Penalty.Grouped && o.Penalty.L1 == 0 && !s.OverL1 {
		return nil, badOption("Penalty.Grouped", true, "it is of {Penalty.L1}, which is 0: give a weight")
	}
	if s.OverL1 && !o.Penalty.given() {
		o.Penalty = NoPenalty
	}
	p.Intercept = o.Intercept == FreeIntercept
	if p.method, err = o.solver(s); err != nil {
		return nil, err
	}
	if err := p.poseAsPaper(); err != nil {
		return nil, err
	}
	if err := p.useRanges(); err != nil {
		return nil, err
	}
	if err := p.useNetwork(); err != nil {
		return nil, err
	}
	if s.encoded && o.Intercept == UsualIntercept && p.method.Accepts.Has(solvers.Intercept) && len(o.Hidden) == 0 && !o.Paper {
		o.Intercept, p.Intercept = FreeIntercept, true
	}
	if o.Intercept == UsualIntercept && p.ranking() && len(o.Hidden) == 0 && !o.Paper {
		o.Intercept = PenalisedIntercept
	}
	if p.method.Objective == solvers.StructuralSVM && !o.Penalty.given() {
		o.Penalty = L2(tightLambda)
	}
	return p, p.suits()
}

// ranking tells whether the solver trains something else than a mean loss.
func (p *Problem) ranking() bool {
	return p.method.Objective != solvers.MeanLoss && p.method.Objective != solvers.SparseLoss
}

// poseAsPaper poses the problem as the paper of the solver does, where that is asked for.
func (p *Problem) poseAsPaper() error {
	o, paper := &p.o, p.method.PaperSetting
	set, _ := strconv.ParseBool(o.Parameters["paper"])
	switch {
	case o.Paper && paper.Section == "":
		return badOption("Paper", true, "no setting of a paper is known of %s", p.method.Name)
	case !o.Paper && !set || paper.Section == "":
		return nil
	}
	o.Paper = true
	if !o.Penalty.given() && !paper.PerRow {
		o.Penalty = L2(paper.Lambda)
	}
	switch {
	case o.Normalize != "":
	case paper.Scaled:
		o.Normalize = model.NormalizeMinMax
	case paper.Unit:
		o.Normalize = model.NormalizeUnit
	}
	if paper.Bias && o.Intercept == UsualIntercept {
		o.Intercept = PenalisedIntercept
	}
	if paper.High > 0 && o.Rates == [2]float64{} {
		o.Rates = [2]float64{paper.Low, paper.High}
	}
	if paper.N > 0 && o.RankedRange == (RankRange{}) {
		p.ranks = pauc.PaperRanks
	}
	return nil
}

// useRanges reads the ranges of rates and ranks.
func (p *Problem) useRanges() error {
	o := &p.o
	rated := p.method.Objective == solvers.PartialAUC || p.method.Objective == solvers.StructuralSVM
	if p.rates = o.Rates; rated && p.rates == [2]float64{} {
		p.rates = [2]float64{0, 0.05}
	}
	if low, high := p.rates[0], p.rates[1]; p.rates != [2]float64{} && !(low >= 0 && low < high && high <= 1) {
		return badOption("Rates", p.rates, "give two rates low, high with 0 <= low < high <= 1")
	}
	if p.minTPR = o.MinTPR; !(p.minTPR >= 0 && p.minTPR < 1) {
		return badOption("MinTPR", o.MinTPR, "give a true-positive rate of 0 or more and below 1")
	}
	r := o.RankedRange
	if r == (RankRange{}) {
		r = RankRange{0.02, 0.6, true}
	}
	whole := r.Low == math.Trunc(r.Low) && r.High == math.Trunc(r.High) && r.High <= math.MaxInt32
	switch {
	case p.ranks != nil: // of a paper
	case p.method.Objective != solvers.RankedRange:
	case !(r.Low >= 0 && r.Low < r.High), r.Shares && r.High > 1, !r.Shares && !whole:
		return badOption("RankedRange", r, "give two ranks low, high with 0 <= low < high, or two shares of the rows")
	case r.Shares:
		p.ranks = func(rows int) (m, n int) { return pauc.Ranks(r.Low, r.High, rows) }
	default:
		p.ranks = func(int) (m, n int) { return int(r.Low), int(r.High) }
	}
	return nil
}

// useNetwork reads the shape of a perceptron.
func (p *Problem) useNetwork() (err error) {
	o := &p.o
	if len(o.Hidden) == 0 {
		if o.Activation != "" {
			return badOption("Activation", o.Activation, "it goes with {Hidden}")
		}
		return nil
	}
	n := &score.Network{Features: 1, Hidden: o.Hidden}
	if o.Activation != "" {
		if n.Activation, err = score.ParseActivation(o.Activation); err != nil {
			return badOption("Activation", o.Activation, "%v", plain(err))
		}
	}
	if err := n.Check(); err != nil {
		return badOption("Hidden", o.Hidden, "%v", plain(err))
	}
	if o.Intercept == PenalisedIntercept || o.Intercept == FreeIntercept {
		return badOption("Hidden", o.Hidden, "give {Hidden} or {Intercept}, not both: hidden units have biases")
	}
	p.network = n
	return nil
}

// suits refuses options that the solver does not take.
func (p *Problem) suits() error {
	o, m := &p.o, &p.method
	switch {
	case int(o.Kind) >= len(kinds):
		return badOption("Kind", o.Kind, "want %s", strings.Join(kinds, ", "))
	case o.Positive != "" && (o.Kind == OneVsRest || o.Kind == Softmax || o.Kind == Regression):
		return badOption("Positive", o.Positive, "it names one class against the rest: leave it out, or {Kind}")
	case !(o.Settings.MaxEpochs >= 0):
		return badOption("Settings.MaxEpochs", o.Settings.MaxEpochs, "it must be above 0; 0 means the usual budget")
	case int(o.Intercept) >= len(intercepts):
		return badOption("Intercept", o.Intercept, "want %s", strings.Join(intercepts, ", "))
	case !(o.Tolerance >= 0) || math.IsInf(o.Tolerance, 0):
		return badOption("Tolerance", o.Tolerance, "it must be finite and above 0; 0 means 1e-6, for targets 1e-9")
	case o.Tolerance > 0 && (o.Settings.GapTolerance > 0 || o.Settings.GradientTolerance > 0):
		return badOption("Tolerance", o.Tolerance, "give {Tolerance}, or {Settings.GapTolerance} or {Settings.GradientTolerance}")
	case o.Normalize != "" && !slices.Contains(model.Normalizations(), o.Normalize):
		return badOption("Normalize", o.Normalize, "want one of %v", model.Normalizations())
	}
	if err := p.suitsMonotone(); err != nil {
		return err
	}
	if err := p.askSolver(); err != nil {
		return err
	}
	switch {
	case o.Tolerance > 0 && p.ranking():
		return badOption("Tolerance", o.Tolerance, "it is relative to a mean loss, which %s does not minimise; give {Settings.GapTolerance}", m.Name)
	}
	return nil
}
