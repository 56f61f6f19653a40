package sparse

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// written writes a matrix out, without its bias column.
func written(m *Matrix) [][]float64 {
	out := make([][]float64, m.Rows())
	for i := range out {
		out[i] = make([]float64, matrix.Width(m))
		for j, x := range m.WithBias(0).Row(i) {
			out[i][j] = x
		}
	}
	return out
}

// layoutsOf are small matrices of all layouts.
func layoutsOf(t *testing.T) map[string]*Matrix {
	t.Helper()
	all := map[string]*Matrix{}
	for _, wide := range []bool{false, true} {
		for v, value := range map[string]func(i, e int) float64{
			"ones":  func(int, int) float64 { return 1 },
			"row":   func(i, _ int) float64 { return 1 / float64(i+3) },
			"f32":   func(i, e int) float64 { return float64(i) - 0.5*float64(e) + 0.25 },
			"f64":   func(i, e int) float64 { return 0.1*float64(i+1) + 0.01*float64(e+1) },
			"empty": nil,
		} {
			ptr, columns, values := []int64{0}, []uint32(nil), []float64(nil)
			for i := range 9 {
				for e := 0; value != nil && e < i%5; e++ {
					columns, values = append(columns, uint32(2*e+i%2)), append(values, value(i, e))
				}
				ptr = append(ptr, int64(len(columns)))
			}
			m, err := newCSRIn(Storage{indices32: wide}, 11, ptr, columns, values)
			if err != nil {
				t.Fatal(err)
			}
			all[fmt.Sprintf("%s, wide %t", v, wide)] = m
		}
	}
	return all
}

func TestPickColumns(t *testing.T) {
	pool := matrix.NewPool(2)
	defer pool.Close()
	for name, m := range layoutsOf(t) {
		all := written(m)
		for _, list := range [][]uint32{{}, {0}, {1, 2, 3}, {0, 2, 4, 6, 8, 10}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}} {
			picked, err := matrix.PickColumns(m.WithBias(2), pool, list)
			if err != nil {
				t.Fatal(err)
			}
			if picked.Rows() != m.Rows() || picked.Cols() != len(list) || picked.Bias() != 0 {
				t.Fatalf("%s: %d rows, %d columns, bias %v", name, picked.Rows(), picked.Cols(), picked.Bias())
			}
			for i, row := range written(picked) {
				for k, x := range row {
					if x != all[i][list[k]] {
						t.Errorf("%s, columns %v: element %d, %d is %v, not %v", name, list, i, k, x, all[i][list[k]])
					}
				}
			}
		}
		for what, list := range map[string][]uint32{"of a matrix of 11": {11}, "does not ascend": {3, 3}} {
			if _, err := matrix.PickColumns(m.WithBias(1), nil, list); err == nil || !strings.Contains(err.Error(), what) {
				t.Errorf("%s: columns %v: error %v", name, list, err)
			}
		}
	}
}

func TestScaleRows(t *testing.T) {
	for name, m := range layoutsOf(t) {
		c := make([]float64, m.Rows())
		for i := range c {
			c[i] = float64(i) / 7
		}
		scaled, err := matrix.ScaleRows(m.WithBias(1), c)
		if err != nil {
			t.Fatal(err)
		}
		before := written(m)
		for i, row := range written(scaled) {
			for j, x := range row {
				if want := float64(c[i] * before[i][j]); x != want {
					t.Errorf("%s: element %d, %d is %v, not %v", name, i, j, x, want)
				}
			}
		}
		if _, err := matrix.ScaleRows(m, c[1:]); err == nil {
			t.Errorf("%s: too few factors are taken", name)
		}
		c[2] = math.NaN()
		if _, err := matrix.ScaleRows(m, c); err == nil || !strings.Contains(err.Error(), "row 2") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestStepsByColumns(t *testing.T) {
	for name, m := range layoutsOf(t) {
		all, v := written(m), make([]float64, m.Rows())
		for i := range v {
			v[i] = float64(i*i) - 3
		}
		steps, err := matrix.NewByColumns(m, nil).Steps(v)
		if err != nil {
			t.Fatal(err)
		}
		for j := range 11 {
			want := 0.0
			for i := range v { // as the steps so far have left it
				want += all[i][j] * v[i]
			}
			if got := steps.Dot(uint32(j)); math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
				t.Errorf("%s: column %d: %v, not %v", name, j, got, want)
			}
			steps.Add(uint32(j), -0.5)
		}
		for i := range v {
			want := float64(i*i) - 3
			for j := range 11 {
				want -= 0.5 * all[i][j]
			}
			if math.Abs(v[i]-want) > 1e-12*(1+math.Abs(want)) {
				t.Errorf("%s: row %d is %v, not %v", name, i, v[i], want)
			}
		}
	}
}

// TestPeaksOfLayouts compares the largest c_i x_ij^2 of every column with all elements, for all layouts.
func TestPeaksOfLayouts(t *testing.T) {
	for name, m := range layoutsOf(t) {
		c, all := []float64{1, 0, 3, 2, 2, 1, 3, 3, 1}, written(m)
		top, value, row := make([]float64, 11), make([]float64, 11), make([]uint32, 11)
		if err := matrix.Peaks(m, c, top, value, row); err != nil {
			t.Fatal(err)
		}
		for j := range top {
			most, x, at := 0.0, 0.0, 0
			for i, v := range c {
				if v = float64(float64(v*all[i][j]) * all[i][j]); v > most {
					most, x, at = v, all[i][j], i
				}
			}
			if top[j] != most || value[j] != x || int(row[j]) != at {
				t.Errorf("%s, column %d: %v by %v in row %d, not %v by %v in row %d", name, j, top[j], value[j], row[j], most, x, at)
			}
		}
	}
}
