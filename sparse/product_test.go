package sparse

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/allocations"
)

// layoutMatrices gives one matrix in every layout, plus row-scaled ones.
func layoutMatrices(t testing.TB, rng *rand.Rand, n, d int) []*Matrix {
	t.Helper()
	var all []*Matrix
	ptr, own := []int64{0}, rand.New(rand.NewPCG(5, 6))
	var columns []uint32
	var values, scaled, rounded, eighths []float64
	for i := range n {
		chance := rng.Float64() / 2
		for j := range d {
			// Low columns are far more frequent, as in text.
			if rng.Float64() < chance*8/float64(8+j) {
				columns = append(columns, uint32(j))
				values = append(values, rng.NormFloat64())
				scaled = append(scaled, float64(i+1))
				rounded = append(rounded, float64(own.IntN(8001)-4000)/1e3)
				eighths = append(eighths, float64(own.IntN(50)-25)/8)
			}
		}
		ptr = append(ptr, int64(len(columns)))
	}
	for _, c := range []struct {
		storage Storage
		values  []float64
	}{
		{Storage{indices32: true}, values}, {Storage{indices32: true, Float32: true}, values},
		{Storage{indices32: true}, nil}, {Storage{indices32: true}, scaled},
		{Storage{}, values}, {Storage{Float32: true}, values}, {Storage{}, nil}, {Storage{}, scaled},
		{Storage{packing: matrix.PackDecimals}, rounded}, {Storage{packing: matrix.PackDecimals, indices32: true}, rounded},
		{Storage{packing: matrix.PackCodes}, rounded}, {Storage{packing: matrix.PackCodes, indices32: true}, eighths},
	} {
		m, err := newCSRIn(c.storage, d, ptr, columns, c.values)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, m)
	}
	seen := map[rows.Layout]bool{}
	for _, m := range all {
		seen[matrix.Stored(m).Layout] = true
	}
	if len(seen) != rows.Layouts {
		t.Fatalf("%d of %d layouts", len(seen), rows.Layouts)
	}
	return all
}

func normals(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-9*(1+math.Abs(want[i])) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

func TestProductsAgainstDense(t *testing.T) {
	onEveryPath(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(8, 9))
		for _, stored := range layoutMatrices(t, rng, 90, 70) {
			for _, bias := range []float64{0, 1.5} {
				m := stored.WithBias(bias)
				rows := denseOf(m)
				w, v, c := normals(rng, m.Cols()), normals(rng, m.Cols()), normals(rng, m.Rows())
				list := []uint32{5, 0, 89, 5, 33}
				xw, trans, listed := make([]float64, m.Rows()), append([]float64{}, v...), append([]float64{}, v...)
				for i, row := range rows {
					for j, x := range row {
						xw[i] += x * w[j]
						trans[j] += x * c[i]
					}
				}
				for k, i := range list {
					for j, x := range rows[i] {
						listed[j] += x * c[k]
					}
				}
				for workers := range 5 {
					var p *Pool
					if workers > 0 {
						p = NewPool(workers)
					}
					got := make([]float64, m.Rows())
					if err := m.MulVec(p, got, w); err != nil {
						t.Fatal(err)
					}
					near(t, "MulVec", got, xw)
					sum := append([]float64{}, v...)
					if err := m.AddTrans(p, sum, c); err != nil {
						t.Fatal(err)
					}
					near(t, "AddTrans", sum, trans)
					p.Close()
				}
				got := make([]float64, len(list))
				if err := matrix.MulRows(m, got, list, w); err != nil {
					t.Fatal(err)
				}
				for k, i := range list {
					near(t, "MulRows", got[k:k+1], xw[i:i+1])
				}
				sum := append([]float64{}, v...)
				if err := matrix.AddRows(m, sum, list, c[:len(list)]); err != nil {
					t.Fatal(err)
				}
				near(t, "AddRows", sum, listed)
			}
		}
	})
}

