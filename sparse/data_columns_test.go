package sparse

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestDataWithColumns: data have the rows, and products the bits, of data that were read with
// as many columns.
func TestDataWithColumns(t *testing.T) {
	const rows, columns = 300, 90
	for name, value := range map[string]func(i, j int) float64{
		"ones": func(int, int) float64 { return 1 }, "rows of one value": func(i, _ int) float64 { return float64(i%5) + 0.1 },
		"values": func(i, j int) float64 { return math.Sin(float64(i*columns + j)) },
		// Entries beyond column 60 alone are other than 1.
		"ones to column 60": func(_, j int) float64 { return 1 + float64(max(j-60, 0))/7 },
	} {
		var text strings.Builder
		for i := range rows {
			fmt.Fprint(&text, i%3)
			for j := i % 4; j < columns-i%17; j += 1 + i%6 {
				fmt.Fprintf(&text, " %d:%v", j+1, value(i, j))
			}
			fmt.Fprintln(&text)
		}
		whole, err := Read(context.Background(), strings.NewReader(text.String()), "rows", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range []int{0, 1, 59, 60, columns - 1, columns, columns + 1, 1 << 17} {
			want, err := Read(context.Background(), strings.NewReader(text.String()), "rows", ReadOptions{Columns: d, DropBeyond: true})
			if err != nil {
				t.Fatal(err)
			}
			if d == 0 { // which reading takes for all columns
				want = &Data{X: &Matrix{}, Dropped: whole.X.NNZ()}
			}
			got, err := whole.WithColumns(d)
			if err != nil {
				t.Fatal(err)
			}
			if got.X.Rows() != rows || got.X.Cols() != d || got.X.NNZ() != want.X.NNZ() || got.Dropped != want.Dropped || &got.Y[0] != &whole.Y[0] {
				t.Errorf("%s, %d columns: %d rows, %d columns, %d entries, %d dropped; want %d, %d", name, d, got.X.Rows(), got.X.Cols(), got.X.NNZ(), got.Dropped, want.X.NNZ(), want.Dropped)
			}
			if d == 0 {
				continue
			}
			w, a, b := make([]float64, d), make([]float64, rows), make([]float64, rows)
			for j := range w {
				w[j] = math.Cos(float64(j))
			}
			if err := got.X.MulVec(nil, a, w); err != nil {
				t.Fatal(err)
			}
			if err := want.X.MulVec(nil, b, w); err != nil {
				t.Fatal(err)
			}
			for i := range a {
				if a[i] != b[i] {
					t.Fatalf("%s, %d columns: row %d has the product %v, not %v", name, d, i, a[i], b[i])
				}
			}
			again, err := got.WithColumns(40)
			if dropped := whole.X.NNZ() - again.X.NNZ(); err != nil || again.Dropped != dropped || again.X.Cols() != 40 {
				t.Errorf("%s, from %d columns to 40: %d dropped, not %d, %v", name, d, again.Dropped, dropped, err)
			}
		}
		if whole.Dropped != 0 || whole.X.Cols() != columns {
			t.Errorf("%s: the data changed", name)
		}
		biased := &Data{X: whole.X.WithBias(2), Y: whole.Y}
		for _, d := range []int{50, 200} {
			if got, err := biased.WithColumns(d); err != nil || got.X.Cols() != d+1 || got.X.Bias() != 2 {
				t.Errorf("with a bias: %d columns, %v", got.X.Cols(), err)
			}
		}
	}
	for _, d := range []int{-1, MaxColumns + 1} {
		if _, err := (&Data{X: &Matrix{}}).WithColumns(d); err == nil || !strings.Contains(err.Error(), "0 to") {
			t.Errorf("%d columns: %v", d, err)
		}
	}
	if _, err := new(Data).WithColumns(3); err == nil {
		t.Error("data without a matrix")
	}
}
