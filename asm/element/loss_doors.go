//lint:file-ignore U1000 the assembly of amd64 calls these functions

package element

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"github.com/lanes-go/lanes/internal/base/arguments"
)

// The entry points of losses in Go define the results and return the errors. The assembly entry
// points, without Of in their names, take vectors of equal length. The caller compares the
// lengths, because each word of an argument goes through memory. Nil weights are 1 everywhere.

// LossGradientOf is Kernels.Grad, or an error.
func LossGradientOf(coef, z, y *float64, weight []float64, n int, delta float64, ncoef, ny int, loss Loss) (sum float64, err error) {
	const name = "LossGradient"
	to, zs, ys, weights := vector(coef, ncoef), vector(z, n), vector(y, ny), weightsOf(weight)
	err = errors.Join(lossError(name, loss, delta, zs, ys, weights), arguments.Pair(name, "coef", to, "z", zs), arguments.Pair(name, "coef", to, "y", ys))
	if weights != nil {
		err = errors.Join(err, arguments.Pair(name, "coef", to, "weight", weights))
	}
	if err != nil {
		return 0, err
	}
	return active().Grad[loss](to, zs, ys, weights, delta), nil
}

// LossSumOf is Kernels.Sum, or an error.
func LossSumOf(z, y *float64, weight []float64, n int, delta float64, ny int, loss Loss) (sum float64, err error) {
	zs, ys, weights := vector(z, n), vector(y, ny), weightsOf(weight)
	if err := lossError("LossSum", loss, delta, zs, ys, weights); err != nil {
		return 0, err
	}
	return active().Sum[loss](zs, ys, weights, delta), nil
}

// LossCurvatureOf is Kernels.Curvature, or an error.
func LossCurvatureOf(h, t, z, y *float64, weight []float64, n int, delta float64, nt, nz, ny int, loss Loss) (err error) {
	const name = "LossCurvature"
	hs, ts, zs, ys, weights := vector(h, n), vector(t, nt), vector(z, nz), vector(y, ny), weightsOf(weight)
	err = errors.Join(lossError(name, loss, delta, zs, ys, weights), arguments.Apart(name, []string{"h", "t"}, hs, ts))
	for _, source := range []struct {
		name   string
		values []float64
	}{{"z", zs}, {"y", ys}, {"weight", weights}} {
		if source.name != "weight" || weights != nil {
			err = errors.Join(err, arguments.Apart(name, []string{"h", source.name}, hs, source.values), arguments.Apart(name, []string{"t", source.name}, ts, source.values))
		}
	}
	if err != nil {
		return err
	}
	active().Curvature[loss](hs, ts, zs, ys, weights, delta)
	return nil
}

func lossGradient(coef, z, y, weight *float64, n int, delta float64, loss Loss) (sum float64, err error) {
	return LossGradientOf(coef, z, y, weightsAt(weight, n), n, delta, n, n, loss)
}

// lossSum reads no coef, for which the caller gives nil.
func lossSum(coef, z, y, weight *float64, n int, delta float64, loss Loss) (sum float64, err error) {
	return LossSumOf(z, y, weightsAt(weight, n), n, delta, n, loss)
}

func lossCurvature(h, t, z, y, weight *float64, n int, delta float64, loss Loss) (err error) {
	return LossCurvatureOf(h, t, z, y, weightsAt(weight, n), n, delta, n, n, n, loss)
}

func weightsAt(weight *float64, n int) []float64 {
	if weight == nil {
		return nil
	}
	return unsafe.Slice(weight, n)
}

// vector makes a slice from a pointer and a length, hidden from escape analysis.
func vector(p *float64, n int) []float64 { return unsafe.Slice(arguments.NoEscape(p), n) }

// weightsOf is vector for weights; it returns nil for nil.
func weightsOf(weight []float64) []float64 {
	if weight == nil {
		return nil
	}
	return vector(unsafe.SliceData(weight), len(weight))
}

func huberDelta(delta float64) bool { return delta > 0 && delta <= math.MaxFloat64 }

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
