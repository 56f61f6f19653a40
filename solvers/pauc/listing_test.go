package pauc

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/sparse"
)

// paper is the paper's problem as it is printed: sums over all pairs, and on dense rows. It
// knows nothing of the solvers: a program below takes rows that were sampled, nothing else.
type paper struct {
	positives, negatives [][]float64 // x_i+ and x_j-
	m, n                 int
	// scale is that of a sigmoid loss in place of the logistic one, which has 0.
	scale float64
	// weight is that of ||v||^2/2 beside f^n, which the paper has not.
	weight float64
}

func dot(x, y []float64) (s float64) {
	for j := range x {
		s += x[j] * y[j]
	}
	return s
}

// s is s_ij(w) = l(h_w(x_i+) - h_w(x_j-)), and the derivative of l.
func (p *paper) s(i, j int, w []float64) (value, slope float64) {
	z := dot(p.positives[i], w) - dot(p.negatives[j], w)
	if p.scale > 0 {
		value = 1 / (1 + math.Exp(p.scale*z))
		return value, -p.scale * value * (1 - value)
	}
	return math.Log(1 + math.Exp(-z)), -1 / (1 + math.Exp(z))
}

// add adds the gradient of s_ij(w), times a share, to g.
func (p *paper) add(g []float64, share float64, i, j int, w []float64) {
	_, slope := p.s(i, j, w)
	for k := range g {
		g[k] += share * slope * (p.positives[i][k] - p.negatives[j][k])
	}
}

// ranked is S_i(w) as the places of negatives, the largest loss first.
func (p *paper) ranked(i int, w []float64) []int {
	list := make([]int, len(p.negatives))
	loss := make([]float64, len(list))
	for j := range list {
		list[j] = j
		loss[j], _ = p.s(i, j, w)
	}
	slices.SortFunc(list, func(a, b int) int {
		if loss[a] > loss[b] {
			return -1
		}
		return 1
	})
	return list
}

// start is what lambda begins with: a little below the l-th largest losses, so that no loss
// is at a threshold.
func (p *paper) start(l int, w []float64) map[int]float64 {
	lambda := map[int]float64{}
	for i := range p.positives {
		if l > 0 {
			lambda[i], _ = p.s(i, p.ranked(i, w)[l-1], w)
			lambda[i] *= below
		}
	}
	return lambda
}

const below = 0.999

// subgradient is xi, of f^m at w.
func (p *paper) subgradient(w []float64) []float64 {
	xi := make([]float64, len(w))
	for i := range p.positives {
		for _, j := range p.ranked(i, w)[:p.m] {
			p.add(xi, 1, i, j, w)
		}
	}
	return xi
}

// sampled are the lines of an iteration that algorithms 1, 3 and 4 share: G_v, and lambda
// moved along G_lambda. (Algorithm 3 has one i, and N for N_-.)
func (p *paper) sampled(l int, v []float64, lambda map[int]float64, is, js []int, theta float64) []float64 {
	g := make([]float64, len(v))
	share := float64(len(p.positives)*len(p.negatives)) / float64(len(is)*len(js))
	moves := map[int]float64{}
	for _, i := range is {
		above := 0.0
		for _, j := range js {
			if value, _ := p.s(i, j, v); value > lambda[i] {
				above++
				p.add(g, share, i, j, v)
			}
		}
		moves[i] = theta * (float64(l) - float64(len(p.negatives))/float64(len(js))*above)
	}
	for i, by := range moves {
		lambda[i] -= by
	}
	return g
}

// sampler returns the rows of an iteration.
type sampler func() (is, js []int)

// sbcd is algorithm 1, and with one positive algorithm 3.
func (p *paper) sbcd(w []float64, lambda map[int]float64, steps, l int, mu, weight, eta, theta float64, sample sampler) (vBar []float64, lambdaBar map[int]float64) {
	v, lambda := slices.Clone(w), maps.Clone(lambda) // line 2
	vBar, lambdaBar = make([]float64, len(w)), map[int]float64{}
	for range steps {
		for k := range v { // line 10
			vBar[k] += v[k] / float64(steps)
		}
		for i := range lambda {
			lambdaBar[i] += lambda[i] / float64(steps)
		}
		is, js := sample()                          // line 4
		g := p.sampled(l, v, lambda, is, js, theta) // lines 5, 7 and 8
		for k := range v {                          // line 6: (14)
			v[k] = (w[k]/mu + v[k]/eta - g[k]) / (1/mu + 1/eta + weight)
		}
	}
	return vBar, lambdaBar
}

