package compositional

import (
	"fmt"
	"math"

	"github.com/lanes-go/lanes/internal/base/random"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// probes is the number of full gradients that estimate a smoothness constant, scatters
// the number of points at which samples are compared.
const (
	probes   = 24
	scatters = 12
)

// smoothness returns the Lipschitz constant of grad F, and the number of full gradients
// that it took: 0 if the composition knows the constant. Otherwise it follows differences
// of gradients around x, as the power method does, and adds a tenth for its error.
func (o *objective) smoothness(x []float64) (l float64, passes int) {
	if s, ok := o.p.F.(Smooth); ok {
		return s.Smoothness(), 0
	}
	at, base, direction := make([]float64, len(x)), make([]float64, len(x)), make([]float64, len(x))
	randomDirection(direction, random.New(uint64(len(x))))
	o.gradient(x)
	copy(base, o.v)
	reach := nearby(x)
	for range probes - 1 {
		norm := direct.Norm(direction)
		if !(norm > 0) {
			break
		}
		copy(at, x)
		direct.Axpy(reach/norm, direction, at)
		o.gradient(at)
		direct.ScaleAdd(direction, 1/reach, o.v, -1/reach, base)
		l = max(l, direct.Norm(direction))
	}
	return 1.1 * l, probes
}

// scatter returns what takes the place of the Lipschitz constant for steps along the
// estimates of a reference: the largest E||v(x) - v(x~)||^2 / E((x-x~)'(v(x) - v(x~)))
// seen for x around x~, where v is the estimate (4) (Gower, Loizou, Qian, Sailanbayev,
// Shulgin and Richtarik 2019: expected smoothness). It is at least the smoothness in
// those directions, and much more where the samples differ a lot. The samples are given
// for their sizes. It costs a full gradient, which counts with the first epoch, and the
// samples drawn: passes tells how many passes those are, rounded up.
func (r *reference) scatter(inner, jacobian, outer []uint32) (l float64, passes int) {
	shape := r.t.shape
	full := shape.Inner + shape.Outer
	size := len(inner) + len(jacobian) + len(outer)
	repeats := min(max(full/(scatters*size), 4), 32)
	random := random.New(uint64(shape.Columns))
	direction, at, moved := make([]float64, shape.Columns), make([]float64, shape.Columns), make([]float64, shape.Columns)
	r.refresh()
	r.fresh = true
	reach := nearby(r.x)
	for probe := range scatters {
		norm := direct.Norm(direction)
		if probe%3 == 0 || !(norm > 0) { // the others are power steps from this one
			randomDirection(direction, random)
			norm = direct.Norm(direction)
		}
		direct.Scale(direction, reach/norm, direction)
		copy(at, r.x)
		direct.Axpy(1, direction, at)
		second := 0.0
		clear(moved)
		for range repeats {
			draw(inner, shape.Inner, random)
			draw(jacobian, shape.Inner, random)
			draw(outer, shape.Outer, random)
			v := r.direction(at, inner, jacobian, outer)
			direct.Axpy(-1, r.v, v)
			second += kernels.SquaredNorm(v)
			direct.Axpy(1, v, moved)
		}
		if curvature := direct.Dot(moved, direction); curvature > 0 {
			l = max(l, second/curvature)
		}
		direction, moved = moved, direction
	}
	return l, (scatters*repeats*size + full - 1) / full
}

// nearby is the distance at which differences of gradients are taken.
func nearby(x []float64) float64 { return 1e-4 * (1 + direct.Norm(x)) }

func randomDirection(v []float64, random *random.Source) {
	for j := range v {
		v[j] = random.Float64() - 0.5
	}
}

// stepOr returns the step, or a multiple of 1/L where it is 0, and the full gradients
// that L took.
func (t *task) stepOr(step, multiple float64) (float64, int, error) {
	if step > 0 {
		return step, 0, nil
	}
	l, passes := t.full.smoothness(t.start)
	return inverse(l, multiple, passes)
}

// stepOr returns the given step. If step is 0, it estimates a step around the starting point, and
// returns it with the number of full gradients that this took.
func (r *reference) stepOr(step float64, inner, jacobian, outer []uint32) (float64, int, error) {
	if step > 0 {
		return step, 0, nil
	}
	l, passes := r.scatter(inner, jacobian, outer)
	return inverse(l, 0.5, passes)
}

func inverse(l, multiple float64, passes int) (float64, int, error) {
	if !(l >= 0) || math.IsInf(l, 0) {
		return 0, 0, fmt.Errorf("the gradient of F has the Lipschitz constant %v near the starting point; give a step", l)
	}
	if l == 0 {
		l = 1
	}
	return multiple / l, passes, nil
}
