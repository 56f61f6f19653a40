package command

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestTableMemory: rows that wait in a file give the bits of rows in memory, and leave no file.
func TestTableMemory(t *testing.T) {
	t.Chdir(t.TempDir())
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	writeCSV(t, "t.csv", ',', people(800))
	const line = "train t.csv --target pay --text note --ignore person"
	want := weightsOf(t, line+" --shards 4")
	for _, how := range []string{" --memory 1GB --shards 4", " --memory 64MB --shards 4 --workers 3"} {
		if got := weightsOf(t, line+how); got != want {
			t.Errorf("%s: other weights", how)
		}
	}
	o := done(t, line+" --memory 1GB --model m")
	if !strings.Contains(o.stderr, folder) || !strings.Contains(o.stderr, "MB") {
		t.Errorf("the notes do not say where the rows are: %s", o.stderr)
	}
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("temporary files are left: %v", left)
	}
	if v := object(t, done(t, "eval m t.csv --json").out); v["accuracy"].(float64) < 0.8 {
		t.Errorf("accuracy %v", v["accuracy"])
	}
	if o := inside(strings.Fields(line + " --memory 1MB")...); o.status == exitDone {
		t.Error("a megabyte was enough")
	}
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("temporary files are left: %v", left)
	}
}

// TestTableConvert: a cache that is made of a table trains models for tables.
func TestTableConvert(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := people(700)
	writeCSV(t, "part-1.csv", ',', rows[:301])
	writeCSV(t, "part-2.csv", ',', append(rows[:1:1], rows[301:]...))
	writeCSV(t, "t.csv", ',', rows)
	const flags = " --target pay --text note --id person --weight importance"
	want := weightsOf(t, "train t.csv --model direct"+flags)
	for _, line := range []string{"convert part-*.csv", "convert t.csv --memory 1GB", "convert t.csv --workers 1"} {
		o := done(t, line+" t.lanes --json"+flags)
		if v := object(t, o.out); v["n"] != 700.0 || v["format"] != "cache" {
			t.Errorf("%s: %v", line, v)
		}
		if got := weightsOf(t, "train t.lanes --model cached"); got != want {
			t.Errorf("%s: other weights", line)
		}
		if a, b := done(t, "predict direct t.csv --quiet").out, done(t, "predict cached t.csv --quiet").out; a != b {
			t.Errorf("%s: other predictions", line)
		}
	}
	if a, b := weightsOf(t, "train t.lanes --shards 2"), weightsOf(t, "train t.lanes --memory 1GB --shards 2 --model streamed"); a != b {
		t.Error("streamed: other weights")
	}
	done(t, "predict streamed t.csv --quiet")
	if a, b := object(t, done(t, "eval direct t.lanes --json").out), object(t, done(t, "eval direct t.csv --json").out); a["log_loss"] != b["log_loss"] || a["log_loss"] == nil {
		t.Errorf("log loss %v of the cache, %v of the table", a["log_loss"], b["log_loss"])
	}
	if o := done(t, "info t.lanes"); !strings.Contains(o.out, "700") || !strings.Contains(o.out, "city") {
		t.Errorf("info: %s", o.out)
	}
	done(t, "convert t.csv t.svm --quiet --target importance --ignore person")
	if a, b := weightsOf(t, "train t.svm --intercept --positive 3"), weightsOf(t, "train t.csv --target importance --ignore person --positive 3"); a != b {
		t.Error("LIBSVM text: other weights")
	}
	writeCSV(t, "other.csv", ',', people(400))
	done(t, "convert other.csv other.lanes --quiet"+flags)
	if o := inside("eval", "direct", "other.lanes"); o.status != exitData || !strings.Contains(o.stderr, "encode") {
		t.Errorf("a cache of another table: exit status %d, %s", o.status, o.stderr)
	}
}

