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
	"prox-sdca logistic":              "4bd5907482b025e9",
	"adfsdca logistic":                "68c0e4f676f71eb0",
	"adfsdca+ logistic":               "c1f51ed73073b6ac",
	"adfsdca-minibatch logistic":      "63858193673babeb",
	"dfsdca logistic":                 "58ae630710966568",
	"is-sdca logistic":                "b4d95fde4ee335d6",
	"prox-sdca squared":               "0941d6bb1918616e",
	"adfsdca squared":                 "fbeb929345178c2a",
	"adfsdca+ squared":                "a1adeb4be80a35e6",
	"adfsdca-minibatch squared":       "3876da9f2ceb7891",
	"dfsdca squared":                  "7733cb977d25b773",
	"is-sdca squared":                 "f0c5339d87fb1556",
	"prox-sdca squared-hinge":         "0726b427acdbfd5b",
	"adfsdca squared-hinge":           "d82f5184b6611ad2",
	"adfsdca+ squared-hinge":          "222aa7bd4c7811e3",
	"adfsdca-minibatch squared-hinge": "443acfd6468e85bc",
	"dfsdca squared-hinge":            "8004ead2cb2e95cc",
	"is-sdca squared-hinge":           "3a6cd4e607e62748",
	"prox-sdca huber":                 "9bb106eedd9af19c",
	"adfsdca huber":                   "ad543b8ae0e4666c",
	"adfsdca+ huber":                  "cbb6056afd8ccbb5",
	"adfsdca-minibatch huber":         "39c0df4fd53e1d43",
	"dfsdca huber":                    "68d140704b8ea746",
	"is-sdca huber":                   "b639ea93df8cf3d1",
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
