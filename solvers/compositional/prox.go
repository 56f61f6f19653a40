package compositional

import (
	"fmt"
	"math"
	"slices"

	"github.com/lanes-go/lanes/internal/direct"
	"github.com/lanes-go/lanes/kernels"
)

// Regularizer is r together with the set X: r is finite on X only. A run calls its methods from
// one goroutine at a time.
type Regularizer interface {
	// Check says what is wrong with the parameters, if anything, for d columns.
	Check(d int) error
	// Prox sets x to the point y of X that minimises r(y) + ||y-x||^2/(2 step), which
	// is the projection onto X where step is 0.
	Prox(x []float64, step float64)
	// Value returns r(x) for x in X.
	Value(x []float64) float64
	// Identity is a text that tells regularisers apart, for checkpoints.
	Identity() string
}

// Bounded is what a Regularizer with a bounded X may implement: it gives runs a
// duality gap, and theorem 3 what it needs to know. It is safe for concurrent use.
type Bounded interface {
	// Support returns the maximum over y in X of -g'y - r(y).
	Support(g []float64) float64
	// Reach returns the largest distance of a point of X from x.
	Reach(x []float64) float64
}

// none is r = 0 on all of R^d.
type none struct{}

func (none) Check(int) error         { return nil }
func (none) Prox([]float64, float64) {}
func (none) Value([]float64) float64 { return 0 }
func (none) Identity() string        { return "none" }

// L1 is r(x) = Lambda ||x||_1 on all of R^d. Prox costs one pass over x. It is safe for concurrent
// use.
type L1 struct{ Lambda float64 }

// Check wants Lambda finite and 0 or more.
func (r L1) Check(int) error { return checkLambda(r.Lambda) }

// Prox shrinks every coordinate towards 0 by step Lambda.
func (r L1) Prox(x []float64, step float64) { shrink(x, step*r.Lambda) }

// Value returns Lambda ||x||_1.
func (r L1) Value(x []float64) float64 { return r.Lambda * sumAbs(x) }

// Identity names the parameters.
func (r L1) Identity() string { return fmt.Sprintf("l1 %v", r.Lambda) }

// Box is r = 0 on X = [Low, High]^d. Prox costs one pass over x. It is safe for concurrent use.
type Box struct{ Low, High float64 }

// Check wants finite bounds, the lower one not above the upper one.
func (r Box) Check(int) error { return checkBox(r.Low, r.High) }

// Prox moves every coordinate to the nearest number of the interval.
func (r Box) Prox(x []float64, _ float64) { box(x, r.Low, r.High) }

// Value returns 0.
func (Box) Value([]float64) float64 { return 0 }

// Identity names the parameters.
func (r Box) Identity() string { return fmt.Sprintf("box %v %v", r.Low, r.High) }

// Support returns the maximum of -g'y over the box.
func (r Box) Support(g []float64) float64 { return L1Box{0, r.Low, r.High}.Support(g) }

// Reach returns the distance of the farthest corner.
func (r Box) Reach(x []float64) float64 { return L1Box{0, r.Low, r.High}.Reach(x) }

// L1Box is r(x) = Lambda ||x||_1 on X = [Low, High]^d. Prox costs two passes over x: a
// coordinate is shrunk and then moved into the interval, which is exact since r is a
// sum over coordinates. It is safe for concurrent use.
type L1Box struct{ Lambda, Low, High float64 }

// Check wants Lambda finite and 0 or more, and finite bounds in order.
func (r L1Box) Check(int) error {
	if err := checkLambda(r.Lambda); err != nil {
		return err
	}
	return checkBox(r.Low, r.High)
}

// Prox shrinks by step Lambda and moves into the interval.
func (r L1Box) Prox(x []float64, step float64) {
	shrink(x, step*r.Lambda)
	box(x, r.Low, r.High)
}

// Value returns Lambda ||x||_1.
func (r L1Box) Value(x []float64) float64 { return r.Lambda * sumAbs(x) }

// Identity names the parameters.
func (r L1Box) Identity() string { return fmt.Sprintf("l1 %v in box %v %v", r.Lambda, r.Low, r.High) }

// Support returns the maximum of -g'y - Lambda ||y||_1 over the box. It is reached in
// each coordinate at an end, or at 0 where that lies between.
func (r L1Box) Support(g []float64) float64 {
	total := 0.0
	for _, v := range g {
		low := -float64(v*r.Low) - float64(r.Lambda*math.Abs(r.Low))
		high := -float64(v*r.High) - float64(r.Lambda*math.Abs(r.High))
		best := max(low, high)
		if r.Low <= 0 && r.High >= 0 {
			best = max(best, 0)
		}
		total += best
	}
	return total
}

