package sparse

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// TestGram compares with the definition, for every layout, with and without
// bias column, and for several workers.
func TestGram(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, m := range layoutMatrices(t, rng, 60, 40) {
		for _, x := range []*Matrix{m, m.WithBias(0.5)} {
			d := x.Cols()
			c := normals(rng, x.Rows())
			want := make([]float64, d*d)
			for i := range c {
				row := make([]float64, d)
				for j, v := range x.Row(i) {
					row[j] = v
				}
				for a := range d {
					for b := range a + 1 {
						want[a*d+b] += c[i] * row[a] * row[b]
					}
				}
			}
			var first []float64
			for workers := 1; workers <= 3; workers++ {
				pool := matrix.NewPool(workers)
				got := make([]float64, d*d)
				if err := matrix.Gram(x, pool, got, c); err != nil {
					t.Fatal(err)
				}
				pool.Close()
				for k := range want {
					if math.Abs(got[k]-want[k]) > 1e-11*(1+math.Abs(want[k])) {
						t.Fatalf("layout %d: element %d is %v, not %v", matrix.Stored(x).Layout, k, got[k], want[k])
					}
					if first != nil && math.Float64bits(got[k]) != math.Float64bits(first[k]) {
						t.Fatalf("layout %d: element %d depends on the workers", matrix.Stored(x).Layout, k)
					}
				}
				first = got
			}
			// In two parts, each with zeros for the rows of the other.
			got, rest := make([]float64, d*d), slices.Clone(c)
			for i := range c {
				if i%3 == 0 {
					rest[i] = 0
				} else {
					c[i] = 0
				}
			}
			for _, part := range [][]float64{c, rest} {
				if err := matrix.AddGram(x, nil, got, part); err != nil {
					t.Fatal(err)
				}
			}
			for k := range want {
				if math.Abs(got[k]-want[k]) > 1e-11*(1+math.Abs(want[k])) {
					t.Fatalf("layout %d: element %d in parts is %v, not %v", matrix.Stored(x).Layout, k, got[k], want[k])
				}
			}
		}
	}
}

func TestGramRefuses(t *testing.T) {
	m, err := NewCSR(3, []int64{0, 2}, []uint32{0, 2}, []float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	if matrix.GramCost(m) != 3 {
		t.Errorf("cost %d, not 3", matrix.GramCost(m))
	}
	if matrix.Gram(m, nil, make([]float64, 9), make([]float64, 2)) == nil || matrix.Gram(m, nil, make([]float64, 6), make([]float64, 1)) == nil ||
		matrix.AddGram(m, nil, make([]float64, 9), make([]float64, 2)) == nil {
		t.Error("arguments of wrong sizes were taken")
	}
}

// TestGramFrom: the matrix of more columns has the bits of one computed at once, and the
// rows before stay.
func TestGramFrom(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, m := range append(layoutMatrices(t, rng, 60, 40), layoutMatrices(t, rng, 9, 3)...) {
		for _, x := range []*Matrix{m, m.WithBias(0.5)} {
			d, c := x.Cols(), normals(rng, x.Rows())
			want := make([]float64, d*d)
			if err := matrix.GramFrom(x, nil, want, c, 0); err != nil {
				t.Fatal(err)
			}
			atOnce := make([]float64, d*d)
			if err := matrix.Gram(x, nil, atOnce, c); err != nil {
				t.Fatal(err)
			}
			for k, v := range atOnce {
				if math.Abs(v-want[k]) > 1e-12*(1+math.Abs(v)) {
					t.Fatalf("layout %d: element %d is %v, not %v", matrix.Stored(m).Layout, k, want[k], v)
				}
			}
			for _, first := range []int{0, 1, m.Cols() - 1, m.Cols(), d} {
				for workers := 1; workers <= 3; workers++ {
					pool := matrix.NewPool(workers)
					got := normals(rng, d*d)
					kept := slices.Clone(got)
					if err := matrix.GramFrom(x, pool, got, c, first); err != nil {
						t.Fatal(err)
					}
					pool.Close()
					copy(kept[min(first, m.Cols())*d:], want[min(first, m.Cols())*d:])
					for k := range got {
						if math.Float64bits(got[k]) != math.Float64bits(kept[k]) {
							t.Fatalf("layout %d, from %d of %d: element %d is %v, not %v", matrix.Stored(m).Layout, first, d, k, got[k], kept[k])
						}
					}
				}
			}
			if matrix.GramFrom(x, nil, want, c, -1) == nil || matrix.GramFrom(x, nil, want, c, d+1) == nil {
				t.Error("a row that is none is taken")
			}
		}
	}
}
