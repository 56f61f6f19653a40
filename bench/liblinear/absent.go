//go:build !cgo || !liblinear

// Package liblinear calls LIBLINEAR in this process (Debian: liblinear-dev;
// build tag liblinear), so that its training can be timed without its reading.
package liblinear

import (
	"errors"

	"github.com/lanes-go/lanes/sparse"
)

// Problem is a data set in LIBLINEAR's memory layout.
type Problem struct{}

// NewProblem fails in a build without LIBLINEAR.
func NewProblem(*sparse.Matrix, []float64) (*Problem, error) {
	return nil, errors.New("this build has no LIBLINEAR: install liblinear-dev and build with -tags liblinear")
}

// Free does nothing.
func (p *Problem) Free() {}

// Train returns nothing.
func (p *Problem) Train(int, float64, float64) ([]float64, float64) { return nil, 0 }

// Available tells that this build has no LIBLINEAR.
const Available = false
