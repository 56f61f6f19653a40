package bench

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// saved writes a report as --json prints it, after a change.
func saved(t *testing.T, change func(r *Report)) string {
	t.Helper()
	r, err := fewResults()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	own := new(Report)
	if err := json.Unmarshal(text, own); err != nil {
		t.Fatal(err)
	}
	change(own)
	if text, err = json.Marshal(own); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "old.json")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCompare(t *testing.T) {
	now, err := fewResults()
	if err != nil {
		t.Fatal(err)
	}
	path := saved(t, func(r *Report) {
		scale := func(k int, factor float64) {
			x := &r.Results[k]
			x.Time, x.Median = x.Time*factor, x.Median*factor
		}
		scale(0, 2)    // twice as fast now
		scale(1, 0.8)  // a quarter slower
		scale(2, 1.02) // less than any two runs may differ by
		scale(3, 0.8)  // but noisy
		r.Results[3].Drift = 0.3
		scale(4, 0.8) // but only in the median
		r.Results[4].Time, r.Results[4].Median = 1e6, 2e6
		r.Results = r.Results[:len(r.Results)-1]
	})
	old, err := ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := old.Comparable(ThisMachine()); err != nil {
		t.Errorf("the same machine: %v", err)
	}
	wants := old.Wants()
	if last := &now.Results[len(now.Results)-1]; wants(last) || !wants(&now.Results[0]) {
		t.Error("it wants what it has nothing of, or not what it has")
	}
	again := *now
	again.Changes = nil
	again.Compare(old, "old.json")
	if len(again.Changes) != 2 || again.Changes[0].Ratio != 0.5 || again.Changes[1].Ratio != 1.25 || again.Changes[0].Name != now.Results[0].Name() {
		t.Errorf("changes: %+v", again.Changes)
	}
	// Where a run drifts as a whole, it hides what is less than its drift.
	old.Noise.Drift = map[string]float64{now.Results[1].Place: 0.5}
	again.Changes = nil
	if again.Compare(old, "old.json"); len(again.Changes) != 1 {
		t.Errorf("against a noisy run: %+v", again.Changes)
	}
	var out strings.Builder
	if err := again.WriteTable(&out); err != nil || !strings.Contains(out.String(), "1 of ") || !strings.Contains(out.String(), "-50.0 %") {
		t.Errorf("%v\n%s", err, out.String())
	}
	out.Reset()
	again.Changes = nil
	if err := again.WriteTable(&out); err != nil || !strings.Contains(out.String(), "Nothing changed against old.json") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

// TestCompareTakesOffWhatIsCommon: a machine that is slower as a whole is no change of
// every kernel, and hides none.
func TestCompareTakesOffWhatIsCommon(t *testing.T) {
	result := func(k int, place string, ns float64) Result {
		return Result{Kernel: "dense.Dot", Size: Size{Length: k + 1}, Path: "generic", Place: place, Time: ns, Median: ns}
	}
	var old, now Report
	for k := range 2 * manyResults {
		place, factor := "L2", 1.1
		if k >= manyResults {
			place, factor = "L3", 1
		}
		switch k {
		case 3:
			factor = 1.4
		case 4:
			factor = 0.9
		case 5:
			factor = 1 // it got faster than the machine got slower: nobody knows
		case manyResults + 3:
			factor = 1.1
		}
		old.Results, now.Results = append(old.Results, result(k, place, 100)), append(now.Results, result(k, place, 100*factor))
	}
	now.Compare(&old, "old.json")
	var changed []int
	for _, c := range now.Changes {
		changed = append(changed, int(math.Round(100*c.Ratio)))
	}
	if !slices.Equal(changed, []int{140, 90, 110}) {
		t.Errorf("changes: %+v", now.Changes)
	}
	if len(now.Warnings) != 1 || !strings.Contains(now.Warnings[0], "+10.0 %") || !strings.Contains(now.Warnings[0], "L2") {
		t.Errorf("warnings: %q", now.Warnings)
	}
}

// TestHostileFiles leaves out one thing after the other, and puts another in its place:
// what is read can be shown.
func TestHostileFiles(t *testing.T) {
	r, err := fewResults()
	if err != nil {
		t.Fatal(err)
	}
	short := *r
	short.Results = short.Results[:2]
	text, err := json.Marshal(&short)
	if err != nil {
		t.Fatal(err)
	}
	var whole any
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "old.json")
	read := 0
	try := func() {
		text, err := json.Marshal(whole)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		old, err := ReadFile(path)
		if err != nil {
			return
		}
		read++
		again := *old
		again.Compare(old, path)
		for _, write := range []func(io.Writer) error{again.WriteTable, again.WriteGo, again.WritePage} {
			if err := write(io.Discard); err != nil {
				t.Errorf("%v of %s", err, text)
			}
		}
	}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for key, value := range v {
				walk(value)
				delete(v, key)
				try()
				for _, other := range []any{-1.0, 1e300, "", []any{}} {
					v[key] = other
					try()
				}
				v[key] = value
			}
		case []any:
			for k, value := range v[:min(len(v), 2)] {
				walk(value)
				v[k] = 0
				try()
				v[k] = value
			}
		}
	}
	walk(whole)
	if read < 50 {
		t.Errorf("only %d files were read", read)
	}
}

