// Package cost says what solvers' ways to a step cost, in multiplications of a stored entry.
// It decides whether a matrix of second derivatives pays. Nothing is measured at run time,
// so every machine takes the same way to the same bits.
package cost

import "github.com/lanes-go/lanes/internal/matrix"

const (
	// Columns is the largest number of columns of such a matrix: it takes 32 MB.
	Columns = 2048
	// Vector is the number of multiplications of vectors that take the time of one entry's.
	Vector = 16
)

// Pass is the cost of two products with n rows of nonZeros entries in all.
func Pass(nonZeros int64, n int) int64 { return 2 * (nonZeros + int64(n)) }

// Gram is the cost of X'hX, for n rows of d columns with products products of two entries of
// a row. The product of two entries takes longer than an entry of a pass.
func Gram(products int64, n, d int) int64 {
	if all := int64(n) * int64(d) * int64(d) / 2; all <= matrix.DenseShare*products {
		return all / Vector
	}
	return products + products/2
}

// Factor is the cost of a Cholesky factor of d columns: its d^3/6 multiplications go by
// vectors, which are short at first.
func Factor(d int) int64 { return int64(d) * int64(d) * int64(d/48+2) }
