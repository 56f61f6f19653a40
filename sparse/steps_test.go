package sparse

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/allocations"
)

func TestSteps(t *testing.T) {
	onEveryPath(t, func(t *testing.T) {
		for _, spec := range []string{"text:n=300,d=500", "onehot:n=200,d=60", "dense:n=50,d=9"} {
			for _, bias := range []float64{0, 1.5} {
				m := generate(t, spec).X.WithBias(bias)
				w, want := make([]float64, m.Cols()), make([]float64, m.Cols())
				for j := range w {
					w[j] = math.Sin(float64(j))
				}
				copy(want, w)
				s, err := matrix.NewSteps(m, w)
				if err != nil {
					t.Fatal(err)
				}
				z := make([]float64, 1)
				for k := range 400 {
					i := uint32(k * 7 % m.Rows())
					s.Fetch([]uint32{i})
					if err := matrix.MulRows(m, z, []uint32{i}, want); err != nil {
						t.Fatal(err)
					}
					wantBits(t, spec+" dot", []float64{s.Dot(i)}, z)
					c := math.Cos(float64(k)) / 10
					s.Add(i, c)
					if err := matrix.AddRows(m, want, []uint32{i}, []float64{c}); err != nil {
						t.Fatal(err)
					}
				}
				rows, c := []uint32{3, 0, 3, 7}, []float64{1, 0.1, -0.3, 1. / 3}
				s.AddEach(rows, c)
				for k, i := range rows {
					if err := matrix.AddRows(m, want, []uint32{i}, c[k:k+1]); err != nil {
						t.Fatal(err)
					}
				}
				s.AddEach(rows, c[:3])
				s.AddEach([]uint32{0, uint32(m.Rows())}, c[:2])
				wantBits(t, spec+" add", w, want)
				if n := allocations.Count(10, func() { s.Add(3, s.Dot(3)) }); n != 0 {
					t.Errorf("%v allocations a step", n)
				}
			}
		}
	})
	m := generate(t, "dense:n=5,d=3").X
	if _, err := matrix.NewSteps(m, make([]float64, 2)); err == nil {
		t.Error("a vector that is too short was accepted")
	}
}

// Products with several rows have the bits of as many products with one.
func TestStepsEach(t *testing.T) {
	onEveryPath(t, func(t *testing.T) {
		for _, spec := range []string{"text:n=300,d=500", "onehot:n=200,d=60", "dense:n=50,d=9"} {
			for _, bias := range []float64{0, 1.5} {
				m := generate(t, spec).X.WithBias(bias)
				w := make([]float64, m.Cols())
				for j := range w {
					w[j] = math.Sin(float64(j))
				}
				steps, err := matrix.NewSteps(m, w)
				if err != nil {
					t.Fatal(err)
				}
				list := []uint32{3, 0, 3, 7}
				each := make([]float64, len(list))
				steps.DotEach(each, list)
				for k, i := range list {
					wantBits(t, spec+" each", each[k:k+1], []float64{steps.Dot(i)})
				}
				if steps.DotEach(each, list[1:]); !math.IsNaN(each[0]) || !math.IsNaN(each[3]) {
					t.Errorf("%v of three rows in four numbers", each)
				}
				if steps.DotEach(each, []uint32{0, 1, 2, uint32(m.Rows())}); !math.IsNaN(each[0]) {
					t.Errorf("%v of a row that is not there", each)
				}
			}
		}
	})
}
