package pauc

import (
	"testing"

	"github.com/lanes-go/lanes/solvers"
)

// TestPaperSetting: the problems and parameters come from appendix E, and the result is where the
// run ended, unless a metric chooses.
func TestPaperSetting(t *testing.T) {
	p := sample(t, 400)
	pairs, err := Paper(p.X.WithBias(1), p.Y)
	if err != nil || pairs.X.Cols() != p.X.Cols() || pairs.Lambda != 0 || pairs.Low != 0.05 || pairs.High != 0.5 {
		t.Errorf("%+v, %v", pairs, err)
	}
	list, err := PaperRange(p.X.WithBias(1), p.Y)
	if err != nil || list.X.Cols() != p.X.Cols() || list.Lambda != 0 || list.M != 8 || list.N != 160 {
		t.Errorf("%+v, %v", list, err)
	}
	if m, n := PaperRanks(49990); m != 1000 || n != 20000 {
		t.Errorf("ranks %d to %d", m, n)
	}
	for name, want := range map[string]plan{
		"agd-sbcd":      {Loops: Loops{true, 5, 1, 5, 50, false}, mu: 1000, step: 5, heads: 100, tails: 100},
		"dca":           {Loops: Loops{true, 5, 1, 5, 100, false}, heads: 100, tails: 100},
		"prox-dca":      {Loops: Loops{true, 5, 1, 5, 100, false}, mu: float64(len(pairs.task().positives) * len(pairs.task().negatives)), heads: 100, tails: 100},
		"sorr-agd":      {Loops: Loops{true, 5, 1, 5, 50, false}, mu: 1000, step: 4, heads: 100, tails: 100},
		"sorr-dca":      {Loops: Loops{true, 5, 1, 5, 50, false}, heads: 100, tails: 100},
		"sorr-prox-dca": {Loops: Loops{true, 5, 1, 5, 50, false}, mu: 400, heads: 100, tails: 100},
	} {
		m := named(t, name, "paper=true")
		task := pairs.task()
		if ranged(m) {
			task = list.task()
		}
		if got := m.plan(task); got != want {
			t.Errorf("%s: %+v, the paper has %+v", name, got, want)
		}
	}
	if got := (SoRRDCA{Loops: Loops{Paper: true, Constant: true}}).plan(list.task()).Loops; got != (Loops{true, 0.5, 1, 5, 2000, true}) {
		t.Errorf("DCA.Constant.lr has %+v", got)
	}
	each(t, []string{"?paper=true", "?outer=3", "?length=5", "?inner=300", "?stages=3", "?positives=5", "?negatives=5", "?rows=5"}, func(t *testing.T, m Method) {
		if dual(m) {
			return
		}
		solve := func(s solvers.Settings) (*solvers.Result, error) {
			if ranged(m) {
				return SolveRange(t.Context(), list, m, s)
			}
			return Solve(t.Context(), pairs, m, s)
		}
		if r, err := solve(solvers.Settings{Seed: 1}); err != nil || r.Point.Iterations != r.Total.Iterations {
			t.Errorf("the result is of iteration %d of %d, %v", r.Point.Iterations, r.Total.Iterations, err)
		}
	})
	if _, err := Paper(nil, p.Y); err == nil {
		t.Error("no matrix: no error")
	}
	if _, err := PaperRange(nil, p.Y); err == nil {
		t.Error("no matrix of a range: no error")
	}
}
