package pauc

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/checkpoint"
	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// mixture is the dual of a cutting-plane model,
//
//	maximise b'a - a'Ha/2 over a >= 0 with sum 1,
//
// solved by an active-set method. The plane that is highest at the present point joins the planes
// in use. Newton steps over these planes follow until a step ends inside. H may be singular.
type mixture struct {
	b, a   []float64
	h      [][]float64 // rows of H
	height []float64   // of the planes at the present point, b - Ha
	used   []int       // planes in use: a > 0, except for a plane that has just joined

	factor, step []float64 // scratch of a Newton step
}

// singular is the share of a diagonal entry of H that a pivot must keep.
const singular = 1e-11

// add appends a plane with the constant b; row holds its products with the planes
// before and, last, with itself. The first one gets all the weight.
func (q *mixture) add(b float64, row []float64) {
	a := 0.0
	if len(q.b) == 0 {
		a = 1
		q.used = append(q.used, 0)
	}
	q.b, q.a, q.height = append(q.b, b), append(q.a, a), append(q.height, 0)
	for k := range q.h {
		q.h[k] = append(q.h[k], row[k])
	}
	if n := len(q.h); n < cap(q.h) {
		q.h = q.h[:n+1] // with the memory of a row that was dropped
	} else {
		q.h = append(q.h, nil)
	}
	q.h[len(q.h)-1] = append(q.h[len(q.h)-1][:0], row...)
}

// drop removes plane t, which is not in use; the last one takes its number.
func (q *mixture) drop(t int) {
	last := len(q.b) - 1
	q.b[t], q.a[t] = q.b[last], q.a[last]
	q.h[t], q.h[last] = q.h[last], q.h[t]
	for k := range q.h {
		q.h[k][t] = q.h[k][last]
		q.h[k] = q.h[k][:last]
	}
	q.b, q.a, q.h, q.height = q.b[:last], q.a[:last], q.h[:last], q.height[:last]
	for k, u := range q.used {
		if u == last {
			q.used[k] = t
		}
	}
}

// heights computes the heights of all planes. It returns the highest plane and its height above
// the mean by a, which is the duality gap of the program.
func (q *mixture) heights() (highest int, excess float64) {
	mean := 0.0
	for t, row := range q.h {
		v := q.b[t]
		for _, u := range q.used {
			v = math.FMA(-row[u], q.a[u], v)
		}
		q.height[t] = v
		mean = math.FMA(q.a[t], v, mean)
		if v > q.height[highest] {
			highest = t
		}
	}
	return highest, q.height[highest] - mean
}

// value returns the objective at a, given the heights.
func (q *mixture) value() float64 {
	sum := 0.0
	for _, u := range q.used {
		sum = math.FMA(q.a[u], (q.b[u]+q.height[u])/2, sum)
	}
	return sum
}

// solve raises the objective until the gap is at most tolerance, or as far as
// rounding lets it, and returns the objective.
func (q *mixture) solve(tolerance float64) float64 {
	before := math.Inf(-1)
	for range 10*len(q.b) + 100 {
		highest, excess := q.heights()
		value := q.value()
		if excess <= tolerance || !(value > before) {
			break
		}
		before = value
		if !slices.Contains(q.used, highest) {
			q.used = append(q.used, highest)
		}
		q.settle()
	}
	q.heights()
	return q.value()
}

// settle maximises over the planes in use.
func (q *mixture) settle() {
	for len(q.used) > 1 {
		// The differences from the plane with the largest weight are free.
		largest := 0
		for k, u := range q.used {
			if q.a[u] > q.a[q.used[largest]] {
				largest = k
			}
		}
		last := len(q.used) - 1
		q.used[largest], q.used[last] = q.used[last], q.used[largest]
		if inside := q.newton(q.used[:last], q.used[last]); inside {
			return
		}
		for _, t := range q.used {
			v := q.b[t]
			for _, u := range q.used {
				v = math.FMA(-q.h[t][u], q.a[u], v)
			}
			q.height[t] = v
		}
	}
}

