package matrix_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// peaksOf is the definition of Peaks, over all entries.
func peaksOf(m *matrix.Matrix, c []float64) (top, value []float64, row []uint32) {
	d := matrix.Width(m)
	top, value, row = make([]float64, d), make([]float64, d), make([]uint32, d)
	for i := range m.Rows() {
		for j, x := range m.WithBias(0).Row(i) {
			if v := float64(float64(c[i]*x) * x); v > top[j] {
				top[j], value[j], row[j] = v, x, uint32(i)
			}
		}
	}
	return top, value, row
}

// TestPeaks compares the peaks of columns of mixed rows and of rows with a value an entry with all entries.
// Some rows do not count, and some rows count the same.
func TestPeaks(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, s := range mixedShapes {
		plain, mixed := drawMixed(t, s, rng)
		c := make([]float64, s.rows)
		for i := range c {
			c[i] = max(0, float64(rng.IntN(6)-1))
		}
		for name, m := range map[string]*matrix.Matrix{"plain": plain, "mixed": mixed} {
			d := matrix.Width(m)
			top, value, row := slices.Repeat([]float64{9}, d), slices.Repeat([]float64{9}, d), slices.Repeat([]uint32{9}, d)
			if err := matrix.Peaks(m.WithBias(3), c, top, value, row); err != nil {
				t.Fatal(err)
			}
			wantTop, wantValue, wantRow := peaksOf(m, c)
			if !slices.Equal(top, wantTop) || !slices.Equal(value, wantValue) || !slices.Equal(row, wantRow) {
				t.Errorf("%v, %s: other peaks", s, name)
			}
			if matrix.Peaks(m, c[1:], top, value, row) == nil || matrix.Peaks(m, c, top[1:], value, row) == nil ||
				matrix.Peaks(m, c, top, value[1:], row) == nil || matrix.Peaks(m, c, top, value, row[1:]) == nil {
				t.Errorf("%v, %s: short vectors were accepted", s, name)
			}
		}
	}
}
