package kernels_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
)

// TestShortVectors compares what is done where the caller is, and what is a little longer,
// with the portable kernels, by bits: numbers that a sum of a few shows to be added in
// another order, fused, or begun with another zero.
func TestShortVectors(t *testing.T) {
	numbers := []float64{0.1, math.Copysign(0, -1), 0, -3, 5e-324, -5e-324, 1e-200, -1e-200, 1e308, -1e308, 0x1p-53, 1 + 0x1p-52, math.Inf(1), math.Inf(-1), math.NaN()}
	g, vectors := &asm.Generic.Dense, &asm.Generic.Rows.Vector
	e := &asm.Generic.Element
	negative := slices.Repeat([]float64{numbers[1]}, 40)
	for _, path := range dispatch.Paths() {
		if !path.Available {
			continue
		}
		restore, err := dispatch.Force(path.Name)
		if err != nil {
			t.Fatal(err)
		}
		for n := range negative {
			if dot, _ := kernels.Dot(negative[:n], slices.Repeat([]float64{2}, n)); math.Signbit(dot) || math.Signbit(kernels.Sum(negative[:n])) {
				t.Errorf("%s: a sum of %d zeros is -0", path.Name, n)
			}
		}
		for n := 1; n <= 4; n++ {
			for turn := range len(numbers) * len(numbers) {
				fill := func(step int) []float64 {
					v := make([]float64, n)
					for i := range v {
						v[i] = numbers[(turn/(1+step*(len(numbers)-1))+i*(3+step))%len(numbers)]
					}
					return v
				}
				x, y := fill(0), fill(1)
				idx, narrow := make([]uint32, n), make([]uint16, n)
				for i := range idx {
					idx[i] = uint32((turn + 2*i) % n)
					narrow[i] = uint16(idx[i])
				}
				same := func(name string, got, want []float64, err error) {
					t.Helper()
					for i, v := range want {
						if g := got[i]; math.Float64bits(g) != math.Float64bits(v) && (g == g || v == v) {
							t.Fatalf("%s: %s of %v and %v: %v, want %v", path.Name, name, x, y, got, want)
						}
					}
					if err != nil {
						t.Fatalf("%s: %s of %v and %v: %v", path.Name, name, x, y, err)
					}
				}
				dot, err := kernels.Dot(x, y)
				same("Dot", []float64{dot}, []float64{g.Dot(x, y)}, err)
				same("Sum", []float64{kernels.Sum(x)}, []float64{g.Sum(x)}, nil)
				got, want := slices.Clone(y), slices.Clone(y)
				g.Axpy(0.1, x, want)
				same("Axpy", got, want, kernels.Axpy(0.1, x, got))
				g.ScaleAdd(want, 0.1, x, 0.7, y)
				same("ScaleAdd", got, want, kernels.ScaleAdd(got, 0.1, x, 0.7, y))
				g.Mul(want, x, y)
				same("Mul", got, want, kernels.Mul(got, x, y))
				for _, loss := range []kernels.Loss{kernels.Logistic, kernels.Squared, kernels.SquaredHinge, kernels.Huber} {
					for _, label := range [][]float64{{1, -1, -1, 1}, {-1, math.Nextafter(10, 0), 0.5, -1}, {math.Nextafter(10, 0), 1, 1, 1}, y} {
						labels := label[:n]
						coef, wanted := make([]float64, n), make([]float64, n)
						sum := e.Grad[loss](wanted, x, labels, nil, 0.7)
						got, err := kernels.LossGradient(loss, coef, x, labels, nil, 0.7)
						same("LossGradient, "+loss.String(), append(coef, got), append(wanted, sum), err)
						got, err = kernels.LossSum(loss, x, labels, nil, 0.7)
						same("LossSum, "+loss.String(), []float64{got}, []float64{sum}, err)
						place := slices.Clone(x)
						_, err = kernels.LossGradient(loss, place, place, labels, nil, 0.7)
						same("LossGradient in place, "+loss.String(), place, wanted, err)
					}
				}
				ones, _ := vectors.Dot.I32Ones(idx, make([]struct{}, n), x)
				wide, err := kernels.SparseDotOnes(idx, x)
				same("SparseDotOnes", []float64{wide}, []float64{ones}, err)
				small, err := kernels.SparseDotOnes(narrow, x)
				same("SparseDotOnes, uint16", []float64{small}, []float64{ones}, err)
			}
		}
		restore()
	}
}

