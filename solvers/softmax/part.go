package softmax

import (
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
)

// part is the problem on the columns of a working set, and the quadratic model of its losses. Vectors
// have a row of classes for each column of the list.
type part struct {
	*normed
	list    []uint32
	entries int64
	rows    direct.Matrix     // these columns
	columns *matrix.ByColumns // the same, stored by columns

	from, to, point, slope, bend, room []float64
	residual, direction, product       []float64
	slopes                             []float64 // n by k: of the model, divided by n
	above                              []float64 // n by k: a diagonal above the second derivatives of each row, divided by n
	margins, bent                      []float64 // n by k
	caution                            float64   // of the model
	matrix                             *formed   // nil while the model is by rows
	worth                              int       // the products by rows that a matrix may cost
	given                              bool      // up on matrices of this model
}

func (l *sparseLoop) newPart(list []uint32) *part {
	s := &part{normed: l.normed, list: list}
	s.rows = direct.Matrix{Matrix: direct.Value(matrix.PickBeside(l.p.X, l.x.Pool, list)), Pool: l.x.Pool}
	s.columns, s.entries = matrix.NewByColumns(s.rows.Matrix, l.x.Pool), s.rows.NNZ()
	size, n := len(list)*l.k, l.n*l.k
	for _, v := range []*[]float64{&s.from, &s.to, &s.point, &s.slope, &s.bend, &s.room, &s.residual, &s.direction, &s.product} {
		*v = make([]float64, size)
	}
	for _, v := range []*[]float64{&s.slopes, &s.above, &s.margins, &s.bent} {
		*v = make([]float64, n)
	}
	return s
}

// gather copies the rows of the listed columns of v, which has all.
func (s *part) gather(to, v []float64) []float64 {
	for a, j := range s.list {
		copy(s.row(to, a), s.row(v, int(j)))
	}
	return to
}

// lambda is the weight of the squares that hold the weights of place a.
func (s *part) lambda(a int) float64 {
	if s.normed.free(int(s.list[a])) {
		return 0
	}
	return s.p.Lambda
}

// pull computes the gradient of all but the norms at weights w: by slopes of the rows, each times a factor.
func (s *part) pull(g, slopes []float64, each float64, w []float64) {
	clear(g)
	direct.Must(matrix.AddTransDense(s.rows.Matrix, s.x.Pool, g, slopes, s.k))
	if each != 1 {
		direct.Scale(g, each, g)
	}
	for a := range s.list {
		direct.Axpy(s.lambda(a), s.row(w, a), s.row(g, a))
	}
}

// worst returns the largest violation at to with the slopes in slope.
func (s *part) worst() float64 {
	most := 0.0
	for a, j := range s.list {
		most = max(most, s.violation(int(j), s.row(s.room, 0), s.row(s.slope, a), s.row(s.to, a)))
	}
	return most
}

// model begins the quadratic model at the last slopes of the rows.
func (s *part) model() {
	matrix.Run(s.x.Pool, len(s.objective.sums), (*modelled)(s))
	clear(s.bend)
	for a, j := range s.list {
		bend, most := s.row(s.bend, a), s.lengths[j]
		for i, x := range s.columns.Column(a) {
			square := float64(x * x)
			for c, v := range s.row(s.above, i) {
				bend[c] += float64(square * v)
			}
		}
		least := float64(1e-10*most) * (most / float64(s.n)) // next to no curvature would let a step go anywhere
		for c := range bend {
			bend[c] = max(bend[c], least) + s.lambda(a)
		}
	}
}

// modelled makes slopes and above of blocks of rows, and the probabilities that the model has: a row that is
// sure of a class has next to no curvature, and steps by it may go anywhere. With caution they are mixed with
// equal ones, by about the share that a parabola above the loss has for a row of two classes. diag(p) - pp'
// is below diag(p), and below 2 diag(p (1-p)), as its rows have off the diagonal what they have there. The
// one with the smaller trace counts.
type modelled part

