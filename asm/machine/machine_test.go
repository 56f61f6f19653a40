package machine

import (
	"math"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

func eachPath(t *testing.T, test func(t *testing.T, k *Kernels)) {
	for _, k := range Paths {
		t.Run(k.Path, func(t *testing.T) {
			if !asmtest.Runs(k.Path) {
				t.Skip("this CPU cannot run it")
			}
			test(t, k)
		})
	}
}

// TestStreams: every element is read and written once, and nothing else is.
func TestStreams(t *testing.T) {
	eachPath(t, func(t *testing.T, k *Kernels) {
		for n := Block; n <= 5*Block; n += Block {
			x, y := asmtest.Guarded[float64](t, n), asmtest.Guarded[float64](t, n)
			for i := range x {
				x[i] = math.Float64frombits(uint64(i+1) * 0x9e3779b97f4a7c15)
			}
			var want uint64
			for _, v := range x {
				want ^= math.Float64bits(v)
			}
			if got := k.Read(x); got != want {
				t.Errorf("%d elements: read %x, want %x", n, got, want)
			}
			for i := range y {
				y[i] = math.Float64frombits(uint64(i+n) * 0xbf58476d1ce4e5b9)
				want ^= math.Float64bits(y[i])
			}
			if got := k.ReadTwo(x, y); got != want {
				t.Errorf("twice %d elements: read %x, want %x", n, got, want)
			}
			for name, c := range map[string]func(dst, x []float64){"copy": k.Copy, "copy around": k.CopyAround} {
				clear(y)
				c(aligned(t, y), x)
				for i, v := range y {
					if math.Float64bits(v) != math.Float64bits(x[i]) {
						t.Fatalf("%s of %d elements: element %d is %x, want %x", name, n, i, v, x[i])
					}
				}
			}
			for name, w := range map[string]func(x []float64, v float64){"write": k.Write, "write around": k.WriteAround} {
				clear(y)
				w(aligned(t, y), 3)
				for i, v := range y {
					if v != 3 {
						t.Fatalf("%s of %d elements: element %d is %v", name, n, i, v)
					}
				}
			}
			for i := range y {
				y[i] = float64(i)
			}
			k.Update(y, 2)
			for i, v := range y {
				if v != float64(2*i) {
					t.Fatalf("update of %d elements: element %d is %v", n, i, v)
				}
				x[i] = float64(i * i)
			}
			k.Accumulate(y, x)
			for i, v := range y {
				if v != float64(2*i+i*i) {
					t.Fatalf("%d elements accumulated: element %d is %v", n, i, v)
				}
			}
		}
	})
}

// aligned is x, which begins where stores past the caches can.
func aligned(t *testing.T, x []float64) []float64 {
	if uintptr(unsafe.Pointer(unsafe.SliceData(x)))%64 != 0 {
		t.Fatal("not on a line of the cache")
	}
	return x
}

func TestScattered(t *testing.T) {
	eachPath(t, func(t *testing.T, k *Kernels) {
		const columns = 1000
		for n := Block; n <= 3*Block; n += Block {
			idx, w := asmtest.Guarded[uint32](t, n), asmtest.Guarded[float64](t, columns)
			want := 0.0
			for i := range w {
				w[i] = float64(i * i)
			}
			for e := range idx {
				idx[e] = uint32(e*619+columns-1) % columns
				want += w[idx[e]]
			}
			for name, g := range map[string]func(idx []uint32, w []float64) float64{"one by one": k.Gather, "at once": k.GatherAtOnce} {
				if got := g(idx, w); got != want {
					t.Errorf("%d loads %s: %v, want %v", n, name, got, want)
				}
			}
			idx[1] = idx[0]
			left := append([]float64(nil), w...)
			for _, j := range idx {
				left[j] += 0.5
			}
			k.Scatter(w, idx, 0.5)
			for i, v := range w {
				if v != left[i] {
					t.Fatalf("%d updates: element %d is %v, want %v", n, i, v, left[i])
				}
			}
		}
	})
}

// TestArithmetic: what the functions say or show of how often they did something is
// what the rate is computed from.
func TestArithmetic(t *testing.T) {
	eachPath(t, func(t *testing.T, k *Kernels) {
		round := k.MultiplyAdd(1)
		if round < float64(Operands*k.Lanes) || math.Mod(round, float64(k.Lanes)) != 0 {
			t.Errorf("%v multiply-adds a round of vectors of %d", round, k.Lanes)
		}
		for _, n := range []int{1, 2, 7} {
			if got := k.MultiplyAdd(n); got != float64(n)*round {
				t.Errorf("%d rounds are %v multiply-adds, one is %v", n, got, round)
			}
			quotient, root := 1.5, 1.0
			for range n {
				quotient, root = 2/quotient, math.Sqrt(1.7*root)
			}
			each := float64(Operands * k.Lanes)
			if got := k.Divide(n); math.Abs(got/each-quotient) > 1e-14 {
				t.Errorf("%d divisions: %v, want %v", n, got/each, quotient)
			}
			if got := k.SquareRoot(n); math.Abs(got/each-root) > 1e-14 {
				t.Errorf("%d roots: %v, want %v", n, got/each, root)
			}
		}
		if got := k.Nothing(nil, nil); got != 0 {
			t.Errorf("nothing is %v", got)
		}
	})
}
