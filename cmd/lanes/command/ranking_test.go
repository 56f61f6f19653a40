package command

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/pauc"
	"github.com/lanes-go/lanes/solvers/sdca"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

func TestTrainRanking(t *testing.T) {
	t.Parallel()
	const data = "imbalanced:n=3000,d=60"
	model := filepath.Join(t.TempDir(), "m")
	v := object(t, succeed(t, "train", "--json", "--solver", "adap", "--generate", data, "--model", model))
	measured := v["metrics"].(map[string]any)
	if measured["train_ap"] == nil || measured["train_auc"] == nil || v["solver"] != "adap" || v["bias"] != 1.0 || v["duality_gap"] != nil {
		t.Errorf("%v", v)
	}
	if o := lanes(t, "predict", "--probability", "--model", model, "--quiet", "no-such-file"); o.status == exitDone {
		t.Error("probabilities from a ranking")
	}
	args := []string{"--solver", "moap-v2", "--generate", data, "--set", "iterations=100"}
	if hash(t, nil, append(args, "--workers", "1")...) != hash(t, []string{"LANES_CPU=generic"}, args...) {
		t.Error("another hash with other workers on another path")
	}
	for _, wrong := range [][]string{{"--loss", "squared"}, {"--class-weight", "balanced"}, {"--gap", "1e-6"}, {"--batch", "20"}, {"--set", "beta=7"}} {
		o := lanes(t, append([]string{"train", "--solver", "adap", "--generate", data}, wrong...)...)
		if o.status != exitUsage || !strings.Contains(o.stderr, wrong[0]) {
			t.Errorf("%v: exit status %d: %s", wrong, o.status, o.stderr)
		}
	}
	if o := lanes(t, "compare", "--solvers", "adap,svrg", "--generate", data); o.status != exitUsage {
		t.Errorf("compare: exit status %d", o.status)
	}
}

func TestTrainPartialAUC(t *testing.T) {
	t.Parallel()
	const data = "imbalanced:n=3000,d=60"
	model := filepath.Join(t.TempDir(), "m")
	v := object(t, succeed(t, "train", "--json", "--solver", "agd-sbcd", "--fpr", "0.05,0.5", "--generate", data, "--model", model))
	measured := v["metrics"].(map[string]any)
	if measured["train_ap"] == nil || measured["train_auc"] == nil || v["bias"] != 1.0 || v["duality_gap"] != nil {
		t.Errorf("%v", v)
	}
	if area, is := measured["train_pauc"].(float64); !is || !(math.Abs(area-(1-v["objective"].(float64))) < 1e-12) {
		t.Errorf("train_pauc %v, objective %v", measured["train_pauc"], v["objective"])
	}
	two := object(t, succeed(t, "train", "--json", "--solver", "mb-pauc", "--fpr", "0,0.5", "--tpr", "0.7", "--generate", data, "--model", model))
	rows := filepath.Join(t.TempDir(), "rows")
	succeed(t, "convert", "--generate", data, rows)
	eval := object(t, succeed(t, "eval", "--json", "--fpr", "0,0.5", "--tpr", "0.7", model, rows))
	area, normalised := eval["pauc"].(float64), eval["pauc_normalised"].(float64)
	if math.Abs(normalised-(1-two["objective"].(float64))) > 1e-9 || math.Abs(area-normalised*0.5*0.3) > 1e-12 {
		t.Errorf("two-way: %v, measured %v", two, eval)
	}
	if text := succeed(t, "eval", "--fpr", "0,0.5", "--tpr", "0.7", model, rows); !strings.Contains(text, "partial AUC 0,0.5 above 0.7") {
		t.Error(text)
	}
	if o := lanes(t, "predict", "--probability", "--model", model, "--quiet", "no-such-file"); o.status == exitDone {
		t.Error("probabilities from a ranking")
	}
	for solver, wants := range map[string]string{
		"agd-sbcd": "false-positive rates 0 to 0.05, lambda", "prox-dca": "1 - partial AUC", "sorr-dca": "logistic losses of ranks 61 to 1800", "adap": "1 - average precision",
	} {
		text := succeed(t, "train", "--solver", solver, "--generate", data)
		if !strings.Contains(text, wants) || strings.Contains(text, "batch") || strings.Contains(text, "logistic loss,") {
			t.Errorf("%s: %s", solver, text)
		}
	}
	if text := succeed(t, "train", "--solver", "agd-sbcd", "--tpr", "0.5", "--generate", data); !strings.Contains(text, "false-positive rates 0 to 0.05, true-positive rates above 0.5, lambda") {
		t.Error(text)
	}
	for _, solver := range []string{"dca", "sorr-agd"} {
		args := []string{"--solver", solver, "--generate", data, "--set", "outer=2"}
		if hash(t, nil, append(args, "--workers", "1")...) != hash(t, []string{"LANES_CPU=generic"}, args...) {
			t.Errorf("%s: another hash with other workers on another path", solver)
		}
	}
	if a, b := succeed(t, "train", "--json", "--solver", "sorr-agd", "--range", "60,1800", "--generate", data), succeed(t, "train", "--json", "--solver", "sorr-agd", "--generate", data); object(t, a)["weights_sha256"] != object(t, b)["weights_sha256"] {
		t.Error("ranks and shares differ")
	}
	for _, wrong := range [][]string{
		{"--solver", "adap", "--fpr", "0,0.1"}, {"--solver", "newton", "--fpr", "0,0.1"}, {"--solver", "agd-sbcd", "--range", "1,5"},
		{"--solver", "agd-sbcd", "--fpr", "0.5"}, {"--solver", "agd-sbcd", "--fpr", "0.5,0.1"}, {"--solver", "sorr-agd", "--range", "5,5"},
		{"--solver", "sorr-agd", "--range", "0.2,1.5"}, {"--solver", "sorr-agd", "--loss", "huber"}, {"--solver", "sorr-agd", "--class-weight", "balanced"},
		{"--solver", "dca", "--gap", "1e-3"}, {"--solver", "dca", "--batch", "20"}, {"--solver", "dca", "--set", "step=2"},
	} {
		o := lanes(t, append([]string{"train", "--generate", data}, wrong...)...)
		if o.status != exitUsage || !strings.Contains(o.stderr, wrong[2]) {
			t.Errorf("%v: exit status %d: %s", wrong, o.status, o.stderr)
		}
	}
	if o := lanes(t, "train", "--generate", data, "--solver", "sorr-agd", "--range", "5,5000"); o.status == exitDone || !strings.Contains(o.stderr, "3000 rows") {
		t.Errorf("more ranks than rows: exit status %d: %s", o.status, o.stderr)
	}
}

