// Package synthetic draws data sets of known shapes from planted models.
package synthetic

import (
	"github.com/lanes-go/lanes/internal/draw"
	"github.com/lanes-go/lanes/sparse"
)

// Shape describes a generated data set: which kind, how large, from which seed. It is safe for
// concurrent use.
type Shape struct {
	Name string // onehot, text, wide, dense or imbalanced
	N, D int    // rows and columns
	Seed uint64
}

// Generated is a data set drawn from a planted logistic model: row i is positive
// with probability sigmoid(x_i'Weights + Intercept). It is safe for concurrent reading.
type Generated struct {
	sparse.Data           // labels are -1 or +1
	Weights     []float64 // the planted model, one weight a column
	Intercept   float64   // 0 unless the shape asks for a share of positives
	// Loss is the mean logistic loss of the planted model on these labels:
	// about what the best fit reaches on fresh rows. A fit with few columns for
	// its rows ends a little below it, one with more columns than rows far below.
	Loss float64
}

// Shapes lists the names that ParseShape knows, each with one line about it.
func Shapes() [][2]string { return draw.Shapes() }

// ParseShape reads NAME[:n=..,d=..,seed=..]. Sizes that are not given take the
// shape's defaults, the seed takes the given one. Sizes may be written as 1e6.
func ParseShape(spec string, seed uint64) (Shape, error) {
	s, err := draw.ParseShape(spec, seed)
	return Shape(s), err
}

// Generate draws the data set, shared by the workers of p: the same bits on every
// architecture and for any number of workers. It costs O(n d) for dense and
// O(entries log(entries of a row) + d) for the other shapes.
func (s Shape) Generate(p *sparse.Pool) (*Generated, error) {
	g, err := draw.Shape(s).Generate(p)
	if err != nil {
		return nil, err
	}
	return &Generated{
		Data: sparse.Data{X: g.X, Y: g.Y}, Weights: g.Weights, Intercept: g.Intercept, Loss: g.Loss,
	}, nil
}
