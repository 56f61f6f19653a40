package model

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/allocations"
	"github.com/lanes-go/lanes/internal/testing/pathtest"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/sparse"
)

// TestRows: a row has the scores of the definition, by itself, alone in a matrix and among all
// rows. This holds for every layout of the matrix, on every CPU path.
func TestRows(t *testing.T) {
	const n, d = 200, 40
	single := repeat.Size(200, 20) // rows that are also scored by themselves
	models := kinds(d)
	pool := sparse.NewPool(2)
	defer pool.Close()
	layouts := make(map[string]bool)
	for _, values := range []string{"ones", "per row", "float32", "decimals", "few", "float64", "extreme", "zeros"} {
		n := n
		if values == "decimals" || values == "few" { // as many entries as are packed, several blocks
			n = 5000
		}
		rows := tableOf(t, values, n, d)
		layouts[rows.x.Layout()] = true
		for name, m := range models {
			if testing.Short() && n > 200 && !strings.HasSuffix(name, "std") {
				continue
			}
			want := make([][]float64, n)
			for i := range n {
				want[i] = defined(t, m, rows.columns[i], rows.values[i])
			}
			for path := range pathtest.Paths(t) {
				all, err := m.Scores([]float64{42}, pool, rows.x)
				if err != nil || all[0] != 42 || !sameBits(all[1:], slices.Concat(want...)) {
					t.Fatalf("%s: %s: %s: the scores of a matrix differ from the definition; %v", path, name, values, err)
				}
				for i := range single {
					one, err := m.RowScores([]float64{1, 2}, rows.columns[i], rows.values[i])
					if err != nil || !sameBits(one, append([]float64{1, 2}, want[i]...)) {
						t.Fatalf("%s: %s: %s: row %d: %v, not %v; %v", path, name, values, i, one, want[i], err)
					}
					alone, err := m.Scores(nil, nil, rows.alone(t, i))
					if err != nil || !sameBits(alone, want[i]) {
						t.Fatalf("%s: %s: %s: row %d: %v in a matrix of its own, not %v; %v", path, name, values, i, alone, want[i], err)
					}
					checkPredictions(t, m, rows.columns[i], rows.values[i], want[i])
				}
			}
		}
	}
	if len(layouts) < 6 {
		t.Errorf("only the layouts %v", layouts)
	}
}

// checkPredictions compares score, label and probability of a row with its scores.
func checkPredictions(t *testing.T, m Model, columns []int, values, scores []float64) {
	t.Helper()
	about := m.About()
	s, err := m.Score(columns, values)
	if about.Width() == 1 && (err != nil || !sameBits([]float64{s}, scores)) || about.Width() > 1 && err == nil {
		t.Fatalf("the score %v of a row with the scores %v; %v", s, scores, err)
	}
	label, err := m.Predict(columns, values)
	if want := m.Label(scores...); err != nil || !sameBits([]float64{label}, []float64{want}) {
		t.Fatalf("the label %v, not %v; %v", label, want, err)
	}
	p, err := m.Probability(columns, values)
	likely := slices.Clone(scores)
	wrong := m.Probabilities(likely)
	if (wrong == nil) != m.Logistic() || (err == nil) != (wrong == nil && about.Width() == 1) || err == nil && !sameBits([]float64{p}, likely) {
		t.Fatalf("the probability %v, not %v; %v, %v", p, likely, err, wrong)
	}
}