func TestBadFiles(t *testing.T) {
	text := func(content string) string {
		path := filepath.Join(t.TempDir(), "old.json")
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	whole, err := os.ReadFile(saved(t, func(*Report) {}))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ path, says string }{
		"absent":        {filepath.Join(t.TempDir(), "none"), "no such file"},
		"a directory":   {t.TempDir(), "directory"},
		"empty":         {text(""), "damaged"},
		"cut":           {text(string(whole[:len(whole)/2])), "damaged"},
		"another's":     {text(`{"solver": "newton", "objective": 1}`), `format is ""`},
		"no object":     {text(`[1, 2]`), "not what lanes bench"},
		"words":         {text(`{"format": "lanes bench 1", "results": "many"}`), "not what lanes bench"},
		"later":         {saved(t, func(r *Report) { r.Format = "lanes bench 7" }), "lanes bench 7"},
		"no results":    {saved(t, func(r *Report) { r.Results = nil }), "no results"},
		"no time":       {saved(t, func(r *Report) { r.Results[2].Time = 0 }), "takes 0 ns"},
		"a negative":    {saved(t, func(r *Report) { r.Results[2].Median = -1 }), "-1 in the median"},
		"its median":    {saved(t, func(r *Report) { r.Results[2].Time = 2e6 }), "takes 2e+06 ns at best"},
		"its own noise": {saved(t, func(r *Report) { r.Noise.Drift["L1"] = -1 }), "noise"},
	} {
		_, err := ReadFile(c.path)
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), c.path) {
			t.Errorf("%s: %v does not say %q of %s", name, err, c.says, c.path)
		}
	}
	for name, change := range map[string]func(r *Report){
		"sizes": func(r *Report) { r.Sizes = nil }, "limits": func(r *Report) { r.Limits = nil }, "a rate": func(r *Report) { r.Limits[0].Gather = nil },
		"latencies": func(r *Report) { r.Latencies.Load = r.Latencies.Load[1:] }, "a path": func(r *Report) { r.Results[1].Path = "sse2" },
		"a place": func(r *Report) { r.Results[1].Place = "disk" }, "elements": func(r *Report) { r.Results[1].Elements = 0 },
		"samples": func(r *Report) { r.Results[1].Samples = nil }, "a sample": func(r *Report) { r.Results[1].Samples[0] = 0 }, "repeats": func(r *Report) { r.Results[1].Repeats = 0 },
	} {
		if _, err := ReadFile(saved(t, change)); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("without %s: %v", name, err)
		}
	}
	for name, change := range map[string]func(r *Report){
		"another CPU":  func(r *Report) { r.Machine.Name = "Z80" },
		"another arch": func(r *Report) { r.Machine.Arch = "mips" },
		"more cache":   func(r *Report) { r.Machine.L3 *= 2; r.Machine.L2++ },
	} {
		r, err := ReadFile(saved(t, change))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Comparable(ThisMachine()); err == nil || !strings.Contains(err.Error(), "another machine") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
