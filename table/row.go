package table

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
)

// rowMaker encodes rows one after the other. It serves one goroutine at a time.
type rowMaker struct {
	e *Encoder
	// place has the place of each of e.columns among the cells of a row, -1 for a column that is
	// not read.
	place []int
	// bare rows have no target.
	bare bool
	// written takes the place of the marks of all columns, if it is set.
	written *Marks
	// strict refuses rows with a cell in a column of numbers that is neither missing nor a finite
	// number.
	strict bool

	// The rows that were made, as a matrix.Store takes them.
	lengths []int
	columns []uint32
	values  []float64
	sum     matrix.Summary
	labels  []float64
	weights []float64
	offsets []float64
	groups  []int64
	missing []int64 // of each column of the recipe
	unseen  []int64
	// odd are cells that are missing as they are no values of the column's kind, and infinite numbers.
	odd [2][]example

	// The row that is being made. Each key of shared is a place of the hash and, in the lower
	// half, the place of its value in sums.
	row                   int // of its block
	label, weight, offset float64
	group                 int64
	shared                []uint64
	sums                  []float64
	marks                 []uint32 // twice the place of a column, plus 1 for an unseen value
	strange               []strange
	words                 words
	terms                 []uint32
	buffer                []byte
}

// start makes m ready for the rows of e.
func (m *rowMaker) start(e *Encoder, place []int, bare bool) {
	if m.e == nil {
		m.e, m.place, m.bare = e, place, bare
		m.missing, m.unseen = make([]int64, len(e.recipe.Columns)), make([]int64, len(e.recipe.Columns))
		for k := range m.odd {
			m.odd[k] = make([]example, len(e.recipe.Columns))
		}
	}
	m.lengths, m.columns, m.values, m.sum = m.lengths[:0], m.columns[:0], m.values[:0], matrix.NoRows
	m.labels, m.weights, m.offsets, m.groups = m.labels[:0], m.weights[:0], m.offsets[:0], m.groups[:0]
	clear(m.missing)
	clear(m.unseen)
	for _, list := range m.odd {
		clear(list)
	}
}

// strange is a cell of the row that is being made, and is no value of its column's kind, or an
// infinite number.
type strange struct {
	column int // of the recipe
	what   int // odd or infinite
	cell   []byte
}

// add encodes a row of a block. It returns what is wrong with the row, "" for nothing, and adds
// no row then.
func (m *rowMaker) add(b *block, row int) string {
	e, before := m.e, len(m.columns)
	m.row = row
	m.label, m.weight, m.offset, m.group = 0, 1, 0, 0
	m.shared, m.sums, m.marks, m.strange = m.shared[:0], m.sums[:0], m.marks[:0], m.strange[:0]
	wrong := ""
	for k := range e.columns {
		if c := &e.columns[k]; c.Kind == Cross {
			m.cross(c, m.columns[before:])
		} else if place := m.place[k]; place >= 0 {
			if wrong = m.cell(&e.columns[k], b.cell(row, place), b.marksOf(row, place, m.marksOf(&e.columns[k]))); wrong != "" {
				break
			}
		}
	}
	for k := 0; k < len(e.crosses) && wrong == ""; k++ {
		x := &e.crosses[k]
		m.hashed(crossed(m.valueHash(b, row, x.a), m.valueHash(b, row, x.b)), 1)
	}
	for k := 0; k < len(e.pairs) && wrong == ""; k++ {
		if row := m.columns[before:]; has(row, e.pairs[k].a) && has(row, e.pairs[k].b) {
			m.one(e.places - len(e.pairs) + k)
		}
	}
	if wrong == "" && len(m.shared) > 0 {
		wrong = m.addShared()
	}
	if wrong != "" {
		m.columns, m.values = m.columns[:before], m.values[:before]
		return wrong
	}
	m.finish(before)
	return ""
}

// marksOf returns the marks of a column.
func (m *rowMaker) marksOf(c *column) *Marks {
	if m.written != nil {
		return m.written
	}
	return c.Marks
}

