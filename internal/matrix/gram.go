package matrix

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/lanes-go/lanes/asm"
)

// Gram computes the lower triangle of X' diag(c) X, row by row: dst[a*Cols()+b] = sum over i of
// c[i] x_ia x_ib for b <= a, and 0 above the diagonal. c has n elements, dst has Cols()*Cols().
// Every element accumulates in row order. If there are many multiplications for an element, the
// rows are cut into 4 to 16 parts, which are added in their order. The choice depends on the
// matrix and on where c is 0. The sums of the parts take at most 8 MB.
//
// It costs GramCost() multiplications, shared by the workers of p, in portable code, or
// n Cols()^2/2 in vectors where the rows are nearly full; it is for matrices of few columns.
func Gram(m *Matrix, p *Pool, dst, c []float64) error {
	if err := m.checkWholeGram("Gram", dst, c); err != nil {
		return err
	}
	clear(dst)
	return AddGram(m, p, dst, c)
}

// AddGram adds to dst what Gram computes. Rows whose element of c is 0 cost next to nothing.
func AddGram(m *Matrix, p *Pool, dst, c []float64) error {
	if err := m.checkWholeGram("AddGram", dst, c); err != nil {
		return err
	}
	if m.bias != 0 {
		last := make([]float64, m.Cols())
		if err := m.AddTrans(p, last, c); err != nil {
			return err
		}
		asm.Active().Dense.Axpy(m.bias, last, dst[m.d*len(last):])
	}
	if parts := m.gramParts(c); parts > 1 {
		m.addGramParts(p, dst, c, parts)
		return nil
	}
	m.addGramBands(p, dst, c, 0)
	return nil
}

// addGramBands is AddGram without the bias column, for the rows of dst from the given one
// on, each element in row order.
func (m *Matrix) addGramBands(p *Pool, dst, c []float64, low int) {
	if m.fills() {
		t := &bandTask{gramTask{m: m, dst: dst, c: c}, low}
		Run(p, t.bands(), t)
		return
	}
	m = indexed(m)
	t := gramTasks.Get().(*gramTask)
	*t = gramTask{m: m, dst: dst, c: c, bounds: m.gramBands(low, min(p.Workers(), max(m.d, 1)))}
	Run(p, len(t.bounds)-1, t)
	*t = gramTask{}
	gramTasks.Put(t)
}

// GramFrom computes the rows of the lower triangle of X' diag(c) X from the given one on:
// those before it, of columns that are already in, stay as they are. Every element
// accumulates in row order, so that the bits do not depend on when columns came in. The row
// of the bias column is always computed.
func GramFrom(m *Matrix, p *Pool, dst, c []float64, first int) error {
	if err := m.checkWholeGram("GramFrom", dst, c); err != nil {
		return err
	}
	if first < 0 || first > m.Cols() {
		return fmt.Errorf("sparse: GramFrom: row %d of %d", first, m.Cols())
	}
	first = min(first, m.d)
	clear(dst[first*m.Cols():])
	if m.bias != 0 {
		last := dst[m.d*m.Cols():]
		if err := m.AddTrans(p, last, c); err != nil {
			return err
		}
		asm.Active().Dense.Scale(last, m.bias, last)
	}
	m.addGramBands(p, dst, c, first)
	return nil
}

func (m *Matrix) checkWholeGram(op string, dst, c []float64) error {
	if d := m.Cols(); len(c) != m.n || len(dst) != d*d {
		return fmt.Errorf("sparse: %s: %d factors for %d rows, %d elements for %d columns", op, len(c), m.n, len(dst), d)
	}
	return nil
}

// GramCost returns the number of multiplications of Gram.
func GramCost(m *Matrix) int64 {
	if m.cuts == nil { // the zero Matrix
		return 0
	}
	m.cuts.mu.Lock()
	defer m.cuts.mu.Unlock()
	if m.cuts.gram == 0 {
		m.cuts.gram = m.gramCost(0, m.n)
	}
	return m.cuts.gram
}

var gramTasks = sync.Pool{New: func() any { return new(gramTask) }}

