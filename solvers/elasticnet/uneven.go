package elasticnet

import (
	"context"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/cholesky"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/sparse"
)

// weighUnevenly takes over the factors of the penalty, where it has some.
func (o *objective) weighUnevenly() {
	uneven, is := o.rules.(penalty.Uneven)
	if !is {
		o.factors, o.ridges, o.open = nil, nil, nil
		return
	}
	o.lambda = uneven.Squares()
	o.factors, o.ridges = make([]float64, o.d), make([]float64, o.d)
	var list []uint32
	for j := range o.factors {
		o.factors[j] = uneven.Factor(j)
		o.ridges[j] = float64(o.lambda * o.factors[j])
		if o.isOpen(j) {
			list = append(list, uint32(j))
		}
	}
	switch {
	case len(list) == 0:
		o.open = nil
	case o.open == nil || !slices.Equal(o.open.all, list):
		o.open = &openColumns{all: list}
	}
}

// addRidge adds the slopes of the squares of w.
func (o *objective) addRidge(g, w []float64) {
	if o.ridges == nil {
		direct.Axpy(o.lambda, w[:o.d], g[:o.d])
		return
	}
	for j, r := range o.ridges {
		g[j] = math.FMA(r, w[j], g[j])
	}
}

// pull is the slope of the square of a weight.
func (o *objective) pull(j int, w float64) float64 { return float64(o.square(j) * w) }

// square is the weight of half the square of a weight.
func (o *objective) square(j int) float64 {
	if o.ridges == nil {
		return o.lambda
	}
	return o.ridges[j]
}

// heaviest is the largest weight of half a square.
func (o *objective) heaviest() float64 {
	if o.ridges == nil {
		return o.lambda
	}
	return kernels.MaxAbs(o.ridges)
}

// factor is the factor of a weight.
func (o *objective) factor(j int) float64 {
	if o.factors == nil {
		return 1
	}
	return o.factors[j]
}

// kinked tells whether the penalty of a weight has a kink at 0.
func (o *objective) kinked(j int) bool {
	if o.factors == nil {
		return !o.smooth
	}
	return o.factors[j] > 0 && o.weight() > 0
}

// openColumns are columns without a penalty and without a bound on a side, other than the intercept.
type openColumns struct {
	all  []uint32
	list []uint32      // those whose weights are not at a bound
	x    direct.Matrix // the columns of list and the intercept, once it is needed
}

// pick makes the columns, for weights.
func (c *openColumns) pick(o *objective, w []float64) {
	var list []uint32
	for _, j := range c.all {
		if lower, upper := o.interval(int(j)); lower < w[j] && w[j] < upper {
			list = append(list, j)
		}
	}
	if c.x.Matrix == nil || !slices.Equal(list, c.list) {
		c.list, c.x.Matrix = list, o.columnsBeside(list)
	}
	c.x.Pool = o.x.Pool
}

// columnsBeside copies columns of the rows, and the column of the intercept.
func (o *objective) columnsBeside(list []uint32) *sparse.Matrix {
	if o.distant != nil {
		list = o.distant.places(list)
	}
	stored := stored(list, o.p.X)
	x := direct.Value(matrix.PickColumns(features(o.p), o.x.Pool, stored))
	if o.p.Intercept || len(stored) < len(list) {
		x = x.WithBias(o.p.X.Bias())
	}
	return x
}

// beside is dual beside columns without a penalty, of which X'(s a) must be 0. The dual point is
// share (c_i + |c_i| t_i) for slopes c_i, where t = X v solves that and share = 1/(1 + max |t_i|). It is a
// share of the slopes, and so feasible. What rounding leaves of the sums costs their sizes times the
// best weights. They are taken to be at most 1024 (|w_j| + (1 + |b| + the largest |margin|)/l_j), with the
// root mean square l_j of the column. Weights at a bound have slopes that press them against it.
func (o *objective) beside(w []float64) float64 {
	c := o.open
	if c.pick(o, w); c.x.Cols() > cost.Columns {
		return math.NaN()
	}
	saved := append([]float64(nil), o.coef...)
	defer copy(o.coef, saved)
	if !c.balance(o) {
		return math.NaN()
	}
	above, below, rest := 1.0, 1.0, 0.0
	far := 1 + o.farthest()
	if o.p.Intercept {
		far += math.Abs(w[o.d])
		above, below, rest = certificate.Balance(o.coef)
		rest *= far / float64(o.n)
		o.keep(above, below)
	}
	u, most := o.duals()
	return o.better(1, 1, u, most, rest+c.left(o, w, far)+c.pressed(o, w, far, u, most))
}

// mostCuts bounds how often balance leaves out small slopes alone, before it leaves out all.
const mostCuts = 2

