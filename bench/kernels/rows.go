package main

import (
	"math/rand/v2"
	"slices"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/bench/cpeer"
	"github.com/lanes-go/lanes/kernels"
)

// shape is one of the row shapes that the project measures: about as many
// entries a row and columns as a9a, rcv1 and news20.
type shape struct {
	name            string
	rows, row, cols int
}

var shapes = []shape{
	{"14 a row, 123 columns", 16384, 14, 123},
	{"14 a row, 123 columns, from memory", 1 << 20, 14, 123},
	{"76 a row, 47,236 columns", 4096, 76, 47236},
	{"455 a row, 1,355,191 columns", 1024, 455, 1355191},
}

var layoutNames = []string{
	rows.I32F64: "float64 values, 32-bit indices", rows.I16F64: "float64 values, 16-bit indices",
	rows.I32F32: "float32 values, 32-bit indices", rows.I16F32: "float32 values, 16-bit indices",
	rows.I32Ones: "no values, 32-bit indices", rows.I16Ones: "no values, 16-bit indices",
}

// matrix is one random matrix in every layout that it fits.
type matrix struct {
	shape
	ptr     []int64
	layouts map[rows.Layout]*rows.Matrix
}

var made = map[shape]*matrix{}

// matrixOf makes a matrix once.
func matrixOf(s shape) *matrix {
	if made[s] == nil {
		made[s] = newMatrix(s)
	}
	return made[s]
}

// productTables times products of rows with a vector, and products of the transpose.
func productTables() []table {
	var sizes []size // n is len(layoutNames) times the shape, and the layout
	for i, s := range shapes {
		for layout, name := range layoutNames {
			if s.cols <= 1<<16 || !rows.Layout(layout).Narrow() {
				sizes = append(sizes, size{s.name + ", " + name, i*len(layoutNames) + layout, s.rows * s.row})
			}
		}
	}
	of := func(n int) (m *matrix, stored, full *rows.Matrix) {
		m = matrixOf(shapes[n/len(layoutNames)])
		return m, m.layouts[rows.Layout(n%len(layoutNames))], m.layouts[rows.I32F64]
	}
	dot := func(n int) []way {
		m, stored, full := of(n)
		w, out := vector(m.cols), make([]float64, m.rows)
		return withC([]way{
			{"lanes", once(func() { asm.Active().Rows.Dot(out, stored, nil, 0, w) })},
			{"plain", once(func() {
				if stored.Idx16 != nil {
					plainDotRows(out, m.ptr, stored.Idx16, stored.Val64, stored.Val32, w)
				} else {
					plainDotRows(out, m.ptr, stored.Idx32, stored.Val64, stored.Val32, w)
				}
			})},
			{"lanes, full layout", once(func() { asm.Active().Rows.Dot(out, full, nil, 0, w) })},
		}, way{"gcc -O3", once(func() { cpeer.Dot(out, m.ptr, stored, w, false) })},
			way{"gcc -O3 -ffast-math", once(func() { cpeer.Dot(out, m.ptr, stored, w, true) })})
	}
	add := func(n int) []way {
		m, stored, full := of(n)
		w, c := vector(m.cols), vector(m.rows)
		return withC([]way{
			{"lanes", once(func() { asm.Active().Rows.Add(w, stored, nil, 0, c) })},
			{"plain", once(func() {
				if stored.Idx16 != nil {
					plainAddRows(w, m.ptr, stored.Idx16, stored.Val64, stored.Val32, c)
				} else {
					plainAddRows(w, m.ptr, stored.Idx32, stored.Val64, stored.Val32, c)
				}
			})},
			{"lanes, full layout", once(func() { asm.Active().Rows.Add(w, full, nil, 0, c) })},
		}, way{"gcc -O3", once(func() { cpeer.Add(w, m.ptr, stored, c) })})
	}
	return []table{
		{task{"Row-batch sparse dot", 0, dot}, "a non-zero", sizes},
		{task{"Row-batch scatter (w += X'c)", 0, add}, "a non-zero", sizes},
	}
}

// once is for work that takes so long that a call of f is nothing.
func once(f func()) func(times int) {
	return func(times int) {
		for range times {
			f()
		}
	}
}

// withC adds gcc's loops where this build has C.
func withC(ways []way, gcc ...way) []way {
	if cpeer.Available {
		ways = append(ways, gcc...)
	}
	return ways
}