// newton moves weights of the free planes, against the weight of base, to the maximum, or along a
// direction in which the objective is linear. Weights stay at least 0. It tells whether it
// reached the maximum; if not, a plane has left the planes in use.
func (q *mixture) newton(free []int, base int) bool {
	f := len(free)
	q.factor = slices.Grow(q.factor[:0], f*f)[:f*f]
	q.step = slices.Grow(q.step[:0], f)[:f]
	entry := func(i, j int) float64 {
		return (q.h[free[i]][free[j]] - q.h[base][free[j]]) - (q.h[free[i]][base] - q.h[base][base])
	}
	most := 1.0
	for i := range f {
		row := q.factor[i*f : i*f+i+1]
		for j := range i {
			dot := direct.Dot(row[:j], q.factor[j*f:j*f+j])
			row[j] = (entry(i, j) - dot) / q.factor[j*f+j]
		}
		whole := entry(i, i)
		pivot := whole - kernels.SquaredNorm(row[:i])
		if !(pivot > singular*max(whole, 0)) {
			q.dependent(i, f, free, base)
			most = math.Inf(1)
			break
		}
		row[i] = math.Sqrt(pivot)
	}
	if most == 1 {
		for i, t := range free {
			dot := direct.Dot(q.factor[i*f:i*f+i], q.step[:i])
			q.step[i] = (q.height[t] - q.height[base] - dot) / q.factor[i*f+i]
		}
		q.backward(f, f)
	}
	back, length, blocking := 0.0, most, -1
	for k, t := range free {
		back -= q.step[k]
		if q.step[k] < 0 && q.a[t] < -float64(q.step[k]*length) {
			length, blocking = q.a[t]/-q.step[k], k
		}
	}
	if back < 0 && q.a[base] < -float64(back*length) {
		length, blocking = q.a[base]/-back, f
	}
	if math.IsInf(length, 1) || length-length != 0 {
		return true // only rounding can lead here
	}
	for k, t := range free {
		q.a[t] = max(0, math.FMA(length, q.step[k], q.a[t]))
	}
	q.a[base] = max(0, math.FMA(length, back, q.a[base]))
	if blocking >= 0 {
		q.a[q.used[blocking]] = 0
		q.used = slices.Delete(q.used, blocking, blocking+1)
	}
	q.normalise()
	return blocking < 0
}

// dependent sets step to a direction that the first i rows of the factor and plane
// free[i] leave without curvature, uphill.
func (q *mixture) dependent(i, f int, free []int, base int) {
	clear(q.step)
	copy(q.step, q.factor[i*f:i*f+i])
	q.backward(i, f)
	uphill := q.height[free[i]] - q.height[base]
	for k := range i {
		uphill = math.FMA(-q.step[k], q.height[free[k]]-q.height[base], uphill)
	}
	sign := 1.0
	if uphill < 0 {
		sign = -1
	}
	for k := range i {
		q.step[k] = float64(-sign * q.step[k])
	}
	q.step[i] = sign
}

// backward solves L'x = step over the first i rows of the factor.
func (q *mixture) backward(i, f int) {
	for k := i - 1; k >= 0; k-- {
		q.step[k] /= q.factor[k*f+k]
		for j := range k {
			q.step[j] = math.FMA(-q.factor[k*f+j], q.step[k], q.step[j])
		}
	}
}

// normalise makes the sum of a 1 up to rounding.
func (q *mixture) normalise() {
	sum := 0.0
	for _, u := range q.used {
		sum += q.a[u]
	}
	for _, u := range q.used {
		q.a[u] /= sum
	}
}

// state visits a program of n planes.
func (q *mixture) state(c *checkpoint.Coder, n int) {
	used := len(q.used)
	c.Count(&used, n)
	if c.Err() != nil {
		return
	}
	if c.Restoring() {
		q.b, q.a, q.height = make([]float64, n), make([]float64, n), make([]float64, n)
		q.used, q.h = make([]int, used), make([][]float64, n)
	}
	c.Floats(q.b)
	c.Floats(q.a)
	for t := range q.h {
		// A file of many small planes has no place for the square of their number.
		if c.Err() != nil {
			return
		}
		if c.Restoring() {
			q.h[t] = make([]float64, n)
		}
		c.Floats(q.h[t])
	}
	for k := range q.used {
		c.Count(&q.used[k], n-1)
	}
}
