package single

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// fill draws numbers of one of several kinds: tame, of all sizes, special ones, and any
// bit pattern.
func fill(random *rand.Rand, kind int, x []float32) {
	specials := []float32{0, float32(math.Copysign(0, -1)), 1, -1, float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()),
		math.MaxFloat32, -math.MaxFloat32, math.SmallestNonzeroFloat32, -math.SmallestNonzeroFloat32, 0x1p-126, 0x1p-75, 1 + 0x1p-23}
	for i := range x {
		switch {
		case kind == 0, kind == 2 && random.IntN(20) > 0:
			x[i] = float32(random.NormFloat64())
		case kind == 1:
			x[i] = float32(math.Ldexp(random.NormFloat64(), random.IntN(240)-140))
		case kind == 3:
			x[i] = math.Float32frombits(random.Uint32())
		default:
			x[i] = specials[random.IntN(len(specials))]
		}
	}
}

func TestSingleAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 9))
	rooms := []func(testing.TB, int) []float32{asmtest.Guarded[float32], asmtest.GuardedFront[float32]}
	for _, n := range append(lengths(), 511, 512, 513, 1000) {
		for kind := range 5 {
			x, y := rooms[kind%2](t, n), rooms[kind%2](t, n)
			fill(random, kind, x)
			fill(random, kind, y)
			for _, k := range runnable(t) {
				for name, pair := range map[string][2]float64{
					"Dot": {k.Dot(x, y), Generic.Dot(x, y)}, "SquaredNorm": {k.SquaredNorm(x), Generic.SquaredNorm(x)},
					"Sum": {k.Sum(x), Generic.Sum(x)}, "Dot with itself": {k.Dot(y, y), Generic.Dot(y, y)},
				} {
					if !asmtest.Same(pair[0], pair[1]) {
						t.Fatalf("%s %s, %d elements of kind %d: %v, the twin has %v", k.Path, name, n, kind, pair[0], pair[1])
					}
				}
			}
		}
	}
}

func lengths() (list []int) {
	for n := range 140 {
		list = append(list, n)
	}
	return list
}

// TestSumsStandOnTheirDefinition checks the twins against lanes and tree written out
// from the words of Kernels.
func TestSumsStandOnTheirDefinition(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, n := range lengths() {
		x, y := make([]float32, n), make([]float32, n)
		fill(random, 1, x)
		fill(random, 0, y)
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
		for name, pair := range map[string][2]float64{
			"Dot":         {Generic.Dot(x, y), sum(func(i int, acc float64) float64 { return float64(float64(x[i])*float64(y[i])) + acc })},
			"SquaredNorm": {Generic.SquaredNorm(x), sum(func(i int, acc float64) float64 { return float64(float64(x[i])*float64(x[i])) + acc })},
			"Sum":         {Generic.Sum(x), sum(func(i int, acc float64) float64 { return float64(x[i]) + acc })},
		} {
			if !asmtest.Same(pair[0], pair[1]) {
				t.Fatalf("%s of %d elements: %v, want %v", name, n, pair[0], pair[1])
			}
		}
	}
}

// TestSumsAreAccurate: what float32 arithmetic would lose altogether.
func TestSumsAreAccurate(t *testing.T) {
	x, y := make([]float32, 1<<16), make([]float32, 1<<16)
	exact := new(big.Float).SetPrec(2000)
	for i := range x {
		x[i], y[i] = 16777216+float32(i%7), float32(i%2*2-1)
		exact.Add(exact, new(big.Float).Mul(big.NewFloat(float64(x[i])), big.NewFloat(float64(y[i]))))
	}
	want, _ := exact.Float64()
	for _, k := range append(runnable(t), &Generic) {
		if got := k.Dot(x, y); got != want {
			t.Errorf("%s: %v, want %v", k.Path, got, want)
		}
	}
}

func runnable(t testing.TB) []*Kernels {
	return asmtest.Runnable(t, Paths[1:], func(k *Kernels) string { return k.Path })
}

func BenchmarkSingle(b *testing.B) {
	for _, n := range []int{16, 64, 1024, 1 << 20} {
		x, y := make([]float32, n), make([]float32, n)
		fill(rand.New(rand.NewPCG(1, 2)), 0, x)
		for _, k := range append(runnable(b), &Generic) {
			for name, run := range map[string]func(){
				"Dot": func() { k.Dot(x, y) }, "Sum": func() { k.Sum(x) },
				"SquaredNorm": func() { k.SquaredNorm(x) },
			} {
				b.Run(fmt.Sprintf("%s/%d/%s", name, n, k.Path), func(b *testing.B) {
					for range b.N {
						run()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/element")
				})
			}
		}
	}
}
