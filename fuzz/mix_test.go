package fuzz

import (
	"fmt"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/asm/rows"
)

// mix makes any rows mixed: up to three plans of up to three halves. A row may have none.
func (in *input) mix(m *rows.Matrix) {
	n := len(m.Begin)
	double := in.byte()%2 == 0
	x := &rows.Mix{Stride: 1 + in.below(9), Halves: 1 + in.below(3), Of: make([]uint16, n)}
	if x.Val64 = in.floats(n*x.Stride + rows.MixPad); !double {
		x.Val32, x.Val64 = singles(x.Val64), nil
	}
	plans := 1 + in.below(3)
	for range plans {
		next := 0
		for range x.Halves {
			half, first := [4]int{-1, -1, -1, -1}, next
			for lane := range half {
				if next < min(x.Stride, first+4) && in.byte()%2 == 0 {
					half[lane] = next
					next += 1 + in.below(2)
				}
			}
			x.Plans = append(x.Plans, rows.NewMixHalf(half, double))
		}
	}
	for i := range x.Of {
		if x.Of[i] = uint16(in.below(plans)); in.byte() == 0 {
			x.Of[i] = rows.NoPlan
		}
	}
	m.Mix = x
}

// FuzzMix compares the products of mixed rows on every path with the portable twin's. A path may
// stop earlier than the twin.
func FuzzMix(f *testing.F) {
	seedBytes(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		m, n, cols := in.rows()
		in.mix(m)
		list := in.list(n)
		w := in.floats(cols)
		for at := range list {
			want := make([]float64, len(list)-at)
			done := asm.Generic.Rows.DotMix(want, m, list[at:], 0, w)
			eachPath(func(k *asm.Table) {
				got := make([]float64, len(list)-at)
				count := k.Rows.DotMix(got, m, list[at:], 0, w)
				if count > done {
					t.Fatalf("%s: %d rows, the twin takes %d", k.Path, count, done)
				}
				requireEqual(t, fmt.Sprintf("%s from %d on", k.Path, at), got[:count], want[:count])
			})
		}
	})
}
