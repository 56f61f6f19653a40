package sparse

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
)

// picked returns the elements of the listed rows.
func picked[T any](v []T, list []uint32) (out []T) {
	for _, i := range list {
		if v != nil {
			out = append(out, v[i])
		}
	}
	return out
}

// A view of some rows has these rows, with their labels, weights, offsets and groups, scaled as PickRows has
// them, also where whole groups are left out, and where columns are too.
func TestStreamWithRows(t *testing.T) {
	for name, data := range sampleSet(t) {
		s := streamOf(t, data)
		data, err := ReadFile(t.Context(), s.Name(), ReadOptions{WordLabels: true})
		if err != nil {
			t.Fatal(err)
		}
		n, seen := data.X.Rows(), map[string]string{s.View(): "all"}
		for what, keep := range map[string]func(row int) bool{
			"two thirds": func(row int) bool { return row%3 != 1 },
			"the last":   func(row int) bool { return row == n-1 },
			"the ends":   func(row int) bool { return row <= n/5 || row >= n-n/5 },
			"all":        func(int) bool { return true },
		} {
			var list []uint32
			for i := range n {
				if keep(i) {
					list = append(list, uint32(i))
				}
			}
			view, err := s.WithRows(t.Context(), keep)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, what, err)
			}
			if other, is := seen[view.View()]; is {
				t.Errorf("%s: %s are named as %s", name, what, other)
			}
			seen[view.View()] = what
			x, err := data.X.PickRows(nil, list)
			if err != nil {
				t.Fatal(err)
			}
			x = x.WithValues(data.X.Values())
			if view.Rows() != len(list) || view.NNZ() != x.NNZ() || s.Rows() != n {
				t.Fatalf("%s, %s: %d rows with %d entries, not %d with %d", name, what, view.Rows(), view.NNZ(), len(list), x.NNZ())
			}
			views, rows := map[string]*Stream{"plain": view, "unit": view.NormalizeUnit().WithBias(1)}, map[string]*Matrix{"plain": x, "unit": x.NormalizeUnit().WithBias(1)}
			scaler, err := view.FitStd(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if want, err := FitStd(x); err != nil || !slices.Equal(scaler.Width, want.Width) || !slices.Equal(scaler.Shift, want.Shift) {
				t.Errorf("%s, %s: another scaling: %v", name, what, err)
			}
			if views["std"], err = view.Scaled(scaler); err != nil {
				t.Fatal(err)
			}
			if rows["std"], err = scaler.Apply(x.WithValues(ValuesFloat64)); err != nil {
				t.Fatal(err)
			}
			half := data.X.Cols() / 2
			if views["columns"], err = view.WithColumns(half); err != nil {
				t.Fatal(err)
			}
			fewer, err := (&Data{X: x, Y: picked(data.Y, list)}).WithColumns(half)
			if err != nil {
				t.Fatal(err)
			}
			rows["columns"] = fewer.X.WithValues(data.X.Values())
			for how, v := range views {
				group, w, scores := new(StreamGroup), make([]float64, v.Cols()), make([]float64, len(list))
				for j := range w {
					w[j] = 1 / float64(j+3)
				}
				if err := rows[how].MulVec(nil, scores, w); err != nil {
					t.Fatal(err)
				}
				var y, weight, offset, got []float64
				var query []int64
				for k := range v.Groups() {
					if err := v.Load(group, k); err != nil {
						t.Fatal(err)
					}
					first, end := v.GroupRows(k)
					if first != len(y) || end-first != len(group.Y) || group.First != first {
						t.Fatalf("%s, %s, %s: group %d has the rows %d to %d, of %d before and %d here", name, what, how, k, first, end, len(y), len(group.Y))
					}
					y, weight, offset, query = append(y, group.Y...), append(weight, group.Weight...), append(offset, group.Offset...), group.read.queries(query)
					if name != "blocks" {
						requireRows(t, fmt.Sprintf("%s, %s, %s", name, what, how), v, group, rows[how])
					}
					own := make([]float64, len(group.Y))
					if err := group.Rows().WithBias(v.Bias()).MulVec(nil, own, w); err != nil {
						t.Fatal(err)
					}
					got = append(got, own...)
				}
				if !slices.Equal(got, scores) || !slices.Equal(y, picked(data.Y, list)) || !slices.Equal(weight, picked(data.Weight, list)) ||
					!slices.Equal(offset, picked(data.Offset, list)) || !slices.Equal(query, picked(data.Query, list)) {
					t.Errorf("%s, %s, %s: other scores, labels, weights, offsets or groups", name, what, how)
				}
			}
			var y, weight, offset []float64
			if err := view.Numbers(t.Context(), 1, len(list), func(a, b, c []float64) {
				y, weight, offset = append(y, a...), append(weight, b...), append(offset, c...)
			}); len(list) > 0 && err != nil {
				t.Fatal(err)
			}
			if own := list[1:]; !slices.Equal(y, picked(data.Y, own)) || !slices.Equal(weight, picked(data.Weight, own)) || !slices.Equal(offset, picked(data.Offset, own)) {
				t.Errorf("%s, %s: other numbers", name, what)
			}
			whole, err := data.X.PickRows(nil, list)
			if err != nil {
				t.Fatal(err)
			}
			a, err := view.Fingerprint(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if b, err := (&Data{X: whole, Y: picked(data.Y, list), Weight: picked(data.Weight, list), Offset: picked(data.Offset, list), Query: picked(data.Query, list), LabelNames: data.LabelNames, Encoding: data.Encoding}).Fingerprint(); err != nil || a != b {
				t.Errorf("%s, %s: the rows have another fingerprint: %v", name, what, err)
			}
		}
	}
}

