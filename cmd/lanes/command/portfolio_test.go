package command

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// portfolioAnswer is what --json promises.
type portfolioAnswer struct {
	Status    string             `json:"status"`
	Periods   int                `json:"periods"`
	Assets    int                `json:"assets"`
	Training  int                `json:"training_periods"`
	Missing   int                `json:"missing"`
	Dropped   int                `json:"rows_dropped"`
	Active    int                `json:"active"`
	Gap       *float64           `json:"duality_gap"`
	Weights   map[string]float64 `json:"weights"`
	Hash      string             `json:"weights_sha256"`
	InSample  struct{ Mean, Variance *float64 }
	OutSample struct{ Mean, Variance *float64 } `json:"out_of_sample"`
	Frontier  []struct {
		Risk     float64 `json:"risk"`
		InSample struct {
			Mean, Deviation float64
		} `json:"in_sample"`
	} `json:"frontier"`
}

func portfolioJSON(t *testing.T, args ...string) portfolioAnswer {
	t.Helper()
	var answer portfolioAnswer
	out := succeed(t, append([]string{"portfolio", "--json", "--quiet"}, args...)...)
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return answer
}

// The step that tidies a run up does not leave the target that was reached.
func TestPortfolioKeepsItsTarget(t *testing.T) {
	t.Parallel()
	for seed := range 6 {
		if testing.Short() && seed < 5 { // the last one needs what is tested
			continue
		}
		for _, gap := range []string{"1e-2", "3e-3", "1e-3", "1e-4"} {
			o := inside("portfolio", "--json", "--quiet", "--generate", "n=200,d=25", "--frontier", "1", "--seed", fmt.Sprint(seed), "--gap", gap)
			var answer portfolioAnswer
			if err := json.Unmarshal([]byte(o.out), &answer); err != nil {
				t.Fatalf("%v\n%s", err, o.stderr)
			}
			target, _ := strconv.ParseFloat(gap, 64)
			reached := *answer.Gap <= target
			if reached != (answer.Status == "converged") || reached != (o.status == exitDone) {
				t.Errorf("seed %d: %s with a gap of %v, not %s; exit status %d", seed, answer.Status, *answer.Gap, gap, o.status)
			}
		}
	}
}

func TestPortfolio(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	plot, trace := filepath.Join(dir, "frontier.png"), filepath.Join(dir, "run.csv")
	answer := portfolioJSON(t, "--generate", "n=600,d=8", "--frontier", "5,1,0.2", "--plot", plot, "--trace", trace)
	if answer.Status != "converged" || answer.Periods != 600 || answer.Assets != 8 || answer.Training != 480 || len(answer.Frontier) != 3 {
		t.Errorf("%+v", answer)
	}
	if answer.Gap == nil || *answer.Gap > 1e-4 || len(answer.Weights) != answer.Active || answer.OutSample.Mean == nil {
		t.Errorf("%+v", answer)
	}
	for k := 1; k < len(answer.Frontier); k++ { // less weight on risk: more of it, and more return
		a, b := answer.Frontier[k-1].InSample, answer.Frontier[k].InSample
		if !(b.Mean > a.Mean && b.Deviation > a.Deviation) {
			t.Errorf("the frontier does not rise: %+v", answer.Frontier)
		}
	}
	for _, path := range []string{plot, trace} {
		if info, err := os.Stat(path); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", path, err)
		}
	}
	long := portfolioJSON(t, "--generate", "n=600,d=8", "--long-only", "--frontier", "1", "--solver", "agd")
	total := 0.0
	for name, w := range long.Weights {
		if total += w; w < 0 {
			t.Errorf("long only: %s is %v", name, w)
		}
	}
	if math.Abs(total-1) > 1e-12 {
		t.Errorf("long only: the weights sum to %v", total)
	}
	if again := portfolioJSON(t, "--generate", "n=600,d=8", "--frontier", "1"); again.Hash != answer.Hash {
		t.Error("a second run has other bits")
	}
}

