package element

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

func TestExtremesAgree(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 1))
	rooms := []func(testing.TB, int) []float64{asmtest.Guarded[float64], asmtest.GuardedFront[float64]}
	for n := range 90 {
		for kind := range 5 {
			x := rooms[(n+kind)%2](t, n)
			asmtest.FillKind(random, kind, x)
			if kind == 3 { // few different ones, and seldom NaN
				for i := range x {
					x[i] = float64(random.IntN(4))
				}
				if n > 0 && random.IntN(2) == 0 {
					x[random.IntN(n)] = math.NaN()
				}
			}
			g := &Generic.Extreme
			for _, table := range runnable(t) {
				e := &table.Extreme
				if !asmtest.Same(e.Max(x), g.Max(x)) {
					t.Fatalf("%s, %d elements of kind %d: %v, the twin has %v", table.Path, n, kind, e.Max(x), g.Max(x))
				}
				for _, v := range append(slices.Clone(x), 3, math.Inf(1), math.NaN()) {
					if got, want := e.First(x, v), g.First(x, v); got != want {
						t.Fatalf("%s, the first of %d elements of kind %d that is %v: %d, the twin has %d", table.Path, n, kind, v, got, want)
					}
				}
			}
		}
	}
}

// TestExtremesByDefinition compares the twins with a sorted vector.
func TestExtremesByDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 2))
	for n := 1; n < 40; n++ {
		x := make([]float64, n)
		asmtest.FillKind(random, 1, x)
		sorted := slices.Sorted(slices.Values(x))
		e := &Generic.Extreme
		if e.Max(x) != sorted[n-1] || e.First(x, sorted[n/2]) != slices.Index(x, sorted[n/2]) {
			t.Fatalf("%v: %v, %d", x, e.Max(x), e.First(x, sorted[n/2]))
		}
	}
	for _, table := range append(runnable(t), &Generic) {
		e := &table.Extreme
		zeros := []float64{math.Copysign(0, -1), 0, math.Copysign(0, -1)}
		for n := range 4 {
			most := 0.0
			if n == 0 {
				most = math.Inf(-1)
			}
			if !asmtest.Same(e.Max(zeros[:n]), most) {
				t.Errorf("%s: the largest of %d zeros is %v", table.Path, n, e.Max(zeros[:n]))
			}
		}
		for n := 1; n < 50; n++ {
			for at := range n {
				x := make([]float64, n)
				x[at] = math.NaN()
				x[n-1-at] += math.Inf(1)
				if !math.IsNaN(e.Max(x)) {
					t.Fatalf("%s: NaN at %d of %d is lost", table.Path, at, n)
				}
			}
		}
	}
}

func TestExpSumAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(6, 3))
	for n := range 70 {
		for kind := range 5 {
			x, dst, want := asmtest.Guarded[float64](t, n), asmtest.Guarded[float64](t, n), make([]float64, n)
			asmtest.FillKind(random, kind, x)
			shift := []float64{0, 3.5, math.Inf(1), -700, math.NaN()}[random.IntN(5)]
			sum := Generic.ExpSum(want, x, shift)
			for _, table := range runnable(t) {
				if got := table.ExpSum(dst, x, shift); !asmtest.Same(got, sum) {
					t.Fatalf("%s, %d elements of kind %d: %v, the twin has %v", table.Path, n, kind, got, sum)
				}
				compare(t, dst, want, x)
				if got := table.ExpSum(nil, x, shift); !asmtest.Same(got, sum) {
					t.Fatalf("%s, %d elements of kind %d: the sum alone is %v, the twin has %v", table.Path, n, kind, got, sum)
				}
				copy(dst, x)
				if got := table.ExpSum(dst, dst, shift); !asmtest.Same(got, sum) {
					t.Fatalf("%s, %d elements of kind %d: in place %v, the twin has %v", table.Path, n, kind, got, sum)
				}
				compare(t, dst, want, x)
			}
		}
	}
}

// TestExpSumByDefinition has the lanes written out.
func TestExpSumByDefinition(t *testing.T) {
	for n := range 30 {
		x, dst := make([]float64, n), make([]float64, n)
		var l [8]float64
		for i := range x {
			x[i] = float64(math.Sin(float64(i)) * 9)
			l[i%8] += Exp(x[i] - 2)
		}
		want := ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
		if got := Generic.ExpSum(dst, x, 2); got != want {
			t.Errorf("%d elements: %v, want %v", n, got, want)
		}
		for i := range x {
			if dst[i] != Exp(x[i]-2) {
				t.Errorf("element %d of %d: %v", i, n, dst[i])
			}
		}
	}
}
