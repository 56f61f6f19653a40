package sparse

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
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
				pool := NewPool(workers)
				got := make([]float64, d*d)
				if err := x.Gram(pool, got, c); err != nil {
					t.Fatal(err)
				}
				pool.Close()
				for k := range want {
					if math.Abs(got[k]-want[k]) > 1e-11*(1+math.Abs(want[k])) {
						t.Fatalf("layout %d: element %d is %v, not %v", x.rows.Layout, k, got[k], want[k])
					}
					if first != nil && math.Float64bits(got[k]) != math.Float64bits(first[k]) {
						t.Fatalf("layout %d: element %d depends on the workers", x.rows.Layout, k)
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
				if err := x.AddGram(nil, got, part); err != nil {
					t.Fatal(err)
				}
			}
			for k := range want {
				if math.Abs(got[k]-want[k]) > 1e-11*(1+math.Abs(want[k])) {
					t.Fatalf("layout %d: element %d in parts is %v, not %v", x.rows.Layout, k, got[k], want[k])
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
	if m.GramCost() != 3 {
		t.Errorf("cost %d, not 3", m.GramCost())
	}
	if m.Gram(nil, make([]float64, 9), make([]float64, 2)) == nil || m.Gram(nil, make([]float64, 6), make([]float64, 1)) == nil ||
		m.AddGram(nil, make([]float64, 9), make([]float64, 2)) == nil {
		t.Error("arguments of wrong sizes were taken")
	}
}

// TestGramOfFullRows: rows that are nearly full have the bits of rows with gaps, whose
// entries are taken one by one; the largest column may be beyond a band or two.
func TestGramOfFullRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n = 2*bandRows + 5
	for _, d := range []int{8, bandWidth, 2*bandWidth + 9} {
		ptr, columns, values := []int64{0}, []uint32{}, []float64{}
		for range n {
			for j := range d {
				if rng.Float64() < 0.8 {
					columns, values = append(columns, uint32(j)), append(values, rng.NormFloat64())
				}
			}
			ptr = append(ptr, int64(len(columns)))
		}
		scaled := slices.Clone(values)
		for i := range n {
			for e := ptr[i]; e < ptr[i+1]; e++ {
				scaled[e] = 0.3 * float64(i+1)
			}
		}
		for _, storage := range []Storage{{}, {Indices32: true}, {Float32: true}, {Indices32: true, Float32: true}} {
			for _, v := range [][]float64{values, scaled, nil} {
				m, err := NewCSRIn(storage, d, ptr, columns, v)
				if err != nil {
					t.Fatal(err)
				}
				if !m.fills() {
					t.Fatalf("%d columns: rows with gaps", d)
				}
				for _, x := range []*Matrix{m, m.WithBias(2)} {
					size := x.Cols()
					c, want := normals(rng, n), normals(rng, size*size)
					got := slices.Clone(want)
					for i := range c {
						if i%5 == 0 || i < bandRows/2 {
							c[i] = 0
						}
					}
					pool := NewPool(2)
					if err := x.AddGram(pool, got, c); err != nil {
						t.Fatal(err)
					}
					pool.Close()
					task := gramTask{m: x, dst: want, c: c, bounds: []int{0, m.d}}
					task.Block(0)
					for a := range d {
						for b := range size {
							if math.Float64bits(got[a*size+b]) != math.Float64bits(want[a*size+b]) {
								t.Fatalf("layout %d, %d columns: element %d, %d is %v, not %v", m.rows.Layout, size, a, b, got[a*size+b], want[a*size+b])
							}
						}
					}
				}
			}
		}
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
			if err := x.GramFrom(nil, want, c, 0); err != nil {
				t.Fatal(err)
			}
			atOnce := make([]float64, d*d)
			if err := x.Gram(nil, atOnce, c); err != nil {
				t.Fatal(err)
			}
			for k, v := range atOnce {
				if math.Abs(v-want[k]) > 1e-12*(1+math.Abs(v)) {
					t.Fatalf("layout %d: element %d is %v, not %v", m.rows.Layout, k, want[k], v)
				}
			}
			for _, first := range []int{0, 1, m.Cols() - 1, m.Cols(), d} {
				for workers := 1; workers <= 3; workers++ {
					pool := NewPool(workers)
					got := normals(rng, d*d)
					kept := slices.Clone(got)
					if err := x.GramFrom(pool, got, c, first); err != nil {
						t.Fatal(err)
					}
					pool.Close()
					copy(kept[min(first, m.Cols())*d:], want[min(first, m.Cols())*d:])
					for k := range got {
						if math.Float64bits(got[k]) != math.Float64bits(kept[k]) {
							t.Fatalf("layout %d, from %d of %d: element %d is %v, not %v", m.rows.Layout, first, d, k, got[k], kept[k])
						}
					}
				}
			}
			if x.GramFrom(nil, want, c, -1) == nil || x.GramFrom(nil, want, c, d+1) == nil {
				t.Error("a row that is none is taken")
			}
		}
	}
}
