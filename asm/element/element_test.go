package element

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
	_ "github.com/lanes-go/lanes/internal/testing/gctest"
)

func compare(t *testing.T, got, want, x []float64) {
	t.Helper()
	for i := range want {
		if !asmtest.Same(got[i], want[i]) {
			t.Fatalf("element %d of %d, x = %v (%x): got %v (%x), the twin has %v (%x)",
				i, len(want), x[i], math.Float64bits(x[i]), got[i], math.Float64bits(got[i]), want[i], math.Float64bits(want[i]))
		}
	}
}

// elementaryInputs mixes random bit patterns with points where results are
// neither 0 nor infinite and with the structured points.
func elementaryInputs(count int, low, high float64, seed uint64) []float64 {
	random := rand.New(rand.NewPCG(seed, 3))
	x := append(structured(), math.NaN(), math.Inf(1), math.Inf(-1), -math.NaN(),
		math.Float64frombits(0xfff8000000000001), math.Float64frombits(0x7ff0000000000001))
	for range count {
		x = append(x, math.Float64frombits(random.Uint64()), low+(high-low)*random.Float64(), 2*random.NormFloat64())
	}
	return x
}

func TestElementaryAgrees(t *testing.T) {
	for _, f := range elementary {
		count := 150000
		if testing.Short() {
			count = 10000
		}
		x := elementaryInputs(count, f.low, f.high, 5)
		want, got := make([]float64, len(x)), make([]float64, len(x))
		f.kernel(&Generic)(want, x)
		for _, table := range runnable(t) {
			t.Run(f.name+"/"+table.Path, func(t *testing.T) {
				f.kernel(table)(got, x)
				compare(t, got, want, x)
			})
		}
	}
}

func TestElementarySpecials(t *testing.T) {
	inf, nan, tiny := math.Inf(1), math.NaN(), math.SmallestNonzeroFloat64
	negativeZero := math.Copysign(0, -1)
	cases := map[string][][2]float64{
		"exp": {{0, 1}, {negativeZero, 1}, {inf, inf}, {-inf, 0}, {nan, nan}, {709.782712893384, 1.7976931348622732e+308},
			{709.7827128933841, inf}, {-745.1332191019411, tiny}, {-745.1332191019412, 0}, {tiny, 1}, {math.MaxFloat64, inf}},
		"log": {{0, -inf}, {negativeZero, -inf}, {1, 0}, {inf, inf}, {-inf, nan}, {-1, nan}, {-tiny, nan}, {nan, nan}},
		"log1p": {{0, 0}, {negativeZero, negativeZero}, {-1, -inf}, {-1.5, nan}, {inf, inf}, {-inf, nan}, {nan, nan},
			{tiny, tiny}, {-tiny, -tiny}, {logTiny, logTiny}},
		"sigmoid":  {{0, 0.5}, {negativeZero, 0.5}, {inf, 1}, {-inf, 0}, {nan, nan}, {tiny, 0.5}, {-744, 2 * tiny}, {-745.1332191019412, 0}},
		"softplus": {{0, math.Ln2}, {negativeZero, math.Ln2}, {inf, inf}, {-inf, 0}, {nan, nan}, {math.MaxFloat64, math.MaxFloat64}, {-744, 2 * tiny}},
		"tanh": {{0, 0}, {negativeZero, negativeZero}, {inf, 1}, {-inf, -1}, {nan, nan}, {tiny, tiny}, {-tiny, -tiny},
			{math.MaxFloat64, 1}, {20, 1}, {-20, -1}, {logTiny, logTiny}, {0x1p-30, 0x1p-30}},
	}
	for _, table := range append(runnable(t), &Generic) {
		for _, f := range elementary {
			t.Run(f.name+"/"+table.Path, func(t *testing.T) {
				for _, c := range cases[f.name] {
					got := make([]float64, 1)
					if f.kernel(table)(got, []float64{c[0]}); !asmtest.Same(got[0], c[1]) {
						t.Errorf("%s(%v) = %v, want %v", f.name, c[0], got[0], c[1])
					}
				}
			})
		}
	}
}

// TestElementLengths puts slices of every length from 0 to 67 against
// unreadable pages, behind and in front.
func TestElementLengths(t *testing.T) {
	guards := map[string]func(testing.TB, int) []float64{"end": asmtest.Guarded[float64], "front": asmtest.GuardedFront[float64]}
	for _, table := range append(runnable(t), &Generic) {
		for where, guard := range guards {
			t.Run(table.Path+"/"+where, func(t *testing.T) {
				random := rand.New(rand.NewPCG(7, 8))
				for n := range 68 {
					x, dst, want := guard(t, n), guard(t, n), make([]float64, n)
					for _, f := range elementary {
						for i := range x {
							x[i] = 10 * random.Float64()
						}
						f.kernel(&Generic)(want, x)
						f.kernel(table)(dst, x)
						compare(t, dst, want, x)
						copy(dst, x)
						f.kernel(table)(dst, dst)
						compare(t, dst, want, x)
					}
				}
			})
		}
	}
}

