package direct

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/sparse"
)

// vectors returns vectors of n numbers, positive ones, as logarithms need them.
func vectors(n, count int) [][]float64 {
	random := rand.New(rand.NewPCG(uint64(n), 1))
	all := make([][]float64, count)
	for k := range all {
		all[k] = make([]float64, n)
		for i := range all[k] {
			all[k][i] = 0.1 + random.Float64()
		}
	}
	return all
}

// A door is a function of this package beside its checked original: what both leave in the vectors,
// and return, has the same bits.
type door struct {
	name            string
	direct, checked func(v [][]float64) []float64
}

func ok(err error) []float64 {
	if err != nil {
		return []float64{math.NaN()}
	}
	return nil
}

func one(x float64, err error) []float64 { return append([]float64{x}, ok(err)...) }

var doors = []door{
	{"Dot", func(v [][]float64) []float64 { return []float64{Dot(v[0], v[1])} },
		func(v [][]float64) []float64 { return one(kernels.Dot(v[0], v[1])) }},
	{"Norm", func(v [][]float64) []float64 { return []float64{Norm(v[0])} },
		func(v [][]float64) []float64 { return []float64{math.Sqrt(kernels.SquaredNorm(v[0]))} }},
	{"SquaredDistance", func(v [][]float64) []float64 { return []float64{SquaredDistance(v[0], v[1])} },
		func(v [][]float64) []float64 { return one(kernels.SquaredDistance(v[0], v[1])) }},
	{"Axpy", func(v [][]float64) []float64 { Axpy(0.3, v[0], v[1]); return nil },
		func(v [][]float64) []float64 { return ok(kernels.Axpy(0.3, v[0], v[1])) }},
	{"ScaleAdd", func(v [][]float64) []float64 { ScaleAdd(v[0], 0.3, v[1], -0.7, v[2]); return nil },
		func(v [][]float64) []float64 { return ok(kernels.ScaleAdd(v[0], 0.3, v[1], -0.7, v[2])) }},
	{"Scale", func(v [][]float64) []float64 { Scale(v[0], 0.3, v[1]); return nil },
		func(v [][]float64) []float64 { return ok(kernels.Scale(v[0], 0.3, v[1])) }},
	{"AddScalar", func(v [][]float64) []float64 { AddScalar(v[0], 0.3, v[1]); return nil },
		func(v [][]float64) []float64 { return ok(kernels.AddScalar(v[0], 0.3, v[1])) }},
	{"Mul", func(v [][]float64) []float64 { Mul(v[0], v[1], v[2]); return nil },
		func(v [][]float64) []float64 { return ok(kernels.Mul(v[0], v[1], v[2])) }},
	{"SoftThreshold", func(v [][]float64) []float64 { SoftThreshold(v[0], v[1], 0.5); return nil },
		func(v [][]float64) []float64 { return ok(kernels.SoftThreshold(v[0], v[1], 0.5)) }},
	{"Box", func(v [][]float64) []float64 { Box(v[0], v[1], 0.4, 0.6); return nil },
		func(v [][]float64) []float64 { return ok(kernels.Box(v[0], v[1], 0.4, 0.6)) }},
	{"Momentum", func(v [][]float64) []float64 { Momentum(v[0], v[1], v[2], 0.1, 0.9, 0.01); return nil },
		func(v [][]float64) []float64 { return ok(kernels.Momentum(v[0], v[1], v[2], 0.1, 0.9, 0.01)) }},
	{"Adam", func(v [][]float64) []float64 { Adam(v[0], v[1], v[2], v[3], adam, 0.5, 0.25); return nil },
		func(v [][]float64) []float64 { return ok(kernels.Adam(v[0], v[1], v[2], v[3], adam, 0.5, 0.25)) }},
	{"Exp", func(v [][]float64) []float64 { Exp(v[0], v[1]); return nil },
		func(v [][]float64) []float64 { return ok(kernels.Exp(v[0], v[1])) }},
	{"Log", func(v [][]float64) []float64 { Log(v[0], v[1]); return nil },
		func(v [][]float64) []float64 { return ok(kernels.Log(v[0], v[1])) }},
	{"Log1p", func(v [][]float64) []float64 { Log1p(v[0], v[1]); return nil },
		func(v [][]float64) []float64 { return ok(kernels.Log1p(v[0], v[1])) }},
	{"Sigmoid", func(v [][]float64) []float64 { Sigmoid(v[0], v[1]); return nil },
		func(v [][]float64) []float64 { return ok(kernels.Sigmoid(v[0], v[1])) }},
	{"Softplus", func(v [][]float64) []float64 { Softplus(v[0], v[1]); return nil },
		func(v [][]float64) []float64 { return ok(kernels.Softplus(v[0], v[1])) }},
}

var adam = kernels.AdamSettings{Rate: 0.1, Beta1: 0.9, Beta2: 0.99, Epsilon: 1e-8, Lambda: 0.01}

