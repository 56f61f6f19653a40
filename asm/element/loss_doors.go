package element

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/lanes-go/lanes/internal/arguments"
)

// The doors of losses are Go: of so many arguments it passes most in registers. Where that
// is quicker than another call they take a few elements themselves, each of which is a
// lane: every other one goes to the other of two sums, which adds the lanes as a kernel
// does, but for the signs of zeros, and as some lanes are empty, no sum is -0. They do
// without math.FMA, whose way for old processors costs registers: a label is -1 or 1, so
// that the product of the squared hinge is exact, and so is the half of Huber's, but of
// subnormal numbers, whose loss vanishes.

const fewLosses = 4

// LossGradient is Kernels.Grad, y having ny elements, or an error. Capacities of slices would
// take registers that the checks want.
func LossGradient(loss Loss, coef, z []float64, y *float64, ny int, weight []float64, delta float64) (float64, error) {
	c, x, w := unsafe.SliceData(coef), unsafe.SliceData(z), unsafe.SliceData(weight)
	n := len(z)
	bytes := uintptr(n) * 8
	rest := -(2 * bytes)
	if n == len(coef) && n == ny && n > 0 && (w == nil || n == len(weight)) &&
		(n == 1 || sameOrApart(c, x, bytes, rest) && sameOrApart(c, y, bytes, rest) && (w == nil || sameOrApart(c, w, bytes, rest))) {
		switch loss {
		case Squared:
			if n > fewLosses || w != nil {
				return toSquaredGrad(c, x, y, w, n, delta), nil
			}
			sum, next := 0.0, 0.0
			for i := range n {
				r := *at(x, i) - *at(y, i)
				*at(c, i) = r
				sum, next = next, sum+float64(float64(0.5*r)*r)
			}
			return sum + next, nil
		case SquaredHinge:
			if n > 1 || w != nil || math.Abs(*y) != 1 {
				return toSquaredHingeGrad(c, x, y, w, n, delta), nil
			}
			u := *y
			m := max(0, 1-float64(u**x))
			*c = -float64(u * m)
			return float64(float64(0.5*m) * m), nil
		case Huber:
			if !huberDelta(delta) {
				break
			}
			if n > 1 || w != nil {
				return toHuberGrad(c, x, y, w, n, delta), nil
			}
			r := *x - *y
			cut := max(-delta, min(delta, r))
			*c = cut
			return float64(cut*(r-float64(0.5*cut))) + 0, nil
		case Logistic:
			return toLogisticGrad(c, x, y, w, n, delta), nil
		}
	}
	return gradientRefused(loss, unsafe.Slice(c, len(coef)), unsafe.Slice(x, n), unsafe.Slice(y, ny), weight, delta)
}

// LossSum is Kernels.Sum, y having ny elements, or an error.
func LossSum(loss Loss, z []float64, y *float64, ny int, weight []float64, delta float64) (float64, error) {
	w := unsafe.SliceData(weight)
	if n := len(z); n == ny && n > 0 && (w == nil || n == len(weight)) {
		switch loss {
		case Squared:
			if n > fewLosses || w != nil {
				return toSquaredGrad(nil, unsafe.SliceData(z), y, w, n, delta), nil
			}
			sum, next := 0.0, 0.0
			for i, v := range z {
				r := v - *at(y, i)
				sum, next = next, sum+float64(float64(0.5*r)*r)
			}
			return sum + next, nil
		case SquaredHinge:
			if n > 1 || w != nil || math.Abs(*y) != 1 {
				return toSquaredHingeGrad(nil, unsafe.SliceData(z), y, w, n, delta), nil
			}
			m := max(0, 1-float64(*y*z[0]))
			return float64(float64(0.5*m) * m), nil
		case Huber:
			if !huberDelta(delta) {
				break
			}
			if n > 1 || w != nil {
				return toHuberGrad(nil, unsafe.SliceData(z), y, w, n, delta), nil
			}
			r := z[0] - *y
			cut := max(-delta, min(delta, r))
			return float64(cut*(r-float64(0.5*cut))) + 0, nil
		case Logistic:
			return toLogisticGrad(nil, unsafe.SliceData(z), y, w, n, delta), nil
		}
	}
	return sumRefused(loss, z, unsafe.Slice(y, ny), weight, delta)
}

