package vector

import (
	"math"

	"github.com/lanes-go/lanes/asm/vector"
)

// The sums of as many products of int8, and of as many squared differences, fit in 32 bits.
const (
	mostProducts    = math.MaxInt32 / (128 * 128)
	mostDifferences = math.MaxInt32 / (255 * 255)
)

// DotInt8 returns the inner product sum_i x[i] y[i], exactly.
//
// Error: x and y differ in length, or have more than 131,071 elements. Cost: 2n operations, 2n
// bytes read.
func DotInt8(x, y []int8) (int32, error) {
	switch {
	case len(x) != len(y):
		return 0, unequal[ofDotInt8]{len(x), len(y)}
	case len(x) > mostProducts:
		return 0, tooLong("DotInt8", len(x), mostProducts)
	}
	return vector.DotInt8(x, y), nil
}

// SquaredDistanceInt8 returns sum_i (x[i] - y[i])^2, exactly.
//
// Error: x and y differ in length, or have more than 33,025 elements. Cost: 3n operations, 2n bytes
// read.
func SquaredDistanceInt8(x, y []int8) (int32, error) {
	switch {
	case len(x) != len(y):
		return 0, unequal[ofSquaredDistanceInt8]{len(x), len(y)}
	case len(x) > mostDifferences:
		return 0, tooLong("SquaredDistanceInt8", len(x), mostDifferences)
	}
	return vector.SquaredDistanceInt8(x, y), nil
}

// CosineInt8 returns the cosine of the angle between x and y, from -1 to 1. The vectors that x and
// y stand for have the same cosine, if each stands for its elements times a scale above 0. It is 0
// where x or y is 0 throughout.
//
// Error: x and y differ in length, or have more than 131,071 elements. Cost: as three calls of
// DotInt8.
func CosineInt8(x, y []int8) (float32, error) {
	switch {
	case len(x) != len(y):
		return 0, unequal[ofCosineInt8]{len(x), len(y)}
	case len(x) > mostProducts:
		return 0, tooLong("CosineInt8", len(x), mostProducts)
	}
	return vector.Quotient(vector.DotInt8(x, y), vector.DotInt8(x, x), vector.DotInt8(y, y)), nil
}

// DotInt8Rows writes to dst[k] the inner product of the query with a row, as DotInt8 does. Rows and
// list are as in DotRows.
//
// Error: as in DotRows, or the query has more than 131,071 elements. Cost: 2n operations and n
// bytes read a row.
func DotInt8Rows(dst []int32, query, rows []int8, stride int, list []uint32) error {
	if done, err := checkRows("DotInt8Rows", mostProducts, dst, query, rows, stride, list); done {
		return err
	}
	vector.DotInt8Rows(dst, query, rows, stride, list)
	return nil
}

// SquaredDistanceInt8Rows writes to dst[k] the squared distance of the query from a row, as
// SquaredDistanceInt8 does. Rows and list are as in DotRows.
//
// Error: as in DotRows, or the query has more than 33,025 elements. Cost: 3n operations and n bytes
// read a row.
func SquaredDistanceInt8Rows(dst []int32, query, rows []int8, stride int, list []uint32) error {
	if done, err := checkRows("SquaredDistanceInt8Rows", mostDifferences, dst, query, rows, stride, list); done {
		return err
	}
	vector.SquaredDistanceInt8Rows(dst, query, rows, stride, list)
	return nil
}
