package sparse

import (
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// TestCompact: the matrix has exactly the columns that occur, in their order. Rows keep their
// products to the last bit, and weights map to the compact columns and back.
func TestCompact(t *testing.T) {
	rng := rand.New(rand.NewPCG(18, 19))
	matrices := layoutMatrices(t, rng, 300, 90)
	matrices = append(matrices, matrixOf(t, nil), matrixOf(t, [][]float64{{0, 0, 0}}), generate(t, "text:n=200,d=3000").X, generate(t, "wide:n=300,d=100000").X)
	p := matrix.NewPool(3)
	defer p.Close()
	for _, stored := range matrices {
		m := stored.WithBias(2)
		c, numbering := matrix.Compact(m, p)
		alone, _ := matrix.Compact(m, nil)
		wantMatrix(t, c, alone)
		numbers := userOf(t, numbering, matrix.Width(c), stored.Cols())
		occurs := map[int]bool{}
		for i := range m.Rows() {
			for j := range stored.Row(i) {
				occurs[j] = true
			}
		}
		used := len(occurs)
		if c.Rows() != m.Rows() || c.Cols() != used+1 || numbering.Used() != used || c.NNZ() != m.NNZ() || c.Bias() != 2 || matrix.Renumbered(c) {
			t.Fatalf("%d x %d with %d columns that occur became %d x %d", m.Rows(), m.Cols(), used, c.Rows(), c.Cols())
		}
		for j := range used {
			if k := int(numbers[j]); !occurs[k] || j > 0 && k <= int(numbers[j-1]) {
				t.Fatalf("column %d is the user's %d", j, k)
			}
		}
		for i := range min(m.Rows(), 50) {
			want := map[int]float64{}
			for j, x := range stored.Row(i) {
				want[j] = x
			}
			for j, x := range c.WithBias(0).Row(i) {
				if want[int(numbers[j])] != x {
					t.Fatalf("row %d, column %d holds %v", i, j, x)
				}
			}
		}
		user, inner, back := normals(rng, m.Cols()), make([]float64, c.Cols()), normals(rng, m.Cols())
		if err := numbering.FromUser(inner, user); err != nil {
			t.Fatal(err)
		}
		if err := numbering.ToUser(back, inner); err != nil {
			t.Fatal(err)
		}
		got, same := make([]float64, m.Rows()), make([]float64, m.Rows())
		if err := c.MulVec(nil, got, inner); err != nil {
			t.Fatal(err)
		}
		if err := m.MulVec(nil, same, user); err != nil {
			t.Fatal(err)
		}
		wantBits(t, "products", got, same)
		for j := range m.Cols() - 1 {
			if !occurs[j] {
				user[j] = 0
			}
		}
		wantBits(t, "there and back", back, user)
		if made, err := numbering.InUser(inner); err != nil {
			t.Error(err)
		} else {
			wantBits(t, "in a new vector", made, user)
		}
		if _, err := numbering.InUser(inner[:used/2]); used > 1 && err == nil {
			t.Error("a short vector was accepted")
		}
		if numbering.ToUser(back[1:], inner) == nil || numbering.ToUser(back, inner[1:]) == nil || numbering.FromUser(inner, back[1:]) == nil {
			t.Error("bad vectors were accepted")
		}
	}
}

func TestCompactNarrows(t *testing.T) {
	m, err := NewCSR(1<<20, []int64{0, 2, 3}, []uint32{7, 900000, 900000}, []float64{0.1, 0.2, 0.3})
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := matrix.Compact(m, nil); c.Layout() != "i16+f64" || c.Cols() != 2 || matrix.CompactingPays(c) {
		t.Errorf("layout %s, %d columns", c.Layout(), c.Cols())
	}
	if !matrix.CompactingPays(m) {
		t.Error("three entries are not worth leaving a million columns out for")
	}
	if r, _ := matrix.Renumber(m, nil); matrix.CompactingPays(r) {
		t.Error("columns are left out that stand at the end")
	}
	if g := generate(t, "wide:n=640,d=262144").X; matrix.CompactingPays(g) {
		t.Error("columns are left out where there are more entries")
	}
}
