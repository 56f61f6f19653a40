package sparse

import (
	"bytes"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// TestMixedFiles: a mixed matrix is written and scaled as the same rows with a value an entry are.
func TestMixedFiles(t *testing.T) {
	columns, values, ptr := []uint32{}, []float64{}, []int64{0}
	y := make([]float64, 20_000)
	for i := range y {
		for k := range 5 {
			j, v := uint32(10*k+i*7%9), 1.0
			if k == 2 && i%11 != 0 {
				j, v = 29, float64(i%1000)/8+2
			}
			columns, values = append(columns, j), append(values, v)
		}
		ptr = append(ptr, int64(len(columns)))
		y[i] = float64(i % 2)
	}
	mixed, err := matrix.NewCSR(matrix.Storage{}, 60, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	plain, err := matrix.NewCSR(matrix.Storage{Values: matrix.ValuesFloat32}, 60, ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	if mixed.Layout() != "i16+mixed" || plain.Layout() != "i16+f32" {
		t.Fatal(mixed.Layout(), plain.Layout())
	}
	write := func(m *Matrix) []byte {
		var cache, text bytes.Buffer
		if err := WriteCache(&cache, &Data{X: m, Y: y}); err != nil {
			t.Fatal(err)
		}
		if err := WriteLIBSVM(&text, &Data{X: m, Y: y}); err != nil {
			t.Fatal(err)
		}
		return append(cache.Bytes(), text.Bytes()...)
	}
	if !bytes.Equal(write(mixed), write(plain)) {
		t.Error("the files differ")
	}
	for _, fit := range []func(*Matrix) (*Scaler, error){FitMinMax, FitStd} {
		got, err := fit(mixed)
		if err != nil {
			t.Fatal(err)
		}
		want, err := fit(plain)
		if err != nil {
			t.Fatal(err)
		}
		for j := range want.Width {
			if got.Shift[j] != want.Shift[j] || got.Width[j] != want.Width[j] {
				t.Fatalf("column %d: %v and %v, want %v and %v", j, got.Shift[j], got.Width[j], want.Shift[j], want.Width[j])
			}
		}
		of, err := got.Apply(mixed)
		if err != nil {
			t.Fatal(err)
		}
		other, err := want.Apply(plain)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(write(of), write(other)) {
			t.Error("scaled rows differ")
		}
	}
	if matrix.Least(mixed) != matrix.ValuesNone {
		t.Error("a mixed matrix keeps more values than it was asked for")
	}
}
