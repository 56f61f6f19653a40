package ap

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/internal/testing/solvetest"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/internal/ranking"
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
		positives, negatives := ranking.Split(c.y)
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

// given are the parameters of a solver as its documentation has them.
type given struct {
	paper, hinge                                      bool
	margin, scale, final, step, beta, momentum, bound float64
	second, delta, low, high                          float64
	positives, negatives                              int
	iterations                                        float64
}

// parametersOf fills in the defaults of unset parameters, for the given numbers of positive and
// negative rows.
func parametersOf(t *testing.T, name string, set []string, positives, negatives int) given {
	t.Helper()
	value := map[string]float64{}
	for _, text := range set {
		key, number, _ := strings.Cut(text, "=")
		if number == "true" {
			number = "1"
		}
		v, err := strconv.ParseFloat(number, 64)
		if err != nil {
			t.Fatal(err)
		}
		value[key] = v
	}
	or := func(key string, usual float64) float64 {
		if v, is := value[key]; is {
			return v
		}
		return usual
	}
	paper := value["paper"] == 1
	in := func(ours, papers float64) float64 {
		if paper {
			return papers
		}
		return ours
	}
	all := name == "moap-v2" || strings.HasPrefix(name, "adap")
	g := given{
		paper: paper, hinge: paper || value["hinge"] == 1 || value["margin"] > 0,
		margin: or("margin", 1), second: or("second", 0.001), delta: or("delta", 1e-8), low: or("low", 1), high: or("high", 1000),
		positives: min(int(or("positives", in(64, 10))), positives), negatives: min(int(or("negatives", in(256, 10))), negatives),
		iterations: or("iterations", in(400, 500)),
		step:       or("step", map[string]float64{"soap": 2, "moap-v1": 2, "moap-v2": 2, "smoothap": 2, "soap-adam": 0.04, "soap-amsgrad": 0.02, "adap": 0.04, "adap-adagrad": 0.02, "adap-amsgrad": 0.02, "adap-adabound": 0.02}[name]),
	}
	g.scale = or("scale", 4)
	if name == "smoothap" {
		g.scale = or("scale", in(4, 100))
	}
	g.final = or("final-scale", g.scale)
	usual := in(0.3, 0.5)
	if all && !paper {
		usual *= float64(g.positives) / float64(positives)
	}
	g.beta = or("beta", usual)
	g.momentum = or("momentum", 0.1)
	if paper && !strings.HasPrefix(name, "soap-") {
		g.momentum = or("momentum", g.beta)
	}
	switch {
	case paper:
		g.bound = or("bound", (1+g.margin)*(1+g.margin))
	case g.hinge:
		g.bound = or("bound", math.Inf(1))
	default:
		g.bound = or("bound", 1)
	}
	return g
}

// listing is what the solvers do outside of the paper's setting; paperProgram is the listing of
// that setting. It has raw scores, the first estimates and gradients instead of zeros, and steps
// that decrease linearly. It computes every estimate and every weight in every iteration, from
// all pairs of a batch one by one. It shares the batches with the loop.
type listing struct {
	given
	name           string
	x              [][]float64
	y              []float64
	n, m           float64 // rows, positives
	lambda         float64
	constant       int // a weight that does not move, -1 for none
	u1, u2         map[uint32]float64
	w, mean, v     []float64
	top            []float64
	power1, power2 float64
	sharpness      float64   // the scale of an iteration
	sum            []float64 // of the iterates that enter the average
	count          float64
	// Where steps are lazy, columns take them when a batch has entries in them: last is that
	// iteration, move what that step moved the weight by, and pending counts the iterates since
	// that enter the average.
	lazy          bool
	last          []int
	move, pending []float64
}

// pair is the loss of a pair by the difference s_j - s_i, and its derivative.
func (p *listing) pair(difference float64) (loss, slope float64) {
	if p.hinge && p.name != "smoothap" {
		excess := max(0, difference+p.margin)
		return excess * excess, 2 * excess
	}
	q := 1 / (1 + math.Exp(-p.sharpness*difference))
	return q, p.sharpness * q * (1 - q)
}

func (p *listing) score(row uint32) (s float64, slope []float64) {
	slope = make([]float64, len(p.w))
	for j, v := range p.x[row] {
		s += v * p.w[j]
	}
	factor := 1.0
	if p.paper {
		s = 1 / (1 + math.Exp(-s))
		factor = s * (1 - s)
	}
	for j, v := range p.x[row] {
		slope[j] = factor * v
	}
	return s, slope
}

