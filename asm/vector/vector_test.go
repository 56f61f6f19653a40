package vector_test

import (
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
	"github.com/lanes-go/lanes/asm/vector"
	"github.com/lanes-go/lanes/internal/testing/operands"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// TestListIsComplete: List has the fields of Kernels, in their order.
func TestListIsComplete(t *testing.T) {
	kind := reflect.TypeFor[vector.Kernels]()
	if kind.NumField() != len(vector.List)+1 {
		t.Fatalf("%d kernels, List has %d", kind.NumField()-1, len(vector.List))
	}
	for i, k := range vector.List {
		if name := kind.Field(i + 1).Name; name != k.Name || k.About == "" || k.Operations+k.Divisions == 0 {
			t.Errorf("%s stands for %s in List, or lacks its words or its cost: %+v", k.Name, name, k)
		}
	}
}

// TestAgrees compares every kernel of every path with its twin. A destination that may be an operand
// is that too.
func TestAgrees(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 9))
	paths := asmtest.Runnable(t, vector.Paths[1:], func(k *vector.Kernels) string { return k.Path })
	for _, k := range vector.List {
		t.Run(k.Name, func(t *testing.T) { // which gives its memory back
			for _, n := range lengths() {
				for kind := range operands.Kinds {
					in := operands.Make(k, n, operands.Random{Rand: random, Kind: kind}, func(slice reflect.Type, n int) reflect.Value {
						return guarded(t, slice, n, kind%2 == 0)
					})
					compare(t, k, paths, in)
					if operands.Of(k, &vector.Generic).Type().NumOut() > 0 || k.Shape != vector.Vectors {
						continue
					}
					for _, operand := range in[1:] {
						if in[0].Type() == operand.Type() {
							compare(t, k, paths, append([]reflect.Value{operand}, in[1:]...))
						}
					}
				}
			}
		})
	}
}

// numbersOf returns what the values hold, for messages.
func numbersOf(values []reflect.Value) (list []any) {
	for _, v := range values {
		list = append(list, v.Interface())
	}
	return list
}

func compare(t *testing.T, k vector.Kernel, paths []*vector.Kernels, in []reflect.Value) {
	t.Helper()
	want := operands.Results(operands.Of(k, &vector.Generic), in)
	for _, p := range paths {
		if got := operands.Results(operands.Of(k, p), in); !operands.Same(got, want) {
			t.Fatalf("%s %s: %v, the twin has %v", p.Path, k.Name, numbersOf(got), numbersOf(want))
		}
	}
}

// guarded returns a slice next to a page that may not be touched.
func guarded(t *testing.T, slice reflect.Type, n int, atEnd bool) reflect.Value {
	switch slice.Elem().Kind() {
	case reflect.Float32:
		return room[float32](t, n, atEnd)
	case reflect.Float64:
		return room[float64](t, n, atEnd)
	case reflect.Uint16:
		return room[uint16](t, n, atEnd)
	case reflect.Int8:
		return room[int8](t, n, atEnd)
	case reflect.Int32:
		return room[int32](t, n, atEnd)
	case reflect.Uint32:
		return room[uint32](t, n, atEnd)
	case reflect.Uint64:
		return room[uint64](t, n, atEnd)
	}
	t.Fatalf("no memory for %v", slice)
	return reflect.Value{}
}

func room[T any](t *testing.T, n int, atEnd bool) reflect.Value {
	if atEnd {
		return reflect.ValueOf(asmtest.Guarded[T](t, n))
	}
	return reflect.ValueOf(asmtest.GuardedFront[T](t, n))
}

func lengths() []int {
	return append(asmtest.Upto(140), 191, 192, 193, 255, 256, 257, 511, 512, 513, 1000)
}

