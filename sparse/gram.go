package sparse

import (
	"fmt"
	"math"
	"sync"

	"github.com/lanes-go/lanes/asm"
)

// Gram computes the lower triangle of X' diag(c) X, row by row:
// dst[a*Cols()+b] = sum over i of c[i] x_ia x_ib for b <= a, and 0 above the
// diagonal. c has n elements, dst has Cols()*Cols(). Every element accumulates in
// row order.
//
// It costs GramCost() multiplications, shared by the workers of p, in portable code, or
// n Cols()^2/2 in vectors where the rows are nearly full; it is for matrices of few columns.
func (m *Matrix) Gram(p *Pool, dst, c []float64) error {
	d := m.Cols()
	if len(c) != m.n || len(dst) != d*d {
		return fmt.Errorf("sparse: Gram: %d factors for %d rows, %d elements for %d columns", len(c), m.n, len(dst), d)
	}
	clear(dst)
	if m.bias != 0 {
		last := dst[m.d*d:]
		if err := m.AddTrans(p, last, c); err != nil {
			return err
		}
		asm.Active().Dense.Scale(last, m.bias, last)
	}
	if m.fills() {
		t := &bandTask{m, dst, c}
		p.Run(t.bands(), t)
		return nil
	}
	t := gramTasks.Get().(*gramTask)
	*t = gramTask{m: m, dst: dst, c: c, bands: min(p.Workers(), max(m.d, 1))}
	p.Run(t.bands, t)
	*t = gramTask{}
	gramTasks.Put(t)
	return nil
}

// GramCost returns the number of multiplications of Gram.
func (m *Matrix) GramCost() int64 { return m.GramCostRun(0, m.n) }

var gramTasks = sync.Pool{New: func() any { return new(gramTask) }}

// gramTask is a Gram matrix cut into bands of rows of equal areas.
type gramTask struct {
	m      *Matrix
	dst, c []float64
	bands  int
	first  int  // row that c begins at
	packed bool // dst holds the lower triangle alone
}

// row returns the place of row j up to its diagonal.
func (t *gramTask) row(j int) []float64 {
	at := j * t.m.Cols()
	if t.packed {
		at = j * (j + 1) / 2
	}
	return t.dst[at:][:j+1]
}

func (t *gramTask) bound(b int) int {
	if b == t.bands {
		return t.m.d
	}
	return int(math.Sqrt(float64(b)/float64(t.bands)) * float64(t.m.d))
}

func (t *gramTask) Block(b int) {
	if t.m.rows.Idx16 != nil {
		addGram(t, t.m.rows.Idx16, t.bound(b), t.bound(b+1))
	} else {
		addGram(t, t.m.rows.Idx32, t.bound(b), t.bound(b+1))
	}
}

func addGram[I uint16 | uint32](t *gramTask, idx []I, low, high int) {
	rows := &t.m.rows
	for k, ci := range t.c {
		i := t.first + k
		begin, end := rows.Begin[i], rows.End[i]
		row := idx[begin:end]
		if rows.Scale != nil {
			ci = float64(float64(ci*rows.Scale[i]) * rows.Scale[i])
		}
		for a := len(row) - 1; a >= 0 && int(row[a]) >= low; a-- {
			j := int(row[a])
			if j >= high {
				continue
			}
			to := t.row(j)
			switch {
			case rows.Val64 != nil:
				addScaled(to, row[:a+1], rows.Val64[begin:], float64(ci*rows.Val64[begin+int64(a)]))
			case rows.Val32 != nil:
				addScaled(to, row[:a+1], rows.Val32[begin:], float64(ci*float64(rows.Val32[begin+int64(a)])))
			default:
				for _, k := range row[:a+1] {
					to[k] += ci
				}
			}
		}
	}
}

func addScaled[I uint16 | uint32, V float32 | float64](to []float64, idx []I, val []V, c float64) {
	val = val[:len(idx)]
	for e, j := range idx {
		to[j] = math.FMA(c, float64(val[e]), to[j])
	}
}
