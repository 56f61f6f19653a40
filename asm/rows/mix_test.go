package rows

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// mixCase has mixed rows, and the same rows with a value an entry.
type mixCase struct {
	mixed, plain Matrix
	w            []float64
	list         []uint32
}

// newMixCase draws rows of the given lengths, in which entries at random places have values. All
// rows of a plan have them at the same places.
func newMixCase(t *testing.T, lengths []int, seed uint64, narrow, double bool) *mixCase {
	random := rand.New(rand.NewPCG(seed, 5))
	values := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.Hostile, asmtest.SomeHostile}[seed%3]
	entries, stride, plans := 0, 1+random.IntN(9), 1+random.IntN(3)
	for _, length := range lengths {
		entries += length
	}
	c := &mixCase{w: asmtest.Guarded[float64](t, 1+random.IntN(200))}
	asmtest.Fill(c.w, random, values)
	m, x := &c.mixed, &Mix{Stride: stride, Halves: 1 + random.IntN(5)}
	c.plain.Val64 = slices.Repeat([]float64{1}, entries)
	single := asmtest.Guarded[float32](t, len(lengths)*stride+MixPad)
	x.Val64 = asmtest.Guarded[float64](t, len(single))
	asmtest.Fill(x.Val64, random, values)
	for i, v := range x.Val64 {
		single[i] = float32(v)
		if !double {
			x.Val64[i] = float64(single[i])
		}
	}
	m.Idx16, m.Idx32 = asmtest.Guarded[uint16](t, entries), asmtest.Guarded[uint32](t, entries)
	for e := range m.Idx16 {
		m.Idx32[e] = uint32(random.IntN(len(c.w)))
		m.Idx16[e] = uint16(m.Idx32[e])
	}
	places := make([][][4]int, plans)
	for p := range places {
		next := 0
		for range x.Halves {
			half := [4]int{-1, -1, -1, -1}
			first := next
			for lane := range half {
				if next < min(stride, first+4) && random.IntN(2) == 0 {
					half[lane] = next
					next += 1 + random.IntN(2)
				}
			}
			places[p] = append(places[p], half)
			x.Plans = append(x.Plans, NewMixHalf(half, double))
		}
	}
	x.Of = make([]uint16, len(lengths))
	at := int64(0)
	for i, length := range lengths {
		p := random.IntN(plans + 1)
		if seed%4 == 0 {
			p = 0
		}
		x.Of[i] = uint16(p)
		if p == plans && random.IntN(4) > 0 {
			x.Of[i] = 0
		} else if p == plans {
			x.Of[i] = NoPlan
		}
		m.Begin, m.End = append(m.Begin, at), append(m.End, at+int64(length))
		for e := 0; x.Of[i] != NoPlan && e < min(length, 4*x.Halves); e++ {
			if s := places[x.Of[i]][e/4][e%4]; s >= 0 {
				c.plain.Val64[at+int64(e)] = x.Val64[i*stride+s]
			}
		}
		at += int64(length)
		c.list = append(c.list, uint32(i))
	}
	m.Layout, c.plain.Layout = I32Mixed, I32F64
	if narrow {
		m.Layout, c.plain.Layout = I16Mixed, I16F64
		m.Idx32 = nil
	} else {
		m.Idx16 = nil
	}
	c.plain.Begin, c.plain.End, c.plain.Idx16, c.plain.Idx32 = m.Begin, m.End, m.Idx16, m.Idx32
	if !double {
		x.Val32, x.Val64 = single, nil
	}
	if m.Mix = x; seed%4 == 0 {
		x.Of = nil
	}
	random.Shuffle(len(c.list), func(i, j int) { c.list[i], c.list[j] = c.list[j], c.list[i] })
	return c
}

// check compares the mixed rows with the others, on every path. A kernel stops at rows without a
// plan, and may stop at rows near the end of the entries.
func (c *mixCase) check(t *testing.T) {
	t.Helper()
	n, m := len(c.list), &c.mixed
	for _, list := range [][]uint32{nil, c.list} {
		want := make([]float64, n)
		Generic.Dot(want, &c.plain, list, 0, c.w)
		for _, path := range runnable(t) {
			for at := 0; at < n; {
				out := asmtest.Guarded[float64](t, n-at)
				count := 0
				if list == nil {
					count = path.DotMix(out, m, nil, at, c.w)
				} else {
					count = path.DotMix(out, m, list[at:], 0, c.w)
				}
				for k, v := range out[:count] {
					if !asmtest.Same(v, want[at+k]) {
						t.Fatalf("%s: row %d of %d entries is %v, want %v", path.Path, rowOf(list, 0, at+k), m.End[rowOf(list, 0, at+k)]-m.Begin[rowOf(list, 0, at+k)], v, want[at+k])
					}
				}
				if at += count; at == n {
					break
				}
				i := rowOf(list, 0, at)
				if end := int(m.End[i]); (m.Mix.Of == nil || m.Mix.Of[i] != NoPlan) && (path.Path == Generic.Path || end+7 <= len(c.plain.Val64)) {
					t.Fatalf("%s: stopped at row %d, which has a plan", path.Path, i)
				}
				at++
			}
		}
	}
}

// TestMixAgrees: mixed rows have the bits of rows with a value an entry, next to inaccessible pages.
func TestMixAgrees(t *testing.T) {
	for _, narrow := range []bool{false, true} {
		for _, double := range []bool{false, true} {
			for seed := range uint64(60) {
				newMixCase(t, rand.New(rand.NewPCG(seed, 7)).Perm(40), seed, narrow, double).check(t)
			}
			for length := range 34 {
				newMixCase(t, slices.Repeat([]int{length}, 12), uint64(length), narrow, double).check(t)
				newMixCase(t, []int{length}, uint64(length), narrow, double).check(t)
				newMixCase(t, []int{2, 4, 9, length}, uint64(length), narrow, double).check(t)
			}
		}
	}
}

func TestMixValue(t *testing.T) {
	x := &Mix{Columns: []uint32{3, 8}, Stride: 2, Val32: []float32{1.5, 2.5, 3.5, 4.5}}
	m := &Matrix{Layout: I16Mixed, Idx16: []uint16{3, 5, 8}, Begin: []int64{0, 2}, End: []int64{2, 3}, Mix: x}
	for e, want := range []float64{1.5, 1, 4.5} {
		if got := m.Value(e/2, int64(e)); got != want {
			t.Errorf("entry %d is %v, want %v", e, got, want)
		}
	}
	if !m.Layout.Narrow() || I32Mixed.Narrow() || I32Mixed.Narrowed() != I16Mixed {
		t.Error("the layouts are not narrow and wide")
	}
}
