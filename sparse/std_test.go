package sparse

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// exactStd is the standard deviation by its definition, in 400 bits: first the mean, then the
// mean of the squared distances from it.
func exactStd(column []float64) float64 {
	number := func(x float64) *big.Float { return new(big.Float).SetPrec(400).SetFloat64(x) }
	n := number(float64(len(column)))
	mean, sum := number(0), number(0)
	for _, x := range column {
		mean.Add(mean, number(x))
	}
	mean.Quo(mean, n)
	for _, x := range column {
		distance := number(x)
		distance.Sub(distance, mean)
		sum.Add(sum, distance.Mul(distance, distance))
	}
	deviation, _ := sum.Sqrt(sum.Quo(sum, n)).Float64()
	return deviation
}

// stdRows has a column of every kind: sparse, dense, with big offsets, all but constant, of
// extreme sizes, constant and empty.
func stdRows(n int) [][]float64 {
	rng := rand.New(rand.NewPCG(7, uint64(n)))
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = []float64{
			rng.NormFloat64(), 1e9 + rng.NormFloat64(), -1e15 + float64(rng.IntN(3)), 0, 0, 1, 0.1, rng.NormFloat64() * 1e-200,
			rng.NormFloat64() * 1e300, 5e-324 * float64(rng.IntN(4000)), 0, 3, float64(rng.IntN(2)), float64(rng.IntN(2)) * 0.1, 0,
		}
		if rng.IntN(10) == 0 {
			rows[i][3] = rng.ExpFloat64()
		}
		if rng.IntN(3) == 0 {
			rows[i][4] = 1e6 + rng.NormFloat64()
		}
	}
	rows[0][14] = 5e-324
	rows[n/2][10] = -17
	rows[n/3][11] = 3 + 1e-9
	return rows
}

func TestFitStd(t *testing.T) {
	for _, n := range []int{2, 3, 10, 255, 1000, 20000} {
		rows := stdRows(n)
		m := matrixOf(t, rows)
		s, err := FitStd(m.WithBias(1))
		if err != nil {
			t.Fatal(err)
		}
		for j, got := range s.Width {
			column := make([]float64, n)
			for i := range rows {
				column[i] = rows[i][j]
			}
			want := exactStd(column)
			if slices.Min(column) == slices.Max(column) {
				want = 1
			}
			// Rounding entries moves a deviation by a 2^-52nd of the range at most.
			bound := 4e-16*want + (slices.Max(column)-slices.Min(column))*0x1p-52 + 5e-324
			if math.Abs(got-want) > bound || got <= 0 || s.Shift[j] != 0 {
				t.Errorf("%d rows, column %d: %v and shift %v, want %v and 0", n, j, got, s.Shift[j], want)
			}
		}
		out, err := s.Apply(m.WithBias(1))
		if err != nil {
			t.Fatal(err)
		}
		if out.NNZ() != m.NNZ() || out.Bias() != 1 {
			t.Errorf("%d entries became %d, the bias 1 became %v", m.NNZ(), out.NNZ(), out.Bias())
		}
		for i, row := range denseOf(out.WithBias(0)) {
			for j, x := range row {
				if x != rows[i][j]/s.Width[j] {
					t.Fatalf("row %d, column %d: %v, not %v/%v", i, j, x, rows[i][j], s.Width[j])
				}
			}
		}
	}
}

// TestFitStdAnyOrder: permuted rows, rows in a file, and rows in parts have the same bits.
func TestFitStdAnyOrder(t *testing.T) {
	rows := stdRows(3000)
	m := matrixOf(t, rows)
	want, err := FitStd(m)
	if err != nil {
		t.Fatal(err)
	}
	rand.New(rand.NewPCG(1, 1)).Shuffle(len(rows), func(i, k int) { rows[i], rows[k] = rows[k], rows[i] })
	got, err := FitStd(matrixOf(t, rows))
	if err != nil {
		t.Fatal(err)
	}
	wantBits(t, "permuted", got.Width, want.Width)

	sets := sampleSet(t)
	sets["kinds"] = &Data{X: m, Y: make([]float64, m.Rows())}
	for name, data := range sets {
		s := streamOf(t, data)
		want, err := FitStd(data.X)
		if err != nil {
			t.Fatal(err)
		}
		if got, err = s.WithBias(1).NormalizeUnit().FitStd(context.Background()); err != nil {
			t.Fatal(err)
		}
		wantBits(t, name+" in a file", got.Width, want.Width)
		n := s.Rows()
		f, err := s.Ranges(context.Background(), 0, n)
		if err != nil {
			t.Fatal(err)
		}
		total := make([]float64, 8*s.Cols())
		for _, cut := range [][2]int{{0, n / 3}, {n / 3, n / 3}, {n / 3, n}} {
			digits, err := s.Deviations(context.Background(), f, cut[0], cut[1])
			if err != nil || len(digits) != len(total) {
				t.Fatalf("%d numbers, error %v", len(digits), err)
			}
			for k, v := range digits {
				if v != math.Trunc(v) || v < 0 || v >= 1<<32 {
					t.Fatalf("%s: the number %v", name, v)
				}
				total[k] += v
			}
		}
		if got, err = f.StdScaler(total); err != nil {
			t.Fatal(err)
		}
		wantBits(t, name+" in parts", got.Width, want.Width)
	}
}

