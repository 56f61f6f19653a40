package solvers

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
)

// bare is a penalty with nothing but its methods.
type bare struct{ penalty.Penalty }

// lone is a loss with nothing but its methods.
type lone struct{ loss.Loss }

// TestAsks: a task asks for exactly the parts that it has.
func TestAsks(t *testing.T) {
	t.Parallel()
	ridge := penalty.Ridge{Lambda: 1e-9}
	usual := Problem{Loss: loss.Logistic{}, Penalty: ridge}
	for k, c := range []struct {
		change func(t *Task)
		want   Parts
	}{
		{func(*Task) {}, 0},
		{func(t *Task) { t.Intercept = true }, Intercept},
		{func(t *Task) { t.Offset = []float64{} }, Offsets},
		{func(t *Task) { t.SampleWeight = []float64{} }, Weights},
		{func(t *Task) { t.Loss = nil }, 0},
		{func(t *Task) { t.Loss = loss.Squared{} }, Losses},
		{func(t *Task) { t.Loss = loss.Huber{Delta: 0.1} }, Losses},
		{func(t *Task) { t.Loss = lone{loss.Squared{}} }, Losses | PlainLosses | PrimalLosses},
		{func(t *Task) { t.Loss = lone{loss.Logistic{}} }, PlainLosses | PrimalLosses},
		{func(t *Task) { t.Loss = loss.Poisson{} }, Losses | SteepLosses | PrimalLosses},
		{func(t *Task) { t.Loss = loss.Probit{} }, Losses | PrimalLosses},
		{func(t *Task) { t.Loss = loss.InverseGaussian{} }, Losses | NonconvexLosses | SteepLosses | PlainLosses | PrimalLosses},
		{func(t *Task) { t.Loss = loss.Hinge{} }, Losses | KinkedLosses},
		{func(t *Task) { t.Loss = loss.Quantile{} }, Losses | KinkedLosses},
		{func(t *Task) { t.Penalty = nil }, NoRegulariser},
		{func(t *Task) { t.Penalty = penalty.Ridge{} }, NoRegulariser},
		{func(t *Task) { t.Penalty = penalty.L1{} }, NoRegulariser},
		{func(t *Task) { t.Penalty = penalty.L1{Lambda: 1} }, L1 | NoRegulariser},
		{func(t *Task) { t.Penalty = penalty.ElasticNet{L2: 1} }, 0},
		{func(t *Task) { t.Penalty = penalty.ElasticNet{L1: 1e-300, L2: 1} }, L1},
		{func(t *Task) { t.Penalty = &penalty.GroupLasso{Weight: 1, Lambda: 1} }, L1},
		{func(t *Task) { t.Penalty = &penalty.GroupLasso{Lambda: 1} }, 0},
		{func(t *Task) { t.Penalty = penalty.Box{Low: 0, High: 1} }, L1 | PlainPenalties | NoRegulariser},
		{func(t *Task) { t.Penalty = bare{ridge} }, L1 | PlainPenalties | NoRegulariser},
		{func(t *Task) { t.Rows = &Rows{} }, Shards},
		{func(t *Task) { t.Low = 0.1 }, Rates}, {func(t *Task) { t.High = 0.1 }, Rates},
		{func(t *Task) { t.MinTPR = 0.1 }, MinTPR},
		{func(t *Task) { t.M = 1 }, RankRange}, {func(t *Task) { t.N = 1 }, RankRange},
		{func(t *Task) { t.Model = struct{ Model }{} }, Hidden},
	} {
		task := Task{Problem: usual}
		if c.change(&task); task.Asks() != c.want {
			t.Errorf("case %d: parts %b, not %b", k, task.Asks(), c.want)
		}
	}
	for k, c := range []struct {
		s    Settings
		want Parts
	}{{Settings{}, 0}, {Settings{Shards: 1}, Shards}, {Settings{Ranks: struct{ Ranks }{}}, Shards | Processes}, {Settings{GapTolerance: 1e-300}, Gap}, {Settings{GradientTolerance: 1}, 0}, {Settings{BatchSize: 1}, Batch}} {
		if got := c.s.Asks(); got != c.want {
			t.Errorf("settings %d: parts %b, not %b", k, got, c.want)
		}
	}
	for part, k := Parts(1), 0; AllParts.Has(part); part, k = part<<1, k+1 {
		e := &LacksError{Family: "f", Solver: "s", Part: part, With: "others", Err: errors.ErrUnsupported}
		if k >= len(says) || part.First() != part || (part|part<<3).First() != part || e.Error() != fmt.Sprintf("f: s %s: %v; take others", says[k], errors.ErrUnsupported) || !errors.Is(e, errors.ErrUnsupported) {
			t.Errorf("part %d: %v", k, e)
		}
	}
	if len(says) != 20 || AllParts != 1<<20-1 || Parts(0).First() != 0 || !(Gap | L1).Has(L1) || L1.Has(Gap|L1) || !strings.HasSuffix((&LacksError{Part: 1 << 20}).Reason(), "does not take this") {
		t.Error("sets of parts")
	}
}
