package rows

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// vectorCase is one call of each kernel; indices repeat and come in any order.
type vectorCase[I index, V any] struct {
	idx       []I
	val       []V
	w1, w2, c []float64
}

func newVectorCase[I index, V any](t testing.TB, length, cols int, random *rand.Rand, value func(*rand.Rand) float64) vectorCase[I, V] {
	v := vectorCase[I, V]{idx: asmtest.Guarded[I](t, length), w1: asmtest.Guarded[float64](t, cols), w2: asmtest.Guarded[float64](t, cols), c: []float64{value(random)}}
	for e := range v.idx {
		v.idx[e] = I(random.IntN(cols))
		if e > 0 && random.IntN(8) == 0 {
			v.idx[e] = v.idx[e-1]
		}
	}
	asmtest.Fill(v.w1, random, value)
	asmtest.Fill(v.w2, random, value)
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
func (v vectorCase[I, V]) run(t testing.TB, k *VectorOf[I, V]) (results []float64, ok [3]bool) {
	w := slices.Clone(v.w1)
	ok[0] = k.Add(w, v.c[0], v.idx, v.val)
	sum, okDot := k.Dot(v.idx, v.val, v.w1)
	sum1, sum2, okDot2 := k.Dot2(v.idx, v.val, v.w1, v.w2)
	ok[1], ok[2] = okDot, okDot2
	return append(w, sum, sum1, sum2), ok
}

func testVector[I index, V any](t *testing.T, name string, of func(*VectorKernels) *VectorOf[I, V]) {
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.Hostile, asmtest.SomeHostile}
	for _, table := range runnable(t) {
		t.Run(name+"/"+table.Path, func(t *testing.T) {
			random := rand.New(rand.NewPCG(11, 13))
			for length := range 71 {
				for kind, value := range values {
					cols := 1 + random.IntN(length+3)
					v := newVectorCase[I, V](t, length, cols, random, value)
					want, ok := v.run(t, of(&Generic.Vector))
					got, gotOK := v.run(t, of(&table.Vector))
					if ok != gotOK || ok != [3]bool{true, true, true} {
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
					v.idx[at] = I(len(v.w1) + random.IntN(2)*(int(^I(0))-len(v.w1)))
					got, ok := v.run(t, of(&table.Vector))
					if ok != [3]bool{} {
						t.Fatalf("length %d, bad index at %d: reported %v", length, at, ok)
					}
					for j, x := range append(slices.Clone(v.w1), 0, 0, 0) {
						if !asmtest.Same(got[j], x) {
							t.Fatalf("length %d, bad index at %d: element %d changed from %v to %v", length, at, j, x, got[j])
						}
					}
					v.idx[at] = good
				}
				v.w1, v.w2 = nil, nil
				if _, ok := v.run(t, of(&table.Vector)); ok[0] != (length == 0) || ok[1] != ok[0] || ok[2] != ok[0] {
					t.Fatalf("length %d on an empty vector: reported %v", length, ok)
				}
			}
			long := newVectorCase[I, V](t, 100, 1<<16, random, (*rand.Rand).NormFloat64)
			long.idx[50] = 1<<16 - 1
			if _, ok := long.run(t, of(&table.Vector)); ok != [3]bool{true, true, true} {
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
	for _, table := range append(runnable(t), &Generic) {
		t.Run(name+"/"+table.Path, func(t *testing.T) {
			random := rand.New(rand.NewPCG(5, 6))
			for length := range 150 {
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
						if got := of(&table.Vector)(x); got != want {
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
