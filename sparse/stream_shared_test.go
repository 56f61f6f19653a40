package sparse

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The ranges of parts of the rows, put together, make the scaler of all.
func TestStreamRanges(t *testing.T) {
	for name, data := range sampleSet(t) {
		s := streamOf(t, data)
		want, err := FitMinMax(data.X)
		if err != nil {
			t.Fatal(err)
		}
		n := s.Rows()
		all := newRanges(s.Cols())
		for _, cut := range [][2]int{{0, n / 3}, {n / 3, n / 3}, {n / 3, n}} {
			part, err := s.Ranges(context.Background(), cut[0], cut[1])
			if err != nil {
				t.Fatal(err)
			}
			for j := range part.Low {
				all.Low[j], all.High[j] = min(all.Low[j], part.Low[j]), max(all.High[j], part.High[j])
				all.Count[j] += part.Count[j]
			}
			all.Rows += part.Rows
		}
		got, err := all.Scaler()
		if err != nil || !slices.Equal(got.Shift, want.Shift) || !slices.Equal(got.Width, want.Width) {
			t.Errorf("%s: another scaler is fitted, error %v", name, err)
		}
		for _, cut := range [][2]int{{-1, 0}, {1, 0}, {0, n + 1}} {
			if _, err := s.Ranges(context.Background(), cut[0], cut[1]); err == nil {
				t.Errorf("%s: there are ranges of the rows %v of %d", name, cut, n)
			}
		}
	}
	for _, r := range []*Ranges{nil, {Low: []float64{1}}, {Low: []float64{1}, High: []float64{2}}, {Count: []float64{1}}} {
		if _, err := r.Scaler(); err == nil {
			t.Errorf("%v makes a scaler", r)
		}
	}
}

// A copy of a file has its identity, and a file with another label, value or order of
// rows has not.
func TestStreamIdentity(t *testing.T) {
	x := matrixOf(t, [][]float64{{1, 0, 2}, {0, 3, 0}, {1, 0, 2}})
	s := streamOf(t, &Data{X: x, Y: []float64{1, -1, 1}})
	copied := filepath.Join(t.TempDir(), "copy")
	content, err := os.ReadFile(s.Name())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(copied, content, 0o666); err != nil {
		t.Fatal(err)
	}
	again, err := OpenStream(context.Background(), copied)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if s.Identity() != again.Identity() || s.WithBias(1).Identity() != s.Identity() {
		t.Error("a copy or a view has another identity")
	}
	for k, other := range []*Data{
		{X: x, Y: []float64{1, 1, 1}},
		{X: matrixOf(t, [][]float64{{1, 0, 2}, {0, 4, 0}, {1, 0, 2}}), Y: []float64{1, -1, 1}},
		{X: matrixOf(t, [][]float64{{0, 3, 0}, {1, 0, 2}, {1, 0, 2}}), Y: []float64{-1, 1, 1}},
		{X: matrixOf(t, [][]float64{{1, 0, 2, 0}, {0, 3, 0, 0}, {1, 0, 2, 0}}), Y: []float64{1, -1, 1}},
	} {
		if streamOf(t, other).Identity() == s.Identity() {
			t.Errorf("the rows of list %d have the same identity", k)
		}
	}
}
