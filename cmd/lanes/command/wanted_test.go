package command

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// lopsided are rows that no linear score explains, as text: 1 of 16 negatives lies far out
// in the direction that tells most of the others from the positives.
func lopsided(t *testing.T, n int) string {
	t.Helper()
	state := uint64(7)
	noise := func() float64 { // triangular in -1 to 1
		sum := 0.0
		for range 2 {
			state = state*6364136223846793005 + 1442695040888963407
			sum += float64(state>>40) / (1 << 24)
		}
		return sum - 1
	}
	var text strings.Builder
	for i := range n {
		label, x := "-1", [3]float64{noise(), noise(), noise()}
		switch {
		case i%5 == 0:
			label = "1"
			x[0] += 1.5
			x[1] += 0.8
		case i%20 == 1:
			x[0] += 3
		}
		fmt.Fprintf(&text, "%s 1:%.4f 2:%.4f 3:%.4f\n", label, x[0], x[1], x[2])
	}
	return file(t, "lopsided", text.String())
}

// What is chosen by --for is in every report, the model is what was trained on all rows, and
// the receipt repeats it.
func TestTrainFor(t *testing.T) {
	t.Parallel()
	path, dir := lopsided(t, 150), t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	args := []string{"train", path, "--for", "ap", "--cv", "3", "--normalize", "minmax", "--model", at("model"), "--receipt", at("receipt")}
	v := object(t, succeed(t, append(args, "--json", "--trace", at("trace"), "--plot", at("plot.svg"), "--html", at("page.html"), "--checkpoint", at("saved"))...))
	for _, name := range trainFields {
		if _, found := v[name]; !found {
			t.Errorf("%s is missing", name)
		}
	}
	search := v["for"].(map[string]any)
	tried := search["tried"].([]any)
	chosen := tried[int(search["chosen"].(float64))].(map[string]any)
	metrics := v["metrics"].(map[string]any)
	if search["metric"] != "ap" || search["folds"] != 3.0 || search["higher_is_better"] != true || search["status"] != "converged" || len(tried) < 8 || v["bias"] != 1.0 {
		t.Errorf("%v", search)
	}
	if metrics["cv_ap"] != chosen["mean"] || metrics["cv_ap_standard_error"] != chosen["standard_error"] || v["lambda"] != chosen["lambda"] ||
		math.Abs(chosen["C"].(float64)*chosen["lambda"].(float64)*150-1) > 1e-12 {
		t.Errorf("chosen %v, metrics %v, lambda %v", chosen, metrics, v["lambda"])
	}
	values, sum := chosen["folds"].([]any), 0.0
	for _, v := range values {
		sum += v.(float64)
	}
	if len(values) != 3 || math.Abs(sum/3-chosen["mean"].(float64)) > 1e-12 {
		t.Errorf("folds %v and their mean %v", values, chosen["mean"])
	}
	eval := object(t, succeed(t, "eval", path, "--json", "--model", at("model")))
	if eval["average_precision"] != metrics["train_ap"] {
		t.Errorf("average precision %v of the model, %v in training", eval["average_precision"], metrics["train_ap"])
	}
	if page := read(t, at("page.html")); !strings.Contains(page, "<svg") || !strings.Contains(page, "class weights") || strings.Contains(page, "src=") || strings.Contains(page, "<script") {
		t.Error("the page has no picture or no table, or needs something else")
	}
	if receipt := object(t, read(t, at("receipt"))); len(receipt["for"].(map[string]any)["tried"].([]any)) != len(tried) || receipt["repeatable"] != true {
		t.Errorf("receipt: %v", receipt)
	}
	if same := object(t, succeed(t, "verify", "--json", "--workers", "1", at("receipt"), path)); same["same_bits"] != true {
		t.Errorf("%v", same)
	}
	text := succeed(t, args...)
	if !strings.Contains(text, "chosen") || !strings.Contains(text, "logistic, class weights") || !strings.Contains(text, "gain") {
		t.Errorf("%s", text)
	}
	other := object(t, succeed(t, "train", path, "--for", "auprc", "--cv", "3", "--normalize", "minmax", "--json"))
	if other["weights_sha256"] != v["weights_sha256"] || other["metrics"].(map[string]any)["cv_ap"] != metrics["cv_ap"] {
		t.Errorf("--for auprc: %v, --for ap: %v", other["metrics"], metrics)
	}
	least := object(t, succeed(t, "train", path, "--for", "logloss", "--json", "--epochs", "1"))
	search = least["for"].(map[string]any)
	all := search["tried"].([]any)
	best, mostLambda := all[0].(map[string]any), 0.0
	for _, one := range all {
		if one := one.(map[string]any); one["mean"].(float64) < best["mean"].(float64) {
			best = one
		}
	}
	for _, one := range all {
		if one := one.(map[string]any); one["mean"].(float64) <= best["mean"].(float64)+best["standard_error"].(float64) {
			mostLambda = max(mostLambda, one["lambda"].(float64))
		}
	}
	if mostLambda == 0 || least["lambda"] != mostLambda {
		t.Errorf("lambda %v was chosen, %v is the largest within one standard error of the best log loss", least["lambda"], mostLambda)
	}
	folds := func(v map[string]any) string {
		return fmt.Sprint(v["for"].(map[string]any)["tried"].([]any)[0].(map[string]any)["folds"])
	}
	if other := object(t, succeed(t, "train", path, "--for", "logloss", "--json", "--epochs", "1", "--seed", "9")); folds(other) == folds(least) {
		t.Errorf("the folds of another seed have the same log losses: %s", folds(least))
	}
	if search["status"] != "budget reached" || search["higher_is_better"] != false || search["folds"] != 5.0 {
		t.Errorf("%v", search)
	}
}

