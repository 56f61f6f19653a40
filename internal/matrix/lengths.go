package matrix

import "slices"

// RowsByLength returns the numbers of all rows sorted by their number of stored entries, fewest
// first. Rows with equally many keep their order. It returns nil if more than half of the rows
// have equally many entries, as sorting would then not make products faster. It costs O(rows),
// shared by the workers of p, and 8 bytes for each entry of the longest row of every 16,384.
func RowsByLength(m *Matrix, p *Pool) []uint32 {
	t := &orderTask{m: m, counts: make([][]int, (m.n+lengthRows-1)/lengthRows)}
	Run(p, len(t.counts), t)
	place := 0
	for length, more := 0, true; more; length++ {
		first := place
		more = false
		for _, counts := range t.counts {
			if length < len(counts) {
				more = true
				place, counts[length] = place+counts[length], place
			}
		}
		if 2*(place-first) > m.n {
			return nil
		}
	}
	t.list = make([]uint32, m.n)
	Run(p, len(t.counts), t)
	return t.list
}

// lengthRows is the number of rows whose lengths are counted together.
const lengthRows = 1 << 14

// orderTask counts the rows of a block by their number of entries. With a list it writes the rows'
// numbers to the list; counts then say where the rows of each length begin.
type orderTask struct {
	m      *Matrix
	counts [][]int
	list   []uint32
}

func (t *orderTask) Block(b int) {
	first, end := b*lengthRows, min((b+1)*lengthRows, t.m.n)
	from, to := t.m.rows.Begin[first:end], t.m.rows.End[first:end]
	counts := t.counts[b]
	if t.list != nil {
		for k, begin := range from {
			length := to[k] - begin
			t.list[counts[length]] = uint32(first + k)
			counts[length]++
		}
		return
	}
	counts = make([]int, 64)
	for k, begin := range from {
		length := int(to[k] - begin)
		if length >= len(counts) {
			counts = append(counts, make([]int, length+1-len(counts))...)
		}
		counts[length]++
	}
	t.counts[b] = slices.Clip(counts)
}
