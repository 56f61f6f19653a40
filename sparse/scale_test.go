package sparse

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/asm/rows"
	"github.com/lanes-go/lanes/internal/matrix"
)

// matrixOf builds a matrix from dense rows, leaving zeros out.
func matrixOf(t testing.TB, rows [][]float64) *Matrix {
	t.Helper()
	ptr := []int64{0}
	var columns []uint32
	var values []float64
	d := 0
	for _, row := range rows {
		d = len(row)
		for j, x := range row {
			if x != 0 {
				columns, values = append(columns, uint32(j)), append(values, x)
			}
		}
		ptr = append(ptr, int64(len(columns)))
	}
	m, err := NewCSR(d, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func denseOf(m *Matrix) [][]float64 {
	rows := make([][]float64, m.Rows())
	for i := range rows {
		rows[i] = make([]float64, m.Cols())
		for j, x := range m.Row(i) {
			rows[i][j] = x
		}
	}
	return rows
}

// randomRows gives n rows of d columns, each entry present with the given chance.
func randomRows(rng *rand.Rand, n, d int, chance float64, value func() float64) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, d)
		for j := range rows[i] {
			if rng.Float64() < chance {
				rows[i][j] = value()
			}
		}
	}
	return rows
}

func TestNorms(t *testing.T) {
	m := matrixOf(t, [][]float64{{3, 0, -4}, {0, 0, 0}, {1e300, 1e300, 0}, {0, 1e-200, 1e-200}, {5e-324, 0, 0}})
	wantBits(t, "squared", matrix.SquaredNorms(m), []float64{25, 0, math.Inf(1), 0, 0})
	for i, want := range []float64{5, 0, math.Sqrt2 * 1e300, math.Sqrt2 * 1e-200, 5e-324} {
		if got := matrix.Norms(m)[i]; math.Abs(got-want) > 1e-15*want {
			t.Errorf("row %d: length %v, want %v", i, got, want)
		}
	}
	wantBits(t, "with bias", matrix.Norms(m.WithBias(12))[:2], []float64{13, 12})
	ones := matrixOf(t, [][]float64{{1, 0, 1}, {0, 0, 0}})
	wantBits(t, "ones", matrix.SquaredNorms(ones), []float64{2, 0})
}

func TestNormalizeUnit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	values := map[string]func() float64{
		"float64": rng.NormFloat64,
		"float32": func() float64 { return float64(float32(rng.NormFloat64())) },
		"huge":    func() float64 { return rng.NormFloat64() * 1e307 },
		"tiny":    func() float64 { return rng.NormFloat64() * 1e-310 },
		"ones":    func() float64 { return 1 },
		"fours":   func() float64 { return -4 },
	}
	for name, value := range values {
		dense := randomRows(rng, 60, 20, 0.3, value)
		dense[7] = make([]float64, 20)
		m := matrixOf(t, dense).WithBias(2)
		unit := m.NormalizeUnit()
		if unit.Bias() != 2 || unit.NNZ() != m.NNZ() {
			t.Fatalf("%s: bias %v, %d entries", name, unit.Bias(), unit.NNZ())
		}
		if ones := matrix.Stored(unit).Layout == rows.I16Ones; ones != (name == "ones" || name == "fours") {
			t.Errorf("%s: layout %d", name, matrix.Stored(unit).Layout)
		}
		for i, row := range denseOf(unit.WithBias(0)) {
			square := 0.0
			for j, x := range row {
				square += x * x
				if (x < 0) != (dense[i][j] < 0) {
					t.Fatalf("%s: row %d, column %d: sign changed", name, i, j)
				}
			}
			if matrix.Stored(m).Begin[i] == matrix.Stored(m).End[i] {
				continue
			}
			if math.Abs(square-1) > 1e-14 {
				t.Errorf("%s: row %d has squared length %v", name, i, square)
			}
		}
	}
}

func TestNormalizeUnitKeepsOnes(t *testing.T) {
	g := generate(t, "onehot:n=500")
	unit := g.X.NormalizeUnit()
	if matrix.Stored(unit).Layout != rows.I16Ones || matrix.Stored(unit).Val64 != nil || &matrix.Stored(unit).Idx16[0] != &matrix.Stored(g.X).Idx16[0] {
		t.Errorf("layout %d, or columns not shared", matrix.Stored(unit).Layout)
	}
	if matrix.Stored(g.X).Scale != nil {
		t.Error("the source changed")
	}
	for _, x := range unit.Row(3) {
		if x != 1/math.Sqrt(14) {
			t.Errorf("value %v", x)
		}
	}
}

// scaleDense is svm-scale -l 0 -u 1 on dense rows.
func scaleDense(rows [][]float64) [][]float64 {
	out := make([][]float64, len(rows))
	for i := range out {
		out[i] = make([]float64, len(rows[i]))
	}
	for j := range rows[0] {
		low, high := rows[0][j], rows[0][j]
		for _, row := range rows {
			low, high = min(low, row[j]), max(high, row[j])
		}
		for i, row := range rows {
			if low != high {
				out[i][j] = (row[j] - low) / (high - low)
			}
		}
	}
	return out
}