// TestUnknownColumns: they count for nothing, in rows and matrices, or are refused.
func TestUnknownColumns(t *testing.T) {
	const known, d = 29, 40
	rows, few := tableOf(t, "float64", 150, d), tableOf(t, "float64", 150, known-4)
	for name, m := range kinds(known) {
		refusing := 0
		all, err := m.Scores(nil, nil, rows.x)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		width := m.About().Width()
		for i, columns := range rows.columns {
			cut, _ := slices.BinarySearch(columns, known)
			want, err := m.RowScores(nil, columns[:cut], rows.values[i][:cut])
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.RowScores(nil, columns, rows.values[i])
			if err != nil || !sameBits(got, want) || !sameBits(all[i*width:(i+1)*width], want) {
				t.Fatalf("%s: row %d: %v and in the matrix %v, without the unknown columns %v; %v", name, i, got, all[i*width:(i+1)*width], want, err)
			}
			checkPredictions(t, m, columns, rows.values[i], want)
			m.About().RefuseUnknown = true
			if _, err := m.RowScores(nil, columns, rows.values[i]); (err != nil) != (cut < len(columns)) {
				t.Fatalf("%s: row %d has %d unknown columns: %v", name, i, len(columns)-cut, err)
			} else if err != nil {
				refusing++
			}
			m.About().RefuseUnknown = false
		}
		if all, err = m.Scores(nil, nil, few.x); err != nil {
			t.Fatalf("%s: a matrix of fewer columns: %v", name, err)
		}
		for i := range few.columns {
			if want, err := m.RowScores(nil, few.columns[i], few.values[i]); err != nil || !sameBits(all[i*width:(i+1)*width], want) {
				t.Fatalf("%s: row %d of a matrix of fewer columns: other scores; %v", name, i, err)
			}
		}
		m.About().RefuseUnknown = true
		_, err = m.Scores(nil, nil, rows.x)
		if bad := (*RowError)(nil); refusing < 100 || !errors.As(err, &bad) || bad.Column < known {
			t.Errorf("%s: %d rows with unknown columns were refused, the matrix: %v", name, refusing, err)
		}
		if _, err = m.Scores(nil, nil, few.x); err != nil {
			t.Error(err)
		}
	}
}

// TestUnknownAlone: a row of one unknown column has the scores of an empty row.
func TestUnknownAlone(t *testing.T) {
	b := sparse.NewBuilder(sparse.BuilderOptions{})
	for _, columns := range [][]int{{40}, {}, {1, 40}, {40, 41}} {
		if err := b.AddRow(columns, nil); err != nil {
			t.Fatal(err)
		}
	}
	x, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	for name, m := range kinds(30) {
		all, err := m.Scores(nil, nil, x)
		width := m.About().Width()
		if err != nil || !sameBits(all[:width], all[width:2*width]) || !sameBits(all[:width], all[3*width:]) {
			t.Errorf("%s: %v, %v", name, all, err)
		}
		if one, err := m.RowScores(nil, []int{40}, nil); err != nil || !sameBits(one, all[:width]) {
			t.Errorf("%s: %v, %v", name, one, err)
		}
	}
}

// TestOtherScaler: a copy of a model that is given another scaler scores by it.
func TestOtherScaler(t *testing.T) {
	scaler := func(shift float64) *sparse.Scaler {
		return &sparse.Scaler{Shift: []float64{shift, 0}, Width: []float64{2, 1}}
	}
	m := &Linear{SolverType: "L2R_LR", Card: Card{Features: 2, Positive: 1, Negative: -1, Meta: &Meta{Normalize: NormalizeMinMax, Scaler: scaler(0)}}, Weights: []float64{1, 10}}
	m.keepShifted()
	other := *m
	other.Meta = &Meta{Normalize: NormalizeMinMax, Scaler: scaler(3)}
	for _, c := range []struct {
		m    *Linear
		want float64
	}{{m, 10}, {&other, 8.5}, {m, 10}} {
		if s, err := c.m.Score([]int{1}, nil); err != nil || s != c.want {
			t.Errorf("%v, not %v, %v", s, c.want, err)
		}
	}
}

