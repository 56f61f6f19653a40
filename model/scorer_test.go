package model_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
)

func ExampleScorer() {
	model := &model.Linear{Card: model.Card{Positive: 1, Negative: -1, Features: 4}, SolverType: "L2R_LR", Bias: 1, Weights: []float64{1, -2, 0.5, 3, 0.25}}
	scorer, err := model.Scorer(sparse.ValuesNone)
	if err != nil {
		fmt.Println(err)
		return
	}
	score := make([]float64, 1)
	// The row "0:2 3:-1", with columns from 0.
	if err := scorer.Score(score, []uint32{0, 3}, []float64{2, -1}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(score[0], model.Label(score...))
	// Output: -0.75 -1
}

// TestScorer compares single rows with matrices, of the row alone and of all rows, for
// every kind of values and every preparation.
func TestScorer(t *testing.T) {
	const d, n = 40, 60
	random := random.New(3)
	kinds := map[string]func(row int) float64{
		"ones":    func(int) float64 { return 1 },
		"rows":    func(row int) float64 { return 0.1 * float64(row+1) },
		"float32": func(int) float64 { return float64(float32(random.Float64() - 0.3)) },
		"float64": func(int) float64 { return random.Float64() - 0.3 },
		"huge":    func(int) float64 { return 1e200 * (random.Float64() - 0.3) },
	}
	least := map[string]sparse.Values{"ones": sparse.ValuesNone, "rows": sparse.ValuesNone, "float32": sparse.ValuesFloat32, "float64": sparse.ValuesFloat64, "huge": sparse.ValuesFloat64}
	for kind, value := range kinds {
		var columns []uint32
		var values []float64
		begin := []int64{0}
		for i := range n {
			for j := range d {
				if random.Float64() < float64(i%7)*0.15 {
					columns, values = append(columns, uint32(j)), append(values, value(i))
				}
			}
			begin = append(begin, int64(len(columns)))
		}
		x, err := sparse.NewCSR(d, begin, columns, values)
		if err != nil {
			t.Fatal(err)
		}
		scaler, err := sparse.FitMinMax(x)
		if err != nil {
			t.Fatal(err)
		}
		scaler.Shift[3], scaler.Width[3], scaler.Width[5] = 0.25, 1.5, 0
		for _, classes := range []int{1, 3} {
			for _, bias := range []float64{0, 1.5} {
				for _, meta := range []*model.Meta{nil, {Normalize: model.NormalizeNone}, {Normalize: model.NormalizeUnit}, {Normalize: model.NormalizeMinMax, Scaler: scaler}} {
					m := &model.Linear{Card: model.Card{Positive: 1, Negative: -1, Features: d, Meta: meta}, SolverType: "L2R_LR", Bias: bias}
					if classes > 1 {
						m.Classes = []float64{1, 2, 3}
					}
					for range classes * m.Columns() {
						m.Weights = append(m.Weights, random.Float64()-0.5)
					}
					what := fmt.Sprintf("%s, %d classes, bias %v, %+v", kind, classes, bias, meta)
					all, err := m.Scores(nil, x)
					if err != nil {
						t.Fatalf("%s: %v", what, err)
					}
					within := least[kind]
					if meta != nil && meta.Scaler != nil {
						within = sparse.ValuesFloat64 // what scaling makes of any
					}
					single := scorerOf(t, m, sparse.ValuesNone)
					inAll := scorerOf(t, m, within)
					one, other := make([]float64, classes), make([]float64, classes)
					for i := range n {
						c, v := columns[begin[i]:begin[i+1]], values[begin[i]:begin[i+1]]
						alone, err := sparse.NewCSR(d, []int64{0, int64(len(c))}, c, v)
						if err != nil {
							t.Fatal(err)
						}
						want, err := m.Scores(nil, alone)
						if err != nil {
							t.Fatal(err)
						}
						if err := single.Score(one, c, v); err != nil {
							t.Fatal(err)
						}
						if err := inAll.Score(other, c, v); err != nil {
							t.Fatal(err)
						}
						for k := range one {
							if math.Float64bits(one[k]) != math.Float64bits(want[k]) || math.Float64bits(other[k]) != math.Float64bits(all[i*classes+k]) {
								t.Fatalf("%s: row %d: %v and %v, in matrices %v and %v", what, i, one[k], other[k], want[k], all[i*classes+k])
							}
						}
					}
					if allocated := allocations.Count(20, func() {
						for i := range n {
							if err := inAll.Score(other, columns[begin[i]:begin[i+1]], values[begin[i]:begin[i+1]]); err != nil {
								t.Fatal(err)
							}
						}
					}); allocated != 0 {
						t.Errorf("%s: %v allocations in %d rows", what, allocated, n)
					}
				}
			}
		}
	}
}

func scorerOf(t *testing.T, m *model.Linear, least sparse.Values) *model.Scorer {
	t.Helper()
	s, err := m.Scorer(least)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestScorerRefuses(t *testing.T) {
	m := &model.Linear{Card: model.Card{Positive: 1, Negative: -1, Features: 3}, SolverType: "L2R_LR", Weights: []float64{1, 2, 3}}
	s := scorerOf(t, m, sparse.ValuesNone)
	for _, c := range []struct {
		dst     int
		columns []uint32
		values  []float64
	}{
		{2, []uint32{0}, []float64{1}}, {0, nil, nil}, {1, []uint32{3}, []float64{1}}, {1, []uint32{1, 1}, []float64{1, 1}}, {1, []uint32{2, 1}, []float64{1, 1}},
		{1, []uint32{1}, nil}, {1, []uint32{1}, []float64{math.NaN()}}, {1, []uint32{1}, []float64{math.Inf(1)}}, {1, []uint32{math.MaxUint32}, []float64{1}},
	} {
		if err := s.Score(make([]float64, c.dst), c.columns, c.values); err == nil {
			t.Errorf("%+v was scored", c)
		}
	}
	dst := make([]float64, 1)
	if err := s.Score(dst, nil, nil); err != nil || dst[0] != 0 {
		t.Errorf("an empty row: %v, %v", dst, err)
	}
	if _, err := m.Scorer(9); err == nil {
		t.Error("values 9")
	}
	m.Weights = m.Weights[:2]
	if _, err := m.Scorer(0); err == nil {
		t.Error("two weights of three columns")
	}
}
