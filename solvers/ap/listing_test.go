package ap

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/solvers/score"
)

// paperProgram is section 3 of the paper with the setting of section 4.1, as it is printed:
// sums over all rows in g and U, every row of U in every iteration, one pair after the other,
// lambda ||w||^2. It knows nothing of the solvers but the places of the rows that they drew,
// the positives first.
type paperProgram struct {
	name            string
	x               [][]float64 // the m positives, then the others
	m               int
	eta, beta       float64 // of iteration 1
	lambda, gamma   float64
	beta1, betaV    float64 // the shares of SOAP (Adam) and SOAP (AMSGrad), and beta' of (13)
	delta, low, top float64 // c_l and c_u
	tau             float64 // SmoothAP's temperature

	w, mean, v, vPrime, squares []float64
	u                           [][2]float64
	s                           []float64   // s_w(x_i)
	ds                          [][]float64 // and its gradient
}

func sigmoid(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

func (p *paperProgram) scores() {
	p.s, p.ds = make([]float64, len(p.x)), make([][]float64, len(p.x))
	for i, x := range p.x {
		for k, v := range x {
			p.s[i] += p.w[k] * v
		}
		p.s[i] = sigmoid(p.s[i])
		p.ds[i] = make([]float64, len(p.w))
		for k, v := range x {
			p.ds[i][k] = p.s[i] * (1 - p.s[i]) * v
		}
	}
}

// loss is l(w; x_j, x_i), with its gradient.
func (p *paperProgram) loss(j, i int) (value float64, gradient []float64) {
	difference := p.s[j] - p.s[i]
	excess := max(0, difference+p.gamma)
	slope := 2 * excess
	value = excess * excess
	if p.name == "smoothap" {
		value = sigmoid(difference / p.tau)
		slope = value * (1 - value) / p.tau
	}
	gradient = make([]float64, len(p.w))
	for k := range gradient {
		gradient[k] = slope * (p.ds[j][k] - p.ds[i][k])
	}
	return value, gradient
}

// estimate returns g~_i and its gradient: the loss of i itself, which is known, and the weighted
// loss of the rows drawn from either class.
func (p *paperProgram) estimate(i int, batch []int) (g [2]float64, gradient [2][]float64) {
	gradient = [2][]float64{make([]float64, len(p.w)), make([]float64, len(p.w))}
	own, _ := p.loss(i, i)
	g = [2]float64{own, own}
	positives := 0
	for _, j := range batch {
		if j < p.m {
			positives++
		}
	}
	for _, j := range batch {
		value, slope := p.loss(j, i)
		share := float64(len(p.x)-p.m) / float64(len(batch)-positives)
		switch {
		case j == i:
			continue
		case j < p.m:
			share = float64(p.m-1) / float64(positives-1)
		}
		for c := range 2 {
			if c == 0 && j >= p.m { // I(y_j = 1)
				continue
			}
			g[c] += share * value
			for k := range p.w {
				gradient[c][k] += share * slope[k]
			}
		}
	}
	return g, gradient
}

// project is the projection onto Omega.
func (p *paperProgram) project(u [2]float64) [2]float64 {
	n, m := float64(len(p.x)), float64(p.m)
	most := (1 + p.gamma) * (1 + p.gamma) // of scores in (0, 1)
	c := p.gamma * p.gamma                // l(w; x_i, x_i)
	return [2]float64{min(u[0], most*m), min(max(u[1], c), most*n)}
}

func (p *paperProgram) iterate(t int, batch []int) {
	p.scores()
	positives := batch[:0:0]
	for _, j := range batch {
		if j < p.m {
			positives = append(positives, j)
		}
	}
	b, m := float64(len(positives)), float64(p.m)
	eta, beta := p.eta, p.beta
	soap := strings.HasPrefix(p.name, "soap")
	if !soap && p.name != "smoothap" { // section 4.1
		eta, beta = eta/math.Sqrt(float64(t)), beta/math.Sqrt(float64(t))
	}
	if p.name == "smoothap" {
		p.descend(eta, p.smoothAP(batch, positives))
		return
	}

	// Line 5, or the second of (5).
	gradients := map[int][2][]float64{}
	for i := range p.u {
		if !slices.Contains(positives, i) {
			if !soap && p.name != "moap-v1" {
				p.u[i] = p.project([2]float64{(1 - beta) * p.u[i][0], (1 - beta) * p.u[i][1]})
			}
			continue
		}
		g, gradient := p.estimate(i, batch)
		gradients[i] = gradient
		if !soap && p.name != "moap-v1" {
			g[0], g[1] = m/b*g[0], m/b*g[1]
		}
		for c := range 2 {
			p.u[i][c] = (1-beta)*p.u[i][c] + beta*g[c]
		}
		if !soap {
			p.u[i] = p.project(p.u[i])
		}
	}
	// Line 6, and the gradient of the regulariser.
	nabla := make([]float64, len(p.w))
	for _, i := range positives {
		f1, f2 := -1/p.u[i][1], p.u[i][0]/(p.u[i][1]*p.u[i][1])
		for k := range nabla {
			nabla[k] += (gradients[i][0][k]*f1 + gradients[i][1][k]*f2) / b
		}
	}
	for k := range nabla {
		nabla[k] += 2 * p.lambda * p.w[k]
	}
	if p.name == "soap" {
		p.descend(eta, nabla)
		return
	}
	if p.name == "soap-adam" { // Adam, with its constants
		first, second := 1-math.Pow(1-p.beta1, float64(t)), 1-math.Pow(1-p.betaV, float64(t))
		for k, g := range nabla {
			p.mean[k] = (1-p.beta1)*p.mean[k] + p.beta1*g
			p.v[k] = (1-p.betaV)*p.v[k] + p.betaV*g*g
			p.w[k] -= eta * (p.mean[k] / first) / (math.Sqrt(p.v[k]/second) + p.delta)
		}
		return
	}
	share := beta
	if p.name == "soap-amsgrad" {
		share = p.beta1
	}
	for k, g := range nabla {
		p.mean[k] = (1-share)*p.mean[k] + share*g // line 7
		p.vPrime[k] = (1-p.betaV)*p.vPrime[k] + p.betaV*g*g
		p.squares[k] += g * g
		switch p.name { // line 8: (13)
		case "adap":
			p.v[k] = p.vPrime[k]
		case "adap-adagrad":
			p.v[k] = p.squares[k] / float64(t+1)
		case "adap-amsgrad", "soap-amsgrad":
			p.v[k] = max(p.v[k], p.vPrime[k])
		case "adap-adabound":
			p.v[k] = min(max(p.vPrime[k], 1/(p.top*p.top)), 1/(p.low*p.low))
		}
	}
	if p.name == "moap-v1" || p.name == "moap-v2" { // line 8 of algorithms 1 and 2
		p.descend(eta, p.mean)
		return
	}
	for k := range p.w { // line 9
		p.w[k] -= eta / (math.Sqrt(p.v[k]) + p.delta) * p.mean[k]
	}
}

func (p *paperProgram) descend(eta float64, g []float64) {
	for k := range p.w {
		p.w[k] -= eta * g[k]
	}
}

// smoothAP is the gradient of minus the average precision of a batch whose comparisons are
// sigmoids. A positive's comparison with itself counts 1 (Brown et al. 2020).
func (p *paperProgram) smoothAP(batch, positives []int) []float64 {
	nabla := make([]float64, len(p.w))
	for _, i := range positives {
		above, all := 1.0, 1.0
		da, db := make([]float64, len(p.w)), make([]float64, len(p.w))
		for _, j := range batch {
			if j == i {
				continue
			}
			value, slope := p.loss(j, i)
			all += value
			for k := range db {
				db[k] += slope[k]
			}
			if j < p.m {
				above += value
				for k := range da {
					da[k] += slope[k]
				}
			}
		}
		for k := range nabla {
			nabla[k] -= (da[k]/all - above/(all*all)*db[k]) / float64(len(positives))
		}
	}
	for k := range nabla {
		nabla[k] += 2 * p.lambda * p.w[k]
	}
	return nabla
}

// TestIterationsFollowThePaper lays all solvers beside the paper's programs, for batches of
// several sizes: one positive alone, some rows, and all of them.
func TestIterationsFollowThePaper(t *testing.T) {
	problem := sample(t, 200)
	rows, d := problem.X.Rows(), problem.X.Cols()
	var order []int // positives first
	place := map[uint32]int{}
	for _, sign := range []float64{1, -1} {
		for i, y := range problem.Y {
			if y == sign {
				place[uint32(i)] = len(order)
				order = append(order, i)
			}
		}
	}
	m := 0
	x := make([][]float64, rows)
	for k, i := range order {
		x[k] = make([]float64, d)
		for j, v := range problem.X.Row(i) {
			x[k][j] = v
		}
		if problem.Y[i] > 0 {
			m++
		}
	}
	const lambda, second, delta, low, high = 0.005, 0.05, 1e-3, 30.0, 60.0
	for _, description := range Solvers() {
		for _, sizes := range [][2]int{{2, 1}, {3, 9}, {rows, rows}} {
			// With a large margin U meets its upper bounds, with a small one its lower one.
			for beta, margin := range map[float64]float64{0.9: 0.5, 0.1: 0.05} {
				const step = 0.05
				set := []string{
					"paper=true", "iterations=25", fmt.Sprintf("positives=%d", sizes[0]), fmt.Sprintf("negatives=%d", sizes[1]),
					fmt.Sprintf("?beta=%v", beta), fmt.Sprintf("?margin=%v", margin), fmt.Sprintf("step=%v", step),
					fmt.Sprintf("?second=%v", second), fmt.Sprintf("?delta=%v", delta), fmt.Sprintf("?low=%v", low), fmt.Sprintf("?high=%v", high),
				}
				method := named(t, description.Name, set...)
				own := *problem
				own.Lambda = 2 * lambda
				l, err := newLoop(&own, score.Linear{X: own.X}, d, nil, method.plan(true), 3)
				if err != nil {
					t.Fatal(err)
				}
				l.begun, l.looks = true, 1
				p := &paperProgram{
					name: description.Name, x: x, m: m, eta: step, beta: beta, lambda: lambda, gamma: margin,
					beta1: 0.1, betaV: second, delta: delta, low: low, top: high, tau: 0.01,
					w: make([]float64, d), mean: make([]float64, d), v: make([]float64, d), vPrime: make([]float64, d), squares: make([]float64, d),
					u: make([][2]float64, m),
				}
				for j := range p.w {
					p.w[j] = 3 * math.Sin(float64(j))
				}
				copy(l.w, p.w)
				var c run.Control
				last := 14
				if sizes[0] == rows {
					last = 4
				}
				for step := 1; step <= last; step++ {
					l.Next(&c)
					var batch []int
					for _, row := range l.batch.rows {
						batch = append(batch, place[row])
					}
					p.iterate(step, batch)
					most := 0.0
					for _, v := range p.w {
						most = max(most, math.Abs(v))
					}
					for j, v := range p.w {
						if !(math.Abs(l.w[j]-v) <= 1e-10*most) {
							t.Fatalf("%s, batches %v, beta %v, iteration %d: weight %d is %v, the paper has %v", description.Name, sizes, beta, step, j, l.w[j], v)
						}
					}
				}
			}
		}
	}
}
