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

// vectorCase is one call of each kernel; indices repeat and come in any order.
type vectorCase[I index, V any] struct {
	idx  []I
	val  []V
	w, c []float64
}

func newVectorCase[I index, V any](t testing.TB, length, cols int, random *rand.Rand, value func(*rand.Rand) float64) vectorCase[I, V] {
	v := vectorCase[I, V]{idx: asmtest.Guarded[I](t, length), w: asmtest.Guarded[float64](t, cols), c: []float64{value(random)}}
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

// run returns all results, and whether each of the kernels found the indices
// good.
func (v vectorCase[I, V]) run(t testing.TB, k *VectorOf[I, V]) (results []float64, ok [2]bool) {
	w := slices.Clone(v.w)
	ok[0] = k.Add(w, v.c[0], v.idx, v.val)
	sum, okDot := k.Dot(v.idx, v.val, v.w)
	ok[1] = okDot
	return append(w, sum), ok
}

// vectorTable are kernels to test, up to so many entries.
type vectorTable struct {
	name    string
	kernels *VectorKernels
	lengths int
	use     func() // comes before their calls
}

// withDoors lists the kernels of every path that this CPU can run, and the doors to them.
func withDoors(t *testing.T) (list []vectorTable) {
	before := int(path.Load())
	t.Cleanup(func() { Use(before) })
	doors := &VectorKernels{
		I32F64: doorsOf[uint32, float64](), I32F32: doorsOf[uint32, float32](), I32Ones: onesDoorsOf[uint32](),
		I16F64: doorsOf[uint16, float64](), I16F32: doorsOf[uint16, float32](), I16Ones: onesDoorsOf[uint16](),
		MaxU32: func(x []uint32) uint32 { return uint32(MaxIndex(4, address(x), len(x))) },
		MaxU16: func(x []uint16) uint16 { return uint16(MaxIndex(2, address(x), len(x))) },
	}
	able := runnable(t)
	for i, k := range Paths {
		if i == 0 || slices.Contains(able, k) {
			use := func() { Use(i) } // Add of some kernels is the door
			list = append(list, vectorTable{k.Path, &k.Vector, 71, use}, vectorTable{"doors on " + k.Path, doors, 25, use})
		}
	}
	return list
}

func address[T any](x []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(x)) }

// accepts tells an index that was refused from other errors.
func accepts(err error) bool {
	if err != nil && !strings.Contains(err.Error(), "index") {
		panic(err)
	}
	return err == nil
}

func doorsOf[I index, V value]() VectorOf[I, V] {
	return VectorOf[I, V]{
		Dot: func(idx []I, val []V, w []float64) (float64, bool) {
			sum, err := SparseDot(unsafe.SliceData(idx), unsafe.SliceData(val), unsafe.SliceData(w), len(idx), len(val), len(w), 0)
			return sum, accepts(err)
		},
		Add: func(w []float64, c float64, idx []I, val []V) bool {
			add := map[uintptr]func(w *float64, c float64, idx, val unsafe.Pointer, n, nw int) error{
				SizeI32F64: AddI32F64, SizeI16F64: AddI16F64, SizeI32F32: AddI32F32, SizeI16F32: AddI16F32,
			}[unsafe.Sizeof(LayoutOf[I, V]{})]
			return accepts(add(unsafe.SliceData(w), c, address(idx), address(val), len(idx), len(w)))
		},
	}
}

func onesDoorsOf[I index]() VectorOf[I, struct{}] {
	return VectorOf[I, struct{}]{
		Dot: func(idx []I, _ []struct{}, w []float64) (float64, bool) {
			sum, err := SparseDot[I, uint8](unsafe.SliceData(idx), nil, unsafe.SliceData(w), len(idx), len(idx), len(w), 0)
			return sum, accepts(err)
		},
		Add: func(w []float64, c float64, idx []I, _ []struct{}) bool {
			return accepts(SparseAddOnes(unsafe.Sizeof(*new(I)), unsafe.SliceData(w), c, address(idx), len(idx), len(w)))
		},
	}
}

