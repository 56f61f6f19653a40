package properties

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/internal/testing/reference"
	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/solvers/erm"
	"github.com/lanes-go/lanes/sparse"
)

// instance is a random problem in both forms.
type instance struct {
	seed  uint64
	what  string
	exact *reference.Problem
	given *erm.Problem
}

// power returns 10 to a random power between -range and range.
func power(random *rand.Rand, span float64) float64 {
	return math.Pow(10, span*(2*random.Float64()-1))
}

// size draws a number of rows or columns: mostly small, as the reference is slow.
func size(random *rand.Rand, large bool) int {
	if large {
		return 1 + random.IntN(200)
	}
	return 1 + random.IntN(14)
}

// draw makes the problem of a seed, with any loss. Rows, columns and sample weights have any
// scale from 1e-12 to 1e12; some weights are 0. lambda is 1e-12 to 1e3 times the curvature.
func draw(t testing.TB, seed uint64) *instance {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 77))
	// One long side is quick for the reference unless both are.
	long := random.IntN(12)
	n, d := size(random, long == 0), size(random, false)
	if long == 1 && random.IntN(4) == 0 {
		d = 1 + random.IntN(60)
	}
	p := &reference.Problem{Loss: reference.Loss(seed % 4), Delta: 1}
	columns, rows := make([]float64, d), make([]float64, n)
	spread := []float64{0, 0, 2, 6, 12}
	columnSpan, rowSpan, weightSpan := spread[random.IntN(5)], spread[random.IntN(5)], spread[random.IntN(5)]
	for j := range columns {
		columns[j] = power(random, columnSpan)
	}
	for i := range rows {
		rows[i] = power(random, rowSpan)
	}
	if random.IntN(3) == 0 {
		p.Delta = power(random, 2)
	}
	density, weighted := 0.2+0.8*random.Float64(), random.IntN(2) == 0
	curvature := 0.0
	for i := range n {
		row, score := make([]float64, d), 0.5*random.NormFloat64()
		s := 1.0
		if weighted {
			if s = power(random, weightSpan); random.IntN(6) == 0 {
				s = 0
			}
			p.Weight = append(p.Weight, s)
		}
		for j := range row {
			if random.Float64() < density {
				v := random.NormFloat64()
				score += v / float64(1+j)
				row[j] = v * columns[j] * rows[i]
				curvature = math.FMA(s*row[j], row[j], curvature)
			}
		}
		p.Rows = append(p.Rows, row)
		if p.Loss == reference.Logistic || p.Loss == reference.SquaredHinge {
			score = math.Copysign(1, score)
		}
		p.Y = append(p.Y, score)
	}
	if p.Lambda = power(random, 3); random.IntN(3) > 0 && curvature > 0 {
		p.Lambda = curvature / float64(n) * math.Pow(10, 15*random.Float64()-12)
	}
	q := &erm.Problem{Loss: loss.Logistic{}, Y: p.Y, SampleWeight: p.Weight, Penalty: penalty.Ridge{Lambda: p.Lambda}}
	q.Loss = []loss.Loss{loss.Logistic{}, loss.Squared{}, loss.SquaredHinge{}, loss.Huber{Delta: p.Delta}}[p.Loss]
	begins, index, values := []int64{0}, []uint32(nil), []float64(nil)
	for _, row := range p.Rows {
		for j, v := range row {
			if v != 0 {
				index, values = append(index, uint32(j)), append(values, v)
			}
		}
		begins = append(begins, int64(len(index)))
	}
	var err error
	if q.X, err = sparse.NewCSR(d, begins, index, values); err != nil {
		t.Fatal(err)
	}
	what := fmt.Sprintf("seed %d: %v, %dx%d, columns 1e+-%g, rows 1e+-%g, weights %t 1e+-%g, lambda %.3g",
		seed, q.Loss, n, d, columnSpan, rowSpan, weighted, weightSpan, p.Lambda)
	return &instance{seed, what, p, q}
}