func (t *modelled) Block(b int) {
	s := (*part)(t)
	first, end := s.normed.rows(b)
	each, k := 1/float64(s.n), float64(s.k)
	for i := first; i < end; i++ {
		direct.Scale(s.row(s.slopes, i), each, s.row(s.work, i))
		to, p, own := s.row(s.above, i), s.row(s.prob, i), int(s.p.Class[i])
		if s.caution > 0 {
			share := float64(s.caution / (4 + float64(2*lead(s.row(s.at, i)))))
			direct.Scale(p, 1-share, p)
			direct.AddScalar(p, share/k, p)
		}
		weight := float64(direct.Weight(s.p.SampleWeight, i) * each)
		if kernels.SquaredNorm(p) < 0.5 {
			direct.Scale(to, weight, p)
			continue
		}
		rest := 0.0
		for c, v := range p {
			if c != own {
				to[c] = float64(2 * float64(weight*v) * (1 - v))
				rest += v
			}
		}
		to[own] = float64(2 * float64(weight*p[own]) * rest) // without the cancellation of 1 - p
	}
}

// lead is by how much the largest of some numbers is above the second.
func lead(z []float64) float64 {
	most, second := math.Inf(-1), math.Inf(-1)
	for _, v := range z {
		switch {
		case v > most:
			most, second = v, most
		case v > second:
			second = v
		}
	}
	return most - second
}

// extrapolateEvery is the number of epochs between two extrapolations, and productsPerEpoch the number of
// products that one may take for each epoch before it.
const extrapolateEvery, productsPerEpoch = 3, 25

// descend minimises the model and the norms by coordinate descent until the largest violation is at most
// target. It returns the number of epochs, 0 if the run ends first. Columns at 0 that stay there leave
// the epochs, but for those that look at all.
func (s *part) descend(c *run.Control, target float64, sweeps int) int {
	s.model()
	s.given = false
	source, before := random.New(0), math.Inf(1)
	live := make([]uint32, 0, len(s.list))
	for epoch := 1; ; epoch++ {
		if whole := len(live) == 0; whole {
			for a := range s.list {
				live = append(live, uint32(a))
			}
			before = math.Inf(1)
		}
		whole := len(live) == len(s.list)
		random.Shuffle(source, live) // as cyclic descent is slow on columns like one another
		most, rest := 0.0, live[:0]
		for _, a := range live {
			violation, stays := s.move(int(a), before)
			if most = max(most, violation); !stays {
				rest = append(rest, a)
			}
		}
		live, before = rest, most
		switch {
		case c.Over():
			return 0
		case most <= target && whole || epoch >= sweeps:
			return epoch
		case most <= target:
			live = live[:0]
		case s.worth > 0 && !s.given && s.byMatrix(c, target):
			return epoch
		case epoch%extrapolateEvery == 0:
			most := productsPerEpoch * epoch
			if solved, _ := s.extrapolate(float64(stepShare*target), most); !solved {
				s.worth = max(s.worth, most*epoch/extrapolateEvery)
			}
		}
	}
}

