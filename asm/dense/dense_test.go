package dense

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// denseCalls runs every dense kernel; buffers are inputs, destinations and, on
// return, results. Each call gets fresh copies.
var denseCalls = map[string]func(k *Kernels, s []float64, b [4][]float64) float64{
	"Dot":             func(k *Kernels, _ []float64, b [4][]float64) float64 { return k.Dot(b[0], b[1]) },
	"Dot with itself": func(k *Kernels, _ []float64, b [4][]float64) float64 { return k.Dot(b[0], b[0]) },
	"SquaredNorm":     func(k *Kernels, _ []float64, b [4][]float64) float64 { return k.SquaredNorm(b[0]) },
	"SquaredDistance": func(k *Kernels, _ []float64, b [4][]float64) float64 { return k.SquaredDistance(b[0], b[1]) },
	"Sum":             func(k *Kernels, _ []float64, b [4][]float64) float64 { return k.Sum(b[0]) },
	"MaxAbs":          func(k *Kernels, _ []float64, b [4][]float64) float64 { return k.MaxAbs(b[0]) },
	"Axpy": func(k *Kernels, s []float64, b [4][]float64) float64 {
		k.Axpy(s[0], b[0], b[1])
		return 0
	},
	"Axpy to itself": func(k *Kernels, s []float64, b [4][]float64) float64 {
		k.Axpy(s[0], b[0], b[0])
		return 0
	},
	"ScaleAdd": func(k *Kernels, s []float64, b [4][]float64) float64 {
		k.ScaleAdd(b[2], s[0], b[0], s[1], b[1])
		return 0
	},
	"ScaleAdd in place": func(k *Kernels, s []float64, b [4][]float64) float64 {
		k.ScaleAdd(b[1], s[0], b[0], s[1], b[1])
		return 0
	},
	"Scale": func(k *Kernels, s []float64, b [4][]float64) float64 {
		k.Scale(b[1], s[0], b[0])
		return 0
	},
	"Scale in place": func(k *Kernels, s []float64, b [4][]float64) float64 {
		k.Scale(b[0], s[0], b[0])
		return 0
	},
	"AddScalar": func(k *Kernels, s []float64, b [4][]float64) float64 {
		k.AddScalar(b[1], s[0], b[0])
		return 0
	},
	"Mul": func(k *Kernels, s []float64, b [4][]float64) float64 {
		k.Mul(b[2], b[0], b[1])
		return 0
	},
	"SoftThreshold": func(k *Kernels, s []float64, b [4][]float64) float64 {
		k.SoftThreshold(b[1], b[0], math.Abs(s[0]))
		return 0
	},
	"SoftThreshold in place": func(k *Kernels, s []float64, b [4][]float64) float64 {
		k.SoftThreshold(b[0], b[0], math.Abs(s[0]))
		return 0
	},
	"Box": func(k *Kernels, s []float64, b [4][]float64) float64 {
		k.Box(b[1], b[0], s[0], s[1])
		return 0
	},
	"Adam": func(k *Kernels, s []float64, b [4][]float64) float64 {
		k.Adam(b[0], b[1], b[2], b[3], Adam{s[0], s[1], s[2], s[3], s[4], s[5], s[6]})
		return 0
	},
	"Momentum": func(k *Kernels, s []float64, b [4][]float64) float64 {
		k.Momentum(b[0], b[1], b[2], s[0], s[1], s[2])
		return 0
	},
}

func TestDenseAgrees(t *testing.T) {
	agree(t, runnable(t), append(asmtest.Upto(200), 511, 512, 513, 1000, 4099))
}

// TestFarStores lets vectors of 64 elements on count as beyond the caches: where the whole
// vectors of a result begin is another place for every length.
func TestFarStores(t *testing.T) {
	before := beyond.Load()
	t.Cleanup(func() { beyond.Store(before) })
	UseCache(1)
	agree(t, runnable(t), []int{95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 127, 128, 129, 133, 191, 200, 1000})
}

// TestCacheSizes: what nobody knows, or what cannot be, must not send short vectors around
// the caches.
func TestCacheSizes(t *testing.T) {
	before := beyond.Load()
	t.Cleanup(func() { beyond.Store(before) })
	for bytes, want := range map[int]int64{-1: 1 << 21, 0: 1 << 21, 1: 64, 64 << 20: 1 << 22} {
		if UseCache(bytes); beyond.Load() != want {
			t.Errorf("with a cache of %d bytes, %d elements are beyond it, want %d", bytes, beyond.Load(), want)
		}
	}
}

