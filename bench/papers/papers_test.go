package main

import (
	"bytes"
	"context"
	"errors"
	"html"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lanes-go/lanes/solvers/compositional"
	"github.com/lanes-go/lanes/sparse"
)

// TestResume: an interrupted study continues after the finished runs, without the half-written
// line that a kill left. Numbers come back unchanged.
func TestResume(t *testing.T) {
	l := &laboratory{state: t.TempDir(), log: io.Discard}
	want := record{"P": {1. / 3, math.Inf(1), math.Inf(-1), math.NaN()}, "none": {}}
	calls := make(map[string]int)
	measure := func(key string) run {
		return run{key, 1, func(context.Context) (record, error) { calls[key]++; return want, nil }}
	}
	broken := errors.New("broken")
	parts := []part{{runs: []run{measure("a"), measure("b")}}, {runs: []run{measure("a"), {"c", 1, func(context.Context) (record, error) { return nil, broken }}}}}
	if _, err := l.carryOut(t.Context(), "x", parts); !errors.Is(err, broken) || !strings.Contains(err.Error(), "c") {
		t.Fatalf("error %v", err)
	}
	path := filepath.Join(l.state, "x.jsonl")
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(whole, `{"key":"d","rec`...), 0o666); err != nil {
		t.Fatal(err)
	}
	parts[1].runs[1] = measure("c")
	parts[1].runs = append(parts[1].runs, measure("d"))
	if _, err := l.carryOut(t.Context(), "x", parts); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "b", "c", "d"} {
		if calls[key] != 1 {
			t.Errorf("%s was measured %d times", key, calls[key])
		}
	}
	all, err := l.carryOut(t.Context(), "x", parts)
	if err != nil {
		t.Fatal(err)
	}
	got := all["d"]["P"]
	if len(got) != 4 || got[0] != want["P"][0] || got[1] != want["P"][1] || got[2] != want["P"][2] || !math.IsNaN(got[3]) {
		t.Errorf("%v came back as %v", want["P"], got)
	}
	if err := os.WriteFile(path, []byte("{}\nno record\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := l.carryOut(t.Context(), "x", parts); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a damaged file: %v", err)
	}
}

// TestCancelled: a run that was cut short is not kept.
func TestCancelled(t *testing.T) {
	l := &laboratory{state: t.TempDir(), log: io.Discard}
	ctx, cancel := context.WithCancel(t.Context())
	short := run{"a", 1, func(context.Context) (record, error) { cancel(); return record{"P": {1}}, nil }}
	if _, err := l.carryOut(ctx, "x", []part{{runs: []run{short}}}); !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v", err)
	}
	if kept, err := readRecords(filepath.Join(l.state, "x.jsonl")); err != nil || len(kept) != 0 {
		t.Errorf("%v, error %v", kept, err)
	}
}

func TestUnknownPaper(t *testing.T) {
	if err := do(t.Context(), &laboratory{}, t.TempDir(), []string{"ai-sahra"}); err == nil || !strings.Contains(err.Error(), "ai-sarah") {
		t.Errorf("error %v", err)
	}
}

// TestBand holds means and intervals against numbers from a table of Student's t: 97.5 % of
// two degrees of freedom is 4.303.
func TestBand(t *testing.T) {
	c := band("x", []float64{0, 1}, [][]float64{{1, 5}, {2, 5}, {3, 5}}, 0.95)
	half := 4.30265 / math.Sqrt(3)
	if math.Abs(c.y[0]-2) > 1e-12 || math.Abs(c.high[0]-2-half) > 1e-4 || math.Abs(c.low[0]-2+half) > 1e-4 || c.low[1] != 5 || c.high[1] != 5 {
		t.Errorf("%+v", c)
	}
	if got := sampled([]float64{0, 1, 2}, []float64{7, 8, 9}, []float64{0, 0.5, 1, 1.5, 5}); got[0] != 7 || got[1] != 7 || got[2] != 8 || got[3] != 8 || got[4] != 9 {
		t.Errorf("sampled: %v", got)
	}
}

func example() (study, []part) {
	s := study{name: "x", title: "A <title>", claim: "claimed", setting: "set", answer: func(p map[string]shown) string { return "answered " + p["Figure 1"].order }}
	return s, []part{{name: "Figure 1", caption: "one & all", show: func(results) shown {
		return shown{found: []tally{{what: "a > b", holds: 1, level: 1, of: 4}, {what: "b > a", of: 4, cases: "cases"}}, seeds: 3, sets: setsAtHand(3, 9, "c for d"), order: "before < after", panels: []panel{
			{title: "first", x: "x", y: "y", logY: true, curves: []curve{
				{label: "falls", x: []float64{0, 1, 2, 3}, y: []float64{1, 0.1, 0, math.Inf(1)}, low: []float64{0.5, -1, 0, 0}, high: []float64{2, 0.2, 0, math.Inf(1)}},
				{label: "nowhere", x: []float64{0}, y: []float64{nan}}}},
			{title: "empty", curves: []curve{{label: "nothing"}}},
		}, tables: []table{{title: "t", rows: [][]string{{"who", "what"}, {"a<b", "1"}}}}}
	}}, {name: "Figure 2", missing: "needs a <deep> network"}}
}