// balance moves the slopes to where the sums over the columns are 0 but for rounding, or tells that it cannot.
// A slope that would change its sign becomes 0, and so do the smaller ones: slopes of rounding have no
// direction. A slope of 0 says nothing of a row that may recede for ever, so that such a row keeps its own.
func (c *openColumns) balance(o *objective) bool {
	if len(c.list) == 0 {
		return true
	}
	for cuts := 0; ; cuts++ {
		t := c.corrections(o)
		most, turned := 0.0, 0.0
		for i, by := range t {
			if most = max(most, math.Abs(by)); !(math.Abs(by) < 1) {
				turned = max(turned, math.Abs(o.coef[i]))
			}
		}
		if most < 1 {
			share := 1 / (1 + most)
			for i, s := range o.coef {
				o.coef[i] = float64(share * (s - float64(math.Abs(s)*t[i])))
			}
			return true
		}
		if cuts == mostCuts {
			turned = math.Inf(1)
		}
		if !o.cut(turned) {
			return false
		}
	}
}

// corrections returns for every row the share of its slope by which slopes of one sign fall, and others rise, for the
// sums over the columns to be 0.
func (c *openColumns) corrections(o *objective) []float64 {
	size := c.x.Cols()
	t, v := o.work, make([]float64, size)
	for i, s := range o.coef {
		t[i] = math.Abs(s)
	}
	gram := make([]float64, size*size)
	c.x.Gram(gram, t)
	cholesky.FactorBy(c.x.Pool, gram, size)
	c.x.AddTrans(v, o.coef)
	cholesky.Solve(v, gram, v)
	c.x.MulVec(t, v)
	return t
}

// cut makes slopes 0 up to a size. It tells whether no such row may recede.
func (o *objective) cut(size float64) bool {
	receding, recedes := o.p.Loss.(loss.Receding)
	for i, s := range o.coef {
		switch {
		case s == 0 || math.Abs(s) > size:
		case recedes && receding.Side(o.p.Y[i]) != 0:
			return false
		default:
			o.coef[i] = 0
		}
	}
	return true
}

// left bounds what the sums over the columns cost.
func (c *openColumns) left(o *objective, w []float64, far float64) float64 {
	sums := make([]direct.Double, c.x.Cols())
	for i, s := range o.coef {
		for k, x := range c.x.Row(i) {
			sums[k].AddProduct(x, s)
		}
	}
	cost, n := 0.0, float64(o.n)
	lengths := o.lengths()
	for k, j := range c.list {
		size := (math.Abs(sums[k].Value()) + direct.Lost(o.n, sums[k].Absolute)) / n
		cost += float64(float64(size*certificate.Farthest) * (math.Abs(w[j]) + far*math.Sqrt(n)/lengths[j]))
	}
	return float64(cost * (1 + 0x1p-20))
}

// pressed bounds what slopes u of weights at a bound cost, where they point away from it.
func (c *openColumns) pressed(o *objective, w []float64, far float64, u, most []float64) float64 {
	cost, lengths := 0.0, o.lengths()
	for _, j := range c.all {
		lower, upper := o.interval(int(j))
		away := 0.0
		switch w[j] {
		case lower:
			away = most[j] - math.Abs(u[j]) + u[j]
		case upper:
			away = most[j] - math.Abs(u[j]) - u[j]
		}
		if away += float64(4 * direct.Unit * most[j]); away > 0 && lower < upper {
			cost += float64(float64(away*certificate.Farthest) * (math.Abs(w[j]) + far*math.Sqrt(float64(o.n))/lengths[j]))
		}
	}
	return float64(cost * (1 + 0x1p-20))
}

// unpenalised lists the columns of the factor 0.
func (o *objective) unpenalised() (list []uint32) {
	for j, c := range o.factors {
		if c == 0 {
			list = append(list, uint32(j))
		}
	}
	return list
}

// fit moves w to the best weights of the listed columns and of the intercept, beside the others.
func (o *objective) fit(ctx context.Context, list []uint32, w []float64) error {
	q := *o.p
	q.X, q.Penalty = o.columnsBeside(list), nil
	if o.confined != nil {
		box := &penalty.Bounded{}
		for _, j := range list {
			lower, upper := o.interval(int(j))
			box.Lower, box.Upper = append(box.Lower, lower), append(box.Upper, upper)
			w[j] = 0
		}
		q.Penalty, q.Offset = box, make([]float64, o.n)
		o.margins(q.Offset, w)
	}
	best, err := Solve(ctx, &q, nil, solvers.Settings{MaxEpochs: fitEpochs, GradientTolerance: fitTolerance * o.mean, Workers: o.x.Pool.Workers()})
	if err != nil {
		return err
	}
	for k, j := range list {
		w[j] = best.Weights[k]
	}
	copy(w[o.d:], best.Weights[len(list):])
	return nil
}

// The columns without a penalty are fitted alone in up to fitEpochs, to a gradient of a share of the mean loss.
const fitEpochs, fitTolerance = 1000, 1e-13

// unevenly takes over the weights of half the squares, where they have factors.
func (s *part) unevenly(o *objective) {
	if o.ridges == nil {
		return
	}
	s.ridges = make([]float64, s.k)
	for a, j := range s.list {
		s.ridges[a] = o.ridges[j]
	}
}

// square is the weight of half the square of a weight; lambda where all have the same.
func (s *part) square(a int, lambda float64) float64 {
	if s.ridges == nil {
		return lambda
	}
	return s.ridges[a]
}

// share is a square of a part's weight times its factor.
func (o *objective) share(s *part, a int, square float64) float64 {
	if o.factors == nil {
		return square
	}
	return float64(o.factors[s.list[a]] * square)
}
