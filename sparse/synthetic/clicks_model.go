package synthetic

import (
	"encoding/binary"
	"math/bits"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/kernels"
)

// The planted margins are whole multiples of 1/unit in [-reach, reach): rows have the same
// bits everywhere, and counts by margin give the exact AUC.
const (
	unit    = 1 << 10
	reach   = 16
	margins = 2 * reach * unit
)

// marginOf is the margin of a cell of a tally.
func marginOf(cell int) float64 { return float64(cell-reach*unit) / unit }

// clickField says how the values of a column are drawn. Ranks from 1 on fall into octaves
// [2^k, 2^(k+1)) of equal probability, so that a value's probability is about 1/rank.
type clickField struct {
	most    uint64 // greatest rank
	missing uint64 // share of missing values, in 1/2^16
	follows bool   // a category mostly says what the one before it says
}

// clickNumbers are the columns i1 to i13: counts, and at the end amounts in hundredths.
var clickNumbers = [13]clickField{
	{most: 1 << 8, missing: 29000}, {most: 1 << 14}, {most: 1 << 12, missing: 14000}, {most: 1 << 6, missing: 14000},
	{most: 1 << 20, missing: 1700}, {most: 1 << 16, missing: 14600}, {most: 1 << 13, missing: 2800}, {most: 1 << 7},
	{most: 1 << 15, missing: 2800}, {most: 5, missing: 29700}, {most: 1 << 7, missing: 2800}, {most: 1 << 11, missing: 50000},
	{most: 1 << 13, missing: 14000},
}

// amounts is the first column of numbers in hundredths.
const amounts = 11

// clickCategories are the columns c1 to c26.
var clickCategories = [26]clickField{
	{most: 1500}, {most: 600, follows: true}, {most: 5000000, missing: 2200}, {most: 1000000, missing: 2200},
	{most: 300}, {most: 25, missing: 8000}, {most: 12000}, {most: 650, follows: true}, {most: 10},
	{most: 90000}, {most: 5600, follows: true}, {most: 4000000, missing: 2200}, {most: 3200, follows: true}, {most: 27},
	{most: 15000}, {most: 3000000, missing: 2200}, {most: 12, follows: true}, {most: 5500}, {most: 2100, missing: 28800},
	{most: 16, missing: 28800}, {most: 2000000, missing: 2200}, {most: 18, missing: 50000}, {most: 15},
	{most: 280000, missing: 2200}, {most: 100, missing: 28800}, {most: 140000, missing: 28800, follows: true},
}

// clickModel draws rows and their clicks. It never changes.
type clickModel struct {
	seed     uint64
	constant int64
	number   [len(clickNumbers)]struct{ slope, missing int64 }
	// chance is 2^64 times the probability of a click, by cell of the margin.
	chance []uint64
}

// The share of clicks is set on the first rows.
const calibration = 1 << 15

func newClickModel(c Clicks) *clickModel {
	m := &clickModel{seed: random.Mix(c.Seed), chance: make([]uint64, margins)}
	probability := make([]float64, margins)
	for cell := range probability {
		probability[cell] = kernels.SigmoidOf(marginOf(cell))
		m.chance[cell] = uint64(float64(probability[cell] * 0x1p64))
	}
	for k := range m.number {
		h := random.Mix(m.seed + uint64(k+len(clickCategories)))
		m.number[k].slope = bell(h) * unit / 16 / bellWidth
		m.number[k].missing = bell(random.Mix(h)) * unit / 4 / bellWidth
	}
	// A cell of the margin without the constant, for each of the first rows.
	sample := make([]int32, calibration)
	text := make([]byte, 0, mostRowBytes)
	for row := range sample {
		_, cell, _ := m.row(text, int64(row))
		sample[row] = int32(cell)
	}
	low, high := int64(-reach*unit), int64(reach*unit)
	for high-low > 1 {
		middle := (low + high) / 2
		sum := 0.0
		for _, cell := range sample {
			sum += probability[clampCell(int64(cell)+middle)]
		}
		if sum < float64(c.Share*calibration) {
			low = middle
		} else {
			high = middle
		}
	}
	m.constant = high
	return m
}

func clampCell(cell int64) int { return int(min(max(cell, 0), margins-1)) }

