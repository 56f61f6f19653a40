package bench

import "github.com/lanes-go/lanes/asm/rows"

// pairCall is vectorCall for the kernels on pairs, whose slices have other lengths than
// their signatures tell.
func pairCall(kernel, _ string, f any, in *operands) func(n int) {
	s := in.x
	switch f := f.(type) {
	case func(part, value, slope, s, shift []float64):
		return func(n int) {
			for range n {
				f(in.part, in.sums1, in.sums2, s, in.shift)
			}
		}
	case func(part, value, slope, s, center []float64, scale float64):
		return func(n int) {
			for range n {
				f(in.part, in.sums1, in.sums2, s, in.shift, 1)
			}
		}
	case func(c, part, a []float64):
		return func(n int) {
			for range n {
				f(in.a, in.part, in.shift)
			}
		}
	case func(count []int, sum, c, s, center, least []float64):
		return func(n int) {
			for range n {
				f(in.count, in.sums1, in.a, s, in.shift, in.least)
			}
		}
	case func(count []int, sum, s, center, least []float64):
		return func(n int) {
			for range n {
				f(in.count, in.sums1, s, in.shift, in.least)
			}
		}
	case func(count []int, sum, c, s, center, least []float64, scale float64):
		return func(n int) {
			for range n {
				f(in.count, in.sums1, in.a, s, in.shift, in.least, 1)
			}
		}
	case func(count []int, sum, c, s, center, least, e, o []float64):
		return func(n int) {
			for range n {
				f(in.count, in.sums1, in.a, s, in.shift, in.least, in.positive, in.positive)
			}
		}
	}
	return nil
}

// rowCall goes by the name of a kernel on rows: signatures do not tell what is a
// number a row and what is one a column.
func rowCall(kernel, variant string, f any, in *operands) func(n int) {
	m := in.of(variant)
	switch f := f.(type) {
	case func(out []float64, m *rows.Matrix, list []uint32, first int, w []float64):
		first, last := in.out, in.w
		if kernel == "rows.Add" {
			first, last = in.w, in.x
		}
		return func(n int) {
			for range n {
				f(first, m, nil, 0, last)
			}
		}
	case func(out []float64, m *rows.Matrix, list []uint32, first int, w []float64) int:
		m := mixed(m)
		return func(n int) {
			for range n {
				f(in.out, m, nil, 0, in.w)
			}
		}
	case func(out1, out2 []float64, m *rows.Matrix, list []uint32, first int, w1, w2 []float64):
		return func(n int) {
			for range n {
				f(in.out, in.a, m, nil, 0, in.w, in.y)
			}
		}
	case func(outW, outU []float64, m *rows.Matrix, list, ahead []uint32, rec []rows.Record, now float64):
		return func(n int) {
			for range n {
				f(in.out, in.a, m, in.list, in.list, in.record, 1)
			}
		}
	case func(outW []float64, m *rows.Matrix, list []uint32, rec []rows.Record, step float64, table [][4]float64):
		return func(n int) {
			for range n {
				f(in.out, m, in.list, in.record, 1, in.moves)
			}
		}
	case func(m *rows.Matrix, list []uint32, rec []rows.Record, c []float64):
		return func(n int) {
			for range n {
				f(m, in.list, in.record, in.x)
			}
		}
	case func(change []float64, m *rows.Matrix, list []uint32, rec []rows.Record, c []float64):
		return func(n int) {
			for range n {
				f(in.out, m, in.list, in.record, in.x)
			}
		}
	case func(change []float64, m *rows.Matrix, list []uint32, rec []rows.Record, c []float64, now float64):
		return func(n int) {
			for range n {
				f(in.out, m, in.list, in.record, in.x, 1)
			}
		}
	case func(m *rows.Matrix, list []uint32):
		return func(n int) {
			for range n {
				f(m, in.list)
			}
		}
	}
	return nil
}

