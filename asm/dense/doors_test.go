package dense

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// doors are the entry points as kernels, for the tests of kernels. They panic if an entry point
// returns an error.
func doors(path string) *Kernels {
	pass := func(err error) {
		if err != nil {
			panic(err)
		}
	}
	at := func(x []float64) *float64 { return unsafe.SliceData(x) }
	return &Kernels{
		Path:            path,
		Dot:             func(x, y []float64) float64 { return Dot(x, at(y)) },
		SquaredNorm:     SquaredNorm,
		SquaredDistance: func(x, y []float64) float64 { return SquaredDistance(x, at(y)) },
		Sum:             Sum,
		MaxAbs:          MaxAbs,
		Axpy:            func(a float64, x, y []float64) { pass(Axpy(a, at(x), at(y), len(x), len(y))) },
		ScaleAdd: func(dst []float64, a float64, x []float64, b float64, y []float64) {
			pass(ScaleAdd(at(dst), at(x), at(y), a, b, len(dst), len(x), len(y)))
		},
		Scale: func(dst []float64, a float64, x []float64) { pass(Scale(at(dst), at(x), a, len(dst), len(x))) },
		AddScalar: func(dst []float64, a float64, x []float64) {
			pass(AddScalar(at(dst), at(x), a, len(dst), len(x)))
		},
		Mul: func(dst, x, y []float64) { pass(Mul(at(dst), at(x), at(y), len(dst), len(x), len(y))) },
		SoftThreshold: func(dst, x []float64, t float64) {
			if t >= 0 {
				pass(SoftThreshold(at(dst), at(x), t, len(dst), len(x)))
			} else {
				Generic.SoftThreshold(dst, x, t)
			}
		},
		Box: func(dst, x []float64, lo, hi float64) {
			if lo <= hi {
				pass(Box(at(dst), at(x), lo, hi, len(dst), len(x)))
			} else {
				Generic.Box(dst, x, lo, hi)
			}
		},
		Adam: func(w, m, v, g []float64, p Adam) {
			AdamStep(at(w), at(m), at(v), at(g), len(w), p.Beta1, p.Rest1, p.Beta2, p.Rest2, p.Rate, p.Epsilon, p.Lambda)
		},
		Momentum: func(w, v, g []float64, rate, mu, lambda float64) {
			MomentumStep(at(w), at(v), at(g), len(w), rate, mu, lambda)
		},
	}
}

// throughDoors runs f with the entry points on every path that this CPU has.
func throughDoors(t *testing.T, f func(path string)) {
	before := int(path.Load())
	defer Use(before)
	for i, k := range Paths {
		if i == 0 || slices.Contains(runnable(t), k) {
			if Use(i); active() != k {
				t.Errorf("Use(%d), and the doors call %s", i, active().Path)
			}
			f("doors on " + k.Path)
		}
	}
}

func TestDoorsAgree(t *testing.T) {
	throughDoors(t, func(path string) {
		agree(t, []*Kernels{doors(path)}, asmtest.Upto(70))
	})
}

// TestDoorsRefuse gives every map slices of different lengths, and slices of one array that begin
// at all distances from one another. It compares with what the words say.
func TestDoorsRefuse(t *testing.T) {
	const most = 20
	calls := map[string]struct {
		sources int
		call    func(dst, x, y []float64) error
	}{
		"Axpy": {1, func(dst, x, _ []float64) error {
			return Axpy(2, unsafe.SliceData(x), unsafe.SliceData(dst), len(x), len(dst))
		}},
		"ScaleAdd": {2, func(dst, x, y []float64) error {
			return ScaleAdd(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(y), 2, 3, len(dst), len(x), len(y))
		}},
		"Scale": {1, func(dst, x, _ []float64) error {
			return Scale(unsafe.SliceData(dst), unsafe.SliceData(x), 2, len(dst), len(x))
		}},
		"AddScalar": {1, func(dst, x, _ []float64) error {
			return AddScalar(unsafe.SliceData(dst), unsafe.SliceData(x), 2, len(dst), len(x))
		}},
		"Mul": {2, func(dst, x, y []float64) error {
			return Mul(unsafe.SliceData(dst), unsafe.SliceData(x), unsafe.SliceData(y), len(dst), len(x), len(y))
		}},
		"SoftThreshold": {1, func(dst, x, _ []float64) error {
			return SoftThreshold(unsafe.SliceData(dst), unsafe.SliceData(x), 2, len(dst), len(x))
		}},
		"Box": {1, func(dst, x, _ []float64) error {
			return Box(unsafe.SliceData(dst), unsafe.SliceData(x), 2, 3, len(dst), len(x))
		}},
	}
	room, before := make([]float64, 3*most), make([]float64, 3*most)
	for i := range room {
		before[i] = float64(i) + 0.5
	}
	throughDoors(t, func(path string) {
		for name, c := range calls {
			refused := func(what string, wanted bool, dst, x, y []float64) {
				t.Helper()
				copy(room, before)
				if err := c.call(dst, x, y); (err != nil) != wanted {
					t.Fatalf("%s, %s of %s: %v", path, name, what, err)
				} else if err != nil && !slices.Equal(room, before) {
					t.Fatalf("%s, %s of %s: written, and an error: %v", path, name, what, err)
				}
			}
			apart := make([]float64, most)
			for n := range most {
				for _, other := range []int{0, 1, n - 1, n, n + 1} {
					if other < 0 || other > most {
						continue
					}
					refused(fmt.Sprint(n, " and ", other), n != other, room[:n], apart[:other], apart[:n])
					refused(fmt.Sprint(n, " and, as y, ", other), n != other && c.sources == 2, room[:n], apart[:n], apart[:other])
				}
				for shift := -n - 2; shift <= n+2 && most+shift+n <= len(room); shift++ {
					if most+shift < 0 {
						continue
					}
					shifted := shift != 0 && shift > -n && shift < n
					dst, x := room[most:most+n], room[most+shift:most+shift+n]
					refused(fmt.Sprint(n, " shifted by ", shift), shifted, dst, x, apart[:n])
					refused(fmt.Sprint(n, " with y shifted by ", shift), shifted && c.sources == 2, dst, apart[:n], x)
				}
			}
		}
		x, out := []float64{1, 2, 3}, []float64{4, 4, 4}
		for what, err := range map[string]error{
			"SoftThreshold by -1":  SoftThreshold(&out[0], &x[0], -1, 3, 3),
			"SoftThreshold by NaN": SoftThreshold(&out[0], &x[0], math.NaN(), 1, 1),
			"Box from 2 to 1":      Box(&out[0], &x[0], 2, 1, 3, 3),
			"Box from NaN":         Box(&out[0], &x[0], math.NaN(), 1, 1, 1),
			"Box to NaN":           Box(&out[0], &x[0], 1, math.NaN(), 3, 3),
		} {
			if err == nil || !slices.Equal(out, []float64{4, 4, 4}) {
				t.Errorf("%s, %s: %v, %v", path, what, err, out)
			}
		}
	})
}

// TestDoorsOfOddAddresses: a vector that begins between two elements of another.
func TestDoorsOfOddAddresses(t *testing.T) {
	room := make([]float64, 8)
	between := (*float64)(unsafe.Add(unsafe.Pointer(&room[1]), 4))
	throughDoors(t, func(path string) {
		for n := 2; n <= 4; n++ {
			if Scale(&room[1], between, 2, n, n) == nil || Scale(between, &room[1], 2, n, n) == nil {
				t.Errorf("%s: %d elements half an element apart", path, n)
			}
		}
	})
}
