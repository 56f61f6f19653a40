package pauc

import (
	"testing"

	"github.com/lanes-go/lanes/sparse/synthetic"
)

// BenchmarkIteration is one inner iteration of 100 positives and 100 negatives.
func BenchmarkIteration(b *testing.B) {
	g, err := synthetic.Shape{Name: "imbalanced", N: 30000, D: 300, Seed: 7}.Generate(nil)
	if err != nil {
		b.Fatal(err)
	}
	for name, low := range map[string]float64{"low": 0, "middle": 0.05} {
		p := &Problem{X: g.X, Y: g.Y, Low: low, High: 0.05 + 9*low}
		for _, m := range []AGDSBCD{{}, {Logistic: true}} {
			loss := "sigmoid"
			if m.Logistic {
				loss = "logistic"
			}
			b.Run(name+"/"+loss, func(b *testing.B) {
				blocks, lambda := started(b, p, m)
				b.ReportAllocs()
				for b.Loop() {
					if err := blocks.step(lambda, blocks.n, 0.01); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
