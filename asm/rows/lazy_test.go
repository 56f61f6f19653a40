package rows

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm/internal/asmtest"
)

// lazyCase is one call of every lazy kernel.
type lazyCase struct {
	m     Matrix
	list  []uint32
	rec   []Record
	c     []float64
	now   float64
	table [][4]float64
}

// newLazyCase makes rows of 0 to 40 entries and a list that repeats rows; all
// slices that kernels read or write end at unreadable pages.
func newLazyCase(t testing.TB, layout Layout, seed uint64, value func(*rand.Rand) float64) *lazyCase {
	random := rand.New(rand.NewPCG(seed, uint64(layout)))
	const n = 41
	cols := []int{41, 64, 300}[seed%3]
	l := &lazyCase{now: 11, rec: asmtest.Guarded[Record](t, cols)}
	l.m.Layout = layout
	l.m.Begin, l.m.End = asmtest.Guarded[int64](t, n), asmtest.Guarded[int64](t, n)
	lengths := random.Perm(n)
	total := 0
	for i, length := range lengths {
		l.m.Begin[i] = int64(total)
		total += length
		l.m.End[i] = int64(total)
	}
	wide := layout.wide()
	if wide {
		l.m.Idx32 = asmtest.Guarded[uint32](t, total)
	} else {
		l.m.Idx16 = asmtest.Guarded[uint16](t, total)
	}
	for i := range n {
		columns := random.Perm(cols)[:lengths[i]]
		slices.Sort(columns)
		for k, j := range columns {
			if e := l.m.Begin[i] + int64(k); wide {
				l.m.Idx32[e] = uint32(j)
			} else {
				l.m.Idx16[e] = uint16(j)
			}
		}
	}
	switch layout {
	case I32F64, I16F64:
		l.m.Val64 = asmtest.Guarded[float64](t, total)
		asmtest.Fill(l.m.Val64, random, value)
	case I32F32, I16F32:
		l.m.Val32 = asmtest.Guarded[float32](t, total)
		for e := range l.m.Val32 {
			l.m.Val32[e] = float32(value(random))
		}
	case I32Decimals, I16Decimals, I32Codes, I16Codes:
		l.m.fillPacked(t, total, random, value)
	default:
		if seed%2 == 0 {
			l.m.Scale = asmtest.Guarded[float64](t, n)
			asmtest.Fill(l.m.Scale, random, value)
		}
	}
	l.list = asmtest.Guarded[uint32](t, 64)
	for k := range l.list {
		l.list[k] = uint32(random.IntN(n))
	}
	l.c = asmtest.Guarded[float64](t, len(l.list))
	asmtest.Fill(l.c, random, value)
	for j := range l.rec {
		l.rec[j] = Record{W: value(random), U: value(random), Last: value(random), S: value(random)}
	}
	l.table = asmtest.Guarded[[4]float64](t, 12)
	for k := range l.table {
		asmtest.Fill(l.table[k][:], random, value)
	}
	return l
}

// run calls one kernel after the other and returns all it gave, the records of
// every step included.
func (l *lazyCase) run(t testing.TB, k *LazyKernels) map[string][]float64 {
	rec := asmtest.Guarded[Record](t, len(l.rec))
	copy(rec, l.rec)
	out := map[string][]float64{}
	step := func(name string, results int, call func(a, b []float64)) {
		a, b := asmtest.Guarded[float64](t, len(l.list)), asmtest.Guarded[float64](t, len(l.list))
		call(a, b)
		if results > 0 {
			out[name+" first result"] = a
		}
		if results > 1 {
			out[name+" second result"] = b
		}
		var fields []float64
		for _, r := range rec {
			fields = append(fields, r.W, r.Last, r.U, r.S)
		}
		out[name+" records"] = fields
	}
	m := &l.m
	k.Fetch(m, l.list)
	step("1 Dot", 2, func(a, b []float64) { k.Dot(a, b, m, l.list, l.list, rec, l.now) })
	step("2 AddS", 1, func(a, _ []float64) { k.AddS(a, m, l.list, rec, l.c) })
	step("3 AddU", 1, func(a, _ []float64) { k.AddU(a, m, l.list, rec, l.c) })
	step("4 AddW", 0, func(_, _ []float64) { k.AddW(m, l.list, rec, l.c) })
	step("5 DotMap", 1, func(a, _ []float64) { k.DotMap(a, m, l.list, rec, l.now+1, l.table) })
	step("6 MoveAddU", 1, func(a, _ []float64) { k.MoveAddU(a, m, l.list, rec, l.c, l.now+2) })
	return out
}

