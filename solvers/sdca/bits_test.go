package sdca

import (
	"fmt"
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// pinned are the first bytes of the SHA-256 of the weights and the gap after five passes: the
// same on every architecture and CPU path.
var pinned = map[string]string{
	"prox-sdca logistic":              "89664ea9d7298eb5",
	"adfsdca logistic":                "5315ddd4ce0cb8c2",
	"adfsdca+ logistic":               "148c636fa874ce1a",
	"adfsdca-minibatch logistic":      "88e6d25308713695",
	"dfsdca logistic":                 "99cd214940bd2bdb",
	"is-sdca logistic":                "9bd7faa9ce98d03b",
	"prox-sdca squared":               "ade14733518bbdfe",
	"adfsdca squared":                 "dd5219fbdf2314f7",
	"adfsdca+ squared":                "3a92e83f80f94379",
	"adfsdca-minibatch squared":       "7623d87cd2c47099",
	"dfsdca squared":                  "f9d493098b6dafb1",
	"is-sdca squared":                 "02c564154bdb8ede",
	"prox-sdca squared-hinge":         "6b7f6ae2cbb8b31c",
	"adfsdca squared-hinge":           "8fe5b3e5a39579f8",
	"adfsdca+ squared-hinge":          "ae3dbad03f6cfb55",
	"adfsdca-minibatch squared-hinge": "76cf21ec2fc552f5",
	"dfsdca squared-hinge":            "ad13f3b9cab503c8",
	"is-sdca squared-hinge":           "def24304bfe577f3",
	"prox-sdca huber":                 "e2bfbfe8bad5dca5",
	"adfsdca huber":                   "66b6a5cb2cb0bb21",
	"adfsdca+ huber":                  "01188556a18f6d43",
	"adfsdca-minibatch huber":         "0a67851b52255863",
	"dfsdca huber":                    "e3792eee2c1fe2b5",
	"is-sdca huber":                   "45657dd0c1e7a98a",
}

func TestPinnedBits(t *testing.T) {
	x, y := generated(t, "text:n=400,d=600", 2)
	for _, of := range []string{"logistic", "squared", "squared-hinge", "huber"} {
		phi, err := loss.Parse(of, 1)
		if err != nil {
			t.Fatal(err)
		}
		p := &erm.Problem{X: x, Y: y, Loss: phi, Penalty: penalty.Ridge{Lambda: 1 / float64(len(y))}}
		for _, m := range []Method{Prox{}, Adaptive{}, AdaptivePlus{}, Minibatch{}, DualFree{}, ImportanceSampled{}} {
			r := solve(t, p, m, solvers.Settings{MaxEpochs: 5, Seed: 7, BatchSize: 8})
			name := fmt.Sprintf("%s %v", m.Name(), phi)
			if got := solvers.HashWeights(append(r.Weights, r.Gap))[:16]; got != pinned[name] {
				t.Errorf("%q: %q,", name, got)
			}
		}
	}
}
