package sparse

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// packedPair is a matrix whose values are packed, and the same without packing.
func packedPair(t *testing.T, packing matrix.Packing, n, d int, value func() float64) (packed, plain *Matrix) {
	t.Helper()
	rng := rand.New(rand.NewPCG(9, uint64(n)))
	ptr, columns, values := []int64{0}, []uint32{}, []float64{}
	for range n {
		for j := range d {
			if rng.IntN(3) == 0 {
				columns, values = append(columns, uint32(j)), append(values, value())
			}
		}
		ptr = append(ptr, int64(len(columns)))
	}
	both := [2]*Matrix{}
	for k, storage := range []Storage{{packing: packing}, {packing: matrix.PackNever}} {
		m, err := newCSRIn(storage, d, ptr, columns, values)
		if err != nil {
			t.Fatal(err)
		}
		both[k] = m
	}
	if !isPacked(both[0]) || isPacked(both[1]) {
		t.Fatalf("layouts %s and %s", both[0].Layout(), both[1].Layout())
	}
	requireEntries(t, both[0], ptr, columns, values)
	return both[0], both[1]
}

// packedKinds are values for which each packing is exact.
func packedKinds(rng *rand.Rand) map[string]struct {
	packing matrix.Packing
	value   func() float64
} {
	return map[string]struct {
		packing matrix.Packing
		value   func() float64
	}{
		"decimals": {matrix.PackDecimals, func() float64 { return float64(rng.IntN(200001)-100000) / 1e5 }},
		"codes":    {matrix.PackCodes, func() float64 { return float64(rng.IntN(200)) / 7 }},
		"singles":  {matrix.PackCodes, func() float64 { return float64(float32(rng.IntN(300)) / 7) }},
		"counts":   {matrix.PackDecimals, func() float64 { return float64(rng.IntN(9)) }},
	}
}