// move takes the step of a column, of place a, and returns the largest violation before. It tells whether
// the weights are 0 and stay there, even if slopes move by slack.
func (s *part) move(a int, slack float64) (violation float64, stays bool) {
	k, j := s.k, int(s.list[a])
	g, from, to := s.row(s.slope, a), s.row(s.to, a), s.row(s.point, a)
	switch {
	case s.matrix != nil:
		s.matrix.at(g, a)
	case a < len(s.list)-1 || s.rows.Bias() == 0:
		clear(g)
		direct.Must(s.columns.AddMulMatrix(g, []uint32{uint32(a)}, s.slopes, k))
	default:
		clear(g)
		for i := range s.n {
			direct.Axpy(s.rows.Bias(), s.row(s.slopes, i), g)
		}
	}
	direct.Axpy(s.lambda(a), from, g)
	bend := s.row(s.bend, a)
	stays = true
	switch {
	case s.normed.free(j):
		for c, slope := range g {
			to[c] = from[c] - slope/bend[c]
		}
		violation, stays = kernels.MaxAbs(g), false
	case s.grouped != nil:
		violation = s.violation(j, to, g, from)
		stays = violation == 0 && kernels.MaxAbs(from) == 0
		bound := kernels.MaxAbs(bend)
		direct.ScaleAdd(to, -1/bound, g, 1, from)
		s.grouped.ProxGroup(j, to, 1/bound)
	default:
		for c, slope := range g {
			t, v, remains := s.single.Step(j*k+c, slope, from[c], bend[c], slack)
			if to[c] = t; !remains {
				violation, stays = max(violation, v), false
			}
		}
	}
	if stays {
		return violation, true
	}
	for _, v := range to {
		if v-v != 0 {
			return violation, false
		}
	}
	by, moved := s.row(s.room, a), false
	for c, v := range to {
		by[c] = v - from[c]
		moved = moved || by[c] != 0
	}
	if !moved {
		return violation, false
	}
	copy(from, to)
	if s.matrix != nil {
		if s.matrix.shift(a, by); s.matrix.whole[a] && !s.normed.free(j) {
			s.even(from)
		}
		return violation, false
	}
	s.even(from)
	each := 1 / float64(s.n)
	for i, x := range s.columns.Column(a) {
		p, slopes := s.row(s.prob, i), s.row(s.slopes, i)
		f, mean := float64(float64(x*each)*direct.Weight(s.p.SampleWeight, i)), 0.0
		for c, v := range p {
			mean += float64(v * by[c])
		}
		for c, v := range p {
			slopes[c] += float64(float64(f*v) * (by[c] - mean))
		}
	}
	return violation, false
}

// extrapolate minimises the model over the weights that are not 0, their signs kept, by conjugate
// gradients with a diagonal. Weights that would pass 0 become 0, if the model falls by that.
func (s *part) extrapolate(target float64, most int) (solved, hit bool) {
	size := len(s.to)
	free, by, scaled := make([]bool, size), make([]float64, size), make([]float64, size)
	slope, residual, direction, product := s.slope, s.residual, s.direction, s.product
	if s.matrix != nil {
		for a := range s.list {
			s.matrix.at(s.row(slope, a), a)
			direct.Axpy(s.lambda(a), s.row(s.to, a), s.row(slope, a))
		}
	} else {
		s.pull(slope, s.slopes, 1, s.to)
	}
	factored := s.matrix != nil && s.single != nil
	scale := func() float64 {
		if factored {
			s.matrix.solve(scaled, residual)
			return direct.Dot(residual, scaled)
		}
		for a, v := range residual {
			scaled[a] = v / s.bend[a]
		}
		return direct.Dot(residual, scaled)
	}
	for a, j := range s.list {
		to, v := s.row(s.to, a), s.row(residual, a)
		s.violation(int(j), v, s.row(slope, a), to)
		all := s.normed.free(int(j)) || s.grouped != nil && kernels.MaxAbs(to) > 0
		for c, w := range to {
			if free[a*s.k+c] = all || s.single != nil && w != 0; !free[a*s.k+c] {
				v[c] = 0
			}
		}
	}
	direct.Scale(residual, -1, residual)
	if !(kernels.MaxAbs(residual) > target) {
		return true, false
	}
	if factored {
		s.factorise(s.matrix, free)
	}
	square := scale()
	copy(direction, scaled)
	for range most {
		s.times(product, direction)
		s.bendNorms(product, direction, free)
		curvature, size := direct.Dot(direction, product), 0.0
		for a, v := range direction {
			size = math.FMA(float64(s.bend[a]*v), v, size)
		}
		if !(curvature > float64(flat*size)) {
			direct.Axpy(s.toZero(by, direction), direction, by)
			break
		}
		t := square / curvature
		direct.Axpy(t, direction, by)
		direct.Axpy(-t, product, residual)
		if solved = !(kernels.MaxAbs(residual) > target); solved {
			break
		}
		next := scale()
		direct.ScaleAdd(direction, next/square, direction, 1, scaled)
		square = next
	}
	return solved, s.walk(by, slope)
}

