package properties

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/lanes-go/lanes/internal/bigmath"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/auto"
	"github.com/lanes-go/lanes/solvers/elasticnet"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/related"
	"github.com/lanes-go/lanes/solvers/softmax"
	"github.com/lanes-go/lanes/sparse"
)

// offsets makes the problem of a seed. Columns have offsets of up to 1e15, and duplicate rows
// have labels of their own. Weights are 1e-6 to 1e6, targets up to 1e15, and lambda is down to
// 1e-300. Some problems have more rows than a block of 4096 or 1024.
func offsets(t *testing.T, seed uint64) *erm.Problem {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 24))
	n, d := 4+r.IntN(9), 1+r.IntN(4)
	if seed%5 == 4 {
		n = 1030 + r.IntN(100)
	}
	losses := []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: power(r, 1)}}
	p := &erm.Problem{Loss: losses[seed%4], Penalty: penalty.Ridge{Lambda: []float64{1, 1e-3, 1e-9, 1e-300}[r.IntN(4)]}}
	scale := []float64{1, 1, 1e8, 1e15}[r.IntN(4)]
	offset, noise := make([]float64, d), make([]float64, d)
	for j := range offset {
		offset[j] = math.Pow(10, 15*r.Float64())
		noise[j] = power(r, 3)
	}
	weighted := r.IntN(2) == 0
	begins, columns, values := []int64{0}, []uint32(nil), []float64(nil)
	for i := range n {
		copied := i > 0 && r.IntN(4) == 0
		for j := range d {
			switch {
			case copied:
				columns, values = append(columns, uint32(j)), append(values, values[len(values)-d])
			default:
				columns, values = append(columns, uint32(j)), append(values, offset[j]+noise[j]*r.NormFloat64())
			}
		}
		begins = append(begins, int64(len(values)))
		y := r.NormFloat64()
		if p.Loss == (loss.Logistic{}) || p.Loss == (loss.SquaredHinge{}) {
			y = math.Copysign(1, y)
		} else {
			y *= scale
		}
		p.Y = append(p.Y, y)
		if weighted {
			p.SampleWeight = append(p.SampleWeight, power(r, 6))
		}
	}
	p.X = rows(t, d, begins, columns, values)
	return p
}

// exactBits is enough for sums of products of 1e15 and weights of 1e30 to be exact.
const exactBits = 320

func exactOf(x float64) *big.Float { return bigmath.Of(exactBits, x) }

// exactMargins are x_i'w.
func exactMargins(x *sparse.Matrix, w []float64) []*big.Float {
	z := make([]*big.Float, x.Rows())
	for i := range z {
		z[i] = exactOf(0)
		for j, v := range x.Row(i) {
			z[i].Add(z[i], exactOf(0).Mul(exactOf(v), exactOf(w[j])))
		}
	}
	return z
}

// exactObjective is P at w by its definition, plus l1 times the absolute values of the penalised
// weights.
func exactObjective(p *erm.Problem, w []float64, l1 float64) *big.Float {
	sum := exactOf(0)
	for i, z := range exactMargins(p.X, w) {
		y, half := exactOf(p.Y[i]), exactOf(0.5)
		residual := exactOf(0).Sub(z, y)
		phi := exactOf(0)
		switch p.Loss.String() {
		case "logistic":
			phi = bigmath.Softplus(z.Mul(z, y).Neg(z))
		case "squared", "huber":
			delta := exactOf(p.Loss.Parameter())
			if size := exactOf(0).Abs(residual); p.Loss.String() == "huber" && size.Cmp(delta) > 0 {
				phi.Mul(delta, size.Sub(size, half.Mul(half, delta)))
			} else {
				phi.Mul(half, phi.Mul(residual, residual))
			}
		case "squared-hinge":
			if m := exactOf(1); m.Sub(m, z.Mul(z, y)).Sign() > 0 {
				phi.Mul(half, phi.Mul(m, m))
			}
		}
		if p.SampleWeight != nil {
			phi.Mul(phi, exactOf(p.SampleWeight[i]))
		}
		sum.Add(sum, phi)
	}
	sum.Quo(sum, exactOf(float64(len(p.Y))))
	return sum.Add(sum, exactNorms(w[:len(w)-p.Free()], l1, p.Ridge()))
}

