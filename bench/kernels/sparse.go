package main

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/bench/contest"
	"github.com/lanes-go/lanes/bench/cpeer"
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

var layoutNames = [rows.Layouts]string{
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

func plainDot[I uint16 | uint32](out []float64, ptr []int64, idx []I, val64 []float64, val32 []float32, w []float64) {
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

func plainAdd[I uint16 | uint32](w []float64, ptr []int64, idx []I, val64 []float64, val32 []float32, c []float64) {
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

func sparseTables() {
	matrices := make([]*matrix, len(shapes))
	for i, s := range shapes {
		matrices[i] = newMatrix(s)
	}
	k := asm.Active()
	dot := contest.NewTable(os.Stdout, "Row-batch sparse dot", "a non-zero", "lanes", "plain Go", "gcc -O3", "gcc -O3 -ffast-math", "lanes, full layout")
	for _, m := range matrices {
		w, out := randomVector(m.cols), make([]float64, m.rows)
		full := m.layouts[rows.I32F64]
		for layout, stored := range m.layoutsInOrder() {
			dot.Row(m.name+", "+layoutNames[layout], int(m.ptr[m.rows]), run(
				contest.Contender{Name: "lanes", Run: func() { k.Rows.Dot[layout](out, stored, nil, 0, w) }},
				contest.Contender{Name: "plain Go", Run: func() {
					if stored.Idx16 != nil {
						plainDot(out, m.ptr, stored.Idx16, stored.Val64, stored.Val32, w)
					} else {
						plainDot(out, m.ptr, stored.Idx32, stored.Val64, stored.Val32, w)
					}
				}},
				contest.Contender{Name: "gcc -O3", Run: func() { cpeer.Dot(out, m.ptr, stored, w, false) }},
				contest.Contender{Name: "gcc -O3 -ffast-math", Run: func() { cpeer.Dot(out, m.ptr, stored, w, true) }},
				contest.Contender{Name: "lanes, full layout", Run: func() { k.Rows.Dot[rows.I32F64](out, full, nil, 0, w) }},
			))
		}
	}
	add := contest.NewTable(os.Stdout, "Row-batch scatter (w += X'c)", "a non-zero", "lanes", "plain Go", "gcc -O3", "lanes, full layout")
	for _, m := range matrices {
		w, c := randomVector(m.cols), randomVector(m.rows)
		full := m.layouts[rows.I32F64]
		for layout, stored := range m.layoutsInOrder() {
			add.Row(m.name+", "+layoutNames[layout], int(m.ptr[m.rows]), run(
				contest.Contender{Name: "lanes", Run: func() { k.Rows.Add[layout](w, stored, nil, 0, c) }},
				contest.Contender{Name: "plain Go", Run: func() {
					if stored.Idx16 != nil {
						plainAdd(w, m.ptr, stored.Idx16, stored.Val64, stored.Val32, c)
					} else {
						plainAdd(w, m.ptr, stored.Idx32, stored.Val64, stored.Val32, c)
					}
				}},
				contest.Contender{Name: "gcc -O3", Run: func() { cpeer.Add(w, m.ptr, stored, c) }},
				contest.Contender{Name: "lanes, full layout", Run: func() { k.Rows.Add[rows.I32F64](w, full, nil, 0, c) }},
			))
		}
	}
}

// run leaves gcc out where this build has no C.
func run(contenders ...contest.Contender) []contest.Result {
	return contest.Run(slices.DeleteFunc(contenders, func(c contest.Contender) bool {
		return !cpeer.Available && strings.HasPrefix(c.Name, "gcc")
	})...)
}

func (m *matrix) layoutsInOrder() func(yield func(rows.Layout, *rows.Matrix) bool) {
	return func(yield func(rows.Layout, *rows.Matrix) bool) {
		for layout := range rows.Layout(rows.Layouts) {
			if rows := m.layouts[layout]; rows != nil && !yield(layout, rows) {
				return
			}
		}
	}
}

func randomVector(n int) []float64 {
	r := rand.New(rand.NewPCG(3, uint64(n)))
	x := make([]float64, n)
	for i := range x {
		x[i] = r.NormFloat64()
	}
	return x
}
