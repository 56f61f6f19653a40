package sparse

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestBuilderTakesAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 13))
	rows := randomRows(rng, 3000, 60, 0.4, rng.NormFloat64)
	b := NewBuilder(BuilderOptions{Columns: 60})
	for _, row := range rows {
		var columns []int
		var values []float64
		for _, j := range rng.Perm(60) {
			if row[j] != 0 {
				columns, values = append(columns, j), append(values, row[j])
			}
		}
		if err := b.AddRow(columns, values); err != nil {
			t.Fatal(err)
		}
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	wantMatrix(t, m, matrixOf(t, rows))
}

func TestBuilderMerges(t *testing.T) {
	b := NewBuilder(BuilderOptions{Merge: true})
	// The order of addition shows in the sum.
	if err := b.AddRow([]int{5, 2, 5, 5, 0}, []float64{1e16, 3, 1, -1e16, -0.5}); err != nil {
		t.Fatal(err)
	}
	if err := b.AddRow([]int{1, 1}, nil); err != nil {
		t.Fatal(err)
	}
	m, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	rows := denseOf(m)
	wantBits(t, "row 0", rows[0], []float64{-0.5, 0, 3, 0, 0, 0})
	wantBits(t, "row 1", rows[1], []float64{0, 2, 0, 0, 0, 0})
	if m.NNZ() != 4 {
		t.Errorf("%d entries; the sum 0 should be stored", m.NNZ())
	}
}

func TestBuilderChoosesLayout(t *testing.T) {
	for _, c := range []struct {
		layout  string
		options BuilderOptions
		columns []int
		values  []float64
	}{
		{"i16+none", BuilderOptions{}, []int{0, 65535}, nil},
		{"i32+none", BuilderOptions{}, []int{0, 65536}, []float64{1, 1}},
		{"i16+row", BuilderOptions{}, []int{0, 9}, []float64{0.1, 0.1}},
		{"i16+f32", BuilderOptions{}, []int{0, 9}, []float64{0.5, 0.25}},
		{"i16+f64", BuilderOptions{}, []int{0, 9}, []float64{0.1, 0.25}},
		{"i32+f64", BuilderOptions{Storage: Storage{indices32: true}}, []int{0, 9}, []float64{0.1, 0.25}},
		{"i16+f32", BuilderOptions{Storage: Storage{Float32: true}}, []int{0, 9}, []float64{0.1, 0.25}},
	} {
		b := NewBuilder(c.options)
		if err := b.AddRow(c.columns, c.values); err != nil {
			t.Fatal(err)
		}
		m, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		if m.Layout() != c.layout {
			t.Errorf("%v, %v: layout %s, want %s", c.columns, c.values, m.Layout(), c.layout)
		}
	}
}

func TestBuilderRefuses(t *testing.T) {
	for _, c := range []struct {
		options BuilderOptions
		columns []int
		values  []float64
		part    string
	}{
		{BuilderOptions{}, []int{1, 2}, []float64{1}, "row 1: 2 columns and 1 values"},
		{BuilderOptions{}, []int{-1}, nil, "row 1: column -1"},
		{BuilderOptions{Columns: 4}, []int{4}, nil, "row 1: column 4; columns are 0 to 3"},
		{BuilderOptions{}, []int{MaxColumns}, nil, "row 1: column 2147483646"},
		{BuilderOptions{}, []int{3, 0, 3}, nil, "row 1: column 3 is repeated"},
		{BuilderOptions{}, []int{3, 7}, []float64{0, math.NaN()}, "row 1: column 7 holds NaN"},
		{BuilderOptions{Merge: true}, []int{3, 3}, []float64{math.Inf(1), math.Inf(-1)}, "row 1: column 3 holds +Inf"},
		{BuilderOptions{Merge: true}, []int{3, 3}, []float64{1e308, 1e308}, "column 3 sum to +Inf"},
		{BuilderOptions{Storage: Storage{Float32: true}}, []int{3}, []float64{1e39}, "too large for a float32"},
	} {
		b := NewBuilder(c.options)
		if err := b.AddRow([]int{1}, nil); err != nil {
			t.Fatal(err)
		}
		if err := b.AddRow(c.columns, c.values); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%v %v: %v, want an error that says %q", c.columns, c.values, err, c.part)
		}
		if err := b.AddRow([]int{0}, nil); err != nil {
			t.Errorf("after an error: %v", err)
		}
		m, err := b.Build()
		if err != nil || m.Rows() != 2 || b.added != 2 || m.NNZ() != 2 {
			t.Errorf("after an error the matrix is not the two sound rows: %v", err)
		}
		if _, err := b.Build(); err == nil {
			t.Error("a second Build passed")
		}
		if err := b.AddRow(nil, nil); err == nil {
			t.Error("a row after Build passed")
		}
	}
	for _, d := range []int{-1, MaxColumns + 1} {
		b := NewBuilder(BuilderOptions{Columns: d})
		if err := b.AddRow([]int{0}, nil); err == nil {
			t.Errorf("%d columns passed AddRow", d)
		}
		if _, err := b.Build(); err == nil {
			t.Errorf("%d columns passed Build", d)
		}
	}
	if m, err := NewBuilder(BuilderOptions{}).Build(); err != nil || m.Rows() != 0 || m.Cols() != 0 {
		t.Errorf("no rows: %v", err)
	}
}

func TestDescribe(t *testing.T) {
	m := matrixOf(t, [][]float64{{0, 3, 0, -0.1, 0}, {0, 0, 0, 0, 0}, {0, 7, 0, 0, 0}}).WithBias(1)
	want := Description{
		Rows: 3, Columns: 5, NonZeros: 3, EmptyRows: 1, LongestRow: 2, UsedColumns: 2,
		FirstColumn: 1, LastColumn: 3, Least: -0.1, Greatest: 7,
		Layout: "i16+f64", Bytes: 4*8 + 3*10, BytesPerNonZero: float64(4*8+3*10) / 3,
	}
	if got := m.Describe(); got != want {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	for _, rows := range [][][]float64{nil, {{0, 0}}} {
		got := matrixOf(t, rows).Describe()
		if got.EmptyRows != len(rows) || got.FirstColumn != -1 || got.BytesPerNonZero != 0 || got.Least != 0 {
			t.Errorf("without entries: %+v", got)
		}
	}
	if got := generate(t, "onehot:n=50").X.NormalizeUnit().Layout(); got != "i16+row" {
		t.Errorf("unit one-hot rows: layout %s", got)
	}
}
