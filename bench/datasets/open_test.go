package datasets

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestOpenFirstRows(t *testing.T) {
	x, y, err := Open("generate:onehot:n=50,d=60")
	if err != nil {
		t.Fatal(err)
	}
	first, labels, err := Open("generate:onehot:n=50,d=60#7")
	if err != nil {
		t.Fatal(err)
	}
	if first.Rows() != 7 || first.Cols() != x.Cols() || !slices.Equal(labels, y[:7]) {
		t.Fatalf("%d rows of %d columns, labels %v of %v", first.Rows(), first.Cols(), labels, y[:7])
	}
	for i := range 7 {
		want := map[uint32]float64{}
		for j, v := range x.Row(i) {
			want[uint32(j)] = v
		}
		for j, v := range first.Row(i) {
			if want[uint32(j)] != v {
				t.Errorf("row %d, column %d: %v, not %v", i, j, v, want[uint32(j)])
			}
			delete(want, uint32(j))
		}
		if len(want) > 0 {
			t.Errorf("row %d lacks %v", i, want)
		}
	}
	if _, _, err := Open("generate:onehot:n=50,d=60#51"); !errors.Is(err, ErrFewer) {
		t.Errorf("51 of 50 rows: %v", err)
	}
	for _, rows := range []string{"", "0", "-1", "x"} {
		if _, _, err := Open("generate:onehot:n=50,d=60#" + rows); err == nil || errors.Is(err, ErrFewer) {
			t.Errorf("#%s: %v", rows, err)
		}
	}
}

// TestMushrooms: of mushrooms the 4,208 edible rows of UCI's table are kept, and 5.27 % of all rows
// are poisonous. Two thirds are for training.
func TestMushrooms(t *testing.T) {
	folder := os.Getenv("LANES_DATA")
	if _, err := os.Stat(filepath.Join(folder, "mushrooms.xz")); folder == "" || err != nil {
		t.Skip("mushrooms.xz is not there: set LANES_DATA")
	}
	s, err := Load(folder, "mushrooms")
	if err != nil {
		t.Fatal(err)
	}
	positives, rest := 0, 0
	for _, v := range slices.Concat(s.Y, s.TestY) {
		if v > 0 {
			positives++
		} else {
			rest++
		}
	}
	if rest != 4208 || positives != 234 || len(s.Y) != 2962 || s.X.Rows() != 2962 || s.TestX.Rows() != 1480 {
		t.Errorf("%d positives and %d others, %d rows for training", positives, rest, len(s.Y))
	}
}
