package sparse

import (
	"iter"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

func TestByColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 15))
	matrices := layoutMatrices(t, rng, 5000, 80)
	matrices = append(matrices, generate(t, "onehot:n=3000").X.NormalizeUnit(), matrixOf(t, nil), matrixOf(t, [][]float64{{0, 0}}))
	for _, stored := range matrices {
		for _, bias := range []float64{0, 0.5} {
			m := stored.WithBias(bias)
			want := make([][]float64, m.Cols())
			for j := range want {
				want[j] = make([]float64, m.Rows())
			}
			for i := range m.Rows() {
				for j, x := range m.Row(i) {
					want[j][i] = x
				}
			}
			v, trans := normals(rng, m.Rows()), make([]float64, m.Cols())
			if err := m.AddTrans(nil, trans, v); err != nil {
				t.Fatal(err)
			}
			for workers := 1; workers <= 3; workers += 2 {
				p := matrix.NewPool(workers)
				c := matrix.NewByColumns(m, p)
				if c.Rows() != m.Rows() || c.Cols() != m.Cols() {
					t.Fatalf("%d x %d, want %d x %d", c.Rows(), c.Cols(), m.Rows(), m.Cols())
				}
				for j := range m.Cols() {
					got, last := make([]float64, m.Rows()), -1
					for i, x := range c.Column(j) {
						if i <= last {
							t.Fatalf("column %d: row %d after row %d", j, i, last)
						}
						got[i], last = x, i
					}
					wantBits(t, "column", got, want[j])
				}
				dst := normals(rng, m.Cols())
				if err := c.MulTrans(p, dst, v); err != nil {
					t.Fatal(err)
				}
				near(t, "MulTrans", dst, trans)
				p.Close()
			}
		}
	}
	c := matrix.NewByColumns(matrices[0], nil)
	if c.MulTrans(nil, make([]float64, 3), make([]float64, c.Rows())) == nil {
		t.Error("a wrong length was accepted")
	}
}

func BenchmarkTransposed(b *testing.B) {
	for _, spec := range []string{"onehot", "text:n=30000", "wide:n=4000", "imbalanced"} {
		m := generate(b, spec).X
		n, d := make([]float64, m.Rows()), make([]float64, m.Cols())
		for _, workers := range []int{1, 2} {
			p := matrix.NewPool(workers)
			defer p.Close()
			c := matrix.NewByColumns(m, p)
			for _, f := range []struct {
				name string
				run  func() error
			}{
				{"AddTrans", func() error { return m.AddTrans(p, d, n) }},
				{"MulTrans", func() error { return c.MulTrans(p, d, n) }},
				{"ByColumns", func() error { c = matrix.NewByColumns(m, p); return nil }},
			} {
				b.Run(f.name+"/"+spec+"/"+string(rune('0'+workers)), func(b *testing.B) {
					for b.Loop() {
						if err := f.run(); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(m.NNZ()), "ns/nnz")
				})
			}
		}
	}
}

func TestColumnsAddAndList(t *testing.T) {
	for _, spec := range []string{"text:n=300,d=500", "onehot:n=200,d=60", "dense:n=50,d=9"} {
		m := generate(t, spec).X
		c := matrix.NewByColumns(m, nil)
		columns, coef := []uint32{3, 0, 7}, []float64{0.5, -2, 1}
		got, want := make([]float64, m.Rows()), make([]float64, m.Rows())
		if err := c.AddColumns(got, columns, coef); err != nil {
			t.Fatal(err)
		}
		w := make([]float64, m.Cols())
		for k, j := range columns {
			w[j] = coef[k]
		}
		if err := m.MulVec(nil, want, w); err != nil {
			t.Fatal(err)
		}
		seen := make(map[uint32]int)
		for _, i := range c.AppendRows(nil, columns) {
			seen[i]++
		}
		entries := int64(0)
		for _, j := range columns {
			entries += c.Lengths()[j]
		}
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-12 {
				t.Fatalf("%s: row %d is %v, not %v", spec, i, got[i], want[i])
			}
			entries -= int64(seen[uint32(i)])
			if want[i] != 0 && seen[uint32(i)] == 0 {
				t.Fatalf("%s: row %d is not listed", spec, i)
			}
		}
		if entries != 0 {
			t.Errorf("%s: %d entries too few are listed", spec, entries)
		}
		if err := c.AddColumns(got, []uint32{uint32(m.Cols())}, coef[:1]); err == nil {
			t.Error("a column beyond the last was accepted")
		}
	}
}

// TestScaleColumns: every entry of row i times f[i] if f[i] is not 0, in new memory and in the
// memory of an earlier copy.
func TestScaleColumns(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 2))
	var room *matrix.ByColumns
	for _, m := range layoutMatrices(t, rng, 60, 40) {
		c := matrix.NewByColumns(m.WithBias(1), nil)
		var list []uint32
		for range 50 {
			list = append(list, uint32(rng.IntN(m.Cols())))
		}
		for _, zeros := range []float64{0.7, 0, 1} {
			f := normals(rng, m.Rows())
			for i := range f {
				if rng.Float64() < zeros {
					f[i] = 0
				}
			}
			for _, over := range []*matrix.ByColumns{nil, room} {
				got, err := c.ScaleRows(list, f, over)
				if err != nil {
					t.Fatal(err)
				}
				if got.Rows() != m.Rows() || got.Cols() != len(list) {
					t.Fatalf("%d rows and %d columns", got.Rows(), got.Cols())
				}
				count := int64(0)
				for k, j := range list {
					next, stop := iter.Pull2(got.Column(k))
					for i, v := range c.Column(int(j)) {
						if f[i] == 0 {
							continue
						}
						if at, x, ok := next(); !ok || at != i || x != v*f[i] {
							t.Fatalf("column %d: %v at row %d, want %v at row %d", j, x, at, v*f[i], i)
						}
						count++
					}
					if at, _, more := next(); more {
						t.Fatalf("column %d: another entry at row %d", j, at)
					}
					stop()
				}
				if size := int64(got.ByRows(nil).NNZ()); size != count {
					t.Errorf("%d entries, %d in columns", size, count)
				}
				room = got
			}
		}
	}
	if _, err := room.ScaleRows(nil, nil, nil); err == nil {
		t.Error("factors for no row")
	}
	if _, err := room.ScaleRows([]uint32{50}, make([]float64, room.Rows()), nil); err == nil {
		t.Error("a column beyond the last was scaled")
	}
}
