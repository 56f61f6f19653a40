package vector

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/asm/vector"
)

// Dot returns the inner product sum_i x[i] y[i].
//
// Error: x and y differ in length. Cost: 2n flops, 8n bytes read.
func Dot(x, y []float32) (float32, error) {
	if len(x) != len(y) {
		return 0, unequal[ofDot]{len(x), len(y)}
	}
	return vector.Dot(x, y), nil
}

// SquaredDistance returns sum_i (x[i] - y[i])^2. Each difference is rounded.
//
// Error: x and y differ in length. Cost: 3n flops, 8n bytes read.
func SquaredDistance(x, y []float32) (float32, error) {
	if len(x) != len(y) {
		return 0, unequal[ofSquaredDistance]{len(x), len(y)}
	}
	return vector.SquaredDistance(x, y), nil
}

// Distance returns the Euclidean distance of x and y, the root of SquaredDistance. It is infinite
// where that overflows, from about 1.8e19 on.
//
// Error: x and y differ in length. Cost: as SquaredDistance, and a root.
func Distance(x, y []float32) (float32, error) {
	if len(x) != len(y) {
		return 0, unequal[ofDistance]{len(x), len(y)}
	}
	return root(vector.SquaredDistance(x, y)), nil
}

// Norm returns the Euclidean norm of x, the root of Dot(x, x). It is infinite where that
// overflows, from about 1.8e19 on, and loses digits below about 1e-16, where squares underflow.
// The root of kernels.SquaredNorm32 does neither. Cost: 2n flops, 4n bytes read, and a root.
func Norm(x []float32) float32 { return root(vector.SquaredNorm(x)) }

// root is rounded once: a root in float64 has more than twice as many bits.
func root(square float32) float32 { return float32(math.Sqrt(float64(square))) }

// Cosine returns the cosine of the angle between x and y, from -1 to 1: Dot(x, y) over the product
// of the norms. It is 0 where one of Dot(x, x) and Dot(y, y) is 0 and the other one finite, and
// NaN where one of them overflows or is NaN.
//
// Error: x and y differ in length. Cost: 6n flops, 8n bytes read, a root and a division.
func Cosine(x, y []float32) (float32, error) {
	if len(x) != len(y) {
		return 0, unequal[ofCosine]{len(x), len(y)}
	}
	return vector.Cosine(x, y), nil
}

// Normalize writes x over its norm to dst, each element rounded once, and returns the norm. Where the norm
// is 0, dst is x. dst may be x; otherwise the two may not overlap.
//
// Error: dst and x differ in length, or overlap without being the same slice, or the norm is
// infinite or NaN; dst is as before then. Cost: 2n flops and n divisions, 8n bytes read, 4n
// written.
func Normalize(dst, x []float32) (norm float32, err error) {
	if !fits(dst, x) {
		return 0, misfit("Normalize", dst, "x", x)
	}
	switch norm = Norm(x); {
	case norm == 0:
		copy(dst, x)
	case norm <= math.MaxFloat32:
		vector.Divide(dst, x, norm)
	default:
		return norm, fmt.Errorf("vector.Normalize: the norm is %v; scale x first", norm)
	}
	return norm, nil
}

// DotRows writes to dst[k] the inner product of the query with a row of its length, as Dot does.
// Row i is rows[i*stride:][:len(query)]. dst[k] is of row list[k]; where list is nil, of row k. The
// stride may be less than a row: rows then overlap one another. dst may overlap nothing else.
//
// Error: stride is below 1, a row goes beyond rows, dst and list differ in length, or dst overlaps
// an operand; nothing is written then. Cost: 2n flops and 4n bytes read a row.
func DotRows(dst, query, rows []float32, stride int, list []uint32) error {
	if done, err := checkRows("DotRows", math.MaxInt, dst, query, rows, stride, list); done {
		return err
	}
	vector.DotRows(dst, query, rows, stride, list)
	return nil
}

// SquaredDistanceRows writes to dst[k] the squared distance of the query from a row, as
// SquaredDistance does. Rows, list and errors are as in DotRows. Cost: 3n flops and 4n bytes read a
// row.
func SquaredDistanceRows(dst, query, rows []float32, stride int, list []uint32) error {
	if done, err := checkRows("SquaredDistanceRows", math.MaxInt, dst, query, rows, stride, list); done {
		return err
	}
	vector.SquaredDistanceRows(dst, query, rows, stride, list)
	return nil
}

// CosineRows writes to dst[k] the cosine of the angle between the query and a row, as Cosine does.
// Rows, list and errors are as in DotRows. Cost: 6n flops, 4n bytes read, a root and a division a
// row. DotRows takes less, where query and rows have a norm of 1.
func CosineRows(dst, query, rows []float32, stride int, list []uint32) error {
	if done, err := checkRows("CosineRows", math.MaxInt, dst, query, rows, stride, list); done {
		return err
	}
	vector.CosineRows(dst, query, rows, stride, list)
	return nil
}
