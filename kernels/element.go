package kernels

import (
	"fmt"
	"unsafe"

	"github.com/lanes-go/lanes/asm/element"
	"github.com/lanes-go/lanes/internal/base/arguments"
)

// Exp computes dst[i] = exp(x[i]) with an error below 1 ulp (0.75 measured)
// everywhere, the subnormal results included: +Inf from 709.783 on, 0 below
// -745.133. dst may be x.
//
// Error: dst and x differ in length, or overlap without being the same.
// Cost: 28 operations an element.
func Exp(dst, x []float64) error {
	return element.MapExp(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst), len(x))
}

// Log computes the natural logarithm dst[i] = log(x[i]) with an error below
// 1 ulp (0.57 measured): -Inf at 0, NaN below. dst may be x.
//
// Error: dst and x differ in length, or overlap without being the same.
// Cost: 28 operations and a division an element.
func Log(dst, x []float64) error {
	return element.MapLog(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst), len(x))
}

// Log1p computes dst[i] = log(1+x[i]) with an error below 1 ulp (0.57
// measured), for x near 0 too: -Inf at -1, NaN below; log1p(-0) is -0. dst may
// be x.
//
// Error: dst and x differ in length, or overlap without being the same.
// Cost: 40 operations and a division an element.
func Log1p(dst, x []float64) error {
	return element.MapLog1p(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst), len(x))
}

// Sigmoid computes the logistic function dst[i] = 1/(1+exp(-x[i])) with an
// error below 1 ulp (0.75 measured; the plain formula has 2), for results down
// to the subnormal ones too. dst may be x.
//
// Error: dst and x differ in length, or overlap without being the same.
// Cost: 40 operations and a division an element.
func Sigmoid(dst, x []float64) error {
	return element.MapSigmoid(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst), len(x))
}

// Softplus computes dst[i] = log(1+exp(x[i])) with an error below 1 ulp (0.76
// measured). It is the logistic loss at the margin -x[i]. dst may be x.
//
// Error: dst and x differ in length, or overlap without being the same.
// Cost: 60 operations and a division an element.
func Softplus(dst, x []float64) error {
	return element.MapSoftplus(unsafe.SliceData(dst), unsafe.SliceData(x), len(dst), len(x))
}

// Loss names a loss function phi(z, y) of a margin or prediction z and a label
// or target y.
type Loss uint8

const (
	// Logistic is log(1 + exp(-y z)) for y in {-1, +1}, with an error below
	// 1 ulp. Its second derivative is at most 1/4.
	Logistic = Loss(element.Logistic)
	// Squared is (z-y)^2/2. Its second derivative is 1.
	Squared = Loss(element.Squared)
	// SquaredHinge is max(0, 1 - y z)^2/2 for y in {-1, +1}, whose second
	// derivative is at most 1. LIBLINEAR's squared hinge has no 1/2.
	SquaredHinge = Loss(element.SquaredHinge)
	// Huber is r^2/2 for |r| <= delta and delta (|r| - delta/2) beyond, with
	// r = z-y. Its second derivative is at most 1.
	Huber = Loss(element.Huber)
)

var lossNames = [element.Losses]string{"logistic", "squared", "squared-hinge", "huber"}

// String returns the name that ParseLoss reads.
func (l Loss) String() string {
	if int(l) < len(lossNames) {
		return lossNames[l]
	}
	return fmt.Sprintf("Loss(%d)", uint8(l))
}

// ParseLoss returns the loss of that name: logistic, squared, squared-hinge or
// huber.
func ParseLoss(name string) (Loss, error) {
	for l, n := range lossNames {
		if n == name {
			return Loss(l), nil
		}
	}
	return 0, fmt.Errorf("kernels.ParseLoss: no loss %q; there are logistic, squared, squared-hinge and huber", name)
}

// MarshalText returns the name of the loss, for JSON.
func (l Loss) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads a name as ParseLoss does.
func (l *Loss) UnmarshalText(text []byte) (err error) {
	*l, err = ParseLoss(string(text))
	return err
}

