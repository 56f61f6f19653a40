package matrix

import (
	"math/bits"

	"github.com/lanes-go/lanes/asm/rows"
)

// Compact returns a copy of m without the columns that have no entry, in the given order; the
// values are shared with m. The bias column stays last. Vectors over the columns become as
// short as the entries demand, which pays where few columns of very many occur.
//
// The entries of a row keep their order, and with it products with rows their bits. It costs
// two looks at every entry, shared by the workers of p, and the memory of a second array of
// indices.
func Compact(m *Matrix, p *Pool) (*Matrix, *Numbering) {
	m = plain(m)
	parts := min(p.Workers(), mostCounters, int(m.NNZ()/blockEntries)+1)
	t := &compactTask{from: m, to: m.rows, marks: make([][]uint64, parts)}
	Run(p, parts, (*markTask)(t))
	t.words = make([]compactWord, len(t.marks[0]))
	used := 0
	for k := range t.words {
		word := &t.words[k]
		for _, marks := range t.marks {
			word.marks |= marks[k]
		}
		word.before = uint32(used)
		used += bits.OnesCount64(word.marks)
	}
	numbering := &Numbering{user: make([]uint32, 0, used), used: used, columns: m.d}
	for k := range t.words {
		for left := t.words[k].marks; left != 0; left &= left - 1 {
			numbering.user = append(numbering.user, uint32(k*64+bits.TrailingZeros64(left)))
		}
	}
	sizeIndices(&t.to, used, m.NNZ())
	Run(p, int((m.NNZ()+blockEntries-1)/blockEntries), t)
	return &Matrix{rows: t.to, n: m.n, d: used, bias: m.bias, cuts: new(cutCache), single: m.single}, numbering
}

// CompactingPays tells whether a run of some passes over the rows is likely to be faster after
// Compact: if there are very many columns, and fewer entries than columns. It depends on the sizes
// of m alone.
func CompactingPays(m *Matrix) bool {
	return !m.numbered && m.d >= 1<<18 && m.NNZ() < int64(m.d)
}

// compactWord has the marks of 64 columns that occur, and the number of those before them. Both
// in a cache line, a lookup waits once, and all of them are in the second cache level.
type compactWord struct {
	marks  uint64
	before uint32
}

type compactTask struct {
	from  *Matrix
	to    rows.Matrix
	marks [][]uint64 // by each of some workers
	words []compactWord
}

type markTask compactTask

// Block marks the columns of one part of the entries.
func (t *markTask) Block(k int) {
	m := t.from
	marks := make([]uint64, (m.d+63)/64)
	t.marks[k] = marks
	size, parts := m.NNZ(), int64(len(t.marks))
	first, end := size*int64(k)/parts, size*int64(k+1)/parts
	if m.rows.Idx16 != nil {
		mark(marks, m.rows.Idx16[first:end])
	} else {
		mark(marks, m.rows.Idx32[first:end])
	}
}

func mark[I uint16 | uint32](marks []uint64, idx []I) {
	for _, j := range idx {
		marks[j>>6] |= 1 << (j & 63)
	}
}

// Block numbers a block of entries.
func (t *compactTask) Block(b int) {
	first := int64(b) * blockEntries
	end := min(first+blockEntries, t.from.NNZ())
	switch {
	case t.from.rows.Idx16 != nil:
		compactEntries(t.words, t.to.Idx16[first:end], t.from.rows.Idx16[first:end])
	case t.to.Idx16 != nil:
		compactEntries(t.words, t.to.Idx16[first:end], t.from.rows.Idx32[first:end])
	default:
		compactEntries(t.words, t.to.Idx32[first:end], t.from.rows.Idx32[first:end])
	}
}

func compactEntries[O, I uint16 | uint32](words []compactWord, to []O, from []I) {
	for e, j := range from {
		word := &words[j>>6]
		to[e] = O(word.before + uint32(bits.OnesCount64(word.marks&(1<<(j&63)-1))))
	}
}
