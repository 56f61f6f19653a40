package rows

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

var layoutNames = [Layouts]string{"I32F64", "I32F32", "I32Ones", "I16F64", "I16F32", "I16Ones", "I32Decimals", "I32Codes", "I16Decimals", "I16Codes"}

func (l Layout) wide() bool { return !l.Narrow() }

// rowsCase is a matrix and the arguments for one call of each row-batch kernel,
// all against unreadable pages.
type rowsCase struct {
	m           Matrix
	list        []uint32
	first       int
	w1, w2, c   []float64
	description string
}

// newRowsCase makes rows of the given lengths, one after the other, from which
// cut takes some entries at both ends of every row.
func newRowsCase(t testing.TB, layout Layout, lengths []int, seed uint64, cut bool) *rowsCase {
	random := rand.New(rand.NewPCG(seed, uint64(layout)))
	value := []func(*rand.Rand) float64{(*rand.Rand).NormFloat64, asmtest.Hostile, asmtest.SomeHostile}[seed%3]
	n, cols := len(lengths), slices.Max(lengths)+1+random.IntN(40)
	r := &rowsCase{description: fmt.Sprintf("%s, seed %d, cut %v", layoutNames[layout], seed, cut)}
	r.m.Layout = layout
	r.m.Begin, r.m.End = asmtest.Guarded[int64](t, n), asmtest.Guarded[int64](t, n)
	var columns []int
	for i, length := range lengths {
		r.m.Begin[i] = int64(len(columns))
		row := random.Perm(cols)[:length]
		slices.Sort(row)
		columns = append(columns, row...)
		r.m.End[i] = int64(len(columns))
		if cut {
			r.m.Begin[i] += int64(random.IntN(length + 1))
			r.m.End[i] -= int64(random.IntN(int(r.m.End[i] - r.m.Begin[i] + 1)))
		}
	}
	if layout.wide() {
		r.m.Idx32 = asmtest.Guarded[uint32](t, len(columns))
		for e, j := range columns {
			r.m.Idx32[e] = uint32(j)
		}
	} else {
		r.m.Idx16 = asmtest.Guarded[uint16](t, len(columns))
		for e, j := range columns {
			r.m.Idx16[e] = uint16(j)
		}
	}
	switch layout {
	case I32F64, I16F64:
		r.m.Val64 = asmtest.Guarded[float64](t, len(columns))
		asmtest.Fill(r.m.Val64, random, value)
	case I32F32, I16F32:
		r.m.Val32 = asmtest.Guarded[float32](t, len(columns))
		for e := range r.m.Val32 {
			r.m.Val32[e] = float32(value(random))
		}
	case I32Decimals, I16Decimals, I32Codes, I16Codes:
		r.m.fillPacked(t, len(columns), random, value)
	default:
		if seed%2 == 0 {
			r.m.Scale = asmtest.Guarded[float64](t, n)
			asmtest.Fill(r.m.Scale, random, value)
		}
	}
	count := n
	if seed%4 < 2 {
		r.first = random.IntN(n)
		count = random.IntN(n - r.first + 1)
		if seed%4 == 0 {
			r.first, count = 0, n
		}
	} else {
		r.list = asmtest.Guarded[uint32](t, n)
		for k := range r.list {
			r.list[k] = uint32(random.IntN(n))
		}
		r.list[n-1] = uint32(n - 1)
	}
	r.w1, r.w2, r.c = asmtest.Guarded[float64](t, cols), asmtest.Guarded[float64](t, cols), asmtest.Guarded[float64](t, count)
	asmtest.Fill(r.w1, random, value)
	asmtest.Fill(r.w2, random, value)
	asmtest.Fill(r.c, random, value)
	return r
}

// fillPacked gives a matrix the stated number of entries of Decimals or Codes.
func (m *Matrix) fillPacked(t testing.TB, entries int, random *rand.Rand, value func(*rand.Rand) float64) {
	if m.Layout == I32Codes || m.Layout == I16Codes {
		m.Table = asmtest.Guarded[float64](t, 1+random.IntN(70))
		asmtest.Fill(m.Table, random, value)
		m.Codes = asmtest.Guarded[uint16](t, entries)
		for e := range m.Codes {
			m.Codes[e] = uint16(random.IntN(len(m.Table)))
		}
		return
	}
	m.Unit = NewUnit(random.IntN(MostPlaces + 1))
	m.Decimals = asmtest.Guarded[int32](t, entries)
	for e := range m.Decimals {
		m.Decimals[e] = int32(random.Uint32()) >> random.IntN(32)
	}
}

