package research

import (
	"context"
	"fmt"

	"github.com/lanes-go/lanes/solvers"
	"github.com/lanes-go/lanes/solvers/ap"
	"github.com/lanes-go/lanes/sparse"
)

// square is the score u'x + (v'x)^2 of the rows of a matrix, with the parameters w = (u, v).
type square struct{ x *sparse.Matrix }

func (m square) Parameters() int { return 2 * m.x.Cols() }

// parts returns u'x and v'x of a row.
func (m square) parts(row int, w []float64) (a, b float64) {
	for j, x := range m.x.Row(row) {
		a += float64(w[j] * x)
		b += float64(w[m.x.Cols()+j] * x)
	}
	return a, b
}

func (m square) Scores(dst []float64, rows []uint32, w []float64) error {
	for k, row := range rows {
		a, b := m.parts(int(row), w)
		dst[k] = a + float64(b*b)
	}
	return nil
}

// AddGradient: the slope of the score is x in u, and 2 (v'x) x in v.
func (m square) AddGradient(g []float64, rows []uint32, c, w []float64) error {
	for k, row := range rows {
		_, b := m.parts(int(row), w)
		for j, x := range m.x.Row(int(row)) {
			g[j] += float64(c[k] * x)
			g[m.x.Cols()+j] += float64(float64(2*c[k]*b) * x)
		}
	}
	return nil
}

func (m square) All(_ *sparse.Pool, dst, w []float64) error {
	for row := range dst {
		a, b := m.parts(row, w)
		dst[row] = a + float64(b*b)
	}
	return nil
}

// A program ranks by a score that lanes does not have: the positive rows lie on both sides of 0.
func Example_score() {
	b := sparse.NewBuilder(sparse.BuilderOptions{})
	var y []float64
	for i := range 400 {
		x := float64(i%21-10) / 10
		if err := b.AddRow([]int{0, 1}, []float64{x, float64(i%7) / 7}); err != nil {
			panic(err)
		}
		if y = append(y, -1); x < -0.75 || x > 0.75 {
			y[i] = 1
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	r, err := ap.Solve(context.Background(), &ap.Problem{X: x, Y: y, Lambda: 1e-5, Model: square{x}}, ap.ADAP{}, solvers.Settings{Initial: []float64{0, 0, 0.1, 0.1}})
	if err != nil {
		panic(err)
	}
	fmt.Printf("average precision above 0.99: %t\n", 1-r.Objective > 0.99)
	// Output: average precision above 0.99: true
}
