package rows

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// wideCase is a case of rows with a matrix of some width, against unreadable pages.
type wideCase struct {
	*rowsCase
	width int
	w, c  []float64
}

func newWideCase(t testing.TB, layout Layout, lengths []int, seed uint64, width int) *wideCase {
	r := &wideCase{rowsCase: newRowsCase(t, layout, lengths, seed, seed%3 == 1), width: width}
	random := rand.New(rand.NewPCG(seed, uint64(width)))
	value := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.Hostile, asmtest.SomeHostile}[seed%3]
	room := []func(testing.TB, int) []float64{asmtest.Guarded[float64], asmtest.GuardedFront[float64]}[seed/3%2]
	r.w, r.c = room(t, len(r.w1)*width), room(t, len(r.rowsCase.c)*width)
	asmtest.Fill(r.w, random, value)
	asmtest.Fill(r.c, random, value)
	r.description = fmt.Sprintf("%s, width %d", r.description, width)
	return r
}

// run returns dst of MulRows and w of AddRows.
func (r *wideCase) run(k *Kernels) (product, sum []float64) {
	startC, startW := slices.Clone(r.c), slices.Clone(r.w)
	k.Wide.MulRows(r.c, &r.m, r.list, r.first, r.width, r.w)
	product = slices.Clone(r.c)
	copy(r.c, startC)
	k.Wide.AddRows(r.w, &r.m, r.list, r.first, r.width, r.c)
	sum = slices.Clone(r.w)
	copy(r.w, startW)
	return product, sum
}

func (r *wideCase) check(t *testing.T) {
	t.Helper()
	product, sum := r.run(&Generic)
	for _, table := range runnable(t) {
		gotProduct, gotSum := r.run(table)
		sameAll(t, table.Path+" MulRows, "+r.description, gotProduct, product)
		sameAll(t, table.Path+" AddRows, "+r.description, gotSum, sum)
	}
}

func sameAll(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if !asmtest.Same(got[i], want[i]) {
			t.Fatalf("%s: element %d of %d is %v, the twin has %v", what, i, len(want), got[i], want[i])
		}
	}
}

func TestWideRowsAgree(t *testing.T) {
	for layout := range Layout(Layouts) {
		t.Run(layoutNames[layout], func(t *testing.T) {
			for width := 1; width < 140; width++ {
				newWideCase(t, layout, []int{3, 0, 1, 4, 2}, uint64(width), width).check(t)
			}
			newWideCase(t, layout, []int{64, 2, 33, 32, 100}, 3, 256).check(t)
			newWideCase(t, layout, []int{0, 0}, 5, 20).check(t)
			for seed := range uint64(6) {
				newWideCase(t, layout, []int{70, 31, 32, 65}, seed, 1+int(seed)*7).check(t)
			}
		})
	}
}

// TestWideRowsByDefinition compares the twin with sums whose every step is exact in
// math/big and then rounded.
func TestWideRowsByDefinition(t *testing.T) {
	fma := func(x, y, z float64) float64 {
		exact := new(big.Float).SetPrec(2000).Mul(big.NewFloat(x), big.NewFloat(y))
		f, _ := exact.Add(exact, big.NewFloat(z)).Float64()
		return f
	}
	for layout := range Layout(Layouts) {
		r := newWideCase(t, layout, []int{0, 1, 5, 9}, 0, 5)
		product, sum := r.run(&Generic)
		wantProduct, wantSum := slices.Clone(r.c), slices.Clone(r.w)
		for i := range 4 {
			for e := r.m.Begin[i]; e < r.m.End[i]; e++ {
				for j := range r.width {
					p, s := &wantProduct[i*r.width+j], &wantSum[r.m.Column(e)*r.width+j]
					*p = fma(r.m.Value(i, e), r.w[r.m.Column(e)*r.width+j], *p)
					*s = fma(r.m.Value(i, e), r.c[i*r.width+j], *s)
				}
			}
		}
		sameAll(t, "MulRows", product, wantProduct)
		sameAll(t, "AddRows", sum, wantSum)
	}
}

func BenchmarkWideRows(b *testing.B) {
	for _, s := range []rowsShape{{14, 16384, 123, false}, {76, 4096, 47236, true}, {455, 1024, 47236, false}} {
		layout := I16F32
		if s.row == 14 {
			layout = I16Ones
		}
		m := s.matrix(layout)
		for _, width := range []int{2, 3, 4, 5, 8, 20, 32, 64, 105, 256} {
			dst, w := make([]float64, s.rows*width), make([]float64, s.cols*width)
			for j := range w {
				w[j] = math.Sqrt(float64(j))
			}
			for _, table := range append(runnable(b), &Generic) {
				name := fmt.Sprintf("%v/width=%d/%s", s, width, table.Path)
				b.Run("Mul/"+name, func(b *testing.B) {
					for range b.N {
						table.Wide.MulRows(dst, m, nil, 0, width, w)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(m.Idx16)), "ns/entry")
				})
				clear(dst)
				b.Run("Add/"+name, func(b *testing.B) {
					for range b.N {
						table.Wide.AddRows(w, m, nil, 0, width, dst)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(m.Idx16)), "ns/entry")
				})
			}
		}
	}
}
