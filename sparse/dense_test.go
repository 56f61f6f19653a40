package sparse

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// valuesOf draws numbers of a kind, for rows of d.
func valuesOf(random *rand.Rand, kind string, n, d int) []float64 {
	values := make([]float64, n*d)
	for k := range values {
		switch kind {
		case "ones":
			values[k] = 1
		case "per row":
			values[k] = 0.1 * float64(k/d%7+1)
		case "float32":
			values[k] = float64(float32(random.NormFloat64()))
		case "decimals":
			values[k] = float64(2*random.IntN(10000)-9999) / 1000
		case "few":
			values[k] = []float64{math.Pi, -math.E, 1.0 / 3}[random.IntN(3)]
		case "late": // no float32 but the last
			values[k] = float64(random.IntN(5) + 1)
			if k == len(values)-1 {
				values[k] = 1.0 / 3
			}
		default:
			values[k] = random.NormFloat64()
		}
	}
	return values
}

// TestNewDense: an array gives the matrix that NewCSR makes of its elements that are not 0.
func TestNewDense(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 5))
	p := NewPool(2)
	defer p.Close()
	layouts := map[string]bool{}
	for _, size := range [][2]int{{0, 0}, {0, 4}, {5, 0}, {1, 1}, {repeat.Size(3, 1), 70_000}, {70, 9}, {4000, 20}} {
		n, d := size[0], size[1]
		for _, kind := range []string{"ones", "per row", "float32", "decimals", "few", "late", "normal"} {
			for _, zeros := range repeat.Size([]float64{0, 1e-4, 0.4, 1}, []float64{1e-4, 0.4}) {
				plain := valuesOf(random, kind, n, d)
				turned, wide, single := make([]float64, n*d), make([]float64, n*(2*d+3)+1), make([]float32, n*d)
				ptr, columns, values := []int64{0}, []uint32{}, []float64{}
				exact := true
				for i := range n {
					for j := range d {
						v := plain[i*d+j]
						if random.Float64() < zeros {
							v = math.Copysign(0, -v)
						} else {
							columns, values = append(columns, uint32(j)), append(values, v)
						}
						plain[i*d+j], turned[j*n+i], wide[i*(2*d+3)+2*j], single[i*d+j] = v, v, v, float32(v)
						exact = exact && float64(float32(v)) == v
					}
					ptr = append(ptr, int64(len(columns)))
				}
				want, err := NewCSR(d, ptr, columns, values)
				if err != nil {
					t.Fatal(err)
				}
				layouts[want.Layout()] = true
				for order, x := range map[string]*Dense{
					"C":          {Rows: n, Columns: d, RowStride: d, ColumnStride: 1, Float64: plain},
					"Fortran":    {Rows: n, Columns: d, RowStride: 1, ColumnStride: n, Float64: turned},
					"strides":    {Rows: n, Columns: d, RowStride: 2*d + 3, ColumnStride: 2, Float64: wide},
					"C, float32": {Rows: n, Columns: d, RowStride: d, ColumnStride: 1, Float32: single},
				} {
					if x.Float32 != nil && !exact {
						continue
					}
					for _, pool := range repeat.Size([]*Pool{nil, p}, []*Pool{p}) {
						for name, make := range map[string]func(*Pool, *Dense) (*Matrix, error){"NewDense": NewDense, "BorrowDense": BorrowDense} {
							got, err := make(pool, x)
							if err != nil || !reflect.DeepEqual(got, want) {
								t.Fatalf("%s: %d x %d, %s, %v zeros, %s: another matrix than of NewCSR; %v", name, n, d, kind, zeros, order, err)
							}
							if name == "NewDense" && n*d > 0 && got.NNZ() > 0 {
								if v := matrix.Stored(got).Val64; v != nil && x.Float64 != nil && &v[0] == &x.Float64[0] {
									t.Fatalf("%s, %s: the matrix has the array itself", kind, order)
								}
							}
						}
					}
				}
			}
		}
	}
	if len(layouts) < 8 {
		t.Errorf("only the layouts %v", layouts)
	}
}

