package kernels

import (
	"fmt"

	"github.com/lanes-go/lanes/asm/element"
	"github.com/lanes-go/lanes/internal/base/arguments"
)

// PairLoss names a smooth stand-in for the indicator of s_j >= s_i.
type PairLoss uint8

const (
	// PairSquaredHinge is max(0, s_j - s_i + margin)^2, its parameter the margin.
	PairSquaredHinge PairLoss = iota
	// PairLogistic is sigmoid(scale (s_j - s_i)), its parameter the scale.
	PairLogistic
)

// String returns squared-hinge or logistic.
func (l PairLoss) String() string {
	switch l {
	case PairSquaredHinge:
		return "squared-hinge"
	case PairLogistic:
		return "logistic"
	}
	return fmt.Sprintf("PairLoss(%d)", uint8(l))
}

// PairLosses compares one score s_i with the scores s of a sample: it returns the
// sum over j of the loss l(j, i) and leaves in part what PairGradients needs: the
// value of the logistic loss, or the root of the squared hinge. parameter is the
// margin or the scale.
//
// Error: part and s differ in length or overlap, si or the parameter is not
// finite, or the loss is unknown. Cost: two operations an element for the squared
// hinge, those of Sigmoid and three more for the logistic loss.
func PairLosses(loss PairLoss, part, s []float64, si, parameter float64) (sum float64, err error) {
	sum, err = func() (float64, error) {
		// A finite shift is one of finite numbers.
		if n, shift := len(s), parameter-si; uint(n-1) < 2 && len(part) == n && loss == PairSquaredHinge && shift-shift == 0 && arguments.Disjoint(part, s) {
			t := element.NotBelow0(s[0] + shift)
			sum := float64(t * t)
			if n == 2 {
				u := element.NotBelow0(s[1] + shift)
				part[1] = u
				sum += float64(u * u)
			}
			part[0] = t
			return sum, nil
		}
		return element.PairLosses(uint8(loss), part, s, si, parameter)
	}()
	return
}

// PairGradients adds a dl(j, i)/ds_j to every c[j], given the part and the
// parameter of PairLosses, and returns the sum of what it added, which is
// -a dl/ds_i.
//
// Error: c and part differ in length or overlap, or the loss is unknown.
// Cost: three to five operations an element.
func PairGradients(loss PairLoss, c, part []float64, a, parameter float64) (float64, error) {
	return element.PairGradients(uint8(loss), c, part, a, parameter)
}