// lossInputs: hostile ones have any bit pattern; the others are what solvers
// meet.
func lossInputs(random *rand.Rand, z, y, weight []float64, hostile bool) {
	for i := range z {
		z[i], y[i], weight[i] = 8*random.NormFloat64(), float64(2*random.IntN(2)-1), random.ExpFloat64()
		if hostile && random.IntN(8) == 0 {
			switch random.IntN(5) {
			case 0:
				z[i] = math.Float64frombits(random.Uint64())
			case 1:
				y[i] = math.Float64frombits(random.Uint64())
			case 2:
				z[i] = []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), 1, -1, 745, -745, 709}[random.IntN(9)]
			case 3:
				y[i], weight[i] = 0, 0
			case 4:
				z[i], y[i] = 1e-310*random.NormFloat64(), y[i]*1e-5
			}
		}
	}
	if hostile && len(z) > 0 && random.IntN(4) == 0 {
		z[random.IntN(len(z))] = math.NaN()
	}
}

var lossNames = [Losses]string{"logistic", "squared", "squaredhinge", "huber"}

func TestLossesAgree(t *testing.T) {
	for _, table := range runnable(t) {
		for loss, name := range lossNames {
			t.Run(fmt.Sprint(name, "/", table.Path), func(t *testing.T) {
				random := rand.New(rand.NewPCG(11, uint64(loss)))
				rounds := 2000
				if testing.Short() {
					rounds = 200
				}
				for round := range rounds {
					n := random.IntN(68)
					if round%100 == 0 {
						n = 10000 + random.IntN(8)
					}
					z, y, weight := make([]float64, n), make([]float64, n), make([]float64, n)
					lossInputs(random, z, y, weight, round%2 == 0)
					if round%4 < 2 {
						weight = nil
					}
					checkLoss(t, table, Loss(loss), z, y, weight, make([]float64, n), make([]float64, n), 0.5+random.Float64())
				}
			})
		}
	}
}

func checkLoss(t *testing.T, e *Kernels, loss Loss, z, y, weight, a, b []float64, delta float64) {
	t.Helper()
	n := len(z)
	wantA, wantB := make([]float64, n), make([]float64, n)
	want := Generic.Grad[loss](wantA, z, y, weight, delta)
	if got := e.Grad[loss](a, z, y, weight, delta); !asmtest.Same(got, want) {
		t.Fatalf("n = %d, weighted %v: sum %v, the twin has %v", n, weight != nil, got, want)
	}
	compare(t, a, wantA, z)
	if got := e.Sum[loss](z, y, weight, delta); !asmtest.Same(got, want) {
		t.Fatalf("n = %d, weighted %v: sum alone %v, the twin has %v", n, weight != nil, got, want)
	}
	Generic.Curvature[loss](wantA, wantB, z, y, weight, delta)
	e.Curvature[loss](a, b, z, y, weight, delta)
	compare(t, a, wantA, z)
	compare(t, b, wantB, z)
}

func TestLossLengths(t *testing.T) {
	for _, table := range append(runnable(t), &Generic) {
		t.Run(table.Path, func(t *testing.T) {
			random := rand.New(rand.NewPCG(13, 14))
			for n := range 68 {
				z, y, weight := asmtest.Guarded[float64](t, n), asmtest.Guarded[float64](t, n), asmtest.Guarded[float64](t, n)
				a, b := asmtest.Guarded[float64](t, n), asmtest.Guarded[float64](t, n)
				lossInputs(random, z, y, weight, false)
				for loss := range lossNames {
					checkLoss(t, table, Loss(loss), z, y, weight, a, b, 1)
					checkLoss(t, table, Loss(loss), z, y, nil, a, b, 1)
				}
			}
		})
	}
}

// TestLossSumKeepsNegativeZero: lanes that have underflowed to -0 stay so, where
// the last elements leave some of them out.
func TestLossSumKeepsNegativeZero(t *testing.T) {
	for _, table := range append(runnable(t), &Generic) {
		for n := range 20 {
			z, y, weight := make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range z {
				z[i], weight[i] = 1e-20, -1e-300
			}
			want := Generic.Sum[Squared](z, y, weight, 1)
			if got := table.Sum[Squared](z, y, weight, 1); !asmtest.Same(got, want) {
				t.Errorf("%s, n = %d: %v, the twin has %v", table.Path, n, got, want)
			}
		}
	}
}

// TestLossDerivatives compares the slopes with differences of the losses, and
// the curvatures with differences of the slopes.
func TestLossDerivatives(t *testing.T) {
	const step = 1e-5
	curvatures := [Losses]curvatureFunc{logisticCurvature, squaredCurvature, squaredHingeCurvature, huberCurvature}
	for loss, f := range [Losses]lossFunc{logistic, squared, squaredHinge, huber} {
		for _, y := range []float64{-1, 1} {
			for z := -4.03; z < 4; z += 0.1 {
				phiLow, slopeLow := f(z-step, y, 1.5)
				phiHigh, slopeHigh := f(z+step, y, 1.5)
				_, slope := f(z, y, 1.5)
				hLow, _ := curvatures[loss](z-step, y, 1.5)
				hHigh, _ := curvatures[loss](z+step, y, 1.5)
				h, third := curvatures[loss](z, y, 1.5)
				for _, pair := range [][2]float64{{(phiHigh - phiLow) / (2 * step), slope}, {(slopeHigh - slopeLow) / (2 * step), h}, {(hHigh - hLow) / (2 * step), third}} {
					if math.Abs(pair[0]-pair[1]) > 1e-6 {
						t.Errorf("%s at z = %v, y = %v: difference quotient %v, derivative %v", lossNames[loss], z, y, pair[0], pair[1])
					}
				}
			}
		}
	}
}

