package score_test

import (
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// TestClasses: by the weights of several classes, rows in memory and in a file have a score of each class, side by
// side. Vectors of other lengths are refused.
func TestClasses(t *testing.T) {
	x, err := sparse.NewCSR(3, []int64{0, 2, 2, 3, 5}, []uint32{0, 2, 1, 0, 1}, []float64{1, -2, 3, 0.5, 4})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "rows")
	if err := sparse.WriteCacheFile(path, &sparse.Data{X: x, Y: make([]float64, 4)}); err != nil {
		t.Fatal(err)
	}
	rows, err := sparse.OpenStream(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	rows = rows.WithBias(1)
	w := []float64{1, 2, 3, 4, -1, 0.5, 2, 0, 7, 5, 1, -3}
	want := []float64{-1, -5, 2, 4, 0, -3, 10, 1.5, 12, 12.5, 1.5, 20.5}
	pool := sparse.NewPool(2)
	defer pool.Close()
	for name, m := range map[string]score.Scorer{"memory": score.Linear{X: x.WithBias(1)}, "file": &score.Streamed{Rows: rows}} {
		dst := make([]float64, len(want))
		if err := m.All(pool, dst, w); err != nil {
			t.Fatal(name, err)
		}
		for i, v := range want {
			if dst[i] != v {
				t.Errorf("%s: score %d is %v, not %v", name, i, dst[i], v)
			}
		}
		if err := m.All(pool, dst[:4], w[:4]); err != nil || dst[3] != want[9] {
			t.Errorf("%s: one class: %v, %v", name, dst[:4], err)
		}
		for _, short := range [][2]int{{12, 11}, {11, 12}, {4, 12}, {12, 4}, {0, 0}, {12, 0}} {
			if err := m.All(pool, dst[:short[0]], w[:short[1]]); err == nil {
				t.Errorf("%s: %d scores by %d weights are no error", name, short[0], short[1])
			}
		}
	}
}
