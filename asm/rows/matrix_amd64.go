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
		waysOf(in == 2).matMul(dst, a, w, rows, inner, width, rowStep, termStep)
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
			waysOf(wide).matMul(d, x, y, rows, inner, width, rowStep, termStep)
		case wide && width >= 8:
			matMulAVX512(d, x, y, rows, inner, width, width, width, rowStep, termStep)
		default:
			matMulAVX2(d, x, y, rows, inner, width, width, width, rowStep, termStep)
		}
	}
}

// A matrix w may be larger than the first cache, and many rows may need it. Then some columns of
// some of its rows are first copied one after the other.
const (
	packedRows     = 16
	packedElements = 4096
)

func waysOf(wide bool) *packedWays {
	if wide {
		return &packedAVX512
	}
	return &packedAVX2
}

// matMul is the product of a path: each element still adds its terms in order. The rows of a are
// copied too, so that the terms of a row are next to each other.
func (g *packedWays) matMul(dst, a, w *float64, rows, inner, width, rowStep, termStep int) {
	s := packedSpaces.Get().(*packedSpace)
	from, right := unsafe.Slice(a, (rows-1)*rowStep+(inner-1)*termStep+1), unsafe.Slice(w, inner*width)
	for i := 0; i < rows; i += packedLeft {
		some := min(packedLeft, rows-i)
		for k := 0; k < inner; k += packedTerms {
			terms := min(packedTerms, inner-k)
			left, step, term := &s.left[0], packedStep, 1
			switch x := from[i*rowStep+k*termStep:]; {
			case termStep == 1:
				for r := range some {
					copy(s.left[r*packedStep:][:terms], x[r*rowStep:])
				}
			case rowStep == 1:
				g.columns(s.left[:], x, termStep, ones[:terms], some)
			default:
				left, step, term = &x[0], rowStep, termStep
			}
			for j := 0; j < width; j += mostTile {
				cols := min(mostTile, width-j)
				g.rows(s.right[:], right[k*width+j:], terms, width, cols)
				g.tile(at(dst, i*width+j), left, &s.right[0], some, terms, cols, width, cols, step, term)
			}
		}
	}
	packedSpaces.Put(s)
}

// ones are factors that change nothing.
var ones = func() (c [packedTerms]float64) {
	for k := range c {
		c[k] = 1
	}
	return c
}()

func at(p *float64, i int) *float64 { return (*float64)(unsafe.Add(unsafe.Pointer(p), i*8)) }
