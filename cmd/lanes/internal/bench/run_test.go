package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/lanes-go/lanes/dispatch"
)

// ticking is a clock on which reading the clock takes a while, and all work takes no time.
type ticking struct{ t, tick int64 }

func (c *ticking) now() int64 {
	c.t += c.tick
	return c.t
}

func (c *ticking) busy() (int64, bool) { return 0, false }

// quickly measures something of every family by a clock that ticks: every sample takes a
// millisecond.
func quickly() Options {
	return Options{Quick: true, Core: -1, clock: &ticking{tick: 1e6}, most: 1 << 17,
		Filter: regexp.MustCompile(`^(dense\.(Dot|Axpy)|element\.(Exp|Grad|PairBlock.Hinge)|rows\.(Dot|Lazy.Fetch|Wide.MatMul)|rows.Vector.Dot)$|/(i32f64|i16ones|huber)$`)}
}

var fewResults = sync.OnceValues(func() (*Report, error) { return Run(context.Background(), quickly()) })

func TestRun(t *testing.T) {
	restore, err := dispatch.Force("generic") // which no run ends with
	if err != nil {
		t.Fatal(err)
	}
	defer restore()
	o := quickly()
	var shares []float64
	o.Progress = func(what string, done float64) {
		if shares = append(shares, done); what == "" {
			t.Error("progress of nothing")
		}
	}
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if now := dispatch.Current(); now != "generic" && len(runnable()) > 1 {
		t.Errorf("the path in force is %s, was generic", now)
	}
	if !slices.IsSorted(shares) || shares[0] != 0 || shares[len(shares)-1] >= 1 || shares[len(shares)-1] < 0.9 {
		t.Errorf("progress from %v to %v", shares[0], shares[len(shares)-1])
	}
	seen := make(map[string]bool)
	for k := range r.Results {
		x := &r.Results[k]
		if seen[x.key()] {
			t.Errorf("%s twice", x.key())
		}
		seen[x.key()] = true
		if x.Time != 1e6 || x.Median != 1e6 || x.Drift != 0 || x.Repeats != 1 {
			t.Errorf("%s: %v ns (median %v, drift %v) in %d repeats, by a clock of a millisecond", x.key(), x.Time, x.Median, x.Drift, x.Repeats)
		}
		if x.Limit != limitNone && !(x.Share > 0) || x.Share != x.LimitTime/x.Time || x.Elements <= 0 || x.Place == "" {
			t.Errorf("%s: %+v", x.key(), *x)
		}
	}
	for _, path := range runnable() {
		for _, name := range []string{"dense.Dot/8/", "element.Grad/huber/1024/", "rows.Dot/i16ones/4 of 2048, 16384/", "rows.Vector.Dot/i32f64/76 of 2048/",
			"rows.Wide.MatMul/20 of 256, 4096/", "rows.Vector.Dot/i16ones/4 of 2048/", "element.PairBlock.Hinge/16/"} {
			if !seen[name+path.Path] {
				t.Errorf("no %s", name+path.Path)
			}
		}
	}
	if seen["rows.Dot/i16ones/64 of 1048576, 1048576/generic"] {
		t.Error("more columns than 16 bits can number")
	}
	// 131072 bytes in a millisecond.
	last := len(r.Sizes) - 1
	if got := r.Limits[0].Read[last]; r.Sizes[last] != 1<<17 || !(math.Abs(got-131072e3) <= 1) {
		t.Errorf("%d bytes are read at %v bytes a second", r.Sizes[last], got)
	}
	for name, p := range r.Limits {
		for s := range r.Sizes[1:] {
			if p.Read[s] < p.Read[s+1] || p.Gather[s] < p.Gather[s+1] {
				t.Errorf("limits of %d: a greater size is faster: %v %v", name, p.Read, p.Gather)
			}
		}
	}
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	back := new(Report)
	if err := json.Unmarshal(text, back); err != nil || len(back.Results) != len(r.Results) || back.Results[3].key() != r.Results[3].key() {
		t.Errorf("JSON and back: %v", err)
	}
}

