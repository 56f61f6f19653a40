package matrix

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/pathtest"
)

// operations are those that read rows, with results to compare.
func operations(m *Matrix, p *Pool, random *rand.Rand) map[string][]float64 {
	all := map[string][]float64{}
	numbers := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = random.NormFloat64()
		}
		return v
	}
	add := func(name string, err error, list ...[]float64) {
		if err != nil {
			panic(fmt.Sprintf("%s: %v", name, err))
		}
		all[name] = slices.Concat(list...)
	}
	entries := func(name string, m *Matrix) {
		ptr, columns, values := m.CSR()
		add(name, nil, values)
		for _, v := range ptr {
			all[name] = append(all[name], float64(v))
		}
		for _, j := range columns {
			all[name] = append(all[name], float64(j))
		}
		for i := range m.Rows() {
			for j, x := range m.Row(i) {
				all[name] = append(all[name], float64(j), x)
			}
		}
	}
	n, d, width := m.Rows(), m.Cols(), 3
	list := []uint32{uint32(n - 1), 0, uint32(n / 2), 0}
	w, c, z, sums := numbers(d), numbers(n), make([]float64, n), numbers(d)
	h := make([]float64, n)
	for i, v := range c {
		h[i] = v * v
	}
	add("MulVec", m.MulVec(p, z, w), z)
	add("AddTrans", m.AddTrans(p, sums, c), sums)
	few := slices.Clone(c)
	for i := range few {
		if i%7 != 0 {
			few[i] = 0
		}
	}
	add("AddTrans of few", m.AddTrans(p, sums, few), sums)
	add("AddSquares", AddSquares(m, p, sums, h), sums)
	slopes := make([]float64, n)
	add("AddHessian", AddHessian(m, p, sums, z, slopes, w, h), sums, z, slopes)
	add("AddSlopes", AddSlopes(m, p, sums, z, slopes, w, func(first, end int) { copy(slopes[first:end], z[first:end]) }), sums, z, slopes)
	some := make([]float64, len(list))
	add("MulRows", MulRows(m, some, list, w), some)
	add("AddRows", AddRows(m, sums, list, numbers(len(list))), sums)
	wide, product, part := numbers(d*width), make([]float64, n*width), numbers(len(list)*width)
	add("AddMulMatrix", AddMulMatrix(m, part, list, wide, width), part)
	add("MulDense", MulDense(m, p, product, wide, width), product)
	add("AddMulMatrixFrom", AddMulMatrixFrom(m, product[width:], 1, wide, width), product)
	add("AddOuter", AddOuter(m, wide, list, part, width), wide)
	add("AddTransDense", AddTransDense(m, p, wide, product, width), wide)
	bare := m.WithBias(0)
	columns := make([]float64, n*d)
	add("WriteColumns", WriteColumns(m, columns), columns)
	add("norms", nil, SquaredNorms(m), Norms(m))
	runs := RunsOf(m)
	first, part2 := n/3, make([]float64, n-n/3)
	add("MulRun", runs.MulRun(part2, first, w), part2)
	other := make([]float64, len(part2))
	add("MulRun2", runs.MulRun2(part2, other, first, w, sums), part2, other)
	add("AddRun", runs.AddRun(sums, first, part2), sums)
	add("AddSquaresRun", runs.AddSquaresRun(sums, first, part2), sums)
	if d < 1000 {
		gram, packed := make([]float64, d*d), make([]float64, d*(d+1)/2)
		add("Gram", Gram(m, p, gram, h), gram)
		add("Gram of few", Gram(m, p, gram, few), gram)
		add("GramFrom", GramFrom(m, p, gram, h, d/2), gram)
		add("AddGramRun", runs.AddGramRun(packed, first, part2), packed)
	}
	entries("CSR", m)
	picked, err := m.PickRows(p, list)
	add("PickRows", err)
	entries("PickRows", picked)
	for _, columns := range [][]uint32{{}, {0}, {0, uint32(bare.Cols() - 1)}} {
		if len(columns) == 2 && bare.Cols() == 1 {
			continue
		}
		picked, err = PickColumns(bare, p, columns)
		add("PickColumns", err)
		entries(fmt.Sprintf("PickColumns %v", columns), picked)
	}
	compact, _ := Compact(m, p)
	entries("Compact", compact)
	renumbered, _ := RenumberUsed(m, p)
	entries("RenumberUsed", renumbered)
	entries("Widened", Widened(m, bare.Cols()+2))
	widened := make([]float64, d+2)
	add("AddTrans of Widened", Widened(m, bare.Cols()+2).AddTrans(p, widened, c), widened)
	entries("NormalizeUnit", m.NormalizeUnit())
	scaled, err := ScaleRows(m, c)
	add("ScaleRows", err)
	entries("ScaleRows", scaled)
	double := m.WithValues(ValuesFloat64)
	add("WithValues", double.MulVec(p, z, w), z)
	restored, err := Restored(m, Storage{}, bare.Cols())
	add("Restored", err)
	entries("Restored", restored)
	by := NewByColumns(m, p)
	add("ByColumns", by.MulTrans(p, sums, c), sums, by.SquaredNorms())
	mixed, is := Mixed(bare)
	if is {
		entries("Mixed", mixed)
	}
	lazy := NewLazy(m)
	add("Lazy", lazy.Set(w, sums))
	add("Lazy", lazy.Dot(some, part[:len(list)], list, 0), some, part[:len(list)])
	steps, err := NewSteps(m, slices.Clone(w))
	add("Steps", err, []float64{steps.Dot(0), steps.Dot(uint32(n - 1))})
	return all
}

