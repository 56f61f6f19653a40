package compositional_test

import (
	"context"
	"fmt"

	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/returns"
	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/compositional"
)

// deviation is a composition of one's own: numbers t_1 .. t_n are fitted by x plus the
// average of offsets o_1 .. o_m that only a simulator knows,
//
//	f_i(y) = (y - t_i)^2 / 2,   g_j(x) = x + o_j,
//
// so the best x is the mean of t less the mean of o. All sizes but n and m are 1.
type deviation struct{ targets, offsets []float64 }

func (p deviation) Shape() compositional.Shape {
	return compositional.Shape{Outer: len(p.targets), Inner: len(p.offsets), Between: 1, Columns: 1}
}

func (p deviation) AddInner(dst []float64, scale float64, sample []uint32, x []float64) {
	for _, j := range list(sample, len(p.offsets)) {
		dst[0] += scale * (x[0] + p.offsets[j])
	}
}

func (p deviation) AddJacobian(dst []float64, scale float64, sample []uint32, x, u []float64) {
	dst[0] += scale * float64(len(list(sample, len(p.offsets)))) * u[0]
}

func (p deviation) AddOuter(dst []float64, scale float64, sample []uint32, y []float64) {
	for _, i := range list(sample, len(p.targets)) {
		dst[0] += scale * (y[0] - p.targets[i])
	}
}

func (p deviation) SumOuter(sample []uint32, y []float64) float64 {
	sum := 0.0
	for _, i := range list(sample, len(p.targets)) {
		sum += (y[0] - p.targets[i]) * (y[0] - p.targets[i]) / 2
	}
	return sum
}

func (p deviation) Identity() string { return fmt.Sprint(p.targets, p.offsets) }

// list returns the sample, or all n numbers for nil.
func list(sample []uint32, n int) []uint32 {
	if sample == nil {
		for i := range n {
			sample = append(sample, uint32(i))
		}
	}
	return sample
}

func Example_ownProblem() {
	problem := &compositional.Problem{
		F: deviation{targets: []float64{4, 5, 9}, offsets: []float64{1, -1, 3, 1}},
		R: penalty.Box{Low: -10, High: 10},
	}
	result, err := compositional.Solve(context.Background(), problem, compositional.SCVRG{}, solvers.Settings{
		MaxEpochs: 10000, GapTolerance: 1e-6,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s, x = %.4f\n", result.Status, result.Weights[0])
	// Output: converged, x = 5.0000
}

func ExamplePortfolio() {
	table, err := returns.Market{Periods: 2000, Assets: 10, Seed: 1}.Generate()
	if err != nil {
		fmt.Println(err)
		return
	}
	portfolio, err := compositional.NewPortfolio(table.Values, table.Periods, len(table.Assets), 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	problem := &compositional.Problem{F: portfolio, R: penalty.L1Box{Lambda: 0.02, Low: -1, High: 1}}
	result, err := compositional.Solve(context.Background(), problem, compositional.SCVRG{}, solvers.Settings{
		MaxEpochs: 500, GapTolerance: 1e-6,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	active := 0
	for _, w := range result.Weights {
		if w != 0 {
			active++
		}
	}
	fmt.Println(result.Status, active, "of", len(result.Weights), "assets")
	// Output: converged 8 of 10 assets
}
