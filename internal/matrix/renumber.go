package matrix

import (
	"fmt"
	"math/bits"

	"github.com/lanes-go/lanes/asm/rows"
)

// Numbering maps the column numbers of a matrix that Renumber or Compact made to the user's.
type Numbering struct {
	user    []uint32 // user[j] is the user's number of the matrix's column j
	used    int      // columns that have entries
	columns int      // of the user's matrix
}

// frequencyClasses is the number of classes that columns fall into: class k holds
// the columns of 2^(31-k) to 2^(32-k)-1 entries, the last one those without.
const frequencyClasses = 33

// Renumber returns a copy of m whose columns are numbered by frequency class, the most frequent
// first. Each class keeps the given order. So the part of a weight vector that is used most is
// contiguous. The bias column stays last.
//
// It makes lazy passes faster if the records of Lazy outgrow the cache, from some 300,000 columns
// on. The given numbers must not already follow frequency. Products alone gain little. It costs
// two to three products with the Hessian, shared by the workers of p, and the memory of a second
// matrix.
//
// The entries of a row change their order and with it the rounding of sums: the
// bits of a run depend on whether its matrix was renumbered, and on nothing else.
func Renumber(m *Matrix, p *Pool) (*Matrix, *Numbering) {
	if m.d < 1<<smallNumber {
		return renumber[uint32](m, p, smallNumber)
	}
	return renumber[uint64](m, p, 32)
}

// RenumberUsed is Renumber without the columns that have no entry. Vectors over the columns become
// as short as the entries demand.
func RenumberUsed(m *Matrix, p *Pool) (*Matrix, *Numbering) {
	inner, numbering := Renumber(m, p)
	inner.d = numbering.used
	numbering.user = numbering.user[:numbering.used:numbering.used]
	return inner, numbering
}

// smallNumber is the number of bits of a column's number: the rest of 32 bits holds its class.
const smallNumber = 26

func renumber[T uint32 | uint64](m *Matrix, p *Pool, shift int) (*Matrix, *Numbering) {
	m = plain(m)
	size := m.NNZ()
	t := &renumberTask[T]{from: &m.rows, to: m.rows, place: make([]T, m.d), shift: shift, rows: BlockRows(m)}
	numbering := &Numbering{user: make([]uint32, m.d), columns: m.d}
	numbering.used = t.number(m.columnCounts(p), numbering.user)

	sizeIndices(&t.to, numbering.used, size)
	t.to.Val32, t.to.Val64 = sizedLike(m.rows.Val32, size), sizedLike(m.rows.Val64, size)
	t.to.Decimals, t.to.Codes = sizedLike(m.rows.Decimals, size), sizedLike(m.rows.Codes, size)
	Run(p, (m.n+t.rows-1)/t.rows, t)
	return &Matrix{rows: t.to, n: m.n, d: m.d, bias: m.bias, cuts: new(cutCache), single: m.single, numbered: true}, numbering
}

// RenumberingPays tells whether a solver of some dozen lazy passes is likely to
// gain by Renumber. It depends on the sizes of m alone, so that the bits of a run
// that heeds it depend on the data alone. A matrix that Renumber made gains nothing, nor
// do rows picked from one.
func RenumberingPays(m *Matrix) bool {
	return !m.numbered && m.d >= 1<<18 && m.NNZ() >= int64(m.d)
}

// Renumbered tells whether the columns have numbers that Renumber gave: to this matrix, or to the
// matrix that these rows were picked from.
func Renumbered(m *Matrix) bool { return m.numbered }

type renumberTask[T uint32 | uint64] struct {
	from  *rows.Matrix
	to    rows.Matrix
	place []T // of every column, by the user's number: its class, and from bit shift down its number
	shift int
	rows  int // in a block
}

// number gives every column its place and returns how many have entries.
func (t *renumberTask[T]) number(counts, user []uint32) int {
	var next [frequencyClasses + 1]uint32
	for _, c := range counts {
		next[bits.LeadingZeros32(c)+1]++
	}
	for c := range frequencyClasses {
		next[c+1] += next[c]
	}
	used := int(next[frequencyClasses-1])
	for j, count := range counts {
		c := bits.LeadingZeros32(count)
		t.place[j] = T(c)<<t.shift | T(next[c])
		user[next[c]] = uint32(j)
		next[c]++
	}
	return used
}

// Block deals the entries of each row out to the classes. Within a class they
// keep their order, so the new columns ascend.
func (t *renumberTask[T]) Block(b int) {
	first, end := b*t.rows, min((b+1)*t.rows, len(t.from.Begin))
	switch {
	case t.from.Idx16 != nil:
		dealRows(t, first, end, t.from.Idx16, t.to.Idx16)
	case t.to.Idx16 != nil:
		dealRows(t, first, end, t.from.Idx32, t.to.Idx16)
	default:
		dealRows(t, first, end, t.from.Idx32, t.to.Idx32)
	}
}

