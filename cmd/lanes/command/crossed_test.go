package command

import (
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write testdata/crossed.txt afresh; read its changes")

// crossed has all that the command says of crossed tables, a section a case.
//
//go:embed testdata/crossed.txt
var crossed string

// factor is what tables or runs have, with its levels.
type factor struct {
	name   string
	levels []string
}

// crossedFactors are crossed: of every two of them each pair of levels is in a case.
func crossedFactors() []factor {
	return []factor{
		{"amount", strings.Fields("plain comma thousands points dollar euro percent spaces either named whole codes long")},
		{"stray", strings.Fields("none word words same missing infinite empty asked")},
		{"kind", strings.Fields("plain empty NA accents marked codes whole truth blanks")},
		{"when", strings.Fields("none iso zone points either asked format month unix stray")},
		{"extra", strings.Fields("none constant id counter twin near void text ignored leak double")},
		{"role", strings.Fields("none weight offset group id")},
		{"target", strings.Fields("whole words signs three counts rare points number decimals")},
		{"missing", strings.Fields("none target")},
		{"positive", strings.Fields("larger other")},
		{"multiclass", strings.Fields("rest softmax")},
		{"learn", strings.Fields("none bins minmax pool cross category number")},
		{"encoding", strings.Fields("utf-8 mark latin1 utf-16")},
		{"separator", strings.Fields("comma semicolon tab bar")},
		{"head", strings.Fields("names headless sep comment blank quoted")},
		{"ends", strings.Fields("lf crlf none")},
		{"form", strings.Fields("one gzip zstd parts reordered stdin jsonl parquet")},
		{"mode", strings.Fields("fit cv path valid holdout")},
		{"new", strings.Fields("same word empty stray lacks further reordered short unlabelled infinite")},
	}
}

// crossedCases returns a small set of cases that has every pair of levels of two factors.
func crossedCases() (cases []map[string]string) {
	type pair struct{ f, a, g, b int }
	open := map[pair]bool{}
	factors := crossedFactors()
	for f := range factors {
		for g := f + 1; g < len(factors); g++ {
			for a := range factors[f].levels {
				for b := range factors[g].levels {
					open[pair{f, a, g, b}] = true
				}
			}
		}
	}
	c := &crossedTable{random: 7}
	for len(open) > 0 {
		var best []int
		most := -1
		for range 40 {
			row := make([]int, len(factors))
			for f := range row {
				row[f] = -1
			}
			gain := 0
			order := make([]int, len(factors))
			for k := range order {
				j := c.next(k + 1)
				order[k], order[j] = order[j], k
			}
			for _, f := range order {
				top, at := -1, 0
				shift := c.next(len(factors[f].levels))
				for k := range factors[f].levels {
					a := (k + shift) % len(factors[f].levels)
					n := 0
					for g, b := range row {
						if b >= 0 && (g > f && open[pair{f, a, g, b}] || g < f && open[pair{g, b, f, a}]) {
							n++
						}
					}
					if n > top {
						top, at = n, a
					}
				}
				row[f], gain = at, gain+top
			}
			if gain > most {
				best, most = row, gain
			}
		}
		level := map[string]string{}
		for f, a := range best {
			level[factors[f].name] = factors[f].levels[a]
			for g := f + 1; g < len(best); g++ {
				delete(open, pair{f, a, g, best[g]})
			}
		}
		if most == 0 {
			break
		}
		cases = append(cases, level)
	}
	return cases
}

var (
	warned   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<p class="warning">(.*?)</p>`) })
	tags     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`<[^>]*>`) })
	decimals = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9.]*\.\d{4,}(e-?\d+)?`) })
)

// rounded writes the decimals of a text with four digits.
func rounded(text string) string {
	return decimals().ReplaceAllStringFunc(text, func(s string) string {
		v, err := strconv.ParseFloat(s, 64)
		if err != nil {
			return s
		}
		if v < 1e-3 {
			return "0"
		}
		return strconv.FormatFloat(v, 'g', 4, 64)
	})
}

