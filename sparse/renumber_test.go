package sparse

import (
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

func TestRenumber(t *testing.T) {
	rng := rand.New(rand.NewPCG(16, 17))
	matrices := layoutMatrices(t, rng, 300, 90)
	matrices = append(matrices, matrixOf(t, nil), matrixOf(t, [][]float64{{0, 0, 0}}), generate(t, "text:n=200,d=3000").X)
	p := matrix.NewPool(3)
	defer p.Close()
	for _, stored := range matrices {
		m := stored.WithBias(2)
		r, numbering := matrix.Renumber(m, p)
		alone, _ := matrix.Renumber(m, nil)
		wantMatrix(t, r, alone)
		numbers := userOf(t, numbering, matrix.Width(r), stored.Cols())
		if r.Rows() != m.Rows() || r.Cols() != m.Cols() || r.NNZ() != m.NNZ() || r.Bias() != 2 {
			t.Fatalf("%d x %d became %d x %d", m.Rows(), m.Cols(), r.Rows(), r.Cols())
		}
		picked, err := r.PickRows(nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if matrix.Renumbered(m) || !matrix.Renumbered(r) || !matrix.Renumbered(r.WithBias(0)) || !matrix.Renumbered(picked) {
			t.Error("it is not known who numbered the columns")
		}
		want, counts := denseOf(m), make([]int, m.Cols())
		for i := range m.Rows() {
			last := -1
			for j, x := range r.Row(i) {
				user := m.Cols() - 1
				if j < r.Cols()-1 {
					user = int(numbers[j])
				}
				if j <= last || want[i][user] != x {
					t.Fatalf("row %d, column %d (the user's %d) holds %v, want %v", i, j, user, x, want[i][user])
				}
				last = j
				counts[j]++
			}
		}
		for j := 1; j < m.Cols()-1; j++ {
			class, before := bits.Len(uint(counts[j])), bits.Len(uint(counts[j-1]))
			if class > before || class == before && int(numbers[j]) < int(numbers[j-1]) {
				t.Fatalf("column %d has %d entries, the one before %d", j, counts[j], counts[j-1])
			}
		}
		user, inner, back := normals(rng, m.Cols()), make([]float64, m.Cols()), make([]float64, m.Cols())
		if err := numbering.FromUser(inner, user); err != nil {
			t.Fatal(err)
		}
		if err := numbering.ToUser(back, inner); err != nil {
			t.Fatal(err)
		}
		wantBits(t, "there and back", back, user)
		got, same := make([]float64, m.Rows()), make([]float64, m.Rows())
		if err := r.MulVec(nil, got, inner); err != nil {
			t.Fatal(err)
		}
		if err := m.MulVec(nil, same, user); err != nil {
			t.Fatal(err)
		}
		near(t, "product", got, same)
		if numbering.ToUser(back[1:], back[:1]) == nil || numbering.ToUser(back, back) == nil {
			t.Error("bad vectors were accepted")
		}
	}
}

func TestRenumberNarrows(t *testing.T) {
	m, err := NewCSR(1<<20, []int64{0, 2, 3}, []uint32{7, 900000, 900000}, []float64{0.1, 0.2, 0.3})
	if err != nil {
		t.Fatal(err)
	}
	if matrix.RenumberingPays(m) {
		t.Error("three entries are worth renumbering a million columns for")
	}
	if g := generate(t, "wide:n=640,d=262144").X; !matrix.RenumberingPays(g) {
		t.Error("columns are not worth renumbering")
	} else if r, _ := matrix.Renumber(g, nil); matrix.RenumberingPays(r) {
		t.Error("columns are worth renumbering that are numbered by frequency")
	}
	r, numbering := matrix.Renumber(m, nil)
	numbers := userOf(t, numbering, matrix.Width(r), m.Cols())
	if r.Layout() != "i16+f64" || int(numbers[0]) != 900000 || int(numbers[1]) != 7 || int(numbers[2]) != 0 {
		t.Errorf("layout %s, first columns %d and %d", r.Layout(), int(numbers[0]), int(numbers[1]))
	}
}

// BenchmarkRenumbered compares the lazy pass of a solver, and what it costs to
// get there.
func BenchmarkRenumbered(b *testing.B) {
	m := generate(b, "wide:n=10000").X
	r, _ := matrix.Renumber(m, nil)
	const batch = 64
	outW, outU, change, c := make([]float64, batch), make([]float64, batch), make([]float64, batch), make([]float64, batch)
	rows := rand.New(rand.NewPCG(18, 19)).Perm(m.Rows())
	list := make([]uint32, batch)
	for _, side := range []struct {
		name string
		m    *matrix.Matrix
	}{{"user", m}, {"frequency", r}} {
		lazy := matrix.NewLazy(side.m)
		b.Run("LazyPass/"+side.name, func(b *testing.B) {
			for b.Loop() {
				for first := 0; first+batch <= len(rows); first += batch {
					for k := range list {
						list[k] = uint32(rows[first+k])
					}
					if err := lazy.Dot(outW, outU, list, 1); err != nil {
						b.Fatal(err)
					}
					if _, err := lazy.AddU(list, c, change); err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
	b.Run("Renumber", func(b *testing.B) {
		for b.Loop() {
			matrix.Renumber(m, nil)
		}
	})
}