func TestOptions(t *testing.T) {
	o := quickly()
	o.Filter, o.Lengths, o.Paths = regexp.MustCompile("^dense.Dot$"), []int{8}, []string{"generic"}
	r, err := Run(context.Background(), o)
	if err != nil || len(r.Results) != 1 || r.Results[0].key() != "dense.Dot/8/generic" {
		t.Fatalf("%v, %+v", err, r)
	}
	if len(r.Limits) != len(runnable()) {
		t.Errorf("limits of %d paths", len(r.Limits))
	}
	o.Lengths = []int{7, 100}
	if r, err = Run(context.Background(), o); err != nil || len(r.Results) != 2 || r.Results[1].key() != "dense.Dot/100/generic" {
		t.Errorf("other lengths: %v, %+v", err, r)
	}
	for _, n := range []int{0, -1, 1 << 24} {
		var bad *OptionError
		o.Lengths = []int{8, n}
		if _, err = Run(context.Background(), o); !errors.As(err, &bad) || bad.Option != "lengths" || bad.Value != strconv.Itoa(n) {
			t.Errorf("length %d: %v", n, err)
		}
	}
	o.Lengths = []int{8}
	o.Wanted = func(x *Result) bool { return false }
	if _, err := Run(context.Background(), o); !errors.Is(err, ErrNothing) {
		t.Errorf("nothing is wanted: %v", err)
	}
	o.Wanted, o.Paths = nil, []string{"sse2"}
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "sse2") || !strings.Contains(err.Error(), "generic") {
		t.Errorf("no such path: %v", err)
	}
	o.Paths, o.Core = nil, 1<<20
	if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), "core 1048576") {
		t.Errorf("no such core: %v", err)
	}
	o.Core = -1
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = func(_ string, done float64) {
		if done > 0.5 {
			cancel()
		}
	}
	if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// stepping is a clock whose work takes time, and is interrupted now and then.
type stepping struct {
	t, ran int64
}

func (c *stepping) now() int64          { return c.t }
func (c *stepping) busy() (int64, bool) { return c.ran, true }
func (c *stepping) work(ns, stolen int64) {
	c.t += ns + stolen
	c.ran += ns
}

func TestSampler(t *testing.T) {
	c := new(stepping)
	s := &sampler{clock: c, slice: 1e5}
	n := s.calibrate(func(n int) { c.work(int64(n)*7, 0) })
	if n < 14286 || n > 30000 {
		t.Errorf("%d repetitions of 7 ns for a slice of 100 µs", n)
	}
	if n := s.calibrate(func(n int) { c.work(int64(n)*3e9, 0) }); n != 1 {
		t.Errorf("%d repetitions of 3 s", n)
	}
	if n := (&sampler{clock: &ticking{}, slice: 1}).calibrate(func(int) {}); n != mostRepeats {
		t.Errorf("%d repetitions while the clock stands still", n)
	}
	calls := 0
	got := s.sample(func(n int) {
		if calls++; calls == 1 {
			c.work(int64(n)*10, 4e5)
		} else {
			c.work(int64(n)*7, 0)
		}
	}, 1000)
	if got != 7 || s.taken != 2 || s.interrupted != 1 {
		t.Errorf("interrupted once: %v ns, %d samples, %d interrupted", got, s.taken, s.interrupted)
	}
	// What takes long is not tried again: the time that it ran counts.
	if got := s.sample(func(n int) { c.work(int64(n)*5e6, 3e6) }, 1); got != 5e6 || s.taken != 3 {
		t.Errorf("a long one, interrupted: %v ns, %d samples", got, s.taken)
	}
	slow := 0
	if got := s.fastest(func(n int) {
		slow++
		c.work(int64(n)*int64(7+slow%3), 0)
	}, 5); got != 7 {
		t.Errorf("the fastest of 7, 8 and 9 is %v", got)
	}
}

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		x       []float64
		q, want float64
	}{{[]float64{5}, 0.5, 5}, {[]float64{1, 2}, 0.5, 1.5}, {[]float64{1, 2, 3, 4, 5}, 0.25, 2}, {[]float64{1, 2, 3, 4}, 0.75, 3.25}, {[]float64{1, 2, 9}, 1, 9}} {
		if got := quantile(c.x, c.q); got != c.want {
			t.Errorf("quantile %v of %v: %v, want %v", c.q, c.x, got, c.want)
		}
	}
	if got := median([]float64{9, 1, 5}); got != 5 {
		t.Errorf("median %v", got)
	}
}