// TestCosineIsNotMinusZero has products that are all -0, and norms that are not.
func TestCosineIsNotMinusZero(t *testing.T) {
	for _, p := range asmtest.Runnable(t, vector.Paths, func(k *vector.Kernels) string { return k.Path }) {
		x, y := make([]float32, 200), make([]float32, 200)
		for i := range x {
			x[i], y[i] = float32(i%2), float32(1-i%2)
			if x[i] == 0 {
				x[i] = float32(math.Copysign(0, -1))
			} else {
				y[i] = float32(math.Copysign(0, -1))
			}
		}
		for n := range x {
			if got := p.Cosine(x[:n], y[:n]); math.Float32bits(got) != 0 {
				t.Errorf("%s: %v of %d elements", p.Path, got, n)
			}
		}
	}
}

// TestLongCosine has lengths at which the sums of a cosine are kept elsewhere.
func TestLongCosine(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 5))
	x, y := make([]float32, 20000), make([]float32, 20000)
	for i := range x {
		x[i], y[i] = float32(random.NormFloat64()), float32(random.NormFloat64())
	}
	paths := asmtest.Runnable(t, vector.Paths, func(k *vector.Kernels) string { return k.Path })
	for _, n := range []int{128, 160, 4096, 4100, 4128, 16383, 16384, 16385, 16384 + 31, 16384 + 64, 16384 + 97, 16384 + 127, 16384 + 128, 19999} {
		want := vector.Generic.Cosine(x[:n], y[:n])
		for _, p := range paths {
			rows := []float32{0}
			p.CosineRows(rows, x[:n], y, n, nil)
			if got := p.Cosine(x[:n], y[:n]); got != want || rows[0] != want {
				t.Errorf("%s: %v and %v of %d elements, the twin has %v", p.Path, got, rows[0], n, want)
			}
		}
	}
}

// definedPlace goes through all pairs.
func definedPlace(x []float32, better func(a, b float32) bool) int {
	if i := slices.IndexFunc(x, func(v float32) bool { return v != v }); i >= 0 {
		return i
	}
	return slices.IndexFunc(x, func(v float32) bool {
		return !slices.ContainsFunc(x, func(u float32) bool { return better(u, v) })
	})
}

// definitions are the kernels once more, from the words of Kernels.
var definitions = map[string]any{
	"Dot":             definedDot,
	"SquaredDistance": definedDistance,
	"SquaredNorm":     func(x []float32) float32 { return definedDot(x, x) },
	"Sum": func(x []float32) float32 {
		return definedSum(len(x), func(i int, acc float32) float32 { return float32(float64(x[i]) + float64(acc)) })
	},
	"Min":                     orZero(slices.Min[[]float32]),
	"Max":                     orZero(slices.Max[[]float32]),
	"ArgMin":                  func(x []float32) int { return definedPlace(x, func(a, b float32) bool { return a < b }) },
	"ArgMax":                  func(x []float32) int { return definedPlace(x, func(a, b float32) bool { return a > b }) },
	"DotRows":                 byRows(definedDot),
	"SquaredDistanceRows":     byRows(definedDistance),
	"Cosine":                  definedCosine,
	"CosineRows":              byRows(definedCosine),
	"DotInt8":                 definedDotInt8,
	"SquaredDistanceInt8":     definedDistanceInt8,
	"DotInt8Rows":             byRows(definedDotInt8),
	"SquaredDistanceInt8Rows": byRows(definedDistanceInt8),
	"SparseAxpyU32F64":        definedAxpy[uint32, float64, float64],
	"SparseAxpyU32F32":        definedAxpy[uint32, float32, float64],
	"SparseAxpyU16F64":        definedAxpy[uint16, float64, float64],
	"SparseAxpyU16F32":        definedAxpy[uint16, float32, float64],
	"SparseAxpy32U32":         definedAxpy[uint32, float32, float32],
	"SparseAxpy32U16":         definedAxpy[uint16, float32, float32],
	"SparseAxpyOnesU32":       definedOnes[uint32, float64],
	"SparseAxpyOnesU16":       definedOnes[uint16, float64],
	"SparseAxpyOnes32U32":     definedOnes[uint32, float32],
	"SparseAxpyOnes32U16":     definedOnes[uint16, float32],
	"Hamming":                 definedHamming,
	"HammingRows":             byRows(definedHamming),
	"Jaccard":                 definedJaccard,
	"JaccardRows":             byRows(definedJaccard),
	"Scale": func(dst []float32, a float32, x []float32) {
		for i := range dst {
			dst[i] = float32(float64(a) * float64(x[i])) // exact in float64
		}
	},
	// Sums in float64 may be rounded twice: 53 bits are at least 2*24+2.
	"Add": byElements(func(x, y float32) float32 { return float32(float64(x) + float64(y)) }),
	"Sub": byElements(func(x, y float32) float32 { return float32(float64(x) - float64(y)) }),
	"Mul": byElements(func(x, y float32) float32 { return float32(float64(x) * float64(y)) }),
	"MulAdd": func(dst, x, y, z []float32) {
		for i := range dst {
			dst[i] = exact(x[i], y[i], z[i])
		}
	},
	"AddScaled": func(dst []float32, a float32, x, y []float32) {
		for i := range dst {
			dst[i] = exact(a, x[i], y[i])
		}
	},
	"Clamp": func(dst, x []float32, lo, hi float32) {
		for i, v := range x {
			if dst[i] = v; v < lo {
				dst[i] = lo
			} else if v > hi {
				dst[i] = hi
			}
		}
	},
	"ExpMinus": func(dst, x []float32, a float32) {
		for i, v := range x {
			vector.Generic.Exp(dst[i:i+1], []float32{float32(float64(v) - float64(a))})
		}
	},
	"Quantise":     definedQuantise,
	"Dequantise":   definedDequantise,
	"ToFloat16":    definedToFloat16,
	"FromFloat16":  definedFromFloat16,
	"ToBFloat16":   definedToBFloat16,
	"FromBFloat16": definedFromBFloat16,
	"Divide": func(dst, x []float32, a float32) {
		for i := range dst {
			dst[i] = float32(float64(x[i]) / float64(a)) // rounding twice is harmless here: 53 bits are at least 2*24+2
		}
	},
}

