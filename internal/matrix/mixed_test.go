package matrix_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// mixedShape says what rows drawMixed draws.
type mixedShape struct {
	rows, groups, size int     // groups of columns of which a row has one or none
	numbers            []int   // columns before these groups are numbers
	missing            float64 // the share of cells without an entry
	double             bool    // numbers are no float32
	wide               int     // columns before all others, without entries
}

func (s mixedShape) String() string {
	return fmt.Sprintf("%d rows, %d groups of %d, numbers before %v, %v missing, double %v, wide %d", s.rows, s.groups, s.size, s.numbers, s.missing, s.double, s.wide)
}

// mixedShapes are rows with values in all places: first, last, scattered, in places beyond the
// first eight and the first 256; in rows of one length and of many.
var mixedShapes = []mixedShape{
	{rows: 300, groups: 8, size: 9, numbers: []int{0}},
	{rows: 300, groups: 8, size: 9, numbers: []int{8}},
	{rows: 500, groups: 3, size: 40, numbers: []int{0, 0, 0}, missing: 0.3, double: true},
	{rows: 700, groups: 12, size: 5, numbers: []int{0, 3, 3, 7, 12}, missing: 0.1},
	{rows: 400, groups: 17, size: 4, numbers: []int{5, 9, 9, 9, 9, 9, 17}, missing: 0.02, double: true},
	{rows: 300, groups: 9, size: 7, numbers: []int{0, 1, 2, 3, 4, 5, 6, 7, 8}, missing: 0.5},
	{rows: 60, groups: 300, size: 2, numbers: []int{0, 100, 260, 300}, missing: 0.01},
	{rows: 200, groups: 6, size: 50, numbers: []int{2, 2}, missing: 0.2, wide: 70_000, double: true},
	{rows: 90, groups: 1, size: 3, numbers: []int{0, 1}, missing: 0.9},
	{rows: 90, groups: 3, size: 1, numbers: []int{1, 1}, missing: 0.1},
	{rows: 300, groups: 4, size: 9, numbers: slices.Repeat([]int{0}, 20), missing: 0.05},
}

// drawMixed returns rows of ones and of few columns with values, with a value an entry and mixed.
func drawMixed(t testing.TB, s mixedShape, rng *rand.Rand) (plain, mixed *matrix.Matrix) {
	t.Helper()
	var lengths []int
	var columns []uint32
	var values []float64
	d := 0
	for range s.rows {
		before := len(columns)
		at := s.wide
		for g := 0; g <= s.groups; g++ {
			for _, place := range s.numbers {
				if place != g {
					continue
				}
				if rng.Float64() >= s.missing {
					v := rng.NormFloat64()
					if !s.double {
						v = float64(float32(v))
					}
					columns, values = append(columns, uint32(at)), append(values, [...]float64{v, v, v, 1, 0, math.Copysign(0, -1)}[rng.IntN(6)])
				}
				at++
			}
			if g < s.groups {
				if rng.Float64() >= s.missing {
					columns, values = append(columns, uint32(at+rng.IntN(s.size))), append(values, 1)
				}
				at += s.size
			}
		}
		d = at
		lengths = append(lengths, len(columns)-before)
	}
	least := matrix.ValuesFloat32
	if s.double {
		least = matrix.ValuesFloat64
	}
	store := matrix.NewStore(matrix.Storage{Values: least})
	if err := store.Add(lengths, columns, values, d); err != nil {
		t.Fatal(err)
	}
	plain = store.Matrix(d)
	mixed, ok := matrix.Mixed(plain)
	if !ok {
		t.Fatalf("%v: not mixed", s)
	}
	return plain.WithValues(0), mixed
}

// same fails if two results differ in a bit, but for the sign of a zero.
func same(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d elements, want %d", what, len(got), len(want))
	}
	for k := range got {
		if got[k] != want[k] && (got[k] == got[k] || want[k] == want[k]) {
			t.Fatalf("%s: element %d is %v, want %v", what, k, got[k], want[k])
		}
	}
}

