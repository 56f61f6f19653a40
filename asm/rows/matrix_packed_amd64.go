//go:build !purego

package rows

var (
	packedAVX2   = packedWays{12, matMulAVX2, packRowsOf, packColumnsOf}
	packedAVX512 = packedWays{24, matMulAVX512, packRowsOf, packColumnsOf}
)

func packRowsOf(dst, x []float64, rows, stride, cols int) {
	packRowsAVX2(&dst[0], &x[0], rows, stride, cols)
}

// packColumnsOf leaves what is beyond multiples of four to the portable loop.
func packColumnsOf(dst, x []float64, stride int, c []float64, cols int) {
	rows, most := len(c)&^3, cols&^3
	if rows > 0 && most > 0 {
		packColumnsAVX2(&dst[0], &x[0], &c[0], rows, stride, most, packedStep)
	}
	if most < cols {
		packColumns(dst[most*packedStep:], x[most:], stride, c[:rows], cols-most)
	}
	if rows < len(c) {
		packColumns(dst[rows:], x[rows*stride:], stride, c[rows:], cols)
	}
}

// packRowsAVX2 writes cols elements of each row, one row after the other.
//
//go:noescape
func packRowsAVX2(dst, x *float64, rows, stride, cols int)

// packColumnsAVX2 writes cols columns of the rows, times the factors of the rows. Columns begin step
// elements apart. rows and cols are multiples of four, and not 0.
//
//go:noescape
func packColumnsAVX2(dst, x, c *float64, rows, stride, cols, step int)
