package fitting

import (
	"reflect"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// Profiles are of the weights that are not 0 somewhere, without the intercept's, the
// largest at the end first; of many the smallest are left out.
func TestProfiles(t *testing.T) {
	x, err := sparse.NewCSR(3, []int64{0, 0}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := &Prepared{Columns: 3, Data: &input.Dataset{Data: &sparse.Data{}}}
	p.X, p.Intercept = x.WithBias(1), true
	path := []*solvers.Result{{Weights: []float64{0, 0, 0, 7}}, {Weights: []float64{5, 0, 0, 8}}, {Weights: []float64{1, 0, -2, 9}}}
	list, more := p.profiles(path, false)
	if want := []Profile{{"column 3", []float64{0, 0, -2}}, {"column 1", []float64{0, 5, 1}}}; !reflect.DeepEqual(list, want) || more != 0 {
		t.Errorf("%v, %d more", list, more)
	}
	p.Intercept, p.FeatureNames = false, []string{"a", "b", "c"}
	p.Several = &classSet{labels: []float64{4, 6}}
	for _, r := range path {
		r.Weights = append(r.Weights, 0, 3, 0, 0)
	}
	list, _ = p.profiles(path, true)
	var names []string
	for _, own := range list {
		names = append(names, own.Name)
	}
	if want := []string{"bias of class 4", "b of class 6", "c of class 4", "a of class 4"}; !reflect.DeepEqual(names, want) {
		t.Errorf("%q, not %q", names, want)
	}
	p.FeatureNames = nil
	if got := p.columnName(4, true); got != "column 0 of class 6" {
		t.Error(got)
	}
	p.Several, p.Columns = nil, 300
	if p.X, err = sparse.NewCSR(300, []int64{0, 0}, nil, nil); err != nil {
		t.Fatal(err)
	}
	w := make([]float64, 300)
	for j := range w {
		w[j] = float64(j)
	}
	if list, more = p.profiles([]*solvers.Result{{Weights: w}}, false); len(list) != mostProfiles || more != 99 || list[0].Values[0] != 299 || list[mostProfiles-1].Values[0] != 100 {
		t.Errorf("%d profiles and %d more", len(list), more)
	}
}
