package solvers

import "testing"

// TestMissed: a run misses its tolerance where precision or a budget ended it, of the time only
// above the tolerance.
func TestMissed(t *testing.T) {
	t.Parallel()
	for status := Running; status <= Failed; status++ {
		for _, s := range []Settings{{}, {GapTolerance: 1e-3}, {GradientTolerance: 1e-3}} {
			for _, reached := range []float64{1e-4, 1e-2} {
				r := Result{Status: status, Point: Point{Gap: reached, GradientNorm: reached}}
				want := status == Stalled || status == BudgetReached || status == TimeReached && reached > 1e-3
				if want = want && s.GapTolerance+s.GradientTolerance > 0; r.Missed(&s) != want {
					t.Errorf("%v at %v of %v and %v: missed %t", status, reached, s.GapTolerance, s.GradientTolerance, !want)
				}
			}
		}
	}
}

func TestStatusString(t *testing.T) {
	for s := Running; s <= Stalled; s++ {
		if s.String() == "" {
			t.Errorf("status %d has no name", int(s))
		}
	}
	if Status(99).String() != "Status(99)" {
		t.Error(Status(99))
	}
}
