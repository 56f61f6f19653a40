package matrix_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/draw"
	"github.com/lanes-go/lanes/internal/matrix"
)

func generate(t testing.TB, spec string) *draw.Generated {
	t.Helper()
	s, err := draw.ParseShape(spec, 1)
	if err != nil {
		t.Fatal(err)
	}
	g, err := s.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func normals(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// TestGramInParts: Gram matrices with many multiplications for an element agree with sums row by
// row, and do not depend on the workers. Rows are nearly full or not, with and without a constant
// column.
func TestGramInParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, shape := range []string{"onehot:n=12000", "dense:n=9000,d=20"} {
		m := generate(t, shape).X
		all := make([]float64, m.Rows())
		if parts := matrix.GramParts(m, all); parts != 1 {
			t.Fatalf("%s: %d parts of no rows", shape, parts)
		}
		for i := range all {
			all[i] = 1
		}
		if parts := matrix.GramParts(m, all); parts < matrix.LeastParts {
			t.Fatalf("%s: %d parts", shape, parts)
		}
		for _, x := range []*matrix.Matrix{m, m.WithBias(0.5)} {
			d := x.Cols()
			c, want := normals(rng, x.Rows()), make([]float64, d*d)
			row := make([]float64, d)
			for i := range c {
				clear(row)
				for j, v := range x.Row(i) {
					row[j] = v
				}
				for a, v := range row {
					if v != 0 {
						for b := range a + 1 {
							want[a*d+b] += c[i] * v * row[b]
						}
					}
				}
			}
			var first []float64
			for workers := 1; workers <= 3; workers++ {
				pool, got := matrix.NewPool(workers), make([]float64, d*d)
				if err := matrix.Gram(x, pool, got, c); err != nil {
					t.Fatal(err)
				}
				pool.Close()
				for k := range want {
					if math.Abs(got[k]-want[k]) > 1e-9*(1+math.Abs(want[k])) || first != nil && got[k] != first[k] {
						t.Fatalf("%s, %d columns, %d workers: element %d is %v, not %v", shape, d, workers, k, got[k], want[k])
					}
				}
				first = got
			}
		}
	}
}

// TestGramOfFullRows: rows that are nearly full have the bits of rows with gaps, whose
// entries are taken one by one; the largest column may be beyond a band or two.
func TestGramOfFullRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n = 2*matrix.BandRows + 5
	for _, d := range []int{8, matrix.BandWidth, 2*matrix.BandWidth + 9} {
		ptr, columns, values := []int64{0}, []uint32{}, []float64{}
		for range n {
			for j := range d {
				if rng.Float64() < 0.8 {
					columns, values = append(columns, uint32(j)), append(values, rng.NormFloat64())
				}
			}
			ptr = append(ptr, int64(len(columns)))
		}
		scaled := slices.Clone(values)
		for i := range n {
			for e := ptr[i]; e < ptr[i+1]; e++ {
				scaled[e] = 0.3 * float64(i+1)
			}
		}
		for _, storage := range []matrix.Storage{{}, {Indices32: true}, {Float32: true}, {Indices32: true, Float32: true}} {
			for _, v := range [][]float64{values, scaled, nil} {
				m, err := matrix.NewCSR(storage, d, ptr, columns, v)
				if err != nil {
					t.Fatal(err)
				}
				if !matrix.Fills(m) {
					t.Fatalf("%d columns: rows with gaps", d)
				}
				for _, x := range []*matrix.Matrix{m, m.WithBias(2)} {
					size := x.Cols()
					c, want := normals(rng, n), normals(rng, size*size)
					got := slices.Clone(want)
					for i := range c {
						if i%5 == 0 || i < matrix.BandRows/2 {
							c[i] = 0
						}
					}
					pool := matrix.NewPool(2)
					if err := matrix.AddGram(x, pool, got, c); err != nil {
						t.Fatal(err)
					}
					pool.Close()
					matrix.GramRowByRow(x, want, c)
					for a := range d {
						for b := range size {
							if math.Float64bits(got[a*size+b]) != math.Float64bits(want[a*size+b]) {
								t.Fatalf("layout %d, %d columns: element %d, %d is %v, not %v", matrix.Stored(m).Layout, size, a, b, got[a*size+b], want[a*size+b])
							}
						}
					}
				}
			}
		}
	}
}

func TestRowPartsCoverTheRows(t *testing.T) {
	specs := []string{"onehot", "imbalanced", "dense:n=3000,d=90", "text:n=4000,d=10000", "text:n=30000,d=40000"}
	if testing.Short() {
		specs = specs[:4]
	}
	for _, spec := range specs {
		m := generate(t, spec).X
		parts := matrix.RowParts(m)
		if parts < 2 || matrix.PartBegin(m, 0, parts) != 0 || matrix.PartBegin(m, parts, parts) != m.Rows() {
			t.Fatalf("%s: %d parts from row %d to row %d", spec, parts, matrix.PartBegin(m, 0, parts), matrix.PartBegin(m, parts, parts))
		}
		for k := range parts {
			entries := matrix.Stored(m).End[matrix.PartBegin(m, k+1, parts)-1] - matrix.Stored(m).Begin[matrix.PartBegin(m, k, parts)]
			if share := float64(entries) * float64(parts) / float64(m.NNZ()); share < 0.9 || share > 1.1 {
				t.Errorf("%s: part %d of %d has %.2f of an even share", spec, k, parts, share)
			}
		}
	}
}

