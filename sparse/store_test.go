package sparse

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/matrix"
)

// entries lists every stored entry of m.
func entriesOf(m *Matrix) (ptr []int64, columns []uint32, values []float64) {
	ptr = []int64{0}
	for i := range m.Rows() {
		for j, v := range m.Row(i) {
			columns = append(columns, uint32(j))
			values = append(values, v)
		}
		ptr = append(ptr, int64(len(columns)))
	}
	return ptr, columns, values
}

func sameBits(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for k := range a {
		if math.Float64bits(a[k]) != math.Float64bits(b[k]) {
			return false
		}
	}
	return true
}

func requireEntries(t *testing.T, m *Matrix, ptr []int64, columns []uint32, values []float64) {
	t.Helper()
	p, c, v := entriesOf(m)
	if len(p) != len(ptr) || len(c) != len(columns) {
		t.Fatalf("%d rows and %d entries, want %d and %d", len(p)-1, len(c), len(ptr)-1, len(columns))
	}
	for i := range p {
		if p[i] != ptr[i] {
			t.Fatalf("pointer %d is %d, want %d", i, p[i], ptr[i])
		}
	}
	for e := range c {
		if c[e] != columns[e] {
			t.Fatalf("entry %d has column %d, want %d", e, c[e], columns[e])
		}
	}
	if !sameBits(v, values) {
		t.Fatalf("values differ: %v, want %v", v, values)
	}
}

func TestStoreChoosesTheSmallestExactLayout(t *testing.T) {
	for _, c := range []struct {
		name    string
		storage Storage
		ptr     []int64
		columns []uint32
		values  []float64
		layout  rows.Layout
		scale   bool
	}{
		{"no rows", Storage{}, []int64{0}, nil, nil, rows.I16Ones, false},
		{"empty rows", Storage{}, []int64{0, 0, 0}, nil, nil, rows.I16Ones, false},
		{"ones", Storage{}, []int64{0, 2, 2, 3}, []uint32{0, 65535, 7}, []float64{1, 1, 1}, rows.I16Ones, false},
		{"ones, wide", Storage{}, []int64{0, 2, 2, 3}, []uint32{0, 65536, 7}, nil, rows.I32Ones, false},
		{"one value a row", Storage{}, []int64{0, 2, 2, 3}, []uint32{0, 1, 7}, []float64{0.1, 0.1, 1}, rows.I16Ones, true},
		{"zero and minus zero", Storage{}, []int64{0, 2}, []uint32{0, 1}, []float64{0, math.Copysign(0, -1)}, rows.I16F32, false},
		{"float32", Storage{}, []int64{0, 2, 2, 3}, []uint32{0, 1, 7}, []float64{0.5, 0.25, 1}, rows.I16F32, false},
		{"float64", Storage{}, []int64{0, 2, 2, 3}, []uint32{0, 1, 70000}, []float64{0.5, 0.1, 1}, rows.I32F64, false},
		{"rounded", Storage{Float32: true}, []int64{0, 2}, []uint32{0, 1}, []float64{0.5, 0.1}, rows.I16F32, false},
		{"wide by request", Storage{indices32: true}, []int64{0, 2}, []uint32{0, 1}, []float64{0.5, 0.1}, rows.I32F64, false},
		{"scale by request", Storage{Values: ValuesPerRow}, []int64{0, 2}, []uint32{0, 1}, nil, rows.I16Ones, true},
		{"float32 by request", Storage{Values: ValuesFloat32}, []int64{0, 2}, []uint32{0, 1}, nil, rows.I16F32, false},
		{"float32 by request, not exact", Storage{Values: ValuesFloat32}, []int64{0, 2}, []uint32{0, 1}, []float64{0.1, 0.1}, rows.I16F64, false},
		{"float64 by request", Storage{Values: ValuesFloat64}, []int64{0, 2}, []uint32{0, 1}, nil, rows.I16F64, false},
	} {
		m, err := newCSRIn(c.storage, 70001, c.ptr, c.columns, c.values)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if matrix.Stored(m).Layout != c.layout || (matrix.Stored(m).Scale != nil) != c.scale {
			t.Errorf("%s: layout %d, scale %v", c.name, matrix.Stored(m).Layout, matrix.Stored(m).Scale)
		}
		want := make([]float64, len(c.columns))
		for e := range want {
			want[e] = 1
			if c.values != nil {
				want[e] = c.values[e]
			}
			if c.storage.Float32 {
				want[e] = float64(float32(want[e]))
			}
		}
		requireEntries(t, m, c.ptr, c.columns, want)
	}
}