// TestAddRefusesOverlaps lays the indices and the values of a vector at all places around
// w, in steps of an index.
func TestAddRefusesOverlaps(t *testing.T) {
	const entries, elements, bytes = 3, 4, 2
	room := make([]float64, 64)
	base := unsafe.Pointer(&room[0])
	w := room[30 : 30+elements]
	for _, table := range withDoors(t)[1:] {
		if table.lengths != 25 {
			continue
		}
		table.use()
		for n := range entries + 1 {
			for offset := 160; offset < 320; offset += bytes {
				p := unsafe.Add(base, offset)
				over := func(size int) bool { return n > 0 && offset < 240+8*elements && offset+n*size > 240 }
				idx, val := make([]uint16, n), make([]float32, n)
				clear(room)
				if err := AddI16F32(&w[0], 1, p, address(val), n, elements); (err != nil) != over(2) {
					t.Errorf("%s: %d 16-bit indices at %d of w at 240: %v", table.name, n, offset, err)
				}
				if err := SparseAddOnes(2, &w[0], 1, p, n, elements); (err != nil) != over(2) {
					t.Errorf("%s: %d 16-bit indices without values at %d of w at 240: %v", table.name, n, offset, err)
				}
				clear(room)
				if err := AddI16F32(&w[0], 1, address(idx), p, n, elements); (err != nil) != over(4) && offset%4 == 0 {
					t.Errorf("%s: %d float32 values at %d of w at 240: %v", table.name, n, offset, err)
				}
				if err := AddI16F64(&w[0], 1, address(idx), p, n, elements); (err != nil) != over(8) && offset%8 == 0 {
					t.Errorf("%s: %d float64 values at %d of w at 240: %v", table.name, n, offset, err)
				}
			}
		}
	}
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

func testVector[I index, V any](t *testing.T, name string, of func(*VectorKernels) *VectorOf[I, V]) {
	tiny := func(*rand.Rand) float64 { return math.SmallestNonzeroFloat64 }
	minus := func(*rand.Rand) float64 { return -1 }
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.Hostile, asmtest.SomeHostile, tiny, minus}
	for _, table := range withDoors(t) {
		t.Run(name+"/"+table.name, func(t *testing.T) {
			table.use()
			random := rand.New(rand.NewPCG(11, 13))
			for length := range table.lengths {
				for kind, value := range values {
					cols := 1 + random.IntN(length+3)
					v := newVectorCase[I, V](t, length, cols, random, value)
					for i := range v.w {
						switch kind {
						case 3: // products that vanish to -0
							v.w[i] = -v.w[i]
						case 4: // products that are -0, which +0 takes in
							v.w[i] = float64(i % 2)
						}
					}
					want, ok := v.run(t, of(&Generic.Vector))
					got, gotOK := v.run(t, of(table.kernels))
					if ok != gotOK || ok != [2]bool{true, true} {
						t.Fatalf("length %d: good indices: %v, the twin says %v", length, gotOK, ok)
					}
					for i := range want {
						if !asmtest.Same(got[i], want[i]) {
							t.Fatalf("length %d, kind %d, result %d of %d: %v (%x), the twin has %v (%x)", length, kind, i, len(want),
								got[i], math.Float64bits(got[i]), want[i], math.Float64bits(want[i]))
						}
					}
				}
				v := newVectorCase[I, V](t, length, 1+random.IntN(300), random, (*rand.Rand).NormFloat64)
				for at := range length {
					good := v.idx[at]
					v.idx[at] = I(len(v.w) + random.IntN(2)*(int(^I(0))-len(v.w)))
					got, ok := v.run(t, of(table.kernels))
					if ok != [2]bool{} {
						t.Fatalf("length %d, bad index at %d: reported %v", length, at, ok)
					}
					for j, x := range append(slices.Clone(v.w), 0) {
						if !asmtest.Same(got[j], x) {
							t.Fatalf("length %d, bad index at %d: element %d changed from %v to %v", length, at, j, x, got[j])
						}
					}
					v.idx[at] = good
				}
				v.w = nil
				if _, ok := v.run(t, of(table.kernels)); ok[0] != (length == 0) || ok[1] != ok[0] {
					t.Fatalf("length %d on an empty vector: reported %v", length, ok)
				}
			}
			for _, length := range []int{1<<16 - 1, 1 << 16, 1<<16 + 3, 1<<16 + 8} { // about as many as are checked eight at a time
				if !assembled || strings.HasSuffix(table.name, "generic") {
					break
				}
				v := newVectorCase[I, V](t, length, 1<<16-1, random, (*rand.Rand).NormFloat64)
				want, _ := v.run(t, of(&Generic.Vector))
				got, ok := v.run(t, of(table.kernels))
				if ok != [2]bool{true, true} || !slices.Equal(got, want) {
					t.Fatalf("length %d: reported %v, equal %v", length, ok, slices.Equal(got, want))
				}
				for _, at := range []int{0, 12, length / 2, length - 9, length - 8, length - 4, length - 1} {
					good := v.idx[at]
					for _, v.idx[at] = range []I{1<<16 - 1, ^I(0)} {
						if got, ok := v.run(t, of(table.kernels)); ok != [2]bool{} || !slices.Equal(got[:len(v.w)], v.w) {
							t.Fatalf("length %d, bad index at %d: reported %v", length, at, ok)
						}
					}
					v.idx[at] = good
				}
			}
			long := newVectorCase[I, V](t, 100, 1<<16, random, (*rand.Rand).NormFloat64)
			long.idx[50] = 1<<16 - 1
			if _, ok := long.run(t, of(table.kernels)); ok != [2]bool{true, true} {
				t.Fatalf("index 65535 of 65536 refused: %v", ok)
			}
		})
	}
}

