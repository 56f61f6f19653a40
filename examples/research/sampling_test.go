package research

import (
	"context"
	"fmt"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/solvers/sampling"
	"github.com/lanes-go/lanes/sparse/synthetic"
)

// byNorm is the stochastic gradient method with rows drawn by their squared norms.
type byNorm struct{ step float64 }

func (b byNorm) String() string { return fmt.Sprintf("sgd-by-norm step=%v", b.step) }
func (b byNorm) Begin(p *erm.Problem, w []float64) (erm.Steps, error) {
	norms, sum := make([]float64, p.X.Rows()), 0.0
	for i := range norms {
		for _, x := range p.X.Row(i) {
			norms[i] += float64(x * x)
		}
		sum += norms[i]
	}
	alias, err := sampling.NewAlias(norms)
	return &drawn{b, p, alias, norms, sum, w, make([]float64, len(w)), make([]uint32, 1), []float64{0}}, err
}

type drawn struct {
	byNorm
	p     *erm.Problem
	alias *sampling.Alias
	norms []float64
	sum   float64
	w, g  []float64
	row   []uint32
	t     []float64
}

func (d *drawn) State() [][]float64 { return [][]float64{d.t} }

// Next: a row that is drawn with probability q counts 1/(n q) times; the penalty counts once.
func (d *drawn) Next(r *erm.Run) {
	d.row[0] = d.alias.Draw(r.Source())
	if r.Batch(d.g, d.w, d.row) != nil {
		return
	}
	d.t[0]++
	step := d.step / (1 + float64(d.step*d.p.Ridge()*d.t[0]))
	share := d.sum / d.norms[d.row[0]] / float64(len(d.norms))
	for j, w := range d.w {
		held := float64(d.p.Ridge() * w)
		d.w[j] -= float64(step * (held + float64(share*(d.g[j]-held))))
	}
}

// A program draws rows by a distribution of its own.
func Example_sampling() {
	data, err := synthetic.Shape{Name: "onehot", N: 2000, D: 50, Seed: 1}.Generate(nil)
	if err != nil {
		panic(err)
	}
	method, err := erm.Own(byNorm{0.5})
	if err != nil {
		panic(err)
	}
	p := &erm.Problem{X: data.X, Y: data.Y, Loss: loss.Logistic{}, Penalty: penalty.Ridge{Lambda: 0.01}}
	r, err := erm.Solve(context.Background(), p, method, solvers.Settings{GapTolerance: 1e-2, MaxEpochs: 100})
	if err != nil {
		panic(err)
	}
	fmt.Println(r.Status)
	// Output: converged
}
