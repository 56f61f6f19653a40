package ap

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/internal/engine"
	"github.com/lanes-go/lanes/solvers/score"
	"github.com/lanes-go/lanes/sparse"
)

// TestPerfectNeedsAStrictOrder: a positive that ties with a negative is not above it.
func TestPerfectNeedsAStrictOrder(t *testing.T) {
	x, err := sparse.NewCSR(1, []int64{0, 1, 2, 3, 4}, []uint32{0, 0, 0, 0}, []float64{3, 2, 2, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		y    []float64
		w    float64
		want bool
	}{
		{[]float64{1, -1, -1, -1}, 1, true}, {[]float64{1, 1, 1, -1}, 1, true}, {[]float64{-1, -1, -1, 1}, -1, true},
		{[]float64{1, 1, -1, -1}, 1, false}, {[]float64{1, -1, -1, -1}, 0, false}, {[]float64{-1, -1, -1, 1}, 1, false},
	} {
		p := &Problem{X: x, Y: c.y}
		model := score.Linear{X: x}
		positives, negatives := score.Split(c.y)
		plan := SOAP{}.plan(true)
		o, err := newObjective(p, model, nil, &plan, positives, negatives)
		if err != nil {
			t.Fatal(err)
		}
		if got := o.perfect([]float64{c.w}); got != c.want {
			t.Errorf("labels %v, weight %v: perfect is %v", c.y, c.w, got)
		}
	}
}

// listing is what the solvers do outside of the paper's setting, of which paperProgram is the
// listing: raw scores, the first estimates and gradients in the place of zeros, steps that
// decrease linearly. Every estimate and every weight is there in every iteration, from all
// pairs of a batch one by one; it shares the batches and the parameters with the loop.
type listing struct {
	plan
	name           string
	low, high      float64 // of AdaBound
	x              [][]float64
	y              []float64
	n, m           float64 // rows, positives
	lambda         float64
	constant       int // a weight that does not move, -1 for none
	u1, u2         map[uint32]float64
	w, mean, v     []float64
	top            []float64
	power1, power2 float64
}

// pair is the loss of a pair by the difference s_j - s_i, and its derivative.
func (p *listing) pair(difference float64) (loss, slope float64) {
	if (p.Hinge || p.Paper) && p.name != "smoothap" {
		excess := max(0, difference+p.Margin)
		return excess * excess, 2 * excess
	}
	q := 1 / (1 + math.Exp(-p.Scale*difference))
	return q, p.Scale * q * (1 - q)
}

func (p *listing) score(row uint32) (s float64, slope []float64) {
	slope = make([]float64, len(p.w))
	for j, v := range p.x[row] {
		s += v * p.w[j]
	}
	factor := 1.0
	if p.Paper {
		s = 1 / (1 + math.Exp(-s))
		factor = s * (1 - s)
	}
	for j, v := range p.x[row] {
		slope[j] = factor * v
	}
	return s, slope
}

func (p *listing) iterate(t int, positives, negatives []uint32) {
	projects := p.name != "soap" && p.name != "soap-adam" && p.name != "smoothap"
	all := projects && p.name != "moap-v1"
	size, others := float64(len(positives)), float64(len(negatives))
	rate, decrease := p.Step*(1-0.9*float64(t-1)/float64(p.Iterations)), 1.0
	if p.Paper {
		rate = p.Step
		if projects {
			decrease = 1 / math.Sqrt(float64(t))
			rate *= decrease
		}
	}
	beta, momentum := p.Beta*decrease, p.momentum*decrease

	// g1 and g2 of the sampled positives, with their gradients.
	type estimate struct {
		value [2]float64
		grad  [2][]float64
	}
	self, _ := p.pair(0)
	ownShare, share, otherShare := 1/p.n, (p.m-1)/(p.n*(size-1)), (p.n-p.m)/(p.n*others)
	least := self / p.n
	if p.name == "smoothap" {
		self, ownShare, share, otherShare, least = 1, 1, 1, 1, 1
	}
	estimates := map[uint32]estimate{}
	for _, i := range positives {
		si, di := p.score(i)
		e := estimate{grad: [2][]float64{make([]float64, len(p.w)), make([]float64, len(p.w))}}
		e.value = [2]float64{ownShare * self, ownShare * self}
		add := func(j uint32, share float64, parts ...int) {
			sj, dj := p.score(j)
			loss, slope := p.pair(sj - si)
			for _, part := range parts {
				e.value[part] += share * loss
				for k := range p.w {
					e.grad[part][k] += share * slope * (dj[k] - di[k])
				}
			}
		}
		for _, j := range positives {
			if j != i {
				add(j, share, 0, 1)
			}
		}
		for _, j := range negatives {
			add(j, otherShare, 1)
		}
		estimates[i] = e
	}

	// The running estimates: of all rows, or of the sampled ones.
	gain := 1.0
	if all {
		gain = p.m / size
	}
	project := func(i uint32) {
		if projects {
			p.u1[i], p.u2[i] = min(p.u1[i], p.bound*p.m/p.n), min(p.u2[i], p.bound)
		}
		if projects || !p.Paper {
			p.u2[i] = max(p.u2[i], least)
		}
	}
	for i, y := range p.y {
		row := uint32(i)
		e, sampled := estimates[row]
		_, known := p.u1[row]
		switch {
		case y < 0 || !sampled && (!all || !known && !p.Paper):
			continue
		case sampled && (p.name == "smoothap" || !known && !p.Paper):
			p.u1[row], p.u2[row] = e.value[0], e.value[1]
		default:
			p.u1[row] = (1-beta)*p.u1[row] + beta*gain*e.value[0]
			p.u2[row] = (1-beta)*p.u2[row] + beta*gain*e.value[1]
		}
		project(row)
	}

	g := make([]float64, len(p.w))
	for i, e := range estimates {
		for j := range g {
			g[j] += (-e.grad[0][j]/p.u2[i] + p.u1[i]/(p.u2[i]*p.u2[i])*e.grad[1][j]) / size
		}
	}
	for j := range g {
		g[j] += p.lambda * p.w[j]
	}
	first := t == 1 && !p.Paper
	if p.power1 == 0 {
		p.power1, p.power2 = 1, 1
	}
	p.power1, p.power2 = p.power1*(1-momentum), p.power2*(1-p.second)
	for j := range p.w {
		if j == p.constant {
			continue
		}
		mix := func(old *float64, value, share float64) {
			if first && p.name != "soap-adam" && p.name != "adap" {
				share = 1
			}
			*old = (1-share)*(*old) + share*value
		}
		mix(&p.mean[j], g[j], momentum)
		second := p.second
		if p.name == "adap-adagrad" {
			second = 1 / float64(t+1)
		}
		mix(&p.v[j], g[j]*g[j], second)
		p.top[j] = max(p.top[j], p.v[j])
		switch p.name {
		case "soap", "smoothap":
			p.w[j] -= rate * g[j]
		case "moap-v1", "moap-v2":
			p.w[j] -= rate * p.mean[j]
		case "adap-amsgrad":
			p.w[j] -= rate * p.mean[j] / (math.Sqrt(p.top[j]) + p.delta)
		case "adap-adabound":
			p.w[j] -= rate * p.mean[j] / (math.Sqrt(min(max(p.v[j], 1/(p.high*p.high)), 1/(p.low*p.low))) + p.delta)
		default:
			mean, v := p.mean[j], p.v[j]
			if p.name == "soap-adam" || p.name == "adap" && !p.Paper {
				mean, v = mean/(1-p.power1), v/(1-p.power2)
			}
			p.w[j] -= rate * mean / (math.Sqrt(v) + p.delta)
		}
	}
}

func TestIterationsFollowTheListings(t *testing.T) {
	problem := sample(t, 200)
	problem.X, problem.Lambda = problem.X.WithBias(1), 0.01
	var methods []Method
	fixed := []string{"positives=3", "negatives=7", "iterations=40", "dense=true"}
	for _, d := range Names() {
		set := fixed
		if d.Name == "smoothap" {
			set = append(slices.Clone(fixed), "scale=3")
		}
		for _, more := range [][]string{nil, {"paper=true"}, {"paper=true", "?bound=0.2"}, {"?hinge=true"}, {"?hinge=true", "?bound=0.2", "?beta=0.4"}} {
			methods = append(methods, named(t, d.Name, append(more, set...)...))
		}
	}
	rows, d := problem.X.Rows(), problem.X.Cols()
	x := make([][]float64, rows)
	for i := range x {
		x[i] = make([]float64, d)
		for j, v := range problem.X.Row(i) {
			x[i][j] = v
		}
	}
	for _, method := range methods {
		name := fmt.Sprintf("%s %+v", method.Name(), method)
		l, err := newLoop(problem, score.Linear{X: problem.X}, d, nil, method.plan(true), 3)
		if err != nil {
			t.Fatal(err)
		}
		l.begun, l.looks = true, 1
		want := &listing{
			plan: l.plan, name: method.Name(), low: 1, high: 1000, x: x, y: problem.Y, n: float64(rows), m: float64(len(l.positives)), lambda: problem.Lambda, constant: -1,
			u1: map[uint32]float64{}, u2: map[uint32]float64{},
			w: make([]float64, d), mean: make([]float64, d), v: make([]float64, d), top: make([]float64, d),
		}
		if !l.Paper {
			want.constant = d - 1
		}
		for j := range want.w {
			want.w[j] = 0.3 * math.Sin(float64(j))
			l.w[j] = want.w[j]
		}
		var c engine.Control
		for step := 1; step < 40; step++ {
			l.Next(&c)
			want.iterate(step, l.batch.rows[:3], l.batch.rows[3:])
			most := 0.0
			for _, v := range want.w {
				most = max(most, math.Abs(v))
			}
			for j, v := range want.w {
				if !(math.Abs(l.w[j]-v) <= 1e-10*most) {
					t.Fatalf("%s, iteration %d: weight %d is %v, the listing has %v", name, step, j, l.w[j], v)
				}
			}
		}
	}
}
