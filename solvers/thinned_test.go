package solvers

import (
	"slices"
	"testing"
)

// TestThinned: whatever the number of points, the first, the best and the last are kept. The
// others are at equal distances, and all are kept if they are few.
func TestThinned(t *testing.T) {
	const most = 8
	for count := range 100 {
		for best := range max(count, 1) {
			thin := Thinned{Most: most}
			for k := range count {
				p := Point{Iterations: int64(k), Objective: 1}
				if k == best {
					p.Objective = 0
				}
				if err := thin.Record(p); err != nil {
					t.Fatal(err)
				}
				if cap(thin.kept) > 4*most {
					t.Fatalf("room for %d points", cap(thin.kept))
				}
			}
			var places []int
			for _, p := range thin.Points() {
				places = append(places, int(p.Iterations))
			}
			step := 1
			for (count+step-1)/step > most {
				step *= 2
			}
			var want []int
			for k := range count {
				if k%step == 0 || k == best || k == count-1 {
					want = append(want, k)
				}
			}
			if !slices.Equal(places, want) || thin.Count() != count {
				t.Fatalf("%d points, the best the one at %d: kept %v, not %v", count, best, places, want)
			}
		}
	}
	higher := Thinned{Most: 2, Better: func(p, q Point) bool { return p.Metric > q.Metric }}
	for _, v := range []float64{1, 2, 9, 3, 4, 5, 6, 7} {
		higher.Record(Point{Metric: v, Objective: v})
	}
	if !slices.ContainsFunc(higher.Points(), func(p Point) bool { return p.Metric == 9 }) {
		t.Errorf("the best by the metric is lost: %v", higher.Points())
	}
}