// LossCurvature is Kernels.Curvature of vectors of n, nt, nz and ny elements, or an error.
func LossCurvature(loss Loss, h, t, z, y *float64, n, nt, nz, ny int, weight []float64, delta float64) error {
	w, bytes := unsafe.SliceData(weight), uintptr(n)*8
	rest := -(2 * bytes)
	if n == nt && n == nz && n == ny && n > 0 && (w == nil || n == len(weight) && apart(h, w, bytes, rest) && apart(t, w, bytes, rest)) &&
		apart(h, t, bytes, rest) && apart(h, z, bytes, rest) && apart(h, y, bytes, rest) && apart(t, z, bytes, rest) && apart(t, y, bytes, rest) {
		switch loss {
		case Squared:
			if n > 2*fewLosses || w != nil {
				toSquaredCurvature(h, t, z, y, w, n, delta)
				return nil
			}
			for i := range n {
				*at(h, i), *at(t, i) = 1, 0
			}
			return nil
		case SquaredHinge:
			if n > 1 || w != nil || math.Abs(*y) != 1 {
				toSquaredHingeCurvature(h, t, z, y, w, n, delta)
				return nil
			}
			*h, *t = 0, 0
			if 1-float64(*y**z) > 0 {
				*h = 1
			}
			return nil
		case Huber:
			if !huberDelta(delta) {
				break
			}
			if n > 1 || w != nil {
				toHuberCurvature(h, t, z, y, w, n, delta)
				return nil
			}
			*h, *t = 0, 0
			if math.Abs(*z-*y) <= delta {
				*h = 1
			}
			return nil
		case Logistic:
			toLogisticCurvature(h, t, z, y, w, n, delta)
			return nil
		}
	}
	return curvatureRefused(loss, unsafe.Slice(h, n), unsafe.Slice(t, nt), unsafe.Slice(z, nz), unsafe.Slice(y, ny), weight, delta)
}

// at is element i of the vector that begins at p.
func at(p *float64, i int) *float64 { return (*float64)(unsafe.Add(unsafe.Pointer(p), i*8)) }

// apart tells whether vectors of so many bytes, above 0, from p and q on share none. rest is
// -2*bytes, which the caller computes once. sameOrApart allows p = q, too. They hold of nil.

func apart(p, q *float64, bytes, rest uintptr) bool {
	return uintptr(unsafe.Pointer(p))-uintptr(unsafe.Pointer(q))-bytes <= rest
}

func sameOrApart(p, q *float64, bytes, rest uintptr) bool {
	return p == q || apart(p, q, bytes, rest)
}

// vectorOrNil makes a vector of n elements of one that may be nil, to which a length of 0
// does not matter.
func vectorOrNil(p *float64, n int) []float64 {
	if p == nil {
		return nil
	}
	return unsafe.Slice(p, n)
}

func huberDelta(delta float64) bool { return delta > 0 && delta <= math.MaxFloat64 }

// What follows says what was wrong with a call, if anything.

func gradientRefused(loss Loss, coef, z, y, weight []float64, delta float64) (float64, error) {
	const name = "LossGradient"
	err := errors.Join(lossError(name, loss, delta, z, y, weight), arguments.Pair(name, "coef", coef, "z", z), arguments.Pair(name, "coef", coef, "y", y))
	if weight != nil {
		err = errors.Join(err, arguments.Pair(name, "coef", coef, "weight", weight))
	}
	if err != nil {
		return 0, err
	}
	return active().Grad[loss](coef, z, y, weight, delta), nil
}

func sumRefused(loss Loss, z, y, weight []float64, delta float64) (float64, error) {
	if err := lossError("LossSum", loss, delta, z, y, weight); err != nil {
		return 0, err
	}
	return active().Sum[loss](z, y, weight, delta), nil
}

func curvatureRefused(loss Loss, h, t, z, y, weight []float64, delta float64) error {
	const name = "LossCurvature"
	err := errors.Join(lossError(name, loss, delta, z, y, weight), arguments.Apart(name, []string{"h", "t"}, h, t))
	for _, source := range []struct {
		name   string
		values []float64
	}{{"z", z}, {"y", y}, {"weight", weight}} {
		if source.name != "weight" || weight != nil {
			err = errors.Join(err, arguments.Apart(name, []string{"h", source.name}, h, source.values), arguments.Apart(name, []string{"t", source.name}, t, source.values))
		}
	}
	if err != nil {
		return err
	}
	active().Curvature[loss](h, t, z, y, weight, delta)
	return nil
}

func lossError(name string, loss Loss, delta float64, z, y, weight []float64) error {
	switch {
	case loss >= Losses:
		return fmt.Errorf("kernels.%s: unknown loss %d", name, uint8(loss))
	case len(y) != len(z):
		return arguments.Lengths(name, "y", len(y), "z", len(z))
	case weight != nil && len(weight) != len(z):
		return arguments.Lengths(name, "weight", len(weight), "z", len(z))
	case loss == Huber && !huberDelta(delta):
		return fmt.Errorf("kernels.%s: delta is %v; Huber's loss needs a positive finite one", name, delta)
	}
	return nil
}
