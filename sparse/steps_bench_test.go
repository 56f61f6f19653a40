package sparse

import (
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// BenchmarkSteps takes a product and an addition with every row of one-hot data. Rows are so
// short that the fixed cost of a step is visible.
func BenchmarkSteps(b *testing.B) {
	m := generate(b, "onehot:n=2000").X
	s, err := matrix.NewSteps(m, make([]float64, m.Cols()))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for i := range uint32(m.Rows()) {
			s.Add(i, 1e-3-s.Dot(i))
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*m.Rows()), "ns/row")
}
