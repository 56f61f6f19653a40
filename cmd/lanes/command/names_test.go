package command

import (
	"compress/gzip"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/model"
)

// columnNames are as many names, one a line.
func columnNames(count int) string {
	var text strings.Builder
	for j := range count {
		fmt.Fprintf(&text, "größe %d\n", j+1)
	}
	return text.String()
}

func TestNames(t *testing.T) {
	several := fourClasses(t, 100, 3)
	t.Chdir(t.TempDir())
	rowsOf(t, "two", "text:n=200,d=60,seed=5", relabel("spam", "ham"))
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("names", columnNames(60))
	write("dos", strings.ReplaceAll(strings.TrimSpace(columnNames(60)), "\n", "\r\n"))
	packed, err := os.Create("names.gz")
	if err != nil {
		t.Fatal(err)
	}
	zip := gzip.NewWriter(packed)
	fmt.Fprint(zip, columnNames(60))
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	packed.Close()

	plain := object(t, succeed(t, "train", "two", "--json", "--l1", "1e-3", "--intercept"))
	for _, names := range []string{"names", "dos", "names.gz"} {
		v := object(t, succeed(t, "train", "two", "--json", "--l1", "1e-3", "--intercept", "--names", names, "--model", "m"))
		if v["weights_sha256"] != plain["weights_sha256"] {
			t.Errorf("%s: names change the weights", names)
		}
		m, err := model.ReadFile("m")
		if err != nil {
			t.Fatal(err)
		}
		if got := m.About().FeatureNames(); len(got) != 60 || got[0] != "größe 1" || got[59] != "größe 60" {
			t.Errorf("%s: the model has the names %q", names, got)
		}
	}

	// The largest weights, against a search of all.
	m, err := model.ReadFile("m")
	if err != nil {
		t.Fatal(err)
	}
	w := m.(*model.Linear).Weights
	about := object(t, succeed(t, "info", "--json", "--model", "m", "--top", "5"))
	top := about["top"].([]any)[0].(map[string]any)
	if top["label"] != "spam" || top["constant"] != w[60] || about["named"] != true {
		t.Errorf("%v", top)
	}
	last := math.Inf(1)
	for _, line := range top["weights"].([]any) {
		at := line.(map[string]any)
		j := int(at["column"].(float64)) - 1
		if at["weight"] != w[j] || at["name"] != fmt.Sprintf("größe %d", j+1) || !(math.Abs(w[j]) <= last) {
			t.Errorf("%v: the weight is %v", at, w[j])
		}
		last = math.Abs(w[j])
	}
	larger := 0
	for _, v := range w[:60] {
		if math.Abs(v) >= last {
			larger++
		}
	}
	if larger != 5 || len(top["weights"].([]any)) != 5 {
		t.Errorf("%d weights are as large as the fifth of %v", larger, top)
	}
	text := succeed(t, "info", "m", "--top", "3")
	if !strings.Contains(text, "speak for spam (3 of ") || strings.Count(text, "größe") != 3 || !strings.Contains(text, "constant") {
		t.Errorf("%s", text)
	}
	if text := succeed(t, "info", "m"); strings.Contains(text, "größe") || !strings.Contains(text, "with names") {
		t.Errorf("%s", text)
	}

	// Every class has its own; a model that was trained further keeps the names.
	write("twelve", columnNames(12))
	succeed(t, "train", several, "--quiet", "--multiclass", "--names", "twelve", "--model", "c")
	succeed(t, "train", several, "--quiet", "--multiclass", "--initial", "c", "--model", "c")
	classes := object(t, succeed(t, "info", "c", "--json", "--top", "100"))["top"].([]any)
	if len(classes) != 4 || classes[1].(map[string]any)["label"] != "3" || len(classes[3].(map[string]any)["weights"].([]any)) != 12 {
		t.Errorf("%v", classes)
	}
	succeed(t, "train", "two", "--quiet", "--solver", "adap", "--hidden", "2", "--epochs", "1", "--names", "names", "--model", "net")
	if net, err := model.ReadFile("net"); err != nil || !slices.Equal(net.About().FeatureNames(), m.About().FeatureNames()) {
		t.Errorf("a perceptron has the names %v, %v", net.About().FeatureNames(), err)
	}

	write("short", columnNames(59))
	write("long", columnNames(61))
	write("empty line", strings.Replace(columnNames(60), "größe 7\n", "  \n", 1))
	write("twice", strings.Replace(columnNames(60), "größe 7\n", "größe 3\n", 1))
	write("bytes", strings.Replace(columnNames(60), "größe 7\n", "\xff\n", 1))
	write("control", strings.Replace(columnNames(60), "größe 7\n", "a\tb\n", 1))
	write("line", strings.Repeat("x", 1<<17))
	write("nothing", "")
	write("other", strings.Replace(columnNames(60), "größe 7\n", "länge\n", 1))
	for args, says := range map[string]string{
		"--names short":              "short has 59 names, two has 60 columns",
		"--names long":               "long has 61 names, two has 60 columns",
		"--names empty line":         "empty line:7: the line is empty",
		"--names twice":              `twice:7: "größe 3" is the name of column 3 already`,
		"--names bytes":              "bytes:7: ",
		"--names control":            "control:7: ",
		"--names line":               "line:1: the line has more than",
		"--names nothing":            "there are no names",
		"--names absent":             "no such file",
		"--names other --initial m2": `column 7 is called "größe 7" in the model and "länge"`,
	} {
		if strings.Contains(args, "m2") {
			succeed(t, "train", "two", "--quiet", "--names", "names", "--model", "m2")
		}
		list := strings.Fields(args)
		if args == "--names empty line" {
			list = []string{"--names", "empty line"}
		}
		o := inside(append([]string{"train", "two", "--quiet", "--model", "new"}, list...)...)
		if o.status != exitData || !strings.Contains(o.stderr, says) {
			t.Errorf("%s: exit status %d: %s", args, o.status, o.stderr)
		}
		if _, err := os.Stat("new"); err == nil {
			t.Fatalf("%s: a model was written", args)
		}
	}
	for _, line := range []string{"train two --names names", "train two --names names --model names", "info net --top 3", "info --model m two"} {
		if o := inside(strings.Fields(line)...); o.status != exitUsage {
			t.Errorf("lanes %s: exit status %d: %s", line, o.status, o.stderr)
		}
	}
}
