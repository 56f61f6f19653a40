package lanes_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/table"
)

// waves is a table of a number whose odds change at eighths, of a line, of noise that is mostly 0, and of words.
func waves(t *testing.T, last int) *table.Source {
	t.Helper()
	r := rand.New(rand.NewPCG(5, 1))
	text := "wave,line,noise,same,word,when,y,sold\n"
	for i := range 1600 {
		x, line, noise := float64(i*7%1600)/1600, r.Float64(), 0.0
		if i%10 == 0 {
			noise = r.NormFloat64()
		}
		sold := 0
		if r.Float64() < []float64{0.1, 0.9}[int(8*x)%2] != (i >= last) {
			sold = 1
		}
		text += fmt.Sprintf("%v,%v,%v,3,%s,%d,%v,%d\n", x, line, noise, []string{"a", "b"}[i%2], i, 2*line+0.1*r.NormFloat64(), sold)
	}
	path := filepath.Join(t.TempDir(), "waves.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := table.Open(path, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func openRecipe(t *testing.T, s *table.Source, w table.Wanted) *table.Recipe {
	t.Helper()
	r, err := table.Infer(t.Context(), s, w)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestChooseBins: the chosen numbers of bins are the numbers that the cuts in the data have, and the least numbers where
// more bins do not help. The means are the means of folds of the column alone, in a monotone column with its direction.
func TestChooseBins(t *testing.T) {
	t.Parallel()
	s := waves(t, 1600)
	for _, c := range []struct {
		w     table.Wanted
		o     lanes.Options
		wants string
	}{
		{table.Wanted{Target: "sold", Bins: table.Auto, Ignored: []string{"y", "when"}}, lanes.Options{}, "wave 8 line 4"},
		{table.Wanted{Target: "sold", Bins: table.Auto, Ignored: []string{"y", "when", "line"}}, lanes.Options{Metric: "auc", Loss: loss.Hinge{}}, "wave 8"},
		{table.Wanted{Target: "y", Bins: 4, Splines: []string{"line=auto"}, Monotone: []string{"line=up"}, Ignored: []string{"sold", "when"}}, lanes.Options{Kind: lanes.Regression}, "line 1"},
		{table.Wanted{Target: "y", Bins: table.Auto, Monotone: []string{"line=up", "noise=down"}, Ignored: []string{"sold", "when", "wave"}}, lanes.Options{Kind: lanes.Regression}, "line 64 noise 4"},
	} {
		r := openRecipe(t, s, c.w)
		before := fmt.Sprintf("%+v", r.Columns)
		if _, err := table.Fit(t.Context(), s, r); err == nil || !strings.Contains(err.Error(), "give a number here") {
			t.Errorf("Fit of %v: %v", c.wants, err)
		}
		chosen, list, err := lanes.ChooseBins(t.Context(), s, r, "", 4, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(list); !strings.HasPrefix(got, "["+c.wants) || strings.Contains(got, "same") || strings.Contains(got, "word") {
			t.Errorf("%+v: %s, not %s", c.w, got, c.wants)
		}
		if after := fmt.Sprintf("%+v", r.Columns); after != before {
			t.Errorf("the recipe became %s", after)
		}
		c.o.Settings.Workers = 3
		if _, again, err := lanes.ChooseBins(t.Context(), s, r, "", 4, c.o); err != nil || fmt.Sprint(again) != fmt.Sprint(list) || !slices.EqualFunc(again, list, func(a, b lanes.ChosenBins) bool { return slices.Equal(a.Means, b.Means) }) {
			t.Errorf("again: %v, %v", again, err)
		}
		for _, of := range list {
			at := slices.IndexFunc(chosen.Columns, func(column table.Column) bool { return column.Name == of.Column })
			if column := chosen.Columns[at]; of.Spline && column.Spline != of.Count || !of.Spline && column.Bins != of.Count || !strings.HasSuffix(column.Why, " by folds") {
				t.Errorf("the recipe has %+v for %+v", column, of)
			}
			if len(of.Tried) != len(of.Means) || of.Column == "wave" && len(of.Tried) != 7 {
				t.Errorf("%s tried %v, means %v", of.Column, of.Tried, of.Means)
			}
			var values [][]float64
			for k, tried := range of.Tried {
				alone := *r
				alone.Columns = slices.Clone(r.Columns)
				for i := range alone.Columns {
					switch column := &alone.Columns[i]; {
					case i == at && of.Spline:
						column.Spline = tried
					case i == at:
						column.Bins = tried
					case column.Kind != table.Target:
						*column = table.Column{Name: column.Name, Kind: table.Ignore}
					}
				}
				e, err := table.Fit(t.Context(), s, &alone)
				if err != nil {
					t.Fatal(err)
				}
				data, err := e.Encode(t.Context(), s)
				if err != nil {
					t.Fatal(err)
				}
				o := c.o
				if o.Loss != nil {
					o.Loss = nil // no probabilities
				}
				f, err := lanes.CrossValidate(t.Context(), data, lanes.Search{Options: o, Folds: 4, One: true})
				if err != nil {
					t.Fatal(err)
				}
				if want := f.Folds.Mean[0]; !near(of.Means[k], want) {
					t.Errorf("%s: %d bins have the mean %v, not %v", of.Column, tried, of.Means[k], want)
				}
				values = append(values, f.Folds.Values[0])
			}
			best := slices.Index(of.Means, slices.Min(of.Means))
			if of.Metric == "auc" {
				best = slices.Index(of.Means, slices.Max(of.Means))
			}
			for k, tried := range of.Tried {
				mean, square := of.Means[k]-of.Means[best], 0.0
				for i, v := range values[k] {
					square += (v - values[best][i] - mean) * (v - values[best][i] - mean)
				}
				if within := math.Abs(mean) <= math.Sqrt(square/3)/2; within != (tried == of.Count) {
					t.Errorf("%+v: %d is within an error of the best: %t", of, tried, within)
				} else if within {
					break
				}
			}
		}
	}
}

// TestChooseBinsLeavesHeldOutRows: labels of rows that are held out change nothing, and of others they do.
func TestChooseBinsLeavesHeldOutRows(t *testing.T) {
	t.Parallel()
	means := map[int][]float64{}
	for _, last := range []int{1600, 1200, 1100} {
		s := waves(t, last)
		r := openRecipe(t, s, table.Wanted{Target: "sold", Bins: table.Auto, Ignored: []string{"line", "noise", "y", "word", "when"}})
		_, list, err := lanes.ChooseBins(t.Context(), s, r, "when", 4, lanes.Options{Holdout: 0.25})
		if err != nil {
			t.Fatal(err)
		}
		means[last] = list[0].Means
	}
	if !slices.Equal(means[1600], means[1200]) || slices.Equal(means[1600], means[1100]) {
		t.Errorf("means %v", means)
	}
}

func TestChooseBinsRefuses(t *testing.T) {
	t.Parallel()
	s := waves(t, 1600)
	closed := openRecipe(t, s, table.Wanted{Target: "sold", Bins: 4})
	if same, list, err := lanes.ChooseBins(t.Context(), s, closed, "", 0, lanes.Options{}); err != nil || list != nil || same == nil || len(same.Open()) > 0 {
		t.Errorf("a recipe without open numbers: %v, %v", list, err)
	}
	open := openRecipe(t, s, table.Wanted{Target: "word", Bins: table.Auto})
	if _, _, err := lanes.ChooseBins(t.Context(), s, open, "", 1, lanes.Options{}); err == nil || !strings.Contains(err.Error(), `column "wave"`) || !strings.Contains(err.Error(), "two folds") {
		t.Error(err)
	}
	if _, _, err := lanes.ChooseBins(t.Context(), nil, open, "", 1, lanes.Options{}); err == nil {
		t.Error("there is no source")
	}
	if _, _, err := lanes.ChooseBins(t.Context(), s, openRecipe(t, s, table.Wanted{Bins: table.Auto}), "", 0, lanes.Options{}); err == nil || !strings.Contains(err.Error(), "two classes are needed") {
		t.Error(err)
	}
}
