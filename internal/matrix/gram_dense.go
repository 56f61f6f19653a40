package matrix

import (
	"slices"
	"sync"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

const (
	// DenseShare bounds the multiplications of dense rows, in multiplications of the stored
	// entries, up to which Gram takes the rows as dense.
	DenseShare = 8
	// A band has bandWidth rows of the Gram matrix, and takes bandRows rows of the data at once.
	bandWidth, bandRows = 128, 128
)

// fills tells whether the rows are so full that the product of dense ones is quicker.
func (m *Matrix) fills() bool { return m.fill(m.n, GramCost(m)) }

// fill is fills for n of the rows, given the multiplications of their entries.
func (m *Matrix) fill(n int, products int64) bool {
	return m.d >= 8 && float64(n)*float64(m.d)*float64(m.d+1)/2 <= DenseShare*float64(products)
}

// bandTask is gramTask for rows that are nearly full: each band multiplies dense rows, up to its last
// column. Missing entries add zeros, so that the bits equal the bits of gramTask. In packed dst bands
// follow one another, with rows as long as their last one.
type bandTask struct {
	gramTask
	low int // row of the Gram matrix that they begin at
}

// band returns where the rows of a band begin, and how far apart they are.
func (t *bandTask) band(low, high int) (sum []float64, next int) {
	if t.packed {
		return t.dst[bandBegin(low):], high
	}
	return t.dst[low*t.m.Cols():], t.m.Cols()
}

// bandBegin is the number of elements of packed bands before the one that begins at row low.
func bandBegin(low int) int { return low * (low + bandWidth) / 2 }

// bandElements is the number of elements of packed bands of d rows.
func bandElements(d int) int {
	last := d / bandWidth * bandWidth
	return bandBegin(last) + (d-last)*d
}

// bandRow returns the place of row j up to its diagonal in packed bands of d rows.
func bandRow(bands []float64, j, d int) []float64 {
	low := j / bandWidth * bandWidth
	return bands[bandBegin(low)+(j-low)*min(low+bandWidth, d):][:j+1]
}

func (t *bandTask) bands() int { return (t.m.d - t.low + bandWidth - 1) / bandWidth }

func (t *bandTask) Block(b int) {
	low := t.low + b*bandWidth
	high := min(low+bandWidth, t.m.d)
	sum, next := t.band(low, high)
	room := bandRooms.Get().(*bandRoom)
	t.add(room, sum, next, low, high)
	bandRooms.Put(room)
}

// bandRoom is room for a band of a triangle, and for rows with their factors.
type bandRoom struct{ band, rows, factors []float64 }

var bandRooms = sync.Pool{New: func() any { return new(bandRoom) }}

// add adds to the rows of a band, which are next elements apart.
func (t *bandTask) add(room *bandRoom, sum []float64, next, low, high int) {
	add := asm.Active().Rows.Wide.Gram
	for first := 0; first < len(t.c); first += bandRows {
		c := t.c[first:min(first+bandRows, len(t.c))]
		if x := t.m.full(t.first + first); x != nil && !slices.Contains(c, 0) {
			add(sum, next, x, t.m.d, c, low, high)
			continue
		}
		room.rows, room.factors = Sized(room.rows, bandRows*high), Sized(room.factors, bandRows)
		if count := t.copyRows(room.rows, room.factors, c, t.first+first, high); count > 0 {
			add(sum, next, room.rows, high, room.factors[:count], low, high)
		}
	}
}

// triangle is Block for all bands of a triangle that holds its rows one after another.
func (t *bandTask) triangle() {
	room := bandRooms.Get().(*bandRoom)
	for low := 0; low < t.m.d; low += bandWidth {
		high := min(low+bandWidth, t.m.d)
		room.band = Sized(room.band, bandWidth*high)
		for j := low; j < high; j++ {
			copy(room.band[(j-low)*high:], t.row(j))
		}
		t.add(room, room.band, high, low, high)
		for j := low; j < high; j++ {
			copy(t.row(j), room.band[(j-low)*high:])
		}
	}
	bandRooms.Put(room)
}

// copyRows writes the rows whose c is not 0 to rows of zeros, and their factors. It returns how many
// there are.
func (t *bandTask) copyRows(to, factors, c []float64, first, high int) int {
	count := 0
	for k, ci := range c {
		if ci == 0 {
			continue
		}
		row := to[count*high:][:high]
		if t.m.rows.Full == 0 {
			clear(row)
		}
		t.m.writeOut(row, first+k)
		if scale := t.m.rows.Scale; scale != nil {
			ci = float64(float64(ci*scale[first+k]) * scale[first+k])
		}
		factors[count] = ci
		count++
	}
	return count
}

// full returns the values from row i on, if every row has an entry in every column, as a float64.
func (m *Matrix) full(i int) []float64 {
	if !m.isFull() || m.rows.Val64 == nil {
		return nil
	}
	return m.rows.Val64[m.rows.Begin[i]:]
}

// writeOut writes the entries of row i to their places in a row of zeros, up to its end. It
// leaves out the factor that all entries share.
func (m *Matrix) writeOut(to []float64, i int) {
	if m.rows.Full > 0 {
		RowValues(to, &m.rows, i, m.rows.Begin[i])
	} else if m.rows.Idx16 != nil {
		writeEntries(to, m.rows.Idx16, &m.rows, i)
	} else {
		writeEntries(to, m.rows.Idx32, &m.rows, i)
	}
}

func writeEntries[I uint16 | uint32](to []float64, idx []I, r *rows.Matrix, i int) {
	begin, end := r.Begin[i], r.End[i]
	list := idx[begin:end]
	if last := len(list) - 1; last >= 0 && int(list[last]) >= len(to) {
		cut, _ := slices.BinarySearch(list, I(len(to)))
		list = list[:cut]
	}
	switch {
	case r.Mix != nil:
		for _, j := range list {
			to[j] = r.Mix.Value(i, uint32(j))
		}
	case r.Val64 != nil:
		for e, v := range r.Val64[begin:][:len(list)] {
			to[list[e]] = v
		}
	case r.Val32 != nil:
		for e, v := range r.Val32[begin:][:len(list)] {
			to[list[e]] = float64(v)
		}
	case r.Decimals != nil:
		for e, n := range r.Decimals[begin:][:len(list)] {
			to[list[e]] = r.Unit.Of(n)
		}
	case r.Codes != nil:
		for e, c := range r.Codes[begin:][:len(list)] {
			to[list[e]] = r.Table[c]
		}
	default:
		for _, j := range list {
			to[j] = 1
		}
	}
}
