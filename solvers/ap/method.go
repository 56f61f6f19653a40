package ap

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/kernels"
)

// Algorithm says how the rank estimates and the weights are updated.
type Algorithm uint8

const (
	// SOAP updates the estimates of sampled rows and takes plain gradient steps (5).
	SOAP Algorithm = iota
	// SOAPAdam is SOAP with the steps of Adam.
	SOAPAdam
	// MOAPV1 is SOAP with projected estimates and momentum (algorithm 1).
	MOAPV1
	// MOAPV2 decays the estimates of all rows (algorithm 2).
	MOAPV2
	// ADAP is MOAPV2 with the steps of Adam (algorithm 3).
	ADAP
	// ADAPAdaGrad divides by the root of the mean of all squared gradients (13).
	ADAPAdaGrad
	// ADAPAMSGrad divides by the root of the largest second moment so far (13).
	ADAPAMSGrad
	// ADAPAdaBound keeps the second moment between bounds (13).
	ADAPAdaBound
	// SmoothAP descends on the average precision of the batch (Brown et al. 2020).
	SmoothAP
	algorithms = iota
)

var algorithmNames = [algorithms]string{"soap", "soap-adam", "moap-v1", "moap-v2", "adap", "adap-adagrad", "adap-amsgrad", "adap-adabound", "smoothap"}

// decaysAll tells whether the estimates of rows not sampled decay too.
func (a Algorithm) decaysAll() bool { return a >= MOAPV2 && a <= ADAPAdaBound }

func (a Algorithm) projects() bool { return a >= MOAPV1 && a <= ADAPAdaBound }

func (a Algorithm) adaptive() bool { return a == SOAPAdam || a >= ADAP && a <= ADAPAdaBound }

// step is the default step size.
func (a Algorithm) step() float64 {
	switch {
	case a == SOAPAdam || a == ADAP:
		return 0.04
	case a.adaptive():
		return 0.02
	}
	return 2
}

// Method is an algorithm with its parameters. What is 0 has a default that needs
// no tuning: a warm start from a logistic fit, raw scores, a sharp logistic surrogate,
// steps that decrease linearly to a tenth, the average of the second half of the
// iterates.
type Method struct {
	Algorithm Algorithm
	// Paper selects the setting of the paper's section 4.1 in place of these
	// defaults: sigmoid scores, the squared hinge, no warm start, no average, a batch of
	// 20 rows (of which 10 are positive; the paper does not say how many), 500
	// iterations, estimates that begin at 0. Steps and Beta then decrease as 1/sqrt(t)
	// for MOAP and ADAP and are constant otherwise.
	Paper bool
	// Hinge selects the squared hinge, whose margin is Margin (0 means 1).
	Hinge  bool
	Margin float64
	// Scale is the first scale of the logistic surrogate and FinalScale the last;
	// in between it changes linearly. 0 means 4 and what Scale is; 100 for SmoothAP in
	// the paper's setting.
	Scale, FinalScale float64
	// Positives and Negatives make up a batch; 0 means 64 and 256, in the
	// paper's setting 10 and 10. Sets with fewer
	// rows give all they have.
	Positives, Negatives int
	// Iterations is the length of the schedule, after which the run ends; 0 means
	// 400.
	Iterations int
	// Step is the first step size; 0 means 0.04 for SOAPAdam and ADAP, 0.02 for the
	// other adaptive methods and 2 for those that are not; an eighth of that for
	// models that are not linear.
	Step float64
	// Beta is the share of a new estimate, in (0, 1); 0 means 0.3, for methods that
	// decay all rows 0.3 times Positives over the number of positive rows.
	Beta float64
	// Momentum is the share of a new gradient, in (0, 1]; 0 means 0.1, in the
	// paper's setting Beta. Second is that of a new squared gradient, 0 means 0.001.
	Momentum, Second float64
	// Bound is M, the largest loss of a pair that Omega allows for; 0 means 1 for the
	// logistic surrogate and none for the squared hinge: the paper leaves M open.
	Bound float64
	// Delta is added to the root of the second moment; 0 means 1e-8.
	Delta float64
	// Dense takes the steps on all columns in every iteration. Otherwise, on matrices
	// with more than 50 columns for every entry of a batch, a linear model's columns
	// take theirs when a batch touches them, those of the iterations between in closed
	// form (in the paper's setting steps are always dense).
	Dense bool
	// Low and High bound what ADAPAdaBound multiplies a gradient with; 0 means 1
	// and 1000.
	Low, High float64
}

// Name returns the solver's name, as in adap.
func (m Method) Name() string {
	if m.Algorithm >= algorithms {
		return fmt.Sprintf("Algorithm(%d)", m.Algorithm)
	}
	return algorithmNames[m.Algorithm]
}

func (m Method) loss() kernels.PairLoss {
	if (m.Hinge || m.Paper) && m.Algorithm != SmoothAP {
		return kernels.PairSquaredHinge
	}
	return kernels.PairLogistic
}

// withDefaults fills in everything but Beta, which depends on the data.
func (m Method) withDefaults() Method {
	scale := 4.0
	positives, negatives, iterations := 64, 256, 400
	if m.Paper {
		scale = 100
		positives, negatives, iterations = 10, 10, 500
		engine.FillIn(&m.Beta, 0.5)
		engine.FillIn(&m.Momentum, m.Beta)
		if m.Algorithm == SOAPAdam {
			m.Momentum = 0.1
		}
	}
	engine.FillIn(&m.Scale, scale)
	engine.FillIn(&m.FinalScale, m.Scale)
	engine.FillIn(&m.Margin, 1)
	engine.FillIn(&m.Positives, positives)
	engine.FillIn(&m.Negatives, negatives)
	engine.FillIn(&m.Iterations, iterations)
	engine.FillIn(&m.Step, m.Algorithm.step())
	engine.FillIn(&m.Momentum, 0.1)
	engine.FillIn(&m.Second, 0.001)
	engine.FillIn(&m.Delta, 1e-8)
	switch {
	case m.Bound > 0:
	case m.loss() == kernels.PairLogistic:
		m.Bound = 1
	default:
		m.Bound = math.Inf(1)
	}
	engine.FillIn(&m.Low, 1)
	engine.FillIn(&m.High, 1000)
	return m
}

// mostIterations bounds the table of decays.
const mostIterations = 100_000_000

func (m Method) check() error {
	if m.Algorithm >= algorithms {
		return fmt.Errorf("there is no %s", m.Name())
	}
	for _, v := range []struct {
		name  string
		value float64
		most  float64
	}{
		{"margin", m.Margin, math.MaxFloat64}, {"scale", m.Scale, math.MaxFloat64}, {"final-scale", m.FinalScale, math.MaxFloat64},
		{"positives", float64(m.Positives), 1 << 20}, {"negatives", float64(m.Negatives), 1 << 20}, {"iterations", float64(m.Iterations), mostIterations},
		{"step", m.Step, math.MaxFloat64}, {"beta", m.Beta, 0.9999}, {"momentum", m.Momentum, 1}, {"second", m.Second, 1},
		{"bound", m.Bound, math.Inf(1)}, {"delta", m.Delta, math.MaxFloat64}, {"low", m.Low, math.MaxFloat64}, {"high", m.High, math.MaxFloat64},
	} {
		if !(v.value >= 0 && v.value <= v.most) {
			return fmt.Errorf("%s is %v; it must be positive and at most %v, or 0 for the default", v.name, v.value, v.most)
		}
	}
	if m := m.withDefaults(); m.Low > m.High {
		return fmt.Errorf("low is %v and high %v", m.Low, m.High)
	}
	return nil
}