// flat is the share of the diagonal's curvature below which curvature along a direction is rounding. The
// columns of the direction depend on one another; the norms alone choose.
const flat = 0x1p-44

// toZero returns how far the weights and changes of them, nil for none, can go along a direction until one
// of them passes 0, or 0 if none will.
func (s *part) toZero(by, direction []float64) float64 {
	nearest := math.Inf(1)
	if s.single == nil {
		return 0
	}
	for a, v := range s.to {
		if !s.normed.free(int(s.list[a/s.k])) && direction[a] != 0 {
			if by != nil {
				v += by[a]
			}
			if t := -v / direction[a]; t > 0 {
				nearest = min(nearest, t)
			}
		}
	}
	if math.IsInf(nearest, 0) {
		return 0
	}
	return float64(nearest * (1 + 0x1p-30))
}

// times computes the product of the model's second derivatives with a direction, and the changes of the
// slopes of the rows, times n, in work.
func (s *part) times(product, direction []float64) {
	if s.matrix != nil {
		s.matrix.times(product, direction)
	} else {
		direct.Must(matrix.MulDense(s.rows.Matrix, s.x.Pool, s.margins, direction, s.k))
		copy(s.work, s.margins)
		matrix.Run(s.x.Pool, len(s.objective.sums), (*bend)(s.objective))
		clear(product)
		direct.Must(matrix.AddTransDense(s.rows.Matrix, s.x.Pool, product, s.work, s.k))
		direct.Scale(product, 1/float64(s.n), product)
	}
	for a := range s.list {
		direct.Axpy(s.lambda(a), s.row(direction, a), s.row(product, a))
	}
}

// bendNorms adds the second derivatives of the norms of columns, and leaves free weights alone.
func (s *part) bendNorms(product, direction []float64, free []bool) {
	for a, j := range s.list {
		if s.grouped != nil && !s.normed.free(int(j)) && free[a*s.k] {
			bent := s.row(s.room, a)
			s.grouped.BendGroup(int(j), bent, s.row(direction, a), s.row(s.to, a))
			direct.Axpy(1, bent, s.row(product, a))
		}
	}
	for a, is := range free {
		if !is {
			product[a] = 0
		}
	}
}

// walk moves the weights along by, no weight beyond 0, half as far and half again until the model with the
// norms falls.
func (s *part) walk(by, slope []float64) (hit bool) {
	step, product := s.direction, s.product
	start := 1.0
	if first := s.toZero(nil, by); s.matrix != nil && first > 0 && first < 1 {
		start, hit = first, true
	}
	for t := start; t > float64(1e-3*start); t *= 0.5 {
		rise := 0.0
		for a, j := range s.list {
			from, to, moves := s.row(s.to, a), s.row(s.point, a), s.row(step, a)
			for c, v := range from {
				to[c] = v + float64(t*by[a*s.k+c])
				if s.single != nil && !s.normed.free(int(j)) && (v > 0) != (to[c] > 0) {
					to[c] = 0
				}
				moves[c] = to[c] - v
			}
			rise += s.rise(int(j), from, to)
		}
		s.times(product, step)
		change := direct.Dot(slope, step) + float64(0.5*direct.Dot(product, step)) + rise
		if change < 0 && change-change == 0 {
			copy(s.to, s.point)
			for a, j := range s.list {
				if !s.normed.free(int(j)) && (s.matrix == nil || s.matrix.whole[a]) {
					s.even(s.row(s.to, a))
				}
			}
			if s.matrix != nil {
				s.matrix.renew(s.to)
				return hit
			}
			direct.Axpy(1/float64(s.n), s.work, s.slopes)
			return false
		}
	}
	return false
}