// mixedOperations are results of a matrix, by name.
var mixedOperations = []struct {
	name string
	do   func(t *testing.T, m *matrix.Matrix, p *matrix.Pool, rng *rand.Rand) []float64
}{
	{"MulVec", func(t *testing.T, m *matrix.Matrix, p *matrix.Pool, rng *rand.Rand) []float64 {
		out := make([]float64, m.Rows())
		check(t, m.MulVec(p, out, normals(rng, m.Cols())))
		return out
	}},
	{"MulRows", func(t *testing.T, m *matrix.Matrix, _ *matrix.Pool, rng *rand.Rand) []float64 {
		list := someRows(m, rng)
		out := make([]float64, len(list))
		check(t, matrix.MulRows(m, out, list, normals(rng, m.Cols())))
		return out
	}},
	{"AddRows", func(t *testing.T, m *matrix.Matrix, _ *matrix.Pool, rng *rand.Rand) []float64 {
		list, out := someRows(m, rng), normals(rng, m.Cols())
		check(t, matrix.AddRows(m, out, list, normals(rng, len(list))))
		return out
	}},
	{"AddTrans", func(t *testing.T, m *matrix.Matrix, p *matrix.Pool, rng *rand.Rand) []float64 {
		out := normals(rng, m.Cols())
		check(t, m.AddTrans(p, out, normals(rng, m.Rows())))
		return out
	}},
	{"AddTrans of few", func(t *testing.T, m *matrix.Matrix, p *matrix.Pool, rng *rand.Rand) []float64 {
		out, c := normals(rng, m.Cols()), make([]float64, m.Rows())
		for i := range c {
			if rng.IntN(5) == 0 {
				c[i] = rng.NormFloat64()
			}
		}
		check(t, m.AddTrans(p, out, c))
		return out
	}},
	{"AddHessian", func(t *testing.T, m *matrix.Matrix, p *matrix.Pool, rng *rand.Rand) []float64 {
		out, z, c := normals(rng, m.Cols()), make([]float64, m.Rows()), make([]float64, m.Rows())
		check(t, matrix.AddHessian(m, p, out, z, c, normals(rng, m.Cols()), normals(rng, m.Rows())))
		return slices.Concat(out, z, c)
	}},
	{"AddSlopes", func(t *testing.T, m *matrix.Matrix, p *matrix.Pool, rng *rand.Rand) []float64 {
		out, z, c := normals(rng, m.Cols()), make([]float64, m.Rows()), make([]float64, m.Rows())
		check(t, matrix.AddSlopes(m, p, out, z, c, normals(rng, m.Cols()), func(first, end int) { copy(c[first:end], z[first:end]) }))
		return slices.Concat(out, z, c)
	}},
	{"AddSquares", func(t *testing.T, m *matrix.Matrix, p *matrix.Pool, rng *rand.Rand) []float64 {
		out := normals(rng, m.Cols())
		check(t, matrix.AddSquares(m, p, out, normals(rng, m.Rows())))
		return out
	}},
	{"Runs", func(t *testing.T, m *matrix.Matrix, _ *matrix.Pool, rng *rand.Rand) []float64 {
		return runsOf(t, matrix.RunsOf(m), m, rng)
	}},
	{"Joined", func(t *testing.T, m *matrix.Matrix, p *matrix.Pool, rng *rand.Rand) []float64 {
		var parts []*matrix.Matrix
		for first := 0; first < m.Rows(); first += 70 {
			var list []uint32
			for i := first; i < min(first+70, m.Rows()); i++ {
				list = append(list, uint32(i))
			}
			part, err := m.PickRows(p, list)
			check(t, err)
			parts = append(parts, part.WithBias(0))
		}
		j := new(matrix.Joined)
		j.Join(m.Bias(), parts)
		return runsOf(t, j, m, rng)
	}},
	{"Gram", func(t *testing.T, m *matrix.Matrix, p *matrix.Pool, rng *rand.Rand) []float64 {
		if m.Cols() > 1000 {
			return nil
		}
		out, c := make([]float64, m.Cols()*m.Cols()), normals(rng, m.Rows())
		for i := range c {
			if rng.IntN(9) == 0 {
				c[i] = 0
			}
		}
		check(t, matrix.Gram(m, p, out, c))
		half := slices.Clone(out)
		check(t, matrix.AddGram(m, p, half, c))
		check(t, matrix.GramFrom(m, p, half, c, m.Cols()/3))
		return append(out, half...)
	}},
	{"Norms", func(_ *testing.T, m *matrix.Matrix, _ *matrix.Pool, _ *rand.Rand) []float64 {
		return slices.Concat(matrix.SquaredNorms(m), matrix.Norms(m))
	}},
	{"MulDense", func(t *testing.T, m *matrix.Matrix, p *matrix.Pool, rng *rand.Rand) []float64 {
		if m.Cols() > 1000 {
			return nil
		}
		out := make([]float64, m.Rows()*3)
		check(t, matrix.MulDense(m, p, out, normals(rng, m.Cols()*3), 3))
		w := normals(rng, m.Cols()*3)
		check(t, matrix.AddTransDense(m, p, w, out, 3))
		list := someRows(m, rng)
		check(t, matrix.AddMulMatrix(m, out[:len(list)*3], list, w, 3))
		check(t, matrix.AddMulMatrixFrom(m, out[:9], 5, w, 3))
		check(t, matrix.AddOuter(m, w, list, out[:len(list)*3], 3))
		return append(out, w...)
	}},
	{"Steps", func(t *testing.T, m *matrix.Matrix, _ *matrix.Pool, rng *rand.Rand) []float64 {
		w := normals(rng, m.Cols())
		s, err := matrix.NewSteps(m, w)
		check(t, err)
		for range 50 {
			i := uint32(rng.IntN(m.Rows()))
			s.Add(i, s.Dot(i))
		}
		return w
	}},
	{"Lazy", func(t *testing.T, m *matrix.Matrix, _ *matrix.Pool, rng *rand.Rand) []float64 {
		l := matrix.NewLazy(m)
		list := someRows(m, rng)
		w, u := make([]float64, len(list)), make([]float64, len(list))
		check(t, l.Set(normals(rng, m.Cols()), normals(rng, m.Cols())))
		check(t, l.Dot(w, u, list, 0.3))
		return append(w, u...)
	}},
	{"ByColumns", func(t *testing.T, m *matrix.Matrix, p *matrix.Pool, rng *rand.Rand) []float64 {
		c, out := matrix.NewByColumns(m, p), make([]float64, m.Cols())
		check(t, c.MulTrans(p, out, normals(rng, m.Rows())))
		var list []uint32
		for j := range matrix.Width(m) {
			if j%9 < 4 {
				list = append(list, uint32(j))
			}
		}
		few, err := matrix.PickColumns(m, p, list)
		check(t, err)
		more := make([]float64, len(list))
		check(t, few.AddTrans(p, more, normals(rng, m.Rows())))
		z := make([]float64, m.Rows())
		check(t, few.MulVec(p, z, more))
		return slices.Concat(out, c.SquaredNorms(), more, z, matrix.SquaredNorms(few))
	}},
	{"rows", func(t *testing.T, m *matrix.Matrix, p *matrix.Pool, rng *rand.Rand) []float64 {
		picked, err := m.PickRows(p, someRows(m, rng))
		check(t, err)
		var list []uint32
		for j := range m.Cols() {
			if rng.IntN(2) == 0 && j < matrix.Width(m) {
				list = append(list, uint32(j))
			}
		}
		few, err := matrix.PickColumns(m, p, list)
		check(t, err)
		scaled, err := matrix.ScaleRows(m, normals(rng, m.Rows()))
		check(t, err)
		compact, _ := matrix.Compact(m, p)
		numbered, _ := matrix.Renumber(m, p)
		restored, err := matrix.Restored(m, matrix.Storage{}, matrix.Width(m)/2)
		check(t, err)
		var all []float64
		for _, x := range []*matrix.Matrix{m, picked, few, scaled, compact, numbered, restored, m.NormalizeUnit(), m.WithValues(matrix.ValuesFloat64), m.WithValues(matrix.ValuesFloat32)} {
			ptr, columns, values := x.CSR()
			if x != few {
				all = append(all, float64(x.Values()), float64(matrix.CachedLayout(x)))
			}
			all = append(all, float64(x.NNZ()), float64(len(ptr)))
			for _, j := range columns {
				all = append(all, float64(j))
			}
			if x == few {
				values = nil // of ones
			}
			all = append(all, values...)
			for i := range x.Rows() {
				for j, v := range x.Row(i) {
					all = append(all, float64(j), v)
				}
			}
			d := x.Describe()
			all = append(all, float64(d.EmptyRows), float64(d.LongestRow), d.Least, d.Greatest)
			r := matrix.Stored(x)
			for i := range r.Begin {
				for e := r.Begin[i]; e < r.End[i]; e++ {
					all = append(all, r.Value(i, e))
				}
			}
			if s := matrix.SummaryOf(x, 0, x.Rows()); s.Single {
				all = append(all, float64(s.Column))
			}
			if inner := values; inner != nil && x.Rows() > 2 {
				if inner = inner[ptr[1]:ptr[x.Rows()-1]]; strings.HasSuffix(x.Layout(), "mixed") {
					inner = matrix.Unpacked(x, 1, x.Rows()-1)
				}
				all = append(all, inner...)
			}
		}
		return all
	}},
	{"WriteColumns", func(t *testing.T, m *matrix.Matrix, _ *matrix.Pool, _ *rand.Rand) []float64 {
		if m.Cols() > 1000 {
			return nil
		}
		out := make([]float64, m.Rows()*m.Cols())
		check(t, matrix.WriteColumns(m, out))
		return out
	}},
}