// agree compares kernels with the twins, with every slice against a page that may not be
// touched.
func agree(t *testing.T, tables []*Kernels, lengths []int) {
	t.Helper()
	random := rand.New(rand.NewPCG(4, 9))
	for _, n := range lengths {
		var want, front, back [4][]float64
		for i := range want {
			want[i], front[i], back[i] = make([]float64, n), asmtest.GuardedFront[float64](t, n), asmtest.Guarded[float64](t, n)
		}
		for kind := range 5 {
			var inputs [4][]float64
			for i := range inputs {
				inputs[i] = make([]float64, n)
				asmtest.FillKind(random, kind, inputs[i])
			}
			if kind == 4 {
				for i := range inputs[1] {
					inputs[1][i] = -inputs[0][i]
				}
			}
			scalars := make([]float64, 7)
			asmtest.FillKind(random, kind, scalars)
			for name, call := range denseCalls {
				for i := range want {
					copy(want[i], inputs[i])
				}
				wantSum := call(&Generic, scalars, want)
				for _, table := range tables {
					for place, got := range [][4][]float64{front, back} {
						for i := range got {
							copy(got[i], inputs[i])
						}
						sum := call(table, scalars, got)
						if !asmtest.Same(sum, wantSum) {
							t.Fatalf("%s %s, %d elements of kind %d at place %d: %v, the twin has %v", table.Path, name, n, kind, place, sum, wantSum)
						}
						for b := range got {
							for i := range got[b] {
								if !asmtest.Same(got[b][i], want[b][i]) {
									t.Fatalf("%s %s, element %d of %d of kind %d in slice %d: %v, the twin has %v", table.Path, name, i, n, kind, b, got[b][i], want[b][i])
								}
							}
						}
					}
				}
			}
		}
	}
}

// TestDenseSumsStandOnTheirDefinition checks the twins, and every path, against
// lanes and tree written out from the words of Kernels.
func TestDenseSumsStandOnTheirDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for n := range 150 {
		x, y := make([]float64, n), make([]float64, n)
		asmtest.FillKind(random, 1, x)
		asmtest.FillKind(random, 0, y)
		sum := func(add func(i int, acc float64) float64) float64 {
			lanes := make([]float64, 32)
			for i := range n {
				lanes[i%32] = add(i, lanes[i%32])
			}
			for half := 16; half > 0; half /= 2 {
				for l := range half {
					lanes[l] += lanes[l+half]
				}
			}
			return lanes[0]
		}
		dot := sum(func(i int, acc float64) float64 { return math.FMA(x[i], y[i], acc) })
		norm := sum(func(i int, acc float64) float64 { return math.FMA(x[i], x[i], acc) })
		total := sum(func(i int, acc float64) float64 { return acc + x[i] })
		distance := sum(func(i int, acc float64) float64 {
			d := x[i] - y[i]
			return math.FMA(d, d, acc)
		})
		for _, table := range append(runnable(t), &Generic) {
			k := table
			for name, pair := range map[string][2]float64{
				"Dot": {k.Dot(x, y), dot}, "SquaredNorm": {k.SquaredNorm(x), norm},
				"Sum": {k.Sum(x), total}, "SquaredDistance": {k.SquaredDistance(x, y), distance},
			} {
				if !asmtest.Same(pair[0], pair[1]) {
					t.Fatalf("%s %s of %d elements: %v, want %v", table.Path, name, n, pair[0], pair[1])
				}
			}
		}
	}
}

// TestDenseSpecialValues states the corner cases of the non-linear kernels.
func TestDenseSpecialValues(t *testing.T) {
	inf, nan, zero := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, table := range append(runnable(t), &Generic) {
		k := table
		check := func(what string, got, want float64) {
			t.Helper()
			if !asmtest.Same(got, want) {
				t.Errorf("%s: %s = %v, want %v", table.Path, what, got, want)
			}
		}
		check("MaxAbs of nothing", k.MaxAbs(nil), 0)
		check("MaxAbs of -0", k.MaxAbs([]float64{zero}), 0)
		check("MaxAbs with -Inf", k.MaxAbs([]float64{1, -inf, 2}), inf)
		for at := range 70 {
			x := make([]float64, 70)
			x[at], x[69-at] = nan, inf
			check(fmt.Sprint("MaxAbs with NaN at ", at), k.MaxAbs(x), nan)
		}
		out := make([]float64, 1)
		for _, c := range [][3]float64{{2, 0.5, 1.5}, {-2, 0.5, -1.5}, {0.5, 0.5, 0}, {-0.5, 0.5, 0}, {zero, 0, 0},
			{-1, 0, -1}, {nan, 1, nan}, {-inf, 1, -inf}, {inf, inf, 0}} {
			k.SoftThreshold(out, []float64{c[0]}, c[1])
			check(fmt.Sprint("SoftThreshold", c[:2]), out[0], c[2])
		}
		for _, c := range [][4]float64{{2, -1, 1, 1}, {-2, -1, 1, -1}, {0.5, -1, 1, 0.5}, {nan, -1, 1, nan},
			{zero, 0, 1, zero}, {0, -1, zero, 0}, {-inf, -inf, 1, -inf}, {inf, 0, inf, inf}} {
			k.Box(out, []float64{c[0]}, c[1], c[2])
			check(fmt.Sprint("Box", c[:3]), out[0], c[3])
		}
	}
}

// runnable returns the kernels that this CPU can run, the portable ones left out.
func runnable(t testing.TB) []*Kernels {
	return asmtest.Runnable(t, Paths[1:], func(k *Kernels) string { return k.Path })
}
