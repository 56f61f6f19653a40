package sparse

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// gonumDense gives the matrix as gonum's dense one, built from the rows.
func gonumDense(m *Matrix) *mat.Dense {
	dense := mat.NewDense(m.Rows(), m.Cols(), nil)
	for i, row := range denseOf(m) {
		dense.SetRow(i, row)
	}
	return dense
}

func TestMatrixIsGonums(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, stored := range layoutMatrices(t, rng, 23, 31) {
		for _, m := range []*Matrix{stored, stored.WithBias(-2)} {
			dense := gonumDense(m)
			if n, d := m.Dims(); n != m.Rows() || d != m.Cols() {
				t.Fatalf("%d by %d", n, d)
			}
			if !mat.Equal(m, dense) || !mat.Equal(m.T(), dense.T()) || !mat.Equal(m.T().T(), dense) {
				t.Fatalf("%s, bias %v: other elements", m.Layout(), m.Bias())
			}
			w, v := mat.NewVecDense(m.Cols(), normals(rng, m.Cols())), mat.NewVecDense(m.Rows(), normals(rng, m.Rows()))
			var product, transposed, theirs mat.VecDense
			product.MulVec(dense, w)
			theirs.MulVec(m, w)
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
	for _, m := range []*Matrix{matrixOf(t, [][]float64{{1, 0, 2}, {0, 3, 0}}), matrixOf(t, [][]float64{{1, 0}, {0, 3}}).WithBias(1)} {
		dense := mat.DenseCopyOf(m)
		for _, i := range []int{math.MinInt, -1, 0, 1, 2, math.MaxInt} {
			for _, j := range []int{math.MinInt, -1, 0, 2, 3, math.MaxInt} {
				if got, want := caught(func() { m.At(i, j) }), caught(func() { dense.At(i, j) }); got != want {
					t.Errorf("At(%d, %d): %v, gonum has %v", i, j, got, want)
				}
			}
		}
	}
}

func TestFromMatrix(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, m := range layoutMatrices(t, rng, 23, 31) {
		for _, from := range []mat.Matrix{gonumDense(m), gonumDense(m).T(), m.T(), m.WithBias(3).T()} {
			got, err := FromMatrix(from)
			if err != nil {
				t.Fatal(err)
			}
			if !mat.Equal(got, from) {
				t.Fatalf("%s: other elements", m.Layout())
			}
			if zeros := int64(got.Rows()*got.Cols()) - got.NNZ(); zeros != countZeros(from) {
				t.Errorf("%s: %d zeros are not stored, of %d", m.Layout(), zeros, countZeros(from))
			}
		}
		if got, err := FromMatrix(m); got != m || err != nil {
			t.Errorf("a *Matrix became %p, error %v", got, err)
		}
	}
	ones, err := FromMatrix(mat.NewDense(2, 3, []float64{1, 0, 1, 0, 1, 0}))
	if err != nil || ones.Layout() != "i16+none" {
		t.Errorf("layout %s, error %v", ones.Layout(), err)
	}
	// A band knows the entries of its rows.
	band := mat.NewBandDense(4, 5, 1, 1, []float64{-1, 1, 2, 3, 4, 5, 6, 0, 7, 8, 9, 1})
	if got, err := FromMatrix(band); err != nil || !mat.Equal(got, band) || got.NNZ() != 10 {
		t.Errorf("band: %v, error %v", got, err)
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

func (wide) Dims() (int, int) { return 1, MaxColumns + 1 }

func TestFromMatrixRefuses(t *testing.T) {
	var none *Matrix
	for _, c := range []struct {
		from mat.Matrix
		want string
	}{
		{nil, "no matrix"},
		{none, "no matrix"},
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
