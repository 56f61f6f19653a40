package lanes_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/internal/shards"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
)

// TestEveryPart asks every solver for every part by the options. A part that it accepts has an effect
// on a mean loss;
// every other one is refused by the option that asks for it.
func TestEveryPart(t *testing.T) {
	repeat.Skip(t)
	for _, c := range []struct {
		part   solvers.Parts
		option string
		ask    func(o *lanes.Options)
	}{
		{solvers.Shards, "Settings.Shards", func(o *lanes.Options) { o.Settings.Shards = 4 }},
		{solvers.Processes, "Settings.Ranks", func(o *lanes.Options) { o.Settings.Shards, o.Settings.Ranks = 4, shards.Alone{} }},
		{solvers.Intercept, "Intercept", func(o *lanes.Options) { o.Intercept = lanes.FreeIntercept }},
		{solvers.Offsets, "RowOffsets", func(o *lanes.Options) {
			o.RowOffsets = make([]float64, 60)
			o.RowOffsets[3] = 2
		}},
		{solvers.Losses, "Loss", func(o *lanes.Options) { o.Loss = loss.SquaredHinge{} }},
		{solvers.NonconvexLosses, "Loss", func(o *lanes.Options) { o.Loss = loss.InverseGaussian{} }},
		{solvers.SteepLosses, "Loss", func(o *lanes.Options) { o.Loss = loss.Poisson{} }},
		{solvers.PrimalLosses, "Loss", func(o *lanes.Options) { o.Loss = loss.Probit{} }},
		{solvers.KinkedLosses, "Loss", func(o *lanes.Options) { o.Loss = loss.Hinge{} }},
		{solvers.L1, "Penalty.L1", func(o *lanes.Options) { o.Penalty = lanes.L1(0.02) }},
		{solvers.NoRegulariser, "Penalty", func(o *lanes.Options) { o.Penalty = lanes.NoPenalty }},
		{solvers.Weights, "ClassWeight", func(o *lanes.Options) { o.ClassWeight = lanes.ClassWeight{Positive: 3, Negative: 1} }},
		{solvers.Weights, "RowWeights", func(o *lanes.Options) {
			o.RowWeights = slices.Repeat([]float64{1, 3}, 30)
		}},
		{solvers.Rates, "Rates", func(o *lanes.Options) { o.Rates = [2]float64{0, 0.125} }},
		{solvers.MinTPR, "MinTPR", func(o *lanes.Options) { o.MinTPR = 0.6 }},
		{solvers.RankRange, "RankedRange", func(o *lanes.Options) { o.RankedRange = lanes.RankRange{Low: 3, High: 30} }},
		{solvers.Hidden, "Hidden", func(o *lanes.Options) { o.Hidden, o.Intercept = []int{2}, lanes.UsualIntercept }},
		{solvers.Gap, "Settings.GapTolerance", func(o *lanes.Options) { o.Settings.GapTolerance = 1e3 }},
		{solvers.Gap, "Tolerance", func(o *lanes.Options) { o.Tolerance = 1e3 }},
		{solvers.Batch, "Settings.BatchSize", func(o *lanes.Options) { o.Settings.BatchSize = 7 }},
	} {
		t.Run(c.option, func(t *testing.T) {
			for _, name := range lanes.SolverNames()[1:] {
				data := rows(t, "dense:n=60,d=4,seed=3")
				d := lanes.Solver(name)
				o := lanes.Options{Solver: name, Intercept: lanes.NoIntercept, Settings: solvers.Settings{Workers: 1, MaxIterations: 100, MaxEpochs: 6}}
				want, err := lanes.Train(t.Context(), data, o)
				if err != nil {
					t.Fatal(err)
				}
				if c.part == solvers.SteepLosses || c.part == solvers.NonconvexLosses {
					o.Kind = lanes.Regression
					for i, y := range data.Y {
						data.Y[i] = y + 1.5
					}
				}
				c.ask(&o)
				f, err := lanes.Train(t.Context(), data, o)
				accepts := d.Accepts.Has(c.part)
				// The structural SVM has no relative tolerance.
				if c.option == "Tolerance" && d.Objective == solvers.StructuralSVM {
					accepts = false
				}
				var bad *lanes.OptionError
				var lacks *solvers.LacksError
				switch {
				case accepts && err != nil:
					t.Errorf("%s: %v", name, err)
				case accepts && d.Objective.IsRanking(), accepts && d.Objective == solvers.RankedRange: // end at their start
				case accepts && slices.Equal(f.Result.Weights, want.Result.Weights) && f.Result.Status == want.Result.Status:
					t.Errorf("%s: no effect", name)
				case accepts:
				case !errors.As(err, &bad) || bad.Option != c.option && bad.Option != "Kind" && !(c.part == solvers.Processes && bad.Option == "Settings.Shards"):
					t.Errorf("%s: error %v", name, err)
				case bad.Option == c.option && !strings.Contains(bad.Reason, name):
					t.Errorf("the reason does not name %s: %v", name, err)
				case bad.Option == c.option && c.part != solvers.Hidden && c.option != "Tolerance" && !errors.As(err, &lacks):
					t.Errorf("%s: the error has no LacksError: %v", name, err)
				}
			}
		})
	}
}
