package model

import (
	"bytes"
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

// damageable are models of every kind, as text.
func damageable(t *testing.T) map[string]string {
	t.Helper()
	rest, regression, classes, unit, words := exampleModel(), exampleModel(), exampleModel(), exampleModel(), exampleModel()
	rest.Positive, rest.Negative, rest.Rest = 0.5, -1, true
	regression.SolverType, regression.Regression, regression.Bias = "L2R_L2LOSS_SVR", true, 0
	regression.Positive, regression.Negative, regression.Weights = 0, 0, regression.Weights[:3]
	classes.Positive, classes.Negative, classes.Classes = 0, 0, []float64{3, 1, 0.5}
	classes.Weights = append(classes.Weights, 1, 2, 3, 4, 5, 6, 7, 8)
	unit.Meta.Normalize, unit.Meta.Scaler, unit.Meta.Loss, unit.Meta.LossDelta = NormalizeUnit, nil, "huber", 0.125
	words.Meta.LabelNames, words.Meta.ZeroBased = []string{"spam", "ham"}, true
	words.Meta.FeatureNames = []string{"length", "", "number of words"}
	out := make(map[string]string)
	for name, m := range map[string]*Linear{"minmax": exampleModel(), "rest": rest, "regression": regression, "classes": classes, "unit": unit, "words": words} {
		var text bytes.Buffer
		if err := m.Write(&text); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		out[name] = text.String()
	}
	return out
}

// TestModelDamage changes every byte of model files in many ways: what is still read is
// the model that was written.
func TestModelDamage(t *testing.T) {
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
			want.About().Meta.Checksum = ""
			for at := 0; at < len(text); at += step {
				for _, c := range changes(text[at]) {
					tried++
					got, err := Read(strings.NewReader(text[:at]+string([]byte{c})+text[at+1:]), name)
					if err != nil {
						continue
					}
					read++
					got.About().Meta.Checksum = "" // its name may be what changed
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

// changes are other bytes for b: those of one bit less or more, and what numbers and
// JSON are made of.
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

func TestModelOfEarlierProgram(t *testing.T) {
	for name, text := range damageable(t) {
		old := regexp.MustCompile(`,"sha256":"[0-9a-f]*"`).ReplaceAllString(text, "")
		if old == text {
			t.Fatalf("%s has no checksum: %s", name, text)
		}
		a, err1 := readLinear(strings.NewReader(text), name)
		b, err2 := readLinear(strings.NewReader(old), name)
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if a.Meta.Checksum = ""; !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %s", name, fmt.Sprint(a, b))
		}
	}
}
