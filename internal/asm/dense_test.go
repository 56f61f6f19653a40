package asm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// denseCalls runs every dense kernel; buffers are inputs, destinations and, on
// return, results. Each call gets fresh copies.
var denseCalls = map[string]func(k *DenseKernels, s []float64, b [4][]float64) float64{
	"Dot":             func(k *DenseKernels, _ []float64, b [4][]float64) float64 { return k.Dot(b[0], b[1]) },
	"Dot with itself": func(k *DenseKernels, _ []float64, b [4][]float64) float64 { return k.Dot(b[0], b[0]) },
	"SquaredNorm":     func(k *DenseKernels, _ []float64, b [4][]float64) float64 { return k.SquaredNorm(b[0]) },
	"SquaredDistance": func(k *DenseKernels, _ []float64, b [4][]float64) float64 { return k.SquaredDistance(b[0], b[1]) },
	"Sum":             func(k *DenseKernels, _ []float64, b [4][]float64) float64 { return k.Sum(b[0]) },
	"MaxAbs":          func(k *DenseKernels, _ []float64, b [4][]float64) float64 { return k.MaxAbs(b[0]) },
	"Axpy": func(k *DenseKernels, s []float64, b [4][]float64) float64 {
		k.Axpy(s[0], b[0], b[1])
		return 0
	},
	"Axpy to itself": func(k *DenseKernels, s []float64, b [4][]float64) float64 {
		k.Axpy(s[0], b[0], b[0])
		return 0
	},
	"ScaleAdd": func(k *DenseKernels, s []float64, b [4][]float64) float64 {
		k.ScaleAdd(b[2], s[0], b[0], s[1], b[1])
		return 0
	},
	"ScaleAdd in place": func(k *DenseKernels, s []float64, b [4][]float64) float64 {
		k.ScaleAdd(b[1], s[0], b[0], s[1], b[1])
		return 0
	},
	"Scale": func(k *DenseKernels, s []float64, b [4][]float64) float64 {
		k.Scale(b[1], s[0], b[0])
		return 0
	},
	"Scale in place": func(k *DenseKernels, s []float64, b [4][]float64) float64 {
		k.Scale(b[0], s[0], b[0])
		return 0
	},
	"AddScalar": func(k *DenseKernels, s []float64, b [4][]float64) float64 {
		k.AddScalar(b[1], s[0], b[0])
		return 0
	},
	"Mul": func(k *DenseKernels, s []float64, b [4][]float64) float64 {
		k.Mul(b[2], b[0], b[1])
		return 0
	},
	"SoftThreshold": func(k *DenseKernels, s []float64, b [4][]float64) float64 {
		k.SoftThreshold(b[1], b[0], math.Abs(s[0]))
		return 0
	},
	"SoftThreshold in place": func(k *DenseKernels, s []float64, b [4][]float64) float64 {
		k.SoftThreshold(b[0], b[0], math.Abs(s[0]))
		return 0
	},
	"Box": func(k *DenseKernels, s []float64, b [4][]float64) float64 {
		k.Box(b[1], b[0], s[0], s[1])
		return 0
	},
	"Adam": func(k *DenseKernels, s []float64, b [4][]float64) float64 {
		k.Adam(b[0], b[1], b[2], b[3], Adam{s[0], s[1], s[2], s[3], s[4], s[5], s[6]})
		return 0
	},
	"Momentum": func(k *DenseKernels, s []float64, b [4][]float64) float64 {
		k.Momentum(b[0], b[1], b[2], s[0], s[1], s[2])
		return 0
	},
}

// denseSpecials are the values that operations trip over.
var denseSpecials = []float64{0, math.Copysign(0, -1), 1, -1, 0.75, -0.75, math.Inf(1), math.Inf(-1), math.NaN(),
	math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, -math.SmallestNonzeroFloat64,
	0x1p-1022, -0x1.fffffp-1023, 0x1p-538, -0x1p-537, 0x1p512, math.Float64frombits(0xfff0000000000001)}

// denseFill writes one of several kinds of data: tame, of all sizes, with a few
// specials, all specials, and tiny products that vanish to -0.
func denseFill(random *rand.Rand, kind int, x []float64) {
	for i := range x {
		switch {
		case kind == 0, kind == 2 && random.IntN(40) > 0:
			x[i] = random.NormFloat64()
		case kind == 1:
			x[i] = math.Ldexp(random.NormFloat64(), random.IntN(600)-300)
		case kind == 4:
			x[i] = math.Copysign(math.SmallestNonzeroFloat64, float64(i%2)-0.5)
		default:
			x[i] = denseSpecials[random.IntN(len(denseSpecials))]
		}
	}
}

func TestDenseAgrees(t *testing.T) {
	tables := runnable(t)
	random := rand.New(rand.NewPCG(4, 9))
	lengths := []int{511, 512, 513, 1000, 4099}
	for n := range 201 {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		var want, front, back [4][]float64
		for i := range want {
			want[i], front[i], back[i] = make([]float64, n), guardedFront[float64](t, n), guarded[float64](t, n)
		}
		for kind := range 5 {
			var inputs [4][]float64
			for i := range inputs {
				inputs[i] = make([]float64, n)
				denseFill(random, kind, inputs[i])
			}
			if kind == 4 {
				for i := range inputs[1] {
					inputs[1][i] = -inputs[0][i]
				}
			}
			scalars := make([]float64, 7)
			denseFill(random, kind, scalars)
			for name, call := range denseCalls {
				for i := range want {
					copy(want[i], inputs[i])
				}
				wantSum := call(&Generic.Dense, scalars, want)
				for _, table := range tables {
					for place, got := range [][4][]float64{front, back} {
						for i := range got {
							copy(got[i], inputs[i])
						}
						sum := call(&table.Dense, scalars, got)
						if !same(sum, wantSum) {
							t.Fatalf("%s %s, %d elements of kind %d at place %d: %v, the twin has %v", table.Path, name, n, kind, place, sum, wantSum)
						}
						for b := range got {
							for i := range got[b] {
								if !same(got[b][i], want[b][i]) {
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
// lanes and tree written out from the words of DenseKernels.
func TestDenseSumsStandOnTheirDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for n := range 150 {
		x, y := make([]float64, n), make([]float64, n)
		denseFill(random, 1, x)
		denseFill(random, 0, y)
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
			k := &table.Dense
			for name, pair := range map[string][2]float64{
				"Dot": {k.Dot(x, y), dot}, "SquaredNorm": {k.SquaredNorm(x), norm},
				"Sum": {k.Sum(x), total}, "SquaredDistance": {k.SquaredDistance(x, y), distance},
			} {
				if !same(pair[0], pair[1]) {
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
		k := &table.Dense
		check := func(what string, got, want float64) {
			t.Helper()
			if !same(got, want) {
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
