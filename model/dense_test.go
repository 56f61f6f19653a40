package model

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/sparse"
)

// arraysOf draws an array of n rows and d columns whose elements are 0 or -0 with the given
// probability. It returns the array in several orders and types, and a matrix of its rows.
func arraysOf(t *testing.T, random *rand.Rand, n, d int, zeros float64) (arrays map[string]*sparse.Dense, x *sparse.Matrix) {
	t.Helper()
	plain, turned, wide := make([]float64, n*d), make([]float64, n*d), make([]float64, n*(2*d+3)+1)
	single := make([]float32, n*d)
	for k := range wide {
		wide[k] = math.NaN()
	}
	b := sparse.NewBuilder(sparse.BuilderOptions{Columns: d})
	for i := range n {
		var columns []int
		var values []float64
		for j := range d {
			v := float64(float32(random.NormFloat64()))
			if random.Float64() < zeros {
				v = math.Copysign(0, v)
			} else {
				columns, values = append(columns, j), append(values, v)
			}
			plain[i*d+j], turned[j*n+i], wide[i*(2*d+3)+2*j], single[i*d+j] = v, v, v, float32(v)
		}
		if err := b.AddRow(columns, values); err != nil {
			t.Fatal(err)
		}
	}
	x, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return map[string]*sparse.Dense{
		"C":       {Rows: n, Columns: d, RowStride: d, ColumnStride: 1, Float64: plain},
		"Fortran": {Rows: n, Columns: d, RowStride: 1, ColumnStride: n, Float64: turned},
		"strides": {Rows: n, Columns: d, RowStride: 2*d + 3, ColumnStride: 2, Float64: wide},
		"float32": {Rows: n, Columns: d, RowStride: d, ColumnStride: 1, Float32: single},
	}, x
}

// TestScoresDense: an array has the scores of a matrix with its rows, whatever its order and type.
func TestScoresDense(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	pool := sparse.NewPool(2)
	defer pool.Close()
	for _, size := range [][2]int{{0, 5}, {3, 0}, {1, 1}, {7, 3}, {40, 40}, {300, 17}, {2500, 9}, {9, 2500}, {2, 70_000}} {
		n, d := size[0], size[1]
		for _, zeros := range []float64{0, 1e-3, 0.5, 1} {
			arrays, x := arraysOf(t, random, n, d, zeros)
			for name, m := range kinds(max(d, 1)) {
				if (d > 100 || n > 1000) && !strings.HasPrefix(name, "three") {
					continue
				}
				list := []Model{m}
				if l, linear := m.(*Linear); linear && l.Meta.plain() { // which knows less columns
					less := *l
					less.Features = d/2 + 1
					less.Weights = l.Weights[:less.Columns()*less.Width()]
					list = append(list, &less)
				}
				for _, m := range list {
					want, err := m.Scores(nil, nil, x)
					if err != nil {
						t.Fatal(err)
					}
					for order, array := range arrays {
						for _, p := range []*sparse.Pool{nil, pool} {
							got, err := ScoresDense(m, []float64{42}, p, array)
							if err != nil || got[0] != 42 || !sameBits(got[1:], want) {
								t.Fatalf("%d x %d, %v zeros, %s, %s, %d columns: the scores differ; %v", n, d, zeros, name, order, m.About().Features, err)
							}
						}
					}
				}
			}
		}
	}
}

// TestScoresDensePaths: on every CPU path the scores are the same.
func TestScoresDensePaths(t *testing.T) {
	arrays, x := arraysOf(t, rand.New(rand.NewPCG(5, 6)), 300, 21, 0.001)
	for name, m := range kinds(21) {
		want, err := m.Scores(nil, nil, x)
		if err != nil {
			t.Fatal(err)
		}
		for path := range pathtest.Paths(t) {
			for order, array := range arrays {
				if got, err := ScoresDense(m, nil, nil, array); err != nil || !sameBits(got, want) {
					t.Fatalf("%s: %s: %s: the scores differ; %v", path, name, order, err)
				}
			}
		}
	}
}

// TestScoresDenseOverflow: scores that overflow equal the scores of the matrix's rows.
func TestScoresDenseOverflow(t *testing.T) {
	values := make([]float64, 40*3)
	for k := range values {
		values[k] = 1e300 * float64(k%5+1)
	}
	m := &Linear{SolverType: "L2R_LR", Card: Card{Features: 3, Positive: 1, Negative: -1}, Weights: []float64{1e300, -1e300, 1}}
	got, err := ScoresDense(m, nil, nil, &sparse.Dense{Rows: 40, Columns: 3, RowStride: 3, ColumnStride: 1, Float64: values})
	if err != nil || !slices.ContainsFunc(got, func(s float64) bool { return s-s != 0 }) {
		t.Fatalf("%v, %v", got, err)
	}
	for i, s := range got {
		if want, _ := m.Score([]int{0, 1, 2}, values[3*i:3*i+3]); want != s && (want == want || s == s) {
			t.Errorf("row %d: %v, not %v", i, s, want)
		}
	}
}

