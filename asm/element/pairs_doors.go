package element

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/lanes-go/lanes/internal/base/arguments"
)

// The doors of pairs are Go. Where that is quicker than another call they take a few
// elements themselves, each of which is a lane: every other one goes to the other of two
// sums, which adds the lanes as a kernel does, but for the signs of zeros, and as some lanes
// are empty, no sum is -0.

// The losses of pairs, as package kernels numbers them.
const (
	pairHinge = iota
	pairLogistic
)

// fewPairs elements at most are computed here, where a call takes longer.
const fewPairs = 3

// PairLosses is PairKernels.Hinge with shift parameter - si, or PairKernels.Logistic with
// center si and scale parameter, or an error.
func PairLosses(loss uint8, l, s []float64, si, parameter float64) (float64, error) {
	n, to, from := len(s), unsafe.SliceData(l), unsafe.SliceData(s)
	if n == len(l) && n > 0 && apart(to, from, uintptr(n)*8, -(16*uintptr(n))) && (si-si)+(parameter-parameter) == 0 {
		switch loss {
		case pairHinge:
			shift := parameter - si
			return toPairHinge(to, from, shift, n), nil
		case pairLogistic:
			if n == 1 {
				*to = Sigmoid(float64(parameter * (*from - si)))
				return *to, nil
			}
			return toPairLogistic(to, from, si, parameter, n), nil
		}
	}
	return pairLossesRefused(loss, l, s, si, parameter)
}

// NotBelow0 is t, or +0 where t < 0. NaN and -0 stay, and no branch depends on t.
func NotBelow0(t float64) float64 {
	var below uint64
	if t < 0 {
		below = 1
	}
	return math.Float64frombits(math.Float64bits(t) & (below - 1))
}

// PairGradients is PairKernels.HingeAdd with 2a, or PairKernels.LogisticAdd with a
// parameter, both times that number, or an error.
func PairGradients(loss uint8, c, l []float64, a, parameter float64) (float64, error) {
	n, to, from := len(l), unsafe.SliceData(c), unsafe.SliceData(l)
	if n == len(c) && n > 0 && apart(to, from, uintptr(n)*8, -(16*uintptr(n))) {
		switch loss {
		case pairHinge:
			a *= 2
			if n > fewPairs {
				return float64(a * toPairHingeAdd(to, from, a, n)), nil
			}
			sum, next := 0.0, 0.0
			for i, v := range l {
				*at(to, i) = math.FMA(a, v, *at(to, i))
				sum, next = next, sum+v
			}
			return float64(a * (sum + next)), nil
		case pairLogistic:
			a *= parameter
			if n > fewPairs {
				return float64(a * toPairLogisticAdd(to, from, a, n)), nil
			}
			sum, next := 0.0, 0.0
			for i, p := range l {
				v := float64(p * (1 - p))
				*at(to, i) = math.FMA(a, v, *at(to, i))
				sum, next = next, sum+v
			}
			return float64(a * (sum + next)), nil
		}
	}
	return pairGradientsRefused(loss, c, l, a, parameter)
}

// apart tells whether vectors of so many bytes, above 0, from p and q on share none. rest is
// -2*bytes.
func apart(p, q *float64, bytes, rest uintptr) bool {
	return uintptr(unsafe.Pointer(p))-uintptr(unsafe.Pointer(q))-bytes <= rest
}

// at is element i of the vector that begins at p.
func at(p *float64, i int) *float64 { return (*float64)(unsafe.Add(unsafe.Pointer(p), i*8)) }

// What follows says what was wrong with a call, if anything.

func pairLossesRefused(loss uint8, l, s []float64, si, parameter float64) (float64, error) {
	if err := arguments.Pair("PairLosses", "part", l, "s", s); err != nil {
		return 0, err
	}
	if arguments.Overlap(l, s) {
		return 0, fmt.Errorf("kernels.PairLosses: part and s overlap")
	}
	for _, v := range []float64{si, parameter} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return 0, fmt.Errorf("kernels.PairLosses: the score %v and the parameter %v must be finite", si, parameter)
		}
	}
	return noPairLoss("PairLosses", loss)
}

func pairGradientsRefused(loss uint8, c, l []float64, a, parameter float64) (float64, error) {
	if err := arguments.Pair("PairGradients", "c", c, "part", l); err != nil {
		return 0, err
	}
	if arguments.Overlap(c, l) {
		return 0, fmt.Errorf("kernels.PairGradients: c and part overlap")
	}
	if loss == pairHinge {
		parameter = 2
	}
	zero, err := noPairLoss("PairGradients", loss)
	return float64(float64(a*parameter) * zero), err
}

// noPairLoss is for vectors without elements, unless the loss is unknown.
func noPairLoss(kernel string, loss uint8) (float64, error) {
	if loss > pairLogistic {
		return 0, fmt.Errorf("kernels.%s: there is no PairLoss(%d)", kernel, loss)
	}
	return 0, nil
}
