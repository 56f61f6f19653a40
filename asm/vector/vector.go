// Package vector holds the kernels on vectors of float32 in float32 arithmetic, of int8 and of bits:
// one vector with another, or one with many rows.
//
// Package asm says what callers promise. List describes every kernel: the tests of all paths, the
// fuzz target, the roofline and the list in the docs are made from it. The assembly, its
// declarations and the functions that choose a path are written by asm/internal/generate.
package vector

import "sync/atomic"

// Kernels are the kernels of one CPU path. No entry is nil.
//
// A sum of float32 has 64 lanes: element i goes to lane i mod 64. Lanes begin as 0, and each
// accumulates in the order of its elements. Then lane l takes lane l+32 for all l below 32, then
// lane l+16, and so on down to lane 1; 0 is added to lane 0, so that a sum of 0 is +0. Sums of
// integers are exact.
//
// A kernel on rows computes dst[k] of the query and of a row with the query's length, as the kernel
// of two vectors does. Row i begins at rows[i*stride]. dst[k] is of row list[k], or of row k where
// list is nil.
type Kernels struct {
	// Path names the CPU path: generic, avx2, avx2-vnni, avx512, avx512-vnni, neon or neon-dot.
	Path string

	// Dot: acc = fma(x[i], y[i], acc).
	Dot func(x, y []float32) float32
	// SquaredDistance: d = x[i] - y[i], acc = fma(d, d, acc).
	SquaredDistance func(x, y []float32) float32
	// Sum: acc = x[i] + acc.
	Sum func(x []float32) float32
	// SquaredNorm is Dot(x, x).
	SquaredNorm func(x []float32) float32
	// Min is NaN if an element is NaN. -0 is less than +0. Max likewise. Both are 0 for no elements.
	Min func(x []float32) float32
	Max func(x []float32) float32
	// ArgMin is the first place of the least element, as zeros of both signs compare; of the first
	// NaN, if there is one; -1 for no elements.
	ArgMin func(x []float32) int
	// ArgMax is the first place of the largest element.
	ArgMax func(x []float32) int
	// DotRows is Dot of the query with rows.
	DotRows func(dst, query, rows []float32, stride int, list []uint32)
	// SquaredDistanceRows is SquaredDistance of the query and rows.
	SquaredDistanceRows func(dst, query, rows []float32, stride int, list []uint32)
	// Cosine: with xy of Dot(x, y), xx of Dot(x, x) and yy of Dot(y, y), xy over the root of xx*yy, in
	// float64, within -1 and 1; 0 where xx*yy is 0, and NaN where it is not finite. (Where it is, xy is
	// finite, or overflows by rounding.)
	Cosine func(x, y []float32) float32
	// CosineRows is Cosine of the query and rows.
	CosineRows func(dst, query, rows []float32, stride int, list []uint32)
	// DotInt8 is the sum of x[i] y[i], modulo 2^32.
	DotInt8 func(x, y []int8) int32
	// SquaredDistanceInt8 is the sum of (x[i] - y[i])^2, modulo 2^32.
	SquaredDistanceInt8 func(x, y []int8) int32
	// DotInt8Rows is DotInt8 of the query with rows.
	DotInt8Rows func(dst []int32, query, rows []int8, stride int, list []uint32)
	// SquaredDistanceInt8Rows is SquaredDistanceInt8 of the query and rows.
	SquaredDistanceInt8Rows func(dst []int32, query, rows []int8, stride int, list []uint32)

	// Hamming counts the bits in which x and y differ, modulo 2^32.
	Hamming func(x, y []uint64) int32
	// HammingRows is Hamming of the query and rows.
	HammingRows func(dst []int32, query, rows []uint64, stride int, list []uint32)
	// Jaccard is the number of bits in x and y, over those in x or y, divided in float64; 0 without
	// any.
	Jaccard func(x, y []uint64) float32
	// JaccardRows is Jaccard of the query and rows.
	JaccardRows func(dst []float32, query, rows []uint64, stride int, list []uint32)

	// Sparse: y[idx[e]] = fma(a, val[e], y[idx[e]]), or y[idx[e]] += a of Ones, one entry after the
	// other; an index may repeat. They check the indices, and return false where one is not below
	// len(y); y is as before then. Names tell the layout: U32 and U16 of the indices, F64 and F32 of
	// the values of float64 vectors. Those of float32 vectors have 32 before it.
	SparseAxpyU32F64    func(a float64, idx []uint32, val []float64, y []float64) bool
	SparseAxpyU32F32    func(a float64, idx []uint32, val []float32, y []float64) bool
	SparseAxpyOnesU32   func(a float64, idx []uint32, y []float64) bool
	SparseAxpy32U32     func(a float32, idx []uint32, val, y []float32) bool
	SparseAxpyOnes32U32 func(a float32, idx []uint32, y []float32) bool
	SparseAxpyU16F64    func(a float64, idx []uint16, val []float64, y []float64) bool
	SparseAxpyU16F32    func(a float64, idx []uint16, val []float32, y []float64) bool
	SparseAxpyOnesU16   func(a float64, idx []uint16, y []float64) bool
	SparseAxpy32U16     func(a float32, idx []uint16, val, y []float32) bool
	SparseAxpyOnes32U16 func(a float32, idx []uint16, y []float32) bool

	// Of the kernels that write a vector, dst may be an operand.

	// Divide: dst[i] = x[i] / a.
	Divide func(dst, x []float32, a float32)
	// Scale: dst[i] = a * x[i].
	Scale func(dst []float32, a float32, x []float32)
	// Add: dst[i] = x[i] + y[i].
	Add func(dst, x, y []float32)
	// Sub: dst[i] = x[i] - y[i].
	Sub func(dst, x, y []float32)
	// Mul: dst[i] = x[i] * y[i].
	Mul func(dst, x, y []float32)
	// MulAdd: dst[i] = fma(x[i], y[i], z[i]).
	MulAdd func(dst, x, y, z []float32)
	// AddScaled: dst[i] = fma(a, x[i], y[i]).
	AddScaled func(dst []float32, a float32, x, y []float32)
	// Clamp: dst[i] = lo if x[i] < lo, hi if x[i] > hi, and else x[i], NaN too; lo <= hi.
	Clamp func(dst, x []float32, lo, hi float32)
	// Exp: dst[i] = exp(x[i]). The functions are defined by their twins.
	Exp func(dst, x []float32)
	// ExpMinus: dst[i] = exp(x[i] - a), where the difference is rounded.
	ExpMinus func(dst, x []float32, a float32)
	// Log: dst[i] = log(x[i]).
	Log func(dst, x []float32)
	// Sigmoid: dst[i] = 1 / (1 + exp(-x[i])).
	Sigmoid func(dst, x []float32)
	// Tanh: dst[i] = tanh(x[i]).
	Tanh func(dst, x []float32)

	// Quantise: dst[i] = zero + x[i]/scale, the quotient rounded to float32, clamped to [-256, 256]
	// and rounded to an integer, half to even; NaN is 0. The sum is saturated.
	Quantise func(dst []int8, x []float32, scale float32, zero int8)
	// Dequantise: dst[i] = (x[i] - zero) * scale.
	Dequantise func(dst []float32, x []int8, scale float32, zero int8)
	// ToFloat16 rounds to half precision, half to even. A NaN becomes quiet, and keeps its sign and
	// the first ten bits of its payload.
	ToFloat16 func(dst []uint16, x []float32)
	// FromFloat16 is exact. A NaN becomes quiet, and keeps sign and payload.
	FromFloat16 func(dst []float32, x []uint16)
	// ToBFloat16 rounds to the first 16 bits of float32, half to even. A NaN becomes quiet, and keeps
	// its sign and the first seven bits of its payload.
	ToBFloat16 func(dst []uint16, x []float32)
	// FromBFloat16 is exact, bit for bit.
	FromBFloat16 func(dst []float32, x []uint16)
}

