// Package order sorts rows by score.
package order

import (
	"cmp"
	"math"
	"slices"
)

// Row is one row: a key that ascends as the score descends, and its number.
type Row struct {
	key   uint64
	Index uint32
}

// sortKey orders float64s, the two zeros being equal, as unsigned integers in
// descending order.
func sortKey(x float64) uint64 {
	bits := math.Float64bits(x)
	if bits == 1<<63 {
		bits = 0
	}
	if bits>>63 == 0 {
		return ^(bits | 1<<63)
	}
	return bits
}

// digit bits of the radix sort: six passes over 64-bit keys, whose counters stay
// in the first-level cache.
const (
	digitBits = 11
	digits    = (64 + digitBits - 1) / digitBits
)

// radixFrom is the number of rows from which the radix sort's counters pay.
const radixFrom = 2000

// Sorter keeps the memory of its last sort for the next one.
type Sorter struct {
	rows, other []Row
	counts      *[digits][1 << digitBits]uint32
}

// Descending returns the rows in descending score, equal ones in their order, and NaN
// somewhere. They are valid until the next call. It costs O(n), by radix sort.
func (s *Sorter) Descending(score []float64) []Row {
	if cap(s.rows) < len(score) {
		s.rows = make([]Row, len(score))
	}
	rows := s.rows[:len(score)]
	for i, v := range score {
		rows[i] = Row{sortKey(v), uint32(i)}
	}
	if len(rows) < radixFrom {
		slices.SortFunc(rows, func(a, b Row) int {
			if a.key != b.key {
				return cmp.Compare(a.key, b.key)
			}
			return cmp.Compare(a.Index, b.Index)
		})
		return rows
	}
	if s.counts == nil {
		s.counts = new([digits][1 << digitBits]uint32)
	}
	clear(s.counts[:])
	for _, r := range rows {
		for d := range digits {
			s.counts[d][r.key>>(d*digitBits)&(1<<digitBits-1)]++
		}
	}
	if cap(s.other) < len(rows) {
		s.other = make([]Row, len(rows))
	}
	other := s.other[:len(rows)]
	for d := range digits {
		count := &s.counts[d]
		if count[rows[0].key>>(d*digitBits)&(1<<digitBits-1)] == uint32(len(rows)) {
			continue // all rows share this digit
		}
		at := uint32(0)
		for v, c := range count {
			count[v] = at
			at += c
		}
		for _, r := range rows {
			v := r.key >> (d * digitBits) & (1<<digitBits - 1)
			other[count[v]] = r
			count[v]++
		}
		rows, other = other, rows
	}
	s.rows, s.other = rows, other
	return rows
}