// tame values stay finite in every kernel; hostile ones are any bit pattern.
func tame(random *rand.Rand) float64 { return random.NormFloat64() }

func hostile(random *rand.Rand) float64 {
	switch random.IntN(12) {
	case 0:
		return math.Copysign(0, -1)
	case 1:
		return math.Inf(1 - 2*random.IntN(2))
	case 2:
		return math.NaN()
	case 3:
		return math.Copysign(math.SmallestNonzeroFloat64, random.NormFloat64())
	case 4:
		return math.Copysign(1e300, random.NormFloat64())
	case 5:
		return math.Float64frombits(random.Uint64())
	case 6:
		return 0
	}
	return random.NormFloat64()
}

// signedZeros make every product underflow or vanish: the sign of zero in each
// lane shows whether a lane met an entry that is not its own.
func signedZeros(random *rand.Rand) float64 {
	return math.Copysign([]float64{0, math.SmallestNonzeroFloat64, 1e-200}[random.IntN(3)], random.NormFloat64())
}

var lazyValues = map[string]func(*rand.Rand) float64{"tame": tame, "hostile": hostile, "zeros": signedZeros}

func TestLazyAgrees(t *testing.T) {
	for kind, value := range lazyValues {
		for layout := range Layout(Layouts) {
			for seed := range uint64(6) {
				l := newLazyCase(t, layout, seed, value)
				want := l.run(t, &Generic.Lazy)
				for _, table := range runnable(t) {
					got := l.run(t, &table.Lazy)
					for name := range want {
						if i := firstDifference(got[name], want[name]); i >= 0 {
							t.Fatalf("%s, layout %d, seed %d, %s: %s: element %d is %v, the twin has %v",
								kind, layout, seed, table.Path, name, i, got[name][i], want[name][i])
						}
					}
				}
			}
		}
	}
}

func firstDifference(a, b []float64) int {
	return slices.IndexFunc(indices(len(b)), func(i int) bool { return !asmtest.Same(a[i], b[i]) })
}

func indices(n int) []int {
	x := make([]int, n)
	for i := range x {
		x[i] = i
	}
	return x
}

