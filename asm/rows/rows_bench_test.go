package rows

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// rowsShape is a matrix to time: w fits the first, second or third cache level.
type rowsShape struct {
	row, rows, cols int
	vary            bool // lengths from 1 to 2*row-1 instead of row
}

func (s rowsShape) String() string {
	vary := ""
	if s.vary {
		vary = "-varied"
	}
	return fmt.Sprintf("%d%s/cols=%d", s.row, vary, s.cols)
}

var rowsShapes = []rowsShape{
	{14, 16384, 123, false}, {14, 16384, 123, true}, {14, 16384, 47236, false},
	{76, 4096, 4000, false}, {76, 4096, 47236, true}, {76, 4096, 1355191, false},
	{455, 1024, 4000, false}, {455, 1024, 47236, false}, {455, 1024, 1355191, false},
}

func (s rowsShape) matrix(layout Layout) *Matrix {
	random := rand.New(rand.NewPCG(1, uint64(s.cols)))
	ptr := []int64{0}
	m := &Matrix{Layout: layout, Unit: NewUnit(5), Table: make([]float64, 1<<15)}
	for k := range m.Table {
		m.Table[k] = float64(k) / 1e5
	}
	for range s.rows {
		length := s.row
		if s.vary {
			length = 1 + random.IntN(2*s.row-1)
		}
		seen := map[int]bool{}
		for len(seen) < length {
			seen[random.IntN(s.cols)] = true
		}
		var row []int
		for j := range seen {
			row = append(row, j)
		}
		slices.Sort(row)
		for _, j := range row {
			if layout.wide() {
				m.Idx32 = append(m.Idx32, uint32(j))
			} else {
				m.Idx16 = append(m.Idx16, uint16(j))
			}
			switch layout {
			case I32F64, I16F64:
				m.Val64 = append(m.Val64, random.NormFloat64())
			case I32F32, I16F32:
				m.Val32 = append(m.Val32, float32(random.NormFloat64()))
			case I32Decimals, I16Decimals:
				m.Decimals = append(m.Decimals, int32(random.IntN(100000)))
			case I32Codes, I16Codes:
				m.Codes = append(m.Codes, uint16(random.IntN(len(m.Table))))
			}
		}
		ptr = append(ptr, ptr[len(ptr)-1]+int64(length))
	}
	m.Begin, m.End = ptr[:s.rows], ptr[1:]
	return m
}

// plainDotRows is the loop a Go program would have.
func plainDotRows[I index, V value](out []float64, m *Matrix, idx []I, val []V, w []float64) {
	for i := range out {
		begin, end := m.Begin[i], m.End[i]
		s := 0.0
		if val == nil {
			for _, j := range idx[begin:end] {
				s += w[j]
			}
		} else {
			row := val[begin:end]
			for e, j := range idx[begin:end] {
				s += float64(row[e]) * w[j]
			}
		}
		out[i] = s
	}
}

func plainAddRows[I index, V value](w []float64, m *Matrix, idx []I, val []V, c []float64) {
	for i, ci := range c {
		begin, end := m.Begin[i], m.End[i]
		if val == nil {
			for _, j := range idx[begin:end] {
				w[j] += ci
			}
		} else {
			row := val[begin:end]
			for e, j := range idx[begin:end] {
				w[j] += ci * float64(row[e])
			}
		}
	}
}

// plainRows are the loops for the layout of m.
func plainRows(m *Matrix, w, out []float64) (dot, add func()) {
	switch m.Layout {
	case I32F64:
		return func() { plainDotRows(out, m, m.Idx32, m.Val64, w) }, func() { plainAddRows(w, m, m.Idx32, m.Val64, out) }
	case I32F32, I32Ones:
		return func() { plainDotRows(out, m, m.Idx32, m.Val32, w) }, func() { plainAddRows(w, m, m.Idx32, m.Val32, out) }
	case I16F64:
		return func() { plainDotRows(out, m, m.Idx16, m.Val64, w) }, func() { plainAddRows(w, m, m.Idx16, m.Val64, out) }
	case I32Decimals, I16Decimals, I32Codes, I16Codes:
		return func() {
				for i := range out {
					out[i] = 0
					for e := m.Begin[i]; e < m.End[i]; e++ {
						out[i] += m.Value(i, e) * w[m.Column(e)]
					}
				}
			}, func() {
				for i, ci := range out {
					for e := m.Begin[i]; e < m.End[i]; e++ {
						w[m.Column(e)] += ci * m.Value(i, e)
					}
				}
			}
	}
	return func() { plainDotRows(out, m, m.Idx16, m.Val32, w) }, func() { plainAddRows(w, m, m.Idx16, m.Val32, out) }
}

// BenchmarkRows times Dot, Dot2 and Add of every shape, layout and path.
func BenchmarkRows(b *testing.B) {
	for _, shape := range rowsShapes {
		for layout := range Layout(Layouts) {
			if !layout.wide() && shape.cols > 1<<16 {
				continue
			}
			var m *Matrix
			var w, w2, out, out2 []float64
			time := func(kernel, path string, run func() func()) {
				b.Run(fmt.Sprintf("%v/%s/%s/%s", shape, layoutNames[layout], kernel, path), func(b *testing.B) {
					if m == nil {
						m = shape.matrix(layout)
						w, w2 = make([]float64, shape.cols), make([]float64, shape.cols)
						out, out2 = make([]float64, shape.rows), make([]float64, shape.rows)
					}
					call := run()
					for b.Loop() {
						call()
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(m.End[shape.rows-1]), "ns/entry")
				})
			}
			time("Dot", "plain", func() func() { dot, _ := plainRows(m, w, out); return dot })
			time("Add", "plain", func() func() { _, add := plainRows(m, w, out); return add })
			for _, table := range append(runnable(b), &Generic) {
				k := table
				time("Dot", table.Path, func() func() { return func() { k.Dot(out, m, nil, 0, w) } })
				time("Dot2", table.Path, func() func() { return func() { k.Dot2(out, out2, m, nil, 0, w, w2) } })
				time("Add", table.Path, func() func() { return func() { k.Add(w, m, nil, 0, out) } })
			}
		}
	}
}
