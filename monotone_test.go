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
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
	"github.com/lanes-go/lanes/table"
)

// bent is a table of a number x whose effect falls and rises, with missing values, of a number z that x
// goes with, of words, and of targets: a number, a count and a class.
func bent(t *testing.T, rows int) string {
	t.Helper()
	r := rand.New(rand.NewPCG(4, 7))
	text := "x,z,word,weight,y,count,sold\n"
	for i := range rows {
		x := float64(r.IntN(20))
		z := math.Round(100*(x/10+r.NormFloat64())) / 100
		effect := (x - 8) * (x - 8) / 40
		cell := fmt.Sprint(x)
		if i%17 == 0 {
			cell, effect = "", -2
		}
		y := effect + 0.3*z + 0.5*r.NormFloat64()
		count, sold := 0, "no"
		for p := math.Exp(-math.Exp(0.4 * effect)); r.Float64() > p && count < 20; {
			count++
		}
		if r.Float64() < 1/(1+math.Exp(-effect)) {
			sold = "yes"
		}
		text += fmt.Sprintf("%s,%v,%s,%d,%v,%d,%s\n", cell, z, []string{"a", "b", "c"}[r.IntN(3)], 1+r.IntN(3), y, count, sold)
	}
	path := filepath.Join(t.TempDir(), "bent.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func learned(t *testing.T, path string, w table.Wanted) (*table.Encoder, *sparse.Data) {
	t.Helper()
	s, err := table.Open(path, table.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := table.Infer(t.Context(), s, w)
	if err != nil {
		t.Fatal(err)
	}
	e, err := table.Fit(t.Context(), s, r)
	if err != nil {
		t.Fatal(err)
	}
	data, err := e.Encode(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return e, data
}

// turns returns how far the scores of rows whose x rises from -3 to 23 go back at most, where direction
// is 1 for up and -1 for down.
func turns(t *testing.T, e *table.Encoder, f *lanes.Fitted, direction float64) (most float64) {
	t.Helper()
	s, best := e.Scorer(f), math.Inf(-1)
	for i := range 521 {
		score, err := s.ScoreMap(map[string]any{"x": -3 + float64(i)/20, "z": 0.5, "word": "b"})
		if err != nil {
			t.Fatal(err)
		}
		best = max(best, direction*score)
		most = max(most, best-direction*score)
	}
	return most
}

// TestMonotone: scores of rows whose number rises never fall where it is up, never rise where it is down,
// and turn without a direction; of lines, bins and splines, for losses and penalties. The minimum is certified, and
// has the bits of the one with the same bounds by names of columns.
func TestMonotone(t *testing.T) {
	t.Parallel()
	path := bent(t, 900)
	for _, of := range []struct {
		target string
		o      lanes.Options
	}{
		{"sold", lanes.Options{}},
		{"sold", lanes.Options{Penalty: lanes.ElasticNet(0.001, 0.01), Intercept: lanes.PenalisedIntercept}},
		{"count", lanes.Options{Kind: lanes.Regression, Loss: loss.Poisson{}}},
		{"y", lanes.Options{Kind: lanes.Regression, Loss: loss.Squared{}, Normalize: "std"}},
	} {
		for _, w := range []table.Wanted{{}, {Bins: 8}, {Splines: []string{"x=6"}}} {
			w.Target, w.Ignored = of.target, slices.DeleteFunc([]string{"y", "count", "sold"}, func(c string) bool { return c == of.target })
			w.Weight = "weight"
			free, data := learned(t, path, w)
			by := turns(t, free, train(t, data, of.o), 1)
			for direction, sign := range map[string]float64{table.Up: 1, table.Down: -1} {
				w.Monotone = []string{"x=" + direction}
				e, data := learned(t, path, w)
				f := train(t, data, of.o)
				if f.Result.Status != solvers.Converged || !(f.Result.Gap <= f.Used.GapTolerance) || f.Problem.Bounded() == 0 || f.Problem.Bounded() != len(e.Monotone()) {
					t.Errorf("%s, %+v: %v, a gap of %v, %d bounds", of.target, w, f.Result.Status, f.Result.Gap, f.Problem.Bounded())
				}
				if back := turns(t, e, f, sign); back > 1e-6 {
					t.Errorf("%s, %+v: scores go back by %v, and %v without a direction", of.target, w, back, by)
				}
				plain, o := *data, of.o
				plain.Encoding = nil
				o.Bounds = map[string]lanes.Interval{}
				if o.Intercept == lanes.UsualIntercept {
					o.Intercept = lanes.FreeIntercept
				}
				for j := range e.Monotone() {
					o.Bounds[fmt.Sprint(j+1)] = lanes.Interval{Lower: 0, Upper: math.Inf(1)}
					if direction == table.Down {
						o.Bounds[fmt.Sprint(j+1)] = lanes.Interval{Lower: math.Inf(-1), Upper: 0}
					}
				}
				if g := train(t, &plain, o); !slices.Equal(g.Result.Weights, f.Result.Weights) {
					t.Errorf("%s, %+v: weights %v, by bounds %v", of.target, w, f.Result.Weights, g.Result.Weights)
				}
			}
			if (len(w.Splines) > 0 || w.Bins > 0) && by < 0.1 {
				t.Errorf("%s, %+v: without a direction scores go back by %v", of.target, w, by)
			}
		}
	}
}

// TestMonotoneIsIsotonic: targets by steps at each distinct number are the isotonic regression of their
// means, by the formula of minima and maxima of means; the mean of rows without a number is free.
func TestMonotoneIsIsotonic(t *testing.T) {
	t.Parallel()
	path := bent(t, 900)
	e, data := learned(t, path, table.Wanted{Target: "y", Weight: "weight", Bins: 64, Monotone: []string{"x=up"}, Ignored: []string{"z", "word", "count", "sold"}})
	if len(e.Monotone()) != 19 {
		t.Fatalf("%d steps of 20 numbers", len(e.Monotone()))
	}
	f := train(t, data, lanes.Options{Kind: lanes.Regression, Loss: loss.Squared{}, Penalty: lanes.L2(1e-9), Tolerance: 1e-10})
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var sums, weights [21]float64
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		var x, y, weight float64
		cells, k := strings.Split(line, ","), 20
		fmt.Sscan(cells[3], &weight)
		fmt.Sscan(cells[4], &y)
		if n, _ := fmt.Sscan(cells[0], &x); n == 1 {
			k = int(x)
		}
		sums[k] += weight * y
		weights[k] += weight
	}
	s, held := e.Scorer(f), 0
	for k := range 20 {
		want := math.Inf(-1)
		for i := range k + 1 {
			least, sum, weight := math.Inf(1), 0.0, 0.0
			for j := i; j < 20; j++ {
				sum += sums[j]
				if weight += weights[j]; j >= k {
					least = min(least, sum/weight)
				}
			}
			want = max(want, least)
		}
		got, err := s.Score([]string{fmt.Sprint(k)})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(got-want) > 1e-5 {
			t.Errorf("the mean of %d is %v, not %v", k, got, want)
		}
		if math.Abs(sums[k]/weights[k]-want) > 0.01 {
			held++
		}
	}
	if held < 5 {
		t.Errorf("%d means are held", held)
	}
	if got, err := s.Score([]string{""}); err != nil || math.Abs(got-sums[20]/weights[20]) > 1e-5 {
		t.Errorf("the mean of rows without a number is %v, not %v: %v", got, sums[20]/weights[20], err)
	}
}

// TestMonotoneSearches: paths and folds, over either norm, keep the direction.
func TestMonotoneSearches(t *testing.T) {
	t.Parallel()
	e, data := learned(t, bent(t, 600), table.Wanted{Target: "sold", Bins: 8, Monotone: []string{"x=down"}, Ignored: []string{"y", "count", "weight"}})
	for _, s := range []lanes.Search{{OverL1: true}, {}, {OverL1: true, Folds: 3}, {Folds: 3}} {
		search := lanes.CrossValidate
		if s.Folds == 0 {
			search = lanes.Path
		}
		f, err := search(t.Context(), data, s)
		if err != nil {
			t.Fatal(err)
		}
		if back := turns(t, e, f, -1); back > 1e-6 || f.Unsolved > 0 || f.Result.Solver != "proximal-newton" {
			t.Errorf("over L1 %t, %d folds: scores go back by %v, %d unsolved by %s", s.OverL1, s.Folds, back, f.Unsolved, f.Result.Solver)
		}
	}
}

// TestMonotoneRefused: what would let the effect turn, and solvers and problems without bounds.
func TestMonotoneRefused(t *testing.T) {
	t.Parallel()
	path := bent(t, 300)
	_, data := learned(t, path, table.Wanted{Target: "sold", Bins: 8, Monotone: []string{"x=up", "z=down"}, Ignored: []string{"y", "count"}})
	_, words := learned(t, path, table.Wanted{Target: "word", Monotone: []string{"x=up"}})
	for want, c := range map[string]struct {
		data *sparse.Data
		o    lanes.Options
	}{
		"Monotone = x=up, z=down: newton takes no penalty but a ridge; take the solver proximal-newton, or leave Monotone out": {data, lanes.Options{Solver: "newton"}},
		"one number changes all columns":                    {data, lanes.Options{Normalize: "unit"}},
		"Monotone = x=up, z=down: it needs all rows in":     {data, lanes.Options{Settings: solvers.Settings{Shards: 2}}},
		"is to be within [-2, -1], and Monotone":            {data, lanes.Options{Bounds: map[string]lanes.Interval{"x>*": {Lower: -2, Upper: -1}}}},
		"Monotone = x=up: several classes have a score":     {words, lanes.Options{Kind: lanes.OneVsRest}},
		"not all can rise: name one class as Positive, or ": {words, lanes.Options{Kind: lanes.Softmax}},
	} {
		if _, err := lanes.Train(t.Context(), c.data, c.o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want an error that says %q", err, want)
		}
	}
	if _, err := lanes.For(t.Context(), data, "ap", 3, lanes.Options{}); err == nil || !strings.Contains(err.Error(), "without bounds of weights") {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "rows.lanes")
	if _, err := sparse.WriteCacheBlocks(t.Context(), file, func(yield func(*sparse.Data, error) bool) { yield(data, nil) }, sparse.Storage{}); err != nil {
		t.Fatal(err)
	}
	rows, err := sparse.OpenStream(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if _, err := lanes.TrainStream(t.Context(), rows, 1<<20, lanes.Options{}); err == nil || !strings.Contains(err.Error(), "needs all rows in memory, or leave Monotone out") {
		t.Error(err)
	}
}