// TestStdSumsAreWide: sums that need all of 128 bits, such as sums over 2^32 rows.
func TestStdSumsAreWide(t *testing.T) {
	for _, power := range []int{24, 25, 31, 32, 40} {
		rows := 1<<power - power%2
		if rows <= 0 {
			continue // on 32 bits
		}
		f := &Ranges{Low: []float64{-3}, High: []float64{5}, Count: []float64{float64(rows)}, Rows: rows}
		v, err := newDeviations(f)
		if err != nil {
			t.Fatal(err)
		}
		c := &v.columns[0]
		least, most := c.whole(-3, v.unit), c.whole(5, v.unit)
		if least != 0 || float64(most) != v.unit {
			t.Fatalf("entries are %d to %d of %v", least, most, v.unit)
		}
		for _, high := range []uint64{uint64(rows / 2), uint64(rows - 1)} {
			c.sum, c.squares = uint128{lo: most}.times(high), uint128{lo: most}.times(most).times(high)
			s, err := v.scaler()
			if err != nil {
				t.Fatal(err)
			}
			low := uint64(rows) - high
			if want := 8 * math.Sqrt(float64(high)*float64(low)) / float64(rows); math.Abs(s.Width[0]-want) > 1e-15*want {
				t.Errorf("%d of %d rows: %v, want %v", high, rows, s.Width[0], want)
			}
		}
	}
}

func TestFitStdRefuses(t *testing.T) {
	if _, err := FitStd(nil); err == nil {
		t.Error("no matrix was fitted")
	}
	if _, err := FitStd(matrixOf(t, [][]float64{{1.7e308}, {-1.7e308}})); err == nil {
		t.Error("an infinite range was accepted")
	}
	if s, err := FitStd(matrixOf(t, nil)); err != nil || len(s.Width) != 0 {
		t.Error(s, err)
	}
	s := streamOf(t, &Data{X: matrixOf(t, [][]float64{{1, 2}, {3, 4}}), Y: []float64{1, -1}})
	f, err := s.Ranges(context.Background(), 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	for _, cut := range [][2]int{{-1, 0}, {1, 0}, {0, 3}} {
		if _, err := s.Deviations(context.Background(), f, cut[0], cut[1]); err == nil {
			t.Errorf("there are deviations of the rows %v of 2", cut)
		}
	}
	part, err := s.Ranges(context.Background(), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []*Ranges{nil, {}, part, {Low: []float64{1}, Rows: -1}} {
		if _, err := s.Deviations(context.Background(), other, 0, 2); err == nil {
			t.Errorf("the ranges %v were accepted", other)
		}
	}
	good, err := s.Deviations(context.Background(), f, 0, 2)
	if err != nil {
		t.Fatal(err)
	}
	for name, digits := range map[string][]float64{
		"none": nil, "one short": good[1:], "NaN": append([]float64{math.NaN()}, good[1:]...), "negative": append([]float64{-1}, good[1:]...),
		"too large": slices.Repeat([]float64{1 << 32}, len(good)),
	} {
		if _, err := f.StdScaler(digits); err == nil {
			t.Errorf("%s: the numbers were accepted", name)
		}
	}
	empty := &Ranges{Low: []float64{-1}, High: []float64{1}, Count: []float64{0}}
	if _, err := empty.StdScaler(make([]float64, 8)); err == nil {
		t.Error("the deviation of no rows")
	}
}
