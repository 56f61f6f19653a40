package pauc

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/sparse"
)

// listing is the paper's algorithms 1 to 4 as they are printed, on dense vectors and
// from all pairs one by one. It shares the batches with the loop under test.
type listing struct {
	*task
	plan
	x [][]float64
	w []float64
	// lambda holds the thresholds for the ranks m and n.
	lambda [2]map[uint32]float64
}

// score returns the score of a row.
func (p *listing) score(row uint32, v []float64) float64 {
	s := 0.0
	for j, x := range p.x[row] {
		s += x * v[j]
	}
	return s
}

// loss is that of a pair by s_j - s_i, with its derivative.
func (p *listing) loss(z float64) (value, slope float64) {
	if scale := p.plan.loss.scale; scale > 0 {
		v := 1 / (1 + math.Exp(-scale*z))
		return v, scale * v * (1 - v)
	}
	return math.Log1p(math.Exp(z)), 1 / (1 + math.Exp(-z))
}

// ranked returns the negatives by falling score.
func (p *listing) ranked(v []float64) []uint32 {
	order := slices.Clone(p.negatives)
	slices.SortStableFunc(order, func(a, b uint32) int {
		switch x, y := p.score(a, v), p.score(b, v); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return order
}

// threshold sets the thresholds of f^l to the losses at rank l.
func (p *listing) threshold(k, l int) {
	p.lambda[k] = map[uint32]float64{}
	at := p.score(p.ranked(p.w)[l-1], p.w)
	for _, i := range p.positives {
		p.lambda[k][i], _ = p.loss(at - p.score(i, p.w))
	}
}

// gradient of f^m at w.
func (p *listing) gradient() []float64 {
	g := make([]float64, len(p.w))
	for _, i := range p.positives {
		for _, j := range p.ranked(p.w)[:p.m] {
			_, slope := p.loss(p.score(j, p.w) - p.score(i, p.w))
			for k := range g {
				g[k] += slope * (p.x[j][k] - p.x[i][k]) / float64(len(p.positives)*len(p.negatives))
			}
		}
	}
	return g
}

// inner does one iteration for f^l(v) - xi'v + weight/2 ||v||^2 + 1/(2 mu) ||v-w||^2,
// the last one where mu is positive: a step on the sampled pairs above their
// thresholds, proximal in the quadratic terms.
func (p *listing) inner(v []float64, rows []uint32, np, l int, lambda map[uint32]float64, xi []float64, weight, mu, rate float64) {
	positives, negatives := rows[:np], rows[np:]
	pairs := float64(len(positives) * len(negatives))
	g := make([]float64, len(v))
	for _, i := range positives {
		number := 0.0
		for _, j := range negatives {
			loss, slope := p.loss(p.score(j, v) - p.score(i, v))
			if loss > lambda[i] {
				number++
				for k := range g {
					g[k] += slope * (p.x[j][k] - p.x[i][k]) / pairs
				}
			}
		}
		lambda[i] -= rate * p.Threshold * (float64(l)/float64(len(p.negatives)) - number/float64(len(negatives)))
	}
	near := 0.0
	if mu > 0 {
		near = 1 / mu
	}
	for k := range v {
		v[k] = (v[k] + rate*(xi[k]-g[k]+near*p.w[k])) / (1 + rate*(weight+near))
	}
}

func TestIterationsFollowTheListings(t *testing.T) {
	small := []string{"outer=3", "length=5", "?mu=0.7", "inner=0.4", "threshold=0.05", "positives=4", "negatives=9"}
	for _, set := range [][]string{{"agd-sbcd", "step=2"}, {"agd-sbcd", "logistic=true"}, {"agd-sbcd", "paper=true", "constant=true"}, {"dca"}, {"prox-dca"}} {
		m := named(t, set[0], append(set[1:], small...)...)
		name := fmt.Sprint(set)
		p := sample(t, 150)
		p.Lambda = 0.3
		l := begun(t, p.task(), m)
		task := p.task()
		want := &listing{task: task, plan: m.plan(task), w: randomWeights(p.X.Cols()), x: denseRows(p.X)}
		if task.m == 0 {
			t.Fatal("the range begins at rank 0")
		}
		want.threshold(0, task.m)
		want.threshold(1, task.n)
		d := p.X.Cols()
		b, point := l, func() []float64 { return l.w }
		if a, is := l.scheme.(*agd); is {
			point = func() []float64 { return a.proximal }
		}
		b.common.begun = true
		var c engine.Control
		zero := make([]float64, d)
		for outer := range 3 {
			length, rate := 5*(outer+1)*(outer+1), 0.4/float64(outer+1)
			if want.Constant {
				length, rate = 5, 0.4
			}
			// loop does the inner iterations for f^l, and returns the mean and the last iterate.
			loop := func(k, rank int, xi []float64, weight, mu float64) (mean, v []float64) {
				mean, v = make([]float64, d), slices.Clone(want.w)
				average := map[uint32]float64{}
				for range length {
					for j := range v {
						mean[j] += v[j] / float64(length)
					}
					for i, lambda := range want.lambda[k] {
						average[i] += lambda / float64(length)
					}
					l.Next(&c)
					want.inner(v, b.rows, 4, rank, want.lambda[k], xi, weight, mu, rate)
				}
				if m.Name() == "agd-sbcd" {
					want.lambda[k] = average
				}
				return mean, v
			}
			result := want.w
			if m.Name() == "agd-sbcd" {
				first, _ := loop(0, task.m, zero, 0, 0.7)
				second, _ := loop(1, task.n, zero, task.regulariser, 0.7)
				result = second
				for j := range want.w {
					want.w[j] -= want.step * (first[j] - second[j])
				}
				if want.plan.loss.scale > 0 {
					want.threshold(0, task.m)
					want.threshold(1, task.n)
				}
			} else {
				mu := 0.0
				if m.Name() == "prox-dca" {
					mu = 0.7
				}
				_, last := loop(1, task.n, want.gradient(), task.regulariser, mu)
				copy(want.w, last)
			}
			for j := range result {
				if got := point()[j]; !(math.Abs(got-result[j]) <= 1e-9) || !(math.Abs(b.w[j]-want.w[j]) <= 1e-9) {
					t.Fatalf("%s, outer iteration %d: weight %d is %v and w %v, the listing has %v and %v", name, outer, j, got, b.w[j], result[j], want.w[j])
				}
			}
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