// TestPageInBrowser: a browser shows the page, which asks for nothing else.
func TestPageInBrowser(t *testing.T) {
	s, parts := example()
	var html, numbers bytes.Buffer
	if err := s.write(&html, &numbers, parts, nil, "make x", "busy & noisy"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Figure 1,first,falls,1,0.1,-1,0.2\n", "Figure 1,t,a<b,what,1,,\n"} {
		if !strings.Contains(numbers.String(), want) {
			t.Errorf("the numbers lack %q:\n%s", want, numbers.String())
		}
	}
	if m := regexp.MustCompile(`(?i)\ssrc\s*=|https?://[^"]*|@import|url\(`).FindAllString(html.String(), -1); len(m) != 2 || !strings.Contains(m[0], "www.w3.org") || !strings.Contains(m[1], "www.w3.org") {
		t.Errorf("the page asks for %q", m)
	}
	if testing.Short() {
		t.Skip("starts a browser")
	}
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no browser: install chromium")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "page.html")
	if err := os.WriteFile(path, html.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	seen, err := exec.CommandContext(ctx, browser, "--headless", "--no-sandbox", "--disable-gpu", "--user-data-dir="+filepath.Join(folder, "profile"),
		"--dump-dom", "file://"+path).Output()
	if err != nil {
		t.Fatal(err)
	}
	for pattern, want := range map[string]int{`<svg`: 1, `<path`: 10, `A &lt;title&gt;`: 2, `busy &amp; noisy`: 1, `before &lt; after`: 3, `<li>a &gt; b: partly confirmed \(1 of 4 sets, level on 1\)</li><li>b &gt; a: not confirmed \(0 of 4 cases\)</li>`: 2, `3 seeds`: 1, `Sets: 3 of the paper's 9, and stand-ins: c for d.`: 1, `needs a &lt;deep&gt; network`: 1, `<td>a&lt;b</td>`: 1, `nothing to draw`: 1, `NaN|Inf`: 0} {
		if n := len(regexp.MustCompile(pattern).FindAll(seen, -1)); n < want || want == 0 && n > 0 {
			t.Errorf("%d of %s, want %d", n, pattern, want)
		}
	}
}

// TestVerdicts: one rule for all pages, and ties where the seeds' spread hides the difference.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		orders []int
		want   string
	}{
		{nil, "a: not judged (0 of 0 sets)"}, {[]int{-1, -1}, "a: confirmed (2 of 2 sets)"}, {[]int{-1, -1, 0}, "a: mostly confirmed (2 of 3 sets, level on 1)"},
		{[]int{-1, 1}, "a: partly confirmed (1 of 2 sets)"}, {[]int{0, 0}, "a: level (0 of 2 sets, level on 2)"}, {[]int{0, 1}, "a: not confirmed (0 of 2 sets, level on 1)"},
		{[]int{1}, "a: not confirmed (0 of 1 sets)"},
	} {
		got := tally{what: "a"}
		for _, order := range c.orders {
			got.count(order)
		}
		if got.String() != c.want {
			t.Errorf("%v: %q, not %q", c.orders, got, c.want)
		}
	}
	one, near, far := []float64{1, 1.2, 0.8}, []float64{1.3, 1.1, 1.2}, []float64{3, 3.1, 2.9}
	for _, c := range []struct {
		a, b []float64
		want int
	}{
		{one, near, 0}, {one, far, -1}, {far, near, 1}, {far, []float64{math.Inf(1), 1, 1}, -1}, {[]float64{nan}, one, 1},
		{[]float64{math.Inf(1)}, []float64{nan}, 0}, {[]float64{1}, []float64{2}, -1}, {[]float64{2}, []float64{2}, 0},
	} {
		if got := compare(c.a, c.b); got != c.want {
			t.Errorf("%v and %v: %d, not %d", c.a, c.b, got, c.want)
		}
	}
	if got := ahead(one, [][]float64{far, near}, compare); got != 0 {
		t.Errorf("ahead of one and level with one: %d", got)
	}
	if got := ahead(near, [][]float64{far, {0.1, 0.2}}, compare); got != 1 {
		t.Errorf("behind one: %d", got)
	}
	// Gaps of 1e-9 and 1e-3 differ although the larger one spreads over more than itself.
	small, large := []float64{1e-9, 2e-9, 1e-9}, []float64{1e-3, 1e-5, 9e-3}
	if compare(small, large) != 0 || compareLogs(small, large) != -1 {
		t.Errorf("orders %d and %d", compare(small, large), compareLogs(small, large))
	}
}