// exactNorms is l1 ||w||_1 + (lambda/2) ||w||^2.
func exactNorms(w []float64, l1, lambda float64) *big.Float {
	sizes, squares := exactOf(0), exactOf(0)
	for _, v := range w {
		sizes.Add(sizes, exactOf(math.Abs(v)))
		squares.Add(squares, exactOf(0).Mul(exactOf(v), exactOf(v)))
	}
	squares.Mul(squares, exactOf(lambda)).Mul(squares, exactOf(0.5))
	return squares.Add(squares, sizes.Mul(sizes, exactOf(l1)))
}

// exactSoftmax is the objective of package softmax at w.
func exactSoftmax(p *softmax.Problem, w []float64) *big.Float {
	d := p.X.Cols()
	var z [][]*big.Float
	for k := range p.Count {
		z = append(z, exactMargins(p.X, w[k*d:(k+1)*d]))
	}
	sum := exactOf(0)
	for i, own := range p.Class {
		most := z[0][i]
		for k := range z {
			if z[k][i].Cmp(most) > 0 {
				most = z[k][i]
			}
		}
		total := exactOf(0)
		for k := range z {
			total.Add(total, bigmath.Exp(exactOf(0).Sub(z[k][i], most)))
		}
		phi := bigmath.Log(total)
		phi.Add(phi, exactOf(0).Sub(most, z[own][i]))
		if p.SampleWeight != nil {
			phi.Mul(phi, exactOf(p.SampleWeight[i]))
		}
		sum.Add(sum, phi)
	}
	sum.Quo(sum, exactOf(float64(len(p.Class))))
	var held []float64
	for j, v := range w {
		if !p.Intercept || j%d != d-1 {
			held = append(held, v)
		}
	}
	return sum.Add(sum, exactNorms(held, 0, p.Lambda))
}

// ended is a result with the objective of its weights.
type ended struct {
	name  string
	r     *solvers.Result
	exact *big.Float
}

// TestObjectives: the objective that a run reports is P of the weights that it returns, within
// the error that it reports; that error moves no more than the gap allows, nor any of the first
// seven digits; and no solver finds less than that objective minus error and gap.
func TestObjectives(t *testing.T) {
	t.Parallel()
	list := all(t)
	delete(list, "softmax-newton") // below, with the weights as they are returned
	delete(list, "softmax-proximal-newton")
	delete(list, "one-vs-rest")
	for seed := range uint64(drawn(20, 4)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			p := offsets(t, seed)
			for _, target := range []float64{1e-6, 1e-12} {
				s := solvers.Settings{GapTolerance: target, MaxEpochs: 40, Workers: 2}
				if p.X.Rows() > 1000 {
					if s.MaxEpochs = 4; target == 1e-12 {
						break // the exact objectives take their time
					}
				}
				var got []ended
				for name, solve := range list {
					r, err := solve(context.Background(), p, s)
					if err == nil && r != nil { // else refused
						got = append(got, ended{name, r, exactObjective(p, r.Weights, 0)})
					}
				}
				if r := onFile(t, p, s); r != nil {
					got = append(got, ended{"stream", r, exactObjective(p, r.Weights, 0)})
				}
				requireObjectives(t, s, got)
				requireObjectives(t, s, netsOf(t, p, s))
				classesOf(t, p, s)
			}
		})
	}
}

func requireObjectives(t *testing.T, s solvers.Settings, got []ended) {
	t.Helper()
	for _, e := range got {
		r := e.r
		exact, _ := e.exact.Float64()
		if math.IsInf(exact, 0) || math.IsNaN(r.Objective) {
			t.Errorf("%s: objective %v, by its definition %v", e.name, r.Objective, exact)
			continue
		}
		off, _ := exactOf(0).Sub(exactOf(r.Objective), e.exact).Float64()
		if !(math.Abs(off) <= r.ObjectiveError) {
			t.Errorf("%s: objective %v is off by %.3g, with the error %.3g (%v, gap %.3g)", e.name, r.Objective, off, r.ObjectiveError, r.Status, r.Gap)
		}
		if most := min(1e-7*exact, max(r.Gap, s.GapTolerance)); r.ObjectiveError > max(most, 1e-13*exact, 1e-20) {
			t.Errorf("%s: the objective %v has the error %.3g, the gap is %.3g (%v)", e.name, r.Objective, r.ObjectiveError, r.Gap, r.Status)
		}
		for _, other := range got {
			less, _ := exactOf(0).Sub(e.exact, other.exact).Float64()
			if less > r.Gap*(1+1e-9) {
				t.Errorf("%s: the gap is %.3g, %s ends %.3g below", e.name, r.Gap, other.name, less)
			}
		}
	}
}

