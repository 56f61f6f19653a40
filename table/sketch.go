package table

import "slices"

// sketchSize is the number of values in a sketch.
const sketchSize = 1024

// sketch counts how often some values of a column occur: the 1,024 distinct values with the least
// hashes. Which values these are, and their counts, do not depend on the order of the values.
type sketch struct {
	hashes []uint64 // ascending
	counts []int64
	fits   []fits // what each value can be
}

// add takes a value n times, which can be what fit says.
func (s *sketch) add(value []byte, n int64, fit func() fits) {
	hash := uint64(murmur3(value, 0)) << 32
	if len(s.hashes) == sketchSize && hash > s.hashes[sketchSize-1] {
		return
	}
	s.count(hash|uint64(murmur3(value, 1)), n, fit)
}

func (s *sketch) count(hash uint64, n int64, fit func() fits) {
	k, known := slices.BinarySearch(s.hashes, hash)
	switch {
	case known:
		s.counts[k] += n
	case k < sketchSize:
		s.hashes, s.counts, s.fits = slices.Insert(s.hashes, k, hash), slices.Insert(s.counts, k, n), slices.Insert(s.fits, k, fit())
		if len(s.hashes) > sketchSize {
			s.hashes, s.counts, s.fits = s.hashes[:sketchSize], s.counts[:sketchSize], s.fits[:sketchSize]
		}
	}
}

// merge adds the values of another sketch.
func (s *sketch) merge(other *sketch) {
	for k, hash := range other.hashes {
		s.count(hash, other.counts[k], func() fits { return other.fits[k] })
	}
}

// unique says that every value occurs once, as far as a full sketch can tell.
func (s *sketch) unique() bool {
	return len(s.hashes) == sketchSize && slices.Max(s.counts) == 1
}