// rowsOfRuns are Runs and Joined.
type rowsOfRuns interface {
	MulRun(dst []float64, first int, w []float64) error
	MulRun2(dst1, dst2 []float64, first int, w1, w2 []float64) error
	AddRun(dst []float64, first int, c []float64) error
	AddSquaresRun(dst []float64, first int, c []float64) error
	AddGramRun(dst []float64, first int, c []float64) error
	SquaredNormsRun(dst []float64, first int) error
}

func runsOf(t *testing.T, r rowsOfRuns, m *matrix.Matrix, rng *rand.Rand) []float64 {
	n, d := m.Rows(), m.Cols()
	first, count := n/7, n/2
	z, z1, z2, square := make([]float64, count), make([]float64, count), make([]float64, count), make([]float64, count)
	out, squares := normals(rng, d), normals(rng, d)
	w, c := normals(rng, d), normals(rng, count)
	check(t, r.MulRun(z, first, w))
	check(t, r.MulRun2(z1, z2, first, w, normals(rng, d)))
	check(t, r.AddRun(out, first, c))
	check(t, r.AddSquaresRun(squares, first, c))
	check(t, r.SquaredNormsRun(square, first))
	var gram []float64
	if d < 1000 {
		gram = make([]float64, d*(d+1)/2)
		check(t, r.AddGramRun(gram, first, c))
	}
	return slices.Concat(z, z1, z2, out, squares, square, gram)
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// someRows lists rows, some of them twice.
func someRows(m *matrix.Matrix, rng *rand.Rand) []uint32 {
	list := make([]uint32, m.Rows()/2)
	for k := range list {
		list[k] = uint32(rng.IntN(m.Rows()))
	}
	return list
}

// TestMixed: every operation on a mixed matrix has the bits of the operation on the same rows with a
// value an entry, for any number of workers, with and without a bias.
func TestMixed(t *testing.T) {
	for _, s := range mixedShapes {
		rng := rand.New(rand.NewPCG(3, uint64(s.rows)))
		plain, mixed := drawMixed(t, s, rng)
		if layout := mixed.Layout(); layout[4:] != "mixed" {
			t.Fatalf("%v: %s", s, layout)
		}
		for _, workers := range []int{1, 3} {
			p := matrix.NewPool(workers)
			for _, bias := range []float64{0, 0.7} {
				for _, o := range mixedOperations {
					want := o.do(t, plain.WithBias(bias), p, rand.New(rand.NewPCG(7, 8)))
					got := o.do(t, mixed.WithBias(bias), p, rand.New(rand.NewPCG(7, 8)))
					same(t, fmt.Sprintf("%v: %d workers, bias %v: %s", s, workers, bias, o.name), got, want)
				}
			}
			p.Close()
		}
	}
}

// TestMixedParts: products that are cut into parts of rows, and into ranges of columns, have the
// bits of a matrix with a value an entry.
func TestMixedParts(t *testing.T) {
	for _, s := range []mixedShape{
		{rows: 20_000, groups: 9, size: 12, numbers: []int{0, 4, 4, 9}, missing: 0.05},
		{rows: 9_000, groups: 30, size: 4000, numbers: []int{0, 15, 30}, missing: 0.05, double: true},
		{rows: 20_000, groups: 6, size: 70, numbers: []int{6}},
	} {
		if testing.Short() && s.size == 12 {
			continue
		}
		rng := rand.New(rand.NewPCG(3, 4))
		plain, mixed := drawMixed(t, s, rng)
		for _, workers := range []int{1, 2, 3} {
			p := matrix.NewPool(workers)
			if r := matrix.ColumnRanges(mixed, p); workers > 1 && s.size == 4000 && (matrix.RowParts(mixed) > 1 || len(r) < 2) {
				t.Fatalf("%v: %d ranges of columns", s, len(r))
			}
			for _, o := range mixedOperations {
				switch o.name {
				case "MulVec", "AddTrans", "AddTrans of few", "AddHessian", "AddSquares", "Gram", "MulDense":
					want := o.do(t, plain, p, rand.New(rand.NewPCG(7, 8)))
					got := o.do(t, mixed, p, rand.New(rand.NewPCG(7, 8)))
					same(t, fmt.Sprintf("%v: %d workers: %s", s, workers, o.name), got, want)
				}
			}
			p.Close()
		}
	}
}