// TestFullWithoutIndices: matrices whose rows are all full are built without indices, and each
// operation gives the bits of the same rows with indices.
func TestFullWithoutIndices(t *testing.T) {
	for path := range pathtest.Paths(t) {
		for _, c := range []struct{ n, d int }{{1, 1}, {9, 1}, {40, 7}, {300, 40}, {2, 66000}, {2000, 70}} {
			for k := range 8 {
				single, workers, bias := k&1 != 0, 1+k&2, float64(k>>2)
				if c.n*c.d > 1e5 && (testing.Short() || k%7 != 0) {
					continue
				}
				random := rand.New(rand.NewPCG(3, uint64(k)))
				x := &Dense{Rows: c.n, Columns: c.d, RowStride: c.d, ColumnStride: 1}
				ptr, columns, values := []int64{0}, []uint32{}, []float64{}
				for e := range c.n * c.d {
					v := 3 + random.NormFloat64()
					if single {
						v = float64(float32(v))
						x.Float32 = append(x.Float32, float32(v))
					} else {
						x.Float64 = append(x.Float64, v)
					}
					columns, values = append(columns, uint32(e%c.d)), append(values, v)
					if e%c.d == c.d-1 {
						ptr = append(ptr, int64(e+1))
					}
				}
				pool := NewPool(workers)
				made, err := NewDense(pool, x, k&1 == 0)
				if err != nil {
					t.Fatal(err)
				}
				if made.Values() < ValuesFloat32 {
					continue // one value a row
				}
				copied, err := NewCSR(Storage{}, c.d, ptr, columns, values)
				if err != nil {
					t.Fatal(err)
				}
				want := operations(indexed(made).WithBias(bias), pool, rand.New(rand.NewPCG(5, 6)))
				for name, m := range map[string]*Matrix{"NewDense": made, "NewCSR": copied} {
					if m.rows.Idx16 != nil || m.rows.Idx32 != nil || m.rows.Full != c.d {
						t.Fatalf("%s: %d rows of %d columns have indices", name, c.n, c.d)
					}
					m = m.WithBias(bias)
					for op, v := range operations(m, pool, rand.New(rand.NewPCG(5, 6))) {
						if !slices.Equal(v, want[op]) {
							t.Errorf("%s, %s of %d x %d on %d workers: %s differs", path, name, c.n, c.d, workers, op)
						}
					}
					if a, b := m.Describe(), indexed(m).Describe(); a.Layout != b.Layout || a.UsedColumns != b.UsedColumns || a.Least != b.Least {
						t.Errorf("%+v, not %+v", a, b)
					}
					if a, b := SummaryOf(m, 0, c.n), SummaryOf(indexed(m), 0, c.n); !reflect.DeepEqual(a, b) {
						t.Errorf("%+v, not %+v", a, b)
					}
				}
				pool.Close()
			}
		}
	}
}