// TestRowsRefused: what is wrong with a row is said, by every method, for every model.
func TestRowsRefused(t *testing.T) {
	const d = 20
	inf, nan := math.Inf(1), math.NaN()
	at := func(columns []int, values ...float64) ([]int, []float64) {
		for j := range 14 { // behind a long row, and by itself
			columns, values = append(columns, 21+j), append(values, 1)
		}
		return columns, values
	}
	unsortedLate, late := at([]int{3, 4}, 1, 1)
	unsortedLate[15] = 3
	lateNaN := slices.Clone(late)
	lateNaN[15] = nan
	ascending, _ := at([]int{3, 4})
	for _, c := range []struct {
		columns []int
		values  []float64
		row     RowError
	}{
		{[]int{1, 2}, []float64{1}, RowError{0, -1, "the row has 2 columns and 1 values"}},
		{nil, []float64{1}, RowError{0, -1, "the row has 0 columns and 1 values"}},
		{[]int{-1, 2}, nil, RowError{0, -1, "column -1 is negative; columns count from 0"}},
		{[]int{math.MinInt}, []float64{1}, RowError{0, math.MinInt, fmt.Sprintf("column %d is negative; columns count from 0", math.MinInt)}},
		{[]int{2, 1}, []float64{1, 1}, RowError{0, 1, "column 1 stands after column 2; columns must ascend"}},
		{[]int{2, 2}, nil, RowError{0, 2, "column 2 is repeated"}},
		{[]int{1, 2, 3, 4, 5, 6, 7, 7}, nil, RowError{0, 7, "column 7 is repeated"}},
		{[]int{1, 2, 3, 4, 5, 6, 7, 8, 9, 9}, nil, RowError{0, 9, "column 9 is repeated"}},
		{[]int{1, 2, 3, 4, 5, 6, 7, 8, 8, 10}, nil, RowError{0, 8, "column 8 is repeated"}},
		{[]int{0, 1, 2, 3, 4, 5, 6, 7, 7, 9, 10, 11, 12, 13, 14, 15, 16}, nil, RowError{0, 7, "column 7 is repeated"}},
		{[]int{25, 3}, nil, RowError{0, 3, "column 3 stands after column 25; columns must ascend"}},
		{[]int{math.MaxInt, 3}, nil, RowError{0, 3, fmt.Sprintf("column 3 stands after column %d; columns must ascend", math.MaxInt)}},
		{[]int{1, 2}, []float64{1, nan}, RowError{0, 2, "column 2 holds NaN"}},
		{[]int{1, 2}, []float64{-inf, 1}, RowError{0, 1, "column 1 holds -Inf"}},
		{[]int{1, 25}, []float64{1, inf}, RowError{0, 25, "column 25 holds +Inf"}},
		{[]int{1, 25, 25}, []float64{1, 1, 1}, RowError{0, 25, "column 25 is repeated"}},
		{[]int{1, 26, 25}, []float64{1, 1, 1}, RowError{0, 25, "column 25 stands after column 26; columns must ascend"}},
		{[]int{4, 3, 25}, []float64{1, 1, 1}, RowError{0, 3, "column 3 stands after column 4; columns must ascend"}},
		{[]int{1, 25, 26}, []float64{nan, 1, 1}, RowError{0, 1, "column 1 holds NaN"}},
		{unsortedLate, late, RowError{0, 3, "column 3 stands after column 33; columns must ascend"}},
		{ascending, lateNaN, RowError{0, 34, "column 34 holds NaN"}},
	} {
		for name, m := range kinds(d) {
			dst, err := m.RowScores([]float64{1}, c.columns, c.values)
			var bad *RowError
			if !errors.As(err, &bad) || *bad != c.row || err.Error() != "model: "+c.row.Message || len(dst) != 1 {
				t.Errorf("%s: %v: %v, not %v", name, c.columns, err, c.row)
			}
			s, one := m.Score(c.columns, c.values)
			label, two := m.Predict(c.columns, c.values)
			p, three := m.Probability(c.columns, c.values)
			if one == nil || two == nil || three == nil || s == s || label == label || p == p {
				t.Errorf("%s: %v: %v %v %v", name, c.columns, s, label, p)
			}
		}
	}
}

