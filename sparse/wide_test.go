package sparse

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

func TestWideProductsAgainstDense(t *testing.T) {
	onEveryPath(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(8, 9))
		for _, stored := range layoutMatrices(t, rng, 60, 150) {
			for _, bias := range []float64{0, 1.5} {
				for _, width := range []int{1, 3, 16, 37} {
					m := stored.WithBias(bias)
					rows := denseOf(m)
					list := []uint32{5, 0, 59, 5, 33}
					w, c := normals(rng, m.Cols()*width), normals(rng, len(list)*width)
					product, outer := append([]float64{}, c...), append([]float64{}, w...)
					for k, i := range list {
						for j, x := range rows[i] {
							for h := range width {
								product[k*width+h] += x * w[j*width+h]
								outer[j*width+h] += x * c[k*width+h]
							}
						}
					}
					got := append([]float64{}, c...)
					if err := matrix.AddMulMatrix(m, got, list, w, width); err != nil {
						t.Fatal(err)
					}
					near(t, "AddMulMatrix", got, product)
					for k, i := range list {
						one := append([]float64{}, c[k*width:(k+1)*width]...)
						if err := matrix.AddMulMatrixFrom(m, one, int(i), w, width); err != nil {
							t.Fatal(err)
						}
						wantBits(t, "AddMulMatrixFrom", one, got[k*width:(k+1)*width])
					}
					sum := append([]float64{}, w...)
					if err := matrix.AddOuter(m, sum, list, c, width); err != nil {
						t.Fatal(err)
					}
					near(t, "AddOuter", sum, outer)
					each := append([]float64{}, w...)
					for k := range list {
						if err := matrix.AddOuter(m, each, list[k:k+1], c[k*width:(k+1)*width], width); err != nil {
							t.Fatal(err)
						}
					}
					wantBits(t, "AddOuter of one row after the other", each, sum)
				}
			}
		}
	})
}

func TestWideProductsSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, m := range layoutMatrices(t, rng, 60, 150) {
		const width = 21
		list := []uint32{1, 2, 58}
		w, c := normals(rng, m.Cols()*width), normals(rng, len(list)*width)
		var product, outer []float64
		onEveryPath(t, func(t *testing.T) {
			p, o := append([]float64{}, c...), append([]float64{}, w...)
			if matrix.AddMulMatrix(m, p, list, w, width) != nil || matrix.AddOuter(m, o, list, c, width) != nil {
				t.Fatal("refused")
			}
			if product == nil {
				product, outer = p, o
			}
			wantBits(t, "AddMulMatrix", p, product)
			wantBits(t, "AddOuter", o, outer)
		})
	}
}

func TestWideProductsRefuse(t *testing.T) {
	m := layoutMatrices(t, rand.New(rand.NewPCG(3, 4)), 10, 20)[0]
	w, c := make([]float64, 40), make([]float64, 4)
	for name, err := range map[string]error{
		"row":    matrix.AddMulMatrix(m, c, []uint32{1, 10}, w, 2),
		"width":  matrix.AddMulMatrix(m, nil, nil, nil, 0),
		"dst":    matrix.AddMulMatrix(m, c[:3], []uint32{1, 2}, w, 2),
		"matrix": matrix.AddOuter(m, w[:39], []uint32{1, 2}, c, 2),
		"first":  matrix.AddMulMatrixFrom(m, c, 9, w, 2),
		"below":  matrix.AddMulMatrixFrom(m, c, -1, w, 2),
		"part":   matrix.AddMulMatrixFrom(m, c[:3], 0, w, 2),
		// Products of a length and the width that are 0 in 64 bits, or in 32.
		"much":      matrix.AddMulMatrix(m, nil, []uint32{1, 2, 3, 4}, nil, math.MaxInt/2+1),
		"much from": matrix.AddMulMatrixFrom(m, nil, 0, nil, math.MaxInt/2+1),
		"outer":     matrix.AddOuter(m, nil, []uint32{1, 2, 3, 4}, nil, math.MaxInt/2+1),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func BenchmarkWide(b *testing.B) {
	m := generate(b, "imbalanced:n=2000").X
	const width = 32
	list := make([]uint32, 320)
	for k := range list {
		list[k] = uint32(k * 6)
	}
	w, c := make([]float64, m.Cols()*width), make([]float64, len(list)*width)
	entries := 0
	for _, i := range list {
		entries += int(matrix.Stored(m).End[i] - matrix.Stored(m).Begin[i])
	}
	for name, run := range map[string]func() error{
		"AddMulMatrix": func() error { return matrix.AddMulMatrix(m, c, list, w, width) },
		"AddOuter":     func() error { return matrix.AddOuter(m, w, list, c, width) },
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				if err := run(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*entries), "ns/entry")
		})
	}
}
