package command

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// A run within a limit of memory ends by --valid where the run in memory does, to the same bits: at three
// limits, by one worker and three, whether the rows of --valid are a cache, text, packed text or a table.
func TestStreamedValid(t *testing.T) {
	t.Chdir(t.TempDir())
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	rowsOf(t, "rows", "text:n=1500,d=300,seed=5", relabel("1", "-1"))
	text, err := os.ReadFile("rows")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	noisy := slices.Clone(lines[1000:1500])
	for i := 0; i < len(noisy); i += 3 {
		sign, rest, _ := strings.Cut(noisy[i], " ")
		noisy[i] = map[string]string{"1": "-1 ", "-1": "1 "}[strings.TrimPrefix(sign, "+")] + rest
	}
	for name, part := range map[string][]string{"train": lines[:1000], "valid": noisy} {
		if err := os.WriteFile(name, []byte(strings.Join(part, "")), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range []string{"train train.lanes", "valid valid.lanes", "valid valid.gz --to libsvm"} {
		succeed(t, append([]string{"convert", "--quiet"}, strings.Fields(args)...)...)
	}
	for _, more := range []string{"--solver newton --metric auc", "--metric logloss --patience 2 --normalize std --bias --solver newton", "--solver sdca-newton"} {
		line := "train --quiet --json --shards 8 --C 1000 --gap 1e-9 train.lanes " + more
		want := object(t, succeed(t, strings.Fields(line+" --valid valid")...))
		for _, how := range []string{"--memory 20MB --workers 1 --valid valid.lanes", "--memory 20MB --workers 3 --valid valid", "--memory 45MB --valid valid.gz", "--memory 1GB --workers 3 --valid valid.lanes"} {
			got := object(t, succeed(t, strings.Fields(line+" "+how)...))
			for _, field := range []string{"weights_sha256", "status", "passes", "valid", "objective"} {
				if got[field] != want[field] {
					t.Errorf("%s %s: %s is %v, not %v", more, how, field, got[field], want[field])
				}
			}
			own, all := got["metrics"].(map[string]any), want["metrics"].(map[string]any)
			if len(own) != 2 {
				t.Errorf("%s %s: %v", more, how, own)
			}
			for name, v := range own {
				if strings.HasPrefix(name, "valid_") && v != all[name] {
					t.Errorf("%s %s: %v, not %v", more, how, own, all)
				}
			}
		}
	}
	if left, _ := os.ReadDir(folder); len(left) != 0 {
		t.Errorf("temporary files are left: %v", left)
	}
	// The receipt names the rows of --valid, and is verified with them in a file or in memory.
	succeed(t, strings.Fields("train --quiet --memory 30MB --receipt r.json train.lanes --valid valid.lanes --html p.html")...)
	verified(t, "r.json train.lanes --valid valid.lanes --memory 25MB", "r.json train --valid valid")
	if page, err := os.ReadFile("p.html"); err != nil || !strings.Contains(string(page), "valid.lanes") {
		t.Errorf("the page does not name the rows of --valid (%v)", err)
	}
	whole, err := os.ReadFile("valid.lanes")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"cut.lanes": whole[:len(whole)/2], "empty": nil, "words": []byte("yes 1:1\nno 2:1\n"), "others": []byte("1 1:1\n7 2:1\n")} {
		if err := os.WriteFile(name, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, "train --quiet train.lanes", map[string]refusal{
		"--memory 30MB --valid absent":                      {exitData, "there is no such file"},
		"--memory 30MB --valid cut.lanes":                   {exitData, "cut.lanes: "},
		"--memory 30MB --valid empty":                       {exitData, "empty"},
		"--memory 30MB --valid words":                       {exitData, "words: the labels are words"},
		"--memory 30MB --valid others":                      {exitData, "others: row 2: the label 7"},
		"--memory 9MB --valid valid.lanes":                  {exitUsage, "--memory 9MB: the run needs "},
		"--memory 30MB --valid train.lanes --metric beauty": {exitUsage, "beauty"},
	})
}

// A table is validated on a table, encoded as the rows of the training are.
func TestStreamedValidOfTables(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("TMPDIR", t.TempDir())
	rows := people(900)
	writeCSV(t, "t.csv", ',', rows[:601])
	writeCSV(t, "v.csv", ',', append(rows[:1:1], rows[601:]...))
	const line = "train t.csv --target pay --text note --ignore person --shards 4 --solver newton --C 100 --valid "
	want := weightsOf(t, line+"v.csv")
	done(t, "convert t.csv t.lanes --quiet --target pay --text note --ignore person")
	for _, how := range []string{line + "v.csv --memory 64MB", line + "v.csv --memory 1GB --workers 1", "train t.lanes --solver newton --C 100 --shards 4 --memory 30MB --valid v.csv --workers 3"} {
		if got := weightsOf(t, how); got != want {
			t.Errorf("%s: other weights", how)
		}
	}
	writeCSV(t, "other.csv", ',', [][]string{{"city", "pay"}, {"Rome", "low"}})
	if o := inside(strings.Fields(line + "other.csv --memory 64MB")...); o.status != exitData || !strings.Contains(o.stderr, "other.csv lacks the columns") {
		t.Errorf("a table of other columns: exit status %d: %s", o.status, o.stderr)
	}
	done(t, "convert other.csv other.lanes --quiet --target pay")
	if o := inside(strings.Fields(line + "other.lanes --memory 64MB")...); o.status != exitData || !strings.Contains(o.stderr, "other.lanes: ") {
		t.Errorf("a cache of other columns: exit status %d: %s", o.status, o.stderr)
	}
}