// TestLazyLengths gives each kernel a list of one row, for every length, with
// nothing mapped behind the row's last entry or the records.
func TestLazyLengths(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for _, table := range append(runnable(t), &Generic) {
		for layout := range Layout(Layouts) {
			for length := range 41 {
				m := Matrix{Layout: layout, Begin: []int64{0}, End: []int64{int64(length)}}
				m.Idx32, m.Idx16 = asmtest.Guarded[uint32](t, length), asmtest.Guarded[uint16](t, length)
				m.Val64, m.Val32 = asmtest.Guarded[float64](t, length), asmtest.Guarded[float32](t, length)
				m.Scale = asmtest.Guarded[float64](t, 1)
				m.Scale[0] = 0.75
				m.Decimals, m.Unit = asmtest.Guarded[int32](t, length), NewUnit(0)
				m.Codes, m.Table = asmtest.Guarded[uint16](t, length), asmtest.Guarded[float64](t, 9)
				for k := range m.Table {
					m.Table[k] = float64(k - 4)
				}
				want := 0.0
				for e := range length {
					m.Idx32[e], m.Idx16[e] = uint32(e), uint16(e)
					m.Val64[e] = float64(random.IntN(9) - 4)
					m.Val32[e] = float32(m.Val64[e])
					m.Decimals[e], m.Codes[e] = int32(m.Val64[e]), uint16(m.Val64[e]+4)
				}
				rec := asmtest.Guarded[Record](t, length)
				for e := range rec {
					rec[e] = Record{W: float64(random.IntN(9)), U: float64(random.IntN(9)), Last: 1}
					want += m.valueAt(e) * (rec[e].W - rec[e].U)
				}
				list, out, out2, c := asmtest.Guarded[uint32](t, 1), asmtest.Guarded[float64](t, 1), asmtest.Guarded[float64](t, 1), asmtest.Guarded[float64](t, 1)
				c[0] = 2
				table.Lazy.Dot(out, out2, &m, list, list, rec, 2)
				if out[0] != want {
					t.Fatalf("%s, layout %d, %d entries: Dot %v, want %v", table.Path, layout, length, out[0], want)
				}
				table.Lazy.AddS(out, &m, list, rec, c)
				norm := 0.0
				for e, r := range rec {
					if s := 2 * m.valueAt(e); r.S != s {
						t.Fatalf("%s, layout %d, %d entries: AddS %v, want %v", table.Path, layout, length, r.S, s)
					}
					norm += r.S * r.S
				}
				if out[0] != norm {
					t.Fatalf("%s, layout %d, %d entries: AddS change %v, want %v", table.Path, layout, length, out[0], norm)
				}
				table.Lazy.AddU(out, &m, list, rec, c)
				table.Lazy.AddW(&m, list, rec, c)
				table.Lazy.DotMap(out, &m, list, rec, 2, [][4]float64{{1, 0, 0, 1}})
			}
		}
	}
}

func (m *Matrix) valueAt(e int) float64 {
	switch m.Layout {
	case I32Ones, I16Ones:
		return m.Scale[0]
	}
	return m.Val64[e]
}

// TestDotMapTableBounds reads the table's ends for every Last outside of it.
func TestDotMapTableBounds(t *testing.T) {
	lasts := map[float64]float64{
		math.NaN(): 0, math.Inf(1): 0, 1e300: 0, 5: 0, 4.5: 0, 4: 0, 3.5: 0, 3: 1,
		0: 3, -1: 3, -1e300: 3, math.Inf(-1): 3, -9.3e18: 3,
	}
	for _, table := range append(runnable(t), &Generic) {
		for layout := range Layout(Layouts) {
			for last, entry := range lasts {
				m := Matrix{Layout: layout, Begin: []int64{0}, End: []int64{1}, Idx32: []uint32{0}, Idx16: []uint16{0},
					Val64: []float64{1}, Val32: []float32{1}, Decimals: []int32{1}, Unit: NewUnit(0), Codes: []uint16{0}, Table: []float64{1}}
				maps := asmtest.Guarded[[4]float64](t, 4)
				for k := range maps {
					maps[k][0] = float64(k)
				}
				rec, out := []Record{{W: 1, Last: last}}, []float64{-1}
				table.Lazy.DotMap(out, &m, []uint32{0}, rec, 4, maps)
				if out[0] != entry || rec[0] != (Record{W: entry, Last: 4}) {
					t.Errorf("%s, layout %d, Last %v: %v %v, want entry %v", table.Path, layout, last, out[0], rec[0], entry)
				}
			}
		}
	}
}

func BenchmarkLazyDotLengths(b *testing.B) {
	for _, length := range []int{4, 14, 40} {
		l := newLazyCase(b, I16F64, 0, tame)
		for k := range l.m.Begin {
			l.m.End[k] = min(l.m.Begin[k]+int64(length), int64(len(l.m.Val64)))
		}
		out := make([]float64, len(l.list))
		for _, table := range append(runnable(b), &Generic) {
			b.Run(fmt.Sprintf("%d/%s", length, table.Path), func(b *testing.B) {
				for range b.N {
					table.Lazy.Dot(out, out, &l.m, l.list, nil, l.rec, l.now)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(l.list)*length), "ns/nonzero")
			})
		}
	}
}
