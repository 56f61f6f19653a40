package sdca

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/kernels"
)

// intercept is what dual steps have to do with an unpenalised intercept b, at whose optimum the
// dual variables sum to 0: the method of multipliers (Rockafellar 1976, "Augmented Lagrangians and
// applications of the proximal point algorithm"). A pass is over the dual of
//
//	P(w, b) + (rho/2) (b - centre)^2,   b = centre + sum_i alpha_i/(rho n)
//
// so that a step on a row moves b as it moves w. Between passes the centre moves to b.
type intercept struct {
	b    *float64 // the last one of the weights
	give float64  // lambda/rho: how far b moves where a row is added to w
}

// rhoRows is the number of rows whose curvatures along b add up to rho n. The rows of a group,
// which do not see one another's steps, can then move b half too far at most.
const rhoRows = 2 * groupRows

// rhoOf returns rho n, given the weights s and the q of rows. With the largest second derivative
// peak of the loss, row i has the curvature s_i/(1/peak + q_i) along b if it has nothing in common
// with other rows.
func rhoOf(n int, peak float64, row func(i int) (s, q float64)) float64 {
	sum := 0.0
	for i := range n {
		s, q := row(i)
		sum += s / (1/peak + q)
	}
	return max(float64(rhoRows*sum)/float64(n), direct.Tiny)
}

// giveOf returns intercept.give, given rho n and 1/(lambda n).
func giveOf(rho, unit float64) float64 { return min(1/(rho*unit), math.MaxFloat64) }

// setIntercept prepares the intercept, where q is known, and adds its part to q.
func (l *proxLoop) setIntercept() {
	rho := rhoOf(len(l.dual), risk.Peak(l.p.Loss), func(i int) (s, q float64) {
		return direct.Weight(l.p.SampleWeight, i), l.dual[i].q
	})
	l.intercept = &intercept{b: &l.w[len(l.w)-1], give: giveOf(rho, l.unit)}
	for i := range l.dual {
		q := &l.dual[i].q
		*q = min(*q+direct.Weight(l.p.SampleWeight, i)/rho, math.MaxFloat64)
	}
}

// moveIntercept moves b with w, where change is how many times a step adds a row to w.
func (l *proxLoop) moveIntercept(change float64) {
	if l.intercept != nil {
		*l.b += float64(change * l.give)
	}
}

// recentre moves the centre to b between passes, and b with it.
func (l *proxLoop) recentre() {
	if l.intercept == nil {
		return
	}
	l.duals(l.full.alpha)
	*l.b += float64(float64(kernels.Sum(l.full.alpha)*l.unit) * l.give)
}

// balancedStart begins the run at the best point at which the rows of a class have the same dual
// variable, for s = 1, and all sum to 0. It costs half a pass.
//
// With the share p of the positive rows' weights, these variables are t (1-p) and t p. Where the
// margins of the classes have the means t m and offsets o, with an index + or -,
//
//	logit(t (1-p)) + t m+ + o+ + b = 0,   logit(t p) - t m- - o- - b = 0
func (l *proxLoop) balancedStart() {
	*l.b = risk.Constant(l.p)
	if l.p.Loss != kernels.Logistic || int64(len(l.w)) > l.p.X.NNZ() {
		return // w is too long to be made in vain
	}
	// Sums of rows, times 1/(lambda n).
	positive, coef := risk.Held(l.p, l.w), l.full.alpha
	var weight, offset [2]float64 // of the negative rows and the positive ones
	for i := range l.dual {
		c, class := l.dual[i].c, 1
		if coef[i] = c; c < 0 {
			coef[i], class = 0, 0
		}
		weight[class] += math.Abs(c)
		offset[class] = math.FMA(math.Abs(c), direct.Offset(l.p.Offset, i), offset[class])
	}
	l.features.AddTrans(positive, coef)
	for i := range l.dual {
		coef[i] = min(l.dual[i].c, 0)
	}
	negative := risk.Held(l.p, l.full.combine(coef))
	p := shares(weight)
	var mean [2]float64
	for class, sum := range [][]float64{negative, positive} {
		mean[class] = float64(p[1]*direct.Dot(sum, positive)) + float64(p[0]*direct.Dot(sum, negative))
		mean[class] /= weight[class]
		offset[class] /= weight[class]
	}
	mean[0] = -mean[0]
	var t float64
	t, *l.b = evenStart(p, mean, offset)
	for i := range l.dual {
		d := &l.dual[i]
		class := 1
		if d.c < 0 {
			class = 0
		}
		if d.c != 0 {
			d.a = float64(t * p[class])
			d.u = logit(d.a)
		}
	}
	direct.ScaleAdd(positive, float64(t*p[1]), positive, float64(t*p[0]), negative)
}

// shares returns dual variables of the rows of two classes that sum to 0, given the sums of the
// rows' weights.
func shares(weight [2]float64) [2]float64 {
	p := weight[1] / (weight[0] + weight[1])
	return [2]float64{p, 1 - p}
}

// evenStart returns how many times the shares p the dual variables of balancedStart are, and b.
func evenStart(p, mean, offset [2]float64) (t, b float64) {
	low, high := 0.0, 1/max(p[0], p[1])
	apart, further := mean[1]-mean[0], offset[1]-offset[0]
	for range startHalvings {
		t := 0.5 * (low + high)
		if logit(float64(t*p[0]))+logit(float64(t*p[1]))+float64(t*apart)+further > 0 {
			high = t
		} else {
			low = t
		}
	}
	return low, -logit(float64(low*p[1])) - float64(low*mean[1]) - offset[1]
}

// startHalvings halves an interval to a share that a first pass does not notice.
const startHalvings = 40

func logit(a float64) float64 { return kernels.LogOf(a) - kernels.Log1pOf(-a) }