func TestVectorAgrees(t *testing.T) {
	testVector(t, "I32F64", func(k *VectorKernels) *VectorOf[uint32, float64] { return &k.I32F64 })
	testVector(t, "I32F32", func(k *VectorKernels) *VectorOf[uint32, float32] { return &k.I32F32 })
	testVector(t, "I32Ones", func(k *VectorKernels) *VectorOf[uint32, struct{}] { return &k.I32Ones })
	testVector(t, "I16F64", func(k *VectorKernels) *VectorOf[uint16, float64] { return &k.I16F64 })
	testVector(t, "I16F32", func(k *VectorKernels) *VectorOf[uint16, float32] { return &k.I16F32 })
	testVector(t, "I16Ones", func(k *VectorKernels) *VectorOf[uint16, struct{}] { return &k.I16Ones })
}

func testMax[I index](t *testing.T, name string, of func(*VectorKernels) func([]I) I) {
	for _, table := range withDoors(t) {
		t.Run(name+"/"+table.name, func(t *testing.T) {
			table.use()
			random := rand.New(rand.NewPCG(5, 6))
			for length := range table.lengths + 80 {
				for _, room := range []func(testing.TB, int) []I{asmtest.Guarded[I], asmtest.GuardedFront[I]} {
					x := room(t, length)
					want := I(0)
					for at := -1; at < length; at += 1 + length/30 {
						for i := range x {
							x[i] = I(random.Uint32()) >> 1
						}
						if at >= 0 {
							x[at] |= ^(^I(0) >> 1)
						}
						if length > 0 {
							want = slices.Max(x)
						}
						if got := of(table.kernels)(x); got != want {
							t.Fatalf("length %d, greatest at %d: %d, want %d", length, at, got, want)
						}
					}
				}
			}
		})
	}
}

func TestMaxIndex(t *testing.T) {
	testMax(t, "uint32", func(k *VectorKernels) func([]uint32) uint32 { return k.MaxU32 })
	testMax(t, "uint16", func(k *VectorKernels) func([]uint16) uint16 { return k.MaxU16 })
}

// testEveryIndex makes every index of longer vectors one too large, which ADD has to see
// before it writes.
func testEveryIndex[I index](t *testing.T, add func(w []float64, idx []I) error) {
	w := make([]float64, 9)
	for _, n := range []int{63, 64, 65, 71, 72, 80, 95, 96, 97, 127, 128, 129, 143, 144, 145, 160, 191, 192, 193, 256, 257} {
		idx := asmtest.Guarded[I](t, n)
		for e := range idx {
			idx[e] = I(e % len(w))
		}
		for at, good := range idx {
			idx[at] = I(len(w))
			if err := add(w, idx); err == nil || slices.ContainsFunc(w, func(x float64) bool { return x != 0 }) {
				t.Fatalf("%d entries, index %d too large: %v, w = %v", n, at, err, w)
			}
			idx[at] = good
		}
	}
}

func TestAddFindsEveryIndex(t *testing.T) {
	for _, table := range withDoors(t) {
		table.use()
		testEveryIndex(t, func(w []float64, idx []uint32) error {
			return SparseAddOnes(sizeI32, unsafe.SliceData(w), 1, address(idx), len(idx), len(w))
		})
		testEveryIndex(t, func(w []float64, idx []uint16) error {
			return SparseAddOnes(unsafe.Sizeof(uint16(0)), unsafe.SliceData(w), 1, address(idx), len(idx), len(w))
		})
	}
}
