package sparse

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/allocations"
)

// denseProduct is X W by its definition: entry after entry, the bias last.
func denseProduct(m *Matrix, w []float64, width int) []float64 {
	dst := make([]float64, m.Rows()*width)
	for i := range m.Rows() {
		for j, x := range m.Row(i) {
			for k := range width {
				dst[i*width+k] = math.FMA(x, w[j*width+k], dst[i*width+k])
			}
		}
	}
	return dst
}

// addTransDense is W += X'C for some rows, one after the other.
func addTransDense(m *Matrix, w, c []float64, width, first, end int) {
	for i := first; i < end; i++ {
		for j, x := range m.Row(i) {
			for k := range width {
				w[j*width+k] = math.FMA(x, c[i*width+k], w[j*width+k])
			}
		}
	}
}

func TestMulDenseByDefinition(t *testing.T) {
	onEveryPath(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(8, 9))
		for _, stored := range layoutMatrices(t, rng, 150, 100) {
			for _, width := range []int{1, 2, 5, 20, 105} {
				m := stored.WithBias(float64(width%2) * 1.5)
				w := normals(rng, m.Cols()*width)
				want := denseProduct(m, w, width)
				for _, workers := range []int{1, 3} {
					p := matrix.NewPool(workers)
					got := normals(rng, m.Rows()*width) // MulDense does not add to what was there
					if err := matrix.MulDense(m, p, got, w, width); err != nil {
						t.Fatal(err)
					}
					p.Close()
					wantBits(t, fmt.Sprintf("MulDense, width %d, %d workers", width, workers), got, want)
				}
			}
		}
	})
}

// TestAddTransDenseByDefinition has matrices whose rows are cut into parts, and others
// whose columns are.
func TestAddTransDenseByDefinition(t *testing.T) {
	cases := []struct {
		spec  string
		width int
		parts bool
	}{
		{"onehot:n=20000", 3, true}, {"dense:n=3000,d=60", 20, true}, {"text:n=1500", 6, false},
		{"onehot:n=2000", 90, false}, {"imbalanced:n=4000", 2, false},
	}
	for _, c := range cases {
		m := generate(t, c.spec).X.WithBias(0.5)
		rng := rand.New(rand.NewPCG(3, uint64(c.width)))
		start, residues := normals(rng, m.Cols()*c.width), normals(rng, m.Rows()*c.width)
		want := slices.Clone(start)
		parts := matrix.WideParts(m, c.width)
		if parts > 1 != c.parts {
			t.Fatalf("%s, width %d: %d parts", c.spec, c.width, parts)
		}
		if parts == 1 {
			addTransDense(m, want, residues, c.width, 0, m.Rows())
		} else {
			for k := range parts {
				own := make([]float64, len(want))
				addTransDense(m, own, residues, c.width, matrix.PartBegin(m, k, parts), matrix.PartBegin(m, k+1, parts))
				for j, x := range own {
					want[j] += x
				}
			}
		}
		onEveryPath(t, func(t *testing.T) {
			for _, workers := range []int{1, 2, 5} {
				p := matrix.NewPool(workers)
				got := slices.Clone(start)
				if err := matrix.AddTransDense(m, p, got, residues, c.width); err != nil {
					t.Fatal(err)
				}
				p.Close()
				wantBits(t, fmt.Sprintf("AddTransDense, %s, width %d, %d workers", c.spec, c.width, workers), got, want)
			}
		})
	}
}

// TestWidePartsAreBounded: the copies of a wide W would take more than the matrix.
func TestWidePartsAreBounded(t *testing.T) {
	m := generate(t, "onehot:n=60000").X
	for _, width := range []int{1, 20, 256, 5000, 100000} {
		if parts := matrix.WideParts(m, width); parts > 1 && (parts < 4 || parts*width*m.Cols() > 1<<22) {
			t.Errorf("width %d: %d parts", width, parts)
		}
	}
	if matrix.WideParts(m, 100000) != 1 || matrix.WideParts(m, 1) < 4 {
		t.Errorf("%d and %d parts", matrix.WideParts(m, 100000), matrix.WideParts(m, 1))
	}
}

func TestDenseProductsRefuse(t *testing.T) {
	m := layoutMatrices(t, rand.New(rand.NewPCG(3, 4)), 10, 20)[0]
	n, d := make([]float64, 20), make([]float64, 40)
	for name, err := range map[string]error{
		"width":    matrix.MulDense(m, nil, nil, nil, 0),
		"negative": matrix.AddTransDense(m, nil, d, n, -2),
		"dst":      matrix.MulDense(m, nil, n[:19], d, 2),
		"w":        matrix.MulDense(m, nil, n, d[:39], 2),
		"bias":     matrix.MulDense(m.WithBias(1), nil, n, d, 2),
		"c":        matrix.AddTransDense(m, nil, d, n[:18], 2),
		"matrix":   matrix.AddTransDense(m, nil, d[:38], n, 2),
		"much":     matrix.MulDense(m, nil, nil, nil, math.MaxInt/5+1),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	var zero matrix.Matrix
	for _, width := range []int{1, math.MaxInt} {
		if err := matrix.MulDense(&zero, nil, nil, nil, width); err != nil {
			t.Error(err)
		}
		if err := matrix.AddTransDense(&zero, nil, nil, nil, width); err != nil {
			t.Error(err)
		}
	}
	w := []float64{3, 4}
	if err := matrix.AddTransDense(zero.WithBias(1), nil, w, nil, 2); err != nil || w[0] != 3 || w[1] != 4 {
		t.Error(err, w)
	}
}

func TestDenseProductsDoNotAllocate(t *testing.T) {
	p := matrix.NewPool(2)
	defer p.Close()
	for _, spec := range []string{"text:n=500", "onehot:n=12000"} {
		m := generate(t, spec).X.WithBias(1)
		const width = 5
		n, d := make([]float64, m.Rows()*width), make([]float64, m.Cols()*width)
		list := []uint32{7, 8, 9}
		for what, f := range map[string]func() error{
			"MulDense":      func() error { return matrix.MulDense(m, p, n, d, width) },
			"AddTransDense": func() error { return matrix.AddTransDense(m, p, d, n, width) },
			"AddMulMatrix":  func() error { return matrix.AddMulMatrix(m, n[:3*width], list, d, width) },
			"AddOuter":      func() error { return matrix.AddOuter(m, d, list, n[:3*width], width) },
		} {
			if allocs := allocations.Count(20, func() {
				if err := f(); err != nil {
					t.Fatal(err)
				}
			}); allocs >= 1 {
				t.Errorf("%s of %s: %v allocations", what, spec, allocs)
			}
		}
	}
}

func BenchmarkDenseProducts(b *testing.B) {
	for _, spec := range []string{"onehot", "text:n=10000"} {
		m := generate(b, spec).X
		for _, width := range []int{4, 20, 105} {
			n, d := make([]float64, m.Rows()*width), make([]float64, m.Cols()*width)
			for _, workers := range []int{1, 2} {
				p := matrix.NewPool(workers)
				defer p.Close()
				for name, f := range map[string]func() error{
					"MulDense":      func() error { return matrix.MulDense(m, p, n, d, width) },
					"AddTransDense": func() error { return matrix.AddTransDense(m, p, d, n, width) },
				} {
					b.Run(fmt.Sprintf("%s/%s/width=%d/workers=%d", name, spec, width, workers), func(b *testing.B) {
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
}