// finish appends what belongs to a row whose entries begin at first.
func (m *rowMaker) finish(first int) {
	m.lengths = append(m.lengths, len(m.columns)-first)
	if len(m.columns) > first {
		m.sum.Column = max(m.sum.Column, m.columns[len(m.columns)-1])
		if values := m.values[first:]; m.sum.PerRow {
			m.sum.PerRow = !slices.ContainsFunc(values, func(v float64) bool { return v != values[0] })
			m.sum.Ones = m.sum.Ones && m.sum.PerRow && values[0] == 1
		}
	}
	m.labels = append(m.labels, m.label)
	m.weights, m.offsets, m.groups = append(m.weights, m.weight), append(m.offsets, m.offset), append(m.groups, m.group)
	for _, mark := range m.marks {
		if mark&1 == 0 {
			m.missing[mark>>1]++
		} else {
			m.unseen[mark>>1]++
		}
	}
	for _, s := range m.strange {
		m.odd[s.what][s.column].add(s.cell, 1, ^int64(m.row))
	}
}

// one appends an entry of 1. Columns come in ascending order.
func (m *rowMaker) one(column int) {
	m.columns, m.values = append(m.columns, uint32(column)), append(m.values, 1)
}

// value appends an entry, rounded to a float32; an entry that is 0 then is left out. It returns
// false where v is too large for a float32.
func (m *rowMaker) value(column int, v float64) bool {
	v = float64(float32(v))
	if v != 0 {
		m.columns, m.values = append(m.columns, uint32(column)), append(m.values, v)
	}
	return v-v == 0
}

// hashed adds a value at the place of a hash.
func (m *rowMaker) hashed(hash uint32, v float64) {
	m.shared = append(m.shared, uint64(hash&m.e.mask)<<32|uint64(len(m.sums)))
	m.sums = append(m.sums, v)
}

// absent counts a missing value, and unknown one that Fit did not see.
func (m *rowMaker) absent(c *column) {
	m.marks = append(m.marks, uint32(c.in)<<1)
	if c.absent >= 0 {
		m.one(c.absent)
	}
}

func (m *rowMaker) unknown(c *column) { m.marks = append(m.marks, uint32(c.in)<<1|1) }

// addShared appends the hashed entries in ascending places. Values that share a place are added
// in the order of the row, and rounded once.
func (m *rowMaker) addShared() string {
	m.ascend(m.shared)
	for k := 0; k < len(m.shared); {
		place := m.shared[k] >> 32
		v := m.sums[uint32(m.shared[k])]
		for k++; k < len(m.shared) && m.shared[k]>>32 == place; k++ {
			v += m.sums[uint32(m.shared[k])]
		}
		if !m.value(m.e.places+int(place), v) {
			return fmt.Sprintf("the values at place %d of the hash add up to %v, which is too large", place, v)
		}
	}
	return ""
}

// fewShared is the number of hashed entries of a row up to which ascend sorts them by itself.
const fewShared = 64

// ascend sorts distinct keys, whose upper halves are places from 0 to mask. Few keys are put into
// 32 ranges of places first, so that little is left to sort.
func (m *rowMaker) ascend(keys []uint64) {
	if len(keys) > fewShared {
		slices.Sort(keys)
		return
	}
	var next [33]uint8
	var sorted [fewShared]uint64
	shift := 32 + max(m.e.recipe.Hash-5, 0)
	for _, key := range keys {
		next[key>>shift&31+1]++
	}
	for k := range 31 {
		next[k+1] += next[k]
	}
	for _, key := range keys {
		at := &next[key>>shift&31]
		sorted[*at&(fewShared-1)] = key
		*at++
	}
	for i, key := range sorted[:len(keys)] {
		for ; i > 0 && keys[i-1] > key; i-- {
			keys[i] = keys[i-1]
		}
		keys[i] = key
	}
}

