package lanes_test

import (
	"slices"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/solvers"
)

// TestClassesTakeParameters: dual steps on several classes at once have the defaults alone. A class
// whose solver has other parameters gets the weights that it has as the positive class of two.
func TestClassesTakeParameters(t *testing.T) {
	data := relabelled(heavy(t), func(i int) float64 { return float64(i * i % 7 % 3) })
	data.Weight, data.Offset = nil, nil
	o := lanes.Options{Kind: lanes.OneVsRest, Solver: "prox-sdca", Settings: solvers.Settings{MaxEpochs: 3, Seed: 5, Workers: 1}}
	for _, name := range []string{"", "no-shrinking", "with-replacement"} {
		if name != "" {
			o.Parameters = map[string]string{name: "true"}
		}
		all := train(t, data, o)
		two := o
		two.Kind = lanes.TwoClasses
		alone := train(t, relabelled(data, func(i int) float64 { return float64(min(i*i%7%3, 1))*-2 + 1 }), two)
		d := len(alone.Result.Weights)
		if same := slices.Equal(all.Result.Weights[:d], alone.Result.Weights); same != (name != "") {
			t.Errorf("%q: the first class has the weights that it has alone: %v", name, same)
		}
	}
}
