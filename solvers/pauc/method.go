package pauc

import (
	"fmt"

	"github.com/lanes-go/lanes/internal/engine"
)

// Algorithm says how the difference of f^n and f^m is made small.
type Algorithm uint8

const (
	// AGDSBCD descends on the difference of Moreau envelopes (algorithms 1 and 2).
	AGDSBCD Algorithm = iota
	// DCA makes f^m linear, outer iteration by outer iteration (algorithm 4, (37)).
	DCA
	// ProxDCA is DCA that stays near the last outer iterate (38).
	ProxDCA
	// SoRRAGD, SoRRDCA and SoRRProxDCA are the same for the sum of ranked range
	// (algorithm 3): SolveRange runs them.
	SoRRAGD
	SoRRDCA
	SoRRProxDCA
	// SVMTight is the structural SVM of Narasimhan and Agarwal (2013), by cutting
	// planes; for linear scores only.
	SVMTight
	// MiniBatch descends on the batch's own partial AUC (Kar et al. 2014).
	MiniBatch
	// AUCMargin maximises the whole AUC by its min-max margin loss (Yuan et al. 2021).
	AUCMargin
	algorithms = iota
)

var algorithmNames = [algorithms]string{"agd-sbcd", "dca", "prox-dca", "sorr-agd", "sorr-dca", "sorr-prox-dca", "svm-pauc-tight", "mb-pauc", "auc-m"}

// Range tells whether the algorithm is for the sum of ranked range.
func (a Algorithm) Range() bool { return a >= SoRRAGD && a <= SoRRProxDCA }

// Linear tells whether the algorithm is for linear scores only.
func (a Algorithm) Linear() bool { return a == SVMTight }

// dual tells whether the algorithm has a duality gap. It then minimises an objective
// of its own, from w = 0.
func (a Algorithm) dual() bool { return a == SVMTight }

func (a Algorithm) linearises() bool {
	return a == DCA || a == ProxDCA || a == SoRRDCA || a == SoRRProxDCA
}

func (a Algorithm) proximal() bool { return a == ProxDCA || a == SoRRProxDCA }

// Method is an algorithm with its parameters. What is 0 has a default that needs no
// tuning: a warm start from a logistic fit and, for AGDSBCD, a loss that is near to 0
// and 1 for a right and a wrong pair.
type Method struct {
	Algorithm Algorithm
	// Paper selects the paper's setting in place of these defaults: the logistic loss, no
	// warm start of a linear model, Step 1, Inner 5, Threshold 1, Outer 5, Length 50.
	Paper bool
	// Scale is k of the loss sigmoid(k (h_j-h_i)) of AGDSBCD and MiniBatch, near to 0
	// and 1 for a right and a wrong pair; 0 means 7. Logistic takes the logistic loss in
	// its place, as every other algorithm does.
	Scale    float64
	Logistic bool
	// Mu is the parameter of the Moreau envelopes, the paper's times P N (its
	// experiments: 100 and 1000); 0 means 1000. ProxDCA has 1/Mu as its L, the paper's
	// divided by P N, and AUCMargin has Mu as its gamma (its paper: 100 to 1000).
	Mu float64
	// Step is the outer step of AGDSBCD as a share of the distance between the two
	// proximal points, gamma/mu (the paper's experiments: 2 to 50); 0 means 1, and 3 for
	// SoRRAGD.
	Step float64
	// Inner is c: the step of v in outer iteration k is c/(k+1), the paper's times P N.
	// 0 means 5 N/n for AGDSBCD with the sigmoid loss (100 up to a false-positive rate of
	// 0.05), else 10. MiniBatch takes steps of Inner/sqrt(t), and 0 means 10; AUCMargin divides them by 10 after each stage, and
	// 0 means 3. For models that are not linear, 0 means three tenths of that.
	Inner float64
	// Threshold is the step of the thresholds as a share of that of v; 0 means 0.001 for
	// the sigmoid loss, else 0.02. (In units of the losses the paper's share is 1, which
	// throws a threshold about by c/(k+1) times what a batch misses its rank by.) With
	// the sigmoid loss the thresholds start anew, exact, in each outer iteration; else
	// they keep their values, as in the paper.
	Threshold float64
	// Outer is the number of outer iterations, after which the run ends; 0 means 2 for
	// the sigmoid loss, else 5. Outer iteration k = 0, 1, ... does Length (k+1)^2 inner
	// ones, AGDSBCD for each of the two proximal points; 0 means 50 for the sigmoid
	// loss, else 100. MiniBatch and AUCMargin have Outer stages of Length iterations, 0
	// means 2 and 500.
	Outer, Length int
	// Constant makes the inner step c and the number of inner iterations Length in
	// every outer iteration (the paper's DCA.Constant.lr).
	Constant bool
	// Positives and Negatives make up a batch; 0 means 100 each, and for MiniBatch 500
	// negatives, outside the paper's setting. Sets with fewer rows give all they have.
	Positives, Negatives int
	// Margin is the margin of AUCMargin; 0 means 1.
	Margin float64
}

