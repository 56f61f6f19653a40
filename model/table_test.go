package model

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// tableText is JSON with blanks and characters that the encoder of Go escapes.
const tableText = "{ \"version\": 1,\n \"columns\": [{\"name\": \"a<b & \u2028\", \"values\": [\">50K\"]}] }"

// TestModelsWithoutTable: files of models without a table keep their bytes.
func TestModelsWithoutTable(t *testing.T) {
	t.Parallel()
	write := map[string]func(*Linear, *bytes.Buffer) error{
		"LIBLINEAR's": func(m *Linear, to *bytes.Buffer) error { return m.Write(to) },
		"sparse":      func(m *Linear, to *bytes.Buffer) error { return m.WriteSparse(to) },
	}
	for form, want := range map[string]string{
		"LIBLINEAR's": "0760040e28b2e1f65f6fa61f2232b1d10e44df11cab6e39f6b401016ba66be4e",
		"sparse":      "e89dc4365a6f3560141258fe21384c2d8086923e5a2d59cfbc95dac8dadbe76d",
	} {
		var text bytes.Buffer
		if err := write[form](exampleModel(), &text); err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(text.Bytes()); hex.EncodeToString(sum[:]) != want {
			t.Errorf("%s form: %x", form, sum)
		}
	}
}

// trainedOn makes a model of rows with an encoder.
func trainedOn(t *testing.T, table []byte, names []string) Model {
	t.Helper()
	x, err := sparse.NewCSR(1, []int64{0, 1, 1}, []uint32{0}, []float64{1})
	if err != nil {
		t.Fatal(err)
	}
	m, err := New(&solvers.Result{Weights: []float64{2}, Solver: "newton"}, Training{
		X: x, Labels: sparse.LabelMap{Positive: 1, Negative: -1}, LabelNames: names, Loss: loss.Logistic{}, Table: table,
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestModelKeepsTable: every kind of file keeps the JSON of the encoder and any names of labels.
func TestModelKeepsTable(t *testing.T) {
	t.Parallel()
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(tableText)); err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{nil, {">50K", "very good"}, {"1-5", "ÄÖ, \"quoted\": \\"}, {" ", "nan"}} {
		m := trainedOn(t, []byte(tableText), names).(*Linear)
		for form, write := range map[string]func(*bytes.Buffer) error{
			"LIBLINEAR's": func(to *bytes.Buffer) error { return m.Write(to) },
			"sparse":      func(to *bytes.Buffer) error { return m.WriteSparse(to) },
		} {
			var text bytes.Buffer
			if err := write(&text); err != nil {
				t.Fatalf("%s form: %v", form, err)
			}
			read, err := Read(&text, "model")
			if err != nil {
				t.Fatalf("%s form: %v", form, err)
			}
			meta := read.About().Meta
			if !reflect.DeepEqual(read.About().Words(), names) {
				t.Errorf("%s form: labels %q became %q", form, names, read.About().Words())
			}
			var want, got any
			if json.Unmarshal([]byte(tableText), &want) != nil || json.Unmarshal(meta.Table, &got) != nil || !reflect.DeepEqual(want, got) {
				t.Errorf("%s form: the table became %s", form, meta.Table)
			}
			if bytes.ContainsAny(meta.Table, "\n") || len(meta.Table) > compact.Len()+25 {
				t.Errorf("%s form: the table is not compact: %s", form, meta.Table)
			}
			for _, same := range []string{tableText, compact.String(), string(meta.Table)} {
				if err := meta.CheckEncoding([]byte(same)); err != nil {
					t.Errorf("%s form: %s: %v", form, same, err)
				}
			}
			if err := meta.CheckEncoding(nil); err != nil {
				t.Error(err)
			}
			for _, other := range []string{strings.Replace(tableText, "50K", "51K", 1), `{}`, `{"a"`} {
				if meta.CheckEncoding([]byte(other)) == nil {
					t.Errorf("%s form: rows of %s were taken", form, other)
				}
			}
		}
	}
}

// TestModelRefusesTable: what is no JSON object cannot be the table of a model.
func TestModelRefusesTable(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "null", "1", `"{}"`, "[]", "{", `{"a":1}}`, "{'a':1}"} {
		m := exampleModel()
		m.Meta.Table = json.RawMessage(bad)
		if err := m.Check(); err == nil || !strings.Contains(err.Error(), "table") {
			t.Errorf("table %q: %v", bad, err)
		}
		if bad == "" {
			continue
		}
		x, _ := sparse.NewCSR(1, []int64{0, 0}, nil, nil)
		if _, err := New(&solvers.Result{Weights: []float64{2}}, Training{Loss: loss.Logistic{}, X: x, Labels: sparse.LabelMap{Positive: 1, Negative: -1}, Table: []byte(bad)}); err == nil {
			t.Errorf("New took the table %q", bad)
		}
	}
}
