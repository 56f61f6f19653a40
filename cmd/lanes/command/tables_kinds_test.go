package command

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/kernels"
)

// TestTableParquet trains on a Parquet file, and on its cells as CSV.
func TestTableParquet(t *testing.T) {
	path := data(t, "tables/formats/parquet/alltypes_plain.parquet")
	t.Chdir(t.TempDir())
	v := object(t, done(t, "info "+path+" --json").out)
	if v["format"] != "parquet" || v["n"] != 8.0 || len(v["columns"].([]any)) != 11 {
		t.Fatalf("info: %v", v)
	}
	const flags = " --target bool_col --number id --category string_col --ignore tinyint_col"
	want := weightsOf(t, "train "+path+" --model m"+flags)
	scored := readCSV(t, done(t, "predict m "+path+" --quiet").out)
	if len(scored) != 9 || !slices.Equal(scored[0][11:], []string{"score", "probability", "label"}) {
		t.Fatalf("%d rows of %v", len(scored), scored[0])
	}
	rows := [][]string{}
	for _, row := range scored {
		rows = append(rows, row[:11])
	}
	writeCSV(t, "t.csv", ',', rows)
	if got := weightsOf(t, "train t.csv"+flags); got != want {
		t.Error("CSV of the same cells: other weights")
	}
	if again := readCSV(t, done(t, "predict m t.csv --quiet").out); !slices.EqualFunc(again, scored, slices.Equal) {
		t.Error("CSV of the same cells: other predictions")
	}
	nested := filepath.Join(filepath.Dir(path), "nested_lists.snappy.parquet")
	if _, err := os.Stat(nested); err == nil {
		if o := inside("train", nested, "--target", "a"); o.status != exitData || o.stderr == "" {
			t.Errorf("nested columns: exit status %d, %s", o.status, o.stderr)
		}
	}
}

// TestTableVW trains on the text of Vowpal Wabbit, and scores it without saying again what it is.
func TestTableVW(t *testing.T) {
	t.Chdir(t.TempDir())
	var text strings.Builder
	for i := range 60 {
		text.WriteString([]string{"1 'a%d|w good price:0.5 |c red\n", "-1 'a%d|w bad price:2 |c blue\n"}[i%2])
	}
	if err := os.WriteFile("t.vw", []byte(strings.ReplaceAll(text.String(), "%d", "")), 0o666); err != nil {
		t.Fatal(err)
	}
	want := weightsOf(t, "train t.vw --format vw --hash 10 --model m")
	if v := object(t, done(t, "info m --json").out); v["d"] != 1024.0 {
		t.Errorf("%v columns", v["d"])
	}
	if v := object(t, done(t, "eval m t.vw --json").out); v["accuracy"] != 1.0 {
		t.Errorf("accuracy %v", v["accuracy"])
	}
	scored := readCSV(t, done(t, "predict m t.vw --id tag --quiet").out)
	if len(scored) != 61 || scored[1][0] != "a" || scored[1][3] != "1" || scored[2][3] != "-1" {
		t.Errorf("%v", scored[:3])
	}
	done(t, "convert t.vw t.lanes --format vw --hash 10 --quiet")
	if got := weightsOf(t, "train t.lanes"); got != want {
		t.Error("the cache has other weights")
	}
}

