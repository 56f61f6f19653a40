package fuzz

import (
	"bytes"
	"testing"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/score"
)

// FuzzReadPerceptron: whatever the text, the reader gives a model that survives being
// written and read again, or an error.
func FuzzReadPerceptron(f *testing.F) {
	for _, hidden := range [][]int{{1}, {2, 1}} {
		net := score.Network{Features: 2, Hidden: hidden}
		w := make([]float64, net.Parameters())
		for k := range w {
			w[k] = float64(k) / 3
		}
		var text bytes.Buffer
		if err := score.Write(&text, &score.Trained{
			Network: net, Weights: w, Positive: 1, Negative: -1, Meta: solvers.ModelMeta{Normalize: solvers.NormalizeNone},
		}); err != nil {
			f.Fatal(err)
		}
		f.Add(text.Bytes())
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := score.Read(bytes.NewReader(text), "fuzz")
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := score.Write(&again, m); err != nil {
			t.Fatalf("a model that was read cannot be written: %v", err)
		}
		back, err := score.Read(&again, "again")
		if err != nil {
			t.Fatalf("a model that was written cannot be read: %v", err)
		}
		if solvers.HashWeights(back.Weights) != solvers.HashWeights(m.Weights) || back.Network.String() != m.Network.String() {
			t.Fatalf("%+v came back as %+v", m, back)
		}
	})
}