// cell encodes a cell. It returns what is wrong with it.
func (m *rowMaker) cell(c *column, cell []byte, marks *Marks) string {
	switch c.Kind {
	case Category:
		m.category(c, cell)
	case Number:
		return m.number(c, cell, marks)
	case Text:
		m.text(c, cell)
	case Time:
		return m.time(c, cell, marks)
	case VW:
		return m.line(c, cell)
	default:
		return m.part(c, cell, marks)
	}
	return ""
}

func (m *rowMaker) category(c *column, cell []byte) {
	if c.Hashed {
		if m.e.missing.has(cell) {
			m.absent(c)
			cell = nil
		}
		m.hashed(murmur3(m.e.missing.category(cell), c.seed), 1)
		return
	}
	if m.e.missing.has(cell) {
		m.absent(c)
		return
	}
	switch k := c.known.find(m.e.missing.category(cell)); {
	case k >= 0:
		m.one(c.at + k)
	case c.rare >= 0:
		m.one(c.rare)
	default:
		m.unknown(c)
	}
}

func (m *rowMaker) number(c *column, cell []byte, marks *Marks) string {
	what := aGap
	if !m.e.missing.has(cell) {
		var v float64
		v, what = m.e.missing.number(cell, marks)
		switch {
		case what != aNumber:
		case c.stepwise():
			m.stepped(c, v)
			return ""
		case c.Bins > 0:
			m.one(c.at + sort.SearchFloat64s(c.Learned.Edges, v))
			return ""
		default:
			m.bent(c, v)
			if !m.scaled(c, v) {
				return tooLarge(c, cell)
			}
			return ""
		}
	}
	if m.strict && what != aGap {
		return fmt.Sprintf("column %q: %s is not a number", c.Name, quoted(cell))
	}
	if c.spline != nil || c.stepwise() {
		mean := c.Learned.Mean
		if c.Scale == ScaleLog1p {
			mean = math.Copysign(kernels.ExpOf(math.Abs(mean))-1, mean)
		}
		m.stepped(c, mean)
	}
	if c.number >= 0 && !m.value(c.number, (c.Learned.Mean-c.Learned.Shift)/c.Learned.Width) {
		return tooLarge(c, cell)
	}
	switch m.absent(c); what {
	case noNumber:
		m.strange = append(m.strange, strange{c.in, odd, cell})
	case anInfinity:
		m.strange = append(m.strange, strange{c.in, infinite, cell})
	}
	return ""
}

// scaled appends the value of a number or a time.
func (m *rowMaker) scaled(c *column, v float64) bool {
	if c.number < 0 {
		return true
	}
	if c.Scale == ScaleLog1p {
		v = signedLog1p(v)
	}
	return m.value(c.number, (v-c.Learned.Shift)/c.Learned.Width)
}

// signedLog1p returns sign(x) log(1 + |x|).
func signedLog1p(x float64) float64 { return math.Copysign(kernels.Log1pOf(math.Abs(x)), x) }

func (m *rowMaker) time(c *column, cell []byte, marks *Marks) string {
	t, ok := moment{}, !m.e.missing.has(cell)
	if ok {
		if t, ok = c.clock.read(cell, marks.comma()); !ok && !m.e.missing.gap(cell) {
			m.strange = append(m.strange, strange{c.in, odd, cell})
		}
	}
	if !ok {
		if c.number >= 0 && !m.value(c.number, (c.Learned.Mean-c.Learned.Shift)/c.Learned.Width) {
			return tooLarge(c, cell)
		}
		m.absent(c)
		return ""
	}
	unseen := false
	for kind, p := range t.parts {
		if at := c.parts[p]; at >= 0 {
			m.one(at)
		} else if c.timed[kind] {
			unseen = true
		}
	}
	if unseen {
		m.unknown(c)
	}
	if !m.scaled(c, t.seconds) {
		return tooLarge(c, cell)
	}
	return ""
}

