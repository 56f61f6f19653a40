package rows

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// vectorCase is one call; indices repeat and come in any order.
type vectorCase[I index, V any] struct {
	idx []I
	val []V
	w   []float64
}

func newVectorCase[I index, V any](t testing.TB, length, cols int, random *rand.Rand, value func(*rand.Rand) float64) vectorCase[I, V] {
	v := vectorCase[I, V]{idx: asmtest.Guarded[I](t, length), w: asmtest.Guarded[float64](t, cols)}
	for e := range v.idx {
		v.idx[e] = I(random.IntN(cols))
		if e > 0 && random.IntN(8) == 0 {
			v.idx[e] = v.idx[e-1]
		}
	}
	asmtest.Fill(v.w, random, value)
	switch val := any(&v.val).(type) {
	case *[]float64:
		*val = asmtest.Guarded[float64](t, length)
		asmtest.Fill(*val, random, value)
	case *[]float32:
		*val = asmtest.Guarded[float32](t, length)
		for e := range *val {
			(*val)[e] = float32(value(random))
		}
	}
	return v
}

// vectorTable holds kernels to test, for vectors of up to a number of entries.
type vectorTable struct {
	name    string
	kernels *VectorKernels
	lengths int
	use     func() // comes before calls of entry points
}

// withDoors lists the kernels of every path that this CPU can run, and their entry points.
func withDoors(t *testing.T) (list []vectorTable) {
	before := int(path.Load())
	t.Cleanup(func() { Use(before) })
	doors := &VectorKernels{
		Dot: VectorDots{
			I32F64: throughDoor[uint32, float64], I32F32: throughDoor[uint32, float32], I32Ones: throughOnesDoor[uint32],
			I16F64: throughDoor[uint16, float64], I16F32: throughDoor[uint16, float32], I16Ones: throughOnesDoor[uint16],
		},
	}
	able := runnable(t)
	for i, k := range Paths {
		if i == 0 || slices.Contains(able, k) {
			use := func() { Use(i) }
			list = append(list, vectorTable{k.Path, &k.Vector, 71, use}, vectorTable{"doors on " + k.Path, doors, 25, use})
		}
	}
	return list
}

// accepts returns false for an error that refuses an index, and fails on other errors.
func accepts(err error) bool {
	if err != nil && !strings.Contains(err.Error(), "index") {
		panic(err)
	}
	return err == nil
}

func throughDoor[I index, V value](idx []I, val []V, w []float64) (float64, bool) {
	sum, err := SparseDot(unsafe.SliceData(idx), unsafe.SliceData(val), unsafe.SliceData(w), len(idx), len(val), len(w), 0)
	return sum, accepts(err)
}

func throughOnesDoor[I index](idx []I, _ []struct{}, w []float64) (float64, bool) {
	sum, err := SparseDot[I, uint8](unsafe.SliceData(idx), nil, unsafe.SliceData(w), len(idx), len(idx), len(w), 0)
	return sum, accepts(err)
}

// TestDoorsRefuseLengths: of values.
func TestDoorsRefuseLengths(t *testing.T) {
	idx, val, w := make([]uint32, 20), make([]float64, 20), make([]float64, 30)
	for _, table := range withDoors(t) {
		table.use()
		for _, n := range []int{0, 1, 4, 8, 9, 19} {
			_, err := SparseDot(&idx[0], &val[0], &w[0], n, n+1, 30, 0)
			if err == nil {
				t.Errorf("%s: %d values of %d indices are accepted", table.name, n+1, n)
			}
		}
	}
}

func testVector[I index, V any](t *testing.T, name string, of func(*VectorDots) VectorDot[I, V]) {
	tiny := func(*rand.Rand) float64 { return math.SmallestNonzeroFloat64 }
	minus := func(*rand.Rand) float64 { return -1 }
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.Hostile, asmtest.SomeHostile, tiny, minus}
	twin := of(&Generic.Vector.Dot)
	for _, table := range withDoors(t) {
		t.Run(name+"/"+table.name, func(t *testing.T) {
			table.use()
			dot := of(&table.kernels.Dot)
			refused := func(v vectorCase[I, V], at int) {
				t.Helper()
				if _, ok := dot(v.idx, v.val, v.w); ok {
					t.Fatalf("length %d, bad index at %d: accepted", len(v.idx), at)
				}
			}
			random := rand.New(rand.NewPCG(11, 13))
			for length := range table.lengths {
				for kind, value := range values {
					v := newVectorCase[I, V](t, length, 1+random.IntN(length+3), random, value)
					for i := range v.w {
						switch kind {
						case 3: // products that vanish to -0
							v.w[i] = -v.w[i]
						case 4: // products that are -0, which +0 takes in
							v.w[i] = float64(i % 2)
						}
					}
					want, ok := twin(v.idx, v.val, v.w)
					got, gotOK := dot(v.idx, v.val, v.w)
					if !ok || !gotOK || !asmtest.Same(got, want) {
						t.Fatalf("length %d, kind %d: %v (%x), %v, the twin has %v (%x), %v", length, kind,
							got, math.Float64bits(got), gotOK, want, math.Float64bits(want), ok)
					}
				}
				v := newVectorCase[I, V](t, length, 1+random.IntN(300), random, (*rand.Rand).NormFloat64)
				for at := range length {
					good := v.idx[at]
					v.idx[at] = I(len(v.w) + random.IntN(2)*(int(^I(0))-len(v.w)))
					refused(v, at)
					v.idx[at] = good
				}
				if _, ok := dot(v.idx, v.val, nil); ok != (length == 0) {
					t.Fatalf("length %d on an empty vector: reported %v", length, ok)
				}
			}
			for _, length := range []int{1<<16 - 1, 1 << 16, 1<<16 + 3, 1<<16 + 8} { // about as many as are checked eight at a time
				if !assembled || strings.HasSuffix(table.name, "generic") {
					break
				}
				v := newVectorCase[I, V](t, length, 1<<16-1, random, (*rand.Rand).NormFloat64)
				want, _ := twin(v.idx, v.val, v.w)
				if got, ok := dot(v.idx, v.val, v.w); !ok || got != want {
					t.Fatalf("length %d: %v, %v, want %v", length, got, ok, want)
				}
				for _, at := range []int{0, 12, length / 2, length - 9, length - 8, length - 4, length - 1} {
					good := v.idx[at]
					for _, v.idx[at] = range []I{1<<16 - 1, ^I(0)} {
						refused(v, at)
					}
					v.idx[at] = good
				}
			}
			long := newVectorCase[I, V](t, 100, 1<<16, random, (*rand.Rand).NormFloat64)
			long.idx[50] = 1<<16 - 1
			if _, ok := dot(long.idx, long.val, long.w); !ok {
				t.Fatal("index 65535 of 65536 refused")
			}
		})
	}
}

func TestVectorAgrees(t *testing.T) {
	testVector(t, "I32F64", func(k *VectorDots) VectorDot[uint32, float64] { return k.I32F64 })
	testVector(t, "I32F32", func(k *VectorDots) VectorDot[uint32, float32] { return k.I32F32 })
	testVector(t, "I32Ones", func(k *VectorDots) VectorDot[uint32, struct{}] { return k.I32Ones })
	testVector(t, "I16F64", func(k *VectorDots) VectorDot[uint16, float64] { return k.I16F64 })
	testVector(t, "I16F32", func(k *VectorDots) VectorDot[uint16, float32] { return k.I16F32 })
	testVector(t, "I16Ones", func(k *VectorDots) VectorDot[uint16, struct{}] { return k.I16Ones })
}