// Views that cannot be made are refused; messages name the rows of the file.
func TestStreamWithRowsRefused(t *testing.T) {
	data := sampleSet(t)["float64"]
	s := streamOf(t, data)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for want, try := range map[string]func() (*Stream, error){
		"no function":      func() (*Stream, error) { return s.WithRows(t.Context(), nil) },
		"there is no":      func() (*Stream, error) { return (*Stream)(nil).WithRows(t.Context(), func(int) bool { return true }) },
		"no row is kept":   func() (*Stream, error) { return s.WithRows(t.Context(), func(int) bool { return false }) },
		"context canceled": func() (*Stream, error) { return s.WithRows(ended, func(int) bool { return true }) },
	} {
		if v, err := try(); v != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
	view, err := s.WithRows(t.Context(), func(row int) bool { return row > 6 })
	if err != nil {
		t.Fatal(err)
	}
	if v, err := view.WithRows(t.Context(), func(int) bool { return true }); v != nil || err == nil || !strings.Contains(err.Error(), "already") {
		t.Errorf("rows of rows: %v", err)
	}
	width := slices.Repeat([]float64{1}, data.X.Cols())
	width[0] = math.SmallestNonzeroFloat64
	narrow, err := view.Scaled(&Scaler{Shift: make([]float64, len(width)), Width: width})
	if err != nil {
		t.Fatal(err)
	}
	row := 7
	for ; row < data.X.Rows(); row++ {
		found := false
		for j, x := range data.X.Row(row) {
			found = found || j == 0 && math.Abs(x) > 1e-10
		}
		if found {
			break
		}
	}
	var format *FormatError
	if err := narrow.Load(new(StreamGroup), 0); !errors.As(err, &format) || !strings.Contains(err.Error(), fmt.Sprintf("row %d: column 0 is", row)) {
		t.Errorf("%v, want row %d", err, row)
	}
	if err := os.Truncate(s.Name(), 60); err != nil {
		t.Fatal(err)
	}
	if v, err := s.WithRows(t.Context(), func(int) bool { return true }); v != nil || !errors.As(err, &format) {
		t.Errorf("a file that has become shorter: %v", err)
	}
}