func (p *listing) iterate(t int, positives, negatives []uint32) {
	projects := !strings.HasPrefix(p.name, "soap") && p.name != "smoothap"
	all := projects && p.name != "moap-v1"
	size, others := float64(len(positives)), float64(len(negatives))
	p.sharpness = p.scale + (p.final-p.scale)*float64(t-1)/(p.iterations-1)
	rate, decrease := p.step*(1-0.9*float64(t-1)/p.iterations), 1.0
	if p.paper {
		rate = p.step
		if projects {
			decrease = 1 / math.Sqrt(float64(t))
			rate *= decrease
		}
	}
	beta, momentum := p.beta*decrease, p.momentum*decrease

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
		if projects || !p.paper {
			p.u2[i] = max(p.u2[i], least)
		}
	}
	for i, y := range p.y {
		row := uint32(i)
		e, sampled := estimates[row]
		_, known := p.u1[row]
		switch {
		case y < 0 || !sampled && (!all || !known && !p.paper):
			continue
		case sampled && (p.name == "smoothap" || !known && !p.paper):
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
	first := t == 1 && !p.paper
	if p.power1 == 0 {
		p.power1, p.power2 = 1, 1
	}
	p.power1, p.power2 = p.power1*(1-momentum), p.power2*(1-p.second)
	touched := make([]bool, len(p.w))
	for _, row := range slices.Concat(positives, negatives) {
		for j, v := range p.x[row] {
			touched[j] = touched[j] || v != 0
		}
	}
	for j := range p.w {
		if j == p.constant {
			continue
		}
		before := p.w[j]
		if p.lazy && !touched[j] {
			p.miss(j, t)
			continue
		}
		if p.lazy { // the regulariser of the iterations missed
			g[j] += p.lambda * float64(t-1-p.last[j]) * before
			p.sum[j] += p.pending[j] * before
			p.pending[j] = 0
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
		case "adap-amsgrad", "soap-amsgrad":
			p.w[j] -= rate * p.mean[j] / (math.Sqrt(p.top[j]) + p.delta)
		case "adap-adabound":
			p.w[j] -= rate * p.mean[j] / (math.Sqrt(min(max(p.v[j], 1/(p.high*p.high)), 1/(p.low*p.low))) + p.delta)
		default:
			mean, v := p.mean[j], p.v[j]
			if p.name == "soap-adam" || p.name == "adap" && !p.paper {
				mean, v = mean/(1-p.power1), v/(1-p.power2)
			}
			p.w[j] -= rate * mean / (math.Sqrt(v) + p.delta)
		}
		if p.lazy {
			p.last[j], p.move[j] = t, p.w[j]-before
		}
	}
	if 2*t >= int(p.iterations) && t%4 == 0 && t > 4*(int(p.iterations)/8) && !p.paper {
		p.count++
		for j, v := range p.w {
			if p.lazy {
				p.pending[j]++
			} else {
				p.sum[j] += v
			}
		}
	}
}

// miss has a column without entries in iteration t go on: its moments shrink, and so does the
// last move, by the momentum.
func (p *listing) miss(j, t int) {
	if p.last[j] == 0 {
		return
	}
	p.mean[j] *= 1 - p.momentum
	if p.move[j] *= 1 - p.momentum; p.name == "soap" || p.name == "smoothap" {
		p.move[j] = 0
	}
	if p.name == "adap-adagrad" {
		p.v[j] *= float64(t) / float64(t+1)
	} else {
		p.v[j] *= 1 - p.second
	}
	p.w[j] += p.move[j]
}

// current is the mean of every fourth iterate of the second half, before there is one the
// last iterate; in the paper's setting it is that always.
func (p *listing) current() []float64 {
	mean := slices.Clone(p.w)
	for j := range mean {
		if p.count > 0 && j != p.constant {
			mean[j] = (p.sum[j] + p.pending[j]*p.w[j]) / p.count
		}
	}
	return mean
}

// fewColumns are rows that have entries in few of many columns, the columns of which take
// their steps when a batch touches them.
func fewColumns(t *testing.T) *Problem {
	t.Helper()
	const columns = 460
	random := rand.New(rand.NewPCG(8, 1))
	begins, index, values := []int64{0}, []uint32(nil), []float64(nil)
	p := &Problem{Lambda: 0.05}
	for i := range 30 {
		y := float64(1 - 2*min(1, i%4))
		j := uint32(random.IntN(columns / 2))
		index = append(index, j, j+1+uint32(random.IntN(columns/2-1)))
		values = append(values, random.NormFloat64()+y, random.NormFloat64())
		begins, p.Y = append(begins, int64(len(index))), append(p.Y, y)
	}
	x, err := sparse.NewCSR(columns, begins, index, values)
	if err != nil {
		t.Fatal(err)
	}
	p.X = x.WithBias(1)
	return p
}

// follows compares steps of a solver with steps of its listing, with such parameters, and
// what the run stands at with the listing's average.
func follows(t *testing.T, problem *Problem, name string, set []string, steps int, lazily bool) func(Method) error {
	rows, d := problem.X.Rows(), problem.X.Cols()
	x := denseRows(problem.X)
	positives, negatives := ranking.Split(problem.Y)
	return func(method Method) error {
		want := &listing{
			given: parametersOf(t, name, set, len(positives), len(negatives)), name: name, x: x, y: problem.Y,
			n: float64(rows), m: float64(len(positives)), lambda: problem.Lambda, constant: -1,
			u1: map[uint32]float64{}, u2: map[uint32]float64{},
			w: make([]float64, d), mean: make([]float64, d), v: make([]float64, d), top: make([]float64, d), sum: make([]float64, d),
			last: make([]int, d), move: make([]float64, d), pending: make([]float64, d), lazy: lazily,
		}
		l, err := newLoop(problem, score.Linear{X: problem.X}, d, nil, method.plan(true), 3)
		if err != nil {
			return err
		}
		l.begun, l.looks = true, 1
		if _, is := l.columns.(*lazy); is != lazily {
			return fmt.Errorf("lazy steps: %v", is)
		}
		if !want.paper && problem.X.Bias() != 0 {
			want.constant = d - 1
		}
		for j := range want.w {
			want.w[j] = 0.3 * math.Sin(float64(j))
			l.w[j] = want.w[j]
		}
		var c run.Control
		for step := 1; step <= min(steps, int(want.iterations)); step++ {
			l.Next(&c)
			if len(l.chosen) != want.positives || len(l.batch.rows) != want.positives+want.negatives {
				return fmt.Errorf("batches of %d positives of %d rows, not of %d of %d", len(l.chosen), len(l.batch.rows), want.positives, want.positives+want.negatives)
			}
			want.iterate(step, l.batch.rows[:want.positives], l.batch.rows[want.positives:])
			if err := differ(l.w, want.w); err != nil && !lazily {
				return fmt.Errorf("iteration %d: %w", step, err)
			}
		}
		stands := make([]float64, d)
		if l.Current(stands); want.iterations <= float64(steps) {
			if l.Next(&c); !c.Ended() {
				return fmt.Errorf("goes on after %v iterations", want.iterations)
			}
		}
		return differ(stands, want.current())
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

// differ compares vectors to 1e-10 of the largest element.
func differ(got, want []float64) error {
	most := 0.0
	for _, v := range want {
		most = max(most, math.Abs(v))
	}
	for j, v := range want {
		if !(math.Abs(got[j]-v) <= 1e-10*most) {
			return fmt.Errorf("weight %d is %v, the listing has %v", j, got[j], v)
		}
	}
	return nil
}

// TestIterationsFollowTheListings has every parameter off its default in some run, and all
// defaults in another.
func TestIterationsFollowTheListings(t *testing.T) {
	t.Parallel()
	problem := sample(t, 200)
	problem.X, problem.Lambda = problem.X.WithBias(1), 0.01
	many, wide := sample(t, 900), fewColumns(t)
	fixed := []string{"positives=3", "negatives=7", "iterations=40", "dense=true"}
	var runs []solvetest.Listed[Method]
	for _, d := range Solvers() {
		has := func(text string) bool {
			key, _, _ := strings.Cut(text, "=")
			return slices.ContainsFunc(d.Parameters, func(p solvers.Parameter) bool { return p.Name == key })
		}
		add := func(p *Problem, steps int, lazily bool, set ...string) {
			set = slices.DeleteFunc(set, func(text string) bool { return !has(text) })
			runs = append(runs, solvetest.Listed[Method]{Solver: d.Name, Set: set, Follows: follows(t, p, d.Name, set, steps, lazily)})
		}
		for _, more := range [][]string{
			nil, {"paper=true"}, {"paper=true", "bound=0.2"}, {"paper=true", "beta=0.8", "margin=0.3", "step=0.1"}, {"paper=true", "momentum=0.3", "second=0.02"},
			{"hinge=true"}, {"hinge=true", "bound=0.2", "beta=0.4"}, {"margin=0.6", "momentum=0.25"}, {"scale=2", "final-scale=9"},
			{"step=0.007", "beta=0.45", "momentum=0.35", "second=0.03", "delta=0.02", "low=50", "high=60"},
		} {
			add(problem, 50, false, append(more, fixed...)...)
		}
		add(many, 2, false)
		add(wide, 6, false, "positives=2", "negatives=1", "iterations=6", "dense=true")
		add(wide, 17, true, "positives=2", "negatives=1", "iterations=20")
		add(wide, 20, true, "positives=2", "negatives=1", "iterations=20", "momentum=0.3", "second=0.04", "delta=0.01")
	}
	var drawn []string // TestPaperDraws has these
	for _, d := range Solvers() {
		drawn = append(drawn, d.Name+"/uniform", d.Name+"/random")
	}
	solvetest.EveryParameter(t, Solvers(), ByName, runs, drawn...)
}