// checkedTable shows what checking the indices of raw slices costs. It times the public function
// on one vector after the other, and the kernel that takes the rows of a matrix, one row a call.
// The matrix was checked when it was built.
func checkedTable() table {
	var sizes []size
	for i, s := range shapes {
		sizes = append(sizes, size{s.name, i, s.rows * s.row})
	}
	return table{task{"One sparse vector a call, indices checked", 0, func(n int) []way {
		m := matrixOf(shapes[n])
		stored, w, out := m.layouts[rows.I32F64], vector(m.cols), make([]float64, m.rows)
		return []way{
			{"lanes", once(func() {
				for i := range out {
					begin, end := m.ptr[i], m.ptr[i+1]
					out[i], _ = kernels.SparseDot(stored.Idx32[begin:end], stored.Val64[begin:end], w)
				}
			})},
			{"lanes, unchecked", once(func() {
				for i := range out {
					asm.Active().Rows.Dot(out[i:i+1], stored, nil, i, w)
				}
			})},
			{"plain", once(func() { plainDotRows(out, m.ptr, stored.Idx32, stored.Val64, nil, w) })},
		}
	}}, "a non-zero", sizes}
}

// newMatrix draws the columns of a row with a frequency that falls with the
// column number, as words do, except in the narrow shape.
func newMatrix(s shape) *matrix {
	r := rand.New(rand.NewPCG(1, uint64(s.cols)))
	m := &matrix{shape: s, ptr: []int64{0}, layouts: map[rows.Layout]*rows.Matrix{}}
	scatter := rand.New(rand.NewPCG(2, 2)).Perm(s.cols)
	var idx32 []uint32
	for range s.rows {
		seen := map[uint32]bool{}
		for len(seen) < s.row {
			j := r.IntN(s.cols)
			if s.cols > 1000 {
				u := r.Float64()
				j = int(u * u * u * float64(s.cols))
			}
			seen[uint32(scatter[j])] = true
		}
		row := make([]uint32, 0, s.row)
		for j := range seen {
			row = append(row, j)
		}
		slices.Sort(row)
		idx32 = append(idx32, row...)
		m.ptr = append(m.ptr, int64(len(idx32)))
	}
	val64, val32 := make([]float64, len(idx32)), make([]float32, len(idx32))
	for e := range val64 {
		val64[e] = r.Float64()
		val32[e] = float32(val64[e])
	}
	whole := rows.Matrix{Begin: m.ptr[:s.rows], End: m.ptr[1:]}
	add := func(layout rows.Layout, idx16 []uint16, idx32 []uint32, val64 []float64, val32 []float32) {
		view := whole
		view.Layout, view.Idx16, view.Idx32, view.Val64, view.Val32 = layout, idx16, idx32, val64, val32
		m.layouts[layout] = &view
	}
	add(rows.I32F64, nil, idx32, val64, nil)
	add(rows.I32F32, nil, idx32, nil, val32)
	add(rows.I32Ones, nil, idx32, nil, nil)
	if s.cols <= 1<<16 {
		idx16 := make([]uint16, len(idx32))
		for e, j := range idx32 {
			idx16[e] = uint16(j)
		}
		add(rows.I16F64, idx16, nil, val64, nil)
		add(rows.I16F32, idx16, nil, nil, val32)
		add(rows.I16Ones, idx16, nil, nil, nil)
	}
	return m
}

func plainDotRows[I uint16 | uint32](out []float64, ptr []int64, idx []I, val64 []float64, val32 []float32, w []float64) {
	for i := range out {
		begin, end := ptr[i], ptr[i+1]
		var s float64
		switch {
		case val64 != nil:
			v := val64[begin:end]
			for e, j := range idx[begin:end] {
				s += v[e] * w[j]
			}
		case val32 != nil:
			v := val32[begin:end]
			for e, j := range idx[begin:end] {
				s += float64(v[e]) * w[j]
			}
		default:
			for _, j := range idx[begin:end] {
				s += w[j]
			}
		}
		out[i] = s
	}
}

func plainAddRows[I uint16 | uint32](w []float64, ptr []int64, idx []I, val64 []float64, val32 []float32, c []float64) {
	for i, ci := range c {
		begin, end := ptr[i], ptr[i+1]
		switch {
		case val64 != nil:
			v := val64[begin:end]
			for e, j := range idx[begin:end] {
				w[j] += ci * v[e]
			}
		case val32 != nil:
			v := val32[begin:end]
			for e, j := range idx[begin:end] {
				w[j] += ci * float64(v[e])
			}
		default:
			for _, j := range idx[begin:end] {
				w[j] += ci
			}
		}
	}
}