// dealRows looks all columns of the block up before it deals: lookups that wait for
// nothing but the caches take half as long.
func dealRows[T uint32 | uint64, I, O uint16 | uint32](t *renumberTask[T], first, end int, from []I, to []O) {
	start := t.from.Begin[first]
	places := make([]T, t.from.End[end-1]-start)
	for e, j := range from[start:t.from.End[end-1]] {
		places[e] = t.place[j]
	}
	shift, mask := t.shift&63, T(1)<<t.shift-1
	for i := first; i < end; i++ {
		begin, end := t.from.Begin[i], t.from.End[i]
		places := places[begin-start : end-start]
		var next [64]int64 // of which frequencyClasses are used; no index needs a check
		for _, p := range places {
			next[p>>shift&63]++
		}
		at := begin
		for c, count := range next[:frequencyClasses] {
			next[c] = at
			at += count
		}
		switch {
		case t.to.Val64 != nil:
			dealValues(t.to.Val64, t.from.Val64[begin:end], places, shift, next)
		case t.to.Val32 != nil:
			dealValues(t.to.Val32, t.from.Val32[begin:end], places, shift, next)
		case t.to.Decimals != nil:
			dealValues(t.to.Decimals, t.from.Decimals[begin:end], places, shift, next)
		case t.to.Codes != nil:
			dealValues(t.to.Codes, t.from.Codes[begin:end], places, shift, next)
		}
		for _, p := range places {
			c := p >> shift & 63
			to[next[c]] = O(p & mask)
			next[c]++
		}
	}
}

func dealValues[T uint32 | uint64, V float32 | float64 | int32 | uint16](to, from []V, places []T, shift int, next [64]int64) {
	for e, p := range places {
		c := p >> shift & 63
		to[next[c]] = from[e]
		next[c]++
	}
}

// mostCounters bounds the workers that count columns, each with 4 bytes a column.
const mostCounters = 4

// columnCounts returns the number of entries of every stored column.
func (m *Matrix) columnCounts(p *Pool) []uint32 {
	t := &countColumnsTask{m: m, counts: make([][]uint32, min(p.Workers(), mostCounters, int(m.NNZ()/blockEntries)+1))}
	Run(p, len(t.counts), t)
	for _, more := range t.counts[1:] {
		for j, c := range more {
			t.counts[0][j] += c
		}
	}
	return t.counts[0]
}

type countColumnsTask struct {
	m      *Matrix
	counts [][]uint32 // of each worker
}

// Block counts one part of the entries.
func (t *countColumnsTask) Block(k int) {
	counts := make([]uint32, t.m.d)
	t.counts[k] = counts
	size, parts := t.m.NNZ(), int64(len(t.counts))
	first, end := size*int64(k)/parts, size*int64(k+1)/parts
	if t.m.rows.Idx16 != nil {
		for _, j := range t.m.rows.Idx16[first:end] {
			counts[j]++
		}
		return
	}
	for _, j := range t.m.rows.Idx32[first:end] {
		counts[j]++
	}
}

// Used returns how many columns have an entry: they are the matrix's first.
func (n *Numbering) Used() int { return n.used }

// ToUser writes to dst the weights w of the matrix in the user's numbering, and 0 for columns that
// the matrix lacks. Each has one element a column; a bias weight at the end stays there.
func (n *Numbering) ToUser(dst, w []float64) error {
	if err := n.check("ToUser", dst, w, dst, w); err != nil {
		return err
	}
	if len(n.user) < n.columns {
		clear(dst)
	}
	n.deal(dst, w)
	return nil
}

func (n *Numbering) deal(dst, w []float64) {
	copy(dst[n.columns:], w[len(n.user):])
	for j, u := range n.user {
		dst[u] = w[j]
	}
}

// InUser is ToUser to a new vector, whose zeros need not be written.
func (n *Numbering) InUser(w []float64) ([]float64, error) {
	if bias := len(w) - len(n.user); bias == 0 || bias == 1 {
		dst := make([]float64, n.columns+bias)
		n.deal(dst, w)
		return dst, nil
	}
	return nil, fmt.Errorf("sparse: Numbering.InUser: a vector of %d elements, not %d, or one more for a bias", len(w), len(n.user))
}

// FromUser is the inverse of ToUser, for weights to start from. It skips weights of columns that
// the matrix lacks.
func (n *Numbering) FromUser(dst, w []float64) error {
	if err := n.check("FromUser", dst, w, w, dst); err != nil {
		return err
	}
	copy(dst[len(n.user):], w[n.columns:])
	for j, u := range n.user {
		dst[j] = w[u]
	}
	return nil
}

func (n *Numbering) check(op string, dst, w, outer, inner []float64) error {
	bias := len(outer) - n.columns
	if bias != 0 && bias != 1 || len(inner)-len(n.user) != bias {
		return fmt.Errorf("sparse: Numbering.%s: vectors of %d and %d elements, not %d of the user and %d, or one more for a bias", op, len(dst), len(w), n.columns, len(n.user))
	}
	if len(w) > 0 && len(dst) > 0 && &dst[0] == &w[0] {
		return fmt.Errorf("sparse: Numbering.%s: the two vectors are one", op)
	}
	return nil
}
