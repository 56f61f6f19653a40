package command

import (
	"context"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/model"
	"github.com/lanes-go/lanes/sparse"
)

// Two classes are a logistic fit, and that is said.
func TestSoftmaxOfTwoClasses(t *testing.T) {
	t.Parallel()
	data := file(t, "tiny", tiny)
	if o := lanes(t, "train", data, "--multiclass", "softmax"); !strings.Contains(o.stderr, "two classes: one logistic fit") {
		t.Errorf("%+v", o)
	}
	if o := lanes(t, "train", data, "--multiclass"); strings.Contains(o.stderr, "two classes") {
		t.Errorf("%+v", o)
	}
}

// TestSoftmaxOfATable: the softmax of a table has free intercepts. Classes of which columns tell
// nothing have their shares as probabilities, as scikit-learn's multinomial regression has.
func TestSoftmaxOfATable(t *testing.T) {
	table := data(t, "tables/reports/softmax.csv")
	t.Chdir(t.TempDir())
	v := object(t, succeed(t, "train", "--json", "--quiet", table, "--target", "y", "--multiclass", "softmax", "--model", "m"))
	if v["status"] != "converged" || v["intercept"] != true || v["metrics"].(map[string]any)["train_accuracy"] != 0.95 {
		t.Errorf("%v", v)
	}
	if eval := object(t, succeed(t, "eval", "--json", "m", table)); eval["accuracy"] != 0.95 {
		t.Errorf("accuracy %v", eval["accuracy"])
	}
	rows := readCSV(t, succeed(t, "predict", "--quiet", "m", table))
	means := make([]float64, 3)
	for _, row := range rows[1:] {
		for c := range means {
			means[c] += numberOf(t, row[len(row)-4+c]) / float64(len(rows)-1)
		}
	}
	for c, share := range []float64{0.95, 0.025, 0.025} {
		if math.Abs(means[c]-share) > 1e-4 {
			t.Errorf("%s is %v in the mean, not %v", rows[0][len(rows[0])-4+c], means[c], share)
		}
	}
	penalised := object(t, succeed(t, "train", "--json", "--quiet", table, "--target", "y", "--multiclass", "softmax", "--bias"))
	without := object(t, succeed(t, "train", "--json", "--quiet", table, "--target", "y", "--multiclass", "softmax", "--intercept=false"))
	if penalised["intercept"] == true || without["intercept"] == true || penalised["weights_sha256"] == v["weights_sha256"] || penalised["weights_sha256"] == without["weights_sha256"] {
		t.Errorf("--bias: %v; --intercept=false: %v", penalised, without)
	}
}

