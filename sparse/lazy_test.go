package sparse

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/allocations"
)

// lazyMatrices are small matrices whose rows share columns, with and without a
// bias column, fetched ahead and not.
func lazyMatrices(t *testing.T) []*Matrix {
	onehot := generate(t, "onehot:n=200,d=40").X
	text := generate(t, "text:n=150,d=300").X
	wide := generate(t, "wide:n=100,d=20000").X
	return []*Matrix{onehot, onehot.WithBias(1), text, text.WithBias(0.5), wide, wide.WithBias(-2)}
}

// denseRow is row i as a dense vector.
func denseRow(m *Matrix, i uint32) []float64 {
	x := make([]float64, m.Cols())
	for j, v := range m.Row(int(i)) {
		x[j] = v
	}
	return x
}

func dot(a, b []float64) float64 {
	s := 0.0
	for j := range a {
		s = math.FMA(a[j], b[j], s)
	}
	return s
}

func wantClose(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-11*(1+math.Abs(want)) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

// TestLazyAgainstDense runs iterations as AI-SARAH does them, on records and on
// dense vectors.
func TestLazyAgainstDense(t *testing.T) {
	onEveryPath(t, func(t *testing.T) {
		for _, m := range lazyMatrices(t) {
			random := rand.New(rand.NewPCG(1, 1))
			d, l := m.Cols(), matrix.NewLazy(m)
			w, u := make([]float64, d), make([]float64, d)
			for j := range w {
				w[j], u[j] = random.NormFloat64(), random.NormFloat64()
			}
			if err := l.Set(w, u); err != nil {
				t.Fatal(err)
			}
			square, clock := dot(u, u), 0.0
			const n = 17
			outW, outU, work := make([]float64, n), make([]float64, n), make([]float64, n)
			rows, c := make([]uint32, n), make([]float64, n)
			for iteration := range 12 {
				for k := range rows {
					rows[k], c[k] = uint32(random.IntN(m.Rows())), random.NormFloat64()/100
				}
				if err := l.Dot(outW, outU, rows, clock); err != nil {
					t.Fatal(err)
				}
				sum := make([]float64, d)
				for k, i := range rows {
					x := denseRow(m, i)
					wantClose(t, "x'w", outW[k], dot(x, w))
					wantClose(t, "x'u", outU[k], dot(x, u))
					for j, v := range x {
						sum[j] = math.FMA(c[k], v, sum[j])
					}
				}
				curvature, err := l.AddS(rows, c, work)
				if err != nil {
					t.Fatal(err)
				}
				wantClose(t, "AddS", curvature, dot(sum, sum))
				clock += 0.125
				change, err := l.MoveAddU(rows, c, work, clock)
				if err != nil {
					t.Fatal(err)
				}
				for j := range w {
					w[j] = math.FMA(-0.125, u[j], w[j])
					u[j] += sum[j]
				}
				square += change
				wantClose(t, "MoveAddU", square, dot(u, u))
				if err := l.AddW(rows, c); err != nil {
					t.Fatal(err)
				}
				change, err = l.AddU(rows, c, work)
				if err != nil {
					t.Fatal(err)
				}
				for j := range w {
					w[j] += sum[j]
					u[j] += sum[j]
				}
				square += change
				wantClose(t, "AddU", square, dot(u, u))
				if iteration == 7 {
					square, clock = l.Rescale(clock, 0.5), 0
					for j := range u {
						u[j] *= 0.5
					}
					wantClose(t, "Rescale", square, dot(u, u))
				}
			}
			got := make([]float64, d)
			if err := l.Weights(got, clock); err != nil {
				t.Fatal(err)
			}
			l.CatchUp(clock)
			for j, r := range l.Rec {
				wantClose(t, "weight", got[j], w[j])
				wantClose(t, "U", r.U, u[j])
				if r.W != got[j] || r.Last != 0 || r.S != 0 {
					t.Fatalf("record %d after CatchUp: %+v, weight %v", j, r, got[j])
				}
			}
		}
	})
}

// TestLazyDotMap steps every feature densely, and lazily where rows touch it.
func TestLazyDotMap(t *testing.T) {
	onEveryPath(t, func(t *testing.T) {
		for _, m := range lazyMatrices(t) {
			random := rand.New(rand.NewPCG(2, 2))
			d, l := m.Cols(), matrix.NewLazy(m)
			w, u := make([]float64, d), make([]float64, d)
			for j := range w {
				w[j], u[j] = random.NormFloat64(), random.NormFloat64()
			}
			l.Set(w, u)
			table := [][4]float64{{1, 0, 0, 1}}
			for k := range 9 {
				m := table[k]
				table = append(table, [4]float64{0.9*m[0] - 0.1*m[2], 0.9*m[1] - 0.1*m[3], 0.2*m[0] + 0.8*m[2], 0.2*m[1] + 0.8*m[3]})
			}
			rows, out := make([]uint32, 5), make([]float64, 5)
			for step := range table {
				for k := range rows {
					rows[k] = uint32(random.IntN(m.Rows()))
				}
				if err := l.DotMap(out, rows, step, table); err != nil {
					t.Fatal(err)
				}
				for k, i := range rows {
					wantClose(t, "x'w", out[k], dot(denseRow(m, i), w))
				}
				for j := range w {
					w[j], u[j] = 0.9*w[j]-0.1*u[j], 0.2*w[j]+0.8*u[j]
				}
			}
		}
	})
}

// TestLazySameBits compares whole runs between the paths.
func TestLazySameBits(t *testing.T) {
	for _, m := range lazyMatrices(t) {
		var want []matrix.Record
		onEveryPath(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(3, 3))
			l := matrix.NewLazy(m)
			rows, c, a, b := make([]uint32, 64), make([]float64, 64), make([]float64, 64), make([]float64, 64)
			for clock := range 20 {
				for k := range rows {
					rows[k] = uint32(random.IntN(m.Rows()))
				}
				l.Dot(a, b, rows, float64(clock))
				for k := range c {
					c[k] = (a[k] - 1) / 64
				}
				s, _ := l.AddS(rows, c, b)
				for k := range c {
					c[k] /= 1 + s
				}
				l.MoveAddU(rows, c, b, float64(clock)+0.5)
			}
			if want == nil {
				want = slices.Clone(l.Rec)
			}
			for j, r := range l.Rec {
				if r != want[j] {
					t.Fatalf("record %d: %v, the first path has %v", j, r, want[j])
				}
			}
		})
	}
}