// Generic holds the portable kernels, which define the results of all others.
var Generic = Kernels{
	Path:                    "generic",
	Dot:                     dot,
	SquaredDistance:         squaredDistance,
	Sum:                     sum,
	SquaredNorm:             squaredNorm,
	Min:                     minimum,
	Max:                     maximum,
	ArgMin:                  argMin,
	ArgMax:                  argMax,
	DotRows:                 dotRows,
	SquaredDistanceRows:     squaredDistanceRows,
	Cosine:                  cosine,
	CosineRows:              cosineRows,
	DotInt8:                 dotInt8,
	SquaredDistanceInt8:     squaredDistanceInt8,
	DotInt8Rows:             dotInt8Rows,
	SquaredDistanceInt8Rows: squaredDistanceInt8Rows,
	Hamming:                 hamming,
	HammingRows:             hammingRows,
	Jaccard:                 jaccard,
	JaccardRows:             jaccardRows,
	SparseAxpyU32F64:        sparseAxpy[uint32, float64],
	SparseAxpyU32F32:        sparseAxpy[uint32, float32],
	SparseAxpyOnesU32:       sparseAxpyOnes[uint32, float64],
	SparseAxpy32U32:         sparseAxpy32[uint32],
	SparseAxpyOnes32U32:     sparseAxpyOnes[uint32, float32],
	SparseAxpyU16F64:        sparseAxpy[uint16, float64],
	SparseAxpyU16F32:        sparseAxpy[uint16, float32],
	SparseAxpyOnesU16:       sparseAxpyOnes[uint16, float64],
	SparseAxpy32U16:         sparseAxpy32[uint16],
	SparseAxpyOnes32U16:     sparseAxpyOnes[uint16, float32],
	Divide:                  divide,
	Scale:                   scale,
	Add:                     add,
	Sub:                     sub,
	Mul:                     mul,
	MulAdd:                  mulAdd,
	AddScaled:               addScaled,
	Clamp:                   clamp,
	Exp:                     exp,
	ExpMinus:                expMinus,
	Log:                     log,
	Sigmoid:                 sigmoid,
	Tanh:                    tanh,
	Quantise:                quantise,
	Dequantise:              dequantise,
	ToFloat16:               toFloat16,
	FromFloat16:             fromFloat16,
	ToBFloat16:              toBFloat16,
	FromBFloat16:            fromBFloat16,
}