// dca is algorithm 4, and with l, the L of (38), a step that is proximal in its terms.
func (p *paper) dca(w []float64, lambda map[int]float64, steps int, xi []float64, l, eta, theta float64, sample sampler) ([]float64, map[int]float64) {
	v, lambda := slices.Clone(w), maps.Clone(lambda)
	for range steps {
		is, js := sample()
		g := p.sampled(p.n, v, lambda, is, js, theta)
		for k := range v {
			v[k] = (l*w[k] + v[k]/eta - g[k] + xi[k]) / (l + 1/eta + p.weight)
		}
	}
	return v, lambda
}

// nudged is a scheme whose exact thresholds are moved below the losses that they equal.
type nudged struct{ scheme }

func (s nudged) open(c *engine.Control) (drift []float64, over average, err error) {
	var exact []*thresholds
	switch l := s.scheme.(type) {
	case *agd:
		if l.inner == 0 && l.phase == 0 && (l.outer == 0 || l.anew) {
			exact = []*thresholds{&l.lambda[0], &l.lambda[1]}
		}
	case *dca:
		if l.inner == 0 && l.outer == 0 {
			exact = []*thresholds{&l.lambda}
		}
	}
	drift, over, err = s.scheme.open(c)
	for _, h := range exact {
		for i := range h.lambda {
			h.lambda[i] *= below
		}
	}
	return drift, over, err
}