// netsOf solves p as elastic nets with an intercept: by itself, and on a path.
func netsOf(t *testing.T, p *erm.Problem, s solvers.Settings) []ended {
	t.Helper()
	const l1 = 1e-4
	var got []ended
	if p.X.Bias() != 0 {
		return nil
	}
	posed := *p
	posed.X, posed.Intercept = p.X.WithBias(1), true
	p = &posed
	alone, err := elasticnet.Solve(context.Background(), p.With(penalty.ElasticNet{L1: l1, L2: p.Ridge()}), nil, s)
	if err == nil {
		got = append(got, ended{"elastic net", alone, exactObjective(p, alone.Weights, l1)})
	}
	path, err := elasticnet.NewPath(p.With(p.Penalty), nil)
	if err != nil {
		return got // refused
	}
	for _, weight := range []float64{10 * l1, l1} {
		r, err := path.Solve(context.Background(), penalty.ElasticNet{L1: weight, L2: p.Ridge()}, s)
		if err == nil && weight == l1 {
			got = append(got, ended{"path of elastic nets", r, exactObjective(p, r.Weights, l1)})
		}
	}
	return got
}

// onFile solves p with its rows in a file, nil where they have weights.
func onFile(t *testing.T, p *erm.Problem, s solvers.Settings) *solvers.Result {
	t.Helper()
	if p.SampleWeight != nil {
		return nil
	}
	path := filepath.Join(t.TempDir(), "rows")
	if err := sparse.WriteCacheFile(path, &sparse.Data{X: p.X, Y: p.Y}); err != nil {
		t.Fatal(err)
	}
	stream, err := sparse.OpenStream(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	q := &erm.Streamed{Rows: stream, Problem: erm.Problem{Loss: p.Loss, Penalty: p.Penalty}}
	if p.Loss == (loss.Logistic{}) || p.Loss == (loss.SquaredHinge{}) {
		q.Labels = &sparse.LabelMap{Positive: 1, Negative: -1}
	}
	s.Shards = 4
	r, err := erm.SolveStreamed(context.Background(), q, erm.Newton{}, s)
	if err != nil {
		return nil
	}
	return r
}

// classesOf deals the rows of p into three classes, each against the rest, together or not,
// and as a softmax.
func classesOf(t *testing.T, p *erm.Problem, s solvers.Settings) {
	t.Helper()
	if p.Loss != (loss.Logistic{}) {
		return
	}
	q := &softmax.Problem{X: p.X, Count: 3, Lambda: p.Ridge(), SampleWeight: p.SampleWeight}
	for i := range p.Y {
		q.Class = append(q.Class, uint32(i*i%3+i%2)%3)
	}
	for _, free := range []bool{false, true} {
		own := *q
		if own.Intercept = free; free {
			own.X = p.X.WithBias(1)
		}
		if r, err := softmax.Solve(context.Background(), &own, softmax.Newton{}, s); err == nil {
			requireObjectives(t, s, []ended{{fmt.Sprintf("softmax, intercepts %v", free), r, exactSoftmax(&own, r.Weights)}})
		}
		own.Lambda, own.Penalty = 0, penalty.ElasticNet{L1: 0, L2: q.Lambda}
		if r, err := softmax.SolveSparse(context.Background(), &own, softmax.ProximalNewton{}, s); err == nil {
			own.Lambda = q.Lambda
			requireObjectives(t, s, []ended{{fmt.Sprintf("softmax beside norms, intercepts %v", free), r, exactSoftmax(&own, r.Weights)}})
		}
	}
	for _, together := range []bool{false, true} {
		c := &related.Classes{Problem: erm.Problem{X: p.X, Loss: p.Loss, Penalty: p.Penalty}, Class: q.Class, Count: q.Count, Together: together}
		fits, err := related.OneVsRest(context.Background(), c, related.Run{Solve: auto.Solve, Settings: s})
		if err != nil {
			continue
		}
		for k, r := range fits {
			one := *p
			one.Y, one.SampleWeight = nil, nil
			for _, class := range q.Class {
				one.Y = append(one.Y, 2*float64(1-min(1, (int(class)-k)*(int(class)-k)))-1)
			}
			requireObjectives(t, s, []ended{{fmt.Sprintf("class %d, together %v", k, together), r, exactObjective(&one, r.Weights, 0)}})
		}
	}
}