// Every order of escalation keeps the entries.
func TestStoreEscalates(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for trial := range 400 {
		s := matrix.NewStore(matrix.Storage{Values: matrix.Values(random.IntN(4)), Indices32: random.IntN(4) == 0})
		if trial%2 == 0 {
			s.Expect(random.IntN(50), random.IntN(200))
		}
		ptr, columns, values := []int64{0}, []uint32(nil), []float64(nil)
		for range 6 {
			kind := random.IntN(5)
			var lengths []int
			var chunkColumns []uint32
			var chunk []float64
			for range random.IntN(4) {
				length := random.IntN(5)
				j := uint32(0)
				v := []float64{1, 1, 0.1, 0.5, random.Float64()}[kind]
				for range length {
					step := 3
					if random.IntN(30) == 0 {
						step = 40000
					}
					j += 1 + uint32(random.IntN(step))
					if kind >= 3 {
						v = []float64{float64(random.IntN(3)), random.Float64()}[kind-3]
					}
					chunkColumns, chunk = append(chunkColumns, j), append(chunk, v)
				}
				lengths = append(lengths, length)
				ptr = append(ptr, ptr[len(ptr)-1]+int64(length))
			}
			columns, values = append(columns, chunkColumns...), append(values, chunk...)
			if kind == 0 {
				chunk = nil
			}
			if err := s.Add(lengths, chunkColumns, chunk, MaxColumns); err != nil {
				t.Fatal(err)
			}
		}
		requireEntries(t, s.Matrix(s.Columns), ptr, columns, values)
	}
}

func TestNewCSRErrors(t *testing.T) {
	one := []float64{1, 1}
	for _, c := range []struct {
		want    string
		d       int
		ptr     []int64
		columns []uint32
		values  []float64
	}{
		{"-1 columns", -1, []int64{0}, nil, nil},
		{"0 pointers do not describe", 3, nil, nil, nil},
		{"1 pointers do not describe", 3, []int64{1}, []uint32{0}, nil},
		{"2 columns and 1 values", 3, []int64{0, 2}, []uint32{0, 1}, one[:1]},
		{"row 0: pointers 0 to 3 leave", 3, []int64{0, 3, 2}, []uint32{0, 1}, one},
		{"row 1: pointers 2 to 1 leave the 2 entries or descend", 3, []int64{0, 2, 1, 2}, []uint32{0, 1}, one},
		{"row 0: column 3; columns must be less than 3", 3, []int64{0, 2}, []uint32{0, 3}, one},
		{"row 1: column 1 after column 1; columns must ascend", 3, []int64{0, 0, 2}, []uint32{1, 1}, one},
		{"row 0: column 2 holds NaN", 3, []int64{0, 2}, []uint32{0, 2}, []float64{1, math.NaN()}},
		{"row 0: column 0 holds -Inf", 3, []int64{0, 2}, []uint32{0, 2}, []float64{math.Inf(-1), 1}},
	} {
		m, err := NewCSR(c.d, c.ptr, c.columns, c.values)
		if err == nil || m != nil || !strings.HasPrefix(err.Error(), "sparse: NewCSR: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v %v: error %v, want %q", c.ptr, c.columns, err, c.want)
		}
	}
	_, err := newCSRIn(Storage{Float32: true}, 1, []int64{0, 1}, []uint32{0}, []float64{1e300})
	if err == nil || !strings.Contains(err.Error(), "row 0: column 0 holds 1e+300, too large for a float32") {
		t.Errorf("float32: error %v", err)
	}
}

func TestStoreRefusesWrongLengths(t *testing.T) {
	for _, c := range []struct {
		lengths []int
		want    string
	}{{[]int{3}, "row 0: 3 entries of the 2 that are left"}, {[]int{1}, "rows of 1 entries in all, but 2 columns"}, {[]int{-1}, "row 0: -1 entries"}} {
		s := matrix.NewStore(matrix.Storage{})
		err := s.Add(c.lengths, []uint32{0, 1}, nil, 5)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("lengths %v: error %v, want %q", c.lengths, err, c.want)
		}
		if s.Rows() != 0 || s.Entries() != 0 {
			t.Errorf("lengths %v: the store changed", c.lengths)
		}
	}
}

// TestCSR: the entries of every layout, packed ones included, equal the entries that Row yields,
// and make an equal matrix.
func TestCSR(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	list := append(layoutMatrices(t, rng, 30, 20), new(Matrix))
	for _, value := range []func() float64{
		func() float64 { return float64(rng.IntN(1e6)) / 1000 },
		func() float64 { return math.Sqrt(float64(rng.IntN(100))) },
	} {
		list = append(list, sampleData(t, rng, 20000, 40, Storage{}, func(int) float64 { return value() }, false).X)
	}
	layouts := map[string]bool{}
	for _, m := range list {
		layouts[m.Layout()] = true
		wantPtr, wantColumns, wantValues := entriesOf(m)
		ptr, columns, values := m.WithBias(2).CSR()
		if ones := !slices.ContainsFunc(wantValues, func(v float64) bool { return v != 1 }); ones && values == nil {
			values = wantValues
		}
		if !slices.Equal(ptr, wantPtr) || !slices.Equal(columns, wantColumns) || !sameBits(values, wantValues) {
			t.Errorf("%s: other entries than those of Row", m.Layout())
		}
		again, err := NewCSR(m.Cols(), ptr, columns, values)
		if err != nil || again.NNZ() != m.NNZ() {
			t.Fatalf("%s: %v", m.Layout(), err)
		}
		requireEntries(t, again, wantPtr, wantColumns, wantValues)
	}
	for _, want := range []string{"none", "row", "f32", "f64", "decimal", "code"} {
		if !layouts["i16+"+want] {
			t.Errorf("no matrix has the layout i16+%s: %v", want, layouts)
		}
	}
}