// TestScaledTooLarge: an entry that overflows once it is scaled is named, in the first row.
func TestScaledTooLarge(t *testing.T) {
	for name, m := range kinds(20) {
		scaler := m.About().Meta.Scaler
		if scaler == nil {
			continue
		}
		scaler.Width[5] = 1e-10
		if _, err := m.RowScores(nil, []int{5}, []float64{-1e300}); err == nil || err.Error() != "model: column 5 is -Inf once it is scaled" {
			t.Errorf("%s: %v", name, err)
		}
		b := sparse.NewBuilder(sparse.BuilderOptions{})
		for i := range 90_000 { // two blocks
			if err := b.AddRow([]int{5}, []float64{float64(i) * 1e294}); err != nil {
				t.Fatal(err)
			}
		}
		x, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		dst, err := m.Scores([]float64{1}, nil, x)
		if err == nil || err.Error() != "model: row 17978: column 5 is +Inf once it is scaled" || len(dst) != 1 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestRowsOfBadModels: models that Check refuses are errors, not panics.
func TestRowsOfBadModels(t *testing.T) {
	x := tableOf(t, "float64", 20, 20).x
	for says, spoil := range map[string]func(m *Linear){
		"19 weights":          func(m *Linear) { m.Weights = m.Weights[:19] },
		"-3 columns":          func(m *Linear) { m.Features = -3 },
		"no weights":          func(m *Linear) { m.Weights = nil },
		"no shifts":           func(m *Linear) { m.Meta.Scaler = &sparse.Scaler{} },
		"minmax, no scaler":   func(m *Linear) { m.Meta.Normalize, m.Meta.Scaler = NormalizeMinMax, nil },
		"unknown scaling":     func(m *Linear) { m.Meta.Normalize = "other" },
		"weights of one less": func(m *Linear) { m.Bias = 2 },
	} {
		m := &Linear{SolverType: "L2R_LR", Card: Card{Features: 20, Positive: 1, Meta: &Meta{}}, Weights: make([]float64, 20)}
		spoil(m)
		if _, err := m.Score([]int{1, 2}, nil); err == nil {
			t.Errorf("%s: a row was scored", says)
		}
		if _, err := m.Scores(nil, nil, x); err == nil {
			t.Errorf("%s: a matrix was scored", says)
		}
	}
	p, _ := trained(t)
	p.Weights = p.Weights[1:]
	if _, err := p.Score([]int{1}, nil); err == nil {
		t.Error("a perceptron without its first weight scored a row")
	}
	for name, m := range kinds(20) {
		if _, err := m.Scores(nil, nil, nil); err == nil {
			t.Errorf("%s: no matrix was scored", name)
		}
		if _, err := m.Scores(nil, nil, x.WithBias(1)); err == nil || !strings.Contains(err.Error(), "has a bias") {
			t.Errorf("%s: a matrix with a bias: %v", name, err)
		}
	}
}

// TestScoringAllocates: scoring allocates nothing, for rows and, with enough capacity, matrices.
func TestScoringAllocates(t *testing.T) {
	const n, d = 100, 150
	pool := sparse.NewPool(2)
	defer pool.Close()
	for _, values := range []string{"ones", "per row", "float64"} {
		rows := tableOf(t, values, n, d)
		for name, m := range kinds(d) {
			m.About().keepShifted()
			dst := make([]float64, 0, n*m.About().Width())
			got := allocations.Count(5, func() {
				for i := range n {
					if m.About().Width() == 1 {
						m.Score(rows.columns[i], rows.values[i])
					}
					if m.About().Width() == 1 && m.Logistic() {
						m.Probability(rows.columns[i], rows.values[i])
					}
					if _, err := m.Predict(rows.columns[i], rows.values[i]); err != nil {
						t.Fatal(err)
					}
					if _, err := m.RowScores(dst, rows.columns[i], rows.values[i]); err != nil {
						t.Fatal(err)
					}
				}
				if _, err := m.Scores(dst, pool, rows.x); err != nil {
					t.Fatal(err)
				}
			})
			if got != 0 {
				t.Errorf("%s of %s: %v allocations for %d rows", name, values, got, n)
			}
		}
	}
}

// TestManyGoroutines scores rows of every model on 8 goroutines at once.
func TestManyGoroutines(t *testing.T) {
	const n, d = 60, 40
	rows := tableOf(t, "float64", n, d)
	for name, m := range kinds(d) {
		want, err := m.Scores(nil, nil, rows.x)
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				width := m.About().Width()
				var one []float64
				for i := range n {
					var err error
					if one, err = m.RowScores(one[:0], rows.columns[i], rows.values[i]); err != nil || !sameBits(one, want[i*width:(i+1)*width]) {
						t.Errorf("%s: row %d: %v, %v", name, i, one, err)
					}
					checkPredictions(t, m, rows.columns[i], rows.values[i], one)
				}
				if got, err := m.Scores(nil, nil, rows.x); err != nil || !sameBits(got, want) {
					t.Errorf("%s: other scores of the matrix, %v", name, err)
				}
				if err := m.Check(); err == nil && m.About().Meta.Normalize == "" {
					t.Errorf("%s: passes without its metadata", name)
				}
			})
		}
		all.Wait()
	}
}
