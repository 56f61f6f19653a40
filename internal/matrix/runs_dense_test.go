package matrix

import (
	"math"
	"slices"
	"testing"
)

// Products of runs with a matrix have the bits of the product of all rows, however the rows are cut and joined, and the
// sums of its definition.
func TestDenseRuns(t *testing.T) {
	const n, d, width = 40, 9, 3
	dense := make([][]float64, n)
	for i := range dense {
		dense[i] = make([]float64, d)
		for j := range dense[i] {
			if (i*7+j*3)%4 > 0 {
				dense[i][j] = math.Sin(float64(i*d + j))
			}
		}
	}
	for _, bias := range []float64{0, 1, 0.3} {
		x := ofDense(t, dense)
		whole := x.WithBias(bias)
		cols := whole.Cols()
		w, c := make([]float64, cols*width), make([]float64, n*width)
		for k := range w {
			w[k] = math.Cos(float64(k))
		}
		for k := range c {
			c[k] = math.Cos(float64(3 * k))
		}
		product, sums := make([]float64, n*width), slices.Clone(w)
		if err := MulDense(whole, nil, product, w, width); err != nil {
			t.Fatal(err)
		}
		runs := RunsOf(whole)
		if err := runs.AddDenseRun(sums, 0, width, c); err != nil {
			t.Fatal(err)
		}
		for j := range cols {
			for k := range width {
				want := w[j*width+k]
				for i := range n {
					v := bias
					if j < d {
						v = dense[i][j]
					}
					want += v * c[i*width+k]
				}
				if got := sums[j*width+k]; math.Abs(got-want) > 1e-13 {
					t.Errorf("element %d, %d of X'C is %v, and %v by its sum", j, k, got, want)
				}
			}
		}
		joined := new(Joined)
		joined.Join(bias, []*Matrix{ofDense(t, dense[:11]), ofDense(t, dense[11:12]), ofDense(t, dense[12:])})
		type products interface {
			MulDenseRun(dst []float64, first, width int, w []float64) error
			AddDenseRun(w []float64, first, width int, c []float64) error
		}
		for what, p := range map[string]products{"runs": runs, "joined": joined} {
			got, added := make([]float64, n*width), slices.Clone(w)
			for _, cut := range [][2]int{{0, 5}, {5, 5}, {5, 31}, {31, n}} {
				from, to := cut[0]*width, cut[1]*width
				for k := range got[from:to] {
					got[from+k] = math.NaN() // which is overwritten
				}
				if err := p.MulDenseRun(got[from:to], cut[0], width, w); err != nil {
					t.Fatal(err)
				}
				if err := p.AddDenseRun(added, cut[0], width, c[from:to]); err != nil {
					t.Fatal(err)
				}
			}
			if !slices.Equal(got, product) || !slices.Equal(added, sums) {
				t.Errorf("%s, bias %v: other bits", what, bias)
			}
			for k, err := range []error{
				p.MulDenseRun(got[1:], 0, width, w), p.MulDenseRun(got, 1, width, w), p.MulDenseRun(got, -1, width, w), p.MulDenseRun(got, 0, 0, w), p.MulDenseRun(got, 0, width, w[width:]),
				p.AddDenseRun(added, 0, width, c[1:]), p.AddDenseRun(added, 1, width, c), p.AddDenseRun(added[width:], 0, width, c), p.AddDenseRun(added, 0, -width, c),
			} {
				if err == nil {
					t.Errorf("%s: call %d was taken", what, k)
				}
			}
		}
	}
}

// ofDense is a matrix of the entries of rows that are not 0.
func ofDense(t *testing.T, dense [][]float64) *Matrix {
	t.Helper()
	begins, columns, values := []int64{0}, []uint32{}, []float64{}
	for _, row := range dense {
		for j, v := range row {
			if v != 0 {
				columns, values = append(columns, uint32(j)), append(values, v)
			}
		}
		begins = append(begins, int64(len(values)))
	}
	m, err := NewCSR(Storage{}, len(dense[0]), begins, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
