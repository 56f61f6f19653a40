package erm

import (
	"testing"

	"github.com/lanes-go/lanes/loss"
	"github.com/lanes-go/lanes/penalty"
	"github.com/lanes-go/lanes/sparse"
)

// TestGramCost: of rows without indices a matrix of second derivatives costs more passes than of rows with
// them. It costs no more where its factor lasts: of a sample, and of a loss with the same curvature everywhere.
func TestGramCost(t *testing.T) {
	const n, d = 700, 90
	rows := func(hole bool) *sparse.Matrix {
		x := &sparse.Dense{Rows: n, Columns: d, RowStride: d, ColumnStride: 1, Float64: make([]float64, n*d)}
		for k := range x.Float64 {
			x.Float64[k] = 1 / float64(k+3)
		}
		if hole {
			x.Float64[5] = 0
		}
		m, err := sparse.NewDense(nil, x)
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	of := func(x *sparse.Matrix, l loss.Loss) *inMemory {
		return newInMemory(newObjective(&Problem{X: x, Y: make([]float64, n), Loss: l, Penalty: penalty.Ridge{Lambda: 1}}, nil, nil))
	}
	for _, l := range []loss.Loss{loss.Poisson{}, loss.Squared{}} {
		full, part, sparse := of(rows(false), l), of(rows(false), l), of(rows(true), l)
		part.lasting = true
		a, b, c := full.gramCost(), part.gramCost(), sparse.gramCost()
		if dear := a > 2*b; dear != (l != loss.Loss(loss.Squared{})) || !(b > 0.9*c && b < 1.1*c) {
			t.Errorf("%v: %v passes over full rows, %v of a sample, %v over others", l, a, b, c)
		}
	}
}
