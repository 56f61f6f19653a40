package erm

import (
	"fmt"
	"math"
)

func errorOr(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func checkStep(name string, v float64) error {
	if !(v >= 0) || math.IsInf(v, 0) {
		return fmt.Errorf("%s is %v; it must be positive, or 0 for the default", name, v)
	}
	return nil
}

func checkInner(m int) error {
	if m < 0 {
		return fmt.Errorf("inner is %d; it must be positive, or 0 for the default", m)
	}
	return nil
}

// stepOr returns the step, or a multiple of 1 over the smoothness of a batch
// where it is 0.
func (t *task) stepOr(step, multiple float64) float64 {
	if step == 0 {
		return multiple / batchSmoothness(t)
	}
	return step
}

// checkContraction refuses steps that no regularised problem can bear.
func checkContraction(step, lambda float64) error {
	if !(float64(step*lambda) < 1) {
		return fmt.Errorf("step %v times lambda %v is not below 1: the steps would diverge", step, lambda)
	}
	return nil
}
