package table

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// benchTables are a few megabytes of CSV: the numbers of the benchmark of LIBSVM text, and
// columns of a click log.
func benchTables() map[string]string {
	random := rand.New(rand.NewPCG(9, 10))
	look := func(rows, columns int, cell func(k int) string) string {
		var b strings.Builder
		for i := -1; i < rows; i++ {
			for k := range columns {
				if k > 0 {
					b.WriteByte(',')
				}
				if i < 0 {
					fmt.Fprintf(&b, "column%d", k)
				} else {
					b.WriteString(cell(k))
				}
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	click := func(k int) string {
		if k < 13 {
			return fmt.Sprint(random.IntN(1000))
		}
		return fmt.Sprintf("%08x", random.Uint32())
	}
	return map[string]string{
		"signed":    look(20000, 14, func(int) string { return fmt.Sprintf("%.6f", random.Float64()*2-1) }),
		"digits":    look(200000, 14, func(int) string { return fmt.Sprint(random.IntN(10)) }),
		"17 digits": look(10000, 14, func(int) string { return fmt.Sprint(random.Float64()) }),
		"clicks":    look(20000, 39, click),
		"quoted":    look(20000, 39, func(k int) string { return `"` + click(k) + `"` }),
	}
}

// BenchmarkReadCSV cuts all columns and parses what is a number.
func BenchmarkReadCSV(b *testing.B) {
	for name, text := range benchTables() {
		path := write(b, "table.csv", text)
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/workers=%d", name, workers), func(b *testing.B) {
				s, err := Open(path, Options{Workers: workers})
				if err != nil {
					b.Fatal(err)
				}
				columns := make([]int, len(s.names))
				for k := range columns {
					columns[k] = k
				}
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					_, err := scan(b.Context(), s, columns, func(sum *float64, b *block) error {
						for i := range b.rows {
							for k := range b.width {
								v, _ := number(b.cell(i, k), false)
								*sum += v
							}
						}
						return nil
					}, nil)
					if err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkCutCSV does what one goroutine at a time does, and what each worker does.
func BenchmarkCutCSV(b *testing.B) {
	for name, text := range benchTables() {
		b.Run("ends/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			part := []byte(text)
			for b.Loop() {
				for p := 0; p+usualPart < len(part); p += usualPart {
					ends := rowEnds{dialect: &dialect{separator: ',', quotes: true}}
					ends.find(part[p : p+usualPart])
				}
			}
		})
		b.Run("marks/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			part := append([]byte(text), make([]byte, pad)...)
			var marks []uint32
			for b.Loop() {
				for p := 0; p+usualPart < len(text); p += usualPart {
					marks, _ = markBytes(marks[:0], part[p:], usualPart, ',', '\n', '\n')
				}
			}
		})
		b.Run("cells/"+name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			width := bytes.Count([]byte(text[:strings.IndexByte(text, '\n')]), []byte(",")) + 1
			c := &csvPass{dialect: dialect{separator: ',', quotes: true, width: width}}
			for k := range width {
				c.columns = append(c.columns, k)
			}
			end := strings.LastIndexByte(text[:usualPart], '\n') + 1
			p := &part{text: append([]byte(text[:end]), make([]byte, pad)...), end: end}
			block := new(block)
			b.SetBytes(int64(end))
			for b.Loop() {
				block.clear(width)
				if err := c.cells(p, block); err != nil || len(block.bad) > 0 {
					b.Fatal(err, block.bad)
				}
			}
		})
	}
}