// TestEndsAbove: above returns a level only if the run reaches it and then ends above it.
func TestEndsAbove(t *testing.T) {
	for _, c := range []struct {
		gaps []float64
		want float64
	}{{[]float64{1, 1e-4, 1e-2}, 1e-3}, {[]float64{1, 1e-4, 9e-4}, nan}, {[]float64{1, 0.1, 5}, nan}, {[]float64{1, 1e-7, 1e-5}, 1e-6}} {
		if got := (record{"passes": {0, 1, 2}, "gap": c.gaps}).above(); got != c.want && !(math.IsNaN(got) && math.IsNaN(c.want)) {
			t.Errorf("%v ends above %v, not %v", c.gaps, got, c.want)
		}
	}
	p := &portfolio{first: 3, least: 1} // a gap of 2 at x0
	own := portfolioContender{"a", compositional.SCVRG{}}
	for _, c := range []struct {
		last float64
		want string
	}{{0.01, "1.0e-02 (96 / - / -)"}, {5, "5.0e+00 (96 / - / -), ends above 1e-02"}, {-1e-16, "below 1e-10 (96 / - / -)"}} {
		e := p.endings(results{p.key(own, 1): {"gap": {2, c.last}, "reached": {96, math.Inf(1), math.Inf(1)}}}, own, 1)
		if e.String() != c.want {
			t.Errorf("%v: %q, not %q", c.last, e, c.want)
		}
		if want := math.Max(c.last, optimumPrecision); e.finals[0] != want {
			t.Errorf("a gap of %v is judged as %v, not %v", c.last, e.finals[0], want)
		}
	}
}

// TestWithinFactor tests withinFactor on numbers, and on NaN for runs that did not come so far.
func TestWithinFactor(t *testing.T) {
	for _, c := range []struct {
		v    []float64
		want int
	}{{[]float64{2, 4, 3}, -1}, {[]float64{2, 4.1}, 1}, {[]float64{nan, nan}, 0}, {[]float64{2, nan}, 1}, {[]float64{nan, 2}, 1}} {
		if got := withinFactor(c.v, 2); got != c.want {
			t.Errorf("%v: %d, not %d", c.v, got, c.want)
		}
	}
}

// TestPagesCurrent: the pages in docs have the claim and the setting of their studies, word for word.
func TestPagesCurrent(t *testing.T) {
	for _, s := range studies {
		page, err := os.ReadFile(filepath.Join("..", "..", "docs", "papers", s.name+".html"))
		if err != nil {
			t.Fatal(err)
		}
		text := html.UnescapeString(string(page))
		for _, want := range []string{s.title, s.claim, s.setting} {
			if !strings.Contains(text, want) {
				t.Errorf("%s.html has another text than its study; rebuild it, or change both: %s", s.name, want)
			}
		}
	}
}

// TestFirstSteps: the tuning plan has every first step that the paper chose from it; tables 5
// and 6 print some cut off and some rounded.
func TestFirstSteps(t *testing.T) {
	steps := firstSteps()
	if len(steps) != 60 || steps[0] != 1e-3 || steps[59] != 10 {
		t.Errorf("%d steps from %v to %v", len(steps), steps[0], steps[len(steps)-1])
	}
	for _, c := range tunedSettings {
		for _, chosen := range []float64{c.adam, c.sgd} {
			if !slices.ContainsFunc(steps, func(s float64) bool { return math.Abs(s-chosen) < 1e-3 }) {
				t.Errorf("%s: %v is no first step", c.set, chosen)
			}
		}
	}
}

// TestApart: bounds of distances against all pairs.
func TestApart(t *testing.T) {
	x, err := sparse.NewCSR(3, []int64{0, 2, 3, 5, 6}, []uint32{0, 1, 2, 1, 2, 0}, []float64{3, 4, 1, 2, -1, -2})
	if err != nil {
		t.Fatal(err)
	}
	s := &paucSet{train: rowsOf{x, []float64{1, 1, -1, -1}}}
	least, most, positives := s.apart()
	// (3,4,0) and (-2,0,0) are sqrt(41) apart, the most; norms 5 and sqrt(5).
	if math.Abs(least-math.Sqrt(41)) > 1e-12 || math.Abs(most-5-math.Sqrt(5)) > 1e-12 || positives != 2 {
		t.Errorf("%v, %v, %v positives", least, most, positives)
	}
}

// TestMarks: an axis has three numbers or more, whatever it spans.
func TestMarks(t *testing.T) {
	for _, span := range [][2]float64{{0.3, 0.31}, {1e-9, 1}, {2, 9}, {1e-3, 2e-3}, {0.9, 1.1}, {5, 600}, {1e-300, 1e300}, {1e-5, 9e-5}} {
		for _, log := range []bool{false, true} {
			ticks := marks{log}.Ticks(span[0], span[1])
			if labelled(ticks) < leastMarks || labelled(ticks) > 12 {
				t.Errorf("%v, logarithmic %v: %d numbers", span, log, labelled(ticks))
			}
			for _, tick := range ticks {
				if tick.Label != "" && (tick.Value < span[0] || tick.Value > span[1]) {
					t.Errorf("%v, logarithmic %v: a number at %v", span, log, tick.Value)
				}
			}
		}
	}
}
