package run

import (
	"testing"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// A run leaves columns out that have no entry where these are most of very many, and where no
// starting point has weights there.
func TestSessionCompact(t *testing.T) {
	const columns = 1 << 18
	for _, c := range []struct {
		every   int // one column in every has an entry
		initial []float64
		compact bool
	}{{4, nil, true}, {4, make([]float64, columns), false}, {1, nil, false}} {
		begin, list := []int64{0}, []uint32{}
		for j := 1; j < columns; j += c.every {
			if list = append(list, uint32(j)); len(list)%1000 == 0 {
				begin = append(begin, int64(len(list)))
			}
		}
		values := make([]float64, len(list))
		for k := range values {
			values[k] = float64(k%9) + 1
		}
		x, err := sparse.NewCSR(columns, append(begin, int64(len(list))), list, values)
		if err != nil {
			t.Fatal(err)
		}
		s := &Session{Settings: solvers.Settings{Initial: c.initial}}
		got := s.Compact(x)
		if (got != x) != c.compact || (s.numbering != nil) != c.compact {
			t.Errorf("%+v: %d columns", c.every, got.Cols())
		}
		if c.compact && (got.Cols() != len(list) || s.numbering.columns != columns || s.numbering.inner != len(list)) {
			t.Errorf("%d columns of %d", got.Cols(), len(list))
		}
	}
}
