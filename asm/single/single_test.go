package single

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
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

func same(a, b float32) bool {
	return math.Float32bits(a) == math.Float32bits(b) || a != a && b != b
}

func TestSingleAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 9))
	rooms := []func(testing.TB, int) []float32{asmtest.Guarded[float32], asmtest.GuardedFront[float32]}
	for _, n := range append(lengths(), 511, 512, 513, 1000) {
		for kind := range 5 {
			x, y, want := rooms[kind%2](t, n), rooms[kind%2](t, n), make([]float32, n)
			fill(random, kind, x)
			fill(random, kind, y)
			start, a := slices.Clone(y), make([]float32, 1)
			fill(random, kind, a)
			copy(want, start)
			Generic.Axpy(a[0], x, want)
			for _, k := range runnable(t) {
				for name, pair := range map[string][2]float64{
					"Dot": {k.Dot(x, y), Generic.Dot(x, y)}, "SquaredNorm": {k.SquaredNorm(x), Generic.SquaredNorm(x)},
					"Sum": {k.Sum(x), Generic.Sum(x)}, "Dot with itself": {k.Dot(y, y), Generic.Dot(y, y)},
				} {
					if !asmtest.Same(pair[0], pair[1]) {
						t.Fatalf("%s %s, %d elements of kind %d: %v, the twin has %v", k.Path, name, n, kind, pair[0], pair[1])
					}
				}
				k.Axpy(a[0], x, y)
				for i := range y {
					if !same(y[i], want[i]) {
						t.Fatalf("%s Axpy, element %d of %d of kind %d: %v, the twin has %v", k.Path, i, n, kind, y[i], want[i])
					}
				}
				copy(y, start)
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

func TestShortAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	zero := float32(math.Copysign(0, -1))
	zeros, ones := []float32{zero, zero, zero, zero}, []float32{1, 1, 1, 1}
	if !asmtest.Same(SumShort(zeros), Generic.Sum(zeros)) || !asmtest.Same(DotShort(zeros, ones), Generic.Dot(zeros, ones)) {
		t.Error("sums of -0 differ")
	}
	for n := range Short + 1 {
		for kind := range 5 {
			for range 20 {
				x, y := make([]float32, n), make([]float32, n)
				fill(random, kind, x)
				fill(random, kind, y)
				for name, pair := range map[string][2]float64{
					"Dot": {DotShort(x, y), Generic.Dot(x, y)}, "Sum": {SumShort(x), Generic.Sum(x)},
					"SquaredNorm": {SquaredNormShort(x), Generic.SquaredNorm(x)},
				} {
					if !asmtest.Same(pair[0], pair[1]) {
						t.Fatalf("%s of %d elements of kind %d: %v, the kernel has %v", name, n, kind, pair[0], pair[1])
					}
				}
			}
		}
	}
}

// TestSingleInPlace: y may be x.
func TestSingleInPlace(t *testing.T) {
	for _, k := range append(runnable(t), &Generic) {
		x := make([]float32, 77)
		fill(rand.New(rand.NewPCG(1, 2)), 0, x)
		want := make([]float32, len(x))
		for i, v := range x {
			want[i] = exactFMA(2.5, v, v)
		}
		k.Axpy(2.5, x, x)
		for i := range x {
			if !same(x[i], want[i]) {
				t.Fatalf("%s: element %d: %v, want %v", k.Path, i, x[i], want[i])
			}
		}
	}
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

// exactFMA rounds the exact value of x y + z, which is finite.
func exactFMA(x, y, z float32) float32 {
	exact := new(big.Float).SetPrec(1000).Mul(big.NewFloat(float64(x)), big.NewFloat(float64(y)))
	f, _ := exact.Add(exact, big.NewFloat(float64(z))).Float32()
	return f
}

func TestFMAAgainstBig(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 1))
	check := func(x, y, z float32) {
		t.Helper()
		want := exactFMA(x, y, z)
		if got := FMA(x, y, z); got != want {
			t.Fatalf("FMA(%x, %x, %x) = %x, want %x", x, y, z, got, want)
		}
	}
	v := make([]float32, 3)
	for range 20000 {
		fill(random, 1, v)
		check(v[0], v[1], v[2])
	}
	// x y in the middle of two float32, and z that decides: float64 loses it.
	middle := float32(1 + 0x1p-12)
	for _, z := range []float32{0x1p-100, -0x1p-100, 0x1p-149, -0x1p-149, 0} {
		check(middle, middle, z)
		check(-middle, middle, z)
		check(middle*0x1p-63, middle*0x1p-64, z)
	}
	check(0x1.000002p-70, 0x1p-79, 0x1p-149)
	// 131*16393005 = 2^31+7: the sum in float64 is odd, and its neighbour in the middle.
	check(131*0x1p-31, 16393005*0x1p-24, 1)
	check(-131*0x1p-31, 16393005*0x1p-24, -1)
	if got := FMA(math.MaxFloat32, 2, -math.MaxFloat32); got != math.MaxFloat32 {
		t.Errorf("an intermediate product overflows: %v", got)
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
				"Dot": func() { k.Dot(x, y) }, "Sum": func() { k.Sum(x) }, "Axpy": func() { k.Axpy(0x1p-30, x, y) },
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
