package sparse

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/matrix"
)

// What has no error to return gives what its comment says for rows and columns that
// do not exist, and changes nothing.
func TestOutsideOfAMatrix(t *testing.T) {
	m := matrixOf(t, [][]float64{{1, 0, 2}, {0, 3, 0}}).WithBias(1)
	for _, i := range []int{-1, 2, math.MinInt, math.MaxInt} {
		for j, v := range m.Row(i) {
			t.Errorf("row %d has %v in column %d", i, v, j)
		}
		if got := matrix.AppendColumns(m, nil, i); got != nil {
			t.Errorf("row %d has the columns %v", i, got)
		}
	}
	w := []float64{1, 2, 3, 4}
	s, err := matrix.NewSteps(m, w)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []uint32{2, math.MaxUint32} {
		if got := s.Dot(i); !math.IsNaN(got) {
			t.Errorf("row %d: product %v", i, got)
		}
		s.Add(i, 7)
		s.Fetch([]uint32{0, i})
	}
	wantBits(t, "w", w, []float64{1, 2, 3, 4})
	c := matrix.NewByColumns(m, nil)
	for _, j := range []int{-1, 4, math.MaxInt} {
		for range c.Column(j) {
			t.Errorf("there is a column %d", j)
		}
	}
	if got := c.AppendRows(nil, []uint32{3, 1, math.MaxUint32}); len(got) != 1 || got[0] != 1 {
		t.Errorf("rows %v", got)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		one := 1.0
		for _, positive := range []*float64{nil, &one} {
			if _, _, err := BinaryLabels([]float64{1, bad, 1, bad}, positive); err == nil || !strings.HasPrefix(err.Error(), "the label of row 1 is ") {
				t.Errorf("%v: error %v", bad, err)
			}
		}
	}
	classes := CountClasses([]float64{2, math.NaN(), 1, math.NaN(), math.NaN()})
	if len(classes) != 3 || classes[0].Count != 3 || !math.IsNaN(classes[0].Label) || classes[1] != (Class{1, 1}) {
		t.Errorf("classes %v", classes)
	}
}

// Programs outside of the module reach every exported method and field of the types that package
// sparse takes from internal/matrix. Only these are meant for them, and the comments list them.
func TestWhatUsersReach(t *testing.T) {
	for _, c := range []struct {
		of   reflect.Type
		want string
	}{
		{reflect.TypeFor[*Matrix](), "AddTrans Bias Bytes CSR Cols Describe Layout MulVec NNZ NormalizeUnit PickRows Row Rows Values WithBias WithValues"},
		{reflect.TypeFor[*Pool](), "Close Workers"},
		{reflect.TypeFor[*Dense](), "Check"},
		{reflect.TypeFor[*Description](), ""},
		{reflect.TypeFor[*Values](), ""},
	} {
		var names []string
		for i := range c.of.NumMethod() {
			names = append(names, c.of.Method(i).Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%v has the methods %q, not %q", c.of, got, c.want)
		}
	}
	for _, of := range []reflect.Type{reflect.TypeFor[Matrix](), reflect.TypeFor[Pool]()} {
		for i := range of.NumField() {
			if f := of.Field(i); f.IsExported() || f.Anonymous {
				t.Errorf("%v has the field %s", of, f.Name)
			}
		}
	}
}

// The zero Matrix behaves like one without rows and columns.
func TestZeroMatrix(t *testing.T) {
	m := new(Matrix)
	p := matrix.NewPool(2)
	defer p.Close()
	for _, err := range []error{
		m.AddTrans(p, nil, nil), matrix.AddSquares(m, p, nil, nil), m.MulVec(p, nil, nil), matrix.Gram(m, p, nil, nil), matrix.AddHessian(m, p, nil, nil, nil, nil, nil),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	if m.Rows() != 0 || m.Cols() != 0 || m.Describe().Columns != 0 || matrix.NewByColumns(m, p).Cols() != 0 {
		t.Error("the zero matrix is not empty")
	}
	if _, err := FitMinMax(nil); err == nil {
		t.Error("a nil matrix was accepted")
	}
	if l := matrix.NewLazy(nil); l.Set(nil, nil) != nil || len(l.Rec) != 0 {
		t.Error("a Lazy of a nil matrix is not empty")
	}
}

// More than everything is everything: a matrix of values that nothing holds would be
// read beyond its end.
func TestStorageOfUnknownValues(t *testing.T) {
	for v := ValuesFloat64; v != 0; v++ {
		m, err := newCSRIn(Storage{Values: v}, 3, []int64{0, 2}, []uint32{0, 2}, nil)
		if err != nil || m.Layout() != "i16+f64" || m.Describe().Greatest != 1 {
			t.Fatalf("values %d: %v", v, err)
		}
	}
}
