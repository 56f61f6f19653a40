package element

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// TestThresholdMatchesTheTwin places every operand before and behind unreadable pages.
func TestThresholdMatchesTheTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(8, 2))
	lengths := []int{100, 127, 128, 129, 511, 512, 513, 1000}
	for n := range 71 {
		lengths = append(lengths, n)
	}
	type table struct {
		Path string
		*ThresholdKernels
		use func()
	}
	var tables []table
	for _, k := range append(runnable(t), &Generic) {
		tables = append(tables, table{k.Path, &k.Threshold, func() {}})
	}
	throughDoors(t, func(name string) {
		i := int(path.Load())
		tables = append(tables, table{name, thresholdDoors, func() { Use(i) }})
	})
	t.Cleanup(func(before int) func() { return func() { Use(before) } }(int(path.Load())))
	for _, n := range lengths {
		type operands struct {
			s, dst []float64
			places []uint32
		}
		back := operands{asmtest.Guarded[float64](t, n), asmtest.Guarded[float64](t, n), asmtest.Guarded[uint32](t, n)}
		front := operands{asmtest.GuardedFront[float64](t, n), asmtest.GuardedFront[float64](t, n), asmtest.GuardedFront[uint32](t, n)}
		for kind := range 8 {
			x := make([]float64, n)
			asmtest.FillKind(random, kind%4, x)
			threshold := asmtest.Specials[random.IntN(len(asmtest.Specials))]
			if n > 0 && kind > 3 {
				threshold = x[random.IntN(n)]
			}
			var above, below []float64
			var positions []uint32
			lanes := make([]float64, 8)
			for i, v := range x {
				if v > threshold {
					above, positions = append(above, v), append(positions, uint32(i))
					lanes[i%8] += v
				}
				if v < threshold {
					below = append(below, v)
				}
			}
			for half := 4; half > 0; half /= 2 {
				for l := range half {
					lanes[l] += lanes[l+half]
				}
			}
			for _, table := range tables {
				k := table
				k.use()
				for _, o := range []operands{back, front} {
					copy(o.s, x)
					if got := k.Count(o.s, threshold); got != len(above) {
						t.Fatalf("%s, %d elements of kind %d: %d are above %v, not %d", table.Path, n, kind, got, threshold, len(above))
					}
					if sum, got := k.Sum(o.s, threshold); got != len(above) || !asmtest.Same(sum, lanes[0]) {
						t.Fatalf("%s, %d elements of kind %d: %d above %v sum to %v, want %d and %v", table.Path, n, kind, got, threshold, sum, len(above), lanes[0])
					}
					check := func(what string, got int, dst, want []float64) {
						t.Helper()
						if got != len(want) {
							t.Fatalf("%s, %d elements of kind %d: %d are %s %v, not %d", table.Path, n, kind, got, what, threshold, len(want))
						}
						for i := range want {
							if !asmtest.Same(dst[i], want[i]) {
								t.Fatalf("%s, %d elements of kind %d: element %d %s %v is %v, want %v", table.Path, n, kind, i, what, threshold, dst[i], want[i])
							}
						}
					}
					check("above", k.Above(o.dst, o.s, threshold), o.dst, above)
					check("below", k.Below(o.dst, o.s, threshold), o.dst, below)
					got := k.Positions(o.places, o.s, threshold)
					if got != len(positions) {
						t.Fatalf("%s, %d elements of kind %d: %d positions, want %d", table.Path, n, kind, got, len(positions))
					}
					for i, want := range positions {
						if o.places[i] != want {
							t.Fatalf("%s, %d elements of kind %d: position %d is %d, want %d", table.Path, n, kind, i, o.places[i], want)
						}
					}
					check("above, in place,", k.Above(o.s, o.s, threshold), o.s, above)
					copy(o.s, x)
					check("below, in place,", k.Below(o.s, o.s, threshold), o.s, below)
				}
			}
		}
	}
}

// thresholdDoors are the doors as kernels. Below has none.
var thresholdDoors = &ThresholdKernels{
	Count: CountAbove,
	Sum:   SumAbove,
	Above: func(dst, s []float64, t float64) int {
		n, err := CompressAbove(unsafe.SliceData(dst), unsafe.SliceData(s), t, len(s), len(dst))
		if err != nil {
			panic(err)
		}
		return n
	},
	Below: thresholdGeneric.Below,
	Positions: func(dst []uint32, s []float64, t float64) int {
		n, err := PositionsAbove(unsafe.SliceData(dst), unsafe.SliceData(s), t, len(s), len(dst))
		if err != nil {
			panic(err)
		}
		return n
	},
}

func TestThresholdDoorsRefuse(t *testing.T) {
	const most = 18
	room := make([]float64, 4*most)
	places := make([]uint32, most)
	throughDoors(t, func(path string) {
		for n := range most {
			for shift := -n - 2; shift <= n+2; shift++ {
				wanted := shift != 0 && -n < shift && shift < n
				if _, err := CompressAbove(&room[2*most], &room[2*most+shift], 1, n, n); (err != nil) != wanted {
					t.Errorf("%s, CompressAbove of %d shifted by %d: %v", path, n, shift, err)
				}
			}
			if _, err := CompressAbove(&room[0], &room[most], 1, n+1, n); err == nil {
				t.Errorf("%s, CompressAbove of %d to %d: no error", path, n+1, n)
			}
			if _, err := PositionsAbove(&places[0], &room[0], 1, n+1, n); err == nil {
				t.Errorf("%s, PositionsAbove of %d to %d: no error", path, n+1, n)
			}
			if _, err := PositionsAbove(&places[0], &room[0], 1, n, most); err != nil {
				t.Errorf("%s, PositionsAbove of %d to %d: %v", path, n, most, err)
			}
		}
	})
}

// TestKth compares with sorting, on numbers that repeat and on ones that do not.
func TestKth(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 3))
	for n := 1; n <= 140; n++ {
		x := asmtest.Guarded[float64](t, n)
		for kind := range 4 {
			asmtest.FillKind(random, kind, x)
			for i := range x {
				if kind == 1 {
					x[i] = float64(random.IntN(6))
				}
				if x[i] != x[i] {
					x[i] = math.Inf(1 - 2*random.IntN(2))
				}
			}
			sorted := slices.Sorted(slices.Values(x))
			bad := random.IntN(n)
			for _, table := range append(runnable(t), &Generic) {
				for _, k := range []int{1, 1 + random.IntN(n), 1 + n/2, n} {
					if got := table.Threshold.Kth(x, k); got != sorted[n-k] {
						t.Fatalf("%s, kind %d: %v is the %d-th largest of %d, want %v", table.Path, kind, got, k, n, sorted[n-k])
					}
				}
				good := x[bad]
				x[bad] = math.NaN()
				if got := table.Threshold.Kth(x, 1+random.IntN(n)); got == got {
					t.Fatalf("%s, NaN at %d of %d: %v", table.Path, bad, n, got)
				}
				x[bad] = good
			}
		}
	}
}
