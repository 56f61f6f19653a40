package model

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/repeat"
)

// damageable are models of every kind, as text.
func damageable(t *testing.T) map[string]string {
	t.Helper()
	rest, regression, classes, unit, table, words := exampleModel(), exampleModel(), exampleModel(), exampleModel(), exampleModel(), exampleModel()
	rest.Positive, rest.Negative, rest.Rest = 0.5, -1, true
	regression.SolverType, regression.Regression, regression.Bias = "L2R_L2LOSS_SVR", true, 0
	regression.Positive, regression.Negative, regression.Weights = 0, 0, regression.Weights[:3]
	classes.Positive, classes.Negative, classes.Classes = 0, 0, []float64{3, 1, 0.5}
	classes.Weights = append(classes.Weights, 1, 2, 3, 4, 5, 6, 7, 8)
	unit.Meta.Normalize, unit.Meta.Scaler, unit.Meta.Loss, unit.Meta.LossDelta = NormalizeUnit, nil, "huber", 0.125
	words.Meta.LabelNames, words.Meta.ZeroBased = []string{"spam", "ham"}, true
	table.Meta.Table = json.RawMessage(`{"version":1,"columns":[{"name":"a \u003c b","values":["Ä","\u2028"]}]}`)
	words.Meta.FeatureNames = []string{"length", "", "number of words"}
	out := make(map[string]string)
	for name, m := range map[string]*Linear{"minmax": exampleModel(), "rest": rest, "regression": regression, "classes": classes, "unit": unit, "table": table, "words": words} {
		var text bytes.Buffer
		if err := m.Write(&text); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = text.String()
	}
	return out
}

// TestModelDamage changes every byte of model files in some of many ways: what is still read
// is the model that was written, with its checksum.
func TestModelDamage(t *testing.T) {
	repeat.Skip(t)
	t.Parallel()
	for _, form := range []string{"LIBLINEAR's", "sparse"} {
		tried, read, step := 0, 0, 1
		if testing.Short() {
			step = 7
		}
		for name, text := range damageable(t) {
			if form == "sparse" {
				text = sparseOf(t, text)
			}
			want, err := Read(strings.NewReader(text), name)
			if err != nil {
				t.Fatal(err)
			}
			for at := 0; at < len(text); at += step {
				for k, c := range changes(text[at]) {
					if (k+at)%3 > 0 {
						continue
					}
					tried++
					got, err := Read(strings.NewReader(text[:at]+string([]byte{c})+text[at+1:]), name)
					if err != nil {
						continue
					}
					read++
					if !reflect.DeepEqual(got, want) {
						t.Errorf("%s: byte %d of %q as %q was read as %+v, %+v", name, at, text, c, got, got.About().Meta)
					}
				}
			}
		}
		if t.Logf("%s form: %d changes, %d of them read", form, tried, read); read == 0 || read > tried/10 {
			t.Error("that is not what a checksum does")
		}
	}
}

// sparseOf is the text of a model with only its weights that are not 0.
func sparseOf(t *testing.T, text string) string {
	t.Helper()
	m, err := readLinear(strings.NewReader(text), "model")
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := m.WriteSparse(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// changes returns other bytes for b: b with one bit flipped, and characters of numbers and JSON.
func changes(b byte) []byte {
	var out []byte
	for k := range 8 {
		out = append(out, b^1<<k)
	}
	for _, c := range []byte("05-.e \"") {
		if c != b {
			out = append(out, c)
		}
	}
	return out
}

// TestModelWithoutChecksum: a checksum that is not there, or has another name, is missed.
func TestModelWithoutChecksum(t *testing.T) {
	for name, text := range damageable(t) {
		for form, text := range map[string]string{"LIBLINEAR's": text, "sparse": sparseOf(t, text)} {
			for _, change := range [][2]string{{`,"sha256":"[0-9a-f]*"`, ""}, {`"sha256"`, `"sha257"`}, {`"lambda"`, `"lambdb"`}, {`"status"`, `"more":1,"status"`}} {
				changed := regexp.MustCompile(change[0]).ReplaceAllString(text, change[1])
				if changed == text {
					t.Fatalf("%s: nothing is like %s in %s", name, change[0], text)
				}
				if m, err := Read(strings.NewReader(changed), name); err == nil {
					t.Errorf("%s form of %s with %s as %q was read as %+v", form, name, change[0], change[1], m)
				}
			}
		}
	}
}

// TestModelCut: no beginning of a file is read, but the one that lacks the last end of line.
func TestModelCut(t *testing.T) {
	for name, text := range damageable(t) {
		for form, text := range map[string]string{"LIBLINEAR's": text, "sparse": sparseOf(t, text)} {
			for cut := range len(text) - 1 {
				if m, err := Read(strings.NewReader(text[:cut]), name); err == nil {
					t.Errorf("%s form of %s cut behind %q was read as %+v", form, name, text[max(0, cut-20):cut], m)
				}
			}
		}
	}
}

// TestOlderModel: text in the order of older versions is read, with its metadata and without it.
// Without metadata a cut within the last weight is refused, as no line ends it.
func TestOlderModel(t *testing.T) {
	for name, text := range damageable(t) {
		older := regexp.MustCompile(`^(nr_class .*\n)(solver_type .*\n)`).ReplaceAllString(text, "$2$1")
		if older == text {
			t.Fatalf("%s begins with %.40q", name, text)
		}
		want, err := Read(strings.NewReader(text), name)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Read(strings.NewReader(older), name); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		weights := older[:strings.Index(older, "\nlanes 1\n")]
		if _, err := Read(strings.NewReader(weights+"\n"), name); err != nil {
			t.Errorf("%s without metadata: %v", name, err)
		}
		for cut := strings.LastIndexAny(weights, " \n") + 1; cut <= len(weights); cut++ {
			if m, err := Read(strings.NewReader(weights[:cut]), name); err == nil {
				t.Errorf("%s cut in its last weight, behind %q, was read as %+v", name, weights[cut-5:cut], m)
			}
		}
	}
}
