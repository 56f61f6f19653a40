package table

import (
	"math"
	"slices"
)

// text encodes the words of a cell. Words of a vocabulary have tf-idf weights at unit length, or
// counts; hashed words have their counts, at unit length unless counts are wanted.
func (m *rowMaker) text(c *column, cell []byte) {
	if m.e.missing.has(cell) {
		m.absent(c)
		return
	}
	ngrams, counts := 1, false
	if c.Words != nil {
		ngrams, counts = max(c.Words.NGrams, 1), c.Words.Counts
	}
	m.words.cut(cell)
	m.terms = m.terms[:0]
	n := m.words.count()
	for i := range n {
		for size := 1; size <= ngrams && i+size <= n; size++ {
			gram := m.words.gram(i, size)
			if c.Hashed {
				m.terms = append(m.terms, murmur3(gram, c.seed)&m.e.mask)
			} else if k := c.known.find(gram); k >= 0 {
				m.terms = append(m.terms, uint32(k))
			}
		}
	}
	if n > 0 && len(m.terms) == 0 {
		m.unknown(c)
	}
	slices.Sort(m.terms)
	length := 1.0
	if !counts {
		square := 0.0
		for _, w := range m.weighed(c) {
			square += float64(w * w)
		}
		length = math.Sqrt(square)
	}
	for term, w := range m.weighed(c) {
		if c.Hashed {
			m.hashed(term, w/length)
		} else {
			m.value(c.at+int(term), w/length)
		}
	}
}

// weighed yields the distinct terms in ascending order, and their weights.
func (m *rowMaker) weighed(c *column) func(yield func(uint32, float64) bool) {
	return func(yield func(uint32, float64) bool) {
		for k := 0; k < len(m.terms); {
			term, first := m.terms[k], k
			for k++; k < len(m.terms) && m.terms[k] == term; {
				k++
			}
			w := float64(k - first)
			if c.idf != nil {
				w *= c.idf[term]
			}
			if !yield(term, w) {
				return
			}
		}
	}
}
