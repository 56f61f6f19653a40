package sdca

import (
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sampling"
)

// listing is the paper's algorithms 1, 2 and 4, dual-free SDCA with fixed probabilities, and
// Prox-SDCA, on dense rows. It is written from the paper, line by line, with phi_i = s_i phi. It
// shares only the source of random numbers with the solvers.
type listing struct {
	*erm.Problem
	x        [][]float64
	n        int
	lambda   float64
	alpha, w []float64
	random   *random.Source
	order    []int // of the last pass
}

func newListing(p *erm.Problem, start []float64, seed uint64) *listing {
	l := &listing{
		Problem: p, n: p.X.Rows(), lambda: p.Ridge(), alpha: make([]float64, p.X.Rows()), w: make([]float64, p.X.Cols()),
		random: random.New(seed),
	}
	for i := range l.n {
		row := make([]float64, p.X.Cols())
		for j, v := range p.X.Row(i) {
			row[j] = v
		}
		l.x = append(l.x, row)
	}
	if start != nil {
		for i, x := range l.x {
			l.alpha[i] = -l.slope(i, dot(x, start))
		}
		for i, x := range l.x { // (4)
			for j, v := range x {
				l.w[j] += l.alpha[i] * v / (l.lambda * float64(l.n))
			}
		}
	}
	return l
}

func dot(x, y []float64) float64 {
	s := 0.0
	for j, v := range x {
		s += v * y[j]
	}
	return s
}

func (l *listing) s(i int) float64 {
	if l.SampleWeight == nil {
		return 1
	}
	return l.SampleWeight[i]
}

// slope is phi_i'(z).
func (l *listing) slope(i int, z float64) float64 {
	y, phi := l.Y[i], 0.0
	switch l.Loss.String() {
	case "logistic":
		phi = -y / (1 + math.Exp(y*z))
	case "squared":
		phi = z - y
	case "squared-hinge":
		phi = -y * math.Max(0, 1-y*z)
	case "huber":
		phi = math.Max(-l.Loss.Parameter(), math.Min(l.Loss.Parameter(), z-y))
	}
	return l.s(i) * phi
}

// smooth is the L~_i of (1): how fast phi_i' changes at most.
func (l *listing) smooth(i int) float64 {
	if l.Loss == (loss.Logistic{}) {
		return math.Abs(l.s(i)) / 4
	}
	return math.Abs(l.s(i))
}

func (l *listing) v(i int) float64 { return dot(l.x[i], l.x[i]) } // (12)

// gamma is (10), or (24) with the L_i of (2).
func (l *listing) gamma(average bool) float64 {
	largest, mean := 0.0, 0.0
	for i := range l.n {
		largest = math.Max(largest, l.smooth(i))
		mean += l.smooth(i) * l.v(i) * l.smooth(i) * l.v(i) / float64(l.n)
	}
	if average {
		return mean
	}
	return l.lambda * largest
}

func (l *listing) residue(i int) float64 { return l.alpha[i] + l.slope(i, dot(l.x[i], l.w)) } // (5)

func (l *listing) residues() []float64 {
	kappa := make([]float64, l.n)
	for i := range kappa {
		kappa[i] = l.residue(i)
	}
	return kappa
}

// optimal is (17), with overlap v_i for v_i.
func (l *listing) optimal(kappa []float64, overlap, gamma float64) []float64 {
	p, total := make([]float64, l.n), 0.0
	for i, k := range kappa {
		p[i] = math.Sqrt(overlap*l.v(i)*gamma+float64(l.n)*l.lambda*l.lambda) * math.Abs(k)
		total += p[i]
	}
	for i := range p {
		p[i] /= total
	}
	return p
}

// theta is (18).
func (l *listing) theta(kappa []float64, gamma float64) float64 {
	squares, roots, square := 0.0, 0.0, float64(l.n)*l.lambda*l.lambda
	for i, k := range kappa {
		squares += k * k
		roots += math.Sqrt(l.v(i)*gamma+square) * math.Abs(k)
	}
	return square * squares / (roots * roots)
}

// draw is the i with p_0 + .. + p_i above a random share of the whole sum.
func (l *listing) draw(p []float64) int {
	total := 0.0
	for _, v := range p {
		total += v
	}
	at := l.random.Float64() * total
	for i, v := range p {
		if at -= v; at < 0 {
			return i
		}
	}
	panic("nothing to draw")
}

// step is (6) and (7), for a step of theta/p_i.
func (l *listing) step(i int, factor, kappa float64) {
	l.alpha[i] -= factor * kappa
	for j, v := range l.x[i] {
		l.w[j] -= factor / (float64(l.n) * l.lambda) * kappa * v
	}
}

// adfSDCA is lines 5 to 10 of algorithm 1.
func (l *listing) adfSDCA(gamma float64) {
	kappa := l.residues()
	p := l.optimal(kappa, 1, gamma)
	i := l.draw(p)
	l.step(i, l.theta(kappa, gamma)/p[i], kappa[i])
}

