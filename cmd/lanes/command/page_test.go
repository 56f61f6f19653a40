package command

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/cmd/lanes/internal/plots/plotstest"
)

// TestPages: the page of every kind of training is well-formed, has its sections, and says what
// the report says.
func TestPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	rows, targets, cache := fourClasses(t, 300, 5), at("targets"), at("rows.lanes")
	if err := os.WriteFile(targets, []byte(strings.ReplaceAll("1.5 1:1\n2.25 1:2\n-0.75 1:-1 2:1\n", "\n", " 3:1\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	two := lopsided(t, 150)
	succeed(t, "convert", two, cache)
	both := "result weights measures curves lift confusion calibration"
	for _, c := range []struct {
		args, sections string
		want           []string
	}{
		{"--generate " + small, both + " run repeat", []string{"How good it is on training rows", "--valid DATA"}},
		{rows + " --positive 7 --valid " + rows, both + " run repeat", []string{"How good it is on validation rows", "the rest"}},
		{rows + " --multiclass", "result weights measures confusion calibration classes fits repeat", []string{"For 7", "macro F1"}},
		{rows + " --multiclass softmax", "result weights measures confusion calibration classes run repeat", nil},
		{rows + " --positive 7 --path --cv 3", both + " folds run repeat", []string{"mean over the folds"}},
		{rows + " --positive 7 --path --valid " + rows + " --metric auc", both + " path repeat", []string{"valid AUC"}},
		{rows + " --positive 7 --path --sparse --cv 3 --intercept", both + " folds run repeat", []string{"constant"}},
		{rows + " --positive 7 --path --sparse", both + " path repeat", []string{"non-zeros"}},
		{two + " --for ap --cv 3", both + " tried run repeat", []string{"logistic, class weights", "chosen"}},
		{two + " --solver mb-pauc --epochs 5", "result weights measures curves lift confusion repeat", nil},
		{two + " --solver soap --hidden 3 --epochs 5", "result measures curves lift confusion repeat", []string{"perceptron"}},
		{targets + " --loss squared --intercept", "result weights measures residuals run repeat", []string{"median", "R2"}},
		{cache + " --memory 50MB", both + " run repeat", []string{"150 rows of " + cache}},
	} {
		args := append([]string{"train"}, strings.Fields(c.args)...)
		o := inside(append(args, "--json", "--html", at("page.html"))...)
		if o.status == exitUsage {
			t.Errorf("%s: %s", c.args, o.stderr)
			continue
		}
		v := object(t, o.out)
		text := read(t, at("page.html"))
		page := plotstest.ParsePage(t, text)
		if got := strings.Join(page.IDs, " "); got != c.sections {
			t.Errorf("%s: sections %s", c.args, got)
		}
		for _, want := range append(c.want, v["weights_sha256"].(string), v["status"].(string), v["solver"].(string), "lanes train ") {
			if !strings.Contains(page.Text, want) {
				t.Errorf("%s: the page does not say %q", c.args, want)
			}
		}
		if strings.Contains(page.Text, "auroc") {
			t.Errorf("%s: the page calls the AUC by its key in JSON", c.args)
		}
		if len(text) > 1<<20 || page.Elements["svg"] == 0 && !strings.Contains(c.args, "--epochs") {
			t.Errorf("%s: %d bytes, %d pictures", c.args, len(text), page.Elements["svg"])
		}
		if chosen := regexp.MustCompile(`<tr class="chosen"><td class="number">([^<]*)<`).FindStringSubmatch(text); chosen == nil {
			if strings.Contains(c.args, "--cv") || strings.Contains(c.args, "--path --valid") {
				t.Errorf("%s: no line of the table is the chosen one", c.args)
			}
		} else if weight := max(v["lambda"].(float64), orZero(v["l1"])); !strings.Contains(c.args, "--for") && chosen[1] != fmt.Sprintf("%.4g", weight) {
			t.Errorf("%s: the line of %s is chosen, the model has %v", c.args, chosen[1], weight)
		}
		if !slices.ContainsFunc(page.Headings, func(h string) bool { return h == "h2 To repeat it" }) {
			t.Errorf("%s: headings %q", c.args, page.Headings)
		}
	}
}

// orZero is a number of JSON, 0 where it is absent.
func orZero(v any) float64 {
	f, _ := v.(float64)
	return f
}

// TestPageOfEval: eval writes the page of a model, or of scores, on the rows that it is given.
func TestPageOfEval(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	rows := fourClasses(t, 300, 5)
	if err := os.WriteFile(at("scores"), []byte("1 2.5\n0 -1\n1 0.25\n0 0.5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	v := object(t, succeed(t, "train", rows, "--positive", "7", "--model", at("two"), "--html", at("page"), "--json"))
	if files := v["files"].(map[string]any); len(files) != 2 || files["html"] != at("page") || files["model"] != at("two") {
		t.Errorf("files %v", files)
	}
	succeed(t, "train", rows, "--multiclass", "--model", at("several"))
	succeed(t, "train", rows, "--loss", "squared", "--model", at("targets"))
	for _, c := range []struct {
		args, sections string
		want           []string
	}{
		{at("two") + " " + rows, "weights measures curves lift confusion calibration repeat", []string{"the rest", v["weights_sha256"].(string), at("two") + " on " + rows}},
		{at("several") + " " + rows, "weights measures confusion calibration classes repeat", nil},
		{at("several") + " " + rows + " --positive 7", "weights measures curves lift confusion calibration repeat", []string{"the rest"}},
		{at("targets") + " " + rows, "weights measures residuals repeat", []string{"median"}},
		{"--scores " + at("scores"), "measures curves lift confusion calibration repeat", []string{"Scores of " + at("scores")}},
	} {
		succeed(t, append(append([]string{"eval"}, strings.Fields(c.args)...), "--html", at("page"))...)
		page := plotstest.ParsePage(t, read(t, at("page")))
		if got := strings.Join(page.IDs, " "); got != c.sections {
			t.Errorf("%s: sections %s", c.args, got)
		}
		for _, want := range append(c.want, "lanes eval "+c.args) {
			if !strings.Contains(page.Text, want) {
				t.Errorf("%s: the page does not say %q", c.args, want)
			}
		}
	}
	if o := inside("eval", at("two"), rows, "--html", rows); o.status != exitUsage || !strings.Contains(o.stderr, "would replace the data") {
		t.Errorf("a page in the place of the rows: %d, %s", o.status, o.stderr)
	}
}

// TestPageOfTable: the page of a table shows the columns and what was made of each. It shows
// missing and unseen values, in training and in the rows that the model was measured on.
func TestPageOfTable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write := func(name string, of func(i int) string) string {
		text := "size,color,<i>when</i>,good\n"
		for i := range 80 {
			text += of(i) + "\n"
		}
		if err := os.WriteFile(at(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return at(name)
	}
	color := []string{"red", "green", "<b>blue</b>", ""}
	train := write("train.csv", func(i int) string {
		size := fmt.Sprint(i * 7 % 31)
		if i%20 == 3 {
			size = "NA"
		}
		return fmt.Sprintf("%s,%s,2026-01-%02dT%02d:00:00,%v", size, color[i%4], i%28+1, i%5, i*i%7 < 3)
	})
	valid := write("valid.csv", func(i int) string {
		return fmt.Sprintf("%d,%s,2026-02-01T%02d:00:00,%v", i%31, []string{"red", "purple"}[i%2], i%5, i*i%7 < 3)
	})
	whole := write("whole.csv", func(i int) string {
		return fmt.Sprintf("%d.5,%s,2026-02-01T%02d:00:00,%v", i*7%31, color[i%3], i%5, i*i%7 < 3)
	})
	leaking := write("leaking.csv", func(i int) string {
		return fmt.Sprintf("%d.5,%s,2026-02-01T%02d:00:00,%v", i*7%31, color[i/3%2], i%5, i/3%2 == 0)
	})
	const both = "result columns weights measures curves lift confusion calibration "
	for _, c := range []struct {
		args     []string
		sections string
		want     []string
	}{
		{[]string{"train", train, "--target", "good", "--model", at("model")}, both + "run repeat", []string{
			"good from " + train, "4 columns of 80 rows; the model uses 3 of them.", "size 4 (5 %), color 20 (25 %)", "0 to 30, scaled by mean",
			"a column for each value: <b>blue</b> (20), green (20), red (20)", "hour, weekday and month", "color=<b>blue</b>", "Right: for true", "<i>when</i>",
		}},
		{[]string{"train", train, "--target", "good", "--valid", valid}, both + "run repeat", []string{"missing, validation rows", "40 (50 %)", "80 rows of " + valid}},
		{[]string{"eval", at("model"), valid}, strings.TrimPrefix(both, "result ") + "repeat", []string{"unseen, " + valid, "40 (50 %)", "good by " + at("model") + " on " + valid}},
		{[]string{"train", train, "--target", "good", "--hash", "5", "--cross", "size*color"}, both + "run repeat", []string{"Pairs of columns, hashed to 2^5 shared places: size * color."}},
		{[]string{"train", leaking, "--target", "good"}, both + "run repeat", []string{"column color: it tells the target by itself"}},
		{[]string{"train", whole, "--target", "size", "--loss", "squared"}, "result columns weights measures residuals run repeat", nil},
		{[]string{"train", whole, "--target", "color", "--multiclass"}, "result columns weights measures confusion calibration classes fits repeat", []string{"For <b>blue</b>"}},
	} {
		o := inside(append(c.args, "--quiet", "--html", at("page"))...)
		if o.status != exitDone {
			t.Errorf("%v: exit status %d: %s", c.args, o.status, o.stderr)
			continue
		}
		page := plotstest.ParsePage(t, read(t, at("page")))
		if got := strings.Join(page.IDs, " "); got != c.sections {
			t.Errorf("%v: sections %s", c.args, got)
		}
		for _, want := range c.want {
			if !strings.Contains(page.Text, want) {
				t.Errorf("%v: the page does not say %q", c.args, want)
			}
		}
	}
}

// TestWarningsOfPage: what may be wrong stands on a page as a warning, and plain conversions as notes.
func TestWarningsOfPage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data, page := filepath.Join(dir, "t.csv"), filepath.Join(dir, "page.html")
	text := "told;price;y\n"
	for i := range 40 {
		text += fmt.Sprintf("%d;$%d;%d\n", i%2*3, i%7, i%2)
	}
	if err := os.WriteFile(data, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	succeed(t, "train", data, "--target", "y", "--html", page)
	for _, want := range []string{`<p class="warning">column told: it tells the target by itself`, `<p class="note">column price: 40 of 40 cells`} {
		if got := string(read(t, page)); !strings.Contains(got, want) {
			t.Errorf("the page does not have %s", want)
		}
	}
}

// TestHostilePage: what data are called is text on a page, whatever it is.
func TestHostilePage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>`
	long := strings.Repeat("x<", 5000)
	data, names, page := filepath.Join(dir, "<b onload=x>.txt"), filepath.Join(dir, "names"), filepath.Join(dir, "page.html")
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "%d 1:%d 2:1 3:%d\n", i%3&1, i%7+1, i%5-2)
	}
	for name, content := range map[string]string{data: text.String(), names: evil + "\n" + long + "\n&lt;{{.}}\n"} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	succeed(t, "train", data, "--names", names, "--path", "--sparse", "--quiet", "--html", page)
	if profiles := plotstest.ParsePage(t, read(t, page)); profiles.Elements["title"] < 10 {
		t.Errorf("%d points to ask for", profiles.Elements["title"])
	}
	succeed(t, "train", data, "--names", names, "--quiet", "--html", page)
	got := plotstest.ParsePage(t, read(t, page))
	for _, want := range []string{evil, "x<x<", "&lt;{{.}}", "<b onload=x>.txt"} {
		if !strings.Contains(got.Text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(got.Text, long) || got.Elements["svg"] > 8 {
		t.Errorf("a name of %d characters stands on the page, %d pictures", len(long), got.Elements["svg"])
	}
}