// run calls every kernel with destinations that end, or begin, at an unreadable
// page.
func (r *rowsCase) run(k *Kernels, room func(testing.TB, int) []float64, t testing.TB) map[string][]float64 {
	out, out1, out2 := room(t, len(r.c)), room(t, len(r.c)), room(t, len(r.c))
	w := room(t, len(r.w1))
	copy(w, r.w1)
	k.Dot(out, &r.m, r.list, r.first, r.w1)
	k.Dot2(out1, out2, &r.m, r.list, r.first, r.w1, r.w2)
	k.Add(w, &r.m, r.list, r.first, r.c)
	return map[string][]float64{"Dot": out, "first of Dot2": out1, "second of Dot2": out2, "Add": w}
}

func (r *rowsCase) check(t *testing.T) {
	t.Helper()
	plain := func(_ testing.TB, n int) []float64 { return make([]float64, n) }
	want := r.run(&Generic, plain, t)
	for _, table := range runnable(t) {
		for _, room := range []func(testing.TB, int) []float64{asmtest.Guarded[float64], asmtest.GuardedFront[float64]} {
			for name, got := range r.run(table, room, t) {
				for i := range want[name] {
					if !asmtest.Same(got[i], want[name][i]) {
						t.Fatalf("%s %s, %s: element %d of %d is %v (%x), the twin has %v (%x)", table.Path, name, r.description,
							i, len(got), got[i], math.Float64bits(got[i]), want[name][i], math.Float64bits(want[name][i]))
					}
				}
			}
		}
	}
}

func TestRowsAgree(t *testing.T) {
	for layout := range Layout(Layouts) {
		t.Run(layoutNames[layout], func(t *testing.T) {
			for seed := range uint64(48) {
				lengths := rand.New(rand.NewPCG(seed, 7)).Perm(71)
				newRowsCase(t, layout, lengths, seed, seed%3 == 1).check(t)
			}
		})
	}
}

// TestRowsAtTheEnd has a single row of every length, and short rows only, so
// that tails lie at the end of the slices.
func TestRowsAtTheEnd(t *testing.T) {
	for layout := range Layout(Layouts) {
		t.Run(layoutNames[layout], func(t *testing.T) {
			for length := range 71 {
				newRowsCase(t, layout, []int{length}, uint64(length), false).check(t)
			}
			for seed := range uint64(12) {
				newRowsCase(t, layout, []int{1, 0, 2, 1, 3, 0, 1}, seed, false).check(t)
			}
		})
	}
}

// TestRowsOfOneLength has rows as long as the one before, which kernels may
// treat in another way.
func TestRowsOfOneLength(t *testing.T) {
	for layout := range Layout(Layouts) {
		t.Run(layoutNames[layout], func(t *testing.T) {
			for length := range 34 {
				lengths := slices.Repeat([]int{length}, 9)
				newRowsCase(t, layout, lengths, uint64(length), false).check(t)
				newRowsCase(t, layout, lengths, uint64(length+1), false).check(t)
			}
		})
	}
}

// TestRowsByDefinition checks the twin itself against a loop that spells the
// canonical sum out.
func TestRowsByDefinition(t *testing.T) {
	for layout := range Layout(Layouts) {
		r := newRowsCase(t, layout, []int{0, 1, 5, 8, 9, 30}, 0, false)
		got := r.run(&Generic, asmtest.Guarded[float64], t)
		w := slices.Clone(r.w1)
		for i := range r.c {
			var l [8]float64
			scale := scaleOf(&r.m, uint32(i))
			for e := r.m.Begin[i]; e < r.m.End[i]; e++ {
				j, x := r.m.Column(e), 1.0
				if layout != I32Ones && layout != I16Ones {
					x = r.m.Value(i, e)
				}
				k := (e - r.m.Begin[i]) % 8
				l[k] = math.FMA(x, r.w1[j], l[k])
				w[j] = math.FMA(float64(r.c[i]*scale), x, w[j])
			}
			sum := float64(scale * (((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))))
			if !asmtest.Same(got["Dot"][i], sum) {
				t.Errorf("%s: row %d: %v, want %v", layoutNames[layout], i, got["Dot"][i], sum)
			}
		}
		for j := range w {
			if !asmtest.Same(got["Add"][j], w[j]) {
				t.Errorf("%s: w[%d] = %v, want %v", layoutNames[layout], j, got["Add"][j], w[j])
			}
		}
	}
}

// runnable returns the kernels that this CPU can run, the portable ones left out.
func runnable(t testing.TB) []*Kernels {
	return asmtest.Runnable(t, Paths[1:], func(k *Kernels) string { return k.Path })
}