// Reach returns the distance of the farthest corner.
func (r L1Box) Reach(x []float64) float64 {
	square := 0.0
	for _, v := range x {
		far := max(math.Abs(r.High-v), math.Abs(v-r.Low))
		square = math.FMA(far, far, square)
	}
	return math.Sqrt(square)
}

// Ball is r = 0 on X = {x: ||x||_2 <= Radius}. Prox costs two passes over x. It is safe for
// concurrent use.
type Ball struct{ Radius float64 }

// Check wants a positive, finite radius.
func (r Ball) Check(int) error { return checkPositive("the radius of the ball", r.Radius) }

// Prox scales x down to the ball's radius where it is longer.
func (r Ball) Prox(x []float64, _ float64) {
	if norm := direct.Norm(x); norm > r.Radius {
		direct.Scale(x, r.Radius/norm, x)
	}
}

// Value returns 0.
func (Ball) Value([]float64) float64 { return 0 }

// Identity names the parameters.
func (r Ball) Identity() string { return fmt.Sprintf("ball %v", r.Radius) }

// Support returns Radius ||g||.
func (r Ball) Support(g []float64) float64 { return r.Radius * direct.Norm(g) }

// Reach returns Radius + ||x||.
func (r Ball) Reach(x []float64) float64 { return r.Radius + direct.Norm(x) }

// Simplex is r = 0 on X = {x >= 0: sum of x = Total}: the long-only portfolios of a
// wealth Total. Prox sorts: O(d log d). It keeps a workspace for this: concurrent runs need
// a Simplex each, not copies of one. It is safe for concurrent use.
type Simplex struct {
	Total  float64
	sorted []float64
}

// Check wants a positive, finite total.
func (r *Simplex) Check(int) error {
	return checkPositive("the total of the simplex", r.Total)
}

// Prox projects by the threshold theta at which the sum of max(x - theta, 0) is Total
// (Held, Wolfe and Crowder 1974).
func (r *Simplex) Prox(x []float64, _ float64) {
	if len(r.sorted) != len(x) {
		r.sorted = make([]float64, len(x))
	}
	copy(r.sorted, x)
	slices.Sort(r.sorted)
	sum, theta := 0.0, math.Inf(-1)
	for count := 1; count <= len(x); count++ {
		v := r.sorted[len(x)-count]
		sum += v
		next := (sum - r.Total) / float64(count)
		if v <= next {
			break
		}
		theta = next
	}
	for j, v := range x {
		x[j] = max(v-theta, 0)
	}
}

// Value returns 0.
func (*Simplex) Value([]float64) float64 { return 0 }

// Identity names the parameters.
func (r *Simplex) Identity() string { return fmt.Sprintf("simplex %v", r.Total) }

// Support returns -Total times the smallest element of g.
func (r *Simplex) Support(g []float64) float64 { return -r.Total * least(g) }

// Reach returns the distance of the farthest corner.
func (r *Simplex) Reach(x []float64) float64 {
	square := kernels.SquaredNorm(x) + float64(r.Total*r.Total)
	return math.Sqrt(max(square-float64(float64(2*r.Total)*least(x)), 0))
}

// least returns the smallest element, 0 of an empty slice.
func least(x []float64) float64 {
	if len(x) == 0 {
		return 0
	}
	return slices.Min(x)
}

// shrink leaves x where the threshold is no number or less than 0, box where low is above
// high: Check says so, and these may be called without.
func shrink(x []float64, threshold float64) {
	if threshold >= 0 {
		direct.SoftThreshold(x, x, threshold)
	}
}

func box(x []float64, low, high float64) {
	if low <= high {
		direct.Box(x, x, low, high)
	}
}

func sumAbs(x []float64) float64 {
	total := 0.0
	for _, v := range x {
		total += math.Abs(v)
	}
	return total
}

func checkLambda(lambda float64) error {
	if !(lambda >= 0) || math.IsInf(lambda, 0) {
		return fmt.Errorf("lambda is %v; it must be 0 or more", lambda)
	}
	return nil
}

func checkBox(low, high float64) error {
	if !(low <= high) || math.IsInf(low, 0) || math.IsInf(high, 0) {
		return fmt.Errorf("the box is [%v, %v]; it needs finite bounds, the lower one first", low, high)
	}
	return nil
}

func checkPositive(what string, v float64) error {
	if !(v > 0) || math.IsInf(v, 0) {
		return fmt.Errorf("%s is %v; it must be positive", what, v)
	}
	return nil
}
