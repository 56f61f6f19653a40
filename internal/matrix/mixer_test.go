package matrix_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// TestStoreMixes: a store keeps rows of ones and few numbers mixed, through further columns with
// values, values that are no float32, and columns that need 32 bits. With many columns it keeps a
// value an entry. The entries are the same ones always.
func TestStoreMixes(t *testing.T) {
	for _, c := range []struct {
		name    string
		entry   func(i, k int) (column uint32, v float64) // entry k of row i, columns ascending
		storage matrix.Storage
		want    string
	}{
		{"numbers", func(i, k int) (uint32, float64) { return numbered(i, k, k < 2) }, matrix.Storage{}, "i16+mixed"},
		{"float64s", func(i, k int) (uint32, float64) {
			j, v := numbered(i, k, k == 5)
			if i > 700 && k == 5 {
				v /= 3
			}
			return j, v
		}, matrix.Storage{}, "i16+mixed"},
		{"late columns", func(i, k int) (uint32, float64) { return numbered(i, k, k == 0 || k == 3 && i > 800) }, matrix.Storage{}, "i16+mixed"},
		{"far columns", func(i, k int) (uint32, float64) {
			j, v := numbered(i, k, k == 0)
			if i > 800 && k == 7 {
				j += 1 << 17
			}
			return j, v
		}, matrix.Storage{}, "i32+mixed"},
		{"too many later", func(i, k int) (uint32, float64) { return numbered(i, k, k == 0 || i > 800) }, matrix.Storage{}, "i16+f32"},
		{"too many float64s later", func(i, k int) (uint32, float64) {
			j, v := numbered(i, k, k == 0 || i > 800)
			if v != 1 {
				v = float64(i*k%4999)/3 + 0.1
			}
			return j, v
		}, matrix.Storage{}, "i16+f64"},
		{"few values later", func(i, k int) (uint32, float64) {
			j, v := numbered(i, k, k == 0 || i > 800)
			if v != 1 {
				v = float64(i%7) / 3
			}
			return j, v
		}, matrix.Storage{}, "i16+f64"},
		{"one column at a time", func(i, k int) (uint32, float64) {
			j, v := numbered(i, k, k == 0)
			if k == 4 && i%40 == 0 {
				v = 2
			}
			return j, v
		}, matrix.Storage{}, "i16+f32"},
		{"half of the entries", func(i, k int) (uint32, float64) { return numbered(i, k, k < 5) }, matrix.Storage{}, "i16+f32"},
		{"never", func(i, k int) (uint32, float64) { return numbered(i, k, k < 2) }, matrix.Storage{Packing: matrix.PackNever}, "i16+f32"},
		{"a value an entry", func(i, k int) (uint32, float64) { return numbered(i, k, k < 2) }, matrix.Storage{Values: matrix.ValuesFloat32}, "i16+f32"},
		{"no numbers", func(i, k int) (uint32, float64) { return numbered(i, k, false) }, matrix.Storage{}, "i16+none"},
	} {
		for _, chunk := range []int{1, 37, 2000} {
			random := rand.New(rand.NewPCG(1, uint64(chunk)))
			mixing, plain := matrix.NewMixingStore(c.storage), matrix.NewStore(matrix.Storage{Packing: matrix.PackNever})
			mixing.Expect(1000, 5000)
			for i := 0; i < 1500; {
				var lengths []int
				var columns []uint32
				var values []float64
				for ; len(lengths) < chunk && i < 1500; i++ {
					before := len(columns)
					for k := range 8 {
						if j, v := c.entry(i, k); k%3 == 0 || random.IntN(8) > 0 {
							columns, values = append(columns, j), append(values, v)
						}
					}
					lengths = append(lengths, len(columns)-before)
				}
				for _, s := range []*matrix.Store{mixing, plain} {
					if err := s.Add(lengths, columns, values, 200_000); err != nil {
						t.Fatal(err)
					}
				}
			}
			got, want := mixing.Matrix(200_000), plain.Matrix(200_000)
			if got.Layout() != c.want {
				t.Errorf("%s, %d rows at a time: layout %s, want %s", c.name, chunk, got.Layout(), c.want)
			}
			sameEntries(t, fmt.Sprintf("%s, %d rows at a time", c.name, chunk), got, want)
		}
	}
}

