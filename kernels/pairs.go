package kernels

import "fmt"

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
