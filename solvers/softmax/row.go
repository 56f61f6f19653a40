package softmax

import (
	"math"

	"github.com/lanes-go/lanes/asm"
	"github.com/lanes-go/lanes/kernels"
)

// rowStep maximises the dual over the variables v of one row, a distribution over the
// classes. At the maximum v is the softmax of the margins that W has then:
//
//	log v_k + q v_k = t_k - mu,  t = z + q v',  sum_k v_k = 1,  q = s ||x||^2/(lambda n),
//
// of the margins z and the variables v' before. Newton's method finds log v and mu together
// (after Yu, Huang and Lin 2011, "Dual coordinate descent methods for logistic regression
// and maximum entropy models").
type rowStep struct {
	before, v []float64 // the variables before and after
	t         []float64
	inverse   []float64 // 1/(1 + q v)
	moved     []float64 // squares of the last steps of log v
}

func newRowStep(k int) rowStep {
	s := rowStep{}
	for _, v := range []*[]float64{&s.before, &s.v, &s.t, &s.inverse, &s.moved} {
		*v = make([]float64, k)
	}
	return s
}

const (
	// mostRowSteps bounds the Newton steps of a row; one or two are usual.
	mostRowSteps = 20
	// rowShare is the share of what the row has gained that may be left, to second order.
	rowShare = 1e-2
)

// maximise moves the variables, whose logarithms are given, and returns the row's part of
// the gap before, times n/s: the divergence of v from the softmax of z, of Kullback and
// Leibler. A fresh row has v = 1 for its own class, and no logarithms yet.
func (s *rowStep) maximise(logs, z []float64, own uint32, q float64, fresh bool) (part float64) {
	e, d := &asm.Active().Element, &asm.Active().Dense
	most := e.Extreme.Max(z)
	mu := most + kernels.LogOf(e.ExpSum(s.v, z, most))
	if fresh {
		part = mu - z[own]
		clear(s.before)
		s.before[own] = 1
		d.AddScalar(logs, -mu, z)
		e.Exp(s.v, logs)
	} else {
		e.Exp(s.before, logs)
		for k, v := range s.before {
			part = math.FMA(v, logs[k]-(z[k]-mu), part)
		}
		copy(s.v, s.before)
	}
	d.ScaleAdd(s.t, q, s.before, 1, z)
	partition := mu
	for range mostRowSteps {
		mu = s.shift(logs, q, mu)
		s.move(logs, q, mu)
		left := s.left(q)
		e.Exp(s.v, logs)
		left += s.left(q)
		if left <= float64(rowShare*(part-s.worth(logs, z, q, partition))) {
			break
		}
	}
	sum := d.Sum(s.v)
	d.Scale(s.v, 1/sum, s.v)
	d.AddScalar(logs, -kernels.LogOf(sum), logs)
	return max(part, 0)
}

// shift returns the mu of the next step, after which the variables sum to 1 up to second
// order.
func (s *rowStep) shift(logs []float64, q, mu float64) float64 {
	excess, slope := -1.0, 0.0
	for k, v := range s.v {
		bend := 1 / (1 + float64(q*v))
		s.inverse[k] = bend
		bend = float64(bend * v)
		residual := math.FMA(q, v, logs[k]-s.t[k]) + mu
		excess += v - float64(bend*residual)
		slope += bend
	}
	return mu + excess/slope
}

// move takes a step of each logarithm by itself. What is left of log v + q v is convex in
// log v, so that a step up may go much too far: not beyond what q v alone allows, nor v > 1.
func (s *rowStep) move(logs []float64, q, mu float64) {
	scale := math.NaN()
	for k, v := range s.v {
		target := s.t[k] - mu
		step := float64((target - math.FMA(q, v, logs[k])) * s.inverse[k])
		if step > 1 {
			if math.IsNaN(scale) {
				scale = kernels.LogOf(q)
			}
			step = min(step, -logs[k])
			if bound := target + scale; bound > 1 { // a bound of log(q v) + q v where q v > 1
				step = min(step, kernels.LogOf(bound)-scale-logs[k])
			}
		}
		s.moved[k] = float64(step * step)
		logs[k] += step
	}
}

// left is the square, in the metric of the dual at v, of the error that the last step's
// curvature leaves.
func (s *rowStep) left(q float64) float64 {
	sum := 0.0
	for k, v := range s.v {
		moved := s.moved[k]
		sum = math.FMA(float64(v*math.FMA(q, v, 1)), float64(moved*moved), sum)
	}
	return sum
}

// worth is what the row's part of the dual, times n/s, lacks to where the variables before
// have it and a gap of 0: less than the row's part of the gap by as much as was gained.
func (s *rowStep) worth(logs, z []float64, q, partition float64) float64 {
	divergence, square := 0.0, 0.0
	for k, v := range s.v {
		divergence = math.FMA(v, logs[k]-(z[k]-partition), divergence)
		change := v - s.before[k]
		square = math.FMA(change, change, square)
	}
	return divergence + float64(0.5*float64(q*square))
}