func byElements(of func(x, y float32) float32) func(dst, x, y []float32) {
	return func(dst, x, y []float32) {
		for i := range dst {
			dst[i] = of(x[i], y[i])
		}
	}
}

func byRows[D, T any](of func(x, y []T) D) func(dst []D, query, rows []T, stride int, list []uint32) {
	return func(dst []D, query, rows []T, stride int, list []uint32) {
		for k := range dst {
			i := k
			if list != nil {
				i = int(list[k])
			}
			dst[k] = of(query, rows[i*stride:i*stride+len(query)])
		}
	}
}

// orZero is of no elements 0.
func orZero(of func(x []float32) float32) func(x []float32) float32 {
	return func(x []float32) float32 {
		if len(x) == 0 {
			return 0
		}
		return of(x)
	}
}

func definedDot(x, y []float32) float32 {
	return definedSum(len(x), func(i int, acc float32) float32 { return exact(x[i], y[i], acc) })
}

func definedDistance(x, y []float32) float32 {
	return definedSum(len(x), func(i int, acc float32) float32 { return exact(x[i]-y[i], x[i]-y[i], acc) })
}

// definedCosine divides in 200 bits.
func definedCosine(x, y []float32) float32 {
	xy, xx, yy := float64(definedDot(x, y)), float64(definedDot(x, x)), float64(definedDot(y, y))
	if xx*yy == 0 {
		return 0
	}
	if s := xx + yy; s-s != 0 {
		return float32(math.NaN())
	}
	root := new(big.Float).SetPrec(200).SetFloat64(float64(xx * yy)) // exact
	rounded, _ := root.Sqrt(root).Float64()
	quotient, _ := root.Quo(new(big.Float).SetPrec(200).SetFloat64(xy), big.NewFloat(rounded)).Float64()
	return float32(math.Min(1, math.Max(-1, quotient)))
}

func definedSum(n int, add func(i int, acc float32) float32) float32 {
	lanes := make([]float32, 64)
	for lane := range lanes {
		for i := lane; i < n; i += 64 {
			lanes[lane] = add(i, lanes[lane])
		}
	}
	for len(lanes) > 1 {
		half := len(lanes) / 2
		for l, v := range lanes[half:] {
			lanes[l] += v
		}
		lanes = lanes[:half]
	}
	if lanes[0] == 0 {
		return 0
	}
	return lanes[0]
}

