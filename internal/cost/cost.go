// Package cost says what solvers' ways to a step cost, in multiplications of a stored entry.
// It decides whether a matrix of second derivatives pays. Nothing is measured at run time,
// so every machine takes the same way to the same bits.
package cost

import "github.com/lanes-go/lanes/internal/matrix"

const (
	// Function is the number of multiplications that take the time of an exponential or a logarithm.
	Function = 16
	// Columns is the largest number of columns of such a matrix: it takes 32 MB.
	Columns = 2048
	// Vector is the number of multiplications of vectors that take the time of one entry's.
	Vector = 16
	// Full is the number of multiplications of rows without indices, from a cache or from memory, that take
	// the time of one entry's.
	Full = 4
)

// Pass is the cost of two products with n rows of nonZeros entries in all.
func Pass(nonZeros int64, n int) int64 { return 2 * (nonZeros + int64(n)) }

// PassFull is Pass for rows without indices, whose entries take so little that a function of each row counts.
func PassFull(nonZeros int64, n int) int64 { return 2 * (nonZeros/Full + int64(n)*Function) }

// Gram is the cost of X'hX, for n rows of d columns with products products of two entries of
// a row. The product of two entries takes longer than an entry of a pass.
func Gram(products int64, n, d int) int64 {
	if all := int64(n) * int64(d) * int64(d) / 2; full(products, n, d) {
		return all / Vector
	}
	return products + products/2
}

// Factor is the cost of a Cholesky factor of d columns: its d^3/6 multiplications go by
// vectors, which are short at first.
func Factor(d int) int64 { return int64(d) * int64(d) * int64(d/48+2) }

// Intercepts is the cost of a step of Newton's method for the intercepts of k classes alone, given
// the scores of n rows.
func Intercepts(n, k int) int64 { return int64(n) * int64(k) * int64(Function+k/2) }

// full tells whether rows count as dense, by the number of products of two entries of a row.
func full(products int64, n, d int) bool {
	return int64(n)*int64(d)*int64(d)/2 <= matrix.DenseShare*products
}

// Wide is the cost of two products with k columns each, for nearly full rows, in the unit of Gram
// for such rows.
func Wide(nonZeros int64, n, k int) int64 { return Pass(nonZeros, n) * int64(k+2) / 12 }

// Sample is the number of rows that stand for n nearly full rows in a matrix of second derivatives, or
// 0 where all rows are to be taken: there are few rows for the columns, or a pass is short. k vectors
// go with a row.
func Sample(products, nonZeros int64, n, d, k int) int {
	const (
		share     = 8 // a sample has 1/share of the rows,
		perColumn = 8 // and at least perColumn rows for each column,
		leastPass = 1 << 22
	)
	rows := max(n/share, perColumn*d)
	if 2*rows > n || int64(k)*nonZeros < leastPass || !full(products, n, d) {
		return 0
	}
	return rows
}
