package rows

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/asm/internal/lanes"
)

// Mix has the values of rows whose entries are 1 but in a few columns. Row i has the values from
// number i*Stride on, of Val64 or of Val32: one for each of Columns, 0 where the row has no entry.
// MixPad numbers more follow the last row.
type Mix struct {
	Columns []uint32 // ascending
	Stride  int      // at least as many as Columns
	Val64   []float64
	Val32   []float32 // of both, one is nil
	// Of has the plan of each row, or NoPlan. It is nil if all rows have the first plan.
	Of    []uint16
	Plans []MixHalf
	// Halves is the number of elements of a plan. Entries of a row behind 4*Halves are 1.
	Halves int
	// Ones has the same entries without values.
	Ones Matrix
}

// MixHalf tells which of the next four entries of a row have values: Mask is -1 for these and 0 for
// the others. The entry has the value at Slot plus Places of its lane. Pairs of Places name the
// halves of a float64.
type MixHalf struct {
	Places [8]uint32
	Mask   [4]int64
	Slot   int64
}

const (
	// MixPad is how many numbers beyond a row kernels may read.
	MixPad = 4
	// NoPlan is the plan of a row that kernels do not take.
	NoPlan = 1<<16 - 1
)

// Value returns the value of the entry of row i in column j.
func (x *Mix) Value(i int, j uint32) float64 {
	s, found := slices.BinarySearch(x.Columns, j)
	switch {
	case !found:
		return 1
	case x.Val64 != nil:
		return x.Val64[i*x.Stride+s]
	}
	return float64(x.Val32[i*x.Stride+s])
}

// NewMixHalf returns the half whose lanes have the given values of a row, which ascend and are within
// four numbers; -1 stands for 1. All are float64s if double is true.
func NewMixHalf(values [4]int, double bool) (h MixHalf) {
	first := -1
	for lane, s := range values {
		if s < 0 {
			continue
		}
		if first < 0 {
			first, h.Slot = s, int64(s)
		}
		h.Mask[lane] = -1
		if place := uint32(s - first); double {
			h.Places[2*lane], h.Places[2*lane+1] = 2*place, 2*place+1
		} else {
			h.Places[lane] = place
		}
	}
	return h
}

func dotMix(out []float64, m *Matrix, list []uint32, first int, w []float64) int {
	if m.Idx16 != nil {
		return dotMixOf(out, m, m.Idx16, list, first, w)
	}
	return dotMixOf(out, m, m.Idx32, list, first, w)
}

func dotMixOf[I index](out []float64, m *Matrix, idx []I, list []uint32, first int, w []float64) int {
	x := m.Mix
	for k := range out {
		i := rowOf(list, first, k)
		plan := 0
		if x.Of != nil {
			plan = int(x.Of[i])
		}
		if plan == NoPlan {
			return k
		}
		halves := x.Plans[plan*x.Halves:][:x.Halves]
		if at := i * x.Stride; x.Val64 != nil {
			out[k] = dotMixRow(idx[m.Begin[i]:m.End[i]], halves, 2, x.Val64[at:], w)
		} else {
			out[k] = dotMixRow(idx[m.Begin[i]:m.End[i]], halves, 1, x.Val32[at:], w)
		}
	}
	return len(out)
}

func dotMixRow[I index, V value](idx []I, halves []MixHalf, step int, val []V, w []float64) float64 {
	var l [8]float64
	for e, j := range idx {
		if h := e >> 2; h < len(halves) && halves[h].Mask[e&3] != 0 {
			place := int(halves[h].Slot) + int(halves[h].Places[step*(e&3)])/step
			l[e&7] = math.FMA(float64(val[place]), w[j], l[e&7])
		} else {
			l[e&7] += w[j]
		}
	}
	return lanes.Sum8(&l)
}