// TestPackedIsPlain wants the bits of plain values of everything that a matrix does.
func TestPackedIsPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := matrix.NewPool(2)
	defer p.Close()
	for name, kind := range packedKinds(rng) {
		a, b := packedPair(t, kind.packing, 83, 70, kind.value)
		if a.Values() != b.Values() {
			t.Errorf("%s: %d is kept of the values, %d of plain ones", name, a.Values(), b.Values())
		}
		if a.Bytes() > b.Bytes()+8*int64(len(matrix.Stored(a).Table)) {
			t.Errorf("%s: %d bytes, %d of plain values", name, a.Bytes(), b.Bytes())
		}
		w, c := normals(rng, matrix.Width(a)), normals(rng, a.Rows())
		list := []uint32{5, 1, 80, 5, 33}
		for what, run := range map[string]func(m *Matrix) any{
			"entries":  func(m *Matrix) any { return entryBits(m) },
			"MulVec":   func(m *Matrix) any { out := make([]float64, m.Rows()); must(m.MulVec(p, out, w)); return out },
			"AddTrans": func(m *Matrix) any { out := slices.Clone(w); must(m.AddTrans(p, out, c)); return out },
			"AddSquares": func(m *Matrix) any {
				out := slices.Clone(w)
				must(matrix.AddSquares(m, p, out, c))
				return out
			},
			"Gram": func(m *Matrix) any {
				out := make([]float64, matrix.Width(m)*matrix.Width(m))
				must(matrix.Gram(m, p, out, c))
				return out
			},
			"SquaredNorms": func(m *Matrix) any { return matrix.SquaredNorms(m) },
			"Norms":        func(m *Matrix) any { return matrix.Norms(m) },
			"unit":         func(m *Matrix) any { return entryBits(m.NormalizeUnit()) },
			"rows":         func(m *Matrix) any { x, err := m.PickRows(nil, list); must(err); return entryBits(x) },
			"columns": func(m *Matrix) any {
				x, err := matrix.PickColumns(m, p, []uint32{0, 4, 5, 9, 69})
				must(err)
				return fmt.Sprint(entryBits(x), x.Values())
			},
			"scaled": func(m *Matrix) any { x, err := matrix.ScaleRows(m, c); must(err); return entryBits(x) },
			"renumbered": func(m *Matrix) any {
				x, _ := matrix.Renumber(m, p)
				return fmt.Sprint(entryBits(x), matrix.SquaredNorms(x))
			},
			"by columns": func(m *Matrix) any { return entryBits(matrix.NewByColumns(m, p).ByRows(p)) },
			"and scaled": func(m *Matrix) any {
				x, err := matrix.NewByColumns(m, p).ScaleRows([]uint32{9, 4, 69}, c, nil)
				must(err)
				return entryBits(x.ByRows(nil))
			},
			"kept":        func(m *Matrix) any { x := m.WithValues(ValuesFloat64); return fmt.Sprint(x.Values(), entryBits(x)) },
			"description": func(m *Matrix) any { d := m.Describe(); return fmt.Sprint(d.Least, d.Greatest, d.UsedColumns) },
			"ranges": func(m *Matrix) any {
				s, err := FitMinMax(m)
				must(err)
				x, err := s.Apply(m)
				must(err)
				return entryBits(x)
			},
			"deviations": func(m *Matrix) any {
				s, err := FitStd(m)
				must(err)
				return s.Width
			},
			"norms of rows picked": func(m *Matrix) any {
				x, err := m.PickRows(nil, list)
				must(err)
				return fmt.Sprint(x.Values(), matrix.SquaredNorms(x))
			},
			"norms of columns": func(m *Matrix) any { return matrix.NewByColumns(m, p).SquaredNorms() },
			"cache": func(m *Matrix) any {
				var out bytes.Buffer
				must(WriteCache(&out, &Data{X: m, Y: c}))
				return out.String()
			},
		} {
			if x, y := fmt.Sprint(run(a)), fmt.Sprint(run(b)); x != y {
				t.Errorf("%s, %s: other bits than those of plain values", name, what)
			}
		}
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// entryBits lists the entries with the bits of their values.
func entryBits(m interface {
	Rows() int
	Row(i int) iter.Seq2[int, float64]
}) (list []uint64) {
	for i := range m.Rows() {
		for j, v := range m.Row(i) {
			list = append(list, uint64(i)<<32|uint64(j), math.Float64bits(v))
		}
	}
	return list
}

// TestStorePacks adds chunks whose values need more and more, and wants what was given, and
// the layout that is the smallest for it, after each.
func TestStorePacks(t *testing.T) {
	repeat.Skip(t)
	rng := rand.New(rand.NewPCG(3, 4))
	cases := map[string]func() float64{
		"few":      func() float64 { return float64(rng.IntN(3000)) / 7 },
		"many":     func() float64 { return float64(rng.IntN(60000)) / 7 },
		"decimal":  func() float64 { return float64(rng.IntN(1<<24)) / 1e6 },
		"places":   func() float64 { return float64(rng.IntN(200)-100) / 1e7 },
		"negative": func() float64 { return -float64(rng.IntN(2_000_000_000)) / 1e8 },
		"tenths":   func() float64 { return -float64(1_000_000_001+10*rng.IntN(100_000_000)) / 10 },
		"minus 0":  func() float64 { return math.Copysign(0, -1) },
		"single":   func() float64 { return float64(rng.IntN(100)) },
		"singles":  func() float64 { return float64(float32(rng.Float64())) },
		"large":    func() float64 { return float64(1+rng.IntN(9))*1e11 + 0.1 },
		"digits":   rng.Float64,
	}
	for _, c := range []struct {
		chunks []string
		want   string
	}{
		{[]string{"few"}, "i16+code"},
		{[]string{"many"}, "i16+f64"},
		{[]string{"few", "many"}, "i16+f64"},
		{[]string{"few", "decimal"}, "i16+f64"},
		{[]string{"single"}, "i16+f32"},
		{[]string{"singles"}, "i16+f32"},
		{[]string{"single", "few"}, "i16+code"},
		{[]string{"single", "few", "minus 0"}, "i16+code"},
		{[]string{"decimal"}, "i16+decimal"},
		{[]string{"single", "decimal"}, "i16+decimal"},
		{[]string{"negative"}, "i16+decimal"},
		{[]string{"decimal", "places"}, "i16+decimal"},
		{[]string{"places", "few"}, "i16+code"},
		{[]string{"decimal", "single"}, "i16+decimal"},
		{[]string{"tenths"}, "i16+decimal"},
		{[]string{"tenths", "places"}, "i16+f64"},
		{[]string{"decimal", "minus 0"}, "i16+f64"},
		{[]string{"decimal", "large"}, "i16+f64"},
		{[]string{"few", "digits"}, "i16+f64"},
		{[]string{"decimal", "digits"}, "i16+f64"},
		{[]string{"digits"}, "i16+f64"},
		{[]string{"singles", "few", "digits"}, "i16+f64"},
	} {
		s := matrix.NewStore(matrix.Storage{})
		var values []float64
		for _, name := range c.chunks {
			// Part of a chunk's rows: what does not fit stands in the middle of one.
			for range 2 {
				var lengths []int
				var chunkColumns []uint32
				var chunk []float64
				for len(chunk) < 1<<16 {
					lengths = append(lengths, 50)
					for j := range 50 {
						chunkColumns, chunk = append(chunkColumns, uint32(j)), append(chunk, cases[name]())
					}
				}
				values = append(values, chunk...)
				if err := s.Add(lengths, chunkColumns, chunk, MaxColumns); err != nil {
					t.Fatal(err)
				}
			}
		}
		m := s.Matrix(s.Columns)
		if m.Layout() != c.want {
			t.Errorf("%v: layout %s, want %s", c.chunks, m.Layout(), c.want)
		}
		at := 0
		for i := range m.Rows() {
			for e := matrix.Stored(m).Begin[i]; e < matrix.Stored(m).End[i]; e++ {
				if v := matrix.Stored(m).Value(i, e); math.Float64bits(v) != math.Float64bits(values[at]) {
					t.Fatalf("%v: entry %d is %v, not %v", c.chunks, at, v, values[at])
				}
				at++
			}
		}
		if at != len(values) {
			t.Errorf("%v: %d entries, want %d", c.chunks, at, len(values))
		}
	}
}

// TestPackingAsked has few entries, which are packed only where that was asked for.
func TestPackingAsked(t *testing.T) {
	for _, c := range []struct {
		storage Storage
		values  []float64
		want    string
	}{
		{Storage{}, []float64{0.1, 0.25, 0.5}, "i16+f64"},
		{Storage{packing: matrix.PackNever}, []float64{0.1, 0.25, 0.5}, "i16+f64"},
		{Storage{packing: matrix.PackCodes}, []float64{0.1, 0.25, 0.5}, "i16+code"},
		{Storage{packing: matrix.PackDecimals}, []float64{0.1, 0.25, 0.5}, "i16+decimal"},
		{Storage{packing: matrix.PackDecimals, indices32: true}, []float64{0.1, 0.25, 0.5}, "i32+decimal"},
		{Storage{packing: matrix.PackDecimals}, []float64{0.1, 1. / 3, 0.5}, "i16+f64"},
		{Storage{packing: matrix.PackDecimals}, []float64{1, 2, 3}, "i16+decimal"},
		{Storage{packing: matrix.PackCodes}, []float64{2, 2, 2}, "i16+row"},
		{Storage{packing: matrix.PackCodes, Values: ValuesFloat64}, []float64{0.1, 0.25, 0.5}, "i16+f64"},
		{Storage{packing: matrix.PackCodes, Float32: true}, []float64{0.1, 0.25, 0.5}, "i16+code"},
	} {
		m, err := newCSRIn(c.storage, 3, []int64{0, 3}, []uint32{0, 1, 2}, c.values)
		if err != nil || m.Layout() != c.want {
			t.Errorf("%+v, %v: layout %s, error %v, want %s", c.storage, c.values, m.Layout(), err, c.want)
		}
	}
}

// TestCodesRunOut has as many distinct values as codes, and one more.
func TestCodesRunOut(t *testing.T) {
	for distinct, want := range map[int]string{1 << 16: "i16+code", 1<<16 + 1: "i16+f64"} {
		s := matrix.NewStore(matrix.Storage{Packing: matrix.PackCodes})
		var values []float64
		for part := 0; part < distinct; part += 1 << 10 {
			n := min(1<<10, distinct-part)
			columns, chunk := make([]uint32, n), make([]float64, n)
			for e := range chunk {
				columns[e], chunk[e] = uint32(e), 1/float64(part+e+3)
			}
			values = append(values, chunk...)
			if err := s.Add([]int{n}, columns, chunk, MaxColumns); err != nil {
				t.Fatal(err)
			}
		}
		m := s.Matrix(s.Columns)
		if m.Layout() != want {
			t.Errorf("%d values: layout %s, want %s", distinct, m.Layout(), want)
		}
		at := 0
		for i := range m.Rows() {
			for _, v := range m.Row(i) {
				if math.Float64bits(v) != math.Float64bits(values[at]) {
					t.Fatalf("%d values: entry %d is %v, not %v", distinct, at, v, values[at])
				}
				at++
			}
		}
	}
}

func isPacked(m *Matrix) bool {
	return strings.HasSuffix(m.Layout(), "code") || strings.HasSuffix(m.Layout(), "decimal")
}
