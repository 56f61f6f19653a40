package sdca

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
)

// pinned are the first bytes of the SHA-256 of the weights after five passes: the
// same on every architecture and CPU path.
var pinned = map[string]string{
	"prox-sdca logistic":              "1fc66807fa5c972e",
	"adfsdca logistic":                "8ed1d6527b5bd047",
	"adfsdca+ logistic":               "6c43011148f4e35c",
	"adfsdca-minibatch logistic":      "b9d5753e73510ed9",
	"dfsdca logistic":                 "465a253244b7916e",
	"is-sdca logistic":                "76479b437ffa0cec",
	"prox-sdca squared":               "0bb5ea81161200a8",
	"adfsdca squared":                 "8e0d21ddbf928acc",
	"adfsdca+ squared":                "159820440abc3c0c",
	"adfsdca-minibatch squared":       "5e62f3db4fc14e1f",
	"dfsdca squared":                  "bec0910552367fba",
	"is-sdca squared":                 "21ee685aefc24254",
	"prox-sdca squared-hinge":         "39c31e9596b8c3e4",
	"adfsdca squared-hinge":           "25e112870e15fc07",
	"adfsdca+ squared-hinge":          "7e6ad957498596bf",
	"adfsdca-minibatch squared-hinge": "855cdf3450e752d7",
	"dfsdca squared-hinge":            "c1bb1761936a2975",
	"is-sdca squared-hinge":           "bc603138a57079a7",
	"prox-sdca huber":                 "d3443ca221e50bdb",
	"adfsdca huber":                   "ac2203ac74b15f89",
	"adfsdca+ huber":                  "57dab6f41fe4a03a",
	"adfsdca-minibatch huber":         "a8ab4854c40adaa0",
	"dfsdca huber":                    "75efc082c77250ce",
	"is-sdca huber":                   "f0d2b99f559c1b9d",
}

func TestPinnedBits(t *testing.T) {
	x, y := generated(t, "text:n=400,d=600", 2)
	for _, loss := range allLosses {
		p := &erm.Problem{X: x, Y: y, Loss: loss, Lambda: 1 / float64(len(y))}
		for _, m := range []Method{Prox{}, Adaptive{}, AdaptivePlus{}, Minibatch{}, DualFree{}, ImportanceSampled{}} {
			r := solve(t, p, m, solvers.Settings{MaxPasses: 5, Seed: 7, BatchSize: 8})
			sum := sha256.New()
			for _, w := range append(r.Weights, r.Gap) {
				binary.Write(sum, binary.LittleEndian, math.Float64bits(w))
			}
			name := fmt.Sprintf("%s %v", m.Name(), loss)
			if got := fmt.Sprintf("%x", sum.Sum(nil)[:8]); got != pinned[name] {
				t.Errorf("%q: %q,", name, got)
			}
		}
	}
}
