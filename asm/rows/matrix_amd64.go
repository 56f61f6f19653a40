//go:build !purego

package rows

import "unsafe"

// The products in assembly. Rows of the result are next elements apart, rows of w nextW elements;
// the product covers cols columns of both.

//go:noescape
func matMulAVX2(dst, a, w *float64, rows, inner, cols, next, nextW, rowStep, termStep int)

//go:noescape
func matMulAVX512(dst, a, w *float64, rows, inner, cols, next, nextW, rowStep, termStep int)

//go:noescape
func matMulFew(dst, a, w *float64, rows, inner, cols, next, nextW, rowStep, termStep int)

//lint:ignore U1000 the assembly calls it
func matMulFewPortable(dst, a, w *float64, rows, inner, cols, next, nextW, rowStep, termStep int) {
	matMulOfPath(dst, a, w, rows, inner, cols, rowStep, termStep)
}

func matMulOfPath(dst, a, w *float64, rows, inner, width, rowStep, termStep int) {
	switch in := path.Load(); {
	case in == 0:
		last := (rows-1)*rowStep + (inner-1)*termStep
		matMul(unsafe.Slice(dst, rows*width), unsafe.Slice(a, last+1), unsafe.Slice(w, inner*width), rows, inner, width, rowStep, termStep)
	case rows > packedRows && inner*width > packedElements:
		matMulPacked(in == 2, dst, a, w, rows, inner, width, rowStep, termStep)
	case in == 2 && width >= 8:
		matMulAVX512(dst, a, w, rows, inner, width, width, width, rowStep, termStep)
	default:
		matMulAVX2(dst, a, w, rows, inner, width, width, width, rowStep, termStep)
	}
}

// matMulTo makes a kernel of the table.
func matMulTo(wide bool) matMulFunc {
	return func(dst, a, w []float64, rows, inner, width, rowStep, termStep int) {
		if rows < 1 || inner < 1 || width < 1 {
			return
		}
		d, x, y := unsafe.SliceData(dst), unsafe.SliceData(a), unsafe.SliceData(w)
		switch {
		case rows > packedRows && inner*width > packedElements:
			matMulPacked(wide, d, x, y, rows, inner, width, rowStep, termStep)
		case wide && width >= 8:
			matMulAVX512(d, x, y, rows, inner, width, width, width, rowStep, termStep)
		default:
			matMulAVX2(d, x, y, rows, inner, width, width, width, rowStep, termStep)
		}
	}
}

// A matrix w may be larger than the first cache, and many rows may need it. Then some columns of
// some of its rows are first copied one after the other. The rows of w may lie so that the cache
// holds few of them. Each element still adds its terms in order.
const (
	packedRows     = 16
	packedElements = 4096
	panelRows      = 128
	panelColumns   = 24 // of a tile in AVX-512, twice those in AVX2
)

func matMulPacked(wide bool, dst, a, w *float64, rows, inner, width, rowStep, termStep int) {
	var panel [panelRows * panelColumns]float64
	tile := matMulAVX2
	if wide {
		tile = matMulAVX512
	}
	source := unsafe.Slice(w, inner*width)
	for k := 0; k < inner; k += panelRows {
		terms := min(panelRows, inner-k)
		for j := 0; j < width; j += panelColumns {
			cols := min(panelColumns, width-j)
			for i := range terms {
				copy(panel[i*panelColumns:][:panelColumns], source[(k+i)*width+j:][:cols])
			}
			tile(at(dst, j), at(a, k*termStep), &panel[0], rows, terms, cols, width, panelColumns, rowStep, termStep)
		}
	}
}

func at(p *float64, i int) *float64 { return (*float64)(unsafe.Add(unsafe.Pointer(p), i*8)) }