// TestBorrowDense: full-precision rows in C's order are not copied.
func TestBorrowDense(t *testing.T) {
	values := valuesOf(rand.New(rand.NewPCG(1, 5)), "normal", 500, 20)
	x, err := BorrowDense(nil, &Dense{Rows: 500, Columns: 20, RowStride: 20, ColumnStride: 1, Float64: values})
	if err != nil || &matrix.Stored(x).Val64[0] != &values[0] {
		t.Fatalf("a copy, or %v", err)
	}
}

// TestNewDenseRefuses: errors name the first row with a number that no matrix has, and its column.
func TestNewDenseRefuses(t *testing.T) {
	p := NewPool(2)
	defer p.Close()
	const n, d = 4000, 20
	values := valuesOf(rand.New(rand.NewPCG(1, 5)), "normal", n, d)
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, i := range []int{n - 1, 2000, 0} {
			before := values[i*d+3]
			values[i*d+3], values[(n-1)*d+7] = bad, bad
			for _, pool := range []*Pool{nil, p} {
				want := fmt.Sprintf("row %d: column 3 holds %v", i, bad)
				if _, err := NewDense(pool, &Dense{Rows: n, Columns: d, RowStride: d, ColumnStride: 1, Float64: values}); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%q: %v", want, err)
				}
			}
			values[i*d+3], values[(n-1)*d+7] = before, 1
		}
	}
	for says, x := range map[string]*Dense{
		"there is no array": nil,
		"-1 rows":           {Rows: -1},
		"columns; there":    {Columns: math.MaxInt32},
		"strides of -1":     {RowStride: -1},
		"both":              {Float64: []float64{1}, Float32: []float32{1}},
		"end beyond the 0":  {Rows: 1, Columns: 1},
		"end beyond the 3":  {Rows: 2, Columns: 2, RowStride: 2, ColumnStride: 1, Float64: values[:3]},
		"end beyond the 1":  {Rows: 2, Columns: 2, RowStride: math.MaxInt, ColumnStride: math.MaxInt, Float32: []float32{1}},
		"the rows":          {Rows: math.MaxInt, Columns: 1, Float64: values[:1]},
	} {
		if _, err := NewDense(nil, x); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
}

// BenchmarkNewDense makes matrices of 100,000 rows and 20 columns.
func BenchmarkNewDense(b *testing.B) {
	const n, d = 100_000, 20
	random := rand.New(rand.NewPCG(1, 5))
	values, turned := valuesOf(random, "normal", n, d), make([]float64, n*d)
	for k, v := range values {
		turned[k%d*n+k/d] = v
	}
	holes := valuesOf(random, "normal", n, d)
	for k := range holes {
		if random.IntN(3) == 0 {
			holes[k] = 0
		}
	}
	ptr, columns := make([]int64, n+1), make([]uint32, n*d)
	for k := range columns {
		columns[k] = uint32(k % d)
	}
	for i := range ptr {
		ptr[i] = int64(i * d)
	}
	rowsOf := func(values []float64) *Dense {
		return &Dense{Rows: n, Columns: d, RowStride: d, ColumnStride: 1, Float64: values}
	}
	for name, f := range map[string]func() (*Matrix, error){
		"NewCSR":      func() (*Matrix, error) { return NewCSR(d, ptr, columns, values) },
		"BorrowDense": func() (*Matrix, error) { return BorrowDense(nil, rowsOf(values)) },
		"C":           func() (*Matrix, error) { return NewDense(nil, rowsOf(values)) },
		"Fortran": func() (*Matrix, error) {
			return NewDense(nil, &Dense{Rows: n, Columns: d, RowStride: 1, ColumnStride: n, Float64: turned})
		},
		"zeros": func() (*Matrix, error) { return NewDense(nil, rowsOf(holes)) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