func TestFitMinMaxDense(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	rows := randomRows(rng, 50, 6, 0.8, rng.NormFloat64)
	for i := range rows {
		rows[i][2] = 7                          // constant
		rows[i][3] = math.Abs(rows[i][3])       // minimum 0
		rows[i][4] = 3 + float64(rng.IntN(100)) // dense, minimum far from 0
	}
	m := matrixOf(t, rows)
	s, err := FitMinMax(m)
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Apply(m.WithBias(1))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range scaleDense(rows) {
		wantBits(t, "row", denseOf(out)[i], append(want, 1))
	}
}

func TestFitMinMaxSparse(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	rows := randomRows(rng, 400, 10, 0.1, rng.NormFloat64)
	m := matrixOf(t, rows)
	s, err := FitMinMax(m)
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Apply(m)
	if err != nil {
		t.Fatal(err)
	}
	if out.NNZ() != m.NNZ() {
		t.Errorf("%d entries became %d", m.NNZ(), out.NNZ())
	}
	got := denseOf(out)
	for i, want := range scaleDense(rows) {
		for j := range want {
			if shift := want[j] - got[i][j]; math.Abs(shift-(scaleDense(rows)[0][j]-got[0][j])) > 1e-15 {
				t.Fatalf("row %d, column %d differs from svm-scale by %v, not by a constant", i, j, shift)
			}
		}
	}
}

// Column j is stored in j of the rows: one zero is enough to belong to the range, and
// half of the rows are enough for a shift.
func TestFitMinMaxCountsZeros(t *testing.T) {
	for n := 1; n <= 6; n++ {
		rows := make([][]float64, n)
		for i := range rows {
			rows[i] = make([]float64, n+1)
			for j := i + 1; j <= n; j++ {
				rows[i][j] = -3 - float64(i)
			}
		}
		s, err := FitMinMax(matrixOf(t, rows))
		if err != nil {
			t.Fatal(err)
		}
		for j := 1; j <= n; j++ {
			width, shift := 3+float64(j-1), 0.0 // from 0 down to the last value
			if j == n {
				width -= 3
			}
			if 2*j >= n {
				shift = -3 - float64(j-1)
			}
			if s.Width[j] != width || s.Shift[j] != shift {
				t.Errorf("%d of %d rows: width %v and shift %v, want %v and %v", j, n, s.Width[j], s.Shift[j], width, shift)
			}
		}
	}
}

func TestScalerOnTestData(t *testing.T) {
	train := matrixOf(t, [][]float64{{2, 1, 0}, {4, 0, 0}, {6, 0, 5}})
	fitted, err := FitMinMax(train)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(fitted)
	if err != nil {
		t.Fatal(err)
	}
	s := new(Scaler)
	if err := json.Unmarshal(text, s); err != nil {
		t.Fatal(err)
	}
	test := matrixOf(t, [][]float64{{0, 3, 0}, {10, 0, 10}})
	out, err := s.Apply(test)
	if err != nil {
		t.Fatal(err)
	}
	wantBits(t, "row 0", denseOf(out)[0], []float64{-0.5, 3, 0})
	wantBits(t, "row 1", denseOf(out)[1], []float64{2, 0, 2})
}

func TestScalerRefuses(t *testing.T) {
	m := matrixOf(t, [][]float64{{1, 2}})
	for _, s := range []*Scaler{
		{Shift: []float64{0}, Width: []float64{1}},
		{Shift: []float64{0}, Width: []float64{1, 1}},
		{Shift: []float64{0, 0}, Width: []float64{1, math.NaN()}},
		{Shift: []float64{0, 0}, Width: []float64{1, -1}},
		{Shift: []float64{0, math.Inf(1)}, Width: []float64{1, 1}},
		{Shift: []float64{0, 0}, Width: []float64{5e-324, 1}},
	} {
		if _, err := s.Apply(m); err == nil {
			t.Errorf("%+v was accepted", s)
		}
	}
	if _, err := FitMinMax(matrixOf(t, [][]float64{{1.7e308}, {-1.7e308}})); err == nil {
		t.Error("an infinite width was accepted")
	}
	if _, err := FitMinMax(matrixOf(t, nil)); err != nil {
		t.Error(err)
	}
}

func TestFitMinMaxKeepsOneHot(t *testing.T) {
	x := generate(t, "imbalanced:n=3000").X
	s, err := FitMinMax(x)
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.Apply(x)
	if err != nil {
		t.Fatal(err)
	}
	if matrix.Stored(out).Layout != rows.I16Ones {
		t.Errorf("layout %d", matrix.Stored(out).Layout)
	}
}
