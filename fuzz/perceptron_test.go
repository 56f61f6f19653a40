package fuzz

import (
	"bytes"
	"testing"

	"github.com/lanes-go/lanes/model"
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
		if err := (&model.Perceptron{
			Card: model.Card{Features: 2, Positive: 1, Negative: -1}, Network: net, Weights: w,
		}).Write(&text); err != nil {
			f.Fatal(err)
		}
		f.Add(text.Bytes())
	}
	f.Fuzz(readModel)
}