// TestShortLossesOfOtherLabels: one of two elements has a label whose product is rounded. The sum
// is the portable sum. Margins are ordinary, so that a missing fusion shows.
func TestShortLossesOfOtherLabels(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for turn := range 400 {
		z, y := []float64{random.Float64(), random.Float64()}, []float64{1, -1}
		y[turn%2] = 0.3 + random.Float64()
		coef, wanted := make([]float64, 2), make([]float64, 2)
		want := asm.Generic.Element.Grad[kernels.SquaredHinge](wanted, z, y, nil, 0)
		sum, err := kernels.LossSum(kernels.SquaredHinge, z, y, nil, 0)
		if err != nil || sum != want {
			t.Fatalf("LossSum of %v and %v: %v, %v, want %v", z, y, sum, err, want)
		}
		if sum, err = kernels.LossGradient(kernels.SquaredHinge, coef, z, y, nil, 0); err != nil || sum != want || !slices.Equal(coef, wanted) {
			t.Fatalf("LossGradient of %v and %v: %v, %v, %v, want %v, %v", z, y, sum, coef, err, want, wanted)
		}
	}
}

// TestShortVectorsRefused: what is refused of one element and of two, and that nothing is written
// then. Vectors have capacity 5, so that a missing comparison corrupts no memory.
func TestShortVectorsRefused(t *testing.T) {
	for n := 1; n <= 4; n++ {
		for _, other := range []int{0, n - 1, n + 1} {
			x, y, dst := make([]float64, n, 5), make([]float64, other, 5), []float64{4, 4, 4, 4, 4}[:n]
			_, dot := kernels.Dot(x, y)
			idx := []uint32{0, 0, 0, 0}[:n]
			idx[n-1] = uint32(n)
			_, ones := kernels.SparseDotOnes(idx, x)
			_, gradient := kernels.LossGradient(kernels.Squared, dst, y, x, nil, 0)
			_, gradientOf := kernels.LossGradient(kernels.SquaredHinge, dst, x, y, nil, 0)
			_, coef := kernels.LossGradient(kernels.Squared, y, dst, dst, nil, 0)
			_, weight := kernels.LossGradient(kernels.Squared, dst, dst, dst, y, 0)
			_, sumOf := kernels.LossSum(kernels.Squared, x, y, nil, 0)
			_, sumWeight := kernels.LossSum(kernels.SquaredHinge, x, x, y, 0)
			for _, delta := range []float64{0, -1, math.NaN(), math.Inf(1)} {
				_, gradient := kernels.LossGradient(kernels.Huber, dst, x, x, nil, delta)
				_, sum := kernels.LossSum(kernels.Huber, x, x, nil, delta)
				if gradient == nil || sum == nil {
					t.Errorf("Huber of %d with delta %v: %v, %v", n, delta, gradient, sum)
				}
			}
			for name, err := range map[string]error{
				"Dot": dot, "SparseDotOnes": ones,
				"LossGradient of another z": gradient, "LossGradient of another y": gradientOf, "LossGradient with another coef": coef,
				"LossGradient with other weights": weight, "LossSum of another y": sumOf, "LossSum with other weights": sumWeight,
				"Axpy of less": kernels.Axpy(1, y, dst), "ScaleAdd of another x": kernels.ScaleAdd(dst, 1, y, 1, x),
				"ScaleAdd of another y": kernels.ScaleAdd(dst, 1, x, 1, y), "Mul of another x": kernels.Mul(dst, y, x), "Mul of another y": kernels.Mul(dst, x, y),
				"ScaleAdd of more": kernels.ScaleAdd(y, 1, dst, 1, dst), "Mul of more": kernels.Mul(y, dst, dst),
			} {
				if err == nil {
					t.Errorf("%s of %d and %d: no error", name, n, other)
				}
			}
			if slices.Max(dst) != 4 || slices.Min(dst) != 4 {
				t.Fatalf("%d and %d: written: %v", n, other, dst)
			}
		}
	}
}

// TestShortVectorsOverlap: two elements that begin at the other one of the result.
func TestShortVectorsOverlap(t *testing.T) {
	before := []float64{1, -1, 1, 2, 3}
	for _, shift := range []int{-1, 1} {
		room, apart := slices.Clone(before), []float64{1, 1}
		dst, other := room[1:3], room[1+shift:3+shift]
		_, squared := kernels.LossGradient(kernels.Squared, dst, other, apart, nil, 0)
		_, hinge := kernels.LossGradient(kernels.SquaredHinge, dst, apart, other, nil, 0)
		for name, err := range map[string]error{
			"Axpy": kernels.Axpy(2, other, dst), "ScaleAdd, x": kernels.ScaleAdd(dst, 2, other, 3, apart), "ScaleAdd, y": kernels.ScaleAdd(dst, 2, apart, 3, other),
			"Mul, x": kernels.Mul(dst, other, apart), "Mul, y": kernels.Mul(dst, apart, other), "LossGradient, z": squared, "LossGradient, y": hinge,
		} {
			if err == nil {
				t.Errorf("%s shifted by %d: no error", name, shift)
			}
		}
		if !slices.Equal(room, before) {
			t.Errorf("shifted by %d: written: %v", shift, room)
		}
	}
}
