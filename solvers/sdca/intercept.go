package sdca

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/risk"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
)

// intercept is an unpenalised intercept b beside dual steps. At the optimum the dual variables sum
// to 0, by the method of multipliers (Rockafellar 1976, "Augmented Lagrangians and applications of
// the proximal point algorithm"): a pass raises the dual of
//
//	P(w, b) + (rho/2) (b - centre)^2,   b = centre + sum_i alpha_i/(rho n)
//
// so that a step on a row moves b as it moves w. Between passes the centre moves to b.
type intercept struct {
	b     *float64 // the last one of the weights
	ratio float64  // lambda/rho: how far b moves where a row is added to w
}

// rhoRows is the number of rows whose curvatures along b add up to rho n. The rows of a group,
// which do not see one another's steps, can then move b half too far at most.
const rhoRows = 2 * groupRows

// rhoOf returns rho n, given the weights s and the q of rows. peak is the largest second
// derivative of the loss. A row i that shares no feature with other rows has the curvature
// s_i/(1/peak + q_i) along b.
func rhoOf(n int, peak float64, row func(i int) (s, q float64)) float64 {
	sum := 0.0
	for i := range n {
		s, q := row(i)
		sum += s / (1/peak + q)
	}
	return max(float64(rhoRows*sum)/float64(n), direct.Tiny)
}

// ratioOf returns intercept.ratio, given rho n and 1/(lambda n).
func ratioOf(rho, unit float64) float64 { return min(1/(rho*unit), math.MaxFloat64) }

// setIntercept prepares the intercept, where q is known, and adds its part to q.
func (l *proxLoop) setIntercept() {
	peak := l.p.Loss.Peak()
	if loss.KinkedOf(l.p.Loss) != nil {
		peak = 1 / risk.Width(l.p) // as if the loss were smooth
	}
	rho := rhoOf(len(l.dual), peak, func(i int) (s, q float64) {
		return direct.Weight(l.p.SampleWeight, i), l.dual[i].Q
	})
	l.intercept = &intercept{b: &l.w[len(l.w)-1], ratio: ratioOf(rho, l.unit)}
	for i := range l.dual {
		q := &l.dual[i].Q
		*q = min(*q+direct.Weight(l.p.SampleWeight, i)/rho, math.MaxFloat64)
	}
}

// moveIntercept moves b with w, where change is how many times a step adds a row to w.
func (l *proxLoop) moveIntercept(change float64) {
	if l.intercept != nil {
		*l.b += float64(change * l.ratio)
	}
}

// recentre moves the centre to b between passes, and b with it.
func (l *proxLoop) recentre() {
	if l.intercept == nil {
		return
	}
	l.duals(l.full.alpha)
	*l.b += float64(float64(kernels.Sum(l.full.alpha)*l.unit) * l.ratio)
}

// balancedStart begins the run at the best point at which the dual variables (for s = 1) are
// equal within each class and sum to 0. It costs half a pass.
//
// With the share p of the positive rows' weights, these variables are t (1-p) and t p. Let m+ and
// m- be the classes' mean margins, and o+ and o- their mean offsets. Then
//
//	logit(t (1-p)) + m+ + o+ + b = 0,   logit(t p) - m- - o- - b = 0
//
// The sum of both equations gives t. Let v be the sum of c_i x_i times 1-p or p. Then m+ - m- is
// t ||v||^2 over the sum of c_i (1-p) over the positive rows. A sample of the rows gives b.
func (l *proxLoop) balancedStart() {
	*l.b = risk.Constant(l.p)
	if !l.full.dual.Logit() || int64(len(l.w)) > l.p.X.NNZ() {
		return // w is too long to be made in vain
	}
	var weight, offset [2]float64 // of the negative rows and the positive ones
	for i := range l.dual {
		class, c := l.class(i), math.Abs(l.dual[i].C)
		weight[class] += c
		offset[class] = math.FMA(c, direct.Offset(l.p.Offset, i), offset[class])
	}
	p, w, coef := shares(weight), risk.Held(l.p, l.w), l.full.alpha
	for i := range coef {
		coef[i] = float64(l.dual[i].C * p[l.class(i)])
	}
	l.features.AddTrans(w, coef)
	t := evenStart(p, kernels.SquaredNorm(w)/float64(p[1]*weight[1]), offset[1]/weight[1]-offset[0]/weight[0])
	if !(t > 0) {
		clear(w)
		return
	}
	direct.Scale(w, t, w)
	for i := range l.dual {
		if d := &l.dual[i]; d.C != 0 {
			d.A = float64(t * p[l.class(i)])
			d.U = logit(d.A)
		}
	}
	rows, z := l.sample()
	sum, counted := 0.0, 0.0
	for k, i := range rows {
		d := &l.dual[i]
		off := z[k] + direct.Offset(l.p.Offset, int(i)) + math.Copysign(d.U, float64(d.U*d.C))
		sum, counted = math.FMA(math.Abs(d.C), off, sum), counted+math.Abs(d.C)
	}
	if counted > 0 {
		*l.b = -sum / counted
	}
}

// class returns 1 for a positive row, 0 for a negative one.
func (l *proxLoop) class(row int) int {
	if l.dual[row].C < 0 {
		return 0
	}
	return 1
}

// shares returns dual variables of the rows of two classes that sum to 0, given the sums of the
// rows' weights.
func shares(weight [2]float64) [2]float64 {
	p := weight[1] / (weight[0] + weight[1])
	return [2]float64{p, 1 - p}
}

// evenStart returns t >= 0 such that the dual variables of balancedStart are t p. t apart is the
// distance of the classes' mean margins, and further is the distance of their mean offsets.
func evenStart(p [2]float64, apart, further float64) (t float64) {
	low, high := 0.0, (1-0x1p-40)/max(p[0], p[1])
	for range 40 {
		t := 0.5 * (low + high)
		if logit(float64(t*p[0]))+logit(float64(t*p[1]))+float64(t*apart)+further > 0 {
			high = t
		} else {
			low = t
		}
	}
	return low
}

func logit(a float64) float64 { return kernels.LogOf(a) - kernels.Log1pOf(-a) }