// adfSDCAPlus is an epoch of algorithm 2, with steps of theta/p_i up to most(i).
func (l *listing) adfSDCAPlus(gamma, s float64, most func(i int) float64, after func()) {
	kappa := l.residues()
	p, theta := l.optimal(kappa, 1, gamma), l.theta(kappa, gamma)
	for range l.n {
		i := l.draw(p)
		l.step(i, math.Min(theta/p[i], most(i)), l.residue(i))
		p[i] /= s
		after()
	}
}

// most is what adfSDCA+ holds theta/p_i at or below, and unbounded what its paper has.
func (l *listing) most(average bool) func(i int) float64 {
	n, lambda, gamma := float64(l.n), l.lambda, l.gamma(true)
	return func(i int) float64 {
		if average {
			return n * lambda * lambda / (n*lambda*lambda + l.v(i)*gamma)
		}
		return 1 / (1 + l.v(i)*l.smooth(i)/(lambda*n))
	}
}

func (l *listing) unbounded(int) float64 { return math.Inf(1) }

// fixed are the probabilities of dual-free SDCA that stay, uniform or the best, and theta.
func (l *listing) fixed(average, uniform bool) (p []float64, theta float64) {
	n, lambda, gamma := float64(l.n), l.lambda, l.gamma(true)
	// What a row's v_i L_i is to be in the bound of theta; (28) for average losses.
	own := func(i int) float64 {
		if average {
			return l.v(i) * gamma / lambda
		}
		return l.v(i) * l.smooth(i)
	}
	p, theta = make([]float64, l.n), math.Inf(1)
	total := 0.0
	for i := range p {
		if p[i] = 1; !uniform {
			p[i] = 1 + own(i)/(lambda*n)
		}
		total += p[i]
	}
	for i := range p {
		p[i] /= total
		theta = math.Min(theta, p[i]*n*lambda/(own(i)+n*lambda))
	}
	return p, theta
}

// minibatch is lines 4 to 11 of algorithm 4, with the v' of (34) throughout: (75) is printed
// with v, but follows from (73), which has v'.
func (l *listing) minibatch(gamma float64, b int, batch *sampling.Batch) error {
	overlap := math.Min(float64(b), float64(l.mostShared()))
	kappa := l.residues()
	p := atMost(l.optimal(kappa, overlap, gamma), 1/float64(b))
	above, below := 0.0, 0.0
	for i, k := range kappa { // (75)
		if k == 0 {
			continue
		}
		square := float64(l.n) * l.lambda * l.lambda
		above += square * float64(b) * k * k
		below += (square + overlap*l.v(i)*gamma) / p[i] * k * k
	}
	q := make([]float64, l.n)
	for i := range q {
		q[i] = float64(b) * p[i]
	}
	if err := batch.Set(q); err != nil {
		return err
	}
	rows := batch.Draw((*sampling.Random)(l.random))
	for _, i := range rows {
		l.step(int(i), above/below/(float64(b)*p[i]), kappa[i])
	}
	return nil
}

// mostShared is the largest number of rows that have a feature, of (34).
func (l *listing) mostShared() int {
	most := 1
	for j := range l.w {
		count := 0
		for _, x := range l.x {
			if x[j] != 0 {
				count++
			}
		}
		most = max(most, count)
	}
	return most
}

// atMost returns probabilities in proportion to p but for those above most, which are most.
func atMost(p []float64, most float64) []float64 {
	q := make([]float64, len(p))
	capped := func(factor float64) (sum float64) {
		for i, v := range p {
			q[i] = min(most, v*factor)
			sum += q[i]
		}
		return sum
	}
	low, high := 1.0, 1e300
	for range 200 {
		middle := math.Sqrt(low) * math.Sqrt(high)
		if capped(middle) < 1 {
			low = middle
		} else {
			high = middle
		}
	}
	sum, zeros := capped(low), 0
	for _, v := range p {
		if v == 0 {
			zeros++
		}
	}
	for i, v := range p {
		if v == 0 && sum < 1-1e-9 { // of fewer rows than there are to draw
			q[i] = (1 - sum) / float64(zeros)
		}
	}
	return q
}

// shuffled has the rows in the order of a pass.
func (l *listing) drawn() []int {
	rows := make([]int, l.n)
	for k := range rows {
		rows[k] = int(l.random.Below(uint64(l.n)))
	}
	return rows
}

func (l *listing) shuffled() []int {
	for i := len(l.order); i < l.n; i++ {
		l.order = append(l.order, i)
	}
	for i := l.n - 1; i > 0; i-- {
		k := l.random.Below(uint64(i + 1))
		l.order[i], l.order[k] = l.order[k], l.order[i]
	}
	return l.order
}

// ascend is a step of SDCA: the maximum of the dual over alpha_i, where
// alpha_i = -phi_i'(x_i'w + o_i) at the w that it leads to.
func (l *listing) ascend(i int) {
	z, q := dot(l.x[i], l.w)+direct.Offset(l.Offset, i), l.v(i)/(l.lambda*float64(l.n))
	low, high := -1e9, 1e9
	for range 400 {
		if a := low + (high-low)/2; a+l.slope(i, z+(a-l.alpha[i])*q) > 0 {
			high = a
		} else {
			low = a
		}
	}
	l.step(i, 1, l.alpha[i]-low)
}