// The matrices are large enough to be cut, and have rows of very different
// lengths and columns of very different frequencies.
func TestProductsSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	matrices := layoutMatrices(t, rng, 3000, 300)
	for _, spec := range []string{"text:n=3000", "wide:n=400,d=90000", "imbalanced:n=20000", "onehot:n=20000", "dense:n=2000,d=100"} {
		matrices = append(matrices, generate(t, spec).X)
	}
	for k, stored := range append(matrices, matrices...) {
		m := stored.WithBias(1)
		w, c := normals(rng, m.Cols()), normals(rng, m.Rows())
		if k >= len(matrices) { // most rows do not count, which AddHessian does not look for
			for i := range c {
				if i%257 > 50 {
					c[i] = 0
				}
			}
		}
		wantX, wantT := make([]float64, m.Rows()), make([]float64, m.Cols())
		if err := m.MulVec(nil, wantX, w); err != nil {
			t.Fatal(err)
		}
		if err := m.AddTrans(nil, wantT, c); err != nil {
			t.Fatal(err)
		}
		weighted, wantH := make([]float64, m.Rows()), make([]float64, m.Cols())
		for i := range weighted {
			weighted[i] = float64(c[i] * wantX[i])
		}
		if err := m.AddTrans(nil, wantH, weighted); err != nil {
			t.Fatal(err)
		}
		onEveryPath(t, func(t *testing.T) {
			for workers := 1; workers <= 4; workers++ {
				p := NewPool(workers)
				defer p.Close()
				got := make([]float64, m.Rows())
				if err := m.MulVec(p, got, w); err != nil {
					t.Fatal(err)
				}
				wantBits(t, "MulVec", got, wantX)
				sum := make([]float64, m.Cols())
				if err := m.AddTrans(p, sum, c); err != nil {
					t.Fatal(err)
				}
				wantBits(t, "AddTrans", sum, wantT)
				z, cz := make([]float64, m.Rows()), make([]float64, m.Rows())
				sum = make([]float64, m.Cols())
				if err := matrix.AddHessian(m, p, sum, z, cz, w, c); err != nil {
					t.Fatal(err)
				}
				wantBits(t, "AddHessian, Xw", z, wantX)
				wantBits(t, "AddHessian", sum, wantH)
			}
		})
	}
}

// A matrix with 16-bit indices may have more columns than they can name.
func TestCutsBeyondNarrowColumns(t *testing.T) {
	n := 9000
	ptr, columns := []int64{0}, []uint32{}
	for i := range n {
		columns = append(columns, uint32(i%7), 65528, 65529, 65530, 65531, 65532, 65533, 65534, 65535)
		ptr = append(ptr, int64(len(columns)))
	}
	m, err := NewCSR(100000, ptr, columns, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, want, got := make([]float64, n), make([]float64, 100000), make([]float64, 100000)
	for i := range c {
		c[i] = 1 / float64(i+1)
	}
	if err := m.AddTrans(nil, want, c); err != nil {
		t.Fatal(err)
	}
	p := NewPool(2)
	defer p.Close()
	if err := m.AddTrans(p, got, c); err != nil {
		t.Fatal(err)
	}
	wantBits(t, "AddTrans", got, want)
}

func TestProductsRefuse(t *testing.T) {
	m := generate(t, "onehot:n=100").X
	n, d := make([]float64, 100), make([]float64, 123)
	short := make([]float64, 5)
	for what, err := range map[string]error{
		"MulVec dst":     m.MulVec(nil, short, d),
		"MulVec w":       m.MulVec(nil, n, short),
		"MulVec bias":    m.WithBias(1).MulVec(nil, n, d),
		"AddTrans":       m.AddTrans(nil, d, short),
		"AddHessian":     matrix.AddHessian(m, nil, d, n, n, d, short),
		"MulRows length": matrix.MulRows(m, short, []uint32{1}, d),
		"MulRows row":    matrix.MulRows(m, short[:1], []uint32{100}, d),
		"AddRows row":    matrix.AddRows(m, d, []uint32{1, math.MaxUint32}, short[:2]),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	empty := matrixOf(t, nil)
	if err := empty.MulVec(nil, nil, nil); err != nil {
		t.Error(err)
	}
	if err := empty.WithBias(1).AddTrans(nil, make([]float64, 1), nil); err != nil {
		t.Error(err)
	}
}

func TestProductsDoNotAllocate(t *testing.T) {
	m := generate(t, "text:n=2000").X.WithBias(1)
	p := NewPool(2)
	defer p.Close()
	n, d := make([]float64, m.Rows()), make([]float64, m.Cols())
	list := []uint32{7, 8, 9}
	few := make([]float64, m.Rows())
	few[7] = 1
	for what, f := range map[string]func() error{
		"MulVec":   func() error { return m.MulVec(p, n, d) },
		"AddTrans": func() error { return m.AddTrans(p, d, n) },
		"few rows": func() error { return m.AddTrans(nil, d, few) },
		"MulRows":  func() error { return matrix.MulRows(m, n[:3], list, d) },
		"AddRows":  func() error { return matrix.AddRows(m, d, list, n[:3]) },
	} {
		if allocs := allocations.Count(20, func() {
			if err := f(); err != nil {
				t.Fatal(err)
			}
		}); allocs >= 1 {
			t.Errorf("%s: %v allocations", what, allocs)
		}
	}
}

func BenchmarkProducts(b *testing.B) {
	for _, spec := range []string{"onehot", "text:n=30000", "wide:n=4000", "dense:n=5000", "imbalanced"} {
		m := generate(b, spec).X
		n, d := make([]float64, m.Rows()), make([]float64, m.Cols())
		for _, workers := range []int{1, 2} {
			p := NewPool(workers)
			defer p.Close()
			for name, f := range map[string]func() error{
				"MulVec":   func() error { return m.MulVec(p, n, d) },
				"AddTrans": func() error { return m.AddTrans(p, d, n) },
			} {
				b.Run(name+"/"+spec+"/"+string(rune('0'+workers)), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						if err := f(); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(m.NNZ()), "ns/nnz")
				})
			}
		}
	}
}
