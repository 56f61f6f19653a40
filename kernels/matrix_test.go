package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/kernels"
)

func TestMatricesAgainstFormulas(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, shape := range [][3]int{{1, 1, 1}, {3, 7, 5}, {4, 300, 33}, {0, 2, 2}} {
		n, inner, width := shape[0], shape[1], shape[2]
		draw := func(n int) []float64 {
			v := make([]float64, n)
			for i := range v {
				v[i] = random.NormFloat64()
			}
			return v
		}
		c, a, w := draw(n*width), draw(n*inner), draw(inner*width)
		product, outer := append([]float64{}, c...), append([]float64{}, w...)
		for k := range n {
			for i := range inner {
				for j := range width {
					product[k*width+j] = math.FMA(a[k*inner+i], w[i*width+j], product[k*width+j])
					outer[i*width+j] = math.FMA(a[k*inner+i], c[k*width+j], outer[i*width+j])
				}
			}
		}
		got := append([]float64{}, w...)
		if err := kernels.AddMatTransMul(got, a, c, inner, width); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			if got[i] != outer[i] {
				t.Fatalf("%v: AddMatTransMul gives %v, not %v", shape, got[i], outer[i])
			}
		}
		if err := kernels.AddMatMul(c, a, w, inner, width); err != nil {
			t.Fatal(err)
		}
		for i := range c {
			if c[i] != product[i] {
				t.Fatalf("%v: AddMatMul gives %v, not %v", shape, c[i], product[i])
			}
		}
	}
}

func TestMatricesRefuse(t *testing.T) {
	v := make([]float64, 24)
	a, b, c := v[:6], v[6:12], v[12:16]
	for name, err := range map[string]error{
		"width":   kernels.AddMatMul(c, a, b, 3, 0),
		"inner":   kernels.AddMatMul(c, a, b, 0, 2),
		"rows":    kernels.AddMatMul(c[:2], a, b, 3, 2),
		"matrix":  kernels.AddMatTransMul(b[:4], a, c, 3, 2),
		"overlap": kernels.AddMatTransMul(a, a, c, 3, 2),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if err := kernels.AddMatMul(c, a, b, 3, 2); err != nil {
		t.Error(err)
	}
	// What is only read may overlap: A A, and A'A.
	square := []float64{1, 2, 3, 4}
	for name, multiply := range map[string]func(dst []float64) error{
		"7 10 15 22":  func(dst []float64) error { return kernels.AddMatMul(dst, square, square, 2, 2) },
		"10 14 14 20": func(dst []float64) error { return kernels.AddMatTransMul(dst, square, square, 2, 2) },
	} {
		dst := make([]float64, 4)
		if err := multiply(dst); err != nil || fmt.Sprint(dst) != "["+name+"]" {
			t.Errorf("%v, not %s (%v)", dst, name, err)
		}
	}
	for name, err := range map[string]error{
		"dst and A": kernels.AddMatMul(square, square, a[:4], 2, 2),
		"dst and W": kernels.AddMatMul(square, a[:4], square, 2, 2),
		"W and C":   kernels.AddMatTransMul(square, a[:4], square, 2, 2),
	} {
		if err == nil {
			t.Errorf("overlap of %s: no error", name)
		}
	}
}
