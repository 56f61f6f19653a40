package matrix

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/asm/rows"
)

// fullRows draws rows with an entry in every column.
func fullRows(r *rand.Rand, n, d int, single bool) *Matrix {
	x := rows.Matrix{Layout: rows.I16F64, Idx16: make([]uint16, n*d)}
	for i := range n {
		x.Begin, x.End = append(x.Begin, int64(i*d)), append(x.End, int64((i+1)*d))
	}
	for e := range x.Idx16 {
		x.Idx16[e] = uint16(e % d)
		x.Val64 = append(x.Val64, 3+r.NormFloat64())
	}
	if single {
		x.Layout = rows.I16F32
		for _, v := range x.Val64 {
			x.Val32 = append(x.Val32, float32(v))
		}
		x.Val64 = nil
	}
	m := Of(x, d, 0)
	return &m
}

// TestDenseColumns compares columns, their means and products with their definitions, and the bits
// of columns that joined in one call with columns that joined in many, on several workers.
func TestDenseColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	pool := NewPool(3)
	defer pool.Close()
	for _, n := range []int{1, 7, 32, 33, 300} {
		for k := range 4 {
			d, centred := 70, k&1 != 0
			m := fullRows(r, n, d, k&2 != 0)
			h := make([]float64, n)
			total := 0.0
			for i := range h {
				h[i] = float64((i + 1) % 5)
				total += h[i]
			}
			var list []uint32
			for j := 2; j < d; j += 1 + j%7/6 {
				list = append(list, uint32(j))
			}
			whole, parts := NewDenseColumns(m, h, centred), NewDenseColumns(m, h, centred)
			whole.Add(nil, list)
			whole.Multiply(nil)
			shared := NewDenseColumns(m, h, centred)
			shared.Add(pool, list)
			shared.Multiply(pool)
			for first := 0; first < len(list); first += 1 + first {
				parts.Add(pool, list[first:min(2*first+1, len(list))])
				parts.Multiply(pool)
			}
			if whole.Len() != len(list) || parts.Len() != len(list) {
				t.Fatalf("%d and %d columns", whole.Len(), parts.Len())
			}
			columns := make([][]float64, len(list))
			for a, j := range list {
				mean := 0.0
				for i := range n {
					mean += h[i] * m.rows.Value(i, int64(i*d)+int64(j)) / total
				}
				if !centred {
					mean = 0
				}
				if math.Abs(whole.Mean(a)-mean) > 1e-13 {
					t.Errorf("%d rows: column %d has a mean of %v, not %v", n, j, whole.Mean(a), mean)
				}
				for i := range n {
					v := math.Sqrt(h[i]) * (m.rows.Value(i, int64(i*d)+int64(j)) - mean)
					if columns[a] = append(columns[a], v); math.Abs(whole.Column(a)[i]-v) > 1e-13 {
						t.Fatalf("%d rows: element %d of column %d is %v, not %v", n, i, j, whole.Column(a)[i], v)
					}
				}
				if !slices.Equal(whole.Column(a), parts.Column(a)) || whole.Mean(a) != parts.Mean(a) || whole.Square(a) != parts.Square(a) {
					t.Fatalf("%d rows: other bits of column %d", n, j)
				}
				for b := range a + 1 {
					want, size := 0.0, 1e-300
					for i := range n {
						want += columns[a][i] * columns[b][i]
						size += math.Abs(columns[a][i] * columns[b][i])
					}
					got := whole.Product(a, b)
					if math.Abs(got-want) > 1e-12*(size+float64(n)) || a == b && math.Abs(whole.Square(a)-want) > 1e-12*(size+float64(n)) {
						t.Fatalf("%d rows: product of %d and %d is %v, not %v", n, a, b, got, want)
					}
					if got != parts.Product(b, a) || got != shared.Product(a, b) {
						t.Fatalf("%d rows: other bits of the product of %d and %d", n, a, b)
					}
				}
			}
			kept := slices.Clone(shared.Column(0))
			for _, c := range []*DenseColumns{whole, parts} {
				if c.Release(); c.Len() != 0 {
					t.Fatal("columns of others")
				}
			}
			again := NewDenseColumns(m, h, centred) // in their memory
			again.Add(nil, list)
			again.Multiply(nil)
			for a := range list {
				if !slices.Equal(again.Column(a), shared.Column(a)) || again.Product(a, 0) != shared.Product(a, 0) {
					t.Fatalf("%d rows: other bits of column %d in the memory of others", n, a)
				}
			}
			if !slices.Equal(kept, shared.Column(0)) {
				t.Fatal("memory of columns in use was given away")
			}
		}
	}
}