// A Shape says how the lengths of a kernel's operands depend on one another.
type Shape int

const (
	// Vectors have one length.
	Vectors Shape = iota
	// Batch is of a kernel on rows.
	Batch
	// Sparse is of a kernel on a sparse vector and a dense one: indices and values have one length.
	Sparse
)

// A Kernel describes the field of Kernels that has its name. Its cost is of an element of one
// vector, or of one row.
type Kernel struct {
	Name  string
	About string // what it computes, in a line
	Shape Shape
	// Fused tells whether every operation is half of a fused multiply-add.
	Fused bool
	// Operations are additions and multiplications, and Divisions are beside them.
	Operations, Divisions float64
	Numbers               Numbers
}

// Numbers says what numbers of float32 a kernel takes beside vectors.
type Numbers int

const (
	// Any may be infinite or NaN.
	Any Numbers = iota
	// Positive are finite and above 0.
	Positive
	// Ordered are two, the second of which is not below the first.
	Ordered
)

// List describes all kernels.
var List = []Kernel{
	{Name: "Dot", About: "inner product", Operations: 2, Fused: true},
	{Name: "SquaredDistance", About: "squared Euclidean distance", Operations: 3, Fused: true},
	{Name: "Sum", About: "sum of elements", Operations: 1},
	{Name: "SquaredNorm", About: "sum of squares", Operations: 2, Fused: true},
	{Name: "Min", About: "least element", Operations: 1},
	{Name: "Max", About: "largest element", Operations: 1},
	{Name: "ArgMin", About: "place of the least element", Operations: 2},
	{Name: "ArgMax", About: "place of the largest element", Operations: 2},
	{Name: "DotRows", About: "inner products of a query and rows", Shape: Batch, Operations: 2, Fused: true},
	{Name: "SquaredDistanceRows", About: "squared distances of a query and rows", Shape: Batch, Operations: 3, Fused: true},
	{Name: "Cosine", About: "cosine of the angle between two vectors", Operations: 6, Fused: true},
	{Name: "CosineRows", About: "cosines of a query and rows", Shape: Batch, Operations: 6, Fused: true},
	{Name: "DotInt8", About: "exact inner product of int8", Operations: 2},
	{Name: "SquaredDistanceInt8", About: "exact squared distance of int8", Operations: 3},
	{Name: "DotInt8Rows", About: "exact inner products of a query and rows of int8", Shape: Batch, Operations: 2},
	{Name: "SquaredDistanceInt8Rows", About: "exact squared distances of a query and rows of int8", Shape: Batch, Operations: 3},
	{Name: "Hamming", About: "number of bits that differ", Operations: 3},
	{Name: "HammingRows", About: "numbers of bits in which a query and rows differ", Shape: Batch, Operations: 3},
	{Name: "Jaccard", About: "common bits over all bits of two sets", Operations: 6},
	{Name: "JaccardRows", About: "common bits over all bits of a query and rows", Shape: Batch, Operations: 6},
	{Name: "SparseAxpyU32F64", About: "multiple of a sparse vector of float64 added", Shape: Sparse, Operations: 2, Fused: true},
	{Name: "SparseAxpyU32F32", About: "multiple of a sparse vector of float32 added", Shape: Sparse, Operations: 2, Fused: true},
	{Name: "SparseAxpyOnesU32", About: "number added at indices", Shape: Sparse, Operations: 1},
	{Name: "SparseAxpy32U32", About: "multiple of a sparse vector added, in float32", Shape: Sparse, Operations: 2, Fused: true},
	{Name: "SparseAxpyOnes32U32", About: "number added at indices, in float32", Shape: Sparse, Operations: 1},
	{Name: "SparseAxpyU16F64", About: "multiple of a sparse vector of float64 added", Shape: Sparse, Operations: 2, Fused: true},
	{Name: "SparseAxpyU16F32", About: "multiple of a sparse vector of float32 added", Shape: Sparse, Operations: 2, Fused: true},
	{Name: "SparseAxpyOnesU16", About: "number added at indices", Shape: Sparse, Operations: 1},
	{Name: "SparseAxpy32U16", About: "multiple of a sparse vector added, in float32", Shape: Sparse, Operations: 2, Fused: true},
	{Name: "SparseAxpyOnes32U16", About: "number added at indices, in float32", Shape: Sparse, Operations: 1},
	{Name: "Divide", About: "division by a number", Divisions: 1},
	{Name: "Scale", About: "product with a number", Operations: 1},
	{Name: "Add", About: "sums by element", Operations: 1},
	{Name: "Sub", About: "differences by element", Operations: 1},
	{Name: "Mul", About: "products by element", Operations: 1},
	{Name: "MulAdd", About: "products by element and sums, rounded once", Operations: 2, Fused: true},
	{Name: "AddScaled", About: "product with a number and sums, rounded once", Operations: 2, Fused: true},
	{Name: "Clamp", About: "elements brought into a range", Operations: 2, Numbers: Ordered},
	{Name: "Exp", About: "exponentials", Operations: 27},
	{Name: "ExpMinus", About: "exponentials of differences from a number", Operations: 28},
	{Name: "Log", About: "natural logarithms", Operations: 34},
	{Name: "Sigmoid", About: "1/(1+exp(-x)) of elements x", Operations: 29, Divisions: 1},
	{Name: "Tanh", About: "hyperbolic tangents", Operations: 26, Divisions: 1},
	{Name: "Quantise", About: "int8 of float32, by a scale and a zero point", Operations: 3, Divisions: 1, Numbers: Positive},
	{Name: "Dequantise", About: "float32 of int8, by a scale and a zero point", Operations: 2, Numbers: Positive},
	{Name: "ToFloat16", About: "float32 rounded to half precision", Operations: 1},
	{Name: "FromFloat16", About: "float32 of half precision", Operations: 1},
	{Name: "ToBFloat16", About: "float32 rounded to bfloat16", Operations: 5},
	{Name: "FromBFloat16", About: "float32 of bfloat16", Operations: 1},
}

// path is the index in Paths of the kernels in use.
var path atomic.Uint32

// Use makes Paths[number] the kernels that the functions of this package call.
func Use(number int) { path.Store(uint32(number)) }

// batch calls a function of a pair for each row.
func batch[D, T any](dst []D, query, rows []T, stride int, list []uint32, of func(x, y []T) D) {
	for k := range dst {
		i := k
		if list != nil {
			i = int(list[k])
		}
		dst[k] = of(query, rows[i*stride:][:len(query)])
	}
}