// TestCrossed: all that info, train, eval, predict and convert say of tables of which every pair
// of troubles is in one, beside what the tables mean.
func TestCrossed(t *testing.T) {
	here, err := os.Getwd() // before it changes
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	for _, section := range strings.Split(crossed, "\n== ")[1:] {
		head, body, _ := strings.Cut(section, "\n")
		want[head] = body
	}
	out := "All that commands say of crossed tables. TestCrossed -update writes it; read what changes.\n"
	cases := crossedCases()
	if len(cases) < 120 || !*update && len(want) != len(cases) {
		t.Errorf("%d cases and %d sections", len(cases), len(want))
	}
	for k, level := range cases {
		var heads []string
		for _, f := range crossedFactors() {
			heads = append(heads, f.name+":"+level[f.name])
		}
		head := fmt.Sprintf("%d %s", k+1, strings.Join(heads, " "))
		t.Run(strconv.Itoa(k+1), func(t *testing.T) {
			t.Chdir(t.TempDir())
			r := &crossedRun{t: t, c: makeCrossed(level, uint64(k))}
			body := r.run()
			out += "\n== " + head + "\n" + body
			if !*update && strings.TrimSpace(want[head]) != strings.TrimSpace(body) {
				t.Errorf("%s\n%s", head, differing(want[head], body))
			}
		})
	}
	if *update {
		if err := os.WriteFile(filepath.Join(here, "testdata/crossed.txt"), []byte(out), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// differing returns the first lines in which two texts differ.
func differing(want, got string) string {
	a, b := strings.Split(strings.TrimSpace(want), "\n"), strings.Split(strings.TrimSpace(got), "\n")
	k := 0
	for k < min(len(a), len(b)) && a[k] == b[k] {
		k++
	}
	return fmt.Sprintf("line %d\n-- want\n%s\n-- got\n%s", k+1, strings.Join(a[k:min(len(a), k+6)], "\n"), strings.Join(b[k:min(len(b), k+6)], "\n"))
}

// crossedRun runs the commands on one table.
type crossedRun struct {
	t    *testing.T
	c    *crossedTable
	out  strings.Builder
	said string // notes of the last command
}

// lanes runs a line on files. With form stdin the file stands on standard input.
func (r *crossedRun) lanes(files []string, args ...string) outcome {
	if r.c.level["form"] == "stdin" && len(files) == 1 {
		file, err := os.Open(files[0])
		if err != nil {
			r.t.Fatal(err)
		}
		defer file.Close()
		return insideOf(file, append(args, "-")...)
	}
	return inside(append(slices.Clone(args), files...)...)
}

// show writes what a command said, but for lines that the command before it said.
func (r *crossedRun) show(name string, o outcome, stdout string) {
	fmt.Fprintf(&r.out, "$ %s: %d\n", name, o.status)
	again := 0
	for line := range strings.Lines(rounded(o.stderr)) {
		if strings.Contains(r.said, line) {
			again++
			continue
		}
		r.out.WriteString("  " + strings.TrimPrefix(line, "lanes: "))
	}
	if again > 0 {
		fmt.Fprintf(&r.out, "  and %d lines of the last command\n", again)
	}
	r.said = rounded(o.stderr)
	for line := range strings.Lines(rounded(stdout)) {
		if line = strings.TrimSpace(line); line != "" {
			r.out.WriteString("> " + line + "\n")
		}
	}
}

func (r *crossedRun) run() string {
	t, c := r.t, r.c
	files := c.write(t, "t", c.columns)
	flags := c.flags
	fmt.Fprintf(&r.out, "flags: %s\n", strings.Join(append(slices.Clone(flags), c.target...), " "))
	info := r.lanes(files, slices.Concat([]string{"info"}, flags)...)
	r.show("info", info, info.out)

	train := slices.Concat([]string{"train", "--json", "--model", "m", "--html", "p.html", "--workers", "2"}, flags, c.target)
	train = append(train, r.mode(func(columns []crossedColumn) string { return c.write(t, "v", columns)[0] })...)
	o := r.lanes(files, train...)
	r.show("train "+c.level["mode"], o, fitted(t, o.out))
	if o.status != exitDone {
		return r.out.String()
	}
	r.agree(o, "p.html")
	r.strict(files, train, o)

	evaluated := r.lanes(files, "eval", "m", "--json", "--html", "e.html")
	r.show("eval", evaluated, measured(t, evaluated.out))
	r.agree(evaluated, "e.html")

	predicted := r.lanes(c.write(t, "n", r.news()), slices.Concat([]string{"predict", "m"}, r.newFlags())...)
	r.show("predict "+c.level["new"], predicted, predicted.out)
	r.meant(o, predicted)

	if c.level["form"] == "stdin" {
		return r.out.String()
	}
	converted := inside(slices.Concat([]string{"convert"}, flags, files, []string{"c.lanes"})...)
	r.said = rounded(o.stderr)
	r.show("convert", converted, "")
	if c.level["mode"] != "valid" {
		cached := inside(slices.Concat([]string{"train", "c.lanes", "--json"}, c.target, r.mode(nil))...)
		if got := object(t, cached.out)["weights_sha256"]; got != object(t, o.out)["weights_sha256"] {
			t.Errorf("the cache has other weights: %s", cached.stderr)
		}
	}
	return r.out.String()
}

// mode are the flags of the case's way to train. write writes the rows of --valid.
func (r *crossedRun) mode(write func([]crossedColumn) string) []string {
	switch mode := r.c.level["mode"]; {
	case mode == "cv":
		return []string{"--cv", "3"}
	case mode == "path":
		return []string{"--path", "--cv", "3", "--lambdas", "1:0.1:3"}
	case mode == "valid" && !slices.Contains([]string{"three", "counts"}, r.c.level["target"]):
		return []string{"--valid", write(r.valid())}
	case mode == "holdout":
		return []string{"--holdout", "0.3"}
	}
	return nil
}

// valid returns the rows of the table but the first four.
func (r *crossedRun) valid() (list []crossedColumn) {
	for _, column := range r.c.columns {
		column.cells, column.mean = column.cells[4:], column.mean[4:]
		list = append(list, column)
	}
	return list
}

// news returns rows to score: some of the table, changed as the case says.
func (r *crossedRun) news() (list []crossedColumn) {
	rows := []int{0, 1, 5, 8, 13, 21}
	for _, column := range r.c.columns {
		cells, mean := column.cells, column.mean
		column.cells, column.mean = nil, nil
		for _, i := range rows {
			column.cells, column.mean = append(column.cells, cells[i]), append(column.mean, mean[i])
		}
		put := func(i int, cell, mean string) { column.cells[i], column.mean[i] = cell, mean }
		switch new := r.c.level["new"]; {
		case new == "word" && column.name == "kind":
			put(1, "Nowhere", "Nowhere")
		case new == "empty" && (column.name == "kind" || column.name == "z"):
			put(1, "", "")
			put(3, "", "")
		case new == "stray" && column.name == "z":
			put(2, "bad", "")
		case new == "infinite" && column.name == "z":
			put(2, "inf", "")
		case new == "lacks" && column.name == "amount", new == "unlabelled" && column.name == "y":
			continue
		}
		list = append(list, column)
	}
	switch r.c.level["new"] {
	case "further":
		more := []string{"1", "2", "3", "4", "5", "6"}
		list = append([]crossedColumn{{name: "more", cells: more, mean: more}}, list...)
	case "reordered":
		slices.Reverse(list)
	}
	return list
}

func (r *crossedRun) newFlags() []string {
	switch {
	case r.c.level["role"] == "offset" && r.c.level["new"] == "further":
		return []string{"--offset", "none"}
	case r.c.level["new"] == "short":
		return []string{"--bad-rows", "1"}
	}
	return nil
}

// told are the texts of the notes of an object.
func told(t *testing.T, out string) (texts []string, grave bool) {
	t.Helper()
	var o struct {
		Notes []struct{ Class, Text string }
	}
	if err := json.Unmarshal([]byte(out), &o); err != nil {
		t.Fatal(err)
	}
	for _, n := range o.Notes {
		texts, grave = append(texts, n.Text), grave || n.Class != "information"
	}
	return texts, grave
}

// agree: standard error, JSON and the page have the same notes.
func (r *crossedRun) agree(o outcome, page string) {
	r.t.Helper()
	if o.status != exitDone {
		return
	}
	texts, _ := told(r.t, o.out)
	var lines []string
	for line := range strings.Lines(o.stderr) {
		if text, is := strings.CutPrefix(strings.TrimSpace(line), "lanes: note: "); is {
			lines = append(lines, text)
		}
	}
	slices.Sort(texts)
	slices.Sort(lines)
	if !slices.Equal(texts, lines) && !strings.Contains(o.stderr, "the same of") {
		r.t.Errorf("JSON has the notes\n%s\nand standard error\n%s", strings.Join(texts, "\n"), strings.Join(lines, "\n"))
	}
	shown := html.UnescapeString(read(r.t, page))
	for _, part := range warned().FindAllStringSubmatch(shown, -1) {
		if text := strings.TrimSpace(tags().ReplaceAllString(part[1], "")); !slices.Contains(texts, text) {
			fmt.Fprintf(&r.out, "%s warns: %s\n", page, rounded(text))
		}
	}
	for _, text := range texts {
		if !strings.Contains(shown, text) {
			r.t.Errorf("%s lacks %s", page, text)
		}
	}
}

// strict: --strict refuses a grave note, and nothing else.
func (r *crossedRun) strict(files, train []string, o outcome) {
	r.t.Helper()
	_, grave := told(r.t, o.out)
	s := r.lanes(files, append(slices.Clone(train), "--strict", "--quiet")...)
	if grave != (s.status == exitData) || !grave && (s.status != o.status || s.stderr != "") {
		r.t.Errorf("--strict: %d %s", s.status, s.stderr)
	}
}

// plain are the flags for the plain table of what the cells mean.
func (r *crossedRun) plain() (flags []string) {
	for k := 0; k < len(r.c.flags); k += 2 {
		flag, value := r.c.flags[k], r.c.flags[k+1]
		switch flag {
		case "--encoding", "--decimal", "--missing", "--number":
			continue
		case "--times":
			value, _, _ = strings.Cut(value, "=")
		}
		flags = append(flags, flag, value)
	}
	kind := "--number"
	if level := r.c.level["amount"]; (level == "codes" || level == "long") && r.c.level["learn"] != "number" {
		kind = "--category"
	}
	flags = append(flags, "--header", kind, r.c.called("amount"))
	if r.c.level["kind"] != "whole" {
		flags = append(flags, "--category", r.c.called("kind"))
	}
	if when := r.c.level["when"]; when != "none" && when != "asked" && when != "unix" && when != "format" {
		flags = append(flags, "--times", r.c.called("when"))
	}
	return flags
}

// meant: the plain table of what the cells mean has the same weights, and its rows the same scores.
func (r *crossedRun) meant(o, predicted outcome) {
	t, c := r.t, r.c
	t.Helper()
	if c.level["form"] == "parquet" && strings.Contains(o.stderr, "numbers in quotes") {
		return // words, and a note says so
	}
	put := func(name string, columns []crossedColumn) string {
		if err := os.WriteFile(name, []byte(c.text(columns, true)), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	train := slices.Concat([]string{"train", put("plain.csv", c.columns), "--json", "--model", "q"}, r.plain(), c.target, r.mode(func(columns []crossedColumn) string { return put("w.csv", columns) }))
	clean := inside(train...)
	if clean.status != o.status {
		t.Errorf("the plain table: %d %s", clean.status, clean.stderr)
		return
	}
	if want, got := object(t, clean.out), object(t, o.out); want["weights_sha256"] != got["weights_sha256"] || want["d"] != got["d"] || want["labels"] != got["labels"] {
		t.Errorf("the plain table has other weights: %v columns and %v, want %v and %v\n%s", got["d"], got["labels"], want["d"], want["labels"], clean.stderr)
	}
	if predicted.status != exitDone || c.level["head"] == "headless" && !c.typed() || c.level["form"] == "jsonl" && c.level["new"] == "lacks" {
		return
	}
	scored := inside(slices.Concat([]string{"predict", "q", put("new.csv", r.news())}, r.newFlags())...)
	want, got := readCSV(t, scored.out), readCSV(t, predicted.out)
	behind := func(rows [][]string) int {
		return slices.IndexFunc(rows[0], func(name string) bool {
			return name == "score" || name == "prediction" || strings.HasPrefix(name, "probability")
		})
	}
	for i := range got {
		if len(want) != len(got) || !slices.Equal(want[i][behind(want):], got[i][behind(got):]) {
			t.Errorf("row %d of the plain table has other scores:\n%s\n%s", i, predicted.out, scored.out)
			return
		}
	}
}

// fitted are the lines of a training's object that do not depend on time or machine.
func fitted(t *testing.T, out string) string {
	if out == "" {
		return ""
	}
	v := object(t, out)
	var b strings.Builder
	for k, field := range strings.Fields("status loss n d nnz labels positives objective lambda metrics") {
		if v[field] == nil {
			continue
		}
		text, _ := json.Marshal(v[field])
		if k > 0 {
			b.WriteString("; ")
		}
		fmt.Fprintf(&b, "%s %s", field, text)
	}
	b.WriteString("\n")
	if classes, is := v["classes"].([]any); is {
		for _, class := range classes {
			c := class.(map[string]any)
			fmt.Fprintf(&b, "class %v: %v rows, F1 %v\n", c["label"], c["rows"], c["train_f1"])
		}
	}
	if cv, is := v["cross_validation"].(map[string]any); is {
		for _, point := range cv["points"].([]any) {
			text, _ := json.Marshal(point)
			fmt.Fprintf(&b, "%s\n", text)
		}
		fmt.Fprintf(&b, "best %v, one standard error %v, chosen %v\n", cv["best_lambda"], cv["one_standard_error_lambda"], cv["chosen_lambda"])
	}
	return b.String()
}

// measured are the lines of an evaluation's object.
func measured(t *testing.T, out string) string {
	if out == "" {
		return ""
	}
	v := object(t, out)
	delete(v, "notes")
	delete(v, "calibration")
	delete(v, "lift")
	text, _ := json.Marshal(v)
	return string(text) + "\n"
}
