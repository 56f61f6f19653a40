package rows

import (
	"math"

	"github.com/lanes-go/lanes/asm/internal/lanes"
)

// NewUnit returns 10^-places, of 0 to MostPlaces.
func NewUnit(places int) *Unit {
	ten := 1.0
	for range places {
		ten *= 10
	}
	high := 1 / ten
	low := math.FMA(-high, ten, 1) / ten // what a division leaves is a float64
	u := new(Unit)
	for k := range u.High {
		u.High[k], u.Low[k] = high, low
	}
	return u
}

// Unpack writes the values of the entries from begin on to dst, from Decimals or Codes.
func (m *Matrix) Unpack(dst []float64, begin int64) {
	if m.Codes != nil {
		for e, c := range m.Codes[begin:][:len(dst)] {
			dst[e] = m.Table[c]
		}
		return
	}
	for e, n := range m.Decimals[begin:][:len(dst)] {
		dst[e] = m.Unit.Of(n)
	}
}

// unpacked is how many values are unpacked at a time, a multiple of the lanes.
const unpacked = 64

func dotPacked[I index](out []float64, m *Matrix, idx []I, list []uint32, first int, w []float64) {
	var buffer [unpacked]float64
	for k := range out {
		i := rowOf(list, first, k)
		var l [8]float64
		for begin, end := m.Begin[i], m.End[i]; begin < end; begin += unpacked {
			val := buffer[:min(unpacked, end-begin)]
			m.Unpack(val, begin)
			for e, j := range idx[begin:][:len(val)] {
				l[e&7] = math.FMA(val[e], w[j], l[e&7])
			}
		}
		out[k] = lanes.Sum8(&l)
	}
}

func addPacked[I index](w []float64, m *Matrix, idx []I, list []uint32, first int, c []float64) {
	var buffer [unpacked]float64
	for k, ck := range c {
		i := rowOf(list, first, k)
		for begin, end := m.Begin[i], m.End[i]; begin < end; begin += unpacked {
			val := buffer[:min(unpacked, end-begin)]
			m.Unpack(val, begin)
			for e, j := range idx[begin:][:len(val)] {
				w[j] = math.FMA(ck, val[e], w[j])
			}
		}
	}
}
