package ap

import (
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/solvers"
)

// TestPaperDraws: uniform batches have all rows in the end and repeat rows before a pass is over; a random
// iterate is the point where the run ends, anywhere in the schedule.
func TestPaperDraws(t *testing.T) {
	t.Parallel()
	p := sample(t, 400)
	for _, d := range Solvers() {
		if d.Name == (SmoothAP{}).Name() {
			continue
		}
		m := named(t, d.Name, "uniform=true", "iterations=40", "negatives=50", "positives=2")
		l, err := newLoop(p, p.model(), p.X.Cols(), nil, m.plan(true), 3)
		if err != nil {
			t.Fatal(err)
		}
		seen, twice := map[uint32]bool{}, false
		for k := range 60 {
			for _, row := range l.draw()[2:] {
				twice = twice || k == 1 && seen[row]
				seen[row] = true
			}
		}
		if !twice || len(seen) != len(l.negatives) {
			t.Errorf("%s: the second batch has a row of the first: %t; %d of %d rows are drawn", d.Name, twice, len(seen), len(l.negatives))
		}
		ends := map[int64]bool{}
		sum := 0.0
		for seed := range uint64(24) {
			r := solve(t, p, named(t, d.Name, "random=true", "iterations=40"), solvers.Settings{Seed: seed, Initial: make([]float64, p.X.Cols())})
			ends[r.Total.Iterations], sum = true, sum+float64(r.Total.Iterations)
			whole := named(t, d.Name, "iterations=40").plan(true)
			same, err := newLoop(p, p.model(), p.X.Cols(), nil, whole, seed)
			if err != nil {
				t.Fatal(err)
			}
			for range r.Total.Iterations {
				same.t++
				rows := same.draw()
				same.columns.open(rows, same.w, same.g, same.t)
				same.batch.gradient(same.g, same.w, same.parameter(same.t), same.mix)
				same.rule.step(same.columns.vectors(same.w, same.g), same.stride())
				same.columns.close(same.w, same.t)
			}
			if !slices.Equal(r.Weights, same.w) || r.Iterations != r.Total.Iterations || r.Total.Iterations < 1 || r.Total.Iterations > 40 {
				t.Errorf("%s, seed %d: the result of %d iterations is not the iterate there", d.Name, seed, r.Total.Iterations)
			}
		}
		if mean := sum / 24; len(ends) < 12 || math.Abs(mean-20.5) > 10 {
			t.Errorf("%s: runs end after %v iterations, %v on average", d.Name, ends, mean)
		}
	}
}