func TestPortfolioReads(t *testing.T) {
	t.Parallel()
	var table strings.Builder
	table.WriteString("Title\n\n,SMALL LoBM,BIG HiBM\n")
	for day := range 60 {
		fmt.Fprintf(&table, "2020%02d%02d,%.2f,%.2f\n", day/28+1, day%28+1, math.Sin(float64(3*day))+0.1, math.Cos(float64(5*day))+0.05)
	}
	table.WriteString("20200401, -99.99, 1.00\n\nCopyright\n")
	o := invocation{args: []string{"portfolio", "-", "--holdout", "0"}, stdin: strings.NewReader(table.String())}.run(t)
	if o.status != exitDone || !strings.Contains(o.out, "SMALL LoBM") || !strings.Contains(o.stderr, `table "Title", 61 rows, 1 missing values, 1 rows dropped`) {
		t.Errorf("status %d\n%s\n%s", o.status, o.out, o.stderr)
	}
	for _, c := range []struct {
		text   string
		args   []string
		status int
		want   string
	}{
		{"20200101 1 2\n20200102 1 x\n", nil, exitData, `standard input:2:12: "x" is not a number`},
		{"nothing\n", nil, exitData, "there is no row"},
		{table.String(), []string{"--missing", "refuse"}, exitData, "a missing value"},
		{"Date,A,B\n1/2/2020,1,2\n1/3/2020,3,1\n", nil, exitData, "--date-format dmy or mdy"},
		{table.String(), []string{"--date-format", "dym"}, exitUsage, "--date-format"},
		{table.String(), []string{"--date-format", "dmy"}, exitData, "standard input:4:1"},
		{table.String(), []string{"--missing", "guess"}, exitUsage, "--missing"},
		{table.String(), []string{"--solver", "svrg"}, exitUsage, "did you mean scvrg"},
		{table.String(), []string{"--set", "nonsense=1"}, exitUsage, "nonsense"},
		{table.String(), []string{"--risk", "-1"}, exitUsage, "--risk"},
		{table.String(), []string{"--holdout", "1"}, exitUsage, "--holdout"},
		{table.String(), []string{"--frontier", "1,0"}, exitUsage, "--frontier"},
		{table.String(), []string{"--long-only", "--lambda", "1"}, exitUsage, "--long-only"},
		{table.String(), []string{"--plot", "curve.gif"}, exitUsage, "--plot"},
		{table.String(), []string{"--generate", "n=10"}, exitUsage, "not both"},
	} {
		o := invocation{args: append([]string{"portfolio", "-"}, c.args...), stdin: strings.NewReader(c.text)}.run(t)
		if o.status != c.status || !strings.Contains(o.stderr, c.want) {
			t.Errorf("%q: status %d, not %d with %q\n%s", c.args, o.status, c.status, c.want, o.stderr)
		}
	}
	// Newest first: the part held out is the newest all the same.
	answers := make(map[string]string)
	lines := strings.SplitAfter(strings.TrimSuffix(table.String(), "20200401, -99.99, 1.00\n\nCopyright\n"), "\n")
	for _, name := range []string{"oldest", "newest"} {
		o := invocation{args: []string{"portfolio", "-", "--json", "--frontier", "1"}, stdin: strings.NewReader(strings.Join(lines, ""))}.run(t)
		if strings.Contains(o.stderr, "turned round") != (name == "newest") {
			t.Errorf("%s first: %s", name, o.stderr)
		}
		answers[name] = object(t, o.out)["weights_sha256"].(string)
		slices.Reverse(lines[3:63])
	}
	if answers["oldest"] != answers["newest"] {
		t.Errorf("%v", answers)
	}
	prices := "Date;A;B\n"
	for day := range 9 {
		prices += fmt.Sprintf("0%d.02.2020;10%d,5;9%d,25\n", day+1, day, 8-day)
	}
	o = invocation{args: []string{"portfolio", "-", "--holdout", "0", "--frontier", "1"}, stdin: strings.NewReader(prices)}.run(t)
	if o.status != exitDone || !strings.Contains(o.stderr, "2 assets look like prices") {
		t.Errorf("prices: status %d\n%s", o.status, o.stderr)
	}
	for _, args := range [][]string{{"portfolio", "--generate", "n=0"}, {"portfolio", "--generate", "x=3"}, {"train", "--solver", "scvrg"}} {
		if o := lanes(t, args...); o.status != exitUsage {
			t.Errorf("%v: status %d\n%s", args, o.status, o.stderr)
		}
	}
	if o := lanes(t, "portfolio", "/nowhere/at-all"); o.status != exitData || !strings.Contains(o.stderr, "no such file") {
		t.Errorf("an absent file: status %d\n%s", o.status, o.stderr)
	}
}

// TestFrontierIsEven compares the ends of the frontier with the portfolios of extreme risk
// weights, and checks the distances between neighbours.
func TestFrontierIsEven(t *testing.T) {
	t.Parallel()
	for _, flags := range [][]string{{"--long-only"}, {"--lambda", "0"}} {
		args := append([]string{"--generate", "n=600,d=8"}, flags...)
		even := portfolioJSON(t, append(args, "--points", "9")...).Frontier
		ends := portfolioJSON(t, append(args, "--frontier", "20000,1e-6", "--solver", "agd")...).Frontier
		low, high := ends[0].InSample.Deviation, ends[1].InSample.Deviation
		if len(even) != 9 || math.Abs(even[0].InSample.Deviation-low) > 0.05*high || math.Abs(even[8].InSample.Deviation-high) > 0.05*high {
			t.Errorf("%v: %d points from %v to %v, not %v to %v", flags, len(even), even[0].InSample, even[len(even)-1].InSample, low, high)
		}
		for k := 1; k < len(even); k++ {
			if d := (even[k].InSample.Deviation - even[k-1].InSample.Deviation) / (high - low) * 8; d < 0.3 || d > 1.8 {
				t.Errorf("%v: point %d is at %v of the usual distance", flags, k, d)
			}
		}
	}
	if o := lanes(t, "portfolio", "--points", "1"); o.status != exitUsage {
		t.Errorf("one point: status %d\n%s", o.status, o.stderr)
	}
}

// TestPortfolioNotSolved: a run above its tolerance fails and says what it reached, unless the
// user has set the budget that ended it.
func TestPortfolioNotSolved(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args, says string
		status     int
	}{
		{"--gap 1e-300", "not solved: gap ", exitRun},
		{"--gap 1e-300 --epochs 3", "(wanted 1e-300); budget reached after 4 epochs", exitDone},
		{"--gap 1e-300 --solver agd --epochs 1e6", "(wanted 1e-300); numerical precision reached after ", exitRun},
		{"--solver agd --gap 1e-5", "", exitDone},
	} {
		o := lanes(t, append(strings.Fields("portfolio --generate n=200,d=8 --frontier 1"), strings.Fields(c.args)...)...)
		if o.status != c.status || !strings.Contains(o.stderr, c.says) || strings.Contains(o.stderr, "not solved") != (c.says != "") {
			t.Errorf("%s: exit status %d: %s", c.args, o.status, o.stderr)
		}
	}
}
