package elasticnet

import (
	"math"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/internal/matrix"
	"github.com/lanes-go/lanes/internal/run"
	"github.com/lanes-go/lanes/kernels"
)

const (
	// softLive is how many times the curvature of the losses the penalty's may be for a column to belong
	// to the system. Beyond it the weight stays near 0, whatever others do.
	softLive = 100
	// softForcing is the share of the residual that a solution leaves. softProducts bounds the products,
	// lastProducts those of the last steps.
	softForcing, softProducts, lastProducts = 0.1, 300, 3000
)

// softSystem is the linear system of a soft step, on the columns whose weights move.
type softSystem struct {
	columns               []uint32 // of all weights
	x                     direct.Matrix
	slope, bend, diagonal []float64
	held                  []bool
	metric                *clusters
	products              int // so far
}

// newSoftSystem poses the system of a model.
func (l *loop) newSoftSystem(m *softModel) *softSystem {
	s := &softSystem{x: l.x}
	for j, v := range m.curvature {
		bend := 0.0
		if j < l.d {
			bend = m.bend[j]
		}
		if v > 0 && bend <= float64(softLive*v) && v+bend > 0 {
			s.columns = append(s.columns, uint32(j))
		}
	}
	s.x.Matrix = direct.Value(matrix.PickBeside(l.x.Matrix, l.pool, s.columns))
	size := len(s.columns)
	s.slope, s.bend, s.diagonal, s.held = make([]float64, size), make([]float64, size), make([]float64, size), make([]bool, size)
	for a, j := range s.columns {
		if int(j) < l.d {
			s.bend[a] = m.bend[j]
		}
		s.slope[a], s.diagonal[a] = m.slope[j], m.curvature[j]+s.bend[a]
	}
	var heavy *heavy
	if l.soft.heavy {
		heavy = newHeavy(s.x, l.h, s.diagonal)
	}
	s.metric = newClusters(s.x.Matrix, l.h, s.diagonal, heavy)
	return s
}

// times computes the product of the system's matrix with v.
func (l *loop) times(s *softSystem, to, v []float64) {
	clear(to)
	s.x.AddHessian(to, l.step, l.work, v, l.h)
	for a, bend := range s.bend {
		to[a] = math.FMA(bend, v[a], to[a])
	}
	s.products++
}

// most returns the largest residual of the columns that are not held.
func (s *softSystem) most(residual []float64) float64 {
	most := 0.0
	for a, v := range residual {
		if !s.held[a] {
			most = max(most, math.Abs(v))
		}
	}
	return most
}

// solveSoft moves a step towards the solution for the columns that are not held, until the residual is a
// share of the slope. Where enough is above 0, the largest residual must also be at most enough, or such
// a share of the largest slope. It tells whether the run is over, and returns no solution then.
//
// The method is conjugate residuals. Conjugate gradients take many times as many products: columns that
// depend on one another make the matrix singular, and each one's residual grows before it falls. Source:
// Fong and Saunders 2012, "CG versus MINRES: an empirical comparison".
func (l *loop) solveSoft(c *run.Control, s *softSystem, by []float64, enough float64) (over bool) {
	size := len(by)
	residual, scaled, turned := make([]float64, size), make([]float64, size), make([]float64, size)
	direction, product := make([]float64, size), make([]float64, size)
	s.metric.hold(s.diagonal, s.held)
	direct.Scale(residual, -1, s.slope)
	s.metric.solve(scaled, residual)
	square, limit := direct.Dot(residual, scaled), s.products+softProducts
	least := float64(softForcing * softForcing * square)
	if enough > 0 {
		enough, limit = max(enough, float64(softForcing*s.most(residual))), s.products+lastProducts
	}
	if kernels.MaxAbs(by) > 0 {
		l.times(s, product, by)
		direct.Axpy(-1, product, residual)
		s.metric.solve(scaled, residual)
		square = direct.Dot(residual, scaled)
	}
	copy(direction, scaled)
	l.times(s, product, direction)
	curvature := direct.Dot(scaled, product)
	for s.products < limit && (square > least || enough > 0 && s.most(residual) > enough) && curvature > 0 {
		if c.Over() {
			return true
		}
		s.metric.solve(turned, product)
		t := curvature / direct.Dot(product, turned)
		direct.Axpy(t, direction, by)
		direct.Axpy(-t, product, residual)
		direct.Axpy(-t, turned, scaled)
		square = direct.Dot(residual, scaled)
		l.times(s, turned, scaled)
		next := direct.Dot(scaled, turned)
		direct.ScaleAdd(direction, next/curvature, direction, 1, scaled)
		direct.ScaleAdd(product, next/curvature, product, 1, turned)
		curvature = next
	}
	return false
}