// Name returns the solver's name, as in agd-sbcd.
func (m Method) Name() string {
	if m.Algorithm >= algorithms {
		return fmt.Sprintf("Algorithm(%d)", m.Algorithm)
	}
	return algorithmNames[m.Algorithm]
}

// sharpens tells whether the algorithm takes the sigmoid loss by default.
func (a Algorithm) sharpens() bool { return a == AGDSBCD || a == MiniBatch }

// sharp tells whether the loss is the sigmoid.
func (m Method) sharp() bool {
	return m.Algorithm.sharpens() && !m.Logistic && !m.Paper
}

func (m Method) loss() pairLoss {
	if m.sharp() {
		return pairLoss{m.Scale}
	}
	return pairLoss{}
}

// withDefaults fills in what is 0.
func (t *task) withDefaults(m Method) Method {
	step, inner, threshold, outer, length := 1.0, 5.0, 1.0, 5, 50
	scale, negatives := 7.0, 100
	switch {
	case m.Algorithm == MiniBatch:
		scale, inner, outer, length = 5, 10, 2, 500
		if !m.Paper {
			negatives = 500
		}
	case m.Algorithm == AUCMargin:
		inner, outer, length = 3, 2, 500
	case m.Paper:
	case m.sharp():
		// f^n and its gradient grow with n/N: so much of it a step takes.
		inner, threshold, outer = 5*float64(len(t.negatives))/float64(t.n), 0.001, 2
	default:
		inner, threshold, length = 10, 0.02, 100
		if m.Algorithm == SoRRAGD {
			step = 3
		}
	}
	engine.FillIn(&m.Margin, 1)
	engine.FillIn(&m.Scale, scale)
	engine.FillIn(&m.Mu, 1000)
	engine.FillIn(&m.Step, step)
	engine.FillIn(&m.Inner, inner)
	engine.FillIn(&m.Threshold, threshold)
	engine.FillIn(&m.Outer, outer)
	engine.FillIn(&m.Length, length)
	engine.FillIn(&m.Positives, 100)
	engine.FillIn(&m.Negatives, negatives)
	return m
}

func (m Method) check() error {
	if m.Algorithm >= algorithms {
		return fmt.Errorf("there is no %s", m.Name())
	}
	for _, v := range []struct {
		name        string
		value, most float64
	}{
		{"scale", m.Scale, 1e9}, {"mu", m.Mu, 1e12}, {"margin", m.Margin, 1e9}, {"threshold", m.Threshold, 1e9}, {"step", m.Step, 1000}, {"inner", m.Inner, 1e9}, {"outer", float64(m.Outer), 10000},
		{"length", float64(m.Length), 1e6}, {"positives", float64(m.Positives), 1 << 20}, {"negatives", float64(m.Negatives), 1 << 20},
	} {
		if !(v.value >= 0 && v.value <= v.most) {
			return fmt.Errorf("%s is %v; it must be positive and at most %v, or 0 for the default", v.name, v.value, v.most)
		}
	}
	return nil
}

// newLoop returns the method's loop.
func newLoop(c *common) (loop, error) {
	switch {
	case c.method.Algorithm == SVMTight:
		return newCutting(c)
	case c.method.Algorithm == MiniBatch:
		b, err := newMinibatch(c)
		return newStaged(c, b), err
	case c.method.Algorithm == AUCMargin:
		return newStaged(c, newMargin(c)), nil
	case c.method.Algorithm.linearises():
		return newDCA(c)
	}
	return newAGD(c)
}
