package command

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// reported returns the path of a file that other programs, or this one, once read wrong.
func reported(t *testing.T, name string) string {
	t.Helper()
	return data(t, "tables/reports/"+name)
}

// tableColumns returns the columns that info finds in a table, by their names, and the whole object.
func tableColumns(t *testing.T, args ...string) (columns map[string]map[string]any, v map[string]any) {
	t.Helper()
	v = object(t, succeed(t, append([]string{"info", "--json", "--quiet"}, args...)...))
	columns = map[string]map[string]any{}
	for _, c := range v["columns"].([]any) {
		columns[c.(map[string]any)["name"].(string)] = c.(map[string]any)
	}
	return columns, v
}

// noteOf returns the one note of a kind in a JSON object, nil without one.
func noteOf(t *testing.T, v map[string]any, kind string) (found map[string]any) {
	t.Helper()
	list, _ := v["notes"].([]any)
	for _, n := range list {
		if n := n.(map[string]any); n["kind"] == kind {
			if found != nil {
				t.Errorf("two notes of %s: %v", kind, list)
			}
			found = n
		}
	}
	return found
}

// trained trains a model on a table with the target y, and returns what train and eval report.
func trained(t *testing.T, table string, flags ...string) (model string, train, eval map[string]any) {
	t.Helper()
	model = filepath.Join(t.TempDir(), "model")
	train = object(t, succeed(t, append([]string{"train", "--json", "--quiet", table, "--target", "y", "--model", model}, flags...)...))
	return model, train, object(t, succeed(t, "eval", "--json", "--quiet", model, table))
}

// near says whether a value of JSON is a number within a distance of want.
func near(v any, want, distance float64) bool {
	x, ok := v.(float64)
	return ok && math.Abs(x-want) <= distance
}

// TestReportsOfNumbers: columns of numbers in several ways of writing are read as they were meant.
// A note says what was lost or can be read in two ways.
func TestReportsOfNumbers(t *testing.T) {
	t.Run("thousands", func(t *testing.T) {
		table := reported(t, "thousands.tsv")
		_, train, eval := trained(t, table)
		if n := noteOf(t, train, "marks"); !near(eval["auroc"], 0.916, 5e-4) || n == nil || n["column"] != "sales" || n["example"] != "56,993" || n["place"] != "line 2" {
			t.Errorf("AUC %v, notes %v", eval["auroc"], train["notes"])
		}
		if _, _, eval := trained(t, table, "--decimal", "sales=,"); !near(eval["auroc"], 0.581, 5e-4) {
			t.Errorf("with a decimal comma: AUC %v", eval["auroc"])
		}
		_, plain, eval := trained(t, table, "--thousands", "sales=,")
		if !near(eval["auroc"], 0.916, 5e-4) || noteOf(t, plain, "marks") != nil {
			t.Errorf("with thousands: AUC %v, notes %v", eval["auroc"], plain["notes"])
		}
	})
	t.Run("stray word", func(t *testing.T) {
		table := reported(t, "stray_word.csv")
		model, train, _ := trained(t, table)
		if n := noteOf(t, train, "not-a-number"); n == nil || n["column"] != "x" || n["count"] != 1.0 || n["of"] != 61.0 || n["example"] != "error" || n["place"] != "line 62" {
			t.Errorf("notes %v", train["notes"])
		}
		if o := lanes(t, "train", table, "--target", "y", "--strict"); o.status != exitData || !strings.Contains(o.stderr, `"error" in line 62`) {
			t.Errorf("--strict: %+v", o)
		}
		// Without its row, the file gives the accuracy that the report asks for.
		sound := file(t, "sound.csv", strings.ReplaceAll(read(t, table), "error,1,0\n", ""))
		if _, _, eval := trained(t, sound); eval["rows"] == 61.0 || !near(eval["accuracy"], 0.783, 1e-3) {
			t.Errorf("without the row: %v", eval)
		}
		if eval := object(t, succeed(t, "eval", "--json", "--quiet", model, sound)); !near(eval["accuracy"], 0.75, 0.04) {
			t.Errorf("accuracy %v", eval["accuracy"])
		}
	})
	t.Run("inf", func(t *testing.T) {
		_, train, eval := trained(t, reported(t, "inf.csv"))
		for of, v := range map[string]map[string]any{"train": train, "eval": eval} {
			if n := noteOf(t, v, "infinite"); n == nil || n["column"] != "x" || n["count"] != 1.0 || n["example"] != "inf" || n["place"] != "line 5" {
				t.Errorf("%s: notes %v", of, v["notes"])
			}
		}
		if eval["accuracy"] != 1.0 {
			t.Errorf("accuracy %v", eval["accuracy"])
		}
	})
	t.Run("na slash", func(t *testing.T) {
		table := reported(t, "na_slash.csv")
		columns, v := tableColumns(t, table, "--target", "y")
		if x := columns["x"]; x["kind"] != "number" || x["missing"] != 9.0 || v["encoded_columns"] != 3.0 {
			t.Errorf("%v, %v encoded columns", x, v["encoded_columns"])
		}
		for _, word := range []string{"NULL", "nan", "None", "#N/A", "-", ".", "?", "n/a", ""} {
			other := file(t, "na.csv", strings.ReplaceAll(read(t, table), "N/A", word))
			if columns, _ := tableColumns(t, other, "--target", "y"); columns["x"]["kind"] != "number" || columns["x"]["missing"] != 9.0 {
				t.Errorf("%q: %v", word, columns["x"])
			}
		}
	})
	t.Run("quoted ids", func(t *testing.T) {
		columns, v := tableColumns(t, reported(t, "quoted_ids.jsonl"), "--target", "y")
		if columns["zip"]["kind"] != "category" || columns["zip"]["encoded"] != "8" {
			t.Errorf("zip: %v", columns["zip"])
		}
		if uuid := columns["uuid"]; uuid["kind"] != "category" || uuid["encoded"] != "3" {
			t.Errorf("quoted numbers of JSON are no words: uuid: %v, notes %v", uuid, v["notes"])
		}
	})
}