// part takes a cell that says something of the row, and is no feature.
func (m *rowMaker) part(c *column, cell []byte, marks *Marks) string {
	if c.Kind == Group {
		m.group = groupOf(cell)
		return ""
	}
	switch absent := m.e.missing.has(cell); {
	case absent && c.Kind == Target:
		return noTarget
	case absent:
		return m.wrong(c, cell, marks)
	}
	if c.Kind == Target && c.known.len() > 0 {
		k := c.known.find(m.e.missing.category(cell))
		if m.label = float64(k); k < 0 {
			return fmt.Sprintf("column %q: the target %s was not seen in training, which had %s", c.Name, quoted(cell), listed(c.Learned.Values))
		}
		return ""
	}
	v, what := m.e.missing.number(cell, marks)
	switch {
	case what == aGap && c.Kind == Target:
		return noTarget
	case what != aNumber && c.Kind == Target:
		return fmt.Sprintf("column %q: the target %s is not a number", c.Name, quoted(cell))
	case what != aNumber || c.Kind == Weight && v < 0 || c.Kind == Exposure && !(v > 0):
		return m.wrong(c, cell, marks)
	case c.Kind == Target && c.Scale != ScaleLog:
		m.label = v
	case c.Kind == Target:
		if m.label = kernels.LogOf(v); !(v > 0) {
			return fmt.Sprintf("column %q: %s", c.Name, noLogarithm(cell))
		}
	case c.Kind == Weight:
		m.weight = v
	case c.Kind.offsets():
		m.offset += offsetOf(c.Kind, v)
	}
	return ""
}

// offsetOf returns what a number in a column of a kind adds to the score of its row.
func offsetOf(kind Kind, v float64) float64 {
	if kind == Exposure {
		return kernels.LogOf(v)
	}
	return v
}

// groupOf returns the number of a group: a whole number for itself, other text by its hash.
func groupOf(cell []byte) int64 {
	if len(cell) > 0 && len(cell) < 20 {
		if v, err := strconv.ParseInt(string(cell), 10, 64); err == nil {
			return v
		}
	}
	return int64(murmur3(cell, 0))<<31 ^ int64(murmur3(cell, 1))
}

// valueHash returns the hash of a value that is crossed: the text of a category, a number in its
// shortest digits, or a bin; of nothing where the value is missing.
func (m *rowMaker) valueHash(b *block, row, k int) uint32 {
	c := &m.e.columns[k]
	cell := b.cell(row, m.place[k])
	if m.e.missing.has(cell) {
		return murmur3(nil, c.seed)
	}
	if c.Kind == Number {
		v, what := m.e.missing.number(cell, b.marksOf(row, m.place[k], m.marksOf(c)))
		if what != aNumber {
			return murmur3(nil, c.seed)
		}
		if c.Bins > 0 {
			m.buffer = strconv.AppendInt(m.buffer[:0], int64(sort.SearchFloat64s(c.Learned.Edges, v)), 10)
		} else {
			m.buffer = strconv.AppendFloat(m.buffer[:0], v, 'g', -1, 64)
		}
		return murmur3(m.buffer, c.seed)
	}
	return murmur3(m.e.missing.category(cell), c.seed)
}

// wrong says why a row with this cell is refused.
func (m *rowMaker) wrong(c *column, cell []byte, marks *Marks) string {
	return fmt.Sprintf("column %q: %s", c.Name, refusal(c.Kind, cell, marks, c.known.len() > 0, &m.e.missing))
}

func tooLarge(c *column, cell []byte) string {
	return fmt.Sprintf("column %q: %s is too large for a float32 once it is scaled", c.Name, quoted(cell))
}

// listed names the first values of a vocabulary.
func listed(values []string) string {
	const most = 6
	text := ""
	for k, v := range values[:min(len(values), most)] {
		if k > 0 {
			text += ", "
		}
		text += quoted([]byte(v))
	}
	if len(values) > most {
		text += ", ..."
	}
	return text
}