// TestTableWeights: eval weighs rows by the column that the recipe names, and predict adds offsets.
func TestTableWeights(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := people(300)
	writeCSV(t, "t.csv", ',', rows)
	done(t, "train t.csv --target pay --ignore person,note --weight importance --model weighted --quiet")
	scored := readCSV(t, done(t, "predict weighted t.csv --quiet").out)
	right, total, loss := 0.0, 0.0, 0.0
	for _, row := range scored[1:] {
		weight, _ := strconv.ParseFloat(row[6], 64)
		score, _ := strconv.ParseFloat(row[7], 64)
		if total += weight; row[5] == row[9] {
			right += weight
		}
		if row[5] != ">50K" {
			score = -score
		}
		loss += weight * math.Log1p(math.Exp(-score))
	}
	v := object(t, done(t, "eval weighted t.csv --json").out)
	if math.Abs(v["accuracy"].(float64)-right/total) > 1e-12 || math.Abs(v["log_loss"].(float64)-loss/total) > 1e-9 {
		t.Errorf("accuracy %v and log loss %v, not %v and %v", v["accuracy"], v["log_loss"], right/total, loss/total)
	}
	var lighter [][]string
	for _, row := range rows {
		lighter = append(lighter, row[:6])
	}
	writeCSV(t, "lighter.csv", ',', lighter)
	if a := readCSV(t, done(t, "predict weighted lighter.csv --quiet").out); a[1][6] != scored[1][7] {
		t.Error("without weights: other scores")
	}
	done(t, "train t.csv --target pay --ignore person,note --offset importance --model moved --quiet")
	with := readCSV(t, done(t, "predict moved t.csv --quiet").out)
	for _, line := range []string{"predict moved lighter.csv", "eval moved lighter.csv"} {
		if o := inside(strings.Fields(line)...); o.status != exitData || !strings.Contains(o.stderr, `lacks the column "importance"; the offset is added to the score: --offset none`) {
			t.Errorf("%s: %d, %s", line, o.status, o.stderr)
		}
	}
	without := readCSV(t, done(t, "predict moved lighter.csv --offset none --quiet").out)
	if given := readCSV(t, done(t, "predict moved t.csv --offset none --quiet").out); given[1][7] != without[1][6] {
		t.Errorf("score %s of a row with an offset that does not count, %s of one without", given[1][7], without[1][6])
	}
	for i, row := range with[1:] {
		offset, _ := strconv.ParseFloat(row[6], 64)
		a, _ := strconv.ParseFloat(row[7], 64)
		b, _ := strconv.ParseFloat(without[i+1][6], 64)
		if math.Abs(a-b-offset) > 1e-12 {
			t.Fatalf("row %d: %v with the offset %v, %v without", i, a, offset, b)
		}
	}
	for column, ranks := range map[string]bool{"importance": false, "": true} {
		line := "train t.csv --target pay --ignore person,note,importance --for ap --cv 3 --json --epochs 2000"
		if column != "" {
			line = strings.Replace(line, ",importance", " --weight importance", 1)
		}
		o := done(t, line)
		if tried := strings.Contains(o.out, "mb-pauc"); tried != ranks || strings.Contains(o.stderr, "logistic fits alone") == ranks {
			t.Errorf("%s: solvers that rank are tried: %v; %s", line, tried, o.stderr)
		}
	}
	writeCSV(t, "groups.csv", ',', rows)
	if a, b := weightsOf(t, "train groups.csv --target pay --ignore person,note --group city --cv 3 --path"), weightsOf(t, "train groups.csv --target pay --ignore person,note,city --cv 3 --path"); a == b {
		t.Log("groups chose the lambda of usual folds")
	}
	if o := inside(strings.Fields("train groups.csv --target pay --ignore person,note --group city --cv 5")...); o.status == exitDone {
		t.Error("5 folds of 4 groups")
	}
}

