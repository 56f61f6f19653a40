package element

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// throughDoors runs f with the entry points on every path that this CPU has.
func throughDoors(t *testing.T, f func(path string)) {
	before := int(path.Load())
	defer Use(before)
	able := runnable(t)
	for i, k := range Paths {
		if i == 0 || slices.Contains(able, k) {
			if Use(i); active() != k {
				t.Errorf("Use(%d), and the doors call %s", i, active().Path)
			}
			f("doors on " + k.Path)
		}
	}
}

// doors are the entry points of maps as kernels, and numbers the functions of one number.
var doors, numbers = func() (*Kernels, *Kernels) {
	checked := func(door func(dst, x *float64, n, nx int) error) func(dst, x []float64) {
		return func(dst, x []float64) {
			if err := door(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst), len(x)); err != nil {
				panic(err)
			}
		}
	}
	return &Kernels{
			Exp: checked(MapExp), Log: checked(MapLog), Log1p: checked(MapLog1p),
			Sigmoid: checked(MapSigmoid), Softplus: checked(MapSoftplus), Tanh: checked(MapTanh),
		}, &Kernels{
			Exp: mapElements(Exp), Log: mapElements(Log), Log1p: mapElements(Log1p),
			Sigmoid: mapElements(Sigmoid), Softplus: mapElements(softplus), Tanh: mapElements(tanh),
		}
}()

func TestDoorsAgree(t *testing.T) {
	for _, f := range elementary {
		x := elementaryInputs(3000, f.low, f.high, 6)
		want, got := make([]float64, len(x)), make([]float64, len(x))
		f.kernel(&Generic)(want, x)
		throughDoors(t, func(path string) {
			t.Run(f.name+"/"+path, func(t *testing.T) {
				f.kernel(numbers)(got, x)
				compare(t, got, want, x)
				for n, first := 0, 0; first+n <= len(x); n, first = (n+1)%40, first+n {
					from, to := asmtest.Guarded[float64](t, n), asmtest.Guarded[float64](t, n)
					copy(from, x[first:])
					f.kernel(doors)(to, from)
					compare(t, to, want[first:first+n], from)
					f.kernel(doors)(from, from)
					compare(t, from, want[first:first+n], x[first:first+n])
					if first > 4000 {
						break
					}
				}
			})
		})
	}
}

// TestDoorsRefuse gives the entry points slices of lengths that differ, and slices of one array
// that begin at all distances from one another.
func TestDoorsRefuse(t *testing.T) {
	const most = 18
	room := make([]float64, 4*most)
	throughDoors(t, func(path string) {
		for name, door := range map[string]func(dst, x *float64, n, nx int) error{
			"Exp": MapExp, "Log": MapLog, "Log1p": MapLog1p, "Sigmoid": MapSigmoid, "Softplus": MapSoftplus, "Tanh": MapTanh,
		} {
			for n := range most {
				for shift := -n - 2; shift <= n+2; shift++ {
					wanted := shift != 0 && -n < shift && shift < n
					if err := door(&room[2*most], &room[2*most+shift], n, n); (err != nil) != wanted {
						t.Errorf("%s, %s of %d shifted by %d: %v", path, name, n, shift, err)
					}
				}
				if door(&room[0], &room[most], n, n+1) == nil || door(&room[0], &room[most], n+1, n) == nil {
					t.Errorf("%s, %s of %d and %d: no error", path, name, n, n+1)
				}
			}
		}
	})
}
