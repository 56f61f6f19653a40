package sparse

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/internal/draw"
	"github.com/lanes-go/lanes/internal/matrix"
)

// onEveryPath runs a test once on each CPU path that this machine can run.
func onEveryPath(t *testing.T, test func(t *testing.T)) {
	for _, path := range dispatch.Paths() {
		if !path.Available {
			continue
		}
		t.Run(path.Name, func(t *testing.T) {
			restore, err := dispatch.Force(path.Name)
			if err != nil {
				t.Fatal(err)
			}
			defer restore()
			test(t)
		})
	}
}

func wantMatrix(t *testing.T, a, b *Matrix) {
	t.Helper()
	if a.Rows() != b.Rows() || a.Cols() != b.Cols() || a.NNZ() != b.NNZ() || matrix.Stored(a).Layout != matrix.Stored(b).Layout {
		t.Fatalf("%d x %d, %d entries, layout %d; want %d x %d, %d, %d",
			a.Rows(), a.Cols(), a.NNZ(), matrix.Stored(a).Layout, b.Rows(), b.Cols(), b.NNZ(), matrix.Stored(b).Layout)
	}
	for i := range a.Rows() {
		for e := matrix.Stored(a).Begin[i]; e < matrix.Stored(a).End[i]; e++ {
			f := e - matrix.Stored(a).Begin[i] + matrix.Stored(b).Begin[i]
			if matrix.Stored(a).Column(e) != matrix.Stored(b).Column(f) || math.Float64bits(matrix.Stored(a).Value(i, e)) != math.Float64bits(matrix.Stored(b).Value(i, f)) {
				t.Fatalf("row %d: column %d holds %v, want column %d with %v", i, matrix.Stored(a).Column(e), matrix.Stored(a).Value(i, e), matrix.Stored(b).Column(f), matrix.Stored(b).Value(i, f))
			}
		}
	}
}

func wantBits(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d elements, want %d", what, len(got), len(want))
	}
	for i := range got {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Fatalf("%s: element %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

// generated is a drawn data set.
type generated struct {
	Data
	Weights []float64
}

func generate(t testing.TB, spec string) *generated {
	t.Helper()
	s, err := draw.ParseShape(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	g, err := s.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &generated{Data{X: g.X, Y: g.Y}, g.Weights}
}

// newCSRIn is matrix.NewCSRIn.
func newCSRIn(s Storage, d int, ptr []int64, columns []uint32, values []float64) (*Matrix, error) {
	m, err := matrix.NewCSR(s.inner(), d, ptr, columns, values)
	return m, err
}

// userOf returns the user's number of each column.
func userOf(t *testing.T, n *matrix.Numbering, columns, user int) []uint32 {
	t.Helper()
	w, dst := make([]float64, columns), make([]float64, user)
	for j := range w {
		w[j] = float64(j + 1)
	}
	if err := n.ToUser(dst, w); err != nil {
		t.Fatal(err)
	}
	numbers := make([]uint32, columns)
	for u, j := range dst {
		if j > 0 {
			numbers[int(j)-1] = uint32(u)
		}
	}
	return numbers
}
