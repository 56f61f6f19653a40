package sparse

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// BenchmarkPacking times products with the rows of data sets of LANES_DATA in each packing.
func BenchmarkPacking(b *testing.B) {
	folder := os.Getenv("LANES_DATA")
	if folder == "" {
		b.Skip("LANES_DATA names no folder of data sets")
	}
	for _, file := range []string{"sector.scale.xz", "news20.multi.xz", "ijcnn1.xz"} {
		for _, storage := range []Storage{{packing: matrix.PackNever}, {packing: matrix.PackDecimals}, {packing: matrix.PackCodes}} {
			d, err := ReadFile(context.Background(), filepath.Join(folder, file), ReadOptions{Storage: storage})
			if err != nil {
				b.Fatal(err)
			}
			m := d.X
			w, c, c2 := make([]float64, m.Cols()), make([]float64, m.Rows()), make([]float64, m.Rows())
			list := make([]uint32, m.Rows())
			for k := range list {
				list[k] = uint32(k * 7919 % m.Rows())
			}
			lazy := matrix.NewLazy(m)
			p := matrix.NewPool(1)
			columns := matrix.NewByColumns(m, p)
			for name, run := range map[string]func() error{
				"MulVec":   func() error { return m.MulVec(p, c, w) },
				"AddTrans": func() error { return m.AddTrans(p, w, c) },
				"MulRows":  func() error { return matrix.MulRows(m, c, list, w) },
				"MulTrans": func() error { return columns.MulTrans(p, w, c) },
				"LazyDot":  func() error { return lazy.Dot(c, c2, list, 1) },
				"LazyAddW": func() error { return lazy.AddW(list, c) },
			} {
				b.Run(file+"/"+m.Layout()+"/"+name, func(b *testing.B) {
					for b.Loop() {
						if err := run(); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(m.NNZ()), "ns/entry")
				})
			}
		}
	}
}
