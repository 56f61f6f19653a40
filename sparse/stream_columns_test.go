package sparse

import (
	"fmt"
	"slices"
	"testing"
)

// A view with fewer columns or more has the rows that Data.WithColumns has, scaled as those are, also where
// a group is loaded again.
func TestStreamWithColumns(t *testing.T) {
	for name, data := range sampleSet(t) {
		s := streamOf(t, data)
		data, err := ReadFile(t.Context(), s.Name(), ReadOptions{WordLabels: true})
		if err != nil {
			t.Fatal(err)
		}
		own := data.X.Cols()
		for _, d := range []int{own / 2, own + 3} {
			if d < 0 {
				continue
			}
			fitted, err := data.WithColumns(d)
			if err != nil {
				t.Fatal(err)
			}
			want := fitted.X.WithValues(data.X.Values()) // the file keeps as much of its values
			view, err := s.WithColumns(d)
			if err != nil || view.Cols() != d || view.WithBias(1).Cols() != d+1 {
				t.Fatalf("%s: %d columns, error %v", name, d, err)
			}
			scaler := &Scaler{Shift: make([]float64, d), Width: make([]float64, d)}
			for j := range d {
				scaler.Shift[j], scaler.Width[j] = float64(j%3)/4, float64(j%2+1)/4
			}
			views := map[string]*Stream{"plain": view, "unit": view.NormalizeUnit().WithBias(1), "bias first": s.WithBias(2)}
			rows := map[string]*Matrix{"plain": want, "unit": want.NormalizeUnit().WithBias(1), "bias first": want.WithBias(2)}
			if views["bias first"], err = views["bias first"].WithColumns(d); err != nil {
				t.Fatal(err)
			}
			if views["scaled"], err = view.Scaled(scaler); err != nil {
				t.Fatal(err)
			}
			if rows["scaled"], err = scaler.Apply(want.WithValues(ValuesFloat64)); err != nil {
				t.Fatal(err)
			}
			seen := map[string]string{s.View(): "the file"}
			for what, v := range views {
				if other, is := seen[v.View()]; is && d > 0 {
					t.Errorf("%s: %s is named as %s", name, what, other)
				}
				seen[v.View()] = what
				group, w, scores := new(StreamGroup), make([]float64, v.Cols()), make([]float64, data.X.Rows())
				for j := range w {
					w[j] = 1 / float64(j+3)
				}
				if err := rows[what].MulVec(nil, scores, w); err != nil {
					t.Fatal(err)
				}
				for _, k := range []int{0, s.Groups() - 1} {
					if err := v.Load(group, k); err != nil {
						t.Fatal(err)
					}
					if group.Rows().Cols() != d {
						t.Errorf("%s, %s: a group has %d columns, not %d", name, what, group.Rows().Cols(), d)
					}
					requireRows(t, fmt.Sprintf("%s, %s, %d of %d columns", name, what, d, own), v, group, rows[what])
					got := make([]float64, len(group.Y))
					if err := group.Rows().WithBias(v.Bias()).MulVec(nil, got, w); err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(got, scores[group.First:][:len(got)]) {
						t.Errorf("%s, %s, %d of %d columns: other scores", name, what, d, own)
					}
				}
			}
		}
		if scaled, err := s.Scaled(&Scaler{Shift: make([]float64, own), Width: slices.Repeat([]float64{2}, own)}); err == nil {
			if _, err := scaled.WithColumns(own); err == nil {
				t.Errorf("%s: columns of a scaled view", name)
			}
		}
		for _, d := range []int{-1, MaxColumns + 1} {
			if _, err := s.WithColumns(d); err == nil {
				t.Errorf("%s: %d columns", name, d)
			}
		}
	}
}