func TestSummary(t *testing.T) {
	r := Result{Samples: []float64{8, 9, 5, 7, 6, 10}, passes: []float64{8, 5, 6}}
	if r.summarize(); r.Time != 5 || r.Median != 7.5 || r.Drift != 0.2 || r.spread() != 0.5 {
		t.Errorf("%+v, spread %v", r, r.spread())
	}
}

func TestNoiseIsToldOf(t *testing.T) {
	for name, c := range map[string]struct {
		noise Noise
		says  string
	}{
		"calm":        {Noise{Samples: 100, Interrupted: 3, Spread: 0.02, Slowest: 3, Fastest: 3.1}, ""},
		"interrupted": {Noise{Samples: 100, Interrupted: 20, Slowest: 3, Fastest: 3}, "20 %"},
		"spread":      {Noise{Samples: 100, Spread: 0.12, Slowest: 3, Fastest: 3}, "12 %"},
		"clock":       {Noise{Samples: 100, Slowest: 2, Fastest: 3}, "2.00 and 3.00 GHz"},
	} {
		r := &Report{Noise: c.noise}
		r.warnOfNoise()
		if (len(r.Warnings) == 0) != (c.says == "") || c.says != "" && !strings.Contains(r.Warnings[0], c.says) {
			t.Errorf("%s: %q", name, r.Warnings)
		}
	}
}

func TestGoFormat(t *testing.T) {
	r, err := fewResults()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := r.WriteGo(&out); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	samples := 0
	for _, x := range r.Results {
		samples += len(x.Samples)
	}
	if head := strings.Join(lines[:4], "\n"); !regexp.MustCompile(`^goos: \w+\ngoarch: \w+\npkg: \S+\ncpu: .+$`).MatchString(head) {
		t.Errorf("head:\n%s", head)
	}
	if len(lines)-4 != samples {
		t.Errorf("%d lines of %d samples", len(lines)-4, samples)
	}
	line := regexp.MustCompile(`^Benchmark[A-Z][\w./=-]*\t([1-9]\d*)(?:\t(\S+) \S+)+$`)
	for _, text := range lines[4:] {
		m := line.FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("not a line of a benchmark: %q", text)
		}
		if v, err := strconv.ParseFloat(m[2], 64); err != nil || !(v > 0) {
			t.Fatalf("%q: %v", text, err)
		}
	}
	if !strings.Contains(out.String(), "BenchmarkRows.Dot/variant=i16ones/length=4/columns=2048/nonzeros=16384/path=generic\t1\t1e+06 ns/op\t") {
		t.Error("no line of rows.Dot")
	}
}

func TestTable(t *testing.T) {
	r, err := fewResults()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := r.WriteTable(&out); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{r.Machine.Name, "read, GB/s", "scattered loads, G/s", "multiply-adds, G/s", "an addition takes", "dense.Dot", "1.00 ms", "rows.Dot/i16ones", "64 of 2048, 16384", "share"} {
		if !strings.Contains(out.String(), part) {
			t.Errorf("the table does not say %q", part)
		}
	}
	for _, line := range strings.Split(out.String(), "\n") {
		if strings.Contains(line, "rows.Lazy.Fetch") && !strings.Contains(line, "none") {
			t.Errorf("a share of what computes nothing: %s", line)
		}
	}
}