// TestIterationsFollowTheListings lays AGD-SBCD, its method for the sum of ranked range, DCA
// and proximal DCA beside algorithms 1 to 4, (37) and (38), for batches of one pair, of some
// and of all. Of the parameters in text, mu, step and threshold are given to the programs
// in words of their own.
func TestIterationsFollowTheListings(t *testing.T) {
	for _, c := range []struct {
		name   string
		set    []string
		low    float64 // the lower rate, or share of the ranks
		lambda float64
		// gamma/mu, mu P N, and theta N over eta P N.
		step, mu, theta float64
		scale           float64 // of the sigmoid loss
	}{
		{name: "agd-sbcd", set: []string{"paper=true", "step=3", "mu=0.7"}, low: 0.05, step: 3, mu: 0.7, theta: 1},
		{name: "agd-sbcd", set: []string{"paper=true", "mu=2"}, low: 0, step: 5, mu: 2, theta: 1},
		{name: "agd-sbcd", set: []string{"paper=true", "mu=0.7", "constant=true"}, low: 0.05, step: 5, mu: 0.7, theta: 1},
		{name: "agd-sbcd", set: []string{"mu=0.7", "logistic=true", "threshold=0.05"}, low: 0.05, lambda: 0.3, step: 1, mu: 0.7, theta: 0.05},
		{name: "agd-sbcd", set: []string{"mu=0.7", "scale=3", "threshold=0.05"}, low: 0.05, lambda: 0.3, step: 1, mu: 0.7, theta: 0.05, scale: 3},
		{name: "dca", set: []string{"paper=true"}, low: 0.05, theta: 1},
		{name: "dca", set: []string{"threshold=0.05"}, low: 0, lambda: 0.3, theta: 0.05},
		{name: "prox-dca", set: []string{"paper=true", "mu=0.7"}, low: 0.05, lambda: 0.3, mu: 0.7, theta: 1},
		{name: "sorr-agd", set: []string{"paper=true", "step=2", "mu=0.7"}, low: 0.05, step: 2, mu: 0.7, theta: 1},
		{name: "sorr-agd", set: []string{"threshold=0.05", "mu=0.7"}, low: 0.05, lambda: 0.3, step: 3, mu: 0.7, theta: 0.05},
		{name: "sorr-dca", set: []string{"paper=true"}, low: 0.05, theta: 1},
		{name: "sorr-dca", set: []string{"paper=true", "constant=true"}, low: 0.05, theta: 1},
		{name: "sorr-prox-dca", set: []string{"paper=true", "mu=0.7"}, low: 0.05, mu: 0.7, theta: 1},
	} {
		for _, sizes := range [][2]int{{1, 1}, {3, 8}, {1000, 1000}} {
			q := sample(t, 120)
			q.Low, q.High, q.Lambda = c.low, 0.5, c.lambda
			set := append([]string{"outer=3", "length=4", "inner=0.4", fmt.Sprintf("?positives=%d", sizes[0]), fmt.Sprintf("?negatives=%d", sizes[1]), fmt.Sprintf("?rows=%d", sizes[1])}, c.set...)
			m := named(t, c.name, set...)
			task, x := q.task(), denseRows(q.X)
			p := &paper{scale: c.scale}
			places := map[uint32]int{} // of rows in positives and negatives
			add := func(to *[][]float64, row int, x []float64) {
				places[uint32(row)] = len(*to)
				*to = append(*to, x)
			}
			if ranged(m) {
				r := &RangeProblem{X: q.X, Y: q.Y, Lambda: c.lambda}
				r.M, r.N = Ranks(c.low, 0.5, len(q.Y))
				task, p.positives = r.task(), [][]float64{make([]float64, q.X.Cols())}
				for i, y := range q.Y { // h_j of (7) is -y_j w'x_j with x_i+ = 0
					for k := range x[i] {
						x[i][k] *= -y
					}
					add(&p.negatives, i, x[i])
				}
			} else {
				for i, y := range q.Y {
					if y > 0 {
						add(&p.positives, i, x[i])
					} else {
						add(&p.negatives, i, x[i])
					}
				}
			}
			tails, pairs := float64(len(p.negatives)), float64(len(p.positives)*len(p.negatives))
			p.m, p.n = int(c.low*tails), int(math.Ceil(0.5*tails))
			p.weight = c.lambda * float64(p.n-p.m) * float64(len(p.positives))

			l := begun(t, task, m)
			l.begun, l.scheme = true, nudged{l.scheme}
			w := slices.Clone(l.w)
			var control engine.Control
			heads := 0
			if !ranged(m) {
				heads = min(sizes[0], len(p.positives))
			}
			next := func() (is, js []int) {
				l.Next(&control)
				if is = []int{0}; heads > 0 {
					is = is[:0]
				}
				for k, row := range l.rows {
					if k < heads {
						is = append(is, places[row])
					} else {
						js = append(js, places[row])
					}
				}
				return is, js
			}
			lambdaM, lambdaN := p.start(p.m, w), p.start(p.n, w)
			outer := 3
			if sizes[0] == 1000 {
				outer = 2
			}
			for k := range outer { // algorithm 2
				steps, rate := 4*(k+1)*(k+1), 0.4/float64(k+1)
				if slices.Contains(c.set, "constant=true") {
					steps, rate = 4, 0.4
				}
				eta, theta := rate/pairs, c.theta*rate/tails
				var point []float64
				if c.step > 0 {
					if c.scale > 0 {
						lambdaM, lambdaN = p.start(p.m, w), p.start(p.n, w)
					}
					mu := c.mu / pairs
					vM, vN := w, w
					if p.m > 0 {
						vM, lambdaM = p.sbcd(w, lambdaM, steps, p.m, mu, 0, eta, theta, next)
					}
					vN, lambdaN = p.sbcd(w, lambdaN, steps, p.n, mu, p.weight, eta, theta, next)
					moved := slices.Clone(w)
					for j := range w {
						moved[j] -= c.step * (vM[j] - vN[j])
					}
					w, point = moved, vN
				} else {
					near := 0.0
					if c.mu > 0 {
						near = pairs / c.mu // L
					}
					w, lambdaN = p.dca(w, lambdaN, steps, p.subgradient(w), near, eta, theta, next)
					point = w
				}
				got := make([]float64, len(w))
				l.Current(got)
				what := fmt.Sprintf("%s %v, batches %v, outer iteration %d", c.name, c.set, sizes, k)
				compare(t, what+", the point", got, point)
				compare(t, what+", w", l.w, w)
			}
		}
	}
}

// compare holds a vector to a listing's.
func compare(t *testing.T, what string, got, want []float64) {
	t.Helper()
	most := 0.0
	for _, v := range want {
		most = max(most, math.Abs(v))
	}
	for j, v := range want {
		if !(math.Abs(got[j]-v) <= 1e-10*most) {
			t.Fatalf("%s: weight %d is %v, the listing has %v", what, j, got[j], v)
		}
	}
}

func denseRows(x *sparse.Matrix) [][]float64 {
	rows := make([][]float64, x.Rows())
	for i := range rows {
		rows[i] = make([]float64, x.Cols())
		for j, v := range x.Row(i) {
			rows[i][j] = v
		}
	}
	return rows
}

