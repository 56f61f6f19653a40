package sparse

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// rowsOfLengths returns a matrix whose row i has lengths[i] entries.
func rowsOfLengths(t *testing.T, lengths []int) *Matrix {
	t.Helper()
	ptr, columns := []int64{0}, []uint32{}
	for _, length := range lengths {
		for j := range length {
			columns = append(columns, uint32(j))
		}
		ptr = append(ptr, int64(len(columns)))
	}
	m, err := NewCSR(1000, ptr, columns, make([]float64, len(columns)))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestRowsByLength(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	pool := matrix.NewPool(3)
	defer pool.Close()
	for _, c := range []struct{ rows, longest int }{{500, 2}, {500, 40}, {500, 700}, {2<<14 + 77, 5}} {
		longest := c.longest
		lengths := make([]int, c.rows)
		for i := range lengths {
			lengths[i] = random.IntN(longest + 1)
		}
		lengths[7], lengths[c.rows-1] = longest, 100 // in one block alone
		want := make([]uint32, len(lengths))
		for i := range want {
			want[i] = uint32(i)
		}
		slices.SortStableFunc(want, func(a, b uint32) int { return lengths[a] - lengths[b] })
		if got := matrix.RowsByLength(rowsOfLengths(t, lengths), pool); !slices.Equal(got, want) {
			t.Errorf("%d rows of up to %d entries are in another order", c.rows, longest)
		}
	}
	for _, c := range []struct {
		lengths []int
		gains   bool
	}{{nil, false}, {[]int{1}, false}, {[]int{2, 1}, true}, {[]int{2, 2, 1}, false}, {[]int{2, 2, 1, 0}, true}} {
		if got := matrix.RowsByLength(rowsOfLengths(t, c.lengths), nil); (len(got) > 0) != c.gains {
			t.Errorf("%v: %v", c.lengths, got)
		}
	}
}
