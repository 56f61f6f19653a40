package kernels

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/element"
	"github.com/lanes-go/lanes/internal/base/arguments"
)

// KthLargest returns the k-th largest element of s, for k from 1 (the maximum) to
// len(s), repeated values counted as often as they stand there. A zero is returned as
// +0. s stays as it is; scratch needs len(s) elements apart from s.
//
// Error: k is out of range, s holds NaN, or scratch is too short or overlaps s. Cost: O(n)
// whatever the order of s, in about three sweeps over it. Up to 128 elements it makes n^2
// comparisons; a CPU with AVX2 makes four to sixteen a cycle.
func KthLargest(s []float64, k int, scratch []float64) (float64, error) {
	if n := len(s); k > 0 && k <= n && n <= len(scratch) && arguments.Disjoint(s, scratch) {
		if value := s[0]; n == 1 && value == value {
			return value + 0, nil
		}
		if value, ok := element.KthLargest(s, k); ok && value == value {
			return value + 0, nil
		}
	}
	value, _, _, err := rankThreshold("KthLargest", s, k, scratch)
	return value, err
}

// RankThreshold returns the k-th largest element of s as KthLargest does. It also returns the
// number of elements above it, which is less than k, and the number of elements equal to it:
// above < k <= above + equal. The k largest elements are the elements above it and k - above of
// the equal ones.
//
// Error: as KthLargest. Cost: as KthLargest.
func RankThreshold(s []float64, k int, scratch []float64) (value float64, above, equal int, err error) {
	return rankThreshold("RankThreshold", s, k, scratch)
}

func rankThreshold(name string, s []float64, k int, scratch []float64) (value float64, above, equal int, err error) {
	switch {
	case k < 1 || k > len(s):
		err = fmt.Errorf("kernels.%s: there is no %d-th largest of %d elements", name, k, len(s))
	case len(scratch) < len(s):
		err = fmt.Errorf("kernels.%s: scratch has %d elements; it needs %d, as many as s", name, len(scratch), len(s))
	case overlap(scratch[:len(s)], s):
		err = fmt.Errorf("kernels.%s: scratch and s overlap", name)
	case math.IsNaN(asm.Active().Dense.MaxAbs(s)):
		err = fmt.Errorf("kernels.%s: s holds NaN, which has no rank", name)
	}
	if err != nil {
		return 0, 0, 0, err
	}
	if value, ok := element.KthLargest(s, k); ok {
		for _, v := range s {
			if v > value {
				above++
			}
			if v == value {
				equal++
			}
		}
		return value + 0, above, equal, nil
	}
	value, above, equal = selectRank(s, k, scratch)
	return value + 0, above, equal, nil
}

// sortBelow is how few elements are sorted.
const sortBelow = 8

// sampleSizes gives the size of the sample that a pivot is chosen from, by the least number of
// elements.
var sampleSizes = [...]struct{ elements, sample, offset int }{{16384, 63, 3}, {2048, 31, 2}, {256, 15, 1}, {0, 7, 0}}

// selectRank narrows the elements to one side of a pivot until few are left, as quickselect does.
// The pivot comes from a sorted sample. It is a little beside the wanted rank, on the side that
// leaves the smaller part (Floyd and Rivest 1975). If a round keeps more than three quarters, the
// next pivot halves the range of bit patterns instead. There are at most 64 such rounds.
func selectRank(s []float64, k int, scratch []float64) (value float64, above, equal int) {
	t := &asm.Active().Element.Threshold
	low, high := key(math.Inf(-1)), key(math.Inf(1)) // keys between which what is left lies
	halve := false
	x := s
	for {
		n := len(x)
		if n <= sortBelow {
			copy(scratch, x)
			sortDescending(scratch[:n])
			value = scratch[k-1]
			first, last := k-1, k
			for first > 0 && scratch[first-1] == value {
				first--
			}
			for last < n && scratch[last] == value {
				last++
			}
			return value, above + first, last - first
		}
		pivot := samplePivot(x, k)
		if halve {
			pivot = unkey(low + int64(uint64(high-low)/2))
		}
		greater := t.Count(x, pivot)
		if k <= greater {
			low = key(pivot)
			x = scratch[:t.Above(scratch[:n], x, pivot)]
		} else {
			less := t.Below(scratch[:n], x, pivot)
			if k <= n-less {
				return pivot, above + greater, n - less - greater
			}
			k -= n - less
			above += n - less
			high = key(pivot)
			x = scratch[:less]
		}
		halve = !halve && len(x) > n-n/4
	}
}

// samplePivot returns an element near the k-th largest of x, which has more than
// sortBelow elements.
func samplePivot(x []float64, k int) float64 {
	size := 0
	for len(x) < sampleSizes[size].elements {
		size++
	}
	m, offset := sampleSizes[size].sample, sampleSizes[size].offset
	var sample [63]float64
	stride := len(x) / m
	for i := range m {
		sample[i] = x[i*stride+stride/2]
	}
	sortDescending(sample[:m])
	at := int(float64(m) * (float64(k) / float64(len(x))))
	if k <= len(x)/2 {
		at += offset
	} else {
		at -= offset
	}
	return sample[min(max(at, 0), m-1)]
}

func sortDescending(x []float64) {
	for i := 1; i < len(x); i++ {
		v := x[i]
		j := i
		for ; j > 0 && x[j-1] < v; j-- {
			x[j] = x[j-1]
		}
		x[j] = v
	}
}

// key maps the numbers to integers of the same order; unkey is its inverse.
func key(v float64) int64 {
	b := int64(math.Float64bits(v))
	return b ^ int64(uint64(b>>63)>>1)
}

func unkey(k int64) float64 {
	return math.Float64frombits(uint64(k ^ int64(uint64(k>>63)>>1)))
}
