package pauc

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/repeat"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/metrics"
	"github.com/lanes-go/lanes/solvers"
)

// blockCase is a solver with inner loops of blocks: what it is given in text, and the same
// in numbers for the listing.
type blockCase struct {
	name        string
	set         []string
	low, lambda float64
	minTPR      float64
	// gamma/mu, mu P N, and theta N over eta P N.
	step, mu, theta float64
	scale           float64 // of the sigmoid loss
	inner           float64 // eta P N of the first outer iteration, 0 for 5 N/n P/p
	outer, length   int
	constant        bool
	heads, tails    int // rows in a batch
	rounds          int // outer iterations that are compared
}

// follow lays AGD-SBCD, its method for the sum of ranked range, DCA and proximal DCA beside
// algorithms 1 to 4, (37) and (38).
func (c blockCase) follow(t *testing.T, m Method) error {
	q := sample(t, 120)
	q.Low, q.High, q.MinTPR, q.Lambda = c.low, 0.5, c.minTPR, c.lambda
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
	p.m, p.n, p.hard = int(c.low*tails), int(math.Ceil(0.5*tails)), int(math.Ceil((1-c.minTPR)*float64(len(p.positives))))
	p.weight = c.lambda * float64(p.n-p.m) * float64(p.hard)
	if c.inner == 0 {
		c.inner = 5 * tails / float64(p.n) * float64(len(p.positives)) / float64(p.hard)
	}

	l := begun(t, task, m)
	l.begun, l.scheme = true, nudged{l.scheme}
	w := slices.Clone(l.w)
	var control run.Control
	heads, others := 0, min(c.tails, len(p.negatives))
	if !ranged(m) {
		heads = min(c.heads, len(p.positives))
	}
	if len(l.rows) != heads+others || l.Outer != c.outer {
		return fmt.Errorf("batches of %d rows in %d outer iterations, not of %d in %d", len(l.rows), l.Outer, heads+others, c.outer)
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
	for k := range c.rounds { // algorithm 2
		steps, rate := c.length*(k+1)*(k+1), c.inner/float64(k+1)
		if c.constant {
			steps, rate = c.length, c.inner
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
		what := fmt.Sprintf("batches of %d and %d, outer iteration %d", c.heads, c.tails, k)
		if err := errors.Join(compare(what+", the point", got, point), compare(what+", w", l.w, w)); err != nil {
			return err
		}
	}
	return ends(l, c.rounds == c.outer)
}

// ends wants a run to end here, or to go on.
func ends(l *nested, end bool) error {
	var c run.Control
	if l.Next(&c); c.Ended() != end {
		return fmt.Errorf("ended: %v", c.Ended())
	}
	return nil
}

// blockRuns lists runs of the solvers with inner loops of blocks, for batches of one pair, of some
// and of all, and with all defaults.
func blockRuns(t *testing.T) (runs []solvetest.Listed[Method]) {
	add := func(c blockCase) {
		runs = append(runs, solvetest.Listed[Method]{Solver: c.name, Set: c.set, Follows: func(m Method) error { return c.follow(t, m) }})
	}
	const paper = "paper=true"
	for _, c := range []blockCase{
		{name: "agd-sbcd", set: []string{paper, "step=3", "mu=0.7"}, low: 0.05, step: 3, mu: 0.7, theta: 1},
		{name: "agd-sbcd", set: []string{paper, "mu=2"}, low: 0, step: 5, mu: 2, theta: 1},
		{name: "agd-sbcd", set: []string{paper, "mu=0.7", "constant=true"}, low: 0.05, step: 5, mu: 0.7, theta: 1},
		{name: "agd-sbcd", set: []string{"mu=0.7", "logistic=true", "threshold=0.05"}, low: 0.05, lambda: 0.3, step: 1, mu: 0.7, theta: 0.05},
		{name: "agd-sbcd", set: []string{"mu=0.7", "scale=3", "threshold=0.05"}, low: 0.05, lambda: 0.3, step: 1, mu: 0.7, theta: 0.05, scale: 3},
		{name: "agd-sbcd", set: []string{paper, "mu=0.7"}, low: 0.05, minTPR: 0.6, step: 5, mu: 0.7, theta: 1},
		{name: "agd-sbcd", set: []string{"mu=0.7", "scale=3", "threshold=0.05"}, low: 0, lambda: 0.3, minTPR: 0.25, step: 1, mu: 0.7, theta: 0.05, scale: 3},
		{name: "dca", set: []string{"threshold=0.05"}, low: 0.05, lambda: 0.3, minTPR: 0.6, theta: 0.05},
		{name: "prox-dca", set: []string{paper, "mu=0.7"}, low: 0.05, lambda: 0.3, minTPR: 0.6, mu: 0.7, theta: 1},
		{name: "dca", set: []string{paper, "constant=true"}, low: 0.05, theta: 1},
		{name: "dca", set: []string{"threshold=0.05"}, low: 0, lambda: 0.3, theta: 0.05},
		{name: "prox-dca", set: []string{paper, "mu=0.7"}, low: 0.05, lambda: 0.3, mu: 0.7, theta: 1},
		{name: "prox-dca", set: []string{"threshold=0.05", "mu=0.7", "constant=true"}, low: 0.05, lambda: 0.3, mu: 0.7, theta: 0.05},
		{name: "sorr-agd", set: []string{paper, "step=2", "mu=0.7"}, low: 0.05, step: 2, mu: 0.7, theta: 1},
		{name: "sorr-agd", set: []string{"threshold=0.05", "mu=0.7", "constant=true"}, low: 0.05, lambda: 0.3, step: 3, mu: 0.7, theta: 0.05},
		{name: "sorr-dca", set: []string{paper}, low: 0.05, theta: 1},
		{name: "sorr-dca", set: []string{"threshold=0.05", "constant=true"}, low: 0.05, theta: 0.05},
		{name: "sorr-prox-dca", set: []string{paper, "mu=0.7"}, low: 0.05, mu: 0.7, theta: 1},
		{name: "sorr-prox-dca", set: []string{"threshold=0.05", "mu=0.7", "constant=true"}, low: 0.05, mu: 0.7, theta: 0.05},
	} {
		c.constant = slices.Contains(c.set, "constant=true")
		given := c.set
		for _, sizes := range [][2]int{{1, 1}, {3, 8}, {1000, 1000}} {
			c.heads, c.tails, c.inner, c.outer, c.length, c.rounds = sizes[0], sizes[1], 0.4, 3, 4, 3
			c.set = append([]string{"outer=3", "length=4", "inner=0.4"}, given...)
			if m := named(t, c.name); ranged(m) {
				c.set = append(c.set, fmt.Sprintf("rows=%d", c.tails))
			} else {
				c.set = append(c.set, fmt.Sprintf("positives=%d", c.heads), fmt.Sprintf("negatives=%d", c.tails))
			}
			if sizes[0] == 1000 {
				c.rounds = 2
			}
			add(c)
		}
	}
	for _, c := range []blockCase{
		{name: "agd-sbcd", low: 0.05, step: 1, mu: 1000, theta: 0.001, scale: 7, outer: 2, length: 50},
		{name: "agd-sbcd", low: 0.05, minTPR: 0.4, step: 1, mu: 1000, theta: 0.001, scale: 7, outer: 2, length: 50},
		{name: "dca", low: 0.05, theta: 0.02, inner: 10, outer: 5, length: 100},
		{name: "prox-dca", low: 0.05, mu: 1000, theta: 0.02, inner: 10, outer: 5, length: 100},
		{name: "sorr-agd", low: 0.05, step: 3, mu: 1000, theta: 0.02, inner: 10, outer: 5, length: 100},
		{name: "sorr-dca", low: 0.05, theta: 0.02, inner: 10, outer: 5, length: 100},
		{name: "sorr-prox-dca", low: 0.05, mu: 1000, theta: 0.02, inner: 10, outer: 5, length: 100},
	} {
		c.heads, c.tails, c.rounds = 100, 100, 1
		add(c)
	}
	return runs
}

// minibatchCase is MB: steps of Step/sqrt(t) down the gradient of the mean loss of a batch's
// pairs whose negatives rank in the batch's range. A stage begins at the mean of the stage
// before.
type minibatchCase struct {
	scale, step    float64
	minTPR         float64
	heads, tails   int
	stages, length int
	set            []string
}

func (c minibatchCase) follow(t *testing.T, m Method) error {
	q := sample(t, 120)
	q.Low, q.High, q.MinTPR, q.Lambda = 0.1, 0.5, c.minTPR, 0.3
	task := q.task()
	hard := int(math.Ceil((1 - c.minTPR) * float64(len(task.positives))))
	heads, tails := min(c.heads, len(task.positives)), min(c.tails, len(task.negatives))
	l := begun(t, task, m)
	l.begun, l.every = true, 0
	if len(l.rows) != heads+tails || l.Outer != c.stages || l.Length != c.length {
		return fmt.Errorf("batches of %d rows in %d stages of %d iterations", len(l.rows), l.Outer, l.Length)
	}
	x, w := denseRows(q.X), slices.Clone(l.w)
	var control run.Control
	first, end := float64(tails)*0.1, float64(tails)*0.5
	for stage := range min(c.stages, 3) {
		v, mean := slices.Clone(w), make([]float64, len(w))
		for step := range c.length {
			l.Next(&control)
			p := &paper{scale: c.scale}
			for k, row := range l.rows {
				if k < heads {
					p.positives = append(p.positives, x[row])
				} else {
					p.negatives = append(p.negatives, x[row])
				}
			}
			g := make([]float64, len(w))
			kept := slices.Clone(p.positives)
			slices.SortFunc(kept, func(a, b []float64) int { return cmp.Compare(dot(a, v), dot(b, v)) })
			p.positives = kept[:int(math.Ceil(float64(hard*heads)/float64(len(task.positives))))]
			for i := range p.positives {
				for rank, j := range p.ranked(i, v) {
					if share := overlap(float64(rank), float64(rank+1), first, end); share > 0 { // a rank at a bound counts in part
						p.add(g, share/(float64(len(p.positives))*(end-first)), i, j, v)
					}
				}
			}
			rate := c.step / math.Sqrt(float64(c.length*stage+step+1))
			for k := range v {
				v[k] = (v[k] - rate*g[k]) / (1 + rate*q.Lambda)
				mean[k] += v[k] / float64(c.length)
			}
			if c.length > 100 && step == 3 { // of a long stage the first steps
				got := make([]float64, len(w))
				l.Current(got)
				for k := range mean {
					mean[k] *= float64(c.length) / 4
				}
				return compare("the mean of a stage", got, mean)
			}
		}
		w = mean
		if err := compare(fmt.Sprintf("stage %d", stage), l.w, w); err != nil {
			return err
		}
	}
	return ends(l, true)
}

// marginCase is PESG: descent in w, a and b and ascent in alpha >= 0 on the min-max loss of a
// batch. It has stages; each has a tenth of the step of the stage before.
type marginCase struct {
	step, margin, mu float64
	heads, tails     int
	stages, length   int
	clips, caps      bool // alpha reaches 0, and a step of a, b and alpha their closed forms
	set              []string
}

func (c marginCase) follow(t *testing.T, m Method) error {
	p := sample(t, 150)
	p.Lambda = 0.3
	task, x, d := p.task(), denseRows(p.X), p.X.Cols()
	n := begun(t, task, m)
	l := n.scheme.(*staged)
	l.begun, l.every = true, 0
	inner := l.batcher.(*margin)
	heads, tails := min(c.heads, len(task.positives)), min(c.tails, len(task.negatives))
	if len(l.rows) != heads+tails || l.Outer != c.stages || l.Length != c.length {
		return fmt.Errorf("batches of %d rows in %d stages of %d iterations", len(l.rows), l.Outer, l.Length)
	}
	w := slices.Clone(l.w)
	sigmoid := func(row uint32, v []float64) float64 { return 1 / (1 + math.Exp(-dot(x[row], v))) }
	mean := func(rows []uint32, v []float64) float64 {
		sum := 0.0
		for _, row := range rows {
			sum += sigmoid(row, v)
		}
		return sum / float64(len(rows))
	}
	a, b := mean(task.positives, w), mean(task.negatives, w)
	alpha := max(0, c.margin+b-a)
	rate, clips, caps := c.step, false, false
	var control run.Control
	for stage := range c.stages {
		v, sum := slices.Clone(w), make([]float64, d)
		for step := range c.length {
			l.Next(&control)
			positives, negatives := l.rows[:heads], l.rows[heads:]
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
				v[j] = (v[j] - rate*(g[j]-w[j]/c.mu)) / (1 + rate*(1/c.mu+p.Lambda))
				sum[j] += v[j] / float64(c.length)
			}
			share := min(1, 2*rate)
			caps = caps || 2*rate > 1
			a, b, alpha = a+share*(high-a), b+share*(low-b), alpha+share*(c.margin+low-high-alpha)
			if alpha < 0 {
				alpha, clips = 0, true
			}
			if !near(inner.a, a) || !near(inner.b, b) || !near(inner.alpha, alpha) {
				return fmt.Errorf("stage %d, step %d: a, b and alpha are %v, %v and %v, the listing has %v, %v and %v", stage, step, inner.a, inner.b, inner.alpha, a, b, alpha)
			}
			if c.length > 100 && step == 3 { // of a long stage the first steps
				return nil
			}
		}
		copy(w, sum)
		if err := compare(fmt.Sprintf("stage %d", stage), l.w, w); err != nil {
			return err
		}
		rate /= 10
	}
	if clips != c.clips || caps != c.caps {
		return fmt.Errorf("alpha reached 0: %v, a step its bound: %v", clips, caps)
	}
	return ends(n, true)
}

// TestIterationsFollowTheListings has every parameter off its default in some run, and all
// defaults in another.
func TestIterationsFollowTheListings(t *testing.T) {
	repeat.Once(t)
	t.Parallel()
	runs := blockRuns(t)
	for _, c := range []minibatchCase{
		{0, 0.4, 0, 1, 10, 3, 7, []string{"logistic=true", "step=0.4", "positives=1", "negatives=10", "stages=3", "length=7"}},
		{3, 0.4, 0.6, 3, 20, 3, 7, []string{"scale=3", "step=0.4", "positives=3", "negatives=20", "stages=3", "length=7"}},
		{3, 0.4, 0, 3, 20, 3, 7, []string{"scale=3", "step=0.4", "positives=3", "negatives=20", "stages=3", "length=7"}},
		{0, 0.4, 0.35, 100, 100, 2, 5, []string{"paper=true", "step=0.4", "length=5"}},
		{0, 0.4, 0, 100, 100, 2, 5, []string{"paper=true", "step=0.4", "length=5"}},
		{5, 10, 0, 100, 500, 2, 500, nil},
	} {
		runs = append(runs, solvetest.Listed[Method]{Solver: "mb-pauc", Set: c.set, Follows: func(m Method) error { return c.follow(t, m) }})
	}
	for _, c := range []marginCase{
		{0.3, 0.02, 2, 4, 9, 3, 12, true, false, []string{"stages=3", "length=12", "mu=2", "step=0.3", "margin=0.02", "positives=4", "negatives=9"}},
		{0.8, 0.5, 2, 4, 9, 2, 12, false, true, []string{"stages=2", "length=12", "mu=2", "step=0.8", "margin=0.5", "positives=4", "negatives=9"}},
		{3, 1, 1000, 100, 100, 2, 500, false, true, nil},
	} {
		runs = append(runs, solvetest.Listed[Method]{Solver: "auc-m", Set: c.set, Follows: func(m Method) error { return c.follow(t, m) }})
	}
	runs = append(runs, solvetest.Listed[Method]{Solver: "auc-m", Set: []string{"paper=true"}, Follows: func(m Method) error {
		// From w = 0, where all scores are equal, to the last point.
		p := sample(t, 150)
		_, area, err := metrics.PartialAUC(make([]float64, len(p.Y)), p.Y, nil, p.Low, p.High, p.MinTPR)
		if err != nil {
			return err
		}
		var trace solvers.Trace
		if solve(t, p, m, solvers.Settings{Seed: 1, MaxIterations: 3, Recorder: &trace}); math.Abs(trace[0].Objective-(1-area)) > 1e-12 {
			return fmt.Errorf("begins at %v, not at 0", trace[0].Objective)
		}
		return nil
	}})
	solvetest.EveryParameter(t, Solvers(), ByName, runs)
}