// TestReportsOfFiles: encodings, lines before the header and nested fields are read, or are errors
// that say what helps.
func TestReportsOfFiles(t *testing.T) {
	t.Run("latin1", func(t *testing.T) {
		table := reported(t, "latin1.csv")
		o := lanes(t, "train", table, "--target", "y")
		if o.status != exitData || !strings.Contains(o.stderr, "latin1.csv:2:4: the byte 0xe9 is not UTF-8") || !strings.Contains(o.stderr, "--encoding windows-1252") {
			t.Errorf("%+v", o)
		}
		columns, v := tableColumns(t, table, "--target", "y", "--encoding", "windows-1252")
		if v["encoded_columns"] != 3.0 {
			t.Errorf("%v", columns)
		}
		if _, _, eval := trained(t, table, "--encoding", "windows-1252"); eval["accuracy"] != 1.0 {
			t.Errorf("accuracy %v", eval["accuracy"])
		}
	})
	for _, c := range []struct {
		name, example string
		lines         float64
	}{{"sep_line.csv", "sep=;", 1}, {"comment_lines.csv", "# exported by tool 2024", 2}} {
		t.Run(c.name, func(t *testing.T) {
			columns, v := tableColumns(t, reported(t, c.name), "--target", "y")
			n := noteOf(t, v, "skipped")
			if v["n"] != 60.0 || len(columns) != 2 || columns["x"]["kind"] != "number" || n == nil || n["count"] != c.lines || n["example"] != c.example || n["place"] != "line 1" {
				t.Errorf("%v, notes %v", columns, v["notes"])
			}
		})
	}
	t.Run("blanks", func(t *testing.T) {
		text := strings.ReplaceAll(strings.TrimPrefix(read(t, reported(t, "sep_line.csv")), "sep=;\n"), ";", "   ")
		columns, v := tableColumns(t, file(t, "blanks.txt", text), "--target", "y")
		if v["n"] != 60.0 || len(columns) != 2 || columns["x"]["kind"] != "number" {
			t.Errorf("%v", v)
		}
	})
	t.Run("nested ignored", func(t *testing.T) {
		table := reported(t, "nested_ignored.parquet")
		model, _, eval := trained(t, table, "--ignore", "tags")
		rows := readCSV(t, succeed(t, "predict", "--quiet", model, table))
		if len(rows) != 41 || eval["accuracy"] != 1.0 {
			t.Errorf("%d rows, %v", len(rows), eval)
		}
		columns, _ := tableColumns(t, table, "--target", "y", "--ignore", "tags")
		if columns["tags"]["kind"] != "ignore" || columns["x"]["kind"] != "number" {
			t.Errorf("%v", columns)
		}
		if o := lanes(t, "train", table, "--target", "y"); o.status == exitDone && !strings.Contains(o.stderr, "column tags") {
			t.Errorf("without --ignore: %+v", o)
		}
	})
	t.Run("qid", func(t *testing.T) {
		rows := reported(t, "qid.svm")
		if n := noteOf(t, object(t, succeed(t, "train", "--json", "--quiet", rows)), "qid"); n == nil || n["count"] != 4.0 {
			t.Errorf("note %v", n)
		}
		// Folds keep the rows of a query together in any order of the rows; without queries they cannot.
		lines := strings.SplitAfter(strings.TrimSpace(read(t, rows))+"\n", "\n")
		spread := func(edit func(line string) string) float64 {
			least, greatest := math.Inf(1), math.Inf(-1)
			for _, order := range [][4]int{{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 2, 1}, {0, 3, 1, 2}} {
				text := ""
				for _, k := range order {
					text += edit(lines[k])
				}
				v := object(t, succeed(t, "train", "--json", "--quiet", file(t, "rows.svm", text), "--cv", "2"))
				loss := v["metrics"].(map[string]any)["cv_logloss"].(float64)
				least, greatest = min(least, loss), max(greatest, loss)
			}
			return greatest - least
		}
		together := spread(func(line string) string { return line })
		alone := spread(func(line string) string { return regexp.MustCompile(`qid:\d+ `).ReplaceAllString(line, "") })
		if together > 1e-6 || alone < 1e-3 {
			t.Errorf("losses of folds differ by %v with qid, by %v without", together, alone)
		}
	})
	t.Run("rows of VW text", func(t *testing.T) {
		if v := object(t, succeed(t, "info", "--json", file(t, "rows.vw", "1 | a b\n-1 | c\n1 |n d:2\n"), "--format", "vw")); v["n"] != 3.0 {
			t.Errorf("%v", v)
		}
	})
}

