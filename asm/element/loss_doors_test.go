package element

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

func pass[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// lossDoors are the entry points of losses as kernels, for the tests of kernels. They panic if an
// entry point returns an error.
var lossDoors = func() *Kernels {
	k := &Kernels{Path: "doors"}
	for i := range lossNames {
		loss := Loss(i)
		k.Grad[i] = func(coef, z, y, weight []float64, delta float64) float64 {
			return pass(gradient(loss, coef, z, y, weight, delta))
		}
		k.Sum[i] = func(z, y, weight []float64, delta float64) float64 {
			return pass(sum(loss, z, y, weight, delta))
		}
		k.Curvature[i] = func(h, t, z, y, weight []float64, delta float64) {
			pass(0, curvature(loss, h, t, z, y, weight, delta))
		}
	}
	return k
}()

func curvature(loss Loss, h, t, z, y, weight []float64, delta float64) error {
	if n := len(h); len(t) != n || len(z) != n || len(y) != n || weight != nil && len(weight) != n {
		return LossCurvatureOf(unsafe.SliceData(h), unsafe.SliceData(t), unsafe.SliceData(z), unsafe.SliceData(y), weight, n, delta, len(t), len(z), len(y), loss)
	}
	return LossCurvature(unsafe.SliceData(h), unsafe.SliceData(t), unsafe.SliceData(z), unsafe.SliceData(y), unsafe.SliceData(weight), len(h), delta, loss)
}

func gradient(loss Loss, coef, z, y, weight []float64, delta float64) (float64, error) {
	if n := len(z); len(coef) != n || len(y) != n || weight != nil && len(weight) != n {
		return LossGradientOf(unsafe.SliceData(coef), unsafe.SliceData(z), unsafe.SliceData(y), weight, n, delta, len(coef), len(y), loss)
	}
	return LossGradient(unsafe.SliceData(coef), unsafe.SliceData(z), unsafe.SliceData(y), unsafe.SliceData(weight), len(z), delta, loss)
}

func sum(loss Loss, z, y, weight []float64, delta float64) (float64, error) {
	if n := len(z); len(y) != n || weight != nil && len(weight) != n {
		return LossSumOf(unsafe.SliceData(z), unsafe.SliceData(y), weight, n, delta, len(y), loss)
	}
	return LossSum(nil, unsafe.SliceData(z), unsafe.SliceData(y), unsafe.SliceData(weight), len(z), delta, loss)
}

func TestLossDoorsAgree(t *testing.T) {
	throughDoors(t, func(path string) {
		for loss, name := range lossNames {
			t.Run(name+"/"+path, func(t *testing.T) {
				random := rand.New(rand.NewPCG(21, uint64(loss)))
				const most = 40
				var room [5][most]float64
				for round := range 600 {
					n := round % most
					z, y, weight := room[0][:n], room[1][:n], room[2][:n]
					lossInputs(random, z, y, weight, round%2 == 0)
					if round%4 < 2 {
						weight = nil
					}
					checkLoss(t, lossDoors, Loss(loss), z, y, weight, room[3][:n], room[4][:n], 0.5+random.Float64())
					// In place of each source.
					want := make([]float64, n)
					sum := Generic.Grad[loss](want, z, y, weight, 1)
					for i, source := range [][]float64{z, y, weight} {
						if i == 2 && weight == nil {
							continue
						}
						before := slices.Clone(source)
						if got := lossDoors.Grad[loss](source, z, y, weight, 1); !asmtest.Same(got, sum) {
							t.Fatalf("n = %d, in place of source %d: sum %v, the twin has %v", n, i, got, sum)
						}
						compare(t, source, want, before)
						copy(source, before)
					}
				}
			})
		}
	})
}

func TestLossDoorsAtGuards(t *testing.T) {
	throughDoors(t, func(path string) {
		random := rand.New(rand.NewPCG(23, 24))
		for n := range 20 {
			for _, guard := range []func(testing.TB, int) []float64{asmtest.Guarded[float64], asmtest.GuardedFront[float64]} {
				z, y, weight, a, b := guard(t, n), guard(t, n), guard(t, n), guard(t, n), guard(t, n)
				lossInputs(random, z, y, weight, false)
				for loss := range lossNames {
					checkLoss(t, lossDoors, Loss(loss), z, y, weight, a, b, 1)
					checkLoss(t, lossDoors, Loss(loss), z, y, nil, a, b, 1)
				}
			}
		}
	})
}

// TestLossDoorsOfTinyNumbers: sums that vanish, and halves that are not exact.
func TestLossDoorsOfTinyNumbers(t *testing.T) {
	tiny := math.SmallestNonzeroFloat64
	numbers := []float64{0, math.Copysign(0, -1), tiny, -tiny, 3 * tiny, 0x1p-1022, -0x1p-1021, 1e-160, -1e-160, 1}
	throughDoors(t, func(path string) {
		for loss := range lossNames {
			for n := 1; n < 10; n++ {
				for _, a := range numbers {
					for _, b := range numbers {
						z, y, weight := slices.Repeat([]float64{a}, n), slices.Repeat([]float64{b}, n), slices.Repeat([]float64{-a}, n)
						for _, delta := range []float64{tiny, 3 * tiny, 1e-300, 1} {
							checkLoss(t, lossDoors, Loss(loss), z, y, nil, make([]float64, n), make([]float64, n), delta)
							checkLoss(t, lossDoors, Loss(loss), z, y, weight, make([]float64, n), make([]float64, n), delta)
						}
					}
				}
			}
		}
	})
}

// TestLossDoorsRefuse gives the entry points vectors of different lengths, and vectors of one
// array at all distances from one another. It compares with what the words say.
func TestLossDoorsRefuse(t *testing.T) {
	const most = 10
	// Where a length is not compared, there is room to write to.
	apart := func(n int) []float64 { return slices.Repeat([]float64{1}, max(n, most))[:n] }
	throughDoors(t, func(path string) {
		refused := func(what string, wanted bool, err error) {
			t.Helper()
			if (err != nil) != wanted {
				t.Errorf("%s, %s: %v", path, what, err)
			}
		}
		for i := range len(lossNames) + 1 {
			loss, unknown := Loss(i), i == len(lossNames)
			for n := range most {
				for which := range 5 {
					for other := range most {
						v := [5][]float64{apart(n), apart(n), apart(n), apart(n), apart(n)}
						v[which] = apart(other)
						what := fmt.Sprint("loss ", i, ", vector ", which, " of ", other, ", others of ", n)
						if which > 0 {
							_, err := gradient(loss, v[1], v[2], v[3], v[4], 1)
							refused("gradient, "+what, other != n || unknown, err)
						}
						if which > 1 {
							_, err := sum(loss, v[2], v[3], v[4], 1)
							refused("sum, "+what, other != n || unknown, err)
						}
						refused("curvature, "+what, other != n || unknown, curvature(loss, v[0], v[1], v[2], v[3], v[4], 1))
					}
				}
				for shift := -n - 1; shift <= n+1; shift++ {
					room := apart(3*most + 2)
					a, b := room[most+1:][:n], room[most+1+shift:][:n]
					shares, shifted := -n < shift && shift < n, shift != 0 && -n < shift && shift < n
					what := fmt.Sprint("loss ", i, ", ", n, " shifted by ", shift)
					for source := range 3 {
						v := [3][]float64{apart(n), apart(n), apart(n)}
						v[source] = b
						_, err := gradient(loss, a, v[0], v[1], v[2], 1)
						refused("gradient, "+what, shifted || unknown, err)
						refused("curvature, "+what, shares || unknown, curvature(loss, a, apart(n), v[0], v[1], v[2], 1))
						refused("curvature, "+what, shares || unknown, curvature(loss, apart(n), a, v[0], v[1], v[2], 1))
					}
					refused("curvature over itself, "+what, shares || unknown, curvature(loss, a, b, apart(n), apart(n), nil, 1))
				}
				for _, delta := range []float64{0, -1, math.NaN(), math.Inf(1)} {
					what := fmt.Sprint("loss ", i, " of ", n, ", delta ", delta)
					_, err := gradient(loss, apart(n), apart(n), apart(n), nil, delta)
					refused("gradient, "+what, loss == Huber || unknown, err)
					_, err = sum(loss, apart(n), apart(n), nil, delta)
					refused("sum, "+what, loss == Huber || unknown, err)
					refused("curvature, "+what, loss == Huber || unknown, curvature(loss, apart(n), apart(n), apart(n), apart(n), nil, delta))
				}
			}
		}
	})
}
