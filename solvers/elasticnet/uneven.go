package elasticnet

import (
	"context"
	"math"

	"github.com/lanes-go/lanes/internal/certificate"
	"github.com/lanes-go/lanes/internal/cholesky"
	"github.com/lanes-go/lanes/internal/cost"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
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
		if o.ridges[j] = float64(o.lambda * o.factors[j]); o.factors[j] == 0 {
			list = append(list, uint32(j))
		}
	}
	if o.open == nil && len(list) > 0 {
		o.open = &openColumns{list: list}
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

// openColumns are columns without a penalty, other than the intercept.
type openColumns struct {
	list []uint32
	x    direct.Matrix // these columns and the intercept, once it is needed
}

// pick makes the columns.
func (c *openColumns) pick(o *objective) {
	if c.x.Matrix == nil {
		stored := stored(c.list, o.p.X)
		c.x = direct.Matrix{Matrix: direct.Value(matrix.PickColumns(features(o.p), o.x.Pool, stored)), Pool: o.x.Pool}
		if o.p.Intercept || len(stored) < len(c.list) {
			c.x.Matrix = c.x.WithBias(o.p.X.Bias())
		}
	}
	c.x.Pool = o.x.Pool
}

// beside is dual beside columns without a penalty, of which X'(s a) must be 0. The dual point is
// share (c_i + |c_i| t_i) for slopes c_i, where t = X v solves that and share = 1/(1 + max |t_i|). It is a
// share of the slopes, and so feasible. What rounding leaves of the sums costs their sizes times the
// best weights. They are taken to be at most 1024 (|w_j| + (1 + |b| + the largest |margin|)/l_j), with the
// root mean square l_j of the column.
func (o *objective) beside(w []float64) float64 {
	c := o.open
	if c.pick(o); c.x.Cols() > cost.Columns {
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
	return o.anew(rest + c.left(o, w, far))
}

// balance moves the slopes to where the sums over the columns are 0 but for rounding. It tells whether that
// is near enough for slopes to keep their signs.
func (c *openColumns) balance(o *objective) bool {
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
	most := kernels.MaxAbs(t)
	if !(most < 1) {
		return false
	}
	share := 1 / (1 + most)
	for i, s := range o.coef {
		o.coef[i] = float64(share * (s - float64(math.Abs(s)*t[i])))
	}
	return true
}

// left bounds what the sums over the columns cost.
func (c *openColumns) left(o *objective, w []float64, far float64) float64 {
	const farthest = 1 << 10 // as certificate.Balance has it
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
		cost += float64(float64(size*farthest) * (math.Abs(w[j]) + far*math.Sqrt(n)/lengths[j]))
	}
	return float64(cost * (1 + 0x1p-20))
}

// fit returns the best weights where all but those of the columns and the intercept are 0.
func (c *openColumns) fit(o *objective) ([]float64, error) {
	c.pick(o)
	q := *o.p
	q.X, q.Penalty = c.x.Matrix, nil
	best, err := Solve(context.Background(), &q, nil, solvers.Settings{MaxEpochs: fitEpochs, GradientTolerance: fitTolerance * o.mean, Workers: o.x.Pool.Workers()})
	if err != nil {
		return nil, err
	}
	w := make([]float64, len(o.g))
	for k, j := range c.list {
		w[j] = best.Weights[k]
	}
	copy(w[o.d:], best.Weights[len(c.list):])
	return w, nil
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
