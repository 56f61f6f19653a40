package risk

import (
	"errors"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
)

// listing lists solvers of three objectives.
func listing(means, lists, compositions int) func() []solvers.Solver {
	add := func(list []solvers.Solver, name string, n int, o solvers.Objective) []solvers.Solver {
		for k := range n {
			list = append(list, solvers.Solver{Description: solvers.Description{Name: name + string(rune('1'+k)), Objective: o, Accepts: solvers.Offsets}})
		}
		return append(list, solvers.Solver{Description: solvers.Description{Name: "other " + name, Objective: o, Accepts: solvers.AllParts &^ solvers.Offsets}})
	}
	list := add(nil, "mean", means, solvers.MeanLoss)
	list = add(list, "list", lists, solvers.AveragePrecision)
	return func() []solvers.Solver { return add(list, "composition", compositions, solvers.Composition) }
}

// TestRefuse: the first part that is asked and not accepted is refused, with the reason of the loss or
// the penalty. The error names the solvers that accept the part.
func TestRefuse(t *testing.T) {
	before := Registered
	defer func() { Registered = before }()
	Registered = nil
	p := &Problem{Loss: struct{ loss.Loss }{loss.Poisson{}}, Penalty: penalty.Box{Low: 0, High: 1}}
	var ofLoss *loss.LacksError
	var ofPenalty *penalty.LacksError
	for part := solvers.Parts(1); solvers.AllParts.Has(part); part <<= 1 {
		if err := Refuse("f", "s", solvers.AllParts, part, p); err != nil {
			t.Errorf("an accepted part: error %v", err)
		}
		for _, with := range []*Problem{p, nil} {
			err := Refuse("f", "s", solvers.AllParts&^part, solvers.AllParts, with)
			var lacks *solvers.LacksError
			if !errors.As(err, &lacks) || lacks.Part != part || lacks.Family != "f" || lacks.Solver != "s" || lacks.With == "" {
				t.Fatalf("part %b: error %v", part, err)
			}
			isLoss := with != nil && (part == solvers.SteepLosses || part == solvers.PlainLosses || part == solvers.KinkedLosses)
			isPenalty := with != nil && (part == solvers.L1 || part == solvers.PlainPenalties)
			if errors.As(err, &ofLoss) != isLoss || errors.As(err, &ofPenalty) != isPenalty || (lacks.Err != nil) != (isLoss || isPenalty) {
				t.Errorf("part %b: reason %v", part, lacks.Err)
			}
		}
	}
	if err := Refuse("f", "s", solvers.Weights|solvers.Gap, solvers.Gap|solvers.Batch|solvers.L1, nil); err.(*solvers.LacksError).Part != solvers.L1 {
		t.Errorf("not the first part: %v", err)
	}
	for k, c := range []struct {
		means, lists, compositions int
		lacking, want              string
	}{
		{0, 0, 3, "other mean", ""},
		{1, 0, 0, "other mean", "the solver mean1"},
		{2, 3, 1, "other mean", "the solver mean1 or mean2"},
		{1, 2, 1, "other list", "the solver mean1, list1 or list2"},
		{1, 2, 1, "other composition", "the solver mean1, list1 or list2"},
		{0, 2, 1, "other mean", "the solver list1 or list2"},
		{8, 1, 0, "other mean", "the solver mean1, mean2, mean3, mean4, mean5, mean6, mean7 or mean8"},
		{9, 1, 0, "other mean", "a solver whose objective is " + solvers.MeanLoss.String()},
		{7, 2, 0, "other list", "a solver whose objective is " + solvers.MeanLoss.String() + ", or " + solvers.AveragePrecision.String()},
	} {
		Registered = listing(c.means, c.lists, c.compositions)
		if got := with(solvers.Offsets, c.lacking); got != c.want {
			t.Errorf("case %d: %q, not %q", k, got, c.want)
		}
	}
}
