package erm

import (
	"fmt"
)

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
