package golden

import (
	"testing"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/sparse"
)

// rows is a data set with labels -1 and +1.
type rows struct {
	x *sparse.Matrix
	y []float64
}

func generate(t *testing.T, spec string) rows {
	t.Helper()
	data := solvetest.Generate(t, spec, 3)
	return rows{data.X, data.Y}
}

// targets turns the labels into targets of a regression.
func (r rows) targets() []float64 {
	y := make([]float64, len(r.y))
	for i, label := range r.y {
		y[i] = label + float64(i%7)/4
	}
	return y
}

// in stores the rows in another layout.
func (r rows) in(t *testing.T, storage matrix.Storage, layout string) rows {
	t.Helper()
	ptr, columns, values := []int64{0}, []uint32{}, []float64{}
	for i := range r.x.Rows() {
		for j, v := range r.x.Row(i) {
			columns, values = append(columns, uint32(j)), append(values, v)
		}
		ptr = append(ptr, int64(len(columns)))
	}
	x, err := matrix.NewCSR(storage, r.x.Cols(), ptr, columns, values)
	if err != nil {
		t.Fatal(err)
	}
	if x.Layout() != layout {
		t.Fatalf("the layout is %s, not %s", x.Layout(), layout)
	}
	return rows{x, r.y}
}

// stored is a data set in one layout; runs on sets of one name have the same bits.
type stored struct {
	name string
	rows
}

// layouts returns data in every layout that sparse has.
func layouts(t *testing.T) []stored {
	t.Helper()
	ones, plain, text := generate(t, "onehot:n=90,d=60"), generate(t, "wide:n=60,d=700"), generate(t, "text:n=90,d=300")
	var out []stored
	for _, v := range []struct {
		name string
		from rows
		matrix.Storage
	}{
		{"none", ones, matrix.Storage{}},
		{"row", plain, matrix.Storage{}},
		{"f32", text, matrix.Storage{Float32: true}},
		{"f64", text, matrix.Storage{}},
		// Packed values give the bits of unpacked values.
		{"f64", text, matrix.Storage{Packing: matrix.PackCodes}},
		{"f32", text, matrix.Storage{Float32: true, Packing: matrix.PackCodes}},
	} {
		for width, wide := range map[string]bool{"i16+": false, "i32+": true} {
			v.Storage.Indices32 = wide
			layout := v.name
			if v.Storage.Packing == matrix.PackCodes {
				layout = "code"
			}
			out = append(out, stored{v.name, v.from.in(t, v.Storage, width+layout)})
		}
	}
	// Ones give the same bits where they are kept as any other values.
	out = append(out, stored{"none", ones.in(t, matrix.Storage{Values: matrix.ValuesFloat64}, "i16+f64")})
	renumbered, _ := matrix.Renumber(text.x, nil)
	return append(out, stored{"renumbered", rows{renumbered, text.y}}, stored{"bias", rows{text.x.WithBias(1), text.y}})
}

// start returns a point to begin at, which no method has as its optimum.
func start(columns int) []float64 {
	w := make([]float64, columns)
	random := random.New(5)
	for j := range w {
		w[j] = (random.Float64() - 0.5) / 8
	}
	return w
}