// TestReportsOfModels: models that had no optimum, no intercept or another problem than the one that
// was asked for.
func TestReportsOfModels(t *testing.T) {
	t.Run("softmax", func(t *testing.T) {
		_, _, eval := trained(t, reported(t, "softmax.csv"), "--multiclass", "softmax")
		if eval["accuracy"] != 0.95 {
			t.Errorf("accuracy %v", eval["accuracy"])
		}
	})
	t.Run("offset", func(t *testing.T) {
		whole, lacking := reported(t, "offset.csv"), reported(t, "offset_missing.csv")
		model, _, _ := trained(t, whole, "--offset", "o", "--weight", "w", "--lambda", "0")
		o := lanes(t, "predict", model, lacking)
		if o.status != exitData || !strings.Contains(o.stderr, `lacks the column "o"`) {
			t.Errorf("%+v", o)
		}
		score := func(args ...string) float64 {
			rows := readCSV(t, succeed(t, append([]string{"predict", "--quiet", model}, args...)...))
			for k, name := range rows[0] {
				if name == "score" {
					return numberOf(t, rows[1][k])
				}
			}
			t.Fatalf("no score among %q", rows[0])
			return 0
		}
		if with, without := score(whole), score(lacking, "--offset", "none"); !near(with, 0.71522, 5e-6) || !near(without, 0.27142, 5e-6) {
			t.Errorf("the first score is %v with its offset and %v without", with, without)
		}
	})
	t.Run("separable", func(t *testing.T) {
		model := filepath.Join(t.TempDir(), "model")
		o := lanes(t, "train", reported(t, "separable.csv"), "--target", "y", "--lambda", "0", "--model", model)
		if _, err := os.Stat(model); o.status != exitRun || !strings.Contains(o.stderr, "separable by a, b") || strings.Contains(o.out, "converged") {
			t.Errorf("%+v; the model: %v", o, err)
		}
	})
	t.Run("weights of rows", func(t *testing.T) {
		for name, c := range map[string]string{"tiny_weights.csv": "1e9", "unit_weights.csv": "1"} {
			model, train, _ := trained(t, reported(t, name), "--weight", "w", "--C", c)
			_, weights, _ := strings.Cut(read(t, model), "\nw\n")
			first, _, _ := strings.Cut(strings.TrimSpace(weights), "\n")
			if train["status"] != "converged" || !near(numberOf(t, strings.TrimSpace(first)), 3.608, 5e-4) {
				t.Errorf("%s: x %s, %v", name, first, train["status"])
			}
		}
	})
}