// TestTableLeak: a column that tells the target is a note, also in JSON; --strict refuses it.
func TestTableLeak(t *testing.T) {
	t.Chdir(t.TempDir())
	rows := people(400)
	for i := range rows {
		later := "left on"
		if i > 0 && rows[i][5] == ">50K" {
			later = "2020-01-0" + strconv.Itoa(1+i%9)
		} else if i > 0 {
			later = ""
		}
		rows[i] = append(rows[i], later)
	}
	writeCSV(t, "t.csv", ',', rows)
	for _, line := range []string{"train t.csv", "train t.csv --memory 1GB", "convert t.csv t.lanes", "train t.csv --positive <=50K"} {
		if o := done(t, line+" --target pay --ignore person"); !strings.Contains(o.stderr, "column left on: it tells the target by itself") || !strings.Contains(o.stderr, "--ignore 'left on'") {
			t.Errorf("%s: %s", line, o.stderr)
		}
	}
	// A column tells one class of three.
	classes := [][]string{{"told", "class"}}
	for i := range 90 {
		classes = append(classes, []string{strconv.Itoa(i % 3 / 2 * (1 + i%4)), "k" + strconv.Itoa(i%3)})
	}
	writeCSV(t, "classes.csv", ',', classes)
	for positive, leaks := range map[string]bool{"k2": true, "k1": false} {
		if o := done(t, "train classes.csv --target class --positive "+positive); strings.Contains(o.stderr, "column told: it tells the target by itself") != leaks {
			t.Errorf("%s against the rest: %s", positive, o.stderr)
		}
	}
	// Rows in the order of their classes, the second class beyond the first block.
	sorted := [][]string{{"n", "told", "pay"}}
	for i := range 40000 {
		sorted = append(sorted, []string{strconv.Itoa(i * 7919 % 1000), strconv.Itoa(i / 36000 * (1 + i%5)), strconv.Itoa(i / 36000)})
	}
	writeCSV(t, "sorted.csv", ',', sorted)
	for _, line := range []string{"train sorted.csv --memory 1GB", "convert sorted.csv s.lanes", "train sorted.csv --passes 1"} {
		if o := done(t, line+" --target pay"); strings.Count(o.stderr, "tells the target by itself") != 1 || !strings.Contains(o.stderr, "column told: it tells") {
			t.Errorf("%s of sorted rows: %q", line, o.stderr)
		}
	}
	if v := object(t, done(t, "train t.csv --target pay --ignore person --json --quiet").out); !strings.Contains(fmt.Sprint(v["notes"]), "--ignore 'left on'") {
		t.Errorf("notes in JSON: %v", v["notes"])
	}
	for _, line := range []string{"train t.csv --model never", "train t.csv --memory 1GB --model never", "convert t.csv never"} {
		o := inside(strings.Fields(line + " --target pay --ignore person --strict")...)
		if _, err := os.Stat("never"); o.status != exitData || !strings.Contains(o.stderr, "--strict refuses") || err == nil {
			t.Errorf("%s --strict: status %d, %s, %v", line, o.status, o.stderr, err)
		}
	}
	args := append(strings.Fields("train t.csv --target pay --quiet --ignore"), "person,left on")
	if o := inside(args...); o.stderr != "" {
		t.Errorf("without the column: %s", o.stderr)
	}
}