func TestLazyRefuses(t *testing.T) {
	m := generate(t, "onehot:n=20,d=40").X
	l := matrix.NewLazy(m)
	three, two, far := make([]float64, 3), make([]float64, 2), []uint32{0, 20, 1}
	rows, table := []uint32{0, 1, 2}, make([][4]float64, 4)
	short := matrix.NewLazy(m)
	short.Rec = short.Rec[:10]
	failures := map[string]error{
		"Dot, short result":      l.Dot(three, two, rows, 0),
		"Dot, row out of range":  l.Dot(three, three, far, 0),
		"Dot, missing records":   short.Dot(three, three, rows, 0),
		"AddW, short":            l.AddW(rows, two),
		"AddW, row out of range": l.AddW(far, three),
		"DotMap, step":           l.DotMap(three, rows, 4, table),
		"DotMap, negative step":  l.DotMap(three, rows, -1, table),
		"DotMap, empty table":    l.DotMap(three, rows, 0, nil),
		"Set, short":             l.Set(three, nil),
		"Weights, short":         l.Weights(three, 0),
	}
	_, failures["AddS, short work"] = l.AddS(rows, three, two)
	_, failures["AddU, short work"] = l.AddU(rows, three, two)
	_, failures["MoveAddU, row out of range"] = l.MoveAddU(far, three, three, 0)
	for what, err := range failures {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
}

// TestLazyHostileRecords shows that no content of the records is a panic.
func TestLazyHostileRecords(t *testing.T) {
	values := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, math.MaxInt64, math.MinInt64, -1}
	onEveryPath(t, func(t *testing.T) {
		for _, m := range lazyMatrices(t) {
			l, table := matrix.NewLazy(m), make([][4]float64, 3)
			rows, out := []uint32{0, 1, 2, 3}, make([]float64, 4)
			for _, v := range values {
				for j := range l.Rec {
					l.Rec[j] = matrix.Record{W: v, U: v, Last: v, S: v}
				}
				if err := l.DotMap(out, rows, 2, table); err != nil {
					t.Fatal(err)
				}
				l.Dot(out, out, rows, v)
				l.AddS(rows, out, out)
				l.MoveAddU(rows, out, out, v)
			}
		}
	})
}

func TestLazyAllocatesNothing(t *testing.T) {
	for _, m := range lazyMatrices(t) {
		l := matrix.NewLazy(m)
		rows, a, b, table := make([]uint32, 64), make([]float64, 64), make([]float64, 64), make([][4]float64, 9)
		if count := allocations.Count(10, func() {
			l.Dot(a, b, rows, 1)
			l.AddS(rows, a, b)
			l.AddU(rows, a, b)
			l.MoveAddU(rows, a, b, 2)
			l.AddW(rows, a)
			l.DotMap(a, rows, 8, table)
			l.Rescale(3, 0.5)
		}); count != 0 {
			t.Errorf("%v allocations an iteration", count)
		}
	}
}