func TestTrainPartialSVM(t *testing.T) {
	t.Parallel()
	const data = "imbalanced:n=1000,d=60"
	v := object(t, succeed(t, "train", "--json", "--solver", "svm-pauc-tight", "--generate", data, "--gap", "1e-2"))
	if gap, is := v["duality_gap"].(float64); !is || gap > 1e-2 || v["lambda"] != 1e-4 || v["status"] != "converged" {
		t.Errorf("%v", v)
	}
	text := succeed(t, "train", "--solver", "svm-pauc-tight", "--generate", data, "--fpr", "0,0.5", "--lambda", "0.01")
	if !strings.Contains(text, "rates 0 to 0.5, lambda 0.01") || !strings.Contains(text, "train partial AUC") {
		t.Error(text)
	}
	if o := lanes(t, "compare", "--solvers", "svm-pauc-tight,dca", "--generate", data); o.status != exitUsage {
		t.Errorf("compare: exit status %d", o.status)
	}
}

func TestValidateByPartialAUC(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "valid")
	succeed(t, "convert", "--generate", "imbalanced:n=1000,d=60", file)
	v := object(t, succeed(t, "train", "--json", "--solver", "agd-sbcd", "--fpr", "0,0.1", "--generate", "imbalanced:n=2000,d=60", "--valid", file))
	if v["metrics"].(map[string]any)["valid_pauc:0,0.1"] == nil {
		t.Errorf("%v", v["metrics"])
	}
}

func TestCompareOneKind(t *testing.T) {
	t.Parallel()
	const data = "imbalanced:n=2000,d=60"
	text := succeed(t, "compare", "--solvers", "agd-sbcd,dca", "--fpr", "0.05,0.5", "--set", "outer=2", "--generate", data)
	if !strings.Contains(text, "agd-sbcd") || !strings.Contains(text, "dca") {
		t.Error(text)
	}
	page := filepath.Join(t.TempDir(), "page.html")
	succeed(t, "compare", "--solvers", "sorr-agd,sorr-dca", "--set", "outer=2", "--generate", data, "--html", page)
	for _, mixed := range []string{"agd-sbcd,sorr-agd", "dca,adap", "svrg,dca"} {
		if o := lanes(t, "compare", "--solvers", mixed, "--generate", data); o.status != exitUsage || !strings.Contains(o.stderr, "cannot be compared") {
			t.Errorf("%s: exit status %d: %s", mixed, o.status, o.stderr)
		}
	}
}