// TestTableInfoOfJSON describes JSON lines, which begin as some models do.
func TestTableInfoOfJSON(t *testing.T) {
	t.Chdir(t.TempDir())
	var text strings.Builder
	for i := range 40 {
		text.WriteString([]string{`{"price": 1.5, "town": "Ulm"}`, `{"price": 2.5, "town": "Bonn"}`, `{"price": 0.5, "town": "Ulm"}`}[i%3] + "\n")
	}
	if err := os.WriteFile("t.jsonl", []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, flags := range []string{"", " --target town"} {
		if v := object(t, done(t, "info t.jsonl --json"+flags).out); v["format"] != "jsonl" || v["n"] != 40.0 {
			t.Errorf("info%s: %v", flags, v)
		}
	}
}

// TestPredictCachedOffsets: rows that a cache keeps are predicted with their offsets, as rows of the
// table are. A mean beyond all numbers is refused.
func TestPredictCachedOffsets(t *testing.T) {
	playground(t)
	text := "y,x,o\n"
	for i := range 40 {
		text += fmt.Sprintf("%d,%d,%v\n", i%4, i%7, float64(i%5)-1.5)
	}
	if err := os.WriteFile("t.csv", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	done(t, "train t.csv --target y --offset o --loss poisson --model m --quiet")
	done(t, "convert t.csv t.lanes --target y --offset o --quiet")
	table := readCSV(t, done(t, "predict m t.csv --quiet").out)[1:]
	rows := strings.Fields(done(t, "predict m t.lanes --quiet").out)
	if len(rows) != 40 || len(table) != 40 {
		t.Fatalf("%d and %d predictions", len(rows), len(table))
	}
	for i, row := range rows {
		if want := table[i][len(table[i])-1]; row != want {
			t.Errorf("row %d: %s from the cache, %s from the table", i, row, want)
		}
	}
	measured := func(file string) string {
		_, metrics, _ := strings.Cut(done(t, "eval m "+file+" --json").out, "\n  \"deviance\"")
		return metrics
	}
	if want, got := measured("t.csv"), measured("t.lanes"); want == "" || got != want {
		t.Errorf("eval of the cache: %s, of the table: %s", got, want)
	}
	if err := os.WriteFile("far.csv", []byte("x,o\n1,0\n2,900\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if o := inside("predict", "m", "far.csv", "--quiet"); o.status != exitData || !strings.Contains(o.stderr, "the score of row 2 is 89") {
		t.Errorf("a mean beyond all numbers: %d, %s", o.status, o.stderr)
	}
}

// TestExposure: a count is a rate times the exposure. The logarithms of exposures as offsets make the
// same model, an offset beside an exposure adds to it, and a rate is what is predicted without both.
func TestExposure(t *testing.T) {
	playground(t)
	text, halves := "y,x,e,log\n", "y,x,e,half\n"
	for i := range 60 {
		e := 0.25 * float64(1+i%7)
		text += fmt.Sprintf("%d,%d,%v,%v\n", i%4, i%5, e, kernels.LogOf(e))
		halves += fmt.Sprintf("%d,%d,%v,%v\n", i%4, i%5, e/2, kernels.LogOf(2))
	}
	for name, text := range map[string]string{"t.csv": text, "halves.csv": halves, "rates.csv": "x\n0\n1\n2\n3\n4\n", "bad.csv": "y,x,e\n1,1,1\n2,2,0\n"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	flags := " --target y --loss poisson --lambda 0.01 --quiet --model "
	done(t, "train t.csv --offset log --ignore e"+flags+"offset")
	done(t, "train t.csv --exposure e --ignore log"+flags+"exposure")
	done(t, "train halves.csv --exposure e --offset half"+flags+"both")
	want := readCSV(t, done(t, "predict offset t.csv --quiet").out)
	for model, file := range map[string]string{"exposure": "t.csv", "both": "halves.csv"} {
		got := readCSV(t, done(t, "predict "+model+" "+file+" --quiet").out)
		for i := 1; i < len(want); i++ {
			a, _ := strconv.ParseFloat(want[i][len(want[i])-1], 64)
			b, _ := strconv.ParseFloat(got[i][len(got[i])-1], 64)
			if math.Abs(a-b) > 1e-9 {
				t.Fatalf("%s: row %d is predicted as %v, not %v", model, i, b, a)
			}
		}
		rates := readCSV(t, done(t, "predict "+model+" rates.csv --offset none --quiet").out)
		for i := 1; i < len(rates); i++ {
			rate, _ := strconv.ParseFloat(rates[i][1], 64)
			count, _ := strconv.ParseFloat(want[i][len(want[i])-1], 64)
			if e := 0.25 * float64(i); math.Abs(rate*e-count) > 1e-9 {
				t.Errorf("%s: row %d: the rate %v, the count %v, the exposure %v", model, i, rate, count, e)
			}
		}
		// Measures of rates weigh them by their exposures.
		var exposures, claims, measured, observed float64
		for i := range 60 {
			exposures, claims = exposures+0.25*float64(1+i%7), claims+float64(i%4)
		}
		report := object(t, done(t, "eval "+model+" "+file+" --quiet --json").out)
		for _, bin := range report["calibration"].([]any) {
			b := bin.(map[string]any)
			measured, observed = measured+b["rows"].(float64), observed+b["rows"].(float64)*b["observed"].(float64)
		}
		if math.Abs(measured-exposures) > 1e-9 || math.Abs(observed-claims) > 1e-9 {
			t.Errorf("%s: %v claims of an exposure of %v, not %v of %v", model, observed, measured, claims, exposures)
		}
		if o := inside("predict", model, "rates.csv"); o.status != exitData || !strings.Contains(o.stderr, "--offset none") {
			t.Errorf("%s without the exposure: %d, %s", model, o.status, o.stderr)
		}
	}
	for line, message := range map[string]string{
		"train bad.csv --target y --exposure e --loss poisson": `bad.csv:3: column "e": the exposure "0" is not above 0`,
		"train t.csv --target y --exposure e --loss squared":   `the column "e" is an exposure`,
	} {
		if o := inside(strings.Fields(line)...); o.status == 0 || !strings.Contains(o.stderr, message) {
			t.Errorf("%s: %d, %s", line, o.status, o.stderr)
		}
	}
}
