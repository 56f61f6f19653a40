package gonum

import (
	"math"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/lanes-go/lanes/sparse"
)

// matrixOf makes a matrix of rows, of their elements that are not 0.
func matrixOf(t *testing.T, rows [][]float64) *sparse.Matrix {
	t.Helper()
	b := sparse.NewBuilder(sparse.BuilderOptions{Columns: len(rows[0])})
	for _, row := range rows {
		var columns []int
		var values []float64
		for j, v := range row {
			if v != 0 {
				columns, values = append(columns, j), append(values, v)
			}
		}
		if err := b.AddRow(columns, values); err != nil {
			t.Fatal(err)
		}
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// matrices returns matrices of n rows, the first and the last without entries. They have every
// kind of values, and columns that fit 16 bits or do not.
func matrices(t *testing.T, rng *rand.Rand, n int) (list []*sparse.Matrix) {
	for _, d := range []int{31, 1<<16 + 5} {
		for _, value := range []func(i int) float64{
			func(int) float64 { return 1 },
			func(i int) float64 { return float64(i) - 0.3 },
			func(int) float64 { return float64(float32(rng.NormFloat64())) },
			func(int) float64 { return rng.NormFloat64() },
		} {
			rows := make([][]float64, n)
			for i := range rows {
				rows[i] = make([]float64, d)
				for k := range 7 * min(i, n-1-i, 1) {
					rows[i][(d-1+k*rng.IntN(d))%d] = value(i)
				}
			}
			list = append(list, matrixOf(t, rows))
		}
	}
	layouts := map[string]bool{}
	for _, m := range list {
		layouts[m.Layout()] = true
	}
	if len(layouts) != 8 {
		t.Fatalf("the layouts are %v", layouts)
	}
	return list
}

// denseOf gives the matrix as gonum's dense one, built from the rows.
func denseOf(m *sparse.Matrix) *mat.Dense {
	dense := mat.NewDense(m.Rows(), m.Cols(), nil)
	for i := range m.Rows() {
		for j, v := range m.Row(i) {
			dense.Set(i, j, v)
		}
	}
	return dense
}

func normals(rng *rand.Rand, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i, v := range want {
		if !(math.Abs(got[i]-v) <= 1e-12*(1+math.Abs(v))) {
			t.Fatalf("%s: element %d is %v, not %v", what, i, got[i], v)
		}
	}
}

func TestView(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, stored := range matrices(t, rng, 7) {
		for _, m := range []*sparse.Matrix{stored, stored.WithBias(-2)} {
			dense, view := denseOf(m), View(m)
			if n, d := view.Dims(); n != m.Rows() || d != m.Cols() {
				t.Fatalf("%d by %d", n, d)
			}
			if !mat.Equal(view, dense) || !mat.Equal(view.T(), dense.T()) || !mat.Equal(view.T().T(), dense) {
				t.Fatalf("%s, bias %v: other elements", m.Layout(), m.Bias())
			}
			w, v := mat.NewVecDense(m.Cols(), normals(rng, m.Cols())), mat.NewVecDense(m.Rows(), normals(rng, m.Rows()))
			var product, transposed, theirs mat.VecDense
			product.MulVec(dense, w)
			theirs.MulVec(view, w)
			near(t, "gonum's product", theirs.RawVector().Data, product.RawVector().Data)
			ours := mat.NewVecDense(m.Rows(), nil)
			if err := m.MulVec(nil, ours.RawVector().Data, w.RawVector().Data); err != nil {
				t.Fatal(err)
			}
			near(t, "MulVec", ours.RawVector().Data, product.RawVector().Data)
			transposed.MulVec(dense.T(), v)
			ours = mat.NewVecDense(m.Cols(), nil)
			if err := m.AddTrans(nil, ours.RawVector().Data, v.RawVector().Data); err != nil {
				t.Fatal(err)
			}
			near(t, "AddTrans", ours.RawVector().Data, transposed.RawVector().Data)
		}
	}
}

// A vector whose elements do not stand side by side is refused, not misread.
func TestIncrementsAreRefused(t *testing.T) {
	m := matrixOf(t, [][]float64{{1, 0, 2}, {0, 3, 0}})
	column := mat.NewDense(3, 2, []float64{1, 2, 3, 4, 5, 6}).ColView(1).(*mat.VecDense)
	dst := make([]float64, 2)
	if err := m.MulVec(nil, dst, column.RawVector().Data); err == nil {
		t.Errorf("a column of a dense matrix gives %v", dst)
	}
	if err := m.MulVec(nil, dst, mat.VecDenseCopyOf(column).RawVector().Data); err != nil || dst[0] != 14 || dst[1] != 12 {
		t.Errorf("product %v, error %v", dst, err)
	}
}

func TestAtPanicsAsGonumDoes(t *testing.T) {
	caught := func(f func()) (trouble any) {
		defer func() { trouble = recover() }()
		f()
		return nil
	}
	for _, m := range []*sparse.Matrix{matrixOf(t, [][]float64{{1, 0, 2}, {0, 3, 0}}), matrixOf(t, [][]float64{{1, 0}, {0, 3}}).WithBias(1)} {
		dense, view := denseOf(m), View(m)
		for _, i := range []int{math.MinInt, -1, 0, 1, 2, math.MaxInt} {
			for _, j := range []int{math.MinInt, -1, 0, 2, 3, math.MaxInt} {
				if got, want := caught(func() { view.At(i, j) }), caught(func() { dense.At(i, j) }); got != want {
					t.Errorf("At(%d, %d): %v, gonum has %v", i, j, got, want)
				}
			}
		}
	}
}

func TestFromMatrix(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, m := range matrices(t, rng, 7) {
		for _, from := range []mat.Matrix{denseOf(m), denseOf(m).T(), View(m).T(), View(m.WithBias(3)).T()} {
			got, err := FromMatrix(from)
			if err != nil {
				t.Fatal(err)
			}
			if !mat.Equal(View(got), from) {
				t.Fatalf("%s: other elements", m.Layout())
			}
			if zeros := int64(got.Rows()*got.Cols()) - got.NNZ(); zeros != countZeros(from) {
				t.Errorf("%s: %d zeros are not stored, of %d", m.Layout(), zeros, countZeros(from))
			}
		}
		if got, err := FromMatrix(View(m)); got != m || err != nil {
			t.Errorf("the matrix of a view became %p, error %v", got, err)
		}
	}
	ones, err := FromMatrix(mat.NewDense(2, 3, []float64{1, 0, 1, 0, 1, 0}))
	if err != nil || ones.Layout() != "i16+none" {
		t.Errorf("layout %s, error %v", ones.Layout(), err)
	}
	// A band knows the entries of its rows.
	band := mat.NewBandDense(4, 5, 1, 1, []float64{-1, 1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 1})
	if got, err := FromMatrix(band); err != nil || !mat.Equal(View(got), band) || got.NNZ() != 10 {
		t.Errorf("band: %v, error %v", got, err)
	}
	if n, d := View(nil).Dims(); n != 0 || d != 0 {
		t.Errorf("the view of no matrix is %d by %d", n, d)
	}
	if got, err := FromMatrix(&mat.Dense{}); err != nil || got.Rows() != 0 || got.Cols() != 0 {
		t.Errorf("empty: %v, error %v", got, err)
	}
}

func countZeros(x mat.Matrix) (zeros int64) {
	n, d := x.Dims()
	for i := range n {
		for j := range d {
			if x.At(i, j) == 0 {
				zeros++
			}
		}
	}
	return zeros
}

// wide says that it has many columns, of which none holds anything.
type wide struct{ mat.BandDense }

func (wide) Dims() (int, int) { return 1, sparse.MaxColumns + 1 }

func TestFromMatrixRefuses(t *testing.T) {
	for _, c := range []struct {
		from mat.Matrix
		want string
	}{
		{nil, "no matrix"},
		{mat.NewDense(2, 2, []float64{1, 0, 0, math.NaN()}), "row 1: column 1 holds NaN"},
		{mat.NewDense(2, 2, []float64{1, math.Inf(-1), 0, 1}), "row 0: column 1 holds -Inf"},
		{mat.NewDiagDense(2, []float64{1, math.Inf(1)}), "row 1: column 1 holds +Inf"},
		{&wide{}, "2147483647 columns"},
	} {
		if m, err := FromMatrix(c.from); err == nil || m != nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one of %q", err, c.want)
		}
	}
}

// TestNobodyElseLinksGonum: a program without this package links gonum's special functions alone, for
// the probabilities of package inference, and model and sparse link nothing of gonum.
func TestNobodyElseLinksGonum(t *testing.T) {
	for _, c := range []struct{ packages, allowed string }{{".. ../../model", "none"}, {"../..", "gonum.org/v1/gonum/mathext"}} {
		out, err := exec.Command("go", append([]string{"list", "-deps"}, strings.Fields(c.packages)...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if !strings.Contains(string(out), "lanes/sparse\n") {
			t.Errorf("the packages that %s need are\n%s", c.packages, out)
		}
		for _, name := range strings.Fields(string(out)) {
			if strings.Contains(name, "gonum") && !strings.HasPrefix(name, c.allowed) {
				t.Errorf("%s need %s", c.packages, name)
			}
		}
	}
}
