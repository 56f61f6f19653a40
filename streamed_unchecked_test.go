package lanes_test

import (
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/notes"
	"github.com/lanes-go/lanes/solvers"
)

// TestUnchecked: without a penalty, a run past memory or on several processes says that it did not look for
// separable rows and for sums of columns. With one it has nothing to say, and rows in memory are looked at.
func TestUnchecked(t *testing.T) {
	data := rows(t, "dense:n=300,d=5")
	stream := opened(t, data)
	said := func(f *lanes.Fitted) (texts []string) {
		for _, n := range f.Notes {
			if n.Kind == notes.Unchecked {
				texts = append(texts, n.Then)
			}
		}
		return texts
	}
	for _, c := range []struct {
		what string
		o    lanes.Options
		want string
	}{
		{"logistic", lanes.Options{Penalty: lanes.L2(0)}, "not checked: that a minimum exists, and that no other weights are as good"},
		{"squared", lanes.Options{Loss: loss.Squared{}, Penalty: lanes.L2(0)}, "not checked: that no other weights are as good"},
		{"ridge", lanes.Options{Penalty: lanes.L2(0.1)}, ""},
		{"bounds", lanes.Options{Penalty: lanes.L2(0), Bounds: map[string]lanes.Interval{"1": {Lower: -1, Upper: 1}}}, "not checked: that a minimum exists, and that no other weights are as good"},
	} {
		f, err := lanes.TrainStream(t.Context(), stream, 1<<30, c.o)
		if err != nil {
			t.Fatal(c.what, err)
		}
		if got := said(f); len(got) > 1 || (len(got) == 1) != (c.want != "") || len(got) == 1 && got[0] != c.want {
			t.Errorf("%s in a file: %q, not %q", c.what, got, c.want)
		}
		if f, err = lanes.Train(t.Context(), data, c.o); err != nil || len(said(f)) > 0 {
			t.Errorf("%s in memory: %q, %v", c.what, said(f), err)
		}
		if c.what == "bounds" {
			continue
		}
		found, errs := onRanks(t, 2, solvers.Settings{Shards: 4}, func(s solvers.Settings) (*lanes.Fitted, error) {
			own := c.o
			own.Settings = s
			return lanes.TrainStream(t.Context(), stream, 1<<30, own)
		})
		for k, f := range found {
			if errs[k] != nil || len(said(f)) > 1 || (len(said(f)) == 1) != (c.want != "") {
				t.Errorf("%s on rank %d: %q, %v", c.what, k, said(f), errs[k])
			}
		}
	}
}
