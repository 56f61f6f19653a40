package draw

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// alias draws columns with given weights in constant time (Walker 1977, in the
// form of Vose 1991). It is exact in integers, so it draws the same columns on
// every architecture.
type alias struct {
	keep  []uint32 // a cell keeps a 32-bit draw below this for its own column
	other []uint32
}

func newAlias(weights []uint64) *alias {
	d := uint64(len(weights))
	total := uint64(0)
	for _, w := range weights {
		total += w
	}
	a := &alias{keep: make([]uint32, d), other: make([]uint32, d)}
	left := make([]uint64, d)
	var small, large []uint32
	for j, w := range weights {
		left[j] = w * d
		if left[j] < total {
			small = append(small, uint32(j))
		} else {
			large = append(large, uint32(j))
		}
	}
	for len(small) > 0 && len(large) > 0 {
		j, l := small[len(small)-1], large[len(large)-1]
		small = small[:len(small)-1]
		high, low := bits.Mul64(left[j], 1<<32)
		share, _ := bits.Div64(high, low, total)
		a.keep[j], a.other[j] = uint32(share), l
		left[l] -= total - left[j]
		if left[l] < total {
			large = large[:len(large)-1]
			small = append(small, l)
		}
	}
	for _, j := range append(small, large...) {
		a.keep[j], a.other[j] = math.MaxUint32, j
	}
	return a
}

func (a *alias) draw(rng *rand.Rand) uint32 {
	r := rng.Uint64()
	cell := uint32((r >> 32) * uint64(len(a.keep)) >> 32)
	if uint32(r) < a.keep[cell] {
		return cell
	}
	return a.other[cell]
}

// zipf gives d columns the Zipf-Mandelbrot weights 1/(rank+offset), dealt out to
// the columns in random order: real files do not number features by frequency.
func zipf(d, offset int, rng *rand.Rand) []uint64 {
	weights := make([]uint64, d)
	for rank := range weights {
		weights[rank] = (1 << 32) / uint64(rank+offset)
	}
	shuffle(rng, weights)
	return weights
}

// shuffle is rand.Shuffle with 32-bit draws only, whatever the width of int.
func shuffle[T any](rng *rand.Rand, x []T) {
	for i := len(x) - 1; i > 0; i-- {
		j := rng.Uint64N(uint64(i + 1))
		x[i], x[j] = x[j], x[i]
	}
}

// fillDistinct draws distinct columns and sorts them.
func (a *alias) fillDistinct(rng *rand.Rand, columns []uint32) {
	for have := 0; have < len(columns); {
		for e := have; e < len(columns); e++ {
			columns[e] = a.draw(rng)
		}
		slices.Sort(columns)
		have = len(slices.Compact(columns))
	}
}

// words draws rows of Zipf columns whose number varies from least to
// least+rest with a long tail.
type words struct {
	alias       *alias
	least, rest int
	value       func(w *words, rng *rand.Rand, columns []uint32, values []float64)
	inverse     []float64 // rough log2 of the inverse column frequency
}

func newWords(d, least, rest, offset int, seed uint64) (*words, []uint64) {
	weights := zipf(d, offset, stream(seed, streamColumns, 0))
	most := max(d/4, 1)
	return &words{alias: newAlias(weights), least: min(least, most), rest: min(rest, max(most-least, 0))}, weights
}

func newWeightedWords(_ *shapeKind, d int, seed uint64) rowMaker {
	w, weights := newWords(d, 16, 180, 50, seed)
	total := uint64(0)
	for _, v := range weights {
		total += v
	}
	w.inverse = make([]float64, d)
	for j, v := range weights {
		w.inverse[j] = roughLog2(total / v)
	}
	w.value = (*words).weigh
	return w
}

func newPlainWords(_ *shapeKind, d int, seed uint64) rowMaker {
	w, _ := newWords(d, 55, 1200, 50, seed)
	w.value = (*words).equal
	return w
}

func newRare(_ *shapeKind, d int, seed uint64) rowMaker {
	w, _ := newWords(d, 2, 30, 20, seed)
	return w
}

// roughLog2 is log2 with straight lines between the powers of two.
func roughLog2(v uint64) float64 {
	e := bits.Len64(v) - 1
	return float64(e) + (float64(v)/float64(uint64(1)<<e) - 1)
}

func (w *words) length(rng *rand.Rand) int {
	u := uint64(rng.Uint32())
	return w.least + int(u*u>>32*uint64(w.rest)>>32)
}

func (w *words) fill(rng *rand.Rand, columns []uint32, values []float64) {
	w.alias.fillDistinct(rng, columns)
	if values != nil {
		w.value(w, rng, columns, values)
	}
}

// weigh gives tf-idf values, three words of four once in the row, of unit length.
func (w *words) weigh(rng *rand.Rand, columns []uint32, values []float64) {
	sum := 0.0
	for e, j := range columns {
		count := uint64(1 + bits.TrailingZeros32(rng.Uint32()|rng.Uint32()|1<<8))
		values[e] = (1 + roughLog2(count)) * w.inverse[j]
		sum = math.FMA(values[e], values[e], sum)
	}
	norm := math.Sqrt(sum)
	for e := range values {
		values[e] /= norm
	}
}

func (w *words) equal(_ *rand.Rand, _ []uint32, values []float64) {
	v := 1 / math.Sqrt(float64(len(values)))
	for e := range values {
		values[e] = v
	}
}

// groups cuts the columns into groups. Every row has one column of each group.
type groups struct {
	first []uint32
	alias []*alias
}

func newGroups(k *shapeKind, d int, seed uint64) rowMaker {
	rng := stream(seed, streamColumns, 0)
	count := min(k.entries, d/2)
	g := &groups{}
	// The sizes are uneven, like real categories: two columns each, and the rest dealt out with
	// weights 1 to count.
	rest, dealt := d-2*count, 0
	first := 0
	for i := range count {
		g.first = append(g.first, uint32(first))
		until := int(int64(rest) * int64((i+1)*(i+2)) / int64(count*(count+1)))
		size := 2 + until - dealt
		dealt = until
		g.alias = append(g.alias, newAlias(zipf(size, 1, rng)))
		first += size
	}
	return g
}

func (g *groups) length(*rand.Rand) int { return len(g.first) }

func (g *groups) fill(rng *rand.Rand, columns []uint32, _ []float64) {
	for e := range columns {
		columns[e] = g.first[e] + g.alias[e].draw(rng)
	}
}

// dense stores every entry.
type dense struct{ scale []float64 }

func newDense(_ *shapeKind, d int, _ uint64) rowMaker {
	scale := make([]float64, d)
	for j := range scale {
		scale[j] = 1 / math.Sqrt(float64(1+8*j/d))
	}
	return dense{scale}
}

func (m dense) length(*rand.Rand) int { return len(m.scale) }

func (m dense) fill(rng *rand.Rand, columns []uint32, values []float64) {
	for e := range columns {
		columns[e] = uint32(e)
		values[e] = bell(rng) * m.scale[e]
	}
}

// bell draws from a bell curve of mean 0 and standard deviation 1: the sum of
// four 16-bit draws, exact on every architecture.
func bell(rng *rand.Rand) float64 {
	r := rng.Uint64()
	sum := int64(r&0xffff) + int64(r>>16&0xffff) + int64(r>>32&0xffff) + int64(r>>48)
	const sqrt3 = 1.7320508075688772
	return float64(2*sum-4*0xffff) / 0x20000 * sqrt3
}
