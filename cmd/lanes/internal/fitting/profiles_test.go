package fitting

import (
	"reflect"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/cmd/lanes/internal/input"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// Profiles are of the weights that are not 0 somewhere, without the intercept's, the
// largest at the end first; of many the smallest are left out.
func TestProfiles(t *testing.T) {
	posed := func(columns int, o lanes.Options, y ...float64) *Prepared {
		b := sparse.NewBuilder(sparse.BuilderOptions{})
		for i := range y {
			if err := b.AddRow([]int{columns - 1}, []float64{float64(i + 1)}); err != nil {
				t.Fatal(err)
			}
		}
		x, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		data := &sparse.Data{X: x, Y: y}
		p, err := lanes.Pose(data, o)
		if err != nil {
			t.Fatal(err)
		}
		return &Prepared{Problem: p, Data: &input.Dataset{Data: data}}
	}
	fits := func(weights ...[]float64) (list []lanes.Fit) {
		for _, w := range weights {
			list = append(list, lanes.Fit{Result: &solvers.Result{Weights: w}})
		}
		return list
	}
	p := posed(3, lanes.Options{Intercept: lanes.FreeIntercept}, -1, 1)
	path := fits([]float64{0, 0, 0, 7}, []float64{5, 0, 0, 8}, []float64{1, 0, -2, 9})
	list, more := p.profiles(path, false)
	if want := []Profile{{"column 3", []float64{0, 0, -2}}, {"column 1", []float64{0, 5, 1}}}; !reflect.DeepEqual(list, want) || more != 0 {
		t.Errorf("%v, %d more", list, more)
	}
	several := lanes.Options{Intercept: lanes.PenalisedIntercept, FeatureNames: []string{"a", "b", "c"}, Kind: lanes.OneVsRest}
	p = posed(3, several, 4, 6, 8)
	for _, fit := range path {
		fit.Result.Weights = append(fit.Result.Weights, 0, 3, 0, 0, 0, 0, 0, 0)
	}
	list, _ = p.profiles(path, true)
	var names []string
	for _, own := range list {
		names = append(names, own.Name)
	}
	if want := []string{"bias of class 4", "b of class 6", "c of class 4", "a of class 4"}; !reflect.DeepEqual(names, want) {
		t.Errorf("%q, not %q", names, want)
	}
	several.FeatureNames = nil
	p = posed(3, several, 4, 6, 8)
	if got := p.columnName(4, true); got != "column 0 of class 6" {
		t.Error(got)
	}
	p = posed(300, lanes.Options{}, -1, 1)
	w := make([]float64, 300)
	for j := range w {
		w[j] = float64(j)
	}
	if list, more = p.profiles(fits(w), false); len(list) != mostProfiles || more != 99 || list[0].Values[0] != 299 || list[mostProfiles-1].Values[0] != 100 {
		t.Errorf("%d profiles and %d more", len(list), more)
	}
}