// numbered is entry k of row i: one of ten columns, or a number in the first of them.
func numbered(i, k int, number bool) (uint32, float64) {
	if number {
		return uint32(10 * k), float64(i%1000)/8 + 2
	}
	return uint32(10*k + (i*7+k)%9 + 1), 1
}

// sameEntries fails if two matrices have other entries, or other products.
func sameEntries(t *testing.T, what string, got, want *matrix.Matrix) {
	t.Helper()
	for _, o := range mixedOperations {
		switch o.name {
		case "MulVec", "AddTrans", "AddSquares", "Norms":
			same(t, what+": "+o.name, o.do(t, got, nil, rand.New(rand.NewPCG(7, 8))), o.do(t, want, nil, rand.New(rand.NewPCG(7, 8))))
		}
	}
	gotPtr, gotColumns, gotValues := got.CSR()
	wantPtr, wantColumns, wantValues := want.CSR()
	if fmt.Sprint(gotPtr) != fmt.Sprint(wantPtr) || fmt.Sprint(gotColumns) != fmt.Sprint(wantColumns) || fmt.Sprint(gotValues) != fmt.Sprint(wantValues) {
		t.Fatalf("%s: other entries", what)
	}
}

// TestMixedBytes: a mixed matrix takes the bytes of its indices, of the values of its number
// columns, and of the row pointers. Rows that differ take two bytes more each.
func TestMixedBytes(t *testing.T) {
	n := 20_000
	store := matrix.NewStore(matrix.Storage{})
	var lengths []int
	var columns []uint32
	var values []float64
	for i := range n {
		for k := range 8 {
			j, v := numbered(i, k, k < 2)
			columns, values = append(columns, j), append(values, v)
		}
		lengths = append(lengths, 8)
	}
	if err := store.Add(lengths, columns, values, 100); err != nil {
		t.Fatal(err)
	}
	m := store.Matrix(100)
	if got, want := m.Bytes(), int64(8*(n+1)+2*8*n+4*(2*n+4)); m.Layout() != "i16+mixed" || got != want {
		t.Errorf("%s takes %d bytes, want %d", m.Layout(), got, want)
	}
}

// FuzzMixed: rows of ones and few numbers have the same bits mixed and with a value an entry.
func FuzzMixed(f *testing.F) {
	f.Add([]byte{9, 1, 2, 3, 0, 255, 7, 8, 130, 9, 4, 5}, uint8(20))
	f.Add([]byte{0, 0, 1, 128, 129, 1}, uint8(3))
	f.Fuzz(func(t *testing.T, text []byte, d uint8) {
		columns, values, lengths := []uint32{}, []float64{}, []int{}
		length, next := 0, 0
		for _, b := range text {
			j := next + int(b%16)
			if b%16 == 15 || j >= int(d) {
				lengths, length, next = append(lengths, length), 0, 0
				continue
			}
			v := 1.0
			if b >= 128 {
				v = float64(b) / 3
			}
			columns, values, length, next = append(columns, uint32(j)), append(values, v), length+1, j+1
		}
		lengths = append(lengths, length)
		mixing, plain := matrix.NewMixingStore(matrix.Storage{}), matrix.NewStore(matrix.Storage{Packing: matrix.PackNever})
		entries := 0
		for first := 0; first < len(lengths); first += 3 {
			part := lengths[first:min(first+3, len(lengths))]
			count := 0
			for _, n := range part {
				count += n
			}
			for _, s := range []*matrix.Store{mixing, plain} {
				if err := s.Add(part, columns[entries:entries+count], values[entries:entries+count], int(d)); err != nil {
					t.Fatal(err)
				}
			}
			entries += count
		}
		got, want := mixing.Matrix(int(d)), plain.Matrix(int(d))
		sameEntries(t, "store", got, want)
		mixed, ok := matrix.Mixed(want)
		if !ok {
			return
		}
		for _, o := range mixedOperations {
			if o.name == "rows" || want.Rows() < 20 || d == 0 {
				continue
			}
			same(t, o.name, o.do(t, mixed, nil, rand.New(rand.NewPCG(7, 8))), o.do(t, want, nil, rand.New(rand.NewPCG(7, 8))))
		}
	})
}