// TestTableReceipt: verify encodes the table again, by the recipe in the receipt.
func TestTableReceipt(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := people(300)
	writeCSV(t, "t.csv", '|', rows)
	writeCSV(t, "headless.csv", ',', rows[1:])
	writeCSV(t, "new.csv", '|', people(400))
	if err := os.WriteFile("bad.tsv", []byte(strings.ReplaceAll("a,b,y\n1,x,1\n2,z,0\n3,x\n4,z,0\n5,x,1\n6,z,0\n", ",", "\t")), 0o666); err != nil {
		t.Fatal(err)
	}
	done(t, "convert t.csv t.lanes --target pay --ignore person --quiet")
	for _, c := range [][2]string{
		{"t.csv --target pay --ignore person", "t.lanes"}, {"t.lanes", "t.csv"}, {"t.lanes --valid new.csv", "t.lanes --valid new.csv"},
		{"t.csv --target pay --ignore person --text note --separator |", "t.csv"},
		{"headless.csv --no-header --target 6 --cross 3*7 --hash 8 --bins 4 --quotes", "headless.csv"},
		{"t.csv --header --target pay --valid new.csv --metric auc --solver newton", "t.csv --valid new.csv"},
		{"bad.tsv --format csv --target y --bad-rows 1", "bad.tsv"},
		{"t.csv --target pay --memory 1GB", "t.csv"}, {"t.csv --target pay --memory 1GB", "t.csv --memory 1GB"},
		{"t.csv --target pay --for auc --ignore person", "t.csv"},
		{"t.csv --target city --multiclass --ignore person", "t.csv"},
	} {
		o := inside(strings.Fields("train --quiet --receipt r.json " + c[0])...)
		if o.status != exitDone {
			t.Errorf("%s: %s", c[0], o.stderr)
			continue
		}
		r := object(t, read(t, "r.json"))
		if recipe, is := r["recipe"].(map[string]any); !is || strings.Contains(read(t, "r.json"), "learned") || len(recipe["columns"].([]any)) == 0 {
			t.Errorf("%s: the receipt has the recipe %v", c[0], r["recipe"])
		}
		if o := inside(strings.Fields("verify --json --workers 1 --quiet r.json " + c[1])...); o.status != exitDone || object(t, o.out)["same_bits"] != true {
			t.Errorf("%s: %s%s", c[0], o.out, o.stderr)
		}
	}
	done(t, "train t.csv --target pay --ignore person --quiet --receipt r.json")
	other := slices.Clone(rows)
	other[7] = slices.Clone(other[7])
	other[7][1] = "61"
	writeCSV(t, "t.csv", '|', other)
	if o := inside("verify", "r.json", "t.csv"); o.status != exitData || !strings.Contains(o.stderr, "other data") {
		t.Errorf("another table: exit status %d, %s", o.status, o.stderr)
	}
}

