package elasticnet

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/penalty"
)

const (
	// aheadPoints is the most points that the statistics solve before the rows certify them, in one
	// pass for all. mostAhead bounds the margins of these points.
	aheadPoints, mostAhead = 16, 1 << 22
)

// Expect tells a path the penalties that it will be asked for, in their order. Where the matrix of
// a loss with the same curvature everywhere is of all columns, it then solves up to 16 points by
// this matrix, and takes their margins and gradients by products of the rows with 16 columns. The
// bits of a result do not depend on the points after it. It takes 32 MiB more at most.
func (s *Path) Expect(list []penalty.Penalty) { s.expects = slices.Clone(list) }

// ahead is a point that the statistics solved, with what a pass gives.
type ahead struct {
	of    penalty.Penalty
	gap   float64   // the tolerance
	from  []float64 // the weights of the point before
	w     []float64
	base  []float64 // margins without the intercept
	slope []float64 // X'coef
}

// foresees tells whether points are solved ahead.
func (s *Path) foresees() bool {
	return len(s.expects) > 0 && s.model.exact && s.model.whole && s.o.grouped == nil && s.o.n <= mostAhead/aheadPoints
}

// estimated solves the point by statistics alone, and ends the run if they certify it too.
func (l *pathLoop) estimated(c *run.Control) bool {
	if c.Settings().GapTolerance == 0 || !l.estimates() {
		return false
	}
	start := slices.Clone(l.w)
	l.originate()
	if l.solveOne(c) {
		e := l.estimate(l.part, &l.s.origin, l.w[len(l.w)-1])
		if certifies(c, e) {
			c.Iterations(1, 0, 0)
			l.known = stale
			c.Reached(l.offsets.outward(l.w), e)
			return true
		}
	}
	copy(l.w, start)
	return false
}

// foreseen goes to the point of the penalty that was solved ahead, and solves points where it was not.
// It tells whether it did.
func (l *pathLoop) foreseen(c *run.Control) bool {
	s := l.s
	is := func(a ahead) bool {
		return a.gap == c.Settings().GapTolerance && a.of.String() == l.p.Penalty.String() && slices.Equal(a.from, l.w)
	}
	if len(s.ahead) == 0 || !is(s.ahead[0]) {
		if s.ahead = nil; !l.solveAhead(c) {
			return false
		}
	}
	a := s.ahead[0]
	s.ahead = s.ahead[1:]
	copy(l.w, a.w)
	copy(l.base, a.base)
	l.shift(l.w)
	l.slopes(l.z)
	direct.Scale(l.g, 1/float64(l.n), a.slope)
	l.addRidge(l.g, l.w)
	c.Gradients(l.n)
	return true
}

// solveAhead solves the point of the penalty and the expected points after it.
func (l *pathLoop) solveAhead(c *run.Control) bool {
	s, given := l.s, l.p.Penalty
	at := slices.IndexFunc(s.expects, func(p penalty.Penalty) bool { return p.String() == given.String() })
	if at < 0 {
		return false
	}
	list := s.expects[at:min(at+aheadPoints, len(s.expects))]
	l.originate()
	start, before := slices.Clone(l.w), slices.Clone(l.w)
	for _, p := range list {
		l.p.Penalty = p
		l.penalise()
		if !l.solveOne(c) {
			break
		}
		s.ahead = append(s.ahead, ahead{of: p, gap: c.Settings().GapTolerance, from: before, w: slices.Clone(l.w)})
		before = s.ahead[len(s.ahead)-1].w
	}
	l.p.Penalty = given
	l.penalise()
	if len(s.ahead) > 0 {
		l.pass()
	}
	copy(l.w, start)
	return len(s.ahead) > 0
}

// originate computes the origin, once, and takes all columns into the model.
func (l *pathLoop) originate() {
	s := l.s
	if s.origin.g == nil {
		w := make([]float64, len(l.w))
		l.place(w)
		l.recentre(w, math.Inf(1))
		clear(l.g)
		l.x.AddTrans(l.g, l.coef)
		s.origin.g, s.origin.mean = slices.Clone(l.g), l.mean
		direct.Scale(s.origin.g, 1/float64(l.n), s.origin.g)
		if l.p.Intercept {
			s.origin.b = w[l.d]
		}
	}
	for j := range s.model.in {
		s.model.add(uint32(j))
	}
}

// solveOne goes from the weights to the minimum for the penalty by statistics alone. What it does
// depends on the weights and the penalty alone.
func (l *pathLoop) solveOne(c *run.Control) bool {
	part := l.model()
	l.part, l.mean = part, l.s.zero
	size := len(part.slope)
	clear(part.to)
	for a, j := range part.list {
		part.to[a] = l.w[j]
	}
	for a, j := range part.list {
		part.slope[a] = l.s.origin.g[j] + direct.Dot(part.gram[a*size:][:size], part.to)
	}
	most := l.worst(part, func(a int) float64 { return part.to[a] })
	if l.minimise(c, float64(pathShare*most)) == 0 {
		return false
	}
	part.put(l.w)
	if l.p.Intercept {
		l.w[l.d] = l.s.origin.intercept(part)
	}
	return true
}

// intercept is the best one beside the weights of a part.
func (o *origin) intercept(s *part) float64 {
	last := len(s.slope) - 1
	b := o.b - o.g[len(o.g)-1]/s.diagonal[last]
	for a, mean := range s.means {
		b -= float64(mean * s.to[a])
	}
	return b
}

// pass takes the margins of the points that were solved ahead, moves their intercepts to the best
// places, and takes their gradients.
func (l *pathLoop) pass() {
	points := l.s.ahead
	width, x := len(points), features(l.p)
	in, out := make([]float64, l.x.Cols()*width), make([]float64, l.n*width)
	for j := range x.Cols() {
		for k := range points {
			in[j*width+k] = points[k].w[j]
		}
	}
	direct.Must(matrix.MulDense(x, l.x.Pool, out, in[:x.Cols()*width], width))
	for k := range points {
		p := &points[k]
		p.base = make([]float64, l.n)
		for i := range p.base {
			p.base[i] = out[i*width+k]
		}
		if l.p.Offset != nil {
			direct.Axpy(1, l.p.Offset, p.base)
		}
		copy(l.base, p.base)
		l.shift(p.w)
		l.slopes(l.z)
		l.recentre(p.w, math.Inf(1))
		if k+1 < len(points) {
			points[k+1].from = p.w
		}
		for i, v := range l.coef {
			out[i*width+k] = v
		}
	}
	clear(in)
	direct.Must(matrix.AddTransDense(l.x.Matrix, l.x.Pool, in, out, width))
	for k := range points {
		p := &points[k]
		p.slope = make([]float64, l.x.Cols())
		for j := range p.slope {
			p.slope[j] = in[j*width+k]
		}
	}
}