// A softmax model is one model of all classes: its probabilities are the softmax of its
// scores, and its log loss is the trained objective. A one-vs-rest model trains another one.
func TestTrainSoftmax(t *testing.T) {
	rows := fourClasses(t, 300, 2)
	t.Chdir(t.TempDir())
	v := object(t, succeed(t, "train", "--json", rows, "--multiclass", "softmax", "--bias", "--C", "100", "--gap", "1e-9", "--model", "model", "--plot", "p.svg", "--trace", "trace", "--receipt", "receipt"))
	if v["solver"] != "softmax-newton" || v["status"] != "converged" || v["labels"] != "4 classes" {
		t.Fatalf("%v", v)
	}
	eval := object(t, succeed(t, "eval", rows, "--json", "--model", "model"))
	if eval["accuracy"] != v["metrics"].(map[string]any)["train_accuracy"] || !(eval["accuracy"].(float64) > 0.7) {
		t.Errorf("accuracy %v in training, later %v", v["metrics"], eval["accuracy"])
	}
	succeed(t, "train", "--quiet", rows, "--multiclass", "--bias", "--C", "100", "--gap", "1e-9", "--model", "rest")
	rest := object(t, succeed(t, "eval", rows, "--json", "--model", "rest"))
	if !(eval["log_loss"].(float64) < rest["log_loss"].(float64)) || !(eval["log_loss"].(float64) < v["objective"].(float64)) {
		t.Errorf("log loss %v, of classes against the rest %v, objective %v", eval["log_loss"], rest["log_loss"], v["objective"])
	}
	data, err := sparse.ReadFile(context.Background(), rows, sparse.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := model.ReadFile("model")
	if err != nil {
		t.Fatal(err)
	}
	scores, err := m.Scores(nil, nil, data.X)
	if err != nil {
		t.Fatal(err)
	}
	// The calibration error from what predict prints, and how likely classes are right.
	var bins [10][3]float64
	lines := strings.Split(strings.TrimSpace(succeed(t, "predict", rows, "--model", "model", "--probability")), "\n")
	for i, line := range lines {
		best, at := 0.0, 0
		for c, text := range strings.Fields(line) {
			if p := numberOf(t, text); p > best {
				best, at = p, c
			}
		}
		bin := &bins[min(int(10*best), 9)]
		bin[0] += best
		bin[2]++
		if m.About().Classes[at] == data.Y[i] {
			bin[1]++
		}
	}
	wrong := 0.0
	for _, b := range bins {
		wrong += math.Abs(b[0]-b[1]) / float64(len(lines))
	}
	if got := eval["calibration_error"].(float64); !(math.Abs(got-wrong) < 1e-9) || !(got < 0.1) {
		t.Errorf("a calibration error of %v, not %v", got, wrong)
	}
	shares := strings.Fields(succeed(t, "predict", rows, "--model", "model", "--probability"))
	for k := 0; k < 40; k += 4 {
		total, sum := 0.0, 0.0
		for c := range 4 {
			total += math.Exp(scores[k+c])
			sum += numberOf(t, shares[k+c])
		}
		for c := range 4 {
			if want := math.Exp(scores[k+c]) / total; math.Abs(numberOf(t, shares[k+c])-want) > 1e-12 || math.Abs(sum-1) > 1e-12 {
				t.Errorf("row %d: probability %s, not %v; sum %v", k/4, shares[k+c], want, sum)
			}
		}
	}
	// A class against the rest is measured by its probability, not by its score alone.
	label, loss := m.About().Classes[2], 0.0
	for i, y := range data.Y {
		p := numberOf(t, shares[4*i+2])
		if y != label {
			p = 1 - p
		}
		loss -= math.Log(p) / float64(len(data.Y))
	}
	one := object(t, succeed(t, "eval", rows, "--json", "--model", "model", "--positive", fmt.Sprint(label)))
	if got := one["log_loss"].(float64); math.Abs(got-loss) > 1e-9 {
		t.Errorf("class %v against the rest has the log loss %v, not %v", label, got, loss)
	}
	succeed(t, "verify", "receipt", rows)
	balanced := object(t, succeed(t, "train", "--json", rows, "--multiclass=softmax", "--class-weight", "balanced"))
	if balanced["weights_sha256"] == v["weights_sha256"] {
		t.Error("balanced classes have no effect")
	}
	for args, what := range map[string]string{
		"--multiclass softmax --solver newton":                 "solvers of its own",
		"--multiclass softmax --l1 1 --solver proximal-newton": "solvers of its own",
		"--multiclass softmax --l1 1 --l1-groups 1-2":          "give columns",
		"--multiclass --l1 1 --l1-groups columns":              "goes with --multiclass softmax",
		"--multiclass softmax --loss squared":                  "logistic",
		"--multiclass softmax --lambda 0":                      "above 0",
		"--multiclass=other":                                   "want rest or softmax",
		"--multiclass softmax --class-weight 1:2":              "want balanced",
	} {
		o := inside(append([]string{"train", rows}, strings.Fields(args)...)...)
		if o.status != exitUsage || !strings.Contains(o.stderr, what) {
			t.Errorf("%s: exit status %d: %s", args, o.status, o.stderr)
		}
	}
}

// TestSoftmaxBesideNorms: --l1 makes weights of the softmax 0. With --l1-groups columns all classes of a column
// have weights, or no class has one. A path over --l1 begins where all weights are 0.
func TestSoftmaxBesideNorms(t *testing.T) {
	rows := fourClasses(t, 300, 2)
	t.Chdir(t.TempDir())
	for _, groups := range []bool{false, true} {
		args := []string{"train", "--json", rows, "--multiclass", "softmax", "--intercept", "--l1", "0.03", "--model", "model", "--receipt", "receipt"}
		if groups {
			args = append(args, "--l1-groups", "columns")
			args[7] = "0.1"
		}
		v := object(t, succeed(t, args...))
		if v["solver"] != "softmax-proximal-newton" || v["status"] != "converged" || v["intercept"] != true {
			t.Errorf("%v", v)
		}
		succeed(t, "verify", "receipt", rows)
		m, err := model.ReadFile("model")
		if err != nil {
			t.Fatal(err)
		}
		dense := m.(*model.Linear)
		columns, single := 0, 0
		for j := range dense.Features {
			zeros := 0
			for k := range 4 {
				if dense.Weights[k*len(dense.Weights)/4+j] == 0 {
					zeros++
				}
			}
			if zeros == 4 {
				columns++
			} else if zeros > 0 {
				single++
			}
		}
		if groups != (single == 0) || groups && columns == 0 {
			t.Errorf("columns %t: %d columns are 0, %d in part", groups, columns, single)
		}
		os.Remove("receipt")
	}
	path := object(t, succeed(t, "train", "--json", "--quiet", rows, "--multiclass", "softmax", "--intercept", "--path", "--sparse", "--cv", "3", "--one-se"))
	points := path["cross_validation"].(map[string]any)["points"].([]any)
	if path["solver"] != "softmax-proximal-newton" || len(points) < 10 || !(numberIn(t, path, "nonzero_weights") > 0) {
		t.Errorf("%v", path)
	}
}

func numberIn(t *testing.T, v map[string]any, name string) float64 {
	t.Helper()
	number, is := v[name].(float64)
	if !is {
		t.Fatalf("%s is %v", name, v[name])
	}
	return number
}

func numberOf(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
