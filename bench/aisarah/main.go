// Command aisarah repeats the comparison of the AI-SARAH paper on the data sets
// at hand: AI-SARAH, with nothing tuned, against SARAH, SARAH+, SVRG, Adam and
// SGD with momentum as the paper tuned them (tables 5 and 6), within the paper's
// budgets (table 4), on its preparation of the data: rows of unit length, a
// constant feature, lambda = 1/n or 0, batches of 64.
//
//	cd bench && go run ./aisarah -data ../../shared/data -out ../out
//
// It prints ||grad P(w)||^2 where the budget is spent, with P(w) and the seconds it
// took, medians over seeds, and draws how the gradient falls. Without the data sets it runs on generated ones, with steps
// of 1/L for the tuned solvers.
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// experiment is one data set with or without the regulariser.
type experiment struct {
	set         string
	regularised bool
	passes      float64
	p           *erm.Problem
	methods     []contestant
}

type contestant struct {
	label  string
	method erm.Method
}

// setting is a row of tables 4, 5 and 6. Decays are in percent a pass.
type setting struct {
	set                  string
	regularised          bool
	passes               float64
	adam, adamDecay      float64
	sgd, sgdDecay        float64
	sarah                float64
	sarahInner           int
	sarahPlus, plusGamma float64
	svrg                 float64
	svrgInner            int
}

var paperSettings = []setting{
	{"a1a", true, 30, 0.7, 15, 4.214, 15, 2.758, 50, 2.758, 1. / 32, 2.758, 50},
	{"a1a", false, 40, 1.642, 15, 6.785, 1, 2.763, 50, 2.763, 1. / 32, 2.763, 50},
	{"ijcnn1", true, 20, 0.07, 15, 0.4, 15, 3.153, 1015, 3.503, 1. / 32, 3.503, 1562},
	{"ijcnn1", false, 20, 0.1, 15, 0.58, 15, 3.153, 1015, 3.503, 1. / 32, 3.503, 1562},
	{"w8a", true, 30, 0.034, 15, 2.285, 15, 2.187, 543, 3.645, 1. / 32, 3.645, 1554},
	{"w8a", false, 40, 0.16, 10, 10, 5, 2.552, 543, 3.645, 1. / 32, 3.645, 1554},
}

// substitutes are generated in place of absent data sets.
var substitutes = map[string]sparse.Shape{
	"a1a":    {Name: "onehot", N: 1605, D: 119, Seed: 1},
	"ijcnn1": {Name: "dense", N: 49990, D: 22, Seed: 1},
	"w8a":    {Name: "imbalanced", N: 49749, D: 300, Seed: 1},
}

func main() {
	data := flag.String("data", "../../shared/data", "folder of the data sets a1a.xz, ijcnn1.xz and w8a.xz")
	out := flag.String("out", "../out", "folder for the plots")
	seeds := flag.Int("seeds", 5, "runs of each solver, each from its own random start")
	flag.Parse()
	if err := run(*data, *out, *seeds); err != nil {
		fmt.Fprintln(os.Stderr, "aisarah:", err)
		os.Exit(1)
	}
}

