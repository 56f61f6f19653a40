package fuzz

import (
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// FuzzModelRow: any model refuses the rows that it should, and gives the others the scores
// that they have in a matrix, on every CPU path.
func FuzzModelRow(f *testing.F) {
	for kind := range 16 {
		f.Add([]byte{byte(kind), 12, 0, 3, 200, 0, 1, 2, 3, 4, 5, 6, 7, 8, 100, 9, 100, 7, 100, 3, 100, 9, 80, 1})
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		in := &input{data}
		m := modelOf(in)
		about := m.About()
		columns := make([]int, in.below(40))
		for e := range columns {
			switch b := in.byte(); {
			case e == 0:
				columns[e] = int(int8(b))
			case b < 250:
				columns[e] = columns[e-1] + int(b)%5
			default:
				columns[e] = int(in.uint64())
			}
		}
		var values []float64
		if in.byte()%2 == 1 {
			values = in.floats(len(columns))
		}
		wrong := slices.ContainsFunc(values, func(v float64) bool { return v-v != 0 })
		known := len(columns)
		for e, j := range columns {
			wrong = wrong || j < 0 || e > 0 && j <= columns[e-1]
			if j >= about.Features {
				known = min(known, e)
			}
		}
		var x *sparse.Matrix
		if !wrong {
			b := sparse.NewBuilder(sparse.BuilderOptions{})
			var some []float64
			if values != nil {
				some = values[:known]
			}
			if err := b.AddRow(columns[:known], some); err != nil {
				t.Fatal(err)
			}
			var err error
			if x, err = b.Build(); err != nil {
				t.Fatal(err)
			}
		}
		for k := range pathtest.Paths(t) {
			got, err := m.RowScores(nil, columns, values)
			if wrong {
				if err == nil {
					t.Fatalf("%v %v was scored", columns, values)
				}
				continue
			}
			want, trouble := m.Scores(nil, nil, x)
			if (err == nil) != (trouble == nil) || !slices.EqualFunc(got, want, equal) {
				t.Fatalf("%s: %v %v: %v, in a matrix %v; %v, %v", k, columns, values, got, want, err, trouble)
			}
			if err != nil {
				continue
			}
			label, err := m.Predict(columns, values)
			if err != nil || !equal(label, m.Label(want...)) {
				t.Fatalf("%s: the label %v, not %v; %v", k, label, m.Label(want...), err)
			}
			if s, err := m.Score(columns, values); (err == nil) != (about.Width() == 1) || err == nil && !equal(s, want[0]) {
				t.Fatalf("%s: the score %v, not %v; %v", k, s, want, err)
			}
			about.RefuseUnknown = true
			if _, err := m.Predict(columns, values); (err == nil) != (known == len(columns)) {
				t.Fatalf("%s: %d columns of %d are known: %v", k, known, len(columns), err)
			}
			about.RefuseUnknown = false
		}
	})
}

// modelOf draws a model of any kind, with any scaling.
func modelOf(in *input) model.Model {
	kind := in.byte()
	card := model.Card{Features: in.below(60), Positive: 1, Negative: -1, Meta: &model.Meta{Normalize: model.NormalizeNone}}
	finite := func() float64 {
		if v := in.float(); v-v == 0 {
			return v
		}
		return 0.5
	}
	switch kind >> 2 & 3 {
	case 1:
		card.Meta.Normalize = model.NormalizeUnit
	case 2:
		s := &sparse.Scaler{Shift: make([]float64, card.Features), Width: make([]float64, card.Features)}
		for j := range s.Width {
			s.Width[j] = math.Abs(finite())
			if j%3 == 0 {
				s.Shift[j] = finite()
			}
		}
		card.Meta.Normalize, card.Meta.Scaler = model.NormalizeMinMax, s
	}
	fill := func(n int) []float64 {
		w := make([]float64, n)
		for j := range w {
			w[j] = finite()
		}
		return w
	}
	if kind&3 == 3 {
		card.Features = max(card.Features, 1)
		if s := card.Meta.Scaler; s != nil && len(s.Width) == 0 {
			s.Shift, s.Width = []float64{0}, []float64{1}
		}
		net := score.Network{Features: card.Features, Hidden: []int{1 + in.below(3)}, Activation: score.Activation(in.below(3))}
		return &model.Perceptron{Card: card, Network: net, Weights: fill(net.Parameters())}
	}
	m := &model.Linear{Card: card, SolverType: "L2R_LR", Bias: math.Abs(finite())}
	switch kind & 3 {
	case 1:
		m.Classes = []float64{3, 1, 2}
	case 2:
		m.SolverType, m.Regression = "L2R_L2LOSS_SVR", true
	}
	m.Weights = fill(m.Columns() * m.Width())
	return m
}