// TestElementFingerprints pins the definition itself: the portable code must
// give the same bits on every architecture and GOAMD64 level, and changing a
// result means changing a number here.
func TestElementFingerprints(t *testing.T) {
	want := map[string]uint64{
		"exp":          0xfd7e812b2cddbc45,
		"huber":        0xbf3f1fd0e103c052,
		"log":          0xb007721fee07da2e,
		"log1p":        0xe0552ade14113ef4,
		"logistic":     0x7a29bbfe89c6b24,
		"sigmoid":      0xb9dde7a938761237,
		"softplus":     0xe3d58d90a7160b04,
		"squared":      0x917b05ccb4cf5af8,
		"squaredhinge": 0x30f237ca6b0b3df0,
		"tanh":         0x796b083e739685a3,
	}
	got := map[string]uint64{}
	fingerprint := func(name string, values ...float64) {
		h, ok := got[name]
		if !ok {
			h = 14695981039346656037
		}
		for _, v := range values {
			if math.IsNaN(v) {
				v = 0
			}
			h = (h ^ math.Float64bits(v)) * 1099511628211
			h ^= h >> 29
		}
		got[name] = h
	}
	random := rand.New(rand.NewPCG(17, 18))
	for range 20000 {
		anything, usual := math.Float64frombits(random.Uint64()), float64(40*random.Float64())-20
		for _, f := range elementary {
			fingerprint(f.name, f.twin(anything), f.twin(usual))
		}
		y := float64(2*random.IntN(2) - 1)
		for loss, name := range lossNames {
			phi, slope := [Losses]lossFunc{logistic, squared, squaredHinge, huber}[loss](usual, y, 1.5)
			h, third := [Losses]curvatureFunc{logisticCurvature, squaredCurvature, squaredHingeCurvature, huberCurvature}[loss](usual, y, 1.5)
			fingerprint(name, phi, slope, h, third)
		}
	}
	for name, value := range got {
		if value != want[name] {
			t.Errorf("%q: %#x,", name, value)
		}
	}
}

// TestLogisticIsSoftplusAndSigmoid: the fused kernel gives the bits of the
// single ones.
func TestLogisticIsSoftplusAndSigmoid(t *testing.T) {
	for z := -800.0; z < 800; z += 0.37 {
		for _, y := range []float64{-1, 1} {
			phi, slope := logistic(z, y, 0)
			if phi != softplus(-y*z) || slope != -y*sigmoid(-y*z) {
				t.Fatalf("z = %v, y = %v", z, y)
			}
		}
	}
}

// TestCurvatureAtTheKinks: on the kink itself and one bit to either side, in every
// lane. Random residues never meet it.
func TestCurvatureAtTheKinks(t *testing.T) {
	below, above := math.Nextafter(1.5, 0), math.Nextafter(1.5, 2)
	for _, c := range []struct {
		loss           Loss
		z, y, delta, h float64
		what           string
	}{
		{Huber, 1.5, 0, 1.5, 1, "at delta"}, {Huber, -1.5, 0, 1.5, 1, "at -delta"},
		{Huber, below, 0, 1.5, 1, "within"}, {Huber, above, 0, 1.5, 0, "beyond delta"}, {Huber, -above, 0, 1.5, 0, "beyond -delta"},
		{Huber, 0, 0, 0, 1, "delta of 0"},
		{SquaredHinge, 1, 1, 0, 0, "at the margin"}, {SquaredHinge, -1, -1, 0, 0, "at the margin of the negatives"},
		{SquaredHinge, math.Nextafter(1, 0), 1, 0, 1, "within the margin"}, {SquaredHinge, math.Nextafter(1, 2), 1, 0, 0, "beyond the margin"},
	} {
		for _, table := range append(runnable(t), &Generic) {
			const n = 37
			z, y, h, third := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
			for i := range z {
				z[i], y[i] = c.z, c.y
			}
			table.Curvature[c.loss](h, third, z, y, nil, c.delta)
			for i := range h {
				if h[i] != c.h || third[i] != 0 {
					t.Fatalf("%s, %s %s, element %d: curvature %v and %v, want %v and 0", table.Path, lossNames[c.loss], c.what, i, h[i], third[i], c.h)
				}
			}
		}
	}
}

// runnable returns the kernels that this CPU can run, the portable ones left out.
func runnable(t testing.TB) []*Kernels {
	return asmtest.Runnable(t, Paths[1:], func(k *Kernels) string { return k.Path })
}
