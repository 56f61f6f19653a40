package command

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/model"
)

// TestClassWeights: weighting a class is repeating its rows, with the mean still over as
// many as there are; balanced weights have the mean 1.
func TestClassWeights(t *testing.T) {
	t.Parallel()
	const positives, negatives = "+1 1:1 2:0.5\n+1 1:0.25 3:1\n", "-1 1:1 3:-1\n-1 2:1\n-1 1:-0.5 2:2\n-1 3:0.75\n-1 1:0.5\n-1 2:-1 3:0.5\n"
	weights := func(text string, lambda float64, more ...string) []float64 {
		t.Helper()
		path := filepath.Join(t.TempDir(), "model")
		o := inside(append([]string{"train", file(t, "data", text), "--lambda", fmt.Sprint(lambda), "--gap", "1e-13", "--quiet", "--model", path}, more...)...)
		if o.status != exitDone {
			t.Fatal(o.stderr)
		}
		m, err := model.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return m.(*model.Linear).Weights
	}
	for _, c := range []struct {
		class string
		text  string
		rows  float64 // that 8 are as many as
	}{
		{"3:1", strings.Repeat(positives, 3) + negatives, 12},
		{"1:3", positives + strings.Repeat(negatives, 3), 20},
		{"balanced", strings.Repeat(positives, 3) + negatives, 8},
	} {
		for _, solver := range []string{"newton", "prox-sdca"} {
			got, want := weights(positives+negatives, 0.1, "--class-weight", c.class, "--solver", solver), weights(c.text, 0.1*8/c.rows, "--solver", solver)
			for j := range want {
				if math.Abs(got[j]-want[j]) > 1e-5 {
					t.Errorf("%s --class-weight %s: weights %v; with rows repeated %v", solver, c.class, got, want)
					break
				}
			}
		}
	}
}

// TestWeightsOfClasses: in one-vs-rest every class has the weights that it has by itself.
// Balanced weights of one model of all classes are 1 if the classes have equal sizes.
func TestWeightsOfClasses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rows := file(t, "rows", "1 1:1 2:0.5\n2 1:0.25 3:1\n3 1:-1 3:-1\n1 2:1 3:0.25\n2 1:-0.5 2:2\n3 3:0.75\n1 1:0.5\n2 2:-1 3:0.5\n3 1:2 2:1\n")
	sparse := file(t, "more", read(t, rows)+"3 1:1\n3 2:-0.5\n")
	weights := func(name, data string, more ...string) []float64 {
		t.Helper()
		path := filepath.Join(dir, name)
		succeed(t, append([]string{"train", data, "--lambda", "0.1", "--gap", "1e-13", "--quiet", "--model", path}, more...)...)
		m, err := model.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return m.(*model.Linear).Weights
	}
	near := func(what string, got, want []float64) {
		t.Helper()
		for j, v := range want {
			if len(got) != len(want) || math.Abs(got[j]-v) > 1e-5 {
				t.Errorf("%s: weights %v, not %v", what, got, want)
				return
			}
		}
	}
	for _, weight := range []string{"3:1", "balanced"} {
		all := weights("all", sparse, "--multiclass", "--class-weight", weight)
		for k := range 3 {
			one := weights(fmt.Sprint("one", k), sparse, "--positive", fmt.Sprint(k+1), "--class-weight", weight)
			near(fmt.Sprintf("%s, class %d", weight, k+1), all[3*k:3*k+3], one)
		}
	}
	near("softmax", weights("balanced", rows, "--multiclass", "softmax", "--class-weight", "balanced"), weights("plain", rows, "--multiclass", "softmax"))
}