func run(data, out string, seeds int) error {
	if seeds < 1 {
		return fmt.Errorf("%d seeds; there must be one at least", seeds)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	tables := []*table{
		{title: "||grad P(w)||^2 where the budget is spent", format: "%.2e", value: func(c curve) float64 { return c.final }},
		{title: "P(w) there", format: "%.8f", value: func(c curve) float64 { return c.objective }},
		{title: "seconds it took", format: "%.3f", value: func(c curve) float64 { return c.seconds }},
	}
	for _, s := range paperSettings {
		e, err := prepare(data, s)
		if err != nil {
			return err
		}
		curves := make([]curve, len(e.methods))
		for k, c := range e.methods {
			if curves[k], err = e.race(c, seeds); err != nil {
				return fmt.Errorf("%s on %s: %w", c.label, e.set, err)
			}
		}
		for _, t := range tables {
			t.add(e, curves)
		}
		if err := e.draw(filepath.Join(out, e.file()), curves); err != nil {
			return err
		}
	}
	for _, t := range tables {
		t.print(os.Stdout)
		fmt.Println()
	}
	fmt.Printf("plots: %s\n", filepath.Join(out, "aisarah-*.png"))
	return nil
}

// prepare reads or generates a data set and lines up the solvers.
func prepare(folder string, s setting) (*experiment, error) {
	e := &experiment{set: s.set, regularised: s.regularised, passes: s.passes}
	x, y, err := load(folder, s.set)
	if os.IsNotExist(err) {
		var g *sparse.Generated
		shape := substitutes[s.set]
		if g, err = shape.Generate(nil); err == nil {
			x, y = g.X, g.Y
			e.set = fmt.Sprintf("%s (generated, for %s)", shape.Name, s.set)
		}
	}
	if err != nil {
		return nil, err
	}
	if e.p, err = erm.Paper(x, y); err != nil {
		return nil, err
	}
	if !s.regularised {
		e.p.Lambda = 0
	}
	if e.set != s.set {
		l, err := erm.Smoothness(e.p, 0)
		if err != nil {
			return nil, err
		}
		s.sarah, s.sarahPlus, s.svrg = 1/l, 1/l, 1/l
	}
	e.methods = []contestant{
		{"AI-SARAH", erm.AISARAH{}},
		{"AI-SARAH as printed", erm.AISARAH{Paper: true}},
		{"SARAH", erm.SARAH{Step: s.sarah, Inner: s.sarahInner}},
		{"SARAH+", erm.SARAHPlus{Step: s.sarahPlus, Gamma: s.plusGamma}},
		{"SVRG", erm.SVRG{Step: s.svrg, Inner: s.svrgInner}},
		{"Adam", erm.Adam{Step: s.adam, Decay: s.adamDecay / 100}},
		{"SGD momentum", erm.SGD{Step: s.sgd, Decay: s.sgdDecay / 100}},
	}
	return e, nil
}

func load(folder, set string) (*sparse.Matrix, []float64, error) {
	read, err := sparse.ReadFile(filepath.Join(folder, set+".xz"), sparse.ReadOptions{})
	if err != nil {
		return nil, nil, err
	}
	y, _, err := sparse.BinaryLabels(read.Y, nil)
	return read.X, y, err
}

// curve is what the seeds of one solver came to.
type curve struct {
	label     string
	passes    []float64
	square    []float64 // median of ||grad P||^2 at each
	final     float64   // median where the budget is spent
	objective float64   // likewise
	seconds   float64   // median
}

const recordEvery = 0.5 // passes

// race runs one solver from every seed's own starting point, uniform between
// -1/sqrt(d) and 1/sqrt(d) in each weight as in the paper.
func (e *experiment) race(c contestant, seeds int) (curve, error) {
	out := curve{label: c.label}
	steps := int(e.passes / recordEvery)
	squares := make([][]float64, steps+1)
	var finals, objectives, seconds []float64
	for seed := range seeds {
		random := rand.New(rand.NewPCG(uint64(seed), 7))
		start := make([]float64, e.p.X.Cols())
		reach := 1 / math.Sqrt(float64(len(start)))
		for j := range start {
			start[j] = (2*random.Float64() - 1) * reach
		}
		var trace solvers.Trace
		result, err := erm.Solve(context.Background(), e.p, c.method, solvers.Settings{
			MaxPasses: e.passes, Seed: uint64(seed), Initial: start, Recorder: &trace, RecordEvery: recordEvery,
		})
		if err != nil {
			return out, err
		}
		at := 0
		for k := range squares {
			for at+1 < len(trace) && trace[at+1].Passes <= float64(k)*recordEvery {
				at++
			}
			squares[k] = append(squares[k], trace[at].GradientNorm*trace[at].GradientNorm)
		}
		last := trace[len(trace)-1]
		finals = append(finals, last.GradientNorm*last.GradientNorm)
		objectives = append(objectives, last.Objective)
		seconds = append(seconds, result.Total.Seconds)
	}
	for k, s := range squares {
		if passes := float64(k) * recordEvery; passes >= 1 {
			out.passes = append(out.passes, passes)
			out.square = append(out.square, median(s))
		}
	}
	out.final, out.objective, out.seconds = median(finals), median(objectives), median(seconds)
	return out, nil
}

func median(v []float64) float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}