// TestDoors: the bits of the checked functions, and a panic, not memory that belongs to
// others, where a vector is too short or too long.
func TestDoors(t *testing.T) {
	for _, d := range doors {
		for _, n := range []int{0, 1, 7, 33, 100} {
			got, want := vectors(n, 5), vectors(n, 5)
			a, b := append([][]float64{d.direct(got)}, got...), append([][]float64{d.checked(want)}, want...)
			for k := range b {
				for i := range b[k] {
					if math.Float64bits(a[k][i]) != math.Float64bits(b[k][i]) {
						t.Fatalf("%s of %d elements: %v, not %v", d.name, n, a[k], b[k])
					}
				}
			}
		}
		read := 0 // vectors that it looks at
		for k := range 5 {
			for _, length := range []int{8, 10} {
				v := vectors(9, 5)
				v[k] = v[k][:min(length, 9):9]
				if length == 10 {
					v[k] = append(v[k], 1)
				}
				if panics(func() { d.direct(v) }) {
					read++
				}
			}
		}
		if want := map[string]int{
			"Norm": 0, "Dot": 4, "SquaredDistance": 4, "Axpy": 4, "Scale": 4, "AddScalar": 4, "SoftThreshold": 4, "Box": 4,
			"Exp": 4, "Log": 4, "Log1p": 4, "Sigmoid": 4, "Softplus": 4, "ScaleAdd": 6, "Mul": 6, "Momentum": 6, "LossSum": 6,
			"Adam": 8, "LossGradient": 8, "LossCurvature": 10,
		}[d.name]; read != want {
			t.Errorf("%s panics for %d wrong lengths of %d", d.name, read, want)
		}
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}

// TestMatrix: the products of package sparse, and a panic where they have an error.
func TestMatrix(t *testing.T) {
	m, err := sparse.NewCSR(2, []int64{0, 2, 3}, []uint32{0, 1, 1}, []float64{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	x := Matrix{Matrix: m}
	rows, w, c := []uint32{1, 0}, []float64{5, 7}, []float64{2, -1}
	lazy := NewLazy(m)
	for name, f := range map[string]struct {
		want []float64
		do   func(dst []float64)
	}{
		"MulVec":     {[]float64{19, 21}, func(dst []float64) { x.MulVec(dst, w) }},
		"AddTrans":   {[]float64{2, 1}, func(dst []float64) { x.AddTrans(dst, c) }},
		"AddSquares": {[]float64{2, -1}, func(dst []float64) { x.AddSquares(dst, c) }},
		"MulRows":    {[]float64{21, 19}, func(dst []float64) { x.MulRows(dst, rows, w) }},
		"AddRows":    {[]float64{-1, 4}, func(dst []float64) { x.AddRows(dst, rows, c) }},
		"Set, Weights": {[]float64{4, 6}, func(dst []float64) {
			lazy.Set(w, []float64{1, 1})
			lazy.Weights(dst, 1)
		}},
		"Dot": {[]float64{18, 16}, func(dst []float64) {
			lazy.Set(w, []float64{1, 1})
			lazy.Dot(dst, make([]float64, 2), rows, 1)
		}},
		"DotMap": {[]float64{42, 38}, func(dst []float64) {
			lazy.Set(w, nil)
			lazy.DotMap(dst, rows, 1, [][4]float64{{1, 0, 0, 1}, {2, 0, 0, 1}})
		}},
		"AddW": {[]float64{4, 11}, func(dst []float64) {
			lazy.Set(w, nil)
			lazy.AddW(rows, c)
			lazy.Weights(dst, 0)
		}},
		"AddU, AddS": {[]float64{17, 17}, func(dst []float64) {
			lazy.Set(w, nil)
			dst[0] = lazy.AddU(rows, c, make([]float64, 2))
			lazy.Set(w, nil)
			dst[1] = lazy.AddS(rows, c, make([]float64, len(dst)))
		}},
		"MoveAddU": {[]float64{4, 23}, func(dst []float64) {
			lazy.Set(w, []float64{1, 1})
			dst[1] = lazy.MoveAddU(rows, c, make([]float64, len(dst)), 1)
			dst[0] = lazy.Rec[0].W
		}},
		"AddMatMul":      {[]float64{15, 21}, func(dst []float64) { AddMatMul(dst, w, []float64{3}, 1, 1) }},
		"AddMatTransMul": {[]float64{10, 14}, func(dst []float64) { AddMatTransMul(dst, w, []float64{2}, 2, 1) }},
		"AddHessian":     {[]float64{38, 13}, func(dst []float64) { x.AddHessian(dst, make([]float64, 2), make([]float64, 2), w, c) }},
	} {
		got := make([]float64, 2)
		if f.do(got); got[0] != f.want[0] || got[1] != f.want[1] {
			t.Errorf("%s: %v, not %v", name, got, f.want)
		}
		if !panics(func() { f.do(make([]float64, 3)) }) {
			t.Errorf("%s takes a vector that does not fit", name)
		}
	}
	gram := make([]float64, 4)
	if x.Gram(gram, c); gram[0] != 2 || gram[2] != 4 || gram[3] != -1 {
		t.Errorf("Gram: %v", gram)
	}
}
