package model

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"slices"
	"testing"
)

// arrayOf returns an array of what WriteNPZ writes, with its header.
func arrayOf(t *testing.T, m *Linear, name string) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := m.WriteNPZ(&out); err != nil {
		t.Fatal(err)
	}
	files, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	file, err := files.Open(name + ".npy")
	if err != nil {
		t.Fatal(err)
	}
	array, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return array
}

// TestInterceptsInNPZ: every class has its own constant.
func TestInterceptsInNPZ(t *testing.T) {
	t.Parallel()
	m := &Linear{Card: Card{Features: 1, Classes: []float64{5, 1, 3}}, SolverType: "L2R_LR", Bias: 2, Weights: []float64{51, 0.5, 11, 0.25, 31, 4}}
	for name, want := range map[string][]float64{"coef_": {51, 11, 31}, "intercept_": {1, 0.5, 8}} {
		array := arrayOf(t, m, name)
		for k, v := range want {
			if got := math.Float64frombits(binary.LittleEndian.Uint64(array[len(array)-8*len(want)+8*k:])); got != v {
				t.Errorf("%s of class %d is %v, not %v", name, k, got, v)
			}
		}
	}
}

// TestLossInNPZ: a model whose predictions are not its scores says so, and no other one does.
func TestLossInNPZ(t *testing.T) {
	t.Parallel()
	for name, linked := range map[string]bool{"poisson": true, "squared": false, "huber": false} {
		m := &Linear{Card: Card{Features: 1, Regression: true, Meta: &Meta{Loss: name, Normalize: NormalizeNone}}, SolverType: "L2R_L2LOSS_SVR", Weights: []float64{2}}
		var out bytes.Buffer
		if err := m.WriteNPZ(&out); err != nil {
			t.Fatal(err)
		}
		says := bytes.Contains(out.Bytes(), []byte("p\x00\x00\x00o\x00\x00\x00i\x00\x00\x00s"))
		if has := bytes.Contains(out.Bytes(), []byte("loss.npy")); has != linked || says != linked {
			t.Errorf("the model of the %s loss has an array of the loss: %t, with its name: %t", name, has, says)
		}
	}
}

// TestLabelsInNPZ: labels are integers where a float64 tells every whole number from the next
// one, and floats otherwise; either way they are the labels that the model has.
func TestLabelsInNPZ(t *testing.T) {
	t.Parallel()
	const edge = 1 << 53
	for _, c := range []struct {
		positive, negative float64
		kind               string
	}{
		{1, -1, "<i8"}, {edge, -edge, "<i8"}, {edge + 2, 1, "<f8"}, {1, -edge - 2, "<f8"}, {0x1p63, 0, "<f8"}, {-1e300, 1e300, "<f8"}, {0.5, 2, "<f8"},
	} {
		m := exampleModel()
		m.Weights = []float64{1, 2, 3, 4}
		m.Positive, m.Negative = c.positive, c.negative
		array := arrayOf(t, m, "classes_")
		if !bytes.Contains(array, []byte("'descr': '"+c.kind+"'")) {
			t.Fatalf("%v and %v: %q", c.positive, c.negative, array)
		}
		var got []float64
		for b := range slices.Chunk(array[len(array)-16:], 8) {
			v := math.Float64frombits(binary.LittleEndian.Uint64(b))
			if c.kind == "<i8" {
				v = float64(int64(binary.LittleEndian.Uint64(b)))
			}
			got = append(got, v)
		}
		if !slices.Equal(got, []float64{c.negative, c.positive}) { // as scikit-learn orders them
			t.Errorf("%v and %v are %v", c.negative, c.positive, got)
		}
	}
}