// TestInterruptFor: an interrupted search writes no model, reports its progress, and resumes to
// the same bits.
func TestInterruptFor(t *testing.T) {
	t.Parallel()
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("long, or no signals to send")
	}
	path, dir := lopsided(t, 1500), t.TempDir()
	saved, model, messages := filepath.Join(dir, "saved"), filepath.Join(dir, "model"), filepath.Join(dir, "messages")
	args := []string{path, "--for", "pauc:0,0.05", "--cv", "3", "--epochs", "500"}
	want := hash(t, nil, args...)
	stderr, err := os.Create(messages)
	if err != nil {
		t.Fatal(err)
	}
	defer stderr.Close()
	cmd := invocation{args: append([]string{"train", "--model", model, "--checkpoint", saved, "--checkpoint-every", "1ms"}, args...)}.command()
	cmd.Stderr = stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	appears(t, saved)
	cmd.Process.Signal(os.Interrupt)
	cmd.Wait()
	if cmd.ProcessState.Success() {
		t.Log("the search was over before it was interrupted")
	} else if text := read(t, messages); cmd.ProcessState.ExitCode() != exitRun || !strings.Contains(text, "interrupted") {
		t.Errorf("exit status %d: %s", cmd.ProcessState.ExitCode(), text)
	} else if _, err := os.Stat(model); err == nil && strings.Contains(text, "no model was written") {
		t.Error("there is a model")
	}
	if got := hash(t, nil, append(args, "--resume", saved, "--workers", "1")...); got != want {
		t.Error("the resumed search came to other weights")
	}
}

func TestForRefuses(t *testing.T) {
	t.Parallel()
	path := lopsided(t, 100)
	for _, line := range []string{"--solver adap", "--lambda 1", "--C 3", "--class-weight balanced", "--path", "--multiclass", "--metric ap", "--valid " + path, "--loss squared", "--fpr 0,0.1", "--hidden 3", "--l1 1", "--set step=3", "--gap 1e-3", "--shards 4"} {
		o := inside(append([]string{"train", path, "--for", "ap"}, strings.Fields(line)...)...)
		if flag, _, _ := strings.Cut(line, " "); o.status != exitUsage || !strings.Contains(o.stderr, "leave "+flag+" out") {
			t.Errorf("%s: exit status %d: %s", line, o.status, o.stderr)
		}
	}
	for line, want := range map[string]string{"--for ap --cv 50": "fewer than the 50 folds"} {
		if o := inside(append([]string{"train", path}, strings.Fields(line)...)...); o.status == exitDone || !strings.Contains(o.stderr, want) {
			t.Errorf("%s: exit status %d: %s", line, o.status, o.stderr)
		}
	}
}

// TestTraceOfSearch: the trace of --for is the trace of the fit on all rows, up to the result.
func TestTraceOfSearch(t *testing.T) {
	t.Parallel()
	trace := filepath.Join(t.TempDir(), "trace")
	for _, metric := range []string{"logloss", "auc"} {
		v := object(t, succeed(t, "train", lopsided(t, 150), "--for", metric, "--cv", "2", "--json", "--trace", trace))
		search := v["for"].(map[string]any)
		chosen := search["tried"].([]any)[int(search["chosen"].(float64))].(map[string]any)
		text, err := os.ReadFile(trace)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
		if err != nil || len(rows) < 2 {
			t.Fatalf("%s: %d lines: %v", metric, len(rows), err)
		}
		for _, row := range rows[1:] {
			if row[0] != chosen["text"] && !strings.HasPrefix(row[0], chosen["solver"].(string)) {
				t.Errorf("%s: a point of %q, %v was chosen", metric, row[0], chosen)
			}
		}
		found := slices.ContainsFunc(rows[1:], func(row []string) bool {
			objective, err := strconv.ParseFloat(row[slices.Index(rows[0], "objective")], 64)
			return err == nil && objective == v["objective"]
		})
		if !found {
			t.Errorf("%s: no point of the trace has the objective %v: %s", metric, v["objective"], text)
		}
	}
}
