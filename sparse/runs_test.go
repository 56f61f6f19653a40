package sparse

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// Runs of rows, whatever the cut, add to what the whole matrix gives: to the bit, but for
// the sums of the bias column, and by the definition. c holds whole numbers, whose sums
// are exact, so that the bias column's can be compared too.
func TestRuns(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	same := func(what string, layout any, got, want []float64) {
		t.Helper()
		if !slices.EqualFunc(got, want, func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) }) {
			t.Errorf("%s, layout %v: %v, not %v", what, layout, got, want)
		}
	}
	for _, m := range layoutMatrices(t, rng, 60, 40) {
		for _, x := range []*Matrix{m, m.WithBias(0.5)} {
			n, d := x.Rows(), x.Cols()
			w, v, c := normals(rng, d), normals(rng, d), make([]float64, n)
			for i := range c {
				c[i] = float64(rng.IntN(9) - 4)
			}
			z1, z2 := make([]float64, n), make([]float64, n)
			sum, squares, gram := make([]float64, d), make([]float64, d), make([]float64, d*d)
			for _, err := range []error{
				x.MulVec(nil, z1, w), x.MulVec(nil, z2, v), x.AddTrans(nil, sum, c), matrix.AddSquares(x, nil, squares, c), matrix.Gram(x, nil, gram, c),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			norms := matrix.SquaredNorms(x)
			one, two1, two2, lengths := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
			sums, squared, triangle := make([]float64, d), make([]float64, d), make([]float64, d*(d+1)/2)
			for first := 0; first < n; {
				end := min(n, first+rng.IntN(20))
				for _, err := range []error{
					matrix.RunsOf(x).MulRun(one[first:end], first, w), matrix.RunsOf(x).MulRun2(two1[first:end], two2[first:end], first, w, v),
					matrix.RunsOf(x).AddRun(sums, first, c[first:end]), matrix.RunsOf(x).AddSquaresRun(squared, first, c[first:end]),
					matrix.RunsOf(x).AddGramRun(triangle, first, c[first:end]), matrix.RunsOf(x).SquaredNormsRun(lengths[first:end], first),
				} {
					if err != nil {
						t.Fatal(err)
					}
				}
				first = end
			}
			layout := matrix.Stored(x).Layout
			same("MulRun", layout, one, z1)
			same("MulRun2", layout, two1, z1)
			same("MulRun2", layout, two2, z2)
			same("AddRun", layout, sums, sum)
			same("AddSquaresRun", layout, squared, squares)
			same("SquaredNormsRun", layout, lengths, norms)
			for a := range d {
				for b := range a + 1 {
					got, want := triangle[a*(a+1)/2+b], gram[a*d+b]
					if a < matrix.Width(x) && math.Float64bits(got) != math.Float64bits(want) || math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
						t.Errorf("AddGramRun, layout %v: element %d, %d is %v, not %v", layout, a, b, got, want)
					}
				}
			}
		}
	}
}

func TestRunsRefuse(t *testing.T) {
	m, err := NewCSR(3, []int64{0, 2, 3}, []uint32{0, 2, 1}, []float64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	one, two, three, six := make([]float64, 1), make([]float64, 2), make([]float64, 3), make([]float64, 6)
	for k, err := range []error{
		matrix.RunsOf(m).MulRun(two, 1, three), matrix.RunsOf(m).MulRun(one, -1, three), matrix.RunsOf(m).MulRun(one, 3, three), matrix.RunsOf(m).MulRun(one, 0, two),
		matrix.RunsOf(m).MulRun2(two, two, 1, three, three), matrix.RunsOf(m).MulRun2(one, two, 0, three, three), matrix.RunsOf(m).MulRun2(one, one, 0, three, two),
		matrix.RunsOf(m).AddRun(three, 1, two), matrix.RunsOf(m).AddRun(two, 0, one), matrix.RunsOf(m).AddSquaresRun(three, 1, two), matrix.RunsOf(m).AddSquaresRun(two, 0, one),
		matrix.RunsOf(m).AddGramRun(six, 1, two), matrix.RunsOf(m).AddGramRun(three, 0, one), matrix.RunsOf(m).SquaredNormsRun(two, math.MaxInt),
	} {
		if err == nil {
			t.Errorf("call %d took what does not fit", k)
		}
	}
	if err := matrix.RunsOf(m).MulRun(nil, 2, three); err != nil {
		t.Errorf("no rows at the end: %v", err)
	}
}