// TestScoresDenseNotFinite: errors name the first wrong row and its column, for all workers.
func TestScoresDenseNotFinite(t *testing.T) {
	const n, d = 3000, 13
	random := rand.New(rand.NewPCG(7, 8))
	pool := sparse.NewPool(2)
	defer pool.Close()
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		arrays, _ := arraysOf(t, random, n, d, 0)
		for name, m := range kinds(d) {
			for order, x := range arrays {
				var before [n]float64
				for _, i := range []int{n - 1, 1234, 0} {
					at := i*x.RowStride + 7*x.ColumnStride
					if x.Float64 != nil {
						before[i], x.Float64[at] = x.Float64[at], bad
					} else {
						before[i], x.Float32[at] = float64(x.Float32[at]), float32(bad)
					}
					_, err := ScoresDense(m, nil, pool, x)
					var where *RowError
					if !errors.As(err, &where) || *where != (RowError{i + 1, 7, fmt.Sprintf("column 7 holds %v", bad)}) {
						t.Fatalf("%s: %s: row %d: %v", name, order, i, err)
					}
				}
				for _, i := range []int{n - 1, 1234, 0} {
					at := i*x.RowStride + 7*x.ColumnStride
					if x.Float64 != nil {
						x.Float64[at] = before[i]
					} else {
						x.Float32[at] = float32(before[i])
					}
				}
			}
		}
	}
}

// TestScoresDenseRefuses: wrong sizes, unknown columns and too many rows are errors.
func TestScoresDenseRefuses(t *testing.T) {
	m := kinds(3)["two classes, bias 0, plain"]
	strict := *m.(*Linear)
	strict.RefuseUnknown = true
	values := []float64{1, 2, 3, 0, 1, 2, 3, 4}
	array := func(n, d int, values []float64) *sparse.Dense {
		return &sparse.Dense{Rows: n, Columns: d, RowStride: d, ColumnStride: 1, Float64: values}
	}
	for says, c := range map[string]struct {
		m Model
		x *sparse.Dense
	}{
		"there is no model": {nil, array(0, 0, nil)},
		"there is no array": {m, nil},
		"2 rows and 5 columns with strides of 5 and 1 end beyond the 8 numbers": {m, array(2, 5, values)},
		"row 2: column 3 is unknown to the model, whose columns are 0 to 2":     {&strict, array(2, 4, values)},
		"row 2: column 3 holds NaN": {m, array(2, 4, append(slices.Clone(values[:7]), math.NaN()))},
		"the scores":                {m, &sparse.Dense{Rows: math.MaxInt >> 17, Columns: 1, Float64: values}},
	} {
		if got, err := ScoresDense(c.m, nil, nil, c.x); err == nil || !strings.Contains(err.Error(), says) || got != nil {
			t.Errorf("%q: %v", says, err)
		}
	}
}

// TestScoresDenseDoesNotAllocate: scores into memory of the caller take none.
func TestScoresDenseDoesNotAllocate(t *testing.T) {
	arrays, _ := arraysOf(t, rand.New(rand.NewPCG(9, 1)), 600, 11, 0.1)
	for name, m := range kinds(11) {
		if _, ok := m.(*Perceptron); ok {
			continue
		}
		m.About().keepShifted() // as New and Read do
		for order, x := range arrays {
			dst := make([]float64, 0, 600*m.About().Width())
			if n := allocations.Count(20, func() {
				if _, err := ScoresDense(m, dst, nil, x); err != nil {
					t.Fatal(err)
				}
			}); n != 0 {
				t.Errorf("%s: %s: %v allocations", name, order, n)
			}
		}
	}
}

// TestMayLack tells zeros and NaN from all other numbers.
func TestMayLack(t *testing.T) {
	for n := range 600 {
		values := make([]float64, n)
		for k := range values {
			values[k] = []float64{5e-324, -5e-324, math.Inf(1), math.Inf(-1), 1, -math.MaxFloat64}[k%6]
		}
		if matrix.MayLack(values, make([]float64, 256)) {
			t.Fatalf("%d numbers: none is 0", n)
		}
		for _, v := range []float64{0, math.Copysign(0, -1), math.NaN()} {
			for _, k := range []int{0, n / 2, n - 1} {
				if n == 0 {
					continue
				}
				before := values[k]
				if values[k] = v; !matrix.MayLack(values, make([]float64, 256)) {
					t.Fatalf("%d numbers: number %d is %v", n, k, v)
				}
				values[k] = before
			}
		}
	}
}

// TestMayLack32 tells zeros from all other numbers.
func TestMayLack32(t *testing.T) {
	for n := range 70 {
		values := make([]float32, n)
		for k := range values {
			values[k] = []float32{1e-45, -1e-45, float32(math.Inf(1)), float32(math.Inf(-1)), 1, float32(math.NaN())}[k%6]
		}
		if matrix.MayLack32(values) {
			t.Fatalf("%d numbers: none is 0", n)
		}
		for k, before := range values {
			for _, v := range []float32{0, float32(math.Copysign(0, -1))} {
				if values[k] = v; !matrix.MayLack32(values) {
					t.Fatalf("%d numbers: number %d is %v", n, k, v)
				}
			}
			values[k] = before
		}
	}
}

// TestScoresDenseScaled: a value that overflows once it is scaled is an error that names its row.
func TestScoresDenseScaled(t *testing.T) {
	const n, d = 3000, 13
	arrays, _ := arraysOf(t, rand.New(rand.NewPCG(2, 9)), n, d, 0)
	m := kinds(d)["regression, bias 1.5, std"].(*Linear)
	m.Meta.Scaler.Width[4] = 1e-10
	for _, x := range arrays {
		if x.Float32 != nil {
			continue
		}
		at := 1234*x.RowStride + 4*x.ColumnStride
		before := x.Float64[at]
		x.Float64[at] = 1e300
		var where *RowError
		if _, err := ScoresDense(m, nil, nil, x); !errors.As(err, &where) || where.Row != 1235 || where.Column != 4 {
			t.Error(err)
		}
		x.Float64[at] = before
	}
}