// exact is x*y + z of many bits, rounded once.
func exact(x, y, z float32) float32 {
	p := float64(x) * float64(y)
	if s := p + float64(z); s-s != 0 || s == 0 {
		return float32(s)
	}
	sum := new(big.Float).SetPrec(1000).SetFloat64(p)
	rounded, _ := sum.Add(sum, big.NewFloat(float64(z))).Float32()
	return rounded
}

// TestTwins compares the twins with their definitions.
func TestTwins(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for _, k := range vector.List {
		if functions[k.Name].of != nil {
			continue // TestFunctions has them
		}
		definition := reflect.ValueOf(definitions[k.Name])
		if !definition.IsValid() {
			t.Errorf("%s has no definition", k.Name)
			continue
		}
		for n := range repeat.Size(200, 40) {
			for kind := range operands.Kinds {
				in := operands.Make(k, n, operands.Random{Rand: random, Kind: kind}, func(slice reflect.Type, n int) reflect.Value {
					return reflect.MakeSlice(slice, n, n)
				})
				got, want := operands.Results(operands.Of(k, &vector.Generic), in), operands.Results(definition, in)
				if !operands.Same(got, want) {
					t.Fatalf("%s of %d elements of kind %d: %v, want %v", k.Name, n, kind, got, want)
				}
			}
		}
	}
}

func definedDotInt8(x, y []int8) int32 {
	sum := int64(0)
	for i := range x {
		sum += int64(x[i]) * int64(y[i])
	}
	return int32(sum)
}

func definedDistanceInt8(x, y []int8) int32 {
	sum := 0.0
	for i := range x {
		sum += math.Pow(float64(x[i])-float64(y[i]), 2)
	}
	return int32(sum)
}

// bit tells whether a set has bit i.
func bit(x []uint64, i int) bool { return x[i/64]>>(i%64)&1 == 1 }

func definedHamming(x, y []uint64) (count int32) {
	for i := range 64 * len(x) {
		if bit(x, i) != bit(y, i) {
			count++
		}
	}
	return count
}

func definedJaccard(x, y []uint64) float32 {
	both, either := 0, 0
	for i := range 64 * len(x) {
		if bit(x, i) && bit(y, i) {
			both++
		}
		if bit(x, i) || bit(y, i) {
			either++
		}
	}
	if either == 0 {
		return 0
	}
	quotient, _ := big.NewRat(int64(both), int64(either)).Float64()
	return float32(quotient)
}

type number interface{ float32 | float64 }

// definedAxpy collects what is added to an element, and adds it in the order of the entries.
func definedAxpy[I uint16 | uint32, V, Y number](a Y, idx []I, val []V, y []Y) bool {
	for j := range y {
		sum := y[j]
		for e, i := range idx {
			switch {
			case int(i) >= len(y):
				return false
			case int(i) == j && unsafe.Sizeof(a) == 4:
				sum = Y(exact(float32(a), float32(val[e]), float32(sum)))
			case int(i) == j:
				sum = Y(exact64(float64(a), float64(val[e]), float64(sum)))
			}
		}
		y[j] = sum
	}
	return true
}

func definedOnes[I uint16 | uint32, Y number](a Y, idx []I, y []Y) bool {
	ones := make([]Y, len(idx))
	for e := range ones {
		ones[e] = 1
	}
	return definedAxpy(a, idx, ones, y)
}

// exact64 is exact for float64.
func exact64(x, y, z float64) float64 {
	switch {
	case x-x != 0 || y-y != 0 || x == 0 || y == 0:
		return float64(x*y) + z
	case z-z != 0:
		return z // whatever the product overflows to
	}
	sum := new(big.Float).SetPrec(5000).SetFloat64(x)
	sum.Mul(sum, big.NewFloat(y)).Add(sum, big.NewFloat(z))
	if sum.Sign() == 0 {
		return 0
	}
	rounded, _ := sum.Float64()
	return rounded
}