// bell turns 64 bits into a whole number from a bell curve around 0 whose standard deviation
// is bellWidth.
func bell(h uint64) int64 {
	return int64(h&0xffff) + int64(h>>16&0xffff) + int64(h>>32&0xffff) + int64(h>>48) - 2*0xffff
}

const bellWidth = 37837 // 2^16/sqrt(3)

// rank draws a rank by 48 bits.
func (f *clickField) rank(r uint64) uint64 {
	octave := uint64(bits.Len64(f.most)) * (r >> 32 & 0xffff) >> 16
	first := uint64(1) << octave
	return first + min(first, f.most+1-first)*(r&0xffffffff)>>32
}

// mostRowBytes bounds the text of a row.
const mostRowBytes = 2 + 13*9 + 26*9 + 1

// row appends a row to text, which has room for it, and returns the cell of its margin and
// whether it is a click.
func (m *clickModel) row(text []byte, number int64) (_ []byte, cell int, click bool) {
	var source random.Source
	source.PCG.Seed(random.Mix(uint64(number)+m.seed), uint64(number))
	at := len(text)
	text = append(text, '0')
	margin := m.constant
	for k := range clickNumbers {
		f, r := &clickNumbers[k], source.PCG.Uint64()
		text = append(text, ',')
		if r>>48 < f.missing {
			margin += m.number[k].missing
			continue
		}
		rank := f.rank(r)
		margin += m.number[k].slope * roughLog2(rank) / unit
		text = appendNumber(text, rank-1, k >= amounts)
	}
	follow := source.PCG.Uint64()
	follow |= follow >> 32 // three bits of four
	before := uint64(0)    // rank of the column before, 0 where that is missing
	for k := range clickCategories {
		f, r := &clickCategories[k], source.PCG.Uint64()
		text = append(text, ',')
		if r>>48 < f.missing {
			before = 0
			continue
		}
		if f.follows && before > 0 && follow>>k&1 != 0 {
			r = random.Mix(before<<8 | uint64(k))
		}
		rank := f.rank(r)
		before = rank
		h := random.Mix(m.seed + (rank<<8 | uint64(k)))
		// Rare values weigh less: what nobody can learn is not what clicks depend on.
		margin += bell(h) * (5 * unit / 16) / (bellWidth * (8 + int64(bits.Len64(rank))) / 8)
		text = appendWord(text, uint32(rank), uint32(k))
	}
	cell = clampCell(margin + reach*unit)
	if source.PCG.Uint64() < m.chance[cell] {
		text[at] = '1'
		click = true
	}
	return append(text, '\n'), cell, click
}

// roughLog2 is unit times log2 with straight lines between the powers of two.
func roughLog2(v uint64) int64 {
	e := bits.Len64(v) - 1
	return int64(e*unit) + int64(v<<10>>e&(unit-1))
}

// appendNumber appends v, or v/100 with two decimals. v is below 10^8.
func appendNumber(text []byte, v uint64, hundredths bool) []byte {
	least := 1
	if hundredths {
		least = 3
	}
	var digits [10]byte
	at := len(digits)
	for written := 0; v > 0 || written < least; written++ {
		if hundredths && written == 2 {
			at--
			digits[at] = '.'
		}
		at--
		digits[at] = byte('0' + v%10)
		v /= 10
	}
	return append(text, digits[at:]...)
}

// appendWord appends 8 hexadecimal digits, different ones for each rank of a column.
func appendWord(text []byte, rank, column uint32) []byte {
	// The finaliser of MurmurHash3, which has an inverse.
	h := rank ^ column<<26
	h = (h ^ h>>16) * 0x85ebca6b
	h = (h ^ h>>13) * 0xc2b2ae35
	h ^= h >> 16
	// Each half byte to a byte of its own, then to its digit: 39 more from 10 on.
	x := uint64(h)
	x = (x | x<<16) & 0x0000ffff0000ffff
	x = (x | x<<8) & 0x00ff00ff00ff00ff
	x = (x | x<<4) & 0x0f0f0f0f0f0f0f0f
	letters := (x + 0x0606060606060606) >> 4 & 0x0101010101010101
	return binary.BigEndian.AppendUint64(text, x+0x3030303030303030+letters*39)
}
