package input

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes/sparse"
)

// A sample has rows of the table as they stand in it, and depends on the number of rows alone.
func TestLeakSample(t *testing.T) {
	for _, c := range []struct{ rows, entries, least int }{{1000, 3, 1000}, {140_000, 1, 30_000}, {2400, 1000, 1000}} {
		var want *leakSample
		for _, size := range []int{997, 40_000, c.rows} {
			s := new(leakSample)
			for first := 0; first < c.rows; first += size {
				b, block := sparse.NewBuilder(sparse.BuilderOptions{Columns: c.entries}), new(sparse.Data)
				for i := first; i < min(first+size, c.rows); i++ {
					columns, values := make([]int, c.entries), make([]float64, c.entries)
					for j := range columns {
						columns[j], values[j] = j, float64(i+1)
					}
					if err := b.AddRow(columns, values); err != nil {
						t.Fatal(err)
					}
					block.Y = append(block.Y, float64(i+1))
				}
				var err error
				if block.X, err = b.Build(); err != nil {
					t.Fatal(err)
				}
				s.add(block)
			}
			data, err := s.data(c.entries+1, []string{"a"})
			if err != nil || data.X.Cols() != c.entries+1 || data.X.Rows() != len(data.Y) || len(data.LabelNames) != 1 {
				t.Fatal(data, err)
			}
			if n := len(data.Y); n < c.least || n > sampledRows || len(s.columns) > sampledEntries {
				t.Errorf("%d of %d rows, %d entries", n, c.rows, len(s.columns))
			}
			late := 0
			for i, label := range data.Y {
				entries := 0
				for _, v := range data.X.Row(i) {
					if entries++; v != label {
						t.Fatalf("row %d has the value %v and the label %v", i, v, label)
					}
				}
				if entries != c.entries || i > 0 && label <= data.Y[i-1] {
					t.Fatalf("row %d: %d entries, label %v", i, entries, label)
				}
				if label > float64(c.rows/2) {
					late++
				}
			}
			if share := float64(late) / float64(len(data.Y)); share < 0.4 || share > 0.6 {
				t.Errorf("%v of the sample is of the second half", share)
			}
			if want == nil {
				want = s
			} else if !slices.Equal(s.labels, want.labels) {
				t.Errorf("blocks of %d rows change the sample of %d rows", size, c.rows)
			}
		}
	}
}