// gramBands cuts the Gram matrix from row low on into bands of about equally many
// multiplications. It returns the first rows of the bands and the end of the last one. It reads
// some hundred thousand entries.
func (m *Matrix) gramBands(low, count int) []int {
	bounds := make([]int, count+1)
	bounds[0], bounds[count] = low, m.d
	if count == 1 {
		return bounds
	}
	costs, total := make([]int64, m.d), int64(0)
	step := int(max(m.NNZ()>>17, 1))
	for i := 0; i < m.n; i += step {
		begin, end := m.rows.Begin[i], m.rows.End[i]
		for e := begin; e < end; e++ {
			costs[m.rows.Column(e)] += e - begin + 1
		}
	}
	for _, v := range costs[low:] {
		total += v
	}
	row, seen := low, int64(0)
	for b := 1; b < count; b++ {
		for want := total * int64(b) / int64(count); row < m.d && seen+costs[row]/2 < want; row++ {
			seen += costs[row]
		}
		bounds[b] = row
	}
	return bounds
}

// gramTask is a Gram matrix cut into bands of rows.
type gramTask struct {
	m      *Matrix
	dst, c []float64
	bounds []int // of the bands
	first  int   // row that c begins at
	packed bool  // dst holds the lower triangle alone
}

// row returns the place of row j up to its diagonal.
func (t *gramTask) row(j int) []float64 {
	at := j * t.m.Cols()
	if t.packed {
		at = j * (j + 1) / 2
	}
	return t.dst[at:][:j+1]
}

func (t *gramTask) Block(b int) {
	if t.m.mix() != nil && b == 0 {
		addGramValues(t, t.bounds[0])
	}
	if t.m.rows.Idx16 != nil {
		addGram(t, t.m.rows.Idx16, t.bounds[b], t.bounds[b+1])
	} else {
		addGram(t, t.m.rows.Idx32, t.bounds[b], t.bounds[b+1])
	}
}

func addGram[I uint16 | uint32](t *gramTask, idx []I, low, high int) {
	rows := &t.m.rows
	var values []float64 // of a row, where they are packed
	var room []I         // for a row's entries without a value
	for k, ci := range t.c {
		if ci == 0 {
			continue
		}
		i := t.first + k
		begin, end := rows.Begin[i], rows.End[i]
		row := idx[begin:end]
		if rows.Mix != nil {
			room = Sized(room, len(row))
			addOnes(t, withoutValues(room, row, rows.Mix.Columns), low, high, ci)
			continue
		}
		if HasOnes(rows.Layout) {
			if rows.Scale != nil {
				ci = float64(float64(ci*rows.Scale[i]) * rows.Scale[i])
			}
			addOnes(t, row, low, high, ci)
			continue
		}
		if t.m.packed() {
			values = slices.Grow(values[:0], len(row))[:len(row)]
			rows.Unpack(values, begin)
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
				addScaled(to, row[:a+1], values, float64(ci*values[a]))
			}
		}
	}
}

// addOnes adds c to the places of a row without values, four rows of the Gram matrix at once:
// these loops are short, and each has an end that the CPU does not foresee.
func addOnes[I uint16 | uint32](t *gramTask, row []I, low, high int, c float64) {
	a := len(row) - 1
	for a >= 0 && int(row[a]) >= high {
		a--
	}
	for ; a > 2 && int(row[a-3]) >= low; a -= 4 {
		near := t.row(int(row[a-3]))
		r1, r2, r3 := t.row(int(row[a-2])), t.row(int(row[a-1])), t.row(int(row[a]))
		b1, b2, b3 := r1[:len(near)], r2[:len(near)], r3[:len(near)] // one check for all
		for _, k := range row[:a-2] {
			near[k] += c
			b1[k] += c
			b2[k] += c
			b3[k] += c
		}
		j, k := row[a-2], row[a-1]
		r1[j] += c
		r2[j] += c
		r3[j] += c
		r2[k] += c
		r3[k] += c
		r3[row[a]] += c
	}
	for ; a > 0 && int(row[a-1]) >= low; a -= 2 {
		far, near := t.row(int(row[a])), t.row(int(row[a-1]))
		for _, k := range row[:a] {
			far[k] += c
			near[k] += c
		}
		far[row[a]] += c
	}
	if a >= 0 && int(row[a]) >= low {
		to := t.row(int(row[a]))
		for _, k := range row[:a+1] {
			to[k] += c
		}
	}
}

func addScaled[I uint16 | uint32, V float32 | float64](to []float64, idx []I, val []V, c float64) {
	val = val[:len(idx)]
	for e, j := range idx {
		to[j] = math.FMA(c, float64(val[e]), to[j])
	}
}