// TestMinibatchFollowsTheListing lays MB beside its definition: steps of Step/sqrt(t) down
// the gradient of the mean loss of the pairs of a batch whose negatives rank in its range,
// in stages that begin at the means of those before.
func TestMinibatchFollowsTheListing(t *testing.T) {
	for _, scale := range []float64{0, 3} {
		for _, sizes := range [][2]int{{1, 10}, {3, 20}} { // whole ranks in the range
			q := sample(t, 120)
			if positives := len(q.task().positives); positives < 4 {
				t.Fatalf("only %d positives", positives)
			}
			q.Low, q.High, q.Lambda = 0.1, 0.5, 0.3
			m := MiniBatch{Logistic: scale == 0, Scale: scale, Step: 0.4, Stages: 3, Length: 7, Positives: sizes[0], Negatives: sizes[1]}
			l := begun(t, q.task(), m)
			l.begun = true
			x, w := denseRows(q.X), slices.Clone(l.w)
			var control engine.Control
			for stage := range 3 {
				v, mean := slices.Clone(w), make([]float64, len(w))
				for step := range 7 {
					l.Next(&control)
					p := &paper{scale: scale}
					for k, row := range l.rows {
						if k < sizes[0] {
							p.positives = append(p.positives, x[row])
						} else {
							p.negatives = append(p.negatives, x[row])
						}
					}
					first, end := sizes[1]/10, sizes[1]/2
					g := make([]float64, len(w))
					for i := range p.positives {
						for _, j := range p.ranked(i, v)[first:end] {
							p.add(g, 1/float64(sizes[0]*(end-first)), i, j, v)
						}
					}
					rate := 0.4 / math.Sqrt(float64(7*stage+step+1))
					for k := range v {
						v[k] = (v[k] - rate*g[k]) / (1 + rate*q.Lambda)
						mean[k] += v[k] / 7
					}
				}
				w = mean
				compare(t, fmt.Sprintf("scale %v, batches %v, stage %d", scale, sizes, stage), l.w, w)
			}
		}
	}
}

// TestMarginFollowsTheListing lays PESG beside its definition: descent in w, a and b and
// ascent in alpha >= 0 on the min-max loss of a batch, in stages.
func TestMarginFollowsTheListing(t *testing.T) {
	p := sample(t, 150)
	p.Lambda = 0.3
	m := AUCMargin{Stages: 3, Length: 12, Mu: 2, Step: 0.3, Margin: 0.02, Positives: 4, Negatives: 9}
	task, x, d := p.task(), denseRows(p.X), p.X.Cols()
	l := begun(t, task, m).scheme.(*staged)
	l.begun = true
	inner := l.batcher.(*margin)
	w := randomWeights(d)
	sigmoid := func(row uint32, v []float64) float64 {
		s := 0.0
		for j, x := range x[row] {
			s += x * v[j]
		}
		return 1 / (1 + math.Exp(-s))
	}
	mean := func(rows []uint32, v []float64) float64 {
		sum := 0.0
		for _, row := range rows {
			sum += sigmoid(row, v)
		}
		return sum / float64(len(rows))
	}
	a, b := mean(task.positives, w), mean(task.negatives, w)
	alpha := max(0, m.Margin+b-a)
	rate, clipped := m.Step, 0
	var c engine.Control
	for stage := range 3 {
		v, sum := slices.Clone(w), make([]float64, d)
		for step := range 12 {
			l.Next(&c)
			positives, negatives := l.rows[:4], l.rows[4:]
			high, low := mean(positives, v), mean(negatives, v)
			g := make([]float64, d)
			for k, rows := range [][]uint32{positives, negatives} {
				for _, row := range rows {
					q := sigmoid(row, v)
					slope := [2]float64{2 * (q - a - alpha), 2 * (q - b + alpha)}[k] / float64(len(rows))
					for j := range g {
						g[j] += slope * q * (1 - q) * x[row][j]
					}
				}
			}
			for j := range v {
				v[j] = (v[j] - rate*(g[j]-w[j]/m.Mu)) / (1 + rate*(1/m.Mu+p.Lambda))
				sum[j] += v[j] / 12
			}
			share := min(1, 2*rate)
			a, b, alpha = a+share*(high-a), b+share*(low-b), alpha+share*(m.Margin+low-high-alpha)
			if alpha < 0 {
				alpha, clipped = 0, clipped+1
			}
			if !near(inner.a, a) || !near(inner.b, b) || !near(inner.alpha, alpha) {
				t.Fatalf("stage %d, step %d: a, b and alpha are %v, %v and %v, the listing has %v, %v and %v", stage, step, inner.a, inner.b, inner.alpha, a, b, alpha)
			}
		}
		copy(w, sum)
		for j := range w {
			if !(math.Abs(l.w[j]-w[j]) <= 1e-10) {
				t.Fatalf("after stage %d: weight %d is %v, the listing has %v", stage, j, l.w[j], w[j])
			}
		}
		rate /= 10
	}
	if clipped == 0 {
		t.Error("alpha never reached its bound: the test shows less than it should")
	}
}