// TestPaper: --paper, and --set paper=true, train what the families' Paper poses, and what
// flags say otherwise stays so.
func TestPaper(t *testing.T) {
	t.Parallel()
	const data = "imbalanced:n=600,d=40"
	shape, err := synthetic.ParseShape(data, 3)
	if err != nil {
		t.Fatal(err)
	}
	g, err := shape.Generate(nil)
	if err != nil {
		t.Fatal(err)
	}
	trained := func(args ...string) map[string]any {
		o := inside(append([]string{"train", "--json", "--quiet", "--seed", "3", "--generate", data}, args...)...)
		if o.status != exitDone {
			t.Fatalf("%v: %s", args, o.stderr)
		}
		return object(t, o.out)
	}
	settings := solvers.Settings{Seed: 3}
	short := solvers.Settings{Seed: 3, MaxEpochs: 3}
	for name, solve := range map[string]func() (*solvers.Result, error){
		"adap": func() (*solvers.Result, error) {
			p, _, err := ap.Paper(g.X, g.Y)
			if err != nil {
				return nil, err
			}
			return ap.Solve(t.Context(), p, ap.ADAP{Common: ap.Common{Paper: true}}, settings)
		},
		"agd-sbcd": func() (*solvers.Result, error) {
			p, err := pauc.Paper(g.X, g.Y)
			if err != nil {
				return nil, err
			}
			return pauc.Solve(t.Context(), p, pauc.AGDSBCD{Loops: pauc.Loops{Paper: true, Outer: 2}}, settings)
		},
		"sorr-dca": func() (*solvers.Result, error) {
			p, err := pauc.PaperRange(g.X, g.Y)
			if err != nil {
				return nil, err
			}
			return pauc.SolveRange(t.Context(), p, pauc.SoRRDCA{Loops: pauc.Loops{Paper: true, Outer: 2}}, settings)
		},
		"ai-sarah": func() (*solvers.Result, error) {
			p, err := erm.PaperProblem(g.X, g.Y)
			if err != nil {
				return nil, err
			}
			return erm.Solve(t.Context(), p, erm.AISARAH{Paper: true}, short)
		},
		"adfsdca+": func() (*solvers.Result, error) {
			p, err := sdca.PaperProblem(g.X, g.Y, loss.Logistic{})
			if err != nil {
				return nil, err
			}
			return sdca.Solve(t.Context(), p, sdca.AdaptivePlus{Paper: true}, short)
		},
	} {
		want, err := solve()
		if err != nil {
			t.Fatal(err)
		}
		args, bias := []string{"--solver", name}, 0.0
		switch name {
		case "agd-sbcd", "sorr-dca":
			args = append(args, "--set", "outer=2")
		case "ai-sarah":
			bias = 1
			fallthrough
		case "adfsdca+":
			args = append(args, "--epochs", "3")
		}
		for _, paper := range [][]string{{"--paper"}, {"--set", "paper=true"}} {
			if v := trained(append(args, paper...)...); v["weights_sha256"] != solvers.HashWeights(want.Weights) || v["bias"] != bias {
				t.Errorf("%s %v: other weights than the library's, bias %v", name, paper, v["bias"])
			}
		}
	}
	v := trained("--solver", "adap", "--paper", "--lambda", "0.5", "--normalize", "unit", "--bias")
	if v["lambda"] != 0.5 || v["normalize"] != "unit" || v["bias"] != 1.0 {
		t.Errorf("lambda %v, normalize %v, bias %v", v["lambda"], v["normalize"], v["bias"])
	}
	page := filepath.Join(t.TempDir(), "page.html")
	o := inside("compare", "--quiet", "--generate", data, "--solvers", "sorr-agd,sorr-dca", "--set", "outer=2", "--paper", "--range", "0.1,0.2", "--html", page)
	text, err := os.ReadFile(page)
	if o.status != exitDone || err != nil || !strings.Contains(string(text), "logistic losses of ranks 61 to 120, lambda 0,") {
		t.Errorf("compare: %s, %v", o.stderr, err)
	}
}