// TestTableRecipe: a recipe that info prints trains as the flags do, and can be edited.
func TestTableRecipe(t *testing.T) {
	t.Chdir(t.TempDir())
	writeCSV(t, "t.csv", ',', people(300))
	const flags = " --target pay --text note --id person --bins 5"
	recipe := done(t, "info t.csv --recipe"+flags).out
	if err := os.WriteFile("r.json", []byte(recipe), 0o666); err != nil {
		t.Fatal(err)
	}
	if a, b := weightsOf(t, "train t.csv"+flags), weightsOf(t, "train t.csv --recipe r.json"); a != b {
		t.Error("the recipe trains other weights than the flags")
	}
	edited := strings.Replace(recipe, `"bins": 5`, `"bins": 3`, 1)
	if err := os.WriteFile("r.json", []byte(edited), 0o666); err != nil || edited == recipe {
		t.Fatal(err, recipe)
	}
	if a, b := weightsOf(t, "train t.csv"+flags), weightsOf(t, "train t.csv --recipe r.json"); a == b {
		t.Error("an edit of the recipe changes nothing")
	}
	if err := os.WriteFile("r.json", []byte(strings.Replace(recipe, `"bins"`, `"bin"`, 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if o := inside("train", "t.csv", "--recipe", "r.json"); o.status != exitData || !strings.Contains(o.stderr, "bin") {
		t.Errorf("an unknown field: exit status %d, %s", o.status, o.stderr)
	}
	v := object(t, done(t, "info t.csv --json").out)
	columns := v["columns"].([]any)
	kinds := ""
	for _, c := range columns {
		kinds += " " + c.(map[string]any)["kind"].(string)
	}
	if v["n"] != 300.0 || kinds != " ignore number category text time category number" {
		t.Errorf("info: %v rows, kinds%s", v["n"], kinds)
	}
	text := done(t, "info t.csv").out
	for _, says := range []string{"Rome, IT (81)", "age", "20 to 69", "2000-01-02"} {
		if !strings.Contains(text, says) {
			t.Errorf("info does not say %q: %s", says, text)
		}
	}
}

// TestTableInterrupted: an interrupted run leaves no temporary file. A run resumed from a
// checkpoint ends with the same bits.
func TestTableInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	folder := t.TempDir()
	writeCSV(t, "t.csv", ',', people(60000))
	files := func() int { left, _ := os.ReadDir(folder); return len(left) }
	for _, begun := range []bool{false, true} {
		args := strings.Fields("train t.csv --target pay --text note --ignore person --memory 1GB --gap 1e-300 --epochs 1e9 --quiet")
		cmd := invocation{args: args, env: []string{"TMPDIR=" + folder}}.command()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		limit := time.Now().Add(time.Minute)
		for files() == 0 && time.Now().Before(limit) {
			time.Sleep(time.Millisecond)
		}
		if begun {
			time.Sleep(2 * time.Second)
		}
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
		if status := cmd.ProcessState.ExitCode(); status != exitRun || files() != 0 {
			t.Errorf("begun %t: exit status %d, %d temporary files are left", begun, status, files())
		}
	}
	const line = "train t.csv --target pay --text note --ignore person --solver svrg --set step=0.01"
	want := weightsOf(t, line+" --epochs 6")
	done(t, line+" --epochs 3 --checkpoint c --quiet")
	if got := weightsOf(t, line+" --epochs 6 --resume c"); got != want {
		t.Error("resumed: other weights")
	}
	if o := inside(strings.Fields("train t.csv --target pay --ignore person,city --solver svrg --set step=0.01 --epochs 6 --resume c")...); o.status != exitData {
		t.Errorf("resumed with another recipe: exit status %d, %s", o.status, o.stderr)
	}
}

// TestTableInitial: a model is trained further on another table by its own encoder.
func TestTableInitial(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := people(600)
	writeCSV(t, "old.csv", ',', rows[:301])
	writeCSV(t, "new.csv", ',', append(rows[:1:1], rows[301:]...))
	done(t, "train old.csv --target pay --ignore person --text note --model old --quiet")
	for _, how := range []string{"", " --memory 1GB"} {
		v := object(t, done(t, "train new.csv --initial old --model further --quiet --json --receipt r.json"+how).out)
		if v["n"] != 300.0 || v["status"] != "converged" {
			t.Errorf("%s: %v rows, %v", how, v["n"], v["status"])
		}
		if a, b := object(t, done(t, "info old --json").out), object(t, done(t, "info further --json").out); a["d"] != b["d"] {
			t.Errorf("%v and %v columns", a["d"], b["d"])
		}
		if v := object(t, done(t, "verify r.json new.csv --initial old --json --quiet").out); v["same_bits"] != true {
			t.Errorf("verify: %v", v)
		}
	}
	if o := inside(strings.Fields("train new.csv --initial old --target pay")...); o.status != exitUsage || !strings.Contains(o.stderr, "leave --target out") {
		t.Errorf("with a target: exit status %d, %s", o.status, o.stderr)
	}
}