func TestColumnRangesAreBalanced(t *testing.T) {
	p := matrix.NewPool(4)
	defer p.Close()
	for spec, want := range map[string]int{"text:n=3000": 4, "wide:n=600": 4, "imbalanced:n=20000,d=30000": 1} {
		m := generate(t, spec).X
		ranges := matrix.ColumnRanges(m, p)
		if len(ranges) != want {
			t.Fatalf("%s: %d ranges", spec, len(ranges))
		}
		for i := range m.Rows() {
			if ranges[0].Begin[i] != matrix.Stored(m).Begin[i] || ranges[len(ranges)-1].End[i] != matrix.Stored(m).End[i] {
				t.Fatalf("%s: row %d loses entries", spec, i)
			}
		}
		for k, r := range ranges {
			entries := int64(0)
			for i := range m.Rows() {
				entries += r.End[i] - r.Begin[i]
			}
			if share := float64(entries) * float64(len(ranges)) / float64(m.NNZ()); share < 0.75 || share > 1.25 {
				t.Errorf("%s: range %d of %d has %.2f of an even share", spec, k, len(ranges), share)
			}
		}
	}
}

// TestSearchRow: a matrix with 16-bit indices may have more columns than they can name.
func TestSearchRow(t *testing.T) {
	columns := []uint32{1, 65528, 65529, 65530, 65531, 65532, 65533, 65534, 65535}
	m, err := matrix.NewCSR(matrix.Storage{}, 100000, []int64{0, 9, 18}, append(columns, columns...), nil)
	if err != nil {
		t.Fatal(err)
	}
	for column, want := range map[int]int64{0: 9, 65530: 9 + 3, 65535: 9 + 8, 65536: 18, 65540: 18, 99999: 18} {
		if got := matrix.SearchRow(m, 9, 18, column); got != want {
			t.Errorf("column %d begins at entry %d, want %d", column, got, want)
		}
	}
}

// Both ways of products are taken, and unit rows of ones share values by columns.
func TestWaysAreTaken(t *testing.T) {
	cut := map[bool]int{}
	for _, spec := range []string{"text:n=3000", "wide:n=400,d=90000", "imbalanced:n=20000", "onehot:n=20000", "dense:n=2000,d=100"} {
		cut[matrix.RowParts(generate(t, spec).X) > 1]++
	}
	if cut[true] < 3 || cut[false] < 2 {
		t.Errorf("%d matrices are cut by rows, %d by columns", cut[true], cut[false])
	}
	if layout := matrix.ColumnLayout(matrix.NewByColumns(generate(t, "onehot:n=3000").X.NormalizeUnit(), nil)); layout != "i16+row" {
		t.Errorf("unit one-hot rows by columns: %s", layout)
	}
}

// TestSumsOfParts: X'c and the sums of squares add the vectors of parts in their order. They do so
// with all parts in hand or with few at a time, for any number of workers.
func TestSumsOfParts(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, d := range []int{300, 40000} { // columns
		const n, each = 16500, 100
		begin, columns := make([]int64, 0, n+1), make([]uint32, 0, n*each)
		for range n {
			begin = append(begin, int64(len(columns)))
			row := make([]uint32, 0, each)
			for at := rng.IntN(2); len(row) < each; at += 1 + rng.IntN(2*d/each-2) {
				if at >= d {
					break
				}
				row = append(row, uint32(at))
			}
			columns = append(columns, row...)
		}
		begin = append(begin, int64(len(columns)))
		ones := make([]float64, len(columns))
		for k := range ones {
			ones[k] = 1
		}
		m, err := matrix.NewCSR(matrix.Storage{}, d, begin, columns, ones)
		if err != nil {
			t.Fatal(err)
		}
		parts := matrix.RowParts(m)
		if parts < 4 {
			t.Fatalf("%d columns: %d parts", d, parts)
		}
		c, start := normals(rng, n), normals(rng, d)
		want := slices.Clone(start)
		for k := range parts {
			own := make([]float64, d)
			for i := matrix.PartBegin(m, k, parts); i < matrix.PartBegin(m, k+1, parts); i++ {
				for _, j := range columns[begin[i]:begin[i+1]] {
					own[j] += c[i]
				}
			}
			for j, v := range own {
				want[j] += v
			}
		}
		for workers := range 4 {
			pool := matrix.NewPool(workers + 1)
			squares := func(p *matrix.Pool, dst, c []float64) error { return matrix.AddSquares(m, p, dst, c) }
			for name, sum := range map[string]func(*matrix.Pool, []float64, []float64) error{"AddTrans": m.AddTrans, "AddSquares": squares} {
				for range 2 { // the second one with the vectors of the first
					got := slices.Clone(start)
					if err := sum(pool, got, c); err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(got, want) {
						t.Errorf("%s: %d columns, %d parts, %d workers: other bits than the parts in their order", name, d, parts, workers+1)
					}
				}
			}
			pool.Close()
		}
	}
}
