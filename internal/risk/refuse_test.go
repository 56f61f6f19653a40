package risk

import (
	"errors"
	"strings"
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

// bent is a loss that says that it is not convex.
type bent struct{ loss.Loss }

func (bent) Convex() bool { return false }

// TestRefuse: the first part that is asked and not accepted is refused, with the reason of the loss or
// the penalty. The error names the solvers that accept the part.
func TestRefuse(t *testing.T) {
	before := Registered
	defer func() { Registered = before }()
	Registered = nil
	p := &Problem{Loss: bent{loss.Poisson{}}, Penalty: penalty.Box{Low: 0, High: 1}}
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
			isLoss := with != nil && (part == solvers.NonconvexLosses || part == solvers.SteepLosses || part == solvers.PlainLosses || part == solvers.PrimalLosses || part == solvers.KinkedLosses)
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

// TestTakersOfAll: solvers are named that take all parts that are asked, or all but one, which is said;
// budgets and batches do not count.
func TestTakersOfAll(t *testing.T) {
	before := Registered
	defer func() { Registered = before }()
	Registered = func() []solvers.Solver {
		return []solvers.Solver{
			{Description: solvers.Description{Family: "f", Name: "one", Objective: solvers.MeanLoss, Accepts: solvers.SteepLosses}},
			{Description: solvers.Description{Family: "f", Name: "two", Objective: solvers.MeanLoss, Accepts: solvers.SteepLosses | solvers.PlainLosses | solvers.Weights}},
			{Description: solvers.Description{Family: "f", Name: "three", Objective: solvers.Composition, Accepts: solvers.AllParts}},
		}
	}
	for _, c := range []struct {
		asked   solvers.Parts
		with    string
		without solvers.Parts
	}{
		{solvers.SteepLosses, "the solver one or two", 0},
		{solvers.SteepLosses | solvers.PlainLosses, "the solver two", 0},
		{solvers.SteepLosses | solvers.PlainLosses | solvers.Batch | solvers.Gap, "the solver two", 0},
		{solvers.SteepLosses | solvers.L1, "the solver one or two", solvers.L1},
		{solvers.SteepLosses | solvers.PlainLosses | solvers.L1, "the solver two", solvers.L1},
		{solvers.SteepLosses | solvers.L1 | solvers.Hidden, "the solver one or two", 0},
	} {
		lacks := Refuse("f", "s", 0, c.asked, nil).(*solvers.LacksError)
		if lacks.Part != solvers.SteepLosses || lacks.With != c.with || lacks.Without != c.without {
			t.Errorf("asked %b: %q without %b, not %q without %b", c.asked, lacks.With, lacks.Without, c.with, c.without)
		}
		if said := strings.Contains(lacks.Reason(), ", which takes no penalty but a ridge"); said != (c.without != 0) {
			t.Errorf("asked %b: %s", c.asked, lacks.Reason())
		}
	}
	// A family without registered solvers has problems of its own, which none of these takes.
	if lacks := Refuse("other", "s", 0, solvers.SteepLosses, nil).(*solvers.LacksError); lacks.With != "" || lacks.Without != 0 {
		t.Errorf("another family: %q without %b", lacks.With, lacks.Without)
	}
}
