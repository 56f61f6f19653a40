package element

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// finite are numbers that a score and a parameter may be.
func finite(value func(*rand.Rand) float64, random *rand.Rand) float64 {
	for {
		if v := value(random); v-v == 0 {
			return v
		}
	}
}

func TestPairDoorsAgree(t *testing.T) {
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.Hostile, asmtest.SomeHostile}
	throughDoors(t, func(path string) {
		random := rand.New(rand.NewPCG(41, 42))
		for n := range 36 {
			for kind, value := range values {
				guard := asmtest.Guarded[float64]
				if kind == 1 {
					guard = asmtest.GuardedFront[float64]
				}
				s, l, c := guard(t, n), guard(t, n), guard(t, n)
				asmtest.Fill(s, random, value)
				si, parameter, a := finite(value, random), finite(value, random), value(random)
				start := make([]float64, n)
				asmtest.Fill(start, random, value)
				for loss := range uint8(2) {
					wantL, wantC := make([]float64, n), slices.Clone(start)
					var wants [2]float64
					if loss == pairHinge {
						wants[0] = Generic.Pairs.Hinge(wantL, s, parameter-si)
						wants[1] = 2 * a * Generic.Pairs.HingeAdd(wantC, wantL, 2*a)
					} else {
						wants[0] = Generic.Pairs.Logistic(wantL, s, si, parameter)
						wants[1] = float64(a * parameter)
						wants[1] *= Generic.Pairs.LogisticAdd(wantC, wantL, float64(a*parameter))
					}
					copy(c, start)
					got := [2]float64{pass(PairLosses(loss, l, s, si, parameter)), 0}
					compare(t, l, wantL, s)
					got[1] = pass(PairGradients(loss, c, l, a, parameter))
					compare(t, c, wantC, s)
					for i := range got {
						if !asmtest.Same(got[i], wants[i]) {
							t.Fatalf("%s, loss %d of %d elements, kind %d, sum %d: %v, the twin has %v", path, loss, n, kind, i, got[i], wants[i])
						}
					}
				}
			}
		}
	})
}

func TestPairDoorsRefuse(t *testing.T) {
	const most = 8
	throughDoors(t, func(path string) {
		refused := func(what string, wanted bool, loss uint8, to, from []float64, si, parameter float64) {
			t.Helper()
			if _, err := PairLosses(loss, to, from, si, parameter); (err != nil) != wanted {
				t.Errorf("%s, losses of %s: %v", path, what, err)
			}
			if _, err := PairGradients(loss, to, from, 1, 1); (err != nil) != (wanted && si == 0) {
				t.Errorf("%s, gradients of %s: %v", path, what, err)
			}
		}
		for loss := range uint8(4) {
			room, other := make([]float64, 3*most+2), make([]float64, most)
			for n := range most {
				for m := range most {
					refused(fmt.Sprint("loss ", loss, ", ", n, " and ", m), n != m || loss > 1, loss, room[:n], other[:m], 0, 1)
				}
				for shift := -n - 1; shift <= n+1; shift++ {
					shares := -n < shift && shift < n
					refused(fmt.Sprint("loss ", loss, ", ", n, " shifted by ", shift), shares || loss > 1, loss, room[most+1:][:n], room[most+1+shift:][:n], 0, 1)
				}
				if loss < 2 {
					for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
						refused(fmt.Sprint(n, " with score ", bad), true, loss, room[:n], other[:n], bad, 1)
						if _, err := PairLosses(loss, room[:n], other[:n], 0, bad); err == nil {
							t.Errorf("%s, %d with parameter %v: no error", path, n, bad)
						}
					}
				}
			}
		}
	})
}

// TestPairDoorsKeepNegativeZero: -0 is not below 0.
func TestPairDoorsKeepNegativeZero(t *testing.T) {
	zero := math.Copysign(0, -1)
	throughDoors(t, func(path string) {
		for n := 1; n < 10; n++ {
			l, s := make([]float64, n), slices.Repeat([]float64{zero}, n)
			pass(PairLosses(pairHinge, l, s, 0, zero))
			for i, v := range l {
				if !math.Signbit(v) {
					t.Errorf("%s, element %d of %d: +0", path, i, n)
				}
			}
		}
	})
}
