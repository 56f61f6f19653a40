package sparse

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

func TestAppendColumnsAgainstRow(t *testing.T) {
	for _, spec := range []string{"onehot:n=50", "wide:n=50", "dense:n=20", "imbalanced:n=50"} {
		for _, m := range []*Matrix{generate(t, spec).X, generate(t, spec).X.WithBias(2)} {
			for i := range m.Rows() {
				want := []uint32{7}
				for j := range m.Row(i) {
					want = append(want, uint32(j))
				}
				if got := matrix.AppendColumns(m, []uint32{7}, i); !slices.Equal(got, want) {
					t.Fatalf("%s, bias %v, row %d: %v, want %v", spec, m.Bias(), i, got, want)
				}
			}
		}
	}
}