// mixed returns rows whose first entry has a value, as wide as the values of m. Its columns go unused.
func mixed(m *rows.Matrix) *rows.Matrix {
	if m == nil {
		return nil
	}
	x := &rows.Mix{Stride: 1, Halves: 1}
	if x.Plans = []rows.MixHalf{rows.NewMixHalf([4]int{0, -1, -1, -1}, m.Val64 != nil)}; m.Val64 != nil {
		x.Val64 = make([]float64, len(m.Begin)+rows.MixPad)
	} else {
		x.Val32 = make([]float32, len(m.Begin)+rows.MixPad)
	}
	return &rows.Matrix{Begin: m.Begin, End: m.End, Idx16: m.Idx16, Idx32: m.Idx32, Mix: x}
}

// of is the matrix in a layout by its name, nil where it does not fit.
func (in *operands) of(layout string) *rows.Matrix {
	for k, name := range layoutNames {
		if name == layout {
			return in.matrix[k]
		}
	}
	return nil
}

func wideCall(kernel, variant string, f any, in *operands) func(n int) {
	m := in.of("i32f64")
	switch f := f.(type) {
	case func(dst []float64, m *rows.Matrix, list []uint32, first, width int, w []float64):
		m, width := in.of(variant), len(in.x)/len(in.out)
		first, last := in.a, in.w
		if kernel == "rows.Wide.AddRows" {
			first, last = in.w, in.x
		}
		return func(n int) {
			for range n {
				f(first, m, nil, 0, width, last)
			}
		}
	case func(a, x, b []float64):
		return fullCall(f, kernel != "rows.Full.Dot", in)
	case func(out []float64, x []float32, w []float64):
		return fullCall(f, kernel != "rows.Full.Dot32", in)
	case func(dst []float64, next int, x []float64, stride int, c []float64, low, high int):
		width := len(in.x) / len(in.out)
		c := make([]float64, max(1, 2*len(in.out)*wideRow/(width+1)))
		x, dst := make([]float64, len(c)*width), make([]float64, width*width)
		return func(n int) {
			for range n {
				f(dst, width, x, width, c, 0, width)
			}
		}
	case func(dst, a, w []float64, rows, inner, width, rowStep, termStep int):
		width := len(in.x) / len(in.out)
		return func(n int) {
			for range n {
				f(in.a, m.Val64, in.w, len(in.out), wideRow, width, wideRow, 1)
			}
		}
	}
	return nil
}

// fullCall calls a kernel of full rows, of as many columns as the matrix of the others has.
func fullCall[V float32 | float64](f func(a []float64, x []V, b []float64), adds bool, in *operands) func(n int) {
	of, vector := make([]float64, len(in.out)*wideRow), make([]float64, len(in.x)/len(in.out))
	x := make([]V, len(of)*len(vector))
	first, last := of, vector
	if adds {
		first, last = vector, of
	}
	return func(n int) {
		for range n {
			f(first, x, last)
		}
	}
}

// sparseCall finds the signature of a kernel among the signatures of its layout.
func sparseCall(_, layout string, f any, in *operands) func(n int) {
	m := in.of(layout)
	ones := make([]struct{}, 0)
	switch layout {
	case "i32f64":
		return sparseCallOf(f, m.Idx32, m.Val64, in)
	case "i32f32":
		return sparseCallOf(f, m.Idx32, m.Val32, in)
	case "i32ones":
		return sparseCallOf(f, m.Idx32, ones, in)
	case "i16f64":
		return sparseCallOf(f, m.Idx16, m.Val64, in)
	case "i16f32":
		return sparseCallOf(f, m.Idx16, m.Val32, in)
	case "i16ones":
		return sparseCallOf(f, m.Idx16, ones, in)
	}
	return nil
}

func sparseCallOf[I uint16 | uint32, V any](f any, idx []I, val []V, in *operands) func(n int) {
	w := in.w
	switch f := f.(type) {
	case rows.VectorDot[I, V]:
		return func(n int) {
			for range n {
				sink, sinkTrue = f(idx, val, w)
			}
		}
	}
	return nil
}
