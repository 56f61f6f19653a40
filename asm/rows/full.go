package rows

import (
	"math"

	"github.com/lanes-go/lanes/asm/internal/lanes"
)

// FullKernels take rows that have a value in every column, one row after the other. x has a row for
// each element of out or c. A row has as many values as w has elements, 1 or more. Results equal the
// results of Kernels.Dot and Kernels.Add on the same rows.
type FullKernels struct {
	// Dot: out[k] = x_k·w, as Kernels.Dot.
	Dot   func(out, x, w []float64)
	Dot32 func(out []float64, x []float32, w []float64)
	// Add: w += sum over k of c[k] x_k, as Kernels.Add.
	Add   func(w, x, c []float64)
	Add32 func(w []float64, x []float32, c []float64)
	// Squares: w[j] = fma(c[k]*x, x, w[j]) for the values x of all rows in order.
	Squares   func(w, x, c []float64)
	Squares32 func(w []float64, x []float32, c []float64)
}

var fullGeneric = FullKernels{
	Dot: fullDot[float64], Dot32: fullDot[float32],
	Add: fullAdd[float64], Add32: fullAdd[float32],
	Squares: fullSquares[float64], Squares32: fullSquares[float32],
}

func fullDot[V value](out []float64, x []V, w []float64) {
	for k := range out {
		var l [8]float64
		row, left := x[k*len(w):][:len(w)], w
		for len(row) >= 8 && len(left) >= 8 {
			l[0] = math.FMA(float64(row[0]), left[0], l[0])
			l[1] = math.FMA(float64(row[1]), left[1], l[1])
			l[2] = math.FMA(float64(row[2]), left[2], l[2])
			l[3] = math.FMA(float64(row[3]), left[3], l[3])
			l[4] = math.FMA(float64(row[4]), left[4], l[4])
			l[5] = math.FMA(float64(row[5]), left[5], l[5])
			l[6] = math.FMA(float64(row[6]), left[6], l[6])
			l[7] = math.FMA(float64(row[7]), left[7], l[7])
			row, left = row[8:], left[8:]
		}
		for j, v := range left {
			l[j] = math.FMA(float64(row[j]), v, l[j])
		}
		out[k] = lanes.Sum8(&l)
	}
}

func fullAdd[V value](w []float64, x []V, c []float64) {
	for k, ck := range c {
		row := x[k*len(w):][:len(w)]
		for j, v := range w {
			w[j] = math.FMA(ck, float64(row[j]), v)
		}
	}
}

func fullSquares[V value](w []float64, x []V, c []float64) {
	for k, ck := range c {
		row := x[k*len(w):][:len(w)]
		for j, v := range w {
			x := float64(row[j])
			w[j] = math.FMA(float64(ck*x), x, v)
		}
	}
}