// LossGradient computes coef[i] = weight[i] dphi/dz(z[i], y[i]) and returns
// sum_i weight[i] phi(z[i], y[i]). A nil weight stands for 1 everywhere. delta
// is read for Huber only. Labels are not checked: with y other than -1 and +1
// the formula of the loss holds all the same. coef may be z, y or weight.
//
// For Logistic, coef and phi have the bits of -y Sigmoid(-y z) and of
// Softplus(-y z).
//
// Error: the slices differ in length, or coef overlaps another without being
// the same; the loss is unknown; delta is not positive and finite for Huber.
// Cost: 100 operations and two divisions an element for Logistic; 24 bytes read (32
// with weights) and 8 written for the others.
func LossGradient(loss Loss, coef, z, y, weight []float64, delta float64) (sum float64, err error) {
	sum, err = func() (float64, error) {
		n := len(z)
		if len(coef) != n || len(y) != n || weight != nil && len(weight) != n {
			return element.LossGradientOf(unsafe.SliceData(coef), unsafe.SliceData(z), unsafe.SliceData(y), weight, n, delta, len(coef), len(y), element.Loss(loss))
		}
		if uint(n-1) < 2 && loss-1 < 3 && weight == nil {
			term := func(i int) (phi, derivative float64, known bool) {
				if loss == Huber {
					return shortHuber(z[i], y[i], delta)
				}
				return shortLoss(loss, z[i], y[i])
			}
			phi, d, known := term(0)
			if n == 2 && known {
				other, d1, both := term(1)
				if known = both && arguments.SameOrDisjoint(coef, z) && arguments.SameOrDisjoint(coef, y); known {
					coef[1] = d1
				}
				phi += other
			}
			if known {
				coef[0] = d
				return phi, nil
			}
		}
		return element.LossGradient(unsafe.SliceData(coef), unsafe.SliceData(z), unsafe.SliceData(y), unsafe.SliceData(weight), len(z), delta, element.Loss(loss))
	}()
	return
}

// LossSum returns the sum that LossGradient returns, without the coefficients:
// for line searches and objectives.
//
// Error: the slices differ in length; the loss is unknown; delta is not
// positive and finite for Huber. Cost: 75 operations and a division an element for
// Logistic.
func LossSum(loss Loss, z, y, weight []float64, delta float64) (sum float64, err error) {
	sum, err = func() (float64, error) {
		if n := len(z); uint(n-1) < 2 && loss-1 < 3 && len(y) == n && weight == nil {
			term := func(i int) (phi float64, known bool) {
				if loss == Huber {
					phi, _, known = shortHuber(z[i], y[i], delta)
				} else {
					phi, _, known = shortLoss(loss, z[i], y[i])
				}
				return
			}
			phi, known := term(0)
			if n == 2 && known {
				var other float64
				other, known = term(1)
				phi += other
			}
			if known {
				return phi, nil
			}
		}
		if n := len(z); len(y) != n || weight != nil && len(weight) != n {
			return element.LossSumOf(unsafe.SliceData(z), unsafe.SliceData(y), weight, n, delta, len(y), element.Loss(loss))
		}
		return element.LossSum(nil, unsafe.SliceData(z), unsafe.SliceData(y), unsafe.SliceData(weight), len(z), delta, element.Loss(loss))
	}()
	return
}

// LossCurvature computes h[i] and t[i], weight[i] times the second and the
// third derivative of phi in z at (z[i], y[i]). For Logistic, y must be -1 or
// +1; the results do not depend on which, and are within a few ulp. Where the
// second derivative jumps, h is 0 for SquaredHinge and 1 for Huber, and t is 0.
//
// Error: the slices differ in length, or h or t overlaps another; the loss is
// unknown; delta is not positive and finite for Huber. Cost: 45 operations and a
// division an element for Logistic.
func LossCurvature(loss Loss, h, t, z, y, weight []float64, delta float64) (err error) {
	err = func() error {
		if n := len(h); len(t) != n || len(z) != n || len(y) != n || weight != nil && len(weight) != n {
			return element.LossCurvatureOf(unsafe.SliceData(h), unsafe.SliceData(t), unsafe.SliceData(z), unsafe.SliceData(y), weight, n, delta, len(t), len(z), len(y), element.Loss(loss))
		}
		return element.LossCurvature(unsafe.SliceData(h), unsafe.SliceData(t), unsafe.SliceData(z), unsafe.SliceData(y), unsafe.SliceData(weight), len(h), delta, element.Loss(loss))
	}()
	return
}
