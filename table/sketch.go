package table

import (
	"cmp"
	"slices"
)

// sketchSize is the number of values in a sketch.
const sketchSize = 1024

// sketch counts how often some values of a column occur: the 1,024 distinct values with the least
// hashes. Which values these are, and their counts, do not depend on the order of the values.
type sketch struct {
	// values ascend by their hashes up to the place sorted. The ones behind it came later, and
	// may stand there or before it, too.
	values []sketched
	sorted int
}

// sketched is a value of a sketch.
type sketched struct {
	hash  uint64
	count int64
	fit   fits // what the value can be
}

// mostNew is the most values of a sketch that are not sorted.
const mostNew = 256

// takes returns the hash of the first n bytes of text, which are a value, and whether the sketch counts
// the value. At least pad bytes can be read behind it.
func (s *sketch) takes(text []byte, n int) (hash uint64, takes bool) {
	hash = uint64(murmurCell(text, n)) << 32
	if s.sorted == sketchSize && hash > s.values[sketchSize-1].hash {
		return hash, false
	}
	return hash | uint64(murmur3(text[:n], 1)), true
}

// add counts a value n times, which can be what fit says.
func (s *sketch) add(hash uint64, n int64, fit fits) {
	if s.values = append(s.values, sketched{hash, n, fit}); len(s.values)-s.sorted == mostNew {
		s.sort()
	}
}

// sort puts the new values among the others, and leaves those with the greatest hashes out.
func (s *sketch) sort() {
	var space [sketchSize]sketched
	old, added, merged := s.values[:s.sorted], s.values[s.sorted:], space[:0]
	slices.SortFunc(added, func(a, b sketched) int { return cmp.Compare(a.hash, b.hash) })
	for len(old)+len(added) > 0 {
		from := &old
		if len(old) == 0 || len(added) > 0 && added[0].hash < old[0].hash {
			from = &added
		}
		v := (*from)[0]
		*from = (*from)[1:]
		if last := len(merged) - 1; last >= 0 && merged[last].hash == v.hash {
			merged[last].count += v.count
			continue
		}
		if len(merged) == sketchSize {
			break
		}
		merged = append(merged, v)
	}
	s.values = append(s.values[:0], merged...)
	s.sorted = len(s.values)
}

// merge adds the values of another sketch.
func (s *sketch) merge(other *sketch) {
	for _, v := range other.values {
		s.add(v.hash, v.count, v.fit)
	}
}

// unique says that every value occurs once, as far as a full sketch can tell.
func (s *sketch) unique() bool {
	return len(s.values) == sketchSize && !slices.ContainsFunc(s.values, func(v sketched) bool { return v.count > 1 })
}
