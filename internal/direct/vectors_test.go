package direct

import (
	"math"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// TestVectors: elementwise operations equal plain loops, sums add the blocks in order, and a single
// block equals the kernels, for any number of workers.
func TestVectors(t *testing.T) {
	for _, n := range []int{0, 5, vectorBlock, 3*vectorBlock + 7} {
		plain := vectors(n, 8)
		x, y := plain[0], plain[1]
		dot, square, norm := 0.0, 0.0, 0.0
		for first := 0; first < n; first += vectorBlock {
			end := min(first+vectorBlock, n)
			dot += Dot(x[first:end], y[first:end])
			square += kernels.SquaredNorm(x[first:end])
		}
		ScaleAdd(plain[2], 0.3, x, -0.7, y)
		copy(plain[7], plain[2])
		for first := 0; first < n; first += vectorBlock {
			norm += kernels.SquaredNorm(plain[2][first:min(first+vectorBlock, n)])
		}
		Axpy(1.5, x, plain[3])
		Scale(plain[4], 0.1, x)
		Mul(plain[5], x, y)
		copy(plain[6], x)
		for workers := range 4 {
			pool := matrix.NewPool(workers + 1)
			got := vectors(n, 8)
			v := Vectors{Pool: pool}
			v.ScaleAdd(got[2], 0.3, x, -0.7, y)
			v.Axpy(1.5, x, got[3])
			v.Scale(got[4], 0.1, x)
			v.Mul(got[5], x, y)
			v.Copy(got[6], x)
			if a, b, c := v.Dot(x, y), v.SquaredNorm(x), v.Norm(x); a != dot || b != square || c != math.Sqrt(square) {
				t.Errorf("%d elements: sums %v and %v, not %v and %v", n, a, b, dot, square)
			}
			if a := v.ScaleAddNorm(got[7], 0.3, x, -0.7, y); a != norm {
				t.Errorf("%d elements: a squared norm of %v, not %v", n, a, norm)
			}
			pool.Close()
			for k := range plain {
				for i := range plain[k] {
					if got[k][i] != plain[k][i] {
						t.Fatalf("%d elements: vector %d, element %d is %v, not %v", n, k, i, got[k][i], plain[k][i])
					}
				}
			}
		}
	}
	long, short := make([]float64, 9), make([]float64, 8)
	var v Vectors
	for k, f := range []func(){
		func() { v.Dot(long, short) }, func() { v.Axpy(1, long, short) }, func() { v.Mul(short, long, long) },
		func() { v.ScaleAdd(short, 1, long, 1, long) }, func() { v.Copy(long, short) }, func() { v.Scale(short, 1, long) },
	} {
		if !panics(f) {
			t.Errorf("case %d took vectors of different lengths", k)
		}
	}
}

// TestSquaredNorms: the bits of one worker, and the count of one.
func TestSquaredNorms(t *testing.T) {
	shape, err := synthetic.ParseShape("dense:n=40000,d=3", 1)
	if err != nil {
		t.Fatal(err)
	}
	data, err := shape.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	pool := matrix.NewPool(3)
	defer pool.Close()
	x := data.X.WithBias(2)
	want := matrix.SquaredNorms(x)
	for i, got := range (Matrix{Matrix: x, Pool: pool}).SquaredNorms() {
		if got != want[i] {
			t.Fatalf("row %d: %v, not %v", i, got, want[i])
		}
	}
	if got, want := (Matrix{Matrix: x, Pool: pool}).GramCost(), matrix.GramCost(x); got != want || want == 0 {
		t.Errorf("%d multiplications for a Gram matrix, not %d", got, want)
	}
}
